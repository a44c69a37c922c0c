"""Arcs before a model, and the sides of a hull."""

from __future__ import annotations

import numpy as np
import pytest

from sandtable.table.grid import STEP, TURN, facing, steps
from sandtable.table.sectors import Side, in_arc, side_of
from sandtable.table.shapes import Bodies, hull, pack, round_base

SHAPES = pack([hull(6.0, 3.0, 2.0), round_base(2.0, 1.0)])
FULL, HALF, QUARTER = TURN, TURN // 2, TURN // 4


def standing(turned: int = 0, shape: int = 0) -> Bodies:
    return Bodies(
        np.array([[20 * STEP, 20 * STEP, 0]]), np.array([turned], dtype=np.int64), np.array([shape], dtype=np.int64)
    )


def sees(bodies: Bodies, x: float, y: float, width: int, middle: int = 0) -> bool:
    return in_arc(bodies, 0, 20 * STEP + steps(x), 20 * STEP + steps(y), width, middle)


@pytest.mark.parametrize("turned", [0, 512, QUARTER, 3000])
def test_an_arc_turns_with_its_model(turned: int) -> None:
    bodies = standing(turned)
    for degrees, inside in ((0, True), (44.9, True), (-44.9, True), (45.1, False), (-45.1, False), (180, False)):
        angle = 2 * np.pi * (turned / TURN + degrees / 360)
        assert sees(bodies, 10 * float(np.cos(angle)), 10 * float(np.sin(angle)), QUARTER) == inside


def test_the_edges_of_an_arc_belong_to_it() -> None:
    bodies = standing()
    assert sees(bodies, 5, 5, QUARTER)
    assert not sees(bodies, 5, 5.01, QUARTER)
    assert sees(bodies, 0, 5, HALF)
    assert not sees(bodies, -0.01, 5, HALF)


def test_arcs_to_the_sides() -> None:
    bodies = standing()
    assert sees(bodies, 0, 5, HALF, QUARTER)
    assert not sees(bodies, 0, -5, HALF, QUARTER)
    assert sees(bodies, 0, -5, HALF, -QUARTER)
    assert sees(bodies, 5, 0, HALF, QUARTER)
    assert sees(bodies, 5, 0, HALF, -QUARTER)


def test_an_arc_of_more_than_half_a_turn_leaves_its_rear_out() -> None:
    bodies = standing()
    wide = TURN - QUARTER
    assert sees(bodies, -4.9, 5, wide)
    assert sees(bodies, -4.9, -5, wide)
    assert not sees(bodies, -5, 4.9, wide)
    assert not sees(bodies, -5, 0, wide)
    assert sees(bodies, -5, 0, FULL)


@pytest.mark.parametrize("turned", [0, facing(30), facing(90), facing(200)])
def test_the_sides_of_a_hull_are_parted_by_lines_through_its_corners(turned: int) -> None:
    # Twice as long as wide: 2" to the side at 4" ahead is the line.
    bodies = standing(turned)
    c, s = np.cos(2 * np.pi * turned / TURN), np.sin(2 * np.pi * turned / TURN)

    def at(ahead: float, left: float) -> Side:
        x, y = ahead * c - left * s, ahead * s + left * c
        return side_of(bodies, SHAPES, 0, 20 * STEP + steps(x), 20 * STEP + steps(y))

    assert at(4, 1.98) == Side.FRONT
    assert at(4, 2.02) == Side.LEFT
    assert at(-4, 1.98) == Side.REAR
    assert at(4, -2.02) == Side.RIGHT


def test_a_point_on_the_line_through_a_corner_is_on_two_sides() -> None:
    bodies = standing()
    assert side_of(bodies, SHAPES, 0, 24 * STEP, 22 * STEP) == Side.FRONT | Side.LEFT
    assert side_of(bodies, SHAPES, 0, 16 * STEP, 18 * STEP) == Side.REAR | Side.RIGHT
    assert side_of(standing(shape=1), SHAPES, 0, 24 * STEP, 24 * STEP) == Side.FRONT | Side.LEFT
