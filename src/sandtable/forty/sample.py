"""Ready battles with made-up armies: each side in a zone along its edge of the table, or squads a charge apart."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import numpy as np

from sandtable.battle import TABLE, Setup, State
from sandtable.battle.scenario import Scenario, read_scenario_file
from sandtable.forty.scenario import Files, of_made_up_units
from sandtable.forty.setup import ModelList, UnitList
from sandtable.forty.sheets import Sheet
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


def squads(
    rng: Random, player: int, trooper: Sheet, heroes: Sequence[Sheet], front: float, back: float
) -> list[UnitList]:
    """Three squads side by side, in two ranks, and Characters behind some of them."""
    found = []
    for i in range(3):
        x, y = 4.0 + 10 * i + rng.randint(0, 2), front + rng.choice((-1.0, 0.0, 1.0))
        at = [(x + 1.5 * (k % 4), y + back * (k // 4)) for k in range(rng.choice((5, 5, 8)))]
        found.append(_unit(f"{trooper.name}s {i + 1}", player, trooper, at))
    for i, hero in enumerate(heroes):
        at = [(6.0 + 5 * i + 10 * rng.randint(0, 2), front + 3 * back)]
        found.append(_unit(hero.name, player, hero, at))
    return found


def _unit(name: str, player: int, sheet: Sheet, at: Sequence[tuple[float, float]]) -> UnitList:
    return UnitList(name, player, tuple(ModelList(sheet, at=(steps(x), steps(y), 0)) for x, y in at))
