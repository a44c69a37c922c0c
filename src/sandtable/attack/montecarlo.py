"""Rolling an attack many times over: histograms of what it comes to.

The kernels go through whole sequences as the battle's flow does, with the choices of the players made by the attack's
named policies. They read the same tables as the flow, packed into arrays. This module is for attacks made each in turn
and for the answer; the other procedures have kernels of their own.
"""

from __future__ import annotations

from typing import Final

import msgspec
import numpy as np

from sandtable import kernels
from sandtable.attack import montecarlo_batch, montecarlo_pooled, montecarlo_spread
from sandtable.attack.bounds import Unsolvable
from sandtable.attack.montecarlo_dice import Bits, count, lose, number, pick, saved, stand_up
from sandtable.attack.montecarlo_dice import below as draw
from sandtable.attack.montecarlo_tables import (
    AIM,
    AIMS,
    AUTOMATIC,
    DAMAGE,
    EXTRA,
    FULL,
    HELD_BACK,
    HITS,
    KIND,
    LEFT,
    MARKED,
    MOST,
    NONE,
    PAIN,
    PAIN_MORTAL,
    PAIRS,
    POINTS,
    RANK,
    SAVE,
    SPILL,
    WOUNDS,
    Ints,
    pack,
)
from sandtable.attack.volley import Attack, Choices, Procedure
from sandtable.kernels import leaf

MAX_DUE: Final = 4096
"""So many mortal wounds of different attacks can wait at once; what comes on top is lost."""
LOT: Final = 64
"""Attacks that are rolled together."""

# the sequence: who has to take the next attack, lots of mortal wounds waiting, whether the target is gone; two rules
HELD, WAITING, ALL_GONE, KEEPS, BEST_SAVE = range(5)
# lots of mortal wounds: points, body that takes them first, whether they spill over


class Odds(msgspec.Struct, frozen=True):
    """What many rolls of an attack came to, and by which policies."""

    rolls: int
    choices: Choices
    damage: tuple[int, ...]
    """How often the target lost 0, 1, 2... wounds."""
    killed: tuple[int, ...]
    """How often it lost 0, 1, 2... models."""
    survived: tuple[int, ...]
    """For each body of the target, how often it stood at the end."""
    value: float
    """Mean value of the bodies killed."""

    @property
    def mean_damage(self) -> float:
        return sum(n * c for n, c in enumerate(self.damage)) / self.rolls

    @property
    def mean_killed(self) -> float:
        return sum(n * c for n, c in enumerate(self.killed)) / self.rolls

    @property
    def destroyed(self) -> float:
        """The chance that nothing of the target is left."""
        return self.killed[-1] / self.rolls


@np.errstate(over="ignore")  # the dice count on wrap-around, as plain Python, too
def roll(attack: Attack, rolls: int, seed: int = 0) -> Odds:
    """Roll an attack `rolls` times. The same seed gives the same dice."""
    kernels.engage()
    if attack.choices.weighed:
        raise Unsolvable("Decisions that have to be weighed are a matter for the exact solver.")
    if rolls < 1:
        raise ValueError("an attack is rolled at least once")
    bodies = attack.target.bodies
    if not bodies:
        return Odds(rolls, attack.choices, (rolls,), (rolls,), (), 0.0)
    damage = np.zeros(sum(b.wounds for b in bodies) + 1, dtype=np.int64)
    killed = np.zeros(len(bodies) + 1, dtype=np.int64)
    survived = np.zeros(len(bodies), dtype=np.int64)
    rng = np.array([seed & (2**64 - 1)], dtype=np.uint64)
    match attack.procedure:
        case Procedure.EACH_IN_TURN:
            _each_in_turn(attack, rolls, rng, damage, killed, survived)
        case Procedure.SORTED_BATCH:
            montecarlo_batch.run(attack, rolls, rng, damage, killed, survived)
        case Procedure.POOLED:
            montecarlo_pooled.run(attack, rolls, rng, damage, killed, survived)
        case Procedure.SPREAD:
            montecarlo_spread.run(attack, rolls, rng, damage, killed, survived)
    value = sum(b.value * (rolls - int(s)) for b, s in zip(bodies, survived, strict=True)) / rolls
    return Odds(rolls, attack.choices, _tuple(damage), _tuple(killed), _tuple(survived), value)


