"""Destroyed models and units: what that sets off, and what is told."""

from __future__ import annotations

from sandtable.battle import GONE, Moment
from sandtable.forty.attached import part_of, tell_destroyed
from sandtable.forty.endings import Endings, take_off
from sandtable.forty.moments import MODEL_DESTROYED, UNIT_DESTROYED
from sandtable.rules import rule
from sandtable.systems.w40k10.abilities.datasheet_abilities import has_core
from sandtable.systems.w40k10.state import Battle10, Unit, World10


async def destroy(b: Battle10, model: int) -> None:
    """A model is destroyed: what that sets off happens first, then it is taken off the battlefield."""
    endings = b.system.seam(Endings)
    unit = b.unit(int(b.state.models.unit[model]))
    if has_core(b, unit, model, "deadly demise"):
        await endings.deadly_demise(b, unit, model)
    happened = await b.window(MODEL_DESTROYED, Moment(unit.id, data={"model": model}), unbroken=True)
    if b.state.models.place[model] == GONE:
        b.go_on()
        return
    if any(u.embarked == unit.id for u in b.units()):
        await endings.abandon(b, unit, model)
    parts = parts_destroyed(b, unit, model)
    remove(b, model)
    for part in parts:
        tell_destroyed(b, unit, part, model, "w40k10.unit.destroyed")
        await b.window(UNIT_DESTROYED, Moment(unit.id, data={"part": part}))
    if happened:
        b.go_on()


@rule("w40k10.unit.destroyed", "w40k10.datasheet.profile")
def remove(b: Battle10, model: int) -> None:
    """Take a destroyed model off the battlefield."""
    take_off(b, model)


@rule("w40k10.unit.attached_destroyed_triggers", neutral=())
def parts_destroyed(w: World10, unit: Unit, model: int) -> tuple[str, ...]:
    """What a model's loss destroys: the Bodyguard and each Leader of an Attached unit count on their own."""
    here = part_of(w, unit, model)
    if any(part_of(w, unit, m) == here for m in map(int, w.on_table(unit)) if m != model):
        return ()
    return (here[0],)
