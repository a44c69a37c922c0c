"""Coherency against a plain search over the links."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandtable.table.coherency import coherent, groups, neighbour_counts, warm_up
from sandtable.table.grid import STEP
from sandtable.table.shapes import Bodies, pack, round_base

BASE = round_base(1.26, 1.5)
SHAPES = pack([BASE])


@pytest.fixture(scope="module", autouse=True)
def _kernels() -> None:
    warm_up()


def unit(places: list[tuple[float, float, float]]) -> Bodies:
    pos = np.array([[round(v * STEP) for v in p] for p in places], dtype=np.int64).reshape(len(places), 3)
    return Bodies(pos, np.zeros(len(places), dtype=np.int64), np.zeros(len(places), dtype=np.int64))


def python_links(bodies: Bodies, reach: int, vertical: int) -> list[set[int]]:
    n = len(bodies.pos)
    out: list[set[int]] = [set() for _ in range(n)]
    for a in range(n):
        for b in range(n):
            (ax, ay, az), (bx, by, bz) = (map(int, bodies.pos[k]) for k in (a, b))
            near = (ax - bx) ** 2 + (ay - by) ** 2 <= (reach + 2 * BASE.radius) ** 2
            if a != b and near and abs(az - bz) <= vertical:
                out[a].add(b)
    return out


def python_groups(links: list[set[int]]) -> list[int]:
    label = [-1] * len(links)
    found = 0
    for first in range(len(links)):
        if label[first] < 0:
            todo = [first]
            while todo:
                a = todo.pop()
                if label[a] < 0:
                    label[a] = found
                    todo += links[a]
            found += 1
    return label


coordinate = st.integers(0, 16).map(lambda v: v / 2)
place = st.tuples(coordinate, coordinate, st.sampled_from([0.0, 0.0, 3.0, 6.0]))


@settings(max_examples=200, deadline=None)
@given(st.lists(place, min_size=1, max_size=14), st.sampled_from([1, 2, 5]), st.integers(1, 3))
def test_groups_and_coherency_agree_with_a_plain_search(
    places: list[tuple[float, float, float]], reach: int, neighbours: int
) -> None:
    bodies = unit(places)
    models = np.arange(len(places))
    links = python_links(bodies, reach * STEP, 5 * STEP)
    assert list(neighbour_counts(bodies, SHAPES, models, reach * STEP, 5 * STEP)) == [len(x) for x in links]
    label = python_groups(links)
    assert list(groups(bodies, SHAPES, models, reach * STEP, 5 * STEP)) == label
    wanted = min(neighbours, len(places) - 1)
    expected = max(label) == 0 and all(len(x) >= wanted for x in links)
    assert coherent(bodies, SHAPES, models, reach * STEP, 5 * STEP, neighbours) == expected


def test_two_inches_link_and_one_step_more_does_not() -> None:
    edge = 2 * BASE.radius + 2 * STEP
    for extra, expected in ((0, True), (1, False)):
        bodies = Bodies(
            np.array([[0, 0, 0], [edge + extra, 0, 0]], dtype=np.int64),
            np.zeros(2, dtype=np.int64),
            np.zeros(2, dtype=np.int64),
        )
        assert coherent(bodies, SHAPES, np.arange(2), 2 * STEP, 5 * STEP, 1) is expected


def test_seven_models_in_a_wide_line_lack_a_second_neighbour_at_the_ends() -> None:
    bodies = unit([(3.0 * k, 0.0, 0.0) for k in range(7)])
    assert coherent(bodies, SHAPES, np.arange(7), 2 * STEP, 5 * STEP, 1)
    assert not coherent(bodies, SHAPES, np.arange(7), 2 * STEP, 5 * STEP, 2)


def test_a_single_model_is_always_coherent_and_a_floor_too_high_breaks_the_unit() -> None:
    assert coherent(unit([(0, 0, 0)]), SHAPES, np.arange(1), 2 * STEP, 5 * STEP, 2)
    assert coherent(unit([(0, 0, 0), (1.5, 0, 5)]), SHAPES, np.arange(2), 2 * STEP, 5 * STEP, 1)
    assert not coherent(unit([(0, 0, 0), (1.5, 0, 5.01)]), SHAPES, np.arange(2), 2 * STEP, 5 * STEP, 1)
    assert math.isclose(BASE.radius / STEP, 0.63, abs_tol=0.001)
