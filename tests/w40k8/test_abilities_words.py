"""Words of weapons: what good rolls give beside a hit or a wound, and words that abilities give."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.battle.tables import FeatureDoc
from support.acting import until
from w40k8.table import (
    Doc,
    alive,
    asked,
    bare,
    blade,
    give,
    gun,
    last,
    melee,
    range_,
    rolls,
    sheet,
    shoot,
    shootout,
    strike,
    strikers,
    under,
    unit,
    wounds,
)

FACES = [1, 2, 3, 4, 5, 6]
rule = pytest.mark.rule


def gift(bearer: str, word: str, **more: Any) -> Doc:
    """An ability that gives weapons a word."""
    return {"name": "Gift", "unit": bearer, "effects": [{"kind": "weapon_ability", "ability": word, **more}]}


def weapon(*abilities: str, **changes: Any) -> Doc:
    """A gun with abilities."""
    return {**gun(**changes), "abilities": list(abilities)}


# --- Another roll -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("face", "hits"), [(3, 5), (2, 4), (6, 5)])
def test_a_6_gives_another_roll_that_may_hit(face: int, hits: int) -> None:
    dice = {"hit": FACES, "extra hits": [face], "wound": [1] * hits}
    b = shootout(weapon("another roll on 6", shots="6"), bare(wounds=20), dice=dice)
    assert (last(b)["hits"], rolls(b)[:2]) == (hits, [("hit", tuple(FACES)), ("extra hits", (face,))])


@pytest.mark.parametrize(("word", "extra"), [("another roll on 6", [4]), ("another roll on 6+", [4, 4])])
def test_what_is_added_counts_only_for_rolls_of_6_and_more(word: str, extra: list[int]) -> None:
    hits = 5 + len(extra)
    dice = {"hit": FACES, "extra hits": extra, "wound": [1] * hits}
    b = shoot(under(range_(weapon(word, shots="6"), bare(wounds=20), dice=dice), "hit", 1))
    assert last(b)["hits"] == hits


def test_another_roll_is_as_hard_as_the_first() -> None:
    dice = {"hit": [6], "extra hits": [4], "wound": [1]}
    b = range_(weapon("another roll on 6"), bare(wounds=20), dice=dice)
    assert last(shoot(under(b, "hit", -2)))["hits"] == 1


def test_another_roll_of_1_is_made_again_where_the_first_would_be() -> None:
    dice = {"hit": [6], "extra hits": [1, 3], "wound": [1, 1]}
    b = shootout(weapon("another roll on 6", "re-roll hits of 1"), bare(wounds=20), dice=dice)
    assert last(b)["hits"] == 2


@pytest.mark.parametrize(("keywords", "hits"), [(["IMPERIUM"], 2), (["INFANTRY"], 1)])
def test_blows_at_those_who_are_hated_give_others(keywords: list[str], hits: int) -> None:
    hate = gift("Reds", "another roll on 6+", weapons="melee", when=["target_keyword:IMPERIUM"])
    dice = {"hit": [6], "extra hits": [6], "wound": [1] * hits}
    b = melee(blade(), bare(wounds=20, keywords=keywords), dice=dice, abilities=[hate])
    strike(b, ("Red", 1, "Blues"))
    assert last(b)["hits"] == hits


def test_a_word_for_melee_weapons_is_none_for_guns() -> None:
    hate = gift("Reds", "another roll on 6+", weapons="melee")
    assert last(shootout(gun(), dice={"hit": [6], "wound": [1]}, abilities=[hate]))["hits"] == 1


# --- Good wound rolls -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("face", "left"), [(5, 1), (6, 0)])
def test_a_sharp_weapon_pierces_armour_with_a_6(face: int, left: int) -> None:
    dice = {"hit": [6], "wound": [face], "save": [3]}
    assert alive(shootout(weapon("sharp -4 on 6+"), bare(save=3), dice=dice), "Blues") == left


def test_what_is_added_to_a_wound_roll_sharpens_it() -> None:
    dice = {"hit": [6], "wound": [5], "save": [6]}
    b = range_(weapon("sharp -4 on 6+"), bare(save=3), dice=dice)
    assert alive(shoot(under(b, "wound", 1)), "Blues") == 0


@pytest.mark.parametrize(("face", "left"), [(5, 1), (6, 0)])
def test_rust_betters_the_ap_by_one_with_a_6(face: int, left: int) -> None:
    dice = {"hit": [6], "wound": [face], "save": [4]}
    assert alive(shootout(weapon("ap -1 on 6+", ap=-1), bare(save=3), dice=dice), "Blues") == left


@pytest.mark.parametrize(("word", "face", "left"), [
    ("damage +1 on 6+", 5, 7), ("damage +1 on 6+", 6, 6), ("damage to 3 on 6+", 6, 6), ("damage to 3 on 6+", 5, 7),
])  # fmt: skip
def test_a_6_to_wound_does_more_damage(word: str, face: int, left: int) -> None:
    b = shootout(weapon(word, d="2"), bare(wounds=9), dice={"hit": [6], "wound": [face]})
    assert wounds(b, "Blues") == [left]


@pytest.mark.parametrize(("face", "left"), [(5, [9]), (6, [8])])
def test_a_6_to_wound_adds_a_mortal_wound_that_no_armour_stops(face: int, left: list[int]) -> None:
    dice = {"hit": [6], "wound": [face], "save": [6]}
    assert wounds(shootout(weapon("mortal wound on 6+"), bare(wounds=9, save=3), dice=dice), "Blues") == left


def test_wounds_of_several_kinds_are_saved_each_in_its_own_way() -> None:
    dice = {"hit": [6, 6], "wound": [6, 5], "save": [3, 3]}
    b = shootout(weapon("sharp -4 on 6+", shots="2"), bare(save=3), targets=2, dice=dice)
    assert alive(b, "Blues") == 1


@pytest.mark.parametrize(("keywords", "wounded"), [(["INFANTRY"], 5), (["VEHICLE"], 1)])
def test_poison_wounds_whom_it_can_whatever_their_toughness(keywords: list[str], wounded: int) -> None:
    dice = {"hit": [6] * 6, "wound": FACES}
    b = shootout(weapon("wounds on 2+", shots="6"), bare(wounds=20, toughness=9, keywords=keywords), dice=dice)
    assert last(b)["wounds"] == wounded


# --- Other words ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("keywords", "hits"), [(["FLY"], 5), (["INFANTRY"], 3)])
def test_a_gun_against_flyers_is_better_at_them_and_worse_at_others(keywords: list[str], hits: int) -> None:
    dice = {"hit": FACES, "wound": [1] * hits}
    b = shootout(weapon("anti-air", shots="6"), bare(wounds=20, keywords=keywords), dice=dice)
    assert last(b)["hits"] == hits


def test_a_swarm_hits_by_a_number_of_its_own_whatever_is_added() -> None:
    b = range_(weapon("hits on 5+", shots="6"), bare(wounds=20), dice={"hit": FACES, "wound": [1, 1]})
    assert last(shoot(under(b, "hit", 2)))["hits"] == 2


@pytest.mark.parametrize(("word", "rolled"), [("rolls 3 for each attack", 3), ("rolls d3 for each attack", 2)])
def test_each_blow_of_a_sweeping_weapon_makes_several_hit_rolls(word: str, rolled: int) -> None:
    scythe = {**blade(), "abilities": [word]}
    b = melee(scythe, bare(wounds=20), dice={"attacks": [3], "hit": [1] * rolled})
    strike(b, ("Red", 1, "Blues"))
    assert last(b)["attacks"] == rolled


@rule("w40k8.shoot.targets")
@pytest.mark.parametrize(("words", "targets"), [([], ["Others"]), (["indirect fire"], ["Blues", "Others"])])
def test_indirect_fire_needs_no_sight(words: list[str], targets: list[str]) -> None:
    wall = FeatureDoc("wall", "wall", "The wall", (15.0, 4.0, 0.2, 10.0), height=9, solid=True)
    others = unit("Others", "blue", bare(), [(10, 20)])
    b = range_(weapon(*words, range_=20), terrain=[wall], more=[others])
    give(b, "shoot_with", "Reds")
    assert [o.label for o in asked(b, "shoot").targets] == targets  # type: ignore[attr-defined]


def test_a_second_pair_brings_attacks_that_are_made_with_it_alone() -> None:
    pair = gift("Reds", "extra attacks 1", weapons="talons", who="model")
    b = melee([blade("talons"), blade("tail")], bare(wounds=20), abilities=[pair])
    assert strikers(b) == {"Red (1)": 1, "Red, talons (2)": 1}


def test_a_second_blade_of_the_same_name_can_be_meant_alone() -> None:
    pair = gift("Reds", "extra attacks 1", weapons="talons 2", who="model")
    b = melee([blade("talons"), blade("talons 2")], bare(wounds=20), abilities=[pair])
    assert strikers(b) == {"Red (1)": 1, "Red, talons 2 (2)": 1}


def test_abilities_change_ap_and_damage_of_weapons() -> None:
    racks = {
        "name": "Racks",
        "unit": "Reds",
        "effects": [
            {"kind": "characteristic", "name": "D", "add": 1, "weapons": "gun"},
            {"kind": "characteristic", "name": "AP", "add": -1, "weapons": "gun"},
        ],
    }
    dice = {"hit": [6], "wound": [6], "save": [3]}
    assert wounds(shootout(gun(), bare(wounds=9, save=3), dice=dice, abilities=[racks]), "Blues") == [7]


@rule("w40k8.shoot.character")
@pytest.mark.parametrize(("words", "targets"), [([], ["Blues"]), (["sniper"], ["Blues", "Hero"])])
def test_a_sniper_picks_characters_out_of_the_crowd(words: list[str], targets: list[str]) -> None:
    hero = unit("Hero", "blue", bare(name="Hero", keywords=["CHARACTER"]), [(26, 14)])
    b = range_(weapon(*words), more=[hero])
    give(b, "shoot_with", "Reds")
    assert [o.label for o in asked(b, "shoot").targets] == targets  # type: ignore[attr-defined]


# --- Weapons that overheat --------------------------------------------------------------------------------------------


@rule("w40k8.attack.fast_dice")
def test_a_roll_of_1_slays_who_fires_a_weapon_that_overheats() -> None:
    b = shootout(weapon("overheats"), bare(wounds=20), shooters=2, dice={"hit": [1, 2]})
    assert (alive(b, "Reds"), rolls(b)) == (1, [("hit", (1,)), ("hit", (2,))])


def test_a_roll_that_is_made_1_by_what_is_added_slays_too() -> None:
    b = range_(weapon("overheats"), bare(wounds=20), shooters=2, dice={"hit": [2, 3]})
    assert alive(shoot(under(b, "hit", -1)), "Reds") == 1


def test_a_roll_of_1_that_is_made_again_harms_nobody() -> None:
    b = shootout(weapon("overheats", "re-roll hits of 1"), bare(wounds=20), dice={"hit": [1, 2]})
    assert alive(b, "Reds") == 1


@pytest.mark.parametrize(("word", "left"), [("overheats by wounds", 3), ("overheats by a wound", 4)])
def test_some_weapons_cost_wounds_when_they_overheat(word: str, left: int) -> None:
    doc = sheet(weapon(word, shots="3"), name="Red", wounds=5)
    b = shootout(gun(), bare(wounds=20), red=doc, dice={"hit": [1, 1, 2]})
    assert wounds(b, "Reds") == [left]


@pytest.mark.parametrize(
    ("word", "crowd", "hits"), [("to hit +1", 1, 5), ("to hit +1 against 3", 3, 5), ("to hit +1 against 3", 2, 4)]
)
def test_some_weapons_are_easier_to_hit_with(word: str, crowd: int, hits: int) -> None:
    dice = {"hit": FACES, "wound": [1] * hits}
    assert last(shootout(weapon(word, shots="6"), targets=crowd, dice=dice))["hits"] == hits


@rule("w40k8.shoot.declare")
def test_a_single_shot_is_fired_once_in_a_battle() -> None:
    arms = [weapon("one shot", name="missile"), gun(name="bolter")]
    b = shootout(arms, bare(wounds=20), dice={"hit": [1, 1]}, turns=4)
    give(b, "shoot_with", None)
    until(b, "shoot_with", 0)
    give(b, "shoot_with", "Reds")
    assert [row.label for row in asked(b, "shoot").rows] == ["bolter"]  # type: ignore[attr-defined]
