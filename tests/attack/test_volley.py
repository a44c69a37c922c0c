"""Expressions of dice, and what a volley refuses to be."""

from __future__ import annotations

import pytest

from sandtable.attack.numbers import number_chances
from sandtable.attack.tables import hit_table, wound_table
from sandtable.attack.volley import DiceSum, Shots, Volley, WoundKind, dice


@pytest.mark.parametrize(
    ("text", "sides", "plus"),
    [
        ("4", (), 4),
        ("D3", (3,), 0),
        ("2D6+3", (6, 6), 3),
        ("d6 + d3", (6, 3), 0),
        ("D6-1", (6,), -1),
        ("1+D3", (3,), 1),
    ],
)
def test_a_characteristic_is_read(text: str, sides: tuple[int, ...], plus: int) -> None:
    assert dice(text) == DiceSum(sides, plus)


@pytest.mark.parametrize(
    ("text", "results"),
    [
        ("(D6)/2", [1, 1, 2, 2, 3, 3]),
        ("(D6+1)/2", [1, 2, 2, 3, 3, 4]),
        ("(D6)/2+2", [3, 3, 4, 4, 5, 5]),
        ("(D6)/2-1", [0, 0, 1, 1, 2, 2]),
        ("(D6)/4", [1, 1, 1, 1, 2, 2]),
    ],
)
def test_what_is_divided_is_rounded_up_before_a_number_is_added(text: str, results: list[int]) -> None:
    number = dice(text)
    assert [number.of([f]) for f in range(1, 7)] == results
    assert number.most == results[-1]
    assert number.mean == pytest.approx(sum(results) / 6)
    assert dice(str(number)) == number


def test_a_fixed_number_is_halved_and_rounded_up() -> None:
    assert [dice(n).part(2).result() for n in (1, 2, 3, 5)] == [1, 1, 2, 3]


def test_what_was_added_before_can_be_kept_out_of_the_division() -> None:
    assert [dice("D6+2").part(2, 2).of([f]) for f in range(1, 7)] == [3, 3, 4, 4, 5, 5]


@pytest.mark.parametrize("text", ["", "D", "D4", "2X6", "3-D6", "D6D6", "4 4x", "(D6)/0", "(D6/2", "(D6)/2+D3"])
def test_nonsense_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"dice|sum"):
        dice(text)


@pytest.mark.parametrize("text", ["4", "D3", "2D6+3", "D6+D3", "D6-1"])
def test_a_characteristic_is_written_as_it_was_read(text: str) -> None:
    assert str(dice(text)) == text


@pytest.mark.rule("w40k10.dice.d3", check=1)
@pytest.mark.rule("w40k10.dice.d3", check=2)
@pytest.mark.rule("w40k10.dice.d3", check=3)
def test_a_d3_is_a_d6_halved_and_rounded_up() -> None:
    assert [dice("D3").of([f]) for f in range(1, 7)] == [1, 1, 2, 2, 3, 3]


@pytest.mark.rule("w40k10.dice.sums", check=2)
def test_dice_are_added_up() -> None:
    assert dice("2D6").of([3, 5]) == 8
    assert dice("2D6+3").of([3, 5]) == 11


def test_a_result_is_never_below_its_least() -> None:
    assert dice("D6-2", least=1).of([1]) == 1


def test_a_random_bonus_is_added_to_a_random_characteristic() -> None:
    assert str(dice("D6").more(dice("D3+1"))) == "D6+D3+1"


def test_a_face_that_names_no_kind_of_wound_is_refused() -> None:
    with pytest.raises(ValueError, match="kind of wound"):
        Volley("odd", (Shots(1, dice(1)),), hit_table(3), wound_table(4, crit_kind=1), (WoundKind(),))


def test_a_volley_cites_each_rule_once() -> None:
    volley = Volley(
        "bolter",
        (Shots(1, dice(1)),),
        hit_table(3, cites=("a.hit",), crit_cites=("a.critical",)),
        wound_table(4, cites=("a.wound", "a.hit")),
        (WoundKind(cites=("a.damage",)),),
        cites=("a.sequence",),
    )
    assert volley.all_cites == ("a.sequence", "a.hit", "a.wound", "a.critical", "a.damage")


def test_a_number_can_be_doubled_whatever_its_dice_show() -> None:
    twice = dice("D6").multiplied(2)
    assert [twice.of([face]) for face in (1, 6)] == [2, 12]
    assert (twice.mean, twice.most, str(twice)) == (7.0, 12, "D6 x 2")
    assert twice.more(dice(2)).of([1]) == 4
    assert number_chances(twice)[12] == pytest.approx(1 / 6) and number_chances(twice)[11] == 0
    with pytest.raises(ValueError, match="one sum"):
        twice.more(dice("D3"))
