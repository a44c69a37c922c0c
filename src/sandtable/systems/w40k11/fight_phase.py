"""The Fight phase (12): all pile in, then units fight one after the other, then all consolidate."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from sandtable.battle import AGAIN, ALLOWED, DONE, Choose, Moment, Question, Step, Verdict, refuse
from sandtable.forty.moments import UNIT_FOUGHT, UNIT_SELECTED_TO_FIGHT
from sandtable.kit.alternating import player_after, players_from
from sandtable.kit.asking import agreed
from sandtable.kit.grammar import does
from sandtable.kit.ideas import mostly_go_on, which_unit
from sandtable.rules import rule
from sandtable.systems.w40k11.abilities import has_core
from sandtable.systems.w40k11.active_player import act, player_of_the_turn
from sandtable.systems.w40k11.battle_round import FIGHT, begin_phase
from sandtable.systems.w40k11.concepts import within
from sandtable.systems.w40k11.consolidate import ENGAGING, consolidate, may_consolidate, mode_of
from sandtable.systems.w40k11.engagement import engaged_enemies, is_engaged
from sandtable.systems.w40k11.melee import fight_with
from sandtable.systems.w40k11.pile_in import CLOSING, could_close_in, may_pile_in, pile_in
from sandtable.systems.w40k11.state import FIRST, REMAINING, Battle11, Unit, World11

FIGHTS_FIRST: Final = "fights_first"
"""Kind of effect: the unit has Fights First."""


# --- The steps --------------------------------------------------------------------------------------------------------


async def fight_phase(b: Battle11) -> Step:
    """1. The phase begins."""
    await begin_phase(b, FIGHT)
    return DONE


@rule("w40k11.fight.pile_in_step", "w40k11.fight.phase")
async def pile_in_units(b: Battle11) -> Step:
    """2. Pile In: the player whose turn it is with all units that are wanted, then the opponent."""
    prompt, rule_ = "Which unit piles in next?", "w40k11.fight.pile_in_step"
    mover = await next_mover(b, "pile_in_with", prompt, may_pile_in, rule_)
    if mover.unit is not None:
        await act(b, mover.unit, pile_in(b, mover.unit))
    return AGAIN if mover.asked else DONE


@rule("w40k11.fight.eligible", "w40k11.fight.overrun")
async def begin_fights(b: Battle11) -> Step:
    """The Fight step begins: who is engaged now is eligible, whatever becomes of the enemy."""
    for unit in b.units():
        if is_engaged(b, unit):
            b.set_unit(unit, engaged_before=True)
    return DONE


@rule(
    "w40k11.fight.phase",
    "w40k11.fight.first_combats",
    "w40k11.fight.remaining_combats",
    "w40k11.fight.return_to_first",
    "w40k11.fight.pass",
)
async def fight_units(b: Battle11) -> Step:
    """3. Fight: Fights First combats, then the remaining ones, players taking turns."""
    note_eligible(b)
    turn = forced_selection(b) or next_to_fight(b)
    if turn is None:
        b.set_game(stage="")
        return DONE
    prompt, rules = "Which unit fights next?", (STAGES[turn.stage],)
    passing = may_pass(b, turn.player)
    unit = await b.choose_unit(turn.player, "fight_with", prompt, turn.units, optional=passing, rules=rules)
    following = player_after(b, turn.player)
    if unit is None:
        b.set_game(selecting=following, stage=turn.stage, passes=b.state.game.passes + 1)
        b.tell("passed", f"{b.player(turn.player).name} passes.", "w40k11.fight.pass")
        return AGAIN
    b.set_game(selecting=following, stage=turn.stage, passes=0, forced=-1)
    await fight(b, unit)
    return AGAIN


@rule("w40k11.fight.consolidate_move")
def note_eligible(b: Battle11) -> None:
    """Who is eligible to fight now was so in this phase, and may consolidate whether it fights or not."""
    for unit in b.units():
        if eligible_to_fight(b, unit) and not unit.could_fight:
            b.set_unit(unit, could_fight=True)


@rule("w40k11.fight.consolidate_step", "w40k11.fight.consolidate_response", "w40k11.fight.phase")
async def consolidate_units(b: Battle11) -> Step:
    """4. Consolidate: the player whose turn it is with all units that are wanted, then the opponent."""
    prompt, rule_ = "Which unit consolidates next?", "w40k11.fight.consolidate_step"
    mover = await next_mover(b, "consolidate_with", prompt, may_consolidate, rule_)
    if mover.unit is not None:
        engages = mode_of(b, mover.unit) == ENGAGING
        await act(b, mover.unit, consolidate(b, mover.unit))
        if engages:
            await fight_back(b, mover.unit)
    return AGAIN if mover.asked else DONE


class Mover(NamedTuple):
    """Who moves next in a step of both players."""

    unit: Unit | None
    asked: bool
    """Whether anybody could"""


async def next_mover(b: Battle11, kind: str, prompt: str, may: Callable[[Any, Any], Verdict], rule_: str) -> Mover:
    """The next unit that makes its move in a step of both players; who is done stays so once the next one begins."""
    for done, player in list(enumerate(players_from(b, player_of_the_turn(b))))[b.state.game.done :]:
        ready = [u for u in b.units_of(player) if may(b, u)]
        if ready:
            unit = await b.choose_unit(player, kind, prompt, ready, optional=True, rules=(rule_,))
            b.set_game(done=done if unit else done + 1)
            return Mover(unit, asked=True)
    b.set_game(done=0)
    return Mover(None, asked=False)


@rule("w40k11.fight.consolidate_response")
async def fight_back(b: Battle11, unit: Unit) -> None:
    """Enemy units that an engaging consolidation engages fight at once if they have not, in their owner's order."""
    waiting = engaged_enemies(b, unit)
    prompt, rules = "Which unit fights back next?", ("w40k11.fight.consolidate_response",)
    for player in players_from(b, player_after(b, unit.player)):
        while ready := [e for e in waiting if e.player == player and not e.fought and b.is_on_table(e)]:
            chosen = await b.choose_unit(player, "fight_back_with", prompt, ready, rules=rules)
            assert chosen is not None, "somebody is chosen"
            await fight(b, chosen)


