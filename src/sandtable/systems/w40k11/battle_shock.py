"""Leadership and battle-shock rolls (01.06, 01.07), and what they do to a unit."""

from __future__ import annotations

from sandtable.battle import Moment
from sandtable.battle.rolls import Total
from sandtable.forty.effects.characteristics import changed, changes_of
from sandtable.forty.effects.characteristics import names as names_of
from sandtable.forty.effects.other_rolls import added, own_reroll
from sandtable.forty.effects.permissions import allowances
from sandtable.forty.moments import TEST_FAILED
from sandtable.kit.dice import parts_of
from sandtable.kit.grammar import agree, does
from sandtable.rules import rule
from sandtable.systems.w40k11 import actions
from sandtable.systems.w40k11.dice import total
from sandtable.systems.w40k11.state import Battle11, Unit, World11, sheet_of

SOURCE = "w40k11.concept.battleshock_roll"


@rule("w40k11.concept.leadership_roll", neutral=12)
def best_leadership(w: World11, unit: Unit) -> int:
    """The best Leadership among the models on the table."""
    changes = changes_of(w, unit, "Ld")
    return min(changed(w, changes, int(m), "Ld", sheet_of(w, int(m)).leadership) for m in w.on_table(unit))


async def battle_shock_roll(b: Battle11, unit: Unit, modifier: int = 0, *, step: str = "", by: str = "") -> bool:
    """A leadership roll whose failure leaves the unit battle-shocked; tells whether it succeeded.

    `step` names the step that asks for it, and `by` the ability that does and adds the modifier.
    """
    more, names = added(b, unit, "battle_shock", "leadership")
    why, need = (*parts_of(modifier, (by,)), *parts_of(more, names)), best_leadership(b, unit)
    read = Total("passed/failed", why, need, plus=modifier + more)
    third = names_of(allowances(b, unit, "extra_battle_shock_die"))
    cites = (SOURCE, *third, *names_of(changes_of(b, unit, "Ld")))
    faces = b.roll(3 if third else 2, "battle-shock", unit.player, rules=cites, read=read)
    enough = sum(faces) >= need - modifier - more
    kinds = ("battle_shock", "leadership")
    faces, _ = await own_reroll(b, unit, kinds, "battle-shock", faces, enough, source=SOURCE, read=read)
    if succeeds(b, unit, "battle-shock", total(faces) + modifier + more, SOURCE, *names):
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
    how = "passes" if passed else "fails"
    text = f"{does(unit, how)} {agree(unit, 'its')} {reason} roll: {score} against {need}+."
    b.tell("test", text, source, *names, units=[unit.id], passed=passed)
    return passed
