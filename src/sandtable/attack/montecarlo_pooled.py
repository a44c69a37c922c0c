"""Rolling pooled saves: all wounds of all volleys are saved on one number, then casualties are removed."""

from __future__ import annotations

from typing import Final

import numpy as np

from sandtable.attack.bounds import Unsolvable
from sandtable.attack.montecarlo_dice import (
    Bits,
    count,
    kind_of_wound,
    lose,
    number,
    pick,
    roll_to_hit,
    saved,
    stand_up,
)
from sandtable.attack.montecarlo_tables import (
    DAMAGE,
    NONE,
    PAIN,
    SAVE,
    Ints,
    pack,
)
from sandtable.attack.pooled import in_turn
from sandtable.attack.volley import Attack
from sandtable.kernels import bare

MAX_UNSAVED: Final = 8192
"""So many unsaved wounds can lie in the pool; what comes on top is lost."""


def run(attack: Attack, rolls: int, rng: Bits, damage: Ints, killed: Ints, survived: Ints) -> None:
    """Fill the histograms."""
    if any(k.mortal is not None for v in attack.volleys for k in v.kinds):
        raise Unsolvable("mortal wounds have no place in a pool of wounds")
    pool = np.empty(MAX_UNSAVED, dtype=np.int64)
    # All bodies then have the save that most of them have.
    _run(*pack(in_turn(attack)), pool, rolls, rng, damage, killed, survived)


@bare
def _unsaved(volleys: Ints, shots: Ints, kinds: Ints, sums: Ints, bodies: Ints, pool: Ints, rng: Bits) -> int:
    """Roll all volleys; the pool then holds the damage of each unsaved wound, in the order of the attacks."""
    size = 0
    for row in range(len(shots)):
        v = shots[row, 0]
        for _ in range(shots[row, 1]):
            for _ in range(number(sums, shots[row, 2], rng)):
                hits, wounds = roll_to_hit(volleys, v, sums, rng)
                for left in range(wounds + hits, 0, -1):
                    kind = kind_of_wound(volleys, v, left <= hits, rng)
                    if kind == NONE or kinds[kind, DAMAGE] == NONE or saved(bodies, 0, kinds[kind, SAVE], rng):
                        continue
                    if size < len(pool):
                        pool[size] = kinds[kind, DAMAGE]
                        size += 1
    return size


@bare
def _run(
    volleys: Ints,
    shots: Ints,
    kinds: Ints,
    sums: Ints,
    bodies: Ints,
    pool: Ints,
    rolls: int,
    rng: Bits,
    damage: Ints,
    killed: Ints,
    survived: Ints,
) -> None:
    for _ in range(rolls):
        stand_up(bodies)
        for i in range(_unsaved(volleys, shots, kinds, sums, bodies, pool, rng)):
            body = pick(bodies, False, NONE)
            if body == NONE:
                break
            lose(bodies, body, number(sums, pool[i], rng), bodies[body, PAIN], rng)
        count(bodies, damage, killed, survived)
