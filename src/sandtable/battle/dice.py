"""The battle's dice.

After answer i, dice come from a counter-based generator keyed by (seed, epoch, i). The algorithm is written out here,
so that a battle rolls the same dice on every machine and with every version of Python: splitmix64, faces by rejection.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Final, Protocol

from sandtable.errors import UserError

_MASK: Final = (1 << 64) - 1
_GOLDEN: Final = 0x9E3779B97F4A7C15


def mix(z: int) -> int:
    """The finisher of splitmix64."""
    z = (z + _GOLDEN) & _MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
    return z ^ (z >> 31)


def key(seed: int, epoch: int, answers: int) -> int:
    """The key of the dice that follow an answer."""
    return mix(mix(mix(seed & _MASK) ^ epoch) ^ answers)


def derived_seed(seed: int, branch: int) -> int:
    """A seed for a fork, from which the parent's own seed cannot be worked out."""
    digest = hashlib.blake2b(f"{seed}/{branch}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big")


def draw(stream: int, counter: int, sides: int) -> tuple[int, int]:
    """A face from 1 to `sides`, and the counter after it."""
    bound = (1 << 32) // sides * sides
    while True:
        value = mix((stream + counter * _GOLDEN) & _MASK) >> 32
        counter += 1
        if value < bound:
            return value % sides + 1, counter


class Dice(Protocol):
    """Where faces come from."""

    def roll(self, answers: int, counter: int, count: int, sides: int, reason: str) -> tuple[tuple[int, ...], int]:
        """Faces of `count` dice, and the counter after them."""
        ...


class KeyedDice:
    """The dice of a battle: keyed by seed, epoch and number of answers so far."""

    __slots__ = ("_key", "_key_answers", "epochs", "seed")

    def __init__(self, seed: int, epochs: Sequence[tuple[int, int]] = ((0, 0),)) -> None:
        self.seed = seed
        self.epochs = tuple(epochs)
        self._key_answers = -1
        self._key = 0

    def epoch(self, answers: int) -> int:
        """The epoch in force after so many answers."""
        return next(e for start, e in reversed(self.epochs) if answers >= start)

    def roll(self, answers: int, counter: int, count: int, sides: int, reason: str) -> tuple[tuple[int, ...], int]:
        if answers != self._key_answers:
            self._key_answers = answers
            self._key = key(self.seed, self.epoch(answers), answers)
        faces = []
        for _ in range(count):
            face, counter = draw(self._key, counter, sides)
            faces.append(face)
        return tuple(faces), counter


class ScriptedDice:
    """Dice that were written down beforehand: one list, or a queue for each kind of roll.

    A roll whose kind has no queue of its own takes from the queue `any`.
    """

    def __init__(self, script: Sequence[int] | Mapping[str, Sequence[int]]) -> None:
        queues = script if isinstance(script, Mapping) else {"any": script}
        self._queues = {kind: tuple(faces) for kind, faces in queues.items()}
        self._used: dict[tuple[int, int], dict[str, int]] = {}
        self._at = dict.fromkeys(self._queues, 0)

    def roll(self, answers: int, counter: int, count: int, sides: int, reason: str) -> tuple[tuple[int, ...], int]:
        # Replaying a step asks again for dice that were rolled before: the place in each queue is kept by moment.
        moment = (answers, counter)
        self._at = dict(self._used.setdefault(moment, dict(self._at)))
        queue = reason if reason in self._queues else "any"
        start = self._at.get(queue, 0)
        faces = self._queues.get(queue, ())[start : start + count]
        if len(faces) < count:
            raise UserError(
                f"The script has no dice left for the roll '{reason}' of {count}D{sides}: "
                f"the queue '{queue}' holds {len(self._queues.get(queue, ()))} and {start} are used."
            )
        if any(not 1 <= f <= sides for f in faces):
            raise UserError(f"The script gives {list(faces)} for '{reason}', but a D{sides} shows 1 to {sides}.")
        self._at[queue] = start + count
        self._used[(answers, counter + count)] = dict(self._at)
        return tuple(faces), counter + count

    def left(self) -> dict[str, int]:
        """How many dice each queue still holds."""
        left = {kind: len(faces) - self._at[kind] for kind, faces in self._queues.items()}
        return {kind: count for kind, count in left.items() if count}
