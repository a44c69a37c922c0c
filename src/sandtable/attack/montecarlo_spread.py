"""Rolling spread hits: all hits of a step are dealt out front to back, one to each; then all are saved."""

from __future__ import annotations

import itertools
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sandtable.attack.bounds import check_size
from sandtable.attack.montecarlo_dice import (
    Bits,
    count,
    kind_of_wound,
    lose,
    number,
    roll_to_hit,
    saved,
    stand_up,
)
from sandtable.attack.montecarlo_tables import (
    DAMAGE,
    FULL,
    LEFT,
    NONE,
    SAVE,
    SAVES,
    STEP,
    Ints,
    pack,
)
from sandtable.attack.spread import MAX_POOLS, check_spread
from sandtable.attack.volley import CANNOT_BE_HIT, NEVER, Attack
from sandtable.kernels import bare


class _Pools(NamedTuple):
    """Hits of one step with equal saves and damage form a pool."""

    steps: Ints
    of_kind: Ints
    """The pool of each kind of wound."""
    samples: Ints
    """A kind of wound of each pool."""
    orders: npt.NDArray[np.int64]
    """[step, order, place]: the orders of pools that are tried."""


def run(attack: Attack, rolls: int, rng: Bits, damage: Ints, killed: Ints, survived: Ints) -> None:
    """Fill the histograms."""
    for volley in attack.volleys:
        check_spread(volley)
    pools = _pools(attack)
    dealt = np.zeros((2, len(pools.samples), len(attack.target.bodies)), dtype=np.int64)
    hits = np.zeros(len(pools.samples), dtype=np.int64)
    load = np.zeros(len(attack.target.bodies), dtype=np.int64)
    _run(*pack(attack), *pools, hits, load, dealt, rolls, rng, damage, killed, survived)


def _pools(attack: Attack) -> _Pools:
    steps = sorted({v.step for v in attack.volleys})
    found: dict[tuple[object, ...], int] = {}
    of_kind = [found.setdefault((v.step, k.save, k.damage), len(found)) for v in attack.volleys for k in v.kinds]
    by_step = [[pool for key, pool in found.items() if key[0] == step] for step in steps]
    check_size("kinds of hits", max(map(len, by_step), default=0), MAX_POOLS)
    tried = [list(itertools.permutations(each)) for each in by_step]
    orders = np.full((len(steps), max(map(len, tried), default=0), MAX_POOLS), NONE, dtype=np.int64)
    for s, each in enumerate(tried):
        for o, order in enumerate(each):
            orders[s, o, : len(order)] = order
    samples = [of_kind.index(pool) for pool in range(len(found))]
    return _Pools(_ints(steps), _ints(of_kind), _ints(samples), orders)


def _ints(numbers: list[int]) -> Ints:
    return np.array(numbers, dtype=np.int64)


@bare
def _roll_step(
    volleys: Ints, step: int, shots: Ints, kinds: Ints, sums: Ints, of_kind: Ints, hits: Ints, rng: Bits
) -> None:
    """Roll all volleys of a step: hits by pool."""
    for pool in range(len(hits)):
        hits[pool] = 0
    for row in range(len(shots)):
        v = shots[row, 0]
        if volleys[v, STEP] != step:
            continue
        for _ in range(shots[row, 1]):
            for _ in range(number(sums, shots[row, 2], rng)):
                more, wounds = roll_to_hit(volleys, v, sums, rng)
                for left in range(wounds + more, 0, -1):
                    kind = kind_of_wound(volleys, v, left <= more, rng)
                    if kind != NONE:
                        hits[of_kind[kind]] += 1


@bare
def _deal(bodies: Ints, save: int, hits: int, load: Ints, dealt: npt.NDArray[np.int64], pool: int) -> None:
    """Deal hits of a pool out, nobody a further round before everybody who can be hit has had one."""
    for _ in range(hits):
        taker = NONE
        for i in range(len(bodies)):
            if bodies[i, LEFT] <= 0 or (save != NONE and bodies[i, SAVES + save] == CANNOT_BE_HIT):
                continue
            if taker == NONE or load[i] // bodies[i, FULL] < load[taker] // bodies[taker, FULL]:
                taker = i
        if taker == NONE:
            return
        load[taker] += 1
        dealt[1, pool, taker] += 1


@bare
def _deal_all(
    orders: npt.NDArray[np.int64],
    step: int,
    kinds: Ints,
    samples: Ints,
    bodies: Ints,
    hits: Ints,
    load: Ints,
    dealt: npt.NDArray[np.int64],
) -> None:
    """Deal all pools out in the order that strikes most bodies; `dealt[0]` is the best so far."""
    most = NONE
    for o in range(orders.shape[1]):
        if orders[step, o, 0] == NONE:
            return
        for i in range(len(bodies)):
            load[i] = 0
            for pool in range(dealt.shape[1]):
                dealt[1, pool, i] = 0
        for place in range(orders.shape[2]):
            pool = orders[step, o, place]
            if pool != NONE:
                _deal(bodies, kinds[samples[pool], SAVE], hits[pool], load, dealt, pool)
        struck = 0
        for i in range(len(bodies)):
            struck += load[i] > 0
        if struck > most:
            most = struck
            for i in range(len(bodies)):
                for pool in range(dealt.shape[1]):
                    dealt[0, pool, i] = dealt[1, pool, i]


@bare
def _run(
    volleys: Ints,
    shots: Ints,
    kinds: Ints,
    sums: Ints,
    bodies: Ints,
    steps: Ints,
    of_kind: Ints,
    samples: Ints,
    orders: npt.NDArray[np.int64],
    hits: Ints,
    load: Ints,
    dealt: npt.NDArray[np.int64],
    rolls: int,
    rng: Bits,
    damage: Ints,
    killed: Ints,
    survived: Ints,
) -> None:
    for _ in range(rolls):
        stand_up(bodies)
        for s in range(len(steps)):
            _roll_step(volleys, steps[s], shots, kinds, sums, of_kind, hits, rng)
            _deal_all(orders, s, kinds, samples, bodies, hits, load, dealt)
            for pool in range(len(samples)):
                kind = samples[pool]
                for i in range(len(bodies)):
                    for _ in range(dealt[0, pool, i]):
                        if not saved(bodies, i, kinds[kind, SAVE], rng):
                            lose(bodies, i, number(sums, kinds[kind, DAMAGE], rng), NEVER, rng)
        count(bodies, damage, killed, survived)
