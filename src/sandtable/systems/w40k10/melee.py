"""Making melee attacks: which model strikes whom, with what."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Final, NamedTuple

import msgspec

from sandtable.battle import ALLOWED, Assign, Assignment, Moment, Option, Question, Row, Verdict, refuse
from sandtable.forty.effects.weapons import all_armed, changes_to_weapons
from sandtable.forty.moments import TARGETS_SELECTED
from sandtable.forty.odds.chances import chance_that_one_falls
from sandtable.forty.odds.estimate import mean_damage
from sandtable.forty.state import is_attached
from sandtable.kit.grammar import agree, does
from sandtable.rules import rule
from sandtable.systems.w40k10 import weapons
from sandtable.systems.w40k10.attacks import make_attacks, precise_targets
from sandtable.systems.w40k10.concepts import model_has_keyword
from sandtable.systems.w40k10.datasheet import Weapon
from sandtable.systems.w40k10.fighters import fighters
from sandtable.systems.w40k10.hit_and_wound import toughness
from sandtable.systems.w40k10.mortal import hazardous_tests
from sandtable.systems.w40k10.shot import Shot
from sandtable.systems.w40k10.state import Battle10, Unit, World10, weapons_of
from sandtable.systems.w40k10.targets import may_use

CHALLENGE: Final = "epic_challenge"
"""Kind of effect: the melee attacks of the model in its value have Precision."""


class Hand(NamedTuple):
    """One melee profile in the hands of one fighting model."""

    model: int
    weapon: Weapon
    targets: tuple[int, ...]
    challenger: bool
    """Its attacks have Precision by Epic Challenge."""

    @property
    def attacks(self) -> int:
        """Its number of attacks; 0 where that is rolled, so that they cannot be split."""
        number = weapons.attacks_made(self.weapon)
        return number.result() if number.fixed else 0


async def fight_with(b: Battle10, unit: Unit) -> None:
    """A unit selects weapons and targets for all its fighting models, then makes its attacks."""
    if not may_attack(b, unit):
        b.tell("no_targets", f"{does(unit, 'has')} nobody to strike.", "w40k10.fight.no_targets", units=[unit.id])
        return
    answer = await b.ask(declaration(b, unit))
    blows = strikes(b, unit, hands_of(b, unit), answer)
    targets = tuple(dict.fromkeys(s.target for s in blows))
    await b.window(TARGETS_SELECTED, Moment(unit.id, data={"targets": targets, "shots": blows}))
    await make_attacks(b, unit, blows)
    await hazardous_tests(b, unit, used_weapons(blows))


def blow_at(w: World10, target: Unit) -> Shot:
    """What is fixed about a target when it is selected, whatever strikes it."""
    return Shot(
        target=target.id,
        size=len(w.on_table(target)),
        toughness=toughness(w, target),
        melee=True,
        attached=is_attached(w, target),
    )


@rule("w40k10.fight.no_targets", neutral=True)
def may_attack(w: World10, unit: Unit) -> bool:
    """Without a legal target no attacks are made."""
    return any(h.targets for h in hands_of(w, unit))


def used_weapons(blows: Sequence[Shot]) -> list[Weapon]:
    """Each weapon that was used, once for each model that used it."""
    return [weapon for _, weapon in dict.fromkeys((s.model, s.weapon) for s in blows)]


# --- The question -----------------------------------------------------------------------------------------------------


def declaration(w: World10, unit: Unit) -> Assign:
    """The question which weapon strikes whom. Rows count attacks, where their number is known, else weapons."""
    groups = rows_of(hands_of(w, unit))
    targets = sorted({t for group in groups for t in one_of(group).targets})
    return Assign(
        player=unit.player,
        kind="strike",
        prompt=f"Whom {agree(unit, 'does')} {unit.name} strike?",
        rows=tuple(_row(i, group, groups) for i, group in enumerate(groups)),
        targets=tuple(Option(t, w.unit(t).name) for t in targets),
        rules=("w40k10.fight.select_targets", "w40k10.fight.select_weapon", "w40k10.fight.split_attacks"),
        unit=unit.id,
    )


def hands_of(w: World10, unit: Unit) -> list[Hand]:
    """Every melee profile of the fighting models, with whom it may strike."""
    challengers = {e.value for e in w.effects(CHALLENGE, unit.id)}
    changes = changes_to_weapons(w, unit)
    found = []
    for model, targets in sorted(fighters(w, unit).items()):
        if unit.last_stand and model not in unit.last_stand:
            continue
        alive = tuple(t for t in targets if w.is_on_table(w.unit(t)))
        for plain, weapon in zip(weapons_of(w, model), all_armed(w, model, changes), strict=True):
            if can_strike(plain) and may_use(w, model, plain):
                found.append(Hand(model, weapon, alive, model in challengers))
    return found


@rule("w40k10.datasheet.weapon_profile", neutral=True)
def can_strike(weapon: Weapon) -> bool:
    """Ranged weapons are not used in the Fight phase."""
    return weapon.is_melee


def rows_of(hands: Sequence[Hand]) -> list[list[Hand]]:
    """Hands with the same weapon and the same targets, together."""
    groups: dict[tuple[object, ...], list[Hand]] = {}
    for hand in hands:
        if hand.targets:
            groups.setdefault((hand.weapon, hand.targets, hand.challenger), []).append(hand)
    return list(groups.values())


def one_of(group: Sequence[Hand]) -> Hand:
    """Hands of a row are alike in weapon and targets, so that any of them tells of all."""
    return group[0]


def _row(number: int, group: Sequence[Hand], groups: Sequence[Sequence[Hand]]) -> Row:
    first = one_of(group)
    namesakes = sum(one_of(other).weapon.name == first.weapon.name for other in groups[:number])
    label = f"{first.weapon.name} ({namesakes + 1})" if namesakes else first.weapon.name
    return Row(f"{number}", label, len(group) * things(first), first.targets)


@rule("w40k10.fight.split_attacks", neutral=1)
def things(hand: Hand) -> int:
    """How much one weapon gives to assign: its attacks, which may be divided, or itself where they are rolled."""
    return hand.attacks or 1


# --- The answer -------------------------------------------------------------------------------------------------------


def judge_strikes(w: World10, d: Assign, answer: tuple[Assignment, ...]) -> Verdict:
    """Whether every fighting model makes all attacks of one melee weapon, beside those with Extra Attacks."""
    groups = rows_of(hands_of(w, w.unit(d.unit)))
    return check_whole_weapons(groups, answer) and check_one_weapon(groups, answer)


@rule("w40k10.fight.attack_count", neutral=ALLOWED)
def check_whole_weapons(groups: Sequence[Sequence[Hand]], answer: Sequence[Assignment]) -> Verdict:
    """A model makes as many attacks as its weapon has, no fewer."""
    for row, count in _wanted(answer).items():
        hand = one_of(groups[row])
        if count % things(hand):
            return refuse(
                f"Each model makes all {things(hand)} attacks of {hand.weapon.name}, not only some of them.",
                "w40k10.fight.attack_count",
            )
    return ALLOWED


@rule("w40k10.fight.select_weapon", neutral=ALLOWED)
def check_one_weapon(groups: Sequence[Sequence[Hand]], answer: Sequence[Assignment]) -> Verdict:
    """Each fighting model strikes with one melee weapon, and one profile of it."""
    who = wielders(groups, answer)
    wanted = _wanted(answer)
    if any(len(who[row]) * things(one_of(groups[row])) < count for row, count in wanted.items()):
        return refuse("Each model strikes with one melee weapon, and one profile of it.", "w40k10.fight.select_weapon")
    fighting = {h.model for group in groups for h in group if not weapons.is_extra(h.weapon)}
    striking = {m for row, models in who.items() if not weapons.is_extra(one_of(groups[row]).weapon) for m in models}
    if fighting - striking:
        return refuse(
            f"Every model that can fight does so: {len(fighting - striking)} have no attack yet.",
            "w40k10.fight.select_weapon",
        )
    return ALLOWED


def _wanted(answer: Sequence[Assignment]) -> dict[int, int]:
    wanted: dict[int, int] = {}
    for a in answer:
        wanted[int(a.row)] = wanted.get(int(a.row), 0) + a.count
    return wanted


def wielders(groups: Sequence[Sequence[Hand]], answer: Sequence[Assignment]) -> dict[int, list[int]]:
    """Which models strike with each row: every model with one of them, beside those with Extra Attacks.

    A model that is needed elsewhere makes room for another (augmenting paths), so that what can be dealt out is.
    """
    who: dict[int, list[int]] = {}
    holder: dict[int, int] = {}
    """For each model the row that it strikes with."""
    can = [{h.model for h in group} for group in groups]

    def seat(row: int, seen: set[int]) -> bool:
        for model in sorted(can[row]):
            if model in seen:
                continue
            seen.add(model)
            if model not in holder or (holder[model] != row and seat(holder[model], seen)):
                holder[model] = row
                return True
        return False

    for row, count in _wanted(answer).items():
        needed = -(-count // things(one_of(groups[row])))
        if weapons.is_extra(one_of(groups[row]).weapon):
            who[row] = sorted(can[row])[:needed]
        else:
            who[row] = []
            for _ in range(needed):
                if not seat(row, set()):
                    break
    for model, row in sorted(holder.items()):
        who[row].append(model)
    return who


def strikes(w: World10, unit: Unit, hands: Sequence[Hand], answer: Sequence[Assignment]) -> list[Shot]:
    """Which model makes which attacks at whom."""
    groups = rows_of(hands)
    left = {row: [(m, things(one_of(groups[row]))) for m in models] for row, models in wielders(groups, answer).items()}
    blows: list[Shot] = []
    at = {t: blow_at(w, w.unit(t)) for t in dict.fromkeys(int(a.target) for a in answer)}
    for a in answer:
        row, wanted, target = int(a.row), a.count, w.unit(int(a.target))
        hand = one_of(groups[row])
        while wanted and left[row]:
            model, free = left[row].pop(0)
            count = min(free, wanted)
            wanted -= count
            if free > count:
                left[row].insert(0, (model, free - count))
            attacks = count if hand.attacks else 0
            picked = _aim(w, unit, model, hand, target)
            blow = msgspec.structs.replace(at[target.id], model=model, weapon=hand.weapon, aim=picked, attacks=attacks)
            blows.append(blow)
    return blows


def _aim(w: World10, unit: Unit, model: int, hand: Hand, target: Unit) -> tuple[int, ...]:
    if not hand.challenger and not weapons.precision(hand.weapon):
        return ()
    return precise_targets(w, unit, target, model)


# --- Defaults and ideas -----------------------------------------------------------------------------------------------


def default_strikes(w: World10, d: Assign) -> tuple[Assignment, ...]:
    """Every model strikes with what does most at the first of its targets."""
    unit = w.unit(d.unit)
    return best_strikes(w, unit, hands_of(w, unit))


def best_strikes(w: World10, unit: Unit, hands: Sequence[Hand]) -> tuple[Assignment, ...]:
    """The same with some of a unit's weapons."""
    groups = rows_of(hands)

    def worth(row: Row) -> float:
        hand, target = one_of(groups[int(row.id)]), w.unit(int(row.targets[0]))
        at = blow_at(w, target)
        blow = msgspec.structs.replace(at, model=hand.model, weapon=hand.weapon, attacks=hand.attacks)
        return mean_damage(w, unit, target, [blow])

    rows = sorted((_row(i, group, groups) for i, group in enumerate(groups)), key=lambda r: (-worth(r), int(r.id)))
    return deal_out(groups, [Assignment(r.id, r.targets[0], r.count) for r in rows])


