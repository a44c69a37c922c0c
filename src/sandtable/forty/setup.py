"""The frame of a set-up: from units, with their datasheets and places, to the set-up and state of a battle."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import numpy as np

from sandtable.battle import ABOARD, GONE, OFF, TABLE, Models, Setup, State, System
from sandtable.battle.scenario import set_fields
from sandtable.battle.sound import MAX_MODELS
from sandtable.battle.system import Reading, settle
from sandtable.errors import UserError, short
from sandtable.forty.sheets import Sheet, shape_of
from sandtable.forty.state import Data, Kit, Unit
from sandtable.kit.missions import LOOKS_BACK, Mission
from sandtable.table.layout import Table
from sandtable.table.shapes import Shape

MOST_ROUNDS: Final = 100
MOST_SPOTS: Final = 200
"""Markers and corners of zones that a mission has at most."""
SHOWN: Final = 60
"""Letters of a wrong name that are told"""
TURN: Final = "turn"
"""The segment that a turn's steps are in."""


class ModelList(NamedTuple):
    """One model of an army."""

    sheet: Any
    """The datasheet, as the edition prints it."""
    weapons: tuple[str, ...] | None = None
    """Names of the weapons it carries; None for all of its datasheet."""
    at: tuple[int, int, int] | None = None
    """None: not on the table."""
    facing: int = 0
    wounds: int | None = None
    mark: int = 0
    """Bits whose meaning the edition gives"""


class UnitList(NamedTuple):
    """One unit of an army."""

    name: str
    player: int
    models: tuple[ModelList, ...]
    leads: str = ""
    """The unit that it is attached to, if it is a Leader."""
    flags: Mapping[str, Any] = MappingProxyType({})
    """Fields of the edition's unit; `embarked` names the unit that it is in."""


class Leaders(NamedTuple):
    """How Leaders join units."""

    check: Callable[[UnitList, UnitList | None, Mapping[str, Sequence[UnitList]]], None]
    """(leader, whom it would lead, leaders so far by the unit they lead): refuses one that cannot be attached."""
    join: Callable[[tuple[int, ...], tuple[int, ...]], tuple[int, ...]]
    """(bodyguard, leader): the models of their unit."""


class Structs(NamedTuple):
    """The types by which an edition keeps a battle."""

    unit: type[Any]
    player: type[Any]
    game: type[Any]
    data: type[Any]
    sheet: type[Any]


def check_unit(brought: UnitList) -> None:
    """A unit has models, or one."""
    if not brought.models:
        raise UserError(f"{brought.name}: a unit has at least one model.")


def _ends(_battle: Any) -> str | None:
    return None


@dataclass(frozen=True)
class Frame:
    """How an edition sets battles up: its structs, and what it refuses."""

    system: str
    name: str
    readings: tuple[Reading, ...]
    structs: Structs
    check_sheet: Callable[[Any], None]
    check_unit: Callable[[UnitList], None] = check_unit
    check_table: Callable[[Table], None] = lambda _table: None
    leaders: Leaders | None = None
    """None where a character always is a unit of its own."""
    shapes: tuple[Shape, ...] = ()
    """Shapes of things other than models, such as markers; they come last in `Setup.shapes`."""

    def settle(self, chosen: Mapping[str, str]) -> dict[str, str]:
        """Every option of a battle with its value."""
        return settle(self.name, self.readings, chosen)

    def begin(self, players: Sequence[str], data: Any) -> tuple[list[Any], Any]:
        """Players who have scored nothing, and markers that nobody controls."""
        for mission in (data.mission, *(plan.mission for plan in data.wishes)):
            self._check_memory(mission)
        ways = len(data.mission.scoring) if data.mission else 0
        seats = [self.structs.player(i, name, i, scored=(0,) * ways) for i, name in enumerate(players)]
        return seats, self.structs.game(control=(-1,) * len(data.objectives))

    def _check_memory(self, mission: Mission | None) -> None:
        """Refuse a mission that needs more to be remembered of a turn than battles of this edition do."""
        if mission is None or "marks" in self.structs.game.__struct_fields__:
            return
        if mission.most_in_round or any(way.kind in LOOKS_BACK for way in mission.scoring):
            raise UserError(
                f"{mission.name} counts by how a turn began, by actions or by round, and {self.name} does not remember"
                " that: its missions count what is held, destroyed or broken through."
            )

    def lean(self, *seams: Any) -> System:
        """The system as far as questions without a battle need it: nothing is played, and little is loaded."""
        return System(self.system, self.name, "in", *self.structs[:4], {}, _ends, readings=self.readings, seams=seams)

    def check_sound(self, setup: Setup[Any], state: State[Any, Any, Any]) -> None:
        """Refuse a start from a file that no battle can have."""
        check_sound(self, setup, state)


