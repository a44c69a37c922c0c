"""What must not be covered, cut off or out of sight, whatever the size of the window."""

from __future__ import annotations

from typing import Any

import pytest

from browser.conftest import DESK, PHONE, TABLET
from browser.table import DRAWN
from browser.test_plans import MOVING
from browser.test_shapes import ROWS, TARGETS, asked, pretend

MANY = [{"value": f"one/{n}", "label": f"A unit with a long name, number {n}"} for n in range(12)]
CUT = """() => [...document.querySelectorAll(".score, .score b")]
  .filter(e => e.scrollWidth > e.clientWidth + 1 || e.getBoundingClientRect().right > innerWidth)
  .map(e => e.innerText)"""
#: Whether the hint lies on the board, and on no models, badges or tools.
UNDER_THE_HINT = """
const at = e => e.getBoundingClientRect(), hint = at(document.querySelector(".hint")), board = at(canvas);
const over = b => b.left < hint.right && b.right > hint.left && b.top < hint.bottom && b.bottom > hint.top;
const box = (l, t, r, b) => ({left: board.left + l, top: board.top + t, right: board.left + r, bottom: board.top + b});
const models = game.view.units.flatMap(u => game.standing(u.id)).map(m => {
  const row = game.view.models[m], x = camera.px(row[0]), y = camera.py(row[1]), r = game.baseOf(m).radius * camera.k;
  return box(x - r, y - r, x + r, y + r);
});
const badges = canvas.laid().map(l => box(...l.box));
const ghosts = game.ghosts.map(g => box(camera.px(g.x), camera.py(g.y), camera.px(g.x), camera.py(g.y)));
const buttons = [...document.querySelectorAll(".zoom button")].map(at);
const inside = hint.left >= board.left && hint.right <= board.right && hint.top >= board.top
  && hint.bottom <= board.bottom;
return inside && ![...models, ...ghosts, ...badges, ...buttons].some(over);
"""
#: The badges of units that the open question offers not, each with whether it covers a model or another badge.
PASSED_OVER = """
const all = canvas.laid(), cover = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
const models = game.view.models.filter(row => row[5] === 1).map(row => {
  const [x, y] = [camera.px(row[0]), camera.py(row[1])];
  return [x, y, x, y];
});
return all.filter(l => l.badge.faded).map(l => ({
  text: l.text,
  name: l.badge.name,
  covers: [...models, ...all.filter(o => o !== l).map(o => o.box)].some(b => cover(l.box, b)),
}));
"""
UNDER_ITS_MIDDLE = """
const h = document.querySelector(".hint").getBoundingClientRect(), b = canvas.getBoundingClientRect();
return camera.at(h.left + h.width / 2 - b.left, h.top + h.height / 2 - b.top);
"""
#: Presses what says that a list goes on, until it does not.
PRESSED_TO_THE_END = """() => {
  const sign = [...document.querySelectorAll("button")].find(b => b.ariaLabel?.includes("more below"));
  sign?.click();
  return !sign;
}"""
HEAD = "const canvas = document.querySelector('canvas'), { game, camera } = canvas;"


@pytest.mark.parametrize("size", [DESK, PHONE])
def test_who_is_no_option_is_named_in_full_where_its_name_covers_nothing(sit: Any, size: tuple[int, int]) -> None:
    table = sit(size, touch=size != DESK, at="move_with").open()
    named = table.ask(PASSED_OVER)
    assert len(named) > 3
    full = [one for one in named if one["text"] == one["name"]]
    assert not [one for one in full if one["covers"]]
    assert full
    assert not [one for one in named if one not in full and len(one["name"]) <= 8], "what is short is not cut"
    if size == DESK:  # a name changes neither while the table is looked at nor as long as nobody moves
        table.ask("game.turn++; " + DRAWN)
        assert table.ask(PASSED_OVER) == named


@pytest.mark.parametrize("size", [DESK, TABLET, PHONE])
def test_names_and_clocks_in_the_header_are_not_cut(sit: Any, size: tuple[int, int]) -> None:
    table = sit(size, touch=size != DESK, minutes=30).open()
    assert table.page.evaluate(CUT) == []


@pytest.mark.parametrize("size", [DESK, PHONE])
def test_hints_lie_on_the_table_where_nothing_is_in_play_and_go_for_good(sit: Any, size: tuple[int, int]) -> None:
    table = sit(size, touch=size != DESK, scenario=MOVING)
    table.page.add_init_script('localStorage["sandtable.hints"] = "[]"')
    table.open()
    hint = table.page.locator(".hint:visible")

    def lies_clear() -> None:
        hint.wait_for()
        table.page.wait_for_function(f"() => {{ {HEAD} {UNDER_THE_HINT} }}")

    lies_clear()
    if size == DESK:  # whoever comes to stand there has it go elsewhere, where there is room

        def under_it() -> list[float]:
            return list(table.ask(UNDER_ITS_MIDDLE))

        mine, foes = 1, table.ask("return game.view.units.find(u => !game.isMine(u.id)).models[0]")
        for model in (mine, foes):
            put = "const [m, x, y] = argument; game.view.models[m][0] = x; game.view.models[m][1] = y; game.turn++"
            table.ask(put, [model, *under_it()])
            lies_clear()
        table.ask("const [model, x, y] = argument; game.stage([{model, x, y}], null)", [mine, *under_it()])
        lies_clear()
        table.ask("game.plan = null")
    # Beside it the table is in reach, and whoever has read it has it no more.
    for _ in range(2):
        text = hint.locator("span").inner_text()
        hint.get_by_role("button", name="Got it").click()
        table.page.wait_for_function("text => document.querySelector('.hint span')?.innerText !== text", arg=text)
        lies_clear()
    hint.get_by_role("button", name="No hints").click()
    hint.wait_for(state="detached")
    assert table.page.evaluate("localStorage['sandtable.hints']") == "[0,1,2,3,4]"


def test_a_long_list_says_that_it_goes_on_and_keeps_the_pass_in_sight(sit: Any) -> None:
    table, answers = sit(TABLET, touch=True, made_up=True), list[Any]()
    pretend(table, asked("choose", options=MANY, optional=True), answers)
    table.open()
    table.page.locator(".options.more").wait_for()
    table.page.get_by_role("button", name="more below").wait_for()
    below = table.page.locator(".pass").bounding_box()
    assert below["y"] + below["height"] < TABLET[1]


def test_weapons_that_are_out_of_sight_below_are_counted_and_come_by_a_press(sit: Any) -> None:
    table, answers = sit(TABLET, made_up=True), list[Any]()
    rows = [{**ROWS[0], "id": f"gun/{n}", "label": f"gun {n}"} for n in range(30)]
    pretend(table, asked("assign", rows=rows, targets=TARGETS, everything=False), answers)
    table.open()
    table.page.get_by_role("button", name="more below").wait_for()
    # It scrolls smoothly, and says meanwhile what is left.
    table.page.wait_for_function(PRESSED_TO_THE_END, polling=300)
    last = table.page.get_by_text("4 × gun 29", exact=True)
    foot = table.page.locator(".dock .deeds")
    assert last.bounding_box()["y"] < foot.bounding_box()["y"]
