"""Paths through the air: straight legs in space that lead over walls and solid parts, not through them.

A leg may be slanted. What it meets in plan matters only as far as the underside of the mover is then below its top, and
its head above its bottom: how high the mover is where it first and last meets a thing decides.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from sandtable.kernels import kernel
from sandtable.table.grid import STEP, Ints
from sandtable.table.layout import Terrain
from sandtable.table.measure import inside
from sandtable.table.moves import straight
from sandtable.table.moves_scene import (
    AS_FLOOR,
    AS_SOLID,
    AS_WALL,
    CORE,
    FREE,
    KIND,
    LOW,
    OWN_CORNERS,
    OWN_TALL,
    PASS,
    SWEPT,
    THINGS,
    TOP,
    WHAT,
    Code,
    Obstacles,
    Scene,
    _meets,
    gather,
    grow_box,
    make_scene,
    obstacles,
    sweep_core,
    turn_mover,
)
from sandtable.table.shapes import Bodies, Shapes

_CODES: Final = (0, int(Code.WALL), int(Code.SOLID), int(Code.FLOOR))


class Met(NamedTuple):
    """What a leg through the air is stopped by."""

    code: Code
    what: int
    """The wall, feature or floor."""
    leg: int
    first: int
    """So many parts of the leg, of `parts`, lie before the mover first meets it..."""
    last: int
    """...and so many before it meets it for the last time."""
    parts: int
    top: int
    """How high one has to be to pass above it."""


def met_in_the_air(
    bodies: Bodies, shapes: Shapes, terrain: Terrain, model: int, legs: Ints, blocks: Obstacles
) -> Met | None:
    """The first thing that a path through the air is stopped by; None where its way is free."""
    found = meets_in_the_air(bodies, shapes, terrain, model, legs, blocks)
    if found[0] == 0:
        return None
    code, what, leg, first, last, parts, top = found.tolist()
    return Met(Code(code), what, leg, first, last, parts, top)


@kernel
def meets_in_the_air(
    bodies: Bodies, shapes: Shapes, terrain: Terrain, model: int, legs: Ints, blocks: Obstacles
) -> Ints:
    """The same as numbers, in the order of `Met`; all 0 where the way is free."""
    none = np.zeros(7, dtype=np.int64)
    if terrain.corners.shape[0] == 0:
        return none
    shape = bodies.shape[model]
    x, y, z, facing = bodies.pos[model, 0], bodies.pos[model, 1], bodies.pos[model, 2], bodies.facing[model]
    box = np.array([1 << 60, 1 << 60, -(1 << 60), -(1 << 60)], dtype=np.int64)
    grow_box(box, x, y, shapes.reach[shape])
    for i in range(legs.shape[0]):
        grow_box(box, legs[i, 1], legs[i, 2], shapes.reach[shape])
    own = np.zeros(bodies.shape.shape[0], dtype=np.uint8)
    own[model] = 1
    scene = make_scene(bodies, shapes, terrain)
    gather(bodies, shapes, terrain, blocks, own, box, scene)
    turn_mover(shapes, shape, facing, scene)
    for i in range(legs.shape[0]):
        tx, ty, tz = legs[i, 1], legs[i, 2], legs[i, 3]
        if legs[i, 4] != facing:
            facing = legs[i, 4]
            turn_mover(shapes, shape, facing, scene)
        found = _meets_on_leg(terrain, scene, x, y, z, tx, ty, tz)
        if found[0] != 0:
            found[2] = i
            return found
        x, y, z = tx, ty, tz
    return none


@kernel
def _meets_on_leg(terrain: Terrain, scene: Scene, x: int, y: int, z: int, tx: int, ty: int, tz: int) -> Ints:
    """The thing on a leg that the mover meets first, if any stops it."""
    out = np.zeros(7, dtype=np.int64)
    facts = scene.things[0]
    n, tall = facts[OWN_CORNERS], facts[OWN_TALL]
    dx, dy = tx - x, ty - y
    parts = max(abs(dx), abs(dy))
    low, high = min(z, tz), max(z, tz)
    for row in range(1, facts[THINGS]):
        thing = scene.things[row]
        bottom, top = thing[LOW], thing[TOP]
        # What is low itself is no obstacle; what is high is passed above, however little of it is left.
        if thing[PASS] == 0 or bottom >= high + tall or top <= low or top - _foot(terrain, thing) <= thing[FREE]:
            continue
        sweep_core(scene.points, n, x, y, 0, 0, scene.points[CORE:])
        here = _meets(scene, row, scene.points[CORE:], n)
        # What it stands in already may be left any way.
        if here and bottom < z + tall and top > z:
            continue
        m = sweep_core(scene.points, n, x, y, dx, dy, scene.points[SWEPT:])
        if not _meets(scene, row, scene.points[SWEPT:], m) or _leads_onto(terrain, thing, x, y, z, tx, ty, tz):
            continue
        first, last = 0, parts
        if parts > 0:
            first, last = _from_to(scene, row, n, x, y, dx, dy, parts)
            at_first, at_last = z + (tz - z) * first // parts, z + (tz - z) * last // parts
            lowest, highest = min(at_first, at_last), max(at_first, at_last)
            if bottom >= highest + tall or top <= lowest:
                continue
        if out[0] == 0 or first < out[3]:
            out[0], out[1], out[3], out[4], out[5], out[6] = _CODES[thing[KIND]], thing[WHAT], first, last, parts, top
    return out


@kernel
def _foot(terrain: Terrain, thing: Ints) -> int:
    """Where a thing begins that is as high as it stands: a piece of wall over a window is part of the whole wall."""
    return terrain.bottom[terrain.wall[thing[WHAT], 7]] if thing[KIND] == AS_WALL else thing[LOW]


@kernel
def _from_to(scene: Scene, row: int, n: int, x: int, y: int, dx: int, dy: int, parts: int) -> tuple[int, int]:
    """After how many parts of a leg the mover first meets a thing, and for the last time."""
    low, high = 0, parts
    while low < high:
        middle = (low + high) // 2
        m = sweep_core(scene.points, n, x, y, dx * middle // parts, dy * middle // parts, scene.points[SWEPT:])
        if _meets(scene, row, scene.points[SWEPT:], m):
            high = middle
        else:
            low = middle + 1
    first = low
    low, high = first, parts
    while low < high:
        middle = (low + high + 1) // 2
        sx, sy = dx * middle // parts, dy * middle // parts
        m = sweep_core(scene.points, n, x + sx, y + sy, dx - sx, dy - sy, scene.points[SWEPT:])
        if _meets(scene, row, scene.points[SWEPT:], m):
            low = middle
        else:
            high = middle - 1
    return first, low


@kernel
def _leads_onto(terrain: Terrain, thing: Ints, x: int, y: int, z: int, tx: int, ty: int, tz: int) -> bool:
    """Whether a leg leads onto the top of a solid or a floor, or down from it: over its edge, and not through it."""
    f, top = thing[WHAT], thing[TOP]
    if thing[KIND] == AS_SOLID:
        outline, corners = terrain.outline[f], terrain.corners[f]
    elif thing[KIND] == AS_FLOOR:
        outline, corners = terrain.floor[f], terrain.floor_corners[f]
    else:
        return False
    before, after = inside(float(x), float(y), outline, corners), inside(float(tx), float(ty), outline, corners)
    if before and after:
        return False
    return (z == top and before) or (tz == top and after)


def warm_up() -> None:
    """Compile the kernels."""
    from sandtable.table.layout import Table, compile_terrain
    from sandtable.table.shapes import pack, round_base

    terrain = compile_terrain(Table(10 * STEP, 10 * STEP, "inch"))
    shapes = pack([round_base(1.0, 1.0)])
    start = np.array([[2048, 2048, 0], [4096, 4096, 0]], dtype=np.int64)
    bodies = Bodies(start, np.zeros(2, dtype=np.int64), np.zeros(2, dtype=np.int64))
    met_in_the_air(bodies, shapes, terrain, 0, straight(bodies, 0, 3000, 3000), obstacles(2, terrain))
