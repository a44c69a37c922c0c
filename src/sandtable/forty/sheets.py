"""Datasheets as far as all editions print them: names, bases, keywords, weapons, who has room in a transport."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any, Final

import msgspec

from sandtable.armies.characteristics import Line, Printed, is_one_of, problem_of_value
from sandtable.errors import UserError
from sandtable.table.shapes import Shape, hull, oval_base, round_base

MM_PER_INCH: Final = 25.4
MELEE: Final = 0
LEAST, MOST = 0.2, 24
"""Inches that a base measures."""
LOWEST, HIGHEST = 0.2, 24
"""Inches that a model is tall."""
BEST_SAVE, WORST_SAVE = 2, 6
NUMBER: Final = re.compile(r"[0-9]{1,9}")
DICE: Final = re.compile(r"D(?=[36])")
MOST_ABOARD: Final = 60


@lru_cache(maxsize=4096)
def names_in(abilities: tuple[str, ...]) -> frozenset[str]:
    """What abilities can be called: "rapid fire 1" is also "rapid fire"."""
    return frozenset(text[:end] for text in abilities for end in range(1, len(text) + 1) if f"{text} "[end] == " ")


def _value(abilities: tuple[str, ...], ability: str) -> str:
    return next((a[len(ability) :].strip() for a in abilities if a == ability or a.startswith(ability + " ")), "")


class Weapon(msgspec.Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True):
    """One weapon profile; each edition adds what it prints. Several profiles of one weapon share its name in `of`."""

    name: str
    attacks: str
    """A number, or dice such as "D6+1"."""
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
        return ability in names_in(self.abilities)

    def value(self, ability: str) -> str:
        """What stands behind an ability: "1" for "rapid fire 1"; empty without it."""
        return _value(self.abilities, ability)


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


def read_dash(printed: Any) -> None:
    """A Move that is written as a dash is none."""
    if printed.move == "-":
        msgspec.structs.force_setattr(printed, "move", None)


class Sheet(msgspec.Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True):
    """A datasheet: one model profile with its weapons. Units of several kinds of models use several sheets."""

    name: str
    move: int | str | None
    """Inches, dice such as "2D6", or None for "-"."""
    toughness: int
    save: int
    wounds: int
    leadership: int
    base: str
    """"32mm", "60x35mm", or "hull 4x3" in inches."""
    height: float
    """Inches."""
    keywords: tuple[str, ...]
    """In upper case."""
    invulnerable: int = 0
    abilities: tuple[str, ...] = ()
    """Abilities that the edition's own rules know by name, in lower case: "deep strike", "feel no pain 5+"..."""
    transport: Transport | None = None
    """Who can be embarked in it."""

    def __post_init__(self) -> None:
        read_dash(self)

    def has(self, ability: str) -> bool:
        return ability in names_in(self.abilities)

    def value(self, ability: str) -> str:
        """What stands behind an ability: "5+" for "feel no pain 5+"; empty without it."""
        return _value(self.abilities, ability)


@lru_cache(maxsize=4096)
def shape_of(sheet: Sheet) -> Shape:
    """The base of a model, as a shape on the table."""
    text = sheet.base.strip().lower()
    try:
        if text.startswith("hull"):
            length, width = (float(v) for v in text.removeprefix("hull").split("x"))
            _check_size(sheet, length)
            _check_size(sheet, width)
            return hull(length, width, sheet.height)
        sizes = [float(v) / MM_PER_INCH for v in text.removesuffix("mm").split("x")]
        for size in sizes:
            _check_size(sheet, size)
        if len(sizes) == 1:
            return round_base(sizes[0], sheet.height)
        length, width = sizes
        return oval_base(length, width, sheet.height)
    except ValueError:
        raise UserError(f'{sheet.name}: a base is "32mm", "60x35mm" or "hull 4x3", not "{sheet.base}".') from None


def _check_size(sheet: Sheet, size: float) -> None:
    if not LEAST <= size <= MOST:
        raise UserError(f'{sheet.name}: a base measures {LEAST}" to {MOST}", not {size:.1f}".')


# --- What is wrong with them ------------------------------------------------------------------------------------------


def check_model(sheet: Sheet) -> None:
    """Refuse a datasheet whose model cannot stand on a table, or has an invulnerable save that there is not."""
    if not LOWEST <= sheet.height <= HIGHEST:
        raise UserError(f"{sheet.name}: height is {LOWEST} to {HIGHEST}, not {sheet.height}.")
    if sheet.invulnerable and not BEST_SAVE <= sheet.invulnerable <= WORST_SAVE:
        wanted = f"{BEST_SAVE} to {WORST_SAVE}"
        raise UserError(f"{sheet.name}: invulnerable is {wanted}, not {sheet.invulnerable}, or 0 for none.")
    shape_of(sheet)


def check_profile(sheet: Any, names: Sequence[str], line: Line) -> None:
    """Refuse a datasheet whose model could not be printed, or cannot stand on a table.

    `line` is that of its kind of model: some editions print different ones for infantry and for vehicles.
    """
    if problem := problem_of_line(names, [getattr(sheet, name) for name in names], line.values()):
        raise UserError(f"{sheet.name}: {problem}.")
    check_model(sheet)


def check_words(sheet: Any, table: Printed) -> None:
    """Refuse abilities that no datasheet has, and a transport that has room for nobody."""
    if strange := [a for a in sheet.abilities if not is_one_of(DICE.sub("d", a), table.core)]:
        known = ", ".join(table.core or ())
        raise UserError(f"{sheet.name}: there is no core ability '{strange[0]}'; there are {known}.")
    if sheet.transport is not None and not 1 <= sheet.transport.capacity <= MOST_ABOARD:
        room = sheet.transport.capacity
        raise UserError(f"{sheet.name}: a transport has room for 1 to {MOST_ABOARD} models, not {room}.")


def check_weapons(
    sheet: Any,
    names: Sequence[str],
    table: Printed,
    more: Callable[[Any], str] = lambda weapon: "",
    dashes: Sequence[str] = (),
) -> None:
    """Refuse a datasheet with a weapon that could not be printed.

    `more` says what else is wrong with a weapon; 0 is printed as a dash for the characteristics in `dashes`.
    """
    for weapon in sheet.weapons:
        line = next(one for one in table.weapons if ("Range" in one) != weapon.is_melee)
        called = [*names] if weapon.is_melee else ["range", *names]
        values = [getattr(weapon, name) or (None if name in dashes else getattr(weapon, name)) for name in called]
        if problem := problem_of_line(called, values, line.values()) or more(weapon) or _strange_ability(weapon, table):
            raise UserError(f"{sheet.name}, {weapon.name}: {problem}.")


def _strange_ability(weapon: Weapon, table: Printed) -> str:
    strange = [a for a in weapon.abilities if not is_one_of(DICE.sub("d", a), table.weapon_abilities)]
    known = ", ".join(table.weapon_abilities or ())
    return f"there is no weapon ability '{strange[0]}'; there are {known}" if strange else ""


def problem_of_line(names: Sequence[str], values: Sequence[int | str | None], kinds: Iterable[str]) -> str:
    """What is wrong with a line of characteristics, in the order in which they are printed; empty if nothing is.

    A value that is None is printed as a dash.
    """
    for name, value, kind in zip(names, values, kinds, strict=True):
        if problem := problem_of_value(name, as_printed(value), kind):
            return problem
    return ""


def as_printed(value: int | str | None) -> int | str:
    """A characteristic as datasheets have it: a number where it is one, and a dash for None."""
    if value is None:
        return "-"
    return int(value) if isinstance(value, str) and NUMBER.fullmatch(value) else value
