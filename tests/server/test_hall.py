"""What happens behind the sockets: memory, disks that fail, thoughts that come to nothing."""

from __future__ import annotations

import asyncio
import gc
import time
import weakref
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from sqlalchemy import select

import sandtable
from sandtable import systems
from sandtable.battle.machine import Battle
from sandtable.battle.system import WINDOWS
from sandtable.errors import UserError
from sandtable.server import limits, protocol, worker
from sandtable.server.catalogue import Wish
from sandtable.server.hall import Hall, NewBattle, NoSeat
from sandtable.server.limits import Bucket
from sandtable.server.protocol import Answer, Hello
from sandtable.server.sitting import Sitting, Spoilt
from sandtable.server.store.store import Store
from sandtable.server.store.tables import battles, leaves
from sandtable.server.thinking import NOBODY, NoThought, Thinking
from sandtable.server.worker import JOBS

MINE = Wish(made_up=True, seed=3, seats=("mine", "mine"))


class Here(Thinking):
    """Thinks in this process, or fails as it is told."""

    def __init__(self) -> None:
        super().__init__(1)
        self.fails: Exception | None = None
        self.jobs: list[str] = []

    async def run(self, job: str, *arguments: Any, urgent: bool = False, asker: str | None = None) -> Any:
        self.jobs.append(job)
        if self.fails is not None:
            raise self.fails
        return JOBS[job](*arguments)


class Ear:
    """A client that only listens."""

    def __init__(self, player: int) -> None:
        self.player = player
        self.heard: list[dict[str, Any]] = []
        self.dismissed = 0

    def send(self, text: str) -> None:
        self.heard.append(msgspec.json.decode(text))

    def told(self, events: int) -> None:
        """Whoever listens here is never found dead."""

    def dismiss(self, code: int, text: str) -> None:
        self.dismissed = code

    @property
    def now(self) -> dict[str, Any]:
        return next(told for told in reversed(self.heard) if "open" in told)


def run(tmp_path: Path, play: Callable[[Hall, Here], Awaitable[None]], idle: float = 600.0) -> None:
    async def main() -> None:
        thinking = Here()
        hall = Hall(Store(f"sqlite:///{tmp_path}/battles.db"), thinking, idle)
        hall.replaying, hall.preparing = Here(), Here()
        await hall.open()
        try:
            await asyncio.wait_for(play(hall, thinking), 60)
        finally:
            if not hall._closing:
                await hall.close()

    asyncio.run(main())


async def sit(hall: Hall, token: object) -> tuple[Sitting, Ear]:
    hello = Hello(token=str(token))
    sitting, player = await hall.seat(hello)
    ear = Ear(player)
    assert await sitting.join(ear, hello) is None
    return sitting, ear


async def mover(hall: Hall, begun: NewBattle) -> tuple[Sitting, Ear]:
    """Who is asked first."""
    for seat in begun.seats:
        sitting, ear = await sit(hall, seat["token"])
        if ear.now["open"]:
            return sitting, ear
    raise AssertionError


async def answer(sitting: Sitting, ear: Ear, nonce: str = "n") -> None:
    asked = ear.now["open"][0]
    value = asked["options"][0]["value"]
    assert await sitting.answer(ear, Answer(decision=asked["id"], answer=value, nonce=nonce)) is None


