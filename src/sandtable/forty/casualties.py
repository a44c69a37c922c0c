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
from sandtable.table.coherency import Coherency


def casualty_order(
    w: World40, target: Unit, together: Callable[[int], Coherency], enemies: Callable[[Any, Any], Sequence[Any]]
) -> tuple[int, ...]:
    """The order in which a unit's owner would rather lose its models.

    CHARACTER models come last. Who is in a melee or in range of an objective marker comes later. The edition says how
    so many models have to stand together, and (world, unit) which enemies a unit is in combat with.
    """
    game = w.state.game
    return _order(w, target, game.markers, game.removed, together, enemies)


@kept(PLACES)
def _order(
    w: World40,
    target: Unit,
    markers: tuple[tuple[int, int, int], ...],
    removed: tuple[int, ...],
    together: Callable[[int], Coherency],
    enemies: Callable[[Any, Any], Sequence[Any]],
) -> tuple[int, ...]:
    models = w.on_table(target)
    kinds = {m: _kind_of(w, m) for m in models.tolist()}
    return order_of_losses(w, models, kinds, lambda: _of_use(w, target, enemies(w, target)), together)


@kept(SETUP)
def _kind_of(w: World40, model: int) -> tuple[int, ...]:
    """What a model is to its owner, the dearer the greater."""
    dear = w.system.seam(Words).model_has_keyword(w, model, "CHARACTER")
    return int(dear), sheet_of(w, model).wounds, len(w.setup.data.kits[model].weapons)


def _of_use(w: World40, unit: Unit, enemies: Sequence[Any]) -> frozenset[int]:
    """The models that are in range of a marker, and those of the unit that are in a melee."""
    near = [m for k in markers_left(w) for m in near_models(w, k)]
    if enemies:
        models, theirs = w.on_table(unit), np.concatenate([w.on_table(e) for e in enemies])
        close = w.system.seam(Words).links(w, models, theirs).any(axis=1)
        near += models[close].tolist()
    return frozenset(near)
