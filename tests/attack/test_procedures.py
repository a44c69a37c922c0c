"""The solver says what plain reckonings say, for every procedure and anything at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable

import pytest

from attack import naive
from attack.exact import SPECS, fits, marginal, outcomes
from attack.specs import chunk, slow
from sandtable.attack import game, montecarlo
from sandtable.attack.solver import Solution, solve
from sandtable.attack.volley import Attack, Procedure

EXACT = 1e-12
Keyed = dict[tuple[int, ...], float]


def close(found: Keyed, expected: Keyed) -> bool:
    keys = [*found, *(k for k in expected if k not in found)]
    return all(abs(found.get(k, 0.0) - expected.get(k, 0.0)) < EXACT for k in keys)


def whole(solution: Solution) -> bool:
    """All views of a solution add up to one, and agree with each other."""
    sums = [solution.total, float(solution.damage.sum()), float(solution.killed.sum())]
    joint = sum(models * p for (_, models), p in solution.joint.items())
    return all(abs(x - 1) < EXACT for x in sums) and abs(solution.mean_killed - joint) < 1e-9


def agree_in_turn(attack: Attack) -> None:
    found = solve(attack)
    assert whole(found), attack
    assert close(found.joint, outcomes(attack)), attack  # type: ignore[arg-type]


def rolled(attack: Attack, rolls: int = 20_000) -> None:
    found = solve(attack).joint
    odds = montecarlo.roll(attack, rolls, 3)
    assert fits({(n, 0): c for n, c in enumerate(odds.damage)}, marginal(found, 0)), attack
    assert fits({(n, 0): c for n, c in enumerate(odds.killed)}, marginal(found, 1)), attack


def canonical(attack: Attack, states: Keyed) -> Keyed:
    """Which of two equal bodies side by side has fallen makes no difference."""
    bodies = attack.target.bodies
    out: Keyed = defaultdict(float)
    for left, p in states.items():
        kinds = [(b.full, b.saves) for b in bodies]
        out[tuple((kinds[i], x) for i, x in enumerate(left) if x)] += p  # type: ignore[index]
    return out


def agree_sorted(attack: Attack) -> None:
    found = solve(attack)
    assert whole(found), attack
    assert close(found.states, naive.sorted_batch(attack)), attack


def agree_pooled(attack: Attack) -> None:
    found = solve(attack)
    assert whole(found), attack
    assert close(found.states, naive.pooled(attack)), attack


def agree_spread(attack: Attack) -> None:
    found = solve(attack)
    assert whole(found), attack
    assert close(canonical(attack, found.states), canonical(attack, naive.spread(attack))), attack


AGREE: dict[Procedure, Callable[[Attack], None]] = {
    Procedure.EACH_IN_TURN: agree_in_turn,
    Procedure.SORTED_BATCH: agree_sorted,
    Procedure.POOLED: agree_pooled,
    Procedure.SPREAD: agree_spread,
}
FEW, MANY, CHUNKS = 60, 50, 10


@pytest.mark.parametrize("name", SPECS)
def test_the_solver_agrees_with_a_plain_reckoning(name: str) -> None:
    agree_in_turn(SPECS[name])


@pytest.mark.parametrize("procedure", AGREE, ids=lambda p: p.value)
def test_the_solver_agrees_on_random_attacks(procedure: Procedure) -> None:
    for attack in chunk(0, FEW, procedure):
        AGREE[procedure](attack)


@slow
@pytest.mark.parametrize("seed", range(1, CHUNKS + 1))
@pytest.mark.parametrize("procedure", AGREE, ids=lambda p: p.value)
def test_the_solver_agrees_on_many_random_attacks(procedure: Procedure, seed: int) -> None:
    for attack in chunk(seed, MANY, procedure):
        AGREE[procedure](attack)


def test_the_kernel_rolls_what_the_solver_says() -> None:
    for attack in chunk(100, FEW, Procedure.EACH_IN_TURN):
        rolled(attack)


@slow
@pytest.mark.parametrize("seed", range(101, 101 + CHUNKS))
def test_the_kernel_rolls_what_the_solver_says_many_times(seed: int) -> None:
    for attack in chunk(seed, MANY, Procedure.EACH_IN_TURN):
        rolled(attack)


def test_the_walk_and_the_game_agree_where_both_apply() -> None:
    for attack in chunk(200, FEW, Procedure.EACH_IN_TURN):
        total = sum(b.wounds for b in attack.target.bodies)
        by_game: Keyed = defaultdict(float)
        for left, p in game.resolve(attack).items():
            by_game[total - sum(left), sum(not x for x in left)] += p
        assert close(solve(attack).joint, by_game), attack  # type: ignore[arg-type]
