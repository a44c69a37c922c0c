"""One straight segment in space against prisms, tested directly.

This is the plain definition of a clear line, in table coordinates. Tests, templates and pictures use it, and so do the
few pairs of bodies that stand above each other.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from sandtable.kernels import kernel
from sandtable.table.grid import Bools, Floats
from sandtable.table.sight_lines import span
from sandtable.table.sight_pair import MARGIN, Blocking, blocks
from sandtable.table.sight_prisms import MODEL, Prisms

_SLACK: Final = 0.5
"""A line that the search found keeps a little further off than this test demands, so that rounding cannot undo it."""


@kernel
def _stretch(prisms: Prisms, k: int, p: Floats, q: Floats, margin: float, vert: Floats) -> tuple[float, float, float]:
    """The stretch of the segment over the prism's plan, as distances from p, and the length of the segment's plan."""
    dx, dy = q[0] - p[0], q[1] - p[1]
    length = math.sqrt(dx * dx + dy * dy)
    ex, ey = (dx / length, dy / length) if length > 0.0 else (1.0, 0.0)
    n = prisms.corners[k]
    for i in range(n):
        x, y = prisms.point[prisms.start[k] + i, 0] - p[0], prisms.point[prisms.start[k] + i, 1] - p[1]
        vert[i, 0], vert[i, 1] = x * ex + y * ey, y * ex - x * ey
        x, y = prisms.point[prisms.start[k] + i, 2], prisms.point[prisms.start[k] + i, 3]
        vert[i, 2], vert[i, 3] = x * ex + y * ey, y * ex - x * ey
    hit, first, last = span(vert, 0, n, prisms.radius[k] + margin, 0.0, 0.0)
    if not hit or first > length or last < 0.0:
        return 1.0, 0.0, length
    return max(first, 0.0), min(last, length), length


@kernel
def segment_meets(prisms: Prisms, k: int, p: Floats, q: Floats, margin: float, vert: Floats) -> bool:
    """Whether a segment from p to q meets a prism."""
    if max(p[2], q[2]) < prisms.low[k] or min(p[2], q[2]) > prisms.high[k]:
        return False
    first, last, length = _stretch(prisms, k, p, q, margin, vert)
    if first > last:
        return False
    if length == 0.0:
        return True
    rise = (q[2] - p[2]) / length
    z0, z1 = p[2] + rise * first, p[2] + rise * last
    return max(z0, z1) >= prisms.low[k] and min(z0, z1) <= prisms.high[k]


@kernel
def segment_inside(prisms: Prisms, k: int, p: Floats, q: Floats, vert: Floats) -> float:
    """How far a segment runs, in the plan, through a prism that has no lower end."""
    first, last, length = _stretch(prisms, k, p, q, 0.0, vert)
    if first >= last or length == 0.0:
        return 0.0
    rise = (q[2] - p[2]) / length
    if rise > 0.0:
        last = min(last, (prisms.high[k] - p[2]) / rise)
    elif rise < 0.0:
        first = max(first, (prisms.high[k] - p[2]) / rise)
    elif p[2] > prisms.high[k]:
        return 0.0
    return max(0.0, last - first)


@kernel
def hit_slots(
    prisms: Prisms,
    i: int,
    j: int,
    row: int,
    col: int,
    blocking: Blocking,
    full: bool,
    p: Floats,
    q: Floats,
    vert: Floats,
    hits: Bools,
) -> bool:
    """Mark the features (and last, the models) that stop a segment from model i to j; whether none does.

    With `full`, what only breaks full visibility counts too.
    """
    hits[:] = False
    margin = max(MARGIN, float(blocking.half_width)) - _SLACK
    clear, deep, run = True, -1, 0.0
    for k in range(prisms.corners.shape[0]):
        stops, breaks, limit = blocks(prisms, k, i, j, row, col, blocking)
        if not (breaks if full else stops):
            continue
        slot = hits.shape[0] - 1 if prisms.part[k] == MODEL else prisms.owner[k]
        if limit >= 0.0:
            run = segment_inside(prisms, k, p, q, vert) + (run if slot == deep else 0.0)
            deep = slot
            met = run > limit
        else:
            met = segment_meets(prisms, k, p, q, margin, vert)
        if met:
            hits[slot] = True
            clear = False
    return clear


_POINTS: Final = 27
_EAST: Final = np.array([1.0, 0.7071, 0.0, -0.7071, -1.0, -0.7071, 0.0, 0.7071])
_NORTH: Final = np.array([0.0, 0.7071, 1.0, 0.7071, 0.0, -0.7071, -1.0, -0.7071])


@kernel
def _body_points(prisms: Prisms, k: int, out: Floats) -> None:
    """Points of a body: eight on its outline and its middle, at three heights from the top down."""
    for d in range(9):
        x, y = prisms.middle_x[k], prisms.middle_y[k]
        if d > 0:
            best = -1.0e18
            for c in range(prisms.start[k], prisms.start[k] + prisms.corners[k]):
                along = prisms.point[c, 0] * _EAST[d - 1] + prisms.point[c, 1] * _NORTH[d - 1]
                if along > best:
                    best, x, y = along, prisms.point[c, 0], prisms.point[c, 1]
            x, y = x + prisms.radius[k] * _EAST[d - 1], y + prisms.radius[k] * _NORTH[d - 1]
        for h in range(3):
            out[9 * h + d, 0], out[9 * h + d, 1] = x, y
            out[9 * h + d, 2] = prisms.high[k] - (prisms.high[k] - prisms.low[k]) * (0.49 * h)


@kernel
def sampled_line(
    prisms: Prisms, i: int, j: int, row: int, col: int, blocking: Blocking, hits: Bools, line: Floats
) -> bool:
    """Whether two bodies that stand above each other see each other, by lines between points of both."""
    p, q = np.empty((_POINTS, 3), dtype=np.float64), np.empty((_POINTS, 3), dtype=np.float64)
    vert = np.empty((prisms.point.shape[0], 4), dtype=np.float64)
    _body_points(prisms, i, p)
    _body_points(prisms, j, q)
    for a in range(_POINTS):
        for b in range(_POINTS):
            if hit_slots(prisms, i, j, row, col, blocking, False, p[a], q[b], vert, hits):
                line[0:3] = p[a]
                line[3:6] = q[b]
                return True
    return False


@kernel
def sampled_full(
    prisms: Prisms, i: int, j: int, row: int, col: int, blocking: Blocking, hits: Bools, broken: Bools
) -> bool:
    """The same for full visibility: every point must be seen. What stops every line to a point is marked."""
    p, q = np.empty((_POINTS, 3), dtype=np.float64), np.empty((_POINTS, 3), dtype=np.float64)
    vert = np.empty((prisms.point.shape[0], 4), dtype=np.float64)
    always, ever = np.empty_like(hits), np.empty_like(hits)
    _body_points(prisms, i, p)
    _body_points(prisms, j, q)
    full = True
    for b in range(_POINTS):
        always[:], ever[:] = True, False
        seen = False
        for a in range(_POINTS):
            if hit_slots(prisms, i, j, row, col, blocking, True, p[a], q[b], vert, hits):
                seen = True
                break
            for s in range(hits.shape[0]):
                always[s] = always[s] and hits[s]
                ever[s] = ever[s] or hits[s]
        if seen:
            continue
        full = False
        alone = False
        for s in range(hits.shape[0]):
            alone = alone or always[s]
        for s in range(hits.shape[0]):
            broken[s] = broken[s] or (always[s] if alone else ever[s])
    return full
