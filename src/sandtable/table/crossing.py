"""What a path leads through: which areas it starts in or enters, whether it keeps to some, and whom it comes near."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from sandtable.kernels import kernel
from sandtable.table.cores import core_gap, place_core, point_segment2, segments_cross
from sandtable.table.grid import STEP, TURN, Bools, Floats, Ints
from sandtable.table.measure import inside
from sandtable.table.moves import GO, PIVOT, turn_between
from sandtable.table.moves_scene import area_overlap, sweep_core
from sandtable.table.shapes import MAX_CORE, Bodies, Shapes, hull, pack, round_base

NOT_CROSSED, STARTS_IN, ENTERS = range(3)

PACE: Final = STEP // 4
"""Whether a path keeps to areas is looked up once in so many steps of it."""
NEAR2: Final = 1.0e-6
"""What is so near to an edge, squared, is at it, but for rounding."""
SWING: Final = TURN // 128
"""And what a base sweeps that turns, once in so much of a turn."""


@kernel
def areas_under(pos: Ints, outline: Ints, corners: Ints) -> Bools:
    """Which areas lie under each of some points, [point, area]."""
    out = np.zeros((pos.shape[0], corners.shape[0]), dtype=np.bool_)
    for i in range(pos.shape[0]):
        for f in range(corners.shape[0]):
            out[i, f] = inside(float(pos[i, 0]), float(pos[i, 1]), outline[f], corners[f])
    return out


@kernel
def entries(x: int, y: int, legs: Ints, outline: Ints, corners: Ints) -> Ints:
    """For each area how often a point, such as the middle of a base, is in it on its path anew: from the beginning, or
    as it comes in. To touch the edge is to be in it."""
    out = np.zeros(corners.shape[0], dtype=np.int64)
    for f in range(corners.shape[0]):
        n, area = corners[f], outline[f]
        within = inside(float(x), float(y), area, n)
        out[f] = int(within)
        px, py = x, y
        for k in range(legs.shape[0]):
            qx, qy = legs[k, 1], legs[k, 2]
            marks = _marks(px, py, qx, qy, area, n)
            # The state is the same between marks, so that it is enough to look at them and half way to the next.
            for i in range(marks.shape[0]):
                for half in range(2 if i + 1 < marks.shape[0] else 1):
                    t = (marks[i] + marks[i + half]) / 2.0
                    now = _is_at(px + (qx - px) * t, py + (qy - py) * t, area, n)
                    out[f] += int(now and not within)
                    within = now
            px, py = qx, qy
    return out


@kernel
def _marks(px: int, py: int, qx: int, qy: int, area: Ints, n: int) -> Floats:
    """Where on a leg, from 0 to 1, it may come into an area or out of it, in order, with its beginning and its end."""
    found = np.empty(2 * n + 2)
    found[0], found[1], m = 0.0, 1.0, 2
    dx, dy = float(qx - px), float(qy - py)
    length2 = dx * dx + dy * dy
    if length2 > 0.0:
        for c in range(n):
            d = c + 1 if c + 1 < n else 0
            a, b = area[c], area[d]
            # A corner that the leg passes...
            if point_segment2(a[0], a[1], px, py, qx, qy) <= NEAR2:
                found[m] = min(1.0, max(0.0, ((a[0] - px) * dx + (a[1] - py) * dy) / length2))
                m += 1
            # ...and a side that it crosses.
            if segments_cross(px, py, qx, qy, a[0], a[1], b[0], b[1]):
                ex, ey = float(b[0] - a[0]), float(b[1] - a[1])
                found[m] = ((a[0] - px) * ey - (a[1] - py) * ex) / (dx * ey - dy * ex)
                m += 1
    return np.sort(found[:m])


@kernel
def _is_at(x: float, y: float, area: Ints, n: int) -> bool:
    """Whether a point is in an area or at its edge."""
    if inside(x, y, area, n):
        return True
    for c in range(n):
        d = c + 1 if c + 1 < n else 0
        if point_segment2(x, y, area[c, 0], area[c, 1], area[d, 0], area[d, 1]) <= NEAR2:
            return True
    return False


@kernel
def swept(bodies: Bodies, shapes: Shapes, model: int, legs: Ints, outline: Ints, corners: Ints) -> Ints:
    """For each area whether any part of a model's base starts in it or enters it; to touch its edge is not to."""
    out = np.zeros(corners.shape[0], dtype=np.int64)
    s, radius = bodies.shape[model], shapes.radius[bodies.shape[model]]
    base = np.empty((MAX_CORE, 2), dtype=np.int64)
    core, spare = np.empty((2 * MAX_CORE + 8, 2), dtype=np.int64), np.empty((2 * MAX_CORE + 8, 2), dtype=np.int64)
    for f in range(corners.shape[0]):
        px, py, facing = bodies.pos[model, 0], bodies.pos[model, 1], bodies.facing[model]
        n = place_core(shapes, s, px, py, facing, core)
        if area_overlap(core, n, radius, outline[f], corners[f], spare):
            out[f] = STARTS_IN
            continue
        for k in range(legs.shape[0]):
            qx, qy = legs[k, 1], legs[k, 2]
            turn, pieces = turn_between(facing, legs[k, 4]), 1
            if legs[k, 0] == PIVOT:
                pieces = (abs(turn) + SWING - 1) // SWING
            for i in range(1, pieces + 1):
                n = place_core(shapes, s, 0, 0, (facing + turn * i // pieces) % TURN, base)
                m = sweep_core(base, n, px, py, qx - px, qy - py, core)
                if out[f] == NOT_CROSSED and area_overlap(core, m, radius, outline[f], corners[f], spare):
                    out[f] = ENTERS
            px, py, facing = qx, qy, legs[k, 4]
    return out


@kernel
def keeps_to(x: int, y: int, legs: Ints, outline: Ints, corners: Ints, chosen: Bools) -> bool:
    """Whether a point is in one of the chosen areas all along its path."""
    px, py = x, y
    for k in range(legs.shape[0] + 1):
        qx, qy = (px, py) if k == 0 else (legs[k - 1, 1], legs[k - 1, 2])
        far = math.sqrt(float((qx - px) * (qx - px) + (qy - py) * (qy - py)))
        parts = int(far / PACE) + 1
        for s in range(1, parts + 1):
            sx, sy = px + (qx - px) * s / parts, py + (qy - py) * s / parts
            found = False
            for f in range(corners.shape[0]):
                if chosen[f] and inside(sx, sy, outline[f], corners[f]):
                    found = True
                    break
            if not found:
                return False
        px, py = qx, qy
    return True


@kernel
def approaches(bodies: Bodies, shapes: Shapes, model: int, legs: Ints, others: Ints, gap: int) -> Floats:
    """How far along its path a model first comes as near to each of the others as a gap; -1 for never."""
    n = others.shape[0]
    out = np.full(n, -1.0)
    shape = bodies.shape[model]
    base = np.empty((MAX_CORE, 2), dtype=np.int64)
    way = np.empty((2 * MAX_CORE + 8, 2), dtype=np.int64)
    core = np.empty((MAX_CORE, 2), dtype=np.int64)
    for o in range(n):
        other = others[o]
        s = bodies.shape[other]
        m = place_core(shapes, s, bodies.pos[other, 0], bodies.pos[other, 1], bodies.facing[other], core)
        radii = shapes.radius[shape] + shapes.radius[s]
        px, py, facing, gone = bodies.pos[model, 0], bodies.pos[model, 1], bodies.facing[model], 0.0
        for k in range(legs.shape[0]):
            qx, qy = legs[k, 1], legs[k, 2]
            if legs[k, 0] != GO:
                facing = legs[k, 4]
            c = place_core(shapes, shape, 0, 0, facing, base)
            p = sweep_core(base, c, px, py, qx - px, qy - py, way)
            if core_gap(way, p, core, m) - radii <= gap:
                out[o] = gone + _first_within(base, c, px, py, qx, qy, core, m, float(radii + gap), way)
                break
            gone += math.sqrt(float((qx - px) * (qx - px) + (qy - py) * (qy - py)))
            px, py = qx, qy
    return out


@kernel
def _first_within(
    base: Ints, c: int, px: int, py: int, qx: int, qy: int, core: Ints, m: int, limit: float, spare: Ints
) -> float:
    """How far along a leg a core first comes within a limit of another one; the part swept so far tells."""
    far = math.sqrt(float((qx - px) * (qx - px) + (qy - py) * (qy - py)))
    low, high = 0.0, 1.0
    for _ in range(20):
        middle = (low + high) / 2.0
        dx, dy = int((qx - px) * middle), int((qy - py) * middle)
        p = sweep_core(base, c, px, py, dx, dy, spare)
        if core_gap(spare, p, core, m) <= limit:
            high = middle
        else:
            low = middle
    return high * far


def warm_up() -> None:
    """Compile the kernels, or load them from disk."""
    shapes = pack([round_base(1, 1), hull(2, 1, 1)])
    pos = np.array([[2, 2, 0], [8, 2, 0]], dtype=np.int64) * STEP
    bodies = Bodies(pos, np.zeros(2, dtype=np.int64), np.arange(2))
    outline = np.array([[[0, 0], [12, 0], [12, 12], [0, 12]]], dtype=np.int64) * STEP
    corners = np.array([4], dtype=np.int64)
    legs = np.array([[GO, 6 * STEP, 2 * STEP, 0, 0]], dtype=np.int64)
    areas_under(pos, outline, corners)
    entries(2 * STEP, 2 * STEP, legs, outline, corners)
    keeps_to(2 * STEP, 2 * STEP, legs, outline, corners, np.ones(1, dtype=np.bool_))
    approaches(bodies, shapes, 0, legs, np.array([1], dtype=np.int64), STEP)
