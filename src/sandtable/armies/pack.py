"""A pack: factions and their datasheets, wherever they come from, with ready army lists."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

from sandtable.armies.format import Detachment, Faction, FactionFile, Header, Sheet


class Pack:
    """A pack that was loaded and found in order."""

    parts: Mapping[str, Pack] | None = None
    """Where factions are packs of their own, because their datasheets share ids: each by the id of its faction."""

    def __init__(self, header: Header, files: tuple[FactionFile, ...], lists: tuple[Path, ...] = ()) -> None:
        self.header = header
        self._files = files
        self.lists = lists
        """Ready army lists, to be read with `lists.read_list`."""

    @property
    def files(self) -> tuple[FactionFile, ...]:
        return self._files

    @property
    def factions(self) -> tuple[Faction, ...]:
        return tuple(file.faction for file in self.files)

    def faction(self, id_: str) -> Faction | None:
        return next((faction for faction in self.factions if faction.id == id_), None)

    def detachment(self, faction: str, id_: str) -> Detachment | None:
        found = self.faction(faction)
        return next((d for d in found.detachments if d.id == id_), None) if found else None

    def sheets(self, faction: str | None = None) -> tuple[Sheet, ...]:
        """The datasheets of a faction, or all."""
        return tuple(s for file in self.files if faction in (None, file.faction.id) for s in file.sheets)

    def sheet(self, id_: str) -> Sheet | None:
        return self._by_id.get(id_, (None, ""))[0]

    def faction_of(self, sheet: str) -> str:
        """The id of the faction that a datasheet belongs to; empty for unknown ones."""
        return self._by_id.get(sheet, (None, ""))[1]

    @cached_property
    def _by_id(self) -> dict[str, tuple[Sheet, str]]:
        return {sheet.id: (sheet, file.faction.id) for file in self.files for sheet in file.sheets}
