"""Core concepts: armies, units, keywords, the battlefield, and distances."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from sandtable.forty import setup as shared
from sandtable.forty.keywords import keywords_of, singular, unit_keywords
from sandtable.forty.setup import UnitList
from sandtable.kit.missions import is_large_enough
from sandtable.kit.room import Outline, far_from_models, is_wholly_in
from sandtable.kit.seeing import WHOLLY
from sandtable.rules import rule
from sandtable.systems.w40k10.state import Unit, World10, sheet_of
from sandtable.table.grid import Ints
from sandtable.table.layout import Table
from sandtable.table.shapes import Bodies


@rule("w40k10.concept.army", neutral=0)
def commander(player: int) -> int:
    """All models of a list are under the command of its player."""
    return player


@rule("w40k10.concept.unit")
def check_unit(brought: UnitList) -> None:
    """A unit has models."""
    shared.check_unit(brought)


@rule("w40k10.concept.keywords", neutral=False)
def has_keyword(w: World10, unit: Unit, keyword: str) -> bool:
    """Whether any model of the unit has a keyword; singular and plural are the same keyword."""
    return singular(keyword) in unit_keywords(w, unit)


@rule("w40k10.concept.keywords", neutral=False)
def has_any_keyword(w: World10, unit: Unit, keywords: Iterable[str]) -> bool:
    """Whether models of the unit have any of some keywords."""
    return not unit_keywords(w, unit).isdisjoint([singular(keyword) for keyword in keywords])


@rule("w40k10.concept.keywords", neutral=False)
def model_has_keyword(w: World10, model: int, keyword: str) -> bool:
    """Whether a single model has a keyword."""
    return singular(keyword) in keywords_of(sheet_of(w, model))


@rule("w40k10.concept.friendly_enemy", neutral=False)
def is_friendly(w: World10, one: Unit, other: Unit) -> bool:
    """Whether two units are friends; a unit is its own."""
    return not w.are_enemies(one, other)


@rule("w40k10.concept.friendly_enemy", neutral=())
def units_of_both_armies(w: World10) -> list[Unit]:
    """Whom a rule means that says "units" and not whose."""
    return w.units()


def models_of(w: World10, units: Iterable[Unit]) -> Ints:
    """The models on the table of several units."""
    found = [w.on_table(u) for u in units]
    return np.concatenate(found) if found else np.empty(0, dtype=np.int64)


@rule("w40k10.concept.battlefield", neutral=True)
def fits_the_mission(table: Table, smallest: tuple[int, int]) -> bool:
    """The battlefield is a rectangle, as large as the mission says."""
    return is_large_enough(table, smallest)


@rule("w40k10.concept.measuring", neutral=0.0)
def distance(w: World10, one: Unit, other: Unit) -> float:
    """The distance between two units in grid steps: in space, from base to base, between the nearest two models."""
    return w.distance(one, other)


@rule("w40k10.concept.within", neutral=True)
def within(w: World10, one: Unit, other: Unit, reach: int) -> bool:
    """Whether two units are within a distance; the exact distance is included."""
    return distance(w, one, other) <= reach


@rule("w40k10.concept.wholly_within", neutral=True)
def wholly_within(w: World10, bodies: Bodies, model: int, area: Outline) -> bool:
    """Whether a base is wholly within an outline: every part of it."""
    return is_wholly_in(w, bodies, model, area)


@rule("w40k10.concept.wholly_within", neutral=0.0)
def furthest_part(w: World10, bodies: Bodies, model: int, others: Iterable[int]) -> float:
    """How far the furthest part of a base is from the nearest of other models; so far it is wholly within reach."""
    return far_from_models(w, bodies, model, others)


@rule("w40k10.terrain.woods_footprint", "w40k10.concept.wholly_within", neutral=True)
def is_wholly_within(stands: int) -> bool:
    """Whether a model is wholly within an area: its whole base is."""
    return stands == WHOLLY
