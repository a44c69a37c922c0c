"""Datasheets: what has to be on them, and the types of weapons."""

from __future__ import annotations

from typing import Final

from sandtable.armies.characteristics import printed, problem_of_value
from sandtable.errors import UserError
from sandtable.forty.fighters import MELEE, MODEL, WEAPON, Sheet, Weapon
from sandtable.forty.sheets import as_printed, check_profile, check_weapons
from sandtable.rules import rule

ASSAULT: Final = "assault"
HEAVY: Final = "heavy"
RAPID_FIRE: Final = "rapid fire"
GRENADE: Final = "grenade"
PISTOL: Final = "pistol"
TYPES: Final = (ASSAULT, HEAVY, RAPID_FIRE, GRENADE, PISTOL)


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
