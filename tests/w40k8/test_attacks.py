"""The attack sequence: hit rolls, wound rolls, allocation, saves and damage."""

from __future__ import annotations

import pytest

from sandtable.battle.events import Rolled
from sandtable.battle.tables import FeatureDoc
from sandtable.systems.w40k8.state import Battle8
from support.acting import offered, told
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
    stand,
    strike,
    under,
    unit,
    wounds,
)

FACES = [1, 2, 3, 4, 5, 6]
rule = pytest.mark.rule


def hits(b: Battle8) -> int:
    """How many attacks of the last batch hit."""
    found: int = last(b)["hits"]
    return found


def needed(b: Battle8, kind: str) -> int:
    """The face that the last roll of a kind needed."""
    return next(e.read.needed for e in reversed(b.events) if isinstance(e, Rolled) and e.reason == kind)


# --- The sequence -----------------------------------------------------------------------------------------------------


@rule("w40k8.attack.sequence", check=1)
def test_a_miss_ends_the_attack() -> None:
    b = shootout(gun(), dice={"hit": [2]})
    assert (rolls(b), kinds(b)) == ([("hit", (2,))], ["shoot_with"])


@rule("w40k8.attack.sequence", check=2)
def test_a_failed_wound_roll_ends_the_attack() -> None:
    b = shootout(gun(), sheet(save=3), dice={"hit": [3], "wound": [3]})
    assert (rolls(b), kinds(b)) == ([("hit", (3,)), ("wound", (3,))], ["shoot_with"])


@rule("w40k8.attack.sequence", check=3)
def test_a_saved_attack_rolls_no_damage() -> None:
    b = shootout(gun(d="D6"), sheet(save=3), dice={"hit": [3], "wound": [4], "save": [3]})
    assert (rolls(b), alive(b, "Blues")) == ([("hit", (3,)), ("wound", (4,)), ("save", (3,))], 1)


@rule("w40k8.attack.sequence", check=4)
def test_the_attacker_hits_wounds_and_damages_and_the_defender_saves() -> None:
    b = shootout(gun(d="D3"), sheet(save=3, wounds=9), dice={"hit": [3], "wound": [4], "save": [2], "damage": [5]})
    thrown = [(e.reason, e.player) for e in b.events if isinstance(e, Rolled)]
    assert thrown == [("hit", 0), ("wound", 0), ("save", 1), ("damage", 0)]


# --- Hit rolls --------------------------------------------------------------------------------------------------------


@rule("w40k8.attack.hit", check=1)
@rule("w40k8.dice.threshold", check=(1, 2))
@pytest.mark.parametrize("skill", [2, 3, 4, 5])
def test_a_roll_that_equals_the_ballistic_skill_hits_and_one_below_does_not(skill: int) -> None:
    red = sheet(gun(shots="2"), ballistic_skill=skill)
    assert hits(shootout([], red=red, dice={"hit": [skill, skill - 1], "wound": [1]})) == 1


@rule("w40k8.attack.hit", check=2)
@rule("w40k8.dice.threshold", check=3)
@pytest.mark.parametrize(("added", "least"), [(1, 2), (-1, 4), (-2, 5)])
def test_what_is_added_to_a_hit_roll_counts_before_it_is_compared(added: int, least: int) -> None:
    b = shoot(under(range_(gun(shots="6"), dice={"hit": FACES, "wound": [1] * 6}), "hit", added))
    assert hits(b) == 7 - least


@rule("w40k8.attack.hit", check=3)
def test_no_roll_hits_with_a_ballistic_skill_of_6_and_less_by_1() -> None:
    red = sheet(gun(shots="6"), ballistic_skill=6)
    assert hits(shoot(under(range_([], red=red, dice={"hit": FACES}), "hit", -1))) == 0


@rule("w40k8.attack.hit", check=4)
@rule("w40k8.weapon.rapid_fire", check=6)
def test_eight_shots_of_four_boltguns_of_which_six_show_a_3_hit_six_times() -> None:
    boltgun = gun("rapid fire", name="boltgun", ap=None)
    b = shootout(boltgun, shooters=4, targets=4, gap=6, dice={"hit": [3, 4, 1, 6, 3, 2, 5, 3], "wound": [1] * 6})
    assert (last(b)["attacks"], hits(b)) == (8, 6)


