"""Battles that a newer version of Sandtable no longer plays: they are watched by what was told of them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from sandtable.server.store.store import Store
from sandtable.server.store.tables import battles, leaves, told
from server.live import Battle, Client, Server
from server.test_playing import asked, catch_up

SPOILT = b'[{"type": "s", "digest": "0123456789abcdef"}]'
"""A step that no version of Sandtable enters."""


def play(red: Client, blue: Client, answers: int) -> None:
    for _ in range(answers):
        (red if 0 in asked(red) else blue).go_on()
        catch_up(red, blue)


def story(page: bytes) -> dict[str, Any]:
    """What a replay shows."""
    found = re.search(rb'<script type="application/json" id="story">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    shown: dict[str, Any] = json.loads(found[1])
    return shown


def spoil(server: Server, *tables: Any) -> None:
    """What a version does that plays battles otherwise; without tables of what was told."""
    store = Store(server.database)
    with store.engine.begin() as db:
        db.execute(leaves.update().values(entries=SPOILT))
        for table in tables:
            db.execute(table.delete())
    store.close()


def replayed(server: Server, battle: Battle, **headers: str) -> tuple[int, bytes]:
    status, _, page = server.get(f"/battles/{battle.id}/replay", **headers)
    return status, page


@pytest.mark.parametrize("system", ["epica", "w40k10"])
def test_a_battle_that_cannot_be_played_on_is_watched_as_it_was(tmp_path: Path, system: str) -> None:
    with Server(tmp_path) as server:
        battle = server.begin(system=system, made_up=True, seed=3, seats=["mine", "mine"], takebacks="free")
        with battle.sit(0) as red, battle.sit(1) as blue:
            play(red, blue, 8)
            red.say("take_back")
            for client in (red, blue):
                client.hear_until(lambda heard: heard["say"] == "rewound")
            play(red, blue, 4)
        status, before = replayed(server, battle)
        assert status == 200
        server.kill()
        spoil(server)
        server.start()
        with battle.sit(0) as late:
            assert late.welcome["say"] == "farewell"
            assert f"It can be watched all the same, at /battles/{battle.id}/replay." in late.welcome["text"]
        status, after = replayed(server, battle)
        assert status == 200
        status, _, said = server.get(f"/battles/{battle.id}/moment?at=0")
        assert (status, b"Nobody can play on here" in said) == (400, True)
    assert (story(before)["again"], story(after)["again"]) == (True, False)
    assert moves(story(after)) == moves(story(before))
    assert told_in(story(after)) == told_in(story(before))
    assert told_in(story(after))


def moves(shown: dict[str, Any]) -> list[Any]:
    return [frame["m"] for frame in shown["frames"] if frame.get("m")]


def told_in(shown: dict[str, Any]) -> list[str]:
    """What happened and what was rolled, without what was asked and answered."""
    return [line[2] for frame in shown["frames"] for line in frame.get("l", ()) if line[0] != 0]


def test_where_nothing_was_kept_it_says_so_plainly(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        battle = server.begin(made_up=True, seed=3, seats=["mine", "mine"])
        server.kill()
        spoil(server, told)
        server.start()
        with battle.sit(0) as late:
            assert late.welcome["text"].endswith("Nobody can play on here.")
        status, page = replayed(server, battle)
        assert status == 400
        assert "was never kept" in json.loads(page)["error"]


def test_only_who_may_watch_a_battle_watches_what_was_told_of_it(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        battle = server.begin(system="epica", made_up=True, seed=3, seats=["mine", "mine"], listed=False)
        server.kill()
        spoil(server)
        server.start()
        assert replayed(server, battle)[0] == 404
        assert replayed(server, battle, authorization="Bearer made-up")[0] == 404
        assert replayed(server, battle, authorization=f"Bearer {battle.watch}")[0] == 200


def test_a_battle_from_before_what_is_told_was_kept_keeps_all_of_it_when_it_goes_on(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        battle = server.begin(system="epica", made_up=True, seed=3, seats=["mine", "mine"])
        with battle.sit(0) as red, battle.sit(1) as blue:
            play(red, blue, 3)
        server.kill()
        store = Store(server.database)
        with store.engine.begin() as db:
            db.execute(told.delete())
        server.start()
        with battle.sit(0) as red, battle.sit(1) as blue:
            play(red, blue, 1)
        with store.engine.connect() as db:
            assert db.execute(select(told.c.first).where(told.c.battle == battle.id)).scalars().all() == [0]
            assert db.execute(select(battles.c.id)).scalars().all() == [battle.id]
        store.close()
