"""Judgements of moves and set-ups: each lets a clean story pass, and finds the fault that is planted in it."""

from __future__ import annotations

from typing import Any

import pytest

from referee.judgements.charges import Charges
from referee.judgements.closing import Closing
from referee.judgements.failed_charges import FailedCharges
from referee.judgements.moves import Moves
from referee.judgements.preparing import Preparing
from referee.judgements.setting_up import SettingUp
from referee.judgements.transports import Transports
from referee.stage import OFF, SHEET, Stage, box

FLYER = {"keywords": ["VEHICLE", "FLY"], "base": "60mm", "height": 2.0, "move": 12}
TANK = {"keywords": ["VEHICLE"], "base": "hull 4x3", "height": 2.0, "move": 10}
RUIN = box(
    "ruins", 20, 0, 10, 10, 9, walls=[((20, 0), (20, 10), 0, 9)], floors=[([(20, 0), (30, 0), (30, 10), (20, 10)], 3)]
)


def moving(
    *path: tuple[Any, ...], mode: str = "normal", features: tuple[Any, ...] = (), at: Any = (10.0, 5.0), **sheet: Any
) -> list[str]:
    """The rows that one model breaks in its move."""
    stage = Stage(*features)
    unit = stage.unit(0, [at], **sheet)
    stage.unit(1, [(10, 20)])
    stage.step("move units")
    stage.move(unit, mode, {0: path})
    return stage.rules(Moves)


# --- How far ----------------------------------------------------------------------------------------------------------


def test_a_move_an_inch_too_long_is_found() -> None:
    assert moving((16, 5)) == []
    assert moving((17, 5)) == ["move.normal"]


def test_a_detour_counts_in_full() -> None:
    assert moving((12, 5), (12, 8), (13, 8)) == []
    assert moving((12, 5), (12, 8), (10, 8)) == ["move.normal"]


def test_an_advance_roll_is_added_once() -> None:
    stage = Stage()
    unit = stage.unit(0, [(10, 5)], fields={"advance": 3, "moved": "advance"})
    stage.step("move units")
    stage.move(unit, "advance", {0: [(19, 5)]}, kind="complete_move", crossing=[])
    assert stage.rules(Moves) == []
    stage.move(unit, "advance", {0: [(29, 5)]}, kind="complete_move", crossing=[])
    assert stage.rules(Moves) == ["move.advance"]


def test_climbing_costs_its_height() -> None:
    hill = box("hill", 12, 0, 10, 10, 3, solid=True)
    up = (("climb", 11.4, 5, 3), (13.9, 5, 3))
    assert moving((11.4, 5), *up[:1], (12.9, 5, 3), features=(hill,)) == []
    assert moving((11.4, 5), *up[:1], (13.1, 5, 3), features=(hill,)) == ["move.normal"]


def test_low_terrain_costs_no_climb() -> None:
    hill = box("hill", 12, 0, 10, 10, 2, solid=True)
    assert moving((11.5, 5), ("climb", 11.5, 5, 2), (16, 5, 2), features=(hill,)) == []


def test_a_base_that_is_not_round_pays_for_its_turn() -> None:
    stage = Stage()
    tank = stage.unit(0, [(10, 5)], **TANK)
    stage.step("move units")
    stage.move(tank, "normal", {0: [(19, 5)]})
    stage.items[-2]["answer"]["paths"][0]["legs"].insert(0, {"do": "turn", "x": 10240, "y": 5120, "z": 0, "facing": 0})
    assert stage.rules(Moves) == []
    for leg in stage.items[-2]["answer"]["paths"][0]["legs"]:
        leg["facing"] = 1024
    stage.items[-1]["facing"] = [1024]
    assert stage.rules(Moves) == ["move.normal"]


def test_an_aircraft_flies_straight_ahead_and_far_enough() -> None:
    jet = {"keywords": ["VEHICLE", "AIRCRAFT", "FLY"], "base": "60mm", "move": 20}
    assert moving((31, 5), **jet) == []
    assert moving((29, 5), **jet) == ["aircraft.minimum_move"]
    assert moving((31, 15), **jet) == ["aircraft.minimum_move"]


