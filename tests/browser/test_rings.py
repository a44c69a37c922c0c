"""What a hand does with one unit: the ring of deeds around it, its shape and spacing, and some of its models alone."""

from __future__ import annotations

from typing import Any

import pytest

from browser.conftest import DESK, PHONE, TABLET
from browser.hands import Hand
from browser.table import STEP, Table
from browser.test_in_reach import SHEETS
from browser.test_plans import CARRIER, MOVING, WALKERS, choose
from browser.test_shapes import NUMBER, asked, given, pretend

TARGETS = [{"value": 3, "label": "Foes", "note": ""}, {"value": 2, "label": "Others", "note": ""}]
ROWS = [
    {"id": "claws", "label": "claws", "count": 3, "targets": [3], "modes": []},
    {"id": "teeth", "label": "teeth", "count": 2, "targets": [2], "modes": []},
]
#: Buttons of the ring that lie over each other, and those that do not lie on the table.
OVERLAPS = """() => {
  const board = document.querySelector("canvas").getBoundingClientRect();
  const found = [...document.querySelectorAll("[role=menuitem]")].map(e => [e.innerText, e.getBoundingClientRect()]);
  const over = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  const out = b => b.left < board.left || b.right > board.right || b.top < board.top || b.bottom > board.bottom;
  const pairs = found.flatMap(([n, a], i) => found.slice(0, i).filter(([, b]) => over(a, b)).map(([m]) => [n, m]));
  return [...pairs, ...found.filter(([, b]) => out(b)).map(([n]) => n)];
}"""


def ghosts(table: Table) -> list[tuple[float, float]]:
    return [(g["x"] / STEP, g["y"] / STEP) for g in table.planned()["ghosts"]]


def width(places: list[tuple[float, float]]) -> float:
    return max(x for x, _ in places) - min(x for x, _ in places)


def test_a_right_click_offers_what_can_be_done_with_a_unit(sit: Any) -> None:
    table = sit(scenario=MOVING).open()
    choose(table, WALKERS)
    table.page.mouse.click(*table.model(WALKERS), button="right")
    name = table.page.get_by_role("menuitem", name="Walkers", exact=True).bounding_box()
    assert name["y"] + name["height"] < table.model(WALKERS)[1] - 40, "it hides nobody of the unit"
    table.page.get_by_role("menuitem", name="Formation").click()
    table.page.get_by_role("menuitem", name="line", exact=True).click()
    assert len(ghosts(table)) == 3
    assert table.page.get_by_role("menu").count() == 0


@pytest.mark.parametrize("size", [DESK, TABLET, PHONE])
def test_many_deeds_lie_beside_each_other_wherever_the_unit_stands(sit: Any, size: tuple[int, int]) -> None:
    table = sit(size, system="epica", made_up=True, seed=5, armies=()).open()
    asked = table.play_until("action")
    table.page.mouse.click(*table.model(asked["unit"]), button="right")
    table.page.get_by_role("menuitem", name="Zoom in").wait_for()
    # The ring finds its place once it knows how large its buttons are.
    table.page.wait_for_function(f"() => document.querySelectorAll('[role=menuitem]').length && !({OVERLAPS})().length")
    assert table.page.get_by_role("menuitem").count() == 12


def test_escape_closes_the_ring_and_nothing_else(sit: Any) -> None:
    table = sit(scenario=MOVING).open()
    choose(table, WALKERS)
    table.drag(table.model(WALKERS), (0, -30))
    table.planned()
    table.page.mouse.click(
        *table.on_screen(*table.ask("return [game.plan.ghosts[0].x, game.plan.ghosts[0].y]")), button="right"
    )
    table.page.get_by_role("menu").wait_for()
    table.page.keyboard.press("Escape")
    assert table.page.get_by_role("menu").count() == 0
    assert table.ask("return game.plan.ghosts.length") == 3


