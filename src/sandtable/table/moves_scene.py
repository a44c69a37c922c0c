"""The scene of a move: what the rules system lets stand in the way, and what a base meets there."""

from __future__ import annotations

import math
from enum import IntEnum
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sandtable.kernels import bare, kernel
from sandtable.table.cores import core_gap, place_core
from sandtable.table.grid import OVERLAP, STEP, Ints
from sandtable.table.layout import Terrain
from sandtable.table.measure import core_edge_gap, inside, width_at
from sandtable.table.shapes import MAX_CORE, Bodies, Shapes
from sandtable.table.zones import NO_ZONE, Ball, Zone, widths

Flags: TypeAlias = NDArray[np.uint8]

MIDDLE: Final = 0
"""A model stands where the middle of its base is on a surface."""
WHOLE: Final = 1
"""A model stands where its whole base is on a surface."""

CLOSED: Final = 2
"""A feature that nobody enters, solid or not, at any height"""

SKY: Final = 1 << 40

CLING: Final = STEP // 4
"""How near to what it walks or climbs along a base stays, unless the rules system says otherwise."""


class Code(IntEnum):
    """What is wrong with a move."""

    OK = 0
    LEG = 1
    """A leg changes what its kind may not change."""
    EDGE = 2
    MODEL = 3
    ZONE = 4
    WALL = 5
    SOLID = 6
    FLOOR = 7
    AIR = 8
    """Nothing to walk on or to climb along."""
    END_MODEL = 9
    END_ZONE = 10
    END_WALL = 11
    END_SOLID = 12
    END_CEILING = 13
    END_FLOOR = 14
    """No ground under the base."""


# Kernels know the codes as plain numbers; the tables go by what a thing is: model, wall, solid, floor.
OK: Final = int(Code.OK)
_EDGE: Final = int(Code.EDGE)
_ZONED: Final = int(Code.ZONE)
_END_ZONED: Final = int(Code.END_ZONE)
_BLOCKED_BY: Final = (int(Code.MODEL), int(Code.WALL), int(Code.SOLID), int(Code.FLOOR))
_ENDS_ON: Final = (int(Code.END_MODEL), int(Code.END_WALL), int(Code.END_SOLID), int(Code.END_CEILING))


class Obstacles(NamedTuple):
    """What stands in the way of a move, as the rules system sees it. Make it with `obstacles`."""

    pass_block: Flags
    """[model] may not be moved through"""
    end_block: Flags
    """[model] may not be ended on"""
    zone: Ints
    """[model] may not be approached to this gap on the way; a zone that the mover stands in may be left; 0: none"""
    zone_up: int
    """These zones' reach up and down; IN_SPACE: they are balls"""
    end_zone: Ints
    """[model] the move may not end within this gap; 0: none"""
    end_up: int
    """The same for these zones"""
    wall_blocks: Flags
    """[wall] may not be moved through"""
    end_wall: Flags
    """[wall] may not be ended on"""
    solid_blocks: Flags
    """[feature] may not be moved through, if it is solid; CLOSED: not even touched, solid or not, at any height"""
    end_solid: Flags
    """[feature] may not be ended in, if it is solid"""
    floor_blocks: Flags
    """[floor] may not be moved or stood through"""
    free_height: Ints
    """[feature] its walls and solid that are no higher than this above the mover are moved over as if not there"""
    edge: int
    """1: the base stays on the table"""
    fly: int
    """1: moves through the air, past models, walls, solids and floors; zones still count"""
    grounded: int
    """1: above the ground, every leg needs something to walk on or to climb along"""
    overhang: int
    """Where a move may end: MIDDLE or WHOLE"""
    cling: int
    """A model walks or climbs along what its base is this near to"""
    in_order: int
    """1: models of one unit go one after the other, and meet each other as they meet anybody"""


