"""The web application: routes and nothing else. What they do stands in `hall`, `sockets` and `pages`."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import asynccontextmanager
from typing import Annotated, Any, Final, TypeVar

import msgspec
from fastapi import FastAPI, Request, Response, WebSocket
from msgspec import Meta
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from sandtable.errors import UserError
from sandtable.server import catalogue, limits, pages, proofs, rulings, sockets
from sandtable.server.attending import Spoilt
from sandtable.server.catalogue import Wish, is_text
from sandtable.server.chances import OddsAsked
from sandtable.server.hall import Hall, NoSeat
from sandtable.server.limits import AtOnce, ByHost
from sandtable.server.protocol import ReadList
from sandtable.server.schemas import schemas
from sandtable.server.seats import OwnToken, Token
from sandtable.server.store import Listed, Saved
from sandtable.server.thinking import NoThought

T = TypeVar("T")
log = logging.getLogger("sandtable.server")

NOT_KEPT: Final = "That replay is no longer here; send the file again."
NOT_MEANT: Final = (
    "This server is for its own machine; for who reaches it by another name it is started with --name NAME."
)
WRONG_METHOD: Final = 405
WRONG_WAY: Final = "Nothing here takes a request of this kind; the documentation of the protocol says which do."
LONGEST_NUMBER: Final = 9
"""Digits of a number in an address."""


class Mine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Tokens of seats that somebody holds."""

    tokens: Annotated[tuple[Token, ...], Meta(max_length=500)]


