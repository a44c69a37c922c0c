"""Dice of the Monte Carlo kernels, and what all procedures do with them: sums, choosing a body, losing wounds."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from sandtable.attack.montecarlo_tables import (
    AUTOMATIC,
    CLASSES,
    DICE,
    DIVIDE,
    EXTRA,
    FULL,
    HITS,
    KIND,
    LEAST,
    LEFT,
    MARKED,
    NONE,
    PAIRS,
    PLUS,
    RANK,
    SAVES,
    SIDES,
    START,
    START_MARKED,
    TOTALS_AGAIN,
    WOUNDS,
    Ints,
)
from sandtable.attack.volley import NEVER
from sandtable.kernels import leaf

Bits: TypeAlias = npt.NDArray[np.uint64]


@leaf
def below(rng: Bits, cases: int) -> int:
    """A number from 0 up to one below `cases`: 32 bits of splitmix64 times the cases, whose bias never shows."""
    rng[0] += np.uint64(0x9E3779B97F4A7C15)
    z = rng[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.int64(((z >> np.uint64(32)) * np.uint64(cases)) >> np.uint64(32))  # type: ignore[return-value]


@leaf
def _dice_total(sums: Ints, row: int, rng: Bits) -> int:
    total = 0
    for i in range(SIDES, SIDES + sums[row, DICE]):
        total += below(rng, sums[row, i]) + 1
    return total


@leaf
def number(sums: Ints, row: int, rng: Bits) -> int:
    """The result of an expression."""
    total = 0
    if sums[row, DICE]:
        total = _dice_total(sums, row, rng)
        if (sums[row, TOTALS_AGAIN] >> total) & 1:
            total = _dice_total(sums, row, rng)
    total += sums[row, PLUS]
    if sums[row, DIVIDE] > 1:
        total = -(-total // sums[row, DIVIDE])
    return max(sums[row, LEAST], total)


@leaf
def roll_to_hit(volleys: Ints, v: int, sums: Ints, rng: Bits) -> tuple[int, int]:
    """One hit roll of a volley, with its re-roll: the hits, and the wounds that come of it without a roll."""
    case = below(rng, PAIRS)
    hits = volleys[v, HITS + case]
    if volleys[v, EXTRA + case] != NONE:
        hits += number(sums, volleys[v, EXTRA + case], rng)
    return hits, volleys[v, WOUNDS + case]


@leaf
def kind_of_wound(volleys: Ints, v: int, rolled: bool, rng: Bits) -> int:
    """What a wound roll gives, or a wound that needs none; NONE where it fails."""
    return volleys[v, KIND + below(rng, PAIRS)] if rolled else volleys[v, AUTOMATIC]


@leaf
def stand_up(bodies: Ints) -> None:
    """Put a target back to where it began."""
    for i in range(len(bodies)):
        bodies[i, LEFT] = bodies[i, START]
        bodies[i, MARKED] = bodies[i, START_MARKED]


@leaf
def count(bodies: Ints, damage: Ints, killed: Ints, survived: Ints) -> None:
    """Put the end of a sequence into the histograms."""
    lost, dead = 0, 0
    for i in range(len(bodies)):
        lost += bodies[i, START] - bodies[i, LEFT]
        stands = bodies[i, LEFT] > 0
        survived[i] += stands
        dead += not stands
    damage[lost] += 1
    killed[dead] += 1


@leaf
def pick(bodies: Ints, best_save: bool, save: int) -> int:
    """The body that the defender gives an attack to, or NONE when all are gone."""
    best, rank, forced = NONE, 0, False
    for i in range(len(bodies)):
        if bodies[i, LEFT] <= 0:
            continue
        must = bodies[i, LEFT] < bodies[i, FULL] or bodies[i, MARKED] != 0
        if best != NONE and bodies[i, RANK] >= rank and (bodies[i, RANK] > rank or (forced and not must)):
            continue
        if best == NONE or bodies[i, RANK] < rank or (must and not forced):
            best, rank, forced = i, bodies[i, RANK], must
        elif best_save and save >= 0 and bodies[i, SAVES + save] < bodies[best, SAVES + save]:
            best = i
    return best


@leaf
def saved(bodies: Ints, body: int, save: int, rng: Bits) -> bool:
    """A saving throw, with failures rolled again where that is allowed."""
    if save == NONE:
        return False
    cases = bodies[body, SAVES + bodies[body, CLASSES] + save]
    return cases > 0 and below(rng, 36) < cases


@leaf
def lose(bodies: Ints, body: int, points: int, pain: int, rng: Bits) -> int:
    """Take wounds off a body; the points that are left over when it is gone."""
    left = bodies[body, LEFT]
    if pain >= NEVER:
        lost = min(points, left)
        bodies[body, LEFT] = left - lost
        return points - lost
    while points > 0 and left > 0:
        points -= 1
        left -= below(rng, 6) + 1 < pain
    bodies[body, LEFT] = left
    return points
