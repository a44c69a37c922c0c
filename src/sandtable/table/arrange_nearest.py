"""The place nearest to a point where a model may end its move and is near enough to some others.

What is asked of a place are gaps: to keep one, or to come within one. A gap changes no faster than the place does, so
that a square in whose middle something is missing by more than half its diagonal holds no good place. Squares are
halved, the nearest first, until a place is found or none is left: nothing is overlooked that is wider than `SMALLEST`.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np

from sandtable.kernels import bare, kernel
from sandtable.table.cores import core_gap, place_core
from sandtable.table.grid import OVERLAP, STEP, Floats, Ints
from sandtable.table.layout import Terrain
from sandtable.table.measure import core_edge_gap, inside
from sandtable.table.moves_ground import stands
from sandtable.table.moves_scene import (
    AS_FLOOR,
    AS_MODEL,
    AS_SOLID,
    BOX,
    CORE,
    CORNERS,
    EDGED,
    END,
    END_ZONE,
    FIRST,
    KIND,
    LOW,
    OK,
    OWN_CORNERS,
    OWN_RADIUS,
    OWN_TALL,
    RADIUS,
    THINGS,
    TOP,
    WIDTH,
    Obstacles,
    Scene,
    end_width,
    gather,
    make_scene,
    place_offence,
    sweep_core,
    turn_mover,
)
from sandtable.table.path_level import heap_pop, heap_push
from sandtable.table.shapes import Bodies, Shapes
from sandtable.table.straight import is_open

SMALLEST: Final = STEP // 64
"""Squares narrower than this are not halved again."""

NODES: Final = 1600
"""Most squares that are looked at for one place; an eighth of them where bases are not round: these take longer."""

NOWHERE, FOUND, BARRED, FOUND_PAST = range(4)
"""What comes of looking for a place: there is none; there is one; the straight way to each is closed; or there is one,
but the straight way to others was closed."""

CLOSE_ENOUGH: Final = STEP // 16
"""A place may be so much further off than the nearest one; four times that where bases are not round."""

ROUNDABOUT: Final = 1.04
"""Ways by the cells of a field are longer than real ones by up to this, and by one cell around what is close by."""

NO_FIELD: Final[Floats] = np.empty((0, 0), dtype=np.float64)

ANYHOW: Final = -1

NEVER: Final = -1.0e12

KEEP: Final = -1
"""The group of what is to be kept away from."""


class Wishes(NamedTuple):
    """Models that a place should be near to: in each group so many, each within its own gap."""

    models: Ints
    group: Ints
    gap: Floats
    rise: Ints
    """The most that the two may be apart in height; IN_SPACE: the gap is a distance in space"""
    number: Ints
    """[group] how many of them"""


class _Quest(NamedTuple):
    """All that is asked of the places of one model on one level."""

    rings: Floats
    """[ring, x y distance group] for round bases: how far the middles must be apart, or may"""
    things: Ints
    """Rows of the scene to keep away from where a circle does not say it all"""
    cores: Ints
    """[which, corner, x y] of wished models where one of the two is not round"""
    hulls: Ints
    """[which, corners group x y]"""
    gap: Floats
    """[which, 3] from core to core; from middle to middle at most, and up to where it is enough for sure"""
    number: Ints
    """[group] how many are wished for"""
    box: Ints
    """Least x and y, and most x and y, of a place"""
    size: Ints
    """Of rings, things and cores"""
    reach: int
    """Of the goer's base"""
    level: int


class Goer(NamedTuple):
    """A model that looks for a place: where it starts, how far it may go, and what is in its way."""

    model: int
    x: int
    y: int
    z: int
    far: int
    """How far it may go in all"""
    around: int
    """0: the straight way must be open; ANYHOW: none is asked for; else the longest one by its field, around things"""
    slant: int
    """1: to another height it goes in a straight line through the air"""
    field: Floats
    """[row, column] about how far it has to go to the cells around its start, as in `reach.Field`"""
    cell: int


