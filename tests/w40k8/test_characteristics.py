"""Datasheets, characteristics that change, amounts of dice and re-rolls."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.battle.events import Rolled
from sandtable.battle.rulings import SetWounds
from sandtable.errors import UserError
from sandtable.systems.w40k8.concepts import model_has_keyword
from sandtable.systems.w40k8.datasheet import value_of
from sandtable.systems.w40k8.state import Battle8, sheet_of
from support.acting import offered
from w40k8.table import (
    Doc,
    alive,
    asked,
    bare,
    blade,
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
    stay,
    strike,
    strikers,
    under,
    unit,
    wounds,
)

rule = pytest.mark.rule
FACES = [1, 2, 3, 4, 5, 6]


def needed(b: Battle8, kind: str) -> list[int]:
    """The faces that the rolls of a kind needed."""
    return [e.read.needed for e in b.events if isinstance(e, Rolled) and e.reason == kind]


def value(name: str, *changes: str, **red: Any) -> int | None:
    """A characteristic of a model under these changes."""
    b = range_(gun(), red=sheet(gun(), name="Red", **red))
    for change in changes:
        under(b, name, change)
    return value_of(b, named(b, "Reds").models[0], name)


# --- Datasheets -------------------------------------------------------------------------------------------------------

NINE = ("move", "weapon_skill", "ballistic_skill", "strength", "toughness", "wounds", "attacks", "leadership", "save")


@rule("w40k8.sheet.profile", check=1)
@pytest.mark.parametrize("name", NINE)
def test_a_profile_has_nine_characteristics(name: str) -> None:
    doc = sheet(gun())
    del doc[name]
    with pytest.raises(UserError, match=name):
        range_([], red=doc)
    with pytest.raises(UserError, match=f"{name} is"):
        range_([], red=sheet(gun(), **{name: 999}))
    with pytest.raises(UserError, match="objective_control"):
        range_([], red=sheet(gun(), objective_control=1))


@rule("w40k8.sheet.profile", check=2)
@pytest.mark.parametrize("name", ["weapon_skill", "ballistic_skill", "save"])
@pytest.mark.parametrize("wrong", [1, 8])
def test_skills_and_saves_are_what_a_roll_must_reach(name: str, wrong: int) -> None:
    with pytest.raises(UserError, match=name):
        range_([], red=sheet(gun(), **{name: wrong}))
    assert value(name, **{name: 3}) == 3


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ({"up_to": 3, "move": "foo"}, "move is"),
        ({"up_to": 3, "save": -9}, "save is"),
        ({"up_to": 0, "save": 4}, "1 to 6"),
        ({"up_to": 7, "save": 4}, "1 to 6"),
        ({"up_to": 2, "save": 4}, "different numbers"),
    ],
)
def test_a_row_of_a_chart_that_could_not_be_printed_is_refused(row: Doc, problem: str) -> None:
    rows = [{"up_to": 6, "save": 4}, {"up_to": 2, "move": "-"}]
    assert sheet_of(range_([], red=sheet(gun(), wounds=6, chart=rows)), 0).chart[1].move is None
    with pytest.raises(UserError, match=problem):
        range_([], red=sheet(gun(), wounds=6, chart=[*rows, row]))


def test_a_move_may_be_written_as_a_dash() -> None:
    assert value("move", move="-") is None


@rule("w40k8.sheet.profile", check=3)
def test_models_of_one_unit_may_have_different_profiles() -> None:
    champion = [{"models": [2], "sheet": sheet(blade(), name="Champion", attacks=2, weapon_skill=2)}]
    units = [
        unit("Reds", "red", sheet(blade(), name="Red"), [(10, 8), (10, 9.5)], loadout=champion),
        unit("Blues", "blue", bare(), [(11, 8), (11, 9.5)], fought=True),
    ]
    assert strikers(situation(units, step="fight_units")) == {"Red (1)": 1, "Champion (2)": 2}


@rule("w40k8.sheet.profile", check=4)
def test_the_wounds_characteristic_stays_as_wounds_are_lost() -> None:
    b = shootout(gun(), bare(wounds=3), dice={"hit": [6], "wound": [6]})
    model = named(b, "Blues").models[0]
    assert (wounds(b, "Blues"), sheet_of(b, model).wounds) == ([2], 3)


@rule("w40k8.sheet.profile", check=6)
def test_a_lower_skill_or_save_is_better() -> None:
    shots = [shootout([], red=sheet(gun(), ballistic_skill=n), dice={"hit": [3], "wound": [1]}) for n in (3, 4)]
    assert [last(b)["hits"] for b in shots] == [1, 0]


@rule("w40k8.sheet.weapon_profile", check=3)
@pytest.mark.parametrize(("ap", "face"), [(0, 3), (None, 3), (-2, 5)])
def test_armour_penetration_is_taken_off_the_save(ap: int | None, face: int) -> None:
    b = shootout(gun(ap=ap), sheet(save=3), dice={"hit": [6], "wound": [6], "save": [1]})
    assert needed(b, "save") == [face]
    with pytest.raises(UserError, match="ap is -10 to 0"):
        range_(gun(ap=1))


@rule("w40k8.sheet.weapon_profile", check=4)
@pytest.mark.parametrize("damage", [1, 3])
def test_damage_is_what_one_unsaved_attack_takes(damage: int) -> None:
    b = shootout(gun(d=f"{damage}"), bare(wounds=5), dice={"hit": [6], "wound": [6]})
    assert wounds(b, "Blues") == [5 - damage]


@pytest.mark.parametrize(
    ("text", "bearer", "least"),
    [("user", 4, 4), ("User", 3, 5), ("+2", 4, 3), ("+4", 4, 2), ("x2", 4, 2), ("x2", 3, 3), ("5", 1, 3), ("-1", 4, 5)],
)
@rule("w40k8.sheet.weapon_strength", check=(1, 2))
def test_a_weapon_makes_something_of_its_bearers_strength(text: str, bearer: int, least: int) -> None:
    b = melee([], red=sheet(blade(s=text), name="Red", strength=bearer), dice={"hit": [6], "wound": [1]})
    strike(b, ("Red", 1, "Blues"))
    assert needed(b, "wound") == [least]


@rule("w40k8.sheet.weapon_strength", check=3)
@pytest.mark.parametrize(("tough", "least"), [(6, 2), (7, 3), (11, 3), (12, 4)])
def test_twice_the_strength_of_6_is_12(tough: int, least: int) -> None:
    red = sheet(blade(s="x2"), name="Red", strength=6)
    b = melee([], bare(toughness=tough), red=red, dice={"hit": [6], "wound": [1]})
    strike(b, ("Red", 1, "Blues"))
    assert needed(b, "wound") == [least]


@rule("w40k8.sheet.weapon_strength", check=4)
@pytest.mark.parametrize(("tough", "least"), [(5, 2), (9, 3), (10, 4), (11, 5)])
def test_changes_of_the_bearer_come_before_the_weapon(tough: int, least: int) -> None:
    b = melee(blade(s="x2"), bare(toughness=tough), more=FAR, step="fight_phase", dice={"hit": [6], "wound": [1]})
    under(b, "strength", "+1")
    give(b, "fight_with", "Reds")
    strike(b, ("Red", 1, "Blues"))
    assert needed(b, "wound") == [least]


FAR = [
    unit("Red pair", "red", sheet(blade(), name="Other"), [(30, 20)]),
    unit("Blue pair", "blue", bare(), [(31, 20)], fought=True),
]
"""Somebody else who could fight, so that players may still agree on something before the Reds do."""


@rule("w40k8.sheet.weapon_strength", check=5)
def test_a_plain_number_counts_whatever_the_bearers_strength() -> None:
    b = under(range_(gun(s="4"), dice={"hit": [6], "wound": [1]}), "strength", "+4")
    assert needed(shoot(b), "wound") == [4]
    with pytest.raises(UserError, match="strength is a number"):
        range_(gun(s="strong"))


@rule("w40k8.sheet.keywords", check=1)
@rule("w40k8.sheet.keywords", check=2)
@rule("w40k8.sheet.keywords", check=3)
@pytest.mark.parametrize(
    ("asked_for", "has"),
    [("FLY", True), ("fly", True), ("DEATH GUARD", True), ("Characters", True), ("VEHICLE", False), ("FLYER", False)],
)
def test_keywords_are_matched_whatever_their_case_and_number(asked_for: str, has: bool) -> None:
    b = range_([], red=sheet(gun(), keywords=["Fly", "Death Guard", "CHARACTER"]))
    assert model_has_keyword(b, named(b, "Reds").models[0], asked_for) is has


# --- Changes ----------------------------------------------------------------------------------------------------------


@rule("w40k8.stat.modifier_order", check=1)
@pytest.mark.parametrize("changes", [("x2", "+1"), ("+1", "x2")])
def test_doubling_comes_before_adding(changes: tuple[str, str]) -> None:
    assert value("strength", *changes, strength=3) == 7


@rule("w40k8.stat.modifier_order", check=2)
@rule("w40k8.stat.modifier_order", check=4)
@pytest.mark.parametrize("changes", [("/2", "+1"), ("+1", "/2")])
def test_halving_rounds_up_before_anything_is_added(changes: tuple[str, str]) -> None:
    assert value("move", *changes, move=5) == 4


@rule("w40k8.stat.modifier_order", check=3)
def test_changes_add_up() -> None:
    assert value("toughness", "+1", "+1", "-1", "+1", toughness=4) == 6


@rule("w40k8.stat.floor_one", check=(1, 2, 3, 4))
@pytest.mark.parametrize(
    ("name", "printed", "changes", "left"),
    [
        ("strength", 2, ("-3",), 1),
        ("toughness", 1, ("-1",), 1),
        ("leadership", 6, ("-8",), 1),
        ("strength", 2, ("-3", "+2"), 1),
        ("strength", 2, ("-3", "+3"), 2),
        ("move", 2, ("-3",), 0),
    ],
)
def test_nothing_takes_them_below_1(name: str, printed: int, changes: tuple[str, ...], left: int) -> None:
    assert value(name, *changes, **{name: printed}) == left


@rule("w40k8.stat.dash", check=1)
def test_a_dash_stays_a_dash() -> None:
    b = under(range_([], red=sheet(gun(), name="Red", ballistic_skill=None)), "ballistic_skill", "+3")
    assert offered(b, "shoot_with") == ["Spares"]


@rule("w40k8.stat.dash", check=2)
@pytest.mark.parametrize(("ap", "face"), [(None, 3), (0, 4), (-1, 5)])
def test_an_armour_penetration_of_a_dash_does_not_improve(ap: int | None, face: int) -> None:
    b = under(range_(gun(ap=ap), sheet(save=3), dice={"hit": [6], "wound": [6], "save": [1]}), "ap", -1)
    assert needed(shoot(b), "save") == [face]


# --- Charts -----------------------------------------------------------------------------------------------------------

MONSTER: Doc = sheet(
    gun(shots="2"), name="Monster", wounds=12, attacks=6, weapon_skill=3, ballistic_skill=2,
    chart=[{"up_to": 6, "ballistic_skill": 3, "attacks": 4}, {"up_to": 3, "ballistic_skill": 5, "attacks": "D3"}],
)  # fmt: skip


def monster(left: int, dice: Any = None, **more: Any) -> Battle8:
    """A monster with so many wounds left, about to shoot."""
    reds = unit("Reds", "red", MONSTER, [(10, 8)], wounds={1: left})
    return situation([reds, unit("Blues", "blue", bare(), [(21, 8)])], step="shoot_units", dice=dice, **more)


@rule("w40k8.stat.degrading", check=1)
@pytest.mark.parametrize(("left", "face"), [(12, 2), (7, 2), (6, 3), (4, 3), (3, 5), (1, 5)])
def test_the_wounds_that_are_left_say_which_row_counts(left: int, face: int) -> None:
    b = monster(left, {"hit": [1, 1]})
    assert needed(shoot(b), "hit") == [face]


@rule("w40k8.stat.degrading", check=2)
def test_a_row_holds_as_soon_as_wounds_are_lost() -> None:
    units = [
        unit("Reds", "red", sheet(blade(d="6"), name="Red"), [(10, 8)]),
        unit("Blues", "blue", {**MONSTER, "save": 7}, [(11, 8)]),
    ]
    b = situation(units, step="fight_phase", dice={"hit": [3], "wound": [4]})
    before = value_of(b, named(b, "Blues").models[0], "attacks")
    strike(b, ("Red", 1, "Blues"))
    assert (before, strikers(b)) == (6, {"Monster": 4})


@rule("w40k8.stat.degrading", check=2)
def test_the_save_of_a_row_holds_for_the_next_saving_throw() -> None:
    frail = bare(wounds=6, save=3, chart=[{"up_to": 5, "save": 6}])
    b = shootout(gun(shots="3"), frail, dice={"hit": [6] * 3, "wound": [6] * 3, "save": [3, 2, 5]})
    assert (needed(b, "save"), wounds(b, "Blues")) == ([3, 3, 6], [4])


@rule("w40k8.stat.degrading", check=3)
def test_a_model_that_regains_wounds_goes_back_to_the_better_row() -> None:
    b = monster(3, {"hit": [1, 1]})
    b.rule(SetWounds(named(b, "Reds").models[0], 7))
    assert needed(shoot(b), "hit") == [2]


@rule("w40k8.stat.degrading", check=4)
def test_changes_are_made_to_what_the_row_says() -> None:
    units = [unit("Reds", "red", MONSTER, [(10, 8)], wounds={1: 6}), unit("Blues", "blue", bare(), [(11, 8)]), *FAR]
    b = under(situation(units, step="fight_phase"), "attacks", "+1")
    give(b, "fight_with", "Reds")
    assert strikers(b) == {"Monster": 5}


@rule("w40k8.stat.random_other", check=2)
def test_random_damage_is_thrown_for_each_attack() -> None:
    dice = {"hit": [6, 6], "wound": [6, 6], "damage": [2, 5]}
    b = shootout(gun(shots="2", d="D3"), bare(wounds=9), dice=dice)
    assert (rolls(b)[2:], wounds(b, "Blues")) == ([("damage", (2,)), ("damage", (5,))], [5])


# --- Dice -------------------------------------------------------------------------------------------------------------


def damage(text: str, *faces: int) -> int:
    """What dice of a weapon's damage come to."""
    b = shootout(gun(d=text), bare(wounds=30), dice={"hit": [6], "wound": [6], "damage": list(faces)})
    return 30 - wounds(b, "Blues")[0]


