"""Moves that are planned first, ways over named places, getting aboard, who falls first, and who is armed."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any

import pytest

from browser.table import STEP, Table
from browser.test_in_reach import SHEETS
from browser.test_shapes import NUMBER, asked, pretend
from sandtable.players.standing import arms, read_orders
from server.test_falls import FIRED_AT

MOVING = """\
scenario: Carriers
system: w40k10
question: Who goes where?
table: {size: [44, 30]}
sheets:
  Brute:
    {move: 6, toughness: 5, save: 4, wounds: 2, leadership: 7, oc: 2, base: 32mm, height: 1.5, keywords: [INFANTRY]}
  Carrier:
    move: 10
    toughness: 9
    save: 3
    wounds: 10
    leadership: 6
    oc: 2
    base: hull 4x3
    height: 2.5
    keywords: [VEHICLE, TRANSPORT]
    transport: {capacity: 6, carries: [INFANTRY]}
units:
  - {name: Carrier, player: red, sheet: Carrier, positions: [[20, 15]]}
  - {name: Walkers, player: red, sheet: Brute, positions: [[14, 14], [14, 16], [12.5, 15]]}
  - {name: Others, player: red, sheet: Brute, positions: [[14, 5], [16, 5]]}
  - {name: Foes, player: blue, sheet: Brute, positions: [[40, 15], [40, 17]]}
