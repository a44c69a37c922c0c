"""The Fight phase of 8th edition: chargers first, then in turn; who is near enough, and whom chargers may strike."""

from __future__ import annotations

from referee.judgements8.common import Judgement8
from referee.watch import Item


class Fights8(Judgement8):
    """Who fights when, and whom."""

    def begin(self) -> None:
        super().begin()
        self.charged: dict[int, list[int]] = {}
        self.fought: list[int] = []
        self.open = False

    def before(self, item: Item) -> None:
        if item["event"] == "told" and item["kind"] == "charged":
            self.charged[item["units"][0]] = list(item["units"][1:])
        elif item["event"] == "told" and item["kind"] == "charge_declared":
            self.charged.pop(item["units"][0], None)
        elif item["event"] == "told" and item["kind"] == "fights":
            self._fights(item["units"][0])
        elif item["event"] == "answered" and item["kind"] == "strike":
            self._strikes(item)
        elif self.leaves(item, "fight_units"):
            self._left_out()

    def after(self, item: Item) -> None:
        if self.is_step(item, "begin_turn"):
            self.charged, self.fought = {}, []

    def eligible(self, unit: int, slack: float) -> bool:
        """Whether a unit qualifies: it charged, or an enemy is within 1"."""
        if unit in self.fought or not self.table.on_table(unit):
            return False
        return unit in self.charged or bool(self.close(unit, slack))

    def _fights(self, unit: int) -> None:
        self.looked("fights")
        if self.book.step() != "fight_units" and self.book.bare:
            self.accuse("w40k8.fight.sequence", f"{self.name(unit)} fights in the step {self.book.step()}.")
        if unit in self.fought and self.book.bare:
            self.accuse("w40k8.fight.once", f"{self.name(unit)} fights twice.")
        if not self.eligible(unit, self.book.slack) and self.book.bare:
            self.accuse("w40k8.fight.eligible", f"{self.name(unit)} fights with no enemy at hand.")
        waiting = [u for u in self.charged if u not in self.fought and self.table.on_table(u)]
        if waiting and unit not in self.charged and self.book.bare:
            self.accuse("w40k8.fight.chargers_first", f"{self.name(unit)} fights before {self.name(waiting[0])}.")
        if not waiting and self.book.bare:
            self._in_turn(unit)
        self.fought.append(unit)

    def _in_turn(self, unit: int) -> None:
        """Players take turns, the active one first; who has nobody left is passed over."""
        others = [u for u in self.fought if u not in self.charged]
        active, mine = self.table.clock["active"], self.table.units[unit]["player"]
        last = self.table.units[others[-1]]["player"] if others else None
        due = active if last is None else (last + 1) % len(self.table.players)
        sure = [u["id"] for u in self.table.units if u["player"] == due and self.eligible(u["id"], -self.book.slack)]
        if mine != due and sure:
            self.accuse(
                "w40k8.fight.alternate", f"{self.name(unit)} fights, and it is the turn of {self.name(sure[0])}."
            )

    def _left_out(self) -> None:
        """The phase ends when nobody is left who has to fight."""
        for u in self.table.units:
            if self.book.bare and self.eligible(u["id"], -self.book.slack):
                self.accuse("w40k8.fight.eligible", f"{self.name(u['id'])} has an enemy at hand and never fought.")

    def _strikes(self, item: Item) -> None:
        asked = self.court.asked(item)
        unit = asked["unit"]
        for target in {int(a["target"]) for a in item["answer"]}:
            self.looked("strikes")
            if self.reach.between(unit, target) > self.book.one_inch + self.book.slack:
                self.accuse("w40k8.fight.reach", f'{self.name(unit)} strikes {self.name(target)}, more than 1" away.')
            if unit in self.charged and target not in self.charged[unit] and not self.book.doubt("allow"):
                rule = "w40k8.fight.charged_targets"
                self.accuse(rule, f"{self.name(unit)} strikes {self.name(target)}, whom it did not charge.")
