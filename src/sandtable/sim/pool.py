"""Battles on several cores."""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from multiprocessing.connection import Connection

from sandtable.errors import UserError
from sandtable.sim.game import Game, Outcome, play_game


def cores() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def run(
    games: Sequence[Game], *, processes: int = 0, on_done: Callable[[Outcome], None] | None = None
) -> list[Outcome]:
    """Play all games, and give their outcomes in the same order; `on_done` hears of each as it ends.

    Every game has its own seed, so the outcomes do not depend on how many processes share the work. Without a number
    of processes it takes as many as there are cores.
    """
    wanted = min(processes or cores(), len(games))
    if wanted <= 1:
        return [_told(play_game(game), on_done) for game in games]
    outcomes: dict[int, Outcome] = {}
    # A new interpreter for each worker: a fork of one that has compiled kernels may hang.
    context = multiprocessing.get_context("spawn")
    # Nobody writes to it: it closes when this process ends, however that happens, and then the workers end.
    reader, writer = context.Pipe(duplex=False)
    with reader, writer, ProcessPoolExecutor(wanted, context, _end_with, (reader,)) as pool:
        waiting = {pool.submit(play_game, game): i for i, game in enumerate(games)}
        try:
            for done in as_completed(waiting):
                outcomes[waiting[done]] = _told(done.result(), on_done)
        except BrokenProcessPool:
            raise UserError(
                f"A worker process died after {len(outcomes)} of {len(games)} battles, perhaps for want of memory;"
                " try again with fewer processes."
            ) from None
        except BaseException:
            writer.close()
            raise
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
    return [outcomes[i] for i in range(len(games))]


def _end_with(reader: Connection) -> None:
    """In a worker: end when the process that started it does, or when it has given up waiting."""

    def watch() -> None:
        with suppress(OSError):
            reader.poll(None)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _told(outcome: Outcome, on_done: Callable[[Outcome], None] | None) -> Outcome:
    if on_done is not None:
        on_done(outcome)
    return outcome
