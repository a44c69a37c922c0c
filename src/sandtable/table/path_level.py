"""The shortest way of one model on one level.

The corners of all obstacles grown by the base (as 16-gons), a search over them inside the ellipse of the budget that
tests a leg only when it is about to be used, and then the string is pulled tight. Every leg is tested as a sweep,
so a way that is found is legal; gaps that the 16-gons would close get corners of their own.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from sandtable.kernels import bare, kernel, leaf
from sandtable.table.cores import core_gap
from sandtable.table.grid import COS, SIN, TRIG_SCALE, TURN, Floats, Ints
from sandtable.table.layout import Terrain
from sandtable.table.measure import width_at
from sandtable.table.moves_ground import stands, walkable
from sandtable.table.moves_scene import (
    AS_MODEL,
    CORE,
    CORNERS,
    FIRST,
    FLYING,
    FREE,
    KIND,
    LOW,
    MEASURED,
    OK,
    OWN_CORNERS,
    OWN_RADIUS,
    OWN_TALL,
    OWN_THICK,
    PASS,
    RADIUS,
    SWEPT,
    THINGS,
    TOP,
    UP,
    ZONE,
    Obstacles,
    Scene,
    clash,
    gather,
    go_offence,
    make_scene,
    off_table,
    place_offence,
    sweep_core,
    turn_mover,
)
from sandtable.table.shapes import Bodies, Shapes

SIDES: Final = 16
"""Corners of the polygon that stands for a circle."""

SLACK: Final = 1.03
"""The polygons make a path longer before the string is pulled, so the search may spend this much of the budget."""

MAX_NODES: Final = 1024
MAX_TRIES: Final = 20000
"""The search is given up after so many legs."""

# How steeply a taut path may meet a corner of a 16-gon: the sine of half the angle between its corners, and more, since
# the corner that it would touch may itself be blocked.
_TANGENT: Final = 0.35
_ANY: Final = 2.0


# --- Corners ---------------------------------------------------------------------------------------------------------


@kernel
def _in_the_way(scene: Scene, row: int, z: int) -> bool:
    """Whether a thing blocks the way of the mover on its level."""
    thing, facts = scene.things[row], scene.things[0]
    if thing[PASS] == 0 or facts[FLYING] != 0:
        return False
    return thing[LOW] < z + facts[OWN_TALL] and thing[TOP] > z and thing[TOP] - z > thing[FREE]


@kernel
def _distance_to_keep(scene: Scene, row: int, z: int) -> float:
    """How far the mover's core stays from that of a thing; below 0 where it need not."""
    thing, facts = scene.things[row], scene.things[0]
    keep = -1.0
    if _in_the_way(scene, row, z):
        keep = float(thing[RADIUS] + facts[OWN_RADIUS])
    if thing[KIND] == AS_MODEL and thing[ZONE] > 0:
        rise = max(0, max(thing[LOW] - (z + facts[OWN_THICK]), z - thing[MEASURED]))
        width = width_at(thing[ZONE], facts[UP], rise)
        if width >= 0.0:
            keep = thing[RADIUS] + facts[OWN_RADIUS] + width + 2.0
    return keep


@bare
def _is_corner_towards(points: Ints, first: int, n: int, i: int, c: int, s: int) -> bool:
    """Whether corner i of an outline is further in a direction than its neighbours."""
    if n == 1:
        return True
    before, after = first + (i - 1) % n, first + (i + 1) % n
    here = points[first + i, 0] * c + points[first + i, 1] * s
    return here >= points[before, 0] * c + points[before, 1] * s and here >= points[after, 0] * c + points[after, 1] * s


@bare
def _hindmost(scene: Scene, c: int, s: int) -> int:
    """The corner of the mover's core that is least far in a direction."""
    n, base, least = scene.things[0, OWN_CORNERS], scene.points, 0
    for i in range(1, n):
        if base[i, 0] * c + base[i, 1] * s < base[least, 0] * c + base[least, 1] * s:
            least = i
    return least


