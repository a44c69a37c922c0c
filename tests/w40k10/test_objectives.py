"""Objective markers of missions: those that players place, and those that are carried off."""

from __future__ import annotations

import pytest

from sandtable.battle import Verdict
from sandtable.forty.markers import markers_of, settle
from sandtable.systems.w40k10.objectives import MARKER, check_off_markers, controller, level_of_control
from sandtable.systems.w40k10.state import Battle10
from sandtable.table.grid import steps
from w40k10.table import TANK, TROOPER, cites, situation, unit


def held() -> Battle10:
    """Red stands at the second marker."""
    return situation(
        [unit("Reds", "red", TROOPER, [(20, 10)]), unit("Blues", "blue", TROOPER, [(40, 28)])],
        objectives=[(5, 5), (20, 12)],
    )


@pytest.mark.rule("w40k10.objective.control", check=5)
def test_a_marker_that_was_carried_off_is_controlled_by_nobody() -> None:
    b = held()
    assert controller(b, 1) == 0
    b.set_game(removed=(1,))
    assert controller(b, 1) == -1


def test_models_may_stand_where_a_marker_was() -> None:
    b = held()
    b.move_models([0], [(steps(20), steps(12), 0)])
    models = b.on_table(b.unit(0))
    assert not check_off_markers(b, b.bodies, models)
    b.set_game(removed=(1,))
    assert check_off_markers(b, b.bodies, models)


def test_markers_that_the_players_placed_count() -> None:
    b = held()
    b.set_game(markers=((steps(20), steps(8), 0),), control=(-1,))
    assert markers_of(b) == ((steps(20), steps(8), 0),)
    settle(b)
    assert b.state.game.control == (0,)


TOUCH = MARKER.radius + steps(0.5)
"""From the middle of a marker to that of a base of 1" that touches it, in steps."""


def beside(x: int, z: float = 0, *, marker_z: float = 0) -> Battle10:
    """Red's only model is so many steps to the right of a marker at 20", 12"."""
    b = situation(
        [unit("Reds", "red", TROOPER, [(30, 12)]), unit("Blues", "blue", TROOPER, [(40, 28)])],
        objectives=[(20, 12, marker_z)],
    )
    b.move_models([0], [(steps(20) + x, steps(12), steps(z))])
    return b


@pytest.mark.rule("w40k10.objective.range", check=1)
@pytest.mark.rule("w40k10.objective.range", check=2)
def test_range_reaches_to_the_step() -> None:
    assert level_of_control(beside(TOUCH + steps(3)), 0, 0) == 2
    assert level_of_control(beside(TOUCH + steps(3) + 1), 0, 0) == 0


@pytest.mark.rule("w40k10.objective.range", check=1)
@pytest.mark.rule("w40k10.objective.range", check=2)
@pytest.mark.parametrize(("marker", "foot", "level"), [(5, 0, 2), (5.1, 0, 0), (6, 11, 2), (6, 11.1, 0), (6, 6, 2)])
def test_range_reaches_5_inches_up_and_down(marker: float, foot: float, level: int) -> None:
    assert level_of_control(beside(TOUCH, foot, marker_z=marker), 0, 0) == level


@pytest.mark.rule("w40k10.objective.range", check=1)
@pytest.mark.rule("w40k10.objective.range", check=2)
@pytest.mark.parametrize(("marker", "level"), [(7.5, 3), (7.6, 0)])
def test_a_hull_is_measured_from_its_top(marker: float, level: int) -> None:
    units = [unit("Tank", "red", TANK, [(20, 15)]), unit("Blues", "blue", TROOPER, [(40, 28)])]
    assert level_of_control(situation(units, objectives=[(20, 12, marker)]), 0, 0) == level


@pytest.mark.rule("w40k10.objective.movement", check=2)
def test_a_base_ends_beside_a_marker_and_not_on_its_edge() -> None:
    def judged(x: int) -> Verdict:
        b = beside(x)
        return check_off_markers(b, b.bodies, b.on_table(b.unit(0)))

    assert judged(TOUCH - 1)  # bases may overlap by what rounding takes
    assert cites(judged(TOUCH - 2)) == {"w40k10.objective.movement"}


@pytest.mark.rule("w40k10.objective.movement", check=2)
def test_one_model_of_several_on_one_marker_of_several_is_refused() -> None:
    b = situation(
        [unit("Reds", "red", TROOPER, [(20, 12), (22, 12)]), unit("Blues", "blue", TROOPER, [(40, 28)])],
        objectives=[(5, 5), (20, 12)],
    )
    verdict = check_off_markers(b, b.bodies, b.on_table(b.unit(0)))
    assert cites(verdict) == {"w40k10.objective.movement"}
    assert "marker 2" in verdict.reasons[0].text
    b.set_game(removed=(0, 1))
    assert check_off_markers(b, b.bodies, b.on_table(b.unit(0)))
