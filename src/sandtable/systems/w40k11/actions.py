"""Actions (16): tasks that units carry out instead of shooting and charging. Which there are, a mission says."""

from __future__ import annotations

from typing import Final

from sandtable.battle import ALLOWED, Moment, Option, Reaction, Value, Verdict, refuse
from sandtable.forty import tasks
from sandtable.forty.markers import markers_near
from sandtable.forty.moments import TURN_ENDED, UNIT_TO_MOVE, UNIT_TO_SHOOT
from sandtable.forty.tasks import Task
from sandtable.kit.grammar import does
from sandtable.kit.missions import Action
from sandtable.rules import rule
from sandtable.systems.w40k11.concepts import has_any_keyword, has_keyword
from sandtable.systems.w40k11.engagement import is_engaged
from sandtable.systems.w40k11.objectives import is_controlling, oc_of
from sandtable.systems.w40k11.state import ADVANCE, FALL_BACK, Battle11, Unit, World11
from sandtable.systems.w40k11.visibility import sees

STEADY: Final = ("pile_in", "consolidate")
"""Moves that do not stop an action"""
IDLE: Final = ("AIRCRAFT", "FORTIFICATION")
ELIGIBLE: Final = "w40k11.action.eligible"


@rule("w40k11.gap.action_list", neutral=())
def actions_of(w: World11) -> tuple[Action, ...]:
    """The actions that there are: those of the mission."""
    return tasks.actions_of(w)


# --- Who may start one ------------------------------------------------------------------------------------------------


def may_start(w: World11, unit: Unit, action: Action) -> Verdict:
    """Whether a unit may start an action now."""
    return is_open(w, unit, action) and is_able(w, unit) and is_free(w, unit) and has_done_nothing_else(unit)


@rule("w40k11.action.definition", neutral=ALLOWED)
def is_open(w: World11, unit: Unit, action: Action) -> Verdict:
    """An action names the phase in which it starts, the units that may, and how many: stopped ones count, too."""
    rule_ = "w40k11.action.definition"
    if w.state.game.phase != action.starts:
        return refuse(f"{action.name} starts in the {action.starts} phase.", rule_)
    if closed := tasks.why_not(w, unit.player, action):
        return refuse(closed, rule_)
    if action.keywords and not has_any_keyword(w, unit, action.keywords):
        return refuse(f"{action.name} is for {', '.join(action.keywords)}.", rule_)
    if sum(u.acted == action.name for u in w.units_of(unit.player)) >= action.limit:
        return refuse(f"{action.name} has been started as often as it can.", rule_)
    if action.near_objective and not markers_near(w, unit):
        return refuse(f"{does(unit, 'is')} not within range of an objective.", rule_)
    return ALLOWED


@rule("w40k11.action.eligible", neutral=ALLOWED)
def is_able(w: World11, unit: Unit) -> Verdict:
    """A unit on the battlefield that is neither AIRCRAFT nor FORTIFICATION, and has an OC above 0."""
    if not w.is_on_table(unit):
        return refuse(f"{does(unit, 'is')} not on the battlefield.", ELIGIBLE)
    if has_any_keyword(w, unit, IDLE):
        return refuse(f"{does(unit, 'is')} AIRCRAFT or FORTIFICATION.", ELIGIBLE)
    if not oc_of(w, unit, w.on_table(unit).tolist()):
        return refuse(f"{unit.name} can control nothing.", ELIGIBLE)
    return ALLOWED


@rule("w40k11.action.eligible", "w40k11.concept.battleshocked", neutral=ALLOWED)
def is_free(w: World11, unit: Unit) -> Verdict:
    """A unit that is not battle-shocked, and unengaged unless it is TITANIC."""
    if unit.battle_shocked:
        return refuse(f"{does(unit, 'is')} battle-shocked.", ELIGIBLE, "w40k11.concept.battleshocked")
    if is_engaged(w, unit) and not has_keyword(w, unit, "TITANIC"):
        return refuse(f"{does(unit, 'is')} engaged.", ELIGIBLE)
    return ALLOWED


@rule("w40k11.action.eligible", "w40k11.shoot.normal", "w40k11.movephase.advance", "w40k11.movephase.fall_back",
      neutral=ALLOWED)  # fmt: skip
