"""The Shooting phase: who shoots, at whom."""

from __future__ import annotations

import pytest

from sandtable.battle import GONE
from sandtable.forty.aiming import why_not_at
from sandtable.systems.w40k10.shooting_phase import may_shoot
from sandtable.systems.w40k10.state import Battle10
from w40k10.arms import (
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
    stories,
    strike,
    target,
)
from w40k10.powers import at, called, clash
from w40k10.table import (
    HERO,
    alive,
    asked,
    cites,
    feature,
    give,
    kinds,
    named,
    offered,
    refused_by,
    rolls,
    unit,
    wounds,
)

# --- The sequence -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("w40k10.shoot.sequence", check=1)
@pytest.mark.rule("w40k10.shoot.sequence", check=3)
def test_a_unit_shoots_once_and_is_done_before_the_next() -> None:
    b = duel(gun(), dice={"hit": [3], "wound": [4]})
    assert alive(b, "Blues") == 0
    assert offered(b, "shoot_with") == ["Spares"]
    refused_by(b, "shoot_with", "Reds", "w40k10.shoot.sequence")


@pytest.mark.rule("w40k10.shoot.sequence", check=2)
def test_shooting_is_voluntary() -> None:
    b = face_off(gun())
    assert offered(b, "shoot_with") == ["Reds", "Spares"]
    give(b, "shoot_with", "pass")
    assert "shoot_with" not in kinds(b) and not rolls(b)


@pytest.mark.rule("w40k10.shoot.sequence", check=3)
def test_a_stratagem_that_is_offered_beside_the_units_is_used_only_if_it_is_picked() -> None:
    grenadiers = sheet(gun(), name="Red", keywords=["INFANTRY", "GRENADES"])
    b = face_off(gun(), target(wounds=9), red=grenadiers, gap=5, cp=(1, 0), dice={"hit": [1], "grenade": [4] + [1] * 5})
    assert offered(b, "shoot_with") == ["Grenade: Reds at Blues", "Reds", "Spares"]
    give(b, "shoot_with", "Spares")
    assert asked(b, "shoot").unit == named(b, "Spares").id and not rolls(b)
    give(b, "shoot", [{"weapon": "spare gun", "target": "Blues"}])
    give(b, "shoot_with", "Grenade: Reds at Blues")
    assert rolls(b)[-1][0] == "grenade" and wounds(b, "Blues") == [8]


@pytest.mark.rule("w40k10.shoot.sequence", check=4)
def test_a_unit_that_is_not_on_the_battlefield_does_not_shoot() -> None:
    b = face_off(gun(), more=[unit("Reserves", "red", sheet(gun(), name="Reserve"), off=2)])
    refused_by(b, "shoot_with", "Reserves", "w40k10.shoot.sequence")


@pytest.mark.rule("w40k10.shoot.eligible", check=1)
@pytest.mark.rule("w40k10.shoot.eligible", check=2)
@pytest.mark.parametrize("moved", ["advance", "fall_back"])
def test_who_advanced_or_fell_back_does_not_shoot(moved: str) -> None:
    b = face_off(gun(), flags={"moved": moved})
    refused_by(b, "shoot_with", "Reds", "w40k10.shoot.eligible")


@pytest.mark.rule("w40k10.shoot.eligible", check=1)
@pytest.mark.rule("w40k10.shoot.eligible", check=2)
@pytest.mark.parametrize("moved", ["advance", "fall_back"])
def test_a_hurried_unit_shoots_by_an_ability_for_just_that(moved: str) -> None:
    def shoots(what: str) -> bool:
        gift = ("Boyz", {"kind": "allow", "what": f"{what}_and_shoot"})
        b = clash([at("boyz", 10)], [at("intercessor-squad", 18)], bare=True, gain=[gift])
        b.set_unit(called(b, "Boyz"), moved=moved)
        return bool(may_shoot(b, called(b, "Boyz")))

    assert [what for what in ("advance", "fall_back") if shoots(what)] == [moved]