# --- A roll of 1 ------------------------------------------------------------------------------------------------------


@rule("w40k8.attack.natural_one", check=1)
def test_a_1_misses_though_2_is_added_to_a_ballistic_skill_of_2() -> None:
    red = sheet(gun(shots="2"), ballistic_skill=2)
    assert hits(shoot(under(range_([], red=red, dice={"hit": [1, 2], "wound": [1]}), "hit", 2))) == 1


@rule("w40k8.attack.natural_one", check=2)
def test_a_1_does_not_wound_though_1_is_added_where_2_is_needed() -> None:
    b = shoot(under(range_(gun(shots="2", s="8"), dice={"hit": [6, 6], "wound": [1, 2]}), "wound", 1))
    assert last(b)["wounds"] == 1


def woods() -> FeatureDoc:
    """An area around the Blues."""
    return FeatureDoc("woods", "woods", "The woods", (19.0, 6.0, 8.0, 8.0))


def hidden_behind_a_wall() -> FeatureDoc:
    """A wall that hides the upper one of two Blues."""
    return FeatureDoc("wall", "wall", "The wall", (19.0, 8.4, 0.2, 10.0), height=6, solid=True)


@rule("w40k8.attack.natural_one", check=3)
def test_a_1_does_not_save_though_cover_helps_the_best_armour() -> None:
    b = shootout(
        gun(shots="2"),
        sheet(save=2),
        targets=2,
        terrain=[woods()],
        dice={"hit": [3, 3], "wound": [4, 4], "save": [1, 2]},
    )
    assert (alive(b, "Blues"), needed(b, "save")) == (1, 2)


@rule("w40k8.attack.natural_one", check=4)
@rule("w40k8.attack.invulnerable", check=6)
def test_a_1_does_not_save_by_an_invulnerable_save() -> None:
    blue = bare(invulnerable=2)
    b = shootout(gun(shots="2"), blue, targets=2, dice={"hit": [3, 3], "wound": [4, 4], "save": [1, 2]})
    assert alive(b, "Blues") == 1


@rule("w40k8.attack.natural_one", check=5)
def test_the_face_after_a_reroll_is_the_one_that_fails() -> None:
    red = sheet(gun(shots="2"), ballistic_skill=2)
    b = under(range_([], red=red, dice={"hit": [1, 1, 1, 2], "wound": [1]}), "hit", 2)
    assert hits(shoot(under(b, "reroll_hits", "ones"))) == 1


@rule("w40k8.attack.natural_one", check=6)
def test_a_2_that_is_lowered_to_1_is_compared_as_1() -> None:
    red = sheet(gun(shots="2"), ballistic_skill=2)
    b = under(range_([], red=red, dice={"hit": [2, 1], "wound": [1]}), "hit", -1)
    assert hits(shoot(under(b, "hit", 1))) == 1


# --- Wound rolls ------------------------------------------------------------------------------------------------------


def wounding(strength: int, toughness: int) -> tuple[int, str]:
    """How many of six faces wound, and what is told of the reason."""
    weapon = gun(shots="6", s=f"{strength}")
    blue = bare(toughness=toughness, wounds=9)
    b = shootout(weapon, blue, dice={"hit": [6] * 6, "wound": FACES})
    why = [e.read.why for e in b.events if isinstance(e, Rolled) and e.reason == "wound"]
    return last(b)["wounds"], why[0][0].value


@rule("w40k8.attack.wound_table", check=(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11))
@pytest.mark.parametrize(
    ("strength", "toughness", "least"),
    [
        (8, 4, 2), (7, 4, 3), (5, 4, 3), (4, 4, 4), (3, 4, 5), (2, 4, 6),
        (3, 5, 5), (2, 5, 6), (6, 3, 2), (5, 3, 3), (3, 6, 6), (6, 4, 3),
    ],
)  # fmt: skip
def test_strength_against_toughness(strength: int, toughness: int, least: int) -> None:
    assert wounding(strength, toughness) == (7 - least, f"{least}+")


