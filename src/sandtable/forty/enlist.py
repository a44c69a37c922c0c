"""From army lists to units and rosters: datasheets, what each model carries, who leads whom."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from sandtable.armies import ArmyList, Pack, open_pack, read_list
from sandtable.armies import Sheet as PackSheet
from sandtable.armies import Weapon as PackWeapon
from sandtable.armies.characteristics import Value
from sandtable.armies.effects import Forbid
from sandtable.armies.enforcement import with_unreviewed
from sandtable.armies.format import ModelKind
from sandtable.armies.format import Profile as PackProfile
from sandtable.armies.lists import ListUnit, carriers, name_of, sheet_in, unit_cost
from sandtable.battle import Setup, State
from sandtable.errors import UserError
from sandtable.forty.effects.ability import Ability
from sandtable.forty.effects.from_lists import abilities_of, enhancement_of, extra_wounds, stratagems_of
from sandtable.forty.setup import Frame, ModelList, UnitList, build
from sandtable.forty.sheets import MELEE, Passenger, Transport
from sandtable.forty.state import Entry
from sandtable.table.layout import Table

WARLORD: Final = "WARLORD"
ABILITIES, REVIEWED, UNREVIEWED = "abilities", "reviewed", "unreviewed"
"""The option, for editions that have it, which plays abilities that nobody held against print; and its values."""


class Army(NamedTuple):
    """An army list with the pack that it is written for."""

    list: ArmyList
    pack: Pack


class Problem(NamedTuple):
    """What is wrong with an army, and the rule that says so."""

    text: str
    rule: str

    def __str__(self) -> str:
        return f"{self.text} [{self.rule}]"


@dataclass(frozen=True)
class Lists:
    """How an edition reads army lists."""

    to_sheet: Callable[[Pack, PackSheet, ModelKind, Mapping[str, int]], Any]
    """(pack, datasheet, kind of model, copies of each weapon that a model has at most): the edition's own sheet."""
    problems: Callable[[ArmyList, Pack], Iterable[object]]
    """What is wrong with a list, in sentences."""
    may_be_warlord: Callable[[Any], bool]
    """Of the models of the Warlord's unit the first whose sheet answers yes is the Warlord."""
    commander: Callable[[int], int] = lambda player: player
    """(whose list it is): under whose command its models are."""
    on_roster: Callable[[Entry], Entry] = lambda entry: entry
    """What everybody can read of a unit."""
    in_unit: Callable[[Any, int], Any] = lambda sheet, cost: sheet
    """(sheet, points or Power Rating of its unit): the sheet of the models in that unit."""
    of_faction: Callable[[str, PackSheet], bool] = lambda keyword, sheet: True
    """(keyword of the army's faction, datasheet): whether such a unit uses the rules of that faction."""


def army_of(listed: Army | ArmyList | str | Path) -> Army:
    """An army list with its pack."""
    if isinstance(listed, Army):
        return listed
    if isinstance(listed, ArmyList):
        return Army(listed, open_pack(listed.pack, listed.faction))
    army = read_list(Path(listed))
    try:
        return Army(army, open_pack(army.pack, army.faction))
    except UserError as error:
        raise UserError(f"{listed}: {error}") from None


def refuse_bad(
    frame: Frame, lists: Lists, armies: Mapping[str, Army | ArmyList | str | Path], brought: Sequence[Army]
) -> None:
    """Refuse army lists of other systems, and those that break a rule of mustering, with all that they break."""
    lines = []
    for (player, listed), army in zip(armies.items(), brought, strict=True):
        # Whose list it is, and which file it stands in.
        whose = f"{player} ({listed})" if isinstance(listed, str | Path) else player
        if army.list.system == frame.system:
            lines += [f"{whose}: {problem}" for problem in lists.problems(army.list, army.pack)]
        else:
            lines.append(f"{whose}: The list is for {army.list.system}, and this is a battle of {frame.system}.")
    if lines:
        raise UserError("\n".join(lines))


