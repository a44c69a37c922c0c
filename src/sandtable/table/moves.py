"""Moves: a path is a list of legs, and every leg is checked as a sweep of the whole base.

A leg goes straight, pivots on the spot, or climbs; it is a row (kind, x, y, z, facing) that holds the state at its end.
What may be moved through, and where a move may end, is decided by the rules system and handed over as `Obstacles`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from sandtable.kernels import kernel
from sandtable.table.cores import core_gap, place_core
from sandtable.table.grid import OVERLAP, STEP, TURN, Ints
from sandtable.table.layout import Terrain
from sandtable.table.moves_ground import levels, standing, stands, walkable
from sandtable.table.moves_scene import (
    CLOSED,
    CORE,
    MIDDLE,
    OK,
    OWN_CORNERS,
    OWN_RADIUS,
    POINTS,
    SPARE,
    SWEPT,
    THINGS,
    WHOLE,
    Code,
    Obstacles,
    Scene,
    add_mate,
    clash,
    gather,
    go_offence,
    grow_box,
    make_scene,
    obstacles,
    off_table,
    place_offence,
    sweep_core,
    turn_mover,
)
from sandtable.table.shapes import Bodies, Shapes

__all__ = [
    "CLIMB",
    "CLOSED",
    "GO",
    "MIDDLE",
    "PIVOT",
    "WHOLE",
    "Code",
    "Obstacles",
    "ends",
    "flight",
    "length",
    "levels",
    "may_end",
    "obstacles",
    "pad",
    "path",
    "standing",
    "start_of",
    "straight",
    "sweep",
    "sweep_unit",
    "turn_between",
    "warm_up",
]

GO: Final = 0
"""Straight ahead, to the side or back, without turning; to another height, it is a slope."""
PIVOT: Final = 1
"""Turn on the spot, the shorter way round."""
CLIMB: Final = 2
"""Straight up or down."""

TURN_ERROR: Final = STEP // 100
"""How much of a corner's swing may go unchecked between two positions of a pivot."""

RADIANS: Final = 2.0 * math.pi / TURN


_LEG: Final = int(Code.LEG)
_EDGE: Final = int(Code.EDGE)
_AIR: Final = int(Code.AIR)
_END_MODEL: Final = int(Code.END_MODEL)
_END_ZONE: Final = int(Code.END_ZONE)
_END_FLOOR: Final = int(Code.END_FLOOR)


# --- Paths -----------------------------------------------------------------------------------------------------------


def path(*legs: tuple[int, int, int, int, int]) -> Ints:
    """Legs as an array."""
    return np.array(legs, dtype=np.int64).reshape(len(legs), 5)


def straight(bodies: Bodies, model: int, x: int, y: int) -> Ints:
    """The path of one leg straight to a point, on the same height and with the same facing."""
    return path((GO, x, y, int(bodies.pos[model, 2]), int(bodies.facing[model])))


def pad(paths: Sequence[Ints]) -> tuple[Ints, Ints]:
    """The paths of a unit as one array and the number of legs of each."""
    counts = np.array([len(p) for p in paths], dtype=np.int64)
    out = np.zeros((len(paths), max(int(counts.max(initial=0)), 1), 5), dtype=np.int64)
    for i, p in enumerate(paths):
        out[i, : len(p)] = p
    return out, counts


@kernel
def start_of(bodies: Bodies, model: int) -> Ints:
    """Where a model stands: x, y, z, facing."""
    out = np.empty(4, dtype=np.int64)
    out[:3] = bodies.pos[model]
    out[3] = bodies.facing[model]
    return out


@kernel
def ends(bodies: Bodies, models: Ints, paths: Ints, counts: Ints) -> Ints:
    """Where the models of a unit stand after their paths, [model, x y z facing]."""
    out = np.empty((models.shape[0], 4), dtype=np.int64)
    for i in range(models.shape[0]):
        if counts[i] > 0:
            out[i] = paths[i, counts[i] - 1, 1:]
        else:
            out[i] = start_of(bodies, models[i])
    return out


