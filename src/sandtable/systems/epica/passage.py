"""Passage: what stands in the way of a unit, how far its way is, and what its player is told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from sandtable.battle.decisions import Path
from sandtable.battle.kept import PLACES, kept
from sandtable.battle.state import TABLE
from sandtable.kit.cites import FRIEND, Cites, cite
from sandtable.kit.moving import travelled
from sandtable.kit.sweeps import TOO_FAR
from sandtable.kit.walking import OnFoot
from sandtable.rules import rule
from sandtable.systems.epica import zoc
from sandtable.systems.epica.book import BOOK
from sandtable.systems.epica.datasheet import Sheet
from sandtable.systems.epica.state import EpicWorld, formation_of, label, sheet
from sandtable.systems.epica.terrain import OVER_GROUND, impassable
from sandtable.table.arrange import FAR, Clear, clear_of
from sandtable.table.coherency import Coherency
from sandtable.table.grid import Ints
from sandtable.table.moves import CLOSED, Code, Obstacles, obstacles
from sandtable.table.zones import NO_ZONE, Zone


class Manner(NamedTuple):
    """How a unit gets about: vehicles meet what infantry does not."""

    vehicle: bool
    in_turn: bool = False
    soars: bool = False


class _Passage(NamedTuple):
    unit: int
    move: str
    moving: tuple[int, ...] = ()
    """Units of the formation that move, and make way for each other"""
    keeps_out: bool = True
    """Whether they keep out of the enemy's zones of control; only services that look for places ask that"""
    concerns_all: bool = False


class Passage(_Passage, OnFoot):
    """How the units of a formation get about in a move."""

    __slots__ = ()

    def manner(self, w: EpicWorld, model: int, path: Path | None) -> Manner:
        return Manner(sheet(w, model).is_vehicle)

    def past(self, w: EpicWorld, manner: Manner) -> Obstacles:
        found = in_the_way(w, w.side(w.unit(self.unit).player), manner.vehicle)
        passing = found.pass_block.copy()
        passing[list(self.moving)] = 0
        return found._replace(pass_block=passing)

    def ends(self, w: EpicWorld, model: int) -> Obstacles:
        return self.blocks(w, model)

    def room(self, w: EpicWorld) -> Clear:
        """What stops any of the units stops all of them in a plan."""
        formation = w.unit(self.unit)
        blocked = (w.state.models.place == TABLE).astype(np.int64)
        blocked[w.on_table(formation)] = 0
        zoned = np.zeros(len(blocked), dtype=np.int64)
        zoned[zoc.zones_against(w, formation.player)] = 1
        vehicles = any(sheet(w, int(m)).is_vehicle for m in w.on_table(formation))
        return clear_of(
            w.bodies,
            w.terrain,
            blocked=blocked,
            zone=Zone(BOOK.zone, FAR) if self.keeps_out else NO_ZONE,
            zoned=zoned,
            solid_blocks=CLOSED * closed_to(w, vehicles),
        )

    def length(self, w: EpicWorld, path: Path) -> float:
        """Turning costs nothing."""
        return travelled(w, path, OVER_GROUND)

    def together(self, w: EpicWorld, count: int) -> Coherency:
        return Coherency(BOOK.coherency, FAR)

    def able(self, w: EpicWorld, model: int) -> bool:
        return sheet(w, model).speed > 0


# --- What is in the way ----------------------------------------------------------------------------------------------


@rule("epica.move.friendly_units", neutral=False)
def friend_is_in_the_way(other: Sheet) -> bool:
    """Friendly infantry steps aside; vehicles do not."""
    return not other.is_infantry


@kept(PLACES)
def in_the_way(w: EpicWorld, side: int, vehicle: bool) -> Obstacles:
    """What the infantry or the vehicles of a side may not pass or end on: what is impassable to them is closed."""
    models = w.state.models
    n = len(models.place)
    passing, ending = np.zeros(n, dtype=np.uint8), np.zeros(n, dtype=np.uint8)
    for stand in np.flatnonzero(models.place == TABLE):
        enemy = w.side(formation_of(w, int(stand)).player) != side
        passing[stand] = BOOK.enemies_block if enemy else friend_is_in_the_way(sheet(w, int(stand)))
        ending[stand] = 1
    return obstacles(
        n,
        w.terrain,
        pass_block=passing,
        end_block=ending,
        solid_blocks=CLOSED * closed_to(w, vehicle),
        end_solid=0,
        edge=BOOK.edge_holds,
        grounded=False,
    )


@kept(PLACES)
def closed_to(w: EpicWorld, vehicle: bool) -> Ints:
    """Which features are impassable to infantry, or to vehicles."""
    unit = next((s for s in w.setup.data.sheets if s.is_vehicle == vehicle), None)
    nothing = np.zeros(len(w.table.features), dtype=np.int64)
    return nothing if unit is None else impassable(w, unit).astype(np.int64)


# --- What a player is told -------------------------------------------------------------------------------------------


def _who(w: EpicWorld, models: Sequence[int]) -> str:
    return label(w, models[0]) if len(models) == 1 else f"{len(models)} units of {formation_of(w, models[0]).name}"


IMPASSABLE: Final = (
    cite("{thing} is impassable to {who}.", "epica.terrain.classes")
    .but("building", "", "epica.terrain.classes", "epica.terrain.building")
    .but("cliff", "", "epica.terrain.classes", "epica.terrain.cliff")
    .but("fortification", "", "epica.terrain.classes", "epica.terrain.fortification")
    .but("emplacement", "", "epica.terrain.classes", "epica.terrain.fortification")
    .but("jungle", "", "epica.terrain.classes", "epica.terrain.jungle")
    .but("river", "", "epica.terrain.classes", "epica.terrain.river")
)

CITES: Final = Cites(
    {
        TOO_FAR: cite("{who} would go {far:.1f}, but may go {limit:g}.", "epica.move.basic"),
        Code.MODEL: cite("{who} may not move through {other}, an enemy.", "epica.move.enemy_units").but(
            FRIEND, "{who} may not move over a vehicle of {other}.", "epica.move.friendly_units"
        ),
        Code.END_MODEL: cite("{who} would end on top of a unit of {other}.", "epica.move.friendly_units"),
        Code.EDGE: cite("{who} would leave the table.", "epica.move.table_edge"),
        Code.SOLID: IMPASSABLE,
        Code.END_SOLID: IMPASSABLE,
        Code.LEG: cite("A leg goes straight or turns on the spot, one at a time.", "epica.move.basic"),
        Code.AIR: cite("A leg goes straight or turns on the spot, one at a time.", "epica.move.basic"),
        Code.END_FLOOR: cite("A leg goes straight or turns on the spot, one at a time.", "epica.move.basic"),
    },
    _who,
)
