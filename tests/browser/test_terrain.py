"""The terrain editor: pieces are placed, sized, turned, walled and floored, for both sides; files go both ways."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from browser.conftest import DESK, TABLET
from browser.test_first_page import come_late, go_elsewhere, held_back
from sandtable.kit.layouts import check_layout, find_table
from sandtable.table.grid import STEP
from server.live import Server

KEPT = "canvas => ({pieces: canvas.drawing.pieces, picked: canvas.drawing.picked})"


class Sheet:
    """The editor in a window."""

    def __init__(self, page: Any, address: str) -> None:
        self.page = page
        self.page.goto(f"{address}/#terrain")
        self.page.get_by_role("button", name="woods").wait_for()
        self.canvas = self.page.get_by_label("The table", exact=True)

    def at(self, x: float, y: float) -> tuple[float, float]:
        """A place of the table in the window."""
        found = self.canvas.evaluate(
            "(c, p) => { const b = c.getBoundingClientRect();"
            " return [b.left + c.camera.px(p[0]), b.top + c.camera.py(p[1])]; }",
            [x, y],
        )
        return found[0], found[1]

    def put(self, piece: str, x: float, y: float) -> None:
        self.page.get_by_role("button", name=piece, exact=True).click()
        self.page.mouse.click(*self.at(x, y))

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        (ax, ay), (bx, by) = self.at(*start), self.at(*end)
        self.page.mouse.move(ax, ay)
        self.page.mouse.down()
        for part in range(1, 7):
            self.page.mouse.move(ax + (bx - ax) * part / 6, ay + (by - ay) * part / 6)
        self.page.mouse.up()

    @property
    def pieces(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.canvas.evaluate(KEPT)["pieces"]
        return found

    def saved(self, to: Path) -> Path:
        with self.page.expect_download() as coming:
            self.page.get_by_role("button", name="Save").click()
        file = to / coming.value.suggested_filename
        coming.value.save_as(file)
        return file


@pytest.fixture
def draw(window: Callable[..., Any], hall: Server) -> Callable[..., Sheet]:
    return lambda size=DESK, **how: Sheet(window(size, **how), hall.address)


def test_a_table_is_drawn_saved_as_a_layout_and_opened_again(draw: Callable[..., Sheet], tmp_path: Path) -> None:
    sheet = draw()
    sheet.put("tall ruin", 14, 12)
    sheet.drag((14, 12), (16, 14))
    assert (sheet.pieces[0]["x"], sheet.pieces[0]["y"]) == (16, 14)
    sheet.drag((20, 17), (22, 19))
    assert (sheet.pieces[0]["wide"], sheet.pieces[0]["deep"]) == (10, 8)
    sheet.put("woods", 12, 34)
    sheet.page.keyboard.press("q")
    assert sheet.pieces[1]["turn"] == 15
    sheet.page.get_by_label("Height (in)", exact=True).fill("5")
    sheet.page.keyboard.press("Tab")
    sheet.page.get_by_label("Name of the table").fill("Two Ruins")
    sheet.page.keyboard.press("Tab")
    file = sheet.saved(tmp_path)
    assert file.name == "two-ruins.yaml"
    table = find_table(file)
    assert [f.kind for f in table.features] == ["ruins", "woods", "ruins", "woods"]
    assert check_layout(table) == []
    ruin, wood, far, _ = table.features
    assert sorted(far.outline) == sorted((60 * STEP - x, 44 * STEP - y) for x, y in ruin.outline)
    assert len(ruin.floors) == len(far.floors) == 2
    assert wood.top == 5 * STEP
    before = sheet.pieces
    sheet.page.get_by_label("Open").set_input_files(file)
    sheet.page.wait_for_function("() => document.querySelector('canvas').drawing.picked === -1")
    again = sheet.saved(tmp_path)
    assert yaml.safe_load(again.read_text()) == yaml.safe_load(file.read_text())
    assert [(p["kind"], p["twin"], p["x"], p["turn"]) for p in sheet.pieces] == [
        (p["kind"], p["twin"], p["x"], p["turn"]) for p in before
    ]


def test_walls_and_floors_are_added_moved_and_taken_away(draw: Callable[..., Sheet], tmp_path: Path) -> None:
    sheet = draw()
    sheet.put("crater", 15, 15)
    page = sheet.page
    page.get_by_label("Kind").select_option("ruins")
    page.get_by_role("button", name="Add a wall").click()
    page.get_by_label("Wall 1", exact=True).select_option("windows")
    sheet.drag((17.5, 12.5), (15, 12.5))
    page.get_by_role("button", name="Add a floor").click()
    page.get_by_label("Height of floor 1").fill("4")
    page.keyboard.press("Tab")
    page.get_by_label("On both sides").uncheck()
    (feature,) = find_table(sheet.saved(tmp_path)).features
    assert feature.kind == "ruins"
    assert {(w.a, w.b) for w in feature.walls} == {((12.5 * STEP, 12.5 * STEP), (15 * STEP, 12.5 * STEP))}
    assert len(feature.walls) > 1
    assert [f.z for f in feature.floors] == [4 * STEP]
    page.get_by_role("button", name="Remove wall 1").click()
    page.get_by_role("button", name="Remove floor 1").click()
    (feature,) = find_table(sheet.saved(tmp_path)).features
    assert (feature.walls, feature.floors) == ((), ())


def test_whatever_was_done_is_undone_and_done_again_and_a_reload_forgets_nothing(draw: Callable[..., Sheet]) -> None:
    sheet = draw()
    sheet.put("hill", 20, 20)
    sheet.drag((20, 20), (24, 22))
    sheet.page.keyboard.press("d")
    assert len(sheet.pieces) == 2
    sheet.page.keyboard.press("Delete")
    for left, x in ((2, 24), (1, 24), (1, 20), (0, None)):
        sheet.page.keyboard.press("z")
        assert len(sheet.pieces) == left
        assert [p["x"] for p in sheet.pieces[:1]] == [x][: len(sheet.pieces)]
    sheet.page.keyboard.press("y")
    sheet.page.keyboard.press("y")
    assert [p["x"] for p in sheet.pieces] == [24]
    sheet.page.reload()
    sheet.page.get_by_role("button", name="woods").wait_for()
    sheet.page.wait_for_function("() => document.querySelector('canvas').drawing.pieces.length === 1")


def test_everything_is_laid_by_keys_and_walls_follow_the_height_that_they_had(
    draw: Callable[..., Sheet], tmp_path: Path
) -> None:
    sheet = draw()
    page = sheet.page
    page.get_by_role("button", name="hill", exact=True).focus()
    page.keyboard.press("Enter")
    assert [(p["kind"], p["x"], p["y"]) for p in sheet.pieces] == [("hill", 15, 22)]
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("q")
    assert [(p["x"], p["turn"]) for p in sheet.pieces] == [(14.5, 15)]
    page.keyboard.press("Alt+ArrowRight")
    assert sheet.pieces[0]["x"] == 14.5
    page.keyboard.press("Escape")
    page.get_by_text("On the table (1)").click()
    page.get_by_role("button", name="hill at 15, 22").focus()
    page.keyboard.press("Enter")
    for _ in range(2):
        page.get_by_role("button", name="Add a wall").click()
    page.evaluate(
        "(d => d.change({walls: d.piece.walls.map((w, i) => i ? w : {...w, parts: [[0, 1]]})}))"
        "(document.querySelector('canvas').drawing)"
    )
    page.get_by_label("Height (in)", exact=True).fill("6")
    page.keyboard.press("Tab")
    assert [w["parts"] for w in sheet.pieces[0]["walls"]] == [[[0, 1]], [[0, 6]]]
    page.mouse.move(*sheet.at(40, 40))
    page.mouse.wheel(0, -600)
    page.get_by_role("button", name="The whole table").click()
    page.get_by_role("button", name="The whole table").wait_for(state="detached")


def test_other_rules_judge_again_and_a_full_browser_draws_on(draw: Callable[..., Sheet]) -> None:
    sheet = draw()
    page = sheet.page
    page.evaluate("Storage.prototype.setItem = () => { throw new Error('full'); }; 0")
    sheet.put("hill", 20, 20)
    systems = page.get_by_label("Rules to play by").locator("option")
    page.keyboard.press("Escape")
    for value in systems.evaluate_all("all => all.map(o => o.value)"):
        if value != page.get_by_label("Rules to play by").input_value():
            with page.expect_request(
                lambda sent, of=value: sent.url.endswith("/api/layouts") and sent.post_data_json["system"] == of
            ):
                page.get_by_label("Rules to play by").select_option(value)
            break
    assert page.get_by_label("Start from").locator("option").all_inner_texts()[2][0].isupper()


def test_what_is_wrong_is_told_and_a_file_that_is_none_is_refused(draw: Callable[..., Sheet], tmp_path: Path) -> None:
    sheet = draw()
    sheet.put("hill", 20, 20)
    sheet.put("hill", 22, 21)
    sheet.page.get_by_text("overlap").first.wait_for()
    bad = tmp_path / "bad.yaml"
    bad.write_text(
        "id: x\nname: x\npoints: [1000]\ntable: {size: [60, 44], terrain: [{kind: ruins, rekt: [1, 1, 1, 1]}]}\n"
    )
    sheet.page.get_by_label("Open").set_input_files(bad)
    sheet.page.get_by_role("alert").get_by_text("rekt").wait_for()
    assert len(sheet.pieces) == 2
    sheet.put("hill", 40, 20)
    sheet.page.wait_for_function("() => document.querySelector('canvas').drawing.pieces.length === 3")
    wide = tmp_path / "wide.yaml"
    wide.write_bytes(bad.read_text().replace("rekt", "rect").encode("utf-16"))
    sheet.page.get_by_label("Open").set_input_files(wide)
    sheet.page.wait_for_function("() => document.querySelector('canvas').drawing.pieces.length === 1")
    assert sheet.page.get_by_role("alert").count() == 0


def pinch_while_dragging(sheet: Sheet, start: tuple[float, float], end: tuple[float, float]) -> None:
    """A second finger comes to the one that drags: the piece is where it was, as if nothing had been done to it."""
    page, before = sheet.page, sheet.pieces
    touch = page.context.new_cdp_session(page)

    def send(kind: str, *places: tuple[float, float]) -> None:
        points = [{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(places)]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    first, then, other = (sheet.at(*place) for place in (start, end, (end[0] + 10, end[1])))
    send("touchStart", first)
    for part in range(1, 7):
        send("touchMove", (first[0] + (then[0] - first[0]) * part / 6, first[1] + (then[1] - first[1]) * part / 6))
    assert sheet.pieces != before
    send("touchStart", then, other)
    send("touchEnd")
    assert sheet.pieces == before
    page.keyboard.press("Control+z")
    assert sheet.pieces == []
    page.keyboard.press("Control+Shift+z")
    assert sheet.pieces == before


@pytest.mark.parametrize("key", ["z", "Escape", "Delete"])
def test_a_hand_holds_nothing_any_more_that_a_key_has_taken_away(draw: Callable[..., Sheet], key: str) -> None:
    sheet = draw()
    sheet.put("crater", 15, 15)
    page = sheet.page
    page.get_by_role("button", name="Add a wall").click()
    laid = sheet.pieces
    page.mouse.move(*sheet.at(17.5, 12.5))
    page.mouse.down()
    for x in (17, 16.5, 16):
        page.mouse.move(*sheet.at(x, 12.5))
    assert sheet.pieces != laid
    page.keyboard.press(key)
    before = sheet.pieces
    page.mouse.move(*sheet.at(15, 14))
    page.mouse.move(*sheet.at(14, 15))
    page.mouse.up()
    assert sheet.pieces == before
    if key == "z":
        # What the hand did is the last thing that was done.
        assert before == laid


def test_no_table_is_larger_than_the_server_takes_it(draw: Callable[..., Sheet]) -> None:
    sheet = draw()
    page = sheet.page
    wide = page.get_by_label("Width (in)")
    for _ in range(2):
        wide.fill("10000000")
        page.keyboard.press("Tab")
        assert (wide.input_value(), sheet.canvas.evaluate("c => c.drawing.size")) == ("1000", [1000, 44])
    wide.fill("0.001")
    page.keyboard.press("Tab")
    assert wide.input_value() == "1"
    # What a browser kept from before is no larger, either, and no smaller.
    kept = '{"head": {"name": "Vast", "text": "", "points": [], "size": [-60, 10000000]}, "pieces": []}'
    page.add_init_script(f"localStorage['sandtable.drawing'] = {kept!r}")
    page.reload()
    page.wait_for_function("() => document.querySelector('canvas')?.drawing?.head.name === 'Vast'")
    assert sheet.canvas.evaluate("c => c.drawing.size") == [1, 1000]


@pytest.mark.parametrize(
    ("button", "address"), [("Play on it", "**/api/battles"), ("Choose armies for it", "**/api/layouts")]
)
def test_who_leaves_the_editor_is_not_fetched_away_by_what_comes_late(
    draw: Callable[..., Sheet], hall: Server, button: str, address: str
) -> None:
    sheet = draw()
    page = sheet.page
    with page.expect_response("**/api/layouts"):
        sheet.put("hill", 20, 20)
    page.keyboard.press("Escape")
    late = held_back(page, address)
    page.get_by_role("button", name=button).click()
    go_elsewhere(page, late, "odds")
    battle = hall.begin(system="epica", made_up=True, seats=["mine", "mine"])
    made = {"battle": battle.id, "seats": []} if button == "Play on it" else {"text": "", "layout": {}, "problems": []}
    come_late(page, late, address, json={**made, "text": "id: hill"})
    assert page.url.endswith("#odds")


def test_a_battle_begins_on_a_table_that_was_drawn_by_touch(draw: Callable[..., Sheet]) -> None:
    sheet = draw(TABLET, touch=True)
    page = sheet.page
    page.get_by_role("button", name="woods", exact=True).tap()
    page.touchscreen.tap(*sheet.at(20, 12))
    assert [p["kind"] for p in sheet.pieces] == ["woods"]
    pinch_while_dragging(sheet, (20, 12), (26, 16))
    page.touchscreen.tap(*sheet.at(2, 2))
    page.get_by_role("button", name="Choose armies for it").tap()
    page.get_by_label("Your army").wait_for()
    page.get_by_label("Table").select_option(label="New table (your table)")
    page.go_back()
    page.get_by_role("button", name="Play on it").tap()
    page.wait_for_function("() => document.querySelector('canvas')?.game?.ready")
    table = page.evaluate("document.querySelector('canvas').game.ground.table")
    assert [f["kind"] for f in table["features"]] == ["woods", "woods"]
