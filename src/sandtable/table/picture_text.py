"""A table as text: a small map for terminals, drawn from the same `Picture` as the others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from sandtable.table.layout import Feature, Point
from sandtable.table.picture import Picture

COLUMNS: Final = 76
GROUND: Final = " "
AREA: Final = "░"
SOLID: Final = "▓"
ASPECT: Final = 2
"""A character is about twice as high as it is wide."""


class Cell(NamedTuple):
    """One character of the map, and the look of the side that it belongs to; -1 for nobody's."""

    sign: str
    side: int = -1


def text_map(picture: Picture, columns: int = COLUMNS) -> list[list[Cell]]:
    """The map, row by row from the top: terrain shaded, markers by their number, models by their side's first letter.

    A letter is a capital where three models or more share the place.
    """
    table = picture.table
    size = max(1.0, table.width / columns)
    rows = max(1, round(table.depth / (ASPECT * size)))
    cells = [
        [_ground(table.features, (c + 0.5) * size, (rows - r - 0.5) * ASPECT * size) for c in range(columns)]
        for r in range(rows)
    ]
    for marker in picture.objectives:
        row, column = _place(cells, marker.x, marker.y, size)
        cells[row][column] = Cell(marker.label[:1] or "o", marker.side)
    crowd: dict[tuple[int, int, int], int] = {}
    for model in picture.models:
        if not model.hidden:
            row, column = _place(cells, model.x, model.y, size)
            crowd[row, column, model.side] = crowd.get((row, column, model.side), 0) + 1
    for (row, column, side), number in crowd.items():
        letter = (picture.sides[side][:1] if side < len(picture.sides) else "") or "m"
        cells[row][column] = Cell(letter.upper() if number >= 3 else letter.lower(), side)
    return cells


def _ground(features: Sequence[Feature], x: float, y: float) -> Cell:
    for feature in features:
        if _is_in(feature.outline, x, y):
            return Cell(SOLID if feature.solid else AREA)
    return Cell(GROUND)


def _is_in(outline: Sequence[Point], x: float, y: float) -> bool:
    odd = False
    for (ax, ay), (bx, by) in zip(outline, (*outline[1:], outline[0]), strict=True):
        if (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax:
            odd = not odd
    return odd


def _place(cells: list[list[Cell]], x: int, y: int, size: float) -> tuple[int, int]:
    return max(0, len(cells) - 1 - int(y / (ASPECT * size))), min(len(cells[0]) - 1, int(x / size))