@pytest.mark.rule("w40k10.shoot.eligible", check=3)
@pytest.mark.parametrize("moved", ["normal", "stationary", ""])
def test_who_moved_normally_or_stayed_shoots(moved: str) -> None:
    assert "Reds" in offered(face_off(gun(), flags={"moved": moved}), "shoot_with")


# --- Selecting targets ------------------------------------------------------------------------------------------------


@pytest.mark.rule("w40k10.shoot.select_targets", check=1)
@pytest.mark.rule("w40k10.shoot.declare_profiles", check=1)
def test_all_targets_and_profiles_are_named_before_the_first_die() -> None:
    arms = [gun(name="first"), gun(name="low", of="plasma"), gun(name="high", of="plasma", s=8)]
    others = unit("Others", "blue", target(name="Other"), [(21, 14)])
    hidden = unit("Hidden", "blue", target(name="Hidden"), [(18, 2)])
    b = face_off(
        arms, more=[others, hidden], terrain=[feature("hill", (15, 0, 0.5, 5), 6, solid=True)], dice={"hit": [1, 1]}
    )
    give(b, "shoot_with", "Reds")
    assert not rolls(b) and offered(b, "shoot") == ["Blues", "Others", "first", "plasma"]
    rows = asked(b, "shoot").rows  # type: ignore[attr-defined]
    assert [(r.label, r.count, r.modes) for r in rows] == [("first", 1, ()), ("plasma", 1, ("low", "high"))]
    give(b, "shoot", [{"weapon": "first", "target": "Blues"}, {"weapon": "plasma", "target": "Others", "mode": "high"}])
    assert "shoot" not in kinds(b) and len(outcomes(b)) == 2
    assert "high at Others" in stories(b)[-1]


WALL = feature("hill", (15, 0, 0.5, 9), 6, solid=True)


@pytest.mark.rule("w40k10.shoot.select_targets", check=2)
def test_one_and_the_same_model_is_in_range_and_visible() -> None:
    """The near model stands behind the wall, the one in the open is out of range."""
    b = face_off(gun(range_=12), red_at=[(10, 8)], blue_at=[(18, 7), (28, 22)], terrain=[WALL])
    assert not can_target(b, "Reds", "Blues")
    b = face_off(gun(range_=24), red_at=[(10, 8)], blue_at=[(18, 7), (28, 22)], terrain=[WALL])
    assert can_target(b, "Reds", "Blues")
    b = face_off(gun("indirect fire", range_=12), red_at=[(10, 8)], blue_at=[(18, 7), (28, 22)], terrain=[WALL])
    assert can_target(b, "Reds", "Blues"), "Indirect Fire asks for range alone"


@pytest.mark.rule("w40k10.shoot.select_targets", check=3)
@pytest.mark.rule("w40k10.shoot.select_targets", check=4)
def test_range_and_sight_are_tested_for_each_model() -> None:
    b = face_off(gun(range_=12), red_at=[(10, 8), (8.5, 8), (10, 12)], blue_at=[(23, 12)], terrain=[WALL])
    give(b, "shoot_with", "Reds")
    (row,) = asked(b, "shoot").rows  # type: ignore[attr-defined]
    assert row.count == 1, "one is behind the wall, one out of range"


@pytest.mark.rule("w40k10.shoot.select_targets", check=5)
def test_a_model_need_not_use_all_weapons() -> None:
    b = face_off([gun(name="one"), gun(name="two"), gun(name="short", range_=9)], dice={"hit": [1]})
    give(b, "shoot_with", "Reds")
    assert offered(b, "shoot") == ["Blues", "one", "two"]
    give(b, "shoot", [{"weapon": "two", "target": "Blues"}])
    assert len(outcomes(b)) == 1 and kinds(b) == ["shoot_with"]


