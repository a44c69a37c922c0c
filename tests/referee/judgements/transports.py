"""Transports: who gets in, how many, and who fires from the deck."""

from __future__ import annotations

from referee.geometry import distance
from referee.judgements.ground import Ground
from referee.sheets import singular
from referee.watch import GONE, Item


class Transports(Ground):
    """Embarking, capacity and Firing Decks."""

    def before(self, item: Item) -> None:
        if item["event"] == "placed" and item["place"] == 2 and self.table.clock["segment"] == "turn":
            self._embarks(item["models"])
        elif item["event"] == "answered" and item["kind"] == "firing_deck":
            self._deck(self.court.asked(item)["unit"], item["answer"])

    def after(self, item: Item) -> None:
        if item["event"] == "told" and item["kind"] == "embarked":
            self._fits(item["units"][1])

    def _embarks(self, models: list[int]) -> None:
        unit = self.table.unit_of[models[0]]
        carrier = self.table.units[unit]["embarked"]
        self.looked("units that embark")
        if carrier < 0:
            return
        doors = self.reach.stands(self.table.on_table(carrier))
        far = self.book.embark_range + self.book.slack
        for m in models:
            if not any(distance(self.table.stand(m), d) <= far for d in doors):
                self.accuse("w40k10.transport.embark", f'{self.model(m)} embarks from more than 3" away.')
                break
        u = self.table.units[unit]
        if u["moved"] not in ("normal", "advance", "fall_back"):
            self.accuse("w40k10.transport.embark", f"{self.name(unit)} embarks after a {u['moved'] or 'missing'} move.")
        if u["disembarked"]:
            self.accuse("w40k10.transport.embark", f"{self.name(unit)} disembarked in this phase and embarks.")
        if self.table.side(unit) != self.table.side(carrier):
            self.accuse("w40k10.transport.capacity", f"{self.name(unit)} embarks in an enemy's transport.")

    def _fits(self, carrier: int) -> None:
        """No more passengers than there is room for, and only of the kinds that the datasheet names."""
        here = [m for m in self.table.units[carrier]["models"] if self.table.place[m] != GONE]
        rooms = [self.book.sheet(m)["transport"] for m in here]
        if not rooms or any(r is None for r in rooms):
            self.accuse("w40k10.transport.capacity", f"{self.name(carrier)} is no TRANSPORT.")
            return
        aboard = [m for u in self.table.units if u["embarked"] == carrier for m in self.table.alive(u["id"])]
        taken = 0
        for m in aboard:
            room = rooms[0]
            kinds = [k.split(" + ") for k in room["carries"]]
            if not any(all(self.book.is_a(m, k) for k in kind) for kind in kinds):
                self.accuse(
                    "w40k10.transport.capacity", f"{self.model(m)} is of no kind that {self.name(carrier)} takes."
                )
                return
            special = [
                s["room"]
                for s in room["special"]
                if self.book.is_a(m, singular(s["keyword"])) and self.book.sheet(m)["wounds"] >= s["from_wounds"]
            ]
            taken += max(special, default=1)
        if taken > sum(r["capacity"] for r in rooms):
            self.accuse("w40k10.transport.capacity", f"{taken} places are taken in {self.name(carrier)}.")
        self.looked("transports with passengers")

    def _deck(self, unit: int, answer: list[object]) -> None:
        most = max((int(self.book.core(m, "firing deck") or 0) for m in self.table.on_table(unit)), default=0)
        self.looked("Firing Decks")
        if len(answer) > most:
            self.accuse("w40k10.transport.firing_deck", f"{len(answer)} passengers of {self.name(unit)} lend weapons.")
