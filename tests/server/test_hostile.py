"""People who mean harm: what they send, and how slowly, costs themselves alone."""

from __future__ import annotations

import asyncio
import base64
import gc
import gzip
import json
import logging
import subprocess
import sys
import threading
import zlib
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import uvicorn
from fastapi import Request
from starlette.requests import HTTPConnection
from uvicorn.server import ServerState
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus

from sandtable.armies.imported import MOST
from sandtable.errors import UserError
from sandtable.players import read_orders
from sandtable.players.standing import Orders
from sandtable.server import app as web
from sandtable.server import attending, gate, hooks, limits, pages, running, shares
from sandtable.server import hall as halls
from sandtable.server.catalogue import MOST_IN_UNIT, Wish, play_on
from sandtable.server.hall import Hall
from sandtable.server.limits import Brisk
from sandtable.server.protocol import TOO_FREQUENT, Answer, Check, Ordered, Refused, ShowRules
from sandtable.server.sockets import Connection
from sandtable.server.store.store import Store
from sandtable.server.thinking import ASKER, NoThought, Thinking
from server.live import Server
from server.test_hall import MINE, Here, answer, run, sit
from server.test_robust import shared
from support.exports import LEGION, newrecruit_json, official, wtc_compact

Play = Callable[[Hall, str, int], Awaitable[None]]


def serve(tmp_path: Path, play: Play, **settings: Any) -> None:
    """An application in this process, whose limits tests can change, on a port of its own."""

    async def main() -> None:
        hall = Hall(Store(f"sqlite:///{tmp_path}/battles.db"), Here())
        hall.replaying, hall.preparing = Here(), Here()
        listening = uvicorn.Server(running.configured(web.create_app(lambda: hall), port=0, **settings))
        task = asyncio.ensure_future(listening.serve())
        while not listening.started:
            await asyncio.sleep(0.01)
        host, port = listening.servers[0].sockets[0].getsockname()[:2]
        try:
            await asyncio.wait_for(play(hall, host, port), 60)
        finally:
            listening.should_exit = True
            await task

    asyncio.run(main())


async def fetch(host: str, port: int, request: bytes) -> bytes:
    """What comes of writing something, until the other side has enough of it."""
    reader, writer = await asyncio.open_connection(host, port)
    writer.write(request)
    try:
        return await reader.read()
    except ConnectionResetError:
        return b""
    finally:
        writer.close()


# ------------------------------------------------------------------------------------------ slow ones


@pytest.mark.parametrize("begun", [b"", b"GET /health HT", b"GET /health HTTP/1.1\r\nHost: x\r\n"])
def test_a_connection_that_does_not_ask_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, begun: bytes) -> None:
    monkeypatch.setattr(limits, "FIRST_REQUEST", 0.2)

    async def play(hall: Hall, host: str, port: int) -> None:
        assert await asyncio.wait_for(fetch(host, port, begun), 10) == b""

    serve(tmp_path, play)


def test_nor_does_one_stay_that_asked_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "FIRST_REQUEST", 1.0)
    whole = b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n"

    async def play(hall: Hall, host: str, port: int) -> None:
        told = await asyncio.wait_for(fetch(host, port, whole + b"GET /hea"), 10)
        assert told.startswith(b"HTTP/1.1 200")

    serve(tmp_path, play)


def test_a_body_whose_rest_does_not_come_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "NEXT_PART", 0.2)
    head = b"POST /api/battles HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"

    async def play(hall: Hall, host: str, port: int) -> None:
        told = await asyncio.wait_for(fetch(host, port, head), 10)
        assert told.startswith(b"HTTP/1.1 408")
        assert b"did not come" in told

    serve(tmp_path, play)


BIG = 64 << 20
"""More than systems keep on the way."""


@pytest.mark.parametrize("path", ["replays/x", "big"], ids=["from memory", "from a file"])
def test_who_does_not_read_a_reply_is_cut_off_and_holds_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    monkeypatch.setattr(limits, "FIRST_REQUEST", 0.05)
    monkeypatch.setattr(limits, "NEXT_READ", 0.2)
    monkeypatch.setattr(pages.Shelf, "get", lambda *_: bytes(BIG))
    monkeypatch.setattr(pages, "STATIC", tmp_path)
    with (tmp_path / "big").open("wb") as file:
        file.truncate(BIG)

    async def play(hall: Hall, host: str, port: int) -> None:
        reader, writer = await asyncio.open_connection(host, port, limit=1)
        writer.write(b"GET /%s HTTP/1.1\r\nHost: x\r\n\r\n" % path.encode())
        assert await reader.read(8) == b"HTTP/1.1"
        while Brisk._open:
            await asyncio.sleep(0.01)
        writer.close()

    # Who is not believed to speak for others is counted as itself.
    serve(tmp_path, play, forwarded_allow_ips="")
    assert not Brisk._open


def test_the_name_of_a_replay_that_is_kept_stays_out_of_the_log(tmp_path: Path) -> None:
    told: list[str] = []
    listening = logging.Handler()
    listening.emit = lambda record: told.append(record.getMessage())  # type: ignore[method-assign]
    requests = logging.getLogger("uvicorn.access")

    async def play(hall: Hall, host: str, port: int) -> None:
        requests.addHandler(listening)
        for path in (b"/replays/secret", b"/%72eplays/secret/moment?at=3", b"/health"):
            await fetch(host, port, b"GET %s HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n" % path)

    try:
        serve(tmp_path, play, verbose=True)
    finally:
        requests.removeHandler(listening)
    shown = [line.split('"')[1] for line in told]
    assert shown == [f"GET {path} HTTP/1.1" for path in ("/replays/...", "/replays/.../moment?at=3", "/health")]


