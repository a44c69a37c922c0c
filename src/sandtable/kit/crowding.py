"""Crowding around a model: each of some models is set up as close to it as those before leave room for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

import numpy as np

from sandtable.battle.decisions import Spot
from sandtable.kit.beside import perimeter
from sandtable.kit.room import Room, Spots, placed, rows_of
from sandtable.table.coherency import coherent
from sandtable.table.grid import STEP
from sandtable.table.measure import distances

if TYPE_CHECKING:
    from sandtable.battle.system import AnyWorld

RINGS: Final = STEP // 2
"""How far apart the rings around a model are on which places are looked for"""
SLACK: Final = STEP // 4
"""So much closer a place has to be to count as closer"""


def crowd(w: AnyWorld, room: Room, hull: int, reach: int) -> Spots:
    """Places for as many models of a room as there is space for, each as close to a model as it can be."""
    found: Spots = ()
    for model in room.models:
        spot = _closest(w, room, found, model, hull, reach)
        found = found if spot is None else (*found, spot)
    return found


def nearer_spot(w: AnyWorld, room: Room, before: Spots, spot: Spot, hull: int) -> Spot | None:
    """A place that is closer to a model than the one where another is set up after others; None where there is none."""
    far = float(distances(placed(w, (spot,)), w.shapes, rows_of((spot,)), np.array([hull], dtype=np.int64)).min())
    return _closest(w, room, before, spot.model, hull, int(far) - SLACK)


def _closest(w: AnyWorld, room: Room, before: Spots, model: int, hull: int, reach: int) -> Spot | None:
    for spot in _places(w, model, hull, reach):
        spots = (*before, spot)
        together = len(spots) < 2 or coherent(placed(w, spots), w.shapes, rows_of(spots), room.together)
        if together and room.stands(spots):
            return spot
    return None


def _places(w: AnyWorld, model: int, hull: int, reach: int) -> Iterator[Spot]:
    """Places around a model, ring by ring from it outwards, no further away than that."""
    wide = int(w.shapes.reach[w.ground.shape[model]])
    z, facing = int(w.state.models.pos[hull, 2]), int(w.state.models.facing[hull])
    for gap in range(3, reach + 1, RINGS):
        for x, y in perimeter(w, hull, wide + gap + 2, wide).tolist():
            yield Spot(model, x, y, z, facing)
