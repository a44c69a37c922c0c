"""Both sides strike, and what is left of both."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from attack.exact import bodies, fits
from attack.specs import UNROLLED
from sandtable.attack.bounds import Unsolvable
from sandtable.attack.exchange import Armed, Contest, Exchange, Side, Strike, solve_exchange
from sandtable.attack.tables import hit_table, wound_table
from sandtable.attack.volley import Procedure, Shots, Target, Volley, WoundKind, dice

SWORDS = Volley("swords", (Shots(1, dice(2)),), hit_table(3), wound_table(4), (WoundKind(),), cites=("x.fight",))
AXES = Volley("axes", (Shots(1, dice(1)),), hit_table(4), wound_table(3), (WoundKind(0, dice(2)),))
KNIGHTS = Side("knights", Target(bodies(3, 2, 3)))
ORKS = Side("orks", Target(bodies(5, 1, 5)))


def strike(side: int, volley: Volley, count: int) -> Strike:
    return Strike(side, (Armed(volley, tuple(range(count))),))


CHARGE = Exchange((KNIGHTS, ORKS), ((strike(0, SWORDS, 3),), (strike(1, AXES, 5),)))


def blow(rng: random.Random, hit: int, wound: int, save: int) -> bool:
    return rng.randint(1, 6) >= hit and rng.randint(1, 6) >= wound and rng.randint(1, 6) < save


def fight(rng: random.Random, at_once: bool) -> tuple[int, int]:
    """Wounds left of the knights and orks left, rolled by hand."""
    orks = max(0, 5 - sum(blow(rng, 3, 4, 5) for _ in range(6)))
    left = 6
    for _ in range(5 if at_once else orks):
        if left and blow(rng, 4, 3, 3):
            left -= 2 if left % 2 == 0 else 1
    return left, orks


@pytest.mark.parametrize("at_once", [False, True])
def test_survivors_strike_back(at_once: bool) -> None:
    steps = (tuple(s for step in CHARGE.steps for s in step),) if at_once else CHARGE.steps
    found = solve_exchange(Exchange(CHARGE.sides, steps))
    assert abs(found.total - 1) < 1e-12
    rng = random.Random(5)
    seen = Counter(fight(rng, at_once) for _ in range(20_000))
    joint: dict[tuple[int, int], float] = {}
    for (knights, orks), p in found.joint.items():
        key = sum(knights), sum(orks)
        joint[key] = joint.get(key, 0.0) + p
    assert fits(dict(seen), joint)


def test_striking_first_costs_fewer_of_ones_own() -> None:
    first = solve_exchange(CHARGE)
    second = solve_exchange(Exchange(CHARGE.sides, CHARGE.steps[::-1]))
    assert first.mean_killed(0) < second.mean_killed(0)
    assert first.mean_killed(1) > second.mean_killed(1)
    assert sum(first.damage(0).values()) == pytest.approx(1)


def test_an_exchange_names_its_policies_and_rules() -> None:
    found = solve_exchange(CHARGE)
    assert "x.fight" in found.cites
    assert any("orks: the defender loses models in casualty order" in a for a in found.assumptions)


# ---------------------------------------------------------------------- rounds until it is decided

CLOSE_COMBAT = Volley("close combat", (Shots(1, dice(1)),), hit_table(4, crit=7, always=7), UNROLLED, (WoundKind(),))


def formations(first: int, second: int) -> tuple[Side, Side]:
    sides = [Side(str(n), Target(bodies(n, 1, save)), Procedure.SPREAD) for n, save in ((first, 4), (second, 5))]
    return sides[0], sides[1]


def assault(rng: random.Random, first: int, second: int) -> tuple[int, int]:
    """Stands of both sides at the end; the loser's are counted below zero."""
    start = first, second
    while True:
        hits = [sum(rng.randint(1, 6) >= 4 for _ in range(n)) for n in (first, second)]
        second, first = _after(rng, second, hits[0], 5), _after(rng, first, hits[1], 4)
        if not first or not second:
            return first, second
        a = max(rng.randint(1, 6), rng.randint(1, 6)) + start[1] - second + (first > second) + (first > 2 * second)
        b = max(rng.randint(1, 6), rng.randint(1, 6)) + start[0] - first + (second > first) + (second > 2 * first)
        if a != b:
            return (first, -second) if a > b else (-first, second)


def _after(rng: random.Random, stands: int, hits: int, save: int) -> int:
    load = [hits // stands + (i < hits % stands) for i in range(stands)]
    return sum(all(rng.randint(1, 6) >= save for _ in range(n)) for n in load)


def test_ties_are_fought_out_to_the_end() -> None:
    steps = ((strike(0, CLOSE_COMBAT, 3), strike(1, CLOSE_COMBAT, 4)),)
    found = solve_exchange(Exchange(formations(3, 4), steps, Contest()))
    assert abs(found.total - 1) < 1e-12
    assert abs(sum(found.verdicts.values()) - 1) < 1e-12
    rng = random.Random(2)
    seen = Counter(assault(rng, 3, 4) for _ in range(20_000))
    won = sum(n for (a, b), n in seen.items() if a > 0 >= b) / 20_000
    assert abs(won - found.verdicts["first"]) < 0.015
    stands: dict[tuple[int, int], float] = {}
    for (a, b), p in found.joint.items():
        stands[sum(a), sum(b)] = stands.get((sum(a), sum(b)), 0.0) + p
    counted: Counter[tuple[int, int]] = Counter()
    for (c, d), n in seen.items():
        counted[abs(c), abs(d)] += n
    assert fits(dict(counted), stands)


def test_a_third_side_is_refused() -> None:
    with pytest.raises(Unsolvable, match="two sides"):
        solve_exchange(Exchange(CHARGE.sides, ((strike(2, SWORDS, 1),),)))
