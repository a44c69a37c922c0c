"""Distances between bases, and what is within what.

A gap is horizontal, in grid steps, from edge to edge; it is negative where two bases overlap. A distance is the
straight line in space between the nearest points.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from sandtable.kernels import bare, kernel, leaf
from sandtable.table.cores import core_gap, place_core, point_segment2, segments_cross
from sandtable.table.grid import STEP, Floats, Ints
from sandtable.table.shapes import Bodies, Shapes, hull, pack, round_base

CROSSED: Final = STEP / 8
"""How deep a hull counts as being in an area that it lies across, no corner of either being in the other"""


@leaf
def are_round(bodies: Bodies, shapes: Shapes, i: int, j: int) -> bool:
    """Whether two models have round bases."""
    return shapes.corners[bodies.shape[i]] == 1 and shapes.corners[bodies.shape[j]] == 1


@leaf
def round_gap(bodies: Bodies, shapes: Shapes, i: int, j: int) -> float:
    """Horizontal gap between two models with round bases."""
    dx, dy = float(bodies.pos[i, 0] - bodies.pos[j, 0]), float(bodies.pos[i, 1] - bodies.pos[j, 1])
    return math.sqrt(dx * dx + dy * dy) - (shapes.radius[bodies.shape[i]] + shapes.radius[bodies.shape[j]])


@bare
def _gap_of_cores(bodies: Bodies, shapes: Shapes, i: int, j: int, a: Ints, b: Ints) -> float:
    """Horizontal gap between two models of any shape; `a` and `b` are room for their cores."""
    si, sj = bodies.shape[i], bodies.shape[j]
    na = place_core(shapes, si, bodies.pos[i, 0], bodies.pos[i, 1], bodies.facing[i], a)
    nb = place_core(shapes, sj, bodies.pos[j, 0], bodies.pos[j, 1], bodies.facing[j], b)
    return core_gap(a, na, b, nb) - (shapes.radius[si] + shapes.radius[sj])


@kernel
def pair_gap(bodies: Bodies, shapes: Shapes, i: int, j: int) -> float:
    """Horizontal gap between two models. Where it is asked often, `are_round` and `round_gap` should be asked first."""
    if are_round(bodies, shapes, i, j):
        return round_gap(bodies, shapes, i, j)
    a = np.empty((shapes.core.shape[1], 2), dtype=np.int64)
    b = np.empty((shapes.core.shape[1], 2), dtype=np.int64)
    return _gap_of_cores(bodies, shapes, i, j, a, b)


@leaf
def pair_rise(bodies: Bodies, shapes: Shapes, i: int, j: int) -> int:
    """Vertical gap between two models: between their bases, or any height of a hull."""
    zi, zj = bodies.pos[i, 2], bodies.pos[j, 2]
    up = zj - (zi + shapes.thick[bodies.shape[i]])
    down = zi - (zj + shapes.thick[bodies.shape[j]])
    return max(0, max(up, down))


@kernel
def gaps(bodies: Bodies, shapes: Shapes, first: Ints, second: Ints) -> Floats:
    """Horizontal gaps, [first, second]."""
    out = np.empty((first.shape[0], second.shape[0]), dtype=np.float64)
    p = np.empty((shapes.core.shape[1], 2), dtype=np.int64)
    q = np.empty((shapes.core.shape[1], 2), dtype=np.int64)
    for a in range(first.shape[0]):
        for b in range(second.shape[0]):
            i, j = first[a], second[b]
            discs = are_round(bodies, shapes, i, j)
            out[a, b] = round_gap(bodies, shapes, i, j) if discs else _gap_of_cores(bodies, shapes, i, j, p, q)
    return out


@kernel
def distances(bodies: Bodies, shapes: Shapes, first: Ints, second: Ints) -> Floats:
    """Distances in space, [first, second]; 0 where two models touch or overlap."""
    out = gaps(bodies, shapes, first, second)
    for a in range(first.shape[0]):
        for b in range(second.shape[0]):
            flat = max(0.0, out[a, b])
            rise = float(pair_rise(bodies, shapes, first[a], second[b]))
            out[a, b] = math.sqrt(flat * flat + rise * rise)
    return out


IN_SPACE: Final = -1
"""Given for the height of a zone, it says that the zone is a ball: what is within is so in space."""


@leaf
def width_at(flat: int, up: int, rise: int) -> float:
    """How far a zone of a model reaches to the sides at a height that is so far off; below 0: not at all."""
    if up >= 0:
        return float(flat) if rise <= up else -1.0
    return math.sqrt(float(flat) * flat - float(rise) * rise) if rise <= flat else -1.0


@leaf
def nearness(bodies: Bodies, shapes: Shapes, i: int, j: int, reach: int) -> int:
    """Whether two models are surely within `reach` (1) or surely not (-1), by discs that their bases hold or fit in."""
    dx, dy = bodies.pos[i, 0] - bodies.pos[j, 0], bodies.pos[i, 1] - bodies.pos[j, 1]
    square, si, sj = dx * dx + dy * dy, bodies.shape[i], bodies.shape[j]
    far = reach + shapes.reach[si] + shapes.reach[sj] + 1
    if square > far * far:
        return -1
    near = max(0, reach + shapes.radius[si] + shapes.radius[sj] - 1)
    return 1 if square < near * near else 0


@kernel
def linked(bodies: Bodies, shapes: Shapes, first: Ints, second: Ints, flat: int, up: int) -> bool:
    """Whether any model of the first is within `flat` horizontally and `up` in height of one of the second."""
    for a in range(first.shape[0]):
        for b in range(second.shape[0]):
            i, j = first[a], second[b]
            near = nearness(bodies, shapes, i, j, flat)
            if near < 0:
                continue
            width = width_at(flat, up, pair_rise(bodies, shapes, i, j))
            if width < 0.0:
                continue
            if near > 0 and width == flat:
                return True
            gap = round_gap(bodies, shapes, i, j) if are_round(bodies, shapes, i, j) else pair_gap(bodies, shapes, i, j)
            if gap <= width:
                return True
    return False


@kernel
def links(bodies: Bodies, shapes: Shapes, first: Ints, second: Ints, flat: int, up: int) -> np.ndarray:
    """Which pairs are within `flat` horizontally and `up` in height, [first, second]."""
    out = np.zeros((first.shape[0], second.shape[0]), dtype=np.bool_)
    for a in range(first.shape[0]):
        for b in range(second.shape[0]):
            i, j = first[a], second[b]
            near = nearness(bodies, shapes, i, j, flat)
            if near < 0:
                continue
            width = width_at(flat, up, pair_rise(bodies, shapes, i, j))
            if width < 0.0:
                continue
            if near > 0 and width == flat:
                out[a, b] = True
                continue
            gap = round_gap(bodies, shapes, i, j) if are_round(bodies, shapes, i, j) else pair_gap(bodies, shapes, i, j)
            out[a, b] = gap <= width
    return out


@kernel
def far_distance(bodies: Bodies, shapes: Shapes, i: int, j: int) -> float:
    """The distance from model j to the part of model i that is furthest from it; "wholly within" asks for this."""
    a = np.empty((shapes.core.shape[1], 2), dtype=np.int64)
    b = np.empty((shapes.core.shape[1], 2), dtype=np.int64)
    si, sj = bodies.shape[i], bodies.shape[j]
    na = place_core(shapes, si, bodies.pos[i, 0], bodies.pos[i, 1], bodies.facing[i], a)
    nb = place_core(shapes, sj, bodies.pos[j, 0], bodies.pos[j, 1], bodies.facing[j], b)
    worst = -1.0e18
    for k in range(na):
        worst = max(worst, core_gap(a[k : k + 1], 1, b, nb))
    flat = max(0.0, worst + shapes.radius[si] - shapes.radius[sj])
    low, high = bodies.pos[i, 2], bodies.pos[i, 2] + shapes.thick[si]
    floor, roof = bodies.pos[j, 2], bodies.pos[j, 2] + shapes.thick[sj]
    rise = float(max(0, max(floor - low, high - roof)))
    return math.sqrt(flat * flat + rise * rise)


@kernel
def overlaps(bodies: Bodies, shapes: Shapes, i: int, j: int) -> bool:
    """Whether two models occupy the same space."""
    zi, zj = bodies.pos[i, 2], bodies.pos[j, 2]
    if zi + shapes.height[bodies.shape[i]] <= zj or zj + shapes.height[bodies.shape[j]] <= zi:
        return False
    dx, dy = bodies.pos[i, 0] - bodies.pos[j, 0], bodies.pos[i, 1] - bodies.pos[j, 1]
    far = shapes.reach[bodies.shape[i]] + shapes.reach[bodies.shape[j]]
    if dx * dx + dy * dy > far * far:
        return False
    gap = round_gap(bodies, shapes, i, j) if are_round(bodies, shapes, i, j) else pair_gap(bodies, shapes, i, j)
    return gap < -1.0


@bare
def inside(x: float, y: float, outline: Ints, n: int) -> bool:
    """Whether a point lies in a polygon."""
    odd = False
    for i in range(n):
        j = i + 1 if i + 1 < n else 0
        ax, ay, bx, by = outline[i, 0], outline[i, 1], outline[j, 0], outline[j, 1]
        if (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax:
            odd = not odd
    return odd


@bare
def core_edge_gap(core: Ints, n: int, outline: Ints, m: int) -> float:
    """Distance from a core to the nearest side of a polygon; 0 where they cross."""
    lx, ly, hx, hy = core[0, 0], core[0, 1], core[0, 0], core[0, 1]
    for i in range(1, n):
        lx, ly, hx, hy = min(lx, core[i, 0]), min(ly, core[i, 1]), max(hx, core[i, 0]), max(hy, core[i, 1])
    best = 1.0e36
    for k in range(m):
        q = k + 1 if k + 1 < m else 0
        cx, cy, dx, dy = outline[k, 0], outline[k, 1], outline[q, 0], outline[q, 1]
        wide = max(0, max(lx - max(cx, dx), min(cx, dx) - hx))
        deep = max(0, max(ly - max(cy, dy), min(cy, dy) - hy))
        # A side whose box is further away; a step more than that leaves room for rounding.
        if wide * wide + deep * deep > best + 1.0:
            continue
        near = wide == 0 and deep == 0
        for i in range(n):
            best = min(best, point_segment2(core[i, 0], core[i, 1], cx, cy, dx, dy))
            if n > 1:
                j = i + 1 if i + 1 < n else 0
                if near and segments_cross(core[i, 0], core[i, 1], core[j, 0], core[j, 1], cx, cy, dx, dy):
                    return 0.0
                # The other end of the side is the first of the next one.
                best = min(best, point_segment2(cx, cy, core[i, 0], core[i, 1], core[j, 0], core[j, 1]))
    return math.sqrt(best)


@bare
def _depth(x: int, y: int, outline: Ints, n: int) -> float:
    """How far inside a polygon a point lies; 0 outside and on its edge."""
    if not inside(float(x), float(y), outline, n):
        return 0.0
    least = 1.0e36
    for i in range(n):
        j = i + 1 if i + 1 < n else 0
        least = min(least, point_segment2(x, y, outline[i, 0], outline[i, 1], outline[j, 0], outline[j, 1]))
    return math.sqrt(least)


@bare
def _shared_depth(core: Ints, k: int, outline: Ints, n: int) -> float:
    """How deep a hull that meets the edge of an area is in it, by the corners of both; 0 where they only touch."""
    deepest = 0.0
    for i in range(k):
        deepest = max(deepest, _depth(core[i, 0], core[i, 1], outline, n))
    for i in range(n):
        deepest = max(deepest, _depth(outline[i, 0], outline[i, 1], core, k))
    if deepest > 0.0:
        return deepest
    for i in range(k):
        j = i + 1 if i + 1 < k else 0
        for q in range(n):
            r = q + 1 if q + 1 < n else 0
            ax, ay, bx, by = outline[q, 0], outline[q, 1], outline[r, 0], outline[r, 1]
            if segments_cross(core[i, 0], core[i, 1], core[j, 0], core[j, 1], ax, ay, bx, by):
                return CROSSED
    return 0.0


@kernel
def area_gap(bodies: Bodies, shapes: Shapes, i: int, outline: Ints, n: int) -> float:
    """Horizontal gap from a model to an area; 0 or less when it is at least partly in it."""
    core = np.empty((shapes.core.shape[1], 2), dtype=np.int64)
    s = bodies.shape[i]
    k = place_core(shapes, s, bodies.pos[i, 0], bodies.pos[i, 1], bodies.facing[i], core)
    edge = core_edge_gap(core, k, outline, n)
    if k > 1 and edge == 0.0:
        return -_shared_depth(core, k, outline, n) - shapes.radius[s]
    if inside(float(core[0, 0]), float(core[0, 1]), outline, n):
        return -edge - shapes.radius[s]
    if k > 1:
        core_area = np.empty((k, 2), dtype=np.int64)
        core_area[:, :] = core[:k]
        if inside(float(outline[0, 0]), float(outline[0, 1]), core_area, k):
            return -edge - shapes.radius[s]
    return edge - shapes.radius[s]


@bare
def core_in_area(core: Ints, k: int, radius: int, outline: Ints, n: int) -> bool:
    """Whether a core with its radius is wholly in an area; the area's own edge belongs to it."""
    edge = core_edge_gap(core, k, outline, n)
    if edge < radius:
        return False
    if edge > 0.5:
        return inside(float(core[0, 0]), float(core[0, 1]), outline, n)
    return _flush_in_area(core, k, outline, n)


