"""What models stand on, what is above them, and how far their ways are."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from sandtable.battle import Leg, Path, Spot
from sandtable.battle.tables import FeatureDoc, FloorDoc
from sandtable.kit.ground import (
    along_surface,
    among_floors,
    arc,
    area_around,
    climbs_along,
    is_inside_a_floor,
    parts_of,
    stands_wholly,
    surface_under,
)
from sandtable.kit.room import placed
from sandtable.systems.w40k10.state import Battle10
from sandtable.table.grid import TURN, steps
from sandtable.table.shapes import Bodies
from w40k10.table import TANK, TROOPER, feature, situation, unit, wall

LOFT = FeatureDoc(
    kind="ruins", rect=(20, 10, 6, 6), height=6, floors=(FloorDoc(z=3, thickness=0.1),), name="Loft",
    walls=(wall((20, 10), (26, 10), 4),),
)  # fmt: skip
BLOCK = feature("hill", (30, 10, 4, 4), 2, solid=True, name="Block")
WOODS = feature("woods", (2, 20, 5, 5), 4)


@pytest.fixture
def b() -> Battle10:
    return situation(
        [unit("Reds", "red", TROOPER, [(5, 5)]), unit("Blues", "blue", TROOPER, [(40, 28)])], [LOFT, BLOCK, WOODS]
    )


def at(b: Battle10, x: float, y: float, z: float = 0) -> Bodies:
    return placed(b, [Spot(0, steps(x), steps(y), steps(z), 0)])


@pytest.mark.parametrize(
    ("place", "name", "is_floor"),
    [((23, 13, 3), "Loft", True), ((32, 12, 2), "Block", False), ((23, 13, 2), "", False)],
)
def test_what_is_under_a_model(b: Battle10, place: tuple[float, ...], name: str, is_floor: bool) -> None:
    found = surface_under(b, at(b, *place), 0)
    assert (("", False) if found is None else (found.name, found.is_floor)) == (name, is_floor)


def test_a_base_stands_wholly_on_a_surface_or_overhangs_it(b: Battle10) -> None:
    assert stands_wholly(b, at(b, 32, 12, 2), 0)
    assert not stands_wholly(b, at(b, 30.2, 12, 2), 0)


def test_an_area_is_a_feature_without_a_body(b: Battle10) -> None:
    found = area_around(b, at(b, 4, 22), 0)
    assert found is not None and found.kind == "woods"
    assert area_around(b, at(b, 32, 12), 0) is None, "a hill has a body"
    assert area_around(b, at(b, 10, 28), 0) is None


def test_who_is_too_tall_would_stand_inside_a_floor(b: Battle10) -> None:
    tall = situation(
        [unit("Reds", "red", {**TROOPER, "height": 4}, [(5, 5)]), unit("Blues", "blue", TROOPER, [(40, 28)])], [LOFT]
    )
    rows = np.array([0])
    assert among_floors(b, at(b, 23, 13), rows) == [True] and among_floors(b, at(b, 5, 5), rows) == [False]
    assert not is_inside_a_floor(b, at(b, 23, 13), 0)
    assert is_inside_a_floor(tall, at(tall, 23, 13), 0) and not is_inside_a_floor(tall, at(tall, 5, 5), 0)


def test_parts_are_told_by_the_kind_of_their_feature(b: Battle10) -> None:
    walls, floors = parts_of(b, "ruins")
    assert (walls.tolist(), floors.tolist()) == ([1], [1])
    assert not any(flags.any() for flags in parts_of(b, "hill"))


def test_a_way_is_as_long_as_it_is_flat_and_what_climbing_and_turning_cost(b: Battle10) -> None:
    def cost(_w: Any, path: Path) -> float:
        return 100.0 * sum(leg.do == "climb" for leg in path.legs)

    def swing(_w: Any, _model: int, turned: int) -> float:
        return float(turned)

    flat = Path(0, (Leg("go", steps(8), steps(9), 0, 0), Leg("turn", steps(8), steps(9), 0, TURN - 5)))
    assert along_surface(b, flat, cost, swing) == steps(5) + 5
    up = Path(0, (*flat.legs, Leg("climb", steps(8), steps(9), steps(2), TURN - 5)))
    assert along_surface(b, up, cost, swing) == steps(5) + 5 + 100


def test_a_climb_is_along_a_low_feature_only_where_the_base_touches_one(b: Battle10) -> None:
    beside, off = (steps(29.5), steps(12), 0), (steps(29), steps(12), 0)
    assert climbs_along(b, 0, beside, 0, steps(2), steps(2))
    assert not climbs_along(b, 0, off, 0, steps(2), steps(2))
    assert not climbs_along(b, 0, beside, 0, steps(2), steps(1)), "it is too high"
    assert not climbs_along(b, 0, beside, 0, steps(3), steps(3)), "it ends below"


def test_the_end_of_a_long_base_travels_on_an_arc() -> None:
    b = situation([unit("Reds", "red", TANK, [(5, 5)]), unit("Blues", "blue", TROOPER, [(40, 28)])])
    reach = int(b.shapes.reach[b.ground.shape[0]])
    assert arc(b, 0, TURN // 2) == pytest.approx(math.pi * reach, rel=0.01)
