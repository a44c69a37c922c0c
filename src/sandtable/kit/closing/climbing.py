"""Climbing on the way to the enemy: up the face of what is too high to step over, along its top, and down again.

The search for places knows such ways by a field of lengths, laid over a map of heights; the ways themselves go straight
over the ground wherever they can, and climb right where the base meets what is in the way.
"""

from __future__ import annotations

import math
from collections.abc import Hashable
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from sandtable.battle.decisions import Leg, Path
from sandtable.battle.kept import PLACES, SETUP, kept
from sandtable.kit.closing.contact import Contact, models_of
from sandtable.kit.moving import path_of
from sandtable.kit.way import Way
from sandtable.table.climbs import STACKED, STEPS, spread, straight_over
from sandtable.table.grid import STEP, Floats, Ints
from sandtable.table.layout import Feature
from sandtable.table.moves import Code, Obstacles, may_end, obstacles, sweep_unit
from sandtable.table.moves_scene import Flags
from sandtable.table.reach import CELL
from sandtable.table.shapes import Bodies

if TYPE_CHECKING:
    from sandtable.battle.system import AnyWorld

PACE: Final = STEP // 8
"""The heights along a straight way are looked up so far apart."""
HIGHEST: Final = 1 << 30
"""Higher than any wall"""
_OPEN: Final = int(Code.OK)
_IN_WALL: Final = int(Code.END_WALL)
_IN_SOLID: Final = int(Code.END_SOLID)

Place = tuple[int, int, int]


class Climb(NamedTuple):
    """What one model may climb on its way, and who is in its way."""

    model: int
    parts: Obstacles
    """Only what is too high to step over"""
    blocks: Obstacles
    """All that is in the way"""
    tops: tuple[Ints, Ints]
    """The height of each wall and of each feature"""
    low: int
    """So high one steps for nothing"""


class Ways(NamedTuple):
    """About how far a model has to go to the cells around its start, and at which height it is there."""

    cost: Floats
    height: Ints
    back: Ints
    """By which of the steps one gets back to the cell before"""
    low: int
    """So high one steps for nothing"""

    def to_level(self, level: int) -> Floats:
        """The same for who ends at a height: from lower cells it climbs up there."""
        up = level - self.height
        return np.asarray(np.where(up < 0, np.inf, self.cost + np.where(up > self.low, up, 0)))


# --- What there is to climb -------------------------------------------------------------------------------------------


class _Steep(NamedTuple):
    """Walls and solid features that are too high to step over: their flags, their tops, and the boxes around them."""

    walls: Flags
    solids: Flags
    wall_top: Ints
    top: Ints
    boxes: Ints
    """[part, least x y, most x y, top, one more than the number of a wall]"""
    lowest_wall: int
    """The least height of those walls; there are none where it is higher than any"""
    has_solids: bool

    def are_too_high(self, z: int, far: int) -> bool:
        """Whether it is clear at once that nothing can be climbed from a height by who goes so far."""
        return not self.has_solids and max(0, self.lowest_wall - z) + self.lowest_wall >= far


@kept(SETUP)
def _steep(w: AnyWorld, built: tuple[Feature, ...], low: int) -> _Steep | None:
    """What is higher than one steps for nothing, on the table with what was built on it; None where nothing is."""
    terrain = w.terrain
    solids = ((terrain.solid != 0) & (terrain.top > low)).astype(np.uint8)
    ends, wall_top = terrain.wall[:, :4], terrain.wall[:, 5].copy()
    for k in range(len(wall_top)):
        # Above a window the wall goes on.
        wall_top[k] = terrain.wall[(ends == ends[k]).all(axis=1), 5].max()
    walls = (wall_top > low).astype(np.uint8)
    boxes = []
    for f in np.flatnonzero(solids).tolist():
        outline = terrain.outline[f, : terrain.corners[f]]
        boxes.append((*outline.min(axis=0), *outline.max(axis=0), terrain.top[f], 0))
    for k in np.flatnonzero(walls).tolist():
        ax, ay, bx, by = ends[k]
        boxes.append((min(ax, bx), min(ay, by), max(ax, bx), max(ay, by), wall_top[k], 1 + k))
    if not boxes:
        return None
    lowest = int(wall_top[walls != 0].min(initial=HIGHEST))
    of_parts = np.array(boxes, dtype=np.int64)
    return _Steep(walls, solids, wall_top, terrain.top, of_parts, lowest, bool(solids.any()))


