"""Scenario files: what 11th edition brings to them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sandtable.forty.formations import join_listed
from sandtable.forty.scenario import Files
from sandtable.systems.w40k11.attached_units import form, judge_posts
from sandtable.systems.w40k11.attack_sequence import HIT_MODIFIER, WOUND_MODIFIER
from sandtable.systems.w40k11.cover import COVER
from sandtable.systems.w40k11.muster import FRAME, LISTS, MISSIONS
from sandtable.systems.w40k11.shooting_types import RULES
from sandtable.systems.w40k11.state import STRATEGIC, Battle11, Unit, World11
from sandtable.systems.w40k11.transports import COMBAT, EMERGENCY, RAMP, RAPID, TACTICAL, check_hold

EFFECTS: Final = {COVER: (1, 1), HIT_MODIFIER: (-1, 1), WOUND_MODIFIER: (-1, 1)}
"""Kinds of effects that may lie on a unit when a file begins, each with its least and its largest value."""
PHASE_OF_STEP: Final = {
    "start_of_turn": "start of turn",
    "command_phase": "command",
    "gain_core_points": "command",
    "battle_shock": "command",
    "command_abilities": "command",
    "movement_phase": "movement",
    "move_units": "movement",
    "shooting_phase": "shooting",
    "shoot_units": "shooting",
    "charge_phase": "charge",
    "charge_units": "charge",
    "fight_phase": "fight",
    "pile_in_units": "fight",
    "begin_fights": "fight",
    "fight_units": "fight",
    "consolidate_units": "fight",
    "end_of_turn": "end of turn",
    "regain_coherency": "end of turn",
}
"""The phase that a step belongs to, for scenarios that begin in the middle of one."""


def join(b: Battle11, leaders: Sequence[tuple[Unit, Unit]]) -> None:
    """Leaders and Support units join units of army lists."""
    join_listed(b, leaders, lambda w, unit: w.setup.data.roster[unit.id].leads, judge_posts, form)


def words(w: World11) -> dict[str, tuple[str, ...]]:
    """What fields of units may say."""
    data = w.setup.data
    missions = [m for m in (data.mission, *(plan.mission for plan in data.wishes)) if m is not None]
    actions = tuple(action.name for mission in missions for action in mission.actions)
    return {
        "reserve": (STRATEGIC,),
        "disembarked": (RAPID, RAMP, TACTICAL, COMBAT, EMERGENCY),
        "shooting": tuple(RULES),
        "action": actions,
        "acted": actions,
    }


FILES: Final = Files(FRAME, PHASE_OF_STEP, EFFECTS, LISTS, MISSIONS, join, check_hold, words=words)
