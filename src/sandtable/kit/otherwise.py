"""The same moment but for something, in a world of its own, for those who think ahead: the battle never hears of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

from sandtable.battle.state import GONE, Effect, new_version
from sandtable.battle.world import World
from sandtable.table.shapes import Bodies

AnyWorld: TypeAlias = World[Any, Any, Any, Any]


def standing(world: AnyWorld, bodies: Bodies) -> AnyWorld:
    """Models stand elsewhere."""
    state = world.state.copy()
    state.models.pos[:], state.models.facing[:] = bodies.pos, bodies.facing
    state.version = state.stamp = new_version()
    return World(world.system, world.setup, state, world.ground)


def without(world: AnyWorld, model: int) -> AnyWorld:
    """A model is gone."""
    state = world.state.copy()
    state.models.place[model] = GONE
    state.version = state.stamp = new_version()
    return World(world.system, world.setup, state, world.ground)


def under(world: AnyWorld, effects: Iterable[Effect]) -> AnyWorld:
    """Effects are at work that are not yet; who stands where is the same."""
    state = world.state.copy()
    state.stamp = new_version()
    state.effects = (*state.effects, *effects)
    return World(world.system, world.setup, state, world.ground)
