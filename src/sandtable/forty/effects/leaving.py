"""Leaving the battlefield by an ability: into Reserves, or to be set up elsewhere at once."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Final

from sandtable.armies.effects import Allow
from sandtable.battle import OFF, TABLE
from sandtable.forty.effects.occasions import Cause
from sandtable.forty.effects.words import Deed, Words
from sandtable.forty.passengers import living, passengers
from sandtable.forty.state import ADVANCE, FALL_BACK, Battle40, Unit, World40
from sandtable.kit.grammar import does
from sandtable.kit.room import Spots


@dataclass(frozen=True)
class Leaving:
    """What an edition says about units that leave the battlefield."""

    reserve: str
    """The kind of Reserves that they go into,"""
    at_once: str
    """and the one by which they are set up again at once."""
    called: str
    """What the first is called"""
    find: Callable[[Any, Any], Spots | None]
    """(world, unit): a place where it could arrive, if there is one"""
    arrive: Callable[..., Coroutine[Any, Any, None]]
    """(battle, unit, optional=...): set it up"""
    left: Callable[[Any, Any], None] = lambda b, unit: None
    """(battle, unit): what else is true of who has left for Reserves"""
    lasts: Callable[[str], bool] = lambda moved: moved in (ADVANCE, FALL_BACK)
    """(move): does it still count as made, once the unit is set up again?"""


def may_leave(w: World40, effect: Allow, unit: Unit) -> bool:
    """Whether a unit can leave the battlefield: it stands there, with nobody aboard."""
    return w.is_on_table(unit) and not passengers(w, unit)


async def into_reserves(b: Battle40, cause: Cause, effect: Allow, unit: Unit) -> None:
    """A unit leaves the battlefield for Reserves."""
    leaving, source = b.system.seam(Leaving), b.system.seam(Words).source
    b.place_models(living(b, unit), OFF)
    b.set_unit(unit, reserve=leaving.reserve)
    leaving.left(b, unit)
    b.tell("into_reserves", f"{cause.name}: {does(unit, 'goes')} into {leaving.called}.", source, units=[unit.id])


async def redeploy(b: Battle40, cause: Cause, effect: Allow, unit: Unit) -> None:
    """A unit leaves the battlefield and is set up again at once, if there is room for it elsewhere."""
    leaving, source, moved = b.system.seam(Leaving), b.system.seam(Words).source, unit.moved
    b.place_models(living(b, unit), OFF)
    b.set_unit(unit, reserve=leaving.at_once)
    if leaving.find(b, unit) is None:
        b.place_models(living(b, unit), TABLE)
        b.set_unit(unit, reserve="")
        b.tell("no_room", f"{cause.name}: there is no room for {unit.name} elsewhere.", source, units=[unit.id])
        return
    b.tell("redeploys", f"{cause.name}: {does(unit, 'is')} set up elsewhere.", source, units=[unit.id])
    await leaving.arrive(b, unit, optional=False)
    # What being set up counts as undoes no move that was made before.
    if leaving.lasts(moved):
        b.set_unit(unit, moved=moved)


INTO_RESERVES: Final = Deed(into_reserves, may_leave)
REDEPLOY: Final = Deed(redeploy, may_leave)
