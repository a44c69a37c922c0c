"""Limits: how large, how often, how slowly. Whoever goes beyond is told so, and nobody else notices."""

from __future__ import annotations

import asyncio
import re
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Collection
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Network, ip_address
from typing import TYPE_CHECKING, Any, ClassVar, Final
from urllib.parse import urlsplit

import numpy as np
from fastapi import WebSocket
from starlette.requests import HTTPConnection
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.http11 import Request as Handshake

if TYPE_CHECKING:
    from h11 import Request

MAX_MESSAGE: Final = 256 << 10
"""Bytes of a message; an answer that moves sixty models along many corners takes less. Larger ones are refused..."""
MAX_FRAME: Final = 1 << 20
"""...and of one that is larger than this nothing more is read: the connection ends."""
MAX_NESTING: Final = 64
"""Brackets within brackets in a message: whatever keeps it or passes it on has room for so many."""
OPENING: Final = tuple(b"[{")
CLOSING: Final = tuple(b"]}")
_TEXTS: Final = re.compile(r'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
MAX_BODY: Final = 1 << 20
MAX_LIST_BODY: Final = 3 << 20
"""Of a request with an army list: a megabyte of it, in which JSON writes every quote as two signs."""
MAX_UPLOAD: Final = 16 << 20
"""Bytes of a battle file."""
MAX_LOST: Final = 16 << 20
"""Bytes beyond these that are taken in and dropped: who still sends when the connection ends hears no refusal."""
NEXT_PART: Final = 10.0
"""Seconds in which more of a body must come, unless it is whole."""
WHOLE_BODY: Final = 300.0
"""Seconds in which it must be whole, so that nobody sends one byte after the other for days."""
FIRST_REQUEST: Final = 15.0
"""Seconds in which a connection must ask for something, at first and after every reply."""

NEXT_READ: Final = 60.0
"""Seconds in which some of a reply must be read that waits to be sent; systems take it in large pieces."""
LAST_WORDS: Final = 10.0
"""Seconds in which a client must read the end of what it is told when its socket closes."""

MESSAGES_PER_SECOND: Final = 40.0
MESSAGES_AT_ONCE: Final = 120.0
OF_ONE_ADDRESS_PER_SECOND: Final = 200.0
"""Messages of all sockets of one address. What is more than that waits; a club at its tables does not come near."""
OF_ONE_ADDRESS_AT_ONCE: Final = 600.0
BYTES_TO_A_MESSAGE: Final = 32 << 10
"""So many bytes of events count as much as a message that asks for them."""
ORDERS_TO_A_MESSAGE: Final = 1_000
"""So many characters of standing orders count as much as another message: they take long to read."""
PINGS_PER_SECOND: Final = 2.0
PINGS_AT_ONCE: Final = 50.0
MAX_PARTS: Final = 1000
"""Frames of one message."""
PATIENCE: Final = 300
"""So many messages too much in a row end the connection."""
ADVICE_AT_ONCE: Final = 2
"""Questions to workers that one client may have open."""

MAX_UNREAD: Final = 1 << 20
"""Bytes that may wait, behind what is being sent, for a client that reads slowly; with more it must connect again, and
gets what it missed."""
MAX_IN_SYSTEM: Final = 256 << 10
"""Bytes that the operating system keeps for it beside."""
FIRST_WORD: Final = 10.0
"""Seconds in which a client must say hello."""

BEGINS_PER_MINUTE: Final = 20
"""Battles that one address may begin, at once and then in each minute, unless the server is told otherwise."""
GUESSES_PER_MINUTE: Final = 30.0
"""Tokens and invitations from one address that are none."""
GUESSES_AT_ONCE: Final = 30.0
HELLOS_PER_MINUTE: Final = 300.0
"""Who sits down is told the whole battle; when a server comes back, all of a club do so at once."""
HELLOS_AT_ONCE: Final = 120.0
REPLAYS_PER_MINUTE: Final = 30.0
REPLAYS_AT_ONCE: Final = 20.0
DRAWINGS_PER_MINUTE: Final = 150.0
"""Tables that somebody draws are looked at with every change."""
DRAWINGS_AT_ONCE: Final = 60.0
REQUESTS_PER_MINUTE: Final = 3000.0
"""Of whatever kind."""
REQUESTS_AT_ONCE: Final = 500.0
FILES_AT_ONCE: Final = 6
"""Files and questions of one address that are worked on in a process beside, or wait for it."""
SOCKETS_AT_ONCE: Final = 400
"""Sockets of one address."""
REQUESTS_OPEN: Final = 200
"""Connections of one address that ask by HTTP; those of a proxy, which speaks for many, are not counted."""
OPEN_FILES: Final = 16_384
"""Files and connections that may be open at one time, if the machine allows it."""
MOST_HOSTS: Final = 10_000
OF_ONE: Final = 64
"""Bits of an IPv6 address that tell one subscriber from another."""

NOTHING: Final = "\\u0000"
"""How JSON writes a character that no text needs, and that not every database can store."""
ABORT: Final = "sandtable.abort"
SIGNS: Final = "sandtable.signs"


def is_nested_too_deeply(text: str) -> bool:
    """Whether brackets of a message are nested deeper than any message needs."""
    if text.count("[") + text.count("{") <= MAX_NESTING:
        return False
    # Brackets in texts are none. Everybody waits for this, so that it takes no longer for a hostile message.
    signs = np.frombuffer(_TEXTS.sub("", text).encode(errors="replace"), np.uint8)
    step = np.isin(signs, OPENING).astype(np.int32) - np.isin(signs, CLOSING)
    return int(step.cumsum().max(initial=0)) > MAX_NESTING


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

    async def turn(self) -> None:
        """Let one more through as soon as it may pass, behind all that wait already."""
        if not self.take():
            self._left -= 1
            await asyncio.sleep(-self._left / self._rate)

    def charge(self, cost: float) -> None:
        """Something took more than one; later ones wait for that."""
        self._left -= cost


class ByHost:
    """A bucket for each address that requests come from."""

    def __init__(self, per_minute: float, at_once: float) -> None:
        self._make: Callable[[], Bucket] = lambda: Bucket(per_minute / 60, at_once)
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, asker: HTTPConnection) -> bool:
        """Whether one more request from there may pass."""
        return self.of(asker).take()

    def of(self, asker: HTTPConnection) -> Bucket:
        """The bucket of an address."""
        host = host_of(asker)
        bucket = self._buckets.pop(host, None) or self._make()
        self._buckets[host] = bucket
        while len(self._buckets) > MOST_HOSTS:
            self._buckets.popitem(last=False)
        return bucket