class Wire:
    """A transport that takes what is written, and gives nothing to anybody."""

    def __init__(self) -> None:
        self.unread = 0
        self.cut = self.closed = False

    def get_extra_info(self, _: str) -> None:
        return None

    def write(self, data: bytes) -> None:
        self.unread += len(data)

    def get_write_buffer_size(self) -> int:
        return self.unread

    def is_closing(self) -> bool:
        return self.closed

    def close(self) -> None:
        self.closed = True

    def abort(self) -> None:
        self.cut = True


class Still:
    """A loop whose clock stands still between two looks."""

    def __init__(self) -> None:
        self.now = 0.0
        self.next: Callable[[], None] = lambda: None

    def time(self) -> float:
        return self.now

    def call_later(self, wait: float, work: Callable[..., None], *arguments: Any) -> None:
        def look() -> None:
            self.now += wait
            work(*arguments)

        self.next = look


def test_who_reads_slowly_gets_the_whole_reply_also_after_the_server_is_done_with_it() -> None:
    wire, loop = Wire(), Still()
    talk = Brisk(running.configured(None), ServerState(), {}, loop)  # type: ignore[arg-type]
    talk.connection_made(wire)  # type: ignore[arg-type]
    talk.cycle = SimpleNamespace(response_complete=True)  # type: ignore[assignment]
    wire.unread, wire.closed = 100, True
    for _ in range(20):
        loop.next()
        wire.unread -= 1
    # A file comes piece by piece: as much waits as before, but what had waited is read.
    for _ in range(20):
        loop.next()
        talk.resume_writing()
    assert not wire.cut
    while not wire.cut:
        loop.next()
    assert wire.unread == 80


def test_one_address_has_so_many_connections_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "REQUESTS_OPEN", 2)
    ask = b"GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"

    async def play(hall: Hall, host: str, port: int) -> None:
        held = [await asyncio.open_connection(host, port) for _ in range(2)]
        while sum(Brisk._open.values()) < 2:
            await asyncio.sleep(0.01)
        assert await fetch(host, port, ask) == b""
        # Sockets are counted by themselves.
        held[0][1].write(HANDS)
        assert (await held[0][0].read(1000)).startswith(b"HTTP/1.1 101")
        assert (await fetch(host, port, ask)).startswith(b"HTTP/1.1 200")
        for _, writer in held:
            writer.close()

    serve(tmp_path, play, forwarded_allow_ips="")
    assert not Brisk._open


def test_a_proxy_that_speaks_for_many_has_as_many_connections_as_it_needs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "REQUESTS_OPEN", 0)

    async def play(hall: Hall, host: str, port: int) -> None:
        ask = b"GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
        assert (await fetch(host, port, ask)).startswith(b"HTTP/1.1 200")

    serve(tmp_path, play)


def test_who_does_not_read_the_end_of_a_socket_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "LAST_WORDS", 0.01)

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "websocket.accept"})
        await send({"type": "websocket.send", "text": "Too many are here."})
        await send({"type": "websocket.close", "code": 4409})

    async def play() -> None:
        wire = Wire()
        config = running.configured(app, proxy_headers=False, lifespan="off", interface="asgi3")
        config.load()
        talk = limits.Patient(config, ServerState(), {})
        talk.connection_made(wire)  # type: ignore[arg-type]
        talk.data_received(HANDS)
        async with asyncio.timeout(20):
            while not wire.cut:
                await asyncio.sleep(0.01)
        talk.connection_lost(None)

    asyncio.run(play())


class Deaf:
    """A socket that takes one message and no more."""

    def __init__(self) -> None:
        self.took: list[str] = []
        self.cut = False
        self.scope = {"extensions": {limits.ABORT: self._abort}}

    def _abort(self) -> None:
        self.cut = True

    async def send_text(self, text: str) -> None:
        self.took.append(text)
        await asyncio.sleep(3600)


def test_one_large_message_cuts_nobody_off_but_what_waits_behind_it_does() -> None:
    async def play() -> None:
        deaf = Deaf()
        client = Connection(deaf, limits.Bucket(1, 1))  # type: ignore[arg-type]
        sending = asyncio.ensure_future(client.keep_sending())
        client.send("x" * (3 * limits.MAX_UNREAD))
        client.send("y" * limits.MAX_UNREAD)
        await asyncio.sleep(0.01)
        assert not deaf.cut
        client.send("z" * limits.MAX_UNREAD)
        assert not deaf.cut
        client.send("z")
        assert deaf.cut
        assert len(deaf.took) == 1
        await client.close(sending)

    asyncio.run(play())


