"""Abilities and rolls outside of attacks: Morale, charges, Advances, Psychic tests; and what keeps models alive."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.battle.scenario import UnitDoc
from sandtable.battle.tables import FeatureDoc
from sandtable.systems.w40k8.state import Battle8
from sandtable.table.grid import steps
from support.acting import default
from w40k8.table import (
    Doc,
    alive,
    asked,
    bare,
    column,
    give,
    gun,
    kinds,
    last,
    rolls,
    sheet,
    shootout,
    situation,
    squad,
    told,
    unit,
)

rule = pytest.mark.rule


def ability(bearer: str, *effects: Doc, name: str = "Gift", **more: Any) -> Doc:
    """An ability of a unit."""
    return {"name": name, "unit": bearer, "effects": list(effects), **more}


# --- Morale -----------------------------------------------------------------------------------------------------------

FEARLESS: Doc = {"kind": "reroll", "roll": "morale", "faces": "failures"}
CALM: Doc = {"kind": "allow", "what": "pass_morale"}


def shaken(
    dice: list[int], *abilities: Doc, slain: int = 3, count: int = 5, more: list[UnitDoc] | None = None
) -> Battle8:
    """Reds, of Leadership 7, take a Morale test."""
    foes = unit("Blues", "blue", bare(), [(40, 10)])
    squad_ = unit("Reds", "red", bare(), column(count, 4), slain=slain)
    units = [squad_, foes, *(more or [])]
    return situation(units, step="test_units", dice={"morale": dice}, abilities=list(abilities))


@rule("w40k8.morale.test")
def test_a_failed_morale_test_may_be_taken_again() -> None:
    b = shaken([6, 1], ability("Reds", FEARLESS))
    default(b, "reroll_roll")
    assert (rolls(b), "flee" in kinds(b)) == ([("morale", (6,)), ("morale", (1,))], False)


def test_the_second_morale_test_stands_though_it_is_worse() -> None:
    b = shaken([5, 6], ability("Reds", FEARLESS))
    give(b, "reroll_roll", True)
    assert asked(b, "flee").most == 2  # type: ignore[attr-defined]


def test_a_failed_morale_test_stands_if_its_player_likes() -> None:
    b = shaken([5], ability("Reds", FEARLESS))
    give(b, "reroll_roll", False)
    assert asked(b, "flee").most == 1  # type: ignore[attr-defined]


@rule("w40k8.morale.test")
def test_a_morale_test_that_is_passed_is_not_taken_again() -> None:
    b = shaken([4], ability("Reds", FEARLESS))
    assert (rolls(b), "reroll_roll" in kinds(b)) == ([("morale", (4,))], False)


@rule("w40k8.morale.phase")
def test_units_that_pass_by_themselves_take_no_morale_test() -> None:
    others = unit("Others", "red", bare(), column(5, 12), slain=1)
    b = shaken([1], ability("Reds", CALM), more=[others])
    assert rolls(b) == [("morale", (1,))]


@rule("w40k8.morale.phase")
@pytest.mark.parametrize(("gap", "tests"), [(12, []), (12.1, [("morale", (1,))])])
def test_units_near_a_mind_that_holds_them_take_no_morale_test(gap: float, tests: list[Any]) -> None:
    mind = unit("Tyrant", "red", bare(name="Tyrant"), [(5 + gap, 8)])
    b = shaken([1], ability("Tyrant", {**CALM, "who": "friends", "within": 12}), more=[mind])
    assert rolls(b) == tests


MOB: Doc = {"kind": "lend_leadership", "by": "size"}


@rule("w40k8.morale.test")
@pytest.mark.parametrize(("count", "fled"), [(8, 1), (7, 2), (5, 2)])
def test_a_mob_counts_its_heads_where_they_are_more_than_its_leadership(count: int, fled: int) -> None:
    assert asked(shaken([6], ability("Reds", MOB), count=count), "flee").most == fled  # type: ignore[attr-defined]


def test_nobody_of_a_mob_that_is_large_enough_flees() -> None:
    b = shaken([6], ability("Reds", MOB), count=9)
    assert (rolls(b), "flee" in kinds(b)) == ([("morale", (6,))], False)


@rule("w40k8.morale.test")
@pytest.mark.parametrize(("gap", "fled"), [(6, 1), (6.1, 2)])
def test_a_mob_counts_the_heads_of_another_one_nearby(gap: float, fled: int) -> None:
    mob = unit("Mob", "red", bare(), column(8, 5 + gap))
    lent = {**MOB, "who": "friends", "within": 6}
    b = shaken([6], ability("Mob", lent), more=[mob])
    assert asked(b, "flee").most == fled  # type: ignore[attr-defined]


@rule("w40k8.morale.test")
def test_a_unit_uses_the_leadership_of_who_leads_it_on() -> None:
    priest = unit("Priest", "red", bare(name="Priest", leadership=8), [(8, 8)])
    lent = ability("Priest", {"kind": "lend_leadership", "who": "friends", "within": 6})
    assert asked(shaken([6], lent, more=[priest]), "flee").most == 1  # type: ignore[attr-defined]


# --- Charges and Advances ---------------------------------------------------------------------------------------------


def charging(dice: list[int], *abilities: Doc, gap: float = 6, more: list[UnitDoc] | None = None) -> Battle8:
    """Reds charge Blues, 6" away."""
    some = [unit("Reds", "red", sheet(name="Red"), [(10, 10)]), unit("Blues", "blue", bare(), [(11 + gap, 10)])]
    b = situation([*some, *(more or [])], step="charge_phase", dice={"charge": dice}, abilities=list(abilities))
    give(b, "charge_with", "Reds")
    return b


