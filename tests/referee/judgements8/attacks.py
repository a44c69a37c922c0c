"""Attacks of 8th edition: dice counted and read again, without caps and without lucky sixes, and what models lose."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from referee.dice import Complaint
from referee.geometry import area_gap, distance, shape_of, wholly_in
from referee.judgements8.common import Judgement8, Script8
from referee.sheets import Weapon, read_dice, value_of
from referee.volleys import weapon_told, wound_need
from referee.watch import GONE, ON, Item

NEVER = 7
STAGES = ("attacks", "hit", "wound", "save", "damage", "feel no pain")
"""Rolls of every attack; where abilities bring others, only these are counted."""
FIST: Weapon = {
    "name": "close combat weapon", "range": 0, "type": "melee", "attacks": "", "strength": "user", "ap": None,
    "damage": "1", "abilities": [], "of": "",
}  # fmt: skip
"""What whoever has no melee weapon fights with, fight.default_weapon."""
WORDS = {"automatic hits", "plague weapon", "re-roll wounds", "re-roll hits of 1", "unwieldy"}
"""Abilities of weapons that are read here; volleys of others are looked at more roughly."""


class Reading(NamedTuple):
    """One way of understanding a volley."""

    weapon: Weapon
    half: bool
    skill: int
    modifier: int
    strength: int
    toughness: int


class Attacks8(Judgement8):
    """Every volley of every attack."""

    def begin(self) -> None:
        super().begin()
        self.unit, self.overwatch = -1, False
        self.models: list[int] = []
        self.items: list[Item] = []
        self.start = list(self.table.place)
        self.hurt = list(self.table.wounds)
        self.stirred: set[int] = set()
        """Models that moved in this turn's Movement phase."""

    def before(self, item: Item) -> None:
        if item["event"] == "moved" and self.book.step() in ("move_units", "reinforcements"):
            self.stirred.update(item["models"])
        if item["event"] == "answered" and item["kind"] in ("shoot", "strike"):
            asked = self.court.asked(item)
            self.unit, self.overwatch = asked["unit"], self.book.step() == "charge_units"
            self.models = self.table.on_table(self.unit)
            self._restart()
            return
        self.items.append(item)
        if item["event"] == "told" and item["kind"] == "attack":
            self._volley(item)

    def after(self, item: Item) -> None:
        if self.is_step(item, "begin_turn"):
            self.stirred = set()
        if item["event"] == "told" and item["kind"] in ("attack", "shoots", "fights", "overwatch"):
            self._restart()

    def _restart(self) -> None:
        self.items, self.start, self.hurt = [], list(self.table.place), list(self.table.wounds)

    # --- A volley -----------------------------------------------------------------------------------------------------

    def _volley(self, told: Item) -> None:
        unit, target = told["units"]
        if unit != self.unit:
            self.accuse("w40k8.shoot.declare", f"{self.name(unit)} attacks undeclared.")
            return
        found = weapon_told(self.book, self.table, told["text"], unit)
        if found is None and ": " in told["text"] and FIST["name"] in told["text"]:
            found = (int(told["text"].split(": ")[1].split(" x ")[0]), str(FIST["name"]))
        if found is None:
            self.accuse("w40k8.attack.sequence", f"An attack is told in other words: {told['text']}")
            return
        count, name = found
        readings = list(self._readings(name, target))
        if not readings:
            self.accuse("w40k8.sheet.weapon_profile", f"Nobody in {self.name(unit)} carries it: {told['text']}")
            return
        plain = self.book.bare and all(set(r.weapon["abilities"]) <= WORDS for r in readings)
        self._rough(told)
        if not plain or told["data"]["attacks"] == 0:
            return
        self.looked("volleys read")
        best: list[tuple[str, str]] | None = None
        for reading in readings:
            script = Script8(self.items)
            try:
                self._read(script, reading, count, target, told["data"])
            except Complaint as wrong:
                script.blame(wrong.rule, wrong.sentence)
            if best is None or len(script.found) < len(best):
                best = script.found
            if not best:
                return
        for rule, sentence in (best or [])[:2]:
            self.accuse(rule, f"{told['text']} {sentence}")

    def _readings(self, name: str, target: int) -> Iterator[Reading]:
        """Every way in which a volley may be meant."""
        book, seen = self.book, set()
        for m in self.models:
            arms = [w for w in book.weapons(m) if w["name"] == name]
            if name == FIST["name"] and not arms:
                arms = [FIST]
            for w in arms:
                melee = w["range"] == 0
                skill = book.characteristic(m, "weapon_skill" if melee else "ballistic_skill", self.hurt[m])
                halves = [False, True] if w["type"] == "rapid fire" else [False]
                for half in halves if not melee else [False]:
                    if w["type"] == "rapid fire" and not self._may_be(m, w, target, half):
                        continue
                    for t in book.toughnesses(target, self.start):
                        change = self._modifier(m, w)
                        found = Reading(w, half, skill or NEVER, change, book.strength(m, w), int(t))
                        key = (id(w), half, *found[2:])
                        if key not in seen:
                            seen.add(key)
                            yield found

    def _may_be(self, model: int, weapon: Weapon, target: int, half: bool) -> bool:
        """Whether a model may be within half range, or beyond it."""
        here = self.table.stand(model)
        models = [m for m in self.table.units[target]["models"] if self.start[m] == ON]
        if len(models) < len(self.table.units[target]["models"]):
            return True  # Somebody may have fallen since the targets were named.
        far = min((distance(here, self.table.stand(m)) for m in models), default=0.0)
        line = weapon["range"] / 2
        return far <= line + self.book.slack if half else far > line - self.book.slack

    def _modifier(self, model: int, weapon: Weapon) -> int:
        melee = weapon["range"] == 0
        total = 0
        if melee and "unwieldy" in weapon["abilities"]:
            total -= 1
        if not melee and self.table.units[self.unit]["moved"] == "advance" and not self.overwatch:
            total -= 1
        if weapon["type"] == "heavy" and model in self.stirred:
            total -= 1
        return total

    # --- Reading ------------------------------------------------------------------------------------------------------

    def _read(self, script: Script8, r: Reading, count: int, target: int, data: dict[str, Any]) -> None:
        attacks = self._attacks(script, r, count, data["attacks"])
        words = r.weapon["abilities"]
        hits = attacks
        if "automatic hits" not in words:
            need = self._need_to_hit(r)
            ones = "re-roll hits of 1" in words
            faces = script.roll("hit", attacks, "w40k8.attack.hit", bad=(lambda f: f == 1) if ones else None)
            script.needed({max(2, need)} if need < NEVER else {NEVER}, "hit roll", "w40k8.attack.hit")
            hits = sum(f != 1 and f >= need for f in faces)
        self._figure(script, "hits", data["hits"], hits, "w40k8.attack.hit")
        wounds = 0
        if hits:
            need = wound_need(r.strength, r.toughness)
            bad = None
            if "plague weapon" in words:
                bad = _is_one
            if "re-roll wounds" in words:
                bad = _below(need)
            faces = script.roll("wound", hits, "w40k8.attack.wound", bad=bad)
            script.needed({need}, "wound roll", "w40k8.attack.wound_table")
            wounds = sum(f != 1 and f >= need for f in faces)
        self._figure(script, "wounds", data["wounds"], wounds, "w40k8.attack.wound")
        self._saves(script, r, wounds, target, data)

    def _need_to_hit(self, r: Reading) -> int:
        return 6 if self.overwatch and r.weapon["range"] > 0 else r.skill - r.modifier

    def _attacks(self, script: Script8, r: Reading, count: int, told: int) -> int:
        if r.weapon["range"] == 0:
            if told < 1:
                script.blame("w40k8.fight.attack_count", f"{told} attacks are made.")
            return told
        dice, plus = read_dice(str(r.weapon["attacks"]))
        times = 2 if r.half and r.weapon["type"] == "rapid fire" else 1
        due = count * plus * times
        if dice:
            faces = script.roll("attacks", len(dice) * count * times, "w40k8.shoot.attack_count", size=len(dice))
            due = value_of(dice * (count * times), plus * count * times, faces)
        self._figure(script, "attacks", told, due, "w40k8.shoot.attack_count")
        return told

    @staticmethod
    def _figure(script: Script8, what: str, told: int, read: int, rule: str) -> None:
        if told != read:
            script.blame(rule, f"{told} {what} are told, and the dice say {read}.")

    def _saves(self, script: Script8, r: Reading, wounds: int, target: int, data: dict[str, Any]) -> None:
        """Saves are thrown for what each model needs, and each failure counts."""
        needs = self._needs(r.weapon, target)
        dice = failed = 0
        for item in script.items[script.at :]:
            if item["event"] != "rolled" or item["reason"] != "save":
                continue
            needed = item.get("read", {}).get("needed", 0)
            if needed and needed not in needs:
                right = " or ".join(f"{n}+" for n in sorted(needs))
                script.blame("w40k8.attack.save", f"A save is told to need {needed}+, and {right} is right.")
            if item.get("again"):
                return  # One die of it was thrown again; what stood in the end is told by the losses.
            dice += len(item["faces"])
            failed += sum(f == 1 or f < needed for f in item["faces"])
        alive = [m for m in self.table.units[target]["models"] if self.table.place[m] == ON]
        if dice > wounds:
            script.blame("w40k8.attack.save", f"{dice} saves are thrown for {wounds} wounds.")
        if data["unsaved"] > failed + wounds - dice:
            script.blame("w40k8.attack.save", f"{data['unsaved']} are unsaved, and {failed} of {dice} saves failed.")
        if alive and data["unsaved"] < failed:
            script.blame("w40k8.attack.save", f"{failed} saves failed, and {data['unsaved']} are told to.")
        if alive and dice < wounds and NEVER not in needs:
            script.blame("w40k8.attack.save", f"{dice} saves are thrown for {wounds} wounds.")

    def _needs(self, weapon: Weapon, target: int) -> set[int]:
        """What saving throws of a unit may need: in cover or not where that is open."""
        models = [m for m in self.table.units[target]["models"] if self.start[m] == ON]
        found = set()
        for covered in self._covered(target, models) if weapon["range"] > 0 else (False,):
            for m in models:
                sheet = self.book.sheet(m)
                armour = self.book.characteristic(m, "save", self.hurt[m]) - (weapon["ap"] or 0) - int(covered)
                found.add(min(NEVER, max(2, min(armour, sheet["invulnerable"] or NEVER))))
        return found

    def _covered(self, unit: int, models: list[int]) -> tuple[bool, ...]:
        """Whether a whole unit is within terrain; both where it is not plain or losses may change it."""
        plain = []
        for m in models:
            stand = self.table.stand(m)
            within = any(wholly_in(stand, f.outline, -0.03) for f, _ in self.field.features)
            outside = all(area_gap(shape_of(stand), f.outline) > 0.03 for f, _ in self.field.features)
            plain.append(True if within else False if outside else None)
        if all(p is True for p in plain):
            return (True,)
        return (False,) if all(p is False for p in plain) else (True, False)

    # --- Whatever abilities do ----------------------------------------------------------------------------------------

    def _rough(self, told: Item) -> None:
        """Each stage has as many dice as the one before let through, and comes to what its own table gives."""
        data, text = told["data"], told["text"]
        self.looked("volleys")
        if data["unsaved"] > data["wounds"]:
            self.accuse("w40k8.attack.sequence", f"{text} More came out than went in.")
        more = any(i["event"] == "rolled" and i["reason"] not in STAGES for i in self.items)
        for reason, into, out in (("hit", "attacks", "hits"), ("wound", "hits", "wounds")):
            rolled = [i for i in self.items if i["event"] == "rolled" and i["reason"] == reason]
            if not rolled:
                continue
            gives = rolled[-1].get("read", {}).get("gives")
            if len(rolled[0]["faces"]) != data[into]:
                self.accuse("w40k8.attack.sequence", f"{text} {len(rolled[0]['faces'])} {reason} dice are thrown.")
            if gives and len(rolled) == 1 and not more and sum(gives[f - 1] for f in rolled[0]["faces"]) != data[out]:
                self.accuse(f"w40k8.attack.{reason}", f"{text} The {reason} dice come to something else.")


