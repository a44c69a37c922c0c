"""The Charge phase of 8th edition: who charges whom, Overwatch, and how far the dice carry."""

from __future__ import annotations

from referee.dice import Complaint
from referee.judgements8.common import Judgement8, Script8
from referee.watch import Item


class Charges8(Judgement8):
    """Every charge that is declared, and what comes of it."""

    def begin(self) -> None:
        super().begin()
        self.held: set[int] = set()
        """Units with an enemy within 1" beyond doubt when the Charge phase began."""
        self.declared: set[int] = set()
        self.charger, self.targets = -1, [-1]
        self.items: list[Item] | None = None

    def after(self, item: Item) -> None:
        if self.is_step(item, "charge_units") and not self.declared:
            mine = [u["id"] for u in self.table.units if u["player"] == self.table.clock["active"]]
            self.held = {u for u in mine if self.table.on_table(u) and self.close(u, -self.book.slack)}
        if self.is_step(item, "charge_phase"):
            self.declared = set()

    def before(self, item: Item) -> None:
        if item["event"] == "told" and item["kind"] == "charge_declared":
            self._declared(item["units"][0], list(item["units"][1:]))
        elif item["event"] == "told" and item["kind"] == "overwatch":
            self._overwatch(*item["units"][:2])
        elif item["event"] == "rolled" and item["reason"] == "charge" and self.items is None:
            self.items = []
        if self.items is not None:
            self.items.append(item)
            if item["event"] == "answered" and item["kind"] == "charge_move":
                self._far(self.court.asked(item)["about"]["far"] / 1024)
            elif item["event"] == "told" and item["kind"] == "charge_failed":
                self._far(item["data"].get("far"))

    def _declared(self, unit: int, targets: list[int]) -> None:
        book, u = self.book, self.table.units[unit]
        self.charger, self.targets = unit, targets
        self.looked("charges declared")
        if book.step() != "charge_units" or u["player"] != self.table.clock["active"]:
            self.accuse("w40k8.charge.sequence", f"{self.name(unit)} charges in the step {book.step()}.")
        if unit in self.declared:
            self.accuse("w40k8.charge.once", f"{self.name(unit)} declares a second charge.")
        self.declared.add(unit)
        if u["moved"] == "advance" and not book.allowed("advance_and_charge"):
            self.accuse("w40k8.charge.eligible", f"{self.name(unit)} Advanced and charges.")
        if u["moved"] == "fall_back" and not book.allowed("fall_back_and_charge"):
            self.accuse("w40k8.charge.eligible", f"{self.name(unit)} Fell Back and charges.")
        if unit in self.held:
            self.accuse(
                "w40k8.charge.eligible", f'{self.name(unit)} began the phase within 1" of an enemy and charges.'
            )
        if not targets:
            self.accuse("w40k8.charge.targets", f"{self.name(unit)} charges nobody.")
        for t in targets:
            if self.table.side(t) == self.table.side(unit):
                self.accuse("w40k8.charge.targets", f"{self.name(unit)} charges a friend.")
            if self.reach.between(unit, t) > book.charge_range + book.slack:
                self.accuse("w40k8.charge.targets", f'{self.name(unit)} charges {self.name(t)}, more than 12" away.')

    def _overwatch(self, unit: int, charger: int) -> None:
        self.looked("Overwatch")
        if charger != self.charger or unit not in self.targets:
            self.accuse("w40k8.charge.overwatch", f"{self.name(unit)} fires Overwatch and is not charged.")
        if self.close(unit, -self.book.slack):
            self.accuse("w40k8.charge.overwatch_repeat", f'{self.name(unit)} fires Overwatch with an enemy within 1".')

    def _far(self, told: float | None) -> None:
        """The sum of two dice is how far the unit may go."""
        items, self.items = self.items or [], None
        script = Script8(items)
        self.looked("charge rolls")
        try:
            faces = script.roll("charge", 2, "w40k8.charge.roll")
        except Complaint as found:
            self.accuse(found.rule, found.sentence)
            return
        for rule, sentence in script.found[:1]:
            self.accuse(rule, sentence)
        changed = self.book.doubt("modify", roll="charge") or self.book.doubt("reroll", roll="charge")
        if told is not None and not changed and abs(told - sum(faces)) > 0.01:
            self.accuse("w40k8.charge.roll", f'{self.name(self.charger)} throws {faces} and may go {told:.0f}".')
