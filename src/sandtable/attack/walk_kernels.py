"""The machine code of the walk along a target's wounds: one wound, one attack, all volleys.

Matrices here are bands: row `s`, column `j` is the chance to come from state `s` to `s + j`.
"""

from __future__ import annotations

from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from sandtable.attack.numbers import Floats
from sandtable.attack.volley import NEVER
from sandtable.kernels import kernel

Ints: TypeAlias = npt.NDArray[np.int64]

NONE: Final = -1
FAINT: Final = 1e-25
"""Chances below this are let go: they cost as much as others, and all together do not reach the twelfth decimal."""

# Columns of the arrays that the kernels work on.

# bodies: then the saves by class
WOUNDS, PAIN, PAIN_MORTAL, AGAIN, SAVES = range(5)
# kinds of wounds; damage and points are rows of `numbers`
SAVE, DAMAGE, POINTS, SPILL, HELD = range(5)
# queues of mortal wounds that wait: the step from level to level, the number that need not be exceeded, and the rest
STRIDE, CAP, QUEUE_SPILL = range(3)

# What the levels count.
WAITING, FAILED_SAVES = range(2)


# ---------------------------------------------------------------------- kernels: one wound


@kernel
def lost_when_unsaved(body: Ints, save: int, damage: Floats, out: Floats) -> float:
    """Fill in the chance of each number of wounds lost to damage that is not saved; the chance of the save."""
    chance = 0.0
    if save != NONE and body[SAVES + save] < NEVER:
        needed = max(1, body[SAVES + save])
        chance = (NEVER - needed) / 6
        again = 0
        for face in range(1, needed):
            again += (body[AGAIN] >> face) & 1
        chance += chance * again / 6
    kept_points(damage, min(1.0, max(0, NEVER - body[PAIN]) / 6), out)
    return chance


@kernel
def kept_points(damage: Floats, kept: float, out: Floats) -> None:
    """Of so many points of damage, how many are lost when each may be kept."""
    out[:] = 0.0
    if kept == 0.0:
        out[: len(damage)] = damage
        return
    row = np.zeros(len(damage))
    row[0] = 1.0
    for points in range(len(damage)):
        if points:
            for lost in range(points, 0, -1):
                row[lost] = row[lost] * kept + row[lost - 1] * (1 - kept)
            row[0] *= kept
        for lost in range(points + 1):
            out[lost] += damage[points] * row[lost]


@kernel
def mortal_row(bodies: Ints, body_of: Ints, end_of: Ints, start: int, points: Floats, spill: bool, out: Floats) -> int:
    """The chance of each state after mortal wounds that begin at a state; returns how many places from it count."""
    last = len(body_of) - 1
    out[:] = 0.0
    now = np.zeros(len(points))
    now[0] = 1.0
    stop = last if spill or start == last else end_of[start]
    wide = min(len(points) - 1, stop - start)
    out[0] = points[0]
    for count in range(1, len(points)):
        for j in range(min(count, wide), -1, -1):
            here = 0.0
            if start + j == stop:
                here = now[j]
            else:
                here = now[j] * min(1.0, max(0, NEVER - bodies[body_of[start + j], PAIN_MORTAL]) / 6)
            if j:
                here += now[j - 1] * (1 - min(1.0, max(0, NEVER - bodies[body_of[start + j - 1], PAIN_MORTAL]) / 6))
            now[j] = here
        for j in range(min(count, wide) + 1):
            out[j] += points[count] * now[j]
    return wide + 1


@kernel
def add_kind(
    bodies: Ints,
    body_of: Ints,
    end_of: Ints,
    kind: Ints,
    numbers: Floats,
    chance: float,
    counting: int,
    stay: Floats,
    shift: Floats,
) -> None:
    """Add what a kind of wound does, state by state: to `stay`, or to `shift` where the second number goes up."""
    last = len(body_of) - 1
    band = stay.shape[1]
    lost = np.zeros(numbers.shape[1])
    row = np.zeros(band)
    failed = np.zeros(band)
    before = NONE
    saved = 0.0
    for s in range(last):
        body, end = body_of[s], end_of[s]
        row[:] = 0.0
        failed[:] = 0.0
        if kind[DAMAGE] == NONE:
            row[0] = 1.0
        else:
            if body != before:
                saved = lost_when_unsaved(bodies[body], kind[SAVE], numbers[kind[DAMAGE]], lost)
                before = body
            into = failed if counting == FAILED_SAVES else row
            row[0] += saved
            for points in range(len(lost)):
                into[min(points, end - s)] += (1 - saved) * lost[points]
        if kind[POINTS] != NONE and not kind[HELD]:
            _then_mortal(bodies, body_of, end_of, s, numbers[kind[POINTS]], kind[SPILL] != 0, row)
            _then_mortal(bodies, body_of, end_of, s, numbers[kind[POINTS]], kind[SPILL] != 0, failed)
        up = shift if counting == WAITING and kind[POINTS] != NONE and kind[HELD] else stay
        for j in range(min(band, last - s + 1)):
            up[s, j] += chance * row[j]
            shift[s, j] += chance * failed[j]
    stay[last, 0] += chance


