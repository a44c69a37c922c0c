"""Before the battle, and arrivals during it: where units are set up."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

import msgspec
import numpy as np

from sandtable.battle import Choose, Place, Spot
from sandtable.battle.tactics import Idea
from sandtable.forty.markers import markers_of, on_the_table
from sandtable.forty.mind.force import arsenal
from sandtable.forty.mind.ground import open_lines, sheltered
from sandtable.forty.mind.lines import inside_area
from sandtable.forty.mind.mind import mind_of
from sandtable.forty.mind.outlook import outlook, units_among
from sandtable.forty.mind.places import weigh
from sandtable.forty.mind.style import GUNLINE, RUSHER, TACTICIAN, Style
from sandtable.forty.mission import own_zone
from sandtable.forty.state import Unit, World40
from sandtable.kit.grammar import does
from sandtable.kit.room import Outline, anchors, models_to_place, spots_at
from sandtable.table.grid import STEP, TURN, Floats
from sandtable.table.scatter import bearing

TRIES: Final = 4
"""Places that are tried before the search for any room takes over"""
SIDES: Final = 12
ROUNDED: Final = 0.7
"""How far the corners of a unit are out, in its half widths"""
NEARER: Final = 1.2
"""What an inch nearer to a marker is worth to a unit that can hold it"""
OVERLOOKING: Final = 3.0
"""What a view of the whole enemy zone is worth to a unit that shoots, in inches nearer to a marker"""
EXPOSED: Final = 3.0
"""What it costs a unit that does not"""
LOOKOUTS: Final = (0.15, 0.5, 0.85)
"""Where enemies are expected in their deployment zone, as shares of its width and depth"""
TAKEN: Final = 9.0
"""Inches by which a marker seems further away for each friend that was set up near it"""
WORTH_COMING: Final = 10.0
"""Points that an arrival in the first round must bring"""
TOO_NEAR: Final = 500.0
PITCH: Final = 3.5
"""Inches between the places that are looked at"""


def who_deploys(w: World40, d: Choose, style: Style) -> Iterator[Idea]:
    """The dearest units last, when most of the enemy is known."""
    data = arsenal(w)

    def cost(unit: Unit) -> tuple[float, int]:
        return float(data.points[list(unit.models)].sum()), unit.id

    for unit in sorted(units_among(w, d), key=cost)[:1]:
        yield Idea(unit.id, 1.0, f"{does(unit, 'shows')} least of the plan.")


def who_deploys_before_passengers(w: World40, d: Choose, style: Style) -> Iterator[Idea]:
    """The same, transports before those whom the army list puts into them."""
    waiting, roster = [o.value for o in d.options], w.setup.data.roster
    free = tuple(o for o in d.options if not roster or roster[int(o.value)].embark not in waiting)
    return who_deploys(w, msgspec.structs.replace(d, options=free or d.options), style)


def _middle_of(zone: Outline) -> Floats:
    corners = np.array(zone, dtype=np.float64) / STEP
    return np.asarray((corners.min(axis=0) + corners.max(axis=0)) / 2)


def _spread_over(zone: Outline) -> Floats:
    """Some places all over a deployment zone."""
    corners = np.array(zone, dtype=np.float64) / STEP
    low, size = corners.min(axis=0), np.ptp(corners, axis=0)
    return np.array([low + size * (x, y) for x in LOOKOUTS for y in LOOKOUTS])


def where_to_deploy(w: World40, d: Place, style: Style) -> Iterator[Idea]:
    """Near the markers for those who hold them, in cover, with a view for those who shoot."""
    unit = w.unit(d.unit)
    rooms = mind_of(w).rooms_to_deploy(w, unit)
    area = d.area or rooms[-1].areas[0]
    places = _spots_in(w, unit, area)
    score = _deploy_score(w, unit, places, style)
    for k in np.argsort(-score, kind="stable")[:TRIES]:
        anchor = (round(float(places[k, 0]) * STEP), round(float(places[k, 1]) * STEP))
        spots = spots_at(w, rooms[0], anchor, area, tries=2)
        if spots is not None:
            yield Idea(spots, float(score[k]), f"{does(unit, 'does')} most from there.")


def _spots_in(w: World40, unit: Unit, area: Outline) -> Floats:
    """Places all over an area for the middle of a unit, as far from its edges as the unit is wide."""
    models = models_to_place(w, unit)
    base = float(w.shapes.reach[w.ground.shape[models[0]]]) / STEP
    half = (base + 0.15) * len(models) ** 0.5
    corners = np.array(area, dtype=np.float64) / STEP
    low, high = corners.min(axis=0), corners.max(axis=0)
    rows = []
    for k in (0, 1):
        inset = min(half, float(high[k] - low[k]) / 2)
        count = max(1, round(float(high[k] - low[k] - 2 * inset) / PITCH) + 1)
        rows.append(
            np.linspace(low[k] + inset, high[k] - inset, count) if count > 1 else np.array([(low[k] + high[k]) / 2])
        )
    places = np.array([(x, y) for y in rows[1] for x in rows[0]])
    # Zones need not be rectangles: the unit's corners have to be inside, too.
    fits = np.ones(len(places), dtype=np.bool_)
    for dx, dy in ((-1, -1), (-1, 1), (1, -1), (1, 1)):
        fits &= inside_area(places + np.array([dx, dy]) * half * ROUNDED, corners)
    return places[fits] if fits.any() else places


def _deploy_score(w: World40, unit: Unit, places: Floats, style: Style) -> Floats:
    data, models = arsenal(w), list(unit.models)
    theirs = mind_of(w).enemy_zone(w, unit.player)
    foe = _middle_of(theirs)
    off = places - foe
    ahead = np.sqrt(off[:, 0] ** 2 + off[:, 1] ** 2)
    crowd = _crowd(w, unit, places)
    if style.name == RUSHER:
        return np.asarray(-ahead - crowd)
    far_fire = float(data.fire[data.kind[models], 4].mean(axis=1).sum())
    melee = float(data.strike[data.kind[models]].mean(axis=1).sum())
    shooter = far_fire / max(0.1, far_fire + melee)
    shelter = sheltered(w, places) & (len(models) <= mind_of(w).cover_for)
    # The share of the enemy deployment zone from which a place is seen, and which is seen from there.
    view = open_lines(w, places, _spread_over(theirs)).mean(axis=1)
    score = 4.0 * shelter - crowd
    markers = markers_of(w)
    if markers:
        spots = np.array([(x / STEP, y / STEP) for x, y, _ in markers])
        gap = places[:, None, :] - spots[None, :, :]
        near = np.sqrt(gap[:, :, 0] ** 2 + gap[:, :, 1] ** 2)
        taken = _sent(w, unit, spots, style)
        hold = min(1.0, float(data.hold[models].sum()) / 5)
        score = score - NEARER * hold * (near + taken[None, :]).min(axis=1)
    if style.name == GUNLINE:
        return np.asarray(score + 3.0 * view + 0.05 * ahead)
    seen = OVERLOOKING * shooter * view - EXPOSED * (1 - shooter) * view
    return np.asarray(score + seen + 0.25 * (shooter - 0.6) * ahead)


def _crowd(w: World40, unit: Unit, places: Floats) -> Floats:
    """Friends that stand there already are in the way."""
    o = outlook(w)
    mine = [r for r, u in enumerate(o.units) if w.unit(u).player == unit.player]
    if not mine:
        return np.zeros(len(places))
    off = places[:, None, :] - o.field.at[mine][None, :, :]
    near = np.sqrt(off[:, :, 0] ** 2 + off[:, :, 1] ** 2) - o.field.wide[mine][None, :]
    return np.asarray(np.maximum(0.0, 4.0 - near).sum(axis=1))


def _sent(w: World40, unit: Unit, spots: Floats, style: Style) -> Floats:
    """Inches by which a marker seems further away for each friend that was set up near it."""
    o = outlook(w)
    mine = [r for r, u in enumerate(o.units) if w.unit(u).player == unit.player]
    found = np.zeros(len(spots))
    for r in mine:
        off = spots - o.field.at[r]
        found[int((off[:, 0] ** 2 + off[:, 1] ** 2).argmin())] += TAKEN
    more = mind_of(w).garrison
    if not more or style.name != TACTICIAN:
        return found
    # Nobody comes there soon: one unit is enough for a while.
    at_home = inside_area(spots, np.array(own_zone(w, unit.player), dtype=np.float64) / STEP)
    return np.asarray(np.where(at_home & (found > 0), found + more, found))


# --- Arrivals ---------------------------------------------------------------------------------------------------------


def who_arrives(w: World40, d: Choose, style: Style) -> Iterator[Idea]:
    """Whoever has something to do where it may arrive; in the first round the others wait for a better moment."""
    found = []
    for unit in units_among(w, d):
        best = max((i.worth for i in islice(_arrivals(w, unit, style), 1)), default=0.0)
        found.append((best, unit))
    for worth, unit in sorted(found, key=lambda f: (-f[0], f[1].id))[:1]:
        if d.optional and style.name == TACTICIAN and w.state.round == 1 and worth < WORTH_COMING:
            yield Idea(None, 0.0, f"{does(unit, 'waits')} in Reserves: there is nothing to do yet.")
        else:
            yield Idea(unit.id, worth, f"{does(unit, 'has')} something to do on the table.")


def where_to_arrive(w: World40, d: Place, style: Style) -> Iterator[Idea]:
    """From Reserves: near a marker that nobody holds for us, or near what can be shot."""
    yield from _arrivals(w, w.unit(d.unit), style)


def _arrivals(w: World40, unit: Unit, style: Style) -> Iterator[Idea]:
    o = outlook(w)
    room = mind_of(w).room_to_arrive(w, unit)
    found = [(place, strip) for strip in room.areas for place in anchors(w, strip)]
    places = np.array([place for place, _ in found], dtype=np.float64) / STEP
    foes = np.array([r for r, u in enumerate(o.units) if w.are_enemies(unit, w.unit(u))], dtype=np.int64)
    score = np.zeros(len(places))
    if len(foes):
        off = places[:, None, :] - o.field.at[foes][None, :, :]
        near = (np.sqrt(off[:, :, 0] ** 2 + off[:, :, 1] ** 2) - o.field.wide[foes][None, :]).min(axis=1)
        apart = room.apart.flat / STEP
        score -= np.where(near < apart + 1.0, TOO_NEAR, 0.0)
        if style.name == RUSHER:
            score -= np.maximum(0.0, near - (apart + 0.5))
    if style.name != RUSHER:
        score += weigh(w, unit, style, places).total
    for k in np.argsort(-score, kind="stable")[:TRIES]:
        place, strip = found[int(k)]
        spots_ = spots_at(w, room, place, strip, tries=1)
        if spots_ is not None:
            yield Idea(spots_, float(score[k]), f"{does(unit, 'does')} most when arriving there.")


def where_to_get_out(w: World40, d: Place, style: Style) -> Iterator[Idea]:
    """Out of a transport, on the side of the nearest marker or enemy."""
    unit = w.unit(d.unit)
    transport, o = int(d.about["transports"][0]), outlook(w)
    here = w.state.models.pos[transport, :2] / STEP
    goals = [o.field.at[r] for r, u in enumerate(o.units) if w.are_enemies(unit, w.unit(u))]
    if style.name != RUSHER:
        goals = [np.array([x / STEP, y / STEP]) for x, y, _ in on_the_table(w)] or goals
    if not goals:
        return
    near = min(goals, key=lambda g: float(((g - here) ** 2).sum()))
    spots = best_side(w, unit, transport, near - here)
    if spots is not None:
        yield Idea(spots, 1.0, f"{does(unit, 'gets')} out to fight.")


def best_side(w: World40, unit: Unit, transport: int, ahead: Floats) -> tuple[Spot, ...] | None:
    """Room beside a transport, first looked for in one direction."""
    facing = int(w.state.models.facing[transport])
    wanted = int(bearing(int(ahead[0] * STEP), int(ahead[1] * STEP))) - facing
    first = round(wanted / (TURN / SIDES)) % SIDES
    swing = [(k + 1) // 2 * (1 if k % 2 else -1) for k in range(SIDES)]
    sides = [(first + s) % SIDES for s in swing]
    return mind_of(w).room_beside(w, unit, transport, sides)