@kernel
def nearest_place(
    bodies: Bodies,
    shapes: Shapes,
    terrain: Terrain,
    blocks: Obstacles,
    absent: np.ndarray,
    goer: Goer,
    level: int,
    wishes: Wishes,
    toward_x: int,
    toward_y: int,
) -> tuple[int, int, int]:
    """The place on a level where a model may end that is nearest to a point, after FOUND or why there is none.

    Models marked in `absent`, such as the goer itself, are in nobody's way.
    """
    shape, rise = bodies.shape[goer.model], abs(level - goer.z)
    found, bx, by, nearest = NOWHERE, goer.x, goer.y, math.inf
    far = float(goer.far) - rise
    if goer.slant != 0:
        far = math.sqrt(max(0.0, float(goer.far) * goer.far - float(rise) * rise))
    box = np.empty(4, dtype=np.int64)
    if rise > goer.far or not _frame(bodies, shapes, goer, level, far, wishes, box):
        return found, bx, by
    scene = make_scene(bodies, shapes, terrain)
    around = np.empty(4, dtype=np.int64)
    reach = shapes.reach[shape]
    around[0], around[1] = min(box[0], goer.x) - reach, min(box[1], goer.y) - reach
    around[2], around[3] = max(box[2], goer.x) + reach, max(box[3], goer.y) + reach
    gather(bodies, shapes, terrain, blocks, absent, around, scene)
    turn_mover(shapes, shape, bodies.facing[goer.model], scene)
    _keep_on_table(scene, box)
    quest = _quest(bodies, shapes, scene, goer, level, far, wishes, box)
    missing = np.empty(2 * quest.number.shape[0], dtype=np.float64)
    n, radius = scene.things[0, OWN_CORNERS], scene.things[0, OWN_RADIUS]
    grounded = blocks.grounded != 0 and blocks.fly == 0
    half = SMALLEST
    while 2 * half < box[2] - box[0] or 2 * half < box[3] - box[1]:
        half *= 2
    squares = np.empty((NODES + 4, 3), dtype=np.int64)
    keys, heap = np.empty(NODES + 4, dtype=np.float64), np.empty(NODES + 4, dtype=np.int64)
    squares[0, 0], squares[0, 1], squares[0, 2] = (box[0] + box[2]) // 2, (box[1] + box[3]) // 2, half
    made, size, hints = 1, heap_push(keys, heap, 0, 0.0, 0), quest.size[0]
    most = NODES if quest.size[2] == 0 else NODES // 8
    enough = CLOSE_ENOUGH if quest.size[2] == 0 else 4 * CLOSE_ENOUGH
    if box[0] > box[2] or box[1] > box[3]:
        size, hints = 0, 0
    hint, barred = -1, False
    while size > 0:
        # The hints come first, and then the squares, those nearest to the point before others.
        hint += 1
        if hint < hints:
            if quest.rings[hint, 3] == KEEP:
                continue
            x, y = _hint(quest, goer, toward_x, toward_y, hint)
            limit = 0.0
        else:
            if keys[0] >= nearest - enough:
                break
            size = heap_pop(keys, heap, size)
            x, y, half = squares[heap[size], 0], squares[heap[size], 1], squares[heap[size], 2]
            # Half the diagonal, and a little more for rounding.
            limit = half * 1.4143 + 1.0
        lacks = _lacking(quest, scene, x, y, limit, missing)
        if lacks > limit:
            continue
        dx, dy = float(x - toward_x), float(y - toward_y)
        away = math.sqrt(dx * dx + dy * dy)
        if lacks <= 0.0 and away < nearest:
            code, _ = place_offence(scene, x, y, level)
            good = code == OK
            if good and level != 0:
                good = stands(terrain, scene.points[CORE:], n, radius, x, y, level, blocks.overhang)
            if good and goer.around > 0:
                good = way_in_field(goer.field, goer.cell, x - goer.x, y - goer.y) <= goer.around
            elif good and goer.around == 0:
                good = is_open(terrain, scene, grounded, goer.slant != 0, goer.x, goer.y, goer.z, x, y, level)
                barred = barred or not good
            if good:
                found, bx, by, nearest = FOUND, x, y, away
        half //= 2
        if hint < hints or 2 * half < SMALLEST or made + 4 > most:
            continue
        for q in range(4):
            cx, cy = x + (half if q % 2 else -half), y + (half if q > 1 else -half)
            dx = float(max(0, max(cx - half - toward_x, toward_x - cx - half)))
            dy = float(max(0, max(cy - half - toward_y, toward_y - cy - half)))
            squares[made, 0], squares[made, 1], squares[made, 2] = cx, cy, half
            size = heap_push(keys, heap, size, math.sqrt(dx * dx + dy * dy), made)
            made += 1
    if barred:
        found = BARRED if found == NOWHERE else FOUND_PAST
    return found, bx, by


