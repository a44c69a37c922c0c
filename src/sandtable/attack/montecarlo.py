"""Rolling an attack many times over: histograms of what it comes to.

The kernel goes through whole sequences, each attack in turn, as the battle's flow does, with the choices of the players
made by the attack's named policies. It reads the same tables as the flow, packed into arrays.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple, TypeAlias

import msgspec
import numpy as np
import numpy.typing as npt

from sandtable.attack.bounds import Unsolvable
from sandtable.attack.tables import faces_rerolled, sum_rerolled
from sandtable.attack.volley import NEVER, NO_SAVE, Attack, Body, Choices, DiceSum, Procedure, Volley, WoundKind
from sandtable.kernels import leaf

Ints: TypeAlias = npt.NDArray[np.int64]
Bits: TypeAlias = npt.NDArray[np.uint64]

NONE: Final = -1
MAX_DUE: Final = 4096
"""So many mortal wounds of different attacks can wait at once; what comes on top is lost."""


class Odds(msgspec.Struct, frozen=True):
    """What many rolls of an attack came to, and by which policies."""

    rolls: int
    choices: Choices
    damage: tuple[int, ...]
    """How often the target lost 0, 1, 2... wounds."""
    killed: tuple[int, ...]
    """How often it lost 0, 1, 2... models."""
    survived: tuple[int, ...]
    """For each body of the target, how often it stood at the end."""
    value: float
    """Mean value of the bodies killed."""

    @property
    def mean_damage(self) -> float:
        return sum(n * c for n, c in enumerate(self.damage)) / self.rolls

    @property
    def mean_killed(self) -> float:
        return sum(n * c for n, c in enumerate(self.killed)) / self.rolls

    @property
    def destroyed(self) -> float:
        """The chance that nothing of the target is left."""
        return self.killed[-1] / self.rolls


# Columns of the arrays that the kernel works on.

# volleys: for each face 0..6 (0 is not used) of a hit roll what it gives, of a wound roll the kind; then the bodies
# that wounds are directed at
HIT_AGAIN, WOUND_AGAIN, HIT_ROLLED, WOUND_ROLLED, AUTOMATIC, AIMS = range(6)
HITS, WOUNDS, EXTRA, KIND, AIM = 6, 13, 20, 27, 34
# kinds of wounds; expressions are rows of `sums`
SAVE, DAMAGE, POINTS, SPILL, HELD_BACK = range(5)
# sums: then the sides of the dice
PLUS, LEAST, TOTALS_AGAIN, DICE, SIDES = range(5)
# bodies: then the saves by class
LEFT, MARKED, START, START_MARKED, FULL, RANK, PAIN, PAIN_MORTAL, SAVE_AGAIN, SAVES = range(10)
# the sequence: who has to take the next attack, lots of mortal wounds waiting, whether the target is gone; two rules
HELD, WAITING, ALL_GONE, KEEPS, BEST_SAVE = range(5)
# lots of mortal wounds: points, body that takes them first, whether they spill over


class Packed(NamedTuple):
    """An attack as arrays."""

    volleys: Ints
    shots: Ints
    """[row, volley weapons sum]"""
    kinds: Ints
    sums: Ints
    bodies: Ints
    now: Ints


def roll(attack: Attack, rolls: int, seed: int = 0) -> Odds:
    """Roll an attack `rolls` times. The same seed gives the same dice."""
    if attack.procedure is not Procedure.EACH_IN_TURN:
        raise Unsolvable(f"Attacks of the procedure '{attack.procedure.value}' are solved exactly, not rolled.")
    if attack.choices.weighed:
        raise Unsolvable("Decisions that have to be weighed are a matter for the exact solver.")
    if rolls < 1:
        raise ValueError("an attack is rolled at least once")
    bodies = attack.target.bodies
    damage = np.zeros(sum(b.wounds for b in bodies) + 1, dtype=np.int64)
    killed = np.zeros(len(bodies) + 1, dtype=np.int64)
    survived = np.zeros(len(bodies), dtype=np.int64)
    due = np.zeros((MAX_DUE, 3), dtype=np.int64)
    rng = np.array([seed & (2**64 - 1)], dtype=np.uint64)
    _run(*pack(attack), due, rolls, rng, damage, killed, survived)
    value = sum(b.value * (rolls - int(s)) for b, s in zip(bodies, survived, strict=True)) / rolls
    return Odds(rolls, attack.choices, _tuple(damage), _tuple(killed), _tuple(survived), value)


def _tuple(counts: Ints) -> tuple[int, ...]:
    return tuple(int(c) for c in counts)


# ---------------------------------------------------------------------- packing


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
            totals = range(len(number.dice), sum(number.dice) + 1)
            again = _bits([t for t in totals if sum_rerolled(number, t, self.choices)])
            row[:SIDES] = number.plus, number.least, again, len(number.dice)
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
    now = np.zeros(5, dtype=np.int64)
    now[KEEPS] = attack.target.keeps
    now[BEST_SAVE] = attack.choices.allocation == "best_save"
    bodies = attack.target.bodies
    return Packed(
        _array(volleys, AIM + len(bodies)), _array(shots, 3), _array(kinds, 5), sums.array(), _pack_bodies(bodies), now
    )


def _pack_volley(volley: Volley, attack: Attack, first_kind: int, sums: _Sums) -> list[int]:
    choices = attack.choices
    hit, wound = volley.hit, volley.wound
    aim = [int(choices.aim == "always" and b.model in volley.aim) for b in attack.target.bodies]
    return [
        _bits(faces_rerolled(hit, choices.reroll)),
        _bits(faces_rerolled(wound, choices.reroll)),
        hit.rolled,
        wound.rolled,
        first_kind + volley.automatic,
        int(any(aim)),
        *(0, *(f.hits for f in hit.faces)),
        *(0, *(f.wounds for f in hit.faces)),
        *(NONE, *(sums.row(f.extra) for f in hit.faces)),
        *(NONE, *(first_kind + f.kind if f.success else NONE for f in wound.faces)),
        *aim,
    ]


def _pack_kind(kind: WoundKind, sums: _Sums) -> tuple[int, ...]:
    save = NONE if kind.save == NO_SAVE else kind.save
    if kind.mortal is None:
        return save, sums.row(kind.damage), NONE, 0, 0
    return save, sums.row(kind.damage), sums.row(kind.mortal.points), kind.mortal.spill, kind.mortal.held


def _pack_bodies(bodies: Sequence[Body]) -> Ints:
    classes = max((len(b.saves) for b in bodies), default=0)
    rows = [
        (
            *(b.wounds, b.marked, b.wounds, b.marked, b.full, b.rank, b.pain, b.pain_against_mortal),
            _bits(b.save_reroll),
            *b.saves,
            *[NEVER] * (classes - len(b.saves)),
        )
        for b in bodies
    ]
    return _array(rows, SAVES + classes)


def _array(rows: Sequence[Sequence[int]], width: int) -> Ints:
    return np.array(rows, dtype=np.int64).reshape(-1, width)


def _bits(numbers: Sequence[int]) -> int:
    return sum(1 << n for n in numbers)


# ---------------------------------------------------------------------- dice


@leaf
def _d6(rng: Bits) -> int:
    """A die from splitmix64; the top 32 bits times six, whose bias is far below anything that shows."""
    rng[0] += np.uint64(0x9E3779B97F4A7C15)
    z = rng[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.int64(((z >> np.uint64(32)) * np.uint64(6)) >> np.uint64(32)) + 1  # type: ignore[return-value]


@leaf
def _d6_again(rng: Bits, again: int) -> int:
    """A die that is rolled once more when it shows one of these faces."""
    face = _d6(rng)
    if (again >> face) & 1:
        face = _d6(rng)
    return face


@leaf
def _dice_total(sums: Ints, row: int, rng: Bits) -> int:
    total = 0
    for i in range(SIDES, SIDES + sums[row, DICE]):
        face = _d6(rng)
        total += face if sums[row, i] == 6 else (face + 1) // 2
    return total


@leaf
def _number(sums: Ints, row: int, rng: Bits) -> int:
    """The result of an expression."""
    total = 0
    if sums[row, DICE]:
        total = _dice_total(sums, row, rng)
        if (sums[row, TOTALS_AGAIN] >> total) & 1:
            total = _dice_total(sums, row, rng)
    return max(sums[row, LEAST], total + sums[row, PLUS])


# ---------------------------------------------------------------------- one sequence


@leaf
def _front_rank(bodies: Ints) -> int:
    """The lowest rank that stands, or NONE."""
    rank = NONE
    for i in range(len(bodies)):
        if bodies[i, LEFT] > 0 and (rank == NONE or bodies[i, RANK] < rank):
            rank = bodies[i, RANK]
    return rank


@leaf
def _pick(bodies: Ints, now: Ints, save: int) -> int:
    """The body that the defender gives an attack to, or NONE when all are gone."""
    rank = _front_rank(bodies)
    best = NONE
    forced = False
    for i in range(len(bodies)):
        if bodies[i, LEFT] <= 0 or bodies[i, RANK] != rank:
            continue
        must = bodies[i, LEFT] < bodies[i, FULL] or bodies[i, MARKED] != 0
        if best == NONE or (must and not forced):
            best, forced = i, must
        elif must == forced and now[BEST_SAVE] and save >= 0 and bodies[i, SAVES + save] < bodies[best, SAVES + save]:
            best = i
    if best == NONE:
        now[ALL_GONE] = 1
    return best


@leaf
def _aimed(volleys: Ints, volley: int, bodies: Ints) -> int:
    """The body behind others that the attacker directs a wound at, or NONE."""
    rank = _front_rank(bodies)
    for i in range(len(bodies)):
        if volleys[volley, AIM + i] and bodies[i, LEFT] > 0 and bodies[i, RANK] > rank:
            return i
    return NONE


@leaf
def _lose(bodies: Ints, body: int, points: int, pain: int, rng: Bits) -> int:
    """Take wounds off a body; the points that are left over when it is gone."""
    if pain >= NEVER:
        lost = min(points, bodies[body, LEFT])
        bodies[body, LEFT] -= lost
        return points - lost
    while points > 0 and bodies[body, LEFT] > 0:
        points -= 1
        if _d6(rng) < pain:
            bodies[body, LEFT] -= 1
    return points


@leaf
def _suffer(points: int, first: int, spill: bool, bodies: Ints, now: Ints, rng: Bits) -> None:
    """Mortal wounds, point by point."""
    now[HELD] = NONE
    while points > 0:
        aimed = first != NONE and bodies[first, LEFT] > 0
        body = first if aimed else _pick(bodies, now, NONE)
        if body == NONE:
            return
        if now[KEEPS]:
            bodies[body, MARKED] = 1
        if aimed or not spill or now[KEEPS]:
            points = _lose(bodies, body, points, bodies[body, PAIN_MORTAL], rng)
        else:
            _lose(bodies, body, 1, bodies[body, PAIN_MORTAL], rng)
            points -= 1
        if not spill:
            return


@leaf
def _saved(bodies: Ints, body: int, save: int, rng: Bits) -> bool:
    if save == NONE:
        return False
    needed = bodies[body, SAVES + save]
    if needed >= NEVER:
        return False
    face = _d6(rng)
    if face < needed and (bodies[body, SAVE_AGAIN] >> face) & 1:
        face = _d6(rng)
    return face >= needed


@leaf
def _normal(aimed: int, save: int, damage: int, sums: Ints, bodies: Ints, now: Ints, rng: Bits) -> None:
    """A wound that is allocated, saved and inflicted."""
    body = aimed
    if body == NONE:
        # While the body that took the last attack has to take the next, nobody need be looked for.
        body = now[HELD] if now[HELD] != NONE else _pick(bodies, now, save)
        if body == NONE:
            return
    if now[KEEPS]:
        bodies[body, MARKED] = 1
    if not _saved(bodies, body, save, rng):
        _lose(bodies, body, _number(sums, damage, rng), bodies[body, PAIN], rng)
    now[HELD] = NONE
    must = now[KEEPS] != 0 or bodies[body, LEFT] < bodies[body, FULL]
    if must and aimed == NONE and not now[BEST_SAVE] and bodies[body, LEFT] > 0:
        now[HELD] = body


@leaf
def _wound(
    volleys: Ints, volley: int, kinds: Ints, kind: int, sums: Ints, bodies: Ints, due: Ints, now: Ints, rng: Bits
) -> None:
    """What a wound does, by its kind."""
    if now[ALL_GONE]:
        return
    aimed = _aimed(volleys, volley, bodies) if volleys[volley, AIMS] else NONE
    if kinds[kind, DAMAGE] != NONE:
        _normal(aimed, kinds[kind, SAVE], kinds[kind, DAMAGE], sums, bodies, now, rng)
    if kinds[kind, POINTS] != NONE:
        points = _number(sums, kinds[kind, POINTS], rng)
        if not kinds[kind, HELD_BACK]:
            _suffer(points, aimed, kinds[kind, SPILL] != 0, bodies, now, rng)
        elif now[WAITING] < len(due):
            due[now[WAITING], 0] = points
            due[now[WAITING], 1] = aimed
            due[now[WAITING], 2] = kinds[kind, SPILL]
            now[WAITING] += 1


@leaf
def _one_attack(volleys: Ints, v: int, kinds: Ints, sums: Ints, bodies: Ints, due: Ints, now: Ints, rng: Bits) -> None:
    """One attack from hit roll to damage."""
    face = _d6_again(rng, volleys[v, HIT_AGAIN]) if volleys[v, HIT_ROLLED] else 6
    for _ in range(volleys[v, WOUNDS + face]):
        _wound(volleys, v, kinds, volleys[v, AUTOMATIC], sums, bodies, due, now, rng)
    hits = volleys[v, HITS + face]
    if volleys[v, EXTRA + face] != NONE:
        hits += _number(sums, volleys[v, EXTRA + face], rng)
    for _ in range(hits):
        face = _d6_again(rng, volleys[v, WOUND_AGAIN]) if volleys[v, WOUND_ROLLED] else 6
        kind = volleys[v, KIND + face]
        if kind != NONE:
            _wound(volleys, v, kinds, kind, sums, bodies, due, now, rng)


@leaf
def _sequence(
    volleys: Ints, shots: Ints, kinds: Ints, sums: Ints, bodies: Ints, due: Ints, now: Ints, rng: Bits
) -> None:
    """All volleys, then the mortal wounds that waited."""
    now[HELD] = NONE
    now[WAITING] = now[ALL_GONE] = 0
    for row in range(len(shots)):
        for _ in range(shots[row, 1]):
            for _ in range(_number(sums, shots[row, 2], rng)):
                _one_attack(volleys, shots[row, 0], kinds, sums, bodies, due, now, rng)
                if now[ALL_GONE]:
                    return
    for i in range(now[WAITING]):
        _suffer(due[i, 0], due[i, 1], due[i, 2] != 0, bodies, now, rng)


@leaf
def _run(
    volleys: Ints,
    shots: Ints,
    kinds: Ints,
    sums: Ints,
    bodies: Ints,
    now: Ints,
    due: Ints,
    rolls: int,
    rng: Bits,
    damage: Ints,
    killed: Ints,
    survived: Ints,
) -> None:
    """Fill histograms of wounds lost and models killed, and count how often each body survived."""
    for _ in range(rolls):
        for i in range(len(bodies)):
            bodies[i, LEFT] = bodies[i, START]
            bodies[i, MARKED] = bodies[i, START_MARKED]
        _sequence(volleys, shots, kinds, sums, bodies, due, now, rng)
        lost, dead = 0, 0
        for i in range(len(bodies)):
            lost += bodies[i, START] - bodies[i, LEFT]
            if bodies[i, LEFT] > 0:
                survived[i] += 1
            else:
                dead += 1
        damage[lost] += 1
        killed[dead] += 1
