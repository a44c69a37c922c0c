"""From army lists to units: datasheets of a pack as 8th edition plays them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Final

import msgspec

from sandtable.armies import ArmyList, Pack, check_list
from sandtable.armies import Sheet as PackSheet
from sandtable.armies.format import ModelKind
from sandtable.armies.lists import excuse_small_units
from sandtable.forty import enlist as shared
from sandtable.forty.enlist import Lists, Problem, profiles_of
from sandtable.forty.fighters import MODEL, Row, Sheet, Weapon, characteristics, fields_of, weapon_fields
from sandtable.forty.readings import readings_in
from sandtable.forty.setup import Frame, Structs
from sandtable.rules import Argument, rule
from sandtable.systems.w40k8.book import BOOK
from sandtable.systems.w40k8.datasheet import check_sheet
from sandtable.systems.w40k8.only_war import MARKER
from sandtable.systems.w40k8.state import Data, Game, Player, Unit

FRAME: Final = Frame(
    "w40k8",
    "Warhammer 40,000, 8th edition",
    readings_in(Path(__file__).parent),
    Structs(Unit, Player, Game, Data, Sheet),
    check_sheet,
    shapes=(MARKER,),
)
PRINTED: Final = dict(zip(("M", "WS", "BS", "S", "T", "W", "A", "Ld", "Sv"), MODEL, strict=True))
"""What the characteristics of a model are called here, by what packs call them."""


def to_sheet(pack: Pack, sheet: PackSheet, kind: ModelKind, copies: Mapping[str, int]) -> Sheet:
    """The profile of one kind of model, with all weapons of its datasheet in a pack."""
    chart = tuple(Row(row.wounds, **characteristics(row.stats, PRINTED)) for row in kind.chart)
    return Sheet(**fields_of(pack, sheet, kind, PRINTED), chart=chart, weapons=arms_of(sheet, copies))


@rule(
    "w40k8.sheet.weapons_elsewhere",
    "w40k8.sheet.composition",
    "w40k8.gap.wargear_options",
    "w40k8.gap.datasheets",
    neutral=(),
)
def arms_of(sheet: PackSheet, copies: Mapping[str, int]) -> tuple[Weapon, ...]:
    """The weapons that models of a unit carry or may take, described on its datasheet or in a list that many share."""
    return tuple(Weapon(**weapon_fields(weapon)) for weapon in profiles_of(sheet.weapons, copies))


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
    """What datasheets do not allow, and an army without models; one unit of each may be smaller than that allows."""
    if not army.units:
        yield Problem("An army needs at least one model.", "w40k8.onlywar.armies")
        return
    for found in check_list(pack, excuse_small_units(pack, army)):
        if not is_left_to_players(army, pack, found.topic):
            yield Problem(str(found), CITED.get(found.topic, "w40k8.concept.datasheet"))


@rule("w40k8.onlywar.armies", "w40k8.gap.army_size", neutral=False)
def is_left_to_players(army: ArmyList, pack: Pack, topic: str) -> bool:
    """Players mix factions as they like, and bring as much as they like unless the list names a limit."""
    if topic == "faction":
        return pack.faction(army.faction) is not None
    return topic == "points" and not army.limit


LISTS: Final = Lists(to_sheet, problems, lambda sheet: BOOK.anybody_is_warlord, in_unit=with_power)
assemble: Final = partial(shared.assemble, FRAME, LISTS)
"""The armies beside a table; nothing is checked here."""
