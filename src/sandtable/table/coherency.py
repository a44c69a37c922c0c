"""Whether a unit stands together.

Two models of a unit are linked when they are within a reach horizontally and a height vertically of each other, or
within a distance in space. A unit is coherent when each of its models has enough links, and, as its rules system asks,
when these join it into one group, and when no two models are further apart than a limit. A single model always is.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from sandtable.kernels import kernel
from sandtable.table.grid import Bools, Ints
from sandtable.table.measure import IN_SPACE, are_round, links, nearness, pair_gap, pair_rise, round_gap, width_at
from sandtable.table.shapes import Bodies, Shapes, pack, round_base
from sandtable.table.zones import Ball, Zone

NO_LIMIT: Final = Zone(-1, 0)
"""The spread of a unit whose models may be as far apart as their links let them."""


class Coherency(NamedTuple):
    """What a rules system asks of a unit's positions, in grid steps; a reach below 0 asks for nothing."""

    reach: int
    vertical: int
    """IN_SPACE: the reach is a distance in space"""
    neighbours: int = 1
    spread: int = -1
    """No two models may be further apart than this; below 0: no matter"""
    spread_up: int = 0
    """And no further above each other; IN_SPACE: the spread is a distance in space"""
    one_group: int = 1
    """1: the links must join all models"""

    @property
    def near(self) -> Zone | Ball:
        """How near two models are linked."""
        return Ball(self.reach) if self.vertical == IN_SPACE else Zone(self.reach, self.vertical)


def coherency(
    near: Zone | Ball, neighbours: int = 1, spread: Zone | Ball = NO_LIMIT, *, one_group: bool = True
) -> Coherency:
    """Links so near, so many for each model, and no two further apart than the spread."""
    return Coherency(near.flat, near.up, neighbours, spread.flat, spread.up, int(one_group))


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
        width = width_at(reach, vertical, pair_rise(bodies, shapes, i, k)) if sure >= 0 else -1.0
        near = width >= 0.0
        if near and (sure == 0 or width < reach):
            gap = round_gap(bodies, shapes, i, k) if are_round(bodies, shapes, i, k) else pair_gap(bodies, shapes, i, k)
            near = gap <= width
        joined[at, m], joined[m, at] = near, near


@kernel
def unlinked(joined: Bools, neighbours: int, one_group: int) -> int:
    """How many models keep the unit from being coherent: those outside the first group, and those short of links."""
    n = joined.shape[0]
    label, counts = _groups(joined), _counts(joined)
    wanted = min(neighbours, n - 1)
    missing = 0
    for a in range(n):
        if (label[a] > 0 and one_group != 0) or counts[a] < wanted:
            missing += 1
    return missing


@kernel
def lacking(bodies: Bodies, shapes: Shapes, models: Ints, rule: Coherency) -> int:
    """The same for models that stand somewhere; none where no coherency is asked for.

    Where there is a limit on how far apart any two may be, those beyond it come on top.
    """
    if models.shape[0] < 2 or rule.reach < 0:
        return 0
    missing = unlinked(
        links(bodies, shapes, models, models, rule.reach, rule.vertical), rule.neighbours, rule.one_group
    )
    if rule.spread >= 0:
        close = links(bodies, shapes, models, models, rule.spread, rule.spread_up)
        for a in range(models.shape[0]):
            for b in range(models.shape[0]):
                if not close[a, b]:
                    missing += 1
                    break
    return missing


@kernel
def coherent(bodies: Bodies, shapes: Shapes, models: Ints, rule: Coherency) -> bool:
    """Whether the models stand together as the rule asks."""
    return lacking(bodies, shapes, models, rule) == 0


def warm_up() -> None:
    """Compile the kernels, or load them from disk."""
    shapes = pack([round_base(1, 1)])
    bodies = Bodies(np.zeros((2, 3), dtype=np.int64), np.zeros(2, dtype=np.int64), np.zeros(2, dtype=np.int64))
    models = np.arange(2)
    neighbour_counts(bodies, shapes, models, 1, 1)
    groups(bodies, shapes, models, 1, 1)
    coherent(bodies, shapes, models, Coherency(1, 1))
    lacking(bodies, shapes, models, Coherency(1, 1))