# --- Who may fight ----------------------------------------------------------------------------------------------------


@rule("w40k11.fight.eligible", "w40k11.faq.overrun", neutral=refuse("Nobody is eligible to fight."))
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


@rule("w40k11.fight.first_combats", neutral=refuse("There are no Fights First combats."))
def in_first_combats(w: World11, unit: Unit) -> Verdict:
    """Whether a unit may be selected in the Fights First combats."""
    return eligible_to_fight(w, unit) and fights_first(w, unit)


@rule("w40k11.unit.fights_first", neutral=refuse("Nobody fights first."))
def fights_first(w: World11, unit: Unit) -> Verdict:
    """Whether a unit is a Fights First unit."""
    if has_charged(unit) or w.affected(FIGHTS_FIRST, unit.id) or all_fight_first(w, unit):
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


# --- Whose selection it is --------------------------------------------------------------------------------------------

STAGES: Final = {FIRST: "w40k11.fight.first_combats", REMAINING: "w40k11.fight.remaining_combats"}


class Turn(NamedTuple):
    """Who selects the next unit to fight, from which, in which stage."""

    player: int
    units: tuple[Unit, ...]
    stage: str


def next_to_fight(w: World11) -> Turn | None:
    """Whose selection it is, leaving out players who have nobody left or have just passed; None when nobody has."""
    game, count = w.state.game, len(w.state.players)
    stages: tuple[tuple[str, Callable[[World11, Unit], Verdict]], ...]
    stages = ((FIRST, in_first_combats), (REMAINING, eligible_to_fight))
    for stage, ready in stages:
        if stage == FIRST and game.stage == REMAINING and not goes_back():
            continue
        for player in players_from(w, selects_first(w, stage))[: count - game.passes]:
            units = tuple(u for u in w.units_of(player) if ready(w, u))
            if units:
                return Turn(player, units, stage)
    return None


@rule("w40k11.fight.first_combats", "w40k11.fight.remaining_combats", "w40k11.fight.return_to_first", neutral=1)
def selects_first(w: World11, stage: str) -> int:
    """The player whose turn it is, also when Fights First combats come back; else players just go on alternating."""
    game = w.state.game
    returns = stage == FIRST and game.stage == REMAINING and not game.passes
    return player_of_the_turn(w) if returns or game.selecting < 0 else game.selecting


@rule("w40k11.fight.return_to_first", neutral=False)
def goes_back() -> bool:
    """After any of the remaining combats, units with Fights First that have become eligible come first."""
    return True


def forced_selection(w: World11) -> Turn | None:
    """The unit that has to be selected next, if there is one."""
    if w.state.game.forced < 0:
        return None
    unit = w.unit(w.state.game.forced)
    return Turn(unit.player, (unit,), FIRST) if eligible_to_fight(w, unit) else None


@rule("w40k11.fight.pass", neutral=False)
def may_pass(w: World11, player: int) -> bool:
    """A player all of whose eligible units are more than 5" from every enemy unit may pass."""
    mine = [u for u in w.units_of(player) if eligible_to_fight(w, u)]
    return not any(within(w, u, e, CLOSING.prey) for u in mine for e in w.enemies_of(player))


# --- A fight ----------------------------------------------------------------------------------------------------------


async def fight(b: Battle11, unit: Unit) -> None:
    """A unit fights: once in a phase."""
    b.set_unit(unit, fought=True, could_fight=True)
    b.tell("fights", f"{does(unit, 'fights')}.", "w40k11.fight.normal", units=[unit.id])
    await b.window(UNIT_SELECTED_TO_FIGHT, Moment(unit.id))
    await act(b, unit, normal_or_overrun(b, unit))
    await b.window(UNIT_FOUGHT, Moment(unit.id))


async def normal_or_overrun(b: Battle11, unit: Unit) -> None:
    """A unit makes a normal fight, or an overrun fight: a further pile-in move, and then its attacks."""
    if may_overrun(b, unit) and (not is_engaged(b, unit) or await wants_overrun(b, unit)):
        b.set_unit(unit, overruns=True)
        if could_close_in(b, unit):
            await pile_in(b, unit)
    await fight_with(b, unit)


@rule("w40k11.fight.overrun", neutral=False)
def may_overrun(w: World11, unit: Unit) -> bool:
    """A unit that is unengaged, or was so when the Fight step began, may make an overrun fight."""
    return not is_engaged(w, unit) or not unit.engaged_before


async def wants_overrun(b: Battle11, unit: Unit) -> bool:
    """Whether an engaged unit makes an overrun fight."""
    prompt = f"{unit.name} may pile in again and then fight. Do that?"
    return await agreed(b, unit, "overrun", prompt, "w40k11.fight.overrun", default=False)


def why_fight(w: World11, d: Choose, unit: int) -> Verdict:
    """Why a unit is, or is not, among those that may fight now."""
    u = w.unit(unit)
    if u.player != d.player:
        return refuse(f"{does(u, 'belongs')} to {w.player(u.player).name}.", "w40k11.fight.first_combats")
    return eligible_to_fight(w, u)


QUESTIONS: Final = {
    "fight_with": Question(why_unit=why_fight, suggest=mostly_go_on(0.3)),
    "fight_back_with": Question(why_unit=why_fight),
    "pile_in_with": which_unit(0.1),
    "consolidate_with": which_unit(0.1),
}
