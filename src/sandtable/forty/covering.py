"""Which terrain, or what else, shelters the models of a unit from another unit's attacks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from sandtable.armies.effects import Grant
from sandtable.battle.kept import PLACES, kept
from sandtable.forty.effects.at_work import at_work
from sandtable.forty.effects.core_abilities import given_cover
from sandtable.forty.state import Unit, World40
from sandtable.kit.seeing import sight, within_areas
from sandtable.table.grid import Bools


class Look(NamedTuple):
    """One model of the target and one terrain feature, as the attacking unit sees them."""

    w: Any
    model: int
    feature: int
    stands: int
    """How the model stands to the feature; keywords do not matter here."""
    hidden: bool
    """The feature keeps attacking models from seeing it fully."""


class Covering(NamedTuple):
    """The seam: what gives cover in an edition."""

    kinds: Mapping[str, tuple[Callable[[Look], bool], str]]
    """How each kind of terrain gives cover, and the rule that says so."""
    hidden: Callable[[Any, Bools], Bools]
    """(world, [attacker, model, feature] whose sight is broken): which models which features hide."""
    effect: str
    """The kind of effects that give it."""


def sources_of_cover(w: World40, attacker: Unit, target: Unit, model: int) -> tuple[str, ...]:
    """The rules that give a model cover against a unit's ranged attacks; none without cover."""
    return shelters(w, attacker, target, [model])[model]


def shelters(w: World40, attacker: Unit, target: Unit, models: Sequence[int]) -> dict[int, tuple[str, ...]]:
    """The same for several models."""
    effects = tuple(e.source for e in w.effects(w.system.seam(Covering).effect, target.id))
    terrain = terrain_cover(w, attacker, target)
    if not at_work(w, target, Grant):
        return {m: (*effects, *terrain.get(m, ())) for m in models}
    return {m: (*effects, *given_cover(w, attacker, target, m), *terrain.get(m, ())) for m in models}


@kept(PLACES)
def terrain_cover(w: World40, attacker: Unit, target: Unit) -> dict[int, tuple[str, ...]]:
    """For each model of the target that terrain shelters from the attacker, the rules that say so."""
    covering, features, models = w.system.seam(Covering), w.table.features, w.on_table(target)
    if not features or not len(models):
        return {}
    stands = within_areas(w, target)
    behind = np.broadcast_to(covering.hidden(w, sight(w, attacker, target).broken), stands.shape)
    covered: dict[int, tuple[str, ...]] = {}
    for j, f in np.argwhere(behind | (stands > 0)).tolist():
        known, m = covering.kinds.get(features[f].kind), int(models[j])
        if known is None:
            continue
        gives, rule = known
        if gives(Look(w, m, f, int(stands[j, f]), bool(behind[j, f]))):
            covered[m] = (*covered.get(m, ()), rule)
    return covered
