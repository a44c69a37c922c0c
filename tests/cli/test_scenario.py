"""The command `sandtable scenario`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

import sandtable
from sandtable.cli.main import main
from sandtable.page.story import SPECTATOR, tell
from sandtable.server import moments
from support import playable

Capture = pytest.CaptureFixture[str]
GOOD = playable.SCENARIO


@pytest.fixture(autouse=True)
def skirmish(monkeypatch: pytest.MonkeyPatch) -> None:
    playable.register(monkeypatch)


def write(folder: Path, text: str, name: str = "s.yaml") -> str:
    (folder / name).write_text(text)
    return str(folder / name)


def changed(old: str, new: str) -> str:
    assert GOOD.count(old) == 1
    return GOOD.replace(old, new)


# check


def test_a_scenario_that_comes_true_passes(tmp_path: Path, capsys: Capture) -> None:
    file = write(tmp_path, GOOD)
    assert main(["scenario", "check", file]) == 0
    assert capsys.readouterr().out == f"pass  {file}: Two units shoot at each other\n"


def test_explain_prints_the_account(tmp_path: Path, capsys: Capture) -> None:
    assert main(["scenario", "check", write(tmp_path, GOOD), "--explain"]) == 0
    said = capsys.readouterr().out
    assert "red answers 'Shoot with': Guards" in said
    assert "rolls hit: 6 2" in said


@pytest.mark.parametrize(
    ("old", "new", "failure"),
    [
        ("wounds: [1, 2]", "wounds: [2, 2]", "expect.units.Raiders: wounds left are [1, 2], not [2, 2]."),
        ("rolls: [hit]", "rolls: [save]", "expect.rolls: rolled were ['hit'], not ['save']."),
        ("allowed: false", "allowed: true", "expect.why (shoot, Guards)"),
        ("answer: Guards}", "answer: Raiders}", "answers[0] (red: shoot-with): refused"),
        ("answer: 2}", "answer: [2]}", "answers[1] (blue: allocate)"),
        ("to: allocate", "to: dance", "answers[1] (blue: dance): that is not asked now; open is blue: allocate."),
        ("dice: {hit: [6, 2]}", "dice: [6]", "The script has no dice left for the roll 'hit'"),
        ("dice: {hit: [6, 2]}", "dice: [6, 2, 1]", "expect.dice_left"),
    ],
)
def test_an_expectation_that_fails_ends_with_status_1(
    old: str, new: str, failure: str, tmp_path: Path, capsys: Capture
) -> None:
    file = write(tmp_path, changed(old, new))
    assert main(["scenario", "check", file]) == 1
    said = capsys.readouterr()
    assert said.out.startswith(f"FAIL  {file}")
    assert failure in said.out
    assert said.err == ""


BROKEN = [
    ("units: [", ", line "),
    ("", "Expected `object`, got `null`"),
    ("[" * 100_000, "nested too deeply"),
    ("a: &a [1]\nb: *a", "YAML aliases (*name) are not allowed here"),
    ("\0", "not valid YAML"),
    ("when: 2023-99-99", "line 1: Object contains unknown field `when`"),
    (changed("system: skirmish", "system: chess"), "There is no rules system 'chess'"),
    (changed("system: skirmish", "system: os.path"), "There is no rules system 'os.path'"),
    (changed("step: shoot,", "step: dance,"), "Skirmish has no step 'dance'"),
    (changed("active: red}", "active: green}"), "at.active: no player 'green'; players are red, blue."),
    (changed("name: Raiders, player: blue", "name: Raiders, player: pink"), "no player 'pink'"),
    (changed("name: Raiders", "name: Guards"), "the name 'Guards' stands twice"),
    (changed("[44, 30]", "[44, -3]"), "table.size"),
    (changed("[44, 30]", "[44, .nan]"), "'.nan' is no number"),
    (changed("[[10, 10], [12, 10]]", "[[10]]"), "Expected `array` of length >= 2"),
    (changed("[[10, 10], [12, 10]]", "[[1.0e+10, 0]]"), "far off the table"),
    (changed("player: red, sheet: any", "player: red, sheet: any, flags: {wings: 2}"), "wings"),
    (changed("units: {Raiders: {wounds", "units: {Nobody: {wounds"), "There is no unit 'Nobody'"),
    (changed("player: blue, to: allocate", "player: green, to: allocate"), "No player 'green'"),
    (changed("act: shoot", "act: dance"), "Ask about one of these: shoot; not 'dance'."),
    (changed("answers:", "anwsers:"), "unknown field `anwsers`"),
]


@pytest.mark.parametrize(("text", "sentence"), BROKEN)
def test_a_broken_file_ends_with_status_2_and_one_sentence(
    text: str, sentence: str, tmp_path: Path, capsys: Capture
) -> None:
    file = write(tmp_path, text)
    for command in (["check", file], ["show", file, "--svg", str(tmp_path / "s.svg")]):
        assert main(["scenario", *command]) == 2
        said = capsys.readouterr()
        assert said.err.startswith("Error: ")
        assert file in said.err
        assert sentence in said.err
        assert said.err.count("\n") == 1
        assert said.out == ""
    assert [p.name for p in tmp_path.iterdir()] == ["s.yaml"]


def test_many_files_are_counted(tmp_path: Path, capsys: Capture) -> None:
    good = write(tmp_path, GOOD, "a.yaml")
    failing = write(tmp_path, changed("rolls: [hit]", "rolls: []"), "b.yaml")
    broken = write(tmp_path, "x", "c.yaml")
    assert main(["scenario", "check", good, failing]) == 1
    assert capsys.readouterr().out.endswith("1 passed, 1 failed, 0 broken.\n")
    assert main(["scenario", "check", broken, good, failing, str(tmp_path / "none.yaml")]) == 2
    said = capsys.readouterr()
    assert said.out.endswith("1 passed, 1 failed, 2 broken.\n")
    assert "Cannot read" in said.err


# show


def test_show_gives_bases_distances_dice_and_the_account(tmp_path: Path, capsys: Capture) -> None:
    file = write(tmp_path, GOOD)
    assert main(["scenario", "show", file, "--svg", str(tmp_path / "s.svg"), "--png", str(tmp_path / "s.png")]) == 0
    said = capsys.readouterr().out
    assert "Question: Can a unit that has shot shoot again?" in said
    assert "2 x 32 mm base; at (10, 10) (12, 10)" in said
    assert "6.75 in  Guards - Raiders" in said
    assert "rolls hit: 6 2" in said
    assert "Everything comes true that the file expects." in said
    assert max(len(line) for line in said.splitlines() if "Wrote" not in line) <= 80
    assert "Guards" in (tmp_path / "s.svg").read_text()
    assert (tmp_path / "s.png").read_bytes().startswith(b"\x89PNG")


def test_a_picture_cannot_replace_a_folder(tmp_path: Path, capsys: Capture) -> None:
    file = write(tmp_path, GOOD)
    assert main(["scenario", "show", file, "--svg", str(tmp_path)]) == 2
    assert capsys.readouterr() == ("", f"Error: {tmp_path} is a folder; name a file to write.\n")


# play


def test_a_person_plays_on_from_the_moment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    typed = ["why Raiders", "Raiders", "Guards"]

    def read(prompt: str = "") -> str:
        if not typed:
            raise EOFError
        return typed.pop(0)

    monkeypatch.setattr("builtins.input", read)
    save = tmp_path / "g.battle"
    assert main(["scenario", "play", write(tmp_path, GOOD), "--seed", "2", "--save", str(save)]) == 0
    said = capsys.readouterr().out
    assert "red: Shoot with" in said
    assert "Raiders, shoot: Allowed." in said
    assert "No: " in said
    assert "red: Shoot with: Guards" in said
    assert "red rolls hit: " in said
    assert sandtable.load(save).answers[0].answer == 0


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--as", "green"], "No player 'green'; players are red, blue."),
        (["--versus", "wizard"], "There is no player 'wizard'"),
        (["--orders", "nowhere.yaml"], "Cannot read nowhere.yaml"),
    ],
)
def test_who_plays_must_make_sense(arguments: list[str], sentence: str, tmp_path: Path, capsys: Capture) -> None:
    assert main(["scenario", "play", write(tmp_path, GOOD), *arguments]) == 2
    said = capsys.readouterr()
    assert said.err.startswith(f"Error: {sentence}")
    assert said.err.count("\n") == 1
    assert said.out == ""


# kinds


def test_the_words_of_scenario_files_are_listed(capsys: Capture) -> None:
    assert main(["scenario", "kinds", "--system", "epica"]) == 0
    said = capsys.readouterr().out
    assert said.startswith(
        "Epic: Armageddon: the words of its scenario files\n  Steps of 'turn' (at, until): strategy_roll,"
    )
    assert "  shoot-at             choose       ...: shoot at\n" in said
    assert "  react.move_completed              Overwatch\n" in said
    assert "Ways of moving (mode)\n  charge, consolidate, counter-charge, move, withdraw\n" in said
    assert "Rolls (dice, rolls); those of abilities go by the ability's name\n  action test, close combat," in said
    assert "Events (told, told_not)\n  action test, assault won," in said


def test_the_words_of_scenario_files_for_programs(capsys: Capture) -> None:
    assert main(["scenario", "kinds", "--system", "w40k10", "--json"]) == 0
    words = json.loads(capsys.readouterr().out)
    assert list(words) == ["system", "steps", "questions", "reactions", "modes", "rolls", "told", "marks"]
    assert words["system"] == "w40k10"
    assert {"kind": "charge_with", "shape": "choose", "prompt": "Which unit declares a charge next?"} in words[
        "questions"
    ]
    assert "fall_back" in words["modes"]
    assert words["reactions"]["react.unit_fought"] == ["Counter-offensive"]


def test_the_words_of_a_system_that_is_not_there(capsys: Capture) -> None:
    assert main(["scenario", "kinds", "--system", "chess"]) == 2
    assert "chess" in capsys.readouterr().err


# --- Moments of saved battles -----------------------------------------------------------------------------------------


@pytest.fixture
def fought(tmp_path: Path) -> Any:
    battle = sandtable.new("epica", seed=4)
    while battle.state.round < 1 or len(battle.answers) < 12:
        battle.answer(battle.decisions[0], battle.default(battle.decisions[0]))
    battle.save(tmp_path / "g.battle")
    return battle


def test_the_last_moment_of_a_saved_battle_asks_what_the_battle_asks(
    fought: Any, tmp_path: Path, capsys: Capture
) -> None:
    out = tmp_path / "moment.yaml"
    assert main(["scenario", "moment", str(tmp_path / "g.battle"), "-o", str(out)]) == 0
    assert " ".join(capsys.readouterr().out.split()) == f"Wrote {out}."
    assert out.read_text() == moments.write(fought.view(SPECTATOR))


def test_a_moment_is_that_of_the_step_that_the_page_shows(fought: Any, tmp_path: Path, capsys: Capture) -> None:
    saved, frames = str(tmp_path / "g.battle"), tell(fought).frames
    middle = len(frames) // 2
    assert main(["scenario", "moment", saved, "--at", str(middle)]) == 0
    found = yaml.safe_load(capsys.readouterr().out)
    while len(fought.events) > frames[middle].heard:
        after = fought.view(SPECTATOR)
        fought.undo()
    # The last one that was taken back stood at the first question from that step on.
    assert found == yaml.safe_load(moments.write(after))


def test_a_moment_that_was_taken_back_is_none(fought: Any, tmp_path: Path, capsys: Capture) -> None:
    fought.undo(3)
    while len(fought.answers) < 12:
        fought.answer(fought.decisions[0], fought.default(fought.decisions[0]))
    fought.save(tmp_path / "again.battle")
    assert main(["scenario", "moment", str(tmp_path / "again.battle")]) == 0
    assert capsys.readouterr().out == moments.write(fought.view(SPECTATOR))


def test_a_step_that_a_battle_has_not_come_to_is_refused(fought: Any, tmp_path: Path, capsys: Capture) -> None:
    saved, out, last = tmp_path / "g.battle", tmp_path / "moment.yaml", len(tell(fought).frames) - 1
    assert main(["scenario", "moment", str(saved), "--at", str(last + 1), "-o", str(out)]) == 2
    said = f"Error: {saved} has no step {last + 1}; its steps run from 0 to {last}.\n"
    assert (capsys.readouterr().err, out.exists()) == (said, False)


def test_a_battle_file_is_not_replaced_by_its_moment(fought: Any, tmp_path: Path) -> None:
    saved = tmp_path / "g.battle"
    before = saved.read_bytes()
    assert main(["scenario", "moment", str(saved), "-o", str(saved)]) == 2
    assert saved.read_bytes() == before


# diff

SCENARIOS = Path(__file__).parents[2] / "docs" / "scenarios"
ESCAPE = str(SCENARIOS / "w40k10" / "desperate-escape.yaml")
SAME = str(SCENARIOS / "w40k10" / "example-blast.yaml")


def test_diff_tells_what_differs_and_folds_what_does_not(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "140")
    assert main(["scenario", "diff", ESCAPE, "--systems", "w40k10,w40k11"]) == 0
    said = capsys.readouterr().out
    title, question, _, headline, _, heads, *_ = said.splitlines()
    assert title == "A desperate escape"
    assert question.startswith("Question: My Battle-shocked squad")
    assert headline.startswith("The same until red's answer to move: allowed under 10th edition, refused (")
    assert heads.split() == ["10th", "edition", "11th", "edition"]
    assert "  2 the same" in said
    assert "(instead)" in said
    assert "[w40k11.movephase.structure," in said
    assert "Only in 10th edition:\n      Desperate Escape test  w40k10.move.desperate_escape_test" in said


def test_diff_shows_everything_if_asked(capsys: Capture) -> None:
    assert main(["scenario", "diff", ESCAPE, "--systems", "w40k11", "--all"]) == 0
    said = capsys.readouterr().out
    assert " the same\n" not in said.partition("In the end, ")[2]
    assert "Blues in the end" in said


def test_diff_of_what_is_the_same_says_so_alone(capsys: Capture) -> None:
    assert main(["scenario", "diff", SAME, "-s", "w40k11"]) == 0
    assert capsys.readouterr().out.splitlines()[3:] == ["The same under 10th edition and 11th edition.", ""]
    assert main(["scenario", "diff", SAME, "-s", "w40k11", "--all"]) == 0
    assert "red rolls hit" in capsys.readouterr().out


def test_diff_as_json_has_a_row_with_every_system(capsys: Capture) -> None:
    assert main(["scenario", "diff", ESCAPE, "--systems", "w40k11, w40k10", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [system["id"] for system in found["systems"]] == ["w40k11", "w40k10"]
    assert not found["same"]
    (move,) = [row for row in found["rows"] if row["about"] == "red answers move"]
    assert (move["differs"], move["moved"]) == (True, False)
    assert [move["under"][name]["status"] for name in ("w40k11", "w40k10")] == ["refused", "given"]
    (reds,) = [row for row in found["rows"] if row["about"] == "Reds in the end"]
    assert [reds["under"][name]["models"] for name in ("w40k11", "w40k10")] == [5, 3]
    assert found["differences"][0]["systems"] == ["w40k11", "w40k10"]


@pytest.mark.parametrize(
    ("file", "names", "said"),
    [
        ("nowhere.yaml", "w40k11", "Error: Cannot read nowhere.yaml: No such file or directory.\n"),
        (SAME, "w40k11,chess", "Error: There is no rules system 'chess'; "),
        (SAME, ",", f"Error: To compare takes two systems; {SAME} is of w40k10 itself.\n"),
        (SAME, "w40k8", f"Error: {SAME} is of Warhammer 40,000, 10th edition; 8th edition cannot play it: "),
    ],
)
def test_diff_refuses_in_a_sentence(file: str, names: str, said: str, capsys: Capture) -> None:
    assert main(["scenario", "diff", file, "--systems", names]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith(said)
    assert printed.err.count("\n") == 1


@pytest.mark.parametrize(("text", "said"), BROKEN[:2])
def test_diff_refuses_a_broken_file(text: str, said: str, tmp_path: Path, capsys: Capture) -> None:
    assert main(["scenario", "diff", write(tmp_path, text), "--systems", "w40k11"]) == 2
    assert said in capsys.readouterr().err
