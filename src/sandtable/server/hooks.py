"""Webhooks: tells the address that a seat named that it is asked. Whoever named it may mean harm.

Only http and https, without a password in it, and only to addresses of the open network unless the server is told
otherwise. The name is looked up once, and the connection goes to that very address, so that nobody answers with another
one the second time. Nothing is followed, little is read, all of it within a few seconds, and no battle waits for it.
"""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import socket
import ssl
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from functools import cache, partial
from typing import Any, Final, NamedTuple
from urllib.parse import SplitResult, urlsplit

import msgspec

from sandtable.errors import UserError
from sandtable.server.in_turn import InTurn
from sandtable.server.seats import OVER
from sandtable.version import __version__

LONGEST: Final = 5.0
"""Seconds for one call, with everything."""
MOST_READ: Final = 4096
AT_ONCE: Final = 8
OF_ONE_HOST: Final = 2
"""Calls to one host at a time: one that never replies takes no more than that from the others."""
MOST_WAITING: Final = 200
"""Calls that wait; beyond that, the last to the host with most of them is left out."""
QUIET: Final = 60.0
"""Seconds between two calls for one seat."""
PORTS: Final = {"http": 80, "https": 443}
IN_THE_LAST_BITS: Final = (ipaddress.IPv6Network("::/96"), ipaddress.IPv6Network("64:ff9b::/96"))
"""Networks of the sixth version whose addresses are old ones in another dress."""
OWN_GATEWAYS: Final = ipaddress.IPv6Network("64:ff9b:1::/48")
NO_COMMANDS: Final = str.maketrans("<>[]", "‹›()")
"""Chats take what stands between these signs for commands and links; signs that look like them are none anywhere."""
PLAIN: Final = "text"
"""Behind the `#` of an address: send plain text, not JSON."""

log = logging.getLogger("sandtable.server")


class News(NamedTuple):
    """What is told."""

    text: str
    battle: str
    player: int
    round: int
    about: int = OVER
    """The question."""


class Call(NamedTuple):
    """Somebody is to be told something."""

    url: str
    news: News

    @property
    def host(self) -> str:
        """Who is called; what is no address of the web any more is found out later."""
        try:
            return (urlsplit(self.url).hostname or "").rstrip(".")
        except ValueError:
            return ""


def parsed(url: str) -> SplitResult:
    """An address that may be called; raises `UserError` with what is wrong."""
    try:
        parts = urlsplit(url.strip())
        port = parts.port
    except ValueError:
        raise UserError("That is no address of the web.") from None
    if parts.scheme not in PORTS or not parts.hostname:
        raise UserError("Name an address that begins with http:// or https://.")
    if parts.username is not None or parts.password is not None:
        raise UserError("An address with a name or a password in it is not called.")
    if port == 0 or any(ord(c) < 33 or ord(c) > 126 for c in parts.geturl()):
        raise UserError("That is no address of the web.")
    return parts


def is_open(address: str) -> bool:
    """Whether an address is one of the open network, and nobody's own machine or house."""
    found = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(found, ipaddress.IPv6Address):
        inner = found.ipv4_mapped or found.sixtofour
        if inner is None and any(found in network for network in IN_THE_LAST_BITS):
            inner = ipaddress.IPv4Address(int(found) & 0xFFFFFFFF)
        if found.is_site_local or found in OWN_GATEWAYS or (inner is not None and not inner.is_global):
            return False
    return found.is_global and not found.is_multicast


