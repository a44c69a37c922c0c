"""What can stand in a line of sight, as one kind of thing: an upright prism over a convex core plus a radius.

Models, walls, floors, solid features and areas all become prisms, so that sight has one routine. An outline that is not
convex is cut into triangles first.
"""

from __future__ import annotations

import math
from typing import Any, Final, NamedTuple

import numpy as np

from sandtable.kernels import bare, kernel, leaf
from sandtable.table.cores import place_core
from sandtable.table.grid import Floats, Ints
from sandtable.table.layout import Terrain
from sandtable.table.shapes import Bodies, Shapes

MODEL: Final = 0
AREA: Final = 1
PHYSICAL: Final = 2

FAR: Final = 1.0e12
"""Higher and lower than anything on a table, yet small enough to be added and multiplied exactly enough."""


class Prisms(NamedTuple):
    """Row k below the number of models is model k; then come the parts of feature 0, of feature 1 and so on."""

    start: Ints
    """First corner of the core in `point`"""
    corners: Ints
    point: Floats
    """[corner, x y, and x y of the outward normal of the side to the next corner], anticlockwise"""
    radius: Floats
    low: Floats
    high: Floats
    part: Ints
    """MODEL, AREA or PHYSICAL"""
    owner: Ints
    """The model, or the feature"""
    middle_x: Floats
    middle_y: Floats
    reach: Floats
    """Radius of a disc around the middle that holds the prism"""


@leaf
def _turn(outline: Ints, a: int, b: int, c: int) -> int:
    """Twice the area of a triangle; positive for a turn to the left."""
    abx, aby = outline[b, 0] - outline[a, 0], outline[b, 1] - outline[a, 1]
    acx, acy = outline[c, 0] - outline[a, 0], outline[c, 1] - outline[a, 1]
    return abx * acy - aby * acx


@bare
def is_convex(outline: Ints, n: int) -> bool:
    """Whether an anticlockwise outline never turns right."""
    right_turns = 0
    for i in range(n):
        right_turns += _turn(outline, i, (i + 1) % n, (i + 2) % n) < 0
    return right_turns == 0


@bare
def _is_ear(outline: Ints, left: Ints, m: int, at: int) -> bool:
    """Whether the corner can be cut off without cutting any other corner that is left."""
    a, b, c = left[(at + m - 1) % m], left[at], left[(at + 1) % m]
    if _turn(outline, a, b, c) <= 0:
        return False
    for k in range(m):
        p = left[k]
        if p in (a, b, c):
            continue
        if _turn(outline, a, b, p) >= 0 and _turn(outline, b, c, p) >= 0 and _turn(outline, c, a, p) >= 0:
            return False
    return True


@kernel
def triangles(outline: Ints, n: int, out: Ints) -> int:
    """Cut an outline into triangles, as rows of three corner numbers; return how many there are."""
    left = np.arange(n)
    m, found = n, 0
    while m > 3:
        ear, flattest, least = -1, 0, -1
        for at in range(m):
            if _is_ear(outline, left, m, at):
                ear = at
                break
            bend = abs(_turn(outline, left[(at + m - 1) % m], left[at], left[(at + 1) % m]))
            if least < 0 or bend < least:
                flattest, least = at, bend
        if ear >= 0:
            out[found, 0], out[found, 1], out[found, 2] = left[(ear + m - 1) % m], left[ear], left[(ear + 1) % m]
            found += 1
        else:
            ear = flattest  # corners in a row, or an outline that crosses itself: leave the flattest corner out
        for k in range(ear, m - 1):
            left[k] = left[k + 1]
        m -= 1
    if _turn(outline, left[0], left[1], left[2]) > 0:
        out[found, 0], out[found, 1], out[found, 2] = left[0], left[1], left[2]
        found += 1
    return found


@bare
def _seal(prisms: Prisms, k: int, radius: float, low: float, high: float, part: int, owner: int) -> int:
    """Fill in the rest of a prism whose corners stand; return the number of the next one."""
    first, n = prisms.start[k], prisms.corners[k]
    prisms.radius[k], prisms.low[k], prisms.high[k] = radius, low, high
    prisms.part[k], prisms.owner[k] = part, owner
    left, right, front, back = FAR, -FAR, FAR, -FAR
    for i in range(first, first + n):
        left, right = min(left, prisms.point[i, 0]), max(right, prisms.point[i, 0])
        front, back = min(front, prisms.point[i, 1]), max(back, prisms.point[i, 1])
    x, y = (left + right) / 2.0, (front + back) / 2.0
    furthest = 0.0
    for i in range(first, first + n):
        dx, dy = prisms.point[i, 0] - x, prisms.point[i, 1] - y
        furthest = max(furthest, dx * dx + dy * dy)
    for i in range(first, first + n):
        j = i + 1 if i + 1 < first + n else first
        dx, dy = prisms.point[j, 0] - prisms.point[i, 0], prisms.point[j, 1] - prisms.point[i, 1]
        length = math.sqrt(dx * dx + dy * dy)
        if length > 0.0:
            prisms.point[i, 2], prisms.point[i, 3] = dy / length, -dx / length
    prisms.middle_x[k], prisms.middle_y[k] = x, y
    prisms.reach[k] = math.sqrt(furthest) + radius
    prisms.start[k + 1] = first + n
    return k + 1


