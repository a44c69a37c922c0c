"""Rounds, Command points, battle-shock, objectives, points and losses of 11th edition."""

from __future__ import annotations

from referee.geometry import Shape, area_gap, inside, shape_of
from referee.judgements.command import CommandPoints
from referee.judgements.losses_told import NobodyReturns, Stragglers
from referee.judgements.objectives import Control, VictoryPoints
from referee.judgements.turns import Turns
from referee.judgements11.cards import is_plain
from referee.judgements11.common import Judgement11, Rows11
from referee.watch import Item


class Turns11(Rows11, Turns):
    """Rounds, turns and phases follow each other."""


class CommandPoints11(Rows11, CommandPoints):
    """Both players gain a point in each Command phase; stratagems cost what they cost."""

    rule = "w40k11.command.gain_cp"
    step = "command points"


class NobodyReturns11(Rows11, NobodyReturns):
    """Without abilities nobody comes back; only what a loss sets off waits for the last attack."""

    def before(self, item: Item) -> None:
        if item["event"] != "placed" or any(self.table.wounds[m] > 0 for m in item["models"]):
            super().before(item)


class Stragglers11(Rows11, Stragglers):
    """At the end of a turn every unit is in coherency, and no more models went than had to."""


class Control11(Rows11, Control):
    """At the end of each phase the greater total of OC decides; nothing is secured in a bare battle."""

    def _settled(self) -> None:
        if self.book.bare:
            super()._settled()

    def _controller(self, x: float, y: float, z: float) -> int | None:
        """An objective in a terrain area is that area: who is within it counts."""
        features = self.table.terrain.features
        touched = [f for f in features if area_gap(Shape(((x, y),)), f.outline) < 0.02]
        if not touched:
            return super()._controller(x, y, z)
        names = {f.name.partition("/")[0] for f in touched}
        if len(names) > 1 or not any(inside(x, y, f.outline) for f in touched):
            return None
        parts = [f.outline for f in features if f.name.partition("/")[0] in names]
        levels = [0] * len(self.table.players)
        for m in self.table.all_models():
            depth = min(area_gap(shape_of(self.table.stand(m)), part) for part in parts)
            if abs(depth) <= self.book.slack:
                return None
            if depth < 0 and not self.table.units[self.table.unit_of[m]]["battle_shocked"]:
                levels[self.table.owner(m)] += self.book.sheet(m)["oc"] or 0
        best = max(levels)
        return levels.index(best) if levels.count(best) == 1 else -1


class VictoryPoints11(Rows11, VictoryPoints):
    """What a mission scores in the Command phase and at the end of a turn; of cards, who has won by them alone."""

    def _on_time(self, item: Item) -> None:
        if self.book.step() not in ("command is scored", "turn is scored", "turn ends", "round ends"):
            super()._on_time(item)

    def before(self, item: Item) -> None:
        if self.book.data["mission"] is None or not is_plain(self.book.mission):
            return
        super().before(item)


