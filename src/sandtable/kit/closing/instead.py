"""A better move than was chosen: which models that stopped short could have come nearer to the enemy.

This is the witness for duties such as "must end in base contact if it can".
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from sandtable.battle.decisions import Leg, Moves, Path
from sandtable.kit.closing.across import across
from sandtable.kit.closing.climbing import climb_of
from sandtable.kit.closing.contact import Contact, closer_than, mates_of, models_of, near
from sandtable.kit.closing.joining import at_its_start, detour, get_near, join_battle, other_way, ways_of
from sandtable.kit.moving import after
from sandtable.table.arrange_nearest import longest_in_field, way_in_field
from sandtable.table.coherency import coherent
from sandtable.table.contact import contacts
from sandtable.table.grid import TOUCHING, Bools, Floats, Ints
from sandtable.table.measure import distances, gaps
from sandtable.table.reach import CELL, reach
from sandtable.table.shapes import Bodies
from sandtable.table.zones import CONTACT, Ball, Zone, linked, links

if TYPE_CHECKING:
    from sandtable.battle.system import AnyWorld

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


def contact_instead(w: AnyWorld, c: Contact, moves: Moves, bound: Sequence[int]) -> Moves | None:
    """A move with one more model as near to the enemy as it should be, if one that is bound to could; else None."""
    models = np.array(bound, dtype=np.int64)
    return next((m for goal in c.ladder if (m := _nearer_instead(w, c, moves, models, goal)) is not None), None)


def _nearer_instead(w: AnyWorld, c: Contact, moves: Moves, bound: Ints, goal: Zone | Ball) -> Moves | None:
    """The same for one goal of the ladder.

    Short of contact, everybody else stays where the move takes them. For contact, every enemy in reach is looked at,
    all around. First everybody else stays where the move takes them. Then it is
    asked whether the player could have chosen an order in which nobody stopped short: whoever cannot touch, wherever
    the others may still go, can be moved first. If nobody is left, the move stands; else one of the rest could touch,
    whatever the order, with those behind it following.
    """
    bodies, enemies = after(w, moves), models_of(w, c.prey)
    loose = bound[~near(w, bodies, bound, enemies, goal)]
    if not len(loose):
        return None
    gap = gaps(w.bodies, w.shapes, loose, enemies)
    order = [int(loose[i]) for i in np.argsort(gap.min(axis=1), kind="stable")]
    prey = {int(m): enemies[gap[i] <= c.far + goal.flat] for i, m in enumerate(loose)}
    if goal != CONTACT:
        return _any_nearer(w, c, moves, [m for m in order if len(prey[m])], goal)
    closed = set[int]()
    for model in order:
        stand = at_its_start(w, bodies, model)
        spots = _spots(w, c, stand, model, prey[model], c.far)
        better = _get_there(w, c, moves, stand, model, spots) or _go_on(w, c, moves, bodies, model, prey[model])
        if better is not None:
            return better
        if not len(spots):
            closed.add(model)
    most = ALL_FOLLOWED if len(loose) == len(bound) or c.several else FOLLOWED
    free = [m for m in order if len(prey[m])][:most]
    free = [m for m in free if m not in closed or _is_crowded_out(w, bodies, m, prey[m], [k for k in free if k != m])]
    found: Moves | None = None
    often = 0
    while len(free) > 1 and often < FOLLOWINGS:
        for model in free:
            others = [m for m in free if m != model]
            found, often = _get_there_and_follow(w, c, moves, model, prey[model], others), often + 1
            if found is None:
                free.remove(model)
                break
        else:
            return found
    return None


def _any_nearer(w: AnyWorld, c: Contact, moves: Moves, models: Sequence[int], goal: Zone | Ball) -> Moves | None:
    """The move with one of some models so near to the enemy, and everybody else as they are; None where nobody can."""
    for model in models:
        fixed = Moves(moves.mode, tuple(p for p in moves.paths if p.model != model))
        better = get_near(w, c, model, fixed, goal, TRIES_AFTER)
        if better is not None:
            return better
    return None


def more_contact(w: AnyWorld, c: Contact, moves: Moves) -> Moves | None:
    """A move with one more model at the top of the ladder, those below it going elsewhere; None where there is none.

    Nobody is bound to make it: had the models moved in another order, none would have stopped short.
    """
    goal, enemies, bound = c.ladder[0], models_of(w, c.prey), np.array(c.movers, dtype=np.int64)
    loose = bound[~near(w, after(w, moves), bound, enemies, goal)]
    if len(loose) < 2:
        return None
    gap = gaps(w.bodies, w.shapes, loose, enemies)
    for i in np.argsort(gap.min(axis=1), kind="stable")[:FOLLOWED].tolist():
        prey = enemies[gap[i] <= c.far + goal.flat]
        others = [int(m) for m in loose if m != loose[i]]
        found = _get_there_and_follow(w, c, moves, int(loose[i]), prey, others, straight_only=True)
        if found is not None:
            return found
    return None


class Nearer(NamedTuple):
    """A model that stopped short, the enemy model that it could have come near to, and where."""

    model: int
    enemy: int
    place: tuple[int, int, int]


def who_could(w: AnyWorld, c: Contact, moves: Moves, better: Moves) -> Nearer:
    """Who gets nearer to the enemy in the better of two moves, for those who refuse the other for it."""
    models, enemies = np.array([p.model for p in better.paths], dtype=np.int64), models_of(w, c.prey)
    before, there = after(w, moves), after(w, better)
    for goal in c.ladder:
        gained = models[near(w, there, models, enemies, goal) & ~near(w, before, models, enemies, goal)]
        if len(gained):
            gap = gaps(there, w.shapes, gained[:1], enemies)[0]
            x, y, z = there.pos[gained[0]].tolist()
            return Nearer(int(gained[0]), int(enemies[int(gap.argmin())]), (x, y, z))
    raise ValueError("Nobody gets nearer to the enemy in the move that is said to be better.")


def _is_crowded_out(w: AnyWorld, bodies: Bodies, model: int, prey: Ints, others: list[int]) -> bool:
    """Whether one of some others ends where a model could stand between it and an enemy."""
    if not others:
        return False
    gap = gaps(bodies, w.shapes, np.array(others, dtype=np.int64), prey)
    return bool(gap.min() < 2 * int(w.shapes.reach[bodies.shape[model]]) + TOUCHING)


def _spots(w: AnyWorld, c: Contact, bodies: Bodies, model: int, enemies: Ints, allowance: int) -> Ints:
    """Where a model could end touching an enemy, [n, x y z open], the nearest first; open where straight on.

    It goes from where it stands among the bodies, and keeps facing as it does there.
    """
    if not len(enemies):
        return np.empty((0, 4), dtype=np.int64)
    start, there = bodies.pos[model], c.way.things(w, bodies)
    blocks, slant = c.way.ends(w, model), c.way.flies(w, model)
    rings = _rings(w, c, bodies, model)
    found = []
    for enemy in enemies.tolist():
        z = int(w.state.models.pos[enemy, 2])
        rise = abs(z - int(start[2]))
        far = int(math.sqrt(max(0, allowance**2 - rise**2))) if slant else allowance - rise
        if far < 0:
            continue
        rings[0, 2] = far
        facing, x, y = int(there.facing[model]), int(start[0]), int(start[1])
        spots = contacts(there, w.shapes, w.terrain, model, facing, enemy, x, y, blocks, rings, slant, far + 1, SPOTS)
        flat = spots[:, :2] - start[:2]
        spots = spots[(flat * flat).sum(axis=1) <= (far + 0.5) ** 2]
        if len(spots):
            found.append(np.column_stack((spots[:, :2], np.full(len(spots), z), spots[:, 2])))
    if not found:
        return np.empty((0, 4), dtype=np.int64)
    spots = np.concatenate(found)
    return spots if c.closer is None else spots[_are_closer(w, model, spots, *closer_than(w, c, model))]


def _rings(w: AnyWorld, c: Contact, bodies: Bodies, model: int) -> Floats:
    """Circles within which a model is in reach (the first), linked with comrades, closer to enemies, and engaged."""
    mates = mates_of(w, c)
    together = c.way.together(w, len(mates))
    mates = mates[mates != model]
    enemies, before = closer_than(w, c, model)
    radius = w.shapes.radius[w.ground.shape]
    links_ = np.column_stack((bodies.pos[mates, :2], radius[model] + radius[mates] + together.reach - 1))
    closer = np.column_stack((bodies.pos[enemies, :2], radius[model] + radius[enemies] + before - 1))
    far = np.array([[*bodies.pos[model, :2], 0]])
    if not c.several or c.reach is None:
        return np.concatenate((far, links_, closer)).astype(np.float64)
    enemies = models_of(w, c.prey)
    engaged = np.column_stack((bodies.pos[enemies, :2], radius[model] + radius[enemies] + c.reach.flat - 1))
    return np.concatenate((far, links_, closer, engaged)).astype(np.float64)


def _are_closer(w: AnyWorld, model: int, spots: Ints, enemies: Ints, before: Floats) -> Bools:
    """At which spots a model is closer than before to one of some enemies."""
    those, copies = _copies(w.bodies, model, spots, enemies)
    far = distances(those, w.shapes, copies, np.arange(len(enemies)))
    return np.asarray((far < before).any(axis=1))


def _get_there(w: AnyWorld, c: Contact, moves: Moves, bodies: Bodies, model: int, spots: Ints) -> Moves | None:
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
        if c.accept(w, c, better):
            return better
    for path in _around(w, c, bodies, model, fits[fits[:, 3] == 0]):
        better = with_path(moves, path)
        if c.accept(w, c, better):
            return better
    return None


def _go_on(w: AnyWorld, c: Contact, moves: Moves, bodies: Bodies, model: int, prey: Ints) -> Moves | None:
    """The move with a model that turned on its way going straight on until it touches; other ways turn nobody."""
    path = next((p for p in moves.paths if p.model == model), None)
    if path is None or bodies.facing[model] == w.state.models.facing[model]:
        return None
    spots = _spots(w, c, bodies, model, prey, int(c.far - c.way.length(w, path)))
    for x, y, z, _ in spread_out(spots[spots[:, 3] != 0], SPREAD).tolist():
        on = Leg("go", x, y, z, int(bodies.facing[model]))
        better = with_path(moves, Path(model, (*path.legs, on)))
        if c.accept(w, c, better):
            return better
    return None


def _reaches_all(w: AnyWorld, c: Contact, bodies: Bodies, model: int, spots: Ints) -> Bools:
    """At which spots every enemy unit is in reach of the model that is so of nobody else."""
    good = np.ones(len(spots), dtype=np.bool_)
    if not c.several or c.reach is None:
        return good
    mates = mates_of(w, c)
    mates = mates[mates != model]
    for unit in c.prey:
        theirs = w.on_table(w.unit(unit))
        if linked(bodies, w.shapes, mates, theirs, c.reach) or _is_reached_across(w, c, bodies, mates, theirs):
            continue
        those, copies = _copies(w.bodies, model, spots, theirs)
        good &= links(those, w.shapes, copies, np.arange(len(theirs)), c.reach).any(axis=1)
    return good


def _is_reached_across(w: AnyWorld, c: Contact, bodies: Bodies, models: Ints, theirs: Ints) -> bool:
    if c.across is None:
        return False
    return bool(across(w, bodies, models, theirs, c.across.features, c.across.zone).any())


def _copies(bodies: Bodies, model: int, spots: Ints, others: Ints) -> tuple[Bodies, Ints]:
    """Some others and, behind them, the model at each of the spots; and the rows of the latter."""
    same = np.full(len(spots), model)
    rows = np.concatenate((others, same))
    copies = Bodies(bodies.pos[rows], bodies.facing[rows], bodies.shape[rows])
    copies.pos[len(others) :] = spots[:, :3]
    return copies, np.arange(len(others), len(rows))


def _stays_together(w: AnyWorld, c: Contact, bodies: Bodies, model: int, spots: Ints) -> Bools:
    """At which spots the unit would be coherent."""
    mates, now = mates_of(w, c), Bodies(bodies.pos.copy(), bodies.facing, bodies.shape)
    rule_ = c.way.together(w, len(mates))
    if len(mates) < 2 or not len(spots):
        return np.ones(len(spots), dtype=np.bool_)
    others = mates[mates != model]
    those, copies = _copies(bodies, model, spots, others)
    close = links(those, w.shapes, copies, np.arange(len(others)), rule_.near)
    good = np.asarray(close.sum(axis=1) >= rule_.neighbours)
    # Most spots have too few links of their own, so that the rest need not be looked at.
    for k in np.flatnonzero(good).tolist():
        now.pos[model] = spots[k, :3]
        good[k] = coherent(now, w.shapes, mates, rule_)
    return good


def _straight(w: AnyWorld, c: Contact, model: int, spot: Ints) -> Path:
    path = c.way.straight(w, model, spot[:3])
    assert path is not None, "a model that does not touch stands at no place where it would"
    return path


def _around(w: AnyWorld, c: Contact, bodies: Bodies, model: int, spots: Ints) -> Iterator[Path]:
    """Ways around things, or up and down them, to the spots that a model can get to so."""
    start = w.state.models.pos[model]
    on_level = _around_on_level(w, c, bodies, model, spots[spots[:, 2] == start[2]])
    yield from (path for path in on_level if _touches(w, c, path))
    if not len(spots) or climb_of(w, c, model, c.way.ends(w, model)) is None:
        return
    ways, longest = ways_of(w, c, model), longest_in_field(c.far, CELL)
    fields = {z: ways.to_level(z) for z in sorted(set(spots[:, 2].tolist()))}
    length = np.array([way_in_field(fields[z], CELL, x - start[0], y - start[1]) for x, y, z, _ in spots.tolist()])
    order = np.argsort(length, kind="stable")
    close = spots[order[length[order] <= longest]]
    for x, y, z, _ in np.unique(np.concatenate((close[:NEAREST], spread_out(close, DETOURS))), axis=0).tolist():
        path = other_way(w, c, bodies, model, (x, y, z))
        if path is not None and _touches(w, c, path):
            yield path


def _touches(w: AnyWorld, c: Contact, path: Path) -> bool:
    """Whether a way ends at an enemy: one that can only be gone turned may end short of it, or beside it."""
    there = after(w, Moves("", (path,)))
    return bool(near(w, there, np.array([path.model]), models_of(w, c.prey), CONTACT)[0])


def _around_on_level(w: AnyWorld, c: Contact, bodies: Bodies, model: int, spots: Ints) -> Iterator[Path]:
    if not len(spots):
        return
    start = w.state.models.pos[model]
    blocks = c.way.ends(w, model)
    longest = longest_in_field(c.far, CELL)
    field = reach(c.way.things(w, w.bodies), w.shapes, w.terrain, model, int(longest), CELL, blocks).cost
    length = np.array([way_in_field(field, CELL, int(x - start[0]), int(y - start[1])) for x, y in spots[:, :2]])
    # A field knows no narrow ways: where it knows none at all, some spots are tried all the same.
    order = np.argsort(length, kind="stable")
    close = spots[order[length[order] <= longest]] if length.min() < math.inf else spots
    for x, y, z, _ in np.unique(np.concatenate((close[:NEAREST], spread_out(close, DETOURS))), axis=0).tolist():
        path = detour(w, c, bodies, model, (x, y, z))
        if path is not None:
            yield path


def _get_there_and_follow(
    w: AnyWorld,
    c: Contact,
    moves: Moves,
    model: int,
    prey: Ints,
    free: list[int],
    *,
    straight_only: bool = False,
) -> Moves | None:
    """The move with a model touching an enemy, some others following it, and the rest as they are."""
    fixed = Moves(moves.mode, tuple(p for p in moves.paths if p.model != model and p.model not in free))
    stand = after(w, fixed)
    # Those who follow have no places yet; far off the table they are in nobody's way.
    stand.pos[free] = OFF_THE_TABLE
    spots = _spots(w, c, stand, model, prey, c.far)
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
