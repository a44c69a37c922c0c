"""A shot, or a blow, of 10th edition: what is fixed about it when targets are selected."""

from __future__ import annotations

from typing import Final, TypeAlias

from sandtable.forty import shot as forty
from sandtable.systems.w40k10.datasheet import Weapon

NO_WEAPON: Final = Weapon(name="", attacks="0", damage="0", skill=0, strength=0, ap=0)


class Shot(forty.Shot, frozen=True, kw_only=True):
    """One weapon of one model at one target."""

    weapon: Weapon = NO_WEAPON
    toughness: int = 1
    attached: bool = False
    """The target is an Attached unit, whose Bodyguard's Toughness counts until all attacks are resolved."""
    hampered: int = 0
    """Big Guns Never Tire: how many of shooter and target are an engaged MONSTER or VEHICLE."""
    plunging: bool = False
    """Plunging Fire improves its AP."""


Batch: TypeAlias = tuple[Shot, ...]
"""Shots that are rolled together: one profile at one target under the same circumstances."""
