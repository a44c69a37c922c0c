"""Shooting: who may shoot, with what, and at whom."""

from __future__ import annotations

from itertools import product
from typing import Any

from referee.geometry import distance
from referee.judgements.ground import Ground
from referee.sheets import Weapon, weapon_of
from referee.sight import Sight
from referee.watch import Item


class Shooting(Ground):
    """Declarations of ranged attacks, before the first die."""

    def begin(self) -> None:
        super().begin()
        self.shot: set[int] = set()
        self.empty: set[tuple[int, str]] = set()

    def after(self, item: Item) -> None:
        if item["event"] == "changed" and item["what"] == "clock" and self.book.step() == "shooting begins":
            self.shot = set()

    def before(self, item: Item) -> None:
        if item["event"] == "answered" and item["kind"] == "shoot":
            asked = self.court.asked(item)
            if item["answer"] and not self.table.units[asked["unit"]]["last_stand"]:
                self.field = self.field.fresh()
                self.looked("shooting declarations")
                self._declared(asked["unit"], asked, item["answer"])

    # --- Who may shoot ------------------------------------------------------------------------------------------------

    def _declared(self, unit: int, asked: Item, answer: list[dict[str, Any]]) -> None:
        overwatch = bool(asked["about"].get("overwatch"))
        shots = [(self._profiles(unit, asked, a), int(a["target"]), int(a["count"])) for a in answer]
        self._turn(unit, overwatch, [t for _, t, _ in shots])
        self._hurried(unit, shots)
        engaged = self.reach.engaged_with(unit, -self.book.slack)
        if engaged and self.book.options["aircraft-lock"] == "free":
            engaged = [e for e in engaged if not self.book.aircraft(e)]
        self._hands(unit, shots)
        for profiles, target, count in shots:
            if not profiles:
                continue
            self._locked(unit, profiles, target, engaged)
            self._in_reach(unit, profiles, target, count)

    def _turn(self, unit: int, overwatch: bool, targets: list[int]) -> None:
        step, player = self.book.step(), self.table.units[unit]["player"]
        if overwatch:
            for t in set(targets):
                if self.reach.between(unit, t) > self.book.overwatch_range + self.book.slack:
                    self.accuse("w40k10.strat.fire_overwatch", f'{self.name(unit)} fires Overwatch beyond 24".')
            return
        if step != "shooting" or player != self.table.clock["active"]:
            if self.book.bare:
                self.accuse("w40k10.shoot.sequence", f"{self.name(unit)} shoots in the step {step}.")
            return
        if unit in self.shot:
            self.accuse("w40k10.shoot.sequence", f"{self.name(unit)} shoots twice in one phase.")
        self.shot.add(unit)

    def _hurried(self, unit: int, shots: list[tuple[list[Weapon], int, int]]) -> None:
        moved, player = self.table.units[unit]["moved"], self.table.units[unit]["player"]
        if moved == "fall_back" and not self.book.allowed("fall_back_and_shoot", player):
            self.accuse("w40k10.move.fall_back_limits", f"{self.name(unit)} Fell Back and shoots.")
        if moved == "advance" and not self.book.allowed("advance_and_shoot", player):
            for profiles, _, _ in shots:
                if profiles and not any("assault" in w["abilities"] for w in profiles) and not self._granted("assault"):
                    self.accuse(
                        "w40k10.weapon.assault", f"{self.name(unit)} Advanced and fires its {profiles[0]['name']}."
                    )

    def _granted(self, name: str) -> bool:
        return self.book.doubt("weapon_ability", ability=name)

    # --- Weapons in hand ----------------------------------------------------------------------------------------------

    def _hands(self, unit: int, shots: list[tuple[list[Weapon], int, int]]) -> None:
        """Nobody fires a weapon twice, nor Pistols beside other weapons unless it is a MONSTER or VEHICLE."""
        if self.table.units[unit]["lent"]:
            return
        models = self.table.on_table(unit)
        fired: dict[str, int] = {}
        pistol: dict[str, bool] = {}
        for profiles, _, count in shots:
            if profiles:
                item = profiles[0]["of"] or profiles[0]["name"]
                fired[item] = fired.get(item, 0) + count
                pistol[item] = "pistol" in profiles[0]["abilities"]
        carriers = {
            i: [m for m in models if any((w["of"] or w["name"]) == i for w in self.book.weapons(m))] for i in fired
        }
        for item, count in fired.items():
            if count > len(carriers[item]):
                self.accuse(
                    "w40k10.shoot.split",
                    f"{self.name(unit)} fires {count} {item}, and {len(carriers[item])} carry one.",
                )
        if self._granted("pistol"):
            return
        for one, other in product([i for i in fired if pistol[i]], [i for i in fired if not pistol[i]]):
            both = set(carriers[one]) | set(carriers[other])
            free = sum(self.book.is_a(m, "MONSTER", "VEHICLE") for m in both)
            if fired[one] + fired[other] > len(both) + free:
                self.accuse(
                    "w40k10.weapon.pistol_exclusive", f"{self.name(unit)} fires {one} and {other} from one hand."
                )

    # --- Locked in combat ---------------------------------------------------------------------------------------------

    def _locked(self, unit: int, profiles: list[Weapon], target: int, engaged: list[int]) -> None:
        book, weapon = self.book, profiles[0]["name"]
        pistol = any("pistol" in w["abilities"] for w in profiles) or self._granted("pistol")
        big = book.unit_is(unit, "MONSTER", "VEHICLE")
        blast = all("blast" in w["abilities"] for w in profiles)
        side = self.table.side(unit)
        holders = [e for e in self.reach.engaged_with(target, -book.slack) if self.table.side(e) == side]
        if engaged and not big:
            if not pistol:
                self.accuse("w40k10.shoot.locked_shooter", f"{self.name(unit)} is engaged and fires its {weapon}.")
            elif not self.reach.engages(unit, target, book.slack):
                self.accuse(
                    "w40k10.weapon.pistol_eligible", f"{self.name(unit)} is engaged and fires a Pistol elsewhere."
                )
        if not holders:
            return
        if blast:
            self.accuse("w40k10.weapon.blast_limit", f"{self.name(unit)} fires {weapon} into a combat.")
        own = unit in holders
        allowed = (own and (big or pistol)) or (
            book.unit_is(target, "MONSTER", "VEHICLE") and (not own or big or pistol)
        )
        if not allowed:
            self.accuse(
                "w40k10.shoot.locked_target", f"{self.name(unit)} fires at {self.name(target)}, which is engaged."
            )

    # --- Range and sight ----------------------------------------------------------------------------------------------

    def _in_reach(self, unit: int, profiles: list[Weapon], target: int, count: int) -> None:
        book = self.book
        names = {w["name"] for w in profiles}
        lent = self.table.units[unit]["lent"]
        carriers = [m for m in self.table.on_table(unit) if any(w["name"] in names for w in book.weapons(m))]
        if lent:
            carriers = self.table.on_table(unit)
        far = max(w["range"] for w in profiles)
        if book.doubt("characteristic", name="Range") or book.doubt("characteristic", name="range"):
            return
        theirs = self.reach.stands(self.table.on_table(target))
        lone = (
            not book.attached(target)
            and bool(self.table.on_table(target))
            and all(book.core(m, "lone operative") is not None for m in self.table.on_table(target))
        )
        if lone:
            far = min(far, book.lone_range)
        near: dict[int, list[int]] = {}
        for m in carriers:
            here = self.table.stand(m)
            found = [i for i, s in enumerate(theirs) if distance(here, s) <= far + book.slack]
            if found:
                near[m] = found
        self.looked("ranges")
        if len(near) < count and not lent:
            rule = "w40k10.ability.lone_operative" if lone else "w40k10.shoot.range"
            self.accuse(
                rule,
                f"{self.name(unit)} fires {count} {profiles[0]['name']} at {self.name(target)}; {len(near)} reach it.",
            )
        if any("indirect fire" in w["abilities"] for w in profiles) or self._granted("indirect fire"):
            return
        self._seen(unit, target, profiles[0]["name"], near, theirs, 1 if lent else count)

    def _seen(
        self, unit: int, target: int, weapon: str, near: dict[int, list[int]], theirs: list[Any], count: int
    ) -> None:
        """Enough of those who fire see somebody who is in their range."""
        sight = Sight(self.field, self.book)
        tall = self.book.unit_is(unit, "TOWERING", "AIRCRAFT") or self.book.unit_is(target, "TOWERING", "AIRCRAFT")
        self.looked("sights")
        seen, left = 0, len(near)
        for m, found in near.items():
            if seen >= count or left < count:
                break
            here = self.table.stand(m)
            if all(sight.hidden(here, theirs[i], towering=tall) for i in found):
                left -= 1
            else:
                seen += 1
        if left < count <= len(near):
            self.accuse(
                "w40k10.shoot.select_targets",
                f"{self.name(unit)} fires {count} {weapon} at {self.name(target)}; {left} may see somebody in range.",
            )

    # --- Words --------------------------------------------------------------------------------------------------------

    def _profiles(self, unit: int, asked: Item, assigned: dict[str, Any]) -> list[Weapon]:
        """The profiles that a row of the declaration may mean."""
        row = next(r for r in asked["rows"] if r["id"] == assigned["row"])
        models = [*self.table.on_table(unit), *(m for m, _ in self.table.units[unit]["lent"])]
        weapons = [w for m in models for w in self.book.weapons(m) if w["range"] > 0]
        wanted = assigned["mode"] or weapon_of(str(row["label"]), weapons)
        found = [
            w for w in weapons if w["name"] == wanted or (not assigned["mode"] and (w["of"] or w["name"]) == wanted)
        ]
        if not found:
            self.accuse("w40k10.datasheet.weapon_profile", f"Nobody in {self.name(unit)} carries a {wanted}.")
        return found
