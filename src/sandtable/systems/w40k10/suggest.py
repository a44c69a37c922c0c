"""Ideas for moves: places worth going to, and how a unit gets there. Whether they are legal is judged afterwards."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Final

import numpy as np

from sandtable.battle import Choose, Moves, Path, Value
from sandtable.kit.moving import route, walk, walk_to
from sandtable.systems.w40k10.fly import stopped_by
from sandtable.systems.w40k10.objectives import on_the_table
from sandtable.systems.w40k10.paths import Passage, all_enemies, in_the_way, manner_of
from sandtable.systems.w40k10.state import Unit, World10
from sandtable.systems.w40k10.terrain_moves import walks_through_ruins
from sandtable.table.arrange import FORMATIONS, arrange
from sandtable.table.grid import STEP, TURN, Ints, steps
from sandtable.table.scatter import bearing, offset

TRIES: Final = 4
CLIMBERS: Final = 6
"""Larger units are not sent upstairs: they rarely fit."""


def mostly_go_on(less: float) -> Callable[[World10, Choose, Random], Iterator[Value | None]]:
    """Ideas for "which unit next?": any of them, and with a small chance nobody."""

    def suggest(_w: World10, d: Choose, rng: Random) -> Iterator[Value | None]:
        if d.optional and rng.random() < less:
            yield None
        yield rng.choice(d.options).value

    return suggest


def middle_of(w: World10, unit: Unit) -> tuple[int, int]:
    """The middle of a unit on the table."""
    x, y, _ = w.bodies.pos[w.on_table(unit)].sum(axis=0) // max(1, len(w.on_table(unit)))
    return int(x), int(y)


def goals(w: World10, unit: Unit) -> list[tuple[int, int]]:
    """What a unit may want to get near to: enemies and objective markers."""
    return [middle_of(w, w.unit(e)) for e in all_enemies(w, unit)] + [(x, y) for x, y, _ in on_the_table(w)]


def places_to_go(w: World10, unit: Unit, far: int, *, away: bool) -> list[tuple[int, int]]:
    """Sixteen places around a unit at the end of its move, those away from (or towards) the nearest enemy first."""
    x, y = middle_of(w, unit)
    enemies = [middle_of(w, w.unit(e)) for e in all_enemies(w, unit)]
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
    w: World10, models: Sequence[int], way: Passage, limit: Callable[[int], int], rng: Random
) -> Iterator[Moves]:
    """Moves at random, with a liking for enemies and objective markers."""
    limits = np.array([limit(m) for m in models], dtype=np.int64)
    movers = np.array(models, dtype=np.int64)[limits > 0]
    if not len(movers):
        return
    limits = limits[limits > 0]
    unit, far = w.unit(way.unit), int(limits.max())
    wanted = goals(w, unit)
    upstairs = rng.random() < 0.3
    if upstairs and len(models) <= CLIMBERS and all(walks_through_ruins(w, m) for m in models):
        yield from _to_other_floor(w, movers, limits, way, rng)
    for _ in range(TRIES):
        x, y = middle_of(w, unit)
        if wanted and rng.random() < 0.6:
            tx, ty = rng.choice(wanted)
            x, y = tx + rng.randint(-2 * STEP, 2 * STEP), ty + rng.randint(-2 * STEP, 2 * STEP)
        else:
            x, y = (int(v) for v in offset(x, y, rng.randrange(TURN), rng.randint(far // 4, far)))
        shape = rng.choice(FORMATIONS[:5]) if len(movers) > 1 and rng.random() < 0.3 else "keep"
        z = int(w.state.models.pos[movers[0], 2])
        moves = arranged(w, movers, limits, way, (x, y), shape, z)
        if moves is not None:
            yield moves
            yield around(w, moves, way, limit)


def arranged(
    w: World10, movers: Ints, limits: Ints, way: Passage, anchor: tuple[int, int], shape: str, z: int
) -> Moves | None:
    """A unit's move to where it finds room around a place; None where it finds none."""
    mates = w.on_table(w.unit(way.unit))
    staying = np.array([m for m in mates if m not in movers], dtype=np.int64)
    found = arrange(
        way.things(w, w.bodies),
        w.shapes,
        w.terrain,
        movers,
        anchor=anchor,
        shape=shape,  # type: ignore[arg-type]
        turn=False,
        allowance=limits,
        clear=way.room(w),
        coherency=way.together(w, len(mates)),
        staying=staying,
        z=z,
    )
    return walk_to(w, way, movers, found.pos) if found.legal else None


def _to_other_floor(w: World10, movers: Ints, limits: Ints, way: Passage, rng: Random) -> Iterator[Moves]:
    """Up to a floor of ruins that is near, or down from one."""
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
            moves = arranged(w, movers, limits - abs(z - here), way, (cx, cy), "block", z)
            if moves is not None:
                yield moves
    for z in floors:
        if abs(z - here) < int(limits.min()):
            moves = arranged(w, movers, limits - abs(z - here), way, (x, y - steps(2)), "keep", z)
            if moves is not None:
                yield moves


def around(w: World10, moves: Moves, way: Passage, limit: Callable[[int], int]) -> Moves:
    """The same ends, by the shortest way around what is in the way of each model."""
    out: list[Path] = []
    for flown in moves.paths:
        path, manner = flown, manner_of(w, flown.model, flown, way)
        if manner.soars:
            if way.length(w, flown) <= limit(flown.model) and not stopped_by(w, flown):
                out.append(flown)
                continue
            # What is too high to fly over may be open at another side.
            end = flown.legs[-1]
            path = walk(w, flown.model, np.array([end.x, end.y, end.z])) or flown
            manner = manner._replace(soars=False)
        blocks = in_the_way(w, way, manner)
        out += route(w, Moves(moves.mode, (path,)), blocks, limit).paths
    return Moves(moves.mode, tuple(out))
