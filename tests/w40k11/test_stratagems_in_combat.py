"""Stratagems of the Charge and the Fight phase."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.battle.events import Asked
from sandtable.systems.w40k11.fight_phase import fights_first
from sandtable.systems.w40k11.melee import hands_of
from sandtable.systems.w40k11.state import Battle11
from w40k11 import table
from w40k11.table import (
    blade,
    cards,
    default,
    fights,
    give,
    judge,
    kinds,
    named,
    offered,
    play,
    power,
    refused_by,
    rolls,
    sheet,
    situation,
    told,
    unit,
    until,
    wounds,
)

rule = pytest.mark.rule

PLAIN: dict[str, Any] = {**table.TROOPER, "weapons": []}
HEROIC, FRAY = "Heroic Intervention: Helpers", "Heroic Intervention: Into the Fray: Helpers"


def to(*points: Any) -> dict[str, Any]:
    return {"mode": "charge", "to": list(points)}


# --- Heroic Intervention ----------------------------------------------------------------------------------------------


def charged(*more: Any, roll: Any = (3, 4), gap: float = 5, cp: int = 2, helper: Any = PLAIN, **keys: Any) -> Battle11:
    """The Reds have charged the Blues, and Helpers of theirs stand by."""
    units = [
        unit("Reds", "red", PLAIN, [(8, 10)], charged=True, declared=True),
        unit("Blues", "blue", PLAIN, [(10, 10)]),
        unit("Helpers", "blue", helper, [(8, 11 + gap)]),
    ]
    return situation([*units, *more], step="charge_units", dice={"charge": list(roll)}, cp=(0, cp), **keys)


BYSTANDER = unit("Bystanders", "red", PLAIN, [(12, 16)], declared=True)
"""Reds who did not charge, 3" from the Helpers"""


@rule("w40k11.strat.heroic_intervention", check=1)
def test_a_leap_to_defend_costs_1_cp() -> None:
    b = charged()
    play(b, HEROIC)
    assert (b.player(1).cp, rolls(b), kinds(b)) == (1, [("charge", (3, 4))], ["charge_move"])


@rule("w40k11.strat.heroic_intervention", check=2)
def test_the_mode_is_picked_before_the_roll() -> None:
    b = charged()
    assert (kinds(b), cards(b), rolls(b), b.state.game.phase) == (["react.phase_ended"], [HEROIC, FRAY], [], "charge")


@rule("w40k11.strat.heroic_intervention", check=3)
@pytest.mark.parametrize(
    ("keywords", "number"),
    [(["VEHICLE"], 0), (["VEHICLE", "WALKER"], 2), (["VEHICLE", "CHARACTER"], 2), (["INFANTRY"], 2)],
)
def test_of_vehicles_only_characters_and_walkers_intervene(keywords: list[str], number: int) -> None:
    assert len(cards(charged(helper={**PLAIN, "keywords": keywords}))) == number


@rule("w40k11.strat.heroic_intervention", check=4)
@pytest.mark.parametrize(("x", "number"), [(11, 0), (11.1, 2)])
def test_the_engaged_do_not_intervene(x: float, number: int) -> None:
    assert len(cards(charged(unit("Others", "red", PLAIN, [(x, 16)], declared=True)))) == number


@rule("w40k11.strat.heroic_intervention", check=5)
@rule("w40k11.charge.fights_first", check=3)
def test_who_intervenes_fights_first_until_the_end_of_the_turn() -> None:
    b = charged()
    play(b, HEROIC)
    give(b, "charge_move", to((8, 12)))
    during = fights_first(b, named(b, "Helpers")).ok
    until(b, "move_with", 1)
    assert (during, fights_first(b, named(b, "Helpers")).ok) == (True, False)


def within_reach(b: Battle11) -> list[str]:
    """Whom a charge may target; of a single one nobody is asked."""
    if kinds(b) == ["charge_targets"]:
        return offered(b, "charge_targets")
    return [b.unit(t).name for t in b.decisions[0].about["targets"]]


@rule("w40k11.strat.leap_to_defend", check=1)
@pytest.mark.parametrize(("label", "names"), [(HEROIC, ["Reds"]), (FRAY, ["Bystanders", "Reds"])])
def test_only_those_who_charged_are_targets_of_a_leap(label: str, names: list[str]) -> None:
    more = unit("Chargers", "red", PLAIN, [(20, 16)], charged=True, declared=True)
    b = charged(BYSTANDER, more)
    play(b, label)
    assert within_reach(b) == names


