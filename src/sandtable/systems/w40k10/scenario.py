"""Scenario files: what 10th edition brings to them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sandtable.forty.formations import join_listed
from sandtable.forty.scenario import Files, ModelMark
from sandtable.systems.w40k10 import formations
from sandtable.systems.w40k10.abilities import leader
from sandtable.systems.w40k10.abilities.deep_strike import DEEP_STRIKE
from sandtable.systems.w40k10.abilities.stealth import STEALTH
from sandtable.systems.w40k10.allocate_and_save import INVULNERABLE
from sandtable.systems.w40k10.enlist import FRAME, LISTS, MISSIONS
from sandtable.systems.w40k10.hit_and_wound import HIT_MODIFIER, WOUND_MODIFIER
from sandtable.systems.w40k10.reserves import STRATEGIC
from sandtable.systems.w40k10.state import ALLOCATED, Battle10, Unit
from sandtable.systems.w40k10.terrain.benefit_of_cover import COVER
from sandtable.systems.w40k10.transports import AFTER, BEFORE, DESTROYED, RAMP

EFFECTS: Final = {COVER: (1, 1), STEALTH: (1, 1), INVULNERABLE: (2, 6), HIT_MODIFIER: (-1, 1), WOUND_MODIFIER: (-1, 1)}
"""Kinds of effects that may lie on a unit when a file begins, each with its least and its largest value."""
PHASE_OF_STEP: Final = {
    "command_phase": "command",
    "command_begins": "command",
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
    """Leaders join units of army lists."""
    join_listed(battle, leaders, leader.leads, leader.judge_leaders, formations.attach)


WORDS: Final = {"reserve": (DEEP_STRIKE, STRATEGIC), "disembarked": (BEFORE, AFTER, RAMP, DESTROYED)}
"""What fields of units may say"""
MARKS: Final = {"allocated": ModelMark(ALLOCATED)}
"""What is remembered of single models"""
FILES: Final = Files(FRAME, PHASE_OF_STEP, EFFECTS, LISTS, MISSIONS, join, words=lambda w: WORDS, marks=MARKS)
