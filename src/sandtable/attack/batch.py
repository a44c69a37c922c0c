"""Sorted batches: all saves of a batch are rolled, sorted, and taken from the lowest up over the groups of the target.

Bodies of a rank above 0 are groups by themselves; the others form groups of equal wounds and saves. For each batch the
groups are put in order anew; within a group a hurt body comes first. A die meets the saves of the body that it comes
to. Mortal wounds wait until all batches are done.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

import msgspec
import numpy as np

from sandtable.attack.bounds import Unsolvable
from sandtable.attack.goals import reached
from sandtable.attack.lines import Left, Line, Order, alive, lines_of
from sandtable.attack.numbers import (
    Floats,
    attack_chances,
    face_chances,
    hit_chances,
    number_chances,
    wound_chances,
)
from sandtable.attack.procedures import batch_kinds, check_batch, group_of, saves_rerolled
from sandtable.attack.volley import NO_SAVE, Attack, Body, Choices, Mortal, Volley, WoundKind
from sandtable.attack.walk import pack_bodies
from sandtable.attack.walk_kernels import FAINT, NONE, PAIN, SAVES, Ints, kept_points, mortal_row, rooms
from sandtable.kernels import kernel

MAX_GROUPS: Final = 5
"""Groups whose orders are all tried to find the worst."""

Lots: TypeAlias = tuple[tuple[Mortal, int], ...]
"""Mortal wounds that wait, in the order in which they came, and how many critical wounds gave them."""
Waiting: TypeAlias = dict[Lots, dict[Left, float]]


def resolve(attack: Attack) -> dict[Left, float]:
    """The chance of each final state."""
    bodies = attack.target.bodies
    check_batch(bodies)
    now: Waiting = {(): {tuple(b.wounds for b in bodies): 1.0}}
    for volley in attack.volleys:
        now = _batch(attack, volley, now)
    out: dict[Left, float] = defaultdict(float)
    for lots, states in now.items():
        for left, p in _suffer(attack, lots, states).items():
            out[left] += p
    return dict(out)


# ---------------------------------------------------------------------- one batch


def _batch(attack: Attack, volley: Volley, now: Waiting) -> Waiting:
    normal, mortal = batch_kinds(volley)
    counts = _counts(volley, attack.choices)
    out: Waiting = {}
    for lots, states in now.items():
        for line in _lines(attack, volley, normal, counts, states):
            for waiting in range(counts.shape[1]):
                weights = np.ascontiguousarray(counts[:, waiting])
                if weights.sum() < FAINT:
                    continue
                found = line.states(_on_line(attack, normal, line, weights))
                after = out.setdefault(_more(lots, mortal, waiting), defaultdict(float))
                for left, p in found.items():
                    after[left] += p
    return out


def _counts(volley: Volley, choices: Choices) -> Floats:
    """[wounds to save, wounds that became mortal]: the chance of both numbers together."""
    chances = wound_chances(volley.wound, choices.reroll, len(volley.kinds))
    rolled = np.zeros((2, 2))
    rolled[0, 0] = chances[-1]
    for kind, p in zip(volley.kinds, chances, strict=False):
        rolled[int(kind.damage is not None), int(kind.mortal is not None)] += p
    unrolled = np.zeros((2, 2))
    kind = volley.kinds[volley.automatic]
    unrolled[int(kind.damage is not None), int(kind.mortal is not None)] = 1.0
    hits = np.array(hit_chances(volley.hit, choices.reroll, choices.sums))
    return _trimmed(_compound(np.array(attack_chances(volley.shots, choices.sums)), hits, rolled, unrolled))


def _trimmed(counts: Floats) -> Floats:
    rows, columns = np.nonzero(counts > FAINT)
    return counts[: rows.max() + 1, : columns.max() + 1]


def _more(lots: Lots, mortal: Mortal | None, count: int) -> Lots:
    if mortal is None or not count:
        return lots
    if lots and lots[-1][0] == mortal:
        return (*lots[:-1], (mortal, lots[-1][1] + count))
    return (*lots, (mortal, count))


def _on_line(attack: Attack, normal: WoundKind | None, line: Line, weights: Floats) -> Floats:
    if normal is None or not line.order:
        return line.chances * weights.sum()
    assert normal.damage is not None
    bodies = pack_bodies([_with(attack, line.start, i) for i in line.order])
    faces = np.array(face_chances(saves_rerolled(attack.target.bodies, normal.save)))
    damage = np.array(number_chances(normal.damage, attack.choices.sums))
    save = NONE if normal.save == NO_SAVE else normal.save
    return _sorted_saves(bodies, save, damage, faces, weights, line.chances)


def _with(attack: Attack, left: Left, i: int) -> Body:
    return msgspec.structs.replace(attack.target.bodies[i], wounds=left[i])


# ---------------------------------------------------------------------- the order of groups


def _lines(
    attack: Attack, volley: Volley, normal: WoundKind | None, counts: Floats, states: dict[Left, float]
) -> Iterable[Line]:
    save = NO_SAVE if normal is None else normal.save
    if attack.choices.allocation != "worst_for_attacker":
        return lines_of(states, lambda left: _flat(_groups(attack, volley, left, save)))
    weights = np.ascontiguousarray(counts.sum(axis=1))
    return [_worst_line(attack, volley, normal, weights, left, p) for left, p in states.items()]


def _worst_line(
    attack: Attack, volley: Volley, normal: WoundKind | None, weights: Floats, left: Left, p: float
) -> Line:
    """The order of groups that leaves the attacker least after this batch."""
    chances = np.zeros(sum(left) + 1)
    chances[0] = p
    tried = [Line(left, _flat(groups), chances) for groups in _orders(_groups(attack, volley, left, NO_SAVE))]
    if len(tried) == 1:
        return tried[0]
    return min(tried, key=lambda line: _reward(attack, line.states(_on_line(attack, normal, line, weights))))


def _reward(attack: Attack, states: dict[Left, float]) -> float:
    return sum(p * reached(attack, left) for left, p in states.items())


class _Group(msgspec.Struct, frozen=True):
    duty: tuple[int, bool]
    """By these groups are put in order, whatever the owner would like: rank, and whether nobody in it is hurt."""
    members: Order


def _groups(attack: Attack, volley: Volley, left: Left, save: int) -> list[_Group]:
    """The groups that stand, in the order by policy: who was first of all stays first when its first body is gone."""
    bodies = attack.target.bodies
    places = [group_of(i, body) for i, body in enumerate(bodies)]
    found: dict[tuple[object, ...], list[int]] = defaultdict(list)
    for i in alive(left):
        found[places[i]].append(i)
    groups = []
    for members in found.values():
        hurt = [i for i in members if left[i] < bodies[i].full]
        order = (*hurt, *(i for i in members if i not in hurt))
        groups.append(_Group((bodies[members[0]].rank, not hurt), order))
    best = attack.choices.allocation == "best_save" and save != NO_SAVE

    def first(g: _Group) -> int:
        return places.index(places[g.members[0]])

    groups.sort(key=lambda g: (*g.duty, bodies[g.members[0]].saves[save] if best else 0, first(g)))
    if attack.choices.aim == "always":
        aimed = next((g for g in groups if g.duty[0] and bodies[g.members[0]].model in volley.aim), None)
        if aimed is not None:
            groups.remove(aimed)
            return [msgspec.structs.replace(aimed, duty=(-1, False)), *groups]
    return groups


def _orders(groups: Sequence[_Group]) -> Iterable[list[_Group]]:
    """All orders that the duties allow."""
    free = [list(found) for _, found in itertools.groupby(groups, key=lambda g: g.duty)]
    if max(map(len, free), default=0) > MAX_GROUPS:
        raise Unsolvable(f"the worst order is only sought among {MAX_GROUPS} groups")
    for parts in itertools.product(*(itertools.permutations(g) for g in free)):
        yield [g for part in parts for g in part]


def _flat(groups: Iterable[_Group]) -> Order:
    return tuple(i for g in groups for i in g.members)


# ---------------------------------------------------------------------- mortal wounds


def _suffer(attack: Attack, lots: Lots, states: dict[Left, float]) -> dict[Left, float]:
    """Inflict the mortal wounds that waited: by rank, hurt bodies first."""
    bodies = attack.target.bodies

    def order(left: Left) -> Order:
        return tuple(sorted(alive(left), key=lambda i: (bodies[i].rank, left[i] >= bodies[i].full)))

    for mortal, count in lots:
        points = np.array(number_chances(mortal.points, attack.choices.sums))
        for _ in range(count):
            after: dict[Left, float] = defaultdict(float)
            for line in lines_of(states, order):
                chances = line.chances
                if line.order:
                    packed = pack_bodies([_with(attack, line.start, i) for i in line.order])
                    chances = _one_lot(packed, points, mortal.spill, chances)
                for left, p in line.states(chances).items():
                    after[left] += p
            states = dict(after)
    return states


# ---------------------------------------------------------------------- kernels


@kernel
def _product(a: Floats, b: Floats) -> Floats:
    """Two numbers each of two independent things, added up."""
    out = np.zeros((a.shape[0] + b.shape[0] - 1, a.shape[1] + b.shape[1] - 1))
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            if a[i, j] > FAINT:
                for k in range(b.shape[0]):
                    for m in range(b.shape[1]):
                        out[i + k, j + m] += a[i, j] * b[k, m]
    return out


@kernel
def _compound(attacks: Floats, hits: Floats, rolled: Floats, unrolled: Floats) -> Floats:
    """Both numbers over all attacks, from those of one wound roll and of one automatic wound."""
    most = hits.shape[0] + hits.shape[1] - 1
    one = np.zeros((most, most))
    by_wounds = np.ones((1, 1))
    for w in range(hits.shape[0]):
        by_hits = by_wounds
        for h in range(hits.shape[1]):
            if hits[w, h] > 0.0:
                one[: by_hits.shape[0], : by_hits.shape[1]] += hits[w, h] * by_hits
            by_hits = _product(by_hits, rolled)
        by_wounds = _product(by_wounds, unrolled)
    # Horner's rule, from the highest number of attacks down.
    out = np.full((1, 1), attacks[-1])
    for number in range(len(attacks) - 2, -1, -1):
        out = _product(out, one)
        out[0, 0] += attacks[number]
    return out


@kernel
def _sorted_saves(bodies: Ints, save: int, damage: Floats, faces: Floats, weights: Floats, start: Floats) -> Floats:
    """Take save dice from the lowest face up along a line; `weights` are the chances of so many dice."""
    body_of, end_of = rooms(bodies)
    states = len(body_of)
    dice = len(weights)
    lost = np.zeros((len(bodies), len(damage)))
    for i in range(len(bodies)):
        kept_points(damage, min(1.0, max(0, 7 - bodies[i, PAIN]) / 6), lost[i])
    now = np.zeros((dice, states))
    for r in range(dice):
        now[r] = weights[r] * start
    later = 1.0
    for face in range(1, 7):
        share = 1.0 if face == 6 else min(1.0, faces[face - 1] / later)
        later -= faces[face - 1]
        now = _one_face(bodies, body_of, end_of, save, face, share, lost, now)
    return now[0]


@kernel
def _one_face(
    bodies: Ints, body_of: Ints, end_of: Ints, save: int, face: int, share: float, lost: Floats, now: Floats
) -> Floats:
    """The dice that show a face, of those left over: any number of them, each one along the line."""
    dice, states = now.shape
    out = np.zeros((dice, states))
    for r in range(dice):
        at = now[r].copy()
        if at.sum() < FAINT:
            continue
        # Chance that `n` of `r` dice show the face, from one n to the next.
        chance = (1.0 - share) ** r
        for n in range(r + 1):
            if share == 1.0:
                chance = 1.0 if n == r else 0.0
            if chance > 0.0:
                for s in range(states):
                    out[r - n, s] += chance * at[s]
            if n < r:
                if share < 1.0:
                    chance *= (r - n) / (n + 1) * share / (1.0 - share)
                at = _one_die(bodies, body_of, end_of, save, face, lost, at)
    return out


@kernel
def _one_die(bodies: Ints, body_of: Ints, end_of: Ints, save: int, face: int, lost: Floats, at: Floats) -> Floats:
    after = np.zeros(len(at))
    last = len(at) - 1
    after[last] = at[last]
    for s in range(last):
        if at[s] < FAINT:
            continue
        body = body_of[s]
        if save != NONE and face >= bodies[body, SAVES + save]:
            after[s] += at[s]
            continue
        for points in range(lost.shape[1]):
            after[min(s + points, end_of[s])] += at[s] * lost[body, points]
    return after


@kernel
def _one_lot(bodies: Ints, points: Floats, spill: bool, start: Floats) -> Floats:
    """Mortal wounds of one critical wound along a line."""
    body_of, end_of = rooms(bodies)
    out = np.zeros(len(start))
    row = np.zeros(len(points))
    for s in range(len(start)):
        if start[s] > 0.0:
            wide = mortal_row(bodies, body_of, end_of, s, points, spill, row)
            for j in range(wide):
                out[s + j] += start[s] * row[j]
    return out
