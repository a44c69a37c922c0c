"""Charges and fights of 11th edition: who declares, how far the dice carry, who fights when, and whom."""

from __future__ import annotations

from referee.dice import Complaint, Script
from referee.judgements11.common import Judgement11
from referee.watch import Item


class Script11(Script):
    """Events with the re-rolls of 11th edition."""

    ledger = "w40k11"
    command = "Command Re-Roll/"


class Charges11(Judgement11):
    """Every charge that is declared, and what comes of it."""

    def begin(self) -> None:
        super().begin()
        self.declared: set[int] = set()
        self.charger = -1
        self.most = 99.0
        self.items: list[Item] | None = None
        self.heroic = ""

    def before(self, item: Item) -> None:
        if item["event"] == "told" and item["kind"] == "phase":
            self.declared, self.heroic = set(), ""
        elif item["event"] == "told" and item["kind"] == "stratagem":
            self.heroic = item["data"]["name"]
        elif item["event"] == "told" and item["kind"] == "charge_declared":
            self._declared(item["units"][0])
        elif item["event"] == "rolled" and item["reason"] == "charge" and self.items is None:
            self.items = []
        if self.items is not None:
            self.items.append(item)
            if item["event"] == "answered" and item["kind"] == "charge_move":
                self._far(self.court.asked(item)["about"]["far"] / 1024)
                self._targets(self.court.asked(item))
            elif item["event"] == "told" and item["kind"] == "charge_failed":
                self._far(item["data"].get("far"))

    def _declared(self, unit: int) -> None:
        book, u = self.book, self.table.units[unit]
        self.charger, self.items = unit, None
        intervenes = self.heroic.startswith("Heroic")
        self.looked("charges declared")
        if not intervenes and (book.step() != "charge" or u["player"] != self.table.clock["active"]) and book.bare:
            self.accuse("w40k11.charge.phase", f"{self.name(unit)} charges in the step {book.step()}.")
        if unit in self.declared:
            self.accuse("w40k11.charge.phase", f"{self.name(unit)} declares a second charge.")
        self.declared.add(unit)
        if not intervenes:
            if u["moved"] == "advance" and not book.allowed("advance_and_charge"):
                self.accuse("w40k11.charge.eligible", f"{self.name(unit)} advanced and charges.")
            if u["moved"] == "fall_back" and not book.allowed("fall_back_and_charge"):
                self.accuse("w40k11.charge.eligible", f"{self.name(unit)} fell back and charges.")
        if self.reach.engaged_with(unit, -book.slack):
            self.accuse("w40k11.charge.eligible", f"{self.name(unit)} is engaged and charges.")
        near = min((self.reach.between(unit, e) for e in self.table.enemies(unit)), default=99.0)
        if near > book.charge_range + book.slack:
            self.accuse("w40k11.charge.eligible", f'{self.name(unit)} charges with nobody within 12".')
        if book.unit_is(unit, "AIRCRAFT"):
            self.accuse("w40k11.aircraft.charge", f"{self.name(unit)} are AIRCRAFT and charge.")

    def _far(self, told: float | None) -> None:
        """The sum of two dice is how far the unit may go."""
        items, self.items = self.items or [], None
        script = Script11(items)
        self.looked("charge rolls")
        try:
            faces = script.roll("charge", 2, "w40k11.charge.sequence", size=2)
        except Complaint as found:
            self.accuse(found.rule, found.sentence)
            return
        for rule, sentence in script.found[:1]:
            self.accuse(rule, sentence)
        self.most = float(sum(faces))
        changed = self.book.doubt("modify", roll="charge") or self.book.doubt("reroll", roll="charge")
        if self.heroic.endswith("Fray"):
            self.most = min(self.most, 6.0)
        if changed:
            self.most = 99.0
        elif told is not None and told > self.most + 0.01:
            text = f'{self.name(self.charger)} rolls {faces} and may go {told:.0f}".'
            self.accuse("w40k11.charge.sequence", text)

    def _targets(self, asked: Item) -> None:
        unit = asked["unit"]
        for t in asked["about"]["targets"]:
            self.looked("charge targets")
            far = self.reach.between(unit, int(t))
            if far > min(self.most, self.book.charge_range) + self.book.slack:
                text = f'{self.name(unit)} charges {self.name(int(t))}, {far:.2f}" away, with {self.most:.0f}".'
                self.accuse("w40k11.charge.targets", text)


