"""Datasheets: model profiles, weapon profiles, abilities and keywords."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final

import msgspec

from sandtable.armies.characteristics import Printed, is_one_of, printed, problem_of_value
from sandtable.errors import UserError
from sandtable.rules import rule
from sandtable.table.shapes import Shape, hull, oval_base, round_base

MM_PER_INCH: Final = 25.4
MELEE: Final = 0
LOWEST, HIGHEST = 0.2, 24
"""Inches that a model is tall."""
MOST_ABOARD: Final = 60
NUMBER: Final = re.compile(r"[0-9]{1,9}")
DICE: Final = re.compile(r"D(?=[36])")
MODEL: Final = ("move", "toughness", "save", "wounds", "leadership", "oc")
"""What datasheets here call the characteristics of a model, in the order in which they are printed..."""
WEAPON: Final = ("attacks", "skill", "strength", "ap", "damage")
"""...and those of a weapon; a ranged one has its range before them."""


@cache
def _names(abilities: tuple[str, ...]) -> frozenset[str]:
    """What abilities can be called: "rapid fire 1" is also "rapid fire"."""
    return frozenset(text[:end] for text in abilities for end in range(1, len(text) + 1) if f"{text} "[end] == " ")


class Weapon(msgspec.Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True):
    """One weapon profile. Several profiles of one weapon share its name in `of`."""

    name: str
    attacks: str
    """A number, or dice such as "D6+1"."""
    skill: int
    """What a hit roll needs; 0 for a weapon that makes none."""
    strength: int
    ap: int
    """0 or below."""
    damage: str
    range: int = MELEE
    """Inches; 0 for a melee weapon."""
    abilities: tuple[str, ...] = ()
    """Such as "rapid fire 1" or "anti-infantry 4+", in lower case."""
    of: str = ""

    @property
    def is_melee(self) -> bool:
        return self.range == MELEE

    @property
    def item(self) -> str:
        """The weapon that this is a profile of."""
        return self.of or self.name

    def has(self, ability: str) -> bool:
        """Whether the profile has an ability, whatever number stands behind it."""
        return ability in _names(self.abilities)

    def value(self, ability: str) -> str:
        """What stands behind an ability: "1" for "rapid fire 1"; empty without it."""
        return next(
            (a[len(ability) :].strip() for a in self.abilities if a == ability or a.startswith(ability + " ")), ""
        )


class Passenger(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is special about some of the models that a transport takes."""

    keyword: str
    room: int = 1
    """Places that each of them takes."""
    most: int = 0
    """At most so many of them; 0 for no limit."""
    from_wounds: int = 1
    """Only models with so many wounds or more are meant."""


