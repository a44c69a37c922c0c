"""Whatever changes a roll is cited: abilities by their names, rules by their ids; and nothing that did not count."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.battle import GONE, Effect
from sandtable.battle.events import Rolled, Told
from sandtable.systems.w40k10.hit_and_wound import HIT_MODIFIER, WOUND_MODIFIER
from sandtable.systems.w40k10.state import Battle10
from w40k10.arms import duel, face_off, gun, last, shoot, target
from w40k10.powers import at, bodies, called, clash, volleys
from w40k10.table import HERO, TROOPER, default, feature, give, row, situation, unit, wall
from w40k10.test_moments_attacks import settle

COVER = "w40k10.terrain.cover"
GOOD_ARMOUR = "w40k10.terrain.cover_good_armour"
PLUNGING = "w40k10.terrain.ruins_plunging_fire"
AROUND = feature("ruins", (18, 5, 8, 8))
"""Ruins around the Blues of a duel."""
TOWER = feature("ruins", (6, 5, 8, 8), 9)
LIMITS = "w40k10.attack.save_limits"
HIT = {"hit": [6, 6], "wound": [6, 6], "save": [6, 6]}


def behind(b: Battle10, reason: str) -> set[str]:
    """What is cited for the rolls of a kind."""
    return {r for e in b.events if isinstance(e, Rolled) and e.reason == reason for r in e.rules}


# --- Hit rolls --------------------------------------------------------------------------------------------------------


def test_who_fires_overwatch_better_than_others_says_why() -> None:
    b = clash([at("boyz", 10)], [at("canoptek-doomstalker", 24)])
    (found, *_) = volleys(b, "Canoptek Doomstalker", "Boyz", "doomsday blaster")
    assert "Sentinel Construct" not in found.hit.cites, "only Overwatch is changed"
    (found, *_) = volleys(b, "Canoptek Doomstalker", "Boyz", "doomsday blaster", overwatch=True)
    assert {"w40k10.strat.fire_overwatch", "Sentinel Construct"} <= set(found.hit.cites)


def test_stealth_names_the_ability_or_the_stratagem_that_gives_it() -> None:
    casket = [at("immortals", 20), at("overlord", 21.6, leads="Immortals", enhancement="Nether-realm Casket")]
    b = clash([at("intercessor-squad", 10)], casket)
    (found,) = volleys(b, "Intercessor Squad", "Immortals", "bolt rifle")
    assert {"w40k10.ability.stealth", "Nether-realm Casket"} <= set(found.hit.cites)
    smoke = {**target(), "keywords": ["INFANTRY", "SMOKE"]}
    b = face_off(gun(a="2"), smoke, targets=2, dice=HIT, cp=(0, 1), options={"windows": "all"})
    shoot(b)
    give(b, "react.targets_selected", "Smokescreen: Blues")
    assert {"w40k10.ability.stealth", "w40k10.strat.smokescreen"} <= behind(b, "hit")
    own = duel(gun(a="2"), target(abilities=["stealth"]), targets=2, dice=HIT)
    assert "w40k10.ability.stealth" in behind(own, "hit")
    assert "w40k10.strat.smokescreen" not in behind(own, "hit")


@pytest.mark.parametrize(
    ("values", "bites"), [((-1, -1), True), ((1, 1, 1), True), ((-1,), False), ((1, -1, -1), False)]
)
@pytest.mark.parametrize(("roll", "kind"), [("hit", HIT_MODIFIER), ("wound", WOUND_MODIFIER)])
def test_what_limits_modifiers_is_cited_where_it_does(
    roll: str, kind: str, values: tuple[int, ...], bites: bool
) -> None:
    b = face_off(gun(), dice=HIT)
    for value in values:
        b.add_effect(Effect(kind, called(b, "Reds").id, value, until="turn"))
    shoot(b)
    assert (f"w40k10.attack.{roll}_modifier_cap" in behind(b, roll)) is bites


# --- How many attacks, wounds and damage ------------------------------------------------------------------------------


def test_what_makes_more_attacks_and_more_damage_is_cited() -> None:
    near = duel(gun("rapid fire 1", "melta 2"), target(save=4), targets=2, gap=6, dice=HIT)
    far = duel(gun("rapid fire 1", "melta 2"), target(save=4), targets=2, gap=18, dice=HIT)
    told = [{r for e in b.events if isinstance(e, Told) and e.kind == "attack" for r in e.rules} for b in (near, far)]
    assert "w40k10.weapon.rapid_fire" in told[0] and "w40k10.weapon.rapid_fire" not in told[1]
    found = clash([at("eradicator-squad", 10)], [at("trukk", 16)])
    (volley,) = volleys(found, "Eradicator Squad", "Trukk", "melta rifle", half_range=True)
    assert "w40k10.weapon.melta" in volley.kinds[0].cites
    (volley,) = volleys(found, "Eradicator Squad", "Trukk", "melta rifle")
    assert "w40k10.weapon.melta" not in volley.kinds[0].cites


def test_blast_is_cited_where_it_adds_attacks() -> None:
    five = duel(gun("blast", a="D3"), target(save=4), targets=5, dice={"attacks": [1], "any": [1] * 9})
    four = duel(gun("blast", a="D3"), target(save=4), targets=4, dice={"attacks": [1], "any": [1] * 9})
    assert "w40k10.weapon.blast_attacks" in behind(five, "attacks")
    assert "w40k10.weapon.blast_attacks" not in behind(four, "attacks")


def test_a_changed_toughness_is_cited_for_wound_rolls() -> None:
    gain = [("Trukk", {"kind": "characteristic", "name": "T", "add": 1})]
    b = clash([at("intercessor-squad", 10)], [at("trukk", 20)], gain=gain)
    (found,) = volleys(b, "Intercessor Squad", "Trukk", "bolt rifle")
    assert "gained 0" in found.wound.cites
    plain = clash([at("intercessor-squad", 10)], [at("trukk", 20)])
    (found,) = volleys(plain, "Intercessor Squad", "Trukk", "bolt rifle")
    assert not [c for c in found.wound.cites if not c.startswith("w40k10.")]


# --- Saves ------------------------------------------------------------------------------------------------------------


def test_cover_is_cited_where_it_counts_and_not_for_weapons_that_ignore_it() -> None:
    plain = duel(gun(a="2"), target(save=4), targets=2, terrain=[AROUND], dice=HIT)
    assert {COVER, "w40k10.terrain.ruins_cover"} <= behind(plain, "save")
    ignored = duel(gun("ignores cover", a="2"), target(save=4), targets=2, terrain=[AROUND], dice=HIT)
    assert not {COVER, "w40k10.terrain.ruins_cover", GOOD_ARMOUR} & behind(ignored, "save")
    assert "w40k10.weapon.ignores_cover" in behind(ignored, "save")
    bare = duel(gun("ignores cover", a="2"), target(save=4), targets=2, dice=HIT)
    assert "w40k10.weapon.ignores_cover" not in behind(bare, "save"), "there was no cover to ignore"


@pytest.mark.parametrize(
    ("gains", "weapon", "needed", "bites"),
    [
        ([1, 1], "bolt pistol", 4, True),
        ([1], "bolt pistol", 4, False),
        ([1, 1], "bolt rifle", 4, False),  # with its AP of -1 they come to no more than +1
        ([1, 1, 1], "bolt rifle", 4, True),
        ([-1, -1], "bolt pistol", 7, False),
    ],
)
def test_what_limits_a_save_is_cited_where_it_does(gains: list[int], weapon: str, needed: int, bites: bool) -> None:
    gain = [("Boyz", {"kind": "modify", "roll": "save", "value": n, "attacks": "suffered"}) for n in gains]
    b = clash([at("intercessor-squad", 10)], [at("boyz", 20)], bare=True, gain=gain)
    found = bodies(b, "Intercessor Squad", "Boyz", weapon)
    assert found.bodies[0].saves == (needed,)
    assert (LIMITS in found.cites, str(found.bodies[0].save_why[0][-1]).endswith("at best")) == (bites, bites)


@pytest.mark.rule("w40k10.attack.save_limits", check=2)
@pytest.mark.parametrize(("number", "bites"), [(1, False), (2, True)])
def test_an_invulnerable_save_is_improved_by_1_at_most(number: int, bites: bool) -> None:
    gain: list[Any] = [("Boyz", {"kind": "modify", "roll": "save", "value": 1, "attacks": "suffered"})] * number
    gain.append(("Boyz", {"kind": "invulnerable", "value": 4}))
    b = clash([at("intercessor-squad", 10)], [at("boyz", 20)], bare=True, gain=gain)
    found = bodies(b, "Intercessor Squad", "Boyz", "bolt rifle")
    assert (found.bodies[0].saves, LIMITS in found.cites) == ((3,), bites)


@pytest.mark.parametrize("bites", [False, True])
def test_the_limit_of_a_save_is_cited_by_its_roll_and_by_the_attack(bites: bool) -> None:
    effects = [{"kind": "modify", "roll": "save", "value": 1 + bites}]
    shields = [{"name": "Shields", "unit": "Blues", "effects": effects}]
    b = duel(gun(), target(save=4), abilities=shields, dice={"hit": [6], "wound": [6], "save": [3]})
    told = {r for e in b.events if isinstance(e, Told) and e.kind == "attack" for r in e.rules}
    assert (LIMITS in behind(b, "save"), LIMITS in told, last(b)["unsaved"]) == (bites, bites, 0)


def test_each_weapon_cites_cover_for_itself() -> None:
    guns = [gun(a="1"), gun("ignores cover", name="flamer", a="1")]
    b = duel(guns, target(save=4, wounds=5), targets=1, terrain=[AROUND], dice=HIT)
    first, second = [set(e.rules) for e in b.events if isinstance(e, Rolled) and e.reason == "save"]
    assert COVER in first and COVER not in second
    assert "w40k10.weapon.ignores_cover" in second and "w40k10.weapon.ignores_cover" not in first


def test_good_armour_is_cited_where_it_gets_nothing_from_cover() -> None:
    b = duel(gun(a="2"), target(save=3), targets=2, terrain=[AROUND], dice=HIT)
    assert GOOD_ARMOUR in behind(b, "save") and COVER not in behind(b, "save")
    b = duel(gun(a="2", ap=-1), target(save=3), targets=2, terrain=[AROUND], dice=HIT)
    assert COVER in behind(b, "save") and GOOD_ARMOUR not in behind(b, "save")


def test_cover_is_not_cited_where_an_invulnerable_save_is_better_anyway() -> None:
    b = duel(gun(a="2", ap=-3), target(save=4, invulnerable=4), targets=2, terrain=[AROUND], dice=HIT)
    assert COVER not in behind(b, "save")


def test_indirect_fire_cites_the_cover_that_it_gives() -> None:
    screen = feature("crater", (15, 0, 1, 30), walls=[wall((15.5, 0), (15.5, 30), 9)])
    b = duel(gun("indirect fire", a="2"), target(save=4), targets=2, terrain=[screen], dice=HIT)
    assert {COVER, "w40k10.weapon.indirect_penalty"} <= behind(b, "save")


def test_plunging_fire_is_cited_for_saves() -> None:
    high = duel(gun(a="2"), target(save=4), targets=2, terrain=[TOWER], red_at=[(10, 8, 6)], dice=HIT)
    assert PLUNGING in behind(high, "save")
    low = duel(gun(a="2"), target(save=4), targets=2, terrain=[TOWER], red_at=[(10, 2, 0)], dice=HIT)
    assert PLUNGING not in behind(low, "save")


def test_the_ability_that_takes_cover_away_is_cited() -> None:
    gain = [("Boyz", {"kind": "forbid", "what": "cover"}), ("Boyz", {"kind": "grant", "ability": "benefit of cover"})]
    b = clash([at("intercessor-squad", 10)], [at("boyz", 20)], gain=gain)
    assert "gained 0" in bodies(b, "Intercessor Squad", "Boyz", "bolt rifle").cites
    assert COVER not in bodies(b, "Intercessor Squad", "Boyz", "bolt rifle").cites
    nothing = clash([at("intercessor-squad", 10)], [at("boyz", 20)], gain=gain[:1])
    assert "gained 0" not in bodies(nothing, "Intercessor Squad", "Boyz", "bolt rifle").cites


def test_go_to_ground_is_cited_for_the_save_that_it_gives() -> None:
    b = face_off(gun(a="2", ap=-3), target(save=6), targets=2, dice=HIT, cp=(0, 1), options={"windows": "all"})
    shoot(b)
    give(b, "react.targets_selected", "Go to Ground: Blues")
    settle(b, "shoot_with")
    assert {"w40k10.strat.go_to_ground", "w40k10.attack.invulnerable"} <= behind(b, "save")
    good = face_off(gun(a="2"), target(save=3), targets=2, dice=HIT, cp=(0, 1), options={"windows": "all"})
    shoot(good)
    give(good, "react.targets_selected", "Go to Ground: Blues")
    settle(good, "shoot_with")
    assert "w40k10.strat.go_to_ground" not in behind(good, "save"), "armour is better, and cover adds nothing"


# --- Other rolls ------------------------------------------------------------------------------------------------------


def test_feel_no_pain_of_an_ability_is_cited_for_mortal_wounds() -> None:
    b = clash(
        [at("immortals", 10), at("technomancer", 12, leads="Immortals")],
        [at("plasmancer", 20)],
        step="shooting_phase",
        active=1,
        dice={"Living Lightning": [6] * 4, "feel no pain": [1] * 9},
    )
    b.start()
    while b.decisions and b.decisions[0].kind == "allocate":
        default(b, "allocate")
    assert "Rites of Reanimation" in behind(b, "feel no pain")


def test_three_dice_for_battle_shock_and_a_changed_leadership_are_cited() -> None:
    gain = [("Termagants", {"kind": "characteristic", "name": "Ld", "add": -1})]
    b = clash(
        [at("termagants", 10), at("neurotyrant", 13)],
        [at("boyz", 40)],
        step="battle_shock",
        dice={"battle-shock": [6, 6, 6]},
        gain=gain,
    )
    for m in called(b, "Termagants").models[4:]:
        b.state.models.place[m] = GONE
    b.start()
    assert {"Synapse", "gained 0"} <= behind(b, "battle-shock")
    lone = clash([at("termagants", 10)], [at("boyz", 40)], step="battle_shock", dice={"battle-shock": [6, 6]})
    for m in called(lone, "Termagants").models[4:]:
        lone.state.models.place[m] = GONE
    lone.start()
    assert behind(lone, "battle-shock") == {"w40k10.command.battleshock_test"}


def test_the_ability_that_rolls_again_is_cited_for_the_second_roll() -> None:
    gain = [("Boyz", {"kind": "reroll", "roll": "advance"})]
    b = clash([at("boyz", 10)], [at("intercessor-squad", 40)], step="move_units", dice={"advance": [1, 5]}, gain=gain)
    b.start()
    give(b, "move_with", "Boyz")
    give(b, "move", {"mode": "advance"})
    give(b, "reroll_roll", True)
    first, second = [set(e.rules) for e in b.events if isinstance(e, Rolled) and e.reason == "advance"]
    assert "gained 0" not in first and "gained 0" in second


def test_what_changes_a_reanimation_roll_is_cited() -> None:
    gain = [("Immortals", {"kind": "modify", "roll": "reanimation", "value": 1})]
    b = clash([at("immortals", 10)], [at("boyz", 40)], step="end_phase", dice={"reanimation": [1]}, gain=gain)
    b.state.game.phase = "command"
    for m in called(b, "Immortals").models[-2:]:
        b.state.models.place[m] = GONE
    b.start()
    assert "gained 0" in behind(b, "reanimation")


# --- Units that fall without an attack --------------------------------------------------------------------------------


def parts(b: Battle10) -> list[str]:
    """The parts of units whose end was told."""
    return [e.data["part"] for e in b.events if isinstance(e, Told) and e.kind == "unit_destroyed"]


def test_a_leader_lost_as_a_straggler_is_told_as_destroyed() -> None:
    b = situation(
        [
            unit("Reds", "red", TROOPER, row(3, (5, 10))),
            unit("Hero", "red", HERO, [(25, 10)], leads="Reds"),
            unit("Blues", "blue", TROOPER, [(40, 25)]),
        ],
        step="remove_stragglers",
    )
    default(b, "stragglers")
    assert parts(b) == ["leader"]
    kept = situation(
        [
            unit("Reds", "red", TROOPER, row(3, (5, 10))),
            unit("Hero", "red", HERO, [(25, 10)], leads="Reds"),
            unit("Blues", "blue", TROOPER, [(40, 25)]),
        ],
        step="remove_stragglers",
    )
    give(kept, "stragglers", [0, 1, 2])
    assert parts(kept) == ["bodyguard"]
    some = situation(
        [unit("Reds", "red", TROOPER, [*row(5, (5, 10)), (25, 10)]), unit("Blues", "blue", TROOPER, [(40, 25)])],
        step="remove_stragglers",
    )
    default(some, "stragglers")
    assert parts(some) == [], "the unit goes on"
