"""Dice: amounts, what is added to a roll, and which dice are thrown again."""

from __future__ import annotations

from collections.abc import Iterable

from sandtable.attack.tables import Rerolls, reroll_faces
from sandtable.attack.volley import FACES, DiceSum, dice
from sandtable.battle.rolls import Sum, Total
from sandtable.rules import rule
from sandtable.systems.w40k8.state import Battle8


@rule("w40k8.dice.d6", "w40k8.dice.d3", neutral=DiceSum(plus=1))
def amount(text: int | str) -> DiceSum:
    """A number, dice that are added up, or a D3, which is a D6 halved and rounded up."""
    return dice(text)


@rule("w40k8.dice.modifiers", neutral=0)
def total(modifiers: Iterable[int]) -> int:
    """All that is added to a roll and taken from it, without any limit."""
    return sum(modifiers)


@rule("w40k8.dice.reroll_timing", neutral=())
def open_to_reroll(kind: Rerolls, needed: int) -> tuple[int, ...]:
    """The faces that may be thrown again: a roll has failed or not by its bare face."""
    return reroll_faces(kind, [face >= needed for face in FACES])


def throw(b: Battle8, text: str, kind: str, noun: str, player: int, *rules: str) -> int:
    """Throw for a number that may hold dice."""
    number = amount(text)
    read = Total(noun, sums=(Sum(number.dice, number.plus, 0, number.divide),))
    return number.of(b.roll(len(number.dice), kind, player, rules=rules, read=read))