def _tuple(counts: Ints) -> tuple[int, ...]:
    return tuple(counts.tolist())


def _each_in_turn(attack: Attack, rolls: int, rng: Bits, damage: Ints, killed: Ints, survived: Ints) -> None:
    now = np.zeros(5, dtype=np.int64)
    now[KEEPS] = attack.target.keeps
    now[BEST_SAVE] = attack.choices.allocation == "best_save"
    due = np.empty((MAX_DUE, 3), dtype=np.int64)
    faces = [f for v in attack.volleys for f in v.hit.faces]
    most = max((f.hits + f.wounds + (0 if f.extra is None else f.extra.most) for f in faces), default=0)
    wounds = np.empty((LOT + 1) * most, dtype=np.int64)
    _run(*pack(attack), wounds, now, due, rolls, rng, damage, killed, survived)


# ---------------------------------------------------------------------- one sequence


@leaf
def _aimed(volleys: Ints, volley: int, bodies: Ints) -> int:
    """The body behind others that the attacker directs a wound at, or NONE."""
    rank = NONE
    for i in range(len(bodies)):
        if bodies[i, LEFT] > 0 and (rank == NONE or bodies[i, RANK] < rank):
            rank = bodies[i, RANK]
    for i in range(len(bodies)):
        if volleys[volley, AIM + i] and bodies[i, LEFT] > 0 and bodies[i, RANK] > rank:
            return i
    return NONE


@leaf
def _taker(bodies: Ints, now: Ints, save: int) -> int:
    """The body that takes the next attack; while one has to, nobody need be looked for."""
    body = now[HELD]
    if body == NONE:
        body = pick(bodies, now[BEST_SAVE] != 0, save)
        if body == NONE:
            now[ALL_GONE] = 1
    return body


@leaf
def _hold(bodies: Ints, now: Ints, body: int) -> None:
    """Note whether a body that was picked has to take the next attack as well."""
    left = bodies[body, LEFT]
    must = now[KEEPS] != 0 or left < bodies[body, FULL]
    now[HELD] = body if must and left > 0 and not now[BEST_SAVE] else NONE


@leaf
def _suffer(points: int, first: int, spill: bool, bodies: Ints, now: Ints, rng: Bits) -> None:
    """Mortal wounds, point by point."""
    while points > 0:
        aimed = first != NONE and bodies[first, LEFT] > 0
        body = first if aimed else _taker(bodies, now, NONE)
        if body == NONE:
            return
        if now[KEEPS]:
            bodies[body, MARKED] = 1
        if aimed or not spill or now[KEEPS]:
            points = lose(bodies, body, points, bodies[body, PAIN_MORTAL], rng)
        else:
            lose(bodies, body, 1, bodies[body, PAIN_MORTAL], rng)
            points -= 1
        if aimed:
            now[HELD] = NONE
        else:
            _hold(bodies, now, body)
        if not spill:
            return


@leaf
def _normal(aimed: int, save: int, damage: int, sums: Ints, bodies: Ints, now: Ints, rng: Bits) -> None:
    """A wound that is allocated, saved and inflicted."""
    body = aimed if aimed != NONE else _taker(bodies, now, save)
    if body == NONE:
        return
    if now[KEEPS]:
        bodies[body, MARKED] = 1
    if not saved(bodies, body, save, rng):
        lose(bodies, body, number(sums, damage, rng), bodies[body, PAIN], rng)
    if aimed != NONE:
        now[HELD] = NONE
    else:
        _hold(bodies, now, body)


