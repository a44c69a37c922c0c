"""Closing with the enemy: Charge, Pile-in and Consolidation moves.

Whether a model could have ended in base contact is looked for all around the enemy models in its reach, on straight
ways over open ground. What is found this way is a place that anybody at the table could point at.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from referee.geometry import Stand, disc, distance, flat_gap, inside, rise
from referee.judgements.moves import CHARGE, OBJECTIVE, PILE_IN, Made, MoveWatch
from referee.places import Places, Way
from referee.watch import Item

ANGLES, FEW_ANGLES = 144, 48
"""Directions around an enemy that are tried: for round bases, and for others, which take longer."""
REACHED = 12
"""So many enemy models are tried for each model, the nearest first."""


class Closing(MoveWatch):
    """What ends near the enemy: how it must end, and that it goes into contact where it can."""

    def begin(self) -> None:
        super().begin()
        self.charger, self.targets = -1, []
        self.faces: list[int] = []

    def before(self, item: Item) -> None:
        if item["event"] == "told" and item["kind"] == "charge_declared":
            self.charger, self.targets, self.faces = item["units"][0], list(item["units"][1:]), []
        elif item["event"] == "rolled" and item["reason"] == "charge":
            self.faces = list(item["faces"])
        super().before(item)

    def made(self, move: Made, item: Item) -> None:
        self.places = Places(self.field, self.reach, self.book)
        if move.mode == CHARGE:
            self._charge(move)
        elif move.kind in ("pile_in", "consolidate"):
            if move.mode == OBJECTIVE:
                self._to_marker(move)
            else:
                self._step_in(move)

    # --- Charging -----------------------------------------------------------------------------------------------------

    def _charge(self, move: Made) -> None:
        targets = move.question["about"]["targets"]
        far = next(m["allowance"] for m in move.question["modes"] if m["name"] == CHARGE) / 1024
        if sorted(targets) != sorted(self.targets) or move.unit != self.charger:
            self.accuse("w40k10.charge.targets", f"{self.name(move.unit)} charges others than it declared.")
        if far != sum(self.faces) and not self.book.doubt("modify", roll="charge"):
            self.accuse("w40k10.charge.roll", f'{self.name(move.unit)} rolled {self.faces} and charges up to {far}".')
        for target in targets:
            if not self.reach.engages(move.unit, target, self.book.slack, move.ends) and not self._across(move, target):
                self.accuse(
                    "w40k10.charge.conditions",
                    f"{self.name(move.unit)} ends its charge outside Engagement Range of {self.name(target)}.",
                )
        for model, end in move.ends.items():
            if not any(self._closer(model, end, self.table.on_table(t)) for t in targets):
                self.accuse("w40k10.charge.move", f"{self.model(model)} ends its charge no closer to any target.")

        def accept(ends: Mapping[int, Stand], model: int) -> bool:
            return all(self.reach.engages(move.unit, t, -0.001, ends) for t in targets) and any(
                self._closer(model, ends[model], self.table.on_table(t), 0.001) for t in targets
            )

        prey = [m for t in targets for m in self.table.on_table(t)]
        closed = [m for e in self.table.enemies(move.unit) if e not in targets for m in self.table.on_table(e)]
        self._contact(move, far, prey, closed, accept, "w40k10.charge.base_contact")

    def _across(self, move: Made, target: int) -> bool:
        """Whether a model may be up against a barricade, with the target close behind it."""
        book = self.book
        for f in self.table.terrain.features:
            if f.kind != "barricade":
                continue
            for end in self.reach.stands(self.table.on_table(move.unit), move.ends):
                for m in self.table.on_table(target):
                    other = self.table.stand(m)
                    if flat_gap(end, other) <= book.across + book.slack and rise(end, other) <= book.engage_up:
                        return True
        return False

    def _closer(self, model: int, end: Stand, others: Sequence[int], least: float = -0.0) -> bool:
        """Whether a model ends closer to the nearest of some others."""
        start = self.table.stand(model)
        theirs = self.reach.stands(others)
        before, now = min(distance(start, o) for o in theirs), min(distance(end, o) for o in theirs)
        return now < before - least or (least <= 0 and now < before + 0.002)

    # --- Piling In and Consolidating ----------------------------------------------------------------------------------

    def _step_in(self, move: Made) -> None:
        rule = "w40k10.fight.pile_in" if move.mode == PILE_IN else "w40k10.fight.consolidate"
        towards = "w40k10.fight.pile_in_direction" if move.mode == PILE_IN else "w40k10.fight.consolidate_enemy"
        if self.book.aircraft(move.unit):
            self.accuse("w40k10.aircraft.pile_in", f"{self.name(move.unit)} is an AIRCRAFT and moves to fight.")
        enemies = [m for e in self.table.enemies(move.unit) for m in self.table.on_table(e)]
        for model in move.ends:
            if self._surely_touches(model, enemies):
                self.accuse(rule, f"{self.model(model)} touches an enemy and moves all the same.")
        if not self.reach.engaged_with(move.unit, self.book.slack, move.ends):
            self.accuse(rule, f"{self.name(move.unit)} does not end its {move.mode} within Engagement Range.")
        prey: dict[int, list[int]] = {}
        for model, end in move.ends.items():
            prey[model] = self._worth(model, enemies)
            if not prey[model] or not self._nearer(model, end, prey[model], 0.002):
                self.accuse(towards, f"{self.model(model)} ends no closer to the enemy model that was closest to it.")

        def accept(ends: Mapping[int, Stand], model: int) -> bool:
            return bool(self.reach.engaged_with(move.unit, -0.001, ends)) and self._nearer(
                model, ends[model], prey[model], -0.002
            )

        self._contact(move, self.book.step_in, enemies, [], accept, towards)

    def _surely_touches(self, model: int, enemies: Sequence[int]) -> bool:
        """Whether a model is in base contact beyond doubt; bases that are not round are measured less finely."""
        here = self.table.stand(model)
        for m in self.reach.touching(here, enemies):
            plain = here.base.kind == "round" and self.table.stand(m).base.kind == "round"
            if flat_gap(here, self.table.stand(m)) <= (0.0015 if plain else -0.0015):
                return True
        return False

    def _worth(self, model: int, enemies: Sequence[int]) -> list[int]:
        """The enemy models that count for the closest one: not AIRCRAFT, for those who do not FLY."""
        if self.book.is_a(model, "FLY"):
            return list(enemies)
        return [m for m in enemies if not self.book.aircraft(self.table.unit_of[m])]

    def _nearer(self, model: int, end: Stand, enemies: Sequence[int], slack: float) -> bool:
        """Whether a model ends closer to the enemy model that was closest; of several, to one of them."""
        start = self.table.stand(model)
        before = {m: distance(start, self.table.stand(m)) for m in enemies}
        least = min(before.values())
        closest = [m for m, far in before.items() if far <= least + (0.003 if slack > 0 else 0.0)]
        return any(distance(end, self.table.stand(m)) < before[m] + slack for m in closest)

    def _to_marker(self, move: Made) -> None:
        """Towards the closest marker on the table, only where the enemy is out of reach, and into its range."""
        rule = "w40k10.fight.consolidate_objective"
        if self.reach.engaged_with(move.unit, -self.book.slack):
            self.accuse("w40k10.fight.consolidate_enemy", f"{self.name(move.unit)} is engaged and turns to a marker.")
        spots = [
            (number, disc(x, y, self.book.marker_radius, z))
            for number, (x, y, z) in enumerate(self.book.markers)
            if number not in self.table.game["removed"]
        ]
        here = self.reach.stands(self.table.on_table(move.unit))
        away = {number: min(flat_gap(s, spot) for s in here) for number, spot in spots}
        if not away:
            self.accuse(rule, f"{self.name(move.unit)} Consolidates towards a marker, and none is on the table.")
            return
        nearest = min(away.values())
        closest = [spot for number, spot in spots if away[number] <= nearest + self.book.slack]
        after = self.reach.stands(self.table.on_table(move.unit), move.ends)
        flat, up = self.book.marker_flat + self.book.slack, self.book.marker_up + self.book.slack
        for spot in closest:
            in_range = any(flat_gap(s, spot) <= flat and rise(s, spot) <= up for s in after)
            towards = all(
                flat_gap(end, spot) < flat_gap(self.table.stand(m), spot) + 0.002 for m, end in move.ends.items()
            )
            if in_range and towards:
                return
        self.accuse(
            rule,
            f"{self.name(move.unit)} Consolidates towards no marker that is the closest one and ends in its range.",
        )

    # --- Contact ------------------------------------------------------------------------------------------------------

    def _contact(
        self,
        move: Made,
        far: float,
        prey: Sequence[int],
        closed: Sequence[int],
        accept: Callable[[Mapping[int, Stand], int], bool],
        rule: str,
    ) -> None:
        for model, end in move.ends.items():
            if self.reach.touching(end, prey, 0.005):
                continue
            self.looked("models that stop short")
            found = self.contact_for(move, model, far, prey, closed, accept)
            if found is not None:
                place, enemy = found
                start = self.table.stand(model)
                self.accuse(
                    rule,
                    f"{self.model(model)} ends at ({end.x:.2f}, {end.y:.2f}), "
                    f'{self.reach.flat_between(end, prey):.2f}" away, and could have touched {self.model(enemy)} '
                    f'at ({place.x:.3f}, {place.y:.3f}), {math.hypot(place.x - start.x, place.y - start.y):.2f}" of '
                    f'{far:.0f}" away.',
                )
                return

    def contact_for(
        self,
        move: Made,
        model: int,
        far: float,
        prey: Sequence[int],
        closed: Sequence[int],
        accept: Callable[[Mapping[int, Stand], int], bool],
    ) -> tuple[Stand, int] | None:
        """A place in which a model would touch an enemy, with everybody else where they ended."""
        start = self.table.stand(model)
        if start.z > 0.01:
            return None
        near = sorted((flat_gap(start, self.table.stand(m)), m) for m in prey if self.table.stand(m).z < 0.01)
        way = self.way_of(model, closed, charges=move.mode == CHARGE)
        here = self.table.on_table(move.unit)
        touch = frozenset(prey)
        for away, enemy in near[:REACHED]:
            if away > far:
                break
            theirs = self.table.stand(enemy)
            plain = start.base.kind == "round" and theirs.base.kind == "round"
            others = self.places.others(model, move.ends, theirs, 2 * start.base.reach + 0.2)
            for place in self.places.around(start, theirs, ANGLES if plain else FEW_ANGLES):
                if math.hypot(place.x - start.x, place.y - start.y) > far - 0.003 or self.reached_through(model, place):
                    continue
                ends = {**move.ends, model: place}
                if (
                    self.places.free(place, others, touch)
                    and self.places.outside(place, way.closed_end)
                    and self.places.leads(start, place, way, touch)
                    and accept(ends, model)
                    and self.reach.coherent(self.reach.stands(here, ends), -0.001)
                ):
                    return place, enemy
        return None

    def reached_through(self, model: int, place: Stand) -> bool:
        """Whether the ground of a place is of a kind that makes a straight way doubtful."""
        return any(f.solid and inside(place.x, place.y, f.outline) for f in self.table.terrain.features)

    def way_of(self, model: int, closed: Sequence[int], *, charges: bool) -> Way:
        """What stands in the way of a model that closes with the enemy."""
        table, book = self.table, self.book
        unit = table.unit_of[model]
        enemies = [m for e in table.enemies(unit) if not book.aircraft(e) for m in table.on_table(e)]
        friends = []
        if book.is_a(model, "MONSTER", "VEHICLE"):
            side = table.side(unit)
            friends = [
                m
                for m in table.all_models()
                if m != model and table.side(table.unit_of[m]) == side and book.is_a(m, "MONSTER", "VEHICLE")
            ]
        return Way(
            [*enemies, *friends],
            [m for m in closed if not book.aircraft(table.unit_of[m])],
            closed,
            book.is_a(model, "INFANTRY", "BEAST"),
            charges and book.is_a(model, "FLY"),
        )
