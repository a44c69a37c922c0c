"""Sight: what is seen, what is seen fully, and what is in the way."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Sequence

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from sandtable.kernels import compiled_signatures
from sandtable.table.cores import point_segment
from sandtable.table.grid import facing, steps
from sandtable.table.layout import Feature, Floor, Table, Terrain, Wall, compile_terrain
from sandtable.table.shapes import Bodies, Shape, Shapes, hull, oval_base, pack, round_base
from sandtable.table.sight import (
    DEPTH,
    FOREVER,
    HARD,
    NONE,
    SOFT,
    Blocking,
    Sight,
    clear,
    look,
    obstacles,
    plain_blocking,
    sees_point,
    warm_up,
)
from sandtable.table.sight_between import collect, set_observer
from sandtable.table.sight_full import see_fully
from sandtable.table.sight_lines import misses, span
from sandtable.table.sight_pair import (
    COUNT,
    FRAME,
    ITEM,
    LINE,
    RADIUS,
    SIDE_COUNT,
    SIDES,
    START,
    TAG,
    comes_first,
    make_work,
    set_frame,
)
from sandtable.table.sight_points import SAMPLES, set_points
from sandtable.table.sight_prisms import build
from sandtable.table.sight_slopes import is_covered
from sandtable.table.sight_visible import find_line

Place = tuple[float, ...]
"""x, y, and where they matter z and the facing in degrees"""

MAN = round_base(1.0, 2.0)
TANK = hull(4.0, 2.0, 2.0)
BIKE = oval_base(3.0, 1.5, 2.0)


def at(x: float, y: float) -> tuple[int, int]:
    return steps(x), steps(y)


def box(x0: float, y0: float, x1: float, y1: float) -> tuple[tuple[int, int], ...]:
    return at(x0, y0), at(x1, y0), at(x1, y1), at(x0, y1)


def wall(x0: float, y0: float, x1: float, y1: float, top: float, bottom: float = 0.0) -> Wall:
    return Wall(at(x0, y0), at(x1, y1), steps(bottom), steps(top), steps(0.1))


def ruin(*walls: Wall, floors: Sequence[Floor] = ()) -> Feature:
    return Feature("ruin", "ruin", box(0, 0, 20, 20), 0, 0, walls=walls, floors=tuple(floors))


class World:
    """Models on a table, each looking at each."""

    def __init__(self, places: Sequence[Place], features: Sequence[Feature] = (), shapes: Sequence[Shape] = (MAN,)):
        rows = [(*p, 0.0, 0.0)[:4] for p in places]
        n = len(rows)
        self.bodies = Bodies(
            np.array([[steps(x), steps(y), steps(z)] for x, y, z, _ in rows], dtype=np.int64),
            np.array([facing(turn) for *_, turn in rows], dtype=np.int64),
            np.array([k if k < len(shapes) else len(shapes) - 1 for k in range(n)], dtype=np.int64),
        )
        self.shapes: Shapes = pack(shapes)
        self.terrain: Terrain = compile_terrain(Table(steps(30), steps(30), "inch", tuple(features)))
        self.all = np.arange(n)
        self.blocking: Blocking = plain_blocking(self.terrain, n, n, n)

    def area(self, mode: int, feature: int = 0, depth: float = 0.0, top: float | None = None) -> World:
        """Let the area of a feature block."""
        self.blocking.mode[feature] = mode
        self.blocking.depth[feature] = steps(depth)
        self.blocking.band_top[feature] = FOREVER if top is None else steps(top)
        return self

    def look(self, **changes: object) -> Sight:
        return look(
            self.bodies,
            self.shapes,
            self.terrain,
            self.all,
            self.all,
            self.blocking._replace(**changes),  # type: ignore[arg-type]
        )

    def clear(self, i: int, j: int, p: np.ndarray, q: np.ndarray) -> bool:
        return clear(self.bodies, self.shapes, self.terrain, self.blocking, i, j, p, q, i, j)


def test_nothing_between_means_fully_visible() -> None:
    sight = World([(5, 5), (5, 15)]).look()
    assert sight.visible[0, 1] and sight.full[0, 1]
    assert not sight.broken_by_model[0, 1]


def test_a_high_wall_across_hides() -> None:
    sight = World([(5, 5), (5, 15)], [ruin(wall(0, 10, 10, 10, 5))]).look()
    assert not sight.visible[0, 1] and not sight.full[0, 1]
    assert sight.broken[0, 1, 0]


def test_the_line_found_is_clear_and_joins_the_bodies() -> None:
    world = World([(5, 5), (5, 15)], [ruin(wall(0, 10, 4.9, 10, 5), wall(5.1, 10, 10, 10, 5))])
    sight = world.look()
    assert sight.visible[0, 1]
    p, q = sight.line[0, 1, :3], sight.line[0, 1, 3:]
    assert world.clear(0, 1, p, q)
    assert abs(p[0] - steps(5)) <= steps(0.5) + 1 and abs(q[1] - steps(15)) <= steps(0.5) + 1


def test_one_sees_past_the_end_of_a_wall() -> None:
    sight = World([(5, 5), (5, 15)], [ruin(wall(0, 10, 5.4, 10, 5))]).look()
    assert sight.visible[0, 1] and not sight.full[0, 1]
    assert sight.broken[0, 1, 0]


def test_two_walls_that_share_a_corner_leak_nothing() -> None:
    sight = World([(5, 5), (5, 15)], [ruin(wall(0, 10, 5, 10, 5), wall(5, 10, 10, 12, 5))]).look()
    assert not sight.visible[0, 1]


def test_a_low_wall_hides_the_feet_only() -> None:
    sight = World([(5, 5), (5, 15)], [ruin(wall(0, 14, 10, 14, 1))]).look()
    assert sight.visible[0, 1] and not sight.full[0, 1]
    assert sight.broken[0, 1].tolist() == [True]


def test_a_low_wall_at_the_observers_feet_hides_nothing() -> None:
    # The target's feet are seen from the observer's head.
    sight = World([(5, 5), (5, 15)], [ruin(wall(0, 5.7, 10, 5.7, 1))]).look()
    assert sight.visible[0, 1] and sight.full[0, 1]


def test_a_window_lets_sight_through() -> None:
    closed = World([(5, 5), (5, 15)], [ruin(wall(0, 10, 10, 10, 1), wall(0, 10, 10, 10, 5, bottom=1))]).look()
    assert not closed.visible[0, 1]
    opened = World([(5, 5), (5, 15)], [ruin(wall(0, 10, 10, 10, 1), wall(0, 10, 10, 10, 5, bottom=1.2))]).look()
    assert opened.visible[0, 1] and not opened.full[0, 1]


def test_a_window_too_high_up_shows_nothing() -> None:
    sight = World([(5, 5), (5, 15)], [ruin(wall(0, 10, 10, 10, 2.5), wall(0, 10, 10, 10, 5, bottom=3))]).look()
    assert not sight.visible[0, 1]


def test_a_floor_hides_what_stands_under_it() -> None:
    plate = Floor(box(0, 10, 10, 20), steps(3), steps(0.2))
    # From 8" up, over the far half of the plate; the man below stands well under it.
    above, below = (5, 14, 8.0), (5, 17, 0.0)
    assert not World([above, below], [ruin(floors=[plate])]).look().visible[0, 1]
    assert World([above, below]).look().visible[0, 1]


def test_one_on_a_floor_is_seen_over_its_edge() -> None:
    plate = Floor(box(0, 10, 10, 20), steps(3), steps(0.2))
    sight = World([(5, 5), (5, 10.6, 3.0)], [ruin(floors=[plate])]).look()
    assert sight.visible[0, 1] and sight.visible[1, 0]


def test_models_above_each_other_are_parted_by_the_floor() -> None:
    plate = Floor(box(0, 0, 10, 10), steps(3), steps(0.2))
    assert not World([(5, 5), (5.2, 5, 3.0)], [ruin(floors=[plate])]).look().visible[0, 1]
    assert World([(5, 5), (5.2, 5, 3.0)]).look().full[0, 1]


def test_a_solid_hides_and_is_named() -> None:
    crate = Feature("crate", "crate", box(2, 8, 8, 12), 0, steps(4), solid=True)
    sight = World([(5, 5), (5, 15)], [ruin(), crate]).look()
    assert not sight.visible[0, 1]
    assert sight.broken[0, 1].tolist() == [False, True]


def test_a_solid_that_is_not_convex_lets_sight_through_its_bay() -> None:
    bay = (at(0, 8), at(10, 8), at(10, 12), at(6, 12), at(6, 9), at(4, 9), at(4, 12), at(0, 12))
    solid = Feature("fort", "fort", bay, 0, steps(4), solid=True)
    assert World([(5, 10), (5, 15)], [solid]).look().visible[0, 1]
    assert not World([(5, 10), (5, 5)], [solid]).look().visible[0, 1]


def test_only_the_feature_in_the_way_is_named() -> None:
    aside = Feature("aside", "ruin", box(20, 0, 25, 5), walls=(wall(20, 2, 25, 2, 5),))
    sight = World([(5, 5), (5, 15)], [ruin(wall(0, 14, 10, 14, 1)), aside]).look()
    assert sight.broken[0, 1].tolist() == [True, False]


def test_features_that_hide_only_together_are_both_named() -> None:
    left = Feature("left", "ruin", box(0, 9, 5, 11), walls=(wall(-5, 10, 5, 10, 5),))
    right = Feature("right", "ruin", box(5, 9, 10, 11), walls=(wall(5, 10, 15, 10, 5),))
    sight = World([(5, 5), (5, 15)], [left, right]).look()
    assert not sight.visible[0, 1] and not sight.full[0, 1]
    assert sight.broken[0, 1].tolist() == [True, True]


WOOD = Feature("wood", "wood", box(0, 8, 10, 12))


def test_a_soft_area_breaks_full_visibility_only_and_is_named() -> None:
    sight = World([(5, 5), (5, 15)], [WOOD]).area(SOFT).look()
    assert sight.visible[0, 1] and not sight.full[0, 1]
    assert sight.broken[0, 1, 0] and not sight.broken_by_model[0, 1]


def test_a_hard_area_is_a_column_without_end() -> None:
    sight = World([(5, 5, 20.0), (5, 15, 20.0)], [WOOD]).area(HARD).look()
    assert not sight.visible[0, 1] and sight.broken[0, 1, 0]


def test_an_area_blocks_up_to_its_band() -> None:
    low = World([(5, 5), (5, 15)], [WOOD]).area(HARD, top=3).look()
    assert not low.visible[0, 1]
    high = World([(5, 5, 4.0), (5, 15, 4.0)], [WOOD]).area(HARD, top=3).look()
    assert high.visible[0, 1] and high.full[0, 1]


def test_an_area_makes_no_difference_to_exempt_classes() -> None:
    world = World([(5, 5), (5, 15), (5, 10)], [WOOD])
    mode = np.full((1, 2, 2), HARD)
    mode[0, 1, :] = mode[0, :, 1] = NONE
    physical = np.zeros_like(mode)
    classes = np.array([[0], [0], [1]])
    sight = world.look(
        mode=mode, physical=physical, observer_class=classes, target_class=classes, model_blocks=np.zeros(3, np.int64)
    )
    assert not sight.visible[0, 1] and not sight.visible[1, 0]
    assert sight.full[0, 2] and sight.full[2, 0] and sight.full[2, 1]


def test_physical_blockers_may_be_soft_or_nothing() -> None:
    world = World([(5, 5), (5, 15)], [ruin(wall(0, 10, 10, 10, 5))])
    soft = world.look(physical=np.full((1, 1, 1), SOFT))
    assert soft.visible[0, 1] and not soft.full[0, 1] and soft.broken[0, 1, 0]
    nothing = world.look(physical=np.full((1, 1, 1), NONE))
    assert nothing.full[0, 1] and not nothing.broken.any()


def test_a_depth_limit_counts_the_way_through_the_area() -> None:
    places = [(5, 5), (5, 15)]
    assert World(places, [WOOD]).area(DEPTH, depth=4.5).look().full[0, 1]
    deep = World(places, [WOOD]).area(DEPTH, depth=3.9).look()
    assert not deep.visible[0, 1] and deep.broken[0, 1, 0]


def test_a_depth_limit_lets_one_cut_a_corner() -> None:
    sight = World([(5, 5), (5, 15)], [Feature("wood", "wood", (at(5.3, 7), at(10, 7), at(10, 13), at(5.3, 13)))])
    cut = sight.area(DEPTH, depth=2).look()
    assert cut.visible[0, 1]


def test_an_area_in_pieces_adds_them_up() -> None:
    bent = (at(0, 8), at(10, 8), at(10, 12), at(5, 10.5), at(0, 12))
    assert World([(5, 5), (5, 15)], [Feature("wood", "wood", bent)]).area(DEPTH, depth=4.2).look().visible[0, 1]
    assert not World([(5, 5), (5, 15)], [Feature("wood", "wood", bent)]).area(DEPTH, depth=2.3).look().visible[0, 1]


def screen(*groups: int) -> World:
    """An observer, a target, and three models shoulder to shoulder between them."""
    world = World([(5, 5), (5, 15), (4, 10), (5, 10), (6, 10)], (), (MAN,))
    world.blocking.group[:] = groups
    return world


def test_models_of_a_third_unit_hide() -> None:
    sight = screen(0, 1, 2, 2, 2).look()
    assert not sight.visible[0, 1] and sight.broken_by_model[0, 1]


def test_models_of_the_observers_unit_never_hide() -> None:
    sight = screen(0, 1, 0, 0, 0).look()
    assert sight.full[0, 1]


def test_models_of_the_targets_unit_hide_as_the_system_says() -> None:
    world = screen(0, 1, 1, 1, 1)
    assert not world.look().visible[0, 1]
    half = world.look(target_group_blocks_full=0)
    assert not half.visible[0, 1] and not half.broken_by_model[0, 1]
    neither = world.look(target_group_blocks_visible=0, target_group_blocks_full=0)
    assert neither.full[0, 1]
    only_full = world.look(target_group_blocks_visible=0)
    assert only_full.visible[0, 1] and not only_full.full[0, 1]


def test_models_that_do_not_block_hide_nothing() -> None:
    assert screen(0, 1, 2, 2, 2).look(model_blocks=np.zeros(5, np.int64)).full[0, 1]


def test_a_gap_narrower_than_the_line_of_sight_shows_nothing() -> None:
    world = World([(5, 5), (5, 15)], [ruin(wall(0, 10, 4.93, 10, 5), wall(5.07, 10, 10, 10, 5))])
    assert world.look().visible[0, 1]
    assert not world.look(half_width=25).visible[0, 1]


def test_a_tank_sees_from_its_corner() -> None:
    shapes = (TANK, MAN)
    lane = ruin(wall(0, 10, 6.0, 10, 5))
    assert World([(5, 5), (5, 15)], [lane], shapes).look().visible[0, 1]
    assert not World([(5, 5, 0, 90), (5, 15)], [lane], shapes).look().visible[0, 1]


def test_an_oval_is_as_long_as_its_facing() -> None:
    shapes = (BIKE, MAN)
    lane = ruin(wall(0, 10, 5.95, 10, 5))
    assert World([(5, 5), (5, 15)], [lane], shapes).look().visible[0, 1]
    assert not World([(5, 5, 0, 90), (5, 15)], [lane], shapes).look().visible[0, 1]


def test_bodies_in_contact_see_each_other() -> None:
    sight = World([(5, 5), (6, 5)]).look()
    assert sight.visible[0, 1] and sight.full[0, 1]


def test_a_point_is_seen_past_the_wall_only() -> None:
    world = World([(5, 5)], [ruin(wall(0, 10, 5, 10, 5))])
    args = (world.bodies, world.shapes, world.terrain, 0)
    assert not sees_point(*args, (steps(3), steps(15), 0), world.blocking).visible[0, 0]
    assert sees_point(*args, (steps(8), steps(15), 0), world.blocking).full[0, 0]
    assert sees_point(*args, (steps(3), steps(15), steps(30)), world.blocking).visible[0, 0]


def test_obstacles_names_what_a_segment_meets() -> None:
    world = World([(5, 5), (5, 15), (5, 12)], [ruin(wall(0, 10, 10, 10, 5)), WOOD]).area(SOFT, feature=1)
    segment = ((*at(5, 5), 1000), (*at(5, 15), 1000))
    args = (world.bodies, world.shapes, world.terrain, world.blocking, 0, 1)
    assert obstacles(*args, *segment).tolist() == [[True, False, True]]
    assert obstacles(*args, *segment, fully=True).tolist() == [[True, True, True]]
    assert not clear(*args, *segment)
    assert clear(*args, (*at(5, 5), 1000), (*at(5, 9), 1000))


def random_world(seed: int, storeys: bool) -> World:
    rng = np.random.default_rng(seed)
    walls = []
    for _ in range(5):
        x, y, dx, dy = rng.uniform(3, 17), rng.uniform(3, 17), rng.uniform(-5, 5), rng.uniform(-5, 5)
        bottom = rng.uniform(1, 2) if storeys and rng.random() < 0.4 else 0.0
        walls.append(wall(x, y, x + dx, y + dy, bottom + rng.uniform(0.8, 4), bottom))
    plate = Floor(tuple(at(x, y) for x, y in ((6, 6), (14, 6), (14, 9), (10, 9), (10, 14), (6, 14))), steps(3), 100)
    places: list[Place] = []
    while len(places) < 9:
        x, y = rng.uniform(1, 19), rng.uniform(1, 19)
        in_wall = any(point_segment(*at(x, y), *w.a, *w.b) < steps(1.6) for w in walls)
        if not in_wall and all((x - p[0]) ** 2 + (y - p[1]) ** 2 > 9 for p in places):
            places.append((x, y, 3.0 if storeys and rng.random() < 0.3 else 0.0, rng.uniform(0, 360)))
    shapes = (MAN, BIKE, round_base(1.5, 1.2), hull(2.0, 1.2, 2.5), round_base(1.0, 1.7), MAN)
    return World(places, [ruin(*walls, floors=[plate] if storeys else ())], shapes)


def rays_see(world: World, i: int, j: int, rng: np.random.Generator, count: int) -> bool:
    """Random segments between points of two bodies."""
    ends = []
    for k in (i, j):
        shape = world.bodies.shape[k]
        angle = rng.uniform(0, 2 * np.pi, count)
        spread = world.shapes.radius[shape] * np.sqrt(rng.uniform(0, 1, count))
        z = world.bodies.pos[k, 2] + world.shapes.height[shape] * np.minimum(1.0, rng.uniform(0, 1.5, count))
        x, y = world.bodies.pos[k, 0] + spread * np.cos(angle), world.bodies.pos[k, 1] + spread * np.sin(angle)
        ends.append(np.stack((x, y, z), axis=1))
    met = obstacles(world.bodies, world.shapes, world.terrain, world.blocking, i, j, ends[0], ends[1], i, j)
    return not met.any(axis=1).all()


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.booleans())
def test_sight_against_random_segments(seed: int, storeys: bool) -> None:
    world = random_world(seed, storeys)
    sight = world.look()
    rng = np.random.default_rng(seed)
    missed = 0
    for i in world.all:
        for j in world.all:
            if i == j:
                continue
            assert sight.visible[i, j] == sight.visible[j, i]
            assert sight.visible[i, j] or not sight.full[i, j]
            assert sight.full[i, j] != (sight.broken[i, j].any() or sight.broken_by_model[i, j])
            if sight.visible[i, j]:
                assert world.clear(int(i), int(j), sight.line[i, j, :3], sight.line[i, j, 3:])
            else:
                missed += rays_see(world, int(i), int(j), rng, 300)
    assert missed <= (2 if storeys else 0)


def test_without_fully_the_same_is_visible_and_nothing_is_named() -> None:
    for seed in range(6):
        world = random_world(seed, storeys=seed % 2 == 1)
        args = (world.bodies, world.shapes, world.terrain, world.all, world.all, world.blocking)
        fully, plainly = look(*args), look(*args, fully=False)
        assert (fully.visible == plainly.visible).all() and (fully.line == plainly.line).all()
        assert not plainly.full.any() and not plainly.broken.any() and not plainly.broken_by_model.any()


def test_the_points_of_a_target_lie_on_the_side_that_faces_the_observer() -> None:
    shapes = (MAN, BIKE, TANK, oval_base(2.0, 1.9, 1.0))
    for turn in range(0, 360, 7):
        world = World([(5, 5), *((15 - k, 9 + 4 * k, 0, turn) for k in range(3))], (), shapes)
        prisms = build(world.bodies, world.shapes, world.terrain, world.blocking.band_top)
        work = make_work(prisms, 0)
        for mark in range(1, 4):
            for eye, pair in ((0, (0, mark)), (1, (mark, 0))):
                set_frame(prisms, *pair, work.pad)
                collect(prisms, 0, *pair, 0, mark, 0, mark, world.blocking, work, True)
                count = set_points(work.vert, work.item, work.tag, work.pad, eye, work.pad[eye, 0], work.point)
                assert count == SAMPLES
                row = work.tag[1 - eye]
                for u, v in work.point[:count, :2]:
                    _, first, last = span(work.vert, row[0], row[1], work.item[1 - eye, 0], v, 0.0)
                    # Ovals whose corners lie on the grid are not quite convex.
                    assert abs(u - (first if eye == 0 else last)) < 1.0


def test_a_point_is_covered_only_where_no_line_past_it_is_clear() -> None:
    rng = np.random.default_rng(4)
    steepest, covered, hidden, free = 1.0, 0, 0, 0
    wide = float(np.sqrt(1.0 + steepest * steepest))
    for _ in range(600):
        corners: list[tuple[float, float]] = []
        tag, item = np.zeros((5, TAG), dtype=np.int64), np.zeros((5, ITEM))
        for k in range(5):
            tag[k, START], tag[k, COUNT], item[k, RADIUS] = len(corners), 1 + k % 3, rng.uniform(50, 1500)
            x, y = rng.uniform(-10_000, 10_000), rng.uniform(-5000, 5000)
            corners += [(x, y), (x + rng.uniform(0, 9000), y + 600), (x - 300, y + 1900)][: 1 + k % 3]
        vert = np.zeros((len(corners), 4))
        vert[:, :2] = corners
        pu, pv, offset = rng.uniform(-8000, 8000), rng.uniform(-3000, 3000), rng.uniform(-1000, 1000)
        some = False
        for m in np.linspace(-steepest, steepest, 101):
            w = float(np.sqrt(1 + m * m))
            a = pv - m * pu + offset * w
            met = [not misses(vert, tag[k, START], tag[k, COUNT], item[k, RADIUS] * w, a, m) for k in range(5)]
            some = some or (met[0] and met[1] and not any(met[2:]))
        none, row = is_covered(vert, item, tag, 0, 5, pu, pv, offset, steepest, wide, 3)
        assert not (none and some) and 2 <= row < 5
        covered, hidden, free = covered + none, hidden + (not some), free + some
    assert free > 50 and covered > hidden / 4


def test_the_sides_of_an_oval_between_are_its_outermost_corners() -> None:
    for turn in range(0, 360, 3):
        oval = oval_base(4.0, 2.0, 5.0) if turn % 2 == 0 else oval_base(1.5, 0.9, 5.0)
        world = World([(3, 5), (25, 7), (12, 6, 0, turn)], (), (MAN, MAN, oval))
        prisms = build(world.bodies, world.shapes, world.terrain, world.blocking.band_top)
        work = make_work(prisms, 0)
        set_frame(prisms, 0, 1, work.pad)
        active = set_observer(prisms, 3, 0, 0, world.blocking, work)
        count, _ = collect(prisms, active, 0, 1, 0, 1, 0, 1, world.blocking, work, True)
        assert count == 3
        ox, oy, ex, ey, _, steepest = work.pad[FRAME]
        x, y = prisms.point[prisms.start[2] : prisms.start[2] + prisms.corners[2], :2].T
        u, v = (x - ox) * ex + (y - oy) * ey, (y - oy) * ex - (x - ox) * ey
        sides = work.vert[work.tag[2, SIDES] : work.tag[2, SIDES] + work.tag[2, SIDE_COUNT]]
        assert 2 <= len(sides) < len(u)
        for m in np.linspace(-steepest, steepest, 9):
            across = sides[:, 1] - m * sides[:, 0]
            # Ovals whose corners lie on the grid are not quite convex.
            assert abs(across.max() - (v - m * u).max()) < 1.0
            assert abs(across.min() - (v - m * u).min()) < 1.0


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10_000))
def test_a_body_seen_fully_shows_its_feet(seed: int) -> None:
    world = random_world(seed, storeys=False)
    sight = world.look()
    tops = world.bodies.pos[:, 2] + world.shapes.height[world.bodies.shape]
    for i, j in np.argwhere(sight.full):
        if i == j or world.shapes.corners[world.bodies.shape[i]] > 1:
            continue
        eye = np.array([*world.bodies.pos[i, :2], tops[i]], dtype=np.float64)
        assert sight.visible[i, j]
        assert not sight.broken[i, j].any() and not sight.broken_by_model[i, j]
        # The middle of the foot lies behind the facing side, so it is seen over whatever that side is seen over.
        radius = world.shapes.radius[world.bodies.shape[i]]
        foot = world.bodies.pos[j] + np.array([0.0, 0.0, 4.0])
        across = np.array([-(foot[1] - eye[1]), foot[0] - eye[0], 0.0])
        across *= radius / np.sqrt((across**2).sum())
        heads = np.array([eye + share * across for share in np.linspace(-1, 1, 41)])
        feet = np.repeat(foot[None], 41, axis=0)
        met = obstacles(
            world.bodies, world.shapes, world.terrain, world.blocking, int(i), int(j), heads, feet, i, j, True
        )
        assert not met.any(axis=1).all()


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 10_000), st.booleans())
def test_the_order_of_models_does_not_matter(seed: int, storeys: bool) -> None:
    world = random_world(seed, storeys)
    sight = world.look()
    order = np.random.default_rng(seed).permutation(len(world.all))
    world.bodies = Bodies(world.bodies.pos[order], world.bodies.facing[order], world.bodies.shape[order])
    again = world.look()
    for one, other in ((sight.visible, again.visible), (sight.full, again.full), (sight.broken, again.broken)):
        assert (one[np.ix_(order, order)] == other).all()


def test_what_stood_in_the_memory_before_makes_no_difference() -> None:
    for seed in range(8):
        world = random_world(seed, storeys=True)
        prisms = build(world.bodies, world.shapes, world.terrain, world.blocking.band_top)
        answers = []
        for rest in (0.0, np.nan):
            work = make_work(prisms, 1)
            for room in (work.vert, work.item, work.free, work.point):
                room[:] = rest
            for i in range(9):
                active = set_observer(prisms, 9, i, i, world.blocking, work)
                for j in range(9):
                    if i == j:
                        continue
                    pair = (i, j) if comes_first(prisms, i, j) else (j, i)
                    set_frame(prisms, *pair, work.pad)
                    n, hidden = collect(prisms, active, *pair, i, j, i, j, world.blocking, work, True)
                    seen = not hidden and find_line(work, n)
                    full = see_fully(work, n, pair.index(i), seen)
                    answers.append((seen, work.pad[LINE].tolist() if seen else [], full, work.named.tolist()))
        assert answers[: len(answers) // 2] == answers[len(answers) // 2 :]


def digest() -> str:
    """All bytes of the answers for two small scenes."""
    h = hashlib.sha256()
    for storeys in (False, True):
        world = random_world(7, storeys).area(SOFT)
        for part in world.look():
            h.update(np.ascontiguousarray(part).tobytes())
        h.update(World([(5, 5), (5, 15)], [WOOD]).area(DEPTH, depth=3.9).look().broken.tobytes())
    return h.hexdigest()


def test_the_same_bits_without_compilation() -> None:
    code = "import runpy, sys; print(runpy.run_path(sys.argv[1])['digest']())"
    run = subprocess.run(
        [sys.executable, "-c", code, __file__],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.strip() == digest()


def test_nothing_compiles_after_warm_up() -> None:
    warm_up()
    before = compiled_signatures()
    world = random_world(3, storeys=True).area(DEPTH, depth=2)
    world.look()
    world.clear(0, 1, world.bodies.pos[0], world.bodies.pos[1])
    assert compiled_signatures() == before
