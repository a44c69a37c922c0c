"""Coherency against a plain search over the links."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandtable.table.coherency import Coherency, coherency, coherent, groups, lacking, neighbour_counts, warm_up
from sandtable.table.grid import STEP
from sandtable.table.shapes import Bodies, pack, round_base
from sandtable.table.zones import Ball, Zone

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
    assert coherent(bodies, SHAPES, models, Coherency(reach * STEP, 5 * STEP, neighbours)) == expected


def test_two_inches_link_and_one_step_more_does_not() -> None:
    edge = 2 * BASE.radius + 2 * STEP
    for extra, expected in ((0, True), (1, False)):
        bodies = Bodies(
            np.array([[0, 0, 0], [edge + extra, 0, 0]], dtype=np.int64),
            np.zeros(2, dtype=np.int64),
            np.zeros(2, dtype=np.int64),
        )
        assert coherent(bodies, SHAPES, np.arange(2), Coherency(2 * STEP, 5 * STEP, 1)) is expected


def test_seven_models_in_a_wide_line_lack_a_second_neighbour_at_the_ends() -> None:
    bodies = unit([(3.0 * k, 0.0, 0.0) for k in range(7)])
    assert coherent(bodies, SHAPES, np.arange(7), Coherency(2 * STEP, 5 * STEP, 1))
    assert not coherent(bodies, SHAPES, np.arange(7), Coherency(2 * STEP, 5 * STEP, 2))


def test_a_single_model_is_always_coherent_and_a_floor_too_high_breaks_the_unit() -> None:
    assert coherent(unit([(0, 0, 0)]), SHAPES, np.arange(1), Coherency(2 * STEP, 5 * STEP, 2))
    assert coherent(unit([(0, 0, 0), (1.5, 0, 5)]), SHAPES, np.arange(2), Coherency(2 * STEP, 5 * STEP, 1))
    assert not coherent(unit([(0, 0, 0), (1.5, 0, 5.01)]), SHAPES, np.arange(2), Coherency(2 * STEP, 5 * STEP, 1))
    assert math.isclose(BASE.radius / STEP, 0.63, abs_tol=0.001)


# --- Other ways of standing together ---------------------------------------------------------------------------------

EDGE = 2 * BASE.radius
FOUR_INCHES = Zone(4 * STEP, 5 * STEP)


def row(*gaps: int, up: int = 0) -> Bodies:
    """Models in a row with these gaps in steps; the last so much higher."""
    at = np.cumsum([0, *(EDGE + g for g in gaps)])
    pos = np.column_stack((at, np.zeros_like(at), np.zeros_like(at))).astype(np.int64)
    pos[-1, 2] = up
    return Bodies(pos, np.zeros(len(at), dtype=np.int64), np.zeros(len(at), dtype=np.int64))


@pytest.mark.parametrize(("extra", "together"), [(0, True), (1, False)])
def test_no_two_models_are_further_apart_than_the_spread(extra: int, together: bool) -> None:
    rule = coherency(Zone(2 * STEP, 5 * STEP), spread=FOUR_INCHES)
    half = (4 * STEP - EDGE) // 2
    bodies = row(half, 4 * STEP - EDGE - half + extra)
    assert coherent(bodies, SHAPES, np.arange(3), rule) is together
    # The two at the ends are what is wrong.
    assert lacking(bodies, SHAPES, np.arange(3), rule) == (0 if together else 2)
    assert coherent(bodies, SHAPES, np.arange(3), coherency(Zone(2 * STEP, 5 * STEP)))


@pytest.mark.parametrize(("up", "together"), [(5 * STEP, True), (5 * STEP + 1, False)])
def test_the_spread_has_a_height(up: int, together: bool) -> None:
    rule = coherency(Zone(2 * STEP, 9 * STEP), spread=FOUR_INCHES)
    assert coherent(row(STEP, up=up), SHAPES, np.arange(2), rule) is together


@pytest.mark.parametrize("one_group", [True, False])
def test_two_clusters_are_coherent_where_no_chain_is_asked_for(one_group: bool) -> None:
    rule = coherency(Zone(2 * STEP, 5 * STEP), spread=Zone(9 * STEP, 5 * STEP), one_group=one_group)
    assert coherent(row(STEP, 3 * STEP, STEP), SHAPES, np.arange(4), rule) is not one_group
    # Beyond the spread neither is.
    assert not coherent(row(STEP, 9 * STEP, STEP), SHAPES, np.arange(4), rule)
    # And a model alone has no neighbour.
    assert not coherent(row(STEP, 3 * STEP), SHAPES, np.arange(3), rule)


@pytest.mark.parametrize(
    ("flat", "up", "together"), [(1200, 1600, True), (1201, 1600, False), (0, 2000, True), (0, 2001, False)]
)
def test_links_may_be_measured_in_space(flat: int, up: int, together: bool) -> None:
    rule = coherency(Ball(2000))
    assert rule.near == Ball(2000)
    assert coherent(row(flat, up=up), SHAPES, np.arange(2), rule) is together
    assert list(groups(row(flat, up=up), SHAPES, np.arange(2), rule.reach, rule.vertical)) == [0, int(not together)]


def test_a_height_without_limit_lets_models_stand_above_each_other() -> None:
    high = row(STEP, up=30 * STEP)
    assert coherent(high, SHAPES, np.arange(2), coherency(Zone(2 * STEP, 1 << 30)))
    assert not coherent(high, SHAPES, np.arange(2), coherency(Zone(2 * STEP, 5 * STEP)))
