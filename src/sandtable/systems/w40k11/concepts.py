"""Core concepts (01): friends and enemies, measuring, keywords."""

from __future__ import annotations

from collections.abc import Iterable

from sandtable.battle import Effect
from sandtable.forty.keywords import keywords_of, singular, unit_keywords
from sandtable.kit.room import Outline, far_from_models, is_wholly_in
from sandtable.rules import rule
from sandtable.systems.w40k11.state import Unit, World11, sheet_of
from sandtable.table.shapes import Bodies

# --- Armies -----------------------------------------------------------------------------------------------------------


@rule("w40k11.concept.army", neutral=0)
def commander(player: int) -> int:
    """All models of a list are under the command of its player."""
    return player


@rule("w40k11.concept.friend_foe", neutral=False)
def is_friendly(w: World11, one: Unit, other: Unit) -> bool:
    """Whether two units are friends; a unit is its own."""
    return not w.are_enemies(one, other)


@rule("w40k11.concept.friend_foe", neutral=())
def units_of_both_armies(w: World11) -> list[Unit]:
    """Whom a rule means that names neither side."""
    return w.units()


@rule("w40k11.concept.unit", neutral=())
def effects_on(w: World11, unit: Unit, kind: str) -> list[Effect]:
    """The effects of a kind on a unit: they reach every model in it, though it be a single one."""
    return w.effects(kind, unit.id)


# --- Measuring --------------------------------------------------------------------------------------------------------


@rule("w40k11.concept.measuring", "w40k11.concept.base", "w40k11.mv.frame", neutral=0.0)
def distance(w: World11, one: Unit, other: Unit) -> float:
    """The distance between two units in grid steps: between the nearest two models, of bases or, with FRAME, hulls."""
    return w.distance(one, other)


@rule("w40k11.gap.within", neutral=True)
def within(w: World11, one: Unit, other: Unit, reach: int) -> bool:
    """Whether two units are within a distance; the exact distance is included."""
    return distance(w, one, other) <= reach


def enemies_within(w: World11, unit: Unit, reach: int) -> list[Unit]:
    """The enemy units on the table within a distance; only those are measured that may be so near."""
    return [e for e in map(w.unit, w.may_be_near(unit, reach)) if within(w, unit, e, reach)]


@rule("w40k11.gap.within", neutral=True)
def wholly_within(w: World11, bodies: Bodies, model: int, area: Outline) -> bool:
    """Whether a base is wholly within an outline: every part of it."""
    return is_wholly_in(w, bodies, model, area)


@rule("w40k11.gap.within", neutral=0.0)
def furthest_part(w: World11, bodies: Bodies, model: int, others: Iterable[int]) -> float:
    """How far the furthest part of a base is from the nearest of other models; so far it is wholly within reach."""
    return far_from_models(w, bodies, model, others)


# --- Keywords ---------------------------------------------------------------------------------------------------------


@rule("w40k11.datasheet.keywords", "w40k11.appendix.mixed_keywords", "w40k11.attached.keywords", neutral=False)
def has_keyword(w: World11, unit: Unit, keyword: str) -> bool:
    """Whether any model of the unit has a keyword; singular and plural are the same keyword."""
    return singular(keyword) in unit_keywords(w, unit)


def has_any_keyword(w: World11, unit: Unit, keywords: Iterable[str]) -> bool:
    """Whether models of the unit have any of some keywords."""
    return any(has_keyword(w, unit, keyword) for keyword in keywords)


@rule("w40k11.datasheet.keywords", "w40k11.appendix.mixed_keywords", "w40k11.attached.keywords", neutral=False)
def model_has_keyword(w: World11, model: int, keyword: str) -> bool:
    """Whether a single model has a keyword."""
    return singular(keyword) in keywords_of(sheet_of(w, model))
