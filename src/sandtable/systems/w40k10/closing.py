"""Closing with the enemy: what Charge, Pile-in and Consolidation moves have in common."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from sandtable.battle import Moves, Path, Verdict
from sandtable.kit.moving import after
from sandtable.kit.walking import is_blocked, walk, walk_to
from sandtable.systems.w40k10.book import BOOK
from sandtable.systems.w40k10.concepts import (
    BARRICADE,
    COHERENCY_HEIGHT,
    COHERENCY_RANGE,
    model_has_keyword,
    models_of,
    neighbours_needed,
)
from sandtable.systems.w40k10.paths import Passage, can_move
from sandtable.systems.w40k10.state import Unit, World10
from sandtable.table.arrange import close_up
from sandtable.table.cores import segments_cross
from sandtable.table.footprints import lines_cross
from sandtable.table.grid import STEP, TURN, Bools, Floats, Ints, steps
from sandtable.table.measure import distances, gaps
from sandtable.table.moves import Code, may_end
from sandtable.table.scatter import bearing, offset
from sandtable.table.shapes import Bodies
from sandtable.table.zones import CONTACT, Zone, links

ACROSS: Final = steps(2)
"""How far charging and fighting reach across a barricade."""
MENDS: Final = 100
"""So often a move found by the search is made better. Each time one more model touches: no unit has so many."""
RAYS, PACES = 7, 10
"""Where a model whose way is blocked looks for a place: directions to either side, and places on each."""

Accept = Callable[[Moves], Verdict]


def touching(w: World10, bodies: Bodies, models: Ints, others: Ints) -> Bools:
    """Which models are in base contact with one of the others."""
    if not len(models) or not len(others):
        return np.zeros(len(models), dtype=np.bool_)
    return np.asarray(links(bodies, w.shapes, models, others, CONTACT).any(axis=1))


def enemy_models(w: World10, unit: Unit) -> Ints:
    """All enemy models on the table."""
    return w.cached(("enemy_models", unit.player), lambda: models_of(w, w.enemies_of(unit.player)))


def free_models(w: World10, unit: Unit) -> Ints:
    """Models that may Pile In or Consolidate: those that can move and touch no enemy."""

    def look() -> Ints:
        models = w.on_table(unit)
        able = np.array([can_move(w, int(m)) for m in models], dtype=np.bool_)
        loose = able & ~touching(w, w.bodies, models, enemy_models(w, unit))
        return np.asarray(models[loose], dtype=np.int64)

    return w.cached(("free_models", unit.id), look)


def gets_closer(w: World10, bodies: Bodies, model: int, enemies: Ints) -> bool:
    """Whether a model would be closer to the nearest of some enemy models than before."""
    row = np.array([model], dtype=np.int64)
    before = distances(w.bodies, w.shapes, row, enemies)[0]
    now = distances(bodies, w.shapes, row, enemies)[0]
    nearest = before <= before.min() + 0.5
    return bool((now[nearest] < before[nearest]).any())


# --- Across a barricade -----------------------------------------------------------------------------------------------


def barricades(w: World10) -> list[int]:
    """The barricades on the table."""
    return w.cached(("barricades",), lambda: [i for i, f in enumerate(w.table.features) if f.kind == BARRICADE])


def between(w: World10, bodies: Bodies, one: int, other: int, feature: int) -> bool:
    """Whether a feature lies between two models: the line between their middles crosses its outline."""
    terrain = w.terrain
    ax, ay, bx, by = *bodies.pos[one, :2], *bodies.pos[other, :2]
    n = int(terrain.corners[feature])
    outline = terrain.outline[feature]
    return any(
        segments_cross(ax, ay, bx, by, outline[i, 0], outline[i, 1], outline[(i + 1) % n, 0], outline[(i + 1) % n, 1])
        for i in range(n)
    )


def across(w: World10, bodies: Bodies, models: Ints, enemies: Ints) -> Bools:
    """Which pairs of models stand no more than 2" apart with a barricade between them, [model, enemy]."""
    out = np.zeros((len(models), len(enemies)), dtype=np.bool_)
    found = barricades(w)
    if not found or not len(models) or not len(enemies):
        return out
    rows, columns = np.nonzero(links(bodies, w.shapes, models, enemies, Zone(ACROSS, BOOK.engagement.up)))
    if not len(rows):
        return out
    lines = np.concatenate((bodies.pos[models[rows], :2], bodies.pos[enemies[columns], :2]), axis=1)
    for f in found:
        out[rows, columns] |= lines_cross(lines, w.terrain.outline[f], int(w.terrain.corners[f]))
    return out


# --- Searching --------------------------------------------------------------------------------------------------------


def within_reach(w: World10, models: Ints, enemies: Ints, far: int) -> Ints:
    """The enemies that some model could touch or engage, going so far; at least the nearest one."""
    if not len(models) or not len(enemies):
        return enemies
    gap = gaps(w.bodies, w.shapes, models, enemies).min(axis=0)
    return np.asarray(enemies[gap <= max(far + BOOK.engagement.flat, float(gap.min()))], dtype=np.int64)