HANDS = (
    b"GET /socket HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


def test_nothing_that_is_sent_over_a_socket_is_inflated(tmp_path: Path) -> None:
    packed = zlib.compress(b"0" * (limits.MAX_FRAME - 1), wbits=-12)
    bomb = b"\xc1" + bytes([0x80 | 126, *divmod(len(packed), 256)]) + b"\0\0\0\0" + packed

    async def play(hall: Hall, host: str, port: int) -> None:
        begun = await hall.begin(MINE)
        async with connect(f"ws://{host}:{port}/socket", compression="deflate") as honest:
            assert honest.protocol.extensions == []
            await honest.send(json.dumps({"say": "hello", "battle": begun.battle}))
            assert json.loads(await honest.recv())["say"] == "welcome"
            reader, writer = await asyncio.open_connection(host, port)
            offer = b"\r\nSec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n\r\n"
            writer.write(HANDS.removesuffix(b"\r\n\r\n") + offer)
            head = await reader.readuntil(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 101")
            assert b"sec-websocket-extensions" not in head.lower()
            writer.write(bomb * 200)
            told = b""
            with suppress(ConnectionResetError):
                told = await asyncio.wait_for(reader.read(), limits.FIRST_WORD / 2)
            assert told[2:4] in (b"", (1002).to_bytes(2))
            writer.close()
            await honest.send(json.dumps({"say": "events", "since": 0}))
            assert json.loads(await honest.recv())["say"] == "events"

    serve(tmp_path, play)


@pytest.mark.parametrize("frame", [b"\x89\x80\0\0\0\0", b"\x00\x80\0\0\0\0"], ids=["pings", "parts of a message"])
def test_frames_without_end_end_the_connection(tmp_path: Path, frame: bytes) -> None:
    begun = b"\x01\x80\0\0\0\0"

    async def play(hall: Hall, host: str, port: int) -> None:
        reader, writer = await asyncio.open_connection(host, port)
        writer.write(HANDS)
        assert (await reader.read(1000)).startswith(b"HTTP/1.1 101")
        writer.write((b"" if frame[0] & 0x0F else begun) + frame * (limits.MAX_PARTS + 100))
        with suppress(ConnectionResetError):
            # It ends long before somebody who says nothing is sent away.
            await asyncio.wait_for(reader.read(), limits.FIRST_WORD / 2)
        writer.close()

    serve(tmp_path, play)


# ------------------------------------------------------------------------------------------ many at once


def test_one_address_has_so_many_sockets_and_another_place_is_free_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "SOCKETS_AT_ONCE", 2)

    async def play(hall: Hall, host: str, port: int) -> None:
        address = f"ws://{host}:{port}/socket"
        async with connect(address), connect(address), connect(address) as third:
            assert "connected from there already" in str(await third.recv())
        told = full = "connected from there already"
        while full in told:  # the server takes a moment to see that they are gone
            async with connect(address) as again:
                await again.send('{"say": "concede"}')
                told = str(await again.recv())
        assert "Say hello first" in told

    serve(tmp_path, play)


def test_who_says_hello_far_too_often_is_told_so_and_nobody_else_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "HELLOS_AT_ONCE", 3.0)
    monkeypatch.setattr(limits, "HELLOS_PER_MINUTE", 0.0)

    async def play(hall: Hall, host: str, port: int) -> None:
        begun = await hall.begin(MINE)

        async def hello(asker: str) -> tuple[str, int]:
            forwarded = {"X-Forwarded-For": asker}
            async with connect(f"ws://{host}:{port}/socket", additional_headers=forwarded) as socket:
                await socket.send(json.dumps({"say": "hello", "battle": begun.battle}))
                told = json.loads(await socket.recv())
                return told["say"], told.get("code", 0)

        greeted = [await hello("192.0.2.1") for _ in range(4)]
        assert greeted == [("welcome", 0)] * 3 + [("farewell", TOO_FREQUENT)]
        assert await hello("192.0.2.2") == ("welcome", 0)

    serve(tmp_path, play)


def test_many_sockets_of_one_address_say_no_more_than_a_few_and_nobody_else_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "OF_ONE_ADDRESS_AT_ONCE", 3.0)
    monkeypatch.setattr(limits, "OF_ONE_ADDRESS_PER_SECOND", 0.001)
    monkeypatch.setattr(running, "FAREWELL", 0)

    async def play(hall: Hall, host: str, port: int) -> None:
        begun = await hall.begin(MINE)

        async def come(asker: str) -> ClientConnection:
            forwarded = {"X-Forwarded-For": asker}
            socket = await connect(f"ws://{host}:{port}/socket", additional_headers=forwarded)
            await socket.send(json.dumps({"say": "hello", "battle": begun.battle}))
            assert json.loads(await socket.recv())["say"] == "welcome"
            return socket

        async def ask(socket: ClientConnection) -> str:
            await socket.send(json.dumps({"say": "card", "unit": 0}))
            return str(json.loads(await socket.recv())["say"])

        crowd = [await come("192.0.2.1") for _ in range(4)]
        assert [await ask(socket) for socket in crowd[:3]] == ["card"] * 3
        late = asyncio.ensure_future(ask(crowd[3]))
        other = await come("192.0.2.2")
        assert [await ask(other) for _ in range(3)] == ["card"] * 3
        assert not late.done()
        late.cancel()

    serve(tmp_path, play)


def test_who_waits_is_known_by_the_address_that_asks(tmp_path: Path) -> None:
    asked: list[tuple[str, str]] = []

    class Listens(Here):
        async def run(self, job: str, *arguments: Any, urgent: bool = False, asker: str | None = None) -> Any:
            asked.append((job, ASKER.get()))
            return await super().run(job, *arguments, urgent=urgent, asker=asker)

    async def play(hall: Hall, host: str, port: int) -> None:
        hall.thinking, hall.replaying = Listens(), Listens()
        begun = await hall.begin(MINE)
        replay = (
            b"GET /battles/%s/replay HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 192.0.2.1\r\nConnection: close\r\n\r\n"
        )
        assert (await fetch(host, port, replay % begun.battle.encode())).startswith(b"HTTP/1.1 200")
        forwarded = {"X-Forwarded-For": "192.0.2.2"}
        async with connect(f"ws://{host}:{port}/socket", additional_headers=forwarded) as socket:
            await socket.send(json.dumps({"say": "hello", "token": begun.seats[0]["token"]}))
            await socket.recv()
            for said in ({"say": "rules", "ids": []}, {"say": "recap", "since": 0}):
                await socket.send(json.dumps(said))
                assert json.loads(await socket.recv())["say"] == said["say"]
        assert asked == [("replay_page", "192.0.2.1"), ("rules", "192.0.2.2"), ("recap", "192.0.2.2")]

    serve(tmp_path, play)


