"""Declaring charges: who may charge, and whom."""

from __future__ import annotations

from referee.judgements.ground import Ground
from referee.watch import Item


class Charges(Ground):
    """Every charge that is declared."""

    def begin(self) -> None:
        super().begin()
        self.near: set[int] = set()
        """Units that may have had an enemy within 12" when the Charge phase began."""
        self.declared: set[int] = set()
        self.hero = -1

    def before(self, item: Item) -> None:
        if item["event"] == "told" and item["kind"] == "stratagem" and item["data"]["name"] == "Heroic Intervention":
            self.hero = item["units"][0]
        elif item["event"] == "told" and item["kind"] == "charge_declared":
            self._declared(item["units"][0], list(item["units"][1:]))

    def after(self, item: Item) -> None:
        if item["event"] == "changed" and item["what"] == "clock" and self.book.step() == "charge begins":
            far = self.book.charge_range + self.book.slack
            mine = [u["id"] for u in self.table.units if u["player"] == self.table.clock["active"]]
            self.near = {u for u in mine if self._nearest(u) <= far}
            self.declared = set()

    def _nearest(self, unit: int) -> float:
        if not self.table.on_table(unit):
            return float("inf")
        return min((self.reach.between(unit, e) for e in self.table.enemies(unit)), default=float("inf"))

    def _declared(self, unit: int, targets: list[int]) -> None:
        book, u = self.book, self.table.units[unit]
        heroic, self.hero = unit == self.hero, -1
        self.looked("charges declared")
        if book.step() != "charge":
            self.accuse("w40k10.charge.sequence", f"{self.name(unit)} charges in the step {book.step()}.")
        if (u["player"] == self.table.clock["active"]) == heroic:
            self.accuse("w40k10.charge.sequence", f"{self.name(unit)} charges in the wrong player's turn.")
        if unit in self.declared and not heroic:
            self.accuse("w40k10.charge.sequence", f"{self.name(unit)} declares a second charge.")
        self.declared.add(unit)
        if not heroic and unit not in self.near and not book.doubt("move"):
            self.accuse("w40k10.charge.eligible", f'No enemy was within 12" of {self.name(unit)} at the start.')
        self._hurried(unit)
        held = self.reach.engaged_with(unit, -book.slack)
        if held:
            self.accuse(
                "w40k10.charge.eligible", f"{self.name(unit)} is engaged with {self.name(held[0])} and charges."
            )
        if book.aircraft(unit):
            self.accuse("w40k10.aircraft.charge", f"{self.name(unit)} is an AIRCRAFT and charges.")
        if not targets or (heroic and len(targets) > 1):
            self.accuse("w40k10.charge.targets", f"{self.name(unit)} charges {len(targets)} units.")
        for t in targets:
            if self.reach.between(unit, t) > book.charge_range + book.slack:
                self.accuse("w40k10.charge.targets", f'{self.name(unit)} charges {self.name(t)}, more than 12" away.')
            if book.aircraft(t) and not book.unit_is(unit, "FLY"):
                self.accuse("w40k10.aircraft.charge", f"{self.name(unit)} cannot FLY and charges {self.name(t)}.")

    def _hurried(self, unit: int) -> None:
        u = self.table.units[unit]
        player = u["player"]
        if u["moved"] == "advance" and not self.book.allowed("advance_and_charge", player):
            self.accuse("w40k10.move.advance_limits", f"{self.name(unit)} Advanced and charges.")
        if u["moved"] == "fall_back" and not self.book.allowed("fall_back_and_charge", player):
            self.accuse("w40k10.move.fall_back_limits", f"{self.name(unit)} Fell Back and charges.")
        if u["disembarked"] == "after":
            self.accuse(
                "w40k10.transport.disembark_after_move", f"{self.name(unit)} left a moving transport and charges."
            )
        if u["disembarked"] == "destroyed":
            self.accuse("w40k10.transport.destroyed_effects", f"{self.name(unit)} left a wreck and charges.")