@bare
def _flush_in_area(core: Ints, k: int, outline: Ints, n: int) -> bool:
    """The same for a hull whose side meets the area's edge."""
    for c in range(k):
        d = c + 1 if c + 1 < k else 0
        # The middle of a side tells it from a side that leaves the area through two of its corners.
        if not _in_or_on(float(core[c, 0]), float(core[c, 1]), outline, n):
            return False
        if not _in_or_on((core[c, 0] + core[d, 0]) / 2, (core[c, 1] + core[d, 1]) / 2, outline, n):
            return False
        for q in range(n):
            r = q + 1 if q + 1 < n else 0
            ax, ay, bx, by = outline[q, 0], outline[q, 1], outline[r, 0], outline[r, 1]
            if segments_cross(core[c, 0], core[c, 1], core[d, 0], core[d, 1], ax, ay, bx, by):
                return False
    return True


@bare
def _in_or_on(x: float, y: float, outline: Ints, n: int) -> bool:
    """Whether a point lies in a polygon or on its edge."""
    if inside(x, y, outline, n):
        return True
    for i in range(n):
        j = i + 1 if i + 1 < n else 0
        ax, ay, bx, by = outline[i, 0], outline[i, 1], outline[j, 0], outline[j, 1]
        if (bx - ax) * (y - ay) == (by - ay) * (x - ax) and (
            min(ax, bx) <= x <= max(ax, bx) and min(ay, by) <= y <= max(ay, by)
        ):
            return True
    return False


