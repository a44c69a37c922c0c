"""Seats that answer by themselves: computer players, standing orders, answers that were given ahead, fallen flags."""

from __future__ import annotations

import asyncio
import logging
import weakref
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

import msgspec

from sandtable.battle.system import System
from sandtable.errors import UserError
from sandtable.players import Note, Remembered, default_orders, read_orders
from sandtable.players.standing import Orders, doubtful_kinds
from sandtable.server import falls, protocol, worker
from sandtable.server.playing import is_automatic, mind_of
from sandtable.server.protocol import SPECTATOR, Fall, FromServer, Queued, Refused, encode
from sandtable.server.queues import GivenUp, Queue
from sandtable.server.seats import PERSON, Seat
from sandtable.server.store.records import Dropped
from sandtable.server.thinking import NOBODY, NoThought
from sandtable.server.worker import Scene, Standing, Thought

if TYPE_CHECKING:
    from sandtable.server.sitting import Client, Sitting

DEFAULT: Final = "default"
"""The word for the standing orders that most players would give."""
SHORT: Final = 2_000
"""Characters of orders that are read as soon as an answer is judged; longer ones are read in a process beside."""
PAUSES: Final = (1.0, 5.0, 25.0, 120.0, 600.0)
"""Seconds after which what failed is tried again; then it is left until somebody does something."""
STUCK: Final = "The computer player cannot go on: take back, or concede."
HALTED: Final = "What answers by itself cannot go on for now; it is tried again in a while."
BY_ITSELF: Final = "a:"
"""How nonces of automatic answers begin in the database, so that no client takes one that they need."""

log = logging.getLogger("sandtable.server")


class Spoilt(Exception):
    """What happened could not be stored; the battle must be loaded again."""


