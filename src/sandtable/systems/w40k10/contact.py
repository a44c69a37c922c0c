"""The duty to end in base contact: which models that stopped short could have touched the enemy."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import chain
from typing import Final

import numpy as np

from sandtable.battle import Moves, Path
from sandtable.forty.markers import with_markers
from sandtable.forty.state import called
from sandtable.kit.moving import after
from sandtable.systems.w40k10.book import BOOK
from sandtable.systems.w40k10.closing import across, barricades, touching
from sandtable.systems.w40k10.concepts import COHERENCY_RANGE, coherency_of
from sandtable.systems.w40k10.joining import (
    Closing,
    climb_of_model,
    detour,
    join_battle,
    other_way,
    ways_of,
)
from sandtable.systems.w40k10.state import World10
from sandtable.table.arrange_nearest import longest_in_field, way_in_field
from sandtable.table.coherency import coherent
from sandtable.table.contact import contacts
from sandtable.table.grid import TOUCHING, Bools, Floats, Ints, units
from sandtable.table.measure import distances, gaps
from sandtable.table.reach import CELL, reach
from sandtable.table.shapes import Bodies
from sandtable.table.zones import linked, links

SPOTS: Final = 200
"""So many places are looked at around one enemy model: round bases have fewer."""
NEAREST, DETOURS = 4, 8
"""So many ways around things are looked for: to the spots that are nearest, and to some all around the enemy."""
FOLLOWED, ALL_FOLLOWED = 4, 12
"""So many models are looked at that could touch if others followed them; the second where nobody touches yet, or there
are several units to reach: then those in front are not always the ones who matter,"""
FOLLOWINGS: Final = 40
"""and so often in all,"""
ACCEPTED: Final = 8
"""So many spots that pass all plain tests are judged as a whole move."""
SPREAD: Final = 5
"""so many spots of each of them,"""
TRIES_AFTER: Final = 30
"""and so many places for those who follow."""
OFF_THE_TABLE: Final = (-(1 << 24), -(1 << 24), 0)


def contact_instead(w: World10, c: Closing, moves: Moves, bound: Ints) -> Moves | None:
    """A move with one more model in base contact, if one of those that are bound to touch could; else None.

    Every enemy in reach is looked at, all around. First everybody else stays where the move takes them. Then it is
    asked whether the player could have chosen an order in which nobody stopped short: whoever cannot touch, wherever
    the others may still go, can be moved first. If nobody is left, the move stands; else one of the rest could touch,
    whatever the order, with those behind it following.
    """
    bodies = after(w, moves)
    loose = bound[~touching(w, bodies, bound, c.targets)]
    if not len(loose):
        return None
    gap = gaps(w.bodies, w.shapes, loose, c.targets)
    order = [int(loose[i]) for i in np.argsort(gap.min(axis=1), kind="stable")]
    prey = {int(m): c.targets[gap[i] <= c.far + TOUCHING] for i, m in enumerate(loose)}
    closed = set[int]()
    for model in order:
        stand = _unturned(w, bodies, model)
        spots = _contacts(w, c, stand, model, prey[model])
        better = _touch(w, c, moves, stand, model, spots)
        if better is not None:
            return better
        if not len(spots):
            closed.add(model)
    most = ALL_FOLLOWED if len(loose) == len(bound) or c.groups.max() > 0 else FOLLOWED
    free = [m for m in order if len(prey[m])][:most]
    free = [m for m in free if m not in closed or _is_crowded_out(w, bodies, m, prey[m], [k for k in free if k != m])]
    found: Moves | None = None
    often = 0
    while len(free) > 1 and often < FOLLOWINGS:
        for model in free:
            found, often = (
                _touch_and_follow(w, c, moves, model, prey[model], [m for m in free if m != model]),
                often + 1,
            )
            if found is None:
                free.remove(model)
                break
        else:
            return found
    return None


def _unturned(w: World10, bodies: Bodies, model: int) -> Bodies:
    """Everybody as the move takes them, but a model that looks where it did before: the ways looked for turn nobody."""
    facing = int(w.state.models.facing[model])
    if int(bodies.facing[model]) == facing:
        return bodies
    turned = bodies.facing.copy()
    turned[model] = facing
    return Bodies(bodies.pos, turned, bodies.shape)


def more_contact(w: World10, c: Closing, moves: Moves, bound: Ints) -> Moves | None:
    """A move with one more model in base contact, those who do not touch going elsewhere; None where there is none.

    Nobody is bound to make it: had the models moved in another order, none would have stopped short.
    """
    loose = bound[~touching(w, after(w, moves), bound, c.targets)]
    if len(loose) < 2:
        return None
    gap = gaps(w.bodies, w.shapes, loose, c.targets)
    for i in np.argsort(gap.min(axis=1), kind="stable")[:FOLLOWED].tolist():
        prey = c.targets[gap[i] <= c.far + TOUCHING]
        others = [int(m) for m in loose if m != loose[i]]
        found = _touch_and_follow(w, c, moves, int(loose[i]), prey, others, straight_only=True)
        if found is not None:
            return found
    return None


def who_could_touch(w: World10, c: Closing, moves: Moves, better: Moves) -> str:
    """Which model stopped short, and where it could have touched whom, for those who refuse a move for a better one."""
    paths = {p.model: p for p in better.paths}
    models = np.array(list(paths), dtype=np.int64)
    there = after(w, better)
    model = int(models[touching(w, there, models, c.targets) & ~touching(w, after(w, moves), models, c.targets)][0])
    row = np.array([model], dtype=np.int64)
    enemy = int(c.targets[int(gaps(there, w.shapes, row, c.targets)[0].argmin())])
    x, y, z = (units(int(v)) for v in there.pos[model])
    up = f', {z:.1f}" up' if z else ""
    name = w.unit(int(w.state.models.unit[enemy])).name
    return f"{called(w, model)} can end in base contact with {name}, at {x:.2f}, {y:.2f}{up}"


def _is_crowded_out(w: World10, bodies: Bodies, model: int, prey: Ints, others: list[int]) -> bool:
    """Whether one of some others ends where a model could stand between it and an enemy."""
    if not others:
        return False
    gap = gaps(bodies, w.shapes, np.array(others, dtype=np.int64), prey)
    return bool(gap.min() < 2 * int(w.shapes.reach[bodies.shape[model]]) + TOUCHING)


def _contacts(w: World10, c: Closing, bodies: Bodies, model: int, enemies: Ints) -> Ints:
    """Where a model could end touching an enemy, [n, x y z open], the nearest first; open where straight on."""
    if not len(enemies):
        return np.empty((0, 4), dtype=np.int64)
    start = w.state.models.pos[model]
    there = with_markers(w, bodies)
    there.pos[model] = start
    blocks = c.way.ends(w, model)
    slant = c.way.flies(w, model)
    rings = _rings(w, c, bodies, model)
    found = []
    for enemy in enemies.tolist():
        z = int(w.state.models.pos[enemy, 2])
        rise = abs(z - int(start[2]))
        far = int(math.sqrt(max(0, c.far**2 - rise**2))) if slant else c.far - rise
        if far < 0:
            continue
        rings[0, 2] = far
        facing, x, y = int(bodies.facing[model]), int(start[0]), int(start[1])
        spots = contacts(there, w.shapes, w.terrain, model, facing, enemy, x, y, blocks, rings, slant, far + 1, SPOTS)
        flat = spots[:, :2] - start[:2]
        spots = spots[(flat * flat).sum(axis=1) <= (far + 0.5) ** 2]
        if len(spots):
            found.append(np.column_stack((spots[:, :2], np.full(len(spots), z), spots[:, 2])))
    if not found:
        return np.empty((0, 4), dtype=np.int64)
    near, before = c.closer(model)
    spots = np.concatenate(found)
    return spots[_are_closer(w, model, spots, near, before)]


def _rings(w: World10, c: Closing, bodies: Bodies, model: int) -> Floats:
    """Circles within which a model is in reach (the first), linked with comrades, closer to enemies, and engaged."""
    mates = w.on_table(c.unit)
    mates = mates[mates != model]
    near, before = c.closer(model)
    radius = w.shapes.radius[w.ground.shape]
    links_ = np.column_stack((bodies.pos[mates, :2], radius[model] + radius[mates] + COHERENCY_RANGE - 1))
    closer = np.column_stack((bodies.pos[near, :2], radius[model] + radius[near] + before - 1))
    far = np.array([[*w.state.models.pos[model, :2], 0]])
    if c.groups.max() == 0:
        return np.concatenate((far, links_, closer)).astype(np.float64)
    engaged = np.column_stack((bodies.pos[c.targets, :2], radius[model] + radius[c.targets] + BOOK.engagement.flat - 1))
    return np.concatenate((far, links_, closer, engaged)).astype(np.float64)


def _are_closer(w: World10, model: int, spots: Ints, near: Ints, before: Floats) -> Bools:
    """At which spots a model is closer than before to one of some enemies."""
    those, copies = _copies(w.bodies, model, spots, near)
    far = distances(those, w.shapes, copies, np.arange(len(near)))
    return np.asarray((far < before).any(axis=1))


def _touch(w: World10, c: Closing, moves: Moves, bodies: Bodies, model: int, spots: Ints) -> Moves | None:
    """The move with a model at one of its spots, and everybody else as they are."""
    if not len(spots):
        return None
    fits = spots[_reaches_all(w, c, bodies, model, spots)]
    fits = fits[_stays_together(w, c, bodies, model, fits)]
    straight = fits[fits[:, 3] != 0][:ACCEPTED]
    if c.way.flies(w, model):
        # What bars the straight way may be flown over.
        straight = np.concatenate((straight, spread_out(fits[fits[:, 3] == 0], SPREAD)))
    for spot in straight:
        better = with_path(moves, _straight(w, c, model, spot))
        if c.accept(better):
            return better
    for path in _around(w, c, bodies, model, fits[fits[:, 3] == 0]):
        better = with_path(moves, path)
        if c.accept(better):
            return better
    return None


def _reaches_all(w: World10, c: Closing, bodies: Bodies, model: int, spots: Ints) -> Bools:
    """At which spots every enemy unit is within Engagement Range of the model, where it is so of nobody else."""
    good = np.ones(len(spots), dtype=np.bool_)
    mates = w.on_table(c.unit)
    mates = mates[mates != model]
    if c.groups.max() == 0:
        return good
    for g in range(int(c.groups.max()) + 1):
        theirs = c.targets[c.groups == g]
        if not linked(bodies, w.shapes, mates, theirs, BOOK.engagement) and not (
            barricades(w) and across(w, bodies, mates, theirs).any()
        ):
            those, copies = _copies(w.bodies, model, spots, theirs)
            good &= links(those, w.shapes, copies, np.arange(len(theirs)), BOOK.engagement).any(axis=1)
    return good


def _copies(bodies: Bodies, model: int, spots: Ints, others: Ints) -> tuple[Bodies, Ints]:
    """Some others and, behind them, the model at each of the spots; and the rows of the latter."""
    same = np.full(len(spots), model)
    rows = np.concatenate((others, same))
    copies = Bodies(bodies.pos[rows], bodies.facing[rows], bodies.shape[rows])
    copies.pos[len(others) :] = spots[:, :3]
    return copies, np.arange(len(others), len(rows))


def _stays_together(w: World10, c: Closing, bodies: Bodies, model: int, spots: Ints) -> Bools:
    """At which spots the unit would be coherent."""
    mates, now = w.on_table(c.unit), Bodies(bodies.pos.copy(), bodies.facing, bodies.shape)
    rule_ = coherency_of(len(mates))
    if len(mates) < 2 or not len(spots):
        return np.ones(len(spots), dtype=np.bool_)
    others = mates[mates != model]
    those, copies = _copies(bodies, model, spots, others)
    near = links(those, w.shapes, copies, np.arange(len(others)), rule_.near)
    good = np.asarray(near.sum(axis=1) >= rule_.neighbours)
    # Most spots have too few links of their own, so that the rest need not be looked at.
    for k in np.flatnonzero(good).tolist():
        now.pos[model] = spots[k, :3]
        good[k] = coherent(now, w.shapes, mates, rule_)
    return good


def _straight(w: World10, c: Closing, model: int, spot: Ints) -> Path:
    path = c.way.straight(w, model, spot[:3])
    assert path is not None, "a model that does not touch stands at no place where it would"
    return path


def _around(w: World10, c: Closing, bodies: Bodies, model: int, spots: Ints) -> Iterator[Path]:
    """Ways around things, or up and down them, to the spots that a model can get to so."""
    start = w.state.models.pos[model]
    yield from _around_on_level(w, c, bodies, model, spots[spots[:, 2] == start[2]])
    climb = climb_of_model(w, c, model) if len(spots) else None
    if climb is None:
        return
    ways, longest = ways_of(w, c, climb), longest_in_field(c.far, CELL)
    fields = {z: ways.to_level(z) for z in sorted(set(spots[:, 2].tolist()))}
    length = np.array([way_in_field(fields[z], CELL, x - start[0], y - start[1]) for x, y, z, _ in spots.tolist()])
    order = np.argsort(length, kind="stable")
    near = spots[order[length[order] <= longest]]
    for x, y, z, _ in np.unique(np.concatenate((near[:NEAREST], spread_out(near, DETOURS))), axis=0).tolist():
        path = other_way(w, c, bodies, model, (x, y, z))
        if path is not None:
            yield path


def _around_on_level(w: World10, c: Closing, bodies: Bodies, model: int, spots: Ints) -> Iterator[Path]:
    if not len(spots):
        return
    start = w.state.models.pos[model]
    blocks = c.way.ends(w, model)
    longest = longest_in_field(c.far, CELL)
    field = reach(with_markers(w, w.bodies), w.shapes, w.terrain, model, int(longest), CELL, blocks).cost
    length = np.array([way_in_field(field, CELL, int(x - start[0]), int(y - start[1])) for x, y in spots[:, :2]])
    # A field knows no narrow ways: where it knows none at all, some spots are tried all the same.
    order = np.argsort(length, kind="stable")
    near = spots[order[length[order] <= longest]] if length.min() < math.inf else spots
    for x, y, z, _ in np.unique(np.concatenate((near[:NEAREST], spread_out(near, DETOURS))), axis=0).tolist():
        path = detour(w, c, bodies, model, (x, y, z))
        if path is not None:
            yield path


def _touch_and_follow(
    w: World10, c: Closing, moves: Moves, model: int, prey: Ints, free: list[int], *, straight_only: bool = False
) -> Moves | None:
    """The move with a model touching an enemy, some others following it, and the rest as they are."""
    fixed = Moves(moves.mode, tuple(p for p in moves.paths if p.model != model and p.model not in free))
    stand = after(w, fixed)
    # Those who follow have no places yet; far off the table they are in nobody's way.
    stand.pos[free] = OFF_THE_TABLE
    spots = _contacts(w, c, stand, model, prey)
    straight = (_straight(w, c, model, spot) for spot in spread_out(spots[spots[:, 3] != 0], SPREAD))
    detours = () if straight_only else _around(w, c, stand, model, spots[spots[:, 3] == 0])
    for path in chain(straight, detours):
        begun = Moves(moves.mode, (*fixed.paths, path))
        better = join_battle(w, c, np.array(free, dtype=np.int64), begun, TRIES_AFTER)
        if better is not None:
            return better
    return None


def spread_out(spots: Ints, most: int) -> Ints:
    """Some of the spots, the first and then always the one furthest from those before it."""
    if len(spots) <= most:
        return spots
    chosen = [0]
    away = ((spots[:, :2] - spots[0, :2]) ** 2).sum(axis=1)
    while len(chosen) < most:
        chosen.append(int(away.argmax()))
        away = np.minimum(away, ((spots[:, :2] - spots[chosen[-1], :2]) ** 2).sum(axis=1))
    return spots[chosen]


def with_path(moves: Moves, path: Path) -> Moves:
    """The same move with another path for one model."""
    rest = tuple(path if p.model == path.model else p for p in moves.paths)
    return Moves(moves.mode, rest if any(p.model == path.model for p in moves.paths) else (*rest, path))