@rule("w40k8.attack.wound", check=1)
def test_a_roll_that_equals_the_number_of_the_table_wounds() -> None:
    b = shootout(gun(shots="2"), bare(wounds=9), dice={"hit": [6, 6], "wound": [4, 3]})
    assert last(b)["wounds"] == 1


@rule("w40k8.attack.wound", check=2)
def test_a_6_does_not_wound_where_6_is_needed_and_1_is_taken_off() -> None:
    weapon = gun(shots="6", s="2")
    b = under(range_(weapon, bare(wounds=9), dice={"hit": [6] * 6, "wound": FACES}), "wound", -1)
    assert last(shoot(b))["wounds"] == 0


@rule("w40k8.attack.wound", check=3)
def test_six_hits_that_need_a_4_of_which_four_show_it_give_four_wounds() -> None:
    b = shootout(gun(shots="6"), bare(wounds=9), dice={"hit": [6] * 6, "wound": [4, 1, 6, 5, 3, 4]})
    assert last(b)["wounds"] == 4


@rule("w40k8.gap.mixed_toughness", check=1)
@pytest.mark.parametrize(("tough", "least"), [([4, 4, 4, 4, 5], 4), ([5, 4, 4, 4, 4], 4), ([5, 5, 5, 4, 4], 5)])
def test_a_mixed_unit_is_wounded_by_the_toughness_of_most(tough: list[int], least: int) -> None:
    assert needed(against_mixed(tough), "wound") == least


@rule("w40k8.gap.mixed_toughness", check=2)
@pytest.mark.parametrize("tough", [[4, 4, 5, 5], [5, 5, 4, 4]])
def test_of_two_that_are_as_common_the_higher_toughness_counts(tough: list[int]) -> None:
    assert needed(against_mixed(tough), "wound") == 5


def against_mixed(tough: list[int]) -> Battle8:
    """One shot of Strength 4 at models with these values."""
    kinds_ = [{"models": [i + 1], "sheet": bare(name=f"T{t}", toughness=t)} for i, t in enumerate(tough)]
    return shootout(gun(), targets=len(tough), loadout=kinds_, dice={"hit": [6], "wound": [1]})


# --- Allocation -------------------------------------------------------------------------------------------------------

TWO = [{"models": [2], "sheet": bare(name="Veteran")}]
"""The second of two models is of another kind, so that it matters who takes an attack."""


@rule("w40k8.attack.allocate", check=1)
def test_the_defender_picks_who_takes_a_wound() -> None:
    b = shootout(gun(), targets=2, loadout=TWO, dice={"hit": [6], "wound": [6]})
    assert (asked(b, "allocate").player, offered(b, "allocate")) == (1, ["Target 1", "Veteran 2"])


@rule("w40k8.attack.allocate", check=2)
def test_a_model_that_nobody_sees_may_take_a_wound() -> None:
    wall = hidden_behind_a_wall()
    b = shootout(gun(), blue_at=[(21, 8), (21, 9.5)], loadout=TWO, terrain=[wall], dice={"hit": [6], "wound": [6]})
    give(b, "allocate", "Veteran 2")
    assert [m for m in named(b, "Blues").models if m in b.on_table(named(b, "Blues"))] == [named(b, "Blues").models[0]]


@rule("w40k8.attack.allocate", check=3)
def test_a_model_out_of_range_of_everybody_may_take_a_wound() -> None:
    weapon = gun(range_=10)
    b = shootout(weapon, blue_at=[(21, 8), (22.5, 8)], loadout=TWO, dice={"hit": [6], "wound": [6]})
    give(b, "allocate", "Veteran 2")
    assert b.on_table(named(b, "Blues")).tolist() == [named(b, "Blues").models[0]]


