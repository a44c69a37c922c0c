"""The benefit of cover (13.08): for a whole unit, against each attacking model."""

from __future__ import annotations

from typing import Final

import numpy as np

from sandtable.battle.kept import PLACES, kept
from sandtable.forty.effects.core_abilities import all_given_cover
from sandtable.forty.effects.permissions import not_forbidden
from sandtable.kit.seeing import hidden_behind, sight
from sandtable.rules import Facts, fact, rule
from sandtable.systems.w40k11.abilities import has_core
from sandtable.systems.w40k11.state import Unit, World11
from sandtable.systems.w40k11.terrain import on_foot, within_area
from sandtable.table.grid import Bools

COVER: Final = "cover"
"""Kind of effect that gives the benefit of cover..."""
SMOKE: Final = "smoke"
"""...also to whoever stands behind the unit."""


class COVERED(Facts):
    """What the book states about cover."""

    worse = fact(1, "w40k11.terrain.cover_effect", neutral=0)
    """How much worse the BS of an attack is against a unit in cover."""


@rule(
    "w40k11.terrain.cover",
    "w40k11.terrain.cover_effect",
    "w40k11.unit.stealth",
    "w40k11.strat.smokescreen",
    neutral=False,
)
def in_cover(w: World11, unit: Unit, row: int, target: Unit) -> bool:
    """Whether a unit has cover against a model of another, by its row: all of its models qualify, or it is given.

    Where an ability says that it cannot have it, nothing gives it.
    """
    return can_have_cover(w, target) and (
        w.affected(COVER, target.id)
        or has_stealth(w, target)
        or all_given_cover(w, unit, target)
        or in_smoke(w, unit, row, target)
        or bool(_sheltered(w, unit, target)[row].all())
    )


def can_have_cover(w: World11, target: Unit) -> bool:
    """Whether no ability says that a unit cannot have cover, whatever would give it."""
    return bool(not_forbidden(w, target, "cover", "have cover"))


@rule("w40k11.strat.smokescreen", neutral=False)
def in_smoke(w: World11, unit: Unit, row: int, target: Unit) -> bool:
    """Whether a unit has laid smoke, or a model of another, by its row, does not see it fully because of who has."""
    smoked = tuple([e.unit for e in w.state.effects if e.kind == SMOKE])
    return target.id in smoked or (bool(smoked) and bool(hidden_behind(w, unit, target, smoked)[row].any()))


@rule("w40k11.unit.stealth", neutral=False)
def has_stealth(w: World11, target: Unit) -> bool:
    """Whether all models of a unit have Stealth."""
    return all(has_core(w, target, m, "stealth") for m in w.on_table(target).tolist())


@kept(PLACES)
def _sheltered(w: World11, unit: Unit, target: Unit) -> Bools:
    """Which models of a target qualify for cover against which attacking models, [attacker, model]."""
    attackers, models = w.on_table(unit), w.on_table(target)
    if not w.table.features:
        return np.zeros((len(attackers), len(models)), dtype=np.bool_)
    inside = on_foot(w, target) & within_area(w, target).any(axis=1)
    return np.asarray(sight(w, unit, target).broken.any(axis=2) | inside[None, :])
