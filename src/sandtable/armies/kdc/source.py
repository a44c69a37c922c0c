"""Where the dataset is: one file of the installed package, read without importing the package, which takes longer."""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, TypeAlias

import msgspec

from sandtable.errors import UserError

PACKAGE: Final = "wh40kdc"
FILE: Final = "_bundle.json"
NO_EDITION: Final = "combat-patrol"
"""A game of its own, with its own armies: their units load, and no army list of the game has them."""

Json: TypeAlias = dict[str, Any]


class Data:
    """The dataset, with what is looked up often at hand. Ids are keys together with their faction only."""

    def __init__(self, raw: dict[str, list[Json]]) -> None:
        self.raw = raw
        self.factions = {one["id"]: one for one in raw["factions"]}
        self.weapons = _by_faction(raw["weapons"], "id")
        self.abilities = _by_faction(raw["abilities"], "ability_id")
        self.common_weapons = _first(raw["weapons"], "id")
        self.common_abilities = _first((a for a in raw["abilities"] if not a.get("faction_id")), "ability_id")
        self.any_abilities = _first(raw["abilities"], "ability_id")
        self.compositions = {(one["faction_id"], one["unit_id"]): one for one in raw["unit_compositions"]}
        self.units: dict[str, list[Json]] = {}
        self.options: dict[tuple[str, str], list[Json]] = {}
        for unit in raw["units"]:
            self.units.setdefault(unit["faction_id"], []).append(unit)
        for option in raw["wargear_options"]:
            self.options.setdefault((option["faction_id"], option["unit_id"]), []).append(option)
        self.wargear = {one["id"]: one for one in raw["wargear"]}
        self.led = {one["leader_id"]: one for one in raw["leader_attachments"]}
        self.pointing: dict[tuple[str, str], list[Json]] = {}
        """Abilities that name a unit, though the unit may not name them."""
        for ability in raw["abilities"]:
            for unit_id in ability.get("unit_ids") or ():
                self.pointing.setdefault((ability.get("faction_id") or "", unit_id), []).append(ability)

    def faction_of_units(self, faction: str) -> str:
        """The faction whose datasheets an army of a faction uses: chapters use those of all Space Marines."""
        return faction if self.units.get(faction) else self.factions[faction].get("parent_faction_id") or faction

    def weapon(self, faction: str, id_: str) -> Json | None:
        """A weapon of a faction, or else one of another with the same id."""
        return self.weapons.get(faction, {}).get(id_) or self.common_weapons.get(id_)

    def ability(self, faction: str, id_: str) -> Json | None:
        """An ability: of the faction first, then one of nobody's, then one of another faction."""
        found = self.abilities.get(faction, {}).get(id_) or self.common_abilities.get(id_)
        return found or self.any_abilities.get(id_)


def _by_faction(rows: list[Json], key: str) -> dict[str, dict[str, Json]]:
    found: dict[str, dict[str, Json]] = {}
    for row in rows:
        found.setdefault(row.get("faction_id") or "", {}).setdefault(row[key], row)
    return found


def _first(rows: Iterable[Json], key: str) -> dict[str, Json]:
    found: dict[str, Json] = {}
    for row in rows:
        found.setdefault(row[key], row)
    return found


@cache
def folder() -> Path:
    """Where the package is installed."""
    spec = find_spec(PACKAGE)
    places = list(spec.submodule_search_locations or ()) if spec else []
    if not places or not os.path.isfile(os.path.join(places[0], FILE)):
        raise UserError(f"The armies of this edition come from the package {PACKAGE}: pip install {PACKAGE}==1.4.5")
    return Path(places[0])


def stamp() -> str:
    """What tells one state of the dataset from another without reading it."""
    found = os.stat(folder() / FILE)
    return f"{found.st_size}.{found.st_mtime_ns}"


@cache
def data() -> Data:
    """The whole dataset; a quarter of a second and about 100 MB."""
    try:
        return Data(msgspec.json.decode((folder() / FILE).read_bytes(), type=dict[str, list[Json]]))
    except (OSError, msgspec.DecodeError, KeyError) as error:
        raise UserError(f"The data of the package {PACKAGE} cannot be read: {error}.") from None
