"""What the models of a unit carry and may carry, as the dataset tells it.

Its options do not explain every loadout that players own. Sheets are therefore `loose`: what a model may carry is
anything of its datasheet, and what no option explains is told, not refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from sandtable.armies.format import Choice, ModelKind, Option, Weapon
from sandtable.armies.kdc.names import cut, plain
from sandtable.armies.kdc.source import Data, Json
from sandtable.armies.kdc.weapons import weapon_of

MOST_ITEMS, MOST_OPTIONS, MOST_CHOICES = 12, 16, 20
COMMON: Final = 2
"""A unit whose composition is not told carries so many of its weapons: one for shooting and one for fighting."""


class Gear:
    """The items of one unit by their ids, and the weapons among them."""

    def __init__(self, data: Data, unit: Json) -> None:
        self.faction, self.unit, self.data = unit["faction_id"], unit, data
        self.names: dict[str, str] = {}
        self.weapons: list[Weapon] = []
        self.lost: list[str] = []
        """Ids of weapons that lead nowhere."""
        for id_ in dict.fromkeys(unit.get("weapon_ids") or ()):
            self._add_weapon(id_)

    def _add_weapon(self, id_: str) -> None:
        raw = self.data.weapon(self.faction, id_)
        if raw is None:
            self.lost.append(id_)
            return
        name = cut(raw["name"])
        if any(weapon.name == name for weapon in self.weapons):
            name = cut(f"{name} ({raw['type']})")
        if any(weapon.name == name for weapon in self.weapons):
            name = cut(f"{name} ({id_})")
        self.names[id_] = name
        self.weapons.append(weapon_of(raw, name))

    def item(self, id_: str) -> str:
        """The name of an item: a weapon of the unit, one whose id the dataset shortened, or wargear."""
        if id_ in self.names:
            return self.names[id_]
        longer = [own for own in self.names if own.startswith(f"{id_}-")]
        if longer:
            return self.names[min(longer, key=len)]
        raw = self.data.weapon(self.faction, id_)
        if raw is not None:
            same = [name for name in self.names.values() if plain(name) == plain(raw["name"])]
            if not same:
                self._add_weapon(id_)
                return self.names[id_]
            return same[0]
        found = self.data.ability(self.faction, id_) or self.data.wargear.get(id_)
        name = cut(found["name"] if found else id_.replace("-", " ").capitalize())
        self.names[id_] = name
        return name

    def items(self, ids: Iterable[str]) -> tuple[str, ...]:
        return tuple(self.item(id_) for id_ in ids)[:MOST_ITEMS]

    @property
    def wargear(self) -> dict[str, str]:
        """Ids of items that are no weapons, by their names."""
        weapons = {weapon.name for weapon in self.weapons}
        return {name: id_ for id_, name in self.names.items() if name not in weapons}

    def usual(self) -> tuple[str, ...]:
        """What models carry where the dataset tells no composition: the first weapon of each type."""
        first: dict[bool, str] = {}
        for weapon in self.weapons:
            first.setdefault("Range" in weapon.profiles[0].stats, weapon.name)
        return tuple(first.values())[:COMMON]

    def prices(self) -> dict[str, int]:
        """What items cost on top, for each that is carried."""
        costs = self.unit.get("wargear_costs") or ()
        return {self.item(one["item_id"]): int(one["cost"]) for one in costs if one.get("cost")}


def options_of(gear: Gear, kinds: Sequence[ModelKind], rows: Sequence[Json]) -> tuple[Option, ...]:
    """The options of a unit, as far as the dataset tells them."""
    found = [_option(gear, kinds, raw) for raw in gear.data.options.get((gear.faction, gear.unit["id"]), ())]
    found += [option for kind, row in zip(kinds, rows, strict=False) for option in _variants(gear, kind, row)]
    return tuple(option for option in dict.fromkeys(found) if option is not None)[:MOST_OPTIONS]


def _option(gear: Gear, kinds: Sequence[ModelKind], raw: Json) -> Option | None:
    sets = raw.get("replacement_choice") or ([raw["replacement"]] if raw.get("replacement") else [])
    by = tuple(dict.fromkeys(gear.items(ids) for ids in sets if ids))[:MOST_CHOICES]
    if not by:
        return None
    limits = raw.get("model_constraint") or {}
    named = limits.get("model_name")
    who = tuple(kind.name for kind in kinds if named and plain(kind.name) == plain(named))
    count, per = int(limits.get("max_count") or 0), int(limits.get("per_n_models") or 0)
    if limits.get("any_number"):
        count = per = 0
    return Option(
        tuple(Choice(items) for items in by), who, gear.items(raw.get("replaces") or ()), count or min(per, 1), per
    )


def _variants(gear: Gear, kind: ModelKind, row: Json) -> Iterable[Option]:
    """Whole loadouts that a kind of model may have instead of its usual one."""
    for variant in row.get("loadout_variants") or ():
        items = gear.items(variant["weapon_ids"])
        if items and sorted(items) != sorted(kind.equipment):
            most = int(variant.get("max_count") or 0)
            yield Option((Choice(items),), (kind.name,), kind.equipment, most if most < kind.max else 0)
