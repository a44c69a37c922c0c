"""Determining visibility: who sees whom, fully or not, and which terrain feature stands in the way."""

from __future__ import annotations

from typing import Final

from sandtable.kit.seeing import EXEMPT, PARTLY, WHOLLY, Seeing, sight, visible
from sandtable.rules import rule
from sandtable.systems.w40k10.book import BOOK
from sandtable.systems.w40k10.concepts import model_has_keyword
from sandtable.systems.w40k10.state import Unit, World10
from sandtable.table.grid import Bools
from sandtable.table.sight import HARD, NONE, SOFT

RUINS: Final = "ruins"
WOODS: Final = "woods"


def sees(w: World10, unit: Unit, target: Unit) -> bool:
    """Whether any model of a unit sees any model of another."""
    return unit_visible(visible(w, unit, target))


@rule("w40k10.concept.unit_visible", neutral=False)
def unit_visible(seen: Bools) -> bool:
    """A unit is visible as soon as one of its models is."""
    return bool(seen.any())


@rule("w40k10.concept.unit_fully_visible", neutral=True)
def unit_fully_visible(w: World10, model: int, unit: Unit, target: Unit) -> bool:
    """Whether a model sees every model of a unit fully."""
    row = w.on_table(unit).tolist().index(model)
    return bool(sight(w, unit, target).full[row].all())


def sees_past(w: World10, model: int) -> bool:
    """AIRCRAFT and TOWERING models see and are seen past ruins and woods."""
    return model_has_keyword(w, model, "AIRCRAFT") or model_has_keyword(w, model, "TOWERING")


def through(kind: str, observer: int, target: int) -> int:
    """What a terrain area does to a line of sight."""
    if kind == RUINS:
        return through_ruins(observer, target)
    return through_woods(observer, target) if kind == WOODS else BOOK.through_other_areas


@rule("w40k10.terrain.ruins_visibility", neutral=NONE)
def through_ruins(observer: int, target: int) -> int:
    """Nobody sees through ruins or over them, but into them, and out of them from wholly within."""
    if EXEMPT in (observer, target) or observer == WHOLLY or target in (PARTLY, WHOLLY):
        return NONE
    return HARD


@rule("w40k10.terrain.woods_visibility", neutral=NONE)
def through_woods(observer: int, target: int) -> int:
    """Whoever is in the woods, or seen through or over them from outside, is never fully visible."""
    if EXEMPT in (observer, target):
        return NONE
    return SOFT if target == WHOLLY or observer != WHOLLY else NONE


SEEING: Final = Seeing(
    through=through,
    solids=lambda: BOOK.through_solids,
    models_block=lambda: BOOK.models_block,
    own_ranks_hide=lambda: BOOK.own_ranks_hide,
    sees_past=sees_past,
    floors_count=lambda: BOOK.area_of_all_floors,
)
