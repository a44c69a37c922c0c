"""Whether one body sees another: critical lines.

If some lines between two bodies are clear and others are not, then some line that just passes a corner or a curve of a
blocker is clear. So it is enough to look, for each such corner, at the lines past it: every other blocker forbids an
interval of slopes, and what is left over is free. Over a line of the plan the highest line in space is the best against
all that stands on the ground; windows, floors and bodies on them are looked at by the same search in the upright plane.
"""

from __future__ import annotations

import math
from typing import Final

from sandtable.kernels import bare, leaf
from sandtable.table.grid import Floats, Ints
from sandtable.table.sight_lines import FREE, UPRIGHT_FREE, between, misses, span
from sandtable.table.sight_pair import (
    BETWEEN,
    COUNT,
    FACE,
    FIRST,
    FRAME,
    GROUNDED,
    HIGH,
    HULL,
    LAST,
    LEFT_U,
    LEFT_V,
    LIMIT,
    LINE,
    LOW,
    LOWLY,
    RADIUS,
    RIGHT_U,
    RIGHT_V,
    SIDE_COUNT,
    SIDES,
    SLOPE,
    SLOT,
    START,
    STOPS,
    TALL,
    Work,
    part_corner,
    part_row,
)
from sandtable.table.sight_slopes import free_slopes, is_extreme

AIR: Final = 1.0 / 64.0
"""A line keeps this far above and below what it passes over and under."""

NUDGE: Final = 0.25
"""How far beside a corner the lines past it run."""

_SIDE: Final = 0.97
"""The side of a body, as a share of its half width."""

_GAP_LINES: Final = 3
"""How many lines of a gap are tried where the cut is not exact or height and depth decide."""

_CUT: Final = 1
_UPRIGHT: Final = 2

# What a line of the plan turned out to be.
STOPPED: Final = 0
CLEAR: Final = 1
UNSURE: Final = 2


@bare
def try_line(vert: Floats, item: Floats, tag: Ints, pad: Floats, n: int, a: float, m: float) -> int:
    """Whether the highest line of sight over the line v = a + m u of the plan is clear; keep its ends if so.

    UNSURE where only something that does not stand on the ground, or an area with a depth limit, is in the way.
    """
    w = math.sqrt(1.0 + m * m)
    unsure = False
    others = 0
    for k in range(2, n):
        if tag[k, STOPS] == 0 or tag[k, LOWLY] != 0:
            continue
        if tag[k, TALL] & tag[k, BETWEEN] == 0:
            others += 1
        elif not misses(vert, tag[k, SIDES], tag[k, SIDE_COUNT], item[k, RADIUS] * w, a, m):
            return STOPPED
    hit_a, a0, a1 = span(vert, tag[0, START], tag[0, COUNT], item[0, RADIUS], a, m)
    hit_b, b0, b1 = span(vert, tag[1, START], tag[1, COUNT], item[1, RADIUS], a, m)
    if not (hit_a and hit_b):
        return STOPPED
    if a1 > b0:  # bodies that touch may overlap by a hair
        a1 = b0 = (a1 + b0) / 2.0
    # The highest line between the bodies runs from top to top, at the back of the lower one.
    za, zb = item[0, HIGH], item[1, HIGH]
    u0, u1 = (a1, b1) if za >= zb else (a0, b0)
    rise = (zb - za) / (u1 - u0) if u1 > u0 else 0.0
    pad[LINE, 0], pad[LINE, 1], pad[LINE, 2] = u0, a + m * u0, za
    pad[LINE, 3], pad[LINE, 4], pad[LINE, 5] = u1, a + m * u1, zb
    for k in range(2, n if others > 0 else 2):
        if tag[k, STOPS] == 0 or tag[k, LOWLY] != 0 or tag[k, TALL] & tag[k, BETWEEN] != 0:
            continue
        if misses(vert, tag[k, SIDES], tag[k, SIDE_COUNT], item[k, RADIUS] * w, a, m):
            continue
        if item[k, LIMIT] >= 0.0:
            unsure = True
            continue
        hit, first, last = span(vert, tag[k, START], tag[k, COUNT], item[k, RADIUS], a, m)
        if not hit or first > u1 or last < u0:
            continue
        c0, c1 = max(first, a1), min(last, b0)
        if tag[k, GROUNDED] != 0 and c0 <= c1:
            lowest = min(za + rise * (c0 - u0), za + rise * (c1 - u0))
            if lowest <= item[k, HIGH] + AIR:
                return STOPPED
        first, last = max(first, u0), min(last, u1)
        z0, z1 = za + rise * (first - u0), za + rise * (last - u0)
        if max(z0, z1) >= item[k, LOW] - AIR and min(z0, z1) <= item[k, HIGH] + AIR:
            unsure = True
    return UNSURE if unsure else CLEAR


