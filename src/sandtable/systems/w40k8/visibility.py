"""Visibility: who sees whom. Only what is really there hides anybody."""

from __future__ import annotations

import numpy as np

from sandtable.battle import TABLE
from sandtable.battle.kept import PLACES, kept
from sandtable.rules import rule
from sandtable.systems.w40k8.state import Unit, World8
from sandtable.table.grid import Bools
from sandtable.table.sight import HARD, NONE, Blocking, look, prisms_of


@kept(PLACES)
def visible(w: World8, unit: Unit, target: Unit) -> Bools:
    """Which models of a unit see which models of another, [observer, target]."""
    table = _blocking(w, unit, target)
    prisms = prisms_of(w.bodies, w.shapes, w.terrain, table.band_top)
    seen = look(w.bodies, w.shapes, w.terrain, w.on_table(unit), w.on_table(target), table, fully=False, prisms=prisms)
    return seen.visible


def _blocking(w: World8, unit: Unit, target: Unit) -> Blocking:
    """What stops whose sight: walls, floors and solid features, and models that are not of the observer's unit."""
    features, models = len(w.table.features), w.state.models
    return Blocking(
        observer_class=np.zeros((len(w.on_table(unit)), features), dtype=np.int64),
        target_class=np.zeros((len(w.on_table(target)), features), dtype=np.int64),
        mode=np.full((features, 4, 4), NONE, dtype=np.int64),
        depth=np.zeros(features, dtype=np.int64),
        band_top=np.zeros(features, dtype=np.int64),
        physical=np.full((features, 4, 4), HARD, dtype=np.int64),
        model_blocks=((models.place == TABLE) & others_hide()).astype(np.int64),
        group=models.unit,
        target_group_blocks_visible=1,
        target_group_blocks_full=1,
        half_width=0,
    )


@rule("w40k8.concept.visibility", neutral=False)
def others_hide() -> bool:
    """Models hide what is behind them, but for those of the observer's own unit."""
    return True
