"""The shapes of formations, and which model goes to which slot."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from sandtable.kernels import kernel
from sandtable.table.arrange_room import FAR
from sandtable.table.coherency import Coherency
from sandtable.table.grid import COS, SIN, TRIG_SCALE, TURN, Ints
from sandtable.table.scatter import offset
from sandtable.table.shapes import Shapes

KEEP, LINE, RANKS, BLOCK, WEDGE, RING, STRING, SCREEN = range(8)

_HALF = TRIG_SCALE // 2
_COS = COS
_SIN = SIN


class Plan(NamedTuple):
    """What formation is wanted, and where."""

    kind: int
    x: int
    y: int
    facing: int
    width: int
    """Length of the front, or -1 where (x, y) is the middle of the formation"""
    gap: int
    inner: int
    """Radius of what a ring surrounds; below 0: nothing"""
    turned: bool
    """Whether all models face as the formation does"""


@kernel
def _half_extents(shapes: Shapes, shape: int, turned: bool) -> tuple[int, int]:
    """Half of a base's size across and along its facing."""
    if not turned:
        return shapes.reach[shape], shapes.reach[shape]
    across, along = 0, 0
    for c in range(shapes.corners[shape]):
        along = max(along, abs(shapes.core[shape, c, 0]))
        across = max(across, abs(shapes.core[shape, c, 1]))
    return across + shapes.radius[shape], along + shapes.radius[shape]


@kernel
def middle_out(k: int) -> int:
    """0, 1, -1, 2, -2, ..."""
    return (k + 1) // 2 if k % 2 == 1 else -(k // 2)


@kernel
def _row(out: Ints, start: int, count: int, pitch: int, forward: int, along: bool) -> int:
    """Put `count` slots side by side, from the middle outwards so that each stands next to an earlier one."""
    shift = pitch // 2 if count % 2 == 0 else 0
    for k in range(count):
        place = middle_out(k) * pitch - shift
        out[start + k, 0] = forward if along else place
        out[start + k, 1] = place if along else forward
    return start + count


