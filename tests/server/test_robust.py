"""Bad input and bad people: a clear refusal to that client alone, while all others play on."""

from __future__ import annotations

import json
import socket
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from sandtable.server import limits
from server.live import PATIENCE, Battle, Client, Server, until
from server.test_playing import asked, catch_up

NONSENSE = [
    "",
    "hello",
    "{",
    "[]",
    "[" * 50_000,
    '{"say": 1}',
    '{"say": "dance"}',
    '{"say": "answer"}',
    '{"say": "answer", "decision": "one", "answer": 1, "nonce": "a"}',
    '{"say": "answer", "decision": 1, "answer": 1, "nonce": ""}',
    '{"say": "answer", "decision": 1, "answer": 1, "nonce": "a", "player": 1}',
    '{"say": "answer", "decision": 1e400, "answer": 1, "nonce": "a"}',
    '{"say": "check", "decision": 1, "answer": ' + "[" * 5_000 + "]" * 5_000 + "}",
    '{"say": "ideas", "decision": 1, "most": 1000}',
    '{"say": "advise", "decision": 1, "aim": "glory"}',
    '{"say": "towards", "decision": 1, "x": 1, "y": 1, "shape": "spiral"}',
    '{"say": "towards", "decision": 1, "x": 1073741824, "y": 1}',
    '{"say": "hello", "token": "\ud83d"}',
]


def two(server: Server) -> Battle:
    return server.begin(made_up=True, seed=3, seats=["mine", "mine"])


@pytest.mark.parametrize("text", NONSENSE)
def test_nonsense_is_refused_and_the_connection_lives_on(server: Server, text: str) -> None:
    with shared(server).sit(0) as red:
        red.socket.send(text.encode("utf-8", "surrogatepass").decode("utf-8", "replace"))
        told = red.hear()
        assert (told["say"], told["code"]) == ("refused", "malformed")
        assert red.ask("events", since=0)["say"] == "events"


_made: dict[str, Battle] = {}


def shared(server: Server) -> Battle:
    """One battle for all tests that leave it as it is."""
    if server.address not in _made:
        _made[server.address] = two(server)
    return _made[server.address]


def test_what_is_no_message_is_refused_with_the_number_that_it_has(server: Server) -> None:
    with shared(server).sit(0) as red:
        assert red.ask("give_orders", text="x" * 21_000)["code"] == "malformed"
        assert red.ask("give_orders", text="x" * 300_000)["code"] == "too_large"
        assert red.ask("dance")["code"] == "malformed"


def test_bytes_instead_of_text_are_refused(server: Server) -> None:
    with shared(server).sit(0) as red:
        red.socket.send(b'{"say": "concede"}')
        assert red.hear()["code"] == "malformed"


@pytest.mark.parametrize(
    "answer",
    [None, True, -1, 10**30, 1.5, "Boyz", [], {}, [[]], {"mode": "normal"}, "x" * 100_000, {"paths": [None] * 5000}],
)
def test_any_answer_is_judged_and_none_breaks_anything(server: Server, answer: Any) -> None:
    battle = shared(server)
    with battle.sit(0) as red, battle.sit(1) as blue:
        mover = red if red.open else blue
        told = mover.ask("check", decision=mover.open[0]["id"], answer=answer)
        assert told["say"] in ("judged", "refused")


def test_a_message_that_is_too_large_is_refused_and_a_huge_one_ends_the_connection(server: Server) -> None:
    battle = shared(server)
    with battle.sit(0) as red, battle.sit(1) as blue:
        red.socket.send(json.dumps({"say": "concede", "ask": 1, "x": "x" * limits.MAX_MESSAGE}))
        assert red.hear()["code"] == "too_large"
        assert red.ask("events", since=0)["say"] == "events"
        with pytest.raises(ConnectionClosed) as closed:
            red.socket.send("x" * (limits.MAX_FRAME + 1))
            red.hear()
        assert closed.value.rcvd is None or closed.value.rcvd.code == 1009
        assert blue.ask("events", since=0)["say"] == "events"


