"""Room on the screen: what happened stays readable beside what is asked, and the header tells all of it."""

from __future__ import annotations

import re
from typing import Any

import pytest

from browser.conftest import DESK, PHONE, TABLET
from browser.hands import Hand, in_sight
from browser.test_magnets import FOES, WALL
from browser.test_plans import WALKERS, choose
from browser.test_shapes import asked, pretend
from server.test_falls import BRUTES, FIRED_AT

#: One of the two Gunners is too far away.
NOT_ALL = (
    FIRED_AT.replace("range: 36", "range: 15")
    .replace("[[8, 15]]", "[[8, 15], [5, 15]]")
    .replace("[[40, 3]]", "[[2, 15]]")
)
TARGETS = [{"value": f"t{i}", "label": f"Foes of the {i}th company", "note": ""} for i in range(7)]
ROWS = [
    {"id": f"r{i}", "label": f"weapon {i}", "count": 3, "targets": [t["value"] for t in TARGETS[:4]], "modes": []}
    for i in range(6)
]
MANY = asked("assign", rows=ROWS, targets=TARGETS, everything=False)
TELL = """
game.log = [{id: 1, kind: "told", text: "Walkers are in range of Foes.", rules: ["w40k10.shoot.range"], units: [],
             faces: [], facts: [], player: -1}];
"""
CUT = """() => [...document.querySelectorAll("header *")].filter(e => getComputedStyle(e).overflowX === "hidden" &&
  e.scrollWidth > e.clientWidth + 1).map(e => e.innerText)"""


BOTTOM_OF_FIRST_ROW = "() => document.querySelector('.dock .rows .row').getBoundingClientRect().bottom"
#: What hangs out of the button of its target.
OUTSIDE = """() => [...document.querySelectorAll(".target *")].filter(e => {
  const [part, whole] = [e, e.closest(".target")].map(one => one.getBoundingClientRect());
  return part.right > whole.right + 1 || part.bottom > whole.bottom + 1;
}).map(e => e.textContent)"""


def height(table: Any) -> float:
    return float(table.page.get_by_role("tabpanel").bounding_box()["height"])


@pytest.mark.parametrize(("size", "touch"), [(DESK, False), (TABLET, True)])
def test_many_targets_leave_room_to_split_weapons_and_the_log_has_its_own_for_who_turns_to_it(
    sit: Any, size: tuple[int, int], touch: bool
) -> None:
    table = sit(size, touch=touch, made_up=True)
    pretend(table, MANY, [])
    table.open()
    assert 80 <= height(table) < 160
    assert table.page.evaluate(BOTTOM_OF_FIRST_ROW) < table.page.locator(".dock .deeds").bounding_box()["y"]
    if touch:  # with a mouse all of them are in sight
        assert re.fullmatch(r"↓ \d+ weapons?", table.page.locator(".dock .below").inner_text())
    table.page.keyboard.press("1")
    table.page.locator(".dock .deeds .main").wait_for()
    assert in_sight(table.page.locator(".dock .deeds .main"))
    assert in_sight(table.page.locator(".dock .space"))
    table.page.get_by_role("log").click()
    assert height(table) >= 160
    assert in_sight(table.page.locator(".dock .space"))


@pytest.mark.parametrize("size", [DESK, TABLET, PHONE])
def test_names_of_many_targets_and_what_is_told_of_them_stay_in_their_buttons(sit: Any, size: tuple[int, int]) -> None:
    table = sit(size, touch=size != DESK, made_up=True)
    long = [{**t, "label": f"Bladeguard Veterans of the {i}th company"} for i, t in enumerate(TARGETS)]
    pretend(table, {**MANY, "targets": long}, [])
    table.open()
    table.page.locator(".target").last.wait_for()
    assert table.page.evaluate(OUTSIDE) == []


@pytest.mark.parametrize("size", [DESK, TABLET])
def test_what_is_left_to_the_players_is_cut_between_lines(sit: Any, size: tuple[int, int]) -> None:
    table = sit(size, touch=size != DESK, made_up=True).open()
    table.ask(
        "game.board = {...game.board, reminders: [{player: game.you, called: 'Overlord', abilities: [argument]}]}",
        "Implacable Resilience (in part), " * 12,
    )
    said = table.page.locator(".dock .left span")
    said.wait_for()
    # Two whole lines.
    assert said.evaluate("e => e.clientHeight / parseFloat(getComputedStyle(e).lineHeight)") == pytest.approx(
        2, abs=0.1
    )
    assert in_sight(table.page.locator(".dock .left"))


