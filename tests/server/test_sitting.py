"""Around one table: who comes and goes at the same time, what is thought meanwhile, and time that nobody gets twice."""

from __future__ import annotations

import asyncio
import json
import ssl
import threading
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest
from websockets.asyncio.client import connect

from sandtable.server import hooks, protocol
from sandtable.server import sitting as sittings
from sandtable.server.catalogue import Wish
from sandtable.server.hall import Hall
from sandtable.server.hooks import News
from sandtable.server.protocol import Answer, Hello, Queued
from sandtable.server.queues import Queue
from sandtable.server.sitting import MOST_AT_SEAT, Sitting, Spoilt
from server.test_hall import MINE, Ear, Here, answer, full, mover, run, sit
from server.test_hostile import serve

FREE = Wish(made_up=True, seed=3, seats=("mine", "mine"), takebacks="free")
ASK = 'orders: [{for: "*", do: ask}]'
USUAL = 'orders: [{for: "*", do: default}]'


@pytest.mark.parametrize("watching", [False, True])
def test_who_come_at_the_same_time_get_no_more_places_than_there_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, watching: bool
) -> None:
    monkeypatch.setattr(sittings, "MOST_CLIENTS", MOST_AT_SEAT)

    async def play(hall: Hall, _: Here) -> None:
        begun = await hall.begin(MINE)
        sitting, player = await hall.seat(
            Hello(battle=begun.battle) if watching else Hello(token=str(begun.seats[0]["token"]))
        )
        found = await asyncio.gather(*[sitting.join(Ear(player), Hello()) for _ in range(20)])
        assert sum(refused is None for refused in found) == MOST_AT_SEAT == len(sitting.clients)

    run(tmp_path, play)


# ------------------------------------------------------------------------------------------ taking back


async def leave_all(hall: Hall, sitting: Sitting) -> None:
    for client in tuple(sitting.clients):
        sitting.leave(client)
    while hall.lanes.busy:
        await asyncio.sleep(0.01)


def ahead(asked: dict[str, Any]) -> tuple[Queued, ...]:
    """An answer to a question that comes much later, if ever."""
    return (Queued(kind="never", unit=int(asked["unit"]), answer=None),)