class Shock11(Judgement11):
    """Who makes battle-shock rolls, what they need, and who is battle-shocked."""

    def begin(self) -> None:
        super().begin()
        self.faces: list[int] = []
        self.needed = 0
        self.due: set[int] = set()
        self.may: set[int] = set()
        self.rolled: set[int] = set()
        self.spared: set[int] = set()

    def before(self, item: Item) -> None:
        if item["event"] == "rolled" and item["reason"] == "battle-shock":
            self.faces = list(item.get("standing") or item["faces"])
            self.needed = item.get("read", {}).get("needed", 0)
        elif item["event"] == "told" and item["kind"] == "stratagem" and item["data"]["name"] == "Insane Bravery":
            self.spared.update(item["units"])
        elif item["event"] == "told" and item["kind"] == "test" and "battle-shock" in item["text"]:
            self._roll(item)
        elif self.leaves(item, "battle-shock"):
            for unit in sorted(self.due - self.rolled - self.spared):
                if self.table.on_table(unit) and self.book.bare:
                    self.accuse("w40k11.command.battleshock", f"{self.name(unit)} makes no battle-shock roll.")

    def after(self, item: Item) -> None:
        if self.is_step(item, "battle-shock"):
            mine = [u["id"] for u in self.table.units if u["player"] == self.table.clock["active"]]
            self.due = {u for u in mine if self.table.on_table(u) and self.shaken(u)}
            self.rolled, self.spared = set(), set()

    def shaken(self, unit: int) -> bool:
        """Whether a unit is battle-shocked, or at half-strength or below it."""
        u, here = self.table.units[unit], self.table.on_table(unit)
        if u["battle_shocked"]:
            return True
        # What a fallen leader or bodyguard counts for is read by `strength.attached_example` alone.
        if u["leader"]:
            return False
        if u["strength"] == 1:
            return 2 * self.table.wounds[here[0]] <= int(self.book.sheet(here[0])["wounds"])
        return 2 * len(here) <= int(u["strength"])

    def _roll(self, item: Item) -> None:
        unit = item["units"][0]
        self.looked("battle-shock rolls")
        if self.book.step() == "battle-shock":
            if unit not in self.due and not self.table.units[unit]["leader"]:
                self.accuse("w40k11.command.battleshock", f"{self.name(unit)} rolls and need not.")
            if unit in self.rolled:
                self.accuse("w40k11.command.battleshock", f"{self.name(unit)} rolls a second time.")
            self.rolled.add(unit)
        if not self.book.bare or not self.table.on_table(unit):
            return
        best = min(self.book.sheet(m)["leadership"] for m in self.table.on_table(unit))
        if self.needed not in (0, best):
            self.accuse("w40k11.concept.leadership_roll", f"{self.name(unit)} is told to need {self.needed}+.")
        if len(self.faces) != 2 or item["data"]["passed"] != (sum(self.faces) >= best):
            text = f"{self.name(unit)} rolls {self.faces} against {best}+: {item['text']}"
            self.accuse("w40k11.concept.battleshock_roll", text)


class Stratagems11(Judgement11):
    """What core stratagems cost, how often they are used, when, and on whom."""

    def begin(self) -> None:
        super().begin()
        self.phase: set[tuple[int, str]] = set()
        self.units: set[tuple[int, int]] = set()
        self.cp = [p["cp"] for p in self.table.players]

    def before(self, item: Item) -> None:
        if item["event"] == "told" and item["kind"] == "phase":
            self.phase, self.units = set(), set()
        elif item["event"] == "told" and item["kind"] == "stratagem":
            self._used(item)

    def after(self, item: Item) -> None:
        if not (item["event"] == "changed" and item["what"] == "player"):
            self.cp = [p["cp"] for p in self.table.players]

    def _used(self, item: Item) -> None:
        name = item["data"]["name"]
        player = next(p["id"] for p in self.table.players if item["text"].startswith(f"{p['name']} uses"))
        if name not in self.book.cards:
            if self.book.bare:
                self.accuse("w40k11.strat.core_list", f"There is no stratagem {name}.")
            return
        self.looked("stratagems")
        cost, phases, turn = self.book.cards[name]
        paid = self.cp[player] - self.table.players[player]["cp"]
        if (paid != cost and not self.book.doubt("cost")) or self.table.players[player]["cp"] < 0:
            self.accuse("w40k11.strat.use", f"{item['text']} It costs {cost}CP, and {paid} were paid.")
        if self.book.phase_of(self.book.step()) not in phases:
            self.accuse("w40k11.strat.use", f"{item['text']} The step is {self.book.step()}.")
        own = player == self.table.clock["active"]
        if turn != "either" and own != (turn == "own"):
            self.accuse("w40k11.strat.use", f"{item['text']} It is used in the wrong player's turn.")
        again = self.book.allowed("shared_stratagem", player)
        if (player, name.partition(":")[0]) in self.phase and not again:
            self.accuse("w40k11.strat.once_per_phase", f"{item['text']} It was used in this phase already.")
        self.phase.add((player, name.partition(":")[0]))
        for unit in item["units"][:1]:
            if self.table.units[unit]["player"] != player:
                self.accuse("w40k11.strat.use", f"{item['text']} That unit is not theirs.")
            if self.table.units[unit]["battle_shocked"]:
                self.accuse("w40k11.concept.battleshocked", f"{item['text']} The unit is battle-shocked.")
            if (player, unit) in self.units and self.book.bare:
                self.accuse("w40k11.strat.one_per_unit", f"{item['text']} It was the target of one in this phase.")
            self.units.add((player, unit))
