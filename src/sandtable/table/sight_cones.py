"""What blockers leave of a point's cone: of all lines of the plan from a point of the target to the observer."""

from __future__ import annotations

import math
from typing import Final

from sandtable.kernels import bare, leaf
from sandtable.table.grid import Bools, Floats, Ints
from sandtable.table.sight_lines import FREE, between, keep, offsets, passing, remove, span
from sandtable.table.sight_pair import (
    BETWEEN,
    BREAKS,
    COUNT,
    FIRST,
    HIGH,
    LAST,
    LIMIT,
    LOW,
    RADIUS,
    SIDE_COUNT,
    SIDES,
    SLOT,
    START,
    TALL,
    part_corner,
)
from sandtable.table.sight_points import AT_U, AT_V, HIGH_EDGE, HIGH_M, LOW_EDGE, LOW_M
from sandtable.table.sight_visible import AIR

_DEPTH_LINES: Final = 9
"""An area with a depth limit hides the parts of the observer around those of so many lines that run too deep."""

# How blockers stand to the edges of a point's cone.
MISSED: Final = 0
MET: Final = 1
COVERED: Final = 2


@leaf
def _band(u0: float, z0: float, u1: float, z1: float, low: float, high: float) -> tuple[float, float]:
    """Where along u a line from (u0, z0) to (u1, z1) has a height from `low` to `high`."""
    bottom, top = min(z0, z1), max(z0, z1)
    if low <= bottom and high >= top:
        return u0, u1
    if high < bottom or low > top:
        return 1.0, 0.0
    if z0 == z1:
        return u0, u1
    share = (u1 - u0) / (z1 - z0)
    a, b = u0 + (low - z0) * share, u0 + (high - z0) * share
    return max(u0, min(a, b)), min(u1, max(a, b))


@bare
def runs_deep(
    vert: Floats,
    item: Floats,
    tag: Ints,
    n: int,
    k: int,
    a: float,
    m: float,
    u0: float,
    z0: float,
    u1: float,
    z1: float,
) -> bool:
    """Whether a line runs too far through the area whose first piece is k."""
    run = 0.0
    for piece in range(k, n):
        if tag[piece, SLOT] != tag[k, SLOT] or item[piece, LIMIT] < 0.0:
            continue
        hit, first, last = span(vert, tag[piece, START], tag[piece, COUNT], 0.0, a, m)
        low, high = _band(u0, z0, u1, z1, item[piece, LOW], item[piece, HIGH])
        if hit:
            run += max(0.0, min(last, high) - max(first, low))
    return run * math.sqrt(1.0 + m * m) > item[k, LIMIT]


@leaf
def meet_edges(
    vert: Floats, item: Floats, tag: Ints, first: int, last: int, point: Floats, p: int, plate: float, wide: float
) -> int:
    """Whether blockers of rows `first` to `last` meet both edges of a point's cone, as they must do to hide it.

    COVERED where one of them stops all lines of the cone, MET where they may do so together. `wide` is sqrt(1 + m m) of
    the steepest line, which makes the blockers a little too large.
    """
    low, high = point[p, LOW_EDGE], point[p, HIGH_EDGE]
    low_a, high_a = point[p, AT_V] - low * point[p, AT_U], point[p, AT_V] - high * point[p, AT_U]
    inset = (low - point[p, LOW_M]) * abs(plate - point[p, AT_U])
    on_low, on_high = False, False
    for k in range(first, last):
        if tag[k, BREAKS] == 0:
            continue
        start, corners, r = tag[k, SIDES], tag[k, SIDE_COUNT], item[k, RADIUS]
        low0, low1 = offsets(vert, start, corners, low_a, low)
        high0, high1 = offsets(vert, start, corners, high_a, high)
        on_low |= (low0 <= r * wide) & (low1 >= -r * wide)
        on_high |= (high0 <= r * wide) & (high1 >= -r * wide)
        # What is convex and reaches from edge to edge is met by every line in between.
        r -= inset
        across = (low0 <= r) & (low1 >= -r) & (high0 <= r) & (high1 >= -r)
        if across & (tag[k, TALL] & tag[k, BETWEEN] != 0):
            return COVERED
    return MET if on_low and on_high else MISSED


@bare
def _remove_deep(
    vert: Floats,
    item: Floats,
    tag: Ints,
    n: int,
    k: int,
    point: Floats,
    p: int,
    u0: float,
    z0: float,
    u1: float,
    z1: float,
    free: Floats,
    count: int,
) -> int:
    """Take away the slopes around lines that run too far through the area whose first piece is k."""
    low, width = point[p, LOW_M], (point[p, HIGH_M] - point[p, LOW_M]) / _DEPTH_LINES
    for d in range(_DEPTH_LINES):
        m = low + (d + 0.5) * width
        if runs_deep(vert, item, tag, n, k, point[p, AT_V] - m * point[p, AT_U], m, u0, z0, u1, z1):
            count = remove(free, FREE, count, low + d * width, low + (d + 1) * width)
    return count


@leaf
def _shadow(
    vert: Floats,
    item: Floats,
    tag: Ints,
    k: int,
    point: Floats,
    p: int,
    low_w: float,
    high_w: float,
    near: float,
    far: float,
) -> tuple[float, float, float, float]:
    """The slopes of a cone at which lines from its point pass over and under blocker k, from `near` to `far`."""
    start, corners, radius = tag[k, SIDES], tag[k, SIDE_COUNT], item[k, RADIUS]
    if item[k, FIRST] + radius < near or item[k, LAST] - radius > far:
        start = part_corner(vert, 1)
        corners, radius = between(vert, tag[k, START], tag[k, COUNT], radius, near, far, start)
    return passing(
        vert,
        start,
        corners,
        radius,
        point[p, AT_U],
        point[p, AT_V],
        0.0,
        point[p, LOW_M],
        low_w,
        point[p, HIGH_M],
        high_w,
    )


@bare
def free_cone(
    vert: Floats,
    item: Floats,
    tag: Ints,
    first: int,
    last: int,
    point: Floats,
    p: int,
    u0: float,
    z0: float,
    u1: float,
    z1: float,
    free: Floats,
    shares: Bools,
) -> int:
    """What blockers of rows `first` to `last` leave of a point's cone, for lines whose heights run from z0 to z1.

    Returns how many intervals; what takes something away shares in hiding the point.
    """
    low, high = point[p, LOW_M], point[p, HIGH_M]
    low_w, high_w = math.sqrt(1.0 + low * low), math.sqrt(1.0 + high * high)
    free[FREE, 0, 0], free[FREE, 0, 1] = low, high
    count, deep = 1, -1
    for k in range(first, last):
        if tag[k, BREAKS] == 0:
            continue
        if item[k, LIMIT] >= 0.0:
            if tag[k, SLOT] != deep:
                deep = tag[k, SLOT]
                shares[deep] = True
                count = _remove_deep(vert, item, tag, last, k, point, p, u0, z0, u1, z1, free, count)
            continue
        near, far = _band(u0, z0, u1, z1, item[k, LOW] - AIR, item[k, HIGH] + AIR)
        if near > far:
            continue
        over0, over1, under0, under1 = _shadow(vert, item, tag, k, point, p, low_w, high_w, near, far)
        if (over0 <= low and over1 >= high) or (under0 <= low and under1 >= high):
            continue
        shares[tag[k, SLOT]] = True
        count = keep(free, FREE, count, over0, over1, under0, under1)
        if count == 0:
            return 0
    return count
