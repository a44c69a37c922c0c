"""Datasheets: model profiles, weapon profiles, abilities and keywords."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from sandtable.armies import ArmyList, Pack, check_list
from sandtable.armies import Sheet as PackSheet
from sandtable.armies.characteristics import Printed, Value, is_one_of, printed
from sandtable.armies.format import ModelKind
from sandtable.errors import UserError
from sandtable.forty import sheets as forty
from sandtable.forty.enlist import (
    PrintedWeapon,
    Problem,
    keywords_of,
    led_by,
    number,
    profiles_of,
    range_of,
    transport_of,
)
from sandtable.forty.sheets import check_profile, check_weapons
from sandtable.rules import rule

AIRCRAFT_MOVE: Final = 20
MOST_ABOARD: Final = 60
DICE: Final = re.compile(r"D(?=[36])")
MODEL: Final = ("move", "toughness", "save", "wounds", "leadership", "oc")
"""What datasheets here call the characteristics of a model, in the order in which they are printed..."""
WEAPON: Final = ("attacks", "skill", "strength", "ap", "damage")
"""...and those of a weapon; a ranged one has its range before them."""


class Weapon(forty.Weapon, frozen=True, cache_hash=True, forbid_unknown_fields=True, kw_only=True):
    """A weapon profile with its own skill and Strength."""

    skill: int
    """What a hit roll needs; 0 for a weapon that makes none."""
    strength: int
    ap: int
    """0 or below."""


class Sheet(forty.Sheet, frozen=True, cache_hash=True, forbid_unknown_fields=True, kw_only=True):
    """A datasheet with Objective Control."""

    oc: int
    weapons: tuple[Weapon, ...] = ()
    leads: tuple[str, ...] = ()
    """Names of the units that a Leader can be attached to."""


def to_sheet(pack: Pack, sheet: PackSheet, kind: ModelKind, copies: Mapping[str, int]) -> Sheet:
    """The profile of one kind of model, with all weapons of its datasheet in a pack."""
    return Sheet(
        kind.name,
        _move(kind.stats["M"]),
        number(kind.stats["T"]),
        number(kind.stats["Sv"]),
        number(kind.stats["W"]),
        number(kind.stats["Ld"]),
        kind.base,
        kind.height,
        keywords_of(sheet, kind),
        kind.invulnerable or 0,
        tuple(sheet.core),
        transport_of(sheet),
        oc=number(kind.stats["OC"]),
        weapons=tuple(_weapon(w) for w in profiles_of(sheet.weapons, copies)),
        leads=led_by(pack, sheet),
    )


def _weapon(listed: PrintedWeapon) -> Weapon:
    stats = listed.profile.stats
    return Weapon(
        listed.name,
        str(stats["A"]),
        str(stats["D"]),
        range_of(listed.profile),
        listed.profile.abilities,
        listed.of,
        skill=number(stats["BS" if "Range" in stats else "WS"]),
        strength=number(stats["S"]),
        ap=number(stats["AP"]),
    )


def _move(value: Value) -> int | str | None:
    if isinstance(value, int):
        return value
    if value == "-":
        return None
    return AIRCRAFT_MOVE if str(value).endswith("+") else str(value)


@rule("w40k10.datasheet.contents")
def check_sheet(sheet: Sheet) -> None:
    """Refuse a datasheet that no model can be played from."""
    table = printed("w40k10")
    check_profile(sheet, MODEL, table)
    if not sheet.keywords:
        raise UserError(f"{sheet.name}: a datasheet has keywords.")
    for ability in sheet.abilities:
        if not is_one_of(DICE.sub("d", ability), table.core):
            raise UserError(
                f"{sheet.name}: there is no core ability '{ability}'; there are {', '.join(table.core or ())}."
            )
    if sheet.transport is not None and not 1 <= sheet.transport.capacity <= MOST_ABOARD:
        room = sheet.transport.capacity
        raise UserError(f"{sheet.name}: a transport has room for 1 to {MOST_ABOARD} models, not {room}.")
    check_weapons(sheet, WEAPON, table, lambda weapon: _strange_ability(weapon, table), dashes=("skill",))


def _strange_ability(weapon: Weapon, table: Printed) -> str:
    strange = [a for a in weapon.abilities if not is_one_of(DICE.sub("d", a), table.weapon_abilities)]
    known = ", ".join(table.weapon_abilities or ())
    return f"there is no weapon ability '{strange[0]}'; there are {known}" if strange else ""


# --- Army lists -------------------------------------------------------------------------------------------------------


@rule("w40k10.datasheet.composition", "w40k10.datasheet.wargear_options", "w40k10.concept.unit", neutral=())
def check_composition(army: ArmyList, pack: Pack) -> list[Problem]:
    """What the datasheets say: models, wargear, who leads whom, who fits into which transport."""
    return [
        Problem(str(problem), _RULES.get(problem.topic, "w40k10.datasheet.composition"))
        for problem in check_list(pack, army)
        if problem.topic not in _CHECKED_HERE
    ]


_CHECKED_HERE: Final = ("faction", "detachment", "repeated", "warlord", "points")
_RULES: Final = {
    "wargear": "w40k10.datasheet.wargear_options",
    "lead": "w40k10.ability.leader_attach",
    "transport": "w40k10.transport.capacity",
    "enhancement": "w40k10.muster.enhancements",
}
