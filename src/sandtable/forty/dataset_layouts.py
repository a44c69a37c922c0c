"""Terrain layouts of the 40kdc dataset as tables of ours.

The dataset tells outlines of areas, and walls and upper floors of what stands in them. It tells few heights, so that
most are ours here; windows and roofs are left out. An area is one feature, of the category of the heaviest thing in it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, TypeAlias

from sandtable.armies.kdc.source import Json, data
from sandtable.battle.tables import FeatureDoc, FloorDoc, TableDoc, WallDoc, build_table
from sandtable.errors import UserError
from sandtable.kit.layouts import GENERATED, find_table, layouts
from sandtable.table.layout import Table

BOARD: Final = (60, 44)
CLOSE: Final = 0.05
"""Corners closer than this to the line between others are left out: outlines have hundreds."""
MOST_CORNERS, MOST_WALLS = 32, 64
HEIGHTS: Final = {"dense": 5.0, "light": 2.0}
KINDS: Final = {"dense": "ruins", "light": "barricade", "": "crater"}
"""What an area is by the heaviest thing in it; one with nothing in it is exposed."""
SHORTEST: Final = 0.1
STOREY: Final = 3.0
"""How high each floor lies above the one below; the dataset does not tell."""
FLOOR: Final = -1.0
"""The thickness of a wall that is none: the dataset turns walls with their feature, so that floors go with them."""

Spot: TypeAlias = tuple[float, float]


def dataset_layouts() -> list[str]:
    """The layouts by their names."""
    return [one["id"] for one in data().raw["terrain_layouts"]]


def layout_called(layout: str | Path) -> str:
    """A layout by the name that players read; one of a file, or of ours, by the name of its file."""
    name = Path(layout).stem
    if str(layout) != name or name in layouts() or name.startswith(GENERATED):
        return name
    return str(layout_named(name)["name"])


def layout_named(name: str) -> Json:
    """A layout of the dataset."""
    found = next((one for one in data().raw["terrain_layouts"] if one["id"] == name), None)
    if found is None:
        known = ", ".join((*layouts(), *dataset_layouts()))
        raise UserError(f"There is no layout '{name}'; layouts are {known}, or '{GENERATED}' with a number.")
    return found


def any_table(name: str | Path) -> Table:
    """The table of a layout: one of ours, from a file, drawn up anew, or one of the dataset."""
    text = str(name)
    ours = text.startswith(GENERATED) or Path(text).suffix in (".yaml", ".yml") or text in layouts()
    return find_table(name) if ours else dataset_table(text)


@cache
def dataset_table(name: str) -> Table:
    """The table of a layout."""
    return build_table(table_doc(name), "in")


def table_doc(name: str) -> TableDoc:
    """A layout as a document: one feature for each area, with the walls of what stands in it."""
    from wh40kdc.terrain import resolve_layout

    layout = layout_named(name)
    told = {piece["id"]: piece for piece in layout["pieces"]}
    inside: dict[str, list[Json]] = {}
    areas: dict[str, Json] = {}
    for piece in resolve_layout(layout, _with_floors()):
        area, _, part = piece["id"].partition("--")
        own = told.get(piece["id"], {})
        parent = area if part else own.get("parent_area_id")
        if parent:
            inside.setdefault(parent, []).append({**own, **piece})
        else:
            areas[area] = {**own, **piece}
    return TableDoc(
        BOARD, tuple(_feature(_named(piece, id_), piece, inside.get(id_, [])) for id_, piece in areas.items())
    )


def _named(piece: Json, id_: str) -> str:
    """What an area is called: those that are one objective together are parts of one area."""
    return f"{piece['link_group']}/{id_}" if piece.get("link_group") else id_


@cache
def _with_floors() -> list[Json]:
    """The templates of terrain, where upper floors stand among the walls."""
    return [_with_floor(one) if one.get("upper_floor") else one for one in data().raw["terrain_templates"]]


def _with_floor(template: Json) -> Json:
    floor = template["upper_floor"]
    shape = floor["footprint"]
    if shape["type"] == "rectangle":
        wide, deep = shape["width"], shape["height"]
        points = [{"x": x, "y": y} for x, y in ((0, 0), (wide, 0), (wide, deep), (0, deep))]
    else:
        points = shape["points"]
    return {
        **template,
        "walls": [*(template.get("walls") or ()), {"points": points, "thickness": FLOOR * floor["floor"]}],
    }


def _feature(id_: str, piece: Json, parts: list[Json]) -> FeatureDoc:
    stands = [piece, *parts] if piece["piece_type"] == "feature" else parts
    categories = {part.get("terrain_category") for part in (piece, *parts)}
    category = next((one for one in ("dense", "light") if one in categories), "")
    walls = tuple(wall for part in stands for wall in _walls(part, category))[:MOST_WALLS]
    return FeatureDoc(
        kind=KINDS[category],
        id=id_,
        outline=outline_of(piece["vertices"]),
        height=piece.get("height_inches") or HEIGHTS.get(category, 0),
        walls=walls,
        floors=tuple(floor for part in stands for floor in _floors(part)),
    )


def _floors(part: Json) -> Iterator[FloorDoc]:
    """The upper floors of something in an area."""
    for wall in part.get("walls") or ():
        if (wall.get("thickness") or 0) < 0:
            yield FloorDoc(STOREY * wall["thickness"] / FLOOR, outline=outline_of(wall["points"]))


def _walls(part: Json, category: str) -> Iterator[WallDoc]:
    """The walls of something in an area of a category; where none are told, it is walled in along its outline."""
    top = part.get("height_inches") or HEIGHTS.get(part.get("terrain_category") or category, HEIGHTS["light"])
    around = outline_of(part["vertices"])
    walls = [wall for wall in part.get("walls") or () if (wall.get("thickness") or 0) >= 0]
    told = [([_spot(point) for point in wall["points"]], wall.get("thickness") or 0) for wall in walls]
    for points, thickness in told or [([*around, around[0]], 0)]:
        for start, end in pairwise(points):
            if _far(start, end) >= SHORTEST:
                yield WallDoc(start, end, top, 0, thickness)


def outline_of(points: Sequence[Any]) -> tuple[Spot, ...]:
    """An outline with as many corners as we take; the dataset counts downwards from the upper edge."""
    spots = [_spot(point) for point in points]
    close = CLOSE
    found = _simpler(spots, close)
    while len(found) > MOST_CORNERS:
        close *= 2
        found = _simpler(spots, close)
    return tuple(found)


def _far(one: Spot, other: Spot) -> float:
    return math.sqrt((one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2)


def _spot(point: Json) -> Spot:
    return round(float(point["x"]), 3), round(BOARD[1] - float(point["y"]), 3)


def _simpler(points: list[Spot], close: float) -> list[Spot]:
    """The closed outline without corners that hardly bend it: each half between its two farthest corners."""
    far = max(range(len(points)), key=lambda i: _far(points[0], points[i]))
    if not far:
        return points
    first = _between(points[: far + 1], close)
    second = _between([*points[far:], points[0]], close)
    return [*first[:-1], *second[:-1]]


def _between(points: list[Spot], close: float) -> list[Spot]:
    if len(points) < 3:
        return points
    start, end = points[0], points[-1]
    length = _far(start, end) or 1.0

    def off(p: Spot) -> float:
        return abs((end[0] - start[0]) * (start[1] - p[1]) - (start[0] - p[0]) * (end[1] - start[1])) / length

    worst = max(range(1, len(points) - 1), key=lambda i: off(points[i]))
    if off(points[worst]) <= close:
        return [start, end]
    return [*_between(points[: worst + 1], close)[:-1], *_between(points[worst:], close)]
