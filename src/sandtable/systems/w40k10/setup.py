"""Setting a battle up: from army lists or from a scenario file to a set-up and a state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import numpy as np

from sandtable.battle import ABOARD, GONE, OFF, TABLE, Models
from sandtable.battle.scenario import set_fields
from sandtable.battle.sound import MAX_MODELS
from sandtable.errors import UserError
from sandtable.forty.sheets import shape_of
from sandtable.forty.state import Kit
from sandtable.rules import Argument, rule
from sandtable.systems.w40k10.concepts import HILL
from sandtable.systems.w40k10.datasheet import Sheet, check_sheet
from sandtable.systems.w40k10.objectives import MARKER
from sandtable.systems.w40k10.state import Data, Game, Player, Setup10, State10, Unit
from sandtable.table.layout import Feature, Table, signed_area
from sandtable.table.measure import wholly_in_area
from sandtable.table.shapes import Bodies, Shape, pack

SYSTEM_ID: Final = "w40k10"
NAME: Final = "Warhammer 40,000, 10th edition"
MOST_ROUNDS: Final = 100
MOST_SPOTS: Final = 200
"""Markers and corners of zones that a mission has at most."""
PHASE_OF_STEP: Final = {
    "command_phase": "command",
    "battle_shock": "command",
    "movement_phase": "movement",
    "move_units": "movement",
    "reinforcements": "movement",
    "shooting_phase": "shooting",
    "shoot_units": "shooting",
    "charge_phase": "charge",
    "charge_units": "charge",
    "fight_phase": "fight",
    "fights_first": "fight",
    "remaining_combats": "fight",
    "remove_stragglers": "fight",
}
"""The phase that a step belongs to, for scenarios that begin in the middle of one."""


class ModelList(NamedTuple):
    """One model of an army list."""

    sheet: Sheet
    weapons: tuple[str, ...] | None = None
    """Names of the weapons it carries; None for all of its datasheet."""
    at: tuple[int, int, int] | None = None
    """None: not on the table."""
    facing: int = 0
    wounds: int | None = None


class UnitList(NamedTuple):
    """One unit of an army list."""

    name: str
    player: int
    models: tuple[ModelList, ...]
    leads: str = ""
    """The unit that it is attached to, if it is a Leader."""
    flags: Mapping[str, Any] = MappingProxyType({})


def build(
    table: Table,
    players: Sequence[str],
    army: Sequence[UnitList],
    *,
    options: dict[str, str],
    objectives: Sequence[tuple[int, int, int]] = (),
    rounds: int = 5,
    turns: int = 0,
) -> tuple[Setup10, State10]:
    """Set-up and state for armies on a table."""
    check_stacking(table)
    units, listed = _join_leaders(army)
    if len(listed) > MAX_MODELS:
        raise UserError(f"A battle has at most {MAX_MODELS} models, not {len(listed)}.")
    sheets: list[Sheet] = []
    shapes: list[Shape] = []
    kits: list[Kit] = []
    shape_rows: list[int] = []
    for model in listed:
        if model.sheet not in sheets:
            check_sheet(model.sheet)
        kits.append(Kit(_row(sheets, model.sheet), _weapon_rows(model)))
        shape_rows.append(_row(shapes, shape_of(model.sheet)))
    shapes.append(MARKER)
    data = Data(kits=tuple(kits), sheets=tuple(sheets), objectives=tuple(objectives), rounds=rounds, turns=turns)
    setup = Setup10(SYSTEM_ID, table, tuple(shapes), tuple(shape_rows), data, options)
    owner = np.zeros(len(listed), dtype=np.int64)
    for unit in units:
        owner[list(unit.models)] = unit.id
    zero = np.zeros(len(listed), dtype=np.int64)
    places = [_place(m) for m in listed]
    for m in (m for unit in units if unit.embarked >= 0 for m in unit.models if places[m] != GONE):
        places[m] = ABOARD
    models = Models(
        np.array([m.at or (0, 0, 0) for m in listed], dtype=np.int64).reshape(len(listed), 3),
        np.array([m.facing for m in listed], dtype=np.int64),
        np.array([m.sheet.wounds if m.wounds is None else m.wounds for m in listed], dtype=np.int64),
        np.array(places, dtype=np.int64),
        zero,
        owner,
    )
    seats = [Player(i, name, i) for i, name in enumerate(players)]
    game = Game(control=(-1,) * len(objectives))
    return setup, State10(models, units, seats, game, segment="turn", round=1)


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


@rule("w40k10.terrain.hill_stacking")
def check_stacking(table: Table) -> None:
    """Refuse a terrain feature that stands on something else than a hill, or overhangs it."""
    hills = [f for f in table.features if f.kind == HILL and f.solid]
    for feature in table.features:
        if feature.bottom and not any(_carries(hill, feature) for hill in hills):
            raise UserError(f"{feature.name or feature.id} must stand wholly on a hill, or on the ground.")


def _carries(hill: Feature, other: Feature) -> bool:
    shape = pack([Shape(((0, 0),), 0, 1)])
    outline = np.array(hill.outline if signed_area(hill.outline) > 0 else hill.outline[::-1], dtype=np.int64)
    corners = Bodies(
        np.array([(x, y, 0) for x, y in other.outline], dtype=np.int64),
        np.zeros(len(other.outline), dtype=np.int64),
        np.zeros(len(other.outline), dtype=np.int64),
    )
    inside = all(wholly_in_area(corners, shape, i, outline, len(outline)) for i in range(len(other.outline)))
    return hill.top == other.bottom and inside


# --- Leaders ----------------------------------------------------------------------------------------------------------


def _join_leaders(army: Sequence[UnitList]) -> tuple[list[Unit], list[ModelList]]:
    """Units with their Leaders joined to them, and all models in the order of their numbers."""
    leaders: dict[str, UnitList] = {}
    names = {u.name: u for u in army}
    for leader in army:
        if leader.leads:
            attach(leader, names.get(leader.leads), leaders)
            leaders[leader.leads] = leader
    units: list[Unit] = []
    listed: list[ModelList] = []
    for brought in army:
        if brought.leads:
            continue
        check_unit(brought)
        led_by = leaders.get(brought.name)
        first = len(listed)
        listed += brought.models
        own = tuple(range(first, len(listed)))
        listed += led_by.models if led_by else ()
        leader_rows = tuple(range(own[-1] + 1, len(listed)))
        units.append(
            Unit(
                len(units),
                brought.player,
                brought.name,
                one_unit(own, leader_rows),
                strength=len(own),
                leader=leader_rows,
                leader_strength=len(leader_rows),
                leader_names=(led_by.name,) * len(leader_rows) if led_by else (),
            )
        )
        _set_flags(units[-1], {k: v for k, v in brought.flags.items() if k != "embarked"})
    _put_aboard(units, army)
    return units, listed


def _put_aboard(units: Sequence[Unit], army: Sequence[UnitList]) -> None:
    """Units whose flag `embarked` names another unit are in it."""
    numbers = {u.name: u.id for u in units}
    for brought in army:
        transport = brought.flags.get("embarked")
        if transport is None or brought.leads:
            continue
        if transport not in numbers or transport == brought.name:
            raise UserError(f"{brought.name}: there is no unit '{transport}' to be embarked in.")
        units[numbers[brought.name]].embarked = numbers[transport]


@rule("w40k10.ability.leader_one_unit", neutral=Argument("bodyguard"))
def one_unit(bodyguard: tuple[int, ...], leader: tuple[int, ...]) -> tuple[int, ...]:
    """The models of an Attached unit are one unit."""
    return bodyguard + leader


@rule("w40k10.ability.leader_attach")
def attach(leader: UnitList, bodyguard: UnitList | None, leaders: dict[str, UnitList]) -> None:
    """Refuse a Leader that cannot be attached to a unit."""
    if bodyguard is None or bodyguard.player != leader.player:
        raise UserError(f"{leader.name} cannot be attached to '{leader.leads}': the army has no such unit.")
    if not all(m.sheet.has("leader") for m in leader.models):
        raise UserError(f"{leader.name} is no Leader and cannot be attached to a unit.")
    for m in leader.models:
        for guard in bodyguard.models:
            if guard.sheet.name not in m.sheet.leads:
                raise UserError(
                    f"{leader.name} can lead {', '.join(m.sheet.leads) or 'nobody'}, not {guard.sheet.name}."
                )
    if leader.leads in leaders:
        raise UserError(f"{leader.leads} has a Leader already: {leaders[leader.leads].name}.")


@rule("w40k10.concept.unit")
def check_unit(brought: UnitList) -> None:
    """A unit has models."""
    if not brought.models:
        raise UserError(f"{brought.name}: a unit has at least one model.")


def _set_flags(unit: Unit, flags: Mapping[str, Any]) -> None:
    set_fields(unit, flags, f"{unit.name}: flags")


def check_sound(setup: Setup10, state: State10) -> None:
    """Refuse a start from a file that no battle can have."""
    data, table = setup.data, setup.table
    for sheet in data.sheets:
        check_sheet(sheet)
    if len(data.kits) != len(setup.shape_of) or any(not 0 <= kit.sheet < len(data.sheets) for kit in data.kits):
        raise UserError("a model has a datasheet that is not there.")
    if any(not 0 <= row < len(data.sheets[kit.sheet].weapons) for kit in data.kits for row in kit.weapons):
        raise UserError("a model has a weapon that is not there.")
    plans = [(data.objectives, data.zones), *((plan.objectives, plan.zones) for plan in data.wishes)]
    for objectives, zones in plans:
        spots = [*(o[:2] for o in objectives), *(corner for zone in zones for corner in zone)]
        if len(spots) > MOST_SPOTS or any(not (0 <= x <= table.width and 0 <= y <= table.depth) for x, y in spots):
            raise UserError("the mission has a marker or a zone that is not on the table.")
    if not 0 <= data.rounds <= MOST_ROUNDS or not 0 <= data.turns <= MOST_ROUNDS:
        raise UserError(f"a battle has at most {MOST_ROUNDS} rounds.")
    if any(not -1 <= unit.embarked < len(state.units) for unit in state.units):
        raise UserError("a unit is in a transport that is not there.")
