"""Why the dice of an attack need what they need: the parts of each number, for those who tell of a roll."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from sandtable.attack.volley import DiceSum, Why
from sandtable.forty.effects.saves import Pain, Saves
from sandtable.reasons import Part, called, face, modifier, part
from sandtable.systems.w40k10 import weapons

PLUNGING: Final = "Plunging Fire"
NAMES: Final = MappingProxyType(
    {
        "w40k10.shoot.bgnt_penalty": "big guns in a melee",
        "w40k10.weapon.indirect_penalty": "Indirect Fire",
    }
)
"""What players call what changes a roll, where the id of the rule does not say it."""


@lru_cache(maxsize=4096)
def why_so_many(each: DiceSum, rapid: DiceSum, blast: DiceSum) -> Why:
    """What the number of a weapon's attacks is made of."""
    more = (("w40k10.weapon.rapid_fire", "Rapid Fire", rapid), ("w40k10.weapon.blast_attacks", "Blast", blast))
    added = (part(f"+{number}", source, name) for source, name, number in more if number != weapons.NOTHING)
    return (Part(str(each), source="w40k10.shoot.attack_count"), *added)


@lru_cache(maxsize=4096)
def why_damage(own: str, melta: DiceSum, damage: DiceSum, less: tuple[str, ...] = ()) -> Why:
    """What random damage is made of; `less` are abilities of the target that changed it."""
    more = (part(f"+{melta}", "w40k10.weapon.melta", "Melta"),) if melta != weapons.NOTHING else ()
    return (Part(own, source="w40k10.attack.damage"), *more, *(part(f"{damage} by", name) for name in less))


def why_needed(first: Part, modifiers: Sequence[tuple[int, str]], together: int, cap: str) -> Why:
    """What a Hit or Wound roll needs to begin with, what is added to it, and the cap where it matters."""
    if not modifiers:
        return (first,)
    parts = [
        modifier(value, source, NAMES.get(source, "")) if value else part("no less", source)
        for value, source in modifiers
    ]
    if sum(value for value, _ in modifiers) != together:
        parts.append(Part(f"{together:+d} at most", source=cap))
    return (first, *parts)


@lru_cache(maxsize=4096)
def why_armoured(saves: Saves, covered: int, plunging: bool, needed: int) -> Why:
    """What an armour save is made of; `needed` is what comes of it, and `covered` what cover adds."""
    parts = [face(saves.save, "w40k10.attack.armour_save", saves.save_by)]
    by = ((PLUNGING,) if plunging else ()) + saves.ap_by
    if saves.ap or by:
        parts.append(Part(f"AP {saves.ap}", f"with {', '.join(by)}" if by else "", "w40k10.attack.armour_save"))
    parts += saves.added
    if covered:
        parts.append(modifier(covered, "w40k10.terrain.cover", "cover"))
    if saves.save - saves.ap - saves.bonus - covered < needed:
        parts.append(Part(f"{needed}+ at best", source="w40k10.attack.save_limits"))
    return tuple(parts)


@lru_cache(maxsize=4096)
def why_warded(ward: int, by: str, bonus: Why) -> Why:
    """What an invulnerable save is made of; `by` is the ability or Stratagem that gives it, unless it is its own."""
    name = f"invulnerable by {called(by)}" if by else "invulnerable"
    return (face(ward, by or "w40k10.attack.invulnerable", name), *bonus)


def why_no_pain(hurt: Pain) -> Why:
    """The abilities behind Feel No Pain, where it is not the datasheet's own."""
    return tuple(part(f"{min(hurt.normal, hurt.mortal)}+", name) for name in hurt.names)
