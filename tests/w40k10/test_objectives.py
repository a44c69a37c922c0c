"""Objective markers of missions: those that players place, and those that are carried off."""

from __future__ import annotations

from sandtable.systems.w40k10.objectives import check_off_markers, controller, settle
from sandtable.systems.w40k10.state import Battle10, markers_of
from sandtable.table.grid import steps
from w40k10.table import TROOPER, situation, unit


def held() -> Battle10:
    """Red stands at the second marker."""
    return situation(
        [unit("Reds", "red", TROOPER, [(20, 10)]), unit("Blues", "blue", TROOPER, [(40, 28)])],
        objectives=[(5, 5), (20, 12)],
    )


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
