"""Shooting of 8th edition: who may shoot, with what, and at whom."""

from __future__ import annotations

from typing import Any

from referee.geometry import distance
from referee.judgements8.common import Judgement8
from referee.sheets import Weapon, weapon_of
from referee.sight import Sight
from referee.watch import Item


class Shooting8(Judgement8):
    """Declarations of ranged attacks, before the first die."""

    def begin(self) -> None:
        super().begin()
        self.shot: set[int] = set()

    def after(self, item: Item) -> None:
        if self.is_step(item, "shooting_phase"):
            self.shot = set()

    def before(self, item: Item) -> None:
        if item["event"] == "answered" and item["kind"] == "shoot" and item["answer"]:
            self.field = self.field.fresh()
            asked = self.court.asked(item)
            self.looked("shooting declarations")
            self._declared(asked["unit"], asked, item["answer"])

    def _declared(self, unit: int, asked: Item, answer: list[dict[str, Any]]) -> None:
        book, u = self.book, self.table.units[unit]
        overwatch = book.step() == "charge_units"
        if not overwatch:
            if u["player"] != self.table.clock["active"] or book.step() != "shoot_units":
                if book.bare:
                    self.accuse("w40k8.shoot.sequence", f"{self.name(unit)} shoots in the step {book.step()}.")
            elif unit in self.shot and book.bare:
                self.accuse("w40k8.shoot.sequence", f"{self.name(unit)} shoots twice in one phase.")
            self.shot.add(unit)
        close = self.close(unit, -book.slack)
        flies = all(book.is_a(m, "FLY") for m in self.table.on_table(unit))
        if u["moved"] == "fall_back" and not flies and not overwatch and not book.allowed("fall_back_and_shoot"):
            self.accuse("w40k8.move.fall_back_limits", f"{self.name(unit)} Fell Back and shoots.")
        for row in answer:
            profiles = self._profiles(unit, asked, row)
            if not profiles:
                continue
            target, count = int(row["target"]), int(row["count"])
            pistol = all(w["type"] == "pistol" for w in profiles)
            self._may(unit, profiles, target, close, pistol, overwatch)
            self._in_reach(unit, profiles, target, count, overwatch)

    def _may(
        self, unit: int, profiles: list[Weapon], target: int, close: list[int], pistol: bool, overwatch: bool
    ) -> None:
        book, weapon = self.book, profiles[0]["name"]
        u = self.table.units[unit]
        self.looked("weapons declared")
        run = u["moved"] == "advance" and not overwatch and not book.doubt("allow")
        if run and not any(w["type"] == "assault" for w in profiles):
            self.accuse("w40k8.move.advance_limits", f"{self.name(unit)} Advanced and fires its {weapon}.")
        if close and not pistol and not book.doubt("allow"):
            self.accuse("w40k8.shoot.eligible", f'{self.name(unit)} has an enemy within 1" and fires its {weapon}.')
        if self.table.side(target) == self.table.side(unit):
            self.accuse("w40k8.shoot.targets", f"{self.name(unit)} fires at a friend.")
        side = self.table.side(unit)
        friends = [e for e in self.close(target, -book.slack) if self.table.side(e) == side]
        # Who may have an enemy at hand, but for what is rounded, may fire Pistols.
        at_hand = pistol and self.close(unit, book.slack)
        if friends and not at_hand and not overwatch and not book.doubt("allow"):
            rule = "w40k8.shoot.friends_near_target"
            self.accuse(rule, f'{self.name(unit)} fires at {self.name(target)}, which has friends within 1".')

    # --- Range and sight ----------------------------------------------------------------------------------------------

    def _in_reach(self, unit: int, profiles: list[Weapon], target: int, count: int, overwatch: bool) -> None:
        book = self.book
        names = {w["name"] for w in profiles}
        far = max(w["range"] for w in profiles)
        if book.doubt("characteristic", name="Range") or book.doubt("characteristic", name="range"):
            return
        theirs = self.reach.stands(self.table.on_table(target))
        near: dict[int, list[int]] = {}
        for m in self.table.on_table(unit):
            carries = sum(w["name"] in names for w in book.weapons(m))
            here = self.table.stand(m)
            found = [i for i, s in enumerate(theirs) if distance(here, s) <= far + book.slack]
            if found and carries:
                near[m] = found
        most = sum(sum(w["name"] in names for w in book.weapons(m)) for m in near)
        self.looked("ranges")
        if most < count:
            text = f"{self.name(unit)} fires {count} {profiles[0]['name']} at {self.name(target)}; {most} reach it."
            self.accuse("w40k8.shoot.targets", text)
            return
        indirect = any(w["abilities"] for w in profiles) or book.doubt("weapon_ability")
        if indirect:
            return
        if len(near) <= count:
            self._seen(unit, target, profiles[0]["name"], near, theirs, count)
        if not overwatch:
            self._hero(unit, target, profiles[0]["name"], list(near), count)

    def _seen(
        self, unit: int, target: int, weapon: str, near: dict[int, list[int]], theirs: list[Any], count: int
    ) -> None:
        sight = Sight(self.field, self.book)
        self.looked("sights")
        for m, found in near.items():
            here = self.table.stand(m)
            if all(sight.hidden(here, theirs[i], towering=True) for i in found):
                self.accuse(
                    "w40k8.concept.visibility", f"{self.model(m)} fires {weapon} at {self.name(target)} unseen."
                )
                return

    def _hero(self, unit: int, target: int, weapon: str, near: list[int], count: int) -> None:
        """A Character is a target only of models to which it is the nearest visible enemy unit."""
        models = self.table.on_table(target)
        heroes = bool(models) and all(self.book.is_a(m, "CHARACTER") for m in models)
        if not heroes or self.book.sheet(models[0])["wounds"] >= self.book.hero_wounds or self.book.doubt("allow"):
            return
        self.looked("Characters as targets")
        barred = [m for m in near if self._nearer(unit, m, target)]
        if len(near) - len(barred) < count and len(near) <= count:
            text = f"{self.model(barred[0])} fires {weapon} at {self.name(target)}, and sees a nearer enemy."
            self.accuse("w40k8.shoot.character", text)

    def _nearer(self, unit: int, model: int, hero: int) -> bool:
        here = self.table.stand(model)
        far = self.nearest(here, self.table.on_table(hero))
        for e in self.table.enemies(unit):
            if e == hero:
                continue
            for m in self.table.on_table(e):
                there = self.table.stand(m)
                if distance(here, there) < far - 0.05 and self.plainly_seen(here, there, unit):
                    return True
        return False

    def _profiles(self, unit: int, asked: Item, assigned: dict[str, Any]) -> list[Weapon]:
        """The profiles that a row of the declaration may mean."""
        row = next(r for r in asked["rows"] if r["id"] == assigned["row"])
        weapons = [w for m in self.table.on_table(unit) for w in self.book.weapons(m) if w["range"] > 0]
        wanted = assigned["mode"] or weapon_of(str(row["label"]), weapons)
        return [w for w in weapons if wanted in (w["name"], w["of"])]
