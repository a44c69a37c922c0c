"""The core stratagems (15.02-15.12), in the order of a turn."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

import numpy as np

from sandtable.battle import Effect, Moment, Option, Value
from sandtable.battle.rolls import Each
from sandtable.forty import moments
from sandtable.forty.effects.saves import may_reroll_saves
from sandtable.forty.picking_rerolls import is_open, worth_another_try
from sandtable.forty.single_dice import dice_open, is_worth_it, throw_again
from sandtable.forty.state import called, called_each
from sandtable.forty.stratagems import (
    an_enemy_acts,
    for_the_phase,
    has_a_hold,
    in_phase,
    offer_the_acting_unit,
    ones_own_acts,
    own,
    own_units,
    reaction,
    the_acting_unit,
)
from sandtable.forty.throwing import Throw, roll_for_wounds, the_thrower, throws
from sandtable.kit.attack.rolling import Roll
from sandtable.kit.grammar import does
from sandtable.kit.seeing import visible
from sandtable.rules import Facts, fact, rule
from sandtable.systems.w40k11.active_player import act
from sandtable.systems.w40k11.aircraft import is_aircraft
from sandtable.systems.w40k11.battle_round import CHARGE, MOVEMENT, SHOOTING
from sandtable.systems.w40k11.charge_phase import able_to_charge, charge, possible_targets
from sandtable.systems.w40k11.command_phase import BRAVE
from sandtable.systems.w40k11.concepts import has_any_keyword, has_keyword, model_has_keyword, within
from sandtable.systems.w40k11.cover import SMOKE
from sandtable.systems.w40k11.dice import reroll
from sandtable.systems.w40k11.engagement import engaged_enemies, engaged_models, is_engaged
from sandtable.systems.w40k11.fight_phase import FIGHTS_FIRST, eligible_to_fight
from sandtable.systems.w40k11.melee import CHALLENGE
from sandtable.systems.w40k11.mortal_wounds import inflict
from sandtable.systems.w40k11.shooting_phase import may_shoot, snap_shoot, snap_targets
from sandtable.systems.w40k11.shooting_types import INDIRECT, RULES, SNAP
from sandtable.systems.w40k11.state import ADVANCE, Battle11, Unit, World11, sheet_of
from sandtable.systems.w40k11.stratagems import using_stratagems as cards
from sandtable.systems.w40k11.stratagems.using_stratagems import CARDS
from sandtable.systems.w40k11.strategic_reserves import find_arrival, ingress, may_ingress
from sandtable.table.grid import steps

REROLLABLE: Final = frozenset({"hit", "wound", "save", "damage", "hazard", "advance", "charge", "attacks"})
THROWERS: Final = ("EXPLOSIVES", "GRENADES")
RAMMERS: Final = ("MONSTER", "VEHICLE")


class STRATAGEMS(Facts):
    """What the cards state."""

    throw_range = fact(steps(8), "w40k11.strat.explosives", neutral=steps(99))
    """How far explosives are thrown..."""
    throw_dice = fact(6, "w40k11.strat.explosives", neutral=0)
    """...and with how many dice..."""
    throw_wounds = fact(4, "w40k11.strat.explosives", neutral=7)
    """...of which each with this face or more is a mortal wound."""
    impact_hurts = fact(1, "w40k11.strat.crushing_impact", neutral=0)
    """Up to this face an impact hurts who makes it..."""
    impact_wounds = fact(5, "w40k11.strat.crushing_impact", neutral=7)
    """...and from this one on the enemy..."""
    impact_most = fact(6, "w40k11.strat.crushing_impact", neutral=99)
    """...each by so many mortal wounds at most."""
    fray = fact(6, "w40k11.strat.into_the_fray", neutral=99)
    """How far, and how near, a charge into the fray goes, in inches."""


# --- Command Re-Roll --------------------------------------------------------------------------------------------------


@rule("w40k11.strat.command_reroll", neutral=False)
def can_be_rerolled(b: Battle11, player: int, moment: Moment) -> bool:
    """One of the rolls that the card names, made for a unit of the player; not hits by indirect or snap shooting."""
    if not is_open(b, player, moment, REROLLABLE):
        return False
    batch: Roll | None = moment.data.get("batch")
    if batch is None:
        return True
    if batch.kind == "hit":
        return not {RULES[INDIRECT], RULES[SNAP]} & set(batch.rules)
    return batch.kind != "save" or may_reroll_saves(b, b.unit(moment.unit), batch.model)


def not_rerolled(data: dict[str, Any], die: int) -> bool:
    """No die is rolled again twice."""
    return die not in data["rerolled"]


@rule("w40k11.strat.command_reroll", "w40k11.charge.sequence")
async def roll_again(b: Battle11, player: int, moment: Moment, use: Value) -> None:
    """One of several dice is rolled again; all dice of a charge roll."""
    card, data = cards.COMMAND_REROLL, moment.data
    if data["sum"]:
        reroll(b, b.unit(moment.unit), data, card.rule, by=card.name)
    else:
        throw_again(b, moment, int(use), card.rule, card.name)


def worth_a_reroll(b: Battle11, player: int, moment: Moment, use: Value) -> bool:
    """Whether much depends on a die, or on the roll that it is part of."""
    if moment.data.get("batch") is None:
        return worth_another_try(b, moment, use)
    return is_worth_it(b, player, moment, use)


# --- Insane Bravery ---------------------------------------------------------------------------------------------------


@rule("w40k11.strat.insane_bravery", neutral=True)
def is_own_roll(b: Battle11, player: int, moment: Moment) -> bool:
    """A battle-shock roll is due for a unit of the player, who was not brave before in this battle."""
    return cards.INSANE_BRAVERY.name not in b.player(player).spent


@rule("w40k11.strat.insane_bravery")
async def be_brave(b: Battle11, player: int, moment: Moment, value: Value) -> None:
    """The roll will succeed without dice."""
    p, name = b.player(player), cards.INSANE_BRAVERY.name
    b.set_player(p, spent=(*p.spent, name))
    for_the_phase(b, cards.INSANE_BRAVERY, BRAVE, int(value))


# --- Rapid Ingress and Fire Overwatch: when the opponent has moved ----------------------------------------------------


@rule("w40k11.strat.rapid_ingress", neutral=True)
def may_arrive_early(w: World11, unit: Unit) -> bool:
    """A unit in strategic reserves that could arrive, and is not AIRCRAFT; not in the first battle round."""
    if w.state.round <= 1 or is_aircraft(w, unit) or not may_ingress(w, unit):
        return False
    return find_arrival(w, unit) is not None


@rule("w40k11.strat.rapid_ingress")
async def arrive(b: Battle11, player: int, moment: Moment, use: Value) -> None:
    """The unit makes an ingress move."""
    unit = b.unit(int(use))
    await act(b, unit, ingress(b, unit, optional=False))


@rule("w40k11.strat.fire_overwatch", neutral=True)
def may_overwatch(w: World11, unit: Unit) -> bool:
    """An unengaged unit that is not TITANIC, with somebody to shoot at."""
    return not is_engaged(w, unit) and not has_keyword(w, unit, "TITANIC") and any(map(bool, snap_targets(w, unit)))


@rule("w40k11.strat.fire_overwatch", "w40k11.concept.active_player_switch")
async def overwatch(b: Battle11, player: int, moment: Moment, use: Value) -> None:
    """The unit shoots by snap shooting."""
    unit = b.unit(int(use))
    await act(b, unit, snap_shoot(b, unit))


# --- Smokescreen and Explosives: in the Shooting phase ----------------------------------------------------------------


@rule("w40k11.strat.smokescreen", neutral=True)
def may_hide(w: World11, unit: Unit) -> bool:
    """A SMOKE unit on the battlefield."""
    return w.is_on_table(unit) and has_keyword(w, unit, "SMOKE")


@rule("w40k11.strat.smokescreen")
async def hide(b: Battle11, player: int, moment: Moment, use: Value) -> None:
    """Until the end of the phase the unit has cover, and so do those behind it."""
    for effect in in_smoke(int(use)):
        b.add_effect(effect)


def in_smoke(unit: int) -> tuple[Effect, ...]:
    """What the smoke of a unit is worth."""
    return (Effect(SMOKE, unit, source=cards.SMOKESCREEN.rule, until="phase"),)


@rule("w40k11.strat.explosives", neutral=True)
def may_throw(w: World11, unit: Unit) -> bool:
    """An unengaged unit with explosives that may still shoot and did not advance."""
    return (
        has_any_keyword(w, unit, THROWERS)
        and unit.moved != ADVANCE
        and bool(may_shoot(w, unit))
        and not is_engaged(w, unit)
    )


@rule("w40k11.strat.explosives", neutral=True)
def may_be_thrown_at(w: World11, unit: Unit, enemy: Unit) -> bool:
    """An unengaged enemy within 8" of one model with explosives that sees it."""
    if is_engaged(w, enemy):
        return False
    near = np.flatnonzero((w.distances(unit, enemy) <= STRATAGEMS.throw_range).any(axis=1))
    able = [i for i in near if any(model_has_keyword(w, int(w.on_table(unit)[i]), k) for k in THROWERS)]
    return bool(able) and bool(visible(w, unit, enemy)[able].any())


