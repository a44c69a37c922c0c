"""What models stand on and climb along: floors, tops of solid features, and what is above their heads."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from sandtable.battle.decisions import Path
from sandtable.battle.kept import PLACES, SETUP, kept
from sandtable.table.footprints import lying_in
from sandtable.table.grid import TOUCHING, TURN, Ints
from sandtable.table.layout import Feature, signed_area
from sandtable.table.measure import area_gap, inside, wholly_in_area
from sandtable.table.moves import WHOLE, Code, Obstacles, may_end, obstacles, standing
from sandtable.table.moves_scene import Flags
from sandtable.table.shapes import Bodies, Shape, pack

if TYPE_CHECKING:
    from sandtable.battle.system import AnyWorld


class Surface(NamedTuple):
    """What is under a model that does not stand on the table."""

    feature: Feature
    is_floor: bool
    """A floor of the feature, and not its top"""

    @property
    def name(self) -> str:
        return self.feature.name or self.feature.id


def surface_under(w: AnyWorld, bodies: Bodies, model: int) -> Surface | None:
    """The floor or the top of a solid feature that a model stands on."""
    x, y, z = bodies.pos[model].tolist()
    terrain, features = w.terrain, w.table.features
    for f in range(len(terrain.floor_corners)):
        if terrain.floor_level[f, 0] == z and inside(
            float(x), float(y), terrain.floor[f], int(terrain.floor_corners[f])
        ):
            return Surface(features[int(terrain.floor_level[f, 2])], True)
    for f, feature in enumerate(features):
        top = feature.solid and terrain.top[f] == z
        if top and inside(float(x), float(y), terrain.outline[f], int(terrain.corners[f])):
            return Surface(feature, False)
    return None


def stands_wholly(w: AnyWorld, bodies: Bodies, model: int) -> bool:
    """Whether the whole base of a model is on the surface that it stands on."""
    x, y, z = (int(v) for v in bodies.pos[model])
    shape, facing = int(bodies.shape[model]), int(bodies.facing[model])
    return bool(standing(w.shapes, w.terrain, shape, x, y, z, facing, WHOLE))


def area_around(w: AnyWorld, bodies: Bodies, model: int) -> Feature | None:
    """The first feature without a body of its own that the middle of a model is in."""
    x, y, _ = bodies.pos[model].tolist()
    terrain = w.terrain
    for f, feature in enumerate(w.table.features):
        if not feature.solid and inside(float(x), float(y), terrain.outline[f], int(terrain.corners[f])):
            return feature
    return None


def among_floors(w: AnyWorld, bodies: Bodies, models: Ints) -> list[bool]:
    """For each model whether it is in a feature with floors."""
    terrain = w.terrain
    if not len(terrain.floor_level):
        return [False] * len(models)
    lies = lying_in(np.ascontiguousarray(bodies.pos[models, :2]), terrain.outline, terrain.corners)
    among: list[bool] = np.asarray(lies[:, terrain.floor_level[:, 2]].any(axis=1)).tolist()
    return among


def is_inside_a_floor(w: AnyWorld, bodies: Bodies, model: int) -> bool:
    """Whether a model is so tall that it would stand inside a floor above it."""
    place = np.array([[*bodies.pos[model].tolist(), int(bodies.facing[model])]], dtype=np.int64)
    code = may_end(w.bodies, w.shapes, w.terrain, model, place, _parts_alone(w))[0, 0]
    return int(code) == Code.END_CEILING


@kept(PLACES)
def _parts_alone(w: AnyWorld) -> Obstacles:
    return obstacles(len(w.state.models.place), w.terrain, end_solid=0, edge=False)


@kept(PLACES)
def terrain_alone(w: AnyWorld, passed: str, free_height: int) -> Obstacles:
    """All walls, solid parts and floors as obstacles, but for walls and floors of a kind of feature that is passed."""
    walls, floors = parts_of(w, passed)
    return obstacles(
        len(w.state.models.place), w.terrain, wall_blocks=1 - walls, floor_blocks=1 - floors, free_height=free_height
    )


@kept(PLACES)
def parts_of(w: AnyWorld, kind: str) -> tuple[Flags, Flags]:
    """Which walls and floors of the table belong to features of a kind."""
    those = np.array([f.kind == kind for f in w.table.features] or [False], dtype=np.uint8)
    return those[w.terrain.wall[:, 7]], those[w.terrain.floor_level[:, 2]]


def stands_on(feature: Feature, other: Feature) -> bool:
    """Whether a feature stands on top of another one, with no part of its outline beyond."""
    point = pack([Shape(((0, 0),), 0, 1)])
    outline = np.array(other.outline if signed_area(other.outline) > 0 else other.outline[::-1], dtype=np.int64)
    none = np.zeros(len(feature.outline), dtype=np.int64)
    corners = Bodies(np.array([(x, y, 0) for x, y in feature.outline], dtype=np.int64), none, none)
    inside_ = all(wholly_in_area(corners, point, i, outline, len(outline)) for i in range(len(none)))
    return other.top == feature.bottom and inside_


# --- How far a model goes ---------------------------------------------------------------------------------------------


def along_surface(
    w: Any, path: Path, climbed: Callable[[Any, Path], float], swing: Callable[[Any, int, int], float]
) -> float:
    """How far the part of a base that moves furthest goes: flat, up and down as `climbed` says, and turning."""
    x, y, z = w.state.models.pos[path.model].tolist()
    facing = int(w.state.models.facing[path.model])
    flat, turned, level = 0.0, 0, z == 0
    for leg in path.legs:
        dx, dy = leg.x - x, leg.y - y
        flat += math.sqrt(dx * dx + dy * dy)
        turn = abs(leg.facing - facing)
        turned += min(turn, TURN - turn)
        level = level and leg.z == 0 and leg.do != "climb"
        x, y, facing = leg.x, leg.y, leg.facing
    return flat + (0 if level else climbed(w, path)) + swing(w, path.model, turned)


def climbs_along(w: AnyWorld, model: int, place: tuple[int, int, int], low: int, high: int, most: int) -> bool:
    """Whether a model at a place (x, y, facing) climbs from height to height along a feature no higher than `most`."""
    if high - low > most:
        return False
    x, y, facing = place
    pos = w.state.models.pos[model : model + 1].copy()
    pos[0] = (x, y, low)
    body = Bodies(pos, np.array([facing], dtype=np.int64), w.ground.shape[model : model + 1])
    terrain = w.terrain
    for f in range(len(terrain.corners)):
        fits = terrain.bottom[f] <= low and high <= terrain.top[f]
        is_low = fits and terrain.top[f] - terrain.bottom[f] <= most
        if is_low and area_gap(body, w.shapes, 0, terrain.outline[f], int(terrain.corners[f])) <= TOUCHING:
            return True
    return False


def arc(w: AnyWorld, model: int, turned: int) -> float:
    """How far the end of a base that is not round travels while it turns by so many steps of a turn."""
    return turned * 2.0 * math.pi / TURN * end_of_base(w, int(w.ground.shape[model]))


@kept(SETUP)
def end_of_base(w: AnyWorld, shape: int) -> float:
    """How far the part of a base that is furthest from its middle is away from it."""
    core = w.shapes.core[shape, : w.shapes.corners[shape]]
    return math.sqrt(int((core * core).sum(axis=1).max())) + int(w.shapes.radius[shape])


def on_terrain(w: AnyWorld, *points: tuple[int, int]) -> bool:
    """Whether any of some points lies on a terrain feature."""
    terrain = w.terrain
    return bool(lying_in(np.array(points, dtype=np.int64), terrain.outline, terrain.corners).any())
