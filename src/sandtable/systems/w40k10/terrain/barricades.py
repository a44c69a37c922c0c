"""Barricades and fuel pipes: nobody ends on them, and charges and fights reach across."""

from __future__ import annotations

from typing import Final

from sandtable.battle import ALLOWED, Verdict, refuse
from sandtable.battle.kept import PLACES, kept
from sandtable.forty.covering import Look
from sandtable.forty.state import called
from sandtable.kit.closing import across as up_against
from sandtable.kit.closing.across import Across, across, stands_behind
from sandtable.rules import Facts, fact, rule
from sandtable.systems.w40k10.core_concepts import model_has_keyword
from sandtable.systems.w40k10.state import FAR, Unit, World10
from sandtable.table.grid import Bools, Ints, steps
from sandtable.table.measure import far_area_gap
from sandtable.table.shapes import Bodies
from sandtable.table.zones import Zone

BARRICADE: Final = "barricade"
BARRICADE_REACH: Final = steps(3)


class BARRICADES(Facts):
    across = fact(
        Zone(steps(2), steps(5)),
        "w40k10.terrain.barricade_charge",
        "w40k10.terrain.barricade_fight",
        neutral=Zone(-1, -1),
    )
    """How far charging and fighting reach across a barricade..."""
    behind = fact(steps(1), "w40k10.terrain.barricade_charge", neutral=FAR)
    """...and how near to it the target of a charge has to be."""


@rule("w40k10.terrain.barricade_move", neutral=ALLOWED)
def not_on_barricade(w: World10, model: int, name: str, kind: str) -> Verdict:
    """Nobody stops on a barricade."""
    if kind != BARRICADE:
        return ALLOWED
    return refuse(f"{called(w, model)} cannot end on {name}.", "w40k10.terrain.barricade_move")


@kept(PLACES)
def barricades(w: World10) -> tuple[int, ...]:
    """The barricades on the table."""
    return tuple(i for i, f in enumerate(w.table.features) if f.kind == BARRICADE)


def over_barricades(w: World10) -> Across:
    """How the enemy is reached across barricades."""
    return Across(barricades(w), BARRICADES.across, BARRICADES.behind, reached_across)


def charging_across(w: World10) -> Across | None:
    """The same for a charge, if there are any."""
    return over_barricades(w) if barricades(w) else None


def is_behind_one(w: World10, unit: Unit) -> bool:
    """Whether a charge can reach a unit across a barricade."""
    return stands_behind(w, w.on_table(unit), barricades(w), BARRICADES.behind)


@rule("w40k10.terrain.barricade_charge", neutral=False)
def reached_across(w: World10, bodies: Bodies, models: Ints, enemies: Ints) -> bool:
    """Whether a model stands up against a barricade, no more than 2" from an enemy that is within 1" behind it."""
    return up_against.reached_across(w, bodies, models, enemies, over_barricades(w))


@rule("w40k10.terrain.barricade_fight", neutral=False)
def across_in_fight(w: World10, bodies: Bodies, models: Ints, enemies: Ints) -> Bools | bool:
    """A barricade between two models stretches the reach of fighting to 2"."""
    return across(w, bodies, models, enemies, barricades(w), BARRICADES.across)


@rule("w40k10.terrain.barricade_cover", neutral=False)
def barricade_cover(at: Look) -> bool:
    """INFANTRY close behind a barricade."""
    if not at.hidden or not model_has_keyword(at.w, at.model, "INFANTRY"):
        return False
    terrain = at.w.terrain
    far = far_area_gap(at.w.bodies, at.w.shapes, at.model, terrain.outline[at.feature], terrain.corners[at.feature])
    return far <= BARRICADE_REACH