@pytest.mark.rule("w40k10.shoot.range", check=1)
def test_exactly_24_inches_is_in_range() -> None:
    near = unit("Near", "blue", target(name="Near"), [(10, 16)])
    assert can_target(face_off(gun(range_=24), gap=24, more=[near]), "Reds", "Blues")
    b = face_off(gun(range_=24), gap=24.1, more=[near])
    assert not can_target(b, "Reds", "Blues")
    refused_by(b, "shoot", [{"weapon": "gun", "target": "Blues"}], "w40k10.shoot.range")


# --- Splitting fire ---------------------------------------------------------------------------------------------------

OTHERS = unit("Others", "blue", target(name="Other"), [(21, 14)])


@pytest.mark.rule("w40k10.shoot.split", check=1)
def test_a_model_fires_two_weapons_at_two_units() -> None:
    b = face_off([gun(name="one"), gun(name="two")], more=[OTHERS], dice={"hit": [3, 3], "wound": [4, 4]})
    give(b, "shoot_with", "Reds")
    both = [{"weapon": "one", "target": t, "count": 1} for t in ("Blues", "Others")]
    refused_by(b, "shoot", both, "w40k10.shoot.split")
    give(b, "shoot", [{"weapon": "one", "target": "Blues"}, {"weapon": "two", "target": "Others"}])
    assert alive(b, "Blues") == alive(b, "Others") == 0


@pytest.mark.rule("w40k10.shoot.split", check=2)
def test_two_models_fire_at_two_units() -> None:
    b = face_off(gun(), shooters=2, more=[OTHERS], dice={"hit": [3, 3], "wound": [4, 4]})
    give(b, "shoot_with", "Reds")
    parts = [{"weapon": "gun", "target": t, "count": 1} for t in ("Blues", "Others")]
    refused_by(b, "shoot", [parts[0], {**parts[1], "count": 2}], "w40k10.shoot.split")
    give(b, "shoot", parts)
    assert alive(b, "Blues") == alive(b, "Others") == 0


@pytest.mark.rule("w40k10.shoot.split", check=3)
def test_the_attacks_of_one_weapon_are_not_divided() -> None:
    b = face_off(gun(a="4"), more=[OTHERS])
    give(b, "shoot_with", "Reds")
    parts = [{"weapon": "gun", "target": t, "count": 1} for t in ("Blues", "Others")]
    refused_by(b, "shoot", parts, "w40k10.shoot.split")


@pytest.mark.rule("w40k10.shoot.declare_profiles", check=2)
def test_only_one_profile_of_a_weapon_is_used() -> None:
    b = face_off([gun(name="low", of="plasma"), gun(name="high", of="plasma", s=8)])
    give(b, "shoot_with", "Reds")
    both = [{"weapon": "plasma", "target": "Blues", "mode": m, "count": 1} for m in ("low", "high")]
    refused_by(b, "shoot", both, "w40k10.shoot.declare_profiles")


def test_a_profile_that_does_not_reach_is_refused() -> None:
    b = face_off([gun(name="long", of="launcher"), gun(name="short", of="launcher", range_=6)])
    give(b, "shoot_with", "Reds")
    refused_by(b, "shoot", [{"weapon": "launcher", "target": "Blues", "mode": "short"}], "w40k10.shoot.select_targets")


# --- Making the attacks -----------------------------------------------------------------------------------------------


@pytest.mark.rule("w40k10.shoot.attack_count", check=1)
def test_a_weapon_makes_as_many_hit_rolls_as_attacks() -> None:
    assert rolls(duel(gun(a="3"), dice={"hit": [1, 1, 1]})) == [("hit", (1, 1, 1))]


@pytest.mark.rule("w40k10.shoot.attack_count", check=2)
@pytest.mark.rule("w40k10.datasheet.random_other", check=1)
def test_a_random_number_of_attacks_is_rolled_for_each_weapon() -> None:
    b = duel(gun(a="D6"), shooters=3, dice={"attacks": [1, 2, 4], "hit": [1] * 7})
    assert rolls(b)[0] == ("attacks", (1, 2, 4))
    assert last(b)["attacks"] == 7


