"""One pair of bodies and what stands between them, in the pair's own plane.

The first body's middle is the origin and the second's lies on the u axis. Whether two bodies see each other must not
depend on who looks, so of the two the one that stands further left (then further down, then lower) is always the first.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np

from sandtable.table.grid import Bools, Floats, Ints
from sandtable.table.kernel import kernel
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

# Columns of `face`, how far a body reaches to the left and right of the pair's axis, and where along it.
LEFT_U: Final = 0
LEFT_V: Final = 1
RIGHT_U: Final = 2
RIGHT_V: Final = 3


class Work(NamedTuple):
    """Room for one pair after the other. Row 0 of `item` and `tag` is the first body, row 1 the second."""

    vert: Floats
    item: Floats
    tag: Ints
    cut_vert: Floats
    """The same, clipped: what blocks in the plan the highest lines"""
    cut_item: Floats
    cut_tag: Ints
    wall_vert: Floats
    """The same in the upright plane over a line"""
    wall_item: Floats
    wall_tag: Ints
    face: Floats
    cone: Floats
    """The slopes from a point to the sides of the observer, each with its sqrt(1 + m m)"""
    free: Floats
    slot_free: Floats
    spare: Floats
    near: Bools
    """The same order as `active`"""
    active: Ints
    """The prisms that can be in the way of one observer, and where they are"""
    place: Floats
    """[x y reach low high, active prism]"""
    slot: Ints
    """[slot, ALONE or SHARES]: how it takes part in hiding a point; the last slot stands for all models"""
    through: Floats
    """[slot]: how much of a line runs through its area"""
    line: Floats
    """The clear line found: u v z of both ends"""
    frame: Floats
    """x and y of the origin, x and y of the u axis, distance of the middles, the steepest slope of a line"""


@kernel
def make_work(prisms: Prisms, features: int) -> Work:
    """Room enough for every prism at once."""
    k = prisms.count.shape[0] + 4
    points = 4 * prisms.point.shape[0] + 4 * k + 200
    return Work(
        np.zeros((points, 4), dtype=np.float64),
        np.empty((k, ITEM), dtype=np.float64),
        np.empty((k, TAG), dtype=np.int64),
        np.zeros((points, 4), dtype=np.float64),
        np.empty((k, ITEM), dtype=np.float64),
        np.empty((k, TAG), dtype=np.int64),
        np.zeros((points + 4 * k, 4), dtype=np.float64),
        np.empty((k, ITEM), dtype=np.float64),
        np.empty((k, TAG), dtype=np.int64),
        np.empty((2, 4), dtype=np.float64),
        np.empty(4, dtype=np.float64),
        np.empty((MOST_GAPS, 2), dtype=np.float64),
        np.empty((MOST_GAPS, 2), dtype=np.float64),
        np.empty((MOST_GAPS, 2), dtype=np.float64),
        np.empty(k, dtype=np.bool_),
        np.empty(k, dtype=np.int64),
        np.empty((5, k), dtype=np.float64),
        np.zeros((features + 1, 2), dtype=np.int64),
        np.zeros(features + 1, dtype=np.float64),
        np.zeros(6, dtype=np.float64),
        np.zeros(6, dtype=np.float64),
    )


@kernel
def comes_first(prisms: Prisms, i: int, j: int) -> bool:
    """Whether model i is the first body of the pair."""
    if prisms.middle_x[i] != prisms.middle_x[j]:
        return prisms.middle_x[i] < prisms.middle_x[j]
    if prisms.middle_y[i] != prisms.middle_y[j]:
        return prisms.middle_y[i] < prisms.middle_y[j]
    return prisms.low[i] < prisms.low[j]


@kernel
def blocks(prisms: Prisms, k: int, i: int, j: int, row: int, col: int, blocking: Blocking) -> tuple[bool, bool, float]:
    """Whether prism k stops sight from model i to j, whether it breaks full sight, and its depth limit (or -1)."""
    owner = prisms.owner[k]
    if prisms.part[k] == MODEL:
        if k in (i, j) or blocking.model_blocks[k] == 0:
            return False, False, -1.0
        group = blocking.group[k]
        if group >= 0 and group == blocking.group[i]:
            return False, False, -1.0
        if group >= 0 and group == blocking.group[j]:
            return blocking.target_group_blocks_visible != 0, blocking.target_group_blocks_full != 0, -1.0
        return True, True, -1.0
    oc, tc = blocking.observer_class[row, owner], blocking.target_class[col, owner]
    if prisms.part[k] == AREA:
        mode = blocking.mode[owner, oc, tc]
        limit = float(blocking.depth[owner]) if mode == DEPTH else -1.0
        return mode in (HARD, DEPTH), mode != NONE, limit
    mode = blocking.physical[owner, oc, tc]
    return mode == HARD, mode != NONE, -1.0


@kernel
def set_frame(prisms: Prisms, a: int, b: int, frame: Floats) -> None:
    """Put the origin into the first body and the second onto the u axis."""
    dx, dy = prisms.middle_x[b] - prisms.middle_x[a], prisms.middle_y[b] - prisms.middle_y[a]
    length = math.sqrt(dx * dx + dy * dy)
    frame[0], frame[1], frame[4] = prisms.middle_x[a], prisms.middle_y[a], length
    if length > 0.0:
        frame[2], frame[3] = dx / length, dy / length


@kernel
def set_observer(prisms: Prisms, i: int, row: int, blocking: Blocking, work: Work) -> int:
    """List the prisms that can be in the way of an observer; return how many."""
    n = 0
    group = blocking.group[i]
    for k in range(prisms.count.shape[0]):
        owner = prisms.owner[k]
        active = False
        if prisms.part[k] == MODEL:
            own = group >= 0 and blocking.group[k] == group
            active = k != i and not own and blocking.model_blocks[k] != 0
        else:
            modes = blocking.mode if prisms.part[k] == AREA else blocking.physical
            for tc in range(modes.shape[2]):
                active = active or modes[owner, blocking.observer_class[row, owner], tc] != NONE
        if active:
            work.active[n] = k
            work.place[0, n], work.place[1, n], work.place[2, n] = prisms.middle_x[k], prisms.middle_y[k], prisms.reach[k]
            work.place[3, n], work.place[4, n] = prisms.low[k], prisms.high[k]
            n += 1
    return n


@kernel
def _mark_near(
    place: Floats, n: int, frame: Floats, back: float, ahead: float, side: float, bottom: float, top: float, near: Bools
) -> None:
    """Mark the prisms whose discs meet the box around the pair. Without branches, for the sake of speed."""
    ox, oy, ex, ey = frame[0], frame[1], frame[2], frame[3]
    for k in range(n):
        dx, dy = place[0, k] - ox, place[1, k] - oy
        u, v, r = dx * ex + dy * ey, dy * ex - dx * ey, place[2, k]
        near[k] = (
            (u + r > back) & (u - r < ahead) & (v - r < side) & (v + r > -side)
            & (place[3, k] < top) & (place[4, k] > bottom)
        )


@kernel
def _add(prisms: Prisms, k: int, n: int, margin: float, work: Work) -> None:
    """Put prism k into row n, in the pair's plane."""
    ox, oy, ex, ey = work.frame[0], work.frame[1], work.frame[2], work.frame[3]
    at = 0 if n == 0 else work.tag[n - 1, SIDES] + work.tag[n - 1, SIDE_COUNT]
    radius = prisms.radius[k] + margin
    first, last = 1.0e18, -1.0e18
    count, start = prisms.count[k], prisms.start[k]
    for i in range(count):
        dx, dy = prisms.point[start + i, 0] - ox, prisms.point[start + i, 1] - oy
        u = dx * ex + dy * ey
        work.vert[at + i, 0], work.vert[at + i, 1] = u, dy * ex - dx * ey
        first, last = min(first, u), max(last, u)
    if count > 1:
        for i in range(count):
            nx, ny = prisms.point[start + i, 2], prisms.point[start + i, 3]
            work.vert[at + i, 2], work.vert[at + i, 3] = nx * ex + ny * ey, ny * ex - nx * ey
    work.item[n, RADIUS], work.item[n, LOW], work.item[n, HIGH] = radius, prisms.low[k], prisms.high[k]
    work.item[n, FIRST], work.item[n, LAST] = first - radius, last + radius
    work.tag[n, START], work.tag[n, COUNT] = at, count
    work.tag[n, SIDES], work.tag[n, SIDE_COUNT] = at, count


