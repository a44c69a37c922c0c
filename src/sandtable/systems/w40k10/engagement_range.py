"""Engagement Range: who is engaged with whom, and where nobody is set up or ends a move."""

from __future__ import annotations

from collections.abc import Iterable

from sandtable.battle import ALLOWED, Verdict, refuse
from sandtable.battle.kept import PLACES, kept
from sandtable.forty.placing import how_near
from sandtable.rules import Facts, fact, rule
from sandtable.systems.w40k10.state import Unit, World10
from sandtable.table.grid import Ints, steps
from sandtable.table.shapes import Bodies
from sandtable.table.zones import Zone, linked


class ENGAGEMENT(Facts):
    range = fact(Zone(steps(1), steps(5)), "w40k10.concept.engagement_range", neutral=Zone(-1, -1))
    """Engagement Range."""
    may_end_engaged = fact(False, "w40k10.concept.engagement_limit", neutral=True)
    """Whether a move of the Movement phase may end within Engagement Range."""


@rule("w40k10.concept.engagement_range", neutral=False)
def engaged(w: World10, one: Unit, other: Unit) -> bool:
    """Whether two enemy units are within Engagement Range of each other."""
    return w.are_enemies(one, other) and w.linked(one, other, ENGAGEMENT.range)


def engaged_enemies(w: World10, unit: Unit) -> list[Unit]:
    """The enemy units within Engagement Range of a unit."""
    near = w.enemies_near(unit, ENGAGEMENT.range)
    return [e for e in near if engaged(w, unit, e)]


@kept(PLACES)
def is_engaged(w: World10, unit: Unit) -> bool:
    """Whether any enemy is within Engagement Range."""
    return bool(engaged_enemies(w, unit))


def engaged_after(w: World10, bodies: Bodies, models: Ints, enemies: Iterable[Unit]) -> list[Unit]:
    """Which enemies would be within Engagement Range of models standing as `bodies` says."""
    return [e for e in enemies if linked(bodies, w.shapes, models, w.on_table(e), ENGAGEMENT.range)]


@rule("w40k10.concept.engagement_limit", neutral=ALLOWED)
def check_unengaged(w: World10, unit: Unit, bodies: Bodies, models: Ints) -> Verdict:
    """Nobody is set up within Engagement Range of the enemy."""
    near = engaged_after(w, bodies, models, w.enemies_of(unit.player))
    if not near:
        return ALLOWED
    text = f"{how_near(w, bodies, models, near)}, within Engagement Range."
    return refuse(text, "w40k10.concept.engagement_limit")
