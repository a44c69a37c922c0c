"""Datasheets whose weapons have a skill and a Strength of their own, as packs print them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from sandtable.armies import ArmyList, Pack, check_list
from sandtable.armies import Sheet as PackSheet
from sandtable.armies.characteristics import Printed, Value
from sandtable.armies.format import ModelKind
from sandtable.errors import UserError
from sandtable.forty import sheets
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
from sandtable.forty.sheets import check_profile, check_weapons, check_words

MUSTERING: Final = ("faction", "detachment", "repeated", "warlord", "points")
"""Topics of lists that datasheets say nothing about."""
MODEL: Final = ("move", "toughness", "save", "wounds", "leadership", "oc")
"""What datasheets here call the characteristics of a model, in the order in which they are printed..."""
WEAPON: Final = ("attacks", "skill", "strength", "ap", "damage")
"""...and those of a weapon; a ranged one has its range before them."""


class Weapon(sheets.Weapon, frozen=True, cache_hash=True, forbid_unknown_fields=True, kw_only=True):
    """A weapon profile with its own skill and Strength."""

    skill: int
    """What a hit roll needs; 0 for a weapon that makes none."""
    strength: int
    ap: int
    """0 or below."""


class Sheet(sheets.Sheet, frozen=True, cache_hash=True, forbid_unknown_fields=True, kw_only=True):
    """A datasheet with such weapons; each edition adds Objective Control."""

    weapons: tuple[Weapon, ...] = ()
    leads: tuple[str, ...] = ()
    """Names of the units that a Leader can be attached to."""


def fields_of(
    pack: Pack, sheet: PackSheet, kind: ModelKind, copies: Mapping[str, int], at_least: int
) -> dict[str, Any]:
    """The profile of one kind of model, with all weapons of its datasheet in a pack, as fields of a sheet.

    `at_least` is the Move of models that have to go so far or further.
    """
    return {
        "name": kind.name,
        "move": _move(kind.stats["M"], at_least),
        "toughness": number(kind.stats["T"]),
        "save": number(kind.stats["Sv"]),
        "wounds": number(kind.stats["W"]),
        "leadership": number(kind.stats["Ld"]),
        "base": kind.base,
        "height": kind.height,
        "keywords": keywords_of(sheet, kind),
        "invulnerable": kind.invulnerable or 0,
        "abilities": tuple(sheet.core),
        "transport": transport_of(sheet),
        "weapons": tuple(_weapon(w) for w in profiles_of(sheet.weapons, copies)),
        "leads": led_by(pack, sheet),
    }


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


def _move(value: Value, at_least: int) -> int | str | None:
    if isinstance(value, int):
        return value
    if value == "-":
        return None
    return at_least if str(value).endswith("+") else str(value)


def problems_of(army: ArmyList, pack: Pack, rules: Mapping[str, str], composition: str) -> list[Problem]:
    """What is wrong with a list by its datasheets, with the rules that say so: by topic, or what they are made of."""
    found = [problem for problem in check_list(pack, army) if problem.topic not in MUSTERING]
    return [Problem(str(problem), rules.get(problem.topic, composition)) for problem in found]


def check_printed(sheet: Any, table: Printed) -> None:
    """Refuse a datasheet that no model can be played from."""
    (line,) = table.models
    check_profile(sheet, MODEL, line)
    if not sheet.keywords:
        raise UserError(f"{sheet.name}: a datasheet has keywords.")
    check_words(sheet, table)
    check_weapons(sheet, WEAPON, table, dashes=("skill",))
