"""Base contact: the places where a base touches another, found from the free arcs of its contact outline.

For two round bases the ends of the free arcs are exact: they are where the contact circle meets the grown outlines of
other bases, walls and edges. Around ovals and hulls the grown outline is walked in small steps.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from sandtable.kernels import bare, kernel
from sandtable.table.cores import core_gap, place_core
from sandtable.table.grid import COS, SIN, STEP, TOUCHING, TRIG_SCALE, TURN, Floats, Ints
from sandtable.table.layout import Terrain
from sandtable.table.measure import IN_SPACE
from sandtable.table.moves_ground import stands
from sandtable.table.moves_scene import (
    CORE,
    CORNERS,
    END_UP,
    END_ZONE,
    FIRST,
    OK,
    OWN_CORNERS,
    OWN_RADIUS,
    RADIUS,
    THINGS,
    Obstacles,
    Scene,
    end_width,
    gather,
    grow_box,
    make_scene,
    place_offence,
    turn_mover,
)
from sandtable.table.shapes import Bodies, Shapes
from sandtable.table.straight import is_open

SAMPLES: Final = 64
"""Directions that are tried besides the ends of free arcs."""

WALK: Final = STEP // 64
"""How far apart two tries on the outline of an oval or a hull are."""

DIRECTIONS: Final = 1024
"""Directions of the contact outline of an oval or a hull."""

SWAY: Final = 2 * WALK
"""More than an end of a free run is pushed on."""

OFTEN: Final = 4
"""Every so many tries on the outline of an oval or a hull are places where it matters how far others are."""

UNKNOWN, BAD, GOOD, END = range(4)
"""What a try on the outline of an oval or a hull turned out to be."""

ANY: Final = 1 << 30
"""Further than any table, and more than there are."""

MARGIN: Final = 1.0
"""Contact is aimed at a gap of one step, so that rounding to the grid neither overlaps nor parts the bases."""


@kernel
def contact_spots(
    bodies: Bodies,
    shapes: Shapes,
    terrain: Terrain,
    model: int,
    facing: int,
    target: int,
    toward_x: int,
    toward_y: int,
    obstacles: Obstacles,
    far: int,
    most: int,
) -> Ints:
    """Places [n, x y] where a model, with this facing and on the target's height, may end touching the target.

    The nearest to the point `toward` comes first. None is found exactly when no free arc is left, down to arcs of about
    two steps for round bases and a sixty-fourth of a unit for others. No more than `most` are found, and none that is
    much further from that point than `far`.
    """
    scene = _scene_around(bodies, shapes, terrain, model, target, obstacles)
    rings = np.empty((0, 3), dtype=np.float64)
    return _spots(
        bodies, shapes, terrain, scene, model, facing, target, toward_x, toward_y, obstacles, rings, far, most
    )


@kernel
def contacts(
    bodies: Bodies,
    shapes: Shapes,
    terrain: Terrain,
    model: int,
    facing: int,
    target: int,
    toward_x: int,
    toward_y: int,
    obstacles: Obstacles,
    rings: Floats,
    slant: bool,
    far: int,
    most: int,
) -> Ints:
    """The same with a third column, 1 where the straight way from where the model stands is open.

    Where the contact circle of two round bases meets one of the `rings` [n, x y radius], there are places, too: with
    the reach of the model and that of its links among them, no way to touch the target within these is overlooked.
    Around ovals and hulls, where circles say little, places are then a sixteenth of a unit apart.
    """
    scene = _scene_around(bodies, shapes, terrain, model, target, obstacles)
    found = _spots(
        bodies, shapes, terrain, scene, model, facing, target, toward_x, toward_y, obstacles, rings, far, most
    )
    out = np.empty((found.shape[0], 3), dtype=np.int64)
    grounded = obstacles.grounded != 0 and obstacles.fly == 0
    sx, sy, sz = bodies.pos[model, 0], bodies.pos[model, 1], bodies.pos[model, 2]
    z = bodies.pos[target, 2]
    for i in range(found.shape[0]):
        out[i, 0], out[i, 1] = found[i, 0], found[i, 1]
        out[i, 2] = is_open(terrain, scene, grounded, slant, sx, sy, sz, found[i, 0], found[i, 1], z)
    return out


@kernel
def _spots(
    bodies: Bodies,
    shapes: Shapes,
    terrain: Terrain,
    scene: Scene,
    model: int,
    facing: int,
    target: int,
    toward_x: int,
    toward_y: int,
    obstacles: Obstacles,
    rings: Floats,
    far: int,
    most: int,
) -> Ints:
    """Where the mover of a scene may end, the nearest first."""
    z, shape = bodies.pos[target, 2], bodies.shape[model]
    turn_mover(shapes, shape, facing, scene)
    other = np.empty((shapes.core.shape[1], 2), dtype=np.int64)
    x, y = bodies.pos[target, 0], bodies.pos[target, 1]
    m = place_core(shapes, bodies.shape[target], x, y, bodies.facing[target], other)
    apart = float(shapes.radius[shape] + shapes.radius[bodies.shape[target]])
    both_round = m == 1 and scene.things[0, OWN_CORNERS] == 1
    if both_round:
        tries = _arc_ends(scene, x, y, apart + MARGIN, z, toward_x, toward_y, terrain.size, rings)
    else:
        tries = _walk_outline(scene, other, m, apart + MARGIN)
    total = tries.shape[0]
    square = np.empty(total, dtype=np.int64)
    for i in range(total):
        dx, dy = tries[i, 0] - toward_x, tries[i, 1] - toward_y
        square[i] = dx * dx + dy * dy
    known = np.full(total, UNKNOWN, dtype=np.int64)
    often = OFTEN if rings.shape[0] > 0 else SAMPLES // 2
    keep = np.zeros(total, dtype=np.bool_)
    spots = tries.copy()
    number, wanted, enough, nearest = 0, most, math.inf, True
    for i in np.argsort(square, kind="mergesort"):
        away = math.sqrt(square[i])
        if away > far + SWAY:
            break
        if away > enough:
            if _nearest_first(spots, keep, toward_x, toward_y).shape[0] >= most:
                break
            wanted, enough = number + 1, math.inf
        if both_round:
            x, y = tries[i, 0], tries[i, 1]
            keep[i] = _touches(scene, other, m, apart, x, y, z)
            keep[i] = keep[i] and (z == 0 or _has_ground(terrain, scene, x, y, z, obstacles.overhang))
        else:
            now = _try(terrain, scene, other, m, apart, tries, i, z, obstacles.overhang, known, often, spots[i])
            keep[i] = now == END or (now == GOOD and nearest)
            nearest = nearest and now == BAD
        if keep[i]:
            number += 1
            if number == wanted:
                enough = away + (0.0 if both_round else 2.0 * SWAY)
    return _nearest_first(spots, keep, toward_x, toward_y)[:most]


@kernel
def _scene_around(
    bodies: Bodies, shapes: Shapes, terrain: Terrain, model: int, target: int, obstacles: Obstacles
) -> Scene:
    """What may keep a model from touching the target, and from going there."""
    own = np.zeros(bodies.shape.shape[0], dtype=np.uint8)
    own[model] = 1
    reach = shapes.reach[bodies.shape[model]]
    far = 2 * reach + shapes.reach[bodies.shape[target]] + 4
    box = np.empty(4, dtype=np.int64)
    box[0], box[1] = bodies.pos[target, 0] - far, bodies.pos[target, 1] - far
    box[2], box[3] = bodies.pos[target, 0] + far, bodies.pos[target, 1] + far
    grow_box(box, bodies.pos[model, 0], bodies.pos[model, 1], reach)
    scene = make_scene(bodies, shapes, terrain)
    gather(bodies, shapes, terrain, obstacles, own, box, scene)
    return scene


@kernel
def _touches(scene: Scene, other: Ints, m: int, apart: float, x: int, y: int, z: int) -> bool:
    """Whether the mover touches the target at a place, and nothing there keeps it from ending its move."""
    code, _ = place_offence(scene, x, y, z)
    if code != OK:
        return False
    gap = core_gap(scene.points[CORE:], scene.things[0, OWN_CORNERS], other, m) - apart
    return gap >= 0.0 and gap <= TOUCHING


@kernel
def _has_ground(terrain: Terrain, scene: Scene, x: int, y: int, z: int, overhang: int) -> bool:
    """Whether the mover has ground where it was put last."""
    n, radius = scene.things[0, OWN_CORNERS], scene.things[0, OWN_RADIUS]
    return stands(terrain, scene.points[CORE:], n, radius, x, y, z, overhang)


@kernel
def _nearest_first(tries: Ints, good: np.ndarray, toward_x: int, toward_y: int) -> Ints:
    """The good tries without repeats, the nearest to a point first."""
    n = 0
    far = np.empty(tries.shape[0], dtype=np.int64)
    index = np.empty(tries.shape[0], dtype=np.int64)
    for i in range(tries.shape[0]):
        if good[i]:
            dx, dy = tries[i, 0] - toward_x, tries[i, 1] - toward_y
            far[n], index[n] = dx * dx + dy * dy, i
            n += 1
    order = np.argsort(far[:n], kind="mergesort")
    out = np.empty((n, 2), dtype=np.int64)
    k = 0
    for i in range(n):
        t = tries[index[order[i]]]
        if k == 0 or t[0] != out[k - 1, 0] or t[1] != out[k - 1, 1]:
            out[k, 0], out[k, 1] = t[0], t[1]
            k += 1
    return out[:k].copy()


# --- Round against round ---------------------------------------------------------------------------------------------


@kernel
def _arc_ends(
    scene: Scene, x: int, y: int, radius: float, z: int, toward_x: int, toward_y: int, size: Ints, rings: Floats
) -> Ints:
    """Tries on a contact circle: the ends of its free arcs, the point nearest to `toward`, and some all around."""
    things, points = scene.things, scene.points
    count = things[0, THINGS]
    most = SAMPLES + 9 + 2 * rings.shape[0]
    for row in range(1, count):
        most += 6 * things[row, CORNERS]
    tries = np.empty((most, 2), dtype=np.int64)
    n = 0
    dx, dy = float(toward_x - x), float(toward_y - y)
    away = math.sqrt(dx * dx + dy * dy)
    if away > 0.0:
        n = _put(tries, n, x + dx * radius / away, y + dy * radius / away)
    for i in range(SAMPLES):
        f = i * (TURN // SAMPLES)
        n = _put(tries, n, x + radius * COS[f] / TRIG_SCALE, y + radius * SIN[f] / TRIG_SCALE)
    r = scene.things[0, OWN_RADIUS]
    n = _meet_line(tries, n, x, y, radius, 0.0, 1.0, float(r))
    n = _meet_line(tries, n, x, y, radius, 0.0, 1.0, float(size[1] - r))
    n = _meet_line(tries, n, x, y, radius, 1.0, 0.0, float(r))
    n = _meet_line(tries, n, x, y, radius, 1.0, 0.0, float(size[0] - r))
    for row in range(1, count):
        first, corners = things[row, FIRST], things[row, CORNERS]
        grown = float(r + things[row, RADIUS])
        if things[row, END_ZONE] > 0:
            width = float(things[row, END_ZONE])
            if things[0, END_UP] == IN_SPACE:
                width = max(0.0, end_width(scene, row, z))
            grown += width + 1.0
        for i in range(corners):
            ax, ay = points[first + i, 0], points[first + i, 1]
            n = _meet_circle(tries, n, x, y, radius, float(ax), float(ay), grown)
            if corners > 1:
                j = first + i + 1 if i + 1 < corners else first
                ex, ey = float(points[j, 0] - ax), float(points[j, 1] - ay)
                side = math.sqrt(ex * ex + ey * ey)
                if side > 0.0:
                    nx, ny = ey / side, -ex / side
                    n = _meet_line(tries, n, x, y, radius, nx, ny, nx * ax + ny * ay + grown)
                    n = _meet_line(tries, n, x, y, radius, nx, ny, nx * ax + ny * ay - grown)
    for k in range(rings.shape[0]):
        n = _meet_circle(tries, n, x, y, radius, rings[k, 0], rings[k, 1], rings[k, 2])
    return tries[:n]


@kernel
def _put(tries: Ints, n: int, x: float, y: float) -> int:
    """Add a point, snapped to the grid, to the tries."""
    tries[n, 0], tries[n, 1] = math.floor(x + 0.5), math.floor(y + 0.5)
    return n + 1


@kernel
def _meet_circle(tries: Ints, n: int, x: int, y: int, radius: float, cx: float, cy: float, other: float) -> int:
    """Add the points where two circles meet."""
    dx, dy = cx - x, cy - y
    d2 = dx * dx + dy * dy
    if d2 == 0.0:
        return n
    along = (d2 + radius * radius - other * other) / (2.0 * d2)
    high2 = radius * radius / d2 - along * along
    if high2 < 0.0:
        return n
    high = math.sqrt(high2)
    n = _put(tries, n, x + along * dx - high * dy, y + along * dy + high * dx)
    return _put(tries, n, x + along * dx + high * dy, y + along * dy - high * dx)


@kernel
def _meet_line(tries: Ints, n: int, x: int, y: int, radius: float, nx: float, ny: float, level: float) -> int:
    """Add the points where a circle meets the line nx * x + ny * y = level."""
    away = level - (nx * x + ny * y)
    half2 = radius * radius - away * away
    if half2 < 0.0:
        return n
    half = math.sqrt(half2)
    n = _put(tries, n, x + away * nx - half * ny, y + away * ny + half * nx)
    return _put(tries, n, x + away * nx + half * ny, y + away * ny - half * nx)


# --- Ovals and hulls -------------------------------------------------------------------------------------------------


@kernel
def _outline_point(scene: Scene, other: Ints, m: int, apart: float, f: int, out: np.ndarray) -> None:
    """Write where the mover's middle is when it touches the target with its back to direction f."""
    c, s = COS[f], SIN[f]
    best = 0
    for i in range(1, m):
        if other[i, 0] * c + other[i, 1] * s > other[best, 0] * c + other[best, 1] * s:
            best = i
    n, base = scene.things[0, OWN_CORNERS], scene.points
    least = 0
    for i in range(1, n):
        if base[i, 0] * c + base[i, 1] * s < base[least, 0] * c + base[least, 1] * s:
            least = i
    out[0] = other[best, 0] - base[least, 0] + apart * c / TRIG_SCALE
    out[1] = other[best, 1] - base[least, 1] + apart * s / TRIG_SCALE


