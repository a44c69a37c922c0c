"""Pile-in and Consolidation moves: towards the enemy, or for who Consolidates else towards an objective marker."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final

import numpy as np

from sandtable.battle import ALLOWED, Mode, Move, Moves, Question, Verdict, refuse
from sandtable.battle.kept import PLACES, kept
from sandtable.forty import closing
from sandtable.forty.closing import check_nearer, check_touching
from sandtable.forty.markers import markers_left, markers_of
from sandtable.kit.asking import move_of
from sandtable.kit.closing import plan
from sandtable.kit.closing.contact import Contact, able_models, all_but, closer_to_the_nearest, mates_of, near, sought
from sandtable.kit.closing.in_force import all_close_in, beside_others, one_alone
from sandtable.kit.closing.joining import joined
from sandtable.kit.closing.plan import Plan
from sandtable.kit.grammar import does
from sandtable.kit.moving import after, make_move
from sandtable.kit.walking import arranged
from sandtable.rules import Facts, fact, rule
from sandtable.systems.w40k10 import aircraft, objectives, transports
from sandtable.systems.w40k10.core_concepts import models_of
from sandtable.systems.w40k10.engagement_range import ENGAGEMENT
from sandtable.systems.w40k10.moving_models import CONSOLIDATE, PILE_IN, Passage, judge_paths
from sandtable.systems.w40k10.objectives import OBJECTIVES
from sandtable.systems.w40k10.state import FAR, Battle10, Unit, World10
from sandtable.table.grid import Bools, Ints, steps
from sandtable.table.shapes import Bodies
from sandtable.table.zones import CONTACT, linked

OBJECTIVE: Final = "objective"
"""Consolidating towards an objective marker"""


class CLOSING(Facts):
    distance = fact(steps(3), "w40k10.fight.pile_in", "w40k10.fight.consolidate", neutral=FAR)
    """How far a model Piles In or Consolidates."""


async def pile_in(b: Battle10, unit: Unit) -> None:
    """1. Pile In, if anybody can."""
    if not aircraft.may_step_in(b, unit) or not loose_models(b, unit) or not could_engage(b, unit):
        return
    mode, rules = (
        Mode(PILE_IN, "Pile In", CLOSING.distance),
        ("w40k10.fight.pile_in", "w40k10.fight.pile_in_direction"),
    )
    question = move_of(b, unit, "pile_in", "How {does} {unit} Pile In?", (mode,), *rules)
    await make_move(b, question, "piled_in", f"{does(unit, 'Piles')} In.", "w40k10.fight.pile_in")


# --- Towards the enemy ------------------------------------------------------------------------------------------------


def towards_enemy(w: World10, unit: Unit, move: str) -> Plan:
    """A Pile-in or Consolidation move: closer to the nearest enemy, engaged at the end, in base contact if possible."""
    contact = Contact(
        Passage(unit.id, move),
        CLOSING.distance,
        loose_models(w, unit),
        tuple(e.id for e in w.enemies_of(unit.player) if w.is_on_table(e)),
        judge_conditions,
        reach=ENGAGEMENT.range,
        closer=closer_to_the_nearest,
        counts=who_counts if aircraft.air_models(w, unit.player).any() else None,
        ladder=(CONTACT,),
        lying=(w.state.game.markers, w.state.game.removed),
    )
    return Plan(contact, judge_towards_enemy, (all_close_in, beside_others, one_alone, joined), idle=move)


@kept(PLACES)
def loose_models(w: World10, unit: Unit) -> tuple[int, ...]:
    """Models that may Pile In or Consolidate: those that can move and touch no enemy."""
    able = np.array(able_models(w, Passage(unit.id, PILE_IN)), dtype=np.int64)
    return tuple(able[~near(w, w.bodies, able, enemy_models(w, unit))].tolist())


@kept(PLACES)
def enemy_models(w: World10, unit: Unit) -> Ints:
    """All enemy models on the table."""
    return models_of(w, w.enemies_of(unit.player))


def could_engage(w: World10, unit: Unit) -> bool:
    """Whether a unit that goes 3" could end within Engagement Range; distances alone decide."""
    return linked(w.bodies, w.shapes, w.on_table(unit), enemy_models(w, unit), ENGAGEMENT.range.grown(CLOSING.distance))


def who_counts(w: World10, c: Contact) -> Bools:
    """[model, enemy model] which enemies a model gets closer to."""
    return all_but(w, c, aircraft.air_models(w, w.unit(c.way.unit).player), aircraft.ignores_aircraft)


def judge_towards_enemy(w: World10, c: Contact, answer: Moves) -> Verdict:
    """The conditions, and base contact wherever it is possible; a unit may always stay."""
    if not answer.paths:
        return ALLOWED
    return judge_conditions(w, c, answer) and check_contact(w, c, answer)


def judge_conditions(w: World10, c: Contact, answer: Moves) -> Verdict:
    """Who may move, how far, where to; and that the unit ends engaged and coherent."""
    if not transports.no_embarking(answer):
        return transports.no_embarking(answer)
    bodies = after(w, answer)
    return (
        check_loose(w, c, answer)
        and judge_paths(w, answer, c.way, lambda _: c.far)
        and check_ends_engaged(w, c, bodies)
        and check_direction(w, c, answer, bodies)
    )