def obstacles(
    models: int,
    terrain: Terrain,
    *,
    pass_block: Any = 0,
    end_block: Any = 0,
    zone: Zone | Ball = NO_ZONE,
    zoned: Any = 0,
    end_zone: Zone | Ball = NO_ZONE,
    end_zoned: Any = 0,
    wall_blocks: Any = 1,
    end_wall: Any = 1,
    solid_blocks: Any = 1,
    end_solid: Any = 1,
    floor_blocks: Any = 1,
    free_height: Any = 0,
    edge: bool = True,
    fly: bool = False,
    grounded: bool = True,
    overhang: int = MIDDLE,
    cling: int = CLING,
    in_order: bool = False,
) -> Obstacles:
    """Obstacles for so many models on this terrain; each argument is one number for all, or an array.

    Models that are `zoned` have a zone around them on the way, those that are `end_zoned` one at the end.
    """
    walls, features, floors = terrain.wall.shape[0], terrain.corners.shape[0], terrain.floor_corners.shape[0]

    def fill(value: Any, n: int, kind: type[np.generic]) -> NDArray[Any]:
        # A copy of its own: a kernel is compiled anew for an array that cannot be written to.
        found = np.empty(n, dtype=kind)
        found[:] = value
        return found

    return Obstacles(
        pass_block=fill(pass_block, models, np.uint8),
        end_block=fill(end_block, models, np.uint8),
        zone=widths(zone, models, zoned),
        zone_up=int(zone.up),
        end_zone=widths(end_zone, models, end_zoned),
        end_up=int(end_zone.up),
        wall_blocks=fill(wall_blocks, walls, np.uint8),
        end_wall=fill(end_wall, walls, np.uint8),
        solid_blocks=fill(solid_blocks, features, np.uint8),
        end_solid=fill(end_solid, features, np.uint8),
        floor_blocks=fill(floor_blocks, floors, np.uint8),
        free_height=fill(free_height, features, np.int64),
        edge=int(edge),
        fly=int(fly),
        grounded=int(grounded),
        overhang=int(overhang),
        cling=int(cling),
        in_order=int(in_order),
    )


AS_MODEL: Final = 0
AS_WALL: Final = 1
AS_SOLID: Final = 2
AS_FLOOR: Final = 3

# Columns of `Scene.things`: what it is and its number, the heights it fills and those it is measured to, its radius,
# what it forbids, the first of its points and how many, and the box that it may matter in.
KIND: Final = 0
WHAT: Final = 1
LOW: Final = 2
TOP: Final = 3
MEASURED: Final = 4
RADIUS: Final = 5
PASS: Final = 6
END: Final = 7
ZONE: Final = 8
END_ZONE: Final = 9
FREE: Final = 10
FIRST: Final = 11
CORNERS: Final = 12
BOX: Final = 13
COLUMNS: Final = 17

# Columns of its row 0, the facts.
THINGS: Final = 0
POINTS: Final = 1
EDGED: Final = 2
FLYING: Final = 3
UP: Final = 4
WIDTH: Final = 5
DEPTH: Final = 6
OWN_CORNERS: Final = 7
OWN_RADIUS: Final = 8
OWN_TALL: Final = 9
OWN_THICK: Final = 10
END_UP: Final = 11
NEAR_ENOUGH: Final = 12


# Parts of `Scene.points`: the mover's core around its middle, turned; its core where a leg began; what it sweeps; spare
# room; and then the corners of the things.
CORE: Final = MAX_CORE
SWEPT: Final = 2 * MAX_CORE
SPARE: Final = 3 * MAX_CORE + 8
CORNER: Final = 4 * MAX_CORE + 16


class Scene(NamedTuple):
    """What a mover may meet, picked out and put in place once, so that many legs and places can be tried.

    Kernels pass on these two arrays instead of all those of the table: to hand over an array costs as much as a test.
    """

    things: Ints
    """[thing, column]; row 0 holds the facts about mover and table"""
    points: Ints
    """[point, x or y]"""


