"""Who is near whom: Engagement Range, coherency and contact, by the numbers of an edition's book.

`slack` widens a distance, or narrows it when it is below 0: a referee who says "is engaged" narrows, one who says "is
not" widens, so that what is said is certain either way.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

from referee.geometry import Stand, apart, box_of, distance, flat_gap, groups, links, near, rise
from referee.watch import Table


class Reach:
    """Distances between units and models on a table."""

    def __init__(self, table: Table, book: Any) -> None:
        self.table, self.book = table, book
        self._boxes: dict[int, tuple[float, float, float, float]] = {}
        self._stamp = -1

    def box(self, unit: int) -> tuple[float, float, float, float]:
        """The box around the bases of a unit."""
        if self._stamp != self.table.stamp:
            self._boxes, self._stamp = {}, self.table.stamp
        if unit not in self._boxes:
            stands = self.stands(self.table.on_table(unit))
            reach = max((s.base.reach for s in stands), default=0.0)
            low_x, low_y, high_x, high_y = box_of([(s.x, s.y) for s in stands]) if stands else (0.0, 0.0, 0.0, 0.0)
            self._boxes[unit] = (low_x - reach, low_y - reach, high_x + reach, high_y + reach)
        return self._boxes[unit]

    def stands(self, models: Iterable[int], instead: Mapping[int, Stand] | None = None) -> list[Stand]:
        """Models where they stand, or where they would stand instead."""
        if instead:
            return [instead[m] if m in instead else self.table.stand(m) for m in models]
        return [self.table.stand(m) for m in models]

    def engaging(self, stand: Stand, models: Iterable[int], slack: float = 0.0) -> list[int]:
        """Which of some models are within Engagement Range of a place."""
        flat, up = self.book.engage_flat + slack, self.book.engage_up + slack
        return [m for m in models if near(stand, self.table.stand(m), flat, up)]

    def engages(self, unit: int, other: int, slack: float = 0.0, instead: Mapping[int, Stand] | None = None) -> bool:
        """Whether two enemy units are within Engagement Range of each other."""
        if instead is None and apart(self.box(unit), self.box(other), self.book.engage_flat + slack):
            return False
        theirs = self.table.on_table(other)
        return any(self.engaging(s, theirs, slack) for s in self.stands(self.table.on_table(unit), instead))

    def engaged_with(self, unit: int, slack: float = 0.0, instead: Mapping[int, Stand] | None = None) -> list[int]:
        """The enemy units within Engagement Range of a unit."""
        return [e for e in self.table.enemies(unit) if self.engages(unit, e, slack, instead)]

    def between(self, one: int, other: int) -> float:
        """The distance between two units in space."""
        theirs = self.stands(self.table.on_table(other))
        mine = self.stands(self.table.on_table(one))
        best = float("inf")
        for a in mine:
            for b in theirs:
                rough = max(abs(a.x - b.x), abs(a.y - b.y)) - a.base.reach - b.base.reach
                if rough < best:
                    best = min(best, distance(a, b))
        return best

    def flat_between(self, stand: Stand, models: Iterable[int]) -> float:
        """The gap seen from above between a place and the nearest of some models."""
        best = float("inf")
        for other in self.stands(models):
            rough = max(abs(stand.x - other.x), abs(stand.y - other.y)) - stand.base.reach - other.base.reach
            if rough < best:
                best = min(best, flat_gap(stand, other))
        return best

    def touching(self, stand: Stand, models: Iterable[int], slack: float = 0.0) -> list[int]:
        """Which of some models are in base contact with a place."""
        touch = self.book.touch + slack
        return [m for m in models if near(stand, self.table.stand(m), touch, touch)]

    def coherent(self, stands: Sequence[Stand], slack: float = 0.0) -> bool:
        """Whether everybody has neighbours enough, and all hold together."""
        if len(stands) < 2:
            return True
        book = self.book
        linked = links(stands, book.coherency_flat + slack, book.coherency_up + slack)
        needed = book.neighbours if len(stands) >= book.large_unit else 1
        if not all(len(others) >= needed for others in linked):
            return False
        # Where a book says how far apart comrades may be at most, it asks for no chain.
        spread = getattr(book, "spread", None)
        if spread is None:
            return len(groups(linked)) == 1
        return all(near(a, b, spread + slack, book.coherency_up + slack) for a, b in combinations(stands, 2))

    def unit_coherent(self, unit: int, slack: float = 0.0, instead: Mapping[int, Stand] | None = None) -> bool:
        return self.coherent(self.stands(self.table.on_table(unit), instead), slack)


def height_apart(one: Stand, other: Stand) -> float:
    """How far apart two models are up and down."""
    return rise(one, other)
