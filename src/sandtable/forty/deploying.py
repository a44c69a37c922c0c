"""Setting armies up: one unit after the other, each where there is room for it."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, Final

from sandtable.battle import AGAIN, ALLOWED, DONE, Place, Step, Verdict, refuse
from sandtable.forty.state import Battle40, World40
from sandtable.kit.alternating import Selection, player_after
from sandtable.kit.room import Spots

NOBODY: Final = -1


async def deploy_next(
    b: Battle40, turn: Selection | None, deploy: Callable[[Any, Any], Coroutine[Any, Any, None]], rule: str
) -> Step:
    """The player whose turn it is picks a unit and sets it up; then comes the next player, until nobody is left."""
    if turn is None:
        b.set_game(chooser=NOBODY)
        return DONE
    unit = await b.choose_unit(turn.player, "deploy_with", "Which unit is set up next?", turn.units, rules=(rule,))
    await deploy(b, unit)
    b.set_game(chooser=player_after(b, turn.player))
    return AGAIN


def without_room(w: World40, d: Place, found: Spots | None, rule: str) -> Verdict:
    """Only a unit for which no room was found is left out."""
    if found is None:
        return ALLOWED
    return refuse(f"There is room for {w.unit(d.unit).name}.", rule, instead=found)
