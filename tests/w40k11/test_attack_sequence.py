"""The attack sequence: hit rolls, wound rolls, saves over allocation groups, damage."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.battle import Effect
from sandtable.battle.events import Rolled
from sandtable.battle.rolls import sentence
from sandtable.systems.w40k11.attack_sequence import HIT_MODIFIER, WOUND_MODIFIER, by_table
from sandtable.systems.w40k11.cover import COVER
from sandtable.systems.w40k11.state import Battle11
from w40k11.arms import changed, done, duel, face_off, gun, hurt, last, shoot, target
from w40k11.table import Doc, asked, give, kinds, named, rolls

rule = pytest.mark.rule


# --- Step by step -----------------------------------------------------------------------------------------------------


@rule("w40k11.seq.simultaneous", check=1)
def test_all_hit_rolls_come_before_the_first_wound_roll() -> None:
    arms = [gun(name="long gun"), gun(name="short gun")]
    b = duel(arms, shooters=2, dice=[6, 2, 6, 6, 3, 3, 3])
    assert (rolls(b), done(b)) == ([("hit", (6, 2, 6, 6)), ("wound", (3, 3, 3))], True)


@rule("w40k11.seq.simultaneous", check=2)
def test_all_saves_are_rolled_before_the_first_damage() -> None:
    b = duel(gun(attacks="3", damage="D3"), target(save=4, wounds=3), dice=[3, 4, 5, 4, 5, 4, 3, 4, 3, 2, 5])
    assert [kind for kind, _ in rolls(b)] == ["hit", "wound", "save", "damage", "damage"]


# --- Hit rolls --------------------------------------------------------------------------------------------------------


def hits(skill: int, faces: list[int], modifiers: tuple[int, ...] = (), *, cover: bool = False, **more: Any) -> int:
    """How many of these faces hit."""
    b = face_off(gun(attacks=f"{len(faces)}", skill=skill), dice={"hit": faces, "wound": [1] * 9}, **more)
    changed(b, HIT_MODIFIER, *modifiers)
    if cover:
        b.add_effect(Effect(COVER, named(b, "Blues").id, 1, until="turn"))
    return int(last(shoot(b))["hits"])


@rule("w40k11.seq.hit", check=1)
def test_an_unmodified_1_misses_with_bs_2_and_plus_1() -> None:
    assert hits(2, [1, 2], (1,)) == 1


@rule("w40k11.seq.hit", check=2)
def test_an_unmodified_6_hits_with_bs_6_and_minus_1() -> None:
    assert hits(6, [6, 5], (-1,)) == 1


@rule("w40k11.seq.hit", check=3)
def test_with_bs_4_a_4_hits_and_a_3_misses() -> None:
    assert hits(4, [4, 3]) == 1


@rule("w40k11.seq.hit", check=4)
def test_with_bs_4_and_plus_1_a_3_hits() -> None:
    assert hits(4, [3, 2], (1,)) == 1


@rule("w40k11.seq.hit", check=5)
def test_with_bs_4_worsened_to_5_a_4_misses() -> None:
    assert hits(4, [4, 5], cover=True) == 1


def test_what_the_skill_is_worsened_by_is_said_in_words() -> None:
    b = face_off(gun(attacks="2", skill=4), dice={"hit": [4, 5], "wound": [1] * 9})
    b.add_effect(Effect(COVER, named(b, "Blues").id, 1, until="turn"))
    shoot(b)
    first = next(e for e in b.events if isinstance(e, Rolled))
    assert sentence(first) == "hit 5+ (4+, worse by 1 for cover): 4 5, 1 hit"


@rule("w40k11.seq.hit", check=6)
def test_a_5_raised_to_6_is_no_critical_hit() -> None:
    b = face_off(gun("sustained hits 1", attacks="2"), dice={"hit": [5, 6], "wound": [1] * 3})
    shoot(changed(b, HIT_MODIFIER, 1))
    assert (last(b)["hits"], last(b)["criticals"]) == (3, 1)


@rule("w40k11.seq.critical_hit", check=1)
def test_a_critical_hit_without_an_ability_is_an_ordinary_hit() -> None:
    b = duel(gun(), target(), dice={"hit": [6], "wound": [3]})
    assert (last(b)["hits"], last(b)["criticals"], last(b)["wounds"]) == (1, 1, 0)


# --- Wound rolls ------------------------------------------------------------------------------------------------------


def wounding(faces: list[int], *, strength: int = 4, toughness: int = 4, plus: tuple[int, ...] = ()) -> int:
    """How many of these faces wound."""
    weapon = gun(attacks=f"{len(faces)}", strength=strength)
    b = face_off(weapon, target(toughness=toughness, wounds=9), dice={"hit": [5] * len(faces), "wound": faces})
    return int(last(shoot(changed(b, WOUND_MODIFIER, *plus)))["wounds"])


@rule("w40k11.seq.wound", check=1)
def test_an_unmodified_1_fails_to_wound_where_2_is_needed_and_1_is_added() -> None:
    assert wounding([1, 2], strength=8, plus=(1,)) == 1


@rule("w40k11.seq.wound", check=2)
def test_an_unmodified_6_wounds_where_it_comes_to_less_than_is_needed() -> None:
    assert wounding([6, 5], toughness=8, plus=(-1,)) == 1


@rule("w40k11.seq.wound", check=3)
def test_where_4_is_needed_a_4_wounds() -> None:
    assert wounding([4, 3]) == 1


def needs(strength: int, toughness: int, least: int) -> bool:
    """Whether this face wounds, and the one before it does not."""
    return wounding([least, least - 1], strength=strength, toughness=toughness) == 1


@rule("w40k11.seq.wound_table", check=1)
def test_twice_as_strong_needs_2() -> None:
    assert needs(8, 4, 2)


@rule("w40k11.seq.wound_table", check=2)
def test_stronger_needs_3() -> None:
    assert needs(5, 4, 3)


@rule("w40k11.seq.wound_table", check=3)
def test_as_strong_needs_4() -> None:
    assert needs(4, 4, 4)


@rule("w40k11.seq.wound_table", check=4)
def test_weaker_needs_5() -> None:
    assert needs(4, 5, 5)


@rule("w40k11.seq.wound_table", check=5)
def test_half_as_strong_needs_6() -> None:
    assert needs(4, 8, 6)


@rule("w40k11.seq.wound_table", check=6)
def test_more_than_half_as_strong_needs_5() -> None:
    assert needs(3, 5, 5)


@rule("w40k11.seq.wound_table", check=7)
def test_less_than_twice_as_strong_needs_3() -> None:
    assert needs(7, 4, 3)


@rule("w40k11.seq.wound_table", check=1)
@pytest.mark.parametrize(("strength", "toughness", "needed"), [(9, 4, 2), (4, 2, 2), (4, 9, 6), (4, 7, 5)])
def test_the_wound_table(strength: int, toughness: int, needed: int) -> None:
    assert by_table(strength, toughness) == needed


@rule("w40k11.seq.critical_wound", check=1)
def test_a_critical_wound_wounds_although_it_comes_to_less_than_is_needed() -> None:
    b = face_off(gun("devastating wounds"), target(toughness=8, save=2), dice={"hit": [5], "wound": [6]})
    shoot(changed(b, WOUND_MODIFIER, -1))
    assert (last(b)["wounds"], rolls(b), hurt(b)) == (1, [("hit", (5,)), ("wound", (6,))], [0])


@rule("w40k11.seq.critical_wound", check=2)
def test_a_5_raised_to_6_is_no_critical_wound() -> None:
    b = face_off(gun("devastating wounds"), target(save=2), dice={"hit": [5], "wound": [5], "save": [2]})
    shoot(changed(b, WOUND_MODIFIER, 1))
    assert (rolls(b)[-1], hurt(b)) == (("save", (2,)), [1])


# --- Allocation groups ------------------------------------------------------------------------------------------------


def mixed(first: Doc, second: Doc, weapon: Doc | list[Doc], dice: Any, **more: Any) -> Battle11:
    """Reds have shot at Blues: two models of one kind with two of another."""
    kinds = [{"models": [3, 4], "sheet": target(**{"name": "Other", **second})}]
    return shoot(face_off(weapon, target(**first), targets=4, kinds=kinds, dice=dice, **more))


def groups(b: Battle11) -> list[int]:
    """The models whose groups the open question is about, in their order within the unit."""
    return sorted(o.value for o in asked(b, "groups").options)  # type: ignore[attr-defined]


TWO: Doc = {"hit": [5, 5], "wound": [5, 5]}


@rule("w40k11.seq.groups", check=1)
def test_two_characters_are_two_groups() -> None:
    chief = {"keywords": ["CHARACTER"], "wounds": 3}
    dice = {"hit": [5] * 4, "wound": [5] * 4}
    b = mixed({}, chief, gun(attacks="4"), dice, options={"windows": "all"})
    assert groups(b) == list(named(b, "Blues").models[2:])


@rule("w40k11.seq.groups", check=2)
def test_models_with_another_invulnerable_save_are_another_group() -> None:
    b = mixed({}, {"invulnerable": 4}, gun(attacks="2"), TWO)
    assert len(groups(b)) == 2


@rule("w40k11.seq.groups", check=2)
@pytest.mark.parametrize("other", [{"save": 6}, {"wounds": 2}])
def test_models_with_another_save_or_other_wounds_are_another_group(other: Doc) -> None:
    """Neither save helps against the weapon, but they are printed."""
    b = mixed({"save": 7}, other, gun(attacks="2", ap=-6), TWO)
    assert len(groups(b)) == 2


@rule("w40k11.seq.groups", check=3)
def test_other_toughness_control_weapons_and_feel_no_pain_make_no_other_group() -> None:
    other = {"save": 4, "toughness": 5, "oc": 0, "weapons": [gun()], "abilities": ["feel no pain 6+"]}
    third = target(name="Third", save=5)
    alike = [{"models": [2, 3], "sheet": target(name="Other", **other)}, {"models": [4], "sheet": third}]
    b = shoot(face_off(gun(attacks="2"), target(save=4), targets=4, kinds=alike, dice={**TWO, "save": [1, 1]}))
    assert len(groups(b)) == 2


@rule("w40k11.seq.groups", check=4)
def test_groups_are_formed_anew_for_each_batch() -> None:
    arms = [gun(attacks="2"), gun(name="other gun", strength=5)]
    b = mixed({"wounds": 3}, {"wounds": 2}, arms, {"hit": [5] * 3, "wound": [5] * 3})
    give(b, "groups", groups(b)[::-1])
    assert (sorted(hurt(b)), kinds(b)) == ([0, 2, 3, 3], ["groups"]), "the owner may order them anew"


# --- The order of allocation ------------------------------------------------------------------------------------------


@rule("w40k11.seq.alloc_order", check=1)
@pytest.mark.parametrize(("first", "left"), [(0, [0, 0, 2, 2]), (1, [0, 1, 1, 2])])
def test_the_owner_puts_any_unhurt_group_first(first: int, left: list[int]) -> None:
    b = mixed({}, {"wounds": 2}, gun(attacks="2"), TWO)
    order = groups(b)
    give(b, "groups", [order[first], order[1 - first]])
    assert (sorted(hurt(b)), done(b)) == (left, True)


@rule("w40k11.seq.alloc_order", check=2)
def test_a_group_with_a_wounded_model_is_first() -> None:
    b = mixed({}, {"wounds": 2}, gun(attacks="2"), TWO, wounds={3: 1})
    assert (hurt(b), done(b)) == ([1, 1, 0, 1], True)


@rule("w40k11.seq.alloc_order", check=3)
def test_a_wounded_character_does_not_come_before_bodyguards() -> None:
    b = mixed({}, {"keywords": ["CHARACTER"], "wounds": 3}, gun(attacks="2"), TWO, wounds={3: 1})
    assert (hurt(b), done(b)) == ([0, 0, 1, 3], True)


@rule("w40k11.seq.alloc_order", check=4)
def test_a_wounded_character_comes_before_an_unwounded_one() -> None:
    dice = {"hit": [5] * 3, "wound": [5] * 3}
    chief = {"keywords": ["CHARACTER"], "wounds": 3}
    b = mixed({}, chief, gun(attacks="3"), dice, wounds={4: 2})
    assert (hurt(b), done(b)) == ([0, 0, 3, 1], True)


@rule("w40k11.seq.alloc_order", check=5)
def test_the_order_is_declared_before_the_save_dice_are_known() -> None:
    b = mixed({"save": 4}, {"save": 5}, gun(attacks="2"), {**TWO, "save": [4, 4]})
    before = [kind for kind, _ in rolls(b)]
    give(b, "groups", groups(b))
    assert (before, [kind for kind, _ in rolls(b)]) == (["hit", "wound"], ["hit", "wound", "save"])


# --- Save rolls -------------------------------------------------------------------------------------------------------


def saved(faces: list[int], ap: int, bonus: int = 0, **victim: Any) -> int:
    """How many of these save dice save; a bonus is added to each."""
    count = len(faces)
    dice = {"hit": [5] * count, "wound": [5] * count, "save": faces}
    effect = {"kind": "modify", "roll": "save", "value": bonus}
    shields = [{"name": "Shields", "unit": "Blues", "effects": [effect]}] if bonus else []
    b = duel(gun(attacks=f"{count}", ap=ap), target(wounds=9, **victim), dice=dice, abilities=shields)
    return count - int(last(b)["unsaved"])


@rule("w40k11.seq.save", check=1)
@pytest.mark.parametrize("victim", [{"save": 2}, {"invulnerable": 2}])
def test_an_unmodified_1_always_inflicts_damage(victim: Doc) -> None:
    assert saved([1, 2], 0, 1, **victim) == 1


@rule("w40k11.seq.save", check=2)
def test_ap_does_not_change_an_invulnerable_save() -> None:
    assert saved([3, 4], -3, save=6, invulnerable=4) == 1


@rule("w40k11.seq.save", check=2)
def test_what_is_added_to_saves_makes_no_invulnerable_save() -> None:
    assert saved([6, 6], -2, 1, save=6) == 0


@rule("w40k11.seq.save", check=3)
def test_with_ap_1_a_3_does_not_save_by_3() -> None:
    assert saved([3, 4], -1, save=3) == 1


@rule("w40k11.seq.save", check=4)
def test_both_saves_are_tried_on_each_die() -> None:
    dice = {"hit": [5, 5], "wound": [5, 5], "save": [3, 4]}
    b = duel(gun(attacks="2", ap=-1), target(wounds=9, save=3, invulnerable=4), dice=dice)
    assert (last(b)["unsaved"], done(b)) == (1, True)


@rule("w40k11.seq.save", check=5)
def test_an_invulnerable_save_of_5_helps_where_a_3_with_ap_3_needs_a_6() -> None:
    assert saved([4, 5, 6], -3, save=3, invulnerable=5) == 2


@rule("w40k11.seq.save", check=6)
def test_a_save_of_2_with_ap_1_is_better_than_an_invulnerable_save_of_4() -> None:
    assert saved([2, 3], -1, save=2, invulnerable=4) == 1


# --- Damage -----------------------------------------------------------------------------------------------------------


@rule("w40k11.seq.damage", check=1)
def test_dice_are_used_from_the_lowest_up() -> None:
    """The 1 and the 2 fall on those without a save; the 5 and the 6 come to those who save on 3."""
    dice = {"hit": [5] * 4, "wound": [5] * 4, "save": [5, 2, 6, 1]}
    b = mixed({"save": 6}, {"save": 3}, gun(attacks="4"), dice)
    give(b, "groups", groups(b))
    assert hurt(b) == [0, 0, 1, 1]


@rule("w40k11.seq.damage", check=2)
def test_later_groups_meet_the_higher_dice() -> None:
    dice = {"hit": [5] * 4, "wound": [5] * 4, "save": [6, 3, 3, 3]}
    b = mixed({"save": 6}, {"save": 4}, gun(attacks="4"), dice)
    give(b, "groups", groups(b))
    assert (hurt(b)[:2], sorted(hurt(b)[2:])) == ([0, 0], [0, 1])


@rule("w40k11.seq.damage", check=3)
def test_a_die_that_would_not_save_the_first_group_may_save_the_second() -> None:
    dice = {"hit": [5] * 3, "wound": [5] * 3, "save": [4, 4, 4]}
    b = mixed({"save": 5}, {"save": 4}, gun(attacks="3"), dice)
    give(b, "groups", groups(b))
    assert hurt(b) == [0, 0, 1, 1]


@rule("w40k11.seq.damage", check=3)
def test_each_die_meets_the_saves_of_the_model_that_is_selected_for_it() -> None:
    dice = {"hit": [5] * 2, "wound": [5] * 2, "save": [4, 4]}
    b = mixed({"save": 4}, {"save": 5}, gun(attacks="2"), dice)
    give(b, "groups", groups(b))
    assert hurt(b) == [1, 1, 1, 1]


@rule("w40k11.seq.damage", check=4)
def test_a_wounded_model_is_selected_until_it_is_destroyed() -> None:
    b = duel(gun(attacks="2", damage="2"), target(wounds=5), targets=3, wounds={2: 3}, dice=TWO)
    assert (hurt(b), done(b)) == ([5, 0, 5], True)


@rule("w40k11.seq.damage", check=5)
def test_damage_beyond_the_last_wound_goes_to_nobody_else() -> None:
    b = duel(gun(damage="3"), target(wounds=2), targets=2, dice={"hit": [5], "wound": [5]})
    assert sorted(hurt(b)) == [0, 2]


@rule("w40k11.seq.damage", check=6)
def test_dice_that_are_left_when_all_are_destroyed_do_nothing() -> None:
    dice = {"hit": [5] * 4, "wound": [5] * 4, "save": [1, 1, 1, 1], "damage": [6]}
    b = duel(gun(attacks="4", damage="D6"), target(save=6), dice=dice)
    assert (rolls(b)[-1], last(b)["unsaved"], done(b)) == (("damage", (6,)), 1, True)


@rule("w40k11.seq.damage", check=7)
@pytest.mark.parametrize("faces", [[2, 2, 5, 5], [5, 2, 5, 2]])
def test_ties_between_equal_dice_do_not_matter(faces: list[int]) -> None:
    b = mixed({"save": 6}, {"save": 5}, gun(attacks="4"), {"hit": [5] * 4, "wound": [5] * 4, "save": faces})
    give(b, "groups", groups(b))
    assert (hurt(b), done(b)) == ([0, 0, 1, 1], True)


@rule("w40k11.seq.damage", check=8)
def test_the_example_of_the_book() -> None:
    dice = {"hit": [5] * 6, "wound": [5] * 6, "save": [5, 2, 4, 3, 6, 1]}
    b = mixed({"save": 5}, {"save": 3, "invulnerable": 4, "wounds": 2}, gun(attacks="6", ap=-1), dice)
    give(b, "groups", groups(b))
    assert (hurt(b)[:2], sorted(hurt(b)[2:]), last(b)["unsaved"]) == ([0, 0], [1, 2], 3)


@rule("w40k11.seq.excess_damage", check=1)
def test_three_damage_on_a_model_with_one_wound_left_hurts_nobody_else() -> None:
    b = duel(gun(damage="3"), target(wounds=3), targets=2, wounds={2: 1}, dice={"hit": [5], "wound": [5]})
    assert hurt(b) == [3, 0]


@rule("w40k11.seq.excess_damage", check=2)
def test_two_attacks_of_two_damage_destroy_one_model_of_three_wounds() -> None:
    b = duel(gun(attacks="2", damage="2"), target(wounds=3), targets=2, dice=TWO)
    assert (sorted(hurt(b)), last(b)["damage"]) == ([0, 3], 3)


# --- What stands in for limits and mixed units ------------------------------------------------------------------------


@rule("w40k11.gap.modifier_caps", check=1)
@pytest.mark.parametrize(("modifiers", "faces"), [((-1, -1), [4, 5]), ((1, 1), [2, 3])])
def test_modifiers_of_a_hit_roll_come_to_1_at_most(modifiers: tuple[int, ...], faces: list[int]) -> None:
    assert hits(4, faces, modifiers) == 1


@rule("w40k11.gap.modifier_caps", check=2)
@pytest.mark.parametrize(("modifiers", "faces"), [((-1, -1), [4, 5]), ((1, 1), [2, 3])])
def test_modifiers_of_a_wound_roll_come_to_1_at_most(modifiers: tuple[int, ...], faces: list[int]) -> None:
    assert wounding(faces, plus=modifiers) == 1


@pytest.mark.parametrize(
    ("values", "bites"), [((-1, -1), True), ((1, 1, 1), True), ((-1,), False), ((1, -1, -1), False)]
)
@pytest.mark.parametrize(("roll", "kind"), [("hit", HIT_MODIFIER), ("wound", WOUND_MODIFIER)])
def test_what_limits_modifiers_is_cited_where_it_does(
    roll: str, kind: str, values: tuple[int, ...], bites: bool
) -> None:
    b = shoot(changed(face_off(gun(attacks="1"), dice={"hit": [6], "wound": [6], "save": [6]}), kind, *values))
    (found,) = [e for e in b.events if isinstance(e, Rolled) and e.reason == roll]
    assert ("w40k11.gap.modifier_caps" in found.rules) is bites


@rule("w40k11.gap.modifier_caps", check=3)
@pytest.mark.parametrize("victim", [{"save": 5}, {"invulnerable": 5}])
def test_a_save_is_improved_by_1_at_most(victim: Doc) -> None:
    assert saved([3, 4], 0, 2, **victim) == 1


@pytest.mark.parametrize(("bonus", "save", "bites"), [(1, 5, False), (2, 5, True), (1, 2, False), (2, 2, False)])
@pytest.mark.parametrize("kind", ["save", "invulnerable"])
def test_what_limits_a_save_is_cited_where_it_does(kind: str, bonus: int, save: int, bites: bool) -> None:
    """With a save of 2+ it decides nothing: a 1 is lost anyhow."""
    shields = [{"name": "Shields", "unit": "Blues", "effects": [{"kind": "modify", "roll": "save", "value": bonus}]}]
    dice = {"hit": [6], "wound": [6], "save": [6]}
    b = duel(gun(attacks="1"), target(**{kind: save}), dice=dice, abilities=shields)
    (found,) = [e for e in b.events if isinstance(e, Rolled) and e.reason == "save"]
    assert ("w40k11.gap.modifier_caps" in found.rules) is bites


@rule("w40k11.gap.multiple_saves", check=1)
def test_of_several_invulnerable_saves_the_best_counts() -> None:
    given = {"name": "Aegis", "unit": "Blues", "effects": [{"kind": "invulnerable", "value": 4}]}
    dice = {"hit": [5, 5], "wound": [5, 5], "save": [3, 4]}
    b = duel(gun(attacks="2"), target(wounds=9, invulnerable=5), dice=dice, abilities=[given])
    assert last(b)["unsaved"] == 1


@rule("w40k11.gap.modifier_caps", check=4)
def test_worse_skill_comes_on_top_of_the_limit() -> None:
    assert hits(3, [4, 5], (-1, -1), cover=True) == 1


@rule("w40k11.gap.mixed_toughness", check=1)
def test_the_highest_toughness_counts() -> None:
    b = mixed({"toughness": 3}, {"toughness": 5}, gun(attacks="2"), {"hit": [5, 5], "wound": [4, 4]})
    assert last(b)["wounds"] == 0
