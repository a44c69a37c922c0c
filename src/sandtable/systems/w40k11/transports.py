"""Transports (18): who has room in them, getting in and getting out."""

from __future__ import annotations

from sandtable.systems.w40k11.state import Battle11, Unit


async def abandon(b: Battle11, transport: Unit, model: int) -> None:
    """Passengers of a destroyed transport get out."""
