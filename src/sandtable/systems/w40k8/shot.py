"""A shot, or a blow: one weapon of one model at one target."""

from __future__ import annotations

from typing import Final, TypeAlias

from sandtable.attack.volley import DiceSum
from sandtable.forty import shot as forty
from sandtable.systems.w40k8.datasheet import Weapon

NO_WEAPON: Final = Weapon(name="", strength="0", damage="0")


class Shot(forty.Shot, frozen=True, kw_only=True):
    """One weapon of one model at one target; `attacks` counts the blows of a melee weapon."""

    weapon: Weapon = NO_WEAPON
    number: DiceSum | None = None
    """The dice of blows that are still to be thrown for; odds ask about them before anybody does."""


Batch: TypeAlias = tuple[Shot, ...]
"""Shots that are rolled together."""