def test_a_scouts_move_ends_nine_inches_from_the_enemy() -> None:
    for y, found in ((9.9, []), (10.1, ["ability.scouts"])):
        stage = Stage()
        unit = stage.unit(0, [(10, 5)], abilities=['scouts 6"'])
        stage.unit(1, [(10, 20)])
        stage.move(unit, "normal", {0: [(10, y)]}, kind="scout_move")
        assert stage.rules(Moves) == found


# --- Through what -----------------------------------------------------------------------------------------------------


def test_a_model_through_a_wall_is_found_and_infantry_may_go_through_ruins() -> None:
    assert moving((21, 5), features=(RUIN,), at=(16, 5)) == []
    assert moving((22, 5), features=(RUIN,), at=(17, 5), keywords=["MOUNTED"]) == ["move.over_terrain"]
    assert moving((17, 6), features=(RUIN,), at=(16, 5), keywords=["MOUNTED"]) == []


def test_a_flying_model_goes_over_a_wall_and_not_through_it() -> None:
    assert moving((24, 5), features=(RUIN,), at=(16, 5), **FLYER) == ["move.fly_air"]
    low = box("ruins", 20, 0, 10, 10, 3, walls=[((20, 0), (20, 10), 0, 3)])
    over = [("go", 16, 5, 4), ("go", 26, 5, 4), ("climb", 26, 5, 0)]
    assert moving(*over[1:], features=(low,), at=(18, 5, 4), **FLYER) == []


def test_a_path_across_an_enemy_is_found_unless_it_flies() -> None:
    for sheet, found in ((SHEET, ["move.through_enemies", "move.normal"]), (FLYER, [])):
        stage = Stage()
        unit = stage.unit(0, [(10, 5)], **{k: v for k, v in sheet.items() if k != "weapons"})
        stage.unit(1, [(13, 5)])
        stage.step("move units")
        stage.move(unit, "normal", {0: [(16, 5)]})
        assert stage.rules(Moves) == found


def test_a_path_through_engagement_range_is_found() -> None:
    for y, found in ((7.1, []), (6.9, ["move.normal"])):
        stage = Stage()
        unit = stage.unit(0, [(10, 5)])
        stage.unit(1, [(13, y)])
        stage.step("move units")
        stage.move(unit, "normal", {0: [(16, 5)]})
        assert stage.rules(Moves) == found


def test_vehicles_go_around_each_other() -> None:
    stage = Stage()
    tank = stage.unit(0, [(10, 5)], **TANK)
    stage.unit(0, [(15, 5)], **{**TANK, "base": "60mm"})
    stage.step("move units")
    stage.move(tank, "normal", {0: [(20, 5)]})
    assert stage.rules(Moves) == ["move.monster_vehicle_block"]


def test_the_edge_of_the_battlefield_holds() -> None:
    assert moving((10, 0.5)) == []
    assert "move.board_edge" in moving((10, 0.4))


# --- Where it ends ----------------------------------------------------------------------------------------------------


def test_nobody_ends_on_another_model_or_on_a_marker() -> None:
    for x, found in ((14.0, []), (14.1, ["move.no_stacking"])):
        stage = Stage(markers=[(30, 30)])
        unit = stage.unit(0, [(10, 5)])
        stage.unit(0, [(15, 5)])
        stage.step("move units")
        stage.move(unit, "normal", {0: [(x, 5)]})
        assert stage.rules(Moves) == found
    stage = Stage(markers=[(14, 5)])
    unit = stage.unit(0, [(10, 5)])
    stage.step("move units")
    stage.move(unit, "normal", {0: [(13, 5)]})
    assert stage.rules(Moves) == ["objective.movement"]


def test_no_ordinary_move_ends_in_engagement_range() -> None:
    for mode, found in (("normal", ["concept.engagement_limit", "move.normal"]), ("pile_in", ["fight.pile_in"])):
        stage = Stage()
        unit = stage.unit(0, [(10, 5)])
        stage.unit(1, [(15, 5)])
        stage.step("move units")
        stage.move(unit, mode, {0: [(13.05, 5)]}, kind="move" if mode == "normal" else "pile_in")
        assert sorted(stage.rules(Moves)) == found


def test_engagement_range_is_flat_and_reaches_five_inches_up() -> None:
    for z, found in ((5.1, []), (4.9, ["concept.engagement_limit"])):
        stage = Stage(box("hill", 14.4, 4, 4, 4, z, solid=True))
        unit = stage.unit(0, [(10, 5)])
        stage.unit(1, [(15, 5, z)])
        stage.step("move units")
        stage.move(unit, "normal", {0: [(13.5, 5)]})
        assert [r for r in stage.rules(Moves) if r != "move.normal"] == found


