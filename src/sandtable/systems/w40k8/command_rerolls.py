"""Command re-rolls of the Underdog: one die of a roll is thrown again."""

from __future__ import annotations

from typing import Any, Final

from sandtable.battle import Moment, Option, Reaction, Value
from sandtable.forty.moments import AFTER_ROLL
from sandtable.forty.picking_rerolls import rerolls, worth_another_try
from sandtable.forty.rerolls import offer_batch_reroll, roll_again
from sandtable.kit.attack.rolling import Roll, reroll_one
from sandtable.rules import rule
from sandtable.systems.w40k8.state import Battle8

RULE: Final = "w40k8.onlywar.command_reroll_use"
NAME: Final = "Command re-roll"


async def after_roll(b: Battle8, roll: Roll) -> tuple[int, ...]:
    """The moment after a batch of dice of an attack."""
    return await offer_batch_reroll(b, roll)


@rule("w40k8.onlywar.command_reroll_use", neutral=False)
def can_be_used(b: Battle8, player: int, moment: Moment) -> bool:
    """A player who has one left uses it on own dice, in whoever's turn."""
    return b.player(player).rerolls > 0 and b.unit(moment.unit).player == player


@rule("w40k8.onlywar.command_reroll_use", "w40k8.dice.reroll", neutral=True)
def not_again(data: dict[str, Any], die: int) -> bool:
    """No die is thrown a third time."""
    return die not in data["rerolled"]


def single_dice(b: Battle8, player: int, moment: Moment) -> list[Option]:
    """The dice that may be picked, one for each different face."""
    batch: Roll | None = moment.data.get("batch")
    found = rerolls(moment, not_again)
    return found if batch is None else [o for o in found if len(batch.dice_of(int(o.value))) == 1]


def worth_it(b: Battle8, player: int, moment: Moment, use: Value) -> bool:
    """Whether much depends on the die: of a sum that fell short, the lowest."""
    data = moment.data
    if "batch" in data:
        return worth_another_try(b, moment, use)
    return bool(sum(data["faces"]) < data["need"] and data["faces"][int(use)] == min(data["faces"]))


@rule("w40k8.onlywar.command_reroll_use")
async def use_one(b: Battle8, player: int, moment: Moment, use: Value) -> None:
    """One die is thrown again, and the re-roll is gone."""
    p = b.player(player)
    b.set_player(p, rerolls=p.rerolls - 1)
    batch: Roll | None = moment.data.get("batch")
    if batch is None:
        roll_again(b, b.unit(moment.unit), moment.data, (int(use),), RULE, by=NAME)
    else:
        moment.data["faces"] = reroll_one(b, batch, int(use), RULE, by=NAME)


REACTIONS: Final = (Reaction(NAME, AFTER_ROLL, use_one, can_be_used, single_dice, worth_it, rules=(RULE,)),)