def test_a_take_back_is_stored_and_told_or_neither(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def play(hall: Hall, _: Here) -> None:
        begun = await hall.begin(FREE)
        sitting, ear = await mover(hall, begun)
        await answer(sitting, ear)
        await sitting.attending.queue(ear.player, ahead(ear.heard[0]["open"][0]))
        with monkeypatch.context() as broken:
            broken.setattr(hall.lanes.store, "add", full)
            with pytest.raises(Spoilt):
                await sitting.agreeing.take_back(ear.player)
        assert "rewound" not in [told["say"] for told in ear.heard]
        again = await hall.sitting(begun.battle)
        assert again is not sitting
        assert again.playing.line == 0
        assert again.attending.queued(ear.player) == 1

    run(tmp_path, play)


def test_a_plan_goes_with_the_take_back_and_comes_back_after_it_is_told(tmp_path: Path) -> None:
    async def play(hall: Hall, _: Here) -> None:
        begun = await hall.begin(FREE)
        sitting, ear = await mover(hall, begun)
        await answer(sitting, ear)
        planned = ahead(ear.heard[0]["open"][0])
        await sitting.attending.queue(ear.player, planned)
        before = len(ear.heard)
        assert await sitting.agreeing.take_back(ear.player) is None
        saved = hall.lanes.store.load(begun.battle)
        assert saved is not None
        assert [seat.place.queue for seat in saved.seats] == [b"", b""]
        assert [told["say"] for told in ear.heard[before:]] == ["rewound", "queue"]
        assert ear.heard[-1]["back"] == msgspec.to_builtins(list(planned))

    run(tmp_path, play)


def test_what_another_player_withdraws_unseen_leaves_a_plan_alone(tmp_path: Path) -> None:
    async def play(hall: Hall, _: Here) -> None:
        begun = await hall.begin(FREE)
        sitting, ear = await mover(hall, begun)
        other = 1 - ear.player
        await sitting.attending.queue(other, ahead(ear.heard[0]["open"][0]))
        await answer(sitting, ear)
        assert await sitting.agreeing.take_back(ear.player) is None
        assert sitting.attending.queued(other) == 1
        saved = hall.lanes.store.load(begun.battle)
        assert saved is not None
        assert len(Queue.read(saved.seats[other].place.queue).answers) == 1

    run(tmp_path, play)


@pytest.mark.parametrize("resumes", [False, True])
def test_who_was_away_when_a_plan_was_given_up_hears_of_it_once_on_coming_back(tmp_path: Path, resumes: bool) -> None:
    async def play(hall: Hall, _: Here) -> None:
        begun = await hall.begin(FREE)
        sitting, ear = await mover(hall, begun)
        planned = ahead(ear.heard[0]["open"][0])
        await sitting.attending.queue(ear.player, planned)
        await leave_all(hall, sitting)
        async with sitting.lock:
            await sitting.attending.give_up(ear.player, "it fits no more")
        if not resumes:
            sitting.touched -= 1000
            assert hall.evict() == 1
        hello = Hello(token=str(begun.seats[ear.player]["token"]), line=0 if resumes else -1, since=ear.now["next"])
        for told in (["it fits no more"], []):
            sitting, _ = await hall.seat(hello)
            back = Ear(ear.player)
            assert await sitting.join(back, hello) is None
            assert back.heard[0]["say"] == ("resumed" if resumes else "welcome")
            queues = [heard for heard in back.heard if heard["say"] == "queue" and heard["text"]]
            assert [why in heard["text"] for heard, why in zip(queues, told, strict=True)] == [True] * len(told)
            assert [heard["back"] for heard in queues] == [msgspec.to_builtins(list(planned))] * len(told)
            await leave_all(hall, sitting)
        saved = hall.lanes.store.load(begun.battle)
        assert saved is not None
        assert [seat.notice for seat in saved.seats] == [b"", b""]

    run(tmp_path, play)


def test_who_resumes_hears_what_changed_without_an_event(tmp_path: Path) -> None:
    async def play(hall: Hall, _: Here) -> None:
        begun = await hall.begin(msgspec.structs.replace(FREE, minutes=5))
        tokens = [str(seat["token"]) for seat in begun.seats]
        ears = [(await sit(hall, token))[1] for token in tokens]
        sitting = await hall.sitting(begun.battle)
        first = next(ear for ear in ears if ear.now["open"])
        other = ears[1 - first.player]
        assert await sitting.agreeing.pause(first.player) is None
        request = first.heard[-1]["request"]
        hello = Hello(token=tokens[first.player], line=0, since=first.now["next"])

        async def resume() -> list[dict[str, Any]]:
            again = Ear(first.player)
            assert await sitting.join(again, hello) is None
            sitting.leave(again)
            return again.heard

        # Who asked hears that it is asked still, and when it is settled that it is.
        assert [(told["say"], told["request"]) for told in (await resume())[-1:]] == [("asking", request)]
        said = protocol.Consent(request=request, agree=False)
        assert await sitting.agreeing.consent(other.player, said) is None
        await sitting.attending.give_orders(first.player, ASK)
        heard = await resume()
        assert heard[0]["say"] == "resumed"
        told = {one["say"]: one for one in heard[1:]}
        assert list(told) == ["seats", "clocks", "ordered", "falls", "hook", "settled"]
        assert told["ordered"]["text"] == ASK
        assert [clock["running"] for clock in told["clocks"]["clocks"]].count(True) == 1
        assert (told["settled"]["request"], told["settled"]["agreed"], told["settled"]["text"]) == (request, False, "")

    run(tmp_path, play)


def test_all_connections_of_a_seat_hear_of_orders_plans_and_webhooks(tmp_path: Path) -> None:
    async def play(hall: Hall, _: Here) -> None:
        begun = await hall.begin(FREE)
        sitting, ear = await mover(hall, begun)
        _, beside = await sit(hall, begun.seats[ear.player]["token"])
        _, against = await sit(hall, begun.seats[1 - ear.player]["token"])
        before = [len(one.heard) for one in (ear, beside, against)]
        await sitting.attending.give_orders(ear.player, ASK, ear)
        await sitting.attending.queue(ear.player, ahead(ear.heard[0]["open"][0]), ear)
        await sitting.calling.set_hook(ear.player, "https://example.org/told", ear)
        heard = [
            [told["say"] for told in one.heard[since:] if told["say"] in ("ordered", "queue", "hook")]
            for one, since in zip((ear, beside, against), before, strict=True)
        ]
        # Who did it has it as the reply.
        assert heard == [[], ["ordered", "queue", "hook"], []]

    run(tmp_path, play)


async def usual(sitting: Sitting, ears: list[Ear], nonce: str) -> Ear:
    """Give the usual answer to what is asked; gives whose it was."""
    ear = next(ear for ear in ears if ear.now["open"])
    asked = ear.now["open"][0]
    found = (await sitting.think("default", ear.player, asked["id"]))[0].answer
    said = Answer(decision=asked["id"], answer=msgspec.to_builtins(found), nonce=nonce)
    assert await sitting.answer(ear, said) is None
    return ear


def test_a_phase_adds_to_a_clock_once_however_often_it_is_taken_back(tmp_path: Path) -> None:
    async def play(hall: Hall, _: Here) -> None:
        begun = await hall.begin(msgspec.structs.replace(FREE, minutes=5, increment=7))
        ears = []
        for seat in begun.seats:
            sitting, ear = await sit(hall, seat["token"])
            ears.append(ear)
        await sitting.pause(True)  # nobody's time runs meanwhile
        before = after = sitting.clocks.readings()
        number = 0
        while after == before:
            last = await usual(sitting, ears, str(number := number + 1))
            after = sitting.clocks.readings()
        assert sum(left for _, left in after) == sum(left for _, left in before) + 7
        for _ in range(2):
            assert await sitting.agreeing.take_back(last.player) is None
            await usual(sitting, ears, str(number := number + 1))
        assert sitting.clocks.readings() == after
        # Also when the server is another one since.
        assert await sitting.agreeing.take_back(last.player) is None
        await leave_all(hall, sitting)
        sitting.touched -= 1000
        assert hall.evict() == 1
        ears = []
        for seat in begun.seats:
            again, ear = await sit(hall, seat["token"])
            ears.append(ear)
        await usual(again, ears, "again")
        assert again.clocks.readings() == after

    run(tmp_path, play)


# ------------------------------------------------------------------------------------------ thinking meanwhile


class Ponders(Here):
    """Thinks about an answer until it is told to come to an end."""

    def __init__(self) -> None:
        super().__init__()
        self.began, self.go = asyncio.Event(), asyncio.Event()

    async def run(self, job: str, *arguments: Any, urgent: bool = False, asker: str | None = None) -> Any:
        found = await super().run(job, *arguments, urgent=urgent, asker=asker)
        if job == "choose":
            self.began.set()
            await self.go.wait()
        return found


async def ponder(hall: Hall) -> tuple[Sitting, Ear, Ponders]:
    """A battle in which the orders of a seat are about to leave a question to its player."""
    hall.thinking = thinking = Ponders()
    sitting, ear = await mover(hall, await hall.begin(MINE))
    await sitting.attending.give_orders(ear.player, ASK)
    await thinking.began.wait()
    return sitting, ear, thinking


async def next_answer(ear: Ear) -> dict[str, Any]:
    async with asyncio.timeout(20):
        while not (given := [e for told in ear.heard for e in told.get("events", ()) if e["event"] == "answered"]):
            await asyncio.sleep(0.01)
    return dict(given[0])


def test_orders_that_come_while_the_old_ones_are_thought_about_answer_the_open_question(tmp_path: Path) -> None:
    async def play(hall: Hall, _: Here) -> None:
        sitting, ear, thinking = await ponder(hall)
        asked = ear.now["open"][0]["id"]
        await sitting.attending.give_orders(ear.player, USUAL)
        thinking.go.set()
        assert (await next_answer(ear))["decision"] == asked
        assert "left" not in [told["say"] for told in ear.heard]

    run(tmp_path, play)


def test_a_plan_that_comes_while_orders_are_thought_about_answers_the_open_question(tmp_path: Path) -> None:
    async def play(hall: Hall, _: Here) -> None:
        sitting, ear, thinking = await ponder(hall)
        asked = ear.now["open"][0]
        wanted = asked["options"][-1]["value"]
        await sitting.attending.queue(ear.player, (Queued(kind=asked["kind"], unit=asked["unit"], answer=wanted),))
        thinking.go.set()
        given = await next_answer(ear)
        assert (given["decision"], given["answer"]) == (asked["id"], wanted)

    run(tmp_path, play)


@pytest.mark.parametrize("answered", [False, True])
def test_a_plan_that_comes_while_another_one_is_looked_at_is_not_given_up(tmp_path: Path, answered: bool) -> None:
    async def play(hall: Hall, _: Here) -> None:
        sitting, ear = await mover(hall, await hall.begin(MINE))
        player, asked = ear.player, ear.now["open"][0]
        scene = await sitting.look(sitting.playing.scene, player, asked["id"])
        assert isinstance(scene, tuple)
        attending, other = sitting.attending, int(asked["unit"]) + 1
        old = Queued(kind=asked["kind"], unit=other, answer=None)
        new = old if answered else Queued(kind="never", unit=other, answer=None)
        await sitting.keep_place(player, queue=Queue([old]).written())
        attending.shorten(player, Queue([old]), 0)
        if answered:
            await answer(sitting, ear)
        async with sitting.lock:
            looking = asyncio.ensure_future(attending._answer_queued(sitting.seats[player], scene))
            await asyncio.sleep(0)
            attending.shorten(player, Queue([new]), 0)
        # What is asked no more says nothing about a plan.
        assert await looking is answered
        assert attending.queued(player) == 1

    run(tmp_path, play)


# ------------------------------------------------------------------------------------------ webhooks


def test_a_seat_that_comes_and_goes_is_called_no_more_often_than_once_a_while_and_hears_the_last_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hooks, "QUIET", 1.0)
    told: list[float] = []

    async def play(hall: Hall, _: Here) -> None:
        # By the clock of who calls, who may have to wait before the call is made.
        monkeypatch.setattr(hall.hooks, "tell", lambda url, news: told.append(sitting.calling.called[ear.player]))
        begun = await hall.begin(MINE)
        sitting, ear = await mover(hall, begun)
        await leave_all(hall, sitting)
        await sitting.calling.set_hook(ear.player, "https://example.org/told")
        for _ in range(5):
            _, back = await sit(hall, begun.seats[ear.player]["token"])
            sitting.leave(back)
            await leave_all(hall, sitting)
            sitting.calling.call(ear.player)
        async with asyncio.timeout(20):
            while len(told) < 2:
                await asyncio.sleep(0.01)

    run(tmp_path, play)
    assert min(later - sooner for sooner, later in pairwise(told)) >= 1.0 - 1e-6


