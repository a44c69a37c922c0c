"""Dice: sums, D3, roll-offs and re-rolls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from sandtable.attack.tables import Rerolls
from sandtable.battle import Moment
from sandtable.battle.rolls import SHOWN, AnyReading, Reading
from sandtable.forty.effects.attack_rolls import Again, Working, best_of
from sandtable.forty.moments import AFTER_ROLL
from sandtable.kit.attack.rolling import Roll
from sandtable.kit.dice import Amount
from sandtable.reasons import Part
from sandtable.rules import rule
from sandtable.systems.w40k10.state import Battle10, Unit

HIGHEST_WINS: Final = Reading(why=(Part("the highest wins"),))


@rule("w40k10.dice.d3", neutral=1)
def d3(face: int) -> int:
    """A D3 is a D6 halved, rounded up."""
    return (face + 1) // 2


@rule("w40k10.dice.sums", neutral=0)
def total(faces: Sequence[int]) -> int:
    """Several dice of one roll are added up."""
    return sum(faces)


def value_of(amount: Amount, faces: Sequence[int]) -> int:
    """What an amount comes to with these D6."""
    return total([d3(f) for f in faces] if amount.sides == 3 else faces) + amount.plus


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
    players = [p.id for p in b.state.players]
    while len(players) > 1:
        faces = [b.roll_one("roll-off", p, rules=("w40k10.dice.roll_off",), read=HIGHEST_WINS) for p in players]
        best = max(faces)
        players = [p for p, face in zip(players, faces, strict=True) if face == best]
    (winner,) = players
    b.tell("roll_off", f"{b.player(winner).name} wins the roll-off.", "w40k10.dice.roll_off")
    return winner


@rule("w40k10.dice.sequencing", neutral=0)
def takes_order(b: Battle10) -> int:
    """Who orders what falls due at one time: in a turn the active player, else the winner of a roll-off."""
    if b.state.game.phase:
        return b.state.active
    return roll_off(b)


async def offer_reroll(
    b: Battle10,
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


@rule("w40k10.dice.reroll", neutral=True)
def may_reroll(data: dict[str, Any], die: int) -> bool:
    """No die is re-rolled twice."""
    return die not in data["rerolled"]


@rule("w40k10.dice.reroll", neutral=Again())
def reroll_of(found: Working, roll: str, own: Rerolls = "none") -> Again:
    """The best re-roll of a Hit, Wound or Damage roll, by its bare faces; `own` is what the weapon itself allows."""
    return best_of([a for a in found.rerolls if a.effect.roll == roll], own)


@rule("w40k10.dice.reroll_sum", neutral=(0,))
def dice_to_reroll(data: dict[str, Any], die: int) -> tuple[int, ...]:
    """Which dice a re-roll takes up: all dice of a sum, else the chosen one."""
    return tuple(range(len(data["faces"]))) if data["sum"] else (die,)


def reroll(b: Battle10, unit: Unit, data: dict[str, Any], die: int, *rules: str, by: str = "") -> None:
    """Roll again: the new result stands, better or worse. `by` names what allows it."""
    chosen = dice_to_reroll(data, die)
    data["faces"] = b.roll_again(
        data["faces"], chosen, data["roll"], unit.player, rules=rules, read=data.get("read", SHOWN), by=by
    )
    data["rerolled"] = tuple(sorted({*data["rerolled"], *chosen}))


async def offer_batch_reroll(b: Battle10, roll: Roll) -> tuple[int, ...]:
    """The same for a batch of dice of an attack, of which one roll may be picked."""
    data: dict[str, Any] = {"roll": roll.kind, "faces": roll.faces, "sum": False, "rerolled": (), "batch": roll}
    await b.window(AFTER_ROLL, Moment(roll.unit, data=data))
    result: tuple[int, ...] = data["faces"]
    return result
