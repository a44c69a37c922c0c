"""Abilities of Orks and World Eaters, held against print a second time: what that look found, and what it confirmed."""

from __future__ import annotations

import pytest

from sandtable.battle import Moves, Path
from sandtable.battle.decisions import Leg
from sandtable.forty.effects.moved_over import moved_over
from sandtable.forty.effects.weapons import all_armed, changes_to_weapons
from sandtable.systems.w40k11.abilities import has_core
from sandtable.table.grid import steps
from w40k11.arms import blade, character, face_off, gun, hurt, melee, shoot, strike, target
from w40k11.printed import ours
from w40k11.table import (
    FOE,
    TANK,
    Doc,
    cards,
    feature,
    give,
    judge,
    named,
    places,
    play,
    rolls,
    sheet,
    situation,
    told,
    unit,
    until,
    wall,
)

CALLED = {"unit": "Reds", "name": "Called", "effects": [{"kind": "mark", "name": "waaagh"}]}
"""The Waaagh! is active."""


# --- Weapons ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("faction", "ability", "attacks"),
    [
        ("orks", "waaagh", ["4", "3"]),
        ("orks", "da-biggest-and-da-best", ["7", "6"]),
        ("world-eaters", "relentless-rage", ["4", "3"]),
    ],
)
def test_weapons_with_extra_attacks_gain_attacks_like_other_melee_weapons(
    faction: str, ability: str, attacks: list[str]
) -> None:
    arms = [blade(name="axe", attacks="3"), blade("extra attacks", name="horns", attacks="2")]
    boss = sheet(*arms, name="Boss", keywords=["INFANTRY", "ORKS", "WORLD EATERS"])
    b = situation(
        [unit("Reds", "red", boss, [(10, 10)], charged=True), FOE],
        abilities=[CALLED, ours(faction, ability, "Reds")],
    )
    reds = named(b, "Reds")
    assert [x.attacks for x in all_armed(b, reds.models[0], changes_to_weapons(b, reds))] == attacks


# --- After shooting and fighting --------------------------------------------------------------------------------------


def test_who_is_suppressed_already_is_not_suppressed_again() -> None:
    fire = [ours("world-eaters", "punishing-suppression", name) for name in ("Reds", "Spares")]
    b = face_off(gun(), target(wounds=9), dice={"hit": [6, 6], "wound": [1, 1]}, abilities=fire)
    shoot(b)
    shoot(b, "Spares")
    assert told(b).count("ability") == 1


@pytest.mark.parametrize(("aim", "left", "points"), [("Chief 2", [1, 0], 1), (None, [0, 1], 0)])
def test_a_skull_brings_a_point_though_the_unit_of_the_character_lives_on(
    aim: str | None, left: list[int], points: int
) -> None:
    chief = unit("Chief", "blue", character(), [(11, 9.5)], leads="Blues")
    b = melee(
        blade("precision"), target(), more=[chief], dice={"hit": [6], "wound": [6]},
        abilities=[ours("world-eaters", "a-worthy-skull", "Reds")],
    )  # fmt: skip
    strike(b, ("blade", "Blues", 1))
    give(b, "aim", aim)
    assert (hurt(b), b.player(0).cp) == (left, points)


# --- Moving -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("moved", ["normal", "advance", "fall_back"])
def test_an_additional_normal_move_over_enemies_is_a_normal_move_whatever_came_before(moved: str) -> None:
    kopta = sheet(name="Kopta", move=14, keywords=["VEHICLE", "FLY"])
    again = {"kind": "move", "distance": 14, "at": "shooting", "optional": True}
    b = situation(
        [unit("Reds", "red", kopta, [(10, 10)], moved=moved), unit("Blues", "blue", target(wounds=9), [(16, 10)])],
        step="shooting_phase",
        abilities=[ours("orks", "deff-from-above", "Reds"), {"unit": "Reds", "name": "Again", "effects": [again]}],
        dice={"deff-from-above": [4]},
    )
    play(b, "Ability: Again")
    give(b, "skies", True)
    give(b, "extra_move", {"mode": "normal", "by": [12, 0]})
    play(b, "Ability: deff-from-above")
    assert hurt(b) == [8]


