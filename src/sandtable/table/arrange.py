"""Where all models of a unit can end: in a formation, in an area, or up against the enemy.

The answers are places, not paths: every base is clear of what it must keep clear of, within its allowance measured
straight from its start, and the unit is coherent. What cannot be met is reported, never hidden: see `Arrangement`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final, Literal, NamedTuple, TypeAlias

import numpy as np

from sandtable.kernels import kernel
from sandtable.table.arrange_close import CloseUp, close_up
from sandtable.table.arrange_room import (
    FAR,
    PLACED,
    WAITING,
    Clear,
    Scene,
    clamp_move,
    clear_of,
    first_free,
    lacking_links,
    links_of,
    rows,
    scene_of,
)
from sandtable.table.arrange_slots import KEEP, RING, Plan, assign, costs, longest, middle_of, middle_out, slots_of
from sandtable.table.coherency import NO_COHERENCY, Coherency
from sandtable.table.grid import STEP, TURN, Bools, Ints
from sandtable.table.layout import Feature, Table, Terrain, Wall, compile_terrain
from sandtable.table.scatter import bearing, offset
from sandtable.table.shapes import Bodies, Shapes, pack, round_base

__all__ = [
    "FAR",
    "FORMATIONS",
    "Arrangement",
    "Clear",
    "CloseUp",
    "Formation",
    "arrange",
    "clear_of",
    "close_up",
    "spread",
    "warm_up",
]

Formation: TypeAlias = Literal["keep", "line", "ranks", "block", "wedge", "ring", "string", "screen"]
FORMATIONS: Final[tuple[Formation, ...]] = ("keep", "line", "ranks", "block", "wedge", "ring", "string", "screen")

TRIES: Final = (64, 40, 16, 0)
"""How far towards the anchor a unit goes, in 1/64 of what its allowance permits, until everybody finds room."""

BUDGET: Final = 4500
"""Most places that are looked at for one arrangement; a third of them in one try."""

RINGS: Final = 40
"""Rings in the search for room around a slot, each half a base further out than the one before."""

AT_ONCE: Final = 7
"""So many rings are drawn before they are looked at."""


class Arrangement(NamedTuple):
    """End positions of the models, in the order in which they were given."""

    pos: Ints
    facing: Ints
    ok: Bools
    """Whether the place is legal and within the allowance; a model that found none stays where it was"""
    coherent: bool
    slot: Ints
    """[model, x y] where the formation wanted it, before terrain, enemies and the allowance moved it"""

    @property
    def legal(self) -> bool:
        """Whether the whole unit may stand like this."""
        return self.coherent and bool(self.ok.all())


@kernel
def _rings_around(x: int, y: int, home: int, pace: int, first: int, last: int) -> Ints:
    """Places on rings around a place, from the inside out; on each ring those towards `home` come first."""
    out = np.empty((3 * last * (last + 1) - 3 * first * (first - 1), 2), dtype=np.int64)
    number = 0
    for ring in range(first, last + 1):
        for k in range(6 * ring):
            px, py = offset(x, y, home + middle_out(k) * TURN // (6 * ring), ring * pace)
            out[number, 0], out[number, 1] = px, py
            number += 1
    return out


@kernel
def _find_room(
    scene: Scene, i: int, x: int, y: int, start: Ints, allowance: int, wanted: int, most_lacking: int
) -> bool:
    """Put a model on a place that it may have: this one, or else the first on rings around it."""
    out = np.empty((1, 2), dtype=np.int64)
    out[0, 0], out[0, 1] = x, y
    if first_free(scene, i, out, 1, start, allowance, wanted, most_lacking) >= 0:
        return True
    pace = max(STEP // 16, scene.shapes.reach[scene.bodies.shape[i]] // 2)
    rings = RINGS
    if allowance < FAR:
        rings = min(rings, 2 * allowance // pace + 1)
    home = bearing(start[0] - x, start[1] - y)
    first = 1
    # Room is mostly near, and seldom is there leave to look at all rings: they are drawn a few at a time.
    while first <= rings and (first == 1 or scene.budget[0] > 0):
        last = min(rings, first + AT_ONCE - 1)
        places = _rings_around(x, y, home, pace, first, last)
        if first_free(scene, i, places, places.shape[0], start, allowance, wanted, most_lacking) >= 0:
            return True
        first = last + 1
    return False


@kernel
def _settle(
    scene: Scene, start: Ints, allowance: Ints, z: int, slots: Ints, order: Ints, strict: bool, ok: Bools
) -> int:
    """Place the models slot by slot, each linked with one that has its place; return how many things are wrong.

    `strict` links each with as many as the rule asks for at once, instead of mending that afterwards.
    """
    n, mates, bodies = start.shape[0], scene.mates, scene.bodies
    for m in range(n):
        scene.state[mates[m]] = WAITING
    placed, failed, missing = mates.shape[0] - n, 0, 0
    enough = min(scene.rule.neighbours, mates.shape[0] - 1)
    for turn in range(2 * n):
        mending = turn >= n
        if turn == n:
            missing = lacking_links(scene)
        if mending and missing == 0:
            break
        m = order[turn % n]
        i = mates[m]
        wanted, most = 0, -1
        if mending:
            wanted, most = enough, missing - 1
            if links_of(scene, i) >= wanted:
                continue
            x, y = bodies.pos[i, 0], bodies.pos[i, 1]
        else:
            if scene.rule.reach >= 0:
                wanted = min(placed, scene.rule.neighbours if strict else 1)
            x, y = clamp_move(start[m, 0], start[m, 1], slots[turn, 0], slots[turn, 1], allowance[m])
        old = bodies.pos[i, 2]
        bodies.pos[i, 2] = z
        found = _find_room(scene, i, x, y, start[m], allowance[m], wanted, most)
        if not found and not mending:
            # Last comes the start itself, linked or not: staying is no move.
            x, y, bodies.pos[i, 2] = start[m, 0], start[m, 1], start[m, 2]
            home = start[m : m + 1, :2].copy()
            found = first_free(scene, i, home, 1, start[m], allowance[m], 0, most) >= 0
        if mending and found:
            missing = lacking_links(scene)
            failed -= 0 if ok[m] else 1
            ok[m] = True
        elif mending:
            bodies.pos[i, 0], bodies.pos[i, 1], bodies.pos[i, 2] = x, y, old
        else:
            ok[m] = found
            failed += 0 if found else 1
            scene.state[i] = PLACED
            placed += 1
    return failed + missing


@kernel
def _pull(scene: Scene, start: Ints, allowance: Ints, plan: Plan) -> int:
    """How far towards the anchor the formation can go, in 1/64 of the way, so that all reach their slots."""
    shape_rows = scene.bodies.shape[scene.mates[: start.shape[0]]]
    cx, cy = middle_of(start)
    low, high, share = 0, 64, 64
    while low < high:
        x, y = cx + (plan.x - cx) * share // 64, cy + (plan.y - cy) * share // 64
        cost = costs(start, slots_of(start, scene.shapes, shape_rows, plan, x, y, scene.rule), allowance)
        if longest(cost, assign(cost)) <= 0:
            low = share
        else:
            high = share - 1
        share = (low + high + 1) // 2
    if low > 0:
        return low
    # The shape alone is too much: go as far as the slowest may, and let each do what it can.
    least = allowance[0]
    for m in range(start.shape[0]):
        least = min(least, allowance[m])
    dx, dy = float(plan.x - cx), float(plan.y - cy)
    way = math.sqrt(dx * dx + dy * dy)
    return 64 if way <= least else int(64.0 * least / way)


@kernel
def _attempt(
    scene: Scene, start: Ints, allowance: Ints, plan: Plan, share: int, z: int, strict: bool
) -> tuple[int, Bools, Ints]:
    """Try the formation at a share of the way; return how much is wrong, who is in place, and everybody's slot."""
    n = start.shape[0]
    cx, cy = middle_of(start)
    x, y = cx + (plan.x - cx) * share // 64, cy + (plan.y - cy) * share // 64
    slots = slots_of(start, scene.shapes, scene.bodies.shape[scene.mates[:n]], plan, x, y, scene.rule)
    taken = assign(costs(start, slots, allowance))
    order = np.empty(n, dtype=np.int64)
    ok = np.zeros(n, dtype=np.bool_)
    own = np.empty((n, 2), dtype=np.int64)
    for m in range(n):
        order[taken[m]] = m
        own[m] = slots[taken[m]]
    wrong = _settle(scene, start, allowance, z, slots, order, strict, ok)
    return wrong, ok, own


