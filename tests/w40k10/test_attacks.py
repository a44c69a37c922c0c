"""Making attacks: hit, wound, allocate, save, damage."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.battle import Effect
from sandtable.systems.w40k10.hit_and_wound import HIT_MODIFIER, WOUND_MODIFIER, by_table
from w40k10.arms import blade, cited, column, duel, face_off, gun, last, melee, outcomes, sheet, shoot, strike, target
from w40k10.powers import at, bodies, clash
from w40k10.table import TANK, alive, asked, feature, give, kinds, named, offered, rolls, unit, wounds


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
    b = duel(gun(a="3", bs=4), target(wounds=3), dice={"hit": [4, 3, 6], "wound": [3, 4]})
    assert rolls(b) == [("hit", (4, 3, 6)), ("wound", (3, 4))]
    assert (last(b)["hits"], last(b)["wounds"]) == (2, 1)


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
    b = modified(face_off(gun(a="2", bs=2), dice={"hit": [1, 2], "wound": [1]}), HIT_MODIFIER, 1)
    assert last(shoot(b))["hits"] == 1, "the 2 hits"


@pytest.mark.rule("w40k10.attack.critical_hit", check=3)
@pytest.mark.rule("w40k10.dice.unmodified", check=2)
@pytest.mark.rule("w40k10.weapon.sustained_hits", check=4)
def test_a_5_raised_to_6_is_no_critical_hit() -> None:
    b = modified(face_off(gun("sustained hits 1", a="2"), dice={"hit": [5, 6], "wound": [1] * 3}), HIT_MODIFIER, 1)
    assert (last(shoot(b))["hits"], last(b)["criticals"]) == (3, 1), "only the 6 counts twice"


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
    assert (last(b)["hits"], last(b)["criticals"]) == (2, 1)


@pytest.mark.rule("w40k10.attack.hit_modifier_cap", check=1)
def test_two_times_minus_1_to_hit_is_minus_1() -> None:
    b = modified(face_off(gun(a="2"), dice={"hit": [3, 4], "wound": [1]}), HIT_MODIFIER, -1, -1)
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
    more = modified(face_off(gun(a="2"), dice={"hit": [1, 2], "wound": [1]}), HIT_MODIFIER, 1, 1, -1)
    assert last(shoot(more))["hits"] == 1, "and of three what is left of them"


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
    shot = gun(a="2", s=12)
    b = modified(face_off(shot, target(toughness=3), dice={"hit": [3, 3], "wound": [1, 2]}), WOUND_MODIFIER, 1)
    assert last(shoot(b))["wounds"] == 1, "the 2 wounds"


@pytest.mark.rule("w40k10.attack.wound_modifier_cap", check=1)
def test_two_times_minus_1_to_wound_is_minus_1() -> None:
    b = modified(face_off(gun(a="2"), dice={"hit": [3, 3], "wound": [4, 5]}), WOUND_MODIFIER, -1, -1)
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


SQUAD = unit(
    "Squad", "blue", target(save=4, wounds=2), [(22, 14), (23.5, 14), (25, 14)],
    loadout=[{"models": [1], "sheet": target(name="Sergeant", save=4, wounds=2)}],
)  # fmt: skip
"""Three models of two kinds, so that their owner is asked who takes an attack."""


@pytest.mark.rule("w40k10.attack.allocate_forced", check=3)
def test_who_was_given_an_attack_and_saved_it_takes_the_next_until_the_phase_ends() -> None:
    walker = unit("Walker", "red", {**TANK, "base": "25.4mm", "weapons": [gun(a="2"), blade()]}, [(21, 14)])
    b = face_off(gun(), more=[SQUAD, walker], dice={"hit": [4] * 3, "wound": [4] * 3, "save": [4] * 3})
    models = named(b, "Squad").models
    shoot(b, "Walker", "Squad")
    give(b, "allocate", models[1])
    assert kinds(b) == ["shoot_with"], "he who saved the first attack took the second"
    give(b, "shoot_with", "pass")
    give(b, "charge_with", "pass")
    give(b, "pile_in", {"mode": "pile_in"})
    give(b, "consolidate", {"mode": "consolidate"})
    strike(b, ("blade", "Squad", 1))
    assert sorted(o.value for o in asked(b, "allocate").options) == sorted(models)  # type: ignore[attr-defined]


@pytest.mark.rule("w40k10.attack.allocate_forced", check=4)
def test_when_the_marked_model_is_gone_the_next_attack_goes_anywhere() -> None:
    b = face_off(gun(a="3"), more=[SQUAD], dice={"hit": [3] * 3, "wound": [4] * 3, "save": [1] * 3})
    shoot(b, at="Squad")
    first, second, third = named(b, "Squad").models
    assert sorted(o.value for o in asked(b, "allocate").options) == [first, second, third]  # type: ignore[attr-defined]
    give(b, "allocate", second)
    assert sorted(o.value for o in asked(b, "allocate").options) == [first, third], "two attacks destroyed the one"  # type: ignore[attr-defined]
    give(b, "allocate", third)
    assert wounds(b, "Squad") == [2, 1] and kinds(b) == ["shoot_with"]


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
@pytest.mark.parametrize(("save", "ap", "needed"), [(3, -1, 4), (2, 0, 2), (2, -1, 3), (2, -4, 6)])
def test_ap_is_taken_off_the_save(save: int, ap: int, needed: int) -> None:
    shot = gun(a="2", ap=ap)
    b = duel(shot, target(save=save), targets=2, dice={"hit": [3, 3], "wound": [4, 4], "save": [needed, needed - 1]})
    assert (last(b)["unsaved"], alive(b, "Blues")) == (1, 1)


@pytest.mark.rule("w40k10.attack.armour_save", check=3)
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
    assert alive(b, "Blues") == 0 and rolls(b)[-1] == ("wound", (4,))
    b = duel(gun(ap=-2), target(save=4), dice={"hit": [3], "wound": [4], "save": [6]})
    assert alive(b, "Blues") == 1, "against AP -2 a 6 saves"


@pytest.mark.rule("w40k10.terrain.cover", check=6)
@pytest.mark.rule("w40k10.attack.save_limits", check=1)
def test_an_unmodified_1_fails_with_a_2_up_save_in_cover() -> None:
    ruins = feature("ruins", (18, 5, 8, 8))
    dice = {"hit": [3, 3], "wound": [6, 6], "save": [2, 1]}
    b = duel(gun(a="2", ap=-1), target(save=2), targets=2, terrain=[ruins], dice=dice)
    assert (last(b)["unsaved"], alive(b, "Blues")) == (1, 1), "cover makes up for AP -1, and a 2 saves"


@pytest.mark.rule("w40k10.attack.save_limits", check=1)
@pytest.mark.rule("w40k10.attack.save_limits", check=3)
@pytest.mark.parametrize(
    ("shooter", "weapon", "ward", "needed"),
    [("Boyz", "slugga", 4, 2), ("Tankbustas", "rokkit launcha", 2, 2), ("Tankbustas", "rokkit launcha", 4, 3)],
)
def test_no_bonus_lets_an_unmodified_1_save(shooter: str, weapon: str, ward: int, needed: int) -> None:
    """Terminators save on 2+, by armour or by an invulnerable save, and an ability adds 1."""
    gain: list[tuple[str, dict[str, Any]]] = [
        ("Terminator Squad", {"kind": "modify", "roll": "save", "value": 1, "attacks": "suffered"}),
        ("Terminator Squad", {"kind": "invulnerable", "value": ward}),
    ]
    b = clash([at("boyz", 10), at("tankbustas", 10, 30)], [at("terminator-squad", 20)], bare=True, gain=gain)
    assert bodies(b, shooter, "Terminator Squad", weapon).bodies[0].saves == (needed,)


@pytest.mark.rule("w40k10.attack.invulnerable", check=5)
def test_an_unmodified_1_fails_an_invulnerable_save() -> None:
    dice = {"hit": [3, 3], "wound": [4, 4], "save": [2, 1]}
    b = duel(gun(a="2", ap=-5), target(invulnerable=2), targets=2, dice=dice)
    assert (last(b)["unsaved"], alive(b, "Blues")) == (1, 1)


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
    from sandtable.systems.w40k10.allocate_and_save import armour_save

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
    arms = [gun(name="blunt", a="2", ap=-1), gun(name="sharp", a="2", ap=-4)]
    dice = {"hit": [3] * 4, "wound": [4] * 4, "save": [3, 2, 4, 3]}
    b = duel(arms, target(save=2, invulnerable=4, wounds=9), dice=dice)
    assert [o["unsaved"] for o in outcomes(b)] == [1, 1], "3+ by armour, then 4+ where armour would need a 6"


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
    dice = {"hit": [3, 3, 3], "wound": [4, 4, 4], "save": [1, 1, 1], "damage": faces}
    b = duel(gun(a="3", d="D3"), target(save=4, wounds=2), targets=3, dice=dice)
    assert wounds(b, "Blues") == left
    each = [(kind, face) for kind, face in rolls(b) if kind in ("save", "damage")]
    assert each == [roll for face in faces for roll in (("save", (1,)), ("damage", (face,)))]


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
    b = duel(gun(d="6"), tough, dice={"hit": [3], "wound": [4], "feel no pain": [1, 5, 2]})
    assert alive(b, "Blues") == 0 and rolls(b)[-1] == ("feel no pain", (2,))


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
    """Each of five attacks on its own, made with a weapon of its own, and then all five together."""
    hits, wounding, saving = [3, 2, 6, 4, 5], [4, 6, 3, 5], [3, 1, 5]
    dice = {"hit": hits, "wound": wounding, "save": saving}
    victim = target(save=4, wounds=2)
    together = duel(gun(a="5"), victim, targets=3, dice=dice)
    singly = duel([gun(name=f"gun {i}") for i in range(5)], victim, targets=3, dice=dice)
    assert [k for k, _ in rolls(together)] == ["hit", "wound", "save"]
    assert [k for k, _ in rolls(singly)].count("hit") == 5
    for figure in ("attacks", "hits", "criticals", "wounds", "unsaved", "damage"):
        assert last(together)[figure] == sum(o[figure] for o in outcomes(singly)), figure
    assert wounds(together, "Blues") == wounds(singly, "Blues")


@pytest.mark.rule("w40k10.attack.fast_dice", check=3)
@pytest.mark.rule("w40k10.attack.fast_dice", check=4)
@pytest.mark.rule("w40k10.attack.fast_saves", check=2)
def test_twenty_termagants_at_terminators() -> None:
    """One of them has a second gun, whose attack is no part of the batch."""
    shots, second = gun(s=5, ap=-1, bs=4), gun(name="second", s=5, bs=4)
    terminators = target(toughness=5, save=2, invulnerable=4, wounds=3)
    grid = [(4 + 1.5 * (i % 5), 6 + 1.5 * (i // 5)) for i in range(20)]
    gaunts = unit(
        "Gaunts",
        "red",
        sheet(shots, second, name="Gaunt"),
        grid,
        loadout=[{"models": [*range(2, 21)], "weapons": ["gun"]}],
    )
    b = face_off(
        gun(),
        terminators,
        targets=5,
        red_at=[(2, 2)],
        more=[gaunts],
        wounds={2: 1},
        dice={"hit": [4] * 7 + [1] * 13 + [1], "wound": [4] * 5 + [3] * 2, "save": [1, 2, 4, 5, 5]},
    )
    shoot(b, "Gaunts")
    assert [(o["attacks"], o["hits"], o["wounds"], o["unsaved"]) for o in outcomes(b)] == [(20, 7, 5, 2), (1, 0, 0, 0)]
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


@pytest.mark.rule("w40k10.attack.fast_saves", check=3)
def test_where_saves_differ_each_attack_is_allocated_before_its_save_is_rolled() -> None:
    loadout = [{"models": [1], "sheet": target(name="Shield", save=2, wounds=2)}]
    mixed = unit("Mixed", "blue", target(save=6, wounds=2), column(2, 22, 14), loadout=loadout)
    more = [mixed, unit("Others", "red", sheet(gun(a="2"), name="Other"), [(10, 20)])]
    dice = {"hit": [3] * 4, "wound": [4] * 4, "save": [1, 6, 1, 2]}
    b = face_off(gun(a="2"), target(save=6, wounds=2), targets=2, more=more, dice=dice)
    shoot(b)
    assert rolls(b)[-1] == ("save", (1, 6)), "all alike: both saves in one go"
    shoot(b, "Others", "Mixed")
    assert rolls(b)[-1] == ("wound", (4, 4))
    give(b, "allocate", named(b, "Mixed").models[0])
    assert rolls(b)[-2:] == [("save", (1,)), ("save", (2,))]
    assert wounds(b, "Mixed") == [1, 2]


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
    psyker = sheet(smite, gun(name="plain"), name="Psyker", keywords=["INFANTRY", "PSYKER"])
    b = duel(smite, target(wounds=3), red=psyker, dice={"hit": [3, 1], "wound": [6]})
    events = [e for e in b.events if getattr(e, "kind", "") in ("attack", "mortal-wounds")]
    marked = [(e.kind, "w40k10.ability.psychic" in e.rules) for e in events]  # type: ignore[union-attr]
    assert marked == [("attack", True), ("attack", False), ("mortal-wounds", True)], (
        "the plain gun is no Psychic Attack"
    )


def test_the_account_cites_the_rules_of_an_attack() -> None:
    b = duel(gun("lethal hits"), target(save=4), dice={"hit": [6], "save": [1]})
    assert {"w40k10.attack.hit_roll", "w40k10.weapon.lethal_hits", "w40k10.attack.armour_save"} <= cited(b)
