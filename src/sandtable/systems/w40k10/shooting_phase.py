"""The Shooting phase: who may shoot, and the question what is fired at whom."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sandtable.battle import AGAIN, ALLOWED, DONE, Assignment, Moment, Option, Question, Step, Verdict, refuse
from sandtable.forty.aiming import Aiming, AimRules, Gun, guns_of, has_any_target
from sandtable.forty.attacks import targets_selected
from sandtable.forty.declaring import declaration, shots_of, spend_single_shots, tell_shots
from sandtable.forty.effects.core_abilities import made
from sandtable.forty.effects.permissions import allows
from sandtable.forty.firing_deck import give_back
from sandtable.forty.moments import UNIT_ABOUT_TO_SHOOT, UNIT_SELECTED_TO_SHOOT, UNIT_TO_SHOOT
from sandtable.forty.shooting import SHOOT
from sandtable.forty.state import is_attached
from sandtable.forty.stratagems import offered_beside
from sandtable.kit.ideas import which_unit
from sandtable.kit.ready import is_its_turn, is_there, refuse_if
from sandtable.rules import rule
from sandtable.systems.w40k10 import weapon_abilities as weapons
from sandtable.systems.w40k10.abilities.firing_deck import deck_has_target
from sandtable.systems.w40k10.abilities.leader import toughness
from sandtable.systems.w40k10.abilities.lone_operative import LONE_OPERATIVE
from sandtable.systems.w40k10.abilities.psychic import may_use
from sandtable.systems.w40k10.battle_round import SHOOTING
from sandtable.systems.w40k10.big_guns_never_tire import is_big, shoots_engaged
from sandtable.systems.w40k10.core_concepts import model_has_keyword
from sandtable.systems.w40k10.datasheet import can_be_fired
from sandtable.systems.w40k10.engagement_range import is_engaged
from sandtable.systems.w40k10.hazardous import hazardous_tests
from sandtable.systems.w40k10.locked_in_combat import caught, is_held, not_in_our_melee, not_locked
from sandtable.systems.w40k10.making_attacks import make_attacks
from sandtable.systems.w40k10.movement_phase import fell_back, has_advanced
from sandtable.systems.w40k10.shooting_targets import beyond, fire, fires_on_the_run, fits, lent, reach_of, weapons_in
from sandtable.systems.w40k10.shot import Shot
from sandtable.systems.w40k10.state import Battle10, Unit, World10
from sandtable.systems.w40k10.visibility import sees
from sandtable.systems.w40k10.weapon_abilities import assault_after_advance, check_pistols


@rule("w40k10.shoot.sequence")
async def shoot_units(b: Battle10) -> Step:
    """One unit after the other selects its targets and makes its attacks; Stratagems may come in between."""
    player = b.state.active
    stratagems = offered_beside(b, player, UNIT_TO_SHOOT)
    ready = [Option(u.id, u.name) for u in b.units_of(player) if may_shoot(b, u)]
    choice = await b.choose(
        player,
        "shoot_with",
        "Which unit shoots next?",
        (*ready, *(option for _, _, option in stratagems)),
        optional=True,
        rules=("w40k10.shoot.sequence", "w40k10.shoot.eligible"),
    )
    if choice is None:
        return DONE
    for reaction, use, option in stratagems:
        if option.value == choice:
            await reaction.flow(b, player, Moment(), use)
            return AGAIN
    unit = b.unit(int(choice))
    b.set_unit(unit, shot=True)
    await b.act(unit, shoot(b, unit))
    return AGAIN


async def shoot(b: Battle10, unit: Unit, only: int = -1, *, overwatch: bool = False) -> None:
    """A unit selects all its targets, then makes its attacks; with `only`, at that unit alone."""
    if in_its_shooting_phase(b, unit):
        await b.window(UNIT_SELECTED_TO_SHOOT, Moment(unit.id))
    await b.window(UNIT_ABOUT_TO_SHOOT, Moment(unit.id, data={"only": only}))
    answer = await b.ask(declaration(b, unit, only, overwatch=overwatch))
    shots = shots_of(b, unit, guns_of(b, unit, only), answer, overwatch=overwatch)
    if not shots:
        give_back(b, unit)
        return
    tell_shots(b, unit, shots, "w40k10.shoot.select_targets")
    spend_single_shots(b, unit, shots, weapons.has_one_shot)
    await targets_selected(b, unit, shots)
    await make_attacks(b, unit, shots)
    if not unit.last_stand:
        await hazardous_tests(b, unit, [s.weapon for s in shots])
    give_back(b, unit)


def in_its_shooting_phase(w: World10, unit: Unit) -> bool:
    """Whether a unit shoots in its own Shooting phase, and not by a rule that lets it shoot out of turn."""
    return w.state.game.phase == SHOOTING and w.state.active == unit.player and not unit.last_stand


def shot_at(w: World10, unit: Unit, target: Unit, overwatch: bool = False) -> Shot:
    """What is fixed about a target when it is selected, whatever is fired at it."""
    return Shot(
        target=target.id,
        size=len(w.on_table(target)),
        toughness=toughness(w, target),
        unseen=not sees(w, unit, target),
        hampered=sum((is_big(w, unit) and is_engaged(w, unit), is_big(w, target) and caught(w, unit, target))),
        overwatch=overwatch,
        attached=is_attached(w, target),
    )


# --- Who may shoot ----------------------------------------------------------------------------------------------------


def may_be_selected(w: World10, unit: Unit) -> Verdict:
    """Whether a unit may be selected to shoot in its own Shooting phase."""
    return is_its_turn(w, unit, "Shooting phase", "w40k10.shoot.sequence") and may_shoot(w, unit)


def may_shoot(w: World10, unit: Unit) -> Verdict:
    """Whether a unit may be selected to shoot now."""
    return eligible_to_shoot(w, unit) and has_a_target(w, unit)


def eligible_to_shoot(w: World10, unit: Unit) -> Verdict:
    """Whether a unit is eligible to shoot, whoever the target."""
    here = is_there(w, unit, "w40k10.shoot.sequence")
    return here and not_shot_yet(unit) and not_hurried(w, unit) and not_locked(w, unit)


@rule("w40k10.shoot.sequence", neutral=ALLOWED)
def not_shot_yet(unit: Unit) -> Verdict:
    """A unit shoots once in a phase."""
    return refuse_if(unit.shot, unit, "{unit} {has} shot already in this phase.", "w40k10.shoot.sequence")


@rule(
    "w40k10.shoot.eligible",
    "w40k10.move.normal",
    "w40k10.move.advance_limits",
    "w40k10.move.fall_back_limits",
    neutral=ALLOWED,
)
def not_hurried(w: World10, unit: Unit) -> Verdict:
    """Who Advanced or Fell Back this turn does not shoot, but for Assault weapons after an Advance."""
    if fell_back(unit) and not allows(w, unit, "fall_back_and_shoot"):
        return refuse(f"{unit.name} Fell Back this turn.", "w40k10.shoot.eligible", "w40k10.move.fall_back_limits")
    if has_advanced(unit) and not assault_after_advance(w, unit) and not allows(w, unit, "advance_and_shoot"):
        return refuse(f"{unit.name} Advanced this turn.", "w40k10.shoot.eligible", "w40k10.move.advance_limits")
    return ALLOWED


def has_a_target(w: World10, unit: Unit) -> Verdict:
    """Whether any weapon of the unit has a target."""
    if has_any_target(w, unit) or deck_has_target(w, unit):
        return ALLOWED
    return refuse(f"No weapon of {unit.name} has a target in range and in sight.", "w40k10.shoot.select_targets")


# --- What is fired together -------------------------------------------------------------------------------------------


def fired_together(w: World10, unit: Unit, groups: Sequence[Sequence[Gun]], answer: Sequence[Assignment]) -> Verdict:
    """Whether nobody mixes Pistols with the rest."""
    return check_pistols(w, groups, answer) and check_one_target(w, unit, answer)


def check_one_target(w: World10, unit: Unit, answer: Sequence[Assignment]) -> Verdict:
    """In battles with that option, all Pistols of an engaged unit pick the same target."""
    if w.option("pistols") == "each" or not is_held(w, unit) or shoots_engaged(w, unit):
        return ALLOWED
    if len({a.target for a in answer}) < 2:
        return ALLOWED
    return refuse("All Pistols of an engaged unit are fired at the same unit.", "w40k10.weapon.pistol_eligible")


def free_hands(w: World10, model: int) -> bool:
    """MONSTERS and VEHICLES fire Pistols together with everything else."""
    return model_has_keyword(w, model, "MONSTER") or model_has_keyword(w, model, "VEHICLE")


AIMING: Final = Aiming(
    rules=AimRules(
        targets="w40k10.shoot.select_targets",
        declared=("w40k10.shoot.split", "w40k10.shoot.declare_profiles"),
        ranged="w40k10.datasheet.weapon_profile",
        only="w40k10.strat.fire_overwatch",
    ),
    usable=lambda w, model, weapon: can_be_fired(weapon) and may_use(w, model, weapon),
    is_target=not_in_our_melee,
    fits=fits,
    reach=reach_of,
    beyond=beyond,
    depends=lambda w, unit: (unit.moved, fires_on_the_run(w, unit), made(w, LONE_OPERATIVE)),
    sort=lambda weapon: "pistol" if weapons.is_pistol(weapon) else "",
    count=weapons_in,
    shot_at=shot_at,
    fire=fire,
    together=fired_together,
    lent=lent,
    free_hands=free_hands,
    endangers=weapons.is_hazardous,
)

QUESTIONS: Final = {
    "shoot_with": which_unit(0.05, may_shoot),
    "shoot": SHOOT,
    "aim": Question(default=lambda w, d: d.options[0].value),
}
