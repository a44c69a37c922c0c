"""Seats and their secrets. Whoever knows a token has the seat, so nothing but a fingerprint of it is ever stored.

A seat is offered by an invitation, which is worth one claim: who claims it gets a token of their own, and from then on
the invitation is worth nothing, also to who sent it; but who brought that token may claim again with it, in case that
the reply was lost. Tokens and invitations travel in the body of a request, in the first message of a socket or behind
the `#` of a link: none of these is logged, and none is sent on to other sites.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Final, NamedTuple

from msgspec import Meta

PERSON: Final = "person"
MINE: Final = "mine"
"""A seat for who starts the battle; with two of them a battle is played on one screen."""
INVITED: Final = "invited"
"""A seat for somebody who gets an invitation."""

OVER: Final = -1
"""What a call is about that is about no question, but about the end of the battle."""

SECRET_BYTES: Final = 24
ID_BYTES: Final = 9

Token = Annotated[str, Meta(max_length=100)]
OwnToken = Annotated[str, Meta(pattern=r"^([A-Za-z0-9_-]{32,100})?\Z")]
"""A token that a client makes up, as long and as random as ours; empty where it leaves that to the server."""


class Place(NamedTuple):
    """What is kept for somebody who comes and goes."""

    seen: int = 0
    """The number of the first event that nobody at the seat has heard."""
    hook: str = ""
    """The address that is told when the seat is asked and nobody is there."""
    queue: bytes = b""
    """Answers to questions that are still to come, as JSON."""
    left: float | None = None
    """Seconds on the clock; None without one, and 0 once the flag has fallen."""
    increment: float = 0.0


class Calls(NamedTuple):
    """What is kept of the calls of a seat's webhook."""

    due: int | None = None
    """The question that it is still to be called about; `OVER` for the end of the battle."""
    told: int | None = None
    """The one that it was last called about..."""
    when: float = 0.0
    """...and when that was."""


class Seat(NamedTuple):
    """A seat as the database knows it."""

    battle: str
    player: int
    plays: str
    """`person`, or the name of a computer player."""
    taken: bool
    orders: str = ""
    so_far: bytes = b""
    """What the orders have come to."""
    place: Place = Place()
    falls: Mapping[int, tuple[int, ...]] = MappingProxyType({})
    """For units the order in which their models fall."""
    notice: bytes = b""
    """What had been planned and was given up, as JSON, until somebody comes to hear of it."""
    calls: Calls = Calls()


def new_secret() -> str:
    """A token or an invitation; nobody guesses it."""
    return secrets.token_urlsafe(SECRET_BYTES)


def new_id() -> str:
    """The id of a battle; it is shown to everybody who may watch."""
    return secrets.token_urlsafe(ID_BYTES)


def fingerprint(secret: str) -> str:
    """What is stored of a secret. It is long and random, so that one round is enough."""
    return hashlib.sha256(secret.encode()).hexdigest()
