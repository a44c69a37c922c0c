"""Attacks made each in turn, some of them directed at a character behind its bodyguards.

The bodyguards fall in a fixed order, and the character comes last. So a state is a place on a grid: the wounds that the
bodyguards have lost along their order, and the wounds that the character has lost. A wound that is directed moves
along the one axis, any other along the other, and along the first again when the bodyguards are gone. Numbered row by
row, the grid is a line on which wounds lead on and never back, and the machinery of the walk serves it too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import msgspec
import numpy as np
import numpy.typing as npt

from sandtable.attack.bounds import check_work
from sandtable.attack.numbers import Floats
from sandtable.attack.volley import Attack, Target
from sandtable.attack.walk import Packed, Queues, aimed_at, order_of, pack_bodies, pack_queues, pack_volleys, queues_of
from sandtable.attack.walk_kernels import (
    CAP,
    NONE,
    QUEUE_SPILL,
    STRIDE,
    WAITING,
    WOUNDS,
    Ints,
    add_kind,
    mortal_row,
    rooms,
    run_volley,
)
from sandtable.kernels import kernel

Left: TypeAlias = tuple[int, ...]
Bools: TypeAlias = npt.NDArray[np.bool_]


def resolve(attack: Attack) -> dict[Left, float] | None:
    """The chance of each final state; None where this is no such attack, or not one that a grid is enough for."""
    found = aimed_at(attack)
    queues = queues_of(attack.volleys)
    bodies = attack.target.bodies
    if attack.choices.aim != "always" or attack.choices.weighed or len(found) != 1 or queues is None:
        return None
    hero = found[0]
    guards = [b for i, b in enumerate(bodies) if i != hero]
    if any(b.rank >= bodies[hero].rank for b in guards):
        return None
    aims = [bodies[hero].model in v.aim for v in attack.volleys]
    mortals = [k.mortal for aim, v in zip(aims, attack.volleys, strict=True) if aim for k in v.kinds]
    if any(m is not None and not m.held for m in mortals):
        return None
    # A mortal wound of an aimed volley goes to the character first. Should it be gone by then, or when the wound was
    # caused, it makes no difference that it was meant.
    first = [{aims[v] for v in queue.volleys} for queue in queues]
    if any(len(each) > 1 for each in first):
        return None
    choices = msgspec.structs.replace(attack.choices, aim="never")
    order = order_of(Attack(attack.volleys, Target(tuple(guards)), attack.procedure, choices))
    if order is None:
        return None
    line = [i + (i >= hero) for i in order]
    packed_bodies = pack_bodies([bodies[i] for i in (*line, hero)])
    packed = pack_volleys(attack.volleys, attack.choices)
    packed_queues = pack_queues(queues, packed_bodies, packed, attack.choices.sums)
    chances = _run(packed_bodies, packed, packed_queues, np.array(aims), np.array([True in each for each in first]))
    return _listed(attack, line, hero, chances)


def _run(bodies: Ints, packed: Packed, queues: Queues, aims: Bools, first: Bools) -> Floats:
    levels = int(np.prod(queues.rows[:, CAP] + 1))
    states = int(bodies[:, WOUNDS].sum()) + 1
    band = min(states, packed.numbers.shape[1] * 2)
    columns = int(bodies[-1, WOUNDS]) + 1
    work = packed.attacks.size * levels * states * columns * band * columns * packed.hits.shape[1]
    check_work(work * packed.hits.shape[2])
    return run_grid(bodies, *packed, *queues, aims, first.astype(np.bool_), levels, band)


def _listed(attack: Attack, line: Sequence[int], hero: int, chances: Floats) -> dict[Left, float]:
    """The grid as final states."""
    left = [b.wounds for b in attack.target.bodies]
    full = left[hero]
    grid = chances.reshape(-1, full + 1).tolist()
    out = {}
    place = 0
    for s, row in enumerate(grid):
        if s:
            while not left[line[place]]:
                place += 1
            left[line[place]] -= 1
        for h, p in enumerate(row):
            if p > 0:
                left[hero] = full - h
                out[tuple(left)] = p
    return out


# ---------------------------------------------------------------------- kernels


@kernel
def _spread_row(line: Floats, s: int, guards: int, columns: int, out: Floats) -> None:
    """Put a row of a line, bodyguards first and then the character, onto the grid."""
    for j in range(len(line)):
        if line[j] > 0.0:
            over = max(0, s + j - guards)
            out[(j - over) * columns + over] += line[j]


@kernel
def _grid_of(
    bodies: Ints,
    aimed: bool,
    kinds: Ints,
    chances: Floats,
    numbers: Floats,
    band: int,
    stay: Floats,
    shift: Floats,
) -> None:
    """What one wound does, state by state; `chances` are those of the kinds."""
    columns = bodies[-1, WOUNDS] + 1
    guards = bodies[:-1, WOUNDS].sum()
    none = 1.0
    for k in range(len(kinds)):
        none -= chances[k]
    for h in range(columns):
        now = bodies.copy()
        now[-1, WOUNDS] = columns - 1 - h
        body_of, end_of = rooms(now)
        on_line, line_shift = np.zeros((len(body_of), band)), np.zeros((len(body_of), band))
        alone = now[-1:]
        hero_of, hero_end = rooms(alone)
        on_hero, hero_shift = np.zeros((len(hero_of), band)), np.zeros((len(hero_of), band))
        for k in range(len(kinds)):
            if chances[k] > 0.0:
                add_kind(now, body_of, end_of, kinds[k], numbers, chances[k], WAITING, on_line, line_shift)
                if aimed:
                    add_kind(alone, hero_of, hero_end, kinds[k], numbers, chances[k], WAITING, on_hero, hero_shift)
        for s in range(guards + 1):
            row = s * columns + h
            stay[row, 0] += max(0.0, none)
            if aimed and s < guards and h < columns - 1:
                # From here on the row counts as if the bodyguards were gone: wounds move along the character's axis.
                _spread_row(on_hero[0], guards, guards, columns, stay[row])
                _spread_row(hero_shift[0], guards, guards, columns, shift[row])
            else:
                _spread_row(on_line[s], s, guards, columns, stay[row])
                _spread_row(line_shift[s], s, guards, columns, shift[row])


@kernel
def _mortal_on_line(line: Ints, s: int, guards: int, columns: int, points: Floats, spill: bool, out: Floats) -> None:
    """Mortal wounds along the line: bodyguards first."""
    body_of, end_of = rooms(line)
    row = np.zeros(len(points))
    for j in range(mortal_row(line, body_of, end_of, s, points, spill, row)):
        over = max(0, s + j - guards)
        out[(j - over) * columns + over] += row[j]


@kernel
def _mortal_on_hero(line: Ints, s: int, columns: int, points: Floats, spill: bool, out: Floats) -> None:
    """Mortal wounds on the character first, and then along the line."""
    body_of, end_of = rooms(line)
    hero = line[-1, WOUNDS]
    rest = len(body_of) - hero - s
    turned_of, turned_end = np.empty(hero + rest, dtype=np.int64), np.empty(hero + rest, dtype=np.int64)
    turned_of[:hero] = len(line) - 1
    turned_end[:hero] = hero
    for i in range(rest):
        turned_of[hero + i] = body_of[s + i]
        turned_end[hero + i] = end_of[s + i] - s + hero
    row = np.zeros(len(points))
    for j in range(mortal_row(line, turned_of, turned_end, 0, points, spill, row)):
        out[max(0, j - hero) * columns + min(j, hero)] += row[j]


@kernel
def _suffer(bodies: Ints, points: Floats, queue: Ints, first: bool, now: Floats) -> None:
    """Inflict the mortal wounds of one queue, from the longest queue down: each level joins the one below."""
    columns = bodies[-1, WOUNDS] + 1
    guards = bodies[:-1, WOUNDS].sum()
    states = now.shape[1]
    spill = queue[QUEUE_SPILL] != 0
    rows = np.zeros((states, min(states, (len(points) - 1) * columns + 1)))
    for h in range(columns):
        line = bodies.copy()
        line[-1, WOUNDS] = columns - 1 - h
        for s in range(guards + 1):
            row = rows[s * columns + h]
            if first and s < guards and h < columns - 1:
                _mortal_on_hero(line, s, columns, points, spill, row)
            else:
                _mortal_on_line(line, s, guards, columns, points, spill, row)
    for c in range(len(now) - 1, -1, -1):
        if (c // queue[STRIDE]) % (queue[CAP] + 1) == 0:
            continue
        below = now[c - queue[STRIDE]]
        for row_of in range(states):
            if now[c, row_of] > 0.0:
                for j in range(min(rows.shape[1], states - row_of)):
                    below[row_of + j] += now[c, row_of] * rows[row_of, j]
        now[c] = 0.0


@kernel
def run_grid(
    bodies: Ints,
    attacks: Floats,
    hits: Floats,
    wounds: Floats,
    automatic: Ints,
    kinds: Ints,
    numbers: Floats,
    queues: Ints,
    points: Floats,
    queue_of: Ints,
    adds: Floats,
    aims: Bools,
    first: Bools,
    levels: int,
    band: int,
) -> Floats:
    """All volleys, then the mortal wounds that waited: chances of the places on the grid."""
    columns = bodies[-1, WOUNDS] + 1
    states = (bodies[:-1, WOUNDS].sum() + 1) * columns
    wide = min(states, (band - 1) * columns + 1)
    now, out = np.zeros((levels, states)), np.zeros((levels, states))
    spare = (
        np.empty((levels, states)),
        np.empty((levels, states)),
        np.empty((levels, states)),
        np.empty((levels, states)),
    )
    now[0, 0] = 1.0
    used = 1
    for v in range(len(attacks)):
        queue = np.zeros(3, dtype=np.int64)
        if queue_of[v] != NONE:
            queue[:] = queues[queue_of[v]]
        stay, shift = np.zeros((states, wide)), np.zeros((states, wide))
        _grid_of(bodies, aims[v], kinds, wounds[v], numbers, band, stay, shift)
        auto_stay, auto_shift = stay, shift
        if hits.shape[1] > 1:
            sure = np.zeros(len(kinds))
            sure[automatic[v]] = 1.0
            auto_stay, auto_shift = np.zeros((states, wide)), np.zeros((states, wide))
            _grid_of(bodies, aims[v], kinds, sure, numbers, band, auto_stay, auto_shift)
        used = run_volley(
            attacks[v], hits[v], (stay, shift), (auto_stay, auto_shift), queue, adds[v], now, out, used, spare
        )
    for q in range(len(queues)):
        _suffer(bodies, points[q], queues[q], first[q], now)
    return now[0].copy()
