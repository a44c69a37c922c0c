"""Many points and lines against the footprints of terrain features at once."""

from __future__ import annotations

import numpy as np

from sandtable.kernels import kernel
from sandtable.table.cores import segments_cross
from sandtable.table.grid import STEP, Bools, Ints
from sandtable.table.measure import inside


@kernel
def lying_in(points: Ints, outline: Ints, corners: Ints) -> Bools:
    """Which points lie in which footprints, [point, feature]."""
    found = np.zeros((points.shape[0], corners.shape[0]), dtype=np.bool_)
    for i in range(points.shape[0]):
        for f in range(corners.shape[0]):
            found[i, f] = inside(float(points[i, 0]), float(points[i, 1]), outline[f], corners[f])
    return found


@kernel
def lines_cross(lines: Ints, outline: Ints, corners: int) -> Bools:
    """Which lines, [line, ax ay bx by], cross the edge of a footprint."""
    found = np.zeros(lines.shape[0], dtype=np.bool_)
    for i in range(lines.shape[0]):
        ax, ay, bx, by = lines[i, 0], lines[i, 1], lines[i, 2], lines[i, 3]
        for k in range(corners):
            j = k + 1 if k + 1 < corners else 0
            if segments_cross(ax, ay, bx, by, outline[k, 0], outline[k, 1], outline[j, 0], outline[j, 1]):
                found[i] = True
                break
    return found


def warm_up() -> None:
    """Compile the kernels, or load them from disk."""
    outline = np.array([[[0, 0], [4, 0], [4, 4], [0, 4]]], dtype=np.int64) * STEP
    corners = np.array([4], dtype=np.int64)
    lying_in(np.array([[STEP, STEP]], dtype=np.int64), outline, corners)
    lines_cross(np.array([[STEP, STEP, 6 * STEP, STEP]], dtype=np.int64), outline[0], 4)
