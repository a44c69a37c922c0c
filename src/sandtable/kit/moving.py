"""Paths of models: as arrays for kernels, as lengths, and as where they lead."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from sandtable.battle.decisions import Leg, Mode, Move, Moves, Path
from sandtable.battle.machine import Battle
from sandtable.battle.world import World
from sandtable.kit.grammar import counted, does
from sandtable.kit.otherwise import standing
from sandtable.table.grid import Ints
from sandtable.table.moves import CLIMB, GO, PIVOT, flight, length, start_of
from sandtable.table.shapes import Bodies

AnyWorld: TypeAlias = World[Any, Any, Any, Any]
AnyBattle: TypeAlias = Battle[Any, Any, Any, Any]

_KINDS: Final = {"go": GO, "turn": PIVOT, "climb": CLIMB}
_NO_LEG: Final = (0, 0, 0, 0, 0)
_WORDS: Final = {GO: "go", PIVOT: "turn", CLIMB: "climb"}


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


def padded_paths(models: Sequence[int], paths: Mapping[int, Path]) -> tuple[Ints, Ints, Ints]:
    """The models, their padded paths and the numbers of legs; a model without a path has none."""
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


def world_after(world: AnyWorld, moves: Moves) -> AnyWorld:
    """A world of its own in which a move was made."""
    return standing(world, after(world, moves))


def ends_of(world: AnyWorld, moves: Moves) -> tuple[Bodies, Ints]:
    """Where everybody would stand after the move, and who has moved."""
    return after(world, moves), np.array([p.model for p in moves.paths], dtype=np.int64)


def travelled(world: AnyWorld, path: Path, measure: Measure) -> float:
    """How far a model goes along its path, in grid steps."""
    start, legs = start_of(world.bodies, path.model), legs_of(path)
    if measure.through_air:
        return float(flight(start, legs))
    flat, rise, arc = length(start, legs, int(world.shapes.reach[world.ground.shape[path.model]]))
    return float(flat + (rise if measure.rise else 0) + (arc if measure.turn else 0.0))


def carry_out(b: AnyBattle, moves: Moves) -> None:
    """Put the models where their paths end."""
    ends = [p.legs[-1] for p in moves.paths]
    b.move_models([p.model for p in moves.paths], [(e.x, e.y, e.z) for e in ends], [e.facing for e in ends])


async def make_move(b: AnyBattle, question: Move, kind: str, text: str, rule: str) -> None:
    """Ask how a unit moves, carry it out and tell it; a unit that stays is not told of."""
    moves = await b.ask(question)
    if moves.paths:
        carry_out(b, moves)
        b.tell(kind, text, rule, units=[question.unit])


def modes_open(
    w: AnyWorld,
    unit: Any,
    names: Mapping[str, str],
    may: Callable[[str], object],
    far: Callable[[Any, Any, int, str], int],
    more: Mapping[str, str] | None = None,
    later: Collection[str] = (),
) -> tuple[Mode, ...]:
    """The moves that are open to a unit, by their names, with how far its models may go.

    `far` says how far a model goes: (world, unit, model, move); `more` what is added to some of them. Where
    models go is asked `later` for some, once they were chosen.
    """
    models = w.on_table(unit).tolist()

    def mode(move: str, name: str) -> Mode:
        ways = [far(w, unit, m, move) for m in models] or [0]
        slowest = min(ways) if min(ways) < max(ways) else 0
        return Mode(move, name, max(ways), slowest, (more or {}).get(move, ""), move in later)

    return tuple(mode(move, name) for move, name in names.items() if may(move))


def tell_move(b: AnyBattle, unit: Any, moves: Moves, verb: str, rule: str, *, idle: str = "", **more: Any) -> None:
    """A unit has moved; `idle` is what is said where none of its models did."""
    who = idle if idle and not moves.paths else f" with {counted(len(moves.paths), 'model')}"
    b.tell("moved", f"{does(unit, verb)}{who}.", rule, units=[unit.id], **more)
