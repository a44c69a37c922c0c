"""Volleys: what was declared, what is told, and how the dice of one volley are read from the first to the last."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from referee.cover import sheltered
from referee.dice import Complaint, Script, brief
from referee.geometry import Stand
from referee.losses import NEVER, Losses
from referee.sheets import Weapon, ability, read_dice, singular, value_of
from referee.watch import ON, Item, Table

CORE = "w40k10."
ASKED = ("shoot", "strike", "allocate", "aim", "reroll", "react.after_roll", "react.targets_selected", "order_units",
         "escape", "escape_losses", "hazard", "tank_shock")  # fmt: skip
"""What the core book asks while dice are read."""


class Aim(NamedTuple):
    """What is fixed about a target when it is selected."""

    size: int
    toughness: int
    hampered: tuple[bool | None, ...]
    """Big Guns Never Tire; None where it takes a closer look."""
    attached: bool


class Declared(NamedTuple):
    """Weapons and targets, as they were named before the first die."""

    unit: int
    melee: bool
    overwatch: bool
    item: Item
    question: Item
    aims: dict[int, Aim]
    near: dict[int, dict[int, float]]
    """For each target and each model of the unit, how far away it is."""
    lent: list[Weapon]
    models: list[int]


class Reading(NamedTuple):
    """One way of understanding a volley."""

    weapon: Weapon
    half: bool
    plunging: bool


class Volley(NamedTuple):
    """A volley as it was told."""

    count: int
    """Weapons, or in melee those who strike."""
    name: str
    target: int
    data: dict[str, Any]
    told: Item


def weapon_told(book: Any, table: Table, text: str, unit: int) -> tuple[int, str] | None:
    """How many of which weapon an account means: "Boyz: 10 x shoota at Gaunts, 20 attacks: ..."."""
    found = re.search(r": (\d+) x (.+)$", text)
    if found is None:
        return None
    models = [*table.units[unit]["models"], *(m for u in table.units if u["embarked"] == unit for m in u["models"])]
    names = {w["name"] for m in models for w in book.weapons(m)}
    fits = [name for name in names if found[2].startswith(f"{name} at ")]
    return (int(found[1]), max(fits, key=len)) if fits else None


def only_core(items: Sequence[Item]) -> bool:
    """Whether all that is cited, asked and told in some events is of the core book."""
    for i in items:
        if i["event"] == "answered" and i["kind"] not in ASKED:
            return False
        if i["event"] == "told" and i["kind"] in ("ability", "last_stand", "healed", "returned", "price"):
            return False
        cited = i.get("rules", ()) if i["event"] in ("rolled", "told") else ()
        if any(not r.startswith(CORE) or r == "w40k10.datasheet.abilities" for r in cited):
            return False
    return True


class Reader:
    """Reads one volley in one way."""

    def __init__(self, judge: Any, declared: Declared, volley: Volley, reading: Reading, script: Script) -> None:
        self.judge, self.declared, self.volley, self.script = judge, declared, volley, script
        self.book, self.table = judge.book, judge.table
        self.weapon, self.half, self.plunging = reading
        self.aim = declared.aims[volley.target]
        if not self.aim.attached:
            self.aim = self.aim._replace(toughness=self._toughness())
        self.losses = Losses(self.table, self.book, script, judge.start)
        self.mortal: list[int] = []
        self.unsaved = 0

    def _toughness(self) -> int:
        """The Toughness of most models that stand when the volley begins, the higher one in a tie."""
        models = [m for m in self.table.units[self.volley.target]["models"] if self.judge.start.place[m] == ON]
        values = [self.book.sheet(m)["toughness"] for m in models] or [self.aim.toughness]
        return max(values, key=lambda t: (values.count(t), t))

    def has(self, name: str) -> str | None:
        return ability(self.weapon["abilities"], name)

    def read(self) -> tuple[list[tuple[str, str]], list[int]]:
        script = self.script
        try:
            self._react()
            attacks = self._attacks()
            hits, sure = self._hits(attacks)
            wounds = self._wounds(hits, sure)
            self._walk(wounds, 0)
        except Complaint as found:
            script.blame(found.rule, found.sentence)
        return script.found, self.mortal

    def _react(self) -> None:
        """Reactions to the targets come before the first die."""
        while self.script.is_next("answered") or self.script.is_next("told", kind="stratagem"):
            if self.script.is_next("answered", kind="reroll") or self.script.is_next("answered", kind="allocate"):
                break
            self.script.take()

    def _over(self) -> None:
        """All wounds are dealt with, and the attack is told."""
        told = self.script.told("attack", "w40k10.attack.sequence")
        self._figure("unsaved", told["data"]["unsaved"], self.unsaved, "w40k10.attack.armour_save")

    def _figure(self, what: str, told: int, read: int, rule: str) -> None:
        if told != read:
            self.script.blame(rule, f"{told} {what} are told, and the dice say {read}.")

    # --- How many attacks ---------------------------------------------------------------------------------------------

    def _attacks(self) -> int:
        dice, plus = read_dice(self.weapon["attacks"])
        told = self.volley.data["attacks"]
        more, extra = self._more()
        rule = "w40k10.fight.attack_count" if self.declared.melee else "w40k10.shoot.attack_count"
        if dice or more:
            each = (*dice, *more)
            faces = self.script.roll("attacks", len(each) * self.volley.count, rule, size=len(each))
            if len(faces) != len(each) * self.volley.count:
                return told
            per = [faces[i : i + len(each)] for i in range(0, len(faces), len(each))]
            due = sum(value_of(each, plus + extra, f) for f in per)
        elif self.declared.melee:
            # Attacks of one weapon may be split, so that those of a volley need not be whole weapons.
            most = self.volley.count * plus
            if told > most or told < self.volley.count:
                self.script.blame(rule, f"{self.volley.count} weapons of {plus} attacks make {told}.")
            return told
        else:
            due = self.volley.count * (plus + extra)
        self._figure("attacks", told, due, rule)
        return told

    def _more(self) -> tuple[tuple[int, ...], int]:
        """Dice and attacks on top: Rapid Fire within half range, Blast against many."""
        dice: tuple[int, ...] = ()
        extra = 0
        rapid = self.has("rapid fire")
        if rapid is not None and self.half:
            dice, extra = read_dice(rapid)
        if self.has("blast") is not None:
            extra += self.aim.size // 5
        return dice, extra

    # --- Hits ---------------------------------------------------------------------------------------------------------

    def _hits(self, attacks: int) -> tuple[int, list[bool]]:
        """How many hits, and in order which of them wound by themselves."""
        data = self.volley.data
        if self.has("torrent") is not None:
            self._figure("hits", data["hits"], attacks, "w40k10.weapon.torrent")
            return attacks, [False] * attacks
        cites = self._cites("hit")
        modifier = self._hit_modifier(cites)
        faces = self.script.roll("hit", attacks, "w40k10.attack.hit_roll")
        skill = self.weapon["skill"]
        sustained, lethal = self.has("sustained hits"), self.has("lethal hits") is not None
        slots: list[bool] = []
        criticals = sum(f == 6 for f in faces)
        extra: list[int] = []
        if sustained is not None:
            dice, plus = read_dice(sustained)
            if dice and criticals:
                rolled = self.script.roll("extra hits", len(dice) * criticals, "w40k10.weapon.sustained_hits")
                n = len(dice)
                extra = [value_of(dice, plus, rolled[i * n : i * n + n]) for i in range(criticals)]
            else:
                extra = [plus] * criticals
        more = iter(extra)

        def hits(face: int) -> bool:
            return face == 6 or (not self.declared.overwatch and face != 1 and face + modifier >= skill)

        self.script.needed({next(f for f in range(1, 7) if hits(f))}, "Hit roll", "w40k10.attack.hit_roll")
        for f in faces:
            critical = f == 6
            if hits(f):
                slots.append(critical and lethal)
                if critical and sustained is not None:
                    slots += [False] * next(more)
        self._figure("hits", data["hits"], len(slots), "w40k10.attack.hit_roll")
        self._figure("Critical Hits", data["criticals"], criticals, "w40k10.attack.critical_hit")
        return len(slots), slots

    def _cites(self, reason: str) -> Sequence[str]:
        for i in self.script.items[self.script.at :]:
            if i["event"] == "rolled" and i["reason"] == reason:
                rules: Sequence[str] = i.get("rules", ())
                return rules
        return ()

    def _hit_modifier(self, cites: Sequence[str]) -> int:
        """All modifiers of the core book, held against those that are cited."""
        if self.declared.overwatch:
            return 0
        total = 0
        for rule, value, sure in self._hit_modifiers():
            cited = rule in cites
            if sure is not None and sure != cited:
                verb = "counts and is not cited" if sure else "is cited and does not count"
                self.script.blame(rule, f"{rule} {verb}.")
            total += value if cited else 0
        return max(-1, min(1, total))

    def _hit_modifiers(self) -> Iterator[tuple[str, int, bool | None]]:
        """Rule, value, and whether it counts; None where that takes a closer look."""
        if self.declared.melee:
            return
        unit, target = self.table.units[self.declared.unit], self.volley.target
        own_turn = self.table.side(self.declared.unit) == self.table.players[self.table.clock["active"]]["side"]
        heavy = self.has("heavy") is not None and own_turn and unit["moved"] == "stationary"
        yield "w40k10.weapon.heavy", 1, heavy
        alive = [m for m in self.table.units[target]["models"] if self.judge.start.place[m] == 1]
        smoke = any(e["kind"] == "stealth" and e["unit"] == target for e in self.table.effects)
        stealth = smoke or (bool(alive) and all(self.book.core(m, "stealth") is not None for m in alive))
        yield "w40k10.ability.stealth", -1, stealth
        pistol = self.has("pistol") is not None
        sure = 0 if pistol else sum(found is True for found in self.aim.hampered)
        open_ = None in self.aim.hampered and not pistol
        yield "w40k10.shoot.bgnt_penalty", -max(1, sure), None if open_ else bool(sure)
        yield "w40k10.weapon.indirect_penalty", -1, None if self.has("indirect fire") is not None else False

    # --- Wounds -------------------------------------------------------------------------------------------------------

    def _wounds(self, hits: int, sure: list[bool]) -> list[bool]:
        """The wounds in order: True for those that turn into mortal wounds."""
        data = self.volley.data
        due = hits - sum(sure)
        faces: list[int] = []
        modifier = 1 if self.has("lance") is not None and self.table.units[self.declared.unit]["charged"] else 0
        need = wound_need(self.weapon["strength"], self.aim.toughness)
        critical = self._critical_wound()
        twin = self.has("twin-linked") is not None

        def fails(face: int) -> bool:
            return not (face >= critical or face == 6 or (face != 1 and face + modifier >= need))

        if due:
            faces = self.script.roll("wound", due, "w40k10.attack.wound_roll", bad=fails if twin else None)
            enough = next(f for f in range(1, 7) if not fails(f))
            self.script.needed({enough}, "Wound roll", "w40k10.attack.wound_table")
        rolled = iter(faces)
        devastating = self.has("devastating wounds") is not None
        wounds: list[bool] = []
        for by_itself in sure:
            if by_itself:
                wounds.append(False)
                continue
            face = next(rolled, 1)
            if not fails(face):
                wounds.append(devastating and (face == 6 or face >= critical))
        self._figure("wounds", data["wounds"], len(wounds), "w40k10.attack.wound_roll")
        return wounds

    def _critical_wound(self) -> int:
        best = 6
        alive = [m for m in self.table.units[self.volley.target]["models"] if self.judge.start.place[m] == 1]
        for text in self.weapon["abilities"]:
            if text.startswith("anti-"):
                keyword, _, needed = text.removeprefix("anti-").rpartition(" ")
                if any(self.book.is_a(m, singular(keyword)) for m in alive):
                    best = min(best, int(needed.strip("+")))
        return best

    # --- Saves and damage ---------------------------------------------------------------------------------------------

    def _walk(self, wounds: list[bool], at: int) -> None:
        """Wounds one after the other: who takes it, whether it is saved, what it does; then the attack is told."""
        script, target = self.script, self.volley.target
        while at < len(wounds) and self.losses.here(target):
            aimed = self._aimed()
            if wounds[at]:
                self.mortal.append(self._damage())
                at += 1
                continue
            together = len(script.peek()["faces"]) if script.is_next("rolled", reason="save") else 0
            if together > 1 and aimed is None:
                plain = next((i for i, held in enumerate(wounds[at:]) if held), len(wounds) - at)
                if together > plain:
                    script.blame("w40k10.attack.fast_saves", f"{together} saves are rolled for {plain} wounds.")
                self._batch(wounds, at, min(together, plain))
                return
            self._one(aimed)
            at += 1
        self._over()

    def _aimed(self) -> int | None:
        """A CHARACTER that Precision picks out; asked before every wound where there is one to pick."""
        if not self.script.is_next("answered", kind="aim"):
            return None
        answer = self.script.take()["answer"]
        if not isinstance(answer, int) or answer < 0:
            return None
        if not self.book.is_a(answer, "CHARACTER") or not self.aim.attached:
            self.script.blame("w40k10.weapon.precision", f"Precision picks out {self.losses.name(answer)}.")
        return answer

    def _one(self, aimed: int | None) -> None:
        script, target = self.script, self.volley.target
        model = self.losses.choose(target, aimed)
        needs = self._needs([model] if model is not None else self.losses.front(target))
        if script.is_next("rolled", reason="save"):
            if min(needs) >= NEVER:
                script.blame("w40k10.attack.armour_save", "A save is rolled where none is possible.")
            face = script.roll("save", 1, "w40k10.attack.armour_save")[0]
            script.needed(needs, "saving throw", "w40k10.attack.armour_save")
            told = script.reading.get("needed", 0)
            saved = self._saved(face, {told} if told in needs else needs)
        else:
            if max(needs) < NEVER:
                raise Complaint("w40k10.attack.armour_save", f"A save is due, but there comes {brief(script.peek())}.")
            saved = False
        if not saved:
            self.unsaved += 1
            self.losses.lose(target, model, self._damage())
        else:
            self._unhurt()

    def _unhurt(self) -> None:
        """After a save that was made nobody loses wounds."""
        if self._hurts_next() and not self.script.is_next("rolled", reason="damage"):
            raise Complaint(
                "w40k10.attack.armour_save", f"The saves were made, but there comes {brief(self.script.peek())}."
            )

    def _saved(self, face: int, needs: set[int]) -> bool:
        if face == 1 or face < min(needs):
            return False
        if face >= max(needs):
            return True
        # Cover decides, and takes a closer look: whoever was hurt had none.
        return not self._hurts_next()

    def _hurts_next(self) -> bool:
        script = self.script
        return (
            script.is_next("rolled", reason="damage")
            or script.is_next("rolled", reason="feel no pain")
            or (script.is_next("wounded") and self.table.unit_of[script.peek()["model"]] == self.volley.target)
        )

    def _batch(self, wounds: list[bool], at: int, count: int) -> None:
        """Saves that are rolled together: everybody who may take one needs the same, with cover or without."""
        script, losses, target = self.script, self.losses, self.volley.target
        candidates = losses.forced(target) or losses.front(target)
        faces = script.roll("save", count, "w40k10.attack.armour_save")
        kept = (list(losses.wounds), list(losses.place), list(losses.mark), dict(losses.aboard))
        unsaved, mortal, mark = self.unsaved, list(self.mortal), script.mark()
        first: Complaint | None = None
        needs = self._needs(candidates)
        script.needed(needs, "saving throw", "w40k10.attack.armour_save")
        for need in sorted({script.reading["needed"]} & needs if script.reading.get("needed") else needs) or sorted(
            needs
        ):
            losses.wounds, losses.place, losses.mark = (list(x) for x in kept[:3])
            losses.aboard, self.unsaved, self.mortal = dict(kept[3]), unsaved, list(mortal)
            script.back(mark)
            try:
                self._take(faces, need)
                self._walk(wounds, at + count)
            except Complaint as found:
                first = first or found
                continue
            if len(script.found) == mark[1]:
                return
        if first is not None:
            raise first

    def _take(self, faces: Sequence[int], need: int) -> None:
        target = self.volley.target
        for face in faces:
            if not self.losses.here(target):
                return
            model = self.losses.choose(target)
            if face == 1 or face < need:
                self.unsaved += 1
                self.losses.lose(target, model, self._damage())
        self._unhurt()

    def _needs(self, models: Sequence[int]) -> set[int]:
        """What a saving throw may need, for models that may take it, with cover or without."""
        found = set()
        for m in models:
            for covered in self._covered(m):
                found.add(self._need(m, covered))
        return found

    def _need(self, model: int, covered: bool) -> int:
        sheet = self.book.sheet(model)
        ap = self.weapon["ap"] - (1 if self.plunging else 0)
        save = sheet["save"]
        bonus = 1 if covered and not (save <= 3 and ap == 0) else 0
        armour = save - min(1, ap + bonus)
        ward = min([sheet["invulnerable"] or NEVER, *self._wards()])
        return max(2, min(armour, ward, NEVER))

    def _wards(self) -> list[int]:
        return [
            int(e["value"])
            for e in self.table.effects
            if e["kind"] == "invulnerable" and e["unit"] in (-1, self.volley.target)
        ]

    def _covered(self, model: int) -> tuple[bool, ...]:
        """Whether a model has the Benefit of Cover: one answer where that is plain, else both."""
        if self.declared.melee or self.has("ignores cover") is not None:
            return (False,)
        if any(e["kind"] == "cover" and e["unit"] == self.volley.target for e in self.table.effects):
            return (True,)
        if self.has("indirect fire") is not None:
            return (True, False)
        shooters = [self.table.stand(m) for m in self.declared.models]
        found = sheltered(self.judge.field, self.book, shooters, model, self._stand(model))
        return (True, False) if found is None else (found,)

    def _stand(self, model: int) -> Stand:
        return self.table.stand(model)

    def _damage(self) -> int:
        """What an attack inflicts."""
        dice, plus = read_dice(self.weapon["damage"])
        melta = self.has("melta")
        if melta is not None and self.half:
            more, extra = read_dice(melta)
            dice, plus = (*dice, *more), plus + extra
        if not dice:
            return plus
        faces = self.script.roll("damage", len(dice), "w40k10.attack.damage", size=len(dice))
        return value_of(dice, plus, faces) if len(faces) == len(dice) else plus


def wound_need(strength: int, toughness: int) -> int:
    """What Strength against Toughness needs."""
    if strength >= 2 * toughness:
        return 2
    if strength > toughness:
        return 3
    if strength == toughness:
        return 4
    return 6 if 2 * strength <= toughness else 5
