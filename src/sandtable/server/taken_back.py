"""What was taken back after something was learnt: it stays in the log, with the dice that were burnt.

Plans that are withdrawn before anything was rolled, or anybody else answered, are nobody's business.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from sandtable.battle import rolls
from sandtable.battle.events import AnyEvent, Rolled
from sandtable.battle.machine import Battle

MOST_TOLD: Final = 12
"""Rolls that are told one by one."""

AnyBattle = Battle[Any, Any, Any, Any]


class TakingBack:
    """An undo, from before it to after it."""

    def __init__(self, battle: AnyBattle, count: int) -> None:
        given = battle.answers
        self.player = given[-count].player if 0 < count <= len(given) else -1
        self.learnt = battle.learnt_since(count)
        self._before: Sequence[AnyEvent] = list(battle.events)

    def told(self, battle: AnyBattle) -> str:
        """What everybody is told once it is done."""
        lost = [e for e in self._before[len(battle.events) :] if isinstance(e, Rolled)]
        name = battle.player(self.player).name if self.player >= 0 else "Somebody"
        although = f", although {self.learnt} since" if self.learnt and not lost else ""
        burnt = [rolls.sentence(roll) for roll in lost[:MOST_TOLD]]
        if len(lost) > MOST_TOLD:
            burnt.append(f"and {len(lost) - MOST_TOLD} more rolls")
        dice = f" These dice are burnt, and will not fall again: {'; '.join(burnt)}." if burnt else ""
        return f"{name} took an answer back{although}.{dice}"


class TakenBack:
    """What stays in the log of a battle."""

    def __init__(self) -> None:
        self._told: list[tuple[int, str]] = []
        self._under_way: TakingBack | None = None

    def note(self, battle: AnyBattle, done: TakingBack) -> str:
        """An undo is done; gives what is told of it, to all where something had been learnt."""
        self.cut(battle)
        text = done.told(battle)
        if done.learnt:
            self._told.append((len(battle.events) - 1, text))
        return text

    def cut(self, battle: AnyBattle) -> None:
        """The past was changed: what was told after it is told where it ends now."""
        last = len(battle.events) - 1
        self._told = [(min(at, last), text) for at, text in self._told]

    def expect(self, battle: AnyBattle, count: int | None) -> None:
        """In a replay: what came before is done, and so many answers will be taken back now, or none."""
        done, self._under_way = self._under_way, None
        if done is not None:
            self.note(battle, done)
        else:
            self.cut(battle)
        if count is not None:
            self._under_way = TakingBack(battle, count)

    def by_event(self) -> Mapping[int, str]:
        """The sentences, by the number of the event after which they belong."""
        found: dict[int, str] = {}
        for at, text in self._told:
            found[at] = f"{found[at]}\n{text}" if at in found else text
        return found
