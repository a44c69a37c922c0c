"""Cover: who is harder to hit, and who may save by it."""

from __future__ import annotations

import numpy as np

from sandtable.battle.kept import PLACES, kept
from sandtable.rules import rule
from sandtable.systems.epica.book import BOOK
from sandtable.systems.epica.datasheet import ARMOURED_VEHICLE
from sandtable.systems.epica.state import EpicWorld, Formation, formation_of, sheet, stands
from sandtable.systems.epica.terrain import effects_of, kinds_at
from sandtable.table.grid import TOUCHING
from sandtable.table.measure import gaps


@rule("epica.cover.to_hit", neutral=False)
def is_in_cover(world: EpicWorld, stand: int) -> bool:
    """Whether a unit is harder to hit where it stands, from wherever it is shot at."""
    unit = sheet(world, stand)
    effects = [effects_of(kind) for kind in kinds_at(world, stand)]
    if any(e.tall and e.deep for e in effects):
        return True
    if not unit.is_infantry:
        return False
    return (
        any(e.cover_save for e in effects)
        or bool(overwatch_save(world, stand))
        or stand in sheltered(world, formation_of(world, stand))
    )


@rule("epica.cover.save", neutral=0)
def cover_save(world: EpicWorld, stand: int) -> int:
    """The cover save of a unit, 0 for none: the best that terrain, or lying in wait on overwatch, gives infantry."""
    if not sheet(world, stand).is_infantry:
        return 0
    saves = [e.cover_save for kind in kinds_at(world, stand) if (e := effects_of(kind)).cover_save]
    waiting = overwatch_save(world, stand)
    return min([*saves, *([waiting] if waiting else [])], default=0)


@rule("epica.cover.overwatch_open", neutral=0)
def overwatch_save(world: EpicWorld, stand: int) -> int:
    """The cover save that an infantry unit has for being on overwatch, 0 for none."""
    return BOOK.overwatch_save if formation_of(world, stand).overwatch else 0


@kept(PLACES)
@rule("epica.cover.behind_vehicle", "epica.special.light_vehicles", neutral=())
def sheltered(world: EpicWorld, formation: Formation) -> tuple[int, ...]:
    """The infantry of a formation that shelters by touching an armoured vehicle of its side, two to each vehicle."""
    infantry = [m for m in stands(world, formation) if sheet(world, m).is_infantry]
    vehicles = [
        m
        for friend in world.friends_of(formation.player)
        for m in stands(world, friend)
        if sheet(world, m).type == ARMOURED_VEHICLE
    ]
    gap = gaps(world.bodies, world.shapes, np.array(infantry, dtype=np.int64), np.array(vehicles, dtype=np.int64))
    room = [BOOK.sheltered_by_vehicle] * len(vehicles)
    found = []
    for i, stand in enumerate(infantry):
        for v in np.flatnonzero(gap[i] <= TOUCHING):
            if room[v]:
                room[v] -= 1
                found.append(stand)
                break
    return tuple(found)


def is_fortified(world: EpicWorld, stand: int) -> bool:
    """Whether a unit is in a fortification."""
    return any(effects_of(kind).fortified for kind in kinds_at(world, stand))
