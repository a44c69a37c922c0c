"""Pile-in moves (12.03), and how any move in the Fight phase closes in on enemy units."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from sandtable.battle import ALLOWED, Mode, Move, Moves, Verdict, refuse
from sandtable.battle.kept import PLACES, kept
from sandtable.forty import closing
from sandtable.forty.closing import check_near_enough, check_nearer
from sandtable.forty.state import called_all
from sandtable.kit.asking import move_of
from sandtable.kit.charging import WHICH_TARGETS, choose_targets
from sandtable.kit.closing import plan
from sandtable.kit.closing.contact import Contact, able_models, closer_to_the_nearest_unit, mates_of, models_of, near
from sandtable.kit.closing.in_force import all_close_in, beside_others, one_alone
from sandtable.kit.closing.joining import joined
from sandtable.kit.closing.plan import Plan
from sandtable.kit.flags import enemy_units
from sandtable.kit.grammar import does
from sandtable.kit.moving import after
from sandtable.rules import Facts, fact, rule
from sandtable.systems.w40k11.aircraft import is_prey
from sandtable.systems.w40k11.concepts import enemies_within
from sandtable.systems.w40k11.engagement import ENGAGEMENT, engaged_after, engaged_enemies, engaged_models, is_engaged
from sandtable.systems.w40k11.moving import CONSOLIDATE, PILE_IN, Passage, carry, judge_paths, no_embarking
from sandtable.systems.w40k11.state import Battle11, Unit, World11
from sandtable.systems.w40k11.surge import may_stir
from sandtable.table.grid import steps
from sandtable.table.shapes import Bodies

RULES: Final = {PILE_IN: "w40k11.fight.pile_in_move", CONSOLIDATE: "w40k11.fight.consolidate_move"}


class CLOSING(Facts):
    """What the book states about pile-in and consolidation moves."""

    far = fact(steps(3), "w40k11.fight.pile_in_move", "w40k11.fight.consolidate_move", neutral=steps(99))
    """How far a model piles in or consolidates."""
    prey = fact(steps(5), "w40k11.fight.pile_in_move", neutral=steps(99))
    """How near an enemy is to be piled in to by an unengaged unit..."""
    near = fact(steps(3), "w40k11.fight.consolidate_move", neutral=steps(99))
    """...and how near an enemy or an objective, for one that consolidates."""


# --- Towards the enemy ------------------------------------------------------------------------------------------------


def towards(w: World11, unit: Unit, move: str, targets: Sequence[int]) -> Plan:
    """A pile-in or consolidation move towards some enemy units; each of them is reached by one that engages them."""
    each = move == CONSOLIDATE and not is_engaged(w, unit)
    contact = Contact(
        Passage(unit.id, move),
        CLOSING.far,
        loose_models(w, unit),
        tuple(targets),
        judge_conditions,
        reach=ENGAGEMENT.range,
        each=each,
        closer=closer_to_the_nearest_unit,
        ladder=(ENGAGEMENT.range,),
    )
    return Plan(contact, judge_towards, (all_close_in, beside_others, one_alone, joined), idle=move)


@kept(PLACES)
def loose_models(w: World11, unit: Unit) -> tuple[int, ...]:
    """Models that may pile in or consolidate: those that can move and touch no enemy."""
    able = np.array(able_models(w, Passage(unit.id, PILE_IN)), dtype=np.int64)
    return tuple(able[~near(w, w.bodies, able, models_of(w, enemy_units(w, unit.player)))].tolist())


def judge_towards(w: World11, c: Contact, answer: Moves) -> Verdict:
    """The conditions, and engaged wherever it is possible; a unit may always stay."""
    if not answer.paths:
        return ALLOWED
    return judge_conditions(w, c, answer) and check_engages(w, c, answer)


def judge_conditions(w: World11, c: Contact, answer: Moves) -> Verdict:
    """Who may move, how far, where to; and whom the unit and its models are engaged with at the end."""
    bodies = after(w, answer)
    return (
        no_embarking(answer)
        and check_loose(w, c, answer)
        and judge_paths(w, answer, c.way, lambda _: c.far)
        and check_ends_engaged(w, c, bodies)
        and check_keeps_engaged(w, c, bodies)
        and check_direction(w, c, answer, bodies)
    )


@rule("w40k11.fight.pile_in_move", "w40k11.fight.consolidate_ongoing", neutral=ALLOWED)
def check_loose(w: World11, c: Contact, answer: Moves) -> Verdict:
    """A model in base contact with an enemy stays."""
    return closing.check_loose(w, c, answer, RULES[c.way.move])


@rule("w40k11.fight.pile_in_move", "w40k11.fight.consolidate_engaging", neutral=ALLOWED)
def check_ends_engaged(w: World11, c: Contact, bodies: Bodies) -> Verdict:
    """The unit ends engaged: with anybody, or after an engaging consolidation with all that it selected."""
    unit, models = w.unit(c.way.unit), mates_of(w, c)
    wanted = [w.unit(t) for t in c.prey] if c.each else w.enemies_of(unit.player)
    found = engaged_after(w, bodies, models, wanted)
    if found and (not c.each or len(found) == len(wanted)):
        return ALLOWED
    rule_ = "w40k11.fight.consolidate_engaging" if c.each else RULES[c.way.move]
    return refuse(f"{unit.name} would not end engaged{' with all of them' if c.each else ''}.", rule_)


@rule("w40k11.fight.pile_in_move", "w40k11.fight.consolidate_ongoing", neutral=ALLOWED)
def check_keeps_engaged(w: World11, c: Contact, bodies: Bodies) -> Verdict:
    """No model loses an engagement that it had."""
    models = mates_of(w, c)
    for enemy in engaged_enemies(w, w.unit(c.way.unit)):
        theirs = w.on_table(enemy)
        lost = engaged_models(w, w.bodies, models, theirs) & ~engaged_models(w, bodies, models, theirs)
        if np.any(lost):
            text = f"{called_all(w, models[lost].tolist())} would be engaged with {enemy.name} no longer."
            return refuse(text, RULES[c.way.move])
    return ALLOWED


@rule("w40k11.fight.pile_in_move", "w40k11.fight.consolidate_ongoing", neutral=ALLOWED)
def check_direction(w: World11, c: Contact, answer: Moves, bodies: Bodies) -> Verdict:
    """Every model that moves ends closer to the target that was closest to it."""
    return check_nearer(w, c, answer, bodies, "the closest target", RULES[c.way.move])


@rule("w40k11.fight.pile_in_move", "w40k11.fight.consolidate_ongoing", neutral=ALLOWED)
def check_engages(w: World11, c: Contact, answer: Moves) -> Verdict:
    """A model that moves ends engaged if it can: the refusal shows where."""
    return check_near_enough(w, c, answer, [p.model for p in answer.paths], RULES[c.way.move])


# --- Pile in ----------------------------------------------------------------------------------------------------------


@rule("w40k11.fight.pile_in_move", neutral=[])
def pile_in_targets(w: World11, unit: Unit) -> list[Unit]:
    """All enemies that a unit is engaged with; of an unengaged one those within 5", from which its player selects."""
    return engaged_prey(w, unit) if is_engaged(w, unit) else prey_within(w, unit, CLOSING.prey)


