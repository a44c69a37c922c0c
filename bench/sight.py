"""How fast sight is, and how often it is wrong."""

from __future__ import annotations

import math
import time
from typing import Any

import numpy as np

from sandtable.table.grid import steps
from sandtable.table.layout import Feature, Floor, Table, Terrain, Wall, compile_terrain
from sandtable.table.shapes import Bodies, Shapes, hull, oval_base, pack, round_base
from sandtable.table.grid import Bools, Floats, Ints
from sandtable.table.kernel import kernel
from sandtable.table.measure import point_segment
from sandtable.table.sight import HARD, NONE, Blocking, look
from sandtable.table.sight_lines import span
from sandtable.table.sight_pair import blocks
from sandtable.table.sight_prisms import Prisms, build
from sandtable.table.sight_segment import segment_meets

BASES = (
    round_base(1.26, 1.4),
    round_base(1.26, 1.6),
    round_base(1.575, 2.2),
    oval_base(2.95, 1.65, 2.6),
    hull(3.6, 2.4, 2.4),
)


def _ruin(rng: np.random.Generator, name: str, x: float, y: float, storeys: bool) -> Feature:
    """Five walls of different heights in and around a rectangle, at any angle."""
    angle = rng.uniform(0, math.pi)
    c, s = math.cos(angle), math.sin(angle)
    w, d = rng.uniform(5, 8) / 2, rng.uniform(4, 6) / 2

    def at(px: float, py: float) -> tuple[int, int]:
        return steps(x + px * c - py * s), steps(y + px * s + py * c)

    ends = [
        ((-w, -d), (w, -d)),
        ((w, -d), (w, d * 0.2)),
        ((-w, -d), (-w, d)),
        ((-w * 0.3, -d), (-w * 0.3, 0.0)),
        ((-w, d), (0.0, d)),
    ]
    walls = []
    for a, b in ends:
        top = rng.uniform(1.0, 5.0)
        if storeys and rng.random() < 0.5:
            walls.append(Wall(at(*a), at(*b), 0, steps(rng.uniform(0.5, 1.2)), steps(0.1)))
            walls.append(Wall(at(*a), at(*b), steps(rng.uniform(1.6, 2.5)), steps(5.0), steps(0.1)))
        else:
            walls.append(Wall(at(*a), at(*b), 0, steps(top), steps(0.1)))
    outline = (at(-w, -d), at(w, -d), at(w, d), at(-w, d))
    floors = (Floor(outline, steps(3.0), steps(0.1)),) if storeys else ()
    return Feature(name, "ruin", outline, 0, steps(5.0), walls=tuple(walls), floors=floors)


def _in_wall(terrain: Terrain, pos: Ints, room: float) -> bool:
    x, y = float(pos[0]), float(pos[1])
    return any(point_segment(x, y, *(float(c) for c in w[:4])) < room + w[6] for w in terrain.wall)


