"""Losses: destroyed units are told, models out of coherency are removed, and what is gone stays gone."""

from __future__ import annotations

from referee.judgements.ground import Ground
from referee.watch import GONE, ON, Item


class Destroyed(Ground):
    """A unit, or one part of an Attached unit, is told to be destroyed when its last model is; no more and no less."""

    def begin(self) -> None:
        super().begin()
        self.fallen: dict[int, str] = {}
        """Entries of the rosters whose end has not been told yet, by their datasheets."""
        self.ended: set[int] = set()
        """Entries whose end was told; who stands once more to shoot or fight ends only once."""

    def after(self, item: Item) -> None:
        if item["event"] == "placed" and item["place"] == GONE and self.table.result is None:
            for entry in sorted({self.book.part_of(m) for m in item["models"]}):
                if self.book.fallen(entry) and entry not in self.ended:
                    self.fallen[entry] = self.book.data["roster"][entry]["datasheet"]
        elif item["event"] == "placed":
            self.ended -= {self.book.part_of(m) for m in item["models"] if self.table.wounds[m] > 0}
        elif item["event"] == "told" and item["kind"] == "unit_destroyed":
            self._told(item)
        elif item["event"] == "told" and item["kind"] in ("unarrived", "no_room", "left_behind"):
            for entry in list(self.fallen):
                if self.table.unit_of[self.book.entry_models(entry)[0]] == item["units"][0]:
                    del self.fallen[entry]
        elif item["event"] in ("asked", "ended") or (item["event"] == "changed" and item["what"] == "clock"):
            self._silence()

    def _told(self, item: Item) -> None:
        self.looked("units destroyed")
        unit, part = item["units"][0], item["data"]["part"]
        leader = set(self.table.units[unit]["leader"])
        for entry in list(self.fallen):
            models = self.book.entry_models(entry)
            leads = models[0] in leader
            if self.table.unit_of[models[0]] == unit and (part == "unit" or leads == (part == "leader")):
                del self.fallen[entry]
                self.ended.add(entry)
                break
        left = [m for m in self.table.units[unit]["models"] if self.table.place[m] == ON]
        alive = left if part == "unit" else [m for m in left if (m in leader) == (part == "leader")]
        several = part == "leader" and len({self.book.part_of(m) for m in leader}) > 1
        if alive and not several:
            self.accuse("w40k10.unit.destroyed", f"{item['text']} {len(alive)} models of it stand.")

    def _silence(self) -> None:
        for entry, name in self.fallen.items():
            unit = self.table.unit_of[self.book.entry_models(entry)[0]]
            self.accuse(
                "w40k10.unit.attached_destroyed_triggers",
                f"The last model of {name} in {self.name(unit)} is gone, and nobody is told.",
            )
        self.fallen = {}


class Stragglers(Ground):
    """At the end of a turn every unit is in coherency, and no more models went than had to."""

    def before(self, item: Item) -> None:
        if item["event"] == "answered" and item["kind"] == "stragglers":
            self._removed(self.court.asked(item)["unit"], [int(m) for m in item["answer"]])
        elif item["event"] == "changed" and item["what"] == "clock" and self.book.step() == "stragglers":
            for u in self.table.units:
                if not self.reach.unit_coherent(u["id"], self.book.slack):
                    rule = "w40k10.concept.coherency_end_of_turn"
                    self.accuse(rule, f"{self.name(u['id'])} is out of coherency when a turn ends.")
            self.looked("ends of turns")

    def _removed(self, unit: int, models: list[int]) -> None:
        self.looked("stragglers")
        left = self.table.on_table(unit)
        for i, m in enumerate(models):
            if self.reach.coherent(self.reach.stands(left), -self.book.slack):
                rule = "w40k10.concept.coherency_end_of_turn"
                self.accuse(rule, f"{self.name(unit)} loses {len(models)} stragglers, and {i} would have done.")
                return
            left = [x for x in left if x != m]


class Story(Ground):
    """The events are complete: put together they are what the players see in the end."""

    def end(self) -> None:
        for player, seen in self.court.record["end"].items():
            table = self.table
            mine = {
                "pos": [list(p) for p in table.pos],
                "facing": table.facing,
                "wounds": table.wounds,
                "place": table.place,
                "unit": table.unit_of,
            }
            for name, values in mine.items():
                wrong = [i for i, (a, b) in enumerate(zip(values, seen[name], strict=True)) if a != b]
                if wrong:
                    self.accuse("-", f"Player {player} sees another {name} of models {wrong[:5]} than the events tell.")
            for p, view in zip(table.players, seen["players"], strict=True):
                if (p["cp"], p["vp"]) != (view["cp"], view["vp"]):
                    self.accuse("-", f"Player {player} sees {p['name']} with other points than the events tell.")


class NobodyReturns(Ground):
    """In a battle without abilities nobody comes back, and nobody regains wounds."""

    def before(self, item: Item) -> None:
        if not self.book.bare:
            return
        if item["event"] == "placed" and item["place"] != GONE:
            back = [m for m in item["models"] if self.table.place[m] == GONE]
            if back:
                self.accuse("w40k10.unit.destroyed", f"{self.model(back[0])} was destroyed and comes back.")
        elif item["event"] == "wounded" and item["wounds"] > self.table.wounds[item["model"]]:
            self.accuse("w40k10.attack.damage", f"{self.model(item['model'])} regains wounds.")
