"""Terrain features: what stands on what, what is crossed and climbed, where a move may end, and fights across them."""

from __future__ import annotations

from typing import Final

from sandtable.battle import ALLOWED, Path, Verdict, refuse
from sandtable.battle.kept import PLACES, kept
from sandtable.errors import UserError
from sandtable.forty.state import called
from sandtable.kit.closing import across as up_against
from sandtable.kit.closing.across import Across, across, stands_behind
from sandtable.kit.ground import (
    among_floors,
    arc,
    area_around,
    climbs_along,
    is_inside_a_floor,
    stands_on,
    stands_wholly,
    surface_under,
)
from sandtable.kit.seeing import WHOLLY, within_areas
from sandtable.rules import rule
from sandtable.systems.w40k10.book import BOOK
from sandtable.systems.w40k10.concepts import BARRICADE, DEBRIS, HILL, RUINS, model_has_keyword
from sandtable.systems.w40k10.state import Unit, World10, sheet_of
from sandtable.table.grid import STEP, Bools, Ints, steps, units
from sandtable.table.layout import Table
from sandtable.table.shapes import Bodies

PLUNGING_HEIGHT: Final = steps(6)
PIVOT: Final = steps(1)
BIG_PIVOT: Final = steps(2)
"""What turning a base that is not round costs, where that has a fixed price."""


# --- On the way -------------------------------------------------------------------------------------------------------


@rule("w40k10.datasheet.move_dash", neutral=True)
def can_move(w: World10, model: int) -> bool:
    """A model with a Move of "-" never moves."""
    return sheet_of(w, model).move is not None


@rule("w40k10.terrain.ruins_move_through", neutral=False)
def walks_through_ruins(w: World10, model: int) -> bool:
    """INFANTRY and BEASTS pass walls and floors of ruins as if they were not there."""
    return model_has_keyword(w, model, "INFANTRY") or model_has_keyword(w, model, "BEAST")


@rule("w40k10.move.climb", "w40k10.charge.terrain", neutral=0)
def climbed(w: World10, path: Path) -> int:
    """How far a model goes up and down along its path; what is low is climbed for nothing."""
    z = int(w.state.models.pos[path.model, 2])
    up_and_down = 0
    for leg in path.legs:
        place, low, high = (leg.x, leg.y, leg.facing), min(leg.z, z), max(leg.z, z)
        if leg.z != z and not climbs_along(w, path.model, place, low, high, BOOK.low):
            up_and_down += abs(leg.z - z)
        z = leg.z
    return up_and_down


@rule("w40k10.move.distance", neutral=0.0)
def swing(w: World10, model: int, turned: int) -> float:
    """How far the end of a base that is not round travels while it turns, by so many steps of 1/4096 turn."""
    shape = int(w.ground.shape[model])
    if w.shapes.corners[shape] == 1 or not turned:
        return 0.0
    if w.option("pivot") == "flat":
        return float(BIG_PIVOT if any(model_has_keyword(w, model, k) for k in ("MONSTER", "VEHICLE")) else PIVOT)
    return arc(w, model, turned)


# --- Where a move ends ------------------------------------------------------------------------------------------------


@rule("w40k10.terrain.barricade_move", neutral=ALLOWED)
def not_on_barricade(w: World10, model: int, name: str, kind: str) -> Verdict:
    """Nobody stops on a barricade."""
    if kind != BARRICADE:
        return ALLOWED
    return refuse(f"{called(w, model)} cannot end on {name}.", "w40k10.terrain.barricade_move")


@rule("w40k10.terrain.debris_move", neutral=ALLOWED)
def not_on_debris(w: World10, model: int, name: str, kind: str) -> Verdict:
    """Nobody stops on battlefield debris."""
    if kind != DEBRIS:
        return ALLOWED
    return refuse(f"{called(w, model)} cannot end on {name}.", "w40k10.terrain.debris_move")


@rule("w40k10.terrain.hill_move", "w40k10.concept.summary_precedence", neutral=ALLOWED)
def fits_on_top(w: World10, bodies: Bodies, model: int, name: str) -> Verdict:
    """A base on top of a hill or structure does not overhang it; how easily it would fall off is but a hint."""
    if stands_wholly(w, bodies, model):
        return ALLOWED
    return refuse(f"The base of {called(w, model)} would overhang {name}.", "w40k10.terrain.hill_move")


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