@kernel
def _frame(bodies: Bodies, shapes: Shapes, goer: Goer, level: int, far: float, wishes: Wishes, box: Ints) -> bool:
    """Write the box that holds all places in reach that are near to whom they should be; False where there are none."""
    reach = math.ceil(far)
    box[0], box[1], box[2], box[3] = goer.x - reach, goer.y - reach, goer.x + reach, goer.y + reach
    own = shapes.reach[bodies.shape[goer.model]]
    for g in range(wishes.number.shape[0]):
        if wishes.number[g] == 0:
            continue
        lx, ly, hx, hy = 1 << 60, 1 << 60, -(1 << 60), -(1 << 60)
        for w in range(wishes.models.shape[0]):
            k = wishes.models[w]
            width = _width(bodies, shapes, goer.model, level, k, wishes.gap[w], wishes.rise[w])
            if wishes.group[w] != g or width < NEVER:
                continue
            away = math.ceil(width) + own + shapes.reach[bodies.shape[k]]
            lx, hx = min(lx, bodies.pos[k, 0] - away), max(hx, bodies.pos[k, 0] + away)
            ly, hy = min(ly, bodies.pos[k, 1] - away), max(hy, bodies.pos[k, 1] + away)
        box[0], box[1], box[2], box[3] = max(box[0], lx), max(box[1], ly), min(box[2], hx), min(box[3], hy)
    return box[0] <= box[2] and box[1] <= box[3]


@bare
def _width(bodies: Bodies, shapes: Shapes, i: int, z: int, k: int, gap: float, up: int) -> float:
    """Within which gap, seen from above, model i on a level would be near enough to model k; below NEVER: in none."""
    low, high = bodies.pos[k, 2], bodies.pos[k, 2] + shapes.thick[bodies.shape[k]]
    rise = max(0, max(low - (z + shapes.thick[bodies.shape[i]]), z - high))
    if up >= 0:
        return gap if rise <= up else 2.0 * NEVER
    return math.sqrt(gap * gap - float(rise) * rise) if rise <= gap else 2.0 * NEVER


@kernel
def _keep_on_table(scene: Scene, box: Ints) -> None:
    """Draw a box of places in so that the base stays on the table."""
    facts = scene.things[0]
    if facts[EDGED] != 0:
        core, n, radius = scene.points, facts[OWN_CORNERS], facts[OWN_RADIUS]
        for c in range(2):
            low, high = core[0, c], core[0, c]
            for k in range(1, n):
                low, high = min(low, core[k, c]), max(high, core[k, c])
            # The width of the table stands right before its depth.
            box[c] = max(box[c], radius - low)
            box[2 + c] = min(box[2 + c], facts[WIDTH + c] - radius - high)


@kernel
def _quest(
    bodies: Bodies, shapes: Shapes, scene: Scene, goer: Goer, level: int, far: float, wishes: Wishes, box: Ints
) -> _Quest:
    """Pick out what matters for places in a box."""
    things, facts, count = scene.things, scene.things[0], wishes.models.shape[0]
    own, n, reach = facts[OWN_RADIUS], facts[OWN_CORNERS], shapes.reach[bodies.shape[goer.model]]
    rings = np.empty((facts[THINGS] + count + 1, 4), dtype=np.float64)
    rows = np.empty(facts[THINGS], dtype=np.int64)
    cores = np.empty((count, shapes.core.shape[1], 2), dtype=np.int64)
    hulls = np.empty((count, 4), dtype=np.int64)
    gap = np.empty((count, 3), dtype=np.float64)
    inner = _inner(scene.points, n, own)
    groups = wishes.number.shape[0]
    number = np.empty(groups + 1, dtype=np.int64)
    number[:groups] = wishes.number
    # The reach of the goer is one more group, with one ring; half a step is no distance.
    number[groups] = 1
    rings[0, 0], rings[0, 1], rings[0, 2], rings[0, 3] = goer.x, goer.y, far + 0.5, groups
    round_ones, others, wished = 1, 0, 0
    for w in range(count):
        k = wishes.models[w]
        width = _width(bodies, shapes, goer.model, level, k, wishes.gap[w], wishes.rise[w])
        if width < NEVER:
            continue
        apart = width + own + shapes.radius[bodies.shape[k]]
        if n == 1 and shapes.corners[bodies.shape[k]] == 1:
            rings[round_ones, 0], rings[round_ones, 1] = bodies.pos[k, 0], bodies.pos[k, 1]
            rings[round_ones, 2], rings[round_ones, 3] = apart, wishes.group[w]
            round_ones += 1
        else:
            x, y = bodies.pos[k, 0], bodies.pos[k, 1]
            hulls[wished, 0] = place_core(shapes, bodies.shape[k], x, y, bodies.facing[k], cores[wished])
            hulls[wished, 1], hulls[wished, 2], hulls[wished, 3] = wishes.group[w], x, y
            gap[wished, 0], gap[wished, 1] = apart, width + reach + shapes.reach[bodies.shape[k]]
            other = _inner(
                shapes.core[bodies.shape[k]], shapes.corners[bodies.shape[k]], shapes.radius[bodies.shape[k]]
            )
            gap[wished, 2] = width + inner + other
            wished += 1
    for row in range(1, facts[THINGS]):
        thing = things[row]
        near = thing[BOX] - reach <= box[2] and thing[BOX + 2] + reach >= box[0]
        if not near or thing[BOX + 1] - reach > box[3] or thing[BOX + 3] + reach < box[1]:
            continue
        body = thing[END] != 0 and thing[LOW] < level + facts[OWN_TALL] and thing[TOP] > level
        if thing[KIND] != AS_MODEL:
            if body:
                rows[others] = row
                others += 1
            continue
        width = end_width(scene, row, level)
        guarded = width >= 0.0
        if n == 1 and thing[CORNERS] == 1 and (body or guarded):
            # A zone must be more than kept: the least more is half a step.
            keep = width + 0.5 if guarded else OVERLAP
            rings[round_ones, 0] = scene.points[thing[FIRST], 0]
            rings[round_ones, 1] = scene.points[thing[FIRST], 1]
            rings[round_ones, 2], rings[round_ones, 3] = keep + own + thing[RADIUS], KEEP
            round_ones += 1
        elif body or guarded:
            rows[others] = row
            others += 1
    size = np.array([round_ones, others, wished], dtype=np.int64)
    return _Quest(rings, rows, cores, hulls, gap, number, box, size, reach, level)


