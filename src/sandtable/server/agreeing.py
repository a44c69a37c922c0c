"""What needs the consent of others: an answer back after something was learnt, a correction, a pause of the clocks."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, NamedTuple

from sandtable.battle.rulings import Correction, Ruling
from sandtable.errors import UserError
from sandtable.kit.grammar import players_do
from sandtable.players.table import stays
from sandtable.server import protocol
from sandtable.server.protocol import SPECTATOR, FromServer, Refused, encode
from sandtable.server.seats import PERSON

if TYPE_CHECKING:
    from sandtable.server.sitting import Client, Sitting


class Request(NamedTuple):
    """A take-back, a correction, or a pause of the clocks, that waits for consent."""

    number: int
    player: int
    back: int
    """How many answers are wanted back; 0 for anything else."""
    learnt: str
    """What was learnt since; or what else is wanted, in words."""
    agreed: frozenset[int]
    ruling: Ruling | None = None
    """The correction that is wanted."""


class Agreeing:
    """What the seats of one battle ask each other for: one thing at a time."""

    def __init__(self, sitting: Sitting) -> None:
        # The sitting holds this one: who both hold each other stay in memory.
        self._sitting = weakref.ref(sitting)
        self._request: Request | None = None
        self._requests = 0
        self._settled = protocol.Settled(request=0, agreed=False, text="")
        """What became of the last request, for who heard of it, or did not."""

    @property
    def _at(self) -> Sitting:
        sitting = self._sitting()
        assert sitting is not None
        return sitting

    def remind(self, client: Client, resumed: bool) -> None:
        """Put what is asked for to somebody who just came, and who asked; tell who came back that nothing is."""
        request = self._request
        if client.player == SPECTATOR:
            return
        if request is None:
            if resumed:
                client.send(encode(self._settled))
        elif client.player == request.player or client.player not in request.agreed:
            client.send(encode(self._asking(request)))

    async def pause(self, player: int) -> FromServer | None:
        """Stop the clocks if all agree, or let them run again."""
        if not self._at.clocks:
            return Refused(code="not_possible", text="This battle is played without clocks.")
        return await self._at.lanes.whole(self._pause(player))

    async def _pause(self, player: int) -> FromServer | None:
        async with self._at.lock:
            if self._at.clocks.paused:
                await self._at.pause(False)
                return None
            return await self._ask_all(player, "a pause")

    async def take_back(self, player: int) -> FromServer | None:
        """Take the last answer of a seat back, or ask the others for it."""
        return await self._at.lanes.whole(self._take_back(player))

    async def _take_back(self, player: int) -> FromServer | None:
        async with self._at.lock:
            try:
                wanted = await self._at.lanes.engine(self._at.playing.wanted, player)
            except UserError as error:
                return Refused(code="not_possible", text=str(error))
            others = [s for s in self._at.seats if s.player != player]
            if why := stays(wanted.learnt, wanted.placed, self._at.takebacks):
                return Refused(code="not_agreed", text=why)
            if wanted.learnt and self._at.takebacks == "agreed":
                if any(s.plays != PERSON for s in others):
                    why = f"A computer player does not agree to that: {wanted.learnt} since."
                    return Refused(code="not_agreed", text=why)
                self._put(player, wanted.back, wanted.learnt)
                return None
            return await self._at.undo(player, wanted.back)

    async def correct(self, player: int, wanted: Correction) -> FromServer | None:
        """Correct something that all agree on; computer players leave it to people."""
        return await self._at.lanes.whole(self._correct(player, wanted))

    async def _correct(self, player: int, wanted: Correction) -> FromServer | None:
        async with self._at.lock:
            try:
                ruling, told = await self._at.lanes.engine(self._at.playing.correction, wanted)
            except UserError as error:
                return Refused(code="not_possible", text=str(error))
            return await self._ask_all(player, f"a correction ({told.rstrip('.')})", ruling)

    async def _ask_all(self, player: int, what: str, ruling: Ruling | None = None) -> FromServer | None:
        """Do what nobody else has to agree to, or put it to them."""
        if all(s.plays != PERSON or s.player == player for s in self._at.seats):
            return await self._agree(Request(0, player, 0, what, frozenset(), ruling))
        self._put(player, 0, what, ruling)
        return None

    def _put(self, player: int, back: int, learnt: str, ruling: Ruling | None = None) -> None:
        """Put a request to the others; one that waited is asked for no more."""
        self.forget("Something else is asked for now.")
        self._requests += 1
        computers = {s.player for s in self._at.seats if s.plays != PERSON}
        self._request = Request(self._requests, player, back, learnt, frozenset([player, *computers]), ruling)
        for client in self._at.clients:
            if client.player != SPECTATOR:
                client.send(encode(self._asking(self._request)))

    async def _agree(self, request: Request) -> FromServer | None:
        """Do what all agree to."""
        if request.back:
            return await self._at.undo(request.player, request.back)
        if request.ruling is not None:
            return await self._at.rule(request.ruling)
        await self._at.pause(True)
        return None

    def _asking(self, request: Request) -> protocol.Asking:
        wish = f"to take an answer back, although {request.learnt} since" if request.back else request.learnt
        text = f"{players_do([self._at.name(request.player)], 'wants')} {wish}. Do you agree?"
        return protocol.Asking(request=request.number, player=request.player, text=text)

    async def consent(self, player: int, said: protocol.Consent) -> FromServer | None:
        """Agree, or not, to what another player asked for."""
        return await self._at.lanes.whole(self._consent(player, said))

    async def _consent(self, player: int, said: protocol.Consent) -> FromServer | None:
        async with self._at.lock:
            request = self._request
            if request is None or request.number != said.request:
                return Refused(code="not_open", text="Nobody asks for that, or no longer.")
            if player == request.player and said.agree:
                return Refused(code="not_yours", text="The others must agree, not you.")
            if not said.agree:
                why = f": {request.learnt} since" if request.back else ""
                text = f"{self._at.name(player)} does not agree{why}."
                self.forget(text)
                return None
            self._request = request = request._replace(agreed=request.agreed | {player})
            if len(request.agreed) < len(self._at.seats):
                return None
            self._request = None
            self._settle(request, True, "All agree.")
            return await self._agree(request)

    def forget(self, why: str = "The battle went on.") -> None:
        """Nobody asks for it any more."""
        request, self._request = self._request, None
        if request is not None:
            self._settle(request, False, why)

    def _settle(self, request: Request, agreed: bool, text: str) -> None:
        self._settled = protocol.Settled(request=request.number, agreed=agreed, text="")
        for client in self._at.clients:
            if client.player != SPECTATOR:
                client.send(encode(protocol.Settled(request=request.number, agreed=agreed, text=text)))
