"""The types of weapons, and what each of them says about firing."""

from __future__ import annotations

from sandtable.attack.volley import DiceSum
from sandtable.rules import Argument, rule
from sandtable.systems.w40k8.concepts import reaches
from sandtable.systems.w40k8.datasheet import ASSAULT, GRENADE, HEAVY, PISTOL, RAPID_FIRE, Weapon
from sandtable.systems.w40k8.dice import amount
from sandtable.systems.w40k8.state import ADVANCE, MOVED, Unit, World8, unit_of
from sandtable.table.grid import steps


@rule("w40k8.sheet.weapon_profile", neutral=True)
def can_be_fired(weapon: Weapon) -> bool:
    """A weapon with a range in inches is for shooting, and only for that."""
    return not weapon.is_melee


@rule("w40k8.sheet.weapon_profile", neutral=True)
def can_strike(weapon: Weapon) -> bool:
    """A weapon with the range Melee is for fighting, and only for that."""
    return weapon.is_melee


@rule("w40k8.shoot.attack_count", neutral=DiceSum(plus=1))
def shots_of(weapon: Weapon, *, half_range: bool) -> DiceSum:
    """How many attacks a weapon makes: the number behind its type, which Rapid Fire doubles at half range."""
    number = amount(weapon.attacks)
    return rapid(number) if weapon.type == RAPID_FIRE and half_range else number


@rule("w40k8.weapon.rapid_fire", neutral=False)
def at_half_range(weapon: Weapon, distance: float) -> bool:
    """Whether a target is within half of a weapon's range."""
    return reaches(2 * distance, steps(weapon.range))


@rule("w40k8.weapon.rapid_fire", neutral=Argument("number"))
def rapid(number: DiceSum) -> DiceSum:
    """Rapid Fire doubles the number of attacks."""
    return number.more(number)


def hit_modifiers(w: World8, model: int, weapon: Weapon) -> list[int]:
    """What the type of a weapon adds to the hit rolls of a model."""
    return [*heavy(w, model, weapon), *on_the_run(unit_of(w, model), weapon)]


@rule("w40k8.weapon.heavy", neutral=())
def heavy(w: World8, model: int, weapon: Weapon) -> tuple[int, ...]:
    """A model that moved fires Heavy weapons at -1."""
    return (-1,) if weapon.type == HEAVY and w.state.models.mark[model] & MOVED else ()


@rule("w40k8.weapon.assault", neutral=())
def on_the_run(unit: Unit, weapon: Weapon) -> tuple[int, ...]:
    """Assault weapons are fired at -1 after an Advance."""
    return (-1,) if weapon.type == ASSAULT and unit.moved == ADVANCE else ()


def is_pistol(weapon: Weapon) -> bool:
    """Whether a weapon is a Pistol."""
    return weapon.type == PISTOL


def is_grenade(weapon: Weapon) -> bool:
    """Whether a weapon is thrown."""
    return weapon.type == GRENADE