def engaged_prey(w: World11, unit: Unit) -> list[Unit]:
    """The enemy units that a unit is engaged with and does not ignore."""
    return [e for e in engaged_enemies(w, unit) if is_prey(w, unit, e)]


def prey_within(w: World11, unit: Unit, reach: int) -> list[Unit]:
    """The enemy units so near that a unit does not ignore."""
    return [e for e in enemies_within(w, unit, reach) if is_prey(w, unit, e)]


def may_pile_in(w: World11, unit: Unit) -> Verdict:
    """Whether a unit may make its pile-in move in the Pile In step."""
    return not_piled_in(unit) and may_stir(w, unit) and in_a_fight(w, unit) and could_close_in(w, unit)


@rule("w40k11.fight.pile_in_step", neutral=ALLOWED)
def not_piled_in(unit: Unit) -> Verdict:
    """A unit piles in once in the Pile In step."""
    return refuse(f"{does(unit, 'has')} piled in.", "w40k11.fight.pile_in_step") if unit.piled_in else ALLOWED


@rule("w40k11.fight.pile_in_move", neutral=ALLOWED)
def in_a_fight(w: World11, unit: Unit) -> Verdict:
    """Units that are engaged, charged, or make an overrun fight pile in."""
    if unit.charged or unit.overruns or is_engaged(w, unit):
        return ALLOWED
    return refuse(f"{does(unit, 'is')} not engaged, and did not charge.", "w40k11.fight.pile_in_move")


def could_close_in(w: World11, unit: Unit) -> Verdict:
    """Whether anybody of a unit is free to move, and somebody is there to move to."""
    if pile_in_targets(w, unit) and loose_models(w, unit):
        return ALLOWED
    return refuse(f"Nobody of {unit.name} can move closer.", "w40k11.fight.pile_in_move")


async def pile_in(b: Battle11, unit: Unit) -> None:
    """A unit piles in, if its player wants."""
    b.set_unit(unit, piled_in=True)
    targets, rule_ = pile_in_targets(b, unit), "w40k11.fight.pile_in_move"
    if not is_engaged(b, unit):
        prompt = "Towards whom {does} {unit} pile in?"
        targets = await choose_targets(b, unit, targets, rule_, "pile_in_targets", prompt, "Pile in")
    mode, ids = Mode(PILE_IN, "Pile in", CLOSING.far), [t.id for t in targets]
    question = move_of(b, unit, "pile_in", "How {does} {unit} pile in?", (mode,), rule_, targets=ids)
    await make(b, unit, question, "piled_in", f"{does(unit, 'piles')} in.", rule_)


async def make(b: Battle11, unit: Unit, question: Move, kind: str, text: str, rule_: str) -> None:
    """Ask for a move, and make it."""
    moves = await b.ask(question)
    if moves.paths:
        carry(b, unit, moves, Passage(unit.id, moves.mode))
        b.tell(kind, text, rule_, units=[unit.id])


def asked(w: World11, d: Move) -> Plan:
    """The plan of the move in a question."""
    return towards(w, w.unit(d.unit), d.modes[0].name, [int(t) for t in d.about["targets"]])


QUESTIONS: Final = {
    "pile_in_targets": WHICH_TARGETS,
    "pile_in": plan.question(asked, plan.parts),
}
