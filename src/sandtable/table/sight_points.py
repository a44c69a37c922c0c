"""The points by which full visibility is judged: across the side of the target that faces the observer."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from sandtable.kernels import bare, leaf
from sandtable.table.grid import Floats, Ints
from sandtable.table.sight_pair import (
    COUNT,
    FACE,
    LEFT_V,
    RADIUS,
    RIGHT_V,
    SIDE_COUNT,
    SIDES,
    START,
)

SAMPLES: Final = 9
"""Points of the target's facing side, from right to left."""

_EDGE: Final = 0.98

# Columns of `Work.point`: a point of the target, and its cone: the slopes of lines from it to the right and left side
# of the observer, and these slopes drawn in by a hair.
AT_U: Final = 0
AT_V: Final = 1
LOW_M: Final = 2
HIGH_M: Final = 3
LOW_EDGE: Final = 4
HIGH_EDGE: Final = 5

# Where the points lie across a target, from -1 to 1, and how far ahead of the middle of a round one.
_ACROSS: Final = np.array([_EDGE * (2 * i - SAMPLES + 1) / (SAMPLES - 1) for i in range(SAMPLES)])
_AHEAD: Final = np.array([math.sqrt(1.0 - x * x) for x in _ACROSS])


@leaf
def _set_point(vert: Floats, item: Floats, tag: Ints, eye: int, u: float, v: float, point: Floats, p: int) -> bool:
    """Put a point of the target and its cone into row p; False where the point is beside the observer."""
    low, high = 1.0e18, -1.0e18
    r = item[eye, RADIUS]
    for i in range(tag[eye, SIDES], tag[eye, SIDES] + tag[eye, SIDE_COUNT]):
        du = u - vert[i, 0]
        if abs(du) >= 1.0:
            share = 1.0 / du
            one, other = (v - vert[i, 1] - r) * share, (v - vert[i, 1] + r) * share
            low, high = min(low, min(one, other)), max(high, max(one, other))
    point[p, AT_U], point[p, AT_V] = u, v
    point[p, LOW_M], point[p, HIGH_M] = low, high
    inset = 0.001 * (high - low)
    point[p, LOW_EDGE], point[p, HIGH_EDGE] = low + inset, high - inset
    return low < high


@leaf
def _sample(pad: Floats, mark: int, sample: int) -> float:
    """How far to the left of the axis a point of the target lies."""
    left, right = pad[FACE + mark, LEFT_V], pad[FACE + mark, RIGHT_V]
    return (left + right) / 2.0 + (left - right) / 2.0 * _ACROSS[sample]


@leaf
def _set_round(vert: Floats, tag: Ints, pad: Floats, mark: int, point: Floats) -> None:
    """Points of a round target's near side."""
    half = (pad[FACE + mark, LEFT_V] - pad[FACE + mark, RIGHT_V]) / 2.0
    way = -1.0 if mark == 1 else 1.0
    for sample in range(SAMPLES):
        point[sample, AT_V] = _sample(pad, mark, sample)
        point[sample, AT_U] = vert[tag[mark, START], 0] + way * half * _AHEAD[sample]


@bare
def _set_outline(vert: Floats, item: Floats, tag: Ints, pad: Floats, mark: int, point: Floats) -> None:
    """Points of the near side of a target with corners, by one walk along that side.

    The first body faces along u and its side is walked to the left, the second one faces back, and to the right.
    """
    start, count, r = tag[mark, START], tag[mark, COUNT], item[mark, RADIUS]
    way = -1.0 if mark == 1 else 1.0
    i, top = start, start
    for c in range(start + 1, start + count):
        if vert[c, 1] * way < vert[i, 1] * way:
            i = c
        if vert[c, 1] * way > vert[top, 1] * way:
            top = c
    sample = 0
    while sample < SAMPLES:
        j = i + 1 if i + 1 < start + count else start
        u, v = vert[i, 0], vert[i, 1]
        turn = (v + r * vert[i, 3]) * way
        end = (vert[j, 1] + r * vert[i, 3]) * way
        while sample < SAMPLES:
            at = _sample(pad, mark, sample if mark == 0 else SAMPLES - 1 - sample)
            if i != top and at * way > end:
                break
            if i != top and at * way > turn:
                share = (at * way - turn) / (end - turn)
                point[sample, AT_U] = u + r * vert[i, 2] + share * (vert[j, 0] - u)
            else:
                point[sample, AT_U] = u + way * math.sqrt(max(0.0, r * r - (at - v) * (at - v)))
            point[sample, AT_V] = at
            sample += 1
        i = j


@bare
def set_points(vert: Floats, item: Floats, tag: Ints, pad: Floats, eye: int, plate: float, point: Floats) -> int:
    """List points across the side of the target that faces the observer; return how many."""
    mark, count = 1 - eye, 0
    if tag[mark, COUNT] == 1:
        _set_round(vert, tag, pad, mark, point)
    else:
        _set_outline(vert, item, tag, pad, mark, point)
    for sample in range(SAMPLES):
        u, v = point[sample, AT_U], point[sample, AT_V]
        if abs(u - plate) >= 1.0 and _set_point(vert, item, tag, eye, u, v, point, count):
            count += 1
    return count
