"""Objectives (14): range, level of control, and who controls them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from sandtable.forty.effects.characteristics import changed, changes_of
from sandtable.forty.markers import (
    NOBODY,
    Control,
    gaps_between,
    in_zone,
    keeper_of,
    markers_near,
    markers_of,
    near_models,
    strongest,
)
from sandtable.kit.areas import NO_AREA, area_at, gaps_to_area
from sandtable.rules import Facts, fact, rule
from sandtable.systems.w40k11.state import Unit, World11, sheet_of
from sandtable.table.grid import Bools, Floats, Ints, steps
from sandtable.table.shapes import Bodies, Shape, round_base
from sandtable.table.zones import Zone

MARKER: Final[Shape] = round_base(40 / 25.4, 0.1)
"""A marker is a disc of 40 mm."""


class OBJECTIVES(Facts):
    """What the book states about objectives."""

    range = fact(Zone(steps(3), steps(5)), "w40k11.objective.marker", neutral=Zone(steps(120), steps(120)))
    """Who is so near the edge of a marker is within range of it."""


@rule("w40k11.objective.terrain", neutral=NO_AREA)
def area_of(w: World11, objective: int) -> int:
    """The terrain area that an objective is: the one that its spot lies in; -1 where it is a marker."""
    x, y, _ = markers_of(w)[objective]
    return area_at(w, x, y)


def gaps_to_markers(w: World11, bodies: Bodies, models: Ints, objectives: Sequence[int]) -> Floats:
    """Horizontal gaps between models and objectives, [model, objective]; below 0 on a marker, 0 within an area."""
    found = gaps_between(w, bodies, models, objectives)
    for k, objective in enumerate(objectives):
        if (area := area_of(w, objective)) != NO_AREA:
            found[:, k] = np.maximum(gaps_to_area(w, bodies, models, area), 0)
    return found


@rule("w40k11.objective.range", neutral=np.bool_(True))
def in_range_of(w: World11, bodies: Bodies, models: Ints, objectives: Sequence[int]) -> Bools:
    """Which models are within range of which objectives, [model, objective]: near a marker, or within an area."""
    gaps = gaps_between(w, bodies, models, objectives)
    found = in_zone(w, bodies, models, objectives, gaps, OBJECTIVES.range)
    for k, objective in enumerate(objectives):
        if (area := area_of(w, objective)) != NO_AREA:
            found[:, k] = gaps_to_area(w, bodies, models, area) < 0
    return found


@rule("w40k11.concept.battleshocked", "w40k11.objective.battleshocked", neutral=False)
def loses_control(unit: Unit) -> bool:
    """Models of a battle-shocked unit have an OC of "-"."""
    return unit.battle_shocked


@rule("w40k11.datasheet.oc_dash", neutral=False)
def takes_no_part(w: World11, model: int) -> bool:
    """A model whose OC is "-" takes no part, whatever would raise it."""
    return sheet_of(w, model).oc is None


def control_of(w: World11, unit: Unit, models: Sequence[int]) -> int:
    """The OC of some models of a unit together, unless it is battle-shocked."""
    return 0 if not models or loses_control(unit) else oc_of(w, unit, models)


def oc_of(w: World11, unit: Unit, models: Sequence[int]) -> int:
    """The OC of some models of a unit together, as effects change it."""
    changes = changes_of(w, unit, "OC")
    return sum(changed(w, changes, m, "OC", sheet_of(w, m).oc or 0) for m in models if not takes_no_part(w, m))


@rule("w40k11.objective.level_of_control", neutral=0)
def level_of_control(w: World11, player: int, marker: int) -> int:
    """The sum of the OC of a player's models within range."""
    near = set(near_models(w, marker))
    return sum(control_of(w, u, [m for m in u.models if m in near]) for u in w.units_of(player))


@rule("w40k11.objective.level_of_control", neutral=-1)
def controller(w: World11, marker: int) -> int:
    """Who controls an objective: the player with the greatest level of control; -1 for nobody."""
    if marker in w.state.game.removed:
        return NOBODY
    return strongest([level_of_control(w, p.id, marker) for p in w.state.players], secured_by(w, marker))


@rule("w40k11.objective.secured", neutral=-1)
def secured_by(w: World11, marker: int) -> int:
    """Who keeps an objective unless an opponent has more there; -1 for nobody."""
    return keeper_of(w, marker)


@rule("w40k11.objective.unit_controlling", neutral=True)
def is_controlling(w: World11, unit: Unit, marker: int) -> bool:
    """Whether a unit within range of an objective, with a model of OC 1 or more, controls it for its player."""
    if marker not in markers_near(w, unit) or w.state.game.control[marker : marker + 1] != (unit.player,):
        return False
    return control_of(w, unit, w.on_table(unit).tolist()) > 0


CONTROL: Final = Control(in_range_of, controller, "w40k11.objective.level_of_control", lambda: OBJECTIVES.range.flat)
