"""Psychic powers that work as abilities: what they do, and on whom, when they are manifested."""

from __future__ import annotations

from sandtable.forty.effects.occasions import Occasion, Use
from sandtable.forty.effects.offers import use_ability
from sandtable.forty.effects.targets import can_matter
from sandtable.forty.state import Battle40, Unit, World40

MANIFESTED = "manifested"


def power_of(w: World40, unit: Unit, model: int, name: str) -> Use | None:
    """The ability of a model that a power stands for."""
    found = (n for n, a in enumerate(w.setup.data.abilities) if model in a.models and a.name.lower() == name)
    number = next(found, None)
    return None if number is None else Use(number, unit.id)


async def manifest_ability(b: Battle40, unit: Unit, model: int, name: str) -> bool:
    """Let a power work; whether there was anybody for it."""
    use = power_of(b, unit, model, name)
    if use is None or not can_matter(b, use, Occasion(MANIFESTED, unit.id)):
        return False
    await use_ability(b, use, Occasion(MANIFESTED, unit.id))
    return True
