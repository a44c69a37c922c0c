"""Compile every kernel of the table, or load it from disk: `python -m sandtable.table.warm [PACKAGE...]`.

A kernel that is compiled in the middle of a battle would make a player wait for seconds. Each module that has kernels
offers `warm_up()`, which calls them all with the types that battles use. Packages that build on the table and have
kernels of their own are named by the caller.
"""

from __future__ import annotations

import multiprocessing
import os
import pkgutil
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from importlib import import_module
from importlib.util import find_spec
from typing import Final, TypeAlias

import numpy as np

from sandtable.table import cores, measure
from sandtable.table.grid import STEP
from sandtable.table.shapes import Bodies, hull, pack, round_base

#: The modules with kernels: first what all build on, then lines that hardly build on each other.
FIRST: Final = ("measure",)
LINES: Final = (
    ("coherency", "scatter", "contact", "footprints", "moves", "soar", "path", "reach", "templates", "arrange"),
    ("sight", "losses", "boxes"),
)
Tell: TypeAlias = Callable[[str, float], None]


def warm_up(packages: Sequence[str] = (), tell: Tell | None = None) -> float:
    """Make all kernels ready; `tell` hears of each module and the seconds that it took. Returns all seconds."""
    began = time.perf_counter()
    for line in (FIRST, *LINES):
        _run(_steps(line), tell)
    _run(_further(packages), tell)
    return time.perf_counter() - began


def compile_all(packages: Sequence[str], tell: Tell) -> float:
    """The same on all cores, for the first time: what one process compiles, the others find on disk."""
    began = time.perf_counter()
    _run(_steps(FIRST), tell)
    with ProcessPoolExecutor(os.cpu_count(), multiprocessing.get_context("spawn")) as pool:
        waiting = [pool.submit(_line, line) for line in LINES]
        waiting += [pool.submit(_package, package) for package in packages]
        for done in as_completed(waiting):
            for name, took in done.result():
                tell(name, took)
    return time.perf_counter() - began


def _line(line: tuple[str, ...]) -> list[tuple[str, float]]:
    return _run(_steps(line))


def _package(package: str) -> list[tuple[str, float]]:
    return _run(_further((package,)))


def _run(steps: Iterable[tuple[str, Callable[[], object]]], tell: Tell | None = None) -> list[tuple[str, float]]:
    took = []
    for name, run in steps:
        here = time.perf_counter()
        run()
        took.append((name, time.perf_counter() - here))
        if tell is not None:
            tell(*took[-1])
    return took


def _steps(names: Sequence[str]) -> Iterator[tuple[str, Callable[[], object]]]:
    for name in names:
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
    cores.place_core(shapes, 1, 0, 0, 0, np.empty((shapes.core.shape[1], 2), dtype=np.int64))
    measure.gaps(bodies, shapes, one, two)
    measure.distances(bodies, shapes, one, two)
    measure.linked(bodies, shapes, one, two, STEP, STEP)
    measure.links(bodies, shapes, one, two, STEP, STEP)
    measure.pair_gap(bodies, shapes, 0, 2)
    measure.pair_rise(bodies, shapes, 0, 2)
    measure.far_distance(bodies, shapes, 0, 2)
    measure.overlaps(bodies, shapes, 0, 2)
    measure.inside(0.0, 0.0, area, 4)
    cores.segments_cross(pos[0, 0], pos[0, 1], pos[1, 0], pos[1, 1], area[0, 0], area[0, 1], area[1, 0], area[1, 1])
    measure.area_gap(bodies, shapes, 2, area, 4)
    measure.far_area_gap(bodies, shapes, 2, area, 4)
    measure.wholly_in_area(bodies, shapes, 2, area, 4)
    measure.on_table(bodies, shapes, 2, np.array([12 * STEP, 12 * STEP], dtype=np.int64))
    measure.area_classes(bodies, shapes, two, area[np.newaxis], np.array([4], dtype=np.int64))


def main(packages: Sequence[str] = ()) -> None:
    """Make all kernels ready and say how long it took."""
    seconds = compile_all(packages, lambda name, took: print(f"  {name:<24} {took:6.1f} s", flush=True))
    print(f"The kernels are ready after {seconds:.1f} s.")


if __name__ == "__main__":
    main(sys.argv[1:])