def scene(seed: int, storeys: bool = False, each: int = 100) -> tuple[Bodies, Shapes, Terrain, Blocking]:
    """Two armies in units of ten over 12 ruins on 60 x 44."""
    rng = np.random.default_rng(seed)
    features = tuple(
        _ruin(
            rng, f"ruin {k}", 7.5 + 15 * (k % 4) + rng.uniform(-2, 2), 8 + 14 * (k // 4) + rng.uniform(-2, 2), storeys
        )
        for k in range(12)
    )
    terrain = compile_terrain(Table(steps(60), steps(44), "inch", features))
    n = 2 * each
    group = np.arange(n, dtype=np.int64) // 10
    pos, shape = np.zeros((n, 3), dtype=np.int64), np.zeros(n, dtype=np.int64)
    for g in range(n // 10):
        base = int(rng.integers(0, 8))
        army = 0 if g < n // 20 else 1
        cx, cy = rng.uniform(6, 54), rng.uniform(6, 18) + 20 * army
        for k in range(10):
            i = g * 10 + k
            shape[i] = (0, 0, 1, 1, 1, 2, 2, 3)[base] if k < 9 or base < 6 else 4
            spread = 3.5 if base < 6 else 7.0
            for _ in range(2000):
                spread = min(25.0, spread * 1.003)
                x, y = cx + rng.uniform(-spread, spread), cy + rng.uniform(-spread, spread)
                pos[i] = steps(min(57.0, max(3.0, x))), steps(min(41.0, max(3.0, y))), 0
                if storeys and rng.random() < 0.2:
                    pos[i, 2] = steps(3.0)
                gap = np.sqrt(((pos[:i, :2] - pos[i, :2]) ** 2).sum(axis=1))
                room = np.array([s.reach for s in BASES])
                if (gap > room[shape[:i]] + room[shape[i]]).all() and not _in_wall(terrain, pos[i], room[shape[i]]):
                    break
            else:
                raise AssertionError("no room")
    bodies = Bodies(pos, rng.integers(0, 4096, n), shape)
    return bodies, pack(BASES), terrain, blocking(terrain, group, each, each)


def blocking(terrain: Terrain, group: Any, n: int, m: int) -> Blocking:
    f = len(terrain.corners)
    zero = np.zeros
    return Blocking(
        zero((n, f), np.int64),
        zero((m, f), np.int64),
        np.full((f, 1, 1), NONE),
        zero(f, np.int64),
        np.full(f, steps(1000)),
        np.full((f, 1, 1), HARD),
        np.ones(len(group), np.int64),
        group,
        1,
        0,
        0,
    )


RAYS = 49


@kernel
def _outline_points(
    prisms: Prisms, k: int, ex: float, ey: float, far: bool, heights: int, vert: Floats, out: Floats
) -> None:
    """Points across a body as seen along (ex, ey): at its near or far edge, at one height (its top) or more."""
    n = prisms.count[k]
    left, right = -1.0e18, 1.0e18
    for i in range(n):
        x, y = prisms.point[prisms.start[k] + i, 0], prisms.point[prisms.start[k] + i, 1]
        vert[i, 0], vert[i, 1] = x * ex + y * ey, y * ex - x * ey
        left, right = max(left, vert[i, 1] + prisms.radius[k]), min(right, vert[i, 1] - prisms.radius[k])
    across = RAYS // heights
    for c in range(across):
        v = (left + right) / 2 + (left - right) / 2 * 0.9999 * (2 * c - across + 1) / (across - 1)
        _, near_u, far_u = span(vert, 0, n, prisms.radius[k], v, 0.0)
        u = far_u if far else near_u
        for h in range(heights):
            z = (
                prisms.high[k]
                if heights == 1
                else prisms.high[k] - (prisms.high[k] - prisms.low[k]) * 0.99 * h / (heights - 1)
            )
            out[c * heights + h, 0], out[c * heights + h, 1], out[c * heights + h, 2] = (
                u * ex - v * ey,
                u * ey + v * ex,
                z,
            )


@kernel
def seen_by_rays(
    bodies: Bodies, shapes: Shapes, terrain: Terrain, observers: Ints, targets: Ints, blocking: Blocking, heights: int
) -> Bools:
    """What 49 x 49 rays between the outlines of each pair find visible."""
    prisms = build(bodies, shapes, terrain, blocking.band_top)
    vert = np.empty((prisms.point.shape[0], 2), dtype=np.float64)
    near = np.empty(prisms.count.shape[0], dtype=np.int64)
    p, q = np.zeros((RAYS, 3)), np.zeros((RAYS, 3))
    out = np.zeros((observers.shape[0], targets.shape[0]), dtype=np.bool_)
    for row in range(observers.shape[0]):
        for col in range(targets.shape[0]):
            i, j = observers[row], targets[col]
            dx, dy = prisms.middle_x[j] - prisms.middle_x[i], prisms.middle_y[j] - prisms.middle_y[i]
            length = np.sqrt(dx * dx + dy * dy)
            ex, ey = dx / length, dy / length
            count = 0
            for k in range(prisms.count.shape[0]):
                if not blocks(prisms, k, i, j, row, col, blocking)[0]:
                    continue
                x, y = prisms.middle_x[k] - prisms.middle_x[i], prisms.middle_y[k] - prisms.middle_y[i]
                side = abs(y * ex - x * ey)
                if side < prisms.reach[k] + max(prisms.reach[i], prisms.reach[j]) + 2:
                    near[count] = k
                    count += 1
            lower = prisms.high[i] < prisms.high[j]
            _outline_points(prisms, i, ex, ey, not lower, heights, vert, p)
            _outline_points(prisms, j, ex, ey, not lower, heights, vert, q)
            seen = False
            for a in range((RAYS // heights) * heights):
                for b in range((RAYS // heights) * heights):
                    clear = True
                    for c in range(count):
                        if segment_meets(prisms, near[c], p[a], q[b], 0.5, vert):
                            near[0], near[c] = near[c], near[0]
                            clear = False
                            break
                    if clear:
                        seen = True
                        break
                if seen:
                    break
            out[row, col] = seen
    return out


if __name__ == "__main__":
    import sys

    for seed in range(1, 7):
        for storeys in (False, True):
            args = scene(seed, storeys)
            o, t = np.arange(100), np.arange(100, 200)
            look(*args[:3], o, t, args[3])
            for fully in (False, True):
                best = 9.0
                for _ in range(5):
                    t0 = time.perf_counter()
                    s = look(*args[:3], o, t, args[3], fully)
                    best = min(best, time.perf_counter() - t0)
                print(
                    storeys,
                    fully,
                    best * 1e3,
                    s.visible.mean(),
                    s.full.mean(),
                    s.broken.mean(),
                    s.broken_by_model.mean(),
                )
            if len(sys.argv) > 1:
                t0 = time.perf_counter()
                r = seen_by_rays(*args[:3], o, t, args[3], 3 if storeys else 1)
                print(
                    "rays",
                    time.perf_counter() - t0,
                    "we miss",
                    (r & ~s.visible).sum(),
                    "rays miss",
                    (s.visible & ~r).sum(),
                    np.argwhere(r & ~s.visible)[:5].tolist(),
                )
