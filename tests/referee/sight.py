"""Lines of sight, by many rays. "Hidden" is said only where every ray meets something that nobody sees through."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from referee.field import Field, rim
from referee.geometry import Outline, Stand, apart, area_gap, box_of, crosses, edges, inside, shape_of, wholly_in

MARGIN = 0.06
"""Obstacles are made smaller by this much, so that a ray that grazes one is taken as free."""
HEIGHTS = (0.02, 0.5, 0.98)
"""How high on a body rays begin and end, as a part of its height."""


def shrunk(outline: Outline, by: float) -> Outline:
    """An area drawn in towards its middle."""
    mx, my = sum(x for x, _ in outline) / len(outline), sum(y for _, y in outline) / len(outline)
    low_x, low_y, high_x, high_y = box_of(outline)
    part = 1.0 - 2 * by / max(0.2, min(high_x - low_x, high_y - low_y))
    return tuple((mx + (x - mx) * part, my + (y - my) * part) for x, y in outline)


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
        solids = [s for s in self.solids if not apart(here, s[3], wide)]
        walls = [w for w, box in self.field.walls if not apart(here, box, wide)]
        if not areas and not solids and not walls:
            return False
        for ax, ay in self._points(observer):
            for bx, by in self._points(target):
                if any(_meets((ax, ay), (bx, by), area) for area in areas):
                    continue
                for az in HEIGHTS:
                    for bz in HEIGHTS:
                        a = (ax, ay, observer.z + az * observer.base.tall)
                        b = (bx, by, target.z + bz * target.base.tall)
                        if not self._blocked(a, b, solids, walls):
                            return False
        return True

    @staticmethod
    def _points(stand: Stand) -> Iterator[tuple[float, float]]:
        yield stand.x, stand.y
        yield from rim(stand, 0.0, 10)

    def _closed(self, observer: Stand, target: Stand, here: Any, wide: float) -> list[Outline]:
        """Ruins that nobody of the two is in, so that they are not seen through."""
        found = []
        for small, outline, box in self.areas:
            if apart(here, box, wide) or wholly_in(observer, outline, 0.05):
                continue
            if area_gap(shape_of(target), outline) < 0.02:
                continue
            found.append(small)
        return found

    @staticmethod
    def _blocked(a: Any, b: Any, solids: Any, walls: Any) -> bool:
        for outline, bottom, top, _ in solids:
            for c, d in edges(outline):
                z = _height_at(a, b, c, d)
                if z is not None and bottom <= z <= top - MARGIN:
                    return True
        for w in walls:
            z = _height_at(a, b, w.a, w.b)
            if z is not None and w.bottom + MARGIN <= z <= w.top - MARGIN:
                return True
        return False


def _height_at(a: Any, b: Any, c: Any, d: Any) -> float | None:
    """How high a ray is where it crosses a side in plan; None where it does not."""
    if not crosses(a[:2], b[:2], c, d):
        return None
    rx, ry, sx, sy = b[0] - a[0], b[1] - a[1], d[0] - c[0], d[1] - c[1]
    cross = rx * sy - ry * sx
    if cross == 0:
        return None
    t = ((c[0] - a[0]) * sy - (c[1] - a[1]) * sx) / cross
    return float(a[2] + t * (b[2] - a[2]))


def _meets(a: Any, b: Any, outline: Outline) -> bool:
    """Whether a ray leads through an area."""
    return any(crosses(a, b, c, d) for c, d in edges(outline)) or inside(a[0], a[1], outline)
