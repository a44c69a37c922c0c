"""Computer players: they take the best idea that the system's tactics have and the rules allow."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Any, Final

from sandtable.battle import questions
from sandtable.battle.decisions import Decision
from sandtable.players.base import AnyView
from sandtable.players.standing import Note

IDEAS: Final = 12
"""Ideas that are looked at before the plain answer is taken"""

PLAIN: Final = "The usual answer."


class ComputerPlayer:
    """Plays in a style that the system's tactics know; without tactics it gives plain answers."""

    trusted: Final = True
    """Changes nothing in what it is shown."""

    def __init__(self, style: str, note: Callable[[Note], None] | None = None) -> None:
        self.style = style
        self.log: list[Note] = []
        self._note = note

    def choose(self, view: AnyView, decision: Decision[Any]) -> Any:
        answer, why = self._think(view, decision)
        note = Note(decision.player, decision.id, decision.kind, why)
        self.log.append(note)
        if self._note is not None:
            self._note(note)
        return answer

    def _think(self, view: AnyView, decision: Decision[Any]) -> tuple[Any, str]:
        tactics = view.system.tactics
        if tactics is not None and self.style in tactics.styles:
            for idea in islice(tactics.ideas(view, decision, self.style), IDEAS):
                if questions.judge(view, decision, idea.answer):
                    return idea.answer, idea.why
        return questions.plain(view, decision), PLAIN
