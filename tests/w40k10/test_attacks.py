"""Making attacks: hit, wound, allocate, save, damage."""

from __future__ import annotations

import pytest

import sandtable
from sandtable.battle import Effect
from sandtable.systems.w40k10.attacks import HIT_MODIFIER, WOUND_MODIFIER
from sandtable.systems.w40k10.destroyed import destroy
from sandtable.systems.w40k10.weapons import by_table
from w40k10.armies import go_on
from w40k10.arms import blade, cited, column, duel, face_off, gun, last, melee, outcomes, sheet, shoot, strike, target
from w40k10.table import HERO, alive, asked, feature, give, kinds, named, offered, rolls, unit, wounds


def modified(b, kind, *values, whom="Reds"):  # type: ignore[no-untyped-def]
    """Put modifiers on a unit."""
    for value in values:
        b.add_effect(Effect(kind, named(b, whom).id, value, until="turn"))
    return b


# --- The sequence -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("w40k10.attack.sequence", check=1)
@pytest.mark.rule("w40k10.attack.hit_roll", check=1)
@pytest.mark.rule("w40k10.attack.hit_roll", check=3)
@pytest.mark.rule("w40k10.attack.wound_roll", check=1)
def test_with_bs_4_a_4_hits_and_a_3_misses_and_only_hits_roll_to_wound() -> None:
    b = duel(gun(a="3", bs=4), dice={"hit": [4, 3, 6], "wound": [1, 1]})
    assert rolls(b) == [("hit", (4, 3, 6)), ("wound", (1, 1))]
    assert last(b)["hits"] == 2


@pytest.mark.rule("w40k10.attack.sequence", check=2)
@pytest.mark.rule("w40k10.attack.wound_roll", check=2)
def test_a_hit_that_does_not_wound_is_not_allocated() -> None:
    b = duel(gun(a="2"), target(save=3), dice={"hit": [6, 6], "wound": [3, 3]})
    assert last(b)["wounds"] == 0 and alive(b, "Blues") == 1
    assert not b.state.models.mark.any()


@pytest.mark.rule("w40k10.attack.sequence", check=3)
def test_a_saved_attack_inflicts_no_damage() -> None:
    b = duel(gun(), target(save=4), dice={"hit": [6], "wound": [4], "save": [4]})
    assert (last(b)["wounds"], last(b)["damage"]) == (1, 0)


@pytest.mark.rule("w40k10.attack.sequence", check=4)
@pytest.mark.rule("w40k10.attack.hit_roll", check=2)
def test_melee_attacks_use_the_same_sequence_with_the_weapon_skill() -> None:
    b = melee(blade(a="3", ws=5), target(save=5), dice={"hit": [4, 5, 6], "wound": [4, 3], "save": [4]})
    strike(b, ("blade", "Blues", 3))
    assert (last(b)["hits"], last(b)["wounds"], last(b)["unsaved"]) == (2, 1, 1)
    assert alive(b, "Blues") == 0


# --- Hit rolls --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("w40k10.attack.critical_hit", check=1)
def test_an_unmodified_6_hits_with_bs_6_and_minus_1() -> None:
    b = modified(face_off(gun(bs=6), dice={"hit": [6], "wound": [1]}), HIT_MODIFIER, -1)
    assert last(shoot(b))["hits"] == 1


@pytest.mark.rule("w40k10.attack.critical_hit", check=2)
def test_an_unmodified_1_misses_with_bs_2_and_plus_1() -> None:
    b = modified(face_off(gun(bs=2), dice={"hit": [1]}), HIT_MODIFIER, 1)
    assert last(shoot(b))["hits"] == 0


@pytest.mark.rule("w40k10.attack.critical_hit", check=3)
@pytest.mark.rule("w40k10.dice.unmodified", check=2)
@pytest.mark.rule("w40k10.weapon.sustained_hits", check=4)
def test_a_5_raised_to_6_is_no_critical_hit() -> None:
    b = modified(face_off(gun("sustained hits 1"), dice={"hit": [5], "wound": [1]}), HIT_MODIFIER, 1)
    assert (last(shoot(b))["hits"], last(b)["criticals"]) == (1, 0)


@pytest.mark.rule("w40k10.attack.critical_hit", check=4)
@pytest.mark.rule("w40k10.dice.unmodified", check=1)
def test_a_6_lowered_to_5_is_still_a_critical_hit() -> None:
    b = modified(face_off(gun("sustained hits 1"), dice={"hit": [6], "wound": [1, 1]}), HIT_MODIFIER, -1)
    assert (last(shoot(b))["hits"], last(b)["criticals"]) == (2, 1)


