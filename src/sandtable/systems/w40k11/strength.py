"""Starting strength and half-strength (08, Rules Appendix)."""

from __future__ import annotations

from sandtable.rules import rule
from sandtable.systems.w40k11.state import Unit, World11, sheet_of


@rule("w40k11.strength.starting", "w40k11.strength.attached_example", neutral=1)
def starting_strength(w: World11, unit: Unit) -> int:
    """How many models the unit had when the battle began, those of Leaders and Support included."""
    return unit.strength + unit.leader_strength


@rule("w40k11.strength.half", neutral=(99, 100))
def what_is_left(w: World11, unit: Unit) -> tuple[int, int]:
    """What is left of a unit, and of how much: wounds of a lone model, models of any other unit."""
    if starting_strength(w, unit) == 1:
        wounds = w.state.models.wounds
        return sum(int(wounds[m]) for m in unit.models), sum(sheet_of(w, m).wounds for m in unit.models)
    return len(w.on_table(unit)), starting_strength(w, unit)


def at_half(w: World11, unit: Unit) -> bool:
    """Whether a unit is exactly at half-strength."""
    left, whole = what_is_left(w, unit)
    return 2 * left == whole


def below_half(w: World11, unit: Unit) -> bool:
    """Whether a unit is below half-strength."""
    left, whole = what_is_left(w, unit)
    return 2 * left < whole


@rule("w40k11.strength.below_starting", neutral=False)
def below_starting(w: World11, unit: Unit) -> bool:
    """Whether a unit is below its starting strength."""
    left, whole = what_is_left(w, unit)
    return left < whole