@kernel
def _corners(scene: Scene, z: int, ends: Ints, budget: float, nodes: Ints, normal: Floats, count: int) -> int:
    """Add the corners of the grown obstacles in the ellipse of the budget; return how many nodes there are."""
    points = scene.points
    half = TURN // SIDES // 2
    stretch = TRIG_SCALE / float(COS[half])
    for row in range(1, scene.things[0, THINGS]):
        keep = _distance_to_keep(scene, row, z)
        if keep < 0.0:
            continue
        first, n = scene.things[row, FIRST], scene.things[row, CORNERS]
        # Two ovals make a long flat curve, whose chords need a little more room.
        off = (keep + (8.0 if n > SIDES and scene.things[0, OWN_CORNERS] > SIDES else 1.0)) * stretch
        for i in range(n):
            for j in range(SIDES):
                middle = (2 * j + 1) * half
                ux, uy = COS[middle] / TRIG_SCALE, SIN[middle] / TRIG_SCALE
                for f in (middle - half, middle, middle + half):
                    c, s = COS[f % TURN], SIN[f % TURN]
                    if _is_corner_towards(points, first, n, i, c, s):
                        back = _hindmost(scene, c, s)
                        x, y = points[first + i, 0] - points[back, 0], points[first + i, 1] - points[back, 1]
                        count = _add_node(ends, budget, nodes, normal, count, x + ux * off, y + uy * off, ux, uy)
    return count


@kernel
def _add_node(
    ends: Ints, budget: float, nodes: Ints, normal: Floats, count: int, x: float, y: float, ux: float, uy: float
) -> int:
    """Add a corner if it is in the ellipse of the budget and is not the one just added."""
    px, py = math.floor(x + 0.5), math.floor(y + 0.5)
    if count >= MAX_NODES or (count > 2 and nodes[count - 1, 0] == px and nodes[count - 1, 1] == py):
        return count
    if _apart(px, py, ends[0], ends[1]) + _apart(px, py, ends[2], ends[3]) > budget:
        return count
    nodes[count, 0], nodes[count, 1] = px, py
    normal[count, 0], normal[count, 1] = ux, uy
    return count + 1


@kernel
def _gates(scene: Scene, z: int, ends: Ints, budget: float, nodes: Ints, normal: Floats, count: int) -> int:
    """Add the two mouths of every gap that a round mover just fits through; the polygons would close it."""
    if scene.things[0, OWN_CORNERS] > 1:
        return count
    own = scene.things[0, OWN_RADIUS]
    pair = np.empty(4, dtype=np.float64)
    for a in range(1, scene.things[0, THINGS]):
        keep_a = _distance_to_keep(scene, a, z)
        if keep_a < 0.0:
            continue
        for b in range(a + 1, scene.things[0, THINGS]):
            keep_b = _distance_to_keep(scene, b, z)
            if keep_b < 0.0:
                continue
            first, second = scene.points[scene.things[a, FIRST] :], scene.points[scene.things[b, FIRST] :]
            between = _closest(first, scene.things[a, CORNERS], second, scene.things[b, CORNERS], pair)
            room = between - keep_a - keep_b
            if room < -2.0 or room > 0.1 * (keep_a + keep_b) or between < 1.0:
                continue
            nx, ny = (pair[2] - pair[0]) / between, (pair[3] - pair[1]) / between
            x, y = pair[0] + nx * (keep_a + room / 2.0), pair[1] + ny * (keep_a + room / 2.0)
            for side in (-0.5, 0.5):
                count = _add_node(
                    ends, budget, nodes, normal, count, x - ny * own * side, y + nx * own * side, 0.0, 0.0
                )
    return count


@kernel
def _side_steps(
    scene: Scene, z: int, x: int, y: int, ends: Ints, budget: float, nodes: Ints, normal: Floats, count: int
) -> int:
    """Add places to either side of an end of the way that is so near an obstacle that its polygon would cover it."""
    n, core, pair = scene.things[0, OWN_CORNERS], scene.points[CORE:], np.empty(4, dtype=np.float64)
    sweep_core(scene.points, n, x, y, 0, 0, core)
    for row in range(1, scene.things[0, THINGS]):
        keep = _distance_to_keep(scene, row, z)
        if keep < 0.0:
            continue
        away = _closest(core, n, scene.points[scene.things[row, FIRST] :], scene.things[row, CORNERS], pair)
        if away < 1.0 or away > 1.1 * keep + 4.0:
            continue
        nx, ny = (pair[0] - pair[2]) / away, (pair[1] - pair[3]) / away
        for part in (-0.6, -0.22, 0.22, 0.6):
            far = part * max(keep, 256.0)
            count = _add_node(ends, budget, nodes, normal, count, x - ny * far + nx, y + nx * far + ny, 0.0, 0.0)
    return count


@bare
def _closest(a: Ints, na: int, b: Ints, nb: int, pair: Floats) -> float:
    """Write the nearest points of two cores into `pair`; return their distance, or 0 if they overlap."""
    if core_gap(a, na, b, nb) <= 0.0:
        return 0.0
    best = 1.0e36
    for i in range(na):
        for k in range(nb):
            best = _closer(a, i, b, k, (k + 1) % nb, best, pair, 0)
            best = _closer(b, k, a, i, (i + 1) % na, best, pair, 2)
    return math.sqrt(best)


