"""Arrangements are legal, deterministic and near to what was asked for."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandtable.table import arrange as arranging
from sandtable.table.arrange import FORMATIONS, Arrangement, Clear, arrange, clear_of, close_up, spread
from sandtable.table.arrange_slots import assign
from sandtable.table.coherency import Coherency, coherency, coherent
from sandtable.table.grid import STEP, TURN, Ints
from sandtable.table.layout import Feature, Floor, Table, Terrain, Wall, compile_terrain
from sandtable.table.measure import area_gap, on_table, overlaps, pair_gap, pair_rise, wholly_in_area
from sandtable.table.moves import CLOSED
from sandtable.table.shapes import Bodies, Shapes, hull, oval_base, pack, round_base
from sandtable.table.zones import Ball, Zone

TENTH = Coherency(2 * STEP, 5 * STEP, 1)
TENTH_LARGE = Coherency(2 * STEP, 5 * STEP, 2)
SHAPES = pack([round_base(1.26, 1.5), round_base(1.97, 2.0), oval_base(3.54, 2.05, 3.0), hull(4.5, 3.0, 3.0)])
FRIENDS, ENEMIES = 10, 16
QUARTER = STEP // 4


@pytest.fixture(scope="module", autouse=True)
def _kernels() -> None:
    arranging.warm_up()


def square(x: float, y: float, size: float) -> tuple[tuple[int, int], ...]:
    a, b, s = round(x * STEP), round(y * STEP), round(size * STEP)
    return ((a, b), (a + s, b), (a + s, b + s), (a, b + s))


def battlefield(seed: int) -> Terrain:
    rng = np.random.default_rng(seed)
    features = []
    for k in range(6):
        outline = square(*rng.uniform(2, 32, 2), 5)
        walls = (Wall(outline[0], outline[1], 0, 5 * STEP, 102), Wall(outline[1], outline[2], 0, 5 * STEP, 102))
        solid = k % 3 == 0
        features.append(Feature(f"f{k}", "any", outline, 0, 4 * STEP, solid, () if solid else walls))
    return compile_terrain(Table(40 * STEP, 40 * STEP, "in", tuple(features)))


def is_free(bodies: Bodies, terrain: Terrain, clear: Clear, i: int) -> bool:
    """The terrain's part of a legal place, by the plain routines and one model after the other."""
    if not on_table(bodies, SHAPES, i, terrain.size):
        return False
    for f in range(len(terrain.corners)):
        if clear.solid[f] and area_gap(bodies, SHAPES, i, terrain.outline[f], terrain.corners[f]) < -1:
            return False
    for w, wall in enumerate(terrain.wall):
        line = np.array([wall[0:2], wall[2:4], wall[2:4]], dtype=np.int64)
        if clear.wall[w] and area_gap(bodies, SHAPES, i, line, 3) < wall[6] - 1:
            return False
    if len(clear.area) and not wholly_in_area(bodies, SHAPES, i, clear.area, len(clear.area)):
        return False
    for k in range(len(bodies.pos)):
        if k == i:
            continue
        if clear.blocked[k] and overlaps(bodies, SHAPES, i, k):
            return False
        near = pair_rise(bodies, SHAPES, i, k) <= clear.up and pair_gap(bodies, SHAPES, i, k) <= clear.zone[k]
        if clear.zone[k] and near:
            return False
    return True


def scattered_battle(seed: int, terrain: Terrain) -> tuple[Bodies, Clear]:
    """A unit of ten that stands well, and enemies with zones anywhere that leaves the unit alone."""
    rng = np.random.default_rng(seed)
    n = FRIENDS + ENEMIES
    bodies = Bodies(
        np.zeros((n, 3), dtype=np.int64), rng.integers(0, TURN, n), np.array([0] * 8 + [1] * 2 + [0, 1, 2, 3] * 4)
    )
    bodies.pos[:, :2] = -100 * STEP
    none = np.zeros(n, dtype=np.int64)
    set_up = spread(
        bodies,
        SHAPES,
        terrain,
        np.arange(FRIENDS),
        (20 * STEP, 20 * STEP),
        coherency=TENTH_LARGE,
        clear=clear_of(bodies, terrain, blocked=none),
    )
    assert set_up.legal
    bodies.pos[:FRIENDS], bodies.facing[:FRIENDS] = set_up.pos, set_up.facing
    zoned = none.copy()
    zoned[FRIENDS:] = 1
    clear = clear_of(bodies, terrain, zone=Zone(STEP, 5 * STEP), zoned=zoned)
    for k in range(FRIENDS, n):
        for _ in range(30):
            bodies.pos[k, :2] = rng.integers(3 * STEP, 37 * STEP, 2)
            if min(pair_gap(bodies, SHAPES, k, j) for j in range(FRIENDS)) > 1.2 * STEP:
                break
        else:
            bodies.pos[k, :2] = -100 * STEP
    return bodies, clear


