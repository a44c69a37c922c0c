"""Corrections of our own: what abilities do in our words, each held against the printed rule.

A file for each faction in `ours/` (see its README). An entry replaces what the dataset says about an ability as long as
the source that the dataset read is the one that we read, too: a digest tells. A stale entry is not used.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Annotated, Final, Literal, TypeVar

import msgspec

from sandtable.armies.due import Due
from sandtable.armies.effects import AnyEffect, Characteristic, Modify
from sandtable.armies.format import Count, Damaged, Name, Struct, Words
from sandtable.armies.kdc.names import plain
from sandtable.armies.kdc.source import Json
from sandtable.armies.kdc.verdicts import Verdict, left
from sandtable.documents import convert, parse_yaml

FOLDER: Final = "ours"
DAMAGED: Final = "damaged"
DIGEST: Final = 12
"""Digits of a digest that an entry names."""
STALE: Final = "what we know of it is older than the data"

T = TypeVar("T")
Digest = Annotated[str, msgspec.Meta(pattern=rf"^([0-9a-f]{{{DIGEST}}})?$")]


class Correction(Struct, frozen=True):
    """What an ability does."""

    text: Words
    effects: tuple[AnyEffect, ...] = ()
    """None: it is left to the players, and the text says what they have to apply."""
    left_out: Words | None = None
    choose: Count = 0
    digest: Digest = ""
    """The first digits of the dataset's `source_digest`; empty where it has no entry."""
    reviewed: bool = True
    until: Literal["phase", "turn", "attacks"] = "phase"
    """For Stratagems."""
    item: bool | Literal["unit"] = False
    """Whether only a model has it that took the wargear of its name, or else its whole unit."""
    due: tuple[Due, ...] = ()
    """When players are reminded of what is left to them; by default the dataset tells."""

    @property
    def verdict(self) -> Verdict:
        if self.reviewed:
            return Verdict(self.text, self.effects, (), self.left_out, self.choose, self.until, self.item, self.due)
        return Verdict(self.text, (), self.effects, None, self.choose, self.until, self.item, self.due)


class File(Struct, frozen=True):
    """ours/FACTION.yaml."""

    abilities: dict[str, Correction] = msgspec.field(default_factory=dict)
    """By the id of the ability, or by `unit/ability` for one datasheet alone."""
    named: dict[str, Correction] = msgspec.field(default_factory=dict)
    """By name: enhancements, stratagems and rules that the dataset has no entry for."""
    missing: dict[str, dict[Name, Correction]] = msgspec.field(default_factory=dict)
    """By the id of a unit and the name: abilities that are printed, and that the dataset lacks."""
    not_printed: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    """By the id of a unit: abilities that the dataset gives it, though only others of its name have them."""


class Bracket(Struct, frozen=True):
    """What changes for a model with so many wounds left, or fewer."""

    wounds: Annotated[int, msgspec.Meta(ge=1, le=50)]
    hit: Annotated[int, msgspec.Meta(ge=-3, le=0)] = -1
    control: Annotated[int, msgspec.Meta(ge=-20, le=0)] = 0

    @property
    def damaged(self) -> Damaged:
        hit = Modify(roll="hit", value=self.hit, who="model")
        control = Characteristic(name="OC", add=self.control, who="model")
        return Damaged(self.wounds, ((hit,) if self.hit else ()) + ((control,) if self.control else ()))


class Corrections:
    """The corrections for a faction."""

    def __init__(self, file: File, brackets: dict[str, Bracket] | None = None) -> None:
        self.file = file
        self.brackets = brackets or {}
        """By the id of a unit."""
        self.stale: dict[str, str] = {}
        """Entries that were not used, with the digest that the dataset has now."""

    def of(self, ability: Json | None, name: str, unit: str | None) -> Verdict | None:
        """Our word on an ability; None without one."""
        if ability is None:
            named = next((one for key, one in self.file.named.items() if plain(key) == plain(name)), None)
            return named.verdict if named else None
        id_ = ability["ability_id"]
        key = next((key for key in (f"{unit}/{id_}", id_) if key in self.file.abilities), "")
        if not key:
            return None
        entry = self.file.abilities[key]
        now = digest_of(ability)
        if entry.digest != now:
            self.stale[key] = now
            return left(STALE)
        return entry.verdict

    def added(self, unit: str, name: str) -> Verdict | None:
        """Our word on a printed ability of a unit that the dataset lacks."""
        found = self.file.missing.get(unit, {}).get(name)
        return found.verdict if found else None

    def missing(self, unit: str) -> Iterator[tuple[str, Verdict]]:
        """The printed abilities of a unit that the dataset lacks."""
        yield from ((name, entry.verdict) for name, entry in self.file.missing.get(unit, {}).items())


def digest_of(ability: Json) -> str:
    """What an entry of ours names; empty where the dataset tells no source."""
    return str(ability.get("source_digest") or "")[:DIGEST]


def corrections(faction: str) -> Corrections:
    """Our corrections for a faction."""
    file = _read(faction, File) if files(__package__).joinpath(FOLDER, f"{faction}.yaml").is_file() else File()
    return Corrections(file, _read(DAMAGED, dict[str, dict[str, Bracket]]).get(faction, {}))


def _read(name: str, kind: type[T]) -> T:
    where = f"{FOLDER}/{name}.yaml"
    return convert(
        parse_yaml(files(__package__).joinpath(FOLDER, f"{name}.yaml").read_text("utf-8"), where), kind, where
    )


@cache
def sources() -> tuple[str, ...]:
    """Digests of all files of corrections, in a fixed order."""
    folder = files(__package__).joinpath(FOLDER)
    found = sorted((file for file in folder.iterdir() if file.name.endswith(".yaml")), key=lambda file: file.name)
    return tuple(hashlib.blake2b(file.read_bytes(), digest_size=8).hexdigest() for file in found)
