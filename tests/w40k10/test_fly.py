"""Flying: over models, and through the air, over walls and not through them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sandtable.battle.tables import FloorDoc
from sandtable.kit.flags import enemy_units
from sandtable.kit.walking import around, fly_to, through_air, walk_to
from sandtable.systems.w40k10.fly import stopped_by
from sandtable.systems.w40k10.moving_models import Passage
from sandtable.systems.w40k10.state import Battle10
from sandtable.table.grid import steps, units
from w40k10.table import (
    HERO,
    JUMPER,
    TANK,
    TROOPER,
    asked,
    default,
    feature,
    give,
    judge,
    kinds,
    named,
    places,
    refused_by,
    rolls,
    situation,
    told,
    unit,
    wall,
)

BLADES: dict[str, Any] = {**JUMPER, "name": "Blade", "move": 30, "base": "50.8mm", "keywords": ["MOUNTED", "FLY"]}
"""Neither INFANTRY nor BEAST: walls of ruins are in their way."""
FOE = unit("Blues", "blue", JUMPER, [(40, 28)])
RUIN = feature("ruins", (18, 4, 10, 14), walls=[wall((18, 4), (18, 18), 9)])
"""A ruin with a wall of 9" on its left side."""
CRATES = feature("ruins", (18, 4, 10, 14), walls=[wall((18, 4), (18, 18), 2)])


def flyer(at: tuple[float, ...] = (14, 10), terrain: Any = RUIN, sheet: Any = BLADES, **more: Any) -> Battle10:
    b = situation([unit("Reds", "red", sheet, [at]), FOE], [terrain], **more)
    give(b, "move_with", "Reds")
    return b


def path(*points: Any) -> dict[str, Any]:
    return {"mode": "normal", "paths": {1: list(points)}}


def up(x: float, y: float, z: float) -> dict[str, Any]:
    return {"do": "climb", "to": [x, y, z]}


def normal(x: float, y: float) -> dict[str, Any]:
    return {"mode": "normal", "to": [[x, y]]}


def jumping(*others: Any) -> Battle10:
    """A single red Jumper that has been selected to move."""
    b = situation([unit("Reds", "red", JUMPER, [(10, 10)]), *others])
    give(b, "move_with", "Reds")
    return b


# --- Over models ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("w40k10.move.fly_over", check=1)
@pytest.mark.rule("w40k10.move.fly_over", check=2)
@pytest.mark.rule("w40k10.move.fly_over", check=3)
def test_a_flyer_moves_over_the_enemy_but_does_not_end_beside_it() -> None:
    b = jumping(unit("Blues", "blue", TROOPER, [(14, 10), (15.5, 10)]))
    refused_by(b, "move", normal(17.5, 10), "w40k10.concept.engagement_limit")
    give(b, "move", normal(19, 10))
    assert places(b, "Reds") == [(19, 10, 0)]


@pytest.mark.rule("w40k10.move.fly_over", check=4)
def test_who_flies_leaves_a_combat_by_falling_back_alone() -> None:
    b = jumping(unit("Blues", "blue", TROOPER, [(11.5, 10)]))
    assert [m.name for m in asked(b, "move").modes] == ["stationary", "fall_back"]  # type: ignore[attr-defined]
    refused_by(b, "move", {"mode": "fall_back", "to": [[13, 10]]}, "w40k10.concept.engagement_limit")
    give(b, "move", {"mode": "fall_back", "to": [[15, 10]]})
    assert places(b, "Reds") == [(15, 10, 0)]
    assert rolls(b) == [], "over the enemy, and no desperate escape"


@pytest.mark.rule("w40k10.move.fly_over", check=1)
def test_nobody_flies_to_pile_in() -> None:
    enemy = unit("Blues", "blue", TROOPER, [(11.6, 10)], fought=True)
    b = situation([unit("Reds", "red", JUMPER, [(10, 10)]), enemy], step="remaining_combats")
    refused_by(b, "pile_in", {"mode": "pile_in", "to": [[12.6, 10]]}, "w40k10.move.through_enemies")
    assert judge(b, "pile_in", {"mode": "pile_in", "to": [[10.6, 10]]})


