"""The kernel rolls what a plain reckoning says."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from attack.exact import SPECS, bodies, fits, marginal, outcomes
from sandtable.attack import montecarlo
from sandtable.attack.bounds import Unsolvable
from sandtable.attack.tables import hit_table, wound_table
from sandtable.attack.volley import (
    NO_SAVE,
    Attack,
    Body,
    Choices,
    DiceSum,
    Mortal,
    Procedure,
    Shots,
    Target,
    Volley,
    WoundKind,
    dice,
)


def agrees(attack: Attack, rolls: int, seed: int = 1) -> bool:
    odds = montecarlo.roll(attack, rolls, seed)
    chances = outcomes(attack)
    assert abs(sum(chances.values()) - 1) < 1e-9
    damage = {(n, 0): c for n, c in enumerate(odds.damage)}
    killed = {(n, 0): c for n, c in enumerate(odds.killed)}
    return fits(damage, marginal(chances, 0)) and fits(killed, marginal(chances, 1))


@pytest.mark.parametrize("name", SPECS)
def test_the_kernel_agrees_with_a_plain_reckoning(name: str) -> None:
    assert agrees(SPECS[name], 100_000)


def test_the_comparison_sees_a_small_difference() -> None:
    attack = SPECS["plain"]
    other = Attack(attack.volleys, Target(bodies(3, 2, 4)))
    odds = montecarlo.roll(attack, 20_000, 1)
    assert not fits({(n, 0): c for n, c in enumerate(odds.damage)}, marginal(outcomes(other), 0))


def test_the_same_seed_rolls_the_same_dice() -> None:
    attack = SPECS["every critical"]
    assert montecarlo.roll(attack, 500, 7) == montecarlo.roll(attack, 500, 7)
    assert montecarlo.roll(attack, 500, 7) != montecarlo.roll(attack, 500, 8)


PLAIN = """
from attack.exact import SPECS
from sandtable.attack.montecarlo import roll
print([roll(attack, 5, seed=2**64 - 1).damage for attack in list(SPECS.values())[:8]])
"""


def test_as_plain_python_the_dice_are_the_same_and_nothing_is_said_of_wrap_around() -> None:
    env = {**os.environ, "SANDTABLE_KERNELS": "plain", "PYTHONPATH": str(Path(__file__).parents[1])}
    plain = subprocess.run([sys.executable, "-c", PLAIN], env=env, capture_output=True, text=True, check=True)
    assert plain.stderr == ""
    compiled = [montecarlo.roll(attack, 5, seed=2**64 - 1).damage for attack in list(SPECS.values())[:8]]
    assert plain.stdout == f"{compiled}\n"


def test_the_best_save_takes_the_attack_where_that_is_the_policy() -> None:
    mixed = Target((Body(0, 1, 1, (6,)), Body(1, 1, 1, (2,)), Body(2, 1, 1, (4,))))
    plain = SPECS["plain"].volleys
    order = montecarlo.roll(Attack(plain, mixed), 20_000)
    best = montecarlo.roll(Attack(plain, mixed, choices=Choices(allocation="best_save")), 20_000)
    assert best.mean_killed < order.mean_killed
    assert agrees(Attack(plain, mixed, choices=Choices(allocation="best_save")), 50_000)


def test_odds_tell_who_survives_and_what_was_lost() -> None:
    sure = Volley("sure", (Shots(3, dice(1)),), hit_table(2, auto=True), wound_table(2, never=0), (WoundKind(NO_SAVE),))
    target = Target((Body(0, 1, 1, (2,), value=10.0), Body(1, 1, 1, (2,), value=20.0), *bodies(1, 2, 2, first=2)))
    odds = montecarlo.roll(Attack((sure,), target), 2000)
    assert sum(odds.damage) == sum(odds.killed) == 2000
    assert odds.survived[2] == 2000
    assert odds.mean_damage > 2
    assert odds.destroyed == 0.0
    assert 0 < odds.value < 30


def test_what_has_to_be_weighed_is_not_rolled() -> None:
    attack = msgspec.structs.replace(SPECS["plain"], choices=Choices(reroll="optimal"))
    with pytest.raises(Unsolvable, match="weighed"):
        montecarlo.roll(attack, 1)


def test_a_pool_of_wounds_has_no_mortal_ones() -> None:
    with pytest.raises(Unsolvable, match="mortal"):
        montecarlo.roll(msgspec.structs.replace(SPECS["every critical"], procedure=Procedure.POOLED), 1)


def test_a_batch_has_to_be_of_identical_attacks() -> None:
    gun = msgspec.structs.replace(
        SPECS["plain"].volleys[0],
        wound=wound_table(4, crit_kind=1),
        kinds=(WoundKind(0, dice(1)), WoundKind(0, dice(2))),
    )
    with pytest.raises(Unsolvable, match="identical"):
        montecarlo.roll(Attack((gun,), Target(bodies(1, 1, 4)), Procedure.SORTED_BATCH), 1)


@pytest.mark.parametrize("procedure", Procedure, ids=lambda p: p.value)
def test_nobody_is_left_of_nobody(procedure: Procedure) -> None:
    odds = montecarlo.roll(Attack(SPECS["plain"].volleys, Target(()), procedure), 5)
    assert odds.damage == odds.killed == (5,)
    assert odds.destroyed == 1.0


def test_a_volley_larger_than_a_lot_is_rolled_whole() -> None:
    gun = Volley("gun", (Shots(150, dice(1)),), hit_table(2, auto=True), wound_table(2, never=0), (WoundKind(NO_SAVE),))
    odds = montecarlo.roll(Attack((gun, gun), Target(bodies(400, 1, 4))), 2000)
    assert abs(odds.mean_killed - 250) < 1
    some = Volley("some", (Shots(3, dice("6D6")),), hit_table(2, auto=True), gun.wound, gun.kinds)
    assert abs(montecarlo.roll(Attack((some,), Target(bodies(200, 1, 4))), 5000).mean_killed - 63 * 5 / 6) < 1


numbers = st.sampled_from(
    [dice(1), dice(2), dice("D3"), dice("D3+1"), dice("D3", reroll=(1, 2, 3)), DiceSum((6,), -3, 1)]
)
rerolls = st.sampled_from(["none", "ones", "failures", "all"])


@st.composite
def volleys(draw: st.DrawFn) -> Volley:
    hit = hit_table(
        draw(st.integers(2, 6)),
        draw(st.integers(-1, 1)),
        crit=draw(st.integers(5, 7)),
        auto=draw(st.booleans()),
        lethal=draw(st.booleans()),
        sustained=draw(st.sampled_from([0, 1, dice("D3")])),
        reroll=draw(rerolls),  # type: ignore[arg-type]
    )
    wound = wound_table(
        draw(st.integers(2, 6)),
        crit=draw(st.integers(4, 6)),
        crit_kind=draw(st.sampled_from([None, 1, 2])),
        reroll=draw(rerolls),  # type: ignore[arg-type]
    )
    mortal = Mortal(draw(numbers), spill=draw(st.booleans()), held=draw(st.booleans()))
    kinds = (
        WoundKind(draw(st.integers(NO_SAVE, 1)), draw(numbers)),
        WoundKind(0, None, mortal),
        WoundKind(1, draw(numbers), mortal),
    )
    aim = draw(st.sampled_from([(), (0,), (2,)]))
    return Volley("any", (Shots(draw(st.integers(1, 2)), dice(1)),), hit, wound, kinds, aim=aim)


@st.composite
def attacks(draw: st.DrawFn) -> Attack:
    found = []
    for model in range(draw(st.integers(1, 3))):
        full = draw(st.integers(1, 3))
        saves = (draw(st.integers(2, 7)), draw(st.integers(2, 7)))
        found.append(
            Body(
                model,
                draw(st.integers(1, full)),
                full,
                saves,
                draw(st.sampled_from([(), (1,)])),
                pain=draw(st.integers(5, 7)),
                pain_mortal=draw(st.sampled_from([0, 4])),
                marked=draw(st.booleans()),
                rank=draw(st.integers(0, 1)),
            )
        )
    choices = Choices(
        allocation=draw(st.sampled_from(["in_order", "best_save"])),
        reroll=draw(st.sampled_from(["failures", "criticals", "none"])),
        aim=draw(st.sampled_from(["never", "always"])),
    )
    target = Target(tuple(found), keeps=draw(st.booleans()))
    return Attack(tuple(draw(st.lists(volleys(), min_size=1, max_size=2))), target, choices=choices)


@settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(attacks())
def test_the_kernel_agrees_on_any_small_attack(attack: Attack) -> None:
    assert agrees(attack, 20_000)
