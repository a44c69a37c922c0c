"""Setting a unit up on the battlefield: where models may be put down, whatever rule brings them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import Final

import numpy as np

from sandtable.battle import ALLOWED, GONE, TABLE, Reason, Spot, Verdict, refuse
from sandtable.forty.state import called
from sandtable.rules import rule
from sandtable.systems.w40k10.book import BOOK
from sandtable.systems.w40k10.concepts import coherency_of, engaged_after, in_coherency, models_of, who_is_apart
from sandtable.systems.w40k10.datasheet_abilities import has_core
from sandtable.systems.w40k10.objectives import beside_markers, check_off_markers, with_markers
from sandtable.systems.w40k10.state import Battle10, Unit, World10
from sandtable.systems.w40k10.terrain_moves import check_ground
from sandtable.table.arrange import clear_of, spread
from sandtable.table.grid import STEP, TURN, Ints, steps, units
from sandtable.table.measure import area_gap, distances, far_area_gap, far_distance, gaps, wholly_in_area
from sandtable.table.moves import Code, may_end, obstacles
from sandtable.table.shapes import Bodies

PITCH: Final = 5 * STEP
"""How far apart the places are that a search for room looks at."""
FAR_UP: Final = 1 << 20

Outline = Sequence[tuple[int, int]]

_REASONS: Final = {
    Code.EDGE: "hang over the edge of the battlefield",
    Code.END_MODEL: "stand on another model",
    Code.END_WALL: "stand in a wall",
    Code.END_SOLID: "stand inside a terrain feature",
    Code.END_CEILING: "stand inside a floor",
    Code.END_FLOOR: "have nothing to stand on",
}


def models_to_place(w: World10, unit: Unit) -> tuple[int, ...]:
    """The models of a unit that are not on the table, and not out of play."""
    place = w.state.models.place
    return tuple(m for m in unit.models if place[m] not in (TABLE, GONE))


def every_model_has(w: World10, unit: Unit, ability: str) -> bool:
    """Whether all models of a unit, an attached Leader's included, have an ability."""
    place = w.state.models.place
    models = [m for m in unit.models if place[m] != GONE]
    return bool(models) and all(has_core(w, unit, m, ability) for m in models)


# --- Judging ----------------------------------------------------------------------------------------------------------


def placed(w: World10, spots: Iterable[Spot]) -> Bodies:
    """Bodies as they would be with models set up at these spots."""
    pos, facing = w.state.models.pos.copy(), w.state.models.facing.copy()
    for s in spots:
        pos[s.model], facing[s.model] = (s.x, s.y, s.z), s.facing
    return Bodies(pos, facing, w.ground.shape)


def judge_spots(w: World10, unit: Unit, spots: Sequence[Spot]) -> Verdict:
    """What every set-up keeps to: room, solid ground, coherency, no enemy within Engagement Range, no marker."""
    bodies = placed(w, spots)
    models = np.array([s.model for s in spots], dtype=np.int64)
    return (
        check_room(w, bodies, models)
        and check_ground(w, bodies, models, obstacles(len(bodies.shape), w.terrain, end_solid=0, edge=False))
        and (ALLOWED if w.option("marker-set-up") == "allowed" else check_off_markers(w, bodies, models))
        and check_set_up_coherent(w, unit, bodies, models)
        and check_unengaged(w, unit, bodies, models)
    )


def check_room(w: World10, bodies: Bodies, models: Ints) -> Verdict:
    """Nobody stands on anybody, in a wall, in the air, or over the edge."""
    taken = np.asarray(w.state.models.place == TABLE)
    taken[models] = True
    blocks = obstacles(len(taken), w.terrain, end_block=taken)
    for m in models:
        spot = np.array([[*bodies.pos[m], bodies.facing[m]]], dtype=np.int64)
        code = Code(int(may_end(bodies, w.shapes, w.terrain, int(m), spot, blocks)[0, 0]))
        if code != Code.OK:
            x, y, z = (units(int(v)) for v in bodies.pos[m])
            place = f"{x:.1f}, {y:.1f}" + (f', {z:.1f}" up' if z else "")
            text = f"{called(w, int(m))} would {_REASONS[code]} at {place}."
            return Verdict(False, (Reason(text, ("w40k10.concept.battlefield",), {"model": int(m)}),))
    return ALLOWED


@rule("w40k10.concept.coherency_setup", neutral=ALLOWED)
def check_set_up_coherent(w: World10, unit: Unit, bodies: Bodies, models: Ints) -> Verdict:
    """A unit is set up in coherency."""
    if in_coherency(w, bodies, models):
        return ALLOWED
    return refuse(
        f"{unit.name} would be set up out of coherency. {who_is_apart(w, bodies, models)}",
        "w40k10.concept.coherency_setup",
    )


@rule("w40k10.concept.engagement_limit", neutral=ALLOWED)
def check_unengaged(w: World10, unit: Unit, bodies: Bodies, models: Ints) -> Verdict:
    """Nobody is set up within Engagement Range of the enemy."""
    near = engaged_after(w, bodies, models, w.enemies_of(unit.player))
    if not near:
        return ALLOWED
    return refuse(_too_near(w, bodies, models, near), "w40k10.concept.engagement_limit")


