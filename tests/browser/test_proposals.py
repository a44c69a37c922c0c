"""What is proposed is taken up and changed: all of it, some models, or none of some; and a pinch changes nothing."""

from __future__ import annotations

from typing import Any

from browser.conftest import TABLET
from browser.table import PLANNED, STEP, Table
from browser.test_epic_assault import ASSAULT, declared

MARSH = ASSAULT.replace("size: [120, 90]", "size: [120, 90], terrain: [{kind: marsh, rect: [30, 25, 40, 15]}]")
"""The same with bad ground under the Reds."""
USUAL = "() => document.querySelector('canvas').game.outlines.length"
Places = dict[int, tuple[int, int]]


def outlined(table: Table) -> Places:
    """Where the usual answer puts models, once it is known."""
    table.page.wait_for_function(USUAL)
    return {g["model"]: (g["x"], g["y"]) for g in table.ask("return game.outlines")}


def planned(table: Table) -> Places:
    return {g["model"]: (g["x"], g["y"]) for g in table.planned()["ghosts"]}


def shifted(before: Places, after: Places) -> set[int]:
    """Who is elsewhere."""
    return {m for m in before if max(abs(before[m][axis] - after[m][axis]) for axis in (0, 1)) > 150}


def engaged(sit: Any, scenario: str = ASSAULT) -> Table:
    """Reds may charge Blues."""
    table: Table = sit(scenario=scenario).open()
    declared(table, "engage")
    table.ask("void game.answer(1)")
    table.page.wait_for_function("() => document.querySelector('canvas').game.decision?.shape === 'move'")
    table.wait()
    return table


def test_the_usual_charge_is_dragged_by_its_outlines_and_goes_on_from_there(sit: Any) -> None:
    table = engaged(sit)
    usual = outlined(table)
    model, at = next(iter(usual.items()))
    table.drag(table.on_screen(*at), (0, 60))
    after = planned(table)
    assert set(after) >= set(usual)
    assert len(shifted(usual, after)) == len(usual)
    assert table.planned()["verdict"]["ok"]
    table.page.keyboard.press("Escape")
    table.page.get_by_role("button", name="Change the usual").click()
    assert planned(table) == usual
    table.page.keyboard.press("Escape")
    table.page.keyboard.press("9")
    # One of them alone, by a click with Alt, then by hand; the others keep the places that were proposed.
    table.page.keyboard.down("Alt")
    table.page.mouse.click(*table.on_screen(*at))
    table.page.keyboard.up("Alt")
    assert planned(table) == usual
    table.drag(table.on_screen(*at), (0, 40))
    assert shifted(usual, planned(table)) == {model}
    assert table.planned()["verdict"]["ok"]


def test_some_hold_whatever_was_proposed_by_keys_and_the_rest_charge(sit: Any) -> None:
    table = engaged(sit)
    usual = outlined(table)
    keys = table.page.keyboard
    keys.press("9")
    keys.press("y")
    keys.press("s")
    assert set(planned(table)) == set(usual) - {table.decision["models"][0]}
    assert table.planned()["verdict"]["ok"]
    keys.press("y")
    keys.press("Shift+Y")
    table.page.get_by_text("2 of 5 models are changed; the others stay as planned.").wait_for()
    table.page.get_by_role("button", name="These stay").click()
    going = set(planned(table))
    assert len(going) == 2
    before = table.ask("return game.view.models.map(m => m.slice(0, 2))")
    table.go_on("Enter")
    after = table.ask("return game.view.models.map(m => m.slice(0, 2))")
    assert {m for m in usual if before[m] != after[m]} == going


def test_an_idea_is_seen_before_it_is_taken_and_may_be_changed(sit: Any) -> None:
    table = engaged(sit)
    outlined(table)
    table.page.get_by_role("button", name="Ideas").click()
    idea = table.page.locator(".idea").last
    idea.hover()
    seen = outlined(table)
    table.page.get_by_role("button", name="Change: ").last.click()
    assert planned(table) == seen


def test_a_unit_that_is_set_up_as_usual_is_changed_and_two_fingers_change_nothing(sit: Any) -> None:
    table = sit(TABLET, touch=True).open()
    table.play_until("deploy")
    usual = outlined(table)
    touch = table.page.context.new_cdp_session(table.page)

    def fingers(kind: str, *at: tuple[float, float]) -> None:
        points = [{"x": x, "y": y, "id": n} for n, (x, y) in enumerate(at)]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    x, y = table.on_screen(*next(iter(usual.values())))
    fingers("touchStart", (x, y))
    for part in (6, 12, 18):
        fingers("touchMove", (x + part, y))
    table.page.wait_for_function("() => document.querySelector('canvas').game.plan")
    fingers("touchStart", (x + 18, y), (x + 90, y))
    fingers("touchMove", (x + 8, y), (x + 120, y))
    fingers("touchEnd")
    assert table.ask("return game.plan") is None
    table.page.get_by_role("button", name="The whole table").tap()
    table.page.wait_for_function("() => !document.querySelector('canvas').camera.free")
    table.page.get_by_role("button", name="Change the usual").tap()
    assert planned(table) == usual
    x, y = table.on_screen(*next(iter(usual.values())))
    fingers("touchStart", (x, y))
    for part in (6, 12, 18):
        fingers("touchMove", (x + part, y))
    table.page.wait_for_function(
        "x => document.querySelector('canvas').game.plan.ghosts.some(g => g.x > x)",
        arg=max(x for x, _ in usual.values()),
    )
    fingers("touchStart", (x + 18, y), (x + 90, y))
    fingers("touchEnd")
    table.page.wait_for_function(PLANNED)
    assert planned(table) == usual, "what was planned before the drag is planned again"


def test_a_list_of_ideas_that_goes_while_a_pointer_is_on_it_leaves_the_usual_answer(sit: Any) -> None:
    table = engaged(sit)
    usual = outlined(table)
    table.page.get_by_role("button", name="Ideas").click()
    others = table.page.locator(".idea").filter(has_not=table.page.locator("kbd"))
    others.last.hover()
    table.page.wait_for_function("() => document.querySelector('canvas').game.glanced")
    table.page.keyboard.press("i")
    others.last.wait_for(state="detached")
    assert outlined(table) == usual
    table.page.keyboard.press("9")
    assert planned(table) == usual


def test_whatever_is_planned_tells_what_the_ground_on_its_way_asks(sit: Any) -> None:
    table = engaged(sit, MARSH)
    asked = table.page.get_by_role("alert").get_by_text("tests for dangerous terrain: a 1 destroys the unit.")
    usual = outlined(table)
    table.page.keyboard.press("9")
    asked.wait_for()
    table.page.keyboard.press("Escape")
    asked.wait_for(state="detached")
    table.page.get_by_role("button", name="Firefight line").click()
    asked.wait_for()
    table.page.keyboard.press("Escape")
    # Too far to go there: the nearest place is found, and says both why and what it asks.
    x, y = max(usual.values(), key=lambda at: at[1])
    table.page.mouse.click(*table.on_screen(x, y + 30 * STEP))
    asked.wait_for()
    table.page.get_by_role("alert").get_by_text("This is the nearest place that was found.").wait_for()
    assert table.planned()["verdict"]["ok"]
    # What is told of something else stands in the dock alone, and not on the table as if it spoke against the plan.
    tip = table.page.locator(".tip")
    tip.get_by_text("This is the nearest place that was found.").wait_for()
    table.page.keyboard.press("]")
    table.page.get_by_role("alert").get_by_text("No other unit can be chosen now.").wait_for()
    tip.wait_for(state="detached")
