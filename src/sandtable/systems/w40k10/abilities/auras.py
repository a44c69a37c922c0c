"""Aura abilities: how far they reach, and that the same one works only once."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from sandtable.armies.effects import AnyEffect, Within
from sandtable.forty.effects.at_work import one_aura
from sandtable.forty.effects.reach import units_that_reach
from sandtable.rules import rule
from sandtable.systems.w40k10.state import Unit, World10


@rule("w40k10.ability.aura", neutral=())
def in_aura(w: World10, bearers: Sequence[int], unit: Unit, far: Within) -> list[int]:
    """The units with a bearer on the table that a unit on it is within range of; the bearer's own unit always is."""
    return units_that_reach(w, bearers, unit, far)


@rule("w40k10.ability.aura", neutral=None)
def same_aura(w: World10, name: str, effect: AnyEffect) -> Hashable:
    """The same Aura works on a unit only once, however many models have it."""
    return one_aura(name, effect)