@pytest.mark.rule("w40k10.attack.critical_hit", check=5)
@pytest.mark.rule("w40k10.dice.unmodified", check=1)
def test_a_6_from_a_re_roll_is_a_critical_hit() -> None:
    b = face_off(
        gun("sustained hits 1", d="4"), dice={"hit": [2, 6], "wound": [1, 1]}, cp=(1, 0), options={"windows": "all"}
    )
    shoot(b)
    give(b, "react.after_roll", "Command Re-roll: the 2 of the hit roll")
    give(b, "react.after_roll", "pass") if "react.after_roll" in kinds(b) else None
    assert (last(b)["hits"], last(b)["criticals"]) == (2, 1)


@pytest.mark.rule("w40k10.attack.hit_modifier_cap", check=1)
def test_two_times_minus_1_to_hit_is_minus_1() -> None:
    b = modified(face_off(gun(), dice={"hit": [4], "wound": [1]}), HIT_MODIFIER, -1, -1)
    assert last(shoot(b))["hits"] == 1


@pytest.mark.rule("w40k10.attack.hit_modifier_cap", check=2)
def test_two_times_plus_1_to_hit_is_plus_1() -> None:
    b = modified(face_off(gun(bs=4, a="2"), dice={"hit": [2, 3], "wound": [1]}), HIT_MODIFIER, 1, 1)
    assert last(shoot(b))["hits"] == 1


@pytest.mark.rule("w40k10.attack.hit_modifier_cap", check=3)
def test_plus_1_and_two_times_minus_1_is_minus_1() -> None:
    b = modified(face_off(gun(a="2"), dice={"hit": [3, 4], "wound": [1]}), HIT_MODIFIER, 1, -1, -1)
    assert last(shoot(b))["hits"] == 1


@pytest.mark.rule("w40k10.attack.hit_modifier_cap", check=4)
def test_plus_1_and_minus_1_to_hit_is_nothing() -> None:
    b = modified(face_off(gun(a="2"), dice={"hit": [2, 3], "wound": [1]}), HIT_MODIFIER, 1, -1)
    assert last(shoot(b))["hits"] == 1


# --- Wound rolls ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("w40k10.attack.wound_table", check=1)
@pytest.mark.rule("w40k10.attack.wound_table", check=2)
@pytest.mark.rule("w40k10.attack.wound_table", check=3)
@pytest.mark.rule("w40k10.attack.wound_table", check=4)
@pytest.mark.rule("w40k10.attack.wound_table", check=5)
@pytest.mark.rule("w40k10.attack.wound_table", check=6)
@pytest.mark.rule("w40k10.attack.wound_table", check=7)
@pytest.mark.parametrize(
    ("strength", "toughness", "needed"),
    [(8, 4, 2), (7, 4, 3), (5, 5, 4), (4, 5, 5), (4, 8, 6), (4, 7, 5), (3, 2, 3), (4, 2, 2), (9, 4, 2), (3, 9, 6)],
)
def test_the_wound_table(strength: int, toughness: int, needed: int) -> None:
    assert by_table(strength, toughness) == needed
    b = duel(gun(a="2", s=strength), target(toughness=toughness), dice={"hit": [3, 3], "wound": [needed - 1, needed]})
    assert last(b)["wounds"] == 1


@pytest.mark.rule("w40k10.attack.critical_wound", check=1)
def test_an_unmodified_6_wounds_with_strength_1_against_toughness_12() -> None:
    b = modified(face_off(gun(s=1), target(toughness=12), dice={"hit": [3], "wound": [6]}), WOUND_MODIFIER, -1)
    assert last(shoot(b))["wounds"] == 1


@pytest.mark.rule("w40k10.attack.critical_wound", check=2)
def test_an_unmodified_1_fails_with_strength_12_against_toughness_3() -> None:
    b = modified(face_off(gun(s=12), target(toughness=3), dice={"hit": [3], "wound": [1]}), WOUND_MODIFIER, 1)
    assert last(shoot(b))["wounds"] == 0


@pytest.mark.rule("w40k10.attack.wound_modifier_cap", check=1)
def test_two_times_minus_1_to_wound_is_minus_1() -> None:
    b = modified(face_off(gun(), dice={"hit": [3], "wound": [5]}), WOUND_MODIFIER, -1, -1)
    assert last(shoot(b))["wounds"] == 1


