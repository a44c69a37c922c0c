"""Kinds of effects that several datasheets of 8th edition share, each with what it does and where it ends."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.battle.tables import FeatureDoc
from sandtable.forty.effects.permissions import allows
from support.acting import judge, offered
from w40k8.table import (
    Doc,
    alive,
    bare,
    blade,
    give,
    gun,
    kinds,
    named,
    range_,
    rolls,
    sheet,
    shoot,
    shootout,
    situation,
    stories,
    unit,
    wounds,
)
from w40k8.test_abilities_powers import blessing

rule = pytest.mark.rule
WOODS = FeatureDoc("woods", "woods", "", (19, 5, 5, 6))


def ability(bearer: str, **effect: Any) -> Doc:
    """An ability of a unit, of one effect."""
    return {"name": "Gift", "unit": bearer, "effects": [effect]}


# --- On whom ----------------------------------------------------------------------------------------------------------


def test_the_nearest_of_those_in_reach_suffers_without_a_choice() -> None:
    scream = {"kind": "mortal_wounds", "amount": 1, "who": "enemy", "within": 18, "nearest": True, "at": "manifested"}
    others = [unit("Near", "blue", bare(wounds=9), [(15, 10)]), unit("Next", "blue", bare(wounds=9), [(17, 10)])]
    b = blessing(scream, more=others)
    assert ([wounds(b, name) for name in ("Near", "Next")], "ability_target" in kinds(b)) == ([[8], [9]], False)


@pytest.mark.parametrize(("toughness", "lost"), [(3, 4), (4, 3), (6, 0)])
def test_dice_are_held_against_the_toughness_of_who_suffers(toughness: int, lost: int) -> None:
    curse = {"kind": "mortal_wounds", "amount": 1, "dice": 7, "above": "T", "who": "enemy", "within": 18,
             "nearest": True, "at": "manifested"}  # fmt: skip
    near = unit("Near", "blue", bare(wounds=9, toughness=toughness), [(15, 10)])
    b = blessing(curse, more=[near], Bless=[1, 2, 3, 4, 5, 5, 6])
    assert wounds(b, "Near") == [9 - lost]


@pytest.mark.parametrize(("gap", "saved"), [(8.0, True), (8.01, False)])
def test_a_field_covers_those_whose_bases_are_wholly_within(gap: float, saved: bool) -> None:
    field = ability("Mek", kind="invulnerable", value=5, who="friends", within=9, wholly=True)
    mek = unit("Mek", "blue", bare(name="Mek", keywords=["CHARACTER"]), [(21, 9 + gap)])
    b = shootout(gun(), bare(), more=[mek], abilities=[field], dice={"hit": [6], "wound": [6], "save": [5]})
    assert alive(b, "Blues") == saved


# --- Shooting ---------------------------------------------------------------------------------------------------------


@rule("w40k8.shoot.sequence")
@pytest.mark.parametrize(("moved", "asks"), [("stationary", ["shoot"]), ("normal", ["shoot_with"])])
def test_who_did_not_move_shoots_twice(moved: str, asks: list[str]) -> None:
    storm = ability("Reds", kind="allow", what="shoot_twice", when=["stationary"])
    b = range_(gun(), bare(wounds=9), flags={"moved": moved}, abilities=[storm], dice={"hit": [1, 1]})
    assert kinds(shoot(b)) == asks


@rule("w40k8.shoot.sequence")
def test_nobody_shoots_a_third_time() -> None:
    storm = ability("Reds", kind="allow", what="shoot_twice")
    b = shoot(range_(gun(), bare(wounds=9), abilities=[storm], dice={"hit": [1, 1]}))
    give(b, "shoot", [{"weapon": "gun", "target": "Blues"}])
    assert offered(b, "shoot_with") == ["Spares"]


@rule("w40k8.shoot.sequence")
def test_who_has_nobody_left_to_shoot_at_is_not_asked_again() -> None:
    storm = ability("Reds", kind="allow", what="shoot_twice")
    b = shootout(gun(), bare(), abilities=[storm], dice={"hit": [6], "wound": [6]})
    assert kinds(b) == ["shoot_with"]


@pytest.mark.parametrize(("words", "left"), [([], 1), (["ignores cover"], 0)])
def test_cover_does_not_help_against_weapons_that_ignore_it(words: list[str], left: int) -> None:
    scope = {"name": "Scope", "unit": "Reds", "effects": [
        {"kind": "weapon_ability", "ability": word, "weapons": "ranged", "who": "model"} for word in words
    ]}  # fmt: skip
    dice = {"hit": [6], "wound": [6], "save": [3]}
    b = shootout(gun(), bare(save=4), terrain=[WOODS], dice=dice, abilities=[scope] if words else [])
    assert alive(b, "Blues") == left


@pytest.mark.parametrize(("terrain", "wounded"), [([WOODS], [8]), ([], [9])])
def test_some_wound_better_what_stands_in_cover(terrain: list[FeatureDoc], wounded: list[int]) -> None:
    knives = ability("Reds", kind="modify", roll="wound", value=1, when=["target_in_cover"])
    b = shootout(
        gun(), bare(wounds=9), terrain=terrain, abilities=[knives], dice={"hit": [6], "wound": [3], "save": [1]}
    )
    assert wounds(b, "Blues") == wounded


@pytest.mark.parametrize(("targets", "passes"), [(1, True), (2, False)])
def test_who_destroys_a_unit_has_something_of_it(targets: int, passes: bool) -> None:
    thrill = ability("Reds", kind="allow", what="pass_morale", when=["ranged"], at="killed", until="next_turn")
    b = shootout(gun(), bare(), targets=targets, abilities=[thrill], dice={"hit": [6], "wound": [6]})
    assert allows(b, named(b, "Reds"), "pass_morale") == passes


# --- Fighting and moving ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("late", "first"), [(["Reds"], "Blues"), ([], "Reds"), (["Reds", "Blues"], "Reds")])
def test_who_is_slowed_fights_after_all_others(late: list[str], first: str) -> None:
    slow = [ability(name, kind="forbid", what="fight_early") for name in late]
    units = [
        unit("Reds", "red", sheet(blade(), name="Red"), [(10, 10)], charged=True),
        unit("Blues", "blue", sheet(blade(), name="Blue", wounds=9), [(11, 10)]),
    ]
    b = situation(units, step="fight_units", abilities=slow, dice={"hit": [1] * 4})
    assert stories(b, "fights")[0] == f"{first} fight."


def test_who_is_sent_elsewhere_is_set_up_far_from_enemies_and_moves_no_more() -> None:
    jump = {"kind": "allow", "what": "redeploy", "who": "friend", "within": 12, "at": "manifested"}
    b = blessing(jump)
    give(b, "ability_target", "Reds")
    assert kinds(b) == ["arrive"]
    spots = [[25, 19.99]], [[25, 20.01]]
    assert [judge(b, "arrive", spot).ok for spot in spots] == [False, True]
    give(b, "arrive", spots[1])
    assert (named(b, "Reds").arrived, named(b, "Reds").moved) == (True, "normal")


@pytest.mark.parametrize(("gifts", "open_"), [([], False), (["move_through_models"], True)])
def test_wraiths_move_through_models(gifts: list[str], open_: bool) -> None:
    form = [{"name": "Form", "unit": "Reds", "effects": [{"kind": "allow", "what": what} for what in gifts]}]
    units = [
        unit("Reds", "red", bare(name="Red"), [(10, 10)]),
        unit("Friends", "red", bare(name="Friend"), [(13, 10)]),
        unit("Blues", "blue", bare(), [(40, 10)]),
    ]
    b = situation(units, step="move_units", abilities=form if gifts else [])
    give(b, "move_with", "Reds")
    assert judge(b, "move", {"mode": "normal", "to": [[16, 10]]}).ok == open_


def test_a_d3_says_what_a_curse_takes() -> None:
    names = (("A", 1), ("S", 3), ("T", 5))
    curse = [
        {"kind": "characteristic", "name": name, "add": -1, "die": die, "up_to": die + 1, "who": "enemy", "within": 24,
         "at": "manifested", "until": "next_psychic"} for name, die in names
    ]  # fmt: skip
    b = blessing(*curse, Bless=[4])
    assert (rolls(b)[1], len(b.state.effects)) == (("Bless", (4,)), 1)


def test_a_healer_hurts_with_a_1() -> None:
    reach = {"who": "friend", "within": 1, "at": "movement_end"}
    saw: list[Doc] = [
        {"kind": "heal", "amount": 1, "die": 2, **reach},
        {"kind": "mortal_wounds", "amount": 1, "die": 1, "up_to": 1, **reach},
    ]
    found = []
    for face in (1, 2):
        hurt = unit("Hurt", "red", bare(name="Hurt", wounds=5), [(12, 10)], wounds={1: 3})
        doc = unit("Doc", "red", bare(name="Doc", wounds=5), [(10.2, 10)])
        b = situation([doc, hurt, unit("Blues", "blue", bare(), [(40, 10)])], step="move_units",
                      abilities=[{"name": "Saw", "unit": "Doc", "effects": saw}], dice={"Saw": [face]})  # fmt: skip
        give(b, "move_with", None)
        found.append(wounds(b, "Hurt"))
    assert found == [[2], [4]]
