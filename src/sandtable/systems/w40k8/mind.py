"""What 8th edition tells its computer players: how far units go, what their weapons do, and when to cast."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import msgspec
import numpy as np

from sandtable.armies.effects import Allowed
from sandtable.attack.chances import TWO_DICE, at_least
from sandtable.attack.tables import hit_table, wound_table
from sandtable.attack.volley import NEVER, Body, Shots, Volley, WoundKind, WoundRoll
from sandtable.battle import Assign, Choose, Place
from sandtable.battle.kept import SETUP, kept
from sandtable.battle.tactics import Idea
from sandtable.forty.attacks import Plain
from sandtable.forty.effects import manifesting
from sandtable.forty.effects.attack_rolls import Working, best_of, modifiers
from sandtable.forty.effects.constant import armed_always, rolls_of
from sandtable.forty.effects.permissions import allows
from sandtable.forty.mind import setting_up
from sandtable.forty.mind.combat import who_joins
from sandtable.forty.mind.force import arm_of
from sandtable.forty.mind.mind import PISTOL, SHOOT, STRIKE, Arm, Hands, Mark, Mind, chances_with
from sandtable.forty.mind.outlook import outlook
from sandtable.forty.mind.shots import target_worth
from sandtable.forty.mind.style import Style
from sandtable.forty.mission import mission_of
from sandtable.forty.odds.plain import of_weapon
from sandtable.forty.psykers import Power
from sandtable.forty.weapon_words import extra_attacks, fires_once, hits_by_itself
from sandtable.kit.beside import find_beside
from sandtable.kit.missions import Score
from sandtable.kit.room import Spots, models_to_place
from sandtable.kit.seeing import visible
from sandtable.systems.w40k8 import (
    charge,
    command_rerolls,
    deployment,
    fight,
    movement,
    moving,
    only_war,
    psychic,
    reinforcements,
    transports,
    weapons,
)
from sandtable.systems.w40k8.attacks import (
    armour_save,
    ballistic_skill,
    damage_of,
    resilience,
    to_wound,
    weapon_skill,
)
from sandtable.systems.w40k8.book import BOOK
from sandtable.systems.w40k8.characteristics import attacks_of, strength_of, strength_with
from sandtable.systems.w40k8.concepts import close_enemies, model_has_keyword
from sandtable.systems.w40k8.datasheet import ASSAULT, RAPID_FIRE, Sheet, Weapon
from sandtable.systems.w40k8.dice import amount
from sandtable.systems.w40k8.powers import powers_of
from sandtable.systems.w40k8.shooting import hides_in_the_crowd
from sandtable.systems.w40k8.state import Unit, World8, unit_of
from sandtable.systems.w40k8.weapons import Shot
from sandtable.table.grid import units

POWER: Final = 20.0
"""Points that one of Power is worth, roughly"""
ON_SIXES: Final = 0.3
"""What Overwatch does, compared with the same shots in one's own turn"""
BLESSING: Final = 12.0
"""Points that a power is worth which helps friends or hinders enemies."""
PERILS: Final = 2 * 2 / 36
"""Wounds that a Psychic test costs on average"""


# --- What weapons do, when nothing else is at work --------------------------------------------------------------------


@kept(SETUP)
def in_hands(w: World8, weapon: Weapon, strength: int, attacks: str = "") -> Weapon:
    """A weapon with numbers for its Strength and, in close combat, its attacks."""
    return msgspec.structs.replace(weapon, strength=f"{strength}", attacks=attacks or weapon.attacks)


def plain_volley(w: World8, weapon: Weapon, half: bool, size: int, hit_on: int, always: Working) -> Volley:
    """The tables of one weapon."""
    roll = hit_table(
        hit_on,
        sum(value for value, _ in modifiers(always, "hit")),
        auto=hits_by_itself(weapon),
        always=NEVER,
        never=BOOK.failing_face,
        reroll=best_of([a for a in always.rerolls if a.effect.roll == "hit"]).faces,
    )
    kind = WoundKind(0, damage_of(weapon), None, (), BOOK.one_at_a_time)
    return Volley(
        weapon.name, (Shots(1, weapons.shots_of(weapon, half_range=half)),), roll, wound_table(NEVER), (kind,)
    )


def plain_wound(w: World8, weapon: Weapon, sheet: Sheet, always: Working) -> WoundRoll:
    """The wound roll against a datasheet."""
    return wound_table(
        to_wound(int(weapon.strength), sheet.toughness),
        sum(value for value, _ in modifiers(always, "wound")),
        crit=NEVER,
        always=NEVER,
        never=BOOK.failing_face,
        reroll=best_of([a for a in always.rerolls if a.effect.roll == "wound"]).faces,
    )