@pytest.mark.rule("w40k10.attack.wound_modifier_cap", check=2)
def test_two_times_plus_1_to_wound_is_plus_1() -> None:
    b = modified(face_off(gun(a="2"), dice={"hit": [3, 3], "wound": [2, 3]}), WOUND_MODIFIER, 1, 1)
    assert last(shoot(b))["wounds"] == 1


@pytest.mark.rule("w40k10.attack.wound_modifier_cap", check=3)
def test_wound_modifiers_are_added_up_before_the_cap() -> None:
    b = modified(face_off(gun(a="2"), dice={"hit": [3, 3], "wound": [4, 5]}), WOUND_MODIFIER, 1, -1, -1)
    assert last(shoot(b))["wounds"] == 1


# --- Allocating -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("w40k10.attack.allocate_forced", check=1)
def test_a_model_hurt_in_an_earlier_turn_takes_the_next_attack() -> None:
    b = duel(gun(), target(wounds=3), targets=3, wounds={3: 2}, dice={"hit": [3], "wound": [4]})
    assert wounds(b, "Blues") == [3, 3, 1]


@pytest.mark.rule("w40k10.attack.allocate_forced", check=2)
def test_a_model_that_saved_takes_the_next_attack_of_another_unit_too() -> None:
    other = unit("More Reds", "red", sheet(gun(), name="More Red"), [(10, 20)])
    mixed = [{"models": [1], "sheet": target(name="Sergeant", save=4, wounds=2)}]
    b = face_off(
        gun(),
        target(save=4, wounds=2),
        more=[other, unit("Mixed", "blue", target(save=4, wounds=2), column(3, 22, 14), loadout=mixed)],
        dice={"hit": [3, 3], "wound": [4, 4], "save": [4, 1]},
    )
    shoot(b, at="Mixed")
    give(b, "allocate", offered(b, "allocate")[0])
    shoot(b, "More Reds", "Mixed")
    hurt = [m for m in named(b, "Mixed").models if b.state.models.wounds[m] == 1]
    assert len(hurt) == 1, "the second attack went to the marked model, without a question"


@pytest.mark.rule("w40k10.attack.allocate_forced", check=3)
def test_marks_of_earlier_allocations_end_with_the_phase() -> None:
    b = duel(gun(), target(save=4, wounds=2), targets=2, dice={"hit": [3], "wound": [4], "save": [4]})
    assert b.state.models.mark.any()
    give(b, "shoot_with", "pass")
    assert not b.state.models.mark.any()


@pytest.mark.rule("w40k10.attack.allocate_forced", check=4)
def test_when_the_marked_model_is_gone_the_next_attack_goes_anywhere() -> None:
    kinds_ = [{"models": [1], "sheet": target(name="Sergeant")}]
    b = face_off(
        gun(a="2"),
        more=[unit("Mixed", "blue", target(), column(3, 22, 14), loadout=kinds_)],
        dice={"hit": [3, 3], "wound": [4, 4]},
    )
    shoot(b, at="Mixed")
    assert len(asked(b, "allocate").options) == 3  # type: ignore[attr-defined]
    give(b, "allocate", named(b, "Mixed").models[1])
    assert len(asked(b, "allocate").options) == 2  # type: ignore[attr-defined]


@pytest.mark.rule("w40k10.attack.allocate_forced", check=5)
def test_of_several_marked_models_the_owner_picks_one_of_those() -> None:
    b = duel(gun(), target(wounds=3), targets=3, wounds={1: 2, 3: 1}, dice={"hit": [3], "wound": [4]})
    assert asked(b, "allocate").player == 1
    models = named(b, "Blues").models
    assert [o.value for o in asked(b, "allocate").options] in ([models[0], models[2]], [models[2], models[0]])  # type: ignore[attr-defined]


@pytest.mark.rule("w40k10.attack.allocate_free", check=1)
@pytest.mark.rule("w40k10.attack.allocate_free", check=2)
def test_the_owner_may_give_an_attack_to_a_model_out_of_sight_and_range() -> None:
    wall = feature("hill", (21, 12, 0.5, 10), 5, solid=True)
    line = [(12, 8), (14, 10), (16, 12), (18, 14), (24, 16), (26, 16)]
    loadout = [{"models": [6], "sheet": target(name="Rear", save=2)}]
    b = face_off(
        gun(range_=12),
        blue_at=[(20, 8)],
        red_at=[(4, 8)],
        terrain=[wall],
        more=[unit("Line", "blue", target(), line, loadout=loadout)],
        dice={"hit": [3], "wound": [4], "save": [1]},
    )
    shoot(b, at="Line")
    rear = named(b, "Line").models[5]
    assert asked(b, "allocate").player == 1
    give(b, "allocate", rear)
    assert rear not in b.on_table(named(b, "Line"))