@rule("w40k11.strat.leap_to_defend", check=2)
def test_who_leaps_engages_nobody_else() -> None:
    b = charged(BYSTANDER, roll=(6, 6))
    play(b, HEROIC)
    refused_by(b, "charge_move", to((9.6, 13.4)), "w40k11.charge.after")
    assert judge(b, "charge_move", to((8, 12)))


@rule("w40k11.strat.into_the_fray", check=1)
@pytest.mark.parametrize(("roll", "far"), [((4, 5), 6), ((3, 2), 5)])
def test_a_roll_into_the_fray_counts_6_at_most(roll: tuple[int, int], far: int) -> None:
    b = charged(roll=roll)
    play(b, FRAY)
    assert b.decisions[0].modes[0].allowance == far * 1024


@rule("w40k11.strat.into_the_fray", check=2)
def test_what_is_added_counts_before_the_limit() -> None:
    b = charged(roll=(2, 3), abilities=[power("Helpers", kind="modify", roll="charge", value=2)])
    play(b, FRAY)
    assert b.decisions[0].modes[0].allowance == 6 * 1024


@rule("w40k11.strat.into_the_fray", check=3)
def test_a_roll_of_4_stays_4() -> None:
    b = charged(roll=(1, 3), gap=4)
    play(b, FRAY)
    assert (b.decisions[0].modes[0].allowance, b.player(1).cp) == (4 * 1024, 0)


@rule("w40k11.strat.into_the_fray", check=4)
def test_those_who_did_not_charge_are_targets_in_the_fray() -> None:
    b = charged(BYSTANDER)
    play(b, FRAY)
    give(b, "charge_targets", ["Bystanders"])
    assert judge(b, "charge_move", to((10, 16)))


@rule("w40k11.strat.into_the_fray", check=5)
@pytest.mark.parametrize(("gap", "names"), [(6, [HEROIC, FRAY]), (6.5, [HEROIC])])
def test_the_fray_is_within_6_inches(gap: float, names: list[str]) -> None:
    assert cards(charged(gap=gap)) == names


@rule("w40k11.strat.into_the_fray", check=6)
@rule("w40k11.strat.extra_cost", check=1)
def test_the_fray_costs_2_cp_in_all() -> None:
    b = charged(cp=3)
    play(b, FRAY)
    assert (b.player(1).cp, kinds(b)) == (1, ["charge_move"])


@rule("w40k11.strat.extra_cost", check=2)
@pytest.mark.parametrize(("cp", "names"), [(1, [HEROIC]), (2, [HEROIC, FRAY])])
def test_with_1_cp_there_is_no_fray(cp: int, names: list[str]) -> None:
    assert cards(charged(cp=cp)) == names


def test_one_intervention_in_a_phase() -> None:
    b = charged(unit("More", "blue", PLAIN, [(4, 10)]), cp=5)
    play(b, HEROIC)
    give(b, "charge_move", {"mode": "decline"})
    assert cards(b) == []


# --- Crushing Impact --------------------------------------------------------------------------------------------------

TANK = {**table.TANK, "weapons": [], "wounds": 12, "base": table.INCH}


def crash(dice: list[int], *, toughness: int = 10, keywords: Any = ("VEHICLE",), wounds_: int = 12) -> Battle11:
    """The Tank has charged the Blues."""
    tank = {**TANK, "toughness": toughness, "keywords": list(keywords), "wounds": wounds_}
    units = [unit("Tank", "red", tank, [(5, 10)]), unit("Blues", "blue", {**PLAIN, "wounds": 20}, [(10, 10)])]
    dice_ = {"charge": [3, 3], "crushing impact": dice}
    b = situation(units, step="charge_units", dice=dice_, cp=(1, 0), options={"windows": "all"})
    give(b, "charge_with", "Tank")
    give(b, "react.after_roll", None)
    give(b, "charge_move", to((8, 10)))
    return b


@rule("w40k11.strat.crushing_impact", check=1)
@pytest.mark.parametrize("toughness", [10, 6])
def test_as_many_dice_as_the_toughness(toughness: int) -> None:
    b = crash([2] * toughness, toughness=toughness)
    play(b, "Crushing Impact")
    assert rolls(b)[-1] == ("crushing impact", (2,) * toughness)


@rule("w40k11.strat.crushing_impact", check=2)
def test_each_1_hurts_the_own_unit() -> None:
    b = crash([1, 1, 2, 2, 2, 2, 2, 2, 2, 2])
    play(b, "Crushing Impact")
    assert (wounds(b, "Tank"), wounds(b, "Blues")) == ([10], [20])


