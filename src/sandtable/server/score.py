"""The score by rounds, read off the events that everybody sees."""

from __future__ import annotations

from typing import Any, TypeAlias

from sandtable.battle.events import Changed
from sandtable.battle.fold import fold
from sandtable.battle.machine import Battle
from sandtable.battle.state import from_bytes
from sandtable.battle.world import World
from sandtable.page import wording

Numbers: TypeAlias = tuple[tuple[str, int], ...]


class Score:
    """What the score board said before each round; counts on from where it was."""

    def __init__(self) -> None:
        self._line = -1
        self._seen = 0
        self._now: list[Numbers] = []
        self._rounds: list[list[Numbers]] = []
        self._world: World[Any, Any, Any, Any] | None = None
        """The battle as far as it was heard, where the numbers are read off it and not kept as points"""

    def rounds(self, battle: Battle[Any, Any, Any, Any], line: int) -> list[list[Numbers]]:
        """For each round that began what the board said of each player; anew where the past has changed."""
        if battle.system.numbers is not None:
            return self._read_off(battle, line)
        if line != self._line:
            labels = [[label for label, _ in wording.numbers(battle, p)] for p in battle.state.players]
            self._line, self._seen, self._rounds = line, 0, []
            self._now = [tuple((label, 0) for label in own) for own in labels]
        for event in battle.events[self._seen :]:
            if isinstance(event, Changed):
                self._count(event)
        self._seen = len(battle.events)
        return list(self._rounds)

    def _read_off(self, battle: Battle[Any, Any, Any, Any], line: int) -> list[list[Numbers]]:
        """The same where a system reads its numbers off the battle itself."""
        system = battle.system
        if self._world is None or line != self._line:
            start = from_bytes(battle.start_bytes, system.unit_type, system.player_type, system.game_type)
            self._world = World(system, battle.setup, start, battle.ground)
            self._line, self._seen, self._rounds = line, 0, []
        world = self._world
        for event in battle.events[self._seen :]:
            self._begin_rounds(world)
            fold(world.state, [event])
        self._seen = len(battle.events)
        self._begin_rounds(world)
        return list(self._rounds)

    def _begin_rounds(self, world: World[Any, Any, Any, Any]) -> None:
        while len(self._rounds) < world.state.round:
            self._rounds.append([wording.numbers(world, p) for p in world.state.players])

    def _count(self, event: Changed) -> None:
        if event.what == "player":
            told = {wording.NUMBERS[name]: n for name, n in event.fields.items() if name in wording.NUMBERS}
            self._now[event.id] = tuple((label, told.get(label, n)) for label, n in self._now[event.id])
        elif event.what == "clock":
            # A battle may begin in a later round than the first: before that nobody had anything.
            began = event.fields.get("round", 0)
            while len(self._rounds) < began - 1:
                self._rounds.append([tuple((label, 0) for label, _ in own) for own in self._now])
            if len(self._rounds) < began:
                self._rounds.append(list(self._now))
