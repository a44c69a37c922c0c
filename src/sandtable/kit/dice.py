"""Numbers that may hold dice, how their rolls are read, and roll-offs."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from sandtable.battle.rolls import Reading, Sum, Total
from sandtable.errors import UserError
from sandtable.kit.grammar import players_do
from sandtable.reasons import Part

if TYPE_CHECKING:
    from sandtable.battle.system import AnyBattle

HIGHEST_WINS: Final = Reading(why=(Part("the highest wins"),))
_AMOUNT: Final = re.compile(r"(?:(\d{0,2})[dD]([36]))?\s*\+?\s*(\d{1,2})?")


class Amount(NamedTuple):
    """A number that may hold dice: `dice` D6 or D3 and a fixed part."""

    dice: int
    sides: int
    plus: int

    @property
    def is_random(self) -> bool:
        return self.dice > 0


def read_amount(text: str | int) -> Amount:
    """A number such as 3, "D6", "2D3" or "D6+1"."""
    found = _AMOUNT.fullmatch(str(text).strip())
    if found is None or not str(text).strip():
        raise UserError(f'An amount is a number up to 99 or dice such as "D6", "2D3" or "D6+1", not "{text}".')
    count, sides, plus = found.groups()
    return Amount(int(count or 1) if sides else 0, int(sides or 6), int(plus or 0))


def value_of(
    d3: Callable[[int], int], total: Callable[[Sequence[int]], int], amount: Amount, faces: Sequence[int]
) -> int:
    """What an amount comes to with these D6, by what the edition says about D3 and sums."""
    return total([d3(face) for face in faces] if amount.sides == 3 else faces) + amount.plus


def read_as(amount: Amount, noun: str, more: int = 0, *why: Part) -> Total:
    """How dice of an amount are read, with something added to it; never below 0."""
    plus = f"+{amount.plus}" if amount.plus else ""
    own = Part(f"{amount.dice if amount.dice > 1 else ''}D{amount.sides}{plus}")
    return Total(noun, (own, *why), sums=(Sum((amount.sides,) * amount.dice, amount.plus),), plus=more)


def parts_of(more: int, names: Sequence[str]) -> tuple[Part, ...]:
    """What abilities add to a roll, as a reason."""
    return (Part(f"{more:+d}", ", ".join(names), names[0]),) if more and names else ()


def roll_off(b: AnyBattle, rule: str) -> int:
    """Every player rolls one die, the highest wins; those who tie roll again. Returns the winner."""
    players: list[int] = [p.id for p in b.state.players]
    while len(players) > 1:
        faces = [b.roll_one("roll-off", p, rules=(rule,), read=HIGHEST_WINS) for p in players]
        best = max(faces)
        players = [p for p, face in zip(players, faces, strict=True) if face == best]
    (winner,) = players
    b.tell("roll_off", f"{players_do([b.player(winner).name], 'wins')} the roll-off.", rule)
    return winner
