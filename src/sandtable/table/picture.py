"""Pictures of a table: a `Picture` says what there is to see, in grid steps; `drawing` makes SVG and PNG of it."""

from __future__ import annotations

import msgspec

from sandtable.table.layout import Point, Table
from sandtable.table.shapes import Shape


class Model(msgspec.Struct, frozen=True):
    """A base on the table."""

    x: int
    y: int
    shape: Shape
    side: int = 0
    z: int = 0
    facing: int = 0
    unit: str = ""
    """Models with the same unit share the badge of that unit"""
    tip: str = ""
    faded: bool = False
    """Has acted, or does not matter now"""
    highlight: bool = False
    hidden: bool = False
    """Dead, in reserve or aboard: not drawn"""


class Badge(msgspec.Struct, frozen=True):
    """The label of a unit, placed near its models."""

    unit: str
    label: str
    side: int = 0
    marks: tuple[str, ...] = ()
    """Short words: shaken, advanced, 3/10"""
    highlight: bool = False


class Range(msgspec.Struct, frozen=True):
    """A circle around a place, or, with `model`, the outline of that model's base grown by the radius."""

    radius: int
    x: int = 0
    y: int = 0
    model: int = -1
    """Row of the picture's models"""
    label: str = ""
    side: int = -1


class Sight(msgspec.Struct, frozen=True):
    """A line of sight; a blocked one may say where it is stopped."""

    a: Point
    b: Point
    clear: bool = True
    stop: Point | None = None
    label: str = ""


class Arrow(msgspec.Struct, frozen=True):
    """A move along a path."""

    path: tuple[Point, ...]
    side: int = 0
    label: str = ""
    planned: bool = False


class Objective(msgspec.Struct, frozen=True):
    """A marker; `reach` is how far its control goes beyond its rim."""

    x: int
    y: int
    radius: int
    label: str = ""
    reach: int = 0
    side: int = -1
    """Who holds it"""


class Area(msgspec.Struct, frozen=True):
    """A zone, such as where a side deploys."""

    outline: tuple[Point, ...]
    label: str = ""
    side: int = -1


class Blast(msgspec.Struct, frozen=True):
    """A template that lies on the table: one circle, or the hull of two (x, y, radius)."""

    circles: tuple[tuple[int, int, int], ...]
    label: str = ""


class Picture(msgspec.Struct, frozen=True):
    """Everything that there is to see."""

    table: Table
    models: tuple[Model, ...] = ()
    badges: tuple[Badge, ...] = ()
    objectives: tuple[Objective, ...] = ()
    areas: tuple[Area, ...] = ()
    ranges: tuple[Range, ...] = ()
    arrows: tuple[Arrow, ...] = ()
    sights: tuple[Sight, ...] = ()
    blasts: tuple[Blast, ...] = ()
    sides: tuple[str, ...] = ()
    """Names of the sides, for the legend"""
    title: str = ""
    caption: str = ""
    width: int = 900
    """Pixels across"""
