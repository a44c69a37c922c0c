"""Abilities of the Orks as our corrections tell them, in the cases that print sets apart."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from sandtable.armies.kdc.corrections import corrections
from sandtable.armies.kdc.factions import faction_file
from sandtable.armies.lists import ArmyList
from sandtable.armies.packs import open_pack
from sandtable.battle import GONE
from sandtable.battle.scenario import UnitDoc
from sandtable.forty.effects.limits import pieces
from sandtable.forty.effects.occasions import Occasion, describe
from sandtable.forty.effects.other_rolls import added
from sandtable.forty.effects.targets import uses_at
from sandtable.forty.effects.weapons import all_armed, changes_to_weapons
from sandtable.forty.mustering import check_warlord
from sandtable.systems.w40k11.battle_shock import best_leadership
from sandtable.systems.w40k11.scouts import scout_distance
from sandtable.systems.w40k11.state import Battle11
from sandtable.table.grid import steps
from w40k11.arms import blade, face_off, gun, last, melee, shoot, strike, target
from w40k11.table import (
    FOE,
    HERO,
    TARGET,
    TROOPER,
    Doc,
    alive,
    cards,
    cites,
    give,
    judge,
    named,
    places,
    play,
    rolls,
    sheet,
    situation,
    unit,
    wounds,
)

OURS = corrections("orks").file
BIG = target(name="Big", wounds=20, keywords=["MONSTER"])
TITAN = target(name="Titan", wounds=20, keywords=["VEHICLE", "TITANIC"])
FLYER = target(name="Flyer", wounds=20, keywords=["VEHICLE", "FLY"])


def ours(ability: str, whose: str, **more: Any) -> Doc:
    """An ability of the Orks for a unit of a situation, with the effects that our corrections have for it."""
    effects = msgspec.to_builtins(OURS.abilities[ability].effects)
    return {"unit": whose, "name": ability, "effects": list(effects), **more}


def missing(sheet_: str, ability: str, whose: str) -> Doc:
    """The same of one that the dataset lacks."""
    effects = msgspec.to_builtins(OURS.missing[sheet_][ability].effects)
    return {"unit": whose, "name": ability, "effects": list(effects)}


# --- Shooting ---------------------------------------------------------------------------------------------------------


def gunners(weapon: str) -> Battle11:
    """Guards and a Mek who leads them have shot: one weapon has hit, the other has not."""
    mek = {**HERO, "name": "Mek", "weapons": [gun(name="shokk", range=48)]}
    others = [unit("Guard", "red", sheet(gun(name="rifle"), name="Trooper"), [(10, 10)]),
              unit("Mek", "red", mek, [(10, 11.5)], leads="Guard")]  # fmt: skip
    b = situation(
        [*others, unit("Blues", "blue", target(wounds=9), [(21, 10)]), unit("More", "blue", TARGET, [(21, 14)]),
         unit("Spares", "red", sheet(gun(), name="Spare"), [(2, 28)])],
        step="shoot_units",
        abilities=[ours("deranged-snotling-assault", "Guard", models=[2])],
        dice={"hit": [6, 1] if weapon == "rifle" else [1, 6], "wound": [1], "battle-shock": [6, 6]},
    )  # fmt: skip
    give(b, "shoot_with", "Guard")
    give(b, "shoot", [{"weapon": name, "target": "Blues"} for name in ("rifle", "shokk")])
    return b


@pytest.mark.parametrize(("weapon", "tests"), [("rifle", 0), ("shokk", 1)])
def test_only_whom_the_bearer_hit_itself_takes_the_test(weapon: str, tests: int) -> None:
    assert [kind for kind, _ in rolls(gunners(weapon))].count("battle-shock") == tests


@pytest.mark.parametrize(
    ("face", "strength", "attacks", "lost"), [(2, 4, "1", 1), (3, 5, "1", 0), (4, 5, "1", 0), (5, 4, "2", 0)]
)
def test_one_die_gives_wounds_or_strength_or_attacks(face: int, strength: int, attacks: str, lost: int) -> None:
    kans = sheet(gun(strength=4), name="Kan", wounds=3)
    dice = {"shooty-power-trip": [face, 1], "hit": [6] * int(attacks), "wound": [9 - strength] * int(attacks)}
    b = face_off([], target(wounds=9, toughness=8 if strength == 4 else 5), red=kans, dice=dice,
                 abilities=[ours("shooty-power-trip", "Reds")])  # fmt: skip
    give(b, "shoot_with", "Reds")
    play(b, "Ability: shooty-power-trip")
    assert wounds(b, "Reds") == [3 - lost]
    give(b, "shoot", [{"weapon": "gun", "target": "Blues"}])
    assert last(b)["attacks"] == int(attacks)
    assert last(b)["wounds"] == (1 if strength == 5 else 0)


@pytest.mark.parametrize(
    ("ability", "victim", "again"),
    [
        ("splat", TARGET, True), ("splat", BIG, False), ("blastajet-attack-run", BIG, True),
        ("blastajet-attack-run", FLYER, False), ("monster-hunters", BIG, True), ("monster-hunters", TARGET, False),
    ],
)  # fmt: skip
def test_ones_are_rolled_again_against_those_who_are_meant(ability: str, victim: Doc, again: bool) -> None:
    b = face_off(gun(), victim, dice={"hit": [1, 6], "wound": [1]}, abilities=[ours(ability, "Reds")])
    assert last(shoot(b))["hits"] == (1 if again else 0)


def test_a_unit_that_has_lost_somebody_is_not_at_its_starting_strength() -> None:
    b = face_off(gun(), targets=2, dice={"hit": [1, 6], "wound": [1]}, abilities=[ours("splat", "Reds")])
    b.place_models(named(b, "Blues").models[:1], GONE)
    assert last(shoot(b))["hits"] == 0


@pytest.mark.parametrize(("gap", "saves"), [(9, 0), (9.1, 1)])
def test_guns_are_better_in_ap_against_who_is_within_9_inches(gap: float, saves: int) -> None:
    b = face_off(gun(), target(save=4), gap=gap, dice={"hit": [6], "wound": [6], "save": [4]},
                 abilities=[ours("drive-by-dakka", "Reds")])  # fmt: skip
    assert alive(shoot(b), "Blues") == saves


@pytest.mark.parametrize(("face", "left"), [(4, 1), (3, 0)])
def test_attacks_on_who_is_rugged_are_worse_in_ap(face: int, left: int) -> None:
    b = face_off(gun(ap=-1), target(save=4), dice={"hit": [6], "wound": [6], "save": [face]},
                 abilities=[ours("ramshackle-but-rugged", "Blues")])  # fmt: skip
    assert alive(shoot(b), "Blues") == left


@pytest.mark.parametrize(("ability", "hits"), [(True, 2), (False, 1)])
def test_every_hit_of_a_storm_of_dakka_is_critical(ability: bool, hits: int) -> None:
    storm = [missing("dakkajet", "Dakkastorm", "Reds")] if ability else []
    b = face_off(gun("sustained hits 1"), dice={"hit": [3], "wound": [1, 1]}, abilities=storm)
    assert last(shoot(b))["hits"] == hits


@pytest.mark.parametrize(("melee_", "left"), [(False, 1), (True, 0)])
def test_a_save_that_is_better_against_ranged_attacks_is_not_in_melee(melee_: bool, left: int) -> None:
    tough, dice = target(save=5), {"hit": [6], "wound": [6], "save": [4]}
    skulls = [ours("red-skull-kommandos", "Blues")]
    if melee_:
        b = strike(melee(blade(), tough, dice=dice, abilities=skulls), ("blade", "Blues", 1))
    else:
        b = shoot(face_off(gun(), tough, dice=dice, abilities=skulls))
    assert alive(b, "Blues") == left


# --- Fighting ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("victim", "lost"), [(target(wounds=20), 1), (BIG, 2), (TITAN, 3)])
def test_the_bigger_they_are_the_more_they_lose(victim: Doc, lost: int) -> None:
    b = melee(blade(), victim, dice={"hit": [6], "wound": [6]}, abilities=[ours("da-bigger-dey-iz", "Reds")])
    assert wounds(strike(b, ("blade", "Blues", 1)), "Blues") == [20 - lost]


def test_a_choppa_leaves_weapons_with_extra_attacks_as_they_are() -> None:
    arms = [blade(), blade("extra attacks", name="squig")]
    b = melee(arms, abilities=[ours("headwoppas-killchoppa-war-horde", "Reds")])
    made = all_armed(b, named(b, "Reds").models[0], changes_to_weapons(b, named(b, "Reds")))
    assert {w.name: w.abilities for w in made} == {"blade": ("devastating wounds",), "squig": ("extra attacks",)}


@pytest.mark.parametrize(("keyword", "strength", "wound"), [("WARBOSS", 5, 0), ("WARBOSS", 4, 1), ("MEK", 5, 1)])
def test_who_follows_a_warboss_is_harder_to_wound_for_who_is_stronger(keyword: str, strength: int, wound: int) -> None:
    boss = {**HERO, "keywords": ["INFANTRY", "CHARACTER", keyword]}
    guard = [unit("Guard", "blue", {**TROOPER, "weapons": []}, [(21, 20)]),
             unit("Boss", "blue", boss, [(21, 21.5)], leads="Guard")]  # fmt: skip
    need = 3 if strength == 5 else 4
    b = face_off(gun(strength=strength), more=guard, dice={"hit": [6], "wound": [need], "save": [6]},
                 abilities=[ours("da-boss-ladz", "Guard")])  # fmt: skip
    assert last(shoot(b, at="Guard"))["wounds"] == wound


@pytest.mark.parametrize(("face", "lost"), [(1, 0), (2, 1), (5, 1), (6, 4)])
def test_pistons_hurt_one_enemy_after_a_charge(face: int, lost: int) -> None:
    b = situation(
        [
            unit("Dread", "red", sheet(blade(), name="Dread"), [(10, 10)]),
            unit("Blues", "blue", target(wounds=9), [(15, 10)]),
            unit("Others", "red", TROOPER, [(2, 2)]),
        ],
        step="charge_units",
        abilities=[ours("piston-driven-brutality", "Dread")],
        dice={"charge": [6, 6], "piston-driven-brutality": [face, 1]},
    )
    give(b, "charge_with", "Dread")
    give(b, "charge_move", {"mode": "charge", "to": [[14, 10]]})
    assert wounds(b, "Blues") == [9 - lost]


# --- Moving -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("rides", "slow", "far"), [(False, -2, 4), (True, -2, 6), (True, 2, 8)])
def test_a_wild_ride_ignores_what_makes_it_slower(rides: bool, slow: int, far: int) -> None:
    mud = {"unit": "Reds", "name": "Mud", "effects": [{"kind": "characteristic", "name": "M", "add": slow}]}
    b = situation(
        [unit("Reds", "red", TROOPER, [(10, 10)]), FOE],
        abilities=[mud, *([ours("wild-ride", "Reds")] if rides else [])],
    )
    give(b, "move_with", "Reds")
    give(b, "move", {"mode": "normal", "by": [far, 0]})
    assert places(b, "Reds") == [(10 + far, 10, 0)]


@pytest.mark.parametrize(("value", "more"), [(-2, 0), (1, 1)])
def test_it_ignores_what_makes_its_charges_shorter(value: int, more: int) -> None:
    fear = {"unit": "Reds", "name": "Fear", "effects": [{"kind": "modify", "roll": "charge", "value": value}]}
    b = situation([unit("Reds", "red", TROOPER, [(10, 10)]), FOE], abilities=[fear, ours("wild-ride", "Reds")])
    assert added(b, named(b, "Reds"), "charge")[0] == more


def flown(mode: str) -> Battle11:
    """Koptas have moved over the Blues."""
    kopta = sheet(gun(), name="Kopta", move=14, keywords=["VEHICLE", "FLY"])
    b = situation(
        [
            unit("Reds", "red", kopta, [(10, 10), (10, 11.5)]),
            unit("Blues", "blue", target(wounds=9), [(16, 10)]),
            unit("Others", "red", TROOPER, [(2, 2)]),
        ],
        abilities=[ours("deff-from-above", "Reds")],
        dice={"deff-from-above": [4, 3], "advance": [1]},
    )
    give(b, "move_with", "Reds")
    give(b, "skies", True)
    give(b, "move", {"mode": mode, **({"by": [12, 0]} if mode == "normal" else {})})
    return b


def test_who_flies_over_enemies_in_a_normal_move_rolls_a_die_for_each_model() -> None:
    b = flown("normal")
    play(b, "Ability: deff-from-above")
    assert (wounds(b, "Blues"), rolls(b)[-1]) == ([8], ("deff-from-above", (4, 3)))


def test_an_advance_over_them_does_nothing() -> None:
    b = flown("advance")
    give(b, "complete_move", {"mode": "advance", "by": [12, 0]})
    assert cards(b) == []


# --- Da Jump ----------------------------------------------------------------------------------------------------------


def jump(*dice: int, **more: Any) -> Battle11:
    """A Weirdboy's unit in the middle of the table has jumped at the end of its Movement phase, in the first round."""
    b = situation(
        [unit("Reds", "red", {**TROOPER, "wounds": 9}, [(20, 15)]), unit("Blues", "blue", TARGET, [(30, 15)])],
        round_=1,
        abilities=[ours("da-jump-psychic", "Reds", name="Da Jump (Psychic level 1)"), *more.get("abilities", ())],
        dice={"Da Jump (Psychic level 1)": list(dice), "feel no pain": [5]},
    )
    give(b, "move_with", "Reds")
    give(b, "move", {"mode": "stationary"})
    play(b, "Ability: Da Jump")
    return b


