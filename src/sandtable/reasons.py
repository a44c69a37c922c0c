"""Why a number is what it is: the parts that it is made of, each with a name and a source."""

from __future__ import annotations

from functools import lru_cache

import msgspec


class Part(msgspec.Struct, frozen=True, cache_hash=True, omit_defaults=True):
    """One part of a number, such as the 4+ of a weapon or the +1 of an ability."""

    value: str
    """"4+", "+1", "AP -2", "D3"."""
    name: str = ""
    """What players call it."""
    source: str = ""
    """The rule's id, or the name of the ability."""

    def __str__(self) -> str:
        return f"{self.value} {self.name}".strip()


@lru_cache(maxsize=4096)
def part(value: str, source: str = "", name: str = "") -> Part:
    """A part, by the name of its source where it has none of its own."""
    return Part(value, name or called(source), source)


@lru_cache(maxsize=4096)
def face(needed: int, source: str, name: str = "") -> Part:
    """The face that is needed before anything changes it."""
    return Part(f"{needed}+", name, source)


@lru_cache(maxsize=4096)
def modifier(value: int, source: str, name: str = "") -> Part:
    """What is added or taken away."""
    return part(f"{value:+d}", source, name)


@lru_cache(maxsize=4096)
def called(source: str) -> str:
    """A source in words: the end of a rule's id, and the name of an ability as it is."""
    if "." not in source or " " in source:
        return source
    return source.rpartition(".")[2].replace("_", " ").capitalize()
