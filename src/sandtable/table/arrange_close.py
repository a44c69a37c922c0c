"""Closing up with the enemy: charges, pile-ins and consolidations, model by model."""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np

from sandtable.kernels import bare, kernel, leaf
from sandtable.table.arrange_room import (
    FAR,
    PLACED,
    WAITING,
    Clear,
    Scene,
    clamp_move,
    first_free,
    lacking_links,
    rows,
    scene_of,
    within_move,
)
from sandtable.table.arrange_slots import middle_out
from sandtable.table.coherency import NO_COHERENCY, Coherency
from sandtable.table.cores import core_gap, place_core, point_segment2
from sandtable.table.grid import TOUCHING, TURN, Bools, Floats, Ints
from sandtable.table.layout import Terrain
from sandtable.table.measure import are_round, gaps, pair_gap, pair_rise, round_gap
from sandtable.table.scatter import bearing, offset
from sandtable.table.shapes import Bodies, Shapes

FAN: Final = 64
"""Directions in which contact with a target is tried; half as many where a base is not round."""

CONTACTS: Final = 6
"""With how many of its nearest targets a model tries to get into contact."""

BUDGET: Final = 6000
"""Most places that are looked at for one unit in one manner."""

RAYS, PACES = 33, 24
"""Where a model without contact looks for a nearer place: directions ahead, and places on each."""

ROUNDS: Final = 3
"""How often the last pace of that is refined."""

FOLLOW, CLOSE_ORDER, TOGETHER = range(3)
"""Each model keeps linked with one that moved before it; with as many as the rule asks for; or, in several passes, with
the whole unit at every step."""

_TOUCHING = TOUCHING


class CloseUp(NamedTuple):
    """End positions of models that moved towards the enemy."""

    pos: Ints
    ok: Bools
    """Whether the place is legal; a model that found none better stays where it was"""
    touching: Bools
    """Whether the model is in base contact with a target"""
    coherent: bool

    @property
    def legal(self) -> bool:
        """Whether the whole unit may stand like this."""
        return self.coherent and bool(self.ok.all())


class _Pair(NamedTuple):
    """A model that moves without turning, and one that stays: enough to ask many times for the gap between them."""

    own: Ints
    """[corner, x y] the mover's core around its middle"""
    there: Ints
    """The same where it was put last"""
    other: Ints
    """The core of the one that stays, in place"""
    size: Ints
    """Corners of the two cores, the sum of the radii, and that of the reaches"""


@kernel
def _pair(bodies: Bodies, shapes: Shapes, i: int, j: int) -> _Pair:
    """Model i as the mover and model j as the one that stays."""
    si, sj = bodies.shape[i], bodies.shape[j]
    own = np.empty((shapes.corners[si], 2), dtype=np.int64)
    other = np.empty((shapes.corners[sj], 2), dtype=np.int64)
    size = np.empty(4, dtype=np.int64)
    size[0] = place_core(shapes, si, 0, 0, bodies.facing[i], own)
    size[1] = place_core(shapes, sj, bodies.pos[j, 0], bodies.pos[j, 1], bodies.facing[j], other)
    size[2] = shapes.radius[si] + shapes.radius[sj]
    size[3] = shapes.reach[si] + shapes.reach[sj]
    return _Pair(own, own.copy(), other, size)


@bare
def _gap_at(pair: _Pair, x: int, y: int) -> float:
    """Horizontal gap of a pair with the mover at a place."""
    for c in range(pair.size[0]):
        pair.there[c, 0], pair.there[c, 1] = pair.own[c, 0] + x, pair.own[c, 1] + y
    return core_gap(pair.there, pair.size[0], pair.other, pair.size[1]) - pair.size[2]


@bare
def _up_to(pair: _Pair, jx: int, jy: int, direction: int) -> tuple[int, int]:
    """Where the mover touches the one that stays when it is in a direction from its middle."""
    if pair.size[0] == 1 and pair.size[1] == 1:
        return offset(jx, jy, direction, pair.size[2] + 1)
    # Along a ray out of a convex pair the gap only grows: halve until it is that of a touch.
    low, high = 0, pair.size[3] + 2
    within, beyond = low, high
    while high - low > 1:
        middle = (low + high) // 2
        if within < middle < beyond:
            x, y = offset(jx, jy, direction, middle)
            gap = _gap_at(pair, x, y)
            # It grows no faster than the way does; two steps leave room for rounding.
            if gap >= 0.0:
                high, beyond = middle, min(beyond, middle - int(gap) + 2)
            else:
                low, within = middle, max(within, middle + int(-gap) - 2)
        elif middle >= beyond:
            high = middle
        else:
            low = middle
    return offset(jx, jy, direction, high)