def throws_open(b: Battle11, player: int, moment: Moment) -> list[Option]:
    """Who could throw at whom."""
    return throws(b, player, may_throw, may_be_thrown_at)


@rule("w40k11.strat.explosives")
async def throw(b: Battle11, player: int, moment: Moment, use: Value) -> None:
    """Of six dice each 4+ is a mortal wound."""
    thrower, enemy = Throw.of(use)
    dice, needed, rule_ = STRATAGEMS.throw_dice, STRATAGEMS.throw_wounds, cards.EXPLOSIVES.rule
    points = roll_for_wounds(b, player, dice, "explosives", needed, rule_)
    await inflict(b, b.unit(enemy), points, rule_, by=thrower)


# --- Crushing Impact --------------------------------------------------------------------------------------------------


@rule("w40k11.strat.crushing_impact", neutral=False)
def big_unit_charged(b: Battle11, player: int, moment: Moment) -> bool:
    """A MONSTER or VEHICLE unit of the player has just made a charge move."""
    return ones_own_acts(b, player, moment) and has_any_keyword(b, b.unit(moment.unit), RAMMERS)


def impacts(b: Battle11, player: int, moment: Moment) -> list[Option]:
    """One option for each enemy that the unit is engaged with, and each model of it that is, by its Toughness."""
    unit = b.unit(moment.unit)
    found: dict[tuple[int, str], Option] = {}
    for enemy in engaged_enemies(b, unit):
        models = b.on_table(unit)
        for m in models[engaged_models(b, b.bodies, models, b.on_table(enemy))].tolist():
            note, label = f"{sheet_of(b, m).toughness} dice", f"{called(b, m)} at {enemy.name}"
            found.setdefault((enemy.id, note), Option(Throw(m, enemy.id).value, label, note))
    return list(found.values())


