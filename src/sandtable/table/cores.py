"""Cores: the convex outlines that bases grow from, put in place, and the gaps between them.

A base is a core of one corner or more, grown by a radius. What is far apart is told by a few corners; only those that
could be nearest are measured.
"""

from __future__ import annotations

import math
from typing import Final

from sandtable.kernels import bare, kernel
from sandtable.table.grid import COS, SIN, TRIG_SCALE, Ints
from sandtable.table.shapes import Shapes

_COS = COS
_SIN = SIN
_HALF = TRIG_SCALE // 2

_ROUGH: Final = 6
"""Of the corners of an oval, so many are passed over in the first look for one that is near."""

_WALKS: Final = 8
"""So often two cores are looked at again from where they seem to be nearest."""


@bare
def place_core(shapes: Shapes, shape: int, x: int, y: int, facing: int, out: Ints) -> int:
    """Write the corners of a core, turned and put in place, into `out`; return how many there are."""
    n = shapes.corners[shape]
    if n == 1:
        out[0, 0] = x + shapes.core[shape, 0, 0]
        out[0, 1] = y + shapes.core[shape, 0, 1]
        return n
    c, s = _COS[facing], _SIN[facing]
    for i in range(n):
        px, py = shapes.core[shape, i, 0], shapes.core[shape, i, 1]
        out[i, 0] = x + (px * c - py * s + _HALF) // TRIG_SCALE
        out[i, 1] = y + (px * s + py * c + _HALF) // TRIG_SCALE
    return n


@kernel
def point_segment2(px: float, py: float, ax: float, ay: float, bx: float, by: float) -> float:
    """Square of the distance from a point to a segment."""
    dx, dy = bx - ax, by - ay
    length2 = dx * dx + dy * dy
    t = 0.0
    if length2 > 0.0:
        t = ((px - ax) * dx + (py - ay) * dy) / length2
        t = min(1.0, max(0.0, t))
    ex, ey = px - (ax + t * dx), py - (ay + t * dy)
    return ex * ex + ey * ey


@kernel
def point_segment(px: float, py: float, ax: float, ay: float, bx: float, by: float) -> float:
    """Distance from a point to a segment."""
    return math.sqrt(point_segment2(px, py, ax, ay, bx, by))


@kernel
def segments_cross(ax: float, ay: float, bx: float, by: float, cx: float, cy: float, dx: float, dy: float) -> bool:
    """Whether two segments properly cross each other."""
    d1 = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
    d2 = (bx - ax) * (dy - ay) - (by - ay) * (dx - ax)
    d3 = (dx - cx) * (ay - cy) - (dy - cy) * (ax - cx)
    d4 = (dx - cx) * (by - cy) - (dy - cy) * (bx - cx)
    return ((d1 > 0 and d2 < 0) or (d1 < 0 and d2 > 0)) and ((d3 > 0 and d4 < 0) or (d3 < 0 and d4 > 0))


@kernel
def segment_segment(ax: float, ay: float, bx: float, by: float, cx: float, cy: float, dx: float, dy: float) -> float:
    """Distance between two segments; 0 where they cross."""
    if segments_cross(ax, ay, bx, by, cx, cy, dx, dy):
        return 0.0
    return min(
        min(point_segment(ax, ay, cx, cy, dx, dy), point_segment(bx, by, cx, cy, dx, dy)),
        min(point_segment(cx, cy, ax, ay, bx, by), point_segment(dx, dy, ax, ay, bx, by)),
    )


@bare
def _foremost(core: Ints, n: int, nx: int, ny: int, k: int) -> int:
    """The corner of a core that lies furthest in a direction, looked for from corner k on, uphill."""
    far = core[k, 0] * nx + core[k, 1] * ny
    for step in (1, n - 1):
        for _ in range(n):
            m = k + step if k + step < n else k + step - n
            now = core[m, 0] * nx + core[m, 1] * ny
            if now <= far:
                break
            k, far = m, now
    return k


@bare
def _extent(core: Ints, n: int, nx: int, ny: int, least: int) -> tuple[int, int]:
    """How far a core reaches in a direction, and how many of its corners reach at least so far."""
    # Rounding may tilt a short side of a turned core, so the foremost corner is looked up, not taken to be its end.
    far, count = core[0, 0] * nx + core[0, 1] * ny, 0
    for k in range(n):
        now = core[k, 0] * nx + core[k, 1] * ny
        far = max(far, now)
        count += now >= least
    return far, count


@bare
def _beyond(a: Ints, na: int, b: Ints, nb: int, nx: int, ny: int) -> int:
    """How far the second core is beyond the first in a direction, times the length of that direction."""
    return -_extent(a, na, nx, ny, 0)[0] - _extent(b, nb, -nx, -ny, 0)[0]


