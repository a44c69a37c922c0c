"""Looks for a legal answer near one that is not legal, while its client says other things."""

from __future__ import annotations

import asyncio
import logging
import weakref
from typing import TYPE_CHECKING, Final

import msgspec

from sandtable.battle.verdict import Verdict
from sandtable.errors import UserError
from sandtable.server.protocol import Answer, Check, Judged, Refused, encode
from sandtable.server.thinking import NoThought

if TYPE_CHECKING:
    from sandtable.server.sitting import Client, Sitting

LONGEST: Final = 10.0
"""Seconds for which a legal answer nearby is looked for; nothing else waits for it, nor does a refusal."""

log = logging.getLogger("sandtable.server")


class Searching:
    """The searches of one battle, one for each client."""

    def __init__(self, sitting: Sitting) -> None:
        # The sitting holds this one: who both hold each other stay in memory.
        self._sitting = weakref.ref(sitting)
        self._searches: dict[Client, asyncio.Task[None]] = {}

    @property
    def is_busy(self) -> bool:
        """Whether anything is looked for."""
        return bool(self._searches)

    def follow(self, client: Client, said: Answer, verdict: Verdict) -> None:
        """After a refusal, which is told at once: look for a legal answer nearby, and tell it when there is one."""
        # Without a number nobody could tell what it belongs to.
        if said.ask and self._is_due(client, said, verdict):
            self._start(client, said, verdict)

    def reply(self, client: Client, said: Check, verdict: Verdict) -> Judged | None:
        """The reply about a verdict; None where something is looked for first, and the reply comes then."""
        if not self._is_due(client, said, verdict):
            return Judged(verdict=verdict)
        self._start(client, said, verdict)
        return None

    def _is_due(self, client: Client, said: Answer | Check, verdict: Verdict) -> bool:
        """Whether anything can be looked for, by one search for each client at a time."""
        if verdict or verdict.instead is not None or client in self._searches:
            return False
        return isinstance(said.answer, dict | list) and bool(said.answer)

    def _start(self, client: Client, said: Answer | Check, verdict: Verdict) -> None:
        search = self._searches[client] = asyncio.ensure_future(self._search(client, said, verdict))
        search.add_done_callback(lambda _: self._searches.pop(client, None))

    async def _search(self, client: Client, said: Answer | Check, verdict: Verdict) -> None:
        """Tell a verdict with a legal answer nearby, if a worker finds one soon; who asked for it hears in any case."""
        sitting = self._sitting()
        assert sitting is not None
        try:
            async with asyncio.timeout(LONGEST):
                found = await sitting.think("nearest", client.player, said.decision, said.answer)
            if not isinstance(found, Refused):
                verdict = msgspec.structs.replace(verdict, instead=found)
        except (NoThought, UserError, TimeoutError):
            pass
        except Exception:
            log.exception("Nothing legal could be looked for in battle %s.", sitting.id)
        if verdict.instead is not None or isinstance(said, Check):
            client.send(encode(Judged(to=said.ask, verdict=verdict)))

    def stop(self, *clients: Client) -> None:
        """Nobody waits for it any more."""
        for client in clients:
            if client in self._searches:
                self._searches[client].cancel()
