"""The end of models: what it sets off before they are taken off the table."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple


async def _nothing(b: Any, unit: Any, model: int) -> None:
    """Models of this edition end quietly."""


class Endings(NamedTuple):
    """The seam: what an edition lets the end of a model set off, each (battle, unit, model)."""

    abandon: Callable[[Any, Any, int], Awaitable[None]]
    """Passengers get out of a transport."""
    deadly_demise: Callable[[Any, Any, int], Awaitable[None]] = _nothing
    """It harms those around it."""
