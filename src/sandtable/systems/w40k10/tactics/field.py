"""The units on the table as kernels see them: arrays over units, and the few formulas that all plans share."""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np

from sandtable.attack.chances import TWO_DICE, at_least
from sandtable.kernels import kernel, leaf
from sandtable.table.grid import STEP, Bools, Floats, Ints

BAND: Final = 6
"""Inches of one band of range."""
BANDS: Final = 10
MIDDLE: Final = 2
"""The band of middle range"""
CROWD: Final = 10
"""Of more models than this only a part gets to strike."""
REACH_OF_BLADES: Final = 0.6
IN_MELEE: Final = 0.8
"""What the fire of big guns counts in a melee"""
OVERLAPPING: Final = 0.8
"""How much of two units' reach from their middles counts for the distance between them"""

CHARGE_ROLL: Final = np.array([float(at_least(TWO_DICE, needed)) for needed in range(14)])
"""The chance of a Charge roll of at least 0, 1, 2, ... 13"""


class Field(NamedTuple):
    """All units on the table, a row each; see `Outlook`."""

    side: Ints
    at: Floats
    wide: Floats
    points: Floats
    wounds: Floats
    move: Floats
    fire: Floats
    strike: Floats
    far: Floats
    worth: Floats
    salvo: Floats
    big: Bools
    flies: Bools


def harm_of(wounds: Floats, points: Floats, left: Floats) -> Floats:
    """What wounds are worth in points on units of so many points, with so many left; nearly gone is worth finishing."""
    share = np.minimum(1.0, wounds / np.maximum(left, 0.5))
    return points * share * (0.85 + 0.35 * share)


harm_to = leaf(harm_of)
"""The same for one unit, within kernels"""


@leaf
def band_at(far: float) -> int:
    """The band of range that a distance falls into."""
    return min(int(far / BAND), BANDS - 1)


@leaf
def chance_over(gap: float) -> float:
    """The chance of a charge over a gap in inches."""
    return float(CHARGE_ROLL[int(min(max(math.ceil(gap - 1.0), 0), 13))])


@leaf
def gap_between(o: Field, i: int, x: float, y: float, f: int) -> float:
    """The distance between the bases of a unit, if it stood at a place, and another one."""
    dx, dy = x - o.at[f, 0], y - o.at[f, 1]
    return max(0.0, math.sqrt(dx * dx + dy * dy) - float(OVERLAPPING * (o.wide[i] + o.wide[f])))


@leaf
def silence(o: Field, i: int) -> float:
    """What a turn of shooting is worth that a unit loses in a melee."""
    return float(o.salvo[i]) * (1.0 - IN_MELEE if o.big[i] else 1.0)


class Muster(NamedTuple):
    """The units that have models somewhere, in the order of their ids, and their sums over these models."""

    ids: Ints
    rows: Ints
    """For each model the row of its unit; -1 for one that does not count"""
    first: Ints
    """The first model of each unit"""
    models: Ints
    at: Floats
    wide: Floats
    wounds: Floats
    points: Floats
    oc: Floats
    move: Floats


@kernel
def muster(
    here: Bools,
    owner: Ints,
    pos: Ints,
    left: Ints,
    base: Floats,
    full: Floats,
    cost: Floats,
    control: Floats,
    speed: Floats,
    most: int,
) -> Muster:
    """Sum up the models that are here; `left` to `speed` are wounds left, reach in inches, wounds at first, and so on.

    Loops instead of operations on arrays, which take long to compile.
    """
    rows, row_of, n = np.empty(here.shape[0], np.int64), np.empty(most, np.int64), 0
    for unit in range(most):
        row_of[unit] = -1
    for m in range(here.shape[0]):
        rows[m] = -1
        if here[m]:
            row_of[owner[m]] = 0
    for unit in range(most):
        if row_of[unit] == 0:
            row_of[unit] = n
            n += 1
    ids, first, count = np.empty(n, np.int64), np.empty(n, np.int64), np.zeros(n, np.int64)
    at, wide, move = np.zeros((n, 2)), np.zeros(n), np.zeros(n)
    wounds, points, oc = np.zeros(n), np.zeros(n), np.zeros(n)
    for m in range(here.shape[0]):
        if not here[m]:
            continue
        i = row_of[owner[m]]
        rows[m] = i
        if count[i] == 0:
            ids[i], first[i], move[i] = owner[m], m, speed[m]
        count[i] += 1
        at[i, 0] += pos[m, 0] / STEP
        at[i, 1] += pos[m, 1] / STEP
        wounds[i] += left[m]
        points[i] += cost[m] * (left[m] / max(full[m], 1.0))
        oc[i] += control[m]
        move[i] = min(move[i], speed[m])
    for i in range(n):
        at[i, 0] /= count[i]
        at[i, 1] /= count[i]
    for m in range(here.shape[0]):
        i = rows[m]
        if i >= 0:
            dx, dy = pos[m, 0] / STEP - at[i, 0], pos[m, 1] / STEP - at[i, 1]
            wide[i] = max(wide[i], math.sqrt(dx * dx + dy * dy) + base[m])
    return Muster(ids, rows, first, count, at, wide, wounds, points, oc, move)


