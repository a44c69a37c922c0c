"""The web application: routes and nothing else. What they do stands in `hall`, `sockets` and `pages`, and what
they all pass in `gate`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import asynccontextmanager
from typing import Annotated, Any, Final

import msgspec
from fastapi import FastAPI, Request, Response, WebSocket
from msgspec import Meta
from starlette.exceptions import HTTPException

from sandtable import systems
from sandtable.errors import UserError
from sandtable.server import catalogue, limits, pages, proofs, rulings, sockets
from sandtable.server.catalogue import Wish, is_text
from sandtable.server.chances import OddsAsked
from sandtable.server.gate import Gate, as_json, body, dressed, guard, hall_of, read, refused, trouble
from sandtable.server.hall import Hall, NoSeat
from sandtable.server.protocol import ReadList
from sandtable.server.schemas import schemas
from sandtable.server.seats import OwnToken, Token
from sandtable.server.store.records import Listed

NOT_KEPT: Final = "That replay is no longer here; send the file again."
NOT_MEANT: Final = (
    "This server is for its own machine; for who reaches it by another name it is started with --name NAME."
)
TAKEN: Final = (
    "Somebody has taken that seat already, or there is no such invitation. Ask for another link, or watch: "
    "battles that everybody may watch are listed here."
)
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
    gate = Gate(begins_per_minute)

    @app.middleware("http")
    async def guarded(request: Request, go_on: Callable[[Request], Awaitable[Response]]) -> Response:
        if names is not None and not limits.is_meant(request, names):
            return dressed(trouble(403, NOT_MEANT))
        return await guard(request, go_on, gate.requests.take(request))

    app.exception_handler(HTTPException)(refused)
    _add_battles(app, gate)
    _add_files(app, gate)
    _add_questions(app, gate)

    @app.get("/")
    async def first(request: Request) -> Response:
        # Who has the built page asks for the list by itself.
        return pages.first_page([] if (pages.STATIC / pages.FIRST).is_file() else await hall_of(request).listed())

    @app.get("/health")
    async def health(request: Request) -> Response:
        hall = hall_of(request)
        tasks = len(asyncio.all_tasks())
        return as_json({"ok": True, "battles": hall.in_memory, "clients": hall.clients, "tasks": tasks})

    @app.websocket("/socket")
    async def socket(socket: WebSocket) -> None:
        if not limits.same_origin(socket) or (names is not None and not limits.is_meant(socket, names)):
            await socket.close(1008)
            return
        await sockets.serve(socket, hall_of(socket), gate.hellos, gate.guesses, gate.there, gate.messages)

    @app.get("/{name:path}")
    async def file(request: Request, name: str) -> Response:
        return pages.static_file(name) or trouble(404, "There is nothing here.", request)

    return app


def _add_battles(app: FastAPI, gate: Gate) -> None:
    """What there is to play, battles and their seats."""

    @app.get("/api/systems")
    async def systems(request: Request) -> Response:
        return as_json(await hall_of(request).lanes.engine(catalogue.offered))

    @app.get("/api/schemas")
    async def message_schemas() -> Response:
        return as_json(schemas())

    @app.get("/api/battles")
    async def battles(request: Request) -> Response:
        return as_json([_shown(battle) for battle in await hall_of(request).listed()])

    @app.post("/api/battles")
    async def begin(request: Request) -> Response:
        gate.count(gate.begins, request)
        wish = await body(request, Wish)
        hall = hall_of(request)
        if is_text(wish.layout):
            await gate.beside(request, "draft", wish.system, "", wish.layout)
        prepared = None
        if wish.scenario or is_text(wish.layout) or any(map(is_text, wish.armies)):
            # A stranger's file may lead anywhere, and who sends many waits for them.
            prepared = await gate.beside(request, "prepare", wish)
        return as_json((await hall.begin(wish, prepared, limits.host_of(request)))._asdict(), 201)

    @app.post("/api/mine")
    async def mine(request: Request) -> Response:
        tokens = (await body(request, Mine)).tokens
        held = await hall_of(request).held_by(list(tokens))
        # A browser may hold tokens of battles that are gone; who holds no other may be guessing.
        if tokens and not held:
            gate.count(gate.guesses, request)
        return as_json([_shown(battle) for battle in held])

    @app.post("/api/claim")
    async def claim(request: Request) -> Response:
        wanted = await body(request, Claim)
        try:
            battle, player, token = await hall_of(request).claim(wanted.invitation, wanted.token)
        except NoSeat:
            gate.count(gate.guesses, request)
            return trouble(404, TAKEN, request)
        return as_json({"battle": battle, "player": player, "token": token})

    @app.get("/api/battles/{battle}/journal")
    async def journal(request: Request, battle: str) -> Response:
        saved = await gate.watched(request, battle)
        if not saved.over:
            raise UserError(
                "The journal holds everything, also what players may not know; it is given when all is over."
            )
        name = f'attachment; filename="{battle}.battle"'
        return Response(saved.journal(), media_type="application/json", headers={"content-disposition": name})

    @app.get("/battles/{battle}/replay")
    async def replay(request: Request, battle: str) -> Response:
        hall, saved = hall_of(request), await gate.watched(request, battle)
        try:
            hall.must_be_playable(battle)
            return pages.replay(await gate.beside(request, "replay_page", saved.journal()))
        except UserError:
            return pages.replay(await gate.beside(request, "told_page", saved.head, await hall.told(battle)))

    @app.get("/battles/{battle}/moment")
    async def moment(request: Request, battle: str) -> Response:
        events = _events(request)
        saved = await gate.watched(request, battle)
        hall_of(request).must_be_playable(battle)
        return pages.moment(await gate.beside(request, "moment_at", saved.journal(), events))


def _add_files(app: FastAPI, gate: Gate) -> None:
    """What strangers send, to be read or replayed."""
    shelf = pages.Shelf()

    @app.post("/api/replay")
    async def replay_file(request: Request) -> Response:
        gate.count(gate.replays, request)
        data = await read(request, limits.MAX_UPLOAD)
        return pages.replay(await gate.beside(request, "replay_page", data))

    @app.post("/api/replays")
    async def put_replay(request: Request) -> Response:
        gate.count(gate.replays, request)
        data = await read(request, limits.MAX_UPLOAD)
        page = await gate.beside(request, "replay_page", data)
        return as_json({"replay": shelf.put(page, data, limits.host_of(request))}, 201)

    @app.get("/replays/{name}")
    async def kept_replay(request: Request, name: str) -> Response:
        found = shelf.get(name)
        return pages.replay(found) if found else trouble(404, NOT_KEPT, request)

    @app.get("/replays/{name}/moment")
    async def kept_moment(request: Request, name: str) -> Response:
        events, data = _events(request), shelf.file(name)
        gate.count(gate.replays, request)
        return pages.moment(await gate.beside(request, "moment_at", data, events)) if data else trouble(404, NOT_KEPT)

    @app.post("/api/dropped")
    async def kind_of(request: Request) -> Response:
        gate.count(gate.drawings, request)
        data = await read(request, limits.MAX_UPLOAD)
        return as_json({"kind": await gate.beside(request, "kind_of", data)})

    @app.post("/api/lists")
    async def read_list(request: Request) -> Response:
        gate.count(gate.begins, request)
        asked = await body(request, ReadList, limits.MAX_LIST_BODY)
        return as_json(await gate.beside(request, "read_list", asked))

    @app.post("/api/layouts")
    async def draw(request: Request) -> Response:
        gate.count(gate.drawings, request)
        drawn = await body(request, Drawn)
        return as_json(await gate.beside(request, "draft", drawn.system, drawn.name, drawn.text))


def _add_questions(app: FastAPI, gate: Gate) -> None:
    """What can be looked up without a battle: rules, what proves them, and odds."""

    @app.get("/rules/{id_}")
    async def rule_page(request: Request, id_: str) -> Response:
        gate.count(gate.drawings, request)
        return pages.plain(await gate.beside(request, "rule_page", id_), rulings.STYLE)

    @app.get("/api/scenarios/{system}/{name}")
    async def scenario(request: Request, system: str, name: str) -> Response:
        return as_json({"text": await hall_of(request).lanes.engine(proofs.text_of, f"{system}/{name}")})

    @app.get("/api/odds/{system}")
    async def odds_known(request: Request, system: str) -> Response:
        gate.count(gate.drawings, request)
        return as_json(await gate.beside(request, "odds_known", system))

    @app.post("/api/odds")
    async def odds_told(request: Request) -> Response:
        gate.count(gate.drawings, request)
        return as_json(await gate.beside(request, "odds_told", await body(request, OddsAsked)))


def _events(request: Request) -> int:
    """After how many events somebody wants the moment of a battle."""
    said = request.query_params.get("at", "")
    if not (said.isascii() and said.isdigit() and len(said) <= LONGEST_NUMBER):
        raise UserError("Say which moment: ?at= and the number of events that have happened by then.")
    return int(said)


def _shown(battle: Listed) -> dict[str, Any]:
    result = battle.status.result
    shown: dict[str, Any] = {
        "battle": battle.id,
        "title": battle.title,
        "system": battle.system,
        "begun": battle.begun,
        "touched": battle.touched,
        "round": battle.status.round,
        "round_name": systems.get(battle.system).round_name,
        "plays": battle.plays,
        "result": None if result is None else msgspec.Raw(result.encode()),
    }
    if battle.seat is not None:
        shown |= {"player": battle.seat, "your_move": battle.seat in battle.status.asked, "free": battle.free}
    return shown