def test_a_finger_that_rests_on_a_unit_opens_the_ring_and_closes_it_nowhere_by_lifting(sit: Any) -> None:
    table = sit(TABLET, touch=True, scenario=MOVING).open()
    choose(table, WALKERS)
    touch = table.page.context.new_cdp_session(table.page)
    x, y = Hand(table).spot(WALKERS)
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    table.page.get_by_role("menuitem", name="Some models").wait_for()
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    heights = [i.bounding_box()["height"] for i in table.page.get_by_role("menuitem").all()]
    assert min(heights) >= 44
    table.page.get_by_role("menuitem", name="Some models").tap()
    table.page.get_by_role("menu").wait_for(state="detached")
    hand = Hand(table, finger=True)
    for number in (0, 1):
        hand.table.page.touchscreen.tap(*table.model(WALKERS, number))
    assert table.ask("return game.actor.picked.size") == 2


def test_who_is_not_picked_stays_where_it_is(sit: Any) -> None:
    table = sit(scenario=MOVING).open()
    choose(table, WALKERS)
    table.page.get_by_role("button", name="some models").click()
    for number in (0, 1):
        table.page.mouse.click(*table.model(WALKERS, number))
    picked = set(table.ask("return [...game.actor.picked]"))
    table.drag(table.model(WALKERS), (0, -300))
    assert {g["model"] for g in table.planned()["ghosts"]} <= picked


def test_the_wheel_changes_how_far_apart_a_dragged_unit_stands(sit: Any) -> None:
    table = sit(scenario=MOVING).open()
    choose(table, WALKERS)
    before = width(
        [
            tuple(p)
            for p in table.ask(
                "return game.standing(argument).map(m => [game.at(m).x / 1024, game.at(m).y / 1024])", WALKERS
            )
        ]
    )
    table.drag(table.model(WALKERS), (0, -40), drop=False)
    for _ in range(3):
        table.page.mouse.wheel(0, -100)
    # A wheel is not waited for, and after the drag it would bring the table closer.
    table.page.wait_for_function(
        "wide => (xs => Math.max(...xs) - Math.min(...xs) > wide)"
        "(document.querySelector('canvas').game.plan.ghosts.map(g => g.x / 1024))",
        arg=before + 0.3,
    )
    table.page.mouse.up()
    assert width(ghosts(table)) > before + 0.3


def test_the_first_seven_numbers_are_shapes_and_a_screen_is_the_widest_of_them(sit: Any) -> None:
    table = sit(scenario=MOVING).open()
    choose(table, WALKERS)
    found = {}
    for key in ("1", "7"):
        table.page.keyboard.press(key)
        places = ghosts(table)
        found[key] = max(abs(a[0] - b[0]) + abs(a[1] - b[1]) for a in places for b in places)
    assert table.page.get_by_role("button", name="screen", pressed=True).count() == 1
    assert found["7"] > found["1"] + 1


def test_what_must_be_used_and_cannot_reach_the_target_takes_the_one_it_can(sit: Any) -> None:
    table = sit(scenario=MOVING)
    answers: list[Any] = []
    question = asked("assign", rows=ROWS, targets=TARGETS, everything=True) | {"unit": WALKERS, "id": NUMBER}
    pretend(table, question, answers)
    table.open()
    table.page.keyboard.press("1")
    table.page.keyboard.press("Enter")
    assert {(a["row"], a["target"], a["count"]) for a in given(table, answers)} == {("claws", 3, 3), ("teeth", 2, 2)}


def test_a_single_model_is_chosen_by_pointing_at_it(sit: Any) -> None:
    table = sit(scenario=MOVING)
    answers: list[Any] = []
    options = [{"value": m, "label": f"model {m}", "note": ""} for m in (1, 2, 3)]
    pretend(table, asked("choose", options=options, optional=False) | {"unit": WALKERS, "id": NUMBER}, answers)
    table.open()
    table.page.mouse.click(*table.model(WALKERS, 1))
    assert given(table, answers) == 2