def moved(bodies: Bodies, models: Ints, pos: Ints, facing: Ints | None = None) -> Bodies:
    after = Bodies(bodies.pos.copy(), bodies.facing.copy(), bodies.shape)
    after.pos[models] = pos
    if facing is not None:
        after.facing[models] = facing
    return after


def distance2(a: Ints, b: Ints) -> Ints:
    return ((a[:, :2] - b[:, :2]) ** 2).sum(axis=1)


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 30),
    st.sampled_from(FORMATIONS),
    st.integers(2, 38),
    st.integers(2, 38),
    st.integers(0, 2048),
    st.sampled_from([2, 6, 14]),
    st.sampled_from([TENTH, TENTH_LARGE]),
)
def test_no_arrangement_overlaps_leaves_the_table_or_exceeds_the_allowance(
    seed: int, shape: arranging.Formation, x: int, y: int, gap: int, inches: int, rule: Coherency
) -> None:
    terrain = battlefield(seed)
    bodies, clear = scattered_battle(seed, terrain)
    models = np.arange(FRIENDS)
    found = arrange(
        bodies,
        SHAPES,
        terrain,
        models,
        anchor=(x * STEP, y * STEP),
        shape=shape,
        gap=gap,
        allowance=inches * STEP,
        clear=clear,
        coherency=rule,
    )
    after = moved(bodies, models, found.pos, found.facing)
    assert found.legal, "a unit that stands well can at least stay"
    assert (distance2(found.pos, bodies.pos[:FRIENDS]) <= (inches * STEP) ** 2).all()
    assert all(is_free(after, terrain, clear, int(i)) for i in models)
    assert coherent(after, SHAPES, models, rule)


@pytest.mark.parametrize("shape", FORMATIONS[1:])
@pytest.mark.parametrize("rule", [TENTH, TENTH_LARGE])
@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 7, 10, 20, 30])
def test_every_formation_on_open_ground_stands_exactly_in_its_slots(
    shape: arranging.Formation, rule: Coherency, n: int
) -> None:
    terrain = compile_terrain(Table(400 * STEP, 400 * STEP, "in"))
    bodies = Bodies(np.zeros((n, 3), dtype=np.int64), np.zeros(n, dtype=np.int64), np.zeros(n, dtype=np.int64))
    middle = (200 * STEP, 200 * STEP)
    found = arrange(bodies, SHAPES, terrain, np.arange(n), anchor=middle, shape=shape, facing=300, coherency=rule)
    assert found.legal
    assert (found.pos[:, :2] == found.slot).all()
    assert (found.facing == 300).all()
    after = moved(bodies, np.arange(n), found.pos)
    spare = [pair_gap(after, SHAPES, a, b) for a, b in itertools.combinations(range(n), 2)]
    assert min(spare, default=0.0) > -1


def open_unit(n: int, shape: int = 0) -> tuple[Terrain, Bodies]:
    terrain = compile_terrain(Table(60 * STEP, 44 * STEP, "in"))
    pos = np.array([[10 * STEP + k * 2 * STEP, 10 * STEP, 0] for k in range(n)], dtype=np.int64)
    return terrain, Bodies(pos, np.zeros(n, dtype=np.int64), np.full(n, shape, dtype=np.int64))


