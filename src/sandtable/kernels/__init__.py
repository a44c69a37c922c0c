"""Kernels: functions that decide geometry and chances, plain Python at first, machine code as soon as there is some.

A kernel decides rules, so it must give the same bits everywhere: only + - * / and sqrt, no fastmath, no hypot, no atan2
and no matrix product. Then it does not matter whether it runs as Python or compiled, and a battle can begin at once:
kernels whose machine code is on disk run compiled; the others run as they are written while a process beside the battle
compiles them, and are exchanged one by one.

`SANDTABLE_KERNELS` says otherwise: `compiled` compiles what is missing before it runs; `plain`, like
`NUMBA_DISABLE_JIT=1`, compiles nothing.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
import time
from collections.abc import Callable, Iterable
from types import FunctionType
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

if TYPE_CHECKING:
    from sandtable.kernels.beside import Helper
    from sandtable.kernels.compiler import Compiled
    from sandtable.kernels.store import Store

F = TypeVar("F", bound=Callable[..., Any])

BESIDE: Final = "beside"
COMPILED: Final = "compiled"
PLAIN: Final = "plain"

PACKAGES: Final = ("sandtable.table", "sandtable.attack", "sandtable.kit", "sandtable.systems")
"""Where kernels are."""

LOOK_AGAIN: Final = 0.5
"""Seconds between two looks at what has been compiled meanwhile."""


class Kernel:
    """A kernel as it is written, and its compiled form as soon as it runs compiled."""

    __slots__ = ("compiled", "options", "py_func", "source")

    def __init__(self, function: Callable[..., Any], options: dict[str, Any]) -> None:
        self.py_func = function
        self.options = options
        self.source = function.__code__.co_filename
        self.compiled: Compiled | None = None

    @property
    def signatures(self) -> tuple[Any, ...]:
        """The types of arguments for which Python can call it compiled."""
        return () if self.compiled is None else tuple(self.compiled.entries)


KERNELS: Final[list[Kernel]] = []
"""Every kernel of the modules that were imported."""


def kernel(function: F) -> F:
    """A function that runs compiled where it can."""
    return _enter(function, {})


def bare(function: F) -> F:
    """The same for a small function that neither makes arrays nor slices them: references to them are not counted.

    Functions that are called millions of times would spend longer counting than working.
    """
    return _enter(function, {"_nrt": False})


def leaf(function: F) -> F:
    """The same for a function so small that handing over its arrays takes longer: it is put into its callers."""
    return _enter(function, {"_nrt": False, "forceinline": True})


def compiled_signatures() -> int:
    """How many versions of kernels Python can call compiled; it must not grow after warm-up."""
    return sum(len(kernel.signatures) for kernel in KERNELS)


# --- From Python to machine code --------------------------------------------------------------------------------------


class _Switch:
    """How far this process has come."""

    def __init__(self) -> None:
        self.manner = ""
        """Empty until kernels are wanted compiled for the first time."""
        self.store: Store | None = None
        self.helper: Helper | None = None
        self.waiting: list[Kernel] = []
        """Kernels of which something is not on disk yet."""
        self.look_again = 0.0
        self.said: list[str] = []


_switch: Final = _Switch()


def engage(manner: str = "") -> None:
    """Run kernels compiled from now on, as far as they are compiled; a battle says so when it begins."""
    if _switch.manner and manner in ("", _switch.manner):
        return
    _switch.manner = manner or _wanted()
    if _switch.manner != PLAIN:
        _settle(KERNELS)


def catch_up() -> None:
    """Exchange kernels that have been compiled meanwhile; a battle says so at every step."""
    if _switch.waiting and time.monotonic() >= _switch.look_again:
        _settle(_switch.waiting)


def is_waiting() -> bool:
    """Whether kernels are being compiled beside what runs."""
    return bool(_switch.waiting)


def use_folder(root: str = "") -> Store:
    """Keep compiled kernels in a folder, or in the usual one; gives the store."""
    from sandtable.kernels.compiler import open_store

    _switch.store = open_store(root)
    return _switch.store


def say(sentence: str) -> None:
    """Tell who sits at the terminal, once, about compiling; the workers of a pool keep quiet."""
    if sentence not in _switch.said:
        _switch.said.append(sentence)
        if multiprocessing.parent_process() is None and sys.stderr is not None:
            print(sentence, file=sys.stderr, flush=True)


def _wanted() -> str:
    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        return PLAIN
    named = os.environ.get("SANDTABLE_KERNELS", BESIDE)
    return named if named in (COMPILED, PLAIN) else BESIDE


def _enter(function: F, options: dict[str, Any]) -> F:
    """A kernel of a module that is being imported."""
    if function.__globals__.get(function.__name__) is function:
        # It keeps its name as plain Python, for arrays as a whole, and becomes a kernel under another one.
        function = cast(F, FunctionType(function.__code__, function.__globals__, function.__name__))
    found = Kernel(function, options)
    KERNELS.append(found)
    if _switch.manner == COMPILED:
        return cast(F, _compiled(found))
    if _switch.manner == BESIDE:
        _switch.waiting.append(found)
        _switch.look_again = 0.0
    return function


def _settle(kernels: Iterable[Kernel]) -> None:
    """Exchange all of these kernels that can be, and see to it that the others are compiled."""
    from sandtable.sources import fingerprint

    store = _store()
    ready: list[Kernel] = []
    waiting: list[Kernel] = []
    whole: dict[str, bool] = {}
    there: dict[str, set[str]] = {}
    for found in kernels:
        mark = fingerprint(found.source)
        if _switch.manner == BESIDE and mark not in whole:
            whole[mark] = store.is_complete(mark)
            there[mark] = set() if whole[mark] else {name.partition(".")[0] for name in store.entries(mark)}
        if _switch.manner == COMPILED or whole[mark]:
            ready.append(found)
        else:
            waiting.append(found)
            if found.py_func.__name__ in there[mark]:
                ready.append(found)
    _exchange([found for found in ready if found.compiled is None])
    _switch.waiting = waiting
    _switch.look_again = time.monotonic() + LOOK_AGAIN
    if waiting:
        _compile_beside(store)
    elif _switch.helper is not None:
        _switch.helper.close()
        _switch.helper = None


def _store() -> Store:
    return _switch.store or use_folder()


def _compiled(found: Kernel) -> Compiled:
    from sandtable.kernels.compiler import Compiled

    if found.compiled is None:
        found.compiled = Compiled(found, _store(), _may_compile)
    return found.compiled


def _may_compile(found: Kernel) -> bool:
    """Whether a version that is not on disk is compiled here and now: not if somebody else is about to, or should."""
    from sandtable.sources import fingerprint

    if _switch.manner == COMPILED:
        return True
    if not _switch.waiting and not _store().is_complete(fingerprint(found.source)):
        _switch.waiting.append(found)  # a file was damaged, and has been removed
    return not _switch.waiting


def _exchange(kernels: list[Kernel]) -> None:
    """Put compiled kernels in the place of plain ones, in all modules that know them by name."""
    new = {id(found.py_func): _compiled(found) for found in kernels}
    if not new:
        return
    ours = {"sandtable", *(found.py_func.__module__.partition(".")[0] for found in kernels)}
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] in ours:
            names = vars(module)
            for known, value in list(names.items()):
                if id(value) in new:
                    names[known] = new[id(value)]


def _compile_beside(store: Store) -> None:
    from sandtable.kernels.beside import Helper

    if _switch.helper is None:
        _switch.helper = Helper(store)
    _switch.helper.look()
