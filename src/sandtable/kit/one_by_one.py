"""A unit on its way where it finds no room as it stands: one model after the other, as far as each of them gets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from sandtable.battle.decisions import Moves, Path
from sandtable.kit.detours import WITHIN, detour
from sandtable.kit.walking import route
from sandtable.kit.way import Way
from sandtable.table.grid import STEP, Bools, Floats, Ints
from sandtable.table.reach import reach
from sandtable.table.shapes import Bodies

if TYPE_CHECKING:
    from sandtable.battle.system import AnyWorld

LINKED: Final = 0.95
"""How much of the distance that links two models is used: places are those of a rough field"""
TRIES: Final = 3
"""Places that are tried for a model"""
STILL: Final = STEP // 2
"""Whoever gets no further than this stays"""


def one_by_one(
    w: AnyWorld, way: Way, models: Sequence[int], place: Floats, limit: Callable[[int], int], part: float = 1.0
) -> Moves | None:
    """Each model as near to a place as it gets, in touch with those before it; None where somebody is left behind.

    The foremost go a part of the way only, so that the others keep up. Places are in whole units of length, x and y.
    """
    limits = {m: limit(m) for m in models}
    movers = np.array([m for m in models if limits[m] > 0], dtype=np.int64)
    if not len(movers):
        return None
    here = w.state.models.pos[movers, :2]
    end = detour(w, way, movers, place, int(min(limits[m] for m in movers.tolist())))
    middle = here.mean(axis=0) / STEP
    goal = (middle + part * ((place if end is None else end) - middle)) * STEP
    off = here - goal
    order = movers[np.argsort((off**2).sum(axis=1), kind="stable")].tolist()
    bodies = Bodies(w.bodies.pos.copy(), w.bodies.facing, w.bodies.shape)
    settled = [int(m) for m in w.on_table(w.unit(way.unit)) if m not in movers]
    paths: list[Path] = []
    while order:
        # Who is hemmed in, or would lose touch, waits for the others.
        late: list[int] = []
        for m in order:
            found = _next(w, way, bodies, settled, m, limits[m], goal)
            if found is None:
                late.append(m)
                continue
            if found.legs:
                last = found.legs[-1]
                bodies.pos[m] = last.x, last.y, last.z
                paths.append(found)
            settled.append(m)
        if len(late) == len(order):
            return None
        order = late
    return Moves(way.move, tuple(paths)) if paths else None


def _next(
    w: AnyWorld, way: Way, bodies: Bodies, settled: Sequence[int], model: int, far: int, goal: Floats
) -> Path | None:
    """The way of one model, empty where it stays; None where it loses touch with those who have their places."""
    blocks = way.blocks(w, model)
    field = reach(bodies, w.shapes, w.terrain, model, far, STEP, blocks)
    rows, columns = np.nonzero((field.cost <= far * WITHIN) & (field.may_end != 0))
    x, y = field.origin[0] + columns * STEP, field.origin[1] + rows * STEP
    near = _in_touch(w, way, bodies, settled, model, x, y)
    x, y = x[near], y[near]
    left = (x - goal[0]) ** 2 + (y - goal[1]) ** 2
    px, py, pz = (int(v) for v in bodies.pos[model])
    stays = bool(_in_touch(w, way, bodies, settled, model, np.array([px]), np.array([py]))[0])
    now = (px - goal[0]) ** 2 + (py - goal[1]) ** 2
    for k in np.argsort(left, kind="stable")[:TRIES].tolist():
        if stays and left[k] >= now:
            break
        straight = way.straight(w, model, (int(x[k]), int(y[k]), pz))
        found = None if straight is None else route(w, way, bodies, straight, blocks, far)
        if found is not None and way.length(w, found) <= far:
            return found
    return Path(model, ()) if stays else None


def _in_touch(w: AnyWorld, way: Way, bodies: Bodies, settled: Sequence[int], model: int, x: Ints, y: Ints) -> Bools:
    """At which places a model is linked to one of those who have theirs; everywhere for the first."""
    if not settled:
        return np.ones(len(x), dtype=np.bool_)
    others, size = np.array(settled, dtype=np.int64), w.shapes.reach
    linked = LINKED * way.together(w, len(settled) + 1).reach
    dx, dy = x[:, None] - bodies.pos[others, 0], y[:, None] - bodies.pos[others, 1]
    gap = np.sqrt(dx * dx + dy * dy) - size[w.ground.shape[model]] - size[w.ground.shape[others]]
    return np.asarray((gap <= linked).any(axis=1))