@kernel
def wholly_in_area(bodies: Bodies, shapes: Shapes, i: int, outline: Ints, n: int) -> bool:
    """Whether every part of a model's base is in an area."""
    core = np.empty((shapes.core.shape[1], 2), dtype=np.int64)
    s = bodies.shape[i]
    k = place_core(shapes, s, bodies.pos[i, 0], bodies.pos[i, 1], bodies.facing[i], core)
    return core_in_area(core, k, shapes.radius[s], outline, n)


@kernel
def on_table(bodies: Bodies, shapes: Shapes, i: int, size: Ints) -> bool:
    """Whether every part of a model's base is on the table."""
    core = np.empty((shapes.core.shape[1], 2), dtype=np.int64)
    s = bodies.shape[i]
    r = shapes.radius[s]
    k = place_core(shapes, s, bodies.pos[i, 0], bodies.pos[i, 1], bodies.facing[i], core)
    for c in range(k):
        if core[c, 0] < r or core[c, 1] < r or core[c, 0] > size[0] - r or core[c, 1] > size[1] - r:
            return False
    return True


@kernel
def area_classes(bodies: Bodies, shapes: Shapes, models: Ints, outline: Ints, corners: Ints) -> Ints:
    """How models stand to areas, [model, area]: 0 outside, 1 partly within, 2 wholly within."""
    out = np.zeros((models.shape[0], corners.shape[0]), dtype=np.int64)
    for f in range(corners.shape[0]):
        left, right, front, back = _box(outline, f, corners[f])
        for a in range(models.shape[0]):
            i = models[a]
            x, y, far = bodies.pos[i, 0], bodies.pos[i, 1], shapes.reach[bodies.shape[i]] + 1
            # Most models are nowhere near.
            if x + far < left or x - far > right or y + far < front or y - far > back:
                continue
            if area_gap(bodies, shapes, i, outline[f], corners[f]) < 0.0:
                out[a, f] = 2 if wholly_in_area(bodies, shapes, i, outline[f], corners[f]) else 1
    return out


