"""Destroyed models and units (Rules Appendix): what that sets off, and what is told."""

from __future__ import annotations

from sandtable.battle import GONE, TABLE, Moment
from sandtable.forty.attached import UNIT, tell_destroyed
from sandtable.forty.endings import Endings, take_off
from sandtable.forty.moments import MODEL_DESTROYED, UNIT_DESTROYED
from sandtable.forty.passengers import living
from sandtable.rules import rule
from sandtable.systems.w40k11.abilities import has_core
from sandtable.systems.w40k11.state import Battle11, Unit, World11


@rule("w40k11.appendix.destroyed")
async def fall(b: Battle11, model: int) -> None:
    """An attack destroys a model: it counts no longer, but what that sets off waits for the attacker's last attack."""
    b.set_game(down=(*b.state.game.down, model))
    b.place_models([model], GONE)


async def bury(b: Battle11, waiting: tuple[int, ...]) -> None:
    """The attacker is through with all its attacks: what the losses set off happens, in the order of the losses.

    Whoever falls stands where it stood while that is done. `waiting` are losses of an attack that this one came in.
    """
    happened = False
    while down := b.state.game.down:
        b.set_game(down=down[1:])
        b.place_models(down[:1], TABLE)
        happened |= await end(b, down[0], attack=True)
    b.set_game(down=waiting)
    if happened:
        b.go_on()


async def destroy(b: Battle11, model: int) -> None:
    """A model is destroyed, and whoever acts goes on unless it fell by what that set off."""
    if await end(b, model):
        b.go_on()


async def end(b: Battle11, model: int, *, attack: bool = False) -> bool:
    """What the end of a model sets off happens first, then it is taken off the battlefield; whether others did much.

    All of it is done, whoever falls by it.
    """
    endings, unit = b.system.seam(Endings), b.unit(int(b.state.models.unit[model]))
    if any(u.embarked == unit.id for u in b.units()):
        await endings.abandon(b, unit, model)
    if has_core(b, unit, model, "deadly demise"):
        await endings.deadly_demise(b, unit, model)
    fallen = Moment(unit.id, data={"model": model, "attack": attack})
    happened = await b.window(MODEL_DESTROYED, fallen, unbroken=True)
    if b.state.models.place[model] == GONE:
        return happened
    remove(b, model)
    if is_destroyed(b, unit):
        tell_destroyed(b, unit, UNIT, model, "w40k11.appendix.destroyed")
        happened |= await b.window(UNIT_DESTROYED, Moment(unit.id, data={"part": UNIT}), unbroken=True)
    return happened


@rule("w40k11.attached.destroyed", "w40k11.appendix.destroyed", neutral=True)
def is_destroyed(w: World11, unit: Unit) -> bool:
    """A unit, attached or not, is destroyed once none of its models is left, and none waits for its end."""
    return not living(w, unit) and not any(w.state.models.unit[m] == unit.id for m in w.state.game.down)


@rule("w40k11.appendix.destroyed", "w40k11.datasheet.profile")
def remove(b: Battle11, model: int) -> None:
    """Take a destroyed model off the battlefield."""
    take_off(b, model)
