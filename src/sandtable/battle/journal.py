"""The journal: the save file of a battle.

It holds the version, the set-up with the datasheets used, the seed, every answer, undo, ruling and concession, and a
fingerprint of the state at each step. The same version of Sandtable replays it byte for byte; another version says up
to which step it agrees.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import msgspec

from sandtable.battle.rulings import Ruling
from sandtable.battle.system import System
from sandtable.errors import UserError
from sandtable.files import read_bytes, write_whole
from sandtable.version import __version__

if TYPE_CHECKING:
    from sandtable.battle.machine import Battle

FORMAT: Final = "sandtable-battle/1"
MAX_BYTES: Final = 16 << 20
MAX_ENTRIES: Final = 200_000
TAKEN_BACK: Final = 200
"""So many answers that were taken back are played again; of more, those that left no trace are passed over..."""
MOST_TAKEN_BACK: Final = 3_000
"""...and a file with more of the others is refused: it would take longer than any battle."""

LOOKED_AHEAD: Final = 100


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


class RulingEntry(msgspec.Struct, frozen=True, tag="r"):
    ruling: Ruling


class ConcedeEntry(msgspec.Struct, frozen=True, tag="c"):
    player: int


Entry: TypeAlias = StepEntry | AnswerEntry | UndoEntry | RulingEntry | ConcedeEntry


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


class Agreement(msgspec.Struct):
    """How far a replay agrees with what was written."""

    steps: int
    """Steps that agree."""
    of: int
    version: str
    """Of the Sandtable that wrote it."""
    trouble: str = ""
    """What went wrong, where it did."""

    @property
    def same_version(self) -> bool:
        return self.version == __version__

    @property
    def whole(self) -> bool:
        return not self.trouble and self.steps == self.of


#: Called before each entry that is played again, while the question that it answers is open.
Watch: TypeAlias = "Callable[[Battle[Any, Any, Any, Any], Entry], None]"


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


def replay(
    journal: Journal, system: System, until: int | None = None, watch: Watch | None = None
) -> tuple[Battle[Any, Any, Any, Any], Agreement]:
    """Play a journal again, up to a number of answers, and compare each step with what was written."""
    from sandtable.battle.dice import KeyedDice
    from sandtable.battle.machine import Battle
    from sandtable.battle.setup import Setup
    from sandtable.battle.sound import demand_sound
    from sandtable.battle.state import from_bytes

    if journal.system != system.id:
        raise UserError(f"That is a battle of '{journal.system}', not of {system.name}.")
    try:
        setup_type: Any = Setup[system.data_type]  # type: ignore[name-defined]
        setup = msgspec.json.decode(journal.setup, type=setup_type)
        state = from_bytes(journal.start, system.unit_type, system.player_type, system.game_type)
        demand_sound(system, setup, state)
        battle: Battle[Any, Any, Any, Any] = Battle(system, setup, state, dice=KeyedDice(journal.seed))
    except Exception as error:  # the file may hold shapes and tables that no set-up has
        why = str(error).rstrip(".") or type(error).__name__
        raise UserError(f"The set-up in this battle file does not fit {system.name}: {why}.") from None
    written = [e.digest for e in journal.entries if isinstance(e, StepEntry)]
    trouble = ""
    try:
        battle.start()
        _replay_entries(battle, journal.entries, until, watch)
    except Exception as error:  # a journal of another version may fail anywhere
        trouble = str(error) or type(error).__name__
    replayed = [e.digest for e in battle.entries if isinstance(e, StepEntry)]
    agree = next((i for i, (a, b) in enumerate(zip(written, replayed, strict=False)) if a != b), None)
    steps = min(len(written), len(replayed)) if agree is None else agree
    of = len(written) if until is None else min(len(written), len(replayed))
    return battle, Agreement(steps, of, journal.version, trouble)


def _replay_entries(
    battle: Battle[Any, Any, Any, Any], entries: list[Entry], until: int | None, watch: Watch | None
) -> None:
    given = taken_back = place = 0
    while place < len(entries) and (until is None or given < until):
        entry = entries[place]
        if taken_back >= TAKEN_BACK and (undone := _undone(entries, place)):
            answers = sum(isinstance(e, AnswerEntry) for e in undone)
            if (until is None or given + answers <= until) and battle.pass_over(undone):
                given += answers
                place += len(undone)
                continue
        given += isinstance(entry, AnswerEntry)
        taken_back += entry.count if isinstance(entry, UndoEntry) else 0
        if taken_back > MOST_TAKEN_BACK:
            raise UserError(f"more than {MOST_TAKEN_BACK} answers were taken back")
        if watch is not None:
            watch(battle, entry)
        _replay_entry(battle, entry)
        place += 1


def _undone(entries: list[Entry], place: int) -> list[Entry]:
    """The answers from here on, with the undo that takes back just these; none where there is no such undo soon."""
    answers = 0
    for at in range(place, min(place + LOOKED_AHEAD, len(entries))):
        entry = entries[at]
        if isinstance(entry, AnswerEntry):
            answers += 1
        elif isinstance(entry, UndoEntry):
            return entries[place : at + 1] if answers and entry.count == answers else []
        elif not isinstance(entry, StepEntry):
            break
    return []


def _names(battle: Battle[Any, Any, Any, Any], *players: int) -> list[str]:
    """What players are called; a changed file may number more than there are."""
    known = [one.name for one in battle.state.players]
    return [known[one] if 0 <= one < len(known) else f"player {one}" for one in players]


def _replay_entry(battle: Battle[Any, Any, Any, Any], entry: Entry) -> None:
    match entry:
        case AnswerEntry(player, kind, answer):
            if not battle.decisions:
                raise UserError(f"the battle is over where it asked '{kind}'")
            asked = battle.decisions[0]
            if (asked.player, asked.kind) != (player, kind):
                now, then = ("", "")
                if asked.player != player:
                    now, then = (f"{name} " for name in _names(battle, asked.player, player))
                raise UserError(f"it now asks {now}'{asked.kind}' where it asked {then}'{kind}'")
            battle.answer(asked, answer)
        case UndoEntry(count, _):
            battle.undo(count)
        case RulingEntry(ruling):
            battle.rule(ruling)
        case ConcedeEntry(player):
            battle.concede(player)