@kernel
def _walk_outline(scene: Scene, other: Ints, m: int, apart: float) -> Ints:
    """Tries all along the outline that the mover's middle follows around the target."""
    corners = np.empty((DIRECTIONS + 1, 2), dtype=np.float64)
    total = 0
    for i in range(DIRECTIONS + 1):
        _outline_point(scene, other, m, apart, i * (TURN // DIRECTIONS) % TURN, corners[i])
        if i > 0:
            dx, dy = corners[i, 0] - corners[i - 1, 0], corners[i, 1] - corners[i - 1, 1]
            total += 1 + int(math.sqrt(dx * dx + dy * dy) / WALK)
    tries = np.empty((total, 2), dtype=np.int64)
    n = 0
    for i in range(DIRECTIONS):
        dx, dy = corners[i + 1, 0] - corners[i, 0], corners[i + 1, 1] - corners[i, 1]
        pieces = 1 + int(math.sqrt(dx * dx + dy * dy) / WALK)
        for k in range(pieces):
            n = _put(tries, n, corners[i, 0] + dx * k / pieces, corners[i, 1] + dy * k / pieces)
    return tries[:n]


@bare
def _try(
    terrain: Terrain,
    scene: Scene,
    other: Ints,
    m: int,
    apart: float,
    tries: Ints,
    i: int,
    z: int,
    overhang: int,
    known: np.ndarray,
    often: int,
    spot: Ints,
) -> int:
    """Whether a try is BAD, GOOD, or one of the good ones that are an END of a free run or one of some in between.

    The spot of an end is pushed on to where the run really ends. What was found out about tries is kept in `known`.
    """
    total = tries.shape[0]
    answer = END if i % often == 0 else GOOD
    for j in (i, (i - 1) % total, (i + 1) % total):
        if known[j] == UNKNOWN:
            x, y = tries[j, 0], tries[j, 1]
            good = _touches(scene, other, m, apart, x, y, z)
            known[j] = GOOD if good and (z == 0 or _has_ground(terrain, scene, x, y, z, overhang)) else BAD
        if known[j] == GOOD:
            continue
        if j == i:
            return BAD
        answer = END
        spot[0], spot[1] = tries[i, 0], tries[i, 1]
        for k in (2, 4, 8):
            x, y = spot[0] + (tries[j, 0] - tries[i, 0]) // k, spot[1] + (tries[j, 1] - tries[i, 1]) // k
            good = _touches(scene, other, m, apart, x, y, z)
            if good and (z == 0 or _has_ground(terrain, scene, x, y, z, overhang)):
                spot[0], spot[1] = x, y
    return answer


def warm_up() -> None:
    """Compile the kernels."""
    from sandtable.table.layout import Table, compile_terrain
    from sandtable.table.moves_scene import obstacles
    from sandtable.table.shapes import hull, pack, round_base

    terrain = compile_terrain(Table(10 * STEP, 10 * STEP, "inch"))
    shapes = pack([round_base(1.0, 1.0), hull(2.0, 1.0, 1.0)])
    pos = np.array([[2048, 2048, 0], [4096, 4096, 0]], dtype=np.int64)
    bodies = Bodies(pos, np.zeros(2, dtype=np.int64), np.zeros(2, dtype=np.int64))
    blocks, none = obstacles(2, terrain, end_block=1), np.empty((0, 3), dtype=np.float64)
    contact_spots(bodies, shapes, terrain, 0, 0, 1, 2048, 2048, blocks, ANY, ANY)
    contacts(bodies, shapes, terrain, 0, 0, 1, 2048, 2048, blocks, none, False, ANY, ANY)