def test_who_jumps_comes_down_anywhere_but_near_enemies() -> None:
    b = jump(2)
    near, far = (judge(b, "arrive", [[x, 18]]) for x in (21.6, 20))
    assert (cites(near), bool(far)) == ({"w40k11.reserves.ingress"}, True)
    give(b, "arrive", [[20, 18]])
    assert places(b, "Reds") == [(20, 18, 0)]


def test_a_jump_that_fails_costs_wounds_of_a_psychic_attack() -> None:
    ward = {"kind": "feel_no_pain", "value": 5, "against": "psychic"}
    b = jump(1, 1, abilities=[{"unit": "Reds", "name": "Ward", "effects": [ward]}])
    assert (places(b, "Reds"), wounds(b, "Reds")) == ([(20, 15, 0)], [9])


# --- Command ----------------------------------------------------------------------------------------------------------


def mob(*abilities: str) -> Battle11:
    """Troopers and a hero who leads them and bears abilities."""
    return situation(
        [
            unit("Guard", "red", TROOPER, [(10, 10), (11.5, 10), (13, 10)]),
            unit("Boss", "red", HERO, [(10, 11.5)], leads="Guard"),
            FOE,
        ],
        abilities=[ours(name, "Guard", models=[4]) for name in abilities],
    )


@pytest.mark.parametrize(("gone", "open_"), [((2,), ["fix-dat-armour-up (Guard)"]), ((), []), ((2, 3), [])])
def test_only_a_bodyguard_comes_back(gone: tuple[int, ...], open_: list[str]) -> None:
    b = mob("fix-dat-armour-up")
    b.place_models([named(b, "Guard").models[i] for i in gone], GONE)
    assert [describe(b, use) for use in uses_at(b, 0, Occasion("command"), optional=True)] == open_


