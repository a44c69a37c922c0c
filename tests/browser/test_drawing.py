"""Flights, templates and plotted places: drawn by a hand, corrected, taken back, and begun from what is usual."""

from __future__ import annotations

from typing import Any

import pytest

from browser.table import STEP, Table
from browser.test_plans import CARRIER, MOVING, WALKERS
from browser.test_shapes import asked, given, pretend

FLIGHT = asked("flight_path", shortest_leg=6 * STEP, widest_turn=512, optional=True)
LEGS = "return game.sketch.legs.map(([x, y]) => [x / 1024, y / 1024])"
LAID = "return game.sketch.circles.map(c => [c.x / 1024, c.y / 1024])"
POINTS = "return game.sketch.points.map(p => [p.x / 1024, p.y / 1024])"
USUAL = "() => document.querySelector('canvas').game.usual"


def sweep(table: Table, *places: tuple[float, float]) -> None:
    """A drag over places of the table, in inches, as a hand does it."""
    mouse = table.page.mouse
    at = table.on_screen(places[0][0] * STEP, places[0][1] * STEP)
    mouse.move(*at)
    mouse.down()
    for x, y in places[1:]:
        to = table.on_screen(x * STEP, y * STEP)
        mouse.move(*to, steps=12)
    mouse.up()


def at(*places: tuple[float, float], near: float = 0.3) -> Any:
    return [pytest.approx(place, abs=near) for place in places]


def test_a_flight_is_drawn_in_one_pull_and_corrected_by_its_corners(sit: Any) -> None:
    table, answers = sit(scenario=MOVING), list[Any]()
    usual = {"x": 0, "y": 27 * STEP, "facing": 0, "legs": [{"length": 12 * STEP, "turn": 0}]}
    pretend(table, FLIGHT, answers, usual)
    table.open()
    table.page.wait_for_function(USUAL)
    before = table.ask("return camera.x")
    sweep(table, (24, 10), (20, 10))
    assert table.ask("return camera.x") > before, "who drags elsewhere looks around"
    assert table.ask(LEGS) == []
    table.page.keyboard.press("0")
    sweep(table, (0, 8), (14, 8), (22, 15), (32, 15))
    assert table.ask(LEGS) == at((0, 8), (14, 8), (22, 15), (32, 15), near=1.2)
    # The last leg is aimed anew, and no further than the table goes.
    end = table.ask(LEGS)[-1]
    sweep(table, end, (38, 19), (60, 21))
    legs = table.ask(LEGS)
    assert len(legs) == 4
    assert legs[-1][0] == pytest.approx(44, abs=0.1)
    table.page.keyboard.press("Backspace")
    assert len(table.ask(LEGS)) == 3
    table.page.keyboard.press("Escape")
    # The usual flight is taken up by its end.
    sweep(table, (12, 27), (15, 24))
    assert table.ask(LEGS) == at((0, 27), (15, 24))
    table.page.keyboard.press("Enter")
    flight = given(table, answers)
    assert (flight["x"], len(flight["legs"])) == (0, 1)


def test_a_template_lies_where_it_is_laid_and_tells_who_is_under_it(sit: Any) -> None:
    table, answers = sit(scenario=MOVING), list[Any]()
    usual = [{"template": "blast", "x": 30 * STEP, "y": 24 * STEP, "facing": 0} for _ in range(2)]
    usual[1]["x"] = 36 * STEP
    pretend(table, asked("template", templates=["blast", "blast"], about={"radius": 2 * STEP}), answers, usual)
    table.open()
    table.page.wait_for_function(USUAL)
    where = table.ask("return game.middle(argument)", CARRIER)
    beside = (where[0] / STEP + 1.5, where[1] / STEP + 0.5)
    table.page.mouse.click(*table.on_screen(beside[0] * STEP, beside[1] * STEP))
    assert table.ask(LAID) == at(beside)
    table.page.get_by_text("Friends under it: 1 of Carrier.").wait_for()
    # Near the middle of a unit a magnet draws it there, and Shift does not let it.
    near = table.on_screen(where[0] + 300, where[1])
    table.page.mouse.click(*near)
    assert table.ask(LAID)[1] == [where[0] / STEP, where[1] / STEP]
    table.page.keyboard.down("Shift")
    table.page.mouse.click(*near)
    table.page.keyboard.up("Shift")
    assert table.ask(LAID)[1][0] > where[0] / STEP + 0.1
    table.page.keyboard.press("Backspace")
    assert table.ask(LAID) == at(beside)
    sweep(table, beside, (beside[0] + 8, beside[1] - 8))
    assert table.ask(LAID) == at((beside[0] + 8, beside[1] - 8))
    table.page.get_by_text("Friends under").wait_for(state="detached")
    foes = table.ask("return game.middle(3)")
    table.page.mouse.click(*table.on_screen(*foes))
    table.page.get_by_text("Enemies under them: 2 of Foes.").wait_for()
    table.page.keyboard.press("Escape")
    assert table.ask(LAID) == []
    sweep(table, (30, 24), (30, 26))
    assert table.ask(LAID) == at((30, 26), (36, 24))
    table.page.keyboard.press("Enter")
    assert len(given(table, answers)) == 2


def test_plotted_places_are_moved_one_by_one(sit: Any) -> None:
    table, answers = sit(scenario=MOVING), list[Any]()
    pretend(table, asked("plot", most=3, last_turn=4, secret=True), answers)
    table.open()
    for x in (26, 30, 34):
        table.page.mouse.click(*table.on_screen(x * STEP, 24 * STEP))
    sweep(table, (26, 24), (26, 20))
    assert table.ask(POINTS) == at((26, 20), (30, 24), (34, 24))
    table.page.keyboard.press("Backspace")
    assert table.ask(POINTS) == at((26, 20), (30, 24))
    beside = table.ask("return game.middle(argument)", WALKERS)
    table.page.mouse.click(*table.on_screen(beside[0] + STEP / 2, beside[1]))
    assert table.ask(POINTS)[2] == pytest.approx(((beside[0] + STEP / 2) / STEP, beside[1] / STEP), abs=0.2)
    table.page.keyboard.press("Enter")
    assert len(given(table, answers)) == 3