def build(
    frame: Frame,
    table: Table,
    players: Sequence[str],
    army: Sequence[UnitList],
    options: dict[str, str],
    *,
    objectives: Sequence[tuple[int, int, int]] = (),
    **data: Any,
) -> tuple[Setup[Any], State[Any, Any, Any]]:
    """Set-up and state of a battle, about to begin its first turn; `data` are fields of the edition's data."""
    frame.check_table(table)
    units, listed = _units(frame, army)
    if len(listed) > MAX_MODELS:
        raise UserError(f"A battle has at most {MAX_MODELS} models, not {len(listed)}.")
    sheets: list[Sheet] = []
    shapes: list[Shape] = []
    kits: list[Kit] = []
    shape_rows: list[int] = []
    for model in listed:
        if model.sheet not in sheets:
            frame.check_sheet(model.sheet)
        kits.append(Kit(_row(sheets, model.sheet), _weapon_rows(model)))
        shape_rows.append(_row(shapes, shape_of(model.sheet)))
    made = frame.structs.data(kits=tuple(kits), sheets=tuple(sheets), objectives=tuple(objectives), **data)
    setup = Setup(frame.system, table, (*shapes, *frame.shapes), tuple(shape_rows), made, options)
    seats, game = frame.begin(players, made)
    return setup, State(_models(units, listed), units, seats, game, segment=TURN, round=1)


def _models(units: Sequence[Unit], listed: Sequence[ModelList]) -> Models:
    owner = np.zeros(len(listed), dtype=np.int64)
    for unit in units:
        owner[list(unit.models)] = unit.id
    places = [_place(m) for m in listed]
    for m in (m for unit in units if unit.embarked >= 0 for m in unit.models if places[m] != GONE):
        places[m] = ABOARD
    return Models(
        np.array([m.at or (0, 0, 0) for m in listed], dtype=np.int64).reshape(len(listed), 3),
        np.array([m.facing for m in listed], dtype=np.int64),
        np.array([m.sheet.wounds if m.wounds is None else m.wounds for m in listed], dtype=np.int64),
        np.array(places, dtype=np.int64),
        np.array([m.mark for m in listed], dtype=np.int64),
        owner,
    )


def _place(model: ModelList) -> int:
    if model.wounds == 0:
        return GONE
    return OFF if model.at is None else TABLE


def _row(rows: list[Any], item: Any) -> int:
    if item not in rows:
        rows.append(item)
    return rows.index(item)


def _weapon_rows(model: ModelList) -> tuple[int, ...]:
    weapons = model.sheet.weapons
    if model.weapons is None:
        return tuple(range(len(weapons)))
    for name in model.weapons:
        if name not in {w.name for w in weapons} | {w.item for w in weapons}:
            known = ", ".join(w.name for w in weapons) or "none"
            raise UserError(f"{model.sheet.name} has no weapon '{name}'; its weapons are: {known}.")
    return tuple(i for i, w in enumerate(weapons) if w.name in model.weapons or w.item in model.weapons)


# --- Units ------------------------------------------------------------------------------------------------------------