def close_in(
    w: World10,
    movers: Ints,
    targets: Ints,
    way: Passage,
    far: int,
    groups: Ints | None = None,
) -> Moves:
    """A move that takes models towards their targets, into contact where there is room."""
    mates = w.on_table(w.unit(way.unit))
    staying = mates[~np.isin(mates, movers)]
    found = close_up(
        way.things(w, w.bodies),
        w.shapes,
        w.terrain,
        movers,
        targets,
        far,
        clear=way.room(w),
        coherency=way.together(w, len(mates)),
        staying=staying,
        groups=groups,
        hold=way.move != "charge",
        over=all(model_has_keyword(w, int(m), "FLY") for m in movers),
    )
    return walk_to(w, way, movers, found.pos)


def unblock(w: World10, moves: Moves, way: Passage, far: int, enemies: Ints) -> Moves:
    """The same move, with other ends on the near side of the enemy for models that cannot get to theirs."""
    paths = {p.model: p for p in moves.paths}
    now = after(w, moves)
    blocked = [m for m in paths if is_blocked(w, way, now, paths[m])]
    waiting = set(blocked)
    for m in sorted(blocked, key=lambda m: (float(_gaps_of(w, w.bodies, m, enemies).min()), m)):
        waiting.discard(m)
        found = _near_side(w, now, m, way, far, enemies, waiting)
        if found is None:
            now.pos[m] = w.state.models.pos[m]
            del paths[m]
        else:
            now.pos[m] = (found.legs[-1].x, found.legs[-1].y, found.legs[-1].z)
            paths[m] = found
    return Moves(moves.mode, tuple(paths.values()))


def _gaps_of(w: World10, bodies: Bodies, model: int, others: Ints) -> Floats:
    return np.asarray(gaps(bodies, w.shapes, np.array([model], dtype=np.int64), others)[0])


def _near_side(
    w: World10, now: Bodies, model: int, way: Passage, far: int, enemies: Ints, waiting: set[int]
) -> Path | None:
    """A way for a model to a place as near to the enemy as it gets, beside comrades that have their places."""
    places, unit = _fan(w, model, far, enemies), w.unit(way.unit)
    mates = np.array([m for m in w.on_table(unit) if m != model and int(m) not in waiting], dtype=np.int64)
    blocks = way.blocks(w, model)
    free = may_end(now, w.shapes, w.terrain, model, places, blocks)[:, 0] == Code.OK
    need = min(neighbours_needed(len(w.on_table(unit))), len(mates))
    row, there = np.array([model], dtype=np.int64), Bodies(now.pos.copy(), now.facing, now.shape)
    for place in places[free]:
        there.pos[model] = place[:3]
        if int(links(there, w.shapes, row, mates, Zone(COHERENCY_RANGE, COHERENCY_HEIGHT)).sum()) < need:
            continue
        path = walk(w, model, place[:3])
        if path is not None and not is_blocked(w, way, there, path):
            return path
    return None


def _fan(w: World10, model: int, far: int, enemies: Ints) -> Ints:
    """Places ahead of a model that are closer to its nearest enemy than it is, the closest first."""
    x, y, z = (int(v) for v in w.state.models.pos[model])
    gap = _gaps_of(w, w.bodies, model, enemies)
    enemy = int(enemies[int(gap.argmin())])
    ex, ey = (int(v) for v in w.state.models.pos[enemy, :2])
    ahead = int(bearing(ex - x, ey - y))
    reach = min(far, int(gap.min()) + 2 * STEP)
    found = []
    for ray in range(-RAYS, RAYS + 1):
        for pace in range(1, PACES + 1):
            px, py = (int(v) for v in offset(x, y, ahead + ray * TURN // 32, reach * pace // PACES - 1))
            away = (px - ex) ** 2 + (py - ey) ** 2
            if away < (x - ex) ** 2 + (y - ey) ** 2:
                found.append((away, px, py))
    facing = int(w.state.models.facing[model])
    return np.array([(px, py, z, facing) for _, px, py in sorted(found)], dtype=np.int64).reshape(len(found), 4)


def mend(moves: Moves, judge: Accept) -> Moves | None:
    """A move that is legal, starting from one that nearly is: each refusal names a better one."""
    for _ in range(MENDS):
        verdict = judge(moves)
        if verdict:
            return moves
        if not isinstance(verdict.instead, Moves):
            return None
        moves = verdict.instead
    return None


def group_numbers(w: World10, targets: Sequence[Unit], models: Ints) -> Ints:
    """For each model the place of its unit among the targets."""
    place = {u.id: i for i, u in enumerate(targets)}
    return np.array([place[int(w.state.models.unit[m])] for m in models], dtype=np.int64)
