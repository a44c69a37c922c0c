"""Making attacks: weapons, targets, and the order in which attacks are resolved."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.systems.w40k11.making_attacks import batches_of
from sandtable.systems.w40k11.melee import fighters
from sandtable.systems.w40k11.shot import Shot
from w40k11.arms import (
    blade,
    column,
    done,
    duel,
    face_off,
    gun,
    hurt,
    last,
    melee,
    outcomes,
    strike,
    target,
)
from w40k11.table import (
    asked,
    feature,
    give,
    kinds,
    named,
    offered,
    refused_by,
    rolls,
    sheet,
    situation,
    unit,
)

rule = pytest.mark.rule

OTHERS = unit("Others", "blue", target(name="Other"), [(9, 8)], fought=True, engaged_before=True)
"""On the other side of the first of the Reds, in base contact"""
LONE = unit("Lone", "blue", target(name="Lone"), [(21, 20)])
DOUBLE = ("sustained hits 1", "sustained hits 2")


# --- The steps --------------------------------------------------------------------------------------------------------


@rule("w40k11.attack.steps", check=1)
def test_weapons_are_selected_before_targets() -> None:
    b = face_off(gun(*DOUBLE), dice={"hit": [1]})
    give(b, "shoot_with", "Reds")
    first = kinds(b)
    give(b, "ability", "Sustained Hits 2")
    assert (first, kinds(b)) == (["ability"], ["shoot"])


@rule("w40k11.attack.steps", check=2)
def test_all_targets_are_selected_before_the_first_attack() -> None:
    b = face_off([gun(), gun(name="other gun", strength=5)], more=[LONE], dice={"hit": [1, 1]})
    give(b, "shoot_with", "Reds")
    before = rolls(b)
    give(b, "shoot", [{"weapon": "gun", "target": "Blues"}, {"weapon": "other gun", "target": "Lone"}])
    assert (before, rolls(b), done(b)) == ([], [("hit", (1,)), ("hit", (1,))], True)


@rule("w40k11.attack.steps", check=3)
def test_fighting_has_the_same_steps() -> None:
    b = melee(blade(*DOUBLE), dice={"hit": [1]})
    first = kinds(b)
    give(b, "ability", "Sustained Hits 2")
    second = (kinds(b), rolls(b))
    strike(b, ("blade", "Blues", 1))
    assert (first, second, rolls(b)) == (["ability"], (["strike"], []), [("hit", (1,))])


# --- Weapons and targets of a fight -----------------------------------------------------------------------------------


@rule("w40k11.attack.weapons_fighting", check=1)
def test_a_model_strikes_with_one_of_two_weapons() -> None:
    b = melee([blade(name="sword", attacks="2"), blade(name="axe")], dice={"hit": [1]})
    both = [{"weapon": w, "target": "Blues"} for w in ("sword", "axe")]
    refused_by(b, "strike", both, "w40k11.attack.weapons_fighting")
    strike(b, ("axe", "Blues", 1))
    assert (rolls(b), done(b)) == ([("hit", (1,))], True)


@rule("w40k11.attack.weapons_fighting", check=1)
def test_every_model_that_can_fight_does() -> None:
    b = melee(blade(), fighters=2, targets=2, dice={"hit": [1, 1]})
    refused_by(b, "strike", [{"weapon": "blade", "target": "Blues", "count": 1}], "w40k11.attack.weapons_fighting")
    strike(b, ("blade", "Blues", 2))
    assert last(b)["attacks"] == 2


@rule("w40k11.attack.weapons_fighting", check=2)
def test_a_model_without_a_melee_weapon_makes_no_melee_attack() -> None:
    kit = [{"models": [1], "weapons": ["gun"]}]
    reds = unit("Reds", "red", sheet(gun(), blade(), name="Red"), column(2, 10), loadout=kit, engaged_before=True)
    blues = unit("Blues", "blue", target(), column(2, 11), fought=True, engaged_before=True)
    b = situation([reds, blues], step="fight_units", dice={"hit": [1]})
    refused_by(b, "strike", [], "w40k11.attack.weapons_fighting")
    strike(b, ("blade", "Blues", 1))
    assert rolls(b) == [("hit", (1,))]


@rule("w40k11.attack.targets_fighting", check=1)
@pytest.mark.parametrize(("gap", "who"), [(2.0, 2), (2.1, 1)])
def test_only_models_that_are_engaged_themselves_strike(gap: float, who: int) -> None:
    b = melee(blade(), red_at=[(10, 8), (10 - gap, 8)], blue_at=[(11, 8)], dice={"hit": [1, 1]})
    assert (len(fighters(b, named(b, "Reds"))), asked(b, "strike").rows[0].count) == (who, who)  # type: ignore[attr-defined]


@rule("w40k11.attack.targets_fighting", check=2)
def test_a_model_strikes_only_the_unit_that_it_is_engaged_with_itself() -> None:
    others = unit("Others", "blue", target(name="Other"), [(7, 11)], fought=True, engaged_before=True)
    b = melee(blade(), red_at=[(10, 8), (10, 11)], blue_at=[(13, 8)], more=[others], dice={"hit": [1, 1]})
    refused_by(b, "strike", [{"weapon": "blade", "target": "Others", "count": 1}], "w40k11.attack.targets_fighting")
    strike(b, ("blade", "Blues", 1), ("blade (2)", "Others", 1))
    assert [o["attacks"] for o in outcomes(b)] == [1, 1]


@rule("w40k11.attack.targets_fighting", check=3)
def test_a_weapon_with_one_attack_has_one_target() -> None:
    b = melee(blade(), more=[OTHERS], dice={"hit": [1]})
    both = [{"weapon": "blade", "target": t, "count": 1} for t in ("Blues", "Others")]
    refused_by(b, "strike", both)
    strike(b, ("blade", "Others", 1))
    assert [o["attacks"] for o in outcomes(b)] == [1]


# --- Splitting --------------------------------------------------------------------------------------------------------


@rule("w40k11.attack.split_melee", check=1)
def test_four_attacks_are_split_into_three_and_one_but_not_into_four_and_none() -> None:
    b = melee(blade(attacks="4"), more=[OTHERS], dice={"hit": [1] * 4})
    refused_by(b, "strike", [{"weapon": "blade", "target": "Blues", "count": 3}], "w40k11.attack.split_melee")
    refused_by(
        b,
        "strike",
        [{"weapon": "blade", "target": "Blues", "count": 4}, {"weapon": "blade", "target": "Others", "count": 0}],
    )
    strike(b, ("blade", "Blues", 3), ("blade", "Others", 1))
    assert [o["attacks"] for o in outcomes(b)] == [3, 1]


@rule("w40k11.attack.split_melee", check=2)
def test_a_split_is_fixed_before_the_first_die() -> None:
    b = melee(blade(attacks="2"), more=[OTHERS], dice={"hit": [5, 5], "wound": [1, 1]})
    before = rolls(b)
    strike(b, ("blade", "Blues", 1), ("blade", "Others", 1))
    assert (before, [kind for kind, _ in rolls(b)], done(b)) == ([], ["hit", "wound", "hit", "wound"], True)


@rule("w40k11.attack.split_melee", check=3)
def test_attacks_at_a_unit_that_is_destroyed_are_lost() -> None:
    b = melee(blade(attacks="4"), more=[OTHERS], dice={"hit": [5, 5, 5, 1], "wound": [5, 5, 5]})
    strike(b, ("blade", "Blues", 3), ("blade", "Others", 1))
    assert (hurt(b), hurt(b, "Others"), [o["attacks"] for o in outcomes(b)]) == ([0], [1], [3, 1])


# --- The order --------------------------------------------------------------------------------------------------------


def two_targets(first: str, second: str) -> list[dict[str, Any]]:
    arms = [("gun", first), ("other gun", second), ("third gun", first)]
    return [{"weapon": w, "target": t} for w, t in arms]


@rule("w40k11.attack.resolve_order", check=1)
def test_all_attacks_at_one_unit_come_before_those_at_the_next() -> None:
    arms = [gun(), gun(name="other gun", strength=5), gun(name="third gun", strength=6)]
    b = face_off(arms, more=[LONE], dice={"hit": [1] * 3})
    give(b, "shoot_with", "Reds")
    give(b, "shoot", two_targets("Lone", "Blues"))
    told = [e.text for e in b.events if getattr(e, "kind", "") == "attack"]
    assert [text.partition(" at ")[2].partition(",")[0] for text in told] == ["Lone", "Lone", "Blues"]


@rule("w40k11.attack.resolve_order", check=2)
def test_identical_attacks_are_rolled_as_one_batch() -> None:
    b = duel(gun(), shooters=3, dice={"hit": [1] * 3})
    assert (rolls(b), done(b)) == ([("hit", (1, 1, 1))], True)


@rule("w40k11.attack.resolve_order", check=3)
@pytest.mark.parametrize("order", [("gun", "other gun"), ("other gun", "gun")])
def test_other_profiles_are_resolved_one_after_the_other_in_the_order_of_their_player(order: tuple[str, ...]) -> None:
    b = face_off([gun(), gun(name="other gun", strength=5)], dice={"hit": [1, 1]})
    give(b, "shoot_with", "Reds")
    give(b, "shoot", [{"weapon": w, "target": "Blues"} for w in order])
    told = [e.text for e in b.events if getattr(e, "kind", "") == "attack"]
    assert [text.partition(" x ")[2].partition(" at ")[0] for text in told] == list(order)


@rule("w40k11.attack.resolve_order", check=4)
def test_a_batch_whose_target_is_gone_does_nothing() -> None:
    dice = {"hit": [5, 5], "wound": [5, 5]}
    b = duel([gun(), gun(name="other gun", strength=5)], dice=dice)
    assert (rolls(b), done(b)) == ([("hit", (5,)), ("wound", (5,))], True)


@rule("w40k11.attack.dice_number", check=1)
def test_three_weapons_with_two_attacks_give_six_dice() -> None:
    b = duel(gun(attacks="2"), shooters=3, dice={"hit": [1] * 6})
    assert rolls(b) == [("hit", (1,) * 6)]


@rule("w40k11.attack.dice_number", check=2)
def test_more_dice_come_on_top_and_leave_the_attacks_of_the_weapon_alone() -> None:
    b = duel(gun("rapid fire 1", attacks="2"), gap=5, dice={"hit": [1] * 3})
    (batch,) = batches_of(b, named(b, "Reds"), named(b, "Blues"), [shot_of(b, half_range=True)])
    assert (rolls(b), batch[0].weapon.attacks) == ([("hit", (1,) * 3)], "2")


def shot_of(b: Any, **fields: Any) -> Shot:
    """A shot of the first of the Reds at Blues."""
    model = named(b, "Reds").models[0]
    weapon = b.setup.data.sheets[b.setup.data.kits[model].sheet].weapons[0]
    return Shot(model=model, target=named(b, "Blues").id, weapon=weapon, **fields)


# --- Identical attacks ------------------------------------------------------------------------------------------------


@rule("w40k11.attack.identical", check=1)
def test_rifles_of_which_one_fires_at_cover_are_not_identical() -> None:
    woods = [feature("ruins", (14, 5, 2, 5), 5)]
    b = duel(gun(), target(), red_at=[(10, 8), (10, 16)], blue_at=[(18, 12)], terrain=woods, dice={"hit": [1, 1]})
    assert (rolls(b), done(b)) == ([("hit", (1,)), ("hit", (1,))], True)


@rule("w40k11.attack.identical", check=2)
def test_meltas_of_which_one_is_at_half_range_are_not_identical() -> None:
    b = duel(gun("melta 2", range=12), red_at=[(10, 8), (10, 11)], blue_at=[(17, 8)], dice={"hit": [1, 1]})
    assert (rolls(b), done(b)) == ([("hit", (1,)), ("hit", (1,))], True)


@rule("w40k11.attack.identical", check=3)
def test_weapons_with_other_names_and_the_same_values_are_identical() -> None:
    b = duel([gun("lance"), gun("lance", name="other gun", attacks="2")], dice={"hit": [1] * 3})
    assert (rolls(b), done(b)) == ([("hit", (1, 1, 1))], True)


@rule("w40k11.attack.identical", check=3)
@pytest.mark.parametrize(
    "other", [{"skill": 4}, {"strength": 5}, {"ap": -1}, {"damage": "2"}, {"abilities": ["lance"]}]
)
def test_weapons_with_another_value_or_ability_are_not(other: dict[str, Any]) -> None:
    b = duel([gun(), {**gun(name="other gun"), **other}], dice={"hit": [1, 1]})
    assert (rolls(b), done(b)) == ([("hit", (1,)), ("hit", (1,))], True)


# --- What stands in for gaps ------------------------------------------------------------------------------------------


@rule("w40k11.gap.random_characteristics", check=1)
def test_a_random_number_of_attacks_is_rolled_for_each_weapon_when_dice_are_gathered() -> None:
    b = duel(gun(attacks="D3"), shooters=2, dice={"attacks": [1, 6], "hit": [1] * 4})
    assert rolls(b) == [("attacks", (1, 6)), ("hit", (1, 1, 1, 1))]


@rule("w40k11.gap.random_characteristics", check=1)
def test_a_random_number_of_melee_attacks_that_is_split_is_rolled_before_targets_are_selected() -> None:
    arms = [blade(attacks="D3+1"), blade(name="axe", attacks="3"), blade("extra attacks", name="horns")]
    b = melee(arms, more=[OTHERS], dice={"attacks": [6], "hit": [1] * 5})
    give(b, "split_attacks", True)
    before = (rolls(b), offered(b, "strike"))
    strike(b, ("blade", "Blues", 3), ("blade", "Others", 1), ("horns", "Blues", 1))
    assert (before, [o["attacks"] for o in outcomes(b)]) == (
        ([("attacks", (6,))], ["Blues", "Others", "blade", "horns"]),
        [3, 1, 1],
    )


@rule("w40k11.gap.random_characteristics", check=1)
def test_a_random_number_of_melee_attacks_that_is_not_split_is_rolled_with_the_dice() -> None:
    b = melee(blade(attacks="D3"), more=[OTHERS], dice={"attacks": [6], "hit": [1] * 3})
    give(b, "split_attacks", False)
    before = rolls(b)
    strike(b, ("blade", "Others", 1))
    assert (before, rolls(b), done(b)) == ([], [("attacks", (6,)), ("hit", (1, 1, 1))], True)


@rule("w40k11.gap.random_characteristics", check=1)
@pytest.mark.parametrize("arms", [blade(attacks="D3"), blade(attacks="3")])
def test_nobody_is_asked_about_a_split_over_one_target(arms: dict[str, Any]) -> None:
    assert kinds(melee(arms)) == ["strike"]


@rule("w40k11.gap.random_characteristics", check=1)
def test_nobody_is_asked_about_a_split_of_a_known_number() -> None:
    assert kinds(melee(blade(attacks="3"), more=[OTHERS])) == ["strike"]


@rule("w40k11.attack.split_melee", check=1)
def test_attacks_that_are_rolled_with_the_dice_go_at_one_target() -> None:
    b = melee(blade(attacks="D3"), fighters=2, targets=2, dice={"attacks": [1, 1], "hit": [1, 1]})
    rows = [(r.label, r.count) for r in asked(b, "strike").rows]  # type: ignore[attr-defined]
    strike(b, ("blade", "Blues", 2))
    assert (rows, last(b)["attacks"]) == ([("blade", 2)], 2)


@rule("w40k11.gap.random_characteristics", check=2)
def test_random_damage_is_rolled_for_each_attack_as_it_is_inflicted() -> None:
    dice = {"hit": [5, 5], "wound": [5, 5], "damage": [2, 3]}
    b = duel(gun(attacks="2", damage="D6"), target(wounds=9), dice=dice)
    assert (rolls(b)[2:], hurt(b)) == ([("damage", (2,)), ("damage", (3,))], [4])


@rule("w40k11.gap.weapon_profiles", check=1)
def test_one_profile_of_a_weapon_is_used() -> None:
    arms = [blade(name="strike", of="hammer", attacks="2"), blade(name="sweep", of="hammer", attacks="6")]
    b = melee(arms, dice={"hit": [1] * 6})
    both = [{"weapon": "strike", "target": "Blues"}, {"weapon": "sweep", "target": "Blues"}]
    refused_by(b, "strike", both, "w40k11.attack.weapons_fighting")
    strike(b, ("sweep", "Blues", 6))
    assert last(b)["attacks"] == 6


@rule("w40k11.gap.weapon_profiles", check=1)
def test_one_profile_of_a_gun_is_fired() -> None:
    arms = [gun(name="safe", of="plasma", attacks="2"), gun(name="hot", of="plasma", attacks="3")]
    b = face_off(arms, dice={"hit": [1] * 3})
    give(b, "shoot_with", "Reds")
    both = [{"weapon": "plasma", "target": "Blues", "mode": m} for m in ("safe", "hot")]
    refused_by(b, "shoot", both)
    give(b, "shoot", both[1:])
    assert rolls(b) == [("hit", (1, 1, 1))]


@rule("w40k11.gap.target_lost", check=1)
def test_declared_attacks_are_made_although_nobody_is_left_in_range() -> None:
    dice = {"hit": [5, 1], "wound": [5]}
    arms = [gun(), gun(name="other gun", strength=5, range=12)]
    b = duel(arms, red_at=[(10, 8)], blue_at=[(20, 8), (24, 8)], dice=dice)
    give_up = [o["attacks"] for o in outcomes(b)]
    assert (give_up, sum(hurt(b)), done(b)) == ([1, 1], 1, True)
