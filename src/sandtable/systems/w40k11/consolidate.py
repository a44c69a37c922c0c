"""Consolidation moves (12.08): ongoing, engaging, or towards an objective, by where the unit stands."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final

import numpy as np

from sandtable.battle import ALLOWED, Mode, Move, Moves, Option, Question, Verdict, refuse
from sandtable.forty.markers import markers_left, markers_of
from sandtable.kit.asking import move_of
from sandtable.kit.charging import WHICH_TARGETS, choose_targets
from sandtable.kit.closing import plan
from sandtable.kit.closing.contact import able_models
from sandtable.kit.grammar import does
from sandtable.kit.moving import after
from sandtable.kit.walking import arranged, walk
from sandtable.rules import rule
from sandtable.systems.w40k11.engagement import is_engaged
from sandtable.systems.w40k11.moving import CONSOLIDATE, Passage, judge_paths, no_embarking
from sandtable.systems.w40k11.objectives import gaps_to_markers, in_range_of
from sandtable.systems.w40k11.pile_in import CLOSING, asked, engaged_prey, loose_models, make, prey_within
from sandtable.systems.w40k11.state import Battle11, Unit, World11
from sandtable.systems.w40k11.surge import may_stir
from sandtable.table.grid import TURN
from sandtable.table.scatter import bearing, offset

ONGOING, ENGAGING, OBJECTIVE, STAY = "ongoing", "engaging", "objective", ""
RULE: Final = "w40k11.fight.consolidate_move"
TURNS: Final = tuple(k * TURN // 24 for k in (0, 1, -1, 2, -2, 3, -3, 4, -4))
"""Directions in which a model looks for a place within range of an objective: straight on, and up to 60° aside"""
PACES: Final = 12
"""On each of them so many places are tried."""


# --- Who, and how -----------------------------------------------------------------------------------------------------


def may_consolidate(w: World11, unit: Unit) -> Verdict:
    """Whether a unit may make its consolidation move."""
    return not_consolidated(unit) and may_stir(w, unit) and was_in_a_fight(unit) and has_a_mode(w, unit)


@rule("w40k11.fight.consolidate_step", neutral=ALLOWED)
def not_consolidated(unit: Unit) -> Verdict:
    """A unit consolidates once."""
    if unit.consolidated:
        return refuse(f"{does(unit, 'has')} consolidated.", "w40k11.fight.consolidate_step")
    return ALLOWED


@rule("w40k11.fight.consolidate_move", neutral=ALLOWED)
def was_in_a_fight(unit: Unit) -> Verdict:
    """Units that were eligible to fight in this phase consolidate."""
    if unit.could_fight:
        return ALLOWED
    return refuse(f"{does(unit, 'was')} not eligible to fight in this phase.", RULE)


def has_a_mode(w: World11, unit: Unit) -> Verdict:
    """Whether there is anything to consolidate to, and anybody who can."""
    if mode_of(w, unit) and loose_models(w, unit):
        return ALLOWED
    return refuse(f"Nobody of {unit.name} has anything to consolidate to.", RULE)


@rule("w40k11.fight.consolidate_move", "w40k11.aircraft.movement_of_others", neutral=ONGOING)
def mode_of(w: World11, unit: Unit) -> str:
    """The first that applies: engaged, within 3" of an enemy, within 3" of an objective; else none."""
    if is_engaged(w, unit):
        return ONGOING if engaged_prey(w, unit) else STAY
    if prey_within(w, unit, CLOSING.near):
        return ENGAGING
    return OBJECTIVE if objectives_near(w, unit) else STAY


@rule("w40k11.fight.consolidate_objective", neutral=[])
def objectives_near(w: World11, unit: Unit) -> list[int]:
    """The objectives within 3", of which the player picks any."""
    left = markers_left(w)
    gaps = gaps_to_markers(w, w.bodies, w.on_table(unit), left)
    return [m for m, gap in zip(left, gaps.min(axis=0, initial=np.inf).tolist(), strict=True) if gap <= CLOSING.near]


# --- The move ---------------------------------------------------------------------------------------------------------


async def consolidate(b: Battle11, unit: Unit) -> None:
    """A unit consolidates, if its player wants."""
    b.set_unit(unit, consolidated=True)
    how = mode_of(b, unit)
    targets = await selected(b, unit, how) if how != OBJECTIVE else []
    marker = await selected_objective(b, unit) if how == OBJECTIVE else -1
    mode, about = Mode(CONSOLIDATE, "Consolidate", CLOSING.far), {"targets": targets, "objective": marker}
    question = move_of(b, unit, "consolidate", "How {does} {unit} consolidate?", (mode,), RULE, **about)
    await make(b, unit, question, "consolidated", f"{does(unit, 'consolidates')}.", RULE)


