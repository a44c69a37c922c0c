"""Zones are cylinders, balls are distances in space."""

from __future__ import annotations

import numpy as np

from sandtable.table.grid import STEP
from sandtable.table.shapes import Bodies, hull, pack, round_base
from sandtable.table.zones import CONTACT, Ball, Zone, linked, links

SHAPES = pack([round_base(1.0, 1.0), hull(4.0, 2.0, 3.0)])
ONE, OTHER = np.array([0]), np.array([1])


def standing(flat: int, up: int, shapes: tuple[int, int] = (0, 0)) -> Bodies:
    """Two round bases so many steps apart, the second so many steps higher."""
    pos = np.array([[0, 0, 0], [STEP + flat, 0, up]], dtype=np.int64)
    return Bodies(pos, np.zeros(2, dtype=np.int64), np.array(shapes, dtype=np.int64))


def within(bodies: Bodies, near: Zone | Ball) -> bool:
    found = linked(bodies, SHAPES, ONE, OTHER, near)
    assert links(bodies, SHAPES, ONE, OTHER, near).tolist() == [[found]]
    return found


def test_a_zone_ends_at_its_width_and_at_its_height() -> None:
    zone = Zone(STEP, 5 * STEP)
    assert within(standing(STEP, 5 * STEP), zone)
    assert not within(standing(STEP + 1, 5 * STEP), zone)
    assert not within(standing(STEP, 5 * STEP + 1), zone)


def test_a_ball_measures_in_space() -> None:
    assert within(standing(STEP, 0), Ball(STEP))
    assert not within(standing(STEP + 1, 0), Ball(STEP))
    assert within(standing(0, STEP), Ball(STEP))
    assert not within(standing(0, STEP + 1), Ball(STEP))
    assert within(standing(600, 800), Ball(1000))
    assert not within(standing(601, 800), Ball(1000))


def test_a_corner_of_the_zone_lies_outside_the_ball() -> None:
    corner = standing(STEP, STEP)
    assert within(corner, Zone(STEP, STEP))
    assert not within(corner, Ball(STEP))


def test_a_hull_is_measured_at_any_of_its_heights() -> None:
    # Its side lies half an inch before its middle's distance less two inches, its height reaches down to the first.
    beside = standing(2 * STEP, 2 * STEP, (1, 0))
    assert within(beside, Ball(STEP + STEP // 2))
    assert within(beside, Zone(STEP, 0))


def test_nobody_is_within_less_than_nothing() -> None:
    overlapping = standing(-STEP // 2, 0)
    assert within(overlapping, Zone(0, 0))
    assert within(overlapping, Ball(0))
    assert not within(overlapping, Zone(-1, -1))
    assert not within(overlapping, Ball(-1))


def test_nobody_is_near_to_nobody() -> None:
    nobody = np.empty(0, dtype=np.int64)
    for near in (Zone(STEP, STEP), Ball(STEP)):
        assert not linked(standing(0, 0), SHAPES, ONE, nobody, near)
        assert links(standing(0, 0), SHAPES, nobody, ONE, near).shape == (0, 1)


def test_contact_is_base_to_base_on_one_height() -> None:
    assert within(standing(0, 0), CONTACT)
    assert not within(standing(0, 1), CONTACT)
    assert not within(standing(CONTACT.flat + 1, 0), CONTACT)


def test_what_could_get_in_by_going_so_far() -> None:
    assert Zone(1, 5).grown(3) == Zone(4, 8)
    assert Ball(1).grown(3) == Ball(4)
