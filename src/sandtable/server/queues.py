"""Answers to questions that are still to come: somebody who plays by correspondence sends a turn at once.

An answer waits for a question of its kind about its unit. Other questions in between are put to the player as ever. The
rest of a queue is given up when the next answer is not legal any more, when the same kind of question is asked about
another unit, when something was taken back, or when the player's own models were hurt since: what was planned was
planned for another battle.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec

from sandtable.battle.decisions import Decision
from sandtable.server.protocol import Queued, QueueLeft

HURT: Final = "your models were hurt meanwhile"
OTHERWISE: Final = "the same was asked about another unit"


class Queue(msgspec.Struct):
    """What waits for one seat."""

    answers: list[Queued] = []
    hurt: int = 0
    """How often the player's models had been hurt when it was given."""

    def __bool__(self) -> bool:
        return bool(self.answers)

    @classmethod
    def read(cls, data: bytes) -> Queue:
        """A queue as the database holds it."""
        return msgspec.json.decode(data, type=Queue) if data else Queue()

    def written(self) -> bytes:
        """For the database; nothing for an empty one."""
        return msgspec.json.encode(self) if self.answers else b""

    def fits(self, asked: Decision[Any]) -> bool:
        """Whether the next answer is one to this question."""
        return bool(self.answers) and (self.answers[0].kind, self.answers[0].unit) == (asked.kind, asked.unit)

    def spoilt_by(self, asked: Decision[Any], hurt: int) -> str:
        """Why the rest makes no sense any more; empty where it does."""
        if not self.answers:
            return ""
        if hurt != self.hurt:
            return HURT
        return OTHERWISE if self.answers[0].kind == asked.kind and not self.fits(asked) else ""


class GivenUp(msgspec.Struct, frozen=True):
    """What had waited for a seat and was given up, for its player to hear."""

    text: str
    back: list[Queued]

    @classmethod
    def read(cls, data: bytes) -> GivenUp:
        """As the database holds it."""
        return msgspec.json.decode(data, type=GivenUp)

    def written(self) -> bytes:
        """For the database."""
        return msgspec.json.encode(self)

    def told(self) -> QueueLeft:
        """For the player."""
        return QueueLeft(left=0, text=self.text, back=self.back)
