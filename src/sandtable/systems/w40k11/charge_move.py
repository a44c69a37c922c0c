"""The charge move (11.04): whom it may reach, and how it may be made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sandtable.battle import ALLOWED, Move, Moves, Verdict, refuse
from sandtable.forty.closing import check_near_enough, check_nearer
from sandtable.kit.charging import charge_in, charging, others_than
from sandtable.kit.closing import plan
from sandtable.kit.closing.contact import Contact, mates_of
from sandtable.kit.closing.in_force import all_close_in, around_things, beside_others
from sandtable.kit.closing.least import possible
from sandtable.kit.closing.plan import Plan
from sandtable.kit.moving import after
from sandtable.rules import Facts, fact, rule
from sandtable.systems.w40k11.engagement import ENGAGEMENT
from sandtable.systems.w40k11.moving import CHARGE, Passage, judge_paths, no_embarking
from sandtable.systems.w40k11.state import Unit, World11
from sandtable.table.grid import steps
from sandtable.table.shapes import Bodies
from sandtable.table.zones import Ball, linked

DECLINE: Final = "decline"
"""The unit stays where it is."""


class CHARGING(Facts):
    """What the book states about charges."""

    dice = fact(2, "w40k11.charge.sequence", neutral=0)
    """So many dice say how far a charge goes."""
    range = fact(steps(12), "w40k11.charge.eligible", "w40k11.charge.targets", neutral=steps(120))
    """How near an enemy must be to be charged."""
    close = fact(Ball(steps(1)), "w40k11.charge.move", neutral=Ball(-1))
    """So near to a target every model ends that can."""


def charge_move_of(w: World11, unit: Unit, targets: Sequence[Unit], far: int = 0) -> Contact:
    """What a charge move has to come to: every target engaged, everybody closer, and within 1" if possible."""
    ids = tuple(t.id for t in targets)
    way = Passage(unit.id, CHARGE, closed_to_chargers(others_than(w, unit, ids)), unit.skies)
    reach, ladder = ENGAGEMENT.range, (CHARGING.close, ENGAGEMENT.range)
    return charging(w, way, far, ids, judge_conditions, reach, ladder, CHARGING.dice)


def plan_of(c: Contact) -> Plan:
    """How a charge move is judged and found."""
    return Plan(c, judge_charge_move, (all_close_in, beside_others, around_things), some=possible, idle=DECLINE)


# --- Judging ----------------------------------------------------------------------------------------------------------


def judge_charge_move(w: World11, c: Contact, answer: Moves) -> Verdict:
    """All conditions, and as near to a target as each model can; or nobody moves."""
    if answer.mode == DECLINE:
        return may_decline() if not answer.paths else refuse("Nobody moves.", "w40k11.charge.sequence")
    return no_embarking(answer) and judge_conditions(w, c, answer) and check_near(w, c, answer)


@rule("w40k11.charge.sequence", neutral=refuse("A charge has to be made."))
def may_decline() -> Verdict:
    """A charge move need not be made, whatever was rolled."""
    return ALLOWED


@rule("w40k11.charge.after", "w40k11.charge.move", neutral=ALLOWED)
def judge_conditions(w: World11, c: Contact, answer: Moves) -> Verdict:
    """The paths and coherency, the targets, and that everybody gets closer."""
    bodies = after(w, answer)
    return (
        judge_paths(w, answer, c.way, lambda _: c.far)
        and check_targets(w, c, bodies)
        and check_closer(w, c, answer, bodies)
    )


@rule("w40k11.charge.after", neutral=())
def closed_to_chargers(others: tuple[int, ...]) -> tuple[int, ...]:
    """The unit ends engaged with nobody that is no target."""
    return others


@rule("w40k11.charge.after", neutral=ALLOWED)
def check_targets(w: World11, c: Contact, bodies: Bodies) -> Verdict:
    """The unit ends engaged with every target."""
    models = mates_of(w, c)
    for target in map(w.unit, c.prey):
        if not linked(bodies, w.shapes, models, w.on_table(target), ENGAGEMENT.range):
            text = f"{w.unit(c.way.unit).name} would not end engaged with {target.name}."
            return refuse(text, "w40k11.charge.after")
    return ALLOWED


@rule("w40k11.charge.move", neutral=ALLOWED)
def check_closer(w: World11, c: Contact, answer: Moves, bodies: Bodies) -> Verdict:
    """Every model that moves ends closer to one of the targets."""
    return check_nearer(w, c, answer, bodies, "one of the targets", "w40k11.charge.move")


@rule("w40k11.charge.move", neutral=ALLOWED)
def check_near(w: World11, c: Contact, answer: Moves) -> Verdict:
    """A model that can end within 1" of a target must, and else engaged with one if it can: the refusal shows where."""
    return check_near_enough(w, c, answer, c.movers, "w40k11.charge.move")


# --- The question -----------------------------------------------------------------------------------------------------


QUESTIONS: Final = {"charge_move": plan.question(lambda w, d: plan_of(asked(w, d)), plan.without_one)}


def asked(w: World11, d: Move) -> Contact:
    """Who charges whom in a question, and how far."""
    return charge_move_of(w, *charge_in(w, d))
