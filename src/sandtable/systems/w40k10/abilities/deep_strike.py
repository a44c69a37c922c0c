"""Deep Strike: which units may start in Reserves by it."""

from __future__ import annotations

from typing import Final

from sandtable.rules import rule
from sandtable.systems.w40k10.abilities.datasheet_abilities import every_model_has
from sandtable.systems.w40k10.state import Unit, World10

DEEP_STRIKE: Final = "deep strike"


@rule("w40k10.ability.deep_strike", neutral=True)
def can_deep_strike(w: World10, units: list[Unit]) -> bool:
    """Every model must have Deep Strike, an attached Leader's included."""
    return all(every_model_has(w, unit, DEEP_STRIKE) for unit in units)
