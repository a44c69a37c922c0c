"""What a player is: whoever, shown a view and an open decision, gives an answer."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol, TypeAlias, runtime_checkable

from sandtable.battle.decisions import Decision
from sandtable.battle.rulings import Correction
from sandtable.battle.world import View

AnyView: TypeAlias = View[Any, Any, Any, Any]


class Player(Protocol):
    """Whoever answers decisions. It sees what its side may know, and nothing else.

    A player with `trusted = True` promises to change nothing in the view. What is worked out is then shared with the
    battle, which is faster.
    """

    def choose(self, view: AnyView, decision: Decision[Any]) -> Any:
        """An answer; it may raise `TakeBack`, `Correct`, `Concede` or `Leave` instead."""
        ...


@runtime_checkable
class Listener(Protocol):
    """A player who is told why something could not be done, and is then asked again."""

    def hear(self, message: str) -> None: ...


@runtime_checkable
class Agreeable(Protocol):
    """A player who can be asked whether another may take something back, or have it corrected."""

    def agrees(self, view: AnyView, request: str) -> bool: ...


class TakeBack(Exception):
    """The player wants the last own answer back."""


class Correct(Exception):
    """The player asks the others for a correction, and is then asked again."""

    def __init__(self, wanted: Correction) -> None:
        super().__init__(repr(wanted))
        self.wanted = wanted


class Save(Exception):
    """The player wants the battle written to a file, and is then asked again."""

    def __init__(self, path: Path) -> None:
        super().__init__(str(path))
        self.path = path


class Concede(Exception):
    """The player gives the battle up."""


class Leave(Exception):
    """The player gets up from the table; the battle stays as it is."""
