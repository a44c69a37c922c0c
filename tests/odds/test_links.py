"""Links that open a question again, and what comes from outside in their place."""

from __future__ import annotations

import json
import zlib
from base64 import urlsafe_b64encode
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cli.test_odds import KINDS, ONE, QUESTIONS, Capture, ask
from odds.practice import PACK, PRACTICE
from sandtable import odds
from sandtable.cli.main import main
from sandtable.errors import UserError
from sandtable.odds import links
from sandtable.odds.changes import with_stat
from sandtable.version import __version__


def packed(text: bytes, checked: int | None = None) -> str:
    """A code for any content."""
    packer = zlib.compressobj(9, wbits=links.RAW, zdict=links.COMMON)
    return sealed(packer.compress(text) + packer.flush(), checked)


def sealed(content: bytes, checked: int | None = None) -> str:
    sum_ = zlib.crc32(content) if checked is None else checked
    return "st1." + urlsafe_b64encode(sum_.to_bytes(4) + content).rstrip(b"=").decode()


def forged(ask: str = "into", version: str = __version__, **changed: Any) -> str:
    """A code for a question with some arguments replaced."""
    setting = {"system": "w40k10", "pack": "w40k10"}
    with_ = {"attacker": "10 boyz", "target": "10 boyz", "how": {}, "setting": setting} | changed
    return packed(json.dumps({"version": version, "ask": ask, "with": with_}).encode())


