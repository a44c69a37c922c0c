"""Pictures: well-formed, complete, and deaf to hostile names."""

from __future__ import annotations

import os
import struct
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from sandtable.table.drawing import png, svg
from sandtable.table.grid import STEP
from sandtable.table.layout import Feature, Floor, Table, Wall
from sandtable.table.picture import Area, Arrow, Badge, Blast, Model, Objective, Picture, Range, Sight
from sandtable.table.picture_marks import Box, Circle, Drawing, Polygon, Text, rounded_box
from sandtable.table.picture_page import draw
from sandtable.table.picture_style import KINDS, OTHER_GROUND, ground_style
from sandtable.table.shapes import hull, oval_base, round_base

HOSTILE = '<script>alert(\'x\')</script>"/><image href="http://e.vil/"/>&amp;]]> $\\frac{1}{0}$ \x00\x1b\ud800 漢字'


def square(x: int, y: int, size: int) -> tuple[tuple[int, int], ...]:
    return tuple((a * STEP, b * STEP) for a, b in ((x, y), (x + size, y), (x + size, y + size), (x, y + size)))


def battle(name: str = "Boyz", unit: str = "in") -> Picture:
    ruin = square(10, 10, 6)
    table = Table(
        44 * STEP,
        30 * STEP,
        unit,
        (
            Feature(
                "r",
                "ruins",
                ruin,
                0,
                5 * STEP,
                False,
                (Wall(ruin[0], ruin[1], 0, 5 * STEP, 200),),
                (Floor(square(10, 10, 3), 3 * STEP),),
                name=name,
            ),
            *(Feature(k, k, square(2 + 4 * i, 20, 3), 0, 2 * STEP) for i, k in enumerate([*KINDS, "swamp"])),
        ),
    )
    models = tuple(
        Model((4 + 2 * k) * STEP, (4 + 2 * row) * STEP, round_base(1.26, 1), row, unit=f"{name}{row}", tip=name)
        for row in range(4)
        for k in range(5)
    )
    models += (
        Model(30 * STEP, 5 * STEP, hull(4, 3, 2), 0, 0, 500, f"{name}0"),
        Model(36 * STEP, 5 * STEP, oval_base(3.5, 2, 2), 1, 0, 900, f"{name}1", highlight=True),
        Model(11 * STEP, 12 * STEP, round_base(1.26, 1), 0, 3 * STEP, unit=f"{name}0", faded=True),
        Model(12 * STEP, 12 * STEP, round_base(1.26, 1), 0, unit="gone", hidden=True),
    )
    badges = (*(Badge(f"{name}{s}", name, s, (name, "3/5")) for s in range(4)), Badge("gone", "gone"))
    here, there = (4 * STEP, 4 * STEP), (20 * STEP, 15 * STEP)
    return Picture(
        table,
        models,
        badges,
        (Objective(*there, STEP, name, 3 * STEP, 1),),
        (Area(square(0, 0, 9), name, 0),),
        (Range(6 * STEP, model=20, label=name), Range(12 * STEP, 40 * STEP, 2 * STEP)),
        (Arrow((here, there), 0, name),),
        (Sight(here, there, True, None, name), Sight(there, here, False, None, name)),
        (Blast(((5, 5, 2000), (9000, 5, 500)), name), Blast(((9000, 9000, 2000),))),
        (name, name),
        name,
        name,
    )


def parts(document: str, kind: str) -> list[ET.Element]:
    return [e for e in ET.fromstring(document).iter() if e.get("class") == kind]


@pytest.mark.parametrize("unit", ["in", "cm"])
def test_the_svg_is_well_formed_and_shows_everything_that_is_there(unit: str) -> None:
    document = svg(battle(unit=unit))
    count = {
        k: len(parts(document, k))
        for k in (
            "base",
            "badge",
            "objective",
            "wall",
            "floor",
            "terrain",
            "area",
            "range",
            "arrow",
            "sight",
            "facing",
            "sight-blocked",
            "template",
            "halo",
            "height",
            "mark",
            "scale",
            "title",
            "caption",
        )
    }
    assert count == {
        "base": 23, "badge": 4, "objective": 1, "wall": 1, "floor": 1, "terrain": 11, "area": 1, "range": 2, "arrow": 1,
        "sight": 1, "facing": 2, "sight-blocked": 1, "template": 2, "halo": 1, "height": 1, "mark": 8, "scale": 1,
        "title": 1, "caption": 1,
    }  # fmt: skip


