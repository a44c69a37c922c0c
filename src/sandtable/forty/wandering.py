"""Ideas for moves of the Movement phase: mostly forward, at times aboard a transport, sometimes nowhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any, Final, NamedTuple

from sandtable.battle import Move, Moves, Verdict
from sandtable.forty.markers import worth_going_to
from sandtable.forty.passengers import ways_aboard
from sandtable.forty.state import ADVANCE, FALL_BACK, NORMAL, STATIONARY, World40
from sandtable.kit.ideas import wander
from sandtable.kit.way import Way

BOARDING: Final = 0.4
"""How often a unit near a transport thinks of getting in."""
HURRYING: Final = 0.15
RETREATING: Final = 0.5
FLEEING: Final = 0.3
GOING: Final = 0.92
"""How often it thinks of an Advance, of a Fall Back anywhere or by the best way, and of any move at all."""


class Marching(NamedTuple):
    """How the units of an edition move in the Movement phase."""

    way: Callable[[Any, Any, str], Way]
    """(world, unit, kind of move): how its models get about."""
    allowance: Callable[[Any, Any, int, str], int]
    """(world, unit, model, kind of move): how far a model goes, in grid steps."""
    hold: Callable[[Any, Any, Sequence[Any]], Verdict] | None = None
    """(world, transport, units): whether there is room for all of them; None where nobody thinks of getting in..."""
    boarding: Callable[[], int] = lambda: 0
    """...and how near to a transport they have to get for that."""
    flights: Callable[[Any, Move, Random | None], Iterator[Moves] | None] = lambda w, d, rng: None
    """(world, question, chance): ways of who has to move, without chance the first ones; None for who may stay."""
    way_out: Callable[[Any, Any], Moves | None] | None = None
    """(world, unit): a Fall Back, where that is thought of on its own."""
    adds: Callable[[Any, Any], Sequence[int]] = lambda w, unit: ()
    """(world, unit): what each face of the die adds to an Advance, in inches; one number where nothing is rolled."""


def some_move(w: World40, d: Move, rng: Random, march: Marching) -> Iterator[Moves]:
    """Ways to move a unit that was selected."""
    names = [m.name for m in d.modes]
    if NORMAL in names and rng.random() < BOARDING:
        yield from _into_transports(w, d, NORMAL, march)
    if march.way_out is not None and FALL_BACK in names and rng.random() < FLEEING:
        out = march.way_out(w, w.unit(d.unit))
        yield from () if out is None else (out,)
    chance = rng.random()
    if ADVANCE in names and chance < HURRYING:
        yield Moves(ADVANCE)
    if FALL_BACK in names and chance < RETREATING:
        yield from _anywhere(w, d, FALL_BACK, rng, march)
    if NORMAL in names and chance < GOING:
        yield from _anywhere(w, d, NORMAL, rng, march)
    yield Moves(STATIONARY)


def some_end(w: World40, d: Move, rng: Random, march: Marching) -> Iterator[Moves]:
    """Ways to end a move that has begun."""
    if rng.random() < BOARDING:
        yield from _into_transports(w, d, d.modes[0].name, march)
    yield from _anywhere(w, d, d.modes[0].name, rng, march)


def _anywhere(w: World40, d: Move, move: str, rng: Random, march: Marching) -> Iterator[Moves]:
    unit = w.unit(d.unit)
    way, limit = march.way(w, unit, move), _limit(w, d, move, march)
    yield from wander(w, way, d.models, limit, worth_going_to(w, unit.player), rng)


def _into_transports(w: World40, d: Move, move: str, march: Marching) -> Iterator[Moves]:
    unit = w.unit(d.unit)
    if march.hold is not None and not unit.disembarked:
        way, limit = march.way(w, unit, move), _limit(w, d, move, march)
        yield from ways_aboard(w, d.models, way, limit, march.boarding(), march.hold)


def _limit(w: World40, d: Move, move: str, march: Marching) -> Callable[[int], int]:
    unit = w.unit(d.unit)
    return lambda model: march.allowance(w, unit, model, move)
