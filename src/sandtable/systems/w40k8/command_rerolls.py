"""Command re-rolls of the Underdog: one die of a roll is thrown again."""

from __future__ import annotations

from typing import Any, Final

from sandtable.battle import Moment, Option, Reaction, Value
from sandtable.forty.moments import AFTER_ROLL
from sandtable.forty.single_dice import dice_open, is_worth_it, throw_again
from sandtable.rules import rule
from sandtable.systems.w40k8.state import Battle8

RULE: Final = "w40k8.onlywar.command_reroll_use"
NAME: Final = "Command re-roll"


@rule("w40k8.onlywar.command_reroll_use", neutral=False)
def can_be_used(b: Battle8, player: int, moment: Moment) -> bool:
    """A player who has one left uses it on own dice, in whoever's turn."""
    own = b.unit(moment.unit).player == player or b.option("command-rerolls") == "any-dice"
    return b.player(player).rerolls > 0 and own


@rule("w40k8.onlywar.command_reroll_use", "w40k8.dice.reroll", neutral=True)
def not_again(data: dict[str, Any], die: int) -> bool:
    """No die is thrown a third time."""
    return die not in data["rerolled"]


def single_dice(b: Battle8, player: int, moment: Moment) -> list[Option]:
    """The dice that may be picked."""
    return dice_open(moment, not_again)


@rule("w40k8.onlywar.command_reroll_use", "w40k8.dice.reroll")
async def use_one(b: Battle8, player: int, moment: Moment, use: Value) -> None:
    """One die is thrown again, and the re-roll is gone."""
    p = b.player(player)
    b.set_player(p, rerolls=p.rerolls - 1)
    throw_again(b, moment, int(use), RULE, NAME)


REACTIONS: Final = (Reaction(NAME, AFTER_ROLL, use_one, can_be_used, single_dice, is_worth_it, rules=(RULE,)),)