GREEN: Doc = {"kind": "reroll", "roll": "charge"}


@rule("w40k8.charge.roll")
@pytest.mark.parametrize(("again", "far"), [([0], 6 + 3), ([0, 1], 6 + 5)])
def test_any_dice_of_a_charge_roll_are_thrown_again(again: list[int], far: int) -> None:
    b = charging([1, 3, 6, 5], ability("Reds", GREEN))
    give(b, "reroll_dice", again)
    assert asked(b, "charge_move").about["far"] == steps(far)


def test_a_charge_roll_stands_if_its_player_likes() -> None:
    b = charging([1, 3], ability("Reds", GREEN))
    give(b, "reroll_dice", [])
    assert (rolls(b), "charge_failed" in told(b)) == ([("charge", (1, 3))], True)


def test_of_a_charge_that_falls_short_those_dice_are_thrown_again_that_promise_most() -> None:
    b = charging([1, 4, 5], ability("Reds", GREEN), gap=7)
    default(b, "reroll_dice")
    assert rolls(b) == [("charge", (1, 4)), ("charge", (5,))]


@rule("w40k8.charge.roll")
def test_a_charge_roll_that_is_enough_is_not_thrown_again() -> None:
    assert "reroll_dice" not in kinds(charging([2, 4], ability("Reds", GREEN)))


@rule("w40k8.charge.roll")
def test_what_is_added_counts_where_a_charge_roll_is_enough() -> None:
    more = ability("Reds", {"kind": "modify", "roll": "charge", "value": 1})
    asks = [kinds(charging(dice, ability("Reds", GREEN), more)) for dice in ([2, 2], [1, 2])]
    assert asks == [["charge_move"], ["reroll_dice"]]


@rule("w40k8.charge.roll")
def test_no_charge_goes_less_than_nowhere() -> None:
    b = charging([1, 1], ability("Reds", {"kind": "modify", "roll": "charge", "value": -3}))
    assert last(b, "charge_failed")["far"] == 0


@rule("w40k8.charge.roll")
@pytest.mark.parametrize("value", [1, -1])
def test_abilities_add_to_charge_rolls(value: int) -> None:
    b = charging([4, 4], ability("Reds", {"kind": "modify", "roll": "charge", "value": value}))
    assert asked(b, "charge_move").about["far"] == steps(8 + value)


WILD: Doc = {"kind": "modify", "roll": "charge", "value": -2, "when": ["not target_closest"]}


@pytest.mark.parametrize(("y", "far"), [(19.0, 8), (13.0, 6)])
def test_a_charge_at_any_but_the_nearest_is_shorter_for_those_who_follow_their_instinct(y: float, far: int) -> None:
    other = unit("Others", "blue", bare(name="Other"), [(10, y)])
    b = charging([4, 4], ability("Reds", WILD), more=[other])
    give(b, "charge_targets", ["Blues"])
    assert asked(b, "charge_move").about["far"] == steps(far)


def test_a_field_shortens_the_charges_of_those_who_charge_its_bearer() -> None:
    field = {"kind": "modify", "roll": "charge", "value": -2, "attacks": "suffered"}
    assert asked(charging([5, 5], ability("Blues", field)), "charge_move").about["far"] == steps(8)


def advancing(dice: list[int], *effects: Doc) -> Battle8:
    """Reds Advance."""
    some = [unit("Reds", "red", sheet(), [(10, 10)]), unit("Blues", "blue", bare(), [(40, 10)])]
    abilities = [ability("Reds", *effects)]
    b = situation(some, step="movement_phase", dice={"advance": dice}, abilities=abilities)
    give(b, "move_with", "Reds")
    give(b, "move", {"mode": "advance"})
    return b


