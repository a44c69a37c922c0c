"""Windows and doors: enclosed gaps in walls, and terrain in which they are closed."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from sandtable.table.layout import Feature, Point, Table, Terrain, Wall, compile_terrain


def with_closed_gaps(table: Table, which: Sequence[bool], most: int) -> Terrain:
    """The terrain of a table where gaps in the walls of some features are closed up to a height."""
    features = [_closed(f, most) if closes else f for f, closes in zip(table.features, which, strict=True)]
    return compile_terrain(msgspec.structs.replace(table, features=tuple(features)))


def _closed(feature: Feature, most: int) -> Feature:
    shut = [Wall(w.a, w.b, 0, min(w.bottom, most), w.thickness) for w in feature.walls if _has_gap(feature, w)]
    return msgspec.structs.replace(feature, walls=(*feature.walls, *shut)) if shut else feature


def _has_gap(feature: Feature, wall: Wall) -> bool:
    """Whether under a wall there is a window, with a wall below it, or a door, with walls on both sides."""
    if wall.bottom <= 0:
        return False
    below = [w for w in feature.walls if w.bottom < wall.bottom]
    return any({w.a, w.b} == {wall.a, wall.b} for w in below) or all(_meets(below, end) for end in (wall.a, wall.b))


def _meets(walls: Sequence[Wall], end: Point) -> bool:
    return any(w.bottom == 0 and end in (w.a, w.b) for w in walls)
