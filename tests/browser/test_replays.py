"""The page that replays a battle: any moment of it is kept as a picture, and as a scenario file that is played on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from browser.table import PATIENCE, complaints
from server.live import Server

DESK, PHONE = {"width": 1280, "height": 720}, {"width": 390, "height": 844}
IN_SIGHT = """name => { const b = document.querySelector(`[aria-label="${name}"]`).getBoundingClientRect();
  return b.left >= 0 && b.right <= innerWidth && b.top >= 0 && b.bottom <= innerHeight && b.width > 20; }"""


def test_a_moment_of_a_replay_is_saved_as_a_picture_and_as_a_scenario(chromium: Any, hall: Server) -> None:
    battle = hall.begin(seed=3, seats=["mine", "default"])
    with battle.sit(0) as red:
        while red.question()["kind"] != "move_with":
            red.go_on()
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
