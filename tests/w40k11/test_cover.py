"""The benefit of cover: who has it, from whom, and what it does; Stealth."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.battle import Effect
from sandtable.battle.tables import FeatureDoc
from sandtable.systems.w40k11.attack_sequence import HIT_MODIFIER, WOUND_MODIFIER
from sandtable.systems.w40k11.cover import COVER, in_cover
from w40k11.arms import changed, column, face_off, gun, last, melee, shoot, strike, target
from w40k11.table import TROOPER, Doc, Spots, feature, named, power, unit

rule = pytest.mark.rule

CRATER = feature("crater", (19, 4, 6, 12))
INSIDE: Spots = column(5, 21, 6)
FOOT = target(wounds=9)
SCREEN = feature("crater", (15, 7.8, 0.5, 10), 6, solid=True)
"""Hides a part of who stands behind it"""


def covered(at: Spots, terrain: list[FeatureDoc], victim: Doc = FOOT, row: int = 0, **more: Any) -> bool:
    """Whether Blues who stand there have cover from the first of the Reds."""
    b = face_off(gun(), victim, blue_at=at, terrain=terrain, **more)
    return in_cover(b, named(b, "Reds"), row, named(b, "Blues"))


@rule("w40k11.terrain.cover", check=1)
def test_infantry_with_part_of_their_bases_in_a_crater_has_cover() -> None:
    assert [covered(column(5, x, 6), [CRATER]) for x in (18.6, 18.4)] == [True, False]


@rule("w40k11.terrain.cover", check=2)
def test_one_in_the_open_means_no_cover() -> None:
    assert [covered(INSIDE, [CRATER]), covered([*INSIDE[:4], (26.5, 8)], [CRATER])] == [True, False]


@rule("w40k11.terrain.cover", check=3)
def test_one_outside_who_is_partly_hidden_does_not_spoil_it() -> None:
    at: Spots = [*INSIDE[:4], (26.5, 9)]
    assert [covered(at, [CRATER, SCREEN]), covered(at, [CRATER])] == [True, False]


@rule("w40k11.terrain.cover", check=4)
def test_a_vehicle_inside_that_is_fully_visible_has_no_cover() -> None:
    car = target(wounds=9, keywords=["VEHICLE"])
    assert [covered([(21, 8)], [CRATER], doc) for doc in (car, FOOT)] == [False, True]


@rule("w40k11.terrain.cover", check=5)
def test_a_vehicle_with_a_corner_hidden_has_cover() -> None:
    car = target(wounds=9, keywords=["VEHICLE"])
    assert [covered([(21, 8)], terrain, car) for terrain in ([SCREEN], [])] == [True, False]


@rule("w40k11.terrain.cover", check=6)
def test_models_in_between_give_no_cover() -> None:
    others = unit("Others", "blue", target(name="Other", keywords=["VEHICLE"]), [(17, 8.4)])
    assert [covered([(21, 8)], terrain, more=[others]) for terrain in ([], [SCREEN])] == [False, True]


@rule("w40k11.terrain.cover", check=7)
def test_cover_is_judged_for_each_attacking_model() -> None:
    found = [covered([(21, 8)], [SCREEN], red_at=[(10, 8), (18, 5)], row=row) for row in (0, 1)]
    assert found == [True, False]


@rule("w40k11.terrain.cover", check=8)
def test_there_is_no_cover_in_melee() -> None:
    b = melee(gun(range=0, attacks="1"), target(wounds=9), dice={"hit": [3], "wound": [1]})
    b.add_effect(Effect(COVER, named(b, "Blues").id, 1))
    assert (last(strike(b, ("gun", "Blues", 1)))["hits"], covered([(21, 8)], [CRATER])) == (1, True)


def hits(face: int, *abilities: str, skill: int = 3, modifier: int = 0, **more: Any) -> int:
    """Hits with one bare roll at Blues in a crater."""
    b = face_off(gun(*abilities, skill=skill, range=12), target(wounds=9), blue_at=[(21, 8)],
                 **{"terrain": [CRATER], "dice": {"hit": [face], "wound": [1]}, **more})  # fmt: skip
    return int(last(shoot(changed(b, HIT_MODIFIER, *([modifier] if modifier else []))))["hits"])


@rule("w40k11.terrain.cover")
def test_an_ability_gives_cover_to_a_unit_of_which_it_reaches_all_models() -> None:
    effect = {"kind": "grant", "ability": "benefit of cover", "who": "model"}
    gifts = [{"unit": "Blues", "name": "Gift", "models": bearers, "effects": [effect]} for bearers in ([1, 2], [1])]
    given = [covered(column(2, 21), [], abilities=[gift]) for gift in gifts]
    assert given == [True, False]


@rule("w40k11.terrain.cover_effect", check=1)
def test_bs_3_hits_on_4_against_cover() -> None:
    assert [hits(3), hits(4), hits(2, terrain=[]), hits(3, terrain=[])] == [0, 1, 0, 1]


@rule("w40k11.terrain.cover_effect", check=2)
@pytest.mark.parametrize("terrain", [[CRATER], []])
def test_saves_are_not_changed_by_cover(terrain: list[FeatureDoc]) -> None:
    b = face_off(
        gun(), target(save=4), blue_at=[(21, 8)], terrain=terrain, dice={"hit": [6], "wound": [6], "save": [3]}
    )
    assert (last(shoot(b))["unsaved"], hits(3)) == (1, 0)


@rule("w40k11.terrain.cover_effect", check=3)
def test_a_modifier_of_the_hit_roll_comes_on_top_of_cover() -> None:
    assert [hits(4, modifier=-1), hits(5, modifier=-1)] == [0, 1]


@rule("w40k11.terrain.cover_effect", check=4)
def test_a_six_hits_though_bs_is_7() -> None:
    assert [hits(5, skill=5), hits(5, skill=6), hits(6, skill=6)] == [0, 0, 1]


@rule("w40k11.terrain.cover_effect", check=5)
def test_several_sources_worsen_bs_by_one_in_all() -> None:
    stealthy = target(wounds=9, abilities=["stealth"])
    b = face_off(gun(), stealthy, blue_at=[(21, 8)], terrain=[CRATER, SCREEN], dice={"hit": [4], "wound": [1]})
    assert last(shoot(b))["hits"] == 1


@rule("w40k11.terrain.cover_effect", check=5)
def test_cover_by_an_ability_worsens_bs_like_that_of_terrain() -> None:
    def found(face: int, name: str, *terrain: FeatureDoc) -> int:
        given = [power(name, kind="grant", ability="benefit of cover")]
        return hits(face, abilities=given, terrain=list(terrain))

    assert [found(3, "Blues"), found(4, "Blues"), found(4, "Blues", CRATER), found(3, "Spares")] == [0, 1, 1, 1]


@rule("w40k11.terrain.cover_effect", check=5)
@rule("w40k11.strat.smokescreen")
def test_an_effect_gives_cover_as_terrain_does_and_others_do_not() -> None:
    def found(kind: str, face: int) -> int:
        b = face_off(gun(), target(wounds=9), dice={"hit": [face], "wound": [1]})
        return int(last(shoot(changed(b, kind, 1, whom="Blues")))["hits"])

    assert [found(COVER, 3), found(COVER, 4), found(WOUND_MODIFIER, 3)] == [0, 1, 1]


@rule("w40k11.terrain.cover_effect", check=6)
def test_psychic_attacks_and_those_that_ignore_cover_are_not_affected() -> None:
    assert [hits(3, "psychic"), hits(3, "ignores cover"), hits(3, "assault")] == [1, 1, 0]


@rule("w40k11.terrain.cover_effect", check=7)
def test_torrent_is_not_affected() -> None:
    b = face_off(gun("torrent", skill=3, range=12), target(wounds=9), blue_at=[(21, 8)], terrain=[CRATER],
                 dice={"wound": [1]})  # fmt: skip
    assert (hits(3), last(shoot(b))["hits"]) == (0, 1)


@rule("w40k11.terrain.cover_effect", check=8)
@rule("w40k11.ability.plunging_fire", check=7)
def test_cover_and_plunging_fire_cancel_out() -> None:
    tower: Doc = {"red": {**TROOPER, "name": "Red", "keywords": ["TOWERING"], "weapons": [gun()]}}
    b = face_off([], target(wounds=9), blue_at=[(21, 8)], terrain=[CRATER], dice={"hit": [3], "wound": [1]}, **tower)
    assert (last(shoot(b))["hits"], hits(3)) == (1, 0)


# --- Stealth ----------------------------------------------------------------------------------------------------------


def against(face: int, *abilities: str, others: tuple[str, ...] = ("stealth",), **more: Any) -> int:
    """Hits at two models, of which the second has some abilities."""
    stealthy = target(wounds=9, abilities=["stealth"])
    kinds_ = [{"models": [2], "sheet": target(name="Other", wounds=9, abilities=list(others))}]
    b = face_off(gun(*abilities), stealthy, targets=2, kinds=kinds_, dice={"hit": [face], "wound": [1]}, **more)
    return int(last(shoot(b))["hits"])


@rule("w40k11.unit.stealth", check=1)
def test_bs_3_becomes_4_against_stealth() -> None:
    assert [against(3), against(4)] == [0, 1]


@rule("w40k11.unit.stealth", check=2)
def test_stealth_and_terrain_worsen_bs_once() -> None:
    around = [feature("crater", (19, 4, 8, 12))]
    assert [against(3), against(3, terrain=around), against(4, terrain=around)] == [0, 0, 1]


@rule("w40k11.unit.stealth", check=3)
def test_one_model_without_stealth_means_no_stealth() -> None:
    assert [against(3, others=()), against(3)] == [1, 0]


@rule("w40k11.unit.stealth", check=4)
def test_weapons_that_ignore_cover_ignore_stealth() -> None:
    assert [against(3, "ignores cover"), against(3)] == [1, 0]
