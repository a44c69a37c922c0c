"""Whether protection is worth a thought: what shots cost a unit without it and with it, exactly.

Means of the compiled tables sort out the many shots at which it can hardly matter; the solver looks at the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from sandtable.battle import Effect, World
from sandtable.battle.state import new_version
from sandtable.forty.odds.chances import attack_of, toll_of
from sandtable.forty.odds.estimate import unbounded_damage, wounds_left
from sandtable.forty.shot import Shot
from sandtable.forty.state import World40, sheet_of

MODELS: Final = 0.7
"""So many models must be at stake on average..."""
LIFE: Final = 0.1
"""...or such a part of the chance that nothing is left of the unit."""
NEAR: Final = 0.5
"""Shots that do less than this part of the damage that it takes, on average, are not looked at any closer."""


class Toll(NamedTuple):
    """What shots cost a unit."""

    models: float
    """Lost on average."""
    destroyed: float
    """The chance that all are."""

    def is_much(self) -> bool:
        """Whether it is worth a thought."""
        return self.models >= MODELS or self.destroyed >= LIFE


NOTHING: Final = Toll(0.0, 0.0)


def hurts_much(w: World40, unit: Any, target: Any, shots: Sequence[Shot]) -> bool:
    """Whether shots cost a target so much that whatever may be done about them is worth a thought."""
    return (
        _could_be_much(w, target, unbounded_damage(w, unit, target, shots)) and toll(w, unit, target, shots).is_much()
    )


def spares_much(w: World40, unit: Any, target: Any, shots: Sequence[Shot], effects: Iterable[Effect]) -> bool:
    """Whether effects would spare a target so much of what shots cost it."""
    now = unbounded_damage(w, unit, target, shots)
    if not _could_be_much(w, target, now):
        return False
    then = with_effects(w, effects)
    same = then.unit(unit.id), then.unit(target.id)
    # Nobody loses more models by shots, nor falls likelier, than wounds are lost.
    if now - unbounded_damage(then, *same, shots) < LIFE:
        return False
    bare, kept = toll(w, unit, target, shots), toll(then, *same, shots)
    return Toll(bare.models - kept.models, bare.destroyed - kept.destroyed).is_much()


def toll(w: World40, unit: Any, target: Any, shots: Sequence[Shot]) -> Toll:
    """What shots at a target cost it."""
    return Toll(*toll_of(attack_of(w, unit, target, shots))) if shots else NOTHING


def with_effects(w: World40, effects: Iterable[Effect]) -> World40:
    """The same moment with effects that do not work yet."""
    state = w.state.copy()
    state.stamp = new_version()
    state.effects = (*state.effects, *effects)
    then: World40 = World(w.system, w.setup, state, w.ground)
    return then


def _could_be_much(w: World40, target: Any, damage: float) -> bool:
    """Whether so much damage on average may come to a model, or be the end of the unit."""
    wounds: int = sheet_of(w, int(w.on_table(target)[0])).wounds
    return damage >= NEAR * min(MODELS * wounds, wounds_left(w, target) / 2)
