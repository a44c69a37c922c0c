"""The active player (01.03): who it is, and how that changes while a unit moves, shoots or fights."""

from __future__ import annotations

from collections.abc import Coroutine, Sequence
from typing import Any

from sandtable.rules import rule
from sandtable.systems.w40k11.state import Battle11, Unit, World11


@rule("w40k11.concept.active_player", neutral=1)
def player_of_the_turn(w: World11) -> int:
    """During a turn, the player whose turn it is; between turns, the player with the first turn of the round."""
    return w.state.active if w.state.game.phase else w.state.game.first


@rule("w40k11.concept.active_player_switch", neutral=-1)
def active_player(w: World11) -> int:
    """The active player: whose unit moves, shoots or fights, else the player of the turn."""
    acting: Sequence[int] = w.state.game.active
    return acting[-1] if acting else player_of_the_turn(w)


async def act(b: Battle11, unit: Unit, flow: Coroutine[Any, Any, Any]) -> None:
    """A unit moves, shoots or fights, and its player is the active one for so long."""
    before = b.state.game.active
    if active_player(b) != unit.player:
        b.set_game(active=(*before, unit.player))
    await b.act(unit, flow)
    if b.state.game.active != before:
        b.set_game(active=before)


@rule("w40k11.gap.sequencing", neutral=1)
def takes_order(b: Battle11) -> int:
    """Who orders rules that fall due at one time: the player whose turn it is, or who has the first of the round."""
    return player_of_the_turn(b)
