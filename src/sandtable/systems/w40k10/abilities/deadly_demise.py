"""Deadly Demise: models that blow up when they are destroyed."""

from __future__ import annotations

from sandtable.attack.volley import NEVER
from sandtable.forty.demise import blow_up, units_around
from sandtable.rules import Facts, fact, rule
from sandtable.systems.w40k10.abilities.datasheet_abilities import has_core
from sandtable.systems.w40k10.core_concepts import units_of_both_armies
from sandtable.systems.w40k10.mortal_wounds import inflict
from sandtable.systems.w40k10.state import Battle10, Unit, World10
from sandtable.table.grid import steps


class DEMISE(Facts):
    goes_off_from = fact(6, "w40k10.attack.deadly_demise", neutral=NEVER)
    """From this face on a Deadly Demise goes off..."""
    range = fact(steps(6), "w40k10.attack.deadly_demise", neutral=-1)
    """...and hits units so near."""


@rule("w40k10.attack.deadly_demise")
async def deadly_demise(b: Battle10, unit: Unit, model: int) -> None:
    """A model may blow up when it is destroyed: on a 6 every unit close by suffers."""
    await blow_up(b, unit, model, DEMISE.goes_off_from, units_near, inflict, "w40k10.attack.deadly_demise")


def units_near(w: World10, model: int) -> list[Unit]:
    """Units with a model within 6" of a model that is about to be removed, its own included if others are left."""
    own = -1 if w.option("deadly-demise") != "others" else int(w.state.models.unit[model])
    return units_around(w, [u for u in units_of_both_armies(w) if u.id != own], model, DEMISE.range)


def may_go_off(w: World10, unit: Unit) -> bool:
    """Whether a unit has a Deadly Demise of its own."""
    return any(has_core(w, unit, int(m), "deadly demise") for m in w.on_table(unit))
