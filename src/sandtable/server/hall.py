"""The hall: all battles of a server. Those that somebody plays are in memory, the others only in the database."""

from __future__ import annotations

import asyncio
import logging
import time
from contextlib import suppress
from typing import Final, NamedTuple

import msgspec

from sandtable import systems
from sandtable.battle.system import System
from sandtable.errors import UserError
from sandtable.players import Orders, Remembered
from sandtable.players.table import Takebacks
from sandtable.server import catalogue, memory, protocol
from sandtable.server.attending import Spoilt, given
from sandtable.server.catalogue import Wish
from sandtable.server.hooks import Hooks, News
from sandtable.server.lanes import Lanes
from sandtable.server.playing import Playing
from sandtable.server.protocol import SPECTATOR
from sandtable.server.queues import GivenUp, Queue
from sandtable.server.seats import INVITED, MINE, PERSON, Place, Seat, fingerprint, new_id, new_secret
from sandtable.server.shares import Shares
from sandtable.server.sitting import AWAY, UNSURE, Sitting
from sandtable.server.store.records import Listed, NewSeat, Saved, Status
from sandtable.server.store.store import Store
from sandtable.server.thinking import NoThought, Thinking
from sandtable.server.told import Chapter
from sandtable.server.worker import Prepared

IDLE: Final = 600.0
"""Seconds after which a battle that nobody looks at leaves memory."""
MOST_IN_MEMORY: Final = 200
LOOK_AROUND: Final = 30.0
LOOK_FOR_FORGOTTEN: Final = 3600.0
DAY: Final = 86_400.0
LOOK_AT_CLOCKS: Final = 5.0
"""Seconds of a running clock that a server which is killed forgets at most."""
SOON: Final = 10.0
"""Seconds that a battle stays in memory which was woken without anybody there: somebody may be coming."""
WOKEN_AFTER: Final = 2.0
"""Seconds after which a battle that could not be stored, and goes on by itself, is woken..."""
WOKEN_AT_LAST: Final = 600.0
"""...and at most, where that comes to nothing again and again."""
LONGEST_REPLAY: Final = 30.0

log = logging.getLogger("sandtable.server")


class NoSeat(Exception):
    """Nobody has that token, or no such battle is watched by everybody."""


class Unplayable(UserError):
    """A battle that this version of Sandtable cannot play on; it may still be watched."""


class NewBattle(NamedTuple):
    """A battle that has begun, with the secrets that nobody will hear again."""

    battle: str
    title: str
    seats: list[dict[str, object]]
    """For each player its number, name and who plays; with a `token`, or an `invitation` to pass on."""
    watch: str
    """A token for spectators."""