def test_a_message_is_nested_as_deeply_as_is_said_and_no_deeper(server: Server) -> None:
    with shared(server).sit(0) as red:
        # Message and answer are two brackets more, and brackets in a text are none.
        for inner, code in ((limits.MAX_NESTING - 2, "not_open"), (limits.MAX_NESTING - 1, "malformed")):
            answer = f'["{"[" * 99}", {"[" * inner}{"]" * inner}]'
            red.socket.send(f'{{"say": "answer", "ask": 1, "nonce": "n", "decision": 999999, "answer": {answer}}}')
            assert red.hear()["code"] == code


def test_who_asks_too_often_is_told_to_wait_and_who_does_not_is_sent_away(server: Server) -> None:
    battle = shared(server)
    with battle.sit(0) as red, battle.sit(1) as blue:
        many = int(limits.MESSAGES_AT_ONCE) + limits.PATIENCE + 200
        # On a slow machine the allowance grows while they are sent: then it takes more of them.
        with suppress(ConnectionClosed):
            for number in range(10 * many):
                red.say("events", since=10**9, ask=number + 1)
        with pytest.raises(ConnectionClosed):
            while True:
                red.hear()
        assert "too_frequent" in [told.get("code") for told in red.heard]
        assert red.heard[-1]["say"] == "farewell"
        assert red.heard[-1]["code"] == 4429
        assert blue.ask("events", since=0)["say"] == "events"


def test_nobody_answers_for_another_seat(server: Server) -> None:
    battle = two(server)
    with battle.sit(0) as red, battle.sit(1) as blue:
        mover, other = (red, blue) if red.open else (blue, red)
        asked_now = mover.open[0]
        answer = mover.idea(asked_now)
        assert other.answer(asked_now, answer)["code"] == "not_yours"
        for question in ("ideas", "default", "check", "chance"):
            fields = {"answer": answer} if question in ("check", "chance") else {}
            assert other.ask(question, decision=asked_now["id"], **fields)["code"] == "not_yours"
        assert mover.answer(asked_now, answer)["say"] == "accepted"


def test_a_spectator_decides_nothing(server: Server) -> None:
    battle = two(server)
    with battle.sit(0) as red, battle.sit(1) as blue, server.watch(battle=battle.id) as watcher:
        mover = red if red.open else blue
        number = mover.open[0]["id"]
        answer = mover.idea(mover.open[0])
        assert watcher.answer({"id": number}, answer)["code"] == "not_yours"
        for said, fields in {
            "check": {"decision": number, "answer": answer},
            "ideas": {"decision": number},
            "take_back": {},
            "concede": {},
            "give_orders": {"text": "default"},
            "consent": {"request": 1, "agree": True},
            "correct": {"correction": {"type": "set_wounds", "model": 0, "wounds": 1}},
        }.items():
            assert watcher.ask(said, **fields)["code"] == "not_yours"
        assert mover.answer(mover.open[0], answer)["say"] == "accepted"


def test_a_question_that_is_answered_is_not_open(server: Server) -> None:
    battle = two(server)
    with battle.sit(0) as red, battle.sit(1) as blue:
        mover = red if red.open else blue
        first = mover.open[0]
        mover.go_on()
        assert mover.answer(first, None, "late")["code"] == "not_open"


def test_an_answer_that_is_sent_again_is_still_one_answer(server: Server) -> None:
    battle = two(server)
    with battle.sit(0) as red, battle.sit(1) as blue:
        seat = 0 if red.open else 1
        mover = red if red.open else blue
        first = mover.open[0]
        answer = mover.idea(first)
        assert not mover.answer(first, answer, "once")["again"]
        with battle.sit(seat) as reconnected:
            assert reconnected.answer(first, answer, "once")["again"]
        other = mover.ask("answer", decision=first["id"] + 1, answer=answer, nonce="once")
        assert other["code"] == "malformed"


