"""What the players were reminded of, phase by phase, read off the events that everybody sees."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sandtable.battle.machine import Battle
from sandtable.battle.reminding import Reminding
from sandtable.page import wording


class Reminded:
    """The reminders of a battle; counts on from where it was."""

    def __init__(self, battle: Battle[Any, Any, Any, Any]) -> None:
        self._battle = battle
        self._story = Reminding(battle)
        self._line = -1
        self._told: dict[int, str] = {}

    def by_event(self, line: int) -> Mapping[int, str]:
        """The sentences by the number of the event with which a phase began; anew where the past has changed."""
        if line != self._line:
            self._line, self._told = line, {}
            self._story.restart()
        first = self._story.heard
        for number, event in enumerate(self._battle.events[first:], first):
            if told := self._story.hear(event):
                self._told[number] = "\n".join(map(wording.whole, told))
        return self._told
