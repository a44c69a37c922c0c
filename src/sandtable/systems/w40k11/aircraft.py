"""Aircraft (23): what is different for them, and for others near them."""

from __future__ import annotations

from sandtable.battle import ALLOWED, Verdict, refuse
from sandtable.battle.kept import SETUP, kept
from sandtable.kit.grammar import does
from sandtable.rules import rule
from sandtable.systems.w40k11.concepts import has_keyword, model_has_keyword
from sandtable.systems.w40k11.state import Unit, World11


def is_aircraft(w: World11, unit: Unit) -> bool:
    """Whether a unit is AIRCRAFT."""
    return _some_fly_high(w) and has_keyword(w, unit, "AIRCRAFT")


@kept(SETUP)
def _some_fly_high(w: World11) -> bool:
    """Whether there is any AIRCRAFT in the armies: in most battles there is none, and nobody need be looked at."""
    return any(model_has_keyword(w, m, "AIRCRAFT") for m in range(len(w.setup.data.kits)))


@rule("w40k11.aircraft.charge", "w40k11.charge.eligible", neutral=ALLOWED)
def may_declare(w: World11, unit: Unit) -> Verdict:
    """AIRCRAFT declare no charges."""
    if not is_aircraft(w, unit):
        return ALLOWED
    return refuse(f"{does(unit, 'is')} AIRCRAFT and cannot charge.", "w40k11.aircraft.charge", "w40k11.charge.eligible")


@rule("w40k11.aircraft.charge", neutral=True)
def may_be_charged(w: World11, unit: Unit, enemy: Unit) -> bool:
    """Only units that can FLY charge AIRCRAFT."""
    return not is_aircraft(w, enemy) or has_keyword(w, unit, "FLY")


@rule("w40k11.aircraft.charge", neutral=True)
def may_strike(w: World11, unit: Unit, model: int, enemy: Unit) -> bool:
    """Only models that can FLY strike AIRCRAFT, and AIRCRAFT strike only units that can FLY."""
    if is_aircraft(w, enemy) and not model_has_keyword(w, model, "FLY"):
        return False
    return not is_aircraft(w, unit) or has_keyword(w, enemy, "FLY")


@rule("w40k11.aircraft.movement_of_others", neutral=True)
def is_prey(w: World11, unit: Unit, enemy: Unit) -> bool:
    """Who cannot FLY ignores AIRCRAFT when it piles in, consolidates or surges."""
    return not is_aircraft(w, enemy) or has_keyword(w, unit, "FLY")
