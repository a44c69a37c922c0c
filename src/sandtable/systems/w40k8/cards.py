"""How datasheets are printed: the nine characteristics, and those of a weapon; and what short accounts leave out."""

from __future__ import annotations

from typing import Final

from sandtable.forty.briefly import Brevity
from sandtable.forty.cards import Figures, Printing
from sandtable.systems.w40k8.datasheet import Sheet, Weapon
from sandtable.systems.w40k8.state import Player, Unit


def profile(s: Sheet) -> Figures:
    """The nine characteristics of a model."""
    skills = ("WS", _roll(s.weapon_skill)), ("BS", _roll(s.ballistic_skill))
    body = ("S", f"{s.strength}"), ("T", f"{s.toughness}"), ("W", f"{s.wounds}"), ("A", f"{s.attacks}")
    found = ("M", "-" if s.move is None else f'{s.move}"'), *skills, *body, ("Ld", f"{s.leadership}")
    return (*found, ("Sv", _roll(s.save)), *((("Inv", _roll(s.invulnerable)),) if s.invulnerable else ()))


def weapon(x: Weapon) -> Figures:
    """The characteristics of a weapon."""
    reach, kind = "Melee" if x.is_melee else f'{x.range}"', f"{x.type.title()} {x.attacks}".strip()
    ap = "-" if x.ap is None else f"{x.ap}"
    return (("Range", reach), ("Type", kind), ("S", x.strength.title()), ("AP", ap), ("D", x.damage))


def _roll(needed: int | None) -> str:
    return "-" if needed is None else f"{needed}+"


def deeds(unit: Unit) -> list[str]:
    """What a unit did this turn."""
    return [deed for deed in ("shot", "charged", "fought") if getattr(unit, deed)]


def points(player: Player) -> str:
    """There is nothing to score yet."""
    return "no points"


PRINTING: Final = Printing(profile, weapon, deeds, points)
BREVITY: Final = Brevity(left_out=frozenset(("unit_slain", "pile_in", "consolidate")), scored_late=True)
