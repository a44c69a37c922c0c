"""Whether one body sees another fully, and if not, what is in the way.

For points of the target's facing side every blocker hides an interval of the observer; a point whose intervals cover
the observer is not seen. The observer is taken as an upright plate through its sides, at the height of its top, and at
two more heights where something that does not stand on the ground is in the way.
"""

from __future__ import annotations

import math
from typing import Final

from sandtable.kernels import bare, leaf
from sandtable.table.grid import Bools, Floats, Ints
from sandtable.table.sight_lines import FREE, between, keep, misses, passing, remove, span, widest
from sandtable.table.sight_pair import (
    BETWEEN,
    BREAKS,
    COUNT,
    FACE,
    FIRST,
    FRAME,
    GROUNDED,
    HIGH,
    LAST,
    LEFT_U,
    LEFT_V,
    LIMIT,
    LOW,
    RADIUS,
    REACH,
    RIGHT_U,
    RIGHT_V,
    SIDE_COUNT,
    SIDES,
    SLOPE,
    SLOT,
    START,
    TALL,
    Work,
    part_corner,
)
from sandtable.table.sight_points import AT_U, AT_V, HIGH_EDGE, HIGH_M, LOW_EDGE, LOW_M, set_points
from sandtable.table.sight_visible import AIR

_LIFT: Final = 2.0
"""The lowest points looked at are so far above the ground that the ground cannot hide them."""

_DEPTH_LINES: Final = 9
"""An area with a depth limit hides the parts of the observer around those of so many lines that run too deep."""


