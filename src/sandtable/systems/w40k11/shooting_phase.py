"""The Shooting phase (10): who may shoot, and how a unit shoots."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from sandtable.battle import AGAIN, ALLOWED, DONE, Moment, Option, Question, Step, Verdict, refuse
from sandtable.forty.aiming import Aiming, AimRules, guns_of, unit_weapons
from sandtable.forty.attacks import targets_selected
from sandtable.forty.declaring import declaration, shots_of, spend_single_shots, tell_shots
from sandtable.forty.effects.permissions import allows
from sandtable.forty.firing_deck import give_back
from sandtable.forty.moments import UNIT_ABOUT_TO_SHOOT, UNIT_SELECTED_TO_SHOOT, UNIT_TO_SHOOT
from sandtable.forty.shooting import SHOOT
from sandtable.forty.stratagems import unit_or_stratagem
from sandtable.kit.grammar import agree, does
from sandtable.kit.ideas import which_unit
from sandtable.kit.ready import is_its_turn
from sandtable.rules import Facts, fact, rule
from sandtable.systems.w40k11 import actions, firing_deck, select_targets
from sandtable.systems.w40k11 import weapon_abilities as weapons
from sandtable.systems.w40k11.active_player import act
from sandtable.systems.w40k11.battle_round import SHOOTING, begin_phase
from sandtable.systems.w40k11.concepts import enemies_within
from sandtable.systems.w40k11.datasheet import can_be_fired
from sandtable.systems.w40k11.hazard_rolls import hazard_rolls
from sandtable.systems.w40k11.making_attacks import make_attacks
from sandtable.systems.w40k11.moving import is_big as is_big_model
from sandtable.systems.w40k11.select_weapons import select_weapons
from sandtable.systems.w40k11.shooting_types import NAMES, RULES, SNAP, type_of, types_open
from sandtable.systems.w40k11.shot import Shot
from sandtable.systems.w40k11.state import FALL_BACK, Battle11, Unit, World11
from sandtable.systems.w40k11.visibility import who_was_loud
from sandtable.table.grid import steps


class SNAPPING(Facts):
    """What the book states about snap shooting."""

    range = fact(steps(24), "w40k11.shoot.snap", neutral=steps(120))
    """How near its target is."""


async def shooting_phase(b: Battle11) -> Step:
    """The phase begins."""
    await begin_phase(b, SHOOTING)
    return DONE


@rule("w40k11.shoot.phase")
async def shoot_units(b: Battle11) -> Step:
    """Shoot: one unit after the other, as long as its player wants."""
    ready = [u for u in b.units_of(b.state.active) if may_shoot(b, u)]
    rules = ("w40k11.shoot.phase",)
    unit, used = await unit_or_stratagem(b, "shoot_with", "Which unit shoots next?", ready, UNIT_TO_SHOOT, rules=rules)
    if used:
        return AGAIN
    if unit is None:
        return DONE
    b.set_unit(unit, shot=True)
    await act(b, unit, shoot(b, unit))
    give_back(b, unit)
    return AGAIN


# --- Who may shoot ----------------------------------------------------------------------------------------------------


def may_be_selected(w: World11, unit: Unit) -> Verdict:
    """Whether a unit may be selected to shoot in its own Shooting phase."""
    return is_its_turn(w, unit, "Shooting phase", "w40k11.shoot.phase") and may_shoot(w, unit)


def may_shoot(w: World11, unit: Unit) -> Verdict:
    """Whether a unit may be selected to shoot now."""
    return eligible_to_shoot(w, unit) and actions.may_shoot_too(w, unit) and has_a_type(w, unit)


@rule("w40k11.shoot.phase", "w40k11.faq.eligible_to_shoot", "w40k11.movephase.fall_back", neutral=ALLOWED)
def eligible_to_shoot(w: World11, unit: Unit) -> Verdict:
    """Any unit on the battlefield, once in a phase, that did not fall back."""
    if not w.is_on_table(unit):
        return refuse(f"{does(unit, 'is')} not on the battlefield.", "w40k11.shoot.phase")
    if unit.shot:
        return refuse(f"{does(unit, 'has')} shot already in this phase.", "w40k11.shoot.phase")
    if unit.moved == FALL_BACK and not allows(w, unit, "fall_back_and_shoot"):
        return refuse(f"{unit.name} fell back this turn.", "w40k11.shoot.phase", "w40k11.movephase.fall_back")
    return ALLOWED


def has_a_type(w: World11, unit: Unit) -> Verdict:
    """Whether there is a shooting type for what a unit did, and whom it is engaged with."""
    if types_open(w, unit):
        return ALLOWED
    return refuse(f"No shooting type is open to {unit.name} now.", "w40k11.shoot.type")


# --- Shooting ---------------------------------------------------------------------------------------------------------


async def shoot(b: Battle11, unit: Unit, only: int = -1) -> None:
    """A unit picks its shooting type, selects all weapons and targets, then makes its attacks."""
    await choose_type(b, unit)
    if not unit.last_stand:
        await b.window(UNIT_SELECTED_TO_SHOOT, Moment(unit.id))
    await b.window(UNIT_ABOUT_TO_SHOOT, Moment(unit.id, data={"only": only}))
    await select_weapons(b, unit, [x for x in unit_weapons(b, unit) if can_be_fired(x)])
    question = declaration(b, unit, only)
    if not question.rows:
        return
    answer = await b.ask(question)
    shots = shots_of(b, unit, guns_of(b, unit, only), answer)
    if not shots:
        return
    way = type_of(b, unit)
    tell_shots(b, unit, shots, "w40k11.attack.targets_shooting", RULES[way], overwatch=way == SNAP)
    b.set_unit(unit, revealed=b.state.game.turns)
    spend(b, unit, shots)
    await targets_selected(b, unit, shots)
    await make_attacks(b, unit, shots)
    await hazard_rolls(b, unit, hazardous(shots), "w40k11.weapon.hazardous")


@rule("w40k11.shoot.snap", neutral=[])
def snap_targets(w: World11, unit: Unit) -> Iterable[Unit]:
    """The enemy units within 24" at which a unit may fire a gun, of which snap shooting has one target."""
    return (e for e in enemies_within(w, unit, SNAPPING.range) if any(g.anything for g in guns_of(w, unit, e.id)))