def climb_of(w: AnyWorld, c: Contact, model: int, blocks: Obstacles) -> Climb | None:
    """What a model may climb on its way to the enemy, with what is in its way; None where there is nothing near."""
    steep = _steep(w, w.state.features, _low(blocks))
    if steep is None:
        return None
    x, y, z = w.state.models.pos[model].tolist()
    if steep.are_too_high(z, c.far):
        return None
    boxes, highest = steep.boxes, int(w.state.models.pos[models_of(w, c.prey), 2].max(initial=0))
    wall = boxes[:, 5] > 0
    top = boxes[:, 4]
    rise = np.maximum(top - z, 0) + np.maximum(top - np.where(wall, 0, highest), 0)
    left = c.far - rise + int(w.shapes.reach[w.ground.shape[model]])
    near = (rise < c.far) & (boxes[:, 0] - x <= left) & (x - boxes[:, 2] <= left)
    near &= (boxes[:, 1] - y <= left) & (y - boxes[:, 3] <= left)
    if wall.any():
        near &= ~wall | (blocks.wall_blocks[np.maximum(boxes[:, 5] - 1, 0)] != 0)
    return _climb(w, c.way, model, c.lying) if near.any() else None


def _low(blocks: Obstacles) -> int:
    """How high one steps for nothing."""
    return int(blocks.free_height.max(initial=0))


@kept(PLACES)
def _climb(w: AnyWorld, way: Way, model: int, lying: Hashable) -> Climb:
    blocks = way.ends(w, model)
    steep = _steep(w, w.state.features, _low(blocks))
    assert steep is not None, "nothing is climbed where nothing is steep"
    parts = obstacles(
        len(blocks.end_block),
        w.terrain,
        end_wall=steep.walls & blocks.wall_blocks,
        end_solid=steep.solids,
        floor_blocks=0,
        edge=False,
    )
    return Climb(model, parts, blocks, (steep.wall_top, steep.top), _low(blocks))


def _heights(w: AnyWorld, bodies: Bodies, climb: Climb, spots: Ints) -> Ints:
    """How high a model is at each of some spots [n, x y], above all that is too high to step over."""
    facing = np.full(len(spots), bodies.facing[climb.model])
    places = np.column_stack((spots, np.zeros(len(spots), dtype=np.int64), facing))
    rows = np.arange(len(spots))
    for _ in range(STACKED):
        found = may_end(bodies, w.shapes, w.terrain, climb.model, np.ascontiguousarray(places[rows]), climb.parts)
        in_wall, in_solid = found[:, 0] == _IN_WALL, found[:, 0] == _IN_SOLID
        if not (in_wall | in_solid).any():
            break
        places[rows[in_wall], 2] = climb.tops[0][found[in_wall, 1]]
        places[rows[in_solid], 2] = climb.tops[1][found[in_solid, 1]]
        rows = rows[in_wall | in_solid]
    return np.asarray(places[:, 2])


# --- The field --------------------------------------------------------------------------------------------------------


@kept(PLACES)
def climbing_ways(w: AnyWorld, way: Way, model: int, most: int, lying: Hashable) -> Ways:
    """The field of a model, for ways of up to so many steps, with the models as they stand."""
    climb, bodies = _climb(w, way, model, lying), way.things(w, w.bodies)
    x, y, z = w.state.models.pos[climb.model].tolist()
    half = most // CELL + 2
    ticks = np.arange(-half, half + 1, dtype=np.int64) * CELL
    spots = np.stack(np.meshgrid(x + ticks, y + ticks), axis=-1).reshape(-1, 2)
    height = _heights(w, bodies, climb, spots)
    blocks = climb.blocks
    things = obstacles(
        len(bodies.shape),
        w.terrain,
        end_block=blocks.pass_block,
        end_wall=0,
        end_solid=0,
        floor_blocks=0,
    )._replace(end_zone=blocks.zone, end_up=blocks.zone_up)
    facing = np.full(len(spots), bodies.facing[climb.model])
    places = np.column_stack((spots, height, facing))
    codes = may_end(bodies, w.shapes, w.terrain, climb.model, places, things)[:, 0]
    closed = np.isin(codes, (Code.EDGE, Code.END_MODEL, Code.END_ZONE))
    size = (len(ticks), len(ticks))
    height = np.ascontiguousarray(height.reshape(size))
    cost = np.full(size, np.inf)
    first = abs(z - int(height[half, half]))
    cost[half, half] = first if first > climb.low else 0
    cost, back = spread(cost, height, closed.reshape(size), most, CELL)
    return Ways(cost, height, back, climb.low)