@pytest.mark.parametrize(
    ("keyword", "z", "height", "open_"),
    [("FLY", 6, 0, True), ("FLY", 0, 6, True), ("MOUNTED", 6, 0, True), ("MOUNTED", 0, 6, False)],
)
def test_who_is_moved_over_is_seen_from_above(keyword: str, z: float, height: float, open_: bool) -> None:
    kopta = sheet(name="Kopta", move=14, keywords=["VEHICLE", keyword])
    b = situation(
        [unit("Reds", "red", kopta, [(10, 10, z)]), unit("Blues", "blue", target(), [(16, 10, height)])],
        abilities=[ours("orks", "deff-from-above", "Reds")],
    )
    reds = named(b, "Reds")
    way = Path(reds.models[0], (Leg("go", steps(22), steps(10), steps(z)),))
    assert moved_over(b, reds, Moves("normal", (way,))) == (named(b, "Blues").id,) * open_


NAUT = {**TANK, "name": "Naut", "base": "80mm", "move": 12}


def over(ability: str, foe: Doc) -> bool:
    """Whether a walker may fall back right over an enemy that it is engaged with."""
    b = situation(
        [unit("Reds", "red", NAUT, [(10, 10)]), unit("Blues", "blue", foe, [(12.2, 10)])],
        abilities=[ours("orks", ability, "Reds")],
    )
    give(b, "move_with", "Reds")
    return bool(judge(b, "move", {"mode": "fall_back", "by": [8, 0]}))


@pytest.mark.parametrize(
    ("ability", "open_"),
    [
        ("clankin-forward", [True, False, False]),
        ("gargantuan", [True, True, False]),
        ("stompin-forward", [True, True, False]),
    ],
)
def test_walkers_fall_back_over_those_whom_print_names(ability: str, open_: list[bool]) -> None:
    sorts = (["INFANTRY"], ["VEHICLE"], ["VEHICLE", "TITANIC"])
    assert [over(ability, target(wounds=9, keywords=words)) for words in sorts] == open_


@pytest.mark.parametrize("ability", ["clankin-forward", "gargantuan", "stompin-forward"])
@pytest.mark.parametrize(("height", "open_"), [(4, True), (5, False)])
def test_they_go_over_terrain_up_to_4_inches_high(ability: str, height: float, open_: bool) -> None:
    ruin = feature("ruin", (13, 5, 1, 10), height, walls=(wall((13.5, 5), (13.5, 15), height),))
    b = situation([unit("Reds", "red", NAUT, [(8, 10)]), FOE], [ruin], abilities=[ours("orks", ability, "Reds")])
    give(b, "move_with", "Reds")
    assert bool(judge(b, "move", {"mode": "normal", "by": [11, 0]})) == open_


@pytest.mark.parametrize(("boosted", "open_"), [(True, [True, True]), (False, [False, False])])
def test_a_boosted_unit_goes_through_enemies_and_walls(boosted: bool, open_: list[bool]) -> None:
    biker = sheet(name="Biker", move=10, keywords=["MOUNTED"])
    ruin = feature("ruin", (9, 15, 8, 2), 5, walls=(wall((9, 16), (17, 16), 5),))
    b = situation(
        [unit("Reds", "red", biker, [(10, 10)]), unit("Blues", "blue", target(), [(15, 10)])], [ruin],
        abilities=[ours("orks", "shokk-boosta", "Reds")] if boosted else [],
    )  # fmt: skip
    give(b, "move_with", "Reds")
    ways = ([9, 0], [0, 9])
    assert [bool(judge(b, "move", {"mode": "normal", "by": by})) for by in ways] == open_


