"""The Charge phase: who may charge whom, the Charge roll, and the Charge move."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sandtable.battle import (
    AGAIN,
    ALLOWED,
    DONE,
    Choose,
    Mode,
    Moment,
    Moves,
    Question,
    Step,
    Verdict,
    refuse,
)
from sandtable.forty.effects.other_rolls import added, sum_rolled
from sandtable.forty.effects.permissions import allows, not_forbidden
from sandtable.forty.moments import CHARGE_DECLARED, UNIT_MOVE_BEGAN, UNIT_MOVE_ENDED
from sandtable.forty.offences import able_unit
from sandtable.kit.asking import pick_unit
from sandtable.kit.charging import (
    chance,
    choose_targets,
    how_to_charge,
    needed_of_dice,
    odds_of_targets,
    read_roll,
    suggest_targets,
    tell_charged,
    tell_declared,
    tell_failed,
)
from sandtable.kit.closing.contact import least_way
from sandtable.kit.grammar import agree, does
from sandtable.kit.ideas import easiest, next_unit
from sandtable.kit.moving import carry_out
from sandtable.kit.ready import is_its_turn, refuse_if
from sandtable.rules import Facts, fact, rule
from sandtable.systems.w40k10 import aircraft, transports
from sandtable.systems.w40k10.battle_round import CHARGE as CHARGE_PHASE
from sandtable.systems.w40k10.battle_round import begin_phase
from sandtable.systems.w40k10.charge_move import CHARGES, FAIL, charge_move_of, find_charge
from sandtable.systems.w40k10.core_concepts import within
from sandtable.systems.w40k10.dice import total
from sandtable.systems.w40k10.engagement_range import is_engaged
from sandtable.systems.w40k10.movement_phase import fell_back, has_advanced
from sandtable.systems.w40k10.moving_models import CHARGE, can_move
from sandtable.systems.w40k10.state import FAR, Battle10, Unit, World10
from sandtable.systems.w40k10.stratagems.tank_shock import tank_shock
from sandtable.table.grid import steps


class CHARGING(Facts):
    range = fact(steps(12), "w40k10.charge.eligible", "w40k10.charge.targets", neutral=FAR)
    """How near an enemy must be to be charged."""


async def charge_phase(b: Battle10) -> Step:
    """The Charge phase begins; who has an enemy within 12" is looked up now, and only now."""
    await begin_phase(b, CHARGE_PHASE)
    for unit in b.units_of(b.state.active):
        if b.is_on_table(unit) and enemy_is_near(b, unit):
            b.set_unit(unit, near=True)
    return DONE


def enemy_is_near(w: World10, unit: Unit) -> bool:
    """Whether an enemy unit is within charge range."""
    return any(w.is_on_table(e) and within(w, unit, e, CHARGING.range) for e in w.enemies_of(unit.player))


@rule("w40k10.charge.sequence")
async def charge_units(b: Battle10) -> Step:
    """One unit after the other: targets, roll, move."""
    prompt, rule_ = "Which unit declares a charge next?", "w40k10.charge.sequence"
    unit = await pick_unit(b, b.state.active, "charge_with", prompt, eligible_to_charge, rule_, rolls=has_one_target)
    if unit is None:
        return DONE
    targets = await select_targets(b, unit)
    await b.act(unit, charge(b, unit, targets))
    return AGAIN


def has_one_target(w: World10, unit: Unit) -> bool:
    """Whether nobody is asked whom a unit charges, so that the dice are next."""
    return len(possible_targets(w, unit)) == 1


# --- Who may charge whom ----------------------------------------------------------------------------------------------


def eligible_to_charge(w: World10, unit: Unit) -> Verdict:
    """Whether a unit may declare a charge now."""
    return (
        is_its_turn(w, unit, "Charge phase", "w40k10.charge.sequence")
        and not_declared(unit)
        and was_near(w, unit)
        and able_to_charge(w, unit)
        and (ALLOWED if possible_targets(w, unit) else _nobody_in_range(unit))
    )


