"""How fast sight is, and how often it is wrong.

The scene: two armies of 100 models in units of ten over 12 ruins with 60 walls of different heights, on 60 x 44 inches;
round bases, ovals and hulls; every model blocks. The truth: 49 x 49 straight lines between the outlines of each pair.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable
from typing import Any

import numba
import numpy as np

from sandtable.table.cores import point_segment
from sandtable.table.grid import TURN, Bools, Floats, Ints, steps
from sandtable.table.layout import Feature, Floor, Table, Terrain, Wall, compile_terrain
from sandtable.table.shapes import Bodies, Shapes, hull, oval_base, pack, round_base
from sandtable.table.sight import Blocking, Sight, look, plain_blocking, warm_up
from sandtable.table.sight_lines import span
from sandtable.table.sight_pair import blocks
from sandtable.table.sight_prisms import Prisms, build
from sandtable.table.sight_segment import segment_meets

RAYS = 49
SEEDS = (1, 2, 3)

BASES = (
    round_base(1.26, 1.4),
    round_base(1.26, 1.6),
    round_base(1.575, 2.2),
    oval_base(2.95, 1.65, 2.6),
    hull(3.6, 2.4, 2.4),
)
ROOM = np.array([s.reach for s in BASES])
UNITS = ((0, 0), (0, 0), (1, 1), (1, 1), (1, 1), (2, 2), (2, 4), (3, 4))
"""Bases of the first nine models of a unit, and of its last."""


def _ruin(rng: np.random.Generator, name: str, x: float, y: float, storeys: bool) -> Feature:
    """Five walls of different heights in a rectangle, at any angle; with storeys some have windows, and a floor."""
    angle = rng.uniform(0, math.pi)
    c, s = math.cos(angle), math.sin(angle)
    w, d = rng.uniform(5, 8) / 2, rng.uniform(4, 6) / 2

    def at(px: float, py: float) -> tuple[int, int]:
        return steps(x + px * c - py * s), steps(y + px * s + py * c)

    ends = (
        ((-w, -d), (w, -d)),
        ((w, -d), (w, d * 0.2)),
        ((-w, -d), (-w, d)),
        ((-w * 0.3, -d), (-w * 0.3, 0.0)),
        ((-w, d), (0.0, d)),
    )
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


def _has_room(terrain: Terrain, pos: Ints, i: int, shape: Ints) -> bool:
    room = ROOM[shape[i]]
    x, y = float(pos[i, 0]), float(pos[i, 1])
    if any(point_segment(x, y, *(float(c) for c in w[:4])) < room + w[6] for w in terrain.wall):
        return False
    gap = np.sqrt(((pos[:i, :2] - pos[i, :2]) ** 2).sum(axis=1))
    return bool((gap > ROOM[shape[:i]] + room).all())


def scene(seed: int, storeys: bool = False, each: int = 100) -> tuple[Bodies, Shapes, Terrain, Ints]:
    """Two armies over 12 ruins; also the unit of each model. Where a place is taken, a model stands further off."""
    rng = np.random.default_rng(seed)
    middles = [(7.5 + 15 * (k % 4), 8 + 14 * (k // 4)) for k in range(12)]
    ruins = tuple(
        _ruin(rng, f"ruin {k}", x + rng.uniform(-2, 2), y + rng.uniform(-2, 2), storeys)
        for k, (x, y) in enumerate(middles)
    )
    terrain = compile_terrain(Table(steps(60), steps(44), "inch", ruins))
    n = 2 * each
    pos, shape = np.zeros((n, 3), dtype=np.int64), np.zeros(n, dtype=np.int64)
    for unit in range(n // 10):
        most, last = UNITS[int(rng.integers(0, len(UNITS)))]
        x, y = rng.uniform(6, 54), rng.uniform(6, 18) + (0 if unit < n // 20 else 20)
        for i in range(unit * 10, unit * 10 + 10):
            shape[i] = last if i % 10 == 9 else most
            spread = 4.0
            while True:
                spread = min(25.0, spread * 1.003)
                px, py = x + rng.uniform(-spread, spread), y + rng.uniform(-spread, spread)
                level = steps(3.0) if storeys and rng.random() < 0.2 else 0
                pos[i] = steps(min(57.0, max(3.0, px))), steps(min(41.0, max(3.0, py))), level
                if _has_room(terrain, pos, i, shape):
                    break
    group = np.arange(n, dtype=np.int64) // 10
    return Bodies(pos, rng.integers(0, TURN, n), shape), pack(BASES), terrain, group


def blocking_for(terrain: Terrain, group: Ints, observers: Ints, targets: Ints) -> Blocking:
    """Walls and floors block, all models block, those of the target's unit do so for plain visibility."""
    return plain_blocking(terrain, len(group), len(observers), len(targets))._replace(
        group=group, target_group_blocks_full=0
    )


# Not kept on disk: these are not the engine's.
compiled = numba.njit(error_model="numpy")


