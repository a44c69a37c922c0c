"""What a volley comes to on average, from its compiled tables: quick enough to be asked everywhere.

Averages are worked out one attack at a time: what a model is overkilled by is taken off, what the next one gains by it
is not. They are near enough to tell much from little; `solver` has what is exact.
"""

from __future__ import annotations

from collections.abc import Iterable

from sandtable.attack.volley import (
    NEVER,
    NO_SAVE,
    NO_WOUND,
    Body,
    HitRoll,
    Target,
    Volley,
    WoundKind,
    WoundRoll,
)


def mean_of(volleys: Iterable[Volley], target: Target) -> float:
    """How many wounds a target loses on average, at most those it has."""
    if not target.bodies:
        return 0.0
    first = target.bodies[0]
    return min(float(sum(b.wounds for b in target.bodies)), sum(mean_against(v, first) for v in volleys))


def mean_against(volley: Volley, body: Body) -> float:
    """How many wounds a volley takes off bodies that are all like this one, of whom there is no end."""
    return sum([n * loss_by(kind, body) for n, kind in zip(wounds_by_kind(volley), volley.kinds, strict=True)])


def wounds_by_kind(volley: Volley, wound: WoundRoll | None = None) -> list[float]:
    """How many wounds of each kind a volley gives on average; by another `wound` roll, if there is one."""
    wound = wound or volley.wound
    attacks = sum([s.weapons * s.each.mean for s in volley.shots]) * rolled_again(volley.hit)
    scored = [f.hits if f.extra is None else f.hits + f.extra.mean for f in volley.hit.faces]
    hits = attacks * sum(scored) / 6
    each = hits * rolled_again(wound) / 6
    found = [0.0] * len(volley.kinds)
    for face in wound.faces:
        if face.kind != NO_WOUND:
            found[face.kind] += each
    found[volley.automatic] += attacks * sum([f.wounds for f in volley.hit.faces]) / 6
    return found


def rolled_again(roll: HitRoll | WoundRoll) -> float:
    """By how much failures that are rolled again raise what a roll gives."""
    return 1 + sum([not roll.face(face).success for face in roll.reroll]) / 6 if roll.reroll else 1.0


def loss_by(kind: WoundKind, body: Body) -> float:
    """What one wound of a kind costs a body on average."""
    lost = 0.0
    if kind.damage is not None:
        needed = NEVER if kind.save == NO_SAVE else body.saves[kind.save]
        fails = (min(needed, NEVER) - 1) / 6
        lost += fails * min(kind.damage.mean, body.full) * (body.pain - 1) / 6
    if kind.mortal is not None:
        points = kind.mortal.points.mean
        lost += (points if kind.mortal.spill else min(points, body.full)) * (body.pain_against_mortal - 1) / 6
    for face in body.more_pain:
        lost *= (face - 1) / 6
    return lost
