"""The core Stratagems, in the order of their categories, and how those of detachments are played."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from sandtable.battle import Effect, Moment, Option, Reaction, Value
from sandtable.forty import moments
from sandtable.forty.aiming import guns_of
from sandtable.forty.detachments import Detachments
from sandtable.forty.effects.permissions import not_forbidden
from sandtable.forty.effects.saves import may_reroll_saves
from sandtable.forty.overwatch import Overwatch, is_worth_it, watchers
from sandtable.forty.picking_rerolls import is_open, rerolls, worth_another_try
from sandtable.forty.state import called_each, is_attached
from sandtable.forty.stratagems import (
    an_enemy_acts,
    for_the_phase,
    has_a_hold,
    offer_the_acting_unit,
    ones_own_acts,
    own,
    own_units,
    reaction,
    shelter,
    targets_with,
    the_acting_unit,
)
from sandtable.forty.throwing import Throw, roll_for_wounds, the_thrower, throws
from sandtable.kit.attack.rolling import Roll, reroll_one
from sandtable.kit.grammar import does
from sandtable.rules import rule
from sandtable.systems.w40k10 import melee_attacks
from sandtable.systems.w40k10.abilities.firing_deck import deck_has_target, on_deck
from sandtable.systems.w40k10.abilities.stealth import STEALTH
from sandtable.systems.w40k10.aircraft import may_come_early
from sandtable.systems.w40k10.allocate_and_save import INVULNERABLE
from sandtable.systems.w40k10.battle_round import CHARGE, COMMAND, FIGHT, MOVEMENT, SHOOTING
from sandtable.systems.w40k10.charge_phase import able_to_charge, charge
from sandtable.systems.w40k10.core_concepts import has_keyword, within
from sandtable.systems.w40k10.dice import may_reroll, reroll
from sandtable.systems.w40k10.engagement_range import engaged_enemies, is_engaged
from sandtable.systems.w40k10.fight_phase import eligible_to_fight
from sandtable.systems.w40k10.hit_and_wound import overwatch_need
from sandtable.systems.w40k10.locked_in_combat import caught
from sandtable.systems.w40k10.mortal_wounds import inflict
from sandtable.systems.w40k10.movement_phase import eligible_to_move
from sandtable.systems.w40k10.reserves import arrive, find_arrival, may_arrive
from sandtable.systems.w40k10.shooting_phase import eligible_to_shoot, may_shoot, shoot
from sandtable.systems.w40k10.state import ADVANCE, FALL_BACK, NORMAL, Battle10, Unit, World10
from sandtable.systems.w40k10.stratagems import tank_shock
from sandtable.systems.w40k10.stratagems import using_stratagems as cards
from sandtable.systems.w40k10.stratagems.using_stratagems import CARDS
from sandtable.systems.w40k10.terrain.benefit_of_cover import COVER
from sandtable.systems.w40k10.visibility import sees
from sandtable.systems.w40k10.weapon_abilities import torrent
from sandtable.table.grid import steps

INTERVENTION_RANGE: Final = steps(6)
OVERWATCH_RANGE: Final = steps(24)
WATCHED: Final = (NORMAL, ADVANCE, FALL_BACK, "charge")
ONLY_SIXES: Final = 6
GRENADE_RANGE: Final = steps(8)
GRENADE_DICE: Final = 6
GRENADE_WOUNDS: Final = 4


# --- Command Re-roll: one of a unit's rolls is made again -------------------------------------------------------------


@rule("w40k10.strat.command_reroll", neutral=False)
def can_be_rerolled(b: Battle10, player: int, moment: Moment) -> bool:
    """One of the listed rolls, made by the player."""
    if not is_open(b, player, moment, cards.REROLLABLE):
        return False
    batch: Roll | None = moment.data.get("batch")
    if batch is None or batch.kind != "save":
        return True
    return may_reroll_saves(b, b.unit(moment.unit), batch.model)


async def use_command_reroll(b: Battle10, player: int, moment: Moment, use: Value) -> None:
    batch: Roll | None = moment.data.get("batch")
    if batch is not None:
        moment.data["faces"] = reroll_one(b, batch, int(use), cards.COMMAND_REROLL.rule, by=cards.COMMAND_REROLL.name)
        return
    reroll(b, b.unit(moment.unit), moment.data, int(use), cards.COMMAND_REROLL.rule, by=cards.COMMAND_REROLL.name)


ROLL_AGAIN: Final = reaction(
    CARDS,
    cards.COMMAND_REROLL,
    moments.AFTER_ROLL,
    use_command_reroll,
    lambda b, player, moment: rerolls(moment, may_reroll),
    when=can_be_rerolled,
    worth=lambda b, player, moment, use: worth_another_try(b, moment, use),
    for_unit=the_acting_unit,
)


# --- Go to Ground: INFANTRY under fire takes cover --------------------------------------------------------------------


@rule("w40k10.strat.go_to_ground", neutral=[])
def infantry_under_fire(b: Battle10, player: int, moment: Moment) -> list[Option]:
    return targets_with(b, player, moment, "INFANTRY")


def on_the_ground(unit: int) -> tuple[Effect, ...]:
    """What the cover is worth to a unit."""
    save = Effect(INVULNERABLE, unit, cards.GROUND_SAVE, source=cards.GO_TO_GROUND.rule, until="phase")
    return save, Effect(COVER, unit, 1, source=cards.GO_TO_GROUND.rule, until="phase")


TAKE_COVER: Final = shelter(CARDS, cards.GO_TO_GROUND, infantry_under_fire, on_the_ground)


# --- Insane Bravery: a unit that failed a Battle-shock test stands firm after all -------------------------------------


@rule("w40k10.strat.insane_bravery", neutral=True)
def is_own_test(b: Battle10, player: int, moment: Moment) -> bool:
    """A Battle-shock test of the player's own unit, and one of the Battle-shock step."""
    return moment.data["step"] == "battle-shock" and ones_own_acts(b, player, moment)


