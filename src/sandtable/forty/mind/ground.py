"""The ground of a battle as plans see it: open lines between places, and places in cover."""

from __future__ import annotations

from typing import Final

import numpy as np

from sandtable.battle.kept import PLACES, SETUP, kept
from sandtable.forty.mind.lines import AREA, NOTHING, SOLID, Ground, open_between, stands_in
from sandtable.forty.mind.mind import mind_of
from sandtable.forty.state import World40
from sandtable.table.grid import STEP, Bools, Floats, steps

EYES: Final = steps(1.5)
"""What is lower than this hides nobody."""


def ground(w: World40) -> Ground:
    """The terrain of a battle."""
    return _changed_ground(w) if w.state.features else _ground(w)


@kept(PLACES)
def _changed_ground(w: World40) -> Ground:
    """With terrain that was added in the battle."""
    return _read(w)


@kept(SETUP)
def _ground(w: World40) -> Ground:
    return _read(w)


def _read(w: World40) -> Ground:
    terrain, features, mind = w.terrain, w.table.features, mind_of(w)
    hides = [
        AREA if f.kind in mind.hiding else SOLID if f.solid and f.top >= EYES and f.bottom == 0 else NOTHING
        for f in features
    ]
    shelters = [f.kind in mind.shelter for f in features]
    high = (terrain.wall[:, 4] == 0) & (terrain.wall[:, 5] >= EYES)
    return Ground(
        terrain.outline / STEP,
        terrain.corners,
        np.array(hides, dtype=np.int64),
        np.array(shelters, dtype=np.bool_),
        np.ascontiguousarray(terrain.wall[high, :4] / STEP),
    )


def view(w: World40, here: Floats, there: Floats) -> tuple[Bools, Bools]:
    """`open_lines`, and which places here are `sheltered`."""
    g = ground(w)
    in_here, in_there = stands_in(here, g.outline, g.corners), stands_in(there, g.outline, g.corners)
    lines = open_between(here, there, in_here, in_there, g.outline, g.corners, g.hides, g.walls)
    return lines, np.asarray((in_here & g.shelters).any(axis=1))


def open_lines(w: World40, here: Floats, there: Floats) -> Bools:
    """Between which places no terrain hides one from the other, [here, there]; places are [n, x y] in inches."""
    return view(w, here, there)[0]


def sheltered(w: World40, places: Floats) -> Bools:
    """Which places lie in terrain that gives cover."""
    g = ground(w)
    return np.asarray((stands_in(places, g.outline, g.corners) & g.shelters).any(axis=1))