@bare
def _closer(corners: Ints, p: int, other: Ints, a: int, b: int, best: float, pair: Floats, own: int) -> float:
    """Write a corner (at `own`) and the nearest point of a side into `pair` if they are the nearest so far."""
    px, py, ax, ay = corners[p, 0], corners[p, 1], other[a, 0], other[a, 1]
    dx, dy = float(other[b, 0] - ax), float(other[b, 1] - ay)
    length2, t = dx * dx + dy * dy, 0.0
    if length2 > 0.0:
        t = min(1.0, max(0.0, ((px - ax) * dx + (py - ay) * dy) / length2))
    qx, qy = ax + t * dx, ay + t * dy
    d2 = (px - qx) * (px - qx) + (py - qy) * (py - qy)
    if d2 >= best:
        return best
    pair[own], pair[own + 1], pair[2 - own], pair[3 - own] = px, py, qx, qy
    return d2


@kernel
def _open_corners(scene: Scene, x: int, y: int, z: int, nodes: Ints, normal: Floats, count: int) -> int:
    """Leave out corners where the mover would be in something that it does not start in; return how many are left."""
    n, left = scene.things[0, OWN_CORNERS], 2
    sweep_core(scene.points, n, x, y, 0, 0, scene.points[CORE:])
    for i in range(2, count):
        sweep_core(scene.points, n, nodes[i, 0], nodes[i, 1], 0, 0, scene.points[SWEPT:])
        if clash(scene, z, n, z, z)[0] == OK and not off_table(scene, scene.points[SWEPT:], n):
            nodes[left, 0], nodes[left, 1] = nodes[i, 0], nodes[i, 1]
            normal[left, 0], normal[left, 1] = normal[i, 0], normal[i, 1]
            left += 1
    return left


@kernel
def _apart(ax: int, ay: int, bx: int, by: int) -> float:
    """Distance between two points."""
    dx, dy = float(ax - bx), float(ay - by)
    return math.sqrt(dx * dx + dy * dy)


# --- Search ----------------------------------------------------------------------------------------------------------


@kernel
def _free(terrain: Terrain, scene: Scene, grounded: bool, ax: int, ay: int, bx: int, by: int, z: int) -> bool:
    """Whether the mover may go straight from one point to another on its level."""
    code, _ = go_offence(scene, ax, ay, z, bx, by, z)
    if code != OK:
        return False
    return z == 0 or not grounded or walkable(terrain, scene, ax, ay, z, bx, by, z)


@bare
def heap_push(keys: Floats, heap: Ints, size: int, key: float, entry: int) -> int:
    """Put an entry on a heap."""
    i = size
    while i > 0:
        parent = (i - 1) // 2
        if keys[parent] <= key:
            break
        keys[i], heap[i] = keys[parent], heap[parent]
        i = parent
    keys[i], heap[i] = key, entry
    return size + 1


@bare
def heap_pop(keys: Floats, heap: Ints, size: int) -> int:
    """Take the first entry off a heap, leaving it in place `size - 1`; return the new size."""
    first, size = heap[0], size - 1
    key, entry = keys[size], heap[size]
    i = 0
    while True:
        child = 2 * i + 1
        if child >= size:
            break
        if child + 1 < size and keys[child + 1] < keys[child]:
            child += 1
        if keys[child] >= key:
            break
        keys[i], heap[i] = keys[child], heap[child]
        i = child
    keys[i], heap[i] = key, entry
    heap[size] = first
    return size


@leaf
def _taut(normal: Floats, node: int, dx: float, dy: float, limit: float) -> bool:
    """Whether a taut path can leave or reach a corner in this direction."""
    return abs(normal[node, 0] * dx + normal[node, 1] * dy) <= limit