@rule("w40k11.strat.crushing_impact")
async def crush(b: Battle11, player: int, moment: Moment, use: Value) -> None:
    """As many dice as the model's Toughness: each 1 hurts the own unit, each 5+ the enemy, each by 6 at most."""
    model, number = Throw.of(use)
    unit, enemy, rule_ = b.unit(moment.unit), b.unit(number), cards.CRUSHING_IMPACT.rule
    dice, most = sheet_of(b, model).toughness, STRATAGEMS.impact_most
    read = Each("mortal wound(s)", needed=STRATAGEMS.impact_wounds, most=most)
    faces = b.roll(dice, "crushing impact", player, rules=(rule_,), read=read)
    hit = min(most, sum(face >= STRATAGEMS.impact_wounds for face in faces))
    hurt = min(most, sum(face <= STRATAGEMS.impact_hurts for face in faces))
    text = f"{does(unit, 'crashes')} into {enemy.name}: {hit} mortal wounds for {enemy.name}, {hurt} for {unit.name}."
    b.tell("crushing_impact", text, rule_, units=[unit.id, enemy.id])
    await inflict(b, enemy, hit, rule_)
    await inflict(b, unit, hurt, rule_)


# --- Heroic Intervention ----------------------------------------------------------------------------------------------


@rule("w40k11.strat.heroic_intervention", neutral=True)
def may_intervene(w: World11, unit: Unit) -> bool:
    """A unit that could charge; of VEHICLES only CHARACTERS and WALKERS."""
    if has_keyword(w, unit, "VEHICLE") and not has_any_keyword(w, unit, ("CHARACTER", "WALKER")):
        return False
    return bool(able_to_charge(w, unit))


@rule("w40k11.strat.leap_to_defend", neutral=True)
def has_charged(w: World11, unit: Unit, enemy: Unit) -> bool:
    """Whoever leaps to defend charges only enemies that charged in this phase."""
    return enemy.charged


@rule("w40k11.strat.into_the_fray", neutral=True)
def is_in_the_fray(w: World11, unit: Unit, enemy: Unit) -> bool:
    """Whoever goes into the fray charges any enemies within 6"."""
    return within(w, unit, enemy, steps(STRATAGEMS.fray))


def leapers(b: Battle11, player: int, moment: Moment) -> list[Option]:
    """Who could leap to defend."""
    return own_units(b, player, lambda w, u: may_intervene(w, u) and _some(w, u, has_charged))


@rule("w40k11.strat.extra_cost", "w40k11.strat.into_the_fray", neutral=[])
def brawlers(b: Battle11, player: int, moment: Moment) -> list[Option]:
    """Who could go into the fray."""
    return own_units(b, player, lambda w, u: may_intervene(w, u) and _some(w, u, is_in_the_fray))


