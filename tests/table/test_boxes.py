"""Boxes around groups against measuring every pair of models."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from sandtable.table.boxes import near
from sandtable.table.grid import TURN, steps
from sandtable.table.measure import gaps
from sandtable.table.shapes import Bodies, hull, oval_base, pack, round_base

SHAPES = pack((round_base(1.26, 1.5), oval_base(3.54, 2.05, 2.0), hull(5.0, 3.0, 2.5)))


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=60, deadline=None, derandomize=True)
def test_whoever_has_a_model_in_reach_is_near(seed: int) -> None:
    rng = np.random.default_rng(seed)
    count, groups, reach = 24, 6, steps(float(rng.uniform(0, 6)))
    pos = np.column_stack((rng.integers(0, steps(30), (count, 2)), np.zeros(count, dtype=np.int64)))
    bodies = Bodies(pos, rng.integers(0, TURN, count), rng.integers(0, 3, count))
    group, side = rng.integers(0, groups, count), rng.integers(0, 2, groups)
    here = np.flatnonzero(rng.random(count) < 0.8)
    found = [tuple(pair) for pair in near(bodies, SHAPES, here, group, side, reach).tolist()]
    assert found == sorted(set(found)) and all(side[a] != side[b] for a, b in found)
    for a in range(groups):
        for b in range(groups):
            one, other = here[group[here] == a], here[group[here] == b]
            close = len(one) and len(other) and gaps(bodies, SHAPES, one, other).min() <= reach
            if close and side[a] != side[b]:
                assert (a, b) in found and (b, a) in found


def test_groups_that_are_far_apart_or_not_there_are_not_near() -> None:
    pos = np.array([(0, 0, 0), (steps(10), 0, 0), (steps(1), 0, 0)], dtype=np.int64)
    bodies = Bodies(pos, np.zeros(3, dtype=np.int64), np.zeros(3, dtype=np.int64))
    group, side = np.arange(3), np.array([0, 1, 1])
    assert near(bodies, SHAPES, np.array([0, 1]), group, side, steps(3)).tolist() == []
    assert near(bodies, SHAPES, np.arange(3), group, side, steps(3)).tolist() == [[0, 2], [2, 0]]