def test_who_falls_back_ends_outside_engagement_range() -> None:
    for y, found in ((3.95, []), (4.05, ["concept.engagement_limit"])):
        stage = Stage()
        unit = stage.unit(0, [(10, 5)])
        stage.unit(1, [(10, 6)])
        stage.step("move units")
        stage.move(unit, "fall_back", {0: [(10, y)]})
        assert stage.rules(Moves) == found


def test_a_unit_ends_its_move_in_coherency() -> None:
    for x, found in ((13.0, []), (13.1, ["concept.coherency_move"])):
        stage = Stage()
        unit = stage.unit(0, [(9, 5), (10, 6.5)])
        stage.step("move units")
        stage.move(unit, "normal", {1: [(x - 1, 5)]})
        assert stage.rules(Moves) == found


def test_seven_models_need_two_neighbours_each() -> None:
    for count, found in ((6, []), (7, ["concept.coherency_move"])):
        stage = Stage()
        unit = stage.unit(0, [(10 + 2.5 * i, 5) for i in range(count)])
        stage.step("move units")
        stage.move(unit, "normal", {0: [(10, 5.5)]})
        assert stage.rules(Moves) == found


def test_the_upper_floor_holds_whole_bases_of_those_who_may_climb() -> None:
    up = [("climb", 18, 5, 3), (21, 5, 3)]
    assert moving(*up, features=(RUIN,), at=(18, 5), move=12) == []
    assert moving(up[0], (20.3, 5, 3), features=(RUIN,), at=(18, 5), move=12) == [
        "terrain.ruins_move_through",
        "terrain.ruins_floors",
    ]
    assert "terrain.ruins_floors" in moving(*up, features=(RUIN,), at=(18, 5), move=12, keywords=["MOUNTED"])


def test_nobody_ends_in_mid_climb_or_on_debris() -> None:
    assert moving(("climb", 10, 5, 2.5)) == ["move.climb"]
    debris = box("debris", 12, 3, 4, 4, 1.5, solid=True)
    assert moving((14, 5, 1.5), features=(debris,)) == ["terrain.debris_move"]


# --- Which moves are open ---------------------------------------------------------------------------------------------


def test_an_engaged_unit_makes_no_normal_move_and_a_free_one_does_not_fall_back() -> None:
    for y, mode, found in (
        (6.5, "normal", ["move.options_engaged"]),
        (6.5, "fall_back", []),
        (20.0, "fall_back", ["move.options_free"]),
    ):
        stage = Stage()
        unit = stage.unit(0, [(10, 5)])
        stage.unit(1, [(10, y)])
        stage.step("move units")
        stage.move(unit, mode, {0: [(10, 1)]})
        assert [r for r in stage.rules(Moves) if "options" in r] == found


def test_a_unit_moves_once_and_only_in_its_own_turn() -> None:
    stage = Stage()
    unit = stage.unit(1, [(10, 5)], fields={"moved": "normal"})
    stage.step("move units")
    stage.move(unit, "normal", {0: [(11, 5)]})
    assert stage.rules(Moves) == ["move.select_units", "move.select_units"]


def test_models_do_not_move_unasked_or_elsewhere_than_their_paths_end() -> None:
    stage = Stage()
    unit = stage.unit(0, [(10, 5)])
    stage.step("move units")
    stage.event("moved", models=[0], pos=[[11 * 1024, 5 * 1024, 0]], facing=[0])
    stage.move(unit, "normal", {0: [(12, 5)]})
    stage.items[-1]["pos"] = [[13 * 1024, 5 * 1024, 0]]
    assert stage.rules(Moves) == ["move.select_units", "move.which_models"]


# --- Closing with the enemy -------------------------------------------------------------------------------------------


def charging(
    end: tuple[float, float], *, far: int = 7, friends: Any = (), target: Any = (26.5, 20.0), **more: Any
) -> Stage:
    stage = Stage()
    unit = stage.unit(0, [more.get("start", (20.0, 20.0))])
    enemy = stage.unit(1, [target])
    for spot in friends:
        stage.unit(0, [spot])
    stage.step("charge")
    stage.tell("charge_declared", [unit, enemy])
    stage.roll("charge", far - 3, 3)
    stage.move(unit, "charge", {0: [end]}, kind="charge_move", allowance=far, targets=[enemy], far=far * 1024)
    return stage


