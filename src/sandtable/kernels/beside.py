"""Compiling beside a battle: one process for all battles of a user, of low priority, that ends with who started it.

`python -m sandtable.kernels.beside FOLDER PACKAGE...` is that process. It compiles in the order in which battles need
kernels and writes each version to disk when it is done; battles find them there. It reads its standard input, which
closes when the process that started it ends, however that happens; then it ends, too, between two files.
"""

from __future__ import annotations

import atexit
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, Final

from sandtable import kernels
from sandtable.kernels.store import Store

BUSY: Final = 3
"""The exit status when another process is at it."""
STARTS: Final = 2
"""How often a process that ended without being done is started again."""
NICE: Final = 10


class Helper:
    """The process beside, as seen by who wants its work."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._process: subprocess.Popen[bytes] | None = None
        self._starts = 0
        self._broken = False
        if reason := store.can_write():
            self._move(reason)

    def _move(self, reason: str) -> None:
        """Hand compiled kernels over in a folder that goes with this process, where the usual one cannot be written."""
        kernels.say(f"Compiled kernels cannot be kept in {self._store.root}: {reason}.")
        try:
            folder = tempfile.mkdtemp(prefix="sandtable-kernels-")
        except OSError:
            self._broken = True
            return
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        self._store.root = Path(folder)

    def look(self) -> None:
        """Start the process if nobody is at it."""
        if self._process is not None and (status := self._process.poll()) is not None:
            self._process = None
            self._starts -= status == BUSY
        if self._broken or self._process is not None or is_busy(self._store.root):
            return
        if self._starts == STARTS:
            self._broken = True
            return
        self._starts += 1
        kernels.say("Kernels are being compiled beside this, which takes some minutes; until then it runs slower.")
        self._process = self._start()

    def _start(self) -> subprocess.Popen[bytes]:
        folder = str(Path(__file__).parents[2])
        paths = [folder, *filter(None, [os.environ.get("PYTHONPATH")])]
        process = subprocess.Popen(
            [sys.executable, "-m", "sandtable.kernels.beside", str(self._store.root), *kernels.PACKAGES],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
            start_new_session=True,
        )
        atexit.register(self.close)
        return process

    def close(self) -> None:
        """End the process, and wait until it has."""
        process, self._process = self._process, None
        if process is not None and process.stdin is not None:
            with suppress(OSError):
                process.stdin.close()
            with suppress(subprocess.TimeoutExpired):
                process.wait(5)


# --- One at a time ----------------------------------------------------------------------------------------------------


def is_busy(root: Path) -> bool:
    """Whether somebody compiles for this folder at the moment."""
    lock = take_lock(root)
    if lock is None:
        return True
    lock.close()
    return False


def take_lock(root: Path) -> IO[bytes] | None:
    """The right to compile for a folder, held until the file is closed; `None` if another process has it."""
    try:
        import fcntl
    except ImportError:  # no such locks here: at worst two processes do the same
        return open(os.devnull, "rb")
    try:
        root.mkdir(parents=True, exist_ok=True)
        lock = open(root / ".lock", "wb")  # noqa: SIM115
    except OSError:
        return None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        lock.close()
        return None
    return lock


# --- The process ------------------------------------------------------------------------------------------------------


def main(root: str, *packages: str) -> int:
    """Compile what is missing in a folder of the kernels of some packages; the exit status."""
    lock = take_lock(Path(root))
    if lock is None:
        return BUSY
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(NICE)
    from sandtable.kernels import warm

    store = kernels.use_folder(root)
    threading.Thread(target=_end_with, args=(sys.stdin.buffer, store), daemon=True).start()
    kernels.engage(kernels.COMPILED)
    warm.warm_up(warm.modules(packages))
    warm.complete(store)
    return 0


def _end_with(stream: IO[Any], store: Store) -> None:
    """End this process when the stream does."""
    stream.read()
    with store.writing:
        os._exit(0)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