def plain_body(w: World8, sheet: Sheet, ap: int | None) -> Body:
    """A model of a datasheet in the open."""
    save = min(armour_save(sheet.save, ap or 0, 0), sheet.invulnerable or NEVER)
    return Body(0, sheet.wounds, sheet.wounds, (save,), pain=resilience(w, sheet))


PLAIN: Final = Plain(plain_volley, plain_wound, plain_body, lambda weapon: False)


def arm(w: World8, number: int, row: int, effects: tuple[Any, ...]) -> Arm:
    """What a weapon does to each datasheet on average, in the hands of another."""
    sheet = w.setup.data.sheets[number]
    weapon = armed_always(w, sheet.weapons[row], effects)
    if weapon.is_melee:
        blows = f"{extra_attacks(weapon) or sheet.attacks}"
        held = in_hands(w, weapon, strength_with(sheet.strength, weapon), blows)
        return arm_of(w, held, STRIKE, effects, hit_on=sheet.weapon_skill or NEVER)
    held = in_hands(w, weapon, strength_with(sheet.strength, weapon))
    use = PISTOL if weapons.is_pistol(weapon) or weapons.is_grenade(weapon) else SHOOT
    hit_on, nearer = sheet.ballistic_skill or NEVER, weapon.type == RAPID_FIRE
    return arm_of(w, held, use, effects, hit_on=hit_on, nearer=nearer, running=weapon.type == ASSAULT)


def mean(w: World8, model: int, weapon: Weapon, target: Mark) -> float:
    """The wounds that one weapon, or one blow, takes off a target on average."""
    skill = weapon_skill(w, model) if weapon.is_melee else ballistic_skill(w, model)
    held = in_hands(w, weapon, strength_of(w, model, weapon), "1" if weapon.is_melee else "")
    far = min(target.far, float(weapon.range))
    rolls = rolls_of(w, model, weapon.is_melee)
    return of_weapon(w, held, target.sheet, far, target.size, skill or NEVER, rolls) * target.cover


def pace(sheet: Sheet) -> float:
    """How far models of a datasheet move; a random Move by its average."""
    return amount(f"{sheet.move or 0}".split("-")[-1]).mean


def may(w: World8, unit: Unit, what: Allowed) -> bool:
    """What abilities allow; and who can Fly shoots after Falling Back."""
    return allows(w, unit, what) or (what == "fall_back_and_shoot" and flies(w, unit))


def flies(w: World8, unit: Unit) -> bool:
    """Whether all of a unit can Fly."""
    return all(model_has_keyword(w, int(m), "FLY") for m in unit.models)


# --- What is fought over ----------------------------------------------------------------------------------------------


def scoring(w: World8) -> tuple[Score, ...] | None:
    """What the mission brings, or its primary objective."""
    mission = mission_of(w)
    return None if mission is None else mission.scoring or _scoring(w, w.state.game.primary)


@kept(SETUP)
def _scoring(w: World8, primary: int) -> tuple[Score, ...]:
    last = w.setup.data.rounds
    match primary:
        case only_war.SLAY_AND_SECURE:
            warlord = Score(
                "destroy warlord", "Warlord", round(amount(only_war.SPOILS).mean), "battle", from_round=last
            )
            return Score("hold", "Secure", BOOK.secure, "battle", from_round=last), warlord
        case only_war.ANCIENT_RELIC:
            return (Score("hold", "Relic", BOOK.relic, "battle", from_round=last),)
    return (Score("hold", "Domination", BOOK.dominate, "turn"),)


# --- Setting up, and moves --------------------------------------------------------------------------------------------


def where_to_deploy(w: World8, d: Place, style: Style) -> Iterator[Idea]:
    """As far from the enemy as has to be."""
    return setting_up.where_to_deploy(w, msgspec.structs.replace(d, area=()), style)


def room_beside(w: World8, unit: Unit, transport: int, sides: Sequence[int]) -> Spots | None:
    """Where passengers disembark."""
    models = models_to_place(w, unit)
    reach = transports.furthest(w, models)
    return find_beside(w, transports.room_around(w, unit, models, (transport,), reach), (transport,), reach, sides)


# --- Attacks ----------------------------------------------------------------------------------------------------------


def charge_chance(w: World8, unit: Unit, targets: Sequence[Unit]) -> float:
    """How likely the dice bring a unit near one of its targets."""
    needed = charge.read_charge(w, unit, targets).needed
    return float(at_least(TWO_DICE, needed)) if needed else 0.0