# --- Objectives, Leadership, Scouts -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("y", "kept"), [(10, (0,)), (18, ())])
def test_a_marker_of_its_army_is_kept_by_who_is_within_range_even_battle_shocked(
    y: float, kept: tuple[int, ...]
) -> None:
    b = situation(
        [
            unit("Boyz", "red", TROOPER, [(10, y)], battle_shocked=True),
            unit("Others", "red", TROOPER, [(10, 12)]),
            FOE,
        ],
        step="command_abilities",
        objectives=[(10, 11)],
        game={"control": [0]},
        abilities=[ours("get-da-good-bitz", "Boyz")],
    )
    assert b.state.game.secured == kept


@pytest.mark.parametrize(("y", "value"), [(17, 5), (17.2, 6)])
def test_shouting_improves_the_leadership_of_orks_within_6_inches(y: float, value: int) -> None:
    ork = {**TROOPER, "keywords": ["INFANTRY", "ORKS"]}
    b = situation(
        [unit("Pole", "red", {**TROOPER, "name": "Pole"}, [(10, 10)]), unit("Boyz", "red", ork, [(10, y)]), FOE],
        abilities=[ours("shoutin-pole-aura", "Pole")],
    )
    boyz = named(b, "Boyz")
    assert best_leadership(b, boyz) == value