@rule("w40k8.dice.d6", check=(1, 2, 3))
@pytest.mark.parametrize(
    ("text", "faces", "sum_"),
    [*(("D6", (f,), f) for f in FACES), ("2D6", (1, 1), 2), ("2D6", (6, 5), 11), ("3D6", (6, 6, 6), 18)],
)
def test_faces_are_added_up(text: str, faces: tuple[int, ...], sum_: int) -> None:
    assert damage(text, *faces) == sum_


@rule("w40k8.dice.d6", check=4)
def test_the_faces_of_a_sum_stay_known() -> None:
    b = shootout(gun(d="2D6"), bare(wounds=30), dice={"hit": [6], "wound": [6], "damage": [4, 4]})
    assert rolls(b)[-1] == ("damage", (4, 4))


@rule("w40k8.dice.d3", check=(1, 2, 3))
@pytest.mark.parametrize(("face", "points"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (6, 3)])
def test_a_d3_is_half_a_d6_rounded_up(face: int, points: int) -> None:
    assert damage("D3", face) == points


@rule("w40k8.dice.modifiers", check=(1, 2, 3))
@pytest.mark.parametrize(("added", "least"), [((-1, -1), 5), ((-1, -1, -1), 6), ((1, -1), 3), ((1, 1), 1)])
def test_modifiers_add_up_without_limit(added: tuple[int, ...], least: int) -> None:
    b = range_(gun(shots="5"), dice={"hit": FACES[1:], "wound": [1] * 5})
    for one in added:
        under(b, "hit", one)
    assert last(shoot(b))["hits"] == min(5, 7 - least)