# --- Saving -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("w40k10.attack.armour_save", check=1)
@pytest.mark.rule("w40k10.attack.armour_save", check=2)
@pytest.mark.rule("w40k10.attack.save_limits", check=4)
@pytest.mark.parametrize(("save", "ap", "needed"), [(3, -1, 4), (2, -1, 3), (2, -4, 6)])
def test_ap_is_taken_off_the_save(save: int, ap: int, needed: int) -> None:
    shot = gun(a="2", ap=ap)
    b = duel(shot, target(save=save), targets=2, dice={"hit": [3, 3], "wound": [4, 4], "save": [needed, needed - 1]})
    assert (last(b)["unsaved"], alive(b, "Blues")) == (1, 1)


@pytest.mark.rule("w40k10.attack.armour_save", check=3)
@pytest.mark.rule("w40k10.attack.fast_saves", check=3)
def test_the_save_is_that_of_the_model_which_the_attack_was_allocated_to() -> None:
    loadout = [{"models": [1], "sheet": target(name="Shield", save=2)}]
    b = face_off(
        gun(a="2"),
        more=[unit("Mixed", "blue", target(save=6), column(2, 22, 14), loadout=loadout)],
        dice={"hit": [3, 3], "wound": [4, 4], "save": [2, 2]},
    )
    shoot(b, at="Mixed")
    assert rolls(b)[-1][0] == "wound", "the attack is allocated before its save is rolled"
    give(b, "allocate", named(b, "Mixed").models[0])
    assert last(b)["unsaved"] == 0, "both saves are those of the shield, who was marked by the first"


@pytest.mark.rule("w40k10.attack.armour_save", check=4)
def test_no_die_is_rolled_for_a_save_that_cannot_be_made() -> None:
    b = duel(gun(ap=-3), target(save=4), dice={"hit": [3], "wound": [4]})
    assert alive(b, "Blues") == 0


@pytest.mark.rule("w40k10.attack.save_limits", check=1)
@pytest.mark.rule("w40k10.attack.save_limits", check=3)
@pytest.mark.rule("w40k10.attack.invulnerable", check=5)
@pytest.mark.rule("w40k10.terrain.cover", check=6)
@pytest.mark.parametrize("defence", [{"save": 2}, {"save": 7, "invulnerable": 2}, {"save": 4}])
def test_an_unmodified_1_always_fails_a_save(defence: dict[str, int]) -> None:
    ruins = feature("ruins", (18, 5, 8, 8))
    b = duel(gun(ap=-1), target(**defence), terrain=[ruins], dice={"hit": [3], "wound": [6], "save": [1]})
    assert alive(b, "Blues") == 0


@pytest.mark.rule("w40k10.attack.save_limits", check=2)
@pytest.mark.rule("w40k10.terrain.cover_once", check=1)
def test_two_sources_of_cover_improve_a_save_by_1_only() -> None:
    woods = feature("woods", (18, 5, 8, 8))
    ruins = feature("ruins", (18, 5, 8, 8))
    shot = gun(a="2")
    b = duel(
        shot, target(save=5), targets=2, terrain=[woods, ruins], dice={"hit": [3, 3], "wound": [4, 4], "save": [3, 4]}
    )
    assert last(b)["unsaved"] == 1
    shot = gun(a="2", ap=-2)
    b = duel(
        shot, target(save=4), targets=2, terrain=[woods, ruins], dice={"hit": [3, 3], "wound": [4, 4], "save": [4, 5]}
    )
    assert last(b)["unsaved"] == 1


@pytest.mark.rule("w40k10.attack.save_limits", check=2)
def test_no_bonus_to_a_save_is_better_than_1() -> None:
    from sandtable.systems.w40k10.saves import armour_save

    assert armour_save(5, 0, 2) == 4
    assert armour_save(5, -2, 2) == 5, "AP is added up with the bonuses"


@pytest.mark.rule("w40k10.attack.invulnerable", check=1)
@pytest.mark.rule("w40k10.attack.invulnerable", check=2)
def test_an_invulnerable_save_ignores_ap_and_is_the_only_throw() -> None:
    b = duel(
        gun(a="2", ap=-5),
        target(save=2, invulnerable=4),
        targets=2,
        dice={"hit": [3, 3], "wound": [4, 4], "save": [4, 3]},
    )
    assert last(b)["unsaved"] == 1
    assert [k for k, _ in rolls(b)] == ["hit", "wound", "save"]