def test_advice_that_is_not_wanted_is_not_even_begun(tmp_path: Path, recwarn: pytest.WarningsRecorder) -> None:
    async def play(hall: Hall, _: Here) -> None:
        begun = await hall.begin(MINE)
        sitting = await hall.sitting(begun.battle)
        told = [asyncio.get_running_loop().create_future() for _ in range(limits.ADVICE_AT_ONCE)]
        client = Connection(Deaf(), limits.Bucket(1, 1))  # type: ignore[arg-type]
        for one in told:
            client._advice.add(one)
        await client._obey(sitting, hall.replaying, ShowRules(ids=(), ask=7))
        gc.collect()
        assert json.loads(client._unsent[0])["code"] == "too_frequent"

    run(tmp_path, play)
    assert not [w for w in recwarn if issubclass(w.category, RuntimeWarning)]


def test_one_address_has_so_many_files_read_at_one_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "FILES_AT_ONCE", 1)
    body = b'{"text": "name: x\\nsystem: w40k10\\n"}'
    ask = b"POST /api/lists HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nConnection: close\r\n"
    ask += f"Content-Length: {len(body)}\r\n\r\n".encode() + body
    going, go = asyncio.Event(), asyncio.Event()

    async def play(hall: Hall, host: str, port: int) -> None:
        async def wait(*_: Any, **__: Any) -> None:
            going.set()
            await go.wait()
            raise UserError("That is no list.")

        monkeypatch.setattr(hall.replaying, "run", wait)
        first = asyncio.ensure_future(fetch(host, port, ask))
        await going.wait()
        assert (await fetch(host, port, ask)).startswith(b"HTTP/1.1 429")
        assert (await fetch(host, port, b"GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"))[
            9:12
        ] == b"200"
        go.set()
        assert (await first).startswith(b"HTTP/1.1 400")
        assert (await fetch(host, port, ask)).startswith(b"HTTP/1.1 400")

    serve(tmp_path, play)


def test_who_asks_for_anything_far_too_often_is_turned_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "REQUESTS_AT_ONCE", 2.0)
    monkeypatch.setattr(limits, "REQUESTS_PER_MINUTE", 0.0)

    async def play(hall: Hall, host: str, port: int) -> None:
        ask = b"GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
        assert [(await fetch(host, port, ask))[9:12] for _ in range(3)] == [b"200", b"200", b"429"]

    serve(tmp_path, play)


CLOCKS = Wish(made_up=True, seed=3, seats=("mine", "mine"), minutes=30)


def test_only_so_many_battles_go_on_while_nobody_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shares, "MOST_ALONE", 1)

    async def play(hall: Hall, _: Here) -> None:
        await hall.begin(CLOCKS)
        with pytest.raises(UserError, match="go on by themselves here"):
            await hall.begin(CLOCKS)
        with pytest.raises(UserError, match="go on by themselves here"):
            await hall.begin(Wish(made_up=True, seed=3, seats=("default", "default")))
        await hall.begin(MINE)

    run(tmp_path, play)


def test_one_address_keeps_only_some_of_the_battles_that_go_on_by_themselves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shares, "MOST_ALONE", 4)
    monkeypatch.setattr(shares, "MOST_FROM_ONE", 2)

    async def play(hall: Hall, _: Here) -> None:
        # Also when all of them are asked for at one time.
        many = await asyncio.gather(*[hall.begin(CLOCKS, host="greedy") for _ in range(5)], return_exceptions=True)
        refused = [one for one in many if isinstance(one, UserError)]
        assert len(refused) == 3
        assert all("from your address" in str(one) and "without clocks" in str(one) for one in refused)
        await hall.begin(MINE, host="greedy")
        begun = [await hall.begin(CLOCKS, host="modest") for _ in range(2)]
        with pytest.raises(UserError, match="go on by themselves here"):
            await hall.begin(CLOCKS, host="late")
        # Who sits down at one may begin another.
        await sit(hall, begun[0].seats[0]["token"])
        await hall.begin(CLOCKS, host="modest")

    run(tmp_path, play)


def test_who_took_more_than_a_share_by_a_trick_keeps_no_more_than_that_from_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shares, "MOST_ALONE", 4)
    monkeypatch.setattr(shares, "MOST_FROM_ONE", 2)

    async def play(hall: Hall, _: Here) -> None:
        invited = [
            await hall.begin(Wish(made_up=True, seed=3, seats=("mine", "invited"), minutes=30), host="greedy")
            for _ in range(5)
        ]
        for begun in invited:
            await hall.claim(str(begun.seats[1]["invitation"]))
        with pytest.raises(UserError, match="from your address"):
            await hall.begin(CLOCKS, host="greedy")
        await hall.begin(CLOCKS, host="modest")

    run(tmp_path, play)


