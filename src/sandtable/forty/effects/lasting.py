"""Effects that last for a while: writing them down, and when they end."""

from __future__ import annotations

from sandtable.armies.effects import AnyEffect
from sandtable.forty.effects.at_work import set_off
from sandtable.forty.effects.limits import forget_uses
from sandtable.forty.effects.occasions import Cause
from sandtable.forty.effects.words import Words
from sandtable.forty.state import Battle40, World40


def write_down(b: Battle40, cause: Cause, number: int, effect: AnyEffect, unit: int) -> None:
    """Write down an effect that lasts, on a unit, or with -1 on a whole army."""
    until = ends(b, cause.player, effect.until or cause.until)
    b.add_effect(set_off(cause.number, number, unit, until, b.system.seam(Words).source))


def ends(w: World40, player: int, until: str) -> str:
    """When an effect ends, as the state keeps it."""
    if until == "command":
        return f"command of {player}"
    if until in ("next_psychic", "next_shooting"):
        return f"{until.removeprefix('next_')} of {player}"
    if until == "next_turn":
        return f"next turn of {player}"
    if until == "opponent_turn":
        following = [p for p in (*w.state.players[player:], *w.state.players[:player]) if p.side != w.side(player)]
        return f"turn of {following[0].side}"
    return until


def attacks_of(unit: int) -> str:
    """The end of effects that last until a unit has finished its attacks."""
    return f"attacks of {unit}"


def end_lasting(b: Battle40, time: str) -> None:
    """A time is over: what lasted for it ends, and what could be used once in it can be used again."""
    b.end_effects(lambda e: e.until == time)
    forget_uses(b, time)
