"""What the armies brought beside weapons: abilities with the models that bear them, and the detachments' Stratagems."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from sandtable.armies.effects import AnyEffect

Origin: TypeAlias = Literal["datasheet", "faction", "detachment", "enhancement"]


class Ability(msgspec.Struct, frozen=True):
    """An ability in a battle, in the battle's own numbering."""

    name: str
    source: str
    """Id of the datasheet, faction or detachment that it stands in."""
    unit: int
    """The unit that it came with, as it was before Leaders joined; -1 for a rule of the whole army."""
    models: tuple[int, ...]
    """Those that bear it; for wargear only those that carry the item."""
    player: int
    effects: tuple[AnyEffect, ...] = ()
    choose: int = 0
    """So many branches are chosen each time."""
    origin: Origin = "datasheet"
    item: str = ""
    wounds: int = 0
    """A damaged profile: it works for a bearer that has so many wounds left, or fewer."""
    left_out: str = ""
    """What no effect expresses and the players apply themselves."""
    due: tuple[str, ...] = ()
    """When they are reminded of it (`armies.due`), where that is known."""
    called: str = ""
    """The datasheet, faction or detachment by its name; for an Enhancement the datasheet of its bearer."""


class DetachmentStratagem(msgspec.Struct, frozen=True):
    """A Stratagem of a detachment."""

    name: str
    source: str
    """Id of the detachment."""
    player: int
    cp: int
    phases: tuple[str, ...]
    """command, movement, shooting, opponent_shooting, charge, fight, or any"""
    turn: str
    """own, opponent or either"""
    effects: tuple[AnyEffect, ...] = ()
    needs: tuple[str, ...] = ()
    """Keywords of which the unit that it is used on has at least one."""
    left_out: str = ""
    until: str = "phase"
    """phase, turn, or attacks: until the attackers at hand are done"""
    called: str = ""
    """The detachment by its name."""
