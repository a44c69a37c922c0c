"""One connection: reads what a client says, does it, and sends what there is to hear, at the client's own pace."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, Final, TypeAlias

import msgspec
from fastapi import WebSocket, WebSocketDisconnect

from sandtable.battle.system import Goal
from sandtable.errors import UserError, short
from sandtable.server import limits, protocol
from sandtable.server.attending import Spoilt
from sandtable.server.hall import Hall, NoSeat
from sandtable.server.limits import AtOnce, Bucket, ByHost, Signs
from sandtable.server.protocol import SPECTATOR, AnyFromClient, FromServer, Hello, Refused, encode
from sandtable.server.sitting import Sitting
from sandtable.server.store.opening import Busy
from sandtable.server.thinking import ASKER, NoThought, Thinking

DONE: Final = protocol.Done()
WATCHING: Final = "You are watching, and have no seat."
STOPPED: Final = 1012
"""How a socket ends because the server is stopped."""
SHOWN: Final = 200
"""Characters of an error that are sent back."""

Advice: TypeAlias = Callable[[], Awaitable[FromServer]]
"""How a message is answered, once that is wanted."""

log = logging.getLogger("sandtable.server")


async def serve(
    socket: WebSocket, hall: Hall, hellos: ByHost, guesses: ByHost, there: AtOnce, messages: ByHost
) -> None:
    """Talk to one client until it is gone."""
    ASKER.set(limits.host_of(socket))
    await socket.accept()
    connection = Connection(socket, messages.of(socket), limits.signs_of(socket))
    sending = asyncio.ensure_future(connection.keep_sending())
    if not there.begin(socket):
        connection.dismiss(protocol.TOO_MANY, f"{limits.SOCKETS_AT_ONCE} are connected from there already.")
        await connection.close(sending)
        return
    try:
        await _attend(connection, hall, hellos, guesses)
    finally:
        there.end(socket)
        await connection.close(sending)


async def _attend(connection: Connection, hall: Hall, hellos: ByHost, guesses: ByHost) -> None:
    sitting: Sitting | None = None
    stopped = False
    try:
        sitting = await connection.be_greeted(hall, hellos, guesses)
        if sitting is not None:
            await connection.listen(sitting, hall.replaying)
    except WebSocketDisconnect as gone:
        stopped = gone.code == STOPPED
    except (Spoilt, Busy) as error:
        connection.dismiss(protocol.TRY_AGAIN, str(error))
    finally:
        if sitting is not None:
            # Whoever the server sends home comes back with it; whose socket breaks off may be asleep for long.
            heard = connection.heard
            sitting.leave(connection, heard, missed=heard is not None and not stopped)


class Connection:
    """A client, as battles see it."""

    def __init__(self, socket: WebSocket, shared: Bucket, signs: Signs | None = None) -> None:
        self.player = SPECTATOR
        self.battle = ""
        self._socket = socket
        self._unsent: deque[str] = deque()
        self._waiting = 0
        self._news = asyncio.Event()
        self._signs = signs or Signs()
        self._marks: deque[tuple[int, int]] = deque()
        """After how many messages there are how many events..."""
        self._said = self._written = 0
        """...of so many that were to be sent, and were handed to the socket."""
        self._bucket = Bucket(limits.MESSAGES_PER_SECOND, limits.MESSAGES_AT_ONCE)
        self._shared = shared
        """Of all sockets from there."""
        self._advice: set[asyncio.Task[None]] = set()
        self._closing: tuple[int, str] | None = None
        self._cut = False

    # ---------------------------------------------------------------------------------- sending

    def send(self, text: str) -> None:
        """Have a message sent. A client that does not read is cut off before it costs much."""
        if self._closing is not None or self._cut:
            return
        self._unsent.append(text)
        self._said += 1
        self._waiting += len(text)
        self._news.set()
        # The next message may be larger by itself: all events of a long battle are one.
        if self._waiting - len(self._unsent[0]) > limits.MAX_UNREAD:
            log.info("A client of battle %s reads too slowly and is cut off.", self.battle)
            self._cut = True
            self._unsent.clear()
            limits.abort(self._socket)

    def told(self, events: int) -> None:
        """So many events there are after what was sent last."""
        if self._closing is None and not self._cut:
            self._signs.limit(events)
            self._marks.append((self._said, events))

    @property
    def heard(self) -> int | None:
        """The events that the client has surely heard; None for who closed the socket and so was there to the end."""
        return None if self._signs.closed else self._signs.heard

    def say(self, message: FromServer, ask: int = 0) -> None:
        """Send a message, as the reply to another if that had a number."""
        self.send(encode(msgspec.structs.replace(message, to=ask) if ask else message))

    def dismiss(self, code: int, text: str) -> None:
        """Say why, then end the connection."""
        if self._closing is None and not self._cut:
            self.say(protocol.Farewell(code=code, text=text))
            self._closing = (code, short(text, 100))
            self._news.set()

    async def keep_sending(self) -> None:
        """Send one message after the other, as fast as the client reads them."""
        try:
            while not self._cut:
                await self._news.wait()
                self._news.clear()
                while self._unsent:
                    text = self._unsent.popleft()
                    self._waiting -= len(text)
                    await self._socket.send_text(text)
                    self._written += 1
                    while self._marks and self._marks[0][0] <= self._written:
                        self._signs.written = self._marks.popleft()[1]
                if self._closing is not None:
                    await self._socket.close(*self._closing)
                    return
        except WebSocketDisconnect:
            pass
        except RuntimeError:
            # So it is told that the socket was closed meanwhile.
            log.debug("Nothing more could be sent to a client of battle %s.", self.battle, exc_info=True)

    async def close(self, sending: asyncio.Task[None]) -> None:
        """Send what is left to a client that is dismissed, then stop."""
        for task in self._advice:
            task.cancel()
        if self._closing is not None and not self._cut:
            await asyncio.wait([sending], timeout=limits.FIRST_WORD)
        if not sending.done():
            # It does not read what is left for it.
            sending.cancel()
            limits.abort(self._socket)
        await asyncio.gather(sending, *self._advice, return_exceptions=True)

    # ---------------------------------------------------------------------------------- hello

    async def be_greeted(self, hall: Hall, hellos: ByHost, guesses: ByHost) -> Sitting | None:
        """Wait for the first message, and sit down; None for who has no business here."""
        try:
            hello = await asyncio.wait_for(self._hear(), limits.FIRST_WORD)
        except TimeoutError:
            self.dismiss(protocol.BAD_HELLO, "Say hello first: the first message names a seat or a battle.")
            return None
        if not isinstance(hello, Hello):
            self.dismiss(protocol.BAD_HELLO, "Say hello first: the first message names a seat or a battle.")
            return None
        self._bucket.charge(1)
        if not hellos.take(self._socket):
            self.dismiss(protocol.TOO_FREQUENT, "Too many hellos from there; wait a few seconds, and connect again.")
            return None
        try:
            sitting, self.player = await hall.seat(hello)
            self.battle = sitting.id
            refused = await sitting.join(self, hello)
        except NoSeat:
            if not guesses.take(self._socket):
                self.dismiss(protocol.TOO_FREQUENT, "Too many guesses from there; wait a minute.")
                return None
            self.dismiss(protocol.NO_SEAT, "This battle is not here, or only its players may see it.")
            return None
        except UserError as error:
            self.dismiss(protocol.UNPLAYABLE, str(error))
            return None
        if refused is not None:
            self.dismiss(protocol.TOO_MANY, refused.text)
            return None
        return sitting

    async def _hear(self) -> AnyFromClient | None:
        """The next message; None for one that was refused."""
        got = await self._socket.receive()
        if got["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(got.get("code", 1005))
        self._signs.heard = self._signs.written
        text = got.get("text")
        if text is None:
            self.say(Refused(code="malformed", text="Messages are text, not bytes."))
            return None
        if len(text) > limits.MAX_MESSAGE:
            most = f"{limits.MAX_MESSAGE >> 10} KB"
            self.say(Refused(code="too_large", text=f"A message has at most {most}."), protocol.number_of(text))
            return None
        if limits.NOTHING in text:
            refusal = Refused(code="malformed", text="No text holds a character that is none (U+0000).")
            self.say(refusal, protocol.number_of(text))
            return None
        if limits.is_nested_too_deeply(text):
            refusal = Refused(code="malformed", text=f"A message is nested at most {limits.MAX_NESTING} deep.")
            self.say(refusal, protocol.number_of(text))
            return None
        try:
            return protocol.decode(text)
        except (msgspec.MsgspecError, RecursionError, UnicodeError, ValueError) as error:
            why = short(str(error), SHOWN).rstrip(".")
            refusal = Refused(code="malformed", text=f"That is no message of the protocol: {why}.")
            self.say(refusal, protocol.number_of(text))
            return None

    # ---------------------------------------------------------------------------------- what clients say

    async def listen(self, sitting: Sitting, replaying: Thinking) -> None:
        """Do what the client says, one thing after the other, until it is gone or goes too far."""
        too_much = 0
        while self._closing is None and not self._cut:
            said = await self._hear()
            if not self._bucket.take():
                too_much += 1
                if too_much > limits.PATIENCE:
                    self.dismiss(protocol.TOO_FREQUENT, "Far too many messages; connect again, and go slower.")
                    return
                ask = 0 if said is None else said.ask
                self.say(Refused(code="too_frequent", text="Too many messages; wait a little and say it again."), ask)
                continue
            too_much = 0
            await self._shared.turn()
            if said is not None:
                await self._obey(sitting, replaying, said)

    async def _obey(self, sitting: Sitting, replaying: Thinking, said: AnyFromClient) -> None:
        advise = self._advice_for(sitting, replaying, said)
        if advise is None:
            await self._reply(self._do(sitting, said), said.ask)
        elif len(self._advice) >= limits.ADVICE_AT_ONCE:
            self.say(Refused(code="too_frequent", text="Wait for what you asked before."), said.ask)
        else:
            # Thinking takes a while; meanwhile the client may drag, answer, or ask something else.
            task = asyncio.ensure_future(self._reply(advise(), said.ask))
            self._advice.add(task)
            task.add_done_callback(self._advice.discard)

    def _charge(self, cost: float) -> None:
        """A message took more than others."""
        self._bucket.charge(cost)
        self._shared.charge(cost)

    async def _reply(self, work: Awaitable[FromServer | None], ask: int) -> None:
        try:
            found = await work
        except UserError as error:
            found = Refused(code="not_possible", text=str(error))
        except NoThought:
            found = Refused(code="failed", text="That could not be worked out.")
        except Busy as error:
            found = Refused(code="failed", text=str(error))
        except Spoilt:
            raise
        except Exception:
            log.exception("A message of battle %s failed.", self.battle)
            found = Refused(code="failed", text="Something is broken here, and was written to the log.")
        if found is not None:
            self.say(found, ask)

    async def _do(self, sitting: Sitting, said: AnyFromClient) -> FromServer | None:
        """What is done at once."""
        me, playing = self.player, sitting.playing
        match said:
            case Hello():
                return Refused(code="malformed", text="You have said hello already.")
            case protocol.ShowEvents(since=since):
                told = await sitting.look(playing.events, me, since, said.ask)
                self._charge(len(told) / limits.BYTES_TO_A_MESSAGE)
                self.send(told)
                return None
            case protocol.ShowCard(unit=unit):
                return protocol.CardShown(unit=unit, card=await sitting.look(playing.card, me, unit))
            case protocol.Why(act=act, unit=unit):
                return protocol.Judged(verdict=await sitting.look(playing.why, me, act, unit))
            case _ if me == SPECTATOR:
                return Refused(code="not_yours", text=WATCHING)
            case protocol.Answer():
                return await sitting.answer(self, said)
            case protocol.Check():
                return await sitting.check(self, said)
            case protocol.TakeBack():
                return await sitting.agreeing.take_back(me) or DONE
            case protocol.Correct(correction=correction):
                return await sitting.agreeing.correct(me, correction) or DONE
            case protocol.Consent():
                return await sitting.agreeing.consent(me, said) or DONE
            case protocol.GiveOrders(text=text):
                self._charge(len(text) / limits.ORDERS_TO_A_MESSAGE)
                return await sitting.attending.give_orders(me, text, self)
            case protocol.QueueAnswers(answers=answers):
                return await sitting.attending.queue(me, answers, self)
            case protocol.SetFall(fall=fall):
                return await sitting.attending.set_fall(me, fall, self)
            case protocol.SetHook(url=url):
                return await sitting.calling.set_hook(me, url, self)
            case protocol.PauseClocks():
                return await sitting.agreeing.pause(me) or DONE
            case protocol.Concede():
                return await sitting.concede(me) or DONE
        raise TypeError(f"unknown message {said!r}")

    def _advice_for(self, sitting: Sitting, replaying: Thinking, said: AnyFromClient) -> Advice | None:
        """How a message is answered that a worker answers; None for others."""
        me = self.player

        def think(job: str, number: int | None, tell: Callable[[Any], FromServer], *arguments: Any) -> Advice:
            return lambda: _told(sitting.think(job, me, number, *arguments), tell)

        match said:
            case protocol.Odds(unit=unit, target=target):
                return think("odds", None, lambda found: protocol.Sentences(lines=found), unit, target)
            case protocol.ShowRules(ids=ids):
                return lambda: _told(sitting.rules(ids), _rules)
            case protocol.ShowReference(phase=phase, kind=kind):
                return lambda: _told(sitting.reference(phase, kind), _rules)
            case protocol.ShowSight(unit=unit, target=target, stood=stood):
                return think("sight", None, _as_it_is, unit, target, stood)
            case protocol.ShowMoment(decision=number, refused=refused):
                asks = None if refused is None or me == SPECTATOR else number
                return think("moment", asks, _as_it_is, said)
            case _ if me == SPECTATOR:
                return None
            case protocol.ShowRecap(since=since):
                return lambda: sitting.recap(me, since, replaying)
            case protocol.Ideas(decision=number, most=most):
                return think("ideas", number, partial(_ideas, number), most)
            case protocol.Default(decision=number):
                return think("default", number, partial(_ideas, number))
            case protocol.Towards(decision=number):
                goal = Goal(said.x, said.y, said.shape, said.mode, said.ends)
                return think("towards", number, partial(_ideas, number), goal)
            case protocol.Advise(decision=number, aim=aim):
                return think("advise", number, partial(_ideas, number), aim)
            case protocol.ShowReach(decision=number, mode=mode):
                return think("reach", number, lambda a: protocol.ReachShown(decision=number, mode=mode, areas=a), mode)
            case protocol.ShowShade(decision=number, foe=foe):
                return think("shaded", number, lambda o: protocol.ShadeShown(decision=number, foe=foe, outlines=o), foe)
            case protocol.ShowOutlook(decision=number, answers=given):
                return think("outlook", number, partial(_outlook, number), given)
            case protocol.Chance(decision=number, answer=answer):
                return think("chance", number, lambda found: protocol.Likely(chance=found[0], meant=found[1]), answer)
        return None


async def _told(work: Awaitable[Any], tell: Callable[[Any], FromServer]) -> FromServer:
    """What was found, as clients hear it; a refusal as it is."""
    found = await work
    return found if isinstance(found, Refused) else tell(found)


def _as_it_is(found: FromServer) -> FromServer:
    return found


def _rules(found: list[protocol.Rule]) -> FromServer:
    return protocol.RulesShown(rules=found)


def _ideas(number: int, found: list[protocol.Idea]) -> FromServer:
    return protocol.Ideal(decision=number, ideas=found)


def _outlook(number: int, found: Any) -> FromServer:
    outlooks, answers = found
    return protocol.OutlookShown(decision=number, outlooks=outlooks, answers=answers)
