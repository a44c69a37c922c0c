"""Flying straight on, as aircraft do: paths along the facing of a model that end with a turn."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import TYPE_CHECKING, Final

from sandtable.battle.decisions import Leg, Moves, Path
from sandtable.kit.moving import after
from sandtable.table.grid import STEP, TURN
from sandtable.table.measure import on_table
from sandtable.table.scatter import offset

if TYPE_CHECKING:
    from sandtable.battle.system import AnyWorld

PACE: Final = STEP // 2
"""How far apart the places are that a search for the end of a flight looks at."""
IDEAS: Final = 4


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
