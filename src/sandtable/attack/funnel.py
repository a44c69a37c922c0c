"""The funnel: attacks, hits, wounds, unsaved wounds, damage, models; each with its mean and its middle four fifths."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import msgspec
import numpy as np

from sandtable.attack import pooled
from sandtable.attack.bounds import Unsolvable
from sandtable.attack.numbers import Floats, attack_chances, hit_chances, mean, quantile, wound_chances
from sandtable.attack.solver import Solution, solve
from sandtable.attack.volley import Attack, Choices, Procedure, Volley
from sandtable.attack.walk import failed_saves, order_of, pack_bodies, pack_volleys
from sandtable.kernels import kernel

LOW: Final = 0.1
HIGH: Final = 0.9


class Stage(msgspec.Struct, frozen=True):
    """One step of the funnel: the mean, and between what the middle four fifths of all cases lie."""

    name: str
    mean: float
    low: int
    high: int
    chances: tuple[float, ...]


class Funnel(msgspec.Struct, frozen=True):
    """From attacks to models.

    Attacks, hits and wounds are counted as if all volleys were rolled to the end. `unsaved` are wounds that were given
    to a model that still stood, and not saved; mortal wounds in place of damage are not among them. It is None where
    the order in which models fall depends on the dice, or where saves are not rolled each in turn.
    """

    attacks: Stage
    hits: Stage
    wounds: Stage
    unsaved: Stage | None
    damage: Stage
    models: Stage

    @property
    def stages(self) -> tuple[Stage, ...]:
        """The stages that can be told, from first to last."""
        found = (self.attacks, self.hits, self.wounds, self.unsaved, self.damage, self.models)
        return tuple(stage for stage in found if stage is not None)


def funnel(attack: Attack, solution: Solution | None = None) -> Funnel:
    """How an attack narrows from step to step, for fixed policies."""
    if "optimal" in (attack.choices.reroll, attack.choices.sums):
        raise Unsolvable("the funnel is only told for re-rolls by a fixed policy")
    found = solution or solve(attack)
    unsaved = _unsaved(attack)
    return Funnel(
        _stage("attacks", _counted(attack, _attack_itself)),
        _stage("hits", _counted(attack, _hits_of_one)),
        _stage("wounds", _counted(attack, _wounds_of_one)),
        None if unsaved is None else _stage("unsaved", unsaved),
        _stage("damage", found.damage),
        _stage("models", found.killed),
    )


def _stage(name: str, chances: Floats) -> Stage:
    return Stage(name, mean(chances), quantile(chances, LOW), quantile(chances, HIGH), tuple(chances.tolist()))


def _counted(attack: Attack, of_one: Callable[[Volley, Choices], Floats]) -> Floats:
    """The chance of each number over all volleys, from that of a single attack."""
    out = np.ones(1)
    for volley in attack.volleys:
        attacks = np.array(attack_chances(volley.shots, attack.choices.sums))
        out = np.convolve(out, _compound(attacks, np.array(of_one(volley, attack.choices))))
    return out


def _attack_itself(volley: Volley, choices: Choices) -> Floats:
    return np.array([0.0, 1.0])


def _hits_of_one(volley: Volley, choices: Choices) -> Floats:
    """Hits with automatic wounds among them, as the battle counts them."""
    table = hit_chances(volley.hit, choices.reroll, choices.sums)
    out = np.zeros(sum(table.shape) - 1)
    for wounds, row in enumerate(table):
        out[wounds : wounds + len(row)] += row
    return out


def _wounds_of_one(volley: Volley, choices: Choices) -> Floats:
    table = hit_chances(volley.hit, choices.reroll, choices.sums)
    miss = float(wound_chances(volley.wound, choices.reroll, len(volley.kinds))[-1])
    wound = np.array([miss, 1 - miss])
    out = np.zeros(sum(table.shape) - 1)
    by_hits = np.ones(1)
    for hits in range(table.shape[1]):
        for wounds in range(table.shape[0]):
            out[wounds : wounds + len(by_hits)] += table[wounds, hits] * by_hits
        by_hits = np.convolve(by_hits, wound)
    return out


def _unsaved(attack: Attack) -> Floats | None:
    if attack.procedure is Procedure.POOLED:
        attack = pooled.in_turn(attack)
    if attack.procedure is not Procedure.EACH_IN_TURN or attack.choices.weighed:
        return None
    if not attack.volleys:
        return np.ones(1)
    order = order_of(attack)
    if order is None:
        return None
    bodies = pack_bodies([attack.target.bodies[i] for i in order])
    return failed_saves(bodies, pack_volleys(attack.volleys, attack.choices))


@kernel
def _compound(attacks: Floats, one: Floats) -> Floats:
    """The sum over a random number of attacks, by Horner's rule."""
    out = np.full(1, attacks[-1])
    for number in range(len(attacks) - 2, -1, -1):
        out = np.convolve(out, one)
        out[0] += attacks[number]
    return out
