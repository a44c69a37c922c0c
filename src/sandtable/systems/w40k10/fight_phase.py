"""The Fight phase: its steps, whose turn it is to fight, and the order of a fight."""

from __future__ import annotations

from typing import Final

from sandtable.battle import AGAIN, ALLOWED, DONE, Choose, Moment, Question, Step, Verdict, refuse
from sandtable.forty.moments import UNIT_FOUGHT, UNIT_SELECTED_TO_FIGHT
from sandtable.kit.alternating import Group, next_selection, player_after
from sandtable.kit.grammar import does
from sandtable.kit.ready import is_there, refuse_if
from sandtable.rules import Facts, fact, rule
from sandtable.systems.w40k10 import aircraft
from sandtable.systems.w40k10.abilities.fights_first import all_fight_first
from sandtable.systems.w40k10.battle_round import FIGHT, begin_phase
from sandtable.systems.w40k10.charge_phase import has_charge_bonus
from sandtable.systems.w40k10.melee_attacks import enemies_in_reach, fight_with
from sandtable.systems.w40k10.pile_in_and_consolidate import consolidate, pile_in
from sandtable.systems.w40k10.state import Battle10, Unit, World10


class FIGHTING(Facts):
    may_pass = fact(False, "w40k10.fight.no_pass", neutral=True)
    """Whether a player who has an eligible unit need not fight with it."""


async def fight_phase(b: Battle10) -> Step:
    """The Fight phase begins; who is eligible to fight now can fight in the Fights First step."""
    await begin_phase(b, FIGHT)
    for unit in b.units():
        if eligible_to_fight(b, unit):
            b.set_unit(unit, fight_eligible=True)
    return DONE


@rule("w40k10.fight.steps")
async def fights_first(b: Battle10) -> Step:
    """1. Fights First."""
    return await _next_fight(b, FIRST)


@rule("w40k10.fight.remaining")
async def remaining_combats(b: Battle10) -> Step:
    """2. Remaining Combats."""
    return await _next_fight(b, REMAINING)


async def _next_fight(b: Battle10, group: Group) -> Step:
    """One unit fights; players take turns, and who has nobody left is passed over."""
    forced = b.state.game.forced
    if forced >= 0:
        b.set_game(forced=-1)
        unit: Unit | None = b.unit(forced)
        if not eligible_to_fight(b, b.unit(forced)):
            return AGAIN
    else:
        turn = next_selection(b, (group,), b.state.game.selecting)
        if turn is None:
            b.set_game(selecting=-1)
            return DONE
        unit = await b.choose_unit(
            turn.player,
            "fight_with",
            "Which unit fights next?",
            turn.units,
            optional=FIGHTING.may_pass,
            rules=("w40k10.fight.alternate", "w40k10.fight.no_pass"),
        )
    if unit is None:
        return DONE
    # A Counter-offensive is its player's selection; where it is extra, that player selects next.
    extra = forced >= 0 and b.option("counter-offensive") == "extra"
    b.set_game(selecting=unit.player if extra else player_after(b, unit.player))
    b.set_unit(unit, fought=True)
    await b.act(unit, fight(b, unit))
    await b.window(UNIT_FOUGHT, Moment(unit.id))
    return AGAIN


@rule("w40k10.fight.alternate", neutral=0)
def first_to_select(w: World10) -> int:
    """The player whose turn it is not selects first."""
    return player_after(w, w.state.active)


def eligible_to_fight(w: World10, unit: Unit) -> Verdict:
    """Whether a unit may be selected to fight."""
    here = is_there(w, unit, "w40k10.fight.eligible")
    return here and not_fought(unit) and in_a_fight(w, unit) and aircraft.may_fight(w, unit)


@rule("w40k10.fight.once", neutral=ALLOWED)
def not_fought(unit: Unit) -> Verdict:
    """A unit fights once in a phase."""
    return refuse_if(unit.fought, unit, "{unit} {has} fought already in this phase.", "w40k10.fight.once")


@rule("w40k10.fight.eligible", neutral=refuse("Nobody is eligible to fight."))
def in_a_fight(w: World10, unit: Unit) -> Verdict:
    """Units that are engaged, and units that charged this turn, fight."""
    if unit.charged or enemies_in_reach(w, unit):
        return ALLOWED
    return refuse(f"{unit.name} did not charge, and no enemy is within Engagement Range.", "w40k10.fight.eligible")


def in_fights_first(w: World10, unit: Unit) -> Verdict:
    """Whether a unit may be selected in the Fights First step."""
    return eligible_to_fight(w, unit) and was_eligible(unit) and fights_first_now(w, unit)


@rule("w40k10.fight.newly_eligible", neutral=ALLOWED)
def was_eligible(unit: Unit) -> Verdict:
    """Who became eligible only during the phase waits for the Remaining Combats."""
    if unit.fight_eligible:
        return ALLOWED
    return refuse(
        f"{does(unit, 'was')} not eligible when the Fight phase began, and can only fight in the Remaining Combats.",
        "w40k10.fight.newly_eligible",
    )


@rule("w40k10.fight.first_step", neutral=ALLOWED)
def fights_first_now(w: World10, unit: Unit) -> Verdict:
    """Units with Fights First, by the Charge bonus or by themselves, fight in the first step."""
    if has_charge_bonus(unit) or all_fight_first(w, unit):
        return ALLOWED
    return refuse(
        f"{does(unit, 'does')} not have Fights First.", "w40k10.fight.first_step", "w40k10.ability.fights_first"
    )


@rule("w40k10.fight.sequence")
async def fight(b: Battle10, unit: Unit) -> None:
    """Pile In, attack, Consolidate."""
    b.tell("fights", f"{does(unit, 'fights')}.", "w40k10.fight.sequence", units=[unit.id])
    await b.window(UNIT_SELECTED_TO_FIGHT, Moment(unit.id))
    await pile_in(b, unit)
    await fight_with(b, unit)
    await consolidate(b, unit)


FIRST: Final = Group(in_fights_first, first_to_select)
REMAINING: Final = Group(eligible_to_fight, first_to_select)


def why_fight(w: World10, d: Choose, unit: int) -> Verdict:
    """Why a unit is, or is not, among those that may fight now."""
    u = w.unit(unit)
    if u.player != d.player:
        return refuse(f"{does(u, 'belongs')} to {w.player(u.player).name}.", "w40k10.fight.alternate")
    first = w.state.segment == "turn" and w.system.segments["turn"][w.state.step].__name__ == fights_first.__name__
    return in_fights_first(w, u) if first else eligible_to_fight(w, u)


QUESTIONS: Final = {"fight_with": Question(why_unit=why_fight)}
