"""Visibility: lines of sight, full visibility, Lone Operatives and Plunging Fire."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.battle.tables import FeatureDoc
from sandtable.kit.seeing import visible
from sandtable.systems.w40k11.plunging_fire import plunges
from sandtable.systems.w40k11.state import Battle11
from sandtable.systems.w40k11.visibility import models_fully_visible, sees, unit_fully_visible
from w40k11.arms import character, face_off, gun, last, shoot, target
from w40k11.table import (
    TANK,
    TROOPER,
    Doc,
    Spots,
    alive,
    asked,
    feature,
    give,
    kinds,
    named,
    power,
    sheet,
    situation,
    unit,
)

rule = pytest.mark.rule


def block(x: float, y: float, depth: float, high: float = 6) -> FeatureDoc:
    """A solid block that is no obscuring area."""
    return feature("crater", (x, y, 1, depth), high, solid=True)


def look(
    terrain: list[FeatureDoc] | None = None, red: Spots | None = None, blue: Spots | None = None, more: Any = (),
    doc: Doc = TROOPER,
) -> Battle11:  # fmt: skip
    """Reds look at Blues, 20" to the right."""
    units = [unit("Reds", "red", TROOPER, red or [(10, 10)]), unit("Blues", "blue", doc, blue or [(30, 10)])]
    return situation([*units, *more], terrain)


def seen(b: Battle11) -> list[list[bool]]:
    """Who of the Reds sees whom of the Blues."""
    found: list[list[bool]] = visible(b, named(b, "Reds"), named(b, "Blues")).tolist()
    return found


WIDE: Doc = {**TANK, "base": "hull 2x4", "height": 3}


@rule("w40k11.vis.los", check=1)
def test_comrades_of_the_observer_never_block() -> None:
    tanks = [{"models": [2], "sheet": WIDE}]
    reds = unit("Reds", "red", TROOPER, [(10, 10), (13, 10)], loadout=tanks)
    b = situation([reds, unit("Blues", "blue", TROOPER, [(30, 10)])])
    third = look(more=[unit("Thirds", "red", WIDE, [(13, 10)])])
    assert (seen(b), seen(third)) == ([[True], [True]], [[False]])


@rule("w40k11.vis.los", check=2)
def test_comrades_of_the_observed_never_block() -> None:
    b = look(blue=[(30, 10), (28.9, 10), (27.8, 10)])
    assert seen(b) == [[True, True, True]]


@rule("w40k11.vis.los", check=3)
@pytest.mark.parametrize("player", ["red", "blue"])
def test_models_of_third_units_block(player: str) -> None:
    assert seen(look(more=[unit("Thirds", player, WIDE, [(20, 10)])])) == [[False]]


@rule("w40k11.vis.los", check=4)
@pytest.mark.parametrize(("gap", "through"), [(40, False), (42, True)])
def test_a_gap_of_less_than_a_millimetre_gives_no_sight(gap: float, through: bool) -> None:
    """A millimetre is 40.3 steps of 1/1024 of an inch."""
    half = gap / 2048
    low, high = block(20, 1, 9 - half), block(20, 10 + half, 15)
    assert seen(look([low, high])) == [[through]]


@rule("w40k11.vis.model_visible", check=1)
def test_one_visible_part_is_enough() -> None:
    assert [seen(look([block(20, 1, depth)])) for depth in (9.4, 9.6)] == [[[True]], [[False]]]


@rule("w40k11.vis.model_fully_visible", check=1)
def test_a_wall_that_hides_a_foot_stops_full_visibility() -> None:
    found = [models_fully_visible(b, named(b, "Reds"), named(b, "Blues")).tolist()
             for b in (look([block(28.5, 5, 5, 0.5)]), look())]  # fmt: skip
    assert found == [[[False]], [[True]]]


@rule("w40k11.vis.model_fully_visible", check=2)
def test_comrades_of_the_observer_do_not_stop_full_visibility() -> None:
    b, third = look(red=[(10, 10), (28, 10.4)]), look(more=[unit("Thirds", "red", TROOPER, [(28, 10.4)])])
    found = [models_fully_visible(x, named(x, "Reds"), named(x, "Blues"))[0].tolist() for x in (b, third)]
    assert found == [[True], [False]]


@rule("w40k11.vis.los", check=2)
@rule("w40k11.vis.model_fully_visible", check=2)
def test_comrades_of_the_observed_do_not_stop_full_visibility() -> None:
    b, third = look(blue=[(30, 10), (28.5, 10)]), look(more=[unit("Thirds", "blue", TROOPER, [(28.5, 10)])])
    found = [models_fully_visible(x, named(x, "Reds"), named(x, "Blues"))[0, 0] for x in (b, third)]
    assert found == [True, False]


@rule("w40k11.vis.model_fully_visible", check=3)
def test_the_far_side_of_the_target_does_not_count() -> None:
    behind, before = look([block(32, 5, 10)]), look([block(27, 9.8, 10)])
    found = [models_fully_visible(x, named(x, "Reds"), named(x, "Blues"))[0].tolist() for x in (behind, before)]
    assert found == [[True], [False]]