@leaf
def _put_rectangle(
    vert: Floats, item: Floats, tag: Ints, k: int, at: int, u0: float, u1: float, low: float, high: float
) -> None:
    """Put a rectangle of the upright plane into row k."""
    vert[at, 0], vert[at, 1] = u0, low
    vert[at + 1, 0], vert[at + 1, 1] = u1, low
    vert[at + 2, 0], vert[at + 2, 1] = u1, high
    vert[at + 3, 0], vert[at + 3, 1] = u0, high
    for corner in range(at, at + 4):  # whatever stood there before, times a radius of 0, need not be 0
        vert[corner, 2], vert[corner, 3] = 0.0, 0.0
    tag[k, START], tag[k, COUNT], item[k, RADIUS] = at, 4, 0.0
    item[k, FIRST], item[k, LAST], item[k, LOW], item[k, HIGH] = u0, u1, low, high


@bare
def _upright_clear(item: Floats, first: int, last: int, u0: float, z0: float, u1: float, z1: float) -> bool:
    """Whether a line in the upright plane misses the rectangles there."""
    rise = (z1 - z0) / (u1 - u0) if u1 > u0 else 0.0
    for k in range(first, last):
        near, far = max(item[k, FIRST], u0), min(item[k, LAST], u1)
        if near > far:
            continue
        za, zb = z0 + rise * (near - u0), z0 + rise * (far - u0)
        if max(za, zb) >= item[k, LOW] - AIR and min(za, zb) <= item[k, HIGH] + AIR:
            return False
    return True


@bare
def _too_deep(
    vert: Floats, item: Floats, tag: Ints, n: int, a: float, m: float, u0: float, z0: float, u1: float, z1: float
) -> bool:
    """Whether a line runs too far through an area that allows only so much."""
    w = math.sqrt(1.0 + m * m)
    slot, run = -1, 0.0
    rise = (z1 - z0) / (u1 - u0) if u1 > u0 else 0.0
    for k in range(2, n):
        if item[k, LIMIT] < 0.0 or tag[k, STOPS] == 0:
            continue
        if tag[k, SLOT] != slot:
            slot, run = tag[k, SLOT], 0.0
        hit, first, last = span(vert, tag[k, START], tag[k, COUNT], 0.0, a, m)
        first, last = max(first, u0), min(last, u1)
        if not hit or first >= last:
            continue
        if rise > 0.0:
            last = min(last, u0 + (item[k, HIGH] - z0) / rise)
        elif rise < 0.0:
            first = max(first, u0 + (item[k, HIGH] - z0) / rise)
        elif z0 > item[k, HIGH]:
            continue
        run += max(0.0, last - first) * w
        if run > item[k, LIMIT]:
            return True
    return False


