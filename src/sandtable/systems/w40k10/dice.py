"""Dice: sums, D3, roll-offs and re-rolls."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Final

from sandtable.attack.tables import Rerolls
from sandtable.forty.effects.attack_rolls import Again, Working, best_of
from sandtable.forty.rerolls import roll_again
from sandtable.kit import dice
from sandtable.rules import rule
from sandtable.systems.w40k10.state import Battle10, Unit, World10


@rule("w40k10.dice.d3", neutral=1)
def d3(face: int) -> int:
    """A D3 is a D6 halved, rounded up."""
    return (face + 1) // 2


@rule("w40k10.dice.sums", neutral=0)
def total(faces: Sequence[int]) -> int:
    """Several dice of one roll are added up."""
    return sum(faces)


value_of: Final = partial(dice.value_of, d3, total)
"""What an amount comes to with these D6."""


@rule("w40k10.dice.notation", neutral=True)
def meets(face: int, need: int) -> bool:
    """Whether a result meets a requirement such as 3+."""
    return face >= need


@rule("w40k10.dice.notation", neutral=False)
def in_range(face: int, least: int, most: int) -> bool:
    """Whether a result is in a range such as 1-2."""
    return least <= face <= most


@rule("w40k10.dice.roll_off", neutral=0)
def roll_off(b: Battle10) -> int:
    """Every player rolls one die, the highest wins; those who tie roll again. Returns the winner."""
    return dice.roll_off(b, "w40k10.dice.roll_off")


@rule("w40k10.dice.sequencing", neutral=0)
def takes_order(b: Battle10) -> int:
    """Who orders what falls due at one time: in a turn the active player, else the winner of a roll-off."""
    if b.state.game.phase:
        return b.state.active
    return roll_off(b)


@rule("w40k10.dice.reroll", neutral=True)
def may_reroll(data: dict[str, Any], die: int) -> bool:
    """No die is re-rolled twice."""
    return die not in data["rerolled"]


@rule("w40k10.dice.reroll", "w40k10.dice.unmodified", neutral=Again())
def reroll_of(found: Working, roll: str, own: Rerolls = "none") -> Again:
    """The best re-roll of a Hit, Wound or Damage roll; `own` is what the weapon itself allows.

    It is judged by bare faces, and the face that it gives is the unmodified roll.
    """
    return best_of([a for a in found.rerolls if a.effect.roll == roll], own)


@rule("w40k10.dice.reroll_sum", neutral=(0,))
def dice_to_reroll(data: dict[str, Any], die: int) -> tuple[int, ...]:
    """Which dice a re-roll takes up: all dice of a sum, else the chosen one."""
    return tuple(range(len(data["faces"]))) if data["sum"] else (die,)


def reroll(b: Battle10, unit: Unit, data: dict[str, Any], die: int, *rules: str, by: str = "") -> None:
    """Roll again: the new result stands, better or worse. `by` names what allows it."""
    roll_again(b, unit, data, dice_to_reroll(data, die), *rules, by=by)


@rule("w40k10.dice.sequencing", neutral=1)
def who_orders(w: World10) -> int:
    """During a turn, the active player orders what happens at the same time."""
    return w.state.active