@rule("w40k8.dice.modifiers", check=4)
def test_a_ballistic_skill_of_4_at_less_3_never_hits() -> None:
    b = under(range_([], red=sheet(gun(shots="6"), ballistic_skill=4), dice={"hit": FACES}), "hit", -3)
    assert last(shoot(b))["hits"] == 0


@rule("w40k8.dice.modifiers", check=5)
def test_wound_rolls_and_saves_are_changed_without_limit() -> None:
    b = range_(
        gun(shots="3", ap=-1), sheet(save=6, wounds=9), dice={"hit": [6] * 3, "wound": [2, 3, 1], "save": [3, 4]}
    )
    under(under(b, "wound", 2), "save", 3, "Blues")
    assert (last(shoot(b))["wounds"], wounds(b, "Blues")) == (2, [8])


# --- Re-rolls ---------------------------------------------------------------------------------------------------------


def again(kind: str, faces: list[int], *, skill: int = 4, added: int = 0, shots: int = 1, ask: bool = True) -> Battle8:
    """Reds shoot, and may make hit rolls again; with `ask`, the player is asked which of those that may be."""
    options = {"windows": "all"} if ask else {}
    red = sheet(gun(shots=f"{shots}"), name="Red", ballistic_skill=skill)
    b = range_([], red=red, options=options, dice={"hit": faces, "wound": [1] * shots})
    return shoot(under(under(b, "reroll_hits", kind), "hit", added))


