"""What 8th edition tells its computer players: how far units go, what their weapons do, and when to cast."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from sandtable.armies.effects import Allowed
from sandtable.attack.chances import TWO_DICE, at_least
from sandtable.attack.tables import hit_table, wound_table
from sandtable.attack.volley import NEVER, Body, Shots, Volley, WoundKind, WoundRoll
from sandtable.battle import Choose
from sandtable.battle.kept import SETUP, kept
from sandtable.battle.tactics import Idea
from sandtable.forty.attacks import Plain
from sandtable.forty.effects.attack_rolls import Working, plainly
from sandtable.forty.effects.permissions import allows
from sandtable.forty.fighters import Sheet, Weapon, in_hands, pace
from sandtable.forty.mind import setting_up
from sandtable.forty.mind.casting import what_to_cast, what_to_know
from sandtable.forty.mind.combat import hands_dealt, who_joins
from sandtable.forty.mind.mind import PISTOL, SHOOT, STRIKE, Held, Mind
from sandtable.forty.mind.plan import models_there
from sandtable.forty.mind.style import Style
from sandtable.forty.mission import mission_of
from sandtable.forty.weapon_words import extra_attacks, hits_by_itself
from sandtable.kit.beside import find_beside
from sandtable.kit.missions import Score
from sandtable.kit.room import Spots, models_to_place
from sandtable.systems.w40k8 import (
    attacks,
    charge,
    datasheet,
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
from sandtable.systems.w40k8.book import BOOK
from sandtable.systems.w40k8.concepts import close_enemies, model_has_keyword
from sandtable.systems.w40k8.datasheet import attacks_of, strength_of, strength_with
from sandtable.systems.w40k8.dice import REROLL, amount
from sandtable.systems.w40k8.psychic import powers_of
from sandtable.systems.w40k8.shooting import hides_in_the_crowd
from sandtable.systems.w40k8.state import Unit, World8
from sandtable.systems.w40k8.weapons import Shot
from sandtable.table.grid import units

POWER: Final = 20.0
"""Points that one of Power is worth, roughly"""
ON_SIXES: Final = 0.3
"""What Overwatch does, compared with the same shots in one's own turn"""


def plain_volley(w: World8, weapon: Weapon, half: bool, size: int, hit_on: int, always: Working) -> Volley:
    """The tables of one weapon."""
    (added, again), auto = plainly(always, "hit"), hits_by_itself(weapon)
    roll = hit_table(hit_on, added, auto=auto, always=NEVER, never=BOOK.failing_face, reroll=again)
    number = Shots(1, weapons.shots_of(weapon, half_range=half))
    kind = WoundKind(0, attacks.damage_of(weapon), None, (), BOOK.one_at_a_time)
    return Volley(weapon.name, (number,), roll, wound_table(NEVER), (kind,))


def plain_wound(w: World8, weapon: Weapon, sheet: Sheet, always: Working) -> WoundRoll:
    """The wound roll against a datasheet."""
    needed, (added, again) = attacks.to_wound(int(weapon.strength), sheet.toughness), plainly(always, "wound")
    return wound_table(needed, added, crit=NEVER, always=NEVER, never=BOOK.failing_face, reroll=again)


def plain_body(w: World8, sheet: Sheet, ap: int | None) -> Body:
    """A model of a datasheet in the open."""
    save = min(attacks.armour_save(sheet.save, ap or 0, 0), sheet.invulnerable or NEVER)
    return Body(0, sheet.wounds, sheet.wounds, (save,), pain=attacks.resilience(w, sheet))


PLAIN: Final = Plain(plain_volley, plain_wound, plain_body, lambda weapon: False)


def by_sheet(w: World8, sheet: Sheet, weapon: Weapon) -> Held:
    """A weapon in the hands of models of a datasheet."""
    blows = f"{extra_attacks(weapon) or sheet.attacks}"
    held = in_hands(w, weapon, strength_with(sheet.strength, weapon), blows)
    if weapon.is_melee:
        return Held(held, STRIKE, sheet.weapon_skill or NEVER)
    use = PISTOL if weapon.type in (datasheet.PISTOL, datasheet.GRENADE) else SHOOT
    nearer, running = weapon.type == datasheet.RAPID_FIRE, weapon.type == datasheet.ASSAULT
    return Held(held, use, sheet.ballistic_skill or NEVER, nearer=nearer, running=running)


def by_model(w: World8, model: int, weapon: Weapon) -> tuple[Weapon, int]:
    """A weapon, or one blow with it, in the hands of a model."""
    skill = attacks.weapon_skill(w, model) if weapon.is_melee else attacks.ballistic_skill(w, model)
    return in_hands(w, weapon, strength_of(w, model, weapon), "1"), skill or NEVER


