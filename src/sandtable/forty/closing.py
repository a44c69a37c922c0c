"""What is said about moves that seek the enemy."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.battle import Moves
from sandtable.forty.state import World40, called, called_all
from sandtable.kit.closing.contact import Contact
from sandtable.kit.closing.instead import who_could
from sandtable.table.grid import units


def who_could_touch(w: World40, c: Contact, moves: Moves, better: Moves) -> str:
    """Which model stopped short, and where it could have touched whom, for those who refuse a move for a better one."""
    found = who_could(w, c, moves, better)
    x, y, z = (units(v) for v in found.place)
    up = f', {z:.1f}" up' if z else ""
    name = w.unit(int(w.state.models.unit[found.enemy])).name
    return f"{called(w, found.model)} can end in base contact with {name}, at {x:.2f}, {y:.2f}{up}"


def not_closer(w: World40, models: Sequence[int], to: str) -> str:
    """Who would not end closer to the enemy."""
    return f"{called_all(w, models)} would not end closer to {to}, as all who move must."