def test_a_stop_short_of_contact_is_found_beside_a_bystander() -> None:
    friend = [(24.51, 21.91)]
    assert charging((25.37, 18.87), friends=friend).rules(Closing) == ["charge.base_contact"]
    assert charging((25.7929, 19.2929), friends=friend).rules(Closing) == []


def test_a_stop_short_is_right_where_no_contact_is_in_reach() -> None:
    assert charging((24.9, 20), far=5).rules(Closing) == []


def test_a_charge_ends_within_engagement_range_of_every_target() -> None:
    assert charging((24.4, 20), far=5).rules(Closing) == ["charge.conditions"]


def test_a_charge_goes_as_far_as_it_rolled() -> None:
    stage = charging((25.5, 20))
    for item in stage.items:
        if item.get("reason") == "charge":
            item["faces"] = [3, 3]
    assert stage.rules(Closing) == ["charge.roll"]


def test_a_charging_model_ends_closer() -> None:
    assert "charge.move" in charging((19.5, 19.5)).rules(Closing)


def test_a_charge_keeps_out_of_the_engagement_range_of_others() -> None:
    stage = charging((25.5, 20))
    stage.unit(1, [(25.5, 21.9)])
    assert stage.rules(Moves) == ["charge.conditions", "charge.conditions"]


def test_a_charge_that_can_be_made_does_not_fail() -> None:
    for far, found in ((6, ["charge.fail"]), (4, [])):
        stage = Stage()
        unit = stage.unit(0, [(20, 20), (20, 21.5)])
        enemy = stage.unit(1, [(26.5, 20)])
        stage.step("charge")
        stage.tell("charge_declared", [unit, enemy])
        stage.roll("charge", far - 2, 2)
        stage.tell("charge_failed", [unit])
        assert stage.rules(FailedCharges) == found


def test_a_charge_that_is_walled_off_may_fail() -> None:
    stage = Stage(box("ruins", 23, 0, 0.5, 44, 9, walls=[((23, 0), (23, 44), 0, 9)]))
    unit = stage.unit(0, [(20, 20)], keywords=["MOUNTED"])
    enemy = stage.unit(1, [(26.5, 20)])
    stage.step("charge")
    stage.tell("charge_declared", [unit, enemy])
    stage.roll("charge", 6, 6)
    stage.tell("charge_failed", [unit])
    assert stage.rules(FailedCharges) == []


def stepping_in(
    start: tuple[float, float], end: tuple[float, float], *, mode: str = "pile_in", kind: str = "pile_in", **more: Any
) -> list[str]:
    stage = Stage(markers=more.get("markers", ()))
    unit = stage.unit(0, [start])
    stage.unit(1, [more.get("enemy", (20.0, 20.0))])
    stage.step("fights first")
    if "removed" in more:
        stage.changed("game", removed=more["removed"])
    stage.move(unit, mode, {0: [end]}, kind=kind, allowance=3)
    return stage.rules(Closing)


def test_a_pile_in_goes_closer_and_into_contact() -> None:
    assert stepping_in((18.2, 20), (19, 20)) == []
    assert stepping_in((18.2, 20), (18.7, 20)) == ["fight.pile_in_direction"]
    assert "fight.pile_in_direction" in stepping_in((18.2, 20), (18.1, 20.5))


def test_a_model_in_contact_does_not_pile_in() -> None:
    assert "fight.pile_in" in stepping_in((19, 20), (19.2, 19.4))


def test_a_consolidation_goes_to_the_closest_marker_on_the_table() -> None:
    far = (50.0, 40.0)
    markers = [(25.0, 20.0), (14.0, 20.0)]
    step = {"mode": "objective", "kind": "consolidate", "enemy": far, "markers": markers}
    assert stepping_in((20, 20), (22, 20), **step) == []
    assert stepping_in((20, 20), (18, 20), **step) == ["fight.consolidate_objective"]
    assert stepping_in((20, 20), (22, 20), removed=[0], **step) == ["fight.consolidate_objective"]
    assert stepping_in((20, 20), (22, 20), removed=[0, 1], **step) == ["fight.consolidate_objective"]


