"""The end of models: what it sets off before they are taken off the table."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

from sandtable.battle import GONE
from sandtable.forty.state import Battle40


async def _nothing(b: Any, unit: Any, model: int) -> None:
    """Models of this edition end quietly."""


def take_off(b: Battle40, model: int) -> None:
    """Take a destroyed model off the table, with no wounds left."""
    if b.state.models.wounds[model]:
        b.set_wounds(model, 0)
    b.place_models([model], GONE)


class Endings(NamedTuple):
    """The seam: what an edition lets the end of a model set off, each (battle, unit, model)."""

    abandon: Callable[[Any, Any, int], Awaitable[None]]
    """Passengers get out of a transport."""
    deadly_demise: Callable[[Any, Any, int], Awaitable[None]] = _nothing
    """It harms those around it."""
