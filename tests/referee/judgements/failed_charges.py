"""Failed charges: whether a charge that was called impossible could have been made.

A way is looked for as players do it: the nearest model goes in, the others follow it and keep together. What is found
is checked as a whole. What is not found may still exist, so silence proves nothing; a way that was found does.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from referee.geometry import Stand, distance, flat_gap, near
from referee.judgements.closing import Closing
from referee.places import Places, Way
from referee.watch import Item

LEADS = 5
"""So many models are tried as the first to go in."""
PLACES = 400
"""So many places are tried for a model."""


class FailedCharges(Closing):
    """Nobody fails a charge that can be made."""

    def made(self, move: object, item: Item) -> None:
        """Charges that are made are judged elsewhere."""

    def begin(self) -> None:
        super().begin()
        self.asked: Item | None = None
        """The question how the charge is made, if it came to that."""

    def before(self, item: Item) -> None:
        super().before(item)
        if item["event"] == "question" and item["kind"] == "charge_move":
            self.asked = item
        elif item["event"] == "told" and item["kind"] == "charge_declared":
            self.asked = None
        if item["event"] == "told" and item["kind"] == "charge_failed":
            self._failed(item["units"][0])

    def _failed(self, unit: int) -> None:
        if unit != self.charger or len(self.faces) != 2:
            return
        far = float(sum(self.faces))
        if self.book.doubt("modify", roll="charge"):
            if self.asked is None or self.asked["unit"] != unit:
                return
            far = self.asked["about"]["far"] / 1024
        models = self.table.on_table(unit)
        if not models or any(not self.table.on_table(t) for t in self.targets):
            return
        self.looked("failed charges")
        self.field = self.field.fresh()
        self.places = Places(self.field, self.reach, self.book)
        prey = [m for t in self.targets for m in self.table.on_table(t)]
        if any(self.table.stand(m).z > 0.01 for m in (*models, *prey)):
            return
        if any(self.reach.between(unit, t) > far + self.book.engage_flat - 0.01 for t in self.targets):
            return
        self.looked("failed charges within reach")
        ends = self.search(unit, far)
        if ends is None:
            return
        how = ", ".join(f"{m} to ({s.x:.3f}, {s.y:.3f})" for m, s in ends.items())
        self.accuse("w40k10.charge.fail", f'{self.name(unit)} fails with {far:.0f}" a charge that can be made: {how}.')

    # --- Looking for one ----------------------------------------------------------------------------------------------

    def search(self, unit: int, far: float) -> dict[int, Stand] | None:
        """Where the models could end."""
        targets = [self.table.on_table(t) for t in self.targets]
        prey = [m for theirs in targets for m in theirs]
        closed = [m for e in self.table.enemies(unit) if e not in self.targets for m in self.table.on_table(e)]
        movers = [m for m in self.table.on_table(unit) if self.book.sheet(m)["move"] is not None]
        ways = {m: self.way_of(m, closed, charges=True) for m in movers}
        gaps = {m: self.reach.flat_between(self.table.stand(m), prey) for m in movers}
        order = sorted(movers, key=lambda m: (gaps[m], m))
        for first in order[:LEADS]:
            rest = [m for m in order if m != first]
            ends = self._follow(unit, [first, *rest], far, targets, ways)
            if ends is not None and self._holds(unit, ends, far, ways):
                return ends
        return None

    def _follow(
        self, unit: int, order: Sequence[int], far: float, targets: Sequence[list[int]], ways: dict[int, Way]
    ) -> dict[int, Stand] | None:
        """Place one model after the other."""
        everybody = self.table.on_table(unit)
        need = self.book.neighbours if len(everybody) >= self.book.large_unit else 1
        prey = frozenset(m for theirs in targets for m in theirs)
        placed: dict[int, Stand] = {m: self.table.stand(m) for m in everybody if m not in order}
        ends: dict[int, Stand] = {}
        open_targets = list(targets)
        for number, m in enumerate(order):
            waiting = set(order[number:])
            goal = open_targets[0] if open_targets else sorted(prey)
            spot = self._place(m, far, goal, placed, waiting, need, ways[m], prey, bool(open_targets))
            if spot is None:
                return None
            placed[m] = spot
            if spot != self.table.stand(m):
                ends[m] = spot
            open_targets = [t for t in open_targets if not self.reach.engaging(spot, t, -0.001)]
        return ends if not open_targets else None

    def _place(
        self,
        model: int,
        far: float,
        goal: Sequence[int],
        placed: dict[int, Stand],
        waiting: set[int],
        need: int,
        way: Way,
        prey: frozenset[int],
        must: bool,
    ) -> Stand | None:
        """A place for one model beside those that have theirs."""
        start = self.table.stand(model)
        mates = list(placed.values())
        want = min(need, len(mates))
        others = [
            (m, placed.get(m) or self.table.stand(m))
            for m in self.table.all_models()
            if m not in waiting
            and flat_gap(start, placed.get(m) or self.table.stand(m)) < far + 2 * start.base.reach + 1
        ]
        if not must and want and self._linked(start, mates) >= want and self._may_stay(start, others):
            stays: Stand | None = start
        else:
            stays = None
        before = {m: distance(start, self.table.stand(m)) for m in prey}
        least = min(before.values())
        for count, spot in enumerate(self._spots(start, far, goal, mates)):
            if count > PLACES:
                break
            if math.hypot(spot.x - start.x, spot.y - start.y) > far - 0.004:
                continue
            if want and self._linked(spot, mates) < want:
                continue
            if not min(distance(spot, self.table.stand(m)) for m in prey) < least - 0.002:
                continue
            if not self.places.free(spot, others, prey) or not self.places.outside(spot, way.closed_end):
                continue
            if self.places.leads(start, spot, way, prey):
                return spot
        return stays

    def _may_stay(self, start: Stand, others: Sequence[tuple[int, Stand]]) -> bool:
        return all(flat_gap(start, other) > 0.002 for _, other in others)

    def _linked(self, spot: Stand, mates: Sequence[Stand]) -> int:
        flat, up = self.book.coherency_flat - 0.002, self.book.coherency_up
        return sum(near(spot, other, flat, up) for other in mates)

    def _spots(self, start: Stand, far: float, goal: Sequence[int], mates: Sequence[Stand]) -> Iterator[Stand]:
        """Against the enemy, within reach of it, and else beside comrades."""
        theirs = sorted((flat_gap(start, self.table.stand(m)), m) for m in goal)[:8]
        for away, m in theirs:
            if away <= far:
                for spot in self.places.around(start, self.table.stand(m), 24):
                    yield self._apart(spot, self.table.stand(m), 0.0005)
        for off in (0.45, 0.9):
            for away, m in theirs[:4]:
                if away - off <= far:
                    for spot in self.places.around(start, self.table.stand(m), 24):
                        yield self._apart(spot, self.table.stand(m), off)
        closest = self.table.stand(theirs[0][1])
        ahead = sorted(mates, key=lambda s: math.hypot(s.x - closest.x, s.y - closest.y))
        for mate in ahead[:6]:
            for off in (0.05, 1.0):
                for spot in self.places.around(start, mate, 16):
                    yield self._apart(spot, mate, off)

    @staticmethod
    def _apart(spot: Stand, other: Stand, off: float) -> Stand:
        """A place a little further away from another."""
        dx, dy = spot.x - other.x, spot.y - other.y
        length = math.hypot(dx, dy) or 1.0
        x, y = spot.x + dx / length * off, spot.y + dy / length * off
        return spot.at(round(x * 1024) / 1024, round(y * 1024) / 1024)

    # --- Checking it --------------------------------------------------------------------------------------------------

    def _holds(self, unit: int, ends: dict[int, Stand], far: float, ways: dict[int, Way]) -> bool:
        """Whether a charge that was found meets all conditions as a whole."""
        if not ends or not all(self.reach.engages(unit, t, -0.001, ends) for t in self.targets):
            return False
        if not self.reach.coherent(self.reach.stands(self.table.on_table(unit), ends), -0.001):
            return False
        prey = frozenset(m for t in self.targets for m in self.table.on_table(t))
        for m, spot in ends.items():
            others = self.places.others(m, ends, spot, 0.2)
            if not self.places.free(spot, others, prey) or not self.places.leads(
                self.table.stand(m), spot, ways[m], prey
            ):
                return False
            if math.hypot(spot.x - self.table.stand(m).x, spot.y - self.table.stand(m).y) > far - 0.003:
                return False
            if not any(self._closer(m, spot, self.table.on_table(t), 0.001) for t in self.targets):
                return False
        return True
