"""What is over when phases and turns of an edition end."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.battle import Moment
from sandtable.forty.effects.lasting import end_lasting
from sandtable.forty.effects.limits import forget_uses
from sandtable.forty.moments import PHASE_BEGAN, PHASE_ENDED
from sandtable.forty.state import Battle40
from sandtable.kit.rounds import forget, tell_phase


async def begin_phase(b: Battle40, phase: str, rule: str) -> None:
    """Tell that a phase begins, and let happen what waits for it."""
    tell_phase(b, phase, rule)
    await phase_began(b, phase)


async def phase_began(b: Battle40, phase: str) -> None:
    """What waits for the beginning of a phase happens."""
    await b.window(PHASE_BEGAN, Moment(data={"phase": phase}))


async def end_phase(b: Battle40) -> None:
    """What waits for the end of a phase happens; then what lasted for it is over."""
    await b.window(PHASE_ENDED, Moment(data={"phase": b.state.game.phase}))
    phase_is_over(b)


def phase_is_over(b: Battle40) -> None:
    """What lasted for a phase, or for attacks in it, ends; Stratagems and abilities of a phase can be used again."""
    b.end_effects(lambda e: e.until == "phase" or e.until.startswith("attacks of"))
    for p in b.state.players:
        if p.used:
            b.set_player(p, used=())
    forget_uses(b, "phase")


def turn_begins(b: Battle40) -> None:
    """What lasted until the next turn of the player who has it now ends."""
    end_lasting(b, f"next turn of {b.state.active}")


def turn_is_over(b: Battle40, done: Sequence[str]) -> None:
    """What lasted for a turn ends, and what units have `done` in it is forgotten."""
    b.end_effects(lambda e: e.until in (f"turn of {b.side(b.state.active)}", "turn"))
    for p in b.state.players:
        if p.used_this_turn:
            b.set_player(p, used_this_turn=())
    forget_uses(b, "turn")
    forget(b, done)


def forget_extra_points(b: Battle40) -> None:
    """Every player may gain Command points by other rules again."""
    for p in b.state.players:
        b.set_player(p, extra_cp=0)
