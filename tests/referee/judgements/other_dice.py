"""Dice beside attacks: Advance rolls, Desperate Escapes, Hazardous tests, Grenades and Tank Shocks."""

from __future__ import annotations

from typing import Any

from referee.dice import Complaint, Script
from referee.field import legs_of
from referee.judgements.ground import Ground
from referee.losses import Before, Losses
from referee.volleys import only_core, weapon_told
from referee.watch import Item

READ = ("hazardous", "desperate escape", "grenade", "tank shock", "advance")
AWAY = ("shoot_with", "move_with", "charge_with", "fight_with", "arrive_with", "test_with", "disembark_with")


class OtherDice(Ground):
    """Each such roll, and what comes of it."""

    def begin(self) -> None:
        super().begin()
        self.items: list[Item] | None = None
        self.start = Before.of(self.table)
        self.unit = -1
        """Whose dice were rolled last, for the words of a fault."""
        self.hazards = self.declared = 0
        self.shooter = self.mover = -1
        self.lent = False
        self.crossing: list[set[int]] = [set(), set()]
        """Models that are led across enemy models: those beyond doubt, and those that may be."""
        """Passengers lent weapons to the unit that shoots."""

    def before(self, item: Item) -> None:
        self._follow(item)
        ends = (
            (item["event"] == "asked" and item["kind"] in AWAY)
            or (item["event"] == "changed" and item["what"] == "clock")
            or (item["event"] == "told" and item["kind"] in ("moved", "shoots", "charged", "fights"))
        )
        if self.items is not None and ends:
            self._read()
        if item["event"] == "rolled" and item["reason"] in READ and self.items is None:
            self.items, self.start = [], Before.of(self.table)
        if self.items is not None:
            self.items.append(item)

    def _follow(self, item: Item) -> None:
        """Whose dice these may be."""
        if item["event"] == "answered" and item["kind"] in ("shoot", "strike"):
            asked = self.court.asked(item)
            self.shooter = self.unit = asked["unit"]
            self.hazards, self.declared = 0, self._could_use(asked, item["answer"])
            self.lent = bool(self.table.units[asked["unit"]]["lent"])
        elif item["event"] == "answered" and item["kind"] == "move":
            self.mover = self.unit = self.court.asked(item)["unit"]
            self.crossing = [self._crossing(self.mover, item["answer"]["paths"], gap) for gap in (-0.05, 0.01)]
        elif item["event"] == "told" and item["kind"] == "attack":
            self._count(item)
        elif item["event"] == "told" and item["kind"] in ("charge_declared", "charged"):
            self.unit = item["units"][0]

    def _could_use(self, asked: Item, answer: list[dict[str, object]]) -> int:
        """How many Hazardous weapons were declared at the most: attacks at a target that falls first are lost."""
        rows = {row["id"]: row for row in asked["rows"]}
        unit = asked["unit"]
        total = 0
        for a in answer:
            label = str(rows[str(a["row"])]["label"])
            names = [w for m in self.table.units[unit]["models"] for w in self.book.weapons(m)]
            mine = [w for w in names if label.startswith(w["of"] or w["name"]) or a.get("mode") == w["name"]]
            if any("hazardous" in w["abilities"] for w in mine):
                total += int(str(a["count"]))
        return total

    def _count(self, item: Item) -> None:
        """Hazardous weapons that were used."""
        unit = item["units"][0]
        found = weapon_told(self.book, self.table, item["text"], unit)
        if found is not None:
            models = self.table.units[unit]["models"]
            profiles = [w for m in models for w in self.book.weapons(m) if w["name"] == found[1]]
            self.hazards += found[0] if any("hazardous" in w["abilities"] for w in profiles) else 0

    # --- Reading ------------------------------------------------------------------------------------------------------

    def _read(self) -> None:
        items, self.items = self.items or [], None
        if not self.book.bare and not only_core(items):
            return
        script = Script(items)
        losses = Losses(self.table, self.book, script, self.start)
        reason = script.peek()["reason"]
        self.looked(f"{reason} rolls")
        try:
            match reason:
                case "advance":
                    self._advance(script)
                case "grenade":
                    self._grenade(script, losses)
                case "tank shock":
                    self._shock(script, losses)
                case "desperate escape":
                    self._escape(script, losses)
                case "hazardous":
                    self._hazard(script, losses)
        except Complaint as found:
            script.blame(found.rule, found.sentence)
        for rule, sentence in script.found[:2]:
            self.accuse(rule, f"{self.name(self.unit)}, {reason}: {sentence}")

    def _advance(self, script: Script) -> None:
        faces = script.roll("advance", 1, "w40k10.move.advance")
        told = script.told("advance", "w40k10.move.advance")
        unit = told["units"][0]
        if self.table.units[unit]["advance"] != faces[0] and not self.book.doubt("modify", roll="advance"):
            told_inches = self.table.units[unit]["advance"]
            script.blame("w40k10.move.advance", f'It rolls {faces[0]} and may go {told_inches}" further.')

    def _grenade(self, script: Script, losses: Losses) -> None:
        faces = script.roll("grenade", 6, "w40k10.strat.grenade")
        script.needed({4}, "Grenade", "w40k10.strat.grenade")
        self._suffer(script, losses, sum(f >= 4 for f in faces), "w40k10.strat.grenade")

    def _shock(self, script: Script, losses: Losses) -> None:
        count = len(script.peek()["faces"])
        faces = script.roll("tank shock", count, "w40k10.strat.tank_shock")
        script.needed({5}, "Tank Shock", "w40k10.strat.tank_shock")
        told = script.told("tank_shock", "w40k10.strat.tank_shock")
        unit, enemy = told["units"]
        rams = {w["strength"] for m in self.table.on_table(unit) for w in self.book.weapons(m) if w["range"] == 0}
        front = losses.front(enemy)
        tough = {self.book.sheet(m)["toughness"] for m in front}
        if not any(count == s + (2 if s > t else 0) for s in rams for t in tough):
            script.blame("w40k10.strat.tank_shock", f"{count} dice are rolled for Strength {sorted(rams)}.")
        points = min(6, sum(f >= 5 for f in faces))
        if told["data"]["wounds"] != points:
            script.blame("w40k10.strat.tank_shock", f"{told['text']} The dice say {points}.")
        if points:
            losses.suffer(enemy, points)

    def _suffer(self, script: Script, losses: Losses, points: int, rule: str) -> None:
        told = next((i for i in script.items if i.get("kind") == "mortal-wounds" and rule in i["rules"]), None)
        if told is None:
            if points:
                script.blame(rule, f"{points} mortal wounds are due, and none are told.")
        elif not points:
            script.blame(rule, f"No mortal wounds are due: {told['text']}")
        else:
            losses.suffer(told["units"][-1], points)

    def _escape(self, script: Script, losses: Losses) -> None:
        rule = "w40k10.move.desperate_escape_test"
        unit = self.unit = self.mover
        here = losses.here(unit)
        count = len(script.peek()["faces"])
        if self.table.units[unit]["battle_shocked"] and count != len(here):
            script.blame("w40k10.command.battleshock_fall_back", f"{count} tests for {len(here)} models.")
        sure, maybe = (len(crossing.intersection(here)) for crossing in self.crossing)
        if not self.table.units[unit]["battle_shocked"] and not sure <= count <= maybe:
            script.blame("w40k10.move.desperate_escape_trigger", f"{count} tests for {sure} models that cross enemies.")
        faces = script.roll("desperate escape", count, rule)
        due = min(sum(f <= 2 for f in faces), len(here))
        chosen = script.answer("escape_losses")
        if not due:
            return
        script.told("desperate_escape", rule)
        for m in chosen if chosen is not None else here:
            losses.destroyed(int(m))
        if chosen is not None and len(chosen) != due:
            script.blame(rule, f"{len(chosen)} models go, and the dice say {due}.")

    def _crossing(self, unit: int, paths: list[dict[str, Any]], within: float) -> set[int]:
        """The models that are led across enemy models, and neither FLY nor are TITANIC."""
        field = self.field.fresh()
        enemies = [m for e in self.table.enemies(unit) if not self.book.aircraft(e) for m in self.table.on_table(e)]
        found = set()
        for path in paths:
            m = path["model"]
            way = legs_of(self.table.stand(m), path["legs"])
            if not self.book.is_a(m, "FLY", "TITANIC") and any(field.models_met(leg, enemies, within) for leg in way):
                found.add(m)
        return found

    def _hazard(self, script: Script, losses: Losses) -> None:
        rule = "w40k10.weapon.hazardous"
        unit = self.unit = self.shooter
        count = len(script.peek()["faces"])
        doubt = self.lent or self.book.doubt("weapon_ability", ability="hazardous")
        if not doubt and not self.hazards <= count <= max(self.hazards, self.declared):
            script.blame(rule, f"{count} tests for {self.hazards} Hazardous weapons.")
        faces = script.roll("hazardous", count, rule)
        script.needed({2}, "Hazardous test", rule)
        for _ in range(sum(f == 1 for f in faces)):
            armed = [m for m in losses.here(unit) if self._hazardous(m)]
            if not armed:
                return
            chosen = script.answer("hazard")
            model = int(chosen) if chosen is not None else armed[0]
            if model not in armed:
                script.blame(rule, f"{self.model(model)} has no Hazardous weapon.")
            if self.book.is_a(model, "CHARACTER", "MONSTER", "VEHICLE"):
                losses.suffer(unit, 3, model)
            else:
                script.told("backfire", rule)
                losses.destroyed(model)

    def _hazardous(self, model: int) -> bool:
        return self.lent or any("hazardous" in w["abilities"] for w in self.book.weapons(model))
