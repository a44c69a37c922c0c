"""Computer players, standing orders and advice, worked out in processes beside the server, never in its event loop."""

from __future__ import annotations

import asyncio
import logging
import pickle
import sys
from contextlib import suppress
from typing import Any, Final

from sandtable.errors import UserError
from sandtable.server import worker
from sandtable.server.worker import HEADER, Failure

LONGEST: Final = 60.0
"""Seconds that a job may take before its process is ended."""
MOST_WAITING: Final = 200
"""Jobs that may wait for a free process; more are turned away."""

log = logging.getLogger("sandtable.server")


class NoThought(Exception):
    """A job came to nothing; what was wrong is in the log of the server."""


class Worker:
    """One process, started when there is something to do."""

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None

    async def run(self, job: str, arguments: tuple[Any, ...], longest: float) -> Any:
        """Have a job done; whatever goes wrong, the next one finds a process that works."""
        try:
            return await asyncio.wait_for(self._exchange(job, arguments), longest)
        except BaseException as error:
            # A process that was given up leaves a result behind that belongs to nobody.
            self.stop()
            if not isinstance(error, Exception):
                raise
            log.error("A worker was ended in the middle of '%s': %s.", job, str(error) or type(error).__name__)
            raise NoThought(job) from None

    async def _exchange(self, job: str, arguments: tuple[Any, ...]) -> Any:
        if self._process is None or self._process.returncode is not None:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-c",
                # Not with -m: what it sends would then be of a module that is called __main__.
                f"from {worker.__name__} import main; main()",
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                # Who stops the server from the keyboard means the server; it ends its workers in order.
                start_new_session=True,
            )
        given, got = self._process.stdin, self._process.stdout
        assert given is not None and got is not None
        data = pickle.dumps((job, arguments))
        given.write(HEADER.pack(len(data)) + data)
        await given.drain()
        size = HEADER.unpack(await got.readexactly(HEADER.size))[0]
        return pickle.loads(await got.readexactly(size))

    def stop(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()

    async def close(self) -> None:
        process = self._process
        self.stop()
        if process is not None:
            await process.wait()


class Thinking:
    """A few processes and who waits for them."""

    def __init__(self, processes: int, longest: float = LONGEST) -> None:
        self._workers = [Worker() for _ in range(processes)]
        self._free: asyncio.LifoQueue[Worker] = asyncio.LifoQueue()
        for one in self._workers:
            self._free.put_nowait(one)
        self._longest = longest
        self._waiting = 0

    async def run(self, job: str, *arguments: Any) -> Any:
        """Have a job of `worker.JOBS` done; raises `UserError` where it was asked wrongly, `NoThought` otherwise."""
        if self._waiting >= MOST_WAITING:
            raise NoThought("too much is being thought about")
        self._waiting += 1
        try:
            one = await self._free.get()
        finally:
            self._waiting -= 1
        try:
            found = await one.run(job, arguments, self._longest)
        finally:
            # Used last, used next: one process stays warm while there is little to do.
            self._free.put_nowait(one)
        if isinstance(found, Failure):
            if found.meant:
                raise UserError(found.text)
            log.error("A worker failed.\n%s", found.text)
            raise NoThought(job)
        return found

    async def close(self) -> None:
        """End all processes."""
        for one in self._workers:
            await one.close()
