"""Room to stand: which places are free for a model, and the first of a list that is.

What is free is decided here once, for formations, deployments, charges and pile-ins alike.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np

from sandtable.kernels import bare, kernel
from sandtable.table.coherency import Coherency, lacking, rejoin, unlinked
from sandtable.table.cores import core_gap, place_core, point_segment, point_segment2, segment_segment
from sandtable.table.grid import OVERLAP, Ints
from sandtable.table.layout import Terrain
from sandtable.table.measure import area_gap, inside, links, pair_gap, pair_rise, wholly_in_area, width_at
from sandtable.table.moves_scene import CLOSED
from sandtable.table.shapes import Bodies, Shapes
from sandtable.table.zones import NO_ZONE, Ball, Zone, widths

FAR: Final = 1 << 30
"""Longer than any table: an allowance that allows everything, a band that holds every height."""

_OVERLAP: Final = int(OVERLAP)

OTHER, WAITING, PLACED = 0, 1, 2
"""Models that do not belong to the unit, that have no place yet, and that have theirs."""


class Clear(NamedTuple):
    """What end positions keep clear of. Rows of the flags are models, walls and features of the battle."""

    blocked: Ints
    """[model] 1: may not be overlapped"""
    zone: Ints
    """[model] how many steps the gap must exceed; 0 for no zone"""
    up: int
    """Zones count for models at most this far above or below; IN_SPACE: they are balls"""
    wall: Ints
    """[wall] 1: may not be stood in"""
    solid: Ints
    """[feature] 1: its body may not be stood in; CLOSED: nor may it, at any height"""
    area: Ints
    """[corner, x y] every base must be wholly in this polygon; no corners: anywhere"""
    overhang: int
    """1: above the ground the middle of the base must be on a floor; 0: the whole base"""


class Scene(NamedTuple):
    """Everything that a search for room looks at. The positions of `bodies` are a copy that the search writes to."""

    bodies: Bodies
    shapes: Shapes
    terrain: Terrain
    clear: Clear
    state: Ints
    """[model] OTHER, WAITING or PLACED"""
    mates: Ints
    """All models of the unit: those that move, in their order, and then those that stay"""
    rule: Coherency
    budget: Ints
    """[1] how many places may still be looked at; each search looks at its first place in any case"""


def clear_of(
    bodies: Bodies,
    terrain: Terrain,
    *,
    blocked: Ints | None = None,
    zone: Zone | Ball = NO_ZONE,
    zoned: Ints | None = None,
    wall_blocks: Ints | None = None,
    solid_blocks: Ints | None = None,
    area: Ints | None = None,
    overhang: bool = False,
) -> Clear:
    """What to keep clear of; by default every model, every wall and every solid feature.

    Models that are `zoned` have a zone around them.
    """
    models = bodies.pos.shape[0]
    return Clear(
        np.ones(models, dtype=np.int64) if blocked is None else blocked.astype(np.int64),
        np.zeros(models, dtype=np.int64) if zoned is None else widths(zone, len(zoned), zoned),
        int(zone.up),
        np.ones(terrain.wall.shape[0], dtype=np.int64) if wall_blocks is None else wall_blocks.astype(np.int64),
        terrain.solid if solid_blocks is None else solid_blocks.astype(np.int64),
        np.empty((0, 2), dtype=np.int64) if area is None else np.ascontiguousarray(area, dtype=np.int64),
        int(overhang),
    )


def scene_of(
    bodies: Bodies, shapes: Shapes, terrain: Terrain, clear: Clear | None, models: Ints, staying: Ints, rule: Coherency
) -> Scene:
    """A copy of the positions to search with."""
    return Scene(
        Bodies(bodies.pos.copy(), bodies.facing.copy(), bodies.shape),
        shapes,
        terrain,
        clear_of(bodies, terrain) if clear is None else clear,
        np.zeros(bodies.pos.shape[0], dtype=np.int64),
        np.concatenate((models, staying)),
        Coherency(*(int(v) for v in rule)),
        np.zeros(1, dtype=np.int64),
    )


def rows(numbers: Ints | None) -> Ints:
    """Rows as the kernels take them; none for None."""
    return np.empty(0, dtype=np.int64) if numbers is None else np.ascontiguousarray(numbers, dtype=np.int64)


class _Near(NamedTuple):
    """The few things close enough to one search to matter: rows of the arrays, and how many in `length`."""

    discs: Ints
    """[round model, x y square] a round base stays so far away: the square of the distance between middles"""
    models: Ints
    """Those where one of the two is not round"""
    far: Ints
    """[near model, far close] squares of the distance between middles: above the first such a model does not matter,
    below the second it is met for sure"""
    cores: Ints
    """[which, corner, x y] the model's own core around its middle, and where it was put last; then those of the near
    models and of the mates in place"""
    walls: Ints
    solids: Ints
    links: Ints
    """[mate, x y far close apart model] linked up to the second square of the distance between middles for sure, above
    the first not; how far the cores may be apart, and which model"""
    box: Ints
    """Least x and y, and most x and y, that the middle may have"""
    length: Ints
    """Of discs, models, walls, solids and links; and of how many mates there are cores"""


@kernel
def _look_around(scene: Scene, i: int, x: int, y: int, radius: int) -> _Near:
    """Collect what a model could meet within a radius of a place."""
    bodies, shapes, terrain, clear = scene.bodies, scene.shapes, scene.terrain, scene.clear
    discs = np.empty((bodies.pos.shape[0], 3), dtype=np.int64)
    models = np.empty(bodies.pos.shape[0], dtype=np.int64)
    squares = np.empty((bodies.pos.shape[0], 2), dtype=np.int64)
    walls = np.empty(terrain.wall.shape[0], dtype=np.int64)
    solids = np.empty(terrain.outline.shape[0], dtype=np.int64)
    mates = np.empty((scene.mates.shape[0], 6), dtype=np.int64)
    length = np.zeros(6, dtype=np.int64)
    own = shapes.reach[bodies.shape[i]] + radius + 2
    length[0], length[1] = _models_around(bodies, shapes, clear, scene.state, i, x, y, radius, discs, models, squares)
    low, high = bodies.pos[i, 2], bodies.pos[i, 2] + shapes.height[bodies.shape[i]]
    for w in range(terrain.wall.shape[0]):
        wall = terrain.wall[w]
        if clear.wall[w] == 0 or wall[5] <= low or wall[4] >= high:
            continue
        if point_segment(x, y, wall[0], wall[1], wall[2], wall[3]) <= own + wall[6]:
            walls[length[2]] = w
            length[2] += 1
    for f in range(terrain.outline.shape[0]):
        if clear.solid[f] == 0 or (clear.solid[f] != CLOSED and (terrain.top[f] <= low or terrain.bottom[f] >= high)):
            continue
        if _is_near_outline(terrain.outline[f], terrain.corners[f], x, y, own):
            solids[length[3]] = f
            length[3] += 1
    length[4], length[5] = _links_around(bodies, shapes, scene.rule, scene.state, scene.mates, i, mates)
    cores = np.empty((2 + length[1] + length[5], shapes.core.shape[1], 2), dtype=np.int64)
    corners = place_core(shapes, bodies.shape[i], 0, 0, bodies.facing[i], cores[0])
    for m in range(length[1] + length[5]):
        k = models[m] if m < length[1] else mates[m - length[1], 5]
        place_core(shapes, bodies.shape[k], bodies.pos[k, 0], bodies.pos[k, 1], bodies.facing[k], cores[2 + m])
    box = _room_for(terrain, clear, shapes.radius[bodies.shape[i]], cores[0], corners)
    return _Near(discs, models, squares, cores, walls, solids, mates, box, length)


@bare
def _inner(shapes: Shapes, s: int) -> int:
    """How far from its middle every place surely belongs to a base, whichever way it is turned."""
    n, near = shapes.corners[s], 1.0e18
    if n == 1:
        return shapes.radius[s]
    for i in range(n):
        j = i + 1 if i + 1 < n else 0
        ax, ay, bx, by = shapes.core[s, i, 0], shapes.core[s, i, 1], shapes.core[s, j, 0], shapes.core[s, j, 1]
        dx, dy = bx - ax, by - ay
        near = min(near, (ax * by - ay * bx) / math.sqrt(dx * dx + dy * dy))
    # Two steps less because turned corners are rounded to the grid.
    return shapes.radius[s] + math.floor(near) - 2


@bare
def _models_around(
    bodies: Bodies,
    shapes: Shapes,
    clear: Clear,
    state: Ints,
    i: int,
    x: int,
    y: int,
    radius: int,
    discs: Ints,
    models: Ints,
    squares: Ints,
) -> tuple[int, int]:
    """Collect the models that could be in the way of model i; return how many are round, like it, and how many not."""
    pos, shape = bodies.pos, bodies.shape
    s = shape[i]
    own, z = shapes.reach[s] + radius + 2, pos[i, 2]
    rounds, others = 0, 0
    for k in range(pos.shape[0]):
        if k == i or state[k] == WAITING:
            continue
        t = shape[k]
        zone = clear.zone[k] if state[k] == OTHER else 0
        far = own + shapes.reach[t] + zone
        dx, dy = pos[k, 0] - x, pos[k, 1] - y
        if dx * dx + dy * dy > far * far:
            continue
        level = z + shapes.height[s] > pos[k, 2] and pos[k, 2] + shapes.height[t] > z
        body = level and (state[k] == PLACED or clear.blocked[k] != 0)
        width = width_at(zone, clear.up, pair_rise(bodies, shapes, i, k)) if zone > 0 else -1.0
        held = width >= 0.0
        if not body and not held:
            continue
        if shapes.corners[s] == 1 and shapes.corners[t] == 1:
            # In whole numbers: a gap below OVERLAP, or one up to the zone, is too near.
            apart = shapes.radius[s] + shapes.radius[t]
            near = max(0, apart + _OVERLAP) if body else 0
            within = apart + width
            discs[rounds, 0], discs[rounds, 1] = pos[k, 0], pos[k, 1]
            discs[rounds, 2] = max(near * near, math.floor(within * within) + 1 if held else 0)
            rounds += 1
        else:
            models[others] = k
            squares[others, 0] = (far - radius) * (far - radius)
            close = _inner(shapes, s) + _inner(shapes, t) - 1
            close = max(0, max(close + _OVERLAP if body else 0, close + math.floor(width) if held else 0))
            squares[others, 1] = close * close
            others += 1
    return rounds, others


@bare
def _links_around(
    bodies: Bodies, shapes: Shapes, rule: Coherency, state: Ints, mates: Ints, i: int, out: Ints
) -> tuple[int, int]:
    """Collect the mates that have their place and may be linked with model i; how many, and of how many to look at."""
    pos, shape = bodies.pos, bodies.shape
    s, found, placed = shape[i], 0, 0
    for m in range(mates.shape[0]):
        k = mates[m]
        if k == i or state[k] == WAITING:
            continue
        width = math.floor(width_at(rule.reach, rule.vertical, pair_rise(bodies, shapes, i, k)))
        if width < 0:
            continue
        t = shape[k]
        apart = shapes.radius[s] + shapes.radius[t] + width
        far = close = apart
        if shapes.corners[s] > 1 or shapes.corners[t] > 1:
            far = width + shapes.reach[s] + shapes.reach[t] + 1
            close = max(0, width + _inner(shapes, s) + _inner(shapes, t) - 1)
            placed = found + 1
        out[found, 0], out[found, 1], out[found, 2], out[found, 3] = pos[k, 0], pos[k, 1], far * far, close * close
        out[found, 4], out[found, 5] = apart, k
        found += 1
    return found, placed


@kernel
def _room_for(terrain: Terrain, clear: Clear, radius: int, core: Ints, n: int) -> Ints:
    """Where the middle of a base may be at most: on the table, and in the box around the area."""
    area = clear.area
    box = np.empty(4, dtype=np.int64)
    box[0], box[1], box[2], box[3] = 0, 0, terrain.size[0], terrain.size[1]
    if area.shape[0] > 2:
        box[0], box[1] = max(box[0], area[:, 0].min()), max(box[1], area[:, 1].min())
        box[2], box[3] = min(box[2], area[:, 0].max()), min(box[3], area[:, 1].max())
    for c in range(2):
        low, high = core[0, c], core[0, c]
        for k in range(1, n):
            low, high = min(low, core[k, c]), max(high, core[k, c])
        box[c] += radius - low
        box[2 + c] -= radius + high
    return box


@kernel
def _is_near_outline(outline: Ints, n: int, x: int, y: int, far: int) -> bool:
    """Whether a place is in an outline or near it."""
    for k in range(n):
        m = k + 1 if k + 1 < n else 0
        if point_segment(x, y, outline[k, 0], outline[k, 1], outline[m, 0], outline[m, 1]) <= far:
            return True
    return inside(float(x), float(y), outline, n)


@kernel
def _in_wall(bodies: Bodies, shapes: Shapes, i: int, wall: Ints) -> bool:
    """Whether a base that is not round stands in a wall of its height."""
    s = bodies.shape[i]
    x, y = bodies.pos[i, 0], bodies.pos[i, 1]
    thick = shapes.radius[s] + wall[6]
    middle = point_segment(x, y, wall[0], wall[1], wall[2], wall[3])
    if middle > shapes.reach[s] + wall[6]:
        return False
    core = np.empty((shapes.core.shape[1], 2), dtype=np.int64)
    n = place_core(shapes, s, x, y, bodies.facing[i], core)
    nearest = 1.0e18
    for k in range(n):
        m = k + 1 if k + 1 < n else 0
        nearest = min(
            nearest,
            segment_segment(core[k, 0], core[k, 1], core[m, 0], core[m, 1], wall[0], wall[1], wall[2], wall[3]),
        )
    end = np.empty((1, 2), dtype=np.int64)
    end[0, 0], end[0, 1] = wall[0], wall[1]
    # A wall that lies wholly inside the core crosses none of its sides.
    nearest = min(nearest, core_gap(core, n, end, 1))
    return nearest < thick + OVERLAP


@kernel
def _stands_in(bodies: Bodies, shapes: Shapes, i: int, outline: Ints, n: int, overhang: int) -> bool:
    """Whether an outline carries the model: the whole base, or only its middle."""
    if overhang != 0:
        return inside(float(bodies.pos[i, 0]), float(bodies.pos[i, 1]), outline, n)
    return wholly_in_area(bodies, shapes, i, outline, n)


@kernel
def _supported(scene: Scene, i: int) -> bool:
    """Whether something is under a model above the ground: a floor of its height, or the top of a feature."""
    bodies, shapes, terrain, overhang = scene.bodies, scene.shapes, scene.terrain, scene.clear.overhang
    z = bodies.pos[i, 2]
    for f in range(terrain.floor.shape[0]):
        level = terrain.floor_level[f, 0] == z
        if level and _stands_in(bodies, shapes, i, terrain.floor[f], terrain.floor_corners[f], overhang):
            return True
    for f in range(terrain.outline.shape[0]):
        level = terrain.top[f] == z
        if level and _stands_in(bodies, shapes, i, terrain.outline[f], terrain.corners[f], overhang):
            return True
    return False


@kernel
def _gap_to(scene: Scene, near: _Near, i: int, m: int) -> float:
    """The gap between model i and a near one of which one is not round; a round one needs no separating sides."""
    bodies, shapes, k = scene.bodies, scene.shapes, near.models[m]
    si, sk = bodies.shape[i], bodies.shape[k]
    n = shapes.corners[sk]
    if shapes.corners[si] > 1:
        own = shapes.corners[si]
        return core_gap(near.cores[1], own, near.cores[2 + m], n) - (shapes.radius[si] + shapes.radius[sk])
    x, y = float(bodies.pos[i, 0]), float(bodies.pos[i, 1])
    core = near.cores[2 + m]
    nearest = 1.0e36
    for c in range(n):
        d = c + 1 if c + 1 < n else 0
        nearest = min(nearest, point_segment2(x, y, core[c, 0], core[c, 1], core[d, 0], core[d, 1]))
    gap = math.sqrt(nearest)
    if inside(x, y, core, n):
        gap = -gap
    return gap - (shapes.radius[si] + shapes.radius[sk])


@kernel
def _meets_model(scene: Scene, near: _Near, i: int, m: int) -> bool:
    """Whether model i overlaps a near model or stands in its zone."""
    bodies, shapes, clear, k = scene.bodies, scene.shapes, scene.clear, near.models[m]
    zone = clear.zone[k] if scene.state[k] == OTHER else 0
    zi, zk = bodies.pos[i, 2], bodies.pos[k, 2]
    level = zi + shapes.height[bodies.shape[i]] > zk and zk + shapes.height[bodies.shape[k]] > zi
    body = level and (scene.state[k] == PLACED or clear.blocked[k] != 0)
    width = width_at(zone, clear.up, pair_rise(bodies, shapes, i, k)) if zone > 0 else -1.0
    if not body and width < 0.0:
        return False
    gap = _gap_to(scene, near, i, m)
    return (body and gap < OVERLAP) or (width >= 0.0 and gap <= width)


@bare
def _disc_is_free(near: _Near, wall: Ints, radius: int, x: int, y: int) -> bool:
    """Whether a round base is clear of the near round ones and of the near walls.

    Most questions are this one: it takes no turn through routines that must be handed everything.
    """
    discs = near.discs
    for m in range(near.length[0]):
        dx, dy = x - discs[m, 0], y - discs[m, 1]
        if dx * dx + dy * dy < discs[m, 2]:
            return False
    for m in range(near.length[2]):
        w = near.walls[m]
        if point_segment(x, y, wall[w, 0], wall[w, 1], wall[w, 2], wall[w, 3]) < radius + wall[w, 6] + OVERLAP:
            return False
    return True


@bare
def _put(cores: Ints, n: int, x: int, y: int) -> None:
    """Put the core of a model at a place."""
    for c in range(n):
        cores[1, c, 0], cores[1, c, 1] = cores[0, c, 0] + x, cores[0, c, 1] + y


@bare
def _disc_is_linked(near: _Near, x: int, y: int, wanted: int) -> bool:
    """Whether a round base is linked with so many round mates that have their place."""
    found = 0
    for m in range(near.length[4]):
        dx, dy = x - near.links[m, 0], y - near.links[m, 1]
        if dx * dx + dy * dy <= near.links[m, 2]:
            found += 1
            if found >= wanted:
                return True
    return False


@kernel
def _is_linked(near: _Near, corners: Ints, shape: Ints, own: int, x: int, y: int, wanted: int) -> bool:
    """Whether a model that was put at a place is linked with so many mates that have theirs."""
    found, links, first = 0, near.links, 2 + near.length[1]
    for m in range(near.length[4]):
        dx, dy = x - links[m, 0], y - links[m, 1]
        square = dx * dx + dy * dy
        if square > links[m, 2]:
            continue
        if square > links[m, 3]:
            n = corners[shape[links[m, 5]]]
            if core_gap(near.cores[1], own, near.cores[first + m], n) > links[m, 4]:
                continue
        found += 1
        if found >= wanted:
            return True
    return False


@kernel
def _free(scene: Scene, near: _Near, i: int) -> bool:
    """Whether model i may stand where it is."""
    bodies, shapes, terrain = scene.bodies, scene.shapes, scene.terrain
    is_round = shapes.corners[bodies.shape[i]] == 1
    # Most of them are out of reach; asking here saves handing the whole scene to another routine.
    pos, models, far = bodies.pos, near.models, near.far
    x, y = pos[i, 0], pos[i, 1]
    for m in range(near.length[1]):
        dx, dy = pos[models[m], 0] - x, pos[models[m], 1] - y
        square = dx * dx + dy * dy
        if square < far[m, 1] or (square <= far[m, 0] and _meets_model(scene, near, i, m)):
            return False
    for m in range(0 if is_round else near.length[2]):
        if _in_wall(bodies, shapes, i, terrain.wall[near.walls[m]]):
            return False
    for m in range(near.length[3]):
        f = near.solids[m]
        if area_gap(bodies, shapes, i, terrain.outline[f], terrain.corners[f]) < OVERLAP:
            return False
    corners = scene.clear.area.shape[0]
    if corners > 2 and not wholly_in_area(bodies, shapes, i, scene.clear.area, corners):
        return False
    return pos[i, 2] == 0 or _supported(scene, i)


@bare
def _round_links(bodies: Bodies, shapes: Shapes, rule: Coherency, state: Ints, mates: Ints, i: int) -> int:
    """With how many round models of its unit that have their place a round model is linked; -1: not all are round."""
    pos, shape = bodies.pos, bodies.shape
    radius = shapes.radius[shape[i]]
    found = 0
    for m in range(mates.shape[0]):
        k = mates[m]
        if shapes.corners[shape[k]] != 1:
            return -1
        if k == i or state[k] == WAITING:
            continue
        dx, dy = float(pos[i, 0] - pos[k, 0]), float(pos[i, 1] - pos[k, 1])
        gap = math.sqrt(dx * dx + dy * dy) - (radius + shapes.radius[shape[k]])
        if gap <= rule.reach:
            width = width_at(rule.reach, rule.vertical, pair_rise(bodies, shapes, i, k))
            if width >= 0.0 and gap <= width:
                found += 1
    return found


@kernel
def links_of(scene: Scene, i: int) -> int:
    """With how many models of its unit that have their place model i is linked."""
    bodies, shapes, rule = scene.bodies, scene.shapes, scene.rule
    found = -1
    if shapes.corners[bodies.shape[i]] == 1:
        found = _round_links(bodies, shapes, rule, scene.state, scene.mates, i)
    if found >= 0:
        return found
    found = 0
    for m in range(scene.mates.shape[0]):
        k = scene.mates[m]
        if k == i or scene.state[k] == WAITING:
            continue
        far = rule.reach + shapes.reach[bodies.shape[i]] + shapes.reach[bodies.shape[k]] + 1
        dx, dy = bodies.pos[i, 0] - bodies.pos[k, 0], bodies.pos[i, 1] - bodies.pos[k, 1]
        if dx * dx + dy * dy > far * far:
            continue
        width = width_at(rule.reach, rule.vertical, pair_rise(bodies, shapes, i, k))
        if width >= 0.0 and pair_gap(bodies, shapes, i, k) <= width:
            found += 1
    return found


@kernel
def lacking_links(scene: Scene) -> int:
    """How many models of the unit keep it from being coherent."""
    return lacking(scene.bodies, scene.shapes, scene.mates, scene.rule)


@kernel
def first_free(
    scene: Scene, i: int, places: Ints, number: int, start: Ints, allowance: int, wanted: int, most_lacking: int
) -> int:
    """Put model i on the first of the places that it may have and return which; -1: none, and it is back at its start.

    It may have a place that is within its allowance, free, linked with `wanted` models that have theirs, and, unless
    `most_lacking` is below 0, leaves at most so many models of the unit without their links.
    """
    bodies, shapes, rule, mates = scene.bodies, scene.shapes, scene.rule, scene.mates
    if number > 0:
        x, y, radius = _circle_around(places, number)
        near = _look_around(scene, i, x, y, radius)
        own, corners = shapes.radius[bodies.shape[i]], shapes.corners[bodies.shape[i]]
        is_round, by_circles = corners == 1, near.length[5] == 0
        left, front, right, back = near.box[0], near.box[1], near.box[2], near.box[3]
        at, joined = -1, np.empty((0, 0), dtype=np.bool_)
        for p in range(number):
            if p > 0 and scene.budget[0] <= 0:
                break
            x, y = places[p, 0], places[p, 1]
            if not within_move(x, y, start[0], start[1], allowance):
                continue
            scene.budget[0] -= 1
            if x < left or y < front or x > right or y > back:
                continue
            # Links are the cheaper question.
            if wanted > 0 and by_circles and not _disc_is_linked(near, x, y, wanted):
                continue
            if not (is_round and by_circles):
                _put(near.cores, corners, x, y)
            unsure = wanted > 0 and not by_circles
            if unsure and not _is_linked(near, shapes.corners, bodies.shape, corners, x, y, wanted):
                continue
            if is_round and not _disc_is_free(near, scene.terrain.wall, own, x, y):
                continue
            bodies.pos[i, 0], bodies.pos[i, 1] = x, y
            if not _free(scene, near, i):
                continue
            if most_lacking < 0:
                return p
            # Looking at the whole unit costs as much as looking at several places.
            scene.budget[0] -= mates.shape[0]
            if mates.shape[0] < 2 or rule.reach < 0:
                return p
            if rule.spread >= 0:
                if lacking(bodies, shapes, mates, rule) <= most_lacking:
                    return p
                continue
            # Only this model moves: the links of the others are looked up once.
            if at < 0:
                joined = links(bodies, shapes, mates, mates, rule.reach, rule.vertical)
                at = int(np.argmax(mates == i))
            else:
                rejoin(bodies, shapes, mates, rule.reach, rule.vertical, at, joined)
            if unlinked(joined, rule.neighbours, rule.one_group) <= most_lacking:
                return p
    bodies.pos[i, 0], bodies.pos[i, 1] = start[0], start[1]
    return -1


@kernel
def _circle_around(places: Ints, number: int) -> tuple[int, int, int]:
    """A circle that holds all places."""
    left, right, low, high = places[0, 0], places[0, 0], places[0, 1], places[0, 1]
    for p in range(number):
        left, right = min(left, places[p, 0]), max(right, places[p, 0])
        low, high = min(low, places[p, 1]), max(high, places[p, 1])
    dx, dy = float(right - left), float(high - low)
    return (left + right) // 2, (low + high) // 2, math.ceil(math.sqrt(dx * dx + dy * dy) / 2.0) + 1


@kernel
def within_move(x: int, y: int, sx: int, sy: int, allowance: int) -> bool:
    """Whether a place is no further from the start than the allowance."""
    dx, dy = x - sx, y - sy
    return allowance >= FAR or dx * dx + dy * dy <= allowance * allowance


@kernel
def clamp_move(sx: int, sy: int, x: int, y: int, allowance: int) -> tuple[int, int]:
    """The place itself, or the last one on the straight way there that the allowance permits."""
    if within_move(x, y, sx, sy, allowance):
        return x, y
    dx, dy = x - sx, y - sy
    share = allowance / math.sqrt(float(dx * dx + dy * dy))
    # Cutting towards the start keeps the rounded place within the allowance.
    cx, cy = sx + int(dx * share), sy + int(dy * share)
    while not within_move(cx, cy, sx, sy, allowance):
        cx -= 1 if cx > sx else (-1 if cx < sx else 0)
        cy -= 1 if cy > sy else (-1 if cy < sy else 0)
    return cx, cy
