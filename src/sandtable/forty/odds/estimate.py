"""What attacks come to on average: for defaults, and for windows that open only where they can matter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sandtable.attack.mean import mean_against
from sandtable.forty.attacks import compiled
from sandtable.forty.shot import Shot
from sandtable.forty.state import World40


def mean_damage(w: World40, unit: Any, target: Any, shots: Sequence[Shot]) -> float:
    """How many wounds a target loses on average, at most those it has."""
    return min(wounds_left(w, target), unbounded_damage(w, unit, target, shots))


def unbounded_damage(w: World40, unit: Any, target: Any, shots: Sequence[Shot]) -> float:
    """The same for a target that has no end, as its first model is."""
    if not shots:
        return 0.0
    found = compiled(w, unit, target, shots, most=1)
    if not found.target.bodies:
        return 0.0
    first = found.target.bodies[0]
    return sum(mean_against(v, first) for v in found.volleys)


def wounds_left(w: World40, target: Any) -> float:
    """The wounds of all models that can take an attack."""
    return float(w.state.models.wounds[w.on_table(target)].sum())