def test_a_front_is_filled_from_left_to_right_and_faces_away() -> None:
    terrain, bodies = open_unit(10)
    front = ((20 * STEP, 20 * STEP), (30 * STEP, 20 * STEP))
    found = arrange(bodies, SHAPES, terrain, np.arange(10), front=front, shape="ranks", gap=STEP // 2)
    assert (found.facing == TURN // 4).all()
    assert found.pos[:, 1].max() == 20 * STEP
    in_front = found.pos[found.pos[:, 1] == 20 * STEP]
    assert len(in_front) == 5
    assert in_front[:, 0].min() >= 20 * STEP
    assert in_front[:, 0].max() <= 30 * STEP


def test_the_screen_is_the_widest_formation() -> None:
    terrain, bodies = open_unit(6)
    wide = {
        shape: np.ptp(
            arrange(
                bodies,
                SHAPES,
                terrain,
                np.arange(6),
                anchor=(30 * STEP, 22 * STEP),
                shape=shape,
                facing=TURN // 4,
                coherency=TENTH,
            ).pos[:, 0]
        )
        for shape in FORMATIONS[1:]
    }
    assert max(wide, key=lambda k: wide[k]) == "screen"
    assert wide["screen"] >= 5 * (2 * STEP + SHAPES.radius[0] * 2 - 3)


def test_a_ring_stands_around_what_it_surrounds() -> None:
    terrain, bodies = open_unit(11)
    bodies.pos[10] = (40 * STEP, 30 * STEP, 0)
    found = arrange(
        bodies,
        SHAPES,
        terrain,
        np.arange(10),
        anchor=(40 * STEP, 30 * STEP),
        shape="ring",
        gap=2,
        inner=int(SHAPES.radius[0]),
    )
    assert found.legal
    after = moved(bodies, np.arange(10), found.pos)
    nearest = sorted(pair_gap(after, SHAPES, k, 10) for k in range(10))
    assert nearest[4] <= 4
    assert nearest[0] >= -1


def test_a_unit_that_cannot_go_so_far_goes_as_far_as_it_can_in_its_shape() -> None:
    terrain, bodies = open_unit(5)
    found = arrange(
        bodies,
        SHAPES,
        terrain,
        np.arange(5),
        anchor=(14 * STEP, 40 * STEP),
        shape="keep",
        allowance=6 * STEP,
        coherency=TENTH,
    )
    assert found.legal
    assert found.pos[:, 1].min() > 15.5 * STEP
    assert (found.pos[:, 0] == bodies.pos[:, 0]).all()


def test_models_of_the_unit_that_stay_hold_the_others_back() -> None:
    terrain, bodies = open_unit(5)
    found = arrange(
        bodies,
        SHAPES,
        terrain,
        np.arange(3),
        anchor=(14 * STEP, 40 * STEP),
        allowance=12 * STEP,
        coherency=TENTH,
        staying=np.array([3, 4]),
    )
    assert found.legal
    assert coherent(moved(bodies, np.arange(3), found.pos), SHAPES, np.arange(5), TENTH)


def test_nobody_is_put_into_an_area_that_has_no_room() -> None:
    terrain, bodies = open_unit(5)
    area = np.array(square(30, 30, 2), dtype=np.int64)
    found = arrange(
        bodies,
        SHAPES,
        terrain,
        np.arange(5),
        anchor=(31 * STEP, 31 * STEP),
        coherency=TENTH,
        clear=clear_of(bodies, terrain, area=area),
    )
    assert not found.legal
    assert (found.pos[~found.ok] == bodies.pos[~found.ok]).all()


def test_a_unit_is_deployed_wholly_in_its_zone_even_when_the_anchor_is_outside() -> None:
    terrain = battlefield(3)
    bodies, _ = scattered_battle(3, terrain)
    area = np.array([(0, 0), (40 * STEP, 0), (40 * STEP, 9 * STEP), (0, 9 * STEP)], dtype=np.int64)
    clear = clear_of(bodies, terrain, area=area)
    found = spread(bodies, SHAPES, terrain, np.arange(10), (20 * STEP, 12 * STEP), clear=clear, coherency=TENTH_LARGE)
    assert found.legal
    after = moved(bodies, np.arange(10), found.pos, found.facing)
    assert all(is_free(after, terrain, clear, i) for i in range(10))


def test_on_an_upper_floor_nobody_hangs_over_its_edge() -> None:
    outline = square(10, 10, 6)
    floor = Floor(square(10, 10, 4), 3 * STEP, 100)
    terrain = compile_terrain(Table(40 * STEP, 40 * STEP, "in", (Feature("r", "ruins", outline, floors=(floor,)),)))
    bodies = Bodies(np.zeros((4, 3), dtype=np.int64), np.zeros(4, dtype=np.int64), np.zeros(4, dtype=np.int64))
    found = arrange(bodies, SHAPES, terrain, np.arange(4), anchor=(14 * STEP, 14 * STEP), z=3 * STEP, coherency=TENTH)
    assert found.legal
    after = moved(bodies, np.arange(4), found.pos)
    corners = np.array(floor.outline, dtype=np.int64)
    assert all(wholly_in_area(after, SHAPES, k, corners, 4) for k in range(4))
    assert (found.pos[:, 2] == 3 * STEP).all()


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 6), st.randoms(use_true_random=False))
def test_the_longest_move_is_as_short_as_any_assignment_allows(n: int, random: object) -> None:
    cost = np.array([[random.randint(-20, 60) for _ in range(n)] for _ in range(n)], dtype=np.int64)  # type: ignore[attr-defined]
    slot = assign(cost)
    assert sorted(slot) == list(range(n))
    best = min(max(cost[m, s] for m, s in enumerate(p)) for p in itertools.permutations(range(n)))
    assert max(cost[m, slot[m]] for m in range(n)) == best


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 30), st.sampled_from([3, 6, 12]), st.sampled_from([TENTH, TENTH_LARGE]), st.booleans())
def test_whoever_closes_up_is_legal_and_nearer_to_its_nearest_enemy(
    seed: int, inches: int, rule: Coherency, in_groups: bool
) -> None:
    terrain = battlefield(seed)
    bodies, _ = scattered_battle(seed, terrain)
    models, targets = np.arange(FRIENDS), np.arange(FRIENDS, FRIENDS + ENEMIES)
    clear = clear_of(bodies, terrain)
    groups = np.arange(ENEMIES) // 4 if in_groups else None
    found = close_up(
        bodies, SHAPES, terrain, models, targets, inches * STEP, clear=clear, coherency=rule, groups=groups
    )
    assert found.legal
    after = moved(bodies, models, found.pos)
    assert (distance2(found.pos, bodies.pos[:FRIENDS]) <= (inches * STEP) ** 2).all()
    assert all(is_free(after, terrain, clear, int(i)) for i in models)
    for i in models:
        touching = any(pair_gap(after, SHAPES, i, t) <= 2 and pair_rise(after, SHAPES, i, t) == 0 for t in targets)
        assert touching == found.touching[i]
        if not in_groups and (after.pos[i] != bodies.pos[i]).any():
            nearest = min(targets, key=lambda t: pair_gap(bodies, SHAPES, i, t))
            assert pair_gap(after, SHAPES, i, nearest) < pair_gap(bodies, SHAPES, i, nearest)