def _units(frame: Frame, army: Sequence[UnitList]) -> tuple[list[Any], list[ModelList]]:
    """Units with their Leaders joined to them, and all models in the order of their numbers."""
    leaders = _leaders(frame, army)
    units: list[Any] = []
    listed: list[ModelList] = []
    for brought in army:
        if brought.leads:
            continue
        frame.check_unit(brought)
        first = len(listed)
        listed += brought.models
        own = tuple(range(first, len(listed)))
        unit = frame.structs.unit(len(units), brought.player, brought.name, own, strength=len(own))
        for led_by in leaders.get(brought.name, ()):
            assert frame.leaders is not None
            rows = tuple(range(len(listed), len(listed) + len(led_by.models)))
            listed += led_by.models
            unit.models = frame.leaders.join(unit.models, rows)
            unit.leader, unit.leader_strength = (*unit.leader, *rows), unit.leader_strength + len(rows)
            unit.leader_names = (*unit.leader_names, *(led_by.name for _ in rows))
        flags = {name: value for name, value in brought.flags.items() if name != "embarked"}
        set_fields(unit, flags, f"{unit.name}: flags")
        units.append(unit)
    _put_aboard(units, army)
    return units, listed


def _leaders(frame: Frame, army: Sequence[UnitList]) -> dict[str, list[UnitList]]:
    """Leaders by the name of the unit that they lead."""
    found: dict[str, list[UnitList]] = {}
    names = {u.name: u for u in army}
    for leader in army:
        if not leader.leads:
            continue
        if frame.leaders is None:
            raise UserError(f"{leader.name} cannot lead '{leader.leads}': {frame.name} knows no Leaders.")
        frame.leaders.check(leader, names.get(leader.leads), found)
        found.setdefault(leader.leads, []).append(leader)
    return found


def _put_aboard(units: Sequence[Unit], army: Sequence[UnitList]) -> None:
    """Units whose flag `embarked` names another unit are in it."""
    numbers = {u.name: u.id for u in units}
    for brought in army:
        transport = brought.flags.get("embarked")
        if transport is None or brought.leads:
            continue
        if not isinstance(transport, str) or transport not in numbers or transport == brought.name:
            raise UserError(f"{brought.name}: there is no unit '{short(str(transport), SHOWN)}' to be embarked in.")
        units[numbers[brought.name]].embarked = numbers[transport]
    for unit in units:
        if unit.embarked >= 0 and units[unit.embarked].embarked >= 0:
            raise UserError(f"{unit.name}: {units[unit.embarked].name} is embarked itself, and can carry nobody.")


# --- Starts from files ------------------------------------------------------------------------------------------------


def check_sound(frame: Frame, setup: Setup[Any], state: State[Any, Any, Any]) -> None:
    """Refuse a start from a file that no battle can have."""
    data: Data = setup.data
    sheets: Sequence[Any] = data.sheets
    for sheet in sheets:
        frame.check_sheet(sheet)
    if len(data.kits) != len(setup.shape_of) or any(not 0 <= kit.sheet < len(sheets) for kit in data.kits):
        raise UserError("a model has a datasheet that is not there.")
    if any(not 0 <= row < len(sheets[kit.sheet].weapons) for kit in data.kits for row in kit.weapons):
        raise UserError("a model has a weapon that is not there.")
    table = setup.table
    for objectives, zones in ((data.objectives, data.zones), *((p.objectives, p.zones) for p in data.wishes)):
        spots = [*(o[:2] for o in objectives), *(corner for zone in zones for corner in zone)]
        if len(spots) > MOST_SPOTS or any(not (0 <= x <= table.width and 0 <= y <= table.depth) for x, y in spots):
            raise UserError("the mission has a marker or a zone that is not on the table.")
    if not 0 <= data.rounds <= MOST_ROUNDS or not 0 <= data.turns <= MOST_ROUNDS:
        raise UserError(f"a battle has at most {MOST_ROUNDS} rounds.")
    if any(not -1 <= unit.embarked < len(state.units) for unit in state.units):
        raise UserError("a unit is in a transport that is not there.")
