"""Dice: sums, D3, target numbers, re-rolls and roll-offs."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.kit.dice import read_amount
from sandtable.systems.w40k10.dice import (
    d3,
    dice_to_reroll,
    in_range,
    may_reroll,
    meets,
    reroll,
    roll_off,
    total,
    value_of,
)
from w40k10.powers import at, clash, needs, volleys
from w40k10.table import TROOPER, named, rolls, situation, told, unit


@pytest.mark.rule("w40k10.dice.sums", check=2)
def test_dice_of_one_roll_are_added_up() -> None:
    assert total((3, 5)) == 8
    assert value_of(read_amount("2D6"), (3, 5)) == 8
    assert value_of(read_amount("D6+1"), (4,)) == 5


@pytest.mark.rule("w40k10.dice.sums", check=1)
def test_a_die_shows_one_to_six() -> None:
    assert [total((f,)) for f in range(1, 7)] == [1, 2, 3, 4, 5, 6]


@pytest.mark.rule("w40k10.dice.d3", check=1)
@pytest.mark.rule("w40k10.dice.d3", check=2)
@pytest.mark.rule("w40k10.dice.d3", check=3)
def test_a_d3_is_half_a_d6_rounded_up() -> None:
    assert [d3(f) for f in range(1, 7)] == [1, 1, 2, 2, 3, 3]
    assert value_of(read_amount("2D3"), (5, 2)) == 4


@pytest.mark.rule("w40k10.dice.notation", check=1)
@pytest.mark.rule("w40k10.dice.notation", check=2)
def test_target_numbers_and_ranges() -> None:
    assert [meets(f, 3) for f in range(1, 7)] == [False, False, True, True, True, True]
    assert [in_range(f, 1, 3) for f in range(1, 7)] == [True, True, True, False, False, False]


def rolled(**more: Any) -> dict[str, Any]:
    return {"roll": "charge", "faces": (1, 6), "sum": True, "rerolled": (), "need": 9, **more}


@pytest.mark.rule("w40k10.dice.reroll", check=1)
@pytest.mark.rule("w40k10.dice.reroll", check=2)
def test_a_reroll_stands_and_is_never_rerolled() -> None:
    b = situation([unit("Reds", "red", TROOPER, [(10, 10)])], dice=[1, 2])
    data = rolled(faces=(4, 5))
    reroll(b, named(b, "Reds"), data, 0)
    assert data["faces"] == (1, 2)
    assert not may_reroll(data, 0)
    assert not may_reroll(data, 1)
    assert may_reroll(rolled(), 0)


@pytest.mark.rule("w40k10.dice.reroll_sum", check=1)
@pytest.mark.rule("w40k10.dice.reroll_sum", check=2)
def test_a_sum_is_rerolled_as_a_whole() -> None:
    assert dice_to_reroll(rolled(), 0) == (0, 1)
    assert dice_to_reroll(rolled(sum=False, faces=(1, 6, 3)), 1) == (1,)


@pytest.mark.rule("w40k10.dice.roll_off", check=1)
@pytest.mark.rule("w40k10.dice.roll_off", check=2)
@pytest.mark.rule("w40k10.dice.roll_off", check=3)
def test_the_higher_die_wins_a_roll_off_and_ties_are_rolled_again() -> None:
    b = situation([unit("Reds", "red", TROOPER, [(10, 10)])], dice={"roll-off": [4, 4, 2, 5]}, cp=(3, 3))
    assert roll_off(b) == 1
    assert rolls(b) == [("roll-off", (4,)), ("roll-off", (4,)), ("roll-off", (2,)), ("roll-off", (5,))]
    assert "stratagem" not in told(b)


@pytest.mark.rule("w40k10.dice.reroll", check=3)
def test_a_reroll_of_ones_looks_at_the_die_before_modifiers() -> None:
    """With 1 taken off a Hit roll a bare 2 comes to 1, and is not re-rolled; a bare 1 is."""
    ones = {"kind": "reroll", "roll": "hit", "faces": "ones"}
    worse = {"kind": "modify", "roll": "hit", "value": -1}
    b = clash(
        [at("intercessor-squad", 10)],
        [at("boyz", 20)],
        gain=[("Intercessor Squad", ones), ("Intercessor Squad", worse)],
        bare=True,
    )
    found = volleys(b, "Intercessor Squad", "Boyz", "bolt rifle")[0]
    assert needs(found.hit) == 4
    assert found.hit.reroll == (1,)
    assert found.wound.reroll == (), "Hit rolls alone"
