"""Battlefield debris and statuary."""

from __future__ import annotations

from typing import Final

from sandtable.battle import ALLOWED, Verdict, refuse
from sandtable.forty.covering import Look
from sandtable.forty.state import called
from sandtable.rules import rule
from sandtable.systems.w40k10.state import World10

DEBRIS: Final = "debris"


@rule("w40k10.terrain.debris_move", neutral=ALLOWED)
def not_on_debris(w: World10, model: int, name: str, kind: str) -> Verdict:
    """Nobody stops on battlefield debris."""
    if kind != DEBRIS:
        return ALLOWED
    return refuse(f"{called(w, model)} cannot end on {name}.", "w40k10.terrain.debris_move")


@rule("w40k10.terrain.debris_cover", neutral=False)
def debris_cover(at: Look) -> bool:
    """Models that debris hides partly."""
    return at.hidden
