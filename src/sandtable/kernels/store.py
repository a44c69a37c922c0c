"""Compiled kernels on disk: a folder for each state of their sources, a file for each version, whole or not at all.

```
kernels/FINGERPRINT/gaps.MACHINE.TYPES.entry     machine code of a kernel that Python calls
                    gaps.MACHINE.TYPES.part      a kernel before it is put into others
                    complete.MACHINE             the entries that belong to it; all kernels of the source are there
```
A file that is damaged counts as missing and is removed, so that it is compiled again.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import time
from collections.abc import Collection, Iterable
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import Final

from sandtable import cachefiles

DAY: Final = 86_400.0
KEPT_DAYS: Final = 30
KEPT_BYTES: Final = 400 << 20
"""Folders of other states of the sources go when nobody has used them for so long, or when all take more room."""
FINGERPRINT: Final = re.compile(r"[0-9a-f]{16}")
"""What our folders are called; nothing else is ever removed."""


def usual_folder() -> Path:
    """Where compiled kernels are kept, unless somebody has named another folder."""
    named = os.environ.get("NUMBA_CACHE_DIR")
    if named:
        # Every program with Numba keeps its files there.
        return Path(named) / "sandtable"
    return cachefiles.cache_folder() / "kernels"


class Store:
    """The folder of compiled kernels, for one kind of machine: what another processor runs may fail here."""

    def __init__(self, root: Path, machine: str) -> None:
        self.root = root
        self.machine = machine
        self.writing: Final = Lock()
        """Held while a file is written; who waits for it before it ends a process leaves nothing half done."""

    def can_write(self) -> str:
        """Empty, or why nothing can be kept here."""
        try:
            self.root.mkdir(parents=True, exist_ok=True)
            probe = self.root / f".{os.getpid()}"
            probe.write_bytes(b"")
            probe.unlink()
        except OSError as error:
            return error.strerror or str(error)
        return ""

    def name(self, function: str, types: str, kind: str) -> str:
        """The file of one version of a kernel."""
        return f"{function}.{self.machine}.{hashlib.blake2b(types.encode(), digest_size=10).hexdigest()}.{kind}"

    def read(self, fingerprint: str, name: str) -> bytes | None:
        """The content of a file; `None` if it is missing or damaged."""
        path = self.root / fingerprint / name
        was_there = os.path.exists(path)
        found = cachefiles.read(path)
        if found is None and was_there:
            self.remove(fingerprint, name)
        return found

    def write(self, fingerprint: str, name: str, content: bytes) -> None:
        """Write a file whole; two processes may do so at once, and the later one stays. Raises `OSError`."""
        with self.writing:
            cachefiles.write(self.root / fingerprint / name, content)

    def remove(self, fingerprint: str, name: str) -> None:
        """Take a file that is no good away; for an entry, with it the word that all are there."""
        with suppress(OSError):
            (self.root / fingerprint / name).unlink(missing_ok=True)
            if name.endswith(".entry"):
                self._mark(fingerprint).unlink(missing_ok=True)

    def entries(self, fingerprint: str) -> set[str]:
        """The files of the kernels that Python can call, as far as they are there."""
        ending = f".{self.machine}."
        try:
            return {n for n in os.listdir(self.root / fingerprint) if n.endswith(".entry") and ending in n}
        except OSError:
            return set()

    # ------------------------------------------------------------------ whether all are there

    def _mark(self, fingerprint: str) -> Path:
        return self.root / fingerprint / f"complete.{self.machine}"

    def complete(self, fingerprint: str) -> None:
        """Write down that all kernels of a source are compiled."""
        self.write(fingerprint, self._mark(fingerprint).name, "\n".join(sorted(self.entries(fingerprint))).encode())

    def is_complete(self, fingerprint: str) -> bool:
        """Whether all kernels of a source are there. Using them counts: what is used is kept."""
        mark = self._mark(fingerprint)
        known = self.read(fingerprint, mark.name)
        if known is None or not set(known.decode().split()) <= self.entries(fingerprint):
            return False
        with suppress(OSError):
            if time.time() - mark.stat().st_mtime > DAY:
                os.utime(mark)
        return True

    def tidy(self, in_use: Collection[str]) -> None:
        """Remove what no sources have needed for long, the longest unused first until the rest takes little room."""
        others = []
        for folder in self._folders():
            with suppress(OSError):
                files = [file.stat() for file in folder.rglob("*")]
                used = max((file.st_mtime for file in files), default=0.0)
                others.append((used, sum(file.st_size for file in files), folder))
        room = KEPT_BYTES - sum(size for _, size, folder in others if folder.name in in_use)
        for used, size, folder in sorted(others, reverse=True):
            if folder.name in in_use:
                continue
            room -= size
            if room < 0 or time.time() - used > KEPT_DAYS * DAY:
                shutil.rmtree(folder, ignore_errors=True)

    def _folders(self) -> Iterable[Path]:
        try:
            found = [path for path in self.root.iterdir() if FINGERPRINT.fullmatch(path.name)]
            return [path for path in found if path.is_dir() and not path.is_symlink()]
        except OSError:
            return []