class Attending:
    """What answers for the seats of one battle."""

    def __init__(self, sitting: Sitting, orders: Mapping[int, Orders]) -> None:
        # Weakly, so that a battle which leaves memory is gone at once, and not when somebody looks for circles.
        self._sitting = weakref.ref(sitting)
        self._orders = dict(orders)
        self._so_far = {s.player: _remembered(s.so_far) for s in sitting.seats}
        self._queues = {s.player: Queue.read(s.place.queue) for s in sitting.seats}
        self._left: set[int] = set()
        """Questions that standing orders leave to the person, or that nobody could answer."""
        self._changes = {s.player: 0 for s in sitting.seats}
        """How often what answers for a seat has changed: what was thought before that leaves no question to anybody."""
        self._task: asyncio.Task[None] | None = None
        self._roused = asyncio.Event()
        """Set when it is worth trying again what failed."""
        self._worked_off: dict[int, int] = {}
        """How many events there were when a plan was last made shorter; by players who gave one."""

    @property
    def _at(self) -> Sitting:
        sitting = self._sitting()
        assert sitting is not None
        return sitting

    async def close(self) -> None:
        """Stop thinking."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    def look_again(self) -> None:
        """What was left to a person may be answered now, by other orders or another state of things."""
        self._reconsider(*self._changes)
        for player, had in self._so_far.items():
            self._so_far[player] = tuple([msgspec.structs.replace(one, asked=()) for one in had])

    def _reconsider(self, *players: int) -> None:
        """Other orders, or something else that may answer what was left to these players."""
        self._left.clear()
        for player in players:
            self._changes[player] += 1

    def remember(self, player: int, so_far: tuple[Remembered, ...]) -> None:
        """What the orders of a seat have come to."""
        self._so_far[player] = so_far

    def queued(self, player: int) -> int:
        """How many answers of a seat wait for their questions."""
        return len(self._queues[player].answers) if player in self._queues else 0

    def to_catch_up(self, player: int, since: int) -> list[FromServer]:
        """What a seat has to hear of orders and plans that is no event, from who knows all events up to one."""
        seat, left = self._at.seats[player], self.queued(player)
        said: list[FromServer] = [
            protocol.Ordered(text=seat.orders),
            protocol.FallsKept(falls=falls.shown(seat.falls)),
            protocol.HookKept(url=seat.place.hook),
        ]
        # Who plans anew is not told that nothing waits: that would be the end of a plan.
        if left or (self._worked_off.get(player, -1) > since and not seat.notice):
            said.append(protocol.QueueLeft(left=left, text="", back=[]))
        return said

    async def give_orders(self, player: int, text: str, by: Client | None = None) -> FromServer:
        """Standing orders for a seat."""
        try:
            orders = await self._read(text)
        except UserError as error:
            return Refused(code="malformed", text=str(error))
        await self._at.lanes.whole(self._give_orders(player, text, orders))
        told = protocol.Ordered(text=text)
        self._at.tell(player, told, by)
        self.rouse()
        return told

    async def _read(self, text: str) -> Orders:
        """Refuses orders that cannot be read, or are for questions that are never asked. Nobody waits for long ones."""
        system, orders = self._at.playing.battle.system, None
        if len(text) <= SHORT:
            orders = await self._at.lanes.engine(_orders, text, system)
            if text in ("", DEFAULT) or not doubtful_kinds(orders, system):
                return orders
        try:
            checked: Orders = await self._at.thinking.run("check_orders", system.id, text)
        except NoThought:
            if orders is None:
                raise
            log.warning("orders for battle %s could not be checked", self._at.id)
            return orders
        return checked

    async def _give_orders(self, player: int, text: str, orders: Orders) -> None:
        async with self._at.lock:
            await self._at.arm(player, orders)
            await self._at.lanes.disk(self._at.lanes.store.give_orders, self._at.id, player, text)
            self._at.seats[player] = self._at.seats[player]._replace(orders=text)
            self._so_far[player] = ()
            self._orders.pop(player, None)
            if text:
                self._orders[player] = orders
            self._reconsider(player)

    @property
    def is_busy(self) -> bool:
        """Whether somebody is thought for."""
        return self._task is not None and not self._task.done()

    def rouse(self) -> None:
        """Let seats that answer by themselves do so, if one of them is asked."""
        if self.is_busy:
            self._roused.set()
        elif any(map(self.acts, self._at.seats)):
            self._task = asyncio.ensure_future(self._attend())

    def acts(self, seat: Seat) -> bool:
        """Whether a seat answers by itself, at least sometimes."""
        return is_automatic(seat) or self._at.clocks.has_fallen(seat.player)

    async def _attend(self) -> None:
        """Answer what is asked, until a person is. What fails is tried again: a database may be back by then."""
        # While it is thought for, a battle stays, whoever else has let go of it.
        at, failures = self._at, 0
        while True:
            self._roused.clear()
            try:
                while (asked := await self._next_automatic()) is not None:
                    await self._answer_for(*asked)
                    failures = 0
                return
            except (Spoilt, asyncio.CancelledError):
                return
            except Exception:
                log.exception("Battle %s cannot go on by itself.", at.id)
            if failures == len(PAUSES):
                self._tell_all(STUCK)
                return
            self._tell_all(HALTED)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._roused.wait(), PAUSES[failures])
            failures += 1

    def _tell_all(self, text: str) -> None:
        """Tell everybody why the battle does not go on."""
        told = encode(Refused(code="failed", text=text))
        for client in tuple(self._at.clients):
            client.send(told)

    async def _next_automatic(self) -> tuple[Seat, Scene] | None:
        """The next question that a seat answers by itself, with what it may see."""
        async with self._at.lock:
            for number, player in await self._at.lanes.engine(self._at.playing.open_numbers):
                if number not in self._left and self.acts(self._at.seats[player]):
                    scene = await self._at.lanes.engine(self._at.playing.scene, player, number)
                    if isinstance(scene, Scene):
                        return self._at.seats[player], scene
        return None

    async def _answer_for(self, seat: Seat, scene: Scene) -> None:
        """Have a question answered by what goes first at its seat: what was planned, orders, a computer player."""
        assert scene.decision is not None
        number, changes = scene.decision.id, self._changes[seat.player]
        if await self._answer_queued(seat, scene) or await self._lose(seat, number, changes):
            return
        if seat.plays != PERSON:
            refused = await self._give_thought(seat, number, await self._thought(seat, scene))
            if _is_refused(refused):
                await self._give_plain(seat, number)
        elif self._at.clocks.has_fallen(seat.player):
            await self._answer_in_time(seat, scene, changes)
        elif seat.orders:
            await self._answer_as_ordered(seat, scene, changes)
        elif self._leave(seat, number, changes):
            self._at.calling.call(seat.player)

    async def _answer_as_ordered(self, seat: Seat, scene: Scene, changes: int) -> None:
        """What standing orders say; what they leave to the person, or say in vain, the person hears of."""
        assert scene.decision is not None
        number, thought = scene.decision.id, await self._thought(seat, scene)
        if thought is not None and not thought.asks:
            # Orders that were replaced meanwhile have no say any more, and what was planned goes before them.
            if self._changes[seat.player] != changes:
                return
            refused = await self._give_thought(seat, number, thought, changes)
            if not _is_refused(refused):
                self._note(seat.player, thought.notes if refused is None else ())
                return
        if self._at.clocks.has_fallen(seat.player):
            await self._answer_in_time(seat, scene, changes)
            return
        if not self._leave(seat, number, changes):
            return
        if thought is not None and thought.asks:
            # What they left to the person they do not ask again.
            self.remember(seat.player, thought.so_far)
            self._note(seat.player, thought.notes)
        self._at.tell(seat.player, protocol.Left(decision=number))
        self._at.calling.call(seat.player)

    async def _answer_in_time(self, seat: Seat, scene: Scene, changes: int) -> None:
        """What is answered for a person without time: what orders say, or the usual answer where they would ask."""
        assert scene.decision is not None
        number, thought = scene.decision.id, await self._thought(seat, scene)
        by_order = thought is not None and not thought.asks
        if not by_order:
            thought = await self._usual(scene)
        elif self._changes[seat.player] != changes:
            return
        refused = await self._give_thought(seat, number, thought, changes if by_order else None)
        if _is_refused(refused):
            await self._give_plain(seat, number)
        elif refused is None:
            self._note(seat.player, thought.notes if thought else ())

    async def _give_thought(
        self, seat: Seat, number: int, thought: Thought | None, changes: int | None = None
    ) -> Refused | None:
        """Give what was thought of; orders, which have it only while they are not changed, remember it."""
        if thought is None:
            return Refused(code="failed", text="Nobody could think of an answer.")
        why = " ".join(note.text for note in thought.notes if note.answered)
        so_far = None if changes is None else thought.so_far
        return await self._give(seat, number, thought.answer, why, so_far, changes)

    async def _give_plain(self, seat: Seat, number: int) -> None:
        """The simplest legal answer, where nobody could think of another; without one the battle is stuck."""
        try:
            plain = await self._at.look(self._at.playing.plain, seat.player, number)
            if isinstance(plain, Refused):
                return  # it is wanted no more
            stuck = _is_refused(await self._give(seat, number, plain, "The usual answer."))
        except LookupError:
            stuck = True
        if stuck:
            log.error("Battle %s is stuck at question %s.", self._at.id, number)
            self._left.add(number)
            self._tell_all(STUCK)

    def _leave(self, seat: Seat, number: int, changes: int) -> bool:
        """Leave a question to the person, unless something else may answer it now; says whether it was left."""
        if self._changes[seat.player] != changes:
            return False
        self._left.add(number)
        return True

    async def _lose(self, seat: Seat, number: int, changes: int) -> bool:
        """Let the model take it that falls first; says whether somebody had said who.

        Where that costs what the end of another would not, whoever said so thinks again.
        """
        found = await self._at.look(self._at.playing.victim, seat, number) if seat.falls else None
        if found is None:
            return False
        victim, dear = found
        if not dear or seat.plays != PERSON or self._at.clocks.has_fallen(seat.player):
            # Who falls first may have been said anew while this was looked up.
            refused = await self._give(seat, number, victim, "You said who falls first.", changes=changes)
            return not _is_refused(refused)
        if self._leave(seat, number, changes):
            self._at.tell(seat.player, protocol.Left(decision=number))
            self._at.calling.call(seat.player)
        return True

    async def _thought(self, seat: Seat, scene: Scene) -> Thought | None:
        """What orders, or a computer player, come to; None where nobody could think."""
        try:
            return await self._think(seat, scene)
        except (NoThought, UserError) as error:
            assert scene.decision is not None
            log.warning("Nobody could think about question %s of battle %s: %s", scene.decision.id, self._at.id, error)
            return None

    async def _think(self, seat: Seat, scene: Scene) -> Thought:
        mind: Any = mind_of(self._at.id, seat)
        if seat.plays == PERSON:
            # Without time and without orders, those decide that most players would give.
            orders = self._orders.get(seat.player) or default_orders(self._at.playing.battle.system)
            mind = Standing(orders, self._so_far[seat.player])
        thought: Thought = await self._worked_out("choose", scene, mind)
        return thought

    async def _worked_out(self, job: str, *arguments: Any) -> Any:
        """Who sits there waits for it; where nobody does, all who ask for something have their turns, too."""
        awaited = any(client.player != SPECTATOR for client in self._at.clients)
        asker = self._at.id if awaited else NOBODY
        return await self._at.thinking.run(job, *arguments, urgent=awaited, asker=asker)

    async def _usual(self, scene: Scene) -> Thought | None:
        """What one key would answer, for who has no time left."""
        try:
            found = await self._worked_out("default", scene)
        except (NoThought, UserError):
            return None
        return Thought(found[0].answer, False, ()) if found else None

    async def _give(
        self,
        seat: Seat,
        number: int,
        answer: Any,
        why: str,
        so_far: tuple[Remembered, ...] | None = None,
        changes: int | None = None,
    ) -> Refused | None:
        """Give an automatic answer; with a number of changes only if what answers for the seat is the same still."""
        nonce = f"{BY_ITSELF}{number}"

        def holds() -> bool:
            return changes is None or self._changes[seat.player] == changes

        return await self._at.lanes.whole(
            self._at.give(seat.player, number, answer, nonce, lambda _: None, why, so_far, holds=holds)
        )

    def _note(self, player: int, notes: tuple[Note, ...]) -> None:
        for note in notes:
            self._at.tell(
                player, protocol.Noted(decision=note.decision, kind=note.kind, text=note.text, answered=note.answered)
            )

    async def set_fall(self, player: int, fall: Fall, by: Client | None = None) -> FromServer:
        """Who of a unit falls first."""
        async with self._at.lock:
            await self._at.lanes.engine(self._at.playing.check_fall, player, fall.unit, fall.models)
            store = self._at.lanes.store
            await self._at.lanes.disk(store.keep_fall, self._at.id, player, fall.unit, fall.models)
            seat = self._at.seats[player]
            kept = {unit: order for unit, order in seat.falls.items() if unit != fall.unit}
            if fall.models:
                kept[fall.unit] = fall.models
            self._at.seats[player] = seat._replace(falls=kept)
            self._reconsider(player)
        told = protocol.FallsKept(falls=falls.shown(kept))
        self._at.tell(player, told, by)
        self.rouse()
        return told

    async def queue(self, player: int, answers: tuple[Queued, ...], by: Client | None = None) -> FromServer:
        """Answers to questions that are still to come."""
        async with self._at.lock:
            hurt = await self._at.lanes.engine(self._at.playing.hurt, player)
            await self._keep_queue(player, Queue(list(answers), hurt))
            self._reconsider(player)
        told = protocol.QueueLeft(left=len(answers), text="", back=[])
        self._at.tell(player, told, by)
        self.rouse()
        return told

    async def _keep_queue(self, player: int, queue: Queue) -> None:
        await self._at.keep_place(player, queue=queue.written())
        self._queues[player] = queue

    async def give_up(self, player: int, why: str) -> None:
        """Forget what waits for a seat, and say why: now, or to who comes."""
        for dropped in self.to_drop(why, player):
            await self._at.lanes.disk(self._at.lanes.store.give_up, self._at.id, dropped)
            self.drop(dropped, await self._at.lanes.engine(self._at.playing.count))

    def to_drop(self, why: str, only: int | None = None) -> tuple[Dropped, ...]:
        """What waits for seats, or for one alone, and would be given up."""
        text = f"The rest of what you planned was not done: {why}."
        return tuple(
            Dropped(player, GivenUp(text, queue.answers).written())
            for player, queue in self._queues.items()
            if queue and only in (None, player)
        )

    def drop(self, dropped: Dropped, events: int) -> None:
        """What waited for a seat is gone from what is stored, and its player hears why; so many events there are."""
        self.shorten(dropped.player, Queue(), events)
        self._at.seats[dropped.player] = self._at.seats[dropped.player]._replace(notice=dropped.notice)
        self.tell_given_up(dropped.player)

    def tell_given_up(self, player: int) -> None:
        """Tell what became of a plan, as soon as anybody is there to hear it."""
        seat = self._at.seats[player]
        if seat.notice and self._at.is_there(player):
            self._at.tell(player, GivenUp.read(seat.notice).told())
            self._at.seats[player] = seat._replace(notice=b"")
            self._at.lanes.later(self._forget_notice(player))

    async def _forget_notice(self, player: int) -> None:
        try:
            await self._at.lanes.disk(self._at.lanes.store.heard, self._at.id, player)
        except Exception:
            log.exception("Battle %s will tell again what was given up.", self._at.id)

    async def _answer_queued(self, seat: Seat, scene: Scene) -> bool:
        """Give the answer that waits for a question; says whether there was one."""
        asked, player = scene.decision, seat.player
        assert asked is not None
        async with self._at.lock:
            queue = self._queues[player]
            if not queue:
                return False
            if isinstance(await self._at.lanes.engine(self._at.playing.asked, player, asked.id), Refused):
                return True  # it is wanted no more, and says nothing about what waits
            spoilt = queue.spoilt_by(asked, await self._at.lanes.engine(self._at.playing.hurt, player))
            if spoilt:
                await self.give_up(player, spoilt)
                return False
        if not queue.fits(asked):
            return False
        nonce = f"{BY_ITSELF}{asked.id}"
        first, why = queue.answers[0].answer, "It was planned before."
        rest = Queue(queue.answers[1:], queue.hurt)
        refused = await self._at.lanes.whole(
            self._at.give(
                player,
                asked.id,
                first,
                nonce,
                lambda _: None,
                why,
                rest=rest,
                holds=lambda: self.waits(player, queue),
            )
        )
        if refused is None:
            self._at.tell(player, protocol.QueueLeft(left=len(rest.answers), text="", back=[]))
            return True
        if not _is_refused(refused):
            return True
        async with self._at.lock:
            if self.waits(player, queue):
                await self.give_up(player, refused.text.rstrip("."))
        return False

    def waits(self, player: int, queue: Queue) -> bool:
        """Whether this is still what waits for a seat."""
        return self._queues[player] is queue

    def shorten(self, player: int, rest: Queue, events: int) -> None:
        """The first of what waited was done, the last of so many events, and stored together with what is left."""
        self._queues[player] = rest
        self._worked_off[player] = events
        seat = self._at.seats[player]
        self._at.seats[player] = seat._replace(place=seat.place._replace(queue=rest.written()))


def _is_refused(refused: Refused | None) -> bool:
    """Whether an automatic answer cannot be given: neither was it taken, nor is it wanted no more."""
    return refused is not None and refused.code not in ("not_open", "not_yours")


def given(seats: Iterable[Seat], system: System) -> dict[int, Orders]:
    """The orders of seats, which takes a while to read."""
    return {seat.player: _orders(seat.orders, system) for seat in seats if seat.orders}


def _orders(text: str, system: System) -> Orders:
    return default_orders(system) if text == DEFAULT else read_orders(text, worker.YOURS)


def _remembered(data: bytes) -> tuple[Remembered, ...]:
    return msgspec.json.decode(data, type=tuple[Remembered, ...]) if data else ()
