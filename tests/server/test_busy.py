"""A database that somebody else holds: everybody is told so, nothing is lost, and lists wait for nobody."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, cast

import pytest
from fastapi import Request, Response, WebSocket

from sandtable.server import gate
from sandtable.server.catalogue import Wish
from sandtable.server.hall import Hall
from sandtable.server.limits import Bucket
from sandtable.server.sockets import Connection
from sandtable.server.store import opening
from sandtable.server.store.opening import BUSY, Busy
from sandtable.server.store.records import Addition, Status
from server.test_hall import MINE, Here, run, sit


@pytest.fixture
def holder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[sqlite3.Connection]:
    """Somebody who may hold the database, which nobody waits for long."""
    monkeypatch.setattr(opening, "LONGEST_WAIT", 10)
    held = sqlite3.connect(tmp_path / "battles.db", isolation_level=None, check_same_thread=False)
    yield held
    held.close()


def test_what_cannot_be_stored_now_is_told_so_and_works_later(tmp_path: Path, holder: sqlite3.Connection) -> None:
    async def play(hall: Hall, _: Here) -> None:
        begun = await hall.begin(Wish(made_up=True, seed=3, seats=("mine", "invited")))
        sitting, ear = await sit(hall, begun.seats[0]["token"])
        while hall.lanes.busy:
            await asyncio.sleep(0.01)
        invitation = str(begun.seats[1]["invitation"])
        holder.execute("begin immediate")
        with pytest.raises(Busy):
            await hall.claim(invitation)
        with pytest.raises(Busy):
            await sitting.calling.set_hook(ear.player, "https://example.org/told")
        with pytest.raises(Busy):
            await hall.begin(MINE)
        assert [found.plays for found in await hall.held_by([str(begun.seats[0]["token"])])]
        holder.execute("rollback")
        assert (await hall.claim(invitation))[0] == begun.battle
        assert await sitting.calling.set_hook(ear.player, "https://example.org/told")

    run(tmp_path, play)


def test_who_asks_by_http_or_by_a_socket_hears_that_the_database_is_busy() -> None:
    async def fail(*_: Any) -> Response:
        raise Busy

    async def ask() -> Response:
        return await gate.guard(Request({"type": "http", "path": "/api/claim", "headers": []}), fail, True)

    replied = asyncio.run(ask())
    assert (replied.status_code, BUSY.encode() in replied.body) == (503, True)

    async def say() -> Connection:
        connection = Connection(cast("WebSocket", None), Bucket(1, 1))
        await connection._reply(fail(), 7)
        return connection

    (told,) = asyncio.run(say())._unsent
    assert BUSY in str(told) and '"failed"' in str(told) and '"to":7' in str(told)


def test_lists_of_battles_do_not_wait_for_who_writes(tmp_path: Path) -> None:
    async def play(hall: Hall, _: Here) -> None:
        begun, written = await hall.begin(MINE), threading.Event()
        writing = asyncio.ensure_future(hall.lanes.disk(written.wait))
        try:
            (held,) = await hall.held_by([str(begun.seats[0]["token"])])
            assert held.id == begun.battle
            assert await hall.listed() is not None
            assert not writing.done()
        finally:
            written.set()
        await writing

    run(tmp_path, play)


def test_answers_that_wait_together_for_a_database_that_is_busy_wait_once(tmp_path: Path) -> None:
    async def play(hall: Hall, _: Here) -> None:
        sizes: list[int] = []

        def add(gained: Sequence[Addition]) -> None:
            sizes.append(len(gained))
            raise Busy

        hall.lanes.store.add = add  # type: ignore[method-assign]
        unstored = [Addition(f"battle {n}", 0, None, Status(1, (), None)) for n in range(3)]
        found = await asyncio.gather(*(hall.lanes.keep(one) for one in unstored), return_exceptions=True)
        assert [type(one) for one in found] == [Busy, Busy, Busy]
        assert sizes == [3]

    run(tmp_path, play)
