"""Directions as facings, and scatter: a place moved by a direction and a distance."""

from __future__ import annotations

import numpy as np

from sandtable.kernels import kernel
from sandtable.table.grid import COS, SIN, TRIG_SCALE, TURN, Ints

_COS = COS
_SIN = SIN
_HALF = TRIG_SCALE // 2
_QUARTER = TURN // 4


@kernel
def bearing(dx: int, dy: int) -> int:
    """The facing nearest to a direction; 0 for no direction at all."""
    if dx == 0 and dy == 0:
        return 0
    # Turn the direction into the first quarter, where the cross product with the table falls steadily.
    quarter = 0
    while not (dx > 0 and dy >= 0):
        dx, dy = dy, -dx
        quarter += 1
    low, high = 0, _QUARTER
    while high - low > 1:
        middle = (low + high) // 2
        if _COS[middle] * dy - _SIN[middle] * dx >= 0:
            low = middle
        else:
            high = middle
    below = _COS[low] * dy - _SIN[low] * dx
    above = _SIN[high] * dx - _COS[high] * dy
    best = low if below <= above else high
    return (best + quarter * _QUARTER) % TURN


@kernel
def offset(x: int, y: int, direction: int, distance: int) -> tuple[int, int]:
    """The place at a distance in a direction, rounded to the grid."""
    turn = direction % TURN
    return (
        x + (distance * _COS[turn] + _HALF) // TRIG_SCALE,
        y + (distance * _SIN[turn] + _HALF) // TRIG_SCALE,
    )


@kernel
def _clamped(x: int, y: int, direction: int, distance: int, size: Ints) -> tuple[int, int]:
    tx, ty = offset(x, y, direction, distance)
    if 0 <= tx <= size[0] and 0 <= ty <= size[1]:
        return tx, ty
    # The last place of the straight line that is still on the table.
    share = 1.0
    if tx < 0:
        share = min(share, x / (x - tx))
    if tx > size[0]:
        share = min(share, (size[0] - x) / (tx - x))
    if ty < 0:
        share = min(share, y / (y - ty))
    if ty > size[1]:
        share = min(share, (size[1] - y) / (ty - y))
    cx, cy = x + round((tx - x) * share), y + round((ty - y) * share)
    return min(max(cx, 0), size[0]), min(max(cy, 0), size[1])


def scattered(x: int, y: int, direction: int, distance: int, size: Ints | None = None) -> tuple[int, int]:
    """Where something ends that scatters in a direction (a facing); with a table size it stops at the edge."""
    if size is None:
        tx, ty = offset(x, y, direction, distance)
    else:
        tx, ty = _clamped(x, y, direction, distance, size)
    return int(tx), int(ty)


def die_direction(face: int, faces: int) -> int:
    """The facing that a die with evenly spread directions points to; face 1 is the x axis, then anticlockwise."""
    return (face - 1) * TURN // faces % TURN


def warm_up() -> None:
    """Compile the kernels, or load them from disk."""
    bearing(3, 4)
    scattered(0, 0, 5, 7)
    scattered(0, 0, 5, 7, np.array([4, 4], dtype=np.int64))
