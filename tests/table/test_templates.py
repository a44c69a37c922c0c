"""Templates against dense sampling, and scatter."""

from __future__ import annotations

import math
import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandtable.table import scatter, templates
from sandtable.table.cores import place_core
from sandtable.table.grid import COS, SIN, STEP, TRIG_SCALE, TURN
from sandtable.table.scatter import bearing, die_direction, scattered
from sandtable.table.shapes import Bodies, hull, oval_base, pack, round_base
from sandtable.table.templates import (
    CENTRE,
    INSIDE_THE_RIM,
    PARTLY,
    WHOLLY,
    Template,
    best_circle,
    circle,
    covered,
    teardrop,
)

SHAPES = pack([round_base(1.26, 1.5), oval_base(3.54, 2.05, 3.0), hull(4.5, 3.0, 3.0), round_base(3.0, 1.0)])


@pytest.fixture(scope="module", autouse=True)
def _kernels() -> None:
    templates.warm_up()
    scatter.warm_up()


def in_template(t: Template, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Whether points are in one of many circles between the two ends."""
    share = np.linspace(0.0, 1.0, 400)[:, None]
    cx, cy, r = (a + share * (b - a) for a, b in ((t.ax, t.bx), (t.ay, t.by), (t.ar, t.br)))
    return ((x - cx) ** 2 + (y - cy) ** 2 <= r * r).any(axis=0)


def points_of(bodies: Bodies, i: int) -> tuple[np.ndarray, np.ndarray]:
    """Points all over a base: its core and discs around points of the core's edge."""
    core = np.empty((48, 2), dtype=np.int64)
    shape = int(bodies.shape[i])
    n = place_core(SHAPES, shape, bodies.pos[i, 0], bodies.pos[i, 1], bodies.facing[i], core)
    ring = core[:n].astype(float)
    share = np.linspace(0, 1, 9)[:, None]
    edge = np.concatenate([ring[[k]] + (ring[[(k + 1) % n]] - ring[[k]]) * share for k in range(n)])
    middle = bodies.pos[i, :2].astype(float)
    filled = np.concatenate([middle + (edge - middle) * s for s in np.linspace(0, 1, 7)])
    angle = np.linspace(0, 2 * math.pi, 40, endpoint=False)
    rim = np.stack([np.cos(angle), np.sin(angle)], axis=1) * SHAPES.radius[shape]
    every = np.concatenate([filled, (edge[:, None, :] + rim[None]).reshape(-1, 2)])
    return every[:, 0], every[:, 1]


place = st.integers(-6 * STEP, 6 * STEP)


@settings(max_examples=150, deadline=None)
@given(place, place, st.integers(0, TURN - 1), st.integers(0, 3), st.integers(0, TURN - 1), st.booleans())
def test_what_is_under_a_template_agrees_with_dense_sampling(
    x: int, y: int, facing: int, shape: int, turn: int, flame: bool
) -> None:
    template = teardrop(0, 0, turn, 8 * STEP, round(1.2 * STEP), STEP // 4) if flame else circle(0, 0, 3 * STEP)
    bodies = Bodies(np.array([[x, y, 0]]), np.array([facing]), np.array([shape]))
    under = in_template(template, *points_of(bodies, 0))
    one = np.arange(1)
    partly, wholly = covered(bodies, SHAPES, one, template)[0], covered(bodies, SHAPES, one, template, WHOLLY)[0]
    if under.any():
        assert partly
    if not under.all():
        assert not wholly
    # Sampling misses slivers: what it does not see must go away when the template shrinks by what it can miss.
    coarse = STEP // 8
    smaller = template._replace(ar=template.ar - coarse, br=max(template.br - coarse, 0))
    if not under.any():
        assert not covered(bodies, SHAPES, one, smaller)[0]
    if under.all():
        larger = template._replace(ar=template.ar + coarse, br=template.br + coarse)
        assert covered(bodies, SHAPES, one, larger, WHOLLY)[0]
    middle = in_template(template, np.array([x]), np.array([y]))[0]
    if middle:
        assert covered(bodies, SHAPES, one, template, CENTRE)[0]


def test_touching_by_one_step_is_exact_for_round_bases() -> None:
    r, zero = int(SHAPES.radius[0]), np.zeros(1, dtype=np.int64)
    for extra, expected in ((0, True), (1, False)):
        for how, edge in ((PARTLY, 3 * STEP + r), (WHOLLY, 3 * STEP - r), (CENTRE, 3 * STEP)):
            bodies = Bodies(np.array([[edge + extra, 0, 0]]), zero, zero)
            assert covered(bodies, SHAPES, np.arange(1), circle(0, 0, 3 * STEP), how)[0] == expected


def test_a_base_that_only_touches_the_rim_is_not_inside_it() -> None:
    r, zero = int(SHAPES.radius[0]), np.zeros(1, dtype=np.int64)
    for away, partly, inside in ((3 * STEP + r, True, False), (3 * STEP + r - 1, True, True)):
        bodies = Bodies(np.array([[away, 0, 0]]), zero, zero)
        for how, expected in ((PARTLY, partly), (INSIDE_THE_RIM, inside)):
            assert covered(bodies, SHAPES, np.arange(1), circle(0, 0, 3 * STEP), how)[0] == expected


def test_the_flame_has_its_length_and_its_ends() -> None:
    flame = teardrop(0, 0, 0, round(20.5 * STEP), 3 * STEP, STEP // 2)
    assert flame.ax + flame.ar == round(20.5 * STEP)
    assert flame.bx == flame.br == STEP // 2


def crowd(seed: int, n: int, shapes: int, size: float = 12.0) -> Bodies:
    rng = np.random.default_rng(seed)
    pos = np.zeros((n, 3), dtype=np.int64)
    pos[:, :2] = rng.integers(0, round(size * STEP), (n, 2))
    return Bodies(pos, rng.integers(0, TURN, n), rng.integers(0, shapes, n))


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 12), st.sampled_from([PARTLY, WHOLLY, CENTRE]), st.sampled_from([1, 3]))
def test_no_place_of_a_fine_grid_covers_more_than_the_best_circle(seed: int, n: int, how: int, shapes: int) -> None:
    bodies = crowd(seed, n, shapes)
    models, radius = np.arange(n), round(2.5 * STEP)
    found = best_circle(bodies, SHAPES, models, radius, how=how)
    assert found is not None
    x, y, worth = found
    assert covered(bodies, SHAPES, models, circle(x, y, radius), how).sum() == worth
    for gx in range(0, 12 * STEP, STEP // 2):
        for gy in range(0, 12 * STEP, STEP // 2):
            assert covered(bodies, SHAPES, models, circle(gx, gy, radius), how).sum() <= worth


def test_a_circle_can_be_kept_in_a_region_in_range_touching_another_and_off_friends() -> None:
    bodies = crowd(4, 14, 1)
    models, radius = np.arange(14), 2 * STEP
    region = np.array([(0, 0), (5 * STEP, 0), (5 * STEP, 12 * STEP), (0, 12 * STEP)], dtype=np.int64)
    in_region = best_circle(bodies, SHAPES, models, radius, region=region)
    in_range = best_circle(bodies, SHAPES, models, radius, within=(0, 0, 4 * STEP))
    beside = best_circle(bodies, SHAPES, models, radius, touching=(6 * STEP, 6 * STEP, radius))
    assert in_region is not None
    assert in_range is not None
    assert beside is not None
    assert 0 <= in_region[0] <= 5 * STEP
    assert in_range[0] ** 2 + in_range[1] ** 2 <= (4 * STEP) ** 2
    away = math.sqrt((beside[0] - 6 * STEP) ** 2 + (beside[1] - 6 * STEP) ** 2)
    assert -1 <= away - 2 * radius <= 2
    angles = range(0, TURN, 16)
    ring = [
        covered(bodies, SHAPES, models, circle(*scattered(6 * STEP, 6 * STEP, a, 2 * radius), radius)).sum()
        for a in angles
    ]
    assert max(ring) <= beside[2]
    weights = np.where(models % 2 == 0, 1, -10)
    careful = best_circle(bodies, SHAPES, models, radius, weights=weights)
    assert careful is not None
    assert not covered(bodies, SHAPES, models[1::2], circle(*careful[:2], radius)).any()


def test_every_direction_has_the_nearest_facing() -> None:
    rng = np.random.default_rng(0)
    for dx, dy in rng.integers(-5000, 5000, (500, 2)):
        if dx or dy:
            expected = math.atan2(dy, dx) / (2 * math.pi) * TURN % TURN
            apart = abs(bearing(int(dx), int(dy)) - expected)
            assert min(apart, TURN - apart) < 0.51
    assert bearing(0, 0) == 0
    assert [bearing(*d) for d in ((1, 0), (0, 1), (-1, 0), (0, -1))] == [0, 1024, 2048, 3072]


def test_scatter_goes_by_the_tables_and_can_stop_at_the_edge() -> None:
    turn = die_direction(2, 12)
    assert turn == 341
    x, y = scattered(10 * STEP, 10 * STEP, turn, 6 * STEP)
    assert abs(x - 10 * STEP - 6 * STEP * COS[turn] / TRIG_SCALE) <= 1
    assert abs(y - 10 * STEP - 6 * STEP * SIN[turn] / TRIG_SCALE) <= 1
    size = np.array([12 * STEP, 44 * STEP], dtype=np.int64)
    assert scattered(10 * STEP, 10 * STEP, 0, 6 * STEP, size) == (12 * STEP, 10 * STEP)
    assert scattered(10 * STEP, 10 * STEP, 0, STEP, size) == (11 * STEP, 10 * STEP)
    assert scattered(2 * STEP, 2 * STEP, TURN * 5 // 8, 9 * STEP, size) == (0, 0)


SMALL_CASE = """
import numpy as np
from sandtable.table.scatter import scattered
from sandtable.table.shapes import Bodies, hull, oval_base, pack, round_base
from sandtable.table.templates import best_circle, covered, teardrop
shapes = pack([round_base(1.26, 1.5), hull(4.5, 3.0, 3.0), oval_base(3.54, 2.05, 3.0)])
pos = np.array([[k * 1500 % 9000, k * k * 700 % 8000, 0] for k in range(6)])
bodies = Bodies(pos, np.arange(6) * 300, np.arange(6) % 3)
print(best_circle(bodies, shapes, np.arange(2), 2500), scattered(5, 6, 777, 9999))
for how in range(3):
    print(covered(bodies, shapes, np.arange(6), teardrop(0, 0, 400, 9000, 1500, 200), how).tolist())
"""


def test_compiled_and_plain_python_agree() -> None:
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
