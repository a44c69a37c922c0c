"""What draws units to objective markers: kernels over places or units, and markers. Who goes where says `plan`."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from sandtable.forty.mind.field import Field, two_units
from sandtable.kernels import kernel, leaf
from sandtable.table.grid import Bools, Floats, Ints

THERE: Final = 0.3
"""Inches that a unit may be short of a marker, and is there nevertheless"""
SETTLED: Final = 1.15
"""What a marker counts for who is there already"""
SHORT_OF: Final = 0.85
"""What getting nearer to a marker counts, compared with being there"""
OPPORTUNITY: Final = 0.9
"""What a turn of shooting counts against going to a marker"""
REACHING: Final = 0.4
"""How much of an enemy's hold counts at markers that it may get to next turn"""
AT_LEAST: Final = 0.5
"""The hold that is expected against us everywhere: somebody may come"""
ELSEWHERE: Final = 0.5
"""What a marker counts for a unit that is sent to another one"""


@kernel
def in_reach(at: Floats, places: Floats, near: float) -> Floats:
    """How far each unit's middle must go until a good part of its models is near a place, [unit, place]."""
    found = np.empty((at.shape[0], places.shape[0]))
    for i in range(at.shape[0]):
        for m in range(places.shape[0]):
            dx, dy = at[i, 0] - places[m, 0], at[i, 1] - places[m, 1]
            found[i, m] = max(0.0, math.sqrt(dx * dx + dy * dy) - near + THERE)
    return found


@leaf
def _pull(arrivals: Floats, m: int, turns: float) -> float:
    """What a marker is worth to who needs so many turns, and parts of turns, to it; `arrivals` is [turns, marker]."""
    last = arrivals.shape[0] - 1
    turns = min(turns, float(last))
    low = int(turns)
    part = turns - low
    return float(arrivals[low, m] * (1.0 - part) + arrivals[min(low + 1, last), m] * part)


@leaf
def _control(ours: float, theirs: float) -> float:
    """The chance to hold a marker with so much at it against theirs."""
    return ours * ours / (ours * ours + theirs * theirs)


@kernel
def drawn(
    places: Floats,
    markers: Floats,
    arrivals: Floats,
    at_once: Floats,
    needed: Floats,
    goal: int,
    move: float,
    near: float,
) -> tuple[Floats, Floats]:
    """What each place does for holding markers, and what of that the end of this turn brings.

    Bases count that are so `near` to the middle of a marker.
    """
    found, now = np.zeros(places.shape[0]), np.zeros(places.shape[0])
    for p in range(places.shape[0]):
        for m in range(markers.shape[0]):
            dx, dy = places[p, 0] - markers[m, 0], places[p, 1] - markers[m, 1]
            gap = max(0.0, math.sqrt(dx * dx + dy * dy) - near + 0.5)
            factor = 1.0 if m == goal else ELSEWHERE
            # A move ends with this turn: what is left then takes further ones.
            value = _pull(arrivals, m, gap / max(1.0, move)) * (1.0 if gap <= 0.0 else SHORT_OF) * needed[m] * factor
            found[p] = max(found[p], value)
            if gap <= 0.0:
                now[p] = max(now[p], at_once[m] * needed[m] * factor)
    return found, now


@kernel
def send(
    o: Field,
    side: int,
    hold: Floats,
    ready: Bools,
    far: Floats,
    arrivals: Floats,
    patience: Floats,
    there: Floats,
    fixed: Bools,
    reaching_counts: float,
) -> tuple[Ints, Floats]:
    """For each unit of a side the marker it is sent to, or -1, and how much it does for every marker, [unit, marker].

    `far` is [unit, marker] as of `in_reach`, `patience` what is left of a plan that takes 0, 1, 2, ... turns. Of each
    unit so much is `there` now, [unit, marker], and where it is `fixed`, [unit, marker], no more will be.
    """
    units, markers = far.shape
    against, reaching = np.zeros(markers), np.zeros(markers)
    worth, cost, brings = np.zeros(far.shape), np.zeros(far.shape), np.zeros(far.shape)
    for i in range(units):
        # Cheap units hold markers; what shoots well from afar is better left to it: going there costs a turn of that.
        cheap = 0.75 + 0.25 * min(1.0, 60.0 / max(o.points[i], 30.0))
        for m in range(markers):
            if o.side[i] != side:
                # Enemies that stand there, and a part of those who could be there next turn.
                against[m] += there[i, m]
                reaching[m] = max(reaching[m], hold[i] if far[i, m] <= o.move[i] else 0.0)
                continue
            turns = max(0.0, math.ceil(far[i, m] / max(o.move[i], 1.0)) - 1.0)
            if not ready[i] and far[i, m] > 0.0:
                turns += 1.0
            arrived = far[i, m] <= THERE
            worth[i, m] = _pull(arrivals, m, turns) * (SETTLED if arrived else 1.0) * cheap
            cost[i, m] = 0.0 if arrived else OPPORTUNITY * o.salvo[i]
            brings[i, m] = there[i, m] if fixed[i, m] else hold[i] * patience[min(int(turns), patience.shape[0] - 1)]
    for m in range(markers):
        against[m] += AT_LEAST + reaching_counts * reaching[m]
    goals, sent = np.empty(units, np.int64), np.zeros(markers)
    for i in range(units):
        goals[i] = -1
    while True:
        best, first, second = 0.0, -1, -1
        for i in range(units):
            if o.side[i] != side or goals[i] >= 0:
                continue
            for m in range(markers):
                more = _control(sent[m] + brings[i, m], against[m]) - _control(sent[m], against[m])
                if worth[i, m] * more - cost[i, m] > best:
                    best, first, second = worth[i, m] * more - cost[i, m], i, m
        if first < 0:
            break
        goals[first] = second
        sent[second] += brings[first, second]
    needed = np.zeros(far.shape)
    for i in range(units):
        for m in range(markers):
            others = sent[m] - brings[i, m] if goals[i] == m else sent[m]
            needed[i, m] = _control(others + brings[i, m], against[m]) - _control(others, against[m])
    return goals, needed


def warm_up() -> None:
    """Compile the kernels, or load them from disk."""
    o, some = two_units(), np.ones(2)
    drawn(o.at, o.at, o.strike, some, some, 0, 1.0, 1.0)
    far = in_reach(o.at, o.at, 1.0)
    send(o, 0, some, o.fires_on, far, o.strike, some, far, far > 0.0, REACHING)
