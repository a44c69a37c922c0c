"""Command re-rolls of the Underdog: one die of a roll is thrown again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import msgspec

from sandtable.battle import Moment, Option, Reaction, Value
from sandtable.battle.rolls import SHOWN, AnyReading
from sandtable.forty.effects.other_rolls import own_reroll
from sandtable.forty.moments import AFTER_ROLL
from sandtable.forty.picking_rerolls import rerolls, worth_another_try
from sandtable.forty.rerolls import offer_batch_reroll, offer_reroll, roll_again
from sandtable.kit.attack.rolling import Roll, reroll_one
from sandtable.rules import rule
from sandtable.systems.w40k8.state import Battle8, Unit

RULE: Final = "w40k8.onlywar.command_reroll_use"
NAME: Final = "Command re-roll"
FACES: Final = range(1, 7)
WORTH: Final = 1 / 3
"""What another throw must promise on average: a third of a success, of a wound or of a model."""


async def after_roll(b: Battle8, roll: Roll) -> tuple[int, ...]:
    """The moment after a batch of dice of an attack."""
    return await offer_batch_reroll(b, roll)


async def roll(
    b: Battle8,
    unit: Unit,
    count: int,
    kind: str,
    *rules: str,
    read: AnyReading = SHOWN,
    value: Callable[[Sequence[int]], float] = lambda faces: 0,
    enough: Callable[[Sequence[int]], bool] | None = None,
) -> tuple[int, ...]:
    """Dice that are thrown for a unit, as they stand in the end; `value` tells how good they are for who threw them.

    Where it is said what is `enough`, abilities may let dice be thrown again that are not.
    """
    spent: tuple[int, ...] = ()
    faces = b.roll(count, kind, unit.player, rules=rules, read=read)
    if enough is not None:
        good, source = enough(faces), rules[0]
        faces, spent = await own_reroll(b, unit, (kind,), kind, faces, good, source=source, read=read, apart=True)
    return await offer_reroll(b, unit, kind, faces, sum_=False, read=read, value=value, rerolled=spent)


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
    """The dice that may be picked, one for each different face."""
    batch: Roll | None = moment.data.get("batch")
    if batch is None:
        return rerolls(moment, not_again)
    found: dict[int, int] = {}
    for die in (d for which in batch.open() for d in batch.dice_of(which) if not_again(moment.data, d)):
        found.setdefault(batch.faces[die], die)
    return [Option(die, f"the {face} of the {batch.kind} roll") for face, die in sorted(found.items())]


def worth_it(b: Battle8, player: int, moment: Moment, use: Value) -> bool:
    """Whether much depends on the die: of those of an attack, on the lowest of its roll."""
    data, die = moment.data, int(use)
    batch: Roll | None = data.get("batch")
    if batch is not None:
        which = batch.group[die]
        lowest = min(batch.faces[d] for d in batch.dice_of(which))
        return batch.faces[die] == lowest and worth_another_try(b, moment, which)
    faces, value = data["faces"], data["value"]
    hoped = sum(value((*faces[:die], face, *faces[die + 1 :])) for face in FACES) / len(FACES)
    return bool(hoped - value(faces) >= WORTH)


@rule("w40k8.onlywar.command_reroll_use", "w40k8.dice.reroll")
async def use_one(b: Battle8, player: int, moment: Moment, use: Value) -> None:
    """One die is thrown again, and the re-roll is gone."""
    p, data, die = b.player(player), moment.data, int(use)
    b.set_player(p, rerolls=p.rerolls - 1)
    batch: Roll | None = data.get("batch")
    if batch is None:
        roll_again(b, b.unit(moment.unit), data, (die,), RULE, by=NAME)
    else:
        which = batch.group[die]
        faces = reroll_one(b, batch, which, RULE, by=NAME, die=batch.dice_of(which).index(die))
        data.update(faces=faces, batch=msgspec.structs.replace(batch, faces=faces), rerolled=(*data["rerolled"], die))


REACTIONS: Final = (Reaction(NAME, AFTER_ROLL, use_one, can_be_used, single_dice, worth_it, rules=(RULE,)),)
