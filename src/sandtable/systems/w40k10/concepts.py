"""Core concepts: keywords, coherency, Engagement Range, strength."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np

from sandtable.battle import ALLOWED, Verdict, refuse
from sandtable.battle.kept import PLACES, kept
from sandtable.forty.effects.characteristics import changed, changes_of, names
from sandtable.forty.keywords import keywords_of, singular, unit_keywords
from sandtable.forty.state import called_all
from sandtable.kit.coherency import who_is_apart
from sandtable.rules import rule
from sandtable.systems.w40k10.book import BOOK
from sandtable.systems.w40k10.state import Unit, World10, sheet_of
from sandtable.table.coherency import Coherency, coherent
from sandtable.table.grid import Ints
from sandtable.table.shapes import Bodies
from sandtable.table.zones import linked

# Kinds of terrain features.
RUINS: Final = "ruins"
WOODS: Final = "woods"
BARRICADE: Final = "barricade"
CRATER: Final = "crater"
DEBRIS: Final = "debris"
HILL: Final = "hill"


@rule("w40k10.concept.keywords", neutral=False)
def has_keyword(w: World10, unit: Unit, keyword: str) -> bool:
    """Whether any model of the unit has a keyword; singular and plural are the same keyword."""
    return singular(keyword) in unit_keywords(w, unit)


@rule("w40k10.concept.keywords", neutral=False)
def has_any_keyword(w: World10, unit: Unit, keywords: Iterable[str]) -> bool:
    """Whether models of the unit have any of some keywords."""
    known = unit_keywords(w, unit)
    return any(singular(keyword) in known for keyword in keywords)


@rule("w40k10.concept.keywords", neutral=False)
def model_has_keyword(w: World10, model: int, keyword: str) -> bool:
    """Whether a single model has a keyword."""
    return singular(keyword) in keywords_of(sheet_of(w, model))


def coherency_of(count: int) -> Coherency:
    """What Unit Coherency asks of so many models."""
    near = BOOK.coherency
    return Coherency(near.flat, near.up, neighbours_needed(count))


@rule("w40k10.concept.coherency_large", neutral=1)
def neighbours_needed(count: int) -> int:
    """How many unit-mates each model needs close by."""
    return 2 if count >= BOOK.large_unit else 1


@rule("w40k10.concept.coherency_small", neutral=True)
def in_coherency(w: World10, bodies: Bodies, models: Ints) -> bool:
    """Whether models, standing as `bodies` says, are one group."""
    return bool(coherent(bodies, w.shapes, models, coherency_of(len(models))))


@rule("w40k10.concept.coherency_move", neutral=ALLOWED)
def check_coherency(w: World10, unit: Unit, bodies: Bodies) -> Verdict:
    """A unit ends every move in coherency."""
    if in_coherency(w, bodies, w.on_table(unit)):
        return ALLOWED
    return refuse(
        f"{unit.name} would end out of coherency. {apart(w, bodies, w.on_table(unit))}",
        "w40k10.concept.coherency_move",
    )


def apart(w: World10, bodies: Bodies, models: Ints) -> str:
    """Which models would not be with the others, and how far off they are."""
    return who_is_apart(w, bodies, models, coherency_of(len(models)), called_all)


@rule("w40k10.concept.friendly_enemy", neutral=False)
def is_friendly(w: World10, one: Unit, other: Unit) -> bool:
    """Whether two units are friends; a unit is its own."""
    return not w.are_enemies(one, other)


@rule("w40k10.concept.friendly_enemy", neutral=())
def units_of_both_armies(w: World10) -> list[Unit]:
    """Whom a rule means that says "units" and not whose."""
    return w.units()


@rule("w40k10.concept.engagement_range", neutral=False)
def engaged(w: World10, one: Unit, other: Unit) -> bool:
    """Whether two enemy units are within Engagement Range of each other."""
    return w.are_enemies(one, other) and w.linked(one, other, BOOK.engagement)


def engaged_enemies(w: World10, unit: Unit) -> list[Unit]:
    """The enemy units within Engagement Range of a unit."""
    near = w.enemies_near(unit, BOOK.engagement)
    return [e for e in near if engaged(w, unit, e)]


@kept(PLACES)
def is_engaged(w: World10, unit: Unit) -> bool:
    """Whether any enemy is within Engagement Range."""
    return bool(engaged_enemies(w, unit))


def engaged_after(w: World10, bodies: Bodies, models: Ints, enemies: Iterable[Unit]) -> list[Unit]:
    """Which enemies would be within Engagement Range of models standing as `bodies` says."""
    return [e for e in enemies if linked(bodies, w.shapes, models, w.on_table(e), BOOK.engagement)]


def models_of(w: World10, units: Iterable[Unit]) -> Ints:
    """The models on the table of several units."""
    found = [w.on_table(u) for u in units]
    return np.concatenate(found) if found else np.empty(0, dtype=np.int64)


@rule("w40k10.unit.starting_strength", "w40k10.unit.attached_strength", neutral=1)
def starting_strength(w: World10, unit: Unit) -> int:
    """How many models the unit had at first; of an Attached unit only the part that is left, once one is destroyed."""
    alive = set(w.on_table(unit).tolist())
    leaders = bool(alive.intersection(unit.leader))
    others = bool(alive.difference(unit.leader))
    if leaders and others:
        return unit.strength + unit.leader_strength
    return unit.leader_strength if leaders else unit.strength


def below_half(w: World10, unit: Unit) -> bool:
    """Whether a unit is Below Half-strength."""
    if starting_strength(w, unit) == 1:
        return below_half_single(w, unit)
    return below_half_multi(w, unit)


@rule("w40k10.unit.below_half_single", neutral=False)
def below_half_single(w: World10, unit: Unit) -> bool:
    """A single model counts its wounds."""
    return any(2 * int(w.state.models.wounds[m]) < sheet_of(w, m).wounds for m in w.on_table(unit).tolist())


@rule("w40k10.unit.below_half_multi", neutral=False)
def below_half_multi(w: World10, unit: Unit) -> bool:
    """Any other unit counts its models."""
    return 2 * len(w.on_table(unit)) < starting_strength(w, unit)


def below_starting(w: World10, unit: Unit) -> bool:
    """Whether a unit is below its Starting Strength; a single model counts its wounds."""
    models = w.on_table(unit)
    if starting_strength(w, unit) == 1 and len(models) == 1:
        return int(w.state.models.wounds[models[0]]) < sheet_of(w, int(models[0])).wounds
    return len(models) < starting_strength(w, unit)


@rule("w40k10.dice.sequencing", neutral=1)
def who_orders(w: World10) -> int:
    """During a turn, the active player orders what happens at the same time."""
    return w.state.active


@rule("w40k10.concept.measuring", neutral=0.0)
def distance(w: World10, one: Unit, other: Unit) -> float:
    """The distance between two units in grid steps: in space, from base to base, between the nearest two models."""
    return w.distance(one, other)


@rule("w40k10.concept.within", neutral=True)
def within(w: World10, one: Unit, other: Unit, reach: int) -> bool:
    """Whether two units are within a distance; the exact distance is included."""
    return distance(w, one, other) <= reach


def nerve_names(w: World10, unit: Unit) -> tuple[str, ...]:
    """The abilities that change the Leadership of a unit's models."""
    return names(changes_of(w, unit, "Ld"))


@rule("w40k10.datasheet.profile", neutral=12)
def best_leadership(w: World10, unit: Unit) -> int:
    """The best Leadership among the models on the table."""
    changes = changes_of(w, unit, "Ld")
    return min(changed(w, changes, int(m), "Ld", sheet_of(w, int(m)).leadership) for m in w.on_table(unit))
