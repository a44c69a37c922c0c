"""What Epic asks of the table beyond distances: where paths enter terrain, roads and zones."""

from __future__ import annotations

import math

import numpy as np

from sandtable.kernels import kernel
from sandtable.table.cores import core_gap, place_core, segment_segment
from sandtable.table.grid import STEP, Bools, Floats, Ints
from sandtable.table.measure import inside
from sandtable.table.moves import GO
from sandtable.table.moves_scene import sweep_core
from sandtable.table.shapes import MAX_CORE, Bodies, Shapes, hull, pack, round_base

NOT_CROSSED, STARTS_IN, ENTERS = 0, 1, 2
ROAD_PACE = STEP // 4
"""Roads are looked for under this many steps of a path at a time."""


@kernel
def features_under(pos: Ints, outline: Ints, corners: Ints) -> Bools:
    """Which features lie under the middle of each stand, [stand, feature]."""
    out = np.zeros((pos.shape[0], corners.shape[0]), dtype=np.bool_)
    for i in range(pos.shape[0]):
        for f in range(corners.shape[0]):
            out[i, f] = inside(float(pos[i, 0]), float(pos[i, 1]), outline[f], corners[f])
    return out


@kernel
def crossed(x: int, y: int, legs: Ints, outline: Ints, corners: Ints) -> Ints:
    """For each feature whether the middle of a stand that goes along these legs starts in it or enters it."""
    out = np.zeros(corners.shape[0], dtype=np.int64)
    for f in range(corners.shape[0]):
        if inside(float(x), float(y), outline[f], corners[f]):
            out[f] = STARTS_IN
            continue
        px, py = x, y
        for k in range(legs.shape[0]):
            qx, qy = legs[k, 1], legs[k, 2]
            if inside(float(qx), float(qy), outline[f], corners[f]):
                out[f] = ENTERS
            for c in range(corners[f]):
                d = c + 1 if c + 1 < corners[f] else 0
                a, b = outline[f, c], outline[f, d]
                if out[f] == NOT_CROSSED and segment_segment(px, py, qx, qy, a[0], a[1], b[0], b[1]) <= 0.0:
                    out[f] = ENTERS
            px, py = qx, qy
    return out


@kernel
def stays_in(x: int, y: int, legs: Ints, outline: Ints, corners: Ints, chosen: Bools) -> bool:
    """Whether the middle of a stand is in one of the chosen features all along its path."""
    px, py = x, y
    for k in range(legs.shape[0] + 1):
        qx, qy = (px, py) if k == 0 else (legs[k - 1, 1], legs[k - 1, 2])
        far = math.sqrt(float((qx - px) * (qx - px) + (qy - py) * (qy - py)))
        parts = int(far / ROAD_PACE) + 1
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
def zone_entries(bodies: Bodies, shapes: Shapes, stand: int, legs: Ints, others: Ints, reach: Ints) -> Floats:
    """How far along its path a stand first comes as near to each of the others as its reach; -1 for never."""
    n = others.shape[0]
    out = np.full(n, -1.0)
    shape = bodies.shape[stand]
    base = np.empty((MAX_CORE, 2), dtype=np.int64)
    swept = np.empty((2 * MAX_CORE + 8, 2), dtype=np.int64)
    core = np.empty((MAX_CORE, 2), dtype=np.int64)
    for o in range(n):
        other = others[o]
        s = bodies.shape[other]
        m = place_core(shapes, s, bodies.pos[other, 0], bodies.pos[other, 1], bodies.facing[other], core)
        radii = shapes.radius[shape] + shapes.radius[s]
        px, py, facing, gone = bodies.pos[stand, 0], bodies.pos[stand, 1], bodies.facing[stand], 0.0
        for k in range(legs.shape[0]):
            qx, qy = legs[k, 1], legs[k, 2]
            if legs[k, 0] != GO:
                facing = legs[k, 4]
            c = place_core(shapes, shape, 0, 0, facing, base)
            p = sweep_core(base, c, px, py, qx - px, qy - py, swept)
            if core_gap(swept, p, core, m) - radii <= reach[o]:
                out[o] = gone + _first_within(base, c, px, py, qx, qy, core, m, radii + reach[o], swept)
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
    features_under(pos, outline, corners)
    crossed(2 * STEP, 2 * STEP, legs, outline, corners)
    stays_in(2 * STEP, 2 * STEP, legs, outline, corners, np.ones(1, dtype=np.bool_))
    zone_entries(bodies, shapes, 0, legs, np.array([1], dtype=np.int64), np.array([STEP], dtype=np.int64))