@pytest.mark.rule("w40k10.move.fly_over", check=5)
def test_a_walking_leader_of_flyers_does_not_fly() -> None:
    b = situation(
        [
            unit("Reds", "red", {**JUMPER, "name": "Trooper"}, [(10, 10), (10, 11.5)]),
            unit("Hero", "red", {**HERO, "move": 12}, [(10, 13)], leads="Reds"),
            unit("Blues", "blue", TROOPER, [(14, 10), (14, 11.5), (14, 13)]),
        ]
    )
    give(b, "move_with", "Reds")
    refused_by(b, "move", {"mode": "normal", "by": [9, 0]}, "w40k10.move.normal")
    assert judge(b, "move", {"mode": "normal", "to": [[19, 10], [19, 11.5], [14, 15.5]]}).ok is False
    assert judge(b, "move", {"mode": "normal", "paths": {1: [[16.5, 15]], 2: [[15, 15]], 3: [[10, 16], [14, 16]]}})


# --- Through the air --------------------------------------------------------------------------------------------------

TOWER = feature("hill", (16, 8, 4, 4), 5, solid=True)


@pytest.mark.rule("w40k10.move.fly_air", check=1)
@pytest.mark.rule("w40k10.move.fly_air", check=3)
def test_a_flight_onto_a_structure_is_measured_through_the_air() -> None:
    def flyer(move: int, at: tuple[float, ...]) -> Battle10:
        b = situation([unit("Reds", "red", {**JUMPER, "move": move}, [at]), FOE], [TOWER])
        give(b, "move_with", "Reds")
        return b

    up = {"mode": "normal", "paths": {1: [[18, 10, 5]]}}
    verdict = refused_by(flyer(9, (10, 10)), "move", up, "w40k10.move.distance")
    assert verdict.reasons[0].facts["far"] == pytest.approx(9.434, abs=0.01)
    give(b := flyer(10, (10, 10)), "move", up)
    assert places(b, "Reds") == [(18, 10, 5)]
    assert judge(flyer(10, (18, 10, 5)), "move", {"mode": "normal", "paths": {1: [[10, 10, 0]]}})


@pytest.mark.rule("w40k10.move.fly_air", check=2)
def test_a_flight_from_ground_to_ground_pays_for_what_it_climbs() -> None:
    barrier = feature("hill", (14, 0, 1, 30), 3, solid=True)
    b = situation([unit("Reds", "red", {**JUMPER, "move": 12}, [(12, 10)]), FOE], [barrier])
    give(b, "move_with", "Reds")
    refused_by(b, "move", normal(18, 10), "w40k10.move.over_terrain")
    climb = [{"do": "go", "to": [13.5, 10]}, {"do": "climb", "to": [13.5, 10, 3]}, [15.5, 10, 3],
             {"do": "climb", "to": [15.5, 10, 0]}, [18, 10]]  # fmt: skip
    assert judge(b, "move", {"mode": "normal", "paths": {1: climb}})
    b = situation([unit("Reds", "red", {**JUMPER, "move": 11}, [(12, 10)]), FOE], [barrier])
    give(b, "move_with", "Reds")
    refused_by(b, "move", {"mode": "normal", "paths": {1: climb}}, "w40k10.move.distance")
    tower = situation([unit("Reds", "red", {**JUMPER, "move": 10}, [(10, 10)]), FOE], [TOWER])
    give(tower, "move_with", "Reds")
    assert judge(tower, "move", {"mode": "normal", "paths": {1: [[18, 10, 5]]}})


