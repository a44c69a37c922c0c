"""Lines between places, past terrain: compiled, rough, and quick for many places."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from sandtable.kernels import kernel, leaf
from sandtable.table.grid import Bools, Floats, Ints

NOTHING: Final = 0
AREA: Final = 1
"""Hides what is behind it, not what is in it."""
SOLID: Final = 2


class Ground(NamedTuple):
    """Terrain in inches."""

    outline: Floats
    """[feature, corner, x or y]"""
    corners: Ints
    hides: Ints
    """For each feature NOTHING, AREA or SOLID."""
    shelters: Bools
    """For each feature whether it gives cover to who stands in it."""
    walls: Floats
    """[wall, ax ay bx by] of those high enough to hide somebody"""


@leaf
def _inside(x: float, y: float, outline: Floats, f: int, corners: int) -> bool:
    found = False
    j = corners - 1
    above = outline[f, j, 1] > y
    for i in range(corners):
        was, above = above, outline[f, i, 1] > y
        if was != above:
            ax, ay, bx, by = outline[f, i, 0], outline[f, i, 1], outline[f, j, 0], outline[f, j, 1]
            if x < ax + (y - ay) * (bx - ax) / (by - ay):
                found = not found
        j = i
    return found


@leaf
def _cross(ax: float, ay: float, bx: float, by: float, cx: float, cy: float, dx: float, dy: float) -> bool:
    one = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
    two = (bx - ax) * (dy - ay) - (by - ay) * (dx - ax)
    if (one > 0.0) == (two > 0.0):
        return False
    three = (dx - cx) * (ay - cy) - (dy - cy) * (ax - cx)
    four = (dx - cx) * (by - cy) - (dy - cy) * (bx - cx)
    return (three > 0.0) != (four > 0.0)


@kernel
def stands_in(places: Floats, outline: Floats, corners: Ints) -> Bools:
    """Which places lie in which features, [place, feature]."""
    found = np.zeros((places.shape[0], corners.shape[0]), dtype=np.bool_)
    for i in range(places.shape[0]):
        for f in range(corners.shape[0]):
            found[i, f] = _inside(places[i, 0], places[i, 1], outline, f, corners[f])
    return found


@kernel
def open_between(
    here: Floats,
    there: Floats,
    in_here: Bools,
    in_there: Bools,
    outline: Floats,
    corners: Ints,
    hides: Ints,
    walls: Floats,
) -> Bools:
    """Between which places no terrain hides one from the other, [here, there]; places are [n, x y] in inches.

    `in_here` and `in_there` say in which features the places lie.
    """
    found = np.ones((here.shape[0], there.shape[0]), dtype=np.bool_)
    for i in range(here.shape[0]):
        for j in range(there.shape[0]):
            ax, ay, bx, by = here[i, 0], here[i, 1], there[j, 0], there[j, 1]
            shut = False
            for f in range(corners.shape[0]):
                if hides[f] == NOTHING or (hides[f] == AREA and (in_here[i, f] or in_there[j, f])):
                    continue
                k = corners[f] - 1
                for e in range(corners[f]):
                    if _cross(ax, ay, bx, by, outline[f, k, 0], outline[f, k, 1], outline[f, e, 0], outline[f, e, 1]):
                        shut = True
                        break
                    k = e
                if shut:
                    break
            if not shut:
                for v in range(walls.shape[0]):
                    if _cross(ax, ay, bx, by, walls[v, 0], walls[v, 1], walls[v, 2], walls[v, 3]):
                        shut = True
                        break
            found[i, j] = not shut
    return found


def inside_area(places: Floats, corners: Floats) -> Bools:
    """Which places lie in an outline, [corner, x y]."""
    return np.asarray(stands_in(places, corners[None, :, :], np.array([len(corners)], dtype=np.int64))[:, 0])


def warm_up() -> None:
    """Compile the kernels, or load them from disk."""
    places = np.array([[1.0, 1.0], [5.0, 5.0]])
    outline = np.array([[[2.0, 2.0], [3.0, 2.0], [3.0, 3.0]]])
    corners = np.array([3], dtype=np.int64)
    inside = stands_in(places, outline, corners)
    open_between(places, places, inside, inside, outline, corners, np.array([SOLID]), np.array([[0.0, 4.0, 4.0, 0.0]]))
