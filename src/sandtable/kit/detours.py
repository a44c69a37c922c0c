"""Whole units on their way to a place: straight, around what is in the way, or as far as a move takes them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np
from msgspec.structs import replace

from sandtable.battle.decisions import Moves, Path, Spot
from sandtable.battle.kept import PLACES, kept
from sandtable.battle.system import Reach
from sandtable.kit.walking import around, arranged, walk_to
from sandtable.kit.way import Way
from sandtable.table.grid import STEP, TURN, Floats, Ints
from sandtable.table.reach import CELL, Field, reach, reach_polygons

if TYPE_CHECKING:
    from sandtable.battle.system import AnyWorld

NEAR_ENOUGH: Final = 1.5
"""How far from where it was sent a unit looks for no other formation"""
AS_THEY_STAND: Final = ("keep", "block")
"""A unit goes as it stands, or in a block where it cannot get there like that."""
AHEAD: Final = 2.5
"""So many moves ahead a way around things is looked for"""
WITHIN: Final = 0.93
"""The part of a move that is planned along a field of distances, which is a little rough"""

MOST_UNSURE: Final = 5
MOST_OUTLINES: Final = 24
"""Models of a unit whose reach is drawn; those of large units stand close together."""


def ways_to(
    w: AnyWorld,
    way: Way,
    models: Sequence[int],
    place: Floats,
    limit: Callable[[int], int],
    goal: Floats | None = None,
    shapes: Sequence[str] = AS_THEY_STAND,
) -> Iterator[Moves]:
    """Straight to a place; where something is in the way, around it, or as far as the way to the goal leads.

    Places and goals are in whole units of length, x and y.
    """
    limits = np.array([limit(m) for m in models], dtype=np.int64)
    movers = np.array(models, dtype=np.int64)[limits > 0]
    if not len(movers):
        return
    moves = _arranged_at(w, way, movers, limits[limits > 0], place, shapes)
    if moves is not None:
        yield moves
        yield around(w, way, moves, limit)
    end = detour(w, way, movers, place if goal is None else goal, int(limits[limits > 0].min()))
    if end is None:
        return
    moves = _arranged_at(w, way, movers, limits[limits > 0], end, shapes)
    if moves is not None:
        yield around(w, way, moves, limit)


def ways_to_ends(w: AnyWorld, way: Way, ends: Sequence[Spot], limit: Callable[[int], int]) -> Iterator[Moves]:
    """Each model to a place of its own: straight, or around what is in its way; it may turn when it is there."""
    if not ends:
        return
    models = np.array([spot.model for spot in ends], dtype=np.int64)
    straight = walk_to(w, way, models, np.array([(s.x, s.y, s.z) for s in ends], dtype=np.int64))
    facing = {spot.model: spot.facing % TURN for spot in ends}
    for moves in (straight, around(w, way, straight, limit)):
        yield Moves(moves.mode, tuple(_turned(path, facing[path.model]) for path in moves.paths))


def _turned(path: Path, facing: int) -> Path:
    end = path.legs[-1]
    return path if end.facing == facing else Path(path.model, (*path.legs, replace(end, do="turn", facing=facing)))


def reach_of(
    w: AnyWorld, way: Way, models: Sequence[int], limit: Callable[[int], int], rolls: Sequence[tuple[float, str]] = ()
) -> Iterator[Reach]:
    """Where the models of a unit may end: what is certain, then a whole unit of length more for each of the rolls.

    A roll is the chance of it, and what players call what it needs.
    """
    near = [m for m in models if limit(m) > 0][:MOST_OUTLINES]
    if not near:
        return
    far = max(limit(m) for m in near)
    fields = [(m, field_of(w, way, m, limit(m) + len(rolls) * STEP)) for m in near]
    for more, (chance, needs) in enumerate(((1.0, ""), *rolls)):
        # What is only possible is drawn for a few models: that is enough to see where it ends.
        drawn = fields if more == 0 else fields[:: max(1, len(fields) // MOST_UNSURE)]
        rings = [(m, ring) for m, field in drawn for ring in reach_polygons(field, limit(m) + more * STEP)]
        outlines = tuple(tuple(map(tuple, ring.tolist())) for _, ring in rings)
        yield Reach(far + more * STEP, chance, outlines, tuple(m for m, _ in rings), needs)


@kept(PLACES)
def field_of(w: AnyWorld, way: Way, model: int, far: int) -> Field:
    """How far it is to everywhere for one model; comrades make room where they stand."""
    blocks = way.blocks(w, model)
    open_ends = blocks.end_block.copy()
    open_ends[list(w.unit(way.unit).models)] = 0
    return reach(w.bodies, w.shapes, w.terrain, model, far, CELL, blocks._replace(end_block=open_ends))


def _arranged_at(
    w: AnyWorld, way: Way, movers: Ints, limits: Ints, place: Floats, shapes: Sequence[str]
) -> Moves | None:
    """In the first formation that gets there, else in the one that gets nearest."""
    anchor = (round(float(place[0]) * STEP), round(float(place[1]) * STEP))
    z = int(w.state.models.pos[movers[0], 2])
    best, nearest = None, 1e9
    for shape in shapes if len(movers) > 1 else shapes[:1]:
        moves = arranged(w, way, movers, limits, anchor, shape, z)
        short = 1e9 if moves is None or not moves.paths else _short_of(w, movers, moves, place)
        if short < nearest:
            best, nearest = moves, short
        if nearest <= NEAR_ENOUGH:
            break
    return best


def _short_of(w: AnyWorld, movers: Ints, moves: Moves, place: Floats) -> float:
    """How far from a place the middle of a unit ends, in whole units of length."""
    pos, ends = w.state.models.pos, {path.model: path.legs[-1] for path in moves.paths}
    x = sum(ends[m].x if m in ends else int(pos[m, 0]) for m in movers.tolist())
    y = sum(ends[m].y if m in ends else int(pos[m, 1]) for m in movers.tolist())
    dx, dy = x / len(movers) / STEP - float(place[0]), y / len(movers) / STEP - float(place[1])
    return float((dx * dx + dy * dy) ** 0.5)


def detour(w: AnyWorld, way: Way, movers: Ints, goal: Floats, far: int) -> Floats | None:
    """The furthest place that a unit's middle model gets to on its way around things to a goal; None without a way."""
    pos = w.state.models.pos
    middle = pos[movers, :2].mean(axis=0)
    lead = int(movers[int(((pos[movers, :2] - middle) ** 2).sum(axis=1).argmin())])
    field = _ways_from(w, way, lead, far)
    rows, columns = np.nonzero(np.isfinite(field.cost) & (field.may_end != 0))
    if not len(rows):
        return None
    x, y = field.origin[0] + columns * STEP, field.origin[1] + rows * STEP
    left = np.sqrt((x - goal[0] * STEP) ** 2 + (y - goal[1] * STEP) ** 2)
    best = int((left + 0.1 * field.cost[rows, columns]).argmin())
    here = pos[lead, :2] - goal * STEP
    if float(left[best]) > float(here[0] ** 2 + here[1] ** 2) ** 0.5 - STEP:
        return None
    row, column = int(rows[best]), int(columns[best])
    # Back along the way, until it is within one move.
    while field.cost[row, column] > far * WITHIN or not field.may_end[row, column]:
        around_it = [
            (float(field.cost[r, c]), r, c)
            for r in range(max(0, row - 2), min(field.cost.shape[0], row + 3))
            for c in range(max(0, column - 2), min(field.cost.shape[1], column + 3))
        ]
        cost, r, c = min(around_it)
        if cost >= field.cost[row, column]:
            return None
        row, column = r, c
    return np.array([(field.origin[0] + column * STEP) / STEP, (field.origin[1] + row * STEP) / STEP])


@kept(PLACES)
def _ways_from(w: AnyWorld, way: Way, lead: int, far: int) -> Field:
    """How far it is to everywhere for one model; all places that a unit thinks of lie in this field."""
    return reach(w.bodies, w.shapes, w.terrain, lead, int(far * AHEAD), STEP, way.blocks(w, lead))
