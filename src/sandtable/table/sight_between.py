"""What stands between the two bodies of a pair: found among all prisms, and put into the pair's own plane."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from sandtable.kernels import bare, leaf
from sandtable.table.grid import Bools, Floats, Ints
from sandtable.table.sight_lines import offsets
from sandtable.table.sight_pair import (
    AXIS_X,
    AXIS_Y,
    BETWEEN,
    BREAKS,
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
    LOW,
    LOWLY,
    MARGIN,
    NONE,
    ORIGIN_X,
    ORIGIN_Y,
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
    Blocking,
    Singles,
    Work,
    blocks,
)
from sandtable.table.sight_prisms import AREA, MODEL, Prisms

_FLAT: Final = 0.5
"""Up to this steepest slope the corners of a shape that lines can touch from the side are told from the others."""

_RUN: Final = 4
_BEND: Final = 0.05
"""So many corners are passed over at once where the normals at both ends look so much ahead, or back, of all lines. The
outline of an oval on the grid is not quite convex, and a normal may stick out of the run by less than this."""

_BLUR: Final = 0.25
"""More than single precision is wrong by on any table."""


@bare
def set_observer(prisms: Prisms, models: int, i: int, row: int, blocking: Blocking, work: Work) -> int:
    """List the prisms that can be in the way of an observer, the terrain first; return how many."""
    n = 0
    group, count = blocking.group[i], prisms.corners.shape[0]
    for eight in range(work.near_eight.shape[0]):
        work.near_eight[eight] = 0
    for at in range(count):
        k = models + at if models + at < count else models + at - count
        owner = prisms.owner[k]
        active = False
        if prisms.part[k] == MODEL:
            own = group >= 0 and blocking.group[k] == group
            active = k != i and not own and blocking.model_blocks[k] != 0
        else:
            oc = blocking.observer_class[row, owner]
            for tc in range(blocking.mode.shape[2]):
                if prisms.part[k] == AREA:
                    active = active or blocking.mode[owner, oc, tc] != NONE
                else:
                    active = active or blocking.physical[owner, oc, tc] != NONE
        if active:
            work.active[n] = k
            work.place[0, n], work.place[1, n], work.place[2, n] = (
                prisms.middle_x[k],
                prisms.middle_y[k],
                prisms.reach[k],
            )
            work.place[3, n], work.place[4, n] = prisms.low[k], prisms.high[k]
            n += 1
    return n


@leaf
def _add(
    point: Floats,
    start: int,
    count: int,
    radius: float,
    low: float,
    high: float,
    pad: Floats,
    n: int,
    at: int,
    vert: Floats,
    item: Floats,
    tag: Ints,
) -> None:
    """Put a prism into row n, in the pair's plane, its corners from row `at` on."""
    ox, oy, ex, ey = pad[FRAME, ORIGIN_X], pad[FRAME, ORIGIN_Y], pad[FRAME, AXIS_X], pad[FRAME, AXIS_Y]
    first, last = 1.0e18, -1.0e18
    for i in range(count):
        dx, dy = point[start + i, 0] - ox, point[start + i, 1] - oy
        u = dx * ex + dy * ey
        vert[at + i, 0], vert[at + i, 1] = u, dy * ex - dx * ey
        first, last = min(first, u), max(last, u)
    if count > 1:
        for i in range(count):
            nx, ny = point[start + i, 2], point[start + i, 3]
            vert[at + i, 2], vert[at + i, 3] = nx * ex + ny * ey, ny * ex - nx * ey
    item[n, RADIUS], item[n, LOW], item[n, HIGH] = radius, low, high
    item[n, FIRST], item[n, LAST] = first - radius, last + radius
    tag[n, START], tag[n, COUNT], tag[n, SIDES], tag[n, SIDE_COUNT] = at, count, at, count
    if count > 4 and pad[FRAME, SLOPE] < _FLAT:
        tag[n, SIDES] = at + count
        tag[n, SIDE_COUNT] = _copy_sides(vert, at, count, pad[FRAME, SLOPE])


