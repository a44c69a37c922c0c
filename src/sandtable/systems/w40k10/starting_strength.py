"""Starting Strength, and Below Half-strength."""

from __future__ import annotations

from sandtable.rules import rule
from sandtable.systems.w40k10.state import Unit, World10, sheet_of


@rule("w40k10.unit.starting_strength", "w40k10.unit.attached_strength", neutral=1)
def starting_strength(w: World10, unit: Unit) -> int:
    """How many models the unit had at first; of an Attached unit only the part that is left, once one is destroyed."""
    alive = set(w.on_table(unit).tolist())
    leaders = bool(alive.intersection(unit.leader))
    others = bool(alive.difference(unit.leader))
    if leaders and others:
        return unit.strength + unit.leader_strength
    return unit.leader_strength if leaders else unit.strength


def below_half(w: World10, unit: Unit) -> bool:
    """Whether a unit is Below Half-strength."""
    if starting_strength(w, unit) == 1:
        return below_half_single(w, unit)
    return below_half_multi(w, unit)


@rule("w40k10.unit.below_half_single", neutral=False)
def below_half_single(w: World10, unit: Unit) -> bool:
    """A single model counts its wounds."""
    return any(2 * int(w.state.models.wounds[m]) < sheet_of(w, m).wounds for m in w.on_table(unit).tolist())


@rule("w40k10.unit.below_half_multi", neutral=False)
def below_half_multi(w: World10, unit: Unit) -> bool:
    """Any other unit counts its models."""
    return 2 * len(w.on_table(unit)) < starting_strength(w, unit)


def below_starting(w: World10, unit: Unit) -> bool:
    """Whether a unit is below its Starting Strength; a single model counts its wounds."""
    models = w.on_table(unit)
    if starting_strength(w, unit) == 1 and len(models) == 1:
        return int(w.state.models.wounds[models[0]]) < sheet_of(w, int(models[0])).wounds
    return len(models) < starting_strength(w, unit)
