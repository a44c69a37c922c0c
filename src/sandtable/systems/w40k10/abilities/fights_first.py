"""Fights First."""

from __future__ import annotations

from sandtable.rules import rule
from sandtable.systems.w40k10.abilities.datasheet_abilities import has_core
from sandtable.systems.w40k10.state import Unit, World10


@rule("w40k10.ability.fights_first", neutral=False)
def all_fight_first(w: World10, unit: Unit) -> bool:
    """Whether every model of the unit has the ability."""
    return all(has_core(w, unit, int(m), "fights first") for m in w.on_table(unit))
