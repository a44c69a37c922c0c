"""The numbers of questions: one for each that a battle asks, and never the same one again, whatever is taken back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from sandtable.battle.decisions import Decision

FAR: Final = 10_000
"""Further than that no journal skips numbers that a battle has written."""


class Numbers:
    """A question's number is that of the answers before it, and so much more as earlier ones have used up."""

    __slots__ = ("_shifts", "_unused")

    def __init__(self, unused: int, shifts: tuple[tuple[int, int], ...] = ((0, 0),)) -> None:
        self._unused = unused
        """The number after the highest one that was given."""
        self._shifts = shifts
        """From so many answers on, so much is added."""

    def copy(self) -> Numbers:
        return Numbers(self._unused, self._shifts)

    def give(self, asked: Sequence[Decision[Any]], answers: int) -> None:
        """Number questions that are asked together; what is played again gets its old numbers."""
        start, more = self._shifts[-1]
        if start > answers:
            more = next(m for s, m in reversed(self._shifts) if s <= answers)
        first = answers + more
        for i, decision in enumerate(asked, first):
            msgspec.structs.force_setattr(decision, "id", i)
        self._unused = max(self._unused, first + len(asked))

    def renew(self, asked: Sequence[Decision[Any]], answers: int, least: int = -1) -> dict[int, int]:
        """Number questions that are asked another time, after what was taken back; returns the new by the old.

        With `least`, questions in between had the numbers up to that one.
        """
        if 0 <= least - self._unused < FAR:
            self._unused = least
        kept = tuple([shift for shift in self._shifts if shift[0] < answers])
        self._shifts = (*(kept or ((0, 0),)), (answers, self._unused - answers))
        old = [d.id for d in asked]
        self.give(asked, answers)
        return dict(zip(old, [d.id for d in asked], strict=True))


def same(asked: Decision[Any], other: Decision[Any]) -> bool:
    """Whether a question is the one that was asked, also where it went through JSON and its tuples are lists."""
    return asked == other or msgspec.json.encode(asked) == msgspec.json.encode(other)