@rule("w40k10.charge.sequence", neutral=ALLOWED)
def not_declared(unit: Unit) -> Verdict:
    """A unit declares one charge in a phase."""
    return refuse_if(unit.declared, unit, "{unit} {has} declared a charge already.", "w40k10.charge.sequence")


@rule("w40k10.charge.eligible", neutral=ALLOWED)
def was_near(w: World10, unit: Unit) -> Verdict:
    """There was an enemy within 12" when the phase began; before it, what counts is who is within range by now."""
    if w.state.game.phase == CHARGE_PHASE and not unit.near:
        return refuse(f'No enemy was within 12" of {unit.name} when the Charge phase began.', "w40k10.charge.eligible")
    return ALLOWED


def able_to_charge(w: World10, unit: Unit) -> Verdict:
    """Whether a unit could charge at all, in whoever's Charge phase."""
    return (
        able_unit(w, unit, can_move, "w40k10.charge.eligible", "w40k10.datasheet.move_dash")
        and aircraft.may_charge(w, unit)
        and free_to_charge(w, unit)
        and not_after_falling_back(w, unit)
        and transports.may_charge(unit)
        and unengaged(w, unit)
        and not_forbidden(w, unit, "charge", "charge now")
    )


@rule("w40k10.move.advance_limits", "w40k10.move.normal", "w40k10.charge.eligible", neutral=ALLOWED)
def free_to_charge(w: World10, unit: Unit) -> Verdict:
    """A unit that Advanced cannot charge; one that made a Normal move can."""
    if has_advanced(unit) and not allows(w, unit, "advance_and_charge"):
        return refuse(f"{unit.name} Advanced this turn.", "w40k10.charge.eligible", "w40k10.move.advance_limits")
    return ALLOWED


@rule("w40k10.move.fall_back_limits", "w40k10.charge.eligible", neutral=ALLOWED)
def not_after_falling_back(w: World10, unit: Unit) -> Verdict:
    """A unit that Fell Back cannot charge."""
    if fell_back(unit) and not allows(w, unit, "fall_back_and_charge"):
        return refuse(f"{unit.name} Fell Back this turn.", "w40k10.charge.eligible", "w40k10.move.fall_back_limits")
    return ALLOWED


@rule("w40k10.charge.eligible", neutral=ALLOWED)
def unengaged(w: World10, unit: Unit) -> Verdict:
    """An engaged unit cannot charge."""
    if is_engaged(w, unit):
        return refuse(f"{does(unit, 'is')} within Engagement Range of the enemy already.", "w40k10.charge.eligible")
    return ALLOWED


def _nobody_in_range(unit: Unit) -> Verdict:
    return refuse(f'No enemy is within 12" of {unit.name}.', "w40k10.charge.targets")


def possible_targets(w: World10, unit: Unit) -> list[Unit]:
    """The enemy units that a unit may charge."""
    return [
        e
        for e in w.enemies_of(unit.player)
        if w.is_on_table(e) and in_charge_range(w, unit, e) and aircraft.may_be_charged(w, unit, e)
    ]


@rule("w40k10.charge.targets", neutral=True)
def in_charge_range(w: World10, unit: Unit, enemy: Unit) -> bool:
    """A target is within 12"; it need not be visible."""
    return within(w, unit, enemy, CHARGING.range)


async def select_targets(b: Battle10, unit: Unit) -> list[Unit]:
    """Select at least one target."""
    return await choose_targets(b, unit, possible_targets(b, unit), "w40k10.charge.targets")


# --- The charge -------------------------------------------------------------------------------------------------------


