"""Why the dice of an attack need what they need: the parts of each number, for those who tell of a roll."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Final, NamedTuple

from sandtable.attack.volley import DiceSum, Why
from sandtable.forty.effects.saves import Pain, Saves
from sandtable.reasons import Part, called, face, modifier, part

NOTHING: Final = DiceSum()
NO_NAMES: Final[Mapping[str, str]] = MappingProxyType({})


@lru_cache(maxsize=4096)
def why_number(own: str, source: str, *added: tuple[DiceSum, str, str], less: tuple[Part, ...] = ()) -> Why:
    """What a number of attacks, or random damage, is made of: its own, and what adds to it, with source and name."""
    more = (part(f"+{number}", by, name) for number, by, name in added if number != NOTHING)
    return (Part(own, source=source), *more, *less)


def why_needed(
    first: Part,
    modifiers: Sequence[tuple[int, str]],
    together: int | None = None,
    cap: str = "",
    names: Mapping[str, str] = NO_NAMES,
) -> Why:
    """What a roll needs to begin with, what is added to it, and the cap where it matters.

    `names` is what players call what adds to it, where its source does not say it.
    """
    if not modifiers:
        return (first,)
    parts = [
        modifier(value, source, names.get(source, "")) if value else part("no less", source)
        for value, source in modifiers
    ]
    if together is not None and is_capped(modifiers, together):
        parts.append(Part(f"{together:+d} at most", source=cap))
    return (first, *parts)


def is_capped(modifiers: Sequence[tuple[int, str]], together: int) -> bool:
    """Whether modifiers come to something else than their sum."""
    return sum(value for value, _ in modifiers) != together


class SaveRules(NamedTuple):
    """The rules behind the parts of a saving throw."""

    armour: str
    invulnerable: str
    cover: str
    limits: str = ""


@lru_cache(maxsize=4096)
def why_armoured(rules: SaveRules, saves: Saves, covered: int, needed: int, ap_by: tuple[str, ...] = ()) -> Why:
    """What an armour save is made of: `covered` is what cover adds, `needed` what comes of it all, and `ap_by` what
    changes the AP beside abilities of the target."""
    parts = [face(saves.save, rules.armour, saves.save_by)]
    by = (*ap_by, *saves.ap_by)
    if saves.ap or by:
        parts.append(Part(f"AP {saves.ap}", f"with {', '.join(by)}" if by else "", rules.armour))
    parts += saves.added
    if covered:
        parts.append(modifier(covered, rules.cover, "cover"))
    if saves.save - saves.ap - saves.bonus - covered < needed:
        parts.append(Part(f"{needed}+ at best", source=rules.limits))
    return tuple(parts)


@lru_cache(maxsize=4096)
def why_warded(rules: SaveRules, ward: int, by: str, bonus: Why = ()) -> Why:
    """What an invulnerable save is made of; `by` is the ability or Stratagem that gives it, unless it is its own."""
    name = f"invulnerable by {called(by)}" if by else "invulnerable"
    return (face(ward, by or rules.invulnerable, name), *bonus)


def why_no_pain(hurt: Pain) -> Why:
    """The abilities behind the face that keeps wounds from being lost, where it is not the datasheet's own."""
    return tuple(part(f"{min(hurt.normal, hurt.mortal)}+", name) for name in hurt.names)
