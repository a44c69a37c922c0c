"""Select weapons and targets (04.01, 04.02) when shooting: which weapon may be fired at which unit, and why not."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

import msgspec
import numpy as np

from sandtable.battle import ALLOWED, Assignment, Verdict, refuse
from sandtable.forty import aiming
from sandtable.forty.aiming import Gun, out_of_range, out_of_sight, within_half_range
from sandtable.forty.declaring import who_fires_which
from sandtable.forty.watching import fails_on_watch
from sandtable.kit.grammar import does
from sandtable.kit.seeing import visible
from sandtable.rules import Facts, fact, rule
from sandtable.systems.w40k11 import weapon_abilities as weapons
from sandtable.systems.w40k11.concepts import is_friendly
from sandtable.systems.w40k11.cover import can_have_cover, in_cover
from sandtable.systems.w40k11.datasheet import Weapon, can_be_fired
from sandtable.systems.w40k11.engagement import engaged, is_engaged
from sandtable.systems.w40k11.making_attacks import precise_targets
from sandtable.systems.w40k11.moving import is_big as is_big_model
from sandtable.systems.w40k11.plunging_fire import plunges
from sandtable.systems.w40k11.shooting_types import ASSAULT, CLOSE_QUARTERS, FAILING, INDIRECT, SNAP, is_big, type_of
from sandtable.systems.w40k11.shot import Shot
from sandtable.systems.w40k11.state import STATIONARY, Unit, World11
from sandtable.systems.w40k11.visibility import lone_operative, sees
from sandtable.table.grid import Bools, Floats, steps

half_range_counts: Final = partial(aiming.half_range_counts, frozenset(("rapid fire", "melta")))
ANY_RANGE: Final = 200


class HEAVY(Facts):
    """What the book states about Heavy weapons."""

    walk = fact(steps(3), "w40k11.weapon.heavy", neutral=steps(500))
    """So far at most a model of the unit has moved this turn."""


# --- Who may be fired at ----------------------------------------------------------------------------------------------


def reach_of(w: World11, unit: Unit, weapon: Weapon, enemy: Unit) -> Bools:
    """For each model of a unit: whether it may fire a profile at an enemy unit, from where it stands."""
    seen = in_range_and_sight(w, unit, enemy, weapon.range, fires_indirectly(w, unit, weapon))
    return seen & fire_at_close_quarters(w, unit, weapon, enemy) if type_of(w, unit) == CLOSE_QUARTERS else seen


@rule("w40k11.shoot.indirect", "w40k11.weapon.indirect_fire", neutral=False)
def fires_indirectly(w: World11, unit: Unit, weapon: Weapon) -> bool:
    """In indirect shooting Indirect Fire weapons need no target in sight, with all that comes with it."""
    return type_of(w, unit) == INDIRECT and weapons.is_indirect(weapon)


@rule("w40k11.attack.targets_shooting", "w40k11.shoot.indirect", "w40k11.unit.lone_operative", neutral=True)
def in_range_and_sight(w: World11, unit: Unit, enemy: Unit, reach: int, unseen: bool) -> Bools:
    """For each model of a unit: whether the enemy unit has a model in range, and one that it sees if it must."""
    far = w.distances(unit, enemy)
    reached = np.asarray(in_range(far, reach).any(axis=-1))
    if unseen:
        return np.asarray(reached & (far.min(axis=-1, initial=np.inf) <= lone_operative(w, enemy)))
    return reached & visible(w, unit, enemy).any(axis=-1) if reached.any() else reached


def in_range(far: Floats, reach: int) -> Bools:
    """Which models are no further away than the weapon's Range."""
    return np.asarray(far <= steps(reach))


