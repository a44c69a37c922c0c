"""Stealth: units that are harder to hit from afar."""

from __future__ import annotations

from typing import Final

from sandtable.forty.effects.core_abilities import granted_by
from sandtable.rules import rule
from sandtable.systems.w40k10.abilities.datasheet_abilities import has_core
from sandtable.systems.w40k10.state import Unit, World10

STEALTH: Final = "stealth"
"""Kinds of effects."""


@rule("w40k10.ability.stealth", neutral=0)
def stealth(w: World10, target: Unit) -> int:
    """Harder to hit from afar, if every model has Stealth, or smoke covers the unit."""
    everybody = all(has_core(w, target, int(m), "stealth") for m in w.on_table(target))
    return -1 if everybody or w.affected(STEALTH, target.id) else 0


def sources_of_stealth(w: World10, target: Unit) -> tuple[str, ...]:
    """What gives Stealth to a unit beside its datasheets: Stratagems and abilities."""
    smoke = [e.source for e in w.effects(STEALTH, target.id)]
    granted = [name for m in w.on_table(target) for name in granted_by(w, target, int(m), "stealth")]
    return tuple(dict.fromkeys((*smoke, *granted)))
