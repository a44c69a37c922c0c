"""The Command phase: Command points, then Battle-shock tests."""

from __future__ import annotations

from sandtable.battle import AGAIN, DONE, Step
from sandtable.forty.command_points import gain_each, gain_more
from sandtable.forty.turns import phase_began
from sandtable.kit.asking import pick_unit
from sandtable.rules import Facts, fact, rule
from sandtable.systems.w40k10.battle_round import COMMAND, tell_phase
from sandtable.systems.w40k10.battle_shock import battle_shock_test, must_test, recover
from sandtable.systems.w40k10.dice import who_orders
from sandtable.systems.w40k10.state import UNLIMITED, Battle10, Player


class GAINING(Facts):
    points_a_phase = fact(1, "w40k10.command.gain_cp", neutral=0)
    """So many Command points both players gain in each Command phase."""
    extra_points = fact(1, "w40k10.command.cp_cap", neutral=UNLIMITED)
    """So many Command points a player gains in a battle round beside those of the Command phases."""


@rule("w40k10.command.other_rules")
async def command_phase(b: Battle10) -> Step:
    """1. Command: Command points first."""
    tell_phase(b, COMMAND)
    gain_command_points(b)
    b.end_effects(lambda e: e.until == f"command of {b.state.active}")
    recover(b)
    return DONE


@rule("w40k10.command.other_rules")
async def command_begins(b: Battle10) -> Step:
    """Then everything else that belongs here; a step of its own, so that who plays on from it gains no points again."""
    await phase_began(b, COMMAND)
    return DONE


@rule("w40k10.command.gain_cp")
def gain_command_points(b: Battle10) -> None:
    """Both players gain 1CP, before anything else."""
    gain_each(b, GAINING.points_a_phase, "w40k10.command.gain_cp")


@rule("w40k10.command.cp_cap")
def gain_extra(b: Battle10, player: Player, amount: int, source: str) -> int:
    """Gain Command points from another source, at most 1CP in a battle round; returns how many."""
    gained = min(amount, GAINING.extra_points - player.extra_cp)
    return gain_more(b, player, gained, "w40k10.command.cp_cap", source)


@rule("w40k10.command.steps")
async def battle_shock(b: Battle10) -> Step:
    """2. Battle-shock: one unit after the other takes its test."""
    prompt, rule_ = "Which unit takes its Battle-shock test next?", "w40k10.command.battleshock_test"
    unit = await pick_unit(b, who_orders(b), "test_with", prompt, must_test, rule_, optional=False)
    if unit is None:
        return DONE
    b.set_unit(unit, tested=True)
    await battle_shock_test(b, unit, step="battle-shock")
    return AGAIN
