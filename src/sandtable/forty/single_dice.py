"""Single dice: rolls of which one die may be thrown again, which dice these are, and whether much depends on one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import msgspec

from sandtable.attack.volley import DiceSum
from sandtable.battle import Moment, Option, Value
from sandtable.battle.rolls import SHOWN, AnyReading, Sum, Total
from sandtable.forty.effects.other_rolls import own_reroll
from sandtable.forty.picking_rerolls import rerolls, worth_another_try
from sandtable.forty.rerolls import offer_reroll, roll_again
from sandtable.forty.state import Battle40, Unit
from sandtable.kit.attack.rolling import Roll, reroll_one

FACES: Final = range(1, 7)
WORTH: Final = 1 / 3
"""What another throw must promise on average: a third of a success, of a wound or of a model."""


async def roll(
    b: Battle40,
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


async def throw(b: Battle40, unit: Unit, number: DiceSum, kind: str, noun: str, *rules: str, low: bool = False) -> int:
    """Throw for a number that may hold dice; `low` if little of it is good for the unit."""
    sign = -1 if low else 1

    def value(faces: Sequence[int]) -> int:
        return sign * number.of(faces)

    read = Total(noun, sums=(Sum(number.dice, number.plus, 0, number.divide),))
    return number.of(await roll(b, unit, len(number.dice), kind, *rules, read=read, value=value))


def dice_open(moment: Moment, may_reroll: Callable[[dict[str, Any], int], bool]) -> list[Option]:
    """The dice that may be picked, one for each different face."""
    batch: Roll | None = moment.data.get("batch")
    if batch is None:
        return rerolls(moment, may_reroll)
    found: dict[int, int] = {}
    for die in (d for which in batch.open() for d in batch.dice_of(which) if may_reroll(moment.data, d)):
        found.setdefault(batch.faces[die], die)
    return [Option(die, f"the {face} of the {batch.kind} roll") for face, die in sorted(found.items())]


def is_worth_it(b: Battle40, player: int, moment: Moment, use: Value) -> bool:
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


def throw_again(b: Battle40, moment: Moment, die: int, rule: str, by: str) -> None:
    """One die is thrown again; what it shows then stands."""
    data = moment.data
    batch: Roll | None = data.get("batch")
    if batch is None:
        roll_again(b, b.unit(moment.unit), data, (die,), rule, by=by)
        return
    which = batch.group[die]
    faces = reroll_one(b, batch, which, rule, by=by, die=batch.dice_of(which).index(die))
    data.update(faces=faces, batch=msgspec.structs.replace(batch, faces=faces), rerolled=(*data["rerolled"], die))
