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
from sandtable.table.sight_lines import FREE, SLOT_FREE, between, keep, misses, passing, remove, span, widest
from sandtable.table.sight_pair import (
    BETWEEN,
    BREAKS,
    CONE,
    COUNT,
    FACE,
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
    TALL,
    Work,
    part_corner,
)
from sandtable.table.sight_visible import AIR

SAMPLES: Final = 9
"""Points of the target's facing side, from right to left."""

_EDGE: Final = 0.98
_LIFT: Final = 2.0
"""The lowest points looked at are so far above the ground that the ground cannot hide them."""

# Columns of `Work.slot`: how often a slot hides a point alone, whether it hides a part, which edges of the cone it
# meets.
ALONE: Final = 0
SHARES: Final = 1
MET: Final = 2

BOTH: Final = 3
"""Both edges of the cone are met."""

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


@leaf
def _set_cone(vert: Floats, item: Floats, tag: Ints, eye: int, u: float, v: float, pad: Floats) -> bool:
    """Find the slopes from a point to the sides of the observer; False where the point is beside it."""
    low, high = 1.0e18, -1.0e18
    r = item[eye, RADIUS]
    for i in range(tag[eye, SIDES], tag[eye, SIDES] + tag[eye, SIDE_COUNT]):
        du = u - vert[i, 0]
        if abs(du) >= 1.0:
            one, other = (v - vert[i, 1] - r) / du, (v - vert[i, 1] + r) / du
            low, high = min(low, min(one, other)), max(high, max(one, other))
    pad[CONE, 0], pad[CONE, 1] = low, math.sqrt(1.0 + low * low)
    pad[CONE, 2], pad[CONE, 3] = high, math.sqrt(1.0 + high * high)
    return low < high


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
    slots: Ints,
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
        slots[tag[k, SLOT], SHARES] += 1
    return clear


@bare
def _remove_deep(
    vert: Floats,
    item: Floats,
    tag: Ints,
    pad: Floats,
    n: int,
    k: int,
    u: float,
    v: float,
    z: float,
    plate: float,
    zo: float,
    free: Floats,
    which: int,
    count: int,
) -> int:
    """Take away the slopes around lines that run too far through the area whose first piece is k."""
    low, width = pad[CONE, 0], (pad[CONE, 2] - pad[CONE, 0]) / _DEPTH_LINES
    for d in range(_DEPTH_LINES):
        m = low + (d + 0.5) * width
        if _runs_deep(vert, item, tag, n, k, v - m * u, m, plate, zo, u, z):
            count = remove(free, which, count, low + d * width, low + (d + 1) * width)
    return count


@leaf
def _shadow(
    vert: Floats, item: Floats, tag: Ints, pad: Floats, k: int, u: float, v: float, near: float, far: float
) -> tuple[float, float, float, float]:
    """The slopes of the cone at which lines from a point pass over and under blocker k, from `near` to `far`."""
    start, corners, radius = tag[k, SIDES], tag[k, SIDE_COUNT], item[k, RADIUS]
    if item[k, FIRST] + radius < near or item[k, LAST] - radius > far:
        start = part_corner(vert, 1)
        corners, radius = between(vert, tag[k, START], tag[k, COUNT], radius, near, far, start)
    return passing(vert, start, corners, radius, u, v, 0.0, pad[CONE, 0], pad[CONE, 1], pad[CONE, 2], pad[CONE, 3])


@bare
def _edges_met(
    vert: Floats,
    item: Floats,
    tag: Ints,
    pad: Floats,
    n: int,
    u: float,
    v: float,
    slots: Ints,
    broken: Bools,
    together: bool,
) -> int:
    """Which edges of the cone are met by blockers: 1 for the low one, 2 for the high one, 3 for both.

    The same is noted for each slot. What does not meet both cannot hide a point alone, and an edge that nothing meets
    is a clear line. Slots that are known to break full sight count only for all of them together.
    """
    inset = 0.001 * (pad[CONE, 2] - pad[CONE, 0])
    low, high = pad[CONE, 0] + inset, pad[CONE, 2] - inset
    low_a, low_w, high_a, high_w = v - low * u, pad[CONE, 1], v - high * u, pad[CONE, 3]
    for s in range(slots.shape[0]):
        slots[s, MET] = 0
    met = 0
    for k in range(2, n):
        slot = tag[k, SLOT]
        if tag[k, BREAKS] == 0 or (broken[slot] and not together):
            continue
        seen = slots[slot, MET]
        start, count, r = tag[k, SIDES], tag[k, SIDE_COUNT], item[k, RADIUS]
        if seen & 1 == 0 and not misses(vert, start, count, r * low_w, low_a, low):
            seen |= 1
        if seen & 2 == 0 and not misses(vert, start, count, r * high_w, high_a, high):
            seen |= 2
        slots[slot, MET] = seen
        met |= seen
    return met


