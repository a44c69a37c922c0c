"""Consolidation moves: towards the enemy, or else towards an objective marker."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final

import numpy as np

from sandtable.battle import ALLOWED, Mode, Move, Moves, Question, Verdict, refuse
from sandtable.forty.markers import markers_left, markers_of
from sandtable.kit.asking import move_of
from sandtable.kit.closing import plan
from sandtable.kit.grammar import does
from sandtable.kit.moving import after, carry_out
from sandtable.kit.walking import arranged
from sandtable.rules import rule
from sandtable.systems.w40k10 import aircraft, objectives
from sandtable.systems.w40k10.book import BOOK
from sandtable.systems.w40k10.moving import CONSOLIDATE, Passage, judge_paths
from sandtable.systems.w40k10.pile_in import could_engage, enemy_models, loose_models, towards_enemy
from sandtable.systems.w40k10.state import Battle10, Unit, World10
from sandtable.table.zones import linked

OBJECTIVE: Final = "objective"
"""Consolidating towards an objective marker"""


async def consolidate(b: Battle10, unit: Unit) -> None:
    """3. Consolidate: towards the enemy if that is possible, else towards an objective marker."""
    if not b.is_on_table(unit) or not aircraft.may_step_in(b, unit) or not loose_models(b, unit):
        return
    modes = consolidation_modes(b, unit)
    if not modes:
        return
    moves = await b.ask(
        move_of(b, unit, "consolidate", "How {does} {unit} Consolidate?", modes, "w40k10.fight.consolidate")
    )
    if moves.paths:
        carry_out(b, moves)
        b.tell("consolidated", f"{does(unit, 'Consolidates')}.", "w40k10.fight.consolidate", units=[unit.id])


def consolidation_modes(w: World10, unit: Unit) -> tuple[Mode, ...]:
    """Which ways of Consolidating are open: the objective only where the enemy cannot be reached."""
    modes = []
    if len(enemy_models(w, unit)) and could_engage(w, unit):
        modes.append(Mode(CONSOLIDATE, "Towards the enemy", BOOK.step_in))
    if may_turn_to_objective(w, unit) and nearest_marker(w, unit) >= 0:
        modes.append(Mode(OBJECTIVE, "Towards the objective", BOOK.step_in))
    return tuple(modes)


@rule("w40k10.fight.consolidate_enemy", neutral=True)
def may_turn_to_objective(w: World10, unit: Unit) -> bool:
    """The objective is open only where the unit is not engaged, and no way to get so is in sight."""
    if linked(w.bodies, w.shapes, w.on_table(unit), enemy_models(w, unit), BOOK.engagement):
        return False
    return plan.find(w, towards_enemy(w, unit, CONSOLIDATE)) is None


def nearest_marker(w: World10, unit: Unit) -> int:
    """The objective marker that is closest to a unit; -1 where there is none that 3" could bring into range."""
    models = w.on_table(unit)
    left = markers_left(w)
    near = [(float(objectives.gap_to_marker(w, w.bodies, models, m).min()), m) for m in left]
    gap, marker = min(near, default=(float("inf"), -1))
    return marker if gap <= BOOK.step_in + BOOK.marker_range.flat else -1


def judge_consolidate(w: World10, d: Move, answer: Moves) -> Verdict:
    """Whether a unit may Consolidate like this; it may always stay."""
    unit = w.unit(d.unit)
    if answer.paths and answer.mode == OBJECTIVE:
        return judge_to_objective(w, unit, answer)
    return plan.judge(w, towards_enemy(w, unit, CONSOLIDATE), answer)


@rule("w40k10.fight.consolidate_objective", neutral=ALLOWED)
def judge_to_objective(w: World10, unit: Unit, answer: Moves) -> Verdict:
    """Towards the closest marker, and within range of it at the end."""
    if answer.onto >= 0:
        return refuse("Nobody embarks in the Fight phase.", "w40k10.transport.embark")
    marker, bodies, models = nearest_marker(w, unit), after(w, answer), w.on_table(unit)
    moved = np.array([p.model for p in answer.paths], dtype=np.int64)
    verdict = judge_paths(w, answer, Passage(unit.id, CONSOLIDATE), lambda _: BOOK.step_in)
    if not verdict:
        return verdict
    if not bool(objectives.in_range(w, bodies, models, marker).any()):
        return refuse(
            f"{unit.name} would not end within range of objective {marker + 1}.", "w40k10.fight.consolidate_objective"
        )
    before = objectives.gap_to_marker(w, w.bodies, moved, marker)
    if not bool((objectives.gap_to_marker(w, bodies, moved, marker) < before).all()):
        return refuse(
            f"Every model that moves must go towards objective {marker + 1}.", "w40k10.fight.consolidate_objective"
        )
    return ALLOWED


# --- Ideas ------------------------------------------------------------------------------------------------------------


def default_consolidate(w: World10, d: Move) -> Moves:
    """Towards the enemy, else stay."""
    mode = d.modes[0].name
    return plan.default(w, towards_enemy(w, w.unit(d.unit), mode)) if mode == CONSOLIDATE else Moves(mode)


def suggest_consolidate(w: World10, d: Move, rng: Random) -> Iterator[Moves]:
    """Towards the enemy or the objective, or not at all."""
    names = [m.name for m in d.modes]
    if OBJECTIVE in names and (CONSOLIDATE not in names or rng.random() < 0.5):
        yield from to_marker(w, w.unit(d.unit))
    yield from plan.parts(default_consolidate(w, d), rng)


def to_marker(w: World10, unit: Unit) -> Iterator[Moves]:
    """Consolidation moves towards the nearest objective marker."""
    movers = np.array(loose_models(w, unit), dtype=np.int64)
    (x, y, _), limits = markers_of(w)[nearest_marker(w, unit)], np.full(len(movers), BOOK.step_in)
    level = int(w.state.models.pos[movers[0], 2])
    found = arranged(w, Passage(unit.id, OBJECTIVE), movers, limits, (x, y), "keep", level)
    if found is not None:
        yield found


QUESTIONS: Final = {
    "consolidate": Question(judge=judge_consolidate, suggest=suggest_consolidate, default=default_consolidate)
}