@kernel
def make_scene(bodies: Bodies, shapes: Shapes, terrain: Terrain) -> Scene:
    """Room for a scene on this table."""
    rows = 1 + bodies.shape.shape[0] + terrain.wall.shape[0]
    points = CORNER + 2 * terrain.wall.shape[0]
    for k in range(bodies.shape.shape[0]):
        points += shapes.corners[bodies.shape[k]]
    for f in range(terrain.corners.shape[0]):
        rows += 1
        points += terrain.corners[f]
    for f in range(terrain.floor_corners.shape[0]):
        rows += 1
        points += terrain.floor_corners[f]
    scene = Scene(np.empty((rows, COLUMNS), dtype=np.int64), np.empty((points, 2), dtype=np.int64))
    scene.things[0] = 0
    return scene


@kernel
def turn_mover(shapes: Shapes, shape: int, facing: int, scene: Scene) -> None:
    """Make a base the mover of a scene, with this facing."""
    facts = scene.things[0]
    facts[OWN_CORNERS] = place_core(shapes, shape, 0, 0, facing, scene.points)
    facts[OWN_RADIUS] = shapes.radius[shape]
    facts[OWN_TALL] = shapes.height[shape]
    facts[OWN_THICK] = shapes.thick[shape]


@kernel
def grow_box(box: Ints, x: int, y: int, reach: int) -> None:
    """Let a box hold a base of this reach at a point."""
    box[0], box[1] = min(box[0], x - reach), min(box[1], y - reach)
    box[2], box[3] = max(box[2], x + reach), max(box[3], y + reach)


@kernel
def gather(
    bodies: Bodies, shapes: Shapes, terrain: Terrain, obstacles: Obstacles, own: Flags, box: Ints, scene: Scene
) -> None:
    """Put what lies near a box (low x, low y, high x, high y) into a scene; models marked in `own` are left out."""
    facts = scene.things[0]
    facts[THINGS], facts[POINTS] = 1, CORNER
    facts[EDGED], facts[FLYING], facts[NEAR_ENOUGH] = obstacles.edge, obstacles.fly, obstacles.cling
    facts[UP], facts[END_UP] = obstacles.zone_up, obstacles.end_up
    facts[WIDTH], facts[DEPTH] = terrain.size[0], terrain.size[1]
    _gather_models(bodies, shapes, obstacles, own, box, scene)
    _gather_walls(terrain, obstacles, box, scene)
    for f in range(terrain.corners.shape[0]):
        closed = obstacles.solid_blocks[f] == CLOSED
        if closed or (terrain.solid[f] != 0 and (obstacles.solid_blocks[f] != 0 or obstacles.end_solid[f] != 0)):
            row = _add_area(scene, box, AS_SOLID, f, terrain.outline[f], terrain.corners[f])
            if row >= 0:
                thing = scene.things[row]
                thing[LOW], thing[TOP] = terrain.bottom[f], terrain.top[f]
                thing[PASS], thing[END] = obstacles.solid_blocks[f], obstacles.end_solid[f]
                thing[FREE] = obstacles.free_height[f]
                if closed:
                    thing[LOW], thing[TOP], thing[END], thing[FREE] = -SKY, SKY, 1, -1
    for f in range(terrain.floor_corners.shape[0]):
        if obstacles.floor_blocks[f] != 0:
            row = _add_area(scene, box, AS_FLOOR, f, terrain.floor[f], terrain.floor_corners[f])
            if row >= 0:
                thing = scene.things[row]
                thing[TOP] = terrain.floor_level[f, 0]
                thing[LOW] = thing[TOP] - terrain.floor_level[f, 1]
                thing[PASS], thing[END], thing[FREE] = 1, 1, -1