@leaf
def _add_sides(
    point: Floats,
    start: int,
    count: int,
    radius: float,
    low: float,
    high: float,
    u: float,
    reach: float,
    pad: Floats,
    n: int,
    at: int,
    vert: Floats,
    item: Floats,
    tag: Ints,
) -> None:
    """The same for a prism with many corners of which no more than the sides are needed."""
    ox, oy, ex, ey = pad[FRAME, ORIGIN_X], pad[FRAME, ORIGIN_Y], pad[FRAME, AXIS_X], pad[FRAME, AXIS_Y]
    slope = pad[FRAME, SLOPE]
    ax, ay, bx, by = ex + slope * ey, ey - slope * ex, ex - slope * ey, ey + slope * ex
    to, end, ahead = at, start + count, slope + _BEND
    nx, ny = point[end - 1, 2], point[end - 1, 3]
    for run in range(start, end, _RUN):
        stop = min(run + _RUN, end)
        px, py, nx, ny = nx, ny, point[stop - 1, 2], point[stop - 1, 3]
        p, q = px * ex + py * ey, nx * ex + ny * ey
        if ((min(p, q) > ahead) | (max(p, q) < -ahead)) & (px * ny - py * nx > 0.0):
            continue
        before = px * bx + py * by
        for i in range(run, stop):
            after = point[i, 2] * ax + point[i, 3] * ay
            if (after <= 0.0 <= before) or (before <= 0.0 <= after):
                dx, dy = point[i, 0] - ox, point[i, 1] - oy
                vert[to, 0], vert[to, 1] = dx * ex + dy * ey, dy * ex - dx * ey
                to += 1
            before = point[i, 2] * bx + point[i, 3] * by
    item[n, RADIUS], item[n, LOW], item[n, HIGH] = radius, low, high
    item[n, FIRST], item[n, LAST] = u - reach, u + reach
    tag[n, START], tag[n, COUNT], tag[n, SIDES], tag[n, SIDE_COUNT] = at, to - at, at, to - at


@bare
def _copy_sides(vert: Floats, start: int, count: int, steepest: float) -> int:
    """Copy the corners that a line no steeper than this can touch from the left or right; return how many.

    Ovals have many corners, and most lines of a pair run nearly along the u axis.
    """
    to = start + count
    before = vert[to - 1, 2] + steepest * vert[to - 1, 3]
    for i in range(start, start + count):
        # The normals before and after a corner of the left side enclose the left normal of some such line.
        after = vert[i, 2] - steepest * vert[i, 3]
        if (after <= 0.0 <= before) or (before <= 0.0 <= after):
            vert[to, 0], vert[to, 1] = vert[i, 0], vert[i, 1]
            to += 1
        before = vert[i, 2] + steepest * vert[i, 3]
    return to - start - count


@leaf
def set_face(vert: Floats, item: Floats, tag: Ints, n: int, pad: Floats) -> None:
    """Find the leftmost and rightmost points of a body."""
    left, right = -1.0e18, 1.0e18
    r = item[n, RADIUS]
    for i in range(tag[n, START], tag[n, START] + tag[n, COUNT]):
        u, v = vert[i, 0], vert[i, 1]
        if v + r > left:
            left = v + r
            pad[FACE + n, LEFT_U], pad[FACE + n, LEFT_V] = u, left
        if v - r < right:
            right = v - r
            pad[FACE + n, RIGHT_U], pad[FACE + n, RIGHT_V] = u, right


@leaf
def _set_hull(pad: Floats, side: int, radii: float, round_bodies: bool) -> None:
    """Find the line along one side of both bodies."""
    column = LEFT_U if side == 0 else RIGHT_U
    du = pad[FACE + 1, column] - pad[FACE, column]
    m, bulge = 0.0, 4.0 * radii  # for bodies beside each other, a line so far out that it cuts nothing off
    if du >= 1.0:
        m = (pad[FACE + 1, column + 1] - pad[FACE, column + 1]) / du
        bulge = 2.0 * radii * abs(m) * (abs(m) if round_bodies else 1.0)
    pad[HULL + side, 0], pad[HULL + side, 1] = pad[FACE, column + 1] - m * pad[FACE, column], m
    pad[HULL + side, 2] = bulge


