"""The Charge move: whether it may be made like this, whether it can be made at all, and the roll that it takes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sandtable.battle import ALLOWED, Move, Moves, Verdict, refuse
from sandtable.forty.closing import check_nearer, check_touching
from sandtable.kit.charging import charge_in, charging, others_than
from sandtable.kit.closing import plan
from sandtable.kit.closing.contact import Contact, mates_of
from sandtable.kit.closing.in_force import all_close_in, around_things, beside_others
from sandtable.kit.closing.least import enough
from sandtable.kit.closing.plan import Plan
from sandtable.kit.grammar import does
from sandtable.kit.moving import after
from sandtable.rules import Facts, fact, rule
from sandtable.systems.w40k10 import transports
from sandtable.systems.w40k10.engagement_range import ENGAGEMENT
from sandtable.systems.w40k10.moving_models import CHARGE, Passage, judge_paths
from sandtable.systems.w40k10.state import Unit, World10
from sandtable.systems.w40k10.terrain.barricades import charging_across, is_behind_one, reached_across
from sandtable.table.shapes import Bodies
from sandtable.table.zones import CONTACT, linked

FAIL: Final = "fail"


class CHARGES(Facts):
    dice = fact(2, "w40k10.charge.roll", neutral=0)
    """So many dice say how far a charge goes."""


def charge_move_of(w: World10, unit: Unit, targets: Sequence[Unit], far: int = 0) -> Contact:
    """What a Charge move has to come to: every target reached, everybody closer, base contact wherever possible.

    How far it may go need not be known yet.
    """
    ids = tuple(t.id for t in targets)
    way = Passage(unit.id, CHARGE, closed_to_chargers(others_than(w, unit, ids)))
    reach, ladder, lying = ENGAGEMENT.range, (CONTACT,), (w.state.game.markers, w.state.game.removed)
    more = {"across": charging_across(w), "lying": lying}
    return charging(w, way, far, ids, judge_conditions, reach, ladder, CHARGES.dice, **more)


def highest_roll() -> int:
    """The highest Charge roll, before anything is added to it."""
    return 6 * CHARGES.dice


def plan_of(c: Contact) -> Plan:
    """How a Charge move is judged and found."""
    return Plan(c, judge_charge_move, (all_close_in, beside_others, around_things), some=enough, idle=FAIL)


def find_charge(w: World10, unit: Unit, targets: Sequence[Unit], far: int) -> Moves | None:
    """A legal Charge move, if there is one; None where the bounded search behind `enough` finds none."""
    return plan.find(w, plan_of(charge_move_of(w, unit, targets, far)))


def judge_charge_move(w: World10, c: Contact, answer: Moves) -> Verdict:
    """All conditions, and base contact wherever it is possible; or whether the charge may fail."""
    if not transports.no_embarking(answer):
        return transports.no_embarking(answer)
    if answer.mode == FAIL:
        return may_fail(w, c)
    return judge_conditions(w, c, answer) and check_contact(w, c, answer)


def judge_conditions(w: World10, c: Contact, answer: Moves) -> Verdict:
    """The paths, the targets, and that everybody gets closer."""
    bodies = after(w, answer)
    return (
        judge_paths(w, answer, c.way, lambda _: c.far)
        and check_targets(w, c, bodies)
        and check_closer(w, c, answer, bodies)
    )


@rule("w40k10.charge.conditions", neutral=())
def closed_to_chargers(others: tuple[int, ...]) -> tuple[int, ...]:
    """The Engagement Range of enemies that are no targets is closed."""
    return others


@rule("w40k10.charge.conditions", neutral=ALLOWED)
def check_targets(w: World10, c: Contact, bodies: Bodies) -> Verdict:
    """The unit ends within Engagement Range of every target, or up against a barricade with the target behind it."""
    models = mates_of(w, c)
    for target in map(w.unit, c.prey):
        theirs = w.on_table(target)
        if linked(bodies, w.shapes, models, theirs, ENGAGEMENT.range):
            continue
        if not reached_across(w, bodies, models, theirs):
            return refuse(_out_of_reach(w, c, target), "w40k10.charge.conditions")
    return ALLOWED


def _out_of_reach(w: World10, c: Contact, target: Unit) -> str:
    text = f"{w.unit(c.way.unit).name} would not end within Engagement Range of {target.name}"
    if is_behind_one(w, target):
        return f'{text}, nor up against the barricade and no more than 2" from {target.name} across it.'
    return f"{text}."


@rule("w40k10.charge.move", neutral=ALLOWED)
def check_closer(w: World10, c: Contact, answer: Moves, bodies: Bodies) -> Verdict:
    """Every model that moves ends closer to one of the targets."""
    if not answer.paths:
        return refuse("Nobody moves.", "w40k10.charge.move")
    return check_nearer(w, c, answer, bodies, "one of the targets", "w40k10.charge.move")


@rule("w40k10.charge.base_contact", neutral=ALLOWED)
def check_contact(w: World10, c: Contact, answer: Moves) -> Verdict:
    """A model that can end in base contact must, whether it moved or stayed: the refusal shows where."""
    return check_touching(w, c, answer, c.movers, "w40k10.charge.base_contact")


@rule("w40k10.charge.move", neutral=ALLOWED)
def may_fail(w: World10, c: Contact) -> Verdict:
    """A charge that can be made is made: the refusal shows how."""
    found = plan.find(w, plan_of(c))
    if found is None:
        return ALLOWED
    text = f"{does(w.unit(c.way.unit), 'has')} rolled enough: a charge that can be made is made."
    return refuse(text, "w40k10.charge.move", instead=found)


def asked(w: World10, d: Move) -> Contact:
    """Who charges whom in a question, and how far."""
    return charge_move_of(w, *charge_in(w, d))


QUESTIONS: Final = {
    "charge_move": plan.question(
        lambda w, d: plan_of(asked(w, d)),
        plan.without_one,
        why_mode=lambda w, d, mode: may_fail(w, asked(w, d)) if mode == FAIL else ALLOWED,
    )
}
