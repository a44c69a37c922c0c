"""Tables as documents: how a battlefield is written in a scenario or layout file, in the system's own unit."""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import msgspec

from sandtable.errors import UserError
from sandtable.table.grid import STEP, steps
from sandtable.table.layout import MAX_CORNERS, Feature, Floor, Point, Table, Wall, signed_area

Number: TypeAlias = int | float
Spot2: TypeAlias = tuple[Number, Number]

MAX_SIZE: Final = 1000
MAX_FEATURES: Final = 200
MAX_WALLS: Final = 64


class WallDoc(msgspec.Struct, forbid_unknown_fields=True, rename={"start": "from", "end": "to"}):
    """A wall from one point to another; a window is left by a second wall above it."""

    start: Spot2
    end: Spot2
    top: Number
    bottom: Number = 0
    thickness: Number = 0


class FloorDoc(msgspec.Struct, forbid_unknown_fields=True):
    """A level at height `z`; by default it covers the whole feature."""

    z: Number
    thickness: Number = 0
    outline: tuple[Spot2, ...] = ()
    rect: tuple[Number, Number, Number, Number] | None = None


class FeatureDoc(msgspec.Struct, forbid_unknown_fields=True):
    """A terrain feature: `rect` (left, bottom, width, depth) or `outline`."""

    kind: str
    id: str = ""
    name: str = ""
    rect: tuple[Number, Number, Number, Number] | None = None
    outline: tuple[Spot2, ...] = ()
    height: Number = 0
    base: Number = 0
    """Height that the feature itself stands on."""
    solid: bool = False
    walls: tuple[WallDoc, ...] = ()
    floors: tuple[FloorDoc, ...] = ()


class TableDoc(msgspec.Struct, forbid_unknown_fields=True):
    """The battlefield."""

    size: tuple[Number, Number]
    terrain: tuple[FeatureDoc, ...] = ()


class Piece(msgspec.Struct, frozen=True):
    """A terrain feature as it is offered to who lays out a table; where it lies means nothing."""

    name: str
    feature: FeatureDoc


def build_table(doc: TableDoc, unit: str) -> Table:
    """A table from its document."""
    width, depth = doc.size
    if not (0 < width <= MAX_SIZE and 0 < depth <= MAX_SIZE):
        raise UserError(f"table.size: a table is up to {MAX_SIZE} by {MAX_SIZE} {unit}, not {width} by {depth}.")
    if len(doc.terrain) > MAX_FEATURES:
        raise UserError(f"table.terrain: at most {MAX_FEATURES} features, not {len(doc.terrain)}.")
    features = tuple(_feature(f, i) for i, f in enumerate(doc.terrain))
    names = [f.id for f in features]
    for name in names:
        if names.count(name) > 1:
            raise UserError(f"table.terrain: the id '{name}' stands twice.")
    return Table(steps(width), steps(depth), unit, features)


def _feature(doc: FeatureDoc, index: int) -> Feature:
    where = f"table.terrain[{index}] ({doc.kind})"
    outline = _outline(doc.rect, doc.outline, where)
    if len(doc.walls) > MAX_WALLS or len(doc.floors) > MAX_WALLS:
        raise UserError(f"{where}: at most {MAX_WALLS} walls and floors.")
    return Feature(
        doc.id or f"{doc.kind}-{index + 1}",
        doc.kind,
        outline,
        _height(doc.base, where),
        _height(doc.base + doc.height, where),
        doc.solid,
        tuple(
            Wall(
                _point(w.start, where),
                _point(w.end, where),
                _height(w.bottom, where),
                _height(w.top, where),
                _height(w.thickness, where),
            )
            for w in doc.walls
        ),
        tuple(
            Floor(
                _outline(f.rect, f.outline, where) if f.rect or f.outline else outline,
                _height(f.z, where),
                _height(f.thickness, where),
            )
            for f in doc.floors
        ),
        doc.name,
    )


def _outline(
    rect: tuple[Number, Number, Number, Number] | None, outline: tuple[Spot2, ...], where: str
) -> tuple[Point, ...]:
    if rect is not None:
        x, y, w, d = rect
        outline = ((x, y), (x + w, y), (x + w, y + d), (x, y + d))
    if not 3 <= len(outline) <= MAX_CORNERS:
        raise UserError(f"{where}: needs a rect, or an outline of 3 to {MAX_CORNERS} corners.")
    points = tuple(_point(p, where) for p in outline)
    check_outline(points, where)
    return points


