"""Piling in and consolidating."""

from __future__ import annotations

from typing import Final

import numpy as np

from sandtable.battle import ALLOWED, Mode, Moves, Verdict, refuse
from sandtable.forty import closing
from sandtable.forty.effects.permissions import allows
from sandtable.forty.state import called_all
from sandtable.kit.asking import move_of
from sandtable.kit.closing import plan
from sandtable.kit.closing.contact import Contact, able_models, closer_to_the_nearest, near, sought
from sandtable.kit.closing.in_force import all_close_in, beside_others, one_alone
from sandtable.kit.closing.plan import Plan
from sandtable.kit.grammar import does
from sandtable.kit.moving import after, make_move
from sandtable.rules import rule
from sandtable.systems.w40k8.book import BOOK
from sandtable.systems.w40k8.concepts import enemies
from sandtable.systems.w40k8.moving import CONSOLIDATE, PILE_IN, RULES, Passage, judge_paths
from sandtable.systems.w40k8.state import Battle8, Unit, World8
from sandtable.table.grid import steps
from sandtable.table.shapes import Bodies

LEAP: Final = steps(6)
"""How far those pile in whom an ability lets leap."""


async def pile_in(b: Battle8, unit: Unit) -> None:
    """Each model may move up to 3", closer to the enemy model nearest to it."""
    await _step(b, unit, PILE_IN, "Pile in", "How {does} {unit} pile in?", f"{does(unit, 'piles')} in.")


async def consolidate(b: Battle8, unit: Unit) -> None:
    """The same once the unit has made its attacks."""
    told = f"{does(unit, 'consolidates')}."
    await _step(b, unit, CONSOLIDATE, "Consolidate", "How {does} {unit} consolidate?", told)


async def _step(b: Battle8, unit: Unit, move: str, label: str, how: str, told: str) -> None:
    if not b.is_on_table(unit) or not may_step(b, unit):
        return
    question = move_of(b, unit, move, how, (Mode(move, label, step_of(b, unit, move)),), RULES[move])
    await make_move(b, question, move, told, RULES[move])


def step_of(w: World8, unit: Unit, move: str) -> int:
    """How far models of a unit pile in and consolidate; some go further than others."""
    return LEAP if move in (PILE_IN, CONSOLIDATE) and allows(w, unit, "pile_in_6") else BOOK.step


def may_step(w: World8, unit: Unit) -> bool:
    """Whether anybody could move closer to an enemy."""
    c = towards_nearest(w, unit, PILE_IN).contact
    return bool(c.prey) and not near(w, w.bodies, w.on_table(unit), sought(w, c)).all()


def towards_nearest(w: World8, unit: Unit, move: str) -> Plan:
    """A move of up to 3" in which everybody who moves ends closer to the enemy model that was nearest."""
    way = Passage(unit.id, move)
    prey = tuple(e.id for e in enemies(w, unit))
    contact = Contact(way, step_of(w, unit, move), able_models(w, way), prey, judge_step, closer=closer_to_the_nearest)
    return Plan(contact, judge_step, (all_close_in, beside_others, one_alone), idle=move)


def judge_step(w: World8, c: Contact, answer: Moves) -> Verdict:
    """How far and where to; any model may stay, and so may all of them."""
    if not answer.paths:
        return ALLOWED
    bodies = after(w, answer)
    return check_loose(w, c, answer) and judge_paths(w, answer, c) and check_nearer(w, c, answer, bodies)


@rule("w40k8.fight.pile_in", "w40k8.fight.consolidate", "w40k8.charge.heroic", neutral=ALLOWED)
def check_loose(w: World8, c: Contact, answer: Moves) -> Verdict:
    """A model in base contact with an enemy cannot get nearer."""
    moved = np.array([p.model for p in answer.paths], dtype=np.int64)
    held = moved[near(w, w.bodies, moved, sought(w, c))].tolist()
    if not held:
        return ALLOWED
    return refuse(f"{called_all(w, held)} cannot get nearer: in base contact with an enemy.", RULES[c.way.move])


@rule("w40k8.fight.pile_in", "w40k8.fight.consolidate", "w40k8.charge.heroic", neutral=ALLOWED)
def check_nearer(w: World8, c: Contact, answer: Moves, bodies: Bodies) -> Verdict:
    """Every model that moves ends nearer to the enemy model that was nearest to it."""
    return closing.check_nearer(w, c, answer, bodies, "the nearest enemy model", RULES[c.way.move])


QUESTIONS: Final = {
    PILE_IN: plan.question(lambda w, d: towards_nearest(w, w.unit(d.unit), PILE_IN), plan.parts),
    CONSOLIDATE: plan.question(lambda w, d: towards_nearest(w, w.unit(d.unit), CONSOLIDATE), plan.parts),
}
