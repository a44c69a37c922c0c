"""Abilities of units and weapons in attacks."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.forty.effects.enforced import why_unread
from sandtable.systems.w40k8.abilities import ENFORCED
from sandtable.systems.w40k8.datasheet import number_of
from support.acting import offered
from w40k8.table import (
    Doc,
    alive,
    bare,
    blade,
    gun,
    last,
    melee,
    named,
    range_,
    rolls,
    sheet,
    shoot,
    shootout,
    situation,
    stories,
    strike,
    strikers,
    under,
    unit,
)

FACES = [1, 2, 3, 4, 5, 6]
rule = pytest.mark.rule


def ability(bearer: str, kind: str, **effect: Any) -> Doc:
    """An ability of a unit, of one effect."""
    return {"name": "Gift", "unit": bearer, "effects": [{"kind": kind, **effect}]}


def weapon(*abilities: str, **changes: Any) -> Doc:
    """A gun with abilities."""
    return {**gun(**changes), "abilities": list(abilities)}


# --- Plague weapons ---------------------------------------------------------------------------------------------------


@rule("w40k8.gap.plague_weapon", check=1)
def test_a_wound_roll_of_1_with_a_plague_weapon_is_made_again_once() -> None:
    b = shootout(weapon("plague weapon", shots="2"), targets=2, dice={"hit": [6, 6], "wound": [1, 1, 1, 4]})
    assert (rolls(b)[1:], alive(b, "Blues")) == ([("wound", (1, 1)), ("wound", (1, 4))], 1)


@rule("w40k8.gap.plague_weapon", check=2)
def test_another_failed_wound_roll_with_a_plague_weapon_is_not_made_again() -> None:
    b = shootout(weapon("plague weapon", shots="3"), dice={"hit": [6] * 3, "wound": [1, 2, 3, 3]})
    assert rolls(b)[1:] == [("wound", (1, 2, 3)), ("wound", (3,))]


@rule("w40k8.gap.plague_weapon")
def test_other_weapons_make_no_wound_roll_again() -> None:
    assert rolls(shootout(gun(), dice={"hit": [6], "wound": [1]})) == [("hit", (6,)), ("wound", (1,))]


# --- Other words of weapons -------------------------------------------------------------------------------------------


def test_flames_hit_by_themselves() -> None:
    b = shootout(weapon("automatic hits", shots="2"), dice={"wound": [1, 1]})
    assert (rolls(b), last(b)["hits"]) == ([("wound", (1, 1))], 2)


def test_an_unwieldy_weapon_is_one_worse_to_hit() -> None:
    assert last(shootout(weapon("unwieldy", shots="6"), dice={"hit": FACES, "wound": [1] * 6}))["hits"] == 3


@pytest.mark.parametrize(("word", "again"), [("re-roll hits", [1, 2]), ("re-roll hits of 1", [1])])
def test_weapons_make_hit_rolls_again_that_failed_or_that_show_1(word: str, again: list[int]) -> None:
    b = shootout(weapon(word, shots="6"), dice={"hit": [*FACES, *(1 for _ in again)], "wound": [1] * 4})
    assert rolls(b)[:2] == [("hit", tuple(FACES)), ("hit", (1,) * len(again))]


def test_weapons_make_failed_wound_rolls_again() -> None:
    b = shootout(weapon("re-roll wounds", shots="2"), dice={"hit": [6, 6], "wound": [1, 3, 1, 1]})
    assert rolls(b)[1:] == [("wound", (1, 3)), ("wound", (1, 1))]


@pytest.mark.parametrize(("added", "hits"), [(0, 6), (1, 9), (-1, 3)])
def test_tesla_scores_more_hits_with_rolls_of_6_and_more(added: int, hits: int) -> None:
    b = range_(weapon("hits 3 on 6+", shots="6"), bare(wounds=20), dice={"hit": FACES, "wound": [1] * hits})
    assert last(shoot(under(b, "hit", added)))["hits"] == hits


def test_a_weapon_brings_attacks_along_that_are_made_with_it_alone() -> None:
    sword = {**blade("chainsword"), "abilities": ["extra attacks 1"]}
    b = melee([sword, blade("fist", s="x2")], bare(wounds=20), dice={"hit": [6, 6], "wound": [1, 1]})
    assert strikers(b) == {"Red (1)": 1, "Red, chainsword (2)": 1}
    strike(b, ("Red (1)", 1, "Blues", "fist"), ("Red, chainsword (2)", 1, "Blues"))
    assert [text.split(" at ")[0] for text in stories(b)] == ["Reds: 1 x fist", "Reds: 1 x chainsword"]


# --- Abilities of units -----------------------------------------------------------------------------------------------


def captain(gap: float, **effect: Any) -> Doc:
    """Settings of a battle with a captain above the Reds, who has an aura of 6"."""
    chief = unit("Captain", "red", sheet(name="Captain"), [(10, 9 + gap)])
    return {"more": [chief], "abilities": [ability("Captain", "reroll", who="friends", within=6, **effect)]}


@pytest.mark.parametrize(("gap", "after"), [(6, [("hit", (5,)), ("wound", (1,))]), (6.1, [])])
def test_an_aura_lets_units_within_it_make_hit_rolls_of_1_again(gap: float, after: list[Any]) -> None:
    b = shootout(gun(), dice={"hit": [1, 5], "wound": [1]}, **captain(gap, roll="hit", faces="ones"))
    assert rolls(b) == [("hit", (1,)), *after]


