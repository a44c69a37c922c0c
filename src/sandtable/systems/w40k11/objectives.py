"""Objectives (14): range, level of control, and who controls them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from sandtable.armies.effects import Characteristic
from sandtable.forty.effects.at_work import Active
from sandtable.forty.effects.characteristics import changed, changes_of
from sandtable.forty.markers import NOBODY, Control, gaps_between, in_zone, near_models, strongest
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


def gaps_to_markers(w: World11, bodies: Bodies, models: Ints, markers: Sequence[int]) -> Floats:
    """Horizontal gaps between models and the edges of markers, [model, marker]; below 0 where a base is on one."""
    return gaps_between(w, bodies, models, markers)


@rule("w40k11.objective.range", neutral=np.bool_(True))
def in_range_of(w: World11, bodies: Bodies, models: Ints, markers: Sequence[int]) -> Bools:
    """Which models are within range of which objectives, [model, objective]."""
    return in_zone(w, bodies, models, markers, gaps_to_markers(w, bodies, models, markers), OBJECTIVES.range)


@rule("w40k11.concept.battleshocked", "w40k11.objective.battleshocked", neutral=False)
def loses_control(unit: Unit) -> bool:
    """Models of a battle-shocked unit have an OC of "-"."""
    return unit.battle_shocked


@rule("w40k11.datasheet.oc_dash", neutral=False)
def takes_no_part(w: World11, model: int) -> bool:
    """A model whose OC is "-" takes no part, whatever would raise it."""
    return sheet_of(w, model).oc is None


@rule("w40k11.objective.level_of_control", neutral=0)
def level_of_control(w: World11, player: int, marker: int) -> int:
    """The sum of the OC of a player's models within range."""
    level = 0
    changes: dict[int, tuple[Active[Characteristic], ...]] = {}
    owner, every = w.state.models.unit, w.state.units
    for m in near_models(w, marker):
        unit = every[owner[m]]
        if unit.player == player and not loses_control(unit) and not takes_no_part(w, m):
            if unit.id not in changes:
                changes[unit.id] = changes_of(w, unit, "OC")
            level += changed(w, changes[unit.id], m, "OC", sheet_of(w, m).oc or 0)
    return level


@rule("w40k11.objective.level_of_control", neutral=-1)
def controller(w: World11, marker: int) -> int:
    """Who controls an objective: the player with the greatest level of control; -1 for nobody."""
    if marker in w.state.game.removed:
        return NOBODY
    return strongest(w, marker, [level_of_control(w, p.id, marker) for p in w.state.players])


CONTROL: Final = Control(near=in_range_of, controller=controller, rule="w40k11.objective.level_of_control")
