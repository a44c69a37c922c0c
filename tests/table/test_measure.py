"""Distances and areas against brute force on points."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from sandtable.table.cores import core_gap, place_core, point_segment, segment_segment, segments_cross
from sandtable.table.grid import STEP, TURN, steps
from sandtable.table.measure import (
    area_gap,
    core_edge_gap,
    distances,
    far_distance,
    inside,
    linked,
    links,
    on_table,
    overlaps,
    pair_gap,
    wholly_in_area,
)
from sandtable.table.moves_scene import sweep_core
from sandtable.table.shapes import Bodies, Shape, hull, oval_base, pack, round_base

KINDS = (round_base(1.26, 1.5), oval_base(3.54, 2.05, 2.0), hull(5.0, 3.0, 2.5), oval_base(1.02, 1.0, 1.0))
SHAPES = pack(KINDS)
seeds = st.integers(0, 2**32 - 1)
many = settings(max_examples=40, deadline=None, derandomize=True)
Points = NDArray[np.float64]


def bodies_of(*models: tuple[int, float, float, int], z: tuple[float, ...] = ()) -> Bodies:
    """Models as (shape, x, y, facing), in units."""
    heights = z or (0.0,) * len(models)
    pos = [[steps(x), steps(y), steps(h)] for (_, x, y, _), h in zip(models, heights, strict=True)]
    return Bodies(
        np.array(pos, dtype=np.int64),
        np.array([m[3] for m in models], dtype=np.int64),
        np.array([m[0] for m in models], dtype=np.int64),
    )


def core_of(bodies: Bodies, i: int) -> NDArray[np.int64]:
    out = np.zeros((48, 2), dtype=np.int64)
    x, y = (int(v) for v in bodies.pos[i, :2])
    n = place_core(SHAPES, int(bodies.shape[i]), x, y, int(bodies.facing[i]), out)
    return out[:n]


def along_sides(corners: NDArray[np.int64], every: float) -> Points:
    """Points on the sides of a polygon, closely spaced."""
    pieces = []
    for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        n = 1 + int(np.hypot(*(b - a)) / every)
        pieces.append(a + (b - a) * np.linspace(0, 1, n, endpoint=False)[:, None])
    return np.concatenate(pieces)


def rim(bodies: Bodies, i: int, every: float = 20.0) -> Points:
    """Points all around the outline of a base."""
    r = int(SHAPES.radius[bodies.shape[i]])
    core = core_of(bodies, i)
    if r == 0:
        return along_sides(core, every)
    turn = np.linspace(0, 2 * np.pi, 720, endpoint=False)
    u = np.stack([np.cos(turn), np.sin(turn)], axis=1)
    support = core[np.argmax(u @ core.T, axis=1)] + r * u
    return along_sides(support, every)


def nearest(a: Points, b: Points) -> float:
    return float(np.sqrt(((a[:, None, :] - b[None, :, :]) ** 2).sum(axis=2).min()))


def two(seed: int, spread: float = 4.0) -> Bodies:
    rng = np.random.default_rng(seed)
    return bodies_of(
        *((int(rng.integers(4)), *map(float, rng.uniform(10, 10 + spread, 2)), int(rng.integers(TURN))) for _ in "ab")
    )


@many
@given(seeds)
def test_the_gap_is_the_distance_of_the_nearest_points_of_two_outlines(seed: int) -> None:
    bodies = two(seed)
    gap = pair_gap(bodies, SHAPES, 0, 1)
    dense = nearest(rim(bodies, 0), rim(bodies, 1))
    if gap > 0:
        assert gap - 1 <= dense <= gap + 20
    else:
        assert dense < 20 or overlaps(bodies, SHAPES, 0, 1)
    assert gap == pair_gap(bodies, SHAPES, 1, 0)


def plain_gap(a: NDArray[np.int64], b: NDArray[np.int64]) -> float:
    """The gap between two cores with three or more corners, or one, from all pairs of corners and sides."""
    apart, near = -1.0e18, 1.0e36
    for one, other in ((a, b), (b, a)):
        for p, q in zip(one, np.roll(one, -1, axis=0), strict=True):
            normal = np.array([q[1] - p[1], p[0] - q[0]])
            if normal.any():
                beyond = (other @ normal).min() - (one @ normal).max()
                apart = max(apart, float(beyond / math.sqrt(normal @ normal)))
            near = min(near, *(point_segment(*r, *p, *q) for r in other.astype(float)))
    return apart if apart <= 0 else near


@many
@given(seeds)
def test_the_gap_leaves_out_no_corner_and_no_side_that_matters(seed: int) -> None:
    for spread in (0.5, 2.0, 4.0, 12.0):
        bodies = two(seed, spread)
        a, b = core_of(bodies, 0), core_of(bodies, 1)
        if len(a) > 1 or len(b) > 1:
            assert core_gap(a, len(a), b, len(b)) == plain_gap(a, b)


@many
@given(seeds)
def test_the_gap_to_what_a_base_sweeps_leaves_out_no_side_that_matters(seed: int) -> None:
    way = np.random.default_rng(seed).integers(-6 * STEP, 6 * STEP, 2)
    for spread in (2.0, 8.0):
        bodies = two(seed, spread)
        a, b, swept = core_of(bodies, 0), core_of(bodies, 1), np.empty((64, 2), dtype=np.int64)
        n = sweep_core(a, len(a), 0, 0, int(way[0]), int(way[1]), swept)
        if n > 2:
            assert core_gap(swept[:n], n, b, len(b)) == plain_gap(swept[:n], b)


@many
@given(seeds)
def test_the_gap_to_an_area_leaves_out_no_side_that_matters(seed: int) -> None:
    bodies = two(seed, 6.0)
    core = core_of(bodies, 0)
    outline = np.random.default_rng(seed).integers(8 * STEP, 18 * STEP, (5, 2))
    sides = [(*p, *q) for p, q in zip(outline, np.roll(outline, -1, axis=0), strict=True)]
    own = [(*p, *q) for p, q in zip(core, np.roll(core, -1, axis=0), strict=True)]
    plain = min(segment_segment(*map(float, s), *map(float, t)) for s in own for t in sides)
    assert core_edge_gap(core, len(core), outline, len(outline)) == plain


@many
@given(seeds)
def test_an_overlap_is_as_deep_as_the_shortest_way_out(seed: int) -> None:
    bodies = two(seed, spread=1.5)
    gap = pair_gap(bodies, SHAPES, 0, 1)
    if gap >= -1:
        return
    out = []
    for angle in np.arange(0, TURN, 16) * 2 * np.pi / TURN:
        pos = bodies.pos.copy()
        pos[0, :2] += np.rint(-gap * 0.98 * np.array([np.cos(angle), np.sin(angle)])).astype(np.int64)
        out.append(pair_gap(bodies._replace(pos=pos), SHAPES, 0, 1))
    assert max(out) <= 3
    both_round = SHAPES.corners[bodies.shape[0]] == 1 and SHAPES.corners[bodies.shape[1]] == 1
    if both_round:
        assert max(out) == pytest.approx(0.02 * gap, abs=3 + 0.02 * -gap)


def test_round_bases_are_within_exactly_up_to_the_last_step() -> None:
    bodies = bodies_of((0, 5, 5, 0), (0, 5 + 1.26 + 9, 5, 0))
    one, other = np.array([0]), np.array([1])
    exact = int(pair_gap(bodies, SHAPES, 0, 1))
    assert linked(bodies, SHAPES, one, other, exact, 0)
    assert not linked(bodies, SHAPES, one, other, exact - 1, 0)
    assert links(bodies, SHAPES, one, other, exact, 0).all()


@many
@given(seeds)
def test_links_are_gaps_within_reach_for_all_shapes(seed: int) -> None:
    bodies = two(seed, spread=8)
    gap = pair_gap(bodies, SHAPES, 0, 1)
    for reach in {max(0, math.floor(gap)), max(0, math.ceil(gap))}:
        found = linked(bodies, SHAPES, np.array([0]), np.array([1]), reach, 0)
        assert found == (gap <= reach)


def test_a_distance_between_floors_is_the_slanted_line() -> None:
    bodies = bodies_of((0, 5, 5, 0), (0, 5 + 3 + 1.26, 5, 0), z=(0, 4))
    found = distances(bodies, SHAPES, np.array([0]), np.array([1]))[0, 0]
    assert found == pytest.approx(5 * STEP, abs=3)


def test_a_hull_is_measured_to_any_height_of_its_body() -> None:
    bodies = bodies_of((2, 5, 5, 0), (0, 5 + 2.5 + 0.63 + 1, 5, 0), z=(0, 2.5))
    found = distances(bodies, SHAPES, np.array([0]), np.array([1]))[0, 0]
    assert found == pytest.approx(STEP, abs=3)


def test_models_on_two_floors_do_not_overlap() -> None:
    bodies = bodies_of((0, 5, 5, 0), (0, 5.1, 5, 0), z=(0, 3))
    assert not overlaps(bodies, SHAPES, 0, 1)
    assert overlaps(bodies_of((0, 5, 5, 0), (0, 5.1, 5, 0), z=(0, 1)), SHAPES, 0, 1)


@many
@given(seeds)
def test_wholly_within_is_the_distance_of_the_furthest_point(seed: int) -> None:
    bodies = two(seed, spread=6)
    far = far_distance(bodies, SHAPES, 0, 1)
    mine, theirs = rim(bodies, 0), rim(bodies, 1)
    away = np.sqrt(((mine[:, None, :] - theirs[None, :, :]) ** 2).sum(axis=2).min(axis=1))
    # Points of mine inside the other are at distance 0, not at that of its outline.
    core, r = core_of(bodies, 1), int(SHAPES.radius[bodies.shape[1]])
    grown = np.array([core_gap(np.rint(p).astype(np.int64)[None, :], 1, core, len(core)) - r for p in mine])
    dense = float(np.where(grown <= 0, 0.0, away).max())
    flat = max(0.0, far) if SHAPES.thick[bodies.shape[0]] <= SHAPES.thick[bodies.shape[1]] else None
    if flat is not None:
        assert dense - 4 <= flat <= dense + 22


def test_a_base_in_the_middle_of_a_hull_is_wholly_within_it() -> None:
    assert far_distance(bodies_of((0, 5, 5, 0), (2, 5, 5, 0)), SHAPES, 0, 1) == 0.0


# --- Areas -----------------------------------------------------------------------------------------------------------

L_SHAPE = np.array(
    [(5, 5), (15, 5), (15, 9), (9, 9), (9, 15), (5, 15)],
    dtype=np.int64,
) * np.int64(STEP)


@many
@given(seeds)
def test_the_gap_to_an_area_is_that_of_the_nearest_points(seed: int) -> None:
    rng = np.random.default_rng(seed)
    shape, facing = int(rng.integers(4)), int(rng.integers(TURN))
    bodies = bodies_of((shape, *map(float, rng.uniform(2, 18, 2)), facing))
    points = rim(bodies, 0, every=40)
    sunk = np.array([inside(float(x), float(y), L_SHAPE, 6) for x, y in points])
    gap = area_gap(bodies, SHAPES, 0, L_SHAPE, 6)
    if sunk.any():
        assert gap <= 0
    elif gap > 0:
        assert gap == pytest.approx(nearest(points, along_sides(L_SHAPE, 40)), abs=30)
    whole = wholly_in_area(bodies, SHAPES, 0, L_SHAPE, 6)
    edge = nearest(points, along_sides(L_SHAPE, 40))
    if edge > 30:
        corner_inside = any(
            KINDS[shape].reach > np.hypot(*(c - bodies.pos[0, :2])) and gap_to(bodies, c) < 0 for c in L_SHAPE
        )
        assert whole == (bool(sunk.all()) and not corner_inside)


def gap_to(bodies: Bodies, corner: NDArray[np.int64]) -> float:
    core = core_of(bodies, 0)
    return core_gap(corner[None, :], 1, core, len(core)) - int(SHAPES.radius[bodies.shape[0]])


def hull_at(x: float, y: float, facing: int = 0) -> float:
    """The gap from a hull to a square of 8"."""
    shapes = pack([hull(4, 2, 2)])
    bodies = Bodies(
        np.array([[x * STEP, y * STEP, 0]], dtype=np.int64), np.array([facing]), np.zeros(1, dtype=np.int64)
    )
    square = np.array([[8, 8], [16, 8], [16, 16], [8, 16]], dtype=np.int64) * STEP
    return area_gap(bodies, shapes, 0, square, 4)


