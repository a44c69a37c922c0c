"""The Fight phase: whose turn it is to fight, piling in and consolidating, and who strikes whom with what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from sandtable.battle import AGAIN, ALLOWED, DONE, Choose, Mode, Moves, Question, Step, Verdict, refuse
from sandtable.battle.decisions import Assign, Assignment
from sandtable.forty import closing
from sandtable.forty.blows import Blows, Hand, alike, best_blows, blows_of, blows_to_deal, check_all_made, dealing
from sandtable.forty.effects.permissions import allows, is_barred, not_forbidden
from sandtable.forty.effects.weapons import all_armed, changes_to_weapons
from sandtable.forty.fighters import USER, Weapon
from sandtable.forty.single_dice import throw
from sandtable.forty.state import called_all
from sandtable.forty.striking import no_blows
from sandtable.kit.alternating import Group, next_selection, player_after, why_selected
from sandtable.kit.asking import move_of
from sandtable.kit.closing import plan
from sandtable.kit.closing.contact import Contact, able_models, closer_to_the_nearest, near, sought
from sandtable.kit.closing.in_force import all_close_in, beside_others, one_alone
from sandtable.kit.closing.plan import Plan
from sandtable.kit.grammar import does
from sandtable.kit.moving import after, make_move
from sandtable.kit.passage import Passage
from sandtable.kit.ready import is_there, refuse_if
from sandtable.rules import rule
from sandtable.systems.w40k8.attacks import make_attacks, weapon_skill
from sandtable.systems.w40k8.battle_round import FIGHT, begin_phase
from sandtable.systems.w40k8.book import BOOK
from sandtable.systems.w40k8.concepts import close_enemies, enemies, model_distances, reaches
from sandtable.systems.w40k8.datasheet import attacks_of, changed, changes_of, thrown_attacks
from sandtable.systems.w40k8.moving import CONSOLIDATE, PILE_IN, RULES, judge_paths
from sandtable.systems.w40k8.state import Battle8, Unit, World8, unit_of
from sandtable.systems.w40k8.weapons import Shot, can_strike
from sandtable.table.grid import Floats, steps

LEAP: Final = steps(6)
"""How far those pile in whom an ability lets leap."""
CLOSE_COMBAT_WEAPON: Final = Weapon(name="close combat weapon", strength=USER, damage="1")


async def fight_phase(b: Battle8) -> Step:
    """The Fight phase begins."""
    await begin_phase(b, FIGHT)
    b.set_game(selecting=-1)
    return DONE


@rule("w40k8.fight.chargers_first", "w40k8.fight.alternate", "w40k8.fight.once")
async def fight_units(b: Battle8) -> Step:
    """One unit after the other: chargers before anybody else, then the players in turn; nobody passes."""
    turn = next_selection(b, GROUPS, b.state.game.selecting)
    if turn is None:
        return DONE
    rules = ("w40k8.fight.chargers_first", "w40k8.fight.alternate", "w40k8.fight.eligible")
    unit = await b.choose_unit(turn.player, "fight_with", "Which unit fights next?", turn.units, rules=rules)
    assert unit is not None, "who has a unit to fight with picks one"
    if turn.group.alternates:
        b.set_game(selecting=player_after(b, turn.player))
    b.set_unit(unit, fought=True)
    await b.act(unit, fight(b, unit))
    return AGAIN


@rule("w40k8.fight.sequence")
async def fight(b: Battle8, unit: Unit) -> None:
    """One unit goes through all steps of its fight before another is chosen."""
    b.tell("fights", f"{does(unit, 'fights')}.", "w40k8.fight.sequence", units=[unit.id])
    await pile_in(b, unit)
    await strike(b, unit)
    await consolidate(b, unit)


def eligible_to_fight(w: World8, unit: Unit) -> Verdict:
    """Whether a unit may be chosen to fight."""
    return is_there(w, unit, "w40k8.fight.eligible") and not_fought(unit) and in_a_fight(w, unit)


@rule("w40k8.fight.once", neutral=ALLOWED)
def not_fought(unit: Unit) -> Verdict:
    """A unit fights once in a phase."""
    return refuse_if(unit.fought, unit, "{unit} {has} fought already in this phase.", "w40k8.fight.once")


@rule("w40k8.fight.eligible", neutral=refuse("Nobody is eligible to fight."))
def in_a_fight(w: World8, unit: Unit) -> Verdict:
    """Units that charged this turn fight, and units of both players with an enemy within 1" now."""
    text = '{unit} did not charge, and no enemy is within 1".'
    return refuse_if(not unit.charged and not close_enemies(w, unit), unit, text, "w40k8.fight.eligible")


def early_to_fight(w: World8, unit: Unit) -> Verdict:
    """The same, before those who have to wait for all others."""
    return eligible_to_fight(w, unit) and not_forbidden(w, unit, "fight_early", "fight before all others have")