# --- Declaring charges ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "gap", "found"),
    [
        ({}, 11.9, []),
        ({}, 12.2, ["charge.eligible", "charge.targets"]),
        ({"moved": "advance"}, 6.0, ["move.advance_limits"]),
        ({"moved": "fall_back"}, 6.0, ["move.fall_back_limits"]),
        ({"disembarked": "after"}, 6.0, ["transport.disembark_after_move"]),
        ({}, 0.8, ["charge.eligible"]),
    ],
)
def test_who_may_charge_whom(fields: dict[str, Any], gap: float, found: list[str]) -> None:
    stage = Stage()
    unit = stage.unit(0, [(10, 10)], fields=fields)
    enemy = stage.unit(1, [(11 + gap, 10)])
    stage.step("charge begins")
    stage.step("charge")
    stage.tell("charge_declared", [unit, enemy])
    assert stage.rules(Charges) == found


def test_a_unit_declares_one_charge_in_its_own_charge_step() -> None:
    stage = Stage()
    unit, enemy = stage.unit(0, [(10, 10)]), stage.unit(1, [(16, 10)])
    stage.step("charge begins")
    stage.step("charge")
    stage.tell("charge_declared", [unit, enemy])
    stage.tell("charge_declared", [unit, enemy])
    stage.step("shooting")
    stage.tell("charge_declared", [enemy, unit])
    assert stage.rules(Charges) == ["charge.sequence", "charge.sequence", "charge.sequence", "charge.eligible"]


# --- Setting up -------------------------------------------------------------------------------------------------------


def setting_up(
    kind: str, spot: tuple[float, float], *, step: str = "reinforcements", enemy: Any = (40.0, 40.0), **more: Any
) -> list[str]:
    stage = Stage()
    stage.clock["round"] = more.pop("round", 2)
    fields = more.pop("fields", {})
    unit = stage.unit(0, [(0, 0)], place=more.pop("place", OFF), fields=fields, **more)
    stage.unit(1, [enemy])
    stage.unit(0, [(30, 20)], **{**TANK, "keywords": ["VEHICLE", "TRANSPORT"]})
    stage.step(step)
    stage.set_up(unit, kind, {0: spot})
    return stage.rules(SettingUp)


def test_units_are_deployed_in_their_zone() -> None:
    assert setting_up("deploy", (20, 9.5)) == []
    assert setting_up("deploy", (20, 9.6)) == ["onlywar.deploy"]
    assert setting_up("deploy", (20, 20), abilities=["infiltrators"]) == []
    assert setting_up("deploy", (20, 24.6), abilities=["infiltrators"]) == ["ability.infiltrators"]


def test_deep_strike_keeps_nine_inches_away() -> None:
    fields = {"reserve": "deep strike"}
    assert setting_up("arrive", (29.9, 40), fields=fields) == []
    assert setting_up("arrive", (30.1, 40), fields=fields) == ["ability.deep_strike"]
    assert setting_up("arrive", (20, 20), fields=fields, step="shooting") == ["move.steps"]


def test_strategic_reserves_arrive_at_an_edge_from_the_second_round_on() -> None:
    fields = {"reserve": "strategic"}
    assert setting_up("arrive", (5.5, 20), fields=fields) == []
    assert setting_up("arrive", (5.6, 20), fields=fields) == ["reserve.strategic_round2"]
    assert setting_up("arrive", (5.5, 20), fields=fields, round=1) == ["reserve.strategic_timing"]
    assert setting_up("arrive", (5.5, 40), fields=fields) == ["reserve.strategic_round2"]
    assert setting_up("arrive", (5.5, 40), fields=fields, round=3) == []


def test_nobody_is_set_up_on_somebody_or_in_engagement_range() -> None:
    fields = {"reserve": "deep strike"}
    assert "move.no_stacking" in setting_up("arrive", (30, 21), fields=fields)
    assert "concept.engagement_limit" in setting_up("arrive", (39, 38.5), fields=fields)


