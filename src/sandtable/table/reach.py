"""Where a model can get to: a field of distances on a coarse grid, and outlines of it for the browser.

The field is a guide for suggestions and pictures, up to 3 % long; a move is judged by its own path.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np

from sandtable.kernels import kernel
from sandtable.table.cores import place_core
from sandtable.table.grid import COS, SIN, STEP, TRIG_SCALE, TURN, Floats, Ints
from sandtable.table.layout import Terrain
from sandtable.table.moves_ground import stands, supported
from sandtable.table.moves_scene import (
    CORE,
    NEAR_ENOUGH,
    OK,
    OWN_CORNERS,
    OWN_RADIUS,
    SWEPT,
    Flags,
    Obstacles,
    Scene,
    clash,
    gather,
    make_scene,
    off_table,
    place_offence,
    sweep_core,
    turn_mover,
)
from sandtable.table.path_level import heap_pop, heap_push
from sandtable.table.shapes import Bodies, Shapes

CELL: Final = STEP // 2
"""Width of a cell of the field."""

OUTLINE: Final = 64
"""Corners of a round outline."""

_UNKNOWN: Final = 0
_FREE: Final = 1
_BLOCKED: Final = 2

# The 16 steps of the field; the last eight are long ones that pass over two cells.
_MOVES: Final[Ints] = np.array(
    [
        *((1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1)),
        *((2, 1), (1, 2), (-1, 2), (-2, 1), (-2, -1), (-1, -2), (1, -2), (2, -1)),
    ],
    dtype=np.int64,
)


class Field(NamedTuple):
    """How far a model has to go to each cell; row 0, column 0 is the cell at the origin."""

    origin: Ints
    """x, y of the first cell's middle, in steps"""
    cell: int
    cost: Floats
    """[row, column] in steps; infinite where the model cannot get"""
    may_end: Flags
    """[row, column] whether it may end its move there"""


@kernel
def reach(
    bodies: Bodies,
    shapes: Shapes,
    terrain: Terrain,
    model: int,
    budget: int,
    cell: int,
    obstacles: Obstacles,
) -> Field:
    """The distances from a model to the places on its level that it can get to within a budget."""
    x, y, z, shape = bodies.pos[model, 0], bodies.pos[model, 1], bodies.pos[model, 2], bodies.shape[model]
    half = budget // cell + 1
    wide = 2 * half + 1
    origin = np.array([x - half * cell, y - half * cell], dtype=np.int64)
    far = half * cell + shapes.reach[shape]
    box = np.array([x - far, y - far, x + far, y + far], dtype=np.int64)
    own = np.zeros(bodies.shape.shape[0], dtype=np.uint8)
    own[model] = 1
    scene = make_scene(bodies, shapes, terrain)
    gather(bodies, shapes, terrain, obstacles, own, box, scene)
    turn_mover(shapes, shape, bodies.facing[model], scene)
    sweep_core(scene.points, scene.things[0, OWN_CORNERS], x, y, 0, 0, scene.points[CORE:])
    cost = np.full((wide, wide), np.inf, dtype=np.float64)
    state = np.zeros((wide, wide), dtype=np.uint8)
    if z > 0 and obstacles.grounded != 0 and obstacles.fly == 0:
        _block_air(terrain, scene, origin, cell, z, state)
    _spread(scene, origin, cell, z, float(budget), state, cost)
    may_end = np.zeros((wide, wide), dtype=np.uint8)
    for row in range(wide):
        for column in range(wide):
            if cost[row, column] <= budget:
                px, py = origin[0] + column * cell, origin[1] + row * cell
                code, _ = place_offence(scene, px, py, z)
                free = code == OK
                if free and z != 0:
                    free = _has_ground(terrain, scene, px, py, z, obstacles.overhang)
                may_end[row, column] = free
    return Field(origin, cell, cost, may_end)


