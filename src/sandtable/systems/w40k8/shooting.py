"""The Shooting phase: who may shoot, what is fired at whom, and Overwatch at those who charge."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec
import numpy as np

from sandtable.battle import AGAIN, ALLOWED, DONE, Assignment, Step, Verdict, refuse
from sandtable.battle.kept import EVERYTHING, kept
from sandtable.forty.aiming import Aiming, AimRules, Gun, guns_of, has_any_target, out_of_range, out_of_sight
from sandtable.forty.declaring import (
    declaration,
    profile_named,
    shots_of,
    spend_single_shots,
    tell_shots,
    who_fires_which,
)
from sandtable.forty.effects.characteristics import of_each
from sandtable.forty.effects.permissions import allows, not_forbidden
from sandtable.forty.fighters import Weapon
from sandtable.forty.overheating import heat_of
from sandtable.forty.shooting import SHOOT
from sandtable.forty.weapon_words import INDIRECT, SNIPER, fires_once
from sandtable.kit.asking import agreed, pick_unit
from sandtable.kit.grammar import agree, does
from sandtable.kit.ideas import which_unit
from sandtable.kit.ready import is_its_turn, refuse_if
from sandtable.kit.seeing import visible
from sandtable.rules import rule
from sandtable.systems.w40k8 import weapons
from sandtable.systems.w40k8.attacks import make_attacks
from sandtable.systems.w40k8.battle_round import CHARGE
from sandtable.systems.w40k8.book import BOOK
from sandtable.systems.w40k8.concepts import close_enemies, enemies, model_has_keyword, reaches, within
from sandtable.systems.w40k8.datasheet import ASSAULT, GRENADE, PISTOL, is_dash, printed
from sandtable.systems.w40k8.state import ADVANCE, FALL_BACK, Battle8, Unit, World8, sheet_of
from sandtable.systems.w40k8.weapons import Shot
from sandtable.table.grid import Bools, Floats, steps


@rule("w40k8.shoot.sequence")
async def shoot_units(b: Battle8) -> Step:
    """One unit after the other chooses targets and makes its attacks."""
    prompt, source = "Which unit shoots next?", "w40k8.shoot.sequence"
    unit = await pick_unit(b, b.state.active, "shoot_with", prompt, may_shoot, source)
    if unit is None:
        return DONE
    b.set_unit(unit, shot=True)
    await b.act(unit, shoot(b, unit))
    if allows(b, unit, "shoot_twice") and has_any_target(b, unit):
        await b.act(unit, shoot(b, unit))
    return AGAIN


@rule("w40k8.shoot.declare")
async def shoot(b: Battle8, unit: Unit, only: int = -1, *, overwatch: bool = False) -> None:
    """A unit says what it fires at whom, and then makes all these attacks; with `only`, at that unit alone."""
    answer = await b.ask(declaration(b, unit, only, overwatch=overwatch))
    shots = shots_of(b, unit, guns_of(b, unit, only), answer, overwatch=overwatch)
    if not shots:
        return
    spend_single_shots(b, unit, shots, fires_once)
    tell_shots(b, unit, shots, "w40k8.shoot.targets", overwatch=overwatch)
    await make_attacks(b, unit, shots)


def may_shoot(w: World8, unit: Unit) -> Verdict:
    """Whether a unit may be chosen to shoot now."""
    return (
        is_its_turn(w, unit, "Shooting phase", "w40k8.shoot.sequence")
        and not_shot_yet(unit)
        and not_after_falling_back(w, unit)
        and not_forbidden(w, unit, "shoot", "shoot")
        and has_a_target(w, unit)
    )


@rule("w40k8.shoot.sequence", neutral=ALLOWED)
def not_shot_yet(unit: Unit) -> Verdict:
    """A unit shoots once in a phase."""
    return refuse_if(unit.shot, unit, "{unit} {has} shot already in this phase.", "w40k8.shoot.sequence")


@rule("w40k8.shoot.eligible", "w40k8.move.fall_back_limits", neutral=ALLOWED)
def not_after_falling_back(w: World8, unit: Unit) -> Verdict:
    """A unit that Fell Back does not shoot, unless all of it can Fly or an ability allows it."""
    if unit.moved != FALL_BACK or allows(w, unit, "fall_back_and_shoot"):
        return ALLOWED
    if not all(model_has_keyword(w, int(m), "FLY") for m in w.on_table(unit)):
        return refuse(f"{unit.name} Fell Back this turn.", "w40k8.shoot.eligible", "w40k8.move.fall_back_limits")
    return ALLOWED


def has_a_target(w: World8, unit: Unit) -> Verdict:
    """Whether any weapon of the unit has a target."""
    text = "No weapon of {unit} has a target in range and in sight."
    return refuse_if(not has_any_target(w, unit), unit, text, "w40k8.shoot.targets")


def fits(w: World8, unit: Unit, weapon: Weapon, enemy: Unit) -> Verdict:
    """Whether a unit may use a weapon now, wherever its models stand."""
    return fires_after_advance(w, unit, weapon) and fires_in_combat(w, unit, weapon)


@rule(
    "w40k8.shoot.eligible", "w40k8.weapon.assault", "w40k8.weapon.grenade", "w40k8.move.advance_limits", neutral=ALLOWED
)
def fires_after_advance(w: World8, unit: Unit, weapon: Weapon) -> Verdict:
    """After an Advance only Assault weapons are fired, unless an ability allows it."""
    if unit.moved != ADVANCE or weapon.type == ASSAULT or allows(w, unit, "advance_and_shoot"):
        return ALLOWED
    return refuse(f"{unit.name} Advanced, and {weapon.name} is no Assault weapon.", "w40k8.weapon.assault")


@rule("w40k8.shoot.eligible", "w40k8.weapon.assault", "w40k8.weapon.grenade", neutral=ALLOWED)
def fires_in_combat(w: World8, unit: Unit, weapon: Weapon) -> Verdict:
    """A unit with an enemy within 1" of any of its models fires nothing but Pistols."""
    if weapon.type == PISTOL or not close_enemies(w, unit):
        return ALLOWED
    return refuse(f'{does(unit, "has")} an enemy within 1", and {weapon.name} is no Pistol.', "w40k8.shoot.eligible")