def has_done_nothing_else(unit: Unit) -> Verdict:
    """A unit that neither advanced nor fell back, has not shot, and started no action this turn."""
    if unit.moved in (ADVANCE, FALL_BACK):
        return refuse(f"{unit.name} advanced or fell back this turn.", ELIGIBLE)
    if unit.acted:
        return refuse(f"{does(unit, 'has')} started an action this turn.", ELIGIBLE)
    if unit.shot:
        return refuse(f"{does(unit, 'has')} shot in this phase.", ELIGIBLE)
    return ALLOWED


# --- From start to end ------------------------------------------------------------------------------------------------


def openings(b: Battle11, player: int, moment: Moment) -> list[Option]:
    """One option for each action, each unit that may start it, and each target."""
    return tasks.openings(b, player, may_start, sees)


@rule("w40k11.action.definition", "w40k11.action.start")
async def start(b: Battle11, player: int, moment: Moment, use: Value) -> None:
    """A unit starts an action."""
    task = Task.of(use)
    unit, action = b.unit(task.unit), actions_of(b)[task.action]
    at_once = action.completes == "at once"
    b.set_unit(unit, action="" if at_once else action.name, acted=action.name)
    tasks.begin(b, task)
    b.tell("action_started", f"{does(unit, 'starts')} {action.name}.", "w40k11.action.start", units=[unit.id])
    if at_once:
        await tasks.finish(b, task, "w40k11.action.complete")


@rule("w40k11.action.start", "w40k11.charge.eligible", neutral=ALLOWED)
def may_charge_too(unit: Unit) -> Verdict:
    """A unit that started an action this turn cannot declare a charge."""
    if unit.acted:
        return refuse(f"{unit.name} started an action this turn.", "w40k11.action.start", "w40k11.charge.eligible")
    return ALLOWED


@rule("w40k11.action.start", neutral=ALLOWED)
def may_shoot_too(w: World11, unit: Unit) -> Verdict:
    """A unit that started an action this turn cannot shoot, unless it is TITANIC."""
    if unit.acted and not has_keyword(w, unit, "TITANIC"):
        return refuse(f"{unit.name} started an action this turn.", "w40k11.action.start")
    return ALLOWED


@rule("w40k11.action.complete", "w40k11.concept.battleshocked")
def stop(b: Battle11, unit: Unit, move: str = "") -> None:
    """An action that is under way is lost when its unit becomes battle-shocked, or moves other than in a fight."""
    if unit.action and move not in STEADY:
        b.set_unit(unit, action="")
        b.tell("action_stopped", f"{does(unit, 'has')} to stop.", "w40k11.action.complete", units=[unit.id])


def under_way(b: Battle11, player: int, moment: Moment) -> list[Option]:
    """The actions of a player that come to their end; all of them together."""
    return [Option(player, "actions")] if any(u.action and is_still_there(b, u) for u in b.units_of(player)) else []


@rule("w40k11.action.complete", neutral=True)
def is_still_there(w: World11, unit: Unit) -> bool:
    """Whoever leaves the battlefield completes nothing."""
    return w.is_on_table(unit)


@rule("w40k11.action.complete", "w40k11.action.definition")
async def complete(b: Battle11, player: int, moment: Moment, use: Value) -> None:
    """Actions are completed, and their effects happen; whatever else they need then has to be so."""
    for unit in [u for u in b.units_of(player) if u.action and is_still_there(b, u)]:
        task = tasks.task_of(b, unit, unit.action)
        if why := tasks.why_undone(b, task, is_controlling):
            text = f"{unit.action} is not completed: {why}."
            b.tell("action_failed", text, "w40k11.action.complete", units=[unit.id])
        else:
            await tasks.finish(b, task, "w40k11.action.complete")


def _has_actions(b: Battle11, player: int, moment: Moment) -> bool:
    return bool(actions_of(b)) and player == b.state.active


def _acted(b: Battle11, player: int, moment: Moment) -> bool:
    return any(u.action for u in b.units_of(player))


REACTIONS: Final = (
    *(
        Reaction("Action", trigger, start, _has_actions, openings, rules=("w40k11.action.start",))
        for trigger in (UNIT_TO_MOVE, UNIT_TO_SHOOT)
    ),
    Reaction("Completed", TURN_ENDED, complete, _acted, under_way, mandatory=True, rules=("w40k11.action.complete",)),
    *tasks.rites("w40k11.gap.action_list"),
)