@pytest.mark.parametrize(("boosted", "dice"), [(True, []), (False, ["hazard"])])
def test_its_desperate_escapes_cost_nobody(boosted: bool, dice: list[str]) -> None:
    b = situation(
        [unit("Reds", "red", sheet(name="Biker"), [(10, 10)]), unit("Blues", "blue", target(), [(11.5, 10)])],
        abilities=[ours("orks", "shokk-boosta", "Reds")] if boosted else [],
        dice={"hazard": [6]},
    )
    give(b, "move_with", "Reds")
    give(b, "move", {"mode": "desperate"})
    assert [kind for kind, _ in rolls(b)] == dice


def test_a_mixed_fuel_takes_an_advance_6_inches_further_without_a_roll() -> None:
    b = situation(
        [unit("Reds", "red", sheet(name="Trike"), [(10, 10)]), FOE], abilities=[ours("orks", "fuel-mixa-grot", "Reds")]
    )
    give(b, "move_with", "Reds")
    give(b, "move", {"mode": "advance"})
    give(b, "complete_move", {"mode": "advance", "by": [12, 0]})
    assert (places(b, "Reds"), rolls(b)) == ([(22, 10, 0)], [])


@pytest.mark.parametrize(("turns", "open_"), [(1, ["Ability: bomb-squigs (Reds)"]), (2, [])])
def test_a_unit_throws_two_squigs_in_the_battle_one_after_each_normal_move(turns: int, open_: list[str]) -> None:
    b = situation(
        [unit("Reds", "red", sheet(name="Red"), [(10, 10)]), unit("Blues", "blue", target(wounds=9), [(20, 10)])],
        abilities=[ours("orks", "bomb-squigs", "Reds")],
        dice={"bomb-squigs": [3, 2] * 2},
    )
    for _ in range(turns):
        give(b, "move_with", "Reds")
        give(b, "move", {"mode": "normal", "by": [0, 0.5]})
        play(b, "Ability: bomb-squigs")
        until(b, "move_with", player=1)
        until(b, "move_with", player=0)
    give(b, "move_with", "Reds")
    give(b, "move", {"mode": "normal", "by": [0, 0.5]})
    assert (cards(b), hurt(b)) == (open_, [9 - turns])


# --- Phases -----------------------------------------------------------------------------------------------------------


def test_terror_is_worse_for_an_engaged_unit_below_half_strength() -> None:
    foe = target(wounds=9, leadership=7)
    b = situation(
        [
            unit("Reds", "red", sheet(name="Prince"), [(10, 10)]),
            unit("Half", "blue", foe, [(11.5, 10)], wounds={1: 4}),
            unit("Whole", "blue", foe, [(8.5, 10)]),
            unit("Far", "blue", foe, [(10, 20)]),
        ],
        step="fight_phase",
        abilities=[ours("world-eaters", "bloodied-terror", "Reds")],
        dice={"battle-shock": [3, 4] * 2},
    )
    assert [named(b, name).battle_shocked for name in ("Half", "Whole", "Far")] == [True, False, False]


@pytest.mark.parametrize(
    ("x", "words", "hidden"),
    [(14, ["INFANTRY", "WORLD EATERS"], True), (14.1, ["INFANTRY", "WORLD EATERS"], False), (14, ["INFANTRY"], False)],
)
def test_a_prince_hides_behind_infantry_of_its_own_within_3_inches(x: float, words: list[str], hidden: bool) -> None:
    b = situation(
        [
            unit("Reds", "red", TANK, [(8, 10)]),
            unit("Guard", "red", sheet(name="G", keywords=words), [(x - 0.5, 10)]),
            FOE,
        ],
        abilities=[ours("world-eaters", "lord-of-murder", "Reds")],
    )
    reds = named(b, "Reds")
    assert has_core(b, reds, reds.models[0], "lone operative") == hidden
