"""Limits: how large, how often, how slowly. Whoever goes beyond is told so, and nobody else notices."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Final

from fastapi import Request, WebSocket
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request as Handshake

MAX_MESSAGE: Final = 256 << 10
"""Bytes of a message; an answer that moves sixty models along many corners takes less. Larger ones are refused..."""
MAX_FRAME: Final = 1 << 20
"""...and of one that is larger than this nothing more is read: the connection ends."""
MAX_BODY: Final = 1 << 20
MAX_UPLOAD: Final = 16 << 20
"""Bytes of a battle file."""

MESSAGES_PER_SECOND: Final = 40.0
MESSAGES_AT_ONCE: Final = 120.0
PATIENCE: Final = 300
"""So many messages too much in a row end the connection."""
ADVICE_AT_ONCE: Final = 2
"""Questions to workers that one client may have open."""

MAX_UNREAD: Final = 1 << 20
"""Bytes that may wait for a client that reads slowly; with more it must connect again, and gets what it missed."""
MAX_IN_SYSTEM: Final = 256 << 10
"""Bytes that the operating system keeps for it beside."""
FIRST_WORD: Final = 10.0
"""Seconds in which a client must say hello."""

BEGINS_PER_MINUTE: Final = 20
"""Battles that one address may begin, at once and then in each minute, unless the server is told otherwise."""
GUESSES_PER_MINUTE: Final = 30.0
"""Tokens and invitations from one address that are none."""
GUESSES_AT_ONCE: Final = 30.0
REPLAYS_PER_MINUTE: Final = 30.0
REPLAYS_AT_ONCE: Final = 20.0
DRAWINGS_PER_MINUTE: Final = 150.0
"""Tables that somebody draws are looked at with every change."""
DRAWINGS_AT_ONCE: Final = 60.0
MOST_HOSTS: Final = 10_000

ABORT: Final = "sandtable.abort"


class Bucket:
    """Lets so many through at once, and after that so many in a second."""

    __slots__ = ("_at_once", "_full", "_left", "_rate")

    def __init__(self, rate: float, at_once: float) -> None:
        self._rate = rate
        self._at_once = at_once
        self._left = at_once
        self._full = time.monotonic()

    def take(self) -> bool:
        """Whether one more may pass."""
        now = time.monotonic()
        self._left = min(self._at_once, self._left + (now - self._full) * self._rate)
        self._full = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class ByHost:
    """A bucket for each address that requests come from."""

    def __init__(self, per_minute: float, at_once: float) -> None:
        self._make: Callable[[], Bucket] = lambda: Bucket(per_minute / 60, at_once)
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, asker: Request | WebSocket) -> bool:
        """Whether one more request from there may pass."""
        host = asker.client.host if asker.client is not None else ""
        bucket = self._buckets.pop(host, None) or self._make()
        self._buckets[host] = bucket
        while len(self._buckets) > MOST_HOSTS:
            self._buckets.popitem(last=False)
        return bucket.take()


class Patient(WebSocketsSansIOProtocol):
    """WebSockets of uvicorn that can be cut off. To close one politely takes a client that reads."""

    def handle_connect(self, event: Handshake) -> None:
        super().handle_connect(event)
        scope: dict[str, Any] | None = getattr(self, "scope", None)
        if scope is not None:
            scope["extensions"][ABORT] = self.transport.abort

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self.transport.abort()


def abort(socket: WebSocket) -> None:
    """Cut a connection off, with all that waits to be sent."""
    cut: Callable[[], None] | None = socket.scope.get("extensions", {}).get(ABORT)
    if cut is not None:
        cut()
