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
    item, tag = work.item, work.tag
    hit, first, last = span(work.vert, tag[k, START], tag[k, COUNT], 0.0, a, m)
    low, high = _band(u0, z0, u1, z1, item[k, LOW], item[k, HIGH])
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
    item, tag = work.item, work.tag
    w = math.sqrt(1.0 + m * m)
    rise = (z1 - z0) / (u1 - u0)
    clear, deep = True, -1
    for k in range(2, n):
        if tag[k, BREAKS] == 0:
            continue
        if item[k, LIMIT] >= 0.0:
            if tag[k, SLOT] == deep or not _runs_deep(work, n, k, a, m, u0, z0, u1, z1):
                continue
            deep = tag[k, SLOT]
        else:
            if misses(work.vert, tag[k, START], tag[k, COUNT], item[k, RADIUS] * w, a, m):
                continue
            hit, first, last = span(work.vert, tag[k, START], tag[k, COUNT], item[k, RADIUS], a, m)
            first, last = max(first, u0), min(last, u1)
            if not hit or first > last:
                continue
            za, zb = z0 + rise * (first - u0), z0 + rise * (last - u0)
            if max(za, zb) < item[k, LOW] - AIR or min(za, zb) > item[k, HIGH] + AIR:
                continue
        clear = False
        work.slot[tag[k, SLOT], SHARES] += 1
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
def _close_slot(work: Work, slot: int, count: int, low: float, high: float) -> None:
    """Note whether a feature, or all models together, hide a point alone, or a part of the observer from it."""
    if slot < 0:
        return
    if count == 0:
        work.slot[slot, ALONE] += 1
    elif count > 1 or work.slot_free[0, 0] > low or work.slot_free[0, 1] < high:
        work.slot[slot, SHARES] += 1


@kernel
def _point_seen(work: Work, n: int, u: float, v: float, z: float, plate: float, zo: float, broken: Bools) -> bool:
    """Whether a point of the target is seen from the observer's plate at the height zo."""
    item, tag, free, slot_free = work.item, work.tag, work.free, work.slot_free
    low, high = _cone(work, u, v)
    low_w, high_w = math.sqrt(1.0 + low * low), math.sqrt(1.0 + high * high)
    free[0, 0], free[0, 1] = low, high
    count, slot, slot_count = 1, -1, 1
    for k in range(2, n):
        if tag[k, BREAKS] == 0:
            continue
        first_piece = False
        if tag[k, SLOT] != slot:
            _close_slot(work, slot, slot_count, low, high)
            slot, slot_count, first_piece = tag[k, SLOT], 1, True
            slot_free[0, 0], slot_free[0, 1] = low, high
        if count == 0 and (slot_count == 0 or broken[slot]):
            continue
        if item[k, LIMIT] >= 0.0:
            if first_piece:
                slot_count = _remove_deep(work, n, k, u, v, z, plate, zo, slot_free, slot_count)
                count = _remove_deep(work, n, k, u, v, z, plate, zo, free, count)
            continue
        start, corners, radius = tag[k, START], tag[k, COUNT], item[k, RADIUS]
        near, far = _band(plate, zo, u, z, item[k, LOW] - AIR, item[k, HIGH] + AIR)
        if near > far:
            continue
        if item[k, FIRST] + radius < near or item[k, LAST] - radius > far:
            corners, radius = between(work.vert, start, corners, radius, near, far, work.cut_vert, 0)
            if corners == 0:
                continue
            over0, over1, under0, under1 = passing(
                work.cut_vert, 0, corners, radius, u, v, 0.0, low, low_w, high, high_w
            )
        else:
            over0, over1, under0, under1 = passing(
                work.vert, start, corners, radius, u, v, 0.0, low, low_w, high, high_w
            )
        count = keep(free, count, work.spare, over0, over1, under0, under1)
        slot_count = keep(slot_free, slot_count, work.spare, over0, over1, under0, under1)
    _close_slot(work, slot, slot_count, low, high)
    while count > 0:
        g = widest(free, count)
        m = (free[g, 0] + free[g, 1]) / 2.0
        _, first, last = span(work.vert, tag[0, START], tag[0, COUNT], item[0, RADIUS], v - m * u, m)
        from_u = min(last, max(first, plate))
        if _ray_clear(work, n, v - m * u, m, from_u, zo, u, z):
            return True
        count -= 1
        free[g, 0], free[g, 1] = free[count, 0], free[count, 1]
    return False


@kernel
def _blame(work: Work, heights: int, broken: Bools) -> None:
    """Name what hides a point: what does so alone, or else all that share in it."""
    alone = False
    for s in range(broken.shape[0]):
        if work.slot[s, ALONE] == heights:
            broken[s] = True
            alone = True
    if alone:
        return
    for s in range(broken.shape[0]):
        if work.slot[s, SHARES] > 0 or work.slot[s, ALONE] > 0:
            broken[s] = True


@kernel
def see_fully(work: Work, n: int, broken: Bools) -> bool:
    """Whether body 0 sees all of the side of body 1 that faces it; mark in `broken` what hides a part of it."""
    item, tag, face = work.item, work.tag, work.face
    heights, any_breaks = 1, False
    for k in range(2, n):
        if tag[k, BREAKS] != 0:
            any_breaks = True
            if tag[k, GROUNDED] == 0:
                heights = 3
    if not any_breaks:
        return True
    plate = (face[0, LEFT_U] + face[0, RIGHT_U]) / 2.0
    middle, half = (face[1, LEFT_V] + face[1, RIGHT_V]) / 2.0, (face[1, LEFT_V] - face[1, RIGHT_V]) / 2.0
    full = True
    for sample in range(SAMPLES):
        v = middle + half * (_EDGE * (2 * sample - SAMPLES + 1) / (SAMPLES - 1))
        hit, u, _ = span(work.vert, tag[1, START], tag[1, COUNT], item[1, RADIUS], v, 0.0)
        low, high = _cone(work, u, v)
        if not hit or u - plate < 1.0 or low >= high:
            continue
        for level in range(heights):
            z = _height(item[1, LOW], item[1, HIGH], level)
            work.slot[:] = 0
            seen = False
            for h in range(heights):
                zo = _height(item[0, LOW], item[0, HIGH], 2 - h)
                if _point_seen(work, n, u, v, z, plate, zo, broken):
                    seen = True
                    break
            if not seen:
                full = False
                _blame(work, heights, broken)
    return full
