"""Where on the table something lies, as missions call it: zones, territories, homes, quarters and the middle."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from sandtable.battle.kept import SETUP, kept
from sandtable.forty.markers import markers_of
from sandtable.forty.mission import attacker_of, mission_of, zones_of
from sandtable.forty.state import World40
from sandtable.kit.areas import NO_AREA, area_at, areas_of
from sandtable.kit.missions import on_map
from sandtable.kit.room import Outline
from sandtable.table.grid import steps
from sandtable.table.measure import area_gap

if TYPE_CHECKING:
    from sandtable.table.shapes import Bodies

HOME: Final = "home"
ROLES: Final = ("central", "expansion")
BORDER: Final = steps(0.5)
"""Half the width of the border between territories."""


def lies(w: World40, marker: int, player: int, where: str) -> bool:
    """Whether a marker lies where a way of scoring looks."""
    if where == "all":
        return True
    if where in ROLES:
        return role_of(w, marker) == where
    x, y, _ = markers_of(w)[marker]
    if where.endswith("home"):
        role = role_of(w, marker)
        # Without a word, a home is what lies in a zone; else it may lie a little in front of it.
        kind = "ground" if role == HOME else "zone"
        whose = "enemy" if where == "enemy home" else "own"
        found = role in (HOME, "") and spot_lies(w, x, y, player, f"{whose} {kind}")
        return found != (where == "not own home")
    return spot_lies(w, x, y, player, where)


def role_of(w: World40, marker: int) -> str:
    """What an objective is to both players; empty where the mission does not say."""
    mission = mission_of(w)
    return mission.roles[marker] if mission is not None and marker < len(mission.roles) else ""


def spot_lies(w: World40, x: int, y: int, player: int, where: str) -> bool:
    """Whether a place on the table is where a way of scoring looks."""
    zones, lands = zones_of(w), territories(w)
    own = 0 if w.side(player) == w.side(attacker_of(w)) else 1
    return _lies(
        w, (x, y), zones[own], zones[1 - own], lands[own] if lands else (), lands[1 - own] if lands else (), where
    )


@kept(SETUP)
def _lies(
    w: World40, spot: tuple[int, int], own: Outline, enemy: Outline, land: Outline, abroad: Outline, where: str
) -> bool:
    x, y = spot
    match where:
        case "all":
            return True
        case "no man's land":
            return not _inside(own, x, y) and not _inside(enemy, x, y)
        case "not own zone":
            return not _inside(own, x, y)
        case "own zone" | "enemy zone":
            return _inside(own if where == "own zone" else enemy, x, y)
        case "own territory" | "enemy territory":
            mine = where == "own territory"
            if land:
                return _well_inside(land if mine else abroad, x, y)
            return (_far(own, x, y) < _far(enemy, x, y)) if mine else (_far(enemy, x, y) < _far(own, x, y))
        case "own ground":  # a home lies in a zone, or at least in a territory
            return _inside(own, x, y) or (bool(land) and not _inside(enemy, x, y) and _inside(land, x, y))
        case _:
            return _inside(enemy, x, y) or (bool(land) and not _inside(own, x, y) and _inside(abroad, x, y))


def _far(zone: Outline, x: int, y: int) -> int:
    """How far a place is from the middle of a zone, squared, in whole numbers."""
    n = len(zone)
    return int((sum(c[0] for c in zone) - n * x) ** 2 + (sum(c[1] for c in zone) - n * y) ** 2) // (n * n)


def _well_inside(zone: Outline, x: int, y: int) -> bool:
    """Whether a point lies in an outline and not on its border; what lies across it is in neither territory."""
    return all(_inside(zone, x + dx, y + dy) for dx in (-BORDER, BORDER) for dy in (-BORDER, BORDER))


def _inside(zone: Outline, x: int, y: int) -> bool:
    """Whether a point lies in an outline; in whole numbers."""
    found = False
    for (ax, ay), (bx, by) in zip(zone, (*zone[1:], zone[0]), strict=True):
        if (ay > y) != (by > y):
            cross = (bx - ax) * (y - ay) - (x - ax) * (by - ay)
            found ^= (cross > 0) == (by > ay)
    return found


# --- Territories and quarters -----------------------------------------------------------------------------------------


def territories(w: World40) -> tuple[Outline, ...]:
    """The Attacker's and the Defender's territory; none where the mission draws none."""
    return _territories(w, w.state.game.wish)


@kept(SETUP)
def _territories(w: World40, wish: int) -> tuple[Outline, ...]:
    data = w.setup.data
    mission = data.mission if wish < 0 else data.wishes[wish].mission
    if mission is None or mission.territories is None:
        return ()
    size = (w.table.width, w.table.depth)
    return tuple(tuple(on_map(spot, *size) for spot in land) for land in mission.territories)


def own_territory(w: World40, player: int) -> Outline:
    """A player's territory; their deployment zone where the mission draws none."""
    own = 0 if w.side(player) == w.side(attacker_of(w)) else 1
    return (territories(w) or zones_of(w))[own]


@kept(SETUP)
def quarters(w: World40) -> tuple[Outline, ...]:
    """The quarters of the table."""
    wide, deep = w.table.width, w.table.depth
    xs, ys = ((0, wide // 2), (wide // 2, wide)), ((0, deep // 2), (deep // 2, deep))
    return tuple(((x0, y0), (x1, y0), (x1, y1), (x0, y1)) for x0, x1 in xs for y0, y1 in ys)


def far_from_middle(w: World40, bodies: Bodies, model: int) -> float:
    """How far a model is from the middle of the table, in grid steps."""
    x, y = w.table.width // 2, w.table.depth // 2
    middle = np.array([(x, y), (x + 1, y), (x, y + 1)], dtype=np.int64)
    return float(area_gap(bodies, w.shapes, model, middle, len(middle)))


# --- Terrain areas ----------------------------------------------------------------------------------------------------


def area_lies(w: World40, area: int, player: int, where: str) -> bool:
    """Whether a terrain area is where something looks, by the middle of its outline."""
    x, y = middle_of_area(w, area)
    return where == "all" or spot_lies(w, x, y, player, where)


@kept(SETUP)
def middle_of_area(w: World40, area: int) -> tuple[int, int]:
    """The middle of the corners of a terrain area, with all its parts."""
    parts = np.flatnonzero(areas_of(w) == area).tolist()
    outline = [corner for part in parts for corner in w.table.features[part].outline]
    return sum(c[0] for c in outline) // len(outline), sum(c[1] for c in outline) // len(outline)


def is_objective(w: World40, area: int) -> bool:
    """Whether a terrain area is an objective: a marker lies in it."""
    spots = markers_of(w)
    return area != NO_AREA and any(area_at(w, x, y) == area for x, y, _ in spots)
