"""Kernels: functions that decide geometry and chances, plain Python at first, machine code as soon as there is some.

A kernel decides rules, so it must give the same bits everywhere: only + - * / and sqrt, no fastmath, no hypot, no atan2
and no matrix product. Then it does not matter whether it runs as Python or compiled, and a battle can begin at once:
kernels whose machine code is on disk run compiled; the others run as they are written while a process beside the battle
compiles them, and are exchanged one by one.

`SANDTABLE_KERNELS` says otherwise: `compiled` compiles what is missing before it runs; `plain`, like
`NUMBA_DISABLE_JIT=1`, compiles nothing.
"""

from __future__ import annotations

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

PACKAGES: Final = ("sandtable.table", "sandtable.attack", "sandtable.kit", "sandtable.forty", "sandtable.systems")
"""Where kernels are."""

LOOK_AGAIN: Final = 0.5
"""Seconds between two looks at what has been compiled meanwhile."""

ONE_QUESTION: Final = 0.3
"""Seconds of processor time outside a battle before it is worth loading machine code, which takes as long."""
FEW_STEPS: Final = 500_000
"""Elementary steps that take about a tenth of a second without machine code."""


class Kernel:
    """A kernel as it is written, and its compiled form as soon as it runs compiled."""

    __slots__ = ("compiled", "options", "py_func", "returned", "source")

    def __init__(self, function: Callable[..., Any], options: dict[str, Any]) -> None:
        self.py_func = function
        self.options = options
        self.source = function.__code__.co_filename
        self.compiled: Compiled | None = None
        self.returned = False
        """Whether it is plain again, until all kernels of its source are on disk."""

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
        self.since = 0.0
        """The processor time when kernels were first used outside a battle."""
        self.said: list[str] = []


_switch: Final = _Switch()


def engage(manner: str = "") -> None:
    """Run kernels compiled from now on, as far as they are compiled; a battle says so when it begins."""
    if _switch.manner and manner in ("", _switch.manner):
        return
    _switch.manner = manner or _wanted()
    if _switch.manner != PLAIN:
        _settle(KERNELS)


def use(steps: int = 0) -> None:
    """Say that kernels are about to run outside a battle: a short question is answered without machine code."""
    if not _switch.manner:
        now = time.process_time()
        _switch.since = _switch.since or now
        if steps > FEW_STEPS or now - _switch.since > ONE_QUESTION or _wanted() == COMPILED:
            engage()


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
        import multiprocessing

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
    marks = {found: fingerprint(found.source) for found in kernels}
    whole = {mark: _switch.manner == COMPILED or store.is_complete(mark) for mark in dict.fromkeys(marks.values())}
    there = {mark: {name.partition(".")[0] for name in store.entries(mark)} for mark in whole if not whole[mark]}
    ready = []
    for found, mark in marks.items():
        if whole[mark] or (found.py_func.__name__ in there[mark] and not found.returned):
            ready.append(found)
    _exchange({found.py_func: _compiled(found) for found in ready if found.compiled is None or found.returned})
    for found in ready:
        found.returned = False
    _switch.waiting = [found for found, mark in marks.items() if not whole[mark]]
    _switch.look_again = time.monotonic() + LOOK_AGAIN
    if _switch.waiting:
        _compile_beside(store)
    elif _switch.helper is not None:
        _switch.helper.close()
        _switch.helper = None


def _store() -> Store:
    return _switch.store or use_folder()


def _compiled(found: Kernel) -> Compiled:
    from sandtable.kernels.compiler import Compiled

    if found.compiled is None:
        found.compiled = Compiled(found, _store(), _may_compile, _give_back)
    return found.compiled


def _may_compile(found: Kernel) -> bool:
    """Whether a version that is not on disk is compiled here and now: not if somebody else is about to, or should."""
    from sandtable.sources import fingerprint

    if _switch.manner == COMPILED:
        return True
    if not _switch.waiting and not _store().is_complete(fingerprint(found.source)):
        _switch.waiting.append(found)  # a file was damaged, and has been removed
    return not _switch.waiting


def _give_back(found: Kernel) -> None:
    """Put a kernel back as it is written, for as long as others call it with types that are not compiled."""
    found.returned = True
    if found not in _switch.waiting:
        _switch.waiting.append(found)
    _exchange({found.compiled: found.py_func})


def _exchange(new: dict[Any, Any]) -> None:
    """Put one form of a kernel in the place of another, in all modules that know it by name."""
    by_id = {id(old): form for old, form in new.items()}
    ours = {"sandtable", *(old.__module__.partition(".")[0] for old in new)}
    for name, module in list(sys.modules.items()) if new else ():
        if name.partition(".")[0] in ours:
            names = vars(module)
            for known, value in list(names.items()):
                if id(value) in by_id:
                    names[known] = by_id[id(value)]


def _compile_beside(store: Store) -> None:
    from sandtable.kernels.beside import Helper

    if _switch.helper is None:
        _switch.helper = Helper(store)
    _switch.helper.look()
