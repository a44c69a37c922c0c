"""Going where a player points: whole units to a place, around what is in the way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from sandtable.battle import Move, Moves
from sandtable.battle.system import Goal, Reach
from sandtable.forty.mind.mind import mind_of
from sandtable.forty.state import ADVANCE, STATIONARY, World40
from sandtable.forty.wandering import Marching
from sandtable.kit.detours import reach_of, ways_to, ways_to_ends
from sandtable.table.grid import STEP


def move_towards(w: World40, d: Move, goal: Goal) -> Iterator[Moves]:
    """A move to a place, as the edition is thought about."""
    mind = mind_of(w)
    return march_towards(w, d, goal, Marching(mind.way, mind.allowance))


def march_towards(w: World40, d: Move, goal: Goal, march: Marching) -> Iterator[Moves]:
    """A move to a place; a way for which dice come first, such as an Advance, asks again."""
    later = {m.name for m in d.modes if m.later}
    usual = (m.name for m in d.modes if m.name != STATIONARY)
    mode = goal.mode or next((name for name in usual if name not in later), d.modes[0].name)
    unit, allowed = w.unit(d.unit), {m.name: m.allowance for m in d.modes}
    if mode in later:
        yield Moves(mode)
        return
    place = np.array([goal.x / STEP, goal.y / STEP])
    shapes = (goal.shape,) if goal.shape != "keep" else ("keep", "block")

    def limit(m: int) -> int:
        if d.kind in ("move", "complete_move"):
            return march.allowance(w, unit, m, mode)
        return allowed[mode]

    way = march.way(w, unit, mode)
    yield from ways_to_ends(w, way, goal.ends, limit)
    yield from ways_to(w, way, d.models, place, limit, shapes=shapes)
    # Halfway there is room where there is none at the end.
    middle = w.bodies.pos[list(d.models), :2].mean(axis=0) / STEP
    for part in (0.75, 0.5, 0.25):
        yield from ways_to(w, way, d.models, middle + (place - middle) * part, limit, shapes=shapes)


def reach_of_move(w: World40, d: Move, mode: str) -> Iterator[Reach]:
    """Where a unit may end a move, as the edition is thought about."""
    mind = mind_of(w)
    return march_reach(w, d, mode, Marching(mind.way, mind.allowance))


def march_reach(w: World40, d: Move, mode: str, march: Marching) -> Iterator[Reach]:
    """Where a unit may end a move; what an Advance adds is still to be rolled."""
    unit, allowed = w.unit(d.unit), {m.name: m.allowance for m in d.modes}
    adds = march.adds(w, unit) if mode == ADVANCE and d.kind == "move" else ()
    rolls = [_needed(adds, inches) for inches in range(1, max(adds, default=0) + 1)]
    plain = d.kind not in ("move", "complete_move")
    far = (lambda m: allowed.get(mode, 0)) if plain else (lambda m: march.allowance(w, unit, m, mode))
    yield from reach_of(w, march.way(w, unit, mode), d.models, far, rolls)


def _needed(adds: Sequence[int], inches: int) -> tuple[float, str]:
    """The chance that an Advance adds so much, and the face that it takes."""
    enough = [face for face, more in enumerate(adds, 1) if more >= inches]
    return len(enough) / len(adds), f"{enough[0]}+" if len(enough) < len(adds) else ""
