"""A mission on a table: where its markers and zones lie, and a battle of army lists that begins with its first step."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import msgspec

from sandtable.armies import ArmyList
from sandtable.battle import GONE, OFF, Option, Setup, State
from sandtable.battle.tables import check_outline
from sandtable.errors import UserError
from sandtable.forty.dataset_layouts import layout_called
from sandtable.forty.enlist import Army, Lists, army_of, assemble, refuse_bad
from sandtable.forty.setup import Frame
from sandtable.forty.state import Battle40, Plan, World40
from sandtable.kit.layouts import beside_solids, find_table
from sandtable.kit.missions import Mission, Score, on_map
from sandtable.kit.rounds import NOBODY
from sandtable.table.layout import Table

SETUP: Final = "setup"
"""The segment that the steps before the first turn are in."""


@dataclass(frozen=True)
class Missions:
    """What an edition says about missions and armies."""

    read: Callable[[str], Mission]
    """A mission by its name, or from a file."""
    check: Callable[[Mission, str], None]
    """(mission, where it stands): refuses one that no battle of the edition can be fought by."""
    size: Callable[[Mission, Sequence[int]], int]
    """(mission, limits of the armies): the points of the battle; refuses armies that are not for it."""
    battlefield: Callable[[Mission, int, Table], None]
    """(mission, points, table): refuses a table that is too small."""
    table: Callable[[str | Path], Table] = find_table
    """The table of a layout by its name, or from a file."""
    terrain: Callable[[Table], Table] = lambda table: table
    """The table as it is when the battle begins."""


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


def begin_mission(
    frame: Frame,
    lists: Lists,
    missions: Missions,
    armies: Mapping[str, Army | ArmyList | str | Path],
    mission: str | Path | Mission,
    layout: str | Path | Table,
    options: Mapping[str, str] | None = None,
) -> tuple[Setup[Any], State[Any, Any, Any]]:
    """Set-up and state of a battle that begins with the mission's first step.

    `armies` maps the players' names, in their order, to army lists or to files that hold one. An `Army` has its pack
    beside it; others open theirs. Players who do not agree on a mission name one each, with a comma between them: one
    of these is picked later.
    """
    brought = [army_of(listed) for listed in armies.values()]
    named = mission.split(",") if isinstance(mission, str) else [mission]
    read = [m if isinstance(m, Mission) else missions.read(str(m).strip()) for m in named]
    wished = list({m.id: m for m in read}.values())
    table = missions.terrain(layout if isinstance(layout, Table) else missions.table(layout))
    refuse_bad(frame, lists, armies, brought)
    limits = [missions.size(wish, [army.list.limit for army in brought]) for wish in wished]
    for wish in wished:
        missions.battlefield(wish, limits[0], table)
    origin = {m.id: m.name if isinstance(name, Mission) else str(name) for m, name in zip(read, named, strict=True)}
    plans = tuple(plan_of(wish, table, origin[wish.id]) for wish in wished)
    setup, state = assemble(
        frame,
        lists,
        dict(zip(armies, brought, strict=True)),
        table,
        frame.settle(options or {}),
        objectives=plans[0].objectives,
        rounds=wished[0].rounds,
        mission=wished[0],
        limit=limits[0],
        zones=plans[0].zones,
        wishes=plans if len(plans) > 1 else (),
    )
    state.segment, state.round = SETUP, 0
    where = "a table of its own" if isinstance(layout, Table) else layout_called(layout)
    scene = f"{' or '.join(wish.name for wish in wished)} on {where}"
    return msgspec.structs.replace(setup, scene=scene), state


async def pick_mission(b: Battle40, player: int, rule: str) -> None:
    """A player picks one of the missions that were named; its markers and its ways of scoring are those that count."""
    wishes = b.setup.data.wishes
    options = [Option(i, plan.mission.name) for i, plan in enumerate(wishes)]
    picked = int(str(await b.choose(player, "mission", "Which mission is played?", options, rules=(rule,))))
    plan = wishes[picked]
    b.set_game(wish=picked, control=(-1,) * len(plan.objectives))
    for p in b.state.players:
        b.set_player(p, scored=(0,) * len(plan.mission.scoring))
    b.tell("mission", f"{b.player(player).name} picks {plan.mission.name}.", rule)


def name_attacker(b: Battle40, player: int, rule: str) -> None:
    """A player is the Attacker."""
    b.set_game(attacker=player, chooser=NOBODY)
    b.tell("attacker", f"{b.player(player).name} is the Attacker.", rule, player=player)


def name_first(b: Battle40, player: int, rule: str) -> None:
    """A player has the first turn."""
    b.set_game(first=player)
    b.tell("first_turn", f"{b.player(player).name} takes the first turn.", rule, player=player)


def lose_undeployed(b: Battle40, rule: str) -> None:
    """Units for which there was no room to be deployed are lost."""
    for unit in b.units():
        lost = [m for m in unit.models if b.state.models.place[m] == OFF] if unit.no_room else []
        if lost:
            b.place_models(lost, GONE)
            b.tell("no_room", f"There was no room for {unit.name}.", rule, units=[unit.id])


# --- In a battle ------------------------------------------------------------------------------------------------------


def mission_of(w: World40) -> Mission | None:
    """The mission that is played."""
    data, wish = w.setup.data, w.state.game.wish
    mission: Mission | None = data.mission if wish < 0 else data.wishes[wish].mission
    return mission


def sides_left(w: World40, counts: Callable[[Any], bool] = lambda _unit: True) -> tuple[int, ...]:
    """The sides that have models left, wherever they are, of units that count."""
    place = w.state.models.place
    units = [u for u in w.units() if counts(u) and any(place[m] != GONE for m in u.models)]
    return tuple(sorted({w.side(u.player) for u in units}))


def ways_to_score(w: World40) -> tuple[Score, ...] | None:
    """In which ways the mission that is played scores; None without one."""
    mission = mission_of(w)
    return None if mission is None else mission.scoring


def zones_of(w: World40) -> tuple[tuple[tuple[int, int], ...], ...]:
    """The deployment zones: the Attacker's, the Defender's."""
    data, wish = w.setup.data, w.state.game.wish
    zones: tuple[tuple[tuple[int, int], ...], ...] = data.zones if wish < 0 else data.wishes[wish].zones
    return zones


def attacker_of(w: World40) -> int:
    """The Attacker; before that is known, the first player."""
    attacker: int = w.state.game.attacker
    return max(0, attacker)


def own_zone(w: World40, player: int) -> tuple[tuple[int, int], ...]:
    """A player's deployment zone: the Attacker's side has the first, the others the second."""
    return zones_of(w)[0 if w.side(player) == w.side(attacker_of(w)) else 1]


def enemy_zone(w: World40, player: int) -> tuple[tuple[int, int], ...]:
    """The deployment zone of a player's enemies; no corners where a file has no zones."""
    zones = zones_of(w) or ((), ())
    return zones[1 if w.side(player) == w.side(attacker_of(w)) else 0]