@kernel
def _search(
    terrain: Terrain,
    scene: Scene,
    grounded: bool,
    z: int,
    nodes: Ints,
    normal: Floats,
    count: int,
    budget: float,
    tangent: float,
    came: Ints,
) -> bool:
    """Find the way from node 0 to node 1 over the corners; `came` then tells whence each corner was reached."""
    cost = np.empty(count, dtype=np.float64)
    done = np.zeros(count, dtype=np.bool_)
    keys, heap = np.empty(MAX_TRIES + 1, dtype=np.float64), np.empty(MAX_TRIES + 1, dtype=np.int64)
    cost[0], came[0] = 0.0, 0
    size = heap_push(keys, heap, 0, 0.0, 0)
    while size > 0:
        size = heap_pop(keys, heap, size)
        here, whence = heap[size] // MAX_NODES, heap[size] % MAX_NODES
        if done[here]:
            continue
        x, y = nodes[here, 0], nodes[here, 1]
        if here > 0:
            wx, wy = nodes[whence, 0], nodes[whence, 1]
            if not _free(terrain, scene, grounded, wx, wy, x, y, z):
                continue
            cost[here] = cost[whence] + _apart(wx, wy, x, y)
        done[here], came[here] = True, whence
        if here == 1:
            return True
        for there in range(1, count):
            if done[there]:
                continue
            dx, dy = float(nodes[there, 0] - x), float(nodes[there, 1] - y)
            length = math.sqrt(dx * dx + dy * dy)
            limit = tangent * length
            if not (_taut(normal, here, dx, dy, limit) and _taut(normal, there, dx, dy, limit)):
                continue
            total = cost[here] + length + _apart(nodes[there, 0], nodes[there, 1], nodes[1, 0], nodes[1, 1])
            if total <= budget and size < MAX_TRIES:
                size = heap_push(keys, heap, size, total, there * MAX_NODES + here)
    return False


# --- Pulling the string ----------------------------------------------------------------------------------------------


@kernel
def _pull(terrain: Terrain, scene: Scene, grounded: bool, z: int, way: Ints, n: int) -> int:
    """Straighten a way of n points as far as the obstacles let it; return how many points are left."""
    for _ in range(3):
        n = _skip_points(terrain, scene, grounded, z, way, n)
        for i in range(1, n - 1):
            _tighten(terrain, scene, grounded, z, way, i)
    return n


@kernel
def _skip_points(terrain: Terrain, scene: Scene, grounded: bool, z: int, way: Ints, n: int) -> int:
    """Leave out points that can be left out; return how many are left."""
    i = 1
    while i < n - 1:
        if _free(terrain, scene, grounded, way[i - 1, 0], way[i - 1, 1], way[i + 1, 0], way[i + 1, 1], z):
            for k in range(i, n - 1):
                way[k, 0], way[k, 1] = way[k + 1, 0], way[k + 1, 1]
            n -= 1
        else:
            i += 1
    return n


@kernel
def _tighten(terrain: Terrain, scene: Scene, grounded: bool, z: int, way: Ints, i: int) -> None:
    """Move a point of a way towards the straight line between its neighbours, as far as it goes."""
    ax, ay, bx, by = way[i - 1, 0], way[i - 1, 1], way[i + 1, 0], way[i + 1, 1]
    dx, dy = float(bx - ax), float(by - ay)
    length2, t = dx * dx + dy * dy, 0.0
    if length2 > 0.0:
        t = min(1.0, max(0.0, ((way[i, 0] - ax) * dx + (way[i, 1] - ay) * dy) / length2))
    fx, fy = ax + t * dx - way[i, 0], ay + t * dy - way[i, 1]
    part, at, x0, y0 = 0.5, 0.0, way[i, 0], way[i, 1]
    far = math.sqrt(fx * fx + fy * fy)
    while part * far > 2.0:
        x, y = math.floor(x0 + (at + part) * fx + 0.5), math.floor(y0 + (at + part) * fy + 0.5)
        if _free(terrain, scene, grounded, ax, ay, x, y, z) and _free(terrain, scene, grounded, x, y, bx, by, z):
            at += part
            way[i, 0], way[i, 1] = x, y
        part /= 2.0


# --- One level -------------------------------------------------------------------------------------------------------


