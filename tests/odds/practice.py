"""Practice units whose odds can be worked out by hand."""

from __future__ import annotations

from math import comb
from pathlib import Path

from sandtable.odds import Setting

PACK = Path(__file__).parent / "pack"
PRACTICE = Setting(pack=str(PACK))


def binomial(number: int, chance: float) -> list[float]:
    """The chance of 0, 1, 2... successes."""
    return [comb(number, k) * chance**k * (1 - chance) ** (number - k) for k in range(number + 1)]


def at_most(chances: list[float], most: int) -> list[float]:
    """The same where everything beyond `most` counts as `most`."""
    padded = [*chances, *([0.0] * (most + 1 - len(chances)))]
    return [*padded[:most], sum(padded[most:])]