@kernel
def _gather_models(bodies: Bodies, shapes: Shapes, obstacles: Obstacles, own: Flags, box: Ints, scene: Scene) -> None:
    """Put the models near a box into a scene."""
    things, points = scene.things, scene.points
    facts = things[0]
    pos, shape_of, reach_of = bodies.pos, bodies.shape, shapes.reach
    pass_block, end_block, zones, end_zones = (
        obstacles.pass_block,
        obstacles.end_block,
        obstacles.zone,
        obstacles.end_zone,
    )
    lx, ly, hx, hy = box[0], box[1], box[2], box[3]
    n, p = facts[THINGS], facts[POINTS]
    for k in range(shape_of.shape[0]):
        s = shape_of[k]
        x, y = pos[k, 0], pos[k, 1]
        zone = max(zones[k], end_zones[k])
        far = reach_of[s] + zone + 1
        if x + far < lx or x - far > hx or y + far < ly or y - far > hy or own[k] != 0:
            continue
        if pass_block[k] == 0 and end_block[k] == 0 and zone == 0:
            continue
        z = pos[k, 2]
        thing = things[n]
        thing[KIND], thing[WHAT] = AS_MODEL, k
        thing[LOW], thing[TOP], thing[MEASURED] = z, z + shapes.height[s], z + shapes.thick[s]
        thing[RADIUS] = shapes.radius[s]
        thing[PASS], thing[END] = pass_block[k], end_block[k]
        thing[ZONE], thing[END_ZONE], thing[FREE] = zones[k], end_zones[k], -1
        thing[FIRST] = p
        thing[CORNERS] = place_core(shapes, s, x, y, bodies.facing[k], points[p:])
        thing[BOX], thing[BOX + 1], thing[BOX + 2], thing[BOX + 3] = x - far, y - far, x + far, y + far
        p += thing[CORNERS]
        n += 1
    facts[THINGS], facts[POINTS] = n, p


@kernel
def add_mate(bodies: Bodies, shapes: Shapes, obstacles: Obstacles, k: int, place: Ints, scene: Scene) -> None:
    """Put a model of the mover's own unit into a scene, at a place (x, y, z, facing), as what it is to others."""
    row, first, s = scene.things[0, THINGS], scene.things[0, POINTS], bodies.shape[k]
    thing, far = scene.things[row], shapes.reach[s] + 1
    thing[KIND], thing[WHAT], thing[RADIUS] = AS_MODEL, k, shapes.radius[s]
    thing[LOW], thing[TOP], thing[MEASURED] = place[2], place[2] + shapes.height[s], place[2] + shapes.thick[s]
    thing[PASS], thing[END] = obstacles.pass_block[k], obstacles.end_block[k]
    thing[ZONE], thing[END_ZONE], thing[FREE] = 0, 0, -1
    thing[FIRST] = first
    thing[CORNERS] = place_core(shapes, s, place[0], place[1], place[3], scene.points[first:])
    thing[BOX], thing[BOX + 1], thing[BOX + 2] = place[0] - far, place[1] - far, place[0] + far
    thing[BOX + 3] = place[1] + far
    scene.things[0, THINGS], scene.things[0, POINTS] = row + 1, first + thing[CORNERS]


@kernel
def _gather_walls(terrain: Terrain, obstacles: Obstacles, box: Ints, scene: Scene) -> None:
    """Put the walls near a box into a scene."""
    things, points, wall = scene.things, scene.points, terrain.wall
    facts = things[0]
    wall_blocks, end_wall = obstacles.wall_blocks, obstacles.end_wall
    n, p = facts[THINGS], facts[POINTS]
    for w in range(wall.shape[0]):
        far = wall[w, 6] + 1
        lx, hx = min(wall[w, 0], wall[w, 2]) - far, max(wall[w, 0], wall[w, 2]) + far
        ly, hy = min(wall[w, 1], wall[w, 3]) - far, max(wall[w, 1], wall[w, 3]) + far
        if hx < box[0] or lx > box[2] or hy < box[1] or ly > box[3] or (wall_blocks[w] == 0 and end_wall[w] == 0):
            continue
        thing = things[n]
        thing[KIND], thing[WHAT] = AS_WALL, w
        thing[LOW], thing[TOP], thing[MEASURED] = wall[w, 4], wall[w, 5], wall[w, 5]
        thing[RADIUS] = wall[w, 6]
        thing[PASS], thing[END] = wall_blocks[w], end_wall[w]
        thing[ZONE], thing[END_ZONE], thing[FREE] = 0, 0, obstacles.free_height[wall[w, 7]]
        thing[FIRST], thing[CORNERS] = p, 2
        thing[BOX], thing[BOX + 1], thing[BOX + 2], thing[BOX + 3] = lx, ly, hx, hy
        points[p, 0], points[p, 1], points[p + 1, 0], points[p + 1, 1] = wall[w, 0], wall[w, 1], wall[w, 2], wall[w, 3]
        p += 2
        n += 1
    facts[THINGS], facts[POINTS] = n, p