def test_who_was_there_meanwhile_and_answered_is_not_called_late(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []

    async def play(hall: Hall, _: Here) -> None:
        monkeypatch.setattr(hall.hooks, "tell", lambda url, news: told.append(news.text))
        begun = await hall.begin(MINE)
        sitting, ear = await mover(hall, begun)
        await sitting.calling.set_hook(ear.player, "https://example.org/told")
        await leave_all(hall, sitting)
        for _ in range(2):
            sitting.calling.call(ear.player)
        _, back = await sit(hall, begun.seats[ear.player]["token"])
        while back.now["open"]:
            await usual(sitting, [back], str(back.now["next"]))
        await leave_all(hall, sitting)
        sitting.calling.call_late(ear.player)
        assert len(told) == 1

    run(tmp_path, play)


def test_certificates_are_read_once_and_nobody_waits_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[threading.Thread] = []
    create = ssl.create_default_context

    def counted() -> ssl.SSLContext:
        made.append(threading.current_thread())
        return create()

    monkeypatch.setattr(ssl, "create_default_context", counted)
    hooks._secure.cache_clear()

    async def call_twice() -> None:
        for _ in range(2):
            with pytest.raises(OSError):
                # Nobody listens there.
                await hooks.call("https://127.0.0.1:1/", News("x", "b", 0, 1), lambda _: True)
        assert threading.current_thread() not in made

    asyncio.run(call_twice())
    assert len(made) == 1


def test_a_host_that_never_replies_keeps_no_other_from_being_called(monkeypatch: pytest.MonkeyPatch) -> None:
    called: list[str] = []

    async def call(url: str, news: News, *_: Any) -> None:
        called.append(url)
        if "deaf" in url:
            await asyncio.Event().wait()

    monkeypatch.setattr(hooks, "call", call)

    async def play() -> None:
        calling = hooks.Hooks()
        news = News("x", "b", 0, 1)
        for number in range(2 * hooks.MOST_WAITING):
            calling.tell(f"https://deaf.example/{number}", news)
        for number in range(10):
            calling.tell(f"https://friend.example/{number}", news)
        calling.tell("no address", news)
        while len(called) < hooks.OF_ONE_HOST + 11:
            await asyncio.sleep(0)
        assert sum("deaf" in url for url in called) == hooks.OF_ONE_HOST
        await calling.close()

    asyncio.run(asyncio.wait_for(play(), 20))


def test_who_comes_while_a_battle_is_put_away_is_told_to_try_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def gone(*_: Any) -> None:
        raise Spoilt("The battle was put away just now.")

    async def play(hall: Hall, host: str, port: int) -> None:
        begun = await hall.begin(MINE)
        monkeypatch.setattr(Sitting, "join", gone)
        async with connect(f"ws://{host}:{port}/socket") as socket:
            await socket.send(json.dumps({"say": "hello", "battle": begun.battle}))
            assert json.loads(await socket.recv())["code"] == protocol.TRY_AGAIN

    serve(tmp_path, play)
