"""Which models a unit's owner would rather lose."""

from __future__ import annotations

from typing import Final

import numpy as np

from sandtable.forty.markers import markers_left, near_models
from sandtable.systems.w40k10.book import BOOK
from sandtable.systems.w40k10.concepts import (
    coherency_of,
    engaged_enemies,
    model_has_keyword,
)
from sandtable.systems.w40k10.state import Unit, World10, sheet_of
from sandtable.table.losses import order_of_loss

FEW: Final = 3
"""Fewer models than this cannot lose each other."""


def casualty_order(w: World10, target: Unit) -> tuple[int, ...]:
    """The order in which a unit's owner would rather lose its models.

    The plain ones first, of these the outermost, and none whose loss would cost coherency: rather a dearer one, but no
    CHARACTER model, for these come last. Who is in a melee or in range of an objective marker comes later.
    """
    models = w.on_table(target)
    if len(models) < FEW:
        return tuple(sorted(models.tolist(), key=lambda m: (_kind_of(w, m), -m)))
    off = w.bodies.pos[models, :2] - w.bodies.pos[models, :2].mean(axis=0)
    far = (off[:, 0] ** 2 + off[:, 1] ** 2).tolist()
    rows = models.tolist()
    kinds = {m: _kind_of(w, m) for m in rows}
    busy = _of_use(w, target)
    ranked = models[sorted(range(len(rows)), key=lambda i: (kinds[rows[i]], rows[i] in busy, -far[i], -i))]
    coherency = coherency_of(len(models))
    joined = w.links(ranked, ranked, coherency.near)
    needed = np.array([coherency_of(k).neighbours for k in range(len(models) + 1)], dtype=np.int64)
    dear = np.array([kinds[m][0] for m in ranked.tolist()], dtype=np.int64)
    return tuple(ranked[order_of_loss(joined, needed, dear)].tolist())


def _kind_of(w: World10, model: int) -> tuple[bool, int, int]:
    """What a model is to its owner, the dearer the greater."""

    def look() -> tuple[bool, int, int]:
        return (
            model_has_keyword(w, model, "CHARACTER"),
            sheet_of(w, model).wounds,
            len(w.setup.data.kits[model].weapons),
        )

    return w.fixed(("kind of casualty", model), look)


def _of_use(w: World10, unit: Unit) -> frozenset[int]:
    """The models that are in range of a marker, and those of the unit that are in a melee."""
    near = [m for k in markers_left(w) for m in near_models(w, k)]
    enemies = [w.on_table(e) for e in engaged_enemies(w, unit)]
    if enemies:
        models = w.on_table(unit)
        close = w.links(models, np.concatenate(enemies), BOOK.engagement).any(axis=1)
        near += models[close].tolist()
    return frozenset(near)