@pytest.mark.rule("w40k10.attack.invulnerable", check=3)
def test_of_two_invulnerable_saves_one_is_used() -> None:
    b = face_off(gun(ap=-5), target(invulnerable=6), dice={"hit": [3], "wound": [4], "save": [5]})
    b.add_effect(Effect("invulnerable", named(b, "Blues").id, 5, until="phase"))
    shoot(b)
    assert alive(b, "Blues") == 1
    assert rolls(b)[-1] == ("save", (5,))


@pytest.mark.rule("w40k10.attack.invulnerable", check=4)
def test_the_better_of_armour_and_invulnerable_save_is_used() -> None:
    b = duel(gun(ap=-1), target(save=2, invulnerable=4), dice={"hit": [3], "wound": [4], "save": [3]})
    assert alive(b, "Blues") == 1


# --- Damage -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("w40k10.attack.damage", check=1)
@pytest.mark.rule("w40k10.attack.damage", check=2)
def test_a_model_loses_a_wound_per_point_and_goes_at_none() -> None:
    b = duel(gun(a="2", d="2"), target(wounds=3), dice={"hit": [3, 1], "wound": [4]})
    assert wounds(b, "Blues") == [1]
    b = duel(gun(a="2", d="2"), target(wounds=3), dice={"hit": [3, 3], "wound": [4, 4]})
    assert alive(b, "Blues") == 0


@pytest.mark.rule("w40k10.attack.damage", check=3)
@pytest.mark.rule("w40k10.datasheet.random_other", check=2)
def test_random_damage_is_rolled_for_each_unsaved_attack() -> None:
    b = duel(gun(a="2", d="D6"), target(wounds=10), dice={"hit": [3, 3], "wound": [4, 4], "damage": [2, 5]})
    assert wounds(b, "Blues") == [3]


@pytest.mark.rule("w40k10.attack.excess_damage", check=1)
def test_excess_damage_is_lost() -> None:
    b = duel(gun(d="3"), target(wounds=3), targets=2, wounds={1: 1}, dice={"hit": [3], "wound": [4]})
    assert wounds(b, "Blues") == [3]


@pytest.mark.rule("w40k10.attack.excess_damage", check=2)
@pytest.mark.rule("w40k10.attack.excess_damage", check=3)
@pytest.mark.rule("w40k10.attack.fast_random_damage", check=2)
@pytest.mark.parametrize(("faces", "left"), [([2, 4, 6], [2]), ([6, 4, 2], [1])])
def test_the_order_of_random_damage_matters(faces: list[int], left: list[int]) -> None:
    b = duel(
        gun(a="3", d="D3"), target(wounds=2), targets=3, dice={"hit": [3, 3, 3], "wound": [4, 4, 4], "damage": faces}
    )
    assert wounds(b, "Blues") == left


@pytest.mark.rule("w40k10.attack.fast_random_damage", check=1)
def test_with_random_damage_each_attack_is_done_before_the_next_is_saved() -> None:
    b = duel(
        gun(a="2", d="D3"),
        target(wounds=2, save=4),
        targets=3,
        dice={"hit": [3, 3], "wound": [4, 4], "save": [1, 2], "damage": [1, 1]},
    )
    assert [k for k, _ in rolls(b)] == ["hit", "wound", "save", "damage", "save", "damage"]


# --- Feel No Pain -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("w40k10.attack.feel_no_pain", check=1)
@pytest.mark.rule("w40k10.attack.feel_no_pain", check=2)
def test_feel_no_pain_is_rolled_for_each_wound() -> None:
    tough = target(wounds=2, abilities=["feel no pain 5+"])
    b = duel(gun(d="3"), tough, dice={"hit": [3], "wound": [4], "feel no pain": [5, 3, 6]})
    assert wounds(b, "Blues") == [1]


@pytest.mark.rule("w40k10.attack.feel_no_pain", check=5)
def test_of_two_feel_no_pain_abilities_one_die_is_rolled() -> None:
    tough = target(wounds=2, abilities=["feel no pain 6+", "feel no pain 5+"])
    b = duel(gun(), tough, dice={"hit": [3], "wound": [4], "feel no pain": [5]})
    assert wounds(b, "Blues") == [2]


