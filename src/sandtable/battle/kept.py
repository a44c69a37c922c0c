"""Values that are worked out once, and kept as long as what they depend on stays as it is.

`@kept(PLACES)` stands on a pure function whose first argument is a world, and says what of the world it reads. What it
answers is kept under the function and its other arguments; nobody writes a key. Arguments are plain values that can be
compared: numbers, names, tuples. Units and decisions count by their numbers, arrays by what stands in them, as the
annotations say (`Unit`, `Sequence[Unit]`, `Decision[Any]`, `Ints`). What else a value depends on, such as a flag of a
unit, is an argument.

    @kept(PLACES_OF_THESE)
    def keywords_of(w: AnyWorld, unit: Unit) -> frozenset[str]:

Where a function is a rule, too, `@kept` stands above `@rule`. A function that fails, or reads more than it says, is a
fault that shows up late, in a fork or after an undo: SANDTABLE_CHECK_CACHES=1 works out anew every value that is found
again, and compares (see `stale`).
"""

from __future__ import annotations

import enum
import inspect
import re
from collections.abc import Callable
from functools import update_wrapper
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias, TypeVar

from sandtable.battle.pages import MOMENT, PAGES, moment_page, new_page, page_since, page_since_loss

if TYPE_CHECKING:
    from types import CodeType

F = TypeVar("F", bound=Callable[..., Any])


class Reads(enum.Enum):
    """What of a world a function reads, beside its arguments."""

    SETUP = "the set-up alone: datasheets, the table, options"
    LOSSES = "who is still in play, and in which unit"
    PLACES_OF_THESE = "where the models of the units stand that are its arguments, one or two of them"
    PLACES = "where any models stand, and the terrain"
    EFFECTS = "the effects at work"
    EVERYTHING = "anything in the state"


SETUP: Final = Reads.SETUP
LOSSES: Final = Reads.LOSSES
PLACES_OF_THESE: Final = Reads.PLACES_OF_THESE
PLACES: Final = Reads.PLACES
EFFECTS: Final = Reads.EFFECTS
EVERYTHING: Final = Reads.EVERYTHING

MISSING: Final = object()
_UNIT: Final = re.compile(r"(?:\w+\.)*(?:\w*Unit|Formation|U)")
_UNITS: Final = re.compile(r"(?:Sequence|Iterable|list|tuple)\[(?:\w+\.)*(?:\w*Unit|Formation|U)(?:, \.\.\.)?\]")
_DECISION: Final = re.compile(r"Decision\[Any\]|Choose|ChooseSome|Assign|Move|Place")
_ARRAY: Final = re.compile(r"(?:\w+\.)*(?:Ints|Bools|Floats|Flags)")


class Keeper(NamedTuple):
    """A function that keeps its values, and the two ways in which it can look them up."""

    function: Any
    plain: CodeType
    checking: CodeType
    """Works out anew what it finds, and has both compared."""


KEEPERS: Final[list[Keeper]] = []
"""All of them, for whoever checks what they keep"""
Look: TypeAlias = "Callable[[Any, Callable[..., Any], Any, Any, Callable[[], Any]], None]"
"""(world, function, key, what was found, how to work it out anew)"""
_looks: Final[list[Look]] = []
"""Who checks at the moment: nobody, or one"""

_PAGES: Final = {
    SETUP: "page = {w}.ground.kept",
    LOSSES: "page = page_since_loss({w}.state.version)",
    PLACES: "page = PAGES.get({w}.state.version) or new_page({w}.state.version)",
    PLACES_OF_THESE: "page = PAGES.get({w}.state.version) or new_page({w}.state.version)",
    EVERYTHING: "page = MOMENT.get({w}.state.stamp) or moment_page({w}.state.stamp)",
}
_LOOK_UP: Final = """
def keeping({signature}):
    {page}
    key = {key}
    found = page.get(key, MISSING)
    if found is MISSING:
        found = page[key] = work({arguments})
    {check}
    return found
"""
_LOOK_BACK: Final = """
def keeping({signature}):
    {page}
    key = {key}
    found = page.get(key, MISSING)
    if found is MISSING:
        older = page_since({w}.state.version, {one}, {other})
        found = older.get(key, MISSING)
        if found is MISSING:
            found = older[key] = work({arguments})
        page[key] = found
    {check}
    return found
"""
_REMEMBER: Final = """
def keeping(value, {signature}):
    {page}
    page.setdefault({key}, {value})
"""
_LOOK_AT_EFFECTS: Final = """
def keeping({signature}):
    {page}
    key = {key}
    effects = {w}.state.effects
    under, found = page.get(key, NOTHING)
    if under is not effects and under != effects:
        found = work({arguments})
        page[key] = (effects, found)
    {check}
    return found
"""