class AtOnce:
    """Counts what is under way for each address."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._busy: Counter[str] = Counter()

    def begin(self, asker: HTTPConnection) -> bool:
        """Whether one more may begin; it must `end`."""
        host = host_of(asker)
        if self._busy[host] >= self._most:
            return False
        self._busy[host] += 1
        return True

    def end(self, asker: HTTPConnection) -> None:
        """One is done."""
        host = host_of(asker)
        self._busy[host] -= 1
        if not self._busy[host]:
            del self._busy[host]


def host_of(asker: HTTPConnection) -> str:
    """The address that somebody asks from; of IPv6 the network, for whoever has one address there has all of them."""
    return network(asker.client.host) if asker.client is not None else ""


@lru_cache(MOST_HOSTS)
def network(host: str) -> str:
    """What an address is counted as."""
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, IPv4Address):
        return str(address)
    mapped = address.ipv4_mapped
    return str(mapped or IPv6Network((address, OF_ONE), strict=False))


def is_meant(asker: HTTPConnection, names: Collection[str]) -> bool:
    """Whether a server that listens to its own machine alone is called by a name of that machine, or one it was given.

    Any site may give its own name the address of this machine, and its page would then be one of this server.
    """
    try:
        name = urlsplit(f"//{asker.headers.get('host', '')}").hostname or ""
    except ValueError:
        return False
    return name in names or is_own(name)


def is_own(name: str) -> bool:
    """Whether a name leads to this machine and no other."""
    try:
        return name == "localhost" or ip_address(name).is_loopback
    except ValueError:
        return False


def same_origin(asker: HTTPConnection) -> bool:
    """Whether a page of this server asks, or no page at all: other sites have no business here."""
    origin = asker.headers.get("origin")
    try:
        return origin is None or urlsplit(origin).netloc == asker.headers.get("host")
    except ValueError:
        return False


class Brisk(H11Protocol):
    """HTTP of uvicorn that does not wait for ever: who connects asks, and to the end, and reads what comes of it."""

    _open: ClassVar[Counter[str]] = Counter()
    _counted: str | None = None
    _looking: asyncio.TimerHandle | None = None
    _unread = 0
    """Bytes of a reply that waited when it was last looked."""
    _reads = 0.0
    """When somebody was last seen to read."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if self._may_stay():
            self._look_later()
        else:
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._let_go()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self, event: Request) -> None:
        # From here on it is a socket, and counted with those.
        self._let_go()
        super().handle_websocket_upgrade(event)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._unread = 0  # what waited is gone, and more comes

    def _may_stay(self) -> bool:
        """Count a connection where it speaks for itself; says whether its address has not too many."""
        host = self.client[0] if self.client else ""
        if not host or host in getattr(self.app, "trusted_hosts", ()):
            return True
        self._counted = network(host)
        self._open[self._counted] += 1
        return self._open[self._counted] <= REQUESTS_OPEN

    def _let_go(self) -> None:
        if self._looking is not None:
            self._looking.cancel()
        if self._counted is not None:
            self._open[self._counted] -= 1
            if not self._open[self._counted]:
                del self._open[self._counted]
            self._counted = None

    def _look_later(self) -> None:
        self._looking = self.loop.call_later(FIRST_REQUEST, self._look, self.cycle)

    def _look(self, before: object) -> None:
        unread = self.transport.get_write_buffer_size()
        goes_on = self._is_read(unread) if unread else self._is_asked(before)
        self._unread = unread
        if goes_on:
            self._look_later()
        else:
            # To close it politely would be to wait for who does not read.
            self.transport.abort()

    def _is_asked(self, before: object) -> bool:
        """Whether somebody waits for a reply, or has got one since."""
        return self.cycle is not before or not (self.cycle is None or self.cycle.response_complete)

    def _is_read(self, unread: int) -> bool:
        """Whether some of what waits to be sent was read, not too long ago."""
        now = self.loop.time()
        if not self._unread or unread < self._unread:
            self._reads = now
        return now - self._reads < NEXT_READ


