"""Falling Back, and Desperate Escape tests."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.battle import Moves
from sandtable.systems.w40k10.state import Battle10
from w40k10.table import (
    TANK,
    TROOPER,
    alive,
    asked,
    default,
    give,
    judge,
    kinds,
    places,
    refused_by,
    rolls,
    row,
    situation,
    told,
    unit,
    until,
)


def melee(*, dice: list[int] | None = None, sheet: dict[str, Any] = TROOPER, models: int = 5, **flags: Any) -> Battle10:
    """Five reds in a line, engaged with a line of blues above them, selected to move."""
    b = situation(
        [
            unit("Reds", "red", sheet, row(models, (10, 10)), **flags),
            unit("Blues", "blue", TROOPER, row(5, (10, 11.5))),
            unit("Spares", "red", TROOPER, [(30, 25)]),
        ],
        dice={"desperate escape": dice or []},
    )
    give(b, "move_with", "Reds")
    return b


@pytest.mark.rule("w40k10.move.fall_back", check=1)
@pytest.mark.rule("w40k10.move.fall_back", check=2)
def test_falling_back_leads_through_engagement_range_but_not_to_an_end_in_it() -> None:
    b = melee()
    refused_by(
        b, "move", {"mode": "fall_back", "by": [0, -0.4]}, "w40k10.concept.engagement_limit", "w40k10.move.fall_back"
    )
    refused_by(b, "move", {"mode": "fall_back", "by": [0, -3], "models": [1, 2, 3, 4]}, "w40k10.move.fall_back")
    paths = {i: [[8.5 + 1.5 * i, 10.4], [8.5 + 1.5 * i, 7]] for i in range(1, 6)}
    give(b, "move", {"mode": "fall_back", "paths": paths})
    assert places(b, "Reds")[0] == (10, 7, 0)
    assert rolls(b) == []


@pytest.mark.rule("w40k10.move.fall_back", check=3)
def test_where_one_model_finds_no_place_within_its_move_nobody_falls_back() -> None:
    def trapped(move: int) -> Battle10:
        b = situation(
            [
                unit("Reds", "red", {**TROOPER, "move": move}, [(10, 10), (11.5, 10), (13, 10)]),
                unit("Blues", "blue", TROOPER, [(10, 11)]),
            ]
        )
        give(b, "move_with", "Reds")
        return b

    back = {"mode": "fall_back", "by": [0, -1]}
    refused_by(trapped(1), "move", back, "w40k10.concept.engagement_limit", "w40k10.move.fall_back")
    far = {"mode": "fall_back", "by": [0, -2]}
    refused_by(trapped(1), "move", far, "w40k10.move.distance", "w40k10.move.fall_back")
    assert judge(trapped(2), "move", far)


@pytest.mark.rule("w40k10.move.fall_back", check=4)
def test_no_die_is_added_to_a_fall_back_move() -> None:
    b = melee()
    refused_by(b, "move", {"mode": "fall_back", "by": [0, -6.1]}, "w40k10.move.distance", "w40k10.move.fall_back")
    give(b, "move", {"mode": "fall_back", "by": [0, -6]})
    assert places(b, "Reds")[0] == (10, 4, 0)
    assert rolls(b) == []


ALL_CROSS = {"mode": "fall_back", "by": [0, 4.2]}


@pytest.mark.rule("w40k10.move.desperate_escape_trigger", check=1)
@pytest.mark.rule("w40k10.move.desperate_escape_trigger", check=6)
def test_only_models_that_cross_enemies_test_and_before_anybody_moves() -> None:
    b = melee(dice=[5, 6, 4, 3, 3])
    give(b, "move", ALL_CROSS)
    assert rolls(b) == [("desperate escape", (5, 6, 4, 3, 3))]
    happened = [type(e).__name__ for e in b.events]
    assert happened.index("Rolled") < happened.index("Moved")


@pytest.mark.rule("w40k10.move.desperate_escape_trigger", check=2)
def test_two_of_three_models_cross_and_two_tests_are_taken() -> None:
    b = situation(
        [
            unit("Reds", "red", {**TROOPER, "move": 8}, [(10, 10), (11.5, 10), (13, 10)]),
            unit("Blues", "blue", TROOPER, [(10, 11.5), (11.5, 11.5)]),
        ],
        dice={"desperate escape": [3, 4]},
    )
    give(b, "move_with", "Reds")
    give(b, "move", {"mode": "fall_back", "paths": {1: [[10, 14.2]], 2: [[11.5, 14.2]], 3: [[13.5, 10], [13.5, 14.2]]}})
    assert rolls(b) == [("desperate escape", (3, 4))]
    assert alive(b, "Reds") == 3


@pytest.mark.rule("w40k10.move.desperate_escape_trigger", check=2)
def test_who_falls_to_overwatch_before_the_move_takes_no_test() -> None:
    b = situation(
        [
            unit("Reds", "red", {**TROOPER, "move": 8}, [(10, 10), (11.5, 10)]),
            unit("Tank", "blue", TANK, [(10.75, 13)]),
        ],
        dice={"attacks": [1], "hit": [6], "wound": [6], "save": [1], "desperate escape": [3]},
        cp=(0, 1),
        options={"windows": "all"},
    )
    give(b, "move_with", "Reds")
    give(b, "move", {"mode": "fall_back", "by": [0, 7]})
    give(b, "react.unit_move_began", "Fire Overwatch: Tank")
    default(b, "shoot")
    give(b, "allocate", 0)
    assert [faces for reason, faces in rolls(b) if reason == "desperate escape"] == [(3,)]
    assert places(b, "Reds") == [(11.5, 17, 0)]


@pytest.mark.rule("w40k10.move.desperate_escape_trigger", check=3)
@pytest.mark.parametrize("keyword", ["FLY", "TITANIC"])
def test_flyers_and_titans_cross_without_a_test(keyword: str) -> None:
    b = melee(sheet={**TROOPER, "keywords": ["INFANTRY", keyword]})
    give(b, "move", ALL_CROSS)
    assert rolls(b) == []
    assert alive(b, "Reds") == 5
    on_foot = melee(dice=[6] * 5)
    give(on_foot, "move", ALL_CROSS)
    assert rolls(on_foot) == [("desperate escape", (6,) * 5)]


@pytest.mark.rule("w40k10.command.battleshock_fall_back", check=1)
@pytest.mark.rule("w40k10.move.desperate_escape_trigger", check=4)
@pytest.mark.parametrize("keyword", ["INFANTRY", "FLY", "TITANIC"])
def test_a_shocked_unit_tests_for_every_model(keyword: str) -> None:
    b = melee(dice=[6] * 5, battle_shocked=True, sheet={**TROOPER, "keywords": ["INFANTRY", keyword]})
    give(b, "move", {"mode": "fall_back", "by": [0, -3]})
    assert rolls(b) == [("desperate escape", (6,) * 5)]
    assert places(b, "Reds")[0] == (10, 7, 0)


@pytest.mark.rule("w40k10.move.desperate_escape_trigger", check=5)
def test_a_shocked_unit_that_crosses_takes_one_test_for_each_model() -> None:
    b = melee(dice=[6] * 5, battle_shocked=True)
    give(b, "move", ALL_CROSS)
    assert rolls(b) == [("desperate escape", (6,) * 5)]


@pytest.mark.rule("w40k10.move.desperate_escape_test", check=1)
@pytest.mark.rule("w40k10.move.desperate_escape_test", check=2)
@pytest.mark.rule("w40k10.move.desperate_escape_test", check=3)
@pytest.mark.rule("w40k10.move.desperate_escape_test", check=4)
def test_each_one_or_two_costs_a_model_that_its_player_picks() -> None:
    b = melee(dice=[1, 3, 2, 6, 4], battle_shocked=True, sheet={**TROOPER, "abilities": ["feel no pain 2+"]})
    give(b, "move", {"mode": "fall_back", "by": [0, -3]})
    assert len(asked(b, "escape_losses").options) == 5  # type: ignore[attr-defined]
    give(b, "escape_losses", [0, 4])
    assert places(b, "Reds") == [(11.5, 7, 0), (13, 7, 0), (14.5, 7, 0)]
    assert "desperate_escape" in told(b)


@pytest.mark.rule("w40k10.move.desperate_escape_test", check=1)
@pytest.mark.parametrize(("faces", "left"), [([2, 3], 1), ([3, 6], 2), ([1, 2], 0)])
def test_nobody_is_picked_where_all_are_lost_or_none_is(faces: list[int], left: int) -> None:
    b = melee(dice=faces, models=2, battle_shocked=True)
    give(b, "move", {"mode": "fall_back", "by": [0, -3]})
    assert kinds(b) == {1: ["escape_losses"], 2: ["move_with"], 0: ["move_with"]}[left]
    until(b, "move_with")
    assert alive(b, "Reds") == left


@pytest.mark.rule("w40k10.move.desperate_escape_trigger", check=7)
def test_who_was_not_tested_may_not_cross_after_all() -> None:
    b = melee(dice=[1, 2, 4, 5, 6], battle_shocked=True)
    give(b, "move", {"mode": "fall_back", "by": [0, -3]})
    give(b, "escape_losses", [1, 2])
    # The gap tears the unit: its paths are asked for again.
    refused_by(b, "complete_move", {"mode": "fall_back", "by": [0, 4.2]}, "w40k10.move.desperate_escape_trigger")
    verdict = judge(b, "complete_move", {"mode": "fall_back"})
    assert isinstance(verdict.instead, Moves)
    default(b, "complete_move")
    assert alive(b, "Reds") == 3
    assert "moved" in told(b)


# --- What it costs ----------------------------------------------------------------------------------------------------

BACK = {"mode": "fall_back", "by": [0, -3]}


def test_a_fall_back_of_a_shocked_unit_says_which_dice_it_asks_for() -> None:
    b = melee(battle_shocked=True)
    verdict = judge(b, "move", BACK)
    (note,) = verdict.notes
    assert note.text == "5 Desperate Escape tests: a roll of 2 or less destroys a model."
    assert note.facts == {"tests": 5, "models_lost": 1.67}
    assert (note.models, rolls(b)) == (b.state.units[0].models, [])


def test_a_fall_back_over_an_enemy_says_who_is_tested() -> None:
    b = melee()
    paths = {i: [[8.5 + 1.5 * i, 8]] for i in (1, 2, 4, 5)}
    over = judge(b, "move", {"mode": "fall_back", "paths": {**paths, 3: [[13, 11.4], [13, 8]]}})
    assert over
    assert judge(b, "move", BACK).notes == ()
    assert [n.models for n in over.notes] == [(2,)]