@kernel
def way_on_level(
    bodies: Bodies,
    shapes: Shapes,
    terrain: Terrain,
    model: int,
    start: Ints,
    goal_x: int,
    goal_y: int,
    budget: float,
    check_end: bool,
    obstacles: Obstacles,
) -> Ints:
    """The points [n, x y] of the shortest way of a model from (x, y, z, facing) on its level; none if there is none."""
    none = np.empty((0, 2), dtype=np.int64)
    shape, x, y, z = bodies.shape[model], start[0], start[1], start[2]
    straight = _apart(x, y, goal_x, goal_y)
    if straight > budget:
        return none
    scene = _scene_in_ellipse(bodies, shapes, terrain, model, start, goal_x, goal_y, budget * SLACK, obstacles)
    turn_mover(shapes, shape, start[3], scene)
    if check_end and not _may_stand(terrain, scene, goal_x, goal_y, z, obstacles.overhang):
        return none
    grounded = obstacles.grounded != 0 and obstacles.fly == 0
    if _free(terrain, scene, grounded, x, y, goal_x, goal_y, z):
        way = np.empty((1, 2), dtype=np.int64)
        way[0, 0], way[0, 1] = goal_x, goal_y
        return way
    nodes, normal = np.empty((MAX_NODES, 2), dtype=np.int64), np.zeros((MAX_NODES, 2), dtype=np.float64)
    nodes[0, 0], nodes[0, 1], nodes[1, 0], nodes[1, 1] = x, y, goal_x, goal_y
    ends = np.array([x, y, goal_x, goal_y], dtype=np.int64)
    count = _gates(scene, z, ends, budget * SLACK, nodes, normal, 2)
    count = _side_steps(scene, z, x, y, ends, budget * SLACK, nodes, normal, count)
    count = _side_steps(scene, z, goal_x, goal_y, ends, budget * SLACK, nodes, normal, count)
    came = np.empty(MAX_NODES, dtype=np.int64)
    count = _corners(scene, z, ends, budget * SLACK, nodes, normal, count)
    count = _open_corners(scene, x, y, z, nodes, normal, count)
    spend = budget * SLACK
    found = _search(terrain, scene, grounded, z, nodes, normal, count, spend, _TANGENT, came)
    # A taut path touches what it passes, but not what it starts in; and for hulls, corners are only a rough guide.
    if not found and (scene.things[0, OWN_CORNERS] > 1 or _starts_inside(scene, x, y, z)):
        found = _search(terrain, scene, grounded, z, nodes, normal, count, spend, _ANY, came)
    if not found:
        return none
    way = _trace(nodes, came)
    n = _pull(terrain, scene, grounded, z, way, way.shape[0])
    total = 0.0
    for i in range(1, n):
        total += _apart(way[i - 1, 0], way[i - 1, 1], way[i, 0], way[i, 1])
    return way[1:n].copy() if total <= budget else none


@kernel
def _starts_inside(scene: Scene, x: int, y: int, z: int) -> bool:
    """Whether the mover starts in something that it must keep away from later."""
    n, core = scene.things[0, OWN_CORNERS], scene.points[CORE:]
    sweep_core(scene.points, n, x, y, 0, 0, core)
    for row in range(1, scene.things[0, THINGS]):
        other = scene.points[scene.things[row, FIRST] :]
        if core_gap(core, n, other, scene.things[row, CORNERS]) < _distance_to_keep(scene, row, z) - 1.0:
            return True
    return False


@kernel
def _trace(nodes: Ints, came: Ints) -> Ints:
    """The points from node 0 to node 1."""
    n, here = 1, 1
    while here != 0:
        n, here = n + 1, came[here]
    way = np.empty((n, 2), dtype=np.int64)
    here = 1
    for i in range(n - 1, -1, -1):
        way[i, 0], way[i, 1] = nodes[here, 0], nodes[here, 1]
        here = came[here]
    return way


@kernel
def _scene_in_ellipse(
    bodies: Bodies,
    shapes: Shapes,
    terrain: Terrain,
    model: int,
    start: Ints,
    goal_x: int,
    goal_y: int,
    budget: float,
    obstacles: Obstacles,
) -> Scene:
    """What lies in the box around the ellipse of the budget."""
    own = np.zeros(bodies.shape.shape[0], dtype=np.uint8)
    own[model] = 1
    mx, my = (start[0] + goal_x) // 2, (start[1] + goal_y) // 2
    dx, dy = abs(goal_x - start[0]), abs(goal_y - start[1])
    # The half axes of the ellipse, and its box: half width squared is a² cos² + b² sin².
    a2 = budget * budget / 4.0
    b2 = max(0.0, a2 - (dx * dx + dy * dy) / 4.0)
    d2 = max(1.0, float(dx * dx + dy * dy))
    reach = shapes.reach[bodies.shape[model]] + 2
    wide = int(math.sqrt((a2 * dx * dx + b2 * dy * dy) / d2 if dx + dy > 0 else a2)) + reach
    high = int(math.sqrt((a2 * dy * dy + b2 * dx * dx) / d2 if dx + dy > 0 else a2)) + reach
    box = np.array([mx - wide, my - high, mx + wide, my + high], dtype=np.int64)
    scene = make_scene(bodies, shapes, terrain)
    gather(bodies, shapes, terrain, obstacles, own, box, scene)
    return scene


@kernel
def _may_stand(terrain: Terrain, scene: Scene, x: int, y: int, z: int, overhang: int) -> bool:
    """Whether the mover may end its move at a point of its level."""
    code, _ = place_offence(scene, x, y, z)
    if code != OK or z == 0:
        return code == OK
    n = scene.things[0, OWN_CORNERS]
    sweep_core(scene.points, n, x, y, 0, 0, scene.points[CORE:])
    return stands(terrain, scene.points[CORE:], n, scene.things[0, OWN_RADIUS], x, y, z, overhang)
