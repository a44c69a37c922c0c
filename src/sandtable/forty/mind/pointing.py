"""Going where a player points: whole units to a place, around what is in the way."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sandtable.battle import Move, Moves
from sandtable.battle.system import Goal
from sandtable.forty.mind.mind import mind_of
from sandtable.forty.state import ADVANCE, STATIONARY, World40
from sandtable.forty.wandering import Marching
from sandtable.kit.detours import ways_to
from sandtable.table.grid import STEP


def move_towards(w: World40, d: Move, goal: Goal) -> Iterator[Moves]:
    """A move to a place, as the edition is thought about."""
    mind = mind_of(w)
    return march_towards(w, d, goal, Marching(mind.way, mind.allowance))


def march_towards(w: World40, d: Move, goal: Goal, march: Marching) -> Iterator[Moves]:
    """A move to a place; an Advance is rolled for first, and asks again."""
    mode = goal.mode or next((m.name for m in d.modes if m.name not in (STATIONARY, ADVANCE)), d.modes[0].name)
    unit, allowed = w.unit(d.unit), {m.name: m.allowance for m in d.modes}
    if mode == ADVANCE and d.kind == "move":
        yield Moves(ADVANCE)
        return
    place = np.array([goal.x / STEP, goal.y / STEP])
    shapes = (goal.shape,) if goal.shape != "keep" else ("keep", "block")

    def limit(m: int) -> int:
        if d.kind in ("move", "complete_move"):
            return march.allowance(w, unit, m, mode)
        return allowed[mode]

    way = march.way(w, unit, mode)
    yield from ways_to(w, way, d.models, place, limit, shapes=shapes)
    # Halfway there is room where there is none at the end.
    middle = w.bodies.pos[list(d.models), :2].mean(axis=0) / STEP
    for part in (0.75, 0.5, 0.25):
        yield from ways_to(w, way, d.models, middle + (place - middle) * part, limit, shapes=shapes)