@bare
def _box(outline: Ints, f: int, n: int) -> tuple[int, int, int, int]:
    """The least and most x, and the least and most y, of an area."""
    left, right, front, back = outline[f, 0, 0], outline[f, 0, 0], outline[f, 0, 1], outline[f, 0, 1]
    for k in range(1, n):
        left, right = min(left, outline[f, k, 0]), max(right, outline[f, k, 0])
        front, back = min(front, outline[f, k, 1]), max(back, outline[f, k, 1])
    return left, right, front, back


@kernel
def far_area_gap(bodies: Bodies, shapes: Shapes, i: int, outline: Ints, n: int) -> float:
    """The horizontal distance from an area to the part of a model's base that is furthest from it; 0 when inside."""
    core = np.empty((shapes.core.shape[1], 2), dtype=np.int64)
    s = bodies.shape[i]
    k = place_core(shapes, s, bodies.pos[i, 0], bodies.pos[i, 1], bodies.facing[i], core)
    if wholly_in_area(bodies, shapes, i, outline, n):
        return 0.0
    worst = 0.0
    for c in range(k):
        edge = core_edge_gap(core[c : c + 1], 1, outline, n)
        if inside(float(core[c, 0]), float(core[c, 1]), outline, n):
            edge = -edge
        worst = max(worst, edge + shapes.radius[s])
    return worst