def test_of_an_aura_for_melee_shots_have_nothing() -> None:
    b = shootout(gun(), dice={"hit": [1]}, **captain(2, roll="hit", faces="ones", when=["melee"]))
    assert rolls(b) == [("hit", (1,))]


@pytest.mark.parametrize(("roll", "hits", "wounds"), [("hit", 3, 3), ("wound", 4, 0)])
def test_what_attackers_suffer_is_taken_off_their_rolls(roll: str, hits: int, wounds: int) -> None:
    dim = ability("Blues", "modify", roll=roll, value=-1, attacks="suffered", when=["ranged"])
    b = shootout(gun(shots="6"), targets=6, dice={"hit": FACES, "wound": [4] * hits}, abilities=[dim])
    assert (last(b)["hits"], last(b)["wounds"]) == (hits, wounds)


def test_attacks_of_models_that_alone_bear_an_ability_are_rolled_by_themselves() -> None:
    own = {**ability("Reds", "reroll", roll="hit", faces="ones", who="model"), "models": [1]}
    b = shootout(gun(), shooters=2, dice={"hit": [1, 2, 1]}, abilities=[own])
    assert sorted(rolls(b)) == [("hit", (1,)), ("hit", (1,)), ("hit", (2,))]


@pytest.mark.parametrize(("change", "value"), [({"add": 1}, 5), ({"divide": 2}, 2), ({"to": 7}, 7)])
def test_abilities_change_characteristics(change: Doc, value: int) -> None:
    b = range_(gun(), abilities=[ability("Blues", "characteristic", name="T", **change)])
    tough = [number_of(b, int(m), "toughness") for name in ("Blues", "Reds") for m in named(b, name).models]
    assert tough == [value, 4]


def test_one_more_attack_is_one_more_blow_to_deal() -> None:
    b = melee(blade(), abilities=[ability("Reds", "characteristic", name="A", add=1)])
    assert strikers(b) == {"Red": 2}


@pytest.mark.parametrize(("against", "saved"), [("ranged", 1), ("all", 1), ("melee", 0)])
def test_an_invulnerable_save_is_given_against_some_attacks_or_all(against: str, saved: int) -> None:
    field = ability("Blues", "invulnerable", value=5, against=against)
    b = shootout(gun(ap=-3), bare(save=6), dice={"hit": [6], "wound": [6], "save": [5]}, abilities=[field])
    assert alive(b, "Blues") == saved


# --- What abilities allow ---------------------------------------------------------------------------------------------


@rule("w40k8.sheet.abilities", check=2)
@rule("w40k8.charge.eligible")
@pytest.mark.parametrize(("moved", "what"), [("advance", "advance_and_charge"), ("fall_back", "fall_back_and_charge")])
def test_a_unit_charges_after_a_move_that_forbids_it_if_an_ability_says_so(moved: str, what: str) -> None:
    names = ("Reds", "Others")
    some = [unit(name, "red", sheet(name=name), [(x, 4)], moved=moved) for name, x in zip(names, (10, 20), strict=True)]
    foes = unit("Blues", "blue", bare(), [(15, 8)])
    b = situation([*some, foes], step="charge_phase", abilities=[ability("Reds", "allow", what=what)])
    assert offered(b, "charge_with") == ["Reds"]


@rule("w40k8.charge.eligible")
@pytest.mark.parametrize(("moved", "what"), [("advance", "fall_back_and_charge"), ("fall_back", "advance_and_charge")])
def test_what_an_ability_allows_after_one_move_it_does_not_after_another(moved: str, what: str) -> None:
    some = [unit("Reds", "red", sheet(), [(10, 4)], moved=moved), unit("Others", "red", sheet(), [(20, 4)])]
    foes = unit("Blues", "blue", bare(), [(15, 8)])
    b = situation([*some, foes], step="charge_phase", abilities=[ability("Reds", "allow", what=what)])
    assert offered(b, "charge_with") == ["Others"]


@rule("w40k8.sheet.abilities", check=2)
@rule("w40k8.shoot.eligible")
def test_a_unit_shoots_after_falling_back_if_an_ability_says_so() -> None:
    able = ability("Reds", "allow", what="fall_back_and_shoot")
    assert offered(range_(gun(), flags={"moved": "fall_back"}, abilities=[able]), "shoot_with") == ["Reds", "Spares"]


def test_what_is_not_read_is_told() -> None:
    b = range_(
        gun(),
        abilities=[
            ability("Reds", "reroll", roll="damage"),
            ability("Reds", "modify", roll="battle_shock", value=1),
            ability("Reds", "battle_shock", at="shooting", who="enemy", within=6),
            ability("Reds", "characteristic", name="Range", add=6, weapons="gun"),
            ability("Reds", "allow", what="overwatch_5"),
            ability("Reds", "modify", roll="hit", value=1, when=["below_half"]),
            ability("Reds", "modify", roll="hit", value=1, at="command", until="turn"),
            ability("Reds", "reroll", roll="wound"),
        ],
    )
    told = [why_unread(ENFORCED, effect) for one in b.setup.data.abilities for effect in one.effects]
    assert told == [
        "re-rolls of damage",
        "modifiers of battle_shock",
        "effects of the kind battle shock",
        "changes of Range",
        "the permission to overwatch 5",
        "the condition below half",
        "the moment command",
        "",
    ]
