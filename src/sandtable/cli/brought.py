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


def bring(names: Sequence[str], system: str) -> tuple[Pasted | None, ...]:
    """The lists of other programs among those that are named; None for ours."""
    from sandtable.armies.pasted import INCOMING, is_pasted, read_pasted

    if list(names).count(INCOMING) > 1:
        raise UserError("Only one list can come in; name a file for the other.")
    return tuple(read_pasted(_text(name), system, name) if is_pasted(name) else None for name in names)


def _text(name: str) -> str:
    from sandtable.armies.imported import MOST
    from sandtable.armies.pasted import INCOMING
    from sandtable.files import read_text

    if name != INCOMING:
        return read_text(Path(name), MOST)
    raw = sys.stdin.buffer.read(MOST + 1)
    if len(raw) > MOST:
        raise UserError(f"At most {MOST >> 20} MB can come in.")
    return raw.decode("utf-8", "replace")


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
