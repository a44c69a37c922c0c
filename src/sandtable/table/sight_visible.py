"""Whether one body sees another: critical lines.

If some lines between two bodies are clear and others are not, then some line that just passes a corner or a curve of a
blocker is clear. So it is enough to look, for each such corner, at the lines past it: every other blocker forbids an
interval of slopes, and what is left over is free. Over a line of the plan the highest line in space is the best against
all that stands on the ground; windows, floors and bodies on them are looked at by the same search in the upright plane.
"""

from __future__ import annotations

import math
from typing import Final

from sandtable.table.grid import Floats, Ints
from sandtable.table.kernel import kernel
from sandtable.table.sight_lines import between, keep, misses, passing, remove, span
from sandtable.table.sight_pair import (
    BETWEEN,
    COUNT,
    FIRST,
    GROUNDED,
    HIGH,
    LAST,
    LEFT_U,
    LEFT_V,
    LIMIT,
    LOW,
    LOWLY,
    RADIUS,
    RIGHT_U,
    RIGHT_V,
    SLOT,
    SIDE_COUNT,
    SIDES,
    START,
    STOPS,
    TALL,
    Work,
)

AIR: Final = 1.0 / 64.0
"""A line keeps this far above and below what it passes over and under."""

NUDGE: Final = 0.25
"""How far beside a corner the lines past it run."""

SIDE: Final = 0.97
"""The side of a body, as a share of its half width."""


@kernel
def free_slopes(
    vert: Floats, item: Floats, tag: Ints, n: int,
    pu: float, pv: float, offset: float, steepest: float, free: Floats, spare: Floats,
) -> int:
    """The slopes of lines past a point that meet shapes 0 and 1 and miss the others; return how many intervals."""
    low, high = -steepest, steepest
    free[0, 0], free[0, 1] = low, high
    count = 1
    for k in range(n):
        low_w, high_w = math.sqrt(1.0 + low * low), math.sqrt(1.0 + high * high)
        over0, over1, under0, under1 = passing(
            vert, tag[k, START], tag[k, COUNT], item[k, RADIUS], pu, pv, offset, low, low_w, high, high_w
        )
        if k < 2:
            count = remove(free, count, spare, over0, over1)
            count = remove(free, count, spare, under0, under1)
        else:
            count = keep(free, count, spare, over0, over1, under0, under1)
        if count == 0:
            return 0
        low, high = free[0, 0], free[count - 1, 1]
        for c in range(count):
            low, high = min(low, free[c, 0]), max(high, free[c, 1])
    return count


@kernel
def _is_extreme(vert: Floats, start: int, count: int, at: int, way: float, steepest: float) -> bool:
    """Whether a corner is the outermost one of its shape for some line that is not too steep."""
    low, high = -steepest, steepest
    for step in range(2):
        other = at + 1 if step == 0 else at - 1
        if other >= start + count:
            other = start
        elif other < start:
            other = start + count - 1
        du, dv = vert[at, 0] - vert[other, 0], (vert[at, 1] - vert[other, 1]) * way
        du = du * way
        if du > 0.0:
            high = min(high, dv / du)
        elif du < 0.0:
            low = max(low, dv / du)
        elif dv < 0.0:
            return False
    return low <= high


@kernel
def _upright_clear(item: Floats, vert: Floats, n: int, u0: float, z0: float, u1: float, z1: float) -> bool:
    """Whether a line in the upright plane misses the rectangles there."""
    for k in range(2, n):
        first, last = max(vert[4 * k, 0], u0), min(vert[4 * k + 2, 0], u1)
        if first > last:
            continue
        rise = (z1 - z0) / (u1 - u0) if u1 > u0 else 0.0
        za, zb = z0 + rise * (first - u0), z0 + rise * (last - u0)
        if max(za, zb) >= item[k, LOW] - AIR and min(za, zb) <= item[k, HIGH] + AIR:
            return False
    return True


