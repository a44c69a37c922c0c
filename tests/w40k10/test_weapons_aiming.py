"""Weapon abilities about whom a weapon is aimed at: Indirect Fire and Precision."""

from __future__ import annotations

import pytest

from w40k10.arms import (
    BYSTANDERS,
    alive,
    blade,
    can_target,
    cited,
    column,
    duel,
    face_off,
    gun,
    last,
    outcomes,
    sheet,
    shoot,
    strike,
    target,
)
from w40k10.table import HERO, asked, feature, give, kinds, named, rolls, situation, unit, wounds

# --- Indirect Fire ----------------------------------------------------------------------------------------------------

WALL = feature("hill", (15, 0, 0.5, 20), 6, solid=True)


@pytest.mark.rule("w40k10.weapon.indirect_target", check=1)
@pytest.mark.rule("w40k10.weapon.indirect_target", check=2)
def test_indirect_fire_reaches_what_is_out_of_sight_but_in_range() -> None:
    assert can_target(face_off(gun("indirect fire"), terrain=[WALL]), "Reds", "Blues")
    far = face_off(
        gun("indirect fire", range_=9), terrain=[WALL], more=[unit("Near", "blue", target(name="N"), [(10, 12)])]
    )
    assert not can_target(far, "Reds", "Blues")


@pytest.mark.rule("w40k10.weapon.indirect_target", check=3)
@pytest.mark.rule("w40k10.weapon.indirect_penalty", check=1)
@pytest.mark.rule("w40k10.weapon.indirect_penalty", check=2)
def test_unseen_targets_are_harder_to_hit_and_in_cover() -> None:
    b = duel(
        gun("indirect fire", a="2"),
        target(save=5),
        targets=2,
        terrain=[WALL],
        dice={"hit": [3, 4], "wound": [4], "save": [3]},
    )
    assert last(b)["hits"] == 1 and alive(b, "Blues") == 1
    b = duel(gun("indirect fire"), target(save=5), terrain=[WALL], dice={"hit": [4], "wound": [4], "save": [4]})
    assert alive(b, "Blues") == 1, "a 4 saves: 5+ with cover"
    assert "w40k10.weapon.indirect_penalty" in cited(b)


@pytest.mark.rule("w40k10.weapon.indirect_penalty", check=3)
def test_one_model_that_sees_one_model_lifts_both_penalties() -> None:
    wall = feature("debris", (15, 0, 0.5, 12), 6, solid=True)
    spotter = [(10, 8), (10, 18)]
    b = duel(
        gun("indirect fire"),
        target(save=5),
        terrain=[wall],
        red_at=spotter,
        blue_at=[(21, 8), (21, 18)],
        dice={"hit": [2, 3], "wound": [6], "save": [4]},
    )
    give(b, "allocate", named(b, "Blues").models[1])
    assert last(b)["hits"] == 1 and alive(b, "Blues") == 1, "a 3 hits, and a 4 does not save"


@pytest.mark.rule("w40k10.weapon.indirect_penalty", check=4)
def test_that_cover_does_not_help_good_armour_against_ap_0() -> None:
    arms = [gun("indirect fire", name="blunt", a="2"), gun("indirect fire", name="sharp", ap=-1)]
    dice = {"hit": [3, 4, 4], "wound": [4, 4], "save": [2, 3]}
    b = duel(arms, target(save=3, wounds=2), terrain=[WALL], dice=dice)
    assert [(o["hits"], o["unsaved"]) for o in outcomes(b)] == [(1, 1), (1, 0)], "against AP -1 it does help"


# --- Precision --------------------------------------------------------------------------------------------------------


def escort(at: tuple[float, float] = (23.5, 14), guards: int = 2, **hero: object) -> list:  # type: ignore[type-arg]
    leads = {**HERO, "toughness": 5, "save": 2, "wounds": 5, "leads": ["Target"], **hero}
    return [
        unit("Guard", "blue", target(save=6, wounds=2), column(guards, 22, 14)),
        unit("Hero", "blue", leads, [at], leads="Guard"),
    ]


def hero_of(b):  # type: ignore[no-untyped-def]
    return named(b, "Guard").leader[0]


@pytest.mark.rule("w40k10.weapon.precision", check=1)
@pytest.mark.rule("w40k10.weapon.precision", check=4)
@pytest.mark.rule("w40k10.ability.leader_toughness", check=4)
def test_the_attacker_may_direct_a_wound_at_the_character() -> None:
    b = shoot(face_off(gun("precision", s=5), more=escort(), dice={"hit": [3], "wound": [3], "save": [2]}), at="Guard")
    assert asked(b, "aim").player == 0 and rolls(b)[-1] == ("wound", (3,))
    give(b, "aim", hero_of(b))
    assert last(b)["unsaved"] == 0, "S5 wounded T4 on a 3, and the Hero's own 2+ saved"


