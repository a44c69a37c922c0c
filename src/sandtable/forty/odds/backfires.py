"""What weapons that may harm their bearers cost a unit that uses them, worked out exactly."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from math import comb, prod
from typing import Any, NamedTuple, TypeAlias

from sandtable.attack.chances import sums
from sandtable.attack.volley import FACES, NEVER, Body, Cites, DiceSum, HitRoll, Target
from sandtable.forty.odds.matchups import Backfire
from sandtable.forty.overheating import OVERHEATS, heat_of
from sandtable.forty.state import World40

Left: TypeAlias = tuple[int, ...]


class Hazards(NamedTuple):
    """What an edition says about such weapons: a test for each that was used, and what a failed one does."""

    name: str
    fails: int
    """Up to this face a test fails."""
    wounds: int
    """Mortal wounds that a model suffers for a failed test, where it is not destroyed."""
    tests: Callable[[Sequence[Any]], int]
    """(weapons used): how many tests are due."""
    pays: Callable[[Any, int], bool]
    """(world, model): whether a failed test can fall on it..."""
    hurt_only: Callable[[Any, int], bool]
    """...and whether it then suffers wounds, and is not destroyed."""
    bodies: Callable[[Any, Any], Target]
    """(world, unit): its models as mortal wounds see them, in the order in which its player gives them up."""
    rules: Cites


def backfire(
    w: World40, unit: Any, hazards: Hazards, used: Sequence[Any], value: Mapping[int, float]
) -> Backfire | None:
    """What a unit loses by the tests for these weapons, when its player gives up plain models first."""
    tests = hazards.tests(used)
    if not tests:
        return None
    own = hazards.bodies(w, unit).bodies
    pays = [hazards.pays(w, body.model) for body in own]
    hurt_only = [hazards.hurt_only(w, body.model) for body in own]
    start = tuple(body.wounds for body in own)

    @cache
    def one_more(left: Left) -> tuple[tuple[Left, float], ...]:
        return tuple(_fail(own, pays, hurt_only, hazards.wounds, left).items())

    states: dict[Left, float] = {start: 1.0}
    failing = hazards.fails / 6
    models = wounds = points = destroyed = 0.0
    for failed in range(tests + 1):
        chance = comb(tests, failed) * failing**failed * (1 - failing) ** (tests - failed)
        for left, p in states.items():
            gone = [body for body, x in zip(own, left, strict=True) if not x]
            models += chance * p * len(gone)
            wounds += chance * p * (sum(start) - sum(left))
            points += chance * p * sum(value[body.model] for body in gone)
            destroyed += chance * p * (len(gone) == len(own))
        then: dict[Left, float] = defaultdict(float)
        for left, p in states.items():
            for after, q in one_more(left):
                then[after] += p * q
        states = then
    any_failed = 1 - (1 - failing) ** tests
    return Backfire(hazards.name, tests, any_failed, models, wounds, points, destroyed, len(own), hazards.rules)


def _fail(
    own: Sequence[Body], pays: Sequence[bool], hurt_only: Sequence[bool], points: int, left: Left
) -> dict[Left, float]:
    """What one failed test leads to: the first model in casualty order that has such a weapon pays."""
    victim = next((i for i, x in enumerate(left) if x and pays[i]), None)
    if victim is None:
        return {left: 1.0}
    if not hurt_only[victim]:
        return {_with(left, victim, 0): 1.0}
    now: dict[Left, float] = {left: 1.0}
    for _ in range(points):
        then: dict[Left, float] = defaultdict(float)
        for state, p in now.items():
            i = victim if state[victim] else _next(own, state)
            if i is None:
                then[state] += p
                continue
            kept = max(0, NEVER - own[i].pain_against_mortal) / 6
            then[state] += p * kept
            then[_with(state, i, state[i] - 1)] += p * (1 - kept)
        now = then
    return {state: p for state, p in now.items() if p}


def _next(own: Sequence[Body], left: Left) -> int | None:
    """Who takes the next mortal wound when the model that paid is gone: by rank, whoever is hurt first."""
    stand = [i for i, x in enumerate(left) if x]
    return min(stand, key=lambda i: (own[i].rank, left[i] >= own[i].full, i), default=None)


def _with(left: Left, place: int, wounds: int) -> Left:
    return (*left[:place], wounds, *left[place + 1 :])


# --- Weapons that overheat --------------------------------------------------------------------------------------------


def overheating(
    w: World40,
    unit: Any,
    shots: Sequence[Any],
    value: Mapping[int, float],
    rolled: Callable[[Any], tuple[HitRoll, int, DiceSum]],
    rules: Cites,
    cost: str,
) -> Backfire | None:
    """What low hit rolls cost those who fire weapons that overheat; `rolled` is (shot): its hit roll, the highest face
    that harms, and how many rolls it makes."""
    safe: dict[int, float] = {}
    """For each model that fires one, the chance that nothing happens to it."""
    slays = wounds = 0.0
    for s in (s for s in shots if heat_of(s.weapon.abilities)):
        roll, low, number = rolled(s)
        again = [f for f in roll.reroll if not roll.faces[f - 1].hits]
        risk = (sum(f <= low for f in FACES if f not in again) + len(again) * low / 6) / 6
        spared = sum(float(p) * (1 - risk) ** n for n, p in sums(number).items())
        safe[s.model] = safe.get(s.model, 1.0) * spared
        left = int(w.state.models.wounds[s.model])
        dies = heat_of(s.weapon.abilities) == OVERHEATS or left == 1
        slays += dies
        wounds += (1 - spared) * (left if dies else 1)
    if not safe:
        return None
    lost = {m: 1 - p for m, p in safe.items()} if slays else {}
    models = w.on_table(unit).tolist()
    return Backfire(
        "overheating",
        len(safe),
        1 - prod(safe.values()),
        sum(lost.values()),
        wounds,
        sum(p * value[m] for m, p in lost.items()),
        prod(lost.get(m, 0.0) for m in models),
        len(models),
        rules,
        cost,
    )
