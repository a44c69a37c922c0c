"""A shot: one weapon of one model at one target. Declarations, attacks, estimates and odds all speak of these."""

from __future__ import annotations

from typing import Any

import msgspec

from sandtable.attack.volley import DiceSum


class Shot(msgspec.Struct, frozen=True, kw_only=True):
    """One weapon of one model at one target, with what was true when targets were selected.

    Each edition adds the circumstances that only its rules know. Shots that are equal in all but their model are rolled
    together, as a batch.
    """

    model: int = -1
    """-1 for a shot that nobody fires yet: it has what is the same for whatever is fired at the target."""
    weapon: Any
    """The profile, as the edition prints it."""
    target: int
    melee: bool = False
    size: int = 1
    """Models of the target."""
    half_range: bool = False
    unseen: bool = False
    """Nobody who counts for it sees any of the target."""
    overwatch: bool = False
    attacks: int = 0
    """How many of the weapon's attacks, where they are split; 0 for all."""
    number: DiceSum | None = None
    """The dice of blows that are still to be thrown for; odds ask about them before anybody does."""
    aim: tuple[int, ...] = ()
    """Models of the target that the attacker may pick out."""
    by: tuple[str, ...] = ()
    """Abilities that changed the weapon."""
    own: tuple[tuple[int, int], ...] = ()
    """Effects of abilities on its rolls that are not the same for all models of the unit."""
