"""Computer players, standing orders and advice, worked out in processes beside the server, never in its event loop."""

from __future__ import annotations

import asyncio
import logging
import pickle
import sys
from contextlib import suppress
from contextvars import ContextVar
from typing import Any, Final

from sandtable.errors import UserError
from sandtable.server import worker
from sandtable.server.in_turn import InTurn
from sandtable.server.worker import HEADER, READY, Failure

STARTING: Final = 60.0
"""Seconds in which a new process must be ready: no job is to blame for them."""
LONGEST: Final = 60.0
"""Seconds that a job may take before its process is ended."""
MOST_WAITING: Final = 200
"""Questions for advice that may wait for a free process; beyond that, the last of whoever has most is turned away."""
IN_A_ROW: Final = 2
"""Seats that answer before somebody gets advice who waits for it, too."""
NOBODY: Final = "\0"
"""Asks where no person waits for an answer: all battles that go on by themselves have one share of the processes. No
address reads so."""

ASKER: Final[ContextVar[str]] = ContextVar("asker", default="")
"""Who asks for what is done now: an address, unless something else is named."""

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
            told = pickle.dumps((job, arguments))
        except RecursionError:
            # An answer in a thousand brackets is no reason to end a process, which takes others seconds to replace.
            log.info("Nothing was done about '%s': it is nested too deeply.", job)
            raise NoThought(job) from None
        try:
            process = await asyncio.wait_for(self._ready(), STARTING)
            return await asyncio.wait_for(self._exchange(process, told), longest)
        except BaseException as error:
            # A process that was given up leaves a result behind that belongs to nobody.
            self.stop()
            if not isinstance(error, Exception):
                raise
            log.error("A worker was ended in the middle of '%s': %s.", job, str(error) or type(error).__name__)
            raise NoThought(job) from None

    async def _ready(self) -> asyncio.subprocess.Process:
        """The process, once it has loaded what it needs and says so."""
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
            assert self._process.stdout is not None
            await self._process.stdout.readexactly(len(READY))
        return self._process

    async def _exchange(self, process: asyncio.subprocess.Process, told: bytes) -> Any:
        given, got = process.stdin, process.stdout
        assert given is not None and got is not None
        given.write(HEADER.pack(len(told)) + told)
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
    """A few processes and who waits for them: mostly seats that must answer, then those who ask for advice, in turn."""

    def __init__(self, processes: int, longest: float = LONGEST) -> None:
        self._workers = [Worker() for _ in range(processes)]
        self._idle = list(self._workers)
        self._urgent: InTurn[asyncio.Future[Worker]] = InTurn()
        self._others: InTurn[asyncio.Future[Worker]] = InTurn(MOST_WAITING, NOBODY)
        self._in_a_row = 0
        """Urgent ones that were served since one of the others was."""
        self._jobs: set[asyncio.Task[Any]] = set()
        self._longest = longest

    async def run(self, job: str, *arguments: Any, urgent: bool = False, asker: str | None = None) -> Any:
        """Have a job of `worker.JOBS` done; raises `UserError` where it was asked wrongly, `NoThought` otherwise."""
        one = await self._free(urgent, ASKER.get() if asker is None else asker)
        # Who stops waiting does not stop the worker: to start another one would take longer than to finish.
        task = asyncio.ensure_future(self._have_done(one, job, arguments))
        self._jobs.add(task)
        task.add_done_callback(self._jobs.discard)
        found = await asyncio.shield(task)
        if isinstance(found, Failure):
            if found.meant:
                raise UserError(found.text)
            raise NoThought(job)
        return found

    async def warm(self, system: str) -> None:
        """Start all processes, one after the other, with what the first questions about a system need."""
        for one in self._workers:
            if one in self._idle:
                self._idle.remove(one)
                task = asyncio.ensure_future(self._have_done(one, "warm", (system,)))
                self._jobs.add(task)
                task.add_done_callback(self._jobs.discard)
                await asyncio.wait([task])

    async def _have_done(self, one: Worker, job: str, arguments: tuple[Any, ...]) -> Any:
        try:
            found = await one.run(job, arguments, self._longest)
        except NoThought as error:
            return Failure(str(error), False)
        finally:
            self._release(one)
        if isinstance(found, Failure) and not found.meant:
            log.error("A worker failed.\n%s", found.text)
        return found

    async def _free(self, urgent: bool, asker: str) -> Worker:
        if self._idle:
            # Used last, used next: one process stays warm while there is little to do.
            return self._idle.pop()
        waiting = self._urgent if urgent else self._others
        turn: asyncio.Future[Worker] = asyncio.get_running_loop().create_future()
        turned_away = waiting.put(asker, turn)
        if turned_away is not None and not turned_away.done():
            turned_away.set_exception(NoThought("too much is being thought about"))
        try:
            return await turn
        except asyncio.CancelledError:
            waiting.drop(asker, turn)
            if turn.done() and not turn.cancelled() and turn.exception() is None:
                self._release(turn.result())
            raise

    def _release(self, one: Worker) -> None:
        while (turn := self._next()) is not None:
            if not turn.done():
                turn.set_result(one)
                return
        self._idle.append(one)

    def _next(self) -> asyncio.Future[Worker] | None:
        """Who is served next: whoever asks for advice must not wait until no seat has to answer any more."""
        urgent = None if self._in_a_row >= IN_A_ROW and self._others else self._urgent.take()
        if urgent is None:
            self._in_a_row = 0
            return self._others.take()
        self._in_a_row += 1
        return urgent

    async def close(self) -> None:
        """End all processes."""
        for task in self._jobs:
            task.cancel()
        await asyncio.gather(*self._jobs, return_exceptions=True)
        for one in self._workers:
            await one.close()