def test_bases_are_drawn_to_scale_with_the_origin_at_the_lower_left() -> None:
    base = round_base(2, 1)
    picture = Picture(Table(44 * STEP, 30 * STEP, "in"), (Model(0, 0, base), Model(44 * STEP, 30 * STEP, base)))
    drawing = draw(picture)
    low, high = (m for m in drawing.on_table if isinstance(m, Circle) and m.kind == "base")
    scale = (drawing.table.right - drawing.table.left) / 44
    assert low.radius == pytest.approx(scale)
    assert (low.x, low.y) == pytest.approx((drawing.table.left, drawing.table.bottom))
    assert (high.x, high.y) == pytest.approx((drawing.table.right, drawing.table.top))


def test_hostile_names_are_text_and_nothing_else() -> None:
    document = svg(battle(HOSTILE))
    root = ET.fromstring(document.encode())
    allowed = {"svg", "title", "desc", "rect", "clipPath", "g", "circle", "polygon", "polyline", "text"}
    assert {e.tag.split("}")[1] for e in root.iter()} == allowed
    names = {a for e in root.iter() for a in e.attrib}
    assert not any(a.startswith("on") or "href" in a or a == "style" for a in names)
    assert any("<script>" in (e.text or "") for e in root.iter())


def test_a_hostile_kind_or_unit_of_length_does_no_harm_either() -> None:
    table = Table(10 * STEP, 10 * STEP, HOSTILE, (Feature("x", HOSTILE, square(2, 2, 5), 0, STEP),))
    ET.fromstring(svg(Picture(table, width=-5)).encode())


def boxes(drawing: Drawing) -> list[Box]:
    out = []
    for mark in drawing.marks:
        if isinstance(mark, Polygon) and mark.kind == "badge":
            xs, ys = zip(*mark.points, strict=True)
            out.append(Box(min(xs), min(ys), max(xs), max(ys)))
    return out


def test_badges_do_not_cover_each_other_in_a_crowd() -> None:
    table = Table(44 * STEP, 44 * STEP, "in")
    base = round_base(1.26, 1)
    models = tuple(Model((20 + k % 4) * STEP, (20 + k // 4) * STEP, base, k % 4, unit=f"u{k}") for k in range(12))
    drawing = draw(Picture(table, models, tuple(Badge(f"u{k}", f"Unit {k}", k % 4) for k in range(12))))
    found = boxes(drawing)
    assert len(found) == 12
    assert sum(a.meets(b) for i, a in enumerate(found) for b in found[:i]) == 0
    assert all(b.meets(drawing.table) == pytest.approx((b.right - b.left) * (b.bottom - b.top)) for b in found)


def test_long_names_are_shortened() -> None:
    picture = battle("The Very Long Named Company of the Third Founding")
    labels = [m.text for m in draw(picture).marks if isinstance(m, Text) and m.kind == "badge-label"]
    assert labels
    assert all(len(t) <= 22 for t in labels)


def test_sides_differ_by_the_cut_of_their_badges() -> None:
    assert len(rounded_box(Box(0, 0, 40, 17), 5, cut=True)) == 8
    shapes = {len(e.get("points", "").split()) for e in parts(svg(battle()), "badge")}
    assert len(shapes) > 1


def test_well_known_terrain_has_its_own_look_and_the_rest_a_neutral_one() -> None:
    assert ground_style("Forest") is KINDS["woods"]
    assert ground_style("xyzzy") is OTHER_GROUND


def test_the_png_has_the_size_of_the_picture_and_survives_hostile_names(tmp_path: Path) -> None:
    picture = battle(HOSTILE)
    path = tmp_path / "table.png"
    png(picture, path, 1.0)
    content = path.read_bytes()
    assert content[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", content[16:24])
    drawing = draw(picture)
    assert abs(width - drawing.width) <= 1
    assert abs(height - drawing.height) <= 1


def test_matplotlib_is_not_loaded_for_an_svg() -> None:
    code = (
        "import sys; from sandtable.table.picture import Picture; from sandtable.table.drawing import svg;"
        "from sandtable.table.layout import Table;"
        "svg(Picture(Table(9000, 9000, 'in'))); print('matplotlib' in sys.modules)"
    )
    out = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, env=dict(os.environ))
    assert out.stdout.strip() == "False"