def beyond(w: World11, unit: Unit, weapon: Weapon, enemy: Unit) -> Verdict:
    """Why no model of a unit may fire a profile at an enemy unit from where it stands."""
    if not np.any(in_range(w.distances(unit, enemy), weapon.range)):
        return out_of_range(w, unit, weapon, enemy, "w40k11.attack.targets_shooting")
    if not np.any(reach_of(w, unit, weapon, enemy)):
        return out_of_sight(w, weapon, enemy, "w40k11.attack.targets_shooting")
    return ALLOWED


@rule("w40k11.attack.targets_shooting", "w40k11.mv.shoot_at_engaged", "w40k11.shoot.close_quarters", neutral=ALLOWED)
def is_target(w: World11, unit: Unit, enemy: Unit) -> Verdict:
    """A target is unengaged, but for MONSTERS and VEHICLES in the own turn, and for those in the same combat."""
    if not is_engaged(w, enemy):
        return ALLOWED
    if type_of(w, unit) == CLOSE_QUARTERS and engaged(w, unit, enemy):
        return ALLOWED
    if is_big(w, enemy) and w.state.active == unit.player:
        return ALLOWED
    return refuse(f"{does(enemy, 'is')} engaged.", "w40k11.attack.targets_shooting")


def may_be_target(w: World11, unit: Unit, enemy: Unit) -> bool:
    """Whether an enemy unit is an eligible target of a unit for a weapon that reaches as far as that."""
    seen = in_range_and_sight(w, unit, enemy, ANY_RANGE, type_of(w, unit) == INDIRECT)
    return bool(is_target(w, unit, enemy)) and bool(np.any(seen))


def fits(w: World11, unit: Unit, weapon: Weapon, enemy: Unit) -> Verdict:
    """Whether a unit may use a profile on an enemy unit, wherever its models stand."""
    return fits_the_type(w, unit, weapon, enemy) and blast_is_clear(w, weapon, enemy)


@rule("w40k11.shoot.cq_other_models", neutral=True)
def fire_at_close_quarters(w: World11, unit: Unit, weapon: Weapon, enemy: Unit) -> Bools:
    """For each model: others than MONSTERS and VEHICLES fire Close-quarters weapons, at whom their unit is engaged."""
    anybody = weapons.is_close_quarters(weapon) and engaged(w, unit, enemy)
    return np.array([anybody or is_big_model(w, int(m)) for m in w.on_table(unit)], dtype=np.bool_)


@rule("w40k11.shoot.assault", "w40k11.weapon.assault", "w40k11.shoot.cq_other_models", neutral=ALLOWED)
def fits_the_type(w: World11, unit: Unit, weapon: Weapon, enemy: Unit) -> Verdict:
    """Assault shooting is for Assault weapons; in close-quarters shooting only big models fire other weapons."""
    way = type_of(w, unit)
    if way == ASSAULT and not weapons.is_assault(weapon):
        return refuse(f"{unit.name} Advanced, and {weapon.name} is no Assault weapon.", "w40k11.shoot.assault")
    if way == CLOSE_QUARTERS and not np.any(fire_at_close_quarters(w, unit, weapon, enemy)):
        text = f"{does(unit, 'is')} engaged and fires Close-quarters weapons only, at enemies that it is engaged with."
        return refuse(text, "w40k11.shoot.cq_other_models")
    return ALLOWED


@rule("w40k11.weapon.blast", neutral=ALLOWED)
def blast_is_clear(w: World11, weapon: Weapon, enemy: Unit) -> Verdict:
    """A Blast weapon is never fired at an engaged unit."""
    if not weapons.is_blast(weapon) or not is_engaged(w, enemy):
        return ALLOWED
    return refuse(f"{weapon.name} has Blast, and {does(enemy, 'is')} engaged.", "w40k11.weapon.blast")


# --- Select weapons ---------------------------------------------------------------------------------------------------


@rule("w40k11.attack.weapons_shooting", neutral=False)
def may_fire(w: World11, model: int, weapon: Weapon) -> bool:
    """A model may use each of its ranged weapons, and no other."""
    return can_be_fired(weapon)


