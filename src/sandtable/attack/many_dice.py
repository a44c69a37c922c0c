"""Dice for many runs at once, as arrays; who begins with the same seed rolls the same."""

from __future__ import annotations

from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from sandtable.attack.numbers import Floats

Ints: TypeAlias = npt.NDArray[np.int64]

GOLDEN: Final = 0x9E3779B97F4A7C15
FIRST: Final = 0xBF58476D1CE4E5B9
SECOND: Final = 0x94D049BB133111EB


class ManyDice:
    """Numbers by splitmix64, one after another."""

    def __init__(self, seed: int) -> None:
        self._rolled = seed << 32

    def _bits(self, shape: tuple[int, ...]) -> Ints:
        """32 bits for each place of an array."""
        size = 1
        for side in shape:
            size *= side
        z = (np.arange(1, size + 1, dtype=np.uint64) + np.uint64(self._rolled)) * np.uint64(GOLDEN)
        self._rolled += size
        z = (z ^ (z >> np.uint64(30))) * np.uint64(FIRST)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(SECOND)
        return (z >> np.uint64(32)).astype(np.int64).reshape(shape)

    def faces(self, *shape: int) -> Ints:
        """Six-sided dice."""
        out: Ints = ((self._bits(shape) * 6) >> 32) + 1
        return out

    def shares(self, *shape: int) -> Floats:
        """Numbers from 0 up to 1."""
        out: Floats = self._bits(shape) / float(1 << 32)
        return out
