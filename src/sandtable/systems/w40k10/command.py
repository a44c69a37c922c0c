"""The Command phase: Command points, then Battle-shock tests."""

from __future__ import annotations

from sandtable.battle import AGAIN, ALLOWED, DONE, Moment, Step, Verdict, refuse
from sandtable.battle.rolls import Total
from sandtable.forty.effects.characteristics import names as names_of
from sandtable.forty.effects.other_rolls import added, own_reroll
from sandtable.forty.effects.permissions import allowances
from sandtable.forty.moments import TEST_FAILED
from sandtable.kit.asking import pick_unit
from sandtable.kit.dice import parts_of
from sandtable.kit.grammar import agree, does
from sandtable.rules import rule
from sandtable.systems.w40k10.battle_round import COMMAND, begin_phase
from sandtable.systems.w40k10.book import BOOK
from sandtable.systems.w40k10.concepts import best_leadership, nerve_names, who_orders
from sandtable.systems.w40k10.dice import total
from sandtable.systems.w40k10.state import Battle10, Player, Unit, World10
from sandtable.systems.w40k10.strength import below_half


@rule("w40k10.command.other_rules")
async def command_phase(b: Battle10) -> Step:
    """1. Command: Command points first, then everything else that belongs here."""
    gain_command_points(b)
    b.end_effects(lambda e: e.until == f"command of {b.state.active}")
    recover(b)
    await begin_phase(b, COMMAND)
    return DONE


@rule("w40k10.command.gain_cp")
def gain_command_points(b: Battle10) -> None:
    """Both players gain 1CP, before anything else."""
    for p in b.state.players:
        b.set_player(p, cp=p.cp + BOOK.points_a_phase)
    b.tell("command_points", f"Both players gain {BOOK.points_a_phase}CP.", "w40k10.command.gain_cp")


@rule("w40k10.command.cp_cap")
def gain_extra(b: Battle10, player: Player, amount: int, source: str) -> int:
    """Gain Command points from another source, at most 1CP in a battle round; returns how many."""
    gained = min(amount, BOOK.extra_points - player.extra_cp)
    if gained:
        b.set_player(player, cp=player.cp + gained, extra_cp=player.extra_cp + gained)
        b.tell("command_points", f"{player.name} gains {gained}CP.", "w40k10.command.cp_cap", source)
    return gained


@rule("w40k10.command.battleshock_duration")
def recover(b: Battle10) -> None:
    """The active player's units are Battle-shocked no longer, and may have to test again."""
    for unit in b.units_of(b.state.active):
        if unit.battle_shocked or unit.tested:
            b.set_unit(unit, battle_shocked=False, tested=False)


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


@rule("w40k10.command.battleshock_test", neutral=refuse("No unit has to test."))
def must_test(w: World10, unit: Unit) -> Verdict:
    """Units of the active player on the battlefield that are Below Half-strength test once."""
    if unit.player != w.state.active:
        return refuse(f"It is not {unit.name}'s Command phase.", "w40k10.command.battleshock_test")
    if unit.tested:
        return refuse(f"{does(unit, 'has')} tested already.", "w40k10.command.battleshock_test")
    if not w.is_on_table(unit) or not below_half(w, unit):
        return refuse(f"{does(unit, 'is')} not Below Half-strength.", "w40k10.command.battleshock_test")
    return ALLOWED


async def battle_shock_test(b: Battle10, unit: Unit, modifier: int = 0, *, step: str = "", by: str = "") -> None:
    """A Leadership test whose failure leaves the unit Battle-shocked.

    `step` names the step that asks for it, and `by` the ability that does and adds the modifier.
    """
    source = "w40k10.command.battleshock_test"
    more, names = added(b, unit, "battle_shock", "leadership")
    why = (*parts_of(modifier, (by,)), *parts_of(more, names))
    read = Total("passed/failed", why, best_leadership(b, unit), plus=modifier + more)
    third = names_of(allowances(b, unit, "extra_battle_shock_die"))
    cites = (source, *third, *nerve_names(b, unit))
    faces = b.roll(3 if third else 2, "battle-shock", unit.player, rules=cites, read=read)
    need = best_leadership(b, unit) - modifier - more
    faces, _ = await own_reroll(
        b, unit, ("battle_shock", "leadership"), "battle-shock", faces, sum(faces) >= need, source=source, read=read
    )
    if passes_test(b, unit, "battle-shock", total(faces) + modifier + more, source, *names):
        return
    b.set_unit(unit, battle_shocked=True)
    b.tell("battle_shocked", f"{does(unit, 'is')} Battle-shocked.", "w40k10.command.battleshock_test", units=[unit.id])
    await b.window(TEST_FAILED, Moment(unit.id, data={"test": "battle-shock", "step": step}))


def leadership_test(b: Battle10, unit: Unit, reason: str, source: str) -> bool:
    """2D6 against the best Leadership in the unit."""
    more, names = added(b, unit, "leadership")
    read = Total("passed/failed", parts_of(more, names), best_leadership(b, unit), plus=more)
    faces = b.roll(2, reason, unit.player, rules=(source, *nerve_names(b, unit)), read=read)
    return passes_test(b, unit, reason, total(faces) + more, source, *names)


@rule("w40k10.datasheet.leadership_test", neutral=True)
def passes_test(b: Battle10, unit: Unit, reason: str, score: int, source: str, *names: str) -> bool:
    """As much as the best Leadership in the unit, or more, passes."""
    need = best_leadership(b, unit)
    passed = score >= need
    how = "passes" if passed else "fails"
    text = f"{does(unit, how)} {agree(unit, 'its')} {reason} test: {score} against {need}+."
    b.tell("test", text, source, *names, units=[unit.id], passed=passed)
    return passed
