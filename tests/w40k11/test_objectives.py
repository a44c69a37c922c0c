"""Objectives: range, level of control, and who controls them."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.forty.markers import settle
from sandtable.systems.w40k11.objectives import MARKER, gaps_to_markers, in_range_of, is_controlling, level_of_control
from sandtable.systems.w40k11.state import Battle11
from sandtable.table.grid import steps
from w40k11.table import (
    FOE,
    TANK,
    TROOPER,
    Doc,
    Spots,
    feature,
    give,
    named,
    places,
    power,
    row,
    sheet,
    situation,
    unit,
    until,
)

rule = pytest.mark.rule

TOUCH = MARKER.radius / 1024 + 0.5
"""From the middle of a marker to that of a base of 1" that touches it"""
AREA = feature("ruins", (18, 8, 8, 8), 5, id="ruin")


def troops(oc: int | None) -> Doc:
    """Troopers with another OC."""
    return {**TROOPER, "oc": oc}


def contest(red: Spots, blue: Spots, oc: tuple[int | None, int | None] = (1, 1), **more: Any) -> Battle11:
    """Reds and Blues about an objective at 20", 12", in red's Movement phase."""
    units = [unit("Reds", "red", troops(oc[0]), red), unit("Blues", "blue", troops(oc[1]), blue)]
    return situation([*units, unit("Watch", "red", TROOPER, [(2, 2)])], **{"objectives": [(20, 12)], **more})


def control(b: Battle11) -> tuple[int, ...]:
    """Who controls the objectives once this phase is over."""
    until(b, "charge_with" if b.state.game.phase == "shooting" else "shoot_with")
    return b.state.game.control or (-1,)


FAR: Spots = [(40, 28)]
NEAR: Spots = row(4, (18, 14))


def test_a_hull_that_is_partly_in_the_area_of_an_objective_controls_it() -> None:
    def held(x: float) -> tuple[int, ...]:
        b = situation([unit("Tank", "red", TANK, [(x, 12)]), FOE], [AREA], objectives=[(22, 12)])
        settle(b)
        return b.state.game.control

    assert (held(16.1), held(15.9)) == ((0,), (-1,))


# --- Markers ----------------------------------------------------------------------------------------------------------


def reached(x: float, z: float = 0) -> bool:
    """Whether a model so far to the right of the marker, and so high, is in range."""
    b = contest([(20 + x, 12, z)], FAR)
    return bool(in_range_of(b, b.bodies, b.on_table(named(b, "Reds")), [0])[0, 0])


@rule("w40k11.objective.marker", check=1)
def test_three_inches_from_the_edge_of_a_marker_is_in_range() -> None:
    assert [reached(TOUCH + 3), reached(TOUCH + 3.01)] == [True, False]


@rule("w40k11.objective.marker", check=2)
def test_five_inches_above_a_marker_is_in_range_and_six_is_not() -> None:
    assert [reached(0, 5), reached(0, 6)] == [True, False]


@rule("w40k11.objective.marker", check=3)
def test_a_move_may_end_on_a_marker() -> None:
    b = contest([(20, 17)], FAR)
    before = level_of_control(b, 0, 0)
    give(b, "move_with", "Reds")
    give(b, "move", {"mode": "normal", "to": [[20, 12]]})
    until(b, "shoot_with")
    assert (before, places(b, "Reds"), b.state.game.control) == (0, [(20, 12, 0)], (0,))


# --- Terrain objectives -----------------------------------------------------------------------------------------------


def in_area(at: Spots, terrain: list[Any] | None = None, objectives: Spots | None = None) -> list[list[bool]]:
    """Which Reds are in range of which objectives, where one lies in the middle of a ruin."""
    b = situation([unit("Reds", "red", TROOPER, at), FOE], terrain or [AREA], objectives=objectives or [(22, 12)])
    found: list[list[bool]] = in_range_of(
        b, b.bodies, b.on_table(named(b, "Reds")), range(len(objectives or [1]))
    ).tolist()
    return found


@rule("w40k11.objective.terrain", check=1)
def test_the_distance_to_a_terrain_objective_goes_to_its_boundary() -> None:
    b = situation([unit("Reds", "red", TROOPER, [(14, 12), (16.5, 12), (18.2, 12), (22, 12)]), FOE], [AREA],
                  objectives=[(22, 12)])  # fmt: skip
    found = gaps_to_markers(b, b.bodies, b.on_table(named(b, "Reds")), [0])[:, 0]
    assert [round(float(gap) / 1024, 3) for gap in found] == [3.5, 1, 0, 0]