@leaf
def _mark_near(place: Singles, n: int, pad: Floats, item: Floats, margin: float, near: Bools) -> None:
    """Mark the prisms whose discs meet the hull of the pair, or nearly.

    Without branches and in single precision, for the sake of speed.
    """
    ox, oy, ex, ey = pad[FRAME, ORIGIN_X], pad[FRAME, ORIGIN_Y], pad[FRAME, AXIS_X], pad[FRAME, AXIS_Y]
    along = ox * ex + oy * ey
    back, ahead = np.float32(item[0, FIRST] - 2.0 * margin + along), np.float32(item[1, LAST] + 2.0 * margin + along)
    bottom, top = np.float32(min(item[0, LOW], item[1, LOW])), np.float32(max(item[0, HIGH], item[1, HIGH]))
    left_m, right_m = pad[HULL, 1], pad[HULL + 1, 1]
    left_w, right_w = math.sqrt(1.0 + left_m * left_m), math.sqrt(1.0 + right_m * right_m)
    # How far a point lies to the left of a side of the hull, as one sum over its place on the table.
    left_x, left_y = -ey - left_m * ex, ex - left_m * ey
    right_x, right_y = -ey - right_m * ex, ex - right_m * ey
    left = np.float32(pad[HULL, 0] + pad[HULL, 2] + (margin + _BLUR) * left_w + ox * left_x + oy * left_y)
    right = np.float32(pad[HULL + 1, 0] - pad[HULL + 1, 2] - (margin + _BLUR) * right_w + ox * right_x + oy * right_y)
    ux, uy = np.float32(ex), np.float32(ey)
    lx, ly, lw = np.float32(left_x), np.float32(left_y), np.float32(left_w)
    rx, ry, rw = np.float32(right_x), np.float32(right_y), np.float32(right_w)
    for k in range(n):
        x, y, r = place[0, k], place[1, k], place[2, k]
        u = x * ux + y * uy
        near[k] = (
            (u + r > back)
            & (u - r < ahead)
            & (place[3, k] < top)
            & (place[4, k] > bottom)
            & (x * lx + y * ly - r * lw < left)
            & (x * rx + y * ry + r * rw > right)
        )


@leaf
def _list_near(near: Bools, near_eight: Ints, n: int, active: Ints, found: Ints) -> int:
    """List the marked ones of the active prisms; return how many. Most are not marked, so eight are skipped at once."""
    count = 0
    for eight in range((n + 7) >> 3):
        if near_eight[eight] != 0:
            for k in range(8 * eight, 8 * eight + 8):
                found[count] = active[k]
                count += near[k]
    return count


@leaf
def _set_flags(item: Floats, tag: Ints, n: int, low: float, high: float, first: float, last: float) -> bool:
    """Say how a blocker stands to the bodies of the pair; whether it is high enough to stop all lines that it meets.

    As all that is done for every blocker of every pair, without branches.
    """
    limited = item[n, LIMIT] >= 0.0
    grounded = low <= min(item[0, LOW], item[1, LOW])
    tall = grounded & (high >= max(item[0, HIGH], item[1, HIGH])) & (not limited)
    between = (first >= item[0, LAST]) & (last <= item[1, FIRST])
    tag[n, GROUNDED], tag[n, TALL], tag[n, BETWEEN] = grounded, tall, between
    tag[n, LOWLY] = grounded & (high < min(item[0, HIGH], item[1, HIGH]))
    return tall & between


