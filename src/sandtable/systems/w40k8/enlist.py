"""From army lists to units: datasheets of a pack as 8th edition plays them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, Final

import msgspec

from sandtable.armies import ArmyList, Pack, check_list
from sandtable.armies import Sheet as PackSheet
from sandtable.armies.characteristics import Value
from sandtable.armies.format import ModelKind
from sandtable.armies.lists import excuse_small_units
from sandtable.forty import enlist as shared
from sandtable.forty.enlist import (
    Lists,
    PrintedWeapon,
    Problem,
    keywords_of,
    number,
    profiles_of,
    range_of,
    transport_of,
)
from sandtable.forty.psykers import Power, Psyker
from sandtable.forty.setup import Frame
from sandtable.rules import Argument, rule
from sandtable.systems.w40k8.datasheet import MODEL, Row, Sheet, Weapon, check_sheet
from sandtable.systems.w40k8.only_war import MARKER
from sandtable.systems.w40k8.readings import READINGS
from sandtable.systems.w40k8.state import Data, Game, Player, Unit

FRAME: Final = Frame(
    system="w40k8",
    name="Warhammer 40,000, 8th edition",
    readings=READINGS,
    unit=Unit,
    player=Player,
    game=Game,
    data=Data,
    sheet=Sheet,
    check_sheet=check_sheet,
    shapes=(MARKER,),
)
PRINTED: Final = ("M", "WS", "BS", "S", "T", "W", "A", "Ld", "Sv")
"""The characteristics of a model as packs call them, in the order of `MODEL`."""


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
        weapons=arms_of(sheet, copies),
        role=sheet.role,
        psyker=_psyker(pack, sheet),
    )


@rule(
    "w40k8.sheet.weapons_elsewhere",
    "w40k8.sheet.composition",
    "w40k8.gap.wargear_options",
    "w40k8.gap.datasheets",
    neutral=(),
)
def arms_of(sheet: PackSheet, copies: Mapping[str, int]) -> tuple[Weapon, ...]:
    """The weapons that models of a unit carry or may take, described on its datasheet or in a list that many share."""
    return tuple(_weapon(weapon) for weapon in profiles_of(sheet.weapons, copies))


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


def _psyker(pack: Pack, sheet: PackSheet) -> Psyker | None:
    if sheet.psyker is None:
        return None
    powers = tuple(name.lower() for name in sheet.psyker.powers)
    return Psyker(sheet.psyker.casts, sheet.psyker.denies, powers, sheet.psyker.more, _discipline(pack, sheet))


def _discipline(pack: Pack, sheet: PackSheet) -> tuple[Power, ...]:
    """The powers of a faction that are played."""
    faction = pack.faction(pack.faction_of(sheet.id))
    told = [p for p in faction.powers if p.enforced and not p.left_out] if faction else []
    return tuple(Power(p.name.lower(), p.charge, 0, "0", ability=True) for p in told)


@rule("w40k8.sheet.power_rating", "w40k8.onlywar.understrength", neutral=Argument("sheet"))
def with_power(sheet: Sheet, power: int) -> Sheet:
    """The sheet of a model in a unit with such a Power Rating."""
    return msgspec.structs.replace(sheet, power=power)


CITED: Final[dict[str, str]] = {
    "composition": "w40k8.sheet.composition",
    "wargear": "w40k8.gap.wargear_options",
    "detachment": "w40k8.gap.battle_forged",
    "points": "w40k8.gap.army_size",
    "warlord": "w40k8.warlord.nominate",
}
"""What a list breaks, by what is wrong with it."""


@rule(
    "w40k8.concept.datasheet",
    "w40k8.sheet.composition",
    "w40k8.sheet.weapons_elsewhere",
    "w40k8.gap.wargear_options",
    "w40k8.gap.battle_forged",
    "w40k8.gap.army_size",
    "w40k8.onlywar.armies",
    "w40k8.onlywar.understrength",
    neutral=(),
)
def problems(army: ArmyList, pack: Pack) -> Iterator[Problem]:
    """What the datasheets do not allow, and an army without models."""
    if not army.units:
        yield Problem("An army needs at least one model.", "w40k8.onlywar.armies")
        return
    for found in check_list(pack, with_excuses(army, pack)):
        if not is_left_to_players(army, pack, found.topic):
            yield Problem(str(found), CITED.get(found.topic, "w40k8.concept.datasheet"))


@rule("w40k8.onlywar.armies", "w40k8.gap.army_size", neutral=False)
def is_left_to_players(army: ArmyList, pack: Pack, topic: str) -> bool:
    """Players mix factions as they like, and bring as much as they like unless the list names a limit."""
    if topic == "faction":
        return pack.faction(army.faction) is not None
    return topic == "points" and not army.limit


@rule("w40k8.onlywar.understrength", "w40k8.sheet.composition", neutral=Argument("army"))
def with_excuses(army: ArmyList, pack: Pack) -> ArmyList:
    """One unit of each datasheet may be smaller than that allows: it is judged as the smallest that there is."""
    return excuse_small_units(pack, army)


@rule("w40k8.warlord.nominate", neutral=False)
def may_be_warlord(sheet: Sheet) -> bool:
    """Any model can be the Warlord."""
    return True


LISTS: Final = Lists(to_sheet, problems, may_be_warlord, in_unit=with_power)
assemble: Final = partial(shared.assemble, FRAME, LISTS)
"""The armies beside a table; nothing is checked here."""
