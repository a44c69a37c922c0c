"""Lanes: the threads that work for all battles, beside the event loop."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, Final, TypeVar

from sandtable.server.store.opening import Busy
from sandtable.server.store.records import Addition
from sandtable.server.store.store import Store

MOST_TOGETHER: Final = 100
"""Answers, of as many battles, that are stored in one transaction."""

T = TypeVar("T")
log = logging.getLogger("sandtable.server")


class Lanes:
    """The threads that work for all battles: one for the engine, one for the database, and one for its lists."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._engine = ThreadPoolExecutor(1, "engine")
        self._disk = ThreadPoolExecutor(1, "database")
        self._lists = ThreadPoolExecutor(1, "lists")
        self._whole: set[asyncio.Task[Any]] = set()
        self._unkept: list[tuple[Addition, asyncio.Future[None]]] = []
        self._keeper: asyncio.Task[None] | None = None

    async def engine(self, work: Callable[..., T], *arguments: Any) -> T:
        """Have the engine do something. Its caches belong to the process, so that one thread serves all battles."""
        return await asyncio.get_running_loop().run_in_executor(self._engine, partial(work, *arguments))

    async def disk(self, work: Callable[..., T], *arguments: Any) -> T:
        """Have the database do something."""
        return await asyncio.get_running_loop().run_in_executor(self._disk, partial(work, *arguments))

    async def read(self, work: Callable[..., T], *arguments: Any) -> T:
        """Have something looked up, which waits for nobody who writes. No type of msgspec may be decoded there."""
        return await asyncio.get_running_loop().run_in_executor(self._lists, partial(work, *arguments))

    async def keep(self, gained: Addition) -> None:
        """Store what happened. Whatever comes while the disk is busy goes there together, in one transaction."""
        kept: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._unkept.append((gained, kept))
        if self._keeper is None or self._keeper.done():
            self._keeper = asyncio.ensure_future(self._keep_all())
        await kept

    async def _keep_all(self) -> None:
        while self._unkept:
            batch, self._unkept = self._unkept[:MOST_TOGETHER], self._unkept[MOST_TOGETHER:]
            await self._keep(batch)

    async def _keep(self, batch: list[tuple[Addition, asyncio.Future[None]]]) -> None:
        try:
            await self.disk(self.store.add, [gained for gained, _ in batch])
        except Exception as error:
            if len(batch) > 1 and not isinstance(error, Busy):
                # One of them is at fault; the others must not suffer for it.
                for one in batch:
                    await self._keep([one])
                return
            # While somebody else holds the database each would wait as long again, and so would all that comes after.
            for _, kept in batch:
                kept.set_exception(error)
            return
        for _, kept in batch:
            kept.set_result(None)

    async def whole(self, work: Coroutine[Any, Any, T]) -> T:
        """Do something to its end, also when nobody waits for it any more."""
        task = asyncio.ensure_future(work)
        self._whole.add(task)
        task.add_done_callback(self._whole.discard)
        return await asyncio.shield(task)

    def later(self, work: Coroutine[Any, Any, Any]) -> None:
        """Do something that nobody waits for."""
        task = asyncio.ensure_future(work)
        self._whole.add(task)
        task.add_done_callback(self._whole.discard)
        task.add_done_callback(_note)

    @property
    def busy(self) -> bool:
        """Whether something is being done that nobody may wait for."""
        return bool(self._whole)

    async def close(self) -> None:
        """Finish what was begun, then close the database."""
        if self._whole:
            await asyncio.wait(self._whole)
        await self.read(lambda: None)
        await self.disk(self.store.close)
        for lane in (self._engine, self._disk, self._lists):
            lane.shutdown()


def _note(task: asyncio.Task[Any]) -> None:
    """Write down what went wrong where nobody waits for it."""
    if task.cancelled() or (error := task.exception()) is None:
        return
    if isinstance(error, Busy):
        log.warning("Something was not stored that nobody waits for: the database was busy.")
    else:
        log.error("Something failed that nobody waits for.", exc_info=error)
