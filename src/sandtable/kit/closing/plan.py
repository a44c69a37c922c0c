"""A plan for a move that seeks the enemy: how it is judged, found and proposed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

import numpy as np

from sandtable.battle.decisions import Move, Moves
from sandtable.battle.kept import EVERYTHING, PLACES, kept
from sandtable.battle.system import Goal, Question, Reach
from sandtable.battle.verdict import Verdict
from sandtable.kit.closing.contact import Contact
from sandtable.kit.closing.instead import more_contact
from sandtable.kit.detours import reach_of, ways_to, ways_to_ends
from sandtable.table.grid import STEP

if TYPE_CHECKING:
    from sandtable.battle.system import AnyWorld

    Judge: TypeAlias = Callable[[AnyWorld, Contact, Moves], Verdict]
    Attempt: TypeAlias = Callable[[AnyWorld, Contact], Iterator[Moves]]

MENDS: Final = 100
"""So often a move found by the search is made better. Each time one more model touches: no unit has so many."""


class Plan(NamedTuple):
    """How an edition goes about a move that seeks the enemy. All in it are plain values and plain functions."""

    contact: Contact
    judged: Judge
    """The whole verdict on an answer: all conditions, and duties"""
    attempts: tuple[Attempt, ...]
    """Where to look for a move, the best first; what is found need not be legal"""
    some: Callable[[AnyWorld, Contact], Moves | None] | None = None
    """Where one must be made if it can be: the search that decides whether it can"""
    idle: str = ""
    """The mode of an answer in which nobody moves"""


@kept(EVERYTHING)
def judge(w: AnyWorld, plan: Plan, moves: Moves) -> Verdict:
    """Whether a move may be made like this."""
    # The search that proposes a move has it judged, and whoever gives it as an answer again.
    return plan.judged(w, plan.contact, moves)


@kept(PLACES)
def find(w: AnyWorld, plan: Plan) -> Moves | None:
    """A legal move, as good as the attempts make it; None where none is found."""
    c = plan.contact
    plain = None if plan.some is None else plan.some(w, c)
    if plan.some is not None and plain is None:
        return None
    tries = (moves for attempt in plan.attempts for moves in attempt(w, c) if moves.paths)
    found = next((legal for moves in tries if (legal := mend(w, plan, moves)) is not None), None)
    if found is None and plain is not None:
        found = mend(w, plan, plain)
    while found is not None and c.several and c.ladder:
        # With several units to reach, whom the first ones go for decides how many get to them.
        more = more_contact(w, c, found)
        more = None if more is None else mend(w, plan, more)
        if more is None:
            break
        found = more
    return found


def mend(w: AnyWorld, plan: Plan, moves: Moves) -> Moves | None:
    """A move that is legal, starting from one that nearly is: each refusal names a better one."""
    for _ in range(MENDS):
        verdict = judge(w, plan, moves)
        if verdict:
            return moves
        if not isinstance(verdict.instead, Moves):
            return None
        moves = verdict.instead
    return None


def default(w: AnyWorld, plan: Plan) -> Moves:
    """The move that the search finds, else none."""
    return find(w, plan) or Moves(plan.idle)


# --- Where somebody points --------------------------------------------------------------------------------------------


def towards(w: AnyWorld, plan: Plan, goal: Goal) -> Iterator[Moves]:
    """Legal moves that end where somebody points, or near it: as wanted, mended where that is enough, or others."""
    c = plan.contact
    wanted = [spot for spot in goal.ends if spot.model in c.movers]
    place = np.array([goal.x / STEP, goal.y / STEP])
    for moves in (
        *ways_to_ends(w, c.way, wanted, lambda _: c.far),
        *ways_to(w, c.way, c.movers, place, lambda _: c.far, shapes=(goal.shape, "keep")),
    ):
        legal = mend(w, plan, moves)
        if legal is not None:
            yield legal
    found = find(w, plan)
    if found is not None:
        yield found


def reach(w: AnyWorld, plan: Plan, mode: str) -> Iterator[Reach]:
    """Where those may end who go, before anything is said about where they must; nowhere for who does not go."""
    c = plan.contact
    if mode == c.way.move:
        yield from reach_of(w, c.way, c.movers, lambda _: c.far)


# --- Ideas ------------------------------------------------------------------------------------------------------------


def without_one(best: Moves, rng: Random) -> Iterator[Moves]:
    """A move, sometimes without one of those who need not go."""
    if len(best.paths) > 2 and rng.random() < 0.3:
        keep = sorted(rng.sample(range(len(best.paths)), len(best.paths) - 1))
        yield Moves(best.mode, tuple(best.paths[i] for i in keep))
    yield best


def parts(best: Moves, rng: Random) -> Iterator[Moves]:
    """A move, parts of it, or none."""
    chance = rng.random()
    if chance < 0.1:
        yield Moves(best.mode)
    if chance < 0.3 and len(best.paths) > 1:
        yield Moves(best.mode, tuple(p for p in best.paths if rng.random() < 0.7))
    yield best
    yield Moves(best.mode)


def question(
    plan_of: Callable[[Any, Move], Plan],
    ideas: Callable[[Moves, Random], Iterator[Moves]],
    **more: Any,
) -> Question:
    """What the machine asks for about a move that is made by a plan; `more` goes to the `Question` as it is."""

    def suggest(w: AnyWorld, d: Move, rng: Random) -> Iterator[Moves]:
        yield from ideas(default(w, plan_of(w, d)), rng)

    return Question(
        judge=lambda w, d, answer: judge(w, plan_of(w, d), answer),
        suggest=suggest,
        default=lambda w, d: default(w, plan_of(w, d)),
        towards=lambda w, d, goal: towards(w, plan_of(w, d), goal),
        reach=lambda w, d, mode: reach(w, plan_of(w, d), mode),
        **more,
    )