def arrange(
    bodies: Bodies,
    shapes: Shapes,
    terrain: Terrain,
    models: Ints,
    *,
    anchor: tuple[int, int] | None = None,
    front: tuple[tuple[int, int], tuple[int, int]] | None = None,
    shape: Formation = "block",
    gap: int = STEP // 4,
    facing: int | None = None,
    turn: bool = True,
    allowance: Ints | int | None = None,
    clear: Clear | None = None,
    coherency: Coherency = NO_COHERENCY,
    staying: Ints | None = None,
    inner: int = -1,
    z: int = 0,
) -> Arrangement:
    """End positions for the models around an anchor (the middle), or along a front from its left to its right end.

    `gap` is the space between bases; "screen" takes the widest that is coherent, "keep" moves the unit as it stands,
    "string" ends at the anchor. `allowance` is how far each model may be from its start, in steps (None: anywhere, as
    when deploying). `staying` are models of the unit that do not move. `inner` is the radius of what a "ring"
    surrounds. With `turn` all models face as the formation does.

    A slot that is not free is moved to the nearest free place; a unit that may not go so far goes as far as it can; and
    one that finds no legal way at all stays.
    """
    models = rows(models)
    n = models.shape[0]
    if n == 0:
        places = np.empty((0, 3), dtype=np.int64)
        return Arrangement(places, models, np.ones(0, dtype=np.bool_), True, places[:, :2])
    plan = _plan(bodies, models, anchor, front, shape, gap, facing, turn, inner)
    limit = np.full(n, FAR, dtype=np.int64)
    if allowance is not None:
        limit[:] = allowance
    scene = scene_of(bodies, shapes, terrain, clear, models, rows(staying), coherency)
    if turn:
        scene.bodies.facing[models] = plan.facing
    start = bodies.pos[models]
    best, least, left = None, FAR, BUDGET
    for tried, share, strict in _attempts(scene, start, limit, plan):
        if left <= 0:
            break
        scene.budget[0] = min(left, BUDGET // 3)
        left -= int(scene.budget[0])
        wrong, ok, slot = _attempt(scene, start, limit, tried, share, int(z), strict)
        if wrong < least:
            least = wrong
            missing = lacking_links(scene)
            best = Arrangement(scene.bodies.pos[models], scene.bodies.facing[models], ok, bool(missing == 0), slot)
        left += max(0, int(scene.budget[0]))
        if wrong == 0:
            break
    assert best is not None
    if least == 0 or allowance is None:
        return best
    return _stayed(scene, bodies, models, best) or best


def _attempts(scene: Scene, start: Ints, limit: Ints, plan: Plan) -> Iterator[tuple[Plan, int, bool]]:
    """What to try, one after the other: the formation, then the unit's own shape, each ever less far."""
    anywhere = bool((limit >= FAR).all())
    plans = [plan] if anywhere or plan.kind == KEEP else [plan, plan._replace(kind=KEEP)]
    for tried in plans:
        fixed = anywhere or tried.kind == RING
        reachable = 64 if fixed else _pull(scene, start, limit, tried)
        for strict in (False, True) if scene.rule.neighbours > 1 else (False,):
            for share in TRIES[:1] if fixed else TRIES:
                yield tried, reachable * share // 64, strict


def _stayed(scene: Scene, bodies: Bodies, models: Ints, best: Arrangement) -> Arrangement | None:
    """The unit where it is, if it stands well there."""
    start = bodies.pos[models]
    scene.bodies.pos[models] = start
    scene.bodies.facing[models] = bodies.facing[models]
    scene.state[models] = PLACED
    if lacking_links(scene) > 0:
        return None
    for m, i in enumerate(models):
        if first_free(scene, int(i), start[m : m + 1, :2].copy(), 1, start[m], FAR, 0, -1) < 0:
            return None
    return Arrangement(start, bodies.facing[models], np.ones(len(models), dtype=np.bool_), True, best.slot)


def _plan(
    bodies: Bodies,
    models: Ints,
    anchor: tuple[int, int] | None,
    front: tuple[tuple[int, int], tuple[int, int]] | None,
    shape: Formation,
    gap: int,
    facing: int | None,
    turn: bool,
    inner: int,
) -> Plan:
    """The formation in numbers. A front faces away from those who see its left end on their left."""
    width = -1
    if front is not None and anchor is None:
        (ax, ay), (bx, by) = front
        x, y = (ax + bx) // 2, (ay + by) // 2
        width = math.isqrt((bx - ax) ** 2 + (by - ay) ** 2)
        if facing is None:
            facing = bearing(ay - by, bx - ax)
    elif anchor is not None and front is None:
        x, y = anchor
    else:
        raise ValueError("give either an anchor or a front")
    if facing is None:
        sx, sy = middle_of(bodies.pos[models])
        far = (x - sx) ** 2 + (y - sy) ** 2 > STEP * STEP
        facing = bearing(x - sx, y - sy) if far else int(bodies.facing[models[0]])
        if shape == "ring":
            # The first slots of a ring are on the side that the unit comes from.
            facing += TURN // 2
    return Plan(
        FORMATIONS.index(shape), int(x), int(y), int(facing) % TURN, int(width), int(gap), int(inner), bool(turn)
    )


def spread(
    bodies: Bodies,
    shapes: Shapes,
    terrain: Terrain,
    models: Ints,
    anchor: tuple[int, int],
    *,
    shape: Formation = "block",
    gap: int = STEP // 4,
    facing: int | None = None,
    clear: Clear | None = None,
    coherency: Coherency = NO_COHERENCY,
    z: int = 0,
    tries: int = 48,
) -> Arrangement:
    """Set a unit up from nowhere, as near to the anchor as there is room, in the area that `clear` names."""
    best: Arrangement | None = None
    for k in range(tries):
        x, y = _spiral(anchor, k, 2 * STEP)
        if k > 0 and not (0 <= x <= terrain.size[0] and 0 <= y <= terrain.size[1]):
            continue
        found = arrange(
            bodies,
            shapes,
            terrain,
            models,
            anchor=(x, y),
            shape=shape,
            gap=gap,
            facing=facing,
            clear=clear,
            coherency=coherency,
            z=z,
        )
        if found.legal:
            return found
        if best is None or found.ok.sum() > best.ok.sum():
            best = found
    assert best is not None
    return best


def _spiral(middle: tuple[int, int], k: int, pace: int) -> tuple[int, int]:
    """The k-th place of rings around a middle: 1, 6, 12, 18, ... places."""
    ring, first = 0, 0
    while k >= first + max(1, 6 * ring):
        first += max(1, 6 * ring)
        ring += 1
    x, y = offset(middle[0], middle[1], (k - first) * TURN // max(1, 6 * ring), ring * pace)
    return int(x), int(y)


def warm_up() -> None:
    """Compile the kernels, or load them from disk."""
    shapes = pack([round_base(1, 1)])
    square = ((6 * STEP, 6 * STEP), (7 * STEP, 6 * STEP), (7 * STEP, 7 * STEP), (6 * STEP, 7 * STEP))
    feature = Feature("f", "crate", square, 0, STEP, True, walls=(Wall(square[0], square[1], 0, STEP),))
    terrain = compile_terrain(Table(12 * STEP, 12 * STEP, "in", (feature,)))
    pos = np.array([[2, 2, 0], [4, 2, 0], [8, 8, 0]], dtype=np.int64) * STEP
    bodies = Bodies(pos, np.zeros(3, dtype=np.int64), np.zeros(3, dtype=np.int64))
    models = np.arange(2)
    rule = Coherency(2 * STEP, 5 * STEP, 1)
    arrange(bodies, shapes, terrain, models, anchor=(5 * STEP, 4 * STEP), allowance=2 * STEP, coherency=rule)
    # A table too small for the unit runs the searches that usually are not needed.
    crowded = compile_terrain(Table(STEP, STEP, "in"))
    arrange(bodies, shapes, crowded, models, anchor=(STEP, STEP), allowance=STEP, coherency=rule)
    close_up(bodies, shapes, terrain, models, np.array([2]), 2 * STEP, coherency=rule)
    spread(bodies, shapes, terrain, models, (3 * STEP, 3 * STEP))
