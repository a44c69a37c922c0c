"""Simple chances: a charge, an advance, a leadership or battle-shock test; sums of dice with and without one re-roll.

They are exact fractions.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import lru_cache
from typing import Final, Literal, TypeAlias

from sandtable.attack.bounds import Unsolvable
from sandtable.attack.volley import FACES, DiceSum, dice

Reroll: TypeAlias = Literal["none", "all", "any", "one"]
"""What may be re-rolled once when a roll fails: nothing, all its dice together, or any or one of them, picked as is
best."""

Good: TypeAlias = Callable[[tuple[int, ...]], bool]

MAX_DICE: Final = 5
"""Dice of one roll."""

TWO_DICE: Final = dice("2D6")
ONE_DIE: Final = dice("D6")


def at_least(number: DiceSum, needed: int, *, reroll: Reroll = "none", keep: int | None = None) -> Fraction:
    """The chance that a sum of dice is `needed` or more; `keep` counts only the highest dice of them.

    >>> at_least(dice("2D6"), 9)
    Fraction(5, 18)
    """
    return _chance(number, needed, False, reroll, keep)


def at_most(number: DiceSum, most: int, *, reroll: Reroll = "none", keep: int | None = None) -> Fraction:
    """The chance that a sum of dice is `most` or less; `keep` counts only the highest dice of them."""
    return _chance(number, most, True, reroll, keep)


def charge(
    distance: float, *, modifier: int = 0, reroll: Reroll = "none", number: DiceSum = TWO_DICE, keep: int | None = None
) -> Fraction:
    """The chance of a charge roll that is at least a distance.

    >>> float(charge(9))
    0.2777777777777778
    """
    return at_least(number, math.ceil(distance) - modifier, reroll=reroll, keep=keep)


def advance(distance: float, *, modifier: int = 0, reroll: Reroll = "none") -> Fraction:
    """The chance that a D6 adds a distance to a move."""
    return at_least(ONE_DIE, math.ceil(distance) - modifier, reroll=reroll)


def leadership(needed: int, *, modifier: int = 0, reroll: Reroll = "none") -> Fraction:
    """The chance of a test that 2D6 and a modifier have to reach; also battle-shock and the like."""
    return at_least(TWO_DICE, needed - modifier, reroll=reroll)


def leadership_under(value: int, *, modifier: int = 0, reroll: Reroll = "none") -> Fraction:
    """The chance of a test on 2D6 that must not exceed a value."""
    return at_most(TWO_DICE, value + modifier, reroll=reroll)


def morale(losses: int, value: int, *, number: DiceSum = ONE_DIE, reroll: Reroll = "none") -> dict[int, Fraction]:
    """The chance to lose 0, 1, 2... more models when a D6 and the losses exceed a value."""
    out: dict[int, Fraction] = {}
    for total, p in sums(number).items():
        lost = max(0, total + losses - value)
        if lost and reroll != "none":
            for again, q in sums(number).items():
                more = max(0, again + losses - value)
                out[more] = out.get(more, Fraction(0)) + p * q
        else:
            out[lost] = out.get(lost, Fraction(0)) + p
    return dict(sorted(out.items()))


@lru_cache(256)
def sums(number: DiceSum, keep: int | None = None) -> dict[int, Fraction]:
    """The chance of each result of a sum of dice; not to be written to."""
    counts: dict[int, int] = {}
    for faces in _throws(number):
        total = _result(number, faces, keep)
        counts[total] = counts.get(total, 0) + 1
    return {total: Fraction(n, 6 ** len(number.dice)) for total, n in sorted(counts.items())}


def _throws(number: DiceSum) -> Iterator[tuple[int, ...]]:
    if len(number.dice) > MAX_DICE:
        raise Unsolvable(f"{number} is more than the {MAX_DICE} dice of one roll")
    return itertools.product(FACES, repeat=len(number.dice))


def _result(number: DiceSum, faces: tuple[int, ...], keep: int | None) -> int:
    if keep is None or keep >= len(faces):
        return number.of(faces)
    shown = sorted(f if sides == 6 else (f + 1) // 2 for f, sides in zip(faces, number.dice, strict=True))
    return number.result(sum(shown[len(shown) - keep :]))


@lru_cache(1024)
def _chance(number: DiceSum, limit: int, below: bool, reroll: Reroll, keep: int | None) -> Fraction:
    def good(faces: tuple[int, ...]) -> bool:
        found = _result(number, faces, keep)
        return found <= limit if below else found >= limit

    throws = list(_throws(number))
    once = sum(map(good, throws))
    if reroll == "none" or not number.dice:
        return Fraction(once, len(throws))
    failed = [faces for faces in throws if not good(faces)]
    if reroll == "all":
        again = Fraction(once, len(throws)) * len(failed)
    else:
        # Many throws are the same dice in another order.
        known: dict[tuple[int, ...], Fraction] = {}
        again = Fraction(0)
        for faces in failed:
            again += _best_again(number, faces, good, known, 1 if reroll == "one" else len(faces))
    return (once + again) / Fraction(len(throws))


def _best_again(
    number: DiceSum, faces: tuple[int, ...], good: Good, known: dict[tuple[int, ...], Fraction], most: int
) -> Fraction:
    """The chance after the best choice of up to so many dice to re-roll."""
    key = tuple(sorted(faces)) if len(set(number.dice)) == 1 else faces
    if key not in known:
        picks = (itertools.combinations(range(len(key)), size) for size in range(1, most + 1))
        known[key] = max(_again(key, which, good) for which in itertools.chain.from_iterable(picks))
    return known[key]


def _again(faces: tuple[int, ...], which: tuple[int, ...], good: Good) -> Fraction:
    made = 0
    for fresh in itertools.product(FACES, repeat=len(which)):
        now = list(faces)
        for place, face in zip(which, fresh, strict=True):
            now[place] = face
        made += good(tuple(now))
    return Fraction(made, 6 ** len(which))
