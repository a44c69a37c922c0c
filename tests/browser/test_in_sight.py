"""What must not be covered, cut off or out of sight, whatever the size of the window."""

from __future__ import annotations

from typing import Any

import pytest

from browser.conftest import DESK, PHONE, TABLET
from browser.test_shapes import asked, pretend

MANY = [{"value": f"one/{n}", "label": f"A unit with a long name, number {n}"} for n in range(12)]
CUT = """() => [...document.querySelectorAll(".score, .score b")]
  .filter(e => e.scrollWidth > e.clientWidth + 1 || e.getBoundingClientRect().right > innerWidth)
  .map(e => e.innerText)"""
HINT_IN_THE_WAY = """() => {
  const [hint, table] = [".hint", ".table"].map(q => document.querySelector(q).getBoundingClientRect());
  return hint.top < table.bottom && hint.bottom > table.top && hint.left < table.right && hint.right > table.left;
}"""


@pytest.mark.parametrize("size", [DESK, TABLET, PHONE])
def test_names_and_clocks_in_the_header_are_not_cut(sit: Any, size: tuple[int, int]) -> None:
    table = sit(size, touch=size != DESK, minutes=30).open()
    assert table.page.evaluate(CUT) == []


@pytest.mark.parametrize("size", [DESK, PHONE])
def test_a_hint_leaves_the_table_and_its_dice_in_sight(sit: Any, size: tuple[int, int]) -> None:
    table = sit(size, touch=size != DESK)
    table.page.add_init_script('localStorage["sandtable.hints"] = "[]"')
    table.open()
    assert table.page.evaluate(HINT_IN_THE_WAY) is False


def test_a_long_list_says_that_it_goes_on_and_keeps_the_pass_in_sight(sit: Any) -> None:
    table, answers = sit(TABLET, touch=True), list[Any]()
    pretend(table, asked("choose", options=MANY, optional=True), answers)
    table.open()
    table.page.locator(".options.more").wait_for()
    table.page.get_by_role("button", name="more below").wait_for()
    below = table.page.locator(".pass").bounding_box()
    assert below["y"] + below["height"] < TABLET[1]