@kernel
def _has_ground(terrain: Terrain, scene: Scene, x: int, y: int, z: int, overhang: int) -> bool:
    """Whether the mover has ground where it has just been put."""
    n = scene.things[0, OWN_CORNERS]
    return stands(terrain, scene.points[CORE:], n, scene.things[0, OWN_RADIUS], x, y, z, overhang)


@kernel
def _block_air(terrain: Terrain, scene: Scene, origin: Ints, cell: int, z: int, state: Flags) -> None:
    """Mark the cells where there is nothing to walk on."""
    n, swept = scene.things[0, OWN_CORNERS], scene.points[SWEPT:]
    for row in range(state.shape[0]):
        for column in range(state.shape[1]):
            sweep_core(scene.points, n, origin[0] + column * cell, origin[1] + row * cell, 0, 0, swept)
            if not supported(terrain, swept, n, scene.things[0, OWN_RADIUS], z, scene.things[0, NEAR_ENOUGH]):
                state[row, column] = _BLOCKED


@kernel
def _spread(scene: Scene, origin: Ints, cell: int, z: int, budget: float, state: Flags, cost: Floats) -> None:
    """Fill in the costs from the middle of the field outwards."""
    wide = cost.shape[0]
    keys, heap = np.empty(16 * wide * wide, dtype=np.float64), np.empty(16 * wide * wide, dtype=np.int64)
    middle = wide // 2
    cost[middle, middle], state[middle, middle] = 0.0, _FREE
    size = heap_push(keys, heap, 0, 0.0, middle * wide + middle)
    while size > 0:
        at = keys[0]
        size = heap_pop(keys, heap, size)
        row, column = heap[size] // wide, heap[size] % wide
        if at > cost[row, column]:
            continue
        for k in range(_MOVES.shape[0]):
            r, c = row + _MOVES[k, 1], column + _MOVES[k, 0]
            if r < 0 or c < 0 or r >= wide or c >= wide:
                continue
            dx, dy = float(_MOVES[k, 0] * cell), float(_MOVES[k, 1] * cell)
            total = at + math.sqrt(dx * dx + dy * dy)
            if total > budget or total >= cost[r, c]:
                continue
            free = state[r, c]
            if free == _UNKNOWN:
                free = _look(scene, origin, cell, z, state, r, c)
            if free == _FREE and k >= 8:
                free = _look_between(scene, origin, cell, z, state, row, column, k)
            if free == _FREE:
                cost[r, c] = total
                size = heap_push(keys, heap, size, total, r * wide + c)