class Transport(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who has room in a TRANSPORT."""

    capacity: int
    carries: tuple[str, ...]
    """Keywords of passengers, one of which is enough; "INFANTRY + JUMP PACK" asks for both."""
    never: tuple[str, ...] = msgspec.field(default=(), name="not")
    """Keywords of models that cannot get in."""
    special: tuple[Passenger, ...] = ()
    max_wounds: int = 0
    """Models with more wounds cannot get in; 0 for no limit."""


class Sheet(msgspec.Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True):
    """A datasheet: one model profile with its weapons. Units of several kinds of models use several sheets."""

    name: str
    move: int | str | None
    """Inches, dice such as "2D6", or None for "-"."""
    toughness: int
    save: int
    wounds: int
    leadership: int
    oc: int
    base: str
    """"32mm", "60x35mm", or "hull 4x3" in inches."""
    height: float
    """Inches."""
    keywords: tuple[str, ...]
    """In upper case."""
    weapons: tuple[Weapon, ...] = ()
    invulnerable: int = 0
    abilities: tuple[str, ...] = ()
    """Core abilities by name in lower case: "deep strike", "feel no pain 5+", "deadly demise d3", "leader"..."""
    leads: tuple[str, ...] = ()
    """Names of the units that a Leader can be attached to."""
    transport: Transport | None = None
    """Who can be embarked in it."""

    def has(self, ability: str) -> bool:
        return ability in _names(self.abilities)

    def value(self, ability: str) -> str:
        """What stands behind an ability: "5+" for "feel no pain 5+"; empty without it."""
        return next(
            (a[len(ability) :].strip() for a in self.abilities if a == ability or a.startswith(ability + " ")), ""
        )


@cache
def shape_of(sheet: Sheet) -> Shape:
    """The base of a model, as a shape on the table."""
    text = sheet.base.strip().lower()
    try:
        if text.startswith("hull"):
            length, width = (float(v) for v in text.removeprefix("hull").split("x"))
            _between(sheet, 0.2, length, 24)
            _between(sheet, 0.2, width, 24)
            return hull(length, width, sheet.height)
        sizes = [float(v) / MM_PER_INCH for v in text.removesuffix("mm").split("x")]
        for size in sizes:
            _between(sheet, 0.2, size, 24)
        if len(sizes) == 1:
            return round_base(sizes[0], sheet.height)
        length, width = sizes
        return oval_base(length, width, sheet.height)
    except ValueError:
        raise UserError(f'{sheet.name}: a base is "32mm", "60x35mm" or "hull 4x3", not "{sheet.base}".') from None


def _between(sheet: Sheet, least: float, size: float, most: float) -> None:
    if not least <= size <= most:
        raise UserError(f'{sheet.name}: a base measures {least}" to {most}", not {size:.1f}".')


@rule("w40k10.datasheet.contents")
def check_sheet(sheet: Sheet) -> None:
    """Refuse a datasheet that no model can be played from."""
    table = printed("w40k10")
    move = "-" if sheet.move is None else sheet.move
    numbers = (move, sheet.toughness, sheet.save, sheet.wounds, sheet.leadership, sheet.oc)
    (line,) = table.models
    if problem := _problem(MODEL, numbers, line.values()):
        raise UserError(f"{sheet.name}: {problem}.")
    if not LOWEST <= sheet.height <= HIGHEST:
        raise UserError(f"{sheet.name}: height is {LOWEST} to {HIGHEST}, not {sheet.height}.")
    if sheet.invulnerable and not 2 <= sheet.invulnerable <= 6:
        raise UserError(f"{sheet.name}: invulnerable is 2 to 6, not {sheet.invulnerable}, or 0 for none.")
    if not sheet.keywords:
        raise UserError(f"{sheet.name}: a datasheet has keywords.")
    for ability in sheet.abilities:
        if not is_one_of(DICE.sub("d", ability), table.core):
            raise UserError(
                f"{sheet.name}: there is no core ability '{ability}'; there are {', '.join(table.core or ())}."
            )
    if sheet.transport is not None and not 1 <= sheet.transport.capacity <= MOST_ABOARD:
        room = sheet.transport.capacity
        raise UserError(f"{sheet.name}: a transport has room for 1 to {MOST_ABOARD} models, not {room}.")
    for weapon in sheet.weapons:
        if problem := _problem_of_weapon(weapon, table):
            raise UserError(f"{sheet.name}, {weapon.name}: {problem}.")
    shape_of(sheet)


def _problem_of_weapon(weapon: Weapon, table: Printed) -> str:
    line = next(one for one in table.weapons if ("Range" in one) != weapon.is_melee)
    skill = weapon.skill or "-"
    numbers: tuple[int | str, ...] = (weapon.attacks, skill, weapon.strength, weapon.ap, weapon.damage)
    names = WEAPON if weapon.is_melee else ("range", *WEAPON)
    problem = _problem(names, numbers if weapon.is_melee else (weapon.range, *numbers), line.values())
    strange = [a for a in weapon.abilities if not is_one_of(DICE.sub("d", a), table.weapon_abilities)]
    if not problem and strange:
        return f"there is no weapon ability '{strange[0]}'; there are {', '.join(table.weapon_abilities or ())}"
    return problem


def _problem(names: Sequence[str], values: Sequence[int | str], kinds: Iterable[str]) -> str:
    """What is wrong with a line of characteristics, in the order in which they are printed; empty if nothing is."""
    for name, value, kind in zip(names, values, kinds, strict=True):
        plain = int(value) if isinstance(value, str) and NUMBER.fullmatch(value) else value
        if problem := problem_of_value(name, plain, kind):
            return problem
    return ""