@kernel
def harms(
    rows: Ints, kind: Ints, sheet: Ints, count: Ints, fire: Floats, blast: Floats, strike: Floats
) -> tuple[Floats, Floats]:
    """`fire` and `strike` of an outlook, for units of these models, datasheets and sizes, from those of an arsenal."""
    n, kinds, bands, sheets = count.shape[0], fire.shape[0], fire.shape[1], fire.shape[2]
    arms = np.zeros((n, kinds))
    for m in range(rows.shape[0]):
        if rows[m] >= 0:
            arms[rows[m], kind[m]] += 1.0
    shots, blows = np.empty((n, bands, n)), np.empty((n, n))
    able, more, hits = np.empty((bands, sheets)), np.empty((bands, sheets)), np.empty(sheets)
    for i in range(n):
        for b in range(bands):
            for s in range(sheets):
                able[b, s], more[b, s], hits[s] = 0.0, 0.0, 0.0
        for k in range(kinds):
            if arms[i, k] > 0.0:
                for s in range(sheets):
                    hits[s] += arms[i, k] * strike[k, s]
                    for b in range(bands):
                        able[b, s] += arms[i, k] * fire[k, b, s]
                        more[b, s] += arms[i, k] * blast[k, b, s]
        size = float(count[i])
        crowd = min(size, CROWD + REACH_OF_BLADES * (size - CROWD)) / size
        for j in range(n):
            blows[i, j] = hits[sheet[j]] * crowd
            for b in range(bands):
                shots[i, b, j] = able[b, sheet[j]] + more[b, sheet[j]] * (count[j] // 5)
    return shots, blows


@kernel
def compared(
    side: Ints, at: Floats, wide: Floats, points: Floats, wounds: Floats, fire: Floats
) -> tuple[Floats, Floats, Floats]:
    """`far`, `worth` and `salvo` of an outlook."""
    n = side.shape[0]
    far, worth, salvo = np.zeros((n, n)), np.empty(n), np.zeros(n)
    for i in range(n):
        worth[i] = points[i] / max(wounds[i], 1.0)
        for j in range(n):
            dx, dy = at[i, 0] - at[j, 0], at[i, 1] - at[j, 1]
            far[i, j] = max(0.0, math.sqrt(dx * dx + dy * dy) - OVERLAPPING * (wide[i] + wide[j]))
            if side[i] != side[j]:
                salvo[i] = max(salvo[i], harm_to(fire[i, MIDDLE, j], points[j], wounds[j]))
    return far, worth, salvo


def two_units() -> Field:
    """A field to warm kernels up with."""
    some, two = np.ones(2), np.arange(2)
    u = muster(np.ones(2, np.bool_), two, np.zeros((2, 3), np.int64), two, some, some, some, some, some, 2)
    tables = np.ones((1, BANDS, 1)), np.ones((1, BANDS, 1)), np.ones((1, 1))
    fire, strike = harms(u.rows, two - two, two - two, u.models, *tables)
    far, worth, salvo = compared(two, u.at, u.wide, u.points, u.wounds, fire)
    none = np.zeros(2, np.bool_)
    return Field(two, u.at, u.wide, u.points, u.wounds, u.move, fire, strike, far, worth, salvo, none, none)


def warm_up() -> None:
    """Compile the kernels, or load them from disk."""
    two_units()