@bare
def _box(outline: Ints, corners: int, margin: int) -> tuple[int, int, int, int]:
    """The box around an outline and its margin: low x, low y, high x, high y."""
    lx, ly, hx, hy = outline[0, 0], outline[0, 1], outline[0, 0], outline[0, 1]
    for i in range(1, corners):
        lx, hx = min(lx, outline[i, 0]), max(hx, outline[i, 0])
        ly, hy = min(ly, outline[i, 1]), max(hy, outline[i, 1])
    return lx - margin, ly - margin, hx + margin, hy + margin


@kernel
def _add_area(scene: Scene, box: Ints, kind: int, what: int, outline: Ints, corners: int) -> int:
    """Put an area into a scene if it is near the box; return its row, or -1."""
    lx, ly, hx, hy = _box(outline, corners, 1)
    if hx < box[0] or lx > box[2] or hy < box[1] or ly > box[3]:
        return -1
    row, first = scene.things[0, THINGS], scene.things[0, POINTS]
    thing = scene.things[row]
    thing[KIND], thing[WHAT], thing[RADIUS], thing[MEASURED] = kind, what, 0, 0
    thing[ZONE], thing[END_ZONE] = 0, 0
    thing[FIRST], thing[CORNERS] = first, corners
    thing[BOX], thing[BOX + 1], thing[BOX + 2], thing[BOX + 3] = lx, ly, hx, hy
    for i in range(corners):
        scene.points[first + i, 0], scene.points[first + i, 1] = outline[i, 0], outline[i, 1]
    scene.things[0, THINGS], scene.things[0, POINTS] = row + 1, first + corners
    return row


# --- What a base meets -----------------------------------------------------------------------------------------------


@bare
def sweep_core(base: Ints, n: int, x: int, y: int, dx: int, dy: int, out: Ints) -> int:
    """Write what a core at a place covers while it is shifted into `out`, convex; return how many corners that has."""
    if dx == 0 and dy == 0:
        for i in range(n):
            out[i, 0], out[i, 1] = base[i, 0] + x, base[i, 1] + y
        return n
    if n == 1:
        out[0, 0], out[0, 1] = base[0, 0] + x, base[0, 1] + y
        out[1, 0], out[1, 1] = out[0, 0] + dx, out[0, 1] + dy
        return 2
    left, right = 0, 0
    most, least = dx * base[0, 1] - dy * base[0, 0], dx * base[0, 1] - dy * base[0, 0]
    for i in range(1, n):
        side = dx * base[i, 1] - dy * base[i, 0]
        if side > most:
            left, most = i, side
        if side < least:
            right, least = i, side
    out[0, 0], out[0, 1] = base[right, 0] + x, base[right, 1] + y
    m, i = 1, right
    while True:
        out[m, 0], out[m, 1] = base[i, 0] + x + dx, base[i, 1] + y + dy
        m += 1
        if i == left:
            break
        i = i + 1 if i + 1 < n else 0
    while i != right:
        out[m, 0], out[m, 1] = base[i, 0] + x, base[i, 1] + y
        m += 1
        i = i + 1 if i + 1 < n else 0
    return m


