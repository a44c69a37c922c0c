"""Calls the webhook of who is asked and not there: no more often than once in a while, and with the last word."""

from __future__ import annotations

import asyncio
import time
import weakref
from typing import TYPE_CHECKING

from sandtable.errors import UserError
from sandtable.server import hooks, protocol
from sandtable.server.hooks import Hooks, News
from sandtable.server.protocol import FromServer, Refused

if TYPE_CHECKING:
    from sandtable.server.sitting import Client, Sitting


class Calling:
    """The calls of one battle."""

    def __init__(self, sitting: Sitting, calls: Hooks) -> None:
        # The sitting holds this one: who both hold each other stay in memory.
        self._sitting = weakref.ref(sitting)
        self._hooks = calls
        self.called: dict[int, float] = {}
        """When the webhook of a seat was last called."""
        self._late: dict[int, asyncio.TimerHandle] = {}
        """Seats whose webhook was called just now, and is called again if they are asked still."""

    @property
    def _at(self) -> Sitting:
        sitting = self._sitting()
        assert sitting is not None
        return sitting

    @property
    def put_off(self) -> bool:
        """Whether a call is still to come."""
        return bool(self._late)

    def call(self, player: int) -> None:
        """Tell the webhook of a seat, if nobody is there; what was told just now is told again later."""
        seat, now = self._at.seats[player], time.monotonic()
        if self._at.is_there(player) or not seat.place.hook:
            return
        wait = self.called.get(player, now - hooks.QUIET) + hooks.QUIET - now
        if wait > 0:
            if player not in self._late:
                self._late[player] = asyncio.get_running_loop().call_later(wait, self.call_late, player)
            return
        self.called[player] = now
        status = self._at.status
        over = status.result is not None
        text = f"{self._at.title}: {'the battle is over' if over else f'your move, round {status.round}'}."
        self._hooks.tell(seat.place.hook, News(text, self._at.id, player, status.round))

    def call_late(self, player: int) -> None:
        """Tell what was put off, if it is still so."""
        self._late.pop(player, None)
        status, attending = self._at.status, self._at.attending
        thinks = attending.is_busy and attending.acts(self._at.seats[player])
        if status.result is not None or (player in status.asked and not thinks):
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
