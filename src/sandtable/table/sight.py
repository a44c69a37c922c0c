"""Who sees whom, and what is in the way: sight in space by critical lines.

A body is the upright prism over its base, from its underside to its height. `look` answers for all observers and
targets at once, in one kernel call: whether some straight line from one body to the other is clear, such a line,
whether the target is seen fully, and which features break that.

What blocks whom is not decided here. The system describes it with a `Blocking`:

- `observer_class[n, f]` and `target_class[m, f]` say in small numbers of the system's own choice how each of the two
  stands to feature f (outside, partly in it, wholly in it, exempt);
- `mode[f, oc, tc]` says what the *area* of f does to a line between such two: NONE; HARD, nothing is seen through it;
  SOFT, it never stops visibility but breaks full visibility; DEPTH, a line may run up to `depth[f]` through it,
  measured in the plan. An area blocks up to the height `band_top[f]`, which may be `FOREVER`;
- `physical[f, oc, tc]` says the same (NONE, HARD, SOFT) of the walls, floors and solid of f;
- `model_blocks[k]` says which models block, and `group[k]` to which unit each belongs. The observer's own unit never
  blocks; whether the target's does is said apart for visibility and for full visibility;
- `half_width` is half the width of a line of sight.

How exact it is
---------------
- A pair called visible is visible: its line was tested. It keeps `MARGIN` (1/1024) or `half_width` from every blocker,
  so joints between walls leak nothing; to touch the top of a blocker is to be stopped, so models of one height hide
  each other.
- A pair called hidden may be visible through a sliver of less than about 1/100, or through a gap that is bounded both
  in plan and in height (a window behind a floor's edge): the search tries lines past each corner in plan, and over each
  of these the lines past each corner in height, but does not move both at once.
- Visibility is the same both ways, where the blocking is.
- Full visibility is judged by 9 points across the side of the target that faces the observer, at its lowest edge, and
  also at half and full height where a blocker does not stand on the ground (a window, a floor, a model upstairs). Each
  must have a tested clear line to the observer. The part of the observer that a blocker hides is exact in plan; the
  observer stands for itself as the upright plate through its sides, at its top (or three heights). Depth limits are
  judged by 9 lines for each point. A blocker that hides less than the distance of two points, an eighth of the
  target's width, may go unnoticed. A target that is not visible is never fully visible.
- A feature is named in `broken` if it alone hides one of these points from all of the observer. Only if nothing alone
  does, all that hide it together are named. All models count as one.
- Bodies whose bases overlap in plan (on two floors) are judged by lines between 27 points of each.

The same bits come out on every machine and without compilation: only + - * / and sqrt decide.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from sandtable.table.grid import Bools, Floats, Ints
from sandtable.table.layout import Feature, Floor, Table, Terrain, Wall, compile_terrain
from sandtable.table.shapes import Bodies, Shapes, pack, round_base
from sandtable.table.sight_kernels import look_at_all, stopped_by
from sandtable.table.sight_pair import DEPTH, HARD, MARGIN, NONE, SOFT, Blocking
from sandtable.table.sight_prisms import Prisms, build

__all__ = [
    "DEPTH",
    "FOREVER",
    "HARD",
    "MARGIN",
    "NONE",
    "SOFT",
    "Blocking",
    "Sight",
    "clear",
    "look",
    "obstacles",
    "plain_blocking",
    "prisms_of",
    "sees_point",
    "warm_up",
]

_WHOLE: Final = np.dtype(np.int64)

FOREVER: Final = 1 << 40
"""The height of an area that is a column without end."""


class Sight(NamedTuple):
    """What `look` found. Rows are observers, columns are targets."""

    visible: Bools
    line: Floats
    """[observer, target, x y z on the observer, x y z on the target]: a clear line; 0 where nothing is seen"""
    full: Bools
    broken: Bools
    """[observer, target, feature]: which features break full visibility"""
    broken_by_model: Bools


def plain_blocking(terrain: Terrain, models: int, observers: int, targets: int) -> Blocking:
    """All walls, floors, solids and models block, areas do not; every model is a unit of its own. A start to change."""
    n = terrain.outline.shape[0]
    return Blocking(
        np.zeros((observers, n), dtype=np.int64),
        np.zeros((targets, n), dtype=np.int64),
        np.full((n, 1, 1), NONE, dtype=np.int64),
        np.zeros(n, dtype=np.int64),
        np.full(n, FOREVER, dtype=np.int64),
        np.full((n, 1, 1), HARD, dtype=np.int64),
        np.ones(models, dtype=np.int64),
        np.arange(models, dtype=np.int64),
        1,
        1,
        0,
    )


def look(
    bodies: Bodies,
    shapes: Shapes,
    terrain: Terrain,
    observers: Ints,
    targets: Ints,
    blocking: Blocking,
    fully: bool = True,
    prisms: Prisms | None = None,
) -> Sight:
    """Who of the observers sees whom of the targets, given as model numbers; without `fully`, only whether at all.

    `prisms` are those of `prisms_of`, where somebody looks more often while everything stands as it does.
    """
    _check(bodies, terrain, observers.shape[0], targets.shape[0], blocking)
    if prisms is None:
        prisms = prisms_of(bodies, shapes, terrain, blocking.band_top)
    visible, line, full, broken = look_at_all(
        _plain_bodies(bodies), shapes, prisms, _plain(observers), _plain(targets), _plain_table(blocking), fully
    )
    return Sight(visible, line, full, broken[:, :, :-1], broken[:, :, -1])


def prisms_of(bodies: Bodies, shapes: Shapes, terrain: Terrain, band_top: Ints) -> Prisms:
    """Everything on the table that can stand in a line of sight."""
    found: Prisms = build(_plain_bodies(bodies), shapes, terrain, _plain(band_top))
    return found


def obstacles(
    bodies: Bodies,
    shapes: Shapes,
    terrain: Terrain,
    blocking: Blocking,
    observer: int,
    target: int,
    p: ArrayLike,
    q: ArrayLike,
    row: int = 0,
    col: int = 0,
    fully: bool = False,
) -> Bools:
    """What stops the segments from points p to points q: [segment, feature], and in the last column any model.

    `observer` and `target` are models (-1 for none) that do not block, and `row` and `col` their rows in `blocking`.
    With `fully`, what breaks only full visibility counts too.
    """
    first = np.ascontiguousarray(np.atleast_2d(np.asarray(p, dtype=np.float64)))
    second = np.ascontiguousarray(np.atleast_2d(np.asarray(q, dtype=np.float64)))
    return stopped_by(
        _plain_bodies(bodies), shapes, terrain, _plain_table(blocking), observer, target, row, col, first, second, fully
    )


def clear(
    bodies: Bodies,
    shapes: Shapes,
    terrain: Terrain,
    blocking: Blocking,
    observer: int,
    target: int,
    p: ArrayLike,
    q: ArrayLike,
    row: int = 0,
    col: int = 0,
    fully: bool = False,
) -> bool:
    """Whether one straight segment from p to q, points in space, is clear; see `obstacles`."""
    return not obstacles(bodies, shapes, terrain, blocking, observer, target, p, q, row, col, fully).any()


def sees_point(
    bodies: Bodies, shapes: Shapes, terrain: Terrain, observer: int, point: tuple[int, int, int], blocking: Blocking
) -> Sight:
    """Sight from one model to a point in space; row 0 of both classes in `blocking` is for the two of them."""
    with_point = Bodies(
        np.vstack((bodies.pos, np.array([point], dtype=np.int64))),
        np.append(bodies.facing, 0),
        np.append(bodies.shape, shapes.corners.shape[0]),
    )
    with_dot = Shapes(
        np.concatenate((shapes.core, np.zeros_like(shapes.core[:1]))),
        np.append(shapes.corners, 1),
        *(np.append(a, 0) for a in (shapes.radius, shapes.height, shapes.thick, shapes.reach)),
    )
    for_point = blocking._replace(
        observer_class=blocking.observer_class[:1],
        target_class=blocking.target_class[:1],
        model_blocks=np.append(blocking.model_blocks, 0),
        group=np.append(blocking.group, -1),
    )
    target = np.array([bodies.pos.shape[0]])
    return look(with_point, with_dot, terrain, np.array([observer]), target, for_point)


def warm_up() -> None:
    """Compile, or load, all kernels of sight."""
    wall = Wall((0, 200), (400, 200), 0, 500, 10)
    roof = Floor(((0, 0), (400, 0), (200, 100), (400, 400)), 800, 10)
    ruin = Feature("ruin", "", ((0, 0), (400, 0), (400, 400), (0, 400)), 0, 500, walls=(wall,), floors=(roof,))
    terrain = compile_terrain(Table(4096, 4096, "inch", (ruin,)))
    shapes = pack([round_base(0.1, 0.2)])
    pos = np.array([[200, 0, 0], [200, 900, 0], [200, 10, 900]], dtype=np.int64)
    bodies = Bodies(pos, np.zeros(3, dtype=np.int64), np.zeros(3, dtype=np.int64))
    everyone = np.arange(3)
    blocking = plain_blocking(terrain, 3, 3, 3)
    look(bodies, shapes, terrain, everyone, everyone, blocking)
    sees_point(bodies, shapes, terrain, 0, (200, 900, 0), blocking)
    clear(bodies, shapes, terrain, blocking, 0, 1, (200, 0, 0), (200, 900, 0))


def _plain(a: Ints) -> Ints:
    """The array as the kernels were compiled for it: whole numbers, in a row, writable."""
    # Nearly all are: this is asked thirteen times for each look.
    if a.dtype == _WHOLE and a.flags.carray:
        return a
    return np.array(a, dtype=np.int64, order="C")


def _plain_bodies(bodies: Bodies) -> Bodies:
    return Bodies(_plain(bodies.pos), _plain(bodies.facing), _plain(bodies.shape))


def _plain_table(blocking: Blocking) -> Blocking:
    return Blocking(
        _plain(blocking.observer_class),
        _plain(blocking.target_class),
        _plain(blocking.mode),
        _plain(blocking.depth),
        _plain(blocking.band_top),
        _plain(blocking.physical),
        _plain(blocking.model_blocks),
        _plain(blocking.group),
        int(blocking.target_group_blocks_visible),
        int(blocking.target_group_blocks_full),
        int(blocking.half_width),
    )


def _check(bodies: Bodies, terrain: Terrain, observers: int, targets: int, blocking: Blocking) -> None:
    """The kernels do not look whether a table has the right size, so this is the place to find out."""
    features, models = terrain.outline.shape[0], bodies.pos.shape[0]
    if blocking.observer_class.shape != (observers, features) and (observers, features) != (0, 0):
        raise ValueError(f"observer_class is {blocking.observer_class.shape}, not {(observers, features)}")
    if blocking.target_class.shape != (targets, features) and (targets, features) != (0, 0):
        raise ValueError(f"target_class is {blocking.target_class.shape}, not {(targets, features)}")
    if blocking.mode.shape != blocking.physical.shape or blocking.mode.shape[0] != features:
        raise ValueError("mode and physical need a row for each feature, and the same classes")
    if min(len(blocking.depth), len(blocking.band_top)) < features:
        raise ValueError("depth and band_top need a number for each feature")
    if len(blocking.group) != models or len(blocking.model_blocks) != models:
        raise ValueError("group and model_blocks need a number for each model")
