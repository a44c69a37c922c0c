"""A battle and who sits around it: one lock, in which answers are judged, stored and told, in this order."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final, Protocol, TypeVar

import msgspec

from sandtable.battle.driving import BrokenRule
from sandtable.battle.rulings import Ruling
from sandtable.errors import UserError
from sandtable.players import Orders, Remembered
from sandtable.players.table import Takebacks
from sandtable.server import protocol
from sandtable.server.agreeing import Agreeing
from sandtable.server.attending import Attending, Spoilt
from sandtable.server.calling import Calling
from sandtable.server.clocks import Clocks
from sandtable.server.hooks import Hooks
from sandtable.server.lanes import Lanes
from sandtable.server.playing import Gained, Playing
from sandtable.server.protocol import SPECTATOR, Accepted, FromServer, Refused, encode
from sandtable.server.queues import Queue
from sandtable.server.searching import Searching
from sandtable.server.store.records import Addition, Dropped, Kept, Saved, Status
from sandtable.server.store.store import BY_CLIENT
from sandtable.server.thinking import Thinking

MOST_CLIENTS: Final = 200
MEASURED: Final = frozenset({"reach", "chance", "outlook", "odds"})
"""What takes a tape to find out, and so cannot be told where nothing is measured yet."""
MOST_AT_SEAT: Final = 8
UNSURE: Final = "It is not certain that what you did was stored. Connect again, and send it again."
AWAY: Final = "The battle was put away just now. Connect again, and send it again."
BROKEN: Final = "Something is broken here, and was written to the log; the battle goes back to before that."

T = TypeVar("T")
log = logging.getLogger("sandtable.server")


class Client(Protocol):
    """Somebody who is connected."""

    player: int

    def send(self, text: str) -> None:
        """Have a message sent; never waits."""
        ...

    def told(self, events: int) -> None:
        """So many events there are after what was sent last."""
        ...

    def dismiss(self, code: int, text: str) -> None:
        """End the connection."""
        ...


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
        orders: Mapping[int, Orders],
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
        self._spoil = spoil
        self._leaves = len(saved.leaves)
        self._known = {(kept.player, kept.nonce): kept.decision for kept in saved.answers}
        self._waits = any(kept.waits for kept in saved.answers)
        """Whether answers wait for others."""
        self.lock = asyncio.Lock()
        self.clocks = Clocks({s.player: s.place for s in self.seats}, saved.paused)
        self._timer: asyncio.TimerHandle | None = None
        self.status = status
        self._reached = playing.reached | {status.phase}
        """Phases that have added to a clock, or never do."""
        self._spoilt = False
        """Whether it is ahead of what is stored, or was put away: what is stored is the battle."""
        self._events = 0
        """How many events there were when it last went on here."""
        self.went_on = False
        """Whether anything was stored since it was loaded."""
        self.searching = Searching(self)
        self.calling = Calling(self, hooks)
        self.attending = Attending(self, orders)
        self.agreeing = Agreeing(self)
        self.wind()

    # ---------------------------------------------------------------------------------- coming and going

    @property
    def busy(self) -> bool:
        """Whether anybody is there, or thought for, or is to be called."""
        return bool(self.clients) or self.calling.put_off or self._at_work

    @property
    def _at_work(self) -> bool:
        return self.lock.locked() or self.attending.is_busy or self.clocks.running

    @property
    def goes_on(self) -> bool:
        """Whether something happens in it without anybody's doing: then it must not be forgotten."""
        if self.status.result is not None:
            return False
        return self.calling.put_off or bool(self.clocks) or any(map(self.attending.acts, self.seats))

    def is_there(self, player: int) -> bool:
        """Whether anybody is connected at a seat."""
        return any(client.player == player for client in self.clients)

    @property
    def alone(self) -> bool:
        """Whether it goes on although nobody is there."""
        return self._at_work and not self.clients

    async def join(self, client: Client, hello: protocol.Hello) -> Refused | None:
        """Let somebody sit down, with all that there is to know, or what happened since."""
        seat, playing = client.player, self.playing
        most = MOST_CLIENTS if seat == SPECTATOR else MOST_AT_SEAT
        async with self.lock:
            if self._spoilt:
                raise Spoilt(AWAY)
            # Counted where others who come at the same time have to wait.
            if sum(other.player == seat for other in self.clients) >= most:
                text = f"{most} are connected there already; close one of them first."
                return Refused(code="not_possible", text=text)
            resumed = None
            if hello.line >= 0:
                back = (seat, hello.line, hello.since, hello.ask, self.seats)
                resumed = await self.lanes.engine(playing.resume, *back)
            if resumed is not None:
                news, seats = resumed
            else:
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
                news = await self.lanes.engine(playing.welcome, *about)
            client.send(news)
            client.told(await self.lanes.engine(playing.count))
            self.clients.add(client)
            if seat != SPECTATOR:
                self.lanes.later(self._saw(seat))
            if resumed is not None:
                for said in self._beside(seat, seats, hello.since):
                    client.send(encode(said))
            self.agreeing.remind(client, resumed is not None)
            self.attending.tell_given_up(seat)
        self.touched = time.monotonic()
        self.attending.rouse()
        return None

    def _beside(self, seat: int, seats: list[protocol.AtTable], since: int) -> list[FromServer]:
        """What may have changed without an event while somebody was away, who knows all events up to one."""
        said: list[FromServer] = [protocol.AtSeats(seats=seats)]
        if self.clocks:
            said.append(protocol.ClocksShown(clocks=self.clocks.shown()))
        return said if seat == SPECTATOR else said + self.attending.to_catch_up(seat, since)

    def leave(self, client: Client, heard: int | None = None, *, missed: bool = False) -> None:
        """Somebody is gone. Who did not say so, but was found gone, had surely heard so many events, and is missed."""
        was_there = client in self.clients and client.player != SPECTATOR
        self.clients.discard(client)
        if was_there:
            self.lanes.later(self._saw(client.player, heard))
            if missed and not self._spoilt:
                self.calling.miss(client.player, heard is not None and heard < self._events)
        self.searching.stop(client)
        self.touched = time.monotonic()

    async def _saw(self, player: int, heard: int | None = None) -> None:
        """Note down what was heard at a seat, for who comes back: all, or what somebody had surely heard."""
        async with self.lock:
            if not self._spoilt:
                events = await self.lanes.engine(self.playing.count)
                # Somebody else at the seat may have heard more.
                seen = events if heard is None else max(min(heard, events), self.seats[player].place.seen)
                await self.keep_place(player, seen=seen)

    async def keep_place(self, player: int, **changed: Any) -> None:
        place = self.seats[player].place._replace(**changed)
        await self.lanes.disk(partial(self.lanes.store.keep_place, self.id, player, **changed))
        self.seats[player] = self.seats[player]._replace(place=place)

    async def seat_taken(self, player: int) -> None:
        """Somebody claimed a seat."""
        self.seats[player] = self.seats[player]._replace(taken=True)
        self.wind()
        seats = await self.lanes.engine(self.playing.at_table, self.seats)
        for client in self.clients:
            client.send(encode(protocol.AtSeats(seats=seats)))

    # ---------------------------------------------------------------------------------- answers

    async def answer(self, client: Client, said: protocol.Answer) -> FromServer | None:
        """Answer a question; what is accepted is stored, then confirmed, then told to all."""

        def confirm(again: bool) -> None:
            told = Accepted(to=said.ask, decision=said.decision, nonce=said.nonce, again=again)
            client.send(encode(told))

        def fail() -> None:
            # Whoever only came back would send it again, and it would fail again.
            client.send(encode(Refused(to=said.ask, code="failed", text=BROKEN)))

        nonce = BY_CLIENT + said.nonce
        refused = await self.lanes.whole(
            self.give(client.player, said.decision, said.answer, nonce, confirm, fail=fail)
        )
        if refused is None:
            self.attending.rouse()
            return None
        if refused.verdict is not None:
            self.searching.follow(client, said, refused.verdict)
        return refused

    async def check(self, client: Client, said: protocol.Check) -> FromServer | None:
        """Whether an answer would be legal."""
        found = await self.look(self.playing.check, client.player, said.decision, said.answer)
        if isinstance(found, Refused):
            return found
        if not said.nearest:
            return protocol.Judged(verdict=found)
        return self.searching.reply(client, said, found)

    async def give(
        self,
        player: int,
        number: int,
        answer: Any,
        nonce: str,
        confirm: Callable[[bool], None],
        why: str = "",
        so_far: tuple[Remembered, ...] | None = None,
        rest: Queue | None = None,
        holds: Callable[[], bool] = lambda: True,
        fail: Callable[[], None] = lambda: None,
    ) -> Refused | None:
        """`confirm` is called once it is stored, with True for an answer that had been accepted before.

        It is given only if it `holds` still, and leaves the `rest` of a plan; `fail` is called where it cannot be told,
        and the battle goes back to what is stored.
        """
        async with self.lock:
            known = self._known.get((player, nonce))
            if known is not None and known != number:
                return Refused(code="malformed", text="That nonce belongs to the answer to another question.")
            if known is not None:
                confirm(True)
                return None
            if not holds():
                return Refused(code="not_open", text="Something else was ordered or planned meanwhile.")
            gained = await self._do(self.playing.answer, player, number, answer, self._listeners(), fail=fail)
            if isinstance(gained, Refused):
                return gained
            kept = Kept(player, nonce, number, gained.answer, why, gained.leaf is None)
            await self._keep(gained, kept, so_far, None if rest is None else rest.written())
            self._known[player, nonce] = number
            if so_far is not None:
                self.attending.remember(player, so_far)
            if rest is not None:
                self.attending.shorten(player, rest, gained.events)
            confirm(False)
            self.agreeing.forget()
            self._publish(gained)
            return None

    async def arm(self, player: int, orders: Orders) -> None:
        """Have the battle ask about the units that the orders of a seat arm; nobody else hears of it."""
        gained = await self._do(self.playing.arm, player, orders)
        if isinstance(gained, Refused):
            raise UserError(gained.text)
        if gained is not None:
            await self._keep(gained, answers=False)

    async def concede(self, player: int) -> FromServer | None:
        """Give the battle up."""
        return await self.lanes.whole(self._concede(player))

    async def _concede(self, player: int) -> FromServer | None:
        async with self.lock:
            gained = await self._do(self.playing.concede, player, self._listeners())
            if isinstance(gained, Refused):
                return gained
            await self._keep(gained)
            self.agreeing.forget()
            self._publish(gained)
            return None

    async def _do(
        self, work: Callable[..., T], *arguments: Any, fail: Callable[[], None] = lambda: None
    ) -> T | Refused:
        """Change the battle; rules that fail leave it as it was. What fails later has it go back to what is stored."""
        if self._spoilt:
            raise Spoilt(AWAY)
        self.touched = time.monotonic()
        try:
            return await self.lanes.engine(work, *arguments)
        except BrokenRule as error:
            log.exception("The rules failed in battle %s.", self.id)
            return Refused(code="failed", text=str(error))
        except UserError as error:
            return Refused(code="not_possible", text=str(error))
        except Exception as error:
            fail()
            raise self._go_back("went on, and it cannot be told how") from error

    async def _keep(
        self,
        gained: Gained,
        kept: Kept | None = None,
        so_far: tuple[Remembered, ...] | None = None,
        queue: bytes | None = None,
        *,
        answers: bool = True,
        seen: tuple[tuple[int, int], ...] = (),
        dropped: tuple[Dropped, ...] = (),
    ) -> None:
        """Store what happened; if that fails, the battle goes back to what is stored.

        Answers that wait for others go on waiting beside what is no answer.
        """
        memory = None if so_far is None else msgspec.json.encode(so_far)
        ends = self._waits and gained.leaf is not None and answers
        times = self.clocks.readings(None if gained.status.phase in self._reached else gained.status.active)
        about = (self.id, self._leaves, gained.leaf, gained.status, kept, memory, ends, times, queue, gained.story)
        calls = self.calling.change(self.status, gained.status)
        addition = Addition(*about, seen, dropped, *calls)
        try:
            await self.lanes.keep(addition)
        except Exception as error:
            raise self._go_back("could not be stored") from error
        self.went_on = True
        self.calling.changed(calls)
        self._leaves += gained.leaf is not None
        if answers:
            self._waits = gained.leaf is None

    def _go_back(self, why: str) -> Spoilt:
        """What is in memory is ahead of what is stored, and nothing may be built on it."""
        log.exception("Battle %s %s: it goes back to what is stored.", self.id, why)
        self._spoilt = True
        self._stop_timers()
        self._spoil(self)
        return Spoilt(UNSURE)

    def _listeners(self) -> tuple[int, ...]:
        return tuple({client.player for client in self.clients})

    def _publish(self, gained: Gained) -> None:
        self._events = gained.events
        for client in tuple(self.clients):
            client.send(gained.told[client.player])
            client.told(gained.events)
        self._stand(gained.status)

    # ---------------------------------------------------------------------------------- time and place

    def _stand(self, status: Status) -> None:
        """The battle stands somewhere else: clocks change, and who is asked but not there hears of it."""
        before, self.status = self.status, status
        if status.phase not in self._reached:
            self._reached.add(status.phase)
            self.clocks.add(status.active)
        self.wind()
        for seat in self.calling.whom(before, status):
            self.calling.call(seat.player)

    def wind(self) -> None:
        """Let the clocks of those run who are asked, once everybody is there who plays."""
        if not self.clocks:
            return
        ready = self.status.result is None and all(seat.taken for seat in self.seats)
        self.clocks.run(self.status.asked if ready else ())
        if self._timer is not None:
            self._timer.cancel()
        falls = self.clocks.until_a_flag_falls()
        self._timer = None if falls is None else asyncio.get_running_loop().call_later(falls, self._flag)
        shown = encode(protocol.ClocksShown(clocks=self.clocks.shown()))
        for client in tuple(self.clients):
            client.send(shown)

    async def pause(self, paused: bool) -> None:
        """Stop the clocks, or let them run again; who comes after a restart finds them so."""
        if self._spoilt:
            raise Spoilt(AWAY)
        self.clocks.paused = paused
        if paused:
            self.clocks.run(())  # what is stored is what they stopped at
        try:
            await self.lanes.disk(self.lanes.store.pause, self.id, paused, self.clocks.readings())
        except Exception:
            self.clocks.paused = not paused
            raise
        finally:
            self.wind()

    def _flag(self) -> None:
        self.wind()
        self.attending.look_again()
        self.attending.rouse()

    async def recap(self, player: int, since: int, replaying: Thinking) -> FromServer:
        """The battle as a seat saw it when it was last there."""
        data = await self.look(self.playing.journal)
        return protocol.RecapShown(since=since, view=await replaying.run("recap", data, player, since))

    # ---------------------------------------------------------------------------------- taking back

    async def undo(self, player: int, count: int) -> FromServer | None:
        """Take answers back that may be."""
        return await self._rewind("something was taken back", self.playing.undo, player, count)

    async def rule(self, ruling: Ruling) -> FromServer | None:
        """Carry out a correction that all agreed on."""
        return await self._rewind("something was corrected", self.playing.rule, ruling)

    async def _rewind(self, why: str, work: Callable[..., Gained | Refused], *arguments: Any) -> FromServer | None:
        """Change the past: what was thought about it, planned or seen since no longer holds."""
        gained = await self._do(work, *arguments, self._listeners())
        if isinstance(gained, Refused):
            return gained
        seen = tuple((seat.player, gained.events) for seat in self.seats if seat.place.seen > gained.events)
        # What nobody else had learnt anything from was no reason for their plans.
        dropped = self.attending.to_drop(why, gained.only)
        # A phase that is come back to adds nothing to a clock.
        self._reached.add(gained.status.phase)
        await self._keep(gained, seen=seen, dropped=dropped)
        for player, heard in seen:
            self.seats[player] = self.seats[player]._replace(place=self.seats[player].place._replace(seen=heard))
        self.agreeing.forget()
        self.attending.look_again()
        self._publish(gained)
        for gone in dropped:
            self.attending.drop(gone, gained.events)
        self.attending.rouse()
        return None

    def name(self, player: int) -> str:
        return str(self.playing.battle.player(player).name)

    # ---------------------------------------------------------------------------------- questions

    async def look(self, work: Callable[..., T], *arguments: Any) -> T:
        """Ask the engine about the battle as it is now."""
        async with self.lock:
            return await self.lanes.engine(work, *arguments)

    async def think(self, job: str, player: int, number: int | None, *arguments: Any) -> Any:
        """Have a worker answer a question about the battle as a seat sees it; a refusal where nothing is asked."""
        if job == "moment" and number is None:
            now, left_out = await self.look(self.playing.moment, player)
            return await self.thinking.run(job, now, *arguments, left_out)
        scene = await self.look(self.playing.scene, player, number, job if job in MEASURED else "")
        return scene if isinstance(scene, Refused) else await self.thinking.run(job, scene, *arguments)

    async def reference(self, phase: str, kind: str) -> Any:
        """Have a worker look up the rules of a phase, and of a kind of question."""
        return await self.thinking.run("reference", self.playing.battle.system.id, phase, kind)

    async def rules(self, ids: tuple[str, ...]) -> Any:
        """Have a worker look rules up."""
        return await self.thinking.run("rules", ids)

    def put_away(self) -> None:
        """Leave memory. Who has just come, and holds on to it, is told to come again."""
        self._spoilt = True
        self._stop_timers()
        self.lanes.later(self.lanes.engine(self.playing.put_away))

    async def close(self) -> None:
        """Stop thinking, and the clocks with it."""
        self._stop_timers()
        self.searching.stop(*self.clients)
        await self.attending.close()

    def _stop_timers(self) -> None:
        self.calling.stop()
        if self._timer is not None:
            self._timer.cancel()

    def tell(self, player: int, said: FromServer, but: Client | None = None) -> None:
        """Say something to everybody at a seat, but for who has it as a reply."""
        for client in self.clients:
            if client.player == player and client is not but:
                client.send(encode(said))
