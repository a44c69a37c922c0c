"""Spread hits: all hits of a step are dealt out front to back, nobody a second one before everybody has one; then
every hit is saved, and casualties are removed before the next step.

The bodies of the target are listed front to back. Hits of a class fall only on bodies that have a save of that class
other than CANNOT_BE_HIT. A body takes as many hits in a round as it has wounds when unhurt.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from sandtable.attack.bounds import MAX_ATTACKS, MAX_STATES, Unsolvable, check_size, check_work
from sandtable.attack.numbers import attack_chances, hit_chances, number_chances, save_chance, wound_chances
from sandtable.attack.volley import CANNOT_BE_HIT, NEVER, NO_SAVE, Attack, Body, DiceSum, Volley, WoundKind

Left: TypeAlias = tuple[int, ...]
Pool: TypeAlias = tuple[int, DiceSum]
"""Hits of a kind: their class of saving throw, and the damage of one."""
Counts: TypeAlias = dict[tuple[int, ...], float]
Stand: TypeAlias = tuple[int, int]
"""A kind of body, and its wounds left."""
Front: TypeAlias = tuple[Stand, ...]
"""Those that stand, front to back. Which of two equal bodies side by side has fallen makes no difference."""

Numbers: TypeAlias = npt.NDArray[np.float64]
"""Chances of so many hits, with an axis for each pool."""

MAX_POOLS: Final = 4


def resolve(attack: Attack) -> dict[Left, float]:
    """The chance of each final state. Of equal bodies side by side, those in front are named as fallen."""
    formation = _Formation(attack)
    now: dict[Front, float] = {formation.start: 1.0}
    for step in sorted({v.step for v in attack.volleys}):
        now = formation.step([v for v in attack.volleys if v.step == step], now)
    out: dict[Left, float] = defaultdict(float)
    for front, p in now.items():
        out[formation.left(front)] += p
    return dict(out)


def check_spread(volley: Volley) -> None:
    """Refuse what cannot be dealt out."""
    if any(kind.mortal is not None or kind.damage is None for kind in volley.kinds):
        raise Unsolvable(f"'{volley.name}': hits that are spread do damage, and no mortal wounds")


def deal(order: Sequence[int], hits: int, load: dict[int, int], share: Sequence[int]) -> None:
    """Deal hits out along an order, on top of those dealt before; `share` is what each takes in a round."""
    for _ in range(hits if order else 0):
        rounds = {i: load.get(i, 0) // share[i] for i in order}
        least = min(rounds.values())
        taker = next(i for i in order if rounds[i] == least)
        load[taker] = load.get(taker, 0) + 1


class _Formation:
    def __init__(self, attack: Attack) -> None:
        self.attack = attack
        self.bodies = attack.target.bodies
        kinds: dict[object, int] = {}
        self.kind_of = [kinds.setdefault(_likeness(b), len(kinds)) for b in self.bodies]
        self.sample = dict(zip(self.kind_of, self.bodies, strict=True))
        self.start: Front = tuple((k, b.wounds) for k, b in zip(self.kind_of, self.bodies, strict=True))

    def left(self, front: Front) -> Left:
        """Name the bodies that stand, from the rear on."""
        out = [0] * len(self.bodies)
        place = len(self.bodies) - 1
        for kind, wounds in reversed(front):
            while self.kind_of[place] != kind or wounds > self.bodies[place].wounds:
                place -= 1
            out[place] = wounds
            place -= 1
        return tuple(out)

    # ------------------------------------------------------------------ one step

    def step(self, volleys: list[Volley], now: dict[Front, float]) -> dict[Front, float]:
        pools, counts = self._hits(volleys)
        check_work(len(counts) * len(now) * 1000)
        out: dict[Front, float] = defaultdict(float)
        for front, p in now.items():
            for number, q in counts.items():
                for after, r in self._fall(front, self._dealt(front, pools, number), pools).items():
                    out[after] += p * q * r
            check_size("situations", len(out), MAX_STATES)
        return dict(out)

    def _hits(self, volleys: list[Volley]) -> tuple[list[Pool], Counts]:
        """The pools of a step, and the chance of each number of hits in them."""
        pools: list[Pool] = []
        for volley in volleys:
            check_spread(volley)
            for kind in volley.kinds:
                if kind.damage is not None and (kind.save, kind.damage) not in pools:
                    pools.append((kind.save, kind.damage))
        check_size("kinds of hits", len(pools), MAX_POOLS)
        counts = np.ones((1,) * len(pools))
        for volley in volleys:
            counts = _convolved(counts, self._of_volley(volley, pools))
        return pools, {tuple(map(int, at)): float(counts[tuple(at)]) for at in np.argwhere(counts > 0)}

    def _of_volley(self, volley: Volley, pools: list[Pool]) -> Numbers:
        choices = self.attack.choices
        chances = wound_chances(volley.wound, choices.reroll, len(volley.kinds))
        rolled = np.zeros((2,) * len(pools))
        rolled[(0,) * len(pools)] = chances[-1]
        places = [_one(_pool_of(kind, pools), len(pools)) for kind in volley.kinds]
        for place, p in zip(places, chances, strict=False):
            rolled[place] += float(p)
        unrolled = np.zeros((2,) * len(pools))
        unrolled[places[volley.automatic]] = 1.0
        hits = hit_chances(volley.hit, choices.reroll, choices.sums)
        one = np.zeros((1,) * len(pools))
        for w, h in itertools.product(range(hits.shape[0]), range(hits.shape[1])):
            if hits[w, h]:
                term = _convolved(_power(unrolled, w), _power(rolled, h)) * hits[w, h]
                one = _added(one, term)
        attacks = attack_chances(volley.shots, choices.sums)
        out = np.full((1,) * len(pools), attacks[-1])
        for number in range(len(attacks) - 2, -1, -1):
            out = _convolved(out, one)
            out[(0,) * len(pools)] += attacks[number]
        return out

    # ------------------------------------------------------------------ dealing out and saving

    def _dealt(self, front: Front, pools: list[Pool], number: tuple[int, ...]) -> list[dict[int, int]]:
        """For each pool how many hits each place takes: in the order of pools that strikes as many as possible."""
        best: list[dict[int, int]] | None = None
        most = -1
        share = [self.sample[kind].full for kind, _ in front]
        orders = itertools.permutations(range(len(pools))) if sum(n > 0 for n in number) > 1 else [range(len(pools))]
        for order in orders:
            found = self._in_order(front, pools, number, order, share)
            struck = len({place for each in found for place in each})
            if struck > most:
                best, most = found, struck
        assert best is not None
        return best

    def _in_order(
        self, front: Front, pools: list[Pool], number: tuple[int, ...], order: Iterable[int], share: list[int]
    ) -> list[dict[int, int]]:
        load: dict[int, int] = {}
        out: list[dict[int, int]] = [{} for _ in pools]
        for pool in order:
            before = dict(load)
            open_to = [i for i, (kind, _) in enumerate(front) if _can_be_hit(self.sample[kind], pools[pool][0])]
            deal(open_to, number[pool], load, share)
            out[pool] = {i: n - before.get(i, 0) for i, n in load.items() if n > before.get(i, 0)}
        return out

    def _fall(self, front: Front, dealt: list[dict[int, int]], pools: list[Pool]) -> dict[Front, float]:
        """Every hit is saved; those that stand afterwards."""
        out: dict[Front, float] = {(): 1.0}
        for place, (kind, wounds) in enumerate(front):
            after: dict[Front, float] = defaultdict(float)
            loads = [(pool, each[place]) for pool, each in zip(pools, dealt, strict=True) if place in each]
            for left, p in self._saved(kind, wounds, loads).items():
                stand = ((kind, left),) if left else ()
                for before, q in out.items():
                    after[before + stand] += p * q
            check_size("situations", len(after), MAX_STATES)
            out = after
        return out

    def _saved(self, kind: int, wounds: int, loads: list[tuple[Pool, int]]) -> dict[int, float]:
        body = self.sample[kind]
        now = {wounds: 1.0}
        for (save, damage), hits in loads:
            needed = NEVER if save == NO_SAVE else body.saves[save]
            saved = save_chance(needed, body.save_reroll)
            for _ in range(hits):
                after: dict[int, float] = defaultdict(float)
                for left, p in now.items():
                    if saved:
                        after[left] += p * saved
                    for points, q in enumerate(number_chances(damage, self.attack.choices.sums)):
                        if q and saved < 1:
                            after[max(0, left - points)] += p * (1 - saved) * float(q)
                now = after
        return now


def _likeness(body: Body) -> tuple[object, ...]:
    return body.full, body.saves, body.save_reroll, body.value, body.group, body.rank


def _can_be_hit(body: Body, save: int) -> bool:
    return save == NO_SAVE or body.saves[save] != CANNOT_BE_HIT


# ---------------------------------------------------------------------- numbers of hits in several pools


def _pool_of(kind: WoundKind, pools: list[Pool]) -> int:
    return next(i for i, pool in enumerate(pools) if pool == (kind.save, kind.damage))


def _one(axis: int, axes: int) -> tuple[int, ...]:
    return tuple(int(i == axis) for i in range(axes))


def _added(a: Numbers, b: Numbers) -> Numbers:
    out = np.zeros(tuple(max(m, n) for m, n in zip(a.shape, b.shape, strict=True)))
    out[tuple(slice(n) for n in a.shape)] += a
    out[tuple(slice(n) for n in b.shape)] += b
    return out


def _convolved(a: Numbers, b: Numbers) -> Numbers:
    shape = tuple(m + n - 1 for m, n in zip(a.shape, b.shape, strict=True))
    check_size("numbers of hits", int(np.prod(shape)), 40 * MAX_ATTACKS)
    out = np.zeros(shape)
    for at in np.argwhere(b > 0):
        out[tuple(slice(i, i + n) for i, n in zip(at, a.shape, strict=True))] += b[tuple(at)] * a
    return out


def _power(a: Numbers, count: int) -> Numbers:
    out = np.ones((1,) * a.ndim)
    for _ in range(count):
        out = _convolved(out, a)
    return out
