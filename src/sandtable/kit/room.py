"""Setting a unit up: where there is room for it, and what is in the way of its models."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np
from msgspec.structs import replace

from sandtable.battle.decisions import Place, Spot
from sandtable.battle.state import GONE, TABLE, AnyUnit
from sandtable.battle.system import Goal, Question
from sandtable.battle.verdict import ALLOWED, Fact, Verdict
from sandtable.kit.cites import Cites
from sandtable.kit.flags import clear_among, hostile
from sandtable.kit.sweeps import Offence, concerned
from sandtable.table.arrange import FAR, Arrangement, Clear, arrange, spread
from sandtable.table.coherency import Coherency
from sandtable.table.cores import place_core
from sandtable.table.grid import STEP, TOUCHING, TURN, Ints, steps, units
from sandtable.table.measure import area_gap, far_area_gap, far_distance, gaps, wholly_in_area
from sandtable.table.moves import Code, may_end, obstacles
from sandtable.table.shapes import Bodies
from sandtable.table.zones import Ball, Zone

if TYPE_CHECKING:
    from sandtable.battle.system import AnyBattle, AnyWorld

Outline: TypeAlias = Sequence[tuple[int, int]]
Spots: TypeAlias = "tuple[Spot, ...]"

ANYWHERE: Final[Outline] = ()
"""The area that is the whole table"""
PITCH: Final = 5 * STEP
"""How far apart the places are that a search for room looks at."""
NEAR: Final = 12
"""So many further places near the one that was named are tried, if there is no room at it."""
NOBODY: Final = float(1 << 20)
"""Further than any two models are apart"""


@dataclass(frozen=True)
class Room:
    """Where a unit may be set up, and what is asked of it there.

    The search keeps to the areas, away from enemies and together; what it finds is put before `accept`, which holds all
    conditions and has the last word.
    """

    unit: int
    models: tuple[int, ...]
    areas: tuple[Outline, ...]
    """Every base is wholly within one of these"""
    apart: Zone | Ball
    """How near to an enemy nobody is set up"""
    together: Coherency
    accept: Callable[[Spots], Verdict]
    things: Callable[[Bodies], Bodies] = lambda bodies: bodies
    """Models, and whatever else nobody may stand on"""
    ideas: int = 4
    """How many places are proposed at random"""
    stands: Callable[[Spots], Verdict] = lambda spots: ALLOWED
    """Whether the last of some models may stand where it is, for who sets models up one by one"""


def models_to_place(w: AnyWorld, unit: AnyUnit) -> tuple[int, ...]:
    """The models of a unit that are not on the table, and not out of play."""
    place = w.state.models.place
    return tuple(m for m in unit.models if place[m] not in (TABLE, GONE))


def room_apart(
    w: AnyWorld,
    unit: AnyUnit,
    areas: Sequence[Outline],
    near: Zone,
    together: Callable[[int], Coherency],
    accept: Callable[[Spots], Verdict],
    *,
    gap: int = 0,
    **more: Any,
) -> Room:
    """Room for the models of a unit that are not on the table, none of them `near` an enemy.

    With a gap, they are so far from enemies of any height; `together` says how many models keep together, and `more`
    are fields of `Room`.
    """
    models, apart = models_to_place(w, unit), Zone(max(gap, near.flat), FAR) if gap else near
    return Room(unit.id, models, tuple(areas), apart, together(len(models)), accept, **more)


def put_down(b: AnyBattle, spots: Sequence[Spot]) -> None:
    """Models come onto the table."""
    models = [s.model for s in spots]
    b.move_models(models, [(s.x, s.y, s.z) for s in spots], [s.facing for s in spots])
    b.place_models(models, TABLE)


def setting_up(
    rooms: Callable[[Any, Any], Sequence[Room]],
    default: Callable[[Any, Any], Spots | None],
    left_out: Callable[[Any, Any], Verdict] = lambda _w, _unit: ALLOWED,
) -> Question:
    """The question where a unit is set up. The rooms share their conditions; `left_out` judges who sets up nobody.

    All of them are asked about a world and a unit.
    """

    def judge(w: AnyWorld, d: Place, answer: Spots | None) -> Verdict:
        unit = w.unit(d.unit)
        return left_out(w, unit) if answer is None else rooms(w, unit)[0].accept(answer)

    def suggest(w: AnyWorld, d: Place, rng: Random) -> Iterator[Spots]:
        for room in rooms(w, w.unit(d.unit)):
            yield from some_places(w, room, rng)

    def towards(w: AnyWorld, d: Place, goal: Goal) -> Iterator[Spots]:
        for room in rooms(w, w.unit(d.unit)):
            yield from places_near(w, room, goal)

    return Question(judge=judge, default=lambda w, d: default(w, w.unit(d.unit)), suggest=suggest, towards=towards)


# --- Judging ----------------------------------------------------------------------------------------------------------


def placed(w: AnyWorld, spots: Iterable[Spot]) -> Bodies:
    """Bodies as they would be with models set up at these spots."""
    pos, facing = w.state.models.pos.copy(), w.state.models.facing.copy()
    for s in spots:
        pos[s.model], facing[s.model] = (s.x, s.y, s.z), s.facing
    return Bodies(pos, facing, w.ground.shape)


def rows_of(spots: Iterable[Spot]) -> Ints:
    """The models that are set up."""
    return np.array([s.model for s in spots], dtype=np.int64)


def check_free(w: AnyWorld, bodies: Bodies, models: Ints, cites: Cites) -> Verdict:
    """Whether nobody who is set up stands on anybody, in a wall, in the air, or over the edge."""
    taken = np.asarray(w.state.models.place == TABLE)
    taken[models] = True
    blocks = obstacles(len(taken), w.terrain, end_block=taken)
    for m in models.tolist():
        spot = np.array([[*bodies.pos[m], bodies.facing[m]]], dtype=np.int64)
        code, what = (int(v) for v in may_end(bodies, w.shapes, w.terrain, m, spot, blocks)[0, :2])
        if code != Code.OK:
            offence = Offence(m, Code(code), what)
            x, y, z = (units(int(v)) for v in bodies.pos[m])
            place = f"{x:.1f}, {y:.1f}" + (f', {z:.1f}" up' if z else "")
            facts: dict[str, Fact] = {"model": m, **concerned(w, offence)}
            told = cites.by[offence.code].reason((), facts, who=cites.who(w, (m,)), place=place)
            return Verdict(False, (replace(told, models=(m,)),))
    return ALLOWED


def outline_of(area: Outline) -> Ints:
    """An outline as an array."""
    return np.array(area, dtype=np.int64).reshape(len(area), 2)


def is_wholly_in(w: AnyWorld, bodies: Bodies, model: int, area: Outline) -> bool:
    """Whether every part of a base is within an outline."""
    return bool(wholly_in_area(bodies, w.shapes, model, outline_of(area), len(area)))


def gap_to_area(w: AnyWorld, bodies: Bodies, model: int, area: Outline) -> float:
    """How far a base is from an outline; 0 or less where it is in it."""
    return float(area_gap(bodies, w.shapes, model, outline_of(area), len(area)))


def far_from_models(w: AnyWorld, bodies: Bodies, model: int, others: Iterable[int]) -> float:
    """How far the furthest part of a base is from the nearest of other models."""
    return min(float(far_distance(bodies, w.shapes, model, other)) for other in others)


def far_from_area(w: AnyWorld, bodies: Bodies, model: int, area: Outline) -> float:
    """How far the furthest part of a base is outside an outline."""
    return float(far_area_gap(bodies, w.shapes, model, outline_of(area), len(area)))


def gap_to_enemies(w: AnyWorld, player: int, bodies: Bodies, models: Ints, without: Sequence[int] = ()) -> float:
    """The smallest horizontal gap of models to an enemy of a player, in grid steps; some units may be left out."""
    enemies = [w.on_table(e) for e in w.enemies_of(player) if w.is_on_table(e) and e.id not in without]
    if not enemies or not len(models):
        return NOBODY
    return float(gaps(bodies, w.shapes, models, np.concatenate(enemies)).min())


def strips(w: AnyWorld, wide: int) -> tuple[Outline, ...]:
    """The strips of the table along its four edges."""
    x, y = w.table.width, w.table.depth
    return (
        ((0, 0), (x, 0), (x, wide), (0, wide)),
        ((x - wide, 0), (x, 0), (x, y), (x - wide, y)),
        ((0, y - wide), (x, y - wide), (x, y), (0, y)),
        ((0, 0), (wide, 0), (wide, y), (0, y)),
    )


def narrowest(w: AnyWorld, model: int) -> int:
    """How wide a base is along its short side."""
    shape = int(w.ground.shape[model])
    core = w.shapes.core[shape][: int(w.shapes.corners[shape])]
    sides = core.max(axis=0) - core.min(axis=0) + 2 * int(w.shapes.radius[shape])
    return int(sides.min())


def away_from(zone: Outline, other: Outline, far: int) -> Outline:
    """The part of an area that is so far from another one along a side they share; all of it where no part is."""
    shared = [p for p in zone if p in other]
    if not shared:
        return zone
    a, b = shared[:2]
    dx, dy = b[0] - a[0], b[1] - a[1]
    length = math.sqrt(dx * dx + dy * dy)

    def beyond(p: tuple[int, int]) -> float:
        return abs(dx * (p[1] - a[1]) - dy * (p[0] - a[0])) / length - far

    out: list[tuple[int, int]] = []
    for p, q in zip(zone, (*zone[1:], zone[0]), strict=True):
        here, there = beyond(p), beyond(q)
        if here >= 0:
            out.append(p)
        if (here >= 0) != (there >= 0):
            share = here / (here - there)
            out.append((round(p[0] + share * (q[0] - p[0])), round(p[1] + share * (q[1] - p[1]))))
    return tuple(out) if len(out) > 2 else zone


def touches_edge(w: AnyWorld, bodies: Bodies, model: int) -> bool:
    """Whether a base touches an edge of the table."""
    core = np.empty((w.shapes.core.shape[1], 2), dtype=np.int64)
    shape = int(bodies.shape[model])
    x, y, _ = (int(v) for v in bodies.pos[model])
    corners = core[: place_core(w.shapes, shape, x, y, int(bodies.facing[model]), core)]
    far = np.array([w.table.width, w.table.depth]) - corners
    return int(min(corners.min(), far.min())) - int(w.shapes.radius[shape]) <= TOUCHING


# --- Finding places ---------------------------------------------------------------------------------------------------


def spots_at(
    w: AnyWorld, room: Room, anchor: tuple[int, int], area: Outline = ANYWHERE, tries: int = 6
) -> Spots | None:
    """Spots for a unit near an anchor, if there is room; whether they are legal is judged afterwards."""
    models = np.array(room.models, dtype=np.int64)
    bodies = room.things(w.bodies)
    clear = clear_among(w, bodies, room.apart, hostile(w, w.unit(room.unit).player), outline_of(area) if area else None)
    facing = facing_to_middle(w, anchor)
    found = spread(
        bodies,
        w.shapes,
        w.terrain,
        models,
        anchor,
        facing=facing,
        clear=clear,
        coherency=room.together,
        tries=tries,
    )
    if found.legal:
        return _spots(models, found)
    if room.together.spread < 0:
        return None
    return _by_size(w, room, bodies, clear, anchor, facing)


def _by_size(
    w: AnyWorld, room: Room, bodies: Bodies, clear: Clear, anchor: tuple[int, int], facing: int
) -> Spots | None:
    """Spots for models of several sizes, one size after the other, most of them first: a closer block than one whose
    every place has room for the largest."""
    shape = w.ground.shape
    sizes = Counter(int(shape[m]) for m in room.models)
    if len(sizes) < 2:
        return None
    standing = np.empty(0, dtype=np.int64)
    spots: Spots = ()
    for size, _ in sizes.most_common():
        models = np.array([m for m in room.models if shape[m] == size], dtype=np.int64)
        found = arrange(
            bodies,
            w.shapes,
            w.terrain,
            models,
            anchor=anchor,
            facing=facing,
            clear=clear,
            coherency=room.together,
            staying=standing,
        )
        if not found.legal:
            return None
        spots += _spots(models, found)
        bodies = room.things(placed(w, spots))
        standing = rows_of(spots)
        clear.blocked[models] = 1
    order = {m: k for k, m in enumerate(room.models)}
    return tuple(sorted(spots, key=lambda s: order[s.model]))


def _spots(models: Ints, found: Arrangement) -> Spots:
    return tuple(
        Spot(int(m), int(p[0]), int(p[1]), int(p[2]), int(f))
        for m, p, f in zip(models, found.pos, found.facing, strict=True)
    )


def facing_to_middle(w: AnyWorld, anchor: tuple[int, int]) -> int:
    """Towards the other half of the table, along its short side."""
    width, depth = w.table.width, w.table.depth
    if width >= depth:
        return TURN // 4 if anchor[1] * 2 < depth else 3 * TURN // 4
    return 0 if anchor[0] * 2 < width else TURN // 2


def find_room(w: AnyWorld, room: Room) -> Spots | None:
    """The first legal places, by a bounded search all over the areas; None where it finds none."""
    for area in room.areas:
        for anchor in anchors(w, area):
            spots = spots_at(w, room, anchor, area, tries=1)
            if spots is not None and room.accept(spots):
                return spots
    return None


def some_places(w: AnyWorld, room: Room, rng: Random) -> Iterator[Spots]:
    """Places at random, for suggestions."""
    for _ in range(room.ideas):
        area = rng.choice(room.areas)
        found = spots_at(w, room, random_anchor(w, area, rng), area)
        if found is not None:
            yield found


def places_near(w: AnyWorld, room: Room, goal: Goal) -> Iterator[Spots]:
    """Places where a player points, or near there."""
    if goal.ends:
        yield goal.ends
    for area in room.areas:
        near = sorted(anchors(w, area), key=lambda a: (a[0] - goal.x) ** 2 + (a[1] - goal.y) ** 2)
        for anchor in ((goal.x, goal.y), *near[:NEAR]):
            found = spots_at(w, room, anchor, area)
            if found is not None:
                yield found


def anchors(w: AnyWorld, area: Outline) -> list[tuple[int, int]]:
    """Places all over an area."""
    corners = area or ((0, 0), (w.table.width, w.table.depth))
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    half = PITCH // 2
    return [
        (x, y)
        for y in range(min(ys) + half, max(ys) + half, PITCH)
        for x in range(min(xs) + half, max(xs) + half, PITCH)
    ]


def random_anchor(w: AnyWorld, area: Outline, rng: Random) -> tuple[int, int]:
    """Anywhere in the box around an area."""
    corners = area or ((0, 0), (w.table.width, w.table.depth))
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    inset = steps(1)
    return (
        rng.randint(min(xs) + inset, max(min(xs) + inset, max(xs) - inset)),
        rng.randint(min(ys) + inset, max(min(ys) + inset, max(ys) - inset)),
    )
