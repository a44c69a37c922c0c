"""A player who does anything legal: for trying systems out, and for finding what they forgot."""

from __future__ import annotations

from itertools import islice
from random import Random
from typing import Any, Final

from sandtable.battle import questions
from sandtable.battle.decisions import Decision
from sandtable.players.base import AnyView

IDEAS: Final = 4
"""Suggestions to pick from; each may cost a search."""
PLAIN: Final = 0.15
"""How often the plain answer is taken, which a list of good ideas might never reach."""


class RandomPlayer:
    """Picks among a few suggestions; the same seed gives the same choices."""

    trusted: Final = True

    def __init__(self, seed: int = 0, *, ideas: int = IDEAS, plain: float = PLAIN) -> None:
        self._rng = Random(seed)
        self._ideas = ideas
        self._plain = plain

    def choose(self, view: AnyView, decision: Decision[Any]) -> Any:
        rng = self._rng
        if rng.random() < self._plain:
            return questions.plain(view, decision)
        # How many ideas to look at is drawn too: mostly the first, which is the cheapest to come by.
        wanted = rng.randint(1, self._ideas)
        return rng.choice(list(islice(questions.suggest(view, decision, rng), wanted)))
