"""The Movement phase: who is selected, the kinds of moves, and falling back."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.battle import Moves, questions
from sandtable.battle.system import Goal
from sandtable.systems.w40k11.charge_phase import eligible_to_charge
from sandtable.systems.w40k11.shooting_types import types_open
from sandtable.systems.w40k11.state import Battle11
from w40k11.table import (
    FOE,
    HERO,
    INCH,
    JUMPER,
    TANK,
    TROOPER,
    alive,
    cards,
    cites,
    feature,
    give,
    gun,
    judge,
    kinds,
    mission,
    named,
    offered,
    places,
    play,
    power,
    refused_by,
    rolls,
    row,
    sheet,
    situation,
    told,
    unit,
    until,
    wall,
    wounds,
)

rule = pytest.mark.rule
STAY: dict[str, Any] = {"mode": "stationary"}
RHINO: dict[str, Any] = {
    **TANK,
    "name": "Rhino",
    "keywords": ["VEHICLE", "TRANSPORT"],
    "transport": {"capacity": 6, "carries": ["INFANTRY"]},
}
PLANE: dict[str, Any] = {**TANK, "name": "Plane", "keywords": ["VEHICLE", "FLY", "AIRCRAFT"], "base": "120mm"}


BASE = unit("Base", "red", TROOPER, [(41, 2)])
"""Somebody who still has to move, so that the phase goes on"""


def fray(count: int = 1, sheet: Any = TROOPER, dice: Any = None, others: Any = (), **flags: Any) -> Battle11:
    """Reds that are engaged with Blues north of them, selected to move."""
    reds = unit("Reds", "red", sheet, row(count, (10, 10)), **flags)
    b = situation([reds, unit("Blues", "blue", TROOPER, [(10, 12)]), BASE, FOE, *others], dice=dice)
    give(b, "move_with", "Reds")
    return b


def lone(at: tuple[float, float] = (10, 10), sheet: Any = TROOPER, others: Any = (FOE,), **more: Any) -> Battle11:
    """Reds that were selected to move."""
    b = situation([unit("Reds", "red", sheet, [at]), BASE, *others], **more)
    give(b, "move_with", "Reds")
    return b


def to(x: float, y: float, mode: str = "normal") -> dict[str, Any]:
    return {"mode": mode, "to": [[x, y]]}


def said(b: Battle11, answer: Any, kind: str = "move") -> set[str]:
    """What is cited against a move; nothing where it is allowed."""
    verdict = judge(b, kind, answer)
    return set() if verdict else cites(verdict) | {"refused"}


# --- The phase --------------------------------------------------------------------------------------------------------


@rule("w40k11.movephase.structure", check=1)
def test_each_unit_is_selected_once() -> None:
    b = situation([unit("One", "red", TROOPER, [(5, 5)]), unit("Two", "red", TROOPER, [(9, 5)]), FOE])
    give(b, "move_with", "One")
    give(b, "move", to(5, 8))
    assert offered(b, "move_with") == ["Two"]
    refused_by(b, "move_with", "One", "w40k11.movephase.structure")
    verdict = refused_by(b, "move_with", "Foes", "w40k11.movephase.structure")
    assert [reason.text for reason in verdict.reasons] == ["It is not blue's Movement phase."]
    give(b, "move_with", "Two")
    give(b, "move", STAY)
    assert "move_with" not in kinds(b)


@rule("w40k11.movephase.structure", check=1)
def test_who_is_destroyed_or_was_never_set_up_is_not_selected() -> None:
    dead = unit("Dead", "red", TROOPER, [(9, 9)], wounds={1: 0})
    b = situation([dead, unit("Left out", "red", TROOPER, off=1), BASE, FOE])
    assert offered(b, "move_with") == ["Base"]
    for name in ("Dead", "Left out"):
        refused_by(b, "move_with", name, "w40k11.movephase.structure")


@rule("w40k11.movephase.structure", check=2)
def test_who_was_destroyed_in_reserves_is_selected_no_more() -> None:
    b = situation([unit("Late", "red", TROOPER, off=1, reserve="strategic"), BASE, FOE], round_=3)
    before = offered(b, "move_with")
    for player in (1, 0):
        until(b, "move_with", player)
    assert (before, b.state.round, offered(b, "move_with")) == (["Base", "Late"], 4, ["Base"])


DIG: dict[str, Any] = {"name": "Dig", "starts": "movement", "near_objective": True, "limit": 1, "vp": 2}


def site(starts: str, *others: Any, dice: Any = None) -> Battle11:
    """Reds near an objective with an action to start in that phase, engaged or not, and selected to move."""
    ground = {**mission(), "actions": [{**DIG, "starts": starts}]}
    reds = unit("Reds", "red", TROOPER, [(10, 10)])
    b = situation([reds, *others, FOE], mission=ground, dice=dice)
    give(b, "move_with", "Reds")
    return b


@rule("w40k11.movephase.structure", check=1)
def test_an_action_is_started_between_moves_and_after_the_last() -> None:
    b = site("movement", BASE)
    give(b, "move", {"mode": "normal"})
    play(b, "Action: Dig with Reds")
    between = offered(b, "move_with")
    last = site("movement")
    give(last, "move", {"mode": "normal"})
    assert (between, cards(last)) == (["Base"], ["Action: Dig with Reds"])


@rule("w40k11.movephase.structure", check=2)
def test_a_unit_in_reserves_is_selected_and_may_stay_there() -> None:
    b = situation([unit("Late", "red", TROOPER, off=1, reserve="strategic"), BASE, FOE], round_=2)
    give(b, "move_with", "Late")
    give(b, "enter", "stationary")
    late = named(b, "Late")
    assert (late.moved, late.reserve, alive(b, "Late")) == ("stationary", "strategic", 0)
    assert offered(b, "move_with") == ["Base"]


@rule("w40k11.movephase.structure", check=3)
def test_passengers_are_selected_and_may_stay_aboard() -> None:
    rhino = unit("Rhino", "red", RHINO, [(20, 10)])
    b = situation([rhino, unit("Late", "red", TROOPER, off=1, embarked="Rhino"), FOE])
    give(b, "move_with", "Rhino")
    give(b, "move", STAY)
    give(b, "move_with", "Late")
    give(b, "enter", "stationary")
    late = named(b, "Late")
    assert (late.moved, late.embarked, alive(b, "Late"), "move_with" in kinds(b)) == ("stationary", 0, 0, False)


@rule("w40k11.movephase.structure", check=4)
def test_reserves_arrive_between_the_moves_of_others() -> None:
    units = [unit(name, "red", TROOPER, [(5 + 4 * k, 9)]) for k, name in enumerate(("One", "Two"))]
    b = situation([*units, unit("Late", "red", TROOPER, off=1, reserve="strategic"), FOE], round_=2)
    give(b, "move_with", "One")
    give(b, "move", to(5, 12))
    give(b, "move_with", "Late")
    give(b, "enter", "ingress")
    give(b, "arrive", [[20, 2]])
    assert (places(b, "Late"), offered(b, "move_with")) == ([(20, 2, 0)], ["Two"])


@rule("w40k11.movephase.stationary", check=1)
def test_an_engaged_unit_may_remain_stationary() -> None:
    b = fray()
    give(b, "move", STAY)
    assert (named(b, "Reds").moved, told(b), kinds(b)) == ("stationary", ["stationary"], ["move_with"])


@rule("w40k11.movephase.stationary", check=2)
def test_a_stationary_unit_does_not_even_turn() -> None:
    b = lone(sheet={**TROOPER, "base": "60x35mm"})
    turn = {"mode": "stationary", "paths": {1: [{"do": "turn", "to": [10, 10], "facing": 90}]}}
    assert (said(b, turn), said(b, STAY)) == ({"refused", "w40k11.movephase.stationary"}, set())


@rule("w40k11.movephase.stationary", check=3)
def test_nothing_that_waits_for_a_move_is_triggered() -> None:
    watch = power("Foes", kind="move", at="enemy_moved", within=60, distance=3)
    moved, stayed = lone(abilities=[watch]), lone(abilities=[watch])
    give(moved, "move", to(10, 12))
    give(stayed, "move", STAY)
    assert [kinds(moved), kinds(stayed)] == [["extra_move"], ["move_with"]]


@rule("w40k11.movephase.stationary", check=4)
def test_a_stationary_unit_embarks_nowhere() -> None:
    b = lone(others=[FOE, unit("Rhino", "red", RHINO, [(10, 14)])])
    cited = {"refused", "w40k11.transport.embark", "w40k11.movephase.stationary"}
    assert said(b, {**STAY, "onto": "Rhino"}) == cited
    assert said(b, {"mode": "normal", "onto": "Rhino"}) == set()


# --- Normal and Advance moves -----------------------------------------------------------------------------------------


@rule("w40k11.movephase.normal", check=1)
def test_each_model_goes_as_far_as_its_own_move() -> None:
    b = lone()
    cited = {"refused", "w40k11.move.straight_line", "w40k11.movephase.normal"}
    assert (said(b, to(10, 16)), said(b, to(10, 16.01))) == (set(), cited)


@rule("w40k11.movephase.normal", check=2)
def test_only_a_unit_that_is_engaged_with_aircraft_alone_makes_a_normal_move() -> None:
    plane = unit("Plane", "blue", PLANE, [(10, 7)])
    held = fray(others=[plane])
    free = lone((10, 10), others=[plane, FOE])
    assert [("Normal move" in offered(b, "move")) for b in (held, free)] == [False, True]


@rule("w40k11.movephase.normal", check=3)
def test_a_normal_move_ends_unengaged() -> None:
    b = lone(others=[unit("Blues", "blue", TROOPER, [(10, 18)]), FOE])
    assert (said(b, to(10, 15)), said(b, to(10, 14.99))) == ({"refused", "w40k11.movephase.normal"}, set())


@rule("w40k11.movephase.normal", check=4)
def test_a_normal_move_passes_within_engagement_range() -> None:
    b = lone(others=[unit("Blues", "blue", TROOPER, [(12, 13)]), FOE])
    assert (said(b, to(10, 16)), said(b, to(10, 15))) == (set(), {"refused", "w40k11.movephase.normal"})


def advanced(face: int = 4, sheet: Any = TROOPER, others: Any = (FOE,), **more: Any) -> Battle11:
    """Reds that have rolled for an Advance."""
    b = lone(sheet=sheet, others=others, dice={"advance": [face]}, **more)
    give(b, "move", {"mode": "advance"})
    return b


@rule("w40k11.movephase.advance", check=1)
def test_six_and_a_roll_of_four_are_ten() -> None:
    b = advanced()
    cited = {"refused", "w40k11.move.straight_line", "w40k11.movephase.advance"}
    far, too_far = to(10, 20, "advance"), to(10, 20.01, "advance")
    assert (said(b, far, "complete_move"), said(b, too_far, "complete_move")) == (set(), cited)


@rule("w40k11.movephase.advance", check=2)
def test_one_die_is_rolled_for_the_unit() -> None:
    b = situation([unit("Reds", "red", TROOPER, row(3, (10, 10))), FOE], dice={"advance": [2]})
    give(b, "move_with", "Reds")
    give(b, "move", {"mode": "advance"})
    assert (rolls(b), kinds(b)) == ([("advance", (2,))], ["complete_move"])


NEAR = unit("Blues", "blue", TROOPER, [(10, 22)])


@rule("w40k11.movephase.advance", check=3)
def test_who_advanced_declares_no_charge() -> None:
    b, walked = advanced(others=[NEAR, FOE]), lone(others=[NEAR, FOE])
    give(b, "complete_move", to(10, 12, "advance"))
    give(walked, "move", to(10, 12))
    assert cites(eligible_to_charge(b, named(b, "Reds"))) == {"w40k11.charge.eligible", "w40k11.movephase.advance"}
    assert eligible_to_charge(walked, named(walked, "Reds"))


@rule("w40k11.movephase.advance", check=4)
def test_who_advanced_starts_no_action() -> None:
    ran, walked = site("shooting", dice={"advance": [1]}), site("shooting")
    give(ran, "move", {"mode": "advance"})
    give(ran, "complete_move", {"mode": "advance"})
    give(walked, "move", {"mode": "normal"})
    for b in (ran, walked):
        until(b, "shoot_with")
    assert [cards(b) for b in (ran, walked)] == [[], ["Action: Dig with Reds"]]


@rule("w40k11.movephase.advance", check=5)
def test_who_advanced_shoots_by_assault_shooting_alone() -> None:
    armed = sheet(gun("assault"), gun(name="cannon"))
    b, walked = advanced(sheet=armed, others=[NEAR, FOE]), lone(sheet=armed, others=[NEAR, FOE])
    give(b, "complete_move", to(10, 12, "advance"))
    give(walked, "move", to(10, 12))
    assert [types_open(x, named(x, "Reds")) for x in (b, walked)] == [("assault",), ("normal",)]


# --- Falling back -----------------------------------------------------------------------------------------------------


@rule("w40k11.movephase.fall_back", check=1)
def test_only_an_engaged_unit_falls_back() -> None:
    assert [("Ordered retreat" in offered(b, "move")) for b in (fray(), lone())] == [True, False]


@rule("w40k11.movephase.fall_back", check=2)
def test_a_fall_back_move_ends_unengaged() -> None:
    b = fray()
    cited = {"refused", "w40k11.movephase.fall_back"}
    assert (said(b, to(10, 9, "fall_back")), said(b, to(10, 8.99, "fall_back"))) == (cited, set())


def fallen_back() -> Battle11:
    b = fray()
    give(b, "move", to(10, 6, "fall_back"))
    return b


@rule("w40k11.movephase.fall_back", check=3)
def test_who_fell_back_does_not_shoot() -> None:
    b, stayed = fallen_back(), lone((10, 6), others=[unit("Blues", "blue", TROOPER, [(10, 12)])])
    give(stayed, "move", STAY)
    until(stayed, "shoot_with")
    until(b, "shoot_with")
    assert (offered(stayed, "shoot_with"), offered(b, "shoot_with")) == (["Base", "Reds"], ["Base"])


@rule("w40k11.movephase.fall_back", check=4)
def test_who_fell_back_declares_no_charge() -> None:
    b, walked = fallen_back(), lone((10, 8), others=[unit("Blues", "blue", TROOPER, [(10, 12)])])
    give(walked, "move", to(10, 6))
    assert cites(eligible_to_charge(b, named(b, "Reds"))) == {"w40k11.charge.eligible", "w40k11.movephase.fall_back"}
    assert eligible_to_charge(walked, named(walked, "Reds"))


@rule("w40k11.movephase.fall_back", check=5)
def test_who_fell_back_starts_no_action() -> None:
    blues = unit("Blues", "blue", TROOPER, [(10, 12)])
    fled, free = site("shooting", BASE, blues), site("shooting", BASE)
    give(fled, "move", to(10, 8.9, "fall_back"))
    give(free, "move", to(10, 8.9))
    for b in (fled, free):
        until(b, "shoot_with")
    assert [cards(b) for b in (fled, free)] == [[], ["Action: Dig with Reds"]]


@rule("w40k11.movephase.ordered_retreat", check=1)
def test_an_ordered_retreat_asks_for_no_rolls_and_a_desperate_escape_does() -> None:
    b, rash = fallen_back(), fray(dice={"hazard": [6], "battle-shock": [6, 6]})
    give(rash, "move", {"mode": "desperate"})
    give(rash, "complete_move", to(10, 6, "desperate"))
    assert (rolls(b), [reason for reason, _ in rolls(rash)]) == ([], ["hazard", "battle-shock"])


@rule("w40k11.movephase.ordered_retreat", check=2)
def test_nobody_passes_through_enemies_in_an_ordered_retreat() -> None:
    b = fray(sheet={**TROOPER, "move": 8})
    around = {"mode": "fall_back", "paths": {1: [[12, 12], [12, 15.5]]}}
    assert (said(b, to(10, 16, "fall_back")), said(b, around)) == ({"refused", "w40k11.move.models"}, set())


@rule("w40k11.movephase.ordered_retreat", check=3)
def test_a_battle_shocked_unit_has_no_ordered_retreat() -> None:
    shocked, calm = fray(battle_shocked=True), fray()
    both = ["Desperate escape", "Ordered retreat"]
    assert [[m for m in offered(b, "move") if m in both] for b in (shocked, calm)] == [both[:1], both]


@rule("w40k11.movephase.ordered_retreat", check=4)
def test_who_is_boxed_in_may_make_a_desperate_escape() -> None:
    ring = [(10, 12), (12, 10), (10, 8), (8, 10), (11.5, 11.5), (8.5, 8.5), (11.5, 8.5), (8.5, 11.5)]
    blues = [unit(f"Blue {k}", "blue", TROOPER, [at]) for k, at in enumerate(ring)]
    reds = unit("Reds", "red", TROOPER, [(10, 10)])
    b = situation([reds, *blues], dice={"hazard": [6], "battle-shock": [6, 6]})
    give(b, "move_with", "Reds")
    assert {"Desperate escape", "Ordered retreat"} <= set(offered(b, "move"))
    refused_by(b, "move", to(10, 15.5, "fall_back"), "w40k11.move.models")
    give(b, "move", {"mode": "desperate"})
    give(b, "complete_move", to(10, 15.5, "desperate"))
    assert places(b, "Reds") == [(10, 15.5, 0)]


def escape(count: int = 1, hazard: Any = (6,), nerve: Any = (6, 6), sheet: Any = TROOPER, **flags: Any) -> Battle11:
    """Reds that make a desperate escape."""
    b = fray(count, sheet, {"hazard": list(hazard), "battle-shock": list(nerve)}, **flags)
    give(b, "move", {"mode": "desperate"})
    return b


@rule("w40k11.movephase.desperate_escape", check=1)
def test_five_models_make_five_hazard_rolls_before_anybody_moves() -> None:
    b = escape(5, [3, 4, 5, 6, 6])
    assert (rolls(b), places(b, "Reds")[0], kinds(b)) == ([("hazard", (3, 4, 5, 6, 6))], (10, 10, 0), ["complete_move"])


def test_the_question_says_that_a_desperate_escape_is_chosen_before_anybody_goes_anywhere() -> None:
    b, rolled = fray(), escape()
    (before,), (after,) = b.decisions, rolled.decisions
    assert {m.name: m.later for m in before.modes} == {"stationary": False, "fall_back": False, "desperate": True}  # type: ignore[attr-defined]
    assert [m.later for m in after.modes] == [False]  # type: ignore[attr-defined]
    assert questions.towards(b, before, Goal(10_240, 6_144, mode="desperate")) == Moves("desperate")


@rule("w40k11.movephase.desperate_escape", check=1)
def test_an_ability_spares_a_unit_the_hazard_rolls() -> None:
    units = [unit("Reds", "red", TROOPER, [(10, 10)]), unit("Blues", "blue", TROOPER, [(10, 12)]), FOE]
    b = situation(units, abilities=[power("Reds", kind="allow", what="no_falling_back_losses")])
    give(b, "move_with", "Reds")
    give(b, "move", {"mode": "desperate"})
    assert (rolls(b), kinds(b)) == ([], ["complete_move"])


@rule("w40k11.movephase.desperate_escape", check=2)
@pytest.mark.parametrize(("doc", "left"), [(TROOPER, [1]), ({**TANK, "base": INCH}, [9])], ids=["foot", "tank"])
def test_a_low_hazard_roll_costs_a_mortal_wound_or_a_vehicle_three(doc: Any, left: list[int]) -> None:
    hurt, whole = escape(hazard=[2], sheet=doc), escape(hazard=[3], sheet=doc)
    full = [doc["wounds"]]
    assert (wounds(hurt, "Reds"), wounds(whole, "Reds")) == (left, full)


@rule("w40k11.movephase.desperate_escape", check=2)
def test_a_unit_that_its_hazard_rolls_destroy_goes_nowhere_and_the_next_one_moves() -> None:
    reds = unit("Reds", "red", TROOPER, row(2, (10, 10)), wounds={1: 1, 2: 1})
    others = [unit("Others", "red", TROOPER, [(30, 10)]), unit("Blues", "blue", TROOPER, [(10, 12)])]
    b = situation([reds, *others], dice={"hazard": [2, 1]})
    give(b, "move_with", "Reds")
    give(b, "move", {"mode": "desperate"})
    assert (alive(b, "Reds"), rolls(b), kinds(b), offered(b, "move_with")) == (
        0,
        [("hazard", (2, 1))],
        ["move_with"],
        ["Others"],
    )


@rule("w40k11.movephase.desperate_escape", check=3)
def test_models_pass_through_enemies_in_a_desperate_escape() -> None:
    b = escape()
    assert said(b, to(10, 15.5, "desperate"), "complete_move") == set()


@rule("w40k11.movephase.desperate_escape", check=4)
def test_a_unit_that_was_not_battle_shocked_rolls_when_the_move_has_ended() -> None:
    b = escape(nerve=[1, 1])
    before = rolls(b)
    give(b, "complete_move", to(10, 6, "desperate"))
    assert (before, rolls(b)[1:], named(b, "Reds").battle_shocked) == (
        [("hazard", (6,))],
        [("battle-shock", (1, 1))],
        True,
    )


@rule("w40k11.movephase.desperate_escape", check=4)
def test_who_embarks_after_a_desperate_escape_rolls_first() -> None:
    rhino = unit("Rhino", "red", RHINO, [(10, 6)], moved="stationary")
    b = fray(dice={"hazard": [6], "battle-shock": [1, 1]}, others=[rhino])
    give(b, "move", {"mode": "desperate"})
    give(b, "complete_move", {"mode": "desperate", "to": [[10, 8.2]], "onto": "Rhino"})
    reds = named(b, "Reds")
    assert (rolls(b)[1:], reds.battle_shocked, reds.embarked) == (
        [("battle-shock", (1, 1))],
        True,
        named(b, "Rhino").id,
    )


@rule("w40k11.movephase.desperate_escape", check=5)
def test_a_unit_that_was_battle_shocked_makes_no_such_roll() -> None:
    b, calm = escape(battle_shocked=True), escape()
    for x in (b, calm):
        give(x, "complete_move", to(10, 6, "desperate"))
    assert [[reason for reason, _ in rolls(x)] for x in (b, calm)] == [["hazard"], ["hazard", "battle-shock"]]


@rule("w40k11.movephase.desperate_escape", check=6)
@pytest.mark.parametrize("keyword", ["FLY", "TITANIC"])
def test_who_flies_or_is_titanic_makes_hazard_rolls_too(keyword: str) -> None:
    doc = {**TROOPER, "keywords": ["INFANTRY", keyword]}
    reds = unit("Reds", "red", doc, [(10, 10)])
    b = situation([reds, unit("Blues", "blue", TROOPER, [(10, 12)]), FOE], dice={"hazard": [5]})
    give(b, "move_with", "Reds")
    until(b, "move")
    give(b, "move", {"mode": "desperate"})
    assert rolls(b) == [("hazard", (5,))]


# --- Models with a Move of their own ----------------------------------------------------------------------------------


def led() -> Battle11:
    hero = unit("Hero", "red", {**HERO, "move": 5}, [(10, 12)], leads="Reds")
    b = situation([unit("Reds", "red", TROOPER, row(2, (10, 10))), hero, FOE], dice={"advance": [3]})
    give(b, "move_with", "Reds")
    return b


@rule("w40k11.appendix.different_m", check=1)
def test_a_slower_leader_goes_less_far() -> None:
    b = led()
    all_six = {"mode": "normal", "to": [[10, 16], [11.5, 16], [10, 18]]}
    hero_five = {"mode": "normal", "to": [[10, 16], [11.5, 16], [10, 17]]}
    assert ("refused" in said(b, all_six), said(b, hero_five)) == (True, set())


@rule("w40k11.appendix.different_m", check=2)
def test_an_advance_roll_adds_to_the_move_of_each() -> None:
    b = led()
    give(b, "move", {"mode": "advance"})
    all_nine = {"mode": "advance", "to": [[10, 19], [11.5, 19], [10, 21]]}
    hero_eight = {"mode": "advance", "to": [[10, 19], [11.5, 19], [10, 20]]}
    assert ("refused" in said(b, all_nine, "complete_move"), said(b, hero_eight, "complete_move")) == (True, set())


# --- Taking to the skies ----------------------------------------------------------------------------------------------


def flier(yes: str, sheet: Any = JUMPER, others: Any = (FOE,), terrain: Any = None, **more: Any) -> Battle11:
    """Reds that can FLY, selected to move, in the skies or not."""
    b = situation([unit("Reds", "red", sheet, [(10, 10)]), *others], terrain, **more)
    give(b, "move_with", "Reds")
    give(b, "skies", yes)
    return b


FAR = {"refused", "w40k11.move.straight_line", "w40k11.movephase.normal"}


@rule("w40k11.fly.take_to_skies", check=1)
def test_twelve_inches_are_ten_in_the_air() -> None:
    b = flier("yes")
    assert (said(b, to(20, 10)), said(b, to(20.01, 10))) == (set(), FAR)


def led_flight(*hero: str, abilities: Any = ()) -> Battle11:
    """Jumpers that hover, with a leader, selected to move."""
    chief = {**HERO, "move": 12, "leads": ["Jumper"], "keywords": ["INFANTRY", "CHARACTER", *hero],
             "abilities": ["leader", *abilities]}  # fmt: skip
    reds = unit("Reds", "red", {**JUMPER, "abilities": ["hover"]}, [(10, 10)])
    b = situation([reds, unit("Hero", "red", chief, [(10, 12)], leads="Reds"), FOE])
    give(b, "move_with", "Reds")
    return b


@rule("w40k11.fly.take_to_skies", check=1)
def test_one_model_that_cannot_fly_keeps_the_unit_on_the_ground() -> None:
    assert [kinds(led_flight()), kinds(led_flight("FLY"))] == [["move"], ["skies"]]


@rule("w40k11.fly.hover", check=1)
def test_one_model_without_hover_costs_the_unit_two_inches() -> None:
    def found(*abilities: str) -> set[str]:
        b = led_flight("FLY", abilities=abilities)
        give(b, "skies", "yes")
        return said(b, {"mode": "normal", "to": [[22, 10], [22, 12]]})

    assert [found(), found("hover")] == [FAR, set()]


@rule("w40k11.fly.take_to_skies", check=2)
def test_height_costs_nothing_in_the_air() -> None:
    hill = [feature("hill", (14, 5, 8, 10), 4, solid=True)]
    over = {"mode": "normal", "paths": {1: [{"do": "climb", "to": [10, 10, 4]}, [20, 10, 4]]}}
    b = flier("yes", terrain=hill)
    walking = flier("no", terrain=hill)
    climb = {"mode": "normal", "paths": {1: [[13.5, 10], {"do": "climb", "to": [13.5, 10, 4]}, [20, 10, 4]]}}
    assert (said(b, over), said(walking, climb)) == (set(), FAR)


@rule("w40k11.fly.take_to_skies", check=3)
def test_enemies_are_passed_in_the_air_big_ones_too() -> None:
    blues = [unit("Tank", "blue", TANK, [(15, 10)])]
    past = to(20, 10)
    assert [said(flier(yes, others=blues), past) for yes in ("yes", "no")] == [set(), {"refused", "w40k11.move.models"}]


@rule("w40k11.fly.take_to_skies", check=4)
def test_dense_terrain_is_passed_in_the_air() -> None:
    bike = {**JUMPER, "keywords": ["MOUNTED", "FLY"]}
    block = [feature("hill", (14, 5, 3, 10), 5, solid=True)]
    found = [said(flier(yes, bike, terrain=block), to(20, 10)) for yes in ("yes", "no")]
    assert found == [set(), {"refused", "w40k11.terrain.move_dense_other"}]


@rule("w40k11.fly.take_to_skies", check=5)
def test_the_end_of_a_flight_has_to_be_legal() -> None:
    blues = [unit("Blues", "blue", TROOPER, [(20, 10)]), unit("Friends", "red", TROOPER, [(12, 12)]), FOE]
    walls = [feature("ruins", (8, 14, 8, 6), 5, walls=(wall((8, 16), (16, 16), 5),))]
    b = flier("yes", others=blues, terrain=walls)
    on_a_model, in_a_wall, engaged, good = (said(b, to(*at)) for at in ((12, 12.5), (10, 16), (17.1, 10), (16.9, 10)))
    assert ("w40k11.move.ending" in on_a_model, "w40k11.move.ending" in in_a_wall, engaged, good) == (
        True,
        True,
        {"refused", "w40k11.movephase.normal"},
        set(),
    )


@rule("w40k11.fly.take_to_skies", check=6)
def test_without_the_declaration_it_moves_on_the_ground_without_the_loss() -> None:
    b = flier("no")
    assert (said(b, to(22, 10)), said(b, to(22.01, 10))) == (set(), FAR)


@rule("w40k11.fly.take_to_skies", check=7)
def test_a_charge_through_the_air_goes_two_inches_less() -> None:
    def targets(gap: float, yes: str) -> list[str]:
        blues = [unit("Blues", "blue", TROOPER, [(11 + gap, 10)]), FOE]
        reds = unit("Reds", "red", JUMPER, [(10, 10)])
        b = situation([reds, *blues], step="charge_units", dice={"charge": [4, 4]})
        give(b, "charge_with", "Reds")
        give(b, "skies", yes)
        return kinds(b)

    assert [targets(6, "yes"), targets(6.1, "yes") == targets(6, "yes"), targets(8, "no")] == [
        ["charge_move"],
        False,
        ["charge_move"],
    ]


@rule("w40k11.fly.hover", check=1)
def test_who_hovers_loses_nothing() -> None:
    b = flier("yes", {**JUMPER, "abilities": ["hover"]})
    assert (said(b, to(22, 10)), said(b, to(22.01, 10))) == (set(), FAR)


@rule("w40k11.fly.hover", check=2)
def test_hover_does_nothing_on_the_ground() -> None:
    hovering = {**JUMPER, "abilities": ["hover"]}
    blues = [unit("Tank", "blue", TANK, [(15, 10)])]
    assert said(flier("no", hovering, blues), to(20, 10)) == {"refused", "w40k11.move.models"}
    assert said(flier("yes", hovering, blues), to(22, 10)) == set()


@rule("w40k11.movephase.advance", check=6)
def test_an_advance_roll_may_be_rolled_again() -> None:
    reds = unit("Reds", "red", TROOPER, [(10, 10)])
    b = situation([reds, BASE, FOE], dice={"advance": [1, 5]}, cp=(1, 0), options={"windows": "all"})
    give(b, "move_with", "Reds")
    give(b, "move", {"mode": "advance"})
    play(b, "Command Re-Roll")
    assert (rolls(b), named(b, "Reds").advance) == ([("advance", (1,)), ("advance", (5,))], 5)


@pytest.mark.parametrize("shocked", [False, True])
def test_a_desperate_escape_says_which_dice_it_asks_for(shocked: bool) -> None:
    b = fray(battle_shocked=shocked)
    dice, *nerve = judge(b, "move", {"mode": "desperate"}).notes
    assert dice.text == "1 hazard roll: a roll of 2 or less costs the unit 1 mortal wound."
    assert (dice.facts, dice.models) == ({"rolls": 1, "mortal_wounds": 0.33}, (0,))
    assert [n.text for n in nerve] == ["After the move comes a battle-shock roll."] * (not shocked)
    assert rolls(b) == []
