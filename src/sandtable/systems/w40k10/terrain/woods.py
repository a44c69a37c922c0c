"""Woods: what is seen through them, and their cover."""

from __future__ import annotations

from typing import Final

from sandtable.forty.covering import Look
from sandtable.kit.seeing import EXEMPT, WHOLLY
from sandtable.rules import Facts, fact, rule
from sandtable.systems.w40k10.core_concepts import is_wholly_within
from sandtable.table.sight import NONE, SOFT

WOODS: Final = "woods"


class WOODLAND(Facts):
    may_end = fact(True, "w40k10.terrain.woods_footprint", neutral=False)
    """A move may end in woods."""


@rule("w40k10.terrain.woods_visibility", neutral=NONE)
def through_woods(observer: int, target: int) -> int:
    """Whoever is in the woods, or seen through or over them from outside, is never fully visible."""
    if EXEMPT in (observer, target):
        return NONE
    return SOFT if target == WHOLLY or observer != WHOLLY else NONE


@rule("w40k10.terrain.woods_cover", neutral=False)
def woods_cover(at: Look) -> bool:
    """Models wholly within, and models that woods hide partly."""
    return is_wholly_within(at.stands) or at.hidden