def test_the_address_of_who_begins_battles_is_the_one_that_asks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shares, "MOST_FROM_ONE", 1)
    wish = b'{"made_up": true, "seats": ["mine", "mine"], "minutes": %s}'

    async def play(hall: Hall, host: str, port: int) -> None:
        async def begin(minutes: bytes, asker: bytes) -> bytes:
            body = wish % minutes
            head = b"Content-Type: application/json\r\nX-Forwarded-For: %s\r\nContent-Length: %d" % (asker, len(body))
            return await fetch(
                host, port, b"POST /api/battles HTTP/1.1\r\nHost: x\r\nConnection: close\r\n%s\r\n\r\n%s" % (head, body)
            )

        assert (await begin(b"100000", b"192.0.2.1")).startswith(b"HTTP/1.1 400")
        assert (await begin(b"30", b"192.0.2.1")).startswith(b"HTTP/1.1 201")
        assert b"from your address" in await begin(b"30", b"192.0.2.1")
        assert (await begin(b"30", b"192.0.2.2")).startswith(b"HTTP/1.1 201")

    serve(tmp_path, play)


def test_battles_begun_in_masses_make_way_for_each_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(halls, "MOST_IN_MEMORY", 2)

    async def play(hall: Hall, _: Here) -> None:
        begun = [await hall.begin(MINE) for _ in range(5)]
        assert hall.in_memory == 3
        await hall.sitting(begun[0].battle)

    run(tmp_path, play)


# ------------------------------------------------------------------------------------------ what they send

CROWD = """
scenario: A crowd
system: w40k10
question: How many are too many?
table: {{size: [400, 400]}}
sheets:
  Boy: {{move: 6, toughness: 5, save: 5, wounds: 1, leadership: 7, oc: 2, base: 32mm, height: 1, keywords: [INFANTRY]}}
units:
  - {{name: Crowd, player: red, sheet: Boy, models: {models}, block: {{at: [20, 20], columns: 40}}}}
  - {{name: Few, player: blue, sheet: Boy, positions: [[300, 300]]}}
at: {{step: move_units, round: 2, active: red}}
"""


def test_a_unit_of_a_scenario_has_no_more_models_than_can_be_judged_while_others_play() -> None:
    assert play_on(CROWD.format(models=MOST_IN_UNIT), 1).decisions
    with pytest.raises(UserError, match=f"at most {MOST_IN_UNIT} models"):
        play_on(CROWD.format(models=MOST_IN_UNIT + 1), 1)


UNSEEN = (
    *("\\u202Eyob", "\\u2066boy", "\\aboy", "boy\\x9b", "\\u200b\\u200b", "\\u3164\\u115f", "A\\U000E0041"),
    *("\\u200f\\u061c boy", "\\ue000", "\\U0010fffd", "bo\\xady", "\\u2800", "\\u200d", "\\xa0\\u3000"),
    *("boy\\U0001BCA0", "\\U0001D173boy\\U0001D17A"),
)


@pytest.mark.parametrize("name", [f'"{name}"' for name in UNSEEN])
def test_a_name_that_changes_how_others_look_is_refused(name: str) -> None:
    text = CROWD.format(models=5)
    assert play_on(text.replace("name: Few", 'name: "Für wenige, né"'), 1).decisions
    with pytest.raises(UserError, match=r"line 10, column 12: a text holds (a character|nothing) that"):
        play_on(text.replace("name: Few", f"name: {name}"), 1)


def test_names_that_look_the_same_are_the_same() -> None:
    text = CROWD.format(models=5)
    for name in ("'Crowd '", '" Crowd"', '"Crow\\u200dd"', '"Crowd\\ufe0f"'):
        with pytest.raises(UserError, match="stands twice"):
            play_on(text.replace("name: Few", f"name: {name}"), 1)
    players = text.replace("at: {step", "players: [red, 'red ']\nat: {step").replace("player: blue", "player: 'red '")
    with pytest.raises(UserError, match="players: a name stands twice"):
        play_on(players, 1)
    with pytest.raises(UserError, match="has 1 to 200 letters, not 0"):
        play_on(text.replace("name: Few", "name: '  '"), 1)
    with pytest.raises(UserError, match="'advanced' stands twice in one place"):
        play_on(text.replace("name: Few", "name: Few, flags: {advanced: true, 'advanced ': false}"), 1)


def test_a_name_is_known_with_and_without_what_is_around_it_and_may_be_of_any_tongue() -> None:
    text = CROWD.format(models=5).replace("player: blue", "player: ' blue '").replace("active: red", "active: 'red '")
    assert [p.name for p in play_on(text, 1).state.players] == ["red", "blue"]
    for name in ("Gorkaʼs Böyz d’Été", "بچه\u200cها", "👨\u200d👩\u200d👧 ❤\ufe0f"):
        assert play_on(text.replace("name: Few", f'name: "{name}"'), 1).state.units[1].name == name


def test_orders_are_read_where_nobody_waits_for_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    threads: list[str] = []

    def watched(text: str, where: str) -> Orders:
        threads.append(threading.current_thread().name)
        return read_orders(text, where)

    monkeypatch.setattr(attending, "read_orders", watched)
    short = 'orders: [{for: "*", do: ask}]'
    long = "orders:\n" + '  - {for: "a*", do: ask}\n' * 150

    async def play(hall: Hall, thinking: Here) -> None:
        begun = await hall.begin(MINE)
        sitting, ear = await sit(hall, begun.seats[0]["token"])
        assert (await sitting.attending.give_orders(0, long)) == Ordered(text=long)
        assert (thinking.jobs.count("check_orders"), threads) == (1, [])
        refused = await sitting.attending.give_orders(0, long * 2)
        assert isinstance(refused, Refused) and refused.code == "malformed"
        thinking.fails = NoThought("busy")
        with pytest.raises(NoThought):
            await sitting.attending.give_orders(0, long)
        assert (await sitting.attending.give_orders(0, short)) == Ordered(text=short)
        sitting.leave(ear)
        while sitting.busy or hall.lanes.busy:
            await asyncio.sleep(0.01)
        sitting.touched -= 1000
        assert hall.evict() == 1
        await sit(hall, begun.seats[0]["token"])
        assert [name.partition("_")[0] for name in threads] == ["engine", "engine"]

    run(tmp_path, play)


