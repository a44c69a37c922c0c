"""Psychic tests, Perils and denials, Smite; and the Morale phase of 8th edition."""

from __future__ import annotations

from referee.judgements8.common import Judgement8, Script8
from referee.sheets import value_of
from referee.watch import GONE, ON, Item


class Psychic8(Judgement8):
    """From the test of a power to what it does."""

    def begin(self) -> None:
        super().begin()
        self.items: list[Item] | None = None
        self.psyker, self.power, self.result = -1, "", 0
        self.tried: set[tuple[int, str]] = set()
        self.denied = False

    def after(self, item: Item) -> None:
        if self.is_step(item, "psychic_phase"):
            self.tried = set()

    def before(self, item: Item) -> None:
        if item["event"] == "answered" and item["kind"] == "manifest" and item["answer"] is not None:
            self._tries(item["answer"])
        if self.items is None:
            return
        self.items.append(item)
        if item["event"] == "told":
            match item["kind"]:
                case "perils" | "manifested" | "not_manifested":
                    self._tested(item)
                case "denied" | "not_denied":
                    self._denied(item)
                case "power":
                    self._target(*item["units"][:2])
                case "mortal-wounds":
                    self._suffers(item)

    def _tries(self, answer: object) -> None:
        model, _, self.power = str(answer).partition("|")
        self.psyker, self.items, self.denied = int(model), [], False
        self.looked("powers tried")
        key = (self.psyker, self.power)
        if key in self.tried:
            self.accuse("w40k8.psychic.once_per_turn", f"{self.model(self.psyker)} tries {self.power} a second time.")
        self.tried.add(key)
        casts = (self.book.sheet(self.psyker)["psyker"] or {"casts": 1})["casts"]
        if sum(m == self.psyker for m, _ in self.tried) > casts and self.book.bare:
            self.accuse("w40k8.psychic.psyker", f"{self.model(self.psyker)} tries more than {casts} powers.")
        if not self.book.is_a(self.psyker, "PSYKER") or self.table.place[self.psyker] != ON:
            self.accuse("w40k8.psychic.psyker", f"{self.model(self.psyker)} manifests a power.")

    def _faces(self, reason: str) -> list[int] | None:
        """The faces of a roll that stand in the end."""
        script = Script8([i for i in self.items or [] if i["event"] != "told"])
        while not script.is_next("rolled", reason=reason):
            if script.take()["event"] == "end":
                return None
        faces = list(script.take()["faces"])
        while script.peek()["event"] != "end":
            item = script.take()
            if item["event"] == "rolled" and item["reason"] == reason:
                faces = list(item.get("standing") or item["faces"])
        return faces

    def _tested(self, item: Item) -> None:
        faces = self._faces("psychic test")
        if faces is None or len(faces) != 2:
            self.accuse("w40k8.psychic.test", f"{item['text']} {faces} were thrown.")
            return
        perilous = faces in ([1, 1], [6, 6])
        self.looked("psychic tests")
        if item["kind"] == "perils":
            if not perilous:
                self.accuse("w40k8.psychic.perils", f"{item['text']} The dice show {faces}.")
            return
        told = any(i["event"] == "told" and i["kind"] == "perils" for i in self.items or [])
        if perilous and not told:
            self.accuse("w40k8.psychic.perils", f"{item['text']} The dice show {faces}, and nothing happens.")
        self.result = sum(faces)
        if self.power == "smite" and self.book.bare:
            made = self.result >= self.book.smite_charge
            if made != (item["kind"] == "manifested"):
                self.accuse("w40k8.psychic.test", f"{item['text']} The test came to {self.result}.")

    def _denied(self, item: Item) -> None:
        faces = self._faces("deny the witch")
        self.looked("denials")
        if self.denied:
            self.accuse("w40k8.psychic.deny_once", f"{item['text']} It was the second attempt.")
        self.denied = True
        if faces is not None and self.book.bare and (sum(faces) > self.result) != (item["kind"] == "denied"):
            self.accuse("w40k8.psychic.deny", f"{item['text']} {faces} against {self.result}.")
        here = self.table.stand(self.psyker)
        if self.nearest(here, self.table.on_table(item["units"][0])) > self.book.deny_range + self.book.slack:
            self.accuse("w40k8.psychic.deny", f'{item["text"]} It is more than 24" away.')

    def _target(self, unit: int, target: int) -> None:
        if self.power != "smite":
            return
        here = self.table.stand(self.psyker)
        far = self.nearest(here, self.table.on_table(target))
        self.looked("targets of Smite")
        if far > self.book.smite_range + self.book.slack and not self.book.doubt("modify"):
            self.accuse("w40k8.psychic.smite", f'{self.name(target)} suffers Smite, {far:.1f}" away.')
        for e in self.table.enemies(unit):
            near = [m for m in self.table.on_table(e) if e != target]
            for m in near:
                there = self.table.stand(m)
                if self.nearest(here, [m]) < far - 0.05 and self.plainly_seen(here, there, unit):
                    text = f"{self.name(target)} suffers Smite, and {self.name(e)} is nearer in plain sight."
                    self.accuse("w40k8.psychic.smite", text)
                    return

    def _suffers(self, item: Item) -> None:
        """What is suffered is what the dice said."""
        if "w40k8.psychic.smite" in item["rules"]:
            faces, sides = self._faces("smite"), 6 if self.result > self.book.smite_strong else 3
        elif "w40k8.psychic.perils" in item["rules"]:
            faces, sides = self._faces("perils"), 3
        else:
            return
        self.looked("mortal wounds of powers")
        if faces and self.book.bare and self.power == "smite":
            due = value_of((sides,) * len(faces), 0, faces)
            if item["data"]["points"] != due:
                self.accuse("w40k8.psychic.smite", f"{item['text']} The dice say {due}.")


