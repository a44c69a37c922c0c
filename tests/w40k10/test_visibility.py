"""Determining visibility."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.battle.scenario import UnitDoc
from sandtable.battle.tables import FeatureDoc
from sandtable.kit.seeing import sight, visible
from sandtable.systems.w40k10.state import Battle10
from sandtable.systems.w40k10.visibility import sees, unit_fully_visible
from w40k10.arms import gun, sheet, target
from w40k10.table import TANK, feature, give, named, offered, refused_by, situation, unit, wall

AT = [(10.0, 10.0)]
THERE = [(30.0, 10.0)]


def look(
    terrain: list[FeatureDoc] | None = None,
    *,
    red: dict[str, Any] | None = None,
    blue: dict[str, Any] | None = None,
    red_at: Any = None,
    blue_at: Any = None,
    more: list[UnitDoc] | None = None,
) -> Battle10:
    """Reds look at Blues, 20 inches to the right."""
    return situation(
        [
            unit("Reds", "red", red or sheet(gun(range_=48), name="Red"), red_at or AT),
            unit("Blues", "blue", blue or target(), blue_at or THERE),
            *(more or []),
        ],
        terrain,
        step="shoot_units",
    )


def seen(b: Battle10) -> bool:
    return sees(b, named(b, "Reds"), named(b, "Blues"))


def fully(b: Battle10) -> bool:
    return bool(sight(b, named(b, "Reds"), named(b, "Blues")).full[0, 0])


def box(x: float, y: float, width: float, depth: float, height: float, kind: str = "hill") -> FeatureDoc:
    return feature(kind, (x, y, width, depth), height, solid=True)


# --- Lines ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("w40k10.concept.visibility_observer", check=1)
def test_the_own_unit_never_blocks_sight() -> None:
    """A trooper behind a tall model, which is one of the unit, or a unit of its own."""
    tall = {**TANK, "name": "Tall", "base": "hull 2x12", "height": 6}
    squad = unit("Squad", "red", sheet(name="Red"), [(5, 20), (20, 20)], loadout=[{"models": [2], "sheet": tall}])
    there = unit("There", "blue", target(name="There"), [(35, 20)])
    b = look(more=[squad, there])
    assert visible(b, named(b, "Squad"), named(b, "There")).all()
    alone = [unit("Squad", "red", sheet(name="Red"), [(5, 20)]), unit("Tall", "red", tall, [(20, 20)]), there]
    b = look(more=alone)
    assert not sees(b, named(b, "Squad"), named(b, "There"))


@pytest.mark.rule("w40k10.concept.visibility_observer", check=2)
@pytest.mark.parametrize("player", ["red", "blue"])
def test_tall_models_of_other_units_block_sight(player: str) -> None:
    high = {**TANK, "name": "Wall", "base": "hull 2x12", "height": 6}
    b = look(more=[unit("Wall", player, high, [(20, 10)])])
    assert not seen(b)
    assert seen(look(more=[unit("Wall", player, high, [(20, 22)])]))


@pytest.mark.rule("w40k10.concept.visibility_observer", check=3)
def test_a_line_to_the_base_alone_is_enough() -> None:
    """Everything but the last 0.3 inches of the base stands behind a wall."""
    b = look([box(20, 3, 0.5, 7.3, 6)], blue_at=[(21.2, 10.1)], red_at=[(10.0, 10.1)])
    assert seen(b) and not fully(b)


@pytest.mark.rule("w40k10.concept.visibility_observer", check=4)
def test_a_line_may_start_at_any_part_of_the_observer() -> None:
    wide = {**TANK, "name": "Wide", "base": "hull 1x8", "weapons": [gun(range_=48)]}
    block = [box(12, 4, 0.5, 9, 6)]
    assert not seen(look(block))
    assert seen(look(block, red=wide)), "it sees past the end of the wall from its own far corner"


@pytest.mark.rule("w40k10.concept.model_visible", check=1)
@pytest.mark.rule("w40k10.terrain.general", check=2)
def test_one_clear_line_is_enough() -> None:
    """Two walls with a slit of a quarter inch between them."""
    b = look([box(20, 2, 0.5, 8, 6), box(20, 10.25, 0.5, 8, 6)])
    assert seen(b) and not fully(b)


@pytest.mark.rule("w40k10.concept.model_visible", check=2)
def test_behind_a_wall_nobody_is_visible() -> None:
    b = look([box(20, 2, 0.5, 16, 6)])
    assert not seen(b)


@pytest.mark.rule("w40k10.terrain.general", check=2)
def test_a_low_feature_blocks_only_what_it_really_hides() -> None:
    b = look([box(20, 2, 0.5, 16, 0.7)])
    assert seen(b) and not fully(b)
    assert fully(look([feature("crater", (18, 5, 5, 10))]))


@pytest.mark.rule("w40k10.concept.unit_visible", check=1)
def test_one_visible_model_makes_the_unit_visible() -> None:
    places = [(30.0, 3.0 + 1.5 * i) for i in range(9)] + [(30.0, 17.5)]
    b = look([box(20, 1, 0.5, 12, 6)], red_at=[(10.0, 8.0)], blue_at=places)
    assert int(visible(b, named(b, "Reds"), named(b, "Blues")).sum()) == 1
    assert seen(b)
    give(b, "shoot_with", "Reds")
    assert "Blues" in offered(b, "shoot")


@pytest.mark.rule("w40k10.terrain.general", check=1)
def test_a_terrain_feature_is_no_target() -> None:
    """A crater in the open, and a wall that hides one of two units: only the other one is offered."""
    hidden = unit("Hidden", "blue", target(name="Hidden"), [(30.0, 24.0)])
    b = look([feature("crater", (18, 5, 5, 10)), box(27, 20, 0.5, 8, 6)], more=[hidden])
    give(b, "shoot_with", "Reds")
    assert offered(b, "shoot") == ["Blues", "gun"]
    refused_by(b, "shoot", [{"weapon": "gun", "target": 7}], "w40k10.shoot.select_targets")


# --- Fully ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("w40k10.concept.model_fully_visible", check=1)
def test_partly_behind_terrain_is_not_fully_visible() -> None:
    assert fully(look())
    b = look([box(27, 10.2, 0.5, 6, 6)])
    assert seen(b) and not fully(b)


@pytest.mark.rule("w40k10.concept.model_fully_visible", check=2)
def test_partly_behind_a_model_of_another_unit_is_not_fully_visible() -> None:
    b = look(more=[unit("Others", "blue", target(name="Other"), [(28, 10.6)])])
    assert seen(b) and not fully(b)


@pytest.mark.rule("w40k10.concept.model_fully_visible", check=3)
def test_the_far_side_need_not_be_seen() -> None:
    assert fully(look(more=[unit("Others", "blue", target(name="Other"), [(31, 10)])])), "behind the model"
    assert not fully(look(more=[unit("Others", "blue", target(name="Other"), [(29, 10)])])), "in front of it"


@pytest.mark.rule("w40k10.concept.model_fully_visible", check=4)
def test_different_parts_may_be_seen_from_different_parts_of_the_observer() -> None:
    wide = {**TANK, "name": "Wide", "base": "hull 1x8", "weapons": [gun(range_=48)]}
    post = [box(20, 9.3, 0.4, 1.4, 6)]
    assert not fully(look(post))
    assert fully(look(post, red=wide)), "its left part sees one side of the model, its right part the other"


@pytest.mark.rule("w40k10.concept.unit_fully_visible", check=1)
def test_ranks_of_the_observed_unit_do_not_hide_each_other() -> None:
    b = look(blue_at=[(30.0, 10.0), (28.5, 10.0)])
    reds, blues = named(b, "Reds"), named(b, "Blues")
    assert unit_fully_visible(b, reds.models[0], reds, blues)


@pytest.mark.rule("w40k10.concept.unit_fully_visible", check=2)
def test_one_partly_hidden_model_makes_the_unit_not_fully_visible() -> None:
    b = look([box(27, 10.2, 0.5, 6, 6)], blue_at=[(30.0, 10.0), (30.0, 8.0)])
    reds, blues = named(b, "Reds"), named(b, "Blues")
    assert not unit_fully_visible(b, reds.models[0], reds, blues)


# --- Ruins ------------------------------------------------------------------------------------------------------------

RUINS = feature("ruins", (17, 5, 6, 10), 6)
"""A footprint without any wall: only the rule blocks."""


@pytest.mark.rule("w40k10.terrain.ruins_visibility", check=1)
def test_nobody_sees_through_ruins() -> None:
    assert not seen(look([RUINS]))


@pytest.mark.rule("w40k10.terrain.ruins_visibility", check=2)
def test_nobody_sees_over_ruins() -> None:
    tower = feature("hill", (8, 8, 4, 4), 20, solid=True)
    assert not seen(look([RUINS, tower], red_at=[(11.5, 10.0, 20.0)]))


@pytest.mark.rule("w40k10.terrain.ruins_visibility", check=3)
def test_a_target_inside_is_visible_along_a_real_line() -> None:
    assert seen(look([RUINS], blue_at=[(20.0, 10.0)]))
    walled = feature("ruins", (17, 5, 6, 10), 6, walls=(wall((17, 5), (17, 15), 6),))
    assert not seen(look([walled], blue_at=[(20.0, 10.0)]))


@pytest.mark.rule("w40k10.terrain.ruins_visibility", check=4)
def test_a_model_wholly_within_sees_out() -> None:
    assert seen(look([RUINS], red_at=[(20.0, 10.0)]))
    walled = feature("ruins", (17, 5, 6, 10), 6, walls=(wall((23, 5), (23, 15), 6),))
    assert not seen(look([walled], red_at=[(20.0, 10.0)]))


@pytest.mark.rule("w40k10.terrain.ruins_visibility", check=5)
@pytest.mark.parametrize("keyword", ["TOWERING", "AIRCRAFT"])
def test_towering_and_aircraft_see_and_are_seen_across(keyword: str) -> None:
    assert seen(look([RUINS], blue=target(keywords=["VEHICLE", keyword])))
    assert seen(look([RUINS], red=sheet(gun(range_=48), name="Red", keywords=["VEHICLE", keyword])))
    walled = feature("ruins", (17, 5, 6, 10), 6, walls=(wall((17, 4), (17, 16), 6),))
    assert not seen(look([walled], blue=target(keywords=["VEHICLE", keyword])))


@pytest.mark.rule("w40k10.terrain.ruins_visibility", check=6)
def test_a_model_partly_within_does_not_see_through() -> None:
    assert not seen(look([RUINS], red_at=[(17.0, 10.0)]))
    assert seen(look([RUINS], blue_at=[(23.0, 10.0)])), "one partly within is seen"


# --- Woods ------------------------------------------------------------------------------------------------------------

WOODS = feature("woods", (17, 5, 6, 10), 4)


@pytest.mark.rule("w40k10.terrain.woods_visibility", check=1)
def test_in_the_woods_a_model_is_seen_but_never_fully() -> None:
    b = look([WOODS], blue_at=[(20.0, 10.0)])
    assert seen(b) and not fully(b)
    b = look([WOODS], blue_at=[(21.0, 10.0)], red_at=[(18.5, 10.0)])
    assert seen(b) and not fully(b), "not even from inside"


@pytest.mark.rule("w40k10.terrain.woods_visibility", check=2)
def test_beyond_the_woods_a_model_is_seen_but_never_fully() -> None:
    b = look([WOODS])
    assert seen(b) and not fully(b)
    tower = feature("hill", (8, 8, 4, 4), 20, solid=True)
    b = look([WOODS, tower], red_at=[(11.5, 10.0, 20.0)])
    assert seen(b) and not fully(b)


@pytest.mark.rule("w40k10.terrain.woods_visibility", check=3)
def test_from_wholly_within_the_woods_one_sees_out_fully() -> None:
    assert fully(look([WOODS], red_at=[(20.0, 10.0)]))
    assert not fully(look([WOODS], red_at=[(17.0, 10.0)])), "not from partly within"


@pytest.mark.rule("w40k10.terrain.woods_visibility", check=4)
@pytest.mark.rule("w40k10.terrain.woods_visibility", check=5)
@pytest.mark.parametrize("keyword", ["TOWERING", "AIRCRAFT"])
def test_woods_do_not_count_for_towering_and_aircraft(keyword: str) -> None:
    assert fully(look([WOODS], blue=target(keywords=["VEHICLE", keyword])))
    assert fully(look([WOODS], red=sheet(gun(range_=48), name="Red", keywords=["VEHICLE", keyword])))
