"""What a scenario file says of units, players and the game: names that tell them apart, and what has changed."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any, Final

import msgspec

from sandtable.battle.state import State

OVER: Final = "after the battle"


def stage(state: State[Any, Any, Any], called: str) -> str:
    """When a moment is: what its phase or its step is called, unless the battle is over."""
    return OVER if state.result is not None else called


def own_names(names: Iterable[str]) -> list[str]:
    """Names, no two alike: who comes later under the same one gets a number."""
    out: list[str] = []
    for name in names:
        free, number = name, 2
        while free in out:
            free, number = f"{name} {number}", number + 1
        out.append(free)
    return out


def changed(holder: Any, but: Collection[str]) -> dict[str, Any]:
    """Plain fields of a unit, a player or the game that are not as they are at first."""
    fields = [f for f in msgspec.structs.fields(type(holder)) if f.name not in but]
    found = {f.name: getattr(holder, f.name) for f in fields if getattr(holder, f.name) != f.default}
    return {name: value for name, value in found.items() if isinstance(value, bool | int | str)}