@pytest.mark.parametrize(
    ("x", "y", "gap"),
    [(5.9, 12, 0.1), (6, 12, 0.0), (6.1, 12, -0.1), (8, 12, -2.0), (12, 8.5, -1.5), (12, 12, -2.0), (8, 8, -1.0)],
)
def test_a_hull_across_the_edge_of_an_area_is_as_deep_in_it_as_its_deepest_corner(
    x: float, y: float, gap: float
) -> None:
    assert hull_at(x, y) / STEP == pytest.approx(gap, abs=0.002)


def test_a_hull_is_in_an_area_that_it_lies_across_with_every_corner_outside() -> None:
    shapes = pack([hull(12, 2, 2)])
    bodies = Bodies(
        np.array([[12 * STEP, 12 * STEP, 0]], dtype=np.int64), np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64)
    )
    square = np.array([[8, 8], [16, 8], [16, 16], [8, 16]], dtype=np.int64) * STEP
    assert area_gap(bodies, shapes, 0, square, 4) < -1


def test_a_base_that_touches_the_edge_from_inside_is_wholly_in() -> None:
    assert wholly_in_area(bodies_of((0, 5 + 645 / STEP, 8, 0)), SHAPES, 0, L_SHAPE, 6)
    assert not wholly_in_area(bodies_of((0, 5 + 644 / STEP, 8, 0)), SHAPES, 0, L_SHAPE, 6)


