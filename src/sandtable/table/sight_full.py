"""Whether one body sees another fully, and if not, what is in the way.

For points of the target's facing side every blocker hides an interval of the observer; a point whose intervals cover
the observer is not seen. The observer is taken as an upright plate through its sides, at the height of its top, and at
two more heights where something that does not stand on the ground is in the way.
"""

from __future__ import annotations

import math
from typing import Final

from sandtable.table.grid import Bools, Floats
from sandtable.table.kernel import kernel
from sandtable.table.sight_lines import between, keep, misses, passing, remove, span, widest
from sandtable.table.sight_pair import (
    BREAKS,
    COUNT,
    FIRST,
    GROUNDED,
    HIGH,
    LAST,
    LEFT_U,
    LEFT_V,
    LIMIT,
    LOW,
    RADIUS,
    RIGHT_U,
    RIGHT_V,
    SIDE_COUNT,
    SIDES,
    SLOT,
    START,
    Work,
)
from sandtable.table.sight_visible import AIR

SAMPLES: Final = 9
"""Points of the target's facing side, from right to left."""

_EDGE: Final = 0.98
_LIFT: Final = 2.0
"""The lowest points looked at are so far above the ground that the ground cannot hide them."""

# Columns of `Work.slot`: how often a slot hides a point alone, and whether it hides a part.
ALONE: Final = 0
SHARES: Final = 1

_DEPTH_LINES: Final = 9
"""An area with a depth limit hides the parts of the observer around those of so many lines that run too deep."""


@kernel
def _height(low: float, high: float, which: int) -> float:
    """Heights of a body: its underside, its middle, its top."""
    if which == 0:
        return low + min(_LIFT, (high - low) / 2.0)
    return (low + high) / 2.0 if which == 1 else high


@kernel
def _band(
    u0: float, z0: float, u1: float, z1: float, low: float, high: float
) -> tuple[float, float]:
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


@kernel
def _cone(work: Work, u: float, v: float) -> tuple[float, float]:
    """The slopes from a point to the sides of the observer."""
    low, high = 1.0e18, -1.0e18
    r = work.item[0, RADIUS]
    for i in range(work.tag[0, START], work.tag[0, START] + work.tag[0, COUNT]):
        du = u - work.vert[i, 0]
        if du < 1.0:
            continue
        low = min(low, (v - work.vert[i, 1] - r) / du)
        high = max(high, (v - work.vert[i, 1] + r) / du)
    return low, high


@kernel
def _inside(work: Work, k: int, a: float, m: float, u0: float, z0: float, u1: float, z1: float) -> float:
    """How far along u a line runs through the area k."""
    hit, first, last = span(work.vert, work.tag[k, START], work.tag[k, COUNT], 0.0, a, m)
    low, high = _band(u0, z0, u1, z1, work.item[k, LOW], work.item[k, HIGH])
    first, last = max(first, low), min(last, high)
    return last - first if hit and last > first else 0.0


@kernel
def _runs_deep(work: Work, n: int, k: int, a: float, m: float, u0: float, z0: float, u1: float, z1: float) -> bool:
    """Whether a line runs too far through the area whose first piece is k."""
    run = 0.0
    for piece in range(k, n):
        if work.tag[piece, SLOT] == work.tag[k, SLOT] and work.item[piece, LIMIT] >= 0.0:
            run += _inside(work, piece, a, m, u0, z0, u1, z1)
    return run * math.sqrt(1.0 + m * m) > work.item[k, LIMIT]


