"""What is told on the table at the moment of a decision: who could react, what blows would do, where nobody arrives."""

from __future__ import annotations

from math import hypot
from typing import Any

from browser.table import STEP, Table
from server.live import Server
from server.test_arming import drive

SHEETS = """\
system: w40k10
question: What now?
table: {size: [44, 30]}
sheets:
  Runner:
    {move: 6, toughness: 3, save: 6, wounds: 1, leadership: 8, oc: 2, base: 25.4mm, height: 1.5, keywords: [INFANTRY]}
  Gunner:
    move: 6
    toughness: 4
    save: 3
    wounds: 2
    leadership: 6
    oc: 2
    base: 25.4mm
    height: 1.5
    keywords: [INFANTRY]
    abilities: [deep strike]
    weapons:
      - {name: gun, range: 24, attacks: "6", skill: 3, strength: 5, ap: -1, damage: "1"}
      - {name: blade, attacks: "3", skill: 3, strength: 4, ap: 0, damage: "1"}
      - {name: fist, attacks: "2", skill: 4, strength: 8, ap: -2, damage: "2"}
"""
WATCHED = f"""\
scenario: Watched
{SHEETS}units:
  - {{name: Runners, player: red, sheet: Runner, positions: [[12, 15]]}}
  - {{name: Gunners, player: blue, sheet: Gunner, positions: [[28, 14], [28, 16]]}}
  - {{name: Others, player: blue, sheet: Runner, positions: [[2, 2]]}}
at: {{step: move_units, active: red}}
state: {{blue: {{cp: 1}}}}
"""
FIGHT = f"""\
scenario: Between two enemies
{SHEETS}units:
  - {{name: Gunners, player: red, sheet: Gunner, positions: [[12, 15], [12, 17]]}}
  - {{name: Left, player: blue, sheet: Runner, positions: [[11, 15], [11, 13.5]], flags: {{fought: true}}}}
  - {{name: Right, player: blue, sheet: Runner, positions: [[13, 15], [13, 17]], flags: {{fought: true}}}}
at: {{step: remaining_combats, active: red}}
"""
ARRIVAL = f"""\
scenario: Out of the sky
{SHEETS}units:
  - {{name: Newcomers, player: red, sheet: Gunner, models: 2, off: true, flags: {{reserve: deep strike}}}}
  - {{name: Reds, player: red, sheet: Gunner, positions: [[2, 2]], flags: {{moved: stationary}}}}
  - {{name: Foes, player: blue, sheet: Runner, positions: [[30, 15]]}}
at: {{step: reinforcements, active: red, round: 2}}
"""
CHARGE = f"""\
scenario: A charge
{SHEETS}units:
  - {{name: Gunners, player: red, sheet: Gunner, positions: [[12, 15]]}}
  - {{name: Prey, player: blue, sheet: Runner, positions: [[15, 15]]}}
  - {{name: Bystanders, player: blue, sheet: Runner, positions: [[40, 4]]}}
at: {{step: charge_phase, active: red}}
"""
RUNNERS, GUNNERS, OTHERS = 0, 1, 2


def arriving(sit: Any) -> Table:
    """A table at the question where Newcomers arrive."""
    table: Table = sit(scenario=ARRIVAL).open()
    table.play_until("arrive_with")
    table.go_on("1")
    table.play_until("arrive")
    return table


def watching(hall: Server, join: Any) -> Table:
    """Blue, who is asked whether the Gunners fire Overwatch at Runners that begin to move."""
    battle = hall.begin(scenario=WATCHED, seed=2, seats=["mine", "mine"])
    table: Table = join(battle, battle.tokens[1], player=1)
    with battle.sit(0) as red:
        drive(red)
    table.page.goto(table.address)
    table.wait()
    return table


def test_a_unit_that_could_react_is_pointed_at_and_only_who_means_it_pays(hall: Server, join: Any) -> None:
    table = watching(hall, join)
    asked = table.decision
    assert asked is not None
    assert (asked["kind"], [o["note"] for o in asked["options"]]) == ("react.unit_move_began", ["1CP"])
    assert [table.ask("return canvas.fades(argument)", unit) for unit in (GUNNERS, OTHERS)] == [False, True]
    table.page.wait_for_function("() => document.querySelector('canvas').game.chips.size")
    assert table.ask("return game.chips.get(argument)", GUNNERS).endswith(" %")
    table.page.get_by_role("button", name="% to kill a model or cost two wounds").wait_for()
    table.page.mouse.click(*table.model(GUNNERS))
    table.page.get_by_role("button", name="✓ Fire Overwatch: Gunners").wait_for()
    now = table.decision
    assert now == asked, "a click does not spend a point yet"
    table.page.mouse.click(*table.model(GUNNERS))
    table.page.wait_for_function("id => document.querySelector('canvas').game.decision?.id !== id", arg=asked["id"])
    assert "Fire Overwatch (1CP) for Gunners" in "".join(table.heard)


def test_what_blows_would_do_stands_on_each_enemy(sit: Any) -> None:
    table = sit(scenario=FIGHT).open()
    asked = table.play_until("strike")
    table.page.wait_for_function("() => document.querySelector('canvas').game.chips.size === 2")
    left, right = (o["value"] for o in asked["targets"])
    assert " of 2" in table.ask("return game.chips.get(argument)", left)
    table.page.mouse.click(*table.model(left))
    table.page.get_by_role("button", name="Attack", exact=False).first.wait_for()
    table.page.wait_for_function("() => document.querySelector('canvas').game.actor.ready")
    table.page.get_by_text("B: about").wait_for()  # who cannot reach the one strikes the other
    assert table.ask("return [...game.pointed]") == [left, right]


def test_nobody_is_put_down_where_reserves_may_not_arrive(sit: Any) -> None:
    table = arriving(sit)
    start, foes = table.on_screen(12 * STEP, 15 * STEP), table.on_screen(30 * STEP, 15 * STEP)
    table.page.keyboard.down("Shift")
    table.drag(start, (foes[0] - start[0], 0), drop=False)
    ghosts = table.ask("return game.plan.ghosts.map(g => [g.x, g.y])")
    table.page.mouse.up()
    table.page.keyboard.up("Shift")
    assert all(hypot(x - 30 * STEP, y - 15 * STEP) > 10 * STEP for x, y in ghosts), "9 inches from base to base"
    assert table.planned()["verdict"]["ok"]


def test_a_unit_that_arrives_is_drawn_to_just_over_the_distance(sit: Any) -> None:
    table = arriving(sit)
    start, near = table.on_screen(12 * STEP, 15 * STEP), table.on_screen(19.3 * STEP, 15 * STEP)
    table.drag(start, (near[0] - start[0], 0), drop=False)
    assert "just outside ground too near for Reserves" in table.ask("return game.plan.note")
    table.page.mouse.up()


def test_who_is_charged_stays_in_sight(sit: Any) -> None:
    table = sit(scenario=CHARGE).open()
    table.play_until("charge_with")
    table.page.keyboard.press("1")
    table.answer_by(table.page.get_by_role("button", name="Roll for Gunners").click)
    table.play_until("charge_move")
    assert [table.ask("return canvas.fades(argument)", unit) for unit in (1, 2)] == [False, True]
