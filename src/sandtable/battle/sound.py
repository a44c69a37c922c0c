"""Whether a set-up and a state that came from outside fit each other: the kernels trust every row number."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from sandtable.battle.setup import Setup
from sandtable.battle.state import ABOARD, GONE, OFF, TABLE, State
from sandtable.battle.system import System
from sandtable.battle.tables import MAX_SIZE, check_table
from sandtable.table.grid import STEP, TURN
from sandtable.table.shapes import MAX_CORE

MAX_MODELS: Final = 1000
MAX_UNITS: Final = 500
MAX_PLAYERS: Final = 16
MAX_EFFECTS: Final = 5000
MAX_ROUND: Final = 1000
MAX_WOUNDS: Final = 1000
MAX_BASE: Final = 100 * STEP
MAX_NAME: Final = 200


def demand_sound(system: System, setup: Setup[Any], state: State[Any, Any, Any]) -> None:
    """Refuse, with ValueError or UserError, a start that no battle of the system can have."""
    _models(setup, state)
    _units(state)
    _clock(system, state)
    check_table(setup.table, state.features)
    if system.sound is not None:
        system.sound(setup, state)


def _models(setup: Setup[Any], state: State[Any, Any, Any]) -> None:
    models, count = state.models, len(setup.shape_of)
    if count > MAX_MODELS or len(setup.shapes) > MAX_MODELS:
        raise ValueError(f"it has more than {MAX_MODELS} models")
    columns = (models.facing, models.wounds, models.place, models.mark, models.unit)
    if models.pos.shape != (count, 3) or any(column.shape != (count,) for column in columns):
        raise ValueError("its models do not match their bases")
    if any(not 0 <= shape < len(setup.shapes) for shape in setup.shape_of):
        raise ValueError("a model has a base that is not there")
    for shape in setup.shapes:
        corners = [v for corner in shape.core for v in corner]
        if not 1 <= len(shape.core) <= MAX_CORE or max(abs(v) for v in (*corners, shape.radius)) > MAX_BASE:
            raise ValueError("a base is too large")
        if shape.radius < 0 or not 0 <= shape.height <= MAX_SIZE * STEP:
            raise ValueError("a base is not one that a model can have")
    if count and not (
        _within(models.pos, -(1 << 24), 1 << 24)
        and _within(models.facing, 0, TURN - 1)
        and _within(models.wounds, 0, MAX_WOUNDS)
        and bool(np.isin(models.place, (OFF, TABLE, ABOARD, GONE)).all())
    ):
        raise ValueError("a model stands far off any table, or is in a state that no model can be in")


def _within(column: Any, least: int, most: int) -> bool:
    return bool(column.min() >= least and column.max() <= most)


def _units(state: State[Any, Any, Any]) -> None:
    count = len(state.models.unit)
    if len(state.units) > MAX_UNITS or not 1 <= len(state.players) <= MAX_PLAYERS:
        raise ValueError(f"it has more than {MAX_UNITS} units, or not 1 to {MAX_PLAYERS} players")
    for number, unit in enumerate(state.units):
        if unit.id != number or not 0 <= unit.player < len(state.players):
            raise ValueError(f"unit {unit.id} is out of order")
        if any(not 0 <= model < count for model in unit.models):
            raise ValueError(f"unit {unit.id} has a model that is not there")
        if len(unit.name) > MAX_NAME:
            raise ValueError(f"unit {unit.id} has a name of more than {MAX_NAME} letters")
    if any(player.id != number or len(player.name) > MAX_NAME for number, player in enumerate(state.players)):
        raise ValueError("its players are out of order")
    if any(not 0 <= unit < len(state.units) for unit in state.models.unit.tolist()):
        raise ValueError("a model belongs to no unit")


def _clock(system: System, state: State[Any, Any, Any]) -> None:
    if not 0 <= state.active < len(state.players):
        raise ValueError("nobody's turn it is")
    if not 0 <= state.step < len(system.segments.get(state.segment, ())):
        raise ValueError("it begins at a step that is not there")
    if not (0 <= state.round <= MAX_ROUND and 0 <= state.answers < 1 << 40 and 0 <= state.rolled < 1 << 40):
        raise ValueError("its clock is out of order")
    if len(state.effects) > MAX_EFFECTS:
        raise ValueError(f"it has more than {MAX_EFFECTS} effects")
