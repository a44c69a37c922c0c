"""Setting a battle up: from army lists or from a scenario file to a set-up and a state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np

from sandtable.battle import ABOARD, GONE, OFF, TABLE, Models
from sandtable.battle.scenario import Scenario, UnitDoc, player_number, set_fields
from sandtable.battle.sound import MAX_MODELS
from sandtable.battle.tables import build_table
from sandtable.documents import convert
from sandtable.errors import UserError
from sandtable.rules import Argument, rule
from sandtable.systems.w40k10.concepts import HILL
from sandtable.systems.w40k10.datasheet import Sheet, check_sheet, shape_of
from sandtable.systems.w40k10.objectives import MARKER
from sandtable.systems.w40k10.state import Data, Game, Kit, Player, Setup10, State10, Unit
from sandtable.table.grid import facing as facing_steps
from sandtable.table.grid import steps
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
    data = Data(tuple(sheets), tuple(kits), tuple(objectives), rounds, turns)
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


# --- Scenario files ---------------------------------------------------------------------------------------------------


class Loadout(msgspec.Struct, forbid_unknown_fields=True):
    """What some models of a unit are: another datasheet, or only some weapons."""

    models: tuple[int, ...]
    """Numbers in the unit, counted from 1."""
    weapons: tuple[str, ...] | None = None
    sheet: str | dict[str, Any] | None = None


def from_scenario(doc: Scenario) -> tuple[Setup10, State10]:
    """Set-up and state of a scenario file."""
    from sandtable.systems.w40k10.system import SYSTEM

    sheets = {name: _sheet(raw, f"sheets.{name}", name) for name, raw in doc.sheets.items()}
    army = [_unit_list(doc, unit, sheets) for unit in doc.units]
    setup, state = build(
        build_table(doc.table, "in"),
        doc.players,
        army,
        options=SYSTEM.settle_options(doc.options),
        objectives=[(steps(p[0]), steps(p[1]), steps(p[2]) if len(p) > 2 else 0) for p in doc.objectives],
        rounds=_number(doc.extra, "rounds", 5),
        turns=_number(doc.extra, "turns", 0),
    )
    unknown = sorted(set(doc.extra) - {"rounds", "turns"})
    if unknown:
        raise UserError(f"extra: 10th edition knows 'rounds' and 'turns', not '{unknown[0]}'.")
    state.game.phase = PHASE_OF_STEP.get(doc.at.step, "")
    for name, fields in doc.state.items():
        holder: Any = state.game if name == "game" else state.players[player_number(doc, name)]
        set_fields(holder, fields, f"state.{name}")
    return setup, state


def _number(extra: dict[str, Any], name: str, default: int) -> int:
    value = extra.get(name, default)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= MOST_ROUNDS:
        raise UserError(f"extra.{name}: a number from 0 to {MOST_ROUNDS}, not {value!r}.")
    return value


def _sheet(raw: Any, where: str, name: str = "") -> Sheet:
    return convert({"name": name, **raw} if name else raw, Sheet, where)


def _named_sheet(ref: str | dict[str, Any], sheets: dict[str, Sheet], where: str) -> Sheet:
    if isinstance(ref, dict):
        return _sheet(ref, f"{where}.sheet")
    if ref not in sheets:
        raise UserError(f"{where}: no sheet '{ref}'; sheets are {', '.join(sheets) or 'none'}.")
    return sheets[ref]


def _unit_list(doc: Scenario, unit: UnitDoc, sheets: dict[str, Sheet]) -> UnitList:
    where = f"units ({unit.name})"
    plain = _named_sheet(unit.sheet, sheets, where)
    count = unit.models or len(unit.positions)
    if not 1 <= count <= MAX_MODELS:
        raise UserError(f"{where}: a unit has 1 to {MAX_MODELS} models, not {count}.")
    loadouts = convert(unit.loadout, tuple[Loadout, ...], f"{where}.loadout")
    models = [ModelList(plain, facing=facing_steps(unit.facing)) for _ in range(count)]
    for loadout in loadouts:
        sheet = plain if loadout.sheet is None else _named_sheet(loadout.sheet, sheets, f"{where}.loadout")
        for number in loadout.models:
            i = _model_number(number, count, f"{where}.loadout")
            models[i] = models[i]._replace(sheet=sheet, weapons=loadout.weapons)
    for number, wounds in unit.wounds.items():
        i = _model_number(number, count, f"{where}.wounds")
        if not 0 <= wounds <= models[i].sheet.wounds:
            raise UserError(f"{where}.wounds: a model has 0 to {models[i].sheet.wounds} wounds left, not {wounds}.")
        models[i] = models[i]._replace(wounds=wounds)
    if not unit.off:
        places = _places(unit, models, where)
        models = [m._replace(at=at) for m, at in zip(models, places, strict=True)]
    flags = dict(unit.flags)
    leads = str(flags.pop("leads", ""))
    return UnitList(unit.name, player_number(doc, unit.player), tuple(models), leads, flags)


def _model_number(number: int, count: int, where: str) -> int:
    if not 1 <= number <= count:
        raise UserError(f"{where}: models are numbered 1 to {count}, there is no {number}.")
    return number - 1


def _places(unit: UnitDoc, models: Sequence[ModelList], where: str) -> list[tuple[int, int, int]]:
    """Where the models stand: named one by one, in a line, or in ranks that go up the table."""
    n = len(models)
    if unit.positions:
        if len(unit.positions) != n:
            raise UserError(f"{where}: {n} models, but {len(unit.positions)} positions.")
        return [(steps(p[0]), steps(p[1]), steps(p[2]) if len(p) > 2 else 0) for p in unit.positions]
    if unit.line is not None:
        a, b = unit.line.start, unit.line.end
        z = steps(a[2]) if len(a) > 2 else 0
        share = [i / (n - 1) if n > 1 else 0.0 for i in range(n)]
        return [(steps(a[0] + (b[0] - a[0]) * s), steps(a[1] + (b[1] - a[1]) * s), z) for s in share]
    if unit.block is not None:
        at, columns = unit.block.at, max(1, unit.block.columns)
        widest = max(max(shape_of(m.sheet).length, shape_of(m.sheet).width) for m in models)
        pace = widest + steps(unit.block.gap)
        x, y, z = steps(at[0]), steps(at[1]), steps(at[2]) if len(at) > 2 else 0
        return [(x + i % columns * pace, y + i // columns * pace, z) for i in range(n)]
    raise UserError(f"{where}: needs positions, a line or a block; or 'off: true' for a unit that is not on the table.")
