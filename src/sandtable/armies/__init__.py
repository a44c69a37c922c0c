"""Armies: the datasheet format of all systems, packs of datasheets, and army lists."""

from sandtable.armies.checks import check_faction
from sandtable.armies.effects import AnyEffect, Effect
from sandtable.armies.enforcement import not_enforced, share
from sandtable.armies.format import Ability, Faction, Header, Sheet, Weapon
from sandtable.armies.lists import ArmyList, check_list, list_points, read_list, unit_points
from sandtable.armies.pack import Pack
from sandtable.armies.packs import find_packs, load_pack, open_pack

__all__ = [
    "Ability",
    "AnyEffect",
    "ArmyList",
    "Effect",
    "Faction",
    "Header",
    "Pack",
    "Sheet",
    "Weapon",
    "check_faction",
    "check_list",
    "find_packs",
    "list_points",
    "load_pack",
    "not_enforced",
    "open_pack",
    "read_list",
    "share",
    "unit_points",
]
