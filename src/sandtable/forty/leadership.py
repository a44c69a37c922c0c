"""Tests of a unit's nerve: the best Leadership in it, the dice of a test, and what is told of it."""

from __future__ import annotations

from typing import NamedTuple

from sandtable.battle.rolls import Total
from sandtable.forty.effects.characteristics import changed, changes_of, names
from sandtable.forty.effects.other_rolls import added, own_reroll
from sandtable.forty.effects.permissions import allowances
from sandtable.forty.state import Battle40, Unit, World40, sheet_of
from sandtable.kit.dice import parts_of
from sandtable.kit.grammar import agree, does

SHOCK = "battle-shock"


class Nerve(NamedTuple):
    """What was rolled for a unit's nerve."""

    faces: tuple[int, ...]
    plus: int
    """What is added to the dice..."""
    names: tuple[str, ...]
    """...and by which abilities of the unit."""


def best_of(w: World40, unit: Unit) -> int:
    """The best Leadership among the models of a unit on the table."""
    changes = changes_of(w, unit, "Ld")
    return min(changed(w, changes, int(m), "Ld", sheet_of(w, int(m)).leadership) for m in w.on_table(unit))


def nerve_names(w: World40, unit: Unit) -> tuple[str, ...]:
    """The abilities that change the Leadership of a unit's models."""
    return names(changes_of(w, unit, "Ld"))


async def roll_nerve(b: Battle40, unit: Unit, need: int, modifier: int, by: str, rule: str) -> Nerve:
    """Roll to see whether a unit is battle-shocked; `by` is the ability that asks for it and adds the modifier."""
    kinds = ("battle_shock", "leadership")
    more, helped = added(b, unit, *kinds)
    plus = modifier + more
    read = Total("passed/failed", (*parts_of(modifier, (by,)), *parts_of(more, helped)), need, plus=plus)
    third = names(allowances(b, unit, "extra_battle_shock_die"))
    cites = (rule, *third, *nerve_names(b, unit))
    faces = b.roll(3 if third else 2, SHOCK, unit.player, rules=cites, read=read)
    faces, _ = await own_reroll(b, unit, kinds, SHOCK, faces, sum(faces) + plus >= need, source=rule, read=read)
    return Nerve(faces, plus, helped)


def tell_test(b: Battle40, unit: Unit, what: str, score: int, need: int, passed: bool, *rules: str) -> None:
    """Tell whether a unit has passed a test."""
    how = "passes" if passed else "fails"
    text = f"{does(unit, how)} {agree(unit, 'its')} {what}: {score} against {need}+."
    b.tell("test", text, *rules, units=[unit.id], passed=passed)
