"""AIRCRAFT: how they come and go, and others near them."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.systems.w40k11.consolidate import mode_of
from sandtable.systems.w40k11.melee import hands_of
from sandtable.systems.w40k11.pile_in import pile_in_targets
from sandtable.systems.w40k11.state import Battle11
from w40k11.table import (
    JUMPER,
    TROOPER,
    alive,
    give,
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
from w40k11.test_strategic_reserves import BASE, PLANE, gone, late, run, said

rule = pytest.mark.rule


def flying(*others: Any, **more: Any) -> Battle11:
    plane = unit("Plane", "red", PLANE, [(20, 10)])
    return situation([plane, BASE, unit("Blues", "blue", TROOPER, [(40, 25)]), *others], **more)


@rule("w40k11.aircraft.move", check=1)
def test_aircraft_make_no_other_move() -> None:
    b = flying()
    give(b, "move_with", "Plane")
    until(b, "move")
    assert offered(b, "move") == ["Remain stationary", "stationary"]
    give(b, "move", {"mode": "stationary"})
    give(b, "move_with", "Base")
    assert offered(b, "move") == ["Advance", "Normal move", "Remain stationary", "advance", "normal", "stationary"]


@rule("w40k11.aircraft.move", check=1)
def test_aircraft_neither_pile_in_nor_consolidate() -> None:
    def may(doc: Any, step: str) -> bool:
        flags = {"could_fight": True, "engaged_before": True}
        reds = unit("Reds", "red", doc, [(10, 10)], **flags)
        b = situation([reds, unit("Blues", "blue", {**JUMPER, "move": None}, [(12.5, 10)]), BASE], step=step)
        return step.replace("units", "with") in kinds(b)

    tank = {**PLANE, "keywords": ["VEHICLE", "FLY"]}
    found = [may(doc, step) for step in ("pile_in_units", "consolidate_units") for doc in (PLANE, tank)]
    assert found == [False, True, False, True]


@rule("w40k11.aircraft.move", check=2)
def test_aircraft_arrive_from_round_two_on() -> None:
    def asked(round_: int) -> list[str]:
        b = late(PLANE, round_=round_)
        give(b, "move_with", "Late")
        return kinds(b)

    assert (asked(1), asked(2)) == (["move_with"], ["enter"])


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
    waiting = unit("Waiting", "red", PLANE, off=1, reserve="strategic")
    theirs, ours = flying(waiting, active="blue"), flying(waiting)
    assert [alive(run(b, turns=1), "Plane") for b in (theirs, ours)] == [0, 1]
    assert [told(b).count("into_reserves") for b in (theirs, ours)] == [1, 0]


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


def beside_a_plane(doc: Any = TROOPER, *others: Any) -> Battle11:
    """Reds next to blue AIRCRAFT."""
    return situation([unit("Reds", "red", doc, [(10, 10)]), BASE, unit("Plane", "blue", PLANE, [(12, 10)]), *others])


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
    held = beside_a_plane(TROOPER, unit("Blues", "blue", TROOPER, [(10, 12.5)]))
    give(held, "move_with", "Reds")
    both = {"Normal move", "Advance"}
    assert [both & set(offered(x, "move")) for x in (b, held)] == [both, set()]


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


@rule("w40k11.aircraft.movement_of_others", check=4)
@rule("w40k11.aircraft.movement_of_others", check=5)
@pytest.mark.parametrize(("doc", "near"), [(TROOPER, ["Blues"]), (JUMPER, ["Plane", "Blues"])], ids=["foot", "fly"])
def test_only_who_flies_picks_aircraft_to_pile_in_to(doc: Any, near: list[str]) -> None:
    plane = unit("Plane", "blue", PLANE, [(15, 10)])
    reds, blues = unit("Reds", "red", doc, [(10, 10)], charged=True), unit("Blues", "blue", TROOPER, [(10, 15)])
    b = situation([reds, BASE, plane, blues], step="pile_in_units")
    assert [e.name for e in pile_in_targets(b, named(b, "Reds"))] == near


@rule("w40k11.aircraft.movement_of_others", check=4)
@rule("w40k11.aircraft.movement_of_others", check=5)
@pytest.mark.parametrize(("doc", "near"), [(TROOPER, ["Blues"]), (JUMPER, ["Plane", "Blues"])], ids=["foot", "fly"])
def test_only_who_flies_piles_in_to_aircraft_that_it_is_engaged_with(doc: Any, near: list[str]) -> None:
    b = beside_a_plane(doc, unit("Blues", "blue", TROOPER, [(10, 12.5)]))
    assert [e.name for e in pile_in_targets(b, named(b, "Reds"))] == near


@rule("w40k11.aircraft.movement_of_others", check=4)
@rule("w40k11.aircraft.movement_of_others", check=5)
@pytest.mark.parametrize(("doc", "how"), [(TROOPER, ""), (JUMPER, "ongoing")], ids=["foot", "fly"])
def test_only_who_flies_consolidates_to_aircraft(doc: Any, how: str) -> None:
    b = beside_a_plane(doc)
    assert mode_of(b, named(b, "Reds")) == how


def at_blows(red: Any, blue: Any) -> list[str]:
    reds, blues = unit("Reds", "red", red, [(10, 10)]), unit("Blues", "blue", blue, [(12, 10)])
    b = situation([reds, blues, BASE], step="begin_fights")
    return [b.unit(t).name for h in hands_of(b, named(b, "Reds")) for t in h.targets]


@rule("w40k11.aircraft.charge", check=3)
def test_only_models_that_fly_strike_aircraft() -> None:
    assert [at_blows(doc, PLANE) for doc in (TROOPER, JUMPER)] == [[], ["Blues"]]
    assert at_blows(TROOPER, TROOPER) == ["Blues"]


@rule("w40k11.aircraft.charge", check=4)
def test_aircraft_strike_only_who_flies() -> None:
    assert [at_blows(PLANE, doc) for doc in (TROOPER, JUMPER)] == [[], ["Blues"]]
