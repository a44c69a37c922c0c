"""Plain geometry in inches: bases, gaps between them, what a moving base sweeps, areas.

Everything rests on one idea. How far a convex shape reaches in a direction is easy to say, for a disc, an ellipse, a
box, a segment or a polygon. The gap between two shapes is the widest strip that parts them, so it is the largest value,
over all directions, of where one begins less where the other ends.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

MM = 25.4
Point: TypeAlias = tuple[float, float]
Outline: TypeAlias = tuple[Point, ...]

ROUND, OVAL, HULL = "round", "oval", "hull"

_COUNT = 48
_STEP = 2.0 * math.pi / _COUNT
_ANGLES = np.arange(_COUNT) * _STEP
_UX, _UY = np.cos(_ANGLES), np.sin(_ANGLES)
_FINE = np.linspace(-1.0, 1.0, 33)
_MANY = np.arange(1440) * (2.0 * math.pi / 1440)
_MX, _MY = np.cos(_MANY), np.sin(_MANY)


class Base(NamedTuple):
    """What a model stands on, around its own middle, and how tall the model is."""

    kind: str
    long: float
    """Half of its length, along the facing"""
    wide: float
    """Half of its width"""
    tall: float

    @property
    def reach(self) -> float:
        """How far the furthest point is from the middle."""
        return math.hypot(self.long, self.wide) if self.kind == HULL else self.long

    @property
    def inner(self) -> float:
        """How far the nearest point of the outline is from the middle."""
        return self.wide if self.kind != ROUND else self.long

    @property
    def thick(self) -> float:
        """Over which height distances are measured: a base lies flat, a hull is measured to any part of it."""
        return self.tall if self.kind == HULL else 0.0


def read_base(text: str, tall: float) -> Base:
    """A base as datasheets write it: "32mm", "60x35mm", or "hull 4x3" in inches."""
    words = text.strip().lower()
    if words.startswith(HULL):
        long, wide = (float(v) for v in words.removeprefix(HULL).split("x"))
        return Base(HULL, long / 2, wide / 2, tall)
    sizes = [float(v) / MM / 2 for v in words.removesuffix("mm").split("x")]
    return Base(ROUND, sizes[0], sizes[0], tall) if len(set(sizes)) == 1 else Base(OVAL, sizes[0], sizes[1], tall)


class Stand(NamedTuple):
    """A base in its place; `turn` in radians."""

    base: Base
    x: float
    y: float
    z: float = 0.0
    turn: float = 0.0

    def at(self, x: float, y: float, z: float | None = None, turn: float | None = None) -> Stand:
        """The same base in another place."""
        return Stand(self.base, x, y, self.z if z is None else z, self.turn if turn is None else turn)


DOT = Base(ROUND, 0.0, 0.0, 0.0)


def disc(x: float, y: float, radius: float, z: float = 0.0) -> Stand:
    """A disc, such as a marker."""
    return Stand(Base(ROUND, radius, radius, 0.0), x, y, z)


# --- The widest strip between two shapes ------------------------------------------------------------------------------


class Shape(NamedTuple):
    """Convex: the points, and around each of them a base."""

    points: tuple[Point, ...]
    base: Base = DOT
    turn: float = 0.0


def shape_of(stand: Stand) -> Shape:
    """A base in its place."""
    return Shape(((stand.x, stand.y),), stand.base, stand.turn)


def swept(stand: Stand, x: float, y: float) -> Shape:
    """What a base covers on its straight way to a point."""
    return Shape(((stand.x, stand.y), (x, y)), stand.base, stand.turn)


def _far(shape: Shape, ux: float, uy: float) -> float:
    """How far a shape reaches in a direction."""
    base = shape.base
    far = max(x * ux + y * uy for x, y in shape.points)
    if base.kind == ROUND:
        return far + base.long
    c, s = math.cos(shape.turn), math.sin(shape.turn)
    along, across = base.long * (ux * c + uy * s), base.wide * (uy * c - ux * s)
    return far + (math.hypot(along, across) if base.kind == OVAL else abs(along) + abs(across))


def _far_in(shape: Shape, ux: np.ndarray, uy: np.ndarray) -> np.ndarray:
    """The same in many directions at once."""
    base = shape.base
    x, y = shape.points[0]
    far = x * ux + y * uy
    for x, y in shape.points[1:]:
        far = np.maximum(far, x * ux + y * uy)
    if base.kind == ROUND:
        return far + base.long
    c, s = math.cos(shape.turn), math.sin(shape.turn)
    along, across = base.long * (ux * c + uy * s), base.wide * (uy * c - ux * s)
    return far + (np.sqrt(along * along + across * across) if base.kind == OVAL else abs(along) + abs(across))


def gap(one: Shape, other: Shape) -> float:
    """The gap between two convex shapes seen from above; below 0 where they overlap."""
    if one.base.kind == ROUND and other.base.kind == ROUND and len(one.points) < 3 and len(other.points) < 3:
        apart = segment_gap(one.points[0], one.points[-1], other.points[0], other.points[-1])
        return apart - one.base.long - other.base.long
    angles, ux, uy, step = _ANGLES, _UX, _UY, _STEP
    # The best of many directions, then of many between its neighbours, and so on.
    while True:
        strip = -_far_in(other, -ux, -uy) - _far_in(one, ux, uy)
        best = int(strip.argmax())
        if step < 1e-4:
            return float(strip[best])
        angles = angles[best] + _FINE * step
        ux, uy, step = np.cos(angles), np.sin(angles), step / 16


def touching_at(one: Shape, other: Shape, ux: float, uy: float) -> float:
    """How far apart the middles of two bases are when they touch, one of them in this direction from the other."""
    along = _MX * ux + _MY * uy
    wide = _far_in(Shape(((0.0, 0.0),), one.base, one.turn), _MX, _MY)
    wide = wide + _far_in(Shape(((0.0, 0.0),), other.base, other.turn), _MX, _MY)
    ahead = along > 1e-6
    return float((wide[ahead] / along[ahead]).min())


def point_segment(p: Point, a: Point, b: Point) -> float:
    """The distance of a point from a segment."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    length = dx * dx + dy * dy
    t = 0.0 if length == 0 else max(0.0, min(1.0, ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / length))
    return math.hypot(p[0] - a[0] - t * dx, p[1] - a[1] - t * dy)