def test_who_has_nothing_to_fire_at_a_target_is_dimmed_while_it_is_looked_at(sit: Any) -> None:
    table = sit(scenario=MOVING)
    rows = [{**ROWS[0], "models": [1, 2]}, {**ROWS[1], "models": [2, 3]}]
    pretend(table, asked("assign", rows=rows, targets=TARGETS, everything=False) | {"unit": WALKERS, "id": NUMBER}, [])
    table.open()
    idle = "return [...game.actor.idle]"
    assert table.ask(idle) == []
    table.page.mouse.move(*table.model(3))
    table.page.wait_for_function("() => document.querySelector('canvas').game.actor.idle.size")
    assert table.ask(idle) == [3]
    table.page.mouse.move(*table.model(2))
    table.page.wait_for_function("() => document.querySelector('canvas').game.actor.idle.has(1)")
    assert table.ask(idle) == [1]


def test_a_finger_names_places_of_the_way_draws_a_front_and_gets_aboard(sit: Any) -> None:
    table = sit(TABLET, touch=True, scenario=MOVING).open()
    choose(table, WALKERS)
    page, tap = table.page, table.page.touchscreen.tap
    tap(*table.badge(WALKERS))  # which brings the unit closer
    page.locator(".dock summary").tap()
    page.get_by_role("button", name="by way of ...").tap()
    page.get_by_role("button", name="by way of ...", pressed=True).wait_for()
    for x, y in ((12, 12), (15, 11)):
        tap(*table.on_screen(x * STEP, y * STEP))
    page.wait_for_function("() => document.querySelector('canvas').game.plan?.answer.paths?.[0]?.legs.length === 3")
    places = ghosts(table)
    assert sum(x for x, _ in places) / 3 == pytest.approx(15, abs=0.1)
    assert sum(y for _, y in places) / 3 == pytest.approx(11, abs=0.1)
    page.get_by_role("button", name="Cancel").tap()
    page.get_by_role("button", name="draw a front").tap()
    page.get_by_role("button", name="draw a front", pressed=True).wait_for()
    hand = Hand(table, finger=True)
    hand.sweep(table.on_screen(10 * STEP, 12 * STEP), table.on_screen(14 * STEP, 12 * STEP))
    drawn = ghosts(table)
    assert len({round(y, 1) for _, y in drawn}) == 1, "one rank, since the front is wide enough"
    assert table.ask("return game.pointers") == []
    page.get_by_role("button", name="draw a front", pressed=False).wait_for()
    page.get_by_role("button", name="Cancel").tap()
    page.get_by_role("button", name="Embark: Carrier").tap()
    page.get_by_role("button", name="✓ Embark: Carrier").wait_for()
    assert table.planned()["answer"]["onto"] == CARRIER


def test_single_models_are_picked_with_alt_and_a_unit_is_turned_by_keys(sit: Any) -> None:
    table = sit(scenario=MOVING).open()
    choose(table, WALKERS)
    mouse, keys, picked = table.page.mouse, table.page.keyboard, "return [...game.actor.picked]"
    first = table.ask("return game.standing(argument)[0]", WALKERS)
    keys.down("Alt")
    mouse.click(*table.model(WALKERS))
    assert table.ask(picked) == [first]
    (ax, ay), (bx, by) = table.on_screen(13.2 * STEP, 13 * STEP), table.on_screen(15 * STEP, 17 * STEP)
    table.drag((ax, ay), (bx - ax, by - ay))
    keys.up("Alt")
    assert len(table.ask(picked)) == 2, "those in the box"
    table.drag(table.model(WALKERS), (0, -30))
    assert {g["model"] for g in table.planned()["ghosts"]} == set(table.ask(picked))
    keys.press("Escape")
    facing = "return game.plan.ghosts[0].facing"
    found = []
    for key in ("q", "q", "e"):
        keys.press(key)
        table.planned()
        found.append(table.ask(facing))
    assert (found[1] - found[0]) % 4096 == pytest.approx(4096 / 24, abs=2)
    assert found[2] == found[0]


