"""Attacks: dice counted and read again, from the number of attacks to the wounds that models lost.

Each volley is read as the book has it (`volleys.Reader`). What the events leave open (which of two profiles of one
name, who was within half range, whether a model had cover) is tried in all ways that are possible; only what fits none
of them is a fault. In battles with abilities a volley is read if nothing but the core book is cited in it: whatever
else changed its dice has to be named there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

from referee.dice import Complaint, Script
from referee.field import Field
from referee.geometry import distance, wholly_in
from referee.losses import Before, Losses
from referee.reach import Reach
from referee.sheets import Weapon, ability
from referee.volleys import Aim, Declared, Reader, Reading, Volley, only_core, weapon_told
from referee.watch import Item, Judgement


class Attacks(Judgement):
    """Every volley of every attack."""

    def begin(self) -> None:
        self.reach = Reach(self.table, self.book)
        self.field = Field(self.table)
        self.declared: Declared | None = None
        self.items: list[Item] = []
        self.start = Before.of(self.table)
        self.fired: dict[tuple[str, int], int] = {}
        self.struck: dict[tuple[str, int], int] = {}
        self.mortal: dict[int, list[int]] = {}
        self.picked = False
        """Precision picked somebody out in these attacks, so that mortal wounds do not all go to the same models."""
        """Mortal wounds of attacks that are held back, by target."""

    def before(self, item: Item) -> None:
        if item["event"] == "answered" and item["kind"] in ("shoot", "strike"):
            self.field = self.field.fresh()
            self._declare(item)
            self._restart()
            return
        if self.declared is None:
            return
        self.items.append(item)
        if item["event"] == "told" and item["kind"] == "attack":
            self._volley(item)

    def after(self, item: Item) -> None:
        if self.declared is None:
            return
        if item["event"] == "told" and item["kind"] in ("attack", "shoots"):
            self._restart()
        elif item["event"] == "told" and item["kind"] == "mortal-wounds" and self._is_held_back(item):
            self._held_back(item)
            self._restart()
        elif item["event"] == "changed" and item["what"] == "clock" and "step" in item["fields"]:
            self.declared = None

    def _restart(self) -> None:
        self.picked = self.picked or any(map(_picks, self.items))
        self.items, self.start = [], Before.of(self.table)

    def _is_held_back(self, told: Item) -> bool:
        """Whether mortal wounds are those of the attacks, and not of something that these set off."""
        declared = self.declared
        return (
            declared is not None
            and "w40k10.attack.mortal_timing" in told["rules"]
            and told["units"][0] == declared.unit
        )

    # --- What was declared --------------------------------------------------------------------------------------------

    def _declare(self, item: Item) -> None:
        asked = self.court.asked(item)
        unit, melee = asked["unit"], item["kind"] == "strike"
        targets = {int(a["target"]) for a in item["answer"]}
        models = self.table.on_table(unit)
        near = {
            t: {
                m: min(distance(self.table.stand(m), s) for s in self.reach.stands(self.table.on_table(t)))
                for m in models
            }
            for t in targets
            if self.table.on_table(t)
        }
        lent = [
            w
            for model, name in self.table.units[unit]["lent"]
            for w in self.book.weapons(model)
            if (w["of"] or w["name"]) == name
        ]
        for t in targets - set(near):
            self.accuse("w40k10.shoot.select_targets", f"{self.name(unit)} attacks {self.name(t)}, which is not there.")
        self.declared = Declared(
            unit,
            melee,
            bool(asked["about"].get("overwatch")),
            item,
            asked,
            {t: self._aim(unit, t, melee) for t in near},
            near,
            lent,
            models,
        )
        self.fired, self.struck, self.mortal, self.picked = {}, {}, {}, False
        self.looked("declarations of attacks")

    def _aim(self, unit: int, target: int, melee: bool) -> Aim:
        table, book = self.table, self.book
        models = table.on_table(target)
        attached = book.attached(target)
        body = [m for m in models if m not in table.units[target]["leader"]] if attached else models
        values = [book.sheet(m)["toughness"] for m in body]
        toughness = max(values, key=lambda t: (values.count(t), t))
        hampered: list[bool | None] = []
        if not melee:
            mine = book.unit_is(unit, "MONSTER", "VEHICLE") and self._engaged(unit)
            caught = book.unit_is(target, "MONSTER", "VEHICLE") and self._caught(unit, target)
            hampered = [mine, caught]
        return Aim(len(models), toughness, tuple(hampered), attached)

    def _engaged(self, unit: int) -> bool | None:
        sure = bool(self.reach.engaged_with(unit, -self.book.slack))
        return sure if sure == bool(self.reach.engaged_with(unit, self.book.slack)) else None

    def _caught(self, unit: int, target: int) -> bool | None:
        """Whether a target is engaged with a unit of the shooter's army."""
        side = self.table.side(unit)
        sure = any(self.table.side(e) == side for e in self.reach.engaged_with(target, -self.book.slack))
        maybe = any(self.table.side(e) == side for e in self.reach.engaged_with(target, self.book.slack))
        return sure if sure == maybe else None

    # --- A volley -----------------------------------------------------------------------------------------------------

    def _volley(self, told: Item) -> None:
        declared = self.declared
        assert declared is not None
        unit, target = told["units"]
        if unit != declared.unit or target not in declared.aims:
            self.accuse("w40k10.shoot.select_targets", f"{self.name(unit)} attacks {self.name(target)} undeclared.")
            return
        volley = self._told(told, unit, target)
        if volley is None:
            return
        key = (volley.name, target)
        self.fired[key] = self.fired.get(key, 0) + volley.count
        self.struck[key] = self.struck.get(key, 0) + volley.data["attacks"]
        if not self.book.bare and not self._plain():
            self.looked("volleys with abilities")
            self._rough(volley)
            return
        self.looked("volleys read")
        best: tuple[int, list[tuple[str, str]], list[int]] | None = None
        for reading in self._readings(volley):
            script = Script(self.items)
            reader = Reader(self, declared, volley, reading, script)
            complaints, mortal = reader.read()
            if best is None or len(complaints) < len(best[1]):
                best = (script.at, complaints, mortal)
            if not complaints:
                break
        if best is None:
            self.accuse(
                "w40k10.datasheet.weapon_profile",
                f"Nobody in {self.name(unit)} carries a {volley.name}: {told['text']}",
            )
            return
        for rule, sentence in best[1][:3]:
            self.accuse(rule, f"{told['text']} {sentence}")
        self.mortal.setdefault(target, []).extend(best[2])

    def _plain(self) -> bool:
        """Whether nothing but the core book had a hand in the events of this volley."""
        return only_core(self.items)

    def _told(self, told: Item, unit: int, target: int) -> Volley | None:
        """The volley in the words of its account."""
        found = weapon_told(self.book, self.table, told["text"], unit)
        if found is None:
            self.accuse("w40k10.attack.sequence", f"An attack is told in other words: {told['text']}")
            return None
        return Volley(*found, target, told["data"], told)

    def _readings(self, volley: Volley) -> Iterator[Reading]:
        """Every way in which a volley may be meant."""
        declared = self.declared
        assert declared is not None
        profiles: list[Weapon] = []
        carriers: dict[int, list[int]] = {}
        for m in declared.models:
            for w in (*self.book.weapons(m), *declared.lent):
                if w["name"] == volley.name and (w["range"] == 0) == declared.melee:
                    if w not in profiles:
                        profiles.append(w)
                    carriers.setdefault(profiles.index(w), []).append(m)
        for k, weapon in enumerate(profiles):
            halves = [False]
            if not declared.melee and self._depends_on_range(weapon):
                reach = weapon["range"] / 2
                away = [declared.near[volley.target][m] for m in carriers[k]]
                near = sum(d <= reach + self.book.slack for d in away)
                far = sum(d > reach - self.book.slack for d in away)
                halves = [half for half, most in ((True, near), (False, far)) if most >= min(volley.count, 1) and most]
                halves = [h for h in halves if (near if h else far) >= volley.count] or halves
            plunges = [False, True] if not declared.melee and self._may_plunge(carriers[k], volley.target) else [False]
            for half, plunging in product(halves, plunges):
                yield Reading(weapon, half, plunging)

    @staticmethod
    def _depends_on_range(weapon: Weapon) -> bool:
        return (
            ability(weapon["abilities"], "rapid fire") is not None or ability(weapon["abilities"], "melta") is not None
        )

    def _may_plunge(self, models: Sequence[int], target: int) -> bool:
        """Whether somebody may fire down from ruins at a unit on the ground."""
        if any(self.table.stand(m).z > 0.01 for m in self.table.units[target]["models"] if self.start.place[m] == 1):
            return False
        return any(
            self.table.stand(m).z >= self.book.plunging_height - 0.01
            and any(
                f.kind == "ruins" and wholly_in(self.table.stand(m), f.outline, 0.02) for f, _ in self.field.features
            )
            for m in models
        )

    def _rough(self, volley: Volley) -> None:
        """What holds whatever abilities do: each stage has as many dice as the one before let through, and the dice
        come to what they are told to come to."""
        data, text = volley.data, volley.told["text"]
        first = next((i for i in self.items if i["event"] == "rolled" and i["reason"] == "hit"), None)
        if first is not None and len(first["faces"]) != data["attacks"]:
            self.accuse("w40k10.shoot.attack_count", f"{text} {len(first['faces'])} Hit dice are rolled.")
        if data["wounds"] > data["hits"] or data["unsaved"] > data["wounds"] or data["criticals"] > data["attacks"]:
            self.accuse("w40k10.attack.sequence", f"{text} More came out than went in.")
        rerolls = [i["reason"] for i in self.items if i["event"] == "rolled"]
        hits = self._gives("hit")
        if hits is not None and "extra hits" not in rerolls and hits[1] != data["hits"]:
            self.accuse("w40k10.attack.hit_roll", f"{text} The Hit dice come to {hits[1]}.")
        wounds = self._gives("wound")
        if wounds is not None and wounds[0] == data["hits"] and wounds[1] != data["wounds"]:
            self.accuse("w40k10.attack.wound_roll", f"{text} The Wound dice come to {wounds[1]}.")

    def _gives(self, reason: str) -> tuple[int, int] | None:
        """How many dice a stage had, and what those that stood came to by their own table; None where none is told."""
        rolled = [i for i in self.items if i["event"] == "rolled" and i["reason"] == reason]
        if not rolled or "gives" not in rolled[-1].get("read", {}):
            return None
        self._worked_out(reason, rolled[-1]["read"])
        faces = rolled[-1].get("standing") or rolled[-1]["faces"]
        return len(rolled[0]["faces"]), sum(rolled[-1]["read"]["gives"][f - 1] for f in faces)

    def _worked_out(self, reason: str, read: dict[str, Any]) -> None:
        """What a roll needs is what its parts come to: the number, less all modifiers within their cap."""
        parts = [str(p.get("value", "")) for p in read.get("why", ())]
        base = [int(p[:-1]) for p in parts if p.endswith("+") and p[:-1].isdigit()]
        more = [int(p) for p in parts if p[:1] in "+-" and p[1:].isdigit()]
        if len(base) != 1 or len(base) + len(more) != len(parts) or not 2 <= base[0] <= 6:
            return
        self.looked("roll explanations")
        due = max(2, min(6, base[0] - max(-1, min(1, sum(more)))))
        if read["needed"] not in (due, base[0]):
            self.accuse(
                f"w40k10.attack.{reason}_roll", f"A {reason} roll of {parts} is told to need {read['needed']}+."
            )

    # --- Mortal wounds of attacks -------------------------------------------------------------------------------------

    def _held_back(self, told: Item) -> None:
        """Mortal wounds that attacks inflicted come after all normal damage of the unit on that target."""
        target = told["units"][1]
        points = sum(self.mortal.pop(target, []))
        if not self.book.bare and not self._plain():
            return
        if self.book.bare and told["data"]["points"] != points:
            self.accuse(
                "w40k10.weapon.devastating_wounds", f"{told['text']} The attacks came to {points} mortal wounds."
            )
        script = Script(self.items)
        losses = Losses(self.table, self.book, script, self.start)
        self.looked("mortal wounds read")
        if self.picked or any(map(_picks, self.items)):
            return
        try:
            losses.suffer(target, told["data"]["points"], self._first(script, target))
        except Complaint as found:
            script.blame(found.rule, found.sentence)
        for rule, sentence in script.found[:3]:
            self.accuse(rule, f"{told['text']} {sentence}")

    def _first(self, script: Script, target: int) -> int:
        """A CHARACTER that Precision directed mortal wounds at shows itself by being hurt before its Bodyguard."""
        leader = self.table.units[target]["leader"]
        hurt = next((i["model"] for i in script.items if i["event"] in ("wounded", "marked")), -1)
        return int(hurt) if hurt in leader else -1

    def name(self, unit: int) -> str:
        return f"{self.table.name(unit)} ({unit})"


def _picks(item: Item) -> bool:
    return bool(item["event"] == "answered" and item["kind"] == "aim" and item["answer"] is not None)
