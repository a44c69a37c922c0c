"""Looking for places: where a base could touch another one, and whether a straight way leads there for certain."""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from referee.field import Field, Leg
from referee.geometry import (
    ROUND,
    Shape,
    Stand,
    apart,
    area_gap,
    bodies_meet,
    extent,
    flat_gap,
    gap,
    may_touch,
    shape_of,
    swept,
    touching_at,
)
from referee.reach import Reach

CLEAR = 0.004
"""Nearer than this to something, a place is not called free."""


class Way(NamedTuple):
    """What stands in the way of a straight move on one level."""

    blocked: Sequence[int]
    """Models that it does not lead across"""
    closed: Sequence[int]
    """Models whose Engagement Range is closed on the way"""
    closed_end: Sequence[int]
    """...and at the end"""
    through_ruins: bool
    flies: bool


class Places:
    """Places that are free beyond doubt."""

    def __init__(self, field: Field, reach: Reach, book: Any) -> None:
        self.field, self.reach, self.book = field, reach, book
        self.table = field.table

    # --- Touching -----------------------------------------------------------------------------------------------------

    def around(self, mover: Stand, enemy: Stand, count: int) -> Iterator[Stand]:
        """Places of a base, without turning it, in which it touches an enemy; those nearest to it come first."""
        towards = math.atan2(mover.y - enemy.y, mover.x - enemy.x)
        for i in range(count):
            angle = towards + ((i + 1) // 2) * (2 * math.pi / count) * (1 if i % 2 else -1)
            yield self.against(mover, enemy, angle)

    def against(self, mover: Stand, enemy: Stand, angle: float) -> Stand:
        """The place in a direction from an enemy's middle in which a base touches it."""
        ux, uy = math.cos(angle), math.sin(angle)
        if mover.base.kind == ROUND and enemy.base.kind == ROUND:
            far = mover.base.long + enemy.base.long
        else:
            far = touching_at(shape_of(mover), shape_of(enemy), ux, uy)
        return mover.at(enemy.x + far * ux, enemy.y + far * uy)

    # --- Standing -----------------------------------------------------------------------------------------------------

    def others(self, model: int, instead: Mapping[int, Stand], near: Stand, within: float) -> list[tuple[int, Stand]]:
        """Everybody else near a place, where they stand or would stand instead."""
        found = []
        for m in self.table.all_models():
            other = instead.get(m) or self.table.stand(m)
            if m != model and may_touch(near, other, within):
                found.append((m, other))
        return found

    def free(self, there: Stand, others: Iterable[tuple[int, Stand]], but: Container[int] = ()) -> bool:
        """Whether a model may surely stand in a place on the ground; `but` are those it may touch."""
        if there.z > 0.01 or self.field.off_table(there, -0.001):
            return False
        inner, x, y = there.base.inner, there.x, there.y
        for _, other in others:
            if math.hypot(x - other.x, y - other.y) < inner + other.base.inner - 0.001 and bodies_meet(there, other):
                return False
        for m, other in others:
            least = -0.0005 if m in but else CLEAR
            if may_touch(there, other, 0.1) and bodies_meet(there, other) and flat_gap(there, other) < least:
                return False
        for number, (x, y, _) in enumerate(self.book.markers):
            if number in self.table.game["removed"]:
                continue
            if math.hypot(there.x - x, there.y - y) < there.base.reach + self.book.marker_radius + 0.02:
                marker = there.at(x, y)._replace(base=there.base._replace(kind=ROUND, long=self.book.marker_radius))
                if flat_gap(there, marker) < CLEAR:
                    return False
        here = shape_of(there)
        box = extent(here)
        for wall, around in self.field.walls:
            beside = wall.bottom < there.base.tall and not apart(box, around, wall.half + 0.05)
            if beside and gap(here, Shape((wall.a, wall.b))) - wall.half < CLEAR:
                return False
        for feature, around in self.field.features:
            if feature.solid and not apart(box, around, 0.05) and area_gap(here, feature.outline) < CLEAR:
                return False
        return not any(
            floor.z - floor.thick < there.base.tall and not apart(box, around, 0.05)
            for floor, around in self.field.floors
        )

    # --- Going --------------------------------------------------------------------------------------------------------

    def leads(self, start: Stand, there: Stand, way: Way, touching: Container[int] = ()) -> bool:
        """Whether a base surely may go straight to a place on its level."""
        leg = Leg("go", start, there)
        track = swept(start, there.x, there.y)
        box = extent(track)
        for wall, around in self.field.walls:
            kind = self.field.terrain.features[wall.feature].kind
            if (way.through_ruins and kind == "ruins") or wall.top <= start.z + self.book.free_height:
                continue
            if not apart(box, around, wall.half + 0.05) and gap(track, Shape((wall.a, wall.b))) - wall.half < CLEAR:
                return False
        for feature, around in self.field.features:
            high = feature.solid and feature.top > start.z + self.book.free_height
            if high and not apart(box, around, 0.05) and area_gap(track, feature.outline) < CLEAR:
                return False
        for floor, around in self.field.floors:
            low = floor.z - floor.thick
            if not way.through_ruins and start.z < low < start.z + start.base.tall and not apart(box, around, 0.05):
                return False
        if way.flies:
            return True
        for m in way.blocked:
            other = self.table.stand(m)
            least = -0.0005 if m in touching else CLEAR
            away = apart(box, (other.x, other.y, other.x, other.y), other.base.reach + 0.05)
            if not away and gap(track, shape_of(other)) < least:
                return False
        return not self._meets_closed(leg, way.closed)

    def _meets_closed(self, leg: Leg, closed: Sequence[int]) -> bool:
        return bool(self.field.models_met(leg, closed, self.book.engage_flat + CLEAR, self.book.engage_up + 1))

    def outside(self, there: Stand, closed: Sequence[int]) -> bool:
        """Whether a place is surely outside the Engagement Range of models."""
        return not self.reach.engaging(there, closed, CLEAR)