@bare
def _accept(work: Work, n: int, last: int, a: float, m: float, u0: float, z0: float, u1: float, z1: float) -> bool:
    """Keep a line of the upright plane if it is clear there and runs nowhere too deep."""
    if u0 > u1 or not _upright_clear(work.item, part_row(work.item, _UPRIGHT) + 2, last, u0, z0, u1, z1):
        return False
    if _too_deep(work.vert, work.item, work.tag, n, a, m, u0, z0, u1, z1):
        return False
    work.pad[LINE, 0], work.pad[LINE, 1], work.pad[LINE, 2] = u0, a + m * u0, z0
    work.pad[LINE, 3], work.pad[LINE, 4], work.pad[LINE, 5] = u1, a + m * u1, z1
    return True


@bare
def _set_upright(work: Work, n: int, a: float, m: float) -> int:
    """Fill the upright plane over a line of the plan; return the end of its rows, or 0 where nothing can be seen."""
    vert, item, tag = work.vert, work.item, work.tag
    _, a0, a1 = span(vert, tag[0, START], tag[0, COUNT], item[0, RADIUS], a, m)
    _, b0, b1 = span(vert, tag[1, START], tag[1, COUNT], item[1, RADIUS], a, m)
    row, at = part_row(item, _UPRIGHT), part_corner(vert, _UPRIGHT)
    _put_rectangle(vert, item, tag, row, at, a0, a1, item[0, LOW], item[0, HIGH])
    _put_rectangle(vert, item, tag, row + 1, at + 4, b0, b1, item[1, LOW], item[1, HIGH])
    w = math.sqrt(1.0 + m * m)
    end = row + 2
    for k in range(2, n):
        if tag[k, STOPS] == 0 or item[k, LIMIT] >= 0.0:
            continue
        if misses(vert, tag[k, SIDES], tag[k, SIDE_COUNT], item[k, RADIUS] * w, a, m):
            continue
        if tag[k, TALL] & tag[k, BETWEEN] != 0:
            return 0
        hit, first, last = span(vert, tag[k, START], tag[k, COUNT], item[k, RADIUS], a, m)
        first, last = max(first, a0), min(last, b1)
        if not hit or first > last:
            continue
        if tag[k, TALL] != 0 and first < b0 and last > a1:
            return 0
        _put_rectangle(vert, item, tag, end, at + 4 * (end - row), first, last, item[k, LOW], item[k, HIGH])
        end += 1
    return end


@bare
def _search_upright(work: Work, n: int, a: float, m: float) -> bool:
    """Look for a clear line over one line of the plan, past windows, floors, bodies on them, and not too deep."""
    vert, item, tag = work.vert, work.item, work.tag
    end = _set_upright(work, n, a, m)
    if end == 0:
        return False
    row = part_row(item, _UPRIGHT)
    a0, a1, b0, b1 = item[row, FIRST], item[row, LAST], item[row + 1, FIRST], item[row + 1, LAST]
    if a1 > b0:
        a1 = b0 = (a1 + b0) / 2.0
    za, zb = item[0, HIGH], item[1, HIGH]
    if _accept(work, n, end, a, m, a1, za, b1, zb) or _accept(work, n, end, a, m, a0, za, b0, zb):
        return True
    for x in range(3):
        for y in range(3):
            z0, z1 = za - (za - item[0, LOW]) * (x * 0.49), zb - (zb - item[1, LOW]) * (y * 0.49)
            if _accept(work, n, end, a, m, a1, z0, b0, z1):
                return True
    steepest = (max(za, zb) - min(item[0, LOW], item[1, LOW]) + 1.0) / max(1.0, b0 - a1)
    hint = row
    for k in range(row + 2, end):
        for corner in range(4):
            pu = vert[tag[k, START] + corner, 0]
            pz = vert[tag[k, START] + corner, 1] + (NUDGE if corner >= 2 else -NUDGE)
            found, hint = free_slopes(vert, item, tag, row, end, pu, pz, 0.0, steepest, work.free, UPRIGHT_FREE, hint)
            for g in range(found):
                rise = (work.free[UPRIGHT_FREE, g, 0] + work.free[UPRIGHT_FREE, g, 1]) / 2.0
                c = pz - rise * pu
                hit_a, _, u0 = span(vert, tag[row, START], 4, 0.0, c, rise)
                hit_b, u1, _ = span(vert, tag[row + 1, START], 4, 0.0, c, rise)
                if hit_a and hit_b and _accept(work, n, end, a, m, u0, c + rise * u0, u1, c + rise * u1):
                    return True
    return False