@rule("w40k11.objective.terrain", check=2)
def test_one_area_is_one_objective_whatever_stands_in_it() -> None:
    parts = [AREA, feature("barricade", (24, 8, 4, 1), 1, id="ruin/wall"), feature("crater", (28, 10, 3, 3))]
    assert in_area([(18.2, 8.2), (27.7, 8.2), (29, 11)], parts) == [[True], [True], [False]]


@rule("w40k11.objective.range", check=1)
def test_part_of_a_base_inside_the_area_is_in_range() -> None:
    assert in_area([(17.6, 12), (17.5 + 1 / 1024, 12), (17.5, 12)]) == [[True], [True], [False]]


@rule("w40k11.objective.range", check=2)
def test_an_inch_outside_a_terrain_objective_is_out_of_range_and_of_a_marker_is_not() -> None:
    assert in_area([(16.5, 12)], objectives=[(22, 12), (14, 12)]) == [[False, True]]


# --- Level of control -------------------------------------------------------------------------------------------------


@rule("w40k11.objective.level_of_control", check=1)
def test_nobody_controls_anything_when_the_battle_starts() -> None:
    b = contest(NEAR, FAR)
    before = b.state.game.control
    assert (before, control(b)) == ((-1,), (0,))


@rule("w40k11.objective.level_of_control", check=2)
@pytest.mark.parametrize(("red", "blue", "who"), [(4, 3, 0), (3, 4, 1)])
def test_the_higher_total_controls(red: int, blue: int, who: int) -> None:
    assert control(contest(row(red, (18, 14)), row(blue, (18, 10)))) == (who,)


@rule("w40k11.objective.level_of_control", check=3)
def test_with_equal_totals_nobody_controls() -> None:
    assert control(contest(row(3, (18, 14)), row(3, (18, 10)), game={"control": (0,)})) == (-1,)


@rule("w40k11.objective.level_of_control", check=4)
def test_with_nobody_near_nobody_controls() -> None:
    b = contest([(5, 20)], FAR, game={"control": (0, -1)}, objectives=[(20, 12), (5, 22)])
    assert control(b) == (-1, 0)


@rule("w40k11.objective.level_of_control", check=5)
def test_control_changes_when_a_phase_ends_and_not_before() -> None:
    b = contest([(20, 14)], FAR, game={"control": (0, -1)}, objectives=[(20, 12), (20, 21)])
    give(b, "move_with", "Reds")
    give(b, "move", {"mode": "normal", "to": [[20, 19]]})
    during = b.state.game.control
    assert (during, control(b)) == ((0, -1), (-1, 0))


@rule("w40k11.objective.level_of_control", check=6)
@pytest.mark.parametrize(("oc", "who"), [(0, -1), (None, -1), (1, 0)])
def test_models_without_oc_gain_no_control(oc: int | None, who: int) -> None:
    assert control(contest(NEAR, FAR, (oc, 1))) == (who,)


@rule("w40k11.datasheet.oc_dash", check=1)
@pytest.mark.parametrize(("oc", "level"), [(None, 0), (1, 8)])
def test_who_has_a_dash_for_oc_adds_nothing_even_with_a_bonus(oc: int | None, level: int) -> None:
    more = power("Reds", kind="characteristic", name="OC", add=1)
    assert level_of_control(contest(NEAR, FAR, (oc, 1), abilities=[more]), 0, 0) == level


@rule("w40k11.datasheet.oc_dash", check=2)
@pytest.mark.parametrize(("oc", "who"), [(None, -1), (0, 0)])
def test_who_has_a_dash_for_oc_gains_no_control(oc: int | None, who: int) -> None:
    more = power("Reds", kind="characteristic", name="OC", add=1)
    assert control(contest(NEAR, FAR, (oc, 1), abilities=[more])) == (who,)


@rule("w40k11.objective.level_of_control", check=7)
def test_only_models_in_range_count() -> None:
    b = contest([(20, 14), *row(3, (21.5, 14)), *row(3, (27, 14))], FAR)
    assert level_of_control(b, 0, 0) == 3


@rule("w40k11.objective.level_of_control", check=7)
def test_nobody_controls_an_objective_that_is_gone() -> None:
    two = {"objectives": [(20, 12), (20, 16)]}
    assert control(contest(NEAR, FAR, **two, game={"removed": (0,)})) == (-1, 0)