def warm_up() -> None:
    """Compile the kernels, or load them from disk."""
    shapes = pack([round_base(1, 1), hull(4, 2, 2)])
    pos = np.array([[2, 2, 0], [4, 2, 0], [9, 9, 0]], dtype=np.int64) * STEP
    bodies = Bodies(pos, np.zeros(3, dtype=np.int64), np.array([0, 0, 1], dtype=np.int64))
    one, two = np.arange(1), np.arange(1, 3)
    area = np.array([[0, 0], [12, 0], [12, 12], [0, 12]], dtype=np.int64) * STEP
    gaps(bodies, shapes, one, two)
    distances(bodies, shapes, one, two)
    linked(bodies, shapes, one, two, STEP, STEP)
    links(bodies, shapes, one, two, STEP, STEP)
    pair_gap(bodies, shapes, 0, 2)
    pair_rise(bodies, shapes, 0, 2)
    far_distance(bodies, shapes, 0, 2)
    overlaps(bodies, shapes, 0, 2)
    inside(0.0, 0.0, area, 4)
    area_gap(bodies, shapes, 2, area, 4)
    far_area_gap(bodies, shapes, 2, area, 4)
    wholly_in_area(bodies, shapes, 2, area, 4)
    on_table(bodies, shapes, 2, np.array([12 * STEP, 12 * STEP], dtype=np.int64))
    area_classes(bodies, shapes, two, area[np.newaxis], np.array([4], dtype=np.int64))
    place_core(shapes, 1, 0, 0, 0, np.empty((shapes.core.shape[1], 2), dtype=np.int64))
    segments_cross(pos[0, 0], pos[0, 1], pos[1, 0], pos[1, 1], area[0, 0], area[0, 1], area[1, 0], area[1, 1])
