"""One connection: reads what a client says, does it, and sends what there is to hear, at the client's own pace."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable
from contextlib import suppress
from typing import Any, Final

import msgspec
from fastapi import WebSocket, WebSocketDisconnect

from sandtable.battle.system import Goal
from sandtable.errors import UserError, short
from sandtable.server import limits, protocol
from sandtable.server.attending import Spoilt
from sandtable.server.hall import Hall, NoSeat
from sandtable.server.limits import AtOnce, Bucket, ByHost
from sandtable.server.protocol import SPECTATOR, AnyFromClient, FromServer, Hello, Refused, encode
from sandtable.server.sitting import Sitting
from sandtable.server.thinking import NoThought

DONE: Final = protocol.Done()
WATCHING: Final = "You are watching, and have no seat."
SHOWN: Final = 200
"""Characters of an error that are sent back."""

log = logging.getLogger("sandtable.server")


async def serve(socket: WebSocket, hall: Hall, hellos: ByHost, guesses: ByHost, there: AtOnce) -> None:
    """Talk to one client until it is gone."""
    await socket.accept()
    connection = Connection(socket)
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
    try:
        sitting = await connection.be_greeted(hall, hellos, guesses)
        if sitting is not None:
            await connection.listen(sitting)
    except WebSocketDisconnect:
        pass
    except Spoilt as error:
        connection.dismiss(protocol.TRY_AGAIN, str(error))
    finally:
        if sitting is not None:
            sitting.leave(connection)


class Connection:
    """A client, as battles see it."""

    def __init__(self, socket: WebSocket) -> None:
        self.player = SPECTATOR
        self.battle = ""
        self._socket = socket
        self._unsent: deque[str] = deque()
        self._waiting = 0
        self._news = asyncio.Event()
        self._bucket = Bucket(limits.MESSAGES_PER_SECOND, limits.MESSAGES_AT_ONCE)
        self._advice: set[asyncio.Task[None]] = set()
        self._closing: tuple[int, str] | None = None
        self._cut = False

    # ---------------------------------------------------------------------------------- sending

    def send(self, text: str) -> None:
        """Have a message sent. A client that does not read is cut off before it costs much."""
        if self._closing is not None or self._cut:
            return
        self._unsent.append(text)
        self._waiting += len(text)
        self._news.set()
        # The next message may be larger by itself: all events of a long battle are one.
        if self._waiting - len(self._unsent[0]) > limits.MAX_UNREAD:
            log.info("A client of battle %s reads too slowly and is cut off.", self.battle)
            self._cut = True
            self._unsent.clear()
            limits.abort(self._socket)

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
        with suppress(WebSocketDisconnect, RuntimeError):
            while not self._cut:
                await self._news.wait()
                self._news.clear()
                while self._unsent:
                    text = self._unsent.popleft()
                    self._waiting -= len(text)
                    await self._socket.send_text(text)
                if self._closing is not None:
                    await self._socket.close(*self._closing)
                    return

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
            self.dismiss(protocol.NO_SEAT, "There is no such seat, and no such battle that everybody may watch.")
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
        try:
            return protocol.decode(text)
        except (msgspec.MsgspecError, RecursionError, UnicodeError, ValueError) as error:
            why = short(str(error), SHOWN).rstrip(".")
            refusal = Refused(code="malformed", text=f"That is no message of the protocol: {why}.")
            self.say(refusal, protocol.number_of(text))
            return None

    # ---------------------------------------------------------------------------------- what clients say

    async def listen(self, sitting: Sitting) -> None:
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
            if said is not None:
                await self._obey(sitting, said)

    async def _obey(self, sitting: Sitting, said: AnyFromClient) -> None:
        advice = self._advice_for(sitting, said)
        if advice is not None:
            # Thinking takes a while; meanwhile the client may drag, answer, or ask something else.
            if len(self._advice) >= limits.ADVICE_AT_ONCE:
                advice.close()
                self.say(Refused(code="too_frequent", text="Wait for what you asked before."), said.ask)
                return
            task = asyncio.ensure_future(self._reply(advice, said.ask))
            self._advice.add(task)
            task.add_done_callback(self._advice.discard)
            return
        await self._reply(self._do(sitting, said), said.ask)

    async def _reply(self, work: Awaitable[FromServer | None], ask: int) -> None:
        try:
            found = await work
        except UserError as error:
            found = Refused(code="not_possible", text=str(error))
        except NoThought:
            found = Refused(code="failed", text="That could not be worked out.")
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
                self._bucket.charge(len(told) / limits.BYTES_TO_A_MESSAGE)
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
                return await sitting.check(me, said)
            case protocol.TakeBack():
                return await sitting.agreeing.take_back(me) or DONE
            case protocol.Correct(correction=correction):
                return await sitting.agreeing.correct(me, correction) or DONE
            case protocol.Consent():
                return await sitting.agreeing.consent(me, said) or DONE
            case protocol.GiveOrders(text=text):
                self._bucket.charge(len(text) / limits.ORDERS_TO_A_MESSAGE)
                return await sitting.attending.give_orders(me, text)
            case protocol.QueueAnswers(answers=answers):
                return await sitting.attending.queue(me, answers)
            case protocol.SetFall(fall=fall):
                return await sitting.attending.set_fall(me, fall)
            case protocol.SetHook(url=url):
                return await sitting.set_hook(me, url)
            case protocol.PauseClocks():
                return await sitting.agreeing.pause(me) or DONE
            case protocol.Concede():
                return await sitting.concede(me) or DONE
        raise TypeError(f"unknown message {said!r}")

    def _advice_for(self, sitting: Sitting, said: AnyFromClient) -> Any:
        """The work of a message that a worker answers; None for others."""
        me = self.player
        match said:
            case protocol.Odds(unit=unit, target=target):
                return _told(sitting.think("odds", me, None, unit, target))
            case protocol.ShowRules(ids=ids):
                return _rules(sitting.rules(ids))
            case protocol.ShowReference(phase=phase, kind=kind):
                return _rules(sitting.reference(phase, kind))
            case protocol.ShowSight(unit=unit, target=target, stood=stood):
                return sitting.think("sight", me, None, unit, target, stood)
            case protocol.ShowMoment(decision=number, refused=refused):
                asks = None if refused is None or me == SPECTATOR else number
                return sitting.think("moment", me, asks, said)
            case _ if me == SPECTATOR:
                return None
            case protocol.ShowRecap(since=since):
                return sitting.recap(me, since)
            case protocol.Ideas(decision=number, most=most):
                return _ideas(number, sitting.think("ideas", me, number, most))
            case protocol.Default(decision=number):
                return _ideas(number, sitting.think("default", me, number))
            case protocol.Towards(decision=number):
                goal = Goal(said.x, said.y, said.shape, said.mode, said.ends)
                return _ideas(number, sitting.think("towards", me, number, goal))
            case protocol.ShowReach(decision=number, mode=mode):
                return _reach(number, mode, sitting.think("reach", me, number, mode))
            case protocol.ShowShade(decision=number, foe=foe):
                return _shade(number, foe, sitting.think("shaded", me, number, foe))
            case protocol.ShowOutlook(decision=number, answers=given):
                return _outlook(number, sitting.think("outlook", me, number, given))
            case protocol.Advise(decision=number, aim=aim):
                return _ideas(number, sitting.think("advise", me, number, aim))
            case protocol.Chance(decision=number, answer=answer):
                return _likely(sitting.think("chance", me, number, answer))
        return None


async def _told(work: Awaitable[Any]) -> FromServer:
    found = await work
    return found if isinstance(found, Refused) else protocol.Sentences(lines=found)


async def _rules(work: Awaitable[Any]) -> FromServer:
    return protocol.RulesShown(rules=await work)


async def _ideas(number: int, work: Awaitable[Any]) -> FromServer:
    found = await work
    return found if isinstance(found, Refused) else protocol.Ideal(decision=number, ideas=found)


async def _reach(number: int, mode: str, work: Awaitable[Any]) -> FromServer:
    found = await work
    return found if isinstance(found, Refused) else protocol.ReachShown(decision=number, mode=mode, areas=found)


async def _shade(number: int, foe: int, work: Awaitable[Any]) -> FromServer:
    found = await work
    return found if isinstance(found, Refused) else protocol.ShadeShown(decision=number, foe=foe, outlines=found)


async def _outlook(number: int, work: Awaitable[Any]) -> FromServer:
    found = await work
    if isinstance(found, Refused):
        return found
    outlooks, answers = found
    return protocol.OutlookShown(decision=number, outlooks=outlooks, answers=answers)


async def _likely(work: Awaitable[Any]) -> FromServer:
    found = await work
    return found if isinstance(found, Refused) else protocol.Likely(chance=found[0], meant=found[1])
