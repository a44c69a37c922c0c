"""Unit Coherency: what it asks, and what happens to those who break it."""

from __future__ import annotations

import numpy as np
import pytest

from sandtable.systems.w40k10.coherency import in_coherency, neighbours_needed
from sandtable.systems.w40k10.state import Battle10
from w40k10.table import (
    HERO,
    TROOPER,
    alive,
    asked,
    default,
    give,
    judge,
    kinds,
    named,
    places,
    refused_by,
    row,
    situation,
    told,
    unit,
)

Where = list[tuple[float, ...]]


def stands(at: Where) -> bool:
    b = situation([unit("Reds", "red", TROOPER, at)])
    return in_coherency(b, b.bodies, b.on_table(named(b, "Reds")))


@pytest.mark.rule("w40k10.concept.coherency_small", check=1)
@pytest.mark.rule("w40k10.concept.coherency_small", check=2)
@pytest.mark.rule("w40k10.concept.coherency_small", check=3)
@pytest.mark.parametrize(
    ("second", "together"),
    [((13, 10, 5), True), ((13.1, 10, 0), False), ((10, 10, 5.1), False), ((13, 10, 0), True)],
)
def test_two_inches_across_and_five_up_still_hold_together(second: tuple[float, ...], together: bool) -> None:
    assert stands([(10, 10), second]) == together


@pytest.mark.rule("w40k10.concept.coherency_small", check=4)
def test_two_pairs_are_not_one_group() -> None:
    assert not stands([(10, 10), (11.5, 10), (20, 10), (21.5, 10)])


@pytest.mark.rule("w40k10.concept.coherency_small", check=5)
def test_a_single_model_is_always_coherent() -> None:
    assert stands([(10, 10)])
    assert not stands([(10, 10), (20, 10)])


@pytest.mark.rule("w40k10.concept.coherency_small", check=6)
def test_six_models_may_stand_in_a_line() -> None:
    assert stands(row(6, (5, 10), (2, 0)))
    assert not stands([*row(5, (5, 10), (2, 0)), (20, 10)])


@pytest.mark.rule("w40k10.concept.coherency_large", check=1)
def test_seven_models_in_a_line_are_not_coherent() -> None:
    assert not stands(row(7, (5, 10), (2.1, 0)))


@pytest.mark.rule("w40k10.concept.coherency_large", check=1)
def test_six_models_need_one_unit_mate_each_and_seven_need_two() -> None:
    assert [neighbours_needed(count) for count in (6, 7)] == [1, 2]


@pytest.mark.rule("w40k10.concept.coherency_large", check=2)
def test_two_blocks_of_four_are_not_one_group_though_all_have_neighbours() -> None:
    block = [(10.0, 10.0), (11.5, 10.0), (10.0, 11.5), (11.5, 11.5)]
    far = [(x + 7.5, y) for x, y in block]
    assert not stands([*block, *far])
    assert not stands(row(8, (5, 10), (2.1, 0)))


@pytest.mark.rule("w40k10.concept.coherency_large", check=3)
def test_the_models_that_are_left_count() -> None:
    b = situation([unit("Reds", "red", TROOPER, row(7, (5, 10), (2.1, 0)))])
    reds = named(b, "Reds")
    assert not in_coherency(b, b.bodies, b.on_table(reds))
    b.place_models([6], 3)
    assert in_coherency(b, b.bodies, b.on_table(reds))


@pytest.mark.rule("w40k10.concept.coherency_large", check=4)
def test_a_leader_counts_as_the_seventh_model() -> None:
    b = situation(
        [
            unit("Reds", "red", TROOPER, row(6, (5, 10), (2.1, 0))),
            unit("Hero", "red", HERO, [(17.6, 10)], leads="Reds"),
        ]
    )
    assert not in_coherency(b, b.bodies, b.on_table(named(b, "Reds")))


