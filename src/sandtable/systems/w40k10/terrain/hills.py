"""Hills, industrial structures, sealed buildings and armoured containers."""

from __future__ import annotations

from typing import Final

from sandtable.battle import ALLOWED, Verdict, refuse
from sandtable.errors import UserError
from sandtable.forty.covering import Look
from sandtable.forty.state import called
from sandtable.kit.ground import stands_on, stands_wholly
from sandtable.rules import rule
from sandtable.systems.w40k10.state import World10
from sandtable.table.layout import Table
from sandtable.table.shapes import Bodies

HILL: Final = "hill"


@rule("w40k10.terrain.hill_move", "w40k10.concept.summary_precedence", neutral=ALLOWED)
def fits_on_top(w: World10, bodies: Bodies, model: int, name: str) -> Verdict:
    """A base on top of a hill or structure does not overhang it; how easily it would fall off is but a hint."""
    if stands_wholly(w, bodies, model):
        return ALLOWED
    return refuse(f"The base of {called(w, model)} would overhang {name}.", "w40k10.terrain.hill_move")


@rule("w40k10.terrain.hill_stacking")
def check_stacking(table: Table) -> None:
    """Refuse a terrain feature that stands on something else than a hill, or overhangs it."""
    hills = [f for f in table.features if f.kind == HILL and f.solid]
    for feature in table.features:
        if feature.bottom and not any(stands_on(feature, hill) for hill in hills):
            raise UserError(f"{feature.name or feature.id} must stand wholly on a hill, or on the ground.")


@rule("w40k10.terrain.hill_cover", neutral=False)
def hill_cover(at: Look) -> bool:
    """Models that a hill or structure hides partly."""
    return at.hidden