@pytest.mark.rule("w40k10.shoot.target_order", check=1)
def test_the_second_target_waits_for_all_attacks_at_the_first() -> None:
    arms = [gun(name="one"), gun("devastating wounds", name="two"), gun(name="three")]
    b = face_off(arms, target(wounds=9), more=[OTHERS], dice={"hit": [3, 3, 3], "wound": [6, 4, 4]})
    give(b, "shoot_with", "Reds")
    aims = (("two", "Blues"), ("three", "Others"), ("one", "Blues"))
    give(b, "shoot", [{"weapon": w, "target": t} for w, t in aims])
    order = [
        e.kind + " " + " ".join(b.unit(u).name for u in e.units[1:])
        for e in b.events
        if getattr(e, "kind", "") in ("attack", "mortal-wounds")
    ]
    assert order == ["attack Blues", "attack Blues", "mortal-wounds Blues", "attack Others"]


@pytest.mark.rule("w40k10.shoot.profile_order", check=1)
def test_weapons_with_the_same_profile_are_resolved_back_to_back() -> None:
    """A bolter within half range and one beyond are rolled apart, but the plasma gun does not come between them."""
    bolter, plasma = gun("rapid fire 1", name="bolter"), gun(name="plasma", s=8)
    b = face_off([bolter, plasma], red_at=[(10, 8), (2, 8)], gap=11, dice={"hit": [1] * 5})
    give(b, "shoot_with", "Reds")
    parts = [("bolter", 1), ("plasma", 2), ("bolter", 1)]
    give(b, "shoot", [{"weapon": w, "target": "Blues", "count": n} for w, n in parts])
    names = [s.split(" x ")[1].split(" at ")[0] for s in stories(b) if " x " in s]
    assert names == ["bolter", "bolter", "plasma"]


@pytest.mark.rule("w40k10.shoot.committed", check=1)
def test_declared_attacks_are_made_though_nobody_is_visible_any_more() -> None:
    wall = feature("hill", (15, 9, 0.5, 10), 6, solid=True)
    arms = [gun(name="one"), gun(name="two", s=8)]
    b = face_off(
        arms,
        red_at=[(10, 8)],
        blue_at=[(21, 8), (21, 11)],
        terrain=[wall],
        dice={"hit": [3, 3], "wound": [4, 4], "save": [1]},
    )
    give(b, "shoot_with", "Reds")
    give(b, "shoot", [{"weapon": w, "target": "Blues"} for w in ("one", "two")])
    give(b, "allocate", named(b, "Blues").models[0])
    assert alive(b, "Blues") == 0


@pytest.mark.rule("w40k10.shoot.committed", check=2)
def test_attacks_at_a_destroyed_unit_are_lost() -> None:
    b = face_off([gun(name="one"), gun(name="two")], more=[OTHERS], dice={"hit": [3], "wound": [4]})
    give(b, "shoot_with", "Reds")
    give(b, "shoot", [{"weapon": w, "target": "Blues"} for w in ("one", "two")])
    assert len(outcomes(b)) == 1 and alive(b, "Others") == 1


BOMB = target(name="Bomb", abilities=["deadly demise 1"])
"""What goes off when it is destroyed."""


def explosion(reds: int, at: tuple[float, float], **more: object) -> Battle10:
    """Reds fire one weapon at a Bomb, which goes off, and another one at what stands there."""
    arms = [gun(name="one"), gun("lethal hits", name="two")]
    others = unit("Others", "blue", target(name="Other"), [at])
    dice = {"hit": [3, 3], "wound": [4, 4], "deadly demise": [6]}
    b = face_off(arms, BOMB, red=sheet(*arms, name="Red", wounds=reds), more=[others], dice=dice, **more)  # type: ignore[arg-type]
    give(b, "shoot_with", "Reds")
    give(b, "shoot", [{"weapon": "one", "target": "Blues"}, {"weapon": "two", "target": "Others"}])
    return b


