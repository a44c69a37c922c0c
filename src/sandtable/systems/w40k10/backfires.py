"""What Hazardous weapons cost the unit that uses them, worked out exactly for questions about odds."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache
from math import comb
from typing import Final, TypeAlias

from sandtable.attack.volley import NEVER, Body
from sandtable.forty.odds.matchups import Backfire
from sandtable.systems.w40k10.datasheet import Weapon
from sandtable.systems.w40k10.mortal import HAZARD_ROLL, HAZARD_WOUNDS, bodies, may_pay, suffers_instead, tests_due
from sandtable.systems.w40k10.state import Unit, World10

Left: TypeAlias = tuple[int, ...]

RULES: Final = ("w40k10.weapon.hazardous", "w40k10.weapon.hazardous_character")


def backfire(w: World10, unit: Unit, used: Sequence[Weapon], value: Mapping[int, float]) -> Backfire | None:
    """What a unit loses by the tests for these weapons, when its player gives up plain models first."""
    tests = tests_due(used)
    if not tests:
        return None
    own = bodies(w, unit).bodies
    pays = [may_pay(w, body.model) for body in own]
    hurt_only = [suffers_instead(w, body.model) for body in own]
    start = tuple(body.wounds for body in own)

    @cache
    def one_more(left: Left) -> tuple[tuple[Left, float], ...]:
        return tuple(_fail(own, pays, hurt_only, left).items())

    states: dict[Left, float] = {start: 1.0}
    models = wounds = points = destroyed = 0.0
    for failed in range(tests + 1):
        chance = comb(tests, failed) * (HAZARD_ROLL / 6) ** failed * (1 - HAZARD_ROLL / 6) ** (tests - failed)
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
    any_failed = 1 - (1 - HAZARD_ROLL / 6) ** tests
    return Backfire("Hazardous", tests, any_failed, models, wounds, points, destroyed, len(own), RULES)


def _fail(own: Sequence[Body], pays: Sequence[bool], hurt_only: Sequence[bool], left: Left) -> dict[Left, float]:
    """What one failed test leads to: the first model in casualty order that has such a weapon pays."""
    victim = next((i for i, x in enumerate(left) if x and pays[i]), None)
    if victim is None:
        return {left: 1.0}
    if not hurt_only[victim]:
        return {_with(left, victim, 0): 1.0}
    now: dict[Left, float] = {left: 1.0}
    for _ in range(HAZARD_WOUNDS):
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