def test_ten_models_surround_one_that_they_can_all_reach() -> None:
    terrain, bodies = open_unit(11)
    bodies.pos[10] = (19 * STEP, 13 * STEP, 0)
    found = close_up(bodies, SHAPES, terrain, np.arange(10), np.array([10]), 12 * STEP, coherency=TENTH_LARGE)
    assert found.legal
    # Six round bases fit around one of the same size, if not a step is lost between them.
    assert found.touching.sum() >= 5


def test_a_base_slips_into_room_that_is_only_just_wide_enough() -> None:
    terrain = compile_terrain(Table(60 * STEP, 44 * STEP, "in"))
    r = int(SHAPES.radius[0])
    # Three in a row: the middle one can be touched only from the two sides, between its neighbours' shoulders.
    pos = [(0, 0), (2 * r + 20, 0), (-2 * r - 20, 0), (0, 6 * STEP)]
    bodies = Bodies(
        np.array([[30 * STEP + x, 20 * STEP + y, 0] for x, y in pos], dtype=np.int64),
        np.zeros(4, dtype=np.int64),
        np.zeros(4, dtype=np.int64),
    )
    found = close_up(bodies, SHAPES, terrain, np.array([3]), np.array([0]), 6 * STEP)
    assert found.touching.all()
    assert found.legal