@pytest.mark.rule("w40k10.move.fly_air", check=4)
def test_nobody_flies_through_a_tall_wall_into_a_ruin() -> None:
    b = flyer()
    verdict = refused_by(b, "move", path([22, 10]), "w40k10.move.fly_air")
    assert verdict.reasons[0].facts["height"] == 9.0
    over = path(up(14, 10, 9), [22, 10, 9], up(22, 10, 0))
    assert judge(b, "move", over)
    refused_by(b, "move", path(up(14, 10, 8.9), [22, 10, 8.9], up(22, 10, 0)), "w40k10.move.fly_air")
    out = flyer((22, 10))
    refused_by(out, "move", path([14, 10]), "w40k10.move.fly_air")
    assert judge(out, "move", path(up(22, 10, 9), [14, 10, 9], up(14, 10, 0)))


@pytest.mark.rule("w40k10.move.fly_air", check=4)
def test_a_slanted_way_over_the_wall_is_shorter_and_as_good() -> None:
    b = flyer(sheet={**BLADES, "move": 22})
    slanted = path([16.9, 10, 9], [19.1, 10, 9], [22, 10, 0])
    assert judge(b, "move", slanted), "9.46, 2.2 and 9.46 inches"
    upright = path(up(14, 10, 9), [22, 10, 9], up(22, 10, 0))
    refused_by(b, "move", upright, "w40k10.move.distance")
    refused_by(b, "move", path([17.2, 10, 9], [19.1, 10, 9], [22, 10, 0]), "w40k10.move.fly_air")
    refused_by(b, "move", path([16.9, 10, 9], [18.8, 10, 9], [22, 10, 0]), "w40k10.move.fly_air")


@pytest.mark.rule("w40k10.move.fly_air", check=4)
def test_a_solid_part_is_flown_over_too() -> None:
    hall = feature("hill", (18, 8, 4, 4), 6, solid=True)
    tower = feature("hill", (24, 8, 4, 4), 3, solid=True)
    b = situation([unit("Reds", "red", BLADES, [(14, 10)]), FOE], [hall, tower])
    give(b, "move_with", "Reds")
    refused_by(b, "move", path([26, 10, 3]), "w40k10.move.fly_air")
    assert judge(b, "move", path([16.9, 10, 6], [23.1, 10, 6], [26, 10, 3]))
    assert judge(b, "move", path([14, 14], [26, 14], [26, 10, 3])), "around it"


@pytest.mark.rule("w40k10.move.fly_air", check=4)
def test_low_walls_are_passed_and_infantry_goes_through_ruins() -> None:
    assert judge(flyer(terrain=CRATES), "move", path([22, 10]))
    assert judge(flyer(sheet=JUMPER | {"move": 12}), "move", path([22, 10])), "INFANTRY"
    lone = feature("woods", (18, 4, 10, 14), walls=[wall((18, 4), (18, 18), 9)])
    refused_by(flyer(terrain=lone, sheet=JUMPER | {"move": 12}), "move", path([22, 10]), "w40k10.move.fly_air")


@pytest.mark.rule("w40k10.move.fly_air", check=4)
def test_of_several_flyers_the_one_behind_the_wall_is_stopped() -> None:
    short = feature("ruins", (18, 4, 10, 14), walls=[wall((18, 4), (18, 9), 9)])
    b = situation([unit("Reds", "red", BLADES, [(14, 7), (14, 11)]), FOE], [short])
    give(b, "move_with", "Reds")
    refused_by(b, "move", {"mode": "normal", "to": [[22, 7], [22, 11]]}, "w40k10.move.fly_air")
    free = {"mode": "normal", "paths": {1: [up(14, 7, 9), [22, 7, 9], up(22, 7, 0)], 2: [[22, 11]]}}
    assert judge(b, "move", free)


@pytest.mark.rule("w40k10.move.fly_air", check=4)
def test_a_floor_is_not_flown_through_from_below() -> None:
    deck = feature("ruins", (18, 4, 10, 14), floors=[FloorDoc(z=4)])
    b = flyer((22, 10), deck)
    refused_by(b, "move", path(up(22, 10, 4)), "w40k10.move.fly_air")
    assert judge(flyer((14, 10), deck), "move", path([22, 10, 4])), "over its edge"


