"""Dice: notation, D3, re-rolls, and a random Move."""

from __future__ import annotations

import pytest

from sandtable.kit.dice import read_amount
from sandtable.systems.w40k11.attack_sequence import HIT_MODIFIER
from sandtable.systems.w40k11.dice import d3, in_range, value_of
from w40k11.arms import changed, duel, face_off, gun, last, shoot, target
from w40k11.table import FOE, TROOPER, give, kinds, named, rolls, row, situation, unit

rule = pytest.mark.rule


@rule("w40k11.concept.dice", check=1)
def test_2_plus_succeeds_on_2_to_6() -> None:
    assert [face for face in range(1, 7) if in_range(face, 2, 6)] == [2, 3, 4, 5, 6]


@rule("w40k11.concept.dice", check=2)
def test_a_range_includes_both_ends() -> None:
    assert [face for face in range(1, 7) if in_range(face, 1, 3)] == [1, 2, 3]


@rule("w40k11.concept.dice", check=3)
def test_2d6_and_3_with_2_and_5_is_10() -> None:
    assert value_of(read_amount("2D6+3"), (2, 5)) == 10


@rule("w40k11.concept.d3", check=1)
def test_a_d3_is_a_d6_halved() -> None:
    assert ([d3(face) for face in range(1, 7)], value_of(read_amount("2D3"), (5, 2))) == ([1, 1, 2, 2, 3, 3], 4)


# --- Re-rolls ---------------------------------------------------------------------------------------------------------


def again(roll: str, faces: str, unit_: str = "Reds") -> dict[str, object]:
    return {"name": f"{roll} {faces}", "unit": unit_, "effects": [{"kind": "reroll", "roll": roll, "faces": faces}]}


@rule("w40k11.gap.rerolls", check=1)
def test_no_die_is_re_rolled_twice() -> None:
    powers = [again("hit", "failures"), again("hit", "ones")]
    b = duel(gun(attacks="2"), abilities=powers, dice={"hit": [1, 2, 1, 2]})
    assert (rolls(b), kinds(b)) == ([("hit", (1, 2)), ("hit", (1, 2))], ["shoot_with"])


@rule("w40k11.gap.rerolls", check=2)
def test_re_rolls_look_at_dice_before_modifiers_and_what_is_rolled_then_is_unmodified() -> None:
    """With 1 taken off, a 2 comes to 1 but is not re-rolled; the 6 of a re-roll is critical."""
    b = face_off(
        gun("sustained hits 1", attacks="2"), abilities=[again("hit", "ones")], dice={"hit": [2, 1, 6], "wound": [1, 1]}
    )
    shoot(changed(b, HIT_MODIFIER, -1))
    assert (rolls(b)[:2], last(b)["hits"]) == ([("hit", (2, 1)), ("hit", (6,))], 2)


@rule("w40k11.gap.rerolls", check=3)
def test_a_sum_is_re_rolled_as_a_whole() -> None:
    b = duel(gun(damage="2D6"), target(wounds=20), abilities=[again("damage", "all")],
             dice={"hit": [5], "wound": [5], "damage": [1, 2, 6, 5]})  # fmt: skip
    give(b, "reroll", [0])
    assert (rolls(b)[2:], last(b)["damage"]) == ([("damage", (1, 2)), ("damage", (6, 5))], 11)


# --- A random Move ----------------------------------------------------------------------------------------------------


@rule("w40k11.gap.random_characteristics", check=3)
def test_a_random_move_is_rolled_once_for_the_unit_when_it_is_selected() -> None:
    reds = unit("Reds", "red", {**TROOPER, "move": "2D6"}, row(2, (5, 10)))
    b = situation([reds, unit("Others", "red", TROOPER, [(5, 20)]), FOE], dice={"move": [3, 4]})
    give(b, "move_with", "Reds")
    assert (rolls(b), named(b, "Reds").rolled_move) == ([("move", (3, 4))], 7)


@rule("w40k11.gap.random_characteristics", check=3)
def test_nothing_is_rolled_for_a_fixed_move() -> None:
    b = situation([unit("Reds", "red", TROOPER, [(5, 10)]), unit("Others", "red", TROOPER, [(5, 20)]), FOE])
    give(b, "move_with", "Reds")
    assert (rolls(b), named(b, "Reds").rolled_move) == ([], 0)
