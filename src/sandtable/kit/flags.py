"""Who stands on the table, as flags of models for kernels, and what else stands beside the models."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from sandtable.battle.kept import PLACES, kept
from sandtable.table.arrange import Clear, clear_of
from sandtable.table.grid import Bools, Ints
from sandtable.table.moves import WHOLE, Obstacles
from sandtable.table.shapes import Bodies
from sandtable.table.zones import Ball, Zone

if TYPE_CHECKING:
    from sandtable.battle.system import AnyWorld


@kept(PLACES)
def on_the_table(w: AnyWorld) -> Bools:
    """Which models are on the table."""
    found = np.zeros(len(w.state.models.place), dtype=np.bool_)
    found[w.all_on_table()] = True
    return found


@kept(PLACES)
def hostile(w: AnyWorld, player: int) -> Bools:
    """Which models on the table are enemies of a player."""
    side = w.side(player)
    enemies = np.array([w.side(u.player) != side for u in w.state.units], dtype=np.bool_)
    return np.asarray(enemies[w.state.models.unit] & on_the_table(w))


def belonging_to(w: AnyWorld, units: Sequence[int]) -> Bools:
    """Which models on the table belong to one of some units."""
    chosen = np.zeros(len(w.state.units), dtype=np.bool_)
    chosen[list(units)] = True
    return np.asarray(chosen[w.state.models.unit] & on_the_table(w))


@kept(PLACES)
def enemy_units(w: AnyWorld, player: int) -> tuple[int, ...]:
    """The units on the table that are enemies of a player."""
    return tuple(e.id for e in w.enemies_of(player) if w.is_on_table(e))


# --- Among things that are no models ----------------------------------------------------------------------------------


def ends_among(blocks: Obstacles, things: Bodies) -> Obstacles:
    """Obstacles for a model that looks for places among models and other things, where its whole base needs ground."""
    more = len(things.shape) - len(blocks.end_block)
    none = np.zeros(more, dtype=np.int64)
    return blocks._replace(
        pass_block=np.concatenate((blocks.pass_block, none.astype(np.uint8))),
        end_block=np.concatenate((blocks.end_block, np.ones(more, dtype=np.uint8))),
        zone=np.concatenate((blocks.zone, none)),
        end_zone=np.concatenate((blocks.end_zone, none)),
        overhang=WHOLE,
    )


def clear_among(w: AnyWorld, things: Bodies, zone: Zone | Ball, zoned: Bools, area: Ints | None = None) -> Clear:
    """What a unit that is arranged keeps clear of: models on the table, the other things, and zones of some models."""
    here = on_the_table(w)
    more = len(things.shape) - len(here)
    return clear_of(
        w.bodies,
        w.terrain,
        blocked=np.concatenate((here, np.ones(more, dtype=np.bool_))).astype(np.int64),
        zone=zone,
        zoned=np.concatenate((zoned, np.zeros(more, dtype=np.bool_))).astype(np.int64),
        area=area,
    )