def deal_out(groups: Sequence[Sequence[Hand]], wanted: Sequence[Assignment]) -> tuple[Assignment, ...]:
    """For each row as many whole weapons as models are free; earlier rows have the first pick.

    Parts of a row that stand one after the other are different targets for the same weapons.
    """
    busy: set[int] = set()
    kept: list[Assignment] = []
    rows = dict.fromkeys(int(a.row) for a in wanted)
    for row in rows:
        group = groups[row]
        extra = weapons.is_extra(one_of(group).weapon)
        models = [h.model for h in group if extra or h.model not in busy]
        if not extra:
            busy.update(models)
        room = len(models) * things(one_of(group))
        for a in wanted:
            count = min(a.count, room) if int(a.row) == row else 0
            if count:
                room -= count
                kept.append(Assignment(a.row, a.target, count))
    return tuple(kept)


def suggest_strikes(w: World10, d: Assign, rng: Random) -> Iterator[tuple[Assignment, ...]]:
    """Weapons and targets at random, all at one or split."""
    groups = rows_of(hands_of(w, w.unit(d.unit)))
    wanted = []
    for r in rng.sample(d.rows, len(d.rows)):
        split = rng.randint(0, r.count) if rng.random() < 0.3 else 0
        for count in (r.count - split, split):
            if count:
                wanted.append(Assignment(r.id, rng.choice(r.targets), r.count if count == r.count else count))
    # What is left of a row goes to its first target, since nobody may hold back.
    wanted += [Assignment(r.id, r.targets[0], r.count) for r in d.rows]
    yield deal_out(groups, wanted)


def odds_of_strikes(w: World10, d: Assign, answer: tuple[Assignment, ...]) -> float | None:
    """The chance that a target of the unit's melee attacks is destroyed."""
    unit = w.unit(d.unit)
    return chance_that_one_falls(w, unit, strikes(w, unit, hands_of(w, unit), answer))


QUESTIONS: Final = {"strike": Question(judge_strikes, suggest_strikes, default_strikes, odds=odds_of_strikes)}


def characters(w: World10, unit: Unit) -> list[int]:
    """The CHARACTER models of a unit on the table."""
    return [int(m) for m in w.on_table(unit) if model_has_keyword(w, int(m), "CHARACTER")]
