"""The battlefield: its size and its terrain features."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple, TypeAlias

import msgspec
import numpy as np

from sandtable.table.grid import Ints

Point: TypeAlias = tuple[int, int]

MAX_CORNERS: Final = 32
"""Most corners of a footprint or floor."""


class Wall(msgspec.Struct, frozen=True):
    """A straight upright wall. A window is the gap between two walls that stand over each other."""

    a: Point
    b: Point
    bottom: int
    top: int
    thickness: int = 0


class Floor(msgspec.Struct, frozen=True):
    """A level that models can stand on; `z` is its upper side."""

    outline: tuple[Point, ...]
    z: int
    thickness: int = 0


class Feature(msgspec.Struct, frozen=True):
    """One terrain feature: a footprint with a height, and the walls and floors that stand in it.

    `kind` belongs to the rules system; the table gives it no meaning. A `solid` feature fills its footprint from
    `bottom` to `top`, like a crate or a hill; any other is an area that holds walls, floors or trees.
    """

    id: str
    kind: str
    outline: tuple[Point, ...]
    bottom: int = 0
    top: int = 0
    solid: bool = False
    walls: tuple[Wall, ...] = ()
    floors: tuple[Floor, ...] = ()
    name: str = ""


class Table(msgspec.Struct, frozen=True):
    """A rectangle of ground with terrain features on it; the origin is a corner."""

    width: int
    depth: int
    unit: str
    features: tuple[Feature, ...] = ()


class Terrain(NamedTuple):
    """The terrain features of a table as arrays, for the kernels. Row i of the outlines is feature i."""

    size: Ints
    """width, depth"""
    outline: Ints
    """[feature, corner, x or y], anticlockwise"""
    corners: Ints
    bottom: Ints
    top: Ints
    solid: Ints
    wall: Ints
    """[wall, ax ay bx by bottom top half-thickness feature]"""
    floor: Ints
    """[floor, corner, x or y]"""
    floor_corners: Ints
    floor_level: Ints
    """[floor, z thickness feature]"""


def signed_area(outline: Sequence[Point]) -> int:
    """Twice the area of a polygon; positive when its corners run anticlockwise."""
    return sum(ax * by - bx * ay for (ax, ay), (bx, by) in zip(outline, (*outline[1:], outline[0]), strict=True))


def compile_terrain(table: Table) -> Terrain:
    """Put the features of a table into arrays."""
    n = len(table.features)
    outline = np.zeros((n, MAX_CORNERS, 2), dtype=np.int64)
    for i, f in enumerate(table.features):
        outline[i, : len(f.outline)] = _anticlockwise(f.outline)
    walls = [(*w.a, *w.b, w.bottom, w.top, w.thickness // 2, i) for i, f in enumerate(table.features) for w in f.walls]
    floors = [(i, fl) for i, f in enumerate(table.features) for fl in f.floors]
    floor = np.zeros((len(floors), MAX_CORNERS, 2), dtype=np.int64)
    for k, (_, fl) in enumerate(floors):
        floor[k, : len(fl.outline)] = _anticlockwise(fl.outline)
    return Terrain(
        np.array([table.width, table.depth], dtype=np.int64),
        outline,
        np.array([len(f.outline) for f in table.features], dtype=np.int64),
        np.array([f.bottom for f in table.features], dtype=np.int64),
        np.array([f.top for f in table.features], dtype=np.int64),
        np.array([f.solid for f in table.features], dtype=np.int64),
        np.array(walls, dtype=np.int64).reshape(len(walls), 8),
        floor,
        np.array([len(fl.outline) for _, fl in floors], dtype=np.int64),
        np.array([(fl.z, fl.thickness, i) for i, fl in floors], dtype=np.int64).reshape(len(floors), 3),
    )


def _anticlockwise(outline: Sequence[Point]) -> Sequence[Point]:
    if not 3 <= len(outline) <= MAX_CORNERS:
        raise ValueError(f"an outline has 3 to {MAX_CORNERS} corners, not {len(outline)}")
    return outline if signed_area(outline) > 0 else outline[::-1]
