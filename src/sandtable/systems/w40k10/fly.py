"""Flying: over models, and through the air."""

from __future__ import annotations

from typing import Final

from sandtable.battle import Path
from sandtable.kit.ground import on_terrain, terrain_alone
from sandtable.kit.moving import legs_of
from sandtable.rules import rule
from sandtable.systems.w40k10.core_concepts import model_has_keyword
from sandtable.systems.w40k10.state import World10
from sandtable.systems.w40k10.terrain.moving_over_terrain import CLIMBING
from sandtable.systems.w40k10.terrain.ruins import RUINS, walks_through_ruins
from sandtable.table.soar import Met, met_in_the_air

MOVES_THAT_FLY: Final = ("normal", "advance", "fall_back")


@rule("w40k10.move.fly_over", neutral=False)
def flies_over(w: World10, model: int, move: str) -> bool:
    """Whether a model passes over other models, and through Engagement Range, in a move of the Movement phase."""
    return move in MOVES_THAT_FLY and model_has_keyword(w, model, "FLY")


@rule("w40k10.charge.fly", neutral=False)
def flies_in_charge(w: World10, model: int, move: str) -> bool:
    """Whether a charging model passes over other models."""
    return move == "charge" and model_has_keyword(w, model, "FLY")


def flies(w: World10, model: int, move: str) -> bool:
    """Whether a model flies in this kind of move; nobody flies to Pile In or to Consolidate."""
    return flies_over(w, model, move) or flies_in_charge(w, model, move)


@rule("w40k10.move.fly_air", neutral=False)
def measures_through_air(w: World10, path: Path) -> bool:
    """A flying move that starts or ends on a terrain feature is measured through the air."""
    start, end = w.state.models.pos[path.model], path.legs[-1]
    return on_terrain(w, (int(start[0]), int(start[1])), (end.x, end.y))


@rule("w40k10.move.fly_air", neutral=None)
def stopped_by(w: World10, path: Path) -> Met | None:
    """What stops a model on its way through the air: a wall or a solid part that it does not pass above."""
    passed = RUINS if walks_through_ruins(w, path.model) else ""
    blocks = terrain_alone(w, passed, CLIMBING.low)
    return met_in_the_air(w.bodies, w.shapes, w.terrain, path.model, legs_of(path), blocks)