@rule("w40k11.fight.consolidate_engaging", "w40k11.fight.consolidate_ongoing", neutral=[])
async def selected(b: Battle11, unit: Unit, how: str) -> list[int]:
    """Every enemy that the unit is engaged with; of an unengaged one some of those within 3", as its player likes."""
    if how == ONGOING:
        return [e.id for e in engaged_prey(b, unit)]
    near, prompt = prey_within(b, unit, CLOSING.near), "Whom {does} {unit} engage?"
    rule_ = "w40k11.fight.consolidate_engaging"
    return [e.id for e in await choose_targets(b, unit, near, rule_, "consolidate_targets", prompt, "Consolidate")]


async def selected_objective(b: Battle11, unit: Unit) -> int:
    """The objective that a unit consolidates to."""
    options = [Option(m, f"objective {m + 1}") for m in objectives_near(b, unit)]
    prompt, rules = f"To which objective with {unit.name}?", ("w40k11.fight.consolidate_objective",)
    chosen = await b.choose(unit.player, "consolidate_objective", prompt, options, rules=rules, unit=unit.id)
    return int(chosen or 0)


# --- Towards an objective ---------------------------------------------------------------------------------------------


def judge(w: World11, d: Move, answer: Moves) -> Verdict:
    """Whether a unit may consolidate like this; it may always stay."""
    marker = int(d.about["objective"])
    if marker < 0 or not answer.paths:
        return plan.judge(w, asked(w, d), answer)
    way = Passage(d.unit, CONSOLIDATE)
    return (
        no_embarking(answer)
        and judge_paths(w, answer, way, lambda _: CLOSING.far)
        and check_at_objective(w, way, answer, marker)
    )


@rule("w40k11.fight.consolidate_objective", neutral=ALLOWED)
def check_at_objective(w: World11, way: Passage, answer: Moves, marker: int) -> Verdict:
    """The unit ends within range of the objective, and so does every model that moves, if it can, or closer to it."""
    unit, bodies, rule_ = w.unit(way.unit), after(w, answer), "w40k11.fight.consolidate_objective"
    if not in_range_of(w, bodies, w.on_table(unit), (marker,)).any():
        return refuse(f"{unit.name} would not end within range of objective {marker + 1}.", rule_)
    moved = np.array([p.model for p in answer.paths], dtype=np.int64)
    short = moved[~in_range_of(w, bodies, moved, (marker,)).ravel()]
    closer = gaps_to_markers(w, bodies, short, (marker,)) < gaps_to_markers(w, w.bodies, short, (marker,))
    if not closer.all():
        return refuse(f"Every model that moves ends closer to objective {marker + 1}.", rule_)
    for model in short.tolist():
        better = within_range_instead(w, answer, way, model, marker)
        if better is not None:
            text = f"A model of {unit.name} can end within range of objective {marker + 1}: one that can, must."
            return refuse(text, rule_, instead=better)
    return ALLOWED


def within_range_instead(w: World11, answer: Moves, way: Passage, model: int, marker: int) -> Moves | None:
    """The same move with one model within range of an objective, by a straight way; None where no place is found."""
    x, y, z = (int(v) for v in w.state.models.pos[model])
    mx, my, _ = markers_of(w)[marker]
    rest = tuple(p for p in answer.paths if p.model != model)
    for aside in TURNS:
        for pace in range(PACES, 0, -1):
            path = walk(w, model, (*offset(x, y, bearing(mx - x, my - y) + aside, CLOSING.far * pace // PACES), z))
            moves = Moves(answer.mode, answer.paths if path is None else (*rest, path))
            there = in_range_of(w, after(w, moves), np.array([model]), (marker,))[0, 0]
            if there and judge_paths(w, moves, way, lambda _: CLOSING.far):
                return moves
    return None


def to_objective(w: World11, d: Move) -> Moves:
    """A consolidation move towards the objective of a question; none where no legal one is found."""
    unit, marker = w.unit(d.unit), int(d.about["objective"])
    way, stay = Passage(unit.id, CONSOLIDATE), Moves(CONSOLIDATE)
    movers = np.array(able_models(w, way), dtype=np.int64)
    (x, y, _), limits = markers_of(w)[marker], np.full(len(movers), CLOSING.far)
    found = arranged(w, way, movers, limits, (x, y), "keep", int(w.state.models.pos[movers[0], 2]))
    while found is not None and found.paths:
        verdict = judge(w, d, found)
        if verdict:
            return found
        found = verdict.instead if isinstance(verdict.instead, Moves) else None
    return stay


def default(w: World11, d: Move) -> Moves:
    """As near as it gets, or nobody moves."""
    return plan.default(w, asked(w, d)) if int(d.about["objective"]) < 0 else to_objective(w, d)


def suggest(w: World11, d: Move, rng: Random) -> Iterator[Moves]:
    """The same, parts of it, or none."""
    yield from plan.parts(default(w, d), rng)


QUESTIONS: Final = {
    "consolidate_targets": WHICH_TARGETS,
    "consolidate": Question(judge=judge, suggest=suggest, default=default),
}
