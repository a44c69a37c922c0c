"""Muster your army: what an army list must keep to, beyond what the datasheets themselves ask."""

from __future__ import annotations

from types import MappingProxyType

from sandtable.armies import ArmyList, Pack, check_list
from sandtable.forty import mustering, passengers
from sandtable.forty.enlist import Problem
from sandtable.forty.state import Entry
from sandtable.rules import Facts, fact, rule
from sandtable.systems.w40k10 import core_concepts as concepts
from sandtable.systems.w40k10.datasheet import Sheet, check_composition
from sandtable.systems.w40k10.state import UNLIMITED, Battle10


class MUSTER(Facts):
    battle_sizes = fact(
        MappingProxyType({"incursion": 1000, "strike force": 2000, "onslaught": 3000}),
        "w40k10.muster.battle_size",
        neutral=MappingProxyType({"incursion": 0, "strike force": 0, "onslaught": 0}),
    )
    """Battle sizes, and the points of each army."""
    copies = fact(3, "w40k10.muster.copies", neutral=UNLIMITED)
    """So many units of a datasheet an army has at most..."""
    more_copies = fact(6, "w40k10.muster.copies", neutral=UNLIMITED)
    """...and so many of BATTLELINE and DEDICATED TRANSPORT."""
    enhancements = fact(3, "w40k10.muster.enhancements", neutral=UNLIMITED)
    """So many Enhancements an army has at most."""


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
    return mustering.check_size(army, MUSTER.battle_sizes, "w40k10.muster.battle_size")


@rule("w40k10.muster.faction", neutral=())
def check_faction(army: ArmyList, pack: Pack) -> list[Problem]:
    """Every unit has the army's one Faction keyword."""
    return mustering.check_faction(army, pack, "w40k10.muster.faction")


@rule("w40k10.muster.detachment", neutral=())
def check_detachment(army: ArmyList, pack: Pack) -> list[Problem]:
    """One set of Detachment rules of the faction is chosen; the army has what it asks for, and not what it forbids."""
    return mustering.check_detachment(army, pack, "w40k10.muster.detachment")


@rule("w40k10.muster.character", neutral=())
def check_character(army: ArmyList, pack: Pack) -> list[Problem]:
    """At least one CHARACTER."""
    return mustering.check_character(army, pack, "w40k10.muster.character")


@rule("w40k10.muster.points", neutral=())
def check_points(army: ArmyList, pack: Pack) -> list[Problem]:
    """Units, wargear and Enhancements cost no more than the limit."""
    return mustering.check_points(army, pack, "w40k10.muster.points")


@rule("w40k10.muster.copies", neutral=())
def check_copies(army: ArmyList, pack: Pack) -> list[Problem]:
    """Three units of a datasheet, or six of BATTLELINE and DEDICATED TRANSPORT."""
    return mustering.check_copies(army, pack, MUSTER.copies, MUSTER.more_copies, "w40k10.muster.copies")


@rule("w40k10.muster.epic_heroes", neutral=())
def check_epic_heroes(army: ArmyList, pack: Pack) -> list[Problem]:
    """There is only one of each EPIC HERO."""
    return mustering.check_epic_heroes(army, pack, "w40k10.muster.epic_heroes")


@rule("w40k10.muster.enhancements", neutral=())
def check_enhancements(army: ArmyList, pack: Pack) -> list[Problem]:
    """Three Enhancements, all different, for CHARACTERS that are no EPIC HEROES."""
    return mustering.check_enhancements(army, pack, MUSTER.enhancements, "w40k10.muster.enhancements")


@rule("w40k10.muster.warlord", neutral=())
def check_warlord(army: ArmyList, pack: Pack) -> list[Problem]:
    """One CHARACTER is the Warlord."""
    return mustering.check_warlord(army, pack, "w40k10.muster.warlord")


@rule("w40k10.muster.warlord", neutral=False)
def may_be_warlord(sheet: Sheet) -> bool:
    """Whether a model of the Warlord's unit is the one, and gets the keyword."""
    return "CHARACTER" in sheet.keywords


@rule("w40k10.muster.roster", neutral=Entry(""))
def on_roster(entry: Entry) -> Entry:
    """The roster shows each unit with models, wargear, Enhancement and points; everybody can read it."""
    return entry


@rule("w40k10.muster.dedicated_transport")
def leave_empty_behind(b: Battle10, player: int) -> None:
    """A DEDICATED TRANSPORT that nobody starts in is not deployed, and counts as destroyed."""
    passengers.leave_empty_behind(b, player, concepts.has_keyword, "w40k10.muster.dedicated_transport")