def test_who_disembarks_is_wholly_within_three_inches() -> None:
    fields = {"embarked": 2}
    stage = Stage()
    stage.step("movement begins")
    for y, found in ((23.9, []), (24.1, ["transport.disembark_setup"])):
        stage = Stage()
        unit = stage.unit(0, [(0, 0)], place=2, fields={"embarked": 1})
        carrier = stage.unit(0, [(30, 20)], **TANK)
        assert carrier == 1
        stage.step("movement begins")
        stage.tell("phase", phase="movement")
        stage.step("move units")
        stage.set_up(unit, "disembark", {0: (30, y)})
        assert stage.rules(SettingUp) == found
    assert "transport.disembark_when" in setting_up("disembark", (30, 23), fields=fields, place=2, step="shooting")


def test_nobody_disembarks_after_an_advance() -> None:
    stage = Stage()
    unit = stage.unit(0, [(0, 0)], place=2, fields={"embarked": 1})
    stage.unit(0, [(30, 20)], fields={"moved": "advance"}, **TANK)
    stage.tell("phase", phase="movement")
    stage.step("move units")
    stage.set_up(unit, "disembark", {0: (30, 23)})
    assert stage.rules(SettingUp) == ["transport.disembark_forbidden"]


def test_nobody_comes_back_to_a_destroyed_bodyguard() -> None:
    for lost, found in ((1, []), (2, ["unit.attached_strength"])):
        stage = Stage(abilities=[{"name": "Return", "player": 0, "effects": []}])
        unit = stage.unit(0, [(20, 20), (22, 20)], leader=[(21, 21.5)])
        stage.step("command")
        stage.gone(*range(lost))
        stage.set_up(unit, "return_models", {0: (20, 20)})
        assert stage.rules(SettingUp) == found


# --- Transports and preparations --------------------------------------------------------------------------------------


def test_who_embarks_is_within_three_inches_and_has_moved() -> None:
    room = {"capacity": 1, "carries": ["INFANTRY"], "special": []}
    for y, fields, found in (
        (24.9, {"moved": "normal"}, []),
        (25.1, {"moved": "normal"}, ["transport.embark"]),
        (24.9, {"moved": "stationary"}, ["transport.embark"]),
        (24.9, {"moved": "normal", "disembarked": "before"}, ["transport.embark"]),
    ):
        stage = Stage()
        unit = stage.unit(0, [(30, y)], fields=fields)
        carrier = stage.unit(0, [(30, 20)], **TANK, transport=room)
        stage.step("move units")
        stage.changed("unit", unit, embarked=carrier)
        stage.event("placed", models=[0], place=2)
        stage.tell("embarked", [unit, carrier])
        assert stage.rules(Transports) == found


def test_a_transport_has_room_for_so_many_of_its_kinds() -> None:
    for capacity, keywords, found in (
        (2, ["INFANTRY"], []),
        (1, ["INFANTRY"], ["transport.capacity"]),
        (2, ["BEAST"], ["transport.capacity"]),
    ):
        stage = Stage()
        room = {"capacity": capacity, "carries": ["INFANTRY"], "special": []}
        unit = stage.unit(0, [(30, 23), (31, 23)], place=2, fields={"embarked": 1}, keywords=keywords)
        carrier = stage.unit(0, [(30, 20)], **TANK, transport=room)
        stage.tell("embarked", [unit, carrier])
        assert stage.rules(Transports) == found


def test_markers_keep_their_distances_and_are_placed_in_turn() -> None:
    for second, players, found in (
        ((24.0, 20.0), (0, 1), []),
        ((20.5, 20.0), (0, 1), ["onlywar.markers"]),
        ((24.0, 20.0), (0, 0), ["onlywar.markers"]),
        ((24.0, 6.5), (0, 1), ["onlywar.markers"]),
    ):
        stage = Stage(mission={"placed": 2})
        spots = [[10 * 1024, 20 * 1024, 0], [round(second[0] * 1024), round(second[1] * 1024), 0]]
        for i, player in enumerate(players):
            stage.answer("place_marker", [], shape="plot", player=player)
            stage.changed("game", markers=spots[: i + 1])
        stage.tell("round", round=1)
        assert stage.rules(Preparing) == found


def test_strategic_reserves_take_a_quarter_of_the_points() -> None:
    for points, found in ((250, []), (251, ["reserve.strategic_limit"])):
        stage = Stage()
        unit = stage.unit(0, [(0, 0)], place=OFF, fields={"reserve": "strategic"})
        stage.roster[0]["points"] = points
        stage.tell("reserves", [unit])
        assert stage.rules(Preparing) == found
