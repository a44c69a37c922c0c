"""Where a unit would be out of sight of an enemy: outlines on the ground, for those who move it there."""

from __future__ import annotations

import math
from time import process_time
from typing import Any, Final

import numpy as np

from sandtable.battle.decisions import Move, Place
from sandtable.battle.state import OFF, TABLE, new_version
from sandtable.battle.world import View
from sandtable.errors import UserError
from sandtable.table.grid import STEP, Ints
from sandtable.table.reach import Field, reach_polygons

Outlines = tuple[tuple[tuple[int, int], ...], ...]

CELL: Final = STEP // 4
"""Width of a cell, where there is room for no more than so many looks."""
MOST_LOOKS: Final = 800
LONGEST: Final = 0.8
"""Seconds after which it is given up: terrain may be as rich as somebody likes, and others wait."""
HAIR: Final = 1.0
"""The outline runs so far beyond the last places that were looked from."""


def shade(view: View[Any, Any, Any, Any], decision: Move | Place, foe: Any) -> Outlines:
    """Where no model of an enemy would see a model of the decision's unit; holes run clockwise.

    The tallest model is put everywhere in turn, alone, so that no comrade hides it. The view is spoilt by it.
    """
    look, models = view.system.sight, view.state.models
    unit = view.unit(decision.unit)
    if look is None or not decision.models or not view.is_on_table(foe) or not view.are_enemies(unit, foe):
        return ()
    tallest = max(decision.models, key=lambda m: int(view.shapes.height[view.bodies.shape[m]]))
    corner, cell, wanted = _cells(view, decision)
    models.place[[m for m in unit.models if models.place[m] == TABLE]] = OFF
    models.place[tallest] = TABLE
    hidden, late = np.zeros(wanted.shape, dtype=np.int64), process_time() + LONGEST
    for row, column in np.argwhere(wanted).tolist():
        models.pos[tallest] = (corner[0] + column * cell, corner[1] + row * cell, 0)
        view.state.version = new_version()
        if process_time() > late:
            raise UserError(f"There is too much terrain to tell soon where {foe.name} sees nobody.")
        hidden[row, column] = not look(view, foe, unit).visible.any()
    found = reach_polygons(Field(corner, cell, np.zeros(hidden.shape), hidden), HAIR)
    return tuple(tuple((x, y) for x, y in ring.tolist()) for ring in found)


def _cells(view: View[Any, Any, Any, Any], decision: Move | Place) -> tuple[Ints, int, Any]:
    """The first place, the width of a cell, and which of them the unit might get to, [row, column]."""
    edge = np.array([view.table.width, view.table.depth])
    if isinstance(decision, Place):
        far, start = 0, np.array(decision.area or [(0, 0), edge])
    else:
        far, start = max(m.allowance for m in decision.modes), view.state.models.pos[list(decision.models), :2]
    low, high = np.maximum(start.min(axis=0) - far, 0), np.minimum(start.max(axis=0) + far, edge)
    cell = max(CELL, math.isqrt(int(np.prod(high - low)) // MOST_LOOKS))
    xs, ys = (np.arange(low[i], high[i] + 1, cell) for i in (0, 1))
    if not far:
        return low, cell, np.ones((len(ys), len(xs)), dtype=bool)
    gaps = [np.hypot(xs[None, :] - x, ys[:, None] - y) for x, y in start.tolist()]
    return low, cell, np.minimum.reduce(gaps) <= far
