"""Playing a journal again.

The same version of Sandtable replays it byte for byte; another version says up to which step it agrees.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import msgspec

from sandtable.battle.dice import KeyedDice
from sandtable.battle.journal import (
    AnswerEntry,
    ArmEntry,
    ConcedeEntry,
    Entry,
    Journal,
    RulingEntry,
    StepEntry,
    UndoEntry,
    round_trip,
)
from sandtable.battle.machine import TAKEN_BACK, Battle
from sandtable.battle.setup import Setup
from sandtable.battle.sound import demand_sound
from sandtable.battle.state import from_bytes
from sandtable.battle.system import System
from sandtable.errors import UserError
from sandtable.version import __version__

#: Called before each entry that is played again, while the question that it answers is open.
Watch: TypeAlias = Callable[[Battle[Any, Any, Any, Any], Entry], None]


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


def replay(
    journal: Journal, system: System, until: int | None = None, watch: Watch | None = None
) -> tuple[Battle[Any, Any, Any, Any], Agreement]:
    """Play a journal again, up to a number of answers, and compare each step with what was written."""
    if journal.system != system.id:
        raise UserError(f"That is a battle of '{journal.system}', not of {system.name}.")
    try:
        setup_type: Any = Setup[system.data_type]  # type: ignore[name-defined]
        setup = msgspec.json.decode(journal.setup, type=setup_type)
        # An option that came later was played as it is by default.
        setup = msgspec.structs.replace(setup, options=system.settle_options(setup.options))
        state = from_bytes(journal.start, system.unit_type, system.player_type, system.game_type)
        demand_sound(system, setup, state)
        battle: Battle[Any, Any, Any, Any] = Battle(system, setup, state, dice=KeyedDice(journal.seed))
    except Exception as error:  # the file may hold shapes and tables that no set-up has
        why = str(error).rstrip(".") or type(error).__name__
        told = f"The set-up in this battle file does not fit {system.name}: {why}. Another version may have begun it."
        raise UserError(told) from None
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
    given = place = 0
    trips = {round_trip(entries, at): at for at, entry in enumerate(entries) if isinstance(entry, UndoEntry)}
    while place < len(entries) and (until is None or given < until):
        entry = entries[place]
        if battle.retraced >= TAKEN_BACK and place in trips:
            undone = entries[place : trips[place] + 1]
            answers = sum(isinstance(e, AnswerEntry) for e in undone)
            if (until is None or given + answers <= until) and battle.pass_over(undone):
                given += answers
                place += len(undone)
                continue
        given += isinstance(entry, AnswerEntry)
        if watch is not None:
            watch(battle, entry)
        _replay_entry(battle, entry)
        place += 1


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
        case UndoEntry(count):
            battle.undo(count)
        case RulingEntry(ruling):
            battle.rule(ruling)
        case ConcedeEntry(player):
            battle.concede(player)
        case ArmEntry(player, units, triggers):
            battle.arm(player, units, triggers)
