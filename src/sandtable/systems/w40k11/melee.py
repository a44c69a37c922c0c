"""Select weapons and targets (04.01, 04.02) when fighting: which models strike, whom, and with what."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from sandtable.attack.volley import DiceSum
from sandtable.battle import ALLOWED, Assignment, Confirm, Question, Verdict, refuse
from sandtable.battle.kept import PLACES, kept
from sandtable.forty.attacks import targets_selected
from sandtable.forty.striking import (
    STRIKE,
    Hand,
    Striking,
    check_one_each,
    check_whole,
    declare_strikes,
    hands_with,
    no_blows,
    one_of,
    rows_of,
    wanted_of,
)
from sandtable.kit.attack.rolling import Roller
from sandtable.rules import rule
from sandtable.systems.w40k11 import aircraft
from sandtable.systems.w40k11 import weapon_abilities as weapons
from sandtable.systems.w40k11.datasheet import can_strike
from sandtable.systems.w40k11.engagement import engaged_enemies, engaged_models
from sandtable.systems.w40k11.hazard_rolls import hazard_rolls
from sandtable.systems.w40k11.making_attacks import HOOKS, PRECISION, make_attacks
from sandtable.systems.w40k11.select_weapons import select_weapons
from sandtable.systems.w40k11.shooting_phase import hazardous
from sandtable.systems.w40k11.shot import Shot
from sandtable.systems.w40k11.state import Battle11, Unit, World11

SPLIT: Final = "split_attacks"
"""The question whether a random number of attacks is to be split."""
CHALLENGE: Final = "epic_challenge"
"""Kind of effect: the melee attacks of the model in its value have Precision."""


@rule("w40k11.fight.normal")
async def fight_with(b: Battle11, unit: Unit) -> None:
    """A unit selects weapons and targets for all its engaged models, then makes its attacks."""
    if not may_attack(b, unit):
        b.tell("no_targets", no_blows(b, unit, fighters(b, unit)), "w40k11.fight.normal", units=[unit.id])
        return
    await select_weapons(b, unit, [h.weapon for h in hands_of(b, unit)])
    await roll_to_split(b, unit)
    blows = split_up(await declare_strikes(b, unit))
    b.set_unit(unit, numbers=())
    await targets_selected(b, unit, blows)
    await make_attacks(b, unit, blows)
    await hazard_rolls(b, unit, hazardous(blows), "w40k11.weapon.hazardous")


def may_attack(w: World11, unit: Unit) -> bool:
    """Whether anybody of a unit has somebody to strike."""
    return any(h.targets for h in hands_of(w, unit))


def blow_at(w: World11, target: Unit) -> Shot:
    """What is fixed about a target when it is selected, whatever strikes it."""
    return Shot(target=target.id, size=len(w.on_table(target)), melee=True)


@kept(PLACES)
def fighters(w: World11, unit: Unit) -> dict[int, tuple[int, ...]]:
    """The models that fight, and the enemy units that each of them may attack."""
    found: dict[int, tuple[int, ...]] = {}
    for enemy in engaged_enemies(w, unit):
        for m in who_strikes(w, unit, enemy):
            if not aircraft.may_strike(w, unit, m, enemy):
                continue
            found[m] = (*found.get(m, ()), enemy.id)
    return found


@rule("w40k11.attack.targets_fighting", neutral=())
def who_strikes(w: World11, unit: Unit, enemy: Unit) -> list[int]:
    """Only models that are themselves engaged with an enemy unit strike it."""
    models = w.on_table(unit)
    near: list[int] = models[engaged_models(w, w.bodies, models, w.on_table(enemy))].tolist()
    return near


def hands_of(w: World11, unit: Unit) -> list[Hand]:
    """Every melee profile of the fighting models, with whom it may strike."""
    found = hands_with(w, unit, fighters(w, unit), can_strike, weapons.attacks_made, weapons.is_extra, CHALLENGE)
    return with_numbers(found, unit.numbers) if unit.numbers else found


@rule("w40k11.gap.random_characteristics")
async def roll_to_split(b: Battle11, unit: Unit) -> None:
    """A random number of melee attacks that is to be split is rolled before targets are selected."""
    numbers: list[tuple[int, str, int]] = []
    for group in rows_of(hands_of(b, unit)):
        hand = one_of(group)
        if hand.number.fixed or len(hand.targets) < 2:
            continue
        prompt = f"Are the attacks of {hand.weapon.name} split? Their number is rolled now, and the weapon is used."
        rules = ("w40k11.attack.split_melee", "w40k11.gap.random_characteristics")
        if await b.ask(Confirm(player=unit.player, kind=SPLIT, prompt=prompt, rules=rules, unit=unit.id)):
            roller = Roller(b, unit.player, unit.id, HOOKS)
            rolled = await roller.numbers("attacks", [h.number for h in group], rules)
            numbers += [(h.model, h.weapon.name, n) for h, n in zip(group, rolled, strict=True)]
    if numbers:
        b.set_unit(unit, numbers=tuple(numbers))


def with_numbers(hands: Sequence[Hand], numbers: Sequence[tuple[int, str, int]]) -> list[Hand]:
    """Hands whose number of attacks was rolled; their models use no other weapon, beside Extra Attacks."""
    rolled = {(model, name): number for model, name, number in numbers}
    bound = {(h.model, h.extra) for h in hands if (h.model, h.weapon.name) in rolled}
    found = []
    for h in hands:
        if (number := rolled.get((h.model, h.weapon.name))) is not None:
            found.append(h._replace(number=DiceSum(plus=number)))
        elif h.extra or (h.model, False) not in bound:
            found.append(h)
    return found


def split_up(blows: Sequence[Shot]) -> list[Shot]:
    """Blows, with what is split over several targets marked."""
    aimed: dict[tuple[int, str], set[int]] = {}
    for s in blows:
        aimed.setdefault((s.model, s.weapon.name), set()).add(s.target)
    return [msgspec.structs.replace(s, split=len(aimed[s.model, s.weapon.name]) > 1) for s in blows]


@rule("w40k11.attack.split_melee", neutral=1)
def things(hand: Hand) -> int:
    """How much one weapon gives to assign: its attacks, which may be divided, or itself where they are rolled."""
    return hand.attacks or 1


# --- The answer -------------------------------------------------------------------------------------------------------


def struck_together(groups: Sequence[Sequence[Hand]], answer: Sequence[Assignment]) -> Verdict:
    """Whether every fighting model makes all attacks of one melee weapon, beside those with Extra Attacks."""
    return (
        check_whole_weapons(groups, answer) and check_one_weapon(groups, answer) and check_extra_attacks(groups, answer)
    )


@rule("w40k11.attack.split_melee", neutral=ALLOWED)
def check_whole_weapons(groups: Sequence[Sequence[Hand]], answer: Sequence[Assignment]) -> Verdict:
    """A model makes as many attacks as its weapon has, no fewer."""
    return check_whole(groups, answer, things, "w40k11.attack.split_melee")


@rule("w40k11.attack.weapons_fighting", "w40k11.gap.weapon_profiles", neutral=ALLOWED)
def check_one_weapon(groups: Sequence[Sequence[Hand]], answer: Sequence[Assignment]) -> Verdict:
    """Each fighting model strikes with one melee weapon, and one profile of it."""
    return check_one_each(groups, answer, things, "w40k11.attack.weapons_fighting")


@rule("w40k11.weapon.extra_attacks", neutral=ALLOWED)
def check_extra_attacks(groups: Sequence[Sequence[Hand]], answer: Sequence[Assignment]) -> Verdict:
    """Every weapon with Extra Attacks is used, by every model that fights with one."""
    wanted, left = wanted_of(answer), dict[str, int]()
    for row, group in enumerate(groups):
        if one_of(group).extra:
            name, used = one_of(group).weapon.item, wanted.get(row, 0) // things(one_of(group))
            left[name] = left.get(name, 0) + len(group) - used
    for name, count in left.items():
        if count > 0:
            return refuse(f"{name} strikes in addition, and has to.", "w40k11.weapon.extra_attacks")
    return ALLOWED


STRIKING: Final = Striking(
    ("w40k11.attack.targets_fighting", "w40k11.attack.weapons_fighting", "w40k11.attack.split_melee"),
    hands=hands_of,
    things=things,
    together=struck_together,
    blow_at=blow_at,
    precision=PRECISION,
)
QUESTIONS: Final = {"strike": STRIKE, SPLIT: Question(default=lambda w, d: False)}
