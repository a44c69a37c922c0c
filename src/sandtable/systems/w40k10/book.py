"""The numbers of the book, by its headings. Lengths are in grid steps."""

from __future__ import annotations

from types import MappingProxyType

from sandtable.rules import Facts, fact
from sandtable.table.grid import steps
from sandtable.table.zones import Zone

FAR = steps(120)
"""Further than any table is long"""
UNLIMITED = 10**9


class BOOK(Facts):
    """What 10th edition states."""

    # --- Muster your army
    battle_sizes = fact(
        MappingProxyType({"incursion": 1000, "strike force": 2000, "onslaught": 3000}),
        "w40k10.muster.battle_size",
        neutral=MappingProxyType({"incursion": 0, "strike force": 0, "onslaught": 0}),
    )
    """Battle sizes, and the points of each army."""

    # --- Core concepts
    engagement = fact(Zone(steps(1), steps(5)), "w40k10.concept.engagement_range", neutral=Zone(-1, -1))
    """Engagement Range."""

    # --- The Command phase
    extra_points = fact(1, "w40k10.command.cp_cap", neutral=UNLIMITED)
    """So many Command points a player gains in a battle round beside those of the Command phases."""

    # --- Transports
    embark = fact(steps(3), "w40k10.transport.embark", neutral=FAR)
    """How near a transport every model must be to get in."""
    disembark = fact(steps(3), "w40k10.transport.disembark_setup", "w40k10.transport.destroyed_disembark", neutral=FAR)
    """How near it, wholly, every model is set up that gets out."""
    emergency = fact(steps(6), "w40k10.transport.emergency", neutral=steps(3))
    """The same for a unit that finds no room beside its destroyed transport."""
    hurt_in_a_wreck = fact(1, "w40k10.transport.destroyed_wounds", neutral=0)
    """Up to this face, a model that leaves a destroyed transport costs its unit a mortal wound..."""
    hurt_in_an_emergency = fact(3, "w40k10.transport.emergency", neutral=1)
    """...and up to this one in an Emergency Disembarkation."""

    # --- The Fight phase
    step_in = fact(steps(3), "w40k10.fight.pile_in", "w40k10.fight.consolidate", neutral=FAR)
    """How far a model Piles In or Consolidates."""
