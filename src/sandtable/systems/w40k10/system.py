"""The system: its steps, its questions and its reactions, as the machine sees them."""

from __future__ import annotations

from typing import Final

from sandtable.battle import Question, Reaction, System, Verdict
from sandtable.battle.system import StepFlow
from sandtable.systems.w40k10 import charge, fight, movement, stratagems_combat, turn
from sandtable.systems.w40k10.command import battle_shock, command_phase
from sandtable.systems.w40k10.sample import sample
from sandtable.systems.w40k10.setup import SYSTEM_ID, from_scenario
from sandtable.systems.w40k10.state import Battle10, Data, Game, Player, Unit, World10

from sandtable.battle import Step  # isort: skip


async def shoot_units(b: Battle10) -> Step:
    from sandtable.systems.w40k10 import shooting

    return await shooting.shoot_units(b)


TURN: Final[tuple[StepFlow, ...]] = (
    command_phase,
    battle_shock,
    turn.end_phase,
    movement.movement_phase,
    movement.move_units,
    turn.end_phase,
    turn.shooting_phase,
    shoot_units,
    turn.end_phase,
    charge.charge_phase,
    charge.charge_units,
    turn.end_phase,
    fight.fight_phase,
    fight.fights_first,
    fight.remaining_combats,
    turn.end_phase,
    turn.remove_stragglers,
    turn.end_turn,
)
