"""Folding events: a player's first view plus the events that this player sees is the current view."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from sandtable.battle.events import (
    Affected,
    AnyEvent,
    Built,
    Changed,
    Ended,
    Joined,
    Marked,
    Moved,
    Placed,
    Wounded,
)
from sandtable.battle.state import State, new_version


def fold(state: State[Any, Any, Any], events: Iterable[AnyEvent]) -> State[Any, Any, Any]:
    """Apply events to a state, in place."""
    models = state.models
    for event in events:
        match event:
            case Changed(what, number, fields):
                holder = {"unit": state.units, "player": state.players}.get(what)
                target: Any = holder[number] if holder is not None else state.game if what == "game" else state
                for name, value in fields.items():
                    setattr(target, name, value)
            case Moved(rows, pos, facing):
                models.pos[np.array(rows)] = pos
                models.facing[np.array(rows)] = facing
            case Placed(rows, place):
                models.place[np.array(rows)] = place
            case Wounded(model, wounds):
                models.wounds[model] = wounds
            case Marked(model, mark):
                models.mark[model] = mark
            case Joined(rows, unit):
                models.unit[np.array(rows)] = unit
            case Affected(effects):
                state.effects = effects
            case Built(features):
                state.features = features
            case Ended(result):
                state.result = result
    state.version = state.stamp = new_version()
    return state
