"""Additional moves that abilities and Stratagems give: Normal moves out of turn, and surges towards the enemy."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final

import msgspec
import numpy as np

from sandtable.battle import ALLOWED, Mode, Moment, Move, Moves, Question, Verdict, refuse
from sandtable.forty.markers import worth_going_to
from sandtable.forty.mind.pointing import move_towards
from sandtable.forty.moments import UNIT_MOVE_BEGAN, UNIT_MOVE_ENDED
from sandtable.kit.closing.contact import Contact, able_models, astray, closer_to_the_nearest, sought
from sandtable.kit.closing.in_force import close_in
from sandtable.kit.flags import enemy_units
from sandtable.kit.grammar import agree, counted, does
from sandtable.kit.ideas import wander
from sandtable.kit.moving import after, carry_out
from sandtable.systems.w40k10.aircraft import is_aircraft
from sandtable.systems.w40k10.concepts import is_engaged
from sandtable.systems.w40k10.paths import Passage, can_move, judge_paths, passage_of
from sandtable.systems.w40k10.state import NORMAL, STATIONARY, Battle10, Unit, World10
from sandtable.systems.w40k10.transports import no_embarking
from sandtable.table.grid import steps

SURGE: Final = "surge"
SOURCE: Final = "w40k10.datasheet.abilities"


def can_go(w: World10, unit: Unit, *, surge: bool) -> bool:
    """Whether a unit could make an additional move: on the battlefield, free, and able to move."""
    if not w.is_on_table(unit) or is_engaged(w, unit) or is_aircraft(w, unit):
        return False
    return any(can_move(w, int(m)) for m in w.on_table(unit)) and (not surge or len(prey(w, unit)) > 0)


async def make_extra_move(b: Battle10, unit: Unit, inches: int, name: str, *, surge: bool) -> None:
    """Move a unit once more."""
    mode = Mode(SURGE, "Surge", steps(inches)) if surge else Mode(NORMAL, "Normal move", steps(inches))
    question = Move(
        player=unit.player,
        kind="extra_move",
        prompt=f'{name}: where {agree(unit, "does")} {unit.name} go, up to {inches}"?',
        models=tuple(int(m) for m in b.on_table(unit)),
        modes=(mode,),
        rules=(SOURCE,),
        unit=unit.id,
    )
    moves = await b.ask(question)
    if moves.paths and not surge:
        await b.window(UNIT_MOVE_BEGAN, Moment(unit.id, data={"move": moves.mode}))
        moves = await _go_on(b, unit, question, moves)
    if not moves.paths:
        return
    carry_out(b, moves)
    if unit.moved == STATIONARY:
        b.set_unit(unit, moved=NORMAL)
    b.tell(
        "moved", f"{name}: {does(unit, 'moves')} with {counted(len(moves.paths), 'model')}.", SOURCE, units=[unit.id]
    )
    await b.window(UNIT_MOVE_ENDED, Moment(unit.id, data={"move": moves.mode}))


async def _go_on(b: Battle10, unit: Unit, question: Move, moves: Moves) -> Moves:
    """The paths that are carried out: those of the answer, or new ones if casualties have come between."""
    models = tuple(int(m) for m in b.on_table(unit))
    if models == question.models:
        return moves
    left = msgspec.structs.replace(question, models=models)
    kept = Moves(moves.mode, tuple(p for p in moves.paths if p.model in models))
    return kept if judge_extra_move(b, left, kept) else await b.ask(left)


def prey(w: World10, unit: Unit) -> tuple[int, ...]:
    """The closest enemy unit that is no AIRCRAFT, if there is any."""
    enemies = [e for e in w.enemies_of(unit.player) if w.is_on_table(e) and not is_aircraft(w, e)]
    nearest = min(enemies, key=lambda e: (w.distance(unit, e), e.id), default=None)
    return () if nearest is None else (nearest.id,)


def surge_of(w: World10, unit: Unit, far: int) -> Contact:
    """What a surge has to come to: everybody who moves ends closer to the closest enemy unit."""
    way = _way(w, unit, SURGE)
    return Contact(way, far, able_models(w, way), prey(w, unit), judge_surge, closer=closer_to_the_nearest)


def judge_surge(w: World10, c: Contact, answer: Moves) -> Verdict:
    """The paths, and that everybody gets closer."""
    verdict = judge_paths(w, answer, passage_of(c), lambda _: c.far)
    if not verdict or not astray(w, c, answer, after(w, answer)):
        return verdict
    return refuse("Every model that moves must end closer to the closest enemy unit.", SOURCE)


def judge_extra_move(w: World10, d: Move, answer: Moves) -> Verdict:
    """A Normal move, or one that brings every model closer to the closest enemy; to stay is always open."""
    unit, far = w.unit(d.unit), d.modes[0].allowance
    if not no_embarking(answer):
        return no_embarking(answer)
    if not answer.paths:
        return ALLOWED
    if answer.mode == SURGE:
        return judge_surge(w, surge_of(w, unit, far), answer)
    return judge_paths(w, answer, _way(w, unit, answer.mode), lambda _: far)


def _way(w: World10, unit: Unit, mode: str) -> Passage:
    return Passage(unit.id, mode, () if mode == SURGE else enemy_units(w, unit.player))


def default_extra_move(w: World10, d: Move) -> Moves:
    """A surge goes as far as it can; otherwise stay."""
    mode = d.modes[0]
    if mode.name != SURGE:
        return Moves(mode.name)
    c = surge_of(w, w.unit(d.unit), mode.allowance)
    moves = close_in(w, c.way, np.array(c.movers, dtype=np.int64), sought(w, c), c.far)
    return moves if judge_extra_move(w, d, moves) else Moves(SURGE)


def suggest_extra_move(w: World10, d: Move, rng: Random) -> Iterator[Moves]:
    """Somewhere, or nowhere."""
    unit, far = w.unit(d.unit), d.modes[0].allowance
    if d.modes[0].name == NORMAL and rng.random() < 0.9:
        yield from wander(w, _way(w, unit, NORMAL), d.models, lambda _: far, worth_going_to(w, unit.player), rng)
    yield default_extra_move(w, d)


QUESTIONS: Final = {
    "extra_move": Question(judge_extra_move, suggest_extra_move, default_extra_move, towards=move_towards)
}
