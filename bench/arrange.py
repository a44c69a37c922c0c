"""How long it takes to arrange units, to close up, to lay a template and to draw a table."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from sandtable.table import arrange as arranging
from sandtable.table import templates
from sandtable.table.arrange import FORMATIONS, arrange, clear_of, close_up, spread
from sandtable.table.coherency import Coherency
from sandtable.table.drawing import svg
from sandtable.table.grid import STEP, TURN
from sandtable.table.layout import Feature, Table, Wall, compile_terrain
from sandtable.table.picture import Badge, Model, Picture
from sandtable.table.shapes import Bodies, hull, oval_base, pack, round_base
from sandtable.table.zones import Zone

RULE = Coherency(2 * STEP, 5 * STEP, 2)
KINDS = (round_base(1.26, 1.5), oval_base(3.54, 2.05, 3.0), hull(4.5, 3.0, 3.0))


def _table() -> Table:
    rng = np.random.default_rng(1)
    features = []
    for k, (x, y) in enumerate(rng.integers(2, 36, (12, 2)) * STEP):
        a, b, w = int(x), int(y), 6 * STEP
        outline = ((a, b), (a + w, b), (a + w, b + w), (a, b + w))
        walls = (Wall(outline[0], outline[1], 0, 5 * STEP, 102), Wall(outline[0], outline[3], 0, 5 * STEP, 102))
        features.append(Feature(f"ruin {k}", "ruins", outline, 0, 5 * STEP, walls=walls))
    return Table(44 * STEP, 60 * STEP, "in", tuple(features))


def _time(action: Callable[[], Any], runs: int) -> float:
    """The median processor time of an action in milliseconds."""
    action()
    times = []
    for _ in range(runs):
        start = time.process_time()
        action()
        times.append(time.process_time() - start)
    return float(np.median(times) * 1000)


def _row(value: float, limit: float, what: str) -> dict[str, Any]:
    return {"value": round(value, 3), "limit": limit, "what": what}


def measure() -> dict[str, dict[str, Any]]:
    """The figures, each with its limit."""
    arranging.warm_up()
    templates.warm_up()
    table, shapes = _table(), pack(KINDS)
    terrain = compile_terrain(table)
    rng = np.random.default_rng(2)
    pos = np.zeros((130, 3), dtype=np.int64)
    pos[:, :2] = rng.integers(2 * STEP, 42 * STEP, (130, 2))
    bodies = Bodies(pos, rng.integers(0, TURN, 130), np.array([0] * 110 + [1] * 10 + [2] * 10))
    ten, thirty, enemies = np.arange(10), np.arange(30, 60), np.arange(60, 80)
    for models, x in ((thirty, 34), (ten, 20)):
        set_up = spread(bodies, shapes, terrain, models, (x * STEP, 52 * STEP), coherency=RULE)
        pos[models] = set_up.pos
    zoned = np.zeros(130, dtype=np.int64)
    zoned[60:] = 1
    clear = clear_of(bodies, terrain, zone=Zone(STEP, 5 * STEP), zoned=zoned)

    def ask(models: Any, shape: arranging.Formation, far: int) -> Callable[[], Any]:
        return lambda: arrange(
            bodies,
            shapes,
            terrain,
            models,
            anchor=(24 * STEP, far * STEP),
            shape=shape,
            allowance=6 * STEP,
            clear=clear,
            coherency=RULE,
        )

    slowest = max(_time(ask(ten, shape, far), 15) for shape in FORMATIONS for far in (46, 30))
    block, ranks = _time(ask(ten, "block", 46), 30), _time(ask(thirty, "ranks", 46), 10)
    pos[10:30] = spread(bodies, shapes, terrain, np.arange(10, 30), (20 * STEP, 50 * STEP), coherency=RULE).pos
    crowded = max(_time(ask(ten, shape, far), 9) for shape in FORMATIONS for far in (46, 30))
    picture = Picture(
        table,
        tuple(
            Model(int(x), int(y), KINDS[s], k % 2, unit=str(k // 10))
            for k, ((x, y, _), s) in enumerate(zip(pos, bodies.shape, strict=True))
        ),
        tuple(Badge(str(k), f"Unit {k}", k % 2) for k in range(13)),
    )
    return {
        "arrange_ten_models_ms": _row(
            slowest, 5, "ten models, slowest of eight formations and two anchors, 130 models and 12 ruins on the table"
        ),
        "arrange_crowded_ms": _row(crowded, 25, "the same hemmed in by twenty friends and enemies on all sides"),
        "arrange_ten_in_block_ms": _row(block, 1, "ten models in a block"),
        "arrange_thirty_models_ms": _row(ranks, 20, "thirty models in two ranks"),
        "close_up_ten_models_ms": _row(
            _time(lambda: close_up(bodies, shapes, terrain, ten, enemies, 12 * STEP, coherency=RULE), 10),
            10,
            "ten models charge twenty",
        ),
        "best_circle_ms": _row(
            _time(lambda: templates.best_circle(bodies, shapes, enemies, 2 * STEP + STEP // 2), 10),
            20,
            "the best place for a 5 inch template over twenty round bases",
        ),
        "svg_ms": _row(_time(lambda: svg(picture), 5), 250, "a table with 130 models as SVG"),
    }


if __name__ == "__main__":
    for name, row in measure().items():
        print(f"{name:28} {row['value']:9.3f}  (limit {row['limit']})  {row['what']}")
