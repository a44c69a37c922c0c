"""Datasheets: the nine characteristics of a model, charts of those that get worse, and weapon profiles."""

from __future__ import annotations

from typing import Final, TypeAlias

import msgspec

from sandtable.armies.characteristics import printed, problem_of_value
from sandtable.errors import UserError
from sandtable.forty import sheets as forty
from sandtable.forty.psykers import Psyker
from sandtable.forty.sheets import as_printed, check_profile, check_weapons
from sandtable.rules import rule

ASSAULT: Final = "assault"
HEAVY: Final = "heavy"
RAPID_FIRE: Final = "rapid fire"
GRENADE: Final = "grenade"
PISTOL: Final = "pistol"
MELEE: Final = "melee"
TYPES: Final = (ASSAULT, HEAVY, RAPID_FIRE, GRENADE, PISTOL)
USER: Final = "user"
MODEL: Final = (
    "move", "weapon_skill", "ballistic_skill", "strength", "toughness", "wounds", "attacks", "leadership", "save",
)  # fmt: skip
"""What datasheets here call the characteristics of a model, in the order in which they are printed."""
WEAPON: Final = ("type", "strength", "ap", "damage")
"""Those of a weapon; a ranged one has its range before them."""

Dash: TypeAlias = None
"""A characteristic that is printed as a dash, and never changes."""
Same: TypeAlias = msgspec.UnsetType


class Weapon(forty.Weapon, frozen=True, cache_hash=True, forbid_unknown_fields=True, kw_only=True):
    """A weapon profile: how it is used, and how hard it strikes in whose hands."""

    type: str = MELEE
    attacks: str = ""
    """The number behind the type; a melee weapon has none, since its bearer's Attacks count."""
    strength: str
    """A number, or "user", "+2" or "x2" for what it makes of its bearer's Strength."""
    ap: int | Dash = None
    """0 or below."""


class Row(msgspec.Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True):
    """A row of a chart: what the characteristics in it are for a model with no more than so many wounds left."""

    up_to: int
    move: int | str | Dash | Same = msgspec.UNSET
    weapon_skill: int | Dash | Same = msgspec.UNSET
    ballistic_skill: int | Dash | Same = msgspec.UNSET
    strength: int | Same = msgspec.UNSET
    toughness: int | Same = msgspec.UNSET
    attacks: int | str | Same = msgspec.UNSET
    leadership: int | Same = msgspec.UNSET
    save: int | Same = msgspec.UNSET


class Sheet(forty.Sheet, frozen=True, cache_hash=True, forbid_unknown_fields=True, kw_only=True):
    """A datasheet with skills, Strength and Attacks of the model itself."""

    weapon_skill: int | Dash
    ballistic_skill: int | Dash
    strength: int
    attacks: int | str
    chart: tuple[Row, ...] = ()
    """What changes as wounds are lost."""
    weapons: tuple[Weapon, ...] = ()
    power: int = 0
    """Its unit's Power Rating."""
    role: str = ""
    """The battlefield role, which nothing here asks for."""
    psyker: Psyker | None = None


@rule(
    "w40k8.sheet.profile",
    "w40k8.sheet.weapon_profile",
    "w40k8.sheet.name_and_role",
    "w40k8.concept.datasheet",
    "w40k8.gap.base_sizes",
)
def check_sheet(sheet: Sheet) -> None:
    """Refuse a datasheet that no model can be played from."""
    if not sheet.name.strip():
        raise UserError("A datasheet has a name [w40k8.sheet.name_and_role].")
    check_profile(sheet, MODEL, printed("w40k8"))
    check_weapons(sheet, WEAPON, printed("w40k8"), problem_of_type)


@rule("w40k8.weapon.types", neutral="")
def problem_of_type(weapon: Weapon) -> str:
    """What is wrong with the type of a weapon: a ranged one has one of five, and a number behind it."""
    if weapon.is_melee:
        return "" if weapon.type == MELEE and not weapon.attacks else "a melee weapon has the type melee, and no number"
    if weapon.type not in TYPES:
        return f"the type of a ranged weapon is {', '.join(TYPES)}, not '{weapon.type}'"
    return problem_of_value("attacks", as_printed(weapon.attacks), "dice")
