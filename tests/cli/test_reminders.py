"""What is left to the players, at the terminal: listed by unit before a battle, and told again at its phase."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

import sandtable
from cli.test_battle import type_in
from sandtable.battle.events import Told
from sandtable.cli.main import main
from sandtable.cli.short_account import account_of
from sandtable.players.named import named
from sandtable.players.table import play

Capture = pytest.CaptureFixture[str]
ORKS, NECRONS = "orks-1000-dreads", "necrons-1000-silver-tide"
BATTLE = ["battle", "--system", "w40k11", "--red", ORKS, "--blue", NECRONS, "--seed", "3"]


@cache
def fought() -> Any:
    """A battle between computer players."""
    battle = sandtable.new("w40k11", armies={"red": ORKS, "blue": NECRONS}, seed=3)
    play(battle, {0: named("default", 1), 1: named("default", 2)})
    return battle


def told(**how: Any) -> list[str]:
    lines: list[str] = []
    account = account_of(fought(), lambda line: lines.append(line.plain), **how)
    for event in fought().events:
        account.tell(event)
    account.finish()
    return lines


# --- Before a battle --------------------------------------------------------------------------------------------------


def test_a_battle_begins_with_what_is_left_to_the_players_by_unit(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    type_in(monkeypatch)
    assert main([*BATTLE, "--players", "person,person"]) == 0
    lines = capsys.readouterr().out.splitlines()
    red, blue = (
        lines.index("  Not enforced here, for red to play by hand:"),
        lines.index("  Not enforced here, for blue to play by hand:"),
    )
    assert "    Gretchin: Downtrodden" in lines[red:blue]
    known = "    Overlord: Implacable Resilience (in part): attacks that reach it while its Bodyguards stand"
    assert any(line.startswith(known) for line in lines[blue:])
    assert lines[red - 1].startswith("Abilities that are not enforced in every part: red 12 of 24, blue 8 of 20")


def test_each_datasheet_has_one_line(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    type_in(monkeypatch)
    lists = ["--red", "orks-2000-green-wave", "--blue", "orks-2000-green-wave"]
    assert main(["battle", "--system", "w40k11", *lists, "--seed", "3", "--players", "person,person"]) == 0
    lines = capsys.readouterr().out.splitlines()
    begin, end = (
        lines.index("  Not enforced here, for red to play by hand:"),
        lines.index("  Not enforced here, for blue to play by hand:"),
    )
    listed = [line.partition(":")[0] for line in lines[begin + 1 : end]]
    assert len(listed) == len(set(listed)) > 3


# --- At its phase -----------------------------------------------------------------------------------------------------


def test_a_person_is_reminded_under_the_heading_of_the_phase(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    type_in(monkeypatch, *[""] * 30)
    assert main([*BATTLE, "--players", "person,default"]) == 0
    lines = capsys.readouterr().out.splitlines()
    turn = next(i for i, line in enumerate(lines) if line.startswith("Round 1, turn of "))
    reminder = next(
        i
        for i, line in enumerate(lines)
        if "Not enforced here, for red to play by hand in this phase: War Horde - Breakin' Heads (Stratagem)." in line
    )
    assert reminder > turn
    assert "Command" in lines[reminder]


def test_each_phase_reminds_once() -> None:
    shown = [line for line in told(people=[0]) if line.endswith("War Horde - Breakin' Heads (Stratagem).")]
    turns = sum(isinstance(e, Told) and e.kind == "phase" and e.data["phase"] == "command" for e in fought().events)
    assert len(shown) == turns > 5


def test_what_has_no_known_moment_is_told_once_in_a_battle() -> None:
    assert sum("whenever it applies: Gretchin - Downtrodden" in line for line in told(people=[0])) == 1


def test_the_account_of_computer_players_leaves_it_out_unless_all_is_wanted() -> None:
    assert not any("Not enforced here, " in line for line in told())
    assert any(
        line.strip().startswith("Not enforced here, for red to play by hand in this phase: ")
        for line in told(verbose=True)
    )


def test_in_the_full_account_reminders_follow_the_beginning_of_the_phase() -> None:
    lines = told(verbose=True)
    first = next(i for i, line in enumerate(lines) if line.strip().startswith("Not enforced here, "))
    before = [line.strip() for line in lines[first - 2 : first]]
    assert any(line.endswith(" phase.  [w40k11.round.turn]") for line in before)