@rule("w40k8.attack.allocate", check=4)
def test_a_model_that_saved_does_not_have_to_take_the_next_wound() -> None:
    kinds_ = [{"models": [2], "sheet": sheet(name="Veteran")}]
    dice = {"hit": [6, 6], "wound": [6, 6], "save": [3]}
    b = shootout(gun(shots="2"), sheet(name="Target"), targets=2, loadout=kinds_, dice=dice)
    give(b, "allocate", "Veteran 2")
    assert offered(b, "allocate") == ["Target 1", "Veteran 2"]


@rule("w40k8.attack.allocate_wounded", check=1)
def test_every_wound_goes_to_the_wounded_model_until_it_is_slain() -> None:
    dice = {"hit": [6] * 2, "wound": [6] * 2}
    b = shootout(gun(shots="2"), bare(wounds=3), targets=3, wounds={2: 2}, dice=dice)
    assert (wounds(b, "Blues"), kinds(b)) == ([3, 3], ["shoot_with"])


@rule("w40k8.attack.allocate_wounded", check=2)
def test_wounds_that_were_lost_in_an_earlier_turn_bind() -> None:
    loadout = [{"models": [2], "sheet": bare(name="Veteran", wounds=3)}]
    units = [
        unit("Reds", "red", sheet(gun(), name="Red"), [(10, 8)]),
        unit("Blues", "blue", bare(wounds=3), [(31, 8), (31, 9.5)], loadout=loadout),
    ]
    b = situation(units, step="shoot_units", turns=3, dice={"hit": [6, 6], "wound": [6, 6]})
    shoot(b)
    give(b, "allocate", "Veteran 2")
    shoot(b)
    assert wounds(b, "Blues") == [3, 1]


@rule("w40k8.attack.allocate_wounded", check=4)
def test_after_the_wounded_model_is_slain_the_defender_chooses_again() -> None:
    loadout = [{"models": [2], "sheet": bare(name="Veteran", wounds=2)}]
    dice = {"hit": [6] * 2, "wound": [6] * 2}
    b = shootout(gun(shots="2"), bare(wounds=2), targets=3, wounds={3: 1}, loadout=loadout, dice=dice)
    assert (alive(b, "Blues"), offered(b, "allocate")) == (2, ["Target 1", "Veteran 2"])


@rule("w40k8.attack.allocate_wounded", check=5)
def test_the_failed_save_removes_the_intercessor_with_one_wound_left() -> None:
    dice = {"hit": [3, 4, 1, 6, 3, 2, 5, 3], "wound": [4, 1, 6, 5, 3, 4], "save": [3, 5, 2, 6]}
    boltgun = gun("rapid fire", name="boltgun", ap=None)
    b = shootout(boltgun, sheet(wounds=2), shooters=4, targets=4, gap=6, wounds={2: 1}, dice=dice)
    assert wounds(b, "Blues") == [2, 2, 2]


# --- Saves ------------------------------------------------------------------------------------------------------------


def saved(face: int, *, save: int = 3, ap: int | None = 0, **more: int) -> bool:
    """Whether a save with this face keeps a model alive."""
    b = shootout(gun(ap=ap), sheet(save=save, **more), dice={"hit": [6], "wound": [6], "save": [face]})
    return alive(b, "Blues") == 1


@rule("w40k8.attack.save", check=1)
def test_an_armour_penetration_of_1_takes_1_off_the_save() -> None:
    assert [saved(face, ap=-1) for face in FACES] == [False, False, False, True, True, True]


@rule("w40k8.attack.save", check=2)
@pytest.mark.parametrize("save", [2, 3, 6])
def test_a_result_that_equals_the_save_saves(save: int) -> None:
    assert [saved(save - 1, save=save), saved(save, save=save)] == [False, True]


@rule("w40k8.attack.save", check=3)
def test_the_save_of_the_model_that_takes_the_wound_counts() -> None:
    loadout = [{"models": [2], "sheet": sheet(name="Veteran", save=2)}]
    dice = {"hit": [6, 6], "wound": [6, 6], "save": [2, 2]}
    b = shootout(gun(shots="2"), sheet(name="Target", save=3), targets=2, loadout=loadout, dice=dice)
    give(b, "allocate", "Veteran 2")
    give(b, "allocate", "Target 1")
    assert b.on_table(named(b, "Blues")).tolist() == [named(b, "Blues").models[1]]