@kernel
def _look_between(
    scene: Scene,
    origin: Ints,
    cell: int,
    z: int,
    state: Flags,
    row: int,
    column: int,
    k: int,
) -> int:
    """Whether the two cells are free that a long step passes over."""
    dr, dc = _MOVES[k, 1], _MOVES[k, 0]
    r, c = (dr // 2 if abs(dr) == 2 else 0), (dc // 2 if abs(dc) == 2 else 0)
    first, second = state[row + r, column + c], state[row + dr - r, column + dc - c]
    if first == _UNKNOWN:
        first = _look(scene, origin, cell, z, state, row + r, column + c)
    if second == _UNKNOWN:
        second = _look(scene, origin, cell, z, state, row + dr - r, column + dc - c)
    return max(first, second)


@kernel
def _look(scene: Scene, origin: Ints, cell: int, z: int, state: Flags, row: int, column: int) -> int:
    """Find out whether the mover can be in a cell."""
    n, swept = scene.things[0, OWN_CORNERS], scene.points[SWEPT:]
    sweep_core(scene.points, n, origin[0] + column * cell, origin[1] + row * cell, 0, 0, swept)
    free = not off_table(scene, swept, n)
    if free:
        code, _ = clash(scene, z, n, z, z)
        free = code == OK
    state[row, column] = _FREE if free else _BLOCKED
    return state[row, column]


# --- Outlines --------------------------------------------------------------------------------------------------------


def reach_polygons(field: Field, budget: float) -> list[Ints]:
    """The outlines [n, x y] of where the model may end within a budget; holes run clockwise."""
    value = np.where(field.may_end != 0, budget - field.cost, -np.inf)
    # Beyond the last place that is known to be good, the outline runs half a cell on.
    value = np.pad(np.clip(value, -field.cell / 2, field.cell / 2), 1, constant_values=-field.cell / 2)
    follow = _contour_steps(value > 0)
    rings: list[Ints] = []
    while follow:
        key, _ = next(iter(follow.items()))
        ring = []
        while key in follow:
            ring.append(_crossing(value, key, field))
            key = follow.pop(key)
        rings.append(np.array(ring, dtype=np.int64))
    return rings


# A side of a square between four cells: row and column of its lower cell, and whether it goes up.
_Side = tuple[int, int, bool]


def _contour_steps(good: np.ndarray) -> dict[_Side, _Side]:
    """From each side that the outline crosses to the next one, the good cells on the left."""
    follow: dict[_Side, _Side] = {}
    mixed = good[:-1, :-1].astype(int) + good[:-1, 1:] + good[1:, :-1] + good[1:, 1:]
    for r, c in np.argwhere((mixed > 0) & (mixed < 4)).tolist():
        # Around the square anticlockwise: an outline enters where good turns bad and leaves where bad turns good.
        sides: list[_Side] = [(r, c, False), (r, c + 1, True), (r + 1, c, False), (r, c, True)]
        corners = [good[r, c], good[r, c + 1], good[r + 1, c + 1], good[r + 1, c]]
        enters = [i for i in range(4) if corners[i] and not corners[(i + 1) % 4]]
        for i in enters:
            # Each run of good corners is cut off by itself, so two that meet at a point stay apart.
            j = i
            while corners[j]:
                j = (j - 1) % 4
            follow[sides[i]] = sides[j]
    return follow


def _crossing(value: Floats, side: _Side, field: Field) -> tuple[int, int]:
    """Where the outline crosses a side."""
    row, column, up = side
    here = value[row, column]
    there = value[row + 1, column] if up else value[row, column + 1]
    part = here / (here - there)
    x = field.origin[0] + (column - 1 + (0.0 if up else part)) * field.cell
    y = field.origin[1] + (row - 1 + (part if up else 0.0)) * field.cell
    return round(float(x)), round(float(y))


def zone_polygons(bodies: Bodies, shapes: Shapes, zone: Ints) -> list[tuple[int, Ints]]:
    """The outlines of the zones around models, each with its model; `zone` is 0 for those without."""
    out: list[tuple[int, Ints]] = []
    core = np.empty((shapes.core.shape[1], 2), dtype=np.int64)
    around = np.arange(OUTLINE) * (TURN // OUTLINE)
    c, s = COS[around], SIN[around]
    for k in np.flatnonzero(zone).tolist():
        shape = int(bodies.shape[k])
        x, y = int(bodies.pos[k, 0]), int(bodies.pos[k, 1])
        n = place_core(shapes, shape, x, y, int(bodies.facing[k]), core)
        corner = core[np.argmax(np.outer(c, core[:n, 0]) + np.outer(s, core[:n, 1]), axis=1)]
        far = int(shapes.radius[shape] + zone[k])
        ring = np.stack([corner[:, 0] + far * c // TRIG_SCALE, corner[:, 1] + far * s // TRIG_SCALE], axis=1)
        out.append((k, ring.astype(np.int64)))
    return out


def warm_up() -> None:
    """Compile the kernels."""
    from sandtable.table.layout import Table, compile_terrain
    from sandtable.table.moves_scene import obstacles
    from sandtable.table.shapes import pack, round_base

    terrain = compile_terrain(Table(10 * STEP, 10 * STEP, "inch"))
    shapes = pack([round_base(1.0, 1.0)])
    pos = np.array([[2048, 2048, 0], [4096, 4096, 0]], dtype=np.int64)
    bodies = Bodies(pos, np.zeros(2, dtype=np.int64), np.zeros(2, dtype=np.int64))
    reach(bodies, shapes, terrain, 0, 1024, CELL, obstacles(2, terrain, end_block=1))
