"""Rolling sorted batches: all saves of a batch are rolled and taken from the lowest face up, group by group."""

from __future__ import annotations

from typing import Final

import numpy as np

from sandtable.attack.montecarlo_dice import Bits, below, count, kind_of_wound, lose, number, roll_to_hit, stand_up
from sandtable.attack.montecarlo_tables import (
    AIM,
    AIMS,
    AUTOMATIC,
    DAMAGE,
    FULL,
    GROUP,
    KIND,
    LEFT,
    NONE,
    PAIN,
    PAIN_MORTAL,
    PAIRS,
    POINTS,
    RANK,
    SAVE,
    SAVES,
    SPILL,
    VOLLEY_SAVE,
    WOUNDS,
    Ints,
    pack,
    pairs_rerolled,
)
from sandtable.attack.procedures import batch_kinds, check_batch, saves_rerolled
from sandtable.attack.volley import Attack
from sandtable.kernels import bare, leaf

MAX_DUE: Final = 4096
"""So many mortal wounds of different attacks can wait at once; what comes on top is lost."""

# work: dice by face; then for each body its place in the order of this batch
FACE_COUNTS: Final = 7


def run(attack: Attack, rolls: int, rng: Bits, damage: Ints, killed: Ints, survived: Ints) -> None:
    """Fill the histograms."""
    bodies = attack.target.bodies
    check_batch(bodies)
    normal = [batch_kinds(volley)[0] for volley in attack.volleys]
    again = [() if kind is None else saves_rerolled(bodies, kind.save) for kind in normal]
    faces = np.array([pairs_rerolled(each) for each in again], dtype=np.int64).reshape(-1, PAIRS)
    work = np.zeros(FACE_COUNTS + len(bodies), dtype=np.int64)
    due = np.empty((MAX_DUE, 2), dtype=np.int64)
    best = attack.choices.allocation == "best_save"
    _run(*pack(attack), faces, best, work, due, rolls, rng, damage, killed, survived)


# ---------------------------------------------------------------------- the order of groups


@leaf
def _hurt(bodies: Ints, group: int) -> bool:
    """Whether a body of a group that stands has lost wounds."""
    hurt = False
    for i in range(len(bodies)):
        hurt |= bodies[i, GROUP] == group and 0 < bodies[i, LEFT] < bodies[i, FULL]
    return hurt


@leaf
def _first(bodies: Ints, group: int) -> int:
    """The first body of a group, whether it stands or not."""
    i = 0
    while bodies[i, GROUP] != group:
        i += 1
    return i


@bare
def _declare(volleys: Ints, v: int, bodies: Ints, best: bool, work: Ints) -> None:
    """Give each body its place: by rank, groups with a hurt body first, then the owner's order; hurt bodies first."""
    size = len(bodies)
    for i in range(size):
        save = bodies[i, SAVES + volleys[v, VOLLEY_SAVE]] if best and volleys[v, VOLLEY_SAVE] != NONE else 0
        key = bodies[i, RANK]
        key = 2 * key + (not _hurt(bodies, bodies[i, GROUP]))
        key = 8 * key + save
        key = size * key + _first(bodies, bodies[i, GROUP])
        key = 2 * key + (bodies[i, LEFT] >= bodies[i, FULL])
        work[FACE_COUNTS + i] = size * key + i
    if not volleys[v, AIMS]:
        return
    aimed = NONE
    for i in range(size):
        offered = volleys[v, AIM + i] and bodies[i, LEFT] > 0 and bodies[i, RANK] > 0
        if offered and (aimed == NONE or work[FACE_COUNTS + i] < work[FACE_COUNTS + aimed]):
            aimed = i
    if aimed != NONE:
        work[FACE_COUNTS + aimed] = -1


@leaf
def _next(bodies: Ints, work: Ints) -> int:
    """The body that the dice come to, or NONE when all are gone."""
    found = NONE
    for i in range(len(bodies)):
        if bodies[i, LEFT] > 0 and (found == NONE or work[FACE_COUNTS + i] < work[FACE_COUNTS + found]):
            found = i
    return found


# ---------------------------------------------------------------------- one batch