@kernel
def _ray_clear(work: Work, n: int, a: float, m: float, u0: float, z0: float, u1: float, z1: float) -> bool:
    """Whether a line from (u0, z0) to (u1, z1) over v = a + m u meets nothing; what it meets shares in hiding."""
    w = math.sqrt(1.0 + m * m)
    rise = (z1 - z0) / (u1 - u0)
    clear, deep = True, -1
    for k in range(2, n):
        if work.tag[k, BREAKS] == 0:
            continue
        if work.item[k, LIMIT] >= 0.0:
            if work.tag[k, SLOT] == deep or not _runs_deep(work, n, k, a, m, u0, z0, u1, z1):
                continue
            deep = work.tag[k, SLOT]
        else:
            if misses(work.vert, work.tag[k, SIDES], work.tag[k, SIDE_COUNT], work.item[k, RADIUS] * w, a, m):
                continue
            hit, first, last = span(work.vert, work.tag[k, START], work.tag[k, COUNT], work.item[k, RADIUS], a, m)
            first, last = max(first, u0), min(last, u1)
            if not hit or first > last:
                continue
            za, zb = z0 + rise * (first - u0), z0 + rise * (last - u0)
            if max(za, zb) < work.item[k, LOW] - AIR or min(za, zb) > work.item[k, HIGH] + AIR:
                continue
        clear = False
        work.slot[work.tag[k, SLOT], SHARES] += 1
    return clear


@kernel
def _remove_deep(
    work: Work, n: int, k: int, u: float, v: float, z: float, plate: float, zo: float, free: Floats, count: int
) -> int:
    """Take away the slopes around lines that run too far through the area whose first piece is k."""
    low, high = _cone(work, u, v)
    width = (high - low) / _DEPTH_LINES
    for d in range(_DEPTH_LINES):
        m = low + (d + 0.5) * width
        if _runs_deep(work, n, k, v - m * u, m, plate, zo, u, z):
            count = remove(free, count, work.spare, low + d * width, low + (d + 1) * width)
    return count


@kernel
def _shadow(work: Work, k: int, u: float, v: float, near: float, far: float, cone: Floats) -> tuple[float, float, float, float]:
    """The slopes of `cone` at which lines from a point pass the part of blocker k from `near` to `far`."""
    radius = work.item[k, RADIUS]
    if work.item[k, FIRST] + radius >= near and work.item[k, LAST] - radius <= far:
        return passing(
            work.vert, work.tag[k, SIDES], work.tag[k, SIDE_COUNT], radius,
            u, v, 0.0, cone[0], cone[1], cone[2], cone[3],
        )
    corners, radius = between(
        work.vert, work.tag[k, START], work.tag[k, COUNT], radius, near, far, work.cut_vert, 0
    )
    if corners == 0:
        return cone[0], cone[2], cone[2], cone[0]
    return passing(work.cut_vert, 0, corners, radius, u, v, 0.0, cone[0], cone[1], cone[2], cone[3])


@kernel
def _point_seen(
    work: Work, n: int, u: float, v: float, z: float, plate: float, zo: float, together: bool, broken: Bools
) -> bool:
    """Whether a point of the target is seen from the observer's plate at the height zo.

    Counts for each slot, unless it is known to break full sight, whether it alone hides the point. With `together` what
    all of them leave free is worked out too, and a line through it is tested; otherwise the answer is False.
    """
    low, high = _cone(work, u, v)
    work.cone[0], work.cone[1], work.cone[2], work.cone[3] = (
        low, math.sqrt(1.0 + low * low), high, math.sqrt(1.0 + high * high)
    )
    work.free[0, 0], work.free[0, 1] = low, high
    count = 1 if together else 0
    slot, slot_count, fresh = -1, 1, False
    for k in range(2, n):
        if work.tag[k, BREAKS] == 0:
            continue
        fresh = work.tag[k, SLOT] != slot
        if fresh:
            if slot >= 0 and slot_count == 0:
                work.slot[slot, ALONE] += 1
            slot = work.tag[k, SLOT]
            slot_count = 0 if broken[slot] else 1
            work.slot_free[0, 0], work.slot_free[0, 1] = low, high
        if count == 0 and slot_count == 0:
            continue
        if work.item[k, LIMIT] >= 0.0:
            if fresh:
                slot_count = _remove_deep(work, n, k, u, v, z, plate, zo, work.slot_free, slot_count)
                count = _remove_deep(work, n, k, u, v, z, plate, zo, work.free, count)
                work.slot[slot, SHARES] += 1
            continue
        near, far = _band(plate, zo, u, z, work.item[k, LOW] - AIR, work.item[k, HIGH] + AIR)
        if near > far:
            continue
        over0, over1, under0, under1 = _shadow(work, k, u, v, near, far, work.cone)
        if over0 <= low and over1 >= high or under0 <= low and under1 >= high:
            continue
        work.slot[slot, SHARES] += 1
        count = keep(work.free, count, work.spare, over0, over1, under0, under1)
        slot_count = keep(work.slot_free, slot_count, work.spare, over0, over1, under0, under1)
    if slot >= 0 and slot_count == 0:
        work.slot[slot, ALONE] += 1
    while count > 0:
        g = widest(work.free, count)
        m = (work.free[g, 0] + work.free[g, 1]) / 2.0
        _, first, last = span(work.vert, work.tag[0, START], work.tag[0, COUNT], work.item[0, RADIUS], v - m * u, m)
        if _ray_clear(work, n, v - m * u, m, min(last, max(first, plate)), zo, u, z):
            return True
        count -= 1
        work.free[g, 0], work.free[g, 1] = work.free[count, 0], work.free[count, 1]
    return False


