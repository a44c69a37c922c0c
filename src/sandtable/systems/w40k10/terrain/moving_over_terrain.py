"""Moving over terrain: what is climbed, and what is low enough to be moved over freely."""

from __future__ import annotations

from sandtable.battle import Path
from sandtable.kit.ground import climbs_along
from sandtable.rules import Facts, fact, rule
from sandtable.systems.w40k10.state import World10
from sandtable.table.grid import steps


class CLIMBING(Facts):
    low = fact(steps(2), "w40k10.move.over_terrain", neutral=0)
    """Features up to this height are moved over as if they were not there."""


@rule("w40k10.move.climb", "w40k10.charge.terrain", neutral=0)
def climbed(w: World10, path: Path) -> int:
    """How far a model goes up and down along its path; what is low is climbed for nothing."""
    z = int(w.state.models.pos[path.model, 2])
    up_and_down = 0
    for leg in path.legs:
        place, low, high = (leg.x, leg.y, leg.facing), min(leg.z, z), max(leg.z, z)
        if leg.z != z and not climbs_along(w, path.model, place, low, high, CLIMBING.low):
            up_and_down += abs(leg.z - z)
        z = leg.z
    return up_and_down