def extra_climb(w: AnyWorld, climb: Climb, enemy: int, level: int) -> int:
    """What climbing takes of the straight way towards an enemy to a height, besides the difference of heights."""
    x, y, z = w.state.models.pos[climb.model].tolist()
    away = w.state.models.pos[enemy, :2] - (x, y)
    pieces = max(1, int(math.sqrt(int((away * away).sum()))) // PACE)
    spots = np.array([x, y]) + away * np.arange(pieces + 1)[:, None] // pieces
    heights = np.array([z, *_heights(w, w.bodies, climb, spots), level])
    rises = np.abs(np.diff(heights))
    return int(rises[rises > climb.low].sum()) - (abs(level - z) if abs(level - z) > climb.low else 0)


# --- The ways ---------------------------------------------------------------------------------------------------------


def climb_to(w: AnyWorld, climb: Climb, ways: Ways, bodies: Bodies, goal: Place) -> Path | None:
    """A way of a model that climbs, straight in plan or around others; None where none is open.

    Those who have moved stand in `bodies` where they end.
    """
    there = Bodies(bodies.pos.copy(), bodies.facing.copy(), bodies.shape)
    there.pos[climb.model] = w.state.models.pos[climb.model]
    there.facing[climb.model] = w.state.models.facing[climb.model]
    x, y, z = w.state.models.pos[climb.model].tolist()
    straight = _over(w, climb, there, (x, y, z), goal)
    if not len(straight):
        return None
    if _is_open(w, climb.model, there, straight, climb.blocks):
        return Path(climb.model, path_of(straight))
    return _bent(w, climb, ways, there, (x, y, z), goal)


def _over(w: AnyWorld, climb: Climb, bodies: Bodies, start: Place, goal: Place) -> Ints:
    """Legs straight from place to place, up and down the faces of what is on the way."""
    one, other = np.array(start, dtype=np.int64), np.array(goal, dtype=np.int64)
    return straight_over(bodies, w.shapes, w.terrain, climb.model, climb.parts, *climb.tops, one, other, PACE)


def _is_open(w: AnyWorld, model: int, bodies: Bodies, legs: Ints, blocks: Obstacles) -> bool:
    """Whether nothing is in the way of legs from where the model stands; where they end is judged elsewhere."""
    models, counts = np.array([model], dtype=np.int64), np.array([len(legs)], dtype=np.int64)
    return bool(sweep_unit(bodies, w.shapes, w.terrain, models, legs[None], counts, blocks)[0, 0] == _OPEN)


def _bent(w: AnyWorld, climb: Climb, ways: Ways, bodies: Bodies, start: Place, goal: Place) -> Path | None:
    """A way along the cells of the field, drawn as straight as it gets."""
    points = _along_cells(ways, start, goal)
    if points is None:
        return None
    legs, k = list[Leg](), 0
    free = climb.blocks._replace(
        end_block=np.zeros_like(climb.blocks.end_block), end_zone=climb.blocks.zone, end_up=climb.blocks.zone_up
    )
    while k < len(points) - 1:
        there = Bodies(bodies.pos.copy(), bodies.facing, bodies.shape)
        there.pos[climb.model] = points[k]
        # Straight from the start to the goal was tried before.
        for other in range(len(points) - (1 if k else 2), k, -1):
            piece = _over(w, climb, there, points[k], points[other])
            blocks = climb.blocks if other == len(points) - 1 else free
            if not len(piece) or _is_open(w, climb.model, there, piece, blocks):
                legs += path_of(piece)
                k = other
                break
        else:
            return None
    return Path(climb.model, tuple(legs)) if legs else None


def _along_cells(ways: Ways, start: Place, goal: Place) -> list[Place] | None:
    """The cells on the way to a goal, from the start on, with their heights."""
    cost, middle = ways.cost, len(ways.cost) // 2
    column, row = (round((g - s) / CELL) + middle for g, s in zip(goal[:2], start[:2], strict=True))
    near = []
    for r in range(max(0, row - 1), min(len(cost), row + 2)):
        for c in range(max(0, column - 1), min(len(cost), column + 2)):
            dx, dy = goal[0] - start[0] - (c - middle) * CELL, goal[1] - start[1] - (r - middle) * CELL
            if ways.height[r, c] <= goal[2]:
                near.append((float(cost[r, c]) + math.sqrt(dx * dx + dy * dy), r, c))
    if not near or min(near)[0] == math.inf:
        return None
    _, row, column = min(near)
    points = [goal]
    while (row, column) != (middle, middle):
        x, y = start[0] + (column - middle) * CELL, start[1] + (row - middle) * CELL
        points.append((x, y, int(ways.height[row, column])))
        dx, dy = STEPS[ways.back[row, column]].tolist()
        row, column = row + dy, column + dx
    return [start, *reversed(points)]