@rule("w40k8.shoot.friends_near_target", neutral=ALLOWED)
def out_of_combat(w: World8, unit: Unit, enemy: Unit) -> Verdict:
    """Nobody shoots at a unit with friends within 1" of it, but for who has that enemy at hand."""
    if close_enemies(w, unit) or not close_enemies(w, enemy):
        return ALLOWED
    return refuse(f'{does(enemy, "has")} friends of yours within 1".', "w40k8.shoot.friends_near_target")


def reach_of(w: World8, unit: Unit, weapon: Weapon, enemy: Unit) -> Bools:
    """For each model of a unit: whether it may fire a weapon at an enemy unit, from where it stands."""
    near = at_hand(w, unit, enemy) & in_range_and_sight(w, unit, weapon, enemy)
    if not np.any(near):
        return np.asarray(near)
    picked = SNIPER in weapon.abilities or stands_out(w, unit, enemy)
    return np.asarray(near & picked & _able(w, unit))


@kept(EVERYTHING)
def _able(w: World8, unit: Unit) -> Bools:
    return np.array(of_each(w, unit, can_shoot), dtype=np.bool_)


@rule("w40k8.sheet.ballistic_skill_dash", neutral=True)
def can_shoot(w: World8, model: int) -> bool:
    """A model with a dash for its Ballistic Skill cannot shoot, in Overwatch neither."""
    return not is_dash(printed(w, model, "ballistic_skill"))


