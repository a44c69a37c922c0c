"""What attacks come to on average: for defaults, and for windows that open only where they can matter."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sandtable.attack.mean import mean_against
from sandtable.battle import Effect, World
from sandtable.battle.state import new_version
from sandtable.forty.attacks import compiled
from sandtable.forty.shot import Shot
from sandtable.forty.state import World40


def mean_damage(w: World40, unit: Any, target: Any, shots: Sequence[Shot]) -> float:
    """How many wounds a target loses on average, at most those it has."""
    if not shots:
        return 0.0
    found = compiled(w, unit, target, shots, most=1)
    if not found.target.bodies:
        return 0.0
    first = found.target.bodies[0]
    return min(wounds_left(w, target), sum(mean_against(v, first) for v in found.volleys))


def spares(w: World40, unit: Any, target: Any, shots: Sequence[Shot], effects: Iterable[Effect], least: float) -> bool:
    """Whether effects would spare a target of attacks that many wounds on average."""
    now = mean_damage(w, unit, target, shots)
    if now < least:
        return False
    state = w.state.copy()
    state.stamp = new_version()
    state.effects = (*state.effects, *effects)
    then: World40 = World(w.system, w.setup, state, w.ground)
    return now - mean_damage(then, then.unit(unit.id), then.unit(target.id), shots) >= least


def wounds_left(w: World40, target: Any) -> float:
    """The wounds of all models that can take an attack."""
    return float(w.state.models.wounds[w.on_table(target)].sum())
