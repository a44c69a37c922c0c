"""What a ghost shows before anybody has judged it, and what it says when something stops it."""

from __future__ import annotations

from typing import Any

import pytest

from browser.conftest import TABLET
from browser.table import STEP, Table
from browser.test_plans import WALKERS, choose
from browser.test_shapes import asked, pretend

LATE = 20_000
"""Milliseconds: long enough to look at what nobody has judged."""
NEAR = """\
scenario: Near them
system: w40k10
question: How near may they go?
table: {size: [44, 30]}
sheets:
  Brute:
    {move: 6, toughness: 5, save: 4, wounds: 2, leadership: 7, oc: 2, base: 32mm, height: 1.5, keywords: [INFANTRY]}
units:
  - {name: Others, player: red, sheet: Brute, positions: [[4, 4]]}
  - {name: Walkers, player: red, sheet: Brute, positions: [[16, 15]]}
  - {name: Foes, player: blue, sheet: Brute, positions: [[20, 15]]}
at: {step: move_units, active: red}
"""
FOES = 2
TIP = ".stage .tip"


def surveyed(table: Table) -> None:
    """Until it is known where the unit may go."""
    table.page.wait_for_function("() => document.querySelector('canvas').game.areas.length")


def test_a_ghost_that_nobody_has_judged_is_neither_right_nor_wrong(sit: Any) -> None:
    table = sit(delay=2, scenario=NEAR).open()
    choose(table, WALKERS)
    surveyed(table)
    table.drag(table.model(WALKERS), (0, -30))
    assert table.planned()["verdict"]["ok"]
    spot = table.on_screen(*table.ask("return [game.plan.ghosts[0].x, game.plan.ghosts[0].y]"))
    table.slow_down(LATE)
    table.drag(spot, (0, -12), drop=False)
    assert table.ask("return game.plan.verdict") is None
    table.page.mouse.up()


def test_who_commits_before_it_was_judged_commits_it_when_it_was(sit: Any) -> None:
    table = sit(delay=2, scenario=NEAR).open()
    choose(table, WALKERS)
    surveyed(table)
    table.slow_down(500)
    table.drag(table.model(WALKERS), (0, -30))
    before = table.ask("return game.decision.id")
    ghost = table.ask("return [game.plan.ghosts[0].x, game.plan.ghosts[0].y]")
    table.page.keyboard.press(" ")
    table.page.wait_for_function("id => document.querySelector('canvas').game.decision?.id !== id", arg=before)
    assert table.ask("return game.view.models[1].slice(0, 2)") == ghost


def test_who_is_dragged_out_of_its_area_stops_at_the_edge_and_says_why_before_the_server_does(sit: Any) -> None:
    table = sit().open()
    place = table.play_until("deploy")
    xs, ys = zip(*place["area"], strict=True)
    start = table.on_screen(sum(xs) / len(xs), (min(ys) + max(ys)) / 2)
    beyond = table.on_screen(sum(xs) / len(xs), table.ask("return game.ground.table.depth / 2"))
    table.drag(start, (0, beyond[1] - start[1]), drop=False)
    table.page.locator(TIP).get_by_text("outside the").wait_for()
    ghosts = table.ask("return game.plan.ghosts.map(g => [g.x, g.y])")
    assert all(min(xs) < x < max(xs) and min(ys) < y < max(ys) for x, y in ghosts)
    table.page.mouse.up()
    assert table.planned()["verdict"]["ok"]


def test_a_ghost_that_is_stopped_says_by_what_and_by_which_rule(sit: Any) -> None:
    table = sit(scenario=NEAR).open()
    choose(table, WALKERS)
    surveyed(table)
    start, end = table.model(WALKERS), table.model(FOES)
    table.page.keyboard.down("Shift")
    table.drag(start, (end[0] - start[0], end[1] - start[1]), drop=False)
    tip = table.page.locator(TIP)
    tip.get_by_text("Stopped: Engagement Range, 1″ of Foes.").wait_for()
    rule = table.ask("return game.rules(game.ground.rings.map(r => r.rule).slice(0, 1)).then(r => r[0].name)")
    tip.get_by_text(rule).wait_for()
    table.page.mouse.up()
    table.page.keyboard.up("Shift")
    plan = table.planned()
    assert plan["verdict"]["ok"]
    assert plan["ghosts"][0]["x"] < 20 * STEP - STEP
    table.page.get_by_role("button", name="why?").click()
    table.page.locator(".ruling blockquote").first.wait_for()