@kernel
def _then_mortal(
    bodies: Ints, body_of: Ints, end_of: Ints, start: int, points: Floats, spill: bool, row: Floats
) -> None:
    """Let mortal wounds follow at once on what a row says."""
    out = np.zeros(len(row))
    then = np.zeros(len(points))
    for j in range(len(row)):
        if row[j] > 0.0:
            wide = mortal_row(bodies, body_of, end_of, start + j, points, spill, then)
            for i in range(wide):
                out[j + i] += row[j] * then[i]
    row[:] = out


# ---------------------------------------------------------------------- kernels: one attack


@kernel
def _apply(now: Floats, levels: int, stay: Floats, shift: Floats, queue: Ints, adds: Floats, out: Floats) -> int:
    """One wound for every state and level; returns the levels in use afterwards."""
    states = now.shape[1]
    band = stay.shape[1]
    counts = queue[STRIDE] > 0
    after = min(len(now), levels + queue[STRIDE] * (len(adds) - 1)) if counts else levels
    out[:after] = 0.0
    for c in range(levels):
        for s in range(states):
            p = now[c, s]
            if p < FAINT:
                continue
            wide = min(band, states - s)
            for j in range(wide):
                out[c, s + j] += p * stay[s, j]
            if not counts or s == states - 1:
                continue
            waiting = (c // queue[STRIDE]) % (queue[CAP] + 1)
            for more in range(len(adds)):
                if adds[more] > 0.0:
                    up = c + queue[STRIDE] * (min(queue[CAP], waiting + more) - waiting)
                    for j in range(wide):
                        out[up, s + j] += p * adds[more] * shift[s, j]
    while after > levels and out[after - 1].max() == 0.0:
        after -= 1
    return after


@kernel
def _add(out: Floats, chance: float, now: Floats, levels: int) -> None:
    for c in range(levels):
        for s in range(now.shape[1]):
            out[c, s] += chance * now[c, s]


@kernel
def _fold_hits(hits: Floats, stay: Floats, shift: Floats) -> None:
    """Put hit roll and wound roll of attacks that give one hit at most into one matrix."""
    stay *= hits[0, 1]
    shift *= hits[0, 1]
    for s in range(len(stay)):
        stay[s, 0] += hits[0, 0]


@kernel
def _one_attack(
    hits: Floats,
    now: Floats,
    levels: int,
    rolled: tuple[Floats, Floats, Ints],
    unrolled: tuple[Floats, Floats, Ints],
    adds: Floats,
    spare: tuple[Floats, Floats, Floats, Floats],
) -> int:
    """One attack with all that its hit roll can give; the result is written back into `now`."""
    total, first, second, third = spare
    reach = max(rolled[2][STRIDE], unrolled[2][STRIDE]) * (len(adds) - 1)
    total[: levels + reach * (hits.shape[0] + hits.shape[1])] = 0.0
    most = levels
    first[:levels] = now[:levels]
    at_wounds = levels
    for wounds in range(hits.shape[0]):
        second[:at_wounds] = first[:at_wounds]
        at = at_wounds
        last = NONE
        for h in range(hits.shape[1]):
            if hits[wounds, h] > 0.0:
                last = h
        for h in range(last + 1):
            if hits[wounds, h] > 0.0:
                _add(total, hits[wounds, h], second, at)
                most = max(most, at)
            if h < last:
                at = _apply(second, at, rolled[0], rolled[1], rolled[2], adds, third)
                second[:at] = third[:at]
        if wounds + 1 < hits.shape[0]:
            at_wounds = _apply(first, at_wounds, unrolled[0], unrolled[1], unrolled[2], adds, third)
            first[:at_wounds] = third[:at_wounds]
    now[:most] = total[:most]
    return most


# ---------------------------------------------------------------------- kernels: all volleys


@kernel
def rooms(bodies: Ints) -> tuple[Ints, Ints]:
    """For each state the body whose turn it is, and the state in which that body is gone."""
    states = bodies[:, WOUNDS].sum() + 1
    body_of = np.empty(states, dtype=np.int64)
    end_of = np.empty(states, dtype=np.int64)
    s = 0
    for i in range(len(bodies)):
        end = s + bodies[i, WOUNDS]
        body_of[s:end] = i
        end_of[s:end] = end
        s = end
    body_of[s] = len(bodies)
    end_of[s] = s
    return body_of, end_of


@kernel
def run_walk(
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
    counting: int,
    levels: int,
    band: int,
) -> Floats:
    """All volleys, then the mortal wounds that waited: chances of the states, or of the levels for FAILED_SAVES."""
    body_of, end_of = rooms(bodies)
    states = len(body_of)
    now = np.zeros((levels, states))
    out = np.zeros((levels, states))
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
        stay = np.zeros((states, band))
        shift = np.zeros((states, band))
        none = 1.0
        for k in range(len(kinds)):
            if wounds[v, k] > 0.0:
                none -= wounds[v, k]
                add_kind(bodies, body_of, end_of, kinds[k], numbers, wounds[v, k], counting, stay, shift)
        for s in range(states):
            stay[s, 0] += max(0.0, none)
        auto_stay, auto_shift = stay, shift
        if hits.shape[1] > 1:
            auto_stay, auto_shift = np.zeros((states, band)), np.zeros((states, band))
            add_kind(bodies, body_of, end_of, kinds[automatic[v]], numbers, 1.0, counting, auto_stay, auto_shift)
        used = run_volley(
            attacks[v], hits[v], (stay, shift), (auto_stay, auto_shift), queue, adds[v], now, out, used, spare
        )
    if counting == FAILED_SAVES:
        counted = np.zeros(used)
        for c in range(used):
            counted[c] = now[c].sum()
        return counted
    for q in range(len(queues)):
        _suffer(bodies, body_of, end_of, points[q], queues[q], now)
    return now[0].copy()


@kernel
def _queue_for(shift: Floats, queue: Ints) -> Ints:
    """The queue of a wound, or none at all where it can add nothing to it."""
    return queue if shift.max() > 0.0 else np.zeros(3, dtype=np.int64)


@kernel
def run_volley(
    attacks: Floats,
    hits: Floats,
    wound: tuple[Floats, Floats],
    automatic: tuple[Floats, Floats],
    queue: Ints,
    adds: Floats,
    now: Floats,
    out: Floats,
    used: int,
    spare: tuple[Floats, Floats, Floats, Floats],
) -> int:
    """As many attacks as the dice give; the result is written back into `now`, and the levels in use returned.

    `wound` is what a wound roll does to the states, without and with mortal wounds for the queue; `automatic` the same
    for a wound that is not rolled.
    """
    fold = hits.shape == (1, 2)
    if fold:
        _fold_hits(hits, wound[0], wound[1])
    rolled = (wound[0], wound[1], _queue_for(wound[1], queue))
    unrolled = (automatic[0], automatic[1], _queue_for(automatic[1], queue))
    left = attacks.sum()
    out[:used] = 0.0
    at = used
    for number in range(len(attacks)):
        if attacks[number] > 0.0:
            if at > used:
                out[used:at] = 0.0
                used = at
            _add(out, attacks[number], now, at)
        left -= attacks[number]
        if number + 1 == len(attacks) or left < FAINT:
            break
        if fold:
            at = _apply(now, at, rolled[0], rolled[1], rolled[2], adds, spare[0])
            now[:at] = spare[0][:at]
        else:
            at = _one_attack(hits, now, at, rolled, unrolled, adds, spare)
    now[:used] = out[:used]
    now[used:] = 0.0
    return used


@kernel
def _suffer(bodies: Ints, body_of: Ints, end_of: Ints, points: Floats, queue: Ints, now: Floats) -> None:
    """Inflict the mortal wounds of one queue, from the longest queue down: each level joins the one below."""
    states = len(body_of)
    rows = np.zeros((states, len(points)))
    wide = np.zeros(states, dtype=np.int64)
    for s in range(states):
        wide[s] = mortal_row(bodies, body_of, end_of, s, points, queue[QUEUE_SPILL] != 0, rows[s])
    for c in range(len(now) - 1, -1, -1):
        if (c // queue[STRIDE]) % (queue[CAP] + 1) == 0:
            continue
        below = now[c - queue[STRIDE]]
        for s in range(states):
            if now[c, s] > 0.0:
                for j in range(wide[s]):
                    below[s + j] += now[c, s] * rows[s, j]
        now[c] = 0.0
