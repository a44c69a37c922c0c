"""Boxes around groups of models: a quick look at who may be near whom at all."""

from __future__ import annotations

from typing import Final

import numpy as np

from sandtable.kernels import kernel
from sandtable.table.grid import Ints
from sandtable.table.shapes import Bodies, Shapes

FAR_OFF: Final = 1 << 40
"""Further than any table reaches, in grid steps"""


@kernel
def _near(pos: Ints, out: Ints, models: Ints, group: Ints, side: Ints, reach: int) -> Ints:
    groups = side.shape[0]
    low, high = np.full((groups, 2), FAR_OFF), np.full((groups, 2), -FAR_OFF)
    for m in models:
        g = group[m]
        for k in range(2):
            low[g, k] = min(low[g, k], pos[m, k] - out[m])
            high[g, k] = max(high[g, k], pos[m, k] + out[m])
    found = np.empty((groups * groups, 2), dtype=np.int64)
    count = 0
    for a in range(groups):
        for b in range(groups):
            if side[a] == side[b]:
                continue
            if (
                low[a, 0] - high[b, 0] <= reach
                and low[b, 0] - high[a, 0] <= reach
                and low[a, 1] - high[b, 1] <= reach
                and low[b, 1] - high[a, 1] <= reach
            ):
                found[count, 0], found[count, 1] = a, b
                count += 1
    return found[:count]


def near(bodies: Bodies, shapes: Shapes, models: Ints, group: Ints, side: Ints, reach: int) -> Ints:
    """Pairs of groups of different sides whose boxes are within `reach`, [pair, group and other]; in order.

    `group` is that of every body, `side` that of every group. Groups without any of the models have no box.
    """
    return _near(bodies.pos, shapes.reach[bodies.shape], models, group, side, reach)


def warm_up() -> None:
    """Compile the kernel, or load it from disk."""
    one = np.zeros(1, dtype=np.int64)
    _near(np.zeros((1, 3), dtype=np.int64), one, one, one, one, 1)
