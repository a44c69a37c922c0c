"""Layouts and the generator of layouts."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from sandtable.battle.tables import FeatureDoc, TableDoc, build_table
from sandtable.errors import UserError
from sandtable.kit.layouts import beside_solids, check_layout, find_table, generate, layouts, read_layout, spread
from sandtable.systems.w40k8.mission import missions as other_missions
from sandtable.systems.w40k8.mission import read_mission as other_mission
from sandtable.systems.w40k10.mission import missions, read_mission
from sandtable.systems.w40k10.terrain.hills import check_stacking
from sandtable.table.grid import steps

MISSIONS = [read_mission(name) for name in missions()]


def test_there_are_eight_layouts_of_both_kinds() -> None:
    sizes = [read_layout(name).table.size for name in layouts()]
    assert len(sizes) == 8
    assert set(sizes) == {(60, 44), (44, 60)}


@pytest.mark.parametrize("name", layouts())
def test_a_layout_is_sound_and_alike_for_both_sides(name: str) -> None:
    table = find_table(name)
    assert check_layout(table, MISSIONS) == []
    check_stacking(table)
    outlines = {tuple(sorted(f.outline)) for f in table.features}
    turned = {tuple(sorted((table.width - x, table.depth - y) for x, y in f.outline)) for f in table.features}
    assert outlines == turned
    assert {f.kind for f in table.features} >= {"ruins", "barricade", "crater", "hill", "debris"}
    ruins = [f for f in table.features if f.kind == "ruins"]
    assert all(f.walls and f.floors for f in ruins)
    assert any(w.bottom > 0 for f in ruins for w in f.walls)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("size", [(60, 44), (44, 60)])
def test_generated_tables_are_sound(seed: int, size: tuple[int, int]) -> None:
    doc = generate(seed, size)
    assert doc == generate(seed, size)
    assert doc != generate(seed + 1, size)
    assert check_layout(build_table(doc, "in"), MISSIONS) == []
    assert len(doc.terrain) >= 12


def test_a_bad_layout_is_found_out() -> None:
    doc = TableDoc(
        (60, 44),
        (
            FeatureDoc("hill", "one", rect=(10, 10, 5, 5), height=2, solid=True),
            FeatureDoc("hill", "two", rect=(14, 14, 5, 5), height=2, solid=True),
            FeatureDoc("woods", "out", rect=(58, 20, 5, 5), height=2),
        ),
    )
    assert check_layout(build_table(doc, "in")) == ["one and two overlap.", "out hangs over the edge."]
    wall = FeatureDoc("hill", "wall", rect=(0, 0, 60, 9), height=2, solid=True)
    full = build_table(msgspec.structs.replace(doc, terrain=(wall,)), "in")
    assert "Only War: the Attacker's zone has no room for vehicles." in check_layout(full, MISSIONS)


def test_unknown_layouts_are_refused_and_numbers_are_generated() -> None:
    with pytest.raises(UserError, match="layouts are broken-works"):
        find_table("nowhere")
    assert find_table("random-3") == build_table(generate(3), "in")


def test_a_marker_lies_beside_a_solid_feature() -> None:
    hill = FeatureDoc("hill", rect=(28, 20, 4, 4), height=2, solid=True)
    table = build_table(TableDoc((60, 44), (hill,)), "in")
    assert beside_solids(table, (steps(10), steps(10))) == (steps(10), steps(10))
    x, y = beside_solids(table, (steps(30), steps(22)))
    assert max(abs(x - steps(30)), abs(y - steps(22))) == steps(3)


@pytest.mark.parametrize("name", layouts())
def test_a_layout_may_be_spread_over_a_larger_table(name: str) -> None:
    small, table = find_table(name), spread(find_table(name), (72, 48))
    assert sorted((table.width, table.depth)) == [steps(48), steps(72)]
    assert (table.width > table.depth) == (small.width > small.depth)
    assert check_layout(table, [other_mission(mission) for mission in other_missions()]) == []
    outlines = {tuple(sorted(f.outline)) for f in table.features}
    turned = {tuple(sorted((table.width - x, table.depth - y) for x, y in f.outline)) for f in table.features}
    assert outlines == turned
    for before, after in zip(small.features, table.features, strict=True):
        (shift,) = {(a[0] - b[0], a[1] - b[1]) for a, b in zip(after.outline, before.outline, strict=True)}
        spots = [(a, b) for w, v in zip(before.walls, after.walls, strict=True) for a, b in ((w.a, v.a), (w.b, v.b))]
        floors = zip(before.floors, after.floors, strict=True)
        spots += [pair for f, g in floors for pair in zip(f.outline, g.outline, strict=True)]
        assert {(b[0] - a[0], b[1] - a[1]) for a, b in spots} <= {shift}


def test_a_table_that_is_large_enough_is_not_spread() -> None:
    table = build_table(TableDoc((90, 50), (FeatureDoc("hill", rect=(28, 20, 4, 4), height=2),)), "in")
    assert spread(table, (72, 48)) is table


def test_the_page_of_tables_shows_every_layout_and_mission() -> None:
    docs = Path(__file__).parents[2] / "docs"
    page = (docs / "tables.md").read_text(encoding="utf-8")
    older = [f"w40k8-mission-{name}" for name in other_missions()]
    for picture in (*layouts(), *(f"mission-{name}" for name in missions()), *older):
        assert f"(tables/{picture}.svg)" in page
        assert (docs / "tables" / f"{picture}.svg").is_file()


@pytest.mark.parametrize("number", ["", "\u00b2", "\u0661\u0662", "-1", "1.5", "9" * 19])
def test_a_generated_table_has_a_number_in_plain_digits(number: str) -> None:
    with pytest.raises(UserError, match="There is no layout 'random-"):
        find_table(f"random-{number}")
    assert find_table("random-12") == build_table(generate(12), "in")