def test_runts_who_are_led_by_zodgrod_scout() -> None:
    b = mob("super-runts")
    assert scout_distance(b, named(b, "Guard")) == steps(9)


# --- Lists ------------------------------------------------------------------------------------------------------------


def listed(*units: Doc) -> Doc:
    """A list of Orks."""
    head = {"name": "Orks", "system": "w40k11", "pack": "w40k11", "faction": "orks", "detachment": "war-horde"}
    return {**head, "limit": 1000, "units": list(units)}


def test_ghazghkull_is_the_warlord_or_the_list_is_wrong() -> None:
    pack = open_pack("w40k11", "orks")

    def problems(**who: bool) -> list[str]:
        units = [
            {"sheet": id_, "warlord": who.get(id_.partition("-")[0], False)} for id_ in ("ghazghkull-thraka", "warboss")
        ]
        return [str(p) for p in check_warlord(msgspec.convert(listed(*units), ArmyList), pack, "rule")]

    assert problems(ghazghkull=True) == []
    assert ["Ghazghkull" in text for text in problems(warboss=True)] == [True]


def test_whoever_leads_boyz_leads_breaka_boyz_and_whoever_leads_lootas_leads_tankbustas() -> None:
    leads = {s.id: set(s.leads) for s in faction_file("orks").file.sheets}
    assert {id_ for id_ in leads if "boyz" in leads[id_]} <= {id_ for id_ in leads if "breaka-boyz" in leads[id_]}
    assert {id_ for id_ in leads if "tankbustas" in leads[id_]} >= {"big-mek", "bannernob", "mek", "painboy"}