@bare
def _inner(core: Ints, n: int, radius: int) -> float:
    """How far from its middle every place surely belongs to a base, whichever way it is turned."""
    near = 1.0e18
    for i in range(n if n > 2 else 0):
        j = i + 1 if i + 1 < n else 0
        dx, dy = float(core[j, 0] - core[i, 0]), float(core[j, 1] - core[i, 1])
        side = math.sqrt(dx * dx + dy * dy)
        if side > 0.0:
            near = min(near, abs(core[i, 0] * dy - core[i, 1] * dx) / side)
    # Two steps less because turned corners are rounded to the grid.
    return radius + (max(0.0, near - 2.0) if n > 2 else 0.0)


@kernel
def _lacking(quest: _Quest, scene: Scene, x: int, y: int, limit: float, best: Floats) -> float:
    """By how much a place misses what is asked of it, at most; 0 for nothing. Above the limit it may be more.

    `best` is room for two numbers for each group: by how much the nearest ones of it are too far.
    """
    worst = max(0.0, float(max(quest.box[0] - x, max(x - quest.box[2], max(quest.box[1] - y, y - quest.box[3])))))
    groups = quest.number.shape[0]
    for g in range(2 * groups):
        best[g] = 1.0e18
    rings = quest.rings
    for r in range(quest.size[0]):
        dx, dy, group = rings[r, 0] - x, rings[r, 1] - y, int(rings[r, 3])
        over = math.sqrt(dx * dx + dy * dy) - rings[r, 2]
        if group == KEEP:
            worst = max(worst, -over)
            if worst > limit:
                return worst
        elif over < best[2 * group]:
            best[2 * group + 1], best[2 * group] = best[2 * group], over
        elif over < best[2 * group + 1]:
            best[2 * group + 1] = over
    if quest.size[1] > 0 or quest.size[2] > 0:
        core, n = scene.points[CORE:], scene.things[0, OWN_CORNERS]
        sweep_core(scene.points, n, x, y, 0, 0, core)
        for w in range(quest.size[2]):
            group = quest.hulls[w, 1]
            dx, dy = float(quest.hulls[w, 2] - x), float(quest.hulls[w, 3] - y)
            away = math.sqrt(dx * dx + dy * dy)
            over = away - quest.gap[w, 1]
            # From the middles alone it may be clear that others are nearer, that all are too far, or that it is enough.
            if away <= quest.gap[w, 2]:
                over = away - quest.gap[w, 2]
            elif over < best[2 * group + 1] and over <= limit:
                over = core_gap(core, n, quest.cores[w], quest.hulls[w, 0]) - quest.gap[w, 0]
            if over < best[2 * group]:
                best[2 * group + 1], best[2 * group] = best[2 * group], over
            elif over < best[2 * group + 1]:
                best[2 * group + 1] = over
    for g in range(groups):
        if quest.number[g] > 0:
            worst = max(worst, best[2 * g + min(quest.number[g], 2) - 1])
    if worst > limit:
        return worst
    for t in range(quest.size[1]):
        thing = scene.things[quest.things[t]]
        wide, deep = max(thing[BOX] - x, x - thing[BOX + 2]), max(thing[BOX + 1] - y, y - thing[BOX + 3])
        if wide > quest.reach or deep > quest.reach:
            continue
        worst = max(worst, _too_near(scene, quest.things[t], quest.level))
        if worst > limit:
            return worst
    return worst


