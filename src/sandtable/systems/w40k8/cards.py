"""What is printed about units and players, and what short accounts leave out."""

from __future__ import annotations

from typing import Final

from sandtable.forty.briefly import Brevity
from sandtable.forty.cards import Printing
from sandtable.forty.fighters import figures_of, profile
from sandtable.kit.grammar import counted
from sandtable.systems.w40k8.state import Player, Unit


def deeds(unit: Unit) -> list[str]:
    """What a unit did this turn."""
    return [deed for deed in ("shot", "charged", "fought") if getattr(unit, deed)]


def points(player: Player) -> str:
    """Victory points, and Command re-rolls that are left."""
    left = f", {counted(player.rerolls, 'Command re-roll')}" if player.rerolls else ""
    return f"{player.vp} VP{left}"


PRINTING: Final = Printing(profile, figures_of, deeds, points)
BREVITY: Final = Brevity(left_out=frozenset(("unit_slain", "pile_in", "consolidate")), scored_late=True)
