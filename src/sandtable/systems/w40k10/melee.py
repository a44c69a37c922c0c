"""Making melee attacks: which model strikes whom, with what."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Final, NamedTuple

from sandtable.attack.volley import dice
from sandtable.battle import ALLOWED, Assign, Assignment, Option, Question, Row, Verdict, refuse
from sandtable.rules import rule
from sandtable.systems.w40k10 import weapons
from sandtable.systems.w40k10.attacks import Aim, Fire, make_attacks, precise_targets, toughness
from sandtable.systems.w40k10.concepts import model_has_keyword
from sandtable.systems.w40k10.datasheet import Weapon
from sandtable.systems.w40k10.fight import fighters
from sandtable.systems.w40k10.mortal import hazardous_tests
from sandtable.systems.w40k10.shooting import may_use
from sandtable.systems.w40k10.state import Battle10, Unit, World10, weapons_of

CHALLENGE: Final = "epic_challenge"
"""Kind of effect: the melee attacks of the model in its value have Precision."""


class Hand(NamedTuple):
    """A melee weapon in the hands of one fighting model."""

    model: int
    item: str
    profiles: tuple[Weapon, ...]
    targets: tuple[int, ...]

    @property
    def extra(self) -> bool:
        return weapons.is_extra(self.profiles[0])

    @property
    def attacks(self) -> int:
        """Its number of attacks, if that is fixed and the same for all profiles; else 0: it strikes as a whole."""
        numbers = {p.attacks for p in self.profiles}
        amount = dice(self.profiles[0].attacks)
        return amount.plus if amount.fixed and len(numbers) == 1 else 0


async def fight_with(b: Battle10, unit: Unit) -> None:
    """A unit selects weapons and targets for all its fighting models, then makes its attacks."""
    hands = hands_of(b, unit)
    if not may_attack(b, unit):
        b.tell("no_targets", f"{unit.name} has nobody to strike.", "w40k10.fight.no_targets", units=[unit.id])
        return
    answer = await b.ask(declaration(b, unit, hands))
    fires = strikes(b, unit, hands, answer)
    targets = tuple(dict.fromkeys(f.target for f in fires))
    aims = {t: Aim(t, len(b.on_table(b.unit(t))), toughness(b, b.unit(t)), melee=True) for t in targets}
    await make_attacks(b, unit, fires, aims)
    await hazardous_tests(b, unit, used_weapons(fires))


@rule("w40k10.fight.no_targets", neutral=True)
def may_attack(w: World10, unit: Unit) -> bool:
    """Without a legal target no attacks are made."""
    return any(h.targets for h in hands_of(w, unit))


def used_weapons(fires: Sequence[Fire]) -> list[Weapon]:
    """Each weapon that was used, once for each model that used it."""
    return [weapon for _, weapon in dict.fromkeys((f.model, f.weapon) for f in fires)]


def declaration(w: World10, unit: Unit, hands: Sequence[Hand]) -> Assign:
    """The question which weapon strikes whom. Rows count attacks, where their number is known, else weapons."""
    targets = sorted({t for h in hands for t in h.targets})
    return Assign(
        player=unit.player,
        kind="strike",
        prompt=f"Whom does {unit.name} strike?",
        rows=tuple(_row(i, group) for i, group in enumerate(rows_of(hands))),
        targets=tuple(Option(t, w.unit(t).name) for t in targets),
        rules=("w40k10.fight.select_targets", "w40k10.fight.select_weapon", "w40k10.fight.split_attacks"),
        unit=unit.id,
    )


def hands_of(w: World10, unit: Unit) -> list[Hand]:
    """Every melee weapon of the fighting models, with whom it may strike."""
    found = []
    for model, targets in sorted(fighters(w, unit).items()):
        items: dict[str, list[Weapon]] = {}
        for weapon in weapons_of(w, model):
            if weapon.is_melee and may_use(w, model, weapon):
                items.setdefault(weapon.item, []).append(weapon)
        alive = tuple(t for t in targets if w.is_on_table(w.unit(t)))
        found += [Hand(model, item, tuple(profiles), alive) for item, profiles in items.items()]
    return found


def rows_of(hands: Sequence[Hand]) -> list[list[Hand]]:
    """Hands with the same weapon and the same targets, together."""
    groups: dict[tuple[object, ...], list[Hand]] = {}
    for hand in hands:
        if hand.targets:
            groups.setdefault((hand.item, hand.profiles, hand.targets), []).append(hand)
    return list(groups.values())


def _row(number: int, group: Sequence[Hand]) -> Row:
    first = group[0]
    modes = tuple(p.name for p in first.profiles) if len(first.profiles) > 1 else ()
    return Row(f"{number}", first.item, len(group) * (first.attacks or 1), first.targets, modes)


# --- The answer -------------------------------------------------------------------------------------------------------


def judge_strikes(w: World10, d: Assign, answer: tuple[Assignment, ...]) -> Verdict:
    """Whether each model uses one melee weapon, beside those with Extra Attacks."""
    hands = hands_of(w, w.unit(d.unit))
    return check_one_weapon(w, w.unit(d.unit), hands, answer)


@rule("w40k10.fight.select_weapon", "w40k10.weapon.extra_attacks", neutral=ALLOWED)
def check_one_weapon(w: World10, unit: Unit, hands: Sequence[Hand], answer: tuple[Assignment, ...]) -> Verdict:
    """A model strikes with one melee weapon and one profile of it."""
    wanted = sum(a.count for a in answer)
    placed = sum(f.attacks or 1 for f in strikes(w, unit, hands, answer))
    if placed == wanted:
        return ALLOWED
    return refuse("Each model strikes with one melee weapon, and one profile of it.", "w40k10.fight.select_weapon")


def strikes(w: World10, unit: Unit, hands: Sequence[Hand], answer: Sequence[Assignment]) -> list[Fire]:
    """Which model makes which attacks at whom; models that would use a second weapon are left out."""
    groups = rows_of(hands)
    using: dict[int, tuple[int, str]] = {}
    """For each model, the row and profile that it strikes with."""
    left: dict[tuple[int, int], int] = {}
    """Attacks that a hand has left."""
    fires: list[Fire] = []
    for a in answer:
        row, wanted = int(a.row), a.count
        for i, hand in enumerate(groups[row]):
            if wanted == 0:
                break
            free = left.get((row, i), hand.attacks or 1)
            choice = (row, a.mode)
            if not free or (not hand.extra and using.get(hand.model, choice) != choice):
                continue
            if not hand.extra:
                using[hand.model] = choice
            count = min(free, wanted)
            wanted -= count
            left[(row, i)] = free - count
            profile = next((p for p in hand.profiles if p.name == a.mode), hand.profiles[0])
            target = w.unit(int(a.target))
            attacks = count if hand.attacks else 0
            fires.append(
                Fire(hand.model, profile, target.id, aim=_aim(w, hand.model, profile, target), attacks=attacks)
            )
    return fires


def _aim(w: World10, model: int, weapon: Weapon, target: Unit) -> tuple[int, ...]:
    challenged = any(e.value == model for e in w.effects(CHALLENGE, int(w.state.models.unit[model])))
    if not challenged and not weapons.precision(weapon):
        return ()
    return precise_targets(w, target, [int(m) for m in w.on_table(target)])


def default_strikes(w: World10, d: Assign) -> tuple[Assignment, ...]:
    """Everybody strikes with the first weapon that they have, at the first target."""
    return _legal(w, d, [Assignment(r.id, r.targets[0], r.count, r.modes[0] if r.modes else "") for r in d.rows])


def _legal(w: World10, d: Assign, wanted: Sequence[Assignment]) -> tuple[Assignment, ...]:
    unit = w.unit(d.unit)
    hands = hands_of(w, unit)
    kept: tuple[Assignment, ...] = ()
    for a in wanted:
        before = sum(f.attacks or 1 for f in strikes(w, unit, hands, kept))
        can = sum(f.attacks or 1 for f in strikes(w, unit, hands, (*kept, a))) - before
        if can:
            kept = (*kept, Assignment(a.row, a.target, can, a.mode))
    return kept


def suggest_strikes(w: World10, d: Assign, rng: Random) -> Iterator[tuple[Assignment, ...]]:
    """Weapons and targets at random, all at one or split."""
    for _ in range(3):
        wanted = []
        for r in rng.sample(d.rows, len(d.rows)):
            split = rng.randint(0, r.count) if rng.random() < 0.3 else 0
            for count in (r.count - split, split):
                if count:
                    mode = rng.choice(r.modes) if r.modes else ""
                    wanted.append(Assignment(r.id, rng.choice(r.targets), count, mode))
        yield _legal(w, d, wanted)


QUESTIONS: Final = {"strike": Question(judge=judge_strikes, suggest=suggest_strikes, default=default_strikes)}


def characters(w: World10, unit: Unit) -> list[int]:
    """The CHARACTER models of a unit on the table."""
    return [int(m) for m in w.on_table(unit) if model_has_keyword(w, int(m), "CHARACTER")]
