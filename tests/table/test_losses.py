"""A unit that loses models in this order stays together as long as that is possible."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from sandtable.table.grid import Bools
from sandtable.table.losses import order_of_loss

SPARSE = np.array([0, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2], dtype=np.int64)
"""Neighbours that each of so many models needs."""


def chain(n: int) -> Bools:
    """Models in a row, each close to the next."""
    at = np.arange(n)
    return np.asarray(np.abs(at[:, None] - at[None, :]) <= 1)


def lost(joined: Bools, dear: list[int] | None = None) -> list[int]:
    kinds = np.array(dear or [0] * len(joined), dtype=np.int64)
    needed = np.ones(len(joined) + 1, dtype=np.int64)
    return [int(m) for m in order_of_loss(joined, needed, kinds)]


def in_one_group(joined: Bools, models: list[int]) -> bool:
    seen, todo = set(models[:1]), models[:1]
    while todo:
        here = todo.pop()
        new = [m for m in models if m not in seen and joined[here, m]]
        seen |= {*new}
        todo += new
    return len(seen) == len(models)


def test_a_row_is_lost_from_its_ends() -> None:
    order = lost(chain(5))
    for k in range(5):
        assert in_one_group(chain(5), order[k:])


def test_where_nobody_is_needed_the_given_order_holds() -> None:
    everybody = np.ones((4, 4), dtype=np.bool_)
    assert lost(everybody) == [0, 1, 2, 3]


def test_a_dearer_kind_waits_although_it_stands_at_the_end() -> None:
    # The two in the middle are plain: one of them goes first, whatever that does to the row.
    assert lost(chain(4)[np.ix_([1, 2, 0, 3], [1, 2, 0, 3])], dear=[0, 0, 1, 1])[:2] == [0, 1]


def test_large_units_want_two_neighbours_each() -> None:
    # A strip of eight, each close to the next two. Without the second of them the first has one neighbour left.
    at = np.array([1, 0, 2, 3, 4, 5, 6, 7])
    strip = np.asarray(np.abs(at[:, None] - at[None, :]) <= 2)
    plain = np.zeros(8, dtype=np.int64)
    assert int(order_of_loss(strip, np.ones(9, dtype=np.int64), plain)[0]) == 0
    assert int(order_of_loss(strip, SPARSE[:9], plain)[0]) == 1


@settings(max_examples=200, deadline=None)
@given(st.integers(1, 9), st.data())
def test_one_group_stays_one_group(n: int, data: st.DataObject) -> None:
    joined = np.eye(n, dtype=np.bool_)
    for m in range(1, n):
        near = data.draw(st.sets(st.integers(0, m - 1), min_size=1))
        for other in near:
            joined[m, other] = joined[other, m] = True
    order = lost(joined)
    assert sorted(order) == list(range(n))
    for k in range(n):
        assert in_one_group(joined, order[k:])


def test_models_further_apart_than_the_limit_go_first() -> None:
    # A row of five of which no two may be further apart than two places: one end or the other has to go.
    everybody = np.ones((5, 5), dtype=np.bool_)
    at = np.array([2, 0, 1, 3, 4])
    close = np.asarray(np.abs(at[:, None] - at[None, :]) <= 2)
    one, plain = np.ones(6, dtype=np.int64), np.zeros(5, dtype=np.int64)
    assert order_of_loss(everybody, one, plain).tolist() == [0, 1, 2, 3, 4]
    order = order_of_loss(everybody, one, plain, close).tolist()
    left = at[order[2:]]
    assert left.max() - left.min() <= 2


def test_where_no_group_is_asked_for_the_middle_may_go_first() -> None:
    # Two pairs and one between them that joins them.
    joined = np.eye(5, dtype=np.bool_)
    for a, b in ((0, 1), (0, 3), (1, 2), (3, 4)):
        joined[a, b] = joined[b, a] = True
    one, plain = np.ones(6, dtype=np.int64), np.zeros(5, dtype=np.int64)
    assert int(order_of_loss(joined, one, plain)[0]) == 2
    assert int(order_of_loss(joined, one, plain, one_group=False)[0]) == 0
