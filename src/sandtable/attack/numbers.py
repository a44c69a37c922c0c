"""The chances of the single parts of an attack: sums of dice, faces after re-rolls, numbers of attacks and of hits.

What is asked for again and again is kept; the tables are not to be written to.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from sandtable.attack.bounds import MAX_ATTACKS, MAX_HITS, check_size, check_volley
from sandtable.attack.tables import faces_rerolled, sum_rerolled
from sandtable.attack.volley import NEVER, Choices, DiceSum, HitRoll, Shots, Volley, WoundRoll

Floats: TypeAlias = npt.NDArray[np.float64]

FACE = 1 / 6
KEPT = 4096


@lru_cache(KEPT)
def totals(sides: tuple[int, ...]) -> Floats:
    """The chance of each sum of some dice."""
    out = np.ones(1)
    for each in sides:
        out = np.convolve(out, np.array([0.0] + [1 / each] * each))
    return _fixed(out)


@lru_cache(KEPT)
def number_chances(number: DiceSum, sums: str = "none") -> Floats:
    """The chance of each result of a sum of dice, by the policy for re-rolls of sums."""
    once = totals(number.dice)
    choices = Choices(sums="below_average" if sums == "below_average" else "none")
    again = [t for t in range(len(once)) if once[t] and sum_rerolled(number, t, choices)]
    chances = once.copy()
    if again:
        chances[again] = 0.0
        chances += once * float(sum(once[t] for t in again))
    out = np.zeros(max(number.result(len(once) - 1), 0) + 1)
    for total, p in enumerate(chances):
        out[max(number.result(total), 0)] += p
    return _fixed(out)


@lru_cache(KEPT)
def attack_chances(shots: tuple[Shots, ...], sums: str = "none") -> Floats:
    """The chance of each number of attacks that some weapons make together."""
    out = np.ones(1)
    for each in shots:
        check_size("attacks", each.weapons * (len(number_chances(each.each, sums)) - 1), MAX_ATTACKS)
        out = np.convolve(out, power(number_chances(each.each, sums), each.weapons))
    check_size("attacks", len(out) - 1, MAX_ATTACKS)
    return _fixed(out)


def power(chances: Floats, count: int) -> Floats:
    """The sum of `count` independent numbers, by repeated squaring."""
    out, square = np.ones(1), chances
    while count:
        if count & 1:
            out = np.convolve(out, square)
        count >>= 1
        if count:
            square = np.convolve(square, square)
    return out


def face_chances(again: tuple[int, ...]) -> list[float]:
    """The chance of each face when some faces are re-rolled once."""
    fresh = len(again) * FACE * FACE
    return [fresh + (0.0 if face in again else FACE) for face in range(1, 7)]


@lru_cache(KEPT)
def hit_chances(roll: HitRoll, reroll: str, sums: str = "none") -> Floats:
    """[wounds, hits]: the chance that one attack gives so many automatic wounds and so many hits to roll on with."""
    chances = face_chances(faces_rerolled(roll, reroll)) if roll.rolled else [0.0] * 5 + [1.0]
    out = np.zeros((MAX_HITS + 1, 2 * MAX_HITS + 1))
    for face, p in zip(roll.faces, chances, strict=True):
        if face.extra is None:
            out[face.wounds, face.hits] += p
            continue
        for extra, q in enumerate(number_chances(face.extra, sums)):
            out[face.wounds, face.hits + extra] += p * q
    wounds, hits = (int(np.max(np.nonzero(out)[axis])) + 1 for axis in (0, 1))
    return _fixed(np.ascontiguousarray(out[:wounds, :hits]))


@lru_cache(KEPT)
def wound_chances(roll: WoundRoll, reroll: str, kinds: int) -> Floats:
    """The chance of each kind of wound, and at the end that of none."""
    chances = face_chances(faces_rerolled(roll, reroll)) if roll.rolled else [0.0] * 5 + [1.0]
    out = np.zeros(kinds + 1)
    for face, p in zip(roll.faces, chances, strict=True):
        out[face.kind if face.success else kinds] += p
    return _fixed(out)


@lru_cache(KEPT)
def checked(volley: Volley) -> Volley:
    """The volley, when it is possible and not too large."""
    check_volley(volley)
    return volley


def save_chance(needed: int, again: tuple[int, ...]) -> float:
    """The chance of a saving throw, with failures re-rolled on some faces."""
    made = max(0, 7 - max(needed, 1)) / 6
    return made + made * sum(f < needed for f in again) / 6


@lru_cache(KEPT)
def lost_chances(points: int, pain: int, left: int) -> tuple[float, ...]:
    """The chance of each number of wounds lost to so much damage, at most those that are left."""
    kept = min(1.0, max(0, NEVER - pain) / 6)
    row = [1.0]
    for _ in range(points):
        row = [
            (row[n] * kept if n < len(row) else 0.0) + (row[n - 1] * (1 - kept) if n else 0.0)
            for n in range(len(row) + 1)
        ]
    return tuple(row) if len(row) <= left + 1 else (*row[:left], sum(row[left:]))


def quantile(chances: Floats, share: float) -> int:
    """The lowest result that is reached or undercut with at least this chance."""
    # A share that is met exactly must not be missed by the last bit.
    return int(np.searchsorted(np.cumsum(chances), share - 1e-12))


def mean(chances: Floats) -> float:
    return float(np.sum(chances * np.arange(len(chances))))


def _fixed(out: Floats) -> Floats:
    out.setflags(write=False)
    return out
