"""Ideas for moves: places worth going to, and how a unit gets there. Whether they are legal is judged afterwards."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from sandtable.battle.decisions import Choose, Moves, Value
from sandtable.battle.state import AnyUnit
from sandtable.battle.system import Question
from sandtable.battle.verdict import ALLOWED, Verdict, refuse
from sandtable.kit.grammar import does
from sandtable.kit.walking import around, arranged
from sandtable.kit.way import Way
from sandtable.table.arrange import FORMATIONS
from sandtable.table.grid import STEP, TURN, Ints, steps
from sandtable.table.scatter import bearing, offset

if TYPE_CHECKING:
    from sandtable.battle.system import AnyWorld

TRIES: Final = 4
CLIMBERS: Final = 6
"""Larger units are not sent upstairs: they rarely fit."""


def mostly_go_on(less: float) -> Callable[[AnyWorld, Choose, Random], Iterator[Value | None]]:
    """Ideas for "which unit next?": any of them, and with a small chance nobody."""

    def suggest(_w: AnyWorld, d: Choose, rng: Random) -> Iterator[Value | None]:
        if d.optional and rng.random() < less:
            yield None
        yield rng.choice(d.options).value

    return suggest


def which_unit(
    less: float,
    why: Callable[[Any, Any], Verdict] | None = None,
    odds: Callable[[Any, Any, Any], float | None] | None = None,
) -> Question:
    """The question which unit is next: by itself the first one, as an idea any, or with a small chance nobody.

    What is offered beside units is never what is done by itself.
    """

    def why_unit(w: AnyWorld, d: Choose, unit: int) -> Verdict:
        assert why is not None
        u = w.unit(unit)
        return why(w, u) and (ALLOWED if u.player == d.player else refuse(f"{does(u, 'is')} not yours.", *d.rules[:1]))

    def first(_w: AnyWorld, d: Choose) -> Value | None:
        return next((o.value for o in d.options if isinstance(o.value, int)), None)

    return Question(default=first, suggest=mostly_go_on(less), why_unit=why_unit if why else None, odds=odds)


def next_unit(
    less: float, why: Callable[[Any, Any], Verdict], odds: Callable[[Any, Any, Any], float | None]
) -> Question:
    """The question which unit is next, where by itself nobody is."""
    return Question(why_unit=lambda w, _d, unit: why(w, w.unit(unit)), suggest=mostly_go_on(less), odds=odds)


def easiest(
    chance: Callable[[Any, Any, Sequence[Any]], float], targets: Callable[[Any, Any], Sequence[Any]]
) -> Callable[[AnyWorld, Choose, Value | None], float | None]:
    """Of the question who goes for somebody: the chance with the target that is reached most easily."""

    def odds(w: AnyWorld, _d: Choose, answer: Value | None) -> float | None:
        if answer is None:
            return None
        unit = w.unit(int(answer))
        return max((chance(w, unit, [target]) for target in targets(w, unit)), default=0.0)

    return odds


def middle_of(w: AnyWorld, unit: AnyUnit) -> tuple[int, int]:
    """The middle of a unit on the table."""
    x, y, _ = w.bodies.pos[w.on_table(unit)].sum(axis=0) // max(1, len(w.on_table(unit)))
    return int(x), int(y)


def places_to_go(w: AnyWorld, unit: AnyUnit, far: int, *, away: bool) -> list[tuple[int, int]]:
    """Sixteen places around a unit at the end of its move, those away from (or towards) the nearest enemy first."""
    x, y = middle_of(w, unit)
    enemies = [middle_of(w, e) for e in w.enemies_of(unit.player) if w.is_on_table(e)]
    ahead = 0
    if enemies:
        ex, ey = min(enemies, key=lambda e: ((e[0] - x) ** 2 + (e[1] - y) ** 2, e))
        ahead = bearing(x - ex, y - ey) if away else bearing(ex - x, ey - y)
    out = []
    for k in range(16):
        swing = (k + 1) // 2 * (1 if k % 2 else -1)
        px, py = offset(x, y, ahead + swing * TURN // 16, far)
        out.append((int(px), int(py)))
    return out


def wander(
    w: AnyWorld,
    way: Way,
    models: Sequence[int],
    limit: Callable[[int], int],
    wanted: Sequence[tuple[int, int]],
    rng: Random,
) -> Iterator[Moves]:
    """Moves at random, with a liking for the places in `wanted`."""
    limits = np.array([limit(m) for m in models], dtype=np.int64)
    movers = np.array(models, dtype=np.int64)[limits > 0]
    if not len(movers):
        return
    limits = limits[limits > 0]
    unit, far = w.unit(way.unit), int(limits.max())
    upstairs = rng.random() < 0.3
    if upstairs and len(models) <= CLIMBERS and all(way.indoors(w, m) for m in models):
        yield from _to_other_floor(w, way, movers, limits, rng)
    for _ in range(TRIES):
        x, y = middle_of(w, unit)
        if wanted and rng.random() < 0.6:
            tx, ty = rng.choice(wanted)
            x, y = tx + rng.randint(-2 * STEP, 2 * STEP), ty + rng.randint(-2 * STEP, 2 * STEP)
        else:
            x, y = (int(v) for v in offset(x, y, rng.randrange(TURN), rng.randint(far // 4, far)))
        shape = rng.choice(FORMATIONS[:5]) if len(movers) > 1 and rng.random() < 0.3 else "keep"
        z = int(w.state.models.pos[movers[0], 2])
        moves = arranged(w, way, movers, limits, (x, y), shape, z)
        if moves is not None:
            yield moves
            yield around(w, way, moves, limit)


def find_way_out(
    w: AnyWorld, way: Way, limit: Callable[[int], int], accept: Callable[[Moves], Verdict]
) -> Moves | None:
    """A legal move of a whole unit to where enemies are furthest, if a bounded search finds one."""
    unit = w.unit(way.unit)
    models = w.on_table(unit)
    far = np.array([limit(m) for m in models.tolist()], dtype=np.int64)
    level = int(w.bodies.pos[models, 2].mean())
    for place in places_to_go(w, unit, int(far.max(initial=0)), away=True):
        found = arranged(w, way, models, far, place, "keep", level)
        if found is not None:
            moves = Moves(found.mode, tuple(sorted(found.paths, key=lambda path: path.model)))
            if accept(moves):
                return moves
    return None


def _to_other_floor(w: AnyWorld, way: Way, movers: Ints, limits: Ints, rng: Random) -> Iterator[Moves]:
    """Up to a floor that is near, or down from one."""
    x, y = middle_of(w, w.unit(way.unit))
    here = int(w.state.models.pos[movers[0], 2])
    terrain = w.terrain
    floors = [0] if here else []
    order = list(range(len(terrain.floor_corners)))
    rng.shuffle(order)
    for f in order:
        z = int(terrain.floor_level[f, 0])
        corners = terrain.floor[f, : terrain.floor_corners[f]]
        cx, cy = (int(v) for v in corners.sum(axis=0) // len(corners))
        near = abs(cx - x) + abs(cy - y) < 2 * int(limits.max())
        if z != here and near and abs(z - here) < int(limits.min()):
            moves = arranged(w, way, movers, limits - abs(z - here), (cx, cy), "block", z)
            if moves is not None:
                yield moves
    for z in floors:
        if abs(z - here) < int(limits.min()):
            moves = arranged(w, way, movers, limits - abs(z - here), (x, y - steps(2)), "keep", z)
            if moves is not None:
                yield moves
