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

    Unless a system is named, it follows from the lists. A name may be empty where no list is given.
    """
    from sandtable.armies.lists import read_list
    from sandtable.armies.packs import find_list
    from sandtable.armies.pasted import INCOMING, is_pasted
    from sandtable.brought import Text, read_together

    if list(names).count(INCOMING) > 1:
        raise UserError("Only one list can come in; name a file for the other.")
    theirs = [name for name in names if is_pasted(name)]
    if not system:
        ours = (name for name in names if name and name not in theirs)
        system = _told([(name, read_list(find_list(name)).system) for name in ours])
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


def armies_of(
    names: Sequence[str], brought: Sequence[Pasted | None], *, drawn: bool = False
) -> dict[str, str | Path | ArmyList]:
    """What each colour plays with; where one of them is drawn or of another program, in a battle of one size."""
    from sandtable.armies.lists import of_one_size, read_list
    from sandtable.armies.packs import find_list

    found: Sequence[str | ArmyList] = names
    if drawn or any(brought):
        pairs = zip(names, brought, strict=True)
        found = of_one_size([one.army if one is not None else read_list(find_list(name)) for name, one in pairs])
    return dict(zip(("red", "blue"), found, strict=True))


def costs_of(names: Sequence[str], brought: Sequence[Pasted | None]) -> tuple[dict[str, int], str]:
    """What the army of each colour comes to, of those that are named, and in what that is counted."""
    from sandtable.armies.lists import list_cost, read_list
    from sandtable.armies.packs import find_list, open_pack
    from sandtable.armies.told import measure

    found, counted = {}, "points"
    for colour, name, one in zip(("red", "blue"), names, brought, strict=True):
        if name:
            army = one.army if one is not None else read_list(find_list(name))
            pack = one.pack if one is not None else open_pack(army.pack, army.faction)
            found[colour], counted = list_cost(pack, army), measure(pack)
    return found, counted


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
