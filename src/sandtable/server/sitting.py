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
from sandtable.players import Remembered
from sandtable.players.table import Takebacks
from sandtable.server import hooks, protocol
from sandtable.server.attending import Attending, Spoilt
from sandtable.server.clocks import Clocks
from sandtable.server.hooks import Hooks, News
from sandtable.server.lanes import Lanes
from sandtable.server.playing import Gained, Playing
from sandtable.server.protocol import SPECTATOR, Accepted, FromServer, Refused, encode
from sandtable.server.queues import Taken
from sandtable.server.seats import PERSON
from sandtable.server.store import Addition, Kept, Saved, Status
from sandtable.server.thinking import Thinking

MOST_CLIENTS: Final = 200
MOST_AT_SEAT: Final = 8
UNSURE: Final = "It is not certain that what you did was stored. Connect again, and send it again."
BY_CLIENT: Final = "c:"
"""How nonces of clients begin in the database; those of automatic answers begin otherwise."""

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
        self.lanes = lanes
        self.thinking = thinking
        self._hooks = hooks
        self._spoil = spoil
        self._leaves = len(saved.leaves)
        self._known = {(kept.player, kept.nonce): kept.decision for kept in saved.answers}
        self._waits = any(kept.waits for kept in saved.answers)
        """Whether answers wait for others."""
        self.lock = asyncio.Lock()
        self._request: Request | None = None
        self._requests = 0
        self.clocks = Clocks({s.player: s.place for s in self.seats})
        self._timer: asyncio.TimerHandle | None = None
        self._status = status
        self._called: dict[int, float] = {}
        """When the webhook of a seat was last called."""
        self._spoilt = False
        self.attending = Attending(self)
        self._wind()

    # ---------------------------------------------------------------------------------- coming and going

    @property
    def busy(self) -> bool:
        """Whether anybody is there, or thought for."""
        return bool(self.clients) or self.lock.locked() or self.attending.is_busy or self.clocks.running

    async def join(self, client: Client, hello: protocol.Hello) -> Refused | None:
        """Let somebody sit down, with all that there is to know, or what happened since."""
        at_seat = [c for c in self.clients if c.player == client.player]
        most = MOST_CLIENTS if client.player == SPECTATOR else MOST_AT_SEAT
        if len(at_seat) >= most:
            return Refused(code="not_possible", text=f"{most} are connected there already; close one of them first.")
        async with self.lock:
            seat, playing = client.player, self.playing
            text = None
            if hello.line >= 0:
                text = await self.lanes.engine(playing.resume, seat, hello.line, hello.since, hello.ask)
            if text is None:
                about = (
                    seat,
                    self.id,
                    self.title,
                    self.seats,
                    self.takebacks,
                    self.clocks.shown(),
                    self.attending.queued(seat),
                    hello.ask,
                )
                text = await self.lanes.engine(playing.welcome, *about)
            client.send(text)
            self.clients.add(client)
            if seat != SPECTATOR:
                self.lanes.later(self._saw(seat))
            request = self._request
            if request is not None and seat not in (SPECTATOR, request.player, *request.agreed):
                client.send(encode(self._asking(request)))
        self.touched = time.monotonic()
        self.attending.rouse()
        return None

    def leave(self, client: Client) -> None:
        """Somebody is gone."""
        if client in self.clients and client.player != SPECTATOR:
            self.lanes.later(self._saw(client.player))
        self.clients.discard(client)
        self.touched = time.monotonic()

    async def _saw(self, player: int) -> None:
        """Note down what was heard at a seat, for who comes back."""
        async with self.lock:
            if not self._spoilt:
                self._called.pop(player, None)
                await self.keep_place(player, seen=await self.lanes.engine(self.playing.count))

    async def keep_place(self, player: int, **changed: Any) -> None:
        place = self.seats[player].place._replace(**changed)
        await self.lanes.disk(partial(self.lanes.store.keep_place, self.id, player, **changed))
        self.seats[player] = self.seats[player]._replace(place=place)

    async def seat_taken(self, player: int) -> None:
        """Somebody claimed a seat."""
        self.seats[player] = self.seats[player]._replace(taken=True)
        self._wind()
        seats = await self.lanes.engine(self.playing.at_table, self.seats)
        for client in self.clients:
            client.send(encode(protocol.AtSeats(seats=seats)))

    # ---------------------------------------------------------------------------------- answers

    async def answer(self, client: Client, said: protocol.Answer) -> FromServer | None:
        """Answer a question; what is accepted is stored, then confirmed, then told to all."""

        def confirm(again: bool) -> None:
            told = Accepted(to=said.ask, decision=said.decision, nonce=said.nonce, again=again)
            client.send(encode(told))

        nonce = BY_CLIENT + said.nonce
        refused = await self.lanes.whole(self.give(client.player, said.decision, said.answer, nonce, confirm))
        if refused is None:
            self.attending.rouse()
        return refused

    async def give(
        self,
        player: int,
        number: int,
        answer: Any,
        nonce: str,
        confirm: Callable[[bool], None],
        why: str = "",
        so_far: tuple[Remembered, ...] | None = None,
        taken: Taken | None = None,
    ) -> Refused | None:
        """`confirm` is called once it is stored, with True for an answer that had been accepted before."""
        async with self.lock:
            known = self._known.get((player, nonce))
            if known is not None and known != number:
                return Refused(code="malformed", text="That nonce belongs to the answer to another question.")
            if known is not None:
                confirm(True)
                return None
            if taken is not None and not self.attending.waits(player, taken.queue):
                return Refused(code="not_open", text="Something else was planned meanwhile.")
            gained = await self._do(self.playing.answer, player, number, answer, self._listeners())
            if isinstance(gained, Refused):
                return gained
            kept = Kept(player, nonce, number, gained.answer, why, gained.leaf is None)
            await self._keep(gained, kept, so_far, None if taken is None else taken.rest.written())
            self._known[player, nonce] = number
            if so_far is not None:
                self.attending.remember(player, so_far)
            if taken is not None:
                self.attending.shorten(player, taken.rest)
            confirm(False)
            self._forget_request()
            self._publish(gained)
            return None

    async def concede(self, player: int) -> FromServer | None:
        """Give the battle up."""
        return await self.lanes.whole(self._concede(player))

    async def _concede(self, player: int) -> FromServer | None:
        async with self.lock:
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
            return await self.lanes.engine(work, *arguments)
        except BrokenRule as error:
            log.exception("The rules failed in battle %s.", self.id)
            return Refused(code="failed", text=str(error))
        except UserError as error:
            return Refused(code="not_possible", text=str(error))

    async def _keep(
        self,
        gained: Gained,
        kept: Kept | None = None,
        so_far: tuple[Remembered, ...] | None = None,
        queue: bytes | None = None,
    ) -> None:
        """Store what happened; if that fails, the battle goes back to what is stored."""
        memory = None if so_far is None else msgspec.json.encode(so_far)
        ends = self._waits and gained.leaf is not None
        times = self.clocks.readings()
        addition = Addition(self.id, self._leaves, gained.leaf, gained.status, kept, memory, ends, times, queue)
        try:
            await self.lanes.keep(addition)
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
            self.clocks.add(status.active)
        self._wind()
        for seat in self.seats:
            new = seat.player in status.asked and seat.player not in before.asked
            if status.result is not None or (new and not self.attending.acts(seat)):
                self.call(seat.player)

    def _wind(self) -> None:
        """Let the clocks of those run who are asked, once everybody is there who plays."""
        if not self.clocks:
            return
        ready = self._status.result is None and all(seat.taken for seat in self.seats)
        self.clocks.run(self._status.asked if ready else ())
        if self._timer is not None:
            self._timer.cancel()
        falls = self.clocks.until_a_flag_falls()
        self._timer = None if falls is None else asyncio.get_running_loop().call_later(falls, self._flag)
        shown = encode(protocol.ClocksShown(clocks=self.clocks.shown()))
        for client in tuple(self.clients):
            client.send(shown)

    def _flag(self) -> None:
        self._wind()
        self.attending.look_again()
        self.attending.rouse()

    async def pause(self, player: int) -> FromServer | None:
        """Stop the clocks if all agree, or let them run again."""
        if not self.clocks:
            return Refused(code="not_possible", text="This battle is played without clocks.")
        if self.clocks.paused:
            self.clocks.paused = False
            self._wind()
            return None
        return await self.lanes.whole(self._ask_for(player, 0, "a pause"))

    def call(self, player: int) -> None:
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
        async with self.lock:
            await self.keep_place(player, hook=kept)
        self._called.pop(player, None)
        return protocol.HookKept(url=kept)

    async def recap(self, player: int, since: int) -> FromServer:
        """The battle as a seat saw it when it was last there."""
        data = await self.look(self.playing.journal)
        return protocol.RecapShown(since=since, view=await self.thinking.run("recap", data, player, since))

    # ---------------------------------------------------------------------------------- taking back

    async def take_back(self, player: int) -> FromServer | None:
        """Take the last answer of a seat back, or ask the others for it."""
        return await self.lanes.whole(self._take_back(player))

    async def _take_back(self, player: int) -> FromServer | None:
        async with self.lock:
            try:
                wanted = await self.lanes.engine(self.playing.wanted, player)
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
        async with self.lock:
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
        self.clocks.paused = True
        self._wind()
        return None

    def _asking(self, request: Request) -> protocol.Asking:
        wish = f"an answer back, although {request.learnt} since" if request.back else request.learnt
        text = f"{self._name(request.player)} wants {wish}. Do you agree?"
        return protocol.Asking(request=request.number, player=request.player, text=text)

    async def consent(self, player: int, said: protocol.Consent) -> FromServer | None:
        """Agree, or not, to what another player asked for."""
        return await self.lanes.whole(self._consent(player, said))

    async def _consent(self, player: int, said: protocol.Consent) -> FromServer | None:
        async with self.lock:
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
        self.attending.look_again()
        events = await self.lanes.engine(self.playing.count)
        for seat in tuple(self.seats):
            if self.attending.queued(seat.player):
                await self.attending.give_up(seat.player, "something was taken back")
            if seat.place.seen > events:
                await self.keep_place(seat.player, seen=events)
        self._publish(gained)
        self.attending.rouse()
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
        async with self.lock:
            return await self.lanes.engine(work, *arguments)

    async def think(self, job: str, player: int, number: int | None, *arguments: Any) -> Any:
        """Have a worker answer a question about the battle as a seat sees it; a refusal where nothing is asked."""
        scene = await self.look(self.playing.scene, player, number)
        return scene if isinstance(scene, Refused) else await self.thinking.run(job, scene, *arguments)

    async def reference(self, phase: str) -> Any:
        """Have a worker look up the rules of a phase."""
        return await self.thinking.run("reference", self.playing.battle.system.id, phase)

    async def rules(self, ids: tuple[str, ...]) -> Any:
        """Have a worker look rules up."""
        return await self.thinking.run("rules", ids)

    async def close(self) -> None:
        """Stop thinking, and the clocks with it."""
        if self._timer is not None:
            self._timer.cancel()
        await self.attending.close()

    def tell(self, player: int, said: FromServer) -> None:
        """Say something to everybody at a seat."""
        for client in self.clients:
            if client.player == player:
                client.send(encode(said))
