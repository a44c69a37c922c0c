"""What rules change: the only ways in which the state of a battle becomes another one, each told as an event."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

import numpy as np

from sandtable.battle.events import (
    Affected,
    AnyEvent,
    Built,
    Changed,
    Joined,
    Marked,
    Moved,
    Placed,
    Wounded,
)
from sandtable.battle.pages import carry_on
from sandtable.battle.setup import D, Setup
from sandtable.battle.state import Effect, G, P, State, U, new_version
from sandtable.battle.system import System
from sandtable.battle.world import Ground, World
from sandtable.table.grid import Ints
from sandtable.table.layout import Feature

UNBOUNDED: Final = 1 << 62
MOST_DICE: Final = 100_000
MOST_TOLD: Final = 20_000
"""Dice that may be rolled, and sentences that may be told, before somebody is asked again."""


class Changing(World[U, P, G, D]):
    """A world that can be changed, with the events that tell of it."""

    __slots__ = ("_dice_left", "_known_versions", "_told_left", "_versions", "events")

    def __init__(self, system: System, setup: Setup[D], state: State[U, P, G], ground: Ground | None = None) -> None:
        super().__init__(system, setup, state, ground)
        if not state.version:
            state.version = new_version()
        state.stamp = new_version()
        self.events: list[AnyEvent] = []
        self._dice_left = self._told_left = UNBOUNDED
        self._versions: list[int] = []
        """The versions of the geometry since the checkpoint, in the order in which they came."""
        self._known_versions: list[int] = []
        """While a fork replays the past: the versions still to come, so that what is cached for them serves again."""

    def _spend(self, dice: int = 0, told: int = 0) -> None:
        """Refuse what a file leads to that nobody could play: the battles of others must not wait for it."""
        self._dice_left -= dice
        self._told_left -= told
        if self._dice_left < 0 or self._told_left < 0:
            raise RuntimeError(
                f"One answer would roll more than {MOST_DICE:,} dice, or tell more than {MOST_TOLD:,} things: "
                "no table can play that."
            )

    def set_unit(self, unit: U, **fields: Any) -> None:
        """Change fields of a unit."""
        for name, value in fields.items():
            setattr(unit, name, value)
        self.state.stamp = new_version()
        self.events.append(Changed("unit", unit.id, fields))

    def set_player(self, player: P, **fields: Any) -> None:
        """Change fields of a player."""
        for name, value in fields.items():
            setattr(player, name, value)
        self.state.stamp = new_version()
        self.events.append(Changed("player", player.id, fields))

    def set_game(self, **fields: Any) -> None:
        """Change what the system keeps beside units and players."""
        for name, value in fields.items():
            setattr(self.state.game, name, value)
        self.state.stamp = new_version()
        self.events.append(Changed("game", -1, fields))

    def set_clock(self, **fields: Any) -> None:
        """Change the round, or whose turn it is."""
        for name, value in fields.items():
            setattr(self.state, name, value)
        self.state.stamp = new_version()
        self.events.append(Changed("clock", -1, fields))

    def move_models(
        self, models: Sequence[int], pos: Sequence[tuple[int, int, int]], facing: Sequence[int] | None = None
    ) -> None:
        """Put models somewhere else."""
        if not len(models):
            return
        arrays = self.state.models
        rows = np.asarray(models, dtype=np.int64)
        where = [(int(x), int(y), int(z)) for x, y, z in pos]
        turned = [int(f) for f in (arrays.facing[rows] if facing is None else facing)]
        arrays.pos[rows] = where
        arrays.facing[rows] = turned
        self._moved(rows)
        self.events.append(Moved(tuple(int(m) for m in models), tuple(where), tuple(turned)))

    def place_models(self, models: Sequence[int], place: int) -> None:
        """Bring models onto the table, aboard, or out of play."""
        if not len(models):
            return
        rows = np.asarray(models, dtype=np.int64)
        self.state.models.place[rows] = place
        self._moved(rows, lost=True)
        self.events.append(Placed(tuple(int(m) for m in models), place))

    def set_wounds(self, model: int, wounds: int) -> None:
        self.state.models.wounds[model] = wounds
        self.state.stamp = new_version()
        self.events.append(Wounded(int(model), int(wounds)))

    def set_mark(self, model: int, mark: int) -> None:
        self.state.models.mark[model] = mark
        self.state.stamp = new_version()
        self.events.append(Marked(int(model), int(mark)))

    def join(self, models: Sequence[int], unit: U) -> None:
        """Give models to another unit."""
        taken = set(models)
        for other in self.state.units:
            if other.id != unit.id and taken.intersection(other.models):
                self.set_unit(other, models=tuple(m for m in other.models if m not in taken))
        self.set_unit(unit, models=tuple(sorted({*unit.models, *taken})))
        self.state.models.unit[np.asarray(models, dtype=np.int64)] = unit.id
        self._moved()
        self.events.append(Joined(tuple(int(m) for m in models), unit.id))

    def add_effect(self, effect: Effect) -> None:
        self.state.effects = (*self.state.effects, effect)
        self.state.stamp = new_version()
        self.events.append(Affected(self.state.effects))

    def end_effects(self, ends: Callable[[Effect], bool]) -> None:
        """End the effects for which `ends` answers yes."""
        kept = tuple(e for e in self.state.effects if not ends(e))
        if len(kept) != len(self.state.effects):
            self.state.effects = kept
            self.state.stamp = new_version()
            self.events.append(Affected(kept))

    def build(self, feature: Feature) -> None:
        """Add terrain to the table."""
        self.state.features = (*self.state.features, feature)
        self._moved()
        self.events.append(Built(self.state.features))

    def _moved(self, models: Ints | None = None, *, lost: bool = False) -> None:
        """The geometry changed: what is cached of it no longer holds; with `models`, only what is about their units."""
        version = self._known_versions.pop() if self._known_versions else new_version()
        self._versions.append(version)
        if models is not None:
            moved = frozenset(self.state.models.unit[models].tolist())
            carry_on(self.state.version, version, range(len(self.state.units)), moved, lost=lost)
        self.state.version = version
        self.state.stamp = new_version()


AnyChanging: TypeAlias = Changing[Any, Any, Any, Any]
