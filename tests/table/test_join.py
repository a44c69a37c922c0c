"""Joining battle: whom a unit must reach may be near in a zone or in space."""

from __future__ import annotations

import numpy as np
import pytest

from sandtable.table.arrange_join import Mover, Party, join
from sandtable.table.coherency import coherency, coherent
from sandtable.table.grid import STEP
from sandtable.table.layout import Table, compile_terrain
from sandtable.table.measure import distances, gaps
from sandtable.table.moves import obstacles
from sandtable.table.shapes import Bodies, pack, round_base
from sandtable.table.zones import Ball, Zone, linked

SHAPES = pack([round_base(1.26, 1.5)])
TERRAIN = compile_terrain(Table(40 * STEP, 40 * STEP, "in"))
TOGETHER = coherency(Zone(2 * STEP, 5 * STEP))


def joined(near: Zone | Ball, far: int, *, movers: int = 3) -> Bodies | None:
    """Where a unit on the ground ends that must reach somebody 3" above it, each model going so far."""
    start = [[10 * STEP + 2 * STEP * k, 10 * STEP, 0] for k in range(movers)]
    pos = np.array([*start, [10 * STEP, 22 * STEP, 3 * STEP]], dtype=np.int64)
    bodies = Bodies(pos, np.zeros(len(pos), dtype=np.int64), np.zeros(len(pos), dtype=np.int64))
    blocks = obstacles(len(pos), TERRAIN, end_block=1)
    nobody, nothing = np.empty(0, dtype=np.int64), np.empty(0, dtype=np.float64)
    party = Party(
        bodies,
        SHAPES,
        TERRAIN,
        [Mover(m, far, blocks, False, nobody, nothing) for m in range(movers)],
        nobody,
        np.array([movers], dtype=np.int64),
        np.zeros(1, dtype=np.int64),
        near,
        TOGETHER,
    )
    found = next(join(party), None)
    if found is None:
        return None
    after = Bodies(pos.copy(), bodies.facing, bodies.shape)
    after.pos[:movers] = found[1][:, :3]
    return after


@pytest.mark.parametrize("near", [Ball(5 * STEP), Zone(4 * STEP, 3 * STEP)])
def test_somebody_ends_near_enough_and_the_rest_with_them(near: Zone | Ball) -> None:
    after = joined(near, 8 * STEP)
    assert after is not None
    assert linked(after, SHAPES, np.arange(3), np.array([3]), near)
    assert coherent(after, SHAPES, np.arange(3), TOGETHER)


def test_a_ball_is_reached_only_where_it_is_wide_at_that_height() -> None:
    # The nearest starts 12" less two radii away: of 5" in space 4" are left beside who stands 3" lower.
    one = np.array([0])
    start = 12 * STEP - 2 * int(SHAPES.radius[0])
    assert joined(Ball(5 * STEP), start - 4 * STEP - 8, movers=1) is None
    after = joined(Ball(5 * STEP), start - 4 * STEP + 8, movers=1)
    assert after is not None
    assert float(distances(after, SHAPES, one, one + 1)[0, 0]) <= 5 * STEP
    zone = joined(Zone(5 * STEP, 5 * STEP), start - 4 * STEP - 8, movers=1)
    assert zone is not None
    assert float(gaps(zone, SHAPES, one, one + 1)[0, 0]) > 4 * STEP
