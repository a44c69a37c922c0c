"""The journal: the save file of a battle.

It holds the version, the set-up with the datasheets used, the seed, every answer, undo, ruling, concession and arming,
and a fingerprint of the state at each step. `replaying` plays it again.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import msgspec

from sandtable.battle.rulings import Ruling
from sandtable.errors import UserError
from sandtable.files import read_bytes, write_whole
from sandtable.version import __version__

if TYPE_CHECKING:
    from sandtable.battle.machine import Battle

FORMAT: Final = "sandtable-battle/1"
MAX_BYTES: Final = 16 << 20
MAX_ENTRIES: Final = 200_000


class StepEntry(msgspec.Struct, frozen=True, tag="s"):
    """A step was entered with this state."""

    digest: str


class AnswerEntry(msgspec.Struct, frozen=True, tag="a"):
    player: int
    kind: str
    answer: Any


class UndoEntry(msgspec.Struct, frozen=True, tag="u"):
    """So many answers were taken back; dice after that come from the epoch, unless none was rolled (-1)."""

    count: int
    epoch: int
    number: int = -1
    """Of the question that is asked again; journals of earlier versions do not tell it."""


class RulingEntry(msgspec.Struct, frozen=True, tag="r"):
    ruling: Ruling


class ConcedeEntry(msgspec.Struct, frozen=True, tag="c"):
    player: int


class ArmEntry(msgspec.Struct, frozen=True, tag="w"):
    """From the next answer on a player wants to be asked whenever one of these units could react, and about every
    reaction to these triggers."""

    player: int
    units: tuple[int, ...]
    triggers: tuple[str, ...] = ()


Entry: TypeAlias = StepEntry | AnswerEntry | UndoEntry | RulingEntry | ConcedeEntry | ArmEntry


LOOKED_BACK: Final = 100


def round_trip(entries: Sequence[object], end: int) -> int:
    """Where the answers begin that came to nothing with the undo at a place; -1 where it is no such undo.

    They are those that it takes back, with all that was answered and taken back meanwhile; then by one player alone,
    for of answers that were given together one takes the others with it.
    """
    back, undone, players = 0, 0, set()
    for at in range(end, max(-1, end - LOOKED_BACK), -1):
        entry = entries[at]
        if isinstance(entry, UndoEntry):
            back += entry.count
            undone += 1
        elif isinstance(entry, AnswerEntry):
            back -= 1
            players.add(entry.player)
            if back <= 0:
                return at if undone == 1 or len(players) == 1 else -1
        elif isinstance(entry, RulingEntry | ConcedeEntry | ArmEntry):
            break
    return -1


class Journal(msgspec.Struct):
    """The whole file."""

    format: str
    version: str
    system: str
    seed: int
    setup: msgspec.Raw
    start: bytes
    """The state that the battle began with."""
    entries: list[Entry]


def write(battle: Battle[Any, Any, Any, Any]) -> bytes:
    """The journal of a battle as bytes."""
    if not battle.start_bytes:
        raise UserError("This battle keeps no journal, as a fork does, and cannot be saved.")
    if battle.seed is None:
        raise UserError("A battle with dice that were written down beforehand cannot be saved.")
    setup = msgspec.Raw(msgspec.json.encode(battle.setup))
    journal = Journal(FORMAT, __version__, battle.system.id, battle.seed, setup, battle.start_bytes, battle.entries)
    return msgspec.json.encode(journal)


def write_file(battle: Battle[Any, Any, Any, Any], path: Path) -> None:
    """The journal of a battle as a file, there whole or not at all."""
    write_whole(path, write(battle))


def read(data: bytes, where: str) -> Journal:
    """A journal from bytes; refuses what is not one."""
    if len(data) > MAX_BYTES:
        raise UserError(f"{where} is larger than a battle file can be ({MAX_BYTES >> 20} MB).")
    try:
        journal = msgspec.json.decode(data, type=Journal)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise UserError(f"{where} is not a battle file: {error}.") from None
    if journal.format != FORMAT:
        raise UserError(f"{where} has the format '{journal.format}'; this version reads '{FORMAT}'.")
    if len(journal.entries) > MAX_ENTRIES:
        raise UserError(f"{where} has more than {MAX_ENTRIES} entries.")
    return journal


def read_file(path: Path) -> Journal:
    """A journal from a file."""
    return read(read_bytes(path, MAX_BYTES), str(path))