@compiled
def _outline_points(
    prisms: Prisms, k: int, ex: float, ey: float, far: bool, heights: int, vert: Floats, out: Floats
) -> None:
    """Points across a body as seen along (ex, ey): at its near or far edge, at its top or at more heights."""
    n = prisms.corners[k]
    left, right = -1.0e18, 1.0e18
    for i in range(n):
        p = prisms.point[prisms.start[k] + i]
        vert[i, 0], vert[i, 1] = p[0] * ex + p[1] * ey, p[1] * ex - p[0] * ey
        vert[i, 2], vert[i, 3] = p[2] * ex + p[3] * ey, p[3] * ex - p[2] * ey
        left, right = max(left, vert[i, 1] + prisms.radius[k]), min(right, vert[i, 1] - prisms.radius[k])
    across = RAYS // heights
    for c in range(across):
        v = (left + right) / 2 + (left - right) / 2 * 0.9999 * (2 * c - across + 1) / (across - 1)
        _, near_u, far_u = span(vert, 0, n, prisms.radius[k], v, 0.0)
        u = far_u if far else near_u
        for h in range(heights):
            down = 0.0 if heights == 1 else 0.99 * h / (heights - 1)
            at = c * heights + h
            out[at, 0], out[at, 1] = u * ex - v * ey, u * ey + v * ex
            out[at, 2] = prisms.high[k] - (prisms.high[k] - prisms.low[k]) * down


@compiled
def seen_by_rays(
    bodies: Bodies, shapes: Shapes, terrain: Terrain, observers: Ints, targets: Ints, blocking: Blocking, heights: int
) -> Bools:
    """What 49 x 49 straight lines find visible. They start at the tops, at the edges that give the highest lines."""
    prisms = build(bodies, shapes, terrain, blocking.band_top)
    vert = np.empty((prisms.point.shape[0], 4), dtype=np.float64)
    near = np.empty(prisms.corners.shape[0], dtype=np.int64)
    p, q = np.zeros((RAYS, 3)), np.zeros((RAYS, 3))
    out = np.zeros((observers.shape[0], targets.shape[0]), dtype=np.bool_)
    rays = RAYS // heights * heights
    for row in range(observers.shape[0]):
        for col in range(targets.shape[0]):
            i, j = observers[row], targets[col]
            dx, dy = prisms.middle_x[j] - prisms.middle_x[i], prisms.middle_y[j] - prisms.middle_y[i]
            length = math.sqrt(dx * dx + dy * dy)
            ex, ey = dx / length, dy / length
            count = 0
            for k in range(prisms.corners.shape[0]):
                x, y = prisms.middle_x[k] - prisms.middle_x[i], prisms.middle_y[k] - prisms.middle_y[i]
                aside = prisms.reach[k] + max(prisms.reach[i], prisms.reach[j]) + 2
                if abs(y * ex - x * ey) < aside and blocks(prisms, k, i, j, row, col, blocking)[0]:
                    near[count] = k
                    count += 1
            far = prisms.high[i] >= prisms.high[j]
            _outline_points(prisms, i, ex, ey, far, heights, vert, p)
            _outline_points(prisms, j, ex, ey, far, heights, vert, q)
            seen = False
            for ray in range(rays * rays):
                a, b = ray // rays, ray % rays
                clear = True
                for c in range(count):
                    if segment_meets(prisms, near[c], p[a], q[b], 0.5, vert):
                        near[0], near[c] = near[c], near[0]  # the next ray is likely to meet it too
                        clear = False
                        break
                if clear:
                    seen = True
                    break
            out[row, col] = seen
    return out


def _best_of(times: int, call: Callable[[], Sight]) -> float:
    """The shortest of some runs, in milliseconds."""
    best = math.inf
    for _ in range(times):
        start = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - start)
    return round(best * 1000, 2)


def compare(seed: int, storeys: bool = False) -> tuple[int, int]:
    """Of 10,000 pairs, how many we call hidden that the rays see, and the other way round."""
    bodies, shapes, terrain, group = scene(seed, storeys)
    observers, targets = np.arange(100), np.arange(100, 200)
    blocking = blocking_for(terrain, group, observers, targets)
    ours = look(bodies, shapes, terrain, observers, targets, blocking, fully=False).visible
    rays = seen_by_rays(bodies, shapes, terrain, observers, targets, blocking, 3 if storeys else 1)
    return int((rays & ~ours).sum()), int((ours & ~rays).sum())


def _timed(observers: int, storeys: bool, fully: bool, times: int) -> float:
    warm_up()
    bodies, shapes, terrain, group = scene(SEEDS[0], storeys)
    first, second = np.arange(observers), np.arange(100, 200)
    blocking = blocking_for(terrain, group, first, second)
    return _best_of(times, lambda: look(bodies, shapes, terrain, first, second, blocking, fully))


def measure() -> dict[str, dict[str, Any]]:
    """All figures, with the limits they are held to."""
    wrong = [compare(seed) for seed in SEEDS]
    return {
        "sight_100x100_ms": {
            "value": _timed(100, False, True, 40),
            "limit": 40,
            "what": "100 x 100 models, 60 walls, 200 blocking models: visible, fully visible, features named",
        },
        "sight_10x100_ms": {
            "value": _timed(10, False, True, 100),
            "limit": 2.5,
            "what": "the same for 10 x 100 models",
        },
        "sight_visible_100x100_ms": {
            "value": _timed(100, False, False, 40),
            "limit": 25,
            "what": "100 x 100 models, visible only",
        },
        "sight_storeys_10x100_ms": {
            "value": _timed(10, True, True, 10),
            "limit": 100,
            "what": "10 x 100 models, half the walls with windows, floors, and a fifth of the models upstairs",
        },
        "sight_wrong_pairs_of_10000": {
            "value": max(missed for missed, _ in wrong),
            "limit": 5,
            "what": "most pairs of a scene that 49 x 49 rays see and we call hidden",
        },
        "sight_ray_misses_of_10000": {
            "value": max(found for _, found in wrong),
            "limit": 100,
            "what": "most pairs of a scene whose tested clear line the rays miss",
        },
    }


if __name__ == "__main__":
    print(json.dumps(measure(), indent=2))
