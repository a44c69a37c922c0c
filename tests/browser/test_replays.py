"""The page that replays a battle: any moment of it is kept as a picture, and as a scenario file that is played on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from browser.table import PATIENCE, complaints
from server.live import Battle, Server

DESK, PHONE = {"width": 1280, "height": 720}, {"width": 390, "height": 844}
IN_SIGHT = """name => { const b = document.querySelector(`[aria-label="${name}"]`).getBoundingClientRect();
  return b.left >= 0 && b.right <= innerWidth && b.top >= 0 && b.bottom <= innerHeight && b.width > 20; }"""


@pytest.fixture(scope="module")
def battle(hall: Server) -> Battle:
    """One in which somebody moves first."""
    begun = hall.begin(seed=3, seats=["mine", "default"])
    with begun.sit() as red:
        while red.question()["kind"] != "move_with":
            red.go_on()
    return begun


def test_a_moment_of_a_replay_is_saved_as_a_picture_and_as_a_scenario(
    chromium: Any, hall: Server, battle: Battle
) -> None:
    context = chromium.new_context(viewport=DESK)
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    found = complaints(page)
    page.goto(f"{hall.address}/battles/{battle.id}/replay#end")
    with page.expect_download() as picture:
        page.get_by_role("button", name="Save a picture").click()
    assert picture.value.suggested_filename.endswith(".png")
    assert Path(picture.value.path()).read_bytes().startswith(b"\x89PNG")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save a scenario").click()
    assert saved.value.suggested_filename == "round-1-movement.yaml"
    text = Path(saved.value.path()).read_text()
    assert yaml.safe_load(text)["scenario"] == "Round 1, movement"
    page.keyboard.press("Home")
    with page.expect_download() as earlier:
        page.get_by_role("button", name="Save a scenario").click()
    assert Path(earlier.value.path()).read_text() != text
    page.set_viewport_size(PHONE)
    assert [page.evaluate(IN_SIGHT, name) for name in ("Save a picture", "Save a scenario")] == [True, True]
    context.close()
    assert found == []
    assert hall.begin(scenario=text, seats=["mine", "default"]).title


#: Cards of players that are not in sight, and what lies over the table.
CUT = """() => [...document.querySelectorAll(".score")].map(e => e.getBoundingClientRect().right)
  .filter(right => right > innerWidth).length"""
OVER = """() => { const t = document.getElementById("table").getBoundingClientRect(),
  b = document.getElementById("begin").getBoundingClientRect(); return b.top < t.bottom && b.bottom > t.top; }"""


@pytest.mark.parametrize("size", [DESK, PHONE])
def test_a_replay_shows_both_cards_and_all_of_the_table_before_it_is_watched(
    chromium: Any, hall: Server, battle: Battle, size: dict[str, int]
) -> None:
    page = chromium.new_context(viewport=size).new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(f"{hall.address}/battles/{battle.id}/replay")
    watch = page.get_by_role("button", name="Watch the battle")
    watch.wait_for()
    assert page.get_by_role("link", name="Sandtable: to the first page").is_visible()
    assert page.evaluate(CUT) == 0
    assert page.evaluate(OVER) is False
    chips = page.locator("#log .cite").all_inner_texts()
    page.context.close()
    assert "Roll-off" in " ".join(chips)
    assert [chip for chip in chips if "." in chip] == []
