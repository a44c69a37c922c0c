"""Engagement: who is engaged with whom."""

from __future__ import annotations

import pytest

from sandtable.systems.w40k11.engagement import engaged, engaged_models, is_engaged
from sandtable.systems.w40k11.state import Battle11
from w40k11.table import TROOPER, named, row, situation, unit

rule = pytest.mark.rule


def pair(gap: float, z: float = 0) -> bool:
    """Whether two enemies on bases of 1" are engaged that are so far apart."""
    b = situation([unit("Reds", "red", TROOPER, [(10, 10)]), unit("Blues", "blue", TROOPER, [(11 + gap, 10, z)])])
    return engaged(b, named(b, "Reds"), named(b, "Blues"))


@rule("w40k11.engagement.range", check=1)
def test_exactly_two_inches_is_in_engagement_range() -> None:
    assert pair(2)


@rule("w40k11.engagement.range", check=2)
def test_a_little_more_is_not() -> None:
    assert [pair(2), pair(2.1)] == [True, False]


@rule("w40k11.engagement.range", check=3)
@pytest.mark.parametrize(("up", "near"), [(5, True), (5.1, False), (5.5, False)])
def test_five_inches_higher_is_engaged_and_more_is_not(up: float, near: bool) -> None:
    assert pair(1, up) is near


def lines() -> Battle11:
    """Five Reds in a line end beside Blues, and friends of theirs stand behind; other Blues are far off."""
    return situation(
        [
            unit("Reds", "red", TROOPER, row(5, (10, 10))),
            unit("Friends", "red", TROOPER, [(10, 12.5)]),
            unit("Blues", "blue", TROOPER, row(3, (18, 10))),
            unit("Others", "blue", TROOPER, [(18, 14)]),
        ]
    )


@rule("w40k11.engagement.status", check=1)
def test_one_engaged_model_engages_its_whole_unit() -> None:
    b = lines()
    assert [is_engaged(b, named(b, name)) for name in ("Reds", "Friends")] == [True, False]


@rule("w40k11.engagement.status", check=2)
def test_engagement_is_mutual() -> None:
    b = lines()
    reds, blues, friends = named(b, "Reds"), named(b, "Blues"), named(b, "Friends")
    assert [engaged(b, reds, blues), engaged(b, blues, reds), engaged(b, reds, friends)] == [True, True, False]


@rule("w40k11.engagement.status", check=3)
def test_a_unit_is_engaged_with_one_enemy_and_not_with_another() -> None:
    b = lines()
    assert [engaged(b, named(b, "Reds"), named(b, name)) for name in ("Blues", "Others")] == [True, False]


@rule("w40k11.engagement.status", check=4)
def test_models_out_of_reach_of_an_engaged_unit_are_not_engaged() -> None:
    b = lines()
    found = engaged_models(b, b.bodies, b.on_table(named(b, "Reds")), b.on_table(named(b, "Blues")))
    assert found.tolist() == [False, False, False, False, True]
