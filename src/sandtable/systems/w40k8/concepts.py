"""Concepts that all phases use: distances, friends and enemies, keywords, coherency."""

from __future__ import annotations

from typing import Final, overload

from sandtable.battle import ALLOWED, Verdict, refuse
from sandtable.battle.kept import LOSSES, PLACES, kept
from sandtable.forty.keywords import keywords_of, singular
from sandtable.forty.state import called_all
from sandtable.kit.coherency import who_is_apart
from sandtable.rules import rule
from sandtable.systems.w40k8.book import BOOK
from sandtable.systems.w40k8.state import Unit, World8, sheet_of
from sandtable.table.coherency import Coherency, coherent
from sandtable.table.grid import Bools, Floats, Ints
from sandtable.table.measure import area_classes, distances
from sandtable.table.shapes import Bodies

IMPASSABLE: Final = "impassable"
"""The kind of terrain that nobody enters."""


@overload
def reaches(distance: float, reach: int) -> bool: ...
@overload
def reaches(distance: Floats, reach: int) -> Bools: ...
@rule("w40k8.concept.within", neutral=False)
def reaches(distance: float | Floats, reach: int) -> bool | Bools:
    """Whether something is within a distance; the exact distance is included."""
    return distance <= reach


@rule("w40k8.concept.within", neutral=False)
def at_least(distance: float, least: int) -> bool:
    """Whether something is at least so far away; the exact distance is enough."""
    return distance >= least


@rule("w40k8.concept.measuring", "w40k8.concept.wobbly_model", "w40k8.gap.base_sizes", neutral=0.0)
def distance(w: World8, one: Unit, other: Unit) -> float:
    """The distance between two units in grid steps: in space, from base to base, between the nearest two models."""
    return w.distance(one, other)


def within(w: World8, one: Unit, other: Unit, reach: int) -> bool:
    """Whether any model of one unit is within a distance of any of another."""
    return reaches(distance(w, one, other), reach)


def enemies(w: World8, unit: Unit) -> list[Unit]:
    """The enemy units on the table."""
    return [w.unit(e) for e in _enemies(w, unit.player)]


@kept(LOSSES)
@rule("w40k8.concept.sides", "w40k8.concept.unit", neutral=())
def _enemies(w: World8, player: int) -> tuple[int, ...]:
    """By their numbers, all units that the opponent commands; a unit without models is there no longer."""
    return tuple(e.id for e in w.enemies_of(player) if w.is_on_table(e))


def enemy_near(w: World8, unit: Unit, bodies: Bodies, models: Ints, reach: int) -> Unit | None:
    """An enemy unit within a distance of one of some models, standing as `bodies` says."""
    gaps = ((e, float(distances(bodies, w.shapes, models, w.on_table(e)).min())) for e in enemies(w, unit))
    return next((e for e, gap in gaps if reaches(gap, reach)), None)


def close_enemies(w: World8, unit: Unit) -> list[Unit]:
    """The enemy units within 1" of a unit."""
    return enemies_within(w, unit, BOOK.close)


def enemies_within(w: World8, unit: Unit, reach: int) -> list[Unit]:
    """The enemy units within a distance of a unit."""
    return [w.unit(e) for e in _enemies_within(w, unit, reach)]


@kept(PLACES)
def _enemies_within(w: World8, unit: Unit, reach: int) -> tuple[int, ...]:
    there = _enemies(w, unit.player)
    return tuple(e for e in w.may_be_near(unit, reach) if e in there and within(w, unit, w.unit(e), reach))


def model_distances(w: World8, first: Ints, second: Ints) -> Floats:
    """Distances in space between models, [first, second]."""
    found: Floats = distances(w.bodies, w.shapes, first, second)
    return found


@rule("w40k8.round.sequencing_turn", neutral=1)
def who_orders(w: World8) -> int:
    """In a turn the active player orders all rules that fall due at one time."""
    return w.state.active


@rule("w40k8.sheet.keywords", neutral=False)
def model_has_keyword(w: World8, model: int, keyword: str) -> bool:
    """Whether a model has a keyword, whatever its case and number."""
    return singular(keyword) in keywords_of(sheet_of(w, model))


@rule("w40k8.gap.terrain_kinds", neutral=ALLOWED)
def check_open_ground(w: World8, unit: Unit, bodies: Bodies, models: Ints) -> Verdict:
    """Nobody ends a move or is set up in impassable terrain, on top of it neither."""
    closed = [i for i, feature in enumerate(w.table.features) if feature.kind == IMPASSABLE]
    if closed and area_classes(bodies, w.shapes, models, w.terrain.outline[closed], w.terrain.corners[closed]).any():
        return refuse(f"{unit.name} would end in impassable terrain.", "w40k8.gap.terrain_kinds")
    return ALLOWED


def together(count: int) -> Coherency:
    """How so many models stand together, whatever their number."""
    return BOOK.coherency


def coherency_of(w: World8) -> Coherency:
    """How a unit stands together, by the reading of this battle."""
    as_one = w.option("coherency") == "one-group"
    return BOOK.coherency if as_one else BOOK.coherency._replace(one_group=0)


def stand_together(w: World8, bodies: Bodies, models: Ints) -> bool:
    """Whether models are in coherency."""
    return bool(coherent(bodies, w.shapes, models, coherency_of(w)))


@rule("w40k8.concept.coherency", "w40k8.concept.coherency_restore", neutral=ALLOWED)
def check_coherent(w: World8, unit: Unit, bodies: Bodies, models: Ints) -> Verdict:
    """A unit ends every move in coherency, also one that had lost it, and is set up in it."""
    if stand_together(w, bodies, models):
        return ALLOWED
    apart = who_is_apart(w, bodies, models, BOOK.coherency, called_all)
    return apart.refusal(unit, "end", "w40k8.concept.coherency")