@rule("w40k11.shoot.snap")
async def snap_shoot(b: Battle11, unit: Unit) -> None:
    """A unit shoots at one enemy unit out of turn."""
    options = [Option(e.id, e.name) for e in snap_targets(b, unit)]
    prompt, rules = f"At whom {agree(unit, 'does')} {unit.name} shoot?", ("w40k11.shoot.snap",)
    target = await b.choose(unit.player, "snap_target", prompt, options, rules=rules, unit=unit.id)
    if target is not None:
        b.set_unit(unit, shooting=SNAP)
        await shoot(b, unit, int(target))


@rule("w40k11.shoot.type", "w40k11.shoot.snap")
async def choose_type(b: Battle11, unit: Unit) -> None:
    """One shooting type for the whole unit, of those whose conditions it meets."""
    if unit.shooting == SNAP:
        return
    open_ = types_open(b, unit)
    options = [Option(name, NAMES[name]) for name in open_]
    prompt, rules = f"How {agree(unit, 'does')} {unit.name} shoot?", ("w40k11.shoot.type",)
    chosen = await b.choose(unit.player, "shooting_type", prompt, options, rules=rules, unit=unit.id)
    b.set_unit(unit, shooting=str(chosen))


@rule("w40k11.weapon.one_shot")
def spend(b: Battle11, unit: Unit, shots: Sequence[Shot]) -> None:
    """A weapon with one shot is used once in a battle, also by a model that comes back."""
    spend_single_shots(b, unit, shots, weapons.has_one_shot)


@rule("w40k11.weapon.hazardous", neutral=0)
def hazardous(shots: Sequence[Shot]) -> int:
    """One hazard roll is due for each Hazardous weapon that was selected."""
    return sum(weapons.is_hazardous(weapon) for _, weapon in dict.fromkeys((s.model, s.weapon) for s in shots))


AIMING: Final = Aiming(
    rules=AimRules(
        targets="w40k11.attack.targets_shooting",
        declared=("w40k11.attack.steps", "w40k11.attack.weapons_shooting"),
        ranged="w40k11.datasheet.weapon",
        only="w40k11.shoot.snap",
    ),
    usable=select_targets.may_fire,
    is_target=select_targets.is_target,
    fits=select_targets.fits,
    reach=select_targets.reach_of,
    beyond=select_targets.beyond,
    depends=lambda w, unit: (type_of(w, unit), who_was_loud(w, unit.player)),
    sort=lambda weapon: "close-quarters" if weapons.is_close_quarters(weapon) else "",
    count=select_targets.weapons_in,
    lends=firing_deck.may_lend,
    lent=firing_deck.lent,
    shot_at=select_targets.shot_at,
    fire=select_targets.fire,
    together=select_targets.fired_together,
    free_hands=is_big_model,
    endangers=weapons.is_hazardous,
)

QUESTIONS: Final = {
    "shoot_with": which_unit(0.05, may_shoot),
    "shoot": SHOOT,
    "snap_target": Question(default=lambda w, d: d.options[0].value),
    "shooting_type": Question(default=lambda w, d: d.options[0].value),
    "aim": Question(default=lambda w, d: d.options[0].value),
}
