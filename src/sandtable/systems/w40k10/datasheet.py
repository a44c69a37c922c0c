"""Datasheets: model profiles, weapon profiles, abilities and keywords."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from sandtable.armies import ArmyList, Pack
from sandtable.armies import Sheet as PackSheet
from sandtable.armies.characteristics import printed
from sandtable.armies.format import ModelKind
from sandtable.forty import profiles
from sandtable.forty.enlist import Problem, number
from sandtable.forty.profiles import Weapon, check_printed, fields_of, problems_of
from sandtable.rules import rule

__all__ = ["Sheet", "Weapon", "check_composition", "check_sheet", "to_sheet"]

AIRCRAFT_MOVE: Final = 20


class Sheet(profiles.Sheet, frozen=True, cache_hash=True, forbid_unknown_fields=True, kw_only=True):
    """A datasheet with Objective Control."""

    oc: int


def to_sheet(pack: Pack, sheet: PackSheet, kind: ModelKind, copies: Mapping[str, int]) -> Sheet:
    """The profile of one kind of model, with all weapons of its datasheet in a pack."""
    return Sheet(**fields_of(pack, sheet, kind, copies, AIRCRAFT_MOVE), oc=number(kind.stats["OC"]))


@rule("w40k10.datasheet.move_dash", neutral=True)
def can_ever_move(sheet: Sheet) -> bool:
    """A model with a Move of "-" never moves."""
    return sheet.move is not None


@rule("w40k10.datasheet.contents", "w40k10.datasheet.profile")
def check_sheet(sheet: Sheet) -> None:
    """Refuse a datasheet that no model can be played from, such as one whose profile lacks a characteristic."""
    check_printed(sheet, printed("w40k10"))


@rule("w40k10.datasheet.composition", "w40k10.datasheet.wargear_options", "w40k10.concept.unit", neutral=())
def check_composition(army: ArmyList, pack: Pack) -> list[Problem]:
    """What the datasheets say: models, wargear, who leads whom, who fits into which transport."""
    return problems_of(army, pack, _RULES, "w40k10.datasheet.composition")


_RULES: Final = {
    "wargear": "w40k10.datasheet.wargear_options",
    "lead": "w40k10.ability.leader_attach",
    "transport": "w40k10.transport.capacity",
    "enhancement": "w40k10.muster.enhancements",
}


@rule("w40k10.datasheet.weapon_profile", neutral=True)
def can_be_fired(weapon: Weapon) -> bool:
    """Melee weapons do not shoot."""
    return not weapon.is_melee


@rule("w40k10.datasheet.weapon_profile", neutral=True)
def can_strike(weapon: Weapon) -> bool:
    """Ranged weapons are not used in the Fight phase."""
    return weapon.is_melee
