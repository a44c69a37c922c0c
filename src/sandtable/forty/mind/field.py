"""The units on the table as kernels see them: arrays over units, and the few formulas that all plans share."""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np

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


class Field(NamedTuple):
    """All units on the table, a row each."""

    side: Ints
    at: Floats
    """[unit, x y], the middle"""
    wide: Floats
    """How far its bases reach out from the middle"""
    points: Floats
    """What is left of it"""
    wounds: Floats
    """Wounds left"""
    move: Floats
    fire: Floats
    """[unit, band of range, other unit]: wounds that its shooting takes off the other"""
    strike: Floats
    """[unit, other unit]: the same in melee"""
    far: Floats
    """[unit, other unit]: distance between the bases"""
    worth: Floats
    """For each unit the points that one of its wounds stands for"""
    salvo: Floats
    """About what a turn of each unit's shooting at middle range is worth"""
    fires_on: Bools
    """Who shoots in a melee, too"""
    passes: Bools
    """Who charges past those that stand in the way"""
    guarded: Bools
    """Whom enemies cannot shoot at as long as friends are nearer to them"""
    charge: Floats
    """The chance of a charge over 0, 1, 2, ... inches, the last for all that is further"""
    berth: float
    """Inches that a charge keeps from the bases that it goes around"""


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
def chance_over(o: Field, gap: float) -> float:
    """The chance of a charge over a gap in inches."""
    return float(o.charge[min(math.ceil(gap), o.charge.shape[0] - 1)])


@leaf
def gap_between(o: Field, i: int, x: float, y: float, f: int) -> float:
    """The distance between the bases of a unit, if it stood at a place, and another one."""
    dx, dy = x - o.at[f, 0], y - o.at[f, 1]
    return max(0.0, math.sqrt(dx * dx + dy * dy) - float(OVERLAPPING * (o.wide[i] + o.wide[f])))


@leaf
def silence(o: Field, i: int) -> float:
    """What a turn of shooting is worth that a unit loses in a melee."""
    return float(o.salvo[i]) * (1.0 - IN_MELEE if o.fires_on[i] else 1.0)


@kernel
def summed(
    rows: Ints, models: Ints, pos: Ints, left: Ints, base: Floats, full: Floats, cost: Floats
) -> tuple[Floats, Floats, Floats, Floats]:
    """`at`, `wide`, `wounds` and `points` of an outlook, for units of so many models.

    Of each model: the row of its unit or -1, its place, wounds left, reach in inches, wounds at first, and points.
    """
    n = models.shape[0]
    at, wide, wounds, points = np.zeros((n, 2)), np.zeros(n), np.zeros(n), np.zeros(n)
    for m in range(rows.shape[0]):
        i = rows[m]
        if i >= 0:
            at[i, 0] += pos[m, 0] / STEP
            at[i, 1] += pos[m, 1] / STEP
            wounds[i] += left[m]
            points[i] += cost[m] * (left[m] / max(full[m], 1.0))
    for i in range(n):
        at[i, 0] /= models[i]
        at[i, 1] /= models[i]
    for m in range(rows.shape[0]):
        i = rows[m]
        if i >= 0:
            dx, dy = pos[m, 0] / STEP - at[i, 0], pos[m, 1] / STEP - at[i, 1]
            wide[i] = max(wide[i], math.sqrt(dx * dx + dy * dy) + base[m])
    return at, wide, wounds, points


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
                    for s in range(sheets):
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
    two, some, none = np.arange(2), np.ones(2), np.zeros(2, np.bool_)
    at, wide, wounds, points = summed(two, two + 1, np.zeros((2, 3), np.int64), two, some, some, some)
    fire, strike = harms(
        two, two * 0, two * 0, two + 1, np.ones((1, BANDS, 1)), np.ones((1, BANDS, 1)), np.ones((1, 1))
    )
    far, worth, salvo = compared(two, at, wide, points, wounds, fire)
    return Field(two, at, wide, points, wounds, some, fire, strike, far, worth, salvo, none, none, none, some, 1.5)


def warm_up() -> None:
    """Compile the kernels, or load them from disk."""
    two_units()