@rule("w40k8.attack.save", check=4)
@pytest.mark.parametrize("ap", [0, None])
def test_an_armour_penetration_of_0_or_a_dash_changes_nothing(ap: int | None) -> None:
    assert [saved(face, ap=ap) for face in FACES] == [False, False, True, True, True, True]


@rule("w40k8.attack.save", check=5)
def test_nothing_saves_a_3_against_an_armour_penetration_of_4() -> None:
    b = shootout(gun(ap=-4), sheet(save=3), dice={"hit": [6], "wound": [6]})
    assert (rolls(b), alive(b, "Blues")) == ([("hit", (6,)), ("wound", (6,))], 0)


@rule("w40k8.attack.save", check=6)
def test_a_3_against_a_krak_grenade_is_a_2_and_fails() -> None:
    krak = gun("grenade", name="krak grenade", range_=6, s="6", ap=-1, d="D3")
    dice = {"hit": [3], "wound": [3], "save": [3], "damage": [6]}
    assert alive(shootout(krak, sheet(wounds=2), gap=6, targets=2, dice=dice), "Blues") == 1


@rule("w40k8.attack.save", check=7)
def test_of_four_saves_against_boltguns_one_is_less_than_3() -> None:
    dice = {"hit": [3] * 4, "wound": [4] * 4, "save": [3, 4, 2, 6]}
    b = shootout(gun(shots="4", ap=None), sheet(wounds=2), targets=4, dice=dice)
    assert (last(b)["unsaved"], wounds(b, "Blues")) == (1, [2, 2, 2, 1])


@rule("w40k8.attack.invulnerable", check=1)
def test_armour_penetration_does_not_touch_an_invulnerable_save() -> None:
    assert [saved(face, ap=-3, invulnerable=4) for face in FACES] == [False, False, False, True, True, True]
    assert [saved(face, ap=-3) for face in FACES] == [False, False, False, False, False, True]


@rule("w40k8.attack.invulnerable", check=2)
def test_only_one_die_is_thrown_though_a_model_has_two_kinds_of_saves() -> None:
    b = shootout(gun(), sheet(save=5, invulnerable=4), dice={"hit": [6], "wound": [6], "save": [3]})
    assert (rolls(b)[2:], needed(b, "save"), alive(b, "Blues")) == ([("save", (3,))], 4, 0)


@rule("w40k8.attack.invulnerable", check=3)
def test_each_wound_is_saved_by_what_serves_best_against_it() -> None:
    blue = sheet(save=3, invulnerable=5, wounds=9)
    dice = {"hit": [6, 6], "wound": [6, 6], "save": [3, 5]}
    b = shootout([gun(), gun(name="lance", ap=-4)], blue, dice=dice)
    read = [e.read.needed for e in b.events if isinstance(e, Rolled) and e.reason == "save"]
    assert read == [3, 5]


@rule("w40k8.attack.invulnerable", check=4)
def test_of_two_invulnerable_saves_one_is_used() -> None:
    b = under(
        range_(gun(), bare(invulnerable=5), dice={"hit": [6], "wound": [6], "save": [4]}), "invulnerable", 4, "Blues"
    )
    assert (alive(shoot(b), "Blues"), needed(b, "save"), len(rolls(b))) == (1, 4, 3)


@rule("w40k8.attack.invulnerable", check=5)
@rule("w40k8.cover.bonus", check=4)
def test_cover_does_not_help_an_invulnerable_save() -> None:
    dice = {"hit": [6], "wound": [6], "save": [4]}
    b = shootout(gun(ap=-6), sheet(save=3, invulnerable=5), terrain=[woods()], dice=dice)
    assert (needed(b, "save"), alive(b, "Blues")) == (5, 0)


# --- Damage -----------------------------------------------------------------------------------------------------------


@rule("w40k8.attack.damage", check=1)
def test_a_damage_of_2_takes_two_wounds() -> None:
    assert wounds(shootout(gun(d="2"), bare(wounds=5), dice={"hit": [6], "wound": [6]}), "Blues") == [3]