@rule("w40k8.dice.reroll_timing", check=1)
@rule("w40k8.dice.reroll_timing", check=2)
def test_what_failed_by_its_bare_face_may_be_made_again_and_nothing_else() -> None:
    b = again("failures", [4, 3], added=-1, shots=2)
    assert offered(b, "reroll") == ["3"]


@rule("w40k8.dice.reroll_timing", check=3)
def test_a_2_that_is_lowered_to_1_is_no_1() -> None:
    assert offered(again("ones", [2, 1], skill=3, added=-1, shots=2), "reroll") == ["1"]


@rule("w40k8.dice.reroll_timing", check=4)
def test_a_3_that_would_end_as_a_hit_may_be_made_again() -> None:
    assert offered(again("failures", [3], added=1), "reroll") == ["3"]


@rule("w40k8.dice.reroll_timing", check=5)
@pytest.mark.parametrize(("face", "hits"), [(4, 0), (5, 1)])
def test_modifiers_count_in_full_on_the_new_face(face: int, hits: int) -> None:
    assert last(again("failures", [3, face], added=-1, ask=False))["hits"] == hits


@rule("w40k8.dice.reroll", check=1)
def test_the_second_face_stands_though_it_is_worse() -> None:
    b = again("all", [5, 2])
    give(b, "reroll", ["5"])
    assert (last(b)["hits"], rolls(b)) == (0, [("hit", (5,)), ("hit", (2,))])


