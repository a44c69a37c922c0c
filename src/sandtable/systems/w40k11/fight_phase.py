"""The Fight phase (12): all pile in, then units fight one after the other, then all consolidate."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, Final

from sandtable.battle import AGAIN, ALLOWED, DONE, Choose, Moment, Question, Step, Verdict, refuse
from sandtable.forty.moments import UNIT_FOUGHT, UNIT_SELECTED_TO_FIGHT
from sandtable.kit.alternating import Group, next_selection, player_after, players_from
from sandtable.kit.grammar import does
from sandtable.kit.ideas import which_unit
from sandtable.rules import rule
from sandtable.systems.w40k11.abilities import has_core
from sandtable.systems.w40k11.active_player import act, player_of_the_turn
from sandtable.systems.w40k11.battle_round import FIGHT, begin_phase
from sandtable.systems.w40k11.engagement import is_engaged
from sandtable.systems.w40k11.melee import fight_with
from sandtable.systems.w40k11.pile_in_and_consolidate import consolidate, may_consolidate, may_pile_in, pile_in
from sandtable.systems.w40k11.state import Battle11, Unit, World11

# --- The steps --------------------------------------------------------------------------------------------------------


async def fight_phase(b: Battle11) -> Step:
    """1. The phase begins."""
    await begin_phase(b, FIGHT)
    return DONE


@rule("w40k11.fight.pile_in_step", "w40k11.fight.phase")
async def pile_in_units(b: Battle11) -> Step:
    """2. Pile In: the player whose turn it is with all units that are wanted, then the opponent."""
    rule_ = "w40k11.fight.pile_in_step"
    return await _next_mover(b, "pile_in_with", "Which unit piles in next?", may_pile_in, pile_in, "piled_in", rule_)


async def begin_fights(b: Battle11) -> Step:
    """The Fight step begins: who is engaged now is eligible, whatever becomes of the enemy."""
    for unit in b.units():
        if b.is_on_table(unit) and is_engaged(b, unit):
            b.set_unit(unit, engaged_before=True)
    return DONE


@rule("w40k11.fight.phase", "w40k11.fight.first_combats", "w40k11.fight.remaining_combats")
async def fight_units(b: Battle11) -> Step:
    """3. Fight: Fights First combats, then the remaining ones, players taking turns."""
    turn = next_selection(b, (FIRST, REMAINING), b.state.game.selecting)
    if turn is None:
        b.set_game(selecting=-1)
        return DONE
    rules = ("w40k11.fight.first_combats", "w40k11.fight.remaining_combats")
    unit = await b.choose_unit(turn.player, "fight_with", "Which unit fights next?", turn.units, rules=rules)
    if unit is None:
        return DONE
    b.set_game(selecting=player_after(b, unit.player))
    await fight(b, unit)
    return AGAIN


@rule("w40k11.fight.consolidate_step", "w40k11.fight.phase")
async def consolidate_units(b: Battle11) -> Step:
    """4. Consolidate: the player whose turn it is with all units that are wanted, then the opponent."""
    prompt, rule_ = "Which unit consolidates next?", "w40k11.fight.consolidate_step"
    return await _next_mover(b, "consolidate_with", prompt, may_consolidate, consolidate, "consolidated", rule_)


async def _next_mover(
    b: Battle11,
    kind: str,
    prompt: str,
    may: Callable[[Any, Any], Verdict],
    move: Callable[[Any, Any], Coroutine[Any, Any, None]],
    done: str,
    rule_: str,
) -> Step:
    """The next unit that makes its move in a step of both players; a player who is done has no unit left."""
    for player in players_from(b, b.state.active):
        ready = [u for u in b.units_of(player) if may(b, u)]
        if not ready:
            continue
        unit = await b.choose_unit(player, kind, prompt, ready, optional=True, rules=(rule_,))
        if unit is None:
            for one in ready:
                b.set_unit(one, **{done: True})
        else:
            await act(b, unit, move(b, unit))
        return AGAIN
    return DONE


# --- Who may fight ----------------------------------------------------------------------------------------------------


@rule("w40k11.fight.eligible", neutral=refuse("Nobody is eligible to fight."))
def eligible_to_fight(w: World11, unit: Unit) -> Verdict:
    """Units that are engaged, were so when the Fight step began, or charged this turn fight once."""
    rule_ = "w40k11.fight.eligible"
    if not w.is_on_table(unit):
        return refuse(f"{does(unit, 'is')} not on the battlefield.", rule_)
    if unit.fought:
        return refuse(f"{does(unit, 'has')} fought already in this phase.", rule_)
    if unit.charged or unit.engaged_before or is_engaged(w, unit):
        return ALLOWED
    return refuse(f"{does(unit, 'is')} not engaged, and did not charge.", rule_)


def in_first_combats(w: World11, unit: Unit) -> Verdict:
    """Whether a unit may be selected in the Fights First combats."""
    return eligible_to_fight(w, unit) and fights_first(w, unit)


@rule("w40k11.unit.fights_first", neutral=refuse("Nobody fights first."))
def fights_first(w: World11, unit: Unit) -> Verdict:
    """Whether a unit is a Fights First unit."""
    if has_charged(unit) or all_fight_first(w, unit):
        return ALLOWED
    return refuse(f"{does(unit, 'does')} not have Fights First.", "w40k11.unit.fights_first")


@rule("w40k11.charge.fights_first", neutral=False)
def has_charged(unit: Unit) -> bool:
    """A unit that made a charge move has Fights First until the end of the turn."""
    return unit.charged


@rule("w40k11.unit.fights_first", neutral=False)
def all_fight_first(w: World11, unit: Unit) -> bool:
    """Whether every model of the unit has the ability."""
    return all(has_core(w, unit, int(m), "fights first") for m in w.on_table(unit))


FIRST: Final = Group(in_first_combats, player_of_the_turn)
REMAINING: Final = Group(eligible_to_fight, player_of_the_turn)


# --- A fight ----------------------------------------------------------------------------------------------------------


async def fight(b: Battle11, unit: Unit) -> None:
    """A unit fights: once in a phase."""
    b.set_unit(unit, fought=True, could_fight=True)
    b.tell("fights", f"{does(unit, 'fights')}.", "w40k11.fight.normal", units=[unit.id])
    await b.window(UNIT_SELECTED_TO_FIGHT, Moment(unit.id))
    await act(b, unit, fight_with(b, unit))
    await b.window(UNIT_FOUGHT, Moment(unit.id))


def why_fight(w: World11, d: Choose, unit: int) -> Verdict:
    """Why a unit is, or is not, among those that may fight now."""
    u = w.unit(unit)
    if u.player != d.player:
        return refuse(f"{does(u, 'belongs')} to {w.player(u.player).name}.", "w40k11.fight.first_combats")
    return eligible_to_fight(w, u)


QUESTIONS: Final = {
    "fight_with": Question(why_unit=why_fight),
    "pile_in_with": which_unit(0.1),
    "consolidate_with": which_unit(0.1),
}
