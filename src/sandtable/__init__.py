"""Sandtable plays tabletop miniature wargames by the book.

battle = sandtable.new("w40k10", seed=7)
battle = sandtable.load("game.battle")
battle = sandtable.scenario("cover.yaml")
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sandtable.version import __version__

if TYPE_CHECKING:
    from sandtable import odds, players
    from sandtable.api import load, new, save, scenario

__all__ = ["__version__", "load", "new", "odds", "players", "save", "scenario"]
_MODULES = ("odds", "players")


def __getattr__(name: str) -> Any:
    # `import sandtable` stays light: the machine is loaded when a battle is first wanted.
    if name in _MODULES:
        from importlib import import_module

        return import_module(f"sandtable.{name}")
    if name in __all__:
        from sandtable import api

        return getattr(api, name)
    raise AttributeError(f"module 'sandtable' has no attribute '{name}'")


def __dir__() -> list[str]:
    return [*globals(), *__all__]