def check_outline(points: tuple[Point, ...], where: str) -> None:
    """Refuse an outline that nothing can be inside of."""
    if not 3 <= len(points) <= MAX_CORNERS:
        raise UserError(f"{where}: an outline has 3 to {MAX_CORNERS} corners, not {len(points)}.")
    if abs(signed_area(points)) < STEP * STEP // 100:
        raise UserError(f"{where}: the outline has no area.")
    if _crosses_itself(points):
        raise UserError(f"{where}: the outline crosses itself.")


def check_table(table: Table, features: tuple[Feature, ...] = ()) -> None:
    """Refuse a table as no document can describe it; `features` came up later."""
    most = MAX_SIZE * STEP
    if not (0 < table.width <= most and 0 < table.depth <= most):
        raise UserError(f"the table is not up to {MAX_SIZE} by {MAX_SIZE} {table.unit}.")
    every = (*table.features, *features)
    if len(every) > MAX_FEATURES:
        raise UserError(f"there are more than {MAX_FEATURES} terrain features.")
    for feature in every:
        where = f"the terrain '{feature.name or feature.id}'"
        outlines = (feature.outline, *(floor.outline for floor in feature.floors))
        for outline in outlines:
            check_outline(outline, where)
        if len(feature.walls) > MAX_WALLS or len(feature.floors) > MAX_WALLS:
            raise UserError(f"{where}: at most {MAX_WALLS} walls and floors.")
        points = [p for outline in outlines for p in outline] + [p for wall in feature.walls for p in (wall.a, wall.b)]
        heights = [feature.bottom, feature.top, *(floor.z for floor in feature.floors)]
        heights += [floor.thickness for floor in feature.floors]
        heights += [h for wall in feature.walls for h in (wall.bottom, wall.top, wall.thickness)]
        if not all(-most <= v <= 2 * most for p in points for v in p) or not all(0 <= h <= most for h in heights):
            raise UserError(f"{where} reaches far off the table.")


def _crosses_itself(points: tuple[Point, ...]) -> bool:
    sides = list(zip(points, (*points[1:], points[0]), strict=True))
    for i, (a, b) in enumerate(sides):
        for c, d in sides[i + 2 : len(sides) - (i == 0)]:
            if _turn(a, b, c) * _turn(a, b, d) < 0 and _turn(c, d, a) * _turn(c, d, b) < 0:
                return True
    return False


def _turn(a: Point, b: Point, c: Point) -> int:
    cross = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    return (cross > 0) - (cross < 0)


def _point(p: Spot2, where: str) -> Point:
    if not all(-MAX_SIZE <= v <= 2 * MAX_SIZE for v in p):
        raise UserError(f"{where}: the point {p[0]}, {p[1]} is far off the table.")
    return steps(p[0]), steps(p[1])


def _height(value: Number, where: str) -> int:
    if not 0 <= value <= MAX_SIZE:
        raise UserError(f"{where}: a height is 0 to {MAX_SIZE}, not {value}.")
    return steps(value)


# --- Tables back to documents -----------------------------------------------------------------------------------------


def feature_doc(f: Feature) -> dict[str, Any]:
    """A feature as a document holds it, in plain data."""
    doc: dict[str, Any] = {
        "kind": f.kind,
        "id": f.id,
        "name": f.name,
        "outline": [_pair(p) for p in f.outline],
        "base": in_units(f.bottom),
        "height": in_units(f.top - f.bottom),
        "solid": f.solid,
        "walls": [
            {
                "from": _pair(wall.a),
                "to": _pair(wall.b),
                "top": in_units(wall.top),
                "bottom": in_units(wall.bottom),
                "thickness": in_units(wall.thickness),
            }
            for wall in f.walls
        ],
        "floors": [
            {
                "z": in_units(floor.z),
                "thickness": in_units(floor.thickness),
                "outline": [_pair(p) for p in floor.outline],
            }
            for floor in f.floors
        ],
    }
    return {key: value for key, value in doc.items() if value}


def in_units(grid_steps: int) -> float:
    """Grid steps in the system's unit of length, exactly."""
    return grid_steps // STEP if grid_steps % STEP == 0 else grid_steps / STEP


def _pair(point: Point) -> list[float]:
    return [in_units(point[0]), in_units(point[1])]
