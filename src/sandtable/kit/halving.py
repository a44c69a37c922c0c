"""Dividing a table into two halves by a straight line through its middle."""

from __future__ import annotations

from typing import Final

from sandtable.kit.room import Outline
from sandtable.table.grid import units

LINES: Final = {
    "along": "into a lower and an upper half",
    "across": "into a left and a right half",
    "rising": "from the lower left to the upper right corner",
    "falling": "from the upper left to the lower right corner",
}
"""How a table can be divided."""


def halves_of(width: int, depth: int, line: str) -> tuple[Outline, Outline]:
    """Two halves of the same size on either side of a line."""
    x, y = width // 2, depth // 2
    one: Outline = {
        "along": ((0, 0), (width, 0), (width, y), (0, y)),
        "across": ((0, 0), (x, 0), (x, depth), (0, depth)),
        "rising": ((0, 0), (width, 0), (width, depth)),
        "falling": ((0, 0), (width, 0), (0, depth)),
    }[line]
    return one, tuple((width - px, depth - py) for px, py in one)


def called(half: Outline) -> str:
    """A half as players call it: by its middle."""
    x, y = (units(sum(p[i] for p in half) / len(half)) for i in (0, 1))
    return f"the half around {x:.0f}, {y:.0f}"
