"""The battle round: its turns, its ends, how long it all lasts, and who is active."""

from __future__ import annotations

import dataclasses
from collections.abc import Coroutine
from typing import Any

import pytest

from sandtable.battle import GONE, Option, Reaction, questions
from sandtable.battle.events import Told
from sandtable.forty.moments import ROUND_ENDED, TURN_BEGAN
from sandtable.systems.w40k11.active_player import act, active_player, takes_order
from sandtable.systems.w40k11.dice import roll_off
from sandtable.systems.w40k11.state import Battle11
from sandtable.systems.w40k11.system import SYSTEM
from w40k11 import table
from w40k11.carriers import RHINO
from w40k11.table import (
    FOE,
    TROOPER,
    blade,
    give,
    gun,
    kinds,
    mission,
    named,
    sheet,
    situation,
    told,
    unit,
)

rule = pytest.mark.rule

PLAIN: dict[str, Any] = {**TROOPER, "weapons": []}
HOLD = {"kind": "hold", "name": "Hold", "vp": 1}
STRIKER = sheet(blade(attacks="1"), name="Striker")


def play_on(b: Battle11, turns: int) -> None:
    """Answer plainly until so many turns are over, or the battle is."""
    while b.decisions and b.state.game.turns < turns:
        b.answer(b.decisions[0], questions.plain(b, b.decisions[0]))


def phases(b: Battle11) -> list[str]:
    """The phases so far, with whose they were."""
    return [e.text for e in b.events if isinstance(e, Told) and e.kind == "phase"]


def two(**more: Any) -> Battle11:
    return situation([unit("Reds", "red", PLAIN, [(5, 5)]), FOE], step="start_of_round", **more)


# --- Rounds -----------------------------------------------------------------------------------------------------------


@rule("w40k11.round.structure", check=1)
def test_the_same_player_has_the_first_turn_in_all_rounds() -> None:
    b = two(active="blue", game={"first": 1})
    play_on(b, 6)
    turns = [text.partition(":")[0] for text in phases(b) if "Command" in text]
    assert turns[:6] == ["blue", "red", "blue", "red", "blue", "red"]


@rule("w40k11.round.structure", check=1)
def test_three_players_follow_each_other_and_rounds_are_counted() -> None:
    units = [unit(name, name.lower(), PLAIN, [(5, 5 + 8 * i)]) for i, name in enumerate(("Red", "Blue", "Green"))]
    b = situation(units, step="start_of_turn", active="blue", players=("red", "blue", "green"), game={"first": 1})
    turns = []
    while b.state.game.turns < 4:
        turns.append((b.state.round, b.state.active))
        b.answer(b.decisions[0], questions.plain(b, b.decisions[0]))
    assert list(dict.fromkeys(turns)) == [(1, 1), (1, 2), (1, 0), (2, 1)]


@rule("w40k11.round.structure", check=3)
@pytest.mark.parametrize(("active", "vp"), [("red", [0, 0]), ("blue", [1, 0])])
def test_rounds_end_after_the_last_turn_alone(active: str, vp: list[int]) -> None:
    scoring = mission({**HOLD, "when": "round"})
    b = situation([unit("Reds", "red", PLAIN, [(10, 10)]), FOE], step="end_of_turn", active=active, mission=scoring)
    assert [p.vp for p in b.state.players] == vp


@rule("w40k11.round.structure", check=2)
def test_the_second_turn_begins_when_the_first_has_ended() -> None:
    b = two()
    play_on(b, 1)
    names = ["Command", "Movement", "Shooting", "Charge", "Fight"]
    assert phases(b)[:6] == [*(f"red: {n} phase." for n in names), "blue: Command phase."]


@rule("w40k11.round.structure", check=3)
def test_other_rules_at_the_end_of_a_round_come_before_mission_rules() -> None:
    async def vanish(b: Battle11, player: int, moment: Any, value: Any) -> None:
        b.place_models(list(named(b, "Reds").models), GONE)
        b.tell("vanished", "The Reds vanish.", "test")

    gone = Reaction(
        "Vanish", ROUND_ENDED, vanish, lambda b, p, m: p == 0, lambda b, p, m: [Option(0, "it")], mandatory=True
    )
    units = [unit("Reds", "red", PLAIN, [(10, 10)]), unit("Others", "red", PLAIN, [(10, 12)]), FOE]
    system = dataclasses.replace(SYSTEM, reactions=(*SYSTEM.reactions, gone))
    scoring = mission({**HOLD, "when": "round"}, spots=[(10, 10), (10, 6.5)])
    b = situation(units, step="end_of_turn", active="blue", mission=scoring, system=system)
    told_ = [kind for kind in told(b) if kind in ("vanished", "scored")]
    assert (told_, [p.vp for p in b.state.players]) == (["vanished", "scored"], [1, 0])


