"""The reading side of a battle: what rules, players and pictures look at.

A `World` is a set-up and a state. A `Battle` is a world that can be changed; a `View` is the world as one player may
see it. Everything here is pure.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar, cast

import msgspec
import numpy as np

from sandtable.battle import questions
from sandtable.battle.decisions import Decision
from sandtable.battle.kept import LOSSES, PLACES, PLACES_OF_THESE, kept
from sandtable.battle.setup import D, Setup
from sandtable.battle.state import GONE, TABLE, G, P, State, U, new_version
from sandtable.battle.system import System
from sandtable.battle.tactics import Idea
from sandtable.battle.verdict import Verdict
from sandtable.table import boxes, measure, zones
from sandtable.table.grid import Bools, Floats, Ints
from sandtable.table.layout import Table, Terrain, compile_terrain
from sandtable.table.shapes import Bodies, Shapes, pack
from sandtable.table.zones import Ball, Zone

if TYPE_CHECKING:
    from sandtable.table.picture import Picture, Sight

T = TypeVar("T")

_NOTHING: Final = (None, None)


class Ground:
    """The immutable geometry of a set-up, compiled once and shared by all its worlds."""

    __slots__ = ("_terrains", "kept", "setup", "shape", "shapes")

    def __init__(self, setup: Setup[Any]) -> None:
        self.setup = setup
        self.shapes: Shapes = pack(setup.shapes)
        self.shape: Ints = np.array(setup.shape_of, dtype=np.int64)
        self._terrains: dict[tuple[Any, ...], tuple[Table, Terrain]] = {}
        self.kept: dict[Hashable, Any] = {}
        """What `World.fixed` worked out."""

    def terrain(self, extra: tuple[Any, ...]) -> tuple[Table, Terrain]:
        found = self._terrains.get(extra)
        if found is None:
            t = self.setup.table
            table = Table(t.width, t.depth, t.unit, (*t.features, *extra))
            found = self._terrains[extra] = (table, compile_terrain(table))
        return found


class World(Generic[U, P, G, D]):
    """A set-up and a state, to be read."""

    __slots__ = ("armed", "awaited", "ground", "setup", "state", "system")

    def __init__(self, system: System, setup: Setup[D], state: State[U, P, G], ground: Ground | None = None) -> None:
        self.system = system
        self.setup = setup
        self.state = state
        self.ground = ground or Ground(setup)
        self.armed: frozenset[int] = frozenset()
        """Units whose players want to be asked whenever these could react, also where it is hardly worth it."""
        self.awaited: frozenset[tuple[int, str]] = frozenset()
        """Players and the triggers at which they want to be asked about every reaction, hardly worth it or not."""

    # who is who

    def unit(self, unit: int) -> U:
        return self.state.units[unit]

    def units(self) -> list[U]:
        return self.state.units

    def player(self, player: int) -> P:
        return self.state.players[player]

    def side(self, player: int) -> int:
        return self.state.players[player].side

    def opponents(self, player: int) -> list[P]:
        """Players of other sides."""
        side = self.side(player)
        return [p for p in self.state.players if p.side != side]

    def are_enemies(self, one: U, other: U) -> bool:
        return self.side(one.player) != self.side(other.player)

    def units_of(self, player: int) -> list[U]:
        return [u for u in self.state.units if u.player == player]

    def friends_of(self, player: int) -> list[U]:
        """Units of the player's side."""
        side = self.side(player)
        return [u for u in self.state.units if self.state.players[u.player].side == side]

    def enemies_of(self, player: int) -> list[U]:
        side = self.side(player)
        return [u for u in self.state.units if self.state.players[u.player].side != side]

    @kept(PLACES_OF_THESE)
    def on_table(self, unit: U) -> Ints:
        """The models of a unit that stand on the table."""
        place = self.state.models.place
        return np.array([m for m in unit.models if place[m] == TABLE], dtype=np.int64)

    @kept(PLACES_OF_THESE)
    def is_on_table(self, unit: U) -> bool:
        return len(self.on_table(unit)) > 0

    @kept(LOSSES)
    def all_on_table(self) -> Ints:
        """Every model on the table."""
        return np.flatnonzero(self.state.models.place == TABLE)

    @kept(LOSSES)
    def out_of_play(self) -> frozenset[int]:
        """The models that are destroyed, or were removed."""
        return frozenset(np.flatnonzero(self.state.models.place == GONE).tolist())

    # geometry

    @property
    def bodies(self) -> Bodies:
        models = self.state.models
        return Bodies(models.pos, models.facing, self.ground.shape)

    @property
    def shapes(self) -> Shapes:
        return self.ground.shapes

    @property
    def table(self) -> Table:
        """The table with the terrain that came up during the battle."""
        return self.ground.terrain(self.state.features)[0]

    @property
    def terrain(self) -> Terrain:
        return self.ground.terrain(self.state.features)[1]

    @kept(PLACES_OF_THESE)
    def gaps(self, one: U, other: U) -> Floats:
        """Horizontal gaps in grid steps between the models of two units on the table."""
        return measure.gaps(self.bodies, self.shapes, self.on_table(one), self.on_table(other))

    @kept(PLACES_OF_THESE)
    def distances(self, one: U, other: U) -> Floats:
        """Distances in space in grid steps between the models of two units on the table."""
        return measure.distances(self.bodies, self.shapes, self.on_table(one), self.on_table(other))

    @kept(PLACES_OF_THESE)
    def distance(self, one: U, other: U) -> float:
        """The smallest distance between two units, in grid steps; infinite when one is not on the table."""
        far = self.distances(one, other)
        return float(far.min()) if far.size else float("inf")

    @kept(PLACES_OF_THESE)
    def linked(self, one: U, other: U, near: Zone | Ball) -> bool:
        """Whether any two models of the units are so near to each other."""
        return zones.linked(self.bodies, self.shapes, self.on_table(one), self.on_table(other), near)

    def enemies_near(self, unit: U, near: Zone | Ball) -> list[U]:
        """The enemy units that are `linked` to a unit."""
        units = self.state.units
        return [units[e] for e in self._enemies_near(unit, near)]

    @kept(PLACES)
    def _enemies_near(self, unit: U, near: Zone | Ball) -> list[int]:
        return [e for e in self.may_be_near(unit, near.flat) if self.linked(unit, self.unit(e), near)]

    def may_be_near(self, unit: U, reach: int) -> list[int]:
        """The enemies that may be within `reach` of a unit, by their numbers; all others are further off for sure."""
        return self._neighbours(reach)[unit.id]

    @kept(PLACES)
    def _neighbours(self, reach: int) -> list[list[int]]:
        """For each unit the enemies that may be within `reach`: the boxes around them are no further apart."""
        units, players = self.state.units, self.state.players
        side = np.array([players[u.player].side for u in units], dtype=np.int64)
        owner, here = self.state.models.unit, self.all_on_table()
        near: list[list[int]] = [[] for _ in units]
        for one, other in boxes.near(self.bodies, self.shapes, here, owner, side, reach).tolist():
            near[one].append(other)
        return near

    def links(self, first: Ints, second: Ints, near: Zone | Ball) -> Bools:
        """Which pairs of models are so near to each other."""
        return zones.links(self.bodies, self.shapes, first, second, near)

    # effects and options

    def option(self, name: str) -> str:
        return self.setup.options[name]

    def asks_every(self, player: int, trigger: str) -> bool:
        """Whether a player is asked about every reaction to a trigger, also where it is hardly worth it."""
        return self.setup.options.get("windows") == "all" or (player, trigger) in self.awaited

    def effects(self, kind: str, unit: int = -1) -> list[Any]:
        """Effects of a kind on a unit, or on everybody."""
        return [e for e in self.state.effects if e.kind == kind and (e.unit in (-1, unit))]

    def effect_sum(self, kind: str, unit: int) -> int:
        """The sum of the values of all effects of a kind on a unit."""
        return sum(cast(int, e.value) for e in self.state.effects if e.kind == kind and e.unit in (-1, unit))

    def affected(self, kind: str, unit: int) -> bool:
        """Whether an effect of a kind lies on a unit."""
        return any(e.kind == kind and e.unit in (-1, unit) for e in self.state.effects)

    # pictures

    def picture(
        self,
        *,
        title: str = "",
        caption: str = "",
        before: State[U, P, G] | None = None,
        sights: Sequence[Sight] = (),
        highlight: Sequence[int] = (),
    ) -> Picture:
        """What there is to see; `before` is an earlier state, from which arrows lead to where units stand now."""
        from sandtable.battle.depict import depict

        return depict(self, title=title, caption=caption, before=before, sights=sights, highlight=highlight)

    def svg(self, **shown: Any) -> str:
        """A picture of the table as SVG; takes what `picture` takes."""
        from sandtable.table.drawing import svg

        return svg(self.picture(**shown))

    def png(self, path: str | Path, **shown: Any) -> None:
        """Write a picture of the table as PNG; takes what `picture` takes."""
        from sandtable.files import write_whole
        from sandtable.table.drawing import png

        picture = self.picture(**shown)
        write_whole(Path(path), lambda draft: png(picture, draft))

    # questions about what may be done

    def why_not(self, act: str, unit: int) -> Verdict:
        """Whether a unit may do something now, and if not, why."""
        from sandtable.errors import UserError

        if act not in self.system.why:
            raise UserError(f"Ask about one of these: {', '.join(sorted(self.system.why))}; not '{act}'.")
        if not 0 <= unit < len(self.state.units):
            raise UserError(f"There is no unit {unit}; units run from 0 to {len(self.state.units) - 1}.")
        return self.system.why[act](self, unit)


