"""One pair of bodies and what stands between them, in the pair's own plane.

The first body's middle is the origin and the second's lies on the u axis. Whether two bodies see each other must not
depend on who looks, so of the two the one that stands further left (then further down, then lower) is always the first.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sandtable.kernels import kernel, leaf
from sandtable.table.grid import Bools, Floats, Ints
from sandtable.table.sight_lines import MOST_GAPS
from sandtable.table.sight_prisms import AREA, MODEL, Prisms

Singles: TypeAlias = NDArray[np.float32]

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
# in table coordinates and the steepest slope; the clear line found, u v z of both ends; the lines along the left and
# right side of both bodies, and how far their hull may bulge over these; the lines through the right and left side of
# the observer that no line from there to the target crosses, with sqrt(1 + m m) of each.
FACE: Final = 0
FRAME: Final = 2
LINE: Final = 3
HULL: Final = 4
REACH: Final = 6

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
    point: Floats
    """Points of the target, with the slopes from each to the sides of the observer"""
    shares: Bools
    """[slot]: takes part in hiding a point; the last slot stands for all models"""
    ignored: Bools
    """The same, where nobody wants to know"""
    named: Bools
    """[slot]: breaks full visibility of the pair"""
    active: Ints
    """The prisms that can be in the way of one observer"""
    place: Singles
    """[x y reach low high, active prism]"""
    near: Bools
    """[active prism]: meets the hull of the pair"""
    near_eight: Ints
    """The same memory, eight prisms to a number"""
    found: Ints
    """The prisms that meet the hull of the pair"""


@kernel
def make_work(prisms: Prisms, features: int) -> Work:
    """Room enough for every prism at once."""
    k = (prisms.corners.shape[0] + 15) // 8 * 8
    near_eight = np.zeros(k // 8, dtype=np.int64)
    # Each part needs all corners twice (with the sides), two more for each cut, and four for each upright rectangle.
    points = 3 * (2 * prisms.point.shape[0] + 4 * k + 2 * MOST_CORNERS)
    return Work(
        np.empty((points, 4), dtype=np.float64),
        np.empty((3 * k, ITEM), dtype=np.float64),
        np.empty((3 * k, TAG), dtype=np.int64),
        np.zeros((7, 6), dtype=np.float64),
        np.empty((3, MOST_GAPS, 2), dtype=np.float64),
        np.empty((16, 8), dtype=np.float64),
        np.zeros(features + 1, dtype=np.bool_),
        np.zeros(features + 1, dtype=np.bool_),
        np.zeros(features + 1, dtype=np.bool_),
        np.zeros(k, dtype=np.int64),
        np.empty((5, k), dtype=np.float32),
        near_eight.view(np.bool_),
        near_eight,
        np.empty(k, dtype=np.int64),
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