@rule("w40k11.round.structure", check=4)
@pytest.mark.parametrize(("round_", "vp"), [(3, 1), (2, 0)])
def test_reserves_that_are_too_late_are_scored_as_destroyed(round_: int, vp: int) -> None:
    late = unit("Late", "blue", PLAIN, off=1, reserve="strategic")
    scoring = mission({"kind": "destroy", "name": "Destroy", "vp": 1, "when": "round"})
    units = [unit("Reds", "red", PLAIN, [(10, 10)]), FOE, late]
    b = situation(units, step="end_of_turn", active="blue", round_=round_, mission=scoring)
    assert [p.vp for p in b.state.players] == [vp, 0]


@rule("w40k11.round.length", check=1)
def test_the_battle_ends_with_the_fifth_round() -> None:
    b = two()
    play_on(b, 99)
    assert (b.state.round, b.state.game.turns, b.result is not None) == (5, 10, True)


@rule("w40k11.round.length", check=2)
def test_a_mission_may_have_another_number_of_rounds() -> None:
    b = two(mission=mission(HOLD, rounds=2))
    play_on(b, 99)
    assert (b.state.round, b.state.game.turns, b.result is not None) == (2, 4, True)


# --- The end of a turn ------------------------------------------------------------------------------------------------


@rule("w40k11.round.end_of_turn", check=1)
@pytest.mark.parametrize(("lost", "vp"), [(1, 0), (2, 1)])
def test_models_lost_for_coherency_hold_nothing(lost: int, vp: int) -> None:
    reds = unit("Reds", "red", PLAIN, [(10, 10), (30, 10)])
    b = situation([reds, FOE], step="end_of_turn", mission=mission({**HOLD, "when": "turn"}))
    b.answer(b.decisions[0], (named(b, "Reds").models[lost - 1],))
    assert b.player(0).vp == vp


@rule("w40k11.round.end_of_turn", check=2)
@pytest.mark.parametrize(("keywords", "vp"), [(["VEHICLE", "AIRCRAFT"], 1), (["VEHICLE"], 0)])
def test_aircraft_that_leave_hold_nothing(keywords: list[str], vp: int) -> None:
    plane = {**PLAIN, "name": "Plane", "oc": 9, "keywords": keywords}
    units = [unit("Reds", "red", PLAIN, [(10, 10)]), unit("Plane", "blue", plane, [(10, 12.6)]), FOE]
    b = situation(units, step="end_of_turn", mission=mission({**HOLD, "when": "turn"}))
    assert b.player(0).vp == vp


# --- The active player ------------------------------------------------------------------------------------------------


@rule("w40k11.concept.active_player", check=1)
@pytest.mark.parametrize(("name", "player"), [("red", 0), ("blue", 1)])
def test_in_a_turn_its_player_is_active(name: str, player: int) -> None:
    b = situation([unit("Reds", "red", PLAIN, [(5, 5)]), FOE], active=name, game={"first": 1 - player})
    assert (active_player(b), kinds(b)) == (player, ["move_with"])


@rule("w40k11.concept.active_player", check=2)
@pytest.mark.parametrize("first", [0, 1])
def test_between_turns_the_player_with_the_first_turn_is_active(first: int) -> None:
    seen = []

    async def look(b: Battle11, player: int, moment: Any, value: Any) -> None:
        seen.append((active_player(b), takes_order(b)))

    at = Reaction("Look", ROUND_ENDED, look, lambda b, p, m: p == 0, lambda b, p, m: [Option(0, "it")], mandatory=True)
    system = dataclasses.replace(SYSTEM, reactions=(*SYSTEM.reactions, at))
    units, last = [unit("Reds", "red", PLAIN, [(5, 5)]), FOE], ("blue", "red")[first]
    situation(units, step="end_of_turn", active=last, game={"first": first}, system=system)
    assert seen == [(first, first)]


