"""Leadership and battle-shock rolls (01.06, 01.07), and what they do to a unit."""

from __future__ import annotations

from sandtable.battle import Moment
from sandtable.forty.leadership import best_of, roll_nerve, tell_test
from sandtable.forty.moments import TEST_FAILED
from sandtable.kit.grammar import does
from sandtable.rules import rule
from sandtable.systems.w40k11 import actions
from sandtable.systems.w40k11.dice import total
from sandtable.systems.w40k11.state import Battle11, Unit, World11

SOURCE = "w40k11.concept.battleshock_roll"


@rule("w40k11.concept.leadership_roll", neutral=12)
def best_leadership(w: World11, unit: Unit) -> int:
    """The best Leadership among the models on the table."""
    return best_of(w, unit)


async def battle_shock_roll(b: Battle11, unit: Unit, modifier: int = 0, *, step: str = "", by: str = "") -> bool:
    """A leadership roll whose failure leaves the unit battle-shocked; tells whether it succeeded.

    `step` names the step that asks for it, and `by` the ability that does and adds the modifier.
    """
    rolled = await roll_nerve(b, unit, best_leadership(b, unit), modifier, by, SOURCE)
    if succeeds(b, unit, "battle-shock", total(rolled.faces) + rolled.plus, SOURCE, *rolled.names):
        return True
    become_shocked(b, unit, SOURCE)
    await b.window(TEST_FAILED, Moment(unit.id, data={"test": "battle-shock", "step": step}))
    return False


@rule("w40k11.concept.battleshock_roll")
def become_shocked(b: Battle11, unit: Unit, source: str) -> None:
    """The unit and all models in it are battle-shocked."""
    if not unit.battle_shocked:
        b.set_unit(unit, battle_shocked=True)
        actions.stop(b, unit)
        b.tell("battle_shocked", f"{does(unit, 'is')} battle-shocked.", source, units=[unit.id])


@rule("w40k11.concept.leadership_roll", neutral=True)
def succeeds(b: Battle11, unit: Unit, reason: str, score: int, source: str, *names: str) -> bool:
    """As much as the best Leadership in the unit, or more, succeeds."""
    need = best_leadership(b, unit)
    passed = score >= need
    tell_test(b, unit, f"{reason} roll", score, need, passed, source, *names)
    return passed