@kernel
def _rectangle(work: Work, k: int, u0: float, u1: float, low: float, high: float) -> None:
    """Put a rectangle into row k of the upright plane."""
    at = 4 * k
    work.wall_vert[at, 0], work.wall_vert[at, 1] = u0, low
    work.wall_vert[at + 1, 0], work.wall_vert[at + 1, 1] = u1, low
    work.wall_vert[at + 2, 0], work.wall_vert[at + 2, 1] = u1, high
    work.wall_vert[at + 3, 0], work.wall_vert[at + 3, 1] = u0, high
    work.wall_tag[k, START], work.wall_tag[k, COUNT] = at, 4
    work.wall_item[k, RADIUS], work.wall_item[k, LOW], work.wall_item[k, HIGH] = 0.0, low, high


@kernel
def _try_upright(work: Work, n: int, c: float, m: float) -> bool:
    """Try the line z = c + m u of the upright plane; keep its ends if it is clear."""
    vert = work.wall_vert
    hit, _, u0 = span(vert, 0, 4, 0.0, c, m)
    hit_b, u1, _ = span(vert, 4, 4, 0.0, c, m)
    if not (hit and hit_b) or u0 > u1:
        return False
    if not _upright_clear(work.wall_item, vert, n, u0, c + m * u0, u1, c + m * u1):
        return False
    work.line[0], work.line[2] = u0, c + m * u0
    work.line[3], work.line[5] = u1, c + m * u1
    return True


@kernel
def _search_upright(
    work: Work, n: int, a: float, m: float, a0: float, a1: float, b0: float, b1: float
) -> bool:
    """Look for a clear line over one line of the plan, past windows, floors and bodies on them."""
    _rectangle(work, 0, a0, a1, work.item[0, LOW], work.item[0, HIGH])
    _rectangle(work, 1, b0, b1, work.item[1, LOW], work.item[1, HIGH])
    w = math.sqrt(1.0 + m * m)
    count = 2
    for k in range(2, n):
        if work.tag[k, STOPS] == 0 or work.item[k, LIMIT] >= 0.0:
            continue
        if misses(work.vert, work.tag[k, START], work.tag[k, COUNT], work.item[k, RADIUS] * w, a, m):
            continue
        hit, first, last = span(work.vert, work.tag[k, START], work.tag[k, COUNT], work.item[k, RADIUS], a, m)
        first, last = max(first, a0), min(last, b1)
        if not hit or first > last:
            continue
        if work.tag[k, TALL] != 0 and first < b0 and last > a1:
            return False
        _rectangle(work, count, first, last, work.item[k, LOW], work.item[k, HIGH])
        count += 1
    gap = max(1.0, b0 - a1)
    for x in range(3):
        for y in range(3):
            za = work.item[0, HIGH] - (work.item[0, HIGH] - work.item[0, LOW]) * (x * 0.49)
            zb = work.item[1, HIGH] - (work.item[1, HIGH] - work.item[1, LOW]) * (y * 0.49)
            if _upright_clear(work.wall_item, work.wall_vert, count, a1, za, b0, zb):
                work.line[0], work.line[2], work.line[3], work.line[5] = a1, za, b0, zb
                return True
    steepest = (max(work.item[0, HIGH], work.item[1, HIGH]) - min(work.item[0, LOW], work.item[1, LOW]) + 1.0) / gap
    for k in range(2, count):
        for corner in range(4):
            up = 1.0 if corner >= 2 else -1.0
            pu, pz = work.wall_vert[4 * k + corner, 0], work.wall_vert[4 * k + corner, 1] + up * NUDGE
            found = free_slopes(
                work.wall_vert, work.wall_item, work.wall_tag, count, pu, pz, 0.0, steepest, work.slot_free, work.spare
            )
            for g in range(found):
                slope = (work.slot_free[g, 0] + work.slot_free[g, 1]) / 2.0
                if _try_upright(work, count, pz - slope * pu, slope):
                    return True
    return False


@kernel
def _too_deep(work: Work, n: int, a: float, m: float, u0: float, z0: float, u1: float, z1: float) -> bool:
    """Whether a line runs too far through an area that allows only so much."""
    w = math.sqrt(1.0 + m * m)
    slot, run = -1, 0.0
    rise = (z1 - z0) / (u1 - u0) if u1 > u0 else 0.0
    for k in range(2, n):
        if work.item[k, LIMIT] < 0.0:
            continue
        if work.tag[k, SLOT] != slot:
            slot, run = work.tag[k, SLOT], 0.0
        hit, first, last = span(work.vert, work.tag[k, START], work.tag[k, COUNT], 0.0, a, m)
        first, last = max(first, u0), min(last, u1)
        if not hit or first >= last:
            continue
        if rise > 0.0:
            last = min(last, u0 + (work.item[k, HIGH] - z0) / rise)
        elif rise < 0.0:
            first = max(first, u0 + (work.item[k, HIGH] - z0) / rise)
        elif z0 > work.item[k, HIGH]:
            continue
        run += max(0.0, last - first) * w
        if run > work.item[k, LIMIT]:
            return True
    return False