@rule("w40k11.concept.active_player_switch", check=2)
def test_who_fights_in_the_other_turn_is_active_for_that_fight() -> None:
    units = [unit("Reds", "red", STRIKER, [(10, 10)]), unit("Blues", "blue", STRIKER, [(12, 10)])]
    b = situation(units, step="begin_fights", dice={"hit": [1, 1]})
    table.default(b, "strike")
    during = (kinds(b), active_player(b))
    table.default(b, "strike")
    assert (during, kinds(b), active_player(b)) == ((["strike"], 1), ["consolidate_with"], 0)


@rule("w40k11.concept.active_player_switch", check=3)
def test_an_emergency_disembark_is_made_by_the_player_of_the_passengers() -> None:
    box = {**RHINO, "wounds": 1, "save": 7, "toughness": 1}
    killer = sheet(gun(attacks="1", damage="9", ap=-6, strength=9), name="Killer")
    units = [
        unit("Reds", "red", killer, [(20, 10)]),
        unit("Blues", "blue", TROOPER, off=1, embarked="Rhino"),
        unit("Rhino", "blue", box, [(10, 10)]),
        FOE,
    ]
    dice = {"hit": [6], "wound": [6], "hazard": [6], "battle-shock": [6, 6]}
    b = situation(units, step="shoot_units", dice=dice)
    give(b, "shoot_with", "Reds")
    table.default(b, "shoot")
    during = (kinds(b), b.decisions[0].player, active_player(b))
    table.default(b, "escape")
    assert (during, active_player(b)) == ((["escape"], 1, 1), 0)


def drive(flow: Coroutine[Any, Any, Any]) -> None:
    """Run a flow that asks nothing."""
    with pytest.raises(StopIteration):
        flow.send(None)


@rule("w40k11.concept.active_player_switch", check=4)
def test_nested_moves_unwind_in_reverse() -> None:
    b = situation([unit("Reds", "red", PLAIN, [(5, 5)]), unit("Blues", "blue", PLAIN, [(30, 5)]), FOE])
    seen = [active_player(b)]

    async def innermost() -> None:
        seen.append(active_player(b))

    async def inner() -> None:
        seen.append(active_player(b))
        await act(b, named(b, "Reds"), innermost())
        seen.append(active_player(b))

    drive(act(b, named(b, "Blues"), inner()))
    assert [*seen, active_player(b)] == [0, 1, 0, 1, 0]


# --- What falls due at one time ---------------------------------------------------------------------------------------


def due_at_once(trigger: str, **more: Any) -> Battle11:
    """Something falls due for both players at the same time."""

    async def happen(b: Battle11, player: int, moment: Any, value: Any) -> None:
        b.tell("happens", f"It happens to {b.player(player).name}.", "test")

    due = Reaction("It", trigger, happen, lambda b, p, m: True, lambda b, p, m: [Option(0, "it")], mandatory=True)
    system = dataclasses.replace(SYSTEM, reactions=(*SYSTEM.reactions, due))
    return situation([unit("Reds", "red", PLAIN, [(5, 5)]), FOE], system=system, **more)


def happened(b: Battle11) -> list[str]:
    return [e.text for e in b.events if isinstance(e, Told) and e.kind == "happens"]


@rule("w40k11.gap.sequencing", check=1)
@pytest.mark.parametrize(("name", "player"), [("red", 0), ("blue", 1)])
def test_in_a_turn_its_player_orders_what_falls_due(name: str, player: int) -> None:
    b = due_at_once(TURN_BEGAN, step="start_of_turn", active=name, game={"first": 1 - player})
    asked = [(d.kind, d.player) for d in b.decisions]
    b.answer(b.decisions[0], (1, 0))
    assert (asked, happened(b)) == ([("order.turn_began", player)], [f"It happens to {n}." for n in ("blue", "red")])


@rule("w40k11.gap.sequencing", check=2)
@pytest.mark.parametrize(("first", "last"), [(0, "blue"), (1, "red")])
def test_between_turns_the_player_with_the_first_turn_orders_it(first: int, last: str) -> None:
    b = due_at_once(ROUND_ENDED, step="end_of_turn", active=last, game={"first": first})
    assert [(d.kind, d.player) for d in b.decisions] == [("order.round_ended", first)]


@rule("w40k11.gap.roll_off", check=1)
def test_the_higher_die_wins_and_ties_are_rolled_again() -> None:
    units = [unit("Reds", "red", PLAIN, [(5, 5)]), FOE]
    b = situation(units, step="move_units", dice={"roll-off": [4, 4, 2, 3]})
    assert (roll_off(b), [faces for _, faces in table.rolls(b)]) == (1, [(4,), (4,), (2,), (3,)])