def refusal(code: str, capsys: Capture) -> str:
    assert main(["odds", "open", code]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert "Traceback" not in said.err
    return said.err


# --- There and back ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", QUESTIONS)
def test_every_question_opens_again_with_the_same_answer(name: str, capsys: Capture) -> None:
    assert ask(name, "--json", "-o", "devastating=one-model", "--allocation", "best-save") == 0
    first = capsys.readouterr().out
    link = json.loads(first)["link"]
    assert link.startswith("sandtable://odds/st1.")
    code = link.rpartition("/")[2]
    for form in (link, code, f"https://example.org/odds?x=1#{code}", f" {link}/ "):
        assert main(["odds", "open", form, "--pack", str(PACK), "--json"]) == 0
        assert capsys.readouterr().out == first
    assert json.loads(first)["answer"] == KINDS[name]


def test_the_terminal_shows_the_command_that_asks_again_on_one_line(capsys: Capture) -> None:
    assert ask("lists") == 0
    *_, last = capsys.readouterr().out.splitlines()
    before, _, command = last.partition(": ")
    assert before == "  Ask again"
    code = command.removeprefix("sandtable odds open ")
    assert main(["odds", "open", code, "--pack", str(PACK), "--csv"]) == 0
    assert capsys.readouterr().out.startswith("direction,")


def test_pictures_carry_the_link() -> None:
    answer = odds.into("10 rifle squad", "10 dummies", setting=PRACTICE)
    assert f"<dc:source>{answer.link}</dc:source>" in answer._repr_svg_()


def test_a_png_carries_the_link(tmp_path: Path) -> None:
    answer = odds.into("10 rifle squad", "10 dummies", setting=PRACTICE)
    answer.save(tmp_path / "answer.png")
    assert answer.link.encode() in (tmp_path / "answer.png").read_bytes()


def test_a_list_of_ones_own_is_in_the_link_and_not_its_file() -> None:
    answer = odds.survive("3 hulks", [f"{ONE}: Rifle Squad"], setting=PRACTICE)
    assert answer.question is not None
    held = str(answer.question.arguments)
    assert "yaml" not in held
    assert str(PACK) not in held
    assert odds.open(answer.link, str(PACK)) == answer


def test_units_found_in_python_are_in_the_link() -> None:
    captain = odds.find_force("5 rifle squad led by captain", PRACTICE)
    panel = odds.panel_forces(PRACTICE)[0]
    answer = odds.targets(captain, [panel, "3 hulks"], odds.melee("charged"), PRACTICE)
    assert odds.open(answer.link, str(PACK)) == answer


def test_units_changed_in_python_have_no_words_and_no_link() -> None:
    strong = with_stat(odds.find_force("5 rifle squad", PRACTICE), "S", 9)
    answer = odds.into(strong, "3 hulks", setting=PRACTICE)
    assert answer.link == ""
    assert "link" not in answer.data()


def test_the_same_question_has_the_same_short_link() -> None:
    one, two = (odds.into(unit, "5 terminators", odds.shooting("half-range")) for unit in ("10 boyz", " 10  boyz"))
    assert one.link == two.link
    assert len(one.link) < 100


# --- From outside -----------------------------------------------------------------------------------------------------


def test_a_code_that_was_changed_or_cut_says_so(capsys: Capture) -> None:
    code = odds.into("10 boyz", "5 terminators").code
    for place in range(4, len(code)):
        other = "A" if code[place] != "A" else "Q"
        with pytest.raises(UserError, match="changed or cut"):
            odds.open(code[:place] + other + code[place + 1 :])
    for cut in range(5, len(code)):
        with pytest.raises(UserError, match="changed or cut"):
            odds.open(code[:cut])


@pytest.mark.parametrize(
    "text", ["", "hello", "st1", "st1.ä", "https://example.org/#", "st1.a b", "st.abc", "../../etc"]
)
def test_what_is_no_code_is_refused_with_how_one_looks(text: str) -> None:
    with pytest.raises(UserError, match=r"a code starts with 'st1\.'"):
        odds.open(text)


def test_a_code_that_is_too_long_is_refused(capsys: Capture) -> None:
    assert "at most 8192 are read" in refusal("st1." + "A" * 10_000, capsys)


@pytest.mark.parametrize("size", [1 << 16, 1 << 22])
def test_a_code_that_unpacks_to_too_much_is_refused(size: int, capsys: Capture) -> None:
    assert "more than the 64 kB" in refusal(packed(b" " * size), capsys)


@pytest.mark.parametrize("content", [b"", b"\xff\xff\xff", b"\x03\x00more", b"\x00\x05\x00"])
def test_a_code_that_cannot_be_unpacked_is_refused(content: bytes, capsys: Capture) -> None:
    assert "This link holds no question" in refusal(sealed(content), capsys)


def test_a_format_of_another_version_says_so(capsys: Capture) -> None:
    code = odds.into("10 boyz", "5 terminators").code
    assert "made by another version: it has the format st2" in refusal(f"st2{code[3:]}", capsys)


def test_a_link_of_another_version_says_so_with_its_answer() -> None:
    answer = odds.open(forged(version="9.9.9"))
    assert any("made by Sandtable 9.9.9" in line for line in answer.assumptions.lines())
    assert answer.link == odds.into("10 boyz", "10 boyz").link


def test_a_question_of_another_version_that_is_unknown_here_says_so(capsys: Capture) -> None:
    said = refusal(forged("guess", "9.9.9"), capsys)
    assert "There is no question 'guess'; there are: " in said
    assert "It was made by Sandtable 9.9.9, and this is" in said


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"attacker": 5}, "cannot be read"),
        ({"attacker": ["10 boyz"]}, "cannot be read"),
        ({"how": {"melee": 1}}, "cannot be read"),
        ({"how": {"harm": True}}, "cannot be read"),
        ({"more": 1}, "cannot be read"),
        ({"setting": {"system": "w40k10", "pack": "w40k10", "reroll": "sixes"}}, "cannot be read"),
        ({"setting": {"system": "nothing", "pack": "w40k10"}}, "nothing"),
        ({"setting": {"pack": "/etc"}}, "the pack '/etc', which is not installed here"),
        ({"setting": {"pack": ""}}, "is not installed here"),
        ({"setting": {"pack": "w40k10", "options": {"devastating": "maybe"}}}, "Option 'devastating' can be"),
        ({"attacker": "/etc/passwd.yaml: root"}, "A link never opens files"),
        ({"attacker": "../secret.yml: root"}, "A link never opens files"),
        ({"attacker": "nobody: root"}, "There is no army list 'nobody'"),
        ({"attacker": "10 boyz\x1b[2J"}, "letters that cannot be printed"),
        ({"attacker": "b" * 20_000}, "A unit is named in 1 to 300 characters"),
        ({"how": {"distance": 1e300}}, 'at most 120"'),
        ({"how": {"modifiers": ["harm"]}}, "There is no modifier 'harm'"),
    ],
)
def test_what_a_question_cannot_hold_is_refused(changed: dict[str, Any], sentence: str, capsys: Capture) -> None:
    assert sentence in refusal(forged(**changed), capsys)


def test_a_list_in_a_link_is_for_a_pack_that_is_installed(capsys: Capture) -> None:
    army = msgspec.to_builtins(odds.find_force("10 boyz", odds.Setting()).army)
    assert odds.open(forged(attacker=army)).table() == odds.into("10 boyz", "10 boyz").table()
    assert "which is not installed here" in refusal(forged(attacker=army | {"pack": "docs"}), capsys)


def test_a_link_with_very_many_units_is_refused_before_any_work(capsys: Capture) -> None:
    setting = {"system": "w40k10", "pack": "w40k10"}
    many = {"attackers": ["boyz"] * 5000, "target": "10 boyz", "how": {}, "setting": setting}
    code = packed(json.dumps({"version": __version__, "ask": "combine", "with": many}).encode())
    assert "Units that attack: 1 to 30, not 5000" in refusal(code, capsys)


def test_another_pack_than_the_questions_own_is_refused(capsys: Capture) -> None:
    code = odds.into("10 boyz", "5 terminators").code
    assert main(["odds", "open", code, "--pack", str(PACK)]) == 2
    assert "about the pack 'w40k10', and" in capsys.readouterr().err
