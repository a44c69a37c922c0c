"""The command `sandtable replay`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import sandtable
from sandtable.battle import journal
from sandtable.cli.main import main
from sandtable.players import RandomPlayer, play
from support import playable
from support.journals import BAD_JOURNALS, tampered

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def skirmish(monkeypatch: pytest.MonkeyPatch) -> None:
    playable.register(monkeypatch)


@pytest.fixture
def fought() -> Any:
    battle = sandtable.new("skirmish", seed=3)
    play(battle, {0: RandomPlayer(1), 1: RandomPlayer(2)})
    return battle


@pytest.fixture
def saved(fought: Any, tmp_path: Path) -> Path:
    fought.save(tmp_path / "g.battle")
    return tmp_path / "g.battle"


def test_it_tells_the_battle_again(saved: Path, fought: Any, capsys: Capture) -> None:
    assert main(["replay", str(saved), "--verbose"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "Round 1, turn of Red" in lines
    assert sum(" rolls hit: " in line for line in lines) > 3
    assert any(fought.result.reason in line for line in lines)
    assert lines[-1].startswith(f"{saved} plays the same to its end: ")


def test_it_tells_what_the_battle_told(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "g.battle"
    main(["battle", "--seed", "6", "--players", "random,random", "--save", str(file)])
    first = capsys.readouterr().out.splitlines()[2:-1]  # without what the battle is, and who plays
    main(["replay", str(file)])
    assert capsys.readouterr().out.splitlines()[:-1] == first


def test_verify_only_says_whether_it_plays_the_same(saved: Path, capsys: Capture) -> None:
    assert main(["replay", str(saved), "--verify"]) == 0
    assert capsys.readouterr().out.count("\n") == 1


def test_it_stops_after_so_many_answers(saved: Path, capsys: Capture) -> None:
    assert main(["replay", str(saved), "--until", "3"]) == 0
    assert "plays the same after 3 answers" in capsys.readouterr().out


def test_answers_that_were_taken_back_are_told(tmp_path: Path, capsys: Capture) -> None:
    battle = sandtable.new("skirmish", seed=3)
    for answer in (0, 0, 1):
        battle.answer(battle.decisions[0], answer)
    battle.undo()
    battle.answer(battle.decisions[0], 0)
    battle.save(tmp_path / "g.battle")
    assert main(["replay", "-v", str(tmp_path / "g.battle")]) == 0
    said = capsys.readouterr().out
    assert said.index("Move with: red 1") < said.index("1 answer is taken back.") < said.index("Move with: red 0")


def test_another_version_is_named(fought: Any, tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "old.battle"
    file.write_bytes(tampered(fought, lambda raw: raw.update(version="0.0.1")))
    assert main(["replay", str(file), "--verify"]) == 0
    assert capsys.readouterr().out.endswith("It was written by Sandtable 0.0.1.\n")


@pytest.mark.parametrize(("change", "_sentence"), BAD_JOURNALS)
@pytest.mark.parametrize("verify", [["--verify"], []])
def test_a_journal_that_was_tampered_with_ends_in_one_sentence(
    change: Callable[[dict[str, Any]], None],
    _sentence: str,
    verify: list[str],
    fought: Any,
    tmp_path: Path,
    capsys: Capture,
) -> None:
    file = tmp_path / "bad.battle"
    file.write_bytes(tampered(fought, change))
    assert main(["replay", str(file), *verify]) == 2
    said = capsys.readouterr()
    assert said.err.startswith("Error: ")
    assert said.err.count("\n") == 1


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "is not a battle file"),
        (b"{}", "is not a battle file"),
        (b"\xff\xfe", "is not a battle file"),
        (b"[" * 100_000, "is not a battle file"),
    ],
)
def test_what_is_no_journal_is_refused(content: bytes, sentence: str, tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "x.battle"
    file.write_bytes(content)
    assert main(["replay", str(file)]) == 2
    assert sentence in capsys.readouterr().err


def test_a_truncated_file_is_refused(fought: Any, tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "cut.battle"
    file.write_bytes(journal.write(fought)[:-20])
    assert main(["replay", str(file)]) == 2
    assert capsys.readouterr().err.count("\n") == 1
