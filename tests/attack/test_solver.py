"""Exact odds: policies, the funnel, bounds, and the battle's own flow."""

from __future__ import annotations

import time

import msgspec
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from attack.exact import SPECS, TWIN, bodies, fits, outcomes
from attack.test_montecarlo import attacks
from kit.shooting_range import play
from sandtable import kernels
from sandtable.attack import bounds
from sandtable.attack.bounds import Unsolvable
from sandtable.attack.funnel import funnel
from sandtable.attack.solver import solve
from sandtable.attack.tables import hit_table, wound_table
from sandtable.attack.volley import (
    Attack,
    Body,
    Choices,
    DiceSum,
    HitFace,
    HitRoll,
    Mortal,
    Procedure,
    Shots,
    Target,
    Volley,
    WoundKind,
    dice,
)

EXACT = 1e-12


def volley(count: int | str = 6, damage: int | str = 1, **parts: object) -> Volley:
    fields = {"hit": hit_table(3), "wound": wound_table(4), "kinds": (WoundKind(0, dice(damage)),), **parts}
    return Volley("gun", (Shots(1, dice(count)),), **fields)  # type: ignore[arg-type]


# ---------------------------------------------------------------------- solver, reckoning, flow


@settings(max_examples=50, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(attacks())
def test_the_solver_agrees_on_any_small_attack(attack: Attack) -> None:
    found, expected = solve(attack).joint, outcomes(attack)
    assert abs(sum(found.values()) - 1) < EXACT
    assert all(abs(found.get(k, 0.0) - p) < EXACT for k, p in expected.items())


@pytest.mark.parametrize("name", ["every critical", "a led unit", "one hurt, one marked"])
def test_the_battle_rolls_what_the_solver_says(name: str) -> None:
    assert fits(play(SPECS[name], 1500, seed=9), solve(SPECS[name]).joint)


def test_large_attacks_add_up_to_one() -> None:
    storm = msgspec.structs.replace(SPECS["every critical"].volleys[0], shots=(Shots(40, dice(1)),))
    for target in (Target(bodies(20, 2, 4, pain=5)), Target(bodies(3, 12, 4))):
        for held in (storm, msgspec.structs.replace(storm, shots=(Shots(20, dice("D6")),))):
            found = solve(Attack((held, storm), target))
            assert abs(found.total - 1) < EXACT
            assert found.mean_killed <= len(target.bodies)


# ---------------------------------------------------------------------- policies

GOALS = {"damage": "mean_damage", "models": "mean_killed", "destroy": "destroyed"}
FISH = Volley(
    "fish",
    (Shots(5, dice(1)),),
    hit_table(3, sustained=1, reroll="all"),
    wound_table(3, crit_kind=1, reroll="all"),
    (WoundKind(0, dice("D3", reroll=(1, 2, 3))), WoundKind(0, None, Mortal(dice(3)))),
)


@pytest.mark.parametrize("goal", GOALS)
def test_the_best_rerolls_are_at_least_as_good_as_any_policy(goal: str) -> None:
    target = Target((*bodies(2, 2, 2), *bodies(1, 3, 3, first=2)))
    best = solve(Attack((FISH,), target, choices=Choices(reroll="optimal", sums="optimal", goal=goal)))  # type: ignore[arg-type]
    others = [
        solve(Attack((FISH,), target, choices=Choices(reroll=r, sums=s)))  # type: ignore[arg-type]
        for r in ("failures", "criticals", "none")
        for s in ("below_average", "none")
    ]
    reached = [getattr(other, GOALS[goal]) for other in others]
    assert getattr(best, GOALS[goal]) > max(reached) + 1e-6
    assert abs(best.total - 1) < EXACT


def test_the_best_rerolls_depend_on_the_goal() -> None:
    target = Target(bodies(4, 2, 2))
    sure = solve(Attack((FISH,), target, choices=Choices(reroll="optimal", goal="destroy")))
    much = solve(Attack((FISH,), target, choices=Choices(reroll="optimal", goal="damage")))
    assert sure.destroyed > much.destroyed
    assert much.mean_damage > sure.mean_damage


@pytest.mark.parametrize("goal", GOALS)
@pytest.mark.parametrize("procedure", [Procedure.EACH_IN_TURN, Procedure.SORTED_BATCH])
def test_the_worst_allocation_is_at_most_as_good_as_any_policy(goal: str, procedure: Procedure) -> None:
    target = Target((*bodies(2, 1, 6), *bodies(2, 2, 3, first=2), *bodies(1, 3, 4, first=4)))
    gun = volley(6, 2)
    worst = solve(Attack((gun,), target, procedure, Choices(allocation="worst_for_attacker", goal=goal)))  # type: ignore[arg-type]
    for policy in ("in_order", "best_save"):
        other = solve(Attack((gun,), target, procedure, Choices(allocation=policy)))  # type: ignore[arg-type]
        assert getattr(worst, GOALS[goal]) <= getattr(other, GOALS[goal]) + EXACT


def test_both_sides_can_weigh_at_once() -> None:
    target = Target((*bodies(2, 1, 6), *bodies(2, 2, 3, first=2)))
    policies = {"reroll": "optimal", "allocation": "worst_for_attacker"}
    values = {
        key: solve(Attack((TWIN,), target, choices=Choices(**{k: policies[k] for k in key}))).mean_damage  # type: ignore[arg-type]
        for key in ((), ("reroll",), ("allocation",), ("reroll", "allocation"))
    }
    assert values["allocation",] <= values["reroll", "allocation"] <= values["reroll",]


def test_aiming_is_weighed() -> None:
    target = Target((*bodies(2, 1, 7), Body(2, 3, 3, (7,), rank=1, value=1.0)))
    gun = volley(3, 1, aim=(2,))
    for value in (0.1, 50.0):
        led = Target((*target.bodies[:2], msgspec.structs.replace(target.bodies[2], value=value)))
        best, never, always = (
            solve(Attack((gun,), led, choices=Choices(aim=aim, goal="value"))).value  # type: ignore[arg-type]
            for aim in ("optimal", "never", "always")
        )
        assert best >= max(never, always) - EXACT


def test_an_answer_names_its_policies_and_rules() -> None:
    hit = hit_table(3, lethal=True, reroll="ones", cites=("x.hit",))
    gun = volley(2, aim=(0,), aim_cites=("x.aim",), hit=hit, may_roll=True, cites=("x.attack",))
    target = Target(bodies(1, 1, 4, pain=5), cites=("x.save",), pain_cites=("x.pain",))
    found = solve(Attack((gun,), target, choices=Choices(reroll="optimal", goal="destroy")))
    assert set(found.cites) == {"x.aim", "x.hit", "x.attack", "x.save", "x.pain"}
    text = "; ".join(found.assumptions)
    for words in (
        "casualty order",
        "re-rolls whatever is best",
        "without a wound roll",
        "protected",
        "chance to destroy",
    ):
        assert words in text


# ---------------------------------------------------------------------- the funnel


def test_the_funnel_narrows() -> None:
    gun = volley("D6", 2)
    found = funnel(Attack((gun,), Target(bodies(10, 2, 4))))
    means = [stage.mean for stage in found.stages]
    assert np.allclose(means[:4], [3.5, 3.5 * 2 / 3, 3.5 / 3, 3.5 / 6], atol=EXACT)
    assert means[4] == pytest.approx(2 * means[3])
    assert all(abs(sum(stage.chances) - 1) < EXACT for stage in found.stages)
    assert all(stage.low <= stage.mean <= stage.high for stage in found.stages)


def test_the_funnel_counts_further_hits_and_automatic_wounds() -> None:
    gun = volley(2, hit=hit_table(4, lethal=True, sustained=1), wound=wound_table(6))
    found = funnel(Attack((gun,), Target(bodies(9, 1, 7))))
    assert found.hits.mean == pytest.approx(2 * (2 / 6 + 2 / 6))
    assert found.wounds.mean == pytest.approx(2 * (2 / 6 / 6 + 1 / 6 * (1 + 1 / 6)))


def test_wounds_beyond_the_last_model_are_not_unsaved() -> None:
    gun = volley(5, hit=hit_table(2, auto=True), wound=wound_table(2))
    found = funnel(Attack((gun,), Target(bodies(1, 1, 7))))
    assert found.unsaved is not None
    assert found.unsaved.high == found.models.high == 1
    assert found.unsaved.mean == pytest.approx(found.models.mean)


def test_the_funnel_leaves_out_what_depends_on_the_dice() -> None:
    assert funnel(SPECS["a leader aimed at"]).unsaved is None
    with pytest.raises(Unsolvable, match="funnel"):
        funnel(msgspec.structs.replace(SPECS["plain"], choices=Choices(reroll="optimal")))


# ---------------------------------------------------------------------- bounds

MANY_HITS = HitRoll((HitFace(hits=99),) * 6)
ONE = Target(bodies(1, 1, 4))


@pytest.mark.parametrize(
    ("attack", "words"),
    [
        (Attack((volley(301),), ONE), "301 is more than the 300"),
        (Attack((volley(200), volley(200)), ONE), "400 is more than the 300"),
        (
            Attack((Volley("g", (Shots(99, dice("2D6")),), hit_table(3), wound_table(4), (WoundKind(),)),), ONE),
            "attacks",
        ),
        (Attack((volley(1, 61),), ONE), "damage of 'gun': 61 is more than the 60"),
        (Attack((volley(1, hit=MANY_HITS),), ONE), "hits of one attack"),
        (Attack((volley(1),), Target(bodies(101, 1, 4))), "101 is more than the 100"),
        (Attack((volley(1),), Target(bodies(1, 41, 4))), "41 is more than the 40"),
        (Attack((volley(1),), Target(bodies(100, 40, 4))), "4000 is more than the 600"),
        (Attack((volley(1),), Target(())), "nobody"),
        (Attack((volley(1),), Target((Body(0, 0, 1, (4,)),))), "0 of 1 wounds"),
        (Attack((volley(1),), Target((Body(0, 3, 1, (4,)),))), "3 of 1 wounds"),
        (Attack((volley(1),), Target((Body(0, 1, 1, ()),))), "class 0"),
        (Attack((volley(1, kinds=(WoundKind(0, DiceSum((4,))),)),), ONE), "only D3 and D6"),
        (Attack((volley(1),), ONE, Procedure.SORTED_BATCH, Choices(reroll="optimal")), "each in turn"),
        (Attack((volley(1),) * 41, ONE), "volleys"),
    ],
)
def test_what_is_impossible_or_too_large_is_refused_with_the_bound(attack: Attack, words: str) -> None:
    with pytest.raises(Unsolvable, match=words):
        solve(attack)
    assert issubclass(Unsolvable, ValueError)


def test_a_batch_has_to_be_of_identical_attacks() -> None:
    kinds = (WoundKind(0, dice(1)), WoundKind(1, dice(2)))
    gun = volley(2, wound=wound_table(4, crit_kind=1), kinds=kinds)
    with pytest.raises(Unsolvable, match="identical"):
        solve(Attack((gun,), Target(bodies(2, 1, 4, 5)), Procedure.SORTED_BATCH))


def test_in_a_batch_only_failed_saves_are_rolled_again() -> None:
    sure = volley(1, hit=hit_table(2, auto=True), wound=wound_table(2, never=0))
    target = Target((Body(0, 1, 1, (4,), (1, 2, 3, 4, 5, 6)),))
    wounded = solve(Attack((sure,), Target((Body(0, 1, 1, (7,)),)))).destroyed
    for procedure in (Procedure.EACH_IN_TURN, Procedure.SORTED_BATCH):
        assert solve(Attack((sure,), target, procedure)).destroyed == pytest.approx(wounded / 4)


HARD = Volley(
    "hard",
    (Shots(50, dice("D6")),),
    hit_table(2, lethal=True, sustained=dice("D3")),
    wound_table(2, crit_kind=1),
    (WoundKind(0, dice("D6")), WoundKind(0, None, Mortal(dice("D6")))),
)


def test_the_largest_attacks_do_not_hang() -> None:
    solve(Attack((FISH,), ONE))
    for target in (Target(bodies(100, 6, 4, pain=5)), Target(bodies(15, 40, 4))):
        for choices in (Choices(), Choices(reroll="optimal"), Choices(allocation="worst_for_attacker")):
            start = time.perf_counter()
            try:
                found = solve(Attack((HARD,), target, choices=choices))
                assert abs(found.total - 1) < EXACT
            except Unsolvable as refused:
                assert "more than" in str(refused)
            assert time.perf_counter() - start < 30


def test_a_large_attack_has_machine_code_and_a_usual_one_may_do_without(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[int] = []
    monkeypatch.setattr(kernels, "use", lambda steps=0: said.append(steps))
    solve(Attack((volley(20), volley(5, "D6")), Target(bodies(10, 2, 4))))
    assert 0 < max(said) <= kernels.FEW_STEPS
    solve(Attack((HARD,), Target(bodies(10, 10, 4))))
    assert max(said) > kernels.FEW_STEPS


def test_an_attack_without_volleys_does_nothing() -> None:
    assert solve(Attack((), ONE)).states == {(1,): 1.0}


def test_the_bounds_are_stated() -> None:
    assert (bounds.MAX_ATTACKS, bounds.MAX_MODELS, bounds.MAX_WOUNDS) == (300, 100, 40)
