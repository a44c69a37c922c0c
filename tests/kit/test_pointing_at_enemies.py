"""Charges and Pile-ins that somebody drags: where models may end, and the legal move nearest to what was meant."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.api import open_moment
from sandtable.battle import questions
from sandtable.battle.decisions import Spot
from sandtable.battle.scenario import read_scenario
from sandtable.battle.system import Goal
from sandtable.table.grid import STEP

MOMENT = """\
scenario: A brawl
system: w40k10
question: Who goes where?
table: {size: [44, 30]}
sheets:
  Trooper:
    move: 6
    toughness: 4
    save: 3
    wounds: 2
    leadership: 6
    oc: 2
    base: 25.4mm
    height: 1.5
    keywords: [INFANTRY]
    weapons: [{name: knife, attacks: "1", skill: 3, strength: 4, ap: 0, damage: "1"}]
units:
  - {name: Reds, player: red, sheet: Trooper, positions: [[10, 10], [10, 11.5], [10, 13]], flags: {charged: FLAG}}
  - {name: Blues, player: blue, sheet: Trooper, positions: [[PLACE, 10], [PLACE, 11.5], [PLACE, 13]]}
at: {step: STEP, active: red}
dice: {charge: [5, 5]}
"""
MOMENTS = {
    "charge_move": {"PLACE": "16", "STEP": "charge_phase", "FLAG": "false"},
    "pile_in": {"PLACE": "11.8", "STEP": "fight_phase", "FLAG": "true"},
}


def asked(kind: str) -> tuple[Any, Any]:
    """A battle in which a unit seeks the enemy, taken on until it is asked how."""
    text = MOMENT
    for name, value in MOMENTS[kind].items():
        text = text.replace(name, value)
    battle = open_moment(read_scenario(text, "a brawl"), "a brawl")
    for _ in range(20):
        decision = battle.decisions[0]
        if decision.kind == kind:
            return battle, decision
        ideas = (idea.answer for idea in battle.ideas(decision))
        battle.answer(decision, next((answer for answer in ideas if answer), battle.default(decision)))
    raise AssertionError(f"{kind} was never asked")


@pytest.mark.parametrize("kind", ["charge_move", "pile_in"])
def test_a_move_that_seeks_the_enemy_has_an_area_and_is_found_where_somebody_points(kind: str) -> None:
    battle, decision = asked(kind)
    view = battle.view(decision.player)
    mode = next(m for m in decision.modes if m.allowance > 0)
    areas = questions.reach(view, decision, mode.name)
    assert areas[0].chance == 1
    assert areas[0].outlines
    usual = battle.default(decision)
    ends = tuple(Spot(p.model, p.legs[-1].x, p.legs[-1].y, p.legs[-1].z, p.legs[-1].facing) for p in usual.paths)
    assert ends
    x, y = (sum(getattr(spot, axis) for spot in ends) // len(ends) for axis in ("x", "y"))
    found = questions.towards(view, decision, Goal(x, y, "keep", mode.name, ends))
    assert questions.check(view, decision, found)
    there = {p.model: (p.legs[-1].x, p.legs[-1].y) for p in found.paths}
    assert all(abs(there[s.model][0] - s.x) < STEP and abs(there[s.model][1] - s.y) < STEP for s in ends)


def test_nobody_goes_anywhere_who_gives_the_charge_up() -> None:
    battle, decision = asked("charge_move")
    for mode in decision.modes:
        areas = questions.reach(battle.view(decision.player), decision, mode.name)
        assert bool(areas) == (mode.allowance > 0)
