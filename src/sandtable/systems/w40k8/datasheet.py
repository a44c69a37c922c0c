"""Datasheets: what has to be on them, and characteristics as they are now, by sheet, chart and what changes them."""

from __future__ import annotations

import math
from typing import Final

import msgspec

from sandtable.armies.characteristics import printed as characteristics_of
from sandtable.armies.characteristics import problem_of_value
from sandtable.armies.effects import Characteristic
from sandtable.attack.volley import DiceSum
from sandtable.battle import Effect
from sandtable.battle.kept import EVERYTHING, kept
from sandtable.errors import UserError
from sandtable.forty.effects.characteristics import changes_to_model
from sandtable.forty.fighters import MELEE, MODEL, USER, Row, Sheet, Weapon, check_printed
from sandtable.forty.sheets import as_printed
from sandtable.rules import Argument, rule
from sandtable.systems.w40k8 import warlord
from sandtable.systems.w40k8.book import BOOK
from sandtable.systems.w40k8.dice import amount
from sandtable.systems.w40k8.state import World8, sheet_of, unit_of

TYPES: Final = ("assault", "heavy", "rapid fire", "grenade", "pistol")
ASSAULT, HEAVY, RAPID_FIRE, GRENADE, PISTOL = TYPES
SHORT: Final = dict(zip(MODEL, ("M", "WS", "BS", "S", "T", "W", "A", "Ld", "Sv"), strict=True))
"""What is printed over each characteristic, by which abilities name them."""
LIMITED: Final = ("strength", "toughness", "leadership")
"""Characteristics that the book keeps from sinking too low."""


@rule(
    "w40k8.sheet.profile",
    "w40k8.sheet.weapon_profile",
    "w40k8.sheet.name_and_role",
    "w40k8.concept.datasheet",
    "w40k8.gap.base_sizes",
)
def check_sheet(sheet: Sheet) -> None:
    """Refuse a datasheet that no model can be played from."""
    if not sheet.name.strip():
        raise UserError("A datasheet has a name [w40k8.sheet.name_and_role].")
    check_printed(sheet, characteristics_of("w40k8"), problem_of_type)


@rule("w40k8.weapon.types", neutral="")
def problem_of_type(weapon: Weapon) -> str:
    """What is wrong with the type of a weapon: a ranged one has one of five, and a number behind it."""
    if weapon.is_melee:
        return "" if weapon.type == MELEE and not weapon.attacks else "a melee weapon has the type melee, and no number"
    if weapon.type not in TYPES:
        return f"the type of a ranged weapon is {', '.join(TYPES)}, not '{weapon.type}'"
    return problem_of_value("attacks", as_printed(weapon.attacks), "dice")


@kept(EVERYTHING)
def printed(w: World8, model: int, name: str) -> int | str | None:
    """A characteristic before anything adds to it; None for a dash. Abilities may put it to a value of their own."""
    for effect in by_abilities(w, model, name):
        if effect.to is not None:
            return effect.to
    sheet = sheet_of(w, model)
    for row in row_in_force(sheet, int(w.state.models.wounds[model])):
        if (value := getattr(row, name, msgspec.UNSET)) is not msgspec.UNSET:
            return value  # type: ignore[no-any-return]
    return getattr(sheet, name)  # type: ignore[no-any-return]


@rule("w40k8.stat.degrading", neutral=())
def row_in_force(sheet: Sheet, left: int) -> tuple[Row, ...]:
    """The row of a chart for the wounds that are left now, if it has one for so few."""
    rows = [row for row in sheet.chart if left <= row.up_to]
    return (min(rows, key=lambda row: row.up_to),) if rows else ()


def value_of(w: World8, model: int, name: str) -> int | None:
    """A characteristic as it is now; None for a dash."""
    return None if is_dash(printed(w, model, name)) else number_of(w, model, name)


@kept(EVERYTHING)
def number_of(w: World8, model: int, name: str) -> int:
    """The same of one that is never a dash."""
    return changed(name, int(printed(w, model, name) or 0), changes_of(w, model, name))


@rule("w40k8.stat.dash", neutral=False)
def is_dash(value: int | str | None) -> bool:
    """A dash stays a dash, whatever would change it."""
    return value is None


def changes_of(w: World8, model: int, name: str) -> list[str]:
    """What changes a characteristic of a model, as in "+1", "x2" and "/2"."""
    effects: list[Effect] = w.effects(name, unit_of(w, model).id)
    given = [change for e in by_abilities(w, model, name) for change in written(e)]
    return [*(str(e.value) for e in effects), *given, *warlord.changes(w, model, name)]


def by_abilities(w: World8, model: int, name: str) -> list[Characteristic]:
    """What abilities change about a characteristic of a model."""
    return changes_to_model(w, unit_of(w, model), model, SHORT[name])


def written(effect: Characteristic) -> list[str]:
    """A change as in "+1" and "/2"."""
    if effect.divide > 1:
        return [f"/{effect.divide}"]
    return [f"{effect.add:+d}"] if isinstance(effect.add, int) and effect.to is None else []


@rule("w40k8.stat.modifier_order", "w40k8.stat.floor_one", neutral=Argument("value"))
def changed(name: str, value: int, changes: list[str]) -> int:
    """A characteristic under all its changes: multiplied and divided first, rounded up, then added to."""
    for change in changes:
        if change[0] == "x":
            value *= int(change[1:])
    for change in changes:
        if change[0] == "/":
            value = -(-value // int(change[1:]))
    value += sum(int(change) for change in changes if change[0] in "+-")
    return max(value, BOOK.least if name in LIMITED else 0)


def attacks_of(w: World8, model: int) -> DiceSum:
    """How many close combat attacks a model makes: a number, or dice of its own."""
    number = thrown_attacks(w, model)
    changes = changes_of(w, model, "attacks")
    if number.fixed:
        return DiceSum(plus=changed("attacks", number.result(), changes))
    # For those who reckon with it: what is added to a multiple of dice is rounded down to such a multiple.
    times = math.prod(int(change[1:]) for change in changes if change[0] == "x")
    divide = math.prod(int(change[1:]) for change in changes if change[0] == "/")
    more = sum(int(change) for change in changes if change[0] in "+-")
    part = number.part(divide) if divide > 1 else number
    return part.multiplied(times).more(DiceSum(plus=more // times * times))


def thrown_attacks(w: World8, model: int) -> DiceSum:
    """The number of attacks of a model before anything changes it: what dice are thrown for."""
    return amount(printed(w, model, "attacks") or 0)


def strength_of(w: World8, model: int, weapon: Weapon) -> int:
    """The Strength of an attack of a model, by its present Strength."""
    return strength_with(number_of(w, model, "strength"), weapon)


@rule("w40k8.sheet.weapon_strength", neutral=1)
def strength_with(bearer: int, weapon: Weapon) -> int:
    """The Strength of an attack: the weapon's own, or what it makes of its bearer's."""
    text = weapon.strength.lower()
    if text == USER:
        return bearer
    if text[0] == "x":
        return bearer * int(text[1:])
    return max(bearer + int(text), BOOK.least) if text[0] in "+-" else int(text)