@leaf
def collect(
    prisms: Prisms,
    active: int,
    a: int,
    b: int,
    i: int,
    j: int,
    row: int,
    col: int,
    blocking: Blocking,
    work: Work,
    fully: bool,
) -> tuple[int, bool]:
    """Gather the two bodies and what stands between them; also say whether one blocker alone hides everything.

    a and b are i and j, the first body being a. What alone hides everything is named at once, and the rest
    of its feature, or the other models, are then left out. Unless `fully`, there is no more to know then.
    """
    vert, item, tag, pad, named = work.vert, work.item, work.tag, work.pad, work.named
    for s in range(named.shape[0]):
        named[s] = False
    at = 0
    for body in range(2):
        k = a if body == 0 else b
        _add(
            prisms.point,
            prisms.start[k],
            prisms.corners[k],
            prisms.radius[k],
            prisms.low[k],
            prisms.high[k],
            pad,
            body,
            at,
            vert,
            item,
            tag,
        )
        at = tag[body, SIDES] + tag[body, SIDE_COUNT]
        set_face(vert, item, tag, body, pad)
    margin = max(MARGIN, float(blocking.half_width))
    radii, round_bodies = max(prisms.reach[a], prisms.reach[b]), tag[0, COUNT] == 1 and tag[1, COUNT] == 1
    _set_hull(pad, 0, radii, round_bodies)
    _set_hull(pad, 1, radii, round_bodies)
    _mark_near(work.place, active, pad, item, margin, work.near)
    ox, oy, ex, ey = pad[FRAME, ORIGIN_X], pad[FRAME, ORIGIN_Y], pad[FRAME, AXIS_X], pad[FRAME, AXIS_Y]
    left_a, left_m, left_bulge = pad[HULL, 0], pad[HULL, 1], pad[HULL, 2]
    right_a, right_m, right_bulge = pad[HULL + 1, 0], pad[HULL + 1, 1], pad[HULL + 1, 2]
    back, front, rear, ahead = item[0, FIRST], item[0, LAST], item[1, FIRST], item[1, LAST]
    bottom, top = min(item[0, LOW], item[1, LOW]), max(item[0, HIGH], item[1, HIGH])
    n, hidden, flat = 2, False, pad[FRAME, SLOPE] < _FLAT
    group, models = blocking.group[j], named.shape[0] - 1
    for near in range(_list_near(work.near, work.near_eight, active, work.active, work.found)):
        k = work.found[near]
        stops, breaks, limit, slot = True, True, -1.0, models
        if prisms.part[k] != MODEL:
            stops, breaks, limit = blocks(prisms, k, i, j, row, col, blocking)
            slot = prisms.owner[k]
        elif k == j:
            continue
        elif group >= 0 and blocking.group[k] == group:
            stops, breaks = blocking.target_group_blocks_visible != 0, blocking.target_group_blocks_full != 0
        if not (stops or breaks) or (hidden and named[slot]):
            continue
        low, high, corners, r = prisms.low[k], prisms.high[k], prisms.corners[k], prisms.radius[k] + margin
        start = prisms.start[k]
        if corners <= 2:  # round bases and walls: nearly all there is
            end = start + corners - 1
            dx, dy = prisms.point[start, 0] - ox, prisms.point[start, 1] - oy
            u0, v0 = dx * ex + dy * ey, dy * ex - dx * ey
            dx, dy = prisms.point[end, 0] - ox, prisms.point[end, 1] - oy
            u1, v1 = dx * ex + dy * ey, dy * ex - dx * ey
            first, last = min(u0, u1) - r, max(u0, u1) + r
            one, other = v0 - left_a - left_m * u0, v1 - left_a - left_m * u1
            left_low, left_high = min(one, other), max(one, other)
            one, other = v0 - right_a - right_m * u0, v1 - right_a - right_m * u1
            right_low, right_high = min(one, other), max(one, other)
            aside = (left_low - 2.0 * r > left_bulge) | (right_high + 2.0 * r < -right_bulge)
            if aside | (last < back) | (first > ahead):
                continue
            vert[at, 0], vert[at, 1] = u0, v0
            if corners == 2:
                nx, ny = prisms.point[start, 2], prisms.point[start, 3]
                vert[at, 2], vert[at, 3] = nx * ex + ny * ey, ny * ex - nx * ey
                vert[at + 1, 0], vert[at + 1, 1] = u1, v1
                vert[at + 1, 2], vert[at + 1, 3] = -vert[at, 2], -vert[at, 3]
            item[n, RADIUS], item[n, LOW], item[n, HIGH], item[n, FIRST], item[n, LAST] = r, low, high, first, last
            tag[n, START], tag[n, COUNT], tag[n, SIDES], tag[n, SIDE_COUNT] = at, corners, at, corners
        else:
            u = (prisms.middle_x[k] - ox) * ex + (prisms.middle_y[k] - oy) * ey
            reach = prisms.reach[k] + margin
            tall = limit < 0.0 and low <= bottom and high >= top and u - reach >= front and u + reach <= rear
            if tall and flat and corners > 4:
                _add_sides(prisms.point, start, corners, r, low, high, u, reach, pad, n, at, vert, item, tag)
            else:
                _add(prisms.point, start, corners, r, low, high, pad, n, at, vert, item, tag)
            if item[n, LAST] < back or item[n, FIRST] > ahead:
                continue
            left_low, left_high = offsets(vert, tag[n, SIDES], tag[n, SIDE_COUNT], left_a, left_m)
            right_low, right_high = offsets(vert, tag[n, SIDES], tag[n, SIDE_COUNT], right_a, right_m)
            if left_low - 2.0 * r > left_bulge or right_high + 2.0 * r < -right_bulge:
                continue
        item[n, LIMIT], tag[n, SLOT], tag[n, STOPS], tag[n, BREAKS] = limit, slot, stops, breaks
        whole = _set_flags(item, tag, n, low, high, item[n, FIRST], item[n, LAST])
        if whole & (left_high + r > left_bulge) & (right_low - r < -right_bulge):
            hidden = hidden or stops
            named[slot] |= breaks
            if hidden and not fully:
                return n, True
        at = tag[n, SIDES] + tag[n, SIDE_COUNT]
        n += 1
    return n, hidden
