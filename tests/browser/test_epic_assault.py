"""An assault of Epic by hand: what it would come to, and charges by what is meant with them."""

from __future__ import annotations

from typing import Any

from browser.table import Table

ASSAULT = """\
scenario: Five against five
system: epica
question: ""
table: {size: [120, 90]}
units:
  - {name: Reds, player: red, sheet: Tactical, line: {from: [40, 30], to: [52, 30]}, models: 5, flags: {initiative: 1}}
  - {name: Blues, player: blue, sheet: Boyz, line: {from: [40, 44], to: [52, 44]}, models: 5}
  - {name: Far, player: blue, sheet: Boyz, positions: [[110, 80]]}
at: {step: take_action, active: red}
"""
FAR = 2
CROSSFIRE = """\
scenario: Between two fires
system: epica
question: ""
table: {size: [120, 90]}
units:
  - name: Reds
    player: red
    sheet: Devastator
    positions: [[40, 30], [40, 26], [44, 30]]
    flags: {initiative: 1, markers: 1}
  - {name: Friends, player: red, sheet: Tactical, positions: [[42, 62]], flags: {acted: true}}
  - {name: Blues, player: blue, sheet: Boyz, line: {from: [36, 48], to: [48, 48]}, models: 5}
at: {step: take_action, active: red}
dice: {action test: [6]}
"""


def declared(table: Table, action: str) -> None:
    """Go as far as the action of the Reds, and take this one."""
    table.play_until("action")
    table.ask("void game.answer(argument)", action)
    table.page.wait_for_function("() => document.querySelector('canvas').game.decision?.kind !== 'action'")
    table.wait()


def test_who_is_engaged_shows_what_the_assault_comes_to(sit: Any) -> None:
    table = sit(scenario=ASSAULT).open()
    declared(table, "engage")
    table.page.wait_for_function("() => document.querySelector('canvas').game.chips.size > 0")
    chips = table.ask("return [...game.chips]")
    assert [unit for unit, _ in chips] == [1]
    assert chips[0][1].startswith("wins ")


def test_a_charge_is_planned_by_what_is_meant_and_weighed(sit: Any) -> None:
    table = sit(scenario=ASSAULT).open()
    declared(table, "engage")
    table.ask("void game.answer(1)")
    table.page.get_by_role("button", name="Firefight line").click()
    table.page.get_by_text("Blues: wins ").wait_for()
    assert len(table.planned()["ghosts"]) == 5


def test_the_reach_of_a_charge_is_drawn(sit: Any) -> None:
    table = sit(scenario=ASSAULT).open()
    declared(table, "engage")
    table.ask("void game.answer(1)")
    table.page.wait_for_function("() => document.querySelector('canvas').game.areas.length > 0")
    assert table.ask("return game.areas[0].far") > 14 * 1024


def test_weapons_are_aimed_as_usual_at_a_target_that_stays_marked(sit: Any) -> None:
    table = sit(scenario=CROSSFIRE).open()
    declared(table, "sustained")
    table.play_until("aim")
    table.page.get_by_text("This is the usual split").wait_for()
    table.page.wait_for_function("() => document.querySelector('canvas').game.actor.ready")
    assert table.ask("return [...game.pointed]") == [2]
    table.page.keyboard.press("Escape")
    table.page.get_by_text("This is the usual split").wait_for(state="detached")
    table.page.keyboard.press("1")
    assert table.ask("return [...game.pointed]") == [2]
    table.go_on("Enter")


def test_a_target_in_a_crossfire_tells_it_and_who_is_suppressed_by_which_markers(sit: Any) -> None:
    table = sit(scenario=CROSSFIRE).open()
    declared(table, "sustained")
    table.page.get_by_text("1 of 3 units suppressed, crossfire").wait_for()
    table.page.wait_for_function("() => document.querySelector('canvas').game.chips.size > 0")
    assert "breaks" in table.ask("return game.chips.get(2)")
    table.ask("return game.show(0)")
    table.page.get_by_role("tab", name="Unit").click()
    table.page.get_by_role("button", name="1 blast").click()
    table.page.get_by_text("1 blast marker.").wait_for()
    table.page.get_by_text("What Blast markers do").wait_for()


def test_where_nothing_is_measured_first_who_looks_at_an_enemy_is_refused_nothing(sit: Any) -> None:
    table = sit(scenario=ASSAULT + "options: {premeasuring: after-declaring}\n").open()
    action = table.play_until("action")
    assert table.ask("return game.ground.measuring") is False
    table.ask("return game.show(-1)")
    table.page.keyboard.press("r")
    table.page.mouse.click(*table.model(FAR))
    table.page.wait_for_function("() => document.querySelector('canvas').game.card?.name === 'Far'")
    table.page.get_by_role("tab", name="Unit", selected=True).wait_for()
    assert table.ask("return game.lookups.odds(...argument)", [action["unit"], FAR]) == []
    assert table.ask("return [game.note, game.showThreat]") == ["", False]
    # What is declared is measured.
    declared(table, "engage")
    table.ask("void game.answer(1)")
    table.page.wait_for_function("() => document.querySelector('canvas').game.areas.length > 0")
