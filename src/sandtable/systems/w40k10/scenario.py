"""Scenario files: what 10th edition brings to them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sandtable.battle import Assign, Assignment
from sandtable.errors import UserError
from sandtable.forty.scenario import Files
from sandtable.systems.w40k10 import formations
from sandtable.systems.w40k10.allocate_and_save import INVULNERABLE
from sandtable.systems.w40k10.cover import COVER
from sandtable.systems.w40k10.enlist import LISTS, MISSIONS
from sandtable.systems.w40k10.hit_and_wound import HIT_MODIFIER, STEALTH, WOUND_MODIFIER
from sandtable.systems.w40k10.setup import FRAME
from sandtable.systems.w40k10.state import Battle10, Unit

EFFECTS: Final = {COVER: (1, 1), STEALTH: (1, 1), INVULNERABLE: (2, 6), HIT_MODIFIER: (-1, 1), WOUND_MODIFIER: (-1, 1)}
"""Kinds of effects that may lie on a unit when a file begins, each with its least and its largest value."""
PHASE_OF_STEP: Final = {
    "command_phase": "command",
    "battle_shock": "command",
    "movement_phase": "movement",
    "move_units": "movement",
    "reinforcements": "movement",
    "shooting_phase": "shooting",
    "shoot_units": "shooting",
    "charge_phase": "charge",
    "charge_units": "charge",
    "fight_phase": "fight",
    "fights_first": "fight",
    "remaining_combats": "fight",
    "remove_stragglers": "fight",
}
"""The phase that a step belongs to, for scenarios that begin in the middle of one."""


def join(battle: Battle10, leaders: Sequence[tuple[Unit, Unit]]) -> None:
    """Leaders join units of army lists, and keep their own places on the roster."""
    joined: list[Assignment] = []
    for leader, unit in leaders:
        open_to = formations.leads(battle, leader)
        if unit.id not in open_to:
            known = ", ".join(battle.unit(i).name for i in open_to) or "nobody"
            raise UserError(f"units ({leader.name}): leads: of its army it can lead {known}, not {unit.name}.")
        joined.append(Assignment(str(leader.id), unit.id, 1))
    asked = Assign(player=0, kind="attach", prompt="", rows=(), targets=())
    verdict = formations.judge_leaders(battle, asked, tuple(joined))
    if not verdict:
        raise UserError(f"units: leads: {verdict.reasons[0].text}")
    for leader, unit in leaders:
        formations.attach(battle, leader, unit)


FILES: Final = Files(FRAME, PHASE_OF_STEP, EFFECTS, LISTS, MISSIONS, join)
