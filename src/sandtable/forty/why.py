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
    limits: str
    """What keeps modifiers from making a save any better, if anything does."""
    lost: str
    """By what the lowest faces save nobody."""


class Limit(NamedTuple):
    """How far a saving throw can be improved."""

    needed: int
    """What comes of it all."""
    least: int
    """The lowest face that ever saves."""


@lru_cache(maxsize=4096)
def why_armoured(rules: SaveRules, saves: Saves, covered: int, limit: Limit, ap_by: tuple[str, ...] = ()) -> Why:
    """What an armour save is made of: `covered` is what cover adds, and `ap_by` what changes the AP beside abilities of
    the target."""
    parts = [face(saves.save, rules.armour, saves.save_by)]
    by = (*ap_by, *saves.ap_by)
    if saves.ap or by:
        parts.append(Part(f"AP {saves.ap}", f"with {', '.join(by)}" if by else "", rules.armour))
    parts += saves.added
    if covered:
        parts.append(modifier(covered, rules.cover, "cover"))
    return (*parts, *_at_best(rules, saves.save - saves.ap - saves.bonus - covered, limit))


@lru_cache(maxsize=4096)
def why_warded(rules: SaveRules, ward: int, by: str, limit: Limit, bonus: int = 0, added: Why = ()) -> Why:
    """What an invulnerable save is made of; `by` is the ability or Stratagem that gives it, unless it is its own, and
    `added` what the `bonus` is made of."""
    name = f"invulnerable by {called(by)}" if by else "invulnerable"
    return (face(ward, by or rules.invulnerable, name), *added, *_at_best(rules, ward - bonus, limit))


def _at_best(rules: SaveRules, bare: int, limit: Limit) -> Why:
    """What keeps a save from being as good as its parts come to: `bare` is what these would need."""
    if bare >= limit.needed:
        return ()
    # Where the lowest faces are lost anyhow, no limit of modifiers decides.
    return (Part(f"{limit.needed}+ at best", source=rules.limits if limit.least < limit.needed else rules.lost),)


def limits_of_save(rules: SaveRules, why: Why) -> tuple[str, ...]:
    """The rules to cite where they keep a save from being as good as its parts come to."""
    return tuple([part.source for part in why[-1:] if part.source and part.source in (rules.limits, rules.lost)])


def why_no_pain(hurt: Pain) -> Why:
    """The abilities behind the face that keeps wounds from being lost, where it is not the datasheet's own."""
    return tuple(part(f"{min(hurt.normal, hurt.mortal)}+", name) for name in hurt.names)
