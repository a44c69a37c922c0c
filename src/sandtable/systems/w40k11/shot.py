"""A shot, or a blow, of 11th edition: what is fixed about it when targets are selected."""

from __future__ import annotations

from typing import Final, TypeAlias

from sandtable.forty import shot as forty
from sandtable.systems.w40k11.datasheet import Weapon

NO_WEAPON: Final = Weapon(name="", attacks="0", damage="0", skill=0, strength=0, ap=0)


class Shot(forty.Shot, frozen=True, kw_only=True):
    """One weapon of one model at one target."""

    weapon: Weapon = NO_WEAPON
    way: str = ""
    """The shooting type."""
    cover: bool = False
    """The target has the benefit of cover against it."""
    plunging: bool = False
    """Plunging Fire improves its BS."""
    hampered: str = ""
    """The rule that makes it harder: it is fired at close quarters, or at an engaged MONSTER or VEHICLE."""
    steady: bool = False
    """[HEAVY] improves its hit roll."""
    fails: int = 0
    """Up to this bare face its hit roll fails, and cannot be re-rolled; 0 where nothing is said."""
    split: bool = False
    """Attacks with the same weapon go at another target, too."""


Batch: TypeAlias = tuple[Shot, ...]
"""Identical attacks, which are rolled together."""
