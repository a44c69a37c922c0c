"""Deadly Demise (24.08)."""

from __future__ import annotations

from sandtable.systems.w40k11.state import Battle11, Unit


async def deadly_demise(b: Battle11, unit: Unit, model: int) -> None:
    """A destroyed model may hurt the units around it."""
