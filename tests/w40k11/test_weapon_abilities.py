"""Weapon abilities: what each of them changes in an attack."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.battle import Effect
from sandtable.systems.w40k11.attack_sequence import HIT_MODIFIER, WOUND_MODIFIER
from sandtable.systems.w40k11.cover import COVER
from sandtable.systems.w40k11.making_attacks import batches_of, precise_targets
from sandtable.systems.w40k11.shot import Shot
from sandtable.systems.w40k11.state import Battle11, weapons_of
from w40k11.arms import (
    blade,
    changed,
    character,
    column,
    done,
    duel,
    face_off,
    fire,
    gun,
    hurt,
    last,
    melee,
    outcomes,
    shoot,
    strike,
    target,
)
from w40k11.table import (
    Doc,
    Spots,
    alive,
    asked,
    feature,
    give,
    judge,
    kinds,
    named,
    refused_by,
    rolls,
    row,
    unit,
    until,
    wall,
)

rule = pytest.mark.rule

VEHICLE: Doc = {"keywords": ["VEHICLE"]}
OTHERS = unit("Others", "blue", target(name="Other"), [(9, 8)], fought=True, engaged_before=True)


def rolled(b: Battle11, kind: str = "hit") -> int:
    """How many dice were rolled of a kind."""
    return sum(len(faces) for reason, faces in rolls(b) if reason == kind)


def covered(b: Battle11) -> Battle11:
    """Blues have the benefit of cover."""
    b.add_effect(Effect(COVER, named(b, "Blues").id, 1, until="turn"))
    return b


# --- Notation and duplicates ------------------------------------------------------------------------------------------


@rule("w40k11.weapon.notation", check=1)
@pytest.mark.parametrize(("victim", "wounds"), [({}, 0), (VEHICLE, 1)])
def test_an_ability_with_a_keyword_works_only_against_it(victim: Doc, wounds: int) -> None:
    b = duel(gun("lethal hits: vehicle"), target(wounds=9, **victim), dice={"hit": [6], "wound": [1]})
    assert last(b)["wounds"] == wounds


@rule("w40k11.weapon.notation", check=1)
def test_of_several_keywords_one_is_enough() -> None:
    b = duel(gun("sustained hits 2: monster/vehicle"), target(**VEHICLE), dice={"hit": [6], "wound": [1] * 3})
    assert last(b)["hits"] == 3


@rule("w40k11.weapon.notation", check=1)
@pytest.mark.parametrize(("victim", "wounds"), [({}, 1), (VEHICLE, 0)])
def test_keywords_behind_a_not_are_those_that_an_ability_does_not_work_against(victim: Doc, wounds: int) -> None:
    b = duel(gun("lethal hits: not monster/vehicle"), target(wounds=9, **victim), dice={"hit": [6], "wound": [1]})
    assert last(b)["wounds"] == wounds


@rule("w40k11.weapon.notation", check=1)
def test_abilities_without_keywords_work_beside_those_with_some() -> None:
    b = duel(gun("sustained hits 2", "lethal hits: vehicle"), dice={"hit": [6], "wound": [1] * 3})
    assert (last(b)["hits"], last(b)["wounds"]) == (3, 0)


@rule("w40k11.weapon.notation", check=2)
def test_one_model_with_the_keyword_is_enough() -> None:
    others = [{"models": [2], "sheet": target(name="Other", **VEHICLE)}]
    b = duel(gun("lethal hits: vehicle"), targets=2, kinds=others, dice={"hit": [6], "wound": [1]})
    assert kinds(b) == ["allocate"]


@rule("w40k11.weapon.duplicates", check=1)
@pytest.mark.parametrize(("picked", "hits"), [("Sustained Hits 1", 2), ("Sustained Hits 2", 3)])
def test_of_two_instances_of_an_ability_one_is_used(picked: str, hits: int) -> None:
    b = face_off(gun("sustained hits 1", "sustained hits 2"), dice={"hit": [6], "wound": [1] * 3})
    give(b, "shoot_with", "Reds")
    give(b, "ability", picked)
    assert last(fire(b))["hits"] == hits


@rule("w40k11.weapon.duplicates", check=1)
def test_where_nobody_was_asked_the_first_instance_counts() -> None:
    b = face_off(gun("sustained hits 1", "sustained hits 2", "sustained hits 3"))
    model = named(b, "Reds").models[0]
    shot = Shot(model=model, target=named(b, "Blues").id, weapon=weapons_of(b, model)[0])
    ((found,),) = batches_of(b, named(b, "Reds"), named(b, "Blues"), [shot])
    assert found.weapon.abilities == ("sustained hits 1",)


@rule("w40k11.weapon.duplicates", check=2)
@pytest.mark.parametrize(("picked", "wounds"), [("Anti-Vehicle 4+", 0), ("Anti-Infantry 2+", 1)])
def test_of_two_kinds_of_anti_one_is_picked_before_targets(picked: str, wounds: int) -> None:
    b = face_off(
        gun("anti-vehicle 4+", "anti-infantry 2+"), target(toughness=8, wounds=9), dice={"hit": [5], "wound": [2]}
    )
    give(b, "shoot_with", "Reds")
    before = kinds(b)
    give(b, "ability", picked)
    assert (before, kinds(b), last(fire(b))["wounds"]) == (["ability"], ["shoot"], wounds)


@rule("w40k11.weapon.duplicates", check=4)
def test_the_pick_may_differ_the_next_time() -> None:
    b = face_off(gun("sustained hits 1", "sustained hits 2"), dice={"hit": [6, 6], "wound": [1] * 5})
    give(b, "shoot_with", "Reds")
    give(b, "ability", "Sustained Hits 1")
    fire(b)
    give(b, "shoot_with", None)
    until(b, "shoot_with", 0)
    give(b, "shoot_with", "Reds")
    give(b, "ability", "Sustained Hits 2")
    fire(b)
    assert [o["hits"] for o in outcomes(b)] == [2, 3]


# --- Anti -------------------------------------------------------------------------------------------------------------


@rule("w40k11.weapon.anti", check=1)
def test_anti_wounds_critically_from_its_number_on() -> None:
    weapon = gun("anti-vehicle 4+", "devastating wounds", attacks="2")
    b = duel(weapon, target(toughness=8, wounds=9, save=2, **VEHICLE), dice={"hit": [5, 5], "wound": [4, 3]})
    assert (rolls(b)[-1], hurt(b)) == (("wound", (4, 3)), [8])


@rule("w40k11.weapon.anti", check=2)
def test_anti_does_nothing_to_others() -> None:
    dice = {"hit": [5], "wound": [4]}
    found = [duel(gun("anti-vehicle 4+"), target(toughness=8, wounds=9, **kind), dice=dice) for kind in ({}, VEHICLE)]
    assert [last(b)["wounds"] for b in found] == [0, 1]


@rule("w40k11.weapon.anti", check=3)
def test_anti_looks_at_the_bare_roll() -> None:
    weapon = gun("anti-vehicle 4+", attacks="2")
    b = face_off(weapon, target(toughness=8, wounds=9, **VEHICLE), dice={"hit": [5, 5], "wound": [3, 4]})
    assert last(shoot(changed(b, WOUND_MODIFIER, 1)))["wounds"] == 1


@rule("w40k11.weapon.anti", check=4)
@rule("w40k11.attached.keywords", check=1)
def test_of_an_attached_unit_one_model_with_the_keyword_is_enough() -> None:
    psyker = character(keywords=["INFANTRY", "CHARACTER", "PSYKER"])
    chief = unit("Chief", "blue", psyker, [(21, 12)], leads="Blues")
    b = duel(gun("anti-psyker 2+"), target(toughness=8), more=[chief], dice={"hit": [5], "wound": [2]})
    assert hurt(b) == [0, 1]


# --- More dice --------------------------------------------------------------------------------------------------------


@rule("w40k11.weapon.blast", check=1)
@pytest.mark.parametrize(("models", "dice"), [(4, 1), (5, 2), (9, 2), (10, 3), (11, 3), (14, 3)])
def test_blast_gives_a_die_for_every_five_models(models: int, dice: int) -> None:
    b = duel(gun("blast"), blue_at=row(models, (16, 8)), dice={"hit": [1] * 9})
    assert rolled(b) == dice


@rule("w40k11.weapon.blast", check=2)
def test_blast_2_gives_two_dice_for_every_five_models() -> None:
    b = duel(gun("blast 2"), blue_at=row(10, (16, 8)), dice={"hit": [1] * 9})
    assert rolled(b) == 5


@rule("w40k11.weapon.blast", check=3)
def test_models_that_earlier_batches_destroyed_still_count_for_blast() -> None:
    arms = [gun(attacks="2"), gun("blast", name="mortar", strength=5)]
    dice = {"hit": [5, 5, 1, 1], "wound": [5, 5]}
    b = duel(arms, blue_at=row(5, (16, 8)), dice=dice)
    assert (sum(hurt(b)), [o["attacks"] for o in outcomes(b)]) == (3, [2, 2])


@rule("w40k11.weapon.blast", check=4)
@pytest.mark.parametrize("keywords", [["MONSTER"], ["VEHICLE"]])
def test_blast_is_not_fired_at_engaged_units(keywords: list[str]) -> None:
    friends = unit("Friends", "red", target(name="Friend"), [(22, 20)])
    engaged = unit("Engaged", "blue", target(name="Engaged", keywords=keywords), [(21, 20)])
    b = face_off([gun("blast"), gun(name="rifle")], more=[friends, engaged], dice={"hit": [1]})
    give(b, "shoot_with", "Reds")
    refused_by(b, "shoot", [{"weapon": "gun", "target": "Engaged"}], "w40k11.weapon.blast")
    wanted = [{"weapon": "gun", "target": "Blues"}, {"weapon": "rifle", "target": "Engaged"}]
    assert judge(b, "shoot", wanted).ok


@rule("w40k11.weapon.cleave", check=1)
def test_cleave_2_against_eleven_models_gives_four_dice_more() -> None:
    crowd = [*column(6, 11, 8), *column(5, 12.5, 8)]
    b = melee(blade("cleave 2", attacks="4"), blue_at=crowd, dice={"hit": [1] * 8})
    strike(b, ("blade", "Blues", 4))
    assert (rolled(b), done(b)) == (8, True)


@rule("w40k11.weapon.cleave", check=1)
def test_cleave_adds_to_a_random_number_and_not_to_other_weapons() -> None:
    arms = [blade("cleave 1", attacks="D3"), blade("extra attacks", name="horns")]
    b = melee(arms, targets=5, dice={"attacks": [1], "hit": [1] * 3})
    strike(b, ("blade", "Blues", 1), ("horns", "Blues", 1))
    assert [o["attacks"] for o in outcomes(b)] == [2, 1]


@rule("w40k11.weapon.cleave", check=2)
def test_a_split_cleave_gives_no_more_dice() -> None:
    b = melee(blade("cleave 2", attacks="4"), targets=5, more=[OTHERS], dice={"hit": [1] * 4})
    strike(b, ("blade", "Blues", 3), ("blade", "Others", 1))
    assert [o["attacks"] for o in outcomes(b)] == [3, 1]


@rule("w40k11.weapon.cleave", check=3)
def test_models_that_earlier_batches_destroyed_still_count_for_cleave() -> None:
    arms = [blade("extra attacks", name="horns", strength=5), blade("cleave 1", attacks="1")]
    b = melee(arms, targets=5, dice={"hit": [5, 1, 1], "wound": [5]})
    strike(b, ("horns", "Blues", 1), ("blade", "Blues", 1))
    assert (sum(hurt(b)), [o["attacks"] for o in outcomes(b)]) == (4, [1, 2])


@rule("w40k11.weapon.rapid_fire", check=1)
def test_rapid_fire_gives_more_dice_within_half_range() -> None:
    assert rolled(duel(gun("rapid fire 1"), gap=5, dice={"hit": [1, 1]})) == 2


@rule("w40k11.weapon.rapid_fire", check=1)
@rule("w40k11.weapon.melta", check=1)
@pytest.mark.parametrize(("ability", "dice", "left"), [("melta 2", 1, 6), ("rapid fire 2", 3, 6)])
def test_rapid_fire_adds_no_damage_and_melta_no_dice(ability: str, dice: int, left: int) -> None:
    b = duel(gun(ability), target(wounds=9), gap=5, dice={"hit": [5] * 3, "wound": [5] * 3})
    assert (rolled(b), hurt(b)) == (dice, [left])


@rule("w40k11.weapon.rapid_fire", check=2)
@pytest.mark.parametrize(("gap", "dice"), [(12, 2), (12.1, 1)])
def test_half_of_24_inches_is_12(gap: float, dice: int) -> None:
    assert rolled(duel(gun("rapid fire 1"), gap=gap, dice={"hit": [1, 1]})) == dice


@rule("w40k11.weapon.rapid_fire", check=3)
def test_losses_change_nothing_about_rapid_fire() -> None:
    arms = [gun(), gun("rapid fire 1", name="carbine")]
    dice = {"hit": [5, 1, 1], "wound": [5]}
    b = duel(arms, target(wounds=2), red_at=[(10, 8)], blue_at=[(20, 8), (24, 8)], wounds={1: 1}, dice=dice)
    assert (hurt(b), [o["attacks"] for o in outcomes(b)]) == ([0, 2], [1, 2])


@rule("w40k11.weapon.melta", check=1)
def test_melta_adds_damage_at_exactly_half_range() -> None:
    b = duel(gun("melta 2", range=12), target(wounds=9), gap=6, dice={"hit": [5], "wound": [5]})
    assert hurt(b) == [6]


@rule("w40k11.weapon.melta", check=2)
def test_melta_adds_nothing_beyond_half_range() -> None:
    b = duel(gun("melta 2", range=12), target(wounds=9), gap=6.1, dice={"hit": [5], "wound": [5]})
    assert hurt(b) == [8]


@rule("w40k11.weapon.melta", check=3)
def test_melta_adds_to_random_damage() -> None:
    b = duel(
        gun("melta 2", range=12, damage="D6"), target(wounds=9), gap=6, dice={"hit": [5], "wound": [5], "damage": [3]}
    )
    assert hurt(b) == [4]


@rule("w40k11.weapon.melta", check=4)
def test_losses_change_nothing_about_melta() -> None:
    arms = [gun(), gun("melta 2", name="melta", range=24)]
    dice = {"hit": [5, 5], "wound": [5, 5]}
    b = duel(arms, target(wounds=9), red_at=[(10, 8)], blue_at=[(20, 8), (24, 8)], wounds={1: 1}, dice=dice)
    assert hurt(b) == [0, 6]


# --- Hit rolls --------------------------------------------------------------------------------------------------------


@rule("w40k11.weapon.ignores_cover", check=1)
@pytest.mark.parametrize(("abilities", "hits"), [(["ignores cover"], 1), ([], 0)])
def test_cover_given_by_rules_is_of_no_use(abilities: list[str], hits: int) -> None:
    b = covered(face_off(gun(*abilities), dice={"hit": [3], "wound": [1]}))
    assert last(shoot(b))["hits"] == hits


@rule("w40k11.weapon.ignores_cover", check=2)
@pytest.mark.parametrize(("abilities", "hits"), [(["ignores cover"], 1), ([], 0)])
def test_cover_of_indirect_shooting_is_of_no_use(abilities: list[str], hits: int) -> None:
    weapon = gun("indirect fire", *abilities, skill=4)
    b = face_off(weapon, dice={"hit": [4], "wound": [1]}, flags={"moved": "stationary"})
    give(b, "shoot_with", "Reds")
    give(b, "shooting_type", "indirect")
    assert last(fire(b))["hits"] == hits


@rule("w40k11.weapon.lethal_hits", check=1)
def test_for_each_critical_hit_it_is_chosen_whether_it_wounds_by_itself() -> None:
    weapon = gun("lethal hits", "devastating wounds", attacks="2")
    b = duel(weapon, target(wounds=9, save=2), dice={"hit": [6, 6], "wound": [6], "save": [1]})
    give(b, "roll_to_wound", 1)
    assert (rolls(b), done(b)) == ([("hit", (6, 6)), ("wound", (6,)), ("save", (1,))], True)


@rule("w40k11.weapon.lethal_hits", check=2)
def test_an_automatic_wound_is_no_critical_wound() -> None:
    weapon = gun("lethal hits", "devastating wounds")
    b = duel(weapon, target(wounds=9, save=2), dice={"hit": [6], "save": [2]})
    give(b, "roll_to_wound", 0)
    assert (rolls(b), hurt(b)) == ([("hit", (6,)), ("save", (2,))], [9])


@rule("w40k11.weapon.lethal_hits", check=3)
def test_who_wants_a_critical_wound_may_decline() -> None:
    weapon = gun("lethal hits", "devastating wounds", damage="2")
    b = duel(weapon, target(wounds=9, save=2), dice={"hit": [6], "wound": [6]})
    give(b, "roll_to_wound", 1)
    assert (rolls(b), hurt(b)) == ([("hit", (6,)), ("wound", (6,))], [7])


@rule("w40k11.weapon.lethal_hits", check=4)
def test_extra_hits_do_not_wound_by_themselves() -> None:
    b = duel(gun("lethal hits", "sustained hits 1"), target(wounds=9), dice={"hit": [6], "wound": [3]})
    assert (rolls(b), hurt(b)) == ([("hit", (6,)), ("wound", (3,))], [8])


@rule("w40k11.weapon.sustained_hits", check=1)
def test_sustained_hits_2_with_a_6_gives_three_hits() -> None:
    b = duel(gun("sustained hits 2", attacks="2"), dice={"hit": [6, 5], "wound": [1] * 4})
    assert last(b)["hits"] == 4


@rule("w40k11.weapon.sustained_hits", check=1)
def test_other_weapons_give_one_hit_with_a_6() -> None:
    assert last(duel(gun("lance"), dice={"hit": [6], "wound": [1]}))["hits"] == 1


@rule("w40k11.weapon.sustained_hits", check=2)
def test_additional_hits_are_not_critical() -> None:
    b = duel(gun("sustained hits 2"), dice={"hit": [6], "wound": [1] * 3})
    assert (last(b)["hits"], last(b)["criticals"]) == (3, 1)


@rule("w40k11.weapon.sustained_hits", check=3)
def test_each_additional_hit_has_a_wound_roll_of_its_own() -> None:
    b = duel(gun("sustained hits 2"), target(wounds=9), dice={"hit": [6], "wound": [4, 3, 4]})
    assert (rolls(b)[1], hurt(b)) == (("wound", (4, 3, 4)), [7])


@rule("w40k11.weapon.torrent", check=1)
def test_a_torrent_makes_no_critical_hits() -> None:
    b = duel(gun("torrent", "lethal hits", "sustained hits 1"), dice={"wound": [1]})
    assert (rolls(b), last(b)["hits"], last(b)["criticals"]) == ([("wound", (1,))], 1, 0)


@rule("w40k11.weapon.torrent", check=2)
def test_cover_and_penalties_do_not_matter_to_a_torrent() -> None:
    b = covered(changed(face_off(gun("torrent", skill=6), dice={"wound": [1]}), HIT_MODIFIER, -1))
    assert (last(shoot(b))["hits"], rolls(b)) == (1, [("wound", (1,))])


@rule("w40k11.weapon.psychic", check=1)
def test_cover_does_not_worsen_a_psychic_attack() -> None:
    b = covered(face_off(gun("psychic", attacks="2"), dice={"hit": [3, 2], "wound": [1]}))
    assert last(shoot(b))["hits"] == 1


@rule("w40k11.weapon.psychic", check=2)
def test_a_penalty_to_hit_is_left_out_and_a_bonus_is_kept() -> None:
    b = face_off(gun("psychic", attacks="2", skill=4), dice={"hit": [3, 2], "wound": [1]})
    assert last(shoot(changed(b, HIT_MODIFIER, 1, -1)))["hits"] == 1


@rule("w40k11.weapon.psychic", check=3)
def test_modifiers_of_wound_rolls_and_saves_still_work_on_psychic_attacks() -> None:
    shields = {"name": "Shields", "unit": "Blues", "effects": [{"kind": "modify", "roll": "save", "value": 1}]}
    dice = {"hit": [3, 3], "wound": [4, 5], "save": [4]}
    b = face_off(gun("psychic", attacks="2"), target(save=5), dice=dice, abilities=[shields])
    shoot(changed(changed(b, WOUND_MODIFIER, -1), HIT_MODIFIER, -1))
    assert (last(b)["hits"], last(b)["wounds"], last(b)["unsaved"]) == (2, 1, 0)


# --- Wound rolls ------------------------------------------------------------------------------------------------------


@rule("w40k11.weapon.lance", check=1)
@pytest.mark.parametrize(
    ("abilities", "charged", "wounds"), [(["lance"], True, 2), (["lance"], False, 1), ([], True, 1)]
)
def test_a_lance_wounds_better_after_a_charge(abilities: list[str], charged: bool, wounds: int) -> None:
    dice = {"hit": [5, 5], "wound": [3, 4]}
    b = melee(blade(*abilities, attacks="2"), target(wounds=9), flags={"charged": charged}, dice=dice)
    assert last(strike(b, ("blade", "Blues", 2)))["wounds"] == wounds


@rule("w40k11.weapon.lance", check=1)
def test_a_lance_adds_1_and_no_more() -> None:
    b = melee(blade("lance"), target(wounds=9), flags={"charged": True}, dice={"hit": [5], "wound": [3]})
    assert last(strike(changed(b, WOUND_MODIFIER, -1), ("blade", "Blues", 1)))["wounds"] == 0


@rule("w40k11.weapon.lance", check=2)
def test_a_lance_wounds_better_after_a_charge_in_the_turn_of_the_opponent() -> None:
    b = melee(blade("lance"), target(wounds=9), flags={"charged": True}, active="blue", dice={"hit": [5], "wound": [3]})
    assert last(strike(b, ("blade", "Blues", 1)))["wounds"] == 1


@rule("w40k11.weapon.twin_linked", check=1)
def test_each_wound_roll_of_a_twin_linked_weapon_may_be_re_rolled_once() -> None:
    b = duel(gun("twin-linked", attacks="2"), target(wounds=9), dice={"hit": [5, 5], "wound": [3, 2, 2, 4]})
    assert (rolls(b)[1:], last(b)["wounds"], done(b)) == ([("wound", (3, 2)), ("wound", (2, 4))], 1, True)


@rule("w40k11.weapon.twin_linked", check=1)
def test_wound_rolls_of_other_weapons_stand() -> None:
    b = duel(gun("lance"), target(wounds=9), dice={"hit": [5], "wound": [3]})
    assert (rolls(b)[1:], done(b)) == ([("wound", (3,))], True)


@rule("w40k11.weapon.twin_linked", check=2)
def test_a_wound_that_is_not_critical_may_be_re_rolled() -> None:
    weapon = gun("twin-linked", "devastating wounds", damage="3")
    b = duel(weapon, target(wounds=9, save=2), dice={"hit": [5], "wound": [4, 6]})
    give(b, "reroll", [0])
    assert hurt(b) == [6]


# --- Devastating Wounds -----------------------------------------------------------------------------------------------


def devastated(damage: str, victim: Doc, *, count: int = 1, **more: Any) -> Battle11:
    """Reds made so many critical wounds."""
    weapon = gun("devastating wounds", attacks=f"{count}", damage=damage)
    dice = {"hit": [5] * count, "wound": [6] * count, "save": [2] * count, **more.pop("dice", {})}
    return duel(weapon, target(**{"save": 2, **victim}), dice=dice, **{"targets": 3, **more})


@rule("w40k11.weapon.devastating_wounds", check=1)
def test_what_a_destroyed_model_has_no_wounds_for_is_lost() -> None:
    assert sorted(hurt(devastated("3", {"wounds": 2}))) == [0, 2, 2]


@rule("w40k11.weapon.devastating_wounds", check=2)
def test_three_mortal_wounds_destroy_a_model_with_one_wound_left_and_no_other() -> None:
    assert hurt(devastated("3", {"wounds": 3}, wounds={2: 1})) == [3, 0, 3]


@rule("w40k11.weapon.devastating_wounds", check=3)
def test_with_damage_1_each_critical_wound_is_a_mortal_wound() -> None:
    assert sorted(hurt(devastated("1", {"wounds": 2}, count=2))) == [0, 2, 2]


@rule("w40k11.weapon.devastating_wounds", check=4)
def test_two_critical_wounds_of_three_damage_destroy_two_models_of_three_wounds() -> None:
    assert sorted(hurt(devastated("3", {"wounds": 3}, count=2))) == [0, 0, 3]


@rule("w40k11.weapon.devastating_wounds", check=5)
def test_no_save_is_made_against_critical_wounds() -> None:
    b = devastated("1", {"wounds": 2, "save": 2, "invulnerable": 2})
    assert ([kind for kind, _ in rolls(b)], sum(hurt(b))) == (["hit", "wound"], 5)


@rule("w40k11.weapon.devastating_wounds", check=6)
@rule("w40k11.mortal.after_normal", check=1)
def test_mortal_wounds_come_after_the_normal_damage() -> None:
    """The normal attack hurts a model, which then takes the mortal wounds; the other way round one would be lost."""
    weapon = gun("devastating wounds", attacks="2", damage="2")
    b = duel(weapon, target(wounds=3), targets=3, dice={"hit": [5, 5], "wound": [6, 5]})
    told = [e.kind for e in b.events if getattr(e, "kind", "") in ("attack", "mortal-wounds")]
    assert (told, last(b)["damage"], sorted(hurt(b))) == (["attack", "mortal-wounds"], 2, [0, 3, 3])


@rule("w40k11.weapon.devastating_wounds", check=7)
def test_wounds_that_feel_no_pain_keeps_are_used_up() -> None:
    victim = {"wounds": 3, "abilities": ["feel no pain 5+"]}
    b = devastated("3", victim, dice={"feel no pain": [5, 1, 1]})
    assert (rolls(b)[-1], sorted(hurt(b))) == (("feel no pain", (5, 1, 1)), [1, 3, 3])


@rule("w40k11.mortal.after_normal", check=1)
def test_mortal_wounds_wait_for_all_batches_at_the_unit() -> None:
    arms = [gun("devastating wounds"), gun(name="other gun", strength=5)]
    b = duel(arms, target(wounds=2), targets=2, dice={"hit": [5, 5], "wound": [6, 5]})
    told = [e.kind for e in b.events if getattr(e, "kind", "") in ("attack", "mortal-wounds")]
    assert (told, sorted(hurt(b))) == (["attack", "attack", "mortal-wounds"], [0, 2])


@rule("w40k11.mortal.after_normal", check=2)
def test_a_model_that_normal_damage_destroyed_soaks_up_no_mortal_wound() -> None:
    """The normal attack destroys the hurt model, and all mortal wounds are for the other."""
    arms = [gun("devastating wounds", damage="3"), gun(name="other gun", strength=5)]
    b = duel(arms, target(wounds=3), targets=2, wounds={2: 1}, dice={"hit": [5, 5], "wound": [6, 5]})
    assert (hurt(b), done(b)) == ([0, 0], True)


# --- Extra Attacks ----------------------------------------------------------------------------------------------------

ARMS = [blade(name="sword", attacks="2"), blade("extra attacks", name="horns", strength=5)]
TAIL = blade("extra attacks", name="tail", strength=6)


@rule("w40k11.weapon.extra_attacks", check=1)
@rule("w40k11.attack.weapons_fighting", check=1)
def test_all_weapons_with_extra_attacks_are_used_beside_another() -> None:
    b = melee([*ARMS, TAIL], dice={"hit": [1] * 4})
    without = [{"weapon": "sword", "target": "Blues"}, {"weapon": "horns", "target": "Blues"}]
    refused_by(b, "strike", without, "w40k11.weapon.extra_attacks")
    strike(b, ("sword", "Blues", 2), ("horns", "Blues", 1), ("tail", "Blues", 1))
    assert [o["attacks"] for o in outcomes(b)] == [2, 1, 1]


@rule("w40k11.weapon.extra_attacks", check=1)
@rule("w40k11.attack.weapons_fighting", check=1)
def test_extra_attacks_do_not_stand_in_for_another_weapon() -> None:
    b = melee(ARMS, fighters=2, targets=2, dice={"hit": [1] * 6})
    refused_by(b, "strike", [{"weapon": "horns", "target": "Blues", "count": 2}], "w40k11.attack.weapons_fighting")
    one = [{"weapon": "sword", "target": "Blues", "count": 4}, {"weapon": "horns", "target": "Blues", "count": 1}]
    refused_by(b, "strike", one, "w40k11.weapon.extra_attacks")
    strike(b, ("sword", "Blues", 4), ("horns", "Blues", 2))
    assert [o["attacks"] for o in outcomes(b)] == [4, 2]


@rule("w40k11.weapon.extra_attacks", check=1)
def test_of_other_weapons_one_is_enough() -> None:
    b = melee([blade(name="axe"), *ARMS], dice={"hit": [1] * 2})
    strike(b, ("axe", "Blues", 1), ("horns", "Blues", 1))
    assert [o["attacks"] for o in outcomes(b)] == [1, 1]


@rule("w40k11.weapon.extra_attacks", check=2)
@rule("w40k11.attack.weapons_fighting", check=1)
def test_a_model_with_nothing_but_extra_attacks_uses_those() -> None:
    b = melee([ARMS[1], TAIL], dice={"hit": [1] * 2})
    refused_by(b, "strike", [{"weapon": "horns", "target": "Blues"}], "w40k11.weapon.extra_attacks")
    strike(b, ("horns", "Blues", 1), ("tail", "Blues", 1))
    assert [o["attacks"] for o in outcomes(b)] == [1, 1]


@rule("w40k11.weapon.extra_attacks", check=3)
def test_extra_attacks_may_have_another_target() -> None:
    b = melee(ARMS, more=[OTHERS], dice={"hit": [1] * 3})
    strike(b, ("sword", "Blues", 2), ("horns", "Others", 1))
    assert ([o["attacks"] for o in outcomes(b)], done(b)) == ([2, 1], True)


# --- Hazardous --------------------------------------------------------------------------------------------------------


@rule("w40k11.weapon.hazardous", check=1)
def test_for_each_hazardous_weapon_there_is_a_roll_all_at_once() -> None:
    b = duel(gun("hazardous"), shooters=3, dice={"hit": [1] * 3, "hazard": [3] * 3})
    assert (rolls(b)[1:], done(b)) == ([("hazard", (3, 3, 3))], True)


@rule("w40k11.weapon.hazardous", check=1)
def test_a_split_hazardous_weapon_is_rolled_for_once() -> None:
    b = melee(blade("hazardous", attacks="2"), more=[OTHERS], dice={"hit": [1, 1], "hazard": [3]})
    strike(b, ("blade", "Blues", 1), ("blade", "Others", 1))
    assert rolls(b)[2:] == [("hazard", (3,))]


@rule("w40k11.weapon.hazardous", check=2)
def test_hazard_rolls_are_made_although_the_weapon_had_no_target_left() -> None:
    arms = [gun(), gun("hazardous", name="plasma", strength=7)]
    b = duel(arms, dice={"hit": [5], "wound": [5], "hazard": [3]})
    assert rolls(b) == [("hit", (5,)), ("wound", (5,)), ("hazard", (3,))]


@rule("w40k11.weapon.hazardous", check=2)
@pytest.mark.parametrize(("blast", "dice"), [("3", []), ("1", [("hazard", (6,))])])
def test_no_hazard_rolls_are_made_for_a_unit_that_is_gone(blast: str, dice: list[Any]) -> None:
    car = target(name="Car", keywords=["VEHICLE"], abilities=[f"deadly demise {blast}"])
    faces = {"hit": [6], "wound": [6], "deadly demise": [6], "hazard": [6]}
    b = melee([blade("hazardous", strength=10)], car, dice=faces)
    strike(b, ("blade", "Blues", 1))
    assert (alive(b, "Blues"), [roll for roll in rolls(b) if roll[0] == "hazard"]) == (0, dice)


@rule("w40k11.weapon.hazardous", check=3)
@pytest.mark.parametrize(("keyword", "left"), [("INFANTRY", 8), ("VEHICLE", 6), ("MONSTER", 6)])
def test_a_failure_costs_one_mortal_wound_or_three(keyword: str, left: int) -> None:
    red = {"name": "Red", "wounds": 9, "keywords": [keyword], "weapons": [gun("hazardous")]}
    b = duel([], red={**target(), **red}, dice={"hit": [1], "hazard": [2]})
    assert hurt(b, "Reds") == [left]


@rule("w40k11.weapon.hazardous", check=4)
def test_the_wounds_do_not_go_to_the_bearer() -> None:
    kit = [{"models": [2], "weapons": ["plasma"]}, {"models": [1], "weapons": ["gun"]}]
    red = {**target(wounds=3, name="Red"), "weapons": [gun(), gun("hazardous", name="plasma", strength=7)]}
    b = face_off([], red=red, red_at=column(2, 10), loadout=kit, dice={"hit": [1, 1], "hazard": [1]})
    b.set_wounds(named(b, "Reds").models[0], 2)
    assert hurt(shoot(b), "Reds") == [1, 3]


@rule("w40k11.weapon.hazardous", check=5)
def test_a_bearer_that_was_destroyed_still_causes_a_roll() -> None:
    """The target blows up and takes the bearer along before the hazard rolls."""
    kit = [{"models": [1], "weapons": ["plasma"]}, {"models": [2], "weapons": []}]
    red = {**target(name="Red", wounds=2), "weapons": [gun("hazardous", name="plasma")]}
    victim = target(abilities=["deadly demise 1"])
    dice = {"hit": [5], "wound": [5], "deadly demise": [6], "hazard": [3]}
    b = face_off([], victim, red=red, red_at=[(10, 8), (9, 8)], blue_at=[(16.5, 8)], loadout=kit, dice=dice)
    b.set_wounds(named(b, "Reds").models[0], 1)
    shoot(b)
    assert (rolls(b)[-1], hurt(b, "Reds")) == (("hazard", (3,)), [0, 2])


# --- Precision --------------------------------------------------------------------------------------------------------


def aimed(at: str | None, dice: Doc, *, attacks: str = "2", **more: Any) -> Battle11:
    """Reds shot at Blues and their Chief, and picked him out, or nobody."""
    chief = unit("Chief", "blue", character(wounds=2, save=4), [(21, 14)], leads="Blues")
    b = duel(gun("precision", attacks=attacks), target(save=4), targets=2, more=[chief], dice=dice, **more)
    give(b, "aim", named(b, "Blues").models[2] if at else None)
    return b


@rule("w40k11.weapon.precision", check=1)
def test_a_character_who_is_picked_takes_the_lowest_dice() -> None:
    b = aimed("Chief", {"hit": [5, 5], "wound": [5, 5], "save": [4, 3]})
    assert (hurt(b), done(b)) == ([1, 1, 1], True)


@rule("w40k11.weapon.precision", check=2)
def test_when_the_character_is_destroyed_the_declared_order_takes_over() -> None:
    b = aimed("Chief", {"hit": [5] * 3, "wound": [5] * 3, "save": [3, 2, 1]}, attacks="3")
    assert (sorted(hurt(b)[:2]), hurt(b)[2], done(b)) == ([0, 1], 0, True)


@rule("w40k11.weapon.precision", check=3)
def test_a_character_who_is_not_seen_is_not_picked() -> None:
    hidden = [feature("ruins", (17, 15, 1, 6), 6, walls=[wall((17.5, 15), (17.5, 21), 6)])]
    chiefs = [{"models": [1, 3], "sheet": character(wounds=2)}]
    places: Spots = [(21, 14), (21, 16.5), (21, 19)]
    dice = {"hit": [6], "wound": [5]}
    b = duel(gun("precision"), red_at=[(10, 8)], blue_at=places, kinds=chiefs, terrain=hidden, dice=dice)
    assert [o.value for o in asked(b, "aim").options] == [named(b, "Blues").models[0]]  # type: ignore[attr-defined]


@rule("w40k11.weapon.precision", check=4)
def test_precision_works_against_any_unit_with_a_character() -> None:
    others = [{"models": [2], "sheet": character(wounds=2)}]
    b = duel(gun("precision"), targets=2, kinds=others, dice={"hit": [5], "wound": [5]})
    who = precise_targets(b, named(b, "Reds"), named(b, "Blues"), named(b, "Reds").models[0])
    give(b, "aim", named(b, "Blues").models[1])
    assert (who, hurt(b)) == (named(b, "Blues").models[1:], [1, 1])


@rule("w40k11.weapon.precision", check=5)
def test_the_attacker_may_decline() -> None:
    b = aimed(None, {"hit": [5, 5], "wound": [5, 5], "save": [3, 3]})
    assert (hurt(b), done(b)) == ([0, 0, 2], True)


# --- Feel No Pain -----------------------------------------------------------------------------------------------------


@rule("w40k11.unit.feel_no_pain", check=1)
def test_three_damage_are_three_rolls() -> None:
    victim = target(wounds=9, abilities=["feel no pain 5+"])
    b = duel(gun(damage="3"), victim, dice={"hit": [5], "wound": [5], "feel no pain": [5, 4, 6]})
    assert (rolls(b)[-1], hurt(b)) == (("feel no pain", (5, 4, 6)), [8])


@rule("w40k11.unit.feel_no_pain", check=2)
@rule("w40k11.mortal.selection", check=6)
def test_feel_no_pain_works_against_mortal_wounds() -> None:
    victim = {"wounds": 9, "abilities": ["feel no pain 5+"]}
    b = devastated("2", victim, targets=1, dice={"feel no pain": [5, 4]})
    assert (rolls(b)[-1], hurt(b)) == (("feel no pain", (5, 4)), [8])


@rule("w40k11.unit.feel_no_pain", check=3)
def test_of_two_such_abilities_one_is_rolled() -> None:
    victim = target(wounds=9, abilities=["feel no pain 6+", "feel no pain 5+"])
    b = duel(gun(), victim, dice={"hit": [5], "wound": [5], "feel no pain": [5]})
    assert (rolls(b)[-1], hurt(b), done(b)) == (("feel no pain", (5,)), [9], True)