class Hall:
    """All battles."""

    def __init__(
        self,
        store: Store,
        thinking: Thinking,
        idle: float = IDLE,
        private_hooks: bool = False,
        *,
        warm: bool = False,
        forget: float = 0.0,
    ) -> None:
        self.lanes = Lanes(store)
        self.thinking = thinking
        # A file from somebody may take long to replay; nobody's opponent waits for that, nor who begins a battle.
        self.replaying = Thinking(1, LONGEST_REPLAY)
        self.preparing = Thinking(1, LONGEST_REPLAY)
        self.hooks = Hooks(private_hooks)
        self.hooks.made = self._called
        self._idle = idle
        self._warm = warm
        self._forget = forget
        """Days after which battles that nobody played are removed; 0 for never."""
        self._warming: asyncio.Task[None] | None = None
        self._sittings: dict[str, Sitting] = {}
        self._loading: dict[str, asyncio.Task[Sitting]] = {}
        self._one_at_a_time = asyncio.Lock()
        self._closing = False
        self._unplayable: dict[str, str] = {}
        self._shares = Shares()
        self._pauses: dict[str, float] = {}
        """How long battles were left alone that could not be stored."""
        self._waking: dict[str, asyncio.Task[None]] = {}
        self._keeper: asyncio.Task[None] | None = None
        self._timekeeper: asyncio.Task[None] | None = None
        self._forgetter: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Go on with battles that go on by themselves, and look around now and then."""
        waiting = await self.lanes.disk(self.lanes.store.unattended, MOST_IN_MEMORY)
        self._keeper = asyncio.ensure_future(self._keep(waiting))
        self._timekeeper = asyncio.ensure_future(self._keep_time())
        if self._forget:
            self._forgetter = asyncio.ensure_future(self._keep_forgetting())
        if self._warm:
            self._warming = asyncio.ensure_future(self._warm_up())

    async def _warm_up(self) -> None:
        """Load what the first battle needs before somebody waits for it."""
        await self.lanes.engine(catalogue.offered)
        await self.preparing.warm(systems.DEFAULT)
        with suppress(NoThought):
            await self.lanes.engine(_begin, await self.preparing.run("prepare", Wish(seed=0)))
        await self.thinking.warm(systems.DEFAULT)
        with suppress(NoThought):
            await self.replaying.run("warm_lists")

    async def close(self) -> None:
        """Send everybody home; what was accepted is stored already."""
        self._closing = True
        own = (self._keeper, self._timekeeper, self._warming, self._forgetter)
        coming = (*self._loading.values(), *self._waking.values())
        tasks = [task for task in (*own, *coming) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for sitting in tuple(self._sittings.values()):
            await sitting.close()
        await self._keep_clocks()
        await self.hooks.close()
        await self.thinking.close()
        await self.replaying.close()
        await self.preparing.close()
        await self.lanes.close()

    # ---------------------------------------------------------------------------------- battles

    async def begin(self, wish: Wish, prepared: Prepared | None = None, host: str = "") -> NewBattle:
        """A new battle for somebody at an address."""
        if wish.minutes is None and (not wish.seats or {MINE, INVITED} & set(wish.seats)):
            begun = await self._begin(wish, prepared)
        else:
            with self._shares.one_more(host, [s.id for s in self._sittings.values() if s.alone]):
                begun = await self._begin(wish, prepared)
        # Whichever it is: with orders, or with a plan, one that has people goes on alone as well.
        self._shares.note(begun.battle, host)
        return begun

    async def _begin(self, wish: Wish, prepared: Prepared | None) -> NewBattle:
        """Prepared beside those that are played: nobody waits for the lists of others."""
        self.evict()
        if prepared is None:
            prepared = await self.preparing.run("prepare", wish, urgent=True)
        playing = await self.lanes.engine(_begin, prepared)
        names = [p.name for p in playing.battle.state.players]
        plays = list(wish.seats) or [MINE if p == prepared.seat else "tactician" for p in range(len(names))]
        if len(plays) != len(names):
            raise UserError(f"Name {len(names)} seats, one each for {', '.join(names)}; not {len(plays)}.")
        watch, taken, told = new_secret(), [], []
        for player, (name, who) in enumerate(zip(names, plays, strict=True)):
            token, invitation = (new_secret() if who == kind else None for kind in (MINE, INVITED))
            person = PERSON if who in (MINE, INVITED) else who
            hashed = [None if s is None else fingerprint(s) for s in (token, invitation)]
            taken.append(NewSeat(player, person, *hashed))
            secrets = {"token": token, "invitation": invitation}
            told.append({"player": player, "name": name, "plays": person} | {k: v for k, v in secrets.items() if v})
        takebacks: Takebacks = wish.takebacks
        head, leaf, title, status, story = await self.lanes.engine(_paper, playing)
        saved = Saved(new_id(), title, playing.battle.system.id, head, takebacks, wish.listed, [leaf], [], [])
        store = self.lanes.store
        clock = None if wish.minutes is None else 60 * wish.minutes
        kept = {s.player: Place(left=clock, increment=wish.increment) for s in taken if s.plays == PERSON and clock}
        await self.lanes.disk(store.begin, saved, taken, fingerprint(watch), status, kept, story)
        await self.sitting(saved.id, playing)
        return NewBattle(saved.id, title, told, watch)

    async def sitting(self, battle: str, playing: Playing | None = None) -> Sitting:
        """A battle in memory, loaded if need be; raises `NoSeat` where there is none."""
        found = self._sittings.get(battle)
        if found is not None:
            return found
        if battle in self._unplayable:
            raise Unplayable(self._unplayable[battle])
        if self._closing:
            raise Spoilt(AWAY)
        task = self._loading.get(battle)
        if task is None:
            # Two who ask for it at one time get the same one.
            task = self._loading[battle] = asyncio.ensure_future(self._load(battle, playing))
            task.add_done_callback(lambda _: self._loading.pop(battle, None))
        return await asyncio.shield(task)

    async def _load(self, battle: str, playing: Playing | None) -> Sitting:
        saved = await self.lanes.disk(self.lanes.store.load, battle)
        if saved is None:
            raise NoSeat
        if playing is None:
            try:
                # Between two that are loaded, answers of others are judged.
                async with self._one_at_a_time:
                    playing = await self.lanes.engine(Playing.load, saved)
            except (UserError, msgspec.MsgspecError) as error:
                watch = f" It can be watched all the same, at {replay_address(battle)}." if saved.told else ""
                self._unplayable[battle] = f"{str(error).rstrip('.')}. Nobody can play on here.{watch}"
                raise Unplayable(self._unplayable[battle]) from None
        status = await self.lanes.engine(playing.status)
        seats, orders = await self.lanes.engine(_readable, saved.seats, playing.battle.system)
        saved = saved._replace(seats=seats)
        sitting = Sitting(saved, playing, self.lanes, self.thinking, self.hooks, self._spoil, status, orders)
        self._sittings[battle] = sitting
        sitting.attending.rouse()
        sitting.calling.resume()
        return sitting

    def _called(self, news: News) -> None:
        """A webhook was called: nobody makes that call again, also after a restart."""
        sitting = self._sittings.get(news.battle)
        if sitting is not None:
            sitting.calling.made(news.player, news.about)
        store = self.lanes.store
        self.lanes.later(self.lanes.disk(store.keep_called, news.battle, news.player, news.about))

    def _spoil(self, sitting: Sitting) -> None:
        """What is in memory is ahead of what is stored: forget it, so that the next who comes loads it."""
        if self._sittings.get(sitting.id) is sitting:
            del self._sittings[sitting.id]
            if sitting.goes_on:
                self._wake_later(sitting.id, sitting)
        for client in tuple(sitting.clients):
            client.dismiss(protocol.TRY_AGAIN, UNSURE)

    # ---------------------------------------------------------------------------------- seats

    async def seat(self, hello: protocol.Hello) -> tuple[Sitting, int]:
        """The battle and the seat that somebody asks for; raises `NoSeat`."""
        if hello.token:
            battle, player = await self._seat_of(hello)
            return await self.sitting(battle), player
        sitting = await self.sitting(hello.battle)
        if not sitting.listed:
            raise NoSeat
        return sitting, SPECTATOR

    async def _seat_of(self, hello: protocol.Hello) -> tuple[str, int]:
        """The battle and the player of a token; raises `NoSeat`."""
        store, mark = self.lanes.store, fingerprint(hello.token)
        held = await self.lanes.disk(store.seat_of, mark)
        watched = None if held else await self.lanes.disk(store.watched_by, mark)
        battle, player = held or (watched, SPECTATOR)
        if battle is None or hello.battle not in ("", battle):
            raise NoSeat
        return battle, player

    async def watched(self, battle: str, token: str = "") -> Saved:
        """A battle that somebody may watch, as it is stored; raises `NoSeat`. Nobody waits while it is loaded."""
        if token:
            await self._seat_of(protocol.Hello(battle=battle, token=token))
        saved = await self.lanes.disk(self.lanes.store.load, battle)
        if saved is None or not (token or saved.listed):
            raise NoSeat
        return saved

    async def told(self, battle: str) -> list[Chapter]:
        """What was told of a battle."""
        return await self.lanes.disk(self.lanes.store.told, battle)

    def must_be_playable(self, battle: str) -> None:
        """Raises `Unplayable` for a battle of which that is known not to be so."""
        if battle in self._unplayable:
            raise Unplayable(self._unplayable[battle])

    async def claim(self, invitation: str, token: str = "") -> tuple[str, int, str]:
        """Take the seat of an invitation: battle, player and token; raises `NoSeat`.

        Who brings a token may ask again with it, in case that the reply was lost.
        """
        token = token or new_secret()
        store = self.lanes.store
        found = await self.lanes.disk(store.claim, fingerprint(invitation), fingerprint(token))
        if found is None:
            raise NoSeat
        battle, player = found
        if battle in self._sittings or battle in self._loading:
            await (await self.sitting(battle)).seat_taken(player)
        return battle, player, token

    async def listed(self) -> list[Listed]:
        """Battles that everybody may watch."""
        return await self.lanes.read(self.lanes.store.listed)

    async def held_by(self, tokens: list[str]) -> list[Listed]:
        """The battles of who holds these tokens."""
        return await self.lanes.read(self.lanes.store.held_by, [fingerprint(t) for t in tokens])

    # ---------------------------------------------------------------------------------- memory

    @property
    def in_memory(self) -> int:
        return len(self._sittings)

    @property
    def clients(self) -> int:
        return sum(len(sitting.clients) for sitting in self._sittings.values())

    async def _keep(self, waiting: list[str]) -> None:
        """Go on with what waits for no person, one after the other, and then look around now and then."""
        for battle in waiting:
            if not await self._wake(battle):
                self._wake_later(battle)
            self.evict()
        while True:
            await asyncio.sleep(min(LOOK_AROUND, self._idle))
            try:
                if self.evict():
                    await self.lanes.disk(memory.give_back)
            except Exception:
                log.exception("Battles could not be put away.")

    async def _wake(self, battle: str, before: Sitting | None = None) -> bool:
        """Have a battle go on that waits for no person. It leaves memory soon after it waits for one.

        Says whether there is nothing left to try.
        """
        try:
            sitting = await self.sitting(battle)
        except (UserError, NoSeat) as error:
            log.warning("Battle %s cannot go on: %s", battle, error)
            return True
        except Exception:
            log.exception("Battle %s cannot go on.", battle)
            return False
        if before is not None:
            sitting.calling.take_over(before.calling)
        sitting.attending.rouse()
        if not sitting.clients:
            sitting.touched += min(SOON, self._idle) - self._idle
        return True

    def _wake_later(self, battle: str, before: Sitting | None = None) -> None:
        """Wake a battle in a while, which is longer each time that it comes to nothing."""
        if self._closing or battle in self._waking:
            return
        if before is not None and before.went_on:
            self._pauses.pop(battle, None)
        task = self._waking[battle] = asyncio.ensure_future(self._wake_patiently(battle, before))
        task.add_done_callback(lambda _: self._waking.pop(battle, None))

    async def _wake_patiently(self, battle: str, before: Sitting | None) -> None:
        while True:
            pause = self._pauses.get(battle, WOKEN_AFTER)
            self._pauses[battle] = min(2 * pause, WOKEN_AT_LAST)
            await asyncio.sleep(pause)
            if await self._wake(battle, before):
                return

    async def _keep_forgetting(self) -> None:
        while True:
            try:
                await self.forget(time.time() - self._forget * DAY)
            except Exception:
                log.exception("Battles that nobody played could not be removed.")
            await asyncio.sleep(LOOK_FOR_FORGOTTEN)

    async def forget(self, before: float) -> None:
        """Remove battles that no person ever played, and that nobody has touched since a time."""
        while gone := await self.lanes.disk(self.lanes.store.forget, before, {*self._sittings, *self._loading}):
            log.info("%s battles that nobody played were removed.", gone)

    async def _keep_time(self) -> None:
        while True:
            await asyncio.sleep(LOOK_AT_CLOCKS)
            await self._keep_clocks()

    async def _keep_clocks(self) -> None:
        """Store what running clocks say: to kill a server gives nobody the time back that was thought."""
        shown = {s.id: s.clocks.readings() for s in self._sittings.values() if s.clocks.running}
        if shown:
            try:
                await self.lanes.disk(self.lanes.store.keep_clocks, shown)
            except Exception:
                log.exception("Clocks could not be stored.")

    def evict(self) -> int:
        """Forget battles that nobody has looked at for a while, and the oldest of them where there are too many.

        Says how many.
        """
        quiet = sorted((s for s in self._sittings.values() if not s.busy), key=lambda s: s.touched)
        too_many = max(0, len(self._sittings) - MOST_IN_MEMORY)
        long_ago, gone = time.monotonic() - self._idle, 0
        for place, sitting in enumerate(quiet):
            if place < too_many or sitting.touched < long_ago:
                del self._sittings[sitting.id]
                self._pauses.pop(sitting.id, None)
                sitting.put_away()
                gone += 1
        return gone


def replay_address(battle: str) -> str:
    """Where a battle is watched from its beginning."""
    return f"/battles/{battle}/replay"


def _readable(seats: list[Seat], system: System) -> tuple[list[Seat], dict[int, Orders]]:
    """Seats with their orders, without what this version cannot read of these and of plans: players give it anew."""
    kept: list[Seat] = []
    orders: dict[int, Orders] = {}
    for stored in seats:
        seat = stored
        try:
            msgspec.json.decode(seat.so_far or b"[]", type=tuple[Remembered, ...])
            orders |= given([seat], system)
        except (UserError, msgspec.MsgspecError) as error:
            log.warning("The orders of seat %s of battle %s cannot be read: %s", seat.player, seat.battle, error)
            seat = seat._replace(orders="", so_far=b"")
        try:
            GivenUp.read(seat.notice or b'{"text": "", "back": []}')
        except msgspec.MsgspecError as error:
            log.warning("What seat %s of battle %s had planned cannot be read: %s", seat.player, seat.battle, error)
            seat = seat._replace(notice=b"")
        try:
            Queue.read(seat.place.queue)
        except msgspec.MsgspecError as error:
            log.warning("What seat %s of battle %s planned cannot be read: %s", seat.player, seat.battle, error)
            seat = seat._replace(place=seat.place._replace(queue=b""))
        kept.append(seat)
    return kept, orders


def _begin(prepared: Prepared) -> Playing:
    return Playing(prepared.begin())


def _paper(playing: Playing) -> tuple[bytes, bytes, str, Status, Chapter]:
    return playing.head(), playing.first_leaf(), playing.title(), playing.status(), playing.story()