@rule("w40k10.strat.insane_bravery")
async def be_brave(b: Battle10, player: int, moment: Moment, value: Value) -> None:
    """The unit counts as having passed."""
    unit = b.unit(int(value))
    b.set_unit(unit, battle_shocked=False)
    b.tell("brave", f"{does(unit, 'stands')} firm after all.", "w40k10.strat.insane_bravery", units=[unit.id])


STAND_FIRM: Final = reaction(
    CARDS,
    cards.INSANE_BRAVERY,
    moments.TEST_FAILED,
    be_brave,
    offer_the_acting_unit,
    when=is_own_test,
    worth=has_a_hold,
)


# --- Epic Challenge: a CHARACTER picks its opponents out --------------------------------------------------------------


@rule("w40k10.strat.epic_challenge", neutral=[])
def challengers(b: Battle10, player: int, moment: Moment) -> list[Option]:
    """The CHARACTER models of the unit, if it is engaged with an Attached unit."""
    unit = b.unit(moment.unit)
    if not any(is_attached(b, e) for e in engaged_enemies(b, unit)):
        return []
    return called_each(b, melee_attacks.characters(b, unit))


async def epic_challenge(b: Battle10, player: int, moment: Moment, use: Value) -> None:
    for_the_phase(b, cards.EPIC_CHALLENGE, melee_attacks.CHALLENGE, moment.unit, int(use))


FIGHTING: Final = moments.UNIT_SELECTED_TO_FIGHT
CHALLENGE: Final = reaction(
    CARDS, cards.EPIC_CHALLENGE, FIGHTING, epic_challenge, challengers, when=ones_own_acts, for_unit=the_acting_unit
)


# --- Counter-offensive: a unit fights next ----------------------------------------------------------------------------


@rule("w40k10.strat.counter_offensive", neutral=True)
def may_counter(w: World10, unit: Unit) -> bool:
    """An engaged unit that has not fought yet may fight next."""
    return not unit.fought and is_engaged(w, unit)


def _others_come_first(b: Battle10, player: int, moment: Moment, value: Value) -> bool:
    """Without it, another unit would fight first: the opponent's, or one that Fights First."""
    return any(u.id != int(value) and eligible_to_fight(b, u) for u in b.units())


