"""Straight lines past convex shapes: what a line meets, and which lines through a point are left free.

Here the world is a plane with the coordinates u and v, in which the two things that look at each other lie one behind
the other along u. A line is v = a + m u. A shape is a row of corners in `vert`, from `start` on, grown by a radius; a
row of `vert` holds u and v of a corner and the outward normal of the side that follows.
Sight uses the plane twice: as the plan of a pair, and upright over one line of that plan.
"""

from __future__ import annotations

import math
from typing import Final

from sandtable.kernels import bare, leaf
from sandtable.table.grid import Floats

MOST_GAPS: Final = 64
"""Room for free intervals; a line of sight past more separate gaps than that is not looked for."""

# Lists of free intervals: what is left in the plan, what is left in the upright plane, and room to work in.
FREE: Final = 0
UPRIGHT_FREE: Final = 1
SPARE: Final = 2

_NARROW: Final = 1.0e-9
_WIDE: Final = 1.0e18


@bare
def _span_discs(vert: Floats, start: int, count: int, radius: float, a: float, m: float) -> tuple[bool, float, float]:
    """From where to where along u a line meets the discs around corners."""
    w2 = 1.0 + m * m
    reach2 = radius * radius * w2
    low, high = _WIDE, -_WIDE
    for i in range(start, start + count):
        f = vert[i, 1] - a - m * vert[i, 0]
        if f * f <= reach2:
            half = math.sqrt(reach2 - f * f) / w2
            foot = vert[i, 0] + m * f / w2
            low, high = min(low, foot - half), max(high, foot + half)
    return low <= high, low, high


@bare
def span(vert: Floats, start: int, count: int, radius: float, a: float, m: float) -> tuple[bool, float, float]:
    """Whether a line meets a shape, and from where to where along u."""
    if count == 1:
        return _span_discs(vert, start, 1, radius, a, m)
    # Walk round the outline, along the sides moved out by the radius and from the end of each to the start of the next,
    # and see where it changes over to the other side of the line.
    low, high = _WIDE, -_WIDE
    end = start + count
    i = end - 1
    f = vert[i, 1] - a - m * vert[i, 0]
    out = radius * (vert[i, 3] - m * vert[i, 2])
    for j in range(start, end):
        g = vert[j, 1] - a - m * vert[j, 0]
        turn = radius * (vert[j, 3] - m * vert[j, 2])
        if (f + out > 0.0) != (g + out > 0.0):
            at = vert[i, 0] + radius * vert[i, 2] + (f + out) / (f - g) * (vert[j, 0] - vert[i, 0])
            low, high = min(low, at), max(high, at)
        if (g + out > 0.0) != (g + turn > 0.0):
            _, first, last = _span_discs(vert, j, 1, radius, a, m)
            low, high = min(low, first), max(high, last)
        i, f, out = j, g, turn
    if low > high and radius > 0.0:  # no more than the round of a corner
        return _span_discs(vert, start, count, radius, a, m)
    return low <= high, low, high


@leaf
def offsets(vert: Floats, start: int, count: int, a: float, m: float) -> tuple[float, float]:
    """How far the corners of a shape lie to the left of a line: the least and the most."""
    low = high = vert[start, 1] - a - m * vert[start, 0]
    for i in range(start + 1, start + count):
        f = vert[i, 1] - a - m * vert[i, 0]
        low, high = min(low, f), max(high, f)
    return low, high


@leaf
def misses(vert: Floats, start: int, count: int, reach: float, a: float, m: float) -> bool:
    """Whether a whole shape lies to one side of a line; `reach` is its radius times sqrt(1 + m m)."""
    low, high = offsets(vert, start, count, a, m)
    return (low > reach) | (high < -reach)


@leaf
def _tangent(du: float, dv: float, c: float, low: float, high: float) -> float:
    """The slope between `low` and `high` at which a line through the origin passes (du, dv) at the distance c."""
    square = du * du - c * c
    cross = du * dv
    beyond = du * du + dv * dv - c * c
    root = c * math.sqrt(beyond) if beyond > 0.0 else 0.0
    if square == 0.0:
        m = (dv * dv - c * c) / (2.0 * cross) if cross != 0.0 else (low + high) / 2.0
    else:
        m = (cross - root) / square
        if not (low <= m <= high and (dv - m * du) * c >= 0.0):
            m = (cross + root) / square
    return min(high, max(low, m))


