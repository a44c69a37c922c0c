"""How far abilities reach: inches in space, or Engagement Range."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sandtable.armies.effects import Within
from sandtable.battle import TABLE
from sandtable.forty.effects.ability import Ability, DetachmentStratagem
from sandtable.forty.effects.words import Words
from sandtable.forty.state import Unit, World40, is_attached
from sandtable.table.grid import Bools, Ints, steps
from sandtable.table.measure import distances


def reaches(w: World40, one: Unit, other: Unit, far: Within) -> bool:
    """Whether two units are so close; 0 is the whole table."""
    if isinstance(far, str):
        return w.system.seam(Words).linked(w, one, other)
    return not far or w.system.seam(Words).within(w, one, other, steps(far))


def models_that_reach(w: World40, models: Sequence[int] | Ints, unit: Unit | Sequence[int], far: Within) -> Bools:
    """Which of some models are so close to a unit, or to other models."""
    here = np.asarray(models, dtype=np.int64)
    there = w.on_table(unit) if isinstance(unit, Unit) else np.asarray(unit, dtype=np.int64)
    if not far or not len(here) or not len(there):
        return np.full(len(here), not far)
    if isinstance(far, str):
        return np.asarray(w.system.seam(Words).links(w, here, there).any(axis=1))
    return np.asarray(distances(w.bodies, w.shapes, here, there).min(axis=1) <= steps(far))


def units_that_reach(w: World40, models: Sequence[int], unit: Unit, far: Within) -> list[int]:
    """The units of those models on the table that are so close to a unit on it; its own models always are."""
    if not w.is_on_table(unit):
        return []
    place, owner = w.state.models.place, w.state.models.unit
    here = [m for m in models if place[m] == TABLE]
    near = models_that_reach(w, here, unit, far).tolist()
    return list(dict.fromkeys([int(owner[m]) for m, is_near in zip(here, near, strict=True) if is_near]))


def is_wholly_reached(w: World40, models: Sequence[int], unit: Unit, inches: float) -> bool:
    """Whether all of a unit's bases are so close to one of some models; one that is not round counts by its length."""
    here, there = w.on_table(unit), np.array([m for m in models if w.state.models.place[m] == TABLE], dtype=np.int64)
    if not len(there):
        return False
    across = 2 * w.shapes.reach[w.ground.shape[here]]
    return bool((distances(w.bodies, w.shapes, here, there) + across[:, None] <= steps(inches)).any(axis=1).all())


def use_reaches(w: World40, source: Ability | DetachmentStratagem, bearer: Unit, unit: Unit, far: Within) -> bool:
    """Whether an ability of a unit reaches another: what a Leader bears is measured from the Leader."""
    if far and isinstance(source, Ability) and is_attached(w, bearer):
        own = [m for m in source.models if m in bearer.models]
        if own and all(m in bearer.leader for m in own):
            here = [int(m) for m in w.on_table(bearer) if int(m) in own]
            return bool(models_that_reach(w, here, unit, far).any())
    return reaches(w, bearer, unit, far)
