"""A share of games, with the interval that it leaves open."""

from __future__ import annotations

import math
from typing import Final

import msgspec

Z95: Final = 1.959963984540054


class Share(msgspec.Struct, frozen=True):
    """How many games of how many; a draw counts as half of one."""

    won: float
    games: int

    @property
    def rate(self) -> float:
        return self.won / self.games if self.games else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's interval: where the true rate lies, 19 times in 20; within 0 and 1, and never a mere point."""
        n = self.games
        if not n:
            return 0.0, 1.0
        p, z2 = self.rate, Z95 * Z95
        middle = (p + z2 / (2 * n)) / (1 + z2 / n)
        half = Z95 / (1 + z2 / n) * math.sqrt(p * (1 - p) / n + z2 / (4 * n * n))
        return max(0.0, middle - half), min(1.0, middle + half)

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.rate:.0%} ({low:.0%} to {high:.0%})"

    def to_json(self) -> dict[str, object]:
        return {"won": self.won, "games": self.games, "rate": self.rate, "interval": self.interval}