TEN: Spots = [*[(30, 3 + 1.5 * i) for i in range(9)], (30, 17.5)]


@rule("w40k11.vis.unit_visible", check=1)
@pytest.mark.parametrize(("depth", "found"), [(12, True), (20, False)])
def test_one_visible_model_makes_a_unit_visible(depth: float, found: bool) -> None:
    b = look([block(20, 1, depth)], [(10, 8)], TEN)
    assert sees(b, named(b, "Reds"), named(b, "Blues")) is found


@rule("w40k11.vis.unit_fully_visible", check=1)
@pytest.mark.parametrize(("terrain", "found"), [([block(28.5, 11.3, 6)], False), ([], True)])
def test_one_partly_hidden_model_stops_full_visibility_of_the_unit(terrain: list[FeatureDoc], found: bool) -> None:
    b = look(terrain, blue=[(30, 10), (30, 11.5)])
    assert unit_fully_visible(b, named(b, "Reds"), 0, named(b, "Blues")) is found


# --- Lone Operative ---------------------------------------------------------------------------------------------------


def lone(gap: float, *core: str, weapon: Doc | None = None, way: str = "", **more: Any) -> list[str]:
    """At whom Reds may fire, with a Lone Operative so far off."""
    doc = target(wounds=9, abilities=list(core or ("lone operative",)))
    b = face_off(weapon or gun(range=48), doc, gap=gap, **more)
    give(b, "shoot_with", "Reds")
    if way:
        give(b, "shooting_type", way)
    return sorted(b.unit(int(t.value)).name for t in asked(b, "shoot").targets)  # type: ignore[attr-defined]


@rule("w40k11.unit.lone_operative", check=1)
def test_nobody_targets_a_lone_operative_from_13_inches() -> None:
    assert [lone(13), lone(13, "stealth"), lone(13, "lone operative 14")] == [
        ["Bystanders"],
        ["Blues", "Bystanders"],
        ["Blues", "Bystanders"],
    ]


@rule("w40k11.unit.lone_operative", check=1)
def test_one_model_without_the_ability_shows_the_unit() -> None:
    plain = [{"models": [2], "sheet": target(name="Plain", wounds=9)}]
    found = [lone(13, targets=2, kinds=kinds_) for kinds_ in (plain, [])]
    assert found == [["Blues", "Bystanders"], ["Bystanders"]]


@rule("w40k11.unit.lone_operative", check=1)
def test_the_shorter_of_two_distances_counts() -> None:
    nearer = [power("Blues", kind="grant", ability="lone operative 10")]
    assert [lone(gap, abilities=nearer) for gap in (10, 11)] == [["Blues", "Bystanders"], ["Bystanders"]]


@rule("w40k11.unit.lone_operative", check=2)
def test_who_is_near_one_model_of_the_unit_sees_all_of_it_and_others_do_not() -> None:
    doc = target(wounds=9, abilities=["lone operative"])
    b = face_off(gun(range=48), doc, red_at=[(10, 8), (8, 8)], blue_at=[(23, 8), (24.5, 8)])
    assert seen(b) == [[True, True], [False, False]]


@rule("w40k11.unit.lone_operative", check=2)
def test_at_12_inches_a_lone_operative_is_seen() -> None:
    assert [lone(12), lone(12.1)] == [["Blues", "Bystanders"], ["Bystanders"]]


@rule("w40k11.unit.lone_operative", check=3)
@pytest.mark.parametrize(("gap", "found"), [(20, ["Bystanders"]), (12, ["Blues", "Bystanders"])])
def test_indirect_fire_does_not_reach_a_lone_operative_from_afar(gap: float, found: list[str]) -> None:
    assert lone(gap, weapon=gun("indirect fire", range=48), way="indirect") == found


@rule("w40k11.unit.lone_operative", check=4)
def test_an_attached_lone_operative_is_seen() -> None:
    hero = character(wounds=9, abilities=["leader", "lone operative"])
    joined = unit("Hero", "blue", hero, [(31, 8)], leads="Blues")
    b = face_off(gun(range=48), target(abilities=["lone operative"]), gap=19, more=[joined])
    alone = face_off(gun(range=48), target(abilities=["lone operative"]), gap=19)
    assert [sees(x, named(x, "Reds"), named(x, "Blues")) for x in (b, alone)] == [True, False]


@rule("w40k11.unit.lone_operative", check=4)
def test_a_lone_operative_is_seen_still_once_its_bodyguards_have_fallen() -> None:
    hero = character(wounds=9, abilities=["leader", "lone operative"])
    joined = unit("Hero", "blue", hero, [(31, 8)], leads="Blues")
    b = shoot(face_off(gun(range=48), target(), gap=19, more=[joined], dice={"hit": [6], "wound": [6]}))
    alone = face_off(gun(range=48), hero, gap=20)
    left = [alive(b, "Blues"), alive(alone, "Blues")]
    seen = [sees(x, named(x, "Reds"), named(x, "Blues")) for x in (b, alone)]
    assert (left, seen) == ([1, 1], [True, False])


