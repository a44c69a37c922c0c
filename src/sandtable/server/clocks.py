"""Chess clocks: each player's runs while that player is asked, also by a reaction in another's turn.

Who has no time left does not lose: from then on standing orders, or the usual answers, decide for that seat. Time that
the server is down is nobody's.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from typing import Final

from sandtable.server.protocol import Clock
from sandtable.server.seats import Place
from sandtable.server.store.records import Readings

LEAST: Final = 0.05
"""Seconds that a timer waits at least."""


class Clocks:
    """The clocks of one battle; none where it is played without."""

    def __init__(self, places: Mapping[int, Place], paused: bool = False) -> None:
        self._left = {player: place.left for player, place in places.items() if place.left is not None}
        self._increment = {player: places[player].increment for player in self._left}
        self._since: dict[int, float] = {}
        self.paused = paused

    def __bool__(self) -> bool:
        return bool(self._left)

    @property
    def running(self) -> bool:
        return bool(self._since)

    def run(self, asked: Iterable[int]) -> None:
        """From now on these players are asked, and nobody else."""
        now, wanted = time.monotonic(), set() if self.paused else set(asked)
        for player in tuple(self._since):
            if player not in wanted or self.left(player) <= 0:
                self._left[player] = self.left(player)
                del self._since[player]
        for player in wanted & set(self._left):
            if self._left[player] > 0:
                self._since.setdefault(player, now)

    def left(self, player: int) -> float:
        """Seconds that a player still has."""
        ran = time.monotonic() - self._since[player] if player in self._since else 0.0
        return max(self._left[player] - ran, 0.0)

    def has_fallen(self, player: int) -> bool:
        """Whether a player has no time left."""
        return player in self._left and self.left(player) <= 0

    def add(self, player: int) -> None:
        """A player's next phase begins."""
        if player in self._left:
            self._left[player] += self._gain(player)

    def _gain(self, player: int) -> float:
        """What a phase adds; who has no time left gets none."""
        return 0.0 if self.has_fallen(player) else self._increment[player]

    def until_a_flag_falls(self) -> float | None:
        """Seconds until somebody has no time left; None while no clock runs."""
        return max(min(map(self.left, self._since)), 0.0) + LEAST if self._since else None

    def readings(self, begins: int | None = None) -> Readings:
        """What the clocks say, for the database; of who begins a phase with what that adds."""
        return tuple((p, round(self.left(p) + (self._gain(p) if p == begins else 0.0), 3)) for p in self._left)

    def shown(self) -> list[Clock]:
        """What the clocks say, for clients."""
        return [
            Clock(p, round(self.left(p), 1), p in self._since, self.has_fallen(p), self._increment[p])
            for p in sorted(self._left)
        ]
