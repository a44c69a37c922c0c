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
from sandtable.table.sight_cones import COVERED, MISSED, free_cone, meet_edges, runs_deep
from sandtable.table.sight_lines import FREE, misses, span, widest
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
)
from sandtable.table.sight_points import AT_U, AT_V, set_points
from sandtable.table.sight_visible import AIR

_LIFT: Final = 2.0
"""The lowest points looked at are so far above the ground that the ground cannot hide them."""


@leaf
def _height(low: float, high: float, which: int) -> float:
    """Heights of a body: its underside, its middle, its top."""
    if which == 0:
        return low + min(_LIFT, (high - low) / 2.0)
    return (low + high) / 2.0 if which == 1 else high


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
            if tag[k, SLOT] == deep or not runs_deep(vert, item, tag, n, k, a, m, u0, z0, u1, z1):
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
    count = free_cone(vert, item, tag, 2, n, point, p, u0, z0, u1, z1, free, shares)
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
        edges = meet_edges(vert, item, tag, 2, n, point, p, plate, wide)
        if edges == COVERED:
            return False
        if edges == MISSED:
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
        edges = meet_edges(vert, item, tag, first, last, point, p, plate, wide)
        if edges == COVERED:
            return True
        if edges == MISSED:
            continue
        for level in range(heights):
            z = _height(item[mark, LOW], item[mark, HIGH], level)
            hidden = True
            for h in range(heights):
                zo = _height(item[eye, LOW], item[eye, HIGH], 2 - h)
                u = point[p, AT_U]
                u0, z0, u1, z1 = (plate, zo, u, z) if eye == 0 else (u, z, plate, zo)
                left = free_cone(vert, item, tag, first, last, point, p, u0, z0, u1, z1, work.free, work.ignored)
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


@leaf
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