def charger_to_fight(w: World8, unit: Unit) -> Verdict:
    """Whether a unit may be chosen to fight while chargers do."""
    return early_to_fight(w, unit) and is_charger(unit)


@rule("w40k8.fight.chargers_first", neutral=refuse("Nobody fights before others."))
def is_charger(unit: Unit) -> Verdict:
    """A unit that charged this turn fights first; a Heroic Intervention is no charge."""
    text = "{unit} did not charge: chargers fight first."
    return refuse_if(not unit.charged, unit, text, "w40k8.fight.chargers_first")


@rule("w40k8.fight.alternate", neutral=1)
def first_to_select(w: World8) -> int:
    """The active player selects first."""
    return w.state.active


CHARGERS: Final = Group(charger_to_fight, first_to_select, alternates=False)
GROUPS: Final = (CHARGERS, Group(early_to_fight, first_to_select), Group(eligible_to_fight, first_to_select))


def why_fight(w: World8, d: Choose, unit: int) -> Verdict:
    """Why a unit is, or is not, among those that may fight now."""
    turn = next_selection(w, GROUPS, w.state.game.selecting)
    return why_selected(w, d.player, w.unit(unit), turn, "w40k8.fight.alternate")


async def pile_in(b: Battle8, unit: Unit) -> None:
    """Each model may move up to 3", closer to the enemy model nearest to it."""
    await step_closer(b, unit, PILE_IN, "Pile in", "pile in", "piles in")


async def consolidate(b: Battle8, unit: Unit) -> None:
    """The same once the unit has made its attacks."""
    await step_closer(b, unit, CONSOLIDATE, "Consolidate", "consolidate", "consolidates")


async def step_closer(b: Battle8, unit: Unit, move: str, label: str, verb: str, told: str) -> None:
    """Ask how a unit piles in or consolidates, if anybody could move closer to an enemy."""
    contact = towards_nearest(b, unit, move).contact
    if contact.prey and not near(b, b.bodies, b.on_table(unit), sought(b, contact)).all():
        mode = Mode(move, label, step_of(b, unit, move))
        question = move_of(b, unit, move, f"How {{does}} {{unit}} {verb}?", (mode,), RULES[move])
        await make_move(b, question, move, f"{does(unit, told)}.", RULES[move])


def step_of(w: World8, unit: Unit, move: str) -> int:
    """How far models of a unit pile in and consolidate; some go further than others."""
    return LEAP if move in (PILE_IN, CONSOLIDATE) and allows(w, unit, "pile_in_6") else BOOK.step


def towards_nearest(w: World8, unit: Unit, move: str) -> Plan:
    """A move of up to 3" in which everybody who moves ends closer to the enemy model that was nearest."""
    way = Passage(unit.id, move)
    prey = tuple(e.id for e in enemies(w, unit))
    contact = Contact(way, step_of(w, unit, move), able_models(w, way), prey, judge_step, closer=closer_to_the_nearest)
    return Plan(contact, judge_step, (all_close_in, beside_others, one_alone), idle=move)


def judge_step(w: World8, c: Contact, answer: Moves) -> Verdict:
    """How far and where to; any model may stay, and so may all of them."""
    if not answer.paths:
        return ALLOWED
    return check_loose(w, c, answer) and judge_paths(w, answer, c) and check_nearer(w, c, answer)


@rule("w40k8.fight.pile_in", "w40k8.fight.consolidate", "w40k8.charge.heroic", neutral=ALLOWED)
def check_loose(w: World8, c: Contact, answer: Moves) -> Verdict:
    """A model in base contact with an enemy cannot get nearer."""
    moved = np.array([p.model for p in answer.paths], dtype=np.int64)
    held = moved[near(w, w.bodies, moved, sought(w, c))].tolist()
    if not held:
        return ALLOWED
    return refuse(f"{called_all(w, held)} cannot get nearer: in base contact with an enemy.", RULES[c.way.move])


@rule("w40k8.fight.pile_in", "w40k8.fight.consolidate", "w40k8.charge.heroic", neutral=ALLOWED)
def check_nearer(w: World8, c: Contact, answer: Moves) -> Verdict:
    """Every model that moves ends nearer to the enemy model that was nearest to it."""
    return closing.check_nearer(w, c, answer, after(w, answer), "the nearest enemy model", RULES[c.way.move])


async def strike(b: Battle8, unit: Unit) -> None:
    """A unit chooses targets and weapons for all its models, then makes its attacks."""
    numbers = await roll_attacks(b, unit)
    hands = hands_of(b, unit, numbers)
    if not hands:
        b.tell("no_targets", no_blows(b, unit, _reached(b, unit)), "w40k8.fight.sequence", units=[unit.id])
        return
    answer = await b.ask(blows_to_deal(b, unit, hands, numbers))
    await make_attacks(b, unit, blows_of(hands, answer, blow))


