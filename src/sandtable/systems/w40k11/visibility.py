"""Visibility (06.01, 13.07): who sees whom, fully or not, and what stands in the way."""

from __future__ import annotations

from typing import Final

from sandtable.kit.seeing import OUTSIDE, Seeing, visible
from sandtable.rules import Facts, fact, rule
from sandtable.systems.w40k11.state import Unit, World11
from sandtable.systems.w40k11.terrain import DENSE, LIGHT, category_of
from sandtable.table.grid import Bools
from sandtable.table.sight import HARD, NONE


class SIGHT(Facts):
    """What the book states about sight."""

    models_block = fact(True, "w40k11.vis.los", neutral=False)
    """Models of third units stop sight."""
    own_ranks_hide = fact(0, "w40k11.vis.los", neutral=1)
    """Other models of the observed unit are looked through."""
    through_solids = fact(HARD, "w40k11.vis.los", "w40k11.vis.model_visible", "w40k11.concept.base", neutral=NONE)
    """Walls, floors and solid features stop every line that meets them."""
    area_of_all_floors = fact(True, "w40k11.gap.area_height", neutral=False)
    """An area is a column without upper limit."""


def sees(w: World11, unit: Unit, target: Unit) -> bool:
    """Whether any model of a unit sees any model of another."""
    return unit_visible(visible(w, unit, target))


@rule("w40k11.vis.unit_visible", neutral=False)
def unit_visible(seen: Bools) -> bool:
    """A unit is visible as soon as one of its models is."""
    return bool(seen.any())


@rule("w40k11.terrain.obscuring", neutral=NONE)
def through(kind: str, observer: int, target: int) -> int:
    """Nobody sees across an area with light or dense features, but for who is within it at either end."""
    obscures = category_of(kind) in (LIGHT, DENSE)
    return HARD if obscures and observer == OUTSIDE and target == OUTSIDE else NONE


SEEING: Final = Seeing(
    through=through,
    solids=lambda: SIGHT.through_solids,
    models_block=lambda: SIGHT.models_block,
    own_ranks_hide=lambda: SIGHT.own_ranks_hide,
    sees_past=lambda w, model: False,
    floors_count=lambda: SIGHT.area_of_all_floors,
)