@leaf
def _try_points(work: Work, n: int, u0: float, v0: float, u1: float, v1: float) -> bool:
    """Try the line of the plan through two points."""
    if u1 - u0 < 1.0:
        return False
    m = (v1 - v0) / (u1 - u0)
    a = v0 - m * u0
    answer = try_line(work.vert, work.item, work.tag, work.pad, n, a, m)
    return answer == CLEAR or (answer == UNSURE and _search_upright(work, n, a, m))


@bare
def _try_shares(work: Work, n: int, here: float, there: float) -> bool:
    """Try the line between points of the two bodies, given as shares of the way from their right to their left side."""
    pad = work.pad
    u0 = here * pad[FACE, LEFT_U] + (1.0 - here) * pad[FACE, RIGHT_U]
    v0 = here * pad[FACE, LEFT_V] + (1.0 - here) * pad[FACE, RIGHT_V]
    u1 = there * pad[FACE + 1, LEFT_U] + (1.0 - there) * pad[FACE + 1, RIGHT_U]
    v1 = there * pad[FACE + 1, LEFT_V] + (1.0 - there) * pad[FACE + 1, RIGHT_V]
    return _try_points(work, n, u0, v0, u1, v1)


@bare
def _fan(work: Work, n: int, lines: int) -> bool:
    """Try lines spread evenly over both bodies."""
    for x in range(lines):
        for y in range(lines):
            here, there = 0.5 + _SIDE * (x / (lines - 1) - 0.5), 0.5 + _SIDE * (y / (lines - 1) - 0.5)
            if _try_shares(work, n, here, there):
                return True
    return False


@bare
def _cut(work: Work, n: int, floating: bool, level: float) -> int:
    """List the bodies and the blockers, cut down to where they stop the highest lines; return the end of the rows.

    The highest line runs from edge to edge of the bodies, and so differs with the line of the plan. At level 0 it is
    taken to run from middle to middle, and the cut is too large for nearly all lines; at level 1 it is too small for
    all. What does not stand on the ground is left out unless `floating`, and so are areas with a depth limit: whether
    they stop a line, the line itself must tell.
    """
    vert, item, tag, pad = work.vert, work.item, work.tag, work.pad
    front, rear = min(pad[FACE, LEFT_U], pad[FACE, RIGHT_U]), max(pad[FACE + 1, LEFT_U], pad[FACE + 1, RIGHT_U])
    if level > 0.0:
        front, rear = item[0, LAST], item[1, FIRST]
    edge = LAST if item[0, HIGH] >= item[1, HIGH] else FIRST
    u0 = (item[0, FIRST] + item[0, LAST]) / 2.0 * (1.0 - level) + item[0, edge] * level
    u1 = (item[1, FIRST] + item[1, LAST]) / 2.0 * (1.0 - level) + item[1, edge] * level
    za, zb = item[0, HIGH], item[1, HIGH]
    row, at = part_row(item, _CUT), part_corner(vert, _CUT)
    for k in range(n):
        low, high = front, rear
        if k < 2:
            low, high = -1.0e18, 1.0e18
        elif tag[k, STOPS] == 0 or tag[k, LOWLY] != 0 or item[k, LIMIT] >= 0.0:
            continue
        elif tag[k, GROUNDED] == 0:
            if not floating:
                continue
        elif tag[k, TALL] == 0:
            where = u0 + (za - item[k, HIGH]) / (za - zb) * (u1 - u0)
            if za > zb:
                low = max(low, where)
            else:
                high = min(high, where)
        start, corners, radius = tag[k, SIDES], tag[k, SIDE_COUNT], item[k, RADIUS]
        if item[k, FIRST] + radius < low or item[k, LAST] - radius > high:
            corners, radius = between(vert, tag[k, START], tag[k, COUNT], radius, low, high, at)
            start = at
            at += corners
        if corners > 0:
            tag[row, START], tag[row, COUNT], tag[row, SLOT], item[row, RADIUS] = start, corners, k, radius
            row += 1
    return row


