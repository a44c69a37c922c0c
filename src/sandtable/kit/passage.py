"""Passage where models are in each other's way, friend and foe alike, and who flies passes over all of them.

What an edition says about it is its `Gait`, which stands among the seams of its system.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from sandtable.battle.decisions import Path
from sandtable.battle.kept import PLACES, kept
from sandtable.kit.flags import belonging_to, clear_among, on_the_table
from sandtable.kit.moving import Measure, travelled
from sandtable.kit.walking import OnFoot
from sandtable.table.arrange import Clear
from sandtable.table.coherency import Coherency
from sandtable.table.grid import TURN, Ints
from sandtable.table.moves import MIDDLE, Obstacles, obstacles
from sandtable.table.zones import NO_ZONE, Ball, Zone

if TYPE_CHECKING:
    from sandtable.battle.system import AnyWorld


class Gait(NamedTuple):
    """The seam: how the models of an edition get about."""

    flies: Callable[[Any, int, str], bool]
    """(world, model, kind of move): whether it moves over models and terrain."""
    in_turn: Callable[[Any, int, str], bool]
    """(world, model, kind of move): whether others are in its way, so that models of a unit move one after another."""
    measure: Callable[[Any, int, str], Measure]
    """(world, model, kind of move): what counts towards the distance that it moves."""
    zone: Callable[[str], Zone | Ball]
    """(kind of move): how near to enemies that are avoided nobody ends..."""
    keeps_away: Callable[[str], bool]
    """(kind of move): ...and whether nobody comes as near on the way, unless it flies."""
    closed: Callable[[Any], Ints]
    """(world): for each feature how it blocks who does not fly (`Obstacles.solid_blocks`)."""
    edge: Callable[[], bool]
    """Whether the edge of the table holds."""
    together: Callable[[Any], Coherency]
    """(world): how the models of a unit stand together."""


class Manner(NamedTuple):
    """How a model gets about; who flies passes all terrain, and need not fly over it."""

    flies: bool
    in_turn: bool
    soars: bool = False


class _Passage(NamedTuple):
    unit: int
    move: str
    avoid: tuple[int, ...] = ()
    """Enemy units that nobody may come near."""
    concerns_all: bool = False
    """Models that stay are judged by where they stand, too."""


class Passage(_Passage, OnFoot):
    """How the models of one unit get about in one kind of move: a `kit.way.Way`."""

    __slots__ = ()

    def manner(self, w: AnyWorld, model: int, path: Path | None) -> Manner:
        """Models fly, or they are in each other's way."""
        gait = w.system.seam(Gait)
        return Manner(gait.flies(w, model, self.move), gait.in_turn(w, model, self.move))

    def past(self, w: AnyWorld, manner: Manner) -> Obstacles:
        """What stands in the way of who gets about in a manner."""
        return _in_the_way(w, self, manner)

    def room(self, w: AnyWorld) -> Clear:
        """Where models may end, for services that arrange a unit."""
        return _room(w, self)

    def length(self, w: AnyWorld, path: Path) -> float:
        """How far a path takes its model."""
        return travelled(w, path, w.system.seam(Gait).measure(w, path.model, self.move))

    def swing(self, w: AnyWorld, model: int, turned: int) -> float:
        """How far turning takes a base that is not round."""
        shape = int(w.ground.shape[model])
        return turned * 2 * np.pi / TURN * int(w.shapes.reach[shape]) if is_long(w, model) else 0.0

    def flies(self, w: AnyWorld, model: int) -> bool:
        """Whether a model passes over others."""
        return w.system.seam(Gait).flies(w, model, self.move)

    def together(self, w: AnyWorld, count: int) -> Coherency:
        """How so many models have to stand together."""
        return w.system.seam(Gait).together(w)


def is_long(w: AnyWorld, model: int) -> bool:
    """Whether a base is not round."""
    return bool(w.shapes.corners[w.ground.shape[model]] > 1)


@kept(PLACES)
def _in_the_way(w: AnyWorld, way: Passage, manner: Manner) -> Obstacles:
    gait = w.system.seam(Gait)
    here, avoided, zone = on_the_table(w), belonging_to(w, way.avoid), gait.zone(way.move)
    return obstacles(
        len(here),
        w.terrain,
        pass_block=here & manner.in_turn,
        end_block=here,
        zone=zone if gait.keeps_away(way.move) and not manner.flies else NO_ZONE,
        zoned=avoided,
        end_zone=zone,
        end_zoned=avoided,
        solid_blocks=1 if manner.flies else gait.closed(w),
        fly=manner.flies,
        edge=gait.edge(),
        overhang=MIDDLE,
    )


@kept(PLACES)
def _room(w: AnyWorld, way: Passage) -> Clear:
    return clear_among(w, w.bodies, w.system.seam(Gait).zone(way.move), belonging_to(w, way.avoid))
