"""Compile every kernel of the table, or load it from disk: `python -m sandtable.table.warm [PACKAGE...]`.

A kernel that is compiled in the middle of a battle would make a player wait for seconds. Each module that has kernels
offers `warm_up()`, which calls them all with the types that battles use. Packages that build on the table and have
kernels of their own are named by the caller.
"""

from __future__ import annotations

import pkgutil
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Final

import numpy as np

from sandtable.kernels import compiled_signatures
from sandtable.table import measure
from sandtable.table.grid import STEP
from sandtable.table.shapes import Bodies, hull, pack, round_base

#: The modules with kernels, those that others build on first.
MODULES: Final = (
    "measure",
    "coherency",
    "scatter",
    "contact",
    "footprints",
    "sight",
    "moves",
    "path",
    "reach",
    "templates",
    "arrange",
)


def warm_up(packages: Sequence[str] = (), tell: Callable[[str, float], None] | None = None) -> float:
    """Make all kernels ready; `tell` hears of each module and the seconds that it took. Returns all seconds."""
    began = time.perf_counter()
    for name, run in (*_steps(), *_further(packages)):
        here = time.perf_counter()
        run()
        if tell is not None:
            tell(name, time.perf_counter() - here)
    return time.perf_counter() - began


def _steps() -> Iterator[tuple[str, Callable[[], object]]]:
    for name in MODULES:
        full = f"sandtable.table.{name}"
        if find_spec(full) is None:
            continue
        run = getattr(import_module(full), "warm_up", None)
        if run is not None:
            yield name, run
        elif name == "measure":
            yield name, _measure


def _further(packages: Sequence[str]) -> Iterator[tuple[str, Callable[[], object]]]:
    for package in packages:
        for found in pkgutil.walk_packages(import_module(package).__path__, f"{package}."):
            run = getattr(import_module(found.name), "warm_up", None)
            if run is not None:
                yield found.name.removeprefix("sandtable."), run


def _measure() -> None:
    shapes = pack([round_base(1, 1), hull(4, 2, 2)])
    pos = np.array([[2, 2, 0], [4, 2, 0], [9, 9, 0]], dtype=np.int64) * STEP
    bodies = Bodies(pos, np.zeros(3, dtype=np.int64), np.array([0, 0, 1], dtype=np.int64))
    one, two = np.arange(1), np.arange(1, 3)
    area = np.array([[0, 0], [12, 0], [12, 12], [0, 12]], dtype=np.int64) * STEP
    measure.gaps(bodies, shapes, one, two)
    measure.distances(bodies, shapes, one, two)
    measure.linked(bodies, shapes, one, two, STEP, STEP)
    measure.links(bodies, shapes, one, two, STEP, STEP)
    measure.pair_gap(bodies, shapes, 0, 2)
    measure.pair_rise(bodies, shapes, 0, 2)
    measure.far_distance(bodies, shapes, 0, 2)
    measure.overlaps(bodies, shapes, 0, 2)
    measure.inside(0.0, 0.0, area, 4)
    measure.segments_cross(pos[0, 0], pos[0, 1], pos[1, 0], pos[1, 1], area[0, 0], area[0, 1], area[1, 0], area[1, 1])
    measure.area_gap(bodies, shapes, 2, area, 4)
    measure.far_area_gap(bodies, shapes, 2, area, 4)
    measure.wholly_in_area(bodies, shapes, 2, area, 4)
    measure.on_table(bodies, shapes, 2, np.array([12 * STEP, 12 * STEP], dtype=np.int64))
    measure.area_classes(bodies, shapes, two, area[np.newaxis], np.array([4], dtype=np.int64))


def main(packages: Sequence[str] = ()) -> None:
    """Make all kernels ready and say how long it took."""
    seconds = warm_up(packages, lambda name, took: print(f"  {name:<24} {took:6.1f} s", flush=True))
    print(f"{compiled_signatures()} kernels are ready after {seconds:.1f} s.")


if __name__ == "__main__":
    main(sys.argv[1:])
