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
MOST_KEPT: Final = 20
"""Sentences that are kept of one place: everybody who comes is told them all."""

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


class Place:
    """What is told after one event, the newest last."""

    def __init__(self) -> None:
        self.told: list[str] = []
        self.older = 0
        """How many more there were."""

    def add(self, told: Sequence[str], older: int = 0) -> None:
        every = [*self.told, *told]
        self.told = every[-MOST_KEPT:]
        self.older += older + len(every) - len(self.told)

    def __str__(self) -> str:
        times = "once" if self.older == 1 else f"{self.older} times"
        older = [f"Before that, answers were taken back here {times} more."] if self.older else []
        return "\n".join([*older, *self.told])


class TakenBack:
    """What stays in the log of a battle."""

    def __init__(self) -> None:
        self._places: dict[int, Place] = {}
        """By the number of the event, in this order: nothing is told of what is not there any more."""
        self._under_way: TakingBack | None = None

    def note(self, battle: AnyBattle, done: TakingBack) -> str:
        """An undo is done; gives what is told of it, to all where something had been learnt."""
        self.cut(battle)
        text = done.told(battle)
        if done.learnt:
            self._places.setdefault(len(battle.events) - 1, Place()).add([text])
        return text

    def cut(self, battle: AnyBattle) -> None:
        """The past was changed: what was told after it is told where it ends now."""
        last = len(battle.events) - 1
        for at in [at for at in self._places if at > last]:
            gone = self._places.pop(at)
            self._places.setdefault(last, Place()).add(gone.told, gone.older)

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
        return {at: str(place) for at, place in self._places.items()}
