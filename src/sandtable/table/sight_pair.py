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

# Columns of `item`, the numbers of a body or blocker.
RADIUS: Final = 0
LOW: Final = 1
HIGH: Final = 2
FIRST: Final = 3
LAST: Final = 4
LIMIT: Final = 5
ITEM: Final = 6

# Columns of `tag`, its whole numbers and flags.
START: Final = 0
COUNT: Final = 1
SLOT: Final = 2
STOPS: Final = 3
BREAKS: Final = 4
TALL: Final = 5
GROUNDED: Final = 6
BETWEEN: Final = 7
LOWLY: Final = 8
TAG: Final = 9

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
    free: Floats
    slot_free: Floats
    spare: Floats
    near: Bools
    slot: Ints
    """[slot, count of heights at which it alone hides a point]; the last slot stands for all models"""
    through: Floats
    """[slot]: how much of a line runs through its area"""
    line: Floats
    """The clear line found: u v z of both ends"""
    frame: Floats
    """x and y of the origin, x and y of the u axis, length"""


@kernel
def make_work(prisms: Prisms, features: int) -> Work:
    """Room enough for every prism at once."""
    k = prisms.count.shape[0] + 4
    points = 2 * prisms.point.shape[0] + 4 * k + 200
    return Work(
        np.empty((points, 2), dtype=np.float64),
        np.empty((k, ITEM), dtype=np.float64),
        np.empty((k, TAG), dtype=np.int64),
        np.empty((points, 2), dtype=np.float64),
        np.empty((k, ITEM), dtype=np.float64),
        np.empty((k, TAG), dtype=np.int64),
        np.empty((points + 4 * k, 2), dtype=np.float64),
        np.empty((k, ITEM), dtype=np.float64),
        np.empty((k, TAG), dtype=np.int64),
        np.empty((2, 4), dtype=np.float64),
        np.empty((MOST_GAPS, 2), dtype=np.float64),
        np.empty((MOST_GAPS, 2), dtype=np.float64),
        np.empty((MOST_GAPS, 2), dtype=np.float64),
        np.empty(k, dtype=np.bool_),
        np.zeros((features + 1, 2), dtype=np.int64),
        np.zeros(features + 1, dtype=np.float64),
        np.zeros(6, dtype=np.float64),
        np.zeros(5, dtype=np.float64),
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
def _mark_near(
    x: Floats, y: Floats, reach: Floats, low: Floats, high: Floats, frame: Floats,
    back: float, ahead: float, side: float, bottom: float, top: float, near: Bools,
) -> None:
    """Mark the prisms whose discs meet the box around the pair. Without branches, for the sake of speed."""
    ox, oy, ex, ey = frame[0], frame[1], frame[2], frame[3]
    for k in range(x.shape[0]):
        dx, dy = x[k] - ox, y[k] - oy
        u, v, r = dx * ex + dy * ey, dy * ex - dx * ey, reach[k]
        near[k] = (
            (u + r > back) & (u - r < ahead) & (v - r < side) & (v + r > -side) & (low[k] < top) & (high[k] > bottom)
        )


@kernel
def _add(prisms: Prisms, k: int, n: int, margin: float, work: Work) -> None:
    """Put prism k into row n, in the pair's plane."""
    ox, oy, ex, ey = work.frame[0], work.frame[1], work.frame[2], work.frame[3]
    at = 0 if n == 0 else work.tag[n - 1, START] + work.tag[n - 1, COUNT]
    radius = prisms.radius[k] + margin
    first, last = 1.0e18, -1.0e18
    for i in range(prisms.count[k]):
        dx, dy = prisms.point[prisms.start[k] + i, 0] - ox, prisms.point[prisms.start[k] + i, 1] - oy
        u = dx * ex + dy * ey
        work.vert[at + i, 0], work.vert[at + i, 1] = u, dy * ex - dx * ey
        first, last = min(first, u), max(last, u)
    work.item[n, RADIUS], work.item[n, LOW], work.item[n, HIGH] = radius, prisms.low[k], prisms.high[k]
    work.item[n, FIRST], work.item[n, LAST] = first - radius, last + radius
    work.tag[n, START], work.tag[n, COUNT] = at, prisms.count[k]


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
def collect(
    prisms: Prisms, a: int, b: int, i: int, j: int, row: int, col: int, blocking: Blocking, work: Work
) -> tuple[int, bool]:
    """Gather the two bodies and what stands between them; also say whether one blocker alone hides everything.

    a and b are i and j, the first body being a.
    """
    item, tag, face, vert = work.item, work.tag, work.face, work.vert
    _add(prisms, a, 0, 0.0, work)
    _add(prisms, b, 1, 0.0, work)
    set_face(work, 0)
    set_face(work, 1)
    bottom, top = min(item[0, LOW], item[1, LOW]), max(item[0, HIGH], item[1, HIGH])
    lower_top = min(item[0, HIGH], item[1, HIGH])
    margin = max(MARGIN, float(blocking.half_width))
    side = max(max(face[0, LEFT_V], face[1, LEFT_V]), max(-face[0, RIGHT_V], -face[1, RIGHT_V])) + margin
    _mark_near(
        prisms.middle_x, prisms.middle_y, prisms.reach, prisms.low, prisms.high, work.frame,
        item[0, FIRST] - margin, item[1, LAST] + margin, side, bottom, top, work.near,
    )
    left_a, left_m = _side(face, LEFT_U, LEFT_V)
    right_a, right_m = _side(face, RIGHT_U, RIGHT_V)
    # The hull bulges a little over the lines along its sides, where the bodies differ in size.
    bulge = 2.0 * max(prisms.reach[a], prisms.reach[b])
    if tag[0, COUNT] == 1 and tag[1, COUNT] == 1:
        left_slack, right_slack = bulge * left_m * left_m, bulge * right_m * right_m
    else:
        left_slack, right_slack = bulge * abs(left_m), bulge * abs(right_m)
    n, hidden = 2, False
    for k in range(prisms.count.shape[0]):
        if not work.near[k]:
            continue
        stops, breaks, limit = blocks(prisms, k, i, j, row, col, blocking)
        if not (stops or breaks):
            continue
        _add(prisms, k, n, margin, work)
        if item[n, LAST] < item[0, FIRST] or item[n, FIRST] > item[1, LAST]:
            continue
        left_low, left_high, right_low, right_high = 1.0e18, -1.0e18, 1.0e18, -1.0e18
        for c in range(tag[n, START], tag[n, START] + tag[n, COUNT]):
            f = vert[c, 1] - left_a - left_m * vert[c, 0]
            g = vert[c, 1] - right_a - right_m * vert[c, 0]
            left_low, left_high = min(left_low, f), max(left_high, f)
            right_low, right_high = min(right_low, g), max(right_high, g)
        r = item[n, RADIUS]
        if left_low - 2.0 * r > left_slack or right_high + 2.0 * r < -right_slack:
            continue
        grounded = item[n, LOW] <= bottom
        tall = grounded and item[n, HIGH] >= top and limit < 0.0
        inside = item[n, FIRST] >= item[0, LAST] and item[n, LAST] <= item[1, FIRST]
        tag[n, SLOT] = blocking.depth.shape[0] if prisms.part[k] == MODEL else prisms.owner[k]
        tag[n, STOPS], tag[n, BREAKS] = stops, breaks
        tag[n, TALL], tag[n, GROUNDED], tag[n, BETWEEN] = tall, grounded, inside
        tag[n, LOWLY] = grounded and item[n, HIGH] < lower_top
        item[n, LIMIT] = limit
        across = left_high + r > left_slack and right_low - r < -right_slack
        hidden = hidden or (stops and tall and inside and across)
        n += 1
    return n, hidden


@kernel
def turn_round(work: Work, n: int) -> None:
    """Let the second body be the first, for a look the other way."""
    length = work.frame[4]
    last = work.tag[n - 1, START] + work.tag[n - 1, COUNT]
    for c in range(last):
        work.vert[c, 0], work.vert[c, 1] = length - work.vert[c, 0], -work.vert[c, 1]
    for k in range(n):
        first = work.item[k, FIRST]
        work.item[k, FIRST], work.item[k, LAST] = length - work.item[k, LAST], length - first
    for c in range(ITEM):
        work.item[0, c], work.item[1, c] = work.item[1, c], work.item[0, c]
    for c in range(TAG):
        work.tag[0, c], work.tag[1, c] = work.tag[1, c], work.tag[0, c]
    set_face(work, 0)
    set_face(work, 1)