@rule("w40k10.strat.counter_offensive")
async def strike_back(b: Battle10, player: int, moment: Moment, value: Value) -> None:
    """The unit fights next."""
    b.set_game(forced=int(value))


COUNTER: Final = reaction(
    CARDS,
    cards.COUNTER_OFFENSIVE,
    moments.UNIT_FOUGHT,
    strike_back,
    own(may_counter),
    when=an_enemy_acts,
    worth=_others_come_first,
)


# --- Heroic Intervention: a unit charges an enemy that has just charged -----------------------------------------------


def _enemy_charged(b: Battle10, player: int, moment: Moment) -> bool:
    return moment.data["move"] == "charge" and an_enemy_acts(b, player, moment)


def _may_intervene(b: Battle10, player: int, moment: Moment) -> list[Option]:
    enemy = b.unit(moment.unit)
    return own_units(b, player, lambda b, u: may_intervene(b, u, enemy)) if b.is_on_table(enemy) else []


@rule("w40k10.strat.heroic_intervention", neutral=True)
def may_intervene(w: World10, unit: Unit, enemy: Unit) -> bool:
    """A unit within 6" that could charge; of VEHICLES only WALKERS."""
    if not able_to_charge(w, unit) or not within(w, unit, enemy, INTERVENTION_RANGE):
        return False
    return not has_keyword(w, unit, "VEHICLE") or has_keyword(w, unit, "WALKER")


@rule("w40k10.strat.heroic_intervention")
async def intervene(b: Battle10, player: int, moment: Moment, value: Value) -> None:
    """Charge the enemy that has just charged."""
    unit = b.unit(int(value))
    await b.act(unit, charge(b, unit, [b.unit(moment.unit)], heroic=True))


INTERVENE: Final = reaction(
    CARDS, cards.HEROIC_INTERVENTION, moments.UNIT_MOVE_ENDED, intervene, _may_intervene, when=_enemy_charged
)


# --- Rapid Ingress: a unit arrives from Reserves when the opponent has moved ------------------------------------------


def _movement_ends(b: Battle10, player: int, moment: Moment) -> bool:
    return moment.data["phase"] == "movement" and any(u.reserve for u in b.units_of(player))


@rule("w40k10.strat.rapid_ingress", neutral=())
def may_ingress(b: Battle10, player: int, moment: Moment) -> list[Option]:
    """Units in Reserves that could arrive in this battle round, and have room to."""
    return own_units(b, player, lambda b, u: may_arrive(b, u) and may_come_early(u) and find_arrival(b, u) is not None)


@rule("w40k10.strat.rapid_ingress")
async def ingress(b: Battle10, player: int, moment: Moment, value: Value) -> None:
    """The unit arrives as if in its own Reinforcements step."""
    await arrive(b, b.unit(int(value)), optional=False)


INGRESS: Final = reaction(CARDS, cards.RAPID_INGRESS, moments.PHASE_ENDED, ingress, may_ingress, when=_movement_ends)


# --- Fire Overwatch: a unit shoots at an enemy that moves, charges or is set up ---------------------------------------


@rule("w40k10.strat.fire_overwatch", neutral=False)
def may_overwatch(w: World10, unit: Unit, enemy: Unit) -> bool:
    """A unit within 24" that could shoot the enemy in a Shooting phase of its own."""
    return (
        bool(not_forbidden(w, enemy, "overwatch_at_unit", "be shot at by Fire Overwatch"))
        and w.distance(unit, enemy) <= OVERWATCH_RANGE
        and bool(eligible_to_shoot(w, unit))
        and (any(g.anything for g in guns_of(w, unit, enemy.id)) or deck_has_target(w, unit, enemy.id))
    )


OVERWATCH: Final = Overwatch(
    may_overwatch, OVERWATCH_RANGE, lambda w, unit: min(overwatch_need(w, unit), ONLY_SIXES), torrent, on_deck
)


def _enemy_acts(b: Battle10, player: int, moment: Moment) -> bool:
    """An enemy is set up, or begins or ends one of the moves that the card names."""
    return an_enemy_acts(b, player, moment) and moment.data.get("move", NORMAL) in WATCHED


