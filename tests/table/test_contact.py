"""Rulings on base contact: where there is room, it is found; what is found touches and overlaps nothing."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandtable.table import moves
from sandtable.table.contact import ANY, contact_spots, warm_up
from sandtable.table.grid import COS, OVERLAP, SIN, STEP, TOUCHING, TRIG_SCALE, TURN, Floats, Ints, steps
from sandtable.table.layout import Feature, Floor, Table, Wall, compile_terrain
from sandtable.table.measure import pair_gap
from sandtable.table.shapes import Bodies, Shape, hull, oval_base, pack, round_base
from sandtable.table.zones import Ball, Zone

MAN = round_base(1.26, 1.5)
BIG = round_base(2.0, 2.0)
OVAL = oval_base(3.54, 2.05, 2.0)
TANK = hull(5.0, 3.0, 2.5)
seeds = st.integers(0, 2**32 - 1)
some = settings(max_examples=60, deadline=None, derandomize=True)


@pytest.fixture(scope="module", autouse=True)
def _kernels() -> None:
    warm_up()


def box(x: float, y: float, w: float, h: float) -> tuple[tuple[int, int], ...]:
    a, b, c, d = steps(x), steps(y), steps(x + w), steps(y + h)
    return ((a, b), (c, b), (c, d), (a, d))


class Stage:
    """Model 0 wants to touch model 1; the others are in the way."""

    def __init__(self, *models: tuple[Shape, float, float], features: tuple[Feature, ...] = ()) -> None:
        self.shapes = pack([m[0] for m in models])
        self.terrain = compile_terrain(Table(30 * STEP, 30 * STEP, "inch", features))
        pos = np.array([[steps(x), steps(y), 0] for _, x, y in models], dtype=np.int64)
        n = self.n = len(models)
        self.bodies = Bodies(pos, np.zeros(n, dtype=np.int64), np.arange(n, dtype=np.int64))

    def rules(self, **given: object) -> moves.Obstacles:
        return moves.obstacles(self.n, self.terrain, **{"end_block": 1} | given)  # type: ignore[arg-type]

    def spots(self, far: int = ANY, most: int = ANY, **rules: object) -> Ints:
        x, y = (int(v) for v in self.bodies.pos[0, :2])
        facing, blocks = int(self.bodies.facing[0]), self.rules(**rules)
        return contact_spots(self.bodies, self.shapes, self.terrain, 0, facing, 1, x, y, blocks, far, most)

    def away(self, spots: Ints) -> Floats:
        """How far spots are from the start."""
        return np.asarray(np.sqrt(((spots - self.bodies.pos[0, :2]) ** 2).sum(axis=1)))

    def check(self, spots: Ints, **rules: object) -> None:
        """Every spot touches the target and is a legal end."""
        for x, y in spots.tolist():
            pos = self.bodies.pos.copy()
            pos[0] = x, y, pos[1, 2]
            there = self.bodies._replace(pos=pos)
            assert 0 <= pair_gap(there, self.shapes, 0, 1) <= TOUCHING
            assert all(pair_gap(there, self.shapes, 0, k) >= OVERLAP for k in range(2, self.n))
            place = np.array([[x, y, pos[1, 2], self.bodies.facing[0]]], dtype=np.int64)
            found = moves.may_end(self.bodies, self.shapes, self.terrain, 0, place, self.rules(**rules))
            assert found[0, 0] == moves.Code.OK


def test_the_nearest_spot_comes_first() -> None:
    stage = Stage((MAN, 5, 10), (MAN, 10, 10))
    spots = stage.spots()
    stage.check(spots)
    assert abs(spots[0, 0] - (10 - 1.26) * STEP) <= 2
    assert spots[0, 1] == 10 * STEP
    away = ((spots - stage.bodies.pos[0, :2]) ** 2).sum(axis=1)
    assert (np.diff(away) >= 0).all()


def test_six_bases_around_a_seventh_leave_no_room_and_five_leave_one_place() -> None:
    ring = [(MAN, 10 + 1.262 * float(np.cos(a)), 10 + 1.262 * float(np.sin(a))) for a in np.arange(6) * np.pi / 3]
    assert len(Stage((MAN, 5, 10), (MAN, 10, 10), *ring).spots()) == 0
    five = Stage((MAN, 5, 10), (MAN, 10, 10), *ring[1:])
    spots = five.spots()
    five.check(spots)
    assert len(spots) > 0
    assert (abs(spots - five.bodies.pos[1, :2] - [steps(1.262), 0]) <= 6).all()


def test_a_wall_and_the_edge_take_their_part_of_the_circle() -> None:
    wall = Wall((steps(9.2), steps(5)), (steps(9.2), steps(15)), 0, steps(4), 100)
    stage = Stage((MAN, 5, 10), (MAN, 10, 10), features=(Feature("w", "w", box(9, 5, 1, 10), walls=(wall,)),))
    spots = stage.spots()
    stage.check(spots)
    assert len(spots) > 0
    assert (spots[:, 0] >= steps(9.2 + 0.63)).all()
    corner = Stage((MAN, 5, 10), (MAN, 0.63, 0.63))
    spots = corner.spots()
    corner.check(spots)
    assert (spots.min(axis=0) >= steps(0.63)).all()
    assert len(spots) > 0


def test_a_target_in_an_end_zone_of_another_may_still_be_touched_outside_it() -> None:
    stage = Stage((MAN, 5, 10), (MAN, 10, 10), (MAN, 10, 12.5))
    spots = stage.spots(end_zone=Zone(STEP, 0), end_zoned=[0, 0, 1])
    stage.check(spots, end_zone=Zone(STEP, 0), end_zoned=[0, 0, 1])
    assert len(spots) > 0
    assert spots[:, 1].max() < 10.6 * STEP


def test_a_target_in_a_ball_of_another_may_still_be_touched_outside_it() -> None:
    # The other stands 3" lower: of its 5" in space 4" are left on the target's floor.
    floor = Feature("ruin", "ruin", box(2, 2, 20, 20), floors=(Floor(box(2, 2, 20, 20), steps(3), 100),))
    stage = Stage((MAN, 5, 10), (MAN, 10, 10), (MAN, 10, 15.5), features=(floor,))
    stage.bodies.pos[:2, 2] = steps(3)
    ball = {"end_zone": Ball(5 * STEP), "end_zoned": [0, 0, 1], "overhang": moves.WHOLE}
    spots = stage.spots(**ball)
    stage.check(spots, **ball)
    assert len(spots) > 0
    # The last free places are at the edge of the ball.
    away = spots - stage.bodies.pos[2, :2]
    nearest = float(np.sqrt((away * away).sum(axis=1)).min()) - 2 * int(stage.shapes.radius[0])
    assert 4 * STEP < nearest < 4 * STEP + 4


def test_a_target_on_a_floor_is_touched_on_that_floor() -> None:
    floor = Feature("ruin", "ruin", box(9, 9, 4, 4), floors=(Floor(box(9, 9, 4, 4), steps(3), 100),))
    stage = Stage((MAN, 5, 10), (MAN, 10, 10), features=(floor,))
    stage.bodies.pos[1, 2] = steps(3)
    spots = stage.spots(overhang=moves.WHOLE)
    stage.check(spots, overhang=moves.WHOLE)
    assert len(spots) > 0
    assert (spots >= steps(9 + 0.63)).all()


def crowd(seed: int, mine: Shape, target: Shape) -> Stage:
    rng = np.random.default_rng(seed)
    reach = (mine.reach + target.reach) / STEP
    angles = rng.uniform(0, 2 * np.pi, int(rng.integers(2, 9)))
    others = [
        (MAN, 15 + float(np.cos(a) * d), 15 + float(np.sin(a) * d))
        for a, d in zip(angles, rng.uniform(0.8, 1.5, len(angles)) * reach, strict=True)
    ]
    stage = Stage((mine, *map(float, rng.uniform(5, 25, 2))), (target, 15, 15), *others)
    stage.bodies.facing[:] = rng.integers(0, TURN, stage.n)
    return stage


def sampled_room(stage: Stage, n: int = 1024) -> Ints:
    """Places on the contact circle of two round bases, by brute force, that nothing else stands in."""
    apart = int(stage.shapes.radius[0] + stage.shapes.radius[1]) + 1
    f = np.arange(n) * (TURN // n)
    places = stage.bodies.pos[1, :2] + np.stack([COS[f], SIN[f]], axis=1) * apart // TRIG_SCALE
    gap = np.sqrt(((places[:, None, :] - stage.bodies.pos[None, 2:, :2]) ** 2).sum(axis=2))
    return places[(gap >= stage.shapes.radius[0] + stage.shapes.radius[2:]).all(axis=1)]


@some
@given(seeds)
def test_room_between_round_bases_is_found_wherever_a_thousand_angles_find_it(seed: int) -> None:
    stage = crowd(seed, MAN, BIG)
    spots, room = stage.spots(), sampled_room(stage)
    stage.check(spots)
    if len(room):
        start = stage.bodies.pos[0, :2]
        best = np.sqrt(((room - start) ** 2).sum(axis=1)).min()
        assert len(spots) > 0
        assert np.sqrt(((spots[0] - start) ** 2).sum()) <= best + 4


@settings(some, max_examples=20)
@given(seeds, st.sampled_from([(MAN, OVAL), (OVAL, MAN), (MAN, TANK), (OVAL, TANK), (TANK, TANK)]))
def test_spots_around_ovals_and_hulls_touch_and_the_nearest_is_near(seed: int, pair: tuple[Shape, Shape]) -> None:
    stage = crowd(seed, *pair)
    spots = stage.spots()
    stage.check(spots[:: max(1, len(spots) // 12)])
    alone = Stage((pair[0], 5, 15), (pair[1], 15, 15))
    alone.bodies.facing[:] = stage.bodies.facing[:2]
    nearest = alone.spots()[0]
    # Nothing else about: the nearest spot is no further than straight ahead until the bases touch.
    low, high = 0, steps(10)
    while high - low > 1:
        middle = (low + high) // 2
        pos = alone.bodies.pos.copy()
        pos[0, 0] += middle
        if pair_gap(alone.bodies._replace(pos=pos), alone.shapes, 0, 1) > 1:
            low = middle
        else:
            high = middle
    assert np.sqrt(((nearest - alone.bodies.pos[0, :2]) ** 2).sum()) <= low + 4


@settings(some, max_examples=20)
@given(seeds, st.sampled_from([(MAN, BIG), (MAN, OVAL), (OVAL, MAN), (OVAL, TANK), (TANK, TANK)]))
def test_the_nearest_few_are_the_first_of_all(seed: int, pair: tuple[Shape, Shape]) -> None:
    stage = crowd(seed, *pair)
    everywhere = stage.spots()
    for most in (1, 3):
        assert stage.spots(most=most).tolist() == everywhere[:most].tolist()
    for share in (0.9, 1.0, 1.1, 1.3):
        far = int(share * stage.away(everywhere).min(initial=10 * STEP))
        found = stage.spots(far, 3)
        near = everywhere[stage.away(everywhere) <= far]
        assert found[stage.away(found) <= far].tolist() == near[:3].tolist()