def test_a_hull_flush_with_any_edge_of_an_area_is_wholly_in_it() -> None:
    square = np.array([(5, 5), (15, 5), (15, 15), (5, 15)], dtype=np.int64) * np.int64(STEP)
    for x, y in ((7.5, 10), (12.5, 10), (10, 6.5), (10, 13.5), (7.5, 6.5), (12.5, 13.5)):
        assert wholly_in_area(bodies_of((2, x, y, 0)), SHAPES, 0, square, 4), (x, y)
        off = bodies_of((2, x, y, 0))
        off.pos[0, :2] += np.sign(off.pos[0, :2] - 10 * STEP)
        assert not wholly_in_area(off, SHAPES, 0, square, 4), (x, y)


def test_a_hull_across_a_notch_is_not_wholly_in() -> None:
    notched = np.array([(0, 0), (20, 0), (20, 9), (10, 5), (0, 9)], dtype=np.int64) * np.int64(STEP)
    # All four corners are in, but the notch reaches between them.
    assert not wholly_in_area(bodies_of((2, 10, 4.5, 0)), SHAPES, 0, notched, 5)
    assert wholly_in_area(bodies_of((2, 10, 3.4, 0)), SHAPES, 0, notched, 5)


def test_on_the_table_means_every_part_of_the_base() -> None:
    size = np.array([20 * STEP, 20 * STEP], dtype=np.int64)
    assert on_table(bodies_of((2, 2.5, 1.5, 0)), SHAPES, 0, size)
    assert not on_table(bodies_of((2, 2.5, 1.5, 300)), SHAPES, 0, size)


