"""Shooting, as far as Overwatch needs it: who may shoot what at whom, and the types of weapons."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.battle.tables import FeatureDoc
from sandtable.errors import UserError
from sandtable.forty.aiming import why_not_at
from sandtable.systems.w40k8.state import Battle8
from support.acting import judge, offered, refused_by
from w40k8.table import (
    BYSTANDERS,
    SPARES,
    Doc,
    alive,
    asked,
    bare,
    blade,
    column,
    give,
    gun,
    kinds,
    last,
    melee,
    named,
    range_,
    rolls,
    sheet,
    shoot,
    shootout,
    situation,
    stories,
    strike,
    told,
    under,
    unit,
    wounds,
)

rule = pytest.mark.rule
RIFLE, PISTOL, GRENADE = gun(name="rifle"), gun("pistol", name="pistol"), gun("grenade", name="grenade")


def rows(b: Battle8) -> dict[str, tuple[int, list[str]]]:
    """What the Reds may fire: how many of each weapon, and at whom."""
    question: Any = asked(b, "shoot")
    return {r.label: (r.count, [b.unit(t).name for t in r.targets]) for r in question.rows}


def aiming(*args: Any, **more: Any) -> dict[str, tuple[int, list[str]]]:
    """The same, once the Reds are chosen to shoot."""
    b = range_(*args, **more)
    give(b, "shoot_with", "Reds")
    return rows(b)


def fire(b: Battle8, *shots: tuple[str, int, str]) -> Battle8:
    """Reds fire so many of a weapon at a unit."""
    give(b, "shoot", [{"weapon": weapon, "count": count, "target": target} for weapon, count, target in shots])
    return b


# --- The sequence -----------------------------------------------------------------------------------------------------


@rule("w40k8.shoot.sequence", check=1)
def test_a_unit_finishes_its_shooting_before_another_is_chosen() -> None:
    b = range_([gun(), gun(name="other")], dice={"hit": [1, 1]})
    give(b, "shoot_with", "Reds")
    before = kinds(b)
    fire(b, ("gun", 1, "Blues"), ("other", 1, "Blues"))
    assert (before, rolls(b), offered(b, "shoot_with")) == (["shoot"], [("hit", (1,)), ("hit", (1,))], ["Spares"])


@rule("w40k8.shoot.sequence", check=2)
def test_a_unit_shoots_once_in_a_phase() -> None:
    b = shootout(gun(), dice={"hit": [1]})
    refused_by(b, "shoot_with", "Reds", "w40k8.shoot.sequence")
    assert offered(b, "shoot_with") == ["Spares"]


@rule("w40k8.shoot.sequence", check=3)
def test_nobody_has_to_shoot() -> None:
    b = range_(gun())
    give(b, "shoot_with", None)
    assert (rolls(b), kinds(b)) == ([], ["charge_with"])


# --- Who may shoot ----------------------------------------------------------------------------------------------------


@rule("w40k8.shoot.eligible", check=1)
@rule("w40k8.weapon.assault", check=3)
def test_a_unit_that_advanced_fires_assault_weapons_alone() -> None:
    assert aiming([gun(), gun("heavy", name="big gun")], flags={"moved": "advance"}) == {"gun": (1, ["Blues"])}


@rule("w40k8.shoot.eligible", check=1)
@pytest.mark.parametrize("type_", ["heavy", "rapid fire", "pistol", "grenade"])
def test_a_unit_that_advanced_is_not_chosen_without_assault_weapons(type_: str) -> None:
    assert offered(range_(gun(type_), flags={"moved": "advance"}), "shoot_with") == ["Spares"]


@rule("w40k8.shoot.eligible", check=2)
@pytest.mark.parametrize(
    ("keywords", "ready"),
    [(["FLY", "FLY"], ["Reds", "Spares"]), (["FLY", "WALK"], ["Spares"]), (["WALK"] * 2, ["Spares"])],
)
def test_a_unit_that_fell_back_shoots_if_all_of_it_can_fly(keywords: list[str], ready: list[str]) -> None:
    loadout = [{"models": [i + 1], "sheet": sheet(gun(), keywords=[k])} for i, k in enumerate(keywords)]
    reds = unit("Reds", "red", sheet(gun()), column(2, 10), loadout=loadout, moved="fall_back")
    b = situation([reds, unit("Blues", "blue", bare(), [(21, 8)]), SPARES, BYSTANDERS], step="shoot_units")
    assert offered(b, "shoot_with") == ready


@rule("w40k8.shoot.eligible", check=(3, 4))
@pytest.mark.parametrize(("gap", "ready"), [(1.0, ["Spares"]), (1.01, ["Reds", "Spares"])])
def test_one_model_within_1_inch_of_an_enemy_silences_the_unit(gap: float, ready: list[str]) -> None:
    near = unit("Near", "blue", bare(), [(10, 9.5 + 1 + gap)])
    assert offered(range_(gun(), shooters=2, more=[near]), "shoot_with") == ready


@rule("w40k8.shoot.eligible", check=5)
@pytest.mark.parametrize("flags", [{"moved": "normal"}, {"arrived": True}, {"disembarked": "out"}])
def test_a_unit_that_moved_arrived_or_disembarked_shoots(flags: Doc) -> None:
    assert offered(range_(gun(), flags=flags), "shoot_with") == ["Reds", "Spares"]


# --- What is fired ----------------------------------------------------------------------------------------------------


@rule("w40k8.shoot.all_weapons", check=1)
def test_a_model_fires_all_its_guns() -> None:
    b = range_([RIFLE, gun("heavy", name="cannon", shots="2")], dice={"hit": [1, 1, 1]})
    assert (rolls(shoot(b)), len(stories(b))) == ([("hit", (1,)), ("hit", (1, 1))], 2)


@rule("w40k8.shoot.all_weapons", check=2)
@rule("w40k8.weapon.pistol_choice", check=1)
def test_a_model_fires_its_pistol_or_its_gun() -> None:
    b = range_([RIFLE, PISTOL], dice={"hit": [1]})
    give(b, "shoot_with", "Reds")
    both = [{"weapon": "rifle", "target": "Blues"}, {"weapon": "pistol", "target": "Blues"}]
    refused_by(b, "shoot", both, "w40k8.weapon.pistol_choice")
    assert rolls(fire(b, ("pistol", 1, "Blues"))) == [("hit", (1,))]


@rule("w40k8.shoot.all_weapons", check=3)
@rule("w40k8.weapon.grenade", check=2)
@pytest.mark.parametrize("other", [RIFLE, PISTOL])
def test_a_model_that_throws_a_grenade_fires_nothing_else(other: Doc) -> None:
    b = range_([other, GRENADE], dice={"hit": [1]})
    give(b, "shoot_with", "Reds")
    both = [{"weapon": other["name"], "target": "Blues"}, {"weapon": "grenade", "target": "Blues"}]
    refused_by(b, "shoot", both, "w40k8.weapon.grenade")
    assert rolls(fire(b, ("grenade", 1, "Blues"))) == [("hit", (1,))]


@rule("w40k8.shoot.all_weapons", check=4)
def test_melee_weapons_are_never_fired() -> None:
    assert aiming([RIFLE, blade()]) == {"rifle": (1, ["Blues"])}


@rule("w40k8.shoot.all_weapons", check=5)
def test_a_weapon_without_a_target_is_not_fired() -> None:
    assert aiming([RIFLE, gun(name="short", range_=9)], gap=10) == {"rifle": (1, ["Blues"])}


# --- At whom ----------------------------------------------------------------------------------------------------------


@rule("w40k8.shoot.targets", check=1)
@pytest.mark.parametrize(("gap", "ready"), [(24, ["Reds", "Spares"]), (24.01, ["Spares"])])
def test_a_target_exactly_at_the_end_of_the_range_is_in_range(gap: float, ready: list[str]) -> None:
    assert offered(range_(gun(), gap=gap), "shoot_with") == ready


def wall(y: float, depth: float) -> FeatureDoc:
    """A wall across the line of fire."""
    return FeatureDoc("wall", "wall", "The wall", (15.0, y, 0.2, depth), height=6, solid=True)


@rule("w40k8.shoot.targets", check=2)
def test_one_model_must_be_both_in_range_and_visible() -> None:
    weapon = gun(range_=10)
    blues: list[tuple[float, ...]] = [(21, 8), (22.5, 8)]
    open_field = offered(range_(weapon, blue_at=blues), "shoot_with")
    far_one = [*blues[:1], (22, 14)]
    hidden = offered(range_(weapon, blue_at=far_one, terrain=[wall(4, 5.5)]), "shoot_with")
    assert (open_field, hidden) == (["Reds", "Spares"], ["Spares"])


@rule("w40k8.shoot.targets", check=3)
def test_range_is_measured_for_each_model_and_weapon() -> None:
    red_at: list[tuple[float, ...]] = [(10, 8), (8.5, 8)]
    assert aiming([gun(range_=10), gun(name="long")], red_at=red_at) == {
        "gun": (1, ["Blues"]),
        "long": (2, ["Blues"]),
    }


@rule("w40k8.shoot.targets", check=4)
def test_friends_are_no_targets() -> None:
    friends = unit("Friends", "red", bare(), [(12, 12)])
    assert aiming(gun(), more=[friends]) == {"gun": (1, ["Blues"])}


@rule("w40k8.shoot.targets", check=5)
def test_targets_6_inches_away_are_in_range_of_boltguns() -> None:
    assert aiming(gun("rapid fire", name="boltgun"), gap=6) == {"boltgun": (1, ["Blues"])}


@rule("w40k8.shoot.friends_near_target", check=1)
@pytest.mark.parametrize(("gap", "targets"), [(1.0, ["Others"]), (1.01, ["Blues", "Others"])])
def test_nobody_shoots_at_a_unit_with_friends_within_1_inch(gap: float, targets: list[str]) -> None:
    friends = unit("Friends", "red", bare(), [(21, 9 + gap)])
    others = unit("Others", "blue", bare(), [(21, 4)])
    assert aiming(gun(), more=[friends, others]) == {"gun": (1, targets)}


@rule("w40k8.shoot.friends_near_target", check=2)
def test_the_whole_unit_is_barred_by_friends_near_one_of_it() -> None:
    friends = unit("Friends", "red", bare(), [(21, 14)])
    b = range_(gun(), targets=4, more=[friends])
    assert offered(b, "shoot_with") == ["Spares"]


@rule("w40k8.shoot.friends_near_target", check=3)
@rule("w40k8.weapon.pistol_combat", check=4)
def test_a_pistol_is_fired_at_the_enemy_at_hand_though_friends_are_near_it() -> None:
    friends = unit("Friends", "red", bare(), [(12.5, 8)])
    assert aiming([RIFLE, PISTOL], gap=0.5, more=[friends]) == {"pistol": (1, ["Blues"])}


# --- Splitting --------------------------------------------------------------------------------------------------------

OTHERS = unit("Others", "blue", bare(name="Other"), [(21, 20)])


@rule("w40k8.shoot.split", check=1)
def test_a_model_fires_two_guns_at_two_units() -> None:
    b = range_([gun(), gun(name="other")], more=[OTHERS], dice={"hit": [3, 3], "wound": [4, 4]})
    give(b, "shoot_with", "Reds")
    fire(b, ("gun", 1, "Blues"), ("other", 1, "Others"))
    assert (alive(b, "Blues"), alive(b, "Others")) == (0, 0)


@rule("w40k8.shoot.split", check=2)
def test_two_models_fire_at_two_units() -> None:
    b = range_(gun(), shooters=2, more=[OTHERS], dice={"hit": [3, 3], "wound": [4, 4]})
    give(b, "shoot_with", "Reds")
    fire(b, ("gun", 1, "Blues"), ("gun", 1, "Others"))
    assert (alive(b, "Blues"), alive(b, "Others")) == (0, 0)


@rule("w40k8.shoot.split", check=3)
def test_each_choice_has_to_be_legal_by_itself() -> None:
    b = range_([gun(range_=10), gun(name="long")], more=[OTHERS])
    give(b, "shoot_with", "Reds")
    assert not judge(b, "shoot", [{"weapon": "long", "target": "Blues"}, {"weapon": "gun", "target": "Others"}])
    assert judge(b, "shoot", [{"weapon": "long", "target": "Others"}, {"weapon": "gun", "target": "Blues"}])


@rule("w40k8.shoot.declare", check=1)
def test_all_targets_are_named_before_the_first_die() -> None:
    b = range_([gun(), gun(name="other")], more=[OTHERS], dice={"hit": [3, 2], "wound": [4]})
    give(b, "shoot_with", "Reds")
    before = rolls(b)
    fire(b, ("gun", 1, "Blues"), ("other", 1, "Others"))
    assert (before, kinds(b), alive(b, "Others")) == ([], ["shoot_with"], 1)


@rule("w40k8.shoot.declare", check=1)
def test_a_unit_that_fires_nothing_shoots_at_nobody() -> None:
    b = range_(gun())
    give(b, "shoot_with", "Reds")
    fire(b)
    assert (told(b), offered(b, "shoot_with")) == ([], ["Spares"])


@rule("w40k8.shoot.declare", check=2)
@pytest.mark.parametrize("first", ["Blues", "Others"])
def test_all_shots_at_one_unit_come_in_a_row(first: str) -> None:
    b = range_([gun(), gun(name="other"), gun(name="third")], more=[OTHERS], dice={"hit": [1] * 3})
    give(b, "shoot_with", "Reds")
    second = {"Blues": "Others", "Others": "Blues"}[first]
    fire(b, ("gun", 1, first), ("other", 1, second), ("third", 1, first))
    assert [text.partition(" at ")[2].partition(",")[0] for text in stories(b)] == [first, first, second]


@rule("w40k8.shoot.declare", check=3)
@pytest.mark.parametrize("order", [["Blues", "Others"], ["Others", "Blues"]])
def test_the_player_orders_the_targets(order: list[str]) -> None:
    b = range_([gun(), gun(name="other")], more=[OTHERS], dice={"hit": [1] * 2})
    give(b, "shoot_with", "Reds")
    fire(b, ("gun", 1, order[0]), ("other", 1, order[1]))
    assert [text.partition(" at ")[2].partition(",")[0] for text in stories(b)] == order


@rule("w40k8.shoot.declare", check=4)
@rule("w40k8.gap.target_gone", check=1)
def test_shots_at_a_unit_that_is_gone_are_lost() -> None:
    b = range_([gun(), gun(name="other"), gun(name="third")], more=[OTHERS], dice={"hit": [3, 2], "wound": [4]})
    give(b, "shoot_with", "Reds")
    fire(b, ("gun", 1, "Blues"), ("other", 1, "Blues"), ("third", 1, "Others"))
    assert (rolls(b), alive(b, "Others")) == ([("hit", (3,)), ("wound", (4,)), ("hit", (2,))], 1)


@rule("w40k8.shoot.declare", check=5)
@rule("w40k8.gap.target_gone", check=2)
def test_losses_that_put_the_rest_out_of_range_cancel_nothing() -> None:
    loadout = [{"models": [2], "sheet": bare(name="Veteran")}]
    guns = [gun(range_=10), gun(name="other", range_=10)]
    b = range_(guns, blue_at=[(21, 8), (22.5, 8)], loadout=loadout, dice={"hit": [3, 3], "wound": [4, 4]})
    give(b, "shoot_with", "Reds")
    fire(b, ("gun", 1, "Blues"), ("other", 1, "Blues"))
    give(b, "allocate", "Target 1")
    assert (alive(b, "Blues"), kinds(b)) == (0, ["shoot_with"])


# --- How many ---------------------------------------------------------------------------------------------------------


@rule("w40k8.shoot.attack_count", check=1)
@rule("w40k8.weapon.types", check=2)
@pytest.mark.parametrize(("type_", "shots"), [("assault", 1), ("heavy", 3)])
def test_a_weapon_makes_the_attacks_behind_its_type(type_: str, shots: int) -> None:
    assert rolls(shootout(gun(type_, shots=f"{shots}"), dice={"hit": [1] * shots})) == [("hit", (1,) * shots)]


@rule("w40k8.shoot.attack_count", check=2)
@rule("w40k8.stat.random_other", check=3)
def test_a_random_number_of_shots_is_thrown_for_each_model_once_targets_are_named() -> None:
    b = range_(gun("heavy", shots="D6"), shooters=2, dice={"attacks": [2, 3], "hit": [1] * 5})
    give(b, "shoot_with", "Reds")
    before = rolls(b)
    fire(b, ("gun", 2, "Blues"))
    assert (before, rolls(b)) == ([], [("attacks", (2, 3)), ("hit", (1,) * 5)])


@rule("w40k8.shoot.attack_count", check=3)
def test_the_attacks_of_the_model_play_no_part_in_shooting() -> None:
    red = sheet(gun(shots="2"), name="Red", attacks=5)
    assert rolls(shootout([], red=red, dice={"hit": [1, 1]})) == [("hit", (1, 1))]


@rule("w40k8.shoot.one_target_per_weapon", check=1)
@rule("w40k8.shoot.one_target_per_weapon", check=2)
@pytest.mark.parametrize("weapon", [gun("heavy", shots="3"), gun("rapid fire")])
def test_the_attacks_of_one_weapon_go_at_one_unit(weapon: Doc) -> None:
    b = range_(weapon, more=[OTHERS])
    give(b, "shoot_with", "Reds")
    shots = [{"weapon": "gun", "count": 1, "target": "Blues"}, {"weapon": "gun", "count": 1, "target": "Others"}]
    assert not judge(b, "shoot", shots)
    assert (bool(judge(b, "shoot", shots[:1])), rows(b)) == (True, {"gun": (1, ["Blues", "Others"])})


# --- The types of weapons ---------------------------------------------------------------------------------------------


@rule("w40k8.weapon.types", check=1)
@pytest.mark.parametrize(
    ("weapon", "wrong"),
    [
        (gun("blunderbuss"), "the type of a ranged weapon is"),
        (gun("melee"), "the type of a ranged weapon is"),
        (gun(shots="many"), "attacks is a number"),
        ({**blade(), "type": "pistol"}, "a melee weapon has the type melee"),
        ({**blade(), "attacks": "2"}, "a melee weapon has the type melee"),
    ],
)
def test_a_weapon_has_one_of_the_types_and_a_number(weapon: Doc, wrong: str) -> None:
    with pytest.raises(UserError, match=wrong):
        range_(weapon)
    assert list(aiming([gun(t, name=t) for t in FIVE])) == list(FIVE)


FIVE = ("assault", "heavy", "rapid fire", "grenade", "pistol")


@rule("w40k8.weapon.assault", check=1)
def test_after_an_advance_assault_weapons_hit_at_less_1() -> None:
    b = shootout(gun(shots="6"), flags={"moved": "advance"}, dice={"hit": [1, 2, 3, 4, 5, 6], "wound": [1] * 3})
    assert last(b)["hits"] == 3


@rule("w40k8.weapon.assault", check=2)
def test_without_an_advance_assault_weapons_have_no_penalty() -> None:
    b = shootout(gun(shots="6"), flags={"moved": "normal"}, dice={"hit": [1, 2, 3, 4, 5, 6], "wound": [1] * 4})
    assert last(b)["hits"] == 4


@rule("w40k8.weapon.assault", check=2)
def test_blows_have_no_penalty_after_an_advance() -> None:
    b = melee(blade(), flags={"moved": "advance"}, dice={"hit": [3], "wound": [1]})
    strike(b, ("Red", 1, "Blues"))
    assert last(b)["hits"] == 1


@rule("w40k8.weapon.assault", check=4)
def test_the_penalty_adds_to_others() -> None:
    b = range_(gun(shots="6"), flags={"moved": "advance"}, dice={"hit": [1, 2, 3, 4, 5, 6], "wound": [1] * 2})
    assert last(shoot(under(b, "hit", -1)))["hits"] == 2


@rule("w40k8.weapon.assault", check=5)
def test_an_assault_weapon_is_not_fired_within_1_inch_of_an_enemy() -> None:
    assert aiming([gun(), PISTOL], gap=1) == {"pistol": (1, ["Blues"])}


@rule("w40k8.weapon.rapid_fire", check=(1, 2))
@pytest.mark.parametrize(("gap", "shots"), [(12, 2), (12.01, 1)])
def test_rapid_fire_doubles_at_exactly_half_range(gap: float, shots: int) -> None:
    assert rolls(shootout(gun("rapid fire"), gap=gap, dice={"hit": [1] * shots})) == [("hit", (1,) * shots)]


@rule("w40k8.weapon.rapid_fire", check=3)
def test_rapid_fire_2_makes_four_attacks_at_half_range() -> None:
    assert last(shootout(gun("rapid fire", shots="2"), dice={"hit": [1] * 4}))["attacks"] == 4


@rule("w40k8.weapon.rapid_fire", check=1)
def test_other_weapons_make_no_more_attacks_at_half_range() -> None:
    assert last(shootout(gun("heavy", shots="2"), dice={"hit": [1] * 2}))["attacks"] == 2


@rule("w40k8.weapon.rapid_fire", check=4)
def test_half_range_is_measured_by_each_model_to_the_nearest_of_the_target() -> None:
    red_at: list[tuple[float, ...]] = [(10, 8), (8.5, 8)]
    blue_at: list[tuple[float, ...]] = [(24.5, 8), (23, 8)]
    b = shootout(gun("rapid fire"), red_at=red_at, blue_at=blue_at, dice={"hit": [1] * 3})
    assert rolls(b) == [("hit", (1, 1)), ("hit", (1,))]


@rule("w40k8.weapon.grenade", check=1)
@rule("w40k8.weapon.grenade", check=3)
def test_one_model_throws_a_grenade_and_the_others_fire() -> None:
    b = range_([RIFLE, GRENADE], shooters=3, dice={"hit": [1] * 3})
    give(b, "shoot_with", "Reds")
    refused_by(b, "shoot", [{"weapon": "grenade", "count": 2, "target": "Blues"}], "w40k8.weapon.grenade")
    three = [{"weapon": "grenade", "count": 1, "target": "Blues"}, {"weapon": "rifle", "count": 3, "target": "Blues"}]
    refused_by(b, "shoot", three, "w40k8.weapon.grenade")
    fire(b, ("grenade", 1, "Blues"), ("rifle", 2, "Blues"))
    assert rolls(b) == [("hit", (1,)), ("hit", (1, 1))]


@rule("w40k8.weapon.grenade", check=4)
@pytest.mark.parametrize(("gap", "flags"), [(0.5, {}), (5, {"moved": "advance"})])
def test_no_grenade_is_thrown_after_an_advance_or_with_an_enemy_at_hand(gap: float, flags: Doc) -> None:
    assert "grenade" not in aiming([gun(), PISTOL, GRENADE], gap=gap, flags=flags)
    assert "grenade" in aiming([gun(), PISTOL, GRENADE], gap=5)


@rule("w40k8.weapon.grenade", check=6)
def test_the_champion_throws_a_krak_grenade_while_the_others_fire_boltguns() -> None:
    krak = gun("grenade", name="krak grenade", range_=6, s="6", ap=-1, d="D3")
    boltgun = gun("rapid fire", name="boltgun", ap=None)
    champion = [{"models": [1], "sheet": sheet(krak, name="Plague Champion")}]
    reds = unit("Reds", "red", sheet(boltgun, name="Plague Marine"), column(5, 10), loadout=champion)
    blues = unit("Blues", "blue", sheet(wounds=2), column(5, 17))
    b = situation([reds, blues, SPARES, BYSTANDERS], step="shoot_units", dice={"hit": [1] * 9})
    give(b, "shoot_with", "Reds")
    fire(b, ("boltgun", 4, "Blues"), ("krak grenade", 1, "Blues"))
    assert rolls(b) == [("hit", (1,) * 8), ("hit", (1,))]


@rule("w40k8.weapon.pistol_combat", check=1)
def test_a_unit_with_an_enemy_at_hand_fires_its_pistols_alone() -> None:
    assert aiming([RIFLE, PISTOL], gap=1) == {"pistol": (1, ["Blues"])}


def test_who_has_an_enemy_at_hand_is_told_why_a_weapon_stays_silent_and_of_no_other() -> None:
    b = range_([RIFLE, PISTOL], gap=1, more=[unit("Far", "blue", bare(), [(10, 20)])])
    give(b, "shoot_with", "Reds")
    of_pistol = judge(b, "shoot", [{"weapon": "pistol", "target": "Far"}])
    of_all = why_not_at(b, named(b, "Reds"), named(b, "Far"))
    texts = [[reason.text for reason in verdict.reasons] for verdict in (of_pistol, of_all)]
    pistol = "Reds have an enemy within 1\", and Far is nobody's nearest enemy."
    assert texts == [[pistol], ['Reds have an enemy within 1", and rifle is no Pistol.', pistol]]


@rule("w40k8.weapon.pistol_combat", check=(2, 3))
def test_a_pistol_is_fired_at_the_unit_nearest_to_its_model() -> None:
    near = unit("Near", "blue", bare(), [(10, 9.9)])
    assert aiming(PISTOL, gap=0.5, more=[near]) == {"pistol": (1, ["Blues"])}


@rule("w40k8.weapon.pistol_combat", check=2)
def test_two_models_may_have_different_enemies_nearest_to_them() -> None:
    near = unit("Near", "blue", bare(), [(10, 10.7)])
    b = range_(PISTOL, shooters=2, gap=0.5, more=[near])
    give(b, "shoot_with", "Reds")
    assert rows(b) == {"pistol of Red 1": (1, ["Blues"]), "pistol of Red 2": (1, ["Near"])}


@rule("w40k8.concept.unit", check=3)
def test_a_unit_that_is_gone_is_nobodys_nearest_enemy() -> None:
    near = [unit("Friends", "red", sheet(PISTOL), [(10, 20)]), unit("Near", "blue", bare(), [(11, 20)])]
    b = shootout(gun(), more=near, dice={"hit": [6], "wound": [6]})
    give(b, "shoot_with", "Friends")
    assert (alive(b, "Blues"), rows(b)) == (0, {"pistol": (1, ["Near"])})


@rule("w40k8.weapon.pistol_combat", check=5)
def test_a_pistol_follows_the_usual_rules_with_nobody_at_hand() -> None:
    near = unit("Near", "blue", bare(), [(13, 12)])
    assert aiming(PISTOL, gap=5, more=[near]) == {"pistol": (1, ["Blues", "Near"])}


@rule("w40k8.weapon.pistol_choice", check=2)
def test_a_model_fires_two_pistols() -> None:
    b = range_([PISTOL, gun("pistol", name="second pistol")], dice={"hit": [1, 1]})
    assert rolls(shoot(b)) == [("hit", (1,)), ("hit", (1,))]


@rule("w40k8.weapon.pistol_choice", check=3)
def test_each_model_chooses_for_itself() -> None:
    b = range_([RIFLE, PISTOL], shooters=3, dice={"hit": [1] * 3})
    give(b, "shoot_with", "Reds")
    four = [{"weapon": "rifle", "count": 2, "target": "Blues"}, {"weapon": "pistol", "count": 2, "target": "Blues"}]
    refused_by(b, "shoot", four, "w40k8.weapon.pistol_choice")
    fire(b, ("rifle", 2, "Blues"), ("pistol", 1, "Blues"))
    assert rolls(b) == [("hit", (1, 1)), ("hit", (1,))]


@rule("w40k8.weapon.pistol_choice", check=3)
@pytest.mark.parametrize(
    ("counts", "legal"),
    [((2, 1, 2, 0), False), ((2, 0, 2, 1), False), ((2, 1, 1, 1), True), ((1, 1, 2, 1), True), ((2, 2, 1, 1), True)],
)
def test_as_many_models_are_busy_as_fire_the_most_used_of_each_sort(counts: tuple[int, ...], legal: bool) -> None:
    guns = [PISTOL, gun("pistol", name="second pistol"), RIFLE, gun("heavy", name="cannon")]
    b = range_(guns, shooters=3)
    give(b, "shoot_with", "Reds")
    named_ = [(doc["name"], n) for doc, n in zip(guns, counts, strict=True) if n]
    assert bool(judge(b, "shoot", [{"weapon": w, "count": n, "target": "Blues"} for w, n in named_])) is legal


@rule("w40k8.weapon.pistol_choice", check=4)
@pytest.mark.parametrize("keyword", ["VEHICLE", "MONSTER"])
def test_vehicles_and_monsters_choose_too(keyword: str) -> None:
    b = range_([], red=sheet(RIFLE, PISTOL, keywords=[keyword]))
    give(b, "shoot_with", "Reds")
    both = [{"weapon": "rifle", "target": "Blues"}, {"weapon": "pistol", "target": "Blues"}]
    refused_by(b, "shoot", both, "w40k8.weapon.pistol_choice")
    assert judge(b, "shoot", both[1:])


@rule("w40k8.sheet.ballistic_skill_dash", check=1)
def test_a_model_with_a_dash_for_its_ballistic_skill_does_not_shoot() -> None:
    loadout = [{"models": [2], "sheet": sheet(gun(), name="Brute", ballistic_skill=None)}]
    reds = unit("Reds", "red", sheet(gun()), column(2, 10), loadout=loadout)
    b = situation([reds, unit("Blues", "blue", bare(), [(21, 8)]), SPARES, BYSTANDERS], step="shoot_units")
    give(b, "shoot_with", "Reds")
    assert rows(b) == {"gun": (1, ["Blues"])}


# --- Visibility -------------------------------------------------------------------------------------------------------


@rule("w40k8.concept.visibility", check=1)
def test_one_visible_model_makes_its_unit_visible() -> None:
    assert aiming(gun(), targets=2, terrain=[wall(4, 4.8)]) == {"gun": (1, ["Blues"])}
    assert offered(range_(gun(), targets=2, terrain=[wall(2, 20)]), "shoot_with") == ["Spares"]


def screen(y: float = 8) -> list[tuple[float, ...]]:
    """A model that is broad enough to hide another."""
    return [(15, y)]


GIANT: Doc = {**bare(name="Giant", height=6), "base": "100mm"}


@rule("w40k8.concept.visibility", check=2)
def test_a_unit_sees_past_its_own_models() -> None:
    loadout = [{"models": [2], "sheet": {**GIANT, "ballistic_skill": None}}]
    reds = unit("Reds", "red", sheet(gun()), [(10, 8), (13.5, 8)], loadout=loadout)
    behind = unit("Behind", "red", sheet(gun()), [(8, 8)])
    b = situation([reds, behind, unit("Blues", "blue", bare(), [(21, 8)]), SPARES, BYSTANDERS], step="shoot_units")
    assert offered(b, "shoot_with") == ["Reds", "Spares"]


@rule("w40k8.concept.visibility", check=3)
def test_friends_of_other_units_block_the_view() -> None:
    assert offered(range_(gun(), more=[unit("Friends", "red", GIANT, screen())]), "shoot_with") == ["Spares"]


@rule("w40k8.concept.visibility", check=4)
def test_enemies_block_the_view() -> None:
    assert aiming(gun(), more=[unit("Screen", "blue", GIANT, screen())]) == {"gun": (1, ["Screen"])}


@rule("w40k8.concept.visibility", check=5)
def test_each_model_looks_for_itself() -> None:
    friends = unit("Friends", "red", GIANT, [(12.6, 8)])
    red_at: list[tuple[float, ...]] = [(10, 8), (10, 13)]
    assert aiming(gun(), red_at=red_at, more=[friends]) == {"gun": (1, ["Blues"])}


# --- Cover ------------------------------------------------------------------------------------------------------------


def area(x: float, y: float, width: float, depth: float, name: str = "woods") -> FeatureDoc:
    """Terrain that can be entered."""
    return FeatureDoc("woods", name, name, (x, y, width, depth))


def saving(*terrain: FeatureDoc, save: int = 4, ap: int | None = 0, face: int = 3, at: Any = None) -> bool:
    """Whether a save with this face keeps one of two Blues alive, with terrain around them."""
    at = at or [(21, 8), (21, 9.5)]
    dice = {"hit": [6], "wound": [6], "save": [face]}
    b = shootout(gun(ap=ap), sheet(save=save, name="Target"), blue_at=at, terrain=list(terrain), dice=dice)
    return alive(b, "Blues") == len(at)


@rule("w40k8.cover.bonus", check=1)
@pytest.mark.parametrize(("edge", "covered"), [(20.5, True), (20.51, False)])
def test_the_whole_unit_has_to_be_within_terrain_to_its_last_base(edge: float, covered: bool) -> None:
    inner = [(24.0, 8.0), (21.0, 8.0)]
    assert saving(area(edge, 5, 10, 10), at=[inner[0], (22.5, 8), inner[1]]) is covered


@rule("w40k8.cover.bonus", check=2)
def test_cover_and_armour_penetration_are_added_up() -> None:
    woods = area(19, 5, 6, 8)
    assert [saving(woods, ap=-1, face=f) for f in (3, 4)] == [False, True]


@rule("w40k8.cover.bonus", check=3)
def test_a_1_fails_in_cover() -> None:
    assert [saving(area(19, 5, 6, 8), save=2, face=f) for f in (1, 2)] == [False, True]


@rule("w40k8.cover.bonus", check=5)
@pytest.mark.parametrize("save", [3, 5])
def test_cover_helps_every_save_against_an_armour_penetration_of_0(save: int) -> None:
    assert [saving(area(19, 5, 6, 8), save=save, face=save - 1), saving(save=save, face=save - 1)] == [True, False]
    assert saving(save=save, face=save)


@rule("w40k8.cover.bonus", check=6)
def test_terrain_in_between_gives_no_cover() -> None:
    assert [saving(area(14, 5, 3, 8)), saving(area(19, 5, 6, 8))] == [False, True]


@rule("w40k8.cover.bonus", check=7)
def test_cover_is_looked_at_anew_for_each_save() -> None:
    loadout = [{"models": [2], "sheet": sheet(save=4, name="Last")}]
    dice = {"hit": [6, 6], "wound": [6, 6], "save": [3, 3]}
    at: list[tuple[float, ...]] = [(21, 8), (23.5, 8)]
    target, woods = sheet(save=4, name="Target"), area(22, 5, 4, 6)
    b = shootout(gun(shots="2"), target, blue_at=at, loadout=loadout, terrain=[woods], dice=dice)
    give(b, "allocate", "Target 1")
    first = alive(b, "Blues")
    assert (first, [kind for kind, _ in rolls(b)]) == (1, ["hit", "wound", "save", "save"])


@rule("w40k8.cover.bonus", check=7)
@pytest.mark.parametrize("at", [[(21, 8), (23.5, 8)], [(23.5, 8), (21, 8)]])
def test_of_like_models_those_fall_first_that_keep_the_unit_from_its_cover(at: Any) -> None:
    dice = {"hit": [6, 6], "wound": [6, 6], "save": [3, 3]}
    b = shootout(gun(shots="2"), sheet(save=4), blue_at=at, terrain=[area(22, 5, 4, 6)], dice=dice)
    assert (alive(b, "Blues"), [kind for kind, _ in rolls(b)]) == (1, ["hit", "wound", "save", "save"])


@rule("w40k8.cover.bonus", check=8)
def test_several_pieces_of_terrain_add_1_and_no_more() -> None:
    pieces = [area(19, 5, 6, 8), area(18, 5, 8, 8, "crater")]
    assert [saving(*pieces, face=f) for f in (2, 3)] == [False, True]


@rule("w40k8.cover.bonus", check=1)
def test_the_models_may_be_in_different_pieces_of_terrain() -> None:
    assert saving(area(19, 7, 4, 1.7), area(19, 8.8, 4, 1.7, "crater"))


@rule("w40k8.cover.scope", check=3)
def test_cover_counts_against_pistols_at_hand() -> None:
    dice = {"hit": [6], "wound": [6], "save": [2]}
    b = shootout(PISTOL, sheet(name="Target"), gap=0.5, terrain=[area(11, 5, 6, 8)], dice=dice)
    assert (alive(b, "Blues"), wounds(b, "Blues")) == (1, [1])


def test_without_a_thought_a_unit_fires_at_whom_it_hurts_most() -> None:
    tough = unit("Tough", "blue", sheet(name="Tough", toughness=9, save=2), [(15, 8)])
    b = range_([RIFLE, PISTOL], shooters=3, targets=4, more=[tough])
    give(b, "shoot_with", "Reds")
    answer = b.default(asked(b, "shoot"))
    assert [(b.unit(a.target).name, a.count) for a in answer] == [("Blues", 3)]
