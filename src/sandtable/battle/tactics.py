"""What a system teaches the computer players: ideas for an answer, each with its worth and the reason for it.

Players above know nothing of the game; they take the best idea that the rules allow. Everything here is pure: ideas
look at a player's view and change nothing, and the same view gives the same ideas.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple


class Idea(NamedTuple):
    """An answer that is worth a thought."""

    answer: Any
    worth: float
    """In whatever the system counts; only comparable within one decision."""
    why: str
    """The reason in one short sentence."""


@dataclass(frozen=True)
class Tactics:
    """How a system is played."""

    styles: tuple[str, ...]
    """The styles that it knows: "rusher" goes straight at the enemy, "gunline" stays and shoots, "tactician" thinks.

    The last one plays best: its ideas are the advice that people get."""
    ideas: Callable[[Any, Any, str], Iterator[Idea]]
    """(world, decision, style): answers that are likely legal, the best first; none where the default will do."""
    blunder: Callable[[Any, Any, Any], str]
    """(world, decision, answer): the blunder that an answer is, by name; empty for an answer that is none."""
    blunders: tuple[str, ...] = ()
    """The blunders that are looked for."""