def _is_one(face: int) -> bool:
    return face == 1


def _below(need: int) -> Any:
    return lambda face: face == 1 or face < need


class Losses8(Judgement8):
    """Wounds are given to those who lost some before, no damage spills over, and who has none left goes."""

    def begin(self) -> None:
        super().begin()
        self.doomed: set[int] = set()
        self.perils = False
        self.burning = False
        """A weapon has overheated: whoever fired it is harmed, whoever else is hurt."""
        self.losses: list[tuple[int, int, int]] = []
        """Who lost how many of how many wounds since the last attack was told."""
        self.rolled: list[Item] = []

    def before(self, item: Item) -> None:
        if item["event"] == "told":
            self.burning = item["kind"] == "overheated"
        if item["event"] == "told" and item["kind"] == "perils":
            self.perils = True
        elif item["event"] == "told" and item["kind"] == "mortal-wounds":
            self.perils = False
        elif item["event"] == "wounded":
            self._wounded(item["model"], item["wounds"])
        elif item["event"] == "rolled":
            self.rolled.append(item)
        elif item["event"] == "placed" and item["place"] == GONE:
            self.doomed -= set(item["models"])
        elif item["event"] == "answered" and item["kind"] in ("shoot", "strike", "move", "manifest") and self.doomed:
            self.accuse("w40k8.attack.damage", f"{self.model(min(self.doomed))} has no wounds and is still there.")
            self.doomed = set()

    def after(self, item: Item) -> None:
        if item["event"] == "told" and item["kind"] == "attack":
            self._damage(item)
        if item["event"] == "told" and item["kind"] in ("attack", "shoots", "fights", "overwatch", "mortal-wounds"):
            self.losses, self.rolled = [], []

    def _damage(self, told: Item) -> None:
        """In a battle without abilities each unsaved attack takes its damage off one model, and no more."""
        unit, target = told["units"]
        data, text = told["data"], told["text"]
        found = weapon_told(self.book, self.table, text, unit)
        if found is None or not self.book.bare:
            return
        models = self.table.units[unit]["models"]
        arms = [w for m in models for w in self.book.weapons(m) if w["name"] == found[1]]
        mine = [(m, lost, before) for m, lost, before in self.losses if self.table.unit_of[m] == target]
        odd = any(i["reason"] in ("damage", "feel no pain") for i in self.rolled)
        if sum(lost for _, lost, _ in mine) != data["damage"]:
            self.accuse("w40k8.attack.damage", f"{text} {mine} lost wounds.")
        if odd or not arms or any(w["abilities"] for w in arms) or not str(arms[0]["damage"]).isdigit():
            return
        self.looked("damage")
        due = int(arms[0]["damage"])
        for m, lost, before in mine:
            if lost % due and lost != before:
                self.accuse("w40k8.attack.excess", f"{text} {self.model(m)} loses {lost} wounds to attacks of {due}.")
        if len(mine) > data["unsaved"]:
            self.accuse("w40k8.attack.excess", f"{text} {len(mine)} models lost wounds.")

    def _wounded(self, model: int, left: int) -> None:
        before = self.table.wounds[model]
        unit = self.table.unit_of[model]
        if left >= before:
            return  # It heals, or comes back.
        self.looked("wounds lost")
        self.losses.append((model, before - left, before))
        if left <= 0:
            self.doomed.add(model)
        full = self.book.sheet(model)["wounds"]
        hurt = [
            m
            for m in self.table.on_table(unit)
            if m != model and 0 < self.table.wounds[m] < self.book.sheet(m)["wounds"]
        ]
        if hurt and before == full and not self.perils and not self.burning:
            text = f"{self.model(model)} loses wounds, and {self.model(hurt[0])} has lost some before."
            self.accuse("w40k8.attack.allocate_wounded", text)