class Fights11(Judgement11):
    """Who fights when, and whom."""

    def begin(self) -> None:
        super().begin()
        self.charged: set[int] = set()
        self.fought: list[int] = []
        self.before_: set[int] = set()
        self.first_only: set[int] = set()

    def before(self, item: Item) -> None:
        if item["event"] == "told" and item["kind"] == "charged":
            self.charged.add(item["units"][0])
        elif item["event"] == "told" and item["kind"] == "fights":
            self._fights(item["units"][0])
        elif item["event"] == "told" and item["kind"] == "stratagem":
            if item["data"]["name"] == "Counteroffensive":
                self.first_only.update(item["units"])
        elif item["event"] == "answered" and item["kind"] == "strike":
            self._strikes(item)
        elif self.leaves(item, "fights") and self.book.bare:
            for u in self.table.units:
                if u["id"] not in self.fought and self.engaged(u["id"], -self.book.slack):
                    self.accuse("w40k11.fight.eligible", f"{self.name(u['id'])} is engaged and never fought.")

    def after(self, item: Item) -> None:
        if self.is_step(item, "turn begins"):
            self.charged = set()
        elif self.is_step(item, "fight begins"):
            self.fought, self.first_only = [], set()
        elif self.is_step(item, "fights begin"):
            here = [u["id"] for u in self.table.units if self.table.on_table(u["id"])]
            self.before_ = {u for u in here if self.reach.engaged_with(u, self.book.slack)}

    def eligible(self, unit: int, slack: float) -> bool:
        if unit in self.fought or not self.table.on_table(unit):
            return False
        return unit in self.charged or unit in self.before_ or bool(self.reach.engaged_with(unit, slack))

    def first(self, unit: int) -> bool:
        """Whether a unit has Fights First beyond doubt."""
        return unit in self.charged or unit in self.first_only or self.book.all_have(unit, "fights first")

    def _fights(self, unit: int) -> None:
        self.looked("fights")
        if not self.book.bare:
            self.fought.append(unit)
            return
        if self.book.step() not in ("fights", "consolidate"):
            self.accuse("w40k11.fight.phase", f"{self.name(unit)} fights in the step {self.book.step()}.")
        if unit in self.fought:
            self.accuse("w40k11.fight.eligible", f"{self.name(unit)} fights twice.")
        elif not self.eligible(unit, self.book.slack):
            self.accuse("w40k11.fight.eligible", f"{self.name(unit)} fights and is not eligible.")
        if self.book.step() == "fights" and not self.first(unit):
            waiting = [
                u["id"] for u in self.table.units if self.first(u["id"]) and self.eligible(u["id"], -self.book.slack)
            ]
            # Who is far from everybody may be passed over.
            waiting = [u for u in waiting if self.engaged(u, -self.book.slack)]
            if waiting:
                self.accuse("w40k11.fight.first_combats", f"{self.name(unit)} fights before {self.name(waiting[0])}.")
        self.fought.append(unit)

    def _strikes(self, item: Item) -> None:
        asked = self.court.asked(item)
        unit = asked["unit"]
        for target in sorted({int(a["target"]) for a in item["answer"]}):
            self.looked("strikes")
            if not self.reach.engages(unit, target, self.book.slack):
                self.accuse("w40k11.attack.targets_fighting", f"{self.name(unit)} strikes {self.name(target)} afar.")