at: {step: move_units, active: red}
"""
CARRIER, WALKERS, OTHERS = 0, 1, 2


def choose(table: Table, unit: int) -> None:
    """Pick a unit that can move, by pointing at it."""
    table.play_until("move_with")
    table.page.mouse.click(*table.model(unit))
    table.page.wait_for_function(
        "unit => (game => game.decision?.kind === 'move' && game.decision.unit === unit && game.actor)"
        "(document.querySelector('canvas').game)",
        arg=unit,
    )


def middle(table: Table, unit: int) -> tuple[float, float]:
    x, y = table.ask("return game.middle(argument)", unit)
    return x / STEP, y / STEP


def shelve(table: Table, count: int) -> None:
    """Keep what is staged as a plan, so that there are so many, until the next unit can be chosen."""
    table.page.keyboard.press("Enter")
    table.page.wait_for_function(
        "count => (game => game.intents.length === count && game.decision?.kind === 'move_with')"
        "(document.querySelector('canvas').game)",
        arg=count,
    )


def test_moves_are_planned_first_and_done_together(sit: Any) -> None:
    table = sit(scenario=MOVING).open()
    page = table.page
    before = [middle(table, unit) for unit in (WALKERS, OTHERS)]
    choose(table, WALKERS)
    page.get_by_label("Plan first, then do it all").check()
    for unit in (WALKERS, OTHERS):
        if unit != WALKERS:
            choose(table, unit)
        table.drag(table.model(unit), (0, -40))
        assert table.planned()["verdict"]["ok"]
        shelve(table, unit)
    assert [middle(table, unit) for unit in (WALKERS, OTHERS)] == before
    table.play_until("move_with")
    page.get_by_role("button", name="Do all 2").click()
    page.wait_for_function(
        "() => (game => !game.intents.length && !game.queued)(document.querySelector('canvas').game)"
    )
    page.wait_for_function(
        "unit => (units => units.size === 1 && units.has(unit))(document.querySelector('canvas').game.pointable)",
        arg=CARRIER,
    )
    assert all(middle(table, unit)[1] > y + 1 for unit, (_, y) in zip((WALKERS, OTHERS), before, strict=True))


def test_a_plan_that_fits_no_more_comes_back(sit: Any) -> None:
    table = sit(scenario=MOVING).open()
    page = table.page
    choose(table, OTHERS)
    page.get_by_label("Plan first, then do it all").check()
    table.drag(table.model(OTHERS), (0, -30))
    table.planned()
    shelve(table, 1)
    page.get_by_label("Plan first, then do it all").uncheck()
    choose(table, OTHERS)
    table.go_on("s")
    table.play_until("move_with")
    page.get_by_role("button", name="Do it").click()
    page.get_by_text("The rest of what you planned was not done").wait_for()
    assert table.ask("return game.intents.map(i => i.unit)") == [OTHERS]


def plan(table: Table, unit: int, by: tuple[float, float] = (0, -30)) -> None:
    """Stage a move, and keep it as a plan."""
    table.page.get_by_label("Plan first, then do it all").check()
    table.drag(table.model(unit), by)
    assert table.planned()["verdict"]["ok"]
    shelve(table, len({unit, *table.ask("return game.intents.map(i => i.unit)")}))


PLACES = "return Object.fromEntries(argument.map(u => [u, game.middle(u).join()]))"


def all_done(table: Table, before: dict[str, str]) -> None:
    """Until all plans are carried out, and these units are elsewhere than before."""
    table.page.wait_for_function(
        "before => (game => !game.intents.length && !game.queued && Object.entries(before).every("
        "([u, at]) => game.middle(+u).join() !== at))(document.querySelector('canvas').game)",
        arg=before,
    )


def test_what_is_planned_is_done_whatever_is_open_and_after_a_reload(sit: Any) -> None:
    table = sit(scenario=MOVING).open()
    choose(table, WALKERS)
    table.page.reload()
    table.wait()
    assert table.decision["kind"] == "move"
    plan(table, WALKERS)
    choose(table, OTHERS)
    before = table.ask(PLACES, [WALKERS])
    table.page.keyboard.press("Shift+Enter")
    all_done(table, before)
    choose(table, OTHERS)
    plan(table, OTHERS)
    choose(table, CARRIER)
    before = table.ask(PLACES, [OTHERS, CARRIER])
    # Nobody waits until what was just put down is judged.
    table.drag(table.model(CARRIER), (0, 40))
    table.page.keyboard.press("Shift+Enter")
    all_done(table, before)


#: How far to the right a unit would be in the middle, as it is planned.
GHOSTS = "const all = game.plan.ghosts; return all.reduce((sum, g) => sum + g.x, 0) / all.length"


KEPT_GOALS = "JSON.parse(localStorage['sandtable.goals'])"
UNTOLD = f"localStorage['sandtable.goals'] = JSON.stringify({KEPT_GOALS}.map(g => ({{...g, told: undefined}})))"
ON_THE_WAY = """unit => (game => game?.decision?.unit === unit && game.plan?.verdict?.ok)(
  document.querySelector('canvas')?.game)"""


def test_a_planned_advance_keeps_its_goal_and_the_others_go_on_after_it(sit: Any) -> None:
    # The seed of the battle rolls enough.
    table = sit(scenario=MOVING).open()
    page = table.page
    doing = page.get_by_role("button", name=re.compile("^Do (all|it)"))
    choose(table, OTHERS)
    page.get_by_label("Plan first, then do it all").check()
    page.keyboard.press("a")
    page.wait_for_function(BANDS)
    page.mouse.click(*table.on_screen(22.5 * STEP, 5 * STEP))
    page.get_by_text(re.compile(r"Advance: \d\+, \d+ % to get here")).wait_for()
    assert table.planned()["answer"]["mode"] == "advance"
    page.wait_for_function("() => document.querySelector('canvas').game.plan.goal")
    page.get_by_role("button", name="Plan it").click()
    page.wait_for_function("() => document.querySelector('canvas').game.decision?.kind === 'move_with'")
    # What is staged is told beside what is planned, and both are counted.
    choose(table, WALKERS)
    table.drag(table.model(WALKERS), (0, -30))
    assert table.planned()["verdict"]["ok"]
    page.get_by_role("button", name="Walkers, as it stands now").click()
    page.get_by_role("button", name="Do it").wait_for()
    table.drag(table.model(WALKERS), (0, -30))
    assert table.planned()["verdict"]["ok"]
    page.get_by_role("button", name="Walkers, as it stands now").wait_for()
    before = table.ask(PLACES, [OTHERS, WALKERS])
    page.get_by_role("button", name="Do all 2").click()
    # Once the dice are rolled, the unit is where it was wanted; only who waits is told of.
    page.wait_for_function(
        "unit => (game => game.queued === 2 && game.decision?.unit === unit && game.plan?.verdict?.ok)"
        "(document.querySelector('canvas').game)",
        arg=OTHERS,
    )
    assert table.planned()["verdict"]["ok"]
    assert table.ask(GHOSTS) > 21.5 * STEP
    page.get_by_text("1 planned unit waits until it is asked about: Walkers.").wait_for()
    assert table.ask("return game.intents.map(i => i.unit)") == [WALKERS]
    assert not doing.count()
    # Whoever comes back goes there, too; also who was away when the dice were rolled.
    for when in ("", UNTOLD):
        page.evaluate(when)
        page.reload()
        table.wait()
        page.wait_for_function(ON_THE_WAY, arg=OTHERS)
        assert table.ask(GHOSTS) > 21.5 * STEP
    page.locator(".dock .tick").click()
    all_done(table, before)
    assert middle(table, OTHERS)[0] > 21.5
    # A goal is one of one move.
    assert page.evaluate(f"{KEPT_GOALS}.map(g => g.told >= 0)") == [True]
    assert table.ask("return game.plans.goalOf({shape: 'move', unit: argument, id: 1e6})", OTHERS) is None
    assert page.evaluate(KEPT_GOALS) == []


def test_what_is_planned_meanwhile_waits_for_what_was_sent_which_can_be_dropped(sit: Any) -> None:
    table = sit(scenario=MOVING).open()
    page = table.page
    choose(table, WALKERS)
    plan(table, WALKERS)
    page.get_by_label("Plan first, then do it all").uncheck()
    choose(table, OTHERS)
    # Where nobody knows how the unit was chosen, its question stays open, and what is sent waits for the next.
    table.ask("return game.trail.cut(0)")
    page.get_by_role("button", name="Do it").click()
    waits = page.get_by_text("1 planned unit waits until it is asked about: Walkers.")
    waits.wait_for()
    assert not page.get_by_role("button", name=re.compile("^Do (all|it)")).count()
    page.keyboard.press("Shift+Enter")
    page.get_by_text("First comes what was sent before").wait_for()
    page.get_by_role("button", name="Drop this").click()
    waits.wait_for(state="detached")
    assert table.ask("return [game.intents.length, game.queued]") == [0, 0]


CHARGE = f"""\
scenario: Who charges
{SHEETS}units:
  - {{name: Gunners, player: red, sheet: Gunner, positions: [[12, 15]]}}
  - {{name: Friends, player: red, sheet: Gunner, positions: [[12, 18]]}}
  - {{name: Prey, player: blue, sheet: Runner, positions: [[15, 15]]}}
