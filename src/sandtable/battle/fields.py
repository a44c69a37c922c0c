"""What the fields of units, players and the game may hold, said by notes in their types, and demanded of files.

>>> class Game(msgspec.Struct):
...     first: Annotated[int, PLAYER] = 0
...     fallen: tuple[Annotated[int, UNIT], ...] = ()

A file is written by somebody who may not know what a field is for. The rules trust what they find there, so that
whatever no battle could have put into it is refused, with what would be right.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final, Protocol, TypeAlias, get_args, get_origin, runtime_checkable

import msgspec

from sandtable.battle.sound import MAX_NAME
from sandtable.battle.world import World
from sandtable.errors import UserError, short

MOST_LISTED: Final = 12
"""So many units or players are named in a sentence."""
MOST_HELD: Final = 1000
"""So many values stand in a field at most."""
SHOWN: Final = 60

AnyWorld: TypeAlias = World[Any, Any, Any, Any]


@dataclass(frozen=True)
class At:
    """Where a value stands: in which world, and in a field of which unit or player, or of the game."""

    world: AnyWorld
    holder: Any
    field: str
    words: Mapping[str, Sequence[str]]
    """The words of the edition, by the fields that hold one of them."""


@runtime_checkable
class Holds(Protocol):
    """A note in the type of a field."""

    def problem(self, value: Any, at: At) -> str:
        """What is wrong with a value, and what would be right; empty where it is well."""
        ...


@dataclass(frozen=True)
class Numbers:
    """A number within bounds."""

    least: int
    most: int

    def problem(self, value: int, at: At) -> str:
        if self.least <= value <= self.most:
            return ""
        return f"it is a number from {self.least} to {self.most}, not {value}"


@dataclass(frozen=True)
class Players:
    """The number of a player; -1 for nobody, where that is said."""

    nobody: bool = False

    def problem(self, value: int, at: At) -> str:
        names = [str(p.name) for p in at.world.state.players]
        return _among(value, "player", names, "-1 for nobody" if self.nobody else "")


@dataclass(frozen=True)
class Units:
    """The number of a unit; -1 for none, where that is said."""

    none: bool = False

    def problem(self, value: int, at: At) -> str:
        names = [str(u.name) for u in at.world.state.units]
        return _among(value, "unit", names, "-1 for none" if self.none else "")


@dataclass(frozen=True)
class Model:
    """The number of a model, counted through all units; with `own`, one of the unit that the field belongs to."""

    own: bool = False

    def problem(self, value: int, at: At) -> str:
        if self.own and value not in at.holder.models:
            return f"{at.holder.name} has no model {value}; it has {span(at.holder.models)}"
        if not 0 <= value < len(at.world.state.models.unit):
            return f"there is no model {value}; there are {span(range(len(at.world.state.models.unit)))}"
        return ""


@dataclass(frozen=True)
class Words:
    """One of some words, or none. Which they are, the note says, or the edition by the name of the field."""

    words: tuple[str, ...] = ()

    def problem(self, value: str, at: At) -> str:
        words = self.words or at.words.get(at.field, ())
        if not value or value in words:
            return ""
        known = f"it is {', '.join(words)}, or empty" if words else "it is empty here"
        return f"there is no '{short(value, SHOWN)}'; {known}"


@dataclass(frozen=True)
class Text:
    """A text that is not too long."""

    most: int = MAX_NAME

    def problem(self, value: str, at: At) -> str:
        return "" if len(value) <= self.most else f"it has at most {self.most} letters, not {len(value)}"


@dataclass(frozen=True)
class ForEach:
    """As many values as there are of something, or none at all."""

    what: str
    count: Callable[[At], int]
    empty: bool = True

    def problem(self, value: Sequence[Any], at: At) -> str:
        count = self.count(at)
        if len(value) == count or (self.empty and not value):
            return ""
        return f"it has one value for each {self.what}, {count} in all, not {len(value)}"


PLAYER: Final = Players()
PLAYER_OR_NOBODY: Final = Players(nobody=True)
UNIT: Final = Units()
UNIT_OR_NONE: Final = Units(none=True)
MODEL: Final = Model()
OWN_MODEL: Final = Model(own=True)
WORD: Final = Words()
TEXT: Final = Text()
EACH_MODEL: Final = ForEach("model of the unit", lambda at: len(at.holder.models))
EACH_PLAYER: Final = ForEach("player", lambda at: len(at.world.state.players))


def check_fields(w: AnyWorld, words: Mapping[str, Sequence[str]]) -> None:
    """Refuse units, players and a game of which a field holds what no battle could have put there."""
    holders = [
        *((f"units ({unit.name}).flags", unit) for unit in w.state.units),
        *((f"state.{player.name}", player) for player in w.state.players),
        ("state.game", w.state.game),
    ]
    for where, holder in holders:
        for found in msgspec.structs.fields(type(holder)):
            value = getattr(holder, found.name)
            for path, problem in _problems(found.type, value, At(w, holder, found.name, words)):
                raise UserError(f"{where}.{found.name}{path}: {problem}.")


def _problems(kind: Any, value: Any, at: At) -> Iterator[tuple[str, str]]:
    """What is wrong with a value of a type and with what it holds: where in it, and what."""
    if get_origin(kind) is Annotated:
        kind, *notes = get_args(kind)
        for note in notes:
            if isinstance(note, Holds) and (problem := note.problem(value, at)):
                yield "", problem
    if not isinstance(value, tuple):
        return
    if len(value) > MOST_HELD:
        yield "", f"it has at most {MOST_HELD} values, not {len(value)}"
        return
    for i, (inner, part) in enumerate(zip(_kinds_within(kind, len(value)), value, strict=True)):
        for path, problem in _problems(inner, part, at):
            yield f"[{i}]{path}", problem


def _kinds_within(kind: Any, count: int) -> Sequence[Any]:
    """The types of the values in a tuple, also in one that may be missing."""
    inside = get_args(kind)
    if get_origin(kind) is not tuple:
        return _kinds_within(next(k for k in inside if get_origin(k) is tuple), count)
    return (inside[0],) * count if inside[1:] == (...,) else inside


def _among(value: int, what: str, names: Sequence[str], nobody: str) -> str:
    """What is wrong with the number of something that has a name."""
    if 0 <= value < len(names) or (nobody and value == -1):
        return ""
    listed = ", ".join(f"{i} {name}" for i, name in enumerate(names[:MOST_LISTED]))
    more = f" and so on, up to {len(names) - 1}" if len(names) > MOST_LISTED else ""
    return f"there is no {what} {value}; there are {listed}{more}{f', and {nobody}' if nobody else ''}"


def span(numbers: Sequence[int]) -> str:
    """Numbers as they are told: from the first to the last, where none is missing."""
    if not numbers:
        return "none"
    first, last = min(numbers), max(numbers)
    if len(numbers) == last - first + 1:
        return f"{first} to {last}" if first < last else str(first)
    return ", ".join(map(str, sorted(numbers)))
