"""The charge roll and the charge move, and the move of a Heroic Intervention."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from sandtable.battle import ALLOWED, Mode, Move, Moves, Verdict, refuse
from sandtable.battle.rolls import Total
from sandtable.forty.effects.other_rolls import added
from sandtable.forty.single_dice import roll
from sandtable.forty.state import called
from sandtable.kit.asking import move_of
from sandtable.kit.charging import charge_in, how_to_charge, read_roll, tell_failed
from sandtable.kit.closing import plan
from sandtable.kit.closing.contact import Contact, able_models, least_way, near, sought
from sandtable.kit.closing.in_force import all_close_in, around_things, beside_others, one_alone
from sandtable.kit.closing.joining import joined
from sandtable.kit.closing.plan import Plan
from sandtable.kit.grammar import does
from sandtable.kit.moving import after, carry_out, make_move
from sandtable.rules import rule
from sandtable.systems.w40k8.book import BOOK
from sandtable.systems.w40k8.concepts import enemies
from sandtable.systems.w40k8.moving import CHARGE, HEROIC, Passage, judge_paths
from sandtable.systems.w40k8.pile_in import towards_nearest
from sandtable.systems.w40k8.state import Battle8, Unit, World8
from sandtable.table.grid import STEP, steps
from sandtable.table.shapes import Bodies
from sandtable.table.zones import linked

FAIL: Final = "fail"


async def make_charge_move(b: Battle8, unit: Unit, targets: Sequence[Unit]) -> bool:
    """Throw 2D6 and move; whether the charge was made."""
    far = await charge_roll(b, unit, targets)
    moves = await _charge_move(b, unit, targets, far)
    if is_made(moves):
        carry_out(b, moves)
        return True
    tell_failed(b, unit, far, "w40k8.charge.fail")
    return False


@rule("w40k8.charge.roll", neutral=0)
async def charge_roll(b: Battle8, unit: Unit, targets: Sequence[Unit]) -> int:
    """2D6 for the whole unit: how many inches each model may move, whatever its Move characteristic."""
    read = read_charge(b, unit, targets)

    def enough(faces: Sequence[int]) -> bool:
        return sum(faces) + read.plus >= read.needed

    source = "w40k8.charge.roll"
    faces = await roll(b, unit, BOOK.charge_dice, "charge", source, read=read, value=enough, enough=enough)
    return max(0, sum(faces) + read.plus)


def read_charge(w: World8, unit: Unit, targets: Sequence[Unit]) -> Total:
    """What the dice have to come to: the least with which a charge move can be made; 0 where none was found."""
    more, names = added(w, unit, "charge", against=[t.id for t in targets])
    return read_roll(w, charge_of(w, unit, targets), BOOK.charge_dice, more, names)


async def _charge_move(b: Battle8, unit: Unit, targets: Sequence[Unit], far: int) -> Moves:
    """The move, if distances leave a chance for one; a player may decline."""
    if least_way(b, charge_of(b, unit, targets, steps(far))) > steps(far):
        return Moves(FAIL)
    modes = (Mode(CHARGE, "Charge", steps(far)), Mode(FAIL, "The charge fails", 0))
    rules = ("w40k8.charge.roll", "w40k8.charge.first_model", "w40k8.charge.non_targets")
    return await b.ask(how_to_charge(b, unit, targets, far, modes, *rules))


@rule("w40k8.charge.fail", neutral=True)
def is_made(moves: Moves) -> bool:
    """A charge that nobody can lead, or that is given up, fails: nobody moves, and the unit has not charged."""
    return moves.mode != FAIL


# --- Judging a charge move --------------------------------------------------------------------------------------------


def charge_of(w: World8, unit: Unit, targets: Sequence[Unit], far: int = 0) -> Contact:
    """What a charge move has to come to: one model within 1" of one target, and nobody near anybody else."""
    ids = tuple(t.id for t in targets)
    way = Passage(unit.id, CHARGE, closed_to_chargers(tuple(e.id for e in enemies(w, unit) if e.id not in ids)))
    return Contact(
        way, far, able_models(w, way), ids, can_be_led, reach=BOOK.first_model, furthest=6 * BOOK.charge_dice * STEP
    )


def charge_plan(c: Contact) -> Plan:
    """How a charge move is judged and found."""
    return Plan(c, judge_charge_move, (led,), idle=FAIL)


def judge_charge_move(w: World8, c: Contact, answer: Moves) -> Verdict:
    """The paths, and where the first model ends; a charge may always be given up."""
    if answer.mode == FAIL:
        return ALLOWED
    return judge_paths(w, answer, c) and check_first_model(w, c, answer, after(w, answer))


@rule("w40k8.charge.non_targets", neutral=())
def closed_to_chargers(others: tuple[int, ...]) -> tuple[int, ...]:
    """Nobody comes within 1" of enemy units that are no targets."""
    return others


@rule("w40k8.charge.first_model", neutral=ALLOWED)
def check_first_model(w: World8, c: Contact, answer: Moves, bodies: Bodies) -> Verdict:
    """The first model that is moved ends within 1" of a model of one of the targets."""
    if not answer.paths:
        return refuse("Nobody moves.", "w40k8.charge.first_model")
    first = answer.paths[0].model
    if linked(bodies, w.shapes, np.array([first], dtype=np.int64), sought(w, c), BOOK.first_model):
        return ALLOWED
    text = f'{called(w, first)} is moved first and would not end within 1" of a target.'
    return refuse(text, "w40k8.charge.first_model")


# --- Finding one ------------------------------------------------------------------------------------------------------


def led(w: World8, c: Contact) -> Iterator[Moves]:
    """Attempts at a charge, with somebody first who ends near a target."""
    for attempt in (all_close_in, beside_others, around_things, joined, one_alone):
        for moves in attempt(w, c):
            yield leader_first(w, c, moves)


def leader_first(w: World8, c: Contact, moves: Moves) -> Moves:
    """The same move in an order in which the first model ends near a target, if anybody does."""
    models = np.array([p.model for p in moves.paths], dtype=np.int64)
    leads = near(w, after(w, moves), models, sought(w, c), BOOK.first_model).tolist()
    first = leads.index(True) if True in leads else 0
    return Moves(moves.mode, (*moves.paths[first : first + 1], *moves.paths[:first], *moves.paths[first + 1 :]))


def can_be_led(w: World8, c: Contact, moves: Moves) -> Verdict:
    """Whether a move meets all conditions, in the right order."""
    return judge_charge_move(w, c, leader_first(w, c, moves))


# --- Heroic Interventions ---------------------------------------------------------------------------------------------


async def make_heroic_move(b: Battle8, unit: Unit) -> None:
    """Move up to 3", closer to the nearest enemy model."""
    mode = Mode(HEROIC, "Heroic Intervention", BOOK.step)
    question = move_of(b, unit, "heroic_move", "How {does} {unit} intervene?", (mode,), "w40k8.charge.heroic")
    await make_move(b, question, "intervened", f"{does(unit, 'intervenes')} heroically.", "w40k8.charge.heroic")


def asked(w: World8, d: Move) -> Contact:
    """Who charges whom in a question, and how far."""
    return charge_of(w, *charge_in(w, d))


QUESTIONS: Final = {
    "charge_move": plan.question(lambda w, d: charge_plan(asked(w, d)), plan.without_one),
    "heroic_move": plan.question(lambda w, d: towards_nearest(w, w.unit(d.unit), HEROIC), plan.parts),
}