@rule("w40k10.fight.pile_in", "w40k10.fight.consolidate", neutral=ALLOWED)
def check_loose(w: World10, c: Contact, answer: Moves) -> Verdict:
    """A model in base contact with an enemy stays."""
    rule_ = "w40k10.fight.pile_in" if c.way.move == PILE_IN else "w40k10.fight.consolidate"
    return closing.check_loose(w, c, answer, rule_)


@rule("w40k10.fight.pile_in", "w40k10.fight.consolidate_enemy", neutral=ALLOWED)
def check_ends_engaged(w: World10, c: Contact, bodies: Bodies) -> Verdict:
    """The unit ends within Engagement Range of an enemy unit."""
    if linked(bodies, w.shapes, mates_of(w, c), sought(w, c), ENGAGEMENT.range):
        return ALLOWED
    rule_ = "w40k10.fight.pile_in" if c.way.move == PILE_IN else "w40k10.fight.consolidate_enemy"
    return refuse(f"{w.unit(c.way.unit).name} would not end within Engagement Range of any enemy.", rule_)


@rule("w40k10.fight.pile_in_direction", "w40k10.fight.consolidate_enemy", neutral=ALLOWED)
def check_direction(w: World10, c: Contact, answer: Moves, bodies: Bodies) -> Verdict:
    """Every model that moves ends closer to the enemy model that was closest to it."""
    return check_nearer(w, c, answer, bodies, "the closest enemy model", _direction(c))


@rule("w40k10.fight.pile_in_direction", "w40k10.fight.consolidate_enemy", neutral=ALLOWED)
def check_contact(w: World10, c: Contact, answer: Moves) -> Verdict:
    """A model that moves ends in base contact if it can: the refusal shows where."""
    return check_touching(w, c, answer, [p.model for p in answer.paths], _direction(c))


def _direction(c: Contact) -> str:
    return "w40k10.fight.pile_in_direction" if c.way.move == PILE_IN else "w40k10.fight.consolidate_enemy"


# --- Consolidating ----------------------------------------------------------------------------------------------------


async def consolidate(b: Battle10, unit: Unit) -> None:
    """3. Consolidate: towards the enemy if that is possible, else towards an objective marker."""
    if not b.is_on_table(unit) or not aircraft.may_step_in(b, unit) or not loose_models(b, unit):
        return
    modes = consolidation_modes(b, unit)
    if not modes:
        return
    question = move_of(b, unit, "consolidate", "How {does} {unit} Consolidate?", modes, "w40k10.fight.consolidate")
    await make_move(b, question, "consolidated", f"{does(unit, 'Consolidates')}.", "w40k10.fight.consolidate")


def consolidation_modes(w: World10, unit: Unit) -> tuple[Mode, ...]:
    """Which ways of Consolidating are open: the objective only where the enemy cannot be reached."""
    modes = []
    if len(enemy_models(w, unit)) and could_engage(w, unit):
        modes.append(Mode(CONSOLIDATE, "Towards the enemy", CLOSING.distance))
    if may_turn_to_objective(w, unit) and nearest_marker(w, unit) >= 0:
        modes.append(Mode(OBJECTIVE, "Towards the objective", CLOSING.distance))
    return tuple(modes)


@rule("w40k10.fight.consolidate_enemy", neutral=True)
def may_turn_to_objective(w: World10, unit: Unit) -> bool:
    """The objective is open only where the unit is not engaged, and no way to get so is in sight."""
    if linked(w.bodies, w.shapes, w.on_table(unit), enemy_models(w, unit), ENGAGEMENT.range):
        return False
    return plan.find(w, towards_enemy(w, unit, CONSOLIDATE)) is None


def nearest_marker(w: World10, unit: Unit) -> int:
    """The objective marker that is closest to a unit; -1 where there is none that 3" could bring into range."""
    models = w.on_table(unit)
    left = markers_left(w)
    near = [(float(objectives.gaps_to_markers(w, w.bodies, models, (m,)).min()), m) for m in left]
    gap, marker = min(near, default=(float("inf"), -1))
    return marker if gap <= CLOSING.distance + OBJECTIVES.marker_range.flat else -1


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
    verdict = judge_paths(w, answer, Passage(unit.id, CONSOLIDATE), lambda _: CLOSING.distance)
    if not verdict:
        return verdict
    if not bool(objectives.in_range_of(w, bodies, models, (marker,)).any()):
        text = f"{unit.name} would not end within range of objective {marker + 1}."
        return refuse(text, "w40k10.fight.consolidate_objective")
    before = objectives.gaps_to_markers(w, w.bodies, moved, (marker,))
    if not bool((objectives.gaps_to_markers(w, bodies, moved, (marker,)) < before).all()):
        text = f"Every model that moves must go towards objective {marker + 1}."
        return refuse(text, "w40k10.fight.consolidate_objective")
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
    (x, y, _), limits = markers_of(w)[nearest_marker(w, unit)], np.full(len(movers), CLOSING.distance)
    level = int(w.state.models.pos[movers[0], 2])
    found = arranged(w, Passage(unit.id, OBJECTIVE), movers, limits, (x, y), "keep", level)
    if found is not None:
        yield found


QUESTIONS: Final = {
    "pile_in": plan.question(lambda w, d: towards_enemy(w, w.unit(d.unit), PILE_IN), plan.parts),
    "consolidate": Question(judge=judge_consolidate, suggest=suggest_consolidate, default=default_consolidate),
}
