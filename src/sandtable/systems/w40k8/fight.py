"""The Fight phase: whose turn it is to fight, and the steps of a fight. Blows are dealt out in `melee`."""

from __future__ import annotations

from typing import Final

from sandtable.battle import AGAIN, ALLOWED, DONE, Choose, Question, Step, Verdict, refuse
from sandtable.kit.alternating import Group, next_selection, player_after
from sandtable.kit.grammar import does
from sandtable.rules import rule
from sandtable.systems.w40k8.concepts import close_enemies
from sandtable.systems.w40k8.melee import strike
from sandtable.systems.w40k8.pile_in import consolidate, pile_in
from sandtable.systems.w40k8.state import Battle8, Unit, World8
from sandtable.systems.w40k8.turn import FIGHT, begin_phase


async def fight_phase(b: Battle8) -> Step:
    """The Fight phase begins."""
    await begin_phase(b, FIGHT)
    b.set_game(selecting=-1)
    return DONE


@rule("w40k8.fight.chargers_first", "w40k8.fight.alternate", "w40k8.fight.once")
async def fight_units(b: Battle8) -> Step:
    """One unit after the other: chargers before anybody else, then the players in turn; nobody passes."""
    turn = next_selection(b, (CHARGERS, OTHERS), b.state.game.selecting)
    if turn is None:
        return DONE
    rules = ("w40k8.fight.chargers_first", "w40k8.fight.alternate", "w40k8.fight.eligible")
    unit = await b.choose_unit(turn.player, "fight_with", "Which unit fights next?", turn.units, rules=rules)
    assert unit is not None, "who has a unit to fight with picks one"
    if turn.group.alternates:
        b.set_game(selecting=player_after(b, turn.player))
    await fight(b, unit)
    return AGAIN


@rule("w40k8.fight.sequence")
async def fight(b: Battle8, unit: Unit) -> None:
    """One unit goes through all steps of its fight before another is chosen."""
    b.set_unit(unit, fought=True)
    b.tell("fights", f"{does(unit, 'fights')}.", "w40k8.fight.sequence", units=[unit.id])
    await b.act(unit, _steps(b, unit))


async def _steps(b: Battle8, unit: Unit) -> None:
    await pile_in(b, unit)
    await strike(b, unit)
    await consolidate(b, unit)


# --- Who fights -------------------------------------------------------------------------------------------------------


def eligible_to_fight(w: World8, unit: Unit) -> Verdict:
    """Whether a unit may be chosen to fight."""
    if not w.is_on_table(unit):
        return refuse(f"{does(unit, 'is')} not on the battlefield.", "w40k8.fight.eligible")
    return not_fought(unit) and in_a_fight(w, unit)


@rule("w40k8.fight.once", neutral=ALLOWED)
def not_fought(unit: Unit) -> Verdict:
    """A unit fights once in a phase."""
    if unit.fought:
        return refuse(f"{does(unit, 'has')} fought already in this phase.", "w40k8.fight.once")
    return ALLOWED


@rule("w40k8.fight.eligible", neutral=refuse("Nobody is eligible to fight."))
def in_a_fight(w: World8, unit: Unit) -> Verdict:
    """Units that charged this turn fight, and units of both players with an enemy within 1" now."""
    if unit.charged or close_enemies(w, unit):
        return ALLOWED
    return refuse(f'{unit.name} did not charge, and no enemy is within 1".', "w40k8.fight.eligible")


def charger_to_fight(w: World8, unit: Unit) -> Verdict:
    """Whether a unit may be chosen to fight while chargers do."""
    return eligible_to_fight(w, unit) and is_charger(unit)


@rule("w40k8.fight.chargers_first", neutral=refuse("Nobody fights before others."))
def is_charger(unit: Unit) -> Verdict:
    """A unit that charged this turn fights first; a Heroic Intervention is no charge."""
    if unit.charged:
        return ALLOWED
    return refuse(f"{unit.name} did not charge: chargers fight first.", "w40k8.fight.chargers_first")


@rule("w40k8.fight.alternate", neutral=1)
def first_to_select(w: World8) -> int:
    """The active player selects first."""
    return w.state.active


CHARGERS: Final = Group(charger_to_fight, first_to_select, alternates=False)
OTHERS: Final = Group(eligible_to_fight, first_to_select)


def why_fight(w: World8, d: Choose, unit: int) -> Verdict:
    """Why a unit is, or is not, among those that may fight now."""
    u = w.unit(unit)
    turn = next_selection(w, (CHARGERS, OTHERS), w.state.game.selecting)
    if turn is not None and not turn.group.ready(w, u):
        return turn.group.ready(w, u)
    if u.player != d.player:
        return refuse(f"{does(u, 'belongs')} to {w.player(u.player).name}.", "w40k8.fight.alternate")
    return ALLOWED


QUESTIONS: Final = {"fight_with": Question(why_unit=why_fight)}
