"""Moving a unit: from an answer to paths, to a verdict, to new positions.

The system says what stands in the way (`Obstacles`), how far each model may go, and which rule each offence breaks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from sandtable.battle.decisions import Leg, Move, Moves, Path
from sandtable.battle.machine import Battle
from sandtable.battle.verdict import ALLOWED, Reason, Verdict
from sandtable.battle.world import World
from sandtable.kit.way import Way
from sandtable.table.arrange import FORMATIONS, Clear, arrange
from sandtable.table.coherency import Coherency
from sandtable.table.grid import STEP, TURN, Floats, Ints, units
from sandtable.table.moves import CLIMB, GO, PIVOT, Code, Obstacles, flight, length, start_of, sweep_unit
from sandtable.table.scatter import offset
from sandtable.table.shapes import Bodies

AnyWorld: TypeAlias = World[Any, Any, Any, Any]
AnyBattle: TypeAlias = Battle[Any, Any, Any, Any]

_KINDS: Final = {"go": GO, "turn": PIVOT, "climb": CLIMB}
_NO_LEG: Final = (0, 0, 0, 0, 0)
_WORDS: Final = {GO: "go", PIVOT: "turn", CLIMB: "climb"}


class Offence(NamedTuple):
    """How a system words one kind of offence, and the rule that it breaks."""

    text: str
    rule: str


class Measure(NamedTuple):
    """What counts towards the distance that a model moves."""

    rise: bool = True
    """Climbing up and down counts."""
    turn: bool = False
    """The arc of a pivot counts."""
    through_air: bool = False
    """Each leg is measured as a straight line in space."""


def legs_of(path: Path) -> Ints:
    """A path as an array for the kernels."""
    return np.array([(_KINDS[leg.do], leg.x, leg.y, leg.z, leg.facing) for leg in path.legs], dtype=np.int64)


def path_of(legs: Ints) -> tuple[Leg, ...]:
    """Legs of an array as those of a path."""
    return tuple(Leg(_WORDS[kind], x, y, z, facing) for kind, x, y, z, facing in legs.tolist())


def paths_of(models: Sequence[int], moves: Moves) -> tuple[Ints, Ints, Ints]:
    """The models, their padded paths and the numbers of legs; a model without a path has none."""
    return padded_paths(models, {p.model: p for p in moves.paths})


def padded_paths(models: Sequence[int], paths: Mapping[int, Path]) -> tuple[Ints, Ints, Ints]:
    """The same for paths by model."""
    legs = [paths[m].legs if m in paths else () for m in models]
    counts = [len(found) for found in legs]
    # One array from plain numbers: an array for each path would take longer to make than to sweep.
    most = max(max(counts, default=0), 1)
    rows = [
        [*[(_KINDS[leg.do], leg.x, leg.y, leg.z, leg.facing) for leg in found], *[_NO_LEG] * (most - len(found))]
        for found in legs
    ]
    padded = np.array(rows, dtype=np.int64).reshape(len(rows), most, 5)
    return np.array(models, dtype=np.int64), padded, np.array(counts, dtype=np.int64)


def after(world: AnyWorld, moves: Moves) -> Bodies:
    """Where everybody would stand after the move."""
    pos, facing = world.state.models.pos.copy(), world.state.models.facing.copy()
    for path in moves.paths:
        end = path.legs[-1]
        pos[path.model] = (end.x, end.y, end.z)
        facing[path.model] = end.facing
    return Bodies(pos, facing, world.ground.shape)


def travelled(world: AnyWorld, path: Path, measure: Measure) -> float:
    """How far a model goes along its path, in grid steps."""
    start, legs = start_of(world.bodies, path.model), legs_of(path)
    if measure.through_air:
        return float(flight(start, legs))
    flat, rise, arc = length(start, legs, int(world.shapes.reach[world.ground.shape[path.model]]))
    return float(flat + (rise if measure.rise else 0) + (arc if measure.turn else 0.0))


def check_distance(
    world: AnyWorld, moves: Moves, allowance: Callable[[int], int], measure: Callable[[int], Measure], rule: str
) -> Verdict:
    """Whether no model goes further than it may; both callables take a model."""
    for path in moves.paths:
        far, limit = travelled(world, path, measure(path.model)), allowance(path.model)
        # A diagonal of whole grid steps is rarely a whole number of steps long: half a step is no distance.
        if far > limit + 0.5:
            text = f"A model would go {_length(world, far)}, but may go {_length(world, limit)}."
            return Verdict(False, (Reason(text, (rule,), {"far": units(far), "limit": units(limit)}),))
    return ALLOWED


def check_paths(
    world: AnyWorld, models: Sequence[int], moves: Moves, obstacles: Obstacles, offences: Mapping[Code, Offence]
) -> Verdict:
    """Whether every model can go along its path and end where it does."""
    rows, paths, counts = paths_of(models, moves)
    found = sweep_unit(world.bodies, world.shapes, world.terrain, rows, paths, counts, obstacles)
    reasons: list[Reason] = []
    for code, what, _ in found:
        if code == Code.OK:
            continue
        offence = offences.get(Code(int(code)), _BAD_LEG)
        text = offence.text.format(what=name_of(world, Code(int(code)), int(what)))
        reason = Reason(text, (offence.rule,) if offence.rule else ())
        if reason not in reasons:
            reasons.append(reason)
    return Verdict(False, tuple(reasons)) if reasons else ALLOWED


_BAD_LEG: Final = Offence("A leg goes straight, turns on the spot or climbs straight up or down, one at a time.", "")


def name_of(world: AnyWorld, code: Code, what: int) -> str:
    """What stands in the way, by name."""
    if what < 0:
        return "the table edge"
    if code in (Code.MODEL, Code.ZONE, Code.END_MODEL, Code.END_ZONE):
        return str(world.unit(int(world.state.models.unit[what])).name)
    terrain = world.terrain
    if code in (Code.WALL, Code.END_WALL):
        what = int(terrain.wall[what, 7])
    elif code in (Code.FLOOR, Code.END_CEILING):
        what = int(terrain.floor_level[what, 2])
    feature = world.table.features[what]
    return feature.name or feature.id


def carry_out(b: AnyBattle, moves: Moves) -> None:
    """Put the models where their paths end."""
    ends = [p.legs[-1] for p in moves.paths]
    b.move_models([p.model for p in moves.paths], [(e.x, e.y, e.z) for e in ends], [e.facing for e in ends])


def moves_to(world: AnyWorld, mode: str, models: Sequence[int], pos: Ints, facing: Ints | None = None) -> Moves:
    """A move that takes each model straight to its place; models that are there already stay."""
    paths = []
    for i, m in enumerate(models):
        path = straight_path(world, int(m), pos[i], None if facing is None else int(facing[i]))
        if path is not None:
            paths.append(path)
    return Moves(mode, tuple(paths))


def straight_path(world: AnyWorld, model: int, end: Sequence[int] | Ints, facing: int | None = None) -> Path | None:
    """Straight to a place, turning there if a facing is given; None when nothing changes."""
    here, turned = world.state.models.pos[model], int(world.state.models.facing[model])
    x, y, z = (int(v) for v in end)
    legs: list[Leg] = []
    if z > here[2]:
        legs.append(Leg("climb", int(here[0]), int(here[1]), z, turned))
    if (x, y) != (int(here[0]), int(here[1])):
        legs.append(Leg("go", x, y, max(z, int(here[2])), turned))
    if z < here[2]:
        legs.append(Leg("climb", x, y, z, turned))
    if facing is not None and facing != turned:
        legs.append(Leg("turn", x, y, z, facing % TURN))
    return Path(model, tuple(legs)) if legs else None


def walk(world: AnyWorld, model: int, end: Sequence[int] | Ints) -> Path | None:
    """Down first, then straight on, then up; None where the model stands there already."""
    x, y, z = (int(v) for v in world.state.models.pos[model])
    facing = int(world.state.models.facing[model])
    ex, ey, ez = (int(v) for v in end)
    legs = []
    if ez < z:
        legs.append(Leg("climb", x, y, ez, facing))
    if (ex, ey) != (x, y):
        legs.append(Leg("go", ex, ey, min(z, ez), facing))
    if ez > z:
        legs.append(Leg("climb", ex, ey, ez, facing))
    return Path(model, tuple(legs)) if legs else None


def walk_to(world: AnyWorld, way: Way, models: Ints, pos: Ints) -> Moves:
    """A move that takes each model to its place: down first, then straight on, then up; or through the air.

    Those in front go first: large models wait until the others have made room.
    """
    here = world.state.models.pos[models, :2]
    onwards = (pos[:, :2] - here).sum(axis=0)
    front = np.argsort(-(here[:, 0] * onwards[0] + here[:, 1] * onwards[1]), kind="stable")
    paths = [p for k in front.tolist() if (p := way.straight(world, int(models[k]), pos[k])) is not None]
    return Moves(way.move, tuple(paths))


def is_blocked(world: AnyWorld, way: Way, bodies: Bodies, path: Path) -> bool:
    """Whether a model cannot go along its path while all others stand as `bodies` says."""
    start = Bodies(bodies.pos.copy(), bodies.facing, bodies.shape)
    start.pos[path.model] = world.state.models.pos[path.model]
    swept = padded_paths((path.model,), {path.model: path})
    found = sweep_unit(start, world.shapes, world.terrain, *swept, way.blocks(world, path.model, path))
    return bool(found[0, 0] != Code.OK)


def route(world: AnyWorld, moves: Moves, obstacles: Obstacles, allowance: Callable[[int], int]) -> Moves:
    """The same ends by the shortest legal way, for each model whose straight way is blocked and that can get there."""
    return Moves(moves.mode, tuple(_routed(world, p, obstacles, allowance(p.model)) for p in moves.paths), moves.onto)


def _routed(world: AnyWorld, path: Path, obstacles: Obstacles, allowance: int) -> Path:
    from sandtable.table.path import shortest_path

    rows, legs, counts = paths_of((path.model,), Moves("", (path,)))
    found = sweep_unit(world.bodies, world.shapes, world.terrain, rows, legs, counts, obstacles)
    on_the_way = found[0, 0] != Code.OK and found[0, 2] >= 0
    if not on_the_way or any(leg.do != "go" for leg in path.legs):
        return path
    end = path.legs[-1]
    goal = (end.x, end.y, end.z)
    way = shortest_path(world.bodies, world.shapes, world.terrain, path.model, goal, allowance, obstacles)
    if way is None:
        return path
    return Path(path.model, path_of(way.legs))


def wander(
    world: AnyWorld,
    decision: Move,
    mode: str,
    allowance: int,
    clear: Clear,
    coherency: Coherency,
    rng: Random,
    *,
    towards: Sequence[tuple[int, int]] = (),
    tries: int = 6,
) -> Iterator[Moves]:
    """Places that a unit could go to, at random, with a liking for the points in `towards`."""
    models = np.array(decision.models, dtype=np.int64)
    if not len(models) or allowance <= 0:
        return
    bodies = world.bodies
    middle = bodies.pos[models].mean(axis=0)
    for _ in range(tries):
        x, y = int(middle[0]), int(middle[1])
        if towards and rng.random() < 0.6:
            tx, ty = rng.choice(list(towards))
            x, y = tx + rng.randint(-2 * STEP, 2 * STEP), ty + rng.randint(-2 * STEP, 2 * STEP)
        else:
            x, y = offset(x, y, rng.randrange(TURN), rng.randint(allowance // 4, allowance))
        shape = rng.choice(FORMATIONS[:5]) if len(models) > 1 and rng.random() < 0.4 else "keep"
        found = arrange(
            bodies,
            world.shapes,
            world.terrain,
            models,
            anchor=(int(x), int(y)),
            shape=shape,
            turn=False,
            allowance=allowance,
            clear=clear,
            coherency=coherency,
            z=int(bodies.pos[models[0], 2]),
        )
        if found.legal:
            yield moves_to(world, mode, decision.models, found.pos)


def furthest(world: AnyWorld, moves: Moves, measure: Measure) -> float:
    """How far the model that goes furthest goes, in grid steps."""
    return max((travelled(world, p, measure) for p in moves.paths), default=0.0)


def gaps_after(world: AnyWorld, bodies: Bodies, models: Ints, others: Ints) -> Floats:
    """Horizontal gaps between models as they would stand."""
    from sandtable.table.measure import gaps

    return gaps(bodies, world.shapes, models, others)


def _length(world: AnyWorld, far: float) -> str:
    mark = '"' if world.table.unit == "in" else " cm"
    return f"{units(far):.2f}{mark}"