@kernel
def _too_near(scene: Scene, row: int, level: int) -> float:
    """By how much the mover, with its core as it was put last, is too near to a thing."""
    thing, core, n, radius = scene.things[row], scene.points[CORE:], scene.things[0, OWN_CORNERS], 0
    radius = scene.things[0, OWN_RADIUS] + thing[RADIUS]
    points = scene.points[thing[FIRST] :]
    if thing[KIND] == AS_SOLID or thing[KIND] == AS_FLOOR:
        edge = core_edge_gap(core, n, points, thing[CORNERS])
        if inside(float(core[0, 0]), float(core[0, 1]), points, thing[CORNERS]):
            edge = -edge
        return OVERLAP + radius - edge
    gap = core_gap(core, n, points, thing[CORNERS]) - radius
    if thing[KIND] == AS_MODEL and thing[END_ZONE] > 0:
        return end_width(scene, row, level) - gap
    return OVERLAP - gap


@bare
def longest_in_field(far: int, cell: int) -> float:
    """What is too long a way by a field for who may go so far."""
    return far * ROUNDABOUT + cell


@bare
def way_in_field(field: Floats, cell: int, dx: int, dy: int) -> float:
    """About how long the way is to a place that is so far from the start, and at least about so long.

    Close to things the cells of a field are too wide: the last piece is taken straight from any cell nearby.
    """
    middle, best = field.shape[0] // 2, math.inf
    for row in range(dy // cell - 1 + middle, dy // cell + 3 + middle):
        for column in range(dx // cell - 1 + middle, dx // cell + 3 + middle):
            if 0 <= row < field.shape[0] and 0 <= column < field.shape[0]:
                px, py = float(dx - (column - middle) * cell), float(dy - (row - middle) * cell)
                best = min(best, field[row, column] + math.sqrt(px * px + py * py))
    return best


@bare
def _hint(quest: _Quest, goer: Goer, toward_x: int, toward_y: int, r: int) -> tuple[int, int]:
    """A place to try first: the point itself, or straight towards a round model as far as the goer may go."""
    if r == 0:
        return toward_x, toward_y
    dx, dy = quest.rings[r, 0] - goer.x, quest.rings[r, 1] - goer.y
    away = math.sqrt(dx * dx + dy * dy)
    far = min(1.0, (quest.rings[0, 2] - 0.5) / away) if away > 0.0 else 0.0
    return math.floor(goer.x + dx * far + 0.5), math.floor(goer.y + dy * far + 0.5)


def warm_up() -> None:
    """Compile the kernels."""
    from sandtable.table.layout import Table, compile_terrain
    from sandtable.table.moves_scene import obstacles
    from sandtable.table.shapes import pack, round_base

    terrain = compile_terrain(Table(10 * STEP, 10 * STEP, "inch"))
    shapes = pack([round_base(1.0, 1.0)])
    pos = np.array([[2048, 2048, 0], [6144, 2048, 0]], dtype=np.int64)
    bodies = Bodies(pos, np.zeros(2, dtype=np.int64), np.zeros(2, dtype=np.int64))
    one = np.zeros(1, dtype=np.int64)
    goer = Goer(0, 2048, 2048, 0, 4096, 0, 0, NO_FIELD, STEP)
    wishes = Wishes(one + 1, one, np.array([1024.0]), one, one + 1)
    absent = np.array([1, 0], dtype=np.uint8)
    nearest_place(bodies, shapes, terrain, obstacles(2, terrain, end_block=1), absent, goer, 0, wishes, 2048, 2048)
    way_in_field(np.zeros((3, 3), dtype=np.float64), STEP, 0, 0)
    longest_in_field(STEP, STEP)
