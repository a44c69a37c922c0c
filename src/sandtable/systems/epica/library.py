"""A few datasheets, so that a battle can be fought without an army list."""

from __future__ import annotations

import re
from typing import Final

import msgspec

from sandtable.errors import UserError
from sandtable.rules import rule
from sandtable.systems.epica.datasheet import Sheet, UnitType, Weapon, check_sheet, is_legal_stand, weapon

_LINE = re.compile(r"(?:(?P<count>\d+)\s*x\s+)?(?P<name>.+?)\s+\(?(?:(?P<range>\d+)cm|b/c)\)?\s+(?P<fire>.+)")

MAX_LINE: Final = 120


class SheetDoc(msgspec.Struct, forbid_unknown_fields=True):
    """A datasheet as it is written down; a weapon is a line such as "2 x Missile Launcher 45cm AP5+/AT6+"."""

    type: UnitType
    speed: int
    armour: int
    cc: int
    ff: int
    weapons: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    base: tuple[float, ...] = ()
    height: float = 1.0


@rule("epica.datasheet.fields", neutral=Weapon("none"))
def read_weapon(line: str) -> Weapon:
    """A weapon from a line of a datasheet."""
    found = _LINE.fullmatch(line.strip()) if len(line) <= MAX_LINE else None
    if found is None:
        raise UserError(f"'{line}' is no weapon; write for example '2 x Missile Launcher 45cm AP5+/AT6+'.")
    range_ = int(found["range"]) if found["range"] else 0
    return weapon(found["name"], range_, found["fire"], int(found["count"]) if found["count"] else 1)


def read_sheet(name: str, doc: SheetDoc) -> Sheet:
    """A datasheet from its document."""
    base = doc.base or ((2.0,) if doc.type == "INF" else (2.5,) if doc.type == "LV" else (3.0,))
    if doc.type == "INF" and not is_legal_stand(base[0], base[-1]):
        raise UserError(f"{name}: a stand of {base[0]:g} by {base[-1]:g} cm is not legal.")
    weapons = tuple(read_weapon(w) for w in doc.weapons)
    sheet = Sheet(name, doc.type, doc.speed, doc.armour, doc.cc, doc.ff, weapons, doc.notes, base, doc.height)
    check_sheet(sheet)
    return sheet


def _sheet(name: str, type_: UnitType, speed: int, armour: int, cc: int, ff: int, *weapons: str) -> tuple[str, Sheet]:
    return name, read_sheet(name, SheetDoc(type_, speed, armour, cc, ff, weapons))


LIBRARY: Final[dict[str, Sheet]] = dict(
    (
        _sheet("Tactical", "INF", 15, 4, 4, 4, "Bolter (15cm) Small Arms", "Missile Launcher 45cm AP5+/AT6+"),
        _sheet("Devastator", "INF", 15, 4, 5, 3, "2 x Missile Launcher 45cm AP5+/AT6+"),
        _sheet("Assault", "INF", 30, 4, 3, 5, "Bolt Pistol (15cm) Small Arms", "Chainsword (b/c) Assault"),
        _sheet("Predator", "AV", 30, 4, 6, 4, "Autocannon 45cm AP5+/AT6+", "2 x Heavy Bolter 30cm AP5+"),
        _sheet("Vindicator", "AV", 25, 4, 6, 4, "Demolisher 30cm MW4+"),
        _sheet("Land Speeder", "LV", 35, 4, 6, 5, "Assault Cannon 30cm AP5+/AT5+", "Heavy Bolter 30cm AP5+"),
        _sheet("Guard Infantry", "INF", 15, 0, 6, 5, "Lasguns (15cm) Small Arms", "Autocannon 45cm AP5+/AT6+"),
        _sheet("Leman Russ", "AV", 20, 4, 6, 4, "Battle Cannon 75cm AP4+/AT4+", "Lascannon 45cm AT5+"),
        _sheet("Boyz", "INF", 15, 6, 4, 6, "Shootas (15cm) Small Arms", "Choppas (b/c) Assault", "Big Shootas 30cm AP6+/AT6+"),  # noqa: E501
        _sheet("Nobz", "INF", 15, 4, 3, 5, "Shootas (15cm) Small Arms", "2 x Big Shootas 30cm AP6+/AT6+"),
        _sheet("Wildboyz", "INF", 15, 6, 4, 6, "Choppas (b/c) Assault"),
        _sheet("Grotz", "INF", 15, 0, 6, 6, "Shootas (15cm) Small Arms"),
        _sheet("Battlewagon", "AV", 30, 5, 6, 5, "2 x Twin Big Shootas 30cm AP5+/AT6+"),
        _sheet("Gunwagon", "AV", 30, 5, 5, 5, "Big Gun 45cm AP5+/AT5+", "Twin Big Shootas 30cm AP5+/AT6+"),
        _sheet("Warbuggy", "LV", 35, 5, 5, 5, "Twin Big Shootas 30cm AP5+/AT6+"),
    )
)  # fmt: skip


def find_sheet(name: str) -> Sheet:
    """A datasheet of the library."""
    if name not in LIBRARY:
        raise UserError(f"There is no datasheet '{name}'; there are {', '.join(LIBRARY)}.")
    return LIBRARY[name]
