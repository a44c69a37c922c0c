"""Shooting of 11th edition: who may shoot, with what, at whom, and how many dice."""

from __future__ import annotations

from typing import Any

from referee.geometry import distance
from referee.judgements11.common import Judgement11
from referee.sheets import Weapon, ability, weapon_of
from referee.sight import Sight
from referee.volleys import weapon_told, wound_need
from referee.watch import ON, Item

BIG = ("MONSTER", "VEHICLE")


class Shooting11(Judgement11):
    """Declarations of ranged attacks, before the first die."""

    def begin(self) -> None:
        super().begin()
        self.shot: set[int] = set()
        self.snap = -1

    def before(self, item: Item) -> None:
        if item["event"] == "told" and item["kind"] == "phase":
            self.shot, self.snap = set(), -1
        elif item["event"] == "told" and item["kind"] == "stratagem" and item["data"]["name"] == "Fire Overwatch":
            self.snap = item["units"][0]
        elif item["event"] == "answered" and item["kind"] == "shoot" and item["answer"]:
            self.field = self.field.fresh()
            asked = self.court.asked(item)
            self.looked("shooting declarations")
            self._declared(asked["unit"], asked, item["answer"])

    def _declared(self, unit: int, asked: Item, answer: list[dict[str, Any]]) -> None:
        book, u = self.book, self.table.units[unit]
        snap = u["shooting"] == "snap"
        if snap:
            if unit != self.snap and book.bare:
                self.accuse("w40k11.shoot.snap", f"{self.name(unit)} shoots by snap shooting unasked.")
            if len({row["target"] for row in answer}) > 1:
                self.accuse("w40k11.shoot.snap", f"{self.name(unit)} shoots at several units by snap shooting.")
        elif book.bare and (u["player"] != self.table.clock["active"] or book.step() != "shooting"):
            self.accuse("w40k11.shoot.phase", f"{self.name(unit)} shoots in the step {book.step()}.")
        elif unit in self.shot and book.bare:
            self.accuse("w40k11.shoot.phase", f"{self.name(unit)} shoots twice in one phase.")
        self.shot.add(unit)
        if u["moved"] == "fall_back" and not snap and not book.allowed("fall_back_and_shoot"):
            self.accuse("w40k11.movephase.fall_back", f"{self.name(unit)} fell back and shoots.")
        held = self.reach.engaged_with(unit, -book.slack)
        for row in answer:
            profiles = self._profiles(unit, asked, row)
            if profiles:
                self._may(unit, profiles, int(row["target"]), held, snap)
                self._in_reach(unit, profiles, int(row["target"]), int(row["count"]), snap)

    def _may(self, unit: int, profiles: list[Weapon], target: int, held: list[int], snap: bool) -> None:
        book, weapon, u = self.book, profiles[0]["name"], self.table.units[unit]
        self.looked("weapons declared")
        if self.table.side(target) == self.table.side(unit):
            self.accuse("w40k11.attack.targets_shooting", f"{self.name(unit)} fires at a friend.")
        if not book.bare:
            return
        close = any(ability(w["abilities"], a) is not None for w in profiles for a in ("close-quarters", "pistol"))
        assault = any(ability(w["abilities"], "assault") is not None for w in profiles)
        big = book.unit_is(unit, *BIG)
        if u["moved"] == "advance" and not snap and not assault:
            self.accuse("w40k11.shoot.assault", f"{self.name(unit)} advanced and fires its {weapon}.")
        if held and not big and not close:
            self.accuse("w40k11.shoot.cq_other_models", f"{self.name(unit)} is engaged and fires its {weapon}.")
        if held and not big and target not in self.reach.engaged_with(unit, book.slack):
            self.accuse("w40k11.shoot.cq_other_models", f"{self.name(unit)} is engaged and fires past the enemy.")
        engaged = [e for e in self.engaged(target, -book.slack) if e != unit]
        mine = target in self.reach.engaged_with(unit, book.slack)
        if engaged and not mine and not book.unit_is(target, *BIG):
            text = f"{self.name(unit)} fires its {weapon} at {self.name(target)}, which is engaged."
            self.accuse("w40k11.attack.targets_shooting", text)
        blast = all(ability(w["abilities"], "blast") is not None for w in profiles)
        if blast and self.engaged(target, -book.slack):
            self.accuse("w40k11.weapon.blast", f"{self.name(unit)} fires its {weapon} into a melee.")

    # --- Range and sight ----------------------------------------------------------------------------------------------

    def _in_reach(self, unit: int, profiles: list[Weapon], target: int, count: int, snap: bool) -> None:
        book = self.book
        if not book.bare:
            return
        names = {w["name"] for w in profiles}
        far = max(w["range"] for w in profiles)
        theirs = self.reach.stands(self.table.on_table(target))
        near: dict[int, int] = {}
        for m in self.table.on_table(unit):
            carries = sum(w["name"] in names for w in book.weapons(m))
            here = self.table.stand(m)
            if carries and any(distance(here, s) <= far + book.slack for s in theirs):
                near[m] = carries
        if self.table.units[unit]["embarked"] < 0 and not self._lends(unit) and sum(near.values()) < count:
            text = f"{count} x {profiles[0]['name']} of {self.name(unit)} at {self.name(target)}; {len(near)} reach it."
            self.accuse("w40k11.attack.targets_shooting", text)
            return
        if snap and self.reach.between(unit, target) > book.snap_range + book.slack:
            self.accuse("w40k11.shoot.snap", f'{self.name(unit)} shoots {self.name(target)} from more than 24" away.')
        indirect = any(ability(w["abilities"], "indirect fire") is not None for w in profiles)
        if indirect or len(near) > count or self._lends(unit):
            return
        sight = Sight(self.field, book)
        self.looked("sights")
        for m in near:
            here = self.table.stand(m)
            if all(sight.hidden(here, s, towering=True) for s in theirs):
                text = f"{self.model(m)} fires {profiles[0]['name']} at {self.name(target)} unseen."
                self.accuse("w40k11.vis.unit_visible", text)
                return

    def _lends(self, unit: int) -> bool:
        """Whether passengers may shoot out of a unit."""
        return any(self.book.core(m, "firing deck") is not None for m in self.table.on_table(unit))

    def _profiles(self, unit: int, asked: Item, assigned: dict[str, Any]) -> list[Weapon]:
        """The profiles that a row of the declaration may mean."""
        row = next(r for r in asked["rows"] if r["id"] == assigned["row"])
        weapons = [w for m in self.table.on_table(unit) for w in self.book.weapons(m) if w["range"] > 0]
        wanted = assigned["mode"] or weapon_of(str(row["label"]), weapons)
        return [w for w in weapons if wanted in (w["name"], w["of"])]


