"""Climbing in a straight line and over a field: how high a model is along a way, and how far ways are that climb."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from sandtable.kernels import kernel
from sandtable.table.grid import STEP, Bools, Floats, Ints
from sandtable.table.layout import Terrain
from sandtable.table.moves import CLIMB, GO, Code, obstacles
from sandtable.table.moves_scene import Obstacles, Scene, gather, make_scene, place_offence, turn_mover
from sandtable.table.shapes import Bodies, Shapes

STACKED: Final = 6
"""So many things on top of each other are climbed one after the other."""
STEPS: Final[Ints] = np.array(
    [
        *((1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1)),
        *((2, 1), (1, 2), (-1, 2), (-2, 1), (-2, -1), (-1, -2), (1, -2), (2, -1)),
    ],
    dtype=np.int64,
)
"""From cell to cell; the last eight are long ones, which are taken on one height only."""
_IN_WALL: Final = int(Code.END_WALL)
_IN_SOLID: Final = int(Code.END_SOLID)


# --- In a straight line -----------------------------------------------------------------------------------------------


@kernel
def straight_over(
    bodies: Bodies,
    shapes: Shapes,
    terrain: Terrain,
    model: int,
    steep: Obstacles,
    wall_top: Ints,
    top: Ints,
    start: Ints,
    goal: Ints,
    pace: int,
) -> Ints:
    """Legs straight from place to place, up and down the faces of what is `steep`: [leg, kind x y z facing].

    The heights along the way are looked up a `pace` apart; `wall_top` and `top` are those of walls and features.
    """
    own = np.zeros(bodies.shape.shape[0], dtype=np.uint8)
    own[model] = 1
    shape, facing = bodies.shape[model], bodies.facing[model]
    reach = shapes.reach[shape]
    box = np.empty(4, dtype=np.int64)
    box[0], box[1] = min(start[0], goal[0]) - reach, min(start[1], goal[1]) - reach
    box[2], box[3] = max(start[0], goal[0]) + reach, max(start[1], goal[1]) + reach
    scene = make_scene(bodies, shapes, terrain)
    gather(bodies, shapes, terrain, steep, own, box, scene)
    turn_mover(shapes, shape, facing, scene)
    parts = max(abs(goal[0] - start[0]), abs(goal[1] - start[1]), 1)
    legs = np.empty((2 * (parts // pace + 4), 5), dtype=np.int64)
    now = start.copy()
    low = _height(scene, wall_top, top, start, goal, parts, 0)
    made = _step_to(legs, 0, now, start[0], start[1], low, facing)
    one = 0
    while one < parts:
        other = min(one + pace, parts)
        high = _height(scene, wall_top, top, start, goal, parts, other)
        if low != high:
            # The face: the last spot before it on the way up, the first one after it on the way down.
            foot, face = (one, other) if low < high else (other, one)
            while abs(foot - face) > 1:
                middle = (foot + face) // 2
                if _height(scene, wall_top, top, start, goal, parts, middle) > min(low, high):
                    face = middle
                else:
                    foot = middle
            x, y = _spot(start, goal, parts, foot, 0), _spot(start, goal, parts, foot, 1)
            made = _step_to(legs, made, now, x, y, high, facing)
        one, low = other, high
    return legs[: _step_to(legs, made, now, goal[0], goal[1], goal[2], facing)]


@kernel
def _spot(start: Ints, goal: Ints, parts: int, part: int, axis: int) -> int:
    return start[axis] + ((goal[axis] - start[axis]) * part + parts // 2) // parts


@kernel
def _height(scene: Scene, wall_top: Ints, top: Ints, start: Ints, goal: Ints, parts: int, part: int) -> int:
    """How high the mover is at one part of its way, above all that it meets there."""
    x, y, z = _spot(start, goal, parts, part, 0), _spot(start, goal, parts, part, 1), 0
    for _ in range(STACKED):
        code, what = place_offence(scene, x, y, z)
        if code == _IN_WALL:
            z = wall_top[what]
        elif code == _IN_SOLID:
            z = top[what]
        else:
            break
    return z


@kernel
def _step_to(legs: Ints, made: int, now: Ints, x: int, y: int, z: int, facing: int) -> int:
    """Go on to a spot, and climb there to a height; how many legs there are then."""
    if x != now[0] or y != now[1]:
        legs[made, 0], legs[made, 1], legs[made, 2], legs[made, 3], legs[made, 4] = GO, x, y, now[2], facing
        made += 1
    if z != now[2]:
        legs[made, 0], legs[made, 1], legs[made, 2], legs[made, 3], legs[made, 4] = CLIMB, x, y, z, facing
        made += 1
    now[0], now[1], now[2] = x, y, z
    return made


# --- Over a field -----------------------------------------------------------------------------------------------------


@kernel
def spread(cost: Floats, height: Ints, closed: Bools, most: int, cell: int) -> tuple[Floats, Ints]:
    """Let the lengths of ways run from the start over all cells, until none gets shorter; and the steps back.

    In each round those cells that came by a shorter way pass it on; of equal ways the first of the steps counts.
    """
    n = cost.shape[0]
    now, best, back = cost.copy(), cost.copy(), np.zeros((n, n), dtype=np.int64)
    shut = closed.copy()
    shut[n // 2, n // 2] = False
    lately = np.full((n, n), -1, dtype=np.int64)
    front, following = np.empty((n * n, 2), dtype=np.int64), np.empty((n * n, 2), dtype=np.int64)
    size = 0
    for row in range(n):
        for column in range(n):
            if cost[row, column] < np.inf:
                front[size, 0], front[size, 1] = row, column
                size += 1
    for turn in range(4 * n):
        found = 0
        for i in range(size):
            row, column = front[i, 0], front[i, 1]
            for k in range(STEPS.shape[0]):
                dx, dy = STEPS[k, 0], STEPS[k, 1]
                r, c = row - dy, column - dx
                if r < 0 or r >= n or c < 0 or c >= n or shut[r, c]:
                    continue
                rise = abs(height[row, column] - height[r, c])
                length = now[row, column] + (math.sqrt(dx * dx + dy * dy) * cell + rise)
                is_first = length == best[r, c] and lately[r, c] == turn and k < back[r, c]
                if length > most or not (length < best[r, c] or is_first) or not _is_free(height, shut, r, c, dx, dy):
                    continue
                best[r, c], back[r, c] = length, k
                if lately[r, c] != turn:
                    lately[r, c] = turn
                    following[found, 0], following[found, 1] = r, c
                    found += 1
        for i in range(found):
            now[following[i, 0], following[i, 1]] = best[following[i, 0], following[i, 1]]
        if found == 0:
            break
        front, following, size = following, front, found
    return now, back


@kernel
def _is_free(height: Ints, shut: Bools, row: int, column: int, dx: int, dy: int) -> bool:
    """Whether a step from cell to cell is open; a long one keeps to its height, past both cells beside it."""
    if shut[row + dy, column + dx]:
        return False
    if abs(dx) + abs(dy) < 3:
        return True
    here, ax, ay = height[row, column], np.sign(dx), np.sign(dy)
    if height[row + dy, column + dx] != here:
        return False
    if shut[row + ay, column + ax] or height[row + ay, column + ax] != here:
        return False
    bx, by = dx - ax, dy - ay
    return not shut[row + by, column + bx] and height[row + by, column + bx] == here


def warm_up() -> None:
    """Compile the kernels."""
    from sandtable.table.layout import Table, compile_terrain
    from sandtable.table.shapes import pack, round_base

    terrain = compile_terrain(Table(10 * STEP, 10 * STEP, "inch"))
    one = np.array([[2048, 2048, 0]], dtype=np.int64)
    bodies = Bodies(one, np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64))
    goal, tops = np.array([4096, 4096, 0], dtype=np.int64), np.zeros(1, dtype=np.int64)
    steep = obstacles(1, terrain)
    straight_over(bodies, pack([round_base(1.0, 1.0)]), terrain, 0, steep, tops, tops, one[0].copy(), goal, 128)
    spread(np.zeros((3, 3)), np.zeros((3, 3), dtype=np.int64), np.zeros((3, 3), dtype=np.bool_), STEP, STEP)
