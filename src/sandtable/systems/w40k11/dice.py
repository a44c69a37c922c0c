"""Dice (01.05): sums, D3, roll-offs and re-rolls."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Final

from sandtable.attack.tables import Rerolls
from sandtable.battle import Effect
from sandtable.forty.effects.attack_rolls import Again, Working, best_of
from sandtable.forty.rerolls import roll_again
from sandtable.kit import dice
from sandtable.kit.disputes import let_decide
from sandtable.rules import rule
from sandtable.systems.w40k11.state import Battle11, Unit


@rule("w40k11.concept.d3", neutral=1)
def d3(face: int) -> int:
    """A D3 is a D6 halved, rounded up."""
    return (face + 1) // 2


@rule("w40k11.concept.dice", neutral=0)
def total(faces: Sequence[int]) -> int:
    """Several dice of one roll are added up."""
    return sum(faces)


value_of: Final = partial(dice.value_of, d3, total)
"""What an amount comes to with these D6."""


@rule("w40k11.concept.dice", neutral=False)
def in_range(face: int, least: int, most: int) -> bool:
    """Whether a result is in a range such as 1-2."""
    return least <= face <= most


@rule("w40k11.gap.roll_off", neutral=0)
def roll_off(b: Battle11) -> int:
    """Every player rolls one die, the highest wins; those who tie roll again. Returns the winner."""
    return dice.roll_off(b, "w40k11.gap.roll_off")


@rule("w40k11.gap.rerolls", neutral=Again())
def reroll_of(found: Working, roll: str, own: Rerolls = "none") -> Again:
    """The best re-roll of a hit, wound or damage roll, by its bare faces; `own` is what the weapon itself allows."""
    return best_of([a for a in found.rerolls if a.effect.roll == roll], own)


@rule("w40k11.gap.rerolls")
def reroll(b: Battle11, unit: Unit, data: dict[str, Any], *rules: str, by: str = "") -> None:
    """All dice of a sum are rolled again."""
    roll_again(b, unit, data, tuple(range(len(data["faces"]))), *rules, by=by)


async def settle(b: Battle11, dispute: Effect) -> None:
    """Players who cannot agree about a situation roll off, and the winner decides."""
    await let_decide(b, roll_off(b), dispute, "w40k11.gap.roll_off")
