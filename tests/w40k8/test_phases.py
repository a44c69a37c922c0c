"""The six phases of a turn of 8th edition."""

from __future__ import annotations

from itertools import groupby

import pytest

from sandtable.battle.events import Told
from sandtable.systems.w40k8.state import Battle8
from support.acting import kinds
from w40k8.table import Doc, bare, blade, column, gun, sheet, situation, unit

rule = pytest.mark.rule
PHASES = ["movement", "psychic", "shooting", "charge", "fight", "morale"]
SOLDIER: Doc = sheet(gun(), blade(), name="Soldier", keywords=["PSYKER"], psyker={"casts": 1, "denies": 0})


def phases(b: Battle8) -> list[str]:
    """The phases that began."""
    return [str(e.data["phase"]) for e in b.events if isinstance(e, Told) and e.kind == "phase"]


def clash(turns: int = 1) -> Battle8:
    """Two units a side that have lost models, one of them with an enemy at hand; every throw comes to nothing."""
    units = [
        unit("Reds", "red", SOLDIER, column(2, 10), slain=2),
        unit("Fighters", "red", SOLDIER, column(2, 10, 20), slain=2),
        unit("Blues", "blue", SOLDIER, column(2, 18), slain=2),
        unit("Others", "blue", SOLDIER, column(2, 11, 20), slain=2),
    ]
    faces = {"psychic test": [1, 2] * 9, "hit": [1] * 99, "charge": [1, 1] * 9, "morale": [1] * 9}
    return situation(units, step="movement_phase", turns=turns, dice=faces)


def played(b: Battle8) -> list[tuple[str, str, int]]:
    """In which phase what was asked of whom, in a battle in which everybody does the first thing that is offered."""
    found = []
    while b.decisions:
        d = b.decisions[0]
        found.append((b.state.game.phase, d.kind, d.player))
        b.answer(d, b.default(d))
    return found


@rule("w40k8.round.phases", check=1)
def test_the_phases_follow_each_other() -> None:
    b = clash(turns=2)
    played(b)
    assert phases(b) == PHASES + PHASES


@rule("w40k8.round.phases", check=2)
def test_no_phase_comes_early_or_again() -> None:
    asked = played(clash())
    assert [phase for phase, _ in groupby(phase for phase, _, _ in asked)] == PHASES


@rule("w40k8.round.phases", check=3)
def test_both_players_act_in_the_last_two_phases_alone() -> None:
    choosing = ("move_with", "manifest", "shoot_with", "charge_with", "strike", "test_morale")
    who: dict[str, set[int]] = {}
    for phase, kind, player in played(clash()):
        who.setdefault(phase, set()).update({player} if kind in choosing else ())
    assert who == {"movement": {0}, "psychic": {0}, "shooting": {0}, "charge": {0}, "fight": {0, 1}, "morale": {0, 1}}


@rule("w40k8.round.phases", check=4)
def test_phases_with_nothing_to_do_are_passed_through() -> None:
    b = situation(
        [unit("Blues", "blue", bare(), [(10, 10)]), unit("More", "blue", bare(), [(20, 10)])], step="movement_phase"
    )
    assert (phases(b), kinds(b)) == (PHASES, [])