@leaf
def passing(
    vert: Floats,
    start: int,
    count: int,
    radius: float,
    pu: float,
    pv: float,
    offset: float,
    low: float,
    low_w: float,
    high: float,
    high_w: float,
) -> tuple[float, float, float, float]:
    """The slopes at which lines pass over a shape, and those at which they pass under it.

    The lines pass the point (pu, pv) at the signed distance `offset` and have slopes from `low` to `high`; `low_w` and
    `high_w` are sqrt(1 + m m) of these. Both answers are intervals, empty where the first number is the larger.
    """
    over0, over1, under0, under1 = low, high, low, high
    c, d = offset - radius, offset + radius
    for i in range(start, start + count):
        du, dv = vert[i, 0] - pu, vert[i, 1] - pv
        g, h = dv - low * du, dv - high * du
        at_low, at_high = g - c * low_w > 0.0, h - c * high_w > 0.0
        if at_low and at_high:
            over1 = low - 1.0
        elif at_low:
            over0 = max(over0, _tangent(du, dv, c, low, high))
        elif at_high:
            over1 = min(over1, _tangent(du, dv, c, low, high))
        at_low, at_high = g - d * low_w < 0.0, h - d * high_w < 0.0
        if at_low and at_high:
            under1 = low - 1.0
        elif at_low:
            under0 = max(under0, _tangent(du, dv, d, low, high))
        elif at_high:
            under1 = min(under1, _tangent(du, dv, d, low, high))
    return over0, over1, under0, under1


@leaf
def keep(free: Floats, which: int, n: int, a0: float, a1: float, b0: float, b1: float) -> int:
    """Keep what the free intervals of a list share with [a0, a1] or [b0, b1]; return how many intervals are left."""
    k = 0
    if n == 1:  # by far the most common
        low, high = free[which, 0, 0], free[which, 0, 1]
        first, last = max(low, a0), min(high, a1)
        if last - first > _NARROW:
            free[which, 0, 0], free[which, 0, 1] = first, last
            k = 1
        first, last = max(low, b0), min(high, b1)
        if last - first > _NARROW:
            free[which, k, 0], free[which, k, 1] = first, last
            k += 1
        return k
    for i in range(n):
        for part in range(2):
            first = max(free[which, i, 0], a0 if part == 0 else b0)
            last = min(free[which, i, 1], a1 if part == 0 else b1)
            if last - first > _NARROW and k < MOST_GAPS:
                free[SPARE, k, 0], free[SPARE, k, 1] = first, last
                k += 1
    for i in range(k):
        free[which, i, 0], free[which, i, 1] = free[SPARE, i, 0], free[SPARE, i, 1]
    return k


@leaf
def remove(free: Floats, which: int, n: int, a0: float, a1: float) -> int:
    """Take [a0, a1] away from the free intervals of a list; return how many intervals are left."""
    if a1 < a0:
        return n
    return keep(free, which, n, -_WIDE, a0, a1, _WIDE)


@leaf
def widest(free: Floats, which: int, n: int) -> int:
    """The number of the widest free interval of a list."""
    best = 0
    for i in range(1, n):
        if free[which, i, 1] - free[which, i, 0] > free[which, best, 1] - free[which, best, 0]:
            best = i
    return best


@leaf
def _emit(vert: Floats, n: int, u: float, v: float) -> int:
    vert[n, 0], vert[n, 1] = u, v
    return n + 1


@bare
def between(vert: Floats, start: int, count: int, radius: float, low: float, high: float, at: int) -> tuple[int, float]:
    """Copy the part of a shape with u from `low` to `high` to the row `at`; return its corners and its radius."""
    if low > high:
        return 0, radius
    if count == 1:
        u, v = vert[start, 0], vert[start, 1]
        edge = min(high, max(low, u))
        if edge == u:
            return _emit(vert, at, u, v) - at, radius
        half2 = radius * radius - (edge - u) * (edge - u)
        if half2 <= 0.0:
            return 0, radius
        half = math.sqrt(half2)
        n = _emit(vert, at, edge, v - half)
        return _emit(vert, n, edge, v + half) - at, 0.0
    n = at
    for i in range(start, start + count):
        j = i + 1 if i + 1 < start + count else start
        u, v, eu, ev = vert[i, 0], vert[i, 1], vert[j, 0] - vert[i, 0], vert[j, 1] - vert[i, 1]
        if low <= u <= high:
            n = _emit(vert, n, u, v)
        if count == 2 and i > start:
            break
        first, second = (low, high) if eu > 0.0 else (high, low)
        if min(u, u + eu) < first < max(u, u + eu):
            n = _emit(vert, n, first, v + (first - u) / eu * ev)
        if min(u, u + eu) < second < max(u, u + eu):
            n = _emit(vert, n, second, v + (second - u) / eu * ev)
    return n - at, radius
