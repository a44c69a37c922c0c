"""Where formations may go, and how they get to where a player points, in assaults and withdrawals."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from sandtable.battle.decisions import Move, Moves
from sandtable.battle.system import Goal, Reach
from sandtable.kit.detours import reach_of, ways_to, ways_to_ends
from sandtable.systems.epica.charge import counter_charge_distance
from sandtable.systems.epica.closing import counter_charge, straight_in
from sandtable.systems.epica.passage import Passage
from sandtable.systems.epica.state import EpicWorld, sheet
from sandtable.systems.epica.suggest import speeds_of
from sandtable.systems.epica.usual_moves import consolidation_limits
from sandtable.table.grid import STEP, Ints

FREELY: Final = ("withdraw",)
"""Moves that no zone of control holds up."""


def limits_of(world: EpicWorld, decision: Move) -> dict[int, int]:
    """How far each unit goes in a move of this kind."""
    far: Ints | list[int]
    if decision.kind == "counter-charge":
        far = [max(0, counter_charge_distance(sheet(world, m).speed) - 2) for m in decision.models]
    elif decision.kind == "consolidate":
        far = consolidation_limits(world, decision)
    else:
        far = speeds_of(world, decision.models)
    return {m: int(f) for m, f in zip(decision.models, far, strict=True)}


def reach(world: EpicWorld, decision: Move, mode: str) -> Iterator[Reach]:
    """Where the units of a formation may end."""
    way = Passage(decision.unit, mode, decision.models)
    yield from reach_of(world, way, decision.models, limits_of(world, decision).__getitem__)


def towards(world: EpicWorld, decision: Move, goal: Goal) -> Iterator[Moves]:
    """To a place that a player points at, around what is in the way, or as far as the formation gets."""
    yield from _to_ends(world, decision, goal)
    yield from _to_place(world, decision, goal)


def charge_towards(world: EpicWorld, decision: Move, goal: Goal) -> Iterator[Moves]:
    """The same; who points at the enemy means contact, for the units that were put somewhere else or for all."""
    yield from _to_ends(world, decision, goal)
    contact = straight_in(world, decision, tuple(spot.model for spot in goal.ends) or None)
    if contact is not None:
        yield contact
    yield from _to_place(world, decision, goal)


def counter_charge_towards(world: EpicWorld, decision: Move, goal: Goal) -> Iterator[Moves]:
    """The units that were put somewhere else go, or all of them; where to, the enemy decides."""
    moved = {spot.model for spot in goal.ends} or set(decision.models)
    yield from _to_ends(world, decision, goal)
    moves = counter_charge(world, decision, moved.__contains__)
    while moves.paths:
        yield moves
        moves = Moves(moves.mode, moves.paths[:-1])


def _to_ends(world: EpicWorld, decision: Move, goal: Goal) -> Iterator[Moves]:
    """Each unit to where it was put."""
    way = Passage(decision.unit, decision.modes[0].name, decision.models)
    yield from ways_to_ends(world, way, goal.ends, limits_of(world, decision).__getitem__)


def _to_place(world: EpicWorld, decision: Move, goal: Goal) -> Iterator[Moves]:
    """All of them to a place; out of the enemy's zones, unless these hold nobody up."""
    way = Passage(decision.unit, decision.modes[0].name, decision.models, keeps_out=decision.kind not in FREELY)
    place, shapes = np.array([goal.x, goal.y]) / STEP, tuple(dict.fromkeys((goal.shape, "block")))
    yield from ways_to(world, way, decision.models, place, limits_of(world, decision).__getitem__, shapes=shapes)
