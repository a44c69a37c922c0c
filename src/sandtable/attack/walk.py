"""Attacks made each in turn, as a walk along the target's wounds.

Where the order in which bodies fall is fixed, all that an attack can change is how far along this order the target has
come: the state is the number of wounds lost. One wound is then a band matrix over the states (it leads a few places
on, never back), one attack a polynomial in such matrices, and a volley applies it as often as there are attacks. Only
mortal wounds that wait need a second number, how many of them wait; and where volleys give such of different kinds,
which are inflicted one kind after the other, a number for each kind. These numbers together are called a level.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from sandtable.attack.bounds import Unsolvable, check_work
from sandtable.attack.numbers import Floats, attack_chances, hit_chances, number_chances, wound_chances
from sandtable.attack.procedures import used_kinds
from sandtable.attack.volley import NEVER, NO_SAVE, Attack, Body, Choices, DiceSum, Mortal, Volley
from sandtable.attack.walk_kernels import (
    CAP,
    FAILED_SAVES,
    NONE,
    PAIN_MORTAL,
    SAVE,
    SAVES,
    WAITING,
    WOUNDS,
    Ints,
    run_walk,
)

MAX_QUEUES: Final = 3

_ONE: Final = np.array([0.0, 1.0])


class Packed(NamedTuple):
    """The volleys of an attack as arrays."""

    attacks: Floats
    """[volley, number]: chance of so many attacks."""
    hits: Floats
    """[volley, automatic wounds, hits]: chance that an attack gives them."""
    wounds: Floats
    """[volley, kind]: chance of each kind of wound of a wound roll, the kinds of all volleys in one row."""
    automatic: Ints
    kinds: Ints
    numbers: Floats
    """[row, result]: chances of the sums of dice."""


# ---------------------------------------------------------------------- packing


class _Numbers:
    """Collects the sums of dice of an attack, each once."""

    def __init__(self, sums: str) -> None:
        self.sums = sums
        self.rows: dict[DiceSum, int] = {}

    def row(self, number: DiceSum | None) -> int:
        return NONE if number is None else self.rows.setdefault(number, len(self.rows))

    def array(self) -> Floats:
        return padded([number_chances(n, self.sums) for n in self.rows])


def padded(rows: Sequence[Floats]) -> Floats:
    """Rows of different length as one array. It is always a new one: kernels are compiled for such alone."""
    out = np.zeros((len(rows), max(map(len, rows), default=1)))
    for i, row in enumerate(rows):
        out[i, : len(row)] = row
    return out


def pack_bodies(bodies: Sequence[Body]) -> Ints:
    """The bodies of a line as arrays, in the order given."""
    classes = min(len(b.saves) for b in bodies)
    rows = []
    for b in bodies:
        again = sum(1 << f for f in b.save_reroll) if b.save_reroll else 0
        rows.append((b.wounds, b.pain, b.pain_mortal or b.pain, again, *b.saves[:classes]))
    return np.array(rows, dtype=np.int64)


def pack_volleys(volleys: Sequence[Volley], choices: Choices) -> Packed:
    """The tables of some volleys as arrays."""
    numbers = _Numbers(choices.sums)
    kinds: list[tuple[int, ...]] = []
    hits = [hit_chances(v.hit, choices.reroll, choices.sums) for v in volleys]
    wounds = np.zeros((len(volleys), sum(len(v.kinds) for v in volleys)))
    automatic = []
    for i, volley in enumerate(volleys):
        automatic.append(len(kinds) + volley.automatic)
        chances = wound_chances(volley.wound, choices.reroll, len(volley.kinds))
        wounds[i, len(kinds) : len(kinds) + len(volley.kinds)] = chances[:-1]
        for kind in volley.kinds:
            mortal = kind.mortal
            waits = (NONE, 0, 0) if mortal is None else (numbers.row(mortal.points), mortal.spill, mortal.held)
            kinds.append((NONE if kind.save == NO_SAVE else kind.save, numbers.row(kind.damage), *waits))
    return Packed(
        padded([attack_chances(v.shots, choices.sums) for v in volleys]),
        _stacked(hits),
        wounds,
        np.array(automatic, dtype=np.int64),
        np.array(kinds, dtype=np.int64).reshape(-1, 5),
        numbers.array(),
    )


def _stacked(tables: Sequence[Floats]) -> Floats:
    out = np.zeros((len(tables), max(t.shape[0] for t in tables), max(t.shape[1] for t in tables)))
    for i, t in enumerate(tables):
        out[i, : t.shape[0], : t.shape[1]] = t
    return out


# ---------------------------------------------------------------------- what can be walked


def order_of(attack: Attack) -> list[int] | None:
    """The order in which the bodies of a target fall, where it is always the same; else None.

    A body that was given an attack, or was hurt, has to take the next one. So by casualty order the order is: by rank,
    then those that have to take the next attack, then the others.
    """
    bodies, choices = attack.target.bodies, attack.choices
    if choices.aim == "always" and _can_be_aimed(attack):
        return None
    save = NONE
    if choices.allocation == "best_save" and not _alike_in_saves(bodies):
        kinds = [v.kinds[k] for v in attack.volleys for k in used_kinds(v)]
        saves = sorted({k.save for k in kinds})
        if len(saves) > 1 or any(k.mortal is not None for k in kinds):
            return None
        save = saves[0] if saves else NONE
    keys = [(b.rank, not (b.marked or b.wounds < b.full), b.saves[save] if save != NO_SAVE else 0) for b in bodies]
    return sorted(range(len(bodies)), key=keys.__getitem__)


def _can_be_aimed(attack: Attack) -> bool:
    return bool(aimed_at(attack))


def aimed_at(attack: Attack) -> list[int]:
    """The bodies behind others that some volley may be directed at."""
    aims = {m for v in attack.volleys for m in v.aim}
    front = min(b.rank for b in attack.target.bodies)
    return [i for i, b in enumerate(attack.target.bodies) if b.rank > front and b.model in aims]


def _alike_in_saves(bodies: Sequence[Body]) -> bool:
    return all(b.saves == bodies[0].saves for b in bodies)


class Queues(NamedTuple):
    """Mortal wounds that wait, in the order in which they will be inflicted."""

    rows: Ints
    """[queue]: STRIDE, CAP, QUEUE_SPILL"""
    points: Floats
    """[queue, points]: chances of the points of one thing that waits."""
    of_volley: Ints
    """The queue that a volley adds to, or NONE."""
    adds: Floats
    """[volley, number]: chances of how many things one wound of a volley adds."""


class _Queue:
    """Consecutive volleys whose waiting mortal wounds can be counted together."""

    def __init__(self, mortal: Mortal) -> None:
        self.mortals = [mortal]
        self.volleys: list[int] = []

    def takes(self, mortal: Mortal) -> bool:
        """Points that spill over are all one, whoever caused them; others have to be equal."""
        return mortal.spill == self.mortals[0].spill and (mortal.spill or mortal.points == self.mortals[0].points)

    @property
    def by_points(self) -> bool:
        """Whether single points wait, and not lots of equal points."""
        return len({m.points for m in self.mortals}) > 1


def queues_of(volleys: Sequence[Volley]) -> list[_Queue] | None:
    """The queues of mortal wounds that wait; None where they cannot be told apart by volley, or are too many."""
    found: list[_Queue] = []
    for i, volley in enumerate(volleys):
        if not any(k.mortal is not None for k in volley.kinds):
            continue
        held = [m for k in used_kinds(volley) if (m := volley.kinds[k].mortal) is not None and m.held]
        if any(m.points != held[0].points or m.spill != held[0].spill for m in held[1:]):
            return None
        if held:
            if not found or not found[-1].takes(held[0]):
                found.append(_Queue(held[0]))
            found[-1].mortals.append(held[0])
            found[-1].volleys.append(i)
    return found if len(found) <= MAX_QUEUES else None


def pack_queues(found: list[_Queue], bodies: Ints, packed: Packed, sums: str) -> Queues:
    """Queues as arrays. Without feel no pain a queue needs not be longer than the wounds that are left."""
    tokens = packed.hits.shape[1] + packed.hits.shape[2] - 2
    painless = bool((bodies[:, PAIN_MORTAL] >= NEVER).all())
    wounds = int(bodies[:, WOUNDS].sum())
    rows, points = [], []
    of_volley = np.full(len(packed.attacks), NONE, dtype=np.int64)
    adds = [_ONE] * len(packed.attacks)
    stride = 1
    for number, queue in enumerate(found):
        each = _ONE if queue.by_points else number_chances(queue.mortals[0].points, sums)
        cap = 0
        for v, mortal in zip(queue.volleys, queue.mortals[1:], strict=True):
            of_volley[v] = number
            if queue.by_points:
                adds[v] = number_chances(mortal.points, sums)
            cap += int(np.nonzero(packed.attacks[v])[0][-1]) * tokens * (len(adds[v]) - 1)
        if painless and each[0] == 0.0:
            cap = min(cap, wounds)
        rows.append((stride, cap, queue.mortals[0].spill))
        points.append(each)
        stride *= cap + 1
    return Queues(np.array(rows, dtype=np.int64).reshape(-1, 3), padded(points), of_volley, padded(adds))


def walk(bodies: Ints, packed: Packed, queues: list[_Queue], sums: str) -> Floats:
    """The chance of each number of wounds lost."""
    found = pack_queues(queues, bodies, packed, sums)
    return _run(bodies, packed, found, int(np.prod(found.rows[:, CAP] + 1)), WAITING)


def failed_saves(bodies: Ints, packed: Packed) -> Floats:
    """The chance of each number of failed saves. Mortal wounds that wait do not matter for it."""
    tokens = packed.hits.shape[1] + packed.hits.shape[2] - 2
    cap = tokens * sum(int(np.nonzero(row)[0][-1]) for row in packed.attacks)
    count = len(packed.attacks)
    rows = np.array([(1, cap, 0)], dtype=np.int64)
    one = Queues(rows, padded([_ONE]), np.zeros(count, dtype=np.int64), padded([_ONE] * count))
    return _run(bodies, packed, one, cap + 1, FAILED_SAVES)


def _run(bodies: Ints, packed: Packed, queues: Queues, levels: int, counting: int) -> Floats:
    states = int(bodies[:, WOUNDS].sum()) + 1
    band = min(states, packed.numbers.shape[1] * 2)
    work = packed.attacks.size * levels * states * band * packed.hits.shape[1] * packed.hits.shape[2]
    check_work(work)
    if packed.kinds[:, SAVE].max(initial=NONE) >= bodies.shape[1] - SAVES:
        raise Unsolvable("a volley asks for a class of saving throw that the target has not")
    return run_walk(bodies, *packed, *queues, counting, levels, band)