@rule("w40k8.fight.attack_count", "w40k8.stat.random_other", neutral={})
async def roll_attacks(b: Battle8, unit: Unit) -> dict[int, int]:
    """How many attacks each model makes that can strike; random numbers are thrown for each of them, each time."""
    found = {}
    for model in fighters(b, unit):
        number, changes = thrown_attacks(b, model), changes_of(b, model, "attacks")
        thrown = await throw(b, unit, number, "attacks", "attack(s)", "w40k8.fight.attack_count")
        found[model] = changed("attacks", thrown, changes)
    return found


def fighters(w: World8, unit: Unit) -> dict[int, tuple[int, ...]]:
    """The models that can strike, each with the units that it may strike."""
    return {model: targets for model, targets in _reached(w, unit).items() if can_fight(w, model)}


def _reached(w: World8, unit: Unit) -> dict[int, tuple[int, ...]]:
    """The models that have somebody within reach, whether or not they can fight."""
    struck = [e for e in enemies(w, unit) if may_strike(unit, e) and not is_barred(w, unit, e, "strike", "be_struck")]
    reached = {e.id: in_reach(w, unit, e) for e in struck}
    found = {}
    for row, model in enumerate(w.on_table(unit).tolist()):
        targets = tuple(e for e, near in reached.items() if near[row])
        if targets:
            found[model] = targets
    return found


def in_reach(w: World8, unit: Unit, enemy: Unit) -> list[bool]:
    """Which models of a unit can strike another."""
    models, to_enemy = w.on_table(unit), w.distances(unit, enemy).min(axis=1)
    return [strikes_across(to_enemy, row) for row in model_distances(w, models, models)]


@rule("w40k8.fight.reach", neutral=True)
def strikes_across(to_enemy: Floats, beside: Floats) -> bool:
    """A model strikes who is within 1" of it, or of a comrade within 1" of it: the first rank is beside itself."""
    return any(reaches(d, BOOK.reach) for d, front in zip(beside, to_enemy, strict=True) if reaches(front, BOOK.reach))


@rule("w40k8.fight.charged_targets", neutral=True)
def may_strike(unit: Unit, enemy: Unit) -> bool:
    """A unit that charged this turn strikes only what it charged."""
    return not unit.charged or enemy.id in unit.targets


@rule("w40k8.sheet.weapon_skill_dash", neutral=True)
def can_fight(w: World8, model: int) -> bool:
    """A model with a dash for its Weapon Skill makes no close combat attacks."""
    return weapon_skill(w, model) is not None


def hands_of(w: World8, unit: Unit, numbers: Mapping[int, int]) -> list[Hand]:
    """The models that strike, those that are alike together."""
    return alike(w, fighters(w, unit), numbers, melee_weapons)


@rule("w40k8.fight.default_weapon", neutral=())
def melee_weapons(w: World8, model: int) -> tuple[Weapon, ...]:
    """What a model strikes with: a close combat weapon if its datasheet names nothing."""
    changes = changes_to_weapons(w, unit_of(w, model))
    return tuple(x for x in all_armed(w, model, changes) if can_strike(x)) or (CLOSE_COMBAT_WEAPON,)


@rule("w40k8.fight.split", "w40k8.fight.weapon", neutral=1)
def attacks_in(hand: Hand) -> int:
    """How much there is to assign: single attacks, each with a weapon and a target of its own."""
    return len(hand.models) * hand.attacks


@rule("w40k8.fight.attack_count", neutral=ALLOWED)
def check_all_attacks(w: World8, d: Assign, answer: Sequence[Assignment]) -> Verdict:
    """A model makes as many attacks as it has, no fewer."""
    return check_all_made(w, d, answer, "w40k8.fight.attack_count")


def blow(model: int, weapon: Weapon, target: int, attacks: int) -> Shot:
    """Blows of one model."""
    return Shot(model=model, weapon=weapon, target=target, melee=True, attacks=attacks)


def blows_at(w: World8, unit: Unit, target: Unit) -> list[Shot]:
    """What does most at one unit."""
    return best_blows(w, unit, {m: attacks_of(w, m) for m in fighters(w, unit)}, only=target.id)


BLOWS: Final = Blows(
    ("w40k8.fight.reach", "w40k8.fight.weapon", "w40k8.fight.split"), hands=hands_of, count=attacks_in, blow=blow
)
QUESTIONS: Final = {
    PILE_IN: plan.question(lambda w, d: towards_nearest(w, w.unit(d.unit), PILE_IN), plan.parts),
    CONSOLIDATE: plan.question(lambda w, d: towards_nearest(w, w.unit(d.unit), CONSOLIDATE), plan.parts),
    "fight_with": Question(why_unit=why_fight),
    "strike": dealing(check_all_attacks),
}
