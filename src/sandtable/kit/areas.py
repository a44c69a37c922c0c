"""Terrain areas: which features belong together, and how far models are from them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from sandtable.battle.kept import PLACES, kept
from sandtable.table.footprints import lying_in
from sandtable.table.grid import Floats, Ints
from sandtable.table.measure import area_gap
from sandtable.table.shapes import Bodies

if TYPE_CHECKING:
    from sandtable.battle.system import AnyWorld

NO_AREA: Final = -1


@kept(PLACES)
def areas_of(w: AnyWorld) -> Ints:
    """For each feature the area that it belongs to, numbered by the first feature of it.

    Most are areas of their own. Features whose ids begin with the same word before a slash are one: "ruin/floor".
    """
    first: dict[str, int] = {}
    names = [feature.id.partition("/")[0] for feature in w.table.features]
    return np.array([first.setdefault(name, f) for f, name in enumerate(names)], dtype=np.int64)


def joined(w: AnyWorld, found: Ints) -> Ints:
    """How models stand to features, [model, feature], where who is within one of an area is within all of it."""
    areas = areas_of(w)
    if not len(areas) or len(set(areas.tolist())) == len(areas):
        return found
    return np.stack([found[:, areas == area].max(axis=1) for area in areas], axis=1)


def area_at(w: AnyWorld, x: int, y: int) -> int:
    """The area that a point lies in, or -1."""
    if not w.table.features:
        return NO_AREA
    here = lying_in(np.array([(x, y)], dtype=np.int64), w.terrain.outline, w.terrain.corners)[0]
    return int(areas_of(w)[np.argmax(here)]) if here.any() else NO_AREA


def gaps_to_area(w: AnyWorld, bodies: Bodies, models: Ints, area: int) -> Floats:
    """Horizontal gaps between models and the nearest part of an area; below 0 where a base is partly in it."""
    outline, corners = w.terrain.outline, w.terrain.corners
    parts = np.flatnonzero(areas_of(w) == area).tolist()
    return np.array(
        [min(area_gap(bodies, w.shapes, m, outline[f], int(corners[f])) for f in parts) for m in models.tolist()]
    )