@pytest.mark.rule("w40k10.shoot.committed", check=1)
@pytest.mark.parametrize(("reds", "attacks"), [(2, 2), (1, 1)])
def test_who_goes_down_with_the_first_target_makes_no_attacks_at_the_second(reds: int, attacks: int) -> None:
    b = explosion(reds, (20, 20), gap=4)
    assert len(outcomes(b)) == attacks and alive(b, "Reds") == reds - 1
    assert alive(b, "Others") == 2 - attacks


@pytest.mark.rule("w40k10.unit.destroyed", check=1)
@pytest.mark.parametrize(("reds", "attacks"), [(2, 2), (1, 1)])
def test_who_goes_down_with_the_first_model_makes_no_attacks_with_the_second_weapon(reds: int, attacks: int) -> None:
    arms = [gun(name="one"), gun(name="two")]
    dice = {"hit": [3, 3], "wound": [4, 1], "deadly demise": [6]}
    red = sheet(*arms, name="Red", wounds=reds)
    b = duel(arms, {**BOMB, "wounds": 2}, red=red, targets=2, wounds={1: 1}, gap=4, dice=dice)
    give(b, "order_units", ["Reds", "Blues"])
    assert len(outcomes(b)) == attacks and alive(b, "Reds") == reds - 1
    assert wounds(b, "Blues") == [1] and offered(b, "shoot_with") == ["Spares"]


@pytest.mark.rule("w40k10.unit.destroyed", check=1)
def test_of_a_unit_those_who_are_left_make_their_attacks_with_the_second_weapon() -> None:
    arms = [gun(name="one"), gun(name="two")]
    others = unit("Others", "blue", target(name="Other", wounds=9), [(20, 20)])
    dice = {"hit": [3, 1, 1, 3, 3], "wound": [4, 1, 1], "deadly demise": [6]}
    red = sheet(*arms, name="Red", wounds=1)
    b = face_off(arms, BOMB, red=red, shooters=3, gap=4, more=[others], dice=dice)
    give(b, "shoot_with", "Reds")
    give(b, "shoot", [{"weapon": "one", "target": "Blues"}, {"weapon": "two", "target": "Others"}])
    assert [o["attacks"] for o in outcomes(b)] == [3, 2] and alive(b, "Reds") == 2


@pytest.mark.rule("w40k10.shoot.committed", check=2)
def test_nothing_is_asked_about_attacks_at_or_of_a_unit_that_went_down_with_another() -> None:
    """Whether Lethal Hits are used is asked when the attacks of the weapon are to be made."""
    lethal = {"lethal": "optional", "windows": "all"}
    assert kinds(explosion(2, (21, 20), options=lethal)) == ["lethal_hits"]
    b = explosion(2, (21, 10), options=lethal)
    assert alive(b, "Others") == 0 and len(outcomes(b)) == 1 and kinds(b) == ["shoot_with"]
    b = explosion(1, (20, 20), gap=4, options=lethal)
    assert alive(b, "Reds") == 0 and len(outcomes(b)) == 1 and kinds(b) == ["shoot_with"]


@pytest.mark.rule("w40k10.datasheet.weapon_profile", check=1)
@pytest.mark.rule("w40k10.datasheet.weapon_profile", check=3)
def test_a_melee_weapon_does_not_shoot_and_each_weapon_has_its_own_skill() -> None:
    arms = [gun(name="keen", bs=2), gun(name="wild", bs=5), blade(name="sword")]
    b = face_off(arms, dice={"hit": [2, 4], "wound": [1]})
    give(b, "shoot_with", "Reds")
    assert "sword" not in offered(b, "shoot")
    give(b, "shoot", [{"weapon": w, "target": "Blues"} for w in ("keen", "wild")])
    assert [o["hits"] for o in outcomes(b)] == [1, 0]


# --- Lone Operative and Stealth ---------------------------------------------------------------------------------------

LONER = target(name="Loner", abilities=["lone operative"])


@pytest.mark.rule("w40k10.ability.lone_operative", check=1)
def test_a_lone_operative_is_targeted_from_within_12_inches() -> None:
    assert can_target(face_off(gun(), LONER, gap=12, more=[OTHERS]), "Reds", "Blues")
    b = face_off(gun(), LONER, gap=12.1, more=[OTHERS])
    assert not can_target(b, "Reds", "Blues")
    refused_by(b, "shoot", [{"weapon": "gun", "target": "Blues"}], "w40k10.ability.lone_operative")


