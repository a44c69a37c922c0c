"""Terrain features and moving: what is crossed, what is climbed, and where a move may end."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from sandtable.battle import ALLOWED, Path, Verdict, refuse
from sandtable.battle.kept import PLACES, SETUP, kept
from sandtable.forty.state import called
from sandtable.rules import rule
from sandtable.systems.w40k10.book import BOOK
from sandtable.systems.w40k10.concepts import BARRICADE, DEBRIS, RUINS, model_has_keyword
from sandtable.systems.w40k10.state import World10
from sandtable.table.footprints import lying_in
from sandtable.table.grid import TOUCHING, Ints, steps, units
from sandtable.table.measure import area_gap, inside
from sandtable.table.moves import WHOLE, Code, Obstacles, may_end, obstacles, standing
from sandtable.table.moves_scene import Flags
from sandtable.table.shapes import Bodies

PIVOT: Final = steps(1)
BIG_PIVOT: Final = steps(2)
"""What turning a base that is not round costs, where that has a fixed price."""


# --- On the way -------------------------------------------------------------------------------------------------------


@rule("w40k10.terrain.ruins_move_through", neutral=False)
def walks_through_ruins(w: World10, model: int) -> bool:
    """INFANTRY and BEASTS pass walls and floors of ruins as if they were not there."""
    return model_has_keyword(w, model, "INFANTRY") or model_has_keyword(w, model, "BEAST")


@kept(PLACES)
def parts_of_ruins(w: World10) -> tuple[Flags, Flags]:
    """Which walls and floors of the table belong to ruins."""
    ruins = np.array([f.kind == RUINS for f in w.table.features] or [False], dtype=np.uint8)
    return ruins[w.terrain.wall[:, 7]], ruins[w.terrain.floor_level[:, 2]]


@rule("w40k10.move.climb", "w40k10.charge.terrain", neutral=0)
def climbed(w: World10, path: Path) -> int:
    """How far a model goes up and down along its path; what is low is climbed for nothing."""
    z = int(w.state.models.pos[path.model, 2])
    up_and_down = 0
    for leg in path.legs:
        if leg.z != z and not _low_here(w, path.model, leg.x, leg.y, leg.facing, min(leg.z, z), max(leg.z, z)):
            up_and_down += abs(leg.z - z)
        z = leg.z
    return up_and_down


def _low_here(w: World10, model: int, x: int, y: int, facing: int, low: int, high: int) -> bool:
    """Whether a climb between two heights is along a feature that is low enough to be ignored."""
    if high - low > BOOK.low:
        return False
    pos = w.state.models.pos[model : model + 1].copy()
    pos[0] = (x, y, low)
    body = Bodies(pos, np.array([facing], dtype=np.int64), w.ground.shape[model : model + 1])
    terrain = w.terrain
    for f in range(len(terrain.corners)):
        fits = terrain.bottom[f] <= low and high <= terrain.top[f]
        is_low = fits and terrain.top[f] - terrain.bottom[f] <= BOOK.low
        if is_low and area_gap(body, w.shapes, 0, terrain.outline[f], int(terrain.corners[f])) <= TOUCHING:
            return True
    return False


def along_surface(w: World10, path: Path) -> float:
    """How far the part of the base that moves furthest goes, along the ground and up and down."""
    x, y, z = w.state.models.pos[path.model].tolist()
    facing = int(w.state.models.facing[path.model])
    flat, turned, level = 0.0, 0, z == 0
    for leg in path.legs:
        dx, dy = leg.x - x, leg.y - y
        flat += math.sqrt(dx * dx + dy * dy)
        turn = abs(leg.facing - facing)
        turned += min(turn, 4096 - turn)
        level = level and leg.z == 0 and leg.do != "climb"
        x, y, facing = leg.x, leg.y, leg.facing
    return flat + (0 if level else climbed(w, path)) + swing(w, path.model, turned)


@rule("w40k10.move.distance", neutral=0.0)
def swing(w: World10, model: int, turned: int) -> float:
    """How far the end of a base that is not round travels while it turns, by so many steps of 1/4096 turn."""
    shape = int(w.ground.shape[model])
    if w.shapes.corners[shape] == 1 or not turned:
        return 0.0
    if w.option("pivot") == "flat":
        return float(BIG_PIVOT if any(model_has_keyword(w, model, k) for k in ("MONSTER", "VEHICLE")) else PIVOT)
    return turned * 2.0 * math.pi / 4096 * end_of_base(w, shape)


@kept(SETUP)
def end_of_base(w: World10, shape: int) -> float:
    """How far the part of a base that is furthest from its middle is away from it."""
    core = w.shapes.core[shape, : w.shapes.corners[shape]]
    return math.sqrt(int((core * core).sum(axis=1).max())) + int(w.shapes.radius[shape])


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
    if _stands_wholly(w, bodies, model):
        return ALLOWED
    return refuse(f"The base of {called(w, model)} would overhang {name}.", "w40k10.terrain.hill_move")


@rule("w40k10.terrain.ruins_floors", neutral=ALLOWED)
def may_stand_upstairs(w: World10, bodies: Bodies, model: int, name: str) -> Verdict:
    """Upper floors of ruins are for INFANTRY, BEASTS and FLY, whose bases do not overhang."""
    if not any(model_has_keyword(w, model, k) for k in ("INFANTRY", "BEAST", "FLY")):
        text = f"{called(w, model)} cannot stand on an upper floor of {name}: no INFANTRY, no BEAST, and it cannot FLY."
        return refuse(text, "w40k10.terrain.ruins_floors")
    if not _stands_wholly(w, bodies, model):
        up = f'{units(int(bodies.pos[model, 2])):.1f}" up'
        return refuse(
            f"The base of {called(w, model)} would overhang the floor of {name}, {up}.", "w40k10.terrain.ruins_floors"
        )
    return ALLOWED


def _stands_wholly(w: World10, bodies: Bodies, model: int) -> bool:
    x, y, z = (int(v) for v in bodies.pos[model])
    shape, facing = int(bodies.shape[model]), int(bodies.facing[model])
    return bool(standing(w.shapes, w.terrain, shape, x, y, z, facing, WHOLE))


def check_ground(w: World10, bodies: Bodies, models: Ints) -> Verdict:
    """Whether models may stop where they would stand: what they stand on, and that they are in no wall or floor."""
    if not len(w.table.features):
        return ALLOWED
    closed = [] if BOOK.areas_are_open else [f for f, feature in enumerate(w.table.features) if not feature.solid]
    under = _under_floors(w, bodies, models)
    for model, under_a_floor in zip(models.tolist(), under, strict=True):
        x, y, z = bodies.pos[model].tolist()
        for f in closed:
            if inside(float(x), float(y), w.terrain.outline[f], int(w.terrain.corners[f])):
                text = f"{called(w, model)} cannot end in {w.table.features[f].id}."
                return refuse(text, "w40k10.terrain.general")
        if z > 0:
            verdict = _check_surface(w, bodies, model, x, y, z)
            if not verdict:
                return verdict
        if under_a_floor:
            place = np.array([[x, y, z, int(bodies.facing[model])]], dtype=np.int64)
            code = int(may_end(w.bodies, w.shapes, w.terrain, model, place, _inside_parts(w))[0, 0])
            if code == Code.END_CEILING:
                text = f"{called(w, model)} is too tall to end there: it would stand inside a floor."
                return refuse(text, "w40k10.terrain.ruins_move_through")
    return ALLOWED


@kept(PLACES)
def _inside_parts(w: World10) -> Obstacles:
    """Obstacles for the question whether a model would end inside a part of a building."""
    return obstacles(len(w.state.models.place), w.terrain, end_solid=0, edge=False)


def _under_floors(w: World10, bodies: Bodies, models: Ints) -> list[bool]:
    """For each model whether it is in a feature with floors."""
    terrain = w.terrain
    if not len(terrain.floor_level):
        return [False] * len(models)
    lies = lying_in(np.ascontiguousarray(bodies.pos[models, :2]), terrain.outline, terrain.corners)
    under: list[bool] = np.asarray(lies[:, terrain.floor_level[:, 2]].any(axis=1)).tolist()
    return under


def _check_surface(w: World10, bodies: Bodies, model: int, x: int, y: int, z: int) -> Verdict:
    terrain = w.terrain
    for f in range(len(terrain.floor_corners)):
        if terrain.floor_level[f, 0] == z and inside(
            float(x), float(y), terrain.floor[f], int(terrain.floor_corners[f])
        ):
            feature = w.table.features[int(terrain.floor_level[f, 2])]
            if feature.kind == RUINS:
                return may_stand_upstairs(w, bodies, model, feature.name or feature.id)
            return fits_on_top(w, bodies, model, feature.name or feature.id)
    for f, feature in enumerate(w.table.features):
        top = feature.solid and terrain.top[f] == z
        if top and inside(float(x), float(y), terrain.outline[f], int(terrain.corners[f])):
            name = feature.name or feature.id
            return (
                not_on_barricade(w, model, name, feature.kind)
                and not_on_debris(w, model, name, feature.kind)
                and fits_on_top(w, bodies, model, name)
            )
    return ALLOWED