@kernel
def _set_sides(vert: Floats, tag: Ints, n: int, steepest: float) -> None:
    """Copy the corners that a line no steeper than this can touch from the left or right.

    Ovals have many corners, and most lines of a pair run nearly along the u axis.
    """
    start, count = tag[n, START], tag[n, COUNT]
    if count <= 4 or steepest > 0.5:
        return
    to = start + count
    before_u, before_v = vert[to - 1, 2], vert[to - 1, 3]
    for i in range(start, start + count):
        nu, nv = vert[i, 2], vert[i, 3]
        left = nu - steepest * nv <= 0.0 and -steepest * before_v - before_u <= 0.0
        right = -nu + steepest * nv <= 0.0 and steepest * before_v + before_u <= 0.0
        if left or right:
            vert[to, 0], vert[to, 1] = vert[i, 0], vert[i, 1]
            to += 1
        before_u, before_v = nu, nv
    tag[n, SIDES], tag[n, SIDE_COUNT] = start + count, to - start - count


@kernel
def set_face(work: Work, n: int) -> None:
    """Find the leftmost and rightmost points of a body."""
    left, right = -1.0e18, 1.0e18
    r = work.item[n, RADIUS]
    for i in range(work.tag[n, START], work.tag[n, START] + work.tag[n, COUNT]):
        u, v = work.vert[i, 0], work.vert[i, 1]
        if v + r > left:
            left = v + r
            work.face[n, LEFT_U], work.face[n, LEFT_V] = u, left
        if v - r < right:
            right = v - r
            work.face[n, RIGHT_U], work.face[n, RIGHT_V] = u, right


