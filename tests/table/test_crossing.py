"""What a path leads through, by the middle of a base and by all of it."""

from __future__ import annotations

import numpy as np
import pytest

from sandtable.table import moves
from sandtable.table.crossing import ENTERS, NOT_CROSSED, STARTS_IN, approaches, areas_under, entries, keeps_to, swept
from sandtable.table.grid import STEP, TURN, Ints, steps
from sandtable.table.moves import GO, PIVOT
from sandtable.table.shapes import Bodies, hull, pack, round_base

SHAPES = pack([round_base(2.0, 1.0), hull(4.0, 1.0, 1.0)])
WOOD = np.array([[[10, 0], [14, 0], [14, 8], [10, 8]], [[10, 20], [14, 20], [14, 28], [10, 28]]], dtype=np.int64) * STEP
CORNERS = np.array([4, 4], dtype=np.int64)


def standing(x: float, y: float, shape: int = 0, facing: int = 0) -> Bodies:
    pos = np.array([[steps(x), steps(y), 0], [steps(30), steps(4), 0]], dtype=np.int64)
    return Bodies(pos, np.array([facing, 0], dtype=np.int64), np.array([shape, 0], dtype=np.int64))


def way(*points: tuple[float, float], facing: int = 0) -> Ints:
    return moves.path(*((GO, steps(x), steps(y), 0, facing) for x, y in points))


def by_base(bodies: Bodies, legs: Ints) -> list[int]:
    return [int(v) for v in swept(bodies, SHAPES, 0, legs, WOOD, CORNERS)]


def by_middle(x: float, y: float, *points: tuple[float, float], areas: Ints = WOOD) -> list[int]:
    """How often the middle of a base comes to be in each area."""
    corners = np.full(len(areas), areas.shape[1], dtype=np.int64)
    return [int(v) for v in entries(steps(x), steps(y), way(*points), areas, corners)]


def test_a_way_through_enters_although_it_ends_beyond() -> None:
    assert by_base(standing(5, 4), way((20, 4))) == [ENTERS, NOT_CROSSED]
    assert by_middle(5, 4, (20, 4)) == [1, 0]


def test_who_starts_inside_is_told_from_who_enters() -> None:
    assert by_base(standing(12, 4), way((20, 4))) == [STARTS_IN, NOT_CROSSED]
    assert by_base(standing(12, 4), way((20, 4), (12, 24))) == [STARTS_IN, ENTERS]


@pytest.mark.parametrize(
    ("start", "points", "times"),
    [
        ((12, 4), [], [1, 0]),
        ((12, 4), [(13, 5), (11, 2)], [1, 0]),
        ((12, 4), [(20, 4), (12, 24)], [1, 1]),
        ((12, 4), [(20, 4), (12, 5)], [2, 0]),
        ((5, 4), [(20, 4), (5, 5), (12, 4)], [3, 0]),
        ((12, 10), [(12, 6), (12, 22), (12, 4)], [2, 1]),
        # From the edge, to it, along it, and past a corner.
        ((12, 4), [(14, 4), (11, 4)], [1, 0]),
        ((5, 4), [(10, 4), (5, 4)], [1, 0]),
        ((10, 4), [(5, 4)], [1, 0]),
        ((10, -5), [(10, 15)], [1, 0]),
        ((5, 13), [(15, 3)], [1, 0]),
        ((9, 3), [(11, 1), (7, -1), (11, -1), (9, 1)], [2, 0]),
    ],
)  # fmt: skip
def test_each_time_that_a_middle_comes_in_counts(
    start: tuple[float, float], points: list[tuple[float, float]], times: list[int]
) -> None:
    assert by_middle(*start, *points) == times


def test_a_straight_way_can_enter_one_area_twice() -> None:
    outline = [[10, 0], [20, 0], [20, 10], [16, 10], [16, 4], [14, 4], [14, 10], [10, 10]]
    bay = np.array([outline], dtype=np.int64) * STEP
    assert by_middle(5, 8, (25, 8), areas=bay) == [2]
    assert by_middle(5, 2, (25, 2), areas=bay) == [1]
    assert by_middle(5, 4, (25, 4), areas=bay) == [1], "the edge of the bay is in the area"
    assert by_middle(12, 8, (18, 8), (18, 2), areas=bay) == [2]


@pytest.mark.parametrize(("y", "enters"), [(9.01, False), (8.99, True)])
def test_a_base_enters_with_its_edge_and_a_middle_does_not(y: float, enters: bool) -> None:
    assert by_base(standing(5, y), way((20, y)))[0] == (ENTERS if enters else NOT_CROSSED)
    assert by_middle(5, y, (20, y)) == [0, 0]


def test_a_base_that_starts_at_the_edge_starts_outside() -> None:
    assert by_base(standing(9, 4), way((5, 4)))[0] == NOT_CROSSED
    assert by_base(standing(9.01, 4), way((5, 4)))[0] == STARTS_IN


def test_a_hull_enters_by_turning() -> None:
    # 2" of its length before it, and the wood 1.5" to its side.
    bodies = standing(8.5, 4, shape=1, facing=TURN // 4)
    turn = moves.path((PIVOT, steps(8.5), steps(4), 0, 0))
    assert by_base(bodies, turn)[0] == ENTERS
    # Half a turn ends as it began, and leads through what is beside it.
    assert by_base(bodies, moves.path((PIVOT, steps(8.5), steps(4), 0, 3 * TURN // 4)))[0] == ENTERS
    assert by_base(bodies, moves.path((PIVOT, steps(8.5), steps(4), 0, TURN // 4 + 20)))[0] == NOT_CROSSED


def test_nobody_enters_without_moving() -> None:
    assert by_base(standing(5, 4), moves.path()) == [NOT_CROSSED, NOT_CROSSED]
    assert by_base(standing(12, 4), moves.path()) == [STARTS_IN, NOT_CROSSED]


def test_what_lies_under_points() -> None:
    points = np.array([[12, 4, 0], [12, 24, 0], [5, 4, 0]], dtype=np.int64) * STEP
    assert areas_under(points, WOOD, CORNERS).tolist() == [[True, False], [False, True], [False, False]]


def test_who_keeps_to_areas_leaves_them_nowhere() -> None:
    both, one = np.array([True, True]), np.array([False, True])
    x, y = steps(12), steps(1)
    assert keeps_to(x, y, way((12, 7), (11, 2)), WOOD, CORNERS, both)
    assert not keeps_to(x, y, way((12, 7), (11, 2)), WOOD, CORNERS, one)
    assert not keeps_to(x, y, way((12, 24)), WOOD, CORNERS, both)
    assert keeps_to(x, y, moves.path(), WOOD, CORNERS, both)
    assert not keeps_to(steps(5), y, moves.path(), WOOD, CORNERS, both)


def test_how_far_along_its_way_a_base_comes_near_another() -> None:
    bodies = standing(10, 4)
    # Twenty inches between the middles, bases of 2", a gap of 5": it is near after 13".
    (near,) = approaches(bodies, SHAPES, 0, way((28, 4)), np.array([1]), 5 * STEP)
    assert near / STEP == pytest.approx(13.0, abs=0.01)
    (bent,) = approaches(bodies, SHAPES, 0, way((10, 8), (10, 4), (28, 4)), np.array([1]), 5 * STEP)
    assert bent / STEP == pytest.approx(21.0, abs=0.01)
    assert approaches(bodies, SHAPES, 0, way((22.99, 4)), np.array([1]), 5 * STEP).tolist() == [-1.0]
