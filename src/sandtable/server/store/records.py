"""What is handed to the database and comes back from it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import msgspec

from sandtable.server.seats import OVER, Seat
from sandtable.server.told import Chapter

Readings: TypeAlias = tuple[tuple[int, float], ...]
"""Players with a clock, and the seconds that are left."""


class NewSeat(NamedTuple):
    """A seat of a battle that begins; of its secrets only the fingerprints."""

    player: int
    plays: str
    token: str | None = None
    invitation: str | None = None


class Status(NamedTuple):
    """Where a battle stands, for lists."""

    round: int
    asked: tuple[int, ...]
    """The players who are asked something."""
    result: str | None
    """As JSON."""
    phase: str = ""
    """Which phase of which turn it is; it is not stored."""
    active: int = -1
    numbers: tuple[int, ...] = ()
    """The questions that these players are asked, each the first of theirs; they are not stored either."""

    def about(self, player: int) -> int | None:
        """What a webhook would be called about: a question, or the end of the battle; None for nothing."""
        if self.result is not None:
            return OVER
        return dict(zip(self.asked, self.numbers, strict=False)).get(player)


class Kept(NamedTuple):
    """An accepted answer."""

    player: int
    nonce: str
    decision: int
    answer: bytes
    """As JSON."""
    why: str = ""
    """Why a computer player, or a standing order, gave it."""
    waits: bool = False
    """Whether the battle goes on only when others have answered, too."""


class Dropped(NamedTuple):
    """What had waited for a seat is given up."""

    player: int
    notice: bytes
    """What its player will hear of it."""


class Addition(NamedTuple):
    """What one answer, take-back or concession adds to a battle."""

    battle: str
    number: int
    """Of the leaf."""
    leaf: bytes | None
    """What the journal gained; without it an answer waits for others."""
    status: Status
    kept: Kept | None = None
    so_far: bytes | None = None
    """What the standing orders have come to that gave the answer."""
    ends_waiting: bool = False
    """Whether answers had waited for this one, and are in the leaf, too."""
    clocks: Readings = ()
    queue: bytes | None = None
    """What still waits for its questions, where the answer had waited, too."""
    told: Chapter | None = None
    """What the leaf tells."""
    seen: tuple[tuple[int, int], ...] = ()
    """Players who have heard more events than are left, with how many that are."""
    dropped: tuple[Dropped, ...] = ()
    """What had waited for a past that has changed."""
    due: tuple[tuple[int, int], ...] = ()
    """Players whose webhook is to be called, and about which question."""
    not_due: tuple[int, ...] = ()
    """Players whose webhook is not to be called any more."""


class Saved(NamedTuple):
    """A battle as it is stored."""

    id: str
    title: str
    system: str
    head: bytes
    takebacks: str
    listed: bool
    leaves: list[bytes]
    answers: list[Kept]
    """In no order; those that wait are not in the leaves."""
    seats: list[Seat]
    told: bool = False
    """Whether what was told of it is kept, too."""
    paused: bool = False
    """Whether its clocks were stopped by agreement."""
    over: bool = False

    def journal(self) -> bytes:
        """The whole journal as a file; it tells everything, so it is given away only when the battle is over."""
        file = msgspec.json.decode(self.head, type=dict[str, msgspec.Raw])
        entries = b",".join(leaf.strip()[1:-1] for leaf in self.leaves if leaf.strip() != b"[]")
        return msgspec.json.encode({**file, "entries": msgspec.Raw(b"[%s]" % entries)})


class Listed(NamedTuple):
    """A battle in a list."""

    id: str
    title: str
    system: str
    begun: float
    touched: float
    status: Status
    plays: list[str]
    seat: int | None = None
    """The seat that somebody holds who asked for their battles."""
    free: Sequence[int] = ()
    """The seats of people that nobody has taken."""
