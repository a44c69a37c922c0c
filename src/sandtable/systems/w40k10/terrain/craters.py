"""Craters and rubble."""

from __future__ import annotations

from typing import Final

from sandtable.forty.covering import Look
from sandtable.rules import Facts, fact, rule
from sandtable.systems.w40k10.core_concepts import is_wholly_within, model_has_keyword
from sandtable.table.sight import HARD, NONE

CRATER: Final = "crater"


class CRATERS(Facts):
    may_end = fact(True, "w40k10.terrain.craters_move", neutral=False)
    """A move may end in craters."""
    sight = fact(NONE, "w40k10.terrain.craters_move", neutral=HARD)
    """Craters and other areas stop no sight by themselves."""


@rule("w40k10.terrain.craters_cover", neutral=False)
def crater_cover(at: Look) -> bool:
    """INFANTRY wholly within a crater."""
    return is_wholly_within(at.stands) and model_has_keyword(at.w, at.model, "INFANTRY")