def nobz(runts: int) -> Battle11:
    """Ten Nobz of a list with so many ammo runts are about to shoot."""
    arms = ["Kustom Krumpa", "Kustom Shoota"]
    wargear = [{"model": "Nob", "count": runts, "carry": [*arms, "Ammo Runt"]}] if runts else []
    return situation(
        [
            UnitDoc(
                name="Nobz", player="red", positions=tuple((10 + 2 * (i % 5), 10 + 2 * (i // 5)) for i in range(10))
            ),
            unit("Blues", "blue", target(wounds=99), [(14, 20)]),
        ],
        step="shoot_units",
        lists={"red": listed({"sheet": "nobz", "size": 10, "wargear": wargear}, {"sheet": "warboss", "warlord": True})},
    )


@pytest.mark.parametrize(
    ("runts", "open_"), [(0, []), (1, ["Ability: Ammo Runt (Nobz)"]), (2, ["Ability: Ammo Runt (Nobz)"])]
)
def test_a_unit_has_the_runts_that_it_took_whoever_of_it_falls(runts: int, open_: list[str]) -> None:
    b = nobz(runts)
    b.place_models(named(b, "Nobz").models[:runts], GONE)
    give(b, "shoot_with", "Nobz")
    assert cards(b) == open_
    assert [pieces(b, a) for a in b.setup.data.abilities if a.name == "Ammo Runt"] == [runts] * len(open_)
