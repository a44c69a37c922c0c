"""Deadly Demise: models that blow up when they are destroyed."""

from __future__ import annotations

import numpy as np

from sandtable.attack.volley import NEVER, dice
from sandtable.battle.rolls import Each
from sandtable.forty.effects.core_abilities import core_values
from sandtable.forty.effects.deeds import order_units
from sandtable.kit.attack.rolling import by_sums
from sandtable.kit.grammar import does
from sandtable.rules import Facts, fact, rule
from sandtable.systems.w40k10.abilities.datasheet_abilities import has_core
from sandtable.systems.w40k10.core_concepts import units_of_both_armies
from sandtable.systems.w40k10.mortal_wounds import inflict
from sandtable.systems.w40k10.state import Battle10, Unit, World10
from sandtable.table.grid import steps
from sandtable.table.measure import distances


class DEMISE(Facts):
    goes_off_from = fact(6, "w40k10.attack.deadly_demise", neutral=NEVER)
    """From this face on a Deadly Demise goes off..."""
    range = fact(steps(6), "w40k10.attack.deadly_demise", neutral=-1)
    """...and hits units so near."""


@rule("w40k10.attack.deadly_demise")
async def deadly_demise(b: Battle10, unit: Unit, model: int) -> None:
    """A model may blow up when it is destroyed: on a 6 every unit close by suffers."""
    name = "w40k10.attack.deadly_demise"
    goes_off = Each("it goes off/nothing happens", needed=DEMISE.goes_off_from)
    if b.roll_one("deadly demise", unit.player, rules=(name,), read=goes_off) < DEMISE.goes_off_from:
        return
    # The model that blows up is as good as gone: none of the mortal wounds goes to it.
    b.set_wounds(model, 0)
    amount = dice(core_values(b, unit, model, "deadly demise")[0])
    read = by_sums("mortal wound(s)", (amount,), ())
    near = units_near(b, model)
    text = f"{does(unit, 'goes')} down with a Deadly Demise."
    b.tell("deadly_demise", text, name, units=[unit.id, *(u.id for u in near)])
    for victim in await order_units(b, near):
        points = amount.of(b.roll(len(amount.dice), "deadly demise wounds", unit.player, rules=(name,), read=read))
        await inflict(b, victim, points, name, by=unit.id)


def units_near(w: World10, model: int) -> list[Unit]:
    """Units with a model within 6" of a model that is about to be removed, its own included if others are left."""
    here = np.array([model], dtype=np.int64)
    near = []
    for u in units_of_both_armies(w):
        own = u.id == int(w.state.models.unit[model])
        if own and w.option("deadly-demise") == "others":
            continue
        # Who went down before and is not removed yet is destroyed all the same.
        models = np.array([m for m in w.on_table(u) if m != model and w.state.models.wounds[m] > 0], dtype=np.int64)
        if len(models) and float(distances(w.bodies, w.shapes, here, models).min()) <= DEMISE.range:
            near.append(u)
    return near


def may_go_off(w: World10, unit: Unit) -> bool:
    """Whether a unit has a Deadly Demise of its own."""
    return any(has_core(w, unit, int(m), "deadly demise") for m in w.on_table(unit))