@bare
def area_overlap(core: Ints, n: int, radius: int, outline: Ints, m: int, spare: Ints) -> bool:
    """Whether a core with its radius overlaps an area by more than the tolerance of the grid."""
    if radius > 0:
        if core_edge_gap(core, n, outline, m) - radius < OVERLAP:
            return True
        return inside(float(core[0, 0]), float(core[0, 1]), outline, m) or (
            n > 2 and inside(float(outline[0, 0]), float(outline[0, 1]), core, n)
        )
    # A hull has no radius to take the tolerance from, so it is made smaller by it.
    _shrink(core, n, spare)
    return (
        core_edge_gap(spare, n, outline, m) <= 0.0
        or inside(float(spare[0, 0]), float(spare[0, 1]), outline, m)
        or inside(float(outline[0, 0]), float(outline[0, 1]), spare, n)
    )


@bare
def _shrink(core: Ints, n: int, out: Ints) -> None:
    """Draw the corners of a core towards its middle, so that its nearest side comes in by two steps."""
    mx, my = 0, 0
    for i in range(n):
        mx += core[i, 0]
        my += core[i, 1]
    mx, my = mx // n, my // n
    narrow = 1.0e18
    for i in range(n):
        j = i + 1 if i + 1 < n else 0
        nx, ny = core[j, 1] - core[i, 1], core[i, 0] - core[j, 0]
        if nx != 0 or ny != 0:
            away = ((core[i, 0] - mx) * nx + (core[i, 1] - my) * ny) / math.sqrt(nx * nx + ny * ny)
            narrow = min(narrow, away)
    keep = 1.0 - 2.0 / max(narrow, 2.0)
    for i in range(n):
        out[i, 0] = mx + math.floor((core[i, 0] - mx) * keep + 0.5)
        out[i, 1] = my + math.floor((core[i, 1] - my) * keep + 0.5)


@kernel
def _meets(scene: Scene, row: int, core: Ints, n: int) -> bool:
    """Whether the mover, with its core so, overlaps a wall, solid or floor in plan."""
    thing, radius = scene.things[row], scene.things[0, OWN_RADIUS]
    points = scene.points[thing[FIRST] :]
    if thing[KIND] == AS_WALL:
        return core_gap(core, n, points, 2) - (radius + thing[RADIUS]) < OVERLAP
    return area_overlap(core, n, radius, points, thing[CORNERS], scene.points[SPARE:])


@kernel
def _gap_to(scene: Scene, row: int, core: Ints, n: int) -> float:
    """Gap between the mover, with its core so, and a model."""
    thing = scene.things[row]
    points = scene.points[thing[FIRST] :]
    return core_gap(core, n, points, thing[CORNERS]) - (scene.things[0, OWN_RADIUS] + thing[RADIUS])


@kernel
def clash(scene: Scene, z: int, m: int, low: int, high: int) -> tuple[int, int]:
    """What the mover meets on a piece of its way: a code, and the model, wall, feature or floor.

    CORE in the scene's points is its core where the leg began, at height z; SWEPT (m corners) is what its core covers,
    its underside between low and high: a slope is taken to be at all its heights everywhere. What it already overlapped
    may be left: a model not deeper, terrain any way.
    """
    things, swept, core = scene.things, scene.points[SWEPT:], scene.points[CORE:]
    facts = things[0]
    radius, tall, thick = facts[OWN_RADIUS], facts[OWN_TALL], facts[OWN_THICK]
    flying, up, n = facts[FLYING] != 0, facts[UP], facts[OWN_CORNERS]
    lx, ly, hx, hy = _box(swept, m, radius)
    for row in range(1, facts[THINGS]):
        if things[row, BOX] > hx or things[row, BOX + 2] < lx or things[row, BOX + 1] > hy or things[row, BOX + 3] < ly:
            continue
        bottom, top, zone = things[row, LOW], things[row, TOP], things[row, ZONE]
        blocks = (
            things[row, PASS] != 0
            and not flying
            and bottom < high + tall
            and top > low
            and top - low > things[row, FREE]
        )
        stuck = bottom < z + tall and top > z
        if things[row, KIND] != AS_MODEL:
            if blocks and _meets(scene, row, swept, m) and not (stuck and _meets(scene, row, core, n)):
                return _BLOCKED_BY[things[row, KIND]], things[row, WHAT]
            continue
        measured, width = things[row, MEASURED], -1.0
        if zone > 0:
            width = width_at(zone, up, max(0, max(bottom - (high + thick), low - measured)))
        if not blocks and width < 0.0:
            continue
        gap = _gap_to(scene, row, swept, m)
        if blocks and gap < OVERLAP:
            before = _gap_to(scene, row, core, n)
            if not stuck or before >= OVERLAP or gap < before - 1.0:
                return _BLOCKED_BY[AS_MODEL], things[row, WHAT]
        if width >= 0.0 and gap <= width:
            width = width_at(zone, up, max(0, max(bottom - (z + thick), z - measured)))
            if width < 0.0 or _gap_to(scene, row, core, n) > width:
                return _ZONED, things[row, WHAT]
    return OK, -1


