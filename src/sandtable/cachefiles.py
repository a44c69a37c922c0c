"""Files of what can be worked out again: each is whole and carries its sum, or counts as missing."""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress
from pathlib import Path
from typing import Final

from sandtable.folders import user_folder

HEADER: Final = b"sandtable cache 1\n"
DIGEST: Final = 16


def cache_folder() -> Path:
    """Where a user's programs keep such files; a place where nothing can be kept for who has no home."""
    return user_folder("XDG_CACHE_HOME", ".cache") or Path(os.devnull) / "sandtable"


def read(path: Path) -> bytes | None:
    """The content of a file; `None` if it is missing. One that is damaged is removed."""
    try:
        raw = path.read_bytes()
    except OSError:
        return None
    start = len(HEADER) + DIGEST
    if raw[: len(HEADER)] == HEADER and raw[len(HEADER) : start] == _digest(raw[start:]):
        return raw[start:]
    with suppress(OSError):
        path.unlink(missing_ok=True)
    return None


def write(path: Path, content: bytes) -> None:
    """Write a file whole; several processes may do so at once, and the last one stays. Raises `OSError`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        draft.write_bytes(HEADER + _digest(content) + content)
        draft.replace(path)
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)


def keep(path: Path, content: bytes, most: int) -> None:
    """Write a file if that can be done, and remove the oldest of its folder beyond so many."""
    with suppress(OSError):  # a folder that cannot be written: it is worked out again next time
        write(path, content)
        for old in sorted(path.parent.iterdir(), key=lambda file: file.stat().st_mtime, reverse=True)[most:]:
            old.unlink(missing_ok=True)


def _digest(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=DIGEST).digest()
