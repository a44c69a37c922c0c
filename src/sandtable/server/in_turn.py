"""What waits is served in turn by who asks: whoever asks for much waits behind that, and nobody else does."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable
from math import inf
from typing import Generic, TypeVar

T = TypeVar("T")


class InTurn(Generic[T]):
    """What waits, by who asks for it."""

    def __init__(self, most: float = inf, spared: str | None = None) -> None:
        self._most = most
        self._spared = spared
        """Who is neither counted nor turned away."""
        self._waiting: OrderedDict[str, deque[T]] = OrderedDict()
        """Whose turn is next comes first."""

    def __len__(self) -> int:
        return sum(len(line) for asker, line in self._waiting.items() if asker != self._spared)

    def __bool__(self) -> bool:
        return bool(self._waiting)

    def put(self, asker: str, one: T) -> T | None:
        """Have one wait; where that are too many, gives the last of whoever has most, which does not wait any more."""
        self._waiting.setdefault(asker, deque()).append(one)
        if len(self) <= self._most:
            return None
        crowd = [other for other in self._waiting if other != self._spared]
        greediest = max(crowd, key=lambda other: (len(self._waiting[other]), other == asker))
        last = self._waiting[greediest].pop()
        self._tidy(greediest)
        return last

    def take(self, may: Callable[[str], bool] = lambda _: True) -> T | None:
        """The next one of those who may be served now; None where nobody waits of them."""
        asker = next(filter(may, self._waiting), None)
        if asker is None:
            return None
        one = self._waiting[asker].popleft()
        self._waiting.move_to_end(asker)
        self._tidy(asker)
        return one

    def drop(self, asker: str, one: T) -> None:
        """One does not wait any more."""
        line = self._waiting.get(asker)
        if line is not None and one in line:
            line.remove(one)
            self._tidy(asker)

    def _tidy(self, asker: str) -> None:
        if not self._waiting[asker]:
            del self._waiting[asker]