TAPE = "return game.pointers[0]"


def tape(table: Table, start: tuple[float, float], end: tuple[float, float]) -> dict[str, Any]:
    table.drag(start, (end[0] - start[0], end[1] - start[1]), drop=False)
    found: dict[str, Any] = table.ask(TAPE)
    table.page.mouse.up()
    return found


def test_the_tape_measures_from_base_to_base_and_says_so(sit: Any) -> None:
    """Bases of 32 mm with 4" between their middles are 2.74" apart."""
    table = sit(scenario=NEAR).open()
    choose(table, WALKERS)
    table.page.keyboard.press("m")
    walkers, foes = table.model(WALKERS), table.model(FOES)
    assert tape(table, walkers, foes)["text"] == "2.74″ base to base"
    assert tape(table, walkers, (walkers[0], walkers[1] - 100))["text"].endswith("from the base's edge")
    assert tape(table, (foes[0], foes[1] - 100), foes)["text"].endswith("to the base's edge")
    table.page.keyboard.down("Shift")
    assert tape(table, walkers, foes)["text"] == "4″"
    table.page.keyboard.up("Shift")


CHARGE = NEAR.replace("step: move_units", "step: charge_phase")


def test_a_charge_with_one_target_waits_for_the_tick(sit: Any) -> None:
    table = sit(scenario=CHARGE).open()
    asked = table.play_until("charge_with")
    table.page.mouse.click(*table.model(WALKERS))
    tick = table.page.get_by_role("button", name="Roll for Walkers")
    tick.wait_for()
    table.page.wait_for_timeout(300)
    assert table.ask("return game.decision.id") == asked["id"]
    assert not table.ask("return game.log.some(l => l.kind === 'rolled')")
    table.page.keyboard.press("Escape")
    tick.wait_for(state="detached")
    table.page.keyboard.press("1")
    tick.wait_for()
    table.page.keyboard.press("Enter")
    table.page.wait_for_function("() => document.querySelector('canvas').game.log.some(l => l.kind === 'rolled')")


CHIPS = "return [...game.chips]"
TWO_FOES = CHARGE.replace("at: {", "  - {name: Far Foes, player: blue, sheet: Brute, positions: [[16, 22]]}\nat: {")


@pytest.mark.parametrize(
    ("system", "figures"),
    [("w40k10", "oc: 2"), ("w40k8", "weapon_skill: 3, ballistic_skill: 3, strength: 4, attacks: 1")],
)
def test_targets_of_a_charge_tell_their_chance_on_the_board_and_in_the_list_before_they_are_picked(
    sit: Any, system: str, figures: str
) -> None:
    """With 2.74" and 5.74" between the bases, 1" short of them is enough: 2D6 come to 2, and to 5 in 30 of 36 cases."""
    table = sit(scenario=TWO_FOES.replace("w40k10", system).replace("oc: 2", figures)).open()
    table.play_until("charge_with")
    table.page.wait_for_function("() => document.querySelector('canvas').game.chips.size")
    assert table.ask(CHIPS) == [[WALKERS, "100 %"]]
    table.pick(WALKERS)
    assert table.decision["kind"] == "charge_targets"
    table.page.wait_for_function("() => document.querySelector('canvas').game.chips.size === 2")
    assert table.ask(CHIPS) == [[FOES, "100 %"], [FOES + 1, "83 %"]]
    assert not table.ask("return game.pointed.size")
    assert "83 %" in table.page.get_by_role("button", name="Far Foes").inner_text()
    table.page.get_by_role("button", name="Far Foes").click()
    table.page.get_by_text("83 % chance").wait_for()
    table.page.locator(".dock .deeds").get_by_role("button", name="Charge").wait_for()