def may(w: World8, unit: Unit, what: Allowed) -> bool:
    """What abilities allow; and who can Fly shoots after Falling Back."""
    return allows(w, unit, what) or (what == "fall_back_and_shoot" and flies(w, unit))


def flies(w: World8, unit: Unit) -> bool:
    """Whether all of a unit can Fly."""
    return all(model_has_keyword(w, int(m), "FLY") for m in unit.models)


def scoring(w: World8) -> tuple[Score, ...] | None:
    """What the mission brings, or its primary objective; where every turn is scored, the enemy's before one's own."""
    mission = mission_of(w)
    return None if mission is None else mission.scoring or _scoring(w, w.state.game.primary)


@kept(SETUP)
def _scoring(w: World8, primary: int) -> tuple[Score, ...]:
    match primary:
        case only_war.SLAY_AND_SECURE:
            spoils = round(amount(only_war.SPOILS).mean)
            return Score("hold", "Secure", BOOK.secure, "battle"), Score("destroy warlord", "Warlord", spoils, "battle")
        case only_war.ANCIENT_RELIC:
            return (Score("hold", "Relic", BOOK.relic, "battle"),)
    return tuple(Score("hold", "Domination", BOOK.dominate, when) for when in ("turn", "command"))


def room_beside(w: World8, unit: Unit, transport: int, sides: Sequence[int]) -> Spots | None:
    """Where passengers disembark."""
    models = models_to_place(w, unit)
    reach = transports.furthest(w, models)
    return find_beside(w, transports.room_around(w, unit, models, (transport,), reach), (transport,), reach, sides)


def charge_chance(w: World8, unit: Unit, targets: Sequence[Unit]) -> float:
    """How likely the dice bring a unit near one of its targets."""
    needed = charge.read_charge(w, unit, targets).needed
    return float(at_least(TWO_DICE, needed)) if needed else 0.0


def may_strike(w: World8, unit: Unit) -> list[Unit]:
    """Whom any model of a unit reaches."""
    return [w.unit(t) for t in sorted({t for found in fight.fighters(w, unit).values() for t in found})]


def blows(w: World8, model: int, target: Unit) -> list[Shot]:
    """All attacks of a model with one of its weapons."""
    arms = fight.melee_weapons(w, model) if fight.can_fight(w, model) else ()
    return [fight.blow(model, x, target.id, round(attacks_of(w, model).mean)) for x in arms]


def what_to_manifest(w: World8, d: Choose, style: Style) -> Iterator[Idea]:
    """The power that does most, if that is worth the Perils."""
    powers = {p.name: p for p in powers_of(w)}
    named = [(o.value, f"{o.value}".split("|")) for o in d.options]
    tries = [(value, int(model), powers[name]) for value, (model, name) in named]
    return what_to_cast(w, tries, psychic.added_to_test, psychic.targets_of, amount)


MIND: Final = Mind(
    by_sheet=by_sheet,
    by_model=by_model,
    price=POWER,
    pace=pace,
    may=may,
    guarded=hides_in_the_crowd,
    shelter=frozenset(("ruins", "woods", "crater")),
    cover_for=6,
    scoring=scoring,
    enemy_zone=deployment.enemy_zone,
    near_marker=3.0,
    present=models_there,
    dread=0.6,
    rooms_to_deploy=deployment.rooms_to_deploy,
    room_to_arrive=reinforcements.room_to_arrive,
    room_beside=room_beside,
    way=moving.passage,
    allowance=movement.allowance,
    halts=(0.6, 0.3),
    way_out=movement.way_out,
    flyer=movement.must_move,
    prey=charge.possible_targets,
    charge_chance=charge_chance,
    greeting=ON_SIXES,
    passes=flies,
    engaged=close_enemies,
    may_strike=may_strike,
    fighters=fight.fighters,
    hands=hands_dealt,
    blows=blows,
    cards={REROLL.name: lambda w, d, use: (15.0, "Much depends on this roll.")},
    thinkers={
        "deploy_with": setting_up.who_deploys_before_passengers,
        "deploy": lambda w, d, style: setting_up.where_to_deploy(w, msgspec.structs.replace(d, area=()), style),
        "manifest": what_to_manifest,
        "generate_powers": lambda w, d, style: what_to_know(
            w, d, [name for u in w.units_of(d.player) for _, name in u.generated]
        ),
        "intervene_with": lambda w, d, style: who_joins(w, d, units(BOOK.heroic_range)),
    },
)
