"""Muster your army: what an army list must keep to, beyond what the datasheets themselves ask."""

from __future__ import annotations

from collections import Counter

from sandtable.armies import ArmyList, Pack, check_list, list_points
from sandtable.armies.lists import name_of
from sandtable.forty.enlist import Problem, forbids, has_keyword, known_units
from sandtable.forty.state import Entry
from sandtable.rules import rule
from sandtable.systems.w40k10.book import BOOK
from sandtable.systems.w40k10.datasheet import check_composition


def check_muster(army: ArmyList, pack: Pack) -> list[Problem]:
    """Everything that is wrong with an army list."""
    if army.system != pack.header.system or pack.faction(army.faction) is None:
        return [Problem(text, "w40k10.muster.faction") for text in check_list(pack, army)]
    return [
        *check_size(army),
        *check_faction(army, pack),
        *check_detachment(army, pack),
        *check_character(army, pack),
        *check_points(army, pack),
        *check_copies(army, pack),
        *check_epic_heroes(army, pack),
        *check_enhancements(army, pack),
        *check_warlord(army, pack),
        *check_composition(army, pack),
    ]


@rule("w40k10.muster.battle_size", neutral=())
def check_size(army: ArmyList) -> list[Problem]:
    """The points limit is that of a battle size."""
    if army.limit in BOOK.battle_sizes.values():
        return []
    known = ", ".join(f"{name} {points}" for name, points in BOOK.battle_sizes.items())
    return [Problem(f"{army.limit} points are no battle size: {known}.", "w40k10.muster.battle_size")]


@rule("w40k10.muster.faction", neutral=())
def check_faction(army: ArmyList, pack: Pack) -> list[Problem]:
    """Every unit has the army's one Faction keyword."""
    faction = pack.faction(army.faction)
    assert faction is not None
    return [
        Problem(f"The keyword {faction.keyword} is missing from {name_of(pack, unit)}.", "w40k10.muster.faction")
        for unit, sheet in known_units(army, pack)
        if faction.keyword not in sheet.faction_keywords
    ]


@rule("w40k10.muster.detachment", neutral=())
def check_detachment(army: ArmyList, pack: Pack) -> list[Problem]:
    """One set of Detachment rules of the faction is chosen; the army has what it asks for, and not what it forbids."""
    rule_, chosen = "w40k10.muster.detachment", pack.detachment(army.faction, army.detachment)
    if chosen is None:
        return [Problem(f"The faction has no Detachment '{army.detachment}'.", rule_)]
    units = known_units(army, pack)
    out = [
        Problem(f"The Detachment {chosen.name} does not allow {name_of(pack, unit)}.", rule_)
        for unit, sheet in units
        if any(word == sheet.id or has_keyword(sheet, word) for word in chosen.forbids)
    ]
    for word in chosen.needs:
        if not any(word == sheet.id or has_keyword(sheet, word) for _, sheet in units):
            out.append(Problem(f"The Detachment {chosen.name} asks for a unit of {word}.", rule_))
    return out


@rule("w40k10.muster.character", neutral=())
def check_character(army: ArmyList, pack: Pack) -> list[Problem]:
    """At least one CHARACTER."""
    if any(has_keyword(sheet, "CHARACTER") for _, sheet in known_units(army, pack)):
        return []
    return [Problem("The army has no CHARACTER.", "w40k10.muster.character")]


@rule("w40k10.muster.points", neutral=())
def check_points(army: ArmyList, pack: Pack) -> list[Problem]:
    """Units, wargear and Enhancements cost no more than the limit."""
    points = list_points(pack, army)
    if points <= army.limit:
        return []
    return [Problem(f"The army costs {points} points; the limit is {army.limit}.", "w40k10.muster.points")]


