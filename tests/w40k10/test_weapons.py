"""Weapon abilities."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.battle import Effect
from sandtable.forty.aiming import guns_of
from sandtable.systems.w40k10.hit_and_wound import WOUND_MODIFIER
from w40k10.arms import (
    BYSTANDERS,
    blade,
    can_target,
    column,
    duel,
    face_off,
    gun,
    last,
    melee,
    outcomes,
    sheet,
    shoot,
    strike,
    target,
)
from w40k10.powers import at, called, clash
from w40k10.table import (
    TANK,
    alive,
    asked,
    feature,
    give,
    kinds,
    named,
    offered,
    refused_by,
    rolls,
    situation,
    unit,
    wounds,
)

OTHERS = unit("Others", "blue", target(name="Other"), [(21, 14)])
BIG = {**TANK, "base": "25.4mm", "height": 1.5, "wounds": 12}


def engaged(red, blue=None, more=(), dice=None, **settings):  # type: ignore[no-untyped-def]
    """Reds and Blues within half an inch of each other."""
    units = [unit("Reds", "red", red, [(10, 8)]), unit("Blues", "blue", blue or target(), [(11.5, 8)])]
    return situation([*units, *more, *BYSTANDERS], step="shoot_units", dice=dice, **settings)


@pytest.mark.rule("w40k10.weapon.abilities", check=1)
@pytest.mark.rule("w40k10.weapon.abilities", check=2)
def test_an_ability_works_for_its_own_weapon_and_several_work_together() -> None:
    arms = [gun("sustained hits 1", "lethal hits", name="blessed"), gun(name="plain")]
    b = duel(arms, target(wounds=9), dice={"hit": [6, 6], "wound": [1, 1]})
    assert [(o["hits"], o["wounds"]) for o in outcomes(b)] == [(2, 1), (1, 0)]


# --- Assault ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("w40k10.weapon.assault", check=1)
@pytest.mark.rule("w40k10.weapon.assault", check=2)
@pytest.mark.rule("w40k10.weapon.assault", check=4)
def test_after_an_advance_only_assault_weapons_fire_and_without_penalty() -> None:
    arms = [gun("assault", name="carbine"), gun(name="rifle")]
    b = face_off(arms, flags={"moved": "advance"}, dice={"hit": [3], "wound": [1]})
    give(b, "shoot_with", "Reds")
    assert "carbine" in offered(b, "shoot") and "rifle" not in offered(b, "shoot")
    give(b, "shoot", [{"weapon": "carbine", "target": "Blues"}])
    assert last(b)["hits"] == 1


@pytest.mark.rule("w40k10.weapon.assault", check=3)
def test_assault_does_not_help_who_fell_back() -> None:
    b = face_off(gun("assault"), flags={"moved": "fall_back"})
    refused_by(b, "shoot_with", "Reds", "w40k10.shoot.eligible")


@pytest.mark.rule("w40k10.weapon.assault", check=5)
def test_who_advanced_and_fired_assault_weapons_cannot_charge() -> None:
    friends = unit("Friends", "red", sheet(name="Friend"), [(10, 12)])
    b = duel(gun("assault"), gap=5, flags={"moved": "advance"}, more=[friends], dice={"hit": [1]})
    give(b, "shoot_with", "pass")
    assert offered(b, "charge_with") == ["Friends"]
    refused_by(b, "charge_with", "Reds", "w40k10.move.advance_limits")


@pytest.mark.rule("w40k10.weapon.assault", check=2)
def test_an_ability_to_shoot_after_an_advance_is_not_for_assault_weapons_alone() -> None:
    def fired(**more: Any) -> set[str]:
        b = clash([at("intercessor-squad", 10)], [at("boyz", 20)], bare=True, **more)
        b.set_unit(called(b, "Intercessor Squad"), moved="advance")
        return {g.item for g in guns_of(b, called(b, "Intercessor Squad")) if g.anything}

    assert fired() == {"bolt rifle"}, "the only Assault weapon"
    gift = ("Intercessor Squad", {"kind": "allow", "what": "advance_and_shoot"})
    assert fired(gain=[gift]) == {"bolt rifle", "bolt pistol"}


# --- Rapid Fire, Blast, Melta -----------------------------------------------------------------------------------------


@pytest.mark.rule("w40k10.weapon.rapid_fire", check=1)
@pytest.mark.parametrize(("gap", "attacks"), [(12, 2), (12.1, 1)])
def test_rapid_fire_at_half_range(gap: float, attacks: int) -> None:
    b = duel(gun("rapid fire 1"), gap=gap, dice={"hit": [1] * attacks})
    assert last(b)["attacks"] == attacks


@pytest.mark.rule("w40k10.weapon.rapid_fire", check=1)
@pytest.mark.rule("w40k10.weapon.melta", check=1)
def test_what_half_range_is_good_for_depends_on_the_weapon() -> None:
    arms = [gun("rapid fire 1", name="bolter"), gun("melta 2", name="melta")]
    b = duel(arms, target(wounds=9), dice={"hit": [3, 1, 3], "wound": [4, 4]})
    assert [(o["attacks"], o["damage"]) for o in outcomes(b)] == [(2, 1), (1, 3)]


@pytest.mark.rule("w40k10.weapon.rapid_fire", check=2)
def test_half_range_is_to_the_closest_model_of_the_target() -> None:
    b = duel(gun("rapid fire 1"), blue_at=[(22, 8), (23.5, 8), (33, 8)], dice={"hit": [1, 1]})
    assert last(b)["attacks"] == 2


@pytest.mark.rule("w40k10.weapon.rapid_fire", check=3)
def test_random_rapid_fire_is_rolled_for_each_weapon() -> None:
    b = duel(gun("rapid fire d3"), shooters=2, dice={"attacks": [1, 6], "hit": [1] * 6})
    assert last(b)["attacks"] == 6, "1 + 1, and 1 + 3"


@pytest.mark.rule("w40k10.weapon.rapid_fire", check=4)
def test_each_model_has_its_own_half_range() -> None:
    b = duel(gun("rapid fire 1"), red_at=[(10, 8), (8.5, 8)], gap=12, dice={"hit": [1] * 3})
    assert sorted(o["attacks"] for o in outcomes(b)) == [1, 2]


@pytest.mark.rule("w40k10.weapon.blast_attacks", check=1)
def test_blast_with_2d6_at_eleven_models() -> None:
    b = duel(gun("blast", a="2D6"), targets=11, dice={"attacks": [4, 5], "hit": [1] * 11})
    assert last(b)["attacks"] == 11


@pytest.mark.rule("w40k10.weapon.blast_attacks", check=2)
@pytest.mark.parametrize(("models", "more"), [(4, 0), (5, 1), (9, 1), (10, 2), (20, 4)])
def test_blast_adds_an_attack_for_every_five_models(models: int, more: int) -> None:
    grid = [(20 + 1.5 * (i % 5), 6 + 1.5 * (i // 5)) for i in range(models)]
    b = duel(gun("blast", a="1"), blue_at=grid, dice={"hit": [1] * (1 + more)})
    assert last(b)["attacks"] == 1 + more


@pytest.mark.rule("w40k10.weapon.blast_attacks", check=3)
def test_models_killed_by_earlier_attacks_still_count_for_blast() -> None:
    arms = [gun(name="rifle"), gun("blast", name="mortar")]
    b = face_off(arms, targets=5, dice={"hit": [3, 1, 1], "wound": [4]})
    give(b, "shoot_with", "Reds")
    give(b, "shoot", [{"weapon": w, "target": "Blues"} for w in ("rifle", "mortar")])
    assert alive(b, "Blues") == 4 and last(b)["attacks"] == 2


@pytest.mark.rule("w40k10.weapon.blast_attacks", check=4)
def test_blast_and_rapid_fire_are_both_added() -> None:
    b = duel(gun("blast", "rapid fire 2"), targets=5, dice={"hit": [1] * 4})
    assert last(b)["attacks"] == 4


@pytest.mark.rule("w40k10.weapon.blast_limit", check=1)
@pytest.mark.rule("w40k10.weapon.blast_limit", check=3)
def test_an_engaged_vehicle_fires_blast_only_at_those_in_the_open() -> None:
    b = engaged({**BIG, "weapons": [gun("blast")]}, more=[OTHERS])
    assert can_target(b, "Reds", "Others") and not can_target(b, "Reds", "Blues")
    refused_by(b, "shoot", [{"weapon": "gun", "target": "Blues"}], "w40k10.weapon.blast_limit")


@pytest.mark.rule("w40k10.weapon.blast_limit", check=2)
def test_an_engaged_monster_is_not_attacked_with_blast() -> None:
    monster = target(keywords=["MONSTER"])
    mortars = unit("Mortars", "red", sheet(gun("blast"), gun(name="rifle"), name="Mortar"), [(10, 20)])
    b = engaged(sheet(name="Red"), monster, more=[mortars])
    assert can_target(b, "Mortars", "Blues", "rifle") and not can_target(b, "Mortars", "Blues", "gun")


@pytest.mark.rule("w40k10.weapon.melta", check=1)
@pytest.mark.rule("w40k10.weapon.melta", check=2)
@pytest.mark.parametrize(("gap", "left"), [(6, 7), (6.1, 9)])
def test_melta_adds_damage_at_half_range(gap: float, left: int) -> None:
    b = duel(
        gun("melta 2", range_=12, d="D6"), target(wounds=10), gap=gap, dice={"hit": [3], "wound": [4], "damage": [1]}
    )
    assert wounds(b, "Blues") == [left]


@pytest.mark.rule("w40k10.weapon.melta", check=3)
def test_melta_depends_on_the_unit_not_on_the_model_that_takes_the_attack() -> None:
    loadout = [{"models": [2], "sheet": target(name="Rear", wounds=9)}]
    mixed = unit("Mixed", "blue", target(wounds=9), [(17, 16), (19.5, 16)], loadout=loadout)
    b = face_off(gun("melta 2", range_=12), red_at=[(10, 16)], more=[mixed], dice={"hit": [3], "wound": [4]})
    shoot(b, at="Mixed")
    give(b, "allocate", named(b, "Mixed").models[1])
    assert wounds(b, "Mixed") == [9, 6]


# --- Cover, Wound rolls -----------------------------------------------------------------------------------------------

RUINS = feature("ruins", (18, 5, 8, 8))


@pytest.mark.rule("w40k10.weapon.ignores_cover", check=1)
def test_ignores_cover_takes_no_notice_of_ruins() -> None:
    shots = {"hit": [3], "wound": [4], "save": [3]}
    assert alive(duel(gun(), target(save=4), terrain=[RUINS], dice=shots), "Blues") == 1
    assert alive(duel(gun("ignores cover"), target(save=4), terrain=[RUINS], dice=shots), "Blues") == 0


@pytest.mark.rule("w40k10.weapon.ignores_cover", check=2)
def test_ignores_cover_takes_no_notice_of_cover_from_stratagems_and_indirect_fire() -> None:
    b = face_off(gun("ignores cover"), target(save=4), dice={"hit": [3], "wound": [4], "save": [3]})
    b.add_effect(Effect("cover", named(b, "Blues").id, 1, until="phase"))
    assert alive(shoot(b), "Blues") == 0
    wall = feature("hill", (15, 0, 0.5, 20), 6, solid=True)
    b = duel(
        gun("ignores cover", "indirect fire"),
        target(save=4),
        terrain=[wall],
        dice={"hit": [4], "wound": [4], "save": [3]},
    )
    assert alive(b, "Blues") == 0


@pytest.mark.rule("w40k10.weapon.twin_linked", check=1)
def test_twin_linked_re_rolls_a_failed_wound_roll_once() -> None:
    b = duel(gun("twin-linked"), dice={"hit": [3], "wound": [3, 2]})
    assert [f for k, f in rolls(b) if k == "wound"] == [(3,), (2,)]
    assert alive(b, "Blues") == 1
    plain = duel(gun(), dice={"hit": [3], "wound": [3]})
    assert kinds(plain) == ["shoot_with"] and alive(plain, "Blues") == 1, "no other weapon re-rolls"


@pytest.mark.rule("w40k10.weapon.twin_linked", check=2)
@pytest.mark.rule("w40k10.weapon.devastating_wounds", check=6)
def test_twin_linked_may_re_roll_a_success_for_a_critical_wound() -> None:
    b = duel(gun("twin-linked", "devastating wounds"), target(save=2), dice={"hit": [3], "wound": [4, 6]})
    give(b, "reroll", ["4"])
    assert alive(b, "Blues") == 0, "the re-rolled 6 became a mortal wound"


@pytest.mark.rule("w40k10.weapon.twin_linked", check=3)
@pytest.mark.rule("w40k10.strat.command_reroll", check=5)
@pytest.mark.rule("w40k10.dice.reroll", check=2)
def test_a_twin_linked_re_roll_is_not_re_rolled_again() -> None:
    b = duel(gun("twin-linked", d="6"), dice={"hit": [3], "wound": [1, 1]}, cp=(2, 0), options={"windows": "all"})
    give(b, "react.after_roll", "pass")
    give(b, "reroll", ["1"])
    assert "react.after_roll" not in kinds(b)


# --- Pistols ----------------------------------------------------------------------------------------------------------

PISTOL, RIFLE = gun("pistol", name="pistol", range_=12), gun(name="rifle")


@pytest.mark.rule("w40k10.weapon.pistol_eligible", check=1)
@pytest.mark.rule("w40k10.weapon.pistol_eligible", check=2)
def test_an_engaged_unit_fires_pistols_only_at_whom_it_is_engaged_with() -> None:
    b = engaged(sheet(PISTOL, RIFLE, name="Red"), more=[OTHERS])
    assert can_target(b, "Reds", "Blues", "pistol")
    assert not can_target(b, "Reds", "Blues", "rifle") and not can_target(b, "Reds", "Others")
    refused_by(b, "shoot", [{"weapon": "pistol", "target": "Others"}], "w40k10.weapon.pistol_eligible")


@pytest.mark.rule("w40k10.weapon.pistol_eligible", check=3)
def test_friends_in_the_same_combat_do_not_prevent_pistols() -> None:
    friends = unit("Friends", "red", sheet(name="Friend"), [(13, 8)])
    assert can_target(engaged(sheet(PISTOL, name="Red"), more=[friends]), "Reds", "Blues")


@pytest.mark.rule("w40k10.weapon.pistol_eligible", check=4)
def test_a_pistol_still_needs_sight_and_range() -> None:
    b = situation(
        [
            unit("Reds", "red", sheet(PISTOL, name="Red"), [(10, 8), (10, 21)]),
            unit("Blues", "blue", target(), [(11.5, 8)]),
            *BYSTANDERS,
        ],
        step="shoot_units",
    )
    give(b, "shoot_with", "Reds")
    assert [r.count for r in asked(b, "shoot").rows] == [1]  # type: ignore[attr-defined]


@pytest.mark.rule("w40k10.weapon.pistol_eligible", check=5)
def test_unengaged_pistols_are_ordinary_weapons() -> None:
    assert can_target(face_off(PISTOL), "Reds", "Blues")


@pytest.mark.rule("w40k10.weapon.pistol_eligible", check=6)
@pytest.mark.parametrize("moved", ["advance", "fall_back"])
def test_pistols_do_not_help_a_hurried_unit(moved: str) -> None:
    refused_by(face_off(PISTOL, flags={"moved": moved}), "shoot_with", "Reds", "w40k10.shoot.eligible")


@pytest.mark.rule("w40k10.weapon.pistol_eligible", check=6)
def test_pistols_that_are_assault_weapons_fire_after_an_advance() -> None:
    assert can_target(face_off(gun("pistol", "assault"), flags={"moved": "advance"}), "Reds", "Blues")


@pytest.mark.rule("w40k10.weapon.pistol_exclusive", check=1)
@pytest.mark.rule("w40k10.weapon.pistol_exclusive", check=4)
def test_a_model_fires_pistols_or_other_weapons() -> None:
    second = gun("pistol", name="second", range_=12)
    b = face_off([PISTOL, second, RIFLE], dice={"hit": [1, 1]})
    give(b, "shoot_with", "Reds")
    mixed = [{"weapon": w, "target": "Blues"} for w in ("pistol", "rifle")]
    refused_by(b, "shoot", mixed, "w40k10.weapon.pistol_exclusive")
    give(b, "shoot", [{"weapon": w, "target": "Blues"} for w in ("pistol", "second")])
    assert len(outcomes(b)) == 2


@pytest.mark.rule("w40k10.weapon.pistol_exclusive", check=2)
def test_a_vehicle_fires_pistols_and_everything_else() -> None:
    b = duel([PISTOL, RIFLE], red={**BIG, "weapons": [PISTOL, RIFLE]}, dice={"hit": [1, 1]})
    assert len(outcomes(b)) == 2


@pytest.mark.rule("w40k10.weapon.pistol_exclusive", check=3)
def test_each_model_of_a_unit_chooses_for_itself() -> None:
    """Only the second model has a pistol alone: the engine finds who fires what."""
    loadout = [{"models": [1], "weapons": ["rifle", "pistol"]}, {"models": [2], "weapons": ["pistol"]}]
    reds = unit("More Reds", "red", sheet(PISTOL, RIFLE, name="More Red"), column(2, 12, 8), loadout=loadout)
    b = face_off(gun(), more=[reds], dice={"hit": [1, 1]})
    give(b, "shoot_with", "More Reds")
    both = [{"weapon": "pistol", "target": "Blues", "count": 1}, {"weapon": "rifle", "target": "Blues", "count": 1}]
    give(b, "shoot", both)
    assert len(outcomes(b)) == 2


# --- Hit abilities ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("w40k10.weapon.torrent", check=1)
@pytest.mark.rule("w40k10.weapon.torrent", check=2)
@pytest.mark.rule("w40k10.weapon.torrent", check=3)
def test_torrent_hits_by_itself_and_never_critically() -> None:
    shot = gun("torrent", "lethal hits", "sustained hits 1", bs=6)
    b = duel(shot, target(abilities=["stealth"]), dice={"wound": [1]})
    assert (last(b)["hits"], last(b)["criticals"], last(b)["wounds"]) == (1, 0, 0)
    assert rolls(b) == [("wound", (1,))]


@pytest.mark.rule("w40k10.weapon.torrent", check=4)
def test_torrent_still_needs_range_and_sight() -> None:
    assert not can_target(face_off(gun("torrent", range_=12), gap=13, more=[OTHERS]), "Reds", "Blues")
    wall = feature("hill", (15, 0, 0.5, 12), 6, solid=True)
    assert not can_target(face_off(gun("torrent"), terrain=[wall], more=[OTHERS]), "Reds", "Blues")


@pytest.mark.rule("w40k10.weapon.lethal_hits", check=1)
@pytest.mark.rule("w40k10.weapon.lethal_hits", check=3)
@pytest.mark.rule("w40k10.weapon.lethal_hits", check=5)
def test_a_critical_hit_of_lethal_hits_wounds_without_a_roll_and_is_saved_as_usual() -> None:
    b = duel(gun("lethal hits"), target(save=4, toughness=12), dice={"hit": [6], "save": [4]})
    assert [k for k, _ in rolls(b)] == ["hit", "save"]
    assert last(b)["wounds"] == 1 and alive(b, "Blues") == 1


@pytest.mark.rule("w40k10.weapon.lethal_hits", check=2)
def test_a_lethal_hit_is_no_critical_wound() -> None:
    shot = gun("lethal hits", "devastating wounds", "anti-infantry 2+")
    b = duel(shot, target(save=2), dice={"hit": [6], "save": [2]})
    assert alive(b, "Blues") == 1 and not outcomes(b, "mortal-wounds")


@pytest.mark.rule("w40k10.weapon.lethal_hits", check=4)
@pytest.mark.rule("w40k10.weapon.sustained_hits", check=2)
def test_additional_hits_are_ordinary_hits() -> None:
    b = duel(gun("lethal hits", "sustained hits 2"), target(wounds=5), dice={"hit": [6], "wound": [1, 4]})
    assert (last(b)["hits"], last(b)["wounds"]) == (3, 2)


@pytest.mark.rule("w40k10.weapon.sustained_hits", check=1)
def test_sustained_hits_2_scores_three_hits_on_a_6() -> None:
    arms = [gun("sustained hits 2"), gun(name="plain")]
    b = duel(arms, dice={"hit": [6, 6], "wound": [1] * 4})
    assert [o["hits"] for o in outcomes(b)] == [3, 1]


@pytest.mark.rule("w40k10.weapon.sustained_hits", check=3)
def test_random_sustained_hits_are_rolled_for_each_critical_hit() -> None:
    b = duel(gun("sustained hits d3", a="2"), dice={"hit": [6, 6], "extra hits": [1, 6], "wound": [1] * 6})
    assert last(b)["hits"] == 6


@pytest.mark.rule("w40k10.weapon.heavy", check=1)
@pytest.mark.rule("w40k10.weapon.heavy", check=2)
@pytest.mark.rule("w40k10.weapon.heavy", check=4)
@pytest.mark.parametrize(("moved", "hits"), [("stationary", 1), ("normal", 0), ("", 0)])
def test_heavy_helps_a_unit_that_remained_stationary(moved: str, hits: int) -> None:
    b = duel(gun("heavy", bs=4), flags={"moved": moved}, dice={"hit": [3], "wound": [1]})
    assert last(b)["hits"] == hits


@pytest.mark.rule("w40k10.weapon.heavy", check=1)
def test_only_heavy_weapons_gain_by_standing_still() -> None:
    b = duel(gun(bs=4, a="2"), flags={"moved": "stationary"}, dice={"hit": [3, 4], "wound": [1]})
    assert last(b)["hits"] == 1


@pytest.mark.rule("w40k10.weapon.heavy", check=3)
def test_a_stationary_engaged_vehicle_has_plus_1_and_minus_1() -> None:
    units = [
        unit("Reds", "red", {**BIG, "weapons": [gun("heavy", a="2")]}, [(10, 8)], moved="stationary"),
        unit("Blues", "blue", target(), [(11.5, 8)]),
    ]
    b = situation([*units, *BYSTANDERS], step="shoot_units", dice={"hit": [2, 3], "wound": [1]})
    assert last(shoot(b))["hits"] == 1


# --- Wound abilities --------------------------------------------------------------------------------------------------


@pytest.mark.rule("w40k10.weapon.lance", check=1)
@pytest.mark.rule("w40k10.weapon.lance", check=2)
@pytest.mark.rule("w40k10.weapon.lance", check=4)
@pytest.mark.parametrize(
    ("flags", "killed"),
    [({"charged": True}, True), ({}, False), ({"charged": True, "intervened": True}, True)],
)
def test_lance_wounds_better_after_a_charge_move(flags: dict[str, bool], killed: bool) -> None:
    b = melee(blade("lance"), flags=flags, dice={"hit": [3], "wound": [3]})
    strike(b, ("blade", "Blues", 1))
    assert (alive(b, "Blues") == 0) is killed


@pytest.mark.rule("w40k10.weapon.lance", check=1)
@pytest.mark.parametrize(("abilities", "malus", "wounded"), [(("lance",), -1, 1), ((), 0, 1), ((), -1, 0)])
def test_a_charge_adds_1_to_the_wound_rolls_of_a_lance_and_nothing_to_others(
    abilities: tuple[str, ...], malus: int, wounded: int
) -> None:
    b = melee(blade(*abilities, a="2"), flags={"charged": True}, dice={"hit": [3, 3], "wound": [3, 4]})
    b.add_effect(Effect(WOUND_MODIFIER, named(b, "Reds").id, malus, until="phase"))
    assert last(strike(b, ("blade", "Blues", 2)))["wounds"] == wounded


@pytest.mark.rule("w40k10.weapon.lance", check=3)
@pytest.mark.rule("w40k10.attack.critical_wound", check=3)
def test_lance_saves_no_1_and_makes_no_5_critical() -> None:
    b = melee(
        blade("lance", "devastating wounds", a="2"),
        target(save=2, toughness=8),
        flags={"charged": True},
        dice={"hit": [3, 3], "wound": [1, 5], "save": [2]},
    )
    strike(b, ("blade", "Blues", 2))
    assert last(b)["wounds"] == 1 and alive(b, "Blues") == 1


@pytest.mark.rule("w40k10.weapon.anti", check=1)
@pytest.mark.rule("w40k10.weapon.anti", check=6)
def test_anti_vehicle_wounds_a_vehicle_on_a_4() -> None:
    b = duel(
        gun("anti-vehicle 4+", a="5"),
        target(toughness=10, wounds=9, keywords=["VEHICLE"]),
        dice={"hit": [3] * 5, "wound": [1, 3, 4, 5, 6]},
    )
    assert last(b)["wounds"] == 3


@pytest.mark.rule("w40k10.weapon.anti", check=1)
def test_of_two_anti_abilities_the_lower_face_counts() -> None:
    prey = target(toughness=10, wounds=9, keywords=["VEHICLE", "WALKER"])
    dice = {"hit": [3] * 3, "wound": [2, 3, 4]}
    b = duel(gun("anti-vehicle 4+", "anti-walker 3+", a="3"), prey, dice=dice)
    assert last(b)["wounds"] == 2


@pytest.mark.rule("w40k10.weapon.anti", check=2)
@pytest.mark.rule("w40k10.weapon.anti", check=5)
def test_anti_with_devastating_wounds_makes_mortal_wounds() -> None:
    b = duel(
        gun("anti-psyker 2+", "devastating wounds"),
        target(save=2, keywords=["INFANTRY", "PSYKER"]),
        dice={"hit": [3], "wound": [2]},
    )
    assert alive(b, "Blues") == 0 and last(b, "mortal-wounds")["points"] == 1


@pytest.mark.rule("w40k10.weapon.anti", check=3)
def test_anti_does_nothing_to_others() -> None:
    b = duel(gun("anti-vehicle 2+"), target(toughness=10), dice={"hit": [3], "wound": [5]})
    assert last(b)["wounds"] == 0


@pytest.mark.rule("w40k10.weapon.anti", check=3)
def test_a_keyword_that_reads_like_another_ability_means_nothing() -> None:
    b = duel(gun("melta 2"), target(toughness=10, keywords=["MELTA"]), dice={"hit": [3], "wound": [5]})
    assert last(b)["wounds"] == 0


@pytest.mark.rule("w40k10.weapon.anti", check=4)
def test_minus_1_to_wound_does_not_touch_anti() -> None:
    b = face_off(gun("anti-infantry 4+", s=1), target(toughness=10), dice={"hit": [3], "wound": [4]})
    b.add_effect(Effect(WOUND_MODIFIER, named(b, "Reds").id, -1, until="phase"))
    assert last(shoot(b))["wounds"] == 1


# --- Devastating Wounds -----------------------------------------------------------------------------------------------


@pytest.mark.rule("w40k10.weapon.devastating_wounds", check=1)
@pytest.mark.rule("w40k10.weapon.devastating_wounds", check=5)
def test_a_critical_wound_becomes_mortal_wounds_that_nothing_saves() -> None:
    b = duel(
        gun("devastating wounds", d="2"),
        target(save=2, invulnerable=2, wounds=3),
        terrain=[RUINS],
        dice={"hit": [3], "wound": [6]},
    )
    assert wounds(b, "Blues") == [1] and "save" not in [k for k, _ in rolls(b)]
    b = duel(
        gun("devastating wounds", d="2"),
        target(wounds=3, abilities=["feel no pain 5+"]),
        dice={"hit": [3], "wound": [6], "feel no pain": [5, 6]},
    )
    assert wounds(b, "Blues") == [3]


@pytest.mark.rule("w40k10.weapon.devastating_wounds", check=2)
@pytest.mark.rule("w40k10.attack.mortal_timing", check=3)
def test_mortal_wounds_come_after_the_normal_damage() -> None:
    b = duel(
        gun("devastating wounds", a="2", d="2"),
        target(save=4, wounds=3),
        targets=2,
        dice={"hit": [3, 3], "wound": [6, 4], "save": [1]},
    )
    assert wounds(b, "Blues") == [2]


@pytest.mark.rule("w40k10.weapon.devastating_wounds", check=3)
def test_devastating_wounds_carry_over_unless_the_option_says_otherwise() -> None:
    shot, dice = gun("devastating wounds", d="3"), {"hit": [3], "wound": [6]}
    b = duel(shot, target(wounds=2), targets=3, dice=dice)
    assert sorted(wounds(b, "Blues")) == [1, 2]
    b = duel(shot, target(wounds=2), targets=3, dice=dice, options={"devastating": "one-model"})
    assert wounds(b, "Blues") == [2, 2]


@pytest.mark.rule("w40k10.weapon.devastating_wounds", check=4)
def test_random_damage_gives_the_number_of_mortal_wounds() -> None:
    shot = gun("devastating wounds", d="D6")
    b = duel(shot, target(save=2, wounds=9), dice={"hit": [3], "wound": [6], "damage": [5]})
    assert wounds(b, "Blues") == [4] and last(b, "mortal-wounds")["points"] == 5
