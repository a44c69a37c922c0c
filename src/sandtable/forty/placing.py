"""What is said about models that are set up where they may not be."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.forty.state import Unit, World40, called, called_all
from sandtable.kit.cites import Cites, cite
from sandtable.kit.room import Outline, far_from_area
from sandtable.table.grid import Ints, units
from sandtable.table.measure import distances
from sandtable.table.moves import Code
from sandtable.table.shapes import Bodies


def no_room(*, edge: str, models: str, terrain: str) -> Cites:
    """What is said of a place where nobody can stand, with the rules of an edition behind it."""
    return Cites(
        {
            Code.EDGE: cite("{who} would hang over the edge of the battlefield at {place}.", edge),
            Code.END_MODEL: cite("{who} would stand on another model at {place}.", models),
            Code.END_WALL: cite("{who} would stand in a wall at {place}.", terrain),
            Code.END_SOLID: cite("{who} would stand inside a terrain feature at {place}.", terrain),
            Code.END_CEILING: cite("{who} would stand inside a floor at {place}.", terrain),
            Code.END_FLOOR: cite("{who} would have nothing to stand on at {place}.", terrain),
        },
        called_all,
    )


def outside(w: World40, bodies: Bodies, models: Sequence[int], zone: Outline) -> str:
    """Some models would stand outside a deployment zone: how far, and where the zone is."""
    far = max(far_from_area(w, bodies, m, zone) for m in models)
    corners = "; ".join(f"{units(x):g}, {units(y):g}" for x, y in zone)
    off = f'{units(far):.2f}" outside the deployment zone, whose corners are {corners}'
    return f"{called_all(w, models)} would stand up to {off}."


def how_near(w: World40, bodies: Bodies, models: Ints, enemies: Sequence[Unit]) -> str:
    """Who of some models would be set up how near to the nearest of some enemies."""
    gaps_to = [distances(bodies, w.shapes, models, w.on_table(e)) for e in enemies]
    found, enemy = min(zip(gaps_to, enemies, strict=True), key=lambda pair: float(pair[0].min()))
    nearest = called(w, int(models[int(found.min(axis=1).argmin())]))
    return f'{nearest} would be set up {units(float(found.min())):.2f}" from {enemy.name}'
