"""Compile every kernel, or load it from disk: `python -m sandtable.kernels.warm`.

Each module with kernels that Python calls offers `warm_up()`, which calls them all with the types that battles use.
What one of them compiles, others find on disk.
"""

from __future__ import annotations

import multiprocessing
import os
import pkgutil
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from importlib import import_module
from typing import Final, TypeAlias

from sandtable import kernels
from sandtable.kernels.store import Store
from sandtable.sources import fingerprint

#: What saves a battle most for the time that compiling it takes comes first; by the beginnings of modules' names.
ORDER: Final = (
    "sandtable.table.footprints",
    "sandtable.systems",
    "sandtable.forty",
    "sandtable.table.reach",
    "sandtable.table.measure",
    "sandtable.table.boxes",
    "sandtable.table.coherency",
    "sandtable.table.losses",
    "sandtable.kit",
    "sandtable.table.arrange",
    "sandtable.table.sight",
    "sandtable.table",
    "sandtable.attack",
)
#: What most others build on.
COMMON: Final = "sandtable.table.measure"
#: What hardly builds on each other, for several processes, the longest first; after COMMON.
LINES: Final = (
    ("sandtable.table.sight",),
    tuple(f"sandtable.table.{name}" for name in ("contact", "moves", "soar", "path", "arrange")),
    ("sandtable.table", "sandtable.systems", "sandtable.forty", "sandtable.kit"),
    ("sandtable.attack",),
)
Tell: TypeAlias = Callable[[str, float], None]


def modules(packages: Iterable[str] = kernels.PACKAGES) -> list[str]:
    """The modules of some packages that have something to warm up, what battles need first first."""
    found = []
    for package in packages:
        for inner in pkgutil.walk_packages(import_module(package).__path__, f"{package}."):
            if hasattr(import_module(inner.name), "warm_up"):
                found.append(inner.name)
    return sorted(found, key=lambda name: _first(name, ORDER))


def _first(name: str, beginnings: Sequence[str]) -> int:
    return next((i for i, beginning in enumerate(beginnings) if name.startswith(beginning)), len(beginnings))


def warm_up(names: Iterable[str] = (), tell: Tell | None = None) -> list[tuple[str, float]]:
    """Make the kernels of some modules, or of all, ready in this process; gives, and tells, the seconds for each."""
    took = []
    for name in [*names] or modules():
        began = time.perf_counter()
        import_module(name).warm_up()
        took.append((name, time.perf_counter() - began))
        if tell is not None:
            tell(*took[-1])
    return took


def complete(store: Store) -> None:
    """Write down that all kernels are there, and clear away what older sources left."""
    marks = {fingerprint(kernel.source) for kernel in kernels.KERNELS}
    for mark in sorted(marks):
        store.complete(mark)
    store.tidy(marks)


def compile_all(tell: Tell) -> bool:
    """Make all kernels ready on all cores, and say so on disk; False if they were."""
    store = kernels.use_folder()
    kernels.engage(kernels.COMPILED)
    names = modules()
    if all(store.is_complete(mark) for mark in {fingerprint(kernel.source) for kernel in kernels.KERNELS}):
        return False
    warm_up([name for name in names if name.startswith(COMMON)], tell)
    with ProcessPoolExecutor(os.cpu_count(), multiprocessing.get_context("spawn")) as pool:
        for done in as_completed([pool.submit(_warm_line, line) for line in lines(names)]):
            for name, seconds in done.result():
                tell(name, seconds)
    complete(store)
    return True


def lines(names: Sequence[str]) -> list[list[str]]:
    """The modules of each line; a module belongs to the line that names most of it."""
    homes: dict[str, int] = {}
    for name in names:
        known = [(len(start), i) for i, line in enumerate(LINES) for start in line if name.startswith(start)]
        homes[name] = max(known, default=(0, 0))[1]
    return [[name for name in names if homes[name] == i] for i in range(len(LINES))]


def _warm_line(names: list[str]) -> list[tuple[str, float]]:
    kernels.engage(kernels.COMPILED)
    return warm_up(names)


def main() -> None:
    """Make all kernels ready, and say so if it took long."""
    began = time.perf_counter()

    def tell(name: str, took: float) -> None:
        print(f"  {name.removeprefix('sandtable.'):<32} {took:6.1f} s", file=sys.stderr, flush=True)

    if compile_all(tell):
        print(f"The kernels were compiled in {time.perf_counter() - began:.0f} s.", file=sys.stderr)


if __name__ == "__main__":
    main()
