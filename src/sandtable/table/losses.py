"""In which order a unit loses models without falling apart."""

from __future__ import annotations

from typing import Final

import numpy as np

from sandtable.kernels import kernel
from sandtable.table.grid import Bools, Ints


@kernel
def _left_alone(joined: Bools, close: Bools, one_group: int, there: Bools, without: int, needed: int) -> int:
    """How many models would be out of a unit's group, short of neighbours or too far apart, without one of them."""
    n = joined.shape[0]
    there[without] = False
    seen = np.zeros(n, dtype=np.bool_)
    queue = np.empty(n, dtype=np.int64)
    head, tail, rest, short, beyond = 0, 0, 0, 0, 0
    for a in range(n):
        if not there[a]:
            continue
        rest += 1
        if tail == 0:
            queue[0], tail = a, 1
            seen[a] = True
        links = 0
        for b in range(n):
            if a != b and there[b] and joined[a, b]:
                links += 1
        if links < needed:
            short += 1
        for b in range(n if close.shape[0] > 0 else 0):
            if there[b] and not close[a, b]:
                beyond += 1
                break
    while head < tail:
        a = queue[head]
        head += 1
        for b in range(n):
            if there[b] and not seen[b] and joined[a, b]:
                seen[b] = True
                queue[tail] = b
                tail += 1
    there[without] = True
    return max(rest - tail if one_group != 0 else 0, max(short, beyond))


_NO_LIMIT: Final = np.ones((0, 0), dtype=np.bool_)


def order_of_loss(joined: Bools, needed: Ints, dear: Ints, close: Bools = _NO_LIMIT, *, one_group: bool = True) -> Ints:
    """The models of a unit, first those that go first.

    `joined` says who is close to whom, `needed[k]` how many neighbours each of k models needs. Models are given in the
    order in which they are best lost; one whose loss would leave others alone waits, but for no dearer kind: `dear`
    tells the kinds, and rises. `close` says who is no further from whom than any two may be, where there is a limit.
    """
    order: Ints = _in_order(joined, close, int(one_group), needed, dear)
    return order


@kernel
def _in_order(joined: Bools, close: Bools, one_group: int, needed: Ints, dear: Ints) -> Ints:
    n = joined.shape[0]
    there = np.ones(n, dtype=np.bool_)
    order = np.empty(n, dtype=np.int64)
    for step in range(n):
        best, least, kind = -1, n + 1, -1
        for i in range(n):
            if not there[i]:
                continue
            if best >= 0 and dear[i] != kind:
                break
            alone = _left_alone(joined, close, one_group, there, i, min(needed[n - step - 1], max(0, n - step - 2)))
            if alone < least:
                best, least, kind = i, alone, dear[i]
            if alone == 0:
                break
        order[step] = best
        there[best] = False
    return order


def warm_up() -> None:
    """Compile the kernels, or load them from disk."""
    order_of_loss(np.ones((2, 2), dtype=np.bool_), np.ones(3, dtype=np.int64), np.zeros(2, dtype=np.int64))