@kernel
def _wall_in_way(work: Work, n: int, a: float, m: float, w: float) -> bool:
    """Whether the line meets a blocker between the bodies that is higher than both."""
    for k in range(2, n):
        if work.tag[k, TALL] & work.tag[k, BETWEEN] & work.tag[k, STOPS] != 0 and not misses(
            work.vert, work.tag[k, SIDES], work.tag[k, SIDE_COUNT], work.item[k, RADIUS] * w, a, m
        ):
            return True
    return False


@kernel
def try_line(work: Work, n: int, a: float, m: float) -> bool:
    """Whether some line of sight over the line v = a + m u of the plan is clear; keep its ends if so."""
    w = math.sqrt(1.0 + m * m)
    if _wall_in_way(work, n, a, m, w):
        return False
    hit_a, a0, a1 = span(work.vert, work.tag[0, START], work.tag[0, COUNT], work.item[0, RADIUS], a, m)
    hit_b, b0, b1 = span(work.vert, work.tag[1, START], work.tag[1, COUNT], work.item[1, RADIUS], a, m)
    if not (hit_a and hit_b):
        return False
    if a1 > b0:  # bodies that touch may overlap by a hair
        a1 = b0 = (a1 + b0) / 2.0
    # The highest line between the bodies runs from top to top, at the back of the lower one.
    za, zb = work.item[0, HIGH], work.item[1, HIGH]
    u0, u1 = (a1, b1) if za >= zb else (a0, b0)
    rise = (zb - za) / (u1 - u0) if u1 > u0 else 0.0
    work.line[0], work.line[2], work.line[3], work.line[5] = u0, za, u1, zb
    stopped, deep = False, False
    for k in range(2, n):
        if work.tag[k, STOPS] == 0 or work.tag[k, LOWLY] != 0 or work.tag[k, TALL] & work.tag[k, BETWEEN] != 0:
            continue
        if work.item[k, LIMIT] >= 0.0:
            deep = True
            continue
        if misses(work.vert, work.tag[k, SIDES], work.tag[k, SIDE_COUNT], work.item[k, RADIUS] * w, a, m):
            continue
        hit, first, last = span(work.vert, work.tag[k, START], work.tag[k, COUNT], work.item[k, RADIUS], a, m)
        if not hit or first > u1 or last < u0:
            continue
        c0, c1 = max(first, a1), min(last, b0)
        if work.tag[k, GROUNDED] != 0 and c0 <= c1:
            lowest = min(za + rise * (c0 - u0), za + rise * (c1 - u0))
            if lowest <= work.item[k, HIGH] + AIR:
                return False
        first, last = max(first, u0), min(last, u1)
        z0, z1 = za + rise * (first - u0), za + rise * (last - u0)
        if max(z0, z1) >= work.item[k, LOW] - AIR and min(z0, z1) <= work.item[k, HIGH] + AIR:
            stopped = True
    if stopped and not _search_upright(work, n, a, m, a0, a1, b0, b1):
        return False
    if deep and _too_deep(work, n, a, m, work.line[0], work.line[2], work.line[3], work.line[5]):
        if stopped or _too_deep(work, n, a, m, a1, za, b0, zb):
            return False
        work.line[0], work.line[3] = a1, b0
        if not _upright_ok(work, n, a, m):
            return False
    work.line[1], work.line[4] = a + m * work.line[0], a + m * work.line[3]
    return True


