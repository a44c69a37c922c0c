"""Additional moves that abilities and Stratagems give: Normal moves out of turn, and surges towards the enemy."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any, Final

import msgspec
import numpy as np

from sandtable.armies.effects import Move as MoveEffect
from sandtable.battle import Mode, Moment, Move, Moves, Question, Verdict, refuse
from sandtable.forty.effects.deeds import rolled
from sandtable.forty.effects.moved_over import moved_over
from sandtable.forty.effects.occasions import Cause
from sandtable.forty.effects.words import Deed, Words
from sandtable.forty.markers import worth_going_to
from sandtable.forty.mind.pointing import move_towards, reach_of_move
from sandtable.forty.moments import UNIT_MOVE_BEGAN, UNIT_MOVE_ENDED
from sandtable.forty.state import NORMAL, STATIONARY, Battle40, Unit, World40
from sandtable.kit.closing.contact import Contact, able_models, astray, closer_to_the_nearest, sought
from sandtable.kit.closing.in_force import close_in
from sandtable.kit.grammar import agree, counted, does
from sandtable.kit.ideas import wander
from sandtable.kit.moving import after, carry_out
from sandtable.kit.way import Way
from sandtable.table.grid import steps

SURGE: Final = "surge"


@dataclass(frozen=True)
class ExtraMoves:
    """What an edition says about additional moves."""

    may_go: Callable[[World40, Any], bool]
    """(world, unit): may it make one at all?"""
    is_prey: Callable[[World40, Any], bool]
    """(world, enemy): may a surge go towards it?"""
    way: Callable[[World40, Any, str], Way]
    """(world, unit, mode): how its models get about in such a move."""
    stays_out: Callable[[Moves], Verdict]
    """(moves): does nobody get into a transport who may not?"""
    judge: Callable[[World40, Moves, Way, int], Verdict]
    """(world, moves, way, grid steps): may models go where they are sent, stand there, and stay together?"""
    carry: Callable[[Any, Any, Moves, Way], None] = lambda b, unit, moves, way: carry_out(b, moves)
    """(battle, unit, moves, way): put them there"""


def can_go(w: World40, effect: MoveEffect, unit: Unit) -> bool:
    """Whether a unit could make an additional move; a surge needs somebody to go for."""
    return w.system.seam(ExtraMoves).may_go(w, unit) and (effect.type != SURGE or len(prey(w, unit)) > 0)


async def move_again(b: Battle40, cause: Cause, effect: MoveEffect, unit: Unit) -> None:
    """Move a unit once more, by an ability or Stratagem."""
    far = await rolled(b, cause, effect.distance, "inch(es)")
    await b.act(unit, make_extra_move(b, unit, far, cause.name, surge=effect.type == SURGE))


async def make_extra_move(b: Battle40, unit: Unit, inches: int, name: str, *, surge: bool) -> None:
    """Move a unit once more."""
    mode = Mode(SURGE, "Surge", steps(inches)) if surge else Mode(NORMAL, "Normal move", steps(inches))
    question = Move(
        player=unit.player,
        kind="extra_move",
        prompt=f'{name}: where {agree(unit, "does")} {unit.name} go, up to {inches}"?',
        models=tuple(int(m) for m in b.on_table(unit)),
        modes=(mode,),
        rules=(b.system.seam(Words).source,),
        unit=unit.id,
    )
    moves = await b.ask(question)
    if moves.paths and not surge:
        await b.window(UNIT_MOVE_BEGAN, Moment(unit.id, data={"move": moves.mode}))
        moves = await _go_on(b, unit, question, moves)
    if not moves.paths:
        return
    extra, over = b.system.seam(ExtraMoves), moved_over(b, unit, moves)
    extra.carry(b, unit, moves, extra.way(b, unit, moves.mode))
    if unit.moved == STATIONARY:
        b.set_unit(unit, moved=NORMAL)
    told = f"{name}: {does(unit, 'moves')} with {counted(len(moves.paths), 'model')}."
    b.tell("moved", told, b.system.seam(Words).source, units=[unit.id])
    await b.window(UNIT_MOVE_ENDED, Moment(unit.id, data={"move": moves.mode, "over": over}))


async def _go_on(b: Battle40, unit: Unit, question: Move, moves: Moves) -> Moves:
    """The paths that are carried out: those of the answer, or new ones if casualties have come between."""
    models = tuple(int(m) for m in b.on_table(unit))
    if models == question.models:
        return moves
    left = msgspec.structs.replace(question, models=models)
    kept = Moves(moves.mode, tuple(p for p in moves.paths if p.model in models))
    return kept if judge_extra_move(b, left, kept) else await b.ask(left)


def prey(w: World40, unit: Unit) -> tuple[int, ...]:
    """The closest enemy unit that can be gone for, if there is any."""
    is_prey = w.system.seam(ExtraMoves).is_prey
    enemies = [e for e in w.enemies_of(unit.player) if w.is_on_table(e) and is_prey(w, e)]
    nearest = min(enemies, key=lambda e: (w.distance(unit, e), e.id), default=None)
    return () if nearest is None else (nearest.id,)


def surge_of(w: World40, unit: Unit, far: int) -> Contact:
    """What a surge has to come to: everybody who moves ends closer to the closest enemy unit."""
    way = w.system.seam(ExtraMoves).way(w, unit, SURGE)
    return Contact(way, far, able_models(w, way), prey(w, unit), judge_surge, closer=closer_to_the_nearest)


def judge_surge(w: World40, c: Contact, answer: Moves) -> Verdict:
    """The paths, and that everybody gets closer."""
    verdict = w.system.seam(ExtraMoves).judge(w, answer, c.way, c.far)
    if not verdict or not astray(w, c, answer, after(w, answer)):
        return verdict
    return refuse("Every model that moves must end closer to the closest enemy unit.", w.system.seam(Words).source)


def judge_extra_move(w: World40, d: Move, answer: Moves) -> Verdict:
    """A Normal move, or one that brings every model closer to the closest enemy; to stay is always open."""
    unit, far, moves = w.unit(d.unit), d.modes[0].allowance, w.system.seam(ExtraMoves)
    stays = moves.stays_out(answer)
    if not stays or not answer.paths:
        return stays
    if answer.mode == SURGE:
        return judge_surge(w, surge_of(w, unit, far), answer)
    return moves.judge(w, answer, moves.way(w, unit, answer.mode), far)


def default_extra_move(w: World40, d: Move) -> Moves:
    """A surge goes as far as it can; otherwise stay."""
    mode = d.modes[0]
    if mode.name != SURGE:
        return Moves(mode.name)
    c = surge_of(w, w.unit(d.unit), mode.allowance)
    moves = close_in(w, c.way, np.array(c.movers, dtype=np.int64), sought(w, c), c.far)
    return moves if judge_extra_move(w, d, moves) else Moves(SURGE)


def suggest_extra_move(w: World40, d: Move, rng: Random) -> Iterator[Moves]:
    """Somewhere, or nowhere."""
    unit, far = w.unit(d.unit), d.modes[0].allowance
    if d.modes[0].name == NORMAL and rng.random() < 0.9:
        yield from wander(
            w,
            w.system.seam(ExtraMoves).way(w, unit, NORMAL),
            d.models,
            lambda _: far,
            worth_going_to(w, unit.player),
            rng,
        )
    yield default_extra_move(w, d)


MOVE: Final = Deed(move_again, can_go)

QUESTIONS: Final = {
    "extra_move": Question(
        judge_extra_move, suggest_extra_move, default_extra_move, towards=move_towards, reach=reach_of_move
    )
}
