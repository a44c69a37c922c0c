"""Magnets: near markers and enemies, out of an enemy's sight, and into an aura; by hand, by a click and by keys."""

from __future__ import annotations

from math import hypot
from typing import Any

import pytest

from browser.table import STEP, Table
from browser.test_epic_assault import ASSAULT, declared
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
    table.page.get_by_role("button", name="Stop hiding").click()
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


BASE = 32 / 25.4 / 2
"""Half of a round base of 32 mm, in inches."""
REACH = 3 + 20 / 25.4
"""How near to the middle of a marker a base is in range of it."""
NEARBY = """\
scenario: Near a marker
system: w40k10
question: How near do they go?
table: {size: [44, 30]}
objectives: [[16, 20]]
sheets:
  Brute:
    {move: 6, toughness: 5, save: 4, wounds: 2, leadership: 7, oc: 2, base: 32mm, height: 1.5, keywords: [INFANTRY]}
  Wagon:
    {move: 6, toughness: 9, save: 3, wounds: 9, leadership: 7, oc: 2, base: hull 4x3, height: 2.5, keywords: [VEHICLE]}
units:
  - {name: Wagon, player: red, sheet: Wagon, positions: [[32, 10]]}
  - {name: Walkers, player: red, sheet: Brute, positions: [[16, 11.4]]}
  - {name: Foes, player: blue, sheet: Brute, positions: [[32, 16]]}
at: {step: move_units, active: red}
"""
WAGON = 0


def plan(table: Table) -> tuple[str, tuple[float, float]]:
    """What is said of a plan, and where its first model ends, in inches."""
    found = table.planned()
    ghost = found["ghosts"][0]
    return found["note"], (ghost["x"] / STEP, ghost["y"] / STEP)


def test_clicks_and_small_steps_are_drawn_into_range_of_a_marker_and_may_leave_it_again(sit: Any) -> None:
    table = sit(scenario=NEARBY).open()
    choose(table, WALKERS)
    press, edge = table.page.keyboard.press, 20 - REACH - BASE
    for _ in range(4):
        press("Shift+ArrowUp")
    note, (x, y) = plan(table)
    assert note == "Magnet: within reach of marker 1"
    assert (x, y) == (16, pytest.approx(edge, abs=0.02))
    press("q")
    assert plan(table)[1] == (x, y), "who turns stays where the magnet has drawn it"
    press("ArrowDown")
    press("ArrowDown")
    note, (_, down) = plan(table)
    assert (note, down) == ("", pytest.approx(y - 0.2, abs=0.01))
    press("Escape")
    there = table.on_screen(16 * STEP, (edge - 0.3) * STEP)
    table.page.mouse.click(*there)
    note, (_, clicked) = plan(table)
    assert (note, clicked) == ("Magnet: within reach of marker 1", pytest.approx(edge, abs=0.02))
    press("Escape")
    table.page.keyboard.down("Shift")
    table.page.mouse.click(*there)
    table.page.keyboard.up("Shift")
    note, (_, clicked) = plan(table)
    assert (note, clicked) == ("", pytest.approx(edge - 0.3, abs=0.05))


def test_a_hull_is_drawn_just_outside_engagement_by_its_nearest_side(sit: Any) -> None:
    """Half of it is 1.5" broad and 2" long."""
    table = sit(scenario=NEARBY).open()
    choose(table, WAGON)
    table.page.wait_for_function("() => document.querySelector('canvas').game.areas.length")
    scale = table.ask("return camera.k") * STEP
    table.drag(table.model(WAGON), (0, -2.6 * scale))
    note, (_, y) = plan(table)
    assert note == "Magnet: just outside Engagement Range"
    assert 16 - BASE - 1.5 - y == pytest.approx(1, abs=0.02)


TOUCHING = (
    NEARBY.replace("step: move_units", "step: charge_phase")
    .replace("[[32, 16]]", "[[32, 14]]")
    .replace("[[16, 20]]", "[]")
)


def test_a_hull_that_charges_is_drawn_to_touch_with_its_side(sit: Any) -> None:
    """It is 1.87" away, and whatever is rolled leads there."""
    table = sit(scenario=TOUCHING).open()
    table.play_until("charge_with")
    table.page.keyboard.press("1")
    table.go_on("Enter")
    table.play_until("charge_move")
    scale = table.ask("return camera.k") * STEP
    table.drag(table.model(WAGON), (0, -1.55 * scale))
    _, (_, y) = plan(table)
    table.page.get_by_text("Magnet: base contact").wait_for()
    assert 14 - BASE - 1.5 - y == pytest.approx(0, abs=0.01)


GLADE = WALL.replace(
    "{kind: hill, id: wall, rect: [20, 8, 0.5, 14], height: 5, solid: true}",
    "{kind: woods, id: glade, rect: [12, 10, 10, 6]}",
)


def test_a_unit_is_drawn_wholly_into_terrain_that_it_is_nearly_within(sit: Any) -> None:
    """Its middle is at 6", and its last models 1" lower; with half a base more they are just out at 11.4"."""
    table = sit(scenario=GLADE).open()
    choose(table, WALKERS)
    table.page.wait_for_function("() => document.querySelector('canvas').game.areas.length")
    scale = table.ask("return camera.k") * STEP
    table.drag(table.model(WALKERS), (0, -5.4 * scale))
    assert table.planned()["note"].startswith("Magnet: wholly within")
    assert min(g["y"] for g in table.planned()["ghosts"]) / STEP == pytest.approx(10 + BASE, abs=0.03)


def test_magnets_reach_as_far_on_a_table_of_centimetres_and_spacing_ends_with_coherency(sit: Any) -> None:
    """An inch here is a centimetre there: half of one is two pixels."""
    table = sit(scenario=ASSAULT).open()
    declared(table, "advance")
    table.page.wait_for_function("() => document.querySelector('canvas').game.decision?.shape === 'move'")
    table.wait()
    scale = table.ask("return camera.k") * STEP
    assert scale < 12
    # Blues are 14 cm away, from middle to middle, and their zone is 5 cm wide.
    gap = 14 - 2 * table.ask("return game.baseOf(0).long / 2") / STEP
    table.drag(table.model(0), (0, -(gap - 5 - 0.9) * scale))
    assert table.planned()["note"].startswith("Magnet: just outside")
    table.page.keyboard.press("1")
    for _ in range(12):
        table.page.keyboard.press(".")
    xs = sorted(g["x"] for g in table.planned()["ghosts"])
    most = table.ask("return game.ground.rings.find(r => r.around === 'comrades').far + game.baseOf(0).long")
    assert 0.8 * most < xs[1] - xs[0] <= most