def _some(w: World11, unit: Unit, whom: Callable[[World11, Unit, Unit], bool]) -> bool:
    return any(whom(w, unit, enemy) for enemy in possible_targets(w, unit))


@rule("w40k11.strat.heroic_intervention", "w40k11.strat.leap_to_defend", "w40k11.charge.fights_first")
async def leap(b: Battle11, player: int, moment: Moment, value: Value) -> None:
    """The unit resolves a charge at enemies that charged."""
    unit = b.unit(int(value))
    await act(b, unit, charge(b, unit, has_charged))


@rule("w40k11.strat.heroic_intervention", "w40k11.strat.into_the_fray")
async def brawl(b: Battle11, player: int, moment: Moment, value: Value) -> None:
    """The unit resolves a charge of 6" at most at enemies that are near."""
    unit = b.unit(int(value))
    await act(b, unit, charge(b, unit, is_in_the_fray, STRATAGEMS.fray))


# --- In the Fight phase -----------------------------------------------------------------------------------------------


@rule("w40k11.strat.epic_challenge", neutral=[])
def challengers(b: Battle11, player: int, moment: Moment) -> list[Option]:
    """The CHARACTER models of the unit that has been selected to fight."""
    models = b.on_table(b.unit(moment.unit)).tolist()
    return called_each(b, (m for m in models if model_has_keyword(b, m, "CHARACTER")))


@rule("w40k11.strat.epic_challenge")
async def challenge(b: Battle11, player: int, moment: Moment, use: Value) -> None:
    """Until the end of the phase the melee weapons of the model have [PRECISION]."""
    for_the_phase(b, cards.EPIC_CHALLENGE, CHALLENGE, moment.unit, int(use))


@rule("w40k11.strat.counteroffensive", neutral=True)
def in_the_fight_step(b: Battle11, player: int, moment: Moment) -> bool:
    """An enemy unit has just fought in the Fight step."""
    return an_enemy_acts(b, player, moment) and bool(b.state.game.stage)


@rule("w40k11.strat.counteroffensive", "w40k11.fight.return_to_first")
async def strike_back(b: Battle11, player: int, moment: Moment, value: Value) -> None:
    """The unit gains Fights First for the phase, and is selected next."""
    for_the_phase(b, cards.COUNTEROFFENSIVE, FIGHTS_FIRST, int(value))
    b.set_game(forced=int(value))


# --- All of them, as windows ask for them -----------------------------------------------------------------------------

card: Final = partial(reaction, CARDS)

REACTIONS: Final = (
    card(
        cards.INSANE_BRAVERY,
        moments.TEST_DUE,
        be_brave,
        offer_the_acting_unit,
        when=is_own_roll,
        worth=has_a_hold,
    ),
    card(cards.RAPID_INGRESS, moments.PHASE_ENDED, arrive, own(may_arrive_early), when=in_phase(MOVEMENT)),
    card(cards.FIRE_OVERWATCH, moments.PHASE_ENDED, overwatch, own(may_overwatch), when=in_phase(MOVEMENT)),
    card(cards.SMOKESCREEN, moments.PHASE_BEGAN, hide, own(may_hide), when=in_phase(SHOOTING)),
    card(cards.EXPLOSIVES, moments.UNIT_TO_SHOOT, throw, throws_open, for_unit=the_thrower),
    card(
        cards.CRUSHING_IMPACT, moments.UNIT_MOVE_ENDED, crush, impacts, when=big_unit_charged, for_unit=the_acting_unit
    ),
    card(cards.HEROIC_INTERVENTION, moments.PHASE_ENDED, leap, leapers, when=in_phase(CHARGE)),
    card(cards.INTO_THE_FRAY, moments.PHASE_ENDED, brawl, brawlers, when=in_phase(CHARGE)),
    card(
        cards.EPIC_CHALLENGE,
        moments.UNIT_SELECTED_TO_FIGHT,
        challenge,
        challengers,
        when=ones_own_acts,
        for_unit=the_acting_unit,
    ),
    card(cards.COUNTEROFFENSIVE, moments.UNIT_FOUGHT, strike_back, own(eligible_to_fight), when=in_the_fight_step),
    card(
        cards.COMMAND_REROLL,
        moments.AFTER_ROLL,
        roll_again,
        lambda b, player, moment: dice_open(moment, not_rerolled),
        when=can_be_rerolled,
        worth=worth_a_reroll,
        for_unit=the_acting_unit,
    ),
)
