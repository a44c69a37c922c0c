"""The kernels behind `sandtable.table.sight`: all pairs at once, and single segments."""

from __future__ import annotations

import numpy as np

from sandtable.kernels import kernel
from sandtable.table.grid import Bools, Floats, Ints
from sandtable.table.layout import Terrain
from sandtable.table.measure import pair_gap
from sandtable.table.shapes import Bodies, Shapes
from sandtable.table.sight_between import collect, set_observer
from sandtable.table.sight_full import see_fully
from sandtable.table.sight_pair import (
    AXIS_X,
    AXIS_Y,
    FRAME,
    LENGTH,
    LINE,
    ORIGIN_X,
    ORIGIN_Y,
    Blocking,
    Work,
    comes_first,
    make_work,
    set_frame,
)
from sandtable.table.sight_prisms import Prisms, build
from sandtable.table.sight_segment import hit_slots, sampled_full, sampled_line
from sandtable.table.sight_visible import find_line


@kernel
def _to_table(work: Work, swapped: bool, out: Floats) -> None:
    """Write the line found in table coordinates, the observer's end first."""
    ox, oy = work.pad[FRAME, ORIGIN_X], work.pad[FRAME, ORIGIN_Y]
    ex, ey = work.pad[FRAME, AXIS_X], work.pad[FRAME, AXIS_Y]
    for end in range(2):
        u, v, z = work.pad[LINE, 3 * end], work.pad[LINE, 3 * end + 1], work.pad[LINE, 3 * end + 2]
        at = 3 * (1 - end) if swapped else 3 * end
        out[at], out[at + 1], out[at + 2] = ox + u * ex - v * ey, oy + u * ey + v * ex, z


@kernel
def look_at_all(
    bodies: Bodies, shapes: Shapes, prisms: Prisms, observers: Ints, targets: Ints, blocking: Blocking, fully: bool
) -> tuple[Bools, Floats, Bools, Bools]:
    """Visible, line, full, and what breaks full sight (the last column stands for models), [observer, target]."""
    features = blocking.mode.shape[0]
    rows, columns = observers.shape[0], targets.shape[0]
    visible = np.zeros((rows, columns), dtype=np.bool_)
    full = np.zeros((rows, columns), dtype=np.bool_)
    line = np.zeros((rows, columns, 6), dtype=np.float64)
    broken = np.zeros((rows, columns, features + 1), dtype=np.bool_)
    hits = np.zeros(features + 1, dtype=np.bool_)
    work = make_work(prisms, features)
    for row in range(rows):
        i = observers[row]
        active = set_observer(prisms, bodies.pos.shape[0], i, row, blocking, work)
        for col in range(columns):
            j = targets[col]
            a, b = (i, j) if comes_first(prisms, i, j) else (j, i)
            set_frame(prisms, a, b, work.pad)
            if work.pad[FRAME, LENGTH] < prisms.reach[i] + prisms.reach[j] and pair_gap(bodies, shapes, i, j) < -1.0:
                visible[row, col] = sampled_line(prisms, i, j, row, col, blocking, hits, line[row, col])
                if fully:
                    full[row, col] = sampled_full(prisms, i, j, row, col, blocking, hits, broken[row, col])
                continue
            n, hidden = collect(prisms, active, a, b, i, j, row, col, blocking, work, fully)
            seen = not hidden and find_line(work, n)
            if seen:
                visible[row, col] = True
                _to_table(work, a != i, line[row, col])
            if fully:
                full[row, col] = see_fully(work, n, 0 if a == i else 1, seen)
                for s in range(features + 1):
                    broken[row, col, s] = work.named[s]
    return visible, line, full, broken


@kernel
def stopped_by(
    bodies: Bodies,
    shapes: Shapes,
    terrain: Terrain,
    blocking: Blocking,
    i: int,
    j: int,
    row: int,
    col: int,
    p: Floats,
    q: Floats,
    fully: bool,
) -> Bools:
    """What stops segments from points p to points q: [segment, feature], the last column standing for models."""
    prisms = build(bodies, shapes, terrain, blocking.band_top)
    vert = np.empty((prisms.point.shape[0], 4), dtype=np.float64)
    hits = np.zeros((p.shape[0], terrain.outline.shape[0] + 1), dtype=np.bool_)
    for s in range(p.shape[0]):
        hit_slots(prisms, i, j, row, col, blocking, fully, p[s], q[s], vert, hits[s])
    return hits
