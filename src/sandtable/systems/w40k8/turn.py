"""The turn: its phases as far as they are there, and what is over when it ends."""

from __future__ import annotations

from typing import Final

from sandtable.battle import DONE, Moment, Step
from sandtable.forty.effects.lasting import end_lasting
from sandtable.forty.moments import PHASE_BEGAN, PHASE_ENDED, TURN_BEGAN, TURN_ENDED
from sandtable.kit.rounds import forget, tell_phase, unmark
from sandtable.rules import rule
from sandtable.systems.w40k8.state import MOVED, Battle8

MOVEMENT: Final = "movement"
PSYCHIC: Final = "psychic"
SHOOTING: Final = "shooting"
CHARGE: Final = "charge"
FIGHT: Final = "fight"
MORALE: Final = "morale"
PHASE_OF_STEP: Final = {
    "move_units": MOVEMENT,
    "reinforcements": MOVEMENT,
    "manifest_powers": PSYCHIC,
    "shoot_units": SHOOTING,
    "charge_units": CHARGE,
    "heroic_interventions": CHARGE,
    "fight_units": FIGHT,
    "test_units": MORALE,
}
"""The phase that a step belongs to, for scenarios that begin in the middle of one."""


FRESH: Final = (
    "moved", "advance", "arrived", "shot", "declared", "charged", "fought", "intervened", "targets", "disembarked",
    "slain", "tested", "tried", "denied",
)  # fmt: skip
"""What a unit did in a turn, forgotten when it ends."""


@rule("w40k8.round.phases")
async def begin_phase(b: Battle8, phase: str) -> None:
    """A phase begins, when the one before it has ended."""
    await end_phase(b)
    tell_phase(b, phase, "w40k8.round.phases")
    end_lasting(b, f"{phase} of {b.state.active}")
    await b.window(PHASE_BEGAN, Moment(data={"phase": phase}))


async def end_phase(b: Battle8) -> None:
    """A phase ends."""
    if b.state.game.phase:
        await b.window(PHASE_ENDED, Moment(data={"phase": b.state.game.phase}))
        end_lasting(b, "phase")


async def begin_turn(b: Battle8) -> Step:
    """A turn begins."""
    end_lasting(b, f"next turn of {b.state.active}")
    await b.window(TURN_BEGAN)
    return DONE


async def shooting_phase(b: Battle8) -> Step:
    """The Shooting phase begins."""
    await begin_phase(b, SHOOTING)
    return DONE


async def end_turn(b: Battle8) -> Step:
    """A turn ends: what was written down about it is forgotten."""
    await end_phase(b)
    await b.window(TURN_ENDED)
    forget(b, FRESH)
    unmark(b, MOVED)
    end_lasting(b, "turn")
    b.set_game(phase="", turns=b.state.game.turns + 1)
    return DONE
