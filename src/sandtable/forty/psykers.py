"""Psykers: what datasheets say of them, and of the powers that they know."""

from __future__ import annotations

import msgspec


class Power(msgspec.Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True):
    """A psychic power: how hard it is to manifest, how far it reaches, and what the nearest visible enemy suffers."""

    name: str
    """In lower case."""
    charge: int
    """The warp charge value."""
    range: int
    """In inches."""
    wounds: str
    """The mortal wounds that it deals: a number, or dice..."""
    strong: str = ""
    """...and instead of them, where that is said, when the test came to more than `above`."""
    above: int = 99
    ability: bool = False
    """It works as an ability of its name does, on whom that says."""


class Psyker(msgspec.Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True):
    """What a psyker may try in each Psychic phase, and the powers that it knows."""

    casts: int = 1
    denies: int = 1
    powers: tuple[str, ...] = ("smite",)
    """In lower case; none if nothing is said about them."""
    more: int = 0
    """Further powers of its discipline that it may know."""
    described: tuple[Power, ...] = ()
    """Powers beside those of the book, which any psyker of the battle may know by name."""