# --- Shapes ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("length", "width"), [(2.36, 1.38), (3.54, 2.05), (6.7, 4.13), (4.7, 3.6), (1.02, 1.0)])
def test_an_oval_follows_its_ellipse(length: float, width: float) -> None:
    shapes = pack([oval_base(length, width, 1.0)])
    core, n, r = shapes.core[0], int(shapes.corners[0]), int(shapes.radius[0])
    for angle in np.linspace(0, 2 * np.pi, 300):
        p = np.array([[steps(length / 2 * math.cos(angle)), steps(width / 2 * math.sin(angle))]], dtype=np.int64)
        assert abs(core_gap(p, 1, core, n) - r) < 3.5


@many
@given(seeds)
def test_no_part_of_a_turned_base_is_beyond_its_reach(seed: int) -> None:
    rng = np.random.default_rng(seed)
    k = int(rng.integers(4))
    core = core_of(bodies_of((k, 0, 0, int(rng.integers(TURN)))), 0)
    assert np.sqrt((core**2).sum(axis=1)).max() + KINDS[k].radius <= KINDS[k].reach


def test_a_round_base_reaches_as_far_as_its_radius() -> None:
    shape: Shape = KINDS[0]
    assert shape.reach == shape.radius


@many
@given(st.lists(st.integers(-2000, 2000), min_size=8, max_size=8))
def test_the_distance_of_segments_is_that_of_their_nearest_points(v: list[int]) -> None:
    ax, ay, bx, by, cx, cy, dx, dy = v
    t = np.linspace(0, 1, 201)[:, None]
    a = np.array([ax, ay]) + t * np.array([bx - ax, by - ay])
    b = np.array([cx, cy]) + t * np.array([dx - cx, dy - cy])
    found = segment_segment(*map(float, v))
    assert found - 1e-6 <= nearest(a, b) <= found + 32
    assert not segments_cross(*map(float, v)) or found == 0.0
    assert point_segment(float(ax), float(ay), float(ax), float(ay), float(bx), float(by)) == 0.0
    first, second = np.array([[ax, ay], [bx, by]]), np.array([[cx, cy], [dx, dy]])
    assert core_gap(first, 2, second, 2) == found