@rule("w40k8.weapon.pistol_combat", neutral=False)
def at_hand(w: World8, unit: Unit, enemy: Unit) -> Bools | bool:
    """For each model: with enemies within 1" of its unit it fires at the unit nearest to it."""
    if not close_enemies(w, unit):
        return True
    return np.asarray(nearest(w, unit, enemy) <= np.min([nearest(w, unit, e) for e in enemies(w, unit)], axis=0))


@rule("w40k8.shoot.targets", "w40k8.concept.visibility", neutral=True)
def in_range_and_sight(w: World8, unit: Unit, weapon: Weapon, enemy: Unit) -> Bools:
    """For each model: one and the same model of the target is in range of it, and visible to it."""
    if not within(w, unit, enemy, steps(weapon.range)):
        return np.asarray(False)
    seen = INDIRECT in weapon.abilities or visible(w, unit, enemy)
    return np.asarray((reaches(w.distances(unit, enemy), steps(weapon.range)) & seen).any(axis=1))


@kept(EVERYTHING)
@rule("w40k8.shoot.character", "w40k8.gap.closest_tie", neutral=True)
def stands_out(w: World8, unit: Unit, enemy: Unit) -> Bools | bool:
    """For each model: a Character is a target if it sees no other enemy unit nearer to it, but for Overwatch, which
    is fired in the Charge phase."""
    if w.state.game.phase == CHARGE or not hides_in_the_crowd(w, enemy):
        return True
    limit = nearest(w, unit, enemy) - BOOK.equally_near
    nearer = [(nearest(w, unit, e) < limit) & visible(w, unit, e).any(axis=1) for e in enemies(w, unit)]
    return np.asarray(~np.any(nearer, axis=0))


@rule("w40k8.shoot.character", "w40k8.shoot.character_large", neutral=False)
def hides_in_the_crowd(w: World8, unit: Unit) -> bool:
    """Characters are hard to pick out, but for those whose Wounds characteristic is 10 or more."""
    models = w.on_table(unit).tolist()
    return all(model_has_keyword(w, m, "CHARACTER") and sheet_of(w, m).wounds < BOOK.large for m in models)


def nearest(w: World8, unit: Unit, target: Unit) -> Floats:
    """For each model of a unit how far off the nearest model of the target is."""
    return np.asarray(w.distances(unit, target).min(axis=1))


def beyond(w: World8, unit: Unit, weapon: Weapon, enemy: Unit) -> Verdict:
    """Why no model of a unit may fire a weapon at an enemy unit from where it stands."""
    if not np.any(at_hand(w, unit, enemy)):
        text = f"{does(unit, 'has')} an enemy within 1\", and {does(enemy, 'is')} nobody's nearest enemy."
        return refuse(text, "w40k8.weapon.pistol_combat")
    if not within(w, unit, enemy, steps(weapon.range)):
        return out_of_range(w, unit, weapon, enemy, "w40k8.shoot.targets")
    if not in_range_and_sight(w, unit, weapon, enemy).any():
        return out_of_sight(w, weapon, enemy, "w40k8.shoot.targets")
    return refuse(f"{does(enemy, 'is')} nobody's nearest visible enemy.", "w40k8.shoot.character")


def shot_at(w: World8, unit: Unit, target: Unit, overwatch: bool = False) -> Shot:
    """What is the same for whatever is fired at a target."""
    return Shot(target=target.id, overwatch=overwatch)


def fire(w: World8, unit: Unit, row: int, model: int, weapon: Weapon, at: Shot) -> Shot:
    """A shot of one model."""
    half = weapons.at_half_range(weapon, float(nearest(w, unit, w.unit(at.target))[row]))
    return msgspec.structs.replace(at, model=model, weapon=weapon, half_range=half)


@rule("w40k8.shoot.split", neutral=0)
def to_assign(group: Sequence[Gun]) -> int:
    """Every weapon of every model is aimed on its own, at the target of the others or at another."""
    return weapons_in(group)


