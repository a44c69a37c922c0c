"""What the procedures mean before any die is rolled: the part that solver, kernels and the battle's flow share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec

from sandtable.attack.bounds import Unsolvable
from sandtable.attack.volley import NEVER, NO_SAVE, Body, Mortal, Target, Volley, WoundKind


def used_kinds(volley: Volley) -> list[int]:
    """The kinds of wounds that the volley can give."""
    rolled = {f.kind for f in (volley.wound.faces if volley.wound.rolled else volley.wound.faces[-1:]) if f.success}
    faces = volley.hit.faces if volley.hit.rolled else volley.hit.faces[-1:]
    if any(f.wounds for f in faces):
        rolled.add(volley.automatic)
    return sorted(rolled)


# ---------------------------------------------------------------------- sorted batches


def batch_kinds(volley: Volley) -> tuple[WoundKind | None, Mortal | None]:
    """The one kind of wound that is saved, and the one kind of mortal wounds."""
    kinds = [volley.kinds[k] for k in used_kinds(volley)]
    normal = {(k.save, k.damage): k for k in kinds if k.damage is not None}
    mortal = {k.mortal: k.mortal for k in kinds if k.mortal is not None}
    if len(normal) > 1 or len(mortal) > 1:
        raise Unsolvable(f"'{volley.name}' is no batch of identical attacks: its wounds are of several kinds")
    return next(iter(normal.values()), None), next(iter(mortal.values()), None)


def group_of(place: int, body: Body) -> tuple[object, ...]:
    """Bodies for which this is equal form a group; those of a rank above 0 are groups by themselves."""
    return (place,) if body.rank else body.profile or (body.full, body.saves)


def check_batch(bodies: Sequence[Body]) -> None:
    """Refuse what cannot be rolled as batches."""
    if any(b.save_reroll != bodies[0].save_reroll for b in bodies):
        raise Unsolvable("in a batch all bodies have to re-roll the same saves, as no die belongs to a body yet")


def saves_rerolled(bodies: Sequence[Body], save: int) -> tuple[int, ...]:
    """The faces of save dice that are rolled again: those that may be, and that somebody would not be saved by."""
    worst = NEVER if save == NO_SAVE else max(b.saves[save] for b in bodies)
    return tuple(f for f in bodies[0].save_reroll if f < worst)


# ---------------------------------------------------------------------- pooled saves


def as_one(target: Target) -> Target:
    """The target with the saves, and re-rolls of saves, that most of its bodies have for all of them."""
    saves, again = common_saves(target), common_reroll(target)
    alike = tuple(msgspec.structs.replace(b, saves=saves, save_reroll=again) for b in target.bodies)
    return msgspec.structs.replace(target, bodies=alike)


def common_saves(target: Target) -> tuple[int, ...]:
    """For each class the save that most bodies have; on a tie the worse."""
    first = target.bodies[0].saves
    if all(b.saves == first for b in target.bodies):
        return first
    out = []
    for save in zip(*(b.saves for b in target.bodies), strict=True):
        counts = Counter(save)
        most = max(counts.values())
        out.append(max(needed for needed, n in counts.items() if n == most))
    return tuple(out)


def common_reroll(target: Target) -> tuple[int, ...]:
    """The faces of a failed save that most bodies re-roll."""
    first = target.bodies[0].save_reroll
    if all(b.save_reroll == first for b in target.bodies):
        return first
    return Counter(b.save_reroll for b in target.bodies).most_common(1)[0][0]
