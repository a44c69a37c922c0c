"""Actions: who may start one, what that costs, and how it ends."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.battle import Leg, Moves, Path, questions
from sandtable.systems.w40k11.actions import actions_of, may_start
from sandtable.systems.w40k11.battle_shock import become_shocked
from sandtable.systems.w40k11.moving import CONSOLIDATE, SURGE, Passage, carry
from sandtable.systems.w40k11.state import Battle11
from sandtable.table.grid import steps
from w40k11 import table
from w40k11.carriers import RHINO, is_aboard
from w40k11.table import FOE, TROOPER, cards, cites, give, kinds, mission, named, offered, play, situation, told, unit

rule = pytest.mark.rule

TASK: dict[str, Any] = {"name": "Dig", "starts": "shooting", "near_objective": True, "limit": 1, "vp": 2}
PLAIN: dict[str, Any] = {**TROOPER, "weapons": []}
DIG = "Action: Dig with Reds"
ABOARD = {"mode": "normal", "to": [[10, 11.5]], "onto": "Rhino"}


def site(
    doc: Any = TROOPER,
    *more: Any,
    at: table.Spots | None = None,
    task: Any = TASK,
    step: str = "shoot_units",
    dice: Any = None,
    abilities: Any = (),
    **flags: Any,
) -> Battle11:
    """Reds near an objective, with a task of the mission."""
    reds = unit("Reds", "red", doc, at or [(10, 10)], **flags)
    spare = unit("Spare", "red", TROOPER, [(40, 5)])
    tasks = {"mission": {**mission(), "actions": [task]}, "abilities": list(abilities)}
    return situation([reds, spare, FOE, *more], step=step, dice=dice or {"hit": [1] * 9}, **tasks)


def play_on(b: Battle11) -> None:
    """Answer plainly until the turn is over."""
    while b.state.active == 0:
        b.answer(b.decisions[0], questions.plain(b, b.decisions[0]))


# --- What an action is ------------------------------------------------------------------------------------------------


@rule("w40k11.action.definition", check=1)
@rule("w40k11.gap.action_list", check=1)
def test_an_action_from_data_is_started_and_completed() -> None:
    b = site()
    asked = cards(b)
    play(b, DIG)
    play_on(b)
    story = [kind for kind in told(b) if kind.startswith("action")]
    assert (asked, story, b.player(0).vp) == ([DIG], ["action_started", "action_completed"], 2)


@rule("w40k11.action.definition", check=1)
@pytest.mark.parametrize(("completes", "vp"), [("at once", 2), ("turn", 0)])
def test_an_action_says_when_it_is_completed(completes: str, vp: int) -> None:
    b = site(task={**TASK, "completes": completes})
    play(b, DIG)
    at_once = b.player(0).vp
    play_on(b)
    assert (at_once, b.player(0).vp) == (vp, 2)


@rule("w40k11.action.definition", check=1)
def test_each_of_two_actions_has_its_own_effect() -> None:
    tasks = [TASK, {**TASK, "name": "Plant", "vp": 5}]
    b = situation([unit("Reds", "red", TROOPER, [(10, 10)]), FOE], step="shoot_units",
                  mission={**mission(), "actions": tasks})  # fmt: skip
    labels = cards(b)
    play(b, "Action: Plant with Reds")
    play_on(b)
    assert (labels, b.player(0).vp) == ([DIG, "Action: Plant with Reds"], 5)


@rule("w40k11.gap.action_list", check=1)
def test_without_a_mission_there_are_no_actions() -> None:
    b = situation([unit("Reds", "red", TROOPER, [(10, 10)]), FOE], step="shoot_units", objectives=[(10, 10)])
    assert (actions_of(b), cards(b), kinds(b)) == ((), [], ["shoot_with"])


@rule("w40k11.action.definition", check=1)
@pytest.mark.parametrize(
    ("changes", "number"),
    [
        ({}, 1),
        ({"starts": "movement"}, 0),
        ({"keywords": ["VEHICLE"]}, 0),
        ({"keywords": ["VEHICLE", "INFANTRY"]}, 1),
        ({"near_objective": False}, 2),
    ],
)
def test_an_action_says_when_it_starts_and_who_may(changes: dict[str, Any], number: int) -> None:
    assert len(cards(site(task={**TASK, **changes}))) == number


@rule("w40k11.action.definition", check=2)
@pytest.mark.parametrize(("limit", "labels"), [(1, []), (2, ["Action: Dig with More"])])
def test_a_use_limit_stops_further_units(limit: int, labels: list[str]) -> None:
    b = site(TROOPER, unit("More", "red", TROOPER, [(10, 13)]), task={**TASK, "limit": limit})
    play(b, DIG)
    assert cards(b) == labels


@rule("w40k11.action.definition", check=2)
@pytest.mark.parametrize(("limit", "labels"), [(1, []), (2, ["Action: Dig with More"])])
def test_an_action_that_was_stopped_counts_for_the_use_limit(limit: int, labels: list[str]) -> None:
    task = {**TASK, "starts": "movement", "limit": limit}
    b = site(TROOPER, unit("More", "red", TROOPER, [(10, 13)]), task=task, step="move_units")
    play(b, DIG)
    give(b, "move_with", "Reds")
    give(b, "move", {"mode": "normal", "by": [0.5, 0]})
    assert (told(b)[-2:].count("action_stopped"), cards(b)) == (1, labels)


# --- Who may start one ------------------------------------------------------------------------------------------------


def why(b: Battle11) -> set[str]:
    """Why the Reds may not start the action; nothing if they may."""
    return cites(may_start(b, named(b, "Reds"), actions_of(b)[0]))


NOT = {"w40k11.action.eligible"}
ANYWHERE = {**TASK, "near_objective": False}


@rule("w40k11.action.eligible", check=1)
def test_an_embarked_unit_starts_none() -> None:
    away = situation(
        [unit("Reds", "red", TROOPER, off=1, embarked="Box"), unit("Box", "red", RHINO, [(40, 5)]), FOE],
        step="shoot_units",
        mission={**mission(), "actions": [ANYWHERE]},
    )
    verdict = may_start(away, named(away, "Reds"), actions_of(away)[0])
    assert ([r.text for r in verdict.reasons], why(away), why(site())) == (
        ["Reds are not on the battlefield."],
        NOT,
        set(),
    )


@rule("w40k11.action.eligible", check=2)
@pytest.mark.parametrize(("keyword", "rules"), [("AIRCRAFT", NOT), ("FORTIFICATION", NOT), ("VEHICLE", set())])
def test_aircraft_and_fortifications_start_none(keyword: str, rules: set[str]) -> None:
    assert why(site({**TROOPER, "keywords": [keyword]})) == rules


@rule("w40k11.action.eligible", check=3)
@rule("w40k11.concept.battleshocked", check=5)
@pytest.mark.parametrize(("shocked", "number"), [(True, 0), (False, 1)])
def test_the_battle_shocked_start_none(shocked: bool, number: int) -> None:
    assert len(cards(site(battle_shocked=shocked))) == number


@rule("w40k11.action.eligible", check=4)
@pytest.mark.parametrize(("oc", "rules"), [(0, NOT), (1, set())])
def test_who_controls_nothing_starts_none(oc: int, rules: set[str]) -> None:
    assert why(site({**TROOPER, "oc": oc})) == rules


@rule("w40k11.action.eligible", check=4)
@pytest.mark.parametrize(("oc", "to", "rules"), [(0, 1, set()), (1, 0, NOT)])
def test_oc_counts_as_effects_change_it(oc: int, to: int, rules: set[str]) -> None:
    assert (
        why(site({**TROOPER, "oc": oc}, abilities=[table.power("Reds", kind="characteristic", name="OC", to=to)]))
        == rules
    )


@rule("w40k11.action.eligible", check=4)
def test_one_model_that_can_control_is_enough() -> None:
    reds = unit(
        "Reds", "red", {**TROOPER, "oc": 0}, [(10, 10), (10, 11.5)], loadout=[{"models": [2], "sheet": TROOPER}]
    )
    b = situation([reds, FOE], step="shoot_units", mission={**mission(), "actions": [TASK]})
    assert cards(b) == [DIG]


@rule("w40k11.action.eligible", check=5)
@pytest.mark.parametrize(
    ("keywords", "x", "rules"),
    [(["VEHICLE"], 13, NOT), (["VEHICLE"], 13.1, set()), (["VEHICLE", "TITANIC"], 13, set())],
)
def test_the_engaged_start_none_unless_titanic(keywords: list[str], x: float, rules: set[str]) -> None:
    assert why(site({**TROOPER, "keywords": keywords}, unit("Blues", "blue", PLAIN, [(x, 10)]))) == rules


@rule("w40k11.action.eligible", check=6)
@pytest.mark.parametrize(("moved", "number"), [("advance", 0), ("fall_back", 0), ("normal", 1)])
def test_who_advanced_or_fell_back_starts_none(moved: str, number: int) -> None:
    assert len(cards(site(moved=moved))) == number


@rule("w40k11.movephase.advance", check=4)
def test_who_advanced_starts_no_action_this_turn() -> None:
    b = site(TROOPER, unit("More", "red", TROOPER, [(10, 13)]), step="move_units", dice={"advance": [1]})
    give(b, "move_with", "Reds")
    give(b, "move", {"mode": "advance"})
    give(b, "complete_move", {"mode": "advance", "by": [-1, 0]})
    give(b, "move_with", "More")
    give(b, "move", {"mode": "normal", "by": [-1, 0]})
    table.until(b, "shoot_with")
    assert cards(b) == ["Action: Dig with More"]


@rule("w40k11.movephase.fall_back", check=5)
@pytest.mark.parametrize(("x", "mode", "labels"), [(12, "fall_back", []), (15, "normal", [DIG])])
def test_who_fell_back_starts_no_action_this_turn(x: float, mode: str, labels: list[str]) -> None:
    b = site(TROOPER, unit("Blues", "blue", PLAIN, [(x, 10)]), step="move_units")
    give(b, "move_with", "Reds")
    give(b, "move", {"mode": mode, "by": [-2, 0]})
    table.until(b, "shoot_with")
    assert cards(b) == labels


@rule("w40k11.action.eligible", check=7)
def test_a_unit_starts_one_action_in_a_turn() -> None:
    b = site(task={**TASK, "limit": 5})
    play(b, DIG)
    once = (cards(b), why(b))
    play_on(b)
    table.until(b, "shoot_with", 0)
    assert (once, cards(b)) == (([], NOT), [DIG])


@rule("w40k11.action.eligible", check=8)
def test_who_has_shot_starts_none() -> None:
    b = site(TROOPER, unit("Blues", "blue", {**PLAIN, "wounds": 9}, [(20, 10)]))
    before = cards(b)
    give(b, "shoot_with", "Reds")
    table.default(b, "shoot")
    assert (before, kinds(b), cards(b)) == ([DIG], ["shoot_with"], [])


# --- What it costs ----------------------------------------------------------------------------------------------------


@rule("w40k11.action.start", check=1)
def test_who_acts_does_not_shoot() -> None:
    b = site()
    before = offered(b, "shoot_with")
    play(b, DIG)
    assert ("Reds" in before, offered(b, "shoot_with")) == (True, ["Spare"])


@rule("w40k11.action.start", check=2)
@pytest.mark.parametrize(("keywords", "names"), [(["TITANIC"], ["Reds", "Spare"]), (["INFANTRY"], ["Spare"])])
def test_the_titanic_shoot_all_the_same(keywords: list[str], names: list[str]) -> None:
    b = site({**TROOPER, "keywords": keywords})
    play(b, DIG)
    assert offered(b, "shoot_with") == names


@rule("w40k11.charge.eligible", check=5)
@rule("w40k11.action.start", check=3)
@pytest.mark.parametrize("keyword", ["TITANIC", "INFANTRY"])
def test_who_acts_does_not_charge(keyword: str) -> None:
    blues = unit("Blues", "blue", PLAIN, [(16, 10)])
    b = site({**TROOPER, "keywords": [keyword]}, blues, unit("Eager", "red", PLAIN, [(16, 16)]))
    play(b, DIG)
    give(b, "shoot_with", None)
    assert offered(b, "charge_with") == ["Eager"]


# --- How it ends ------------------------------------------------------------------------------------------------------


def started(*more: Any) -> Battle11:
    """The Reds have started to dig."""
    b = site(TROOPER, *more)
    play(b, DIG)
    return b


def outcome(b: Battle11) -> tuple[int, bool]:
    """VP at the end of the turn, and whether somebody had to stop."""
    play_on(b)
    return b.player(0).vp, "action_stopped" in told(b)


def walk(b: Battle11, move: str) -> None:
    """The Reds move a little."""
    reds = named(b, "Reds")
    model = reds.models[0]
    going = Moves(move, (Path(model, (Leg("go", steps(10.5), steps(10)),)),))
    carry(b, reds, going, Passage(reds.id, move))


@rule("w40k11.action.complete", check=1)
def test_a_surge_move_stops_an_action() -> None:
    b = started()
    walk(b, SURGE)
    assert outcome(b) == (0, True)


@rule("w40k11.action.complete", check=2)
@pytest.mark.parametrize("move", ["pile_in", CONSOLIDATE])
def test_moves_in_a_fight_do_not_stop_it(move: str) -> None:
    b = started()
    walk(b, move)
    assert outcome(b) == (2, False)


@rule("w40k11.action.complete", check=3)
@pytest.mark.parametrize(("name", "vp"), [("Reds", 0), ("Spare", 2)])
def test_who_is_put_into_reserves_completes_nothing(name: str, vp: int) -> None:
    b = site(abilities=[table.power(name, kind="allow", what="into_reserves", at="fight")])
    play(b, DIG)
    assert (outcome(b), told(b).count("into_reserves")) == ((vp, False), 1)


@rule("w40k11.action.complete", check=3)
@pytest.mark.parametrize(("answer", "result"), [({"mode": "stationary"}, (2, False)), (ABOARD, (0, True))])
def test_who_embarks_completes_nothing(answer: table.Doc, result: tuple[int, bool]) -> None:
    rhino = unit("Rhino", "red", {**RHINO, "weapons": []}, [(10, 14)])
    b = site(TROOPER, rhino, task={**TASK, "starts": "movement"}, step="move_units")
    play(b, DIG)
    give(b, "move_with", "Reds")
    give(b, "move", answer)
    assert (is_aboard(b), outcome(b)) == (answer is ABOARD, result)


@rule("w40k11.action.complete", check=4)
def test_becoming_battle_shocked_stops_it() -> None:
    b = started()
    become_shocked(b, named(b, "Reds"), "test")
    assert outcome(b) == (0, True)


@rule("w40k11.action.complete", check=4)
def test_who_does_nothing_has_nothing_to_stop() -> None:
    b = started()
    become_shocked(b, named(b, "Spare"), "test")
    assert outcome(b) == (2, False)


@rule("w40k11.concept.battleshocked", check=6)
def test_an_action_is_lost_even_if_the_unit_recovers() -> None:
    b = started()
    become_shocked(b, named(b, "Reds"), "test")
    b.set_unit(named(b, "Reds"), battle_shocked=False)
    assert outcome(b) == (0, True)


@rule("w40k11.action.complete", check=5)
def test_remaining_stationary_does_not_stop_it() -> None:
    b = site(TROOPER, task={**TASK, "starts": "movement"}, step="move_units")
    play(b, DIG)
    give(b, "move_with", "Reds")
    give(b, "move", {"mode": "stationary"})
    assert outcome(b) == (2, False)


@rule("w40k11.action.complete", check=5)
def test_a_normal_move_stops_it() -> None:
    b = site(TROOPER, task={**TASK, "starts": "movement"}, step="move_units")
    play(b, DIG)
    give(b, "move_with", "Reds")
    give(b, "move", {"mode": "normal", "by": [1, 0]})
    assert outcome(b) == (0, True)