def test_abilities_add_to_advances() -> None:
    assert squad(advancing([3], {"kind": "modify", "roll": "advance", "value": 1}), "Reds").advance == 4


def test_a_boost_adds_6_without_a_throw() -> None:
    b = advancing([], {"kind": "allow", "what": "advance_6"})
    assert (rolls(b), squad(b, "Reds").advance) == ([], 6)


def test_an_advance_that_is_short_is_thrown_again() -> None:
    b = advancing([2, 5], {"kind": "reroll", "roll": "advance"})
    give(b, "reroll_roll", True)
    assert squad(b, "Reds").advance == 5


# --- Heavy and Assault weapons on the move ----------------------------------------------------------------------------


@rule("w40k8.weapon.heavy")
@pytest.mark.parametrize(("abilities", "hits"), [([], 3), ([{"kind": "allow", "what": "move_and_fire_heavy"}], 4)])
def test_some_fire_heavy_weapons_on_the_move_as_well_as_ever(abilities: list[Doc], hits: int) -> None:
    units = [
        unit("Reds", "red", sheet(gun("heavy", shots="6")), [(10, 8)]),
        unit("Blues", "blue", bare(wounds=20), [(21, 8)]),
    ]
    given = [ability("Reds", *abilities)] if abilities else []
    dice = {"hit": [1, 2, 3, 4, 5, 6], "wound": [1] * hits}
    b = situation(units, step="movement_phase", dice=dice, abilities=given)
    give(b, "move_with", "Reds")
    give(b, "move", {"mode": "normal", "by": [1, 0]})
    default(b, "shoot_with")
    default(b, "shoot")
    assert last(b)["hits"] == hits


@rule("w40k8.weapon.assault")
@pytest.mark.parametrize(("what", "hits"), [("advance_and_fire_assault", 4), ("move_and_fire_heavy", 3)])
def test_some_fire_assault_weapons_after_an_advance_as_well_as_ever(what: str, hits: int) -> None:
    dice = {"hit": [1, 2, 3, 4, 5, 6], "wound": [1] * hits}
    able = ability("Reds", {"kind": "allow", "what": what})
    b = shootout(gun(shots="6"), bare(wounds=20), flags={"moved": "advance"}, dice=dice, abilities=[able])
    assert last(b)["hits"] == hits


# --- Psychic tests ----------------------------------------------------------------------------------------------------

WITCH: Doc = sheet(name="Witch", wounds=5, keywords=["INFANTRY", "PSYKER"], psyker={"casts": 1, "denies": 1})


def casting(tests: list[int], *abilities: Doc, gap: float = 8, deny: list[int] | None = None) -> Battle8:
    """The Witch tries Smite, which a Warden may deny."""
    some = [unit("Witch", "red", WITCH, [(10, 10)]), unit("Warden", "blue", WITCH, [(11 + gap, 10)])]
    dice = {"psychic test": tests, "deny the witch": deny or [], "smite": [1]}
    b = situation(some, step="manifest_powers", dice=dice, abilities=list(abilities))
    b.answer(asked(b, "manifest"), asked(b, "manifest").options[0].value)  # type: ignore[attr-defined]
    return b


@rule("w40k8.psychic.test")
@pytest.mark.parametrize(("gap", "works"), [(18, False), (18.1, True)])
def test_a_shadow_makes_psychic_tests_harder(gap: float, works: bool) -> None:
    shadow = {"kind": "modify", "roll": "psychic", "value": -1, "who": "enemies", "within": 18, "only": ["PSYKER"]}
    assert ("manifested" in told(casting([2, 3], ability("Warden", shadow), gap=gap))) == works


@pytest.mark.parametrize(("gap", "works"), [(12, "denied"), (12.1, "not_denied")])
def test_a_hood_helps_to_deny_powers_of_those_nearby(gap: float, works: str) -> None:
    hood = {"kind": "modify", "roll": "deny", "value": 1, "when": ["target_within:12"]}
    b = casting([3, 3], ability("Warden", hood), gap=gap, deny=[3, 3])
    default(b, "deny_with")
    assert works in told(b)


# --- Wounds and saves -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("face", "left"), [(6, 1), (5, 0)])
def test_a_wound_is_ignored_by_an_ability(face: int, left: int) -> None:
    tools = ability("Blues", {"kind": "feel_no_pain", "value": 6})
    dice = {"hit": [6], "wound": [6], "feel no pain": [face]}
    assert alive(shootout(gun(), dice=dice, abilities=[tools]), "Blues") == left


