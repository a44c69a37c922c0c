"""One pair of bodies and what stands between them, in the pair's own plane.

The first body's middle is the origin and the second's lies on the u axis. Whether two bodies see each other must not
depend on who looks, so of the two the one that stands further left (then further down, then lower) is always the first.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np

from sandtable.kernels import bare, kernel, leaf
from sandtable.table.grid import Bools, Floats, Ints
from sandtable.table.sight_lines import MOST_GAPS
from sandtable.table.sight_prisms import AREA, MODEL, Prisms

NONE: Final = 0
HARD: Final = 1
SOFT: Final = 2
DEPTH: Final = 3


class Blocking(NamedTuple):
    """What stops whose sight. A system fills this in; see `sandtable.table.sight`."""

    observer_class: Ints
    """[observer, feature]: how the observer stands to the feature, in the system's own small numbers"""
    target_class: Ints
    """[target, feature]"""
    mode: Ints
    """[feature, observer class, target class]: NONE, HARD, SOFT or DEPTH of the feature's area"""
    depth: Ints
    """[feature]: how much of a line may run through the area, for DEPTH"""
    band_top: Ints
    """[feature]: up to which height the area blocks"""
    physical: Ints
    """[feature, observer class, target class]: NONE, HARD or SOFT of the feature's walls, floors and solid"""
    model_blocks: Ints
    """[model]: 1 where a model stops sight; 0 also for models that are not on the table"""
    group: Ints
    """[model]: its unit; below 0 for none. No model stops the sight of its own unit"""
    target_group_blocks_visible: int
    """1 where models of the target's unit hide each other"""
    target_group_blocks_full: int
    """1 where models of the target's unit stop full visibility of each other"""
    half_width: int
    """Half the width of a line of sight"""


MARGIN: Final = 1.0
"""A line keeps this far from every blocker, so that joints between walls leak nothing."""

MOST_CORNERS: Final = 64

_FLAT: Final = 0.5
"""Up to this steepest slope the corners of a shape that lines can touch from the side are told from the others."""

STEEPEST: Final = 16.0
"""Lines steeper than this against the pair's axis are not looked at; only bodies that nearly touch have any."""

# Columns of `item`, the numbers of a body or blocker.
RADIUS: Final = 0
LOW: Final = 1
HIGH: Final = 2
FIRST: Final = 3
LAST: Final = 4
LIMIT: Final = 5
ITEM: Final = 6

# Columns of `tag`, its whole numbers and flags. From SIDES on stand the corners that lines can touch from the side.
START: Final = 0
COUNT: Final = 1
SLOT: Final = 2
STOPS: Final = 3
BREAKS: Final = 4
TALL: Final = 5
GROUNDED: Final = 6
BETWEEN: Final = 7
LOWLY: Final = 8
SIDES: Final = 9
SIDE_COUNT: Final = 10
TAG: Final = 11

# Rows of `pad`. How far a body reaches to the left and right of the pair's axis, and where along it; the pair's plane
# in table coordinates and the steepest slope; the clear line found, u v z of both ends; the slopes from a point to the
# sides of the observer, each with its sqrt(1 + m m); the lines along the left and right side of both bodies, and how
# far their hull may bulge over these.
FACE: Final = 0
FRAME: Final = 2
LINE: Final = 3
CONE: Final = 4
HULL: Final = 5

LEFT_U: Final = 0
LEFT_V: Final = 1
RIGHT_U: Final = 2
RIGHT_V: Final = 3

ORIGIN_X: Final = 0
ORIGIN_Y: Final = 1
AXIS_X: Final = 2
AXIS_Y: Final = 3
LENGTH: Final = 4
SLOPE: Final = 5


class Work(NamedTuple):
    """Room for one pair after the other, in few arrays, because every call of a kernel hands on all of them.

    `item` and `tag` have three parts of the same length: what stands between the bodies of the pair, the same cut down
    to what stops the highest lines, and that cut once more, or in the upright plane over a line. In each part the first
    row is the first body and the second row the other one.
    """

    vert: Floats
    """[corner, u v, normal u v]"""
    item: Floats
    tag: Ints
    pad: Floats
    free: Floats
    """[list, interval, low or high]"""
    slot: Ints
    """[slot, ALONE SHARES MET]: how it takes part in hiding a point; the last slot stands for all models"""
    active: Ints
    """The prisms that can be in the way of one observer"""
    place: Floats
    """[x y reach low high, active prism]"""
    near: Bools
    """[active prism]"""


