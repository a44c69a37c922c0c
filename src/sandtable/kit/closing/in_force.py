"""Bringing as many as may be to the enemy: moves that are good, and mostly legal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from sandtable.battle.decisions import Moves, Path
from sandtable.battle.kept import PLACES, kept
from sandtable.kit.closing.contact import Contact, groups, mates_of, models_of
from sandtable.kit.moving import after
from sandtable.kit.walking import around, is_blocked, walk, walk_to
from sandtable.kit.way import Way
from sandtable.table.arrange import close_up
from sandtable.table.grid import COS, SIN, STEP, TRIG_SCALE, TURN, Floats, Ints
from sandtable.table.measure import gaps
from sandtable.table.moves import Code, may_end
from sandtable.table.scatter import bearing
from sandtable.table.shapes import Bodies
from sandtable.table.zones import links

if TYPE_CHECKING:
    from sandtable.battle.system import AnyWorld

RAYS, PACES = 7, 10
"""Where a model whose way is blocked looks for a place: directions to either side, and places on each."""


# --- Attempts at a move -----------------------------------------------------------------------------------------------


def all_close_in(w: AnyWorld, c: Contact) -> Iterator[Moves]:
    """Everybody as near to the enemy as they get."""
    yield from _together(w, c)


def beside_others(w: AnyWorld, c: Contact) -> Iterator[Moves]:
    """The same, with places on the near side of the enemy for those who cannot get to theirs."""
    for moves in _together(w, c):
        yield unblock(w, c.way, moves, c.far, _in_reach(w, c))


def around_things(w: AnyWorld, c: Contact) -> Iterator[Moves]:
    """The same by ways around what is in the way."""
    for moves in _together(w, c):
        yield around(w, c.way, moves, lambda _: c.far)


def one_alone(w: AnyWorld, c: Contact) -> Iterator[Moves]:
    """The same with one model only: a blocked one spoils the move of all."""
    for moves in _together(w, c):
        for path in moves.paths:
            yield Moves(moves.mode, (path,))


@kept(PLACES)
def _together(w: AnyWorld, c: Contact) -> tuple[Moves, ...]:
    """The move with everybody as near to the enemy as they get; none where distances rule out that it is enough."""
    movers, enemies = np.array(c.movers, dtype=np.int64), _in_reach(w, c)
    near = set(w.state.models.unit[enemies].tolist())
    if not len(movers) or not len(enemies) or (c.each and not near.issuperset(c.prey)):
        return ()
    return (close_in(w, c.way, movers, enemies, c.far, groups(w, c, enemies, c.prey) if c.each else None),)


@kept(PLACES)
def _in_reach(w: AnyWorld, c: Contact) -> Ints:
    """The enemies that some model could get at; where one will do, at least the nearest one."""
    movers, enemies = np.array(c.movers, dtype=np.int64), models_of(w, c.prey)
    if c.counts is not None and len(movers):
        enemies = enemies[c.counts(w, c)[mates_of(w, c).tolist().index(movers[0])]]
    if not len(movers) or not len(enemies):
        return enemies
    gap = gaps(w.bodies, w.shapes, movers, enemies).min(axis=0)
    far = c.far + (0 if c.reach is None else c.reach.flat)
    return np.asarray(enemies[gap <= (far if c.each else max(far, float(gap.min())))], dtype=np.int64)


# --- Places -----------------------------------------------------------------------------------------------------------


def close_in(w: AnyWorld, way: Way, movers: Ints, targets: Ints, far: int, groups: Ints | None = None) -> Moves:
    """A move that takes models towards their targets, into contact where there is room."""
    mates = w.on_table(w.unit(way.unit))
    found = close_up(
        way.things(w, w.bodies),
        w.shapes,
        w.terrain,
        movers,
        targets,
        far,
        clear=way.room(w),
        coherency=way.together(w, len(mates)),
        staying=mates[~np.isin(mates, movers)],
        groups=groups,
        over=all(way.flies(w, int(m)) for m in movers),
    )
    return walk_to(w, way, movers, found.pos)


def unblock(w: AnyWorld, way: Way, moves: Moves, far: int, enemies: Ints) -> Moves:
    """The same move, with other ends on the near side of the enemy for models that cannot get to theirs."""
    paths = {p.model: p for p in moves.paths}
    now = after(w, moves)
    blocked = [m for m in paths if is_blocked(w, way, now, paths[m])]
    waiting = set(blocked)
    for m in sorted(blocked, key=lambda m: (float(_gaps_of(w, w.bodies, m, enemies).min()), m)):
        waiting.discard(m)
        found = _near_side(w, way, now, m, far, enemies, waiting)
        if found is None:
            now.pos[m] = w.state.models.pos[m]
            del paths[m]
        else:
            now.pos[m] = (found.legs[-1].x, found.legs[-1].y, found.legs[-1].z)
            paths[m] = found
    return Moves(moves.mode, tuple(paths.values()))


def _gaps_of(w: AnyWorld, bodies: Bodies, model: int, others: Ints) -> Floats:
    return np.asarray(gaps(bodies, w.shapes, np.array([model], dtype=np.int64), others)[0])


def _near_side(
    w: AnyWorld, way: Way, now: Bodies, model: int, far: int, enemies: Ints, waiting: set[int]
) -> Path | None:
    """A way for a model to a place as near to the enemy as it gets, beside comrades that have their places."""
    places, unit = _fan(w, model, far, enemies), w.on_table(w.unit(way.unit))
    mates = np.array([m for m in unit if m != model and int(m) not in waiting], dtype=np.int64)
    free = may_end(now, w.shapes, w.terrain, model, places, way.blocks(w, model))[:, 0] == Code.OK
    together = way.together(w, len(unit))
    need = min(together.neighbours, len(mates))
    row, there = np.array([model], dtype=np.int64), Bodies(now.pos.copy(), now.facing, now.shape)
    for place in places[free]:
        there.pos[model] = place[:3]
        if int(links(there, w.shapes, row, mates, together.near).sum()) < need:
            continue
        path = walk(w, model, place[:3])
        if path is not None and not is_blocked(w, way, there, path):
            return path
    return None


def _fan(w: AnyWorld, model: int, far: int, enemies: Ints) -> Ints:
    """Places ahead of a model that are closer to its nearest enemy than it is, the closest first."""
    x, y, z = (int(v) for v in w.state.models.pos[model])
    gap = _gaps_of(w, w.bodies, model, enemies)
    enemy = int(enemies[int(gap.argmin())])
    ex, ey = (int(v) for v in w.state.models.pos[enemy, :2])
    ahead = int(bearing(ex - x, ey - y))
    reach = min(far, int(gap.min()) + 2 * STEP)
    # All at once what `table.scatter.offset` says of one place.
    turn = (ahead + np.arange(-RAYS, RAYS + 1) * TURN // 32) % TURN
    far_off = reach * np.arange(1, PACES + 1) // PACES - 1
    px, py = (
        (start + (far_off * part[turn, None] + TRIG_SCALE // 2) // TRIG_SCALE).ravel()
        for start, part in ((x, COS), (y, SIN))
    )
    away = (px - ex) ** 2 + (py - ey) ** 2
    closest = np.lexsort((py, px, away))
    closest = closest[away[closest] < (x - ex) ** 2 + (y - ey) ** 2]
    places = np.empty((len(closest), 4), dtype=np.int64)
    places[:, 0], places[:, 1], places[:, 2:] = px[closest], py[closest], (z, int(w.state.models.facing[model]))
    return places
