"""A ready battle with made-up armies, from a scenario file: each side in a zone along its edge of the table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import numpy as np

from sandtable.battle import TABLE, Setup, State
from sandtable.battle.scenario import Scenario, read_scenario_file
from sandtable.forty.scenario import Files, of_made_up_units
from sandtable.table.arrange import clear_of, spread
from sandtable.table.coherency import Coherency
from sandtable.table.grid import STEP, TURN, steps
from sandtable.table.layout import compile_terrain
from sandtable.table.shapes import Bodies, pack


def deployed(
    files: Files,
    path: Path,
    options: Mapping[str, str],
    *,
    seed: int,
    depth: int,
    together: Callable[[int], Coherency],
    **extra: Any,
) -> tuple[Setup[Any], State[Any, Any, Any]]:
    """The battle of a file, with every unit in its zone of this depth in inches; the seed shuffles them."""
    doc = _read(path)
    doc = msgspec.structs.replace(doc, options=dict(options), extra={**doc.extra, **extra})
    setup, state = of_made_up_units(files, doc)
    _deploy(setup, state, Random(seed), depth, together)
    return setup, state


@cache
def _read(path: Path) -> Scenario:
    return read_scenario_file(path)


def _deploy(
    setup: Setup[Any], state: State[Any, Any, Any], rng: Random, depth: int, together: Callable[[int], Coherency]
) -> None:
    """Set every unit up in its zone, side by side in an order that the seed shuffles."""
    shapes, terrain = pack(setup.shapes), compile_terrain(setup.table)
    shape = np.array(setup.shape_of, dtype=np.int64)
    width, far = setup.table.width // STEP, setup.table.depth // STEP
    for player in (0, 1):
        units = [u for u in state.units if u.player == player]
        rng.shuffle(units)
        low, high = (0, depth) if player == 0 else (far - depth, far)
        area = np.array([[0, low], [width, low], [width, high], [0, high]], dtype=np.int64) * STEP
        facing = TURN // 4 if player == 0 else 3 * TURN // 4
        for place, unit in enumerate(units):
            x = width * (place + 0.5) / len(units) + rng.uniform(-1, 1)
            y = (low + high) / 2 + rng.uniform(-1, 2) * (1 if player == 0 else -1)
            models = np.array(unit.models, dtype=np.int64)
            bodies = Bodies(state.models.pos, state.models.facing, shape)
            there = np.asarray(state.models.place == TABLE, dtype=np.int64)
            found = spread(
                bodies,
                shapes,
                terrain,
                models,
                (steps(x), steps(y)),
                facing=facing,
                clear=clear_of(bodies, terrain, blocked=there, area=area),
                coherency=together(len(models)),
            )
            state.models.pos[models], state.models.facing[models] = found.pos, found.facing
            state.models.place[models] = TABLE
