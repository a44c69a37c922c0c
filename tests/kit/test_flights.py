"""Flying straight on: paths along a facing, with a turn at the end."""

from __future__ import annotations

from random import Random

import pytest

from sandtable.battle import Leg, Moves, Path
from sandtable.kit.flights import (
    flight,
    flown,
    leads_straight_on,
    shortest_flight,
    some_flights,
    stays_on_table,
    turned_once,
)
from sandtable.systems.w40k10.state import Battle10
from sandtable.table.grid import TURN, steps
from w40k10.table import TROOPER, named, situation, unit

QUARTER = TURN // 4


@pytest.fixture
def b() -> Battle10:
    """One model that looks to the right, on a table of 44 by 30."""
    return situation([unit("Reds", "red", TROOPER, [(10, 10)]), unit("Blues", "blue", TROOPER, [(40, 28)])])


def moves(*paths: Path) -> Moves:
    return Moves("normal", paths)


def test_a_flight_leads_straight_on_and_then_turns(b: Battle10) -> None:
    path = flight(b, 0, steps(12), QUARTER)
    assert [(leg.do, leg.x, leg.y, leg.facing) for leg in path.legs] == [
        ("go", steps(22), steps(10), 0),
        ("turn", steps(22), steps(10), QUARTER),
    ]
    assert flown(b, path) == steps(12)
    assert leads_straight_on(b, path) and turned_once(path) == QUARTER
    assert len(flight(b, 0, steps(12)).legs) == 1


@pytest.mark.parametrize(
    "legs",
    [
        (Leg("go", steps(22), steps(11), 0, 0),),
        (Leg("go", steps(22), steps(10), steps(1), 0),),
        (Leg("turn", steps(10), steps(10), 0, 9), Leg("go", steps(22), steps(10), 0, 9)),
        (Leg("go", steps(22), steps(10), 0, 0), Leg("go", steps(24), steps(10), 0, 0)),
        (Leg("go", steps(4), steps(10), 0, 0),),
    ],
)
def test_other_paths_do_not_lead_straight_on(b: Battle10, legs: tuple[Leg, ...]) -> None:
    assert not leads_straight_on(b, Path(0, legs))


@pytest.mark.parametrize(("facings", "turned"), [((), 0), ((9,), 9), ((TURN - 9,), 9), ((9, 18), None)])
def test_one_turn_on_the_spot_is_measured_the_short_way(facings: tuple[int, ...], turned: int | None) -> None:
    legs = [Leg("turn", steps(5), steps(5), 0, facing) for facing in facings]
    assert turned_once(Path(0, (Leg("go", steps(5), steps(5), 0, 0), *legs))) == turned
    assert turned_once(Path(0, (Leg("go", 0, 0, 0, 0), Leg("turn", 1, 0, 0, 9)))) is None


def test_a_flight_stays_on_the_table_only_if_its_end_does_before_and_after_the_turn(b: Battle10) -> None:
    assert stays_on_table(b, moves(flight(b, 0, steps(33))))
    assert not stays_on_table(b, moves(flight(b, 0, steps(34))))
    back = Path(0, (*flight(b, 0, steps(34)).legs, Leg("turn", steps(20), steps(10), 0, QUARTER)))
    assert not stays_on_table(b, moves(back)), "it has been off the table"


def test_the_shortest_flight_is_the_first_that_is_accepted(b: Battle10) -> None:
    found = shortest_flight(b, "normal", [0], steps(20), 0, lambda m: m.paths[0].legs[0].x > steps(32))
    assert found is not None and steps(32) < found.paths[0].legs[0].x <= steps(32.5)
    assert shortest_flight(b, "normal", [0], steps(20), 0, lambda m: False) is None
    assert shortest_flight(b, "normal", [0], steps(40), 0, lambda m: True) is None, "that is off the table"


def test_flights_at_random_are_long_enough_and_turn_no_further_than_they_may(b: Battle10) -> None:
    models = named(b, "Reds").models
    found = [m for seed in range(20) for m in some_flights(b, "normal", models, steps(20), QUARTER, Random(seed))]
    assert len(found) > 20
    assert all(flown(b, p) >= steps(20) - 1 and (turned_once(p) or 0) <= QUARTER for m in found for p in m.paths)
    assert any(stays_on_table(b, m) for m in found) and not all(stays_on_table(b, m) for m in found)
