"""Determining visibility: who sees whom, fully or not, and which terrain feature stands in the way."""

from __future__ import annotations

from typing import Final

from sandtable.kit.seeing import Seeing, sight, visible
from sandtable.rules import Facts, fact, rule
from sandtable.systems.w40k10.core_concepts import model_has_keyword
from sandtable.systems.w40k10.state import Unit, World10
from sandtable.systems.w40k10.terrain.craters import CRATERS
from sandtable.systems.w40k10.terrain.ruins import FOOTPRINTS, RUINS, through_ruins
from sandtable.systems.w40k10.terrain.terrain_features import TERRAIN
from sandtable.systems.w40k10.terrain.woods import WOODS, through_woods
from sandtable.table.grid import Bools
from sandtable.table.sight import NONE


class VISIBILITY(Facts):
    models_block = fact(True, "w40k10.concept.visibility_observer", "w40k10.concept.model_fully_visible", neutral=False)
    """Models of other units stop sight."""
    own_ranks_hide = fact(0, "w40k10.concept.unit_fully_visible", neutral=1)
    """Whether other models of the observed unit are in the way of seeing one fully: they are looked through."""


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


@rule(
    "w40k10.concept.model_visible",
    "w40k10.concept.model_fully_visible",
    "w40k10.concept.visibility_observer",
    neutral=NONE,
)
def through_solids() -> int:
    """A line that meets nothing is clear; walls, floors and solid features stop every line that meets them."""
    return TERRAIN.through_solids


def through(kind: str, observer: int, target: int) -> int:
    """What a terrain area does to a line of sight."""
    if kind == RUINS:
        return through_ruins(observer, target)
    return through_woods(observer, target) if kind == WOODS else CRATERS.sight


SEEING: Final = Seeing(
    through=lambda w, feature, observer, target: through(w.table.features[feature].kind, observer, target),
    solids=through_solids,
    models_block=lambda: VISIBILITY.models_block,
    own_ranks_hide=lambda: VISIBILITY.own_ranks_hide,
    sees_past=sees_past,
    floors_count=lambda: FOOTPRINTS.area_of_all_floors,
)
