"""Pearson's chi-square test, for counts held against exact chances, and its bounds for a family of tests."""

from __future__ import annotations

import math
from collections.abc import Sequence

LEAST_EXPECTED = 5.0
"""A cell in which fewer are expected is merged with the next larger one."""
FAMILY = 1e-3
"""All tests of a family together refuse true chances with at most this chance."""
IMPOSSIBLE = 1e-12


def p_value(counts: Sequence[int], chances: Sequence[float]) -> float:
    """The chance to see counts that are as far off as these, or further; 0 where the impossible was seen."""
    if len(counts) != len(chances):
        raise ValueError("there is not one count for each chance")
    if any(n and p < IMPOSSIBLE for n, p in zip(counts, chances, strict=True)):
        return 0.0
    total = sum(counts)
    cells = _merged([(p * total, n) for n, p in zip(counts, chances, strict=True) if p >= IMPOSSIBLE])
    if len(cells) < 2:
        return 1.0
    return upper_tail(sum((n - expected) ** 2 / expected for expected, n in cells), len(cells) - 1)


def _merged(cells: list[tuple[float, int]]) -> list[tuple[float, int]]:
    """Cells from the rarest up, put together until enough is expected in each."""
    out: list[tuple[float, int]] = []
    expected, seen = 0.0, 0
    for each, n in sorted(cells):
        expected, seen = expected + each, seen + n
        if expected >= LEAST_EXPECTED:
            out.append((expected, seen))
            expected, seen = 0.0, 0
    if expected and out:
        out[-1] = (out[-1][0] + expected, out[-1][1] + seen)
    return out


def upper_tail(statistic: float, free: int) -> float:
    """The chance that chi-square with so many degrees of freedom exceeds a value.

    From the incomplete gamma function at 1/2 or 1, and then up in steps of one.
    """
    half = statistic / 2
    if half <= 0:
        return 1.0
    shape = 0.5 if free % 2 else 1.0
    out = math.erfc(math.sqrt(half)) if free % 2 else math.exp(-half)
    while shape < free / 2:
        out += math.exp(shape * math.log(half) - half - math.lgamma(shape + 1))
        shape += 1
    return min(1.0, out)


def worst_allowed(tests: int) -> float:
    """The p-value that no test of a family of so many may come below (Bonferroni)."""
    return FAMILY / tests


def too_many_low(values: Sequence[float], low: float = 0.01) -> bool:
    """Whether more p-values are low than chance explains: it shows small errors that no single test can.

    The values may depend on each other two by two, as those of wounds and of models do; so half of them are counted.
    """
    half = math.ceil(len(values) / 2)
    seen = sum(p < low for p in values) / 2
    tail = 1.0
    for n in range(math.ceil(seen)):
        tail -= math.comb(half, n) * low**n * (1 - low) ** (half - n)
    return tail < FAMILY / 10