@rule("w40k11.attack.weapons_cq_limit", neutral=ALLOWED)
def fired_together(w: World11, unit: Unit, groups: Sequence[Sequence[Gun]], answer: Sequence[Assignment]) -> Verdict:
    """A model that is neither MONSTER nor VEHICLE fires its Close-quarters weapons or its others."""
    if who_fires_which(w, groups, answer) is not None:
        return ALLOWED
    text = "A model fires either its Close-quarters weapons or its other weapons."
    return refuse(text, "w40k11.attack.weapons_cq_limit")


@rule("w40k11.attack.targets_shooting", "w40k11.gap.weapon_profiles", neutral=99)
def weapons_in(group: Sequence[Gun]) -> int:
    """How much there is to assign: whole weapons. All attacks of one go at one target, with one profile."""
    return len(group)


# --- What is true of a shot when targets are selected -----------------------------------------------------------------


def shot_at(w: World11, unit: Unit, target: Unit, overwatch: bool = False) -> Shot:
    """What is fixed about a target when it is selected, whatever is fired at it."""
    return Shot(target=target.id, size=len(w.on_table(target)), way=SNAP if overwatch else type_of(w, unit))


def fire(w: World11, unit: Unit, row: int, model: int, weapon: Weapon, at: Shot) -> Shot:
    """A shot with what is true of it when targets are selected; `at` has what is true of all shots at that target."""
    target = w.unit(at.target)
    aim = precise_targets(w, unit, target, model) if weapons.precision(weapon) else ()
    return msgspec.structs.replace(
        at,
        model=model,
        weapon=weapon,
        half_range=half_range_counts(w, unit, weapon) and within_half_range(w, unit, row, weapon, target),
        cover=can_have_cover(w, target) and (fires_indirectly(w, unit, weapon) or in_cover(w, unit, row, target)),
        plunging=plunges(w, unit, row, target),
        steady=is_steady(w, unit, weapon),
        fails=failing(w, unit, weapon, target, at.way),
        hampered=hampered_by(w, unit, model, weapon, target),
        aim=aim,
    )


def hampered_by(w: World11, unit: Unit, model: int, weapon: Weapon, target: Unit) -> str:
    """The rule that makes a shot harder: of a big model at close quarters, or at an engaged MONSTER or VEHICLE."""
    if weapons.is_close_quarters(weapon) and engaged(w, unit, target):
        return ""
    if is_big_model(w, model) and is_engaged(w, unit):
        return "w40k11.shoot.cq_monster_vehicle"
    return "w40k11.mv.shoot_at_engaged" if is_big(w, target) and is_engaged(w, target) else ""


@rule("w40k11.weapon.heavy", neutral=False)
def is_steady(w: World11, unit: Unit, weapon: Weapon) -> bool:
    """A Heavy weapon hits better in the Shooting phase, if its unit is unengaged and hardly moved this turn."""
    if not weapons.has(weapon, "heavy") or w.state.game.phase != "shooting":
        return False
    return not (unit.arrived or unit.disembarked or is_engaged(w, unit)) and max(unit.walked, default=0) <= HEAVY.walk


def failing(w: World11, unit: Unit, weapon: Weapon, target: Unit, way: str) -> int:
    """Up to which bare face hit rolls fail by the shooting type."""
    if way == SNAP:
        return fails_on_watch(w, unit, FAILING.snap)
    if not fires_indirectly(w, unit, weapon):
        return 0
    return FAILING.spotted if is_spotted(w, unit, target) else FAILING.unspotted


@rule("w40k11.shoot.indirect_hit", neutral=False)
def is_spotted(w: World11, unit: Unit, target: Unit) -> bool:
    """Whether shooters stayed stationary, and left no wreck either, and any unit of their army sees the target."""
    stayed = unit.moved == STATIONARY and not unit.disembarked
    return stayed and any(is_friendly(w, unit, u) and sees(w, u, target) for u in w.units())
