"""What attacks come to on average: for defaults, and for windows that open only where they can matter.

Averages are worked out from the same tables as the attack itself, one attack at a time: what a model is overkilled by
is taken off, what the next one gains by it is not. They are near enough to tell much from little.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sandtable.attack.volley import NEVER, NO_SAVE, Body, HitFace, HitRoll, Target, Volley, WoundKind, WoundRoll
from sandtable.systems.w40k10 import cover
from sandtable.systems.w40k10.attacks import batches_of, volley
from sandtable.systems.w40k10.saves import saving_throw, target_of, who_can_take
from sandtable.systems.w40k10.shot import Shot
from sandtable.systems.w40k10.state import Unit, World10

STEALTH_SHARE: Final = 0.75
"""About as many hits are left where a Hit roll of 3+ becomes one of 4+."""


def mean_damage(w: World10, unit: Unit, target: Unit, shots: Sequence[Shot]) -> float:
    """How many wounds a target loses on average, at most those it has."""
    batches = batches_of(w, unit, target, shots)
    if not batches:
        return 0.0
    first = target_of(w, unit, target, batches, most=1).bodies
    volleys = [volley(w, unit, target, batch, k) for k, batch in enumerate(batches)]
    return min(_wounds_left(w, target), sum(_mean(v, first[0]) for v in volleys)) if first else 0.0


def _wounds_left(w: World10, target: Unit) -> float:
    """The wounds of all models that can take an attack."""
    return float(w.state.models.wounds[list(who_can_take(w, target))].sum())


def mean_of(volleys: Sequence[Volley], target: Target) -> float:
    """How many wounds a target loses on average, at most those it has."""
    if not target.bodies:
        return 0.0
    first = target.bodies[0]
    return min(float(sum(b.wounds for b in target.bodies)), sum(_mean(v, first) for v in volleys))


def _mean(v: Volley, body: Body) -> float:
    attacks = sum(s.weapons * s.each.mean for s in v.shots)
    hits = sum(_hits(f) for f in v.hit.faces) / 6
    automatic = sum(f.wounds for f in v.hit.faces) / 6
    loss = [_loss(kind, body) for kind in v.kinds]
    wound = sum(loss[f.kind] for f in v.wound.faces if f.success) / 6
    wound *= _again(v.wound)
    return attacks * _again(v.hit) * (hits * wound + automatic * loss[v.automatic])


def _again(roll: HitRoll | WoundRoll) -> float:
    """By how much failures that are rolled again raise what a roll gives."""
    return 1 + sum(not roll.face(face).success for face in roll.reroll) / 6


def _hits(face: HitFace) -> float:
    return face.hits + (face.extra.mean if face.extra is not None else 0.0)


def _loss(kind: WoundKind, body: Body) -> float:
    """What one wound of a kind costs a body on average."""
    lost = 0.0
    if kind.damage is not None:
        needed = NEVER if kind.save == NO_SAVE else body.saves[kind.save]
        fails = (min(needed, NEVER) - 1) / 6
        lost += fails * min(kind.damage.mean, body.full) * (body.pain - 1) / 6
    if kind.mortal is not None:
        lost += kind.mortal.points.mean * (body.pain_against_mortal - 1) / 6
    return lost


def saved_by(
    w: World10, unit: Unit, target: Unit, shots: Sequence[Shot], *, inv: int = NEVER, stealth: bool = False
) -> float:
    """How many wounds cover, an invulnerable save and perhaps Stealth would spare a target on average."""
    batches = batches_of(w, unit, target, shots)
    first = target_of(w, unit, target, batches, most=1).bodies
    volleys = [volley(w, unit, target, batch, k) for k, batch in enumerate(batches)]
    if not first:
        return 0.0
    body = first[0]
    shelter = (*cover.sources_of_cover(w, unit, target, body.model), "w40k10.terrain.cover")
    saves = tuple(saving_throw(w, target, body.model, batch[0], shelter, inv) for batch in batches)
    better = Body(body.model, body.wounds, body.full, saves, pain=body.pain)
    total = _wounds_left(w, target)
    before = min(total, sum(_mean(v, body) for v in volleys))
    share = STEALTH_SHARE if stealth else 1.0
    return before - min(total, share * sum(_mean(v, better) for v in volleys))
