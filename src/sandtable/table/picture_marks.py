"""The display list: the few marks that every picture is made of, whatever draws them.

Coordinates are pixels of the page, y downwards. A mark carries a class, so that a browser can style it and a test can
count it, and a tip, which a browser shows when the mouse rests on it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, TypeAlias

import msgspec

Place: TypeAlias = tuple[float, float]


class Ink(msgspec.Struct, frozen=True):
    """How a mark looks; no colour means not drawn."""

    fill: str = ""
    line: str = ""
    width: float = 1.0
    dash: tuple[float, ...] = ()
    opacity: float = 1.0
    cap: Literal["butt", "round"] = "butt"


class Polygon(msgspec.Struct, frozen=True):
    points: tuple[Place, ...]
    ink: Ink
    kind: str = ""
    tip: str = ""


class Circle(msgspec.Struct, frozen=True):
    x: float
    y: float
    radius: float
    ink: Ink
    kind: str = ""
    tip: str = ""


class Line(msgspec.Struct, frozen=True):
    points: tuple[Place, ...]
    ink: Ink
    kind: str = ""


class Text(msgspec.Struct, frozen=True):
    """One line of text; y is the middle of its small letters."""

    x: float
    y: float
    text: str
    size: float
    colour: str
    align: Literal["start", "middle", "end"] = "middle"
    bold: bool = False
    halo: str = ""
    """Colour of a rim that sets the text off from what is under it"""
    kind: str = ""


Mark: TypeAlias = Polygon | Circle | Line | Text


class Box(msgspec.Struct, frozen=True):
    """An upright rectangle, for keeping labels apart."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: Box) -> float:
        """The area that two boxes share."""
        if other.left >= self.right or other.right <= self.left or other.top >= self.bottom or other.bottom <= self.top:
            return 0.0
        wide = min(self.right, other.right) - max(self.left, other.left)
        return wide * (min(self.bottom, other.bottom) - max(self.top, other.top))

    def grown(self, by: float) -> Box:
        return Box(self.left - by, self.top - by, self.right + by, self.bottom + by)

    @property
    def middle(self) -> Place:
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2


class Drawing(msgspec.Struct, frozen=True):
    """A finished page."""

    width: float
    height: float
    paper: str
    title: str
    caption: str
    table: Box
    on_table: tuple[Mark, ...]
    """Cut off at the table's edge"""
    marks: tuple[Mark, ...]


def box_at(x: float, y: float, wide: float, high: float) -> Box:
    """A box around its middle."""
    return Box(x - wide / 2, y - high / 2, x + wide / 2, y + high / 2)


def box_around(points: Iterable[Place]) -> Box:
    """The smallest box around points."""
    xs, ys = zip(*points, strict=True)
    return Box(min(xs), min(ys), max(xs), max(ys))


_NARROW = set("iIl.,:;'|!()[] jtfr1\"")
_WIDE = set("mwMW@%")


def text_width(text: str, size: float, bold: bool = False) -> float:
    """About how wide a line of sans-serif text is."""
    em = sum(0.33 if c in _NARROW else 0.88 if c in _WIDE else 0.66 if c.isupper() else 0.56 for c in text)
    # Scripts without case (Chinese, Japanese, Korean) fill their square.
    em += sum(0.45 for c in text if ord(c) > 0x2E80)
    return em * size * (1.12 if bold else 1.0)


# XML knows no way to write these, not even escaped, and fonts have no glyphs for them.
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def clean(text: str) -> str:
    """A text without characters that nothing can draw."""
    return _FORBIDDEN.sub("\ufffd", text)


def shortened(text: str, most: int) -> str:
    """A text that fits a badge."""
    text = " ".join(text.split())
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def rounded_box(box: Box, radius: float, cut: bool = False) -> tuple[Place, ...]:
    """A box with round corners, or with corners cut off."""
    radius = min(radius, (box.right - box.left) / 2, (box.bottom - box.top) / 2)
    out: list[Place] = []
    corners = (
        (box.right - radius, box.top + radius, -90),
        (box.right - radius, box.bottom - radius, 0),
        (box.left + radius, box.bottom - radius, 90),
        (box.left + radius, box.top + radius, 180),
    )
    for x, y, first in corners:
        for turn in (0, 90) if cut or radius <= 0 else range(0, 91, 15):
            angle = math.radians(first + turn)
            out.append((x + radius * math.cos(angle), y + radius * math.sin(angle)))
    return tuple(out)


