"""The Charge phase: who may charge whom, the charge roll and move, and Heroic Interventions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from sandtable.battle import AGAIN, ALLOWED, DONE, Mode, Moment, Move, Moves, Question, Step, Verdict, refuse
from sandtable.battle.rolls import Total
from sandtable.forty.effects.other_rolls import added
from sandtable.forty.effects.permissions import allows, is_barred
from sandtable.forty.moments import UNIT_MOVE_ENDED
from sandtable.forty.single_dice import roll
from sandtable.forty.state import called
from sandtable.kit.asking import move_of, pick_unit
from sandtable.kit.charging import (
    chance,
    charge_in,
    choose_targets,
    how_to_charge,
    nearest_target,
    odds_of_targets,
    read_roll,
    suggest_targets,
    tell_charged,
    tell_declared,
    tell_failed,
)
from sandtable.kit.closing import plan
from sandtable.kit.closing.contact import Contact, able_models, least_way, sought
from sandtable.kit.closing.led import leader_first, led
from sandtable.kit.closing.plan import Plan
from sandtable.kit.grammar import does
from sandtable.kit.ideas import easiest, which_unit
from sandtable.kit.moving import after, carry_out, make_move
from sandtable.kit.passage import Passage
from sandtable.kit.ready import is_its_turn, is_there, refuse_if
from sandtable.rules import rule
from sandtable.systems.w40k8.battle_round import begin_phase
from sandtable.systems.w40k8.book import BOOK
from sandtable.systems.w40k8.concepts import close_enemies, enemies, enemies_within, model_has_keyword
from sandtable.systems.w40k8.fight import towards_nearest
from sandtable.systems.w40k8.moving import CHARGE, HEROIC, judge_paths
from sandtable.systems.w40k8.shooting import fire_overwatch
from sandtable.systems.w40k8.state import ADVANCE, FALL_BACK, Battle8, Unit, World8
from sandtable.table.grid import STEP, steps
from sandtable.table.shapes import Bodies
from sandtable.table.zones import linked

FAIL: Final = "fail"


async def charge_phase(b: Battle8) -> Step:
    """The Charge phase begins; who has an enemy within 1" is looked up now, and only now."""
    await begin_phase(b, CHARGE)
    for unit in b.units_of(b.state.active):
        b.set_unit(unit, near=bool(close_enemies(b, unit)))
    return DONE


@rule("w40k8.charge.sequence")
async def charge_units(b: Battle8) -> Step:
    """One unit after the other: targets, Overwatch, roll and move."""
    prompt, id_ = "Which unit charges next?", "w40k8.charge.sequence"
    unit = await pick_unit(b, b.state.active, "charge_with", prompt, eligible_to_charge, id_, rolls=has_one_target)
    if unit is None:
        return DONE
    await b.act(unit, charge(b, unit, await name_targets(b, unit)))
    return AGAIN


async def charge(b: Battle8, unit: Unit, targets: Sequence[Unit]) -> None:
    """Let each target fire Overwatch in turn, then roll and move."""
    b.set_unit(unit, declared=True)
    tell_declared(b, unit, targets, "w40k8.charge.targets")
    for target in targets:
        await fire_overwatch(b, target, unit)
        b.go_on()
    if await make_charge_move(b, unit, targets):
        b.set_unit(unit, charged=True, targets=tuple(t.id for t in targets))
        tell_charged(b, unit, targets, "w40k8.charge.roll")
        await b.window(UNIT_MOVE_ENDED, Moment(unit.id, data={"move": CHARGE}))


def eligible_to_charge(w: World8, unit: Unit) -> Verdict:
    """Whether a unit may be chosen to charge now."""
    return (
        is_its_turn(w, unit, "Charge phase", "w40k8.charge.sequence")
        and is_there(w, unit, "w40k8.charge.eligible")
        and not_declared(unit)
        and free_to_charge(w, unit)
        and has_a_target(w, unit)
    )