def test_long_orders_count_as_many_messages(server: Server) -> None:
    battle = server.begin(system="epica", made_up=True, seed=3, seats=["mine", "mine"])
    with battle.sit(0) as one:
        for _ in range(20):
            one.say("give_orders", text="#" * 20_000)
        told = [one.hear() for _ in range(20)]
        codes = {t.get("code") for t in told if t["say"] == "refused"}
        assert codes == {"too_frequent"}


def test_what_lies_near_an_illegal_answer_is_looked_for_beside_the_battles(tmp_path: Path) -> None:
    async def play(hall: Hall, thinking: Here) -> None:
        begun = await hall.begin(Wish(scenario=CROWD.format(models=10), seed=3, seats=("mine", "mine")))
        sitting, ear = await sit(hall, begun.seats[0]["token"])
        while ear.now["open"][0]["kind"] != "move":
            await answer(sitting, ear, str(ear.now["open"][0]["id"]))
        asked = ear.now["open"][0]
        legs = [{"do": "go", "x": 1, "y": 1}]
        far = {"mode": "normal", "paths": [{"model": model, "legs": legs} for model in asked["models"]]}
        thinking.jobs.clear()
        plain = await sitting.check(ear, Check(decision=asked["id"], answer=far))
        assert (plain.verdict.instead, thinking.jobs) == (None, [])  # type: ignore[union-attr]
        near = Check(ask=7, decision=asked["id"], answer=far, nearest=True)
        assert await sitting.check(ear, near) is None
        # What else is said meanwhile does not wait for that, and has no search of its own.
        told = await sitting.check(ear, near)
        assert told.verdict.instead is None  # type: ignore[union-attr]
        while sitting.searching.is_busy:
            await asyncio.sleep(0.01)
        assert (ear.heard[-1]["say"], ear.heard[-1]["to"]) == ("judged", 7)
        assert ear.heard[-1]["verdict"]["instead"]["paths"]
        assert thinking.jobs == ["nearest"]

        async def refuse(ask: int) -> int:
            """How much is told after the refusal of an answer, which waits for nothing."""
            so_far = len(ear.heard)
            wrong = Answer(ask=ask, decision=asked["id"], answer=far, nonce=f"far{ask}")
            refused = await sitting.answer(ear, wrong)
            assert isinstance(refused, Refused) and refused.code == "illegal" and refused.verdict is not None
            assert refused.verdict.reasons and refused.verdict.instead is None
            assert (sitting.searching.is_busy, len(ear.heard)) == (bool(ask), so_far)
            while sitting.searching.is_busy:
                await asyncio.sleep(0.01)
            return len(ear.heard) - so_far

        assert await refuse(8) == 1
        assert (ear.heard[-1]["say"], ear.heard[-1]["to"]) == ("judged", 8)
        assert ear.heard[-1]["verdict"]["instead"]["paths"]
        assert await refuse(0) == 0, "without a number nobody could tell what it belongs to"
        thinking.fails = NoThought("nearest")
        assert await refuse(9) == 0, "nothing was found"
        assert await sitting.check(ear, near) is None
        while sitting.searching.is_busy:
            await asyncio.sleep(0.01)
        assert (ear.heard[-1]["say"], ear.heard[-1]["to"]) == ("judged", 7), "who asked for it hears that there is none"

    run(tmp_path, play)


@pytest.mark.parametrize("path", ["/%00", "/a%00b", "/battles/%00/replay", "/" + "a" * 5000, "/" + "a/" * 3000])
def test_names_that_no_file_has_lead_nowhere(server: Server, path: str) -> None:
    assert server.get(path)[0] == 404


def test_an_origin_that_is_no_address_is_another_site(server: Server) -> None:
    assert server.get("/", origin="http://[")[0] == 403

    async def knock() -> None:
        async with connect(server.address.replace("http", "ws", 1) + "/socket", origin="http://["):  # type: ignore[arg-type]
            pass

    with pytest.raises(InvalidStatus) as refused:
        asyncio.run(knock())
    assert refused.value.response.status_code == 403


@pytest.mark.parametrize(
    "said",
    [
        {"say": "answer", "decision": 1, "answer": 1, "nonce": "a\0b"},
        {"say": "give_orders", "text": "default\0"},
        {"say": "why", "act": "\0", "unit": 1},
    ],
)
def test_a_character_that_is_none_reaches_no_database(server: Server, said: dict[str, Any]) -> None:
    with shared(server).sit(0) as red:
        red.socket.send(json.dumps(said))
        assert red.hear()["code"] == "malformed"
        assert red.ask("events", since=0)["say"] == "events"
    assert server.post("/api/lists", {"text": "name: x\0\n"})[0] == 400


LEGION_TEXT = official(LEGION)
NO_LISTS = {
    "nothing": "",
    "signs that nobody sees": "\u202e\u200b \x1b[2J\n",
    "words": "hello\nthere\n",
    "half a sign": "\ud83d\n",
    "deep JSON": "[" * 100_000,
    "deep objects": '{"a":' * 50_000 + "1" + "}" * 50_000,
    "deep YAML": "system: " + "[" * 5_000,
    "JSON that ends": '{"roster": {"forces": [',
    "numbers without end": '{"roster": {"forces": [{"selections": [{"name": "Boyz", "number": 1e999}]}]}}',
    "endless lines": "x" * 900_000,
    "many lines": "a\n" * 50_000,
    "an army of thousands": wtc_compact(LEGION._replace(units=LEGION.units * 900)),
    "a file that is packed far too small": base64.b64encode(gzip.compress(b"0" * (1 << 24), mtime=0)).decode(),
    "a packed file that is damaged": "H4sIA" + "A" * 100,
    "another game": json.dumps({"rulebook": {"name": "chess"}, "snapshot": {"item": "Roster§Roster"}}),
    "names of files": "system: w40k10\npack: ../../etc\nname: x\nfaction: orks\nlimit: 1\nunits: [{sheet: boyz}]\n",
}