def kept(*reads: Reads) -> Callable[[F], F]:
    """Keep what a pure function answers until something that it reads changes."""
    wanted = set(reads)
    under_effects = EFFECTS in wanted
    wanted.discard(EFFECTS)
    lifetimes = [r for r in (EVERYTHING, PLACES, PLACES_OF_THESE, LOSSES, SETUP) if r in wanted] or [SETUP]
    if lifetimes[0] is EVERYTHING:
        under_effects = False

    def decorate(work: F) -> F:
        return _keeper(work, lifetimes[0], under_effects)

    return decorate


def remember(function: Callable[..., Any], value: Any, *arguments: Any) -> None:
    """Keep a value that was worked out together with others, as if the function had been asked for it."""
    function.remember(value, *arguments)  # type: ignore[attr-defined]


def check_with(look: Look | None) -> None:
    """Have every value that is found again worked out anew, and handed to `look` with the one that was kept."""
    _looks[:] = [] if look is None else [look]
    for keeper in KEEPERS:
        _set_out(keeper)


def _set_out(keeper: Keeper) -> None:
    keeper.function.__code__ = keeper.checking if _looks else keeper.plain
    if _looks:
        keeper.function.__globals__["look"] = _looks[0]


def _keeper(work: F, lifetime: Reads, under_effects: bool) -> F:
    parameters = list(inspect.signature(work).parameters.values())
    world, rest = parameters[0].name, parameters[1:]
    units = [p.name for p in rest if _UNIT.fullmatch(str(p.annotation))]
    if lifetime is PLACES_OF_THESE and not 1 <= len(units) <= 2:
        raise TypeError(f"{work.__qualname__} takes {len(units)} units: the places of one or two can be followed.")
    if lifetime is PLACES_OF_THESE and under_effects:
        raise TypeError(f"{work.__qualname__} reads effects, which are not of one unit: it reads PLACES.")
    template = _LOOK_AT_EFFECTS if under_effects else _LOOK_BACK if lifetime is PLACES_OF_THESE else _LOOK_UP
    keys = [_key(p) for p in rest]
    arguments = ", ".join(f"{p.name}={p.name}" if p.kind is p.KEYWORD_ONLY else p.name for p in parameters)
    parts = {
        "signature": _signature(parameters),
        "w": world,
        "page": _PAGES[lifetime].format(w=world),
        "key": f"(work, {', '.join(keys)})" if keys else "work",
        "arguments": arguments,
        "one": f"{units[0]}.id" if units else "",
        "other": f"{units[-1]}.id" if units else "",
        "value": f"({world}.state.effects, value)" if under_effects else "value",
    }
    names = {"work": work, **_NAMES, **{f"default_{p.name}": p.default for p in rest if p.default is not p.empty}}
    where = f"<kept {work.__qualname__}>"
    function = _made(template.format(**parts, check="pass"), where, names)
    look = f"look({world}, work, key, found, lambda: work({arguments}))"
    checking = _made(template.format(**parts, check=look), where, names).__code__
    keeper = Keeper(function, function.__code__, checking)
    KEEPERS.append(keeper)
    _set_out(keeper)
    update_wrapper(function, work)
    function.remember = _made(_REMEMBER.format(**parts), where, names)
    keeping: F = function
    return keeping


def _made(source: str, where: str, names: dict[str, Any]) -> Any:
    """The function that a template gives, once the names of a function's parameters stand in it."""
    room = dict(names)
    exec(compile(source, where, "exec"), room)
    return room["keeping"]


def _key(parameter: inspect.Parameter) -> str:
    """What stands for an argument in the key."""
    name, annotation = parameter.name, str(parameter.annotation)
    if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
        raise TypeError(f"'*{name}' cannot be part of what a value is kept under: take a tuple.")
    if _UNIT.fullmatch(annotation):
        return f"{name}.id"
    if _UNITS.fullmatch(annotation):
        return f"tuple([one.id for one in {name}])"
    if _DECISION.fullmatch(annotation):
        return f"({name}.id, {name}.kind, {name}.unit)"
    if _ARRAY.fullmatch(annotation):
        return f"{name}.tobytes()"
    return name


_NAMES: Final[dict[str, Any]] = {
    "MISSING": MISSING,
    "NOTHING": (None, None),
    "MOMENT": MOMENT,
    "PAGES": PAGES,
    "new_page": new_page,
    "page_since": page_since,
    "page_since_loss": page_since_loss,
    "moment_page": moment_page,
}


def _signature(parameters: list[inspect.Parameter]) -> str:
    out, starred = [], False
    for p in parameters:
        if p.kind is p.KEYWORD_ONLY and not starred:
            out.append("*")
            starred = True
        out.append(p.name if p.default is p.empty else f"{p.name}=default_{p.name}")
    return ", ".join(out)
