"""How fast movement on the table is: a crowded table of 110 models, 12 ruins and 60 walls."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import numpy as np

from sandtable.table import contact, moves, path, reach
from sandtable.table.grid import STEP, Ints
from sandtable.table.layout import Feature, Table, Terrain, Wall, compile_terrain
from sandtable.table.path_level import way_on_level
from sandtable.table.shapes import Bodies, Shapes, pack, round_base

MODELS = 110
UNIT = 10


def crowded_table(seed: int = 3) -> tuple[Bodies, Shapes, Terrain]:
    """A table of 60 by 44 with models all over it; the first ten stand in two ranks, with room before them."""
    rng = np.random.default_rng(seed)
    features = []
    for i in range(12):
        x, y = int(rng.integers(2, 54)) * STEP, int(rng.integers(8, 38)) * STEP
        w, h = int(rng.integers(3, 6)) * STEP, int(rng.integers(3, 6)) * STEP
        corners = ((x, y), (x + w, y), (x + w, y + h), (x, y + h))
        walls = [Wall(corners[k], corners[(k + 1) % 4], 0, 4 * STEP, 100) for k in range(4)]
        walls.append(Wall((x, y), (x + w // 2, y + h // 2), 0, 3 * STEP, 100))
        features.append(Feature(f"ruin {i}", "ruin", corners, walls=tuple(walls)))
    pos = np.zeros((MODELS, 3), dtype=np.int64)
    pos[:, 0], pos[:, 1] = rng.integers(STEP, 59 * STEP, MODELS), rng.integers(8 * STEP, 43 * STEP, MODELS)
    pos[:UNIT, 0], pos[:UNIT, 1] = 20 * STEP + np.arange(UNIT) % 5 * 1600, 1500 + np.arange(UNIT) // 5 * 1600
    none = np.zeros(MODELS, dtype=np.int64)
    terrain = compile_terrain(Table(60 * STEP, 44 * STEP, "inch", tuple(features)))
    return Bodies(pos, none, none.copy()), pack([round_base(1.26, 1.5)]), terrain


def best_of(call: Callable[[], object], number: int, repeat: int = 15) -> float:
    """Seconds of one call, in the quietest of several rounds."""
    best = float("inf")
    for _ in range(repeat):
        start = time.perf_counter()
        for _ in range(number):
            call()
        best = min(best, (time.perf_counter() - start) / number)
    return best


def blocked_goals(
    bodies: Bodies, shapes: Shapes, terrain: Terrain, rules: moves.Obstacles, n: int
) -> list[tuple[int, int, int]]:
    """Models and places within 6 that they may stand on, but cannot go straight to."""
    rng = np.random.default_rng(5)
    goals: list[tuple[int, int, int]] = []
    while len(goals) < n:
        model = int(rng.integers(MODELS))
        x, y = (int(v) for v in bodies.pos[model, :2] + rng.integers(-4 * STEP, 4 * STEP, 2))
        places = np.array([[x, y, 0, 0], [*bodies.pos[model], 0]], dtype=np.int64)
        if moves.may_end(bodies, shapes, terrain, model, places, rules)[:, 0].any():
            continue
        code, _ = moves.sweep(bodies, shapes, terrain, model, moves.straight(bodies, model, x, y), rules)
        if code != moves.Code.OK:
            goals.append((model, x, y))
    return goals


def measure() -> dict[str, dict[str, float | str]]:
    """All figures, each with its limit."""
    for module in (moves, path, reach, contact):
        module.warm_up()
    bodies, shapes, terrain = crowded_table()
    rules = moves.obstacles(MODELS, terrain, pass_block=1, end_block=1)
    unit = np.arange(UNIT, dtype=np.int64)
    paths, counts = moves.pad(
        [moves.straight(bodies, i, int(bodies.pos[i, 0]) + 500, int(bodies.pos[i, 1]) + 5500) for i in range(UNIT)]
    )
    sweep = best_of(lambda: moves.sweep_unit(bodies, shapes, terrain, unit, paths, counts, rules), 500)

    def find(model: int, x: int, y: int) -> Ints:
        start = moves.start_of(bodies, model)
        return way_on_level(bodies, shapes, terrain, model, start, x, y, 8.0 * STEP, True, rules)

    goals = blocked_goals(bodies, shapes, terrain, rules, 200)
    found = [best_of(lambda g=goal: find(*g), 3, 3) for goal in goals]  # type: ignore[misc]
    six = best_of(lambda: reach.reach(bodies, shapes, terrain, 40, 6 * STEP, reach.CELL, rules), 100)

    def outline() -> object:
        return reach.reach_polygons(reach.reach(bodies, shapes, terrain, 40, 6 * STEP, reach.CELL, rules), 6 * STEP)

    touch = best_of(
        lambda: contact.contact_spots(bodies, shapes, terrain, 0, 0, 40, 0, 0, rules, contact.ANY, contact.ANY), 200
    )
    return {
        "sweep_unit_of_ten_us": {
            "value": sweep * 1e6,
            "limit": 20,
            "what": "ten models, one leg each, against 100 bases and 60 walls",
        },
        "path_blocked_median_ms": {
            "value": statistics.median(found) * 1e3,
            "limit": 0.2,
            "what": "shortest way of a model whose straight way is blocked, found or not",
        },
        "path_blocked_p95_ms": {"value": float(np.percentile(found, 95)) * 1e3, "limit": 1.0, "what": "the same"},
        "reach_field_us": {"value": six * 1e6, "limit": 200, "what": "field of distances for a move of 6"},
        "reach_ms": {"value": best_of(outline, 3, 5) * 1e3, "limit": 20, "what": "field and outlines for a move of 6"},
        "contact_us": {"value": touch * 1e6, "limit": 50, "what": "spots where a round base touches another"},
    }


if __name__ == "__main__":
    for name, figure in measure().items():
        print(f"{name:28} {figure['value']:10.3f}  (limit {figure['limit']}): {figure['what']}")
