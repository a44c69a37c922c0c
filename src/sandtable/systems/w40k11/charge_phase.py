"""The Charge phase (11): who may declare a charge, the roll, then the targets, then the move."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from sandtable.attack.volley import FACES
from sandtable.battle import AGAIN, ALLOWED, DONE, Mode, Moment, Step, Verdict, refuse
from sandtable.battle.rolls import Total
from sandtable.forty.effects.other_rolls import added, sum_rolled
from sandtable.forty.effects.permissions import allows, not_forbidden
from sandtable.forty.moments import CHARGE_DECLARED, UNIT_MOVE_BEGAN, UNIT_MOVE_ENDED
from sandtable.forty.offences import able_unit
from sandtable.kit.asking import pick_unit
from sandtable.kit.charging import WHICH_TARGETS, chance, choose_targets, how_to_charge, tell_charged, tell_failed
from sandtable.kit.dice import parts_of
from sandtable.kit.grammar import does
from sandtable.kit.ideas import easiest, next_unit
from sandtable.kit.ready import is_its_turn, refuse_if
from sandtable.rules import rule
from sandtable.systems.w40k11 import actions, aircraft
from sandtable.systems.w40k11.active_player import act
from sandtable.systems.w40k11.battle_round import CHARGE as CHARGE_PHASE
from sandtable.systems.w40k11.battle_round import begin_phase
from sandtable.systems.w40k11.charge_move import CHARGING, DECLINE, charge_move_of
from sandtable.systems.w40k11.concepts import distance, enemies_within
from sandtable.systems.w40k11.dice import total
from sandtable.systems.w40k11.engagement import is_engaged
from sandtable.systems.w40k11.flying import take_to_the_skies, taken_off
from sandtable.systems.w40k11.moving import CHARGE, carry
from sandtable.systems.w40k11.state import ADVANCE, FALL_BACK, Battle11, Unit, World11
from sandtable.systems.w40k11.surge import has_not_surged
from sandtable.systems.w40k11.terrain import can_move
from sandtable.systems.w40k11.transports import COMBAT, EMERGENCY, RAPID
from sandtable.table.grid import STEP, steps

UNLIMITED: Final = 99
STAY: Final = Mode(DECLINE, "Do not move", 0)


async def charge_phase(b: Battle11) -> Step:
    """The phase begins."""
    await begin_phase(b, CHARGE_PHASE)
    return DONE


@rule("w40k11.charge.phase")
async def charge_units(b: Battle11) -> Step:
    """Charge: one unit after the other, each charge resolved before the next is declared."""
    prompt, rule_ = "Which unit declares a charge next?", "w40k11.charge.phase"
    unit = await pick_unit(b, b.state.active, "charge_with", prompt, eligible_to_charge, rule_, rolls=lambda w, u: True)
    if unit is None:
        return DONE
    await act(b, unit, charge(b, unit))
    return AGAIN


# --- Who may charge ---------------------------------------------------------------------------------------------------


def eligible_to_charge(w: World11, unit: Unit) -> Verdict:
    """Whether a unit may declare a charge now."""
    return (
        is_its_turn(w, unit, "Charge phase", "w40k11.charge.phase") and not_declared(unit) and able_to_charge(w, unit)
    )


@rule("w40k11.charge.phase", neutral=ALLOWED)
def not_declared(unit: Unit) -> Verdict:
    """A unit declares one charge in a phase."""
    return refuse_if(unit.declared, unit, "{unit} {has} declared a charge already.", "w40k11.charge.phase")


def able_to_charge(w: World11, unit: Unit) -> Verdict:
    """Whether a unit could charge at all, in whoever's Charge phase."""
    return (
        able_unit(w, unit, can_move, "w40k11.charge.eligible", "w40k11.datasheet.move_dash")
        and aircraft.may_declare(w, unit)
        and has_not_surged(w, unit)
        and free_to_charge(w, unit)
        and not_after_getting_out(unit)
        and actions.may_charge_too(unit)
        and unengaged(w, unit)
        and enemy_is_near(w, unit)
        and not_forbidden(w, unit, "charge", "charge now")
    )


@rule("w40k11.charge.eligible", "w40k11.movephase.advance", "w40k11.movephase.fall_back", neutral=ALLOWED)
def free_to_charge(w: World11, unit: Unit) -> Verdict:
    """A unit that advanced or fell back cannot charge."""
    if unit.moved == ADVANCE and not allows(w, unit, "advance_and_charge"):
        return refuse(f"{unit.name} Advanced this turn.", "w40k11.charge.eligible", "w40k11.movephase.advance")
    if unit.moved == FALL_BACK and not allows(w, unit, "fall_back_and_charge"):
        return refuse(f"{unit.name} fell back this turn.", "w40k11.charge.eligible", "w40k11.movephase.fall_back")
    return ALLOWED


@rule("w40k11.charge.eligible", "w40k11.transport.rapid", "w40k11.transport.combat", neutral=ALLOWED)
def not_after_getting_out(unit: Unit) -> Verdict:
    """A unit that got out by a rapid, combat or emergency disembark cannot charge."""
    if unit.disembarked in (RAPID, COMBAT, EMERGENCY):
        return refuse(f"{unit.name} made a {unit.disembarked} disembark this turn.", "w40k11.charge.eligible")
    return ALLOWED