async def overwatch(b: Battle10, player: int, moment: Moment, use: Value) -> None:
    unit = b.unit(int(use))
    await b.act(unit, shoot(b, unit, moment.unit, overwatch=True))


def _watch(trigger: str) -> Reaction:
    return reaction(
        CARDS,
        cards.FIRE_OVERWATCH,
        trigger,
        overwatch,
        lambda b, player, moment: watchers(b, player, b.unit(moment.unit), OVERWATCH, trigger),
        when=_enemy_acts,
        worth=lambda b, player, moment, use: is_worth_it(b, b.unit(int(use)), b.unit(moment.unit), OVERWATCH),
    )


WATCH: Final = tuple(map(_watch, (moments.UNIT_SET_UP, moments.UNIT_MOVE_BEGAN, moments.UNIT_MOVE_ENDED)))


# --- Grenade: mortal wounds for an enemy close by ---------------------------------------------------------------------


def _has_grenades(b: Battle10, player: int, moment: Moment) -> bool:
    return any(not u.shot and has_keyword(b, u, "GRENADES") for u in b.units_of(player))


@rule("w40k10.strat.grenade", neutral=True)
def may_throw(w: World10, unit: Unit) -> bool:
    """A GRENADES unit that is not engaged and has not been selected to shoot."""
    if w.option("grenade") == "unhurried" and unit.moved in (ADVANCE, FALL_BACK):
        return False
    return not unit.shot and has_keyword(w, unit, "GRENADES") and not is_engaged(w, unit)


@rule("w40k10.strat.grenade", neutral=True)
def may_be_thrown_at(w: World10, unit: Unit, enemy: Unit) -> bool:
    """An enemy within 8" that the unit sees and that none of its army is engaged with."""
    return w.distance(unit, enemy) <= GRENADE_RANGE and not caught(w, unit, enemy) and sees(w, unit, enemy)


async def grenade(b: Battle10, player: int, moment: Moment, use: Value) -> None:
    thrower, enemy = Throw.of(use)
    points = roll_for_wounds(b, player, GRENADE_DICE, "grenade", GRENADE_WOUNDS, cards.GRENADE.rule)
    await inflict(b, b.unit(enemy), points, cards.GRENADE.rule, by=thrower)


THROW: Final = reaction(
    CARDS,
    cards.GRENADE,
    moments.UNIT_TO_SHOOT,
    grenade,
    lambda b, player, moment: throws(b, player, may_throw, may_be_thrown_at),
    when=_has_grenades,
    for_unit=the_thrower,
)


# --- Smokescreen: a unit under fire hides in smoke --------------------------------------------------------------------


@rule("w40k10.strat.smokescreen", neutral=[])
def smoke_under_fire(b: Battle10, player: int, moment: Moment) -> list[Option]:
    return targets_with(b, player, moment, "SMOKE")


def in_smoke(unit: int) -> tuple[Effect, ...]:
    """What the smoke is worth to a unit."""
    return tuple(Effect(kind, unit, 1, source=cards.SMOKESCREEN.rule, until="phase") for kind in (STEALTH, COVER))


HIDE: Final = shelter(CARDS, cards.SMOKESCREEN, smoke_under_fire, in_smoke)


# --- All of them, as windows ask for them -----------------------------------------------------------------------------


REACTIONS: Final = (
    STAND_FIRM,
    COUNTER,
    INTERVENE,
    *tank_shock.REACTIONS,
    ROLL_AGAIN,
    *WATCH,
    TAKE_COVER,
    HIDE,
    THROW,
    CHALLENGE,
    INGRESS,
)

DETACHMENTS: Final = Detachments(
    CARDS,
    cards.BATTLE_TACTIC,
    "w40k10.strat.when_target",
    (COMMAND, MOVEMENT, SHOOTING, CHARGE, FIGHT),
    MappingProxyType({moments.UNIT_TO_MOVE: eligible_to_move, moments.UNIT_TO_SHOOT: may_shoot}),
)
