"""The lines past one point that meet two bodies and miss what stands between them."""

from __future__ import annotations

import math

from sandtable.kernels import bare, leaf
from sandtable.table.grid import Floats, Ints
from sandtable.table.sight_lines import keep, passing, remove
from sandtable.table.sight_pair import COUNT, RADIUS, START


@leaf
def _cone(
    vert: Floats, start: int, count: int, reach: float, pu: float, pv: float, steepest: float
) -> tuple[float, float]:
    """Slopes that no line past a point exceeds if it comes nearer to some corner of a body than `reach`."""
    low, high, ahead = 1.0e18, -1.0e18, vert[start, 0] - pu
    for i in range(start, start + count):
        du, dv = vert[i, 0] - pu, vert[i, 1] - pv
        if abs(du) < 1.0 or du * ahead < 0.0:  # beside the body, where steep lines meet it and flat ones may not
            return -steepest, steepest
        share = 1.0 / du
        one, other = (dv - reach) * share, (dv + reach) * share
        low, high = min(low, min(one, other)), max(high, max(one, other))
    return low, high


@leaf
def _covers(
    vert: Floats, start: int, count: int, above: float, below: float, pu: float, pv: float, low: float, high: float
) -> bool:
    """Whether a shape stops all lines with slopes from `low` to `high`.

    It does if some corner lies above them all and some corner below, by as much as is told; that may be one corner.
    """
    over, under = False, False
    for i in range(start, start + count):
        du, dv = vert[i, 0] - pu, vert[i, 1] - pv
        g, h = dv - low * du, dv - high * du
        over |= min(g, h) > above
        under |= max(g, h) < below
    return over & under


@leaf
def is_covered(
    vert: Floats,
    item: Floats,
    tag: Ints,
    first: int,
    last: int,
    pu: float,
    pv: float,
    offset: float,
    steepest: float,
    wide: float,
    hint: int,
) -> tuple[bool, int]:
    """Whether one shape stops all lines past a point that might meet the first two shapes, and which.

    Nearly all points are done with here, and without roots: the bodies are taken a little too large and the others a
    little too small instead. `wide` is sqrt(1 + m m) of the steepest line.
    """
    around = abs(offset)
    low, high = _cone(
        vert, tag[first, START], tag[first, COUNT], (item[first, RADIUS] + around) * wide, pu, pv, steepest
    )
    b0, b1 = _cone(
        vert, tag[first + 1, START], tag[first + 1, COUNT], (item[first + 1, RADIUS] + around) * wide, pu, pv, steepest
    )
    low, high = max(-steepest, max(low, b0)), min(steepest, min(high, b1))
    if low > high:
        return True, hint
    for step in range(first + 1, last):
        k = step
        if step == first + 1:
            k = hint
            if hint < first + 2:
                continue
        above, below = offset - item[k, RADIUS], offset + item[k, RADIUS]
        above, below = max(above, above * wide), min(below, below * wide)
        if _covers(vert, tag[k, START], tag[k, COUNT], above, below, pu, pv, low, high):
            return True, k
    return False, hint


@bare
def free_slopes(
    vert: Floats,
    item: Floats,
    tag: Ints,
    first: int,
    last: int,
    pu: float,
    pv: float,
    offset: float,
    steepest: float,
    free: Floats,
    which: int,
    hint: int,
) -> tuple[int, int]:
    """The slopes of lines past a point that meet the first two shapes and miss the others.

    Returns how many intervals there are, and which shape left none. `hint` is a shape that is likely to do so, and
    looked at before the others.
    """
    low, high = -steepest, steepest
    low_w = high_w = math.sqrt(1.0 + steepest * steepest)
    none, cover = is_covered(vert, item, tag, first, last, pu, pv, offset, steepest, low_w, hint)
    if none:
        return 0, cover
    free[which, 0, 0], free[which, 0, 1] = low, high
    count = 1
    for step in range(first, last + 1):
        k = step
        if step >= first + 2:
            k = hint if step == first + 2 else step - 1
            if k < first + 2 or (k == hint and step > first + 2):
                continue
        over0, over1, under0, under1 = passing(
            vert, tag[k, START], tag[k, COUNT], item[k, RADIUS], pu, pv, offset, low, low_w, high, high_w
        )
        if k < first + 2:
            count = remove(free, which, count, over0, over1)
            count = remove(free, which, count, under0, under1)
        elif (over0 <= low and over1 >= high) or (under0 <= low and under1 >= high):
            continue
        else:
            count = keep(free, which, count, over0, over1, under0, under1)
        if count == 0:
            return 0, k
        low, high = free[which, 0, 0], free[which, 0, 1]
        for c in range(1, count):
            low, high = min(low, free[which, c, 0]), max(high, free[which, c, 1])
        low_w, high_w = math.sqrt(1.0 + low * low), math.sqrt(1.0 + high * high)
    return count, hint


@bare
def is_extreme(vert: Floats, start: int, count: int, at: int, way: float, steepest: float) -> bool:
    """Whether a corner is the outermost one of its shape for some line that is not too steep."""
    low, high = -steepest, steepest
    if count == 2:
        other = start if at > start else start + 1
        du, dv = (vert[at, 0] - vert[other, 0]) * way, (vert[at, 1] - vert[other, 1]) * way
        return dv >= low * abs(du)
    for step in range(2):
        other = at + 1 if step == 0 else at - 1
        if other >= start + count:
            other = start
        elif other < start:
            other = start + count - 1
        du, dv = (vert[at, 0] - vert[other, 0]) * way, (vert[at, 1] - vert[other, 1]) * way
        if du > 0.0:
            high = min(high, dv / du)
        elif du < 0.0:
            low = max(low, dv / du)
        elif dv < 0.0:
            return False
    return low <= high
