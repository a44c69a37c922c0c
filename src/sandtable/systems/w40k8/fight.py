"""The Fight phase: whose turn it is to fight, and the steps of a fight. Blows are dealt out in `melee`."""

from __future__ import annotations

from typing import Final

from sandtable.battle import AGAIN, ALLOWED, DONE, Choose, Question, Step, Verdict, refuse
from sandtable.kit.grammar import does
from sandtable.rules import rule
from sandtable.systems.w40k8.concepts import close_enemies
from sandtable.systems.w40k8.melee import strike
from sandtable.systems.w40k8.pile_in import consolidate, pile_in
from sandtable.systems.w40k8.state import Battle8, Unit, World8
from sandtable.systems.w40k8.turn import FIGHT, begin_phase


async def fight_phase(b: Battle8) -> Step:
    """The Fight phase begins."""
    begin_phase(b, FIGHT)
    b.set_game(selecting=-1)
    return DONE


@rule("w40k8.fight.chargers_first")
async def chargers_fight(b: Battle8) -> Step:
    """The units that charged fight before anybody else, in the order that the active player likes."""
    ready = [u for u in b.units_of(b.state.active) if is_charger(u) and eligible_to_fight(b, u)]
    unit = await _choose(b, b.state.active, ready, "w40k8.fight.chargers_first")
    if unit is None:
        return DONE
    await fight(b, unit)
    return AGAIN


@rule("w40k8.fight.alternate")
async def others_fight(b: Battle8) -> Step:
    """Then the players take turns; who has nobody left is passed over."""
    player = who_selects(b)
    if player < 0:
        return DONE
    ready = [u for u in b.units_of(player) if eligible_to_fight(b, u)]
    unit = await _choose(b, player, ready, "w40k8.fight.alternate")
    if unit is not None:
        b.set_game(selecting=player_after(b, player))
        await fight(b, unit)
    return AGAIN


async def _choose(b: Battle8, player: int, ready: list[Unit], rule_: str) -> Unit | None:
    rules = (rule_, "w40k8.fight.eligible")
    return await b.choose_unit(player, "fight_with", "Which unit fights next?", ready, rules=rules) if ready else None


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


@rule("w40k8.fight.chargers_first", neutral=False)
def is_charger(unit: Unit) -> bool:
    """Whether a unit charged this turn; a Heroic Intervention is no charge."""
    return unit.charged


# --- Whose turn it is -------------------------------------------------------------------------------------------------


@rule("w40k8.fight.alternate", neutral=1)
def first_to_select(w: World8) -> int:
    """The active player selects first."""
    return w.state.active


def player_after(w: World8, player: int) -> int:
    """The next player in the order of seats."""
    return (player + 1) % len(w.state.players)


@rule("w40k8.fight.once", "w40k8.fight.alternate", neutral=-1)
def who_selects(w: World8) -> int:
    """Whose selection it is, leaving out players who have nobody to fight with; -1 when there is nobody at all."""
    start = w.state.game.selecting if w.state.game.selecting >= 0 else first_to_select(w)
    seats = len(w.state.players)
    players = [(start + k) % seats for k in range(seats)]
    return next((p for p in players if any(eligible_to_fight(w, u) for u in w.units_of(p))), -1)


def why_fight(w: World8, d: Choose, unit: int) -> Verdict:
    """Why a unit is, or is not, among those that may fight now."""
    u = w.unit(unit)
    if not eligible_to_fight(w, u):
        return eligible_to_fight(w, u)
    waiting = any(is_charger(c) and eligible_to_fight(w, c) for c in w.units())
    if waiting and not is_charger(u):
        return refuse(f"{u.name} did not charge: chargers fight first.", "w40k8.fight.chargers_first")
    if u.player != d.player:
        return refuse(f"{does(u, 'belongs')} to {w.player(u.player).name}.", "w40k8.fight.alternate")
    return ALLOWED


QUESTIONS: Final = {"fight_with": Question(why_unit=why_fight)}
