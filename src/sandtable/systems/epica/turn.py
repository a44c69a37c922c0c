"""The turn: strategy phase, action phase, end phase."""

from __future__ import annotations

from typing import Final

from sandtable.battle.system import StepFlow
from sandtable.systems.epica.actions import take_action
from sandtable.systems.epica.end_phase import begin_end_phase, is_last_turn, make_ready, rally, result
from sandtable.systems.epica.state import EpicBattle
from sandtable.systems.epica.strategy import strategy_roll

SEGMENTS: Final[dict[str, tuple[StepFlow, ...]]] = {
    "turn": (strategy_roll, take_action, begin_end_phase, rally, make_ready),
}


def next_segment(b: EpicBattle) -> str | None:
    """Another turn, unless that was the last one."""
    if is_last_turn(b):
        b.finish(result(b))
        return None
    b.set_clock(round=b.state.round + 1)
    return "turn"
