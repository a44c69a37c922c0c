"""Strategic reserves, Deep Strike, AIRCRAFT, and how units are set up."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.battle import GONE, answers
from sandtable.battle.questions import check
from sandtable.systems.w40k11.charge_phase import able_to_charge
from sandtable.systems.w40k11.melee import hands_of
from sandtable.systems.w40k11.pile_in import pile_in_targets
from sandtable.systems.w40k11.shooting_phase import may_shoot
from sandtable.systems.w40k11.state import Battle11
from sandtable.systems.w40k11.strategic_reserves import ingress, reposition
from w40k11.carriers import RHINO
from w40k11.table import (
    INCH,
    JUMPER,
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
def test_in_round_two_the_zone_of_the_opponent_is_closed() -> None:
    b = arriving(mission="only-war", blue=(40, 15), size=(60, 44))
    zone_edge = [p for p in ((20.0, y / 2) for y in range(1, 88)) if not at(b, p)]
    assert zone_edge and min(y for _, y in zone_edge) < 6 and max(y for _, y in zone_edge) < 38


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
def test_who_arrived_may_charge() -> None:
    b = arrived()
    until(b, "charge_with")
    assert (named(b, "Late").moved, bool(able_to_charge(b, named(b, "Late")))) == ("normal", True)


@rule("w40k11.reserves.ingress_after", check=3)
def test_who_arrived_may_shoot() -> None:
    b = arrived()
    until(b, "shoot_with")
    assert (named(b, "Late").moved, bool(may_shoot(b, named(b, "Late")))) == ("normal", True)


# --- Round 3 ----------------------------------------------------------------------------------------------------------


@rule("w40k11.reserves.destroyed_round3", check=1)
def test_who_has_not_arrived_by_the_end_of_round_three_is_destroyed() -> None:
    assert [gone(run(late(round_=r)), "Late") for r in (2, 3)] == [False, True]


@rule("w40k11.reserves.destroyed_round3", check=2)
def test_reserves_are_destroyed_after_the_turn_of_the_second_player() -> None:
    b = late(round_=3)
    assert [gone(run(b, turns=1), "Late"), gone(run(b, turns=1), "Late")] == [False, True]


def riding(**rhino: Any) -> Battle11:
    carrier = (
        unit("Rhino", "red", RHINO, off=1, **rhino)
        if "reserve" in rhino
        else unit("Rhino", "red", RHINO, [(20, 4)], **rhino)
    )
    passenger = unit("Reds", "red", TROOPER, off=2, embarked="Rhino")
    return run(situation([passenger, carrier, BASE, unit("Blues", "blue", TROOPER, [(40, 25)])], round_=3))


@rule("w40k11.reserves.destroyed_round3", check=3)
def test_who_is_aboard_of_what_has_arrived_is_safe() -> None:
    assert [gone(riding(ingressed=True), "Reds"), gone(riding(reserve="strategic"), "Reds")] == [False, True]


@rule("w40k11.reserves.destroyed_round3", check=4)
def test_who_is_aboard_of_what_has_not_arrived_is_destroyed_with_it() -> None:
    b = riding(reserve="strategic")
    assert (gone(b, "Reds"), gone(b, "Rhino"), gone(b, "Base")) == (True, True, False)


@rule("w40k11.reserves.destroyed_round3", check=5)
def test_a_repositioned_unit_is_safe() -> None:
    b = late(round_=3, others=[unit("Moved", "red", TROOPER, [(20, 10)])])
    reposition(b, named(b, "Moved"), "w40k11.datasheet.abilities")
    run(b)
    assert (gone(b, "Moved"), gone(b, "Late")) == (False, True)


@rule("w40k11.reserves.destroyed_round3", check=6)
def test_aircraft_that_came_and_went_are_safe() -> None:
    plane = unit("Plane", "red", PLANE, [(20, 10)], ingressed=True)
    b = run(late(round_=3, others=[plane]))
    assert (gone(b, "Plane"), alive(b, "Plane"), gone(b, "Late")) == (False, 0, True)


@rule("w40k11.reserves.destroyed_round3", check=7)
def test_aircraft_that_never_came_are_destroyed() -> None:
    waiting, came = unit("Plane", "red", PLANE, off=1, reserve="strategic"), unit("Other", "red", PLANE, [(20, 10)])
    b = run(late(round_=3, others=[waiting, came]))
    assert (gone(b, "Plane"), gone(b, "Other")) == (True, False)


# --- Repositioned units -----------------------------------------------------------------------------------------------


@rule("w40k11.reserves.repositioned", check=1)
def test_who_has_moved_may_be_repositioned() -> None:
    b = late(others=[unit("Reds", "red", TROOPER, [(20, 10)])])
    give(b, "move_with", "Reds")
    give(b, "move", {"mode": "normal", "to": [[20, 12]]})
    reposition(b, named(b, "Reds"), "w40k11.datasheet.abilities")
    reds = named(b, "Reds")
    assert (alive(b, "Reds"), reds.reserve, reds.repositioned, reds.moved) == (0, "strategic", True, "normal")


@rule("w40k11.reserves.repositioned", check=2)
def test_who_advanced_and_comes_back_still_does_not_charge() -> None:
    reds = unit("Reds", "red", TROOPER, off=1, reserve="strategic", repositioned=True, moved="advance")
    b = situation([reds, BASE, unit("Blues", "blue", TROOPER, [(29.5, 3)])], round_=2)
    flow = ingress(b, named(b, "Reds"))
    (asked,) = flow.send(None)
    with pytest.raises(StopIteration):
        flow.send((answers.read(b, asked, [[20, 3]]),))
    assert cites(able_to_charge(b, named(b, "Reds"))) == {"w40k11.charge.eligible", "w40k11.movephase.advance"}


@rule("w40k11.reserves.repositioned", check=3)
def test_who_is_battle_shocked_comes_back_so() -> None:
    b = late(others=[unit("Reds", "red", TROOPER, [(20, 10)], battle_shocked=True)])
    reposition(b, named(b, "Reds"), "w40k11.datasheet.abilities")
    give(b, "move_with", "Reds")
    give(b, "enter", "ingress")
    give(b, "arrive", [[20, 3]])
    assert (named(b, "Reds").battle_shocked, places(b, "Reds")) == (True, [(20, 3, 0)])


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


# --- AIRCRAFT ---------------------------------------------------------------------------------------------------------


def flying(*others: Any, **more: Any) -> Battle11:
    plane = unit("Plane", "red", PLANE, [(20, 10)])
    return situation([plane, BASE, unit("Blues", "blue", TROOPER, [(40, 25)]), *others], **more)


@rule("w40k11.aircraft.move", check=1)
def test_aircraft_make_no_other_move() -> None:
    b = flying()
    give(b, "move_with", "Plane")
    until(b, "move")
    assert offered(b, "move") == ["Remain stationary", "stationary"]


@rule("w40k11.aircraft.move", check=2)
def test_aircraft_arrive_from_round_two_on() -> None:
    def asked(round_: int) -> list[str]:
        b = late(PLANE, round_=round_)
        give(b, "move_with", "Late")
        return kinds(b)

    assert (asked(1), asked(2)) == (["move_with"], ["enter"])
    assert "Late" in offered(flying(unit("Late", "red", TROOPER, [(9, 9)])), "move_with")


@rule("w40k11.aircraft.return", check=1)
def test_aircraft_stay_for_both_turns() -> None:
    b = late(PLANE)
    give(b, "move_with", "Late")
    give(b, "enter", "ingress")
    give(b, "arrive", [[20, 3]])
    run(b, turns=1)
    assert (b.state.active, alive(b, "Late")) == (1, 1)
    run(b, turns=1)
    assert (b.state.active, alive(b, "Late")) == (0, 0)


@rule("w40k11.aircraft.return", check=2)
def test_aircraft_leave_at_the_end_of_the_turn_of_the_opponent() -> None:
    theirs, ours = flying(active="blue"), flying()
    assert [alive(run(b, turns=1), "Plane") for b in (theirs, ours)] == [0, 1]


@rule("w40k11.aircraft.return", check=3)
def test_aircraft_come_back_in_the_next_movement_phase() -> None:
    b = run(flying(active="blue", round_=2, game={"first": 0}), turns=1)
    until(b, "move_with")
    give(b, "move_with", "Plane")
    give(b, "enter", "ingress")
    give(b, "arrive", [[20, 3]])
    assert places(b, "Plane") == [(20, 3, 0)]


@rule("w40k11.aircraft.return", check=4)
def test_aircraft_that_left_are_not_destroyed_at_the_end_of_round_three() -> None:
    b = run(flying(active="blue", round_=3, game={"first": 0}), turns=1)
    assert (gone(b, "Plane"), named(b, "Plane").reserve, told(b).count("into_reserves")) == (False, "strategic", 1)


def beside_a_plane(doc: Any = TROOPER, step: str = "move_units", **flags: Any) -> Battle11:
    """Reds next to blue AIRCRAFT."""
    plane = unit("Plane", "blue", PLANE, [(12, 10)])
    return situation([unit("Reds", "red", doc, [(10, 10)], **flags), BASE, plane], step=step)


@rule("w40k11.aircraft.movement_of_others", check=1)
def test_everybody_moves_through_aircraft() -> None:
    b = beside_a_plane()
    give(b, "move_with", "Reds")
    assert said(b, "move", {"mode": "normal", "to": [[16, 10]]}) == set()
    tank = situation([unit("Reds", "red", TROOPER, [(10, 10)]), BASE, unit("Blues", "blue", TROOPER, [(13, 10)])])
    give(tank, "move_with", "Reds")
    assert said(tank, "move", {"mode": "normal", "to": [[16, 10]]}) != set()


@rule("w40k11.aircraft.movement_of_others", check=2)
def test_who_is_engaged_with_aircraft_alone_may_move() -> None:
    b = beside_a_plane()
    give(b, "move_with", "Reds")
    assert {"Normal move", "Advance"} <= set(offered(b, "move"))


@rule("w40k11.aircraft.movement_of_others", check=3)
def test_it_ends_unengaged_from_the_aircraft_too() -> None:
    b = beside_a_plane()
    give(b, "move_with", "Reds")
    near, off = ({"mode": "normal", "to": [[x, 10]]} for x in (9, 8.99))
    assert (said(b, "move", near), said(b, "move", off)) == ({"refused", "w40k11.movephase.normal"}, set())


@rule("w40k11.aircraft.charge", check=1)
def test_aircraft_declare_no_charge() -> None:
    b = flying(unit("Near", "blue", JUMPER, [(26, 10)]), unit("Reds", "red", TROOPER, [(22, 14)]), step="charge_units")
    assert offered(b, "charge_with") == ["Reds"]
    refused_by(b, "charge_with", "Plane", "w40k11.aircraft.charge")


@rule("w40k11.aircraft.charge", check=2)
@pytest.mark.parametrize(("doc", "open_"), [(TROOPER, False), (JUMPER, True)], ids=["foot", "fly"])
def test_only_who_flies_charges_aircraft(doc: Any, open_: bool) -> None:
    plane = unit("Plane", "blue", PLANE, [(16, 10)])
    b = situation([unit("Reds", "red", doc, [(10, 10)]), BASE, plane], step="charge_units")
    assert ("charge_with" in kinds(b)) is open_


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


@rule("w40k11.aircraft.movement_of_others", check=4)
@rule("w40k11.aircraft.movement_of_others", check=5)
@pytest.mark.parametrize(("doc", "near"), [(TROOPER, []), (JUMPER, ["Plane"])], ids=["foot", "fly"])
def test_only_who_flies_picks_aircraft_to_pile_in_to(doc: Any, near: list[str]) -> None:
    plane = unit("Plane", "blue", PLANE, [(15, 10)])
    b = situation([unit("Reds", "red", doc, [(10, 10)], charged=True), BASE, plane], step="pile_in_units")
    assert [e.name for e in pile_in_targets(b, named(b, "Reds"))] == near


def at_blows(red: Any, blue: Any) -> list[str]:
    reds, blues = unit("Reds", "red", red, [(10, 10)]), unit("Blues", "blue", blue, [(12, 10)])
    b = situation([reds, blues, BASE], step="begin_fights")
    return [b.unit(t).name for h in hands_of(b, named(b, "Reds")) for t in h.targets]


@rule("w40k11.aircraft.charge", check=3)
def test_only_models_that_fly_strike_aircraft() -> None:
    assert [at_blows(doc, PLANE) for doc in (TROOPER, JUMPER)] == [[], ["Blues"]]


@rule("w40k11.aircraft.charge", check=4)
def test_aircraft_strike_only_who_flies() -> None:
    assert [at_blows(PLANE, doc) for doc in (TROOPER, JUMPER)] == [[], ["Blues"]]
