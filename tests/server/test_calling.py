"""Webhooks that are due: after a restart, when a battle leaves memory, and for a phone that fell asleep."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from uvicorn.server import ServerState

from sandtable.server import calling, hooks, limits, running
from sandtable.server.hall import Hall
from sandtable.server.hooks import Hooks, News
from sandtable.server.limits import Bucket, Signs
from sandtable.server.seats import OVER, Calls
from sandtable.server.sitting import Sitting
from sandtable.server.sockets import Connection
from server.test_hall import MINE, Ear, Here, run, sit
from server.test_hostile import HANDS, serve
from server.test_sitting import ASK, leave_all, usual

URL = "https://example.org/told"


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calling, "BACK", 0.01)


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[News]]:
    """What webhooks are told, by servers that get so far."""
    heard: list[News] = []

    def tell(self: Hooks, url: str, news: News) -> None:
        heard.append(news)
        self.made(news)

    monkeypatch.setattr(Hooks, "tell", tell)
    yield heard


async def away(hall: Hall) -> tuple[Sitting, Ear, int, Any]:
    """A battle whose opponent is asked, with a seat that has a webhook and where nobody is; its begin as well."""
    begun = await hall.begin(MINE)
    sitting, one = await sit(hall, begun.seats[0]["token"])
    _, two = await sit(hall, begun.seats[1]["token"])
    here, gone = (one, two) if one.now["open"] else (two, one)
    await sitting.calling.set_hook(gone.player, URL)
    sitting.leave(gone)
    await quiet(hall)
    return sitting, here, gone.player, begun


async def quiet(hall: Hall) -> None:
    while hall.lanes.busy:
        await asyncio.sleep(0.01)


async def until_asked(sitting: Sitting, here: Ear, player: int) -> None:
    while player not in sitting.status.asked:
        await usual(sitting, [here], str(here.now["next"]))


async def wait_for(told: list[News], count: int) -> None:
    while len(told) < count:
        await asyncio.sleep(0.01)


async def nothing_is_due(hall: Hall) -> None:
    """Wait until the server has looked at all that was waiting when it began."""
    while hall.lanes.store.unattended(9) or any(s.calling.put_off for s in hall._sittings.values()):
        await asyncio.sleep(0.01)
    await quiet(hall)


def test_a_call_that_was_put_off_when_the_server_stopped_is_made_once_by_the_next(
    tmp_path: Path, told: list[News], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def stop(hall: Hall, _: Here) -> None:
        sitting, here, player, _ = await away(hall)
        sitting.calling.called[player] = asyncio.get_running_loop().time()
        await until_asked(sitting, here, player)
        assert sitting.calling.put_off
        # It stays until then, or else nobody would make it.
        await leave_all(hall, sitting)
        sitting.touched -= 10_000
        assert (hall.evict(), sitting.alone) == (0, False)
        assert told == []

    async def go_on(hall: Hall, _: Here) -> None:
        await wait_for(told, 1)
        await nothing_is_due(hall)

    async def once(hall: Hall, _: Here) -> None:
        await nothing_is_due(hall)
        await hall.sitting(told[0].battle)
        await nothing_is_due(hall)

    run(tmp_path, stop)
    run(tmp_path, go_on)
    run(tmp_path, once)
    assert [("your move" in news.text, news.about >= 0) for news in told] == [(True, True)]


@pytest.mark.parametrize("over", [False, True])
def test_a_server_that_is_killed_before_it_calls_has_it_made_by_the_next(
    tmp_path: Path, told: list[News], monkeypatch: pytest.MonkeyPatch, over: bool
) -> None:
    async def be_killed(hall: Hall, _: Here) -> None:
        monkeypatch.setattr(hall.hooks, "tell", lambda url, news: None)
        # It is stored with the answer, and by nothing that may come too late.
        monkeypatch.setattr(hall.lanes.store, "keep_due", lambda *_: pytest.fail("stored by itself"))
        sitting, here, player, _ = await away(hall)
        if over:
            await sitting.concede(here.player)
        else:
            await until_asked(sitting, here, player)

    async def go_on(hall: Hall, _: Here) -> None:
        await wait_for(told, 1)
        await nothing_is_due(hall)

    run(tmp_path, be_killed)
    run(tmp_path, go_on)
    assert [("is over" in news.text, news.about == OVER) for news in told] == [(over, over)]


def test_whoever_comes_back_with_the_server_is_not_called(
    tmp_path: Path, told: list[News], monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[Any] = []

    async def be_killed(hall: Hall, _: Here) -> None:
        monkeypatch.setattr(hall.hooks, "tell", lambda url, news: None)
        sitting, here, player, new = await away(hall)
        begun.extend((new, player))
        await until_asked(sitting, here, player)

    async def come_back(hall: Hall, _: Here) -> None:
        monkeypatch.setattr(calling, "BACK", 3600.0)
        new, player = begun
        sitting, _ = await sit(hall, new.seats[player]["token"])
        assert sitting.calling.put_off
        sitting.calling.call_late(player)
        await nothing_is_due(hall)

    run(tmp_path, be_killed)
    run(tmp_path, come_back)
    assert told == []


def test_what_orders_leave_to_a_person_is_told_once_however_often_it_is_thought_about(
    tmp_path: Path, told: list[News]
) -> None:
    async def leave_it(hall: Hall, _: Here) -> None:
        sitting, here, player, _ = await away(hall)
        await sitting.attending.give_orders(player, ASK)
        await until_asked(sitting, here, player)
        await wait_for(told, 1)
        await quiet(hall)

    async def again(hall: Hall, _: Here) -> None:
        sitting = await hall.sitting(told[0].battle)
        while not sitting.attending._left:
            await asyncio.sleep(0.01)
        await quiet(hall)
        assert not sitting.calling.put_off

    run(tmp_path, leave_it)
    run(tmp_path, again)
    assert len(told) == 1


def test_a_seat_that_is_asked_no_more_is_not_due_any_more(tmp_path: Path, told: list[News]) -> None:
    async def play(hall: Hall, _: Here) -> None:
        sitting, here, player, begun = await away(hall)
        sitting.calling.called[player] = asyncio.get_running_loop().time()
        await until_asked(sitting, here, player)
        assert hall.lanes.store.unattended(9) == [begun.battle]
        _, back = await sit(hall, begun.seats[player]["token"])
        while player in sitting.status.asked:
            await usual(sitting, [back], f"b{back.now['next']}")
        saved = hall.lanes.store.load(begun.battle)
        assert saved is not None
        assert saved.seats[player].calls == Calls()

    run(tmp_path, play)
    assert told == []


def test_what_was_sent_counts_as_told_and_what_never_got_away_does_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[News] = []
    news = [News("x", "b", player, 1, player) for player in range(3)]

    async def call(url: str, _: News, __: Any, sent: Any) -> None:
        if url.endswith("sent"):
            sent()
        elif url.endswith("broken"):
            raise OSError
        await asyncio.sleep(3600)

    async def play() -> None:
        monkeypatch.setattr(hooks, "call", call)
        calls = Hooks()
        calls.made = made.append
        for name, one in zip(("a/sent", "b/broken", "c/waits"), news, strict=True):
            calls.tell(f"https://example.org/{name}", one)
        async with asyncio.timeout(20):
            while len(made) < 2:
                await asyncio.sleep(0.01)
        await calls.close()

    asyncio.run(play())
    assert made == news[:2]


# ------------------------------------------------------------------------------------------ a phone that is asleep


def test_a_phone_that_fell_asleep_is_called_and_hears_later_what_it_missed(tmp_path: Path, told: list[News]) -> None:
    async def play(hall: Hall, host: str, port: int) -> None:
        sitting, here, player, begun = await away(hall)
        reader, writer = await asyncio.open_connection(host, port)
        writer.write(HANDS)
        assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 101")
        hello = json.dumps({"say": "hello", "token": begun.seats[player]["token"]}).encode()
        writer.write(b"\x81" + bytes([0x80 | len(hello)]) + bytes(4) + hello)
        await reader.readuntil(b'"welcome"')
        before = here.now["next"]
        # From here on it neither says anything nor replies to pings, but the connection is there.
        await until_asked(sitting, here, player)
        await wait_for(told, 1)
        await quiet(hall)
        assert sitting.seats[player].place.seen == before < here.now["next"]
        _, back = await sit(hall, begun.seats[player]["token"])
        assert back.heard[0]["seen"] == before
        writer.close()

    serve(tmp_path, play, ws_ping_interval=0.3, ws_ping_timeout=0.3)
    assert len(told) == 1


def test_who_is_found_gone_is_called_once_about_a_question_and_not_about_an_end_that_was_heard(
    tmp_path: Path, told: list[News], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hooks, "QUIET", 0.0)

    async def play(hall: Hall, _: Here) -> None:
        sitting, here, player, begun = await away(hall)
        _, asleep = await sit(hall, begun.seats[player]["token"])
        heard = here.now["next"]
        await until_asked(sitting, here, player)
        assert told == []
        for _ in range(3):
            sitting.leave(asleep, heard, missed=True)
            await wait_for(told, 1)
            await nothing_is_due(hall)
            _, asleep = await sit(hall, begun.seats[player]["token"])
        assert len(told) == 1
        await sitting.concede(here.player)
        sitting.leave(asleep, here.now["next"], missed=True)
        await nothing_is_due(hall)
        assert len(told) == 1

    run(tmp_path, play)


def test_what_was_sent_before_the_last_sign_of_life_was_heard() -> None:
    signs = Signs()

    class Socket:
        """Takes everything at once."""

        async def send_text(self, text: str) -> None:
            pass

        async def receive(self) -> dict[str, str]:
            return {"type": "websocket.receive", "text": '{"say": "concede"}'}

    async def play() -> None:
        client = Connection(Socket(), Bucket(1, 1), signs)  # type: ignore[arg-type]
        sending = asyncio.ensure_future(client.keep_sending())

        async def told(events: int) -> None:
            client.send("x")
            client.told(events)
            client.send("y")
            while client._unsent or client._marks:
                await asyncio.sleep(0)

        await told(5)
        assert (client.heard, signs.written) == (0, 5)
        await client._hear()
        await told(9)
        assert client.heard == 5
        # Something was taken back.
        await told(3)
        assert client.heard == 3
        signs.closed = True
        assert client.heard is None
        sending.cancel()

    asyncio.run(play())


class Wire:
    """A connection of which nothing is kept but what was written."""

    def __init__(self) -> None:
        self.sent = b""

    def write(self, data: bytes) -> None:
        self.sent += data

    def get_extra_info(self, _: str, default: Any = None) -> Any:
        return default

    def is_closing(self) -> bool:
        return False

    def close(self) -> None:
        pass

    abort = resume_reading = pause_reading = close


def test_a_pong_says_that_what_was_sent_before_the_ping_was_heard() -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "websocket.accept"})
        await asyncio.sleep(3600)

    async def play() -> None:
        config = running.configured(app, proxy_headers=False, lifespan="off", interface="asgi3")
        config.load()
        talk, wire = limits.Patient(config, ServerState(), {}), Wire()
        talk.connection_made(wire)  # type: ignore[arg-type]
        talk.data_received(HANDS)
        while b"101" not in wire.sent:
            await asyncio.sleep(0)
        signs = talk.scope["extensions"][limits.SIGNS]  # type: ignore[typeddict-item]
        signs.written = 4
        talk.send_keepalive_ping()
        signs.written = 9
        assert signs.heard == 0 and talk.pending_ping_payload is not None
        talk.data_received(b"\x8a\x84" + bytes(4) + b"none")
        assert signs.heard == 0
        talk.data_received(b"\x8a\x84" + bytes(4) + talk.pending_ping_payload)
        assert (signs.heard, signs.closed) == (4, False)
        talk.data_received(b"\x88\x80" + bytes(4))
        assert signs.closed
        talk.stop_keepalive()
        for task in talk.tasks:
            task.cancel()

    asyncio.run(play())