def test_two_tabs_on_one_seat_see_the_same_and_only_one_answer_counts(server: Server) -> None:
    battle = two(server)
    with battle.sit(0) as red, battle.sit(1) as blue:
        seat = 0 if red.open else 1
        with battle.sit(seat) as one, battle.sit(seat) as two_:
            first = one.open[0]
            assert first == two_.open[0]
            answer = one.idea(first)
            one.say("answer", decision=first["id"], answer=answer, nonce="one", ask=77)
            two_.say("answer", decision=first["id"], answer=answer, nonce="two", ask=78)
            replies = [
                tab.hear_until(lambda told: told.get("to") in (77, 78) and told["say"] != "events")
                for tab in (one, two_)
            ]
            assert sorted(reply["say"] for reply in replies) == ["accepted", "refused"]
            catch_up(red, blue, one, two_)
            assert one.now["next"] == two_.now["next"]


def test_a_seat_has_a_bounded_number_of_tabs(server: Server) -> None:
    battle = two(server)
    tabs = [battle.sit(0) for _ in range(9)]
    assert [tab.welcome["say"] for tab in tabs] == ["welcome"] * 8 + ["farewell"]
    for tab in tabs:
        tab.leave()


def test_a_client_that_leaves_in_the_middle_of_a_decision_loses_nothing(server: Server) -> None:
    battle = two(server)
    with battle.sit(0) as red, battle.sit(1) as blue:
        mover, seat = (red, 0) if red.open else (blue, 1)
        first = mover.open[0]
        answer = mover.idea(first)
        mover.say("answer", decision=first["id"], answer=answer, nonce="gone")
        mover.socket.close_socket()
    with battle.sit(seat) as back:
        told = back.ask("answer", decision=first["id"], answer=answer, nonce="gone")
        assert (told["say"], told["again"]) == ("accepted", True)