class Claim(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An invitation to a seat, and the token that who claims it will have."""

    invitation: Token
    token: OwnToken = ""


class Drawn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table that somebody draws: one that is known by its name, or the text of a layout."""

    system: catalogue.Name
    name: catalogue.Name = ""
    text: Annotated[str, Meta(max_length=catalogue.MAX_LIST)] = ""


class TooLarge(Exception):
    """A body of more bytes than are read."""


class TooSlow(Exception):
    """A body that does not come."""


class TooFrequent(Exception):
    """More requests than one address may send."""


def create_app(
    make_hall: Callable[[], Hall],
    ready: Callable[[], None] | None = None,
    begins_per_minute: int = limits.BEGINS_PER_MINUTE,
    names: Collection[str] | None = None,
) -> FastAPI:
    """The application; the hall is made when its event loop runs, and `ready` is called when battles can be played.

    With `names` it is for this machine alone, and for who calls it by one of them.
    """

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        hall = app.state.hall = make_hall()
        await hall.open()
        if ready is not None:
            ready()
        yield
        await hall.close()

    # The usual pages about the API load scripts from elsewhere.
    app = FastAPI(title="Sandtable", lifespan=lifespan, docs_url=None, redoc_url=None, openapi_url=None)
    begins = ByHost(begins_per_minute, begins_per_minute)
    guesses = ByHost(limits.GUESSES_PER_MINUTE, limits.GUESSES_AT_ONCE)
    hellos = ByHost(limits.HELLOS_PER_MINUTE, limits.HELLOS_AT_ONCE)
    replays = ByHost(limits.REPLAYS_PER_MINUTE, limits.REPLAYS_AT_ONCE)
    drawings = ByHost(limits.DRAWINGS_PER_MINUTE, limits.DRAWINGS_AT_ONCE)
    shelf = pages.Shelf()
    requests = ByHost(limits.REQUESTS_PER_MINUTE, limits.REQUESTS_AT_ONCE)
    files = AtOnce(limits.FILES_AT_ONCE)
    there = AtOnce(limits.SOCKETS_AT_ONCE)

    @app.middleware("http")
    async def guard(request: Request, go_on: Callable[[Request], Awaitable[Response]]) -> Response:
        if names is not None and not limits.is_meant(request, names):
            return _dressed(_trouble(403, NOT_MEANT))
        return await _guard(request, go_on, requests.take(request))

    async def beside(request: Request, job: str, *arguments: Any) -> Any:
        """Have a job done in a process of its own; who has many there waits for them first."""
        if not files.begin(request):
            raise TooFrequent
        try:
            return await hall_of(request).replaying.run(job, *arguments)
        finally:
            files.end(request)

    async def watched(request: Request, battle: str) -> Saved:
        """A battle that somebody may watch, as it is stored."""
        if not replays.take(request):
            raise TooFrequent
        try:
            return await hall_of(request).watched(battle, _bearer(request))
        except NoSeat:
            if _bearer(request) and not guesses.take(request):
                raise TooFrequent from None
            raise

    def hall_of(asker: Request | WebSocket) -> Hall:
        hall: Hall = asker.app.state.hall
        return hall

    @app.exception_handler(HTTPException)
    async def no_such_request(request: Request, error: HTTPException) -> Response:
        """What the framework refuses by itself is told like everything else."""
        response = _trouble(
            error.status_code, WRONG_WAY if error.status_code == WRONG_METHOD else error.detail, request
        )
        response.headers.update(error.headers or {})
        return response

    @app.get("/")
    async def first(request: Request) -> Response:
        # Who has the built page asks for the list by itself.
        return pages.first_page([] if (pages.STATIC / pages.FIRST).is_file() else await hall_of(request).listed())

    @app.get("/health")
    async def health(request: Request) -> Response:
        hall = hall_of(request)
        tasks = len(asyncio.all_tasks())
        return _json({"ok": True, "battles": hall.in_memory, "clients": hall.clients, "tasks": tasks})

    @app.get("/api/systems")
    async def systems(request: Request) -> Response:
        return _json(await hall_of(request).lanes.engine(catalogue.offered))

    @app.get("/api/schemas")
    async def message_schemas() -> Response:
        return _json(schemas())

    @app.get("/api/battles")
    async def battles(request: Request) -> Response:
        return _json([_shown(battle) for battle in await hall_of(request).listed()])

    @app.post("/api/battles")
    async def begin(request: Request) -> Response:
        if not begins.take(request):
            raise TooFrequent
        wish = await _body(request, Wish)
        hall = hall_of(request)
        if is_text(wish.layout):
            await beside(request, "draft", wish.system, "", wish.layout)
        prepared = None
        if wish.scenario or is_text(wish.layout) or any(map(is_text, wish.armies)):
            # A stranger's file may lead anywhere, and who sends many waits for them.
            prepared = await beside(request, "prepare", wish)
        return _json((await hall.begin(wish, prepared, limits.host_of(request)))._asdict(), 201)

    @app.post("/api/mine")
    async def mine(request: Request) -> Response:
        tokens = (await _body(request, Mine)).tokens
        held = await hall_of(request).held_by(list(tokens))
        # A browser may hold tokens of battles that are gone; who holds no other may be guessing.
        if tokens and not held and not guesses.take(request):
            raise TooFrequent
        return _json([_shown(battle) for battle in held])

    @app.post("/api/claim")
    async def claim(request: Request) -> Response:
        wanted = await _body(request, Claim)
        try:
            battle, player, token = await hall_of(request).claim(wanted.invitation, wanted.token)
        except NoSeat:
            if not guesses.take(request):
                raise TooFrequent from None
            raise
        return _json({"battle": battle, "player": player, "token": token})

    @app.get("/api/battles/{battle}/journal")
    async def journal(request: Request, battle: str) -> Response:
        saved = await watched(request, battle)
        if not saved.over:
            raise UserError(
                "The journal holds everything, also what players may not know; it is given when all is over."
            )
        name = f'attachment; filename="{battle}.battle"'
        return Response(saved.journal(), media_type="application/json", headers={"content-disposition": name})

    @app.get("/battles/{battle}/replay")
    async def replay(request: Request, battle: str) -> Response:
        hall, saved = hall_of(request), await watched(request, battle)
        try:
            hall.must_be_playable(battle)
            return pages.replay(await beside(request, "replay_page", saved.journal()))
        except UserError:
            return pages.replay(await beside(request, "told_page", saved.head, await hall.told(battle)))

    @app.get("/battles/{battle}/moment")
    async def moment(request: Request, battle: str) -> Response:
        events = _events(request)
        saved = await watched(request, battle)
        hall_of(request).must_be_playable(battle)
        return pages.moment(await beside(request, "moment_at", saved.journal(), events))

    @app.post("/api/replay")
    async def replay_file(request: Request) -> Response:
        if not replays.take(request):
            raise TooFrequent
        data = await _read(request, limits.MAX_UPLOAD)
        return pages.replay(await beside(request, "replay_page", data))

    @app.post("/api/replays")
    async def put_replay(request: Request) -> Response:
        if not replays.take(request):
            raise TooFrequent
        data = await _read(request, limits.MAX_UPLOAD)
        page = await beside(request, "replay_page", data)
        return _json({"replay": shelf.put(page, data, limits.host_of(request))}, 201)

    @app.get("/replays/{name}")
    async def kept_replay(request: Request, name: str) -> Response:
        found = shelf.get(name)
        return pages.replay(found) if found else _trouble(404, NOT_KEPT, request)

    @app.get("/replays/{name}/moment")
    async def kept_moment(request: Request, name: str) -> Response:
        events, data = _events(request), shelf.file(name)
        if not replays.take(request):
            raise TooFrequent
        return pages.moment(await beside(request, "moment_at", data, events)) if data else _trouble(404, NOT_KEPT)

    @app.get("/rules/{id_}")
    async def rule_page(request: Request, id_: str) -> Response:
        if not drawings.take(request):
            raise TooFrequent
        return pages.plain(await beside(request, "rule_page", id_), rulings.STYLE)

    @app.get("/api/scenarios/{system}/{name}")
    async def scenario(request: Request, system: str, name: str) -> Response:
        return _json({"text": await hall_of(request).lanes.engine(proofs.text_of, f"{system}/{name}")})

    @app.post("/api/dropped")
    async def kind_of(request: Request) -> Response:
        if not drawings.take(request):
            raise TooFrequent
        data = await _read(request, limits.MAX_UPLOAD)
        return _json({"kind": await beside(request, "kind_of", data)})

    @app.post("/api/lists")
    async def read_list(request: Request) -> Response:
        if not begins.take(request):
            raise TooFrequent
        asked = await _body(request, ReadList, limits.MAX_LIST_BODY)
        return _json(await beside(request, "read_list", asked))

    @app.post("/api/layouts")
    async def draw(request: Request) -> Response:
        if not drawings.take(request):
            raise TooFrequent
        drawn = await _body(request, Drawn)
        return _json(await beside(request, "draft", drawn.system, drawn.name, drawn.text))

    @app.get("/api/odds/{system}")
    async def odds_known(request: Request, system: str) -> Response:
        if not drawings.take(request):
            raise TooFrequent
        return _json(await beside(request, "odds_known", system))

    @app.post("/api/odds")
    async def odds_told(request: Request) -> Response:
        if not drawings.take(request):
            raise TooFrequent
        return _json(await beside(request, "odds_told", await _body(request, OddsAsked)))

    @app.websocket("/socket")
    async def socket(socket: WebSocket) -> None:
        if not limits.same_origin(socket) or (names is not None and not limits.is_meant(socket, names)):
            await socket.close(1008)
            return
        await sockets.serve(socket, hall_of(socket), hellos, guesses, there)

    @app.get("/{name:path}")
    async def file(request: Request, name: str) -> Response:
        return pages.static_file(name) or _trouble(404, "There is nothing here.", request)

    return app


async def _guard(request: Request, go_on: Callable[[Request], Awaitable[Response]], in_time: bool) -> Response:
    """Every response has the headers that keep browsers strict; what goes wrong is told in a sentence."""
    try:
        if not in_time:
            raise TooFrequent
        if not limits.same_origin(request):
            response = _trouble(403, "Pages of other sites have no business here.", request)
        elif "\0" in request.scope["path"]:
            response = _trouble(404, "There is nothing here.", request)
        else:
            response = await go_on(request)
    except UserError as error:
        response = _trouble(400, str(error), request)
    except NoSeat:
        response = _trouble(404, "There is no such seat, and no such battle that everybody may watch.", request)
    except TooLarge:
        response = _trouble(413, "That is larger than anything that is read here.", request)
    except TooSlow:
        response = _trouble(408, "The rest of that did not come.", request)
    except TooFrequent:
        response = _trouble(429, "Too many requests from there; wait a minute.", request)
    except NoThought:
        response = _trouble(503, "That could not be worked out; try it again later.", request)
    except Spoilt:
        response = _trouble(503, "The server is being stopped; try it again later.", request)
    except Exception:
        log.exception("A request failed.")
        response = _trouble(500, "Something is broken here, and was written to the log.", request)
    return _dressed(response)


def _dressed(response: Response) -> Response:
    for name, value in pages.HEADERS.items():
        response.headers.setdefault(name, value)
    return response


async def _read(request: Request, most: int) -> bytes:
    data, now = bytearray(), asyncio.get_running_loop().time
    end = now() + limits.WHOLE_BODY
    try:
        async with asyncio.timeout(limits.NEXT_PART) as patience:
            async for chunk in request.stream():
                data += chunk
                if len(data) > most:
                    raise TooLarge
                patience.reschedule(min(now() + limits.NEXT_PART, end))
    except (TimeoutError, ClientDisconnect):
        raise TooSlow from None
    return bytes(data)


async def _body(request: Request, kind: type[T], most: int = limits.MAX_BODY) -> T:
    # A form of another site cannot send this type without being asked first.
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise UserError("Send JSON, and say so: the content type is application/json.")
    data = await _read(request, most)
    if limits.NOTHING.encode() in data:
        raise UserError("No text holds a character that is none (U+0000).")
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
        raise UserError(f"That is not what is asked for here: {str(error).rstrip('.')}.") from None


def _events(request: Request) -> int:
    """After how many events somebody wants the moment of a battle."""
    said = request.query_params.get("at", "")
    if not (said.isascii() and said.isdigit() and len(said) <= LONGEST_NUMBER):
        raise UserError("Say which moment: ?at= and the number of events that have happened by then.")
    return int(said)


def _bearer(request: Request) -> str:
    """A token from the header: addresses are logged and passed on, headers are not."""
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip()[:100] if kind.casefold() == "bearer" else ""


def _shown(battle: Listed) -> dict[str, Any]:
    result = battle.status.result
    shown: dict[str, Any] = {
        "battle": battle.id,
        "title": battle.title,
        "system": battle.system,
        "begun": battle.begun,
        "touched": battle.touched,
        "round": battle.status.round,
        "plays": battle.plays,
        "result": None if result is None else msgspec.Raw(result.encode()),
    }
    if battle.seat is not None:
        shown |= {"player": battle.seat, "your_move": battle.seat in battle.status.asked, "free": battle.free}
    return shown


def _json(content: Any, status: int = 200) -> Response:
    return Response(msgspec.json.encode(content), status, media_type="application/json")


def _trouble(status: int, text: str, request: Request | None = None) -> Response:
    """What went wrong, in a sentence; for who came by an address of their browser on a page."""
    accepted = "" if request is None else request.headers.get("accept", "")
    if request is not None and "text/html" in accepted and not request.url.path.startswith("/api/"):
        return pages.trouble(status, text)
    return _json({"error": text}, status)
