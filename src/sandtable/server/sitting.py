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
from sandtable.battle.verdict import Verdict
from sandtable.errors import UserError
from sandtable.players import Orders, Remembered
from sandtable.players.table import Takebacks
from sandtable.server import hooks, protocol
from sandtable.server.agreeing import Agreeing
from sandtable.server.attending import Attending, Spoilt
from sandtable.server.clocks import Clocks
from sandtable.server.hooks import Hooks, News
from sandtable.server.lanes import Lanes
from sandtable.server.playing import Gained, Playing
from sandtable.server.protocol import SPECTATOR, Accepted, FromServer, Refused, encode
from sandtable.server.queues import Taken
from sandtable.server.store import BY_CLIENT, Addition, Kept, Saved, Status
from sandtable.server.thinking import NoThought, Thinking

MOST_CLIENTS: Final = 200
MEASURED: Final = frozenset({"reach", "chance", "outlook", "odds"})
"""What takes a tape to find out, and so cannot be told where nothing is measured yet."""
MOST_AT_SEAT: Final = 8
UNSURE: Final = "It is not certain that what you did was stored. Connect again, and send it again."
AWAY: Final = "The battle was put away just now. Connect again, and send it again."
SEARCH: Final = 10.0
"""Seconds that a refusal waits for a legal answer nearby."""

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
        self._hooks = hooks
        self._spoil = spoil
        self._leaves = len(saved.leaves)
        self._known = {(kept.player, kept.nonce): kept.decision for kept in saved.answers}
        self._waits = any(kept.waits for kept in saved.answers)
        """Whether answers wait for others."""
        self.lock = asyncio.Lock()
        self.clocks = Clocks({s.player: s.place for s in self.seats}, saved.paused)
        self._timer: asyncio.TimerHandle | None = None
        self._status = status
        self._reached = playing.reached | {status.phase}
        """Phases that have added to a clock, or never do."""
        self._called: dict[int, float] = {}
        """When the webhook of a seat was last called."""
        self._to_call: dict[int, asyncio.TimerHandle] = {}
        """Seats whose webhook was called just now, and is called again if they are asked still."""
        self._spoilt = False
        """Whether it is ahead of what is stored, or was put away: what is stored is the battle."""
        self.attending = Attending(self, orders)
        self.agreeing = Agreeing(self)
        self.wind()

    # ---------------------------------------------------------------------------------- coming and going

    @property
    def busy(self) -> bool:
        """Whether anybody is there, or thought for."""
        return bool(self.clients) or self.lock.locked() or self.attending.is_busy or self.clocks.running

    @property
    def alone(self) -> bool:
        """Whether it goes on although nobody is there."""
        return self.busy and not self.clients

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
            news = None
            if hello.line >= 0:
                news = await self.lanes.engine(playing.resume, seat, hello.line, hello.since, hello.ask)
            if news is None:
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
            self.clients.add(client)
            if seat != SPECTATOR:
                self.lanes.later(self._saw(seat))
            self.agreeing.remind(client)
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
                await self.keep_place(player, seen=await self.lanes.engine(self.playing.count))

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

        nonce = BY_CLIENT + said.nonce
        refused = await self.lanes.whole(self.give(client.player, said.decision, said.answer, nonce, confirm))
        if refused is None:
            self.attending.rouse()
            return None
        if refused.verdict is None:
            return refused
        verdict = await self._with_another(client.player, said.decision, said.answer, refused.verdict)
        return msgspec.structs.replace(refused, verdict=verdict)

    async def check(self, player: int, said: protocol.Check) -> FromServer:
        """Whether an answer would be legal."""
        found = await self.look(self.playing.check, player, said.decision, said.answer)
        if isinstance(found, Refused):
            return found
        if said.nearest:
            found = await self._with_another(player, said.decision, said.answer, found)
        return protocol.Judged(verdict=found)

    async def _with_another(self, player: int, number: int, answer: Any, verdict: Verdict) -> Verdict:
        """A refusal with a legal answer nearby, where a worker finds one soon."""
        if verdict or verdict.instead is not None or not isinstance(answer, dict | list) or not answer:
            return verdict
        try:
            async with asyncio.timeout(SEARCH):
                found = await self.think("nearest", player, number, answer)
        except (NoThought, UserError, TimeoutError):
            return verdict
        return verdict if isinstance(found, Refused) else msgspec.structs.replace(verdict, instead=found)

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
            self.agreeing.forget()
            self._publish(gained)
            return None

    async def arm(self, player: int, orders: Orders) -> None:
        """Have the battle ask about the units that the orders of a seat arm; nobody else hears of it."""
        if self._spoilt:
            raise Spoilt(AWAY)
        gained = await self.lanes.engine(self.playing.arm, player, orders)
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

    async def _do(self, work: Callable[..., Gained | Refused], *arguments: Any) -> Gained | Refused:
        """Change the battle; rules that fail leave it as it was."""
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

    async def _keep(
        self,
        gained: Gained,
        kept: Kept | None = None,
        so_far: tuple[Remembered, ...] | None = None,
        queue: bytes | None = None,
        *,
        answers: bool = True,
    ) -> None:
        """Store what happened; if that fails, the battle goes back to what is stored.

        Answers that wait for others go on waiting beside what is no answer.
        """
        memory = None if so_far is None else msgspec.json.encode(so_far)
        ends = self._waits and gained.leaf is not None and answers
        times = self.clocks.readings(None if gained.status.phase in self._reached else gained.status.active)
        addition = Addition(
            self.id, self._leaves, gained.leaf, gained.status, kept, memory, ends, times, queue, gained.story
        )
        try:
            await self.lanes.keep(addition)
        except Exception as error:
            raise self._not_stored() from error
        self._leaves += gained.leaf is not None
        if answers:
            self._waits = gained.leaf is None

    def _not_stored(self) -> Spoilt:
        """What is in memory is ahead of what is stored, and nothing may be built on it."""
        log.exception("Battle %s could not be stored.", self.id)
        self._spoilt = True
        self._stop_timers()
        self._spoil(self)
        return Spoilt(UNSURE)

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
        if status.phase not in self._reached:
            self._reached.add(status.phase)
            self.clocks.add(status.active)
        self.wind()
        for seat in self.seats:
            new = seat.player in status.asked and seat.player not in before.asked
            if status.result is not None or (new and not self.attending.acts(seat)):
                self.call(seat.player)

    def wind(self) -> None:
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

    def call(self, player: int) -> None:
        """Tell the webhook of a seat, if nobody is there; what was told just now is told again later."""
        seat, now = self.seats[player], time.monotonic()
        if any(client.player == player for client in self.clients) or not seat.place.hook:
            return
        wait = self._called.get(player, now - hooks.QUIET) + hooks.QUIET - now
        if wait > 0:
            if player not in self._to_call:
                self._to_call[player] = asyncio.get_running_loop().call_later(wait, self._call_late, player)
            return
        self._called[player] = now
        over = self._status.result is not None
        text = f"{self.title}: {'the battle is over' if over else f'your move, round {self._status.round}'}."
        self._hooks.tell(seat.place.hook, News(text, self.id, player, self._status.round))

    def _call_late(self, player: int) -> None:
        del self._to_call[player]
        thinks = self.attending.is_busy and self.attending.acts(self.seats[player])
        if self._status.result is not None or (player in self._status.asked and not thinks):
            self.call(player)

    async def set_hook(self, player: int, url: str) -> FromServer:
        """The webhook of a seat."""
        try:
            kept = self._hooks.check(url) if url.strip() else ""
        except UserError as error:
            return Refused(code="not_possible", text=str(error))
        async with self.lock:
            await self.keep_place(player, hook=kept)
        return protocol.HookKept(url=kept)

    async def recap(self, player: int, since: int) -> FromServer:
        """The battle as a seat saw it when it was last there."""
        data = await self.look(self.playing.journal)
        return protocol.RecapShown(since=since, view=await self.thinking.run("recap", data, player, since))

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
        # Nothing that can fail comes between what is stored and what is told.
        events = await self.lanes.engine(self.playing.count)
        try:
            for seat in tuple(self.seats):
                if seat.place.seen > events or seat.place.queue:
                    await self.keep_place(seat.player, seen=min(seat.place.seen, events), queue=b"")
        except Exception as error:
            raise self._not_stored() from error
        # A phase that is come back to adds nothing to a clock.
        self._reached.add(gained.status.phase)
        await self._keep(gained)
        self.agreeing.forget()
        self.attending.look_again()
        self._publish(gained)
        for seat in self.seats:
            self.attending.drop(seat.player, why)
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
        if job in MEASURED and (refused := await self.look(self.playing.may_measure, player, number, job)):
            return refused
        scene = await self.look(self.playing.scene, player, number)
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
        await self.attending.close()

    def _stop_timers(self) -> None:
        for timer in (self._timer, *self._to_call.values()):
            if timer is not None:
                timer.cancel()

    def tell(self, player: int, said: FromServer) -> None:
        """Say something to everybody at a seat."""
        for client in self.clients:
            if client.player == player:
                client.send(encode(said))
