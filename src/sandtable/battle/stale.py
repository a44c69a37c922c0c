"""A check of what worlds keep: every value that is found again is worked out anew, and compared.

`watching` puts it in place of the plain methods of `World` for a while; with the environment variable
SANDTABLE_CHECK_CACHES it is there from the start. It is slow, and meant for tests.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final, NamedTuple, TypeAlias

import msgspec
import numpy as np

from sandtable.battle.kept import check_with
from sandtable.battle.state import AnyUnit
from sandtable.battle.world import World

AnyWorld: TypeAlias = World[Any, Any, Any, Any]
KEPT: Final = (("cached", 1), ("standing", 1), ("under_effects", 1), ("now", 1), ("fixed", 1), ("latest", 2))
"""The methods that keep values, and where among their arguments the function stands that works them out."""


class Stale(NamedTuple):
    """A value that was kept too long."""

    how: str
    """The method that kept it."""
    key: Hashable
    kept: Any
    fresh: Any

    @property
    def what(self) -> str:
        """What it is about: the first word of its key."""
        key = self.key
        while isinstance(key, tuple) and key:
            key = key[0]
        return self.how if callable(key) else f"{self.how} {key}"


class StaleValue(AssertionError):
    """A world kept a value that does not hold any more."""


class Watch:
    """Looks at each value once for every change of the state, and keeps the first stale one of each kind."""

    def __init__(self, *, collect: bool = False) -> None:
        self.collect = collect
        self.found: dict[str, Stale] = {}
        self.checked = 0
        self._sound: set[Hashable] = set()
        self._stamp = -1
        self._plain: dict[str, Callable[..., Any]] = {}

    def install(self) -> None:
        """Put the check in place of the methods of `World`."""
        names = [how for how, _ in KEPT]
        self._plain = {name: getattr(World, name) for name in names}
        for how, place in KEPT:
            setattr(World, how, _checked(self, self._plain[how], how, place))
        check_with(self._look_at_kept)

    def remove(self) -> None:
        """Put the plain methods back."""
        check_with(None)
        for name, method in self._plain.items():
            setattr(World, name, method)

    def _look_at_kept(
        self, w: AnyWorld, function: Callable[..., Any], key: Hashable, found: Any, compute: Callable[[], Any]
    ) -> None:
        self.look(w, function.__qualname__, key, found, compute)

    def look(self, w: AnyWorld, how: str, key: Hashable, kept: Any, compute: Callable[[], Any]) -> None:
        """Work a value out again that was found under a key."""
        if self._stamp != w.state.stamp:
            self._stamp = w.state.stamp
            self._sound.clear()
        if (how, key) in self._sound:
            return
        self._sound.add((how, key))
        self.checked += 1
        fresh = compute()
        if same(kept, fresh):
            return
        stale = Stale(how, key, kept, fresh)
        if not self.collect:
            raise StaleValue(f"{how} {key}: kept {kept!r}, but now it is {fresh!r}")
        self.found.setdefault(stale.what, stale)


@contextmanager
def watching(*, collect: bool = False) -> Iterator[Watch]:
    """Check what worlds keep: what is stale is raised, or with `collect` gathered."""
    watch = Watch(collect=collect)
    watch.install()
    try:
        yield watch
    finally:
        watch.remove()


def _checked(watch: Watch, plain: Callable[..., Any], how: str, place: int) -> Callable[..., Any]:
    def method(self: AnyWorld, *args: Any) -> Any:
        compute, worked = args[place], []

        def work() -> Any:
            worked.append(True)
            return compute()

        found = plain(self, *args[:place], work, *args[place + 1 :])
        if not worked:
            watch.look(self, how, args[0] if place == 1 else args[:place], found, compute)
        return found

    return method


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
