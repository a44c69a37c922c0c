"""Getting somewhere: on foot, through the air, around what is in the way, and as a whole unit."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from sandtable.battle.decisions import Leg, Moves, Path
from sandtable.kit.moving import after, padded_paths, path_of
from sandtable.kit.way import Way
from sandtable.table.arrange import Clear, arrange
from sandtable.table.grid import Ints
from sandtable.table.moves import WHOLE, Code, Obstacles, sweep_unit
from sandtable.table.path import shortest_path
from sandtable.table.shapes import Bodies
from sandtable.table.soar import Met

if TYPE_CHECKING:
    from sandtable.battle.system import AnyWorld

DETOURS: Final = 8
"""So many things on its way a flight is raised over, one after the other."""
_OPEN: Final = int(Code.OK)


class OnFoot:
    """What many ways (`kit.way.Way`) have in common: models walk, among models alone. A way says what else it knows."""

    __slots__ = ()

    def manner(self, w: AnyWorld, model: int, path: Path | None) -> Any:
        raise NotImplementedError

    def past(self, w: AnyWorld, manner: Any) -> Obstacles:
        raise NotImplementedError

    def blocks(self, w: AnyWorld, model: int, path: Path | None = None) -> Obstacles:
        """What stands in the way of a model."""
        return self.past(w, self.manner(w, model, path))

    def ends(self, w: AnyWorld, model: int) -> Obstacles:
        """The same for a search that wants all of a base on the ground."""
        return self.blocks(w, model)._replace(overhang=WHOLE)

    def things(self, w: AnyWorld, bodies: Bodies) -> Bodies:
        """Models alone."""
        return bodies

    def swing(self, w: AnyWorld, model: int, turned: int) -> float:
        """Turning costs nothing."""
        return 0.0

    def straight(self, w: AnyWorld, model: int, end: Sequence[int] | Ints) -> Path | None:
        """The plain way to a place."""
        return walk(w, model, end)

    def stopped_by(self, w: AnyWorld, path: Path) -> Met | None:
        """Nothing stops a flight."""
        return None

    def indoors(self, w: AnyWorld, model: int) -> bool:
        """Nobody moves through walls."""
        return False

    def flies(self, w: AnyWorld, model: int) -> bool:
        """Nobody flies."""
        return False

    def able(self, w: AnyWorld, model: int) -> bool:
        """Everybody can move."""
        return True


# --- One model --------------------------------------------------------------------------------------------------------


def walk(w: AnyWorld, model: int, end: Sequence[int] | Ints) -> Path | None:
    """Down first, then straight on, then up; None where the model stands there already."""
    x, y, z = (int(v) for v in w.state.models.pos[model])
    facing = int(w.state.models.facing[model])
    ex, ey, ez = (int(v) for v in end)
    legs = []
    if ez < z:
        legs.append(Leg("climb", x, y, ez, facing))
    if (ex, ey) != (x, y):
        legs.append(Leg("go", ex, ey, min(z, ez), facing))
    if ez > z:
        legs.append(Leg("climb", ex, ey, ez, facing))
    return Path(model, tuple(legs)) if legs else None


def through_air(w: AnyWorld, path: Path) -> float:
    """The length of a path as straight lines in space."""
    x, y, z = (int(v) for v in w.state.models.pos[path.model])
    far = 0.0
    for leg in path.legs:
        dx, dy, dz = leg.x - x, leg.y - y, leg.z - z
        far += math.sqrt(dx * dx + dy * dy + dz * dz)
        x, y, z = leg.x, leg.y, leg.z
    return far


def fly_to(
    w: AnyWorld, model: int, end: tuple[int, int, int], stopped_by: Callable[[AnyWorld, Path], Met | None]
) -> Path:
    """The straight way through the air to a place, raised over what stops a model there."""
    x, y, z = (int(v) for v in w.state.models.pos[model])
    facing = int(w.state.models.facing[model])
    # In plan the way is cut into steps of the grid; between `first` and `last` the model is above all that it met.
    parts = max(abs(end[0] - x), abs(end[1] - y))
    first, last, high = parts, 0, 0
    legs = _flight((x, y, z), end, facing, [])
    for _ in range(DETOURS):
        met = stopped_by(w, Path(model, tuple(leg for leg, _ in legs)))
        if met is None or not met.parts:
            break
        begun = legs[met.leg][1]
        first, last = max(0, min(first, begun + met.first - 1)), min(parts, max(last, begun + met.last + 1))
        high = max(high, met.top)
        turns = [(x + (end[0] - x) * k // parts, y + (end[1] - y) * k // parts, high, k) for k in (first, last)]
        legs = _flight((x, y, z), end, facing, turns)
    return Path(model, tuple(leg for leg, _ in legs))


def _flight(
    start: tuple[int, int, int], end: tuple[int, int, int], facing: int, turns: list[tuple[int, int, int, int]]
) -> list[tuple[Leg, int]]:
    """Legs through turning points to the end, and at which part of the way each begins."""
    legs = []
    (x, y, z), begun = start, 0
    for px, py, pz, part in (*turns, (*end, 0)):
        if (px, py, pz) != (x, y, z):
            legs.append((Leg("climb" if (px, py) == (x, y) else "go", px, py, pz, facing), begun))
        x, y, z, begun = px, py, pz, part
    return legs


def is_blocked(w: AnyWorld, way: Way, bodies: Bodies, path: Path) -> bool:
    """Whether a model cannot go along its path while all others stand as `bodies` says."""
    start = Bodies(bodies.pos.copy(), bodies.facing, bodies.shape)
    start.pos[path.model] = w.state.models.pos[path.model]
    swept = padded_paths((path.model,), {path.model: path})
    found = sweep_unit(start, w.shapes, w.terrain, *swept, way.blocks(w, path.model, path))
    return bool(found[0, 0] != _OPEN)


def route(w: AnyWorld, way: Way, bodies: Bodies, path: Path, blocks: Obstacles, far: int) -> Path | None:
    """The same end by the shortest legal way, where the straight one is blocked; None if no way was found."""
    if any(leg.do != "go" for leg in path.legs):
        return path
    rows, legs, counts = padded_paths((path.model,), {path.model: path})
    met = sweep_unit(bodies, w.shapes, w.terrain, rows, legs, counts, blocks)
    on_the_way = met[0, 0] != _OPEN and met[0, 2] >= 0
    if not on_the_way:
        return path
    end = path.legs[-1]
    swing = partial(way.swing, w, path.model)
    found = shortest_path(bodies, w.shapes, w.terrain, path.model, (end.x, end.y, end.z), far, blocks, swing)
    return None if found is None else Path(path.model, path_of(found.legs))


# --- A unit -----------------------------------------------------------------------------------------------------------


def walk_to(w: AnyWorld, way: Way, models: Ints, pos: Ints) -> Moves:
    """A move that takes each model to its place: down first, then straight on, then up; or through the air.

    Those in front go first: large models wait until the others have made room.
    """
    here = w.state.models.pos[models, :2]
    onwards = (pos[:, :2] - here).sum(axis=0)
    front = np.argsort(-(here[:, 0] * onwards[0] + here[:, 1] * onwards[1]), kind="stable")
    paths = [p for k in front.tolist() if (p := way.straight(w, int(models[k]), pos[k])) is not None]
    return Moves(way.move, tuple(paths))


def arranged(
    w: AnyWorld,
    way: Way,
    movers: Ints,
    limits: Ints,
    anchor: tuple[int, int],
    shape: str,
    z: int,
    clear: Clear | None = None,
) -> Moves | None:
    """A unit's move to where it finds room around a place; None where it finds none."""
    mates = w.on_table(w.unit(way.unit))
    staying = np.array([m for m in mates if m not in movers], dtype=np.int64)
    found = arrange(
        way.things(w, w.bodies),
        w.shapes,
        w.terrain,
        movers,
        anchor=anchor,
        shape=shape,  # type: ignore[arg-type]
        turn=False,
        allowance=limits,
        clear=way.room(w) if clear is None else clear,
        coherency=way.together(w, len(mates)),
        staying=staying,
        z=z,
    )
    return walk_to(w, way, movers, found.pos) if found.legal else None


def around(w: AnyWorld, way: Way, moves: Moves, limit: Callable[[int], int]) -> Moves:
    """The same ends, by the shortest way around what is in the way of each model.

    Models that are in each other's way go one after another, past the ends of those before them. Once a model has no
    way the others are left as they are, since the move is not legal anyway.
    """
    bodies, out = w.bodies, []
    for k, flown in enumerate(moves.paths):
        path, far, manner = flown, limit(flown.model), way.manner(w, flown.model, flown)
        blocks = way.past(w, manner)
        if manner.soars:
            if way.length(w, flown) <= far and not way.stopped_by(w, flown):
                out.append(flown)
                continue
            # What is too high to fly over may be open at another side.
            end = flown.legs[-1]
            path = walk(w, flown.model, (end.x, end.y, end.z)) or flown
            blocks = way.blocks(w, path.model)
        if manner.in_turn and out:
            bodies = after(w, Moves(moves.mode, tuple(out)))
        found = route(w, way, bodies, path, blocks, far)
        if found is None:
            out.extend(moves.paths[k:])
            break
        out.append(found)
    return Moves(moves.mode, tuple(out))
