"""A battle and who sits around it: one lock, in which answers are judged, stored and told, in this order."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from functools import partial
from typing import Any, Final, NamedTuple, Protocol, TypeVar

import msgspec

from sandtable.battle.machine import BrokenRule
from sandtable.errors import UserError
from sandtable.players import Note, Remembered, default_orders, read_orders
from sandtable.players.standing import Orders
from sandtable.players.table import Takebacks
from sandtable.server import hooks, protocol
from sandtable.server.clocks import Clocks
from sandtable.server.hooks import Hooks, News
from sandtable.server.lanes import Lanes
from sandtable.server.playing import Gained, Playing, is_automatic, mind_of
from sandtable.server.protocol import SPECTATOR, Accepted, FromServer, Queued, Refused, encode
from sandtable.server.queues import Queue
from sandtable.server.seats import PERSON, Seat
from sandtable.server.store import Addition, Kept, Saved, Status
from sandtable.server.thinking import NoThought, Thinking
from sandtable.server.worker import Scene, Standing, Thought

DEFAULT: Final = "default"
"""The word for the standing orders that most players would give."""
MOST_CLIENTS: Final = 200
MOST_AT_SEAT: Final = 8
UNSURE: Final = "It is not certain that what you did was stored. Connect again, and send it again."
BY_CLIENT, BY_ITSELF = "c:", "a:"
"""How nonces begin in the database, so that no client takes one that an automatic answer needs."""

T = TypeVar("T")
log = logging.getLogger("sandtable.server")


class Client(Protocol):
    """Somebody who is connected."""

    player: int

    def send(self, text: str) -> None:
        """Have a message sent; never waits."""
        ...

    def dismiss(self, code: int, text: str) -> None:
        """End the connection."""
        ...


class Request(NamedTuple):
    """A take-back, or a pause of the clocks, that waits for consent."""

    number: int
    player: int
    back: int
    """How many answers are wanted back; 0 for a pause."""
    learnt: str
    agreed: frozenset[int]


class Spoilt(Exception):
    """What happened could not be stored; the battle must be loaded again."""


class Sitting:
    """A battle in memory, with everybody who is connected to it."""

    def __init__(
        self,
        saved: Saved,
        playing: Playing,
        lanes: Lanes,
        thinking: Thinking,
        hooks: Hooks,
        spoil: Callable[[Sitting], None],
        status: Status,
    ) -> None:
        self.id = saved.id
        self.title = saved.title
        self.listed = saved.listed
        self.takebacks: Takebacks = msgspec.convert(saved.takebacks, Takebacks)
        self.playing = playing
        self.seats = list(saved.seats)
        self.clients: set[Client] = set()
        self.touched = time.monotonic()
        self._lanes = lanes
        self._thinking = thinking
        self._hooks = hooks
        self._spoil = spoil
        self._leaves = len(saved.leaves)
        self._known = {(kept.player, kept.nonce): kept.decision for kept in saved.answers}
        self._waits = any(kept.waits for kept in saved.answers)
        """Whether answers wait for others."""
        self._lock = asyncio.Lock()
        self._request: Request | None = None
        self._requests = 0
        self._orders = {s.player: self._read(s.orders) for s in self.seats if s.orders}
        self._so_far = {s.player: _remembered(s.so_far) for s in self.seats}
        self._left: set[int] = set()
        """Questions that standing orders leave to the person, or that nobody could answer."""
        self._queues = {s.player: Queue.read(s.place.queue) for s in self.seats}
        self._clocks = Clocks({s.player: s.place for s in self.seats})
        self._timer: asyncio.TimerHandle | None = None
        self._status = status
        self._called: dict[int, float] = {}
        """When the webhook of a seat was last called."""
        self._attending: asyncio.Task[None] | None = None
        self._spoilt = False
        self._wind()

    # ---------------------------------------------------------------------------------- coming and going

    @property
    def busy(self) -> bool:
        """Whether anybody is there, or thought for."""
        return bool(self.clients) or self._lock.locked() or self._is_attended() or self._clocks.running

    async def join(self, client: Client, hello: protocol.Hello) -> Refused | None:
        """Let somebody sit down, with all that there is to know, or what happened since."""
        at_seat = [c for c in self.clients if c.player == client.player]
        most = MOST_CLIENTS if client.player == SPECTATOR else MOST_AT_SEAT
        if len(at_seat) >= most:
            return Refused(code="not_possible", text=f"{most} are connected there already; close one of them first.")
        async with self._lock:
            seat, playing = client.player, self.playing
            text = None
            if hello.line >= 0:
                text = await self._lanes.engine(playing.resume, seat, hello.line, hello.since, hello.ask)
            if text is None:
                queued = len(self._queues[seat].answers) if seat != SPECTATOR else 0
                about = (seat, self.id, self.title, self.seats, self.takebacks, self._clocks.shown(), queued, hello.ask)
                text = await self._lanes.engine(playing.welcome, *about)
            client.send(text)
            self.clients.add(client)
            if seat != SPECTATOR:
                self._lanes.later(self._saw(seat))
            request = self._request
            if request is not None and seat not in (SPECTATOR, request.player, *request.agreed):
                client.send(encode(self._asking(request)))
        self.touched = time.monotonic()
        self.rouse()
        return None

    def leave(self, client: Client) -> None:
        """Somebody is gone."""
        if client in self.clients and client.player != SPECTATOR:
            self._lanes.later(self._saw(client.player))
        self.clients.discard(client)
        self.touched = time.monotonic()

    async def _saw(self, player: int) -> None:
        """Note down what was heard at a seat, for who comes back."""
        async with self._lock:
            if not self._spoilt:
                self._called.pop(player, None)
                await self._keep_place(player, seen=await self._lanes.engine(self.playing.count))

    async def _keep_place(self, player: int, **changed: Any) -> None:
        place = self.seats[player].place._replace(**changed)
        await self._lanes.disk(partial(self._lanes.store.keep_place, self.id, player, **changed))
        self.seats[player] = self.seats[player]._replace(place=place)

    async def seat_taken(self, player: int) -> None:
        """Somebody claimed a seat."""
        self.seats[player] = self.seats[player]._replace(taken=True)
        self._wind()
        seats = await self._lanes.engine(self.playing.at_table, self.seats)
        for client in self.clients:
            client.send(encode(protocol.AtSeats(seats=seats)))

    # ---------------------------------------------------------------------------------- answers

    async def answer(self, client: Client, said: protocol.Answer) -> FromServer | None:
        """Answer a question; what is accepted is stored, then confirmed, then told to all."""

        def confirm(again: bool) -> None:
            told = Accepted(to=said.ask, decision=said.decision, nonce=said.nonce, again=again)
            client.send(encode(told))

        nonce = BY_CLIENT + said.nonce
        refused = await self._lanes.whole(self._answer(client.player, said.decision, said.answer, nonce, confirm))
        if refused is None:
            self.rouse()
        return refused

    async def _answer(
        self,
        player: int,
        number: int,
        answer: Any,
        nonce: str,
        confirm: Callable[[bool], None],
        why: str = "",
        so_far: tuple[Remembered, ...] | None = None,
    ) -> Refused | None:
        """`confirm` is called once it is stored, with True for an answer that had been accepted before."""
        async with self._lock:
            known = self._known.get((player, nonce))
            if known is not None and known != number:
                return Refused(code="malformed", text="That nonce belongs to the answer to another question.")
            if known is not None:
                confirm(True)
                return None
            gained = await self._do(self.playing.answer, player, number, answer, self._listeners())
            if isinstance(gained, Refused):
                return gained
            kept = Kept(player, nonce, number, gained.answer, why, gained.leaf is None)
            await self._keep(gained, kept, so_far)
            self._known[player, nonce] = number
            if so_far is not None:
                self._so_far[player] = so_far
            confirm(False)
            self._forget_request()
            self._publish(gained)
            return None

    async def concede(self, player: int) -> FromServer | None:
        """Give the battle up."""
        return await self._lanes.whole(self._concede(player))

    async def _concede(self, player: int) -> FromServer | None:
        async with self._lock:
            gained = await self._do(self.playing.concede, player, self._listeners())
            if isinstance(gained, Refused):
                return gained
            await self._keep(gained)
            self._forget_request()
            self._publish(gained)
            return None

    async def _do(self, work: Callable[..., Gained | Refused], *arguments: Any) -> Gained | Refused:
        """Change the battle; rules that fail leave it as it was."""
        if self._spoilt:
            raise Spoilt(UNSURE)
        self.touched = time.monotonic()
        try:
            return await self._lanes.engine(work, *arguments)
        except BrokenRule as error:
            log.exception("The rules failed in battle %s.", self.id)
            return Refused(code="failed", text=str(error))
        except UserError as error:
            return Refused(code="not_possible", text=str(error))

    async def _keep(
        self, gained: Gained, kept: Kept | None = None, so_far: tuple[Remembered, ...] | None = None
    ) -> None:
        """Store what happened; if that fails, the battle goes back to what is stored."""
        memory = None if so_far is None else msgspec.json.encode(so_far)
        ends = self._waits and gained.leaf is not None
        times = self._clocks.readings()
        addition = Addition(self.id, self._leaves, gained.leaf, gained.status, kept, memory, ends, times)
        try:
            await self._lanes.keep(addition)
        except Exception as error:
            log.exception("Battle %s could not be stored.", self.id)
            # What is in memory is ahead of what is stored, and nothing may be built on it.
            self._spoilt = True
            self._spoil(self)
            raise Spoilt(UNSURE) from error
        self._leaves += gained.leaf is not None
        self._waits = gained.leaf is None

    def _listeners(self) -> tuple[int, ...]:
        return tuple({client.player for client in self.clients})

    def _publish(self, gained: Gained) -> None:
        for client in tuple(self.clients):
            client.send(gained.told[client.player])
        self._stand(gained.status)

    # ---------------------------------------------------------------------------------- time and place

    def _stand(self, status: Status) -> None:
        """The battle stands somewhere else: clocks change, and who is asked but not there hears of it."""
        before, self._status = self._status, status
        if status.phase != before.phase:
            self._clocks.add(status.active)
        self._wind()
        for seat in self.seats:
            new = seat.player in status.asked and seat.player not in before.asked
            if status.result is not None or (new and not self._acts(seat)):
                self._call(seat.player)

    def _wind(self) -> None:
        """Let the clocks of those run who are asked, once everybody is there who plays."""
        if not self._clocks:
            return
        ready = self._status.result is None and all(seat.taken for seat in self.seats)
        self._clocks.run(self._status.asked if ready else ())
        if self._timer is not None:
            self._timer.cancel()
        falls = self._clocks.until_a_flag_falls()
        self._timer = None if falls is None else asyncio.get_running_loop().call_later(falls, self._flag)
        shown = encode(protocol.ClocksShown(clocks=self._clocks.shown()))
        for client in tuple(self.clients):
            client.send(shown)

    def _flag(self) -> None:
        self._wind()
        self._left.clear()
        self.rouse()

    async def pause(self, player: int) -> FromServer | None:
        """Stop the clocks if all agree, or let them run again."""
        if not self._clocks:
            return Refused(code="not_possible", text="This battle is played without clocks.")
        if self._clocks.paused:
            self._clocks.paused = False
            self._wind()
            return None
        return await self._lanes.whole(self._ask_for(player, 0, "a pause"))

    def _call(self, player: int) -> None:
        """Tell the webhook of a seat, if nobody is there and it was not told just now."""
        seat, now = self.seats[player], time.monotonic()
        there = any(client.player == player for client in self.clients)
        if there or not seat.place.hook or now - self._called.get(player, -hooks.QUIET) < hooks.QUIET:
            return
        self._called[player] = now
        over = self._status.result is not None
        text = f"{self.title}: {'the battle is over' if over else f'your move, round {self._status.round}'}."
        self._hooks.tell(seat.place.hook, News(text, self.id, player, self._status.round))

    async def set_hook(self, player: int, url: str) -> FromServer:
        """The webhook of a seat."""
        try:
            kept = self._hooks.check(url) if url.strip() else ""
        except UserError as error:
            return Refused(code="not_possible", text=str(error))
        async with self._lock:
            await self._keep_place(player, hook=kept)
        self._called.pop(player, None)
        return protocol.HookKept(url=kept)

    async def queue(self, player: int, answers: tuple[Queued, ...]) -> FromServer:
        """Answers to questions that are still to come."""
        async with self._lock:
            hurt = await self._lanes.engine(self.playing.hurt, player)
            await self._keep_queue(player, Queue(list(answers), hurt))
            self._left.clear()
        self.rouse()
        return protocol.QueueLeft(left=len(answers), text="", back=[])

    async def _keep_queue(self, player: int, queue: Queue) -> None:
        self._queues[player] = queue
        await self._keep_place(player, queue=queue.written())

    async def _give_up(self, player: int, why: str) -> None:
        """Forget what waits for a seat, and say why."""
        back = self._queues[player].answers
        await self._keep_queue(player, Queue())
        told = protocol.QueueLeft(left=0, text=f"The rest of what you planned was not done: {why}.", back=back)
        self._send_to(player, told)

    async def _answer_queued(self, seat: Seat, scene: Scene) -> bool:
        """Give the answer that waits for a question; says whether there was one."""
        asked, player = scene.decision, seat.player
        queue = self._queues[player]
        assert asked is not None
        if not queue:
            return False
        async with self._lock:
            spoilt = queue.spoilt_by(asked, await self._lanes.engine(self.playing.hurt, player))
            if spoilt:
                await self._give_up(player, spoilt)
                return False
        if not queue.fits(asked):
            return False
        nonce = f"{BY_ITSELF}{asked.id}"
        answer, why = queue.answers[0].answer, "It was planned before."
        refused = await self._lanes.whole(self._answer(player, asked.id, answer, nonce, lambda _: None, why))
        async with self._lock:
            if self._queues[player] is not queue:
                return True
            if refused is not None and refused.code not in ("not_open", "not_yours"):
                await self._give_up(player, refused.text.rstrip("."))
                return False
            await self._keep_queue(player, Queue(queue.answers[1:], queue.hurt))
        self._send_to(player, protocol.QueueLeft(left=len(queue.answers) - 1, text="", back=[]))
        return True

    async def recap(self, player: int, since: int) -> FromServer:
        """The battle as a seat saw it when it was last there."""
        data = await self.look(self.playing.journal)
        return protocol.RecapShown(since=since, view=await self._thinking.run("recap", data, player, since))

    def _send_to(self, player: int, told: FromServer) -> None:
        for client in self.clients:
            if client.player == player:
                client.send(encode(told))

    # ---------------------------------------------------------------------------------- taking back

    async def take_back(self, player: int) -> FromServer | None:
        """Take the last answer of a seat back, or ask the others for it."""
        return await self._lanes.whole(self._take_back(player))

    async def _take_back(self, player: int) -> FromServer | None:
        async with self._lock:
            try:
                wanted = await self._lanes.engine(self.playing.wanted, player)
            except UserError as error:
                return Refused(code="not_possible", text=str(error))
            others = [s for s in self.seats if s.player != player]
            if wanted.learnt and self.takebacks == "until-dice":
                return Refused(code="not_agreed", text=f"That cannot be taken back: {wanted.learnt} since.")
            if wanted.learnt and self.takebacks == "agreed":
                if any(s.plays != PERSON for s in others):
                    return Refused(code="not_agreed", text=f"A computer player does not agree: {wanted.learnt} since.")
                self._put(player, wanted.back, wanted.learnt)
                return None
            return await self._undo(player, wanted.back)

    async def _ask_for(self, player: int, back: int, learnt: str) -> FromServer | None:
        async with self._lock:
            if all(s.plays != PERSON or s.player == player for s in self.seats):
                return await self._agree(Request(0, player, back, learnt, frozenset()))
            self._put(player, back, learnt)
            return None

    def _put(self, player: int, back: int, learnt: str) -> None:
        """Put a request to the others."""
        self._forget_request()
        self._requests += 1
        computers = {s.player for s in self.seats if s.plays != PERSON}
        self._request = Request(self._requests, player, back, learnt, frozenset([player, *computers]))
        for client in self.clients:
            if client.player != SPECTATOR:
                client.send(encode(self._asking(self._request)))

    async def _agree(self, request: Request) -> FromServer | None:
        """Do what all agree to."""
        if request.back:
            return await self._undo(request.player, request.back)
        self._clocks.paused = True
        self._wind()
        return None

    def _asking(self, request: Request) -> protocol.Asking:
        wish = f"an answer back, although {request.learnt} since" if request.back else request.learnt
        text = f"{self._name(request.player)} wants {wish}. Do you agree?"
        return protocol.Asking(request=request.number, player=request.player, text=text)

    async def consent(self, player: int, said: protocol.Consent) -> FromServer | None:
        """Agree, or not, to what another player asked for."""
        return await self._lanes.whole(self._consent(player, said))

    async def _consent(self, player: int, said: protocol.Consent) -> FromServer | None:
        async with self._lock:
            request = self._request
            if request is None or request.number != said.request:
                return Refused(code="not_open", text="Nobody asks for that, or no longer.")
            if player == request.player and said.agree:
                return Refused(code="not_yours", text="The others must agree, not you.")
            if not said.agree:
                why = f": {request.learnt} since" if request.back else ""
                text = f"{self._name(player)} does not agree{why}."
                self._forget_request(text)
                return None
            self._request = request = request._replace(agreed=request.agreed | {player})
            if len(request.agreed) < len(self.seats):
                return None
            self._request = None
            self._settle(request, True, "All agree.")
            return await self._agree(request)

    async def _undo(self, player: int, count: int) -> FromServer | None:
        text = f"{self._name(player)} took an answer back."
        gained = await self._do(self.playing.undo, count, text, self._listeners())
        if isinstance(gained, Refused):
            return gained
        await self._keep(gained)
        self._forget_request()
        self._left.clear()
        events = await self._lanes.engine(self.playing.count)
        for seat in tuple(self.seats):
            if self._queues[seat.player]:
                await self._give_up(seat.player, "something was taken back")
            if seat.place.seen > events:
                await self._keep_place(seat.player, seen=events)
        self._publish(gained)
        self.rouse()
        return None

    def _forget_request(self, why: str = "The battle went on.") -> None:
        request, self._request = self._request, None
        if request is not None:
            self._settle(request, False, why)

    def _settle(self, request: Request, agreed: bool, text: str) -> None:
        for client in self.clients:
            if client.player != SPECTATOR:
                client.send(encode(protocol.Settled(request=request.number, agreed=agreed, text=text)))

    def _name(self, player: int) -> str:
        return str(self.playing.battle.player(player).name)

    # ---------------------------------------------------------------------------------- questions

    async def look(self, work: Callable[..., T], *arguments: Any) -> T:
        """Ask the engine about the battle as it is now."""
        async with self._lock:
            return await self._lanes.engine(work, *arguments)

    async def think(self, job: str, player: int, number: int | None, *arguments: Any) -> Any:
        """Have a worker answer a question about the battle as a seat sees it; a refusal where nothing is asked."""
        scene = await self.look(self.playing.scene, player, number)
        return scene if isinstance(scene, Refused) else await self._thinking.run(job, scene, *arguments)

    async def reference(self, phase: str) -> Any:
        """Have a worker look up the rules of a phase."""
        return await self._thinking.run("reference", self.playing.battle.system.id, phase)

    async def rules(self, ids: tuple[str, ...]) -> Any:
        """Have a worker look rules up."""
        return await self._thinking.run("rules", ids)

    # ---------------------------------------------------------------------------------- seats that answer by themselves

    async def give_orders(self, player: int, text: str) -> FromServer:
        """Standing orders for a seat."""
        try:
            self._read(text)
        except UserError as error:
            return Refused(code="malformed", text=str(error))
        await self._lanes.whole(self._give_orders(player, text))
        self.rouse()
        return protocol.Ordered(text=text)

    async def _give_orders(self, player: int, text: str) -> None:
        async with self._lock:
            await self._lanes.disk(self._lanes.store.give_orders, self.id, player, text)
            self.seats[player] = self.seats[player]._replace(orders=text)
            self._so_far[player] = ()
            self._orders.pop(player, None)
            if text:
                self._orders[player] = self._read(text)
            self._left.clear()

    def _read(self, text: str) -> Orders:
        if text == DEFAULT:
            return default_orders(self.playing.battle.system)
        return read_orders(text, "Your orders")

    def _is_attended(self) -> bool:
        return self._attending is not None and not self._attending.done()

    def rouse(self) -> None:
        """Let seats that answer by themselves do so, if one of them is asked."""
        if not self._is_attended() and any(map(self._acts, self.seats)):
            self._attending = asyncio.ensure_future(self._attend())

    def _acts(self, seat: Seat) -> bool:
        """Whether a seat answers by itself, at least sometimes."""
        return is_automatic(seat) or self._clocks.has_fallen(seat.player)

    async def close(self) -> None:
        """Stop thinking, and the clocks with it."""
        if self._timer is not None:
            self._timer.cancel()
        if self._attending is not None:
            self._attending.cancel()
            await asyncio.wait([self._attending])

    async def _attend(self) -> None:
        try:
            while (asked := await self._next_automatic()) is not None:
                await self._answer_for(*asked)
        except (Spoilt, asyncio.CancelledError):
            return
        except Exception:
            log.exception("Battle %s cannot go on by itself.", self.id)

    async def _next_automatic(self) -> tuple[Seat, Scene] | None:
        """The next question that a seat answers by itself, with what it may see."""
        async with self._lock:
            for number, player in await self._lanes.engine(self.playing.open_numbers):
                if number not in self._left and self._acts(self.seats[player]):
                    scene = await self._lanes.engine(self.playing.scene, player, number)
                    if isinstance(scene, Scene):
                        return self.seats[player], scene
        return None

    async def _answer_for(self, seat: Seat, scene: Scene) -> None:
        assert scene.decision is not None
        number, person = scene.decision.id, seat.plays == PERSON
        if await self._answer_queued(seat, scene):
            return
        if person and not seat.orders and not self._clocks.has_fallen(seat.player):
            self._left.add(number)
            self._call(seat.player)
            return
        try:
            thought = await self._thought(seat, scene)
        except (NoThought, UserError) as error:
            log.warning("Nobody could think about question %s of battle %s: %s", number, self.id, error)
            thought = None
        if person and (thought is None or thought.asks):
            if self._clocks.has_fallen(seat.player):
                person, thought = False, await self._usual(scene)
            else:
                self._left.add(number)
                self._note(seat.player, thought.notes if thought else ())
                self._tell(seat.player, protocol.Left(decision=number))
                self._call(seat.player)
                return
        if thought is not None:
            why = " ".join(note.text for note in thought.notes if note.answered)
            # Orders that were replaced meanwhile have no say any more.
            if person and seat.orders != self.seats[seat.player].orders:
                return
            if await self._gave(seat, number, thought.answer, why, thought.so_far if person else None):
                self._note(seat.player, thought.notes if person else ())
                return
        if person:
            self._left.add(number)
            return
        try:
            plain = await self.look(self.playing.plain, seat.player, number)
            if isinstance(plain, Refused):
                return  # it is wanted no more
            given = await self._gave(seat, number, plain, "The usual answer.", None)
        except LookupError:
            given = False
        if not given:
            log.error("Battle %s is stuck at question %s.", self.id, number)
            self._left.add(number)
            stuck = encode(Refused(code="failed", text="The computer player cannot go on: take back, or concede."))
            for client in self.clients:
                client.send(stuck)

    async def _thought(self, seat: Seat, scene: Scene) -> Thought:
        mind: Any = mind_of(self.id, seat)
        if seat.plays == PERSON:
            # Without time and without orders, those decide that most players would give.
            orders = self._orders.get(seat.player) or default_orders(self.playing.battle.system)
            mind = Standing(orders, self._so_far[seat.player])
        thought: Thought = await self._thinking.run("choose", scene, mind, urgent=True)
        return thought

    async def _usual(self, scene: Scene) -> Thought | None:
        """What one key would answer, for who has no time left."""
        try:
            found = await self._thinking.run("default", scene, urgent=True)
        except (NoThought, UserError):
            return None
        return Thought(found[0].answer, False, ()) if found else None

    async def _gave(
        self, seat: Seat, number: int, answer: Any, why: str, so_far: tuple[Remembered, ...] | None
    ) -> bool:
        """Whether an automatic answer was taken, or is wanted no more."""
        nonce = f"{BY_ITSELF}{number}"
        refused = await self._lanes.whole(self._answer(seat.player, number, answer, nonce, lambda _: None, why, so_far))
        return refused is None or refused.code in ("not_open", "not_yours")

    def _note(self, player: int, notes: tuple[Note, ...]) -> None:
        for note in notes:
            self._tell(
                player, protocol.Noted(decision=note.decision, kind=note.kind, text=note.text, answered=note.answered)
            )

    def _tell(self, player: int, said: FromServer) -> None:
        """Say something to everybody at a seat."""
        for client in self.clients:
            if client.player == player:
                client.send(encode(said))


def _remembered(data: bytes) -> tuple[Remembered, ...]:
    return msgspec.json.decode(data, type=tuple[Remembered, ...]) if data else ()
