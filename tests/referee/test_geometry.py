"""The referee's own geometry, held against figures that can be worked out on paper."""

from __future__ import annotations

import math

import pytest

from referee.field import Leg, rim
from referee.geometry import (
    Shape,
    Stand,
    area_gap,
    distance,
    flat_gap,
    gap,
    groups,
    inside,
    links,
    read_base,
    rise,
    segment_gap,
    swept,
    wholly_in,
)

MAN = read_base("25.4mm", 1.5)
TANK = read_base("hull 4x2", 2.0)
BIKE = read_base("101.6x50.8mm", 2.0)
SQUARE = ((0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0))
NEARLY = pytest.approx


def test_bases_are_read_as_datasheets_write_them() -> None:
    assert (MAN.kind, MAN.long, MAN.reach, MAN.thick) == ("round", NEARLY(0.5), NEARLY(0.5), 0.0)
    assert (TANK.kind, TANK.long, TANK.wide, TANK.thick) == ("hull", 2.0, 1.0, 2.0)
    assert (BIKE.kind, BIKE.long, BIKE.wide) == ("oval", NEARLY(2.0), NEARLY(1.0))


def test_gaps_run_from_edge_to_edge() -> None:
    assert flat_gap(Stand(MAN, 0, 0), Stand(MAN, 3, 4)) == NEARLY(4.0)
    assert flat_gap(Stand(MAN, 0, 0), Stand(MAN, 0.5, 0)) == NEARLY(-0.5)
    assert flat_gap(Stand(TANK, 0, 0), Stand(MAN, 5, 0)) == NEARLY(2.5, abs=1e-4)
    assert flat_gap(Stand(TANK, 0, 0, 0, math.pi / 2), Stand(MAN, 5, 0)) == NEARLY(3.5, abs=1e-4)
    assert flat_gap(Stand(TANK, 0, 0), Stand(TANK, 5, 3)) == NEARLY(math.sqrt(2), abs=1e-4)
    assert flat_gap(Stand(BIKE, 0, 0), Stand(BIKE, 10, 0, 0, math.pi / 2)) == NEARLY(7.0, abs=1e-4)
    assert flat_gap(Stand(TANK, 0, 0), Stand(TANK, 1, 0)) < -0.9


def test_height_counts_in_space_and_hulls_are_measured_to_any_part() -> None:
    assert distance(Stand(MAN, 0, 0), Stand(MAN, 4, 0, 4)) == NEARLY(5.0)
    assert rise(Stand(MAN, 0, 0), Stand(MAN, 0, 0, 3)) == 3.0
    assert rise(Stand(TANK, 0, 0), Stand(MAN, 0, 0, 3)) == 1.0
    assert rise(Stand(TANK, 0, 0), Stand(MAN, 0, 0, 1)) == 0.0


def test_a_moving_base_covers_the_strip_between_its_ends() -> None:
    way = swept(Stand(MAN, 0, 0), 10, 0)
    assert gap(way, Shape(((5.0, 2.0), (5.0, 9.0)))) == NEARLY(1.5)
    assert gap(way, Shape(((5.0, -3.0), (5.0, 3.0)))) == NEARLY(-0.5)
    assert gap(swept(Stand(TANK, 0, 0), 10, 0), Shape(((5.0, 2.0),))) == NEARLY(1.0, abs=1e-4)
    assert segment_gap((0, 0), (4, 0), (2, -1), (2, 1)) == 0.0
    assert segment_gap((0, 0), (4, 0), (6, 1), (6, 5)) == NEARLY(math.sqrt(5))


def test_areas_hold_what_is_wholly_in_them() -> None:
    assert inside(5, 5, SQUARE)
    assert not inside(11, 5, SQUARE)
    assert wholly_in(Stand(MAN, 0.5, 5), SQUARE, 1e-6)
    assert not wholly_in(Stand(MAN, 0.4, 5), SQUARE, 0.05)
    assert area_gap(Shape(((12.0, 5.0),)), SQUARE) == NEARLY(2.0)
    assert area_gap(Shape(((5.0, 5.0),)), SQUARE) < 0


def test_groups_hang_together_by_links() -> None:
    row = [Stand(MAN, 2.5 * i, 0) for i in range(4)] + [Stand(MAN, 20, 0), Stand(MAN, 21, 0)]
    linked = links(row, 2.0, 5.0)
    assert [len(near) for near in linked] == [1, 2, 2, 1, 1, 1]
    assert [len(group) for group in groups(linked)] == [4, 2]
    assert links([Stand(MAN, 0, 0), Stand(MAN, 1.5, 0, 5.1)], 2.0, 5.0) == [[], []]


def test_a_leg_knows_how_far_it_goes_and_turns() -> None:
    leg = Leg("go", Stand(BIKE, 0, 0, 0, 0.1), Stand(BIKE, 3, 4, 2, 2 * math.pi - 0.1))
    assert (leg.flat, leg.up, leg.turned) == (5.0, 2.0, NEARLY(0.2))


def test_the_rim_of_a_base_lies_on_its_outline() -> None:
    for x, y in rim(Stand(BIKE, 3, 3, 0, 0.7), 0.0):
        assert flat_gap(Stand(BIKE, 3, 3, 0, 0.7), Stand(read_base("0mm", 0.0), x, y)) == NEARLY(0.0, abs=1e-3)