class Slow(Here):
    """Prepares battles only when it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.go = asyncio.Event()

    async def run(self, job: str, *arguments: Any, urgent: bool = False, asker: str | None = None) -> Any:
        await self.go.wait()
        return await super().run(job, *arguments, urgent=urgent, asker=asker)


def test_others_play_on_while_a_heavy_battle_is_prepared(tmp_path: Path) -> None:
    async def play(hall: Hall, _: Here) -> None:
        begun = await hall.begin(MINE)
        hall.preparing = slow = Slow()
        heavy = asyncio.ensure_future(hall.begin(Wish(seed=4, seats=("mine", "mine"))))
        await asyncio.sleep(0)
        await answer(*await mover(hall, begun))
        assert not heavy.done()
        slow.go.set()
        assert (await heavy).title
        assert slow.jobs == ["prepare"]

    run(tmp_path, play)


def test_a_battle_that_nobody_looks_at_leaves_memory_and_comes_back(tmp_path: Path) -> None:
    async def play(hall: Hall, _: Here) -> None:
        begun = await hall.begin(MINE)
        sitting, ear = await mover(hall, begun)
        await answer(sitting, ear)
        hall.evict()
        assert hall.in_memory == 1
        for client in tuple(sitting.clients):
            sitting.leave(client)
        sitting.touched = time.monotonic() - 601
        hall.evict()
        assert hall.in_memory == 0
        again, later = await mover(hall, begun)
        assert again is not sitting
        assert later.now["next"] == ear.now["next"]
        assert [d["id"] for d in later.now["open"]] == [d["id"] for d in ear.now["open"]]

    run(tmp_path, play)


def test_a_battle_that_leaves_memory_is_gone_at_once(tmp_path: Path) -> None:
    """Nobody has to look for circles: on a server that happens seldom."""

    async def play(hall: Hall, _: Here) -> None:
        sitting, ear = await mover(hall, await hall.begin(MINE))
        await answer(sitting, ear)
        for client in tuple(sitting.clients):
            sitting.leave(client)
        while sitting.busy or hall.lanes.busy:
            await asyncio.sleep(0.01)
        left, battle = (weakref.ref(sitting), weakref.ref(sitting.playing)), id(sitting.playing.battle)
        sitting.touched = time.monotonic() - 601
        del sitting, client
        gc.collect()
        gc.disable()
        try:
            hall.evict()
            while hall.lanes.busy:
                await asyncio.sleep(0.01)
            assert [one() for one in left] == [None, None]
            assert not [one for one in gc.get_objects() if isinstance(one, Battle) and id(one) == battle]
        finally:
            gc.enable()

    run(tmp_path, play)


def test_who_comes_to_a_battle_while_it_is_put_away_is_told_to_come_again(tmp_path: Path) -> None:
    async def play(hall: Hall, _: Here) -> None:
        begun = await hall.begin(MINE)
        sitting, ear = await mover(hall, begun)
        for client in tuple(sitting.clients):
            sitting.leave(client)
        while sitting.busy or hall.lanes.busy:
            await asyncio.sleep(0.01)
        sitting.touched = time.monotonic() - 601
        hall.evict()
        with pytest.raises(Spoilt):
            await sitting.join(Ear(0), Hello())
        with pytest.raises(Spoilt):
            await answer(sitting, ear)
        again, later = await mover(hall, begun)
        await answer(again, later)

    run(tmp_path, play)


def test_a_battle_comes_back_with_the_same_events_also_after_a_take_back(tmp_path: Path) -> None:
    async def play(hall: Hall, _: Here) -> None:
        begun = await hall.begin(Wish(made_up=True, seed=3, seats=("mine", "mine"), takebacks="free"))
        sitting, ear = await mover(hall, begun)
        told = []
        for number in range(6):
            if number == 1:
                assert await sitting.agreeing.take_back(ear.player) is None
            asked = ear.now["open"][0]
            default = (await sitting.think("default", ear.player, asked["id"]))[0].answer
            said = Answer(decision=asked["id"], answer=msgspec.to_builtins(default), nonce=str(number))
            assert await sitting.answer(ear, said) is None
            if not ear.now["open"]:
                break
        told.append(await sitting.look(sitting.playing.events, -1, 0, 0))
        for client in tuple(sitting.clients):
            sitting.leave(client)
        sitting.touched -= 1000
        hall.evict()
        again = await hall.sitting(begun.battle)
        told.append(await again.look(again.playing.events, -1, 0, 0))
        assert again is not sitting
        assert told[0] == told[1]
        both = msgspec.json.decode(told[0])
        assert both["line"] == 1
        # The words of answers are worked out again, and are the same.
        assert [text for _, text in both["said"] if text]

    run(tmp_path, play)


def test_two_who_come_at_one_time_sit_at_one_table(tmp_path: Path) -> None:
    async def play(hall: Hall, _: Here) -> None:
        begun = await hall.begin(MINE)
        (first,) = {await hall.sitting(begun.battle)}
        first.touched -= 1000
        hall.evict()
        one, two = await asyncio.gather(hall.sitting(begun.battle), hall.sitting(begun.battle))
        assert one is two is not first

    run(tmp_path, play)


def test_what_cannot_be_stored_did_not_happen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def play(hall: Hall, _: Here) -> None:
        begun = await hall.begin(MINE)
        sitting, ear = await mover(hall, begun)
        before = len(ear.heard)
        with monkeypatch.context() as broken:
            broken.setattr(hall.lanes.store, "add", full)
            with pytest.raises(Spoilt):
                await answer(sitting, ear)
        assert ear.heard[before:] == []
        assert ear.dismissed == protocol.TRY_AGAIN
        # Nothing is built on what was not stored.
        with pytest.raises(Spoilt):
            await answer(sitting, ear, "more")
        again, later = await mover(hall, begun)
        assert again is not sitting
        assert later.now["next"] == ear.now["next"]
        await answer(again, later)
        assert later.heard[-2]["say"] == "accepted"

    run(tmp_path, play)


def full(*_: object) -> None:
    raise OSError("the disk is full")


def test_an_answer_is_stored_before_anybody_hears_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def play(hall: Hall, _: Here) -> None:
        begun = await hall.begin(MINE)
        sitting, ear = await mover(hall, begun)
        store, before, heard = hall.lanes.store, len(ear.heard), []
        add = store.add

        def watched(*arguments: Any) -> None:
            add(*arguments)
            heard.append(len(ear.heard))

        monkeypatch.setattr(store, "add", watched)
        await answer(sitting, ear)
        assert heard == [before]
        assert [told["say"] for told in ear.heard[before:]] == ["accepted", "events"]

    run(tmp_path, play)


def test_who_stops_waiting_for_an_answer_does_not_stop_it(tmp_path: Path) -> None:
    async def play(hall: Hall, _: Here) -> None:
        begun = await hall.begin(MINE)
        sitting, ear = await mover(hall, begun)
        asked = ear.now["open"][0]
        said = Answer(decision=asked["id"], answer=asked["options"][0]["value"], nonce="n")
        waiting = asyncio.ensure_future(sitting.answer(ear, said))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        await sitting.look(len, ())
        assert await sitting.answer(ear, said) is None
        assert [told["again"] for told in ear.heard if told["say"] == "accepted"] == [False, True]

    run(tmp_path, play)


def test_one_battle_that_cannot_be_stored_does_not_hold_up_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play(hall: Hall, _: Here) -> None:
        begun = [await hall.begin(MINE) for _ in range(4)]
        seated = [await mover(hall, one) for one in begun]
        add, sizes = hall.lanes.store.add, []

        def picky(gained: Any) -> None:
            sizes.append(len(gained))
            if any(one.battle == begun[0].battle for one in gained):
                raise OSError("not this one")
            add(gained)

        monkeypatch.setattr(hall.lanes.store, "add", picky)
        work = [answer(sitting, ear) for sitting, ear in seated]
        found = await asyncio.gather(*work, return_exceptions=True)
        assert [type(one) for one in found] == [Spoilt, type(None), type(None), type(None)]
        assert max(sizes) > 1

    run(tmp_path, play)


@pytest.mark.parametrize("error", [NoThought("choose"), UserError("no such player")])
def test_a_computer_player_that_cannot_think_gives_the_usual_answer(tmp_path: Path, error: Exception) -> None:
    async def play(hall: Hall, thinking: Here) -> None:
        thinking.fails = error
        begun = await hall.begin(Wish(made_up=True, seed=3, seats=("tactician", "tactician")))
        sitting = await hall.sitting(begun.battle)
        ear = Ear(-1)
        await sitting.join(ear, Hello(battle=begun.battle))
        while ear.now["next"] < ear.heard[0]["next"] + 20:
            await asyncio.sleep(0.01)
        assert "choose" in thinking.jobs

    run(tmp_path, play)


def test_orders_that_cannot_be_thought_about_leave_the_answer_to_the_person(tmp_path: Path) -> None:
    async def play(hall: Hall, thinking: Here) -> None:
        begun = await hall.begin(MINE)
        sitting, ear = await mover(hall, begun)
        thinking.fails = NoThought("choose")
        await sitting.attending.give_orders(ear.player, 'orders: [{for: "*", do: default}]')
        while "choose" not in thinking.jobs:
            await asyncio.sleep(0.01)
        thinking.fails = None
        await answer(sitting, ear)

    run(tmp_path, play)


def test_orders_go_on_counting_after_a_restart(tmp_path: Path) -> None:
    begun: list[NewBattle] = []
    orders = 'orders: [{for: "*", do: default, stop: {uses: 2}}]'

    async def first(hall: Hall, _: Here) -> None:
        begun.append(await hall.begin(Wish(made_up=True, seed=3, seats=("mine", "mine"))))
        sitting, ear = await mover(hall, begun[0])
        await sitting.attending.give_orders(ear.player, orders)
        while len([told for told in ear.heard if told["say"] == "noted"]) < 2:
            await asyncio.sleep(0.01)
        await sitting.attending.give_orders(1 - ear.player, 'orders: [{for: "*", do: default}]')

    async def second(hall: Hall, _: Here) -> None:
        ears = [(await sit(hall, seat["token"]))[1] for seat in begun[0].seats]
        while not any(told["say"] == "noted" and not told["answered"] for ear in ears for told in ear.heard):
            await asyncio.sleep(0.01)
        (note,) = [t for ear in ears for t in ear.heard if t["say"] == "noted" and not t["answered"]]
        assert "used 2 times" in note["text"]

    run(tmp_path, first)
    run(tmp_path, second)


def test_a_battle_that_no_longer_plays_the_same_says_so(tmp_path: Path) -> None:
    async def play(hall: Hall, _: Here) -> None:
        begun = await hall.begin(MINE)
        (await hall.sitting(begun.battle)).touched -= 1000
        hall.evict()
        with hall.lanes.store.engine.begin() as db:
            db.execute(leaves.update().values(entries=b'[{"type": "s", "digest": "0123456789abcdef"}]'))
        for _ in range(2):
            with pytest.raises(UserError, match="plays the same only up to step"):
                await hall.sitting(begun.battle)

    run(tmp_path, play)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (lambda head: head.replace(b'"version":"', b'"version":"0.0.1-'), r"was written by Sandtable 0\.0\.1"),
        (lambda head: head.replace(b'"seed":', b'"sown":'), "Another version of Sandtable wrote this battle"),
    ],
    ids=["it plays otherwise", "it cannot be read"],
)
def test_a_battle_of_another_version_says_so_and_names_where_it_can_be_watched(
    tmp_path: Path, changed: Callable[[bytes], bytes], said: str
) -> None:
    async def play(hall: Hall, _: Here) -> None:
        begun = await hall.begin(MINE)
        sitting, ear = await mover(hall, begun)
        await answer(sitting, ear)
        sitting.clients.clear()
        sitting.touched -= 1000
        hall.evict()
        with hall.lanes.store.engine.begin() as db:
            head = db.execute(select(battles.c.head)).scalar_one()
            db.execute(battles.update().values(head=changed(head)))
            db.execute(leaves.update().values(entries=b'[{"type": "s", "digest": "0123456789abcdef"}]'))
        with pytest.raises(UserError, match=f"{said}.* Nobody can play on here.* at /battles/{begun.battle}/replay"):
            await hall.sitting(begun.battle)

    run(tmp_path, play)


def test_a_battle_of_another_server_is_not_there(tmp_path: Path) -> None:
    async def play(hall: Hall, _: Here) -> None:
        with pytest.raises(NoSeat):
            await hall.sitting("nothing")
        with pytest.raises(NoSeat):
            await hall.claim("nothing")

    run(tmp_path, play)


def test_battles_of_computer_players_go_on_when_the_server_comes_back(tmp_path: Path) -> None:
    begun: list[NewBattle] = []

    async def first(hall: Hall, thinking: Here) -> None:
        begun.append(await hall.begin(Wish(made_up=True, seed=3, seats=("default", "default"))))

    async def second(hall: Hall, thinking: Here) -> None:
        while len(thinking.jobs) < 3:
            await asyncio.sleep(0.01)
        assert hall.in_memory == 1

    run(tmp_path, first)
    run(tmp_path, second)
    store = Store(f"sqlite:///{tmp_path}/battles.db")
    with store.engine.connect() as db:
        assert [row.id for row in db.execute(battles.select())] == [begun[0].battle]
    store.close()


ORDERED = 'orders: [{for: "*", do: ask}]'


def test_battles_that_wait_for_a_person_leave_memory_as_soon_as_they_were_looked_at(tmp_path: Path) -> None:
    async def first(hall: Hall, _: Here) -> None:
        for _ in range(3):
            begun = await hall.begin(MINE)
            for seat in begun.seats:
                sitting, ear = await sit(hall, seat["token"])
                await sitting.attending.give_orders(ear.player, ORDERED)

    async def second(hall: Hall, thinking: Here) -> None:
        while thinking.jobs.count("choose") < 3:
            await asyncio.sleep(0.01)
        while hall.in_memory:
            hall.evict()
            await asyncio.sleep(0.01)

    run(tmp_path, first)
    run(tmp_path, second)


def test_one_battle_that_cannot_be_read_ends_nothing_for_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[NewBattle] = []

    async def first(hall: Hall, _: Here) -> None:
        begun.extend([await hall.begin(Wish(made_up=True, seed=3, seats=("default", "default"))) for _ in range(2)])

    async def second(hall: Hall, thinking: Here) -> None:
        while not thinking.jobs:
            await asyncio.sleep(0.01)
        assert hall.in_memory == 1
        assert hall._keeper is not None
        assert not hall._keeper.done()

    run(tmp_path, first)
    load, bad = Store.load, []

    def picky(store: Store, battle: str) -> Any:
        if not bad or battle in bad:
            bad.append(battle)
            raise OSError("a hiccup")
        return load(store, battle)

    monkeypatch.setattr(Store, "load", picky)
    run(tmp_path, second)


def test_orders_and_plans_that_cannot_be_read_are_dropped_and_the_battle_goes_on(tmp_path: Path) -> None:
    async def play(hall: Hall, thinking: Here) -> None:
        begun = await hall.begin(MINE)
        sitting, _ = await mover(hall, begun)
        sitting.clients.clear()
        sitting.touched -= 1000
        while hall.lanes.busy:
            await asyncio.sleep(0.01)
        hall.evict()
        store = hall.lanes.store
        store.keep_place(begun.battle, 0, queue=b"[nonsense")
        store.give_orders(begun.battle, 0, "orders: [{for: '*', do: dance}]")
        store.give_orders(begun.battle, 1, ORDERED, b"[1]")
        again, later = await mover(hall, begun)
        assert [(seat.orders, seat.so_far, seat.place.queue) for seat in again.seats] == [("", b"", b"")] * 2
        await answer(again, later)

    run(tmp_path, play)


def test_a_hall_closes_while_battles_are_loaded(tmp_path: Path) -> None:
    async def play(hall: Hall, _: Here) -> None:
        begun = [await hall.begin(MINE) for _ in range(3)]
        for one in begun[:2]:
            (await hall.sitting(one.battle)).touched -= 1000
        hall.evict()
        loads = [asyncio.ensure_future(hall.sitting(one.battle)) for one in begun[:2]]
        await asyncio.sleep(0)
        await hall.close()
        found = await asyncio.gather(*loads, return_exceptions=True)
        assert [type(one) for one in found] == [asyncio.CancelledError] * 2
        with pytest.raises(Spoilt):
            await hall.sitting(begun[0].battle)

    run(tmp_path, play)


def test_nobody_who_begins_a_battle_waits_for_the_files_of_others(tmp_path: Path) -> None:
    async def play(hall: Hall, _: Here) -> None:
        hall.replaying = Slow()
        assert (await hall.begin(MINE)).title

    run(tmp_path, play)


def test_a_bucket_fills_again(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(limits.time, "monotonic", lambda: now[0])
    bucket = Bucket(rate=2, at_once=3)
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]
    now[0] = 0.4
    assert not bucket.take()
    now[0] = 0.5
    assert [bucket.take() for _ in range(2)] == [True, False]
    now[0] = 100.0
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]


# ------------------------------------------------------------------------------------------ worker processes


class Gated(Thinking):
    """One worker that begins when it is told to, and only notes what it was to do."""

    def __init__(self) -> None:
        super().__init__(1)
        self.done: list[str] = []
        self.gate = asyncio.Event()
        self.asked: list[asyncio.Task[Any]] = []
        self._workers[0].run = self._note  # type: ignore[method-assign]

    async def _note(self, job: str, arguments: tuple[Any, ...], longest: float) -> Any:
        await self.gate.wait()
        self.done.append(job)

    def ask(self, job: str, asker: str = "", *, urgent: bool = False) -> asyncio.Task[Any]:
        self.asked.append(asyncio.ensure_future(self.run(job, urgent=urgent, asker=asker)))
        return self.asked[-1]

    async def finish(self) -> list[Any]:
        await asyncio.sleep(0)  # all of them wait now
        self.gate.set()
        found = await asyncio.gather(*self.asked, return_exceptions=True)
        await self.close()
        return found


def test_who_must_answer_comes_before_who_asks_for_advice_and_is_never_turned_away() -> None:
    async def main() -> None:
        thinking = Gated()
        thinking.ask("first")
        gone = thinking.ask("nobody waits")
        await asyncio.sleep(0)
        for number in range(250):
            thinking.ask(f"advice {number}")
            thinking.ask(f"answer {number}", f"battle {number}", urgent=True)
        gone.cancel()
        found = await thinking.finish()
        assert sum(isinstance(one, NoThought) for one in found) == 51
        assert thinking.done[:4] == ["first", "answer 0", "answer 1", "advice 0"]
        assert sum(job.startswith("answer") for job in thinking.done) == 250
        assert "nobody waits" not in thinking.done

    asyncio.run(main())


def test_advice_comes_also_while_seats_answer_by_themselves_without_end() -> None:
    async def main() -> None:
        thinking = Gated()
        thinking.ask("first")
        for number in range(6):
            thinking.ask(f"answer {number}", f"battle {number}", urgent=True)
        for number in range(3):
            thinking.ask(f"alone {number}", NOBODY)
        thinking.ask("default", "a person")
        await thinking.finish()
        assert thinking.done[1:7] == ["answer 0", "answer 1", "alone 0", "answer 2", "answer 3", "default"]

    asyncio.run(main())


def test_who_asks_for_much_waits_behind_that_and_nobody_else_does() -> None:
    async def main() -> None:
        thinking = Gated()
        thinking.ask("first")
        greedy = [thinking.ask(f"greedy {number}", "greedy") for number in range(250)]
        alone = [thinking.ask(f"alone {number}", NOBODY) for number in range(250)]
        modest = [thinking.ask(f"modest {number}", "modest") for number in range(20)]
        found = await thinking.finish()
        assert thinking.done[1:7] == ["greedy 0", "alone 0", "modest 0", "greedy 1", "alone 1", "modest 1"]
        # Where there is no place left, whoever has most makes room.
        assert sum(isinstance(one, NoThought) for one in found) == 70
        assert all(isinstance(task.exception(), NoThought) for task in greedy[180:])
        assert not any(task.exception() for task in (*greedy[:180], *alone, *modest))

    asyncio.run(main())


def test_computer_players_are_urgent_only_where_somebody_sits(tmp_path: Path) -> None:
    asked: list[tuple[bool, str | None]] = []

    class Listens(Here):
        async def run(self, job: str, *arguments: Any, urgent: bool = False, asker: str | None = None) -> Any:
            if job == "choose":
                asked.append((urgent, asker))
            return await super().run(job, *arguments, urgent=urgent, asker=asker)

    async def play(hall: Hall, _: Here) -> None:
        hall.thinking = Listens()
        alone = await hall.begin(Wish(made_up=True, seed=3, seats=("default", "default")))
        sitting = await hall.sitting(alone.battle)
        await sitting.join(Ear(protocol.SPECTATOR), Hello())
        while len(asked) < 5:
            await asyncio.sleep(0.01)
        await sitting.close()
        assert set(asked) == {(False, NOBODY)}
        asked.clear()
        begun = await hall.begin(MINE)
        sitting, ear = await mover(hall, begun)
        assert not asked
        await sitting.attending.give_orders(ear.player, "default")
        while not asked:
            await asyncio.sleep(0.01)
        assert set(asked) == {(True, begun.battle)}

    run(tmp_path, play)


def test_nonsense_has_no_legal_answer_near_it_and_a_search_that_breaks_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = sandtable.new("epica", seed=3).decisions[0]

    def broken(*_: Any) -> Any:
        raise RuntimeError("a fault of ours")

    monkeypatch.setattr(worker, "_open", lambda _: (None, asked))
    monkeypatch.setattr(worker.questions, "nearest", broken)
    assert JOBS["nearest"](None, {"paths": "everywhere"}) is None
    with pytest.raises(RuntimeError):
        JOBS["nearest"](None, asked.options[0].value)  # type: ignore[attr-defined]


def test_who_stops_waiting_leaves_the_worker_to_its_work() -> None:
    async def main() -> None:
        thinking = Thinking(1)
        for wait in (3.0, 0.0, 0.0):
            asking = asyncio.ensure_future(thinking.run("replay_page", b""))
            await asyncio.wait([asking], timeout=wait)
            asking.cancel()
            await asyncio.gather(asking, return_exceptions=True)
        process = thinking._workers[0]._process
        with pytest.raises(UserError, match="is not a battle file"):
            await thinking.run("replay_page", b"")
        assert thinking._workers[0]._process is process
        await thinking.close()

    asyncio.run(main())


def test_a_worker_that_takes_too_long_is_ended_and_the_next_job_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        thinking = Thinking(1)
        monkeypatch.setattr(thinking, "_longest", 0.01)
        with pytest.raises(NoThought):
            await thinking.run("warm", "w40k10")
        monkeypatch.setattr(thinking, "_longest", 60.0)
        with pytest.raises(UserError, match="is not a battle file"):
            await thinking.run("replay_page", b"")
        with pytest.raises(NoThought):
            await thinking.run("no such job")
        await thinking.close()

    asyncio.run(main())


def test_workers_are_warm_before_somebody_asks() -> None:
    async def warm_up() -> Any:
        thinking = Thinking(1)
        try:
            begun = time.monotonic()
            await thinking.warm("w40k10")
            before = time.monotonic()
            found = await thinking.run("rules", ("w40k10.move.normal",))
            return found, time.monotonic() - before, before - begun
        finally:
            await thinking.close()

    found, took, warming = asyncio.run(warm_up())
    assert [rule.id for rule in found] == ["w40k10.move.normal"]
    assert took < warming / 4


@pytest.mark.parametrize("system", sorted(systems.known()))
def test_the_text_of_an_option_says_what_each_of_its_values_means(system: str) -> None:
    for reading in (WINDOWS, *systems.get(system).readings):
        assert len(reading.text.split(", or ")) == len(reading.values), reading.name
