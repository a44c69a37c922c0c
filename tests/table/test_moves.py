"""Rulings on moves: what a path is, what stands in its way, and where it may end."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandtable.table import moves
from sandtable.table.grid import STEP, TURN, facing, steps
from sandtable.table.layout import Feature, Floor, Table, Wall, compile_terrain
from sandtable.table.measure import area_gap, gaps
from sandtable.table.moves import CLIMB, GO, PIVOT, WHOLE, Code
from sandtable.table.shapes import Bodies, Shape, hull, oval_base, pack, round_base
from sandtable.table.zones import Ball, Zone

MAN = round_base(1.26, 1.5)
OVAL = oval_base(3.54, 2.05, 2.0)
TANK = hull(5.0, 3.0, 2.5)
SIZE = 40
seeds = st.integers(0, 2**32 - 1)
quick = settings(max_examples=40, deadline=None, derandomize=True)


def box(x: float, y: float, w: float, h: float) -> tuple[tuple[int, int], ...]:
    a, b, c, d = steps(x), steps(y), steps(x + w), steps(y + h)
    return ((a, b), (c, b), (c, d), (a, d))


def wall(ax: float, ay: float, bx: float, by: float, top: float = 4.0, bottom: float = 0.0) -> Feature:
    w = Wall((steps(ax), steps(ay)), (steps(bx), steps(by)), steps(bottom), steps(top), steps(0.1))
    return Feature("wall", "ruin", box(ax, ay, bx - ax + 0.1, by - ay + 0.1), walls=(w,))


def crate(x: float, y: float, w: float, h: float, top: float = 3.0) -> Feature:
    return Feature("crate", "crate", box(x, y, w, h), 0, steps(top), solid=True)


def ruin_floor(x: float, y: float, w: float, h: float, z: float = 3.0) -> Feature:
    return Feature("ruin", "ruin", box(x, y, w, h), floors=(Floor(box(x, y, w, h), steps(z), steps(0.1)),))


class Stage:
    """Models of given shapes at places in units, on a table with features; what is asked of it is about model 0."""

    def __init__(self, *models: tuple[Shape, float, float], features: tuple[Feature, ...] = (), z: float = 0.0) -> None:
        self.shapes = pack([m[0] for m in models])
        self.terrain = compile_terrain(Table(SIZE * STEP, SIZE * STEP, "inch", features))
        n = len(models)
        pos = np.array([[steps(x), steps(y), 0] for _, x, y in models], dtype=np.int64)
        pos[0, 2] = steps(z)
        self.bodies = Bodies(pos, np.zeros(n, dtype=np.int64), np.arange(n, dtype=np.int64))
        self.n = n

    def rules(self, **given: object) -> moves.Obstacles:
        return moves.obstacles(self.n, self.terrain, **given)  # type: ignore[arg-type]

    def sweep(self, *legs: tuple[int, float, float, float, int], **rules: object) -> tuple[Code, int]:
        path = moves.path(*((k, steps(x), steps(y), steps(z), f) for k, x, y, z, f in legs))
        return moves.sweep(self.bodies, self.shapes, self.terrain, 0, path, self.rules(**rules))

    def go(self, x: float, y: float, **rules: object) -> tuple[Code, int]:
        return self.sweep((GO, x, y, self.bodies.pos[0, 2] / STEP, int(self.bodies.facing[0])), **rules)


# --- Models ----------------------------------------------------------------------------------------------------------


def test_a_model_in_the_way_blocks_the_move() -> None:
    assert Stage((MAN, 5, 5), (MAN, 8, 5)).go(11, 5, pass_block=1) == (Code.MODEL, 1)


def test_a_model_that_may_be_moved_through_does_not_block() -> None:
    assert Stage((MAN, 5, 5), (MAN, 8, 5)).go(11, 5, end_block=1) == (Code.OK, -1)


def test_nobody_may_end_on_a_model_that_may_be_moved_through() -> None:
    assert Stage((MAN, 5, 5), (MAN, 8, 5)).go(8.5, 5, end_block=1) == (Code.END_MODEL, 1)


def test_a_base_passes_a_gap_that_it_just_fits() -> None:
    stage = Stage((MAN, 5, 5), (MAN, 8, 5 + 1.26), (MAN, 8, 5 - 1.26))
    assert stage.go(11, 5, pass_block=1)[0] == Code.OK
    stage.bodies.pos[1, 1] -= 4
    assert stage.go(11, 5, pass_block=1) == (Code.MODEL, 1)


def test_a_model_may_slide_along_a_base_it_touches() -> None:
    assert Stage((MAN, 5, 5), (MAN, 5, 6.26)).go(9, 5, pass_block=1)[0] == Code.OK


def test_a_model_that_starts_in_overlap_may_move_out_but_not_deeper() -> None:
    stage = Stage((MAN, 5, 5), (MAN, 5.8, 5))
    assert stage.go(2, 5, pass_block=1, end_block=1)[0] == Code.OK
    assert stage.go(9, 5, pass_block=1, end_block=1) == (Code.MODEL, 1)


def test_a_model_under_a_floor_does_not_block_one_on_it() -> None:
    stage = Stage((MAN, 5, 5), (MAN, 8, 5), features=(ruin_floor(2, 2, 12, 6),), z=3)
    assert stage.go(11, 5, pass_block=1)[0] == Code.OK


# --- Zones -----------------------------------------------------------------------------------------------------------


def test_a_zone_may_not_be_entered_on_the_way() -> None:
    stage = Stage((MAN, 5, 5), (MAN, 8, 7))
    assert stage.go(11, 5, zone=Zone(STEP, steps(5)), zoned=[0, 1]) == (Code.ZONE, 1)


def test_a_zone_just_out_of_reach_does_not_matter() -> None:
    stage = Stage((MAN, 5, 5), (MAN, 8, 5 + 1.26 + 1))
    assert stage.go(11, 5, zone=Zone(STEP, 0), zoned=[0, 1]) == (Code.ZONE, 1)
    stage.bodies.pos[1, 1] += 1
    assert stage.go(11, 5, zone=Zone(STEP, 0), zoned=[0, 1])[0] == Code.OK


def test_a_zone_that_a_model_starts_in_may_be_left_but_not_entered_again() -> None:
    stage = Stage((MAN, 5, 5), (MAN, 7, 5))
    zone = {"zone": Zone(STEP, 0), "zoned": [0, 1]}
    assert stage.sweep((GO, 2, 5, 0, 0), **zone)[0] == Code.OK
    assert stage.sweep((GO, 2, 5, 0, 0), (GO, 5, 5, 0, 0), **zone) == (Code.ZONE, 1)


def test_a_zone_reaches_only_so_far_up() -> None:
    stage = Stage((MAN, 5, 5), (MAN, 8, 5), features=(ruin_floor(2, 2, 12, 6, z=6),), z=6)
    assert stage.go(11, 5, zone=Zone(STEP, steps(5)), zoned=[0, 1])[0] == Code.OK
    assert stage.go(11, 5, zone=Zone(STEP, steps(6)), zoned=[0, 1]) == (Code.ZONE, 1)


def test_a_ball_may_not_be_entered_on_the_way_at_any_height() -> None:
    # On a floor 3" up, straight ahead and 4" to the side of an enemy on the ground: 5" away where it passes him.
    stage = Stage((MAN, 5, 5), (MAN, 9, 5 + 1.26 + 4), features=(ruin_floor(2, 2, 14, 6),), z=3)
    gap = stage.bodies.pos[1, 1] - stage.bodies.pos[0, 1] - 2 * int(stage.shapes.radius[0])
    stage.bodies.pos[1, 1] += 4 * STEP - gap
    assert stage.go(13, 5, zone=Ball(5 * STEP), zoned=[0, 1]) == (Code.ZONE, 1)
    assert stage.go(13, 5, zone=Ball(5 * STEP - 1), zoned=[0, 1])[0] == Code.OK
    # A zone as wide and as high as the ball has corners that lie beyond it.
    assert stage.go(13, 5, zone=Zone(5 * STEP - 1, 5 * STEP - 1), zoned=[0, 1]) == (Code.ZONE, 1)
    assert stage.go(13, 5, zone=Ball(3 * STEP - 1), zoned=[0, 1])[0] == Code.OK


def test_a_climb_may_not_come_into_a_ball() -> None:
    # Down from 3" beside a crate, 4" from an enemy on the ground.
    stage = Stage((MAN, 5, 4.7), (MAN, 5, 9), features=(crate(1, 1, 7, 3),), z=3)
    gap = stage.bodies.pos[1, 1] - stage.bodies.pos[0, 1] - 2 * int(stage.shapes.radius[0])
    stage.bodies.pos[1, 1] += 4 * STEP - gap
    for down, ball, met in ((0, 4, True), (0, 3.99, False), (2, 4.4, False), (2, 4.5, True)):
        rules = {"zone": Ball(steps(ball)), "zoned": [0, 1]}
        assert (stage.sweep((CLIMB, 5, 4.7, down, 0), **rules)[0] == Code.ZONE) == met


def test_a_ball_that_a_model_starts_in_may_be_left_but_not_entered_again() -> None:
    stage = Stage((MAN, 5, 5), (MAN, 7, 5))
    ball = {"zone": Ball(STEP), "zoned": [0, 1]}
    assert stage.sweep((GO, 2, 5, 0, 0), **ball)[0] == Code.OK
    assert stage.sweep((GO, 2, 5, 0, 0), (GO, 5, 5, 0, 0), **ball) == (Code.ZONE, 1)


def test_a_move_may_not_end_in_a_ball() -> None:
    stage = Stage((MAN, 5, 5), (MAN, 9, 5), features=(ruin_floor(2, 2, 5, 6),), z=3)
    stage.bodies.pos[1, 0] = stage.bodies.pos[0, 0] + 2 * int(stage.shapes.radius[0]) + 4 * STEP
    assert stage.sweep(end_zone=Ball(5 * STEP), end_zoned=[0, 1]) == (Code.END_ZONE, 1)
    assert stage.sweep(end_zone=Ball(5 * STEP - 1), end_zoned=[0, 1]) == (Code.OK, -1)


def test_zones_at_the_end_have_a_height_of_their_own() -> None:
    stage = Stage((MAN, 5, 5), (MAN, 7, 5), features=(ruin_floor(2, 2, 5, 6),), z=3)
    assert stage.sweep(zone=Zone(STEP, 0), zoned=1, end_zone=Zone(STEP, steps(5)), end_zoned=1) == (Code.END_ZONE, 1)
    assert stage.sweep(zone=Zone(STEP, steps(5)), zoned=1, end_zone=Zone(STEP, 0), end_zoned=1) == (Code.OK, -1)


def test_a_move_may_not_end_in_an_end_zone_even_without_moving() -> None:
    stage = Stage((MAN, 5, 5), (MAN, 7, 5))
    assert stage.go(5.1, 5, end_zone=Zone(STEP, 0), end_zoned=[0, 1]) == (Code.END_ZONE, 1)
    assert stage.sweep(end_zone=Zone(STEP, 0), end_zoned=[0, 1]) == (Code.END_ZONE, 1)


# --- Terrain ---------------------------------------------------------------------------------------------------------


def test_a_wall_blocks_unless_the_system_lets_pass() -> None:
    stage = Stage((MAN, 5, 5), features=(wall(8, 2, 8, 8),))
    assert stage.go(11, 5) == (Code.WALL, 0)
    assert stage.go(11, 5, wall_blocks=0)[0] == Code.OK
    assert stage.go(8.2, 5, wall_blocks=0) == (Code.END_WALL, 0)


def test_low_terrain_is_moved_over_as_if_not_there() -> None:
    stage = Stage((MAN, 5, 5), features=(wall(8, 2, 8, 8, top=2), crate(12, 2, 2, 6, top=2)))
    assert stage.go(20, 5, free_height=steps(2))[0] == Code.OK
    assert stage.go(20, 5, free_height=steps(2) - 1) == (Code.WALL, 0)
    assert stage.go(13, 5, free_height=steps(2)) == (Code.END_SOLID, 1)


def test_a_wall_over_the_head_does_not_block() -> None:
    assert Stage((MAN, 5, 5), features=(wall(8, 2, 8, 8, 5, 1.5),)).go(11, 5)[0] == Code.OK


def test_a_solid_blocks_round_bases_and_hulls() -> None:
    for shape in (MAN, OVAL, TANK):
        stage = Stage((shape, 5, 20), features=(crate(12, 15, 3, 10),))
        assert stage.go(30, 20) == (Code.SOLID, 0)
        assert stage.go(30, 20, fly=True)[0] == Code.OK
        assert stage.go(13, 20, fly=True) == (Code.END_SOLID, 0)


def test_a_hull_may_stand_flush_against_a_crate() -> None:
    stage = Stage((TANK, 5, 20), features=(crate(12, 15, 3, 10),))
    assert stage.go(9.5, 20)[0] == Code.OK
    assert stage.go(9.52, 20) == (Code.SOLID, 0)


def test_a_crate_inside_the_swept_area_of_a_hull_blocks_it() -> None:
    assert Stage((TANK, 5, 20), features=(crate(12, 19.8, 0.3, 0.3),)).go(30, 20) == (Code.SOLID, 0)


def test_the_whole_base_stays_on_the_table() -> None:
    stage = Stage((MAN, 5, 5))
    assert stage.go(0.63, 5)[0] == Code.OK
    assert stage.go(0.62, 5) == (Code.EDGE, -1)
    assert stage.go(0.62, 5, edge=False)[0] == Code.OK


# --- Pivots ----------------------------------------------------------------------------------------------------------


def test_a_hull_may_not_swing_its_corner_through_a_wall() -> None:
    stage = Stage((TANK, 10, 10), features=(wall(11.0, 12.2, 14, 12.2),))
    assert stage.sweep((PIVOT, 10, 10, 0, facing(90))) == (Code.WALL, 0)
    assert stage.sweep((PIVOT, 10, 10, 0, facing(-20)))[0] == Code.OK


def test_a_pivot_does_not_jump_over_a_thin_post() -> None:
    # The post stands where only a corner passes, between the facings 0 and 90.
    angle = math.radians(45) + math.atan2(1.5, 2.5)
    far = math.hypot(2.5, 1.5) - 0.08
    x, y = 10 + far * math.cos(angle), 10 + far * math.sin(angle)
    stage = Stage((TANK, 10, 10), (round_base(0.06, 2), x, y))
    assert stage.sweep((PIVOT, 10, 10, 0, facing(90)), pass_block=1) == (Code.MODEL, 1)


def test_a_round_base_may_always_pivot() -> None:
    assert Stage((MAN, 5, 5), (MAN, 5, 6.26)).sweep((PIVOT, 5, 5, 0, 1000), pass_block=1)[0] == Code.OK


def test_a_leg_that_turns_on_the_way_is_no_leg() -> None:
    stage = Stage((TANK, 10, 10))
    assert stage.sweep((GO, 12, 10, 0, 5))[0] == Code.LEG
    assert stage.sweep((PIVOT, 12, 10, 0, 5))[0] == Code.LEG
    assert stage.sweep((CLIMB, 12, 10, 3, 0))[0] == Code.LEG
    assert stage.sweep((7, 12, 10, 0, 0))[0] == Code.LEG


# --- Levels ----------------------------------------------------------------------------------------------------------

UP = ((GO, 9.36, 5, 0, 0), (CLIMB, 9.36, 5, 3, 0), (GO, 11, 5, 3, 0))


def test_a_model_climbs_a_crate_at_its_side_and_stands_on_top() -> None:
    stage = Stage((MAN, 5, 5), features=(crate(10, 2, 6, 6),))
    assert stage.sweep(*UP)[0] == Code.OK
    assert stage.sweep((GO, 11, 5, 3, 0)) == (Code.SOLID, 0)


def test_a_model_climbs_to_a_floor_at_its_edge_but_not_through_it() -> None:
    stage = Stage((MAN, 5, 5), features=(ruin_floor(10, 2, 6, 6),))
    assert stage.sweep(*UP)[0] == Code.OK
    through = ((GO, 12, 5, 0, 0), (CLIMB, 12, 5, 3, 0))
    assert stage.sweep(*through) == (Code.FLOOR, 0)
    assert stage.sweep(*through, floor_blocks=0)[0] == Code.OK


def test_nobody_climbs_thin_air_or_walks_on_it() -> None:
    stage = Stage((MAN, 5, 5), features=(crate(10, 2, 6, 6),))
    assert stage.sweep((CLIMB, 5, 5, 3, 0), (GO, 11, 5, 3, 0))[0] == Code.AIR
    two = Stage((MAN, 5, 5), features=(crate(10, 2, 4, 6), crate(18, 2, 4, 6)))
    assert two.sweep(*UP, (GO, 20, 5, 3, 0))[0] == Code.AIR
    assert two.sweep(*UP, (GO, 20, 5, 3, 0), grounded=False)[0] == Code.OK


def test_the_middle_or_the_whole_base_must_have_a_floor_as_the_system_says() -> None:
    stage = Stage((MAN, 5, 5), features=(ruin_floor(10, 2, 6, 6),))
    half = (*UP[:2], (GO, 10.2, 5, 3, 0))
    assert stage.sweep(*half)[0] == Code.OK
    assert stage.sweep(*half, overhang=WHOLE)[0] == Code.END_FLOOR
    assert stage.sweep(*UP[:2])[0] == Code.END_FLOOR
    assert stage.sweep(*UP, overhang=WHOLE)[0] == Code.OK


def test_a_base_may_stand_across_two_floors_that_meet() -> None:
    stage = Stage((MAN, 5, 5), features=(ruin_floor(2, 2, 4, 6), ruin_floor(6, 2, 4, 6)), z=3)
    assert stage.go(6, 5, overhang=WHOLE)[0] == Code.OK
    assert stage.go(9.7, 5, overhang=WHOLE)[0] == Code.END_FLOOR


def test_a_flyer_crosses_everything_but_ends_legally() -> None:
    stage = Stage((MAN, 5, 5), (MAN, 8, 5), features=(wall(10, 2, 10, 8), crate(12, 2, 2, 6)))
    assert stage.go(20, 5, pass_block=1, end_block=1, fly=True)[0] == Code.OK
    assert stage.go(8, 5, pass_block=1, end_block=1, fly=True) == (Code.END_MODEL, 1)
    assert stage.sweep((GO, 13, 5, 3, 0), fly=True)[0] == Code.OK


def test_a_model_too_tall_does_not_stand_under_a_low_floor() -> None:
    stage = Stage((MAN, 5, 5), features=(ruin_floor(10, 2, 6, 6, z=1),))
    assert stage.go(12, 5) == (Code.FLOOR, 0)
    assert stage.go(12, 5, fly=True) == (Code.END_CEILING, 0)


def test_a_place_has_the_levels_of_its_floors_and_solids() -> None:
    stage = Stage((MAN, 5, 5), features=(ruin_floor(2, 2, 8, 8), ruin_floor(2, 2, 4, 4, z=6), crate(20, 20, 2, 2)))
    assert moves.levels(stage.terrain, steps(3), steps(3)).tolist() == [0, steps(3), steps(6)]
    assert moves.levels(stage.terrain, steps(21), steps(21)).tolist() == [0, steps(3)]


# --- Units -----------------------------------------------------------------------------------------------------------


def unit_sweep(stage: Stage, *targets: tuple[float, float] | None, **rules: object) -> list[list[int]]:
    paths = [
        moves.path() if t is None else moves.straight(stage.bodies, i, steps(t[0]), steps(t[1]))
        for i, t in enumerate(targets)
    ]
    models = np.arange(len(targets), dtype=np.int64)
    found = moves.sweep_unit(stage.bodies, stage.shapes, stage.terrain, models, *moves.pad(paths), stage.rules(**rules))
    return found.tolist()


def test_models_of_a_unit_move_past_each_other_and_into_places_left_free() -> None:
    stage = Stage((MAN, 5, 5), (MAN, 7, 5))
    assert unit_sweep(stage, (7, 5), (5, 5), pass_block=1, end_block=1) == [[0, -1, -1], [0, -1, -1]]


def test_models_of_a_unit_may_not_end_on_each_other() -> None:
    stage = Stage((MAN, 5, 5), (MAN, 7, 5), (MAN, 9, 5))
    assert unit_sweep(stage, (6, 9), (6.5, 9), None) == [[0, -1, -1], [Code.END_MODEL, 0, -1], [0, -1, -1]]
    assert unit_sweep(stage, (8.5, 5), (6.5, 9), None)[0] == [Code.END_MODEL, 2, -1]


def test_the_offending_leg_is_named() -> None:
    stage = Stage((MAN, 5, 5), features=(wall(8, 2, 8, 8),))
    path = moves.path((GO, steps(6), steps(5), 0, 0), (GO, steps(11), steps(5), 0, 0))
    one = np.zeros(1, dtype=np.int64)
    found = moves.sweep_unit(stage.bodies, stage.shapes, stage.terrain, one, *moves.pad([path]), stage.rules())
    assert found.tolist() == [[Code.WALL, 0, 1]]


def test_may_end_judges_many_places_at_once() -> None:
    stage = Stage((MAN, 5, 5), (MAN, 8, 5))
    places = np.array([[steps(5), steps(9), 0, 0], [steps(8.5), steps(5), 0, 0], [0, 0, 0, 0]], dtype=np.int64)
    found = moves.may_end(stage.bodies, stage.shapes, stage.terrain, 0, places, stage.rules(end_block=1))
    assert found.tolist() == [[Code.OK, -1], [Code.END_MODEL, 1], [Code.EDGE, -1]]


# --- Length ----------------------------------------------------------------------------------------------------------


def test_length_counts_ground_height_and_swing_apart() -> None:
    start = np.array([0, 0, 0, 0], dtype=np.int64)
    legs = moves.path((GO, 3072, 4096, 0, 0), (CLIMB, 3072, 4096, 2048, 0), (PIVOT, 3072, 4096, 2048, 3072))
    flat, rise, arc = moves.length(start, legs, 1000)
    assert (flat, rise) == (5120.0, 2048)
    assert arc == pytest.approx(math.pi / 2 * 1000)


def test_flight_is_measured_through_the_air() -> None:
    start = np.array([0, 0, 0, 0], dtype=np.int64)
    assert moves.flight(start, moves.path((GO, 3072, 0, 4096, 0))) == 5120.0


def test_a_turn_goes_the_shorter_way() -> None:
    assert moves.turn_between(0, 1000) == 1000
    assert moves.turn_between(0, 3096) == -1000
    assert moves.turn_between(4000, 100) == 196
    assert moves.turn_between(100, 100 + TURN // 2) == TURN // 2


# --- Against brute force ---------------------------------------------------------------------------------------------


def crowd(seed: int) -> tuple[Stage, np.random.Generator]:
    rng = np.random.default_rng(seed)
    kinds = (MAN, OVAL, TANK)
    models = [(kinds[rng.integers(3)], float(rng.uniform(6, 34)), float(rng.uniform(6, 34))) for _ in range(12)]
    x, y = rng.uniform(8, 28, 2)
    stage = Stage(*models, features=(crate(float(x), float(y), 3, 4),))
    stage.bodies.facing[:] = rng.integers(0, TURN, 12)
    return stage, rng


def positions_on_the_way(
    stage: Stage, end: tuple[int, int, int], n: int = 500
) -> tuple[Bodies, np.ndarray, np.ndarray]:
    """A row for every position of model 0 on its way to (x, y, facing), and one for every other model."""
    x0, y0, f0 = *stage.bodies.pos[0, :2], stage.bodies.facing[0]
    turn = moves.turn_between(int(f0), end[2])
    pos = np.zeros((n, 3), dtype=np.int64)
    t = np.linspace(0, 1, n)
    pos[:, 0] = np.rint(x0 + (end[0] - x0) * t)
    pos[:, 1] = np.rint(y0 + (end[1] - y0) * t)
    turned = np.rint(f0 + turn * t).astype(np.int64) % TURN
    bodies = Bodies(
        np.vstack([pos, stage.bodies.pos[1:]]),
        np.concatenate([turned, stage.bodies.facing[1:]]),
        np.concatenate([np.zeros(n, dtype=np.int64), stage.bodies.shape[1:]]),
    )
    return bodies, np.arange(n, dtype=np.int64), np.arange(n, n + stage.n - 1, dtype=np.int64)


def check_against_positions(stage: Stage, end: tuple[int, int, int], kind: int, slack: float) -> None:
    bodies, mine, others = positions_on_the_way(stage, end)
    gap = gaps(bodies, stage.shapes, mine, others)
    inside = [area_gap(bodies, stage.shapes, i, stage.terrain.outline[0], 4) for i in mine]
    start = gap[0]
    free = start > 4
    path = moves.path((kind, end[0], end[1], 0, end[2]))
    rules = stage.rules(pass_block=np.concatenate([[0], free]), end_block=0, edge=False, solid_blocks=0, end_solid=0)
    code, _ = moves.sweep(stage.bodies, stage.shapes, stage.terrain, 0, path, rules)
    least = gap[:, free].min(initial=1e9)
    assert code in (Code.OK, Code.MODEL)
    if least < -2:
        assert code == Code.MODEL
    if least > slack:
        assert code == Code.OK
    if inside[0] > 4:
        rules = stage.rules(edge=False, end_solid=0)
        code, _ = moves.sweep(stage.bodies, stage.shapes, stage.terrain, 0, path, rules)
        if min(inside) < -8:
            assert code == Code.SOLID
        if min(inside) > slack:
            assert code == Code.OK


@quick
@given(seeds)
def test_a_straight_sweep_finds_what_five_hundred_positions_find(seed: int) -> None:
    stage, rng = crowd(seed)
    x, y = rng.integers(4 * STEP, 36 * STEP, 2)
    check_against_positions(stage, (int(x), int(y), int(stage.bodies.facing[0])), GO, slack=6)


@quick
@given(seeds)
def test_a_pivot_finds_what_five_hundred_positions_find(seed: int) -> None:
    stage, rng = crowd(seed)
    x, y = (int(v) for v in stage.bodies.pos[0, :2])
    check_against_positions(stage, (x, y, int(rng.integers(TURN))), PIVOT, slack=6)


@quick
@given(seeds)
def test_a_wall_stops_exactly_what_comes_nearer_than_its_half_thickness(seed: int) -> None:
    rng = np.random.default_rng(seed)
    ax, ay, bx, by, sx, sy, ex, ey = (float(v) for v in rng.uniform(5, 35, 8))
    stage = Stage(((MAN, OVAL, TANK)[rng.integers(3)], sx, sy), features=(wall(ax, ay, bx, by),))
    stage.bodies.facing[0] = rng.integers(TURN)
    end = (steps(ex), steps(ey), int(stage.bodies.facing[0]))
    bodies, mine, _ = positions_on_the_way(stage, end)
    w = stage.terrain.wall[0]
    line = np.array([w[0:2], w[2:4], w[2:4]], dtype=np.int64)
    gap = np.array([area_gap(bodies, stage.shapes, i, line, 3) for i in mine]) - w[6]
    code, _ = moves.sweep(
        stage.bodies, stage.shapes, stage.terrain, 0, moves.path((GO, *end[:2], 0, end[2])), stage.rules(end_wall=0)
    )
    if gap[0] < 4:
        return
    if gap.min() < -3:
        assert code == Code.WALL
    if gap.min() > 6:
        assert code == Code.OK


@quick
@given(seeds)
def test_the_swept_core_is_the_hull_of_both_ends(seed: int) -> None:
    from sandtable.table.cores import place_core
    from sandtable.table.moves_scene import sweep_core
    from sandtable.table.shapes import _convex

    rng = np.random.default_rng(seed)
    shapes = pack([OVAL, TANK])
    base, out = np.zeros((48, 2), dtype=np.int64), np.zeros((60, 2), dtype=np.int64)
    n = place_core(shapes, int(rng.integers(2)), 0, 0, int(rng.integers(TURN)), base)
    dx, dy = (int(v) for v in rng.integers(-9000, 9000, 2))
    m = sweep_core(base, n, 50, 60, dx, dy, out)
    both = [(int(x) + 50, int(y) + 60) for x, y in base[:n]] + [
        (int(x) + 50 + dx, int(y) + 60 + dy) for x, y in base[:n]
    ]
    assert set(_convex(both)) <= {(int(x), int(y)) for x, y in out[:m]} <= set(both)


# --- One after the other ---------------------------------------------------------------------------------------------


def sweep_all(stage: Stage, ends: dict[int, tuple[float, float]], order: list[int], **rules: object) -> list[int]:
    """The codes of models that go straight to their ends, in an order."""
    stay = moves.path()
    paths = [moves.straight(stage.bodies, m, *map(steps, ends[m])) if m in ends else stay for m in order]
    padded = moves.pad(paths)
    found = moves.sweep_unit(
        stage.bodies, stage.shapes, stage.terrain, np.array(order, dtype=np.int64), *padded, stage.rules(**rules)
    )
    return [int(code) for code in found[:, 0]]


def test_comrades_move_through_each_other_unless_they_go_in_order() -> None:
    stage = Stage((MAN, 5, 5), (MAN, 8, 5))
    ends = {0: (11.0, 5.0)}
    assert sweep_all(stage, ends, [0, 1]) == [Code.OK, Code.OK]
    assert sweep_all(stage, ends, [0, 1], in_order=True, pass_block=1) == [Code.MODEL, Code.OK]


def test_only_who_may_not_be_moved_through_is_in_the_way_of_comrades() -> None:
    stage = Stage((MAN, 5, 5), (MAN, 8, 5))
    assert sweep_all(stage, {0: (11.0, 5.0)}, [0, 1], in_order=True, pass_block=[1, 0]) == [Code.OK, Code.OK]


def test_who_goes_first_makes_room_for_those_behind() -> None:
    stage = Stage((MAN, 5, 5), (MAN, 8, 5))
    ends = {0: (9.0, 5.0), 1: (12.0, 5.0)}
    assert sweep_all(stage, ends, [1, 0], in_order=True, pass_block=1) == [Code.OK, Code.OK]
    assert sweep_all(stage, ends, [0, 1], in_order=True, pass_block=1)[0] == Code.MODEL


def test_who_went_first_is_in_the_way_where_he_ended() -> None:
    stage = Stage((MAN, 5, 5), (MAN, 8, 9))
    ends = {0: (11.0, 5.0), 1: (8.0, 5.0)}
    assert sweep_all(stage, ends, [0, 1], in_order=True, pass_block=1) == [Code.OK, Code.OK]
    assert sweep_all(stage, ends, [1, 0], in_order=True, pass_block=1) == [Code.OK, Code.MODEL]


def test_comrades_pass_where_a_base_just_fits() -> None:
    stage = Stage((MAN, 5, 5), (MAN, 8, 5 + 1.26), (MAN, 8, 5 - 1.26))
    assert sweep_all(stage, {0: (11.0, 5.0)}, [0, 1, 2], in_order=True, pass_block=1) == [Code.OK, Code.OK, Code.OK]
    stage.bodies.pos[1, 1] -= 4
    assert sweep_all(stage, {0: (11.0, 5.0)}, [0, 1, 2], in_order=True, pass_block=1) == [Code.MODEL, Code.OK, Code.OK]


def test_who_goes_in_order_still_meets_everybody_else() -> None:
    stage = Stage((MAN, 5, 5), (MAN, 5, 9), (MAN, 8, 5))
    found = sweep_all(stage, {0: (11.0, 5.0), 1: (11.0, 9.0)}, [0, 1], in_order=True, pass_block=1)
    assert found == [Code.MODEL, Code.OK]


def test_who_flies_passes_over_comrades_in_any_order_but_ends_where_nobody_stands() -> None:
    stage = Stage((MAN, 5, 5), (MAN, 8, 5))
    flying = {"in_order": True, "fly": True, "pass_block": 1, "end_block": 1}
    assert sweep_all(stage, {0: (11.0, 5.0)}, [0, 1], **flying) == [Code.OK, Code.OK]
    after_each_other = {0: (8.0, 5.0), 1: (11.0, 5.0)}
    assert sweep_all(stage, after_each_other, [1, 0], **flying) == [Code.OK, Code.OK]
    assert sweep_all(stage, after_each_other, [0, 1], **flying)[0] == Code.END_MODEL


# --- Closed features -------------------------------------------------------------------------------------------------


def test_nobody_enters_or_touches_a_closed_feature_although_it_is_no_solid_one() -> None:
    marsh = Feature("marsh", "marsh", box(7, 4, 3, 3))
    stage = Stage((MAN, 5, 5), features=(marsh,))
    assert stage.go(11, 5) == (Code.OK, -1)
    assert stage.go(11, 5, solid_blocks=moves.CLOSED) == (Code.SOLID, 0)
    assert stage.go(11, 5, solid_blocks=moves.CLOSED, end_solid=0) == (Code.SOLID, 0)
    assert stage.go(8, 5, solid_blocks=moves.CLOSED) == (Code.SOLID, 0)
    for x, code in ((7 - 0.63, Code.OK), (7 - 0.62, Code.SOLID)):
        assert stage.go(x, 5, solid_blocks=moves.CLOSED)[0] == code


def test_a_closed_feature_has_no_height_to_go_over_it() -> None:
    stage = Stage((MAN, 5, 5), features=(crate(7, 4, 3, 3, top=1.0),))
    assert stage.go(11, 5, free_height=2 * STEP) == (Code.OK, -1)
    assert stage.go(11, 5, free_height=2 * STEP, solid_blocks=moves.CLOSED) == (Code.SOLID, 0)


# --- How near to a wall one climbs -----------------------------------------------------------------------------------


@pytest.mark.parametrize("cling", [STEP // 4, STEP // 2])
def test_a_model_climbs_no_further_from_a_feature_than_the_system_says(cling: int) -> None:
    stage = Stage((MAN, 5, 5), features=(crate(1, 1, 7, 3),))
    edge = steps(4) + int(stage.shapes.radius[0])
    for away, code in ((cling, Code.OK), (cling + 1, Code.AIR)):
        stage.bodies.pos[0, 1] = edge + away
        up = moves.path((CLIMB, steps(5), edge + away, steps(2), 0))
        found = moves.sweep(stage.bodies, stage.shapes, stage.terrain, 0, up, stage.rules(cling=cling, overhang=0))
        assert (found[0] == Code.AIR) == (code == Code.AIR)