@kernel
def length(start: Ints, legs: Ints, reach: int) -> tuple[float, int, float]:
    """How far a path goes: over ground, up and down, and the arc of the point that swings furthest in its pivots."""
    x, y, z, facing = start[0], start[1], start[2], start[3]
    flat, rise, turned = 0.0, 0, 0
    for i in range(legs.shape[0]):
        dx, dy = float(legs[i, 1] - x), float(legs[i, 2] - y)
        flat += math.sqrt(dx * dx + dy * dy)
        rise += abs(legs[i, 3] - z)
        turned += abs(turn_between(facing, legs[i, 4]))
        x, y, z, facing = legs[i, 1], legs[i, 2], legs[i, 3], legs[i, 4]
    return flat, rise, turned * RADIANS * reach


@kernel
def flight(start: Ints, legs: Ints) -> float:
    """How far a path goes through the air: each leg is a straight line in space."""
    x, y, z = start[0], start[1], start[2]
    total = 0.0
    for i in range(legs.shape[0]):
        dx, dy, dz = float(legs[i, 1] - x), float(legs[i, 2] - y), float(legs[i, 3] - z)
        total += math.sqrt(dx * dx + dy * dy + dz * dz)
        x, y, z = legs[i, 1], legs[i, 2], legs[i, 3]
    return total


@kernel
def turn_between(before: int, after: int) -> int:
    """The shorter turn between two facings; anticlockwise is positive, and so is half a turn."""
    turn = (after - before) % TURN
    return turn - TURN if turn > TURN // 2 else turn


# --- Sweeps -----------------------------------------------------------------------------------------------------------