@rule("w40k8.attack.damage", check=2)
def test_a_model_without_wounds_is_gone_before_the_next_attack_is_given() -> None:
    loadout = [{"models": [2], "sheet": bare(name="Veteran")}, {"models": [3], "sheet": bare(name="Sergeant")}]
    b = shootout(gun(shots="2"), targets=3, loadout=loadout, dice={"hit": [6] * 2, "wound": [6] * 2})
    give(b, "allocate", "Veteran 2")
    assert (offered(b, "allocate"), alive(b, "Blues")) == (["Sergeant 3", "Target 1"], 2)


@rule("w40k8.attack.damage", check=3)
def test_random_damage_is_thrown_after_the_save_has_failed() -> None:
    dice = {"hit": [6], "wound": [6], "save": [2], "damage": [4]}
    b = shootout(gun(d="D6"), sheet(wounds=9), dice=dice)
    assert ([kind for kind, _ in rolls(b)], wounds(b, "Blues")) == (["hit", "wound", "save", "damage"], [5])


@rule("w40k8.attack.damage", check=4)
def test_a_slain_model_is_destroyed() -> None:
    b = shootout(gun(), targets=2, dice={"hit": [6], "wound": [6]})
    assert (len(last(b)["destroyed"]), named(b, "Blues").slain) == (1, 1)


@rule("w40k8.attack.damage", check=4)
@pytest.mark.parametrize(("hits", "often"), [(1, 0), (2, 1)])
def test_it_is_told_once_that_a_unit_is_slain_to_the_last(hits: int, often: int) -> None:
    b = shootout(gun(shots="2"), targets=2, dice={"hit": [6] * hits + [1] * (2 - hits), "wound": [6] * hits})
    assert (alive(b, "Blues"), told(b).count("unit_slain")) == (2 - hits, often)


@rule("w40k8.attack.damage", check=5)
def test_lost_wounds_stay_lost_in_later_turns() -> None:
    units = [
        unit("Reds", "red", sheet(gun(d="2"), name="Red"), [(10, 8)]),
        unit("Blues", "blue", bare(wounds=3), [(31, 8)]),
    ]
    b = shoot(situation(units, step="shoot_units", turns=3, dice={"hit": [6], "wound": [6]}))
    assert (wounds(b, "Blues"), kinds(stand(stand(b)))) == ([1], ["shoot_with"])


@rule("w40k8.attack.excess", check=1)
def test_damage_beyond_the_last_wound_harms_nobody_else() -> None:
    b = shootout(gun(d="3"), bare(wounds=2), targets=2, wounds={1: 1}, dice={"hit": [6], "wound": [6]})
    assert wounds(b, "Blues") == [2]


@rule("w40k8.attack.excess", check=2)
@rule("w40k8.dice.d3", check=5)
def test_three_points_of_a_krak_grenade_slay_one_intercessor() -> None:
    krak = gun("grenade", name="krak grenade", range_=6, s="6", ap=-1, d="D3")
    dice = {"hit": [3], "wound": [3], "save": [3], "damage": [6]}
    b = shootout(krak, sheet(wounds=2), gap=6, targets=2, dice=dice)
    assert (wounds(b, "Blues"), last(b)["damage"]) == ([2], 2)


@rule("w40k8.attack.excess", check=3)
def test_two_attacks_of_two_damage_slay_two_models_of_two_wounds() -> None:
    b = shootout(gun(shots="2", d="2"), bare(wounds=2), targets=3, dice={"hit": [6] * 2, "wound": [6] * 2})
    assert wounds(b, "Blues") == [2]


# --- Rolling together -------------------------------------------------------------------------------------------------