@bare
def _separation(a: Ints, na: int, b: Ints, nb: int, best: float) -> float:
    """The widest separation of two cores along a side of the first, if that is not above 0; else that of some side.

    `best` is one that is known already.
    """
    # The sides that look towards the other core come first; a corner of each bounds what the other sides can separate.
    dx = b[0, 0] + b[nb // 2, 0] - a[0, 0] - a[na // 2, 0]
    dy = b[0, 1] + b[nb // 2, 1] - a[0, 1] - a[na // 2, 1]
    i = _foremost(a, na, dx, dy, 0) - 2
    i = i if i >= 0 else max(0, i + na)
    near = _foremost(b, nb, -dx, -dy, nb // 2)
    for _ in range(na):
        j = i + 1 if i + 1 < na else 0
        nx, ny = a[j, 1] - a[i, 1], a[i, 0] - a[j, 0]
        if nx != 0 or ny != 0:
            near = _foremost(b, nb, -nx, -ny, near)
            bound = (b[near, 0] - a[i, 0]) * nx + (b[near, 1] - a[i, 1]) * ny
            length = math.sqrt(nx * nx + ny * ny)
            if bound / length > best:
                best = max(best, _beyond(a, na, b, nb, nx, ny) / length)
                if best > 0.0:
                    return best
        i = j
    return best


@bare
def _near_corner(core: Ints, n: int, x: int, y: int, k: int) -> int:
    """A corner of a core that is nearer to a point than its neighbours, looked for from corner k on; -1: from any."""
    rough = n if k >= 0 else _ROUGH
    k = max(k, 0)
    least = (core[k, 0] - x) * (core[k, 0] - x) + (core[k, 1] - y) * (core[k, 1] - y)
    for m in range(rough, n, _ROUGH):
        dx, dy = core[m, 0] - x, core[m, 1] - y
        if dx * dx + dy * dy < least:
            k, least = m, dx * dx + dy * dy
    for step in (1, n - 1):
        for _ in range(n):
            m = k + step if k + step < n else k + step - n
            dx, dy = core[m, 0] - x, core[m, 1] - y
            if dx * dx + dy * dy >= least:
                break
            k, least = m, dx * dx + dy * dy
    return k


@bare
def _facing(a: Ints, na: int, p: int, b: Ints, nb: int, q: int) -> tuple[float, int, int, bool, bool]:
    """How near two corners are, or one of them to a side next to the other, squared, and the direction of that way.

    Also whether some such side has the other corner before it, and whether the direction is that of a side.
    """
    wx, wy = b[q, 0] - a[p, 0], b[q, 1] - a[p, 1]
    best = float(wx * wx + wy * wy)
    nx, ny, faced, square = wx, wy, False, False
    for turn in range(4):
        core, n, k, x, y, way = (a, na, p, b[q, 0], b[q, 1], 1) if turn < 2 else (b, nb, q, a[p, 0], a[p, 1], -1)
        i = k if turn % 2 == 0 else (k - 1 if k > 0 else n - 1)
        j = i + 1 if i + 1 < n else 0
        ex, ey = way * (core[j, 1] - core[i, 1]), way * (core[i, 0] - core[j, 0])
        if ex * wx + ey * wy > 0:
            faced = True
            now = point_segment2(x, y, core[i, 0], core[i, 1], core[j, 0], core[j, 1])
            if now < best:
                best, nx, ny, square = now, ex, ey, True
    return best, nx, ny, faced, square


@bare
def _part_sides(a: Ints, na: int, p: int, b: Ints, nb: int, q: int) -> bool:
    """Whether a side next to a corner of each parts two cores."""
    for turn in range(4):
        core, n, k, other, m = (a, na, p, b, nb) if turn < 2 else (b, nb, q, a, na)
        i = k if turn % 2 == 0 else (k - 1 if k > 0 else n - 1)
        j = i + 1 if i + 1 < n else 0
        if _beyond(core, n, other, m, core[j, 1] - core[i, 1], core[i, 0] - core[j, 0]) > 0:
            return True
    return False


@bare
def _row(core: Ints, n: int, k: int, nx: int, ny: int, least: int, count: int) -> int:
    """The first of so many corners in a row, with k among them, that reach so far; -1: they are not in a row."""
    first, found = k, 1
    for _ in range(n):
        m = first - 1 if first > 0 else n - 1
        if found >= count or core[m, 0] * nx + core[m, 1] * ny < least:
            break
        first, found = m, found + 1
    for _ in range(n):
        k = k + 1 if k + 1 < n else 0
        if found >= count or core[k, 0] * nx + core[k, 1] * ny < least:
            break
        found += 1
    return first if found == count else -1


@bare
def _apart2(
    a: Ints,
    na: int,
    first: int,
    mine: int,
    b: Ints,
    nb: int,
    start: int,
    theirs: int,
    nx: int,
    ny: int,
    limit: int,
) -> float:
    """Square of the least distance between two rows of corners, and the sides that end there.

    What is further apart along a direction than a limit is not looked at.
    """
    best = 1.0e36
    i = first - 1 if first > 0 else na - 1
    end = a[i, 0] * nx + a[i, 1] * ny
    for _ in range(mine + 1):
        j = i + 1 if i + 1 < na else 0
        after = a[j, 0] * nx + a[j, 1] * ny
        side = max(end, after)
        k = start - 1 if start > 0 else nb - 1
        other = b[k, 0] * nx + b[k, 1] * ny
        for _ in range(theirs + 1):
            m = k + 1 if k + 1 < nb else 0
            following = b[m, 0] * nx + b[m, 1] * ny
            if nb > 1 and min(other, following) - end <= limit:
                best = min(best, point_segment2(a[i, 0], a[i, 1], b[k, 0], b[k, 1], b[m, 0], b[m, 1]))
            if na > 1 and other - side <= limit:
                best = min(best, point_segment2(b[k, 0], b[k, 1], a[i, 0], a[i, 1], a[j, 0], a[j, 1]))
            k, other = m, following
        i, end = j, after
    return best


@bare
def _gap_of_sides(a: Ints, na: int, b: Ints, nb: int) -> float:
    """The same as `core_gap`, where at least one core has sides and an inside."""
    # Two corners that are near each other, or one and a side next to the other, give a direction between the cores; in
    # that direction other corners may be further ahead, and so on until that brings nothing more.
    p = _near_corner(a, na, (b[0, 0] + b[nb // 2, 0]) // 2, (b[0, 1] + b[nb // 2, 1]) // 2, -1)
    q = _near_corner(b, nb, a[p, 0], a[p, 1], -1)
    i, j, r, s, best, nx, ny, faced, square = p, q, p, q, 1.0e36, 0, 0, True, False
    for _ in range(_WALKS):
        now, mx, my, faces, is_square = _facing(a, na, i, b, nb, j)
        if now >= best:
            break
        p, q, best, nx, ny, faced, square = i, j, now, mx, my, faces, is_square
        r, s = _foremost(a, na, nx, ny, p), _foremost(b, nb, -nx, -ny, q)
        if not faced or (r == p and s == q):
            break
        core, n, k, x, y = (a, na, r, b[s, 0], b[s, 1]) if s != q else (b, nb, s, a[r, 0], a[r, 1])
        k = _near_corner(core, n, x, y, k)
        i, j = (k, s) if s != q else (r, k)
    # Only a guess so far. What is further apart along its direction, with room for rounding, is not the nearest.
    limit = math.ceil(math.sqrt(best * (nx * nx + ny * ny)) * (1.0 + 1.0e-9)) + 1
    first, mine, start, theirs, apart = 0, na, 0, nb, False
    if faced:
        front, back = a[r, 0] * nx + a[r, 1] * ny, b[s, 0] * nx + b[s, 1] * ny
        far, many = _extent(a, na, nx, ny, back - limit)
        near, more = _extent(b, nb, -nx, -ny, -front - limit)
        apart = far + near < 0 if square else _part_sides(a, na, p, b, nb, q)
        if far == front and near == -back:
            r, s = _row(a, na, r, nx, ny, back - limit, many), _row(b, nb, s, -nx, -ny, -front - limit, more)
            if r >= 0 and s >= 0:
                first, mine, start, theirs = r, many, s, more
    if not apart:
        gap = -1.0e18
        for turn in range(2):
            core, n, other, m = (a, na, b, nb) if turn == 0 else (b, nb, a, na)
            if n > 1 and gap <= 0.0:
                gap = _separation(core, n, other, m, gap)
        if gap <= 0.0:
            return gap
    return math.sqrt(_apart2(a, na, first, mine, b, nb, start, theirs, nx, ny, limit))


@bare
def core_gap(a: Ints, na: int, b: Ints, nb: int) -> float:
    """Distance between two convex cores; minus the depth of the overlap where they overlap.

    Points (one corner) and segments (two) have no depth: the gap between such two is never below 0.
    """
    if na == 1 and nb == 1:
        dx, dy = float(a[0, 0] - b[0, 0]), float(a[0, 1] - b[0, 1])
        return math.sqrt(dx * dx + dy * dy)
    if na == 1 and nb == 2:
        return point_segment(a[0, 0], a[0, 1], b[0, 0], b[0, 1], b[1, 0], b[1, 1])
    if na == 2 and nb == 1:
        return point_segment(b[0, 0], b[0, 1], a[0, 0], a[0, 1], a[1, 0], a[1, 1])
    if na == 2 and nb == 2:
        return segment_segment(a[0, 0], a[0, 1], a[1, 0], a[1, 1], b[0, 0], b[0, 1], b[1, 0], b[1, 1])
    return _gap_of_sides(a, na, b, nb)