#: What scrolls in the panel, the panel itself left out.
SCROLLS = """() => [...document.querySelectorAll(".dock *")].filter(e => e.scrollHeight > e.clientHeight + 1 &&
  /auto|scroll/.test(getComputedStyle(e).overflowY)).map(e => e.className)"""


@pytest.mark.parametrize(("size", "touch"), [(DESK, False), (TABLET, True), (PHONE, True)])
def test_targets_and_weapons_scroll_with_the_panel_alone(sit: Any, size: tuple[int, int], touch: bool) -> None:
    table = sit(size, touch=touch, made_up=True)
    pretend(table, MANY, [])
    table.open()
    assert table.page.evaluate(SCROLLS) == []
    table.page.get_by_role("button", name="All weapon 5 at Foes of the 0th company").scroll_into_view_if_needed()
    assert in_sight(table.page.locator(".dock .deeds button").first)


IN_LOG = """text => {
  const log = document.querySelector("[role=log]"), line = [...log.children].find(e => e.innerText === text);
  if (!line || !document.querySelector(".ruling blockquote")) return false;
  const [one, all] = [line, log].map(e => e.getBoundingClientRect());
  return one.top >= all.top && one.bottom <= all.bottom;
}"""


def test_a_line_whose_ruling_is_opened_stays_in_sight_until_a_hand_scrolls_on(sit: Any) -> None:
    table = sit(DESK, made_up=True).open()
    lines = [
        {"id": i, "kind": "told", "text": f"Line {i}.", "rules": ["w40k10.shoot.range"], "units": [], "faces": []}
        for i in range(9_000_001, 9_000_030)
    ]
    table.ask("game.log = argument.map(line => ({...line, facts: [], player: -1}))", lines)
    table.page.get_by_text("Line 9000029.", exact=True).click()
    table.page.wait_for_function(IN_LOG, arg="Line 9000029.")
    more = "game.log = [...game.log, {...game.log.at(-1), id: argument, text: `Line ${argument}.`}]"
    table.ask(more, 9_000_030)
    table.page.get_by_role("button", name="To the newest").wait_for()
    assert table.page.evaluate(IN_LOG, "Line 9000029.")
    # Who scrolls down to the end follows what comes, though the ruling is still open.
    table.page.get_by_role("log").hover()
    table.page.mouse.wheel(0, 5000)
    table.page.wait_for_function(IN_LOG, arg="Line 9000030.")
    for number in range(9_000_031, 9_000_036):
        table.ask(more, number)
    table.page.wait_for_function(IN_LOG, arg="Line 9000035.")


@pytest.mark.parametrize(("size", "touch"), [(DESK, False), (TABLET, True)])
def test_a_ruling_that_is_opened_gets_more_room(sit: Any, size: tuple[int, int], touch: bool) -> None:
    table = sit(size, touch=touch, made_up=True)
    pretend(table, MANY, [])
    table.open()
    table.ask(TELL)
    table.page.locator(".log .told").last.click()
    table.page.locator(".ruling blockquote").wait_for()
    assert height(table) >= 270
    assert in_sight(table.page.locator(".dock .space"))


@pytest.mark.parametrize("size", [DESK, TABLET, PHONE])
def test_nothing_of_the_score_is_cut(sit: Any, size: tuple[int, int]) -> None:
    table = sit(size, touch=size != DESK, made_up=True, system="epica", armies=()).open()
    assert table.page.evaluate(CUT) == []
    assert "100 %" in table.page.locator("header .score").last.inner_text()


def test_a_target_tells_on_the_board_how_many_guns_reach_it(sit: Any) -> None:
    table = sit(scenario=NOT_ALL).open()
    table.play_until("shoot")
    table.page.wait_for_function("() => document.querySelector('canvas').game.chips.size")
    assert table.ask("return game.chips.get(argument)", BRUTES).endswith(" · 1/2 reach")


def test_a_finger_switches_magnets_off_and_what_was_drawn_goes_where_it_was_put(sit: Any) -> None:
    table = sit(TABLET, touch=True, scenario=WALL).open()
    choose(table, WALKERS)
    table.ask("void game.actor.menu(argument).find(deed => deed.label === 'Hide from it').do()", FOES)
    table.page.wait_for_function("() => document.querySelector('canvas').game.shade")
    Hand(table, finger=True).drag(WALKERS, (1, 2.5), "move")
    let_go = table.page.get_by_role("button", name="Let go")
    before = table.planned()["ghosts"]
    assert table.page.get_by_text("hold Shift").count() == 0
    let_go.click()
    table.page.get_by_text("Magnets are off.").wait_for()
    assert table.planned()["ghosts"] != before
    table.page.get_by_role("button", name="On again").click()
    table.page.get_by_text("Magnets are off.").wait_for(state="detached")
