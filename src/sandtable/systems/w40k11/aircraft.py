"""Aircraft (23): what is different for them, and for others near them."""

from __future__ import annotations

import numpy as np

from sandtable.battle import ALLOWED, DONE, OFF, Step, Verdict, refuse
from sandtable.battle.kept import SETUP, kept
from sandtable.forty.passengers import living
from sandtable.kit.grammar import does
from sandtable.rules import rule
from sandtable.systems.w40k11.concepts import has_keyword, model_has_keyword
from sandtable.systems.w40k11.state import STRATEGIC, Battle11, Unit, World11
from sandtable.table.grid import Bools


def is_aircraft(w: World11, unit: Unit) -> bool:
    """Whether a unit is AIRCRAFT."""
    return _some_fly_high(w) and has_keyword(w, unit, "AIRCRAFT")


@kept(SETUP)
def _some_fly_high(w: World11) -> bool:
    """Whether there is any AIRCRAFT in the armies: in most battles there is none, and nobody need be looked at."""
    return any(model_has_keyword(w, m, "AIRCRAFT") for m in range(len(w.setup.data.kits)))


# --- Coming and going -------------------------------------------------------------------------------------------------


@rule("w40k11.aircraft.deploy", neutral=False)
def must_wait(w: World11, unit: Unit) -> bool:
    """AIRCRAFT start the battle in strategic reserves."""
    return is_aircraft(w, unit)


@rule("w40k11.aircraft.move", neutral=ALLOWED)
def may_move(w: World11, unit: Unit) -> Verdict:
    """AIRCRAFT make ingress moves, and no others."""
    if not is_aircraft(w, unit):
        return ALLOWED
    return refuse(f"{does(unit, 'is')} AIRCRAFT, and can only make ingress moves.", "w40k11.aircraft.move")


@rule("w40k11.aircraft.return")
async def aircraft_leave(b: Battle11) -> Step:
    """At the end of a turn the AIRCRAFT of the other players go back into strategic reserves."""
    for unit in b.units():
        if unit.player != b.state.active and b.is_on_table(unit) and is_aircraft(b, unit):
            b.place_models(living(b, unit), OFF)
            b.set_unit(unit, reserve=STRATEGIC, ingressed=True)
            text = f"{does(unit, 'goes')} back into strategic reserves."
            b.tell("into_reserves", text, "w40k11.aircraft.return", units=[unit.id])
    return DONE


def has_come(w: World11, unit: Unit) -> bool:
    """AIRCRAFT that have been on the battlefield, and had to leave it again, with who is aboard."""
    carrier = w.unit(unit.embarked) if unit.embarked >= 0 else unit
    return carrier.ingressed and is_aircraft(w, carrier)


# --- Others near them -------------------------------------------------------------------------------------------------


@kept(SETUP)
def passed_by_all(w: World11) -> Bools:
    """Which models everybody passes through."""
    return np.array([model_is_passed(w, m) for m in range(len(w.setup.data.kits))], dtype=np.bool_)


@rule("w40k11.aircraft.movement_of_others", neutral=False)
def model_is_passed(w: World11, model: int) -> bool:
    """AIRCRAFT are passed through in any move."""
    return model_has_keyword(w, model, "AIRCRAFT")


@rule("w40k11.aircraft.movement_of_others", neutral=[])
def left_out(w: World11, enemies: list[Unit]) -> list[Unit]:
    """AIRCRAFT that a unit is engaged with do not keep it from Normal and Advance moves."""
    return [e for e in enemies if is_aircraft(w, e)]


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
