"""From army lists to units: datasheets of a pack as 8th edition plays them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

from sandtable.armies import ArmyList, Pack, check_list
from sandtable.armies import Sheet as PackSheet
from sandtable.armies.characteristics import Value
from sandtable.armies.format import ModelKind
from sandtable.forty import enlist as shared
from sandtable.forty.enlist import (
    Army,
    Lists,
    PrintedWeapon,
    keywords_of,
    number,
    profiles_of,
    range_of,
    transport_of,
)
from sandtable.rules import rule
from sandtable.systems.w40k8.datasheet import MODEL, Psyker, Row, Sheet, Weapon
from sandtable.systems.w40k8.setup import FRAME
from sandtable.systems.w40k8.state import Setup8, State8
from sandtable.table.layout import Table

PRINTED: Final = ("M", "WS", "BS", "S", "T", "W", "A", "Ld", "Sv")
"""The characteristics of a model as packs call them, in the order of `MODEL`."""


def assemble(armies: Mapping[str, Army], table: Table, options: dict[str, str], **data: Any) -> tuple[Setup8, State8]:
    """The armies beside a table; nothing is checked here."""
    return shared.assemble(FRAME, LISTS, armies, table, options, **data)


def to_sheet(pack: Pack, sheet: PackSheet, kind: ModelKind, copies: Mapping[str, int]) -> Sheet:
    """The profile of one kind of model, with all weapons of its datasheet in a pack."""
    return Sheet(
        name=kind.name,
        **_characteristics(kind.stats),
        base=kind.base,
        height=kind.height,
        keywords=keywords_of(sheet, kind),
        invulnerable=kind.invulnerable or 0,
        abilities=tuple(sheet.core),
        transport=transport_of(sheet),
        chart=tuple(Row(row.wounds, **_characteristics(row.stats)) for row in kind.chart),
        weapons=tuple(_weapon(weapon) for weapon in profiles_of(sheet.weapons, copies)),
        role=sheet.role,
        psyker=_psyker(sheet),
    )


def _characteristics(stats: Mapping[str, Value]) -> dict[str, Any]:
    """Those of a model, or of a row of its chart; None for a dash."""
    names = dict(zip(PRINTED, MODEL, strict=True))
    return {names[name]: None if value == "-" else value for name, value in stats.items()}


def _weapon(listed: PrintedWeapon) -> Weapon:
    stats = listed.profile.stats
    kind, attacks = _type(str(stats["Type"]).lower())
    return Weapon(
        name=listed.name,
        attacks=attacks.upper(),
        damage=str(stats["D"]),
        range=range_of(listed.profile),
        abilities=listed.profile.abilities,
        of=listed.of,
        type=kind,
        strength=str(stats["S"]).lower(),
        ap=None if stats["AP"] == "-" else number(stats["AP"]),
    )


def _type(text: str) -> tuple[str, str]:
    """The type of a weapon, and the number behind it: "rapid fire" and "1"."""
    name, _, attacks = text.rpartition(" ")
    return (name, attacks) if name else (text, "")


def _psyker(sheet: PackSheet) -> Psyker | None:
    if sheet.psyker is None:
        return None
    powers = tuple(name.lower() for name in sheet.psyker.powers)
    return Psyker(sheet.psyker.casts, sheet.psyker.denies, powers, sheet.psyker.more)


def with_power(sheet: Sheet, power: int) -> Sheet:
    """The sheet of a model in a unit with such a Power Rating."""
    return msgspec.structs.replace(sheet, power=power)


def problems(army: ArmyList, pack: Pack) -> Iterator[str]:
    """What the datasheets do not allow."""
    yield from check_list(pack, army)


@rule("w40k8.warlord.nominate", neutral=False)
def may_be_warlord(sheet: Sheet) -> bool:
    """Any model can be the Warlord."""
    return True


LISTS: Final = Lists(to_sheet, problems, may_be_warlord, in_unit=with_power)
