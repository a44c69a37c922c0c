"""A battle's state as clients get it."""

from __future__ import annotations

from typing import Any

from sandtable.battle.state import State
from sandtable.server.protocol import Shown


def shown(state: State[Any, Any, Any]) -> Shown:
    """A player's state as a client gets it."""
    m = state.models
    columns = (m.pos[:, 0], m.pos[:, 1], m.pos[:, 2], m.facing, m.wounds, m.place, m.mark, m.unit)
    return Shown(
        models=[list(row) for row in zip(*(c.tolist() for c in columns), strict=True)],
        units=state.units,
        players=state.players,
        game=state.game,
        segment=state.segment,
        step=state.step,
        round=state.round,
        active=state.active,
        effects=state.effects,
        features=state.features,
    )