class View(World[U, P, G, D]):
    """A battle as one player may see it.

    What a view is asked is kept apart from the battle, so that nobody who tries something out in it can mislead the
    rules. A `trusted` one shares what was worked out with the battle; it is for players who change nothing in it.
    """

    __slots__ = ("player_id",)

    def __init__(self, world: World[U, P, G, D], player: int, *, trusted: bool = False) -> None:
        setup = world.setup
        if not trusted:
            setup = msgspec.structs.replace(setup, options=dict(setup.options))
        super().__init__(world.system, setup, conceal(world.system, world.state.copy(), player), world.ground)
        if not trusted:
            self.state.version = self.state.stamp = new_version()
        self.player_id = player

    def check(self, decision: Decision[Any], answer: Any) -> Verdict:
        """Whether an answer would be legal, and if not, why."""
        return questions.check(self, decision, answer)

    def default(self, decision: Decision[Any]) -> Any:
        """What a sensible player would answer."""
        return questions.default(self, decision)

    def ideas(self, decision: Decision[Any]) -> Iterator[Idea]:
        """Legal answers, best first, each with the reason for it."""
        return questions.ideas(self, decision)


def conceal(system: System, state: State[U, P, G], player: int) -> State[U, P, G]:
    """Take out of a copy of the state what the player may not know."""
    for kind, name in system.secrets:
        holders: Sequence[Any] = state.units if kind == "unit" else state.players
        for holder in holders:
            if (holder.player if kind == "unit" else holder.id) != player:
                setattr(holder, name, None)
    return state
