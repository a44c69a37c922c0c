"""Flyers whose Move is two numbers: the least and the most that they move, and how they crash."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Final

from sandtable.battle import ALLOWED, Leg, Moves, Path, Verdict, refuse
from sandtable.forty.state import called
from sandtable.kit.flights import ends_beyond, furthered
from sandtable.rules import rule
from sandtable.systems.w40k8.characteristics import printed
from sandtable.systems.w40k8.moving import passage
from sandtable.systems.w40k8.slain import slay
from sandtable.systems.w40k8.state import NORMAL, Battle8, Unit, World8
from sandtable.table.grid import steps, units
from sandtable.table.shapes import Bodies

IDEAS: Final = 40
"""So many ends are tried for a unit of flyers."""


@rule("w40k8.move.minimum", neutral=0)
def least_of(move: int | str | None) -> int:
    """The lower number of a Move such as 20-60, in inches; 0 for any other."""
    return int(move.split("-")[0]) if isinstance(move, str) and "-" in move else 0


def least_move(w: World8, model: int) -> int:
    """How far a model has to get in its Movement phase, in grid steps."""
    return steps(least_of(printed(w, model, "move")))


def must_move(w: World8, unit: Unit) -> bool:
    """Whether a unit cannot stay where it is."""
    return any(least_move(w, int(m)) for m in w.on_table(unit))


@rule("w40k8.move.minimum", neutral=True)
def all_may_stay(w: World8, units: Sequence[Unit]) -> bool:
    """Nobody is left unmoved who has a least move."""
    return not any(must_move(w, unit) for unit in units)


@rule("w40k8.move.minimum", neutral=ALLOWED)
def check_least(w: World8, unit: Unit, bodies: Bodies) -> Verdict:
    """Each point of the base ends at least so far from where it began, whatever the way between."""
    for m in w.on_table(unit).tolist():
        least, far = least_move(w, m), furthered(w, m, bodies)
        if round(far) < least:
            text = f'{called(w, m)} would end {units(far):.2f}" from where it began, and has to get {units(least):g}".'
            return refuse(text, "w40k8.move.minimum")
    return ALLOWED


@rule("w40k8.move.minimum_crash")
async def crash(b: Battle8, unit: Unit, most: Callable[[int], int]) -> None:
    """Whoever has no place on the table to get to with its least move is destroyed."""
    for m in b.on_table(unit).tolist():
        least = least_move(b, m)
        if least and not len(ends_beyond(b, passage(b, unit, NORMAL), m, least, most(m))):
            text = f"{called(b, m)} has nowhere to go with its least move, and crashes."
            b.tell("crashed", text, "w40k8.move.minimum_crash", units=[unit.id])
            await slay(b, m)


def flights(w: World8, unit: Unit, move: str, most: Callable[[int], int], rng: Random | None) -> Iterator[Moves]:
    """Straight flights of a whole unit to places where its first model may end; without chance, spread evenly."""
    models = w.on_table(unit).tolist()
    first = models[0]
    ends = ends_beyond(w, passage(w, unit, move), first, least_move(w, first), most(first))
    few = min(IDEAS, len(ends))
    for k in rng.sample(range(len(ends)), few) if rng else [k * len(ends) // few for k in range(few)]:
        dx, dy = (int(v) for v in ends[k] - w.state.models.pos[first, :2])
        yield Moves(move, tuple(_flight(w, m, dx, dy) for m in models))


def _flight(w: World8, model: int, dx: int, dy: int) -> Path:
    x, y, z = (int(v) for v in w.state.models.pos[model])
    facing = int(w.state.models.facing[model])
    down = (Leg("climb", x, y, 0, facing),) if z else ()
    return Path(model, (*down, Leg("go", x + dx, y + dy, 0, facing)))
