"""The gate: what every request passes before it is done, and how what goes wrong is told."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeVar

import msgspec
from fastapi import Request, Response, WebSocket
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, HTTPConnection

from sandtable.errors import UserError
from sandtable.server import limits, pages
from sandtable.server.attending import Spoilt
from sandtable.server.hall import Hall, NoSeat
from sandtable.server.limits import AtOnce, ByHost
from sandtable.server.store.opening import Busy
from sandtable.server.store.records import Saved
from sandtable.server.thinking import ASKER, NoThought

T = TypeVar("T")
log = logging.getLogger("sandtable.server")

WRONG_METHOD: Final = 405
WRONG_WAY: Final = "Nothing here takes a request of this kind; the documentation of the protocol says which do."


class TooLarge(Exception):
    """A body of more bytes than are read."""


class TooSlow(Exception):
    """A body that does not come."""


class TooFrequent(Exception):
    """More requests than one address may send."""


class Gate:
    """How often each address may ask for what."""

    def __init__(self, begins_per_minute: int) -> None:
        self.begins = ByHost(begins_per_minute, begins_per_minute)
        self.guesses = ByHost(limits.GUESSES_PER_MINUTE, limits.GUESSES_AT_ONCE)
        self.hellos = ByHost(limits.HELLOS_PER_MINUTE, limits.HELLOS_AT_ONCE)
        self.messages = ByHost(60 * limits.OF_ONE_ADDRESS_PER_SECOND, limits.OF_ONE_ADDRESS_AT_ONCE)
        self.replays = ByHost(limits.REPLAYS_PER_MINUTE, limits.REPLAYS_AT_ONCE)
        self.drawings = ByHost(limits.DRAWINGS_PER_MINUTE, limits.DRAWINGS_AT_ONCE)
        self.requests = ByHost(limits.REQUESTS_PER_MINUTE, limits.REQUESTS_AT_ONCE)
        self.files = AtOnce(limits.FILES_AT_ONCE)
        self.there = AtOnce(limits.SOCKETS_AT_ONCE)

    def count(self, kind: ByHost, asker: HTTPConnection) -> None:
        """Count a request of a kind; raises `TooFrequent`."""
        if not kind.take(asker):
            raise TooFrequent

    async def beside(self, request: Request, job: str, *arguments: Any) -> Any:
        """Have a job done in a process of its own; who has many there waits for them first."""
        if not self.files.begin(request):
            raise TooFrequent
        try:
            return await hall_of(request).replaying.run(job, *arguments)
        finally:
            self.files.end(request)

    async def watched(self, request: Request, battle: str) -> Saved:
        """A battle that somebody may watch, as it is stored."""
        self.count(self.replays, request)
        try:
            return await hall_of(request).watched(battle, _bearer(request))
        except NoSeat:
            if _bearer(request):
                self.count(self.guesses, request)
            raise


def hall_of(asker: Request | WebSocket) -> Hall:
    """The battles of the server that is asked."""
    hall: Hall = asker.app.state.hall
    return hall


async def guard(request: Request, go_on: Callable[[Request], Awaitable[Response]], in_time: bool) -> Response:
    """Every response has the headers that keep browsers strict; what goes wrong is told in a sentence."""
    ASKER.set(limits.host_of(request))
    try:
        if not in_time:
            raise TooFrequent
        if not limits.same_origin(request):
            response = trouble(403, "Pages of other sites have no business here.", request)
        elif "\0" in request.scope["path"]:
            response = trouble(404, "There is nothing here.", request)
        else:
            response = await go_on(request)
    except UserError as error:
        response = trouble(400, str(error), request)
    except NoSeat:
        response = trouble(404, "This battle is not here, or only its players may see it.", request)
    except TooLarge:
        response = trouble(413, "That is larger than anything that is read here.", request)
        response.headers["connection"] = "close"  # the rest of it may be endless
    except TooSlow:
        response = trouble(408, "The rest of that did not come.", request)
    except TooFrequent:
        response = trouble(429, "Too many requests from there; wait a minute.", request)
    except NoThought:
        response = trouble(503, "That could not be worked out; try it again later.", request)
    except Busy as error:
        response = trouble(503, str(error), request)
    except Spoilt:
        response = trouble(503, "The server is being stopped; try it again later.", request)
    except Exception:
        log.exception("A request failed.")
        response = trouble(500, "Something is broken here, and was written to the log.", request)
    return dressed(response)


def dressed(response: Response) -> Response:
    """With the headers that keep browsers strict."""
    for name, value in pages.HEADERS.items():
        response.headers.setdefault(name, value)
    return response


async def read(request: Request, most: int) -> bytes:
    """A body, whole and in time."""
    data, size, now = bytearray(), 0, asyncio.get_running_loop().time
    end = now() + limits.WHOLE_BODY
    try:
        async with asyncio.timeout(limits.NEXT_PART) as patience:
            async for chunk in request.stream():
                size += len(chunk)
                if size > most + limits.MAX_LOST:
                    raise TooLarge
                if size <= most:
                    data += chunk
                patience.reschedule(min(now() + limits.NEXT_PART, end))
    except (TimeoutError, ClientDisconnect):
        raise TooSlow from None
    if size > most:
        raise TooLarge
    return bytes(data)


async def body(request: Request, kind: type[T], most: int = limits.MAX_BODY) -> T:
    """A body of JSON, as what is asked for."""
    # A form of another site cannot send this type without being asked first.
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise UserError("Send JSON, and say so: the content type is application/json.")
    data = await read(request, most)
    if limits.NOTHING.encode() in data:
        raise UserError("No text holds a character that is none (U+0000).")
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
        raise UserError(f"That is not what is asked for here: {str(error).rstrip('.')}.") from None


def _bearer(request: Request) -> str:
    """A token from the header: addresses are logged and passed on, headers are not."""
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip()[:100] if kind.casefold() == "bearer" else ""


async def refused(request: Request, error: HTTPException) -> Response:
    """What the framework refuses by itself is told like everything else."""
    text = WRONG_WAY if error.status_code == WRONG_METHOD else error.detail
    response = trouble(error.status_code, text, request)
    response.headers.update(error.headers or {})
    return response


def as_json(content: Any, status: int = 200) -> Response:
    """A reply that programs read."""
    return Response(msgspec.json.encode(content), status, media_type="application/json")


def trouble(status: int, text: str, request: Request | None = None) -> Response:
    """What went wrong, in a sentence; for who came by an address of their browser on a page."""
    accepted = "" if request is None else request.headers.get("accept", "")
    if request is not None and "text/html" in accepted and not request.url.path.startswith("/api/"):
        return pages.trouble(status, text)
    return as_json({"error": text}, status)
