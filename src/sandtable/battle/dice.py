"""The battle's dice.

After answer i, dice come from a counter-based generator keyed by (seed, epoch, i). The algorithm is written out here,
so that a battle rolls the same dice on every machine and with every version of Python: splitmix64, faces by rejection.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final, Protocol
from zlib import crc32

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


SEED_BITS: Final = 53
"""How long seeds are that nobody has chosen: too long to be guessed from rolls, and still whole in JavaScript."""


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

    def burn(self, answers: int) -> KeyedDice:
        """Dice for a battle that went back to so many answers: what comes after the next answer is new."""
        past = tuple((start, epoch) for start, epoch in self.epochs if start <= answers)
        return KeyedDice(self.seed, (*past, (answers + 1, max(epoch for _, epoch in self.epochs) + 1)))

    def roll(self, answers: int, counter: int, count: int, sides: int, reason: str) -> tuple[tuple[int, ...], int]:
        if answers != self._key_answers:
            self._key_answers = answers
            self._key = key(self.seed, self.epoch(answers), answers)
        # The same as `draw` again and again, written out: battles roll more dice than they do anything else.
        bound = (1 << 32) // sides * sides
        stream = self._key + _GOLDEN
        faces: list[int] = []
        while len(faces) < count:
            z = (stream + counter * _GOLDEN) & _MASK
            z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
            z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
            value = (z ^ (z >> 31)) >> 32
            counter += 1
            if value < bound:
                faces.append(value % sides + 1)
        return tuple(faces), counter


class ScriptedDice:
    """Dice that were written down beforehand: one list, or a queue for each kind of roll.

    A roll whose kind has no queue of its own takes from the queue `any`.
    """

    def __init__(self, script: Sequence[int] | Mapping[str, Sequence[int]]) -> None:
        queues = script if isinstance(script, Mapping) else {"any": script}
        self._queues = {kind: tuple(faces) for kind, faces in queues.items()}
        self._used: list[tuple[tuple[int, int], dict[str, int]]] = []
        """Each roll of the present course of the battle: its moment, and the place in each queue after it."""

    def roll(self, answers: int, counter: int, count: int, sides: int, reason: str) -> tuple[tuple[int, ...], int]:
        # A step that is entered again rolls again what it rolled before.
        moment = (answers, counter)
        while self._used and self._used[-1][0] >= moment:
            self._used.pop()
        used = self._places()
        queue = reason if reason in self._queues else "any"
        start = used.get(queue, 0)
        faces = self._queues.get(queue, ())[start : start + count]
        if len(faces) < count:
            raise UserError(
                f"The script has no dice left for the roll '{reason}' of {count}D{sides}: "
                f"the queue '{queue}' holds {len(self._queues.get(queue, ()))} and {start} are used."
            )
        if any(not 1 <= f <= sides for f in faces):
            raise UserError(f"The script gives {list(faces)} for '{reason}', but a D{sides} shows 1 to {sides}.")
        self._used.append((moment, {**used, queue: start + count}))
        return tuple(faces), counter + count

    def put_back(self, answers: int) -> None:
        """Put the dice of every roll after so many answers back into the queues."""
        while self._used and self._used[-1][0][0] > answers:
            self._used.pop()

    def left(self) -> dict[str, int]:
        """How many dice each queue still holds."""
        return {kind: len(faces) for kind, faces in self.rest().items()}

    def rest(self) -> dict[str, tuple[int, ...]]:
        """The dice that each queue still holds."""
        used = self._places()
        rest = {kind: faces[used.get(kind, 0) :] for kind, faces in self._queues.items()}
        return {kind: faces for kind, faces in rest.items() if faces}

    def _places(self) -> dict[str, int]:
        return self._used[-1][1] if self._used else {}


class EndlessDice(ScriptedDice):
    """Dice that were written down; where those of a kind have run out, or do not fit, more of that kind from a seed.

    What comes of a kind depends on nothing else that is rolled: who plays the same by other rules has the same luck.
    """

    FRESH: Final = "\0"
    """Begins the names under which dice that were not written down are counted; no kind of roll has it."""

    def __init__(self, script: Sequence[int] | Mapping[str, Sequence[int]], seed: int) -> None:
        super().__init__(script)
        self._seed = seed

    def roll(self, answers: int, counter: int, count: int, sides: int, reason: str) -> tuple[tuple[int, ...], int]:
        try:
            return super().roll(answers, counter, count, sides, reason)
        except UserError:
            return self._go_on(answers, counter, count, sides, reason)

    def _go_on(self, answers: int, counter: int, count: int, sides: int, reason: str) -> tuple[tuple[int, ...], int]:
        used = self._places()
        queue = reason if reason in self._queues else "any"
        start = used.get(queue, 0)
        faces = list(self._queues.get(queue, ())[start : start + count])
        if any(not 1 <= f <= sides for f in faces):
            faces = []
        written, spare = len(faces), f"{self.FRESH}{reason}"
        stream, drawn = key(self._seed, crc32(reason.encode()), 0), used.get(spare, 0)
        while len(faces) < count:
            face, drawn = draw(stream, drawn, sides)
            faces.append(face)
        fresh = used.get(self.FRESH, 0) + count - written
        places = {**used, queue: start + written, spare: drawn, self.FRESH: fresh}
        self._used.append(((answers, counter), places))
        return tuple(faces), counter + count

    def fresh(self) -> list[int]:
        """For each roll so far, how many of its dice were not written down."""
        return [now - before for before, now in pairwise([0, *(p.get(self.FRESH, 0) for _, p in self._used)])]


class ReplayedDice:
    """The dice that were rolled since a checkpoint, then fresh ones: a fork knows the past, never the future."""

    __slots__ = ("past", "then")

    def __init__(self, past: Mapping[tuple[int, int], tuple[tuple[int, ...], int]], then: KeyedDice) -> None:
        self.past = past
        """By moment: number of answers, and how far the dice after the last of them were used."""
        self.then = then

    def burn(self, answers: int) -> ReplayedDice:
        """Dice for a battle that went back to so many answers."""
        return ReplayedDice({k: v for k, v in self.past.items() if k[0] <= answers}, self.then.burn(answers))

    def roll(self, answers: int, counter: int, count: int, sides: int, reason: str) -> tuple[tuple[int, ...], int]:
        known = self.past.get((answers, counter))
        return known if known is not None else self.then.roll(answers, counter, count, sides, reason)