@rule("w40k11.strat.crushing_impact", check=3)
def test_each_5_or_6_hurts_the_enemy() -> None:
    b = crash([5, 6, 4, 4, 4, 4, 4, 4, 4, 4])
    play(b, "Crushing Impact")
    assert (wounds(b, "Tank"), wounds(b, "Blues")) == ([12], [18])


@rule("w40k11.strat.crushing_impact", check=4)
def test_the_enemy_suffers_6_at_most() -> None:
    b = crash([5] * 8 + [2, 2])
    play(b, "Crushing Impact")
    assert wounds(b, "Blues") == [14]


@rule("w40k11.strat.crushing_impact", check=5)
def test_the_own_unit_suffers_6_at_most() -> None:
    b = crash([1] * 7 + [2, 2, 2])
    play(b, "Crushing Impact")
    assert wounds(b, "Tank") == [6]


@rule("w40k11.strat.crushing_impact", check=6)
def test_without_a_charge_move_there_is_no_impact() -> None:
    units = [unit("Tank", "red", TANK, [(5, 10)]), unit("Blues", "blue", PLAIN, [(10, 10)])]
    b = situation(units, step="charge_units", dice={"charge": [1, 1]}, cp=(1, 0))
    give(b, "charge_with", "Tank")
    until(b, "move_with", 1)
    made = crash([2] * 10)
    assert ("stratagem" in told(b), cards(made)) == (False, ["Crushing Impact: Tank at Blues"])


@rule("w40k11.strat.crushing_impact", check=6)
@pytest.mark.parametrize(("keyword", "kind"), [("MONSTER", "react.unit_move_ended"), ("INFANTRY", "pile_in_with")])
def test_monsters_crash_and_others_do_not(keyword: str, kind: str) -> None:
    assert kinds(crash([], keywords=[keyword])) == [kind]


@rule("w40k11.strat.crushing_impact", check=6)
def test_a_charge_by_intervention_is_no_impact_of_the_enemy() -> None:
    walker = {**PLAIN, "keywords": ["VEHICLE", "WALKER"]}
    b = charged(helper=walker, state={"red": {"cp": 1}, "blue": {"cp": 2}})
    play(b, HEROIC)
    give(b, "charge_move", to((8, 12)))
    assert kinds(b) == ["pile_in_with"]


@rule("w40k11.strat.crushing_impact", check=6)
def test_the_enemy_does_not_crash_with_a_unit_that_is_not_its_own() -> None:
    units = [unit("Tank", "red", TANK, [(5, 10)]), unit("Blues", "blue", PLAIN, [(10, 10)])]
    b = situation(units, step="charge_units", dice={"charge": [3, 3]}, cp=(0, 1))
    give(b, "charge_with", "Tank")
    give(b, "charge_move", to((8, 10)))
    assert kinds(b) == ["pile_in_with"]


# --- Epic Challenge ---------------------------------------------------------------------------------------------------

HERO = sheet(
    blade(attacks="1"), name="Hero", keywords=["INFANTRY", "CHARACTER"], abilities=["leader"], leads=["Trooper"]
)
STRIKER = sheet(blade(attacks="1"), name="Trooper")


def challenged(*more: Any, enemy: Any = PLAIN, dice: Any = None) -> Battle11:
    """The Reds with their Hero have been selected to fight."""
    units = [
        unit("Reds", "red", STRIKER, [(10, 10)]),
        unit("Hero", "red", HERO, [(10, 11.2)], leads="Reds"),
        unit("Blues", "blue", enemy, [(12, 10)]),
    ]
    return situation([*units, *more], step="begin_fights", dice=dice or {"hit": [1, 1]}, cp=(1, 0))


@rule("w40k11.strat.epic_challenge", check=1)
def test_only_the_picked_model_has_precision() -> None:
    b = challenged()
    play(b, "Epic Challenge")
    reds = named(b, "Reds")
    assert {h.model in reds.leader: h.precise for h in hands_of(b, reds)} == {True: True, False: False}


@rule("w40k11.strat.epic_challenge", check=2)
def test_precision_lasts_until_the_end_of_the_phase() -> None:
    b = challenged()
    play(b, "Epic Challenge")
    reds = named(b, "Reds")
    default(b, "strike")
    after = any(h.precise for h in hands_of(b, reds))
    until(b, "move_with", 1)
    assert (after, any(h.precise for h in hands_of(b, reds))) == (True, False)


@rule("w40k11.strat.epic_challenge", check=3)
def test_a_challenge_needs_no_character_to_meet_it() -> None:
    assert cards(challenged(enemy={**PLAIN, "keywords": ["BEAST"]})) == ["Epic Challenge: Hero 2"]


