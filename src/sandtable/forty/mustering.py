"""Mustering: what army lists keep to beyond what the datasheets themselves ask, where an edition asks for it.

Each check takes the rule that it cites; the numbers are the edition's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from sandtable.armies import ArmyList, Pack, Sheet, list_points
from sandtable.armies.lists import name_of, sheet_in
from sandtable.forty.enlist import Problem, forbids, has_keyword, known_units


def check_size(army: ArmyList, sizes: Mapping[str, int], rule: str) -> list[Problem]:
    """The points limit is that of a battle size."""
    if army.limit in sizes.values():
        return []
    known = ", ".join(f"{name} {points}" for name, points in sizes.items())
    return [Problem(f"{army.limit} points are no battle size: {known}.", rule)]


def check_faction(army: ArmyList, pack: Pack, rule: str) -> list[Problem]:
    """Every unit has the army's one Faction keyword."""
    faction = pack.faction(army.faction)
    assert faction is not None
    return [
        Problem(f"The keyword {faction.keyword} is missing from {name_of(pack, unit)}.", rule)
        for unit, sheet in known_units(army, pack)
        if faction.keyword not in sheet.faction_keywords
    ]


def check_detachment(army: ArmyList, pack: Pack, rule: str) -> list[Problem]:
    """One set of Detachment rules of the faction is chosen; the army has what it asks for, and not what it forbids."""
    chosen = pack.detachment(army.faction, army.detachment)
    if chosen is None:
        return [Problem(f"The faction has no Detachment '{army.detachment}'.", rule)]
    units = known_units(army, pack)
    out = [
        Problem(f"The Detachment {chosen.name} does not allow {name_of(pack, unit)}.", rule)
        for unit, sheet in units
        if any(word == sheet.id or has_keyword(sheet, word) for word in chosen.forbids)
    ]
    for word in chosen.needs:
        if not any(word == sheet.id or has_keyword(sheet, word) for _, sheet in units):
            out.append(Problem(f"The Detachment {chosen.name} asks for a unit of {word}.", rule))
    return out


def check_character(army: ArmyList, pack: Pack, rule: str) -> list[Problem]:
    """At least one CHARACTER."""
    if any(has_keyword(sheet, "CHARACTER") for _, sheet in known_units(army, pack)):
        return []
    names = [sheet.name for sheet in pack.sheets() if has_keyword(sheet, "CHARACTER") and _is_of(army, pack, sheet)]
    such = f", such as {names[0]}" if names else ""
    return [Problem(f"The army has no CHARACTER: add one to the list{such}.", rule)]


def _is_of(army: ArmyList, pack: Pack, sheet: Sheet) -> bool:
    """Whether a datasheet belongs to the army's faction, and may be taken more than once."""
    faction = pack.faction(army.faction)
    return faction is not None and faction.keyword in sheet.faction_keywords and not has_keyword(sheet, "EPIC HERO")


def check_points(army: ArmyList, pack: Pack, rule: str) -> list[Problem]:
    """Units, wargear and Enhancements cost no more than the limit."""
    points = list_points(pack, army)
    if points <= army.limit:
        return []
    return [Problem(f"The army costs {points} points; the limit is {army.limit}.", rule)]


def check_copies(army: ArmyList, pack: Pack, copies: int, more: int, rule: str) -> list[Problem]:
    """So many units of a datasheet, or more of BATTLELINE and DEDICATED TRANSPORT."""
    out = []
    sheets = {sheet.id: sheet for _, sheet in known_units(army, pack)}
    for id_, number in sorted(Counter(sheet.id for _, sheet in known_units(army, pack)).items()):
        sheet = sheets[id_]
        many = has_keyword(sheet, "BATTLELINE") or has_keyword(sheet, "DEDICATED TRANSPORT")
        most = more if many else copies
        if number > most:
            out.append(Problem(f"{number} units of {sheet.name}; an army has at most {most}.", rule))
    return out


def check_epic_heroes(army: ArmyList, pack: Pack, rule: str) -> list[Problem]:
    """There is only one of each EPIC HERO."""
    heroes = {sheet.id: sheet.name for _, sheet in known_units(army, pack) if has_keyword(sheet, "EPIC HERO")}
    number = Counter(sheet.id for _, sheet in known_units(army, pack))
    return [
        Problem(f"{name} is an EPIC HERO, and there is only one.", rule)
        for id_, name in sorted(heroes.items())
        if number[id_] > 1
    ]


def check_enhancements(army: ArmyList, pack: Pack, most: int, rule: str) -> list[Problem]:
    """So many Enhancements, all different, for CHARACTERS that are no EPIC HEROES."""
    out = []
    for unit, sheet in known_units(army, pack):
        if not unit.enhancement:
            continue
        if not has_keyword(sheet, "CHARACTER"):
            out.append(Problem(f"{name_of(pack, unit)} is no CHARACTER and can have no Enhancement.", rule))
        if has_keyword(sheet, "EPIC HERO"):
            out.append(Problem(f"{name_of(pack, unit)} is an EPIC HERO and can have no Enhancement.", rule))
    taken = Counter(unit.enhancement for unit in army.units if unit.enhancement)
    out += [Problem(f"The Enhancement {name} is given twice.", rule) for name, n in sorted(taken.items()) if n > 1]
    if sum(taken.values()) > most:
        out.append(Problem(f"{sum(taken.values())} Enhancements; an army has at most {most}.", rule))
    return out


def check_warlord(army: ArmyList, pack: Pack, rule: str) -> list[Problem]:
    """One CHARACTER is the Warlord."""
    chosen = [unit for unit in army.units if unit.warlord]
    if len(chosen) != 1:
        said = f"An army has one Warlord, not {len(chosen) or 'none'}"
        return [Problem(f"{said}: name one of its CHARACTERS as the Warlord.", rule)]
    (warlord,) = chosen
    sheet, name = sheet_in(pack, army, warlord), name_of(pack, warlord)
    if sheet is None:
        return []
    if not has_keyword(sheet, "CHARACTER"):
        return [Problem(f"{name} is no CHARACTER and cannot be the Warlord.", rule)]
    if forbids(sheet, "warlord"):
        return [Problem(f"{name} cannot be the Warlord, as its datasheet says.", rule)]
    return [
        Problem(f"{name_of(pack, unit)} is in the army, so that {name} cannot be the Warlord.", rule)
        for unit, other in known_units(army, pack)
        if forbids(other, "another_warlord") and not unit.warlord
    ]
