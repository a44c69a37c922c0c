"""How kernels are compiled: to machine code, kept on disk between runs.

A kernel decides rules, so it must give the same bits everywhere: only + - * / and sqrt, no fastmath, no hypot, no atan2
and no matrix product. Each one is plain Python too: with NUMBA_DISABLE_JIT=1 it runs uncompiled and answers the same.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeVar, cast

import numba
from numba.core.caching import CacheImpl, _CacheLocator

F = TypeVar("F", bound=Callable[..., Any])

_PACKAGE: Final = Path(__file__).parent
_IMPORT: Final = re.compile(r"^(?:from|import) (sandtable[\w.]*)(?: import (\w+))?", re.MULTILINE)

#: Every kernel, so that a test can see that nothing compiles after warm-up.
KERNELS: Final[list[Any]] = []


@cache
def _fingerprint(path: Path) -> str:
    """Of a source and all of ours that it imports: a compiled kernel holds what it calls from elsewhere, too."""
    found = hashlib.blake2b(digest_size=8)
    for source in sorted(_closure(path)):
        found.update(source.read_bytes())
    return found.hexdigest()


def _closure(path: Path) -> set[Path]:
    """A source and the sources of ours that it imports, directly or not."""
    seen: set[Path] = set()
    waiting = [path]
    while waiting:
        here = waiting.pop()
        if here not in seen:
            seen.add(here)
            waiting += _imported(here)
    return seen


@cache
def _imported(path: Path) -> tuple[Path, ...]:
    named = _IMPORT.findall(path.read_text(encoding="utf-8"))
    names = [name for module, item in named for name in (module, f"{module}.{item}")]
    return tuple(found for name in names if (found := _PACKAGE.parent / f"{name.replace('.', '/')}.py").is_file())


class ByContent(_CacheLocator):
    """Where a compiled function is kept: one folder for each state of the sources behind it, wherever these lie.

    Numba would look at the function's own file only, and go on using what was compiled from older sources elsewhere.
    It would also name the folder after the path of the checkout, so that the next clone compiled everything again.
    """

    def __init__(self, function: Callable[..., Any], source: Path) -> None:
        self._py_file = str(source)
        self._place = f"{source.parent.name}-{function.__code__.co_firstlineno}"
        self._stamp = _fingerprint(source)

    @classmethod
    def from_function(cls, function: Callable[..., Any], file: str) -> ByContent | None:
        """For our own sources, unless somebody has named another folder; `None` lets Numba find a place as it does."""
        source = Path(file)
        if os.environ.get("NUMBA_CACHE_DIR") or not source.is_relative_to(_PACKAGE):
            return None
        found = cls(function, source)
        try:
            found.ensure_cache_path()  # type: ignore[no-untyped-call]
        except OSError:
            return None
        return found

    def get_cache_path(self) -> str:
        root = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
        return str(root / "sandtable" / "kernels" / self._stamp)

    def get_source_stamp(self) -> str:
        return self._stamp

    def get_disambiguator(self) -> str:
        return self._place


CacheImpl._locator_classes.insert(0, ByContent)


def kernel(function: F) -> F:
    """Compile a function to machine code."""
    return _compiled(function, cache=True, error_model="numpy")


def bare(function: F) -> F:
    """Compile a small function that neither makes arrays nor slices them, without counting references to arrays.

    Functions that are called millions of times would spend longer counting than working.
    """
    return _compiled(function, cache=True, error_model="numpy", _nrt=False)


def leaf(function: F) -> F:
    """The same for a function so small that handing over its arrays takes longer: it is put into its callers."""
    return _compiled(function, cache=True, error_model="numpy", _nrt=False, forceinline=True)


def _compiled(function: F, **flags: Any) -> F:
    compiled = numba.njit(**flags)(function)
    KERNELS.append(compiled)
    return cast(F, compiled)


def compiled_signatures() -> int:
    """How many kernel versions this process holds; it must not grow after warm-up."""
    return sum(len(getattr(k, "signatures", ())) for k in KERNELS)