@rule("w40k8.dice.reroll", check=2)
def test_no_die_is_made_again_twice() -> None:
    red = sheet(gun(), name="Red", ballistic_skill=4)
    b = range_([], red=red, dice={"hit": [1, 1]})
    shoot(under(under(b, "reroll_hits", "ones"), "reroll_hits", "failures"))
    assert (rolls(b), kinds(b)) == ([("hit", (1,)), ("hit", (1,))], ["shoot_with"])


@rule("w40k8.dice.reroll", check=4)
def test_nobody_has_to_make_a_roll_again() -> None:
    b = again("failures", [3])
    give(b, "reroll", [])
    assert (rolls(b), last(b)["hits"]) == ([("hit", (3,))], 0)


@rule("w40k8.dice.reroll", check=1)
def test_wound_rolls_are_made_again_too() -> None:
    b = under(range_(gun(shots="2"), dice={"hit": [6, 6], "wound": [1, 3, 4]}), "reroll_wounds", "ones")
    assert (last(shoot(b))["wounds"], alive(b, "Blues")) == (1, 0)


@rule("w40k8.gap.disgustingly_resilient", check=2)
def test_a_5_keeps_a_wound_and_a_4_loses_it() -> None:
    blue = bare(wounds=3, abilities=["disgustingly resilient"])
    b = shootout(gun(d="2"), blue, dice={"hit": [6], "wound": [6], "feel no pain": [5, 4]})
    assert wounds(b, "Blues") == [2]


@rule("w40k8.gap.disgustingly_resilient", check=1)
def test_one_die_is_thrown_for_each_wound_and_none_for_others() -> None:
    dice = {"hit": [6], "wound": [6], "feel no pain": [1, 1]}
    blue = bare(wounds=3, abilities=["disgustingly resilient"])
    shots = [shootout(gun(d="2"), doc, dice=dice) for doc in (blue, bare(wounds=3))]
    assert [rolls(b)[2:] for b in shots] == [[("feel no pain", (1, 1))], []]


@rule("w40k8.gap.disgustingly_resilient", check=3)
def test_it_can_be_switched_off() -> None:
    blue = bare(wounds=3, abilities=["disgustingly resilient"])
    b = shootout(gun(d="2"), blue, options={"disgustingly-resilient": "off"}, dice={"hit": [6], "wound": [6]})
    assert (wounds(b, "Blues"), asked(stay(b), "shoot_with").player) == ([1], 0)
