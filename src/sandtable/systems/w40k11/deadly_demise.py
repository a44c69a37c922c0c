"""Deadly Demise (24.08)."""

from __future__ import annotations

from sandtable.attack.volley import NEVER
from sandtable.forty.demise import NAME, blow_up, units_around
from sandtable.rules import Facts, fact, rule
from sandtable.systems.w40k11.abilities import has_core
from sandtable.systems.w40k11.concepts import units_of_both_armies
from sandtable.systems.w40k11.mortal_wounds import inflict
from sandtable.systems.w40k11.state import Battle11, Unit, World11
from sandtable.table.grid import steps


class DEMISE(Facts):
    """What the book states about Deadly Demise."""

    goes_off_from = fact(6, "w40k11.unit.deadly_demise", neutral=NEVER)
    """From this face on it goes off..."""
    range = fact(steps(6), "w40k11.unit.deadly_demise", neutral=-1)
    """...and hurts units so near."""


@rule("w40k11.unit.deadly_demise")
async def deadly_demise(b: Battle11, unit: Unit, model: int) -> None:
    """A destroyed model may hurt the units around it, once its passengers are out."""
    await blow_up(b, unit, model, DEMISE.goes_off_from, units_near, inflict, "w40k11.unit.deadly_demise")


def units_near(w: World11, model: int) -> list[Unit]:
    """All units with a model within 6", friends and enemies, and what is left of its own."""
    return units_around(w, units_of_both_armies(w), model, DEMISE.range)


def may_go_off(w: World11, unit: Unit) -> bool:
    """Whether a unit has a Deadly Demise of its own."""
    return any(has_core(w, unit, int(m), NAME) for m in w.on_table(unit))
