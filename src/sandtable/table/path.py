"""The shortest legal path of one model to a point, with climbs at the edges of floors and solids."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Final

import msgspec
import numpy as np

from sandtable.table import moves
from sandtable.table.grid import COS, SIN, STEP, TRIG_SCALE, TURN, Ints
from sandtable.table.layout import Terrain
from sandtable.table.measure import inside
from sandtable.table.moves_scene import Obstacles
from sandtable.table.path_level import way_on_level
from sandtable.table.shapes import Bodies, Shapes

CLIMBS: Final = 12
"""So many climbing places are tried, the most promising first."""


class Path(msgspec.Struct, frozen=True):
    """A legal path and its length in steps."""

    legs: Ints
    flat: float
    rise: int


class _Finder:
    """One search for a path: its constants, and the best found so far."""

    def __init__(
        self,
        bodies: Bodies,
        shapes: Shapes,
        terrain: Terrain,
        model: int,
        goal: tuple[int, int, int],
        budget: float,
        obstacles: Obstacles,
    ) -> None:
        self.bodies, self.shapes, self.terrain = bodies, shapes, terrain
        self.model, self.goal, self.budget, self.obstacles = model, goal, float(budget), obstacles
        self.best: Path | None = None

    def way(self, at: tuple[int, int, int, int], x: int, y: int, spent: float, last: bool) -> Ints | None:
        if (at[0], at[1]) == (x, y) and not last:
            return np.empty((0, 2), dtype=np.int64)
        start = np.array(at, dtype=np.int64)
        points = way_on_level(
            self.bodies,
            self.shapes,
            self.terrain,
            self.model,
            start,
            x,
            y,
            self.budget - spent,
            last,
            self.obstacles,
        )
        return points if len(points) else None

    def through(self, facing: int, climbs: list[tuple[int, int, int]]) -> None:
        """Try the path that climbs at these points, each to a height, and keep it if it is the best."""
        x, y, z = (int(v) for v in self.bodies.pos[self.model])
        legs: list[tuple[int, int, int, int, int]] = []
        if facing != int(self.bodies.facing[self.model]):
            legs.append((moves.PIVOT, x, y, z, facing))
        spent = 0.0
        for i, (cx, cy, cz) in enumerate([*climbs, self.goal]):
            points = self.way((x, y, z, facing), cx, cy, spent, i == len(climbs))
            if points is None:
                return
            for px, py in points.tolist():
                spent += math.sqrt((px - x) ** 2 + (py - y) ** 2)
                x, y = px, py
                legs.append((moves.GO, x, y, z, facing))
            if cz != z:
                spent, z = spent + abs(cz - z), cz
                legs.append((moves.CLIMB, x, y, z, facing))
            if spent > self.budget or (self.best and spent >= self.best.flat + self.best.rise):
                return
        self._keep(moves.path(*legs))

    def _keep(self, legs: Ints) -> None:
        """Keep a path that is legal as a whole."""
        code, _ = moves.sweep(self.bodies, self.shapes, self.terrain, self.model, legs, self.obstacles)
        if code == moves.Code.OK:
            start = moves.start_of(self.bodies, self.model)
            flat, rise, _ = moves.length(start, legs, 0)
            self.best = Path(legs, float(flat), int(rise))


def shortest_path(
    bodies: Bodies,
    shapes: Shapes,
    terrain: Terrain,
    model: int,
    goal: tuple[int, int, int],
    budget: float,
    obstacles: Obstacles,
    swing: Callable[[int], float] | None = None,
) -> Path | None:
    """The shortest legal path found for a model to a point (x, y, z) within a budget of ground and height, in steps.

    The model keeps its facing; if there is no such path, it turns to the goal first. `swing` says what turning by so
    many steps of a turn takes of the budget; without it a turn is not counted.
    """
    finder = _Finder(bodies, shapes, terrain, model, goal, budget, obstacles)
    now = int(bodies.facing[model])
    x, y = int(bodies.pos[model, 0]), int(bodies.pos[model, 1])
    turned = [now]
    if shapes.corners[bodies.shape[model]] > 1:
        turned.append(facing_along(goal[0] - x, goal[1] - y))
    for facing in turned:
        if swing is not None:
            finder.budget = budget - swing(abs((facing - now + TURN // 2) % TURN - TURN // 2))
        _all_levels(finder, facing)
        if finder.best is not None:
            break
    return finder.best


def _all_levels(finder: _Finder, facing: int) -> None:
    """Try the path on one level, or with one climb, or with one down and one up again."""
    x, y, z = (int(v) for v in finder.bodies.pos[finder.model])
    goal = finder.goal
    if z == goal[2]:
        finder.through(facing, [])
        if finder.best is not None or z == 0:
            return
    else:
        high = goal if goal[2] > z else (x, y, z)
        for cx, cy in _best_climbs(finder, facing, high, (x, y), goal[:2]):
            finder.through(facing, [(cx, cy, goal[2])])
    if finder.best is None and z > 0 and goal[2] > 0:
        for ax, ay in _best_climbs(finder, facing, (x, y, z), (x, y), goal[:2])[: CLIMBS // 3]:
            for bx, by in _best_climbs(finder, facing, goal, (ax, ay), goal[:2])[: CLIMBS // 3]:
                finder.through(facing, [(ax, ay, 0), (bx, by, goal[2])])


def _best_climbs(
    finder: _Finder, facing: int, high: tuple[int, int, int], start: tuple[int, int], goal: tuple[int, int]
) -> list[tuple[int, int]]:
    """Places to climb to or from the surfaces that hold a point, the shortest way round first."""
    places = {start, goal}
    for outline in _surfaces(finder.terrain, high):
        places.update(_beside(finder, facing, outline, start, goal))

    def detour(p: tuple[int, int]) -> float:
        return math.sqrt((p[0] - start[0]) ** 2 + (p[1] - start[1]) ** 2) + math.sqrt(
            (p[0] - goal[0]) ** 2 + (p[1] - goal[1]) ** 2
        )

    return sorted(places, key=lambda p: (detour(p), p))[:CLIMBS]


def _surfaces(terrain: Terrain, place: tuple[int, int, int]) -> Iterator[Ints]:
    """The outlines of the floors and solid tops under a point."""
    x, y, z = place
    for f in range(len(terrain.floor_corners)):
        n = int(terrain.floor_corners[f])
        if terrain.floor_level[f, 0] == z and inside(float(x), float(y), terrain.floor[f], n):
            yield terrain.floor[f, :n]
    for f in range(len(terrain.corners)):
        n = int(terrain.corners[f])
        if terrain.solid[f] and terrain.top[f] == z and inside(float(x), float(y), terrain.outline[f], n):
            yield terrain.outline[f, :n]


def _beside(
    finder: _Finder, facing: int, outline: Ints, start: tuple[int, int], goal: tuple[int, int]
) -> Iterator[tuple[int, int]]:
    """Places where the base stands beside an outline and touches a side of it."""
    shapes, shape = finder.shapes, int(finder.bodies.shape[finder.model])
    c, s = int(COS[facing]), int(SIN[facing])
    core = shapes.core[shape, : shapes.corners[shape]]
    turned = [((x * c - y * s) / TRIG_SCALE, (x * s + y * c) / TRIG_SCALE) for x, y in core.tolist()]
    for (ax, ay), (bx, by) in zip(outline.tolist(), np.roll(outline, -1, axis=0).tolist(), strict=True):
        dx, dy = bx - ax, by - ay
        side = math.sqrt(dx * dx + dy * dy)
        if side == 0.0:
            continue
        nx, ny = dy / side, -dx / side
        off = float(shapes.radius[shape]) + max(-(nx * px + ny * py) for px, py in turned) + 1.5
        for t in _parts_of_side((ax, ay), (dx, dy), (nx, ny), start, goal, off):
            yield round(ax + t * dx + nx * off), round(ay + t * dy + ny * off)


def _parts_of_side(
    a: tuple[int, int],
    d: tuple[int, int],
    n: tuple[float, float],
    start: tuple[int, int],
    goal: tuple[int, int],
    off: float,
) -> Iterator[float]:
    """How far along a side to climb: across from start and goal, where the straight line crosses, ends and middle."""
    length2 = d[0] * d[0] + d[1] * d[1]
    yield from (0.02, 0.5, 0.98)
    for p in (start, goal):
        yield min(0.98, max(0.02, ((p[0] - a[0]) * d[0] + (p[1] - a[1]) * d[1]) / length2))
    before = (start[0] - a[0]) * n[0] + (start[1] - a[1]) * n[1] - off
    after = (goal[0] - a[0]) * n[0] + (goal[1] - a[1]) * n[1] - off
    if before != after and before * after < 0:
        t = before / (before - after)
        px, py = start[0] + t * (goal[0] - start[0]) - a[0], start[1] + t * (goal[1] - start[1]) - a[1]
        yield min(0.98, max(0.02, (px * d[0] + py * d[1]) / length2))


def facing_along(dx: int, dy: int) -> int:
    """The facing that is nearest to a direction."""
    return int(np.argmax(COS * dx + SIN * dy))


def warm_up() -> None:
    """Compile the kernels."""
    from sandtable.table.layout import Table, compile_terrain
    from sandtable.table.shapes import pack, round_base

    moves.warm_up()
    terrain = compile_terrain(Table(20 * STEP, 20 * STEP, "inch"))
    shapes = pack([round_base(1.0, 1.0)])
    pos = np.array([[2048, 2048, 0], [4096, 2048, 0]], dtype=np.int64)
    bodies = Bodies(pos, np.zeros(2, dtype=np.int64), np.zeros(2, dtype=np.int64))
    shortest_path(bodies, shapes, terrain, 0, (8192, 2048, 0), 9000.0, moves.obstacles(2, terrain, pass_block=1))
