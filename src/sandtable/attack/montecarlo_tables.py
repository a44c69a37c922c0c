"""An attack as arrays: what the Monte Carlo kernels read.

A roll that may be made again is drawn as two dice at once, 36 cases of equal chance, each with what comes of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from sandtable.attack.bounds import Unsolvable
from sandtable.attack.procedures import group_of
from sandtable.attack.tables import faces_rerolled, sum_rerolled
from sandtable.attack.volley import (
    FACES,
    NEVER,
    NO_SAVE,
    Attack,
    Body,
    Choices,
    DiceSum,
    HitRoll,
    Volley,
    WoundKind,
    WoundRoll,
)

Ints: TypeAlias = npt.NDArray[np.int64]

NONE: Final = -1
PAIRS: Final = 36
"""Cases of two dice, the second of which counts only where the first is rolled again."""

# Columns of the arrays that the kernels work on.

# volleys: then, for each of 36 cases, what a hit roll gives (hits, wounds, a sum of further hits) and the kind of wound
# that a wound roll gives; then the bodies that wounds are directed at
AUTOMATIC, AIMS, STEP, VOLLEY_SAVE, MOST = range(5)
HITS, WOUNDS, EXTRA, KIND, AIM = (5 + PAIRS * i for i in range(5))
# kinds of wounds; expressions are rows of `sums`
SAVE, DAMAGE, POINTS, SPILL, HELD_BACK = range(5)
# sums: then the sides of the dice
PLUS, LEAST, DIVIDE, TOTALS_AGAIN, DICE, SIDES = range(6)
# bodies: then the saves by class, and then of 36 cases of a save those that make it, by class
LEFT, MARKED, START, START_MARKED, FULL, RANK, PAIN, PAIN_MORTAL, GROUP, CLASSES, SAVES = range(11)


class Packed(NamedTuple):
    """An attack as arrays."""

    volleys: Ints
    shots: Ints
    """[row, volley weapons sum]"""
    kinds: Ints
    sums: Ints
    bodies: Ints


class _Sums:
    """Collects the expressions of an attack, each once."""

    def __init__(self, choices: Choices) -> None:
        self.choices = choices
        self.rows: dict[DiceSum, int] = {}

    def row(self, number: DiceSum | None) -> int:
        return NONE if number is None else self.rows.setdefault(number, len(self.rows))

    def array(self) -> Ints:
        most = max((len(number.dice) for number in self.rows), default=0)
        out = np.zeros((len(self.rows), SIDES + most), dtype=np.int64)
        for row, number in zip(out, self.rows, strict=True):
            if number.times != 1 and not number.fixed:
                raise Unsolvable(f"{number} is worked out exactly, but not rolled in great numbers")
            totals = range(len(number.dice), sum(number.dice) + 1)
            again = sum(1 << t for t in totals if sum_rerolled(number, t, self.choices))
            row[:SIDES] = number.times * number.plus, number.least, number.divide, again, len(number.dice)
            row[SIDES : SIDES + len(number.dice)] = number.dice
        return out


def pack(attack: Attack) -> Packed:
    """The tables of an attack as arrays."""
    sums = _Sums(attack.choices)
    volleys: list[list[int]] = []
    shots: list[tuple[int, ...]] = []
    kinds: list[tuple[int, ...]] = []
    for number, volley in enumerate(attack.volleys):
        volleys.append(_pack_volley(volley, attack, len(kinds), sums))
        shots += [(number, s.weapons, sums.row(s.each)) for s in volley.shots]
        kinds += [_pack_kind(k, sums) for k in volley.kinds]
    bodies = attack.target.bodies
    return Packed(
        _array(volleys, AIM + len(bodies)), _array(shots, 3), _array(kinds, 5), sums.array(), _pack_bodies(bodies)
    )


def _pack_volley(volley: Volley, attack: Attack, first_kind: int, sums: _Sums) -> list[int]:
    choices = attack.choices
    aim = [int(choices.aim == "always" and b.model in volley.aim) for b in attack.target.bodies]
    hits = [volley.hit.face(f) for f in _faces_of(volley.hit, choices)]
    wounds = [volley.wound.face(f) for f in _faces_of(volley.wound, choices)]
    saves = [k.save for k in volley.kinds if k.damage is not None and k.save != NO_SAVE]
    return [
        first_kind + volley.automatic,
        int(any(aim)),
        volley.step,
        saves[0] if saves else NONE,
        max(f.hits + f.wounds for f in hits),
        *(f.hits for f in hits),
        *(f.wounds for f in hits),
        *(sums.row(f.extra) for f in hits),
        *(first_kind + f.kind if f.success else NONE for f in wounds),
        *aim,
    ]


def _faces_of(roll: HitRoll | WoundRoll, choices: Choices) -> list[int]:
    """The face that stands in the end, for each case of two dice."""
    if not roll.rolled:
        return [FACES[-1]] * PAIRS
    return pairs_rerolled(faces_rerolled(roll, choices.reroll))


def pairs_rerolled(again: Sequence[int]) -> list[int]:
    """For each case of two dice the face that stands, when some faces are rolled again."""
    return [second if first in again else first for first in FACES for second in FACES]


def _pack_kind(kind: WoundKind, sums: _Sums) -> tuple[int, ...]:
    save = NONE if kind.save == NO_SAVE else kind.save
    if kind.mortal is None:
        return save, sums.row(kind.damage), NONE, 0, 0
    return save, sums.row(kind.damage), sums.row(kind.mortal.points), kind.mortal.spill, kind.mortal.held


def _pack_bodies(bodies: Sequence[Body]) -> Ints:
    classes = max((len(b.saves) for b in bodies), default=0)
    groups: dict[object, int] = {}
    rows = []
    for i, b in enumerate(bodies):
        saves = [*b.saves, *[NEVER] * (classes - len(b.saves))]
        group = groups.setdefault(group_of(i, b), len(groups))
        rows.append(
            (
                *(
                    b.wounds,
                    b.marked,
                    b.wounds,
                    b.marked,
                    b.full,
                    b.rank,
                    b.pain,
                    b.pain_against_mortal,
                    group,
                    classes,
                ),
                *saves,
                *(_cases_saved(needed, b.save_reroll) for needed in saves),
            )
        )
    return _array(rows, SAVES + 2 * classes)


def _cases_saved(needed: int, again: Sequence[int]) -> int:
    """Of 36 cases of a saving throw, those that make it; only failures are rolled again."""
    return sum(face >= needed for face in pairs_rerolled([f for f in again if f < needed]))


def _array(rows: Sequence[Sequence[int]], width: int) -> Ints:
    return np.array(rows, dtype=np.int64).reshape(-1, width)