@kernel
def _side(face: Floats, u_column: int, v_column: int) -> tuple[float, float]:
    """The line along one side of both bodies."""
    du = face[1, u_column] - face[0, u_column]
    if du < 1.0:
        return face[0, v_column], 0.0
    m = (face[1, v_column] - face[0, v_column]) / du
    return face[0, v_column] - m * face[0, u_column], m


@kernel
def _steepest(reach: float, length: float) -> float:
    """A slope that no line between two discs exceeds, given the sum of their radii and their distance."""
    along2 = length * length - reach * reach
    if along2 * (STEEPEST * STEEPEST) <= reach * reach:
        return STEEPEST
    return min(STEEPEST, 1.001 * reach / math.sqrt(along2))


@kernel
def _set_flags(work: Work, n: int, limit: float) -> None:
    """How a blocker stands to the bodies of the pair."""
    bottom = min(work.item[0, LOW], work.item[1, LOW])
    grounded = work.item[n, LOW] <= bottom
    work.tag[n, GROUNDED] = grounded
    work.tag[n, TALL] = grounded and work.item[n, HIGH] >= max(work.item[0, HIGH], work.item[1, HIGH]) and limit < 0.0
    work.tag[n, LOWLY] = grounded and work.item[n, HIGH] < min(work.item[0, HIGH], work.item[1, HIGH])
    work.tag[n, BETWEEN] = work.item[n, FIRST] >= work.item[0, LAST] and work.item[n, LAST] <= work.item[1, FIRST]
    work.item[n, LIMIT] = limit