def test_a_transport_is_boarded_by_a_key_and_from_its_ring(sit: Any) -> None:
    table = sit(scenario=MOVING).open()
    choose(table, WALKERS)
    aboard = table.page.get_by_role("button", name="✓ Embark: Carrier")
    table.page.keyboard.press("b")
    aboard.wait_for()
    table.page.keyboard.press("Escape")
    aboard.wait_for(state="detached")
    table.page.mouse.click(*table.model(CARRIER), button="right")
    table.page.get_by_role("menuitem", name="Embark").click()
    aboard.wait_for()
    table.planned()
    table.go_on("Enter")
    assert table.ask("return game.standing(argument).length", WALKERS) == 0


TOGETHER = f"""\
scenario: Together
{SHEETS}  Rider:
    {{move: 6, toughness: 3, save: 6, wounds: 1, leadership: 8, oc: 2, base: 60x35mm, height: 1.5, keywords: [MOUNTED]}}
units:
  - {{name: Seven, player: red, sheet: Runner, positions: {[[x, 5] for x in range(10, 23, 2)]}}}
  - {{name: Riders, player: red, sheet: Rider, positions: [[10, 15], [13, 15]]}}
  - {{name: Others, player: blue, sheet: Runner, positions: [[2, 28]]}}
at: {{step: move_units, active: red}}
"""
SEVEN, RIDERS = 0, 1
#: Those of a unit who do not stand with the rest of it, if some of its models stood elsewhere: by number, in inches.
PUT = """
const [unit, places] = argument, standing = game.standing(unit), going = Object.entries(places);
const legs = ([x, y, facing]) => [{do: "go", x: x * 1024, y: y * 1024, z: 0, facing: facing ?? 0}];
const paths = going.map(([i, place]) => ({model: standing[i], legs: legs(place)}));
game.stage({mode: "normal", paths}, null);
return canvas.apart().map(m => standing.indexOf(m));
"""


def test_all_who_do_not_stand_with_the_rest_of_a_unit_are_ringed(sit: Any) -> None:
    table = sit(scenario=TOGETHER).open()
    choose(table, SEVEN)

    def apart(unit: int, **places: tuple[float, ...]) -> list[int]:
        found: list[int] = table.ask(PUT, [unit, {number[1:]: place for number, place in places.items()}])
        return found

    # Of seven each wants two so near: from the middle of one to the next but one are four inches, and to its rim three.
    assert apart(SEVEN, _0=(10, 5.1)) == [0, 6]
    assert apart(SEVEN, _0=(12.5, 6.8), _6=(19.5, 6.8)) == []
    # Who only looks around has nothing worked out anew.
    assert table.ask("const before = canvas.apart(); camera.pan(40, 0); return canvas.apart() === before")
    # Two who are torn off together have each other, and nobody else.
    assert apart(SEVEN, _0=(12.5, 6.8), _4=(15.5, 6.8), _5=(25, 8), _6=(27, 8)) == [5, 6]
    # By an edition that asks for no single group, but for nobody further off than some distance, one goes who is.
    table.ask(
        "Object.assign(game.ground.rings.find(r => r.around === 'comrades'),"
        " {crowd: 0, one_group: false, spread: 9 * 1024})"
    )
    assert apart(SEVEN, _0=(14, 6.5), _1=(16, 6.5), _5=(20, 6), _6=(21, 6)) == []
    assert apart(SEVEN, _0=(14, 6.5), _1=(16, 6.5), _5=(25, 5), _6=(26, 5)) == [5, 6]
    # Bases that are not round are measured as they are turned: beside each other, and one behind the other.
    table.page.keyboard.press("Escape")
    table.ask("return game.takeBack()")
    choose(table, RIDERS)
    assert apart(RIDERS, _1=(13.6, 15)) == []
    assert apart(RIDERS, _0=(10, 15, 1024), _1=(13.6, 15, 1024)) == [0, 1]
