"""The map for terminals."""

from __future__ import annotations

from sandtable.table.grid import STEP
from sandtable.table.layout import Feature, Table
from sandtable.table.picture import Model, Objective, Picture
from sandtable.table.picture_text import text_map
from sandtable.table.shapes import round_base

BASE = round_base(1, 1)


def square(name: str, x: int, y: int, side: int, solid: bool = False) -> Feature:
    corners = ((x, y), (x + side, y), (x + side, y + side), (x, y + side))
    return Feature(name, "ruins", tuple((a * STEP, b * STEP) for a, b in corners), 0, STEP, solid)


def at(x: float, y: float, side: int = 0, hidden: bool = False) -> Model:
    return Model(int(x * STEP), int(y * STEP), BASE, side, hidden=hidden)


def lines(picture: Picture) -> list[str]:
    return ["".join(cell.sign for cell in row) for row in text_map(picture, 10)]


def test_the_map_has_the_top_of_the_table_first() -> None:
    """Ten columns of one inch, and rows of two: the square from 0 to 4 lies at the bottom left."""
    table = Table(10 * STEP, 8 * STEP, "in", (square("ruin", 0, 0, 4), square("crate", 8, 6, 2, solid=True)))
    assert lines(Picture(table)) == ["        ▓▓", "          ", "░░░░      ", "░░░░      "]


def test_models_and_markers_stand_where_they_are() -> None:
    table = Table(10 * STEP, 8 * STEP, "in")
    models = (at(0.5, 7.5), at(5.2, 1), at(5.4, 1, 0), at(5.6, 1, 0), at(9.9, 0.1, 1), at(3, 3, hidden=True))
    markers = (Objective(7 * STEP + 5, 3 * STEP, STEP, "4"),)
    drawn = lines(Picture(table, models, objectives=markers, sides=("blue", "red")))
    assert drawn == ["b         ", "          ", "       4  ", "     B   r"]


def test_a_cell_knows_whose_it_is() -> None:
    cells = text_map(Picture(Table(10 * STEP, 8 * STEP, "in"), (at(0.5, 0.5, 1),), sides=("blue", "red")), 10)
    assert [cell.side for row in cells for cell in row if cell.side >= 0] == [1]
