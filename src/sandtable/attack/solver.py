"""Exact odds: what an attack comes to, with the chance of every outcome.

The solver reads the same volleys, target, procedure and choices as the battle's flow and the Monte Carlo kernel. Its
answer holds for the policies that the choices name, and says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from sandtable import kernels
from sandtable.attack import aimed, batch, game, pooled, spread
from sandtable.attack.assume import assumptions, cites
from sandtable.attack.bounds import MAX_ATTACKS, check_attack, check_plain, check_size
from sandtable.attack.numbers import Floats, attack_chances, checked, mean, quantile
from sandtable.attack.volley import Attack, Cites, Procedure
from sandtable.attack.walk import order_of, pack_bodies, pack_volleys, queues_of, walk


class Solution:
    """What an attack comes to, exactly."""

    def __init__(self, attack: Attack, chances: Floats, order: Sequence[int] | None, lefts: Sequence[tuple[int, ...]]):
        self.attack = attack
        self._chances = chances
        self._order = order
        self._lefts = lefts

    # The final states either lie on a line, each a number of wounds lost along an order, or are listed.

    @cached_property
    def states(self) -> dict[tuple[int, ...], float]:
        """The chance of each final state: the wounds that each body of the target has left."""
        if self._order is None:
            return {left: float(p) for left, p in zip(self._lefts, self._chances, strict=True)}
        left = [b.wounds for b in self.attack.target.bodies]
        found = {}
        place = 0
        for s, p in enumerate(self._chances):
            if s:
                while not left[self._order[place]]:
                    place += 1
                left[self._order[place]] -= 1
            found[tuple(left)] = float(p)
        return found

    @cached_property
    def damage(self) -> Floats:
        """The chance to take 0, 1, 2... wounds."""
        if self._order is not None:
            return self._chances
        total = sum(b.wounds for b in self.attack.target.bodies)
        return self._histogram([total - sum(left) for left in self._lefts], total + 1)

    @cached_property
    def killed(self) -> Floats:
        """The chance to destroy 0, 1, 2... models."""
        bodies = self.attack.target.bodies
        if self._order is None:
            return self._histogram([sum(not x for x in left) for left in self._lefts], len(bodies) + 1)
        starts = np.cumsum([0, *(bodies[i].wounds for i in self._order)])
        return np.add.reduceat(self._chances, starts)

    @cached_property
    def survived(self) -> tuple[float, ...]:
        """For each body of the target the chance that it stands at the end."""
        if self._order is None:
            count = len(self.attack.target.bodies)
            return tuple(sum(p for left, p in self.states.items() if left[i]) for i in range(count))
        gone = 1 - np.cumsum(self.killed)
        out = [0.0] * len(self._order)
        for place, body in enumerate(self._order):
            out[body] = 1.0 - float(gone[place])
        return tuple(out)

    def _histogram(self, keys: Sequence[int], size: int) -> Floats:
        out = np.zeros(size)
        np.add.at(out, np.array(keys, dtype=np.int64), self._chances)
        return out

    @property
    def total(self) -> float:
        """The sum of all chances."""
        return float(np.sum(self._chances))

    @property
    def mean_damage(self) -> float:
        return mean(self.damage)

    @property
    def mean_killed(self) -> float:
        return mean(self.killed)

    @property
    def destroyed(self) -> float:
        """The chance that nothing of the target is left."""
        return float(self.killed[-1])

    @property
    def value(self) -> float:
        """Mean value of the bodies killed."""
        return sum(b.value * (1 - s) for b, s in zip(self.attack.target.bodies, self.survived, strict=True))

    @property
    def joint(self) -> dict[tuple[int, int], float]:
        """The chance of each pair of wounds lost and models destroyed."""
        total = sum(b.wounds for b in self.attack.target.bodies)
        out: dict[tuple[int, int], float] = {}
        for left, p in self.states.items():
            key = total - sum(left), sum(not x for x in left)
            out[key] = out.get(key, 0.0) + p
        return out

    def damage_at(self, share: float) -> int:
        """The wounds that are not exceeded in this share of all cases."""
        return quantile(self.damage, share)

    def at_least(self, models: int) -> float:
        """The chance to destroy so many models or more."""
        return float(np.sum(self.killed[max(0, models) :]))

    @property
    def assumptions(self) -> tuple[str, ...]:
        """The policies by which the players decide, in words."""
        return assumptions(self.attack)

    @property
    def cites(self) -> Cites:
        """Every rule behind the tables, each once."""
        return cites(self.attack)

    def __repr__(self) -> str:
        means = f"{self.mean_damage:.3f} wounds, {self.mean_killed:.3f} models"
        return f"<Solution: {means}, {self.destroyed:.1%} to destroy>"


def solve(attack: Attack) -> Solution:
    """The exact chances of an attack; `Unsolvable`, which is a ValueError, for what is impossible or too large."""
    kernels.use()
    check_attack(attack)
    for volley in attack.volleys:
        checked(volley)
    match attack.procedure:
        case Procedure.EACH_IN_TURN:
            return _each_in_turn(attack)
        case Procedure.SORTED_BATCH:
            check_plain(attack.choices, attack.procedure.value)
            return _listed(attack, batch.resolve(attack))
        case Procedure.POOLED:
            check_plain(attack.choices, attack.procedure.value)
            if attack.choices.allocation == "worst_for_attacker":
                return _listed(attack, pooled.resolve_worst(attack))
            found = _each_in_turn(pooled.in_turn(attack))
            found.attack = attack
            return found
        case Procedure.SPREAD:
            check_plain(attack.choices, attack.procedure.value)
            return _listed(attack, spread.resolve(attack))


def _each_in_turn(attack: Attack) -> Solution:
    if not attack.volleys:
        return Solution(attack, np.ones(1), None, [tuple(b.wounds for b in attack.target.bodies)])
    most = sum(len(attack_chances(v.shots, attack.choices.sums)) - 1 for v in attack.volleys)
    check_size("attacks", most, MAX_ATTACKS)
    order = None if attack.choices.weighed else order_of(attack)
    queues = queues_of(attack.volleys)
    if order is None or queues is None:
        return _listed(attack, aimed.resolve(attack) or game.resolve(attack))
    bodies = pack_bodies([attack.target.bodies[i] for i in order])
    chances = walk(bodies, pack_volleys(attack.volleys, attack.choices), queues, attack.choices.sums)
    return Solution(attack, chances, order, ())


def _listed(attack: Attack, found: dict[tuple[int, ...], float]) -> Solution:
    return Solution(attack, np.array(list(found.values())), None, list(found))