@kernel
def make_work(prisms: Prisms, features: int) -> Work:
    """Room enough for every prism at once."""
    k = prisms.corners.shape[0] + 4
    # Each part needs all corners twice (with the sides), two more for each cut, and four for each upright rectangle.
    points = 3 * (2 * prisms.point.shape[0] + 4 * k + 2 * MOST_CORNERS)
    return Work(
        np.zeros((points, 4), dtype=np.float64),
        np.zeros((3 * k, ITEM), dtype=np.float64),
        np.zeros((3 * k, TAG), dtype=np.int64),
        np.zeros((7, 6), dtype=np.float64),
        np.empty((3, MOST_GAPS, 2), dtype=np.float64),
        np.zeros((features + 1, 3), dtype=np.int64),
        np.empty(k, dtype=np.int64),
        np.empty((5, k), dtype=np.float64),
        np.empty(k, dtype=np.bool_),
    )


@leaf
def part_row(work_item: Floats, part: int) -> int:
    """The first row of a part of `item` and `tag`."""
    return part * (work_item.shape[0] // 3)


@leaf
def part_corner(vert: Floats, part: int) -> int:
    """The first row of a part of `vert`."""
    return part * (vert.shape[0] // 3)


@leaf
def comes_first(prisms: Prisms, i: int, j: int) -> bool:
    """Whether model i is the first body of the pair."""
    if prisms.middle_x[i] != prisms.middle_x[j]:
        return prisms.middle_x[i] < prisms.middle_x[j]
    if prisms.middle_y[i] != prisms.middle_y[j]:
        return prisms.middle_y[i] < prisms.middle_y[j]
    return prisms.low[i] < prisms.low[j]


@leaf
def blocks(prisms: Prisms, k: int, i: int, j: int, row: int, col: int, blocking: Blocking) -> tuple[bool, bool, float]:
    """Whether prism k stops sight from model i to j, whether it breaks full sight, and its depth limit (or -1)."""
    owner = prisms.owner[k]
    if prisms.part[k] == MODEL:
        if k in (i, j) or blocking.model_blocks[k] == 0:
            return False, False, -1.0
        group = blocking.group[k]
        if group >= 0 and i >= 0 and group == blocking.group[i]:
            return False, False, -1.0
        if group >= 0 and j >= 0 and group == blocking.group[j]:
            return blocking.target_group_blocks_visible != 0, blocking.target_group_blocks_full != 0, -1.0
        return True, True, -1.0
    oc, tc = blocking.observer_class[row, owner], blocking.target_class[col, owner]
    if prisms.part[k] == AREA:
        mode = blocking.mode[owner, oc, tc]
        limit = float(blocking.depth[owner]) if mode == DEPTH else -1.0
        return mode in (HARD, DEPTH), mode != NONE, limit
    mode = blocking.physical[owner, oc, tc]
    return mode == HARD, mode != NONE, -1.0


@leaf
def set_frame(prisms: Prisms, a: int, b: int, pad: Floats) -> None:
    """Put the origin into the first body and the second onto the u axis."""
    dx, dy = prisms.middle_x[b] - prisms.middle_x[a], prisms.middle_y[b] - prisms.middle_y[a]
    length = math.sqrt(dx * dx + dy * dy)
    pad[FRAME, ORIGIN_X], pad[FRAME, ORIGIN_Y], pad[FRAME, LENGTH] = prisms.middle_x[a], prisms.middle_y[a], length
    if length > 0.0:
        pad[FRAME, AXIS_X], pad[FRAME, AXIS_Y] = dx / length, dy / length
    pad[FRAME, SLOPE] = _steepest(prisms.reach[a] + prisms.reach[b], length)


@leaf
def _steepest(reach: float, length: float) -> float:
    """A slope that no line between two discs exceeds, given the sum of their radii and their distance."""
    along2 = length * length - reach * reach
    if along2 * (STEEPEST * STEEPEST) <= reach * reach:
        return STEEPEST
    return min(STEEPEST, 1.001 * reach / math.sqrt(along2))


@bare
def set_observer(prisms: Prisms, i: int, row: int, blocking: Blocking, work: Work) -> int:
    """List the prisms that can be in the way of an observer; return how many."""
    n = 0
    group = blocking.group[i]
    for k in range(prisms.corners.shape[0]):
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
    vert: Floats,
    item: Floats,
    tag: Ints,
) -> None:
    """Put a prism into row n, in the pair's plane."""
    ox, oy, ex, ey = pad[FRAME, ORIGIN_X], pad[FRAME, ORIGIN_Y], pad[FRAME, AXIS_X], pad[FRAME, AXIS_Y]
    at = 0 if n == 0 else tag[n - 1, SIDES] + tag[n - 1, SIDE_COUNT]
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


@bare
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
    vert: Floats,
    item: Floats,
    tag: Ints,
) -> None:
    """The same for a prism with many corners of which no more than the sides are needed."""
    ox, oy, ex, ey = pad[FRAME, ORIGIN_X], pad[FRAME, ORIGIN_Y], pad[FRAME, AXIS_X], pad[FRAME, AXIS_Y]
    at = tag[n - 1, SIDES] + tag[n - 1, SIDE_COUNT]
    slope = pad[FRAME, SLOPE]
    ax, ay, bx, by = ex + slope * ey, ey - slope * ex, ex - slope * ey, ey + slope * ex
    to = at
    before = point[start + count - 1, 2] * bx + point[start + count - 1, 3] * by
    for i in range(start, start + count):
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
def _mark_near(place: Floats, n: int, pad: Floats, item: Floats, margin: float, near: Bools) -> None:
    """Mark the prisms whose discs meet the hull of the pair. Without branches, for the sake of speed."""
    ox, oy, ex, ey = pad[FRAME, ORIGIN_X], pad[FRAME, ORIGIN_Y], pad[FRAME, AXIS_X], pad[FRAME, AXIS_Y]
    back, ahead = item[0, FIRST] - margin, item[1, LAST] + margin
    bottom, top = min(item[0, LOW], item[1, LOW]), max(item[0, HIGH], item[1, HIGH])
    left_a, left_m, left_bulge = pad[HULL, 0], pad[HULL, 1], pad[HULL, 2]
    right_a, right_m, right_bulge = pad[HULL + 1, 0], pad[HULL + 1, 1], pad[HULL + 1, 2]
    left_w, right_w = math.sqrt(1.0 + left_m * left_m), math.sqrt(1.0 + right_m * right_m)
    for k in range(n):
        dx, dy = place[0, k] - ox, place[1, k] - oy
        u, v, r = dx * ex + dy * ey, dy * ex - dx * ey, place[2, k] + margin
        near[k] = (
            (u + r > back)
            & (u - r < ahead)
            & (place[3, k] < top)
            & (place[4, k] > bottom)
            & (v - left_a - left_m * u < r * left_w + left_bulge)
            & (v - right_a - right_m * u > -r * right_w - right_bulge)
        )


