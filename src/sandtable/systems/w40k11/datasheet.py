"""Datasheets (02): model profiles, weapon profiles, and what an army list may make of them."""

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

    oc: int | None
    """None for "-"."""


def to_sheet(pack: Pack, sheet: PackSheet, kind: ModelKind, copies: Mapping[str, int]) -> Sheet:
    """The profile of one kind of model, with all weapons of its datasheet in a pack."""
    oc = kind.stats["OC"]
    return Sheet(**fields_of(pack, sheet, kind, copies, AIRCRAFT_MOVE), oc=None if oc == "-" else number(oc))


@rule("w40k11.datasheet.profile")
def check_sheet(sheet: Sheet) -> None:
    """Refuse a datasheet that no model can be played from."""
    check_printed(sheet, printed("w40k11"))


@rule("w40k11.datasheet.weapon", neutral=True)
def can_be_fired(weapon: Weapon) -> bool:
    """Melee weapons do not shoot."""
    return not weapon.is_melee


@rule("w40k11.datasheet.weapon", neutral=True)
def can_strike(weapon: Weapon) -> bool:
    """Ranged weapons do not fight."""
    return weapon.is_melee


# --- Army lists -------------------------------------------------------------------------------------------------------


@rule("w40k11.datasheet.composition", "w40k11.datasheet.wargear", neutral=())
def check_composition(army: ArmyList, pack: Pack) -> list[Problem]:
    """What the datasheets say: models, wargear, who leads whom, who fits into which transport."""
    return problems_of(army, pack, _RULES, "w40k11.datasheet.composition")


_RULES: Final = {
    "wargear": "w40k11.datasheet.wargear",
    "lead": "w40k11.attached.form",
    "transport": "w40k11.transport.capacity",
    "enhancement": "w40k11.gap.mustering",
}