@rule("w40k8.attack.save")
@pytest.mark.parametrize(("face", "left"), [(4, 1), (3, 0)])
def test_who_hides_well_saves_better_in_cover(face: int, left: int) -> None:
    skin = ability("Blues", {"kind": "modify", "roll": "save", "value": 1, "when": ["ranged", "in_cover"]})
    woods = FeatureDoc("ruin", "woods", "The woods", (19.0, 6.0, 6.0, 6.0))
    dice = {"hit": [6], "wound": [6], "save": [face]}
    b = shootout(gun(), bare(save=6), dice=dice, abilities=[skin], terrain=[woods])
    assert alive(b, "Blues") == left


def test_in_the_open_hiding_helps_nobody() -> None:
    skin = ability("Blues", {"kind": "modify", "roll": "save", "value": 1, "when": ["ranged", "in_cover"]})
    dice = {"hit": [6], "wound": [6], "save": [5]}
    assert alive(shootout(gun(), bare(save=6), dice=dice, abilities=[skin]), "Blues") == 0


def test_a_failed_save_is_thrown_again() -> None:
    luck = ability("Blues", {"kind": "reroll", "roll": "save", "faces": "ones"})
    dice = {"hit": [6], "wound": [6], "save": [1, 6]}
    assert alive(shootout(gun(), bare(save=6), dice=dice, abilities=[luck]), "Blues") == 1


# --- Order ------------------------------------------------------------------------------------------------------------


def holding(*stay: int) -> Battle8:
    """Reds who have to let three of five flee, but for those who stay on a 6."""
    order = ability("Reds", {"kind": "allow", "what": "stay_on_6"})
    foes = unit("Blues", "blue", bare(), [(40, 10)])
    units = [unit("Reds", "red", bare(), column(5, 4), slain=4), foes]
    return situation(units, step="test_units", dice={"morale": [6], "stay": list(stay)}, abilities=[order])


@rule("w40k8.morale.test")
@rule("w40k8.morale.flee")
def test_some_who_would_flee_stay_on_a_6() -> None:
    b = holding(6, 5, 1)
    assert (asked(b, "flee").most, rolls(b)[1]) == (2, ("stay", (6, 5, 1)))  # type: ignore[attr-defined]


@rule("w40k8.morale.test")
@rule("w40k8.morale.flee")
@pytest.mark.parametrize(("dice", "stories"), [((6, 6, 1), 1), ((5, 5, 5), 0)])
def test_it_is_told_that_models_stay_where_some_do(dice: tuple[int, ...], stories: int) -> None:
    assert told(holding(*dice)).count("stayed") == stories


@rule("w40k8.morale.test")
@rule("w40k8.morale.flee")
def test_nobody_flees_if_all_of_them_stay() -> None:
    b = holding(6, 6, 6)
    assert (alive(b, "Reds"), "flee" in kinds(b), "fled" in told(b)) == (5, False, False)


@rule("w40k8.morale.test")
@rule("w40k8.morale.flee")
@pytest.mark.parametrize(("wanted", "left", "fled"), [(True, 4, False), (False, 5, True)])
def test_a_failed_test_is_passed_for_a_beating(wanted: bool, left: int, fled: bool) -> None:
    heads = ability("Reds", {"kind": "allow", "what": "pass_for_wounds"})
    foes = unit("Blues", "blue", bare(), [(40, 10)])
    units = [unit("Reds", "red", bare(), column(5, 4), slain=4), foes]
    b = situation(units, step="test_units", dice={"morale": [6], "beating": [1]}, abilities=[heads])
    give(b, "pass_for_wounds", wanted)
    assert (alive(b, "Reds"), "flee" in kinds(b)) == (left, fled)


def test_a_relay_lets_others_shoot_better_at_what_it_hit() -> None:
    relay = ability(
        "Reds",
        {"kind": "mark", "name": "relayed", "who": "target", "at": "shot", "until": "phase"},
        {"kind": "reroll", "roll": "hit", "faces": "ones", "who": "army", "when": ["ranged", "target_marked:relayed"]},
    )
    b = shootout(gun(), bare(wounds=9), dice={"hit": [6, 1, 2], "wound": [1]}, abilities=[relay])
    give(b, "shoot_with", "Spares")
    give(b, "shoot", [{"weapon": "spare", "target": "Blues"}])
    assert rolls(b)[2:] == [("hit", (1,)), ("hit", (2,))]
