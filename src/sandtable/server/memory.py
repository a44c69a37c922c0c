"""Memory that is free is given back to the system.

A battle that leaves memory leaves holes between what stays: soon they are larger than what is in use. The C library of
Linux keeps such holes, in a heap for every few threads, and lets large blocks into them for good as soon as one such
block was freed once. Elsewhere nothing of this is known, or needed, and nothing is done.
"""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any, Final

_MMAP_THRESHOLD: Final = -3
_ARENA_MAX: Final = -8
"""What `mallopt` calls its settings."""
LARGE: Final = 1 << 20
"""Bytes of a block that gets pages of its own, so that they are free when it is: journals, replays, long messages."""


def keep_together() -> None:
    """Have one heap for all threads, and no large block in it; to be called before there are any."""
    library = _library()
    if library is not None:
        library.mallopt(_ARENA_MAX, 1)
        library.mallopt(_MMAP_THRESHOLD, LARGE)


def give_back() -> None:
    """Give the system what is free between the blocks in use."""
    library = _library()
    if library is not None:
        library.malloc_trim(0)


@cache
def _library() -> Any:
    """The C library, where it is one that can do so."""
    try:
        library = ctypes.CDLL(None)
        return library if library.mallopt and library.malloc_trim else None
    except (OSError, TypeError, AttributeError):
        return None  # not on this system
