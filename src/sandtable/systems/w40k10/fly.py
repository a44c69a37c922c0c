"""Flying: over models, and through the air."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from sandtable.battle import Path
from sandtable.rules import rule
from sandtable.systems.w40k10.concepts import model_has_keyword
from sandtable.systems.w40k10.state import World10
from sandtable.table.footprints import lying_in

MOVES_THAT_FLY: Final = ("normal", "advance", "fall_back")


@rule("w40k10.move.fly_over", neutral=False)
def flies_over(w: World10, model: int, move: str) -> bool:
    """Whether a model passes over other models, and through Engagement Range, in a move of the Movement phase."""
    return move in MOVES_THAT_FLY and model_has_keyword(w, model, "FLY")


@rule("w40k10.charge.fly", neutral=False)
def flies_in_charge(w: World10, model: int, move: str) -> bool:
    """Whether a charging model passes over other models."""
    return move == "charge" and model_has_keyword(w, model, "FLY")


def flies(w: World10, model: int, move: str) -> bool:
    """Whether a model flies in this kind of move; nobody flies to Pile In or to Consolidate."""
    return flies_over(w, model, move) or flies_in_charge(w, model, move)


@rule("w40k10.move.fly_air", neutral=False)
def measures_through_air(w: World10, path: Path) -> bool:
    """A flying move that starts or ends on a terrain feature is measured through the air."""
    start, end = w.state.models.pos[path.model], path.legs[-1]
    return on_terrain(w, int(start[0]), int(start[1])) or on_terrain(w, end.x, end.y)


def on_terrain(w: World10, x: int, y: int) -> bool:
    """Whether a point lies on a terrain feature."""
    terrain = w.terrain
    return bool(lying_in(np.array([[x, y]], dtype=np.int64), terrain.outline, terrain.corners).any())


def through_air(w: World10, path: Path) -> float:
    """The length of a path as straight lines in space."""
    x, y, z = (int(v) for v in w.state.models.pos[path.model])
    far = 0.0
    for leg in path.legs:
        dx, dy, dz = leg.x - x, leg.y - y, leg.z - z
        far += math.sqrt(dx * dx + dy * dy + dz * dz)
        x, y, z = leg.x, leg.y, leg.z
    return far
