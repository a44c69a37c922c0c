"""Army lists that players bring along from other programs: read, and told before they are played."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sandtable.errors import UserError

if TYPE_CHECKING:
    from rich.console import Console

    from sandtable.armies.lists import ArmyList
    from sandtable.armies.pasted import Pasted


def bring(names: Sequence[str], system: str = "") -> tuple[str, tuple[Pasted | None, ...]]:
    """The system that lists are for, and those among them that came in or are of other programs; None for ours.

    Unless a system is named, it follows from the lists.
    """
    from sandtable.armies.lists import read_list
    from sandtable.armies.packs import find_list
    from sandtable.armies.pasted import INCOMING, is_pasted
    from sandtable.brought import Text, read_together

    if list(names).count(INCOMING) > 1:
        raise UserError("Only one list can come in; name a file for the other.")
    theirs = [name for name in names if is_pasted(name)]
    if not system:
        system = _told([(name, read_list(find_list(name)).system) for name in names if name not in theirs])
    read = dict(zip(theirs, read_together([Text(_text(name), name) for name in theirs], system), strict=True))
    system = system or next((one.list.army.system for one in read.values()), "")
    return system, tuple(read[name].list if name in read else None for name in names)


def _told(lists: Sequence[tuple[str, str]]) -> str:
    """The system that lists of ours are for; empty where there are none."""
    from sandtable import systems

    for name, system in lists:
        if system not in systems.known():
            raise UserError(f"{name}: the list is for '{system}'; there are {', '.join(systems.known())}.")
        if system != lists[0][1]:
            raise UserError(f"{lists[0][0]} is for {lists[0][1]}, and {name} for {system}: armies of one system meet.")
    return lists[0][1] if lists else ""


def _text(name: str) -> str:
    from sandtable.armies.imported import MOST, decoded
    from sandtable.armies.pasted import INCOMING
    from sandtable.files import read_bytes

    return decoded(sys.stdin.buffer.read(MOST + 1) if name == INCOMING else read_bytes(Path(name), MOST), name)


def armies_of(names: Sequence[str], brought: Sequence[Pasted | None]) -> dict[str, str | Path | ArmyList]:
    """What each colour plays with."""
    found = brought or (None,) * len(names)
    pairs = zip(("red", "blue"), names, found, strict=True)
    return {colour: name if one is None else one.army for colour, name, one in pairs}


def told(one: Pasted) -> dict[str, Any]:
    """What was understood of a list, for programs."""
    return {"understood": [line.strip() for line in one.understood], "doubts": list(one.doubts)}


def show_brought(screen: Console, brought: Sequence[Pasted | None]) -> None:
    """What was understood of lists, before anything else."""
    from sandtable.cli.out import text

    for one in brought:
        if one is not None:
            screen.print(text((one.understood[0], "bold")))
            for line in (*one.understood[1:], *(f"! {doubt}" for doubt in one.doubts)):
                screen.print(text(line))
