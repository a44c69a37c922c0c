"""Random characteristics: a Move that is rolled for a unit, and other numbers that are dice."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from sandtable.attack.volley import DiceSum, dice
from sandtable.forty.random_moves import roll_move
from sandtable.rules import rule
from sandtable.systems.w40k10.dice import value_of
from sandtable.systems.w40k10.state import Battle10, Unit

_read: Final = lru_cache(maxsize=1024)(dice)


@rule("w40k10.datasheet.random_other", neutral=DiceSum(plus=1))
def rolled(characteristic: str) -> DiceSum:
    """A characteristic such as "D6+1", to be rolled anew for each weapon, and for the Damage of each attack."""
    return _read(characteristic)


@rule("w40k10.datasheet.random_move")
def roll_random_move(b: Battle10, unit: Unit) -> None:
    """A random Move is rolled once for the unit, when it is selected to move."""
    roll_move(b, unit, value_of, "w40k10.datasheet.random_move")