@pytest.mark.parametrize("kind", NO_LISTS)
def test_what_is_no_list_is_refused_in_a_sentence_and_the_next_list_is_read(server: Server, kind: str) -> None:
    for path, body in (
        ("/api/lists", {"text": NO_LISTS[kind]}),
        ("/api/battles", {"system": "w40k11", "armies": [NO_LISTS[kind] + "\n\n.", LEGION_TEXT]}),
    ):
        status, told = server.post(path, body)
        assert status == 400
        said = told["error"]
        assert 0 < len(said) < 5000
        assert said.isprintable()
        assert "Traceback" not in said
    assert server.post("/api/lists", {"text": LEGION_TEXT})[0] == 200


def test_a_list_has_a_megabyte_and_no_more(server: Server) -> None:
    # A little more is told by the reader; far more is not even read.
    status, told = server.post("/api/lists", {"text": " " * MOST + LEGION_TEXT})
    assert (status, "length <= 1048576" in told["error"]) == (400, True)
    assert server.post("/api/lists", {"text": " " * (4 << 20)})[0] == 413
    assert server.post("/api/lists", {"text": LEGION_TEXT + " " * (MOST - len(LEGION_TEXT))})[0] == 200


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b'{"text": 1}',
        b'{"text": "x", "path": "/etc/passwd"}',
        b'{"text": "\xff\xfe"}',
        b'{"text": null}',
    ],
)
def test_what_is_no_request_for_a_list_is_refused(server: Server, body: bytes) -> None:
    status, told = server.post("/api/lists", body)
    assert (status, told["error"].startswith("That is not what is asked for here")) == (400, True)


def test_lists_are_sent_as_json_so_that_no_form_of_another_site_can(server: Server) -> None:
    status, _, told = server.fetch("/api/lists", b'{"text": "x"}')
    assert (status, b"Send JSON" in told) == (400, True)


def test_who_sends_too_many_lists_is_turned_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    body = b'{"text": "hello"}'
    ask = b"POST /api/lists HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nConnection: close\r\n"
    ask += f"Content-Length: {len(body)}\r\n\r\n".encode() + body

    async def play(hall: Hall, host: str, port: int) -> None:
        said: list[bytes] = []
        # On a slow machine the allowance grows while they are sent: then it takes more of them.
        while b"429" not in said:
            said.append((await fetch(host, port, ask))[9:12])
        assert set(said[:-1]) == {b"400"}
        assert len(said) > limits.BEGINS_PER_MINUTE

    serve(tmp_path, play)


def test_a_list_of_markup_stays_text_on_every_page(server: Server) -> None:
    name = "<script>alert(1)</script>"
    found = server.post("/api/lists", {"text": newrecruit_json(LEGION._replace(name=name))})[1]
    assert found["name"] == name
    battle = server.begin(system="w40k11", armies=[found["text"], found["text"]], seed=1)
    page = server.get(f"/battles/{battle.id}/replay")[2]
    assert name.encode() not in page


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "0.0.0.0", "10.1.2.3", "169.254.169.254", "100.64.0.1", "224.0.0.1", "255.255.255.255"),
        *("::1", "::", "::127.0.0.1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "64:ff9b::a00:1"),
        *("64:ff9b:1::1", "2002:7f00:1::", "fe80::1%eth0", "fc00::1", "fec0::1", "ff02::1"),
    ],
)
def test_no_webhook_leads_into_somebodys_house(address: str) -> None:
    assert not hooks.is_open(address)


@pytest.mark.parametrize("address", ["8.8.8.8", "2606:4700::1", "::ffff:8.8.8.8", "64:ff9b::808:808"])
def test_webhooks_lead_into_the_open_network(address: str) -> None:
    assert hooks.is_open(address)


def test_a_worker_that_is_asked_for_all_memory_fails_at_that_alone() -> None:
    program = "from sandtable.server import worker as w; w._be_modest(); bytearray(w.MOST_MEMORY)"
    done = subprocess.run([sys.executable, "-c", program], check=False, capture_output=True, text=True, timeout=120)
    assert done.stderr.strip().endswith("MemoryError")


def test_an_answer_that_is_nested_too_deeply_ends_no_worker() -> None:
    async def play() -> None:
        thinking = Thinking(1)
        ids = ("w40k10.move.options_free",)
        deep: list[Any] = []
        for _ in range(900):
            deep = [deep]
        try:
            assert await thinking.run("rules", ids)
            before = thinking._workers[0]._process
            with pytest.raises(NoThought):
                await thinking.run("nearest", None, deep)
            assert await thinking.run("rules", ids)
            assert thinking._workers[0]._process is before
        finally:
            await thinking.close()

    asyncio.run(play())


@pytest.mark.parametrize(
    ("host", "counted"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("testclient", "testclient"),
        ("", ""),
    ],
)
def test_all_addresses_of_one_subscriber_count_as_one(host: str, counted: str) -> None:
    assert limits.host_of(HTTPConnection({"type": "http", "client": (host, 1)})) == counted