@kernel
def _chain(out: Ints, n: int, pitch: int, doubled: bool, along: bool) -> None:
    """A single row; `doubled` gives its end models a second neighbour by a model behind each end."""
    extras = 0
    if doubled and n > 2:
        extras = 1 if n == 3 else 2
    row = n - extras
    _row(out, 0, row, pitch, 0, along)
    side = pitch * 17 // 20
    shift = pitch // 2 if row % 2 == 0 else 0
    low = -((row - 1) // 2) * pitch - shift
    high = (row // 2) * pitch - shift
    for e in range(extras):
        place = low + pitch // 2 if e == 0 else high - pitch // 2
        # Four models: the two extras stand on both sides of the one pair.
        away = side if e == 1 and n == 4 else -side
        out[row + e, 0] = away if along else place
        out[row + e, 1] = place if along else away


@kernel
def _rows(out: Ints, n: int, columns: int, across: int, along: int) -> None:
    """Ranks of `columns` models, the front rank at 0."""
    done, rank = 0, 0
    while done < n:
        done = _row(out, done, min(columns, n - done), across, -rank * along, False)
        rank += 1


@kernel
def _wedge(out: Ints, n: int, across: int, along: int) -> None:
    """Ranks of 1, 2, 3, ... models behind the tip."""
    done, rank = 0, 0
    while done < n:
        done = _row(out, done, min(rank + 1, n - done), across, -rank * along, False)
        rank += 1


@kernel
def _turn_for(radius: int, chord: int) -> int:
    """The smallest angle whose chord on a circle is at least so long; half a turn where none is."""
    low, high = 1, TURN // 4
    if 2 * radius * _SIN[high] < chord * TRIG_SCALE:
        return TURN // 2
    while low < high:
        middle = (low + high) // 2
        if 2 * radius * _SIN[middle] >= chord * TRIG_SCALE:
            high = middle
        else:
            low = middle + 1
    return 2 * high


class _Pitch(NamedTuple):
    """Distances between the middles of neighbouring models."""

    across: int
    along: int
    widest: int
    """The longest at which any two are linked; 0 where nothing asks for links"""
    half: int
    """Half the width of the widest base"""
    single: bool
    """Whether a row at this pitch leaves its end models with too few neighbours"""


@kernel
def _pitch(shapes: Shapes, shape_rows: Ints, plan: Plan, rule: Coherency) -> _Pitch:
    """How far apart the models of a formation stand."""
    wide, deep, small = 0, 0, FAR
    for k in range(shape_rows.shape[0]):
        across, along = _half_extents(shapes, shape_rows[k], plan.turned)
        wide, deep = max(wide, across), max(deep, along)
        small = min(small, min(across, along))
    pitch, depth, widest = 2 * wide + plan.gap, 2 * deep + plan.gap, 0
    if rule.reach >= 0:
        # Two steps are left for rounding; big bases between small ones must not tear the unit apart.
        widest = 2 * small + max(rule.reach - 2, 0)
        most = max(widest, 2 * small + plan.gap)
        pitch, depth = min(pitch, most), min(depth, most)
    single = rule.neighbours > 1 and 2 * min(pitch, depth) - 2 * small > rule.reach
    return _Pitch(pitch, depth, widest, wide, single)


@kernel
def _ring(out: Ints, n: int, inner: int, pitch: _Pitch, gap: int) -> None:
    """Rings around a middle of radius `inner`, or one ring with room for all; the near side (facing 0) comes first."""
    if inner < 0:
        turn = max(1, TURN // (2 * max(n, 2)))
        radius = pitch.across * TRIG_SCALE // (2 * _SIN[turn]) + 1
    else:
        radius = inner + pitch.half + gap
    done = 0
    while done < n:
        least = _turn_for(radius, pitch.across)
        room = max(1, TURN // least)
        count = min(room, n - done)
        step = TURN // count
        if pitch.widest > 0:
            # Few models on a wide ring stay an arc, or they would lose each other.
            step = max(least, min(step, _turn_for(radius, pitch.widest)))
        shift = step // 2 if count % 2 == 0 else 0
        for k in range(count):
            x, y = offset(0, 0, middle_out(k) * step - shift, radius)
            out[done + k, 0], out[done + k, 1] = y, x
        done += count
        radius += pitch.across


@kernel
def _local(n: int, pitch: _Pitch, plan: Plan, rule: Coherency) -> Ints:
    """The slots around (0, 0) for a formation that faces up, [slot, right ahead]."""
    out = np.zeros((n, 2), dtype=np.int64)
    kind, columns = plan.kind, n
    if plan.width >= 0:
        columns = min(n, max(1, (plan.width - 2 * pitch.half) // pitch.across + 1))
    if kind == SCREEN:
        spread = max(pitch.across, pitch.widest)
        if plan.width >= 0 and n > 1:
            spread = max(pitch.across, min(spread, (plan.width - 2 * pitch.half) // (n - 1)))
        _chain(out, n, spread, rule.neighbours > 1, False)
    elif kind == STRING:
        _chain(out, n, pitch.along, pitch.single, True)
    elif kind == LINE and columns == n:
        _chain(out, n, pitch.across, pitch.single, False)
    elif kind == WEDGE:
        _wedge(out, n, pitch.across, pitch.along)
    elif kind == RING:
        _ring(out, n, plan.inner, pitch, plan.gap)
    else:
        if plan.width < 0:
            columns = (n + 1) // 2
            if kind == BLOCK:
                columns = 1
                while columns * columns < n:
                    columns += 1
        _rows(out, n, columns, pitch.across, pitch.along)
    return out


@kernel
def slots_of(start: Ints, shapes: Shapes, shape_rows: Ints, plan: Plan, x: int, y: int, rule: Coherency) -> Ints:
    """Where the models of a formation at (x, y) stand, [slot, x y]; each slot is next to an earlier one."""
    n = start.shape[0]
    out = np.empty((n, 2), dtype=np.int64)
    if plan.kind == KEEP:
        cx, cy = middle_of(start)
        for k in range(n):
            out[k, 0], out[k, 1] = start[k, 0] - cx + x, start[k, 1] - cy + y
        return out
    local = _local(n, _pitch(shapes, shape_rows, plan, rule), plan, rule)
    low, high = local[0, 1], local[0, 1]
    for k in range(n):
        low, high = min(low, local[k, 1]), max(high, local[k, 1])
    forward = 0
    if plan.kind == STRING:
        forward = -high
    elif plan.kind != RING and plan.width < 0:
        forward = -(low + high) // 2
    c, s = _COS[plan.facing], _SIN[plan.facing]
    for k in range(n):
        right, ahead = local[k, 0], local[k, 1] + forward
        out[k, 0] = x + (right * s + ahead * c + _HALF) // TRIG_SCALE
        out[k, 1] = y + (ahead * s - right * c + _HALF) // TRIG_SCALE
    return out


@kernel
def middle_of(start: Ints) -> tuple[int, int]:
    """The middle of the models."""
    n = start.shape[0]
    x, y = 0, 0
    for k in range(n):
        x += start[k, 0]
        y += start[k, 1]
    return x // n, y // n


@kernel
def _augment(cost: Ints, limit: int, model: int, seen: Ints, taken: Ints) -> bool:
    """Find a slot for a model at no more than the limit, moving others on where needed; depth first, by hand."""
    n = cost.shape[0]
    path_model = np.empty(n + 1, dtype=np.int64)
    path_slot = np.zeros(n + 1, dtype=np.int64)
    path_model[0] = model
    depth = 0
    while depth >= 0:
        m = path_model[depth]
        s = path_slot[depth]
        while s < n and (seen[s] != 0 or cost[m, s] > limit):
            s += 1
        if s == n:
            depth -= 1
            if depth >= 0:
                path_slot[depth] += 1
            continue
        seen[s] = 1
        path_slot[depth] = s
        if taken[s] < 0:
            for d in range(depth + 1):
                taken[path_slot[d]] = path_model[d]
            return True
        depth += 1
        path_model[depth] = taken[s]
        path_slot[depth] = 0
    return False


@kernel
def _matching(cost: Ints, limit: int, taken: Ints) -> bool:
    """Whether every model gets a slot at no more than the limit; `taken` holds the model of each slot."""
    n = cost.shape[0]
    taken[:] = -1
    seen = np.empty(n, dtype=np.int64)
    for m in range(n):
        seen[:] = 0
        if not _augment(cost, limit, m, seen, taken):
            return False
    return True


@kernel
def assign(cost: Ints) -> Ints:
    """The slot of each model so that the dearest is as cheap as can be, and the others cheap by swaps. [model, slot]"""
    n = cost.shape[0]
    taken = np.empty(n, dtype=np.int64)
    order = np.sort(cost.copy().reshape(n * n))
    low, high = n - 1, n * n - 1
    while low < high:
        middle = (low + high) // 2
        if _matching(cost, order[middle], taken):
            high = middle
        else:
            low = middle + 1
    limit = order[low]
    _matching(cost, limit, taken)
    slot = np.empty(n, dtype=np.int64)
    for s in range(n):
        slot[taken[s]] = s
    for _ in range(n):
        changed = False
        for a in range(n):
            for b in range(a + 1, n):
                ab, ba = cost[a, slot[b]], cost[b, slot[a]]
                if max(ab, ba) <= limit and ab + ba < cost[a, slot[a]] + cost[b, slot[b]]:
                    slot[a], slot[b] = slot[b], slot[a]
                    changed = True
        if not changed:
            break
    return slot


@kernel
def costs(start: Ints, slots: Ints, allowance: Ints) -> Ints:
    """How far each model is from each slot beyond its allowance (below 0: to spare), [model, slot]."""
    n = start.shape[0]
    out = np.empty((n, n), dtype=np.int64)
    for a in range(n):
        spare = 0 if allowance[a] >= FAR else allowance[a]
        for b in range(n):
            dx, dy = float(slots[b, 0] - start[a, 0]), float(slots[b, 1] - start[a, 1])
            out[a, b] = math.ceil(math.sqrt(dx * dx + dy * dy)) - spare
    return out


@kernel
def longest(cost: Ints, slot: Ints) -> int:
    """The dearest of an assignment."""
    worst = cost[0, slot[0]]
    for m in range(cost.shape[0]):
        worst = max(worst, cost[m, slot[m]])
    return worst
