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
    from sandtable.battle.setup import Setup
    from sandtable.battle.state import State

FORMAT: Final = "sandtable-battle/1"
MAX_BYTES: Final = 64 << 20
MAX_ENTRIES: Final = 1_000_000


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
    from sandtable.battle.state import from_bytes

    if journal.system != system.id:
        raise UserError(f"That is a battle of '{journal.system}', not of {system.name}.")
    try:
        setup_type: Any = Setup[system.data_type]  # type: ignore[name-defined]
        setup = msgspec.json.decode(journal.setup, type=setup_type)
        state = from_bytes(journal.start, system.unit_type, system.player_type, system.game_type)
        _demand_sound(setup, state)
        battle: Battle[Any, Any, Any, Any] = Battle(system, setup, state, dice=KeyedDice(journal.seed))
    except Exception as error:  # the file may hold shapes and tables that no set-up has
        raise UserError(f"The set-up in this battle file does not fit {system.name}: {error}.") from None
    written = [e.digest for e in journal.entries if isinstance(e, StepEntry)]
    trouble = ""
    given = 0
    try:
        battle.start()
        for entry in journal.entries:
            if until is not None and given >= until:
                break
            if isinstance(entry, AnswerEntry):
                given += 1
            if watch is not None:
                watch(battle, entry)
            _replay_entry(battle, entry)
    except Exception as error:  # a journal of another version may fail anywhere
        trouble = str(error) or type(error).__name__
    replayed = [e.digest for e in battle.entries if isinstance(e, StepEntry)]
    agree = next((i for i, (a, b) in enumerate(zip(written, replayed, strict=False)) if a != b), None)
    steps = min(len(written), len(replayed)) if agree is None else agree
    of = len(written) if until is None else min(len(written), len(replayed))
    return battle, Agreement(steps, of, journal.version, trouble)


def _demand_sound(setup: Setup[Any], state: State[Any, Any, Any]) -> None:
    """Refuse a start whose parts do not fit each other: the kernels trust every row number."""
    models, count = state.models, len(setup.shape_of)
    columns = (models.facing, models.wounds, models.place, models.mark, models.unit)
    if models.pos.shape != (count, 3) or any(column.shape != (count,) for column in columns):
        raise ValueError("its models do not match their bases")
    if any(not 0 <= shape < len(setup.shapes) for shape in setup.shape_of):
        raise ValueError("a model has a base that is not there")
    for number, unit in enumerate(state.units):
        if unit.id != number or not 0 <= unit.player < len(state.players):
            raise ValueError(f"unit {unit.id} is out of order")
        if any(not 0 <= model < count for model in unit.models):
            raise ValueError(f"unit {unit.id} has a model that is not there")
    if any(player.id != number for number, player in enumerate(state.players)):
        raise ValueError("its players are out of order")
    if any(not 0 <= unit < len(state.units) for unit in models.unit.tolist()):
        raise ValueError("a model belongs to no unit")
    if not 0 <= state.active < len(state.players):
        raise ValueError("nobody's turn it is")
    if len(models.pos) and max(abs(int(models.pos.min())), abs(int(models.pos.max()))) > 1 << 24:
        raise ValueError("a model stands far off any table")


def _replay_entry(battle: Battle[Any, Any, Any, Any], entry: Entry) -> None:
    match entry:
        case AnswerEntry(player, kind, answer):
            if not battle.decisions:
                raise UserError(f"the battle is over where it asked '{kind}'")
            asked = battle.decisions[0]
            if (asked.player, asked.kind) != (player, kind):
                raise UserError(f"it now asks '{asked.kind}' where it asked '{kind}'")
            battle.answer(asked, answer)
        case UndoEntry(count, _):
            battle.undo(count)
        case RulingEntry(ruling):
            battle.rule(ruling)
        case ConcedeEntry(player):
            battle.concede(player)