@rule("w40k10.muster.copies", neutral=())
def check_copies(army: ArmyList, pack: Pack) -> list[Problem]:
    """Three units of a datasheet, or six of BATTLELINE and DEDICATED TRANSPORT."""
    out = []
    sheets = {sheet.id: sheet for _, sheet in known_units(army, pack)}
    for id_, number in sorted(Counter(sheet.id for _, sheet in known_units(army, pack)).items()):
        sheet = sheets[id_]
        many = has_keyword(sheet, "BATTLELINE") or has_keyword(sheet, "DEDICATED TRANSPORT")
        most = BOOK.more_copies if many else BOOK.copies
        if number > most:
            text = f"{number} units of {sheet.name}; an army has at most {most}."
            out.append(Problem(text, "w40k10.muster.copies"))
    return out


@rule("w40k10.muster.epic_heroes", neutral=())
def check_epic_heroes(army: ArmyList, pack: Pack) -> list[Problem]:
    """There is only one of each EPIC HERO."""
    heroes = {sheet.id: sheet.name for _, sheet in known_units(army, pack) if has_keyword(sheet, "EPIC HERO")}
    number = Counter(sheet.id for _, sheet in known_units(army, pack))
    return [
        Problem(f"{name} is an EPIC HERO, and there is only one.", "w40k10.muster.epic_heroes")
        for id_, name in sorted(heroes.items())
        if number[id_] > 1
    ]


@rule("w40k10.muster.enhancements", neutral=())
def check_enhancements(army: ArmyList, pack: Pack) -> list[Problem]:
    """Three Enhancements, all different, for CHARACTERS that are no EPIC HEROES."""
    rule_ = "w40k10.muster.enhancements"
    out = []
    for unit, sheet in known_units(army, pack):
        if not unit.enhancement:
            continue
        if not has_keyword(sheet, "CHARACTER"):
            out.append(Problem(f"{name_of(pack, unit)} is no CHARACTER and can have no Enhancement.", rule_))
        if has_keyword(sheet, "EPIC HERO"):
            out.append(Problem(f"{name_of(pack, unit)} is an EPIC HERO and can have no Enhancement.", rule_))
    taken = Counter(unit.enhancement for unit in army.units if unit.enhancement)
    out += [Problem(f"The Enhancement {name} is given twice.", rule_) for name, n in sorted(taken.items()) if n > 1]
    if sum(taken.values()) > BOOK.enhancements:
        out.append(Problem(f"{sum(taken.values())} Enhancements; an army has at most {BOOK.enhancements}.", rule_))
    return out


@rule("w40k10.muster.warlord", neutral=())
def check_warlord(army: ArmyList, pack: Pack) -> list[Problem]:
    """One CHARACTER is the Warlord."""
    rule_ = "w40k10.muster.warlord"
    chosen = [unit for unit in army.units if unit.warlord]
    if len(chosen) != 1:
        return [Problem(f"An army has one Warlord, not {len(chosen) or 'none'}.", rule_)]
    (warlord,) = chosen
    sheet, name = pack.sheet(warlord.sheet), name_of(pack, warlord)
    if sheet is None:
        return []
    if not has_keyword(sheet, "CHARACTER"):
        return [Problem(f"{name} is no CHARACTER and cannot be the Warlord.", rule_)]
    if forbids(sheet, "warlord"):
        return [Problem(f"{name} cannot be the Warlord, as its datasheet says.", rule_)]
    return [
        Problem(f"{name_of(pack, unit)} is in the army, so that {name} cannot be the Warlord.", rule_)
        for unit, other in known_units(army, pack)
        if forbids(other, "another_warlord") and not unit.warlord
    ]


# --- The roster -------------------------------------------------------------------------------------------------------


@rule("w40k10.concept.army", neutral=0)
def commander(player: int) -> int:
    """All models of a list are under the command of its player."""
    return player


@rule("w40k10.muster.roster", neutral=Entry(""))
def on_roster(entry: Entry) -> Entry:
    """The roster shows each unit with models, wargear, Enhancement and points; everybody can read it."""
    return entry
