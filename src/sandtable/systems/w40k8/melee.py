"""Close combat attacks: which model strikes whom, with what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from sandtable.attack.volley import DiceSum
from sandtable.battle import ALLOWED, Assign, Assignment, Verdict, refuse
from sandtable.battle.rolls import Sum, Total
from sandtable.forty.blows import Blows, Hand, blows_of, blows_to_deal, dealing, default_blows
from sandtable.forty.effects.permissions import is_barred
from sandtable.forty.effects.weapons import all_armed, changes_to_weapons
from sandtable.forty.single_dice import roll
from sandtable.forty.weapon_words import extra_attacks
from sandtable.kit.grammar import does
from sandtable.rules import rule
from sandtable.systems.w40k8.attacks import make_attacks, weapon_skill
from sandtable.systems.w40k8.book import BOOK
from sandtable.systems.w40k8.characteristics import attacks_of
from sandtable.systems.w40k8.concepts import enemies, model_distances, reaches
from sandtable.systems.w40k8.datasheet import USER, Weapon
from sandtable.systems.w40k8.shot import Shot
from sandtable.systems.w40k8.state import Battle8, Unit, World8, unit_of
from sandtable.systems.w40k8.weapons import can_strike
from sandtable.table.grid import Floats

CLOSE_COMBAT_WEAPON: Final = Weapon(name="close combat weapon", strength=USER, damage="1")


async def strike(b: Battle8, unit: Unit) -> None:
    """A unit chooses targets and weapons for all its models, then makes its attacks."""
    numbers = await roll_attacks(b, unit)
    hands = hands_of(b, unit, numbers)
    if not hands:
        b.tell("no_targets", f"{does(unit, 'has')} nobody to strike.", "w40k8.fight.sequence", units=[unit.id])
        return
    answer = await b.ask(blows_to_deal(b, unit, hands, numbers))
    await make_attacks(b, unit, blows(hands, answer))


@rule("w40k8.fight.attack_count", "w40k8.stat.random_other", neutral={})
async def roll_attacks(b: Battle8, unit: Unit) -> dict[int, int]:
    """How many attacks each model makes that can strike; random numbers are thrown for each of them, each time."""
    found = {}
    for model in fighters(b, unit):
        number = attacks_of(b, model)
        cites, read = ("w40k8.fight.attack_count",), _read(number)
        faces = await roll(b, unit, len(number.dice), "attacks", *cites, read=read, value=number.of)
        found[model] = number.of(faces)
    return found


def _read(number: DiceSum) -> Total:
    return Total("attack(s)", sums=(Sum(number.dice, number.plus, 0, number.divide),))


# --- Who strikes whom -------------------------------------------------------------------------------------------------


def fighters(w: World8, unit: Unit) -> dict[int, tuple[int, ...]]:
    """The models that can strike, each with the units that it may strike."""
    reached = {e.id: in_reach(w, unit, e) for e in enemies(w, unit) if may_strike(unit, e) and is_free(w, unit, e)}
    found = {}
    for row, model in enumerate(w.on_table(unit).tolist()):
        targets = tuple(e for e, near in reached.items() if near[row])
        if targets and can_fight(w, model):
            found[model] = targets
    return found


def is_free(w: World8, unit: Unit, enemy: Unit) -> bool:
    """Whether no ability keeps a unit from striking another."""
    return not is_barred(w, unit, enemy, "strike", "be_struck")


def in_reach(w: World8, unit: Unit, enemy: Unit) -> list[bool]:
    """Which models of a unit can strike another."""
    models = w.on_table(unit)
    to_enemy = w.distances(unit, enemy).min(axis=1)
    beside = model_distances(w, models, models)
    return [strikes_across(to_enemy, row) for row in beside]


@rule("w40k8.fight.reach", neutral=True)
def strikes_across(to_enemy: Floats, beside: Floats) -> bool:
    """A model strikes who is within 1" of it, or of a comrade within 1" of it: the first rank is beside itself."""
    return any(reaches(d, BOOK.reach) for d, front in zip(beside, to_enemy, strict=True) if reaches(front, BOOK.reach))


@rule("w40k8.fight.charged_targets", neutral=True)
def may_strike(unit: Unit, enemy: Unit) -> bool:
    """A unit that charged this turn strikes only what it charged."""
    return not unit.charged or enemy.id in unit.targets


@rule("w40k8.sheet.weapon_skill_dash", neutral=True)
def can_fight(w: World8, model: int) -> bool:
    """A model with a dash for its Weapon Skill makes no close combat attacks."""
    return weapon_skill(w, model) is not None


def hands_of(w: World8, unit: Unit, numbers: Mapping[int, int]) -> list[Hand]:
    """The models that strike, those that are alike together."""
    groups: dict[tuple[int, tuple[Weapon, ...], int, tuple[int, ...], bool], list[int]] = {}
    for model, targets in fighters(w, unit).items():
        if number := numbers.get(model, 1):
            sheet, arms = w.setup.data.kits[model].sheet, melee_weapons(w, model)
            groups.setdefault((sheet, arms, number, targets, False), []).append(model)
            for weapon in (x for x in arms if extra_attacks(x)):
                groups.setdefault((sheet, (weapon,), extra_attacks(weapon), targets, True), []).append(model)
    return [Hand(tuple(models), *what[1:]) for what, models in groups.items()]


@rule("w40k8.fight.default_weapon", neutral=())
def melee_weapons(w: World8, model: int) -> tuple[Weapon, ...]:
    """What a model strikes with: a close combat weapon if its datasheet names nothing."""
    changes = changes_to_weapons(w, unit_of(w, model))
    return tuple(x for x in all_armed(w, model, changes) if can_strike(x)) or (CLOSE_COMBAT_WEAPON,)


# --- Dealing blows out ------------------------------------------------------------------------------------------------


@rule("w40k8.fight.split", "w40k8.fight.weapon", neutral=1)
def attacks_in(hand: Hand) -> int:
    """How much there is to assign: single attacks, each with a weapon and a target of its own."""
    return len(hand.models) * hand.attacks


@rule("w40k8.fight.attack_count", neutral=ALLOWED)
def check_all_attacks(w: World8, d: Assign, answer: Sequence[Assignment]) -> Verdict:
    """A model makes as many attacks as it has, no fewer."""
    for row in d.rows:
        given = sum(a.count for a in answer if a.row == row.id)
        if given < row.count:
            return refuse(
                f"{row.label}: {row.count} attacks are made, not only {given}.",
                "w40k8.fight.attack_count",
                instead=default_blows(w, d),
                attacks=row.count,
            )
    return ALLOWED


def blows(hands: Sequence[Hand], answer: Sequence[Assignment]) -> list[Shot]:
    """Which model makes which attacks at whom."""
    return blows_of(hands, answer, blow)


def blow(model: int, weapon: Weapon, target: int, attacks: int) -> Shot:
    """Blows of one model."""
    return Shot(model=model, weapon=weapon, target=target, melee=True, attacks=attacks)


BLOWS: Final = Blows(
    ("w40k8.fight.reach", "w40k8.fight.weapon", "w40k8.fight.split"), hands=hands_of, count=attacks_in, blow=blow
)
QUESTIONS: Final = {"strike": dealing(check_all_attacks)}