@kernel
def pivot_offence(
    shapes: Shapes, shape: int, scene: Scene, x: int, y: int, z: int, before: int, after: int
) -> tuple[int, int]:
    """What is wrong with a pivot of the mover on the spot; it is left facing the new way."""
    n = scene.things[0, OWN_CORNERS]
    if n == 1:
        return OK, -1
    sweep_core(scene.points, n, x, y, 0, 0, scene.points[CORE:])
    swing = (shapes.reach[shape] - shapes.radius[shape]) * RADIANS / 2.0
    each = max(1, int(TURN_ERROR / swing))
    turn = turn_between(before, after)
    pieces = (abs(turn) + each - 1) // each
    for i in range(1, pieces + 1):
        place_core(shapes, shape, 0, 0, (before + turn * i // pieces) % TURN, scene.points)
        m = sweep_core(scene.points, n, x, y, 0, 0, scene.points[SWEPT:])
        if off_table(scene, scene.points[SWEPT:], m):
            return _EDGE, -1
        code, what = clash(scene, z, m, z, z)
        if code != OK:
            return code, what
    return OK, -1


@kernel
def _leg_error(leg: Ints, x: int, y: int, z: int, facing: int) -> bool:
    """Whether a leg changes what its kind may not change."""
    if leg[4] < 0 or leg[4] >= TURN or leg[3] < 0:
        return True
    moved = leg[1] != x or leg[2] != y
    if leg[0] == GO:
        return leg[4] != facing
    if leg[0] == PIVOT:
        return moved or leg[3] != z
    return leg[0] != CLIMB or moved or leg[4] != facing


@kernel
def _ground_offence(terrain: Terrain, scene: Scene, x: int, y: int, z: int, overhang: int) -> int:
    """What is wrong with the ground where `place_offence` has just put the mover."""
    n, radius = scene.things[0, OWN_CORNERS], scene.things[0, OWN_RADIUS]
    return OK if stands(terrain, scene.points[CORE:], n, radius, x, y, z, overhang) else _END_FLOOR


@kernel
def sweep_unit(
    bodies: Bodies, shapes: Shapes, terrain: Terrain, models: Ints, paths: Ints, counts: Ints, obstacles: Obstacles
) -> Ints:
    """The first offence in the move of each model of a unit: [model, code what leg].

    The unit's models may not end on each other. They move past each other, unless they go `in_order`: then each meets
    the others as it meets anybody, where they end if they come before in `models`, else where they start. A model
    without legs stays where it is: it may overlap what it overlapped, but `end_zone` holds for it too. `leg` is the
    offending leg, or -1 for the end.
    """
    out = np.empty((models.shape[0], 3), dtype=np.int64)
    own = np.zeros(bodies.shape.shape[0], dtype=np.uint8)
    for i in range(models.shape[0]):
        own[models[i]] = 1
    scene = make_scene(bodies, shapes, terrain)
    grounded = obstacles.grounded != 0 and obstacles.fly == 0
    finish = ends(bodies, models, paths, counts)
    gather(bodies, shapes, terrain, obstacles, own, _box_of_unit(bodies, shapes, models, paths, counts), scene)
    sizes = _sizes(bodies, shapes, models)
    things, points = scene.things[0, THINGS], scene.things[0, POINTS]
    for i in range(models.shape[0]):
        k = models[i]
        if obstacles.in_order != 0 and counts[i] > 0:
            scene.things[0, THINGS], scene.things[0, POINTS] = things, points
            for j in range(models.shape[0]):
                if j != i:
                    place = finish[j] if j < i else start_of(bodies, models[j])
                    add_mate(bodies, shapes, obstacles, models[j], place, scene)
        shape = bodies.shape[k]
        x, y, z, facing = bodies.pos[k, 0], bodies.pos[k, 1], bodies.pos[k, 2], bodies.facing[k]
        turn_mover(shapes, shape, facing, scene)
        code, what, at = OK, -1, -1
        # The whole table is handed on only where it is needed; on the ground, with few pivots, it is not.
        for n in range(counts[i]):
            leg = paths[i, n]
            tx, ty, tz = leg[1], leg[2], leg[3]
            if _leg_error(leg, x, y, z, facing):
                code = _LEG
            elif leg[0] == PIVOT:
                code, what = pivot_offence(shapes, shape, scene, x, y, z, facing, leg[4])
            else:
                code, what = go_offence(scene, x, y, z, tx, ty, tz)
                if code == OK and grounded and tz > 0 and not walkable(terrain, scene, x, y, z, tx, ty, tz):
                    code = _AIR
            if code != OK:
                at = n
                break
            x, y, z, facing = tx, ty, tz, leg[4]
        if code == OK:
            code, what = place_offence(scene, x, y, z)
            if code == OK and z != 0:
                code = _ground_offence(terrain, scene, x, y, z, obstacles.overhang)
            if counts[i] == 0 and code != _END_ZONE:
                code, what = OK, -1
        if code == OK and counts[i] > 0:
            j = _next_mate(sizes, counts, finish, i, -1)
            while j >= 0 and not _mates_overlap(bodies, shapes, models, finish, i, j, scene):
                j = _next_mate(sizes, counts, finish, i, j)
            if j >= 0:
                code, what = _END_MODEL, models[j]
        out[i, 0], out[i, 1], out[i, 2] = code, what, at
    return out


@kernel
def _box_of_unit(bodies: Bodies, shapes: Shapes, models: Ints, paths: Ints, counts: Ints) -> Ints:
    """The box around the paths of a unit's bases."""
    box = np.array([1 << 60, 1 << 60, -(1 << 60), -(1 << 60)], dtype=np.int64)
    for i in range(models.shape[0]):
        k = models[i]
        reach = shapes.reach[bodies.shape[k]]
        grow_box(box, bodies.pos[k, 0], bodies.pos[k, 1], reach)
        for leg in range(counts[i]):
            grow_box(box, paths[i, leg, 1], paths[i, leg, 2], reach)
    return box


@kernel
def _sizes(bodies: Bodies, shapes: Shapes, models: Ints) -> Ints:
    """How far the bases of a unit reach, and how tall its models are."""
    out = np.empty((models.shape[0], 2), dtype=np.int64)
    for i in range(models.shape[0]):
        s = bodies.shape[models[i]]
        out[i, 0], out[i, 1] = shapes.reach[s], shapes.height[s]
    return out


@kernel
def _next_mate(sizes: Ints, counts: Ints, finish: Ints, i: int, after: int) -> int:
    """The next model of the unit that model i may end on: one that stays, or that comes before it; or -1."""
    for j in range(after + 1, finish.shape[0]):
        if j == i or (j > i and counts[j] > 0):
            continue
        dx, dy, far = finish[i, 0] - finish[j, 0], finish[i, 1] - finish[j, 1], sizes[i, 0] + sizes[j, 0]
        over = finish[i, 2] + sizes[i, 1] > finish[j, 2] and finish[j, 2] + sizes[j, 1] > finish[i, 2]
        if over and dx * dx + dy * dy <= far * far:
            return j
    return -1


@kernel
def _mates_overlap(bodies: Bodies, shapes: Shapes, models: Ints, finish: Ints, i: int, j: int, scene: Scene) -> bool:
    """Whether the bases of two models of a unit overlap where they end."""
    s, t = bodies.shape[models[i]], bodies.shape[models[j]]
    a, b = scene.points[CORE:], scene.points[SPARE:]
    n = place_core(shapes, s, finish[i, 0], finish[i, 1], finish[i, 3], a)
    m = place_core(shapes, t, finish[j, 0], finish[j, 1], finish[j, 3], b)
    return core_gap(a, n, b, m) - (shapes.radius[s] + shapes.radius[t]) < OVERLAP


def sweep(
    bodies: Bodies, shapes: Shapes, terrain: Terrain, model: int, legs: Ints, obstacles: Obstacles
) -> tuple[Code, int]:
    """The first offence in the move of one model, and the model, wall, feature or floor that it is against (or -1)."""
    paths, counts = pad([legs])
    found = sweep_unit(bodies, shapes, terrain, np.array([model], dtype=np.int64), paths, counts, obstacles)
    return Code(int(found[0, 0])), int(found[0, 1])


@kernel
def may_end(bodies: Bodies, shapes: Shapes, terrain: Terrain, model: int, places: Ints, obstacles: Obstacles) -> Ints:
    """For each place (x, y, z, facing), what is wrong with the model ending there: [place, code what]."""
    out = np.empty((places.shape[0], 2), dtype=np.int64)
    if places.shape[0] == 0:
        return out
    own = np.zeros(bodies.shape.shape[0], dtype=np.uint8)
    own[model] = 1
    scene = make_scene(bodies, shapes, terrain)
    shape = bodies.shape[model]
    box, reach = np.empty(4, dtype=np.int64), shapes.reach[shape]
    box[0], box[1] = places[:, 0].min() - reach, places[:, 1].min() - reach
    box[2], box[3] = places[:, 0].max() + reach, places[:, 1].max() + reach
    gather(bodies, shapes, terrain, obstacles, own, box, scene)
    for i in range(places.shape[0]):
        if i == 0 or places[i, 3] != places[i - 1, 3]:
            turn_mover(shapes, shape, places[i, 3], scene)
        out[i, 0], out[i, 1] = place_offence(scene, places[i, 0], places[i, 1], places[i, 2])
        if out[i, 0] == OK and places[i, 2] != 0:
            out[i, 0] = _ground_offence(terrain, scene, places[i, 0], places[i, 1], places[i, 2], obstacles.overhang)
    return out


def warm_up() -> None:
    """Compile the kernels."""
    from sandtable.table.layout import Table, compile_terrain
    from sandtable.table.shapes import pack, round_base

    terrain = compile_terrain(Table(10 * STEP, 10 * STEP, "inch"))
    shapes = pack([round_base(1.0, 1.0)])
    start = np.array([[2048, 2048, 0], [4096, 4096, 0]], dtype=np.int64)
    bodies = Bodies(start, np.zeros(2, dtype=np.int64), np.zeros(2, dtype=np.int64))
    rules = obstacles(2, terrain, pass_block=1)
    legs = straight(bodies, 0, 3000, 3000)
    sweep(bodies, shapes, terrain, 0, legs, rules)
    sweep_unit(bodies, shapes, terrain, np.zeros(1, dtype=np.int64), *pad([legs]), rules)
    may_end(bodies, shapes, terrain, 0, np.ascontiguousarray(legs[:, 1:]), rules)
    standing(shapes, terrain, 0, 2048, 2048, 0, 0, WHOLE)
    levels(terrain, 2048, 2048)
    ends(bodies, np.zeros(1, dtype=np.int64), *pad([legs]))
    length(start_of(bodies, 0), legs, 512)
    flight(start_of(bodies, 0), legs)