@pytest.mark.parametrize("over", [False, True])
def test_rear_ranks_stay_on_their_side_of_the_enemy_line_unless_they_go_over_it(over: bool) -> None:
    """Three ranks of four charge a closed line of four: there is no room in front of it for all of them."""
    terrain = compile_terrain(Table(60 * STEP, 44 * STEP, "in"))
    r = int(SHAPES.radius[0])
    ranks = [(30 * STEP + 2 * r * c, 15 * STEP - 3 * r * k) for k in range(3) for c in range(4)]
    line = [(30 * STEP + (2 * r + 2) * c, 18 * STEP) for c in range(4)]
    pos = np.array([(x, y, 0) for x, y in (*ranks, *line)], dtype=np.int64)
    bodies = Bodies(pos, np.zeros(16, dtype=np.int64), np.zeros(16, dtype=np.int64))
    found = close_up(bodies, SHAPES, terrain, np.arange(12), np.arange(12, 16), 12 * STEP, over=over)
    assert found.legal
    behind = found.pos[:, 1] > 18 * STEP + r
    assert behind.any() == over


def test_a_hull_drives_up_to_a_hull() -> None:
    terrain, bodies = open_unit(2, 3)
    bodies.pos[1] = (30 * STEP, 20 * STEP, 0)
    found = close_up(bodies, SHAPES, terrain, np.array([0]), np.array([1]), 24 * STEP)
    assert found.touching.all()
    assert found.legal


SMALL_CASE = """
import numpy as np
from sandtable.table.arrange import arrange, close_up, clear_of
from sandtable.table.coherency import Coherency
from sandtable.table.layout import Feature, Table, Wall, compile_terrain
from sandtable.table.shapes import Bodies, hull, pack, round_base
S = 1024
shapes = pack([round_base(1.26, 1.5), hull(4.5, 3.0, 3.0)])
o = ((8*S, 8*S), (12*S, 8*S), (12*S, 12*S), (8*S, 12*S))
walls = (Wall(o[0], o[1], 0, 3*S, 100),)
terrain = compile_terrain(Table(30*S, 30*S, 'in', (Feature('a', 'k', o, 0, 3*S, False, walls),)))
pos = np.array([[5*S, 5*S, 0], [7*S, 5*S, 0], [9*S, 5*S, 0], [11*S, 13*S, 0]])
bodies = Bodies(pos, np.array([0, 0, 0, 77]), np.array([0, 0, 0, 1]))
rule = Coherency(2*S, 5*S, 2)
for shape in ('wedge', 'screen'):
    a = arrange(bodies, shapes, terrain, np.arange(3), anchor=(10*S, 10*S), shape=shape, allowance=6*S, coherency=rule,
                facing=100)
    print(a.pos.tolist(), a.ok.tolist(), a.coherent)
print(close_up(bodies, shapes, terrain, np.arange(2), np.array([3]), 8*S).pos.tolist())
"""


