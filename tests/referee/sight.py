"""Lines of sight, by many rays. "Hidden" is said only where every ray meets something that nobody sees through.

Rays start and end close to each other, and what hides is made smaller than it is by more than the space between them:
a gap that a sharp eye could find between two rays is then wide enough for one of them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from referee.field import Field, rim
from referee.geometry import Outline, Point, Stand, apart, area_gap, box_of, edges, shape_of, wholly_in

MARGIN = 0.3
POINTS = 48
"""Around each base"""
HEIGHTS = (0.02, 0.5, 0.98)
"""How high on a body rays begin and end, as a part of its height."""


def shrunk(outline: Outline, by: float) -> Outline:
    """An area drawn in towards its middle, by so much on its narrow side at least."""
    mx, my = sum(x for x, _ in outline) / len(outline), sum(y for _, y in outline) / len(outline)
    low_x, low_y, high_x, high_y = box_of(outline)
    part = max(0.0, 1.0 - 2 * by / max(0.01, min(high_x - low_x, high_y - low_y)))
    return tuple((mx + (x - mx) * part, my + (y - my) * part) for x, y in outline)


def shortened(a: Point, b: Point, by: float) -> tuple[Point, Point]:
    """A wall with less at both ends."""
    length = max(0.01, float(np.hypot(b[0] - a[0], b[1] - a[1])))
    part = max(0.0, min(0.5, by / length))
    dx, dy = (b[0] - a[0]) * part, (b[1] - a[1]) * part
    return (a[0] + dx, a[1] + dy), (b[0] - dx, b[1] - dy)


class Rays:
    """All rays between two bases, seen from above."""

    def __init__(self, observer: Stand, target: Stand) -> None:
        one = np.array([(observer.x, observer.y), *rim(observer, 0.0, POINTS)])
        other = np.array([(target.x, target.y), *rim(target, 0.0, POINTS)])
        self.ax, self.ay = np.repeat(one[:, 0], len(other)), np.repeat(one[:, 1], len(other))
        self.bx, self.by = np.tile(other[:, 0], len(one)), np.tile(other[:, 1], len(one))

    def keep(self, mask: np.ndarray) -> None:
        self.ax, self.ay, self.bx, self.by = (v[mask] for v in (self.ax, self.ay, self.bx, self.by))

    def crossing(self, c: Point, d: Point) -> tuple[np.ndarray, np.ndarray]:
        """Which rays cross a side, and how far along themselves."""
        rx, ry, sx, sy = self.bx - self.ax, self.by - self.ay, d[0] - c[0], d[1] - c[1]
        cross = rx * sy - ry * sx
        safe = np.where(np.abs(cross) < 1e-12, 1.0, cross)
        qx, qy = c[0] - self.ax, c[1] - self.ay
        t, u = (qx * sy - qy * sx) / safe, (qx * ry - qy * rx) / safe
        return (np.abs(cross) >= 1e-12) & (t >= 0) & (t <= 1) & (u >= 0) & (u <= 1), t


class Sight:
    """What hides models from each other on a table: ruins as areas, walls and solid features as bodies."""

    def __init__(self, field: Field, book: Any) -> None:
        self.field, self.book = field, book
        self.areas = [(shrunk(f.outline, MARGIN), f.outline, box) for f, box in field.features if f.kind == "ruins"]
        self.solids = [(shrunk(f.outline, MARGIN), f.bottom, f.top, box) for f, box in field.features if f.solid]

    def hidden(self, observer: Stand, target: Stand, *, towering: bool) -> bool:
        """Whether no ray leads from one model to another; other models are taken as seen through."""
        here = box_of(((observer.x, observer.y), (target.x, target.y)))
        wide = max(observer.base.reach, target.base.reach)
        areas = [] if towering else self._closed(observer, target, here, wide)
        bodies = [(s, low, high - MARGIN) for s, low, high, box in self.solids if not apart(here, box, wide)]
        sides = [(side, low, high) for outline, low, high in bodies for side in edges(outline)]
        for w, box in self.field.walls:
            if not apart(here, box, wide):
                sides.append((shortened(w.a, w.b, MARGIN), w.bottom + MARGIN, w.top - MARGIN))
        if not areas and not sides:
            return False
        rays = Rays(observer, target)
        for area in areas:
            for side in edges(area):
                rays.keep(~rays.crossing(*side)[0])
                if not len(rays.ax):
                    return True
        return bool(sides) and self._all_blocked(rays, observer, target, sides)

    @staticmethod
    def _all_blocked(rays: Rays, observer: Stand, target: Stand, sides: Any) -> bool:
        met = [(*rays.crossing(*side), low, high) for side, low, high in sides]
        for start in HEIGHTS:
            for end in HEIGHTS:
                a, b = observer.z + start * observer.base.tall, target.z + end * target.base.tall
                blocked = np.zeros(len(rays.ax), dtype=bool)
                for crossed, t, low, high in met:
                    z = a + t * (b - a)
                    blocked |= crossed & (z >= low) & (z <= high)
                if not blocked.all():
                    return False
        return True

    def _closed(self, observer: Stand, target: Stand, here: Any, wide: float) -> list[Outline]:
        """Ruins that the observer is not wholly in, nor the target at all, so that they are not seen through."""
        found = []
        for small, outline, box in self.areas:
            if apart(here, box, wide) or wholly_in(observer, outline, 0.05):
                continue
            if area_gap(shape_of(target), outline) >= 0.02:
                found.append(small)
        return found
