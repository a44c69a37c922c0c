"""How near is near: within a zone, a cylinder around a base, or within a ball, a distance in space."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from sandtable.table import measure
from sandtable.table.grid import TOUCHING, Bools, Ints
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

    def grown(self, by: int) -> Ball:
        """The ball that holds whoever could get into this one by going so far."""
        return Ball(self.radius + by)


CONTACT: Final = Zone(int(TOUCHING), 0)
"""Base to base."""


def linked(bodies: Bodies, shapes: Shapes, first: Ints, second: Ints, near: Zone | Ball) -> bool:
    """Whether any of the first models is so near to one of the second."""
    if isinstance(near, Zone):
        return bool(measure.linked(bodies, shapes, first, second, near.flat, near.up))
    return bool((measure.distances(bodies, shapes, first, second) <= near.radius).any())


def links(bodies: Bodies, shapes: Shapes, first: Ints, second: Ints, near: Zone | Ball) -> Bools:
    """Which pairs of models are so near to each other, [first, second]."""
    if isinstance(near, Zone):
        found: Bools = measure.links(bodies, shapes, first, second, near.flat, near.up)
        return found
    return np.asarray(measure.distances(bodies, shapes, first, second) <= near.radius)
