"""The solver says what plain reckonings say, for every procedure and anything at once."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable

import msgspec
import pytest

from attack import naive
from attack.exact import SPECS, outcomes
from attack.specs import chunk, slow
from sandtable.attack import aimed, game
from sandtable.attack.procedures import used_kinds
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


def led(attack: Attack, held: bool) -> Attack:
    """The same attack at a unit with one leader, who is aimed at by the first volley; its mortal wounds wait."""
    bodies = [msgspec.structs.replace(b, rank=0) for b in attack.target.bodies]
    leader = msgspec.structs.replace(bodies[-1], model=9, rank=1, pain=6, wounds=2, full=3)
    first, *others = (msgspec.structs.replace(v, aim=()) for v in attack.volleys)
    kinds = tuple(
        msgspec.structs.replace(k, mortal=msgspec.structs.replace(k.mortal, held=held) if k.mortal else None)
        for k in first.kinds
    )
    aimed_ = msgspec.structs.replace(first, aim=(9,), kinds=kinds)
    target = msgspec.structs.replace(attack.target, bodies=(*bodies, leader))
    choices = msgspec.structs.replace(attack.choices, aim="always", allocation="in_order")
    return Attack((*others, aimed_, *others), target, choices=choices)


def test_the_grid_and_the_game_agree_on_leaders_aimed_at() -> None:
    met: Counter[bool] = Counter()
    for attack in (led(a, held=True) for a in chunk(201, FEW, Procedure.EACH_IN_TURN)):
        found = aimed.resolve(attack)
        if found is not None:
            met[any(v.kinds[k].mortal is not None for v in attack.volleys if v.aim for k in used_kinds(v))] += 1
            assert abs(sum(found.values()) - 1) < EXACT
            assert close(found, game.resolve(attack)), attack
    assert min(met[True], met[False]) > FEW // 6


def test_two_leaders_aimed_at_are_left_to_the_game() -> None:
    attack = led(next(chunk(201, 1, Procedure.EACH_IN_TURN)), held=True)
    second = msgspec.structs.replace(attack.target.bodies[-1], model=10)
    target = msgspec.structs.replace(attack.target, bodies=(*attack.target.bodies, second))
    assert aimed.resolve(msgspec.structs.replace(attack, target=target)) is None


def test_the_walk_and_the_game_agree_where_both_apply() -> None:
    for attack in chunk(200, FEW, Procedure.EACH_IN_TURN):
        total = sum(b.wounds for b in attack.target.bodies)
        by_game: Keyed = defaultdict(float)
        for left, p in game.resolve(attack).items():
            by_game[total - sum(left), sum(not x for x in left)] += p
        assert close(solve(attack).joint, by_game), attack  # type: ignore[arg-type]
