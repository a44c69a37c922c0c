"""The Benefit of Cover."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.battle.tables import FeatureDoc, FloorDoc
from sandtable.forty.covering import sources_of_cover, terrain_cover
from sandtable.kit.seeing import PARTLY, WHOLLY, within_areas
from sandtable.systems.w40k10.state import Battle10
from sandtable.systems.w40k10.visibility import sees, unit_fully_visible
from w40k10.arms import blade, column, duel, face_off, gun, last, melee, sheet, shoot, strike, target
from w40k10.table import TANK, TROOPER, alive, feature, give, named, situation, unit, wall

HIT = {"hit": [3, 3], "wound": [6, 6]}


def saves(b: Battle10) -> int:
    """How many of two attacks were saved."""
    return int(last(b)["wounds"] - last(b)["unsaved"])


def covered(b: Battle10, who: str = "Blues", by: str = "Reds") -> list[bool]:
    """For each model of a unit, whether terrain gives it cover against another."""
    found = terrain_cover(b, named(b, by), named(b, who))
    return [int(m) in found for m in b.on_table(named(b, who))]


def view(terrain: list[FeatureDoc], red_at: Any, blue_at: Any, blue: Any = None, more: Any = ()) -> Battle10:
    return situation(
        [
            unit("Reds", "red", sheet(gun(range_=48), name="Red"), red_at),
            unit("Blues", "blue", blue or target(), blue_at),
            *more,
        ],
        terrain,
        step="shoot_units",
    )


AROUND = feature("ruins", (18, 5, 8, 8))
"""Ruins around the Blues of a duel."""


# --- What it does -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("w40k10.terrain.cover", check=1)
@pytest.mark.rule("w40k10.terrain.cover_good_armour", check=3)
def test_a_4_up_save_in_cover_saves_on_a_3_against_ap_0() -> None:
    b = duel(gun(a="2"), target(save=4), targets=2, terrain=[AROUND], dice={**HIT, "save": [3, 2]})
    assert saves(b) == 1


@pytest.mark.rule("w40k10.terrain.cover", check=2)
def test_a_3_up_save_in_cover_saves_on_a_3_against_ap_1() -> None:
    b = duel(gun(a="2", ap=-1), target(save=3), targets=2, terrain=[AROUND], dice={**HIT, "save": [3, 2]})
    assert saves(b) == 1


@pytest.mark.rule("w40k10.terrain.cover", check=3)
def test_cover_helps_armour_and_not_an_invulnerable_save() -> None:
    """Sv 4+ and a 5+ invulnerable save: against AP -1 armour with cover is better, against AP -6 nothing but the 5+."""
    defence = target(save=4, invulnerable=5)
    b = duel(gun(a="2", ap=-1), defence, targets=2, terrain=[AROUND], dice={**HIT, "save": [3, 4]})
    assert saves(b) == 1
    b = duel(gun(a="2", ap=-6), defence, targets=2, terrain=[AROUND], dice={**HIT, "save": [4, 5]})
    assert saves(b) == 1


@pytest.mark.rule("w40k10.terrain.cover", check=4)
def test_cover_does_not_help_in_melee() -> None:
    ruins = [feature("ruins", (5, 5, 12, 12))]
    b = melee(blade(a="2"), target(save=4), targets=2, terrain=ruins, dice={**HIT, "save": [3, 4]})
    strike(b, ("blade", "Blues", 2))
    assert saves(b) == 1
    places = [(11.0, 8.0), (11.0, 9.5)]
    b = duel(gun(a="2"), target(save=4), red_at=[(6, 8)], blue_at=places, terrain=ruins, dice={**HIT, "save": [3, 4]})
    assert saves(b) == 2, "shot at, they are in cover there"


@pytest.mark.rule("w40k10.terrain.cover", check=5)
@pytest.mark.rule("w40k10.terrain.cover_not_fully_visible", check=4)
def test_cover_is_looked_up_for_the_model_that_takes_the_attack() -> None:
    half = feature("ruins", (20, 9, 6, 6))
    b = duel(gun(), target(save=5), targets=2, terrain=[half], dice={"hit": [3], "wound": [6], "save": [4]})
    assert covered(b) == [False, True]
    give(b, "allocate", named(b, "Blues").models[0])
    assert alive(b, "Blues") == 1
    b = duel(gun(), target(save=5), targets=2, terrain=[half], dice={"hit": [3], "wound": [6], "save": [4]})
    give(b, "allocate", named(b, "Blues").models[1])
    assert alive(b, "Blues") == 2


@pytest.mark.rule("w40k10.terrain.cover_good_armour", check=1)
@pytest.mark.rule("w40k10.terrain.cover_good_armour", check=2)
@pytest.mark.parametrize("save", [2, 3])
def test_cover_does_not_help_good_armour_against_ap_0(save: int) -> None:
    b = duel(gun(a="2"), target(save=save), targets=2, terrain=[AROUND], dice={**HIT, "save": [save, save - 1]})
    assert saves(b) == 1


@pytest.mark.rule("w40k10.terrain.cover_good_armour", check=4)
def test_plunging_fire_makes_ap_0_good_enough_for_cover() -> None:
    tower = feature("ruins", (6, 5, 8, 8), 9)
    b = duel(
        gun(a="2"),
        target(save=3),
        targets=2,
        terrain=[tower, AROUND],
        red_at=[(10, 8, 6)],
        dice={**HIT, "save": [3, 2]},
    )
    assert saves(b) == 1, "AP -1 and +1: a 3 saves"


# --- Not fully visible ------------------------------------------------------------------------------------------------

POST = feature("debris", (25, 10.2, 0.5, 5), 6, solid=True)
"""Hides the upper half of a model at (30, 10) from (10, 10), and nothing of it from (10, 4)."""


@pytest.mark.rule("w40k10.terrain.cover_not_fully_visible", check=1)
def test_one_attacker_with_an_obstructed_view_is_enough() -> None:
    b = view([POST], [(10, 10), (10, 2)], [(30, 10)])
    assert covered(b) == [True]
    assert covered(view([POST], [(10, 2)], [(30, 10)])) == [False]


@pytest.mark.rule("w40k10.terrain.cover_not_fully_visible", check=2)
def test_what_all_attackers_see_fully_has_no_cover() -> None:
    assert covered(view([POST], [(10, 2), (10, 3.5), (10, 5)], [(30, 10)])) == [False]
    assert covered(view([POST], [(10, 2), (10, 3.5), (10, 10)], [(30, 10)])) == [True], "the third does not"


@pytest.mark.rule("w40k10.terrain.cover_not_fully_visible", check=3)
def test_a_view_obstructed_by_something_else_gives_no_cover() -> None:
    others = [unit("Others", "blue", target(name="Other"), [(28, 10.6)])]
    aside = feature("debris", (25, 20, 1, 1), 6, solid=True)
    b = view([aside], [(10, 10)], [(30, 10)], more=others)
    assert not unit_fully_visible(b, 0, named(b, "Reds"), named(b, "Blues")) and covered(b) == [False]
    before = feature("debris", (25, 10.2, 1, 1), 6, solid=True)
    assert covered(view([before], [(10, 10)], [(30, 10)], more=others)) == [True]


# --- Kinds of terrain -------------------------------------------------------------------------------------------------


@pytest.mark.rule("w40k10.terrain.craters_cover", check=1)
@pytest.mark.rule("w40k10.terrain.craters_cover", check=2)
@pytest.mark.rule("w40k10.terrain.craters_cover", check=3)
def test_a_crater_covers_infantry_wholly_on_top() -> None:
    crater = [feature("crater", (27, 5, 6, 10))]
    assert covered(view(crater, [(10, 10)], [(30, 10)])) == [True]
    assert covered(view(crater, [(10, 10)], [(27, 10)])) == [False]
    assert covered(view(crater, [(10, 10)], [(30, 10)], target(keywords=["VEHICLE"]))) == [False]


BARRICADE = feature("barricade", (25, 5, 0.5, 10), 1, solid=True)


@pytest.mark.rule("w40k10.terrain.barricade_cover", check=1)
@pytest.mark.rule("w40k10.terrain.barricade_cover", check=2)
@pytest.mark.rule("w40k10.terrain.barricade_cover", check=3)
@pytest.mark.rule("w40k10.terrain.barricade_cover", check=4)
def test_a_barricade_covers_infantry_close_behind_it() -> None:
    assert covered(view([BARRICADE], [(10, 10)], [(28, 10)])) == [True]
    assert covered(view([BARRICADE], [(10, 10)], [(28.1, 10)])) == [False], "not wholly within 3 inches"
    assert covered(view([BARRICADE], [(10, 10)], [(28, 10)], target(keywords=["VEHICLE"]))) == [False]
    assert covered(view([BARRICADE], [(10, 10)], [(24, 10)])) == [False], "on the near side"


@pytest.mark.rule("w40k10.terrain.barricade_cover", check=4)
@pytest.mark.parametrize(("red", "hidden"), [((10.0, 10.0), False), ((40.0, 10.0), True)])
def test_a_barricade_that_a_model_stands_in_covers_it_only_from_behind(red: tuple[float, float], hidden: bool) -> None:
    """The base reaches over the near edge of the barricade, and so the model is partly within its footprint."""
    assert covered(view([BARRICADE], [red], [(24.6, 10)])) == [hidden]


@pytest.mark.rule("w40k10.terrain.debris_cover", check=1)
@pytest.mark.rule("w40k10.terrain.debris_cover", check=2)
def test_debris_covers_anything_that_it_hides_at_any_distance() -> None:
    debris = feature("debris", (15, 5, 0.5, 10), 1.4, solid=True)
    tank = {**TANK, "weapons": []}
    assert covered(view([debris], [(10, 10)], [(36, 10)], tank)) == [True]


@pytest.mark.rule("w40k10.terrain.hill_cover", check=1)
@pytest.mark.rule("w40k10.terrain.hill_cover", check=2)
def test_a_hill_covers_what_is_half_hidden_behind_it_but_not_what_stands_on_top() -> None:
    container = feature("hill", (24, 10, 3, 6), 2.5, solid=True)
    assert covered(view([container], [(10, 10)], [(30, 10)])) == [True]
    top = feature("hill", (27, 7, 6, 6), 1, solid=True)
    assert covered(view([top], [(10, 10, 0)], [(27.5, 10, 1)])) == [False]


@pytest.mark.rule("w40k10.terrain.woods_cover", check=1)
@pytest.mark.parametrize("keyword", ["INFANTRY", "VEHICLE", "MONSTER"])
def test_woods_cover_everything_wholly_within(keyword: str) -> None:
    woods = [feature("woods", (27, 5, 6, 10), 4)]
    assert covered(view(woods, [(10, 10)], [(30, 10)], target(keywords=[keyword]))) == [True]
    inside = view(woods, [(28.5, 10)], [(31, 10)], target(keywords=[keyword, "TOWERING"]))
    assert covered(inside) == [True], "even what woods do not hide"


@pytest.mark.rule("w40k10.terrain.woods_cover", check=2)
@pytest.mark.rule("w40k10.terrain.woods_cover", check=3)
def test_woods_cover_what_is_seen_through_them() -> None:
    woods = [feature("woods", (17, 5, 6, 10), 4)]
    assert covered(view(woods, [(10, 10)], [(30, 10)])) == [True]
    assert covered(view(woods, [(10, 10)], [(16.6, 10)])) == [False], "partly within, and in front"
    assert covered(view(woods, [(20, 10)], [(30, 10)])) == [False], "the shooter is wholly within"


@pytest.mark.rule("w40k10.terrain.ruins_cover", check=1)
@pytest.mark.rule("w40k10.terrain.ruins_cover", check=2)
@pytest.mark.rule("w40k10.terrain.ruins_cover", check=3)
def test_ruins_cover_what_is_wholly_within_or_partly_hidden() -> None:
    ruins = [feature("ruins", (24, 4, 12, 12))]
    assert covered(view(ruins, [(10, 10)], [(30, 10)])) == [True]
    assert covered(view(ruins, [(10, 10)], [(30, 10)], {**TANK, "weapons": []})) == [True]
    walled = feature("ruins", (27, 5, 2, 10), 6, walls=(wall((27.2, 10), (27.2, 15), 6),))
    assert covered(view([walled], [(10, 10)], [(28.9, 10)])) == [True], "partly within, half behind a wall"
    assert covered(view([walled], [(10, 7)], [(28.9, 7)])) == [False], "partly within, and fully visible"


# --- Plunging Fire ----------------------------------------------------------------------------------------------------

TOWER = feature("ruins", (6, 5, 8, 8), 9)


@pytest.mark.rule("w40k10.terrain.ruins_plunging_fire", check=1)
@pytest.mark.parametrize(("height", "ap", "needed"), [(6, 0, 5), (6, -1, 6), (5.9, 0, 4)])
def test_plunging_fire_from_6_inches_up_improves_ap(height: float, ap: int, needed: int) -> None:
    b = duel(
        gun(a="2", ap=ap),
        target(save=4),
        targets=2,
        terrain=[TOWER],
        red_at=[(10, 8, height)],
        dice={**HIT, "save": [needed, needed - 1]},
    )
    assert saves(b) == 1


@pytest.mark.rule("w40k10.terrain.ruins_plunging_fire", check=2)
def test_one_target_model_above_the_ground_switches_plunging_fire_off() -> None:
    hill = feature("hill", (20, 9, 5, 5), 1, solid=True)
    b = duel(
        gun(a="2"),
        target(save=4),
        terrain=[TOWER, hill],
        red_at=[(10, 8, 6)],
        blue_at=[(22, 7.5), (22, 10, 1)],
        dice={**HIT, "save": [4, 3]},
    )
    assert saves(b) == 1


@pytest.mark.rule("w40k10.terrain.ruins_plunging_fire", check=3)
@pytest.mark.parametrize(
    ("kind", "x", "needed"), [("ruins", 13.5, 5), ("ruins", 13.6, 3), ("ruins", 14.6, 4), ("hill", 10, 4)]
)
def test_plunging_fire_needs_a_shooter_wholly_within_the_ruins(kind: str, x: float, needed: int) -> None:
    """Wholly within up to the edge, partly within (when the ruins are also in the way), beside them, or on a hill."""
    terrain = [feature(kind, (6, 5, 8, 8), 6), feature("woods", (30, 20, 4, 4), 4)]
    dice = {**HIT, "save": [needed, needed - 1]}
    b = duel(gun(a="2"), target(save=4), targets=2, terrain=terrain, red_at=[(x, 8, 6)], dice=dice)
    assert saves(b) == 1


@pytest.mark.rule("w40k10.terrain.ruins_plunging_fire", check=3)
def test_a_towering_model_in_ruins_has_plunging_fire_too() -> None:
    giant = sheet(gun(a="2"), name="Giant", keywords=["MONSTER", "TOWERING"])
    b = duel(
        gun(), target(save=4), red=giant, targets=2, terrain=[TOWER], red_at=[(10, 8, 6)], dice={**HIT, "save": [5, 4]}
    )
    assert saves(b) == 1


@pytest.mark.rule("w40k10.terrain.ruins_plunging_fire", check=4)
def test_melee_attacks_have_no_plunging_fire() -> None:
    """Nobody who is 6 inches up strikes at the ground, 5 inches below is as far as Engagement Range goes."""
    b = situation(
        [
            unit("Reds", "red", sheet(blade(a="2"), name="Red"), [(10, 8, 6)]),
            unit("Blues", "blue", target(save=4), [(11, 8, 1)], fought=True),
            unit("Spares", "red", sheet(blade(), name="Spare"), [(30, 25)]),
            unit("Bystanders", "blue", target(name="Bystander"), [(31, 25)], fought=True),
        ],
        [TOWER],
        step="remaining_combats",
        dice={**HIT, "save": [4, 3]},
    )
    give(b, "fight_with", "Reds")
    give(b, "pile_in", {"mode": "pile_in"})
    strike(b, ("blade", "Blues", 2))
    assert saves(b) == 1


@pytest.mark.rule("w40k10.terrain.ruins_plunging_fire", check=5)
def test_plunging_fire_is_tested_for_each_shooter() -> None:
    b = face_off(
        gun(),
        target(save=4),
        targets=2,
        terrain=[TOWER],
        red_at=[(10, 8, 6), (10, 9.5, 0)],
        dice={**HIT, "save": [4, 4]},
    )
    shoot(b)
    assert alive(b, "Blues") == 1, "one 4 against AP -1, one against AP 0"


def test_the_columns_of_a_duel_stand_apart() -> None:
    assert column(2, 10) == [(10, 8), (10, 9.5)]


# --- Footprints -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("w40k10.terrain.woods_footprint", check=1)
def test_wholly_within_woods_takes_in_the_whole_base() -> None:
    """Seen by a TOWERING model, which woods do not hinder: only who is wholly within has cover."""
    giant = sheet(gun(), name="Giant", keywords=["MONSTER", "TOWERING"])

    def shelters(x: float) -> bool:
        woods = feature("woods", (20, 5, 6, 10), 5)
        units = [unit("Giant", "red", giant, [(5, 10)]), unit("Blues", "blue", TROOPER, [(x, 10)])]
        b = situation(units, [woods])
        return bool(sources_of_cover(b, named(b, "Giant"), named(b, "Blues"), 1))

    assert shelters(20.6)
    assert not shelters(20.4)


@pytest.mark.rule("w40k10.terrain.ruins_footprint", check=1)
def test_the_footprint_of_ruins_holds_on_every_floor() -> None:
    ruins = feature("ruins", (20, 5, 8, 10), 9, floors=(FloorDoc(3, 0.1), FloorDoc(6, 0.1)))
    for z in (0, 3, 6):
        units = [unit("Reds", "red", TROOPER, [(5, 10)]), unit("Blues", "blue", TROOPER, [(24, 10, z)])]
        b = situation(units, [ruins])
        assert within_areas(b, named(b, "Blues")).tolist() == [[WHOLLY]], z
    units = [unit("Reds", "red", TROOPER, [(5, 10)]), unit("Blues", "blue", TROOPER, [(20, 10, 6)])]
    assert within_areas(situation(units, [ruins]), named(situation(units, [ruins]), "Blues")).tolist() == [[PARTLY]]


@pytest.mark.rule("w40k10.terrain.craters_move", check=2)
def test_a_crater_hides_nobody() -> None:
    crater = feature("crater", (10, 5, 10, 10))
    units = [unit("Reds", "red", TROOPER, [(5, 10)]), unit("Blues", "blue", TROOPER, [(25, 10)])]
    b = situation(units, [crater])
    assert sees(b, named(b, "Reds"), named(b, "Blues"))
    assert unit_fully_visible(b, 0, named(b, "Reds"), named(b, "Blues"))
