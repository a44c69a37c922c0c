"""Actions (16): tasks that units carry out instead of shooting and charging."""

from __future__ import annotations

from sandtable.battle import ALLOWED, Verdict, refuse
from sandtable.rules import rule
from sandtable.systems.w40k11.state import Unit


@rule("w40k11.action.start", "w40k11.charge.eligible", neutral=ALLOWED)
def may_charge_too(unit: Unit) -> Verdict:
    """A unit that started an action this turn cannot declare a charge."""
    if unit.acted:
        return refuse(f"{unit.name} started an action this turn.", "w40k11.action.start", "w40k11.charge.eligible")
    return ALLOWED