@pytest.mark.rule("w40k10.charge.fly", check=2)
def test_a_flying_charge_leads_over_a_wall_as_well() -> None:
    b = situation(
        [unit("Reds", "red", BLADES, [(14, 10)]), unit("Blues", "blue", JUMPER, [(22, 10)])],
        [feature("ruins", (18, 4, 10, 14), walls=[wall((18, 4), (18, 18), 4)])],
        step="charge_phase",
        dice={"charge": [6, 6]},
    )
    give(b, "charge_with", "Reds")
    straight = {"mode": "charge", "paths": {1: [[20.5, 10]]}}
    refused_by(b, "charge_move", straight, "w40k10.move.fly_air")
    assert judge(b, "charge_move", {"mode": "charge", "paths": {1: [[16.9, 10, 4], [19.1, 10, 4], [20.5, 10, 0]]}})
    default(b, "charge_move")
    assert "charged" in told(b), "the computer finds the way over it"


# --- Finding a way ----------------------------------------------------------------------------------------------------


def flown(b: Battle10, end: tuple[float, float, float]) -> tuple[float, bool]:
    """How long the way is that is proposed to a place, and whether the rules allow it."""
    model = named(b, "Reds").models[0]
    found = fly_to(b, model, (steps(end[0]), steps(end[1]), steps(end[2])), stopped_by)
    points = [{"do": leg.do, "to": [units(leg.x), units(leg.y), units(leg.z)]} for leg in found.legs]
    assert Passage(0, "normal").length(b, found) == through_air(b, found)
    return units(through_air(b, found)), bool(judge(b, "move", path(*points)))


def test_the_proposed_way_is_raised_over_what_is_met() -> None:
    length, fine = flown(flyer(), (22, 10, 0))
    assert fine and length == pytest.approx(20.97, abs=0.02)
    assert flown(flyer(terrain=CRATES), (22, 10, 0)) == (8.0, True)
    two = feature("ruins", (17, 4, 12, 14), walls=[wall((17.5, 4), (17.5, 18), 5), wall((21, 4), (21, 18), 7)])
    length, fine = flown(flyer(terrain=two), (25, 10, 0))
    assert fine and 11 < length < 21
    hall = feature("hill", (17, 8, 4, 4), 6, solid=True)
    on_top, fine = flown(flyer(terrain=hall), (19, 10, 6))
    assert fine and on_top == pytest.approx((25 + 36) ** 0.5, abs=0.01), "straight onto the roof"


def test_what_is_too_high_is_gone_around_where_another_side_is_open() -> None:
    b = flyer(sheet={**BLADES, "move": 20}, at=(15, 16))
    reds = named(b, "Reds")
    way = Passage(reds.id, "normal", enemy_units(b, reds.player))
    moves = walk_to(b, way, b.on_table(reds), np.array([[steps(20), steps(16), 0]]))
    assert units(through_air(b, moves.paths[0])) > 20 and not b.check(b.decisions[0], moves)
    other = around(b, way, moves, lambda _: steps(20))
    assert 5 < units(through_air(b, other.paths[0])) < 10 and b.check(b.decisions[0], other)
    near = flyer()
    over = walk_to(near, way, near.on_table(named(near, "Reds")), np.array([[steps(22), steps(10), 0]]))
    assert around(near, way, over, lambda _: steps(30)) == over, "a good flight is left alone"


def test_computer_players_still_get_into_ruins_by_air() -> None:
    b = flyer()
    moves = walk_to(
        b, Passage(named(b, "Reds").id, "normal"), b.on_table(named(b, "Reds")), np.array([[steps(22), steps(10), 0]])
    )
    assert len(moves.paths[0].legs) == 3
    b.answer(b.decisions[0], moves)
    assert places(b, "Reds") == [(22, 10, 0)] and kinds(b) != ["move"]


def test_on_foot_nothing_changes() -> None:
    b = situation([unit("Reds", "red", TANK, [(13, 10)]), FOE], [RUIN])
    give(b, "move_with", "Reds")
    refused_by(b, "move", path([22, 10]), "w40k10.move.over_terrain")