@bare
def _point_seen(
    vert: Floats,
    item: Floats,
    tag: Ints,
    pad: Floats,
    free: Floats,
    slots: Ints,
    broken: Bools,
    n: int,
    eye: int,
    u: float,
    v: float,
    z: float,
    plate: float,
    zo: float,
    together: bool,
) -> bool:
    """Whether a point of the target is seen from the plate of the observer (body `eye`) at the height zo.

    Counts for each slot, unless it is known to break full sight, whether it alone hides the point. With `together` what
    all of them leave free is worked out too, and a line through it is tested; otherwise the answer is False.
    """
    low, high = pad[CONE, 0], pad[CONE, 2]
    met = _edges_met(vert, item, tag, pad, n, u, v, slots, broken, together)
    if met != BOTH:
        return together
    u0, z0, u1, z1 = (plate, zo, u, z) if eye == 0 else (u, z, plate, zo)
    free[FREE, 0, 0], free[FREE, 0, 1] = low, high
    count = 1 if together else 0
    slot, slot_count = -1, 1
    for k in range(2, n):
        if tag[k, BREAKS] == 0:
            continue
        fresh = tag[k, SLOT] != slot
        if fresh:
            if slot >= 0 and slot_count == 0:
                slots[slot, ALONE] += 1
            slot = tag[k, SLOT]
            slot_count = 0 if broken[slot] else 1
            free[SLOT_FREE, 0, 0], free[SLOT_FREE, 0, 1] = low, high
        if slots[slot, MET] != BOTH:
            slot_count = min(slot_count, 1)
            if count == 0:
                continue
        elif count == 0 and slot_count == 0:
            continue
        if item[k, LIMIT] >= 0.0:
            if fresh:
                slot_count = _remove_deep(vert, item, tag, pad, n, k, u, v, z, plate, zo, free, SLOT_FREE, slot_count)
                count = _remove_deep(vert, item, tag, pad, n, k, u, v, z, plate, zo, free, FREE, count)
                slots[slot, SHARES] += 1
            continue
        near, far = _band(u0, z0, u1, z1, item[k, LOW] - AIR, item[k, HIGH] + AIR)
        if near > far:
            continue
        over0, over1, under0, under1 = _shadow(vert, item, tag, pad, k, u, v, near, far)
        if (over0 <= low and over1 >= high) or (under0 <= low and under1 >= high):
            continue
        slots[slot, SHARES] += 1
        count = keep(free, FREE, count, over0, over1, under0, under1)
        slot_count = keep(free, SLOT_FREE, slot_count, over0, over1, under0, under1)
    if slot >= 0 and slot_count == 0:
        slots[slot, ALONE] += 1
    while count > 0:
        g = widest(free, FREE, count)
        m = (free[FREE, g, 0] + free[FREE, g, 1]) / 2.0
        _, first, last = span(vert, tag[eye, START], tag[eye, COUNT], item[eye, RADIUS], v - m * u, m)
        end = min(last, max(first, plate))
        u0, u1 = (end, u1) if eye == 0 else (u0, end)
        if _ray_clear(vert, item, tag, n, v - m * u, m, u0, z0, u1, z1, slots):
            return True
        count -= 1
        free[FREE, g, 0], free[FREE, g, 1] = free[FREE, count, 0], free[FREE, count, 1]
    return False


@leaf
def _blame_alone(slots: Ints, heights: int, broken: Bools) -> None:
    """Name what alone hides a point from all heights."""
    for s in range(broken.shape[0]):
        if slots[s, ALONE] == heights:
            broken[s] = True
        slots[s, ALONE] = 0


@leaf
def _blame_all(slots: Ints, broken: Bools) -> None:
    """Name all that share in hiding, unless something was named already."""
    for s in range(broken.shape[0]):
        if broken[s]:
            return
    for s in range(broken.shape[0]):
        broken[s] = slots[s, SHARES] > 0


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
def _all_named(tag: Ints, n: int, broken: Bools) -> bool:
    """Whether everything in the way is known to break full sight."""
    unnamed = 0
    for k in range(2, n):
        unnamed += tag[k, BREAKS] != 0 and not broken[tag[k, SLOT]]
    return unnamed == 0


@bare
def see_fully(work: Work, n: int, eye: int, broken: Bools) -> bool:
    """Whether body `eye` sees all of the side of the other that faces it; mark in `broken` what hides a part of it."""
    vert, item, tag, pad = work.vert, work.item, work.tag, work.pad
    heights = _heights(tag, n)
    if heights == 0:
        return True
    full = True
    for s in range(broken.shape[0]):
        full = full and not broken[s]
        work.slot[s, ALONE], work.slot[s, SHARES] = 0, 0
    mark = 1 - eye
    plate = (pad[FACE + eye, LEFT_U] + pad[FACE + eye, RIGHT_U]) / 2.0
    middle = (pad[FACE + mark, LEFT_V] + pad[FACE + mark, RIGHT_V]) / 2.0
    half = (pad[FACE + mark, LEFT_V] - pad[FACE + mark, RIGHT_V]) / 2.0
    for sample in range(SAMPLES):
        if not full and _all_named(tag, n, broken):
            break
        v = middle + half * (_EDGE * (2 * sample - SAMPLES + 1) / (SAMPLES - 1))
        hit, first, last = span(vert, tag[mark, START], tag[mark, COUNT], item[mark, RADIUS], v, 0.0)
        u = first if eye == 0 else last
        if not hit or abs(u - plate) < 1.0 or not _set_cone(vert, item, tag, eye, u, v, pad):
            continue
        for level in range(heights):
            z = _height(item[mark, LOW], item[mark, HIGH], level)
            seen = False
            for h in range(heights):
                zo = _height(item[eye, LOW], item[eye, HIGH], 2 - h)
                if _point_seen(vert, item, tag, pad, work.free, work.slot, broken, n, eye, u, v, z, plate, zo, full):
                    seen = True
                    break
            full = full and seen
            if not seen or heights > 1:
                _blame_alone(work.slot, heights, broken)
    if not full:
        _blame_all(work.slot, broken)
    return full