def _too_near(w: World10, bodies: Bodies, models: Ints, enemies: Sequence[Unit]) -> str:
    """Who would be set up how near to the nearest of some enemies."""
    gaps_to = [distances(bodies, w.shapes, models, w.on_table(e)) for e in enemies]
    found, enemy = min(zip(gaps_to, enemies, strict=True), key=lambda pair: float(pair[0].min()))
    nearest = called(w, int(models[int(found.min(axis=1).argmin())]))
    return f'{nearest} would be set up {units(float(found.min())):.2f}" from {enemy.name}, within Engagement Range.'


def outline_of(area: Outline) -> Ints:
    """An outline as an array."""
    return np.array(area, dtype=np.int64).reshape(len(area), 2)


@rule("w40k10.concept.wholly_within", neutral=True)
def wholly_within(w: World10, bodies: Bodies, model: int, area: Outline) -> bool:
    """Whether a base is wholly within an outline: every part of it."""
    return bool(wholly_in_area(bodies, w.shapes, model, outline_of(area), len(area)))


@rule("w40k10.concept.wholly_within", neutral=0.0)
def furthest_part(w: World10, bodies: Bodies, model: int, others: Iterable[int]) -> float:
    """How far the furthest part of a base is from the nearest of other models; so far it is wholly within reach."""
    return min(float(far_distance(bodies, w.shapes, model, other)) for other in others)


def gap_to_area(w: World10, bodies: Bodies, model: int, area: Outline) -> float:
    """How far a base is from an outline; 0 or less where it is in it."""
    return float(area_gap(bodies, w.shapes, model, outline_of(area), len(area)))


def far_from_area(w: World10, bodies: Bodies, model: int, area: Outline) -> float:
    """How far the furthest part of a base is outside an outline."""
    return float(far_area_gap(bodies, w.shapes, model, outline_of(area), len(area)))


def nearest_enemy(w: World10, unit: Unit, bodies: Bodies, models: Ints) -> float:
    """The smallest horizontal gap to an enemy model, in grid steps."""
    enemies = models_of(w, [e for e in w.enemies_of(unit.player) if w.is_on_table(e)])
    if not len(enemies) or not len(models):
        return float(FAR_UP)
    return float(gaps(bodies, w.shapes, models, enemies).min())


# --- Doing ------------------------------------------------------------------------------------------------------------


def put_down(b: Battle10, spots: Sequence[Spot]) -> None:
    """Models come onto the battlefield."""
    models = [s.model for s in spots]
    b.move_models(models, [(s.x, s.y, s.z) for s in spots], [s.facing for s in spots])
    b.place_models(models, TABLE)


# --- Finding places ---------------------------------------------------------------------------------------------------


def try_place(
    w: World10, unit: Unit, anchor: tuple[int, int], *, area: Outline = (), enemy_gap: int = 0, tries: int = 6
) -> tuple[Spot, ...] | None:
    """Spots for a unit near an anchor, if there is room; whether they are legal is judged afterwards."""
    models = np.array(models_to_place(w, unit), dtype=np.int64)
    here = np.asarray(w.state.models.place == TABLE, dtype=np.int64)
    zone = np.zeros(len(here), dtype=np.int64)
    for enemy in w.enemies_of(unit.player):
        zone[w.on_table(enemy)] = max(enemy_gap, BOOK.engagement.flat)
    found = spread(
        with_markers(w, w.bodies),
        w.shapes,
        w.terrain,
        models,
        anchor,
        facing=facing_to_middle(w, anchor),
        clear=clear_of(
            w.bodies,
            w.terrain,
            blocked=beside_markers(w, here, 1),
            zone=beside_markers(w, zone, 0),
            band=FAR_UP if enemy_gap else BOOK.engagement.up,
            area=outline_of(area) if area else None,
        ),
        coherency=coherency_of(len(models)),
        tries=tries,
    )
    if not found.legal:
        return None
    return tuple(
        Spot(int(m), int(p[0]), int(p[1]), int(p[2]), int(f))
        for m, p, f in zip(models, found.pos, found.facing, strict=True)
    )


def facing_to_middle(w: World10, anchor: tuple[int, int]) -> int:
    """Towards the other half of the table, along its short side."""
    width, depth = w.table.width, w.table.depth
    if width >= depth:
        return TURN // 4 if anchor[1] * 2 < depth else 3 * TURN // 4
    return 0 if anchor[0] * 2 < width else TURN // 2


def anchors(w: World10, area: Outline) -> list[tuple[int, int]]:
    """Places all over an area, or all over the table."""
    corners = area or ((0, 0), (w.table.width, w.table.depth))
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    half = PITCH // 2
    return [
        (x, y)
        for y in range(min(ys) + half, max(ys) + half, PITCH)
        for x in range(min(xs) + half, max(xs) + half, PITCH)
    ]


def random_anchor(w: World10, area: Outline, rng: Random) -> tuple[int, int]:
    """Anywhere in the box around an area."""
    corners = area or ((0, 0), (w.table.width, w.table.depth))
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    inset = steps(1)
    return (
        rng.randint(min(xs) + inset, max(min(xs) + inset, max(xs) - inset)),
        rng.randint(min(ys) + inset, max(min(ys) + inset, max(ys) - inset)),
    )


def some_places(
    w: World10, unit: Unit, areas: Sequence[Outline], rng: Random, *, enemy_gap: int = 0, tries: int = 4
) -> Iterator[tuple[Spot, ...]]:
    """Places at random, for suggestions."""
    for _ in range(tries):
        area = rng.choice(areas)
        found = try_place(w, unit, random_anchor(w, area, rng), area=area, enemy_gap=enemy_gap)
        if found is not None:
            yield found
