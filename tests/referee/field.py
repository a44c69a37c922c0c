"""The battlefield with its obstacles: what a base meets on its way, and what it stands on at the end of it.

It knows kinds of terrain by the words that the book of an edition gives it, and no edition itself. Everything here is
asked in the accuser's favour of doubt: what is not plainly so is not said.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from referee.geometry import (
    OVAL,
    ROUND,
    Outline,
    Shape,
    Stand,
    apart,
    area_gap,
    bodies_meet,
    box_of,
    extent,
    flat_gap,
    gap,
    inside,
    may_touch,
    rise,
    shape_of,
    swept,
)
from referee.watch import Feature, Floor, Table, Wall

PLAIN = 0.03
"""An overlap that nobody can call a matter of measuring."""


class Leg(NamedTuple):
    """A part of a path, in inches: what is done, from where, to where."""

    do: str
    start: Stand
    end: Stand

    @property
    def flat(self) -> float:
        return math.hypot(self.end.x - self.start.x, self.end.y - self.start.y)

    @property
    def up(self) -> float:
        return abs(self.end.z - self.start.z)

    @property
    def turned(self) -> float:
        turn = abs(self.end.turn - self.start.turn) % (2 * math.pi)
        return min(turn, 2 * math.pi - turn)


def legs_of(start: Stand, path: Sequence[dict[str, int]]) -> list[Leg]:
    """The legs of an answer."""
    legs, here = [], start
    for step in path:
        there = Stand(
            start.base, step["x"] / 1024, step["y"] / 1024, step["z"] / 1024, step["facing"] * 2 * math.pi / 4096
        )
        legs.append(Leg(step["do"], here, there))
        here = there
    return legs


class Field:
    """The terrain of a table, with boxes around its parts so that most of it can be left out at a glance."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.terrain = table.terrain
        self.features = [(f, box_of(f.outline)) for f in self.terrain.features]
        self.walls = [(w, box_of((w.a, w.b))) for w in self.terrain.walls]
        self.floors = [(f, box_of(f.outline)) for f in self.terrain.floors]

    def fresh(self) -> Field:
        """The same for the terrain of now."""
        return self if self.terrain is self.table.terrain else Field(self.table)

    # --- On the way ---------------------------------------------------------------------------------------------------

    def walls_met(self, leg: Leg, free: float, passes: Callable[[Wall], bool]) -> Iterable[Wall]:
        """The walls that a leg plainly leads through; those no higher than `free` above the mover do not count."""
        if leg.do == "turn":
            return
        way = swept(leg.start, leg.end.x, leg.end.y)
        here = extent(way)
        for wall, box in self.walls:
            if apart(here, box, wall.half) or passes(wall):
                continue
            low, high = self._heights_at(leg, Shape((wall.a, wall.b)), wall.half)
            if high < low:
                continue
            if (
                wall.top <= high + free + 0.02
                or wall.top <= high + 0.02
                or wall.bottom >= low + leg.start.base.tall - 0.05
            ):
                continue
            yield wall

    def solids_met(self, leg: Leg, free: float) -> Iterable[Feature]:
        """The solid features that a leg plainly leads through."""
        if leg.do == "turn":
            return
        here = extent(swept(leg.start, leg.end.x, leg.end.y))
        for feature, box in self.features:
            if not feature.solid or apart(here, box, 0.0) or self._from_top(leg, feature):
                continue
            low, high = self._heights_over(leg, feature.outline)
            if high < low or feature.top <= high + free + 0.02 or feature.bottom >= low + leg.start.base.tall - 0.05:
                continue
            yield feature

    def _from_top(self, leg: Leg, feature: Feature) -> bool:
        return min(leg.start.z, leg.end.z) >= feature.top - 0.02

    def _heights_at(self, leg: Leg, thing: Shape, half: float) -> tuple[float, float]:
        """Between which heights the mover is while it plainly overlaps something; an empty span where it never does."""
        if gap(swept(leg.start, leg.end.x, leg.end.y), thing) - half >= -PLAIN:
            return 1.0, 0.0
        if leg.up < 0.01:
            return leg.start.z, leg.start.z
        return self._along(leg, lambda s: gap(shape_of(s), thing) - half < -PLAIN)

    def _heights_over(self, leg: Leg, outline: Outline) -> tuple[float, float]:
        if area_gap(swept(leg.start, leg.end.x, leg.end.y), outline) >= -PLAIN:
            return 1.0, 0.0
        if leg.up < 0.01:
            return leg.start.z, leg.start.z
        return self._along(leg, lambda s: area_gap(shape_of(s), outline) < -PLAIN)

    @staticmethod
    def _along(leg: Leg, overlaps: Callable[[Stand], bool]) -> tuple[float, float]:
        pieces = max(2, int(math.hypot(leg.flat, leg.up) / 0.1))
        heights = []
        for i in range(pieces + 1):
            t = i / pieces
            x = leg.start.x + t * (leg.end.x - leg.start.x)
            y = leg.start.y + t * (leg.end.y - leg.start.y)
            z = leg.start.z + t * (leg.end.z - leg.start.z)
            if overlaps(leg.start.at(x, y, z)):
                heights.append(z)
        return (min(heights), max(heights)) if heights else (1.0, 0.0)

    def models_met(self, leg: Leg, others: Iterable[int], within: float = -PLAIN, up: float | None = None) -> list[int]:
        """The models that a leg comes nearer to than a gap; with `up` by heights of zones, else by bodies."""
        if leg.do == "turn":
            return []
        found = []
        way = swept(leg.start, leg.end.x, leg.end.y)
        low, high = (leg.start, leg.end) if leg.start.z <= leg.end.z else (leg.end, leg.start)
        here = extent(way)
        for m in others:
            other = self.table.stand(m)
            box = (other.x, other.y, other.x, other.y)
            if apart(here, box, other.base.reach + max(0.0, within)):
                continue
            if up is None:
                if leg.up > 0.01 or not bodies_meet(low, other):
                    continue
            elif max(rise(low, other), rise(high, other)) > up - 0.01:
                continue
            if gap(way, shape_of(other)) < within:
                found.append(m)
        return found

    def off_table(self, stand: Stand, slack: float) -> bool:
        """Whether part of a base is over the edge."""
        if stand.base.kind == ROUND:
            r = stand.base.long
            low_x, low_y, high_x, high_y = stand.x - r, stand.y - r, stand.x + r, stand.y + r
        else:
            low_x, low_y, high_x, high_y = extent(shape_of(stand))
        width, depth = self.terrain.width, self.terrain.depth
        return low_x < -slack or low_y < -slack or high_x > width + slack or high_y > depth + slack

    def low_climb(self, leg: Leg, free: float) -> bool:
        """Whether a climb is along something low enough to be ignored."""
        low, high = sorted((leg.start.z, leg.end.z))
        if high - low > free + 0.02:
            return False
        here = shape_of(leg.end)
        box = extent(here)
        return any(
            f.bottom <= low + 0.01
            and high <= f.top + 0.01
            and f.top - f.bottom <= free + 0.01
            and not apart(box, around, 0.05)
            and area_gap(here, f.outline) <= 0.02
            for f, around in self.features
        )

    # --- At the end ---------------------------------------------------------------------------------------------------

    def overlapped(self, stand: Stand, others: Iterable[int], slack: float) -> int | None:
        """Somebody whom a base stands on."""
        for m in others:
            other = self.table.stand(m)
            if may_touch(stand, other, 0.0) and bodies_meet(stand, other) and flat_gap(stand, other) < -slack:
                return m
        return None

    def in_wall(self, stand: Stand) -> Wall | None:
        """A wall that a base plainly stands in."""
        here = shape_of(stand)
        box = extent(here)
        for wall, around in self.walls:
            if apart(box, around, wall.half):
                continue
            if wall.bottom >= stand.z + stand.base.tall - 0.05 or wall.top <= stand.z + 0.05:
                continue
            if gap(here, Shape((wall.a, wall.b))) - wall.half < -PLAIN:
                return wall
        return None

    def in_solid(self, stand: Stand) -> Feature | None:
        """A solid feature that a base plainly stands in."""
        here = shape_of(stand)
        box = extent(here)
        for feature, around in self.features:
            if not feature.solid or apart(box, around, 0.0) or feature.top <= stand.z + 0.02:
                continue
            if feature.bottom >= stand.z + stand.base.tall - 0.05:
                continue
            if area_gap(here, feature.outline) < -PLAIN:
                return feature
        return None

    def surfaces(self, z: float) -> list[tuple[Outline, Feature]]:
        """What lies at a height to stand on, with the feature that it belongs to."""
        found: list[tuple[Outline, Feature]] = []
        for floor, _ in self.floors:
            if abs(floor.z - z) < 0.01:
                found.append((floor.outline, self.terrain.features[floor.feature]))
        for feature, _ in self.features:
            if feature.solid and abs(feature.top - z) < 0.01:
                found.append((feature.outline, feature))
        return found

    def stands_on(self, stand: Stand) -> list[Feature]:
        """The features whose surface at this height is under the middle of a base."""
        return [f for outline, f in self.surfaces(stand.z) if inside(stand.x, stand.y, outline)]

    def overhangs(self, stand: Stand) -> bool:
        """Whether a base plainly sticks out over every surface at its height."""
        surfaces = [outline for outline, _ in self.surfaces(stand.z)]
        return any(not any(inside(x, y, o) for o in surfaces) for x, y in rim(stand, 0.05))

    def in_floor(self, stand: Stand) -> Floor | None:
        """A floor that goes right through a model."""
        for floor, box in self.floors:
            if floor.z - floor.thick > stand.z + 0.05 and floor.z < stand.z + stand.base.tall - 0.05:
                here = shape_of(stand)
                if not apart(extent(here), box, 0.0) and area_gap(here, floor.outline) < -PLAIN:
                    return floor
        return None

    def touches_feature(self, stand: Stand) -> bool:
        """Whether any part of a base is on a terrain feature."""
        here = shape_of(stand)
        box = extent(here)
        return any(not apart(box, around, 0.0) and area_gap(here, f.outline) < 0.01 for f, around in self.features)


def rim(stand: Stand, inwards: float, count: int = 24) -> list[tuple[float, float]]:
    """Points around a base, so far inside its outline."""
    base = stand.base
    long, wide = max(0.0, base.long - inwards), max(0.0, base.wide - inwards)
    c, s = math.cos(stand.turn), math.sin(stand.turn)
    if base.kind in (ROUND, OVAL):
        angles = [2 * math.pi * i / count for i in range(count)]
        flat = [(long * math.cos(a), wide * math.sin(a)) for a in angles]
    else:
        flat = [
            (long, wide),
            (0, wide),
            (-long, wide),
            (-long, 0),
            (-long, -wide),
            (0, -wide),
            (long, -wide),
            (long, 0),
        ]
    return [(stand.x + x * c - y * s, stand.y + x * s + y * c) for x, y in flat]
