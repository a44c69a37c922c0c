"""Magnets that one asks for: out of an enemy's sight, and into an aura."""

from __future__ import annotations

from math import hypot
from typing import Any

from browser.table import STEP
from browser.test_plans import MOVING, OTHERS, WALKERS, choose

FOES = 2
WALL = """\
scenario: Behind a wall
system: w40k10
question: Where does nobody see them?
table:
  size: [44, 30]
  terrain: [{kind: hill, id: wall, rect: [20, 8, 0.5, 14], height: 5, solid: true}]
sheets:
  Brute:
    {move: 6, toughness: 5, save: 4, wounds: 2, leadership: 7, oc: 2, base: 32mm, height: 1.5, keywords: [INFANTRY]}
units:
  - {name: Others, player: red, sheet: Brute, positions: [[4, 4]]}
  - {name: Walkers, player: red, sheet: Brute, positions: [[16, 7], [16, 5], [14.5, 6]]}
  - {name: Foes, player: blue, sheet: Brute, positions: [[40, 14], [40, 16]]}
at: {step: move_units, active: red}
"""


def test_a_unit_that_hides_is_drawn_just_out_of_sight_of_that_enemy(sit: Any) -> None:
    table = sit(scenario=WALL).open()
    choose(table, WALKERS)
    table.page.mouse.click(*table.model(FOES), button="right")
    table.page.get_by_role("menuitem", name="Hide from it").click()
    table.page.wait_for_function("() => document.querySelector('canvas').game.shade")
    scale = table.ask("return camera.k") * STEP
    for up in range(16, 36, 3):
        table.drag(table.model(WALKERS), (scale, -scale * up / 10), drop=False)
        pulled = table.page.get_by_text("just out of sight of Foes").count()
        table.page.mouse.up()
        if pulled:
            break
        table.page.keyboard.press("Escape")
    assert pulled, "no magnet on the way behind the wall"
    assert table.planned()["verdict"]["ok"]
    table.go_on("Enter")
    seen = table.ask(f"return game.sightOf({FOES}, {WALKERS})")
    assert seen["text"] == "No model of Foes sees Walkers."


def test_what_one_hides_from_can_be_forgotten_again(sit: Any) -> None:
    table = sit(scenario=WALL).open()
    choose(table, WALKERS)
    table.page.mouse.move(*table.model(FOES))
    table.page.keyboard.press("h")
    table.page.get_by_text("Hides from Foes").wait_for()
    table.page.get_by_role("button", name="No matter").click()
    assert table.ask("return game.shade") is None


def test_a_unit_is_drawn_into_the_aura_that_helps_it(sit: Any) -> None:
    table = sit(scenario=MOVING).open()
    aura = {"name": "Warp Field", "far": 6 * STEP, "models": [0], "units": [OTHERS]}
    table.ask("game.ground.auras = [argument]", aura)
    choose(table, OTHERS)
    scale = table.ask("return camera.k") * STEP
    for up in range(10, 30, 3):
        table.drag(table.model(OTHERS), (scale, -scale * up / 10), drop=False)
        pulled = table.page.get_by_text("within reach of Warp Field of Carrier").count()
        table.page.mouse.up()
        if pulled:
            break
        table.page.keyboard.press("Escape")
    assert pulled
    ends = [(g["x"], g["y"]) for g in table.planned()["ghosts"]]
    assert min(hypot(x - 20 * STEP, y - 15 * STEP) for x, y in ends) < 9 * STEP