def assemble(
    frame: Frame, lists: Lists, armies: Mapping[str, Army], table: Table, options: dict[str, str], **data: Any
) -> tuple[Setup[Any], State[Any, Any, Any]]:
    """The armies beside a table, each unit of a list with its entry on the roster; nothing is checked here."""
    if options.get(ABILITIES) == UNREVIEWED:
        armies = {player: Army(army.list, with_unreviewed(army.pack)) for player, army in armies.items()}
    units: list[UnitList] = []
    entries: list[Entry] = []
    abilities: list[Ability] = []
    for player, army in enumerate(armies.values()):
        enlisted, listed = enlist(lists, army, player, len(units))
        first = sum(len(u.models) for u in units)
        abilities += abilities_brought(lists, army, player, enlisted, listed, len(units), first)
        units += enlisted
        entries += listed
    setup, state = build(
        frame,
        table,
        tuple(armies),
        with_own_names(units, tuple(armies)),
        options,
        roster=tuple(with_warlord(entries, 0)),
        abilities=tuple(abilities),
        stratagems=tuple(s for p, army in enumerate(armies.values()) for s in stratagems_of(army.list, army.pack, p)),
        **data,
    )
    return msgspec.structs.replace(setup, armies=tuple(map(_called, armies.values()))), state


def _called(army: Army) -> str:
    faction = army.pack.faction(army.list.faction)
    return f"{army.list.name} ({faction.name})" if faction and faction.name != army.list.name else army.list.name


def with_warlord(entries: Sequence[Entry], first: int) -> list[Entry]:
    """Entries whose Warlord has the number of the battle, where the first model of the first of them has this one."""
    out = []
    for entry in entries:
        number = first + entry.warlord if entry.warlord >= 0 else -1
        out.append(msgspec.structs.replace(entry, warlord=number))
        first += entry.models
    return out


def with_own_names(units: Sequence[UnitList], players: Sequence[str]) -> list[UnitList]:
    """Units whose names are their own: the player's name, then a number, tells equal ones apart."""
    out: list[UnitList] = []
    shared = {u.name for u in units if any(o.name == u.name and o.player != u.player for o in units)}
    taken: Counter[tuple[int, str]] = Counter()
    count = Counter((u.player, u.name) for u in units)
    for unit in units:
        name, key = unit.name, (unit.player, unit.name)
        taken[key] += 1
        if count[key] > 1:
            name = f"{name} {taken[key]}"
        if unit.name in shared:
            name = f"{name} ({players[unit.player]})"
        out.append(unit._replace(name=name))
    return out


# --- One army ---------------------------------------------------------------------------------------------------------


def enlist(lists: Lists, army: Army, player: int, first: int) -> tuple[list[UnitList], list[Entry]]:
    """The units of an army list, numbered from `first`, and their entries on the roster."""
    listed, pack = army.list.units, army.pack
    numbers = {name_of(pack, unit): first + i for i, unit in enumerate(listed)}
    units, entries = [], []
    for i, unit in enumerate(listed):
        sheet = sheet_in(pack, army.list, unit)
        assert sheet is not None, "lists with unknown datasheets are refused before"
        models, wargear, warlord = _models(lists, army, sheet, unit)
        units.append(UnitList(name_of(pack, unit), lists.commander(player), tuple(models)))
        entry = Entry(
            unit.sheet,
            unit_cost(pack, army.list, unit),
            len(models),
            wargear,
            unit.enhancement or "",
            warlord,
            tuple(first + j for j, other in enumerate(listed) if other.sheet in sheet.leads and j != i),
            tuple(first + j for j, other in enumerate(listed) if _beside(pack, unit, other) and j != i),
            numbers.get(unit.attached_to or "", -1),
            numbers.get(unit.embarked_in or "", -1),
            unit.reserves,
        )
        entries.append(lists.on_roster(entry))
    return units, entries


def abilities_brought(
    lists: Lists, army: Army, player: int, units: Sequence[UnitList], entries: Sequence[Entry], unit: int, model: int
) -> list[Ability]:
    """The abilities of an army whose first unit and first model have these numbers."""
    models: list[list[int]] = []
    characters: list[list[int]] = []
    for listed in units:
        models.append(list(range(model, model + len(listed.models))))
        characters.append([model + i for i, m in enumerate(listed.models) if "CHARACTER" in m.sheet.keywords])
        model += len(listed.models)
    wargear = [e.wargear for e in entries]
    return abilities_of(army.list, army.pack, player, unit, models, wargear, characters, lists.of_faction)


def _beside(pack: Pack, one: ListUnit, other: ListUnit) -> bool:
    first, second = pack.sheet(one.sheet), pack.sheet(other.sheet)
    if first is None or second is None:
        return False
    return other.sheet in first.leads_beside or one.sheet in second.leads_beside


