"""The story step by step: it stops after every roll and every sentence until somebody says so."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from browser.conftest import DESK, PHONE
from browser.table import Table
from server.live import Server
from server.test_falls import BRUTES, FIRED_AT
from server.test_falls import fire as shoot

LAST = "return game.log.findLast(l => l.kind === 'rolled' || l.kind === 'told')?.id ?? -1"
LONG = 1800
"""Milliseconds in which a story that goes on by itself would have gone on."""


def fire(table: Table) -> None:
    """Aim at the Brutes, and commit."""
    table.page.mouse.click(*table.model(BRUTES))
    table.page.wait_for_function("() => document.querySelector('canvas').game.pointed.size === 1")
    table.page.locator(".dock .main").click()


def volley(table: Table) -> None:
    """A volley whose story is told step by step."""
    table.play_until("shoot")
    table.page.get_by_label("Pace of the story").select_option("every step")
    fire(table)
    table.page.get_by_role("button", name="Go on").wait_for()


def steps(table: Table, go_on: Any) -> list[int]:
    """The number of the last line, as it is shown, after it was waited for, and after the next step."""
    found = [table.ask(LAST)]
    table.page.wait_for_timeout(LONG)
    found.append(table.ask(LAST))
    go_on()
    table.page.wait_for_function(
        "before => document.querySelector('canvas').game.log.some("
        "l => l.id > before && (l.kind === 'rolled' || l.kind === 'told'))",
        arg=found[1],
    )
    return [*found, table.ask(LAST)]


def test_space_goes_one_step_on_and_nothing_else_does(sit: Any) -> None:
    table = sit(DESK, scenario=FIRED_AT).open()
    volley(table)
    before, after, then = steps(table, lambda: table.page.keyboard.press(" "))
    assert before == after
    assert then > after
    assert table.ask("return game.telling")


def test_a_finger_goes_one_step_on(sit: Any) -> None:
    table = sit(PHONE, touch=True, scenario=FIRED_AT).open()
    volley(table)
    before, after, then = steps(table, table.page.get_by_role("button", name="Go on").click)
    assert before == after
    assert then > after


@pytest.mark.parametrize("way", ["Show the rest at once", "quick"])
def test_who_has_seen_enough_sees_the_rest(sit: Any, way: str) -> None:
    table = sit(DESK, scenario=FIRED_AT).open()
    volley(table)
    before = table.ask(LAST)
    {
        "quick": lambda: table.page.get_by_label("Pace of the story").select_option("quick"),
        "Show the rest at once": table.page.get_by_role("button", name="Show the rest at once").click,
    }[way]()
    table.page.wait_for_function(
        "() => document.querySelector('canvas').game.log.filter(l => l.kind === 'rolled').length > 2"
    )
    assert table.ask(LAST) > before


def test_what_is_taken_back_while_it_is_told_is_told_no_further(join: Any, hall: Server) -> None:
    battle = hall.begin(scenario=FIRED_AT, seed=3, seats=["mine", "mine"], takebacks="free")
    table = join(battle, battle.tokens[1], player=1).watch()
    table.page.get_by_label("Pace of the story").select_option("every step")
    # Who plans first takes back in silence; what others take back is told.
    table.ask("game.plans.planning = true")
    standing = "return JSON.stringify(game.view.models)"
    before = table.ask(standing)
    with battle.sit(0) as red:
        shoot(red)
        table.page.get_by_role("button", name="Go on").wait_for()
        assert red.ask("take_back")["say"] == "done"
        table.page.wait_for_function("() => !document.querySelector('canvas').game.telling")
        assert table.ask("return [game.decision, game.waiting.map(w => w.player)]") == [None, [0]]
        assert table.ask(standing) == before
        table.page.get_by_role("alert").get_by_text("back").wait_for()
        red.go_on()
    table.page.get_by_role("button", name="Show the rest at once").click()
    table.page.wait_for_function("() => document.querySelector('canvas').game.decision")


def test_of_two_who_share_a_screen_the_hidden_one_holds_nobody_up_and_keeps_each_secret(
    join: Any, hall: Server
) -> None:
    battle = hall.begin(scenario=FIRED_AT, seed=3, seats=["mine", "mine"])
    table = join(battle, battle.tokens[0])
    seats = [{"battle": battle.id, "player": n, "token": token, "orders": ""} for n, token in enumerate(battle.tokens)]
    kept = {"sandtable.seats": json.dumps(seats), "sandtable.pace": "slow"}
    table.page.add_init_script(f"Object.assign(localStorage, {json.dumps(kept)})")
    table.page.goto(table.address)
    skip = table.page.get_by_role("button", name="Show the rest at once")
    skip.or_(table.page.locator(".dock .space")).first.wait_for()
    table.play_until("shoot")
    fire(table)
    # Only who is looked at is told step by step what happens.
    skip.click()
    table.page.wait_for_function("() => (g => g?.you === 1 && g.decision)(document.querySelector('canvas')?.game)")
    table.ask(
        "window.shown = game; window.plain = game.open; window.secret = [{...game.decision, secret: true, id: 1e6}]"
    )
    screen = table.page.get_by_role("heading", name=re.compile("^For .* alone$"))
    for _ in range(2):
        table.page.evaluate("shown.put(secret)")
        screen.wait_for()
        table.page.get_by_role("button", name="I am").click()
        table.page.get_by_label("The table", exact=True).wait_for()
        table.page.evaluate("shown.put(plain)")


#: Whether the dice lie on one of the units that act, or on something that one presses.
ON_OWN = """
const at = e => e.getBoundingClientRect(), tray = at(document.querySelector(".tray")), board = at(canvas);
const over = b => b.left < tray.right && b.right > tray.left && b.top < tray.bottom && b.bottom > tray.top;
const own = canvas.laid().filter(l => game.isMine(l.unit)).map(({box: [l, t, r, b]}) =>
  ({left: board.left + l, top: board.top + t, right: board.left + r, bottom: board.top + b}));