def check_ground(w: World10, bodies: Bodies, models: Ints) -> Verdict:
    """Whether models may stop where they would stand: what they stand on, and that they are in no wall or floor."""
    if not len(w.table.features):
        return ALLOWED
    for model, among in zip(models.tolist(), among_floors(w, bodies, models), strict=True):
        area = None if BOOK.areas_are_open else area_around(w, bodies, model)
        if area is not None:
            return refuse(f"{called(w, model)} cannot end in {area.id}.", "w40k10.terrain.general")
        if bodies.pos[model, 2] > 0:
            verdict = check_surface(w, bodies, model)
            if not verdict:
                return verdict
        if among and is_inside_a_floor(w, bodies, model):
            text = f"{called(w, model)} is too tall to end there: it would stand inside a floor."
            return refuse(text, "w40k10.terrain.ruins_move_through")
    return ALLOWED


def check_surface(w: World10, bodies: Bodies, model: int) -> Verdict:
    """Whether a model may stop on what it stands on."""
    under = surface_under(w, bodies, model)
    if under is None:
        return ALLOWED
    name, kind = under.name, under.feature.kind
    if under.is_floor:
        return may_stand_upstairs(w, bodies, model, name) if kind == RUINS else fits_on_top(w, bodies, model, name)
    return (
        not_on_barricade(w, model, name, kind)
        and not_on_debris(w, model, name, kind)
        and fits_on_top(w, bodies, model, name)
    )


# --- Before the battle ------------------------------------------------------------------------------------------------


@rule("w40k10.concept.terrain_placement", neutral=Table(60 * STEP, 44 * STEP, "in", ()))
def with_terrain(table: Table) -> Table:
    """The terrain of a layout is on the table before the first step, and belongs to nobody."""
    return table


@rule("w40k10.terrain.hill_stacking")
def check_stacking(table: Table) -> None:
    """Refuse a terrain feature that stands on something else than a hill, or overhangs it."""
    hills = [f for f in table.features if f.kind == HILL and f.solid]
    for feature in table.features:
        if feature.bottom and not any(stands_on(feature, hill) for hill in hills):
            raise UserError(f"{feature.name or feature.id} must stand wholly on a hill, or on the ground.")


# --- Across barricades and fuel pipes ---------------------------------------------------------------------------------


@kept(PLACES)
def barricades(w: World10) -> tuple[int, ...]:
    """The barricades on the table."""
    return tuple(i for i, f in enumerate(w.table.features) if f.kind == BARRICADE)


def over_barricades(w: World10) -> Across:
    """How the enemy is reached across barricades."""
    return Across(barricades(w), BOOK.across_barricade, BOOK.behind_barricade, reached_across)


def charging_across(w: World10) -> Across | None:
    """The same for a charge, if there are any."""
    return over_barricades(w) if barricades(w) else None


def is_behind_one(w: World10, unit: Unit) -> bool:
    """Whether a charge can reach a unit across a barricade."""
    return stands_behind(w, w.on_table(unit), barricades(w), BOOK.behind_barricade)


@rule("w40k10.terrain.barricade_charge", neutral=False)
def reached_across(w: World10, bodies: Bodies, models: Ints, enemies: Ints) -> bool:
    """Whether a model stands up against a barricade, no more than 2" from an enemy that is within 1" behind it."""
    return up_against.reached_across(w, bodies, models, enemies, over_barricades(w))


@rule("w40k10.terrain.barricade_fight", neutral=False)
def across_in_fight(w: World10, bodies: Bodies, models: Ints, enemies: Ints) -> Bools | bool:
    """A barricade between two models stretches the reach of fighting to 2"."""
    return across(w, bodies, models, enemies, barricades(w), BOOK.across_barricade)


@rule("w40k10.terrain.ruins_plunging_fire", neutral=False)
def plunging(w: World10, unit: Unit, row: int, target: Unit) -> bool:
    """A model 6" up and wholly within ruins fires down at a unit that is all at ground level."""
    pos = w.state.models.pos
    if pos[w.on_table(unit)[row], 2] < PLUNGING_HEIGHT or pos[w.on_table(target), 2].any():
        return False
    stands = within_areas(w, unit)[row]
    return any(f.kind == RUINS and stands[i] == WHOLLY for i, f in enumerate(w.table.features))