def test_a_client_that_stops_reading_is_cut_off_and_nobody_waits_for_it(server: Server) -> None:
    battle = server.begin(made_up=True, seed=3, seats=["default", "default"])
    with server.watch(battle=battle.id) as watcher:
        watcher.hear_until(lambda told: told.get("next", 0) > 1000 or told.get("result") is not None)
    host, port = server.address.removeprefix("http://").split(":")
    with socket.socket() as deaf, server.watch(battle=battle.id) as watcher:
        # A small window, so that the server notices soon.
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        deaf.connect((host, int(port)))
        deaf.sendall(
            b"GET /socket HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        )
        assert deaf.recv(1000).startswith(b"HTTP/1.1 101")
        deaf.sendall(frame({"say": "hello", "battle": battle.id}))
        deaf.sendall(frame({"say": "events", "since": 0}) * 100)
        until(lambda: f"{battle.id} reads too slowly" in server.log.read_text())
        assert watcher.ask("events", since=0)["say"] == "events"
        deaf.settimeout(PATIENCE)
        # What waited for it is thrown away with the connection.
        got = 0
        with suppress(ConnectionResetError):
            while chunk := deaf.recv(1 << 20):
                got += len(chunk)
        assert len(watcher.raw[-1]) * 100 > limits.MAX_UNREAD > got


def frame(message: dict[str, Any]) -> bytes:
    """A masked text frame, as clients send it."""
    data = json.dumps(message).encode()
    head = (
        bytes([0x81, 0x80 | len(data)]) if len(data) < 126 else b"\x81" + bytes([0x80 | 126, *divmod(len(data), 256)])
    )
    return head + b"\0\0\0\0" + data


def test_a_page_of_another_site_gets_no_socket_and_no_reply(server: Server) -> None:
    address = server.address.replace("http", "ws", 1) + "/socket"
    with pytest.raises(InvalidStatus) as refused, connect(address, origin="http://elsewhere.example"):
        pass
    assert refused.value.response.status_code == 403
    status, told = server.post("/api/battles", {"made_up": True}, origin="http://elsewhere.example")
    assert (status, "error" in told) == (403, True)


def test_who_says_nothing_sensible_first_is_sent_away(server: Server) -> None:
    with Client(server, token="made up") as guesser:
        assert guesser.welcome["say"] == "farewell"
        assert guesser.welcome["code"] == 4403
    with Client(server) as nobody:
        assert nobody.welcome["code"] == 4403
    with connect(server.address.replace("http", "ws", 1) + "/socket") as rude:
        rude.send('{"say": "concede"}')
        assert json.loads(rude.recv(10))["code"] == 4400


@pytest.mark.parametrize(
    "wish",
    [
        {"system": "chess"},
        {"system": "../w40k10"},
        {"armies": ["/etc/passwd", "/etc/passwd"]},
        {"armies": ["orks-1000-horde"]},
        {"armies": ["name: x\nsystem: w40k10\n", "orks-1000-horde"]},
        {"armies": ["a: &a [*a]\n- b\n", "orks-1000-horde"]},
        {"mission": "../../x"},
        {"layout": "/etc/passwd"},
        {"seats": ["mine"]},
        {"seats": ["mine", "root"]},
        {"seed": -1},
        {"seed": 1 << 80},
        {"options": {"windows": "sometimes"}},
        {"options": {"x" * 5000: "y"}},
        {"takebacks": "always"},
        {"colour": "red"},
    ],
)
def test_wishes_that_cannot_be_granted_are_refused_in_a_sentence(server: Server, wish: dict[str, Any]) -> None:
    status, told = server.post("/api/battles", {"made_up": "armies" not in wish} | wish)
    assert status == 400, told
    assert told["error"].endswith((".", "?"))
    assert "sandtable-lists-" not in told["error"]
    assert "root:" not in told["error"]


def test_bodies_are_bounded_and_must_be_json(server: Server) -> None:
    assert server.post("/api/battles", b"x" * (limits.MAX_BODY + 1))[0] == 413
    assert server.post("/api/battles", b"{")[0] == 400
    assert server.post("/api/battles", b"[" * 100_000)[0] == 400
    status, told = server.post("/api/battles", b"{}", **{"content-type": "text/plain"})
    assert (status, "application/json" in told["error"]) == (400, True)


def test_who_sends_far_too_much_is_told_so_and_not_just_cut_off(server: Server) -> None:
    # A connection that ends while somebody still sends is reset, and what was told is lost with it.
    status, told = server.post("/api/battles", b"x" * (limits.MAX_BODY + limits.MAX_LOST))
    assert (status, told["error"]) == (413, "That is larger than anything that is read here.")


def test_who_never_ends_is_cut_off(server: Server) -> None:
    with socket.create_connection((urlsplit(server.address).hostname, urlsplit(server.address).port)) as line:
        line.settimeout(PATIENCE)
        line.sendall(b"POST /api/battles HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n")
        line.sendall(b"content-length: 1000000000\r\n\r\n")
        with pytest.raises(OSError, match=r"reset|pipe"):
            for _ in range(1000):
                line.sendall(b"x" * 1_000_000)


@pytest.mark.parametrize("data", [b"", b"{}", b"\xff" * 1000, b"[" * 100_000, b'{"format": "sandtable-battle/1"}'])
def test_uploads_that_are_no_battles_are_refused(server: Server, data: bytes) -> None:
    status, told = server.post("/api/replay", data)
    assert status in (400, 429), told
    assert told["error"]


@pytest.mark.parametrize(
    "path", ["/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/static/../app.py", "/app.py", "/docs"]
)
def test_no_file_but_those_of_the_page_is_served(server: Server, path: str) -> None:
    assert server.get(path)[0] == 404


def test_rules_of_chance_and_time_do_not_depend_on_who_watches(server: Server) -> None:
    """The same seed and answers give the same events, with and without an audience."""
    told = []
    for audience in (0, 3):
        battle = server.begin(made_up=True, seed=41, seats=["mine", "mine"])
        watchers = [server.watch(battle=battle.id) for _ in range(audience)]
        with battle.sit(0) as red, battle.sit(1) as blue:
            for _ in range(4):
                (red if 0 in asked(red) else blue).go_on()
                catch_up(red, blue)
            told.append(red.ask("events", since=0)["events"])
        for watcher in watchers:
            watcher.leave()
    assert told[0] == told[1]
