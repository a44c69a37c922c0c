"""The Charge phase: who may charge whom, and who intervenes. Overwatch and the moves have files of their own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sandtable.battle import AGAIN, ALLOWED, DONE, Moment, Question, Step, Verdict, refuse
from sandtable.forty.effects.permissions import allows, is_barred
from sandtable.forty.moments import UNIT_MOVE_ENDED
from sandtable.kit.asking import pick_unit
from sandtable.kit.charging import choose_targets, nearest_target, suggest_targets, tell_charged, tell_declared
from sandtable.kit.grammar import does
from sandtable.kit.ideas import which_unit
from sandtable.rules import rule
from sandtable.systems.w40k8.book import BOOK
from sandtable.systems.w40k8.charge_move import make_charge_move, make_heroic_move
from sandtable.systems.w40k8.concepts import close_enemies, enemies, model_has_keyword, within
from sandtable.systems.w40k8.overwatch import fire_overwatch
from sandtable.systems.w40k8.state import ADVANCE, FALL_BACK, Battle8, Unit, World8
from sandtable.systems.w40k8.turn import CHARGE, begin_phase


async def charge_phase(b: Battle8) -> Step:
    """The Charge phase begins; who has an enemy within 1" is looked up now, and only now."""
    await begin_phase(b, CHARGE)
    for unit in b.units_of(b.state.active):
        b.set_unit(unit, near=bool(close_enemies(b, unit)))
    return DONE


@rule("w40k8.charge.sequence")
async def charge_units(b: Battle8) -> Step:
    """One unit after the other: targets, Overwatch, roll and move."""
    prompt, rule_ = "Which unit charges next?", "w40k8.charge.sequence"
    unit = await pick_unit(b, b.state.active, "charge_with", prompt, eligible_to_charge, rule_)
    if unit is None:
        return DONE
    targets = await name_targets(b, unit)
    await b.act(unit, charge(b, unit, targets))
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


# --- Who may charge ---------------------------------------------------------------------------------------------------


def eligible_to_charge(w: World8, unit: Unit) -> Verdict:
    """Whether a unit may be chosen to charge now."""
    if unit.player != w.state.active:
        return refuse(f"It is not {w.player(unit.player).name}'s Charge phase.", "w40k8.charge.sequence")
    if not w.is_on_table(unit):
        return refuse(f"{does(unit, 'is')} not on the battlefield.", "w40k8.charge.eligible")
    return not_declared(unit) and free_to_charge(w, unit) and was_apart(unit) and has_a_target(w, unit)


@rule("w40k8.charge.once", "w40k8.charge.fail", neutral=ALLOWED)
def not_declared(unit: Unit) -> Verdict:
    """A unit is chosen to charge once in a phase, whatever came of it."""
    if unit.declared:
        return refuse(f"{does(unit, 'has')} tried to charge already in this phase.", "w40k8.charge.once")
    return ALLOWED


@rule("w40k8.charge.eligible", "w40k8.move.advance_limits", "w40k8.move.fall_back_limits", neutral=ALLOWED)
def free_to_charge(w: World8, unit: Unit) -> Verdict:
    """A unit that Advanced or Fell Back this turn cannot charge, unless an ability allows it."""
    if unit.moved == ADVANCE and not allows(w, unit, "advance_and_charge"):
        return refuse(f"{unit.name} Advanced this turn.", "w40k8.charge.eligible", "w40k8.move.advance_limits")
    if unit.moved == FALL_BACK and not allows(w, unit, "fall_back_and_charge"):
        return refuse(f"{unit.name} Fell Back this turn.", "w40k8.charge.eligible", "w40k8.move.fall_back_limits")
    return ALLOWED


@rule("w40k8.charge.eligible", neutral=ALLOWED)
def was_apart(unit: Unit) -> Verdict:
    """A unit that began the Charge phase within 1" of an enemy cannot charge."""
    if unit.near:
        return refuse(f'{does(unit, "was")} within 1" of an enemy when the phase began.', "w40k8.charge.eligible")
    return ALLOWED


def has_a_target(w: World8, unit: Unit) -> Verdict:
    """There is an enemy within 12" now."""
    if possible_targets(w, unit):
        return ALLOWED
    return refuse(f'No enemy is within 12" of {unit.name}.', "w40k8.charge.eligible", "w40k8.charge.targets")


# --- Whom -------------------------------------------------------------------------------------------------------------


def possible_targets(w: World8, unit: Unit) -> list[Unit]:
    """The enemy units within 12", visible or not, that no ability keeps it from charging."""
    near = [e for e in enemies(w, unit) if within(w, unit, e, BOOK.charge_range)]
    return [e for e in near if not is_barred(w, unit, e, "charge", "be_charged")]


@rule("w40k8.charge.targets", neutral=())
async def name_targets(b: Battle8, unit: Unit) -> list[Unit]:
    """Name at least one target."""
    return await choose_targets(b, unit, possible_targets(b, unit), "w40k8.charge.targets")


# --- Heroic Interventions: Characters of the other players step in once all charges are made --------------------------


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


def may_intervene(w: World8, unit: Unit) -> Verdict:
    """Whether a unit may make a Heroic Intervention now."""
    if unit.player == w.state.active or unit.intervened or not w.is_on_table(unit):
        return refuse(f"{does(unit, 'is')} not to intervene now, or has done so.", "w40k8.charge.heroic")
    return is_a_hero(w, unit) and is_near(w, unit)


@rule("w40k8.charge.heroic", neutral=ALLOWED)
def is_a_hero(w: World8, unit: Unit) -> Verdict:
    """Only Characters intervene."""
    if all(model_has_keyword(w, int(m), "CHARACTER") for m in w.on_table(unit)):
        return ALLOWED
    return refuse(f"{does(unit, 'is')} no Character.", "w40k8.charge.heroic")


@rule("w40k8.charge.heroic", neutral=ALLOWED)
def is_near(w: World8, unit: Unit) -> Verdict:
    """An enemy unit is within 3"."""
    if any(within(w, unit, e, BOOK.heroic_range) for e in enemies(w, unit)):
        return ALLOWED
    return refuse(f'No enemy unit is within 3" of {unit.name}.', "w40k8.charge.heroic")


QUESTIONS: Final = {
    "charge_with": which_unit(0.1, eligible_to_charge),
    "intervene_with": which_unit(0.3, may_intervene),
    "charge_targets": Question(suggest=suggest_targets, default=nearest_target),
}