def _models(
    lists: Lists, army: Army, sheet: PackSheet, unit: ListUnit
) -> tuple[list[ModelList], tuple[tuple[str, ...], ...], int]:
    groups = carriers(sheet, unit)
    enhancement = enhancement_of(army.list, army.pack, unit)
    copies = _copies(sheet, [group.items for group in groups])
    made: dict[str, Any] = {}
    models: list[ModelList] = []
    wargear: list[tuple[str, ...]] = []
    warlord = -1
    for group in groups:
        if group.kind.name not in made:
            plain = lists.to_sheet(army.pack, sheet, group.kind, copies)
            made[group.kind.name] = lists.in_unit(plain, unit_cost(army.pack, army.list, unit))
        for _ in range(group.number):
            plain = made[group.kind.name]
            wounds = extra_wounds(sheet, group.kind, group.items, enhancement)
            if wounds != plain.wounds:
                plain = msgspec.structs.replace(plain, wounds=wounds)
            if unit.warlord and warlord < 0 and lists.may_be_warlord(plain):
                warlord = len(models)
                plain = msgspec.structs.replace(plain, keywords=(*plain.keywords, WARLORD))
            weapons = [item for item in group.items if sheet.weapon(item)]
            models.append(ModelList(plain, _names(weapons)))
            wargear.append(tuple(group.items))
    return models, tuple(wargear), warlord


def _names(items: Sequence[str]) -> tuple[str, ...]:
    """What a model carries, the second of a kind by a name of its own."""
    seen: Counter[str] = Counter()
    out = []
    for item in items:
        seen[item] += 1
        out.append(item if seen[item] == 1 else f"{item} {seen[item]}")
    return tuple(out)


def _copies(sheet: PackSheet, carried: Sequence[Sequence[str]]) -> dict[str, int]:
    """How many of each weapon the model that carries most of it has."""
    return {w.name: max([1, *(list(items).count(w.name) for items in carried)]) for w in sheet.weapons}


# --- Datasheets -------------------------------------------------------------------------------------------------------


class PrintedWeapon(NamedTuple):
    """One profile of a weapon, named for a datasheet in a battle."""

    name: str
    of: str
    """The weapon that it is one of several profiles of; empty where it is the only one."""
    profile: PackProfile


def profiles_of(weapons: Iterable[PackWeapon], copies: Mapping[str, int]) -> list[PrintedWeapon]:
    """All profiles of a datasheet's weapons; another copy that a model carries has a number behind its name."""
    out = []
    for weapon in weapons:
        several = len(weapon.profiles) > 1
        for copy in range(1, copies.get(weapon.name, 1) + 1):
            item = weapon.name if copy == 1 else f"{weapon.name} {copy}"
            for profile in weapon.profiles:
                name = f"{item}, {profile.name}" if several and profile.name else item
                out.append(PrintedWeapon(name, item if several else "", profile))
    return out


def keywords_of(sheet: PackSheet, kind: ModelKind) -> tuple[str, ...]:
    """All keywords of a kind of model."""
    return tuple(dict.fromkeys((*sheet.keywords, *sheet.faction_keywords, *kind.keywords)))


def led_by(pack: Pack, sheet: PackSheet) -> tuple[str, ...]:
    """The names of the models whom a Leader can lead."""
    led = [other for id_ in sheet.leads if (other := pack.sheet(id_))]
    return tuple(dict.fromkeys(kind.name for other in led for kind in other.models))


def transport_of(sheet: PackSheet) -> Transport | None:
    """Who has room in it, as the datasheet says."""
    hold = sheet.transport
    if hold is None:
        return None
    special = tuple(Passenger(s.keyword, s.room, s.most, s.from_wounds) for s in hold.special)
    return Transport(
        hold.capacity, tuple(" + ".join(kinds) for kinds in hold.who), hold.never, special, hold.max_wounds or 0
    )


def range_of(profile: PackProfile) -> int:
    """The range of a weapon profile in inches."""
    return number(profile.stats["Range"]) if "Range" in profile.stats else MELEE


def number(value: Value) -> int:
    """A characteristic as a number; 0 for a dash or dice."""
    return value if isinstance(value, int) else 0


# --- Looking at a list ------------------------------------------------------------------------------------------------


def known_units(army: ArmyList, pack: Pack) -> list[tuple[ListUnit, PackSheet]]:
    """The units of a list whose datasheets the pack has, with these."""
    return [(unit, sheet) for unit in army.units if (sheet := sheet_in(pack, army, unit)) is not None]


def has_keyword(sheet: PackSheet, keyword: str) -> bool:
    """Whether a datasheet, or a kind of model on it, has a keyword."""
    return keyword in sheet.keywords or any(keyword in kind.keywords for kind in sheet.models)


def forbids(sheet: PackSheet, what: str) -> bool:
    """Whether an ability of a datasheet forbids something to its army."""
    return any(isinstance(e, Forbid) and e.what == what for ability in sheet.abilities for e in ability.effects)