def test_a_charge_that_rolls_first_tells_its_chance_before_it_is_declared(sit: Any) -> None:
    table = sit(scenario=CHARGE.replace("w40k10", "w40k11").replace("[20, 15]", "[24, 15]")).open()
    table.play_until("charge_with")
    table.page.mouse.click(*table.model(WALKERS))
    table.page.get_by_text("% chance").wait_for()
    assert [unit for unit, _ in table.ask(CHIPS)] == [WALKERS]


LINE = NEAR.replace("[[16, 15]]", "[[16, 15], [16, 17], [16, 19]]").replace("[20, 15]", "[20.5, 15]")
TOO_FAR = """const answer = structuredClone(game.plan.answer);
answer.paths[1].legs[0].x = 4 * 1024;
return game.check(answer).then(verdict => { game.plan = {...game.plan, verdict}; });"""
INKS = "return game.plan.ghosts.map(canvas.ink)"


def test_only_who_had_to_stop_short_is_amber(sit: Any) -> None:
    table = sit(scenario=LINE).open()
    choose(table, WALKERS)
    surveyed(table)
    table.page.keyboard.down("Shift")
    table.drag(table.model(WALKERS, 2), (3.4 * STEP * table.ask("return camera.k"), 0))
    table.page.keyboard.up("Shift")
    assert table.planned()["verdict"]["ok"]
    assert table.ask(INKS) == ["amber", "clear", "clear"]


def test_only_who_is_in_the_wrong_is_red(sit: Any) -> None:
    table = sit(scenario=LINE).open()
    choose(table, WALKERS)
    surveyed(table)
    table.drag(table.model(WALKERS, 2), (-40, 0))
    table.planned()
    table.ask(TOO_FAR)
    assert table.ask("return game.plan.verdict.ok") is False
    assert table.ask(INKS) == ["unjudged", "blocked", "unjudged"]


def test_units_that_are_not_concerned_step_back_while_one_is_picked(sit: Any) -> None:
    table = sit(scenario=NEAR).open()
    table.play_until("move_with")
    fading = "return game.view.units.map(u => canvas.fades(u.id))"
    assert table.ask(fading) == [False, False, False]
    choose(table, WALKERS)
    table.page.mouse.move(5, 5)
    assert table.ask(fading) == [True, False, True]
    table.go_on("s")
    table.play_until("move_with")
    assert table.ask(fading) == [False, False, False]


def test_the_key_for_a_roll_never_picks_a_way_of_moving_that_none_decides(sit: Any) -> None:
    """Who is engaged may fall back, but not advance."""
    table = sit(scenario=NEAR.replace("[20, 15]", "[17.5, 15]")).open()
    choose(table, WALKERS)
    table.page.keyboard.press("a")
    table.page.get_by_text("No way of moving is rolled for here.").wait_for()
    assert table.ask("return game.plan") is None


def test_names_of_units_leave_the_numbers_of_markers_to_be_read(sit: Any) -> None:
    """Units that stand on a marker have room for their names beside it."""
    table = sit(at="move_with").open()
    table.play_until("move_with")
    hidden = table.ask("""
      const covers = (box, px, py) => box[0] < px + 5 && box[2] > px - 5 && box[1] < py + 5 && box[3] > py - 5;
      const numbers = game.board.objectives.map(([x, y]) => [camera.px(x), camera.py(y)]);
      return numbers.filter(([px, py]) => canvas.laid().some(({ box }) => covers(box, px, py))).length;
    """)
    assert hidden == 0


REFUSED = """
const verdict = {ok: false, reasons: [{text: "Not there.", rules: ["w40k10.move.distance"]}]};
game.stage(argument, verdict);
game.refuse(verdict);
"""
BOX = "e => { const b = e.getBoundingClientRect(); return [b.left, b.top, b.right, b.bottom]; }"


