"""Leaving the battlefield by an ability: into Strategic Reserves, or to be set up elsewhere at once."""

from __future__ import annotations

from sandtable.armies.effects import Allow
from sandtable.battle import OFF, TABLE
from sandtable.forty.effects.occasions import Cause
from sandtable.forty.effects.words import Words
from sandtable.forty.passengers import living, passengers
from sandtable.kit.grammar import does
from sandtable.systems.w40k10.reserves import DEEP_STRIKE, STRATEGIC, arrive, find_arrival
from sandtable.systems.w40k10.state import ADVANCE, FALL_BACK, Battle10, Unit, World10


def may_leave(w: World10, effect: Allow, unit: Unit) -> bool:
    """Whether a unit can leave the battlefield: it stands there, with nobody aboard."""
    return w.is_on_table(unit) and not passengers(w, unit)


async def into_reserves(b: Battle10, cause: Cause, effect: Allow, unit: Unit) -> None:
    """A unit leaves the battlefield for Strategic Reserves."""
    b.place_models(living(b, unit), OFF)
    b.set_unit(unit, reserve=STRATEGIC)
    source = b.system.seam(Words).source
    b.tell("into_reserves", f"{cause.name}: {does(unit, 'goes')} into Strategic Reserves.", source, units=[unit.id])


async def redeploy(b: Battle10, cause: Cause, effect: Allow, unit: Unit) -> None:
    """A unit leaves the battlefield and is set up again at once, as with Deep Strike."""
    moved, source = unit.moved, b.system.seam(Words).source
    b.place_models(living(b, unit), OFF)
    b.set_unit(unit, reserve=DEEP_STRIKE)
    if find_arrival(b, unit) is None:
        b.place_models(living(b, unit), TABLE)
        b.set_unit(unit, reserve="")
        b.tell("no_room", f"{cause.name}: there is no room for {unit.name} elsewhere.", source, units=[unit.id])
        return
    b.tell("redeploys", f"{cause.name}: {does(unit, 'is')} set up elsewhere.", source, units=[unit.id])
    await arrive(b, unit, optional=False)
    # Being set up counts as a Normal move, and undoes no other.
    if moved in (ADVANCE, FALL_BACK):
        b.set_unit(unit, moved=moved)
