"""Which models a unit's owner would rather lose."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from sandtable.battle.kept import PLACES, SETUP, kept
from sandtable.forty.effects.words import Words
from sandtable.forty.markers import markers_left, near_models
from sandtable.forty.state import Unit, World40, sheet_of
from sandtable.kit.coherency import order_of_losses
from sandtable.kit.flags import hostile
from sandtable.table.coherency import Coherency
from sandtable.table.measure import gaps


def casualty_order(
    w: World40,
    target: Unit,
    together: Callable[[int], Coherency],
    enemies: Callable[[Any, Any], Sequence[Any]],
    covered: Callable[[Any, Any], Sequence[int]] = lambda w, unit: (),
) -> tuple[int, ...]:
    """The order in which a unit's owner would rather lose its models.

    CHARACTER models come last. Who is in a melee or in range of an objective marker comes later; so does who is in
    cover, where the unit has none until the others are gone, and of a unit that is about to charge the nearest to an
    enemy. The edition says how so many models have to stand together, and (world, unit) which enemies a unit is in
    combat with and who of it is in such cover.
    """
    game, charging = w.state.game, target.declared and not target.charged
    return _order(w, target, game.markers, game.removed, together, enemies, covered, charging)


@kept(PLACES)
def _order(
    w: World40,
    target: Unit,
    markers: tuple[tuple[int, int, int], ...],
    removed: tuple[int, ...],
    together: Callable[[int], Coherency],
    enemies: Callable[[Any, Any], Sequence[Any]],
    covered: Callable[[Any, Any], Sequence[int]],
    charging: bool,
) -> tuple[int, ...]:
    models = w.on_table(target)
    kinds = {m: _kind_of(w, m) for m in models.tolist()}

    def busy() -> frozenset[int]:
        needed = [*_of_use(w, target, enemies(w, target)), *_in_cover(w, target, covered)]
        return frozenset((*needed, *(_nearest(w, target) if charging else ())))

    return order_of_losses(w, models, kinds, busy, together)


@kept(SETUP)
def _kind_of(w: World40, model: int) -> tuple[int, ...]:
    """What a model is to its owner, the dearer the greater."""
    dear = w.system.seam(Words).model_has_keyword(w, model, "CHARACTER")
    return int(dear), sheet_of(w, model).wounds, len(w.setup.data.kits[model].weapons)


def _of_use(w: World40, unit: Unit, enemies: Sequence[Any]) -> list[int]:
    """The models that are in range of a marker, and those of the unit that are in a melee."""
    near = [m for k in markers_left(w) for m in near_models(w, k)]
    if enemies:
        models, theirs = w.on_table(unit), np.concatenate([w.on_table(e) for e in enemies])
        close = w.system.seam(Words).links(w, models, theirs).any(axis=1)
        near += models[close].tolist()
    return near


def _in_cover(w: World40, unit: Unit, covered: Callable[[Any, Any], Sequence[int]]) -> Sequence[int]:
    """Who is in cover, unless all are."""
    inside = covered(w, unit)
    return inside if len(inside) < len(w.on_table(unit)) else ()


def _nearest(w: World40, unit: Unit) -> Sequence[int]:
    """The model of a unit that is nearest to an enemy."""
    models, theirs = w.on_table(unit), np.flatnonzero(hostile(w, unit.player))
    return (int(models[gaps(w.bodies, w.shapes, models, theirs).min(axis=1).argmin()]),) if len(theirs) else ()
