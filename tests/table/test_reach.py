"""The field of distances and its outlines; and all of movement gives the same bits without the compiler."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys

import numpy as np
import pytest

from sandtable.kernels import compiled_signatures
from sandtable.table import contact, moves, path, reach
from sandtable.table.grid import STEP, TURN, steps
from sandtable.table.layout import Feature, Floor, Table, Wall, compile_terrain, signed_area
from sandtable.table.shapes import Bodies, hull, oval_base, pack, round_base
from sandtable.table.zones import Zone

MAN = round_base(1.26, 1.5)


@pytest.fixture(scope="module", autouse=True)
def _kernels() -> None:
    for module in (moves, contact, path, reach):
        module.warm_up()


def alone(features: tuple[Feature, ...] = (), others: tuple[tuple[float, float], ...] = ()) -> tuple:  # type: ignore[type-arg]
    terrain = compile_terrain(Table(30 * STEP, 30 * STEP, "inch", features))
    pos = np.array([[steps(x), steps(y), 0] for x, y in ((15, 15), *others)], dtype=np.int64)
    n = len(pos)
    return Bodies(pos, np.zeros(n, dtype=np.int64), np.zeros(n, dtype=np.int64)), pack([MAN]), terrain


def field_of(stage: tuple, budget: float, **rules: object) -> reach.Field:  # type: ignore[type-arg]
    bodies, shapes, terrain = stage
    given = moves.obstacles(len(bodies.shape), terrain, **{"pass_block": 1, "end_block": 1} | rules)  # type: ignore[arg-type]
    return reach.reach(bodies, shapes, terrain, 0, steps(budget), reach.CELL, given)


def at(field: reach.Field, x: float, y: float) -> float:
    column, row = (steps(x) - field.origin[0]) // field.cell, (steps(y) - field.origin[1]) // field.cell
    return float(field.cost[row, column]) / STEP


def area(rings: list) -> float:  # type: ignore[type-arg]
    return sum(signed_area([tuple(p) for p in ring.tolist()]) for ring in rings) / 2 / STEP**2


def test_open_ground_is_as_far_as_it_is_up_to_three_percent() -> None:
    field = field_of(alone(), 6)
    rows, columns = np.nonzero(np.isfinite(field.cost))
    places = field.origin + np.stack([columns, rows], axis=1) * field.cell
    true = np.sqrt(((places - 15 * STEP) ** 2).sum(axis=1))
    cost = field.cost[rows, columns]
    assert (cost >= true - 1e-6).all()
    assert (cost <= true * 1.03 + 1e-6).all()
    assert at(field, 21, 15) == 6.0
    assert at(field, 21.5, 15) == np.inf


def test_behind_a_wall_is_further() -> None:
    wall = Wall((steps(17), steps(11)), (steps(17), steps(19)), 0, steps(4), 100)
    stage = alone((Feature("w", "w", ((0, 0), (9, 0), (0, 9)), walls=(wall,)),))
    assert at(field_of(stage, 12), 19, 15) > 9
    assert at(field_of(stage, 12, wall_blocks=0), 19, 15) == 4.0
    assert at(field_of(stage, 6), 19, 15) == np.inf


def test_a_cell_that_may_be_passed_but_not_ended_in_is_told_apart() -> None:
    field = field_of(alone(others=((18, 15),)), 6, pass_block=0)
    middle = field.cost.shape[0] // 2
    assert at(field, 18, 15) == 3.0
    assert field.may_end[middle, middle + 6] == 0
    assert field.may_end[middle, middle + 10] == 1


def test_a_model_on_a_floor_stays_on_it() -> None:
    outline = ((14 * STEP, 14 * STEP), (18 * STEP, 14 * STEP), (18 * STEP, 16 * STEP), (14 * STEP, 16 * STEP))
    stage = alone((Feature("r", "r", outline, floors=(Floor(outline, steps(3), 100),)),))
    stage[0].pos[0, 2] = steps(3)
    field = field_of(stage, 6)
    assert at(field, 17, 15) == 2.0
    assert at(field, 20, 15) == np.inf


def test_the_outline_of_open_ground_is_nearly_the_circle() -> None:
    rings = reach.reach_polygons(field_of(alone(), 6), 6 * STEP)
    assert len(rings) == 1
    assert area(rings) == pytest.approx(np.pi * 36, rel=0.06)


def test_a_base_in_the_way_is_a_hole_in_the_outline() -> None:
    rings = reach.reach_polygons(field_of(alone(others=((18, 15),)), 8), 8 * STEP)
    assert len(rings) == 2
    assert sorted(signed_area([tuple(p) for p in r.tolist()]) > 0 for r in rings) == [False, True]


def test_no_place_to_go_has_at_most_its_own_place() -> None:
    ring = tuple((15 + 1.3 * float(np.cos(a)), 15 + 1.3 * float(np.sin(a))) for a in np.arange(6) * np.pi / 3)
    rings = reach.reach_polygons(field_of(alone(others=ring), 6), 6 * STEP)
    assert area(rings) < 1


def test_a_zone_is_drawn_around_the_base() -> None:
    bodies, shapes, _ = alone(others=((18, 15),))
    [(model, ring)] = reach.zone_polygons(bodies, shapes, np.array([0, STEP], dtype=np.int64))
    assert model == 1
    assert np.sqrt(((ring - bodies.pos[1, :2]) ** 2).sum(axis=1)) == pytest.approx(1.63 * STEP, abs=2)


# --- The same bits ---------------------------------------------------------------------------------------------------


def digest() -> str:
    """A hash over what all kernels of movement answer about one crowded table."""
    rng = np.random.default_rng(3)
    shapes = pack([MAN, oval_base(2.36, 1.38, 1.0), hull(3.0, 2.0, 1.5)])
    outline = ((8 * STEP, 8 * STEP), (12 * STEP, 8 * STEP), (12 * STEP, 12 * STEP), (8 * STEP, 12 * STEP))
    wall = Wall((5000, 9000), (9000, 5300), 0, steps(4), 100)
    features = (
        Feature("c", "c", ((3 * STEP, 14 * STEP), (6 * STEP, 14 * STEP), (5 * STEP, 17 * STEP)), 0, 2048, solid=True),
        Feature("r", "r", outline, walls=(wall,), floors=(Floor(outline, steps(3), 100),)),
    )
    terrain = compile_terrain(Table(20 * STEP, 20 * STEP, "inch", features))
    pos = np.zeros((9, 3), dtype=np.int64)
    pos[:, :2] = rng.integers(2 * STEP, 18 * STEP, (9, 2))
    # The uncompiled kernels are slow with ovals, so there is one, and it does not move.
    kinds = np.array([0, 2, 0, 1, 0, 0, 2, 0, 0], dtype=np.int64)
    bodies = Bodies(pos, rng.integers(0, TURN, 9), kinds)
    rules = moves.obstacles(
        9, terrain, pass_block=1, end_block=1, zone=Zone(512, 512), zoned=[0, 0, 0, 0, 0, 0, 0, 1, 0]
    )
    out = hashlib.sha256()
    for k in range(2):
        x, y = (int(v) for v in pos[k, :2] + rng.integers(-4 * STEP, 4 * STEP, 2))
        go = moves.straight(bodies, k, x, y)
        pivot = moves.path((moves.PIVOT, *map(int, pos[k]), int(bodies.facing[k] + 60) % TURN))
        found = moves.sweep_unit(bodies, shapes, terrain, np.array([k, k + 1]), *moves.pad([go, pivot[:0]]), rules)
        out.update(found.tobytes() + str(moves.sweep(bodies, shapes, terrain, k, pivot, rules)).encode())
        out.update(np.array(moves.length(moves.start_of(bodies, k), go, 700)).tobytes())
        out.update(
            contact.contact_spots(bodies, shapes, terrain, k, 9, 8, x, y, rules, contact.ANY, contact.ANY).tobytes()
        )
        way = path.shortest_path(bodies, shapes, terrain, k, (x, y, 0), 7.0 * STEP, rules)
        out.update(b"none" if way is None else way.legs.tobytes())
        field = reach.reach(bodies, shapes, terrain, k, 2 * STEP, reach.CELL, rules)
        out.update(field.cost.tobytes() + field.may_end.tobytes())
    posts = np.array([[5, 5, 0], [7, 5, 0], [7, 6.5, 0], [7.2, 3.6, 0]]) * STEP
    few = Bodies(np.rint(posts).astype(np.int64), np.zeros(4, dtype=np.int64), np.zeros(4, dtype=np.int64))
    open_ground = moves.obstacles(4, terrain, pass_block=1, wall_blocks=0, end_wall=0)
    around = path.shortest_path(few, shapes, terrain, 0, (9 * STEP, 5 * STEP, 0), 8.0 * STEP, open_ground)
    assert around is not None
    assert len(around.legs) > 1
    out.update(around.legs.tobytes())
    return out.hexdigest()


def test_without_the_compiler_the_answers_are_the_same_bits() -> None:
    code = "import runpy, sys; print(runpy.run_path(sys.argv[1])['digest']())"
    plain = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code, __file__],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert plain.stdout.strip() == digest()


def test_nothing_compiles_after_warm_up() -> None:
    before = compiled_signatures()
    digest()
    assert compiled_signatures() == before
