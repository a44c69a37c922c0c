"""Battles by correspondence: what happened meanwhile, answers ahead, a webhook for each seat, and clocks."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from sandtable.errors import UserError
from sandtable.server import hall as halls
from sandtable.server import hooks
from sandtable.server.catalogue import Wish
from sandtable.server.clocks import Clocks
from sandtable.server.hall import Hall
from sandtable.server.hooks import Hooks
from sandtable.server.seats import Place
from server.live import Client, Server, until
from server.test_hall import Here, run, sit

TWO = {"system": "epica", "made_up": True, "seed": 3, "seats": ["mine", "mine"]}


class Heard(HTTPServer):
    """An address that a seat may name; keeps what it is told."""

    def __init__(self) -> None:
        self.told: list[bytes] = []
        super().__init__(("127.0.0.1", 0), _Hears)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/told?by=sandtable"


class _Hears(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        assert isinstance(self.server, Heard)
        self.server.told.append(self.rfile.read(int(self.headers["content-length"])))
        self.send_response(302)
        self.send_header("location", self.server.url)
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        """Nobody reads it."""


@pytest.fixture
def heard() -> Iterator[Heard]:
    with Heard() as listening:
        Thread(target=listening.serve_forever, daemon=True).start()
        yield listening
        listening.shutdown()


@pytest.fixture
def post_office(tmp_path: Path) -> Iterator[Server]:
    """A server that calls machines of its own network, too."""
    with Server(tmp_path, "", "--private-hooks") as running:
        yield running


def play_to(clients: list[Client], player: int, kind: str = "") -> dict[str, Any]:
    """Take usual answers until a player is asked (a kind of question)."""
    for _ in range(200):
        asked = {w["player"] for w in clients[0].now["waiting"]}
        for number, client in enumerate(clients):
            if number in asked:
                question = client.question()
                if number == player and (not kind or question["kind"] == kind):
                    return question
                client.go_on()
                for other in clients:
                    while other.now["next"] < client.now["next"]:
                        other.hear()
                break
    raise AssertionError("it was never asked")


def test_who_comes_back_hears_from_where_on_it_is_news_and_how_it_stood_then(server: Server) -> None:
    battle = server.begin(**TWO)
    with battle.sit(0) as one:
        two = battle.sit(1)
        assert one.welcome["seen"] == 0
        play_to([one, two], 0)
        two.leave()
        left, view = two.now["next"], battle.sit(1)
        assert view.welcome["seen"] == left
        then = view.welcome["view"]
        view.leave()
        for _ in range(6):
            if not one.open:
                break
            one.go_on()
        with battle.sit(1) as back:
            assert back.welcome["seen"] == left < back.welcome["next"]
            told = back.ask("recap", since=left)
            assert told["view"] == then
            assert back.ask("events", since=left)["first"] == left


def test_a_take_back_brings_what_was_seen_back_with_it(server: Server) -> None:
    battle = server.begin(**{**TWO, "takebacks": "free"})
    with battle.sit(0) as one, battle.sit(1) as two:
        asked = play_to([one, two], 0)
        two.leave()
        before = one.now["next"]
        one.answer(asked, one.idea(asked))
        one.hear_until(lambda told: told["say"] == "events")
        battle.sit(1).leave()
        one.ask("take_back")
        assert one.now["say"] == "rewound"
        with battle.sit(1) as back:
            assert back.welcome["seen"] == one.now["next"] <= before


def test_answers_ahead_are_given_in_their_turn_and_the_rest_comes_back_when_it_fits_no_more(server: Server) -> None:
    battle = server.begin(system="w40k10", made_up=True, seed=3, seats=["mine", "mine"])
    with battle.sit(0) as one, battle.sit(1) as two:
        clients = [one, two]
        asked = play_to(clients, 0)
        active = next(i for i, c in enumerate(clients) if c.open)
        me = clients[active]
        asked = play_to(clients, active, "move_with")
        first, second = (option["value"] for option in asked["options"][:2])
        stay = {"mode": "stationary", "paths": []}
        ahead = [
            {"kind": "move_with", "unit": -1, "answer": first},
            {"kind": "move", "unit": first, "answer": stay},
            {"kind": "move_with", "unit": -1, "answer": first},
            {"kind": "move", "unit": second, "answer": stay},
        ]
        assert me.ask("queue", answers=ahead)["left"] == 4
        given_up = me.hear_until(lambda told: told["say"] == "queue" and bool(told["text"]))
        assert [answer["unit"] for answer in given_up["back"]] == [-1, second]
        question = me.question()
        assert question["kind"] == "move_with"
        assert first not in [option["value"] for option in question["options"]]


@pytest.mark.parametrize(
    "url",
    [
        "ftp://example.org/x",
        "file:///etc/passwd",
        "//example.org/x",
        "http://",
        "http://user:secret@example.org/",
        "http://example.org:99999/",
        "http://example.org/a b",
        "http://example.org/\r\nX: y",
        "http://127.0.0.1/",
        "http://localhost:8000/api/battles",
        "http://[::1]/",
        "http://[::ffff:127.0.0.1]/",
        "http://10.0.0.1/",
        "http://169.254.169.254/latest/meta-data",
        "http://192.168.1.1/",
        "http://[fe80::1]/",
        "http://0.0.0.0/",
        "http://224.0.0.1/",
    ],
)
def test_a_hostile_address_is_refused_when_it_is_named(url: str) -> None:
    with pytest.raises(UserError):
        Hooks().check(url)


def test_a_name_that_leads_to_a_private_address_is_not_called(monkeypatch: pytest.MonkeyPatch, heard: Heard) -> None:
    port = heard.server_address[1]

    async def call() -> None:
        async def found(*_: Any, **__: Any) -> Any:
            return [(2, 1, 6, "", ("93.184.216.34", port)), (2, 1, 6, "", ("127.0.0.1", port))]

        monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", found)
        await hooks.call(f"http://harmless.example:{port}/", hooks.News("x", "b", 0, 1), hooks.is_open)

    # A browser that other tests use may have a loop of its own in this thread.
    with pytest.raises(UserError, match="public internet"), ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, call()).result()
    assert heard.told == []


def test_a_webhook_is_told_once_when_nobody_is_at_the_seat(post_office: Server, heard: Heard) -> None:
    battle = post_office.begin(**TWO)
    with battle.sit(0) as one:
        two = battle.sit(1)
        assert two.ask("hook", url="http://user:x@example.org/")["say"] == "refused"
        assert two.ask("hook", url=heard.url) == {"say": "hook", "to": 2, "url": heard.url}
        play_to([one, two], 0)
        two.leave()
        time.sleep(0.2)
        assert heard.told == []
        while one.now["waiting"][0]["player"] == 0:
            one.go_on()
        until(lambda: bool(heard.told))
    told = json.loads(heard.told[0])
    assert told["content"] == told["text"]
    assert told["allowed_mentions"] == {"parse": []}
    assert "your move" in told["text"]
    assert battle.tokens[1] not in heard.told[0].decode()
    time.sleep(0.5)
    assert len(heard.told) == 1


def test_an_army_gives_chats_no_commands(heard: Heard) -> None:
    text = "<!channel> <https://evil.example|your move> & [https://good.example](https://evil.example)"
    news = hooks.News(text, "b", 0, 1)
    asyncio.run(hooks.call(heard.url, news, lambda _: True))
    asyncio.run(hooks.call(heard.url + "#text", news, lambda _: True))
    until(lambda: len(heard.told) == 2)
    told = json.loads(heard.told[0])
    links = "‹https://evil.example|your move› & (https://good.example)(https://evil.example)"
    assert told["text"] == told["content"] == f"‹!channel› {links}"
    assert told["allowed_mentions"] == {"parse": []}
    assert heard.told[1].decode() == news.text


def test_a_server_calls_nobody_at_home_unless_it_is_told_to(server: Server, heard: Heard) -> None:
    battle = server.begin(**TWO)
    with battle.sit(0) as one:
        refused = one.ask("hook", url=heard.url)
        assert (refused["code"], "public internet" in refused["text"]) == ("not_possible", True)


def test_a_clock_runs_for_who_is_asked_and_when_the_flag_falls_the_usual_answers_decide(server: Server) -> None:
    battle = server.begin(**{**TWO, "seats": ["mine", "invited"]}, minutes=0.03, increment=1)
    with battle.sit(0) as one:
        # No clock runs before everybody is there.
        assert [(c["left"], c["running"]) for c in one.welcome["clocks"]] == [(1.8, False)] * 2
        assert server.post("/api/claim", {"invitation": battle.invitations[1]})[0] == 200
        begun = one.hear_until(lambda t: t["say"] == "clocks" and any(c["running"] for c in t["clocks"]))
        asked = one.now["waiting"][0]["player"]
        assert [c["player"] for c in begun["clocks"] if c["running"]] == [asked]
        fallen = one.hear_until(lambda t: t["say"] == "clocks" and any(c["fallen"] for c in t["clocks"]))
        assert [c["player"] for c in fallen["clocks"] if c["fallen"]] == [asked]
        one.hear_until(lambda told: told["say"] == "events")
        assert one.ask("pause")["say"] == "done"
        one.ask("concede")


def test_clocks_stop_when_all_agree_and_go_on_after_a_restart(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        battle = server.begin(**TWO, minutes=10)
        with battle.sit(0) as one, battle.sit(1) as two:
            one.ask("pause")
            request = two.hear_until(lambda told: told["say"] == "asking")
            two.ask("consent", request=request["request"], agree=True)
            stopped = one.hear_until(
                lambda told: told["say"] == "clocks" and not any(c["running"] for c in told["clocks"])
            )
            two.ask("pause")
            one.hear_until(lambda told: told["say"] == "clocks" and any(c["running"] for c in told["clocks"]))
            asked = one.now["waiting"][0]["player"]
            [one, two][asked].go_on()
        server.kill()
        server.start()
        with battle.sit(0) as again:
            for before, after in zip(stopped["clocks"], again.welcome["clocks"], strict=True):
                assert before["left"] - 60 < after["left"] <= before["left"]


def lefts(told: dict[str, Any]) -> list[tuple[float, bool]]:
    return [(clock["left"], clock["running"]) for clock in told["clocks"]]


def test_a_pause_outlives_a_server_that_is_killed_and_the_time_is_what_it_was(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        battle = server.begin(**TWO, minutes=10)
        with battle.sit(0) as one, battle.sit(1) as two:
            time.sleep(0.5)
            one.ask("pause")
            request = two.hear_until(lambda told: told["say"] == "asking")
            two.ask("consent", request=request["request"], agree=True)
            stopped = lefts(one.hear_until(lambda told: told["say"] == "clocks"))
        assert not any(running for _, running in stopped)
        assert min(left for left, _ in stopped) < 600
        server.kill()
        server.start()
        with battle.sit(0) as one:
            assert lefts(one.welcome) == stopped
            one.say("pause")
            assert any(running for _, running in lefts(one.hear_until(lambda told: told["say"] == "clocks")))
        server.kill()
        server.start()
        with battle.sit(0) as one:
            assert any(running for _, running in lefts(one.welcome))


def test_a_pause_stays_with_a_battle_that_leaves_memory(tmp_path: Path) -> None:
    async def play(hall: Hall, _: Here) -> None:
        begun = await hall.begin(Wish(made_up=True, seed=3, seats=("mine", "default"), minutes=5))
        token = begun.seats[0]["token"]
        sitting, ear = await sit(hall, token)
        while not ear.now["open"]:
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.2)
        assert await sitting.agreeing.pause(0) is None
        shown = sitting.clocks.shown()
        assert shown[0].left < 300
        sitting.leave(ear)
        while sitting.busy or hall.lanes.busy:
            await asyncio.sleep(0.01)
        sitting.touched -= 1000
        assert hall.evict() == 1
        again, _ = await sit(hall, token)
        assert again is not sitting
        assert again.clocks.shown() == shown

    run(tmp_path, play)


def test_what_a_player_thought_is_not_given_back_when_the_server_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(halls, "LOOK_AT_CLOCKS", 0.05)

    async def play(hall: Hall, _: Here) -> None:
        before = time.monotonic()
        begun = await hall.begin(Wish(made_up=True, seed=3, seats=("mine", "mine"), minutes=5))
        left = 300.0
        while left > 299.9:
            await asyncio.sleep(0.05)
            saved = await hall.lanes.disk(hall.lanes.store.load, begun.battle)
            assert saved is not None
            left = min(seat.place.left or 0.0 for seat in saved.seats)
        assert left >= 300 - (time.monotonic() - before)

    run(tmp_path, play)


def test_what_a_phase_adds_is_stored_with_the_answer_that_begins_it() -> None:
    clocks = Clocks({0: Place(left=10.0, increment=5.0), 1: Place(left=0.0, increment=5.0)}, paused=True)
    assert clocks.readings() == ((0, 10.0), (1, 0.0))
    assert (clocks.readings(0), clocks.readings(1)) == (((0, 15.0), (1, 0.0)), ((0, 10.0), (1, 0.0)))
    before = clocks.readings(0)
    clocks.add(0)
    assert clocks.readings() == before