@kernel
def _upright_ok(work: Work, n: int, a: float, m: float) -> bool:
    """Whether the kept line, seen upright over the line of the plan, meets nothing."""
    u0, z0, u1, z1 = work.line[0], work.line[2], work.line[3], work.line[5]
    rise = (z1 - z0) / (u1 - u0) if u1 > u0 else 0.0
    for k in range(2, n):
        if work.tag[k, STOPS] == 0 or work.item[k, LIMIT] >= 0.0:
            continue
        hit, first, last = span(work.vert, work.tag[k, START], work.tag[k, COUNT], work.item[k, RADIUS], a, m)
        first, last = max(first, u0), min(last, u1)
        if not hit or first > last:
            continue
        za, zb = z0 + rise * (first - u0), z0 + rise * (last - u0)
        if max(za, zb) >= work.item[k, LOW] - AIR and min(za, zb) <= work.item[k, HIGH] + AIR:
            return False
    return True


@kernel
def _try_points(work: Work, n: int, u0: float, v0: float, u1: float, v1: float) -> bool:
    if u1 - u0 < 1.0:
        return False
    m = (v1 - v0) / (u1 - u0)
    return try_line(work, n, v0 - m * u0, m)


@kernel
def _try_sides(work: Work, n: int) -> bool:
    """Try the four lines between the sides of the bodies."""
    face = work.face
    inner = 0.5 + SIDE / 2.0
    outer = 1.0 - inner
    for x in range(2):
        here = inner if x == 0 else outer
        u0 = here * face[0, LEFT_U] + (1.0 - here) * face[0, RIGHT_U]
        v0 = here * face[0, LEFT_V] + (1.0 - here) * face[0, RIGHT_V]
        for y in range(2):
            here = inner if y == 0 else outer
            u1 = here * face[1, LEFT_U] + (1.0 - here) * face[1, RIGHT_U]
            v1 = here * face[1, LEFT_V] + (1.0 - here) * face[1, RIGHT_V]
            if _try_points(work, n, u0, v0, u1, v1):
                return True
    return False


@kernel
def _cut(
    work: Work, n: int, floating: bool, u0: float, u1: float, vert: Floats, item: Floats, tag: Ints
) -> int:
    """Copy the bodies and the blockers, cut down to where they stop the highest lines; return how many there are.

    These lines run from the first body's top at u0 to the second's at u1. What does not stand on the ground is left out
    unless `floating`, and so are areas with a depth limit: whether they stop a line, the line itself must tell.
    """
    front = min(work.face[0, LEFT_U], work.face[0, RIGHT_U])
    rear = max(work.face[1, LEFT_U], work.face[1, RIGHT_U])
    za, zb = work.item[0, HIGH], work.item[1, HIGH]
    count, at = 0, 0
    for k in range(n):
        low, high = front, rear
        if k < 2:
            low, high = -1.0e18, 1.0e18
        elif work.tag[k, STOPS] == 0 or work.tag[k, LOWLY] != 0 or work.item[k, LIMIT] >= 0.0:
            continue
        elif work.tag[k, GROUNDED] == 0:
            if not floating:
                continue
        elif work.tag[k, TALL] == 0:
            where = u0 + (za - work.item[k, HIGH]) / (za - zb) * (u1 - u0)
            if za > zb:
                low = max(low, where)
            else:
                high = min(high, where)
        start, corners, radius = work.tag[k, SIDES], work.tag[k, SIDE_COUNT], work.item[k, RADIUS]
        if work.item[k, FIRST] + radius < low or work.item[k, LAST] - radius > high:
            start, corners = work.tag[k, START], work.tag[k, COUNT]
        corners, radius = between(work.vert, start, corners, radius, low, high, vert, at)
        if corners == 0:
            continue
        tag[count, START], tag[count, COUNT], tag[count, SLOT] = at, corners, k
        item[count, RADIUS] = radius
        at += corners
        count += 1
    return count


@kernel
def _refine(work: Work, n: int, floating: bool, k: int, corner: int, way: float, steepest: float) -> bool:
    """Look again at the lines past a corner, with the blockers cut as the last line tried would cut them."""
    vert, item, tag = work.wall_vert, work.wall_item, work.wall_tag
    count = _cut(work, n, floating, work.line[0], work.line[3], vert, item, tag)
    for row in range(2, count):
        if tag[row, SLOT] != k or corner >= tag[row, COUNT]:
            continue
        offset = way * (item[row, RADIUS] + NUDGE)
        pu, pv = vert[tag[row, START] + corner, 0], vert[tag[row, START] + corner, 1]
        found = free_slopes(vert, item, tag, count, pu, pv, offset, steepest, work.slot_free, work.spare)
        for g in range(found):
            m = (work.slot_free[g, 0] + work.slot_free[g, 1]) / 2.0
            if try_line(work, n, pv - m * pu + offset * math.sqrt(1.0 + m * m), m):
                return True
    return False