@kernel
def collect(
    prisms: Prisms, active: int, a: int, b: int, i: int, j: int, row: int, col: int,
    blocking: Blocking, work: Work, broken: Bools,
) -> tuple[int, bool]:
    """Gather the two bodies and what stands between them; also say whether one blocker alone hides everything.

    a and b are i and j, the first body being a. What alone hides everything is marked in `broken` at once.
    """
    steepest = _steepest(prisms.reach[a] + prisms.reach[b], work.frame[4])
    work.frame[5] = steepest
    for body in range(2):
        _add(prisms, a if body == 0 else b, body, 0.0, work)
        _set_sides(work.vert, work.tag, body, steepest)
        set_face(work, body)
    margin = max(MARGIN, float(blocking.half_width))
    left, right = max(work.face[0, LEFT_V], work.face[1, LEFT_V]), min(work.face[0, RIGHT_V], work.face[1, RIGHT_V])
    _mark_near(
        work.place, active, work.frame, work.item[0, FIRST] - margin, work.item[1, LAST] + margin,
        max(left, -right) + margin, min(work.item[0, LOW], work.item[1, LOW]), max(work.item[0, HIGH], work.item[1, HIGH]),
        work.near,
    )
    left_a, left_m = _side(work.face, LEFT_U, LEFT_V)
    right_a, right_m = _side(work.face, RIGHT_U, RIGHT_V)
    # The hull bulges a little over the lines along its sides, where the bodies differ in size.
    bulge = 2.0 * max(prisms.reach[a], prisms.reach[b])
    left_slack, right_slack = bulge * abs(left_m), bulge * abs(right_m)
    if work.tag[0, COUNT] == 1 and work.tag[1, COUNT] == 1:
        left_slack, right_slack = left_slack * abs(left_m), right_slack * abs(right_m)
    n, hidden = 2, False
    for near in range(active):
        if not work.near[near]:
            continue
        k = work.active[near]
        stops, breaks, limit = blocks(prisms, k, i, j, row, col, blocking)
        if not (stops or breaks):
            continue
        _add(prisms, k, n, margin, work)
        if work.item[n, LAST] < work.item[0, FIRST] or work.item[n, FIRST] > work.item[1, LAST]:
            continue
        _set_sides(work.vert, work.tag, n, steepest)
        left_low, left_high, right_low, right_high = 1.0e18, -1.0e18, 1.0e18, -1.0e18
        for c in range(work.tag[n, SIDES], work.tag[n, SIDES] + work.tag[n, SIDE_COUNT]):
            f = work.vert[c, 1] - left_a - left_m * work.vert[c, 0]
            g = work.vert[c, 1] - right_a - right_m * work.vert[c, 0]
            left_low, left_high = min(left_low, f), max(left_high, f)
            right_low, right_high = min(right_low, g), max(right_high, g)
        r = work.item[n, RADIUS]
        if left_low - 2.0 * r > left_slack or right_high + 2.0 * r < -right_slack:
            continue
        _set_flags(work, n, limit)
        slot = broken.shape[0] - 1 if prisms.part[k] == MODEL else prisms.owner[k]
        work.tag[n, SLOT], work.tag[n, STOPS], work.tag[n, BREAKS] = slot, stops, breaks
        across = left_high + r > left_slack and right_low - r < -right_slack
        if across and work.tag[n, TALL] != 0 and work.tag[n, BETWEEN] != 0:
            hidden = hidden or stops
            broken[slot] = broken[slot] or breaks
        n += 1
    return n, hidden


@kernel
def turn_round(work: Work, n: int) -> None:
    """Let the second body be the first, for a look the other way."""
    length = work.frame[4]
    for c in range(work.tag[n - 1, SIDES] + work.tag[n - 1, SIDE_COUNT]):
        work.vert[c, 0], work.vert[c, 1] = length - work.vert[c, 0], -work.vert[c, 1]
        work.vert[c, 2], work.vert[c, 3] = -work.vert[c, 2], -work.vert[c, 3]
    for k in range(n):
        first = work.item[k, FIRST]
        work.item[k, FIRST], work.item[k, LAST] = length - work.item[k, LAST], length - first
    for c in range(ITEM):
        work.item[0, c], work.item[1, c] = work.item[1, c], work.item[0, c]
    for c in range(TAG):
        work.tag[0, c], work.tag[1, c] = work.tag[1, c], work.tag[0, c]
    set_face(work, 0)
    set_face(work, 1)
