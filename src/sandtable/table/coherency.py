"""Whether a unit stands together.

Two models of a unit are linked when they are within a reach horizontally and a height vertically of each other. A unit
is coherent when its links join it into one group and each of its models has enough of them. A single model always is.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from sandtable.kernels import kernel
from sandtable.table.grid import Bools, Ints
from sandtable.table.measure import are_round, links, nearness, pair_gap, pair_rise, round_gap
from sandtable.table.shapes import Bodies, Shapes, pack, round_base


class Coherency(NamedTuple):
    """What a rules system asks of a unit's positions, in grid steps; a reach below 0 asks for nothing."""

    reach: int
    vertical: int
    neighbours: int = 1


NO_COHERENCY: Final = Coherency(-1, 0, 0)


@kernel
def _counts(joined: Bools) -> Ints:
    """How many others each is joined with."""
    n = joined.shape[0]
    out = np.zeros(n, dtype=np.int64)
    for a in range(n):
        for b in range(n):
            if a != b and joined[a, b]:
                out[a] += 1
    return out


@kernel
def _groups(joined: Bools) -> Ints:
    """The group of each, counted from 0 in the order in which they are met."""
    n = joined.shape[0]
    label = np.full(n, -1, dtype=np.int64)
    queue = np.empty(n, dtype=np.int64)
    found = 0
    for first in range(n):
        if label[first] >= 0:
            continue
        label[first] = found
        queue[0] = first
        head, tail = 0, 1
        while head < tail:
            a = queue[head]
            head += 1
            for b in range(n):
                if label[b] < 0 and joined[a, b]:
                    label[b] = found
                    queue[tail] = b
                    tail += 1
        found += 1
    return label


@kernel
def neighbour_counts(bodies: Bodies, shapes: Shapes, models: Ints, reach: int, vertical: int) -> Ints:
    """With how many others of the models each one is linked."""
    return _counts(links(bodies, shapes, models, models, reach, vertical))


@kernel
def groups(bodies: Bodies, shapes: Shapes, models: Ints, reach: int, vertical: int) -> Ints:
    """The group of each model, counted from 0 in the order in which `models` first meets them."""
    return _groups(links(bodies, shapes, models, models, reach, vertical))


@kernel
def rejoin(bodies: Bodies, shapes: Shapes, models: Ints, reach: int, vertical: int, at: int, joined: Bools) -> None:
    """Look up anew with whom one of the models is linked, after it moved."""
    i = models[at]
    for m in range(models.shape[0]):
        if m == at:
            continue
        k = models[m]
        sure = nearness(bodies, shapes, i, k, reach)
        near = sure >= 0 and pair_rise(bodies, shapes, i, k) <= vertical
        if near and sure == 0:
            gap = round_gap(bodies, shapes, i, k) if are_round(bodies, shapes, i, k) else pair_gap(bodies, shapes, i, k)
            near = gap <= reach
        joined[at, m], joined[m, at] = near, near


@kernel
def unlinked(joined: Bools, neighbours: int) -> int:
    """How many models keep the unit from being coherent: those outside the first group, and those short of links."""
    n = joined.shape[0]
    label, counts = _groups(joined), _counts(joined)
    wanted = min(neighbours, n - 1)
    missing = 0
    for a in range(n):
        if label[a] > 0 or counts[a] < wanted:
            missing += 1
    return missing


@kernel
def lacking(bodies: Bodies, shapes: Shapes, models: Ints, reach: int, vertical: int, neighbours: int) -> int:
    """The same for models that stand somewhere; none where no coherency is asked for."""
    if models.shape[0] < 2 or reach < 0:
        return 0
    return unlinked(links(bodies, shapes, models, models, reach, vertical), neighbours)


@kernel
def coherent(bodies: Bodies, shapes: Shapes, models: Ints, reach: int, vertical: int, neighbours: int) -> bool:
    """Whether the models form one group in which each is linked with at least `neighbours` others."""
    return lacking(bodies, shapes, models, reach, vertical, neighbours) == 0


def warm_up() -> None:
    """Compile the kernels, or load them from disk."""
    shapes = pack([round_base(1, 1)])
    bodies = Bodies(np.zeros((2, 3), dtype=np.int64), np.zeros(2, dtype=np.int64), np.zeros(2, dtype=np.int64))
    models = np.arange(2)
    neighbour_counts(bodies, shapes, models, 1, 1)
    groups(bodies, shapes, models, 1, 1)
    coherent(bodies, shapes, models, 1, 1, 1)
    lacking(bodies, shapes, models, 1, 1, 1)