@kernel
def off_table(scene: Scene, core: Ints, n: int) -> bool:
    """Whether the mover, with its core so, is partly off a table whose edge counts."""
    facts = scene.things[0]
    if facts[EDGED] == 0:
        return False
    lx, ly, hx, hy = _box(core, n, facts[OWN_RADIUS])
    return lx < 0 or ly < 0 or hx > facts[WIDTH] or hy > facts[DEPTH]


@kernel
def go_offence(scene: Scene, x: int, y: int, z: int, tx: int, ty: int, tz: int) -> tuple[int, int]:
    """What is wrong with one straight or climbing leg of the mover, not looking at the ground under it."""
    base, n = scene.points, scene.things[0, OWN_CORNERS]
    sweep_core(base, n, tx, ty, 0, 0, scene.points[CORE:])
    if off_table(scene, scene.points[CORE:], n):
        return _EDGE, -1
    sweep_core(base, n, x, y, 0, 0, scene.points[CORE:])
    m = sweep_core(base, n, x, y, tx - x, ty - y, scene.points[SWEPT:])
    return clash(scene, z, m, min(z, tz), max(z, tz))


@bare
def end_width(scene: Scene, row: int, level: int) -> float:
    """How wide the zone of a thing is in which the mover may not end on a level; below 0: there is none."""
    zone, facts = scene.things[row, END_ZONE], scene.things[0]
    if zone <= 0:
        return -1.0
    above = scene.things[row, LOW] - (level + facts[OWN_THICK])
    return width_at(zone, facts[END_UP], max(0, max(above, level - scene.things[row, MEASURED])))


@kernel
def place_offence(scene: Scene, x: int, y: int, z: int) -> tuple[int, int]:
    """What is wrong with the mover ending there, not looking at the ground under it."""
    things, core = scene.things, scene.points[CORE:]
    facts = things[0]
    n, radius, tall, thick = facts[OWN_CORNERS], facts[OWN_RADIUS], facts[OWN_TALL], facts[OWN_THICK]
    sweep_core(scene.points, n, x, y, 0, 0, core)
    if off_table(scene, core, n):
        return _EDGE, -1
    lx, ly, hx, hy = _box(core, n, radius)
    for row in range(1, facts[THINGS]):
        if things[row, BOX] > hx or things[row, BOX + 2] < lx or things[row, BOX + 1] > hy or things[row, BOX + 3] < ly:
            continue
        bottom, top, zone, kind = things[row, LOW], things[row, TOP], things[row, END_ZONE], things[row, KIND]
        forbids = things[row, END] != 0 and bottom < z + tall and top > z
        if kind != AS_MODEL:
            if forbids and _meets(scene, row, core, n):
                return _ENDS_ON[kind], things[row, WHAT]
            continue
        width = -1.0
        if zone > 0:
            width = width_at(zone, facts[END_UP], max(0, max(bottom - (z + thick), z - things[row, MEASURED])))
        if forbids or width >= 0.0:
            gap = _gap_to(scene, row, core, n)
            if forbids and gap < OVERLAP:
                return _ENDS_ON[AS_MODEL], things[row, WHAT]
            if width >= 0.0 and gap <= width:
                return _END_ZONED, things[row, WHAT]
    return OK, -1
