"""A check of what is kept: every value that is found again is worked out anew, and compared.

`watching` switches it on for a while; with the environment variable SANDTABLE_CHECK_CACHES it is on from the start. It
is slow, and meant for tests.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import msgspec
import numpy as np

from sandtable.battle.kept import check_with
from sandtable.battle.state import AnyUnit
from sandtable.battle.world import World


class Stale(NamedTuple):
    """A value that was kept too long."""

    what: str
    """The function that keeps it."""
    key: Hashable
    kept: Any
    fresh: Any


class StaleValue(AssertionError):
    """A value was kept that does not hold any more."""


class Watch:
    """Looks at each value once for every change of the state, and keeps the first stale one of each function."""

    def __init__(self, *, collect: bool = False) -> None:
        self.collect = collect
        self.found: dict[str, Stale] = {}
        self.checked = 0
        self._sound: set[Hashable] = set()
        self._stamp = -1

    def install(self) -> None:
        """Begin to look."""
        check_with(self.look)

    def remove(self) -> None:
        """Look no more."""
        check_with(None)

    def look(
        self,
        w: World[Any, Any, Any, Any],
        function: Callable[..., Any],
        key: Hashable,
        found: Any,
        compute: Callable[[], Any],
    ) -> None:
        """Work a value out again that was found under a key."""
        if self._stamp != w.state.stamp:
            self._stamp = w.state.stamp
            self._sound.clear()
        if key in self._sound:
            return
        self._sound.add(key)
        self.checked += 1
        fresh = compute()
        if same(found, fresh):
            return
        stale = Stale(function.__qualname__, key, found, fresh)
        if not self.collect:
            raise StaleValue(f"{stale.what} {key}: kept {found!r}, but now it is {fresh!r}")
        self.found.setdefault(stale.what, stale)


@contextmanager
def watching(*, collect: bool = False) -> Iterator[Watch]:
    """Check what is kept: what is stale is raised, or with `collect` gathered."""
    watch = Watch(collect=collect)
    watch.install()
    try:
        yield watch
    finally:
        watch.remove()


def same(one: Any, other: Any) -> bool:
    """Whether two values are the same in all that can be compared; units are told apart by their numbers."""
    if type(one) is not type(other):
        return False
    if isinstance(one, np.ndarray):
        return one.dtype == other.dtype and np.array_equal(one, other, equal_nan=one.dtype.kind == "f")
    if isinstance(one, AnyUnit):
        return bool(one.id == other.id)
    if isinstance(one, Mapping):
        return list(one) == list(other) and all(same(one[k], other[k]) for k in one)
    if isinstance(one, Sequence) and not isinstance(one, str | bytes):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, msgspec.Struct):
        return all(same(getattr(one, f), getattr(other, f)) for f in one.__struct_fields__)
    # What has no equality of its own, such as an index, is known by its kind alone.
    compares: Any = type(one).__eq__
    return compares is object.__eq__ or bool(one == other)
