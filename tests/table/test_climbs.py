"""Ways that climb: straight over a crate, and a field of lengths against relaxing every step until nothing changes."""

from __future__ import annotations

import math

import numpy as np
import pytest

from sandtable.table.climbs import STEPS, spread, straight_over
from sandtable.table.grid import STEP, Ints, steps
from sandtable.table.layout import Feature, Table, compile_terrain
from sandtable.table.moves import CLIMB, GO, obstacles
from sandtable.table.shapes import Bodies, pack, round_base

CELL = STEP // 2
PACE = STEP // 8
SIZE = 13


def legs_over_a_crate(start: tuple[float, float, float], goal: tuple[float, float, float]) -> list[list[int]]:
    """The legs of a base of 1" over a crate of 2" by 2" that is 3" high; its corner is at 10, 10."""
    corners = tuple((steps(x), steps(y)) for x, y in ((10, 10), (12, 10), (12, 12), (10, 12)))
    terrain = compile_terrain(
        Table(30 * STEP, 30 * STEP, "inch", (Feature("crate", "crate", corners, 0, steps(3), solid=True),))
    )
    one, other = (np.array([steps(v) for v in place], dtype=np.int64) for place in (start, goal))
    bodies = Bodies(one[None].copy(), np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64))
    steep = obstacles(1, terrain, end_wall=0, end_solid=1, floor_blocks=0, edge=False)
    tops = np.zeros(0, dtype=np.int64), terrain.top
    found: Ints = straight_over(bodies, pack([round_base(1.0, 1.5)]), terrain, 0, steep, *tops, one, other, PACE)
    return found.tolist()


def test_a_way_over_a_crate_climbs_where_the_base_meets_it_and_comes_down_behind_it() -> None:
    legs = legs_over_a_crate((5, 11, 0), (17, 11, 0))
    assert [leg[0] for leg in legs] == [GO, CLIMB, GO, CLIMB, GO]
    assert [leg[3] for leg in legs] == [0, steps(3), steps(3), 0, 0]
    assert legs[0][1] == pytest.approx(steps(9.5), abs=2)
    assert legs[2][1] == pytest.approx(steps(12.5), abs=2)
    assert legs[-1][1:3] == [steps(17), steps(11)]


def test_a_way_past_a_crate_is_one_leg_and_a_way_to_its_top_ends_there() -> None:
    assert legs_over_a_crate((5, 8, 0), (17, 8, 0)) == [[GO, steps(17), steps(8), 0, 0]]
    assert [leg[0] for leg in legs_over_a_crate((5, 11, 0), (11, 11, 3))] == [GO, CLIMB, GO]
    assert legs_over_a_crate((5, 8, 0), (5, 8, 0)) == []


def is_open(height: Ints, shut: np.ndarray, here: tuple[int, int], step: tuple[int, int]) -> bool:
    """Whether a step leads from an open cell to another; a long one past two more on the same height."""
    ax, ay = (int(np.sign(d)) for d in step)
    beside = [(ax, ay), (step[0] - ax, step[1] - ay)] if abs(step[0]) + abs(step[1]) == 3 else []
    cells = [(here[0] + dy, here[1] + dx) for dx, dy in (step, *beside)]
    inside = all(0 <= r < SIZE and 0 <= c < SIZE for r, c in cells)
    return (
        inside and not any(shut[c] for c in (here, *cells)) and all(height[c] == height[here] for c in cells if beside)
    )


@pytest.mark.parametrize("seed", range(8))
def test_the_field_has_the_shortest_lengths_and_steps_back_that_add_up(seed: int) -> None:
    rng = np.random.default_rng(seed)
    height = np.kron(rng.choice([0, 0, 0, steps(1)], (5, 5)), np.ones((3, 3), dtype=np.int64))[:SIZE, :SIZE].copy()
    closed, most, middle = rng.random((SIZE, SIZE)) < 0.25, steps(3.5), SIZE // 2
    cost = np.full((SIZE, SIZE), np.inf)
    cost[middle, middle] = 0.0
    found, back = spread(cost, height, closed, most, CELL)
    shut = closed.copy()
    shut[middle, middle] = False
    best, ways = cost.copy(), dict[tuple[int, int], float]()
    for _ in range(SIZE * SIZE):
        for cell in np.ndindex(SIZE, SIZE):
            for dx, dy in STEPS.tolist():
                if is_open(height, shut, cell, (dx, dy)):
                    other = (cell[0] + dy, cell[1] + dx)
                    length = best[other] + math.sqrt(dx * dx + dy * dy) * CELL + abs(int(height[other] - height[cell]))
                    if length <= most and length < best[cell] - 1e-6:
                        best[cell], ways[cell] = length, length
        if not ways:
            break
        ways.clear()
    assert np.allclose(found, best)
    for cell in zip(*np.nonzero(np.isfinite(found) & (found > 0)), strict=True):
        dx, dy = STEPS[back[cell]].tolist()
        other = (cell[0] + dy, cell[1] + dx)
        price = math.sqrt(dx * dx + dy * dy) * CELL + abs(int(height[other] - height[cell]))
        assert found[cell] == pytest.approx(found[other] + price)