@pytest.mark.parametrize(
    ("host", "meant"),
    [
        *[(name, True) for name in ("127.0.0.1:8000", "localhost", "[::1]:8000", "127.0.0.2", "battles.example:80")],
        *[(name, False) for name in ("evil.example:8000", "10.0.0.1", "127.0.0.1.evil.example", "", "[", "x@y@z")],
    ],
)
def test_a_server_for_its_own_machine_is_called_by_its_names_alone(host: str, meant: bool) -> None:
    asker = HTTPConnection({"type": "http", "headers": [(b"host", host.encode())]})
    assert limits.is_meant(asker, ["battles.example"]) == meant


def test_a_page_whose_name_leads_to_this_machine_gets_neither_reply_nor_socket(server: Server) -> None:
    evil = {"host": "evil.example", "origin": "http://evil.example"}
    status, _, told = server.get("/api/battles", **evil)
    assert (status, b"--name" in told) == (403, True)

    async def knock() -> None:
        where = {"host": "127.0.0.1", "port": int(server.address.rpartition(":")[2])}
        async with connect("ws://evil.example/socket", origin="http://evil.example", **where):  # type: ignore[arg-type]
            pass

    with pytest.raises(InvalidStatus) as refused:
        asyncio.run(knock())
    assert refused.value.response.status_code == 403


def test_strangers_cause_no_battle_to_be_loaded_and_wrong_tokens_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "GUESSES_AT_ONCE", 2.0)
    monkeypatch.setattr(limits, "GUESSES_PER_MINUTE", 0.0)

    async def play(hall: Hall, host: str, port: int) -> None:
        begun = await hall.begin(MINE)
        (await hall.sitting(begun.battle)).touched -= 1000
        hall.evict()

        async def get(path: bytes, token: str = "") -> bytes:
            name = begun.battle.encode()
            head = b"GET " + path % name + b" HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
            bearer = f"Authorization: Bearer {token}\r\n".encode() if token else b""
            return await fetch(host, port, head + bearer + b"\r\n")

        journal, replay, moment = b"/api/battles/%s/journal", b"/battles/%s/replay", b"/battles/%s/moment?at=0"
        assert b"given when all is over" in await get(journal)
        assert (await get(replay))[9:12] == b"200"
        assert hall.in_memory == 0
        wrong = [(await get(path, "wrong"))[9:12] for path in (journal, replay, moment, journal)]
        assert wrong == [b"404", b"404", b"429", b"429"]
        assert (await get(replay, str(begun.watch)))[9:12] == b"200"

    serve(tmp_path, play)


def test_who_has_no_seat_by_any_token_may_be_guessing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "GUESSES_AT_ONCE", 1.0)
    monkeypatch.setattr(limits, "GUESSES_PER_MINUTE", 0.0)

    async def play(hall: Hall, host: str, port: int) -> None:
        begun = await hall.begin(MINE)
        mine = str(begun.seats[0]["token"])

        async def ask(*tokens: str) -> bytes:
            body = json.dumps({"tokens": tokens}).encode()
            head = b"Content-Type: application/json\r\nConnection: close\r\nContent-Length: %d" % len(body)
            return (await fetch(host, port, b"POST /api/mine HTTP/1.1\r\nHost: x\r\n%s\r\n\r\n%s" % (head, body)))[9:12]

        assert [await ask(), await ask("gone", mine)] == [b"200"] * 2
        assert [await ask("wrong"), await ask("wrong"), await ask(mine)] == [b"200", b"429", b"200"]

    serve(tmp_path, play)


def test_hosts_are_counted_each_for_itself() -> None:
    counted = limits.AtOnce(1)
    one, other = (HTTPConnection({"type": "http", "client": (host, 1)}) for host in ("a", "b"))
    assert [counted.begin(one), counted.begin(one), counted.begin(other)] == [True, False, True]
    counted.end(one)
    assert counted.begin(one)


def test_a_body_that_comes_slowly_but_comes_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "NEXT_PART", 0.3)
    parts, now = iter([b"a", b"b", b"c", b"d", b"e"]), [0.0]

    async def receive() -> dict[str, Any]:
        now[0] += 0.2
        # Whatever is late by now is noticed.
        await asyncio.sleep(0)
        part = next(parts)
        return {"type": "http.request", "body": part, "more_body": part != b"e"}

    async def read() -> bytes:
        # By a clock that no other process holds up.
        monkeypatch.setattr(asyncio.get_running_loop(), "time", lambda: now[0])
        return await gate.read(Request({"type": "http", "headers": []}, receive), 100)  # type: ignore[arg-type]

    assert asyncio.run(read()) == b"abcde"


def test_who_breaks_off_in_the_middle_of_a_body_is_no_fault_of_the_server() -> None:
    parts = iter([{"type": "http.request", "body": b"a", "more_body": True}, {"type": "http.disconnect"}])

    async def receive() -> dict[str, Any]:
        return next(parts)

    request = Request({"type": "http", "headers": []}, receive)  # type: ignore[arg-type]
    with pytest.raises(gate.TooSlow):
        asyncio.run(gate.read(request, 100))


def test_a_body_that_comes_byte_by_byte_is_given_up_one_day(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "NEXT_PART", 5.0)
    monkeypatch.setattr(limits, "WHOLE_BODY", 0.3)

    async def receive() -> dict[str, Any]:
        await asyncio.sleep(0.02)
        return {"type": "http.request", "body": b"a", "more_body": True}

    request = Request({"type": "http", "headers": []}, receive)  # type: ignore[arg-type]
    with pytest.raises(gate.TooSlow):
        asyncio.run(gate.read(request, 1_000))
