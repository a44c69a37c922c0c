"""Solver, Monte Carlo kernel and the battle's own flow agree on random attacks of every procedure.

Each comparison is a chi-square test; the bound for a single one is such that all tests of a family together refuse what
is right once in a thousand times. With SANDTABLE_SLOW=1 (`make agree`) the battle's flow rolls as often as the kernel.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import msgspec
import numpy as np
import pytest

from attack.chi_square import p_value, too_many_low, upper_tail, worst_allowed
from attack.specs import chunk, slow
from kit.shooting_range import play
from sandtable.attack import montecarlo
from sandtable.attack.solver import Solution, solve
from sandtable.attack.volley import Attack, Body, Choices, Procedure

SPECS = 500
ROLLS = 20_000
TWO = 2
"""Histograms that are compared for each attack: wounds lost, models destroyed."""
EXACT = 1e-12

PARTS = 25
"""The long comparison with the flow is cut into so many tests."""
FEW, FEW_ROLLS = 25, 400
PLAYED = (Procedure.EACH_IN_TURN, Procedure.SORTED_BATCH, Procedure.POOLED)
"""Procedures with a flow in the kit; Epic's spread has a test of its own."""
AT_ONCE = 2000
"""Attacks of one battle; it would take many more in one step for a circle."""


def p_values(found: Solution, damage: Iterable[int], killed: Iterable[int]) -> list[float]:
    return [p_value(list(damage), list(found.damage)), p_value(list(killed), list(found.killed))]


def solved(attack: Attack) -> Solution:
    found = solve(attack)
    for chances in (found.damage, found.killed):
        assert abs(float(chances.sum()) - 1) < EXACT, attack
    assert abs(found.total - 1) < EXACT, attack
    return found


def rolled(attack: Attack, found: Solution, seed: int) -> list[float]:
    odds = montecarlo.roll(attack, ROLLS, seed)
    return p_values(found, odds.damage, odds.killed)


# ---------------------------------------------------------------------- the kernel


@pytest.mark.parametrize("procedure", Procedure, ids=lambda p: p.value)
def test_the_kernel_rolls_what_the_solver_says(procedure: Procedure) -> None:
    values = []
    for seed, attack in enumerate(chunk(1000, SPECS, procedure)):
        found = rolled(attack, solved(attack), seed)
        assert min(found) > worst_allowed(TWO * SPECS), attack
        values += found
    assert len(values) == TWO * SPECS
    assert not too_many_low(values), sorted(values)[:20]


def one_face_worse(body: Body) -> Body:
    return msgspec.structs.replace(body, saves=tuple(s + 1 if 1 < s < 7 else s for s in body.saves))


@pytest.mark.parametrize("procedure", Procedure, ids=lambda p: p.value)
def test_saves_that_are_one_face_worse_do_not_pass(procedure: Procedure) -> None:
    refused = 0
    changed = 0
    for seed, attack in enumerate(chunk(1001, 60, procedure)):
        bodies = tuple(one_face_worse(b) for b in attack.target.bodies)
        other = msgspec.structs.replace(attack, target=msgspec.structs.replace(attack.target, bodies=bodies))
        if np.allclose(solve(attack).damage, solve(other).damage, atol=0.02):
            continue
        changed += 1
        refused += min(rolled(other, solve(attack), seed)) <= worst_allowed(TWO * SPECS)
    assert refused == changed > 20


# ---------------------------------------------------------------------- the battle's flow


def played(attack: Attack, times: int, seed: int) -> list[float]:
    """The flow asks no policy about allocation and sums but its defaults, so only these are compared."""
    choices = Choices(reroll="failures", aim=attack.choices.aim)
    plain = msgspec.structs.replace(attack, choices=choices)
    found = solved(plain)
    damage: Counter[int] = Counter()
    killed: Counter[int] = Counter()
    for part, at_once in enumerate([AT_ONCE] * (times // AT_ONCE) or [times]):
        for (lost, models), n in play(plain, at_once, 1000 * seed + part).items():
            damage[lost] += n
            killed[models] += n
    return p_values(found, [damage[n] for n in range(len(found.damage))], [killed[n] for n in range(len(found.killed))])


@pytest.mark.parametrize("procedure", PLAYED, ids=lambda p: p.value)
def test_the_battle_rolls_what_the_solver_says(procedure: Procedure) -> None:
    for seed, attack in enumerate(chunk(1002, FEW, procedure)):
        assert min(played(attack, FEW_ROLLS, seed)) > worst_allowed(TWO * FEW), attack


@slow
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("procedure", PLAYED, ids=lambda p: p.value)
def test_the_battle_rolls_what_the_solver_says_of_many_attacks(procedure: Procedure, part: int) -> None:
    values = []
    for seed, attack in enumerate(chunk(2000 + part, SPECS // PARTS, procedure)):
        found = played(attack, ROLLS, seed)
        assert min(found) > worst_allowed(TWO * SPECS), attack
        values += found
    assert not too_many_low(values), sorted(values)[:5]


# ---------------------------------------------------------------------- the test itself


@pytest.mark.parametrize(
    ("statistic", "free", "tail"),
    # From tables of the distribution.
    [(3.841459, 1, 0.05), (5.991465, 2, 0.05), (18.307038, 10, 0.05), (29.588298, 10, 0.001)],
)
def test_the_tail_is_that_of_the_tables(statistic: float, free: int, tail: float) -> None:
    assert upper_tail(statistic, free) == pytest.approx(tail, rel=1e-4)


def test_the_impossible_is_refused_and_rare_cells_are_merged() -> None:
    assert p_value([10, 1], [1.0, 0.0]) == 0.0
    assert p_value([99, 1], [0.99, 0.01]) == 1.0
    assert p_value([500, 500], [0.5, 0.5]) == 1.0
    assert p_value([600, 400], [0.5, 0.5]) < 1e-9


def test_many_small_errors_are_seen_together() -> None:
    assert not too_many_low([i / 1000 for i in range(1000)])
    assert too_many_low([i / 1000 for i in range(1000)] + [0.009] * 60)