@rule("w40k11.objective.battleshocked", check=1)
@pytest.mark.parametrize(("shocked", "who"), [(True, 1), (False, 0)])
def test_battle_shocked_models_add_nothing(shocked: bool, who: int) -> None:
    ten = [*row(5, (17, 14)), *row(5, (17, 15))]
    reds = unit("Reds", "red", troops(2), ten, battle_shocked=shocked)
    b = situation([reds, unit("Blues", "blue", troops(1), [(20, 10)])], step="move_units", objectives=[(20, 12)])
    settle(b)
    assert b.state.game.control == (who,)


@rule("w40k11.objective.unit_controlling", check=1)
@pytest.mark.parametrize(("oc", "controls"), [(0, False), (1, True)])
def test_a_unit_without_oc_controls_nothing(oc: int, controls: bool) -> None:
    b = contest([(20, 14)], FAR, (oc, 1), game={"control": (0,)})
    assert is_controlling(b, named(b, "Reds"), 0) is controls


@rule("w40k11.objective.unit_controlling", check=1)
@pytest.mark.parametrize(
    ("game", "flags", "controls"),
    [({"control": (0, 1)}, {}, True), ({"control": (1, 0)}, {}, False), ({}, {}, False),
     ({"control": (0, 1)}, {"battle_shocked": True}, False)],
)  # fmt: skip
def test_a_unit_controls_what_its_player_does(game: Doc, flags: Doc, controls: bool) -> None:
    reds = unit(
        "Reds", "red", troops(0), [(20, 14), (20, 15.5)], loadout=[{"models": [2], "sheet": troops(1)}], **flags
    )
    b = situation([reds, FOE], objectives=[(20, 12), (5, 5)], game=game)
    assert is_controlling(b, named(b, "Reds"), 0) is controls


@rule("w40k11.objective.unit_controlling", check=2)
@pytest.mark.parametrize(("at", "controls"), [((5, 25), False), ((20, 14), True)])
def test_a_unit_out_of_range_of_a_secured_objective_does_not_control_it(at: Any, controls: bool) -> None:
    b = contest([at], FAR, game={"control": (0,), "secured": (0,)})
    assert is_controlling(b, named(b, "Reds"), 0) is controls


# --- Secured objectives -----------------------------------------------------------------------------------------------

KEPT: Doc = {"control": (0,), "secured": (0,)}
BOTH: Doc = {"control": (0, 0), "secured": (0, 0)}


@rule("w40k11.objective.secured", check=1)
@pytest.mark.parametrize(("secured", "who"), [((0,), 0), ((), -1)])
def test_a_secured_objective_stays_with_nobody_near(secured: tuple[int, ...], who: int) -> None:
    assert control(contest([(5, 20)], FAR, game={"control": (0,), "secured": secured})) == (who,)


@rule("w40k11.objective.secured", check=2)
@pytest.mark.parametrize(("game", "who"), [(KEPT, 0), ({"control": (0,), "secured": (1,)}, 1), ({}, -1)])
def test_equal_totals_leave_it_with_who_secured_it(game: Doc, who: int) -> None:
    assert control(contest([(20, 14)], [(20, 10)], game=game)) == (who,)


@rule("w40k11.objective.secured", check=3)
def test_one_enemy_against_nobody_takes_it() -> None:
    b = contest([(5, 20)], [(20, 10)], game=BOTH, objectives=[(20, 12), (40, 5)])
    during = b.state.game.control
    assert (during, control(b)) == ((0, 0), (1, 0))


@rule("w40k11.objective.secured", check=4)
def test_once_lost_it_is_secured_no_longer() -> None:
    b = contest([(20, 17)], [(20, 10)], game=BOTH, active="blue", objectives=[(20, 12), (40, 5)])
    until(b, "shoot_with", 1)
    lost = b.state.game.secured
    until(b, "move_with", 0)
    give(b, "move_with", "Reds")
    give(b, "move", {"mode": "normal", "to": [[20, 14]]})
    until(b, "shoot_with", 0)
    assert (lost, b.state.game.control) == ((-1, 0), (-1, 0))


@rule("w40k11.objective.secured", check=1)
def test_units_secure_what_they_control_at_the_end_of_the_command_phase() -> None:
    reds = unit("Reds", "red", sheet(name="Red"), [(20, 14)])
    holds = power("Reds", kind="allow", what="hold_objectives")
    b = situation([reds, FOE], step="command_phase", objectives=[(20, 12)], abilities=[holds])
    assert b.state.game.secured == (0,)


def test_the_marker_is_as_wide_as_the_book_says() -> None:
    assert MARKER.radius == steps(20 / 25.4)
