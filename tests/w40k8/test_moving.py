"""How models of 8th edition get about, shown by pile-ins."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.battle.tables import FeatureDoc
from sandtable.systems.w40k8.state import Battle8
from support.acting import judge, refused_by
from w40k8.table import Spots, bare, sheet, situation, unit

FLYER = sheet(name="Red", keywords=["INFANTRY", "FLY"])
LONG = sheet(name="Red", base="170x105mm")


def block(x: float, height: float, wide: float = 0.5) -> FeatureDoc:
    """A solid thing across the way."""
    return FeatureDoc(kind="hill", rect=(x, 5, wide, 10), height=height, solid=True)


def piling(red_at: Spots, blue_at: Spots, *terrain: FeatureDoc, red: Any = None) -> Battle8:
    """Reds are about to pile in."""
    reds = unit("Reds", "red", red or sheet(name="Red"), red_at, charged=True, targets=[1])
    return situation([reds, unit("Blues", "blue", bare(), blue_at)], step="fight_units", terrain=list(terrain))


def along(*legs: tuple[float, ...]) -> dict[str, Any]:
    """The way of the only model; a leg that only changes its height is a climb."""
    out: list[Any] = []
    at = (10.0, 10.0)
    for x, y, *z in legs:
        out.append({"do": "climb" if (x, y) == at else "go", "to": [x, y, *z]})
        at = (x, y)
    return {"paths": {1: out}}


@pytest.mark.rule("w40k8.move.distance", check=2)
def test_the_length_is_measured_along_the_path() -> None:
    b = piling([(10, 10)], [(20, 10)])
    assert judge(b, "pile_in", along((11.5, 10), (11.5, 11.5)))
    refused_by(b, "pile_in", along((11.5, 10), (11.5, 11.51)), "w40k8.move.distance")


@pytest.mark.rule("w40k8.move.distance", check=3)
@pytest.mark.rule("w40k8.move.distance", check=4)
def test_turning_takes_distance_of_long_bases_and_none_of_round_ones() -> None:
    def turned(red: Any, far: float) -> tuple[Battle8, dict[str, Any]]:
        legs = [{"do": "turn", "to": [10, 10], "facing": 20}, {"do": "go", "to": [10 + far, 10], "facing": 20}]
        return piling([(10, 10)], [(30, 10)], red=red), {"paths": {1: legs}}

    b, whole = turned(None, 3)
    assert judge(b, "pile_in", whole)
    b, whole = turned(LONG, 3)
    refused_by(b, "pile_in", whole, "w40k8.move.distance")
    b, short = turned(LONG, 1.7)
    assert judge(b, "pile_in", short)


@pytest.mark.rule("w40k8.move.terrain", check=1)
@pytest.mark.rule("w40k8.move.fly", check=2)
def test_nobody_goes_through_solid_things_unless_they_fly() -> None:
    refused_by(piling([(10, 10)], [(20, 10)], block(11, 6)), "pile_in", along((12.9, 10)), "w40k8.move.terrain")
    assert judge(piling([(10, 10)], [(20, 10)], block(11, 6), red=FLYER), "pile_in", along((12.9, 10)))


@pytest.mark.rule("w40k8.move.terrain", check=2)
@pytest.mark.rule("w40k8.move.fly", check=2)
def test_height_climbed_is_distance_moved_unless_one_flies() -> None:
    up = along((10.4, 10), (10.4, 10, 1), (12, 10, 1))
    further = along((10.4, 10), (10.4, 10, 1), (12.01, 10, 1))
    b = piling([(10, 10)], [(20, 10)], block(11, 1, wide=4))
    assert judge(b, "pile_in", up)
    refused_by(b, "pile_in", further, "w40k8.move.distance")
    winged = piling([(10, 10)], [(20, 10)], block(11, 1, wide=4), red=FLYER)
    assert judge(winged, "pile_in", further)
    assert judge(winged, "pile_in", along((10.4, 10), (10.4, 10, 1), (13, 10, 1)))


@pytest.mark.rule("w40k8.move.terrain", check=3)
def test_going_over_something_low_costs_its_height_twice() -> None:
    def over(far: float) -> dict[str, Any]:
        return along((10.375, 10), (10.375, 10, 0.375), (12.125, 10, 0.375), (12.125, 10), (far, 10))

    b = piling([(10, 10)], [(20, 10)], block(11, 0.375))
    assert judge(b, "pile_in", over(12.25))
    refused_by(b, "pile_in", over(12.26), "w40k8.move.distance")


@pytest.mark.rule("w40k8.move.terrain", check=4)
def test_nobody_ends_in_the_middle_of_a_climb() -> None:
    b = piling([(10, 10)], [(20, 10)], block(11, 2, wide=4))
    refused_by(b, "pile_in", along((10.4, 10), (10.4, 10, 1)), "w40k8.move.terrain")
    assert judge(b, "pile_in", along((10.4, 10)))


@pytest.mark.rule("w40k8.move.through_models", check=3)
def test_a_gap_narrower_than_the_base_cannot_be_passed() -> None:
    at: Spots = [(11.2, 9.21), (11.2, 10.81)]
    refused_by(piling([(10, 10)], [*at, (15, 10)]), "pile_in", along((12.9, 10)), "w40k8.move.through_models")


@pytest.mark.rule("w40k8.gap.board_edge", check=1)
def test_nobody_crosses_the_edge_of_the_table() -> None:
    b = piling([(1, 10)], [(1, 15)])
    refused_by(b, "pile_in", {"to": [[0.49, 11]]}, "w40k8.gap.board_edge")
    assert judge(b, "pile_in", {"to": [[0.5, 11]]})