def test_what_is_wrong_with_a_place_stands_there_until_the_unit_goes_elsewhere(sit: Any) -> None:
    table = sit(scenario=NEAR).open()
    choose(table, WALKERS)
    surveyed(table)
    tip = table.page.locator(TIP)
    leg = {"do": "go", "x": 19 * STEP, "y": 12 * STEP, "z": 0, "facing": 0}
    table.ask(REFUSED, {"mode": "normal", "paths": [{"model": 1, "legs": [leg]}]})
    tip.get_by_text("Not there.").wait_for()
    ghost = table.on_screen(*table.ask("return [game.plan.ghosts[0].x, game.plan.ghosts[0].y]"))
    left, top, *_ = tip.evaluate(BOX)
    assert max(abs(left - ghost[0]), abs(top - ghost[1])) < 60
    # It goes along with the table, gives way to the name of who is pointed at, and comes back.
    table.ask("camera.pan(-80, 0); camera.free = true")
    table.page.mouse.move(*table.model(0))
    tip.get_by_text("Others").wait_for()
    table.page.mouse.move(*table.on_screen(30 * STEP, 25 * STEP))
    tip.get_by_text("Not there.").wait_for()
    assert tip.evaluate(BOX)[0] == pytest.approx(left - 80, abs=2)
    table.page.keyboard.press("Escape")
    tip.wait_for(state="detached")


def test_beside_a_finger_stands_what_is_wrong_next_to_its_loupe(sit: Any) -> None:
    table = sit(TABLET, touch=True, scenario=NEAR).open()
    choose(table, WALKERS)
    surveyed(table)
    touch = table.page.context.new_cdp_session(table.page)

    def send(kind: str, *at: tuple[float, float]) -> None:
        points = [{"x": x, "y": y} for x, y in at]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    start, end = table.model(WALKERS), table.model(FOES)
    send("touchStart", start)
    for part in range(1, 9):
        send("touchMove", (start[0] + (end[0] - start[0]) * part / 8, start[1] + (end[1] - start[1]) * part / 8))
    tip = table.page.locator(TIP)
    tip.wait_for()
    left, top, right, bottom = tip.evaluate(BOX)
    assert abs((left + right) / 2 - end[0]) < 260
    assert top < end[1] < bottom + 220
    send("touchEnd")


REFUSING = """
game.check = async answer => ({ok: false, reasons: [{text: "Not here.", rules: ["w40k10.move.distance"]}]});
"""
LAID = {
    "template": {"templates": ["blast", "flame"]},
    "flight_path": {"shortest_leg": 2 * STEP, "widest_turn": 1024, "optional": True},
    "plot": {"most": 2, "last_turn": 3},
}


@pytest.mark.parametrize("shape", LAID)
def test_what_is_wrong_with_what_is_laid_stands_there_with_its_rule_once_all_of_it_lies(sit: Any, shape: str) -> None:
    table = sit(made_up=True)
    pretend(table, asked(shape, **LAID[shape]), [])
    table.open()
    table.ask(REFUSING)
    tip, spots = table.page.locator(TIP), [(8, 20), (22, 22)]
    if shape != "plot":  # something is missing yet, and nothing is wrong
        table.page.mouse.click(*table.on_screen(*(n * STEP for n in spots.pop(0))))
        table.page.wait_for_function(
            "() => (g => g.sketch.points.length + g.sketch.circles.length)(document.querySelector('canvas').game)"
        )
        assert table.ask("return game.note") == ""
    x, y = table.on_screen(*(n * STEP for n in spots[-1]))
    table.page.mouse.click(x, y)
    tip.get_by_text("Not here.").wait_for()
    tip.get_by_text("Measuring a move").wait_for()
    left, top, *_ = tip.evaluate(BOX)
    assert 0 < left - x < 60
    assert 0 < top - y < 60
    table.page.get_by_role("button", name="why?").click()
    table.page.locator(".ruling blockquote").first.wait_for()
    table.page.keyboard.press("Escape")
    tip.wait_for(state="detached")
    assert table.ask("return game.note") == ""
