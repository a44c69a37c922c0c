"""The grid behind the gridless table.

Positions are integers of 1/1024 of the system's unit (inch or centimetre) and facings integers of 1/4096 of a turn, so
that "within" and "not within" are exact and the same on every machine.
"""

from __future__ import annotations

import math
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

Ints: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]
Bools: TypeAlias = NDArray[np.bool_]

STEP: Final = 1024
"""Grid steps in one unit of length."""

TURN: Final = 4096
"""Facing steps in one full turn, counted anticlockwise from the x axis."""

TOUCHING: Final = 2.0
"""Two bases touch when the gap between them is at most this many steps."""

OVERLAP: Final = -1.0
"""Two bases overlap when the gap between them is below this many steps."""

TRIG_SCALE: Final = 1 << 20


def _table(function: object) -> Ints:
    values = [round(function(2.0 * math.pi * i / TURN) * TRIG_SCALE) for i in range(TURN)]  # type: ignore[operator]
    return np.array(values, dtype=np.int64)


COS: Final[Ints] = _table(math.cos)
SIN: Final[Ints] = _table(math.sin)


def steps(length: float) -> int:
    """A length in the system's unit, as grid steps."""
    return round(length * STEP)


def units(length: float) -> float:
    """Grid steps as a length in the system's unit."""
    return length / STEP


def facing(degrees: float) -> int:
    """An angle in degrees, as facing steps."""
    return round(degrees * TURN / 360.0) % TURN