@bare
def _is_out_of_reach(pair: _Pair, jx: int, jy: int, direction: int, sx: int, sy: int, allowance: int) -> bool:
    """Whether a mover that touches the one that stays in a direction from it would be too far from its start."""
    if allowance >= FAR:
        return False
    ax, ay = offset(jx, jy, direction, pair.size[2])
    bx, by = offset(jx, jy, direction, pair.size[3] + 2)
    # A few steps more leave room for rounding.
    far = float(allowance + 4)
    return point_segment2(sx, sy, ax, ay, bx, by) > far * far


@kernel
def _notch(jx: int, jy: int, a: int, kx: int, ky: int, b: int, side: int) -> tuple[bool, int, int]:
    """The point at distance a from one middle and b from another, on one side: where a base touches two others."""
    dx, dy = float(kx - jx), float(ky - jy)
    d2 = dx * dx + dy * dy
    if d2 == 0.0:
        return False, jx, jy
    along = (d2 + float(a) * a - float(b) * b) / (2.0 * d2)
    h2 = float(a) * a / d2 - along * along
    if h2 < 0.0:
        return False, jx, jy
    across = math.sqrt(h2) * side
    return True, jx + round(along * dx - across * dy), jy + round(along * dy + across * dx)


@kernel
def _contact_places(scene: Scene, i: int, j: int, nearest: int, start: Ints, allowance: int) -> Ints:
    """Where model i would touch model j, the shortest way first; none that takes it away from its nearest target."""
    bodies, shapes = scene.bodies, scene.shapes
    out = np.empty((FAN + 2 * bodies.pos.shape[0], 2), dtype=np.int64)
    most = out.shape[0]
    far = np.empty(most, dtype=np.int64)
    number = 0
    before = pair_gap(bodies, shapes, i, nearest)
    if pair_rise(bodies, shapes, i, j) > 0 or pair_gap(bodies, shapes, i, j) - _TOUCHING > allowance:
        return out[:0]
    jx, jy = bodies.pos[j, 0], bodies.pos[j, 1]
    si, sj = bodies.shape[i], bodies.shape[j]
    straight = bearing(start[0] - jx, start[1] - jy)
    both_round = shapes.corners[si] == 1 and shapes.corners[sj] == 1
    pair = _pair(bodies, shapes, i, j)
    other = pair if nearest == j else _pair(bodies, shapes, i, nearest)
    fan = FAN if both_round else FAN // 2
    for c in range(most if both_round else fan):
        if c < fan:
            direction = (straight + middle_out(c) * TURN // fan) % TURN
            if _is_out_of_reach(pair, jx, jy, direction, start[0], start[1], allowance):
                continue
            x, y = _up_to(pair, jx, jy, direction)
        else:
            # Directions miss narrow room; the places that touch a neighbour too are the exact ends of it.
            k = (c - FAN) // 2
            if k in (i, j) or scene.state[k] == WAITING or shapes.corners[bodies.shape[k]] != 1:
                continue
            rk = shapes.radius[bodies.shape[k]]
            real, x, y = _notch(
                jx,
                jy,
                shapes.radius[si] + shapes.radius[sj] + 1,
                bodies.pos[k, 0],
                bodies.pos[k, 1],
                shapes.radius[si] + rk + 1,
                1 if c % 2 == 0 else -1,
            )
            if not real:
                continue
        if not within_move(x, y, start[0], start[1], allowance):
            continue
        if _gap_at(pair, x, y) > _TOUCHING:
            continue
        if nearest == j or _gap_at(other, x, y) < before:
            dx, dy = x - start[0], y - start[1]
            # The number behind the distance keeps the order of those that are equally far.
            out[number, 0], out[number, 1], far[number] = x, y, (dx * dx + dy * dy) * most + number
            number += 1
    return out[np.sort(far[:number]) % most]


@kernel
def _nearer_places(scene: Scene, i: int, j: int, start: Ints, allowance: int) -> Ints:
    """Places on rays ahead that are nearer to model j than the start, the nearest first."""
    bodies, shapes = scene.bodies, scene.shapes
    out = np.empty((RAYS * PACES, 2), dtype=np.int64)
    gap = np.empty(RAYS * PACES, dtype=np.float64)
    before = pair_gap(bodies, shapes, i, j)
    span = _span(scene, i, j, before, allowance)
    jx, jy = bodies.pos[j, 0], bodies.pos[j, 1]
    ahead = bearing(jx - start[0], jy - start[1])
    pair = _pair(bodies, shapes, i, j)
    number = _draw_fan(pair, jx, jy, start[0], start[1], ahead, span, allowance, before, out, gap)
    return out[np.argsort(gap[:number], kind="mergesort")]


@bare
def _draw_fan(
    pair: _Pair,
    jx: int,
    jy: int,
    sx: int,
    sy: int,
    ahead: int,
    span: int,
    allowance: int,
    before: float,
    out: Ints,
    gap: Floats,
) -> int:
    """Write the places on rays ahead where the gap is less than before, and that gap; return how many."""
    number, far = 0, before + pair.size[3]
    for ray in range(RAYS):
        direction = ahead + middle_out(ray) * TURN // 64
        for pace in range(1, PACES + 1):
            x, y = offset(sx, sy, direction, span * pace // PACES)
            x, y = clamp_move(sx, sy, x, y, allowance)
            dx, dy = float(x - jx), float(y - jy)
            # Outside the circles around both bases it is no nearer than that.
            if far >= 0.0 and dx * dx + dy * dy > far * far:
                continue
            now = _gap_at(pair, x, y)
            if now < before:
                out[number, 0], out[number, 1], gap[number] = x, y, now
                number += 1
    return number


@kernel
def _in_front(scene: Scene, i: int, places: Ints, start: Ints, targets: Ints) -> Ints:
    """Those of the places that a round base reaches straight on without passing through a round target."""
    bodies, shapes = scene.bodies, scene.shapes
    if shapes.corners[bodies.shape[i]] != 1:
        return places
    # Where the round targets on its level are from the start, and how far its middle must stay from theirs, squared.
    way = np.empty((targets.shape[0], 3), dtype=np.float64)
    number, far = 0, _furthest(places, start)
    for t in range(targets.shape[0]):
        j = targets[t]
        if shapes.corners[bodies.shape[j]] != 1 or pair_rise(bodies, shapes, i, j) > 0:
            continue
        apart = float(shapes.radius[bodies.shape[i]] + shapes.radius[bodies.shape[j]] - 1)
        tx, ty = float(bodies.pos[j, 0] - start[0]), float(bodies.pos[j, 1] - start[1])
        if math.sqrt(tx * tx + ty * ty) > far + apart + 2.0:
            continue
        way[number, 0], way[number, 1] = tx, ty
        way[number, 2] = apart * apart
        number += 1
    out = np.empty_like(places)
    found = 0
    for p in range(places.shape[0]):
        if _is_straight(float(places[p, 0] - start[0]), float(places[p, 1] - start[1]), way, number):
            out[found, 0], out[found, 1] = places[p, 0], places[p, 1]
            found += 1
    return out[:found]


@bare
def _furthest(places: Ints, start: Ints) -> float:
    """How far the furthest of the places is."""
    most = 0.0
    for p in range(places.shape[0]):
        dx, dy = float(places[p, 0] - start[0]), float(places[p, 1] - start[1])
        most = max(most, dx * dx + dy * dy)
    return math.sqrt(most)


@leaf
def _is_straight(dx: float, dy: float, way: Floats, number: int) -> bool:
    """Whether a straight step by (dx, dy) keeps far enough from what stands in the way."""
    far = dx * dx + dy * dy
    for t in range(number):
        tx, ty = way[t, 0], way[t, 1]
        along = min(1.0, max(0.0, (tx * dx + ty * dy) / far)) if far > 0.0 else 0.0
        ex, ey = tx - along * dx, ty - along * dy
        if ex * ex + ey * ey < way[t, 2]:
            return False
    return True


@kernel
def _span(scene: Scene, i: int, j: int, gap: float, allowance: int) -> int:
    """How far it makes sense to go towards model j: a little past it."""
    reach, shape = scene.shapes.reach, scene.bodies.shape
    return min(allowance, max(0, int(gap)) + 2 * reach[shape[i]] + 2 * reach[shape[j]])


@kernel
def _finer_places(scene: Scene, i: int, j: int, span: int) -> Ints:
    """Places between where model i is and one span on, towards model j, the furthest first."""
    x, y = scene.bodies.pos[i, 0], scene.bodies.pos[i, 1]
    ahead = bearing(scene.bodies.pos[j, 0] - x, scene.bodies.pos[j, 1] - y)
    out = np.empty((PACES, 2), dtype=np.int64)
    for k in range(PACES):
        out[k, 0], out[k, 1] = offset(x, y, ahead, span * (PACES - k) // PACES)
    return out


@kernel
def _by_gap(bodies: Bodies, shapes: Shapes, i: int, targets: Ints, group: Ints, lead: int) -> Ints:
    """The targets from the nearest to the furthest, those of the group that the model leads against before others."""
    gap = np.empty(targets.shape[0], dtype=np.float64)
    for t in range(targets.shape[0]):
        j = targets[t]
        gap[t] = round_gap(bodies, shapes, i, j) if are_round(bodies, shapes, i, j) else pair_gap(bodies, shapes, i, j)
        if lead >= 0 and group[t] != lead:
            gap[t] += 1.0e9
    return targets[np.argsort(gap, kind="mergesort")]


@kernel
def _in_turn(scene: Scene, n: int, targets: Ints, group: Ints) -> tuple[Ints, Ints]:
    """Who moves when, and to which group first (-1: any): the nearest of each group leads, the rest follow by gap."""
    order = np.empty(n, dtype=np.int64)
    lead = np.full(n, -1, dtype=np.int64)
    gone = np.zeros(n, dtype=np.bool_)
    gap = gaps(scene.bodies, scene.shapes, scene.mates[:n], targets)
    led = -1
    for place in range(n):
        # The next group that nobody leads against yet, lowest number first; then none.
        following = -1
        for t in range(targets.shape[0]):
            if group[t] > led and (following < 0 or group[t] < following):
                following = group[t]
        best, chosen = 1.0e18, -1
        for m in range(n):
            for t in range(targets.shape[0]):
                if not gone[m] and (following < 0 or group[t] == following) and gap[m, t] < best:
                    best, chosen = gap[m, t], m
        if following >= 0:
            led = following
            lead[chosen] = following
        order[place] = chosen
        gone[chosen] = True
    return order, lead


@kernel
def _touches_any(bodies: Bodies, shapes: Shapes, i: int, targets: Ints) -> bool:
    """Whether a model is in base contact with one of the targets."""
    for t in range(targets.shape[0]):
        j = targets[t]
        if pair_rise(bodies, shapes, i, j) > 0:
            continue
        gap = round_gap(bodies, shapes, i, j) if are_round(bodies, shapes, i, j) else pair_gap(bodies, shapes, i, j)
        if gap <= _TOUCHING:
            return True
    return False


@kernel
def _close_one(
    scene: Scene,
    i: int,
    targets: Ints,
    group: Ints,
    lead: int,
    start: Ints,
    allowance: int,
    wanted: int,
    most: int,
    over: bool,
) -> bool:
    """Move one model into contact, else nearer; False: it stays and may not even stand there."""
    bodies, shapes = scene.bodies, scene.shapes
    bodies.pos[i, 0], bodies.pos[i, 1] = start[0], start[1]
    order = _by_gap(bodies, shapes, i, targets, group, lead)
    number, nearest = min(CONTACTS, order.shape[0]), order[0]
    span = _span(scene, i, nearest, pair_gap(bodies, shapes, i, nearest), allowance)
    moved = False
    # First contact with each target, then a fan of places ahead, then ever finer steps from the best of these; and
    # last, if nothing was found, the start.
    for phase in range(number + 2 + ROUNDS):
        if phase < number:
            places = _contact_places(scene, i, order[phase], nearest, start, allowance)
        elif phase == number:
            places = _nearer_places(scene, i, nearest, start, allowance)
        elif phase <= number + ROUNDS:
            if not moved:
                continue
            span = span // PACES + 1
            places = _finer_places(scene, i, nearest, span)
        else:
            if moved:
                return True
            places = np.empty((1, 2), dtype=np.int64)
            places[0, 0], places[0, 1] = start[0], start[1]
            wanted, most = 0, -1
        if not over and phase <= number:
            places = _in_front(scene, i, places, start, targets)
        px, py = bodies.pos[i, 0], bodies.pos[i, 1]
        found = first_free(scene, i, places, places.shape[0], start, allowance, wanted, most) >= 0
        if found and (phase < number or phase > number + ROUNDS):
            return True
        if moved and not found:
            bodies.pos[i, 0], bodies.pos[i, 1] = px, py
        moved = moved or found
    return False


@kernel
def _close_up(
    scene: Scene, start: Ints, targets: Ints, group: Ints, allowance: Ints, hold: bool, over: bool, manner: int
) -> tuple[Bools, Bools, int]:
    """Move all models in a manner; return who may stand where they are, who touches, and how many lack links."""
    n, mates, bodies, shapes = start.shape[0], scene.mates, scene.bodies, scene.shapes
    ok = np.zeros(n, dtype=np.bool_)
    placed = mates.shape[0] - n
    for m in range(n):
        bodies.pos[mates[m]] = start[m]
    order, lead = _in_turn(scene, n, targets, group)
    for m in range(n):
        ok[m] = hold and _touches_any(bodies, shapes, mates[m], targets)
        placed += 1 if ok[m] else 0
        scene.state[mates[m]] = PLACED if ok[m] or manner == TOGETHER else WAITING
    held = ok.copy()
    enough = min(scene.rule.neighbours, mates.shape[0] - 1)
    passes = 3 if manner == TOGETHER else 1
    for turn in range(passes * n):
        m = order[turn % n]
        if held[m]:
            continue
        wanted, most = 0, -1
        if scene.rule.reach >= 0 and manner == TOGETHER:
            wanted, most = enough, lacking_links(scene)
        elif scene.rule.reach >= 0:
            wanted = min(placed, enough if manner == CLOSE_ORDER else 1)
        px, py = bodies.pos[mates[m], 0], bodies.pos[mates[m], 1]
        found = _close_one(scene, mates[m], targets, group, lead[m], start[m], allowance[m], wanted, most, over)
        back = bodies.pos[mates[m], 0] == start[m, 0] and bodies.pos[mates[m], 1] == start[m, 1]
        if turn >= n and (back or not found):
            # Nothing better than what it had, which it keeps: its start may be taken, or too far from the others.
            bodies.pos[mates[m], 0], bodies.pos[mates[m], 1] = px, py
        else:
            ok[m] = found
        scene.state[mates[m]] = PLACED
        placed += 1
    touching = np.zeros(n, dtype=np.bool_)
    for m in range(n):
        touching[m] = _touches_any(bodies, shapes, mates[m], targets)
    return ok, touching, lacking_links(scene)


def close_up(
    bodies: Bodies,
    shapes: Shapes,
    terrain: Terrain,
    models: Ints,
    targets: Ints,
    allowance: Ints | int,
    *,
    clear: Clear | None = None,
    coherency: Coherency = NO_COHERENCY,
    staying: Ints | None = None,
    groups: Ints | None = None,
    hold: bool = True,
    over: bool = False,
) -> CloseUp:
    """Move each model towards its nearest target: into base contact where there is room, else as near as it gets.

    For charges, pile-ins and consolidations. Models go in the order of closeness; a model that moves ends nearer to its
    nearest target. `groups` says for each target to which unit it belongs (0, 1, ...): the nearest model to each of
    these goes for it first, so that a charge reaches all its targets. With `hold` a model already in contact stays. A
    base that is straight behind a target is no place for models, unless they go `over` it.
    """
    models, targets = rows(models), rows(targets)
    n = models.shape[0]
    limit = np.empty(n, dtype=np.int64)
    limit[:] = allowance
    scene = scene_of(bodies, shapes, terrain, clear, models, rows(staying), coherency)
    start = bodies.pos[models]
    if n == 0 or targets.shape[0] == 0:
        nobody = np.zeros(n, dtype=np.bool_)
        return CloseUp(start, ~nobody, nobody, bool(lacking_links(scene) == 0))
    # Without groups nobody leads: all go for what is nearest.
    numbers = np.full(targets.shape[0], -1, dtype=np.int64) if groups is None else rows(groups)
    best: CloseUp | None = None
    for manner in (FOLLOW, CLOSE_ORDER, TOGETHER) if scene.rule.neighbours > 1 else (FOLLOW, TOGETHER):
        scene.budget[0] = BUDGET
        ok, touching, missing = _close_up(scene, start, targets, numbers, limit, hold, over, manner)
        found = CloseUp(scene.bodies.pos[models], ok, touching, bool(missing == 0))
        if found.legal:
            return found
        if best is None or (found.coherent and not best.coherent):
            best = found
    assert best is not None
    return best