at: {{step: charge_phase, active: red}}
dice: {{charge: [6, 6]}}
"""
FIGHT = f"""\
scenario: Who fights
{SHEETS}units:
  - {{name: Gunners, player: red, sheet: Gunner, positions: [[12, 15], [12, 16.9]]}}
  - {{name: Friends, player: red, sheet: Gunner, positions: [[15, 15]]}}
  - {{name: Prey, player: blue, sheet: Runner, positions: [[13, 15], [13.5, 16]], flags: {{fought: true}}}}
  - {{name: Foes, player: blue, sheet: Runner, positions: [[16, 15]], flags: {{fought: true}}}}
at: {{step: remaining_combats, active: red}}
"""


@pytest.mark.parametrize(
    ("scenario", "first", "kind"), [(CHARGE, "charge_with", "charge_move"), (FIGHT, "fight_with", "strike")]
)
def test_who_points_at_a_friend_after_more_was_done_looks_at_it(sit: Any, scenario: str, first: str, kind: str) -> None:
    gunners, friends = 0, 1
    table = sit(scenario=scenario).open()
    table.play_until(first)
    table.page.mouse.click(*table.model(gunners))
    if first == "charge_with":
        table.page.get_by_role("button", name="Roll for").click()
    table.page.wait_for_function("unit => document.querySelector('canvas').game.decision?.unit === unit", arg=gunners)
    question = table.play_until(kind)
    assert question["unit"] == gunners
    assert not table.page.get_by_label("Plan first, then do it all").count()
    table.page.mouse.click(*table.model(friends))
    table.page.wait_for_function("() => document.querySelector('canvas').game.card?.name === 'Friends'")
    assert table.ask("return [game.note, game.wish]") == ["", None]
    assert table.decision == question
    table.go_on()


#: Who shot at whom.
FIRED = "return game.log.map(l => l.text.split(/ shoots? at /)).filter(parts => parts.length === 2)"


def test_targets_are_planned_first_and_shots_fired_together(sit: Any) -> None:
    two = FIRED_AT.replace(
        "[[40, 3]]}\n", "[[40, 3]]}\n  - {name: Others of red, player: red, sheet: Gunner, positions: [[8, 8]]}\n"
    )
    table = sit(scenario=two).open()
    page = table.page
    for unit, target in ((0, 1), (3, 2)):
        table.play_until("shoot_with")
        table.pick(unit)
        page.get_by_label("Plan first, then do it all").check()
        page.mouse.click(*table.model(target))
        page.wait_for_function("() => document.querySelector('canvas').game.pointed.size === 1")
        page.get_by_role("button", name="Plan it").click()
        page.wait_for_function(
            "unit => (game => game.intents.some(i => i.unit === unit) && game.decision?.kind === 'shoot_with')"
            "(document.querySelector('canvas').game)",
            arg=unit,
        )
    assert table.ask("return game.log.filter(l => l.kind === 'rolled').length") == 0
    table.play_until("shoot_with")
    page.get_by_role("button", name="Do all 2").click()
    page.wait_for_function("() => (g => !g.intents.length && !g.queued)(document.querySelector('canvas').game)")
    page.wait_for_function(f"() => {{ const {{ game }} = document.querySelector('canvas'); {FIRED}.length === 2 }}")
    assert table.ask(FIRED) == [["Gunners", "Brutes."], ["Others of red", "Others."]]


def test_a_way_leads_over_the_places_that_are_named(sit: Any) -> None:
    table = sit(scenario=MOVING)
    page = table.page
    page.emulate_media(reduced_motion="reduce")
    table.open()
    choose(table, OTHERS)
    page.keyboard.down("Control")
    page.mouse.click(*table.on_screen(16 * STEP, 7 * STEP))
    page.keyboard.up("Control")
    table.planned()
    page.mouse.click(*table.on_screen(18 * STEP, 6 * STEP))
    plan = table.planned()
    assert plan["verdict"]["ok"]
    assert [len(path["legs"]) for path in plan["answer"]["paths"]] == [2, 2]
    assert plan["longest"] > 2 * STEP
    table.go_on("Enter")
    assert middle(table, OTHERS) == (18, 6)
    # Where nothing leaps, nothing is under way either.
    page.wait_for_function(ARRIVED)


ARRIVED = "() => !document.querySelector('canvas').game.moving.size"


def test_who_is_dropped_on_a_transport_gets_aboard(sit: Any) -> None:
    table = sit(scenario=MOVING).open()
    choose(table, WALKERS)
    start, goal = table.model(WALKERS), table.model(CARRIER)
    table.drag(start, (goal[0] - start[0], goal[1] - start[1]))
    table.page.get_by_role("button", name="Embark: Carrier").wait_for()
    assert table.planned()["answer"]["onto"] == CARRIER
    table.go_on("Enter")
    assert table.ask("return game.standing(argument).length", WALKERS) == 0
    # Who is out of sight has arrived, too: nothing is drawn for them any more.
    table.page.wait_for_function(ARRIVED)


def test_those_fall_first_whom_the_player_put_first(sit: Any) -> None:
    table = sit(scenario=MOVING)
    answers: list[Any] = []
    options = [{"value": m, "label": f"model {m}", "note": ""} for m in (1, 2, 3)]
    pretend(table, asked("choose", options=options, optional=False) | {"unit": WALKERS, "id": NUMBER}, answers)
    table.open()
    assert answers == []
    table.page.keyboard.press("u")
    table.page.get_by_role("button", name="Who falls first").click()
    rows = table.page.get_by_label("Who falls first").last
    rows.get_by_role("button", name="Later").first.click()
    assert table.ask("return game.casualties[argument]", WALKERS) == [2, 1, 3]
    # Who is pointed at in the list is shown beside what is drawn for the answer.
    table.ask("game.sketch = {points: [], circles: [], legs: [[0, 0], [1024, 1024]]}")
    rows.get_by_role("listitem").last.hover()
    assert table.ask("return [game.ringed, game.sketch.legs.length]") == [3, 2]
    table.page.mouse.move(*table.model(WALKERS))
    assert table.ask("return game.ringed") == -1
    # By keys one goes on with the row that was moved.
    rows.get_by_role("button", name="Later").first.focus()
    for _ in range(2):
        table.page.keyboard.press("Enter")
    assert table.ask("return game.casualties[argument]", WALKERS) == [1, 3, 2]
    table.page.reload()
    table.page.wait_for_function(
        "unit => document.querySelector('canvas')?.game?.casualties?.[unit]?.join() === '1,3,2'", arg=WALKERS
    )
    assert answers == []


def test_own_orders_are_named_and_come_back_after_others(sit: Any) -> None:
    table = sit(scenario=MOVING).open()
    asks = table.page.get_by_label("Questions")
    own = 'orders:\n  - {for: "order*", do: default}\n'
    asks.select_option("none")
    table.page.wait_for_function("() => document.querySelector('canvas').game.orders === ''")
    assert asks.locator("option").count() == 2
    table.ask("return game.giveOrders(argument)", own)
    for which, orders in (("usual", "default"), ("own", own), ("none", ""), ("own", own)):
        asks.select_option(which)
        table.page.wait_for_function("orders => document.querySelector('canvas').game.orders === orders", arg=orders)
        assert asks.input_value() == which
    # Where the server does not take them, the list goes back to what holds.
    table.ask("game.ask = () => Promise.resolve(null)")
    asks.select_option("none")
    table.page.wait_for_function("() => document.querySelector('.asks').value === 'own'")
    assert table.ask("return game.orders") == own


MIXED = "return game.show(argument).then(() => game.card.members)"


def test_who_falls_first_is_told_by_name_and_by_what_it_alone_carries(sit: Any) -> None:
    table = sit(at="move_with").open()
    table.play_until("move_with")
    own = table.ask("return game.view.units.map(u => u.id).filter(u => game.isMine(u) && game.standing(u).length > 4)")
    cards = {unit: table.ask(MIXED, unit) for unit in own}
    unit, members = next(found for found in cards.items() if any(one["arms"] for one in found[1]))
    table.page.keyboard.press("u")
    table.ask("return game.show(argument)", unit)
    table.page.get_by_role("button", name="Who falls first").click()
    rows = table.page.get_by_label("Who falls first").last.get_by_role("listitem").all_inner_texts()
    assert len(rows) == len(members)
    for row, one in zip(rows, members, strict=True):
        assert one["name"] in row
        assert ", ".join(one["arms"]) in row


def test_a_unit_is_armed_and_disarmed_before_the_usual_orders(sit: Any) -> None:
    table = sit(scenario=MOVING).open()
    choose(table, WALKERS)
    table.page.keyboard.press("u")
    armed = table.page.get_by_role("button", name="Armed to react")
    armed.click()
    table.page.wait_for_function("() => document.querySelector('canvas').game.orders.includes('Walkers')")
    orders = table.ask("return game.orders")
    assert orders.splitlines()[1].strip().startswith('- {for: "react.*", offers: ["Walkers",')
    assert orders.count("react.") > 1
    named = [SimpleNamespace(id=0, name="Beast Walkers"), SimpleNamespace(id=1, name="Walkers")]
    assert arms(read_orders(orders, "orders"), named) == [1]
    asks = table.page.get_by_label("Questions")
    assert asks.input_value() == "usual", "an exception makes them no others"
    armed.click()
    table.page.wait_for_function("() => !document.querySelector('canvas').game.orders.includes('Walkers')")
    assert table.ask("return game.orders") == "default"
    # Orders may be written in other ways, and where nothing can be added somebody says so.
    table.ask("return game.giveOrders(argument)", 'orders: # mine\n  - {for: "order*", do: default}\n')
    armed.click()
    table.page.wait_for_function("() => document.querySelector('canvas').game.orders.includes('Walkers')")
    given = 'orders: [{for: "order*", do: default}]\n'
    table.ask("return game.giveOrders(argument)", given)
    armed.click()
    table.page.get_by_role("alert").get_by_text("Nothing was added to your orders").wait_for()
    assert table.ask("return [game.orders, game.isArmed(1)]") == [given, False]


#: The Walkers follow somebody who is faster than they are.
LED = MOVING.replace(
    "units:\n",
    """\
  Rider:
    move: 10
    toughness: 5
    save: 3
    wounds: 4
    leadership: 6
    oc: 1
    base: 40mm
    height: 2
    keywords: [INFANTRY, CHARACTER]
    abilities: [leader]
    leads: [Brute]
