"""Scouts: moves before the first turn."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Final

from sandtable.battle import AGAIN, ALLOWED, DONE, Mode, Move, Moves, Question, Step, Verdict
from sandtable.forty.effects.core_abilities import core_values
from sandtable.forty.markers import worth_going_to
from sandtable.forty.mind.pointing import move_towards, reach_of_move
from sandtable.forty.passengers import passengers
from sandtable.forty.placing import too_near
from sandtable.kit.alternating import Group, next_selection
from sandtable.kit.asking import move_of
from sandtable.kit.grammar import does
from sandtable.kit.ideas import wander, which_unit
from sandtable.kit.moving import after, carry_out
from sandtable.kit.room import gap_to_enemies, models_to_place
from sandtable.rules import Facts, fact, rule
from sandtable.systems.w40k10.abilities.datasheet_abilities import every_model_has
from sandtable.systems.w40k10.core_concepts import has_keyword
from sandtable.systems.w40k10.moving_models import can_move, judge_paths, passage
from sandtable.systems.w40k10.state import NORMAL, Battle10, Unit, World10
from sandtable.systems.w40k10.transports import embark, judge_embark
from sandtable.table.grid import steps


class SCOUTING(Facts):
    gap = fact(steps(9), "w40k10.ability.scouts", neutral=0)
    """How far from the enemy a Scouts move ends."""


@rule("w40k10.ability.scouts")
async def scouts(b: Battle10) -> Step:
    """When the first battle round opens: Scouts moves, all of the first-turn player's before the others'."""
    turn = next_selection(b, (SCOUTS,))
    if turn is None:
        return DONE
    b.set_clock(active=turn.player)
    prompt, rules = "Which unit makes a Scouts move?", ("w40k10.ability.scouts",)
    unit = await b.choose_unit(turn.player, "scout_with", prompt, turn.units, optional=True, rules=rules)
    for u in turn.units if unit is None else (unit,):
        b.set_unit(u, scouted=True)
    if unit is not None:
        await scout(b, unit)
    return AGAIN


@rule("w40k10.ability.scouts", neutral=False)
def may_scout(w: World10, unit: Unit) -> bool:
    """A unit on the battlefield all of whose models have Scouts moves once."""
    able = every_model_has(w, unit, "scouts") or carries_only_scouts(w, unit)
    return able and not unit.scouted and w.is_on_table(unit)


@rule("w40k10.ability.scouts_transport", neutral=False)
def carries_only_scouts(w: World10, unit: Unit) -> bool:
    """A DEDICATED TRANSPORT makes the move if everybody in it has Scouts."""
    aboard = passengers(w, unit) if has_keyword(w, unit, "DEDICATED TRANSPORT") else []
    return bool(aboard) and all(every_model_has(w, u, "scouts") for u in aboard)


SCOUTS: Final = Group(lambda w, unit: Verdict(may_scout(w, unit)), lambda w: int(w.state.game.first), alternates=False)


async def scout(b: Battle10, unit: Unit) -> None:
    """A Normal move of the distance that the ability gives."""
    mode = Mode(NORMAL, "Scouts move", scout_distance(b, unit))
    moves = await b.ask(move_of(b, unit, "scout_move", "Where {does} {unit} scout?", (mode,), "w40k10.ability.scouts"))
    carry_out(b, moves)
    b.tell("scouted", f"{does(unit, 'makes')} a Scouts move.", "w40k10.ability.scouts", units=[unit.id])
    if moves.onto >= 0:
        embark(b, unit, b.unit(moves.onto))


@rule("w40k10.ability.scouts", neutral=0)
def scout_distance(w: World10, unit: Unit) -> int:
    """The distance behind the ability, in grid steps; the least of the models, or of a transport's passengers."""
    models = [int(m) for m in w.on_table(unit)]
    if not every_model_has(w, unit, "scouts"):
        models = [m for u in passengers(w, unit) for m in models_to_place(w, u)]
    values = [[v.rstrip('"') for v in core_values(w, w.unit(int(w.state.models.unit[m])), m, "scouts")] for m in models]
    best = [max((int(v) for v in found if v.isdecimal()), default=0) for found in values]
    return steps(min(best, default=0))


def judge_scout(w: World10, d: Move, answer: Moves) -> Verdict:
    """A Normal move that ends far enough from the enemy; to stay is always open."""
    unit = w.unit(d.unit)
    boards = ALLOWED if answer.onto < 0 else judge_embark(w, unit, answer)
    if not answer.paths:
        return boards
    return (
        boards
        and judge_paths(w, answer, passage(w, unit, NORMAL), limit_of(w, unit))
        and check_scouts_end(w, unit, answer)
    )


def limit_of(w: World10, unit: Unit) -> Callable[[int], int]:
    """How far each model scouts."""
    far = scout_distance(w, unit)
    return lambda m: far if can_move(w, m) else 0


@rule("w40k10.ability.scouts", neutral=ALLOWED)
def check_scouts_end(w: World10, unit: Unit, answer: Moves) -> Verdict:
    """The move ends more than 9" horizontally from all enemy models."""
    ends, models = after(w, answer), w.on_table(unit)
    if gap_to_enemies(w, unit.player, ends, models) > SCOUTING.gap:
        return ALLOWED
    text = f'{unit.name} must end more than 9" from all enemy models'
    return too_near(w, text, ends, models, w.enemies_of(unit.player), SCOUTING.gap, "w40k10.ability.scouts")


def suggest_scout(w: World10, d: Move, rng: Random) -> Iterator[Moves]:
    """Ways to go."""
    unit = w.unit(d.unit)
    goals = worth_going_to(w, unit.player)
    yield from wander(w, passage(w, unit, NORMAL), d.models, limit_of(w, unit), goals, rng)


QUESTIONS: Final = {
    "scout_with": which_unit(0.1),
    "scout_move": Question(
        judge=judge_scout,
        suggest=suggest_scout,
        default=lambda w, d: Moves(NORMAL),
        towards=move_towards,
        reach=reach_of_move,
    ),
}
