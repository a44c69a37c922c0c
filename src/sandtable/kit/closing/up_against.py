"""Getting up against something to reach the enemy across it: some models stand there, and the others follow."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import chain, combinations, islice
from typing import TYPE_CHECKING, Final

import numpy as np

from sandtable.battle.decisions import Moves, Path
from sandtable.kit.closing.across import Across, across, stands_behind
from sandtable.kit.closing.contact import Contact, mates_of
from sandtable.kit.closing.instead import spread_out, with_path
from sandtable.kit.closing.joining import join_battle, other_way
from sandtable.kit.moving import after
from sandtable.kit.walking import is_blocked
from sandtable.table.grid import STEP, TOUCHING, Floats, Ints
from sandtable.table.measure import area_gap, gaps
from sandtable.table.shapes import Bodies

if TYPE_CHECKING:
    from sandtable.battle.system import AnyWorld

LEADS: Final = 3
"""So many models are tried against a feature, those nearest to the target first,"""
SPOTS: Final = 6
"""at so many spots along it,"""
PLACED: Final = 60
"""and so many ways in all to place those who lead."""
TRIES_AFTER: Final = 30
"""So many places are looked for, for those who follow."""
PACE: Final = STEP // 8
"""How far apart the spots along a feature are that are looked at"""


def reach_across(w: AnyWorld, c: Contact) -> Moves | None:
    """A move in which one of the units sought, or more, is reached across something; None where it finds none."""
    beyond = c.across
    if beyond is None:
        return None
    behind = [u for u in c.prey if stands_behind(w, w.on_table(w.unit(u)), beyond.features, beyond.behind)]
    for some in chain.from_iterable(combinations(behind, k) for k in range(1, len(behind) + 1)):
        still = tuple(u for u in c.prey if u not in some)
        for begun in islice(_leads(w, c, beyond, some, Moves(c.way.move, ())), PLACED):
            found = _followed(w, c, begun, still)
            if found is not None:
                return found
    return None


def _followed(w: AnyWorld, c: Contact, begun: Moves, still: tuple[int, ...]) -> Moves | None:
    """The move that was begun, with the others after those who have their places."""
    waiting = _waiting(c, begun)
    if not len(waiting):
        return begun if c.accept(w, c, begun) else None
    return join_battle(w, c, waiting, begun, TRIES_AFTER, still)


def _waiting(c: Contact, begun: Moves) -> Ints:
    """Who has not moved yet."""
    gone = {p.model for p in begun.paths}
    return np.array([m for m in c.movers if m not in gone], dtype=np.int64)


def _leads(w: AnyWorld, c: Contact, beyond: Across, units: tuple[int, ...], begun: Moves) -> Iterator[Moves]:
    """Moves in which each of some units is reached across something, and nobody else has moved yet."""
    bodies, models = after(w, begun), mates_of(w, c)
    left = tuple(u for u in units if not beyond.reached(w, bodies, models, w.on_table(w.unit(u))))
    if not left:
        yield begun
        return
    waiting = _waiting(c, begun)
    if not len(waiting):
        return
    theirs = w.on_table(w.unit(left[0]))
    gap = gaps(w.bodies, w.shapes, waiting, theirs).min(axis=1)
    for i in np.argsort(gap, kind="stable")[:LEADS]:
        if gap[i] > c.far + beyond.zone.flat:
            return
        for path in _approaches(w, c, beyond, bodies, int(waiting[i]), theirs):
            yield from _leads(w, c, beyond, left, with_path(begun, path))


def _approaches(w: AnyWorld, c: Contact, beyond: Across, bodies: Bodies, model: int, theirs: Ints) -> Iterator[Path]:
    """Ways of a model to spots against a feature from which it reaches one of some enemies."""
    spots = _against(w, beyond, model, c.far, theirs)
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


def _against(w: AnyWorld, beyond: Across, model: int, far: int, theirs: Ints) -> Ints:
    """Spots [n, x y z] beside features from which a model reaches one of some enemies, the nearest first."""
    start = w.state.models.pos[model]
    found = []
    for f in beyond.features:
        outline, n = w.terrain.outline[f], int(w.terrain.corners[f])
        for k in range(n):
            found.append(_along(w, beyond.zone.flat, model, theirs, outline[k], outline[(k + 1) % n], (outline, n)))
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
    models, enemies = np.arange(len(theirs), len(rows)), np.arange(len(theirs))
    reaches = across(w, there, models, enemies, beyond.features, beyond.zone).any(axis=1)
    return np.asarray(spots[reaches], dtype=np.int64)


def _along(w: AnyWorld, reach: int, model: int, theirs: Ints, one: Ints, other: Ints, area: tuple[Ints, int]) -> Ints:
    """Spots of a model that touches a side of a feature, all along it."""
    side = (other - one).astype(np.float64)
    long = math.sqrt(float((side * side).sum()))
    pos = w.bodies.pos.copy()
    bodies = Bodies(pos, w.bodies.facing, w.bodies.shape)
    # Outlines run anticlockwise: the outside is to the right.
    ahead, out = side / long, np.array([side[1], -side[0]]) / long
    radius = w.shapes.radius[w.ground.shape]
    beside = float(w.shapes.reach[w.ground.shape[model]])
    for _ in range(8):
        pos[model, :2] = np.round(one + side / 2 + out * beside)
        gap = area_gap(bodies, w.shapes, model, *area)
        if 0 < gap <= TOUCHING:
            break
        beside -= gap - 1
    # Where a roll is just enough, it is so for the spot right ahead or for the one furthest along that reaches.
    away = pos[theirs, :2] - one - out * beside
    over, along = (away * out).sum(axis=1), (away * ahead).sum(axis=1)
    slack = np.sqrt(np.maximum((reach - 1 + radius[model] + radius[theirs]) ** 2 - over * over, 0.0))
    own = float(((w.state.models.pos[model, :2] - one) * ahead).sum())
    ends = np.array([own, long], dtype=np.float64)
    ticks: Floats = np.concatenate((np.arange(0.0, long, PACE), along, along - slack, along + slack, ends))
    spots = one + ahead * np.clip(ticks, 0.0, long)[:, None] + out * beside
    level = np.full(len(spots), w.state.models.pos[model, 2])
    return np.column_stack((np.round(spots).astype(np.int64), level))