@rule("w40k8.shoot.one_target_per_weapon", neutral=99)
def weapons_in(group: Sequence[Gun]) -> int:
    """How much there is to assign: whole weapons, since all attacks of one go at the same unit."""
    return len(group)


def fired_together(w: World8, unit: Unit, groups: Sequence[Sequence[Gun]], answer: Sequence[Assignment]) -> Verdict:
    """Whether these weapons can be fired together."""
    return check_grenades(groups, answer) and check_sorts(w, groups, answer)


@rule("w40k8.weapon.grenade", neutral=ALLOWED)
def check_grenades(groups: Sequence[Sequence[Gun]], answer: Sequence[Assignment]) -> Verdict:
    """One model of a unit throws one grenade."""
    fired = [(groups[int(a.row)][0], a) for a in answer]
    if sum(a.count for gun, a in fired if gun.profiles[profile_named(gun, a.mode)].type == GRENADE) > 1:
        return refuse("Only one model of a unit throws a grenade.", "w40k8.weapon.grenade")
    return ALLOWED


@rule("w40k8.weapon.pistol_choice", "w40k8.weapon.grenade", "w40k8.shoot.all_weapons", neutral=ALLOWED)
def check_sorts(w: World8, groups: Sequence[Sequence[Gun]], answer: Sequence[Assignment]) -> Verdict:
    """No model fires Pistols beside other weapons, or anything beside a grenade."""
    if who_fires_which(w, groups, answer) is not None:
        return ALLOWED
    return refuse(
        "A model fires either its Pistols or its other weapons, or throws a grenade.",
        "w40k8.weapon.pistol_choice",
        "w40k8.weapon.grenade",
    )


@rule("w40k8.weapon.pistol_choice", "w40k8.weapon.grenade", neutral="")
def sort_of(weapon: Weapon) -> str:
    """Pistols and grenades are sorts of their own; all other weapons are fired together."""
    return weapon.type if weapon.type in (PISTOL, GRENADE) else ""


@rule("w40k8.charge.overwatch", "w40k8.charge.overwatch_repeat")
async def fire_overwatch(b: Battle8, target: Unit, charger: Unit) -> None:
    """A target of a charge may fire at the unit that charges it, by the usual rules of shooting."""
    if not free_to_fire(b, target) or not any(g.anything for g in guns_of(b, target, charger.id)):
        return
    source = "w40k8.charge.overwatch"
    prompt = f"{agree(target, 'Does')} {target.name} fire Overwatch at {charger.name}?"
    if await agreed(b, target, "overwatch", prompt, source):
        b.tell("overwatch", f"{does(target, 'fires')} Overwatch.", source, units=[target.id, charger.id])
        await shoot(b, target, charger.id, overwatch=True)


@rule("w40k8.charge.overwatch_repeat", "w40k8.weapon.pistol_combat", neutral=True)
def free_to_fire(w: World8, target: Unit) -> bool:
    """Nobody fires Overwatch with an enemy within 1"; else it is fired at every charge."""
    return not close_enemies(w, target)


AIMING: Final = Aiming(
    rules=AimRules(
        targets="w40k8.shoot.targets",
        declared=("w40k8.shoot.split",),
        ranged="w40k8.sheet.weapon_profile",
        only="w40k8.charge.overwatch",
    ),
    usable=lambda w, model, weapon: weapons.can_be_fired(weapon),
    is_target=out_of_combat,
    fits=fits,
    reach=reach_of,
    beyond=beyond,
    depends=lambda w, unit: (unit.moved, w.state.game.phase == CHARGE, _able(w, unit).tobytes()),
    sort=sort_of,
    count=to_assign,
    shot_at=shot_at,
    fire=fire,
    together=fired_together,
    endangers=lambda weapon: bool(heat_of(weapon.abilities)),
)

QUESTIONS: Final = {"shoot_with": which_unit(0.1, may_shoot), "shoot": SHOOT}
