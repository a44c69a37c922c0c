"""Reaching the enemy across something: from one side of a feature to whoever stands on its other side."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sandtable.table.footprints import lines_cross
from sandtable.table.grid import TOUCHING, Bools, Ints
from sandtable.table.measure import area_gap
from sandtable.table.shapes import Bodies
from sandtable.table.zones import Zone, links

if TYPE_CHECKING:
    from sandtable.battle.system import AnyWorld


class Across(NamedTuple):
    """Features across which an edition lets models reach further, and what it asks for."""

    features: tuple[int, ...]
    zone: Zone
    """How near the enemy has to be"""
    behind: int
    """How near to a feature the enemy has to stand"""
    reached: Callable[[AnyWorld, Bodies, Ints, Ints], bool]
    """Whether one of some models reaches one of some enemies so"""


def across(w: AnyWorld, bodies: Bodies, models: Ints, enemies: Ints, features: tuple[int, ...], zone: Zone) -> Bools:
    """Which pairs of models are within a zone with one of some features between them, [model, enemy]."""
    out = np.zeros((len(models), len(enemies)), dtype=np.bool_)
    if not features or not len(models) or not len(enemies):
        return out
    rows, columns = np.nonzero(links(bodies, w.shapes, models, enemies, zone))
    if not len(rows):
        return out
    lines = np.concatenate((bodies.pos[models[rows], :2], bodies.pos[enemies[columns], :2]), axis=1)
    for f in features:
        out[rows, columns] |= lines_cross(lines, w.terrain.outline[f], int(w.terrain.corners[f]))
    return out


def reached_across(w: AnyWorld, bodies: Bodies, models: Ints, enemies: Ints, ways: Across) -> bool:
    """Whether one of some models, up against a feature, reaches across it one of some enemies close behind it."""
    pairs = across(w, bodies, models, enemies, ways.features, ways.zone)
    outlines = [(w.terrain.outline[f], int(w.terrain.corners[f])) for f in ways.features]
    return any(
        area_gap(bodies, w.shapes, int(enemies[j]), *outline) <= ways.behind
        and area_gap(bodies, w.shapes, int(models[i]), *outline) <= TOUCHING
        for i, j in zip(*np.nonzero(pairs), strict=True)
        for outline in outlines
    )


def stands_behind(w: AnyWorld, models: Ints, features: tuple[int, ...], near: int) -> bool:
    """Whether one of some models is so near to one of some features."""
    outlines = [(w.terrain.outline[f], int(w.terrain.corners[f])) for f in features]
    return any(area_gap(w.bodies, w.shapes, m, *outline) <= near for m in models.tolist() for outline in outlines)