@rule("w40k8.charge.once", "w40k8.charge.fail", neutral=ALLOWED)
def not_declared(unit: Unit) -> Verdict:
    """A unit is chosen to charge once in a phase, whatever came of it."""
    return refuse_if(unit.declared, unit, "{unit} {has} tried to charge already in this phase.", "w40k8.charge.once")


@rule("w40k8.charge.eligible", "w40k8.move.advance_limits", "w40k8.move.fall_back_limits", neutral=ALLOWED)
def free_to_charge(w: World8, unit: Unit) -> Verdict:
    """Nobody charges who began the phase within 1" of an enemy, or Advanced or Fell Back and has no ability for it."""
    id_, advanced, fell_back = "w40k8.charge.eligible", unit.moved == ADVANCE, unit.moved == FALL_BACK
    if advanced and not allows(w, unit, "advance_and_charge"):
        return refuse(f"{unit.name} Advanced this turn.", id_, "w40k8.move.advance_limits")
    if fell_back and not allows(w, unit, "fall_back_and_charge"):
        return refuse(f"{unit.name} Fell Back this turn.", id_, "w40k8.move.fall_back_limits")
    return refuse_if(unit.near, unit, '{unit} {was} within 1" of an enemy when the phase began.', id_)


def has_a_target(w: World8, unit: Unit) -> Verdict:
    """There is an enemy within 12" now that it may charge."""
    near, rules = enemies_within(w, unit, BOOK.charge_range), ("w40k8.charge.eligible", "w40k8.charge.targets")
    text = "Abilities keep {unit} from charging any enemy near." if near else 'No enemy is within 12" of {unit}.'
    return refuse_if(not possible_targets(w, unit), unit, text, *rules)


def possible_targets(w: World8, unit: Unit) -> list[Unit]:
    """The enemy units within 12", visible or not, that no ability keeps it from charging."""
    return [e for e in enemies_within(w, unit, BOOK.charge_range) if not is_barred(w, unit, e, "charge", "be_charged")]


def has_one_target(w: World8, unit: Unit) -> bool:
    """Whether nobody is asked whom a unit charges, so that the dice are next."""
    return len(possible_targets(w, unit)) == 1


@rule("w40k8.charge.targets", neutral=())
async def name_targets(b: Battle8, unit: Unit) -> list[Unit]:
    """Name at least one target."""
    return await choose_targets(b, unit, possible_targets(b, unit), "w40k8.charge.targets")


@rule("w40k8.charge.fail", neutral=True)
async def make_charge_move(b: Battle8, unit: Unit, targets: Sequence[Unit]) -> bool:
    """Throw 2D6 and move; whether the charge was made: nobody moves if nobody can lead it, or it is given up."""
    far = await charge_roll(b, unit, targets)
    moves = Moves(FAIL)
    if least_way(b, charge_of(b, unit, targets, steps(far))) <= steps(far):
        modes = (Mode(CHARGE, "Charge", steps(far)), Mode(FAIL, "The charge fails", 0))
        rules = ("w40k8.charge.roll", "w40k8.charge.first_model", "w40k8.charge.non_targets")
        moves = await b.ask(how_to_charge(b, unit, targets, far, modes, *rules))
    if moves.mode == FAIL:
        tell_failed(b, unit, far, "w40k8.charge.fail")
        return False
    carry_out(b, moves)
    return True


@rule("w40k8.charge.roll", neutral=0)
async def charge_roll(b: Battle8, unit: Unit, targets: Sequence[Unit]) -> int:
    """2D6 for the whole unit: how many inches each model may move, whatever its Move characteristic."""
    read, source = read_charge(b, unit, targets), "w40k8.charge.roll"

    def enough(faces: Sequence[int]) -> bool:
        return sum(faces) + read.plus >= read.needed

    faces = await roll(b, unit, BOOK.charge_dice, "charge", source, read=read, value=enough, enough=enough)
    return max(0, sum(faces) + read.plus)