@rule("w40k8.attack.fast_dice", check=1)
@pytest.mark.parametrize(
    "other",
    [
        {"sheet": sheet(gun(), name="Red", ballistic_skill=4)},
        {"sheet": sheet(gun(s="5"), name="Red")},
        {"sheet": sheet(gun(ap=-1), name="Red")},
        {"sheet": sheet(gun(d="2"), name="Red")},
    ],
)
def test_attacks_that_differ_are_not_rolled_together(other: Doc) -> None:
    reds = unit("Reds", "red", sheet(gun(), name="Red"), column(2, 10), loadout=[{"models": [2], **other}])
    blues = unit("Blues", "blue", bare(), [(21, 8)])
    b = shoot(situation([reds, blues, SPARES, BYSTANDERS], step="shoot_units", dice={"hit": [1, 1]}))
    assert rolls(b) == [("hit", (1,)), ("hit", (1,))]


@rule("w40k8.attack.fast_dice", check=1)
def test_like_attacks_of_several_models_are_rolled_together() -> None:
    b = shootout(gun(), dice={"hit": [1, 2]}, shooters=2)
    assert rolls(b) == [("hit", (1, 2))]


@rule("w40k8.cover.bonus", check=7)
def test_saves_are_thrown_together_where_no_loss_can_bring_cover() -> None:
    dice = {"hit": [6, 6], "wound": [6, 6], "save": [3, 4]}
    b = shootout(gun(shots="2"), bare(save=3, wounds=9), dice=dice)
    assert rolls(b)[2:] == [("save", (3, 4))]


@rule("w40k8.cover.bonus", check=7)
def test_saves_against_blows_are_thrown_together_wherever_models_stand() -> None:
    woods = FeatureDoc("woods", "woods", "Woods", (9, 9, 4, 4))
    dice = {"hit": [6, 6], "wound": [6, 6], "save": [3, 4]}
    fighter = sheet(blade(), name="Red", attacks=2)
    b = melee(blade(), bare(save=3, wounds=9), red=fighter, targets=2, terrain=[woods], dice=dice)
    strike(b, ("Red", 2, "Blues"))
    assert rolls(b)[2:] == [("save", (3, 4))]


@rule("w40k8.attack.fast_dice", check=1)
def test_attacks_at_two_units_are_not_rolled_together() -> None:
    b = range_([gun(), gun(name="other", range_=48)], dice={"hit": [1, 1]}, shooters=1)
    give(b, "shoot_with", "Reds")
    give(b, "shoot", [{"weapon": "gun", "target": "Blues"}, {"weapon": "other", "target": "Bystanders"}])
    assert rolls(b) == [("hit", (1,)), ("hit", (1,))]


@rule("w40k8.attack.fast_dice", check=2)
def test_saves_and_damage_are_dealt_with_wound_by_wound() -> None:
    dice = {"hit": [6, 6], "wound": [6, 6], "save": [2, 2], "damage": [1, 6]}
    b = shootout(gun(shots="2", d="D6"), sheet(wounds=6), targets=2, dice=dice)
    assert [kind for kind, _ in rolls(b)] == ["hit", "wound", "save", "damage", "save", "damage"]


@rule("w40k8.attack.fast_dice", check=3)
def test_rolled_together_the_outcome_is_that_of_single_attacks() -> None:
    dice = {"hit": [6, 2, 5, 4, 6], "wound": [4, 3, 6, 2], "save": [2, 3, 1]}
    blue = sheet(wounds=2)
    together = shootout([gun(shots="4"), gun(name="big gun", s="8", d="2")], blue, targets=3, dice=dice)
    single = [*(gun(name=f"gun {i}") for i in range(4)), gun(name="big gun", s="8", d="2")]
    assert [wounds(b, "Blues") for b in (together, shootout(single, blue, targets=3, dice=dice))] == [[2, 2], [2, 2]]


@rule("w40k8.attack.fast_dice", check=4)
def test_the_wounded_model_takes_what_is_rolled_together() -> None:
    dice = {"hit": [6] * 3, "wound": [6] * 3, "save": [2, 2, 2]}
    guns = [gun(shots="2"), gun(name="big gun", d="2")]
    b = shootout(guns, sheet(wounds=3), targets=3, wounds={2: 1}, dice=dice)
    assert (wounds(b, "Blues"), rolls(b)[0]) == ([3], ("hit", (6, 6)))