@rule("w40k11.charge.eligible", neutral=ALLOWED)
def unengaged(w: World11, unit: Unit) -> Verdict:
    """An engaged unit cannot charge."""
    return refuse(f"{does(unit, 'is')} engaged already.", "w40k11.charge.eligible") if is_engaged(w, unit) else ALLOWED


@rule("w40k11.charge.eligible", neutral=ALLOWED)
def enemy_is_near(w: World11, unit: Unit) -> Verdict:
    """An enemy unit is within 12" now."""
    if possible_targets(w, unit):
        return ALLOWED
    return refuse(f'No enemy is within 12" of {unit.name}.', "w40k11.charge.eligible")


def possible_targets(w: World11, unit: Unit, far: int | None = None) -> list[Unit]:
    """The enemy units that a unit may charge; with a roll, in grid steps, only those no further away than that."""
    open_ = [e for e in enemies_within(w, unit, CHARGING.range) if aircraft.may_be_charged(w, unit, e)]
    return open_ if far is None else [e for e in open_ if in_reach(w, unit, e, far)]


@rule("w40k11.charge.targets", "w40k11.charge.double_one", neutral=True)
def in_reach(w: World11, unit: Unit, enemy: Unit, far: int) -> bool:
    """A target is no further away than the charge goes; it need not be visible."""
    return distance(w, unit, enemy) <= far


# --- The charge -------------------------------------------------------------------------------------------------------


@rule("w40k11.charge.sequence", "w40k11.strat.leap_to_defend", "w40k11.strat.into_the_fray")
async def charge(
    b: Battle11, unit: Unit, whom: Callable[[Any, Unit, Unit], bool] | None = None, most: int = UNLIMITED
) -> None:
    """Declare, roll, pick targets, move; `whom` says who else may not be a target, `most` how far it goes at most."""
    b.set_unit(unit, declared=True)
    b.tell("charge_declared", f"{does(unit, 'declares')} a charge.", "w40k11.charge.sequence", units=[unit.id])
    await b.window(CHARGE_DECLARED, Moment(unit.id, data={"targets": []}))
    far = min(most, await charge_roll(b, unit))
    await take_to_the_skies(b, unit)
    reach = taken_off(b, unit, steps(far))
    near = [e for e in possible_targets(b, unit, reach) if whom is None or whom(b, unit, e)]
    targets = await choose_targets(b, unit, near, "w40k11.charge.targets")
    if not targets:
        fall_short(b, unit, reach // STEP, "w40k11.charge.targets")
        return
    await b.window(UNIT_MOVE_BEGAN, Moment(unit.id, data={"move": CHARGE}))
    modes = [Mode(CHARGE, "Charge", reach), STAY]
    rules = ("w40k11.charge.move", "w40k11.charge.after")
    moves = await b.ask(how_to_charge(b, unit, targets, reach // STEP, modes, *rules))
    if moves.mode == DECLINE:
        fall_short(b, unit, reach // STEP, "w40k11.charge.sequence")
        return
    carry(b, unit, moves, charge_move_of(b, unit, targets).way)
    b.set_unit(unit, charged=True, skies=False)
    tell_charged(b, unit, targets, "w40k11.charge.move")
    await b.window(UNIT_MOVE_ENDED, Moment(unit.id, data={"move": CHARGE}))


def fall_short(b: Battle11, unit: Unit, far: int, rule_: str) -> None:
    """A charge fails: nobody moves, nor stays in the skies."""
    b.set_unit(unit, skies=False)
    tell_failed(b, unit, far, rule_)


@rule("w40k11.charge.sequence", neutral=0)
async def charge_roll(b: Battle11, unit: Unit) -> int:
    """2D6 for the whole unit: how many inches each model may move."""
    more, names = added(b, unit, "charge")
    need = min(least_for(b, unit, e) for e in possible_targets(b, unit)) - more
    # What the nearest target leaves of the roll is spent on the skies, on detours and on further targets.
    enough = max(FACES) * CHARGING.dice
    read = Total("far enough/too short", parts_of(more, names), need + more, plus=more)
    faces = await sum_rolled(b, unit, "charge", CHARGING.dice, read, "w40k11.charge.sequence", enough=enough, need=need)
    return total(faces) + more


def chance_to_charge(w: World11, unit: Unit, targets: Sequence[Unit]) -> float:
    """The chance that a charge which a unit declares now can reach targets, before anything is rolled again."""
    more, _ = added(w, unit, "charge")
    least = max((least_for(w, unit, e) for e in targets), default=0)
    return chance(w, charge_move_of(w, unit, targets), CHARGING.dice, more, least)


@rule("w40k11.charge.targets", neutral=0)
def least_for(w: World11, unit: Unit, enemy: Unit) -> int:
    """What a charge roll comes to at least, with what is added, for an enemy unit to be a target."""
    return -int(-distance(w, unit, enemy) // STEP)


QUESTIONS: Final = {
    "charge_with": next_unit(0.1, eligible_to_charge, easiest(chance_to_charge, possible_targets)),
    "charge_targets": WHICH_TARGETS,
}
