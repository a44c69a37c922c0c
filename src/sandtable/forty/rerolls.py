"""Re-rolls: those who may roll dice again get the chance to, once for each roll."""

from __future__ import annotations

from typing import Any

from sandtable.battle import Moment
from sandtable.battle.rolls import SHOWN, AnyReading
from sandtable.forty.moments import AFTER_ROLL
from sandtable.forty.state import Battle40, Unit
from sandtable.kit.attack.rolling import Roll


async def offer_reroll(
    b: Battle40,
    unit: Unit,
    kind: str,
    faces: tuple[int, ...],
    *,
    sum_: bool,
    need: int = 0,
    read: AnyReading = SHOWN,
    **more: Any,
) -> tuple[int, ...]:
    """Give those who may re-roll the chance to; returns the dice that count.

    The player who made the roll is the unit's own. What is known about the roll goes into the moment's `data`.
    """
    data: dict[str, Any] = {"roll": kind, "faces": faces, "sum": sum_, "rerolled": (), "need": need, **more}
    data["read"] = read
    await b.window(AFTER_ROLL, Moment(unit.id, data=data))
    result: tuple[int, ...] = data["faces"]
    return result


async def offer_for_ability(
    b: Battle40, unit: int, kind: str, faces: tuple[int, ...], read: AnyReading
) -> tuple[int, ...]:
    """The same for the dice of an ability of a unit; -1 where they are nobody's."""
    if unit < 0:
        return faces
    return await offer_reroll(b, b.unit(unit), kind, faces, sum_=False, read=read, value=lambda _: 0)


async def offer_batch_reroll(b: Battle40, roll: Roll) -> tuple[int, ...]:
    """The same for a batch of dice of an attack, of which one roll may be picked."""
    data: dict[str, Any] = {"roll": roll.kind, "faces": roll.faces, "sum": False, "rerolled": (), "batch": roll}
    await b.window(AFTER_ROLL, Moment(roll.unit, data=data))
    result: tuple[int, ...] = data["faces"]
    return result


def roll_again(
    b: Battle40, unit: Unit, data: dict[str, Any], chosen: tuple[int, ...], *rules: str, by: str = ""
) -> None:
    """Some of the dice are rolled again: the new result stands, better or worse. `by` names what allows it."""
    data["faces"] = b.roll_again(
        data["faces"], chosen, data["roll"], unit.player, rules=rules, read=data.get("read", SHOWN), by=by
    )
    data["rerolled"] = tuple(sorted({*data["rerolled"], *chosen}))