@pytest.mark.rule("w40k10.concept.coherency_move", check=1)
@pytest.mark.rule("w40k10.concept.coherency_move", check=2)
def test_a_move_that_tears_the_unit_is_refused_as_a_whole() -> None:
    b = situation([unit("Reds", "red", TROOPER, row(3, (10, 10)))])
    before = places(b, "Reds")
    give(b, "move_with", "Reds")
    refused_by(b, "move", {"mode": "normal", "to": [[10, 16]]}, "w40k10.concept.coherency_move")
    assert places(b, "Reds") == before
    assert judge(b, "move", {"mode": "normal", "to": [[10, 12]]}), "two inches from the next the unit holds together"


# --- The end of a turn ------------------------------------------------------------------------------------------------


def torn(at: Where, **more: object) -> Battle10:
    return situation(
        [unit("Reds", "red", TROOPER, at), unit("Blues", "blue", TROOPER, [(40, 25)])], step="remove_stragglers"
    )


GROUPS: Where = [*row(5, (5, 10)), *row(3, (25, 10))]


@pytest.mark.rule("w40k10.concept.coherency_end_of_turn", check=2)
def test_the_owner_keeps_either_group() -> None:
    b = torn(GROUPS)
    give(b, "stragglers", [5, 6, 7])
    assert places(b, "Reds") == [(x, y, 0.0) for x, y in row(5, (5, 10))]
    other = torn(GROUPS)
    give(other, "stragglers", [0, 1, 2, 3, 4])
    assert alive(other, "Reds") == 3


@pytest.mark.rule("w40k10.concept.coherency_end_of_turn", check=3)
@pytest.mark.rule("w40k10.concept.coherency_end_of_turn", check=4)
def test_seven_in_a_line_lose_just_one() -> None:
    b = torn(row(7, (5, 10), (2.1, 0)))
    refused_by(b, "stragglers", [0, 6], "w40k10.concept.coherency_end_of_turn")
    give(b, "stragglers", [6])
    assert alive(b, "Reds") == 6
    assert "stragglers" in told(b)


@pytest.mark.rule("w40k10.concept.coherency_end_of_turn", check=3)
def test_of_two_models_apart_one_is_lost_and_a_lone_model_is_none() -> None:
    b = torn([(5, 10), (9, 10)])
    give(b, "stragglers", [1])
    assert places(b, "Reds") == [(5, 10, 0)]
    assert kinds(b) == ["move_with"], "nobody else is asked"
    b = torn([(5, 10)])
    assert kinds(b) == ["move_with"]


def test_too_few_removed_models_are_refused_and_a_way_is_shown() -> None:
    b = torn(GROUPS)
    verdict = refused_by(b, "stragglers", [5], "w40k10.concept.coherency_end_of_turn")
    assert sorted(verdict.instead) == [5, 6, 7]


@pytest.mark.rule("w40k10.concept.coherency_end_of_turn", check=1)
def test_both_players_look_after_their_units_at_the_end_of_each_turn() -> None:
    b = situation(
        [unit("Reds", "red", TROOPER, GROUPS), unit("Blues", "blue", TROOPER, [(x, y + 10) for x, y in GROUPS])],
        step="remove_stragglers",
    )
    assert asked(b, "stragglers").player == 0
    default(b, "stragglers")
    assert asked(b, "stragglers").player == 1
    default(b, "stragglers")
    assert (alive(b, "Reds"), alive(b, "Blues")) == (5, 5)
    assert kinds(b) == ["move_with"]


@pytest.mark.rule("w40k10.concept.coherency_end_of_turn", check=5)
@pytest.mark.rule("w40k10.concept.coherency_end_of_turn", check=6)
def test_removed_models_count_as_destroyed_but_set_nothing_off() -> None:
    b = situation(
        [
            unit("Reds", "red", {**TROOPER, "abilities": ["deadly demise 3"]}, GROUPS),
            unit("Blues", "blue", TROOPER, [(25, 12)]),
        ],
        step="remove_stragglers",
        dice=[],
    )
    default(b, "stragglers")
    assert alive(b, "Reds") == 5
    assert alive(b, "Blues") == 1
    assert np.array_equal(np.flatnonzero(b.state.models.place == 3), [5, 6, 7])
