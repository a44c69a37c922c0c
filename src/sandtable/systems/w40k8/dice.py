"""Dice: amounts, what is added to a roll, which dice are thrown again, and Command re-rolls."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from sandtable.attack.tables import Rerolls, reroll_faces
from sandtable.attack.volley import FACES, DiceSum, dice
from sandtable.battle import Moment, Option, Reaction, Value
from sandtable.forty import single_dice
from sandtable.forty.moments import AFTER_ROLL
from sandtable.forty.single_dice import dice_open, is_worth_it, throw_again
from sandtable.kit import dice as kit
from sandtable.rules import Argument, rule
from sandtable.systems.w40k8.state import Battle8, Unit


@rule("w40k8.dice.d6", "w40k8.dice.d3", "w40k8.dice.halving", neutral=DiceSum(plus=1))
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


async def throw(b: Battle8, text: str, kind: str, noun: str, unit: Unit, *rules: str, low: bool = False) -> int:
    """Throw for a number that may hold dice; `low` if little of it is good for the unit."""
    return await single_dice.throw(b, unit, amount(text), kind, noun, *rules, low=low)


@rule("w40k8.dice.halving", neutral=Argument("number"))
def halved(number: int) -> int:
    """Half of a roll, rounded up; what is added to it comes later."""
    return (number + 1) // 2


@rule("w40k8.dice.roll_off", neutral=0)
def roll_off(b: Battle8) -> int:
    """Each player throws one die and the highest wins; those who tie throw again."""
    return kit.roll_off(b, "w40k8.dice.roll_off")


@rule("w40k8.onlywar.command_reroll_use", neutral=False)
def can_be_used(b: Battle8, player: int, moment: Moment) -> bool:
    """A player who has one left uses it on own dice, in whoever's turn."""
    own = b.unit(moment.unit).player == player or b.option("command-rerolls") == "any-dice"
    return b.player(player).rerolls > 0 and own


@rule("w40k8.onlywar.command_reroll_use", "w40k8.dice.reroll", neutral=True)
def not_again(data: dict[str, Any], die: int) -> bool:
    """No die is thrown a third time."""
    return die not in data["rerolled"]


def dice_to_throw(b: Battle8, player: int, moment: Moment) -> list[Option]:
    """The dice that may be picked."""
    return dice_open(moment, not_again)


@rule("w40k8.onlywar.command_reroll_use", "w40k8.dice.reroll")
async def use_one(b: Battle8, player: int, moment: Moment, use: Value) -> None:
    """One die is thrown again, and the re-roll is gone."""
    p = b.player(player)
    b.set_player(p, rerolls=p.rerolls - 1)
    throw_again(b, moment, int(use), REROLL.rules[0], REROLL.name)


REROLL: Final = Reaction(
    "Command re-roll", AFTER_ROLL, use_one, can_be_used, dice_to_throw, is_worth_it,
    rules=("w40k8.onlywar.command_reroll_use",),
)  # fmt: skip