async def charge(b: Battle10, unit: Unit, targets: Sequence[Unit], *, heroic: bool = False) -> None:
    """Declare, roll, move."""
    b.set_unit(unit, declared=True)
    tell_declared(b, unit, targets, "w40k10.charge.targets")
    await b.window(CHARGE_DECLARED, Moment(unit.id, data={"targets": [t.id for t in targets]}))
    far = await charge_roll(b, unit, targets)
    moves = await charge_move(b, unit, targets, far)
    if moves is None or moves.mode == FAIL:
        fail(b, unit, far)
        return
    carry_out(b, moves)
    b.set_unit(unit, charged=True, intervened=heroic)
    tell_charged(b, unit, targets, "w40k10.charge.move")
    await tank_shock(b, unit)
    await b.window(UNIT_MOVE_ENDED, Moment(unit.id, data={"move": CHARGE}))


@rule("w40k10.charge.fail")
def fail(b: Battle10, unit: Unit, far: int) -> None:
    """The unit stays where it is."""
    tell_failed(b, unit, far, "w40k10.charge.fail")


@rule("w40k10.charge.roll", neutral=0)
async def charge_roll(b: Battle10, unit: Unit, targets: Sequence[Unit]) -> int:
    """2D6 for the whole unit: how many inches each model may move."""
    more, names = added(b, unit, "charge")
    read = read_roll(b, charge_move_of(b, unit, targets), CHARGES.dice, more, names)
    need = needed_of_dice(read)
    faces = await sum_rolled(b, unit, "charge", CHARGES.dice, read, "w40k10.charge.roll", enough=need, need=need)
    if more:
        text = f"{unit.name}: {more:+d} to {agree(unit, 'its')} Charge roll."
        b.tell("charge_roll", text, "w40k10.charge.roll", *names, units=[unit.id])
    return max(0, total(faces) + more)


def chance_to_charge(w: World10, unit: Unit, targets: Sequence[Unit]) -> float:
    """The chance that a charge which a unit declares now can be made, before anything is rolled again."""
    more, _ = added(w, unit, "charge")
    return chance(w, charge_move_of(w, unit, targets), CHARGES.dice, more)


async def charge_move(b: Battle10, unit: Unit, targets: Sequence[Unit], far: int) -> Moves | None:
    """The move, or None when there can be none."""
    if not may_reach(b, unit, targets, steps(far)):
        return None
    told = {"move": CHARGE, "far": steps(far), "targets": [t.id for t in targets]}
    await b.window(UNIT_MOVE_BEGAN, Moment(unit.id, data={"move": CHARGE}, about=told))
    if not may_reach(b, unit, targets, steps(far)):
        return None
    modes = [Mode(CHARGE, "Charge", steps(far))]
    if find_charge(b, unit, targets, steps(far)) is None:
        modes.insert(0, Mode(FAIL, "The charge fails", 0))
    rules = ("w40k10.charge.move", "w40k10.charge.conditions")
    return await b.ask(how_to_charge(b, unit, targets, far, modes, *rules))


def may_reach(w: World10, unit: Unit, targets: Sequence[Unit], far: int) -> bool:
    """Whether the distances alone leave a chance to end within reach of every target."""
    return least_way(w, charge_move_of(w, unit, targets, far)) <= far


def stops(w: World10, d: Choose, unit: Unit, left: Sequence[int]) -> bool:
    """Whether a charge that is about to be made, as a window tells it, is over where these are left of the unit."""
    if d.about.get("move") != CHARGE:
        return False
    targets, far = [w.unit(t) for t in d.about["targets"]], int(d.about["far"])
    return least_way(w, charge_move_of(w, unit, targets, far), left) > far


QUESTIONS: Final = {
    "charge_with": next_unit(0.1, eligible_to_charge, easiest(chance_to_charge, possible_targets)),
    "charge_targets": Question(suggest=suggest_targets, odds=odds_of_targets(chance_to_charge)),
}


@rule("w40k10.charge.bonus", "w40k10.ability.fights_first", neutral=False)
def has_charge_bonus(unit: Unit) -> bool:
    """A unit that made a Charge move fights first this turn, unless it intervened heroically."""
    return unit.charged and not unit.intervened