@pytest.mark.rule("w40k10.attack.feel_no_pain", check=7)
def test_feel_no_pain_stops_when_the_model_is_destroyed() -> None:
    tough = target(wounds=2, abilities=["feel no pain 5+"])
    b = duel(gun(d="6"), tough, dice={"hit": [3], "wound": [4], "feel no pain": [1, 2]})
    assert alive(b, "Blues") == 0


# --- Fast dice --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("w40k10.attack.fast_dice", check=1)
def test_weapons_that_differ_in_anything_are_rolled_on_their_own() -> None:
    arms = [
        gun(),
        gun(name="strong", s=8),
        gun(name="keen", bs=2),
        gun("lethal hits", name="lethal"),
        gun(name="sharp", ap=-1),
        gun(name="heavy hitter", d="2"),
    ]
    b = duel(arms, dice={"hit": [1] * 6})
    assert [k for k, _ in rolls(b)] == ["hit"] * 6


@pytest.mark.rule("w40k10.attack.fast_dice", check=2)
def test_a_batch_comes_to_the_same_as_one_attack_after_the_other() -> None:
    dice = {"hit": [3, 2, 6, 4, 5], "wound": [4, 6, 3, 5], "save": [3, 1, 5]}
    together = duel(gun(a="5"), target(save=4, wounds=2), targets=3, dice=dice)
    singly = duel(gun(a="5"), target(save=4, wounds=2), targets=3, dice=dice, options={"windows": "all"})
    while "allocate" in kinds(singly):
        give(singly, "allocate", asked(singly, "allocate").options[0].value)  # type: ignore[attr-defined]
    assert last(together) == last(singly)
    assert wounds(together, "Blues") == wounds(singly, "Blues")
    assert [k for k, _ in rolls(singly)].count("save") == 3


