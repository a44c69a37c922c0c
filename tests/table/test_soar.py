"""Rulings on paths through the air: over walls and solid parts, not through them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandtable.table.grid import STEP, steps
from sandtable.table.layout import Feature, Floor, Table, Wall, compile_terrain
from sandtable.table.measure import area_gap
from sandtable.table.moves import CLIMB, GO, Code, obstacles, path
from sandtable.table.shapes import Bodies, Shape, Shapes, oval_base, pack, round_base
from sandtable.table.soar import Met, met_in_the_air

BIKE = round_base(2.0, 1.5)
SIZE = 40
quick = settings(max_examples=150, deadline=None, derandomize=True)


def box(x: float, y: float, w: float, h: float) -> tuple[tuple[int, int], ...]:
    a, b, c, d = steps(x), steps(y), steps(x + w), steps(y + h)
    return ((a, b), (c, b), (c, d), (a, d))


WALL = Wall((steps(20), steps(0)), (steps(20), steps(40)), 0, steps(9), steps(0.1))
RUIN = Feature("ruin", "ruins", box(18, 0, 10, 40), walls=(WALL,))
"""A wall of 9 inches along x = 20."""
BLOCK = Feature("block", "hill", box(18, 5, 8, 10), 0, steps(5), solid=True)
DECK = Feature("deck", "ruins", box(18, 5, 8, 10), floors=(Floor(box(18, 5, 8, 10), steps(3), steps(0.2)),))
"""A floor 3 inches up."""


def fly(
    *ends: tuple[float, float, float],
    start: tuple[float, float, float] = (10, 10, 0),
    features: tuple[Feature, ...] = (RUIN,),
    shape: Shape = BIKE,
    **rules: object,
) -> Met | None:
    """What stops a model on straight legs from a place to further places."""
    terrain = compile_terrain(Table(SIZE * STEP, SIZE * STEP, "inch", features))
    bodies = Bodies(np.array([[steps(v) for v in start]]), np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64))
    x, y = start[:2]
    legs = []
    for ex, ey, ez in ends:
        legs.append((CLIMB if (ex, ey) == (x, y) else GO, steps(ex), steps(ey), steps(ez), 0))
        x, y = ex, ey
    blocks = obstacles(1, terrain, **rules)  # type: ignore[arg-type]
    return met_in_the_air(bodies, pack([shape]), terrain, 0, path(*legs), blocks)


def test_a_wall_stops_whoever_is_not_above_it() -> None:
    met = fly((25, 10, 0))
    assert met is not None and (met.code, met.leg, met.top) == (Code.WALL, 0, steps(9))
    assert met.parts == steps(15)
    assert met.first / STEP == pytest.approx(20 - 0.05 - 1.0 - 10, abs=0.01), "where the base touches it"
    assert met.last / STEP == pytest.approx(20 + 0.05 + 1.0 - 10, abs=0.01), "and where it has passed it"
    assert fly((18, 10, 0)) is None


def test_up_across_and_down_leads_over_a_wall() -> None:
    assert fly((10, 10, 9), (25, 10, 9), (25, 10, 0)) is None
    met = fly((10, 10, 8.99), (25, 10, 8.99), (25, 10, 0))
    assert met is not None and met.leg == 1


def test_a_slanted_leg_must_be_above_the_wall_from_touch_to_touch() -> None:
    assert fly((18.8, 10, 9), (21.2, 10, 9), (30, 10, 0)) is None
    assert fly((20, 10, 9), (30, 10, 0)) is not None, "above its middle only"
    assert fly((18.8, 10, 9), (30, 10, 0)) is not None, "too low again before it has passed"
    assert fly((30, 10, 0), start=(10, 10, 20.5)) is None, "9.17 inches up when it has passed"
    low = fly((30, 10, 0), start=(10, 10, 20))
    assert low is not None and low.code == Code.WALL, "8.95 inches up then"
    assert fly((30, 10, 20.5)) is None, "and the same way up"
    assert fly((30, 10, 20)) is not None


def test_a_wall_with_windows_is_as_high_as_all_of_it() -> None:
    strips = ((0, 1), (2, 3), (3, 4), (5, 6))
    ends = (steps(20), steps(0)), (steps(20), steps(40))
    walls = tuple(Wall(*ends, steps(low), steps(high), steps(0.1)) for low, high in strips)
    windows = Feature("windows", "ruins", box(18, 0, 10, 40), walls=walls)
    tall = round_base(2.0, 2.4)
    met = fly((25, 10, 0), features=(windows,), shape=tall, free_height=steps(2))
    assert met is not None and met.top == steps(3), "the piece over the window is in its way"
    assert fly((10, 10, 6), (25, 10, 6), features=(windows,), shape=tall, free_height=steps(2)) is None
    assert fly((25, 10, 0), features=(windows,), shape=round_base(2.0, 2.0), free_height=steps(2)) is None, "it ducks"


def test_low_walls_are_passed_and_open_walls_too() -> None:
    assert fly((25, 10, 0), free_height=steps(9)) is None
    assert fly((25, 10, 0), free_height=steps(8.9)) is not None
    assert fly((25, 10, 0), wall_blocks=0) is None


def test_a_leg_leads_onto_the_top_of_a_solid_and_down_from_it_but_not_through_it() -> None:
    assert fly((20, 10, 5), features=(BLOCK,)) is None
    assert fly((10, 10, 0), start=(20, 10, 5), features=(BLOCK,)) is None
    through = fly((30, 10, 0), features=(BLOCK,))
    assert through is not None and through.code == Code.SOLID
    assert fly((30, 10, 0), start=(10, 10, 3), features=(BLOCK,)) is not None
    assert fly((30, 10, 5), start=(10, 10, 5), features=(BLOCK,)) is None


def test_a_floor_is_reached_over_its_edge_and_not_from_below() -> None:
    assert fly((20, 10, 3), features=(DECK,)) is None
    below = fly((22, 10, 3), start=(20, 10, 0), features=(DECK,))
    assert below is not None and below.code == Code.FLOOR
    straight_up = fly((20, 10, 3), start=(20, 10, 0), features=(DECK,))
    assert straight_up is not None and straight_up.code == Code.FLOOR
    assert fly((30, 10, 0), features=(DECK,)) is None, "under it"
    head = fly((30, 10, 0), features=(DECK,), shape=round_base(2.0, 2.9))
    assert head is not None and head.code == Code.FLOOR


def test_what_a_model_stands_in_already_may_be_left() -> None:
    assert fly((10, 10, 0), start=(20.5, 10, 0)) is None
    assert fly((25, 10, 0), start=(19.5, 10, 0)) is None


def test_of_several_things_the_first_on_the_way_is_named() -> None:
    near = Feature("near", "hill", box(14, 5, 1, 10), 0, steps(2), solid=True)
    met = fly((30, 10, 0), features=(BLOCK, near))
    assert met is not None and met.what == 1
    assert fly((30, 10, 0), features=(near, BLOCK)).what == 0  # type: ignore[union-attr]


@quick
@given(st.integers(0, 2**32 - 1))
def test_it_agrees_with_a_thousand_small_steps(seed: int) -> None:
    rng = np.random.default_rng(seed)
    feature = [BLOCK, RUIN, DECK][int(rng.integers(3))]
    shape = [BIKE, oval_base(3.0, 1.8, 1.5)][int(rng.integers(2))]
    start = (float(rng.uniform(2, 16)), float(rng.uniform(2, 18)), float(rng.uniform(0, 11)))
    end = (float(rng.uniform(28.5, 38)), float(rng.uniform(2, 18)), float(rng.uniform(0, 11)))
    met = fly(end, start=start, features=(feature,), shape=shape)
    deep = _deepest(pack([shape]), feature, start, end)
    event = int(deep > 0.02) - int(deep < -0.02)
    assert event in (0, 1 if met is not None else -1)


def _deepest(shapes: Shapes, feature: Feature, start: tuple[float, ...], end: tuple[float, ...]) -> float:
    """By how much the mover is in a thing at most, in inches, in plan or in height; below 0 where it never is."""
    deepest = -99.0
    tall = float(shapes.height[0]) / STEP
    if feature is RUIN:
        low, top, outline = 0.0, 9.0, np.array(box(19.95, 0, 0.1, 40), dtype=np.int64)
    elif feature is BLOCK:
        low, top, outline = 0.0, 5.0, np.array(box(18, 5, 8, 10), dtype=np.int64)
    else:
        low, top, outline = 2.8, 3.0, np.array(box(18, 5, 8, 10), dtype=np.int64)
    for t in np.linspace(0, 1, 1001):
        x, y, z = (a + (b - a) * t for a, b in zip(start, end, strict=True))
        body = Bodies(np.array([[steps(x), steps(y), 0]]), np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64))
        plan = -float(area_gap(body, shapes, 0, outline, 4)) / STEP
        plan = 1.0 if plan >= 0 else plan
        height = min(top - z, z + tall - low)
        deepest = max(deepest, min(plan, height))
    return deepest