@kernel
def _blame_alone(work: Work, heights: int, broken: Bools) -> None:
    """Name what alone hides a point from all heights."""
    for s in range(broken.shape[0]):
        if work.slot[s, ALONE] == heights:
            broken[s] = True
        work.slot[s, ALONE] = 0


@kernel
def _blame_all(work: Work, broken: Bools) -> None:
    """Name all that share in hiding, unless something was named already."""
    for s in range(broken.shape[0]):
        if broken[s]:
            return
    for s in range(broken.shape[0]):
        broken[s] = work.slot[s, SHARES] > 0


@kernel
def _heights(work: Work, n: int) -> int:
    """How many heights to look at: none without blockers, the top alone against what stands on the ground."""
    heights = 0
    for k in range(2, n):
        if work.tag[k, BREAKS] != 0:
            if work.tag[k, GROUNDED] == 0:
                return 3
            heights = 1
    return heights


@kernel
def _all_named(work: Work, n: int, broken: Bools) -> bool:
    """Whether everything in the way is known to break full sight."""
    for k in range(2, n):
        if work.tag[k, BREAKS] != 0 and not broken[work.tag[k, SLOT]]:
            return False
    return True


@kernel
def see_fully(work: Work, n: int, broken: Bools) -> bool:
    """Whether body 0 sees all of the side of body 1 that faces it; mark in `broken` what hides a part of it."""
    heights = _heights(work, n)
    if heights == 0:
        return True
    full = True
    for s in range(broken.shape[0]):
        full = full and not broken[s]
        work.slot[s, ALONE], work.slot[s, SHARES] = 0, 0
    face = work.face
    plate = (face[0, LEFT_U] + face[0, RIGHT_U]) / 2.0
    middle, half = (face[1, LEFT_V] + face[1, RIGHT_V]) / 2.0, (face[1, LEFT_V] - face[1, RIGHT_V]) / 2.0
    for sample in range(SAMPLES):
        if not full and _all_named(work, n, broken):
            break
        v = middle + half * (_EDGE * (2 * sample - SAMPLES + 1) / (SAMPLES - 1))
        hit, u, _ = span(work.vert, work.tag[1, START], work.tag[1, COUNT], work.item[1, RADIUS], v, 0.0)
        low, high = _cone(work, u, v)
        if not hit or u - plate < 1.0 or low >= high:
            continue
        for level in range(heights):
            z = _height(work.item[1, LOW], work.item[1, HIGH], level)
            seen = False
            for h in range(heights):
                zo = _height(work.item[0, LOW], work.item[0, HIGH], 2 - h)
                if _point_seen(work, n, u, v, z, plate, zo, full, broken):
                    seen = True
                    break
            full = full and seen
            _blame_alone(work, heights, broken)
    if not full:
        _blame_all(work, broken)
    return full