return [...own, ...[...document.querySelectorAll(".zoom button")].map(at)].some(over);
"""
ROLLED = """game.dice = {id: 9e5, kind: "rolled", text: "hit 3+: 4 4 4 4 4 4, 6 hits", rules: [], units: [], faces: [],
  facts: [], player: 0}; game.playback.pace = "quick";"""
UP = FIRED_AT.replace("[[8, 15]]", "[[8, 27]]").replace("[22, 15], [22, 13], [25, 11]", "[22, 4], [22, 3], [25, 2]")


def test_dice_on_a_phone_hide_nobody_who_acts(sit: Any) -> None:
    table = sit(PHONE, touch=True, scenario=UP).open()
    table.ask(ROLLED)
    # It is seen once it has its place.
    table.page.locator(".tray:visible").wait_for()
    assert not table.ask(ON_OWN)


def test_dice_go_aside_where_they_would_lie_on_who_acts(sit: Any) -> None:
    table = sit(DESK, scenario=FIRED_AT).open()
    # The ground is drawn along until the Gunners stand in the corner of the dice.
    board, (x, y) = table.page.locator(".table").bounding_box(), table.model(0)
    table.page.mouse.move(x + 60, y - 60)
    table.page.mouse.down()
    table.page.mouse.move(board["x"] + 140, board["y"] + board["height"] - 100, steps=5)
    table.page.wait_for_timeout(300)  # a hand that rests flings nothing
    table.page.mouse.up()
    x, y = table.model(0)
    assert y > board["y"] + board["height"] - 60
    table.ask(ROLLED)
    table.page.locator(".tray:visible").wait_for()
    tray = table.page.locator(".tray").bounding_box()
    base = 10  # pixels from the middle of a model to its edge, and a little less
    beside = not tray["x"] - base < x < tray["x"] + tray["width"] + base
    assert beside or not tray["y"] - base < y < tray["y"] + tray["height"] + base


def test_dice_are_seen_on_a_phone_that_was_turned_upright(sit: Any) -> None:
    table = sit(PHONE[::-1], touch=True, scenario=UP).open()
    table.page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    table.ask(ROLLED)
    table.page.locator(".tray:visible").wait_for()
    tray, board = (table.page.locator(one).bounding_box() for one in (".tray", ".table"))
    assert board["x"] < tray["x"] < tray["x"] + tray["width"] < board["x"] + board["width"]
    assert board["y"] < tray["y"] < tray["y"] + tray["height"] < board["y"] + board["height"]


def test_dice_leave_once_something_is_asked(sit: Any) -> None:
    table = sit(DESK, scenario=FIRED_AT).open()
    table.ask(ROLLED.replace("quick", "slow"))
    table.page.locator(".tray").wait_for()
    table.page.locator(".tray").wait_for(state="detached", timeout=20_000)


CHEAP = FIRED_AT.replace('attacks: "40"', 'attacks: "2"').rstrip() + "\nstate: {red: {cp: 1}}\ndice: {hit: [1, 1]}\n"
"""Two shots that miss, on which nobody would spend a command point."""


def test_who_holds_a_key_may_make_any_roll_again(sit: Any) -> None:
    table = sit(DESK, scenario=CHEAP).open()
    table.play_until("shoot")
    table.page.keyboard.down("j")
    table.page.wait_for_function("() => document.querySelector('canvas').game.wantsRerolls")
    fire(table)
    table.page.get_by_role("group", name="React to the roll").wait_for()
    assert table.ask("return game.decision.kind === game.rerolls")
    table.page.keyboard.up("j")
    table.page.wait_for_function("() => !document.querySelector('canvas').game.wantsRerolls")
    assert table.ask("return game.orders") == ""
    # A key is let go whatever else is held then, or when the page shows another battle.
    table.page.keyboard.down("j")
    table.page.wait_for_function("() => document.querySelector('canvas').game.wantsRerolls")
    table.page.keyboard.up("J")
    table.page.wait_for_function("() => !document.querySelector('canvas').game.wantsRerolls")


def test_a_button_lets_a_finger_make_any_roll_again(sit: Any) -> None:
    table = sit(DESK, scenario=CHEAP, touch=True).open()
    table.play_until("shoot")
    table.page.get_by_role("tab", name="Away").click()
    table.page.get_by_role("button", name="Let me re-roll").click()
    table.page.wait_for_function("() => document.querySelector('canvas').game.wantsRerolls")
    fire(table)
    table.page.get_by_role("group", name="React to the roll").wait_for()


def test_nobody_is_asked_about_a_roll_that_is_worth_little(sit: Any) -> None:
    table = sit(DESK, scenario=CHEAP).open()
    table.play_until("shoot")
    fire(table)
    table.page.wait_for_function(
        "() => !['shoot', undefined].includes(document.querySelector('canvas').game.decision?.kind)"
    )
    assert table.ask("return game.decision.kind !== game.rerolls")