def test_compiled_and_plain_python_give_the_same_places() -> None:
    outputs = [
        subprocess.run(
            [sys.executable, "-c", SMALL_CASE],
            env={**os.environ, "NUMBA_DISABLE_JIT": flag},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for flag in ("0", "1")
    ]
    assert outputs[0] == outputs[1]
    assert outputs[0].count("True") == 8


def test_the_same_question_has_the_same_answer() -> None:
    terrain = battlefield(5)
    bodies, clear = scattered_battle(5, terrain)

    def ask(shapes: Shapes) -> Arrangement:
        return arrange(
            bodies,
            shapes,
            terrain,
            np.arange(10),
            anchor=(30 * STEP, 30 * STEP),
            allowance=6 * STEP,
            clear=clear,
            coherency=TENTH_LARGE,
        )

    assert (ask(SHAPES).pos == ask(SHAPES).pos).all()


def test_a_unit_is_arranged_within_its_greatest_spread() -> None:
    terrain = compile_terrain(Table(40 * STEP, 40 * STEP, "in"))
    bodies = Bodies(np.zeros((10, 3), dtype=np.int64), np.zeros(10, dtype=np.int64), np.zeros(10, dtype=np.int64))
    rule = coherency(Zone(2 * STEP, 5 * STEP), spread=Zone(6 * STEP, 5 * STEP), one_group=False)
    models = np.arange(10)
    found = arrange(bodies, SHAPES, terrain, models, anchor=(20 * STEP, 20 * STEP), coherency=rule)
    assert found.legal
    assert coherent(moved(bodies, models, found.pos), SHAPES, models, rule)
    # In one line it is too long, and says so unless it finds another way to stand.
    line = arrange(bodies, SHAPES, terrain, models, anchor=(20 * STEP, 20 * STEP), shape="line", coherency=rule)
    assert line.coherent == coherent(moved(bodies, models, line.pos), SHAPES, models, rule)
    free = coherency(Zone(2 * STEP, 5 * STEP), one_group=False)
    assert arrange(bodies, SHAPES, terrain, models, anchor=(20 * STEP, 20 * STEP), shape="line", coherency=free).legal


@pytest.mark.parametrize(("kind", "other"), [(0, 0), (0, 3), (2, 0)])
def test_who_is_arranged_keeps_out_of_a_ball(kind: int, other: int) -> None:
    # The unit goes onto a floor 3/4" up, beside an enemy on the ground: 5/4" in space are 1" to the side.
    floor = Floor(square(0, 0, 40), 3 * QUARTER, 100)
    terrain = compile_terrain(
        Table(40 * STEP, 40 * STEP, "in", (Feature("r", "ruins", square(0, 0, 40), floors=(floor,)),))
    )
    low = pack([*(round_base(1.26, 1.5), round_base(1.97, 2.0), oval_base(3.54, 2.05, 3.0)), hull(4.5, 3.0, 0.0)])
    pos = np.array([[20 * STEP, 20 * STEP, 3 * QUARTER], [20 * STEP, 20 * STEP, 0]], dtype=np.int64)
    bodies = Bodies(pos, np.zeros(2, dtype=np.int64), np.array([kind, other], dtype=np.int64))
    zoned, low_zone = np.array([0, 1], dtype=np.int64), Zone(5 * QUARTER, 2 * QUARTER)
    beside = np.array([30 * STEP, 20 * STEP])
    far = moved(bodies, np.arange(1), np.array([[*beside, 3 * QUARTER]]))
    touching = 30 * STEP - round(pair_gap(far, low, 0, 1))
    for gap, ball, zone in (
        (4 * QUARTER - 4, False, False),
        (4 * QUARTER + 4, True, False),
        (5 * QUARTER + 4, True, True),
    ):
        beside[0] = touching + gap
        for near, free in ((Ball(5 * QUARTER), ball), (Zone(5 * QUARTER, 5 * QUARTER), zone), (low_zone, True)):
            clear = clear_of(bodies, terrain, blocked=np.zeros(2), zone=near, zoned=zoned)
            anchor = int(beside[0]), int(beside[1])
            found = arrange(bodies, low, terrain, np.arange(1), anchor=anchor, clear=clear, z=3 * QUARTER, turn=False)
            assert (found.pos[0, :2] == beside).all() == free


@pytest.mark.parametrize(("solid", "kept_out"), [(0, False), (1, True), (CLOSED, True)])
def test_who_is_arranged_keeps_out_of_closed_features_at_any_height(solid: int, kept_out: bool) -> None:
    crate = Feature("c", "crate", square(18, 18, 4), 0, 4 * STEP, solid=True)
    marsh = Feature("m", "marsh", square(28, 18, 4))
    terrain = compile_terrain(Table(40 * STEP, 40 * STEP, "in", (crate, marsh)))
    bodies = Bodies(np.zeros((1, 3), dtype=np.int64), np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64))
    clear = clear_of(bodies, terrain, solid_blocks=np.full(2, solid))
    for x, out in ((20, kept_out), (30, solid == CLOSED)):
        found = arrange(bodies, SHAPES, terrain, np.arange(1), anchor=(x * STEP, 20 * STEP), clear=clear)
        after = moved(bodies, np.arange(1), found.pos)
        gap = area_gap(after, SHAPES, 0, terrain.outline[int(x == 30)], 4)
        assert (gap >= -1) == out
