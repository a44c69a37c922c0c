"""Shooting types (10.04-10.07): how a unit may shoot, by what it did this turn and whom it is engaged with."""

from __future__ import annotations

from typing import Final

from sandtable.battle.kept import PLACES, kept
from sandtable.forty.aiming import unit_weapons
from sandtable.forty.effects.permissions import allows
from sandtable.rules import Facts, fact, rule
from sandtable.systems.w40k11 import weapon_abilities as weapons
from sandtable.systems.w40k11.concepts import has_any_keyword
from sandtable.systems.w40k11.engagement import is_engaged
from sandtable.systems.w40k11.state import ADVANCE, Unit, World11

NORMAL, ASSAULT, CLOSE_QUARTERS, INDIRECT, SNAP = "normal", "assault", "close-quarters", "indirect", "snap"
NAMES: Final = {
    NORMAL: "Normal shooting",
    ASSAULT: "Assault shooting",
    CLOSE_QUARTERS: "Close-quarters shooting",
    INDIRECT: "Indirect shooting",
}
RULES: Final = {
    NORMAL: "w40k11.shoot.normal",
    ASSAULT: "w40k11.shoot.assault",
    CLOSE_QUARTERS: "w40k11.shoot.close_quarters",
    INDIRECT: "w40k11.shoot.indirect",
    SNAP: "w40k11.shoot.snap",
}


class FAILING(Facts):
    """Up to which bare face the book lets hit rolls fail."""

    snap = fact(5, "w40k11.shoot.snap", neutral=0)
    """In snap shooting."""
    unspotted = fact(5, "w40k11.shoot.indirect", "w40k11.shoot.indirect_hit", neutral=0)
    """In indirect shooting..."""
    spotted = fact(3, "w40k11.shoot.indirect_hit", neutral=5)
    """...and by shooters who stayed stationary, while a friendly unit sees the target."""


@rule("w40k11.shoot.type", neutral=(NORMAL,))
def types_open(w: World11, unit: Unit) -> tuple[str, ...]:
    """The shooting types whose conditions a unit meets."""
    return _types_open(w, unit, unit.moved == ADVANCE and not allows(w, unit, "advance_and_shoot"))


@kept(PLACES)
def _types_open(w: World11, unit: Unit, advanced: bool) -> tuple[str, ...]:
    may = {NORMAL: may_normal, ASSAULT: may_assault, CLOSE_QUARTERS: may_close_quarters, INDIRECT: may_indirect}
    return tuple(name for name, open_ in may.items() if open_(w, unit, advanced))


@rule("w40k11.shoot.normal", neutral=True)
def may_normal(w: World11, unit: Unit, advanced: bool) -> bool:
    """An unengaged unit that did not advance."""
    return not advanced and not is_engaged(w, unit)


@rule("w40k11.shoot.assault", "w40k11.weapon.assault", neutral=True)
def may_assault(w: World11, unit: Unit, advanced: bool) -> bool:
    """An unengaged unit that advanced, with an Assault weapon."""
    return advanced and not is_engaged(w, unit) and any(weapons.is_assault(x) for x in unit_weapons(w, unit))


@rule("w40k11.shoot.close_quarters", neutral=True)
def may_close_quarters(w: World11, unit: Unit, advanced: bool) -> bool:
    """An engaged unit that did not advance, with Close-quarters weapons or of MONSTERS and VEHICLES."""
    if advanced or not is_engaged(w, unit):
        return False
    return is_big(w, unit) or any(weapons.is_close_quarters(x) for x in unit_weapons(w, unit))


@rule("w40k11.shoot.indirect", "w40k11.weapon.indirect_fire", neutral=True)
def may_indirect(w: World11, unit: Unit, advanced: bool) -> bool:
    """An unengaged unit that did not advance, with Indirect Fire weapons."""
    return not advanced and not is_engaged(w, unit) and any(weapons.is_indirect(x) for x in unit_weapons(w, unit))


def type_of(w: World11, unit: Unit) -> str:
    """The shooting type that a unit uses; before one is chosen, the first that is open to it."""
    return unit.shooting or next(iter(types_open(w, unit)), NORMAL)


def is_big(w: World11, unit: Unit) -> bool:
    """Whether a unit is a MONSTER or VEHICLE unit."""
    return has_any_keyword(w, unit, ("MONSTER", "VEHICLE"))
