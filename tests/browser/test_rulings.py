"""Rulings with a picture: two units, how far apart they are, who sees whom and what is in the way."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from browser.table import STEP, Table
from browser.test_plans import MOVING, WALKERS, choose
from browser.test_shapes import asked, pretend
from server.test_falls import BRUTES, FIRED_AT, GUNNERS

RUIN = "{kind: ruins, name: Mill, rect: [25, 10, 2, 10], height: 5, walls: [{from: [26, 10], to: [26, 20], top: 5}]}"
MOMENT = MOVING.replace("table: {size: [44, 30]}", f"table: {{size: [44, 30], terrain: [{RUIN}]}}").replace(
    "at: {", "objectives: [[18, 10]]\nat: {"
)


COLOURS = "c => new Set(c.getContext('2d').getImageData(0, 0, c.width, c.height).data).size"


def test_a_refusal_that_names_two_units_shows_them(sit: Any) -> None:
    table = sit(scenario=MOMENT).open()
    choose(table, WALKERS)
    table.ask(
        "game.refuse({ok: false, reasons: [{text: 'Walkers are too far from Foes.', rules: ['w40k10.move.normal']}]})"
    )
    table.page.get_by_role("button", name="why?").click()
    picture = table.page.get_by_label("Walkers and Foes")
    picture.wait_for()
    gap = table.ask(
        "const r = m => game.baseOf(m).radius, at = m => game.view.models[m];"
        " const near = a => Math.min(...game.standing(3).map("
        "b => Math.hypot(at(a)[0] - at(b)[0], at(a)[1] - at(b)[1]) - r(a) - r(b)));"
        " return Math.min(...game.standing(argument).map(near))",
        WALKERS,
    )
    assert f"{round(gap / STEP, 2):g}″ apart" in picture.get_attribute("aria-label")
    table.page.locator("figcaption").get_by_text("models of Walkers").or_(
        table.page.locator("figcaption").get_by_text("No model of Walkers sees Foes")
    ).wait_for()
    assert picture.evaluate(COLOURS) > 20


def go(model: int, x: float, y: float) -> dict[str, Any]:
    leg = {"do": "go", "x": round(x * STEP), "y": round(y * STEP), "z": 0, "facing": 0}
    return {"mode": "normal", "paths": [{"model": model, "legs": [leg]}]}


REFUSED = """
game.actor.cancel();
game.stage(argument[0], argument[1]);
game.refuse(argument[1]);
"""


def test_a_refused_place_is_shown_as_it_would_be(sit: Any) -> None:
    table = sit(scenario=MOMENT).open()
    choose(table, WALKERS)
    said = table.page.locator("figcaption")

    def shows(*told: str) -> None:
        table.page.get_by_role("button", name="why?").click()
        for text in told:
            said.get_by_text(text).wait_for()
        assert table.page.get_by_label(told[0]).evaluate(COLOURS) > 20

    def refused(answer: Any, **reason: Any) -> None:
        why = {"text": "This is not allowed.", "rules": ["w40k10.move.distance"], "models": [1], **reason}
        table.ask(REFUSED, [answer, {"ok": False, "reasons": [why]}])

    # What the server refuses.
    for answer, told in [
        (go(3, 9.5, 15), "1 model of Walkers would stand 3.35″ from the rest."),
        (go(1, 22, 14), "The way of Walkers is 8″ long."),
        (go(1, 18, 10), "Walkers would be on objective 1."),
        (go(1, 19, 14), "Walkers and Carrier would be on each other, or in contact, there."),
    ]:
        assert table.ask("return game.answer(argument)", answer) is False
        shows(told)
    # Where it is about two units they are measured, and look at each other, from where they would be.
    refused(go(1, 37, 15), text="Too near to Foes.")
    shows("Walkers and Foes would be 1.74″ apart there.", "From there: ")
    refused(go(1, 26, 15), facts={"feature": 0})
    shows("Mill is in the way of Walkers.")
    refused(go(1, 0.25, 14), facts={"edge": True})
    shows("Walkers would be 0.38″ over the edge of the table.")
    # What is planned next is another thing.
    table.ask("game.plan = {...game.plan}")
    said.wait_for(state="detached")


def test_a_place_that_nothing_is_said_of_is_shown_by_what_is_wrong_with_it(sit: Any) -> None:
    table, area = sit(scenario=MOMENT), [[0, 0], [12 * STEP, 0], [12 * STEP, 12 * STEP], [0, 12 * STEP]]
    pretend(table, asked("place", unit=WALKERS, models=[1, 2, 3], area=area, optional=True), [])
    table.open()
    spots = [{"model": m, "x": 2 * m * STEP + 7 * STEP, "y": 6 * STEP, "z": 0, "facing": 0} for m in (1, 2, 3)]
    table.ask(REFUSED, [spots, {"ok": False, "reasons": [{"text": "Not there.", "rules": ["w40k10.move.distance"]}]}])
    table.page.get_by_role("button", name="why?").click()
    table.page.locator("figcaption").get_by_text("1 model of Walkers would stand outside the area").wait_for()


def test_a_marker_that_somebody_holds_is_shown_with_who_is_near_it(sit: Any) -> None:
    table = sit(scenario=MOMENT.replace("[[18, 10]]", "[[16, 12]]")).open()
    table.ask("""game.log = [{
      id: 1, kind: "told", text: "Objective 1 is held.", player: 0, rules: [], faces: [], sides: 6, units: [],
      needed: 0, facts: [["marker", 0]], then: {
        subject: {units: [], models: [], to: "marker", which: 0, gap: 0}, whole: true,
        stood: new Map(game.view.models.map((row, m) => [m, [row[0], row[1], row[2], row[3]]])) } }]""")
    table.page.get_by_role("button", name="Objective 1 is held.").click()
    table.page.locator("figcaption").get_by_text("The nearest to objective 1: ").wait_for()


def test_a_sentence_about_one_unit_has_no_picture(sit: Any) -> None:
    table = sit(scenario=MOMENT).open()
    assert table.ask("return game.pairIn([], 'Walkers stay.')") is None
    assert table.ask("return game.pairIn([3], 'Walkers stay.')") == [3, WALKERS]


PAIRED = """() => document.querySelector("canvas")?.game?.log.some(
  l => [0, 1].every(u => l.then?.subject.units.includes(u)))"""
#: A line about both units, with the models of one of them moved away since.
MOVED = """
const line = game.log.findLast(l => [0, 1].every(u => l.then?.subject.units.includes(u)));
for (const m of game.standing(argument)) game.view.models[m][0] -= 5 * 1024;
game.log = [...game.log];
const xs = [0, 1].map(u => game.view.units[u].models.flatMap(m => line.then.stood.get(m)?.[0] ?? []));
return [line.text, Math.max(...xs[1]) - Math.min(...xs[0])];
"""


@pytest.mark.parametrize("again", [False, True])
def test_a_sentence_shows_units_as_they_stood_when_it_was_said(sit: Any, again: bool) -> None:
    table = sit(scenario=FIRED_AT, seats=["mine", "default"]).open()
    table.play_until("shoot")
    table.page.mouse.click(*table.model(BRUTES))
    table.page.wait_for_function("() => document.querySelector('canvas').game.pointed.size === 1")
    table.page.keyboard.press("Enter")
    table.page.wait_for_function(PAIRED)
    # Whoever acts meanwhile has done so.
    table.page.wait_for_function("() => document.querySelector('canvas').game.decision?.kind === 'move_with'")
    if again:
        table.page.reload()
        table.page.wait_for_function(PAIRED)
    text, gap = table.ask(MOVED, GUNNERS)
    table.page.get_by_role("log").get_by_role("button", name=text).last.click()
    told = table.page.locator("figcaption").get_by_text("as they stood then")
    told.wait_for()
    apart = float(told.inner_text().partition(" were ")[2].partition("″")[0])
    assert apart <= gap / STEP
    if not again:  # who comes back does not know where those stood who move only later
        told.get_by_text("Gunners see").or_(told.get_by_text("Gunners sees")).wait_for()


def hold_the_past(table: Table) -> list[Callable[[], None]]:
    """Keep what the server tells of the past back; gives what lets it go."""
    held: list[Callable[[], None]] = []

    def speak(route: Any) -> None:
        server, asked = route.connect_to_server(), set[int]()

        def from_page(text: str) -> None:
            said = json.loads(text)
            asked.update({said["ask"]} if said["say"] == "events" else ())
            server.send(text)

        def from_server(text: str) -> None:
            late = json.loads(text).get("to") in asked
            (held.append if late else lambda deed: deed())(lambda: route.send(text))

        route.on_message(from_page)
        server.on_message(from_server)

    table.page.route_web_socket("**/socket", speak)
    return held


def test_who_comes_back_while_things_happen_has_pictures_of_what_was_before(sit: Any) -> None:
    table = sit(scenario=FIRED_AT, seats=["mine", "default"]).open()
    table.play_until("shoot")
    table.page.mouse.click(*table.model(BRUTES))
    table.page.wait_for_function("() => document.querySelector('canvas').game.pointed.size === 1")
    table.go_on("Enter")
    table.play_until("move_with")
    held = hold_the_past(table)
    table.page.reload()
    table.go_on()
    table.page.wait_for_function("() => document.querySelector('canvas').game.log.length")
    (let_go,) = held
    let_go()
    table.page.wait_for_function("() => (g => g.log.some(l => l.id < g.first))(document.querySelector('canvas').game)")
    assert table.ask("return game.log.filter(l => l.then && l.id < game.first).length") > 0


def test_a_ruling_opens_what_it_builds_on_and_begins_what_proves_it(sit: Any) -> None:
    table = sit(scenario=MOMENT).open()
    choose(table, WALKERS)
    table.ask("game.refuse({ok: false, reasons: [{text: 'Too far.', rules: ['w40k10.move.advance']}]})")
    table.page.get_by_role("button", name="why?").click()
    table.page.get_by_role("button", name="Measuring a move").click()
    table.page.locator(".ruling code").get_by_text("w40k10.move.distance", exact=True).wait_for()
    with table.page.context.expect_page() as opened:
        table.page.locator(".ruling").get_by_role("link", name="Who Advanced does not charge").first.click()
    opened.value.wait_for_url("**/#battle/*")
    opened.value.get_by_label("The table", exact=True).wait_for()
    assert len(opened.value.evaluate("JSON.parse(localStorage.getItem('sandtable.seats'))")) >= 2


def test_the_file_of_a_refused_move_holds_it_with_distances(sit: Any) -> None:
    table = sit(scenario=MOMENT).open()
    choose(table, WALKERS)
    far = {"do": "go", "x": 39 * STEP, "y": 16 * STEP, "z": 0, "facing": 0}
    answer = {"mode": "normal", "paths": [{"model": 1, "legs": [far]}]}
    assert table.ask("return game.answer(argument)", answer) is False
    table.page.get_by_role("button", name="Save a scenario").click()
    with table.page.expect_download() as saved:
        table.page.get_by_role("button", name="Save the file").click()
    text = Path(saved.value.path()).read_text()
    assert "# Walkers to Foes: " in text
    assert "refused:" in text


def test_who_reads_elsewhere_in_the_log_is_told_of_news_and_gets_back_to_it(sit: Any) -> None:
    table = sit().open()
    for _ in range(14):
        table.go_on()
    log = table.page.get_by_role("log")
    log.hover()
    table.page.mouse.wheel(0, -9000)
    table.page.wait_for_function("() => document.querySelector('.log').scrollTop === 0")
    for _ in range(3):
        table.go_on()
    table.page.get_by_role("button", name="To the newest").click()
    table.page.wait_for_function(
        "() => { const l = document.querySelector('.log'); return l.scrollHeight - l.scrollTop - l.clientHeight < 60 }"
    )
    table.page.get_by_role("button", name="To the newest").wait_for(state="detached")


def test_the_page_of_a_rule_looks_like_the_others_and_leads_on_and_home(first: Any, hall: Any) -> None:
    paper = first.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    first.goto(f"{hall.address}/rules/w40k10.move.advance")
    assert first.evaluate("getComputedStyle(document.documentElement).backgroundColor") == paper
    first.get_by_role("link", name="Measuring a move").click()
    first.get_by_role("heading", name="Measuring a move").wait_for()
    first.get_by_role("link", name="Sandtable").click()
    first.get_by_label("Your army").wait_for()


def test_a_ruling_begins_with_its_verdict_leaves_the_question_in_sight_and_can_be_closed(sit: Any) -> None:
    table = sit(scenario=MOMENT).open()
    choose(table, WALKERS)
    table.ask("game.refuse({ok: false, reasons: [{text: 'Too far.', rules: ['w40k10.move.advance']}]})")
    why = table.page.get_by_role("button", name="why?")
    why.click()
    ruling = table.page.locator(".ruling")
    ruling.locator("blockquote").first.wait_for()
    table.page.get_by_role("img", name="Dice").count()  # a round trip, after which it has scrolled
    assert ruling.inner_text().startswith("Too far.")
    assert not why.is_visible(), "the verdict stands there once"
    shown = "e => { const b = e.getBoundingClientRect(), d = e.closest('.dock').getBoundingClientRect();"
    shown += " return b.top >= d.top - 1 && b.bottom <= d.bottom + 1; }"
    assert table.page.locator(".dock h2").evaluate(shown)
    assert ruling.get_by_text("Too far.").evaluate(shown)
    table.page.get_by_role("button", name="Close the rules").click()
    ruling.wait_for(state="detached")
    why.wait_for()


def test_who_opens_a_ruling_by_keys_keeps_them_there_and_comes_back(sit: Any) -> None:
    table = sit(scenario=MOMENT).open()
    choose(table, WALKERS)
    table.ask("game.refuse({ok: false, reasons: [{text: 'Too far.', rules: ['w40k10.move.advance']}]})")
    at = "name => (document.activeElement.ariaLabel ?? document.activeElement.innerText) === name"
    table.page.get_by_role("button", name="why?").focus()
    table.page.keyboard.press("Enter")
    table.page.wait_for_function(at, arg="Close the rules")
    table.page.keyboard.press("Enter")
    table.page.wait_for_function(at, arg="why?")
    table.page.get_by_role("button", name="The rules behind this").focus()
    table.page.keyboard.press("Enter")
    close = table.page.get_by_role("button", name="Close the rules")
    close.focus()
    table.page.keyboard.press("Enter")
    table.page.wait_for_function(at, arg="The rules behind this")


def test_a_rule_that_is_opened_beside_others_comes_into_sight(sit: Any) -> None:
    table = sit((1024, 600), scenario=MOMENT).open()
    choose(table, WALKERS)
    table.ask("game.refuse({ok: false, reasons: [{text: 'Too far.', rules: ['w40k10.move.advance']}]})")
    table.page.get_by_role("button", name="why?").click()
    link = table.page.locator(".ruling li button").first
    name = link.inner_text()
    link.click()
    quoted = table.page.locator(".ruling blockquote", has=table.page.locator("b", has_text=name)).last
    table.page.wait_for_function(
        """e => {
          const foot = document.querySelector(".dock .usual").getBoundingClientRect();
          return e.querySelector("b").getBoundingClientRect().bottom <= foot.top;
        }""",
        arg=quoted.element_handle(),
    )


def test_what_a_ruling_builds_on_is_a_list_without_holes(sit: Any) -> None:
    table = sit((1024, 768), touch=True, scenario=MOMENT).open()
    choose(table, WALKERS)
    table.ask("game.refuse({ok: false, reasons: [{text: 'Too far.', rules: ['w40k10.move.advance']}]})")
    table.page.get_by_role("button", name="why?").click()
    built = table.page.locator(".ruling .quiet", has_text="Builds on").first
    built.wait_for()
    links = built.get_by_role("button").all()
    assert len(links) > 1
    tops = [link.bounding_box()["y"] for link in links]
    assert all(40 <= below - above <= 44 for above, below in pairwise(tops)), tops


def test_of_several_rules_it_is_told_which_builds_on_which_and_which_tests_prove_them(sit: Any) -> None:
    table = sit(scenario=MOMENT).open()
    choose(table, WALKERS)
    cited = ["w40k10.move.advance", "w40k10.move.distance"]
    table.ask("game.refuse({ok: false, reasons: [{text: 'Too far.', rules: argument}]})", cited)
    table.page.get_by_role("button", name="why?").click()
    told = '"Advance" builds on "Measuring a move".'
    table.page.locator(".rank").get_by_text(told).wait_for()
    quoted = table.page.locator(".ruling blockquote")
    assert [quote.locator("b").first.inner_text() for quote in quoted.all()] == ["Measuring a move", "Advance"]
    assert not quoted.first.get_by_text("Tested: ").is_visible(), "who plays does not look for files"
    quoted.first.get_by_text("Proof").click()
    quoted.first.get_by_text("Tested: ").wait_for()
    quoted.first.get_by_text("tests/w40k10/").first.wait_for()
