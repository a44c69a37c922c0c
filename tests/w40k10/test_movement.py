"""The Movement phase: Normal moves, Advances, Falling Back, flying."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.battle.events import Told
from sandtable.systems.w40k10.movement_phase import allowance, eligible_to_move, movement_steps
from sandtable.systems.w40k10.state import Battle10
from sandtable.table.grid import STEP, steps
from w40k10.arms import gun, sheet
from w40k10.table import (
    HERO,
    JUMPER,
    RIDER,
    TANK,
    TROOPER,
    asked,
    cites,
    give,
    judge,
    kinds,
    named,
    offered,
    places,
    refused_by,
    rolls,
    row,
    situation,
    told,
    unit,
)

FOE = unit("Blues", "blue", TROOPER, [(40, 25)])
OVAL = {**TANK, "name": "Oval", "base": "101.6x50.8mm", "move": 6}


def one(sheet: dict[str, object] = TROOPER, at: tuple[float, ...] = (10, 10), *others: object) -> Battle10:
    """A single red model that has been selected to move."""
    b = situation([unit("Reds", "red", sheet, [at]), *(others or (FOE,))])  # type: ignore[list-item]
    give(b, "move_with", "Reds")
    return b


def normal(x: float, y: float) -> dict[str, object]:
    return {"mode": "normal", "to": [[x, y]]}


# --- Selecting --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("w40k10.move.select_units", check=1)
@pytest.mark.rule("w40k10.move.select_units", check=3)
def test_units_of_the_active_player_are_selected_once_each() -> None:
    b = situation(
        [
            unit("One", "red", TROOPER, [(10, 10)]),
            unit("Two", "red", TROOPER, [(14, 10)]),
            unit("Away", "red", TROOPER, off=1),
            FOE,
        ]
    )
    assert offered(b, "move_with") == ["One", "Two"]
    for name in ("Away", "Blues"):
        assert cites(judge(b, "move_with", name)) == {"w40k10.move.select_units"}
        assert cites(eligible_to_move(b, named(b, name))) == {"w40k10.move.select_units"}
    give(b, "move_with", "One")
    give(b, "move", {"mode": "stationary"})
    assert offered(b, "move_with") == ["Two"]
    assert not b.why_not("move", named(b, "One").id)


@pytest.mark.rule("w40k10.move.select_units", check=2)
def test_a_move_is_finished_before_the_next_unit_is_selected() -> None:
    b = situation([unit("One", "red", TROOPER, [(10, 10)]), unit("Two", "red", TROOPER, [(14, 10)]), FOE])
    give(b, "move_with", "One")
    assert kinds(b) == ["move"]
    give(b, "move", normal(10, 12))
    assert offered(b, "move_with") == ["Two"]


@pytest.mark.rule("w40k10.move.select_units", check=4)
@pytest.mark.rule("w40k10.move.stationary", check=2)
def test_who_is_not_selected_remains_stationary() -> None:
    b = situation([unit("One", "red", TROOPER, [(10, 10)]), unit("Two", "red", TROOPER, [(14, 10)]), FOE])
    give(b, "move_with", "One")
    give(b, "move", {"mode": "stationary"})
    assert named(b, "One").moved == "stationary"
    assert "stationary" in told(b)
    refused_by(b, "move_with", "One", "w40k10.move.select_units")
    give(b, "move_with", "pass")
    changed = [e.fields for e in b.events if getattr(e, "what", "") == "unit" and e.id == named(b, "Two").id]
    assert {"moved": "stationary"} in changed


@pytest.mark.rule("w40k10.move.stationary", check=1)
def test_nobody_moves_in_a_stationary_unit() -> None:
    b = one()
    refused_by(b, "move", {"mode": "stationary", "to": [[10, 11]]}, "w40k10.move.stationary")


# --- Options ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("w40k10.move.options_free", check=1)
@pytest.mark.rule("w40k10.move.options_free", check=2)
def test_an_unengaged_unit_moves_or_advances_but_does_not_fall_back() -> None:
    b = one()
    assert [m.name for m in asked(b, "move").modes] == ["stationary", "normal", "advance"]  # type: ignore[attr-defined]
    assert "w40k10.move.options_free" in cites(b.why_not("fall_back", 0))


@pytest.mark.rule("w40k10.move.options_free", check=2)
def test_a_unit_that_is_engaged_may_fall_back() -> None:
    b = one(TROOPER, (10, 10), unit("Blues", "blue", TROOPER, [(11.5, 10)]))
    assert b.why_not("fall_back", 0)


@pytest.mark.rule("w40k10.move.options_engaged", check=1)
@pytest.mark.rule("w40k10.move.options_engaged", check=2)
def test_an_engaged_unit_stays_or_falls_back() -> None:
    b = one(TROOPER, (10, 10), unit("Blues", "blue", TROOPER, [(11.5, 10)]))
    assert [m.name for m in asked(b, "move").modes] == ["stationary", "fall_back"]  # type: ignore[attr-defined]
    assert "w40k10.move.options_engaged" in cites(b.why_not("advance", 0))


@pytest.mark.rule("w40k10.move.options_engaged", check=3)
def test_a_unit_that_was_freed_may_move_again() -> None:
    b = situation(
        [
            unit("Reds", "red", TROOPER, [(10, 10)]),
            unit("Others", "red", TROOPER, [(20, 20)]),
            unit("Blues", "blue", TROOPER, [(11.5, 10)]),
            unit("Far", "blue", TROOPER, [(40, 25)]),
        ]
    )
    assert not b.why_not("move", 0)
    b.place_models(list(named(b, "Blues").models), 3)
    assert b.why_not("move", 0)


# --- Paths ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("w40k10.move.normal", check=1)
@pytest.mark.rule("w40k10.move.distance", check=4)
def test_a_model_goes_as_far_as_its_move_and_no_further() -> None:
    b = one()
    refused_by(b, "move", normal(16.1, 10), "w40k10.move.distance", "w40k10.move.normal")
    refused_by(b, "move", normal(16 + 1 / STEP, 10), "w40k10.move.distance", "w40k10.move.normal")
    give(b, "move", normal(16, 10))
    assert places(b, "Reds") == [(16, 10, 0)]
    assert "moved" in told(b)


@pytest.mark.rule("w40k10.move.normal", check=3)
def test_models_use_their_own_move() -> None:
    b = situation(
        [
            unit("Reds", "red", TROOPER, row(3, (10, 10))),
            unit("Hero", "red", {**HERO, "move": 7}, [(10, 11.5)], leads="Reds"),
            FOE,
        ]
    )
    give(b, "move_with", "Reds")
    refused_by(b, "move", {"mode": "normal", "by": [0, 7]}, "w40k10.move.distance")
    assert judge(b, "move", {"mode": "normal", "to": [[10, 16], [11.5, 16], [13, 16], [10, 18.5]]})


@pytest.mark.rule("w40k10.move.normal", check=2)
@pytest.mark.rule("w40k10.move.advance", check=3)
def test_a_path_through_engagement_range_is_refused() -> None:
    foe = unit("Blues", "blue", TROOPER, [(13, 11.5)])
    b = one(TROOPER, (10, 10), foe)
    refused_by(b, "move", normal(16, 10), "w40k10.move.normal")
    b = situation([unit("Reds", "red", TROOPER, [(10, 10)]), foe], dice={"advance": [6]})
    give(b, "move_with", "Reds")
    give(b, "move", {"mode": "advance"})
    refused_by(b, "complete_move", {"mode": "advance", "to": [[16, 10]]}, "w40k10.move.advance")


@pytest.mark.rule("w40k10.move.normal", check=4)
def test_after_a_normal_move_a_unit_may_shoot_and_charge() -> None:
    b = one(TROOPER, (10, 10), unit("Blues", "blue", {**TROOPER, "wounds": 9}, [(24, 10)]))
    give(b, "move", normal(16, 10))
    assert offered(b, "shoot_with") == ["Reds"]
    give(b, "shoot_with", "pass")
    assert offered(b, "charge_with") == ["Reds"]


@pytest.mark.rule("w40k10.concept.engagement_limit", check=2)
def test_no_ordinary_move_ends_in_engagement_range() -> None:
    b = one(JUMPER, (10, 10), unit("Blues", "blue", TROOPER, [(15, 10)]))
    refused_by(b, "move", normal(13.5, 10), "w40k10.concept.engagement_limit")
    assert judge(b, "move", normal(12.9, 10))


@pytest.mark.rule("w40k10.move.which_models", check=1)
@pytest.mark.rule("w40k10.move.which_models", check=2)
@pytest.mark.rule("w40k10.move.which_models", check=3)
def test_any_models_move_in_any_order_and_may_turn() -> None:
    b = situation([unit("Reds", "red", TROOPER, row(3, (10, 10))), FOE])
    give(b, "move_with", "Reds")
    paths = {3: [[13, 11]], 1: [{"do": "turn", "to": [10, 10], "facing": 90}]}
    give(b, "move", {"mode": "normal", "paths": paths})
    assert places(b, "Reds") == [(10, 10, 0), (11.5, 10, 0), (13, 11, 0)]
    assert int(b.state.models.facing[0]) == 1024


@pytest.mark.rule("w40k10.move.through_enemies", check=1)
@pytest.mark.rule("w40k10.move.through_enemies", check=2)
def test_nobody_moves_across_enemy_bases_not_even_with_an_edge() -> None:
    enemy = unit("Blues", "blue", TROOPER, [(13, 10)])
    b = situation(
        [unit("Reds", "red", TROOPER, [(10, 10)]), enemy],
        step="charge_phase",
        dice={"charge": [6, 6]},
    )
    give(b, "charge_with", "Reds")
    across = {"mode": "charge", "to": [[14, 10]]}
    refused_by(b, "charge_move", across, "w40k10.move.through_enemies")
    # 1" bases in a gap that is a little narrower than 1".
    b = situation(
        [
            unit("Reds", "red", TROOPER, [(10, 10)]),
            unit("Blues", "blue", TROOPER, [(13, 9.02), (13, 10.98)]),
        ],
        step="charge_phase",
        dice={"charge": [6, 6]},
    )
    give(b, "charge_with", "Reds")
    refused_by(b, "charge_move", {"mode": "charge", "to": [[14, 10]]}, "w40k10.move.through_enemies")


@pytest.mark.rule("w40k10.move.through_enemies", check=1)
def test_who_flies_or_falls_back_moves_across_enemy_bases() -> None:
    b = situation(
        [unit("Reds", "red", JUMPER, [(10, 10)]), unit("Blues", "blue", TROOPER, [(13, 10)])],
        step="charge_phase",
        dice={"charge": [6, 6]},
    )
    give(b, "charge_with", "Reds")
    assert judge(b, "charge_move", {"mode": "charge", "to": [[14, 10]]})
    back = one(TROOPER, (10, 10), unit("Blues", "blue", TROOPER, [(11.5, 10)]))
    assert judge(back, "move", {"mode": "fall_back", "to": [[15, 10]]})


@pytest.mark.rule("w40k10.move.through_friends", check=1)
def test_infantry_moves_across_a_friendly_vehicle() -> None:
    b = one(TROOPER, (10, 10), unit("Tank", "red", TANK, [(13, 10)], facing=90), FOE)
    give(b, "move", normal(16, 10))
    assert places(b, "Reds") == [(16, 10, 0)]


@pytest.mark.rule("w40k10.move.through_friends", check=2)
def test_a_vehicle_moves_across_friendly_infantry() -> None:
    b = one(TANK, (10, 10), unit("Others", "red", TROOPER, [(14, 10)]), FOE)
    assert judge(b, "move", normal(18, 10))


@pytest.mark.rule("w40k10.move.monster_vehicle_block", check=1)
def test_a_vehicle_goes_around_a_friendly_monster() -> None:
    monster = {**TANK, "name": "Monster", "keywords": ["MONSTER"]}
    b = one(TANK, (10, 10), unit("Monster", "red", monster, [(15, 10)], facing=90), FOE)
    refused_by(b, "move", normal(20, 10), "w40k10.move.monster_vehicle_block")
    rider = one(RIDER, (10, 10), unit("Monster", "red", monster, [(15, 10)], facing=90), FOE)
    assert judge(rider, "move", normal(20, 10))


@pytest.mark.rule("w40k10.move.monster_vehicle_block", check=2)
def test_vehicles_of_one_unit_are_in_each_others_way() -> None:
    b = situation([unit("Reds", "red", TANK, [(10, 10), (15, 10)]), FOE])
    give(b, "move_with", "Reds")
    paths = {1: [[20, 10]]}
    refused_by(b, "move", {"mode": "normal", "paths": paths}, "w40k10.move.monster_vehicle_block")
    assert judge(b, "move", {"mode": "normal", "by": [5, 0]}).ok is False
    first_the_other = {2: [[20, 10]], 1: [[15, 10]]}
    assert judge(b, "move", {"mode": "normal", "paths": first_the_other})


@pytest.mark.rule("w40k10.move.monster_vehicle_block", check=3)
def test_a_flying_vehicle_crosses_a_friendly_one() -> None:
    flyer = {**TANK, "name": "Flyer", "keywords": ["VEHICLE", "FLY"]}
    b = one(flyer, (10, 10), unit("Tank", "red", TANK, [(15, 10)], facing=90), FOE)
    assert judge(b, "move", normal(20, 10))
    walker = one(TANK, (10, 10), unit("Tank", "red", TANK, [(15, 10)], facing=90), FOE)
    refused_by(walker, "move", normal(20, 10), "w40k10.move.monster_vehicle_block")


@pytest.mark.rule("w40k10.move.board_edge", check=1)
@pytest.mark.rule("w40k10.move.board_edge", check=2)
def test_a_base_may_be_flush_with_the_edge_but_not_over_it() -> None:
    b = one(TROOPER, (3, 10))
    refused_by(b, "move", normal(0.4, 10), "w40k10.move.board_edge")
    give(b, "move", normal(0.5, 10))
    assert places(b, "Reds") == [(0.5, 10, 0)]


@pytest.mark.rule("w40k10.move.no_stacking", check=1)
@pytest.mark.rule("w40k10.move.no_stacking", check=2)
@pytest.mark.rule("w40k10.move.no_stacking", check=3)
def test_nobody_ends_on_top_of_anybody_but_bases_may_touch() -> None:
    b = one(JUMPER, (10, 10), unit("Others", "red", TROOPER, [(14, 10)]), unit("Blues", "blue", TROOPER, [(20, 10)]))
    refused_by(b, "move", normal(13.1, 10), "w40k10.move.no_stacking")
    verdict = judge(b, "move", normal(19.5, 10))
    assert "w40k10.move.no_stacking" in cites(verdict)
    assert judge(b, "move", normal(13, 10))


@pytest.mark.rule("w40k10.move.distance", check=1)
@pytest.mark.rule("w40k10.move.distance", check=2)
def test_turning_costs_nothing_on_a_round_base_and_half_a_circle_on_an_oval() -> None:
    turn = [{"do": "turn", "to": [10, 10], "facing": 180}]
    b = one({**TROOPER, "move": 0})
    assert judge(b, "move", {"mode": "normal", "paths": {1: turn}})
    oval = one(OVAL)
    verdict = refused_by(oval, "move", {"mode": "normal", "paths": {1: turn}}, "w40k10.move.distance")
    assert verdict.reasons[0].facts["far"] == pytest.approx(6.283, abs=0.02)
    hull = one({**TANK, "move": 7})
    verdict = refused_by(hull, "move", {"mode": "normal", "paths": {1: turn}}, "w40k10.move.distance")
    assert verdict.reasons[0].facts == {"far": 7.854, "limit": 7}, 'the corners of 4" by 3" are 2.5" from the middle'
    assert judge(one({**OVAL, "move": 7}), "move", {"mode": "normal", "paths": {1: turn}})


@pytest.mark.rule("w40k10.move.distance", check=3)
def test_a_detour_costs_its_full_length() -> None:
    b = one()
    detour = {"mode": "normal", "paths": {1: [[10, 14], [13, 14]]}}
    verdict = refused_by(b, "move", detour, "w40k10.move.distance")
    assert verdict.reasons[0].facts["far"] == 7.0
    verdict = refused_by(b, "move", normal(16 + 136 / STEP, 10), "w40k10.move.distance")
    assert verdict.reasons[0].facts["far"] == 6.133, "in thousandths of an inch"


@pytest.mark.rule("w40k10.datasheet.move_dash", check=1)
def test_who_has_no_move_never_moves() -> None:
    fixed = {**TROOPER, "move": None}
    b = situation([unit("Reds", "red", fixed, [(10, 10)]), unit("Blues", "blue", TROOPER, [(16, 10)])])
    give(b, "move_with", "Reds")
    assert [m.name for m in asked(b, "move").modes] == ["stationary"]  # type: ignore[attr-defined]
    b.set_unit(named(b, "Reds"), near=True)
    assert "w40k10.datasheet.move_dash" in cites(b.why_not("charge", 0))


@pytest.mark.rule("w40k10.datasheet.random_move", check=1)
@pytest.mark.rule("w40k10.datasheet.random_move", check=2)
def test_a_random_move_is_rolled_once_when_the_unit_is_selected() -> None:
    b = situation([unit("Reds", "red", {**TROOPER, "move": "2D6"}, row(3, (10, 10))), FOE], dice={"move": [3, 4]})
    assert rolls(b) == []
    give(b, "move_with", "Reds")
    assert rolls(b) == [("move", (3, 4))]
    refused_by(b, "move", {"mode": "normal", "by": [0, 7.1]}, "w40k10.move.distance")
    give(b, "move", {"mode": "normal", "by": [0, 7]})
    assert places(b, "Reds")[0] == (10, 17, 0)


@pytest.mark.rule("w40k10.datasheet.random_move", check=1)
def test_a_roll_is_for_those_whose_move_is_random_alone() -> None:
    b = situation(
        [
            unit("Reds", "red", TROOPER, row(2, (10, 10))),
            unit("Hero", "red", {**HERO, "move": "2D6"}, [(10, 11.5)], leads="Reds"),
            unit("Others", "red", TROOPER, [(30, 10)]),
            FOE,
        ],
        dice={"move": [1, 2]},
    )
    give(b, "move_with", "Others")
    give(b, "move", {"mode": "normal", "by": [0, 6]})
    give(b, "move_with", "Reds")
    assert rolls(b) == [("move", (1, 2))]
    assert [allowance(b, named(b, "Reds"), m, "normal") for m in named(b, "Reds").models] == [
        steps(6),
        steps(6),
        steps(3),
    ]


# --- Advancing --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("w40k10.move.advance", check=1)
@pytest.mark.rule("w40k10.move.advance", check=2)
def test_one_roll_lets_the_whole_unit_go_further() -> None:
    b = situation([unit("Reds", "red", TROOPER, row(3, (10, 10))), FOE], dice={"advance": [4]})
    give(b, "move_with", "Reds")
    refused_by(b, "move", {"mode": "advance", "by": [0, 7]}, "w40k10.move.advance")
    give(b, "move", {"mode": "advance"})
    assert rolls(b) == [("advance", (4,))]
    refused_by(b, "complete_move", {"mode": "advance", "by": [0, 10.1]}, "w40k10.move.advance")
    give(b, "complete_move", {"mode": "advance", "by": [0, 10]})
    assert places(b, "Reds") == [(10, 20, 0), (11.5, 20, 0), (13, 20, 0)]


@pytest.mark.rule("w40k10.move.advance", check=4)
def test_who_rolled_has_advanced_even_without_a_step() -> None:
    b = situation([unit("Reds", "red", TROOPER, [(10, 10)]), unit("B", "red", TROOPER, [(30, 5)]), FOE], dice=[3])
    give(b, "move_with", "Reds")
    give(b, "move", {"mode": "advance"})
    give(b, "complete_move", {"mode": "advance"})
    reds = named(b, "Reds")
    assert reds.moved == "advance"
    assert [allowance(b, reds, 0, move) for move in ("normal", "advance", "fall_back")] == [
        steps(6),
        steps(9),
        steps(6),
    ]


@pytest.mark.rule("w40k10.move.advance_limits", check=2)
@pytest.mark.rule("w40k10.move.fall_back_limits", check=2)
@pytest.mark.parametrize("moved", ["advance", "fall_back"])
def test_who_advanced_or_fell_back_does_not_charge(moved: str) -> None:
    b = situation(
        [
            unit("Reds", "red", TROOPER, [(10, 10)], moved=moved),
            unit("Others", "red", TROOPER, [(10, 14)]),
            unit("Blues", "blue", TROOPER, [(18, 10)]),
        ],
        step="charge_phase",
    )
    assert offered(b, "charge_with") == ["Others"]
    assert f"w40k10.move.{moved}_limits" in cites(judge(b, "charge_with", "Reds"))


def test_nobody_embarks_without_a_transport() -> None:
    b = one()
    assert not judge(b, "move", {"mode": "normal", "to": [[11, 10]], "onto": "Blues"})


# --- Steps of the phase -----------------------------------------------------------------------------------------------


@pytest.mark.rule("w40k10.move.steps", check=1)
@pytest.mark.rule("w40k10.move.steps", check=2)
def test_reserves_arrive_when_all_have_moved_and_then_the_shooting_phase_begins() -> None:
    units = [
        unit("Reds", "red", TROOPER, [(10, 10)]),
        unit("Drop", "red", TROOPER, off=1, reserve="deep strike"),
        unit("Second drop", "red", TROOPER, off=1, reserve="deep strike"),
        FOE,
    ]
    b = situation(units, step="movement_phase")
    assert "Drop" not in offered(b, "move_with")
    give(b, "move_with", "Reds")
    give(b, "move", {"mode": "normal", "by": (0, 3)})
    give(b, "arrive_with", "Drop")
    give(b, "arrive", [(5, 25)])
    assert b.state.game.phase == "movement"
    give(b, "arrive_with", "pass")
    tale = [e.data.get("phase", e.kind) for e in b.events if isinstance(e, Told) and e.kind in ("phase", "arrived")]
    assert tale[:3] == ["movement", "arrived", "shooting"]
    names = [step.__name__ for step in movement_steps()]
    assert names.index("move_units") < names.index("reinforcements")


# --- After an Advance or a Fall Back ----------------------------------------------------------------------------------

ARMED = {"assault": gun("assault"), "plain": gun(), "pistol": gun("pistol")}


def hurried(moved: str, *weapons: Any, **changes: Any) -> Any:
    """Whether Reds with these weapons may shoot after such a move, and what stands against it."""
    reds = unit("Reds", "red", sheet(*weapons, name="Runner", **changes), [(10, 10)], moved=moved)
    spare = unit("Spares", "red", TROOPER, [(10, 20)])
    b = situation([reds, spare, unit("Blues", "blue", TROOPER, [(20, 10)])], step="shoot_units")
    return b.why_not("shoot", named(b, "Reds").id)


@pytest.mark.rule("w40k10.move.advance_limits", check=1)
def test_who_advanced_shoots_with_assault_weapons_only() -> None:
    assert "w40k10.move.advance_limits" in cites(hurried("advance", ARMED["plain"]))
    assert hurried("advance", ARMED["plain"], ARMED["assault"]).ok
    assert hurried("normal", ARMED["plain"]).ok


@pytest.mark.rule("w40k10.move.fall_back_limits", check=1)
@pytest.mark.rule("w40k10.move.fall_back_limits", check=3)
@pytest.mark.parametrize("kind", ["INFANTRY", "MONSTER", "VEHICLE"])
def test_who_fell_back_does_not_shoot_with_anything(kind: str) -> None:
    for weapon in ARMED.values():
        assert "w40k10.move.fall_back_limits" in cites(hurried("fall_back", weapon, keywords=[kind]))
