"""Strategic reserves, Deep Strike, and how units are set up."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.battle import GONE
from sandtable.battle.questions import check
from sandtable.systems.w40k11.state import Battle11
from w40k11.carriers import RHINO
from w40k11.table import (
    INCH,
    TANK,
    TROOPER,
    alive,
    cites,
    feature,
    give,
    judge,
    kinds,
    named,
    offered,
    places,
    power,
    refused_by,
    situation,
    told,
    unit,
    until,
)

rule = pytest.mark.rule
DIVER: dict[str, Any] = {**TROOPER, "name": "Diver", "abilities": ["deep strike"]}
PLANE: dict[str, Any] = {**TANK, "name": "Plane", "keywords": ["VEHICLE", "FLY", "AIRCRAFT"], "base": INCH}
BASE = unit("Base", "red", TROOPER, [(1, 1)])
INGRESS = {"refused", "w40k11.reserves.ingress"}
NOT_HERE = {"refused", "w40k11.setup.conditions"}


def late(
    doc: Any = TROOPER,
    *,
    models: int = 1,
    round_: int = 2,
    blue: tuple[float, ...] = (40, 25),
    terrain: Any = None,
    others: Any = (),
    **more: Any,
) -> Battle11:
    """Red has a unit in reserves, and blue one on the table."""
    units = [unit("Late", "red", doc, off=models, reserve="strategic"), BASE, unit("Blues", "blue", TROOPER, [blue])]
    return situation([*units, *others], terrain, round_=round_, **more)


def arriving(*args: Any, **more: Any) -> Battle11:
    """The unit has been selected, and makes an ingress move."""
    b = late(*args, **more)
    give(b, "move_with", "Late")
    give(b, "enter", "ingress")
    return b


def said(b: Battle11, kind: str, answer: Any) -> set[str]:
    """What is cited against an answer; nothing where it is allowed."""
    verdict = judge(b, kind, answer)
    return set() if verdict else cites(verdict) | {"refused"}


def at(b: Battle11, *spots: tuple[float, ...]) -> set[str]:
    return said(b, "arrive", [list(s) for s in spots])


def run(b: Battle11, rounds: int = 1, turns: int = 0) -> Battle11:
    """Go on plainly, nobody arriving, for so many rounds or turns."""
    end = b.state.game.turns + (turns or 2 * rounds)
    while b.decisions and b.state.game.turns < end:
        d = b.decisions[0]
        b.answer(d, None if check(b, d, None) else b.default(d))
    return b


def gone(b: Battle11, name: str) -> bool:
    return all(b.state.models.place[m] == GONE for m in named(b, name).models)


# --- Setting up -------------------------------------------------------------------------------------------------------


@rule("w40k11.setup.conditions", check=1)
def test_nobody_is_set_up_engaged() -> None:
    b = situation(
        [
            unit("Reds", "red", TROOPER, off=1, embarked="Rhino"),
            unit("Rhino", "red", RHINO, [(10, 10)]),
            unit("Blues", "blue", TROOPER, [(17, 10)]),
            BASE,
        ]
    )
    give(b, "move_with", "Reds")
    give(b, "enter", "disembark")
    assert (said(b, "tactical_disembark", [[14, 10]]), said(b, "tactical_disembark", [[13.99, 10]])) == (
        NOT_HERE,
        set(),
    )


@rule("w40k11.setup.conditions", check=2)
def test_nobody_is_set_up_out_of_coherency() -> None:
    b = arriving(models=2)
    assert at(b, (20, 2), (23, 2)) == set()
    assert at(b, (20, 2), (23.01, 2)) == NOT_HERE | {"w40k11.coherency.definition"}


def crowded(**more: Any) -> Battle11:
    """A unit in reserves that is not going to find a place: enemies are everywhere."""
    blues = [unit(f"B{x} {y}", "blue", TROOPER, [(x, y)]) for x in range(4, 44, 9) for y in (4, 13, 22)]
    return late(models=2, others=blues, **more)


@rule("w40k11.setup.failure", check=1)
def test_who_finds_no_place_stays_in_reserves_with_nobody_lost() -> None:
    b = crowded()
    give(b, "move_with", "Late")
    give(b, "enter", "ingress")
    give(b, "arrive", None)
    assert (named(b, "Late").reserve, gone(b, "Late"), told(b)[-1]) == ("strategic", False, "no_room")


@rule("w40k11.setup.failure", check=2)
def test_after_a_failure_the_unit_may_be_selected_again() -> None:
    b = crowded()
    give(b, "move_with", "Late")
    give(b, "enter", "ingress")
    give(b, "arrive", None)
    assert ("Late" in offered(b, "move_with"), told(b)) == (True, ["no_room"])
    give(b, "move_with", "Late")
    give(b, "enter", "stationary")
    assert (named(b, "Late").moved, offered(b, "move_with")) == ("stationary", ["Base"])


@rule("w40k11.setup.failure", check=3)
def test_no_part_of_a_unit_is_set_up_alone() -> None:
    b = arriving(models=2)
    assert "refused" in at(b, (20, 2), (20, 8))
    give(b, "arrive", [[20, 2], [22, 2]])
    assert (alive(b, "Late"), named(b, "Late").reserve) == (2, "")
    empty = crowded()
    give(empty, "move_with", "Late")
    give(empty, "enter", "ingress")
    give(empty, "arrive", None)
    assert (alive(empty, "Late"), told(empty)) == (0, ["no_room"])


# --- Arriving ---------------------------------------------------------------------------------------------------------


@rule("w40k11.reserves.arriving", check=1)
def test_nobody_arrives_in_the_first_round() -> None:
    early, later = late(round_=1), late(round_=2)
    for b in (early, later):
        give(b, "move_with", "Late")
    assert (kinds(early), kinds(later)) == (["move_with"], ["enter"])


@rule("w40k11.reserves.arriving", check=1)
def test_who_may_by_an_ability_arrives_in_the_first_round() -> None:
    b = arriving(round_=1, abilities=[power("Late", kind="allow", what="arrive_round_one")])
    give(b, "arrive", [[20, 3]])
    assert places(b, "Late") == [(20, 3, 0)]


@rule("w40k11.reserves.arriving", check=2)
def test_any_number_of_units_arrives() -> None:
    more = unit("More", "red", TROOPER, off=1, reserve="strategic")
    b = late(others=[more], round_=3)
    for name, x in (("Late", 20), ("More", 24)):
        give(b, "move_with", name)
        give(b, "enter", "ingress")
        give(b, "arrive", [[x, 2]])
    assert (places(b, "Late"), places(b, "More")) == ([(20, 2, 0)], [(24, 2, 0)])


@rule("w40k11.reserves.ingress", check=1)
def test_each_base_is_wholly_within_six_inches_of_an_edge() -> None:
    b = arriving(models=2)
    assert (at(b, (20, 5.5), (22, 5.5)), at(b, (20, 5.5), (22, 5.51))) == (set(), INGRESS)


@rule("w40k11.reserves.ingress", check=2)
def test_eight_inches_from_an_enemy_are_too_near() -> None:
    b = arriving(blue=(29, 3))
    assert (at(b, (20, 3)), at(b, (19.9, 3))) == (INGRESS, set())


@rule("w40k11.reserves.ingress", check=3)
def test_height_does_not_help() -> None:
    tower = [feature("hill", (27, 1, 4, 4), 8, solid=True)]
    b = arriving(blue=(29, 3, 8), terrain=tower)
    assert (at(b, (20, 3)), at(b, (19.9, 3))) == (INGRESS, set())


@rule("w40k11.reserves.ingress", check=4)
def test_in_round_two_nobody_is_even_partly_in_the_zone_of_the_opponent() -> None:
    b = arriving(models=2, mission="only-war", blue=(50, 20), size=(60, 44), game={"attacker": 0})
    assert (at(b, (2, 33.5), (4, 33.5)), at(b, (2, 33.5), (4, 33.5 + 1 / 1024))) == (set(), INGRESS)


@rule("w40k11.reserves.ingress", check=6)
def test_who_arrives_is_coherent_and_unengaged() -> None:
    b = arriving(models=2)
    assert (at(b, (20, 2), (23.1, 2)), at(b, (20, 2), (22, 2))) == (
        {"refused", "w40k11.setup.conditions", "w40k11.coherency.definition"},
        set(),
    )
    assert at(arriving(blue=(29, 3)), (26.5, 3)) == INGRESS


def arrived(blue: tuple[float, float] = (29.5, 3), **more: Any) -> Battle11:
    b = arriving(blue=blue, **more)
    give(b, "arrive", [[20, 3]])
    return b


@rule("w40k11.reserves.ingress_after", check=1)
def test_who_arrived_is_not_moved_again_in_the_phase() -> None:
    b = arrived()
    refused_by(b, "move_with", "Late", "w40k11.movephase.structure")
    assert offered(b, "move_with") == ["Base"]


@rule("w40k11.reserves.ingress_after", check=2)
@rule("w40k11.charge.eligible", check=7)
def test_who_arrived_may_charge() -> None:
    b = arrived()
    until(b, "charge_with")
    assert (named(b, "Late").moved, offered(b, "charge_with")) == ("normal", ["Late"])


@rule("w40k11.reserves.ingress_after", check=3)
def test_who_arrived_may_shoot() -> None:
    b = arrived()
    until(b, "shoot_with")
    assert (named(b, "Late").moved, offered(b, "shoot_with")) == ("normal", ["Base", "Late"])


# --- Round 3 ----------------------------------------------------------------------------------------------------------


@rule("w40k11.reserves.destroyed_round3", check=1)
def test_who_has_not_arrived_by_the_end_of_round_three_is_destroyed() -> None:
    assert [gone(run(late(round_=r)), "Late") for r in (2, 3)] == [False, True]


@rule("w40k11.reserves.destroyed_round3", check=2)
def test_reserves_are_destroyed_after_the_turn_of_the_second_player() -> None:
    b = late(round_=3)
    assert [gone(run(b, turns=1), "Late"), gone(run(b, turns=1), "Late")] == [False, True]


def riding() -> Battle11:
    """Reds in a Rhino that waits in reserves, in round 3."""
    rhino = unit("Rhino", "red", RHINO, off=1, reserve="strategic")
    reds = unit("Reds", "red", TROOPER, off=2, embarked="Rhino")
    return situation([rhino, reds, BASE, unit("Blues", "blue", TROOPER, [(40, 25)])], round_=3)


@rule("w40k11.reserves.destroyed_round3", check=3)
def test_who_is_aboard_of_what_has_arrived_is_safe() -> None:
    waits, comes = riding(), riding()
    give(comes, "move_with", "Rhino")
    give(comes, "enter", "ingress")
    give(comes, "arrive", [[20, 4]])
    assert [gone(run(b), "Reds") for b in (waits, comes)] == [True, False]


@rule("w40k11.reserves.destroyed_round3", check=4)
def test_who_is_aboard_of_what_has_not_arrived_is_destroyed_with_it() -> None:
    b = run(riding())
    assert [gone(b, name) for name in ("Reds", "Rhino", "Base")] == [True, True, False]
    assert told(b).count("unarrived") == 2


LEAVES = power("Reds", kind="allow", what="into_reserves", at="moved")
ELSEWHERE = power("Reds", kind="allow", what="redeploy", at="moved")


def leaving(ability: Any = LEAVES, mode: str = "normal", blue: tuple[float, float] = (40, 25), **more: Any) -> Battle11:
    """Reds move, and an ability takes them off the battlefield."""
    others = [unit("Reds", "red", TROOPER, [(20, 10)]), unit("Guard", "red", TROOPER, [(36, 3)])]
    b = late(others=others, blue=blue, abilities=[ability], dice={"advance": [3]}, **more)
    give(b, "move_with", "Reds")
    give(b, "move", {"mode": mode})
    return b


@rule("w40k11.reserves.destroyed_round3", check=5)
def test_a_repositioned_unit_is_safe() -> None:
    b = run(leaving(round_=3))
    assert [gone(b, name) for name in ("Reds", "Late")] == [False, True]


def planes(round_: int) -> Battle11:
    """Plane has arrived in this round, Other waits."""
    b = late(
        round_=round_, others=[unit(name, "red", PLANE, off=1, reserve="strategic") for name in ("Plane", "Other")]
    )
    give(b, "move_with", "Plane")
    give(b, "enter", "ingress")
    give(b, "arrive", [[20, 3]])
    return b


@rule("w40k11.reserves.destroyed_round3", check=6)
def test_aircraft_that_came_and_went_are_safe() -> None:
    b = run(planes(2), rounds=2)
    assert (b.state.round, gone(b, "Plane"), alive(b, "Plane"), gone(b, "Late")) == (4, False, 0, True)


@rule("w40k11.reserves.destroyed_round3", check=7)
def test_aircraft_that_never_came_are_destroyed() -> None:
    b = run(planes(3))
    assert [gone(b, name) for name in ("Plane", "Other")] == [False, True]


# --- Repositioned units -----------------------------------------------------------------------------------------------


@rule("w40k11.reserves.repositioned", check=1)
def test_who_has_moved_may_be_repositioned() -> None:
    b = leaving()
    reds = named(b, "Reds")
    assert (alive(b, "Reds"), reds.reserve, reds.repositioned) == (0, "strategic", True)
    assert offered(b, "move_with") == ["Base", "Guard", "Late"]


def test_an_ability_takes_its_unit_off_the_battlefield_for_a_while() -> None:
    effect = {"kind": "allow", "what": "into_reserves", "at": "opponent_turn_end", "optional": True}
    gift = {"name": "Burrow", "unit": "Blues", "effects": [effect]}
    units = [unit("Reds", "red", TROOPER, [(20, 10)]), unit("Blues", "blue", TROOPER, [(30, 10)])]
    b = situation([*units, unit("More", "blue", TROOPER, [(40, 10)])], step="end_of_turn", abilities=[gift])
    give(b, "react.turn_ended", offered(b, "react.turn_ended")[0])
    blues = named(b, "Blues")
    assert (alive(b, "Blues"), blues.reserve, blues.repositioned) == (0, "strategic", True)


@rule("w40k11.reserves.repositioned", check=2)
def test_who_advanced_and_comes_back_still_does_not_charge() -> None:
    ran, walked = leaving(ELSEWHERE, "advance", (29.5, 3)), leaving(ELSEWHERE, "normal", (29.5, 3))
    give(ran, "complete_move", {"mode": "advance"})
    for b in (ran, walked):
        give(b, "arrive", [[20, 3]])
        until(b, "charge_with")
    refused_by(ran, "charge_with", "Reds", "w40k11.charge.eligible", "w40k11.movephase.advance")
    assert [offered(b, "charge_with") for b in (ran, walked)] == [["Guard"], ["Guard", "Reds"]]


@rule("w40k11.reserves.repositioned", check=3)
def test_who_is_battle_shocked_comes_back_so() -> None:
    b = late(
        others=[unit("Reds", "red", TROOPER, [(20, 10)], battle_shocked=True)],
        step="movement_phase",
        abilities=[power("Reds", kind="allow", what="into_reserves", at="movement")],
    )
    give(b, "move_with", "Reds")
    give(b, "enter", "ingress")
    give(b, "arrive", [[20, 3]])
    reds = named(b, "Reds")
    assert (reds.battle_shocked, reds.repositioned, places(b, "Reds")) == (True, True, [(20, 3, 0)])


@rule("w40k11.reserves.repositioned", check=4)
def test_an_aura_does_not_reach_who_has_come_back_elsewhere() -> None:
    haste = power("Base", kind="characteristic", name="M", add=2, who="friends", within=6)
    b = late(
        others=[unit("Reds", "red", TROOPER, [(5, 5)])],
        abilities=[haste, power("Reds", kind="allow", what="redeploy", at="moved")],
    )
    give(b, "move_with", "Reds")
    near = said(b, "move", {"mode": "normal", "to": [[5, 13]]})
    give(b, "move", {"mode": "normal"})
    give(b, "arrive", [[20, 3]])
    run(b)
    until(b, "move_with")
    give(b, "move_with", "Reds")
    far = [said(b, "move", {"mode": "normal", "to": [[20, y]]}) for y in (9, 9.01)]
    assert (near, far) == (set(), [set(), {"refused", "w40k11.move.straight_line", "w40k11.movephase.normal"}])


# --- Deep Strike ------------------------------------------------------------------------------------------------------


@rule("w40k11.unit.deep_strike", check=1)
def test_deep_strike_asks_for_no_edge() -> None:
    assert (at(arriving(DIVER), (20, 15)), at(arriving(), (20, 15))) == (set(), INGRESS)


@rule("w40k11.unit.deep_strike", check=3)
def test_deep_strike_keeps_eight_inches_from_enemies() -> None:
    b = arriving(DIVER, blue=(29, 15))
    assert (at(b, (20, 15)), at(b, (19.9, 15))) == (INGRESS, set())


@rule("w40k11.unit.deep_strike", check=4)
def test_one_model_without_deep_strike_takes_it_from_all() -> None:
    def led(*abilities: str) -> Battle11:
        hero = {
            **TROOPER,
            "name": "Hero",
            "abilities": ["leader", *abilities],
            "leads": ["Diver"],
            "keywords": ["INFANTRY", "CHARACTER"],
        }
        b = situation(
            [
                unit("Late", "red", DIVER, off=1, reserve="strategic"),
                unit("Hero", "red", hero, off=1, leads="Late"),
                BASE,
                unit("Blues", "blue", TROOPER, [(40, 25)]),
            ],
            round_=2,
        )
        give(b, "move_with", "Late")
        give(b, "enter", "ingress")
        return b

    assert (at(led("deep strike"), (20, 15), (22, 15)), at(led(), (20, 15), (22, 15))) == (set(), INGRESS)


@rule("w40k11.reserves.ingress", check=5)
@rule("w40k11.unit.deep_strike", check=2)
@pytest.mark.parametrize(
    ("doc", "round_", "cited"), [(TROOPER, 2, INGRESS), (TROOPER, 3, set()), (DIVER, 2, set())], ids=["2", "3", "deep"]
)
def test_the_zone_of_the_opponent_opens_in_round_three_and_to_deep_strike_at_once(
    doc: Any, round_: int, cited: set[str]
) -> None:
    b = arriving(doc, round_=round_, mission="only-war", blue=(50, 20), size=(60, 44), game={"attacker": 0})
    assert at(b, (20, 41)) == cited