def may_strike(w: World8, unit: Unit) -> list[Unit]:
    """Whom any model of a unit reaches."""
    return [w.unit(t) for t in sorted({t for found in fight.fighters(w, unit).values() for t in found})]


def hands(w: World8, d: Assign) -> list[Hands]:
    """Blows of models that are alike, one by one."""
    return [
        Hands(fight.attacks_in(hand), hand.models[0], hand.weapons, hand.targets, hand)
        for hand in fight.hands_of(w, w.unit(d.unit), dict(d.about["attacks"]))
    ]


def blows(w: World8, model: int, target: Unit) -> list[Shot]:
    """All attacks of a model with one of its weapons."""
    many = round(attacks_of(w, model).mean)
    return [
        Shot(model=model, weapon=x, target=target.id, melee=True, attacks=many)
        for x in fight.melee_weapons(w, model)
        if fight.can_fight(w, model)
    ]


# --- Questions of this edition alone ----------------------------------------------------------------------------------


def what_to_manifest(w: World8, d: Choose, style: Style) -> Iterator[Idea]:
    """The power that does most, if that is worth the Perils."""
    powers = {p.name: p for p in powers_of(w)}
    best = Idea(None, 0.0, "No power is worth the risk.")
    for option in d.options:
        model, _, name = f"{option.value}".partition("|")
        worth = _worth_of(w, int(model), powers[name])
        if worth > best.worth:
            best = Idea(option.value, worth, f"{name.title()} reaches somebody.")
    yield best


def _worth_of(w: World8, model: int, power: Power) -> float:
    """Points that a power takes off the enemy on average, less what the warp takes."""
    unit, o = unit_of(w, model), outlook(w)
    worth, more = target_worth(w, unit.player), psychic.added_to_test(w, unit)
    strong = float(at_least(TWO_DICE, power.above + 1 - more)) if power.strong else 0.0
    chance = float(at_least(TWO_DICE, power.charge - more))
    if power.ability:
        helps = manifesting.finds_somebody(w, unit, model, power.name)
        return (BLESSING * chance if helps else 0.0) - PERILS * float(o.field.worth[o.row[unit.id]])
    wounds = (chance - strong) * amount(power.wounds).mean + strong * amount(power.strong or 0).mean
    found = [min(wounds, float(o.field.wounds[o.row[t.id]])) * worth[t.id] for t in psychic.targets_of(w, model, power)]
    return max(found, default=0.0) - PERILS * float(o.field.worth[o.row[unit.id]])


MIND: Final = Mind(
    arm=arm,
    mean=mean,
    price=POWER,
    pace=pace,
    fires_on=lambda w, unit: False,
    may=may,
    guarded=hides_in_the_crowd,
    hiding=frozenset(),
    shelter=frozenset(("ruins", "woods", "crater")),
    cover_for=6,
    sees=lambda w, unit, target: bool(np.any(visible(w, unit, target))),
    scoring=scoring,
    enemy_zone=deployment.enemy_zone,
    hold=lambda sheet: 1.0,
    unnerved=lambda w: (),
    near_marker=3.0,
    to_marker=lambda w, d: iter(()),
    rooms_to_deploy=lambda w, unit: (deployment.room_to_deploy(w, unit),),
    room_to_arrive=reinforcements.room_to_arrive,
    room_beside=room_beside,
    way=moving.passage,
    allowance=movement.allowance,
    halts=(0.6, 0.3),
    way_out=movement.way_out,
    flyer=movement.must_move,
    apart=1.0,
    scouts_apart=lambda: 0.0,
    once=fires_once,
    beside_shooting=lambda w, d, option: None,
    prey=charge.possible_targets,
    charge=chances_with(TWO_DICE, 1),
    charge_chance=charge_chance,
    greeting=ON_SIXES,
    passes=flies,
    berth=1.5,
    engaged=close_enemies,
    may_strike=may_strike,
    fighters=fight.fighters,
    hands=hands,
    legal_blows=lambda w, rows, wanted: tuple(wanted),
    blows=blows,
    cards={command_rerolls.NAME: lambda w, d, use: (15.0, "Much depends on this roll.")},
    thinkers={
        "deploy_with": setting_up.who_deploys_before_passengers,
        "deploy": where_to_deploy,
        "manifest": what_to_manifest,
        "intervene_with": lambda w, d, style: who_joins(w, d, units(BOOK.heroic_range)),
    },
)
