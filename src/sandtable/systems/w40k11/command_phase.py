"""The Command phase (08): start, core CP, battle-shock, command abilities, end."""

from __future__ import annotations

from sandtable.battle import AGAIN, ALLOWED, DONE, Moment, Step, Verdict, refuse
from sandtable.forty.command_points import gain_each, gain_more
from sandtable.forty.effects.permissions import is_forbidden
from sandtable.forty.moments import COMMAND_ABILITIES, TEST_DUE
from sandtable.kit.asking import pick_unit
from sandtable.kit.grammar import does
from sandtable.rules import Facts, fact, rule
from sandtable.systems.w40k11.active_player import takes_order
from sandtable.systems.w40k11.battle_round import COMMAND, begin_phase
from sandtable.systems.w40k11.battle_shock import battle_shock_roll
from sandtable.systems.w40k11.state import Battle11, Player, Unit, World11
from sandtable.systems.w40k11.strength import at_half, below_half

UNLIMITED = 10**9
BRAVE = "insane_bravery"
"""Kind of effect: the battle-shock roll of the unit succeeds without dice."""


class COMMANDING(Facts):
    """What the book states about Command points."""

    core_points = fact(1, "w40k11.command.gain_cp", neutral=0)
    """So many core CP both players gain in each Command phase."""
    extra_points = fact(1, "w40k11.gap.cp_cap", neutral=UNLIMITED)
    """So many Command points a player gains in a battle round beside these."""


async def command_phase(b: Battle11) -> Step:
    """1. The phase begins."""
    b.end_effects(lambda e: e.until == f"command of {b.state.active}")
    await begin_phase(b, COMMAND)
    return DONE


@rule("w40k11.command.structure", "w40k11.command.gain_cp")
async def gain_core_points(b: Battle11) -> Step:
    """2. Both players gain core CP, before any battle-shock roll."""
    gain_each(b, COMMANDING.core_points, "w40k11.command.gain_cp")
    return DONE


@rule("w40k11.command.structure", "w40k11.command.battleshock_recover", "w40k11.strat.insane_bravery")
async def battle_shock(b: Battle11) -> Step:
    """3. One unit after the other makes its battle-shock roll."""
    prompt, rule_ = "Which unit makes its battle-shock roll next?", "w40k11.command.battleshock"
    unit = await pick_unit(b, takes_order(b), "test_with", prompt, must_roll, rule_, optional=False)
    if unit is None:
        return DONE
    b.set_unit(unit, rolled=True)
    shocked = unit.battle_shocked
    await b.window(TEST_DUE, Moment(unit.id))
    succeeded = bool(b.affected(BRAVE, unit.id)) or await battle_shock_roll(b, unit, step="battle-shock")
    if recovers(shocked, succeeded):
        b.set_unit(unit, battle_shocked=False)
        b.tell("recovered", f"{does(unit, 'recovers')}.", "w40k11.command.battleshock_recover", units=[unit.id])
    return AGAIN


@rule("w40k11.command.structure", "w40k11.command.abilities")
async def command_abilities(b: Battle11) -> Step:
    """4. What is done in the Command phase."""
    await b.window(COMMAND_ABILITIES, Moment())
    return DONE


@rule("w40k11.command.battleshock", neutral=refuse("No unit has to roll."))
def must_roll(w: World11, unit: Unit) -> Verdict:
    """Units of the player whose turn it is, on the battlefield, that are battle-shocked or at half-strength or less."""
    if unit.rolled:
        return refuse(f"{does(unit, 'has')} rolled already.", "w40k11.command.battleshock")
    weak = unit.battle_shocked or at_half(w, unit) or below_half(w, unit)
    if not w.is_on_table(unit) or not (weak or is_forbidden(w, unit, "skip_battle_shock")):
        return refuse(f"{does(unit, 'is')} above half-strength, and not battle-shocked.", "w40k11.command.battleshock")
    return ALLOWED


@rule("w40k11.command.battleshock_recover", "w40k11.concept.battleshock_roll", neutral=False)
def recovers(shocked: bool, succeeded: bool) -> bool:
    """A unit that was battle-shocked when its roll in this step succeeded is so no longer."""
    return shocked and succeeded


@rule("w40k11.gap.cp_cap", neutral=0)
def gain_extra(b: Battle11, player: Player, amount: int, source: str) -> int:
    """Gain Command points from another source, at most 1CP in a battle round; returns how many."""
    return gain_more(b, player, min(amount, COMMANDING.extra_points - player.extra_cp), "w40k11.gap.cp_cap", source)
