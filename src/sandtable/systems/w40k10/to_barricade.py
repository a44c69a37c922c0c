"""Charging up to a barricade: some models stand against it, each with a target behind it, and the others follow."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, combinations, islice
from typing import Final

import numpy as np

from sandtable.battle import Moves, Path
from sandtable.kit.moving import after
from sandtable.kit.walking import is_blocked
from sandtable.systems.w40k10.closing import ACROSS, across, barricades, group_numbers
from sandtable.systems.w40k10.concepts import models_of
from sandtable.systems.w40k10.contact import spread_out, with_path
from sandtable.systems.w40k10.joining import Closing, join_battle, other_way
from sandtable.systems.w40k10.state import Unit, World10
from sandtable.table.grid import STEP, TOUCHING, Floats, Ints, steps
from sandtable.table.measure import area_gap, gaps
from sandtable.table.shapes import Bodies

NEAR_BARRICADE: Final = steps(1)
"""A target so near to a barricade is reached across it"""
LEADS: Final = 3
"""So many models are tried against a barricade, those nearest to the target first,"""
SPOTS: Final = 6
"""at so many spots along it,"""
PLACED: Final = 60
"""and so many ways in all to place those who lead."""
TRIES_AFTER: Final = 30
"""So many places are looked for, for those who follow."""
PACE: Final = STEP // 8
"""How far apart the spots along a barricade are that are looked at"""

Reached = Callable[[Bodies, Unit], bool]


def near_barricade(w: World10, target: Unit) -> bool:
    """Whether a charge can reach a target across a barricade."""
    features = [(w.terrain.outline[f], int(w.terrain.corners[f])) for f in barricades(w)]
    models = [int(m) for m in w.on_table(target)] if features else []
    return any(area_gap(w.bodies, w.shapes, m, *f) <= NEAR_BARRICADE for m in models for f in features)


def to_barricade(w: World10, c: Closing, movers: Ints, targets: Sequence[Unit], reached: Reached) -> Moves | None:
    """A move in which one target or more is reached across a barricade; None where it finds none."""
    near = [t for t in targets if barricades(w) and near_barricade(w, t)]
    for some in chain.from_iterable(combinations(near, k) for k in range(1, len(near) + 1)):
        others = [t for t in targets if t not in some]
        enemies = models_of(w, others)
        rest = c._replace(targets=enemies, groups=group_numbers(w, others, enemies))
        for begun in islice(_leads(w, c, movers, some, Moves(c.way.move, ()), reached), PLACED):
            found = _followed(w, rest, movers, begun)
            if found is not None:
                return found
    return None


def _followed(w: World10, rest: Closing, movers: Ints, begun: Moves) -> Moves | None:
    """The move that was begun, with the others after those who stand against barricades."""
    waiting = movers[~np.isin(movers, [p.model for p in begun.paths])]
    if not len(waiting):
        return begun if rest.accept(begun) else None
    return join_battle(w, rest, waiting, begun, TRIES_AFTER)


def _leads(
    w: World10, c: Closing, movers: Ints, targets: Sequence[Unit], begun: Moves, reached: Reached
) -> Iterator[Moves]:
    """Moves in which each of some targets is reached across a barricade, and nobody else has moved yet."""
    bodies = after(w, begun)
    left = [t for t in targets if not reached(bodies, t)]
    if not left:
        yield begun
        return
    waiting = movers[~np.isin(movers, [p.model for p in begun.paths])]
    if not len(waiting):
        return
    theirs = w.on_table(left[0])
    gap = gaps(w.bodies, w.shapes, waiting, theirs).min(axis=1)
    for i in np.argsort(gap, kind="stable")[:LEADS]:
        if gap[i] > c.far + ACROSS:
            return
        for path in _approaches(w, c, bodies, int(waiting[i]), theirs):
            yield from _leads(w, c, movers, left, with_path(begun, path), reached)


def _approaches(w: World10, c: Closing, bodies: Bodies, model: int, theirs: Ints) -> Iterator[Path]:
    """Ways of a model to spots against a barricade from which it reaches one of some enemies."""
    spots = _against(w, model, c.far, theirs)
    for spot in spread_out(spots, SPOTS):
        path = c.way.straight(w, model, spot)
        if path is None:
            continue
        there = Bodies(bodies.pos.copy(), bodies.facing, bodies.shape)
        there.pos[model] = spot
        if is_blocked(w, c.way, there, path):
            path = other_way(w, c, there, model, (int(spot[0]), int(spot[1]), int(spot[2])))
        if path is not None and c.way.length(w, path) <= c.far + 0.5:
            yield path


def _against(w: World10, model: int, far: int, theirs: Ints) -> Ints:
    """Spots [n, x y z] beside barricades from which a model reaches one of some enemies, the nearest first."""
    start = w.state.models.pos[model]
    found = []
    for f in barricades(w):
        outline, n = w.terrain.outline[f], int(w.terrain.corners[f])
        for k in range(n):
            found.append(_along(w, model, theirs, outline[k], outline[(k + 1) % n], (outline, n)))
    spots = np.concatenate(found)
    flat = spots[:, :2] - start[:2]
    away = (flat * flat).sum(axis=1)
    order = np.argsort(away, kind="stable")
    spots = np.asarray(spots[order[away[order] <= (far + 0.5) ** 2]], dtype=np.int64)
    if not len(spots):
        return spots
    rows = np.concatenate((theirs, np.full(len(spots), model)))
    there = Bodies(w.bodies.pos[rows], w.bodies.facing[rows], w.bodies.shape[rows])
    there.pos[len(theirs) :] = spots
    reaches = across(w, there, np.arange(len(theirs), len(rows)), np.arange(len(theirs))).any(axis=1)
    return np.asarray(spots[reaches], dtype=np.int64)


def _along(w: World10, model: int, theirs: Ints, one: Ints, other: Ints, area: tuple[Ints, int]) -> Ints:
    """Spots of a model that touches a side of a barricade, all along it."""
    side = (other - one).astype(np.float64)
    long = math.sqrt(float((side * side).sum()))
    pos = w.bodies.pos.copy()
    bodies = Bodies(pos, w.bodies.facing, w.bodies.shape)
    # Outlines run anticlockwise: the outside is to the right.
    ahead, out = side / long, np.array([side[1], -side[0]]) / long
    reach, radius = w.shapes.reach[w.ground.shape], w.shapes.radius[w.ground.shape]
    beside = float(reach[model])
    for _ in range(8):
        pos[model, :2] = np.round(one + side / 2 + out * beside)
        gap = area_gap(bodies, w.shapes, model, *area)
        if 0 < gap <= TOUCHING:
            break
        beside -= gap - 1
    # Where a roll is just enough, it is so for the spot right ahead or for the one furthest along that reaches.
    away = pos[theirs, :2] - one - out * beside
    over, along = (away * out).sum(axis=1), (away * ahead).sum(axis=1)
    slack = np.sqrt(np.maximum((ACROSS - 1 + radius[model] + radius[theirs]) ** 2 - over * over, 0.0))
    own = float(((w.state.models.pos[model, :2] - one) * ahead).sum())
    ends = np.array([own, long], dtype=np.float64)
    ticks: Floats = np.concatenate((np.arange(0.0, long, PACE), along, along - slack, along + slack, ends))
    spots = one + ahead * np.clip(ticks, 0.0, long)[:, None] + out * beside
    level = np.full(len(spots), w.state.models.pos[model, 2])
    return np.column_stack((np.round(spots).astype(np.int64), level))
