"""Battle-shock: the test, how long it lasts, and what it does to a unit."""

from __future__ import annotations

from sandtable.battle import ALLOWED, Moment, Verdict, refuse
from sandtable.forty.leadership import roll_nerve
from sandtable.forty.moments import TEST_FAILED
from sandtable.forty.stratagems import Stratagem
from sandtable.kit.grammar import does
from sandtable.rules import rule
from sandtable.systems.w40k10.dice import total
from sandtable.systems.w40k10.leadership_tests import best_leadership, passes_test
from sandtable.systems.w40k10.starting_strength import below_half
from sandtable.systems.w40k10.state import Battle10, Unit, World10


@rule("w40k10.command.battleshock_duration")
def recover(b: Battle10) -> None:
    """The active player's units are Battle-shocked no longer, and may have to test again."""
    for unit in b.units_of(b.state.active):
        if unit.battle_shocked or unit.tested:
            b.set_unit(unit, battle_shocked=False, tested=False)


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
    rolled = await roll_nerve(b, unit, best_leadership(b, unit), modifier, by, source)
    if passes_test(b, unit, "battle-shock", total(rolled.faces) + rolled.plus, source, *rolled.names):
        return
    b.set_unit(unit, battle_shocked=True)
    b.tell("battle_shocked", f"{does(unit, 'is')} Battle-shocked.", "w40k10.command.battleshock_test", units=[unit.id])
    await b.window(TEST_FAILED, Moment(unit.id, data={"test": "battle-shock", "step": step}))


@rule("w40k10.command.battleshock_oc", neutral=False)
def loses_control(unit: Unit) -> bool:
    """A Battle-shocked unit has an Objective Control of 0."""
    return unit.battle_shocked


@rule("w40k10.command.battleshock_fall_back", neutral=False)
def escapes_in_panic(unit: Unit) -> bool:
    """A Battle-shocked unit that Falls Back tests for each of its models."""
    return unit.battle_shocked


@rule("w40k10.command.battleshock_stratagems", neutral=ALLOWED)
def may_affect(w: World10, player: int, stratagem: Stratagem, unit: Unit) -> Verdict:
    """Nobody uses Stratagems for a Battle-shocked unit of their own, but for the one that steadies it."""
    if unit.battle_shocked and unit.player == player and not stratagem.on_shocked:
        text = f"{does(unit, 'is')} Battle-shocked: no Stratagem can be used for this unit."
        return refuse(text, "w40k10.command.battleshock_stratagems")
    return ALLOWED
