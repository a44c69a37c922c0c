"""The dataset as a pack of packs: one for each faction, since ids are keys together with their faction only."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path

import msgspec

from sandtable.armies.format import FactionFile, Header, Sheet
from sandtable.armies.kdc.factions import faction_file
from sandtable.armies.pack import Pack

LONGEST_ID = 60


class Parts(Mapping[str, Pack]):
    """The factions as packs, read when they are asked for."""

    def __init__(self, header: Header, lists: tuple[Path, ...]) -> None:
        self._header, self._lists = header, lists
        self._known: dict[str, Pack] = {}

    def __getitem__(self, faction: str) -> Pack:
        if faction not in self._known:
            if faction not in self._header.factions:
                raise KeyError(faction)
            self._known[faction] = Pack(self._header, (faction_file(faction).file,), self._lists)
        return self._known[faction]

    def __iter__(self) -> Iterator[str]:
        return iter(self._header.factions)

    def __len__(self) -> int:
        return len(self._header.factions)


class DataPack(Pack):
    """All factions; what is asked of all of them reads them all."""

    def __init__(self, header: Header, lists: tuple[Path, ...]) -> None:
        super().__init__(header, (), lists)
        self.parts = self._parts = Parts(header, lists)

    @property
    def files(self) -> tuple[FactionFile, ...]:
        return self._all

    @cached_property
    def _all(self) -> tuple[FactionFile, ...]:
        """All factions; of two datasheets with one id, the second has its faction in front of it.

        Chapters share the datasheets of all Space Marines, which are there once.
        """
        taken: set[str] = set()
        found = []
        for faction, pack in self._parts.items():
            (file,) = pack.files
            sheets = () if file.faction.parent else tuple(_named(sheet, faction, taken) for sheet in file.sheets)
            taken |= {sheet.id for sheet in sheets}
            found.append(FactionFile(file.faction, sheets))
        return tuple(found)


def _named(sheet: Sheet, faction: str, taken: set[str]) -> Sheet:
    if sheet.id not in taken:
        return sheet
    return msgspec.structs.replace(sheet, id=f"{faction}-{sheet.id}"[:LONGEST_ID].rstrip("-"))
