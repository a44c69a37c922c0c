"""From army lists to a battle: datasheets, what each model carries, units, rosters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from sandtable.armies import ArmyList, Pack, open_pack, read_list, unit_points
from sandtable.armies import Sheet as PackSheet
from sandtable.armies import Weapon as PackWeapon
from sandtable.armies.characteristics import Value
from sandtable.armies.format import ModelKind
from sandtable.armies.lists import ListUnit, carriers, name_of
from sandtable.battle.tables import check_outline
from sandtable.errors import UserError
from sandtable.forty.effects.ability import Ability
from sandtable.forty.effects.from_lists import abilities_of, enhancement_of, extra_wounds, stratagems_of
from sandtable.forty.sheets import MELEE, Passenger, Transport
from sandtable.forty.state import Entry
from sandtable.kit.layouts import beside_solids, find_table
from sandtable.kit.missions import Mission, on_map
from sandtable.rules import rule
from sandtable.systems.w40k10 import setup as setting_up
from sandtable.systems.w40k10.datasheet import Sheet, Weapon
from sandtable.systems.w40k10.mission import check_battlefield, check_size, read_mission
from sandtable.systems.w40k10.muster import check_muster
from sandtable.systems.w40k10.setup import ModelList, UnitList
from sandtable.systems.w40k10.state import Plan, Setup10, State10
from sandtable.table.grid import STEP
from sandtable.table.layout import Table

AIRCRAFT_MOVE: Final = 20
WARLORD: Final = "WARLORD"
SETUP: Final = "setup"


class Army(NamedTuple):
    """An army list with the pack that it is written for."""

    list: ArmyList
    pack: Pack


def build(
    armies: Mapping[str, Army | ArmyList | str | Path],
    mission: str | Path | Mission,
    layout: str | Path | Table,
    options: Mapping[str, str] | None = None,
) -> tuple[Setup10, State10]:
    """Set-up and state of a battle that begins with the mission's first step.

    `armies` maps the players' names, in their order, to army lists or to files that hold one. An `Army` has its pack
    beside it; others open theirs. Players who do not agree on a mission name one each, with a comma between them: the
    winner of a roll-off picks one of these.
    """
    from sandtable.systems.w40k10.system import SYSTEM

    brought = [army_of(listed) for listed in armies.values()]
    named = mission.split(",") if isinstance(mission, str) else [mission]
    read = [m if isinstance(m, Mission) else read_mission(str(m).strip()) for m in named]
    wished = list({m.id: m for m in read}.values())
    chosen = wished[0]
    table = with_terrain(layout if isinstance(layout, Table) else find_table(layout))
    refuse_bad(armies, brought)
    limits = [check_size(wish, [army.list.limit for army in brought]) for wish in wished]
    limit = limits[0]
    for wish in wished:
        check_battlefield(wish, limit, table)
    origin = {m.id: m.name if isinstance(name, Mission) else str(name) for m, name in zip(read, named, strict=True)}
    plans = tuple(plan_of(wish, table, origin[wish.id]) for wish in wished)
    setup, state = assemble(
        dict(zip(armies, brought, strict=True)),
        table,
        SYSTEM.settle_options(options or {}),
        objectives=plans[0].objectives,
        rounds=chosen.rounds,
    )
    data = msgspec.structs.replace(
        setup.data,
        mission=chosen,
        limit=limit,
        zones=plans[0].zones,
        wishes=plans if len(plans) > 1 else (),
    )
    state.segment, state.round = SETUP, 0
    for player_ in state.players:
        player_.scored = (0,) * len(chosen.scoring)
    where = "a table of its own" if isinstance(layout, Table) else Path(layout).stem
    scene = f"{' or '.join(wish.name for wish in wished)} on {where}"
    return msgspec.structs.replace(setup, data=data, scene=scene), state


def plan_of(mission: Mission, table: Table, where: str) -> Plan:
    """A mission on a table: where its markers lie, and its zones."""
    size = (table.width, table.depth)
    try:
        zones = tuple(tuple(on_map(spot, *size) for spot in zone) for zone in (mission.attacker, mission.defender))
        for name, zone in zip(("attacker", "defender"), zones, strict=True):
            check_outline(zone, name)
        markers = tuple((*beside_solids(table, on_map(spot, *size)), 0) for spot in mission.markers)
    except UserError as error:
        raise UserError(f"{where}: {error}") from None
    return Plan(mission, markers, zones)


def assemble(
    armies: Mapping[str, Army],
    table: Table,
    options: dict[str, str],
    *,
    objectives: Sequence[tuple[int, int, int]] = (),
    rounds: int = 5,
) -> tuple[Setup10, State10]:
    """The armies beside a table, each unit of a list with its entry on the roster; nothing is checked here."""
    units: list[UnitList] = []
    entries: list[Entry] = []
    abilities: list[Ability] = []
    for player, army in enumerate(armies.values()):
        enlisted, listed = enlist(army, player, len(units))
        abilities += abilities_brought(army, player, enlisted, listed, len(units), sum(len(u.models) for u in units))
        units += enlisted
        entries += listed
    entries = with_warlord(entries, 0)
    setup, state = setting_up.build(
        table,
        tuple(armies),
        with_own_names(units, tuple(armies)),
        options=options,
        objectives=objectives,
        rounds=rounds,
    )
    data = msgspec.structs.replace(
        setup.data,
        roster=tuple(entries),
        abilities=tuple(abilities),
        stratagems=tuple(s for p, army in enumerate(armies.values()) for s in stratagems_of(army.list, army.pack, p)),
    )
    return msgspec.structs.replace(setup, data=data, armies=tuple(map(_called, armies.values()))), state


def with_warlord(entries: Sequence[Entry], first: int) -> list[Entry]:
    """Entries whose Warlord has the number of the battle, where the first model of the first of them has this one."""
    out = []
    for entry in entries:
        number = first + entry.warlord if entry.warlord >= 0 else -1
        out.append(msgspec.structs.replace(entry, warlord=number))
        first += entry.models
    return out


def _called(army: Army) -> str:
    faction = army.pack.faction(army.list.faction)
    return f"{army.list.name} ({faction.name})" if faction and faction.name != army.list.name else army.list.name


@rule("w40k10.concept.terrain_placement", neutral=Table(60 * STEP, 44 * STEP, "in", ()))
def with_terrain(table: Table) -> Table:
    """The terrain of a layout is on the table before the first step, and belongs to nobody."""
    return table


def army_of(listed: Army | ArmyList | str | Path) -> Army:
    """An army list with its pack."""
    if isinstance(listed, Army):
        return listed
    if isinstance(listed, ArmyList):
        return Army(listed, open_pack(listed.pack))
    army = read_list(Path(listed))
    try:
        return Army(army, open_pack(army.pack))
    except UserError as error:
        raise UserError(f"{listed}: {error}") from None


def refuse_bad(armies: Mapping[str, Army | ArmyList | str | Path], brought: Sequence[Army]) -> None:
    """Refuse army lists that break a muster rule, with all that they break."""
    lines = []
    for (player, listed), army in zip(armies.items(), brought, strict=True):
        # Whose list it is, and which file it stands in.
        whose = f"{player} ({listed})" if isinstance(listed, str | Path) else player
        lines += [f"{whose}: {problem}" for problem in check_muster(army.list, army.pack)]
    if lines:
        raise UserError("\n".join(lines))


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


def enlist(army: Army, player: int, first: int) -> tuple[list[UnitList], list[Entry]]:
    """The units of an army list, numbered from `first`, and their entries on the roster."""
    listed, pack = army.list.units, army.pack
    numbers = {name_of(pack, unit): first + i for i, unit in enumerate(listed)}
    units, entries = [], []
    for i, unit in enumerate(listed):
        sheet = pack.sheet(unit.sheet)
        assert sheet is not None, "check_muster refuses unknown datasheets"
        models, wargear, warlord = _models(army, sheet, unit)
        name = name_of(pack, unit)
        units.append(UnitList(name, commander(player), tuple(models)))
        entries.append(
            on_roster(
                Entry(
                    unit.sheet,
                    unit_points(pack, army.list, unit),
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
            )
        )
    return units, entries


def abilities_brought(
    army: Army, player: int, units: Sequence[UnitList], entries: Sequence[Entry], unit: int, model: int
) -> list[Ability]:
    """The abilities of an army whose first unit and first model have these numbers."""
    models: list[list[int]] = []
    characters: list[list[int]] = []
    for listed in units:
        models.append(list(range(model, model + len(listed.models))))
        characters.append([model + i for i, m in enumerate(listed.models) if "CHARACTER" in m.sheet.keywords])
        model += len(listed.models)
    return abilities_of(army.list, army.pack, player, unit, models, [e.wargear for e in entries], characters)


@rule("w40k10.concept.army", neutral=0)
def commander(player: int) -> int:
    """All models of a list are under the command of its player."""
    return player


@rule("w40k10.muster.roster", neutral=Entry(""))
def on_roster(entry: Entry) -> Entry:
    """The roster shows each unit with models, wargear, Enhancement and points; everybody can read it."""
    return entry


def _beside(pack: Pack, one: ListUnit, other: ListUnit) -> bool:
    first, second = pack.sheet(one.sheet), pack.sheet(other.sheet)
    if first is None or second is None:
        return False
    return other.sheet in first.leads_beside or one.sheet in second.leads_beside


def _models(army: Army, sheet: PackSheet, unit: ListUnit) -> tuple[list[ModelList], tuple[tuple[str, ...], ...], int]:
    groups = carriers(sheet, unit)
    enhancement = enhancement_of(army.list, army.pack, unit)
    copies = _copies(sheet, [group.items for group in groups])
    made: dict[str, Sheet] = {}
    models: list[ModelList] = []
    wargear: list[tuple[str, ...]] = []
    warlord = -1
    for group in groups:
        if group.kind.name not in made:
            made[group.kind.name] = to_sheet(army.pack, sheet, group.kind, copies)
        for _ in range(group.number):
            plain = made[group.kind.name]
            wounds = extra_wounds(sheet, group.kind, group.items, enhancement)
            if wounds != plain.wounds:
                plain = msgspec.structs.replace(plain, wounds=wounds)
            if unit.warlord and warlord < 0 and "CHARACTER" in plain.keywords:
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


def to_sheet(pack: Pack, sheet: PackSheet, kind: ModelKind, copies: Mapping[str, int]) -> Sheet:
    """The profile of one kind of model, with all weapons of its datasheet."""
    weapons = [w for weapon in sheet.weapons for n in range(copies[weapon.name]) for w in to_weapons(weapon, n + 1)]
    led = [other for id_ in sheet.leads if (other := pack.sheet(id_))]
    return Sheet(
        kind.name,
        _move(kind.stats["M"]),
        _number(kind.stats["T"]),
        _number(kind.stats["Sv"]),
        _number(kind.stats["W"]),
        _number(kind.stats["Ld"]),
        kind.base,
        kind.height,
        tuple(dict.fromkeys((*sheet.keywords, *sheet.faction_keywords, *kind.keywords))),
        kind.invulnerable or 0,
        tuple(sheet.core),
        _transport(sheet),
        oc=_number(kind.stats["OC"]),
        weapons=tuple(weapons),
        leads=tuple(dict.fromkeys(k.name for other in led for k in other.models)),
    )


def _transport(sheet: PackSheet) -> Transport | None:
    """Who has room in it, as the datasheet says."""
    hold = sheet.transport
    if hold is None:
        return None
    special = tuple(Passenger(s.keyword, s.room, s.most, s.from_wounds) for s in hold.special)
    return Transport(
        hold.capacity, tuple(" + ".join(kinds) for kinds in hold.who), hold.never, special, hold.max_wounds or 0
    )


def to_weapons(weapon: PackWeapon, copy: int = 1) -> list[Weapon]:
    """The profiles of a weapon; another copy that the same model carries has a number behind its name."""
    item = weapon.name if copy == 1 else f"{weapon.name} {copy}"
    out = []
    for profile in weapon.profiles:
        stats = profile.stats
        several = len(weapon.profiles) > 1
        out.append(
            Weapon(
                f"{item}, {profile.name}" if several and profile.name else item,
                str(stats["A"]),
                str(stats["D"]),
                _number(stats["Range"]) if "Range" in stats else MELEE,
                profile.abilities,
                item if several else "",
                skill=_number(stats["BS" if "Range" in stats else "WS"]),
                strength=_number(stats["S"]),
                ap=_number(stats["AP"]),
            )
        )
    return out


def _number(value: Value) -> int:
    return value if isinstance(value, int) else 0


def _move(value: Value) -> int | str | None:
    if isinstance(value, int):
        return value
    if value == "-":
        return None
    return AIRCRAFT_MOVE if str(value).endswith("+") else str(value)
