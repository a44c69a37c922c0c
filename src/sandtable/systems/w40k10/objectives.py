"""Objective markers: where they may lie, range, Level of Control, and who controls them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from sandtable.armies.effects import Characteristic
from sandtable.battle import ALLOWED, Plotted, Verdict, refuse
from sandtable.forty.effects.at_work import Active
from sandtable.forty.effects.characteristics import changed, changes_of
from sandtable.forty.markers import (
    NOBODY,
    Control,
    gaps_between,
    in_zone,
    keeper_of,
    markers_left,
    near_models,
    on_a_marker,
    strongest,
)
from sandtable.forty.placing_markers import solid_at
from sandtable.rules import Facts, fact, rule
from sandtable.systems.w40k10.battle_shock import loses_control
from sandtable.systems.w40k10.state import FAR, World10, sheet_of
from sandtable.table.grid import OVERLAP, Bools, Floats, Ints, steps
from sandtable.table.shapes import Bodies, Shape, round_base
from sandtable.table.zones import Zone

MARKER: Final[Shape] = round_base(40 / 25.4, 0.1)
"""A marker is a disc of 40 mm."""


class OBJECTIVES(Facts):
    marker_range = fact(Zone(steps(3), steps(5)), "w40k10.objective.range", neutral=Zone(FAR, FAR))
    """Who is so near the edge of a marker is within range of it."""
    from_edge = fact(steps(6), "w40k10.onlywar.markers", neutral=0)
    """So far from every edge of the battlefield the players place markers..."""
    apart = fact(steps(9), "w40k10.onlywar.markers", neutral=0)
    """...and so far from each other."""


@rule("w40k10.objective.marker", neutral=np.float64(0.0))
def gaps_to_markers(w: World10, bodies: Bodies, models: Ints, markers: Sequence[int]) -> Floats:
    """Horizontal gaps between models and the edges of markers, [model, marker]; below 0 where a base is on one."""
    return gaps_between(w, bodies, models, markers)


@rule("w40k10.objective.range", neutral=np.bool_(True))
def in_range_of(w: World10, bodies: Bodies, models: Ints, markers: Sequence[int]) -> Bools:
    """Which models are within range of which markers, [model, marker]."""
    found = gaps_to_markers(w, bodies, models, markers)
    return in_zone(w, bodies, models, markers, found, OBJECTIVES.marker_range)


@rule("w40k10.objective.level_of_control", neutral=0)
def level_of_control(w: World10, player: int, marker: int) -> int:
    """The sum of the Objective Control of a player's models within range."""
    level = 0
    changes: dict[int, tuple[Active[Characteristic], ...]] = {}
    owner, every = w.state.models.unit, w.state.units
    for m in near_models(w, marker):
        unit = every[owner[m]]
        if unit.player == player and not loses_control(unit):
            if unit.id not in changes:
                changes[unit.id] = changes_of(w, unit, "OC")
            level += changed(w, changes[unit.id], m, "OC", sheet_of(w, m).oc)
    return level


@rule("w40k10.objective.control", neutral=-1)
def controller(w: World10, marker: int) -> int:
    """Who controls a marker: the player with the greatest Level of Control; -1 when it is contested."""
    if marker in w.state.game.removed:
        return NOBODY
    return strongest([level_of_control(w, p.id, marker) for p in w.state.players], keeper_of(w, marker))


@rule("w40k10.objective.movement", neutral=ALLOWED)
def check_off_markers(w: World10, bodies: Bodies, models: Ints) -> Verdict:
    """No move ends on a marker."""
    markers = markers_left(w)
    if not markers:
        return ALLOWED
    found = gaps_to_markers(w, bodies, models, markers)
    if not (found < OVERLAP).any():
        return ALLOWED
    return on_a_marker(w, models, markers, found, "w40k10.objective.movement")


@rule("w40k10.onlywar.markers", neutral=ALLOWED)
def judge_marker(w: World10, spot: Plotted) -> Verdict:
    """A marker lies more than 6" from every edge and more than 9" from every other marker."""
    x, y, radius = spot.x, spot.y, MARKER.radius
    width, depth = w.table.width, w.table.depth
    if min(x, y, width - x, depth - y) - radius <= OBJECTIVES.from_edge:
        return refuse('A marker lies more than 6" from every edge of the battlefield.', "w40k10.onlywar.markers")
    for number, (ox, oy, _) in enumerate(w.state.game.markers, 1):
        if (x - ox) ** 2 + (y - oy) ** 2 <= (OBJECTIVES.apart + 2 * radius) ** 2:
            return refuse(f'A marker lies more than 9" from objective {number}.', "w40k10.onlywar.markers")
    return check_open(w, x, y)


def check_open(w: World10, x: int, y: int) -> Verdict:
    """A marker lies on the ground, not inside a solid feature."""
    feature = solid_at(w, x, y)
    if feature is None:
        return ALLOWED
    return refuse(f"A marker cannot lie inside {feature.name or feature.id}.", "w40k10.mission.battlefield")


def from_edge() -> int:
    """How far the middle of a marker is from every edge at least."""
    return OBJECTIVES.from_edge + MARKER.radius + 1


CONTROL: Final = Control(in_range_of, controller, "w40k10.objective.control", lambda: OBJECTIVES.marker_range.flat)
