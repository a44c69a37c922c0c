"""Moving over terrain: climbing, ruins, hills, barricades, debris, craters and woods; objective markers."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.battle.tables import FeatureDoc, FloorDoc
from sandtable.systems.w40k10.objectives import controller, level_of_control
from sandtable.systems.w40k10.state import Battle10
from w40k10.arms import gun, sheet, shoot, target
from w40k10.table import (
    BEAST,
    JUMPER,
    RIDER,
    TANK,
    TROOPER,
    alive,
    feature,
    give,
    judge,
    places,
    refused_by,
    situation,
    unit,
    until,
    wall,
)

FOE = unit("Blues", "blue", TROOPER, [(42, 28)])


def on(terrain: FeatureDoc, sheet: dict[str, Any] = TROOPER, at: tuple[float, ...] = (10, 10), **more: Any) -> Battle10:
    """A single red model beside a feature, selected to move."""
    b = situation([unit("Reds", "red", sheet, [at], **more), FOE], [terrain])
    give(b, "move_with", "Reds")
    return b


def to(*point: float) -> dict[str, Any]:
    return {"mode": "normal", "to": [list(point)]}


def along(*legs: Any) -> dict[str, Any]:
    return {"mode": "normal", "paths": {1: list(legs)}}


def up(x: float, y: float, z: float) -> dict[str, Any]:
    return {"do": "climb", "to": [x, y, z]}


# --- In general -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("w40k10.move.over_terrain", check=1)
def test_a_feature_of_two_inches_costs_nothing() -> None:
    b = on(feature("debris", (12, 5, 1, 10), 2, solid=True))
    give(b, "move", to(16, 10))
    assert places(b, "Reds") == [(16, 10, 0)]


@pytest.mark.rule("w40k10.move.over_terrain", check=2)
def test_nobody_passes_through_a_high_wall_but_a_low_one_is_stepped_over() -> None:
    high = on(feature("hill", (12, 5, 1, 10), 2.1, solid=True), RIDER)
    refused_by(high, "move", to(16, 10), "w40k10.move.over_terrain")
    low = on(feature("hill", (12, 5, 1, 10), 2, solid=True), RIDER)
    assert judge(low, "move", to(16, 10))


WALL = feature("hill", (12, 0, 1, 30), 3, solid=True)
OVER = along([11.5, 10], up(11.5, 10, 3), [13.5, 10, 3], up(13.5, 10, 0))


@pytest.mark.rule("w40k10.move.climb", check=1)
def test_a_wall_of_three_inches_costs_three_up_and_three_down() -> None:
    far = refused_by(on(WALL, {**TROOPER, "move": 9}), "move", OVER, "w40k10.move.distance").reasons[0].facts["far"]
    assert far == 1.5 + 3 + 2 + 3
    assert judge(on(WALL, {**TROOPER, "move": 10}), "move", OVER)


@pytest.mark.rule("w40k10.move.climb", check=2)
@pytest.mark.rule("w40k10.terrain.hill_move", check=1)
def test_climbing_onto_a_platform_costs_its_height() -> None:
    platform = feature("hill", (12, 8, 5, 5), 3, solid=True)
    onto = along([11.5, 10], up(11.5, 10, 3), [13, 10, 3])
    assert judge(on(platform), "move", onto)
    assert not judge(on(platform, {**TROOPER, "move": 5}), "move", onto)


@pytest.mark.rule("w40k10.move.climb", check=3)
def test_nobody_stops_half_way_up() -> None:
    refused_by(on(WALL), "move", along([11.5, 10], up(11.5, 10, 2)), "w40k10.move.climb")
    assert not judge(on(WALL, {**TROOPER, "move": 9}), "move", OVER)


@pytest.mark.rule("w40k10.move.climb", check=4)
def test_six_inches_are_not_enough_for_a_wall_of_three() -> None:
    b = on(WALL, at=(11.5, 10))
    over = along(up(11.5, 10, 3), [13.5, 10, 3], up(13.5, 10, 0))
    refused_by(b, "move", over, "w40k10.move.distance")


HILL = feature("hill", (12, 8, 5, 5), 3, solid=True)


@pytest.mark.rule("w40k10.move.climb", check=2)
def test_a_step_of_two_inches_is_climbed_for_nothing() -> None:
    b = on(feature("hill", (12, 8, 5, 5), 2, solid=True))
    assert judge(b, "move", along([11.5, 10], up(11.5, 10, 2), [16, 10, 2]))
    higher = on(feature("hill", (12, 8, 5, 5), 2.1, solid=True))
    refused_by(higher, "move", along([11.5, 10], up(11.5, 10, 2.1), [16, 10, 2.1]), "w40k10.move.distance")


@pytest.mark.rule("w40k10.move.climb", check=2)
@pytest.mark.parametrize("crate", [((11, 10.5, 1, 1), 0, 2), ((12, 9.5, 1, 1), 3, 1)], ids=["foot", "top"])
def test_a_crate_at_the_foot_or_on_top_of_a_hill_makes_it_no_lower(crate: Any) -> None:
    place, base, height = crate
    terrain = [HILL, feature("debris", place, height, base=base, solid=True)]
    b = situation([unit("Reds", "red", TROOPER, [(10, 10)]), FOE], terrain)
    give(b, "move_with", "Reds")
    verdict = refused_by(b, "move", along([11.5, 10], up(11.5, 10, 3), [14, 10, 3]), "w40k10.move.distance")
    assert verdict.reasons[0].facts["far"] == 1.5 + 3 + 2.5


@pytest.mark.rule("w40k10.move.climb", check=2)
def test_from_floor_to_floor_the_difference_counts() -> None:
    tall = FeatureDoc(kind="ruins", rect=(12, 6, 8, 8), height=9, floors=(FloorDoc(z=3), FloorDoc(z=6)))
    higher = along(up(14, 10, 6))
    assert judge(on(tall, {**TROOPER, "move": 3}, (14, 10, 3)), "move", higher)
    verdict = refused_by(on(tall, {**TROOPER, "move": 2}, (14, 10, 3)), "move", higher, "w40k10.move.distance")
    assert verdict.reasons[0].facts["far"] == 3


def test_the_top_of_a_hill_is_no_place_in_the_air() -> None:
    b = on(feature("hill", (12, 8, 5, 5), 3, solid=True))
    refused_by(b, "move", along(up(10, 10, 3)), "w40k10.move.climb")


# --- Kinds of features ------------------------------------------------------------------------------------------------


@pytest.mark.rule("w40k10.terrain.hill_move", check=2)
def test_a_base_may_not_overhang_a_hill() -> None:
    b = on(feature("hill", (12, 8, 5, 5), 3, solid=True))
    refused_by(b, "move", along([11.5, 10], up(11.5, 10, 3), [12.3, 10, 3]), "w40k10.terrain.hill_move")


@pytest.mark.rule("w40k10.terrain.hill_move", check=3)
def test_a_vehicle_that_fits_may_stand_on_a_hill() -> None:
    big = feature("hill", (14, 5, 10, 10), 2, solid=True)
    onto = along([12, 10], up(12, 10, 2), [17, 10, 2])
    assert judge(on(big, TANK), "move", onto)
    refused_by(on(big, TANK), "move", along([12, 10], up(12, 10, 2), [15, 10, 2]), "w40k10.terrain.hill_move")


@pytest.mark.rule("w40k10.terrain.barricade_move", check=1)
@pytest.mark.rule("w40k10.terrain.barricade_move", check=3)
def test_nobody_stops_on_a_barricade_but_all_cross_it() -> None:
    b = on(feature("barricade", (12, 5, 1.5, 10), 1, solid=True))
    on_top = along([11.5, 10], up(11.5, 10, 1), [12.75, 10, 1])
    refused_by(b, "move", on_top, "w40k10.terrain.barricade_move")
    refused_by(b, "move", to(12.4, 10), "w40k10.terrain.barricade_move")
    assert judge(b, "move", to(16, 10))
    assert judge(on(feature("hill", (12, 5, 1.5, 10), 1, solid=True)), "move", on_top)


@pytest.mark.rule("w40k10.terrain.debris_move", check=1)
@pytest.mark.rule("w40k10.terrain.debris_move", check=2)
def test_nobody_stops_on_debris_but_all_cross_it() -> None:
    b = on(feature("debris", (12, 5, 1.5, 10), 1, solid=True))
    on_top = along([11.5, 10], up(11.5, 10, 1), [12.75, 10, 1])
    refused_by(b, "move", on_top, "w40k10.terrain.debris_move")
    assert judge(b, "move", to(16, 10))
    assert judge(on(feature("hill", (12, 5, 1.5, 10), 1, solid=True)), "move", on_top)


@pytest.mark.rule("w40k10.terrain.craters_move", check=1)
def test_a_move_may_end_in_a_crater() -> None:
    assert judge(on(feature("crater", (12, 5, 6, 10))), "move", to(14, 10))


@pytest.mark.rule("w40k10.terrain.woods_footprint", check=2)
def test_a_move_may_end_in_woods() -> None:
    assert judge(on(feature("woods", (12, 5, 6, 10), 4)), "move", to(14, 10))


# --- Ruins ------------------------------------------------------------------------------------------------------------


def ruin() -> FeatureDoc:
    """A wall on its left side, and a floor all over."""
    return FeatureDoc(
        kind="ruins",
        rect=(12, 6, 8, 8),
        height=6,
        walls=(wall((12, 6), (12, 14), 6, thickness=0.2),),
        floors=(FloorDoc(z=3, thickness=0.1),),
    )


@pytest.mark.rule("w40k10.terrain.ruins_move_through", check=1)
@pytest.mark.rule("w40k10.terrain.ruins_move_through", check=2)
@pytest.mark.rule("w40k10.terrain.ruins_move_through", check=3)
def test_infantry_and_beasts_walk_through_walls_and_others_do_not() -> None:
    for who in (TROOPER, BEAST):
        assert judge(on(ruin(), who), "move", to(16, 10))
    for who in (RIDER, {**TANK, "base": "32mm"}):
        refused_by(on(ruin(), who), "move", to(16, 10), "w40k10.move.over_terrain")


@pytest.mark.rule("w40k10.terrain.ruins_move_through", check=4)
def test_nobody_stops_inside_a_wall() -> None:
    refused_by(on(ruin()), "move", to(12.2, 10), "w40k10.terrain.ruins_move_through")
    assert judge(on(ruin()), "move", to(13, 10))


@pytest.mark.rule("w40k10.terrain.ruins_move_through", check=5)
@pytest.mark.rule("w40k10.terrain.ruins_floors", check=1)
def test_the_way_upstairs_counts_but_walls_and_floors_do_not() -> None:
    upstairs = along([13, 10], up(13, 10, 3))
    give(b := on(ruin()), "move", upstairs)
    assert places(b, "Reds") == [(13, 10, 3)]
    refused_by(on(ruin()), "move", along([13.5, 10], up(13.5, 10, 3)), "w40k10.move.distance")


def test_nobody_ends_with_the_head_in_a_floor() -> None:
    b = on(ruin(), {**TROOPER, "height": 3.5})
    refused_by(b, "move", to(14, 10), "w40k10.terrain.ruins_move_through")


@pytest.mark.rule("w40k10.terrain.ruins_floors", check=1)
def test_flyers_may_stand_upstairs() -> None:
    b = on(ruin(), {**JUMPER, "move": 20, "keywords": ["MOUNTED", "FLY"]})
    over = [[11.3, 10, 6], [12.7, 10, 6]]
    assert judge(b, "move", {"mode": "normal", "paths": {1: [*over, [14, 10, 3]]}})
    refused_by(b, "move", {"mode": "normal", "paths": {1: [*over, [19.8, 10, 3]]}}, "w40k10.terrain.ruins_floors")


@pytest.mark.rule("w40k10.terrain.ruins_floors", check=2)
def test_a_base_may_not_overhang_a_floor() -> None:
    b = on(ruin(), {**TROOPER, "move": 13})
    refused_by(b, "move", along([19.8, 10], up(19.8, 10, 3)), "w40k10.terrain.ruins_floors")


@pytest.mark.rule("w40k10.terrain.ruins_floors", check=3)
@pytest.mark.rule("w40k10.terrain.ruins_floors", check=4)
def test_a_vehicle_stays_on_the_ground_floor() -> None:
    open_ruin = FeatureDoc(kind="ruins", rect=(12, 6, 8, 8), height=6, floors=ruin().floors)
    small = {**TANK, "height": 1.0}
    assert judge(on(open_ruin, small), "move", to(16, 10))
    # Climbing along the outer edge of the floor, then stepping onto it.
    onto = along(up(10, 10, 3), [15, 10, 3])
    refused_by(on(open_ruin, small), "move", onto, "w40k10.terrain.ruins_floors")


# --- Objective markers ------------------------------------------------------------------------------------------------


def marked(at: list[tuple[float, ...]], foes: list[tuple[float, ...]] | None = None, **more: Any) -> Battle10:
    return situation(
        [unit("Reds", "red", TROOPER, at), unit("Blues", "blue", TROOPER, foes or [(42, 28)])],
        objectives=[(10, 10)],
        **more,
    )


R = 20 / 25.4


@pytest.mark.rule("w40k10.objective.movement", check=1)
@pytest.mark.rule("w40k10.objective.movement", check=2)
def test_a_marker_is_crossed_but_not_stood_on() -> None:
    b = marked([(7, 10)])
    give(b, "move_with", "Reds")
    refused_by(b, "move", to(9, 10), "w40k10.objective.movement")
    assert judge(b, "move", to(13, 10))


@pytest.mark.rule("w40k10.objective.range", check=1)
@pytest.mark.rule("w40k10.objective.range", check=2)
@pytest.mark.rule("w40k10.objective.marker", check=1)
@pytest.mark.rule("w40k10.objective.marker", check=2)
@pytest.mark.rule("w40k10.objective.marker", check=3)
@pytest.mark.parametrize(("gap", "z", "level"), [(3, 5, 2), (3.1, 0, 0), (3, 5.1, 0), (0.5, 0, 2)])
def test_three_inches_from_the_edge_of_the_marker_are_in_range(gap: float, z: float, level: int) -> None:
    b = marked([(10 + R + gap + 0.5 - 0.001, 10, z)])
    assert level_of_control(b, 0, 0) == level


@pytest.mark.rule("w40k10.objective.level_of_control", check=1)
@pytest.mark.rule("w40k10.objective.level_of_control", check=2)
def test_all_models_in_range_add_their_control() -> None:
    b = situation(
        [
            unit("Reds", "red", TROOPER, [(8, 10), (8, 11.5), (2, 10)]),
            unit("Tank", "red", TANK, [(14, 10)]),
            FOE,
        ],
        objectives=[(10, 10)],
    )
    assert level_of_control(b, 0, 0) == 2 + 2 + 3


@pytest.mark.rule("w40k10.objective.control", check=2)
@pytest.mark.rule("w40k10.objective.control", check=3)
def test_the_greater_level_controls_and_equal_levels_contest() -> None:
    assert controller(marked([(8, 10), (8, 11.5)], [(12, 10)]), 0) == 0
    assert controller(marked([(8, 10)], [(12, 10)]), 0) == -1
    assert controller(marked([(2, 20)]), 0) == -1


@pytest.mark.rule("w40k10.objective.control", check=1)
@pytest.mark.rule("w40k10.objective.control", check=4)
@pytest.mark.rule("w40k10.objective.control", check=5)
def test_control_is_settled_at_the_end_of_a_phase() -> None:
    unarmed = {**TROOPER, "weapons": []}
    b = situation(
        [
            unit("Reds", "red", unarmed, [(5, 10)]),
            unit("Two", "red", unarmed, [(30, 10)]),
            unit("Blues", "blue", unarmed, [(42, 28)]),
        ],
        objectives=[(10, 10)],
    )
    assert b.state.game.control == (-1,)
    give(b, "move_with", "Reds")
    give(b, "move", to(8, 10))
    assert b.state.game.control == (-1,)
    give(b, "move_with", "pass")
    assert b.state.game.control == (0,)
    until(b, "move_with", player=1)
    until(b, "move_with", player=0)
    give(b, "move_with", "Reds")
    give(b, "move", to(3, 10))
    give(b, "move_with", "pass")
    assert b.state.game.control == (-1,)


@pytest.mark.rule("w40k10.objective.control", check=4)
def test_who_falls_in_a_phase_controls_until_it_ends() -> None:
    b = situation(
        [
            unit("Reds", "red", sheet(gun(), name="Red"), [(7, 10)]),
            unit("Spares", "red", sheet(gun(), name="Spare"), [(30, 10)]),
            unit("Blues", "blue", target(), [(12, 10)]),
            unit("Others", "blue", target(name="Other"), [(30, 20)]),
        ],
        objectives=[(10, 10)],
        step="shooting_phase",
        dice={"hit": [6], "wound": [6]},
    )
    assert controller(b, 0) == -1, "2 against 2"
    shoot(b)
    assert [b.state.game.control, b.state.game.phase, alive(b, "Blues")] == [(-1,), "shooting", 0]
    give(b, "shoot_with", "pass")
    assert b.state.game.control == (0,)


@pytest.mark.rule("w40k10.terrain.barricade_move", check=2)
def test_nobody_is_set_up_on_a_barricade() -> None:
    wall_ = feature("barricade", (20, 10, 3, 2), 1, solid=True)
    units = [unit("Drop", "red", TROOPER, off=1, reserve="deep strike"), unit("Blues", "blue", TROOPER, [(40, 28)])]
    b = situation(units, [wall_], step="reinforcements")
    give(b, "arrive_with", "Drop")
    refused_by(b, "arrive", [(21.5, 11, 1)], "w40k10.terrain.barricade_move")
    assert judge(b, "arrive", [(21.5, 8)])