@kernel
def _add_outline(prisms: Prisms, k: int, outline: Ints, n: int, low: float, high: float, part: int, owner: int) -> int:
    """Add the convex pieces of an outline; return the number of the next prism."""
    if is_convex(outline, n):
        first = prisms.start[k]
        for i in range(n):
            prisms.point[first + i, 0], prisms.point[first + i, 1] = outline[i, 0], outline[i, 1]
        prisms.corners[k] = n
        return _seal(prisms, k, 0.0, low, high, part, owner)
    cut = np.empty((n, 3), dtype=np.int64)
    for t in range(triangles(outline, n, cut)):
        first = prisms.start[k]
        for i in range(3):
            prisms.point[first + i, 0], prisms.point[first + i, 1] = outline[cut[t, i], 0], outline[cut[t, i], 1]
        prisms.corners[k] = 3
        k = _seal(prisms, k, 0.0, low, high, part, owner)
    return k


@kernel
def _add_models(prisms: Prisms, bodies: Bodies, shapes: Shapes) -> int:
    core = np.empty((shapes.core.shape[1], 2), dtype=np.int64)
    k = 0
    for i in range(bodies.pos.shape[0]):
        s = bodies.shape[i]
        n = place_core(shapes, s, bodies.pos[i, 0], bodies.pos[i, 1], bodies.facing[i], core)
        first = prisms.start[k]
        for c in range(n):
            prisms.point[first + c, 0], prisms.point[first + c, 1] = core[c, 0], core[c, 1]
        prisms.corners[k] = n
        low = float(bodies.pos[i, 2])
        k = _seal(prisms, k, float(shapes.radius[s]), low, low + shapes.height[s], MODEL, i)
    return k


@kernel
def _add_feature(prisms: Prisms, k: int, terrain: Terrain, f: int, band_top: float) -> int:
    """Add the area, the solid, the walls and the floors of a feature."""
    k = _add_outline(prisms, k, terrain.outline[f], terrain.corners[f], -FAR, band_top, AREA, f)
    if terrain.solid[f] != 0:
        low, high = float(terrain.bottom[f]), float(terrain.top[f])
        k = _add_outline(prisms, k, terrain.outline[f], terrain.corners[f], low, high, PHYSICAL, f)
    for w in range(terrain.wall.shape[0]):
        if terrain.wall[w, 7] != f:
            continue
        first = prisms.start[k]
        for i in range(2):
            for c in range(2):
                prisms.point[first + i, c] = terrain.wall[w, 2 * i + c]
        prisms.corners[k] = 2
        k = _seal(
            prisms, k, float(terrain.wall[w, 6]), float(terrain.wall[w, 4]), float(terrain.wall[w, 5]), PHYSICAL, f
        )
    for level in range(terrain.floor.shape[0]):
        if terrain.floor_level[level, 2] == f:
            high = float(terrain.floor_level[level, 0])
            low = high - terrain.floor_level[level, 1]
            k = _add_outline(prisms, k, terrain.floor[level], terrain.floor_corners[level], low, high, PHYSICAL, f)
    return k


@kernel
def _room(bodies: Bodies, shapes: Shapes, terrain: Terrain) -> tuple[int, int]:
    """The most prisms and corners that there can be."""
    prisms, points = bodies.pos.shape[0] + terrain.wall.shape[0], 2 * terrain.wall.shape[0]
    for i in range(bodies.pos.shape[0]):
        points += shapes.corners[bodies.shape[i]]
    for f in range(terrain.outline.shape[0]):
        prisms += 2 * terrain.corners[f]
        points += 6 * terrain.corners[f]
    for level in range(terrain.floor.shape[0]):
        prisms += terrain.floor_corners[level]
        points += 3 * terrain.floor_corners[level]
    return prisms, points


@kernel
def build(bodies: Bodies, shapes: Shapes, terrain: Terrain, band_top: Ints) -> Any:
    """All models and all parts of the terrain as prisms."""
    most, points = _room(bodies, shapes, terrain)
    prisms = Prisms(
        np.zeros(most + 1, dtype=np.int64),
        np.zeros(most, dtype=np.int64),
        np.zeros((points, 4), dtype=np.float64),
        np.zeros(most, dtype=np.float64),
        np.zeros(most, dtype=np.float64),
        np.zeros(most, dtype=np.float64),
        np.zeros(most, dtype=np.int64),
        np.zeros(most, dtype=np.int64),
        np.zeros(most, dtype=np.float64),
        np.zeros(most, dtype=np.float64),
        np.zeros(most, dtype=np.float64),
    )
    k = _add_models(prisms, bodies, shapes)
    for f in range(terrain.outline.shape[0]):
        k = _add_feature(prisms, k, terrain, f, min(FAR, float(band_top[f])))
    return Prisms(
        prisms.start[:k],
        prisms.corners[:k],
        prisms.point,
        prisms.radius[:k],
        prisms.low[:k],
        prisms.high[:k],
        prisms.part[:k],
        prisms.owner[:k],
        prisms.middle_x[:k],
        prisms.middle_y[:k],
        prisms.reach[:k],
    )
