"""How datasheets are printed: the nine characteristics, and those of a weapon; and what short accounts leave out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from sandtable.forty.briefly import Brevity
from sandtable.forty.cards import Figures, Printing
from sandtable.systems.w40k8.datasheet import Sheet, Weapon
from sandtable.systems.w40k8.state import Player, Unit


def profile(sheet: Sheet) -> Figures:
    """The nine characteristics of a model."""
    return (
        ("M", f'{_or_dash(sheet.move)}"' if sheet.move is not None else "-"),
        ("WS", _roll(sheet.weapon_skill)),
        ("BS", _roll(sheet.ballistic_skill)),
        ("S", str(sheet.strength)),
        ("T", str(sheet.toughness)),
        ("W", str(sheet.wounds)),
        ("A", str(sheet.attacks)),
        ("Ld", str(sheet.leadership)),
        ("Sv", _roll(sheet.save)),
        *((("Inv", _roll(sheet.invulnerable)),) if sheet.invulnerable else ()),
    )


def weapon(profile: Weapon) -> Figures:
    """The characteristics of a weapon."""
    return (
        ("Range", "Melee" if profile.is_melee else f'{profile.range}"'),
        ("Type", f"{profile.type.title()} {profile.attacks}".strip()),
        ("S", profile.strength.title()),
        ("AP", _or_dash(profile.ap)),
        ("D", profile.damage),
    )


def _roll(needed: int | None) -> str:
    return "-" if needed is None else f"{needed}+"


def _or_dash(value: int | str | None) -> str:
    return "-" if value is None else str(value)


def deeds(unit: Unit) -> Iterator[str]:
    """What a unit did this turn."""
    if unit.shot:
        yield "shot"
    if unit.charged:
        yield "charged"
    if unit.fought:
        yield "fought"


def points(player: Player) -> str:
    """There is nothing to score yet."""
    return "no points"


PRINTING: Final = Printing(profile, weapon, deeds, points)
BREVITY: Final = Brevity(left_out=frozenset(("overwatch", "unit_slain", "pile_in", "consolidate")))