@leaf
def _wound(
    volleys: Ints, volley: int, kinds: Ints, kind: int, sums: Ints, bodies: Ints, due: Ints, now: Ints, rng: Bits
) -> None:
    """What a wound does, by its kind."""
    if now[ALL_GONE]:
        return
    aimed = _aimed(volleys, volley, bodies) if volleys[volley, AIMS] else NONE
    if kinds[kind, DAMAGE] != NONE:
        _normal(aimed, kinds[kind, SAVE], kinds[kind, DAMAGE], sums, bodies, now, rng)
    if kinds[kind, POINTS] != NONE:
        points = number(sums, kinds[kind, POINTS], rng)
        if not kinds[kind, HELD_BACK]:
            _suffer(points, aimed, kinds[kind, SPILL] != 0, bodies, now, rng)
        elif now[WAITING] < len(due):
            due[now[WAITING], 0] = points
            due[now[WAITING], 1] = aimed
            due[now[WAITING], 2] = kinds[kind, SPILL]
            now[WAITING] += 1


@leaf
def _hits(volleys: Ints, v: int, attacks: int, sums: Ints, wounds: Ints, rng: Bits) -> int:
    """Roll to hit: a 1 for each hit that wounds by itself and a 0 for each other, in order; returns how many."""
    size = 0
    for _ in range(attacks):
        case = draw(rng, PAIRS)
        sure = volleys[v, WOUNDS + case]
        # As many as there can be are written, and then those are counted that there are: quicker than asking.
        for i in range(volleys[v, MOST]):
            wounds[size + i] = i < sure
        size += sure + volleys[v, HITS + case]
        if volleys[v, EXTRA + case] != NONE:
            for _ in range(number(sums, volleys[v, EXTRA + case], rng)):
                wounds[size] = 0
                size += 1
    return size


@leaf
def _to_wound(volleys: Ints, v: int, hits: int, wounds: Ints, rng: Bits) -> int:
    """Roll to wound: the kinds of wounds, in order, in place of the hits; returns how many."""
    size = 0
    for i in range(hits):
        rolled = volleys[v, KIND + draw(rng, PAIRS)]
        kind = volleys[v, AUTOMATIC] if wounds[i] else rolled
        wounds[size] = kind
        size += kind != NONE
    return size


@leaf
def _sequence(
    volleys: Ints, shots: Ints, kinds: Ints, sums: Ints, bodies: Ints, wounds: Ints, due: Ints, now: Ints, rng: Bits
) -> None:
    """All volleys, then the mortal wounds that waited."""
    now[HELD] = NONE
    now[WAITING] = now[ALL_GONE] = 0
    for row in range(len(shots)):
        v = shots[row, 0]
        weapons = shots[row, 1]
        attacks = 0
        # In lots, so that those of a large volley have room, and little is rolled for a target that is gone.
        while weapons > 0 or attacks > 0:
            while weapons > 0 and attacks < LOT:
                attacks += max(0, number(sums, shots[row, 2], rng))
                weapons -= 1
            lot = min(attacks, LOT)
            attacks -= lot
            found = _to_wound(volleys, v, _hits(volleys, v, lot, sums, wounds, rng), wounds, rng)
            for i in range(found):
                _wound(volleys, v, kinds, wounds[i], sums, bodies, due, now, rng)
                if now[ALL_GONE]:
                    return
    for i in range(now[WAITING]):
        _suffer(due[i, 0], due[i, 1], due[i, 2] != 0, bodies, now, rng)


@leaf
def _run(
    volleys: Ints,
    shots: Ints,
    kinds: Ints,
    sums: Ints,
    bodies: Ints,
    wounds: Ints,
    now: Ints,
    due: Ints,
    rolls: int,
    rng: Bits,
    damage: Ints,
    killed: Ints,
    survived: Ints,
) -> None:
    """Fill histograms of wounds lost and models killed, and count how often each body survived."""
    for _ in range(rolls):
        stand_up(bodies)
        _sequence(volleys, shots, kinds, sums, bodies, wounds, due, now, rng)
        count(bodies, damage, killed, survived)
