"""How near is near: within a zone, a cylinder around a base, or within a ball, a distance in space."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from sandtable.table import measure
from sandtable.table.grid import TOUCHING, Bools, Ints
from sandtable.table.measure import IN_SPACE
from sandtable.table.shapes import Bodies, Shapes


class Zone(NamedTuple):
    """So far to all sides, and so far up and down, in grid steps; below 0, nobody is within."""

    flat: int
    up: int

    def grown(self, by: int) -> Zone:
        """The zone that holds whoever could get into this one by going so far."""
        return Zone(self.flat + by, self.up + by)


class Ball(NamedTuple):
    """So far in space, in grid steps; below 0, nobody is within."""

    radius: int

    @property
    def flat(self) -> int:
        """How far it reaches to the sides, where it is widest."""
        return self.radius

    @property
    def up(self) -> int:
        """What kernels are told instead of a height."""
        return IN_SPACE

    def grown(self, by: int) -> Ball:
        """The ball that holds whoever could get into this one by going so far."""
        return Ball(self.radius + by)


CONTACT: Final = Zone(int(TOUCHING), 0)
"""Base to base."""


NO_ZONE: Final = Zone(0, 0)
"""None to keep away from."""


def linked(bodies: Bodies, shapes: Shapes, first: Ints, second: Ints, near: Zone | Ball) -> bool:
    """Whether any of the first models is so near to one of the second."""
    return bool(measure.linked(bodies, shapes, first, second, near.flat, near.up))


def links(bodies: Bodies, shapes: Shapes, first: Ints, second: Ints, near: Zone | Ball) -> Bools:
    """Which pairs of models are so near to each other, [first, second]."""
    found: Bools = measure.links(bodies, shapes, first, second, near.flat, near.up)
    return found


def widths(near: Zone | Ball, models: int, zoned: Any) -> Ints:
    """For kernels: the zone of each of so many models, if it has one; `zoned` is one answer for all, or an array."""
    out = np.zeros(models, dtype=np.int64)
    out[:] = np.asarray(zoned, dtype=np.bool_) * max(0, near.flat)
    return out