def grown(core: Sequence[Place], radius: float) -> tuple[Place, ...]:
    """The outline of a convex core (either way round) plus a radius, with its arcs as short sides."""
    if radius <= 0:
        return tuple(core)
    if len(core) == 1:
        (x, y), n = core[0], 48
        return tuple(
            (x + radius * math.cos(2 * math.pi * k / n), y + radius * math.sin(2 * math.pi * k / n)) for k in range(n)
        )
    area = sum(ax * by - bx * ay for (ax, ay), (bx, by) in _sides(core))
    ring = list(core) if area > 0 else list(core)[::-1]
    out: list[Place] = []
    for k, (x, y) in enumerate(ring):
        before, after = ring[k - 1], ring[(k + 1) % len(ring)]
        first = math.atan2(y - before[1], x - before[0]) - math.pi / 2
        sweep = (math.atan2(after[1] - y, after[0] - x) - math.pi / 2 - first) % (2 * math.pi)
        if sweep > math.pi + 0.1:
            sweep = 0.0
        pieces = max(1, round(sweep / 0.2))
        for p in range(pieces + 1):
            angle = first + sweep * p / pieces
            out.append((x + radius * math.cos(angle), y + radius * math.sin(angle)))
    return tuple(out)


def teardrop(ax: float, ay: float, a: float, bx: float, by: float, b: float) -> tuple[Place, ...]:
    """The convex hull of two circles."""
    dx, dy = bx - ax, by - ay
    d = math.hypot(dx, dy)
    if d <= abs(a - b):
        return grown([(ax, ay)], a) if a >= b else grown([(bx, by)], b)
    base, lean = math.atan2(dy, dx), math.acos((a - b) / d)
    out: list[Place] = []
    for x, y, r, start, sweep in (
        (bx, by, b, base - lean, 2 * lean),
        (ax, ay, a, base + lean, 2 * math.pi - 2 * lean),
    ):
        out += [(x + r * math.cos(start + sweep * k / 24), y + r * math.sin(start + sweep * k / 24)) for k in range(25)]
    return tuple(out)


def _sides(points: Sequence[Place]) -> Iterator[tuple[Place, Place]]:
    return zip(points, (*points[1:], points[0]), strict=True)


def holds(points: Sequence[Place], x: float, y: float) -> bool:
    """Whether a point is in a polygon."""
    odd = False
    for (ax, ay), (bx, by) in _sides(points):
        if (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax:
            odd = not odd
    return odd


def edge_distance(points: Sequence[Place], x: float, y: float) -> float:
    """How far a point is from the nearest side of a polygon."""
    best = math.inf
    for (ax, ay), (bx, by) in _sides(points):
        dx, dy = bx - ax, by - ay
        t = ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy or 1.0)
        t = min(1.0, max(0.0, t))
        best = min(best, math.hypot(x - ax - t * dx, y - ay - t * dy))
    return best


def hatching(points: Sequence[Place], pace: float, rise: float = 1.0) -> Iterator[tuple[Place, Place]]:
    """Slanted parallel lines in a polygon of any shape."""
    norm = math.hypot(1.0, rise)
    heights = [(y - rise * x) / norm for x, y in points]
    first, last = math.ceil(min(heights) / pace), math.floor(max(heights) / pace)
    for k in range(first, min(last, first + 400) + 1):
        level = k * pace * norm
        cuts = []
        for (ax, ay), (bx, by) in _sides(points):
            a, b = ay - rise * ax - level, by - rise * bx - level
            if (a > 0) != (b > 0):
                cuts.append(ax + (bx - ax) * a / (a - b))
        cuts.sort()
        for left, right in zip(cuts[::2], cuts[1::2], strict=False):
            yield (left, rise * left + level), (right, rise * right + level)


def shrunk(points: Sequence[Place], share: float) -> tuple[Place, ...]:
    """A polygon drawn together towards its middle."""
    x, y = middle(points)
    return tuple((x + (px - x) * share, y + (py - y) * share) for px, py in points)


def middle(points: Sequence[Place]) -> Place:
    """The centre of gravity of a polygon."""
    area = x = y = 0.0
    for (ax, ay), (bx, by) in _sides(points):
        cross = ax * by - bx * ay
        area += cross
        x += (ax + bx) * cross
        y += (ay + by) * cross
    if abs(area) < 1e-9:
        return box_around(points).middle
    return x / (3 * area), y / (3 * area)
