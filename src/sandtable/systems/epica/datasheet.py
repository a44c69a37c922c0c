"""Datasheets: what a unit of an Epic army is, and the weapons it carries.

Firepower is read from the way it is printed: "AP5+/AT6+", "2x AP4+", "D3x AP5+", "MW4+", "Small Arms", "Assault".
"""

from __future__ import annotations

import re
from typing import Final, Literal, TypeAlias

import msgspec

from sandtable.errors import UserError
from sandtable.rules import rule
from sandtable.table.shapes import Shape, hull, round_base

UnitType: TypeAlias = Literal["INF", "LV", "AV"]
Kind: TypeAlias = Literal["AP", "AT", "MW"]

INFANTRY: Final = "INF"
LIGHT_VEHICLE: Final = "LV"
ARMOURED_VEHICLE: Final = "AV"

SMALL_ARMS_RANGE: Final = 15
"""Nominal range of small arms, in centimetres."""

SMALLEST_STAND: Final = 0.5
STAND_NEEDS: Final = 2.0
LARGEST_STAND: Final = 4.0

_FIREPOWER = re.compile(
    r"(?:(?P<dice>\d+|D3|D6)\s*x\s*)?(?P<values>(?:AP|AT|MW)\d\+(?:/(?:AP|AT)\d\+)*)", re.IGNORECASE
)


class Firepower(msgspec.Struct, frozen=True):
    """What a weapon rolls when it shoots; a value of 0 means that it has none of that kind."""

    ap: int = 0
    at: int = 0
    mw: int = 0
    dice: int = 1
    """Dice rolled for each weapon..."""
    die: int = 0
    """...unless their number is itself rolled on a die with so many sides."""

    def value(self, kind: str) -> int:
        """The number that a kind of fire needs, or 0."""
        return {"AP": self.ap, "AT": self.at, "MW": self.mw}[kind]

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of fire that it can be used for."""
        return tuple(k for k in ("AP", "AT", "MW") if self.value(k))


class Weapon(msgspec.Struct, frozen=True):
    """A line of weapons on a datasheet."""

    name: str
    count: int = 1
    """How many of it the unit carries; each fires on its own."""
    range: int = 0
    """Centimetres."""
    firepower: Firepower | None = None
    """None for weapons that serve in assaults only."""
    small_arms: bool = False
    notes: tuple[str, ...] = ()

    @property
    def is_ranged(self) -> bool:
        """Whether it is anything but a close combat weapon."""
        return self.small_arms or self.firepower is not None


class Sheet(msgspec.Struct, frozen=True):
    """A unit's datasheet."""

    name: str
    type: UnitType
    speed: int
    """Centimetres in one move."""
    armour: int
    """The save, 0 for none."""
    cc: int
    ff: int
    weapons: tuple[Weapon, ...] = ()
    notes: tuple[str, ...] = ()
    base: tuple[float, ...] = (2.0,)
    """Diameter of a round base, or length and width of a rectangle, in centimetres."""
    height: float = 1.0

    @property
    def shape(self) -> Shape:
        if len(self.base) == 1:
            return round_base(self.base[0], self.height)
        return hull(self.base[0], self.base[1], self.height)

    @property
    def is_infantry(self) -> bool:
        return self.type == INFANTRY

    @property
    def is_vehicle(self) -> bool:
        """Whether the terrain table treats it as a vehicle."""
        return self.type != INFANTRY

    @property
    def guns(self) -> tuple[Weapon, ...]:
        """The weapons that can make a shooting attack."""
        return tuple(w for w in self.weapons if can_shoot(w))

    @property
    def has_ranged_weapon(self) -> bool:
        """Whether it has anything but close combat weapons."""
        return any(w.is_ranged for w in self.weapons)


def check_sheet(sheet: Sheet) -> None:
    """Refuse a datasheet that no stand can be played from."""
    bounds: dict[str, tuple[float, float, float]] = {
        "speed": (sheet.speed, 0, 200),
        "armour": (sheet.armour, 0, 7),
        "cc": (sheet.cc, 0, 7),
        "ff": (sheet.ff, 0, 7),
        "height": (sheet.height, 0.1, 20),
        "the number of its weapons": (len(sheet.weapons), 0, 20),
        "the number of sizes of its base": (len(sheet.base), 1, 2),
    }
    bounds |= {f"base {i + 1}": (size, SMALLEST_STAND, 30) for i, size in enumerate(sheet.base)}
    for gun in sheet.weapons:
        fire = gun.firepower or Firepower()
        bounds |= {
            f"the number of {gun.name}": (gun.count, 1, 20),
            f"the range of {gun.name}": (gun.range, 0, 500),
            f"the dice of {gun.name}": (fire.dice, 1, 20),
            f"the worst value of {gun.name}": (max(fire.ap, fire.at, fire.mw), 0, 7),
        }
    for name, (value, least, most) in bounds.items():
        if not least <= value <= most:
            raise UserError(f"{sheet.name}: {name} is {least} to {most}, not {value}.")


@rule("epica.weapon.small_arms", "epica.weapon.assault_weapons", "epica.shoot.small_arms_cannot", neutral=True)
def can_shoot(weapon: Weapon) -> bool:
    """Whether a weapon makes shooting attacks: small arms and assault weapons serve in assaults only."""
    return weapon.firepower is not None


@rule("epica.weapon.dice_multiplier", neutral=Firepower(ap=5))
def read_firepower(text: str) -> Firepower | None:
    """Firepower as it is printed; None for weapons of assaults."""
    found = _FIREPOWER.fullmatch(text.strip())
    if found is None:
        return None
    values = {part[:2].upper(): int(part[2]) for part in found["values"].split("/")}
    dice = (found["dice"] or "1").upper()
    die = int(dice[1:]) if dice.startswith("D") else 0
    return Firepower(values.get("AP", 0), values.get("AT", 0), values.get("MW", 0), 1 if die else int(dice), die)


@rule("epica.weapon.and_modes", neutral=Weapon("none"))
def weapon(name: str, range_: int = 0, firepower: str = "", count: int = 1, notes: tuple[str, ...] = ()) -> Weapon:
    """A weapon from its printed line."""
    lowered = firepower.lower()
    # A weapon may be a gun AND small arms: then it is both, each in its own kind of fight.
    parts = [p.strip() for p in re.split(r"\band\b", firepower, flags=re.IGNORECASE)]
    fire = next((f for f in map(read_firepower, parts) if f is not None), None)
    small = "small arms" in lowered
    if fire is None and not small and "assault" not in lowered:
        raise UserError(
            f"{name}: '{firepower}' is no firepower; write 'AP5+/AT6+', '2x AP4+', 'Small Arms' or 'Assault'."
        )
    return Weapon(name, count, range_ or (SMALL_ARMS_RANGE if small else 0), fire, small, notes)


@rule("epica.unit.stand_size", neutral=True)
def is_legal_stand(length: float, width: float) -> bool:
    """Whether a stand of this size, in centimetres, may be used."""
    small, large = sorted((length, width))
    return small >= SMALLEST_STAND and large <= LARGEST_STAND and large >= STAND_NEEDS
