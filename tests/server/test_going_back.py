"""What fails in the middle: the battle goes back to what is stored, and what goes on by itself goes on."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from sandtable.battle.journal import MAX_ENTRIES
from sandtable.errors import UserError
from sandtable.server import attending, hooks, protocol, shares
from sandtable.server import hall as halls
from sandtable.server.attending import Attending
from sandtable.server.catalogue import Wish
from sandtable.server.hall import Hall
from sandtable.server.playing import Playing
from sandtable.server.protocol import Answer, Refused
from sandtable.server.sitting import Spoilt
from sandtable.server.store.records import Addition
from sandtable.server.worker import Thought
from server.test_hall import MINE, Here, answer, full, mover, run, sit
from server.test_sitting import FREE, USUAL, leave_all

COMPUTERS = Wish(made_up=True, seed=3, seats=("default", "default"))


class Once:
    """Fails the first time, and does then what it stands for."""

    def __init__(self, work: Any, error: Exception) -> None:
        self.work, self.error = work, error
        self.failed = asyncio.Event()

    def __get__(self, owner: Any, _: Any = None) -> Any:
        return lambda *given: self(owner, *given)

    def __call__(self, *given: Any) -> Any:
        if not self.failed.is_set():
            self.failed.set()
            raise self.error
        return self.work(*given)


async def wait_for(done: Any) -> None:
    while not done():
        await asyncio.sleep(0.01)


@pytest.mark.parametrize("error", [RuntimeError("a rule of ours"), UserError("no such unit")])
def test_what_cannot_be_told_did_not_happen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, error: Exception
) -> None:
    async def play(hall: Hall, _: Here) -> None:
        begun = await hall.begin(MINE)
        sitting, ear = await mover(hall, begun)
        before = len(ear.heard)
        monkeypatch.setattr(Playing, "board", Once(Playing.board, error))
        with pytest.raises(Spoilt):
            await answer(sitting, ear)
        # Who came back and sent it again would have it fail again.
        assert [(told["say"], told["code"]) for told in ear.heard[before:]] == [("refused", "failed")]
        assert ear.dismissed == protocol.TRY_AGAIN
        assert "it cannot be told how" in caplog.text
        again, later = await mover(hall, begun)
        assert again is not sitting
        assert later.now["open"] == ear.heard[0]["open"]
        await answer(again, later, "again")
        await leave_all(hall, again)
        again.touched -= 1000
        assert hall.evict() == 1
        # What came after it is stored, and plays the same.
        assert (await hall.sitting(begun.battle)).playing.count() == later.now["next"]

    run(tmp_path, play)


def test_a_take_back_that_cannot_be_told_did_not_happen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def play(hall: Hall, _: Here) -> None:
        begun = await hall.begin(FREE)
        sitting, ear = await mover(hall, begun)
        await answer(sitting, ear)
        monkeypatch.setattr(Playing, "board", Once(Playing.board, UserError("no such unit")))
        with pytest.raises(Spoilt):
            await sitting.agreeing.take_back(ear.player)
        again = await hall.sitting(begun.battle)
        assert (again is not sitting, again.playing.line) == (True, 0)
        assert await again.agreeing.take_back(ear.player) is None

    run(tmp_path, play)


# ------------------------------------------------------------------------------------------ what goes on by itself


def test_a_battle_of_computer_players_goes_on_after_the_disk_was_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(halls, "WOKEN_AFTER", 0.01)

    async def play(hall: Hall, _: Here) -> None:
        store, failures = hall.lanes.store, []
        add, load = store.add, store.load

        def picky(gained: Sequence[Addition]) -> None:
            if len(failures) < 3:
                failures.append("add")
                full()
            add(gained)

        def hiccup(battle: str) -> Any:
            if len(failures) == 2:
                failures.append("load")
                full()
            return load(battle)

        begun = await hall.begin(COMPUTERS)
        monkeypatch.setattr(store, "add", picky)
        monkeypatch.setattr(store, "load", hiccup)
        await wait_for(lambda: len(failures) == 3)
        # Nobody is there, and nobody comes.
        await wait_for(lambda: len(load(begun.battle).leaves) > 3)  # type: ignore[union-attr]
        assert failures == ["add", "add", "load"]

    run(tmp_path, play)


def test_a_call_that_was_put_off_is_made_although_the_battle_had_to_go_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(halls, "WOKEN_AFTER", 0.01)
    told: list[str] = []

    async def play(hall: Hall, _: Here) -> None:
        monkeypatch.setattr(hall.hooks, "tell", lambda url, news: told.append(news.battle))
        begun = await hall.begin(MINE)
        sitting, ear = await mover(hall, begun)
        await sitting.calling.set_hook(ear.player, "https://example.org/told")
        await leave_all(hall, sitting)
        for _ in range(2):
            sitting.calling.call(ear.player)
        assert len(told) == 1
        with monkeypatch.context() as broken:
            broken.setattr(hall.lanes.store, "add", full)
            with pytest.raises(Spoilt):
                await sitting.concede(1 - ear.player)
        monkeypatch.setattr(hooks, "QUIET", 0.01)
        await wait_for(lambda: len(told) == 2)

    run(tmp_path, play)


def test_what_fails_while_a_seat_is_answered_for_is_told_and_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attending, "PAUSES", (0.01,))
    lose = Once(Attending._lose, OSError("the disk is away"))

    async def play(hall: Hall, _: Here) -> None:
        begun = await hall.begin(MINE)
        sitting, ear = await mover(hall, begun)
        monkeypatch.setattr(Attending, "_lose", lose)
        await sitting.attending.give_orders(ear.player, USUAL)
        await wait_for(lambda: any(told["say"] == "noted" for told in ear.heard))
        (failed,) = [told for told in ear.heard if told["say"] == "refused"]
        assert (failed["code"], "tried again" in failed["text"]) == ("failed", True)

    run(tmp_path, play)


def test_orders_whose_answer_is_refused_leave_the_question_to_the_person_and_say_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []

    async def nonsense(job: str, *arguments: Any, **how: Any) -> Any:
        return Thought("nonsense", False, ())

    async def play(hall: Hall, thinking: Here) -> None:
        monkeypatch.setattr(hall.hooks, "tell", lambda url, news: told.append(news.battle))
        begun = await hall.begin(MINE)
        sitting, ear = await mover(hall, begun)
        await sitting.calling.set_hook(ear.player, "https://example.org/told")
        monkeypatch.setattr(thinking, "run", nonsense)
        await sitting.attending.give_orders(ear.player, USUAL)
        await wait_for(lambda: any(heard["say"] == "left" for heard in ear.heard))
        await leave_all(hall, sitting)
        await sitting.attending.give_orders(ear.player, USUAL)
        await wait_for(lambda: told)

    run(tmp_path, play)


def test_an_answer_by_orders_is_given_only_while_they_are_the_orders(tmp_path: Path) -> None:
    async def play(hall: Hall, _: Here) -> None:
        sitting, ear = await mover(hall, await hall.begin(MINE))
        asked, holding = ear.now["open"][0], [True]
        value = asked["options"][0]["value"]
        async with sitting.lock:
            given = asyncio.ensure_future(
                sitting.give(ear.player, asked["id"], value, "a:1", lambda _: None, holds=lambda: holding[0])
            )
            await asyncio.sleep(0)
            # Others come while it waits for its turn.
            holding[0] = False
        refused = await given
        assert isinstance(refused, Refused)
        assert refused.code == "not_open"
        await answer(sitting, ear)

    run(tmp_path, play)


def test_who_falls_first_is_given_only_while_nobody_says_otherwise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play(hall: Hall, _: Here) -> None:
        sitting, ear = await mover(hall, await hall.begin(MINE))
        asked, attends = ear.now["open"][0], sitting.attending
        seat = sitting.seats[ear.player]._replace(falls={0: (0,)})
        before = attends._changes[ear.player]

        def victim(*_: Any) -> tuple[Any, bool]:
            return asked["options"][0]["value"], False

        monkeypatch.setattr(sitting.playing, "victim", victim)
        attends._reconsider(ear.player)
        # It is wanted no more, and what is asked is asked still.
        assert await attends._lose(seat, asked["id"], before)
        assert (asked["id"], ear.player) in await sitting.look(sitting.playing.open_numbers)

    run(tmp_path, play)


# ------------------------------------------------------------------------------------------ without end


def test_battles_that_go_on_by_orders_count_for_who_began_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shares, "MOST_ALONE", 3)
    monkeypatch.setattr(shares, "MOST_FROM_ONE", 1)

    async def play(hall: Hall, thinking: Here) -> None:
        still = asyncio.Event()

        async def ponder(*_: Any, **__: Any) -> Any:
            await still.wait()

        monkeypatch.setattr(thinking, "run", ponder)
        for _ in range(3):
            begun = await hall.begin(Wish(made_up=True, seed=3, seats=("mine", "default")), host="greedy")
            sitting, _ = await sit(hall, begun.seats[0]["token"])
            await sitting.attending.give_orders(0, USUAL)
            await leave_all(hall, sitting)
            assert sitting.alone
        await hall.begin(COMPUTERS, host="modest")
        with pytest.raises(UserError, match="from your address"):
            await hall.begin(COMPUTERS, host="greedy")

    run(tmp_path, play)


def test_a_battle_that_grows_without_end_goes_on_without_take_backs_and_is_then_given_up(tmp_path: Path) -> None:
    async def play(hall: Hall, _: Here) -> None:
        begun = await hall.begin(FREE)
        sitting, ear = await mover(hall, begun)
        await answer(sitting, ear)
        playing = sitting.playing
        stored, playing._stored = playing._stored, MAX_ENTRIES // 2
        refused = await sitting.agreeing.take_back(ear.player)
        assert isinstance(refused, Refused)
        assert (refused.code, "too long" in refused.text) == ("not_possible", True)
        with pytest.raises(UserError, match="too long"):
            await sitting.attending.give_orders(ear.player, 'orders: [{for: "react.*", offers: ["*"], do: ask}]')
        playing._stored = MAX_ENTRIES * 3 // 4
        asked = ear.now["open"][0]
        refused = await sitting.answer(ear, Answer(decision=asked["id"], answer=None, nonce="more"))
        assert isinstance(refused, Refused)
        assert "concede" in refused.text
        playing._stored = stored
        assert await sitting.concede(ear.player) is None

    run(tmp_path, play)


def test_a_leaf_holds_what_the_journal_gained_and_no_more(tmp_path: Path) -> None:
    async def play(hall: Hall, _: Here) -> None:
        begun = await hall.begin(FREE)
        sitting, ear = await mover(hall, begun)
        await answer(sitting, ear)
        assert await sitting.agreeing.take_back(ear.player) is None
        saved = hall.lanes.store.load(begun.battle)
        assert saved is not None
        stored = [entry for leaf in saved.leaves for entry in msgspec.json.decode(leaf)]
        assert len(saved.leaves) == 3
        assert stored == msgspec.to_builtins(sitting.playing.battle.entries)

    run(tmp_path, play)
