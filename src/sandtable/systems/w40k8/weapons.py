"""The types of weapons, what each of them says about firing, and a shot with one."""

from __future__ import annotations

from typing import Final, TypeAlias

from sandtable.attack.volley import DiceSum
from sandtable.forty import shot
from sandtable.forty.effects.permissions import allows, allows_model
from sandtable.forty.fighters import Weapon
from sandtable.rules import rule
from sandtable.systems.w40k8.concepts import reaches
from sandtable.systems.w40k8.datasheet import HEAVY, RAPID_FIRE
from sandtable.systems.w40k8.dice import amount
from sandtable.systems.w40k8.state import ADVANCE, MOVED, Unit, World8, unit_of
from sandtable.table.grid import steps

NO_WEAPON: Final = Weapon(name="", strength="0", damage="0")


class Shot(shot.Shot, frozen=True, kw_only=True):
    """One weapon of one model at one target; `attacks` counts the blows of a melee weapon."""

    weapon: Weapon = NO_WEAPON


Batch: TypeAlias = tuple[Shot, ...]
"""Shots that are rolled together."""


@rule("w40k8.sheet.weapon_profile", "w40k8.shoot.all_weapons", neutral=True)
def can_be_fired(weapon: Weapon) -> bool:
    """A weapon with a range in inches is for shooting, and only for that."""
    return not weapon.is_melee


@rule("w40k8.sheet.weapon_profile", neutral=True)
def can_strike(weapon: Weapon) -> bool:
    """A weapon with the range Melee is for fighting, and only for that."""
    return weapon.is_melee


@rule("w40k8.shoot.attack_count", "w40k8.weapon.rapid_fire", "w40k8.stat.random_other", neutral=DiceSum(plus=1))
def shots_of(weapon: Weapon, *, half_range: bool) -> DiceSum:
    """How many attacks a weapon makes: the number behind its type, twice that where it fires rapidly."""
    number = amount(weapon.attacks)
    return number.multiplied(2) if fires_rapidly(weapon, half_range=half_range) else number


@rule("w40k8.weapon.rapid_fire", neutral=False)
def fires_rapidly(weapon: Weapon, *, half_range: bool) -> bool:
    """Rapid Fire doubles the number of attacks at half range."""
    return weapon.type == RAPID_FIRE and half_range


@rule("w40k8.weapon.rapid_fire", neutral=False)
def at_half_range(weapon: Weapon, distance: float) -> bool:
    """Whether a target is within half of a weapon's range."""
    return reaches(2 * distance, steps(weapon.range))


@rule("w40k8.weapon.assault", neutral=0)
def on_the_run(w: World8, unit: Unit, weapon: Weapon) -> int:
    """What is added to hit rolls with the weapons, all of them Assault weapons, that are fired after an Advance."""
    slow = not weapon.is_melee and unit.moved == ADVANCE
    return -1 if slow and not allows(w, unit, "advance_and_fire_assault") else 0


@rule("w40k8.weapon.heavy", neutral=0)
def on_the_move(w: World8, model: int, weapon: Weapon) -> int:
    """What is added to hit rolls of a model with Heavy weapons in the turn in which it has moved itself."""
    slow = weapon.type == HEAVY and w.state.models.mark[model] & MOVED
    return -1 if slow and not allows_model(w, unit_of(w, model), model, "move_and_fire_heavy") else 0
