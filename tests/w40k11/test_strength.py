"""Starting strength and half-strength."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.battle import GONE
from sandtable.systems.w40k11.state import Battle11
from sandtable.systems.w40k11.strength import at_half, below_half, below_starting, starting_strength
from w40k11.table import FOE, HERO, TROOPER, named, row, situation, unit

rule = pytest.mark.rule


def army(models: int, wounds: dict[int, int] | None = None, *, each: int = 2, **flags: Any) -> Battle11:
    """Reds with so many models left."""
    reds = unit("Reds", "red", {**TROOPER, "wounds": each}, row(models, (5, 10)), wounds=wounds, **flags)
    return situation([reds, FOE])


def led(lost: int) -> Battle11:
    """Five Reds with a Hero, of whom some have fallen."""
    reds = unit("Reds", "red", TROOPER, row(5, (5, 10)))
    b = situation([reds, unit("Hero", "red", HERO, [(5, 12)], leads="Reds"), FOE])
    b.place_models(list(named(b, "Reds").models[:lost]), GONE)
    return b


def strength(b: Battle11) -> tuple[bool, bool]:
    """Whether the Reds are at half-strength, and below it."""
    return at_half(b, named(b, "Reds")), below_half(b, named(b, "Reds"))


@rule("w40k11.strength.starting", check=1)
def test_a_leader_with_five_bodyguards_is_a_unit_of_six() -> None:
    b = led(0)
    assert starting_strength(b, named(b, "Reds")) == 6


@rule("w40k11.strength.starting", check=2)
def test_losses_do_not_change_the_starting_strength() -> None:
    b = led(4)
    assert (len(b.on_table(named(b, "Reds"))), starting_strength(b, named(b, "Reds"))) == (2, 6)


@rule("w40k11.strength.half", check=1)
def test_five_of_ten_are_at_half_strength() -> None:
    assert strength(army(5, strength=10)) == (True, False)


@rule("w40k11.strength.half", check=2)
def test_four_of_ten_are_below_half_strength() -> None:
    assert strength(army(4, strength=10)) == (False, True)


@rule("w40k11.strength.half", check=3)
def test_a_unit_of_five_is_never_at_half_strength() -> None:
    assert (strength(army(3, strength=5)), strength(army(2, strength=5))) == ((False, False), (False, True))


@rule("w40k11.strength.half", check=4)
def test_a_lone_model_is_judged_by_its_wounds() -> None:
    five, four = army(1, {1: 5}, each=10), army(1, {1: 4}, each=10)
    assert (strength(five), strength(four)) == ((True, False), (False, True))


@rule("w40k11.strength.half", check=5)
def test_a_lone_model_with_an_odd_number_of_wounds_is_never_at_half_strength() -> None:
    four, three = army(1, {1: 4}, each=7), army(1, {1: 3}, each=7)
    assert (strength(four), strength(three)) == ((False, False), (False, True))


@rule("w40k11.strength.half", check=6)
def test_a_lone_model_with_one_wound_is_whole() -> None:
    whole, half = army(1, each=1), army(1, {1: 1}, each=2)
    assert (strength(whole), strength(half)) == ((False, False), (True, False))


@rule("w40k11.strength.half", check=7)
def test_wounds_do_not_matter_to_a_unit_of_several() -> None:
    hurt, lost = army(2, {1: 1, 2: 1}, each=9, strength=2), army(1, each=9, strength=2)
    assert (strength(hurt), strength(lost)) == ((False, False), (True, False))


@rule("w40k11.strength.below_starting", check=1)
@pytest.mark.parametrize(("left", "below"), [(9, True), (10, False)])
def test_a_wounded_lone_model_is_below_its_starting_strength(left: int, below: bool) -> None:
    b = army(1, {1: left}, each=10)
    assert below_starting(b, named(b, "Reds")) is below


@rule("w40k11.strength.below_starting", check=2)
@pytest.mark.parametrize(("models", "below"), [(10, False), (9, True)])
def test_a_wounded_model_of_ten_does_not_put_them_below(models: int, below: bool) -> None:
    b = army(models, {1: 1}, strength=10)
    assert below_starting(b, named(b, "Reds")) is below


@rule("w40k11.strength.attached_example", check=1)
def test_three_of_six_are_at_half_strength() -> None:
    assert strength(led(3)) == (True, False)


@rule("w40k11.strength.attached_example", check=2)
def test_two_of_six_are_below_half_strength() -> None:
    assert strength(led(4)) == (False, True)


@rule("w40k11.strength.attached_example", check=3)
def test_an_unhurt_leader_alone_is_below_half_strength() -> None:
    assert strength(led(5)) == (False, True)