@leaf
def _height(low: float, high: float, which: int) -> float:
    """Heights of a body: its underside, its middle, its top."""
    if which == 0:
        return low + min(_LIFT, (high - low) / 2.0)
    return (low + high) / 2.0 if which == 1 else high


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
def _runs_deep(
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


@bare
def _ray_clear(
    vert: Floats,
    item: Floats,
    tag: Ints,
    n: int,
    a: float,
    m: float,
    u0: float,
    z0: float,
    u1: float,
    z1: float,
    shares: Bools,
) -> bool:
    """Whether a line from (u0, z0) to (u1, z1) over v = a + m u meets nothing; what it meets shares in hiding."""
    w = math.sqrt(1.0 + m * m)
    rise = (z1 - z0) / (u1 - u0)
    clear, deep = True, -1
    for k in range(2, n):
        if tag[k, BREAKS] == 0:
            continue
        if item[k, LIMIT] >= 0.0:
            if tag[k, SLOT] == deep or not _runs_deep(vert, item, tag, n, k, a, m, u0, z0, u1, z1):
                continue
            deep = tag[k, SLOT]
        else:
            if misses(vert, tag[k, SIDES], tag[k, SIDE_COUNT], item[k, RADIUS] * w, a, m):
                continue
            if tag[k, TALL] & tag[k, BETWEEN] == 0:
                hit, first, last = span(vert, tag[k, START], tag[k, COUNT], item[k, RADIUS], a, m)
                first, last = max(first, u0), min(last, u1)
                if not hit or first > last:
                    continue
                za, zb = z0 + rise * (first - u0), z0 + rise * (last - u0)
                if max(za, zb) < item[k, LOW] - AIR or min(za, zb) > item[k, HIGH] + AIR:
                    continue
        clear = False
        shares[tag[k, SLOT]] = True
    return clear


@leaf
def _edges_met(
    vert: Floats, item: Floats, tag: Ints, first: int, last: int, point: Floats, p: int, wide: float
) -> bool:
    """Whether blockers of rows `first` to `last` meet both edges of a point's cone, as they must do to hide it.

    `wide` is sqrt(1 + m m) of the steepest line, which makes the blockers a little too large.
    """
    low, high = point[p, LOW_EDGE], point[p, HIGH_EDGE]
    low_a, high_a = point[p, AT_V] - low * point[p, AT_U], point[p, AT_V] - high * point[p, AT_U]
    on_low, on_high = False, False
    for k in range(first, last):
        if tag[k, BREAKS] == 0:
            continue
        start, corners, r = tag[k, SIDES], tag[k, SIDE_COUNT], item[k, RADIUS]
        on_low = on_low or not misses(vert, start, corners, r * wide, low_a, low)
        on_high = on_high or not misses(vert, start, corners, r * wide, high_a, high)
    return on_low and on_high


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
        if _runs_deep(vert, item, tag, n, k, point[p, AT_V] - m * point[p, AT_U], m, u0, z0, u1, z1):
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
def _free_cone(
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


@bare
def _point_seen(
    vert: Floats,
    item: Floats,
    tag: Ints,
    n: int,
    eye: int,
    point: Floats,
    p: int,
    z: float,
    plate: float,
    zo: float,
    free: Floats,
    shares: Bools,
) -> bool:
    """Whether a point at the height z is seen from the plate of the observer (body `eye`) at the height zo."""
    u, v = point[p, AT_U], point[p, AT_V]
    u0, z0, u1, z1 = (plate, zo, u, z) if eye == 0 else (u, z, plate, zo)
    count = _free_cone(vert, item, tag, 2, n, point, p, u0, z0, u1, z1, free, shares)
    while count > 0:
        g = widest(free, FREE, count)
        m = (free[FREE, g, 0] + free[FREE, g, 1]) / 2.0
        _, first, last = span(vert, tag[eye, START], tag[eye, COUNT], item[eye, RADIUS], v - m * u, m)
        end = min(last, max(first, plate))
        u0, u1 = (end, u1) if eye == 0 else (u0, end)
        if _ray_clear(vert, item, tag, n, v - m * u, m, u0, z0, u1, z1, shares):
            return True
        count -= 1
        free[FREE, g, 0], free[FREE, g, 1] = free[FREE, count, 0], free[FREE, count, 1]
    return False


@bare
def _seen_from(work: Work, n: int, eye: int, p: int, z: float, plate: float, heights: int) -> bool:
    """Whether a point at the height z is seen from some height of the observer; what shares in hiding it is marked."""
    vert, item, tag, point, shares = work.vert, work.item, work.tag, work.point, work.shares
    for s in range(shares.shape[0]):
        shares[s] = False
    for h in range(heights):
        zo = _height(item[eye, LOW], item[eye, HIGH], 2 - h)
        if _point_seen(vert, item, tag, n, eye, point, p, z, plate, zo, work.free, shares):
            return True
    return False


@bare
def _all_seen(work: Work, n: int, eye: int, plate: float, points: int, heights: int) -> bool:
    """Whether every point is seen."""
    vert, item, tag, point = work.vert, work.item, work.tag, work.point
    wide = math.sqrt(1.0 + work.pad[FRAME, SLOPE] * work.pad[FRAME, SLOPE])
    for p in range(points):
        if not _edges_met(vert, item, tag, 2, n, point, p, wide):
            continue
        for level in range(heights):
            z = _height(item[1 - eye, LOW], item[1 - eye, HIGH], level)
            if not _seen_from(work, n, eye, p, z, plate, heights):
                return False
    return True


@bare
def _hides_alone(work: Work, first: int, last: int, eye: int, plate: float, points: int, heights: int) -> bool:
    """Whether the blockers of rows `first` to `last` alone hide a point from all heights of the observer."""
    vert, item, tag, point = work.vert, work.item, work.tag, work.point
    mark, wide = 1 - eye, math.sqrt(1.0 + work.pad[FRAME, SLOPE] * work.pad[FRAME, SLOPE])
    for p in range(points):
        if not _edges_met(vert, item, tag, first, last, point, p, wide):
            continue
        for level in range(heights):
            z = _height(item[mark, LOW], item[mark, HIGH], level)
            hidden = True
            for h in range(heights):
                zo = _height(item[eye, LOW], item[eye, HIGH], 2 - h)
                u = point[p, AT_U]
                u0, z0, u1, z1 = (plate, zo, u, z) if eye == 0 else (u, z, plate, zo)
                left = _free_cone(vert, item, tag, first, last, point, p, u0, z0, u1, z1, work.free, work.ignored)
                if left > 0:
                    hidden = False
                    break
            if hidden:
                return True
    return False


@leaf
def _heights(tag: Ints, n: int) -> int:
    """How many heights to look at: none without blockers, one against what stands on the ground."""
    heights = 0
    for k in range(2, n):
        if tag[k, BREAKS] != 0:
            if tag[k, GROUNDED] == 0:
                return 3
            heights = 1
    return heights


@leaf
def _any(flags: Bools) -> bool:
    count = 0
    for s in range(flags.shape[0]):
        count += flags[s]
    return count > 0


@leaf
def _set_reach(item: Floats, tag: Ints, vert: Floats, pad: Floats, eye: int) -> bool:
    """Find a line through each side of a round observer that no line from there to the target crosses.

    From the right side all lines to points of the target run to the right of the first, from the left side all run to
    the left of the second. False where there are no such lines.
    """
    mark = 1 - eye
    u, v, r = vert[tag[eye, START], 0], vert[tag[eye, START], 1], item[eye, RADIUS]
    near, far = (item[1, FIRST] - u, item[1, LAST] - u) if eye == 0 else (u - item[0, LAST], u - item[0, FIRST])
    if tag[eye, COUNT] != 1 or near < 1.0:
        return False
    left, right = pad[FACE + mark, LEFT_V] - v + r, pad[FACE + mark, RIGHT_V] - v - r
    left_m, right_m = left / (near if left > 0.0 else far), right / (near if right < 0.0 else far)
    if eye == 1:
        left_m, right_m = -left_m, -right_m
    pad[REACH, 0], pad[REACH, 1], pad[REACH, 2] = v - r - left_m * u, left_m, math.sqrt(1.0 + left_m * left_m)
    pad[REACH, 3], pad[REACH, 4], pad[REACH, 5] = v + r - right_m * u, right_m, math.sqrt(1.0 + right_m * right_m)
    return True


@leaf
def _may_hide(vert: Floats, item: Floats, tag: Ints, pad: Floats, first: int, last: int) -> bool:
    """Whether blockers of rows `first` to `last` come near both edges of some point's cone."""
    left_a, left_m, left_w = pad[REACH, 0], pad[REACH, 1], pad[REACH, 2]
    right_a, right_m, right_w = pad[REACH, 3], pad[REACH, 4], pad[REACH, 5]
    on_low, on_high = False, False
    for k in range(first, last):
        if tag[k, BREAKS] == 0:
            continue
        low, high, r = 1.0e18, -1.0e18, item[k, RADIUS]
        for c in range(tag[k, SIDES], tag[k, SIDES] + tag[k, SIDE_COUNT]):
            low = min(low, vert[c, 1] - left_a - left_m * vert[c, 0])
            high = max(high, vert[c, 1] - right_a - right_m * vert[c, 0])
        on_low |= low <= r * left_w
        on_high |= high >= -r * right_w
    return on_low and on_high


@bare
def _name_all(work: Work, n: int, eye: int, plate: float, points: int, heights: int) -> None:
    """Name all that share in hiding a point."""
    item, shares, named = work.item, work.shares, work.named
    for p in range(points):
        for level in range(heights):
            z = _height(item[1 - eye, LOW], item[1 - eye, HIGH], level)
            if not _seen_from(work, n, eye, p, z, plate, heights):
                for s in range(named.shape[0]):
                    named[s] |= shares[s]


@bare
def see_fully(work: Work, n: int, eye: int, visible: bool) -> bool:
    """Whether body `eye` sees all of the side of the other that faces it; name what hides a part of it.

    Something may be named already. Blockers of one feature, and all models, stand in consecutive rows.
    """
    vert, item, tag, pad, named = work.vert, work.item, work.tag, work.pad, work.named
    heights = _heights(tag, n)
    if heights == 0:
        return visible
    sure = _set_reach(item, tag, vert, pad, eye)
    judged = visible and not _any(named)
    if judged and sure and not _may_hide(vert, item, tag, pad, 2, n):
        return True
    plate, points = (pad[FACE + eye, LEFT_U] + pad[FACE + eye, RIGHT_U]) / 2.0, -1
    if judged:
        points = set_points(vert, item, tag, pad, eye, plate, work.point)
        if _all_seen(work, n, eye, plate, points, heights):
            return True
    first = 2
    while first < n:
        slot, last = tag[first, SLOT], first + 1
        while last < n and tag[last, SLOT] == slot:
            last += 1
        if not named[slot] and (not sure or _may_hide(vert, item, tag, pad, first, last)):
            if points < 0:
                points = set_points(vert, item, tag, pad, eye, plate, work.point)
            named[slot] = _hides_alone(work, first, last, eye, plate, points, heights)
        first = last
    if not _any(named):
        if points < 0:
            points = set_points(vert, item, tag, pad, eye, plate, work.point)
        _name_all(work, n, eye, plate, points, heights)
    return False
