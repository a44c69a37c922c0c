"""Charges, tests and other sums of dice."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest

from sandtable.attack.bounds import Unsolvable
from sandtable.attack.chances import advance, at_least, at_most, charge, leadership, leadership_under, morale, sums
from sandtable.attack.volley import dice

PAIRS = list(itertools.product(range(1, 7), repeat=2))


@pytest.mark.parametrize("distance", range(1, 14))
def test_a_charge_is_as_likely_as_its_throws(distance: int) -> None:
    good = sum(a + b >= distance for a, b in PAIRS)
    assert charge(distance) == Fraction(good, 36)
    assert charge(distance, reroll="all") == Fraction(good, 36) + Fraction(36 - good, 36) * Fraction(good, 36)


def test_one_die_may_be_kept_where_the_rule_allows_it() -> None:
    """A 9 from 6 and 2: the 6 is kept and the other needs a 3."""
    by_hand = Fraction(0)
    for a, b in PAIRS:
        if a + b >= 9:
            by_hand += Fraction(1, 36)
            continue
        keep = Fraction(max(0, min(6, 6 - (9 - max(a, b)) + 1)), 6)
        by_hand += Fraction(1, 36) * max(keep, Fraction(10, 36))
    assert charge(9, reroll="any") == by_hand


def test_the_highest_two_of_three_dice() -> None:
    good = sum(sum(sorted(t)[1:]) >= 9 for t in itertools.product(range(1, 7), repeat=3))
    assert charge(9, number=dice("3D6"), keep=2) == Fraction(good, 216)


def test_distances_are_rounded_up_and_modifiers_added() -> None:
    assert charge(7.5) == charge(8) == charge(9, modifier=1)
    assert advance(6) == Fraction(1, 6)
    assert advance(2.2, modifier=1) == Fraction(5, 6)


def test_tests_over_and_under() -> None:
    assert leadership(6) == Fraction(26, 36)
    assert leadership(6, modifier=-1) == leadership(7)
    assert leadership_under(7) + at_least(dice("2D6"), 8) == 1
    assert leadership_under(8, modifier=-1, reroll="all") == 1 - (1 - leadership_under(7)) ** 2


def test_morale_says_how_many_run() -> None:
    assert morale(3, 7) == {0: Fraction(4, 6), 1: Fraction(1, 6), 2: Fraction(1, 6)}
    assert sum(morale(5, 7, reroll="all").values()) == 1


def test_sums_and_impossible_rolls() -> None:
    assert sums(dice("D3+1")) == {2: Fraction(1, 3), 3: Fraction(1, 3), 4: Fraction(1, 3)}
    assert charge(13, reroll="any") == 0
    assert at_most(dice("D6"), 6) == 1
    with pytest.raises(Unsolvable, match="5 dice"):
        at_least(dice("9D6"), 30)
