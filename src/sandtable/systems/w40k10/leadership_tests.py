"""Leadership tests."""

from __future__ import annotations

from sandtable.battle.rolls import Total
from sandtable.forty.effects.other_rolls import added
from sandtable.forty.leadership import best_of, nerve_names, tell_test
from sandtable.kit.dice import parts_of
from sandtable.rules import rule
from sandtable.systems.w40k10.dice import total
from sandtable.systems.w40k10.state import Battle10, Unit, World10


@rule("w40k10.datasheet.profile", neutral=12)
def best_leadership(w: World10, unit: Unit) -> int:
    """The best Leadership among the models on the table."""
    return best_of(w, unit)


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
    tell_test(b, unit, f"{reason} test", score, need, passed, source, *names)
    return passed
