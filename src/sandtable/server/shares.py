"""Shares: battles that go on while nobody is there do not leave memory, so one address keeps only some of them."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Final

from sandtable.errors import UserError

MOST_ALONE: Final = 50
"""Battles of computer players, or with clocks that run, while nobody is there."""
MOST_FROM_ONE: Final = 10
"""Of these, those that were begun from one address."""
MOST_REMEMBERED: Final = 10_000


class Shares:
    """From where battles were begun that may go on by themselves."""

    def __init__(self) -> None:
        self._begun: OrderedDict[str, str] = OrderedDict()
        # What is being prepared counts, too: otherwise many that begin at one time would all be the last.
        self._coming: Counter[str] = Counter()

    @contextmanager
    def one_more(self, host: str, alone: Iterable[str]) -> Iterator[None]:
        """Begin one more from an address, beside those that go on alone; refuses where that is too many."""
        held, strangers = Counter(self._coming), 0
        for battle in alone:
            if battle in self._begun:
                held[self._begun[battle]] += 1
            else:
                strangers += 1  # begun before the server was started: nobody knows from where
        if held[host] >= MOST_FROM_ONE:
            raise UserError(
                f"{MOST_FROM_ONE} battles that were begun from your address go on by themselves, with clocks or "
                "computer players alone. End one of them, pause its clocks or sit down at it; or begin this one "
                "without clocks and with a seat for a person."
            )
        # Whoever got hold of more than a share takes no more than that from the others.
        if strangers + sum(min(n, MOST_FROM_ONE) for n in held.values()) >= MOST_ALONE:
            raise UserError(
                f"{MOST_ALONE} battles go on by themselves here, and no more may begin until some are over. Begin "
                "this one without clocks and with a seat for a person."
            )
        self._coming[host] += 1
        try:
            yield
        finally:
            self._coming[host] -= 1
            if not self._coming[host]:
                del self._coming[host]

    def note(self, battle: str, host: str) -> None:
        """A battle has begun."""
        self._begun[battle] = host
        while len(self._begun) > MOST_REMEMBERED:
            self._begun.popitem(last=False)
