"""The question how a unit moves in the Movement phase."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from sandtable.battle import Move, Moves, Question, Verdict
from sandtable.forty.mind.pointing import march_reach, march_towards
from sandtable.forty.state import World40
from sandtable.forty.wandering import Marching, some_end, some_move


def how_to_move(march: Marching, judge: Callable[[Any, Move, Moves], Verdict]) -> Question:
    """How a unit moves that was selected: by itself it stays, or takes the first way that is found if it must move."""

    def stay(w: World40, d: Move) -> Moves:
        flown = march.flights(w, d, None) or ()
        return next((moves for moves in flown if judge(w, d, moves)), Moves(d.modes[0].name))

    return _question(march, judge, some_move, stay)


def how_to_end(
    march: Marching, judge: Callable[[Any, Move, Moves], Verdict], default: Callable[[Any, Move], Moves] | None = None
) -> Question:
    """How a unit ends a move that has begun, once dice were rolled for it."""
    return _question(march, judge, some_end, default or how_to_move(march, judge).default)


def _question(
    march: Marching,
    judge: Callable[[Any, Move, Moves], Verdict],
    ideas: Callable[[Any, Move, Random, Marching], Iterator[Moves]],
    default: Callable[[Any, Move], Moves] | None,
) -> Question:
    def suggest(w: World40, d: Move, rng: Random) -> Iterator[Moves]:
        flown = march.flights(w, d, rng)
        return ideas(w, d, rng, march) if flown is None else flown

    return Question(
        judge,
        suggest,
        default,
        towards=lambda w, d, goal: march_towards(w, d, goal, march),
        reach=lambda w, d, mode: march_reach(w, d, mode, march),
    )
