"""Ruins: walls and floors, who passes and stands on them, what is seen, cover, and Plunging Fire."""

from __future__ import annotations

from typing import Final

from sandtable.battle import ALLOWED, Verdict, refuse
from sandtable.forty.covering import Look
from sandtable.forty.state import called
from sandtable.kit.ground import stands_wholly
from sandtable.kit.seeing import EXEMPT, PARTLY, WHOLLY, within_areas
from sandtable.rules import Facts, fact, rule
from sandtable.systems.w40k10.core_concepts import is_wholly_within, model_has_keyword
from sandtable.systems.w40k10.state import Unit, World10
from sandtable.table.grid import steps, units
from sandtable.table.shapes import Bodies
from sandtable.table.sight import HARD, NONE

RUINS: Final = "ruins"
PLUNGING_HEIGHT: Final = steps(6)


class FOOTPRINTS(Facts):
    area_of_all_floors = fact(True, "w40k10.terrain.ruins_footprint", neutral=False)
    """A footprint holds for all floors above it."""


@rule("w40k10.terrain.ruins_move_through", neutral=False)
def walks_through_ruins(w: World10, model: int) -> bool:
    """INFANTRY and BEASTS pass walls and floors of ruins as if they were not there."""
    return model_has_keyword(w, model, "INFANTRY") or model_has_keyword(w, model, "BEAST")


@rule("w40k10.terrain.ruins_floors", neutral=ALLOWED)
def may_stand_upstairs(w: World10, bodies: Bodies, model: int, name: str) -> Verdict:
    """Upper floors of ruins are for INFANTRY, BEASTS and FLY, whose bases do not overhang."""
    if not any(model_has_keyword(w, model, k) for k in ("INFANTRY", "BEAST", "FLY")):
        text = f"{called(w, model)} cannot stand on an upper floor of {name}: no INFANTRY, no BEAST, and it cannot FLY."
        return refuse(text, "w40k10.terrain.ruins_floors")
    if not stands_wholly(w, bodies, model):
        up = f'{units(int(bodies.pos[model, 2])):.1f}" up'
        text = f"The base of {called(w, model)} would overhang the floor of {name}, {up}."
        return refuse(text, "w40k10.terrain.ruins_floors")
    return ALLOWED


@rule("w40k10.terrain.ruins_visibility", neutral=NONE)
def through_ruins(observer: int, target: int) -> int:
    """Nobody sees through ruins or over them, but into them, and out of them from wholly within."""
    if EXEMPT in (observer, target) or observer == WHOLLY or target in (PARTLY, WHOLLY):
        return NONE
    return HARD


@rule("w40k10.terrain.ruins_cover", neutral=False)
def ruins_cover(at: Look) -> bool:
    """Models wholly within, and models that ruins hide partly."""
    return is_wholly_within(at.stands) or at.hidden


@rule("w40k10.terrain.ruins_plunging_fire", neutral=False)
def plunging(w: World10, unit: Unit, row: int, target: Unit) -> bool:
    """A model 6" up and wholly within ruins fires down at a unit that is all at ground level."""
    pos = w.state.models.pos
    if pos[w.on_table(unit)[row], 2] < PLUNGING_HEIGHT or pos[w.on_table(target), 2].any():
        return False
    stands = within_areas(w, unit)[row]
    return any(f.kind == RUINS and stands[i] == WHOLLY for i, f in enumerate(w.table.features))
