"""The benefit of cover (13.08): for a whole unit, against each attacking model."""

from __future__ import annotations

from typing import Final

import numpy as np

from sandtable.battle.kept import PLACES, kept
from sandtable.kit.seeing import sight, within_areas
from sandtable.rules import Facts, fact, rule
from sandtable.systems.w40k11.concepts import model_has_keyword
from sandtable.systems.w40k11.state import Unit, World11
from sandtable.systems.w40k11.terrain import FOOT
from sandtable.table.grid import Bools

COVER: Final = "cover"
"""Kind of effect that gives the benefit of cover, as stratagems do."""


class COVERED(Facts):
    """What the book states about cover."""

    worse = fact(1, "w40k11.terrain.cover_effect", neutral=0)
    """How much worse the BS of an attack is against a unit in cover."""


@rule("w40k11.terrain.cover", neutral=False)
def in_cover(w: World11, unit: Unit, row: int, target: Unit) -> bool:
    """Whether a unit has cover against a model of another, by its row: all of its models qualify."""
    return bool(w.affected(COVER, target.id)) or bool(_sheltered(w, unit, target)[row].all())


@kept(PLACES)
def _sheltered(w: World11, unit: Unit, target: Unit) -> Bools:
    """Which models of a target qualify for cover against which attacking models, [attacker, model]."""
    attackers, models = w.on_table(unit), w.on_table(target)
    if not w.table.features:
        return np.zeros((len(attackers), len(models)), dtype=np.bool_)
    on_foot = np.array([any(model_has_keyword(w, m, k) for k in FOOT) for m in models.tolist()], dtype=np.bool_)
    inside = on_foot & (within_areas(w, target) > 0).any(axis=1)
    return np.asarray(sight(w, unit, target).broken.any(axis=2) | inside[None, :])