units:
  - {name: Rider, player: red, sheet: Rider, positions: [[12.5, 17]], flags: {leads: Walkers}}
""",
)


def test_a_way_of_moving_says_how_far_the_slowest_and_the_fastest_go(sit: Any) -> None:
    table = sit(scenario=LED).open()
    table.play_until("move_with")
    table.pick(table.ask("return [...game.pointable].find(u => game.view.units[u].name.includes('Walkers'))"))
    ways = table.page.get_by_role("group", name="How")
    ways.get_by_role("button", name="Normal move 6 to 10").wait_for()
    other = table.ask("return [...game.others].find(u => game.view.units[u].name === 'Others')")
    table.page.mouse.click(*table.model(other))
    ways.get_by_role("button", name="Normal move 6", exact=True).wait_for()


#: Rows of models that stand near the upper edge of the table, so that many bands of chances end there.
EDGE = MOVING.replace("[[14, 5], [16, 5]]", "[[14, 26], [16, 26]]")
BANDS = """() => (canvas => canvas.game.areas.some(a => a.chance < 1) && canvas.bands().length)(
  document.querySelector("canvas"))"""


def test_chances_of_bands_that_end_at_the_edge_of_the_table_are_written_apart(sit: Any) -> None:
    table = sit(scenario=EDGE).open()
    choose(table, OTHERS)
    table.page.keyboard.press("a")
    table.page.wait_for_function(BANDS)
    bands = table.ask("return canvas.bands()")
    near = [(a, b) for a in bands for b in bands if a["text"] > b["text"] and abs(a["y"] - b["y"]) < 13]
    assert [pair for pair in near if abs(pair[0]["x"] - pair[1]["x"]) < 34] == []
    assert {b["text"] for b in bands} <= {f"{face}+" for face in range(2, 7)}
    assert len(bands) > 3


def test_where_even_the_best_roll_does_not_lead_nothing_can_be_committed(sit: Any) -> None:
    table = sit(scenario=MOVING).open()
    choose(table, OTHERS)
    table.page.keyboard.press("a")
    table.page.wait_for_function(BANDS)
    # What was said of the way of moving alone would come after what is said of the place.
    assert table.planned()["verdict"]["ok"]
    tick = table.page.locator(".dock .tick")
    table.page.mouse.click(*table.on_screen(34 * STEP, 5 * STEP))
    table.page.get_by_role("alert").get_by_text("Advance: too far, even with the best roll.").wait_for()
    assert tick.is_disabled()
    assert table.planned()["verdict"]["ok"] is False
    assert table.planned()["verdict"]["reasons"][0]["rules"] == ["w40k10.move.advance"], "and no other way of moving"
    table.page.mouse.click(*table.on_screen(23 * STEP, 5 * STEP))
    table.page.get_by_text(re.compile(r"Advance: [2-6]\+, \d+ % to get here")).wait_for()
    assert table.planned()["verdict"]["ok"]
    assert tick.is_enabled()


def test_who_points_at_a_unit_that_may_be_chosen_chooses_it_instead(sit: Any) -> None:
    table = sit(scenario=MOVING).open()
    choose(table, WALKERS)
    table.page.mouse.click(*table.model(OTHERS))
    table.page.wait_for_function(
        "unit => (d => d?.kind === 'move' && d.unit === unit)(document.querySelector('canvas').game.decision)",
        arg=OTHERS,
    )
    assert table.ask("return game.log.some(l => l.text.startsWith('Walkers move'))") is False


def test_who_points_at_a_unit_that_has_moved_looks_at_it_and_keeps_what_is_planned(sit: Any) -> None:
    table = sit(scenario=MOVING).open()
    choose(table, OTHERS)
    table.go_on("s")
    choose(table, WALKERS)
    table.drag(table.model(WALKERS), (0, -30))
    plan = table.planned()
    table.page.mouse.click(*table.model(OTHERS))
    table.page.wait_for_function("unit => document.querySelector('canvas').game.selected === unit", arg=OTHERS)
    table.page.wait_for_function("() => document.querySelector('canvas').game.card?.name === 'Others'")
    assert table.decision["unit"] == WALKERS
    assert table.planned()["ghosts"] == plan["ghosts"]


PULLED = MOVING.replace(
    "sheet: Brute, positions: [[14, 14], [14, 16], [12.5, 15]]}",
    "sheet: Brute, models: 3, off: true, flags: {embarked: Carrier}}",
)


def test_passengers_are_pulled_out_of_a_transport_that_is_done_and_stand_where_one_lets_go(sit: Any) -> None:
    table = sit(scenario=PULLED).open()
    page = table.page
    table.play_until("move_with")
    page.mouse.click(*table.model(CARRIER), button="right")
    page.get_by_role("menuitem", name="Get out: Walkers").wait_for()
    page.keyboard.press("Escape")
    choose(table, CARRIER)
    table.drag(table.model(CARRIER), (0, -30))
    assert table.planned()["verdict"]["ok"]
    table.answer_by(lambda: page.keyboard.press("Enter"))
    table.play_until("move_with")
    x, y = table.ask("return game.middle(argument)", CARRIER)
    start, to = table.on_screen(x, y), table.on_screen(x, y + 3 * STEP)
    table.drag(start, (0, to[1] - start[1]))
    page.wait_for_function("() => document.querySelector('canvas').game.decision?.shape === 'place'")
    ghosts = table.planned()["ghosts"]
    assert table.planned()["verdict"]["ok"]
    assert min(g["y"] for g in ghosts) > y + 2 * STEP
    assert max(abs(g["x"] - x) for g in ghosts) < 3 * STEP
    table.go_on("Enter")
    assert middle(table, WALKERS)[1] > y / STEP + 2