@leaf
def _try_gap(work: Work, n: int, pu: float, pv: float, offset: float, m: float) -> bool:
    """Try the line of slope m past a corner."""
    a = pv - m * pu + offset * math.sqrt(1.0 + m * m)
    answer = try_line(work.vert, work.item, work.tag, work.pad, n, a, m)
    return answer == CLEAR or (answer == UNSURE and _search_upright(work, n, a, m))


@leaf
def _beside_hull(pad: Floats, side: int, u: float, v: float) -> bool:
    """Whether a point lies to the left (side 0) or right (side 1) of all lines between the bodies."""
    beyond = v - pad[HULL + side, 0] - pad[HULL + side, 1] * u
    return beyond > pad[HULL + side, 2] if side == 0 else beyond < -pad[HULL + side, 2]


@bare
def _sweep(work: Work, n: int, floating: bool, level: float, lines: int) -> int:
    """Look at the lines past every corner of the cut blockers, so many in each gap.

    CLEAR if one of them is; UNSURE if there were gaps, but no line tried was clear; STOPPED if there were none.
    """
    vert, item, tag, free, steepest = work.vert, work.item, work.tag, work.free, work.pad[FRAME, SLOPE]
    first = part_row(item, _CUT)
    last = _cut(work, n, floating, level)
    answer, hint = STOPPED if last > first + 2 else UNSURE, first
    for k in range(first + 2, last):
        start, corners = tag[k, START], tag[k, COUNT]
        for c in range(start, start + corners):
            for turn in range(2):
                way = 1.0 - 2.0 * turn
                pu, pv, offset = vert[c, 0], vert[c, 1], way * (item[k, RADIUS] + NUDGE)
                if _beside_hull(work.pad, turn, pu, pv + offset):
                    continue
                if corners > 1 and not is_extreme(vert, start, corners, c, way, steepest):
                    continue
                found, hint = free_slopes(vert, item, tag, first, last, pu, pv, offset, steepest, free, FREE, hint)
                for g in range(found):
                    answer = UNSURE
                    low, width = free[FREE, g, 0], free[FREE, g, 1] - free[FREE, g, 0]
                    for line in range(lines):
                        if _try_gap(work, n, pu, pv, offset, low + width * (line + 0.5) / lines):
                            return CLEAR
    return answer


@leaf
def find_line(work: Work, n: int) -> bool:
    """Whether the two bodies see each other; the line found is kept."""
    if _try_shares(work, n, 0.5, 0.5):
        return True
    floating, deep, partly, stops = False, False, False, False
    for k in range(2, n):
        if work.tag[k, STOPS] != 0:
            stops = True
            floating = floating or work.tag[k, GROUNDED] == 0
            deep = deep or work.item[k, LIMIT] >= 0.0
            whole = work.tag[k, TALL] & work.tag[k, BETWEEN] != 0
            partly = partly or (not whole and work.tag[k, LOWLY] == 0)
    if not stops:
        return False
    if _fan(work, n, 2):
        return True
    ends = floating or deep
    # First with the blockers cut too small: where that leaves no gap there is none. Then with larger cuts, whose gaps
    # are surer; at last with all that floats taken for blockers of every line.
    for stage in range(4):
        if (0 < stage < 3 and not partly) or (stage == 3 and not floating):
            continue
        answer = _sweep(work, n, stage == 3, max(0.0, 1.0 - stage / 2.0), _GAP_LINES if partly or ends else 1)
        if answer == CLEAR:
            return True
        if stage == 0 and answer == STOPPED:
            return False
    return ends and _fan(work, n, 7)
