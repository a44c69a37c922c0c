"""Seats that answer by themselves: computer players, standing orders, answers that were given ahead, fallen flags."""

from __future__ import annotations

import asyncio
import logging
import weakref
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

import msgspec

from sandtable.battle.system import System
from sandtable.errors import UserError
from sandtable.players import Note, Remembered, default_orders, read_orders
from sandtable.players.standing import Orders, doubtful_kinds
from sandtable.server import falls, protocol, worker
from sandtable.server.playing import is_automatic, mind_of
from sandtable.server.protocol import Fall, FromServer, Queued, Refused, encode
from sandtable.server.queues import Queue, Taken
from sandtable.server.seats import PERSON, Seat
from sandtable.server.thinking import NoThought
from sandtable.server.worker import Scene, Standing, Thought

if TYPE_CHECKING:
    from sandtable.server.sitting import Sitting

DEFAULT: Final = "default"
"""The word for the standing orders that most players would give."""
SHORT: Final = 2_000
"""Characters of orders that are read as soon as an answer is judged; longer ones are read in a process beside."""
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

    async def give_orders(self, player: int, text: str) -> FromServer:
        """Standing orders for a seat."""
        try:
            orders = await self._read(text)
        except UserError as error:
            return Refused(code="malformed", text=str(error))
        await self._at.lanes.whole(self._give_orders(player, text, orders))
        self.rouse()
        return protocol.Ordered(text=text)

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
        if not self.is_busy and any(map(self.acts, self._at.seats)):
            self._task = asyncio.ensure_future(self._attend())

    def acts(self, seat: Seat) -> bool:
        """Whether a seat answers by itself, at least sometimes."""
        return is_automatic(seat) or self._at.clocks.has_fallen(seat.player)

    async def _attend(self) -> None:
        # While it is thought for, a battle stays, whoever else has let go of it.
        at = self._at
        try:
            while (asked := await self._next_automatic()) is not None:
                await self._answer_for(*asked)
        except (Spoilt, asyncio.CancelledError):
            return
        except Exception:
            log.exception("Battle %s cannot go on by itself.", at.id)

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
        assert scene.decision is not None
        number, person, changes = scene.decision.id, seat.plays == PERSON, self._changes[seat.player]
        if await self._answer_queued(seat, scene) or await self._lose(seat, number, changes):
            return
        if person and not seat.orders and not self._at.clocks.has_fallen(seat.player):
            if self._leave(seat, number, changes):
                self._at.call(seat.player)
            return
        try:
            thought = await self._thought(seat, scene)
        except (NoThought, UserError) as error:
            log.warning("Nobody could think about question %s of battle %s: %s", number, self._at.id, error)
            thought = None
        if person and (thought is None or thought.asks):
            if self._at.clocks.has_fallen(seat.player):
                person, thought = False, await self._usual(scene)
            elif not self._leave(seat, number, changes):
                return
            else:
                if thought is not None:
                    # What they left to the person they do not ask again.
                    self.remember(seat.player, thought.so_far)
                self._note(seat.player, thought.notes if thought else ())
                self._at.tell(seat.player, protocol.Left(decision=number))
                self._at.call(seat.player)
                return
        if thought is not None:
            why = " ".join(note.text for note in thought.notes if note.answered)
            # Orders that were replaced meanwhile have no say any more, and what was planned goes before them.
            if person and self._changes[seat.player] != changes:
                return
            if await self._gave(seat, number, thought.answer, why, thought.so_far if person else None):
                self._note(seat.player, thought.notes if person else ())
                return
        if person:
            self._leave(seat, number, changes)
            return
        try:
            plain = await self._at.look(self._at.playing.plain, seat.player, number)
            if isinstance(plain, Refused):
                return  # it is wanted no more
            given = await self._gave(seat, number, plain, "The usual answer.", None)
        except LookupError:
            given = False
        if not given:
            log.error("Battle %s is stuck at question %s.", self._at.id, number)
            self._left.add(number)
            stuck = encode(Refused(code="failed", text="The computer player cannot go on: take back, or concede."))
            for client in self._at.clients:
                client.send(stuck)

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
            return await self._gave(seat, number, victim, "You said who falls first.", None)
        if self._leave(seat, number, changes):
            self._at.tell(seat.player, protocol.Left(decision=number))
            self._at.call(seat.player)
        return True

    async def _thought(self, seat: Seat, scene: Scene) -> Thought:
        mind: Any = mind_of(self._at.id, seat)
        if seat.plays == PERSON:
            # Without time and without orders, those decide that most players would give.
            orders = self._orders.get(seat.player) or default_orders(self._at.playing.battle.system)
            mind = Standing(orders, self._so_far[seat.player])
        thought: Thought = await self._at.thinking.run("choose", scene, mind, urgent=True)
        return thought

    async def _usual(self, scene: Scene) -> Thought | None:
        """What one key would answer, for who has no time left."""
        try:
            found = await self._at.thinking.run("default", scene, urgent=True)
        except (NoThought, UserError):
            return None
        return Thought(found[0].answer, False, ()) if found else None

    async def _gave(
        self, seat: Seat, number: int, answer: Any, why: str, so_far: tuple[Remembered, ...] | None
    ) -> bool:
        """Whether an automatic answer was taken, or is wanted no more."""
        nonce = f"{BY_ITSELF}{number}"
        refused = await self._at.lanes.whole(
            self._at.give(seat.player, number, answer, nonce, lambda _: None, why, so_far)
        )
        return refused is None or refused.code in ("not_open", "not_yours")

    def _note(self, player: int, notes: tuple[Note, ...]) -> None:
        for note in notes:
            self._at.tell(
                player, protocol.Noted(decision=note.decision, kind=note.kind, text=note.text, answered=note.answered)
            )

    async def set_fall(self, player: int, fall: Fall) -> FromServer:
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
        self._at.tell(player, told)
        self.rouse()
        return told

    async def queue(self, player: int, answers: tuple[Queued, ...]) -> FromServer:
        """Answers to questions that are still to come."""
        async with self._at.lock:
            hurt = await self._at.lanes.engine(self._at.playing.hurt, player)
            await self._keep_queue(player, Queue(list(answers), hurt))
            self._reconsider(player)
        self.rouse()
        return protocol.QueueLeft(left=len(answers), text="", back=[])

    async def _keep_queue(self, player: int, queue: Queue) -> None:
        self._queues[player] = queue
        await self._at.keep_place(player, queue=queue.written())

    async def give_up(self, player: int, why: str) -> None:
        """Forget what waits for a seat, and say why."""
        await self._at.keep_place(player, queue=b"")
        self.drop(player, why)

    def drop(self, player: int, why: str) -> None:
        """What waited for a seat is gone from what is stored, and its player hears why."""
        back, self._queues[player] = self._queues[player].answers, Queue()
        if back:
            told = protocol.QueueLeft(left=0, text=f"The rest of what you planned was not done: {why}.", back=back)
            self._at.tell(player, told)

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
            self._at.give(player, asked.id, first, nonce, lambda _: None, why, taken=Taken(queue, rest))
        )
        if refused is None:
            self._at.tell(player, protocol.QueueLeft(left=len(rest.answers), text="", back=[]))
            return True
        if refused.code in ("not_open", "not_yours"):
            return True
        async with self._at.lock:
            if self.waits(player, queue):
                await self.give_up(player, refused.text.rstrip("."))
        return False

    def waits(self, player: int, queue: Queue) -> bool:
        """Whether this is still what waits for a seat."""
        return self._queues[player] is queue

    def shorten(self, player: int, rest: Queue) -> None:
        """The first of what waited was done, and stored together with what is left."""
        self._queues[player] = rest
        seat = self._at.seats[player]
        self._at.seats[player] = seat._replace(place=seat.place._replace(queue=rest.written()))


def given(seats: Iterable[Seat], system: System) -> dict[int, Orders]:
    """The orders of seats, which takes a while to read."""
    return {seat.player: _orders(seat.orders, system) for seat in seats if seat.orders}


def _orders(text: str, system: System) -> Orders:
    return default_orders(system) if text == DEFAULT else read_orders(text, worker.YOURS)


def _remembered(data: bytes) -> tuple[Remembered, ...]:
    return msgspec.json.decode(data, type=tuple[Remembered, ...]) if data else ()