PLAIN = ("assault", "close-quarters", "pistol", "indirect fire", "hazardous", "precision", "one shot", "ignores cover")
"""Abilities of weapons that change neither how many dice there are nor what wounds."""


class Attacks11(Judgement11):
    """Dice of every volley: as many as there are attacks and hits, needing what skill, Strength and Toughness say."""

    def begin(self) -> None:
        super().begin()
        self.items: list[Item] = []
        self.start = list(self.table.place)

    def before(self, item: Item) -> None:
        if item["event"] == "answered" and item["kind"] in ("shoot", "strike"):
            self.items, self.start = [], list(self.table.place)
            return
        self.items.append(item)
        if item["event"] == "told" and item["kind"] == "attack":
            self._volley(item)

    def after(self, item: Item) -> None:
        if item["event"] == "told" and item["kind"] in ("attack", "shoots", "fights"):
            self.items = []

    def _rolls(self, reason: str) -> list[Item]:
        return [i for i in self.items if i["event"] == "rolled" and i["reason"] == reason]

    def _volley(self, told: Item) -> None:
        unit, target = told["units"][:2]
        self.looked("volleys")
        data = told["data"]
        if not 0 <= data["unsaved"] <= data["wounds"] <= max(data["hits"], data["wounds"]):
            self.accuse("w40k11.seq.save", f"{told['text']} More is lost than was wounded.")
        if not self.book.bare:
            return
        found = weapon_told(self.book, self.table, told["text"], unit)
        if found is None:
            return
        arms = [w for m in self.table.units[unit]["models"] for w in self.book.weapons(m) if w["name"] == found[1]]
        words = {a for w in arms for a in w["abilities"]}
        if any(i["event"] == "rolled" and i.get("again") for i in self.items):
            return  # Which faces stood is read elsewhere.
        self._failures(told, target)
        if arms and all(any(a == p or a.startswith(f"{p} ") for p in PLAIN) for a in words):
            self._read(told, arms, target)

    def _read(self, told: Item, arms: list[Weapon], target: int) -> None:
        data, hits, wounds = told["data"], self._rolls("hit"), self._rolls("wound")
        if len(hits) > 1 or len(wounds) > 1:
            return
        self.looked("volleys read")
        if hits:
            (roll,) = hits
            need = roll["read"].get("needed", 0)
            skills = {int(w["skill"]) for w in arms if w["skill"]}
            low, high = min(skills, default=2) - 2, max(skills, default=6) + 2
            if len(roll["faces"]) != data["attacks"]:
                self.accuse("w40k11.seq.hit", f"{told['text']} {len(roll['faces'])} hit dice are rolled.")
            snap = any(r in roll["rules"] for r in ("w40k11.shoot.snap", "w40k11.shoot.indirect"))
            if need and not snap and not max(2, low) <= need <= min(6, high):
                self.accuse("w40k11.seq.hit", f"{told['text']} A hit needs {need}+.")
            count = sum(f >= need for f in roll["faces"])
            if need and count != data["hits"]:
                self.accuse("w40k11.seq.hit", f"{told['text']} By the dice {count} hit.")
        if wounds:
            (roll,) = wounds
            need = roll["read"].get("needed", 0)
            models = [m for m in self.table.units[target]["models"] if self.start[m] == ON]
            tough = {int(self.book.sheet(m)["toughness"]) for m in models}
            due = {wound_need(int(w["strength"]), t) for w in arms for t in tough}
            if len(roll["faces"]) != data["hits"]:
                self.accuse("w40k11.seq.wound", f"{told['text']} {len(roll['faces'])} wound dice are rolled.")
            if need and need not in due:
                self.accuse("w40k11.seq.wound_table", f"{told['text']} A wound needs {need}+, not {sorted(due)}.")
            count = sum(f >= need for f in roll["faces"])
            if need and count != data["wounds"]:
                self.accuse("w40k11.seq.wound", f"{told['text']} By the dice {count} wound.")
        self._saves(told, arms, target)

    def _saves(self, told: Item, arms: list[Weapon], target: int) -> None:
        """Saves need what armour and AP, or the invulnerable save, say."""
        models = [m for m in self.table.units[target]["models"] if self.start[m] == ON]
        due: set[int] = set()
        for m in models:
            sheet = self.book.sheet(m)
            for w in arms:
                armour = int(sheet["save"]) + abs(int(w["ap"] or 0))
                due.add(max(2, min(armour, int(sheet["invulnerable"]) or 9)))
        for roll in self._rolls("save"):
            need = roll["read"].get("needed", 0)
            if need and need not in due:
                self.accuse("w40k11.seq.save", f"{told['text']} A save needs {need}+, not {sorted(due)}.")

    def _failures(self, told: Item, target: int) -> None:
        """Each save that fails counts, whatever the weapon can do; other wounds have no dice."""
        failed = dice = 0
        for roll in self._rolls("save"):
            need = roll["read"].get("needed", 0)
            if not need:
                return  # The dice of groups that need different faces are sorted.
            dice += len(roll["faces"])
            failed += sum(f == 1 or f < need for f in roll["faces"])
        left = any(self.start[m] == ON and self.table.place[m] == ON for m in self.table.units[target]["models"])
        if left and dice and dice == told["data"]["wounds"] and failed != told["data"]["unsaved"]:
            self.accuse("w40k11.seq.save", f"{told['text']} By the dice {failed} saves fail.")
