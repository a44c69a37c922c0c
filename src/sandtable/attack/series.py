"""Several attacks on one target, one unit after the other: what each leaves is what the next one meets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, repeat
from typing import TypeAlias

import msgspec
import numpy as np

from sandtable.attack.bounds import MAX_STATES, Unsolvable, check_size
from sandtable.attack.numbers import Floats, attack_chances
from sandtable.attack.solver import solve
from sandtable.attack.volley import Attack, Target

Left: TypeAlias = tuple[int, ...]
States: TypeAlias = dict[Left, float]

MAX_SERIES = 60
"""Attacks of a series."""
MAX_STEPS = 25_000_000
"""Attacks times wounds, over all situations of a series: some seconds."""
OVERHEAD = 2_000
"""What a solution costs before it has done anything, in the same measure."""


def whole(target: Target) -> States:
    """A target before anything happened to it."""
    return {tuple(b.wounds for b in target.bodies): 1.0}


def after(attack: Attack, states: States) -> States:
    """The chance of each state of the target after one more attack."""
    found: States = {}
    check_size("situations", len(states), MAX_STATES)
    for left, p in states.items():
        if not any(left):
            found[left] = found.get(left, 0.0) + p
            continue
        for then, q in _solved(attack, left).items():
            if q > 0:
                found[then] = found.get(then, 0.0) + p * q
    return found


def _solved(attack: Attack, left: Left) -> States:
    places = [i for i, x in enumerate(left) if x]
    bodies = tuple(msgspec.structs.replace(attack.target.bodies[i], wounds=left[i]) for i in places)
    target = msgspec.structs.replace(attack.target, bodies=bodies)
    out = {}
    for state, p in solve(msgspec.structs.replace(attack, target=target)).states.items():
        then = [0] * len(left)
        for i, x in zip(places, state, strict=True):
            then[i] = x
        out[tuple(then)] = p
    return out


def steps(attacks: Iterable[Attack], happens: Iterable[float] = ()) -> Iterator[States]:
    """The states of the target after each attack, as long as anybody asks; `Unsolvable` once that takes too long.

    `happens` are the chances that the attacks are made at all; without them all are.
    """
    now: States | None = None
    work = 0
    for attack, chance in zip(attacks, chain(happens, repeat(1.0))):  # noqa: B905
        now = whole(attack.target) if now is None else now
        most = sum(len(attack_chances(v.shots)) for v in attack.volleys)
        work += len(now) * (OVERHEAD + most * sum(b.wounds for b in attack.target.bodies))
        check_size("steps", work, MAX_STEPS)
        made = after(attack, now)
        if chance < 1:
            both = dict.fromkeys((*now, *made), 0.0)
            made = {left: (1 - chance) * now.get(left, 0.0) + chance * made.get(left, 0.0) for left in both}
        now = made
        yield now


def series(attacks: Sequence[Attack]) -> list[States]:
    """The states of the target after each attack of a series; all attacks have the same bodies in the same order."""
    check_size("attacks one after the other", len(attacks), MAX_SERIES)
    if not attacks:
        raise Unsolvable("a series needs at least one attack")
    bodies = [_order(attack.target) for attack in attacks]
    if any(other != bodies[0] for other in bodies):
        raise Unsolvable("the attacks of a series are made on the same models")
    return list(steps(attacks))


def _order(target: Target) -> list[tuple[int, int]]:
    """The bodies in their order; models count from the first of the unit, whatever else is on the table."""
    first = min(b.model for b in target.bodies)
    return [(b.model - first, b.wounds) for b in target.bodies]


def destroyed(states: States) -> float:
    """The chance that nothing of the target is left."""
    return sum(p for left, p in states.items() if not any(left))


def killed(states: States) -> Floats:
    """The chance that 0, 1, 2... models are gone."""
    size = len(next(iter(states)))
    out = np.zeros(size + 1)
    for left, p in states.items():
        out[sum(not x for x in left)] += p
    return out


def damage(states: States, target: Target) -> Floats:
    """The chance that 0, 1, 2... wounds are lost."""
    total = sum(b.wounds for b in target.bodies)
    out = np.zeros(total + 1)
    for left, p in states.items():
        out[total - sum(left)] += p
    return out


def value(states: States, target: Target) -> float:
    """The mean value of the models lost."""
    lost = (p * b.value for left, p in states.items() for b, x in zip(target.bodies, left, strict=True) if not x)
    return float(sum(lost))
