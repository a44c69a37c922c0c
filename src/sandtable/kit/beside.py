"""Setting a unit up beside a model, such as the transport that it gets out of."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np

from sandtable.battle.decisions import Place, Spot
from sandtable.battle.kept import EVERYTHING, kept
from sandtable.battle.state import AnyUnit
from sandtable.battle.system import Question
from sandtable.battle.verdict import ALLOWED, Verdict
from sandtable.kit.asking import place_of
from sandtable.kit.flags import hostile
from sandtable.kit.room import Room, Spots
from sandtable.table.arrange import clear_of, spread
from sandtable.table.cores import place_core
from sandtable.table.grid import COS, SIN, STEP, TRIG_SCALE, TURN, Ints
from sandtable.table.scatter import offset
from sandtable.table.zones import Ball, Zone

if TYPE_CHECKING:
    from sandtable.battle.system import AnyWorld

RoomBeside: TypeAlias = Callable[[Any, Any, tuple[int, ...], tuple[int, ...], int], Room]
"""(world, unit, models of it, models beside which they are set up, how near): the conditions of that."""

SIDES: Final = 12
"""From so many sides of a model the search for room begins."""
CORNERS: Final = 48
"""Corners of the outline around a model that stands for a distance from it."""
RINGS: Final = 12
"""At so many distances from a model gaps are looked for..."""
PLACES: Final = 100
"""...of which about so many are tried, evenly spread..."""
LOOKS: Final = 120
"""...and so many times it is asked whether models find a place together."""
STAYS: Final = 0.3
"""How often it is proposed to stay where one is, if that is open"""


def outline(w: AnyWorld, model: int, reach: int) -> Ints:
    """An outline within which everything is wholly within reach of a model."""
    core = np.empty((w.shapes.core.shape[1], 2), dtype=np.int64)
    shape = int(w.ground.shape[model])
    x, y, _ = (int(v) for v in w.state.models.pos[model])
    corners = place_core(w.shapes, shape, x, y, int(w.state.models.facing[model]), core)
    # Two steps less, since corners are rounded to the grid.
    far = reach + int(w.shapes.radius[shape]) - 2
    out = []
    for k in range(CORNERS):
        direction = k * TURN // CORNERS
        dx, dy = offset(0, 0, direction, STEP)
        cx, cy = max(((int(px), int(py)) for px, py in core[:corners]), key=lambda p: (p[0] * dx + p[1] * dy, p))
        out.append(offset(cx, cy, direction, far))
    return np.array([(int(px), int(py)) for px, py in out], dtype=np.int64)


def perimeter(w: AnyWorld, model: int, far: int, pace: int) -> Ints:
    """Places so far from the edge of a model's base, all around it and hardly more than a pace from each other."""
    core = np.empty((w.shapes.core.shape[1], 2), dtype=np.int64)
    shape = int(w.ground.shape[model])
    x, y, _ = (int(v) for v in w.state.models.pos[model])
    corners = core[: place_core(w.shapes, shape, x, y, int(w.state.models.facing[model]), core)]
    far += int(w.shapes.radius[shape])
    turns = np.arange(CORNERS) * TURN // CORNERS
    towards = np.stack([COS[turns], SIN[turns]], axis=1) / TRIG_SCALE
    outermost = corners[(corners[:, None] * towards).sum(axis=2).argmax(axis=0)]
    out: list[tuple[float, float]] = []
    for corner, following, direction in zip(outermost, np.roll(outermost, -1, axis=0), towards, strict=True):
        out.append(tuple(corner + far * direction))
        side = following - corner
        long = math.sqrt(side[0] * side[0] + side[1] * side[1])
        if long:
            # The straight part beside an edge of the base.
            edge = corner + far * np.array([side[1], -side[0]]) / long
            out += [tuple(edge + side * k * pace / long) for k in range(int(long) // pace + 1)]
    return np.ceil(out).astype(np.int64)


def find_beside(
    w: AnyWorld, room: Room, models: Sequence[int], reach: int, sides: Sequence[int] = range(SIDES)
) -> Spots | None:
    """Legal places wholly within reach of one of some models, if a bounded search finds some."""
    around = (_around(w, room, model, reach, sides) for model in models)
    return next((spots for spots in around if spots is not None), None)


def _around(w: AnyWorld, room: Room, model: int, reach: int, sides: Sequence[int]) -> Spots | None:
    rows = np.array(room.models, dtype=np.int64)
    bodies = room.things(w.bodies)
    here = np.ones(len(bodies.shape), dtype=np.int64)
    here[: len(w.state.models.place)] = 0
    here[w.all_on_table()] = 1
    zoned = np.zeros(len(here), dtype=np.int64)
    for enemy in w.enemies_of(w.unit(room.unit).player):
        zoned[w.on_table(enemy)] = 1
    closed = _one_step_more(room.apart)
    clear = clear_of(w.bodies, w.terrain, blocked=here, zone=closed, zoned=zoned, area=outline(w, model, reach))
    x, y, z = (int(v) for v in w.state.models.pos[model])
    facing = int(w.state.models.facing[model])
    away = int(w.shapes.reach[w.ground.shape[model]]) + reach // 2
    for side in sides:
        anchor = offset(x, y, facing + side * TURN // SIDES, away)
        found = spread(
            bodies,
            w.shapes,
            w.terrain,
            rows,
            (int(anchor[0]), int(anchor[1])),
            facing=facing,
            clear=clear,
            coherency=room.together,
            z=z,
            tries=1,
        )
        if not found.legal:
            continue
        spots = tuple(
            Spot(int(m), int(p[0]), int(p[1]), int(p[2]), int(f))
            for m, p, f in zip(rows, found.pos, found.facing, strict=True)
        )
        if room.accept(spots):
            return spots
    return None


def _one_step_more(apart: Zone | Ball) -> Zone | Ball:
    """So that who is found just outside of it is outside after all, whatever was rounded."""
    return apart._replace(flat=apart.flat + 1) if isinstance(apart, Zone) else apart.grown(1)


# --- The question -----------------------------------------------------------------------------------------------------


def place_beside(
    w: AnyWorld, unit: AnyUnit, kind: str, prompt: str, beside: Sequence[int], reach: int, *rules: str, **more: Any
) -> Place:
    """Where models of a unit are set up, so near to one of some models."""
    return place_of(w, unit, kind, prompt, *rules, about={"transports": list(beside), "reach": reach}, **more)


def beside_whom(d: Place) -> tuple[int, ...]:
    """The models that a question wants a unit set up beside; any of them will do..."""
    return tuple(int(m) for m in d.about["transports"])


def within(d: Place) -> int:
    """...and how near to them."""
    return int(d.about["reach"])


@kept(EVERYTHING)
def spots_beside(
    w: AnyWorld, room: RoomBeside, unit: AnyUnit, models: tuple[int, ...], beside: tuple[int, ...], reach: int
) -> Spots | None:
    """Legal places for models of a unit, within reach of one of some models, if a bounded search finds some."""
    together = find_beside(w, room(w, unit, models, beside, reach), beside, reach)
    if together is not None:
        return together
    found = _one_by_one(w, room, unit, models, beside, reach)
    return found if len(found) == len(models) else None


def room_beside_for(
    w: AnyWorld, room: RoomBeside, unit: AnyUnit, models: tuple[int, ...], beside: tuple[int, ...], reach: int
) -> int:
    """How many of some models, from the first on, a bounded search finds legal places for."""
    if spots_beside(w, room, unit, models, beside, reach) is not None:
        return len(models)
    least = len(_one_by_one(w, room, unit, models, beside, reach))
    for number in range(len(models) - 1, least, -1):
        if find_beside(w, room(w, unit, models[:number], beside, reach), beside, reach) is not None:
            return number
    return least


@kept(EVERYTHING)
def _one_by_one(
    w: AnyWorld, room: RoomBeside, unit: AnyUnit, models: tuple[int, ...], beside: tuple[int, ...], reach: int
) -> Spots:
    """Places for as many models as find one each, in gaps where no block of them fits."""
    spots: dict[int, list[Spot]] = {}
    for model in models:
        shape = int(w.ground.shape[model])
        if shape not in spots:
            alone = room(w, unit, (model,), beside, reach)
            around = (s for x in beside for s in _ring(w, alone.apart, unit, model, x, reach))
            spots[shape] = [s for s in around if alone.accept((s,))]
    best: Spots = ()
    looks = LOOKS

    def go_on(found: Spots) -> bool:
        nonlocal best, looks
        if len(found) > len(best):
            best = found
        if len(best) == len(models):
            return True
        model = models[len(found)]
        conditions = room(w, unit, models[: len(found) + 1], beside, reach)
        for spot in _nearest(w, spots[int(w.ground.shape[model])], model, found, conditions.together.reach):
            if not looks:
                return True
            looks -= 1
            if conditions.accept(more := (*found, spot)) and go_on(more):
                return True
        return False

    go_on(())
    return best


def _ring(w: AnyWorld, apart: Zone | Ball, unit: AnyUnit, model: int, beside: int, reach: int) -> list[Spot]:
    """Places all around a model that nobody stands on, and no enemy is too near to; those next to it come first."""
    z, facing = int(w.state.models.pos[beside][2]), int(w.state.models.facing[beside])
    own = int(w.shapes.reach[w.ground.shape[model]])
    most = max(0, reach - 2 * own)
    far = (own + ring * most // (RINGS - 1) for ring in range(RINGS))
    points = np.concatenate([perimeter(w, beside, gap, own) for gap in far])
    others = w.all_on_table()
    wide = w.shapes.radius[w.ground.shape]
    near = wide[others] + wide[model]
    near[hostile(w, unit.player)[others]] += apart.flat
    off = points[:, None, :] - w.state.models.pos[others][None, :, :2]
    free = points[((off**2).sum(axis=2) > near**2).all(axis=1)]
    return [Spot(model, x, y, z, facing) for x, y in free[:: 1 + len(free) // PLACES].tolist()]


def _nearest(w: AnyWorld, spots: Sequence[Spot], model: int, found: Spots, together: int) -> list[Spot]:
    """Spots that none of those stands on who were given a place, and one is near; those next to the last come first."""
    if not found or not spots:
        return [Spot(model, s.x, s.y, s.z, s.facing) for s in spots]
    rows = [f.model for f in found]
    off = np.array([(s.x, s.y) for s in spots])[:, None, :] - np.array([(f.x, f.y) for f in found])
    far = (off**2).sum(axis=2)
    narrow, wide = w.shapes.radius[w.ground.shape], w.shapes.reach[w.ground.shape]
    free = (far >= (narrow[model] + narrow[rows]) ** 2).all(axis=1)
    near = (far <= (wide[model] + wide[rows] + together) ** 2).any(axis=1)
    order = np.argsort(far[:, -1], kind="stable")
    return [Spot(model, s.x, s.y, s.z, s.facing) for s in (spots[i] for i in order if free[i] and near[i])]


def setting_up_beside(
    room_beside: RoomBeside, *, may_stay: bool, find: Callable[[Any, Room, int, int], Spots] | None = None
) -> Question:
    """The question where a unit is set up beside a model; by itself it stays, or is set up where there is room.

    `find` looks for places in a way of its own: (world, room, model beside which, how near).
    """

    def room(w: AnyWorld, d: Place) -> Room:
        return room_beside(w, w.unit(d.unit), d.models, beside_whom(d), within(d))

    def default(w: AnyWorld, d: Place) -> Spots | None:
        if find is not None:
            return find(w, room(w, d), beside_whom(d)[0], within(d))
        return None if may_stay else spots_beside(w, room_beside, w.unit(d.unit), d.models, beside_whom(d), within(d))

    def judge(w: AnyWorld, d: Place, answer: Spots | None) -> Verdict:
        return ALLOWED if answer is None else room(w, d).accept(answer)

    def suggest(w: AnyWorld, d: Place, rng: Random) -> Iterator[Spots | None]:
        if d.optional and rng.random() < STAYS:
            yield None
        if find is not None:
            yield find(w, room(w, d), beside_whom(d)[0], within(d))
            return
        sides = list(range(SIDES))
        rng.shuffle(sides)
        found = find_beside(w, room(w, d), beside_whom(d), within(d), sides)
        if found is not None:
            yield found

    return Question(judge=judge, default=default, suggest=suggest)
