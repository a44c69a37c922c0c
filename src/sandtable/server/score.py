"""The score by rounds, read off the battle as everybody heard it."""

from __future__ import annotations

from typing import Any, TypeAlias

from sandtable.battle.fold import fold
from sandtable.battle.machine import Battle
from sandtable.battle.state import from_bytes
from sandtable.battle.world import World
from sandtable.page import wording

Numbers: TypeAlias = tuple[tuple[str, int], ...]


class Score:
    """What the score board said before each round; reads on from where it was."""

    def __init__(self) -> None:
        self._line = -1
        self._seen = 0
        self._rounds: list[list[Numbers]] = []
        self._world: World[Any, Any, Any, Any] | None = None
        """The battle as far as it was heard"""

    def rounds(self, battle: Battle[Any, Any, Any, Any], line: int) -> list[list[Numbers]]:
        """For each round that began what the board said of each player; anew where the past has changed."""
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
        """A battle may begin in a later round than the first: of those before nothing else is known."""
        while len(self._rounds) < world.state.round:
            self._rounds.append([wording.numbers(world, p) for p in world.state.players])
