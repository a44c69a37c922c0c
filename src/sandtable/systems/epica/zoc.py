"""Zones of control: 5 cm around every unit that no enemy may enter, except to charge."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from sandtable.battle.decisions import Path
from sandtable.battle.verdict import ALLOWED, Verdict, refuse
from sandtable.kit.moving import legs_of
from sandtable.rules import rule
from sandtable.systems.epica.book import BOOK
from sandtable.systems.epica.state import EpicWorld, Formation, formation_of, stands
from sandtable.table.crossing import approaches
from sandtable.table.grid import TOUCHING, Floats, Ints, units
from sandtable.table.measure import gaps


@rule("epica.zoc.lost_on_contact", neutral=False)
def loses_zone(stand: int, contacted: Iterable[int]) -> bool:
    """Whether a unit's zone is gone because an engaging enemy has touched it."""
    return stand in contacted


def zones_against(world: EpicWorld, player: int, contacted: Sequence[int] = ()) -> Ints:
    """Whose zones a player's units have to mind; units in `contacted` have been touched by a charge."""
    holders = [
        stand
        for enemy in world.enemies_of(player)
        if not enemy.broken or BOOK.broken_keep_zones
        for stand in stands(world, enemy)
        if not loses_zone(stand, contacted)
    ]
    return np.array(holders, dtype=np.int64)


def gaps_to(world: EpicWorld, stand: int, others: Ints) -> Floats:
    """The gaps from a stand to others."""
    out: Floats = gaps(world.bodies, world.shapes, np.array([stand], dtype=np.int64), others)[0]
    return out


def entered(world: EpicWorld, path: Path, zones: Ints) -> Floats:
    """How far along its path a stand comes into each zone; -1 for those it stays out of."""
    out: Floats = approaches(world.bodies, world.shapes, path.model, legs_of(path), zones, BOOK.zone)
    return out


def inside_zones(world: EpicWorld, stand: int, zones: Ints) -> Ints:
    """Which of the zones, counted from 0, a stand is in."""
    if not len(zones):
        return zones
    out: Ints = np.flatnonzero(gaps_to(world, stand, zones) <= BOOK.zone)
    return out


def stands_in_zones(world: EpicWorld, formation: Formation) -> list[int]:
    """The stands of a formation that are in an enemy zone."""
    zones = zones_against(world, formation.player)
    return [stand for stand in stands(world, formation) if len(inside_zones(world, stand, zones))]


@rule("epica.zoc.no_entry", neutral=ALLOWED)
def keeps_out(world: EpicWorld, paths: Iterable[Path], zones: Ints) -> Verdict:
    """Whether a move that is no charge stays out of every enemy zone; one may leave a zone that one stands in."""
    for path in paths:
        start = set(inside_zones(world, path.model, zones).tolist())
        far = entered(world, path, zones)
        for row in np.flatnonzero(far >= 0):
            if int(row) not in start:
                other = formation_of(world, int(zones[row]))
                return refuse(
                    f"That way comes within 5 cm of {other.name}; only a charge may enter a zone of control.",
                    "epica.zoc.no_entry",
                    "epica.zoc.exact_distance",
                    after=round(units(float(far[row])), 2),
                )
    return ALLOWED


@rule("epica.zoc.start_inside", neutral=ALLOWED)
def may_stay_inside(formation: Formation, inside: Sequence[int], what: str) -> Verdict:
    """Whether a formation with units in an enemy zone may do something that does not move it: it may not."""
    if not inside:
        return ALLOWED
    return refuse(
        f"{formation.name} has a unit in an enemy zone of control and must leave it or charge; {what} does neither.",
        "epica.zoc.start_inside",
    )


def touches(gap: float) -> bool:
    """Whether a gap is base contact."""
    return gap <= TOUCHING
