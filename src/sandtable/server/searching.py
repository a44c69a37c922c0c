"""Looks for a legal answer near one that is not legal, while its client says other things."""

from __future__ import annotations

import asyncio
import logging
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, TypeAlias

import msgspec

from sandtable.battle.verdict import Verdict
from sandtable.errors import UserError
from sandtable.server.protocol import Answer, Check, FromServer, Refused, encode
from sandtable.server.thinking import NoThought

if TYPE_CHECKING:
    from sandtable.server.sitting import Client, Sitting

LONGEST: Final = 10.0
"""Seconds that a refusal waits for a legal answer nearby; nothing else waits for it."""

Telling: TypeAlias = Callable[[Verdict], FromServer]
"""Makes the reply of a verdict."""

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

    def reply(self, client: Client, said: Answer | Check, verdict: Verdict, telling: Telling) -> FromServer | None:
        """The reply about a verdict; None where something is looked for first, and the reply comes then."""
        is_done = verdict or verdict.instead is not None or client in self._searches
        if is_done or not isinstance(said.answer, dict | list) or not said.answer:
            return telling(verdict)
        search = self._searches[client] = asyncio.ensure_future(self._search(client, said, verdict, telling))
        search.add_done_callback(lambda _: self._searches.pop(client, None))
        return None

    async def _search(self, client: Client, said: Answer | Check, verdict: Verdict, telling: Telling) -> None:
        """Reply about a verdict, with a legal answer nearby where a worker finds one soon."""
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
        client.send(encode(msgspec.structs.replace(telling(verdict), to=said.ask)))

    def stop(self, *clients: Client) -> None:
        """Nobody waits for it any more."""
        for client in clients:
            if client in self._searches:
                self._searches[client].cancel()