def crosses(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Whether two segments meet in a point inside both."""
    one = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    two = (b[0] - a[0]) * (d[1] - a[1]) - (b[1] - a[1]) * (d[0] - a[0])
    three = (d[0] - c[0]) * (a[1] - c[1]) - (d[1] - c[1]) * (a[0] - c[0])
    four = (d[0] - c[0]) * (b[1] - c[1]) - (d[1] - c[1]) * (b[0] - c[0])
    return (one > 0) != (two > 0) and (three > 0) != (four > 0)


def segment_gap(a: Point, b: Point, c: Point, d: Point) -> float:
    """The distance of two segments."""
    if a == b:
        return math.hypot(a[0] - c[0], a[1] - c[1]) if c == d else point_segment(a, c, d)
    if c == d:
        return point_segment(c, a, b)
    if crosses(a, b, c, d):
        return 0.0
    return min(point_segment(a, c, d), point_segment(b, c, d), point_segment(c, a, b), point_segment(d, a, b))


# --- Between models ---------------------------------------------------------------------------------------------------


def flat_gap(one: Stand, other: Stand) -> float:
    """The gap between two bases seen from above; below 0 where they overlap."""
    if one.base.kind == ROUND and other.base.kind == ROUND:
        return math.hypot(one.x - other.x, one.y - other.y) - one.base.long - other.base.long
    return gap(shape_of(one), shape_of(other))


def rise(one: Stand, other: Stand) -> float:
    """How much higher one of two models stands than the other, from base to base or to the nearest part of a hull."""
    return max(0.0, other.z - one.z - one.base.thick, one.z - other.z - other.base.thick)


def distance(one: Stand, other: Stand) -> float:
    """The distance between two models in space."""
    return math.hypot(max(0.0, flat_gap(one, other)), rise(one, other))


def near(one: Stand, other: Stand, flat: float, up: float) -> bool:
    """Whether two models are within a distance on the flat and one up and down."""
    far = flat + one.base.reach + other.base.reach
    if abs(one.x - other.x) > far or abs(one.y - other.y) > far or rise(one, other) > up:
        return False
    return flat_gap(one, other) <= flat


def bodies_meet(one: Stand, other: Stand) -> bool:
    """Whether two models fill some of the same heights, so that they cannot stand over each other."""
    return one.z < other.z + other.base.tall - 0.01 and other.z < one.z + one.base.tall - 0.01


def may_touch(one: Stand, other: Stand, within: float) -> bool:
    """Whether two bases may be within a gap of each other, told from their middles alone."""
    far = within + one.base.reach + other.base.reach
    return abs(one.x - other.x) <= far and abs(one.y - other.y) <= far


# --- Areas ------------------------------------------------------------------------------------------------------------


def edges(outline: Outline) -> Iterator[tuple[Point, Point]]:
    """The sides of an area."""
    return zip(outline, (*outline[1:], outline[0]), strict=True)


def inside(x: float, y: float, outline: Outline) -> bool:
    """Whether a point lies in an area."""
    found = False
    for (ax, ay), (bx, by) in edges(outline):
        if (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax:
            found = not found
    return found


def edge_gap(shape: Shape, outline: Outline) -> float:
    """The gap between a shape and the nearest side of an area."""
    return min(gap(shape, Shape((a, b))) for a, b in edges(outline))


def area_gap(shape: Shape, outline: Outline) -> float:
    """The gap between a shape and an area; below 0 where they overlap."""
    if any(inside(x, y, outline) for x, y in shape.points):
        return -1.0
    return edge_gap(shape, outline)


def wholly_in(stand: Stand, outline: Outline, slack: float = 0.0) -> bool:
    """Whether all of a base lies in an area; `slack` is how much of it may stick out."""
    if not inside(stand.x, stand.y, outline):
        return False
    return edge_gap(shape_of(stand), outline) >= -slack


def extent(shape: Shape) -> tuple[float, float, float, float]:
    """Where a shape begins and ends: low x, low y, high x, high y."""
    return -_far(shape, -1, 0), -_far(shape, 0, -1), _far(shape, 1, 0), _far(shape, 0, 1)


def box_of(points: Sequence[Point]) -> tuple[float, float, float, float]:
    """The box around points: low x, low y, high x, high y."""
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs), min(ys), max(xs), max(ys)


def apart(one: tuple[float, float, float, float], other: tuple[float, float, float, float], margin: float) -> bool:
    """Whether two boxes are further apart than a margin."""
    return (
        one[0] > other[2] + margin
        or other[0] > one[2] + margin
        or one[1] > other[3] + margin
        or other[1] > one[3] + margin
    )


# --- Groups -----------------------------------------------------------------------------------------------------------


def links(stands: Sequence[Stand], flat: float, up: float) -> list[list[int]]:
    """For each model the numbers of those within a distance of it."""
    found: list[list[int]] = [[] for _ in stands]
    for i, one in enumerate(stands):
        for j in range(i):
            if near(one, stands[j], flat, up):
                found[i].append(j)
                found[j].append(i)
    return found


def groups(linked: Sequence[Sequence[int]]) -> list[set[int]]:
    """The groups that hang together."""
    left, found = set(range(len(linked))), []
    while left:
        group, front = set(), [min(left)]
        while front:
            i = front.pop()
            if i not in group:
                group.add(i)
                front += linked[i]
        left -= group
        found.append(group)
    return found