@leaf
def _set_flags(item: Floats, tag: Ints, n: int, limit: float) -> None:
    """How a blocker stands to the bodies of the pair."""
    grounded = item[n, LOW] <= min(item[0, LOW], item[1, LOW])
    tag[n, GROUNDED] = grounded
    tag[n, TALL] = grounded and item[n, HIGH] >= max(item[0, HIGH], item[1, HIGH]) and limit < 0.0
    tag[n, LOWLY] = grounded and item[n, HIGH] < min(item[0, HIGH], item[1, HIGH])
    tag[n, BETWEEN] = item[n, FIRST] >= item[0, LAST] and item[n, LAST] <= item[1, FIRST]
    item[n, LIMIT] = limit


@leaf
def _offsets(vert: Floats, start: int, count: int, a: float, m: float) -> tuple[float, float]:
    """How far the corners of a shape lie to the left of a line: the least and the most."""
    low = high = vert[start, 1] - a - m * vert[start, 0]
    for c in range(start + 1, start + count):
        f = vert[c, 1] - a - m * vert[c, 0]
        low, high = min(low, f), max(high, f)
    return low, high


@bare
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
    broken: Bools,
) -> tuple[int, bool]:
    """Gather the two bodies and what stands between them; also say whether one blocker alone hides everything.

    a and b are i and j, the first body being a. What alone hides everything is marked in `broken` at once.
    """
    vert, item, tag, pad = work.vert, work.item, work.tag, work.pad
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
            vert,
            item,
            tag,
        )
        set_face(vert, item, tag, body, pad)
    margin = max(MARGIN, float(blocking.half_width))
    radii, round_bodies = max(prisms.reach[a], prisms.reach[b]), tag[0, COUNT] == 1 and tag[1, COUNT] == 1
    _set_hull(pad, 0, radii, round_bodies)
    _set_hull(pad, 1, radii, round_bodies)
    _mark_near(work.place, active, pad, item, margin, work.near)
    left_bulge, right_bulge = pad[HULL, 2], pad[HULL + 1, 2]
    bottom, top = min(item[0, LOW], item[1, LOW]), max(item[0, HIGH], item[1, HIGH])
    n, hidden = 2, False
    group = blocking.group[j]
    for near in range(active):
        if not work.near[near]:
            continue
        k = work.active[near]
        stops, breaks, limit, slot = True, True, -1.0, broken.shape[0] - 1
        if prisms.part[k] != MODEL:
            stops, breaks, limit = blocks(prisms, k, i, j, row, col, blocking)
            slot = prisms.owner[k]
        elif k == j:
            continue
        elif group >= 0 and blocking.group[k] == group:
            stops, breaks = blocking.target_group_blocks_visible != 0, blocking.target_group_blocks_full != 0
        if not (stops or breaks):
            continue
        r = prisms.radius[k] + margin
        u = (prisms.middle_x[k] - pad[FRAME, ORIGIN_X]) * pad[FRAME, AXIS_X]
        u += (prisms.middle_y[k] - pad[FRAME, ORIGIN_Y]) * pad[FRAME, AXIS_Y]
        reach = prisms.reach[k] + margin
        if (
            prisms.corners[k] > 4
            and pad[FRAME, SLOPE] < _FLAT
            and limit < 0.0
            and prisms.low[k] <= bottom
            and prisms.high[k] >= top
            and u - reach >= item[0, LAST]
            and u + reach <= item[1, FIRST]
        ):
            _add_sides(
                prisms.point,
                prisms.start[k],
                prisms.corners[k],
                r,
                prisms.low[k],
                prisms.high[k],
                u,
                reach,
                pad,
                n,
                vert,
                item,
                tag,
            )
        else:
            _add(
                prisms.point,
                prisms.start[k],
                prisms.corners[k],
                r,
                prisms.low[k],
                prisms.high[k],
                pad,
                n,
                vert,
                item,
                tag,
            )
        if item[n, LAST] < item[0, FIRST] or item[n, FIRST] > item[1, LAST]:
            continue
        left_low, left_high = _offsets(vert, tag[n, SIDES], tag[n, SIDE_COUNT], pad[HULL, 0], pad[HULL, 1])
        right_low, right_high = _offsets(vert, tag[n, SIDES], tag[n, SIDE_COUNT], pad[HULL + 1, 0], pad[HULL + 1, 1])
        if left_low - 2.0 * r > left_bulge or right_high + 2.0 * r < -right_bulge:
            continue
        _set_flags(item, tag, n, limit)
        tag[n, SLOT], tag[n, STOPS], tag[n, BREAKS] = slot, stops, breaks
        across = left_high + r > left_bulge and right_low - r < -right_bulge
        if across and tag[n, TALL] != 0 and tag[n, BETWEEN] != 0:
            hidden = hidden or stops
            broken[slot] = broken[slot] or breaks
        n += 1
    return n, hidden