# --- Counteroffensive -------------------------------------------------------------------------------------------------

QUICK: dict[str, Any] = {**PLAIN, "name": "Quick", "abilities": ["fights first"]}


def three_pairs(*, cp: tuple[int, int] = (0, 2), active: str = "red", blue: Any = PLAIN) -> Battle11:
    """Three combats; the first red unit is selected first."""
    units = []
    for name, y in (("A", 5), ("B", 15), ("C", 25)):
        units += [unit(f"Red {name}", "red", PLAIN, [(10, y)]), unit(f"Blue {name}", "blue", blue, [(12, y)])]
    return situation(units, step="begin_fights", cp=cp, active=active)


@rule("w40k11.strat.counteroffensive", check=1)
def test_no_counteroffensive_in_the_own_turn() -> None:
    own, theirs = three_pairs(active="blue"), three_pairs()
    give(own, "fight_with", "Blue A")
    give(own, "fight_with", "Red A")
    give(theirs, "fight_with", "Red A")
    play(theirs, "Counteroffensive: Blue B")
    assert (cards(own), own.decisions[0].player, fights(theirs)) == ([], 1, ["Red A", "Blue B"])


@rule("w40k11.strat.counteroffensive", check=2)
@rule("w40k11.fight.return_to_first", check=2)
def test_the_unit_is_selected_next() -> None:
    b = three_pairs()
    give(b, "fight_with", "Red A")
    play(b, "Counteroffensive: Blue B")
    assert (fights(b), offered(b, "fight_with"), b.decisions[0].player) == (
        ["Red A", "Blue B"],
        ["Red B", "Red C"],
        0,
    )


@rule("w40k11.strat.counteroffensive", check=2)
@rule("w40k11.fight.return_to_first")
@rule("w40k11.unit.fights_first")
def test_it_comes_before_other_first_fighters_and_is_one() -> None:
    units = []
    for name, y, red, blue in (("A", 5, QUICK, QUICK), ("B", 15, QUICK, PLAIN), ("C", 25, PLAIN, PLAIN)):
        units += [unit(f"Red {name}", "red", red, [(10, y)]), unit(f"Blue {name}", "blue", blue, [(12, y)])]
    b = situation(units, step="begin_fights", cp=(0, 2))
    give(b, "fight_with", "Red A")
    play(b, "Counteroffensive: Blue C")
    assert (fights(b)[:2], fights_first(b, named(b, "Blue C")).ok) == (["Red A", "Blue C"], True)


@rule("w40k11.strat.counteroffensive", check=3)
def test_who_has_fought_is_not_chosen() -> None:
    b = three_pairs()
    give(b, "fight_with", "Red A")
    give(b, "react.unit_fought", None)
    give(b, "fight_with", "Blue A")
    give(b, "fight_with", "Red B")
    assert cards(b) == ["Counteroffensive: Blue B", "Counteroffensive: Blue C"]


@rule("w40k11.strat.counteroffensive", check=4)
@pytest.mark.parametrize(("cp", "number"), [(1, 0), (2, 3)])
def test_a_counteroffensive_costs_2_cp(cp: int, number: int) -> None:
    b = three_pairs(cp=(0, cp))
    give(b, "fight_with", "Red A")
    assert len(cards(b)) == number


@rule("w40k11.strat.counteroffensive", check=4)
def test_2_cp_are_paid_for_a_counteroffensive() -> None:
    b = three_pairs(cp=(0, 3))
    give(b, "fight_with", "Red A")
    play(b, "Counteroffensive: Blue A")
    assert (b.player(1).cp, fights(b)) == (1, ["Red A", "Blue A"])


@rule("w40k11.strat.counteroffensive", check=1)
def test_nobody_counters_what_fights_back_in_the_consolidate_step() -> None:
    reds = unit("Reds", "red", PLAIN, [(5, 10)])
    blues = [
        unit("Blues", "blue", PLAIN, [(8.5, 10)], could_fight=True, fought=True),
        unit("Others", "blue", PLAIN, [(30, 10)], engaged_before=True),
    ]
    b = situation([reds, *blues], step="consolidate_units", cp=(2, 2))
    give(b, "consolidate_with", "Blues")
    give(b, "consolidate", {"mode": "consolidate", "to": [(7, 10)]})
    until(b, "move_with", 1)
    asked = {e.kind for e in b.events if isinstance(e, Asked)}
    assert (fights(b), "react.unit_fought" in asked) == (["Reds"], False)
