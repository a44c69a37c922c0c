"""Flying straight on, as aircraft do: paths along the facing of a model that end with a turn."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import TYPE_CHECKING, Final

import numpy as np

from sandtable.battle.decisions import Leg, Moves, Path
from sandtable.battle.kept import PLACES, kept
from sandtable.battle.verdict import Verdict
from sandtable.kit.flags import hostile, on_the_table
from sandtable.kit.moving import after
from sandtable.kit.walking import arranged
from sandtable.kit.way import Way
from sandtable.table.cores import place_core
from sandtable.table.grid import STEP, TURN, Ints
from sandtable.table.measure import on_table
from sandtable.table.moves import Code, Obstacles, may_end, obstacles
from sandtable.table.scatter import offset
from sandtable.table.shapes import Bodies
from sandtable.table.zones import Ball, Zone

if TYPE_CHECKING:
    from sandtable.battle.system import AnyWorld

PACE: Final = STEP // 2
"""How far apart the places are that a search for the end of a flight looks at."""
IDEAS: Final = 4
ENDS: Final = 40
"""So many ends are tried for a unit that has to get some way."""
FORMATIONS: Final = ("block", "string")
"""How a unit lines up that cannot get there as it stands."""
RING: Final = 360
"""In so many directions a search looks for ends exactly so far away."""


def flight(w: AnyWorld, model: int, far: int, pivot: int = 0) -> Path:
    """The path of a model that flies so far, then turns."""
    x, y, z = (int(v) for v in w.state.models.pos[model])
    facing = int(w.state.models.facing[model])
    ex, ey = (int(v) for v in offset(x, y, facing, far))
    legs = [Leg("go", ex, ey, z, facing)]
    if pivot:
        legs.append(Leg("turn", ex, ey, z, (facing + pivot) % TURN))
    return Path(model, tuple(legs))


def flown(w: AnyWorld, path: Path) -> float:
    """How far the first leg of a path leads."""
    x, y, _ = (int(v) for v in w.state.models.pos[path.model])
    dx, dy = path.legs[0].x - x, path.legs[0].y - y
    return math.sqrt(dx * dx + dy * dy)


def leads_straight_on(w: AnyWorld, path: Path) -> bool:
    """Whether a path leads along the facing of its model, on one level, and then only turns."""
    x, y, z = (int(v) for v in w.state.models.pos[path.model])
    facing, first = int(w.state.models.facing[path.model]), path.legs[0]
    ex, ey = offset(x, y, facing, round(flown(w, path)))
    straight = abs(ex - first.x) <= 1 and abs(ey - first.y) <= 1 and first.z == z
    return first.do == "go" and first.facing == facing and straight and all(leg.do == "turn" for leg in path.legs[1:])


def turned_once(path: Path) -> int | None:
    """How far a path turns its model on the spot after the first leg; None if it does not do so in one turn."""
    first, *turns = path.legs
    if len(turns) > 1 or any((leg.x, leg.y, leg.z) != (first.x, first.y, first.z) for leg in turns):
        return None
    turned = sum(abs(leg.facing - first.facing) for leg in turns)
    return min(turned, TURN - turned)


def stays_on_table(w: AnyWorld, moves: Moves) -> bool:
    """Whether all models are on the table when their flights end, before they turn and after."""
    straight = after(w, Moves(moves.mode, tuple(Path(p.model, p.legs[:1]) for p in moves.paths)))
    size, turned = w.terrain.size, after(w, moves)
    return all(on_table(b, w.shapes, p.model, size) for p in moves.paths for b in (straight, turned))


def at_the_end(w: AnyWorld, player: int, zone: Zone | Ball) -> Obstacles:
    """What a flight may not end in: models, and a zone around the enemies of a player."""
    here = on_the_table(w)
    return obstacles(len(here), w.terrain, end_block=here, end_zone=zone, end_zoned=hostile(w, player), fly=True)


def furthest(w: AnyWorld) -> int:
    """As far as anybody could want to fly."""
    return w.table.width + w.table.depth


def shortest_flight(
    w: AnyWorld, mode: str, models: Sequence[int], least: int, pivot: int, accept: Callable[[Moves], bool]
) -> Moves | None:
    """The shortest flight of at least some length that is accepted and stays on the table, if there is one."""
    for far in range(least, furthest(w), PACE):
        moves = Moves(mode, tuple(flight(w, m, far, pivot) for m in models))
        if not stays_on_table(w, moves):
            return None
        if accept(moves):
            return moves
    return None


def some_flights(
    w: AnyWorld, mode: str, models: Sequence[int], least: int, widest: int, rng: Random
) -> Iterator[Moves]:
    """Flights at random: somewhere ahead, with some turn, and now and then off the table."""
    for _ in range(IDEAS):
        far, pivot = rng.randint(least, furthest(w)), rng.randint(-widest, widest)
        if rng.random() < 0.5:
            far = least + rng.randint(0, least // 4)
        moves = Moves(mode, tuple(flight(w, m, far, pivot) for m in models))
        if stays_on_table(w, moves) or rng.random() < 0.2:
            yield moves


# --- Ends at a distance from the start --------------------------------------------------------------------------------


def furthered(w: AnyWorld, model: int, ends: Bodies) -> float:
    """How far each point of a base is, at the least, from where it is now, if its model ends as `ends` says."""
    shape, now = int(w.ground.shape[model]), w.bodies
    count, radius = int(w.shapes.corners[shape]), int(w.shapes.radius[shape])
    if count == 1:
        dx, dy = (int(v) for v in ends.pos[model, :2] - now.pos[model, :2])
        return math.sqrt(dx * dx + dy * dy)
    shifts = (_corners(w, model, ends) - _corners(w, model, now)).astype(np.float64)
    turned = abs(int(ends.facing[model]) - int(now.facing[model])) * math.pi / TURN
    return max(0.0, _from_origin(shifts) - 2 * radius * abs(math.sin(turned)))


def _corners(w: AnyWorld, model: int, bodies: Bodies) -> Ints:
    core = np.empty((w.shapes.core.shape[1], 2), dtype=np.int64)
    x, y, _ = (int(v) for v in bodies.pos[model])
    return core[: place_core(w.shapes, int(bodies.shape[model]), x, y, int(bodies.facing[model]), core)]


def _from_origin(corners: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> float:
    """How far an outline is from the origin; 0 where it is around it."""
    ahead = np.roll(corners, -1, axis=0)
    side = ahead - corners
    long = (side**2).sum(axis=1)
    part = np.clip(-(corners * side).sum(axis=1) / np.maximum(long, 1e-9), 0.0, 1.0)
    nearest = corners + part[:, None] * side
    turns = corners[:, 0] * ahead[:, 1] - corners[:, 1] * ahead[:, 0]
    is_around = bool((turns > 0).all() or (turns < 0).all())
    return 0.0 if is_around else float(np.sqrt((nearest**2).sum(axis=1)).min())


@kept(PLACES)
def ends_beyond(w: AnyWorld, way: Way, model: int, least: int, most: int) -> Ints:
    """Places (x, y) on the ground all over the table where a model may end that far from where it stands."""
    x, y, _ = (int(v) for v in w.state.models.pos[model])
    facing = int(w.state.models.facing[model])
    xs, ys = np.meshgrid(np.arange(0, w.table.width + 1, PACE), np.arange(0, w.table.depth + 1, PACE))
    ring = [offset(x, y, k * TURN // RING, least) for k in range(RING)]
    spots = np.concatenate((np.stack((xs.ravel(), ys.ravel()), axis=1), np.array(ring, dtype=np.int64)))
    far = np.sqrt((spots[:, 0] - x) ** 2 + (spots[:, 1] - y) ** 2)
    spots = spots[(far >= least - 0.5) & (far <= most + 0.5)]
    rest = np.tile(np.array([0, facing], dtype=np.int64), (len(spots), 1))
    places = np.ascontiguousarray(np.concatenate((spots, rest), axis=1).astype(np.int64))
    found = may_end(w.bodies, w.shapes, w.terrain, model, places, way.blocks(w, model))
    return np.asarray(spots[found[:, 0] == Code.OK])


def flights_beyond(
    w: AnyWorld, way: Way, models: Sequence[int], reach: Sequence[tuple[int, int]], rng: Random | None
) -> Iterator[Moves]:
    """Flights of models, each to a place that is so far away at the least and at the most; some may be no good.

    Straight on side by side, to where the first may end; then as they find room around such places. Without chance
    these are spread evenly.
    """
    ends = ends_beyond(w, way, models[0], *reach[0])
    few = min(ENDS, len(ends))
    tried = rng.sample(range(len(ends)), few) if rng else [k * len(ends) // few for k in range(few)]
    for k in tried:
        dx, dy = (int(v) for v in ends[k] - w.state.models.pos[models[0], :2])
        yield Moves(way.move, tuple(_by(w, m, dx, dy) for m in models))
    limits = np.array([most for _, most in reach], dtype=np.int64)
    for k in tried:
        for shape in FORMATIONS:
            found = arranged(w, way, np.array(models), limits, (int(ends[k][0]), int(ends[k][1])), shape, 0)
            if found is not None:
                yield found


def who_is_stuck(
    w: AnyWorld,
    way: Way,
    models: Sequence[int],
    reach: Sequence[tuple[int, int]],
    accept: Callable[[Moves], Verdict],
) -> list[int]:
    """Who has no place to get to; if each has one, but not all together, those without whom the others might."""
    if any(accept(moves) for moves in flights_beyond(w, way, models, reach, None)):
        return []
    pairs = zip(models, reach, strict=True)
    alone = [m for m, (least, most) in pairs if least and not len(ends_beyond(w, way, m, least, most))]
    return alone or list(reversed(models))


def _by(w: AnyWorld, model: int, dx: int, dy: int) -> Path:
    """The path of a model that flies down to the ground, so far to the side."""
    x, y, z = (int(v) for v in w.state.models.pos[model])
    facing = int(w.state.models.facing[model])
    down = (Leg("climb", x, y, 0, facing),) if z else ()
    return Path(model, (*down, Leg("go", x + dx, y + dy, 0, facing)))
