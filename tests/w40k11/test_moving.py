"""Moving units: how models get about, how far they go, and how a move ends."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.battle.tables import FloorDoc
from sandtable.systems.w40k11.state import Battle11
from w40k11.table import FOE, TANK, TROOPER, cites, feature, give, judge, kinds, places, situation, unit, wall

rule = pytest.mark.rule
NO = "refused"
OVAL = {**TANK, "name": "Oval", "base": "101.6x50.8mm", "move": 6, "keywords": ["MOUNTED"]}
MODELS, LINE, ENDING = "w40k11.move.models", "w40k11.move.straight_line", "w40k11.move.ending"


def reds(*at: tuple[float, ...], sheet: Any = TROOPER, others: Any = (), terrain: Any = None, **more: Any) -> Battle11:
    """Reds that have been selected to move."""
    b = situation([unit("Reds", "red", sheet, list(at)), FOE, *others], terrain, **more)
    give(b, "move_with", "Reds")
    return b


def normal(*to: Any) -> dict[str, Any]:
    return {"mode": "normal", "to": [None if t is None else list(t) for t in to]}


def along(*legs: Any) -> dict[str, Any]:
    """A path of the first model."""
    return {"mode": "normal", "paths": {1: list(legs)}}


def said(b: Battle11, *answers: dict[str, Any]) -> list[set[str]]:
    """For each of some moves nothing where it is allowed, else that it is refused, and by which rules."""
    verdicts = [judge(b, "move", answer) for answer in answers]
    return [set() if verdict else cites(verdict) | {NO} for verdict in verdicts]


BLUE = unit("Blues", "blue", TROOPER, [(10, 14)])


# --- The models -------------------------------------------------------------------------------------------------------


@rule("w40k11.move.models", check=1)
def test_models_may_stay_while_others_move_as_far_as_the_edge() -> None:
    b = reds((10, 1), (12, 1))
    assert said(b, normal((10, 0.25)), normal((10, 0.5))) == [{NO, MODELS}, set()]
    give(b, "move", normal((10, 0.5)))
    assert places(b, "Reds") == [(10, 0.5, 0), (12, 1, 0)]


@rule("w40k11.move.models", check=2)
def test_models_go_one_after_another_in_the_order_of_their_player() -> None:
    b = reds((10, 10), (15, 10), sheet=TANK)
    front_first, back_first = {2: [[20, 10]], 1: [[15, 10]]}, {1: [[15, 10]], 2: [[20, 10]]}
    verdicts = said(b, {"mode": "normal", "paths": front_first}, {"mode": "normal", "paths": back_first})
    assert verdicts == [set(), {NO, "w40k11.mv.move_through"}]


@rule("w40k11.move.models", check=3)
def test_bases_pass_through_friends() -> None:
    b = reds((10, 10), others=[unit("Friends", "red", TROOPER, [(10, 12.5)])])
    assert said(b, normal((10, 15))) == [set()]


@rule("w40k11.move.models", check=4)
def test_bases_do_not_pass_through_enemies() -> None:
    b = reds((10, 10), sheet={**TROOPER, "move": 12}, others=[BLUE])
    assert said(b, normal((10, 18)), along([12, 12], [12, 16], [10, 18])) == [{NO, MODELS}, set()]


@rule("w40k11.move.models", check=5)
def test_no_part_of_a_base_crosses_the_edge_on_the_way() -> None:
    b = reds((10, 1))
    assert said(b, along([11, 0.4], [12, 1]), along([11, 0.5], [12, 1])) == [{NO, MODELS}, set()]


@rule("w40k11.move.models", check=6)
def test_a_model_passes_where_its_base_fits_between_enemies() -> None:
    def gap(wide: float) -> Battle11:
        blues = [
            unit("One", "blue", TROOPER, [(9.5 - wide / 2, 13)]),
            unit("Two", "blue", TROOPER, [(10.5 + wide / 2, 13)]),
        ]
        return reds((10, 10), others=blues)

    assert said(gap(1), normal((10, 16))) + said(gap(0.95), normal((10, 16))) == [set(), {NO, MODELS}]


@rule("w40k11.move.models", check=7)
def test_one_path_that_breaks_a_condition_makes_the_move_illegal() -> None:
    b = reds((8, 10), (10, 10), sheet={**TROOPER, "move": 12}, others=[BLUE])
    first = {1: [[8, 17.5]]}
    through, around = {**first, 2: [[10, 18]]}, {**first, 2: [[12, 14], [10, 18]]}
    assert said(b, {"mode": "normal", "paths": through}, {"mode": "normal", "paths": around}) == [{NO, MODELS}, set()]


# --- Distances --------------------------------------------------------------------------------------------------------


@rule("w40k11.move.straight_line", check=1)
def test_straight_lines_add_up_whatever_the_distance_between_start_and_end() -> None:
    fast = {**TROOPER, "move": 7}
    b = reds((10, 10), sheet=fast)
    assert said(b, along([13, 10], [13, 14]), along([13, 10], [13, 14.1])) == [
        set(),
        {NO, LINE, "w40k11.movephase.normal"},
    ]


@rule("w40k11.move.straight_line", check=2)
def test_six_inches_are_two_a_turn_and_four() -> None:
    b = reds((10, 10), sheet=OVAL)
    turn = {"to": [12, 10], "facing": 90, "do": "turn"}
    at_end, on = along([12, 10], turn, [12, 14]), along([12, 10], turn, [12, 14], [12, 14.1])
    assert said(b, at_end, on) == [set(), {NO, LINE, "w40k11.movephase.normal"}]


@rule("w40k11.move.straight_line", check=3)
def test_distances_are_counted_for_each_model() -> None:
    b = reds((10, 10), (12, 10))
    both = normal((10, 16), (12, 16))
    assert said(b, both, normal((10, 15), (12, 16.1))) == [set(), {NO, LINE, "w40k11.movephase.normal"}]


@rule("w40k11.move.straight_line", check=4)
def test_height_counts() -> None:
    hill = [feature("hill", (14, 5, 8, 10), 2, solid=True)]
    b = reds((12, 10), terrain=hill)
    up = along([13.5, 10], {"do": "climb", "to": [13.5, 10, 2]}, [16, 10, 2])
    further = along([13.5, 10], {"do": "climb", "to": [13.5, 10, 2]}, [16.001, 10, 2])
    assert said(b, up, further) == [set(), {NO, LINE, "w40k11.movephase.normal"}]


@rule("w40k11.move.rotating", check=1)
def test_a_model_that_only_turns_has_moved_nowhere() -> None:
    b = reds((10, 10), sheet={**OVAL, "move": 0})
    give(b, "move", along({"to": [10, 10], "facing": 90, "do": "turn"}))
    assert (places(b, "Reds"), b.unit(0).walked) == ([(10, 10, 0)], (0,))


@rule("w40k11.move.rotating", check=2)
def test_an_oval_base_gains_reach_by_turning() -> None:
    b = reds((10, 10), sheet=OVAL)
    turned = along([10, 16], {"to": [10, 16], "facing": 90, "do": "turn"})
    assert said(b, turned, along([10, 16.1], {"to": [10, 16.1], "facing": 90, "do": "turn"})) == [
        set(),
        {NO, LINE, "w40k11.movephase.normal"},
    ]


@rule("w40k11.move.rotating", check=3)
def test_bases_turn_around_their_middle() -> None:
    b = reds((10, 10), sheet={**OVAL, "move": 1})
    about_the_middle, about_an_end = (
        {"to": [10, 10], "facing": 90, "do": "turn"},
        {"to": [12, 12], "facing": 90, "do": "turn"},
    )
    assert said(b, along(about_the_middle), along(about_an_end)) == [set(), {NO, LINE, "w40k11.movephase.normal"}]


# --- The end ----------------------------------------------------------------------------------------------------------


@rule("w40k11.move.ending", check=1)
def test_nobody_moves_if_one_would_end_out_of_coherency() -> None:
    b = reds((10, 10), (11.5, 10), (13, 10))
    apart = normal((10, 15), (11.5, 15), (13, 10))
    assert said(b, apart, normal((10, 15), (11.5, 15), (13, 14))) == [
        {NO, ENDING, "w40k11.coherency.definition"},
        set(),
    ]
    assert places(b, "Reds") == [(10, 10, 0), (11.5, 10, 0), (13, 10, 0)]


@rule("w40k11.move.ending", check=2)
def test_no_move_ends_on_another_model() -> None:
    b = reds((10, 10), others=[unit("Friends", "red", TROOPER, [(10, 14)])])
    assert said(b, normal((10, 13.1)), normal((10, 13))) == [{NO, ENDING}, set()]


@rule("w40k11.move.ending", check=3)
def test_no_move_ends_in_a_wall_or_a_ceiling() -> None:
    ruins = feature("ruins", (8, 12, 8, 6), 5, walls=(wall((8, 14), (16, 14), 5),))
    low = feature("ruins", (18, 12, 8, 6), 5, floors=(FloorDoc(z=1, rect=(18, 12, 8, 6)),))
    high = feature("ruins", (28, 12, 8, 6), 5, floors=(FloorDoc(z=3, rect=(28, 12, 8, 6)),))
    b = reds((10, 10), sheet={**TROOPER, "move": 30}, terrain=[ruins, low, high])
    in_the_wall, behind_it, under_the_low, under_the_high = said(
        b, normal((10, 14)), normal((10, 15)), normal((22, 15)), normal((32, 15))
    )
    assert (behind_it, under_the_high) == (set(), set())
    assert {NO, ENDING} <= in_the_wall & under_the_low


@rule("w40k11.move.ending", check=4)
def test_one_model_that_ends_badly_undoes_the_move_of_all() -> None:
    b = reds((10, 10), (11.5, 10), others=[unit("Blues", "blue", TROOPER, [(14, 15)])])
    near, torn = normal((9.5, 13), (11.2, 14)), normal((9.5, 13), (11.5, 10))
    assert said(b, normal((9.5, 13), (11, 14))) == [set()]
    assert (said(b, near, torn), places(b, "Reds"), kinds(b)) == (
        [{NO, "w40k11.movephase.normal"}, {NO, ENDING, "w40k11.coherency.definition"}],
        [(10, 10, 0), (11.5, 10, 0)],
        ["move"],
    )
