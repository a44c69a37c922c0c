"""Destroyed models and units (Rules Appendix): what that sets off, and what is told."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import NamedTuple

from sandtable.battle import GONE, Moment
from sandtable.forty.attached import UNIT, tell_destroyed
from sandtable.forty.moments import MODEL_DESTROYED, UNIT_DESTROYED
from sandtable.rules import rule
from sandtable.systems.w40k11.abilities import has_core
from sandtable.systems.w40k11.state import Battle11, Unit


class Endings(NamedTuple):
    """What the end of a model sets off, in this order, and what may destroy others in turn."""

    abandon: Callable[[Battle11, Unit, int], Awaitable[None]]
    """(battle, transport, model): passengers make emergency disembark moves."""
    deadly_demise: Callable[[Battle11, Unit, int], Awaitable[None]]


async def destroy(b: Battle11, model: int) -> None:
    """A model is destroyed: what that sets off happens first, then it is taken off the battlefield."""
    endings, unit = b.system.seam(Endings), b.unit(int(b.state.models.unit[model]))
    if any(u.embarked == unit.id for u in b.units()):
        await endings.abandon(b, unit, model)
    if has_core(b, unit, model, "deadly demise"):
        await endings.deadly_demise(b, unit, model)
    await b.window(MODEL_DESTROYED, Moment(unit.id, data={"model": model}))
    if b.state.models.place[model] == GONE:
        return
    remove(b, model)
    if not b.is_on_table(unit):
        tell_destroyed(b, unit, UNIT, model, "w40k11.appendix.destroyed")
        await b.window(UNIT_DESTROYED, Moment(unit.id, data={"part": UNIT}))


@rule("w40k11.appendix.destroyed", "w40k11.datasheet.profile")
def remove(b: Battle11, model: int) -> None:
    """Take a destroyed model off the battlefield."""
    if b.state.models.wounds[model]:
        b.set_wounds(model, 0)
    b.place_models([model], GONE)