@kernel
def _sweep(work: Work, n: int, floating: bool, u0: float, u1: float, steepest: float, ends: bool, rough: bool) -> bool:
    """Look at the lines past every corner of the cut blockers.

    `ends` tries more than one line of each gap; `rough` says that the cut was too small, so that a line may fail.
    """
    vert, item, tag, free = work.cut_vert, work.cut_item, work.cut_tag, work.free
    count = _cut(work, n, floating, u0, u1, vert, item, tag)
    for k in range(2, count):
        start, corners, radius = tag[k, START], tag[k, COUNT], item[k, RADIUS] + NUDGE
        for c in range(start, start + corners):
            for turn in range(2):
                way = 1.0 - 2.0 * turn
                if corners > 1 and not _is_extreme(vert, start, corners, c, way, steepest):
                    continue
                pu, pv, offset = vert[c, 0], vert[c, 1], way * radius
                found = free_slopes(vert, item, tag, count, pu, pv, offset, steepest, free, work.spare)
                for g in range(found):
                    for share in range(3 if ends else 1):
                        weight = 0.5 if share == 0 else 0.02 if share == 1 else 0.98
                        m = free[g, 0] + weight * (free[g, 1] - free[g, 0])
                        a = pv - m * pu + offset * math.sqrt(1.0 + m * m)
                        if try_line(work, n, a, m):
                            return True
                    if rough:
                        for _ in range(2):
                            if _refine(work, n, floating, tag[k, SLOT], c - start, way, steepest):
                                return True
    return False


@kernel
def _fan(work: Work, n: int) -> bool:
    """Try lines spread evenly over both bodies."""
    face = work.face
    for x in range(7):
        s = (x - 3) * 0.33
        u0 = (face[0, LEFT_U] * (1.0 + s) + face[0, RIGHT_U] * (1.0 - s)) / 2.0
        v0 = (face[0, LEFT_V] * (1.0 + s) + face[0, RIGHT_V] * (1.0 - s)) / 2.0
        for y in range(7):
            s = (y - 3) * 0.33
            u1 = (face[1, LEFT_U] * (1.0 + s) + face[1, RIGHT_U] * (1.0 - s)) / 2.0
            v1 = (face[1, LEFT_V] * (1.0 + s) + face[1, RIGHT_V] * (1.0 - s)) / 2.0
            if _try_points(work, n, u0, v0, u1, v1):
                return True
    return False


@kernel
def find_line(work: Work, n: int) -> bool:
    """Whether the two bodies see each other; the line found is kept."""
    face = work.face
    v0, v1 = (face[0, LEFT_V] + face[0, RIGHT_V]) / 2.0, (face[1, LEFT_V] + face[1, RIGHT_V]) / 2.0
    u0, u1 = (face[0, LEFT_U] + face[0, RIGHT_U]) / 2.0, (face[1, LEFT_U] + face[1, RIGHT_U]) / 2.0
    if _try_points(work, n, u0, v0, u1, v1) or _try_sides(work, n):
        return True
    floating, deep, partly, stops = False, False, False, False
    for k in range(2, n):
        if work.tag[k, STOPS] != 0:
            stops = True
            floating = floating or work.tag[k, GROUNDED] == 0
            deep = deep or work.item[k, LIMIT] >= 0.0
            partly = partly or (work.tag[k, TALL] == 0 and work.tag[k, LOWLY] == 0)
    if not stops:
        return False
    steepest = work.frame[5]
    item = work.item
    ends = floating or deep
    if _sweep(work, n, False, item[0, FIRST], item[1, FIRST], steepest, ends, False):
        return True
    if partly and _sweep(work, n, False, item[0, LAST], item[1, LAST], steepest, ends, True):
        return True
    if floating and _sweep(work, n, True, item[0, LAST], item[1, LAST], steepest, True, True):
        return True
    return (floating or deep) and _fan(work, n)
