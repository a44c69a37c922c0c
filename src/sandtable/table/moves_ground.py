"""The ground of a move: what a base can stand on, walk on and climb along."""

from __future__ import annotations

import math

import numpy as np

from sandtable.kernels import kernel
from sandtable.table.cores import core_gap, place_core
from sandtable.table.grid import COS, SIN, STEP, TRIG_SCALE, TURN, Ints
from sandtable.table.layout import Terrain
from sandtable.table.measure import core_edge_gap, core_in_area, inside
from sandtable.table.moves_scene import CORE, MIDDLE, NEAR_ENOUGH, OWN_CORNERS, OWN_RADIUS, Scene, sweep_core
from sandtable.table.shapes import Shapes


@kernel
def supported(terrain: Terrain, core: Ints, n: int, radius: int, z: int, cling: int) -> bool:
    """Whether a base at this height is so near something to walk on or to climb along."""
    if z <= 0:
        return True
    for f in range(terrain.floor_corners.shape[0]):
        level = terrain.floor_level[f, 0] == z
        if level and _reaches(core, n, radius + cling, terrain.floor[f], terrain.floor_corners[f]):
            return True
    for f in range(terrain.corners.shape[0]):
        if (
            terrain.solid[f] != 0
            and terrain.bottom[f] <= z <= terrain.top[f]
            and _reaches(core, n, radius + cling, terrain.outline[f], terrain.corners[f])
        ):
            return True
    wall = np.empty((2, 2), dtype=np.int64)
    for w in range(terrain.wall.shape[0]):
        if terrain.wall[w, 4] <= z <= terrain.wall[w, 5]:
            wall[0, 0], wall[0, 1] = terrain.wall[w, 0], terrain.wall[w, 1]
            wall[1, 0], wall[1, 1] = terrain.wall[w, 2], terrain.wall[w, 3]
            if core_gap(core, n, wall, 2) - (radius + terrain.wall[w, 6]) <= cling:
                return True
    return False


@kernel
def _reaches(core: Ints, n: int, radius: int, outline: Ints, m: int) -> bool:
    """Whether a core with a radius touches an area or is over it."""
    if core_edge_gap(core, n, outline, m) <= radius:
        return True
    return inside(float(core[0, 0]), float(core[0, 1]), outline, m)


@kernel
def walkable(terrain: Terrain, scene: Scene, x: int, y: int, z: int, tx: int, ty: int, tz: int) -> bool:
    """Whether a leg of the mover that ends above the ground has something to walk on or climb along, all along."""
    dx, dy, n = tx - x, ty - y, scene.things[0, OWN_CORNERS]
    radius, cling = scene.things[0, OWN_RADIUS], scene.things[0, NEAR_ENOUGH]
    pieces = 1
    if z == tz:
        pieces += int(math.sqrt(float(dx * dx + dy * dy))) // (STEP // 4)
    for i in range(1, pieces + 1):
        sweep_core(scene.points, n, x + dx * i // pieces, y + dy * i // pieces, 0, 0, scene.points[CORE:])
        if not supported(terrain, scene.points[CORE:], n, radius, tz, cling):
            return False
    return True


@kernel
def on_surface(terrain: Terrain, x: int, y: int, z: int) -> bool:
    """Whether there is ground at a point at exactly this height: the table, a floor, or the top of a solid feature."""
    if z == 0:
        return True
    for f in range(terrain.floor_corners.shape[0]):
        if terrain.floor_level[f, 0] == z and inside(float(x), float(y), terrain.floor[f], terrain.floor_corners[f]):
            return True
    for f in range(terrain.corners.shape[0]):
        top = terrain.solid[f] != 0 and terrain.top[f] == z
        if top and inside(float(x), float(y), terrain.outline[f], terrain.corners[f]):
            return True
    return False


@kernel
def stands(terrain: Terrain, core: Ints, n: int, radius: int, x: int, y: int, z: int, overhang: int) -> bool:
    """Whether a base has ground under it."""
    if z == 0:
        return True
    if overhang == MIDDLE:
        return on_surface(terrain, x, y, z)
    for f in range(terrain.floor_corners.shape[0]):
        if terrain.floor_level[f, 0] == z and core_in_area(core, n, radius, terrain.floor[f], terrain.floor_corners[f]):
            return True
    for f in range(terrain.corners.shape[0]):
        top = terrain.solid[f] != 0 and terrain.top[f] == z
        if top and core_in_area(core, n, radius, terrain.outline[f], terrain.corners[f]):
            return True
    return _stands_on_several(terrain, core, n, radius, x, y, z)


@kernel
def _stands_on_several(terrain: Terrain, core: Ints, n: int, radius: int, x: int, y: int, z: int) -> bool:
    """Whether points around the outline of a base all have ground, if not of one surface, then of several."""
    if not on_surface(terrain, x, y, z):
        return False
    round_about = 32 if radius > 0 else 1
    for c in range(n):
        for a in range(round_about):
            f = a * (TURN // round_about)
            px = core[c, 0] + radius * COS[f] // TRIG_SCALE
            py = core[c, 1] + radius * SIN[f] // TRIG_SCALE
            if not on_surface(terrain, px, py, z):
                return False
    return True


@kernel
def standing(shapes: Shapes, terrain: Terrain, shape: int, x: int, y: int, z: int, facing: int, overhang: int) -> bool:
    """Whether a model may stand there: on the ground, a floor or the top of a solid feature (MIDDLE or WHOLE)."""
    core = np.empty((shapes.core.shape[1], 2), dtype=np.int64)
    n = place_core(shapes, shape, x, y, facing, core)
    return stands(terrain, core, n, shapes.radius[shape], x, y, z, overhang)


@kernel
def levels(terrain: Terrain, x: int, y: int) -> Ints:
    """The heights that a point has ground at, lowest first."""
    out = np.zeros(1 + terrain.floor_corners.shape[0] + terrain.corners.shape[0], dtype=np.int64)
    n = 1
    for f in range(terrain.floor_corners.shape[0]):
        if inside(float(x), float(y), terrain.floor[f], terrain.floor_corners[f]):
            out[n] = terrain.floor_level[f, 0]
            n += 1
    for f in range(terrain.corners.shape[0]):
        if terrain.solid[f] != 0 and inside(float(x), float(y), terrain.outline[f], terrain.corners[f]):
            out[n] = terrain.top[f]
            n += 1
    return np.unique(out[:n])
