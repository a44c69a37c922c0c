"""A refused move or set-up says which model is meant, what is against it, and by how much."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from sandtable.battle import Spot
from sandtable.battle.tables import FeatureDoc, FloorDoc
from sandtable.forty.state import called, called_all
from sandtable.systems.w40k10.setting_up import judge_spots
from sandtable.systems.w40k10.state import Battle10
from sandtable.table.grid import steps
from w40k10.table import (
    HERO,
    JUMPER,
    RIDER,
    TANK,
    TROOPER,
    asked,
    feature,
    give,
    judge,
    named,
    row,
    situation,
    unit,
    wall,
)
from w40k10.test_deployment import at_deployment, line
from w40k10.test_fight import piling

FOES = unit("Blues", "blue", TROOPER, [(20, 20), (20, 22)])
SMALL_TANK = {**TANK, "base": "25.4mm"}


def said(b: Battle10, kind: str, answer: Any) -> list[str]:
    """The sentences of a refusal."""
    verdict = judge(b, kind, answer)
    assert not verdict.ok
    return [reason.text for reason in verdict.reasons]


def three(sheet: dict[str, Any] = TROOPER, *others: Any, at: Any = None, **more: Any) -> Battle10:
    """Three models in a row, from (10, 10) on, selected to move."""
    places = at or row(3, (10, 10))
    terrain = more.pop("terrain", [])
    b = situation([unit("Reds", "red", sheet, places), *others, FOES], terrain, **more)
    give(b, "move_with", "Reds")
    return b


def paths(mode: str = "normal", **legs: list[Any]) -> dict[str, Any]:
    """Paths by number of the model: `_2=[[12, 14]]`."""
    return {"mode": mode, "paths": {int(number[1:]): way for number, way in legs.items()}}


# --- Names ------------------------------------------------------------------------------------------------------------


def test_a_model_is_called_by_what_it_is_and_its_number() -> None:
    b = three(TROOPER, unit("Boss", "red", HERO, [(13, 12)], leads="Reds"), unit("Tank", "red", TANK, [(30, 5)]))
    models = [int(m) for m in b.on_table(named(b, "Reds"))]
    assert [called(b, m) for m in models] == ["Trooper 1", "Trooper 2", "Trooper 3", "Hero 4"]
    assert called(b, int(b.on_table(named(b, "Tank"))[0])) == "Tank"


@pytest.mark.parametrize(
    ("count", "names"),
    [
        (1, "Trooper 1"),
        (2, "Trooper 1 and 2"),
        (4, "Trooper 1, 2, 3 and 4"),
        (5, "Trooper 1, 2, 3 and 2 more"),
    ],
)
def test_of_many_models_some_are_named(count: int, names: str) -> None:
    b = situation([unit("Reds", "red", TROOPER, row(6, (10, 10))), FOES])
    assert called_all(b, [int(m) for m in b.on_table(named(b, "Reds"))][:count]) == names


def test_models_of_other_kinds_among_many_keep_their_names() -> None:
    b = three(TROOPER, unit("Boss", "red", HERO, [(13, 12)], leads="Reds"), unit("Tank", "red", TANK, [(30, 5)]))
    models = [int(m) for m in b.on_table(named(b, "Reds"))]
    assert called_all(b, models) == "Trooper 1, 2, 3 and Hero 4"
    tank = int(b.on_table(named(b, "Tank"))[0])
    assert called_all(b, [models[0], models[3], models[1], tank]) == "Trooper 1, Hero 4, Trooper 2 and Tank"


# --- On the way -------------------------------------------------------------------------------------------------------


def test_too_far_says_who_how_far_and_how_much_too_far() -> None:
    assert said(three(), "move", paths(_2=[[11.5, 15]], _3=[[13, 16.25]])) == [
        'Trooper 3 would go 6.25", but may go 6.00": 0.25" too far.'
    ]


def test_who_cannot_move_at_all_is_named() -> None:
    b = situation(
        [
            unit(
                "Reds", "red", TROOPER, row(3, (10, 10)), loadout=[{"models": [2], "sheet": {**TROOPER, "move": None}}]
            ),
            FOES,
        ]
    )
    give(b, "move_with", "Reds")
    assert said(b, "move", paths(_2=[[11.5, 10.5]])) == ["Trooper 2 cannot move at all."]


def test_over_the_edge_says_by_how_much() -> None:
    b = three(at=row(3, (3, 3)))
    assert said(b, "move", paths(_1=[[0.25, 3]], _2=[[1.5, 3]])) == [
        'Trooper 1 would cross the edge of the battlefield, by 0.25".'
    ]


def test_an_edge_that_is_crossed_and_left_again_has_no_measure() -> None:
    b = three(at=row(3, (3, 3)))
    assert said(b, "move", paths(_1=[[0.25, 3], [1.5, 3]])) == ["Trooper 1 would cross the edge of the battlefield."]


def test_vehicles_are_told_whom_to_go_around() -> None:
    b = three(SMALL_TANK, unit("Wagon", "red", SMALL_TANK, [(10, 13)]))
    assert said(b, "move", paths(_1=[[10, 16]], _2=[[11.5, 14.5]], _3=[[13, 13]])) == [
        "Tank 1 would move across Wagon: MONSTERS and VEHICLES go around each other."
    ]


def test_vehicles_that_stay_while_others_fall_back_are_told_to_come_along() -> None:
    b = three(SMALL_TANK, unit("Grots", "blue", TROOPER, [(10, 8.2)]))
    assert said(b, "move", paths("fall_back", _2=[[11.5, 11]])) == [
        'Tank 1 would end 0.80" from Grots, within Engagement Range (1.00").'
    ]
    assert judge(b, "move", paths("fall_back", _1=[[10, 10.5]]))


def test_a_way_past_enemies_names_the_range_that_is_closed() -> None:
    b = situation([unit("Reds", "red", {**TROOPER, "move": 12}, [(16, 18.5), (14.5, 18.5)]), FOES])
    give(b, "move_with", "Reds")
    assert said(b, "move", paths(_1=[[22, 18.5]], _2=[[22, 16.9], [23.5, 18]])) == [
        'Trooper 1 would pass within 1.00" of Blues, in Engagement Range.'
    ]


def test_a_wall_says_whom_it_stops_and_how_high_it_is() -> None:
    ruin = FeatureDoc(kind="ruins", rect=(9, 12, 8, 4), height=6, walls=(wall((9, 12), (12, 12), 4.5),), name="Chapel")
    b = three(RIDER, terrain=[ruin])
    assert said(b, "move", paths(_1=[[10, 14]], _2=[[11, 14]], _3=[[13.5, 11]])) == [
        'Chapel is in the way of Rider 1 and 2, 4.5" high: it has to be climbed or gone around.'
    ]


def test_a_solid_thing_says_how_high_it_is() -> None:
    b = three(RIDER, terrain=[feature("hill", (9, 12, 2, 1), 3, solid=True, name="Knoll")])
    assert said(b, "move", paths(_1=[[10, 15]])) == [
        'Knoll is in the way of Rider 1, 3.0" high: it has to be climbed or gone around.'
    ]


def test_a_floor_says_how_high_it_is() -> None:
    loft = FeatureDoc(kind="ruins", rect=(9, 9, 6, 6), height=6, floors=(FloorDoc(z=3, thickness=0.1),), name="Loft")
    b = three({**RIDER, "height": 1}, terrain=[loft])
    up = {"do": "climb", "to": [10, 10, 4]}
    found = said(b, "move", paths(_1=[up]))
    assert 'Loft is in the way of Rider 1, 3.0" high: it has to be climbed or gone around.' in found


def test_nothing_to_walk_on_says_how_high_that_would_be() -> None:
    b = three()
    found = said(b, "move", paths(_1=[[10, 12, 2]]))
    assert found == ['Trooper 1 would find nothing to walk on or to climb along on the way to a height of 2.0".']


def test_a_leg_that_does_two_things_at_once_is_told_with_its_model() -> None:
    b = three()
    found = said(b, "move", paths(_2=[{"do": "climb", "to": [11.5, 12, 2]}]))
    assert found == ["Trooper 2: a leg goes straight, turns on the spot or climbs straight up or down, one at a time."]


def test_a_flight_is_told_who_is_stopped_by_what() -> None:
    ruin = FeatureDoc(kind="ruins", rect=(18, 4, 8, 12), height=9, walls=(wall((18, 4), (18, 16), 9),), name="Tower")
    blade = {**RIDER, "move": 20, "keywords": ["MOUNTED", "FLY"]}
    b = three(blade, terrain=[ruin], at=[(14, 10), (14, 12)])
    found = said(b, "move", paths(_2=[[22, 12]]))
    assert found[0] == 'Tower is in the way of Rider 2, 9.0" high: it has to be flown over or around.'


# --- Where it ends ----------------------------------------------------------------------------------------------------


def test_an_end_on_another_model_says_by_how_much_the_bases_overlap() -> None:
    b = three(TROOPER, unit("Friends", "red", TROOPER, [(11.5, 13)]))
    assert said(b, "move", paths(_2=[[11.5, 12.25]])) == [
        'Trooper 2 cannot end on top of Friends: the bases would overlap by 0.25".'
    ]


def test_an_end_beside_an_enemy_says_how_near_it_is() -> None:
    b = situation([unit("Reds", "red", TROOPER, [(18, 20), (16.5, 20)]), FOES])
    give(b, "move_with", "Reds")
    # Both enemies are near; the nearer one counts. Who stays may not stay there either.
    assert said(b, "move", paths("fall_back", _1=[[18.25, 20.5]])) == [
        'Trooper 1 would end 0.82" from Blues, within Engagement Range (1.00").'
    ]
    assert said(b, "move", paths("fall_back", _2=[[15, 20]])) == [
        'Trooper 1 would end 1.00" from Blues, within Engagement Range (1.00").'
    ]


def test_an_end_beside_an_aircraft_says_so() -> None:
    plane = {**TANK, "name": "Plane", "base": "25.4mm", "keywords": ["VEHICLE", "AIRCRAFT", "FLY"]}
    b = three(TROOPER, unit("Plane", "blue", plane, [(11.5, 15)]))
    assert said(b, "move", paths(_2=[[11.5, 13.5]])) == [
        'Trooper 2 would end 0.50" from Plane, within Engagement Range (1.00") of an AIRCRAFT.'
    ]


def charging(sheet: dict[str, Any] = TROOPER, *others: Any, at: Any = ((10, 10), (11.5, 10))) -> Battle10:
    """Reds charge the Blues with a roll of 9."""
    units = [unit("Reds", "red", sheet, list(at)), unit("Blues", "blue", TROOPER, [(10, 17)]), *others]
    b = situation(units, step="charge_phase", dice={"charge": [4, 5]})
    give(b, "charge_with", "Reds")
    if others:
        give(b, "charge_targets", ["Blues"])
    return b


def test_a_way_across_enemies_names_who_takes_it_and_whom_it_crosses() -> None:
    found = said(charging(), "charge_move", paths("charge", _1=[[10, 16]], _2=[[11.5, 14], [9, 18]]))
    assert found == ["Trooper 2 would move across models of Blues."]


def test_chargers_are_told_who_is_no_target() -> None:
    others = unit("Others", "blue", TROOPER, [(13.25, 16)])
    assert said(
        charging(TROOPER, others), "charge_move", paths("charge", _1=[[10, 16]], _2=[[11.7, 16], [11, 16]])
    ) == ['Trooper 2 would pass within 1.00" of Others: Others are no target, and Engagement Range is closed.']
    assert said(charging(JUMPER, others), "charge_move", paths("charge", _1=[[10, 16]], _2=[[11.5, 16]])) == [
        'Jumper 2 would end 0.75" from Others, within Engagement Range (1.00"): Others are no target.'
    ]


def test_chargers_are_told_who_comes_no_closer() -> None:
    b = charging(at=[(10, 14.7), (12.5, 15.2), (13.1, 17)])
    assert said(b, "charge_move", paths("charge", _1=[[10, 16]], _3=[[13.3, 17]])) == [
        "Trooper 3 would not end closer to one of the targets, as all who move must."
    ]


def test_who_is_in_a_fight_is_told_who_may_not_move_and_who_goes_astray() -> None:
    b = piling([(10, 10), (11.5, 9)], [(10, 11)])
    assert said(b, "pile_in", paths("pile_in", _1=[[10.2, 10]])) == [
        "Trooper 1 cannot move: in base contact with an enemy."
    ]
    assert said(b, "pile_in", paths("pile_in", _2=[[11.7, 9]])) == [
        "Trooper 2 would not end closer to the closest enemy model, as all who move must."
    ]


# --- The ground -------------------------------------------------------------------------------------------------------


def climbing(x: float, y: float, z: float) -> list[Any]:
    """The way of the first model up beside something, and onto it."""
    return [{"do": "climb", "to": [10, 10, z]}, [x, y, z]]


FENCE = feature("barricade", (10.6, 8, 1, 4), 2, solid=True, name="Fence")
WRECK = feature("debris", (10.6, 8, 1, 4), 2, solid=True, name="Wreck")
LOFT = FeatureDoc(kind="ruins", rect=(10.5, 9, 6, 6), height=6, floors=(FloorDoc(z=3, thickness=0.1),), name="Loft")


@pytest.mark.parametrize(
    ("terrain", "sheet", "way", "sentence"),
    [
        (FENCE, {}, [[11, 10]], "cannot end on Fence."),
        (WRECK, {}, [[11, 10]], "cannot end on Wreck."),
        (FENCE, {}, climbing(11, 10, 2), "cannot end on Fence."),
        (WRECK, {}, climbing(11, 10, 2), "cannot end on Wreck."),
        (LOFT, {"height": 3.5}, [[12, 11]], "is too tall to end there: it would stand inside a floor."),
        (
            LOFT, {"keywords": ["MOUNTED"]}, climbing(12, 11, 3),
            "cannot stand on an upper floor of Loft: no INFANTRY, no BEAST, and it cannot FLY.",
        ),
    ],
)  # fmt: skip
def test_who_cannot_end_on_the_ground_is_named(
    terrain: FeatureDoc, sheet: dict[str, Any], way: list[Any], sentence: str
) -> None:
    b = three({**TROOPER, **sheet}, terrain=[terrain], at=[(10, 10), (10, 7)])
    assert said(b, "move", paths(_1=way)) == [f"Trooper 1 {sentence}"]


def test_who_overhangs_something_is_named() -> None:
    hill = feature("hill", (10.6, 8, 3, 4), 2.5, solid=True, name="Knoll")
    b = three(terrain=[hill], at=[(10, 10), (10, 7)])
    assert said(b, "move", paths(_1=climbing(11, 10, 2.5))) == ["The base of Trooper 1 would overhang Knoll."]
    b = three(terrain=[LOFT], at=[(10, 10), (10, 7)])
    assert said(b, "move", paths(_1=climbing(10.9, 10, 3))) == [
        'The base of Trooper 1 would overhang the floor of Loft, 3.0" up.'
    ]


def test_who_ends_in_a_wall_is_named() -> None:
    ruin = FeatureDoc(kind="ruins", rect=(9, 12, 8, 4), height=6, walls=(wall((9, 12), (14, 12), 4.5),), name="Chapel")
    b = three(terrain=[ruin])
    assert said(b, "move", paths(_1=[[10, 12.2]], _2=[[11.5, 12.1]], _3=[[13, 11]])) == [
        "Trooper 1 and 2 cannot end inside a part of Chapel."
    ]


def test_who_ends_in_the_middle_of_a_climb_is_named() -> None:
    b = three(terrain=[feature("hill", (10.5, 8, 3, 4), 3, solid=True)], at=[(10, 10), (10, 7)])
    assert said(b, "move", paths(_1=[{"do": "climb", "to": [10, 10, 1.5]}])) == [
        'Trooper 1 cannot end in the middle of a climb: there is no ground at a height of 1.5".'
    ]


def test_who_ends_on_a_marker_is_told_by_how_much() -> None:
    b = three(objectives=[(30, 15), (11.5, 14)])
    assert said(b, "move", paths(_1=[[10, 14]], _2=[[11.5, 13]])) == [
        'Trooper 2 would end on objective marker 2, by 0.29".'
    ]


# --- Coherency --------------------------------------------------------------------------------------------------------


def test_who_is_left_alone_is_told_how_far_from_the_nearest() -> None:
    assert said(three(), "move", paths(_3=[[14.75, 10]])) == [
        'Reds would end out of coherency. Trooper 3 would have nobody of the unit within 2": the nearest is 2.25" away.'
    ]


def test_in_a_large_unit_the_second_nearest_counts() -> None:
    b = three(at=row(7, (10, 10)))
    assert said(b, "move", paths(_7=[[20.75, 10]])) == [
        "Reds would end out of coherency. "
        'Trooper 7 would have fewer than 2 of the unit within 2": the second is 3.75" away.'
    ]


def test_who_stand_apart_in_two_groups_are_told_how_far() -> None:
    b = three(at=row(5, (10, 10)))
    assert said(b, "move", paths(_4=[[16.25, 10]], _5=[[17.75, 10]])) == [
        "Reds would end out of coherency. "
        'Trooper 4 and 5 would have nobody of the rest within 2": the nearest is 2.25" away.'
    ]


# --- Setting up -------------------------------------------------------------------------------------------------------


def arriving(**more: Any) -> Battle10:
    reds = unit("Reds", "red", {**TROOPER, "abilities": ["deep strike"]}, off=3, reserve="deep strike")
    terrain = more.pop("terrain", [])
    b = situation([reds, FOES], terrain, step="reinforcements", round_=2, **more)
    give(b, "arrive_with", "Reds")
    return b


@pytest.mark.parametrize(
    ("spots", "sentence"),
    [
        ([[5, 5], [0.4, 5], [3.5, 5]], "Trooper 2 would hang over the edge of the battlefield at 0.4, 5.0."),
        ([[5, 5], [5.5, 5], [3.5, 5]], "Trooper 1 would stand on another model at 5.0, 5.0."),
        ([[5, 5], [6.5, 5], [3.5, 5, 2]], 'Trooper 3 would have nothing to stand on at 3.5, 5.0, 2.0" up.'),
        ([[30, 10], [31.5, 10], [33, 10]], "Trooper 2 would stand inside a terrain feature at 31.5, 10.0."),
        ([[38, 20], [39.5, 20], [41, 20]], "Trooper 1 would stand in a wall at 38.0, 20.0."),
        (
            [[5, 5], [6.5, 5], [9.75, 5]],
            "Reds would be set up out of coherency. "
            'Trooper 3 would have nobody of the unit within 2": the nearest is 2.25" away.',
        ),
    ],
)
def test_a_set_up_says_who_cannot_stand_where(spots: list[Any], sentence: str) -> None:
    block = feature("hill", (31.2, 9, 0.5, 2), 3, solid=True)
    ruin = FeatureDoc(kind="ruins", rect=(36, 18, 8, 4), height=4, walls=(wall((38, 18), (38, 22), 4),))
    assert said(arriving(terrain=[block, ruin]), "arrive", spots)[0] == sentence


def test_a_set_up_beside_an_enemy_says_who_is_how_near() -> None:
    b = arriving()
    spots = [
        Spot(m, steps(x), steps(20), 0, 0) for m, x in zip(named(b, "Reds").models, (17, 18.25, 15.5), strict=True)
    ]
    verdict = judge_spots(b, named(b, "Reds"), spots)
    assert verdict.reasons[0].text == 'Trooper 2 would be set up 0.75" from Blues, within Engagement Range.'


def test_a_deployment_says_who_stands_outside_and_how_far() -> None:
    b = at_deployment()
    give(b, "deploy_with", "Intercessor Squad")
    d = asked(b, "deploy")
    *within, last = line(d, 20, 9)
    sticks_out = msgspec.structs.replace(last, y=steps(10))
    assert b.check(d, (*within, sticks_out)).reasons[0].text == (
        'Intercessor Sergeant 5 would stand up to 0.63" outside the deployment zone, whose corners are 0, 0; 60, 0; '
        "60, 10; 0, 10. Intercessor Squad must be wholly within it."
    )