@pytest.mark.rule("w40k10.ability.lone_operative", check=2)
def test_the_12_inches_are_tested_for_each_shooter() -> None:
    b = face_off(gun(), LONER, red_at=[(10, 8), (8.5, 8)], gap=12)
    give(b, "shoot_with", "Reds")
    assert [r.count for r in asked(b, "shoot").rows if named(b, "Blues").id in r.targets] == [1]  # type: ignore[attr-defined]


@pytest.mark.rule("w40k10.ability.lone_operative", check=3)
def test_an_attached_lone_operative_is_no_longer_alone() -> None:
    hero = {**HERO, "abilities": ["leader", "lone operative"], "leads": ["Loner"]}
    b = face_off(gun(), LONER, gap=20, more=[unit("Hero", "blue", hero, [(31, 9.5)], leads="Blues")])
    assert can_target(b, "Reds", "Blues")


@pytest.mark.rule("w40k10.ability.lone_operative", check=4)
def test_indirect_fire_is_bound_by_it_too() -> None:
    assert not can_target(face_off(gun("indirect fire"), LONER, gap=13, more=[OTHERS]), "Reds", "Blues")


@pytest.mark.rule("w40k10.ability.lone_operative", check=5)
def test_it_does_not_restrict_charges_and_melee() -> None:
    """The second of the Reds is more than 12 inches away: too far to shoot, but a charge takes the unit along."""
    b = face_off(gun(), LONER, red_at=[(10, 8), (8.5, 8)], gap=11, more=[OTHERS], dice={"charge": [1, 1]})
    give(b, "shoot_with", "Reds")
    assert [r.count for r in asked(b, "shoot").rows if named(b, "Blues").id in r.targets] == [1]  # type: ignore[attr-defined]
    give(b, "shoot", [])
    give(b, "shoot_with", "pass")
    give(b, "charge_with", "Reds")
    assert offered(b, "charge_targets") == ["Blues", "Others"]
    assert offered(melee(blade(), LONER), "strike") == ["Blues", "blade"]


@pytest.mark.rule("w40k10.ability.lone_operative", check=1)
def test_only_units_of_lone_operatives_hide_and_one_of_them_within_12_inches_is_enough() -> None:
    assert can_target(face_off(gun(), gap=13), "Reds", "Blues"), "nobody else is hard to target"
    far = unit("Pair", "blue", LONER, [(24.1, 8), (24.1, 9.5)])
    assert not can_target(face_off(gun(), gap=20, more=[far]), "Reds", "Pair")
    spread = unit("Pair", "blue", LONER, [(23, 8), (24.5, 8)])
    assert can_target(face_off(gun(), gap=20, more=[spread]), "Reds", "Pair"), "the nearer one is 12 inches away"


@pytest.mark.rule("w40k10.ability.lone_operative", check=1)
def test_a_unit_with_one_model_that_is_no_lone_operative_does_not_hide() -> None:
    squad = [at("captain", 30, leads="Intercessor Squad"), at("lieutenant", 32, leads="Intercessor Squad")]
    alone = {"kind": "grant", "ability": "lone operative", "who": "model"}
    b = clash([at("immortals", 10)], [at("intercessor-squad", 28), *squad], bare=True, gain=[("Captain", alone)])
    intercessors = called(b, "Intercessor Squad")
    lieutenant = intercessors.leader[1]
    b.place_models([m for m in intercessors.models if m not in intercessors.leader], GONE)
    assert why_not_at(b, called(b, "Immortals"), intercessors), "two Leaders are left, of whom one hides"
    b.place_models([lieutenant], GONE)
    assert cites(why_not_at(b, called(b, "Immortals"), intercessors)) == {"w40k10.ability.lone_operative"}


HIDDEN = target(name="Hidden", abilities=["stealth"])