@bare
def _roll_volley(
    volleys: Ints,
    v: int,
    shots: Ints,
    kinds: Ints,
    sums: Ints,
    faces: Ints,
    work: Ints,
    due: Ints,
    waiting: int,
    rng: Bits,
) -> int:
    """Roll up to the saves: dice by face. Returns how many lots of mortal wounds wait now."""
    for face in range(FACE_COUNTS):
        work[face] = 0
    for row in range(len(shots)):
        if shots[row, 0] != v:
            continue
        for _ in range(shots[row, 1]):
            for _ in range(number(sums, shots[row, 2], rng)):
                hits, wounds = roll_to_hit(volleys, v, sums, rng)
                for left in range(wounds + hits, 0, -1):
                    kind = kind_of_wound(volleys, v, left <= hits, rng)
                    if kind == NONE:
                        continue
                    if kinds[kind, DAMAGE] != NONE:
                        work[faces[v, below(rng, PAIRS)]] += 1
                    if kinds[kind, POINTS] != NONE and waiting < len(due):
                        due[waiting, 0] = kinds[kind, POINTS]
                        due[waiting, 1] = kinds[kind, SPILL]
                        waiting += 1
    return waiting


@bare
def _take(save: int, damage: int, sums: Ints, bodies: Ints, work: Ints, rng: Bits) -> None:
    """Take the dice from the lowest face up."""
    body = _next(bodies, work)
    for face in range(1, FACE_COUNTS):
        for _ in range(work[face]):
            if body == NONE:
                return
            if save != NONE and face >= bodies[body, SAVES + save]:
                continue
            lose(bodies, body, number(sums, damage, rng), bodies[body, PAIN], rng)
            if bodies[body, LEFT] <= 0:
                body = _next(bodies, work)


@bare
def _suffer(points: int, spill: bool, bodies: Ints, rng: Bits) -> None:
    """Mortal wounds, point by point: by rank, hurt bodies first."""
    while points > 0:
        body = NONE
        for i in range(len(bodies)):
            if bodies[i, LEFT] <= 0:
                continue
            if body == NONE or bodies[i, RANK] < bodies[body, RANK]:
                body = i
            elif bodies[i, RANK] == bodies[body, RANK] and bodies[body, LEFT] >= bodies[body, FULL]:
                body = i if bodies[i, LEFT] < bodies[i, FULL] else body
        if body == NONE:
            return
        at_once = 1 if spill else points
        points += lose(bodies, body, at_once, bodies[body, PAIN_MORTAL], rng) - at_once
        if not spill:
            return


@leaf
def _kind_saved(kinds: Ints, volleys: Ints, v: int) -> int:
    """The one kind of wound of a volley that is saved, or NONE."""
    if kinds[volleys[v, AUTOMATIC], DAMAGE] != NONE:
        for case in range(PAIRS):
            if volleys[v, WOUNDS + case]:
                return volleys[v, AUTOMATIC]
    for case in range(PAIRS):
        kind = volleys[v, KIND + case]
        if kind != NONE and kinds[kind, DAMAGE] != NONE:
            return kind
    return NONE


@bare
def _run(
    volleys: Ints,
    shots: Ints,
    kinds: Ints,
    sums: Ints,
    bodies: Ints,
    faces: Ints,
    best: bool,
    work: Ints,
    due: Ints,
    rolls: int,
    rng: Bits,
    damage: Ints,
    killed: Ints,
    survived: Ints,
) -> None:
    for _ in range(rolls):
        stand_up(bodies)
        waiting = 0
        for v in range(len(volleys)):
            _declare(volleys, v, bodies, best, work)
            waiting = _roll_volley(volleys, v, shots, kinds, sums, faces, work, due, waiting, rng)
            kind = _kind_saved(kinds, volleys, v)
            if kind != NONE:
                _take(kinds[kind, SAVE], kinds[kind, DAMAGE], sums, bodies, work, rng)
        for i in range(waiting):
            _suffer(number(sums, due[i, 0], rng), due[i, 1] != 0, bodies, rng)
        count(bodies, damage, killed, survived)
