"""Selecting targets: which weapon of which model may be fired at which unit, and if not, why not."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

import msgspec
import numpy as np

from sandtable.battle import ALLOWED, Verdict, refuse
from sandtable.battle.kept import PLACES, kept
from sandtable.forty import aiming
from sandtable.forty.aiming import Gun, Item, out_of_range, out_of_sight, within_half_range
from sandtable.forty.effects.permissions import allows
from sandtable.forty.firing_deck import borrowed
from sandtable.kit.grammar import does
from sandtable.kit.seeing import visible
from sandtable.rules import rule
from sandtable.systems.w40k10 import weapon_abilities as weapons
from sandtable.systems.w40k10.abilities.lone_operative import close_enough
from sandtable.systems.w40k10.big_guns_never_tire import shoots_engaged
from sandtable.systems.w40k10.datasheet import Weapon
from sandtable.systems.w40k10.engagement_range import engaged
from sandtable.systems.w40k10.locked_in_combat import caught, is_held, not_in_our_melee
from sandtable.systems.w40k10.making_attacks import precise_targets
from sandtable.systems.w40k10.shot import Shot
from sandtable.systems.w40k10.state import ADVANCE, Unit, World10
from sandtable.systems.w40k10.terrain.ruins import plunging
from sandtable.table.grid import Bools, Floats, steps

half_range_counts: Final = partial(aiming.half_range_counts, frozenset(("rapid fire", "melta")))
ANY_RANGE: Final = 200


@rule("w40k10.transport.firing_deck", neutral=())
def lent(w: World10, unit: Unit) -> tuple[Item, ...]:
    """The weapons that a transport has from its passengers while it shoots."""
    return borrowed(w, unit)


# --- Who may be fired at ----------------------------------------------------------------------------------------------


def reach_of(w: World10, unit: Unit, weapon: Weapon, enemy: Unit) -> Bools:
    """For each model of a unit: whether it may fire a profile at an enemy unit, from where it stands."""
    seen = in_range_and_sight(w, unit, enemy, weapon.range, weapons.indirect(weapon))
    return np.logical_and(close_enough(w, unit, enemy), seen)


def may_be_target(w: World10, unit: Unit, enemy: Unit) -> bool:
    """Whether an enemy unit is an eligible target of a unit for a weapon that reaches as far as that."""
    seen = np.logical_and(close_enough(w, unit, enemy), in_range_and_sight(w, unit, enemy, ANY_RANGE, unseen=False))
    return bool(seen.any()) and bool(not_in_our_melee(w, unit, enemy))


def fits(w: World10, unit: Unit, weapon: Weapon, enemy: Unit) -> Verdict:
    """Whether a unit may use a profile on an enemy unit, wherever its models stand."""
    return (
        fits_the_turn(w, unit, weapon)
        and fits_the_melee(w, unit, weapon, enemy)
        and blast_is_clear(w, unit, weapon, enemy)
    )


def beyond(w: World10, unit: Unit, weapon: Weapon, enemy: Unit) -> Verdict:
    """Why no model of a unit may fire a profile at an enemy unit from where it stands."""
    if not np.any(close_enough(w, unit, enemy)):
        return refuse(f'{does(enemy, "is")} targeted from within 12" only.', "w40k10.ability.lone_operative")
    if not np.any(in_range(w.distances(unit, enemy), weapon.range)):
        return out_of_range(w, unit, weapon, enemy, "w40k10.shoot.range")
    if not np.any(in_range_and_sight(w, unit, enemy, weapon.range, weapons.indirect(weapon))):
        return out_of_sight(w, weapon, enemy, "w40k10.shoot.select_targets")
    return ALLOWED


@rule("w40k10.weapon.assault", neutral=ALLOWED)
def fits_the_turn(w: World10, unit: Unit, weapon: Weapon) -> Verdict:
    """After an Advance only Assault weapons are fired."""
    if unit.moved != ADVANCE or weapons.is_assault(weapon) or fires_on_the_run(w, unit):
        return ALLOWED
    return refuse(f"{unit.name} Advanced, and {weapon.name} is no Assault weapon.", "w40k10.weapon.assault")


def fires_on_the_run(w: World10, unit: Unit) -> bool:
    """Whether a unit that Advanced has an ability to fire all its weapons."""
    return unit.moved == ADVANCE and allows(w, unit, "advance_and_shoot")


@rule("w40k10.weapon.pistol_eligible", "w40k10.shoot.bgnt_shooter", neutral=ALLOWED)
def fits_the_melee(w: World10, unit: Unit, weapon: Weapon, enemy: Unit) -> Verdict:
    """A unit that shoots while engaged, and is not big, uses Pistols at those whom it is engaged with."""
    if not is_held(w, unit) or shoots_engaged(w, unit):
        return ALLOWED
    if weapons.is_pistol(weapon) and engaged(w, unit, enemy):
        return ALLOWED
    return refuse(
        f"{does(unit, 'is')} engaged and can fire Pistols only, at enemies in the same combat.",
        "w40k10.weapon.pistol_eligible",
    )


@rule("w40k10.weapon.blast_limit", neutral=ALLOWED)
def blast_is_clear(w: World10, unit: Unit, weapon: Weapon, enemy: Unit) -> Verdict:
    """A Blast weapon is never fired into a combat of the own army."""
    if not weapons.is_blast(weapon) or not caught(w, unit, enemy):
        return ALLOWED
    return refuse(
        f"{weapon.name} has Blast, and {does(enemy, 'is')} engaged with your own army.", "w40k10.weapon.blast_limit"
    )


@kept(PLACES)
@rule("w40k10.shoot.select_targets", "w40k10.weapon.torrent", neutral=True)
def in_range_and_sight(w: World10, unit: Unit, enemy: Unit, reach: int, unseen: bool) -> Bools:
    """For each model of a unit: whether one and the same model of the enemy is in range, and visible if it must be."""
    reached = np.asarray(in_range(w.distances(unit, enemy), reach))
    if not unseen and reached.any():
        reached = reached & visible(w, unit, enemy)
    return np.asarray(reached.any(axis=-1))


@rule("w40k10.shoot.range", neutral=True)
def in_range(far: Floats, reach: int) -> Bools:
    """Which models are no further away than the weapon's Range."""
    return np.asarray(far <= steps(reach))


# --- What is true of a shot when targets are selected -----------------------------------------------------------------


def fire(w: World10, unit: Unit, row: int, model: int, weapon: Weapon, at: Shot) -> Shot:
    """A shot with what is true of it when targets are selected; `at` has what is true of all shots at that target."""
    target = w.unit(at.target)
    aim = precise_targets(w, unit, target, model) if weapons.precision(weapon) else ()
    alone = w.option("indirect-sight") == "model" and weapons.indirect(weapon)
    blind = alone and not bool(visible(w, unit, target)[row].any())
    return msgspec.structs.replace(
        at,
        model=model,
        weapon=weapon,
        half_range=half_range_counts(w, unit, weapon) and within_half_range(w, unit, row, weapon, target),
        plunging=plunging(w, unit, row, target),
        aim=aim,
        unseen=at.unseen or blind,
    )


@rule("w40k10.shoot.split", "w40k10.shoot.declare_profiles", neutral=99)
def weapons_in(group: Sequence[Gun]) -> int:
    """How much there is to assign: whole weapons. All attacks of one go at one target, with one profile."""
    return len(group)