class Hooks:
    """Calls that are under way."""

    def __init__(self, private: bool = False) -> None:
        self.private = private
        """Whether machines of the own network may be called, too."""
        self._closed = False
        self._waiting: InTurn[Call] = InTurn(MOST_WAITING)
        self._calls: set[asyncio.Task[None]] = set()
        self._called: Counter[str] = Counter()
        """Hosts that are called now."""
        self.made: Callable[[News], None] = lambda _: None
        """Is told of each call that will not be made again, whether or not anybody heard it."""

    def check(self, url: str) -> str:
        """The address as it is kept; refuses one that would never be called."""
        parts = parsed(url)
        with suppress(ValueError):
            if not self.private and not is_open(str(parts.hostname)):
                raise UserError("This server calls addresses on the public internet only, not this one.")
        if str(parts.hostname).casefold() == "localhost" and not self.private:
            raise UserError("This server calls addresses on the public internet only, not this one.")
        return parts.geturl()

    def tell(self, url: str, news: News) -> None:
        """Have an address called, soon; never waits, and what goes wrong is nobody's business but the log's."""
        due = Call(url, news)
        left_out = self._waiting.put(due.host, due)
        if left_out is not None:
            log.warning("Too many webhooks wait; one is left out.")
            self.made(left_out.news)
        self._go_on()

    def _go_on(self) -> None:
        """Make the calls that may be made now."""
        while len(self._calls) < AT_ONCE and (due := self._waiting.take(self._has_room)) is not None:
            self._called[due.host] += 1
            task = asyncio.ensure_future(self._call(due))
            self._calls.add(task)
            task.add_done_callback(partial(self._done, due.host))

    def _has_room(self, host: str) -> bool:
        return self._called[host] < OF_ONE_HOST

    def _done(self, host: str, task: asyncio.Task[None]) -> None:
        self._calls.discard(task)
        self._called[host] -= 1
        if not self._called[host]:
            del self._called[host]
        if not self._closed:
            self._go_on()

    async def _call(self, due: Call) -> None:
        try:
            await asyncio.wait_for(call(due.url, due.news, self._may, partial(self.made, due.news)), LONGEST)
        except (UserError, OSError, TimeoutError, asyncio.IncompleteReadError, ValueError) as error:
            # The address may be a secret of its own: it is not written down.
            log.info("A webhook of battle %s was not heard: %s", due.news.battle, type(error).__name__)
            self.made(due.news)

    def _may(self, address: str) -> bool:
        return self.private or is_open(address)

    async def close(self) -> None:
        """Stop calling."""
        self._closed = True
        for task in tuple(self._calls):
            task.cancel()
        await asyncio.gather(*self._calls, return_exceptions=True)


@cache
def _secure() -> ssl.SSLContext:
    """Made once: reading all certificates of the machine takes a while."""
    return ssl.create_default_context()


async def call(url: str, news: News, may: Callable[[str], bool], sent: Callable[[], None] = lambda: None) -> None:
    """Send news to an address; says when they are on their way, whatever comes back."""
    parts = parsed(url)
    host, port = str(parts.hostname), parts.port or PORTS[parts.scheme]
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    addresses = [str(entry[4][0]) for entry in found]
    # One private address among them is one too many.
    if not addresses or not all(map(may, addresses)):
        raise UserError("That is no address on the public internet.")
    secure: dict[str, Any] = {}
    if parts.scheme == "https":
        secure = {"ssl": await asyncio.to_thread(_secure), "server_hostname": host}
    reader, writer = await asyncio.open_connection(addresses[0], port, limit=MOST_READ, **secure)
    try:
        writer.write(_request(parts, host, news))
        await writer.drain()
        sent()
        await reader.read(MOST_READ)
    finally:
        writer.transport.abort()


def _request(parts: SplitResult, host: str, news: News) -> bytes:
    if parts.fragment == PLAIN:
        kind, body = "text/plain; charset=utf-8", news.text.encode()
    else:
        # Chat services look for their text under one of these two names; no army's name calls everybody there, or
        # shows one address and leads to another.
        text = news.text.translate(NO_COMMANDS)
        told: dict[str, Any] = {"text": text, "content": text, "allowed_mentions": {"parse": ()}}
        told |= {"battle": news.battle, "player": news.player, "round": news.round}
        kind, body = "application/json", msgspec.json.encode(told)
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    shown = f"[{host}]" if ":" in host else host
    port = f":{parts.port}" if parts.port else ""
    head = (
        f"POST {target} HTTP/1.1\r\nHost: {shown}{port}\r\nUser-Agent: sandtable/{__version__}\r\n"
        f"Content-Type: {kind}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    )
    return head.encode("ascii") + body