@pytest.mark.rule("w40k10.ability.stealth", check=1)
def test_ranged_attacks_at_stealth_have_minus_1_to_hit() -> None:
    b = duel(gun(a="2"), HIDDEN, dice={"hit": [3, 4], "wound": [1]})
    assert last(b)["hits"] == 1
    steady = duel(gun("heavy", a="2"), HIDDEN, flags={"moved": "stationary"}, dice={"hit": [2, 3], "wound": [1]})
    assert last(steady)["hits"] == 1, "Heavy and Stealth cancel out"
    plain = duel(gun(a="2"), dice={"hit": [2, 3], "wound": [1]})
    assert last(plain)["hits"] == 1, "nobody else is harder or easier to hit"


@pytest.mark.rule("w40k10.ability.stealth", check=1)
def test_smoke_gives_stealth_to_who_has_none() -> None:
    smoke = target(keywords=["INFANTRY", "SMOKE"])
    b = face_off(gun(a="2"), smoke, dice={"hit": [3, 4], "wound": [1]}, cp=(0, 1), options={"windows": "all"})
    shoot(b)
    give(b, "react.targets_selected", "Smokescreen: Blues")
    assert last(b)["hits"] == 1


@pytest.mark.rule("w40k10.ability.stealth", check=3)
def test_stealth_is_of_no_use_in_melee() -> None:
    b = strike(melee(blade(), HIDDEN, dice={"hit": [3], "wound": [1]}), ("blade", "Blues", 1))
    assert last(b)["hits"] == 1
    assert last(duel(gun(), HIDDEN, dice={"hit": [3]}))["hits"] == 0


@pytest.mark.rule("w40k10.ability.stealth", check=2)
def test_one_model_without_stealth_switches_it_off() -> None:
    hero = {**HERO, "leads": ["Hidden"]}
    b = duel(
        gun(), HIDDEN, more=[unit("Hero", "blue", hero, [(21, 9.5)], leads="Blues")], dice={"hit": [3], "wound": [1]}
    )
    assert last(b)["hits"] == 1


# --- Defaults, ideas, odds --------------------------------------------------------------------------------------------


def test_the_default_is_the_next_unit_and_everything_at_what_loses_most() -> None:
    soft = unit("Soft", "blue", target(name="Softy", toughness=2, wounds=3), column(3, 21, 14))
    b = face_off(gun(a="3"), target(save=2, toughness=8), more=[soft])
    assert b.default(asked(b, "shoot_with")) == named(b, "Reds").id
    give(b, "shoot_with", "Reds")
    (assignment,) = b.default(asked(b, "shoot"))
    assert assignment.target == named(b, "Soft").id


def test_the_default_uses_the_safe_profile() -> None:
    b = face_off([gun("hazardous", name="hot", of="plasma", s=8), gun(name="cool", of="plasma")])
    give(b, "shoot_with", "Reds")
    assert b.default(asked(b, "shoot"))[0].mode == "cool"


def test_odds_of_shooting_are_the_chance_to_destroy_a_target() -> None:
    from sandtable.battle import questions

    b = face_off(gun("torrent", s=8), target(toughness=4))
    give(b, "shoot_with", "Reds")
    d = asked(b, "shoot")
    chance = questions.odds(b, d, b.default(d))
    assert chance is not None and 0.75 < chance < 0.9, "a 2+ to wound, and nothing saves"
    assert questions.odds(b, d, b.default(d)) == chance, "asking twice changes nothing"
    assert questions.odds(b, d, ()) == 0


def test_of_equal_guns_the_nearest_fire() -> None:
    b = face_off(gun("rapid fire 1"), red_at=[(2, 8), (10, 8)], gap=11, more=[OTHERS], dice={"hit": [1, 1, 1]})
    give(b, "shoot_with", "Reds")
    parts = [{"weapon": "gun", "target": t, "count": 1} for t in ("Blues", "Others")]
    give(b, "shoot", parts)
    assert outcomes(b)[0]["attacks"] == 2
