"""Mortal wounds without a battle: damage that no save stops, as the solver takes it."""

from __future__ import annotations

from typing import Final

from sandtable.attack.tables import hit_table
from sandtable.attack.volley import (
    NEVER,
    NO_SAVE,
    Attack,
    Cites,
    DiceSum,
    Mortal,
    Shots,
    Target,
    Volley,
    WoundFace,
    WoundKind,
    WoundRoll,
)

SURE: Final = WoundRoll((WoundFace(0),) * 6, rolled=False)
ONCE: Final = (Shots(1, DiceSum(plus=1)),)


def mortal_wounds(target: Target, number: DiceSum, rules: Cites) -> Attack:
    """So many mortal wounds on a unit, at once."""
    kind = WoundKind(NO_SAVE, None, Mortal(number, held=False), rules)
    return Attack((Volley("mortal wounds", ONCE, hit_table(NEVER, auto=True), SURE, (kind,), cites=rules),), target)
