"""Who sees whom, and through what: sight in space by critical lines.

>>> # sight = look(bodies, shapes, terrain, observers, targets, blocking)
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from sandtable.table.grid import Bools, Floats, Ints
from sandtable.table.layout import Terrain
from sandtable.table.shapes import Bodies, Shapes
from sandtable.table.sight_kernels import look_at_all, segment_clear
from sandtable.table.sight_pair import DEPTH, HARD, NONE, SOFT, Blocking


class Sight(NamedTuple):
    visible: Bools
    line: Floats
    full: Bools
    broken: Bools
    broken_by_model: Bools


def look(bodies, shapes, terrain, observers, targets, blocking, fully=True):
    v, line, full, broken = look_at_all(bodies, shapes, terrain, observers, targets, blocking, fully)
    return Sight(v, line, full, broken[:, :, :-1], broken[:, :, -1])