@pytest.mark.rule("w40k10.weapon.precision", check=2)
def test_a_character_out_of_sight_cannot_be_picked_out() -> None:
    wall = feature("hill", (23, 18, 0.5, 6), 6, solid=True)
    b = face_off(
        gun("precision"),
        more=escort((25, 20), 4),
        terrain=[wall],
        red_at=[(10, 20)],
        dice={"hit": [3], "wound": [4], "save": [1]},
    )
    shoot(b, at="Guard")
    assert "aim" not in kinds(b) and last(b)["unsaved"] == 1


@pytest.mark.rule("w40k10.weapon.precision", check=2)
@pytest.mark.parametrize(("length", "aims"), [(10, False), (3, True)])
def test_in_melee_too_the_character_must_be_visible(length: float, aims: bool) -> None:
    """The Hero stands behind the Guard and a wall, which hides him or ends too soon."""
    leads = {**HERO, "leads": ["Target"]}
    b = situation(
        [
            unit("Reds", "red", sheet(blade("precision"), name="Red"), [(10, 8)]),
            unit("Guard", "blue", target(), [(11, 8)], fought=True),
            unit("Hero", "blue", leads, [(13, 10)], leads="Guard"),
            *BYSTANDERS,
        ],
        [feature("hill", (11.8, 4, 0.3, length), 6, solid=True)],
        step="remaining_combats",
        dice={"hit": [3], "wound": [4]},
    )
    strike(b, ("blade", "Guard", 1))
    assert ("aim" in kinds(b)) is aims


@pytest.mark.rule("w40k10.weapon.precision", check=1)
def test_only_a_character_can_be_picked_out_and_not_his_squire() -> None:
    guard, _ = escort()
    hero = {**HERO, "leads": ["Target"]}
    squire = [{"models": [2], "sheet": {**hero, "name": "Squire", "keywords": ["INFANTRY"]}}]
    lords = unit("Hero", "blue", hero, [(20, 16), (20, 17.5)], leads="Guard", loadout=squire)
    b = shoot(face_off(gun("precision"), more=[guard, lords], dice={"hit": [3], "wound": [4]}), at="Guard")
    assert [o.value for o in asked(b, "aim").options] == [hero_of(b)]  # type: ignore[attr-defined]


@pytest.mark.rule("w40k10.weapon.precision", check=3)
@pytest.mark.rule("w40k10.weapon.precision", check=6)
def test_precision_overrides_the_damaged_model_and_is_chosen_anew_each_time() -> None:
    more = escort()
    more[0].wounds = {1: 1}
    b = face_off(gun("precision", a="2", ap=-6), more=more, dice={"hit": [3, 3], "wound": [4, 4]})
    shoot(b, at="Guard")
    give(b, "aim", hero_of(b))
    give(b, "aim", "pass")
    assert wounds(b, "Guard") == [2, 4]


@pytest.mark.rule("w40k10.weapon.precision", check=5)
def test_precision_does_nothing_to_a_unit_that_is_not_attached() -> None:
    """Each of two shooters sees another CHARACTER of a unit of two, and still their attacks are rolled together."""
    lords = target(keywords=["INFANTRY", "CHARACTER"])
    wall = feature("hill", (10, 12, 20, 0.5), 6, solid=True)
    places = {"red_at": [(10, 8), (10, 17)], "blue_at": [(20, 8), (20, 17)]}
    b = duel(gun("precision", ap=-1), lords, terrain=[wall], dice={"hit": [3, 3], "wound": [4, 4]}, **places)
    assert rolls(b) == [("hit", (3, 3)), ("wound", (4, 4))]
    assert "aim" not in kinds(b) and alive(b, "Blues") == 0


@pytest.mark.rule("w40k10.weapon.precision", check=7)
def test_damage_beyond_the_character_is_lost() -> None:
    b = shoot(face_off(gun("precision", d="9", ap=-6), more=escort(), dice={"hit": [3], "wound": [4]}), at="Guard")
    give(b, "aim", hero_of(b))
    assert wounds(b, "Guard") == [2, 2]


def test_precise_devastating_wounds_go_to_the_character_first() -> None:
    shot = gun("precision", "devastating wounds", d="6")
    b = shoot(face_off(shot, more=escort(), dice={"hit": [3], "wound": [6]}), at="Guard")
    give(b, "aim", hero_of(b))
    assert sorted(wounds(b, "Guard")) == [1, 2], "five on the Hero, the sixth on the Bodyguard"