def read_charge(w: World8, unit: Unit, targets: Sequence[Unit]) -> Total:
    """What the dice have to come to: the least with which a charge move can be made; 0 where none was found."""
    more, names = added(w, unit, "charge", against=[t.id for t in targets])
    return read_roll(w, charge_of(w, unit, targets), BOOK.charge_dice, more, names)


def chance_to_charge(w: World8, unit: Unit, targets: Sequence[Unit]) -> float:
    """The chance that a charge which a unit declares now can be made, before anything is rolled again."""
    more, _ = added(w, unit, "charge", against=[t.id for t in targets])
    return chance(w, charge_of(w, unit, targets), BOOK.charge_dice, more)


def charge_of(w: World8, unit: Unit, targets: Sequence[Unit], far: int = 0) -> Contact:
    """What a charge move has to come to: one model within 1" of one target, and nobody near anybody else."""
    ids = tuple(t.id for t in targets)
    way = Passage(unit.id, CHARGE, closed_to_chargers(tuple(e.id for e in enemies(w, unit) if e.id not in ids)))
    most = 6 * BOOK.charge_dice * STEP
    return Contact(way, far, able_models(w, way), ids, can_be_led, reach=BOOK.first_model, furthest=most)


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


def can_be_led(w: World8, c: Contact, moves: Moves) -> Verdict:
    """Whether a move meets all conditions, in the right order."""
    return judge_charge_move(w, c, leader_first(w, c, moves))


@rule("w40k8.charge.heroic")
async def heroic_interventions(b: Battle8) -> Step:
    """After the last charge each Character near the enemy may move; no unit does it twice."""
    for player in b.opponents(b.state.active):
        prompt, rule_ = "Which Character intervenes heroically?", "w40k8.charge.heroic"
        unit = await pick_unit(b, player.id, "intervene_with", prompt, may_intervene, rule_)
        if unit is not None:
            b.set_unit(unit, intervened=True)
            await b.act(unit, make_heroic_move(b, unit))
            return AGAIN
    return DONE


@rule("w40k8.charge.heroic", neutral=ALLOWED)
def may_intervene(w: World8, unit: Unit) -> Verdict:
    """Only Characters intervene, once and in the turn of another, and only if an enemy unit is within 3"."""
    if unit.player == w.state.active or unit.intervened or not w.is_on_table(unit):
        return refuse(f"{does(unit, 'is')} not to intervene now, or has done so.", "w40k8.charge.heroic")
    if not all(model_has_keyword(w, int(m), "CHARACTER") for m in w.on_table(unit)):
        return refuse(f"{does(unit, 'is')} no Character.", "w40k8.charge.heroic")
    near = enemies_within(w, unit, BOOK.heroic_range)
    return refuse_if(not near, unit, 'No enemy unit is within 3" of {unit}.', "w40k8.charge.heroic")


async def make_heroic_move(b: Battle8, unit: Unit) -> None:
    """Move up to 3", closer to the nearest enemy model."""
    mode = Mode(HEROIC, "Heroic Intervention", BOOK.step)
    question = move_of(b, unit, "heroic_move", "How {does} {unit} intervene?", (mode,), "w40k8.charge.heroic")
    await make_move(b, question, "intervened", f"{does(unit, 'intervenes')} heroically.", "w40k8.charge.heroic")


def charge_asked(w: World8, d: Move) -> Plan:
    """How the charge move that a question is about is judged and found."""
    return Plan(charge_of(w, *charge_in(w, d)), judge_charge_move, (led,), idle=FAIL)


QUESTIONS: Final = {
    "charge_with": which_unit(0.1, eligible_to_charge, easiest(chance_to_charge, possible_targets)),
    "intervene_with": which_unit(0.3, may_intervene),
    "charge_targets": Question(suggest=suggest_targets, default=nearest_target, odds=odds_of_targets(chance_to_charge)),
    "charge_move": plan.question(charge_asked, plan.without_one),
    "heroic_move": plan.question(lambda w, d: towards_nearest(w, w.unit(d.unit), HEROIC), plan.parts),
}