class Morale8(Judgement8):
    """Units that lost models test once, and so many flee as they failed by."""

    def begin(self) -> None:
        super().begin()
        self.slain: dict[int, int] = {}
        self.tested: set[int] = set()
        self.face = self.least = 0
        self.due = -1
        """So many of the unit that failed have to flee."""

    def before(self, item: Item) -> None:
        if item["event"] == "placed" and item["place"] == GONE and self.due < 0:
            for m in item["models"]:
                unit = self.table.unit_of[m]
                self.slain[unit] = self.slain.get(unit, 0) + (self.table.place[m] != GONE)
        elif item["event"] == "rolled" and item["reason"] == "morale":
            self.face = (item.get("standing") or item["faces"])[0]
        elif item["event"] == "told" and item["kind"] in ("morale_passed", "morale_failed"):
            self._tests(item)
        elif item["event"] == "told" and item["kind"] == "fled":
            self._flee(item)
        elif self.leaves(item, "test_units"):
            self._end_of_phase()

    def after(self, item: Item) -> None:
        if self.is_step(item, "begin_turn"):
            self.slain, self.tested = {}, set()

    def _tests(self, item: Item) -> None:
        unit, total = item["units"][0], item["data"]["total"]
        self.looked("Morale tests")
        lost = self.slain.get(unit, 0)
        if unit in self.tested:
            self.accuse("w40k8.morale.phase", f"{self.name(unit)} tests twice.")
        self.tested.add(unit)
        if not lost:
            self.accuse("w40k8.morale.phase", f"{self.name(unit)} tests and lost nobody.")
        if not self.book.bare:
            if item["kind"] == "morale_failed":
                self.due = 0
            return
        if total != self.face + lost:
            self.accuse("w40k8.morale.test", f"{item['text']} {self.face} and {lost} slain are told as {total}.")
        here = self.table.on_table(unit)
        most = max(int(self.book.characteristic(m, "leadership")) for m in here)
        trait = self.table.players[self.table.units[unit]["player"]].get("trait") == "inspiring leader"
        fails = [max(0, total - most), max(0, total - most - 1)] if trait else [max(0, total - most)]
        if all(bool(by) != (item["kind"] == "morale_failed") for by in fails):
            self.accuse("w40k8.morale.test", f"{item['text']} {total} against Leadership {most}.")
        if item["kind"] == "morale_failed":
            self.due = min(len(here), max(fails))
            self.least = min(len(here), max(1, min(fails)))

    def _flee(self, item: Item) -> None:
        count = len(item["data"]["models"])
        if self.book.bare and not self.least <= count <= self.due:
            self.accuse("w40k8.morale.flee", f"{item['text']} {self.due} should.")
        self.due = -1

    def _end_of_phase(self) -> None:
        for unit, lost in self.slain.items():
            if lost and unit not in self.tested and self.table.on_table(unit) and self.book.bare:
                self.accuse("w40k8.morale.phase", f"{self.name(unit)} lost {lost} models and does not test.")
