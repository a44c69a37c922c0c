"""Abilities that say which bare face hits while a unit fires Overwatch, where others need a 6."""

from __future__ import annotations

from typing import Final

from sandtable.forty.effects.characteristics import names
from sandtable.forty.effects.permissions import allowances, allows
from sandtable.forty.hits_and_wounds import Need
from sandtable.forty.state import Unit, World40
from sandtable.reasons import face

HITS: Final = 5


def fails_on_watch(w: World40, unit: Unit, usual: int) -> int:
    """Up to which bare face the hit rolls of a unit fail in Overwatch; `usual` is what others have."""
    return min(usual, HITS - 1) if allows(w, unit, "overwatch_5") else usual


def watchful(w: World40, unit: Unit, rule: str, usual: Need) -> Need:
    """What a hit roll needs in Overwatch: what is usual, or the bare face alone, whatever skill and modifiers are."""
    by = names(allowances(w, unit, "overwatch_5"))
    return Need(HITS, 0, (rule, *by), (face(HITS, rule, ", ".join(by)),)) if by else usual
