"""Templates that are laid on the table: circles, and teardrops such as flames.

A teardrop is the convex hull of two circles; a circle is a teardrop whose two circles are one. Which bases are under a
template, partly or wholly, is decided in closed form; the best place for a circle is sought among all places where its
edge meets the edges of two bases, because between these the count does not change.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np

from sandtable.kernels import kernel
from sandtable.table.cores import place_core, point_segment, segments_cross
from sandtable.table.grid import STEP, TURN, Bools, Ints
from sandtable.table.measure import inside
from sandtable.table.scatter import bearing, offset
from sandtable.table.shapes import Bodies, Shapes, pack, round_base

PARTLY, WHOLLY, CENTRE, INSIDE_THE_RIM = range(4)
"""Any part of the base is under the template, if only its edge touches the rim; all of it is; its middle is; and any
part is, more than the rim."""

NO_REGION: Final = np.empty((0, 2), dtype=np.int64)
NOWHERE: Final = -1
"""As a radius or reach: no such condition."""

_SAMPLED_CORNERS: Final = 12
_NUDGES: Final = 2 * np.array(
    [[0, 0], [1, 0], [-1, 0], [0, 1], [0, -1], [1, 1], [1, -1], [-1, 1], [-1, -1]], dtype=np.int64
)


class Template(NamedTuple):
    """The hull of two circles, in grid steps."""

    ax: int
    ay: int
    ar: int
    bx: int
    by: int
    br: int


def circle(x: int, y: int, radius: int) -> Template:
    """A round template around its middle."""
    return Template(int(x), int(y), int(radius), int(x), int(y), int(radius))


def teardrop(x: int, y: int, facing: int, length: int, wide: int, narrow: int) -> Template:
    """A flame whose narrow end is at (x, y); its whole length, and the radii of its two ends."""
    ax, ay = offset(int(x), int(y), int(facing) % TURN, int(length) - int(wide))
    bx, by = offset(int(x), int(y), int(facing) % TURN, int(narrow))
    return Template(int(ax), int(ay), int(wide), int(bx), int(by), int(narrow))


@kernel
def point_gap(template: Template, x: float, y: float) -> float:
    """How far a point is from a template; below 0 inside, by how deep it is in."""
    ux, uy = float(template.bx - template.ax), float(template.by - template.ay)
    px, py = x - template.ax, y - template.ay
    d2 = ux * ux + uy * uy
    lean = float(template.ar - template.br)
    t = 0.0
    if d2 <= lean * lean:
        # One circle holds the other: only the larger counts.
        t = 0.0 if template.ar >= template.br else 1.0
    else:
        d = math.sqrt(d2)
        k = lean / d
        along = (px * ux + py * uy) / d
        across = abs(px * uy - py * ux) / d
        # The nearest circle of the hull is the one whose radius through the point stands upright on the tangent.
        t = (along - k * across / math.sqrt(1.0 - k * k)) / d
        t = min(1.0, max(0.0, t))
    ex, ey = px - t * ux, py - t * uy
    return math.sqrt(ex * ex + ey * ey) - (template.ar - t * lean)


@kernel
def _core_gap(template: Template, core: Ints, n: int) -> float:
    """How far a core is from a template; at most 0 where they meet."""
    best = point_gap(template, float(core[0, 0]), float(core[0, 1]))
    if n == 1:
        return best
    if inside(float(template.ax), float(template.ay), core[:n], n):
        return min(best, -float(template.ar))
    for i in range(n):
        j = i + 1 if i + 1 < n else 0
        ax, ay, bx, by = core[i, 0], core[i, 1], core[j, 0], core[j, 1]
        if segments_cross(ax, ay, bx, by, template.ax, template.ay, template.bx, template.by):
            return min(best, -float(min(template.ar, template.br)))
        best = min(best, point_gap(template, float(ax), float(ay)))
        # Against the inside of a side the circles between the two ends are never nearer than both ends.
        best = min(best, point_segment(template.ax, template.ay, ax, ay, bx, by) - template.ar)
        best = min(best, point_segment(template.bx, template.by, ax, ay, bx, by) - template.br)
    return best


@kernel
def is_under(bodies: Bodies, shapes: Shapes, i: int, template: Template, how: int) -> bool:
    """Whether a model is partly, wholly or with its middle under a template, or partly inside its rim."""
    x, y, s = bodies.pos[i, 0], bodies.pos[i, 1], bodies.shape[i]
    if how == CENTRE:
        return point_gap(template, float(x), float(y)) <= 0.0
    core = np.empty((shapes.core.shape[1], 2), dtype=np.int64)
    n = place_core(shapes, s, x, y, bodies.facing[i], core)
    if how == PARTLY:
        return _core_gap(template, core, n) <= shapes.radius[s]
    if how == INSIDE_THE_RIM:
        return _core_gap(template, core, n) < shapes.radius[s]
    worst = -float(shapes.radius[s])
    for k in range(n):
        worst = max(worst, point_gap(template, float(core[k, 0]), float(core[k, 1])))
    return worst <= -shapes.radius[s]


@kernel
def _covered(bodies: Bodies, shapes: Shapes, models: Ints, template: Template, how: int) -> Bools:
    out = np.zeros(models.shape[0], dtype=np.bool_)
    for m in range(models.shape[0]):
        out[m] = is_under(bodies, shapes, models[m], template, how)
    return out


def covered(bodies: Bodies, shapes: Shapes, models: Ints, template: Template, how: int = PARTLY) -> Bools:
    """Which models are under a template: PARTLY, WHOLLY, by their CENTRE, or INSIDE_THE_RIM."""
    return _covered(bodies, shapes, models, template, how)


# --- the best place for a circle -----------------------------------------------------------------------------------


class Search(NamedTuple):
    """Where the middle of a circle may be."""

    radius: int
    how: int
    region: Ints
    """[corner, x y] the middle is in this polygon; no corners: anywhere"""
    from_x: int
    from_y: int
    reach: int
    """The middle is within this distance of (from_x, from_y); NOWHERE: no such condition"""
    by_x: int
    by_y: int
    by_radius: int
    """The edge touches the circle of this radius around (by_x, by_y); NOWHERE: no such condition"""


@kernel
def _allowed(search: Search, x: int, y: int) -> bool:
    """Whether the circle may lie with its middle here."""
    if search.reach >= 0:
        dx, dy = x - search.from_x, y - search.from_y
        if dx * dx + dy * dy > search.reach * search.reach:
            return False
    if search.by_radius >= 0:
        ex, ey = float(x - search.by_x), float(y - search.by_y)
        gap = math.sqrt(ex * ex + ey * ey) - (search.radius + search.by_radius)
        if gap < -1.0 or gap > 2.0:
            return False
    n = search.region.shape[0]
    return n < 3 or inside(float(x), float(y), search.region, n)


@kernel
def _outlines(bodies: Bodies, shapes: Shapes, models: Ints, search: Search) -> tuple[Ints, int, Ints, int]:
    """The edges of where a circle covers each model: circles (x y radius model) and sides (ax ay bx by model)."""
    most = models.shape[0] * shapes.core.shape[1] + 2
    circles = np.empty((most, 4), dtype=np.int64)
    sides = np.empty((most + search.region.shape[0], 5), dtype=np.int64)
    core = np.empty((shapes.core.shape[1], 2), dtype=np.int64)
    c, s = 0, 0
    for m in range(models.shape[0]):
        i = models[m]
        shape = bodies.shape[i]
        n = place_core(shapes, shape, bodies.pos[i, 0], bodies.pos[i, 1], bodies.facing[i], core)
        grown = search.radius + shapes.radius[shape]
        if search.how == CENTRE:
            core[0, 0], core[0, 1], n, grown = bodies.pos[i, 0], bodies.pos[i, 1], 1, search.radius
        elif search.how == WHOLLY:
            grown = search.radius - shapes.radius[shape]
        if grown < 0:
            continue
        # The many corners of an oval are thinned out: the count stays exact, only the places are fewer.
        pace = max(1, n // _SAMPLED_CORNERS)
        for k in range(0, n, pace):
            circles[c, 0], circles[c, 1], circles[c, 2], circles[c, 3] = core[k, 0], core[k, 1], grown, m
            c += 1
            if n > 1 and search.how in (PARTLY, INSIDE_THE_RIM):
                j = k + 1 if k + 1 < n else 0
                dx, dy = core[j, 0] - core[k, 0], core[j, 1] - core[k, 1]
                out = (bearing(dx, dy) + 3 * TURN // 4) % TURN
                sides[s, 0], sides[s, 1] = offset(core[k, 0], core[k, 1], out, grown)
                sides[s, 2], sides[s, 3], sides[s, 4] = sides[s, 0] + dx, sides[s, 1] + dy, m
                s += 1
    return circles, c, sides, s


@kernel
def _with_limits(search: Search, circles: Ints, c: int, sides: Ints, s: int) -> tuple[int, int]:
    """Add the edges of where the middle may be; they belong to no model."""
    if search.reach >= 0:
        circles[c, 0], circles[c, 1], circles[c, 2], circles[c, 3] = search.from_x, search.from_y, search.reach, -1
        c += 1
    if search.by_radius >= 0:
        circles[c, 0], circles[c, 1], circles[c, 3] = search.by_x, search.by_y, -2
        circles[c, 2] = search.radius + search.by_radius
        c += 1
    n = search.region.shape[0]
    for k in range(n):
        j = k + 1 if k + 1 < n else 0
        sides[s, 0], sides[s, 1] = search.region[k, 0], search.region[k, 1]
        sides[s, 2], sides[s, 3], sides[s, 4] = search.region[j, 0], search.region[j, 1], -3
        s += 1
    return c, s


@kernel
def _circles_meet(a: Ints, b: Ints, out: Ints) -> int:
    """The places where two circles cross or touch, rounded to the grid, and the middle between these.

    The corners of a narrow overlap are too sharp to hold a place of the grid; its middle is where there is room.
    """
    dx, dy = float(b[0] - a[0]), float(b[1] - a[1])
    d2 = dx * dx + dy * dy
    ra, rb = float(a[2]), float(b[2])
    if d2 == 0.0 or d2 > (ra + rb) * (ra + rb) or d2 < (ra - rb) * (ra - rb):
        return 0
    along = (d2 + ra * ra - rb * rb) / (2.0 * d2)
    across = math.sqrt(max(0.0, ra * ra / d2 - along * along))
    for k in range(3):
        side = across * (k - 1)
        out[k, 0] = a[0] + round(along * dx - side * dy)
        out[k, 1] = a[1] + round(along * dy + side * dx)
    return 3


@kernel
def _circle_meets_side(a: Ints, side: Ints, out: Ints) -> int:
    """The places where a circle crosses a side, rounded to the grid."""
    dx, dy = float(side[2] - side[0]), float(side[3] - side[1])
    fx, fy = float(side[0] - a[0]), float(side[1] - a[1])
    p, q, r = dx * dx + dy * dy, fx * dx + fy * dy, fx * fx + fy * fy - float(a[2]) * a[2]
    root = q * q - p * r
    if p == 0.0 or root < 0.0:
        return 0
    found = 0
    for sign in (-1.0, 1.0):
        t = (-q + sign * math.sqrt(root)) / p
        if 0.0 <= t <= 1.0:
            out[found, 0], out[found, 1] = side[0] + round(t * dx), side[1] + round(t * dy)
            found += 1
    return found


@kernel
def _sides_meet(a: Ints, b: Ints, out: Ints) -> int:
    """The place where two sides cross, rounded to the grid."""
    px, py = float(a[2] - a[0]), float(a[3] - a[1])
    qx, qy = float(b[2] - b[0]), float(b[3] - b[1])
    turn = px * qy - py * qx
    if turn == 0.0:
        return 0
    fx, fy = float(b[0] - a[0]), float(b[1] - a[1])
    t, u = (fx * qy - fy * qx) / turn, (fx * py - fy * px) / turn
    if not (0.0 <= t <= 1.0 and 0.0 <= u <= 1.0):
        return 0
    out[0, 0], out[0, 1] = a[0] + round(t * px), a[1] + round(t * py)
    return 1


@kernel
def _worth(
    bodies: Bodies, shapes: Shapes, models: Ints, weights: Ints, search: Search, x: int, y: int
) -> tuple[int, float]:
    """What a circle here covers, by weight, and how far off the middles of the covered models are."""
    template = Template(x, y, search.radius, x, y, search.radius)
    worth, away = 0, 0.0
    for m in range(models.shape[0]):
        i = models[m]
        dx, dy = bodies.pos[i, 0] - x, bodies.pos[i, 1] - y
        far = search.radius + shapes.reach[bodies.shape[i]] + 1
        if dx * dx + dy * dy <= far * far and is_under(bodies, shapes, i, template, search.how):
            worth += weights[m]
            away += float(dx * dx + dy * dy)
    return worth, away


@kernel
def _best_circle(
    bodies: Bodies, shapes: Shapes, models: Ints, weights: Ints, search: Search
) -> tuple[bool, int, int, int]:
    """The place of the greatest worth, of these the one nearest to what it covers, of these the first."""
    circles, c, sides, s = _outlines(bodies, shapes, models, search)
    c, s = _with_limits(search, circles, c, sides, s)
    found, best, away, bx, by = False, 0, 0.0, 0, 0
    place = np.empty((3, 2), dtype=np.int64)
    edges = c + s
    for a in range(edges):
        for b in range(a, edges):
            if a == b:
                number = _anchor_of(circles, c, sides, search, a, place)
            elif b < c:
                number = _circles_meet(circles[a], circles[b], place)
            elif a < c:
                number = _circle_meets_side(circles[a], sides[b - c], place)
            else:
                number = _sides_meet(sides[a - c], sides[b - c], place)
            for k in range(number):
                # A step to each side undoes the rounding, and steps off what should stay uncovered.
                for nudge in range(_NUDGES.shape[0]):
                    x, y = place[k, 0] + _NUDGES[nudge, 0], place[k, 1] + _NUDGES[nudge, 1]
                    if not _allowed(search, x, y):
                        continue
                    worth, far = _worth(bodies, shapes, models, weights, search, x, y)
                    if not found or worth > best or (worth == best and far < away):
                        found, best, away, bx, by = True, worth, far, x, y
    return found, bx, by, best


@kernel
def _anchor_of(circles: Ints, c: int, sides: Ints, search: Search, a: int, place: Ints) -> int:
    """A place for an edge that meets no other: its middle, and where that is not allowed, the nearest contact."""
    if a >= c:
        place[0, 0], place[0, 1] = sides[a - c, 0], sides[a - c, 1]
        return 1
    x, y = circles[a, 0], circles[a, 1]
    place[0, 0], place[0, 1] = x, y
    if search.by_radius < 0:
        return 1
    place[1, 0], place[1, 1] = offset(
        search.by_x, search.by_y, bearing(x - search.by_x, y - search.by_y), search.radius + search.by_radius
    )
    return 2


def best_circle(
    bodies: Bodies,
    shapes: Shapes,
    models: Ints,
    radius: int,
    *,
    weights: Ints | None = None,
    how: int = PARTLY,
    region: Ints | None = None,
    within: tuple[int, int, int] | None = None,
    touching: tuple[int, int, int] | None = None,
) -> tuple[int, int, int] | None:
    """The middle of the circle that covers the most, and how much that is; None where no place is allowed.

    `weights` says what each model counts (below 0: better not). `region` is a polygon for the middle, `within` a circle
    (x, y, distance) for it, and `touching` another round template (x, y, radius) whose edge it must touch.
    """
    models = np.ascontiguousarray(models, dtype=np.int64)
    counts = np.ones(models.shape[0], dtype=np.int64) if weights is None else weights.astype(np.int64)
    from_x, from_y, reach = within or (0, 0, NOWHERE)
    by_x, by_y, by_radius = touching or (0, 0, NOWHERE)
    search = Search(
        int(radius),
        int(how),
        NO_REGION if region is None else np.ascontiguousarray(region, dtype=np.int64),
        int(from_x),
        int(from_y),
        int(reach),
        int(by_x),
        int(by_y),
        int(by_radius),
    )
    found, x, y, worth = _best_circle(bodies, shapes, models, counts, search)
    return (int(x), int(y), int(worth)) if found else None


def warm_up() -> None:
    """Compile the kernels, or load them from disk."""
    shapes = pack([round_base(1, 1)])
    bodies = Bodies(np.zeros((2, 3), dtype=np.int64), np.zeros(2, dtype=np.int64), np.zeros(2, dtype=np.int64))
    models = np.arange(2)
    covered(bodies, shapes, models, teardrop(0, 0, 5, 8 * STEP, STEP, STEP // 4))
    best_circle(bodies, shapes, models, STEP)
