"""Players by name, for command lines and notebooks: `players.tactician()`, `players.random(7)`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from sandtable.battle import questions
from sandtable.battle.decisions import Decision
from sandtable.errors import UserError
from sandtable.players.base import AnyView, Player
from sandtable.players.chance import RandomPlayer
from sandtable.players.computer import ComputerPlayer
from sandtable.players.standing import Note

COMPUTERS: Final = ("rusher", "gunline", "tactician")
NAMES: Final = ("random", "default", *COMPUTERS)
"""The strongest comes last."""
WAYS: Final = {
    "random": "does anything legal",
    "default": "takes the usual answer every time",
    "rusher": "goes straight at you",
    "gunline": "stays and shoots",
    "tactician": "plays for the mission and weighs every attack",
}
"""How each of them plays, in a few words."""

Hear = Callable[[Note], None]


class DefaultPlayer:
    """Accepts the default of every decision."""

    trusted: Final = True

    def choose(self, view: AnyView, decision: Decision[Any]) -> Any:
        return questions.default(view, decision)


def tactician(note: Hear | None = None) -> ComputerPlayer:
    """Plays for the mission and weighs every attack; `note` hears why it answers as it does."""
    return ComputerPlayer("tactician", note)


def rusher(note: Hear | None = None) -> ComputerPlayer:
    """Goes straight at the enemy."""
    return ComputerPlayer("rusher", note)


def gunline(note: Hear | None = None) -> ComputerPlayer:
    """Stays and shoots."""
    return ComputerPlayer("gunline", note)


def random(seed: int = 0) -> RandomPlayer:
    """Does anything legal; the same seed gives the same choices."""
    return RandomPlayer(seed)


def default() -> DefaultPlayer:
    """Gives the answer that Enter gives at the terminal."""
    return DefaultPlayer()


def named(name: str, seed: int = 0, note: Hear | None = None) -> Player:
    """A player by name; the seed is for those who play by chance."""
    if name in COMPUTERS:
        return ComputerPlayer(name, note)
    if name == "random":
        return random(seed)
    if name == "default":
        return default()
    raise UserError(f"There is no player '{name}'; there are person, {', '.join(NAMES)}.")
