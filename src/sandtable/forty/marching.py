"""How a unit moves in the Movement phase: the question, and the roll for an Advance."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any, Final

from sandtable.attack.volley import FACES
from sandtable.battle import Move, Moves, Question, Verdict
from sandtable.battle.rolls import Total
from sandtable.forty.effects.other_rolls import added, sum_rolled
from sandtable.forty.effects.permissions import allows
from sandtable.forty.mind.pointing import march_reach, march_towards
from sandtable.forty.state import Battle40, Unit, World40
from sandtable.forty.wandering import Marching, some_end, some_move
from sandtable.kit.dice import parts_of
from sandtable.kit.grammar import does

BOOST: Final = 6
"""Inches of an Advance that abilities let a unit make without a roll."""


async def roll_advance(b: Battle40, unit: Unit, enough: int, rule: str, poor: int | None = None) -> None:
    """One D6 for the whole unit, before any model moves; abilities add to it, or roll less than `enough` again.

    The usual answer is to do so with less than `poor`, where that is told.

    Where an ability says so it is 6", without a roll, and nothing is added that changes rolls.
    """
    far = BOOST
    names: tuple[str, ...] = ()
    if not allows(b, unit, "advance_6"):
        more, names = added(b, unit, "advance")
        read = Total("inch(es) more", parts_of(more, names), plus=more)
        far = max(0, (await sum_rolled(b, unit, "advance", 1, read, rule, enough=enough, poor=poor))[0] + more)
    b.set_unit(unit, advance=far)
    b.tell("advance", f'{does(unit, "Advances")}: {far}" more.', rule, *names, units=[unit.id])


def advance_adds(w: World40, unit: Unit, dice: str) -> str:
    """What an Advance adds to the Move of a unit, as long as it is not rolled."""
    if unit.moved or allows(w, unit, "advance_6"):
        return "" if unit.moved else str(BOOST)
    more, _ = added(w, unit, "advance")
    return f"{dice}{more:+}" if more else dice


def advance_by_face(w: World40, unit: Unit, read: Callable[[int], int] = int) -> tuple[int, ...]:
    """The same by faces of the die, in inches; `read` is what the edition makes of a face before anything is added."""
    if allows(w, unit, "advance_6"):
        return (BOOST,)
    more, _ = added(w, unit, "advance")
    return tuple([max(0, read(face) + more) for face in FACES])


def how_to_move(march: Marching, judge: Callable[[Any, Move, Moves], Verdict]) -> Question:
    """How a unit moves that was selected: by itself it stays, or takes the first way that is found if it must move.

    To stay is therefore the first mode of the question, wherever a unit may.
    """

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
