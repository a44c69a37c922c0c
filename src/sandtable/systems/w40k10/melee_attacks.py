"""Making melee attacks: which models fight, whom they reach, and what they strike with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from sandtable.battle import ALLOWED, Assignment, Verdict
from sandtable.battle.kept import PLACES, kept
from sandtable.forty.attacks import targets_selected
from sandtable.forty.state import is_attached
from sandtable.forty.striking import (
    STRIKE,
    Hand,
    Striking,
    check_one_each,
    check_whole,
    declare_strikes,
    hands_with,
    no_blows,
)
from sandtable.kit.closing.contact import near
from sandtable.rules import rule
from sandtable.systems.w40k10 import aircraft, number_of_attacks
from sandtable.systems.w40k10 import weapon_abilities as weapons
from sandtable.systems.w40k10.abilities.leader import toughness
from sandtable.systems.w40k10.abilities.psychic import may_use
from sandtable.systems.w40k10.core_concepts import model_has_keyword
from sandtable.systems.w40k10.datasheet import Weapon, can_strike
from sandtable.systems.w40k10.engagement_range import ENGAGEMENT
from sandtable.systems.w40k10.hazardous import hazardous_tests
from sandtable.systems.w40k10.making_attacks import PRECISION, make_attacks
from sandtable.systems.w40k10.shot import Shot
from sandtable.systems.w40k10.state import Battle10, Unit, World10
from sandtable.systems.w40k10.terrain.barricades import across_in_fight
from sandtable.table.grid import Bools, Ints
from sandtable.table.shapes import Bodies
from sandtable.table.zones import CONTACT, Zone, links

CHALLENGE: Final = "epic_challenge"
"""Kind of effect: the melee attacks of the model in its value have Precision."""


async def fight_with(b: Battle10, unit: Unit) -> None:
    """A unit selects weapons and targets for all its fighting models, then makes its attacks."""
    if not may_attack(b, unit):
        b.tell("no_targets", no_blows(b, unit, fighters(b, unit)), "w40k10.fight.no_targets", units=[unit.id])
        return
    blows = await select_weapons(b, unit)
    await targets_selected(b, unit, blows)
    await make_attacks(b, unit, blows)
    await hazardous_tests(b, unit, used_weapons(blows))


@rule("w40k10.fight.select_weapon", neutral=[])
async def select_weapons(b: Battle10, unit: Unit) -> list[Shot]:
    """Weapons and targets of all fighting models are selected in one answer, before the first die is rolled."""
    blows: list[Shot] = await declare_strikes(b, unit)
    return blows


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


# --- Which models fight, and whom they reach --------------------------------------------------------------------------


def reach_in_fight(w: World10, bodies: Bodies, models: Ints, enemies: Ints) -> Bools:
    """Which models may attack which enemies, [model, enemy]: Engagement Range, or 2" across a barricade."""
    engaged = links(bodies, w.shapes, models, enemies, ENGAGEMENT.range)
    return np.asarray(engaged | across_in_fight(w, bodies, models, enemies))


def enemies_in_reach(w: World10, unit: Unit) -> list[Unit]:
    """The enemy units that a unit could fight from where it stands."""
    return [w.unit(e) for e in _in_reach(w, unit)]


@kept(PLACES)
def _in_reach(w: World10, unit: Unit) -> tuple[int, ...]:
    models = w.on_table(unit)
    close = w.enemies_near(unit, Zone(2 * ENGAGEMENT.range.flat, ENGAGEMENT.range.up))
    return tuple(e.id for e in close if bool(reach_in_fight(w, w.bodies, models, w.on_table(e)).any()))


@kept(PLACES)
def fighters(w: World10, unit: Unit) -> dict[int, tuple[int, ...]]:
    """The models that fight, and the enemy units that each of them may attack."""
    reached = in_the_fray(w, unit).items()
    found = {m: tuple(e for e in enemies if aircraft.may_strike(w, unit, m, w.unit(e))) for m, enemies in reached}
    return {m: targets for m, targets in found.items() if targets}


@rule("w40k10.fight.which_models", "w40k10.fight.select_targets", neutral={})
def in_the_fray(w: World10, unit: Unit) -> dict[int, list[int]]:
    """Models within reach of an enemy, and models that touch a comrade who touches an enemy; with the enemy units."""
    models, bodies = w.on_table(unit), w.bodies
    mates = links(bodies, w.shapes, models, models, CONTACT)
    reached: dict[int, list[int]] = {int(m): [] for m in models}
    for enemy in enemies_in_reach(w, unit):
        theirs = w.on_table(enemy)
        direct = np.asarray(reach_in_fight(w, bodies, models, theirs).any(axis=1))
        behind = (mates & near(w, bodies, models, theirs)).any(axis=1)
        for m in models[direct | behind]:
            reached[int(m)].append(enemy.id)
    return reached


def hands_of(w: World10, unit: Unit) -> list[Hand]:
    """Every melee profile of the fighting models, with whom it may strike."""
    number = number_of_attacks.attacks_made
    return hands_with(w, unit, fighters(w, unit), can_strike, number, weapons.is_extra, CHALLENGE, may_use)


@rule("w40k10.fight.split_attacks", neutral=1)
def things(hand: Hand) -> int:
    """How much one weapon gives to assign: its attacks, which may be divided, or itself where they are rolled."""
    return hand.attacks or 1


# --- The answer -------------------------------------------------------------------------------------------------------


def struck_together(groups: Sequence[Sequence[Hand]], answer: Sequence[Assignment]) -> Verdict:
    """Whether every fighting model makes all attacks of one melee weapon, beside those with Extra Attacks."""
    return check_whole_weapons(groups, answer) and check_one_weapon(groups, answer)


@rule("w40k10.fight.attack_count", neutral=ALLOWED)
def check_whole_weapons(groups: Sequence[Sequence[Hand]], answer: Sequence[Assignment]) -> Verdict:
    """A model makes as many attacks as its weapon has, no fewer."""
    return check_whole(groups, answer, things, "w40k10.fight.attack_count")


@rule("w40k10.fight.select_weapon", neutral=ALLOWED)
def check_one_weapon(groups: Sequence[Sequence[Hand]], answer: Sequence[Assignment]) -> Verdict:
    """Each fighting model strikes with one melee weapon, and one profile of it."""
    return check_one_each(groups, answer, things, "w40k10.fight.select_weapon")


def characters(w: World10, unit: Unit) -> list[int]:
    """The CHARACTER models of a unit on the table."""
    return [int(m) for m in w.on_table(unit) if model_has_keyword(w, int(m), "CHARACTER")]


STRIKING: Final = Striking(
    ("w40k10.fight.select_targets", "w40k10.fight.select_weapon", "w40k10.fight.split_attacks"),
    hands=hands_of,
    things=things,
    together=struck_together,
    blow_at=blow_at,
    precision=PRECISION,
)
QUESTIONS: Final = {"strike": STRIKE}
