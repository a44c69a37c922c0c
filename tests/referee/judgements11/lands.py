"""Where objectives, terrain areas and units lie on the battlefield, as mission cards call it.

Every question is answered with yes, no, or None where it is a matter of measuring or of reading.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, TypeAlias

from referee.geometry import (
    Outline,
    Point,
    Shape,
    Stand,
    apart,
    area_gap,
    box_of,
    disc,
    edges,
    extent,
    flat_gap,
    gap,
    inside,
    point_segment,
    rise,
    shape_of,
)
from referee.watch import Table

Answer: TypeAlias = bool | None
MARKER = -1
"""Instead of the number of an area, for an objective that is a marker."""
ON_BORDER, OFF_BORDER = 0.3, 1.0
"""A place so near the border of a territory lies across it, and one so far does not."""
MIDDLE = 6.0
"""Whoever is so near the middle of the table is in no quarter of it."""
_PLACE = re.compile(r"([WH])(?:/(\d))?(?:([+-])([\d.]+))?")


class Span(NamedTuple):
    """How many there are at least, and at most."""

    low: int
    high: int


def tally(answers: Iterable[Answer]) -> Span:
    """How many of some answers are yes."""
    found = list(answers)
    return Span(sum(a is True for a in found), sum(a is not False for a in found))


def some(answers: Iterable[Answer]) -> Answer:
    """Whether one of them is yes."""
    found = list(answers)
    return True if True in found else None if None in found else False


def each(answers: Iterable[Answer]) -> Answer:
    """Whether none of them is no."""
    found = list(answers)
    return False if False in found else None if None in found else True


def agreed(answers: Iterable[Answer]) -> Answer:
    """What all readings of a thing come to; None where they differ."""
    found = set(answers)
    return found.pop() if len(found) == 1 else None


def negated(answer: Answer) -> Answer:
    """The contrary."""
    return None if answer is None else not answer


def beyond(value: float, limit: float, slack: float) -> Answer:
    """Whether a distance is greater than a limit."""
    return None if abs(value - limit) <= slack else value > limit


class Lands:
    """The battlefield of a mission with its zones, territories, objectives and terrain areas."""

    def __init__(self, table: Table, book: Any) -> None:
        self.table, self.book = table, book

    # --- Terrain areas ------------------------------------------------------------------------------------------------

    def areas(self) -> dict[int, list[Outline]]:
        """The outlines of each area, by its first feature; what has the same name before a slash is one area."""
        found: dict[int, list[Outline]] = {}
        first: dict[str, int] = {}
        for number, feature in enumerate(self.table.terrain.features):
            found.setdefault(first.setdefault(feature.name.partition("/")[0], number), []).append(feature.outline)
        return found

    def in_area(self, stands: Sequence[Stand], area: int) -> Answer:
        """Whether any part of a unit is in an area."""
        return some(self._overlaps(s, outline) for s in stands for outline in self.areas()[area])

    def in_any_area(self, stands: Sequence[Stand]) -> Answer:
        """Whether any part of a unit is in any area."""
        return some(self.in_area(stands, area) for area in self.areas())

    def _overlaps(self, stand: Stand, outline: Outline) -> Answer:
        shape = shape_of(stand)
        if apart(extent(shape), box_of(outline), 0.1):
            return False
        return beyond(-area_gap(shape, outline), 0.0, self.book.slack)

    def holds_marker(self, area: int) -> Answer:
        """Whether an objective lies in an area."""
        return some(self._covers(outline, (x, y)) for x, y, _ in self.book.markers for outline in self.areas()[area])

    @staticmethod
    def _covers(outline: Outline, spot: Point) -> Answer:
        if min(point_segment(spot, a, b) for a, b in edges(outline)) < 0.02:
            return None
        return inside(*spot, outline)

    # --- Objectives ---------------------------------------------------------------------------------------------------

    def areas_of(self, marker: int) -> list[int]:
        """The area that an objective is, or MARKER; several where it lies on a seam, so that it may be any of these."""
        x, y, _ = self.book.markers[marker]
        found = {area: some(self._covers(o, (x, y)) for o in outlines) for area, outlines in self.areas().items()}
        plainly = [area for area, covers in found.items() if covers]
        perhaps = [area for area, covers in found.items() if covers is None]
        return plainly + perhaps if plainly else [MARKER, *perhaps]

    def in_range(self, stands: Sequence[Stand], marker: int) -> Answer:
        """Whether a unit is within range of an objective."""
        if not stands or marker in self.table.game["removed"]:
            return False
        return agreed(
            self.in_area(stands, area) if area != MARKER else some(self._near(s, marker) for s in stands)
            for area in self.areas_of(marker)
        )

    def _near(self, stand: Stand, marker: int) -> Answer:
        book, (x, y, z) = self.book, self.book.markers[marker]
        there = disc(x, y, book.marker_radius, z)
        far = beyond(flat_gap(stand, there), book.marker_flat, book.slack)
        high = beyond(rise(stand, there), book.marker_up, book.slack)
        return each(negated(out) for out in (far, high))

    def lies(self, marker: int, player: int, where: str) -> Answer:
        """Whether an objective is where a card looks, from a player's side of the table."""
        roles = self.book.mission["roles"]
        role = roles[marker] if marker < len(roles) else ""
        x, y, _ = self.book.markers[marker]
        own, enemy = self.book.zone(player), self.book.zone(player, enemy=True)
        match where:
            case "central" | "expansion":
                return bool(role == where)
            case "own home":
                return self._is_home((x, y), role, own, enemy)
            case "enemy home":
                return self._is_home((x, y), role, enemy, own)
            case "not own home":
                return negated(self._is_home((x, y), role, own, enemy))
        return self._spot_lies((x, y), player, where)

    def area_lies(self, area: int, player: int, where: str) -> Answer:
        """The same for an area: the middle of its corners says, those of all its parts."""
        corners = tuple(corner for outline in self.areas()[area] for corner in outline)
        return self._spot_lies(_middle(corners), player, where)

    def _spot_lies(self, spot: Point, player: int, where: str) -> Answer:
        own, enemy = self.book.zone(player), self.book.zone(player, enemy=True)
        match where:
            case "all":
                return True
            case "own zone":
                return self._covers(own, spot)
            case "enemy zone":
                return self._covers(enemy, spot)
            case "not own zone":
                return negated(self._covers(own, spot))
            case "no man's land":
                return negated(some(self._covers(zone, spot) for zone in (own, enemy)))
            case "own territory" | "enemy territory":
                return self._is_in_land(spot, player, where == "enemy territory")
        return None

    def _is_home(self, spot: Point, role: str, zone: Outline, other: Outline) -> Answer:
        """A home is of the side whose zone it lies in or, where the mission names it, is nearer to."""
        if not role:
            return self._covers(zone, spot)
        if role != "home":
            return False
        dot = Shape((spot,))
        return beyond(area_gap(dot, other) - area_gap(dot, zone), 0.0, 0.1)

    # --- Territories --------------------------------------------------------------------------------------------------

    def land(self, player: int, *, enemy: bool = False) -> Outline | None:
        """A player's territory, or the enemy's; None where the mission draws none."""
        lands = self.book.mission["territories"]
        if not lands:
            return None
        side = self.table.players[player]["side"]
        attacks = side == self.table.players[max(0, self.table.game["attacker"])]["side"]
        return tuple(self._on_table(spot) for spot in lands[0 if attacks != enemy else 1])

    def _on_table(self, spot: Sequence[Any]) -> Point:
        """A place of the map, whose long side is below; on an upright table the map is turned."""
        wide, deep = self.table.terrain.width, self.table.terrain.depth
        x, y = (self._length(value, max(wide, deep), min(wide, deep)) for value in spot)
        return (x, y) if wide >= deep else (y, deep - x)

    @staticmethod
    def _length(value: Any, long: float, short: float) -> float:
        found = _PLACE.fullmatch(str(value).replace(" ", ""))
        if found is None:
            return float(value)
        side, part, sign, more = found.groups()
        return (long if side == "W" else short) / int(part or 1) + float(f"{sign or '+'}{more or 0}")

    def _is_in_land(self, spot: Point, player: int, enemy: bool) -> Answer:
        """What lies across the border is in no territory; where none are drawn, the nearer zone decides."""
        land = self.land(player, enemy=enemy)
        if land is None:
            mine, other = self.book.zone(player, enemy=enemy), self.book.zone(player, enemy=not enemy)
            dot = Shape((spot,))
            return agreed(
                beyond(far - near, 0.0, 1.0)
                for far, near in (
                    (area_gap(dot, other), area_gap(dot, mine)),
                    (_far(spot, other), _far(spot, mine)),
                )
            )
        if not inside(*spot, land):
            return False
        depth = min(point_segment(spot, a, b) for a, b in edges(land))
        return False if depth < ON_BORDER else True if depth > OFF_BORDER else None

    # --- Units --------------------------------------------------------------------------------------------------------

    def wholly(self, stands: Sequence[Stand], outline: Outline) -> Answer:
        """Whether all of a unit is in an outline; its sides along the edge of the table keep nobody out."""
        sides = [side for side in edges(outline) if not self._at_edge(*side)]
        return bool(stands) and each(self._is_wholly(s, outline, sides) for s in stands)

    def _is_wholly(self, stand: Stand, outline: Outline, sides: Sequence[tuple[Point, Point]]) -> Answer:
        if not inside(stand.x, stand.y, outline):
            return False
        shape = shape_of(stand)
        return beyond(min(gap(shape, Shape(side)) for side in sides), 0.0, self.book.slack) if sides else True

    def _at_edge(self, a: Point, b: Point) -> bool:
        limits = ((0.0, self.table.terrain.width), (0.0, self.table.terrain.depth))
        return any(abs(a[i] - v) < 0.01 and abs(b[i] - v) < 0.01 for i in (0, 1) for v in limits[i])

    def quarters(self) -> list[Outline]:
        """The quarters of the table."""
        wide, deep = self.table.terrain.width, self.table.terrain.depth
        return [
            ((x, y), (x + wide / 2, y), (x + wide / 2, y + deep / 2), (x, y + deep / 2))
            for x in (0.0, wide / 2)
            for y in (0.0, deep / 2)
        ]

    def away(self, stands: Sequence[Stand]) -> Answer:
        """Whether nobody of a unit is near the middle of the table."""
        middle = Shape(((self.table.terrain.width / 2, self.table.terrain.depth / 2),))
        return each(beyond(gap(shape_of(s), middle), MIDDLE, self.book.slack) for s in stands)


def _middle(outline: Outline) -> Point:
    """The middle of the corners of an outline."""
    return sum(x for x, _ in outline) / len(outline), sum(y for _, y in outline) / len(outline)


def _far(spot: Point, zone: Outline) -> float:
    """How far a place is from the middle of a zone."""
    x, y = _middle(zone)
    return math.hypot(spot[0] - x, spot[1] - y)
