"""Making melee attacks: which model strikes whom, with what."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Final

import msgspec

from sandtable.battle import ALLOWED, Assign, Assignment, Moment, Question, Verdict, refuse
from sandtable.battle.system import Outlook
from sandtable.forty.effects.weapons import all_armed, changes_to_weapons
from sandtable.forty.moments import TARGETS_SELECTED
from sandtable.forty.odds.chances import chance_that_one_falls, outlook_of
from sandtable.forty.odds.estimate import mean_damage
from sandtable.forty.state import is_attached
from sandtable.forty.striking import (
    Hand,
    best_blows,
    blows_of,
    one_of,
    rows_of,
    suggest_blows,
    wanted_of,
    who_is_struck,
    wielders,
)
from sandtable.kit.grammar import agree, does
from sandtable.rules import rule
from sandtable.systems.w40k10 import weapons
from sandtable.systems.w40k10.concepts import model_has_keyword
from sandtable.systems.w40k10.datasheet import Weapon
from sandtable.systems.w40k10.fighters import fighters
from sandtable.systems.w40k10.hazardous import hazardous_tests
from sandtable.systems.w40k10.hit_and_wound import toughness
from sandtable.systems.w40k10.making_attacks import make_attacks, precise_targets
from sandtable.systems.w40k10.select_targets import may_use
from sandtable.systems.w40k10.shot import Shot
from sandtable.systems.w40k10.state import Battle10, Unit, World10, weapons_of

CHALLENGE: Final = "epic_challenge"
"""Kind of effect: the melee attacks of the model in its value have Precision."""


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
    """The question which weapon strikes whom."""
    return who_is_struck(
        w,
        unit,
        hands_of(w, unit),
        prompt=f"Whom {agree(unit, 'does')} {unit.name} strike?",
        rules=("w40k10.fight.select_targets", "w40k10.fight.select_weapon", "w40k10.fight.split_attacks"),
        things=things,
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
                number, extra = weapons.attacks_made(weapon), weapons.is_extra(weapon)
                found.append(Hand(model, weapon, alive, number, extra, precise=model in challengers))
    return found


@rule("w40k10.datasheet.weapon_profile", neutral=True)
def can_strike(weapon: Weapon) -> bool:
    """Ranged weapons are not used in the Fight phase."""
    return weapon.is_melee


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
    for row, count in wanted_of(answer).items():
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
    who = wielders(groups, answer, things)
    wanted = wanted_of(answer)
    if any(len(who[row]) * things(one_of(groups[row])) < count for row, count in wanted.items()):
        return refuse("Each model strikes with one melee weapon, and one profile of it.", "w40k10.fight.select_weapon")
    fighting = {h.model for group in groups for h in group if not h.extra}
    striking = {m for row, models in who.items() if not one_of(groups[row]).extra for m in models}
    if fighting - striking:
        return refuse(
            f"Every model that can fight does so: {len(fighting - striking)} have no attack yet.",
            "w40k10.fight.select_weapon",
        )
    return ALLOWED


def strikes(w: World10, unit: Unit, hands: Sequence[Hand], answer: Sequence[Assignment]) -> list[Shot]:
    """Which model makes which attacks at whom."""
    at = {t: blow_at(w, w.unit(t)) for t in dict.fromkeys(int(a.target) for a in answer)}

    def blow(hand: Hand, model: int, target: int, attacks: int) -> Shot:
        picked = _aim(w, unit, model, hand, w.unit(target))
        return msgspec.structs.replace(at[target], model=model, weapon=hand.weapon, aim=picked, attacks=attacks)

    return blows_of(rows_of(hands), answer, things, blow)


def _aim(w: World10, unit: Unit, model: int, hand: Hand, target: Unit) -> tuple[int, ...]:
    if not hand.precise and not weapons.precision(hand.weapon):
        return ()
    return precise_targets(w, unit, target, model)


# --- Defaults and ideas -----------------------------------------------------------------------------------------------


def default_strikes(w: World10, d: Assign) -> tuple[Assignment, ...]:
    """Every model strikes with what does most at the first of its targets."""
    unit = w.unit(d.unit)
    return best_strikes(w, unit, hands_of(w, unit))


def best_strikes(w: World10, unit: Unit, hands: Sequence[Hand]) -> tuple[Assignment, ...]:
    """The same with some of a unit's weapons."""

    def worth(hand: Hand, target: int) -> float:
        at = blow_at(w, w.unit(target))
        blow = msgspec.structs.replace(at, model=hand.model, weapon=hand.weapon, attacks=hand.attacks)
        return mean_damage(w, unit, w.unit(target), [blow])

    return best_blows(rows_of(hands), things, worth)


def suggest_strikes(w: World10, d: Assign, rng: Random) -> Iterator[tuple[Assignment, ...]]:
    """Weapons and targets at random, all at one or split."""
    return suggest_blows(rows_of(hands_of(w, w.unit(d.unit))), d, rng, things)


def odds_of_strikes(w: World10, d: Assign, answer: tuple[Assignment, ...]) -> float | None:
    """The chance that a target of the unit's melee attacks is destroyed."""
    unit = w.unit(d.unit)
    return chance_that_one_falls(w, unit, strikes(w, unit, hands_of(w, unit), answer))


def outlook_of_strikes(w: World10, d: Assign, answer: tuple[Assignment, ...]) -> Iterator[Outlook]:
    """What a unit's melee attacks do to their targets."""
    unit = w.unit(d.unit)
    yield from outlook_of(w, unit, strikes(w, unit, hands_of(w, unit), answer))


QUESTIONS: Final = {
    "strike": Question(
        judge_strikes, suggest_strikes, default_strikes, odds=odds_of_strikes, outlook=outlook_of_strikes
    )
}


def characters(w: World10, unit: Unit) -> list[int]:
    """The CHARACTER models of a unit on the table."""
    return [int(m) for m in w.on_table(unit) if model_has_keyword(w, int(m), "CHARACTER")]