class Signs:
    """What a socket shows of who is at its other end, and up to which event they must have heard."""

    __slots__ = ("closed", "heard", "pinged", "written")

    def __init__(self) -> None:
        self.written = 0
        """Events that were written to the socket, which a phone that is asleep does not read..."""
        self.pinged = 0
        """...those before the last ping..."""
        self.heard = 0
        """...and those before the last sign of life."""
        self.closed = False
        """Whether the client closed it; who does not is found gone, perhaps long after."""

    def limit(self, events: int) -> None:
        """Something was taken back: there are no more events than that."""
        self.written, self.pinged, self.heard = (min(n, events) for n in (self.written, self.pinged, self.heard))


class Patient(WebSocketsSansIOProtocol):
    """WebSockets of uvicorn that can be cut off. To close one politely takes a client that reads.

    What is answered without the application, too, has its bound: a client that sends pings and does not read would have
    the replies kept for it, and one that never ends a message all of its parts. When all is said, what waits still is
    kept for a moment only, not for a client that may never read it.
    """

    _ending: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._pings = Bucket(PINGS_PER_SECOND, PINGS_AT_ONCE)
        self._signs = Signs()

    def handle_ping(self) -> None:
        super().handle_ping()
        if not self._pings.take():
            self.transport.abort()

    def handle_cont(self, event: Frame) -> None:
        super().handle_cont(event)
        if len(self.frames) > MAX_PARTS:
            self.transport.abort()

    def on_task_complete(self, task: asyncio.Task[None]) -> None:
        super().on_task_complete(task)
        if not self.disconnected:
            self._ending = self.loop.call_later(LAST_WORDS, self.transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._ending is not None:
            self._ending.cancel()
        super().connection_lost(exc)

    def handle_connect(self, event: Handshake) -> None:
        super().handle_connect(event)
        scope: dict[str, Any] | None = getattr(self, "scope", None)
        if scope is not None:
            scope["extensions"][ABORT] = self.transport.abort
            scope["extensions"][SIGNS] = self._signs

    def send_keepalive_ping(self) -> None:
        self._signs.pinged = self._signs.written
        super().send_keepalive_ping()

    def handle_pong(self, event: Frame) -> None:
        if self.pending_ping_payload is not None and bytes(event.data) == self.pending_ping_payload:
            self._signs.heard = self._signs.pinged
        super().handle_pong(event)

    def handle_close(self, event: Frame) -> None:
        self._signs.closed = True
        super().handle_close(event)

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self.transport.abort()


def abort(socket: WebSocket) -> None:
    """Cut a connection off, with all that waits to be sent."""
    cut: Callable[[], None] | None = socket.scope.get("extensions", {}).get(ABORT)
    if cut is not None:
        cut()


def signs_of(socket: WebSocket) -> Signs:
    """What a connection shows of who is at its other end."""
    signs: Signs = socket.scope.get("extensions", {}).get(SIGNS) or Signs()
    return signs
