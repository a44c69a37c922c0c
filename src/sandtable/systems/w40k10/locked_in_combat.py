"""Locked in combat: engaged units do not shoot, and are not shot at."""

from __future__ import annotations

from sandtable.battle import ALLOWED, Verdict, refuse
from sandtable.kit.grammar import does
from sandtable.rules import rule
from sandtable.systems.w40k10 import aircraft
from sandtable.systems.w40k10.big_guns_never_tire import big_target, shoots_engaged
from sandtable.systems.w40k10.engagement_range import engaged, engaged_enemies, is_engaged
from sandtable.systems.w40k10.state import Unit, World10
from sandtable.systems.w40k10.weapon_abilities import pistols_engaged


def caught(w: World10, unit: Unit, enemy: Unit) -> bool:
    """Whether an enemy unit is engaged with any unit of the own army."""
    return any(not w.are_enemies(unit, e) for e in engaged_enemies(w, enemy))


@rule(
    "w40k10.shoot.locked_target",
    "w40k10.shoot.bgnt_shooter",
    "w40k10.shoot.bgnt_target",
    "w40k10.weapon.pistol_eligible",
    neutral=ALLOWED,
)
def not_in_our_melee(w: World10, unit: Unit, enemy: Unit) -> Verdict:
    """Nobody shoots into a combat of their own army, with the exceptions for big units and Pistols."""
    if not caught(w, unit, enemy):
        return ALLOWED
    if engaged(w, unit, enemy):
        if shoots_engaged(w, unit) or pistols_engaged(w, unit):
            return ALLOWED
    elif big_target(w, enemy):
        return ALLOWED
    return refuse(f"{does(enemy, 'is')} locked in combat with your own army.", "w40k10.shoot.locked_target")


def is_held(w: World10, unit: Unit) -> bool:
    """Whether a unit is in a combat that holds it for shooting; AIRCRAFT alone do not, in battles with that option."""
    if not is_engaged(w, unit):
        return False
    return w.option("aircraft-lock") == "locked" or aircraft.held_fast(w, unit)


@rule("w40k10.shoot.locked_shooter", neutral=ALLOWED)
def not_locked(w: World10, unit: Unit) -> Verdict:
    """An engaged unit does not shoot, unless it is big or has Pistols."""
    if not is_held(w, unit) or shoots_engaged(w, unit) or pistols_engaged(w, unit):
        return ALLOWED
    return refuse(f"{does(unit, 'is')} locked in combat.", "w40k10.shoot.locked_shooter")
