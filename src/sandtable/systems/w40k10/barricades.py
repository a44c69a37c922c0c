"""Barricades and fuel pipes: charging and fighting across them."""

from __future__ import annotations

import numpy as np

from sandtable.battle.kept import PLACES, kept
from sandtable.kit.closing.across import Across, across, stands_behind
from sandtable.rules import rule
from sandtable.systems.w40k10.book import BOOK
from sandtable.systems.w40k10.concepts import BARRICADE
from sandtable.systems.w40k10.state import Unit, World10
from sandtable.table.grid import TOUCHING, Bools, Ints
from sandtable.table.measure import area_gap
from sandtable.table.shapes import Bodies


@kept(PLACES)
def barricades(w: World10) -> tuple[int, ...]:
    """The barricades on the table."""
    return tuple(i for i, f in enumerate(w.table.features) if f.kind == BARRICADE)


def charging_across(w: World10) -> Across | None:
    """How a charge reaches its targets across barricades, if there are any."""
    found = barricades(w)
    return Across(found, BOOK.across_barricade, BOOK.behind_barricade, reached_across) if found else None


def is_behind_one(w: World10, unit: Unit) -> bool:
    """Whether a charge can reach a unit across a barricade."""
    return stands_behind(w, w.on_table(unit), barricades(w), BOOK.behind_barricade)


@rule("w40k10.terrain.barricade_charge", neutral=False)
def reached_across(w: World10, bodies: Bodies, models: Ints, enemies: Ints) -> bool:
    """Whether a model stands up against a barricade, no more than 2" from an enemy that is within 1" behind it."""
    pairs = across(w, bodies, models, enemies, barricades(w), BOOK.across_barricade)
    for i, j in zip(*np.nonzero(pairs), strict=True):
        for f in barricades(w):
            outline, corners = w.terrain.outline[f], int(w.terrain.corners[f])
            if (
                area_gap(bodies, w.shapes, int(enemies[j]), outline, corners) <= BOOK.behind_barricade
                and area_gap(bodies, w.shapes, int(models[i]), outline, corners) <= TOUCHING
            ):
                return True
    return False


@rule("w40k10.terrain.barricade_fight", neutral=False)
def across_in_fight(w: World10, bodies: Bodies, models: Ints, enemies: Ints) -> Bools | bool:
    """A barricade between two models stretches the reach of fighting to 2"."""
    return across(w, bodies, models, enemies, barricades(w), BOOK.across_barricade)