@pytest.mark.rule("w40k10.attack.fast_dice", check=3)
@pytest.mark.rule("w40k10.attack.fast_dice", check=4)
@pytest.mark.rule("w40k10.attack.fast_saves", check=2)
def test_twenty_termagants_at_terminators() -> None:
    shots = gun(s=5, ap=-1, bs=4)
    terminators = target(toughness=5, save=2, invulnerable=4, wounds=3)
    grid = [(4 + 1.5 * (i % 5), 6 + 1.5 * (i // 5)) for i in range(20)]
    b = duel(
        shots,
        terminators,
        targets=5,
        red_at=grid,
        wounds={2: 1},
        dice={"hit": [4] * 7 + [1] * 13, "wound": [4] * 5 + [3] * 2, "save": [1, 2, 4, 5, 5]},
    )
    assert (last(b)["hits"], last(b)["wounds"], last(b)["unsaved"]) == (7, 5, 2)
    assert sorted(wounds(b, "Blues")) == [2, 3, 3, 3]


@pytest.mark.rule("w40k10.attack.fast_saves", check=1)
@pytest.mark.rule("w40k10.attack.fast_saves", check=2)
def test_saves_are_rolled_together_where_everybody_needs_the_same() -> None:
    b = duel(
        gun(a="4"),
        target(save=4, wounds=2),
        targets=4,
        wounds={3: 1},
        dice={"hit": [3] * 4, "wound": [4] * 4, "save": [1, 1, 6, 2]},
    )
    assert rolls(b)[-1] == ("save", (1, 1, 6, 2))
    assert wounds(b, "Blues") == [2, 2], "the damaged model went first, then one more lost both wounds"


@pytest.mark.rule("w40k10.attack.fast_saves", check=1)
def test_saves_are_rolled_one_by_one_where_only_some_are_in_cover() -> None:
    ruins = feature("ruins", (20, 9, 6, 6))
    b = duel(
        gun(a="2"),
        target(save=5, wounds=2),
        targets=2,
        terrain=[ruins],
        dice={"hit": [3, 3], "wound": [4, 4], "save": [4, 4]},
    )
    give(b, "allocate", named(b, "Blues").models[1])
    assert [k for k, _ in rolls(b)].count("save") == 2


# --- Attached units ---------------------------------------------------------------------------------------------------


def escort(bodyguards: int = 2, **hero: object) -> list:  # type: ignore[type-arg]
    """A Leader in a unit of troopers of Toughness 4."""
    leads = {**HERO, "toughness": 5, "save": 2, "wounds": 5, "leads": ["Target"], **hero}
    return [
        unit("Guard", "blue", target(save=6), column(bodyguards, 22, 14)),
        unit("Hero", "blue", leads, [(23.5, 14)], leads="Guard"),
    ]


@pytest.mark.rule("w40k10.ability.leader_toughness", check=1)
def test_attacks_use_the_toughness_of_the_bodyguard() -> None:
    b = shoot(face_off(gun(a="2", s=5), more=escort(), dice={"hit": [3, 3], "wound": [2, 3], "save": [6]}), at="Guard")
    assert last(b)["wounds"] == 1


@pytest.mark.rule("w40k10.ability.leader_toughness", check=2)
@pytest.mark.rule("w40k10.ability.leader_allocation", check=3)
@pytest.mark.rule("w40k10.ability.leader_allocation", check=4)
@pytest.mark.rule("w40k10.unit.attached_destroyed_triggers", check=2)
def test_when_the_bodyguard_dies_midway_its_toughness_still_counts_and_the_character_takes_the_rest() -> None:
    arms = [gun(a="2", s=5), gun(name="second", s=5)]
    dice = {"hit": [3, 3, 3], "wound": [3, 3, 3], "save": [1, 2, 2]}
    b = shoot(face_off(arms, more=escort(1), dice=dice), at="Guard")
    assert [o["wounds"] for o in outcomes(b)] == [2, 1]
    assert [o["unsaved"] for o in outcomes(b)] == [1, 0], "the Leader's Save of 2+ is used"
    assert [e["part"] for e in outcomes(b, "unit_destroyed")] == ["bodyguard"]


@pytest.mark.rule("w40k10.ability.leader_toughness", check=2)
def test_only_an_attached_unit_keeps_the_toughness_of_those_who_fell() -> None:
    arms = [gun(a="2", s=4), gun(name="second", s=4)]
    boss = [{"models": [3], "sheet": target(name="Boss", toughness=5, wounds=3)}]
    mob = unit("Mob", "blue", target(toughness=2), column(3, 22, 14), loadout=boss)
    dice = {"hit": [3, 3, 3], "wound": [2, 2, 4]}
    b = face_off(arms, more=[mob], dice=dice)
    give(b, "shoot_with", "Reds")
    give(b, "shoot", [{"weapon": "gun", "target": "Mob"}, {"weapon": "second", "target": "Mob"}])
    for _ in range(2):
        give(b, "allocate", asked(b, "allocate").options[0].value)  # type: ignore[attr-defined]
    assert [o["wounds"] for o in outcomes(b)] == [2, 0], "the Boss alone is wounded on 5+"


@pytest.mark.rule("w40k10.ability.leader_toughness", check=3)
def test_the_next_attacking_unit_uses_the_leaders_own_toughness() -> None:
    more = [*escort(1), unit("Others", "red", sheet(gun(s=5), name="Other"), [(10, 20)])]
    b = face_off(gun(s=5), more=more, dice={"hit": [3, 3], "wound": [3, 3], "save": [1]})
    shoot(b, at="Guard")
    shoot(b, "Others", "Hero")
    assert [o["wounds"] for o in outcomes(b)] == [1, 0]


@pytest.mark.rule("w40k10.ability.leader_allocation", check=1)
@pytest.mark.rule("w40k10.ability.leader_allocation", check=2)
def test_a_character_is_safe_behind_its_bodyguard_even_when_hurt() -> None:
    more = escort(3)
    more[1].wounds = {1: 2}
    b = shoot(face_off(gun(a="2"), more=more, dice={"hit": [3, 3], "wound": [4, 4], "save": [1, 1]}), at="Guard")
    assert wounds(b, "Guard") == [1, 2]


@pytest.mark.rule("w40k10.ability.leader_one_unit", check=1)
@pytest.mark.rule("w40k10.ability.leader_one_unit", check=2)
def test_an_attached_unit_shoots_as_one_unit_and_once() -> None:
    guns = {**HERO, "weapons": [gun(name="relic")], "leads": ["Red"]}
    b = face_off(gun(), more=[unit("Captain", "red", guns, [(10, 9.5)], leads="Reds")], dice={"hit": [1, 1]})
    give(b, "shoot_with", "Reds")
    assert offered(b, "shoot") == ["Blues", "Bystanders", "gun", "relic"] or "relic" in offered(b, "shoot")
    give(b, "shoot", [{"weapon": "gun", "target": "Blues"}, {"weapon": "relic", "target": "Blues"}])
    assert "Reds" not in offered(b, "shoot_with") and "Captain" not in offered(b, "shoot_with")


@pytest.mark.rule("w40k10.ability.leader_one_unit", check=3)
def test_the_leader_goes_on_as_a_unit_of_its_own() -> None:
    arms = [gun(a="2", s=8)]
    b = shoot(face_off(arms, more=escort(1), dice={"hit": [3, 1], "wound": [2], "save": [1]}), at="Guard")
    guard = named(b, "Guard")
    assert alive(b, "Guard") == 1 and int(b.on_table(guard)[0]) in guard.leader


# --- Destroyed --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("w40k10.unit.destroyed", check=1)
@pytest.mark.rule("w40k10.unit.destroyed", check=2)
def test_a_unit_is_destroyed_with_its_last_model() -> None:
    b = duel(gun(a="2"), targets=2, dice={"hit": [3, 1], "wound": [4]})
    assert alive(b, "Blues") == 1 and not outcomes(b, "unit_destroyed")
    b = duel(gun(a="2"), targets=2, dice={"hit": [3, 3], "wound": [4, 4]})
    assert alive(b, "Blues") == 0
    assert [o["part"] for o in outcomes(b, "unit_destroyed")] == ["unit"]
    assert b.distance(named(b, "Reds"), named(b, "Blues")) == float("inf")


@pytest.mark.rule("w40k10.unit.attached_destroyed_triggers", check=1)
def test_wiping_out_an_attached_unit_destroys_two_units() -> None:
    b = shoot(
        face_off(gun(a="3", s=8, ap=-6, d="5"), more=escort(2), dice={"hit": [3] * 3, "wound": [2] * 3}), at="Guard"
    )
    assert [o["part"] for o in outcomes(b, "unit_destroyed")] == ["bodyguard", "leader"]


@pytest.mark.rule("w40k10.unit.attached_destroyed_triggers", check=3)
def test_destroying_only_the_leader_counts_at_once() -> None:
    shot = gun("precision", s=8, ap=-6, d="5")
    b = shoot(face_off(shot, more=escort(2), dice={"hit": [3], "wound": [2]}), at="Guard")
    give(b, "aim", asked(b, "aim").options[0].value)  # type: ignore[attr-defined]
    assert [o["part"] for o in outcomes(b, "unit_destroyed")] == ["leader"]
    assert alive(b, "Guard") == 2


@pytest.mark.rule("w40k10.unit.attached_destroyed_triggers", check=3)
def test_of_two_leaders_in_a_unit_the_end_of_each_counts() -> None:
    armies = {"red": "necrons-2000-gunline", "blue": "orks-2000-horde"}
    b = sandtable.new("w40k10", armies=armies, mission="hold-the-line", layout="long-field", seed=1)
    go_on(b, "move_with")
    immortals = named(b, "First Immortals")
    first, second = immortals.leader
    for model in (first, second):
        with pytest.raises(StopIteration):
            destroy(b, model).send(None)
    assert [o["part"] for o in outcomes(b, "unit_destroyed")] == ["leader", "leader"]
    assert alive(b, "First Immortals") == immortals.strength


# --- Psychic ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("w40k10.ability.psychic", check=1)
def test_only_psykers_use_psychic_weapons() -> None:
    arms = [gun(), gun("psychic", name="smite")]
    b = face_off(arms)
    give(b, "shoot_with", "Reds")
    assert "smite" not in offered(b, "shoot")
    b = face_off(arms, red=sheet(*arms, name="Psyker", keywords=["INFANTRY", "PSYKER"]))
    give(b, "shoot_with", "Reds")
    assert "smite" in offered(b, "shoot")


@pytest.mark.rule("w40k10.ability.psychic", check=2)
def test_psychic_attacks_are_marked_with_their_mortal_wounds() -> None:
    smite = gun("psychic", "devastating wounds", name="smite", d="2")
    psyker = sheet(smite, name="Psyker", keywords=["INFANTRY", "PSYKER"])
    b = duel(smite, target(wounds=3), red=psyker, dice={"hit": [3], "wound": [6]})
    events = [e for e in b.events if getattr(e, "kind", "") in ("attack", "mortal-wounds")]
    assert len(events) == 2 and all("w40k10.ability.psychic" in e.rules for e in events)  # type: ignore[union-attr]


def test_the_account_cites_the_rules_of_an_attack() -> None:
    b = duel(gun("lethal hits"), target(save=4), dice={"hit": [6], "save": [1]})
    assert {"w40k10.attack.hit_roll", "w40k10.weapon.lethal_hits", "w40k10.attack.armour_save"} <= cited(b)
