"""Army lists that somebody sends: the request, and what was understood."""

from __future__ import annotations

from typing import Annotated, Final

import msgspec
from msgspec import Meta

from sandtable.armies.imported import MOST
from sandtable.armies.reports import State
from sandtable.server.protocol.parts import Word

MOST_TOLD: Final = 200
"""Doubts, problems, and abilities that are told of a list."""


class ReadList(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An army list in any form: a file of ours, or an export of another program."""

    text: Annotated[str, Meta(max_length=MOST)]
    system: Word = ""
    """Read it for this one; otherwise it is the one that knows most of it."""
    rather: Word = ""
    """Rather for this one, if it knows anything of the list; where it does not, a doubt says so."""


class UnitRead(msgspec.Struct, frozen=True):
    """A unit of a list."""

    name: str
    models: int
    """0 for one whose datasheet nobody knows."""
    cost: int
    marks: tuple[str, ...]
    """Warlord, an enhancement, whom it leads, what it is embarked in."""


class Counted(msgspec.Struct, frozen=True):
    """How many abilities or rules become what."""

    reviewed: int
    """Played as printed."""
    unreviewed: int
    """Compiled, but not held against print; played where an option says so."""
    left: int
    """Left to the players, whole or in part."""


class LeftRead(msgspec.Struct, frozen=True):
    """An ability or rule that is not played as printed."""

    where: str
    """The unit, faction or detachment."""
    name: str
    state: State
    text: str


class ListRead(msgspec.Struct, frozen=True):
    """What was understood of a list. All names in it come from strangers' files, or may."""

    system: str
    others: tuple[str, ...]
    """Further systems that know units of it; send it again with one of them as `system` to have it read for that."""
    source: str
    """The form that it was read as; empty for a list of ours."""
    name: str
    faction: str
    detachments: list[str]
    measure: str
    """What armies are counted in: points or Power."""
    cost: int
    limit: int
    reported: int | None
    """What the list itself adds up to, if it says so."""
    units: list[UnitRead]
    doubts: list[str]
    """What was not found, guessed or left out, a sentence each, with names that are near."""
    problems: list[str]
    """What keeps the army from being played, a sentence each; none where it can be."""
    core: int
    """Core abilities of its units, which the rules of the game enforce."""
    abilities: Counted
    """Of its units."""
    rules: Counted
    """Of its faction and detachments."""
    left: list[LeftRead]
    text: str
    """The list as a file of ours: what a wish for a battle takes."""