@rule("w40k11.unit.lone_operative", check=5)
@pytest.mark.parametrize(("ability", "hits"), [("lone operative", 0), ("stealth", 1)])
def test_friends_who_do_not_see_it_do_not_help_indirect_shooting(ability: str, hits: int) -> None:
    friends = unit("Friends", "red", sheet(name="Friend"), [(22, 28)])
    screen = feature("crater", (15, 1, 1, 14), 6, solid=True)
    b = face_off(gun("indirect fire", range=48), target(wounds=9, abilities=[ability]), gap=11, terrain=[screen],
                 more=[friends], flags={"moved": "stationary"}, dice={"hit": [4], "wound": [1]})  # fmt: skip
    give(b, "shoot_with", "Reds")
    give(b, "shooting_type", "indirect")
    give(b, "shoot", [{"weapon": "0", "target": "Blues"}])
    assert (last(b)["hits"], kinds(b)) == (hits, ["shoot_with"])


# --- Plunging Fire ----------------------------------------------------------------------------------------------------


def plunge(
    high: float = 0, keywords: tuple[str, ...] = ("INFANTRY",), gap: float = 10, face: int = 3, **more: Any
) -> int:
    """Hits of BS 4+ with a bare roll, by a model that stands so high."""
    stand = feature("crater", (7, 5, 6, 6), high, solid=True) if high else feature("crater", (1, 1, 1, 1))
    red = sheet(gun(skill=4, range=48), name="Red", keywords=list(keywords))
    b = face_off([], more.pop("victim", target(wounds=9)), red=red, red_at=[(10, 8, high)], gap=gap, terrain=[stand],
                 dice={"hit": [face], "wound": [1]}, **more)  # fmt: skip
    return int(last(shoot(b))["hits"])


@rule("w40k11.ability.plunging_fire", check=1)
def test_bs_4_becomes_3_from_three_inches_up() -> None:
    assert [plunge(3), plunge(3, face=2), plunge()] == [1, 0, 0]


@rule("w40k11.ability.plunging_fire", check=2)
def test_from_less_than_three_inches_up_there_is_no_bonus() -> None:
    assert [plunge(2.9), plunge(3)] == [0, 1]


@rule("w40k11.ability.plunging_fire", check=3)
def test_the_towering_have_it_on_level_ground_within_12_inches() -> None:
    assert [plunge(keywords=("TOWERING",), gap=gap) for gap in (12, 12.1)] == [1, 0]


@rule("w40k11.ability.plunging_fire", check=3)
def test_the_nearest_model_of_the_target_counts_for_the_towering() -> None:
    red = sheet(gun(range=48), name="Red", keywords=["TOWERING"])
    found = [face_off([], red=red, blue_at=[(x, 8), (x + 1.5, 8)]) for x in (23, 23.1)]
    assert [plunging(b) for b in found] == [True, False]


@rule("w40k11.ability.plunging_fire", check=4)
def test_the_towering_high_up_have_it_once() -> None:
    assert [plunge(3, ("TOWERING",), face=face) for face in (2, 3)] == [0, 1]


def plunging(b: Battle11) -> bool:
    """Whether the first of the Reds plunges at the Blues."""
    return plunges(b, named(b, "Reds"), 0, named(b, "Blues"))


@rule("w40k11.ability.plunging_fire", check=5)
def test_nothing_plunges_at_a_target_out_of_sight() -> None:
    stand, screen = feature("crater", (7, 5, 6, 6), 3, solid=True), feature("crater", (15, 1, 1, 28), 9, solid=True)
    found = [plunging(face_off(gun(), red_at=[(10, 8, 3)], terrain=terrain)) for terrain in ([stand], [stand, screen])]
    assert found == [True, False]


@rule("w40k11.ability.plunging_fire", check=1)
def test_one_target_model_on_the_ground_is_enough_and_none_is_not() -> None:
    stands = [feature("crater", (7, 5, 6, 6), 3, solid=True), feature("crater", (19, 5, 4, 6), 3, solid=True)]
    places: list[Spots] = [[(21, 8, 3), (23.8, 8)], [(21, 8, 3)]]
    assert [plunging(face_off(gun(), red_at=[(10, 8, 3)], blue_at=at, terrain=stands)) for at in places] == [
        True,
        False,
    ]


@rule("w40k11.ability.plunging_fire", check=6)
@rule("w40k11.aircraft.plunging", check=1)
def test_nothing_plunges_by_or_against_aircraft() -> None:
    flyer = target(wounds=9, keywords=["AIRCRAFT", "VEHICLE"])
    assert [plunge(3, ("AIRCRAFT", "INFANTRY")), plunge(3, victim=flyer), plunge(3)] == [0, 0, 1]


@rule("w40k11.aircraft.plunging", check=1)
def test_the_towering_have_no_bonus_against_aircraft() -> None:
    flyer = target(wounds=9, keywords=["AIRCRAFT", "VEHICLE"])
    assert [plunge(keywords=("TOWERING",), victim=flyer), plunge(keywords=("TOWERING",))] == [0, 1]
