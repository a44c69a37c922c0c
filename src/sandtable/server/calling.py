"""Calls the webhook of who is asked and not there: no more often than once in a while, and with the last word."""

from __future__ import annotations

import asyncio
import time
import weakref
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from sandtable.errors import UserError
from sandtable.server import hooks, protocol
from sandtable.server.hooks import Hooks, News
from sandtable.server.protocol import FromServer, Refused
from sandtable.server.seats import OVER, Seat
from sandtable.server.store.records import Status

if TYPE_CHECKING:
    from sandtable.server.sitting import Client, Sitting


BACK: Final = 2.0
"""Seconds in which whoever lost the connection, or the server with it, comes back by themselves."""


class Change(NamedTuple):
    """What a battle that goes on changes in the calls that are to be made."""

    due: tuple[tuple[int, int], ...]
    not_due: tuple[int, ...]


class Calling:
    """The calls of one battle. Those that are to be made are stored with what they tell of, until they are made."""

    def __init__(self, sitting: Sitting, calls: Hooks) -> None:
        # The sitting holds this one: who both hold each other stay in memory.
        self._sitting = weakref.ref(sitting)
        self._hooks = calls
        self.called: dict[int, float] = {}
        """When the webhook of a seat was last called."""
        self._late: dict[int, asyncio.TimerHandle] = {}
        """Seats whose webhook was called just now, and is called again if they are asked still."""
        self._due: dict[int, int] = {}
        """What is stored of calls that are still to be made: about which question."""
        self._told: dict[int, int] = {}
        """About which question the webhook of a seat was last called..."""
        self._told_before: dict[int, int] = {}
        """...before the battle was loaded: nobody is told of that again."""

    @property
    def _at(self) -> Sitting:
        sitting = self._sitting()
        assert sitting is not None
        return sitting

    @property
    def put_off(self) -> bool:
        """Whether a call is still to come."""
        return bool(self._late)

    def resume(self) -> None:
        """Go on from what is stored: what was not told is told, unless somebody comes back to see for themselves."""
        for seat in self._at.seats:
            due, told, when = seat.calls
            if told is not None:
                self._told[seat.player] = self._told_before[seat.player] = told
                # The clock of the machine may have been set meanwhile.
                self.called[seat.player] = time.monotonic() - max(0.0, time.time() - when)
            if due is not None:
                self._due[seat.player] = due
                self._put_off(seat.player, BACK)

    def whom(self, before: Status, status: Status) -> Iterator[Seat]:
        """The seats that hear of it when a battle stands somewhere else, where nobody is there."""
        for seat in self._at.seats:
            new = seat.player in status.asked and seat.player not in before.asked
            if status.result is not None or (new and not self._at.attending.acts(seat)):
                yield seat

    def change(self, before: Status, status: Status) -> Change:
        """What is to be stored of calls with what happened."""
        away = [s.player for s in self.whom(before, status) if s.place.hook and not self._at.is_there(s.player)]
        due = {player: about for player in away if (about := status.about(player)) is not None}
        over = status.result is not None
        return Change(
            tuple(due.items()), tuple(p for p in self._due if p not in due and (over or p not in status.asked))
        )

    def changed(self, change: Change) -> None:
        """That is stored now."""
        self._due |= dict(change.due)
        for player in change.not_due:
            self._due.pop(player, None)

    def call(self, player: int) -> None:
        """Tell the webhook of a seat, if nobody is there; what was told just now is told again later."""
        seat, status, now = self._at.seats[player], self._at.status, time.monotonic()
        about = status.about(player)
        told = about == self._told_before.get(player)
        if self._at.is_there(player) or not seat.place.hook or about is None or told:
            self._keep_due(player, None)
            return
        self._keep_due(player, about)
        wait = self.called.get(player, now - hooks.QUIET) + hooks.QUIET - now
        if wait > 0:
            self._put_off(player, wait)
            return
        self.called[player], self._told[player] = now, about
        called = self._at.playing.battle.system.round_name.lower()
        text = f"{self._at.title}: {'the battle is over' if about == OVER else f'your move, {called} {status.round}'}."
        self._hooks.tell(seat.place.hook, News(text, self._at.id, player, status.round, about))

    def miss(self, player: int, unheard: bool) -> None:
        """Somebody at a seat was found gone, long after perhaps: tell the webhook what they are asked since."""
        about = self._at.status.about(player)
        news = about is not None and about != self._told.get(player) and (unheard or about != OVER)
        if news and self._at.seats[player].place.hook and not self._at.is_there(player):
            self._keep_due(player, about)
            self._put_off(player, BACK)

    def made(self, player: int, about: int) -> None:
        """A call was made, which is stored elsewhere, and will not be made again."""
        if self._due.get(player) == about:
            del self._due[player]

    def _put_off(self, player: int, wait: float) -> None:
        if player not in self._late:
            self._late[player] = asyncio.get_running_loop().call_later(wait, self.call_late, player)

    def _keep_due(self, player: int, about: int | None) -> None:
        """Have it stored that a call is due, or is no more, unless that is stored already."""
        if self._due.get(player) == about:
            return
        if about is None:
            del self._due[player]
        else:
            self._due[player] = about
        lanes = self._at.lanes
        lanes.later(lanes.disk(partial(lanes.store.keep_due, self._at.id, player, about)))

    def call_late(self, player: int) -> None:
        """Tell what was put off, if it is still so."""
        timer = self._late.pop(player, None)
        if timer is not None:
            timer.cancel()
        status, attending = self._at.status, self._at.attending
        if status.about(player) is None:
            self._keep_due(player, None)
        elif status.result is not None or not (attending.is_busy and attending.acts(self._at.seats[player])):
            self.call(player)

    def take_over(self, before: Calling) -> None:
        """Go on from where the battle was last in memory: what was put off there is told from here."""
        for player, when in before.called.items():
            self.called[player] = max(when, self.called.get(player, when))
        for player in before._late:
            self.call_late(player)

    async def set_hook(self, player: int, url: str, by: Client | None = None) -> FromServer:
        """The webhook of a seat."""
        try:
            kept = self._hooks.check(url) if url.strip() else ""
        except UserError as error:
            return Refused(code="not_possible", text=str(error))
        async with self._at.lock:
            await self._at.keep_place(player, hook=kept)
        told = protocol.HookKept(url=kept)
        self._at.tell(player, told, by)
        return told

    def stop(self) -> None:
        """Put no more off; what was is remembered for who takes over."""
        for timer in self._late.values():
            timer.cancel()
